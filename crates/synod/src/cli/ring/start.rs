//! `synod start`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::MatterId;

use super::Context;
use crate::agent::Door;
use crate::fail::Result;
use crate::out;

/// Begin a ring with those who have joined, without waiting for the others. They may still join later.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod start 12")]
pub(crate) struct Start {
    /// The ring.
    matter: MatterId,
}

impl Start {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let matter = self.matter;
        let told = Door::to(&context.house).order(Command::Start { matter }).await?;
        match context.json {
            true => out::json(&json!({ "matter": matter, "act": told.act, "events": told.events })),
            false => out::line(&format!("matter {matter} has begun")),
        }
        Ok(ExitCode::SUCCESS)
    }
}
