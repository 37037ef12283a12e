//! What `make report` starts: arguments, silence and exit code.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;
use std::process::{Command, Output};

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::executables;
use standin::scratch;
use tempfile::TempDir;

use super::sample::{RUN, Sample, variation};
use crate::rows::rows;

/// Runs it in a folder that holds a JUnit file and two manifests.
fn run(folder: &TempDir, arguments: &[OsString]) -> Output {
    let caller = Environment::of_process();
    let root = Runner::of(&caller).root().expect("a root").to_path_buf();
    fs::write(folder.path().join("junit.xml"), Sample::passing().text()).expect("a file");
    for run in 0..2 {
        let path = folder.path().join(format!("{run}.json"));
        fs::write(path, variation(run).0).expect("a file");
    }
    Command::new(executables::find("iop-smoke-report").expect("it is built"))
        .args(arguments)
        .current_dir(folder.path())
        .env_clear()
        .env("CARGO_MANIFEST_DIR", root)
        .output()
        .expect("it runs")
}

fn words(arguments: &str) -> Vec<OsString> {
    arguments.split_whitespace().map(OsString::from).collect()
}

fn text(output: &Output) -> String {
    let bytes = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(bytes).expect("text")
}

#[test]
fn each_kind_of_page() {
    for (arguments, name) in [
        ("0.json", "0.html"),
        ("0.json 1.json", "comparison.html"),
        ("--output named.html 1.json 0.json", "named.html"),
        ("--junit junit.xml 0.json", "0.html"),
        ("--junit junit.xml", &*format!("report-{RUN}.html")),
        ("--junit=junit.xml --output named.html", "named.html"),
    ] {
        let folder = scratch::folder().expect("a folder");
        let output = run(&folder, &words(arguments));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let page = fs::read(folder.path().join(name)).expect("a page");
        let printed = format!("page: written, {}\n", harness::digest::Digest::of(page));
        assert_eq!(text(&output), printed, "{arguments}");
    }
}

#[track_caller]
fn refused(code: &str, arguments: &str) {
    let folder = scratch::folder().expect("a folder");
    let output = run(&folder, &words(arguments));
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output);
    assert!(printed.starts_with(&format!("Error: {code}")), "{printed}");
    assert!(printed.contains("\n  what to do: "), "{printed}");
    assert!(!printed.contains("CANARY"), "{printed}");
}

rows! {
    by refused;
    nothing => "report-usage", "";
    output_alone => "report-usage", "--output CANARY";
    output_without_a_value => "report-usage", "0.json --output";
    output_twice => "report-usage", "--output a --output b 0.json";
    an_unknown_option => "report-usage", "--CANARY 0.json";
    a_short_option => "report-usage", "-o CANARY 0.json";
    a_run_with_two_manifests => "report-usage", "--junit junit.xml 0.json 1.json";
    a_manifest_that_is_absent => "manifest-file absent", "CANARY.json";
    a_manifest_for_a_junit_file => "junit-invalid structure", "--junit 0.json";
}

#[test]
fn names_of_files_are_neither_shown_nor_printed() {
    for name in [
        b"<img src=x onerror=CANARY>.json".as_slice(),
        b"CANARY\x1b[31m\n.json",
        b"CANARY\xff\xfe.json",
        b"--CANARY.json",
        b"CANARY $(id) `id` \"'.json",
    ] {
        let folder = scratch::folder().expect("a folder");
        let name = OsString::from_vec(name.to_vec());
        let path = folder.path().join(&name);
        fs::write(&path, variation(3).0).expect("a file");
        for arguments in [
            vec!["--".into(), name.clone()],
            vec!["--".into(), "0.json".into(), name.clone()],
        ] {
            let output = run(&folder, &arguments);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output));
            assert!(!text(&output).contains("CANARY"), "{}", text(&output));
        }
        for page in [&*path.with_extension("html"), Path::new("comparison.html")] {
            let page = fs::read_to_string(folder.path().join(page)).expect("a page");
            assert!(!page.contains("CANARY"));
        }
    }
}
