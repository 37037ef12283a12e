//! A page is scanned and put in place as a manifest is.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::redaction::{Forbidden, Kind};
use harness::refusal::Verdict;
use report::outcome::Outcome;
use report::publication::{Settings, Written, place_of_run, scan, write_manifests, write_run};
use standin::scratch;
use tempfile::TempDir;

use super::sample::{RUN, Sample, variation};
use crate::manifest::sample::{bytes_of, manifest};
use crate::rows::rows;
use crate::trial::names;

const SECRET: &str = "made-up-key-0123456789";
const URL: &str = "http://edge.invalid:8443";
const MODEL: &str = "made-up-model";

/// Ten manifests and a JUnit file in a folder, and a user's environment.
pub(super) struct Scene {
    folder: TempDir,
    environment: Environment,
}

impl Scene {
    fn new() -> Self {
        let folder = scratch::folder().expect("a folder");
        fs::create_dir(folder.path().join("out")).expect("a folder");
        let out = folder.path().join("out");
        fs::write(out.join("junit.xml"), Sample::passing().text()).expect("a file");
        fs::write(out.join("manifest.json"), bytes_of(&manifest())).expect("a file");
        for run in 0..10 {
            let path = out.join(format!("{run}.json"));
            fs::write(path, variation(run).0).expect("a file");
        }
        let caller = Environment::of_process();
        let runner = Runner::of(&caller);
        let mut environment = Environment::default();
        environment.set("NEXTEST_WORKSPACE_ROOT", runner.root().expect("a root"));
        environment.set("IOP_SMOKE_SECRET_ENV", "MADE_UP");
        environment.set("MADE_UP", SECRET);
        environment.set("IOP_SMOKE_BASE_URL", URL);
        environment.set("IOP_SMOKE_MODEL", MODEL);
        environment.set("IOP_SMOKE_WORKSPACE", folder.path().join("workspace"));
        environment.set("IOP_SMOKE_OUTPUT", folder.path().join("out/manifest.json"));
        Self {
            folder,
            environment,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("out").join(name)
    }

    fn settings(&self) -> Verdict<Settings> {
        Settings::read(self.environment.clone(), &Runner::of(&self.environment))
    }

    fn run_page(&self) -> Verdict<Written> {
        let [junit, manifest] = ["junit.xml", "manifest.json"].map(|name| self.path(name));
        let settings = self.settings()?;
        let outcome = Outcome::read(&junit, Some(&manifest), &settings.schema)?;
        let place = place_of_run(&junit, Some(&manifest), &outcome);
        write_run(&outcome, &place, &settings)
    }

    fn manifest_page(&self) -> Verdict<Written> {
        write_manifests(&[self.path("manifest.json")], None, &self.settings()?)
    }

    fn comparison(&self) -> Verdict<Written> {
        let manifests: Vec<_> = (0..10)
            .map(|run| self.path(&format!("{run}.json")))
            .collect();
        write_manifests(&manifests, None, &self.settings()?)
    }

    /// Asserts that a file holds no private value, and that one would be found.
    #[track_caller]
    fn assert_silent(&self, path: &Path) {
        let text = fs::read_to_string(path).expect("a page");
        let folder = self.folder.path().to_string_lossy().into_owned();
        for value in [SECRET, URL, MODEL, &folder] {
            let private = Forbidden::new().value(Kind::Secret, value);
            assert_eq!(private.hits(text.as_bytes()), []);
            let canary = format!("{text}{value}");
            assert!(private.scan(canary.as_bytes()).is_some(), "the scan works");
        }
    }
}

#[test]
fn a_page_stands_next_to_its_manifest_for_its_owner_alone() {
    let scene = Scene::new();
    let before = names(&scene.path(""));
    for (written, name) in [
        (scene.run_page(), "manifest.html"),
        (scene.comparison(), "comparison.html"),
    ] {
        let written = written.expect("it is written");
        assert_eq!(written.path, scene.path(name));
        let mode = fs::metadata(&written.path)
            .expect("a page")
            .permissions()
            .mode();
        assert_eq!(mode & 0o7777, 0o600);
        scene.assert_silent(&written.path);
    }
    let mut after = names(&scene.path(""));
    after.retain(|name| !before.contains(name));
    assert_eq!(after, ["comparison.html", "manifest.html"]);
}

#[test]
fn without_a_manifest_the_page_is_named_after_the_run() {
    let outcome = Sample::failing("preflight::model", "Error: model control-character").outcome();
    let place = place_of_run(Path::new("folder/junit.xml"), None, &outcome);
    assert_eq!(
        place,
        Path::new("folder").join(format!("report-{RUN}.html"))
    );
}

#[test]
fn one_manifest_alone_is_not_compared() {
    let scene = Scene::new();
    let written = scene.manifest_page().expect("it is written");
    let page = fs::read_to_string(written.path).expect("a page");
    assert!(page.contains("Valid manifest") && !page.contains("compared"));
}

#[track_caller]
fn refused(code: &str, change: impl FnOnce(&mut Scene)) {
    for write in [Scene::run_page, Scene::manifest_page] {
        write(&Scene::new()).expect("the control is written");
    }
    let mut scene = Scene::new();
    change(&mut scene);
    let before = names(&scene.path(""));
    for write in [Scene::run_page, Scene::manifest_page] {
        let refusal = write(&scene).expect_err("it is refused");
        assert_eq!(refusal.code(), code, "{refusal:?}");
        assert_eq!(names(&scene.path("")), before, "nothing is left");
        let folder = scene.folder.path().to_string_lossy().into_owned();
        let printed = format!("{refusal:?}");
        for value in [SECRET, URL, MODEL, &folder] {
            assert!(!printed.contains(value), "{printed}");
        }
    }
}

rows! {
    by refused;
    secret_that_is_a_word_of_the_page => "redaction secret", |s| s.environment.set("MADE_UP", "reviewed");
    secret_that_is_a_digest_of_the_page => "redaction secret", |s| s.environment.set("MADE_UP", "0123456789abcdef");
    secret_with_markup => "redaction secret", |s| s.environment.set("MADE_UP", "</dt><dd>");
    base_url_that_is_a_word_of_the_page => "redaction base-url", |s| s.environment.set("IOP_SMOKE_BASE_URL", "gateway");
    model_that_is_a_word_of_the_page => "redaction model", |s| s.environment.set("IOP_SMOKE_MODEL", "ornith-fast");
    workspace_that_is_an_end_tag => "redaction workspace-path", |s| s.environment.set("IOP_SMOKE_WORKSPACE", "/section");
    output_that_is_an_end_tag => "redaction output-path", |s| s.environment.set("IOP_SMOKE_OUTPUT", "/section");
    schema_absent => "schema-contract absent", |s| s.environment.set("IOP_SMOKE_SCHEMA", "/nowhere/made-up");
    manifest_of_another_form => "manifest-invalid schema", |s| fs::write(s.path("manifest.json"), "{}\n").expect("a file");
    existing_page => "report-existing", |s| fs::write(s.path("manifest.html"), "mine").expect("a file");
    existing_folder => "report-existing", |s| fs::create_dir(s.path("manifest.html")).expect("a folder");
    existing_dangling_link => "report-existing", |s| symlink("nowhere", s.path("manifest.html")).expect("a link");
}

#[test]
fn an_existing_page_is_left_as_it_is() {
    let scene = Scene::new();
    for (name, write) in [
        (
            "manifest.html",
            Scene::run_page as fn(&Scene) -> Verdict<Written>,
        ),
        ("comparison.html", Scene::comparison),
    ] {
        fs::write(scene.path(name), "mine").expect("a file");
        let refusal = write(&scene).expect_err("it is refused");
        assert_eq!(refusal.code(), "report-existing");
        assert_eq!(fs::read(scene.path(name)).expect("a file"), b"mine");
    }
}

/// Manifests that cannot be compared, and places where no page can be.
pub(crate) mod paths {
    use super::{Path, PathBuf, RUN, Scene, fs, rows, write_manifests};

    #[track_caller]
    fn refused(code: &str, change: impl FnOnce(&Scene, &mut Vec<PathBuf>, &mut PathBuf)) {
        let scene = Scene::new();
        let settings = scene.settings().expect("settings");
        let mut manifests = vec![
            scene.path("0.json"),
            scene.path("1.json"),
            scene.path("2.json"),
        ];
        let mut place = scene.path("page.html");
        write_manifests(&manifests, Some(&place), &settings).expect("the control is written");
        fs::remove_file(&place).expect("a page");
        change(&scene, &mut manifests, &mut place);
        let refusal = write_manifests(&manifests, Some(&place), &settings);
        let refusal = refusal.expect_err("it is refused");
        assert_eq!(refusal.code(), code);
        let numbered = code.starts_with("manifest");
        assert_eq!(
            format!("{refusal:?}").contains("manifest 2 of 3"),
            numbered,
            "{refusal:?}"
        );
    }

    rows! {
        by refused;
        no_manifest => "report-usage", |_, m, _| m.clear();
        one_absent => "manifest-file absent", |_, m, _| m[1] = PathBuf::from("/nowhere/made-up");
        one_of_another_form => "manifest-invalid not-json", |s, _, _| fs::write(s.path("1.json"), "<html>").expect("a file");
        one_of_another_version => "manifest-invalid schema", |s, _, _| {
            let text = fs::read_to_string(s.path("1.json")).expect("a file");
            let text = text.replace("\"schema_version\":\"1\"", "\"schema_version\":\"2\"");
            fs::write(s.path("1.json"), text).expect("a file");
        };
        folder_absent => "publication-failed", |s, _, p| *p = s.path("absent/page.html");
        place_without_a_name => "publication-failed", |_, _, p| *p = PathBuf::from("/");
    }

    #[test]
    fn a_manifest_that_is_named_after_another_run() {
        let scene = Scene::new();
        let schema = scene.settings().expect("settings").schema;
        let junit = scene.path("junit.xml");
        let read = |name: &str| {
            let manifest = scene.path(name);
            fs::copy(scene.path("manifest.json"), &manifest).expect("a file");
            super::Outcome::read(&junit, Some(Path::new(&manifest)), &schema)
        };
        read(&format!("manifest-{RUN}.json")).expect("its own");
        read("manifest-of-mine.json").expect("a name that the user chose");
        let other = RUN.replace('9', "8");
        let refusal = read(&format!("manifest-{other}.json")).expect_err("another's");
        assert_eq!(refusal.code(), "junit-invalid run-id");
    }
}

pub(super) mod patterns {
    //! What no manifest may hold, found in a page.

    use super::{Forbidden, scan};
    use crate::rows::rows;

    #[track_caller]
    fn refused(code: &str, part: &str) {
        let none = Forbidden::new();
        scan("<p>The page</p>", &none).expect("the control is accepted");
        let refusal = scan(&format!("<p>{part}</p>"), &none).expect_err("it is refused");
        assert_eq!(refusal.code(), code);
    }

    rows! {
        by refused;
        canary => "redaction pattern", "SECRET_SENTINEL";
        raw_value => "redaction pattern", "raw_";
        scheme => "redaction pattern", "https://x";
        scheme_in_upper_case => "redaction pattern", "HTTP://x";
        scheme_with_markup => "redaction pattern", "https:&#x2F;/x";
        bearer => "redaction pattern", "bearer x";
        key => "redaction pattern", "sk-ant-x";
    }
}

#[test]
fn nothing_of_the_environment_is_required() {
    let mut scene = Scene::new();
    let root = scene
        .environment
        .get("NEXTEST_WORKSPACE_ROOT")
        .expect("a root")
        .to_owned();
    scene.environment = Environment::default();
    scene.environment.set("CARGO_MANIFEST_DIR", root);
    scene.comparison().expect("it is written");
}
