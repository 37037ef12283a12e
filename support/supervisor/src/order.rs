//! What the supervisor is told on its command line.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

const GRACE: &str = "--grace-ms";
const BOUND: &str = "--bound-ms";
const PRIVATE: &str = "--private";
const DIRECTORY: &str = "--directory";

/// One command and how to end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Time between asking a process to end (SIGTERM) and ending it (SIGKILL); whole milliseconds.
    pub grace: Duration,
    /// Time after which the supervisor ends the command unasked: the harness may be stopped.
    pub bound: Duration,
    /// Absolute path of the directory to make for the command and to remove after it.
    pub private: Option<PathBuf>,
    /// Working directory of the command; the supervisor's own if absent.
    pub directory: Option<PathBuf>,
    /// Path of the executable, or its name in a directory of the command's `PATH`.
    pub program: OsString,
    /// The command's arguments.
    pub arguments: Vec<OsString>,
}

impl Order {
    /// The arguments that [`Order::parse`] reads.
    pub fn to_arguments(&self) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec![
            GRACE.into(),
            milliseconds(self.grace),
            BOUND.into(),
            milliseconds(self.bound),
        ];
        for (option, path) in [(PRIVATE, &self.private), (DIRECTORY, &self.directory)] {
            if let Some(path) = path {
                arguments.extend([option.into(), path.into()]);
            }
        }
        arguments.extend(["--".into(), self.program.clone()]);
        arguments.extend(self.arguments.iter().cloned());
        arguments
    }

    /// Reads the supervisor's arguments (without its own name).
    ///
    /// `None` if an option is unknown, lacks its value or is missing, or if the private directory
    /// has no absolute path.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let mut arguments = arguments.into_iter();
        let (mut grace, mut bound, mut private, mut directory) = (None, None, None, None);
        loop {
            let option = arguments.next()?;
            if option == "--" {
                break;
            }
            let value = arguments.next()?;
            match option.to_str()? {
                GRACE => grace = Some(duration(&value)?),
                BOUND => bound = Some(duration(&value)?),
                PRIVATE => private = Some(PathBuf::from(value)),
                DIRECTORY => directory = Some(PathBuf::from(value)),
                _ => return None,
            }
        }
        if private.as_ref().is_some_and(|path| !path.is_absolute()) {
            return None;
        }
        Some(Self {
            grace: grace?,
            bound: bound?,
            private,
            directory,
            program: arguments.next()?,
            arguments: arguments.collect(),
        })
    }
}

fn milliseconds(duration: Duration) -> OsString {
    u64::try_from(duration.as_millis())
        .unwrap_or(u64::MAX)
        .to_string()
        .into()
}

fn duration(value: &OsStr) -> Option<Duration> {
    value.to_str()?.parse().ok().map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order() -> Order {
        Order {
            grace: Duration::from_millis(2000),
            bound: Duration::from_secs(600),
            private: Some("/tmp/private home".into()),
            directory: Some("workspace".into()),
            program: "/bin/claude".into(),
            arguments: vec!["--".into(), "".into(), "--grace-ms".into()],
        }
    }

    #[test]
    fn arguments_are_read_as_they_were_written() {
        let order = order();
        assert_eq!(Order::parse(order.to_arguments()), Some(order));
    }

    #[test]
    fn a_relative_private_directory_is_refused() {
        let order = Order {
            private: Some("home".into()),
            ..order()
        };
        assert_eq!(Order::parse(order.to_arguments()), None);
    }

    #[test]
    fn incomplete_or_unknown_arguments_are_refused() {
        for arguments in [
            &["--grace-ms", "1", "--bound-ms", "1", "--"][..],
            &["--grace-ms", "1", "--bound-ms", "1", "program"],
            &["--grace-ms", "1", "--", "program"],
            &["--grace-ms", "-1", "--bound-ms", "1", "--", "program"],
            &[
                "--grace-ms",
                "1",
                "--bound-ms",
                "1",
                "--other",
                "1",
                "--",
                "program",
            ],
            &[],
        ] {
            let parsed = Order::parse(arguments.iter().map(OsString::from));
            assert_eq!(parsed, None, "{arguments:?}");
        }
    }
}
