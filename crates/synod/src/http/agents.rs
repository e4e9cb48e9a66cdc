//! `/v1/agents`: who works on issues, in which role, and how they stand. The house judges who may change that.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use synod_core::house::HouseItem;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::HttpResult;
use super::read::SmallJson;
use super::work::work;
use crate::http::reply::Json;
use crate::wire::{AgentPage, Failure, ModelBody};
use crate::work::WorkDone;

/// Participants with their roles, and how those stand who work on issues. A participant sees those who work on issues.
#[utoipa::path(get, path = "/v1/agents", tag = "agents", operation_id = "listAgents",
    responses((status = 200, description = "By name.", body = AgentPage)))]
pub(crate) async fn list(State(service): State<Arc<Service>>, caller: Caller) -> HttpResult<Json<AgentPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Credits)?;
        Ok(Json(AgentPage::of(house, caller.reader())))
    })
}

/// Say which model answers for an agent from outside. For operators and leads.
#[utoipa::path(post, path = "/v1/agents/models", tag = "agents", operation_id = "changeAgentModel", request_body = ModelBody,
    responses(
        (status = 200, description = "Credits are kept for that model from now on.", body = WorkDone),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn change_model(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<ModelBody>,
) -> HttpResult<Response> {
    work(&service, &caller, &key, &body).await
}
