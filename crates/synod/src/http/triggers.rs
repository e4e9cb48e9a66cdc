//! `/v1/observations` and `/v1/triggers`: what agents are seen to do, and what calls a council.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use synod_core::kernel::{MatterId, Who};
use synod_core::trigger::{self, Cause, Kind};
use synod_core::{Act, Command, Event};
use synod_engine::now;
use utoipa::ToSchema;

use super::answer::{Acted, IdempotencyKey, REPLAYED};
use super::guard::Caller;
use super::problem::{Failure, Problem, Result};
use super::read::SmallJson;
use super::{Service, sees};
use crate::fail::{Fail, code};
use crate::observation;
use crate::triggers::{FLAWED, Told, What, told, welcome};

/// Something an agent was seen to do. A participant reports what it does itself.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "it tells the form; what it means is read by `observation`")]
pub(crate) enum Observed {
    /// A file was written.
    Write { agent: String, path: String },
    /// A file was read.
    Read { agent: String, path: String },
    /// An opinion was stated.
    Opinion { agent: String, topic: String, text: String, stance: Option<Side> },
    /// The agent was corrected.
    Correction { agent: String, text: Option<String> },
    /// Something was found out.
    Insight { agent: String, subject: String, text: String },
    /// Work went on, or is done.
    Progress { agent: String, text: Option<String>, done: Option<bool> },
    /// A person was asked for.
    Escalation { agent: String, text: Option<String> },
    /// A decision is needed.
    Pending { agent: String, topic: String },
    /// It is needed no longer.
    Decided { agent: String, topic: String },
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    For,
    Against,
    Neutral,
}

/// A wish for a council. A participant asks with the kind `agent` and its own name.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "it tells the form; what it means is read by `observation`")]
pub(crate) enum Called {
    /// A person asks.
    User {
        topic: String,
        priority: Option<Urgency>,
        description: Option<String>,
        participants: Option<Vec<String>>,
    },
    /// An agent asks, for a listed reason.
    Agent {
        agent: String,
        reason: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        confidence: Share,
        topic: Option<String>,
        description: Option<String>,
        participants: Option<Vec<String>>,
    },
    /// A checkpoint is reached.
    Checkpoint {
        name: String,
        flagged: Option<bool>,
        topic: Option<String>,
        description: Option<String>,
        participants: Option<Vec<String>>,
    },
    /// A phase of work is left for another.
    Phase {
        from: String,
        to: String,
        topic: Option<String>,
        description: Option<String>,
        participants: Option<Vec<String>>,
    },
    /// Something measured is high.
    Threshold {
        name: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        value: Share,
        topic: Option<String>,
        description: Option<String>,
        participants: Option<Vec<String>>,
    },
    /// The clock.
    Scheduled { topic: Option<String>, description: Option<String>, participants: Option<Vec<String>> },
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Urgency {
    Critical,
    High,
    Normal,
    Low,
}

/// A number from 0 to 1.
#[derive(Debug)]
pub(crate) struct Share;

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(from)?;
        match number.as_f64().is_some_and(|float| (0.0..=1.0).contains(&float)) {
            true => Ok(Self),
            false => Err(serde::de::Error::custom(format!("{number} is not from 0 to 1"))),
        }
    }
}

/// What came of an observation or a wish for a council.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Noted {
    /// The number of the act in the journal.
    act: u64,
    /// The matter that was opened.
    #[schema(value_type = Option<String>)]
    matter: Option<MatterId>,
    /// What was found, fired or declined, and why.
    #[schema(value_type = Vec<Object>)]
    told: Vec<Value>,
}

/// Checks the form of a body by its type, so that what is wrong with it is told before anything is looked at.
fn formed<T: serde::de::DeserializeOwned>(body: &Value) -> Result<()> {
    let checked: std::result::Result<T, _> = serde_json::from_value(body.clone());
    checked.map(drop).map_err(|error| Problem::unfit(format!("the body does not fit: {error}")))
}

impl Service {
    /// Gives an order that may call a council, with the numbers of the house in force, also those that were changed
    /// since the last time.
    async fn call(
        &self,
        caller: &Caller,
        key: &IdempotencyKey,
        command: Command,
        new: &[&Who],
    ) -> Result<Response> {
        let renewed = self.regulated.renew(&self.engine, self.house.dir()).await;
        renewed.map_err(|fail| unready(caller, fail))?;
        for who in new {
            welcome(&self.engine, who).await?;
        }
        let acted = self.give(caller.actor(), key, command).await?;
        let noted = self.engine.read(|house| {
            let seen = |matter: &MatterId| house.case(*matter).is_some_and(|case| sees(caller, case));
            let told = told(house, &acted.act).into_iter().filter_map(|told| for_caller(caller, told));
            Noted { act: acted.act.seq.0, matter: opened(&acted.act).filter(seen), told: told.collect() }
        });
        let mut response = (StatusCode::OK, Json(noted)).into_response();
        if let Acted { repeated: true, .. } = acted {
            response.headers_mut().insert(REPLAYED, axum::http::HeaderValue::from_static("true"));
        }
        Ok(response)
    }
}

/// The files of the house cannot be used as they are. Who can mend them is told what is wrong and where.
fn unready(caller: &Caller, fail: Fail) -> Problem {
    match (caller, fail.code()) {
        (_, code::IO) => fail.into(),
        (Caller::Owner | Caller::Operator, _) => Problem::busy("trigger/flawed", fail.message()),
        (Caller::Participant(_), _) => Problem::busy("trigger/flawed", FLAWED),
    }
}

/// What the caller may know of it. A participant learns what came of its own wish, and nothing of what others were
/// seen to do.
fn for_caller(caller: &Caller, told: Told) -> Option<Value> {
    match (caller, told.what) {
        (Caller::Owner | Caller::Operator, _) => {
            let mut json = told.json;
            json["line"] = json!(told.line);
            Some(json)
        }
        (Caller::Participant(_), What::Found) => None,
        (Caller::Participant(_), What::Opened | What::Unopened | What::Declined) => {
            let keys = ["event", "trigger", "of", "priority", "code", "why"];
            let mut fields = told.json.as_object().cloned().unwrap_or_default();
            fields.retain(|key, _| keys.contains(&key.as_str()));
            Some(Value::Object(fields))
        }
    }
}

fn opened(act: &Act) -> Option<MatterId> {
    act.events().iter().find_map(|event| {
        let Event::Trigger(trigger::Event::Fired { matter, .. }) = event else { return None };
        *matter
    })
}

/// Tell what an agent was seen to do. Patterns in it may call a council.
#[utoipa::path(post, path = "/v1/observations", tag = "triggers", operation_id = "observe",
    request_body = Observed,
    responses(
        (status = 200, description = "It is noted.", body = Noted),
        (status = 409, description = "The rules say no.", body = Failure),
        (status = 503, description = "The house cannot be written or read now, it took too long (then it may still happen), or its triggers.toml or a charter named there has a flaw (`trigger/flawed`): the operator must mend the file.", body = Failure),
    ))]
pub(crate) async fn observe(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<Value>,
) -> Result<Response> {
    formed::<Observed>(&body)?;
    let wrong = |wrong: String| Problem::conflict("observation/malformed", wrong);
    let observation = observation::observation(body).map_err(wrong)?;
    observation.note().map_err(|error| wrong(error.to_string()))?;
    own(&caller, Some(&observation.agent))?;
    let agent = observation.agent.clone();
    service.call(&caller, &key, Command::Observe { observation }, &[&agent]).await
}

/// Call a council, or learn why there is none. A participant asks for itself; everything else is the operator's to do.
#[utoipa::path(post, path = "/v1/triggers", tag = "triggers", operation_id = "trigger",
    request_body = Called,
    responses(
        (status = 200, description = "It is judged: `told` says what came of it.", body = Noted),
        (status = 409, description = "The rules say no.", body = Failure),
        (status = 503, description = "The house cannot be written or read now, it took too long (then it may still happen), or its triggers.toml or a charter named there has a flaw (`trigger/flawed`): the operator must mend the file.", body = Failure),
    ))]
pub(crate) async fn call(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<Value>,
) -> Result<Response> {
    formed::<Called>(&body)?;
    let wrong = |wrong: String| Problem::conflict("trigger/malformed", wrong);
    let request = observation::request(body).map_err(wrong)?;
    request.check().map_err(|error| wrong(error.to_string()))?;
    let asking = match &request.cause {
        Cause::Agent { agent, .. } => Some(agent.clone()),
        Cause::User { .. } | Cause::Checkpoint { .. } | Cause::Phase { .. } => None,
        Cause::Threshold { .. } | Cause::Scheduled => None,
    };
    own(&caller, asking.as_ref())?;
    let named = request.participants.clone();
    // Whom the operator names is taken in; a participant calls those who are here.
    let new = asking.iter().chain(named.iter().filter(|_| caller.operates().is_ok())).collect::<Vec<_>>();
    service.call(&caller, &key, Command::Trigger(Box::new(request)), &new).await
}

/// Refuses what a participant says of another.
fn own(caller: &Caller, agent: Option<&Who>) -> Result<()> {
    match (caller, agent) {
        (Caller::Participant(who), Some(agent)) if who == agent => Ok(()),
        (Caller::Participant(_), _) => Err(Problem::forbidden(
            "token/not-yours",
            "a participant speaks for itself: give your own name as `agent`",
        )),
        (Caller::Owner | Caller::Operator, _) => Ok(()),
    }
}

/// The triggers: when each fired last and what rests, who is at work and what waits. The operator's to look at.
#[utoipa::path(get, path = "/v1/triggers", tag = "triggers", operation_id = "listTriggers",
    responses((status = 200, description = "All of them.", body = Object)))]
pub(crate) async fn list(State(service): State<Arc<Service>>, caller: Caller) -> Result<Json<Value>> {
    caller.operates()?;
    let at = now();
    Ok(Json(service.engine.read(|house| {
        let triggers = house.triggers();
        let row = |kind: Kind| {
            let resting = triggers.resting(kind, at).map(|(of, until)| json!({ "of": of, "until": until }));
            let resting: Vec<Value> = resting.collect();
            json!({ "trigger": kind, "last_fired": triggers.last(kind), "resting": resting })
        };
        let active: Vec<&str> = house.monitor().active(at).map(|who| who.as_str()).collect();
        let pending: Vec<&str> = house.monitor().pending().collect();
        json!({ "triggers": Kind::ALL.map(row), "active": active, "pending": pending })
    })))
}
