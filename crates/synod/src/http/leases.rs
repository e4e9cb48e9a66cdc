//! `/v1/leases`: who works on which files.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use synod_core::house::HouseItem;
use synod_engine::now;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::SmallJson;
use super::work::work;
use crate::http::reply::Json;
use crate::lease_path;
use crate::wire::{AskBody, Failure, LeasePage, RenewBody, ReturnBody, TakeBody};
use crate::work::WorkDone;

/// Who holds which files and folders.
#[utoipa::path(get, path = "/v1/leases", tag = "leases", operation_id = "listLeases",
    responses((status = 200, description = "What is held, by path.", body = LeasePage)))]
pub(crate) async fn list(State(service): State<Arc<Service>>, caller: Caller) -> HttpResult<Json<LeasePage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        Ok(Json(LeasePage::of(house, now().max(house.now()))))
    })
}

/// Two names of one file are one lease, also where a link makes them two.
fn resolve(service: &Service, paths: &mut [String]) -> HttpResult<()> {
    for path in paths {
        let outside = || {
            let message = format!("`{path}` cannot be leased: it leads out of the project folder");
            Problem::new(StatusCode::CONFLICT, "lease/bad-path", message)
        };
        *path = lease_path::sent(&service.house, path).ok_or_else(outside)?;
    }
    Ok(())
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident;)+) => {
        $($(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "leases", operation_id = $id,
            request_body = $body,
            responses(
                (status = 200, description = $done, body = WorkDone),
                (status = 409, description = "Refused by the rules: `lease/held` names the holder and when the lease ends.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            SmallJson(mut body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            resolve(&service, body.paths())?;
            work(&service, &caller, &key, &body).await
        })+
    };
}

changes! {
    /// Take files and folders, all or none.
    take, "/v1/leases", "takeLeases", "They are yours until then.", TakeBody;
    /// Extend leases: their time starts again now.
    renew, "/v1/leases/renew", "renewLeases", "They are yours until then.", RenewBody;
    /// Give files and folders back.
    release, "/v1/leases/release", "releaseLeases", "They are free.", ReturnBody;
    /// Ask for what somebody else holds.
    ask, "/v1/leases/ask", "askForLease", "The holder is notified.", AskBody;
}
