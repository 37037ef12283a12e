//! A process that behaves as it is told: stands in for a command that leaves things behind.
//!
//! `standin-process SOCKET STEP…` takes one step after the other and exits with status 0:
//!
//! | step | what it does |
//! |---|---|
//! | `connect NAME` | connects to the socket and says `NAME PID` there |
//! | `go` | waits until the other side of the connection says anything |
//! | `wait` | waits for ever |
//! | `hold` | holds back SIGHUP, SIGINT and SIGTERM from now on |
//! | `asked` | waits for one of those that are held back and says `asked` on the connection |
//! | `session` | moves to a session of its own |
//! | `stop` | stops itself (SIGSTOP) |
//! | `start [ STEP… ]` | starts a process that takes these steps |
//! | `detach [ STEP… ]` | the same, with null standard streams |
//! | `orphan [ STEP… ]` | the same as `detach`, through a process between that exits at once |
//! | `storm COUNT [ STEP… ]` | the same as `detach`, as often |
//! | `hop COUNT` | moves on to a new process in a new session as often, exiting each time |
//! | `print STREAM BYTES` | prints as many bytes without a newline on `stdout`, `stderr` or `both` |
//! | `say TEXT` | prints it on stdout |
//! | `complain TEXT` | prints it on stderr |
//! | `close-output` | closes standard output and error |
//! | `descriptors` | prints the numbers of its open descriptors, one a line |
//! | `environment` | prints its environment, one variable a line |
//! | `file PATH` | prints this file, such as one in `/proc/self` |
//! | `litter` | leaves files and directories of odd modes in the working directory |
//! | `exit STATUS` | exits |
//!
//! Whatever it starts inherits its connections, so the other side sees their end only when the
//! last of all these processes is gone, at whatever point they were ended.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::{env, iter, process, thread};

use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sys::signal::{SigSet, Signal, raise};
use nix::unistd;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> Outcome {
    let mut arguments = env::args_os().skip(1);
    let mut actor = Actor {
        socket: next(&mut arguments)?,
        connection: None,
    };
    let mut steps = arguments.collect::<Vec<_>>().into_iter();
    while let Some(step) = steps.next() {
        actor.take(&step, &mut steps)?;
    }
    Ok(())
}

/// The process, as far as its steps have taken it.
struct Actor {
    socket: OsString,
    connection: Option<UnixStream>,
}

impl Actor {
    fn take(&mut self, step: &OsStr, rest: &mut impl Iterator<Item = OsString>) -> Outcome {
        match step.to_str().ok_or("a step is not text")? {
            "connect" => self.connect(&next(rest)?)?,
            "go" => {
                let length = self.connection()?.read(&mut [0; 16])?;
                if length == 0 {
                    process::exit(1);
                }
            }
            "wait" => loop {
                thread::park();
            },
            "hold" => held().thread_block()?,
            "asked" => {
                held().wait()?;
                writeln!(self.connection()?, "asked")?;
            }
            "session" => {
                unistd::setsid()?;
            }
            "stop" => raise(Signal::SIGSTOP)?,
            "start" => {
                self.process(nested(rest)?)?.spawn()?;
            }
            "detach" => detached(&mut self.process(nested(rest)?)?)?,
            "orphan" => {
                let steps = iter::once("detach".into()).chain(bracketed(nested(rest)?));
                let mut between = self.process(steps)?;
                between
                    .stdin(Stdio::null())
                    .stdout(Stdio::null())
                    .stderr(Stdio::null());
                between.status()?;
            }
            "storm" => {
                let count = number(&next(rest)?)?;
                let steps = nested(rest)?;
                for _ in 0..count {
                    detached(&mut self.process(steps.clone())?)?;
                }
            }
            "hop" => {
                let count = number(&next(rest)?)?;
                if count > 0 {
                    let steps = [
                        "session".into(),
                        "hop".into(),
                        (count - 1).to_string().into(),
                    ];
                    detached(&mut self.process(steps)?)?;
                }
                process::exit(0);
            }
            "print" => print(&next(rest)?, number(&next(rest)?)?)?,
            "say" => io::stdout().write_all(next(rest)?.as_bytes())?,
            "complain" => io::stderr().write_all(next(rest)?.as_bytes())?,
            "close-output" => {
                io::stdout().flush()?;
                unistd::close(1)?;
                unistd::close(2)?;
            }
            "descriptors" => {
                let mut names = Vec::new();
                for entry in fs::read_dir("/proc/self/fd")? {
                    names.push(entry?.file_name());
                }
                // The last is that of the list itself.
                names.pop();
                lines(names)?;
            }
            "environment" => lines(environment())?,
            "file" => io::stdout().write_all(&fs::read(next(rest)?)?)?,
            "litter" => litter()?,
            "exit" => {
                io::stdout().flush()?;
                process::exit(i32::try_from(number(&next(rest)?)?)?);
            }
            _ => return Err("an unknown step".into()),
        }
        io::stdout().flush()?;
        Ok(())
    }

    fn connect(&mut self, name: &OsStr) -> Outcome {
        let mut connection = UnixStream::connect(&self.socket)?;
        fcntl(&connection, FcntlArg::F_SETFD(FdFlag::empty()))?;
        writeln!(connection, "{} {}", name.display(), process::id())?;
        self.connection = Some(connection);
        Ok(())
    }

    fn connection(&mut self) -> Outcome<&mut UnixStream> {
        self.connection
            .as_mut()
            .ok_or_else(|| "there is no connection".into())
    }

    fn process(&self, steps: impl IntoIterator<Item = OsString>) -> Outcome<Command> {
        let mut command = Command::new(env::current_exe()?);
        command.arg(&self.socket).args(steps);
        Ok(command)
    }
}

fn detached(command: &mut Command) -> Outcome {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(())
}

fn held() -> SigSet {
    [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM]
        .into_iter()
        .collect()
}

fn print(stream: &OsStr, mut bytes: usize) -> Outcome {
    const CHUNK: [u8; 4096] = [b'x'; 4096];
    while bytes > 0 {
        let chunk = &CHUNK[..bytes.min(CHUNK.len())];
        if stream != "stderr" {
            io::stdout().write_all(chunk)?;
        }
        if stream != "stdout" {
            io::stderr().write_all(chunk)?;
        }
        bytes -= chunk.len();
    }
    Ok(())
}

fn environment() -> Vec<OsString> {
    #[expect(clippy::disallowed_methods, reason = "shows what it was given")]
    let variables = env::vars_os();
    let join = |(name, value)| [name, value].join(OsStr::new("="));
    variables.map(join).collect()
}

fn lines(lines: Vec<OsString>) -> Outcome {
    let mut output = io::stdout();
    for line in lines {
        output.write_all(line.as_bytes())?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn litter() -> Outcome {
    fs::create_dir_all("a/b")?;
    fs::write("a/b/file", "")?;
    fs::write("unreadable", "")?;
    for (path, mode) in [
        ("a/b/file", 0o000),
        ("a/b", 0o500),
        ("a", 0o000),
        ("unreadable", 0o000),
    ] {
        fs::set_permissions(path, Permissions::from_mode(mode))?;
    }
    Ok(())
}

fn next(arguments: &mut impl Iterator<Item = OsString>) -> Outcome<OsString> {
    arguments
        .next()
        .ok_or_else(|| "an argument is missing".into())
}

fn number(argument: &OsStr) -> Outcome<usize> {
    Ok(argument.to_str().ok_or("a number is not text")?.parse()?)
}

/// The steps between brackets, which may hold brackets themselves.
fn nested(arguments: &mut impl Iterator<Item = OsString>) -> Outcome<Vec<OsString>> {
    if next(arguments)? != "[" {
        return Err("a bracket is missing".into());
    }
    let mut steps = Vec::new();
    let mut depth = 1;
    loop {
        let step = next(arguments)?;
        match step.to_str() {
            Some("[") => depth += 1,
            Some("]") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(steps);
        }
        steps.push(step);
    }
}

fn bracketed(steps: Vec<OsString>) -> impl Iterator<Item = OsString> {
    iter::once("[".into())
        .chain(steps)
        .chain(iter::once("]".into()))
}
