//! Makes a page of one manifest, of several, or of a run.
//!
//! `iop-smoke-report [--output FILE] MANIFEST…` or
//! `iop-smoke-report --junit FILE [--output FILE] [MANIFEST]`.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::PathBuf;

use harness::environment::Environment;
use harness::environment::runner::Runner;
use harness::reason::Reason;
use harness::refusal::{Refusal, Verdict};
use report::outcome::Outcome;
use report::publication::{Settings, Written, place_of_run, write_manifests, write_run};

fn main() -> Verdict {
    let asked = Asked::read(std::env::args_os().skip(1))?;
    let environment = Environment::of_process();
    let runner = Runner::of(&environment);
    let written = asked.answer(&Settings::read(environment, &runner)?)?;
    // Whoever does not read standard output has the page all the same.
    let _ = writeln!(io::stdout(), "page: written, {}", written.digest);
    Ok(())
}

/// What the arguments ask for.
#[derive(Default)]
struct Asked {
    junit: Option<PathBuf>,
    output: Option<PathBuf>,
    manifests: Vec<PathBuf>,
}

impl Asked {
    fn read(arguments: impl Iterator<Item = OsString>) -> Verdict<Self> {
        let mut asked = Self::default();
        let mut parser = lexopt::Parser::from_args(arguments);
        // The library's own error would quote the arguments.
        while let Some(argument) = parser.next().map_err(|_| usage())? {
            let option = match argument {
                lexopt::Arg::Long("junit") => &mut asked.junit,
                lexopt::Arg::Long("output") => &mut asked.output,
                lexopt::Arg::Value(manifest) => {
                    asked.manifests.push(manifest.into());
                    continue;
                }
                _ => return Err(usage()),
            };
            let value = parser.value().map_err(|_| usage())?;
            if option.replace(value.into()).is_some() {
                return Err(usage());
            }
        }
        Ok(asked)
    }

    fn answer(&self, settings: &Settings) -> Verdict<Written> {
        let output = self.output.as_deref();
        match (&self.junit, &self.manifests[..]) {
            (None, manifests) => write_manifests(manifests, output, settings),
            (Some(junit), manifests @ ([] | [_])) => {
                let manifest = manifests.first().map(PathBuf::as_path);
                let outcome = Outcome::read(junit, manifest, &settings.schema)?;
                let place = place_of_run(junit, manifest, &outcome);
                write_run(&outcome, output.unwrap_or(&place), settings)
            }
            (Some(_), [_, _, ..]) => Err(usage()),
        }
    }
}

fn usage() -> Refusal {
    Refusal::new(Reason::ReportUsage)
        .expected("--output FILE, --junit FILE and manifests; with --junit one at most")
        .found("other arguments")
}
