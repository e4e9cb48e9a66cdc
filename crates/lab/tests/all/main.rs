//! The lab from outside.

mod coverage;
mod import;
mod recorded;
mod replays;
mod rules;
mod sessions;
mod studies;
mod tallies;
