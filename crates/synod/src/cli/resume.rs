//! `synod resume`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::MatterId;

use super::sources::SourcesArg;
use super::{Context, served};
use crate::agent::{HouseAccess, OperatorAction};
use crate::casting::PerformArgs;
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::give;
use crate::matter_arg::{MatterArg, number, pick_open};
use crate::out;
use crate::run::{self, Interrupts, through};
use crate::seats::{again, serving};

/// Resume a paused or interrupted matter.
///
/// No answered question is asked or paid for twice. A running ring does not need this: its participants come for their turns by themselves.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod resume\n  synod resume 3 --go-on    without a seat whose key or model is refused"
)]
pub(crate) struct ResumeArgs {
    /// The matter: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    #[command(flatten)]
    sources: SourcesArg,
    #[command(flatten)]
    perform: PerformArgs,
    /// Show no progress, only the decision.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl ResumeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "resume", &json!({})).await;
        }
        let (mut house, _) = context.house.read()?;
        let matter = pick_open(&mut house, self.matter)?;
        if house.case(matter).is_some_and(|case| case.ring().is_some()) {
            return self.ring(context, matter, number(&house, matter)).await;
        }
        let root = self.sources.root_for(&context.house, &house, matter)?;
        let seats = house.case(matter).map(serving).unwrap_or_default();
        let minds = again(context.house.dir(), &seats, &self.perform)?;
        let interrupts = Interrupts::listen().await;
        let engine = context.house.engine_reading("synod resume", minds, self.sources.reach(root)?).await?;
        let resumed = give(&engine, Command::Resume { matter }).await?;
        let show = run::ShowOptions { json: context.json, quiet: self.quiet, beside: None };
        through(&context.house, engine, matter, resumed.seq, None, show, interrupts).await
    }

    /// A ring needs no process to run it: its participants come for their turns.
    async fn ring(&self, context: &Context, matter: MatterId, number: u64) -> Result<ExitCode> {
        let done =
            HouseAccess::to(&context.house, &self.service)?.order(OperatorAction::Resume(matter)).await?;
        match context.json {
            true => out::json(
                &json!({ "matter": matter, "number": number, "status": "running", "acknowledgement": done.acknowledgement }),
            ),
            false => {
                out::line(&format!("matter {number} is running again; every open turn starts its time anew"))
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
