//! Rows of the preflight: name, check, change, code.

use harness::reason::Reason;

use crate::trial::Trial;

/// Applies a change to a deployment that passes, and asserts that the check of
/// this id then refuses with this code, alone and in the whole preflight.
#[track_caller]
pub(super) fn refused(id: Reason, code: &str, change: impl FnOnce(&mut Trial)) {
    let mut trial = Trial::new();
    change(&mut trial);
    trial.assert_refused(trial.check(id), code, 0);
}

/// Declares rows: each becomes a test of its own, and its code is listed in `CODES`.
macro_rules! rows {
    ( $( $name:ident: $id:ident => $code:literal, $change:expr; )* ) => {
        $(
            #[test]
            fn $name() {
                crate::preflight::row::refused(harness::reason::Reason::$id, $code, $change);
            }
        )*

        /// The codes that the rows expect.
        pub(crate) const CODES: &[&str] = &[ $( $code, )* ];
    };
}
pub(super) use rows;
