//! Listeners that do not answer as they must.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use harness::constants::BODY_BOUND;
use standin::edge::Reply;

use crate::preflight::row::{accepted, rows};
use crate::trial::{BRIEF, PATIENT, Trial};

rows! {
    health_301: HealthListener => "health-listener status", |t| health(t, Reply { location: Some("/elsewhere".into()), ..Reply::new(301, "") });
    health_404: HealthListener => "health-listener status", |t| health(t, Reply::new(404, ""));
    health_503: HealthListener => "health-listener status", |t| health(t, Reply::new(503, ""));
    health_304: HealthListener => "health-listener status", |t| health(t, Reply::new(304, ""));
    health_dead: HealthListener => "health-listener unreachable", |t| t.standin.edge.stop().expect("it stops");
    health_slow: HealthListener => "health-listener timeout", |t| {
        health(t, Reply::new(200, "ok\n").after(PATIENT));
        t.limits.probe = BRIEF;
    };
    health_over_long: HealthListener => "health-listener too-long", |t| health(t, Reply::new(200, " ".repeat(BODY_BOUND + 1)));
    health_not_http: HealthListener => "health-listener broken", |t| t.standin.set("IOP_SMOKE_BASE_URL", not_http());
    health_broken_off: HealthListener => "health-listener broken", |t| t.standin.set("IOP_SMOKE_BASE_URL", cut_off());
    health_of_a_name_that_does_not_resolve: HealthListener => "health-listener unreachable", |t| {
        t.standin.set("IOP_SMOKE_BASE_URL", "http://edge.invalid:8080");
    };
    health_through_a_malformed_proxy: HealthListener => "health-listener setup", |t| {
        t.standin.set("HTTP_PROXY", "http://[");
        t.standin.set("IOP_SMOKE_PASS_ENV", "HTTP_PROXY");
    };
    health_with_anchors_that_are_absent: HealthListener => "health-listener setup", |t| {
        t.standin.set("IOP_SMOKE_BASE_URL", "https://localhost:1");
        t.standin.set("NODE_EXTRA_CA_CERTS", "/nowhere/made-up");
        t.standin.set("IOP_SMOKE_PASS_ENV", "NODE_EXTRA_CA_CERTS");
    };

    options_200: MessagesListener => "messages-listener status", |t| options(t, 200);
    options_204: MessagesListener => "messages-listener status", |t| options(t, 204);
    options_400: MessagesListener => "messages-listener status", |t| options(t, 400);
    options_403: MessagesListener => "messages-listener status", |t| options(t, 403);
    options_404: MessagesListener => "messages-listener status", |t| options(t, 404);
    options_503: MessagesListener => "messages-listener status", |t| options(t, 503);
    options_301: MessagesListener => "messages-listener status", |t| t.standin.edge.behave(|edge| {
        edge.options = Some(Reply { location: Some("/v1/messages/".into()), ..Reply::new(301, "") });
    });
    options_dead: MessagesListener => "messages-listener unreachable", |t| t.standin.edge.stop().expect("it stops");
    options_slow: MessagesListener => "messages-listener timeout", |t| {
        t.standin.edge.behave(|edge| edge.options = Some(Reply::new(405, "").after(PATIENT)));
        t.limits.probe = BRIEF;
    };
    options_not_http: MessagesListener => "messages-listener broken", |t| t.standin.set("IOP_SMOKE_BASE_URL", not_http());
}

accepted! {
    options_401: MessagesListener, |t| options(t, 401);
    options_405: MessagesListener, |t| options(t, 405);
    // Its body is nobody's business.
    options_over_long: MessagesListener, |t| {
        t.standin.edge.behave(|edge| edge.options = Some(Reply::new(405, " ".repeat(2 * BODY_BOUND))));
    };
    health_204: HealthListener, |t| health(t, Reply::new(204, ""));
    health_299: HealthListener, |t| health(t, Reply::new(299, "ok"));
    health_as_long_as_may_be: HealthListener, |t| health(t, Reply::new(200, " ".repeat(BODY_BOUND)));
}

#[test]
fn a_redirect_is_not_followed() {
    let trial = Trial::new();
    trial.standin.edge.behave(|edge| {
        edge.health = Some(Reply {
            location: Some("/elsewhere".into()),
            ..Reply::new(307, "")
        });
    });
    let verdict = trial.check(harness::reason::Reason::HealthListener);
    trial.assert_refused(verdict, "health-listener status", 0);
    assert_eq!(trial.standin.edge.seen().unmatched, 0);
}

fn health(trial: &mut Trial, reply: Reply) {
    trial.standin.edge.behave(|edge| edge.health = Some(reply));
}

fn options(trial: &mut Trial, status: u16) {
    trial
        .standin
        .edge
        .behave(|edge| edge.options = Some(Reply::new(status, "")));
}

/// Origin of a listener that does not speak HTTP.
pub(super) fn not_http() -> String {
    speaking(b"220 mail.invalid ready\r\n")
}

/// Origin of a listener whose answers break off.
pub(super) fn cut_off() -> String {
    speaking(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nok\n")
}

/// Origin of a listener that answers each connection with these bytes. Its
/// thread ends with the process.
fn speaking(bytes: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // Whoever hangs up early has seen enough. What was not read before
            // the end would reset the connection.
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(bytes);
        }
    });
    format!("http://{address}")
}
