//! Outputs that exist, or that nothing can be published to.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::preflight::row::{accepted, rows};
use crate::trial::Trial;

rows! {
    existing: OutputExisting => "output-existing", |t| {
        t.foreign_output = true;
        fs::write(t.path("out/manifest.json"), "somebody else's").expect("it can be written");
    };
    existing_directory: OutputExisting => "output-existing", |t| {
        t.foreign_output = true;
        fs::create_dir(t.path("out/manifest.json")).expect("it can be made");
    };
    existing_link: OutputExisting => "output-existing link", |t| {
        t.foreign_output = true;
        symlink("../edge.yaml", t.path("out/manifest.json")).expect("a link can be made");
    };
    dangling_link: OutputExisting => "output-existing link", |t| {
        t.foreign_output = true;
        symlink("nothing", t.path("out/manifest.json")).expect("a link can be made");
    };
    output_below_a_file: OutputExisting => "output-existing unreadable", |t| goes_to(t, "edge.yaml/manifest.json");

    relative: OutputTarget => "output-target relative", |t| t.standin.set("IOP_SMOKE_OUTPUT", "manifest.json");
    relative_with_a_dot: OutputTarget => "output-target relative", |t| t.standin.set("IOP_SMOKE_OUTPUT", "./out/manifest.json");
    parent_missing: OutputTarget => "output-target absent", |t| goes_to(t, "nothing/manifest.json");
    parent_is_a_file: OutputTarget => "output-target not-a-directory", |t| goes_to(t, "edge.yaml/manifest.json");
    parent_is_a_link: OutputTarget => "output-target link", |t| {
        symlink("out", t.path("link")).expect("a link can be made");
        goes_to(t, "link/manifest.json");
    };
    parent_leads_through_a_link: OutputTarget => "output-target not-canonical", |t| {
        symlink(".", t.path("link")).expect("a link can be made");
        goes_to(t, "link/out/manifest.json");
    };
    parent_with_dots: OutputTarget => "output-target not-canonical", |t| goes_to(t, "tmp/../out/manifest.json");
    parent_with_a_dot: OutputTarget => "output-target no-file-name", |t| goes_to(t, "out/./manifest.json");
    trailing_slash: OutputTarget => "output-target no-file-name", |t| goes_to(t, "out/manifest.json/");
    trailing_dot: OutputTarget => "output-target no-file-name", |t| goes_to(t, "out/manifest.json/.");
    trailing_dots: OutputTarget => "output-target no-file-name", |t| goes_to(t, "out/..");
    root: OutputTarget => "output-target no-file-name", |t| t.standin.set("IOP_SMOKE_OUTPUT", "/");
    parent_read_only: OutputTarget => "output-target read-only", |t| {
        fs::create_dir(t.path("read-only")).expect("it can be made");
        let mode = fs::Permissions::from_mode(0o555);
        fs::set_permissions(t.path("read-only"), mode).expect("it can be changed");
        goes_to(t, "read-only/manifest.json");
        t.unprivileged = true;
    };
}

accepted! {
    another_name: OutputTarget, |t| goes_to(t, "out/a name with blanks and no extension");
    another_file_beside: OutputExisting, |t| {
        t.foreign_output = true;
        fs::write(t.path("out/manifest.json.old"), "").expect("it can be written");
    };
}

fn goes_to(trial: &mut Trial, path: &str) {
    let mut named = trial.path("").into_os_string();
    named.push(path);
    trial.standin.set("IOP_SMOKE_OUTPUT", named);
}
