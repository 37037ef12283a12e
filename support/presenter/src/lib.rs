//! What a person sees of a run: cargo-nextest's own lines, the step that the run is at, and at the
//! end what came of it.
//!
//! nextest keeps what a test prints until the test has ended, so this is a process around it. It
//! has no part in the run: nextest has the same terminal, and a presenter that is killed takes
//! nothing with it but the moving line.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub mod course;
mod nextest;
pub mod results;
mod screen;
mod signals;
mod socket;
pub mod summary;
mod terminal;

use console::Term;
use harness::environment::Environment;
use nextest::Nextest;
use results::Results;
use screen::Screen;
use signals::Signals;
use socket::Socket;
use summary::Layout;
use terminal::Terminal;

/// Time that nextest has to end by itself upon SIGTERM before it is passed on.
///
/// Most that send it send it to the whole process group, as `timeout` and CI systems do. A second
/// one has nextest kill the run at once, while a CLI that ends when it is asked to is gone by then.
const TERMINATION: Duration = Duration::from_secs(3);

/// A run to be presented.
pub struct Invocation {
    /// nextest's profile.
    pub profile: String,
    /// Further arguments of `cargo nextest run`.
    pub arguments: Vec<OsString>,
    /// Whether the variables come from a file that was given to `make`.
    pub with_file: bool,
}

/// Runs nextest to its end, and gives its exit code; 128 and the signal's number if a signal ended it.
///
/// # Errors
/// nextest could not be started or waited for.
pub fn present(invocation: &Invocation) -> io::Result<ExitCode> {
    let results = Results::of(&invocation.profile, Environment::of_process());
    let code = watch(invocation)?;
    if let Some(results) = results {
        // A reader that has gone away changes nothing about the run.
        let _ = summarise(results, invocation.with_file);
    }
    Ok(ExitCode::from(code))
}

/// Writes what came of the run to standard output.
fn summarise(results: Results, with_file: bool) -> io::Result<()> {
    let terminal = Term::stdout();
    let columns = terminal.size_checked().map(|(_, columns)| columns.into());
    let unicode = supports_unicode::on(supports_unicode::Stream::Stdout);
    let layout = Layout {
        columns,
        block: if unicode { '█' } else { '#' },
        with_file,
    };
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    match results.left() {
        Some(left) => summary::write(&mut out, &left, layout)?,
        None => writeln!(out, "\nno result: nextest has written none for this run")?,
    }
    out.flush()
}

/// Shows the steps until nextest has ended.
fn watch(invocation: &Invocation) -> io::Result<u8> {
    // They are caught before anything is made that has to be removed.
    let signals = Signals::catch()?;
    let _terminal = Terminal::as_it_is();
    // Without a socket there is no progress, and the run goes on all the same.
    let socket = Socket::make().ok();
    let mut screen = Screen::new();
    let mut pass_on = None;
    let mut nextest = Nextest::start(invocation, socket.as_ref())?;
    loop {
        let until_pass = pass_on.map(|at: Instant| at.saturating_duration_since(Instant::now()));
        let most = [screen.next_draw(), until_pass].into_iter().flatten().min();
        signals.wait(socket.as_ref(), most)?;
        let ended = nextest.ended()?;
        for step in socket.iter().flat_map(Socket::heard) {
            screen.show(step, Instant::now());
        }
        if let Some(code) = ended {
            return Ok(code);
        }
        if signals.terminated() {
            screen.give_up();
            pass_on = pass_on.or(Some(Instant::now() + TERMINATION));
        }
        if signals.interrupted() {
            screen.give_up();
        }
        if pass_on.is_some_and(|at| at <= Instant::now()) {
            pass_on = None;
            nextest.terminate();
        }
        screen.draw(Instant::now());
    }
}
