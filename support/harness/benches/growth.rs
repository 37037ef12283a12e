//! How time and memory grow with what there is to read: `make bench`.
//!
//! Each size is measured in a process of its own, after everything was read once, and its peak
//! memory is that of the whole process. The first argument is the largest number of files in a
//! tree, 100,000 unless told otherwise.

#![expect(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a benchmark that cannot be set up must fail; it prints its figures"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use harness::digest::tree;
use harness::observation::log::Snapshot;
use harness::observation::verdict;
use standin::observations;

mod material;

use material::Shape;

/// Bytes of each file in a tree.
const SIZE: usize = 100;

/// Measurements of one size, of which the fastest counts.
const REPEATS: usize = 5;

fn main() {
    // Cargo says `--bench`.
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["measure", what, size] => measure(what, size.parse().expect("a size")),
        [most] => print_table(most.parse().expect("a number of files")),
        _ => print_table(100_000),
    }
}

fn print_table(files_most: usize) {
    println!("| what is read | size | fastest | peak memory |");
    println!("|---|---|---|---|");
    let mut files = 10_000;
    while files <= files_most {
        print_row("tree, all in one folder", "wide", files);
        print_row("tree, 100 in each folder", "folders", files);
        files *= 10;
    }
    for size in [100 << 20, 1 << 30] {
        print_row("log before the run, bytes", "log", size);
    }
    for size in [(16 << 20) / 10, 16 << 20] {
        print_row("log of the run, bytes", "fresh", size);
    }
}

fn print_row(name: &str, what: &str, size: usize) {
    // Made here, so that it takes none of the memory that is measured.
    make(what, size);
    let output = Command::new(env::current_exe().expect("this executable"))
        .args(["measure", what, &size.to_string()])
        .output()
        .expect("it can be started");
    assert!(output.status.success(), "the measurement fails");
    let figures = String::from_utf8_lossy(&output.stdout);
    println!("| {name} | {size} | {}", figures.trim());
}

fn make(what: &str, size: usize) {
    match what {
        "wide" | "folders" => drop(shape(what, size).tree()),
        "log" => drop(material::log("log", 1 << 30)),
        _ => {}
    }
}

/// Measures one size and prints the rest of its row.
fn measure(what: &str, size: usize) {
    let fastest = match what {
        "wide" | "folders" => {
            let root = shape(what, size).tree();
            fastest(|| tree::digest(&root).expect("it can be read"))
        }
        "log" => {
            let whole = material::log("log", 1 << 30);
            let part = whole.with_extension("cut");
            cut(&whole, &part, size);
            let fastest = fastest(|| Snapshot::take(&part).expect("it can be read"));
            fs::remove_file(part).expect("it can be removed");
            fastest
        }
        _ => {
            let served = observations::lines(&observations::served());
            let text = [material::lines(size - served.len()), served].concat();
            fastest(|| verdict::judge(&text).expect("one request"))
        }
    };
    println!("{fastest:.1} ms | {} |", peak());
}

fn shape(what: &str, files: usize) -> Shape {
    let (folders, files, name) = match what {
        "wide" => (1, files, format!("wide-{files}")),
        _ => (files / 100, 100, format!("folders-{files}")),
    };
    Shape {
        name: name.leak(),
        folders,
        depth: 0,
        files,
        size: SIZE,
    }
}

/// The first bytes of a file as a file of their own.
fn cut(whole: &Path, part: &Path, size: usize) {
    let status = Command::new("sh")
        .args(["-c", "head -c \"$1\" -- \"$2\" > \"$3\"", "sh"])
        .arg(size.to_string())
        .args([whole, part])
        .status();
    assert!(status.expect("sh can be started").success());
}

/// Milliseconds.
fn fastest<T>(mut read: impl FnMut() -> T) -> f64 {
    black_box(read());
    let times = (0..REPEATS).map(|_| {
        let start = Instant::now();
        black_box(read());
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Most memory that this process has had so far; see proc_pid_status(5).
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}
