//! The one place where the process environment is read.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use zeroize::Zeroizing;

pub mod runner;

/// A set of environment variables: the caller's, or those of a stand-in.
///
/// Values may be secret, so they cannot be printed and are wiped on drop.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<OsString, Zeroizing<Vec<u8>>>);

impl Environment {
    /// The variables of this process.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads them"
    )]
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of a variable; an empty value counts as none.
    pub fn get(&self, name: impl AsRef<OsStr>) -> Option<&OsStr> {
        let value = self.0.get(name.as_ref())?;
        (!value.is_empty()).then(|| OsStr::from_bytes(value))
    }

    /// Sets a variable.
    pub fn set(&mut self, name: impl Into<OsString>, value: impl Into<OsString>) {
        self.0
            .insert(name.into(), Zeroizing::new(value.into().into_vec()));
    }

    /// Removes a variable.
    pub fn remove(&mut self, name: impl AsRef<OsStr>) {
        self.0.remove(name.as_ref());
    }

    /// All variables, empty ones included.
    pub fn iter(&self) -> impl Iterator<Item = (&OsStr, &OsStr)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_os_str(), OsStr::from_bytes(value)))
    }
}

impl<N: Into<OsString>, V: Into<OsString>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut environment = Self::default();
        for (name, value) in pairs {
            environment.set(name, value);
        }
        environment
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} variables", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_names_nor_values_can_be_printed() {
        let environment = Environment::from_iter([("CANARY", "canary"), ("B", "")]);
        assert_eq!(format!("{environment:?}"), "2 variables");
    }

    #[test]
    fn an_empty_value_counts_as_none_but_is_there() {
        let mut environment = Environment::from_iter([("A", "1"), ("B", "")]);
        assert_eq!(environment.get("A"), Some(OsStr::new("1")));
        assert_eq!(environment.get("B"), None);
        let all: Vec<_> = environment.iter().collect();
        assert_eq!(
            all,
            [("A", "1"), ("B", "")].map(|(n, v)| (n.as_ref(), v.as_ref()))
        );
        environment.remove("A");
        assert_eq!(environment.get("A"), None);
    }
}
