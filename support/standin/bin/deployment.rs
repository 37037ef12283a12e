//! Keeps a stand-in deployment running, for trying the live commands out.
//!
//! `standin-deployment FOLDER` makes it in an empty folder, writes its
//! variables to `FOLDER/smoke.env` and runs until it is interrupted.

#![expect(
    clippy::disallowed_methods,
    reason = "an executable of its own reads its variables"
)]

use std::error::Error;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use standin::client::RealClient;
use standin::deployment::{Parts, Standin};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("usage: standin-deployment FOLDER")?);
    let path = env::var_os("PATH").unwrap_or_default();
    let parts = Parts {
        real_claude: arguments.next().map(|executable| RealClient {
            executable: executable.into(),
            facts: folder.with_extension("claude.json"),
        }),
        ..Parts::under(".".as_ref(), &path)?
    };
    let standin = Standin::keep(&parts, &folder)?;
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
