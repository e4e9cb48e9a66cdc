//! What the operator does to an open matter: pause, resume, stop, and answer what participants asked for.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use synod_core::kernel::{Actor, MatterId};
use synod_core::procedure::council;
use synod_core::{Command, matter};

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::{Caller, KnownCaller};
use super::problem::HttpResult;
use super::read::{JsonBody, Path};
use crate::wire::{Answered, Done, Failure, Nothing, WrittenId, WrittenMatter};

/// Gives an order about a matter.
pub(super) async fn order(
    service: &Service,
    caller: &Caller,
    key: &IdempotencyKey,
    matter: MatterId,
    command: Command,
) -> HttpResult<Response> {
    caller.operates()?;
    let acted = service.give(Actor::Operator, key, command).await?;
    Ok(acted.answer(StatusCode::OK, Some(matter)))
}

/// Pause a matter. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/pause", tag = "matters", operation_id = "pauseMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is paused.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn pause(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    let command = Command::Pause { matter, why: matter::Pause::Operator };
    order(&service, &caller, &key, matter, command).await
}

/// Resume a paused matter. For operators. From then on this service runs the seats of a debate.
#[utoipa::path(post, path = "/v1/matters/{matter}/resume", tag = "matters", operation_id = "resumeMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is running again.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn resume(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    service.perform_matter(&known, matter)?;
    order(&service, &known.caller, &key, matter, Command::Resume { matter }).await
}

/// Stop a matter as it stands. It counts as undecided. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/stop", tag = "matters", operation_id = "stopMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is over.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn stop(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    order(&service, &caller, &key, matter, Command::Stop { matter }).await
}

/// Answer a participant's request for information. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/requests/{request}/answer", tag = "matters",
    operation_id = "answerRequest",
    params(
        ("matter" = inline(WrittenMatter), Path, description = "The matter's id."),
        ("request" = inline(WrittenId), Path, description = "The request's id."),
    ),
    request_body = Answered,
    responses(
        (status = 200, description = "It is answered.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn answer(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((WrittenMatter(matter), WrittenId(request))): Path<(WrittenMatter, WrittenId)>,
    JsonBody(Answered { text }): JsonBody<Answered>,
) -> HttpResult<Response> {
    order(
        &service,
        &caller,
        &key,
        matter,
        Command::Council(council::Command::Supply { matter, request, text }),
    )
    .await
}

/// Decline a participant's request for information and go on without it. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/requests/{request}/waive", tag = "matters",
    operation_id = "waiveRequest",
    params(
        ("matter" = inline(WrittenMatter), Path, description = "The matter's id."),
        ("request" = inline(WrittenId), Path, description = "The request's id."),
    ),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is waived.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn waive(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((WrittenMatter(matter), WrittenId(request))): Path<(WrittenMatter, WrittenId)>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    order(&service, &caller, &key, matter, Command::Council(council::Command::Waive { matter, request }))
        .await
}
