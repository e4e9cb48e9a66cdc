//! `synod ring remove`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::Who;

use super::Context;
use crate::agent::{HouseAccess, OperatorAction};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::matter_arg::MatterArg;
use crate::out;

/// Remove a participant from a ring for good.
///
/// What they said stays in the record.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod ring remove [OPTIONS] [MATTER] <NAME>\n       synod ring remove [OPTIONS] --matter <MATTER> <NAME>",
    after_help = "Example:\n  synod ring remove 3 bob"
)]
pub(crate) struct RingRemoveArgs {
    /// The ring (the only open one if left out), then the participant.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "NAME"])]
    words: Vec<String>,
    /// The ring, as in the commands of participants.
    #[arg(long, value_name = "MATTER")]
    matter: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl RingRemoveArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, who) = match (self.words.as_slice(), self.matter) {
            ([matter, who], None) => (Some(matter.parse().map_err(Fail::usage)?), who),
            ([who], named) => (named, who),
            _ => return Err(Fail::usage("too many words: write MATTER NAME, or NAME --matter MATTER")),
        };
        let who = Who::parse(who).map_err(Fail::usage)?;
        let door = HouseAccess::to(&context.house, &self.service)?;
        let matter = door.ring(matter).await?;
        let told = door.order(OperatorAction::Remove(matter, who.clone())).await?;
        match context.json {
            true => out::json(
                &json!({ "matter": matter, "who": who, "act": told.act, "events": told.events, "acknowledgement": told.acknowledgement }),
            ),
            false => out::line(&out::clean(&format!("{who} is removed · {}", told.ring()))),
        }
        Ok(ExitCode::SUCCESS)
    }
}
