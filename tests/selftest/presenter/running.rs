//! A presenter under way, and what it has shown.

use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use harness::environment::Environment;
use harness::progress::{Listener, Step};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

use crate::supervision::witness::eventually;
use crate::trial::names;

/// A presenter under way; killed when dropped.
pub(super) struct Running {
    child: Child,
    seen: Arc<Mutex<Vec<u8>>>,
    reader: Option<thread::JoinHandle<()>>,
    /// The terminal's keyboard.
    pub(super) keys: Option<File>,
    folder: PathBuf,
}

impl Running {
    /// Starts a command whose output this reads, in this folder.
    pub(super) fn start(
        folder: PathBuf,
        mut command: Command,
        mut output: impl Read + Send + 'static,
        keys: Option<File>,
    ) -> Self {
        let child = command.spawn().expect("the presenter starts");
        // It holds the other ends of the output.
        drop(command);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let read = Arc::clone(&seen);
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            // A terminal that nobody holds any more ends with an error.
            while let Ok(count @ 1..) = output.read(&mut bytes) {
                let mut seen = read.lock().unwrap_or_else(PoisonError::into_inner);
                seen.extend_from_slice(&bytes[..count]);
            }
        });
        Self {
            child,
            seen,
            reader: Some(reader),
            keys,
            folder,
        }
    }

    /// What it has shown so far, with what moves the cursor.
    pub(super) fn seen(&self) -> String {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&seen).into_owned()
    }

    /// Waits until it has shown this.
    #[track_caller]
    pub(super) fn shows(&self, text: &str) {
        eventually(text, || self.seen().contains(text));
    }

    /// Waits until it has shown two different times behind this word.
    #[track_caller]
    pub(super) fn moves(&self, word: &str) {
        eventually(word, || {
            let seen = self.seen();
            let times = seen.split(word).skip(1);
            let mut times = times.filter_map(|rest| Some(rest.split_once(" s")?.0));
            let first = times.next();
            times.any(|time| Some(time) != first)
        });
    }

    /// Waits until the `cargo` has begun, and gives the socket that it was told of.
    #[track_caller]
    pub(super) fn socket(&self) -> PathBuf {
        let told = self.folder.join("told");
        eventually("cargo is started", || told.exists());
        fs::read_to_string(told).expect("it is told").into()
    }

    /// Tells of a step as a run does.
    #[track_caller]
    pub(super) fn tell(&self, step: Step) {
        let socket = self.socket();
        let environment: Environment = [("IOP_SMOKE_PROGRESS", socket)].into_iter().collect();
        Listener::of(&environment).tell(step);
    }

    /// Has the `cargo` run this line of the shell.
    #[track_caller]
    pub(super) fn order(&self, line: &str) {
        fs::write(self.folder.join("orders"), format!("{line}\n")).expect("it is told");
    }

    /// Sends the presenter alone a signal.
    pub(super) fn signal(&self, signal: Signal) {
        kill(self.pid(), signal).expect("it is not reaped yet");
    }

    /// Sends the whole job a signal.
    pub(super) fn signal_all(&self, signal: Signal) {
        killpg(self.pid(), signal).expect("it is not reaped yet");
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.id()).expect("a process id"))
    }

    /// Waits for its end; nothing is left in the temporary folder.
    #[track_caller]
    pub(super) fn ended(mut self) -> (Option<i32>, String) {
        let mut status = None;
        eventually("the presenter ends", || {
            status = self.child.try_wait().expect("it can be waited for");
            status.is_some()
        });
        // Nobody else holds the other end of the terminal.
        self.keys = None;
        let reader = self.reader.take().expect("it is read once");
        reader.join().expect("what it shows is read");
        let left = names(&self.folder.join("tmp"));
        assert_eq!(left, Vec::<String>::new(), "left in the temporary folder");
        (status.and_then(|status| status.code()), self.seen())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It has ended unless its test has failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
