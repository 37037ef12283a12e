//! Publishes or digests what its standard input says, for tests that need a process with a mask,
//! a limit or rights of its own.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "what it prints is its outcome, and a task it cannot read is a test's own fault"
)]

use std::io::Read as _;
use std::path::Path;

use harness::digest;
use harness::publish::{PublishError, Published, Way, publish, publish_by};

fn main() {
    let mut words = String::new();
    std::io::stdin()
        .read_to_string(&mut words)
        .expect("the task is text");
    let words: Vec<_> = words.splitn(4, ' ').collect();
    let [action, way, size, path] = words[..] else {
        return;
    };
    let path = Path::new(path);
    let contents = contents(size.parse().expect("the size is a number"));
    let way = Way::ALL
        .into_iter()
        .find(|known| (*known as usize).to_string() == way);
    println!("\nready");
    let outcome = match (action, way) {
        ("publish", Some(way)) => name(publish_by(way, path, &contents)),
        ("publish", None) => name(publish(path, &contents)),
        ("file", _) => format!("{:?}", digest::file::digest(path).map(|file| file.digest)),
        _ => format!("{:?}", digest::tree::digest(path)),
    };
    println!("outcome: {outcome}");
}

fn name(outcome: Result<Published, PublishError>) -> String {
    format!("{:?}", outcome.map(|published| published.way))
}

/// The bytes to publish, which the tests know.
fn contents(size: usize) -> Vec<u8> {
    let mut bytes = b"No period is a power of two.\n".repeat(size / 29 + 1);
    bytes.truncate(size);
    bytes
}
