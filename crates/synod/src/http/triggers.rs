//! `/v1/observations` and `/v1/triggers`: what agents do, and what calls a council.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use serde_json::Value;
use synod_core::house::HouseItem;
use synod_core::kernel::{At, MatterId, Who};
use synod_core::trigger::{self, TriggerCause, TriggerKind};
use synod_core::{Act, Command, Event};
use synod_engine::now;
use utoipa::ToSchema;

use super::answer::{Acted, IdempotencyKey, REPLAYED};
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::SmallJson;
use super::{Service, sees_listed};
use crate::fail::{Fail, code};
use crate::http::reply::Json;
use crate::triggers::{FLAWED, RulesLoading, notices, prepare};
use crate::wire::Failure;
use crate::wire::observation::{self, Called, Noted, Observed, UnreadableInput};

impl Service {
    /// Gives an order that may call a council, with the present rules of the house in force.
    async fn call(
        &self,
        caller: &Caller,
        key: &IdempotencyKey,
        command: Command,
        new: &[&Who],
    ) -> HttpResult<Response> {
        self.may_note(&caller.actor())?;
        let rules = RulesLoading::Kept(&self.regulated, self.house.dir());
        let prepared = prepare(&self.engine, rules, new).await;
        prepared.map_err(|fail| self.unready(caller, fail))?;
        let acted = self.give(caller.actor(), key, command).await?;
        let acknowledgement = acted.acknowledged();
        if !acted.repeated {
            self.was_noted(&acted.act);
        }
        let noted = self.engine.read(|house| {
            let seen =
                |matter: &MatterId| house.summary(*matter).is_some_and(|known| sees_listed(caller, &known));
            let all = house.may_see(caller.reader(), HouseItem::Observations);
            let found = notices(house, &acted.act).into_iter();
            let found = found.filter_map(|notice| if all { Some(notice) } else { notice.for_participant() });
            let (act, matter) = (acted.act.seq.0, opened(&acted.act).filter(seen));
            Noted { act, matter, notices: found.collect(), acknowledgement }
        });
        let mut response = (StatusCode::OK, Json(noted)).into_response();
        if let Acted { repeated: true, .. } = acted {
            response.headers_mut().insert(REPLAYED, axum::http::HeaderValue::from_static("true"));
        }
        Ok(response)
    }

    /// The rules of the house cannot be used as they are. Only those who can fix them are told what is wrong and where.
    fn unready(&self, caller: &Caller, fail: Fail) -> Problem {
        if fail.code() == code::IO {
            return fail.into();
        }
        match self.engine.read(|house| house.may_see(caller.reader(), HouseItem::Flaws)) {
            true => Problem::busy("trigger/flawed", fail.message()),
            false => Problem::busy("trigger/flawed", FLAWED),
        }
    }
}

/// A body that cannot be used: its form is the request's fault, its meaning is judged like any other.
fn unreadable(code: &str, wrong: UnreadableInput) -> Problem {
    match wrong {
        UnreadableInput::Form(message) => Problem::unfit(message),
        UnreadableInput::Meaning(message) => Problem::conflict(code, message),
    }
}

fn opened(act: &Act) -> Option<MatterId> {
    act.events().iter().find_map(|event| {
        let Event::Trigger(trigger::Event::Fired { matter, .. }) = event else { return None };
        *matter
    })
}

/// Report what an agent did. Patterns in these reports may call a council.
#[utoipa::path(post, path = "/v1/observations", tag = "triggers", operation_id = "observe",
    request_body = Observed,
    responses(
        (status = 200, description = "The observation is recorded.", body = Noted),
        (status = 409, description = "Refused by the rules.", body = Failure),
        (status = 503, description = "The house cannot be written or read now, it took too long (then it may still happen), or its triggers.toml or a charter named there has an error (`trigger/flawed`): the operator must fix the file.", body = Failure),
    ))]
pub(crate) async fn observe(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<Value>,
) -> HttpResult<Response> {
    let observation =
        observation::observation(body).map_err(|wrong| unreadable("observation/malformed", wrong))?;
    observation.note().map_err(|error| Problem::conflict("observation/malformed", error.to_string()))?;
    own(&caller, Some(&observation.agent))?;
    let agent = observation.agent.clone();
    service.call(&caller, &key, Command::Observe { observation }, &[&agent]).await
}

/// Ask for a council. A participant asks for itself; everything else is for operators.
#[utoipa::path(post, path = "/v1/triggers", tag = "triggers", operation_id = "trigger",
    request_body = Called,
    responses(
        (status = 200, description = "The request was judged; `notices` says what came of it.", body = Noted),
        (status = 409, description = "Refused by the rules.", body = Failure),
        (status = 503, description = "The house cannot be written or read now, it took too long (then it may still happen), or its triggers.toml or a charter named there has an error (`trigger/flawed`): the operator must fix the file.", body = Failure),
    ))]
pub(crate) async fn call(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<Value>,
) -> HttpResult<Response> {
    let request = observation::request(body).map_err(|wrong| unreadable("trigger/malformed", wrong))?;
    request.check().map_err(|error| Problem::conflict("trigger/malformed", error.to_string()))?;
    let asking = match &request.cause {
        TriggerCause::Agent { agent, .. } => Some(agent.clone()),
        TriggerCause::User { .. } | TriggerCause::Checkpoint { .. } | TriggerCause::Phase { .. } => None,
        TriggerCause::Threshold { .. } | TriggerCause::Scheduled => None,
    };
    own(&caller, asking.as_ref())?;
    let named = request.participants.clone();
    // Whom the operator names is taken in; a participant calls those who are here.
    let new = asking.iter().chain(named.iter().filter(|_| caller.operates().is_ok())).collect::<Vec<_>>();
    service.call(&caller, &key, Command::Trigger(Box::new(request)), &new).await
}

/// Refuses what a participant says of another.
fn own(caller: &Caller, agent: Option<&Who>) -> HttpResult<()> {
    match (caller, agent) {
        (Caller::Participant(who), Some(agent)) if who == agent => Ok(()),
        (Caller::Participant(_), _) => Err(Problem::forbidden(
            "token/not-yours",
            "a participant reports for itself: use your own name as `agent`",
        )),
        (Caller::Owner | Caller::Operator, _) => Ok(()),
    }
}

/// The triggers: when each fired last, which ones rest, which agents are active, which decisions are pending. For operators.
#[utoipa::path(get, path = "/v1/triggers", tag = "triggers", operation_id = "listTriggers",
    responses((status = 200, description = "All of them.", body = TriggerList)))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
) -> HttpResult<Json<TriggerList>> {
    service.engine.read(|house| caller.may_see(house, HouseItem::Observations))?;
    let at = now();
    Ok(Json(service.engine.read(|house| {
        let triggers = house.triggers();
        let row = |trigger: TriggerKind| TriggerRow {
            trigger,
            last_fired: triggers.last(trigger),
            resting: triggers
                .resting(trigger, at)
                .map(|(of, until)| Resting { of: of.into(), until })
                .collect(),
        };
        TriggerList {
            triggers: TriggerKind::ALL.map(row).into(),
            active: house.monitor().active(at).cloned().collect(),
            pending: house.monitor().pending().map(str::to_string).collect(),
        }
    })))
}

/// The triggers of a house.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TriggerList {
    triggers: Vec<TriggerRow>,
    /// Agents that were seen lately.
    #[schema(value_type = Vec<String>)]
    active: Vec<Who>,
    /// Decisions that agents reported as pending.
    pending: Vec<String>,
}

/// One trigger.
#[derive(Debug, Serialize, ToSchema)]
struct TriggerRow {
    #[schema(value_type = String)]
    trigger: TriggerKind,
    /// When it last fired, in Unix milliseconds.
    #[schema(value_type = Option<u64>)]
    last_fired: Option<At>,
    /// What it does not fire for at the moment.
    resting: Vec<Resting>,
}

/// Something a trigger does not fire for at the moment.
#[derive(Debug, Serialize, ToSchema)]
struct Resting {
    of: String,
    /// Until when, in Unix milliseconds.
    #[schema(value_type = u64)]
    until: At,
}
