//! `synod start`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::MatterId;

use super::Context;
use crate::agent::{HouseAccess, Order};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::out;

/// Begin a ring with those who have joined, without waiting for the others. They may still join later.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod start 12")]
pub(crate) struct Start {
    /// The ring.
    #[arg(required_unless_present = "named")]
    matter: Option<MatterId>,
    /// The ring, as the commands of participants name it.
    #[arg(long = "matter", value_name = "MATTER", conflicts_with = "matter")]
    named: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Start {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let matter = self.matter.or(self.named).ok_or_else(|| Fail::usage("which ring? Name its matter"))?;
        let door = HouseAccess::to(&context.house, &self.service)?;
        let told = door.order(Order::Start(matter)).await?;
        match context.json {
            true => out::json(&json!({ "matter": matter, "act": told.act, "events": told.events })),
            false => out::line(&format!("matter {matter} has begun")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
