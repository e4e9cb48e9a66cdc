//! `/v1/turns`: what a participant is asked to do, pulled by them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use synod_core::kernel::{AskId, At, MatterId, Who};
use synod_core::view::TurnSheet;
use synod_core::{Ask, House};
use tokio::sync::Notify;
use utoipa::{IntoParams, ToSchema};

use super::guard::Known;
use super::listen::shutdown_requested;
use super::problem::{Problem, Result};
use super::read::{Query, Written};
use super::{Service, is_outside};

/// The longest one may wait, in seconds. Proxies like to cut what is silent for a minute.
const WAIT_MOST: u32 = 55;

/// How often it is looked whether one who waits would still be let in.
const LOOK: Duration = Duration::from_secs(5);

/// Those who wait for a turn.
#[derive(Debug, Default)]
pub(crate) struct Waiting(Mutex<HashMap<Who, Arc<Notify>>>);

impl Waiting {
    fn of(&self, who: &Who) -> Arc<Notify> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bell) = waiting.get(who) {
            return bell.clone();
        }
        // Who waits holds the other end; the rest can go.
        waiting.retain(|_, bell| Arc::strong_count(bell) > 1);
        waiting.entry(who.clone()).or_default().clone()
    }

    /// Wakes everybody with an open ask in one of these matters.
    pub(crate) fn wake(&self, house: &House, matters: &[MatterId]) {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_empty() {
            return;
        }
        let asks =
            matters.iter().filter_map(|matter| house.case(*matter)).flat_map(|case| case.asks().values());
        asks.filter_map(|ask| waiting.get(&ask.who)).for_each(|bell| bell.notify_waiters());
    }
}

/// How long to wait, and for what.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Patience {
    /// How many seconds to wait for a turn if there is none; not at all if left out.
    #[param(minimum = 0, maximum = 55)]
    wait: Option<u32>,
    /// Only turns whose ask is younger than this one: for those who know the older ones and let them be.
    #[param(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    after: Option<Written>,
    /// Only turns of this matter.
    #[param(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    matter: Option<Written>,
}

/// What you are asked for now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Turns {
    /// Oldest first.
    turns: Vec<Turn>,
}

/// One thing you are asked for.
#[derive(Debug, Serialize, ToSchema)]
struct Turn {
    /// The ask: what is done in this turn names it.
    #[schema(value_type = String)]
    ask: AskId,
    /// The matter.
    #[schema(value_type = String)]
    matter: MatterId,
    /// `join`, `propose`, `speak`, `weigh` or `vote`.
    task: &'static str,
    /// The phase of the ring.
    phase: &'static str,
    /// What is to be decided.
    topic: String,
    /// The round, 0 before the first.
    round: u32,
    /// Rounds at most.
    rounds: u32,
    /// When it lapses, in Unix milliseconds.
    #[schema(value_type = u64)]
    until: At,
    /// Whether you have acknowledged it: only then does it count as delivered.
    acknowledged: bool,
    /// The same in words, for a model: what others said stands behind a margin, as data.
    prompt: String,
}

impl From<TurnSheet> for Turn {
    fn from(sheet: TurnSheet) -> Self {
        let TurnSheet { ask, matter, who: _, task, phase, topic, round, rounds, until, acknowledged, prompt } =
            sheet;
        Self { ask, matter, task, phase, topic, round, rounds, until, acknowledged, prompt }
    }
}

/// Your open turns: answered as soon as there is one. A participant's route.
#[utoipa::path(get, path = "/v1/turns", tag = "turns", operation_id = "listTurns", params(Patience),
    responses(
        (status = 200, description = "What you are asked for.", body = Turns),
        (status = 204, description = "Nothing, for as long as you would wait."),
    ))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    known: Known,
    Query(patience): Query<Patience>,
) -> Result<Response> {
    let who = known.caller.participant()?;
    let wait = patience.wait.unwrap_or(0);
    if wait > WAIT_MOST {
        return Err(Problem::malformed(
            "request/query",
            format!("wait must be from 0 to {WAIT_MOST} seconds"),
        ));
    }
    let mut place = None;
    let bell = service.waiting.of(who);
    let mut ending = service.ending.clone();
    let until = tokio::time::Instant::now() + Duration::from_secs(u64::from(wait));
    loop {
        // Listening before looking, so that nothing falls between the two.
        let rung = bell.notified();
        tokio::pin!(rung);
        rung.as_mut().enable();
        let turns = service.engine.read(|house| open(house, who, &patience));
        if !turns.is_empty() {
            known.still(&service.access)?;
            return Ok(Json(Turns { turns }).into_response());
        }
        // Only what really waits takes up a place.
        if wait > 0 && place.is_none() {
            place = Some(service.place(&known)?);
        }
        tokio::select! {
            () = rung => (),
            () = tokio::time::sleep(LOOK) => known.still(&service.access)?,
            () = tokio::time::sleep_until(until) => return Ok(StatusCode::NO_CONTENT.into_response()),
            () = shutdown_requested(&mut ending) => return Ok(StatusCode::NO_CONTENT.into_response()),
        }
    }
}

fn open(house: &House, who: &Who, patience: &Patience) -> Vec<Turn> {
    let wanted = house.asks_of(who).filter(|(id, ask)| {
        patience.after.is_none_or(|after| id.0 > after.0)
            && patience.matter.is_none_or(|matter| ask.matter.0 == matter.0)
            && house.asked(ask).is_some_and(is_outside)
    });
    let sheet = |(id, ask): (AskId, &Ask)| TurnSheet::of(house.case(ask.matter)?, id);
    wanted.filter_map(sheet).map(Turn::from).collect()
}
