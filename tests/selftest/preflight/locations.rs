//! URLs that are malformed, or that the client would read otherwise than they look.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt as _;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    base_with_user_info: BaseUrl => "base-url user-info", |t| base(t, "http://user:word@edge.invalid:80");
    base_with_a_user: BaseUrl => "base-url user-info", |t| base(t, "http://user@edge.invalid:80");
    base_with_empty_user_info: BaseUrl => "base-url user-info", |t| base(t, "http://@edge.invalid:80");
    base_with_a_query: BaseUrl => "base-url query", |t| base(t, "http://edge.invalid:80/?a=b");
    base_with_an_empty_query: BaseUrl => "base-url query", |t| base(t, "http://edge.invalid:80?");
    base_with_a_fragment: BaseUrl => "base-url fragment", |t| base(t, "http://edge.invalid:80/#a");
    base_with_an_empty_fragment: BaseUrl => "base-url fragment", |t| base(t, "http://edge.invalid:80#");
    base_with_a_path: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80/edge");
    base_with_v1: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80/v1");
    base_with_v1_and_slash: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80/v1/");
    base_with_two_slashes: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80//");
    base_with_dots: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80/a/..");
    base_with_a_dot: BaseUrl => "base-url path", |t| base(t, "http://edge.invalid:80/.");
    base_with_a_tab: BaseUrl => "base-url character", |t| base(t, "http://edge.\tinvalid:80");
    base_with_a_line_feed: BaseUrl => "base-url character", |t| base(t, "http://edge.invalid:80\n");
    base_with_a_control_character: BaseUrl => "base-url character", |t| base(t, "http://edge.invalid\u{1}:80");
    base_with_a_late_control_character: BaseUrl => "base-url character", |t| base(t, "http://edge.invalid:80/\u{9f}");
    base_with_a_leading_space: BaseUrl => "base-url character", |t| base(t, " http://edge.invalid:80");
    base_with_a_trailing_space: BaseUrl => "base-url character", |t| base(t, "http://edge.invalid:80 ");
    base_with_a_wide_space: BaseUrl => "base-url character", |t| base(t, "http://edge.invalid:80\u{3000}");
    base_with_a_backslash: BaseUrl => "base-url character", |t| base(t, r"http://edge.invalid:80\v1");
    base_with_a_backslash_first: BaseUrl => "base-url character", |t| base(t, r"http:\\edge.invalid:80");
    base_without_a_host: BaseUrl => "base-url host", |t| base(t, "http:///");
    base_with_a_port_alone: BaseUrl => "base-url host", |t| base(t, "http://:80");
    base_with_port_0: BaseUrl => "base-url host", |t| base(t, "http://edge.invalid:0");
    base_with_port_65536: BaseUrl => "base-url host", |t| base(t, "http://edge.invalid:65536");
    base_with_a_port_of_letters: BaseUrl => "base-url host", |t| base(t, "http://edge.invalid:http");
    base_with_a_broken_address: BaseUrl => "base-url host", |t| base(t, "http://[::1:80");
    base_of_another_scheme: BaseUrl => "base-url scheme", |t| base(t, "ftp://edge.invalid:80");
    base_of_web_sockets: BaseUrl => "base-url scheme", |t| base(t, "ws://edge.invalid:80");
    base_of_a_file: BaseUrl => "base-url scheme", |t| base(t, "file:///edge.invalid");
    base_without_a_scheme: BaseUrl => "base-url scheme", |t| base(t, "edge.invalid:80");
    base_with_one_slash: BaseUrl => "base-url scheme", |t| base(t, "http:/edge.invalid:80");
    base_not_utf8: BaseUrl => "base-url not-utf8", |t| t.standin.set("IOP_SMOKE_BASE_URL", not_utf8());

    metrics_with_user_info: MetricsUrl => "metrics-url user-info", |t| metrics(t, "http://user:word@edge.invalid:80/metrics");
    metrics_with_empty_user_info: MetricsUrl => "metrics-url user-info", |t| metrics(t, "http://@edge.invalid:80/metrics");
    metrics_with_a_query: MetricsUrl => "metrics-url query", |t| metrics(t, "http://edge.invalid:80/metrics?a=b");
    metrics_with_an_empty_query: MetricsUrl => "metrics-url query", |t| metrics(t, "http://edge.invalid:80/metrics?");
    metrics_with_a_fragment: MetricsUrl => "metrics-url fragment", |t| metrics(t, "http://edge.invalid:80/metrics#");
    metrics_with_a_control_character: MetricsUrl => "metrics-url character", |t| metrics(t, "http://edge.invalid:80/metrics\u{7f}");
    metrics_with_a_space: MetricsUrl => "metrics-url character", |t| metrics(t, "http://edge.invalid:80/a b");
    metrics_with_a_backslash: MetricsUrl => "metrics-url character", |t| metrics(t, r"http://edge.invalid:80\metrics");
    metrics_without_a_host: MetricsUrl => "metrics-url host", |t| metrics(t, "http:///metrics");
    metrics_with_port_0: MetricsUrl => "metrics-url host", |t| metrics(t, "http://edge.invalid:0/metrics");
    metrics_of_another_scheme: MetricsUrl => "metrics-url scheme", |t| metrics(t, "gopher://edge.invalid:80/metrics");
    metrics_not_utf8: MetricsUrl => "metrics-url not-utf8", |t| t.standin.set("IOP_SMOKE_METRICS_URL", not_utf8());
}

accepted! {
    base_over_tls: BaseUrl, |t| base(t, "https://edge.invalid");
    base_with_a_slash: BaseUrl, |t| base(t, "http://edge.invalid:80/");
    base_in_upper_case: BaseUrl, |t| base(t, "HTTPS://EDGE.INVALID:8443");
    base_of_an_address: BaseUrl, |t| base(t, "http://[::1]:8080");
    base_at_the_last_port: BaseUrl, |t| base(t, "http://edge.invalid:65535");
    metrics_with_any_path: MetricsUrl, |t| metrics(t, "https://edge.invalid:9090/a/b%20c/v1");
    metrics_without_a_path: MetricsUrl, |t| metrics(t, "http://edge.invalid:9090");
}

fn base(trial: &mut Trial, url: &str) {
    trial.standin.set("IOP_SMOKE_BASE_URL", url);
}

fn metrics(trial: &mut Trial, url: &str) {
    trial.standin.set("IOP_SMOKE_METRICS_URL", url);
}

fn not_utf8() -> OsString {
    OsString::from_vec(b"http://edge.invalid\xff:80".to_vec())
}
