//! How a stand-in was started: by its own path, or by that of a file which names it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::{env, io};

/// A command line of a stand-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// What was started: this executable, or the file that names it.
    pub executable: PathBuf,
    /// The arguments that it was given.
    pub arguments: Vec<String>,
}

impl Invocation {
    /// That of this process.
    ///
    /// # Errors
    /// The system does not tell where this executable is.
    pub fn of_this_process() -> io::Result<Self> {
        Self::of(env::args_os().skip(1), env::current_exe)
    }

    fn of(
        arguments: impl Iterator<Item = OsString>,
        own: impl FnOnce() -> io::Result<PathBuf>,
    ) -> io::Result<Self> {
        let mut arguments = arguments.peekable();
        let executable = match arguments.next_if(|first| first == NAMED_BY) {
            Some(_) => arguments.next().map_or_else(own, |file| Ok(file.into()))?,
            None => own()?,
        };
        let text = |argument: OsString| argument.to_string_lossy().into_owned();
        Ok(Self {
            executable,
            arguments: arguments.map(text).collect(),
        })
    }
}

/// The file that starts a stand-in when it is executed, and is a hundred bytes in place of
/// hundreds of thousands that would be copied and digested.
///
/// None if the system would not find the stand-in by it: the line ends at the first blank of the
/// path, and at its 127th byte on old kernels (execve(2), "Interpreter scripts").
pub fn file_that_names(standin: &Path) -> Option<Vec<u8>> {
    let line = [
        b"#!",
        standin.as_os_str().as_bytes(),
        b" ",
        NAMED_BY.as_bytes(),
        b"\n",
    ]
    .concat();
    let blanks = line.iter().filter(|byte| byte.is_ascii_whitespace());
    (standin.is_absolute() && blanks.count() == 2 && line.len() <= LONGEST_LINE).then_some(line)
}

/// The argument that is followed by the path of such a file.
const NAMED_BY: &str = "--named-by";

const LONGEST_LINE: usize = 127;

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &[&str]) -> (String, Vec<String>) {
        let arguments = arguments.iter().map(OsString::from);
        let invocation = Invocation::of(arguments, || Ok("/built/standin-edge".into())).unwrap();
        let executable = invocation.executable.to_str().unwrap().to_owned();
        (executable, invocation.arguments)
    }

    #[test]
    fn by_its_own_path() {
        let own = "/built/standin-edge".to_owned();
        assert_eq!(of(&["version"]), (own.clone(), vec!["version".into()]));
        assert_eq!(of(&[]), (own, vec![]));
    }

    #[test]
    fn by_a_file_that_names_it() {
        let named = of(&[NAMED_BY, "/bin/edge", "config", "check"]);
        let arguments = vec!["config".into(), "check".into()];
        assert_eq!(named, ("/bin/edge".into(), arguments));
    }

    #[test]
    fn only_a_path_that_the_system_finds_is_named() {
        let line =
            |path: &str| file_that_names(Path::new(path)).map(|b| String::from_utf8(b).unwrap());
        assert_eq!(
            line("/built/edge").as_deref(),
            Some("#!/built/edge --named-by\n")
        );
        assert_eq!(line("/my build/edge"), None);
        assert_eq!(line("/my\nbuild/edge"), None);
        assert_eq!(line("built/edge"), None);
        let rest = "#! --named-by\n".len();
        let longest = format!("/{}", "e".repeat(LONGEST_LINE - rest - 1));
        assert!(line(&longest).is_some());
        assert_eq!(line(&format!("{longest}e")), None);
    }
}
