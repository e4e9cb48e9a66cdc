//! Steering a matter through the service that holds its house.

use std::process::ExitCode;

use serde_json::{Value, json};
use synod_core::kernel::MatterId;

use super::Context;
use crate::client::Client;
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::wire::{Done, Matter, Page};

/// Gives an order about a matter, and tells where it stands then.
pub(super) async fn order(
    context: &Context,
    client: &Client,
    wanted: Option<MatterId>,
    verb: &str,
    body: &Value,
) -> Result<ExitCode> {
    let matter = pick(client, wanted).await?;
    let _: Done = client.post(&format!("/v1/matters/{matter}/{verb}"), body).await?;
    told(context, client, &matter).await
}

/// Tells where a matter stands.
async fn told(context: &Context, client: &Client, matter: &str) -> Result<ExitCode> {
    let shown: Matter = client.get(&format!("/v1/matters/{matter}")).await?;
    let status = shown.status;
    if context.json {
        let phase = shown.ring.map(|ring| ring.phase);
        out::json(&json!({
            "matter": matter, "status": status, "phase": phase, "service": client.url(),
        }));
    } else {
        out::line(&out::clean(&format!("matter {matter} is {status}, by the service at {}", client.url())));
    }
    Ok(ExitCode::SUCCESS)
}

/// The matter of that id, or the last one that is not over.
async fn pick(client: &Client, wanted: Option<MatterId>) -> Result<String> {
    if let Some(matter) = wanted {
        return Ok(matter.to_string());
    }
    let mut last = None;
    loop {
        let after = last.as_ref().map(|last| format!("&after={last}")).unwrap_or_default();
        let page: Page = client.get(&format!("/v1/matters?open=true&limit=500{after}")).await?;
        last = page.matters.last().map(|row| row.matter.to_string()).or(last);
        if page.next.is_none() {
            break;
        }
    }
    last.ok_or_else(|| {
        let message = "no matter of this service is open; `synod matter list` shows them all";
        Fail::new(code::NO_INPUT, "matter/none-open", message)
    })
}
