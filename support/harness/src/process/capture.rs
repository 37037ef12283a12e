//! A stream of the command's output, read into bounded memory.

use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

/// Bytes read at once; a pipe holds as many unless told otherwise.
const CHUNK: usize = 64 << 10;

/// Chunks read from one stream before the other events get their turn.
const TURN: usize = 4;

/// One end of a pipe and what was read from it.
pub(super) struct Capture {
    /// `None` once the writers are gone.
    pipe: Option<PipeReader>,
    bytes: Vec<u8>,
    bound: usize,
    overflowed: bool,
}

impl Capture {
    /// Reads from this pipe without ever waiting for it.
    pub(super) fn new(pipe: PipeReader, bound: usize) -> io::Result<Self> {
        fcntl_setfl(&pipe, fcntl_getfl(&pipe)? | OFlags::NONBLOCK)?;
        Ok(Self {
            pipe: Some(pipe),
            bytes: Vec::new(),
            bound,
            overflowed: false,
        })
    }

    /// The descriptor to wait for, unless the writers are gone.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.pipe.as_ref().map(AsFd::as_fd)
    }

    /// Whether more was printed than the bound allows.
    pub(super) fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// Reads a part of what is there.
    ///
    /// What exceeds the bound is read as well and dropped, so that a command which is being ended
    /// is not held up by a full pipe.
    pub(super) fn read(&mut self) -> io::Result<()> {
        for _ in 0..TURN {
            if !self.read_chunk()? {
                break;
            }
        }
        Ok(())
    }

    /// Reads what is there and returns all that was read, up to the bound.
    pub(super) fn finish(mut self) -> io::Result<(Vec<u8>, bool)> {
        // Beyond the bound there may be no end: a process may be left that goes on printing.
        while !self.overflowed && self.read_chunk()? {}
        Ok((self.bytes, self.overflowed))
    }

    /// False if there is nothing more to read now.
    fn read_chunk(&mut self) -> io::Result<bool> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(false);
        };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(0) => {
                self.pipe = None;
                Ok(false)
            }
            Ok(length) => {
                let room = self.bound - self.bytes.len();
                self.bytes.extend_from_slice(&chunk[..length.min(room)]);
                self.overflowed |= length > room;
                Ok(true)
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock => Ok(false),
                io::ErrorKind::Interrupted => Ok(true),
                _ => Err(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn capture(printed: &[u8], bound: usize) -> (Vec<u8>, bool) {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(printed).unwrap();
        Capture::new(reader, bound).unwrap().finish().unwrap()
    }

    #[test]
    fn the_bound_itself_is_allowed() {
        assert_eq!(capture(b"12345678", 8), (b"12345678".to_vec(), false));
    }

    #[test]
    fn one_byte_more_is_not() {
        assert_eq!(capture(b"123456789", 8), (b"12345678".to_vec(), true));
    }

    #[test]
    fn a_writer_that_stays_is_not_waited_for() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"1").unwrap();
        let capture = Capture::new(reader, 8).unwrap();
        assert_eq!(capture.finish().unwrap(), (b"1".to_vec(), false));
        drop(writer);
    }
}
