//! `/healthz` and `/readyz`: for what starts, watches and balances services. They need no token and say nothing of the
//! house.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Service;
use super::problem::{HttpResult, Problem};
use crate::http::reply::Json;
use crate::wire::Failure;

/// How the service is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`.
    status: &'static str,
}

/// Whether the service runs. Needs no token.
#[utoipa::path(get, path = "/healthz", tag = "house", operation_id = "health", security(()),
    responses((status = 200, description = "It runs.", body = Health)))]
pub(crate) async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Whether the service can write to its house now. Needs no token.
#[utoipa::path(get, path = "/readyz", tag = "house", operation_id = "ready", security(()),
    responses(
        (status = 200, description = "Writes are accepted.", body = Health),
        (status = 503, description = "Not now: the service ends, or its house cannot be written.", body = Failure),
    ))]
pub(crate) async fn ready(State(service): State<Arc<Service>>) -> HttpResult<Json<Health>> {
    let stalled = service.engine.stall().borrow().is_some();
    if *service.ending.borrow() || stalled || !service.engine.is_running() {
        return Err(Problem::busy("service/not-ready", "the service cannot write to its house now"));
    }
    Ok(Json(Health { status: "ok" }))
}
