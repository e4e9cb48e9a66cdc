//! `/v1/receipts`

use std::sync::{Arc, PoisonError};

use axum::extract::State;
use serde_json::Value;

use super::Service;
use super::guard::Caller;
use super::problem::HttpResult;
use super::read::Path;
use crate::house::{receipt_body, sign};
use crate::http::reply::Json;
use crate::wire::{Failure, WrittenMatter};

/// The signed receipt of a matter that is over: the same bytes every time.
#[utoipa::path(get, path = "/v1/receipts/{matter}", tag = "matters", operation_id = "showReceipt",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    responses(
        (status = 200, description = "The receipt.", body = Object),
        (status = 409, description = "The matter is not over.", body = Failure),
    ))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
) -> HttpResult<Json<Value>> {
    // The records first, then the house: everybody takes them in this order.
    let records = service.records.lock().unwrap_or_else(PoisonError::into_inner);
    let body = service.look(&caller, matter, |house, _| Ok(receipt_body(house, &*records, matter)?))?;
    drop(records);
    let receipt = sign(service.house.dir(), &body)?;
    Ok(Json(crate::json::value(&receipt).unwrap_or_default()))
}
