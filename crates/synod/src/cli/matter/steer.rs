//! `synod matter pause` and `synod matter stop`

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::MatterId;
use synod_core::matter::{self, Status};
use synod_journal::{Holder, holder};

use super::Context;
use crate::fail::Result;
use crate::house::{give, keep_receipt, pick_open};
use crate::out;
use crate::run::resume_line;

/// Let a matter rest, also one that runs in another terminal.
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
}

/// End a matter as it stands, also one that runs in another terminal. It counts as undecided.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
}

impl Pause {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        ask_to_rest(context.house.dir()).await?;
        let engine = context.house.engine("synod matter pause", Default::default()).await?;
        let matter = engine.read(|house| pick_open(house, self.matter))?;
        // Opening the house has laid an interrupted matter to rest already.
        let resting = engine
            .read(|house| house.case(matter).is_some_and(|case| matches!(case.status(), Status::Paused(_))));
        if !resting {
            give(&engine, Command::Pause { matter, why: matter::Pause::Operator }).await?;
        }
        let resume = resume_line(&context.house, matter);
        if context.json {
            out::json(&json!({ "matter": matter, "status": "paused", "resume": resume }));
        } else {
            out::line(&format!("matter {matter} rests; go on with: {resume}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Stop {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        ask_to_rest(context.house.dir()).await?;
        let engine = context.house.engine("synod matter stop", Default::default()).await?;
        let matter = engine.read(|house| pick_open(house, self.matter))?;
        give(&engine, Command::Stop { matter }).await?;
        let reader = context.house.reader()?;
        let (path, _) = engine.read(|house| keep_receipt(context.house.dir(), house, &reader, matter))?;
        if context.json {
            out::json(&json!({ "matter": matter, "status": "undecided", "receipt_file": path }));
        } else {
            out::line(&format!("matter {matter} is over, undecided; receipt {}", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// How long a running matter is given to come to rest.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks whoever runs a matter of this house to lay it to rest, as Ctrl-C there would, and waits until they
/// have let go of the house.
async fn ask_to_rest(dir: &Path) -> Result<()> {
    let Some(by) = holder(dir) else { return Ok(()) };
    // Those that see a matter through, and lay it to rest on Ctrl-C.
    let runs = ["synod debate", "synod matter resume", "synod matter continue", "synod matter fork"]
        .iter()
        .any(|known| by.command.starts_with(known));
    let here = by.host == Holder::this_process("").host;
    let pid = i32::try_from(by.pid).ok().and_then(rustix::process::Pid::from_raw);
    let (true, true, Some(pid)) = (runs, here, pid) else { return Ok(()) };
    // If it has just ended by itself there is nobody to ask.
    let _ = rustix::process::kill_process(pid, rustix::process::Signal::INT);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE && holder(dir).is_some_and(|now| now.pid == by.pid) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
