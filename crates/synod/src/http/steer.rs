//! What the operator does to a matter that is open: rest, go on, end; and what it asked for.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use synod_core::kernel::{Actor, MatterId};
use synod_core::{Command, matter};
use utoipa::ToSchema;

use super::Hall;
use super::answer::{Once, Told};
use super::guard::{Caller, Known};
use super::problem::{Failure, Result};
use super::read::{Given, Named, Nothing, Written};

/// Gives an order about a matter.
pub(super) async fn order(
    hall: &Hall,
    caller: &Caller,
    once: &Once,
    matter: MatterId,
    command: Command,
) -> Result<Response> {
    caller.operates()?;
    let acted = hall.give(Actor::Operator, once, command).await?;
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
    State(hall): State<Arc<Hall>>,
    caller: Caller,
    once: Once,
    Named(Written(matter)): Named<Written>,
    Given(Nothing {}): Given<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    let command = Command::Pause { matter, why: matter::Pause::Operator };
    order(&hall, &caller, &once, matter, command).await
}

/// Let a matter go on that rests. The operator's to do. The seats of a debate are performed by this service from then on.
#[utoipa::path(post, path = "/v1/matters/{matter}/resume", tag = "matters", operation_id = "resumeMatter",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It goes on.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn resume(
    State(hall): State<Arc<Hall>>,
    known: Known,
    once: Once,
    Named(Written(matter)): Named<Written>,
    Given(Nothing {}): Given<Nothing>,
) -> Result<Response> {
    known.caller.operates()?;
    let matter = MatterId(matter);
    hall.perform_matter(&known, matter)?;
    order(&hall, &known.caller, &once, matter, Command::Resume { matter }).await
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
    State(hall): State<Arc<Hall>>,
    caller: Caller,
    once: Once,
    Named(Written(matter)): Named<Written>,
    Given(Nothing {}): Given<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&hall, &caller, &once, matter, Command::Stop { matter }).await
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
    State(hall): State<Arc<Hall>>,
    caller: Caller,
    once: Once,
    Named((Written(matter), Written(request))): Named<(Written, Written)>,
    Given(Answered { text }): Given<Answered>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&hall, &caller, &once, matter, Command::Supply { matter, request, text }).await
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
    State(hall): State<Arc<Hall>>,
    caller: Caller,
    once: Once,
    Named((Written(matter), Written(request))): Named<(Written, Written)>,
    Given(Nothing {}): Given<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    order(&hall, &caller, &once, matter, Command::Waive { matter, request }).await
}
