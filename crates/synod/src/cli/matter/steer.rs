//! `synod matter pause` and `synod matter stop`

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use rustix::process::Signal;
use serde_json::json;
use synod_core::house::Case;
use synod_core::kernel::MatterId;
use synod_core::matter::{self, Status};
use synod_core::view::Report;
use synod_core::{Command, House};
use synod_journal::{Holder, holder};

use super::{Context, served};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::{give, keep_receipt, pick_open};
use crate::run::{PATIENCE, next_line};
use crate::{out, render};

/// Let a matter rest, also one that runs in another terminal.
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// End a matter as it stands, also one that runs in another terminal. It counts as undecided.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Pause {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.client(&context.house)? {
            return served::order(context, &client, self.matter, "pause", &json!({})).await;
        }
        let matter = let_go(context, self.matter, Signal::INT).await?;
        let engine = context.house.engine("synod matter pause", Default::default()).await?;
        // Opening the house has laid an interrupted matter to rest already.
        let status = |house: &House| house.case(matter).map(Case::status);
        if !matches!(engine.read(status), Some(Status::Paused(_))) {
            give(&engine, Command::Pause { matter, why: matter::Pause::Operator }).await?;
        }
        let report = engine.read(|house| house.case(matter).map(Report::of));
        engine.end();
        let Some(report) = report else { return Ok(ExitCode::SUCCESS) };
        let next = next_line(&context.house, &report);
        if context.json {
            let mut told = json!({ "matter": matter, "status": report.status, "next": next });
            if matches!(report.status, "paused" | "interrupted") {
                told["resume"] = json!(next);
            }
            out::json(&told);
            return Ok(ExitCode::SUCCESS);
        }
        match report.status {
            // What it waits for is more than a command.
            "waiting" | "needs_context" => {
                out::line(&format!("matter {matter} rests already, {}:", report.status.replace('_', " ")));
                render::waits(&context.house, &report).iter().for_each(|waits| out::text(&waits.text));
            }
            _ => out::line(&format!("matter {matter} rests; go on with: {next}")),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Stop {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.client(&context.house)? {
            return served::order(context, &client, self.matter, "stop", &json!({})).await;
        }
        let matter = let_go(context, self.matter, Signal::USR1).await?;
        let engine = context.house.engine("synod matter stop", Default::default()).await?;
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

/// The open matter of that id, or the last one; whoever runs it has let go of the house. A matter that rests
/// is no reason to disturb another that runs.
async fn let_go(context: &Context, wanted: Option<MatterId>, signal: Signal) -> Result<MatterId> {
    let (house, _) = context.house.read()?;
    let matter = pick_open(&house, wanted)?;
    ask_to_rest(context.house.dir(), &house, matter, signal).await;
    Ok(matter)
}

/// Asks whoever runs a matter to lay it to rest, as Ctrl-C there would, and waits until they have let go of
/// the house. The signal says whether more is to come, which they then wait for: see `run::Interrupts`.
pub(super) async fn ask_to_rest(dir: &Path, house: &House, matter: MatterId, signal: Signal) {
    if house.case(matter).map(Case::status) != Some(Status::Running) {
        return;
    }
    // One that lets others in is steered through: nobody has to let go of the house.
    if synod_engine::lets_others_in(dir) {
        return;
    }
    let Some(by) = holder(dir) else { return };
    // Those that see a matter through, and lay it to rest on Ctrl-C.
    let runs = ["synod debate", "synod matter resume", "synod matter continue", "synod matter fork"]
        .iter()
        .any(|known| by.command.starts_with(known));
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
