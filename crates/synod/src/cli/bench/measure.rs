//! Reading clocks and memory.

use std::fs;
use std::time::Duration;

/// CPU time of this process so far, all its threads, also those that have ended.
pub(super) fn cpu() -> Duration {
    read(rustix::time::ClockId::ProcessCPUTime)
}

/// CPU time of this thread so far.
pub(super) fn thread_cpu() -> Duration {
    read(rustix::time::ClockId::ThreadCPUTime)
}

fn read(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Forgets the peak of memory so far, so that the next one is of what follows.
pub(super) fn reset_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The peak of resident memory since the last reset, in MB; `None` where the system does not tell.
pub(super) fn peak_mb() -> Option<f64> {
    high_water("/proc/self/status")
}

/// The peak of resident memory of another process, in MB.
pub(super) fn peak_of(process: u32) -> Option<f64> {
    high_water(&format!("/proc/{process}/status"))
}

fn high_water(status: &str) -> Option<f64> {
    let status = fs::read_to_string(status).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some((kilobytes / 102.4).round() / 10.0)
}

/// The middle of some durations.
pub(super) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Microseconds with one decimal.
pub(super) fn micros(time: Duration) -> f64 {
    (time.as_nanos() as f64 / 100.0).round() / 10.0
}

/// A ratio with two decimals.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    (100.0 * part / whole).round() / 100.0
}
