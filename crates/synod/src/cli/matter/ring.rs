//! `synod matter start` and `synod matter remove`: what the operator does to a ring. A ring lives in a service,
//! which keeps its time.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::{MatterId, Who};

use super::{Context, matter_then, served};
use crate::client::{Client, ServiceArgs};
use crate::fail::{Fail, Result, code};

/// Begin a ring with those who joined so far.
#[derive(Debug, Args)]
pub(crate) struct Start {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// Take a participant out of a ring.
///
/// `remove MATTER WHO` names the matter; it cannot be left out.
#[derive(Debug, Args)]
#[command(override_usage = "synod matter remove [OPTIONS] <MATTER> <WHO>")]
pub(crate) struct Remove {
    /// The matter, and who is to go.
    #[arg(required = true, num_args = 2, value_names = ["MATTER", "WHO"])]
    words: Vec<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Start {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let client = needed(&self.service, context)?;
        served::order(context, &client, self.matter, "start", &json!({})).await
    }
}

impl Remove {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (matter, who) = matter_then(&self.words, "WHO")?;
        let who = Who::parse(who).map_err(Fail::usage)?;
        let Some(matter) = matter else { return Err(Fail::usage("which matter? write MATTER WHO")) };
        let client = needed(&self.service, context)?;
        client.delete(&["v1", "matters", &matter.to_string(), "participants", who.as_str()]).await?;
        served::told(context, &client, &matter.to_string()).await
    }
}

fn needed(service: &ServiceArgs, context: &Context) -> Result<Client> {
    service.client(&context.house)?.ok_or_else(|| {
        let flag = context.house.flag();
        let message = format!(
            "a ring lives in a service, and none holds this house: start one with `synod serve{flag}`"
        );
        Fail::new(code::UNAVAILABLE, "service/none", message)
    })
}
