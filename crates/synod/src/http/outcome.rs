//! What turned out to be true of a matter, and each seat's track record.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use synod_core::Command;
use synod_core::house::HouseItem;
use synod_core::track::TrackRecord;
use utoipa::ToSchema;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path};
use super::steer::order;
use crate::http::reply::Json;
use crate::outcome;
use crate::wire::{Done, Failure, WrittenMatter};

/// What turned out to be true.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Was {
    /// `right` or `wrong` (the decision), `yes`, `no`, `none`, or an option or a proposal by its letter.
    was: String,
}

/// Record what turned out to be true of a matter that is over; its votes are marked right or wrong. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/outcome", tag = "matters", operation_id = "learnOutcome",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Was,
    responses(
        (status = 200, description = "The outcome is recorded.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn learn(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Was { was }): JsonBody<Was>,
) -> HttpResult<Response> {
    caller.operates()?;
    let told = service.look(&caller, matter, |_, case| {
        let known = || {
            format!("that is not a possible outcome of this matter; write one of: {}", outcome::known(case))
        };
        outcome::read(case, &was).ok_or_else(|| Problem::conflict("track/no-such-answer", known()))
    })?;
    order(&service, &caller, &key, matter, Command::RecordOutcome { matter, verdict: told }).await
}

/// The track record of every seat.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Records {
    /// The number of matters with a known outcome.
    known: usize,
    /// Every seat, with each model it ran on.
    records: Vec<TrackRecordRow>,
}

/// The record of a seat with a model.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Row)]
struct TrackRecordRow {
    /// The seat.
    who: String,
    /// The model it ran on, if that is known.
    model: Option<String>,
    /// The type of seat, where no model is known.
    backend: Option<String>,
    /// Votes that were right.
    right: u32,
    /// Votes that were wrong.
    wrong: u32,
    /// Votes against what was decided that were right.
    right_alone: u32,
    /// Votes against what was decided that were wrong.
    wrong_alone: u32,
}

/// The track record of every seat: how often it was right, where the outcome is known. For operators.
#[utoipa::path(get, path = "/v1/records", tag = "matters", operation_id = "listRecords",
    responses((status = 200, description = "The track records.", body = Records)))]
pub(crate) async fn records(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> HttpResult<Json<Records>> {
    service.engine.read(|house| caller.may_see(house, HouseItem::Records))?;
    let row = |record: TrackRecord| {
        let TrackRecord { who, model, backend, right, wrong, right_alone, wrong_alone } = record;
        TrackRecordRow { who: who.as_str().into(), model, backend, right, wrong, right_alone, wrong_alone }
    };
    let (known, records) = service.engine.read(|house| (house.track().known(), house.track().records()));
    Ok(Json(Records { known, records: records.into_iter().map(row).collect() }))
}
