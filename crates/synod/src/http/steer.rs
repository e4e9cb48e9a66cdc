//! What the operator does to a matter that is open: rest, go on, end; and what it asked for.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use synod_core::kernel::{Actor, MatterId};
use synod_core::{Command, matter};
use utoipa::ToSchema;

use super::answer::{IdempotencyKey, Told};
use super::guard::Caller;
use super::problem::{Failure, Problem, Result};
use super::read::{JsonBody, Nothing, Path, Written};
use super::{Service, is_outside};

/// Gives an order about a matter.
pub(super) async fn order(
    service: &Service,
    caller: &Caller,
    key: &IdempotencyKey,
    matter: MatterId,
    command: Command,
) -> Result<Response> {
    caller.operates()?;
    let acted = service.give(Actor::Operator, key, command).await?;
    Ok(acted.tell(StatusCode::OK, Some(matter)))
}

/// Let a matter rest. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/pause", tag = "matters", operation_id = "pauseMatter",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It rests.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn pause(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(Written(matter)): Path<Written>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    let command = Command::Pause { matter, why: matter::Pause::Operator };
    order(&service, &caller, &key, matter, command).await
}

/// Let a matter go on that rests. The operator's to do. Only matters whose participants are all outside go on here: the
/// service performs no minds.
#[utoipa::path(post, path = "/v1/matters/{matter}/resume", tag = "matters", operation_id = "resumeMatter",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It goes on.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn resume(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(Written(matter)): Path<Written>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response> {
    caller.operates()?;
    let matter = MatterId(matter);
    let inside = service.look(&caller, matter, |_, case| {
        let seats = case.opening.seats.iter().chain(&case.opening.judges).chain(&case.opening.scribe);
        Ok(seats.filter(|seat| !is_outside(seat)).map(|seat| seat.name.clone()).collect::<Vec<_>>())
    })?;
    if !inside.is_empty() {
        let message = format!(
            "this service performs no minds, and matter {matter} needs those of {}: end the service and run `synod matter resume {matter}`, or start the service with --resume",
            inside.join(", ")
        );
        return Err(Problem::conflict("service/needs-minds", message));
    }
    order(&service, &caller, &key, matter, Command::Resume { matter }).await
}

/// End a matter as it stands. It counts as undecided. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/stop", tag = "matters", operation_id = "stopMatter",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is over.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn stop(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(Written(matter)): Path<Written>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&service, &caller, &key, matter, Command::Stop { matter }).await
}

/// An answer to what a participant asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    /// What the council shall know.
    text: String,
}

/// Answer something a participant asked for. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/requests/{request}/answer", tag = "matters",
    operation_id = "answerRequest",
    params(
        ("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$"),
        ("request" = String, Path, description = "The request's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$"),
    ),
    request_body = Answered,
    responses(
        (status = 200, description = "It is answered.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn answer(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((Written(matter), Written(request))): Path<(Written, Written)>,
    JsonBody(Answered { text }): JsonBody<Answered>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&service, &caller, &key, matter, Command::Supply { matter, request, text }).await
}

/// Let the council go on without something a participant asked for. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/requests/{request}/waive", tag = "matters",
    operation_id = "waiveRequest",
    params(
        ("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$"),
        ("request" = String, Path, description = "The request's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$"),
    ),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is waived.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn waive(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((Written(matter), Written(request))): Path<(Written, Written)>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&service, &caller, &key, matter, Command::Waive { matter, request }).await
}
