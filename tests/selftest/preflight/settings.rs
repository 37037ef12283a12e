//! Administrator settings of Claude Code that could redirect the run.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use harness::deployment::Host;

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    base_url: ManagedSettings => "managed-settings variable", |t| set(t, FILE, r#"{"env":{"ANTHROPIC_BASE_URL":"https://elsewhere.invalid"}}"#);
    custom_headers: ManagedSettings => "managed-settings variable", |t| set(t, FILE, r#"{"env":{"ANTHROPIC_CUSTOM_HEADERS":"x: y"}}"#);
    bedrock: ManagedSettings => "managed-settings variable", |t| set(t, FILE, r#"{"env":{"CLAUDE_CODE_USE_BEDROCK":"1"}}"#);
    prefix_alone: ManagedSettings => "managed-settings variable", |t| set(t, FILE, r#"{"env":{"CLAUDECODE":"1"}}"#);
    empty_value: ManagedSettings => "managed-settings variable", |t| set(t, FILE, r#"{"env":{"ANTHROPIC_MODEL":""}}"#);
    https_proxy: ManagedSettings => "managed-settings proxy", |t| set(t, FILE, r#"{"env":{"HTTPS_PROXY":"http://127.0.0.1:9"}}"#);
    http_proxy_in_lower_case: ManagedSettings => "managed-settings proxy", |t| set(t, FILE, r#"{"env":{"http_proxy":"http://127.0.0.1:9"}}"#);
    all_proxy: ManagedSettings => "managed-settings proxy", |t| set(t, FILE, r#"{"env":{"ALL_PROXY":"socks5://127.0.0.1:9"}}"#);
    key_helper: ManagedSettings => "managed-settings helper", |t| set(t, FILE, r#"{"apiKeyHelper":"/bin/false"}"#);
    key_helper_of_null: ManagedSettings => "managed-settings helper", |t| set(t, FILE, r#"{"apiKeyHelper":null}"#);
    variable_in_a_part: ManagedSettings => "managed-settings variable", |t| part(t, "10-a.json", r#"{"env":{"ANTHROPIC_AUTH_TOKEN":"x"}}"#);
    helper_in_a_later_part: ManagedSettings => "managed-settings helper", |t| {
        part(t, "10-a.json", "{}");
        part(t, "20-b.json", r#"{"apiKeyHelper":"/bin/false"}"#);
    };
    variable_in_a_linked_file: ManagedSettings => "managed-settings variable", |t| {
        set(t, "elsewhere.json", r#"{"env":{"ANTHROPIC_BASE_URL":"x"}}"#);
        symlink("elsewhere.json", t.path("managed").join(FILE)).expect("a link can be made");
    };

    not_json: ManagedSettings => "managed-settings malformed", |t| set(t, FILE, "{");
    empty_file: ManagedSettings => "managed-settings malformed", |t| set(t, FILE, "");
    array: ManagedSettings => "managed-settings malformed", |t| set(t, FILE, "[]");
    variables_that_are_no_object: ManagedSettings => "managed-settings malformed", |t| set(t, FILE, r#"{"env":["ANTHROPIC_BASE_URL=x"]}"#);
    doubled_key: ManagedSettings => "managed-settings malformed", |t| set(t, FILE, r#"{"env":{"ANTHROPIC_BASE_URL":"x"},"env":{}}"#);
    malformed_part: ManagedSettings => "managed-settings malformed", |t| part(t, "10-a.json", "}");
    directory_in_place_of_the_file: ManagedSettings => "managed-settings unreadable", |t| {
        fs::create_dir(t.path("managed").join(FILE)).expect("it can be made");
    };
    // Nobody writes to it: it must not be waited for.
    fifo_in_place_of_the_file: ManagedSettings => "managed-settings unreadable", |t| {
        let mode = nix::sys::stat::Mode::S_IRUSR;
        nix::unistd::mkfifo(&t.path("managed").join(FILE), mode).expect("it can be made");
    };
    file_in_place_of_the_parts: ManagedSettings => "managed-settings unreadable", |t| set(t, PARTS, "{}");
    unreadable: ManagedSettings => "managed-settings unreadable", |t| {
        set(t, FILE, "{}");
        let mode = fs::Permissions::from_mode(0o0);
        fs::set_permissions(t.path("managed").join(FILE), mode).expect("it can be changed");
        t.unprivileged = true;
    };
}

accepted! {
    no_folder: ManagedSettings, |t| fs::remove_dir(t.path("managed")).expect("it is empty");
    permissions_alone: ManagedSettings, |t| set(t, FILE, r#"{"permissions":{"deny":["WebFetch"]},"cleanupPeriodDays":1}"#);
    other_variables: ManagedSettings, |t| set(t, FILE, r#"{"env":{"FOO":"1","MY_PROXY_LIST":"x","MY_ANTHROPIC_NOTE":"x"}}"#);
    name_within_a_value: ManagedSettings, |t| set(t, FILE, r#"{"env":{"NOTE":"ANTHROPIC_BASE_URL"}}"#);
    part_of_another_kind: ManagedSettings, |t| part(t, "10-a.json.bak", r#"{"apiKeyHelper":"/bin/false"}"#);
    harmless_part: ManagedSettings, |t| part(t, "10-a.json", r#"{"env":{}}"#);
}

#[test]
fn this_host_is_looked_at_where_the_documentation_says() {
    let folder = if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else {
        "/etc/claude-code"
    };
    assert_eq!(Host::this().managed_settings, [PathBuf::from(folder)]);
}

const FILE: &str = "managed-settings.json";
const PARTS: &str = "managed-settings.d";

fn set(trial: &mut Trial, name: &str, settings: &str) {
    fs::write(trial.path("managed").join(name), settings).expect("it can be written");
}

fn part(trial: &mut Trial, name: &str, settings: &str) {
    fs::create_dir_all(trial.path("managed").join(PARTS)).expect("it can be made");
    set(trial, &format!("{PARTS}/{name}"), settings);
}
