//! Keeps a stand-in deployment running, for trying the live commands out.
//!
//! `standin-deployment FOLDER SECONDS` makes it in an empty folder, writes its
//! variables to `FOLDER/smoke.env` and runs until it is interrupted. Each stage
//! of a request takes so many seconds, or half a second in all if that is 0.
//! A further argument is a real Claude Code in place of the stand-in.

#![expect(
    clippy::disallowed_methods,
    reason = "an executable of its own reads its variables"
)]

use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use standin::client::RealClient;
use standin::deployment::{Parts, Standin};
use standin::pace::{each_stage_takes, in_real_time};

const USAGE: &str = "usage: standin-deployment FOLDER SECONDS [CLAUDE]";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or(USAGE)?);
    let seconds = arguments
        .next()
        .and_then(|seconds| seconds.into_string().ok());
    let seconds: u64 = seconds.ok_or(USAGE)?.parse()?;
    let path = env::var_os("PATH").unwrap_or_default();
    let parts = Parts {
        real_claude: arguments.next().map(|executable| RealClient {
            executable: executable.into(),
            facts: folder.with_extension("claude.json"),
        }),
        ..Parts::under(".".as_ref(), &path)?
    };
    let standin = Standin::keep(&parts, &folder)?;
    let log = standin.path("edge.log");
    match seconds {
        0 => in_real_time(&standin.edge, log),
        _ => each_stage_takes(&standin.edge, log, Duration::from_secs(seconds)),
    }
    let mut file = fs::File::create_new(standin.path("smoke.env"))?;
    for (name, value) in standin.environment().iter() {
        let name = name.to_string_lossy();
        if name.starts_with("IOP_SMOKE_") || name == standin::deployment::SECRET_VARIABLE {
            writeln!(file, "{name}={}", value.to_string_lossy())?;
        }
    }
    writeln!(
        io::stdout(),
        "ready: use ENV={}, end with Ctrl-C",
        standin.path("smoke.env").display()
    )?;
    loop {
        std::thread::park();
    }
}
