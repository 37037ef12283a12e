//! What proves the suite.

mod supervision;
