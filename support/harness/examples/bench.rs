#![allow(missing_docs, clippy::all, clippy::unwrap_used, clippy::print_stdout)]
use harness::redaction::*;
use std::time::Instant;
fn main() {
    let f = Forbidden::new()
        .value(Kind::Secret, "sk-test-0123456789abcdef")
        .value(Kind::BaseUrl, "https://edge.example:8443/")
        .value(Kind::Model, "smoke-single-request")
        .value(Kind::WorkspacePath, "/srv/work/space")
        .value(Kind::OutputPath, "/srv/out/manifest.json")
        .value(
            Kind::ExpectedLine,
            "IOP single-request Claude smoke verified.\n",
        );
    let n = 16 << 20;
    let mut x = 88172645463325252u64;
    let mut rnd = move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    };
    let text = b"{\"level\":\"info\",\"ts\":12.5,\"msg\":\"edge \\\"quoted\\\" https:\\/\\/other.example/x%20y+z\",\"digest\":\"9f86d081884c7d659a2feaa0c55ad015\"}\n";
    let json: Vec<u8> = text.iter().copied().cycle().take(n).collect();
    let english: Vec<u8> = b"the quick brown fox jumps over the lazy dog and runs away "
        .iter()
        .copied()
        .cycle()
        .take(n)
        .collect();
    let random: Vec<u8> = (0..n).map(|_| rnd() as u8).collect();
    let b64: Vec<u8> = (0..n)
        .map(|_| {
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                [(rnd() % 64) as usize]
        })
        .collect();
    let hex: Vec<u8> = (0..n)
        .map(|_| b"0123456789abcdef"[(rnd() % 16) as usize])
        .collect();
    let zeros = vec![0u8; n];
    let a = vec![b'a'; n];
    let bs = vec![b'\\'; n];
    let pc: Vec<u8> = b"%25".iter().copied().cycle().take(n).collect();
    for (name, h) in [
        ("json", json),
        ("english", english),
        ("random", random),
        ("b64", b64),
        ("hex", hex),
        ("zeros", zeros),
        ("aaa", a),
        ("backslash", bs),
        ("pct", pc),
    ] {
        let t = Instant::now();
        let hits = f.hits(&h);
        println!("{name}: {:?} {:?}", t.elapsed(), hits);
    }
    let t = Instant::now();
    let h: Vec<u8> = text.iter().copied().cycle().take(3000).collect();
    for _ in 0..1000 {
        let _ = f.hits(&h);
    }
    println!("3 KB: {:?}", t.elapsed() / 1000);
}
