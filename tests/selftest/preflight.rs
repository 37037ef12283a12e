//! Everything that is wrong before the run, each refused by its own check.

mod row;

mod executables;
mod listeners;
