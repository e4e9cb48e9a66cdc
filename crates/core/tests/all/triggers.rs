//! What calls a council and what does not, and what the monitor finds: boundaries exactly.

mod clock;
mod judged;
mod kinds;
mod numbers;
mod patterns;
mod record;
mod words;

/// No stalls: these scripts let agents rest.
const CALM: &str = "[monitor.stalled_progress]\non = false";
