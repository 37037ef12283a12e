//! Rows of the run: name, change, code.

use crate::trial::Trial;

/// Applies a change to a deployment that passes, and asserts that the run starts
/// the CLI so often and is then refused with this code; then what else the row asserts.
///
/// A change that changes nothing fails here: the run passes.
#[track_caller]
pub(super) fn refused(
    code: &str,
    starts: usize,
    change: impl FnOnce(&mut Trial),
    then: impl FnOnce(&Trial),
) {
    let mut trial = Trial::new();
    change(&mut trial);
    trial.assert_refused(trial.run(), code, starts);
    then(&trial);
}

/// Declares rows: each becomes a test of its own, and its code is listed in `CODES`.
///
/// A row is a change to a [`Trial`] whose run is refused after one start of the CLI,
/// or after `(0 starts)`; `then` asserts what else must be so.
macro_rules! rows {
    ( $(
        $name:ident $( ($starts:literal starts) )? => $code:literal, $change:expr $(, then $then:expr )?;
    )* ) => {
        $(
            #[test]
            fn $name() {
                let starts = [1 $( , $starts )?];
                let then: [fn(&crate::trial::Trial); _] = [|_| () $( , $then )?];
                crate::run::row::refused(
                    $code,
                    starts[starts.len() - 1],
                    $change,
                    then[then.len() - 1],
                );
            }
        )*

        /// The codes that the rows expect.
        pub(crate) const CODES: &[&str] = &[ $( $code, )* ];
    };
}
pub(super) use rows;
