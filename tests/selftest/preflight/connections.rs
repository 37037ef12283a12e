//! Why a probe reached nobody is told in words that name no host.

use std::ffi::OsString;
use std::fs;

use harness::probe::Prober;
use standin::certificates::{Authority, self_signed_server};
use standin::front::Front;
use standin::refusing::Refusing;

use crate::trial::{PATIENT, Trial};

/// What a probe of this origin says.
fn told(origin: &str) -> String {
    told_with(origin, &[]).expect("it is not reached")
}

/// What a probe says with these variables handed through; nothing if it is answered.
fn told_with(origin: &str, passed: &[(OsString, OsString)]) -> Option<String> {
    let prober = Prober::new(PATIENT, passed, true);
    let answer = prober.and_then(|prober| prober.get(&format!("{origin}/healthz")));
    answer.err().map(|error| error.to_string())
}

#[test]
fn nobody_listens() {
    let refusing = Refusing::new().expect("a free port");
    assert_eq!(
        told(&refusing.origin().expect("its origin")),
        "no connection: connection refused"
    );
}

#[test]
fn the_name_has_no_address() {
    assert_eq!(
        told("http://no-such-host.invalid"),
        "no connection: the host name does not resolve"
    );
}

#[test]
fn the_certificate_signs_itself() {
    let trial = Trial::new();
    let config = self_signed_server("localhost").expect("a certificate");
    let front = Front::start(&trial.standin.edge, Some(config)).expect("a listener");
    assert_eq!(
        told(&front.origin("localhost")),
        "no connection: the server's certificate is not trusted"
    );
}

#[test]
fn the_certificate_is_for_another_name() {
    let trial = Trial::new();
    let authority = Authority::new().expect("an authority");
    let config = authority
        .server("elsewhere.example")
        .expect("a certificate");
    let front = Front::start(&trial.standin.edge, Some(config)).expect("a listener");
    assert_eq!(
        told(&front.origin("localhost")),
        "no connection: the server's certificate is not trusted"
    );
}

/// A stand-in behind TLS, with the certificate of an authority that a file names.
fn behind_tls(trial: &Trial) -> (Front, std::path::PathBuf) {
    let authority = Authority::new().expect("an authority");
    let config = authority.server("localhost").expect("a certificate");
    let file = trial.path("authority.pem");
    fs::write(&file, authority.pem()).expect("a file");
    let front = Front::start(&trial.standin.edge, Some(config));
    (front.expect("a listener"), file)
}

/// The same with this one, of a stand-in behind TLS.
fn told_behind_tls(front: &Front, name: &str, value: impl Into<OsString>) -> Option<String> {
    told_with(&front.origin("localhost"), &[(name.into(), value.into())])
}

#[test]
fn an_authority_that_is_handed_through_is_trusted() {
    let trial = Trial::new();
    let (front, file) = behind_tls(&trial);
    assert_eq!(told_behind_tls(&front, "NODE_EXTRA_CA_CERTS", &file), None);
    assert_eq!(
        told_behind_tls(&front, "OTHER_CA_CERTS", &file).as_deref(),
        Some("no connection: the server's certificate is not trusted")
    );
}

#[test]
fn an_authority_that_cannot_be_read_is_told() {
    let trial = Trial::new();
    let (front, _) = behind_tls(&trial);
    fs::write(
        trial.path("broken.pem"),
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    )
    .expect("a file");
    for name in ["absent.pem", "broken.pem"] {
        assert_eq!(
            told_behind_tls(&front, "NODE_EXTRA_CA_CERTS", trial.path(name)).as_deref(),
            Some(
                "the http client could not be set up: NODE_EXTRA_CA_CERTS names no readable PEM file"
            )
        );
    }
}

#[test]
fn the_server_speaks_no_tls() {
    let trial = Trial::new();
    let origin = trial.standin.edge.origin().replace("http:", "https:");
    assert_eq!(
        told(&origin),
        "no connection: the server speaks no tls that can be used"
    );
}
