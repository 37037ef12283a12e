//! The socket that the run tells its steps to, in a folder that only this user may enter.

use std::fs::Permissions;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::{env, iter};

use harness::progress::Step;
use tempfile::TempDir;

/// Most bytes of a datagram that are looked at; no step's name is as long.
const LONGEST: usize = 16;

/// A socket with its folder, which goes when this is dropped.
pub(crate) struct Socket {
    socket: UnixDatagram,
    path: PathBuf,
    _folder: TempDir,
}

impl Socket {
    /// Makes one in the temporary folder, or in `/tmp` if that one's path is too long for a
    /// socket's address.
    ///
    /// # Errors
    /// Neither is possible.
    pub(crate) fn make() -> io::Result<Self> {
        Self::make_in(&env::temp_dir()).or_else(|_| Self::make_in(Path::new("/tmp")))
    }

    fn make_in(base: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new()
            .prefix("iop-smoke-progress-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(base)?;
        let path = folder.path().join("socket");
        let socket = UnixDatagram::bind(&path)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            path,
            _folder: folder,
        })
    }

    /// Its path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The steps that it was told since the last time. What is no step's name is passed over.
    pub(crate) fn heard(&self) -> impl Iterator<Item = Step> {
        let next = || {
            let mut bytes = [0; LONGEST];
            let count = self.socket.recv(&mut bytes).ok()?;
            Some(str::from_utf8(&bytes[..count]).ok().and_then(Step::from_id))
        };
        // A sender that never stops does not keep this from anything else.
        iter::from_fn(next).take(Step::ALL.len()).flatten()
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
