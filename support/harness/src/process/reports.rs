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

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> (Reports, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Reports::new(ours).unwrap(), theirs)
    }

    #[test]
    fn a_report_is_read_once_it_is_whole() {
        let (mut reports, mut supervisor) = pair();
        assert_eq!(reports.next().unwrap(), None);
        let text = format!("{}\n", Report::Exited(7));
        let (first, rest) = text.split_at(3);
        supervisor.write_all(first.as_bytes()).unwrap();
        assert_eq!(reports.next().unwrap(), None);
        supervisor.write_all(rest.as_bytes()).unwrap();
        supervisor.write_all(text.as_bytes()).unwrap();
        assert_eq!(reports.next().unwrap(), Some(Report::Exited(7)));
        assert_eq!(reports.next().unwrap(), Some(Report::Exited(7)));
        assert_eq!(reports.next().unwrap(), None);
    }

    #[test]
    fn a_supervisor_that_is_gone_is_the_end_whatever_it_left_unread() {
        let (mut reports, supervisor) = pair();
        drop(supervisor);
        assert_eq!(
            reports.next().unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
        let (mut reports, supervisor) = pair();
        reports.end();
        drop(supervisor);
        assert_eq!(
            reports.next().unwrap_err().kind(),
            io::ErrorKind::UnexpectedEof
        );
    }

    #[test]
    fn what_is_no_report_is_an_error() {
        let (mut reports, mut supervisor) = pair();
        supervisor.write_all(b"made up\n").unwrap();
        assert_eq!(
            reports.next().unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }
}
