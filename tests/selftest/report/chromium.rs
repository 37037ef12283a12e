//! Pages as Chromium shows them: `make report-shots`.
//!
//! Ignored by the self-test, because it needs a browser. The images are kept in
//! `target/report-shots` to be looked at; what can be judged without eyes is
//! judged here.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::executables;
use harness::interrupt::Interrupt;
use harness::process::{Command, Output, Status, Supervisor};

use rstest::rstest;
use standin::scratch;

use super::document::pages;

/// Widths that the pages are looked at in, with a height that holds the longest.
const WIDTHS: [(u32, u32); 2] = [(1280, 3000), (360, 6000)];

/// Widths in which no page may need to be scrolled sideways.
const FRAMES: [u32; 3] = [320, 360, 1280];

/// The schemes by the number that Chromium gives them.
const SCHEMES: [(&str, u8); 2] = [("dark", 0), ("light", 1)];

/// Starts Chromium on a page, and gives what it prints.
#[track_caller]
fn chromium(folder: &Path, arguments: &[String]) -> String {
    let supervisor = Supervisor::at(executables::supervisor().expect("it is built"));
    let interrupt = Interrupt::install(Duration::from_secs(5)).expect("signals can be handled");
    let caller = Environment::of_process();
    let command = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .args(arguments)
        .env("HOME", folder)
        .env("PATH", caller.get("PATH").unwrap_or_default())
        .output(Output::Separate {
            stdout: 1 << 20,
            stderr: 1 << 20,
        })
        .deadline(Duration::from_secs(60));
    let ended = supervisor.run(&command, &interrupt);
    let ended = ended.expect("Chromium is installed as `chromium`");
    assert_eq!(
        ended.status,
        Status::Code(0),
        "{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    String::from_utf8(ended.stdout).expect("text")
}

/// The pages as files in a folder.
fn files(folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let file = |(name, page): (&'static str, String)| {
        let path = folder.join(name).with_extension("html");
        fs::write(&path, page).expect("a page");
        (name, path)
    };
    pages().into_iter().map(file).collect()
}

#[rstest]
#[case::passing("passing")]
#[case::failing("failing")]
#[case::checks("checks")]
#[case::unseen("unseen")]
#[case::manifest("manifest")]
#[case::ten("ten")]
#[ignore = "needs Chromium: `make report-shots`"]
fn images_to_look_at(#[case] name: &str) {
    let folder = scratch::folder().expect("a folder");
    let root = Runner::of(&Environment::of_process())
        .root()
        .expect("a root")
        .to_path_buf();
    let images = root.join("target/report-shots");
    fs::create_dir_all(&images).expect("a folder");
    let files = files(folder.path());
    let (_, path) = files
        .iter()
        .find(|(found, _)| *found == name)
        .expect("a page");
    for (width, height) in WIDTHS {
        let [dark, light] = SCHEMES.map(|(scheme, number)| {
            let image = images.join(format!("{name}-{width}-{scheme}.png"));
            chromium(
                folder.path(),
                &[
                    format!("--blink-settings=preferredColorScheme={number}"),
                    format!("--window-size={width},{height}"),
                    format!("--screenshot={}", image.display()),
                    format!("file://{}", path.display()),
                ],
            );
            fs::read(image).expect("an image")
        });
        assert_ne!(dark, light, "it is the same in both schemes");
    }
}

/// A page around others, whose title says how these are laid out in each width:
/// the width of the contents, the number of buttons that are hidden, and the
/// greatest width of the body, which is the style sheet's.
fn frames(pages: &[(&str, PathBuf)]) -> String {
    let mut frames = String::new();
    for width in FRAMES {
        for (_, page) in pages {
            let page = page.display();
            let _ = write!(
                frames,
                "<iframe src='file://{page}' width={width}></iframe>"
            );
        }
    }
    format!(
        "<!DOCTYPE html>{frames}<script>
        onload = () => {{
            document.title = [...document.querySelectorAll('iframe')].map((frame) => {{
                const page = frame.contentDocument;
                const hidden = page.querySelectorAll('button[hidden]').length;
                const style = page.defaultView.getComputedStyle(page.body);
                return [page.documentElement.scrollWidth, hidden, style.maxWidth].join(' ');
            }}).join(', ');
        }};
        </script>"
    )
}

#[test]
#[ignore = "needs Chromium: `make report-shots`"]
fn no_page_is_scrolled_sideways_and_its_style_and_script_are_let_in() {
    let folder = scratch::folder().expect("a folder");
    let pages = files(folder.path());
    let outer = folder.path().join("frames.html");
    fs::write(&outer, frames(&pages)).expect("a page");
    let printed = chromium(
        folder.path(),
        &[
            "--allow-file-access-from-files".to_owned(),
            "--dump-dom".to_owned(),
            format!("file://{}", outer.display()),
        ],
    );
    let (_, rest) = printed.split_once("<title>").expect("a title");
    let (title, _) = rest.split_once("</title>").expect("a title");
    let found: Vec<_> = title.split(", ").collect();
    let expected = FRAMES.map(|width| vec![format!("{width} 0 1024px"); pages.len()]);
    assert_eq!(found, expected.concat());
}
