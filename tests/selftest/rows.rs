//! Tables of rows that one function judges.

/// Declares rows: each becomes a test of its own, and its code is listed in `CODES`.
///
/// A row is a name, the exact code and a change; the function is given the latter two.
macro_rules! rows {
    ( by $judge:path; $( $name:ident => $code:literal, $change:expr; )* ) => {
        $(
            #[test]
            fn $name() {
                $judge($code, $change);
            }
        )*

        /// The codes that the rows expect.
        pub(crate) const CODES: &[&str] = &[ $( $code, )* ];
    };
}
pub(crate) use rows;
