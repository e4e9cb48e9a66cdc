//! Starting the program: a fresh process that lists charters, and one that runs a whole rehearsal.

use std::process::{Command as Process, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::measure::{median, micros};
use crate::fail::{Fail, Result, code};

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the start benchmark failed: {what}"))
}

/// Measures the time from starting the process to its end.
pub(super) fn measure(runs: usize) -> Result<Value> {
    let program = std::env::current_exe().map_err(failed)?;
    let mut times = Vec::new();
    for _ in 0..runs {
        let begun = Instant::now();
        let status = Process::new(&program)
            .args(["charter", "list"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        times.push(begun.elapsed());
        if !status.map_err(failed)?.success() {
            return Err(failed("`synod charter list` did not succeed"));
        }
    }
    let least = times.iter().min().copied().unwrap_or_default();
    Ok(
        json!({ "command": "charter list", "median_ms": micros(median(times)) / 1000.0, "least_ms": micros(least) / 1000.0 }),
    )
}
