//! A row of a table: a name, a run of the CLI, and what is made of it.

use harness::claude::classify::judge;
use harness::reason::ClaudeReason;

use super::run::Run;

/// One case.
pub(super) struct Row {
    /// The name of the test.
    pub(super) name: &'static str,
    /// Makes the run.
    pub(super) run: fn() -> Run,
    /// Why it is refused; nothing if it is not.
    pub(super) expected: Result<(), ClaudeReason>,
}

impl Row {
    /// Fails unless the run is judged as expected.
    #[track_caller]
    pub(super) fn check(&self) {
        let judged = judge(&(self.run)().ended()).map(drop);
        assert_eq!(judged, self.expected, "{}", self.name);
    }
}

/// Declares a table `ROWS` and a test for every row of it, named as the row.
macro_rules! rows {
    ($( $name:ident: $run:expr => $expected:expr; )*) => {
        pub(super) const ROWS: &[$crate::claude::row::Row] = &[$(
            $crate::claude::row::Row {
                name: stringify!($name),
                run: || $run,
                expected: $expected,
            },
        )*];

        $(
            #[test]
            fn $name() {
                let name = stringify!($name);
                let row = ROWS.iter().find(|row| row.name == name).expect("a row of the table");
                row.check();
            }
        )*
    };
}

pub(super) use rows;
