//! A harness that a test can signal and kill: runs one command the way the suite does.
//!
//! `standin-harness SOCKET SUPERVISOR LIMIT-MS PHASE …` handles signals with this limit, connects
//! to the socket, says `harness PID` there and goes through one phase:
//!
//! | phase | what it does |
//! |---|---|
//! | `run GRACE-MS DEADLINE-MS PRIVATE PROGRAM ARGUMENT…` | runs the program, with a directory of its own, and says `ended` |
//! | `idle` | computes for ever |
//! | `publishing PATH` | says `publishing`, waits for a word, and publishes a file |
//! | `published PATH` | publishes a file, says `published` and computes for ever |
//! | `kept PATH` | publishes a file for good, says `kept` and computes for ever |
//!
//! The first is repeated upon every word that the other side says. When it says no more, this
//! exits with status 0.

use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, hint, io, process};

use harness::interrupt::{FileIdentity, Interrupt, Withdrawal};
use harness::process::{Command, Supervisor};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = env::args_os().skip(1);
    let socket = next(&mut arguments)?;
    let supervisor = Supervisor::at(next(&mut arguments)?);
    let interrupt = Interrupt::install(milliseconds(next(&mut arguments)?)?)?;
    let mut connection = UnixStream::connect(socket)?;
    writeln!(connection, "harness {}", process::id())?;

    match next(&mut arguments)?.to_str() {
        Some("run") => {
            let grace = milliseconds(next(&mut arguments)?)?;
            let deadline = milliseconds(next(&mut arguments)?)?;
            let private = PathBuf::from(next(&mut arguments)?);
            let command = Command::new(next(&mut arguments)?)
                .args(arguments)
                .private(private)
                .deadline(deadline)
                .grace(grace);
            loop {
                supervisor.run(&command, &interrupt)?;
                writeln!(connection, "ended")?;
                if connection.read(&mut [0; 16])? == 0 {
                    return Ok(());
                }
            }
        }
        Some("idle") => compute(),
        Some("publishing") => {
            let mut wait = || -> io::Result<()> {
                writeln!(connection, "publishing")?;
                connection.read_exact(&mut [0])
            };
            let published = publish(&interrupt, next(&mut arguments)?.into(), &mut wait)?;
            published.keep()?;
        }
        Some("published") => {
            let published = publish(&interrupt, next(&mut arguments)?.into(), || Ok(()))?;
            writeln!(connection, "published")?;
            compute();
            published.keep()?;
        }
        Some("kept") => {
            let published = publish(&interrupt, next(&mut arguments)?.into(), || Ok(()))?;
            published.keep()?;
            writeln!(connection, "kept")?;
            compute();
        }
        _ => return Err("an unknown phase".into()),
    }
    Ok(())
}

fn publish(
    interrupt: &Interrupt,
    path: PathBuf,
    before: impl FnOnce() -> io::Result<()>,
) -> Outcome<Withdrawal> {
    interrupt.publishing(&path, || {
        before()?;
        let file = File::create_new(&path)?;
        Ok(FileIdentity::from(&file.metadata()?))
    })
}

/// Like hashing a large file: busy, and never looking for signals.
fn compute() {
    let mut value = 0_u64;
    loop {
        value = hint::black_box(value.wrapping_mul(31).wrapping_add(1));
    }
}

fn next(arguments: &mut impl Iterator<Item = OsString>) -> Outcome<OsString> {
    arguments
        .next()
        .ok_or_else(|| "an argument is missing".into())
}

fn milliseconds(argument: OsString) -> Outcome<Duration> {
    let number = argument.to_str().ok_or("a number is not text")?;
    Ok(Duration::from_millis(number.parse()?))
}
