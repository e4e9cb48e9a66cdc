//! `synod ring status`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::Context;
use crate::agent::{AgentSession, HouseAccess};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::{out, render};

/// Sessions of agents that are listed; all of them are in the JSON.
const SEEN_MOST: usize = 8;

/// Show a ring: phase, participants, who has the floor, proposals and votes.
///
/// Also lists the agent sessions that hooks have seen here, by the names you can invite them with.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring status 3")]
pub(crate) struct RingStatusArgs {
    /// The ring: number, id or `last`; the newest one if left out, open rings first.
    matter: Option<MatterArg>,
    /// The ring, as in the commands of participants.
    #[arg(long = "matter", value_name = "MATTER", conflicts_with = "matter")]
    named: Option<MatterArg>,
    /// The newest open ring this participant is invited to.
    #[arg(long = "as", value_name = "NAME", env = "SYNOD_AS", hide_env_values = true)]
    name: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl RingStatusArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let mut door = HouseAccess::to(&context.house, &self.service)?;
        let who = match &self.name {
            Some(name) => door.act_as(Some(name))?,
            None => None,
        };
        let shown = door.shown(who.as_ref(), self.matter.or(self.named)).await?;
        let agents = AgentSession::all(context.house.dir());
        match context.json {
            true => out::json(&json!({
                "agents": agents.iter().map(|agent| json!({ "name": agent.name, "seen": agent.seen })).collect::<Vec<_>>(),
                "matter": shown.matter, "number": shown.number, "topic": shown.topic, "charter": shown.charter, "status": shown.status,
                "headline": shown.headline, "ring": shown.session,
            })),
            false => {
                out::text(&render::ring::status(&shown, out::width()));
                for agent in agents.iter().take(SEEN_MOST) {
                    out::line(&out::clean(&format!("Seen     {} at {}", agent.name, agent.seen)));
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
