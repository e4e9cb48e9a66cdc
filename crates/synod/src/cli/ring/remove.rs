//! `synod remove`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::{MatterId, Who};

use super::Context;
use crate::agent::{HouseAccess, Order};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::out;

/// Take a participant out of a ring for good. What they said stays in the record.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod remove [OPTIONS] <MATTER> <NAME>\n       synod remove [OPTIONS] --matter <MATTER> <NAME>",
    after_help = "Example: synod remove 12 bob"
)]
pub(crate) struct Remove {
    /// The ring, unless --matter names it, and the participant.
    #[arg(required = true, num_args = 1..=2, value_names = ["MATTER", "NAME"])]
    words: Vec<String>,
    /// The ring, as the commands of participants name it.
    #[arg(long, value_name = "MATTER")]
    matter: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Remove {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, who) = match (self.words.as_slice(), self.matter) {
            ([matter, who], None) => (matter.parse().map_err(|_| no_matter(matter))?, who),
            ([who], Some(matter)) => (matter, who),
            _ => {
                return Err(Fail::usage(
                    "whom, and from which ring? Write MATTER NAME, or NAME --matter MATTER",
                ));
            }
        };
        let who = Who::parse(who).map_err(Fail::usage)?;
        let door = HouseAccess::to(&context.house, &self.service)?;
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

fn no_matter(written: &str) -> Fail {
    Fail::usage(format!(
        "`{written}` is no matter: write its number; `synod matter list` shows those there are"
    ))
}
