//! `synod motion`: a parliament.

mod diagnose;
mod propose;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use synod_core::Command;
use synod_core::kernel::{MatterId, Who};
use synod_core::procedure::council;
use synod_core::view::{MotionView, Report};

use super::resume::ResumeArgs;
use super::{Context, on_runtime, served};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{Looked, ahead, give};
use crate::matter_arg::{MatterArg, number, pick, pick_open};
use crate::{out, render};

/// Hold a parliament: motions are seconded, debated by rank and voted on.
///
/// Statements that a seat was ordered to make are counted apart from its own opinion everywhere.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod motion propose \"We publish all minutes.\" --as Bael --roster archons --rehearse\n  \
              synod motion second --as Agares\n  \
              synod motion run\n  \
              synod motion show\n  \
              synod motion diagnose")]
pub(crate) struct MotionArgs {
    #[command(subcommand)]
    command: MotionSubcommand,
}

#[derive(Debug, Subcommand)]
enum MotionSubcommand {
    Propose(Box<propose::ProposeArgs>),
    Second(SecondArgs),
    Withdraw(WithdrawArgs),
    Table(TableArgs),
    Run(RunArgs),
    Show(MotionShowArgs),
    Diagnose(diagnose::DiagnoseArgs),
}

/// Second a motion, so that it is debated. Whoever proposed it cannot.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod motion second 3 --as Agares")]
struct SecondArgs {
    /// The motion: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    /// The seat that seconds it.
    #[arg(long = "as", value_name = "SEAT")]
    who: String,
    #[command(flatten)]
    service: ServiceArgs,
}

/// Take a motion back before the vote.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod motion withdraw 3 --as Bael")]
struct WithdrawArgs {
    /// The motion: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    /// The seat that proposed it; the operator if left out.
    #[arg(long = "as", value_name = "SEAT")]
    who: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// Set a motion aside before the vote.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod motion table 3")]
struct TableArgs {
    /// The motion: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// Call a motion up and run it to its end: seconding if it has no second, debate, red team, vote.
///
/// Also resumes a motion that was paused or interrupted; nothing that was answered is asked again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod motion run\n  synod motion run 3\n\nExit codes: 0 passed, 1 failed, 2 undecided (also: no second, withdrawn, tabled)."
)]
struct RunArgs {
    #[command(flatten)]
    resume: ResumeArgs,
}

/// Show a motion: its status, the debate with and without ordered speech, divergences.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod motion show\n  synod motion show 3 --json")]
struct MotionShowArgs {
    /// The motion: number, id or `last`; the newest matter if left out.
    matter: Option<MatterArg>,
}

impl MotionArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            MotionSubcommand::Propose(command) => on_runtime(command.run(context)),
            MotionSubcommand::Second(command) => on_runtime(command.run(context)),
            MotionSubcommand::Withdraw(command) => on_runtime(command.run(context)),
            MotionSubcommand::Table(command) => on_runtime(command.run(context)),
            MotionSubcommand::Run(command) => on_runtime(command.resume.run(context)),
            MotionSubcommand::Show(command) => command.run(context),
            MotionSubcommand::Diagnose(command) => command.run(context),
        }
    }
}

impl SecondArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "second", &json!({ "by": self.who })).await;
        }
        let by = Who::parse(&self.who).map_err(Fail::usage)?;
        order(context, self.matter, |matter| council::Command::Second { by, matter }).await
    }
}

impl WithdrawArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "withdraw", &json!({ "by": self.who }))
                .await;
        }
        let by = self.who.as_deref().map(Who::parse).transpose().map_err(Fail::usage)?;
        order(context, self.matter, |matter| council::Command::Withdraw { by, matter }).await
    }
}

impl TableArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "table", &json!({})).await;
        }
        order(context, self.matter, |matter| council::Command::Table { matter }).await
    }
}

/// Gives a command about a motion and shows where it is after that.
async fn order(
    context: &Context,
    wanted: Option<MatterArg>,
    command: impl FnOnce(MatterId) -> council::Command,
) -> Result<ExitCode> {
    let (mut house, _) = context.house.read()?;
    let matter = pick_open(&mut house, wanted)?;
    let command = Command::Council(command(matter));
    ahead(&house, &command)?;
    let engine = context.house.engine("synod motion", Default::default()).await?;
    let said = give(&engine, command).await?.acknowledgement();
    let (number, shown) =
        engine.read(|house| (number(house, matter), house.case(matter).and_then(MotionView::of)));
    let status = shown.as_ref().map_or("over", |motion| motion.status);
    match context.json {
        true => out::json(&json!({
            "matter": matter, "number": number, "status": status, "motion": shown, "acknowledgement": said,
        })),
        false => out::line(&format!("motion {number} is {status}")),
    }
    Ok(ExitCode::SUCCESS)
}

/// A motion with its report.
fn motion(house: &mut Looked, wanted: Option<MatterArg>) -> Result<(Report, MotionView)> {
    let matter = pick(house, wanted)?;
    let report = house.case(matter).map(Report::of);
    let found = report.and_then(|report| Some((report.parliament.clone()?, report)));
    let (motion, report) = found.ok_or_else(|| {
        let message = format!(
            "matter {} is not a motion; `synod motion propose \"…\" --as SEAT` puts one, `synod list` shows all matters",
            number(house, matter)
        );
        Fail::new(code::USAGE, "council/not-a-motion", message)
    })?;
    Ok((report, motion))
}

impl MotionShowArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.look()?;
        let (report, motion) = motion(&mut house, self.matter)?;
        if context.json {
            let body: Value = json!({
                "matter": report.matter, "number": report.number, "question": report.question,
                "status": motion.status, "headline": report.headline, "charter": report.charter, "motion": motion,
            });
            out::json(&body);
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&out::clean(&report.headline));
        for (label, line) in render::motion::rows(&report, &motion) {
            out::line(&out::clean(&format!("{label:<9}{line}")));
        }
        Ok(ExitCode::SUCCESS)
    }
}
