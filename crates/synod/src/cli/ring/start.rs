//! `synod ring start`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::Context;
use crate::agent::{HouseAccess, OperatorAction};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::out;

/// Start a ring with those who have joined, without waiting for the others.
///
/// The others can still join later.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring start 3")]
pub(crate) struct RingStartArgs {
    /// The ring: number, id or `last`; the only open one if left out.
    matter: Option<MatterArg>,
    /// The ring, as in the commands of participants.
    #[arg(long = "matter", value_name = "MATTER", conflicts_with = "matter")]
    named: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl RingStartArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let door = HouseAccess::to(&context.house, &self.service)?;
        let matter = door.ring(self.matter.or(self.named)).await?;
        let told = door.order(OperatorAction::Start(matter)).await?;
        match context.json {
            true => out::json(
                &json!({ "matter": matter, "act": told.act, "events": told.events, "acknowledgement": told.acknowledgement }),
            ),
            false => out::line(&out::clean(&format!("started · {}", told.ring()))),
        }
        Ok(ExitCode::SUCCESS)
    }
}
