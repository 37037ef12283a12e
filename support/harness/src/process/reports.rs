//! The harness's end of the socket that connects it with a supervisor.

use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use supervisor::END;
use supervisor::report::Report;

/// The supervisor's reports, as they arrive.
pub(super) struct Reports {
    stream: UnixStream,
    unread: Vec<u8>,
}

impl Reports {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            unread: Vec::new(),
        })
    }

    /// Has the command ended. A supervisor that is gone is noticed when it is read from.
    pub(super) fn end(&mut self) {
        let _ = self.stream.write_all(END);
    }

    /// The next report; `None` if there is none yet.
    ///
    /// # Errors
    ///
    /// `UnexpectedEof` once the supervisor is gone; `InvalidData` if it says something else.
    pub(super) fn next(&mut self) -> io::Result<Option<Report>> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                let report = str::from_utf8(&line).ok().and_then(Report::parse);
                return report
                    .map(Some)
                    .ok_or_else(|| io::ErrorKind::InvalidData.into());
            }
            let mut chunk = [0; 256];
            match self.stream.read(&mut chunk) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(length) => self.unread.extend_from_slice(&chunk[..length]),
                Err(error) => match error.kind() {
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::WouldBlock => return Ok(None),
                    // What it left unread when it died turns its end into this.
                    io::ErrorKind::ConnectionReset => {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                    _ => return Err(error),
                },
            }
        }
    }
}

impl AsFd for Reports {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
