//! The terminal's settings, put back as they were.
//!
//! nextest reads single keys while it runs, and puts the terminal back itself unless it is killed.

use std::io::{self, IsTerminal as _};

use rustix::process::getpgrp;
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetpgrp, tcsetattr};

/// Puts the settings back when it is dropped.
pub(crate) struct Terminal(Option<Termios>);

impl Terminal {
    /// The terminal at standard input, if there is one.
    pub(crate) fn as_it_is() -> Self {
        let input = io::stdin();
        Self(
            input
                .is_terminal()
                .then(|| tcgetattr(&input).ok())
                .flatten(),
        )
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let input = io::stdin();
        // A job in the background would be stopped for it, and has no business there.
        let in_front = tcgetpgrp(&input).is_ok_and(|group| group == getpgrp());
        if let Some(settings) = self.0.as_ref().filter(|_| in_front) {
            // A terminal that has gone away needs no settings.
            let _ = tcsetattr(&input, OptionalActions::Drain, settings);
        }
    }
}
