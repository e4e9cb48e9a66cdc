//! The calibration lab: rules, panels and rounds are chosen by evidence here.
//!
//! It reads recorded ballots with known truth, simulates casts, and measures. Whatever is decided is decided by the core: votes are
//! counted by `ballot`, weighed by `track`, and simulated matters go through `House::decide`. The lab has no rule of its own,
//! keeps nothing, and never touches a journal. Unlike the core it holds floats: its figures are statistics.
//!
//! To add a rule that is compared: a variant of [`rules::Contestant`] and its arm in `rules/contest.rs`.

pub mod fit;
pub mod import;
pub mod replay;
pub mod report;
pub mod rules;
pub mod session;
pub mod sheet;
pub mod simulate;
pub mod stats;
pub mod study;
pub mod tally;
mod turn;
