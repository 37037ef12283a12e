//! What a run is doing at the moment, told to a listener that the user names.
//!
//! `IOP_SMOKE_PROGRESS` is the path of a Unix datagram socket. Each datagram is the id of one
//! [`Step`], so nothing else can pass. Telling is best effort: a socket that is absent, full,
//! closed or no socket at all changes nothing, and nothing is waited for.

use std::os::unix::net::UnixDatagram;
use std::path::PathBuf;

use crate::closed_set::closed_set;
use crate::environment::Environment;
use crate::inputs::variable::Variable;

closed_set! {
    /// A step of the run, in the order in which they are taken.
    pub enum Step(meaning) {
        Checks => "checks", "every check is made once more";
        Claude => "claude", "the CLI is started, and no request is in the log yet";
        Plan => "plan", "the request is planned";
        Work => "work", "the plan is carried out";
        Review => "review", "the work is reviewed";
        Answer => "answer", "the request is served, and the CLI is about to end";
        Proof => "proof", "the CLI has ended, and what it left is judged";
        End => "end", "the run is over, however it ended";
    }
}

/// Who is told of the steps; nobody if no socket is named.
#[derive(Clone, Default)]
pub struct Listener(Option<PathBuf>);

impl Listener {
    /// The listener that the environment names.
    pub fn of(environment: &Environment) -> Self {
        Self(environment.get(Variable::Progress.name()).map(Into::into))
    }

    /// Whether there is anybody to be told.
    pub fn is_named(&self) -> bool {
        self.0.is_some()
    }

    /// Tells of a step that begins now.
    pub fn tell(&self, step: Step) {
        let Some(path) = &self.0 else { return };
        let sent = || {
            let socket = UnixDatagram::unbound()?;
            socket.set_nonblocking(true)?;
            socket.send_to(step.id().as_bytes(), path)
        };
        // Whoever does not listen misses it.
        let _ = sent();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_told_unless_the_user_names_a_listener() {
        assert!(!Listener::of(&Environment::default()).is_named());
        let empty = Environment::from_iter([("IOP_SMOKE_PROGRESS", "")]);
        assert!(!Listener::of(&empty).is_named());
        let named = Environment::from_iter([("IOP_SMOKE_PROGRESS", "/absent/socket")]);
        let listener = Listener::of(&named);
        assert!(listener.is_named());
        // Nothing comes of a socket that is not there.
        listener.tell(Step::Plan);
    }
}
