//! Rows of the run: name, change, code.

use crate::trial::Trial;

/// Applies a change to a deployment that passes, and asserts that the run starts
/// the CLI once and is then refused with this code.
#[track_caller]
pub(super) fn refused(code: &str, change: impl FnOnce(&mut Trial)) {
    let mut trial = Trial::new();
    change(&mut trial);
    trial.assert_refused(trial.run(), code, 1);
}

/// Declares rows: each becomes a test of its own, and its code is listed in `CODES`.
macro_rules! rows {
    ( $( $name:ident => $code:literal, $change:expr; )* ) => {
        $(
            #[test]
            fn $name() {
                crate::run::row::refused($code, $change);
            }
        )*

        /// The codes that the rows expect.
        pub(crate) const CODES: &[&str] = &[ $( $code, )* ];
    };
}
pub(super) use rows;
