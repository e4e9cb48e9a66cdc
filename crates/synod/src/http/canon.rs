//! `/v1/canon`: what the house holds to be true, and what is sent to change it.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use synod_core::canon::{EntryName, FoundConflicts, conflicts};
use synod_core::house::HouseItem;
use synod_core::kernel::Actor;
use synod_engine::now;
use utoipa::IntoParams;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path, Query, SmallJson};
use super::work::work;
use crate::http::reply::Json;
use crate::wire::{
    CanonEntryView, CanonPage, CheckBody, CheckedText, ClaimsBody, ClaimsDecisionBody, ConflictPage,
    ConflictView, DecideBody, EndBody, Failure, PromoteBody, ProposedPage, StatusBody, SupportBody,
};
use crate::work::WorkDone;

/// What is listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct CanonWanted {
    /// Also entries that ended or expired.
    all: Option<bool>,
}

/// The entries of the canon, by name.
#[utoipa::path(get, path = "/v1/canon", tag = "canon", operation_id = "listCanon",
    params(CanonWanted),
    responses((status = 200, description = "The latest version of each entry.", body = CanonPage)))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<CanonWanted>,
) -> HttpResult<Json<CanonPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        Ok(Json(CanonPage::of(house, now().max(house.now()), wanted.all == Some(true))))
    })
}

fn named(written: &str) -> HttpResult<EntryName> {
    EntryName::parse(written).map_err(|wrong| Problem::missing(wrong.code(), wrong.to_string()))
}

fn unknown(name: &EntryName) -> Problem {
    Problem::missing("canon/unknown-entry", format!("there is no canon entry `{name}`"))
}

/// All versions of an entry, the oldest first.
#[utoipa::path(get, path = "/v1/canon/{name}", tag = "canon", operation_id = "showCanonEntry",
    params(("name" = String, Path, description = "The name of the entry.")),
    responses((status = 200, description = "Its versions.", body = CanonPage)))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(written): Path<String>,
) -> HttpResult<Json<CanonPage>> {
    let name = named(&written)?;
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        let entries = CanonEntryView::history(house, &name, now().max(house.now()));
        match entries.is_empty() {
            true => Err(unknown(&name)),
            false => Ok(Json(CanonPage { entries })),
        }
    })
}

/// The claims that were proposed for an entry.
#[utoipa::path(get, path = "/v1/canon/{name}/claims", tag = "canon", operation_id = "listProposedClaims",
    params(("name" = String, Path, description = "The name of the entry.")),
    responses((status = 200, description = "The proposals, the oldest first.", body = ProposedPage)))]
pub(crate) async fn proposed(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(written): Path<String>,
) -> HttpResult<Json<ProposedPage>> {
    let name = named(&written)?;
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        match house.canon().entry(&name) {
            Some(_) => Ok(Json(ProposedPage::of(house, &name))),
            None => Err(unknown(&name)),
        }
    })
}

/// Hold a text against canon. Nothing is recorded.
#[utoipa::path(post, path = "/v1/canon/check", tag = "canon", operation_id = "checkCanon",
    request_body = CheckBody,
    responses((status = 200, description = "Every sentence that contradicts canon.", body = CheckedText)))]
pub(crate) async fn check(
    State(service): State<Arc<Service>>,
    caller: Caller,
    _key: IdempotencyKey,
    JsonBody(body): JsonBody<CheckBody>,
) -> HttpResult<Json<CheckedText>> {
    service.engine.read(|house| caller.may_see(house, HouseItem::Common))?;
    // A copy of what holds, so that nobody waits for a long text to be read.
    let (canon, at) = service.engine.read(|house| (house.canon().clone(), now().max(house.now())));
    let found = conflicts(&canon, &body.text, at);
    Ok(Json(CheckedText { conflicts: found.iter().map(ConflictView::from).collect() }))
}

/// Which conflicts are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ConflictsWanted {
    /// Also those that are decided.
    all: Option<bool>,
}

/// What contradicts canon and waits for a decision. A participant sees what they wrote themself.
#[utoipa::path(get, path = "/v1/canon/conflicts", tag = "canon", operation_id = "listCanonConflicts",
    params(ConflictsWanted),
    responses((status = 200, description = "Conflicts in issues, and entries that contradict each other.", body = ConflictPage)))]
pub(crate) async fn listed_conflicts(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<ConflictsWanted>,
) -> HttpResult<Json<ConflictPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        let seen = |found: &FoundConflicts| match caller.actor() {
            Actor::Seat(who) => found.who == who,
            Actor::Operator | Actor::Engine => true,
        };
        Ok(Json(ConflictPage::of(house, now().max(house.now()), wanted.all == Some(true), seen)))
    })
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident;)+) => {
        $($(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "canon", operation_id = $id,
            request_body = $body,
            responses(
                (status = 200, description = $done, body = WorkDone),
                (status = 409, description = "Refused by the rules.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            SmallJson(body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            work(&service, &caller, &key, &body).await
        })+
    };
}

changes! {
    /// Make canon of a text or of an issue.
    promote, "/v1/canon", "promoteToCanon", "The text is canon.", PromoteBody;
    /// End an entry without another in its place.
    end, "/v1/canon/end", "endCanonEntry", "The entry ended.", EndBody;
    /// Decide what to do about a text that contradicts canon: override, keep or discuss.
    decide, "/v1/canon/conflicts", "decideCanonConflict", "The choice is recorded.", DecideBody;
    /// Say how far an issue is to be relied on.
    status, "/v1/canon/status", "setEpistemicStatus", "The issue moved.", StatusBody;
    /// Say that you find an issue sound, or no longer do.
    support, "/v1/canon/support", "supportIssue", "Your support is recorded.", SupportBody;
    /// Propose claims for an entry. They count once somebody accepts them.
    propose_claims, "/v1/canon/claims", "proposeClaims", "The claims are proposed.", ClaimsBody;
    /// Accept or refuse proposed claims. For the user and the lead.
    decide_claims, "/v1/canon/claims/decide", "decideClaims", "The claims are accepted or refused.", ClaimsDecisionBody;
}
