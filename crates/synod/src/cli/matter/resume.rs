//! `synod matter resume`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::MatterId;

use super::{Context, served};
use crate::agent::{Door, Order};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::{give, pick_open};
use crate::out;
use crate::run::{self, Interrupts, through};
use crate::seats::{CassetteArgs, again, serving};

/// Let a paused or interrupted matter go on. Nothing that was answered is asked again. A ring goes on without this
/// command: its participants come by themselves.
#[derive(Debug, Args)]
pub(crate) struct Resume {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
    #[command(flatten)]
    cassettes: CassetteArgs,
    /// No progress, only the decision.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Resume {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "resume", &json!({})).await;
        }
        let (house, _) = context.house.read()?;
        let matter = pick_open(&house, self.matter)?;
        if house.case(matter).is_some_and(|case| case.charter.ring.is_some()) {
            return self.ring(context, matter).await;
        }
        let seats = house.case(matter).map(serving).unwrap_or_default();
        let minds = again(context.house.dir(), &seats, &self.cassettes)?;
        let interrupts = Interrupts::listen().await;
        let engine = context.house.engine("synod matter resume", minds).await?;
        let resumed = give(&engine, Command::Resume { matter }).await?;
        let show = run::Show { json: context.json, quiet: self.quiet, synthesist: None, beside: None };
        through(&context.house, engine, matter, resumed.seq, None, show, interrupts).await
    }

    /// A ring goes on by itself: its participants come for their turns.
    async fn ring(&self, context: &Context, matter: MatterId) -> Result<ExitCode> {
        Door::to(&context.house, &self.service)?.order(Order::Resume(matter)).await?;
        match context.json {
            true => out::json(&json!({ "matter": matter, "status": "running" })),
            false => out::line(&format!("matter {matter} goes on; every turn has its full time again")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
