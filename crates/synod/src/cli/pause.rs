//! `synod pause`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::matter::{self, Status};
use synod_core::view::Report;
use synod_core::{Command, House};

use super::{Context, served};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::give;
use crate::matter_arg::{MatterArg, pick_open};
use crate::run::next_line;
use crate::{out, render};

/// Pause a matter, even one that runs in another terminal.
///
/// `synod resume` continues it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod pause 3")]
pub(crate) struct PauseArgs {
    /// The matter: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl PauseArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "pause", &json!({})).await;
        }
        let matter = pick_open(&mut context.house.read()?.0, self.matter)?;
        let engine = context.house.engine("synod pause", Default::default()).await?;
        // Opening the house has paused an interrupted matter already.
        let status = |house: &House| house.summary(matter).map(|known| known.status);
        let mut said = None;
        if !matches!(engine.read(status), Some(Status::Paused(_))) {
            let given = give(&engine, Command::Pause { matter, why: matter::Pause::Operator }).await?;
            said = given.acknowledgement().filter(|_| context.json);
        }
        let report = engine.read_with([matter], |house| house.case(matter).map(Report::of))?;
        engine.end();
        let Some(report) = report else { return Ok(ExitCode::SUCCESS) };
        let (number, next) = (report.number, next_line(&context.house, &report));
        if context.json {
            let mut shown = json!({ "matter": matter, "number": number, "status": report.status, "next": next, "acknowledgement": said });
            if matches!(report.status, "paused" | "interrupted") {
                shown["resume"] = json!(next);
            }
            out::json(&shown);
            return Ok(ExitCode::SUCCESS);
        }
        match report.status {
            // What it waits for is more than a command.
            "waiting" | "needs_context" => {
                let status = report.status.replace('_', " ");
                out::line(&format!("matter {number} is paused already ({status}):"));
                render::waits(&context.house, &report).iter().for_each(|waits| out::text(&waits.text));
            }
            _ => out::line(&format!("matter {number} is paused; resume with: {next}")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
