//! Steering a matter through the service that holds its house.

use std::process::ExitCode;

use serde_json::{Value, json};
use synod_core::kernel::MatterId;

use super::Context;
use crate::client::Client;
use crate::fail::Result;
use crate::matter_arg::{MatterArg, pick_open_at};
use crate::out;

/// Gives an order about a matter, and shows its status after that.
pub(super) async fn order(
    context: &Context,
    client: &Client,
    wanted: Option<MatterArg>,
    verb: &str,
    body: &Value,
) -> Result<ExitCode> {
    let matter = pick_open_at(client, wanted).await?;
    client.post(&format!("/v1/matters/{matter}/{verb}"), body).await?;
    show_status(context, client, matter).await
}

async fn show_status(context: &Context, client: &Client, matter: MatterId) -> Result<ExitCode> {
    let report = client.get(&format!("/v1/matters/{matter}")).await?;
    let (number, status, phase) = (&report["number"], &report["status"], &report["ring"]["phase"]);
    if context.json {
        out::json(&json!({
            "matter": matter, "number": number, "status": status, "phase": phase, "service": client.url(),
        }));
    } else {
        let status = status.as_str().unwrap_or_default();
        out::line(&out::clean(&format!(
            "matter {number} is {status} (through the service at {})",
            client.url()
        )));
    }
    Ok(ExitCode::SUCCESS)
}
