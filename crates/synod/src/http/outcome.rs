//! What became known later of a matter.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use synod_core::Command;
use synod_core::kernel::MatterId;
use utoipa::ToSchema;

use super::Hall;
use super::answer::{Once, Told};
use super::guard::Caller;
use super::problem::{Failure, Problem, Result};
use super::read::{Given, Named, Written};
use super::steer::order;
use crate::outcome;

/// What was true.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Was {
    /// `right` or `wrong` of the decision, `yes`, `no`, `none`, or an option or a proposal by its letter.
    was: String,
}

/// Say what was true of a matter that is over; its votes are marked by it. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/outcome", tag = "matters", operation_id = "learnOutcome",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Was,
    responses(
        (status = 200, description = "It is known.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn learn(
    State(hall): State<Arc<Hall>>,
    caller: Caller,
    once: Once,
    Named(Written(matter)): Named<Written>,
    Given(Was { was }): Given<Was>,
) -> Result<Response> {
    caller.operates()?;
    let matter = MatterId(matter);
    let told = hall.look(&caller, matter, |_, case| {
        let known = || format!("that is no outcome of this matter; say one of: {}", outcome::known(case));
        outcome::read(case, &was).ok_or_else(|| Problem::conflict("track/no-such-answer", known()))
    })?;
    order(&hall, &caller, &once, matter, Command::Learn { matter, told }).await
}
