//! `/v1/house`

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use synod_core::house::HouseItem;
use utoipa::ToSchema;

use super::guard::Caller;
use super::problem::HttpResult;
use super::reply::Json;
use super::{Service, sees_listed};

/// A house.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = House)]
pub(crate) struct HouseView {
    /// The version of the service.
    version: &'static str,
    /// The public key the house signs receipts with, in hex.
    key: Option<String>,
    /// The number of the last act. Operators only: it shows how much happens in other people's matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
    /// Why nothing can be written now, if so: matters stand still, and nobody is charged for the time.
    #[serde(skip_serializing_if = "Option::is_none")]
    stalled: Option<StallView>,
    /// The number of matters you may see.
    matters: usize,
    /// Who you are here.
    you: TokenHolder,
}

/// A time in which nothing can be written.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Stalled)]
pub(crate) struct StallView {
    /// Since when, in Unix milliseconds.
    since: u64,
    /// What is wrong. Operators only: it may name files of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

/// Who a token lets you be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = You)]
pub(crate) struct TokenHolder {
    /// `operator` or `participant`.
    role: TokenRole,
    /// The participant you act for.
    #[serde(skip_serializing_if = "Option::is_none")]
    participant: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Role)]
enum TokenRole {
    Operator,
    Participant,
}

/// The house, and who you are in it.
#[utoipa::path(get, path = "/v1/house", tag = "house", operation_id = "showHouse",
    responses((status = 200, description = "The house.", body = HouseView)))]
pub(crate) async fn show(State(service): State<Arc<Service>>, caller: Caller) -> HttpResult<Json<HouseView>> {
    let you = match &caller {
        Caller::Owner | Caller::Operator => TokenHolder { role: TokenRole::Operator, participant: None },
        Caller::Participant(who) => {
            TokenHolder { role: TokenRole::Participant, participant: Some(who.to_string()) }
        }
    };
    let stalled = service.engine.stall().borrow().clone();
    Ok(Json(service.engine.read(|house| HouseView {
        stalled: stalled.map(|stall| StallView {
            since: stall.since.0,
            why: house.may_see(caller.reader(), HouseItem::Head).then_some(stall.said),
        }),
        version: env!("CARGO_PKG_VERSION"),
        key: house.upkeep().key().map(|known| known.key.clone()),
        seq: house.may_see(caller.reader(), HouseItem::Head).then(|| house.seq().0),
        matters: house.summaries().filter(|known| sees_listed(&caller, known)).count(),
        you,
    })))
}
