//! Connections that are not made, not kept or not trusted.

use standin::certificates::{Authority, self_signed_server};
use standin::front::Delivery;
use standin::refusing::Refusing;

use super::row::{passes, refused, rows};
use super::scene::Scene;
use super::version::Version;

rows! {
    closed_without_an_answer => |scene| scene.deliver(Delivery::new()),
        refused("claude-failed transport-failure connection-reset");
    closed_amid_the_head => |scene| scene.deliver(Delivery::new().send("HTTP/1.1 200 OK\r\ncontent-")),
        refused("claude-failed transport-failure connection-reset");
    /// The CLI's own bound is a little below that of the run.
    silence => |scene| {
        scene.trial.standin.set("IOP_SMOKE_RUN_TIMEOUT", "5");
        scene.deliver(Delivery::new().hold());
    }, refused("claude-failed transport-failure network-timeout");
    no_http => |scene| scene.deliver(Delivery::new().send("220 this is something else\r\n")),
        refused("claude-failed api-rejected malformed-response");

    refused_connection => |scene| scene.reach(&Refusing::for_good().expect("a free port")),
        refused("claude-failed transport-failure connection-refused").behind("health-listener unreachable");
    unresolvable_name => |scene| scene.reach("http://no-such-host.invalid:8080"),
        refused("claude-failed transport-failure dns-failure")
            // It says FailedToOpenSocket, as of a network without a route.
            .but(Version::V113, refused("claude-failed transport-failure connection-error").posts(0))
            .behind("health-listener unreachable");
    self_signed_certificate => |scene| {
        scene.put_front(Some(self_signed_server("localhost").expect("a certificate")), "localhost");
    }, refused("claude-failed transport-failure tls-certificate").behind("health-listener unreachable");
    certificate_of_an_unknown_authority => |scene| {
        let config = authority().server("localhost").expect("a certificate");
        scene.put_front(Some(config), "localhost");
    }, refused("claude-failed transport-failure tls-certificate").behind("health-listener unreachable");
    expired_certificate => |scene| {
        let authority = authority();
        let config = authority.expired_server("localhost").expect("a certificate");
        trusting(scene, &authority);
        scene.put_front(Some(config), "localhost");
    }, refused("claude-failed transport-failure tls-certificate").behind("health-listener unreachable");
    certificate_for_another_name => |scene| {
        let authority = authority();
        let config = authority.server("elsewhere.example").expect("a certificate");
        trusting(scene, &authority);
        scene.put_front(Some(config), "localhost");
    }, refused("claude-failed transport-failure tls-certificate").behind("health-listener unreachable");
    certificate_of_an_authority_that_is_handed_over => |scene| {
        let authority = authority();
        let config = authority.server("localhost").expect("a certificate");
        trusting(scene, &authority);
        scene.put_front(Some(config), "localhost");
    }, passes();
}

fn authority() -> Authority {
    Authority::new().expect("an authority")
}

fn trusting(scene: &mut Scene, authority: &Authority) {
    scene.trust(&authority.pem());
}
