//! What is parsed, judged and scanned in memory.

use std::path::Path;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use harness::claude::stream;
use harness::constants::{EXPECTED_LINE, INGRESS_COUNTER};
use harness::digest::Digest;
use harness::evidence::Evidence;
use harness::manifest::validate::validate;
use harness::manifest::{Manifest, Measured, canonical};
use harness::observation::{admission, verdict};
use harness::probe::metrics;
use harness::redaction::{Forbidden, Kind};
use harness::schema::{MANIFEST_SCHEMA_FILE, ManifestSchema};
use standin::deployment::{Extent, Standin};
use standin::observations;

use crate::material::lines;
use crate::whole;

const MIB: usize = 1 << 20;

#[divan::bench]
fn evidence(bencher: Bencher<'_, '_>) {
    let bytes = canonical(&sealed()).expect("it can be written");
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| Evidence::parse(black_box(&bytes)).expect("it is well-formed"));
}

#[divan::bench]
fn schema(bencher: Bencher<'_, '_>) {
    let bytes = schema_bytes();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| ManifestSchema::parse(black_box(&bytes)).expect("it keeps the contract"));
}

#[divan::bench]
fn manifest(bencher: Bencher<'_, '_>) {
    let schema = ManifestSchema::parse(&schema_bytes()).expect("it keeps the contract");
    let bytes = manifest_bytes();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| validate(black_box(&bytes), &schema).expect("it is valid"));
}

/// What `make validate` does in its process.
#[divan::bench]
fn schema_and_manifest(bencher: Bencher<'_, '_>) {
    let schema = schema_bytes();
    let bytes = manifest_bytes();
    bencher.bench(|| {
        let schema = ManifestSchema::parse(black_box(&schema)).expect("it keeps the contract");
        validate(black_box(&bytes), &schema).expect("it is valid")
    });
}

#[divan::bench(args = [MIB])]
fn exposition(bencher: Bencher<'_, '_>, size: usize) {
    let mut text = Vec::new();
    while text.len() < size {
        let route = text.len();
        text.extend(format!("iop_http_requests_total{{route=\"{route}\"}} 17\n").into_bytes());
    }
    text.extend(format!("{INGRESS_COUNTER} 4\n").into_bytes());
    bencher
        .counter(BytesCount::of_slice(&text))
        .bench(|| metrics::counter(black_box(&text), INGRESS_COUNTER).expect("a sample"));
}

#[divan::bench(args = [MIB])]
fn log_without_edge(bencher: Bencher<'_, '_>, size: usize) {
    let text =
        b"{\"level\":\"info\",\"ts\":1700000000,\"msg\":\"something else\"}\n".repeat(size / 60);
    bencher
        .counter(BytesCount::of_slice(&text))
        .bench(|| assert!(!admission::is_edge_log(black_box(&text))));
}

#[divan::bench(args = [MIB, 16 * MIB], sample_count = 20, sample_size = 1)]
fn observations(bencher: Bencher<'_, '_>, size: usize) {
    let served = observations::lines(&observations::served());
    let text = [lines(size - served.len()), served].concat();
    bencher
        .counter(BytesCount::of_slice(&text))
        .bench(|| verdict::judge(black_box(&text)).expect("one request"));
}

#[divan::bench]
fn redaction_of_manifest(bencher: Bencher<'_, '_>) {
    let bytes = manifest_bytes();
    let forbidden = forbidden();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| assert!(forbidden.scan(black_box(&bytes)).is_none()));
}

#[divan::bench(args = [MIB], sample_count = 20, sample_size = 1)]
fn redaction_of_log(bencher: Bencher<'_, '_>, size: usize) {
    let bytes = lines(size);
    let forbidden = forbidden();
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| assert!(forbidden.scan(black_box(&bytes)).is_none()));
}

#[divan::bench(args = [8 * MIB], sample_count = 20, sample_size = 1)]
fn stream(bencher: Bencher<'_, '_>, size: usize) {
    let event = format!(
        "{{\"type\":\"assistant\",\"message\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}}}\n",
        "words and \\n more words ".repeat(50)
    );
    let end =
        "{\"type\":\"result\",\"is_error\":false,\"num_turns\":1,\"stop_reason\":\"end_turn\"}\n";
    let text = event.repeat(size / event.len()) + end;
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| assert_eq!(stream::read(black_box(text.as_bytes())).results.len(), 1));
}

fn sealed() -> Evidence {
    let standin = Standin::start_in_part(&whole::parts(), Extent::FILES);
    let evidence = standin.and_then(|standin| standin.evidence());
    evidence.expect("evidence of a stand-in")
}

fn schema_bytes() -> Vec<u8> {
    let schemas = Path::new(whole::ROOT).join("schemas");
    std::fs::read(schemas.join(MANIFEST_SCHEMA_FILE)).expect("the schema")
}

fn manifest_bytes() -> Vec<u8> {
    let measured = Measured {
        stage_ms: observations::STAGE_MS,
        terminal_ms: observations::TERMINAL_MS,
        before: Digest::of("before"),
        after: Digest::of("after"),
        result: Digest::of(EXPECTED_LINE),
    };
    canonical(&Manifest::of(&sealed(), &measured)).expect("it can be written")
}

fn forbidden() -> Forbidden {
    Forbidden::new()
        .value(Kind::Secret, standin::deployment::SECRET)
        .value(Kind::BaseUrl, "http://127.0.0.1:40123")
        .value(Kind::Model, standin::deployment::MODEL)
        .value(Kind::WorkspacePath, "/srv/standin/workspace")
        .value(Kind::OutputPath, "/srv/standin/out/manifest.json")
        .value(Kind::ExpectedLine, EXPECTED_LINE)
}
