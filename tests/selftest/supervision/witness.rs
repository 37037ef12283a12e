//! Sees processes begin and end, by the sockets they hold.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::os::fd::AsFd as _;

/// Upper bound on whatever a test waits for. Nothing takes this long unless it is broken.
pub(crate) const BOUND: Duration = Duration::from_secs(30);

/// A socket that stand-ins connect to.
pub(crate) struct Witness {
    listener: UnixListener,
    path: PathBuf,
    early: Vec<Connection>,
}

impl Witness {
    /// Listens in this directory.
    pub(crate) fn in_directory(directory: &Path) -> Self {
        let path = directory.join("witness");
        let listener = UnixListener::bind(&path).unwrap();
        Self {
            listener,
            path,
            early: Vec::new(),
        }
    }

    /// Where stand-ins connect to.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until the process with this name has connected.
    #[track_caller]
    pub(crate) fn expect(&mut self, name: &str) -> Connection {
        let until = Instant::now() + BOUND;
        loop {
            if let Some(index) = self.early.iter().position(|early| early.name == name) {
                return self.early.remove(index);
            }
            let left = until.saturating_duration_since(Instant::now());
            let timeout = PollTimeout::try_from(left).unwrap();
            let mut fds = [PollFd::new(self.listener.as_fd(), PollFlags::POLLIN)];
            assert!(
                poll(&mut fds, timeout).unwrap() > 0,
                "{name} did not connect"
            );
            let (stream, _) = self.listener.accept().unwrap();
            self.early.push(Connection::greeted(stream));
        }
    }
}

/// A process, and all that it started after it connected.
pub(crate) struct Connection {
    name: String,
    pid: i32,
    stream: BufReader<UnixStream>,
}

impl Connection {
    fn greeted(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(BOUND)).unwrap();
        let mut stream = BufReader::new(stream);
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let (name, pid) = line.trim_end().split_once(' ').unwrap_or_default();
        Self {
            name: name.to_owned(),
            pid: pid.parse().unwrap_or(0),
            stream,
        }
    }

    /// The process that connected.
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Lets it go on.
    pub(crate) fn go(&mut self) {
        self.stream.get_mut().write_all(b"!").unwrap();
    }

    /// Says nothing more, which a stand-in takes for the end.
    pub(crate) fn dismiss(&self) {
        self.stream
            .get_ref()
            .shutdown(std::net::Shutdown::Write)
            .unwrap();
    }

    /// Waits until it says this.
    #[track_caller]
    pub(crate) fn says(&mut self, word: &str) {
        let mut line = String::new();
        let name = &self.name;
        let read = self.stream.read_line(&mut line);
        assert!(read.is_ok(), "{name} did not say {word:?}: {read:?}");
        assert_eq!(line.trim_end(), word, "{name}");
    }

    /// Waits until the process and all that it started are gone.
    #[track_caller]
    pub(crate) fn gone(&mut self) {
        let name = &self.name;
        let mut rest = String::new();
        match io::Read::read_to_string(&mut self.stream, &mut rest) {
            // A process that was killed before it read what it was told leaves this.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            result => assert!(
                result.is_ok(),
                "{name} or a descendant is there: {result:?}"
            ),
        }
    }
}

/// Waits until the condition holds, where no event says so.
#[track_caller]
pub(crate) fn eventually(what: &str, mut condition: impl FnMut() -> bool) {
    let until = Instant::now() + BOUND;
    while !condition() {
        assert!(Instant::now() < until, "not so: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
