//! What the CLI prints, and what is made of it.

mod bad_request;
mod bounds;
mod completeness;
mod control;
mod credentials;
mod hostile;
mod protocol;
mod row;
mod run;
mod statuses;
mod stream;
mod transport;
mod usage;
