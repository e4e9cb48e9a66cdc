//! Motions over HTTP: seconded, withdrawn, tabled. They are proposed like any matter (`proposal`) and called up by `resume`.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use synod_core::Command;
use synod_core::kernel::Who;
use synod_core::procedure::council;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path};
use super::steer::order;
use crate::wire::{Done, Failure, Nothing, Seconding, Withdrawing, WrittenMatter};

fn seat(name: &str) -> HttpResult<Who> {
    Who::parse(name).map_err(|wrong| Problem::conflict("roster/malformed-name", wrong))
}

/// Second a motion in the name of a seat, so that it is debated. For operators. Whoever proposed it cannot.
#[utoipa::path(post, path = "/v1/matters/{matter}/second", tag = "matters", operation_id = "secondMotion",
    params(("matter" = inline(WrittenMatter), Path, description = "The motion's id.")),
    request_body = Seconding,
    responses(
        (status = 200, description = "It has a second.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn second(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Seconding { by }): JsonBody<Seconding>,
) -> HttpResult<Response> {
    let command = Command::Council(council::Command::Second { by: seat(&by)?, matter });
    order(&service, &caller, &key, matter, command).await
}

/// Take a motion back before the vote, in the name of the seat that proposed it, or as the operator. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/withdraw", tag = "matters", operation_id = "withdrawMotion",
    params(("matter" = inline(WrittenMatter), Path, description = "The motion's id.")),
    request_body = Withdrawing,
    responses(
        (status = 200, description = "It is withdrawn.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn withdraw(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Withdrawing { by }): JsonBody<Withdrawing>,
) -> HttpResult<Response> {
    let by = by.as_deref().map(seat).transpose()?;
    order(&service, &caller, &key, matter, Command::Council(council::Command::Withdraw { by, matter })).await
}

/// Set a motion aside before the vote. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/table", tag = "matters", operation_id = "tableMotion",
    params(("matter" = inline(WrittenMatter), Path, description = "The motion's id.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is tabled.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn table(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    order(&service, &caller, &key, matter, Command::Council(council::Command::Table { matter })).await
}
