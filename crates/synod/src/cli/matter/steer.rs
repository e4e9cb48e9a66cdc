//! `synod matter pause` and `synod matter stop`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::house::Case;
use synod_core::kernel::MatterId;
use synod_core::matter::{self, Status};
use synod_core::view::Report;
use synod_core::{Command, House};

use super::{Context, served};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::{give, keep_receipt, pick_open};
use crate::run::next_line;
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
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "pause", &json!({})).await;
        }
        let matter = pick_open(&context.house.read()?.0, self.matter)?;
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
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "stop", &json!({})).await;
        }
        let matter = pick_open(&context.house.read()?.0, self.matter)?;
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
