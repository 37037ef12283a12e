//! What the supervisor tells the harness: one line each.

use std::fmt;
use std::str::SplitAsciiWhitespace;

/// A line from the supervisor.
///
/// A run that goes well is `Started`, `Exited` or `Signalled`, `Settled`. A command that cannot be
/// started is `Refused` and `Settled`; if the program is to blame, `Started` comes before and the
/// end of the process that was to execute it in between. If the supervisor is told to end before
/// it has started the command, it is `Settled` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The command's process exists and is about to execute the program. This is its process id,
    /// which is also that of its session and group.
    Started(i32),
    /// The command was not started, with the system's error number (0 if there is none).
    Refused(Refused, i32),
    /// The command exited with this status.
    Exited(i32),
    /// The command was ended by this signal.
    Signalled(i32),
    /// It is over; nothing more follows.
    Settled(Settled),
}

/// Why a command was not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The supervisor's own arguments are malformed.
    Order,
    /// This system does not let the supervisor watch over what it starts.
    Watch,
    /// The private directory exists already or could not be made.
    Private,
    /// The working directory could not be entered.
    Directory,
    /// The program, or the interpreter that it names, does not exist.
    NotFound,
    /// The program may not be executed.
    Permission,
    /// The program could not be executed for another reason.
    Other,
}

/// What is left after a command, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Processes besides the leader that were seen alive and had to be ended.
    pub terminated: u32,
    /// Processes that could not be ended within the bound.
    pub left: u32,
    /// The private directory, or a part of it, could not be removed.
    pub private_left: bool,
}

const REFUSED: [(Refused, &str); 7] = [
    (Refused::Order, "order"),
    (Refused::Watch, "watch"),
    (Refused::Private, "private"),
    (Refused::Directory, "directory"),
    (Refused::NotFound, "not-found"),
    (Refused::Permission, "permission"),
    (Refused::Other, "other"),
];

impl Report {
    /// Reads a line without its newline; `None` if it is no report.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let report = match words.next()? {
            "started" => Self::Started(number(&mut words)?),
            "refused" => {
                let id = words.next()?;
                let (refused, _) = REFUSED.into_iter().find(|(_, known)| *known == id)?;
                Self::Refused(refused, number(&mut words)?)
            }
            "exited" => Self::Exited(number(&mut words)?),
            "signalled" => Self::Signalled(number(&mut words)?),
            "settled" => Self::Settled(Settled {
                terminated: number(&mut words)?.try_into().ok()?,
                left: number(&mut words)?.try_into().ok()?,
                private_left: number(&mut words)? != 0,
            }),
            _ => return None,
        };
        words.next().is_none().then_some(report)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started(pid) => write!(f, "started {pid}"),
            Self::Refused(refused, errno) => write!(f, "refused {refused} {errno}"),
            Self::Exited(code) => write!(f, "exited {code}"),
            Self::Signalled(signal) => write!(f, "signalled {signal}"),
            Self::Settled(settled) => write!(
                f,
                "settled {} {} {}",
                settled.terminated,
                settled.left,
                u8::from(settled.private_left)
            ),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = REFUSED.iter().find(|(refused, _)| refused == self);
        f.write_str(id.map_or("other", |(_, id)| id))
    }
}

fn number(words: &mut SplitAsciiWhitespace<'_>) -> Option<i32> {
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let settled = Settled {
            terminated: 3,
            left: 1,
            private_left: true,
        };
        let mut reports = vec![
            Report::Started(71),
            Report::Exited(143),
            Report::Signalled(9),
            Report::Settled(Settled::default()),
            Report::Settled(settled),
        ];
        reports.extend(REFUSED.map(|(refused, _)| Report::Refused(refused, 2)));
        for report in reports {
            assert_eq!(Report::parse(&report.to_string()), Some(report));
        }
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "",
            "started",
            "started x",
            "exited 0 0",
            "refused why 2",
            "settled -1 0 0",
        ] {
            assert_eq!(Report::parse(line), None, "{line:?}");
        }
    }
}
