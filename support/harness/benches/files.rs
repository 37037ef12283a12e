//! Digests of single files.

use divan::Bencher;
use divan::counter::BytesCount;
use harness::digest::file::{digest, digest_prefix};

use crate::material::log;

#[divan::bench(args = [1 << 10, 1 << 20, 400 << 20], sample_count = 20)]
fn file(bencher: Bencher<'_, '_>, size: usize) {
    let path = log(&format!("file-{size}"), size);
    let size = path.metadata().expect("its size").len();
    bencher
        .counter(BytesCount::new(size))
        .bench(|| digest(&path).expect("it can be read"));
}

#[divan::bench(args = [100 << 20, 1 << 30], sample_count = 10, sample_size = 1)]
fn prefix_of_log(bencher: Bencher<'_, '_>, size: u64) {
    let path = log("log", 1 << 30);
    bencher
        .counter(BytesCount::new(size))
        .bench(|| digest_prefix(&path, size).expect("it can be read"));
}
