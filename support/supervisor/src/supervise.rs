//! The supervisor's life, from its start to its last report.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::time::Instant;

use rustix::process::{chdir, setsid};

use crate::control::Control;
use crate::leader::Leader;
use crate::order::Order;
use crate::report::{Refused, Report, Settled};
use crate::{descriptors, private, signals, system};

/// Runs the command that the arguments order, and settles it.
///
/// Returns when nothing of it is left or the bounds have passed; see the crate's page for what the
/// standard streams and the environment mean. Succeeds if the command was started and settled,
/// however it ended.
pub fn supervise(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // From here on only SIGKILL can end this process before it has cleaned up.
    let held = signals::block();
    signals::restore_dispositions();
    let closed = descriptors::close_inherited();
    let Ok(mut control) = Control::from_stdin() else {
        return ExitCode::FAILURE;
    };
    let outcome = match (held.and(closed), Order::parse(arguments)) {
        (Err(error), _) => Err((Refused::Watch, error)),
        (_, None) => Err((Refused::Order, io::ErrorKind::InvalidInput.into())),
        (Ok(()), Some(order)) => with_private(&order, &mut control),
    };
    let (settled, code) = match outcome {
        Ok(settled) => (settled, ExitCode::SUCCESS),
        Err((refused, error)) => {
            control.report(Report::Refused(refused, error.raw_os_error().unwrap_or(0)));
            (Settled::default(), ExitCode::FAILURE)
        }
    };
    control.report(Report::Settled(settled));
    code
}

type Outcome = Result<Settled, (Refused, io::Error)>;

/// Makes the private directory for as long as the command runs.
fn with_private(order: &Order, control: &mut Control) -> Outcome {
    let watch = |error| (Refused::Watch, error);
    // Whoever ends the harness by its process group, as test runners do, must not end us. That a
    // supervisor leads a group already happens only to one that was started by hand.
    let _ = setsid();
    let mut events = system::Events::new().map_err(watch)?;
    system::adopt_orphans().map_err(watch)?;
    let Some(path) = &order.private else {
        return run(order, control, &mut events);
    };
    private::make(path).map_err(|error| (Refused::Private, error))?;
    let outcome = run(order, control, &mut events);
    let removed = private::remove(path);
    outcome.map(|settled| Settled {
        private_left: removed.is_err(),
        ..settled
    })
}

/// Runs the command until it ends, has to end, or somebody wants it ended; then settles it.
fn run(order: &Order, control: &mut Control, events: &mut system::Events) -> Outcome {
    if let Some(directory) = &order.directory {
        chdir(directory).map_err(|error| (Refused::Directory, error.into()))?;
    }
    if control.asks_to_end() {
        return Ok(Settled::default());
    }
    let until = Instant::now() + order.bound;
    let mut leader = Leader::start(order, control)?;
    // The command has both: a failure here only means that a reader waits for `settled`.
    let _ = descriptors::release_output();
    let _ = chdir("/");

    while !matches!(leader.ending(), Ok(Some(_)) | Err(_)) {
        let Ok(wake) = events.wait(Some(control), until) else {
            break;
        };
        if wake.asked || Instant::now() >= until {
            break;
        }
        if wake.child && matches!(leader.ending(), Ok(None)) {
            system::reap_orphans(&leader);
        }
    }
    Ok(system::settle(&mut leader, order.grace, events, control))
}
