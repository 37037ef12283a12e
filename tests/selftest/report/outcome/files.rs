//! Files in place of a JUnit file or a manifest.

use std::fs;
use std::path::Path;

use report::outcome::{Conclusion, Outcome};
use standin::scratch;

use crate::manifest::sample::{STRICT, bytes_of, manifest};
use crate::report::sample::Sample;
use crate::rows::rows;

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&Path)) {
    let folder = scratch::folder().expect("a folder");
    let [junit, manifest_file] =
        ["junit.xml", "manifest.json"].map(|name| folder.path().join(name));
    fs::write(&junit, Sample::passing().text()).expect("a file");
    fs::write(&manifest_file, bytes_of(&manifest())).expect("a file");
    let control = Outcome::read(&junit, Some(&manifest_file), &STRICT);
    let conclusion = control.expect("the control is accepted").conclusion();
    assert_eq!(conclusion, Conclusion::Proved);
    change(folder.path());
    let changed = Outcome::read(&junit, Some(&manifest_file), &STRICT);
    assert_eq!(changed.expect_err("it is refused").code(), code);
}

rows! {
    by refused;
    junit_absent => "junit-file absent", |f| fs::remove_file(f.join("junit.xml")).expect("a file");
    junit_a_link => "junit-file link", |f| {
        fs::rename(f.join("junit.xml"), f.join("1")).expect("a file");
        std::os::unix::fs::symlink("1", f.join("junit.xml")).expect("a link");
    };
    junit_over_1_mib => "junit-file too-large", |f| fs::write(f.join("junit.xml"), vec![b' '; (1 << 20) + 1]).expect("a file");
    manifest_absent => "manifest-file absent", |f| fs::remove_file(f.join("manifest.json")).expect("a file");
    manifest_invalid => "manifest-invalid schema", |f| fs::write(f.join("manifest.json"), "{}\n").expect("a file");
}
