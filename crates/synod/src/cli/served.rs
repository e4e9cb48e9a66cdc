//! Steering a matter through the service that holds its house.

use std::process::ExitCode;

use serde_json::{Value, json};
use synod_core::kernel::MatterId;

use super::Context;
use crate::client::Client;
use crate::fail::Result;
use crate::matter_arg::{MatterArg, pick_open_at};
use crate::out;
use crate::wire::{AcknowledgementView, Done, Matter};

/// Gives an order about a matter, and shows its status after that.
pub(super) async fn order(
    context: &Context,
    client: &Client,
    wanted: Option<MatterArg>,
    verb: &str,
    body: &Value,
) -> Result<ExitCode> {
    let matter = pick_open_at(client, wanted).await?;
    let done: Done = client.post(&format!("/v1/matters/{matter}/{verb}"), body).await?;
    show_status(context, client, matter, done.acknowledgement).await
}

async fn show_status(
    context: &Context,
    client: &Client,
    matter: MatterId,
    said: Option<AcknowledgementView>,
) -> Result<ExitCode> {
    let shown: Matter = client.get(&format!("/v1/matters/{matter}")).await?;
    let (number, status, phase) = (shown.number, shown.status, shown.ring.map(|ring| ring.phase));
    if context.json {
        out::json(&json!({
            "matter": matter, "number": number, "status": status, "phase": phase, "service": client.url(),
            "acknowledgement": said,
        }));
    } else {
        out::line(&out::clean(&format!(
            "matter {number} is {status} (through the service at {})",
            client.url()
        )));
    }
    Ok(ExitCode::SUCCESS)
}
