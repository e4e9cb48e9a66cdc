//! `/v1/turns`: what a participant is asked to do, pulled by them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use synod_core::House;
use synod_core::house::{Item, Reader};
use synod_core::kernel::{MatterId, Who};
use tokio::sync::Notify;
use utoipa::IntoParams;

use super::guard::KnownCaller;
use super::listen::shutdown_requested;
use super::problem::{HttpResult, Problem};
use super::read::Query;
use super::{Service, sees_listed, unknown};
use crate::http::reply::Json;
use crate::resolve;
use crate::wire::{Turn, Turns, WrittenId, WrittenMatter};

/// The longest one may wait, in seconds. Proxies like to cut what is silent for a minute.
const WAIT_MOST: u32 = 55;

/// How often it is looked whether one who waits would still be let in.
const LOOK: Duration = Duration::from_secs(5);

/// The participants who wait for a turn.
#[derive(Debug, Default)]
pub(crate) struct TurnWaiters(Mutex<HashMap<Who, Arc<Notify>>>);

impl TurnWaiters {
    fn of(&self, who: &Who) -> Arc<Notify> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bell) = waiting.get(who) {
            return bell.clone();
        }
        // Who waits holds the other end; the rest can go.
        waiting.retain(|_, bell| Arc::strong_count(bell) > 1);
        waiting.entry(who.clone()).or_default().clone()
    }

    /// Wakes everybody with an open ask in one of these matters, and everybody in a matter that is over.
    pub(crate) fn wake(&self, house: &House, matters: &[MatterId]) {
        let waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_empty() {
            return;
        }
        for matter in matters {
            if let Some(case) = house.case(*matter) {
                let asked = case.asks().values().filter_map(|ask| ask.who());
                let over = case.opening.seats.iter().filter(|_| resolve::is_over(case)).map(|seat| &seat.who);
                asked.chain(over).filter_map(|who| waiting.get(who)).for_each(|bell| bell.notify_waiters());
            } else if let Some(known) = house.summary(*matter) {
                // It ended, and left memory before its act came by here.
                let seats = known.seats.iter().filter_map(|(who, _)| waiting.get(who));
                seats.for_each(|bell| bell.notify_waiters());
            }
        }
    }
}

/// How long to wait, and for what.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct TurnQuery {
    /// How many seconds to wait for a turn; 0 if left out.
    #[param(minimum = 0, maximum = 55)]
    wait: Option<u32>,
    /// Only turns newer than this one.
    #[param(inline)]
    after: Option<WrittenId>,
    /// Only turns of this matter.
    #[param(inline)]
    matter: Option<WrittenMatter>,
    /// If there is no turn, answer 200 and say why in `none`; stop waiting when no turn can come, because your rings are
    /// over or you left them.
    explain: Option<bool>,
}

impl TurnQuery {
    fn of(&self) -> Option<MatterId> {
        self.matter.map(|matter| matter.0)
    }
}

/// Your open turns. The answer comes as soon as there is one. For participants.
#[utoipa::path(get, path = "/v1/turns", tag = "turns", operation_id = "listTurns", params(TurnQuery),
    responses(
        (status = 200, description = "What you are asked for.", body = Turns),
        (status = 204, description = "Nothing is asked of you."),
    ))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    Query(patience): Query<TurnQuery>,
) -> HttpResult<Response> {
    let who = known.caller.participant()?;
    let wait = patience.wait.unwrap_or(0);
    if wait > WAIT_MOST {
        return Err(Problem::malformed(
            "request/query",
            format!("wait must be from 0 to {WAIT_MOST} seconds"),
        ));
    }
    let (matter, explain) = (patience.of(), patience.explain == Some(true));
    let seen = |matter: MatterId| {
        service.engine.read(|house| house.summary(matter).is_some_and(|it| sees_listed(&known.caller, &it)))
    };
    if let Some(matter) = matter.filter(|matter| explain && !seen(*matter)) {
        return Err(unknown(matter));
    }
    let bell = service.waiting.of(who);
    let mut ending = service.ending.clone();
    let mut place = None;
    let until = tokio::time::Instant::now() + Duration::from_secs(u64::from(wait));
    loop {
        // Listening before looking, so that nothing falls between the two.
        let rung = bell.notified();
        tokio::pin!(rung);
        rung.as_mut().enable();
        let over =
            explain.then(|| service.engine.read(|house| resolve::last_ring(house, who, matter))).flatten();
        let (turns, hopeless) = service.engine.read_with(over, |house| {
            let turns = open(house, who, &patience);
            let hopeless = explain && turns.is_empty() && resolve::hopeless(house, who, matter).is_some();
            (turns, hopeless)
        })?;
        if !turns.is_empty() {
            known.still(&service.access)?;
            let record = service.engine.newest_record()?.into();
            return Ok(Json(Turns { participant: who.clone(), record, turns, none: None }).into_response());
        }
        let nothing = || {
            if !explain {
                return Ok(StatusCode::NO_CONTENT.into_response());
            }
            let none = service.engine.read_with(over, |house| resolve::why_no_turn(house, who, matter))?;
            let record = service.engine.newest_record()?.into();
            let turns = Turns { participant: who.clone(), record, turns: Vec::new(), none: Some(none) };
            Ok(Json(turns).into_response())
        };
        if hopeless || wait == 0 {
            return nothing();
        }
        // Only what really waits takes up a place.
        if place.is_none() {
            place = Some(service.place(&known)?);
        }
        tokio::select! {
            () = rung => (),
            () = tokio::time::sleep(LOOK) => known.still(&service.access)?,
            () = tokio::time::sleep_until(until) => return nothing(),
            () = shutdown_requested(&mut ending) => return nothing(),
        }
    }
}

fn open(house: &House, who: &Who, patience: &TurnQuery) -> Vec<Turn> {
    let wanted = house.asks_of(who).filter(|(id, ask)| {
        let case = house.case(ask.matter);
        patience.after.is_none_or(|after| id.0 > after.0)
            && patience.of().is_none_or(|matter| ask.matter == matter)
            && case.is_some_and(|case| case.may_see(Reader::Participant(who), Item::Ask(ask)))
    });
    wanted.filter_map(|(id, ask)| resolve::turn(house, ask.matter, id)).collect()
}
