//! `synod remove`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::{MatterId, Who};

use super::Context;
use crate::agent::{Door, Order};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::out;

/// Take a participant out of a ring for good. What they said stays in the record.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod remove 12 bob")]
pub(crate) struct Remove {
    /// The ring.
    matter: MatterId,
    /// The participant.
    who: String,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Remove {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, who) = (self.matter, Who::parse(&self.who).map_err(Fail::usage)?);
        let door = Door::to(&context.house, &self.service)?;
        let told = door.order(Order::Remove(matter, who.clone())).await?;
        match context.json {
            true => {
                out::json(&json!({ "matter": matter, "who": who, "act": told.act, "events": told.events }))
            }
            false => out::line(&format!("{who} is out of matter {matter}")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
