//! The lab from outside.

mod coverage;
mod import;
mod recorded;
mod sessions;
mod tallies;
