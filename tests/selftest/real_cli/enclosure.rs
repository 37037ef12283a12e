//! A run in a network of its own, in which nothing but the loopback interface is up.

use std::fs;
use std::process::Command;

use harness::executables;
use serde_json::{Value, json};
use standin::scratch;

use super::row::record;
use super::scene::Scene;
use super::version::Version;

/// Puts the command into the network; its names are asked of a resolver there.
const ENCLOSE: &str = "mount --bind \"$1\" /etc/resolv.conf; \
    [ ! -e /etc/nsswitch.conf ] || mount --bind \"$2\" /etc/nsswitch.conf; \
    shift 2; exec \"$@\"";

/// The test below.
const NAME: &str = "no_other_address_is_contacted_and_no_name_looked_up";

/// Fails where namespaces are forbidden: then nothing is proved.
#[test]
#[ignore = "needs the real CLI: make client"]
fn no_other_address_is_contacted_and_no_name_looked_up() {
    let folder = scratch::folder().expect("a folder");
    let [resolver, order] = ["resolv.conf", "nsswitch.conf"].map(|name| folder.path().join(name));
    fs::write(
        &resolver,
        "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n",
    )
    .expect("a file");
    fs::write(&order, "hosts: files dns\n").expect("a file");
    let scene = Scene::new();
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "--mount"])
        .args(["sh", "-euc", ENCLOSE, "sh"])
        .args([&resolver, &order])
        .arg(executables::find("standin-enclosure").expect("it is built"))
        .arg(&scene.trial.standin.client().executable)
        .output()
        .expect("unshare(1) can be started");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "no such network can be made; are namespaces forbidden here? {printed}"
    );
    let seen: Value = serde_json::from_slice(&output.stdout).expect("what was seen");
    assert_eq!(
        seen["canary"],
        json!({"names": ["canary.example"], "unroutable": true}),
        "what is counted is not what happens"
    );
    // It looks this name up and tries the address that it is told, although
    // CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC is set; no other variable was found to keep it.
    let (names, unroutable): (&[&str], u64) = match scene.version() {
        Version::V113 => (&["api.anthropic.com"], 1),
        Version::V220 | Version::Newest => (&[], 0),
    };
    let looked_up = &seen["run"]["names"];
    let tried = &seen["run"]["unroutable"];
    record(
        NAME,
        format!("looks up {looked_up}, tries {tried} other addresses"),
    );
    let expected = json!({
        "code": "passes", "posts": 1, "names": names,
        "unroutable": unroutable, "failed_connections": 0, "unheard_datagrams": 0,
    });
    assert_eq!(seen["run"], expected);
}
