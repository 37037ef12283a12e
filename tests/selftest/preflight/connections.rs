//! Why a probe reached nobody is told in words that name no host.

use harness::probe::Prober;
use standin::certificates::{Authority, self_signed_server};
use standin::front::Front;
use standin::refusing::Refusing;

use crate::trial::{PATIENT, Trial};

/// What a probe of this origin says.
fn told(origin: &str) -> String {
    let prober = Prober::new(PATIENT, &[], true).expect("a client");
    let answer = prober.get(&format!("{origin}/healthz"));
    answer.err().expect("it is not reached").to_string()
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

#[test]
fn the_server_speaks_no_tls() {
    let trial = Trial::new();
    let origin = trial.standin.edge.origin().replace("http:", "https:");
    assert_eq!(
        told(&origin),
        "no connection: the server speaks no tls that can be used"
    );
}
