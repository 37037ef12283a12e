//! What every page is made of: one file, which asks for nothing else.
//!
//! Values are escaped by the template library. What is not escaped are the style
//! sheet and the script, which are part of this crate; the page's own policy
//! allows these two by their digests, and no other resource of any kind.
//!
//! The words of a page are scanned for private values like a manifest's. So as
//! not to meet a path by chance, elements such as `code` and `main`, whose end
//! tags hold `/code` and `/main`, are not used.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest as _, Sha256};

const STYLE: &str = include_str!("../assets/style.css");
const SCRIPT: &str = include_str!("../assets/copy.js");

/// A whole page.
pub(crate) fn document(title: &str, body: &Markup) -> String {
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; \
         base-uri 'none'; form-action 'none'",
        STANDARD.encode(Sha256::digest(STYLE)),
        STANDARD.encode(Sha256::digest(SCRIPT)),
    );
    let page = html! {
        (DOCTYPE)
        html lang="en-GB" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (body)
                p.hidden role="status" {}
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// What stands above the title of every page.
pub(crate) fn kicker() -> Markup {
    html! { p.kicker { "iop-smoke, one request through the gateway" } }
}

/// A name with a text.
pub(crate) fn pair(name: &str, value: &Markup) -> Markup {
    html! {
        div { dt { (name) } dd { (value) } }
    }
}

/// A name with a value that can be copied.
pub(crate) fn copied(name: &str, value: &str) -> Markup {
    html! {
        div {
            dt { (name) }
            dd { samp { (value) } }
            dd.action {
                button.copy type="button" hidden="" aria-label={ "Copy: " (name) } { "Copy" }
            }
        }
    }
}

/// What a part is of a whole, from 0 to 1; 0 of nothing.
pub(crate) fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A share of a width or height.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    format!("{:.3}%", share(part, whole) * 100.0)
}
