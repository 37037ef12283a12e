//! The supervisor's end of the socket that connects it with the harness.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use crate::END;
use crate::report::Report;

/// The connection with the harness.
pub(crate) struct Control(UnixStream);

impl Control {
    /// Takes standard input for the connection.
    pub(crate) fn from_stdin() -> io::Result<Self> {
        let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        stream.set_nonblocking(true)?;
        Ok(Self(stream))
    }

    /// Whether the harness wants the command ended, or is gone.
    ///
    /// There is one word that it can say, so whatever it says is taken for that.
    pub(crate) fn asks_to_end(&mut self) -> bool {
        let mut word = [0; END.len()];
        loop {
            return match self.0.read(&mut word) {
                Ok(_) => true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => error.kind() != io::ErrorKind::WouldBlock,
            };
        }
    }

    /// Tells the harness. That it is gone by now is no error: nobody is left to be told.
    pub(crate) fn report(&mut self, report: Report) {
        let _ = self.0.write_all(format!("{report}\n").as_bytes());
    }
}

impl AsFd for Control {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
