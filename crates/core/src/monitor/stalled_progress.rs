//! One agent gets no further.
//!
//! Whoever writes a file or reports progress is at work until they report that they are done. Time finds a stall,
//! so the house has to be told of it; when nobody did for a whole window more, the agent is gone rather than
//! stalled: a house that is opened on the next day finds no stalls of yesterday.

use super::{Finding, Monitor, Pattern};
use crate::kernel::{At, Who};

/// Whoever has got no further for too long.
pub fn stalled(monitor: &Monitor, at: At) -> Vec<Finding> {
    let due = due(monitor, at).filter(|(.., expired)| !expired);
    due.map(|(who, since, _)| Finding {
        agents: vec![who.clone()],
        count: since / 1000,
        pattern: Pattern::StalledProgress,
        subject: None,
    })
    .collect()
}

/// Whoever was at work and has not been heard of for longer than a stall is told.
pub fn gone(monitor: &Monitor, at: At) -> Vec<Who> {
    due(monitor, at).filter(|(.., expired)| *expired).map(|(who, ..)| who.clone()).collect()
}

/// Whoever stalls, for how long, and whether that has expired.
fn due(monitor: &Monitor, at: At) -> impl Iterator<Item = (&Who, u64, bool)> {
    let stall = monitor.rules().map(|rules| rules.stalled_progress).filter(|stall| stall.on);
    let working = monitor.working.iter().filter_map(move |(who, last)| Some((who, at.since(*last), stall?)));
    working
        .filter(|(_, since, stall)| *since >= stall.after_ms)
        .map(|(who, since, stall)| (who, since, since > stall.after_ms.saturating_add(stall.window_ms)))
}
