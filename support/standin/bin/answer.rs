//! Answers a command line from the script or with the stand-in's own answer.

use std::io::{self, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};
use std::thread;

use script::invocation::Invocation;
use script::{Printed, Script};

/// Answers the command line of this process.
pub(crate) fn answer(own: impl Fn(&[&str]) -> Option<Printed>) -> ExitCode {
    let Some((arguments, script)) = told() else {
        return ExitCode::from(70);
    };
    if let Some(printed) = script.answer(&arguments) {
        return print(printed);
    }
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match own(&words) {
        Some(printed) => print(&printed),
        // EX_USAGE of sysexits(3).
        None => ExitCode::from(64),
    }
}

/// The arguments of this process and what it is to do; none if that cannot be read.
pub(crate) fn told() -> Option<(Vec<String>, Script)> {
    let Invocation {
        executable,
        arguments,
    } = Invocation::of_this_process().ok()?;
    Some((arguments, Script::of(&executable).ok()?))
}

/// Prints as told.
pub(crate) fn print(printed: &Printed) -> ExitCode {
    // A reader that has seen enough closes its end.
    let _ = write(&mut io::stdout(), &printed.stdout, printed.stdout_flood);
    let _ = write(&mut io::stderr(), &printed.stderr, printed.stderr_flood);
    if printed.leave && Command::new("sleep").arg("600").spawn().is_err() {
        return ExitCode::from(70);
    }
    if let [program, arguments @ ..] = &*printed.execute {
        // Returns only if it fails.
        let _ = Command::new(program).args(arguments).exec();
        return ExitCode::from(71);
    }
    if printed.hang {
        loop {
            // A thread that parks may wake for no reason.
            thread::park();
        }
    }
    ExitCode::from(printed.exit)
}

fn write(stream: &mut impl Write, text: &str, flood: usize) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    let block = [b'x'; 4096];
    let mut left = flood;
    while left > 0 {
        let now = left.min(block.len());
        stream.write_all(&block[..now])?;
        left -= now;
    }
    stream.flush()
}
