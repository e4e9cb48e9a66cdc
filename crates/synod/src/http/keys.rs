//! `/v1/keys`: the keys that participants sign what they do with.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use synod_core::Command;
use synod_core::kernel::Who;
use utoipa::ToSchema;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{Path, SmallJson};
use crate::wire::{Done, Failure};

/// A key to sign with.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SigningKey {
    /// The public key: Ed25519, 64 hexadecimal digits in lower case. `null` takes the present one away.
    key: Option<String>,
}

/// Sign with a key from now on: unsigned requests of this participant are then refused. For participants. The request
/// itself is signed, with the new key the first time and with the present one later.
#[utoipa::path(post, path = "/v1/keys", tag = "keys", operation_id = "registerKey",
    request_body = SigningKey,
    responses(
        (status = 200, description = "The key is registered.", body = Done),
        (status = 403, description = "The request is not signed, or not with the right key.", body = Failure),
        (status = 404, description = "Nobody has invited this participant yet.", body = Failure),
        (status = 409, description = "Refused by the rules.", body = Failure),
        (status = 428, description = "What there is to sign, for a request with the header Synod-Sign.", body = Failure),
    ))]
pub(crate) async fn register(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<SigningKey>,
) -> HttpResult<Response> {
    let who = caller.participant()?.clone();
    // Whom nobody has invited yet is only counted: the record keeps what the house refuses.
    if service.engine.read(|house| house.roster().get(&who).is_none()) {
        let message = format!("`{who}` is not known in this house yet: register a key once you are invited");
        return Err(Problem::missing("roster/unknown-seat", message));
    }
    let acted = service.give(caller.actor(), &key, Command::Key { key: body.key, who }).await?;
    Ok(acted.answer(StatusCode::OK, None))
}

/// Take away the key of a participant who has lost it. For operators.
#[utoipa::path(delete, path = "/v1/keys/{who}", tag = "keys", operation_id = "removeKey",
    params(("who" = String, Path, description = "The participant.")),
    responses(
        (status = 200, description = "The participant signs no more.", body = Done),
        (status = 404, description = "There is no such participant.", body = Failure),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn remove(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(who): Path<String>,
) -> HttpResult<Response> {
    caller.operates()?;
    // Nobody has a name that cannot be one.
    let who = Who::parse(&who).map_err(|wrong| Problem::missing("roster/unknown-seat", wrong))?;
    let acted = service.give(caller.actor(), &key, Command::Key { key: None, who }).await?;
    Ok(acted.answer(StatusCode::OK, None))
}
