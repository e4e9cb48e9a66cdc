//! Asking another process to let go of a matter that it runs.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use synod_core::House;
use synod_core::house::Case;
use synod_core::kernel::MatterId;
use synod_core::matter::Status;
use synod_journal::{Holder, holder};

use super::Context;
use crate::fail::Result;
use crate::matter_arg::{MatterArg, pick_open};
use crate::run::PATIENCE;

/// The commands that run a matter to its end, and pause it on Ctrl-C.
const RUNNERS: [&str; 4] = ["synod debate", "synod resume", "synod continue", "synod fork"];

/// Finds the open matter that is meant, and has whoever runs it let go of the house. A paused matter is no reason
/// to disturb another one that runs.
pub(super) async fn take_over(
    context: &Context,
    wanted: Option<MatterArg>,
    signal: Signal,
) -> Result<MatterId> {
    let (house, _) = context.house.read()?;
    let matter = pick_open(&house, wanted)?;
    ask_to_pause(context.house.dir(), &house, matter, signal).await;
    Ok(matter)
}

/// Asks the process that runs a matter to pause it, as Ctrl-C there would, and waits until the house is free. The
/// signal says whether more is to come, which that process then waits for: see `run::Interrupts`.
pub(super) async fn ask_to_pause(dir: &Path, house: &House, matter: MatterId, signal: Signal) {
    if house.case(matter).map(Case::status) != Some(Status::Running) {
        return;
    }
    let Some(by) = holder(dir) else { return };
    let runs = RUNNERS.iter().any(|known| by.command.starts_with(known));
    let here = by.host == Holder::this_process("").host;
    let pid = i32::try_from(by.pid).ok().and_then(rustix::process::Pid::from_raw);
    let (true, true, Some(pid)) = (runs, here, pid) else { return };
    // If it has just ended by itself there is nobody to ask.
    let _ = rustix::process::kill_process(pid, signal);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && holder(dir).is_some_and(|now| now.pid == by.pid) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
