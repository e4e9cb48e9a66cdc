//! `/v1/ledger`, `/v1/leaderboard`, `/v1/awards`, `/v1/ratings` and `/v1/goals`: what agents earned, and what is sent to change it.
//! The house judges who may give what.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use synod_core::House;
use synod_core::house::HouseItem;
use synod_core::kernel::{At, Id, Seq, Who};
use synod_core::ledger;
use synod_engine::Fault;
use utoipa::IntoParams;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{Query, SmallJson};
use super::work::work;
use crate::credits;
use crate::http::reply::Json;
use crate::wire::{
    AttemptPage, AwardBody, Failure, GoalBody, GoalDropBody, GoalPage, LeaderboardView, LedgerEntry,
    LedgerPage, ModelRecordPage, RatingBody,
};
use crate::work::WorkDone;

/// Which entries of the ledger to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LedgerQuery {
    /// Only those of this participant.
    agent: Option<String>,
    /// Only what follows this act: `next` of the page before.
    #[param(maximum = 9007199254740991_u64)]
    after: Option<u64>,
}

impl LedgerQuery {
    fn who(&self, house: &House, caller: &Caller) -> HttpResult<Option<Who>> {
        let Some(name) = &self.agent else { return Ok(None) };
        let who = Who::parse(name).map_err(|wrong| Problem::missing("roster/malformed-name", wrong))?;
        credits::check_known(house, caller.reader(), &who)?;
        Ok(Some(who))
    }

    /// Picks entries of the record on a thread of their own: the disk takes time that nobody else should wait for.
    async fn page<T: Send + 'static>(
        &self,
        service: &Service,
        pick: impl FnMut(Id, At, &ledger::Event) -> Option<T> + Send + 'static,
    ) -> HttpResult<(Vec<T>, Option<u64>)> {
        if self.after.is_some_and(|after| after >= 1 << 53) {
            return Err(Problem::malformed("request/query", "`after` is not the number of an act"));
        }
        let (reader, after) = (service.house.reader()?, Seq(self.after.unwrap_or(0)));
        let read = tokio::task::spawn_blocking(move || credits::page(&reader, after, pick)).await;
        let read = read.map_err(|_| Problem::busy("house/io", "the record could not be read; try again"))?;
        read.map_err(|error| Fault::from(error).into())
    }
}

/// Credits: every posting with its reason, its issue and its proof, and how agents stand. A balance is the sum of its postings.
#[utoipa::path(get, path = "/v1/ledger", tag = "credits", operation_id = "showLedger", params(LedgerQuery),
    responses(
        (status = 200, description = "One page, oldest first.", body = LedgerPage),
        (status = 404, description = "There is no such participant.", body = Failure),
    ))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<LedgerQuery>,
) -> HttpResult<Json<LedgerPage>> {
    let (house, who) = service.engine.read(|house| {
        caller.may_see(house, HouseItem::Credits)?;
        Ok::<_, Problem>((house.clone(), wanted.who(house, &caller)?))
    })?;
    let agents = credits::standings(&house, who.as_ref());
    let pick =
        move |id: Id, at: At, event: &ledger::Event| LedgerEntry::of(&house, who.as_ref(), (id, at, event));
    let (entries, next) = wanted.page(&service, pick).await?;
    Ok(Json(LedgerPage::of(entries, agents, next)))
}

/// Refused attempts to move credit. For operators.
#[utoipa::path(get, path = "/v1/ledger/attempts", tag = "credits", operation_id = "listCreditAttempts", params(LedgerQuery),
    responses(
        (status = 200, description = "One page, oldest first.", body = AttemptPage),
        (status = 404, description = "There is no such participant.", body = Failure),
    ))]
pub(crate) async fn attempts(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<LedgerQuery>,
) -> HttpResult<Json<AttemptPage>> {
    let who = service.engine.read(|house| {
        caller.may_see(house, HouseItem::Attempts)?;
        wanted.who(house, &caller)
    })?;
    let pick = move |id: Id, at: At, event: &ledger::Event| credits::attempt(who.as_ref(), (id, at, event));
    let (attempts, next) = wanted.page(&service, pick).await?;
    Ok(Json(AttemptPage { attempts, next }))
}

/// Which leaderboard to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardQuery {
    /// Only this period, by its name; of all times if left out.
    period: Option<String>,
}

/// Who earned how many credits, ever or in a period.
#[utoipa::path(get, path = "/v1/leaderboard", tag = "credits", operation_id = "showLeaderboard", params(LeaderboardQuery),
    responses(
        (status = 200, description = "The agents, best first.", body = LeaderboardView),
        (status = 404, description = "There is no such period.", body = Failure),
    ))]
pub(crate) async fn leaderboard(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<LeaderboardQuery>,
) -> HttpResult<Json<LeaderboardView>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Credits)?;
        Ok(Json(credits::leaderboard(house, wanted.period.as_deref())?))
    })
}

/// Every agent with every model that ever answered for it.
#[utoipa::path(get, path = "/v1/leaderboard/models", tag = "credits", operation_id = "listModelRecords",
    responses((status = 200, description = "Most credits first.", body = ModelRecordPage)))]
pub(crate) async fn by_model(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> HttpResult<Json<ModelRecordPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Credits)?;
        Ok(Json(credits::by_model(house)))
    })
}

/// Which goals to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct GoalQuery {
    /// Also those that were reached, missed or taken back.
    all: Option<bool>,
}

/// Goals of the team and of agents, with how far they are.
#[utoipa::path(get, path = "/v1/goals", tag = "credits", operation_id = "listGoals", params(GoalQuery),
    responses((status = 200, description = "Those that are open.", body = GoalPage)))]
pub(crate) async fn goals(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<GoalQuery>,
) -> HttpResult<Json<GoalPage>> {
    service.engine.read(|house| {
        caller.may_see(house, HouseItem::Credits)?;
        Ok(Json(GoalPage::of(house, wanted.all == Some(true))))
    })
}

macro_rules! changes {
    ($($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident;)+) => {
        $($(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "credits", operation_id = $id,
            request_body = $body,
            responses(
                (status = 200, description = $done, body = WorkDone),
                (status = 409, description = "Refused by the rules. A refused attempt to move credit is recorded.", body = Failure),
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
    /// Give an agent credit for something in an issue, or take it. Operators give what the user verifies, moderators what moderators
    /// do; nobody gives anything to themself.
    award, "/v1/awards", "giveAward", "The credit is posted, or it was given before.", AwardBody;
    /// Say whether an agent helped in an issue. It moves no credit.
    rate, "/v1/ratings", "rateAgent", "The rating is noted.", RatingBody;
    /// Set a goal for an agent or the team.
    set_goal, "/v1/goals", "setGoal", "The goal is set.", GoalBody;
    /// Take a goal back.
    drop_goal, "/v1/goals/drop", "dropGoal", "The goal is taken back.", GoalDropBody;
}
