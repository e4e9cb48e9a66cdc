//! `/v1/workshop`, `/v1/periods` and invitations of seats: whether agents may run, how they are doing, and seats that this service
//! performs on issues beside those who come by themselves.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use synod_core::Command;
use synod_core::house::HouseItem;
use synod_core::procedure::workshop;
use synod_core::roster::HealthMode;
use synod_engine::now;
use utoipa::IntoParams;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::{Caller, KnownCaller};
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path, Query};
use crate::credits;
use crate::http::reply::Json;
use crate::issues;
use crate::wire::{Done, Failure, InvitationBody, IssueRef, PeriodPage, PreflightView, ReportView};

/// Periods, oldest first, with what happened in those that are over.
#[utoipa::path(get, path = "/v1/periods", tag = "workshop", operation_id = "listPeriods",
    responses((status = 200, description = "All periods.", body = PeriodPage)))]
pub(crate) async fn periods(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> HttpResult<Json<PeriodPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        Ok(Json(PeriodPage::of(house)))
    })
}

/// How agents are to work.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PreflightQuery {
    /// `editor` beside a person (used if left out), or `team`, which needs exactly one assistant.
    #[param(pattern = "^(editor|team)$")]
    mode: Option<String>,
}

/// Whether agents may run by themselves here: everything that is missing, with the command that fixes it.
#[utoipa::path(get, path = "/v1/workshop/health", tag = "workshop", operation_id = "checkWorkshop", params(PreflightQuery),
    responses((status = 200, description = "`ok` says whether they may.", body = PreflightView)))]
pub(crate) async fn health(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<PreflightQuery>,
) -> HttpResult<Json<PreflightView>> {
    let word = wanted.mode.as_deref().unwrap_or("editor");
    let mode = HealthMode::WORDS.iter().find(|(known, _)| *known == word).map(|(_, mode)| *mode);
    let mode = mode.ok_or_else(|| Problem::malformed("request/query", "mode must be editor or team"))?;
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        Ok(Json(PreflightView::from(&house.health(mode))))
    })
}

/// Since when to report.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportQuery {
    /// Count what agents did since this period began.
    period: Option<String>,
}

/// What is frozen, what is stuck, who is reliable, and what to do next. For operators, leads and moderators.
#[utoipa::path(get, path = "/v1/workshop/report", tag = "workshop", operation_id = "reportWorkshop", params(ReportQuery),
    responses(
        (status = 200, description = "The report.", body = ReportView),
        (status = 404, description = "There is no such period.", body = Failure),
    ))]
pub(crate) async fn report(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<ReportQuery>,
) -> HttpResult<Json<ReportView>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Common)?;
        // It says what notices to moderators say.
        if !workshop::is_told_what_moderators_are(house, caller.reader()) {
            let message = "only the user, a lead or a moderator may read the report";
            return Err(Problem::forbidden("workshop/needs-moderator", message));
        }
        Ok(Json(credits::report(house, now().max(house.now()), wanted.period.as_deref())?))
    })
}

/// Invite a seat that this service performs to comment on an issue, beside agents that come by themselves. Answered as soon as the
/// seat is asked; the feed and the issue show what it wrote. For operators.
#[utoipa::path(post, path = "/v1/issues/{issue}/invitations", tag = "workshop", operation_id = "inviteSeat",
    params(("issue" = inline(IssueRef), Path, description = "The issue's number, its id, or `last`.")),
    request_body = InvitationBody,
    responses(
        (status = 202, description = "The seat is asked.", body = Done),
        (status = 404, description = "There is no such issue.", body = Failure),
        (status = 409, description = "Refused by the rules, or agents may not run here by themselves yet.", body = Failure),
    ))]
pub(crate) async fn invite(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(named): Path<IssueRef>,
    JsonBody(InvitationBody { seat }): JsonBody<InvitationBody>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    let issue = service.issue(&known.caller, named)?;
    let blocked = |fail: crate::fail::Fail| Problem::conflict(fail.name(), fail.message());
    service.engine.read(issues::preflight).map_err(blocked)?;
    let table = service.table(std::slice::from_ref(&seat), &[], None)?;
    let Some(invited) = table.seats.first().cloned() else {
        return Err(Problem::unfit("`seat` names nobody"));
    };
    service.engine.add_minds(table.minds);
    let command = Command::Workshop(workshop::Command::Invite { issue, who: invited.who.clone() });
    let acted = service.give_after(&key, None, &[invited], command).await?;
    Ok(acted.named(StatusCode::ACCEPTED, Some(issue), &service.engine))
}
