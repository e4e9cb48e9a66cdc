//! What a participant of a ring does for itself, and the operator does to a ring. Whether it may be done now is
//! judged by the house; a refusal is in its record like everything else.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use synod_core::Command;
use synod_core::ballot::Grade;
use synod_core::command::Part;
use synod_core::event::About;
use synod_core::kernel::{Actor, AmendmentId, AskId, Id, MatterId, ProposalId, Who};
use synod_core::table::{Kind, Reaction};
use utoipa::ToSchema;

use super::answer::{IdempotencyKey, Told};
use super::guard::Caller;
use super::problem::{Failure, Problem, Result};
use super::read::{JsonBody, Nothing, Path, SmallJson, Written};
use super::{Service, sees, unknown};

/// Does something as the participant who calls. Who knocks at a door that is not theirs learns nothing about what is
/// behind it, and is only counted: whole orders of theirs could fill the record.
async fn partake(
    service: &Service,
    caller: &Caller,
    key: &IdempotencyKey,
    matter: MatterId,
    part: Part,
) -> Result<Response> {
    let who = caller.participant()?.clone();
    if !may_see(service, caller, matter) {
        return Err(unknown(matter));
    }
    let acted = service.give(Actor::Seat(who), key, Command::Partake { matter, part }).await?;
    Ok(acted.tell(StatusCode::OK, Some(matter)))
}

fn may_see(service: &Service, caller: &Caller, matter: MatterId) -> bool {
    service.engine.read(|house| house.case(matter).is_some_and(|case| sees(caller, case)))
}

macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident => $part:expr) => {
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "ring", operation_id = $id,
            params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
            request_body = $body,
            responses(
                (status = 200, description = $done, body = Told),
                (status = 409, description = "The rules say no.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            Path(Written(matter)): Path<Written>,
            SmallJson(body): SmallJson<$body>,
        ) -> Result<Response> {
            let part: fn($body) -> Part = $part;
            partake(&service, &caller, &key, MatterId(matter), part(body)).await
        }
    };
}

part! {
    /// Take part in a ring you are invited to, or take part again.
    join, "/v1/matters/{matter}/join", "joinMatter", "You take part.", Nothing => |Nothing {}| Part::Join
}

part! {
    /// Take part no longer.
    leave, "/v1/matters/{matter}/leave", "leaveMatter", "You take part no longer.", Nothing => |Nothing {}| Part::Leave
}

/// Something said in one's turn.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Contribution {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
    /// What it is meant as.
    #[schema(value_type = String, pattern = "^(opinion|question|synthesis)$")]
    kind: Kind,
    /// What. Most charters take 2000 characters.
    text: String,
    /// What it answers: the id of something on the table.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    to: Option<Written>,
    /// Keep the floor for more; otherwise it goes on with this.
    #[serde(default)]
    keep: bool,
}

part! {
    /// Say something in your turn.
    say, "/v1/matters/{matter}/contributions", "contribute", "It is said.", Contribution => |body| Part::Say {
        ask: AskId(body.ask.0),
        keep: body.keep,
        kind: body.kind,
        text: body.text,
        to: body.to.map(|to| to.0),
    }
}

/// A proposal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proposal {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
    /// What is proposed, in one line.
    title: String,
    /// What is proposed.
    text: String,
    /// Keep the floor for more; otherwise it goes on with this.
    #[serde(default)]
    keep: bool,
}

part! {
    /// Put a proposal forward in your turn.
    propose, "/v1/matters/{matter}/proposals", "propose", "It lies on the table.", Proposal => |body| Part::Propose {
        ask: AskId(body.ask.0),
        keep: body.keep,
        text: body.text,
        title: body.title,
    }
}

/// A change to a proposal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Amendment {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
    /// The proposal to change.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    proposal: Written,
    /// The whole text as it should be.
    text: String,
    /// The reason.
    #[serde(default)]
    why: Option<String>,
    /// Keep the floor for more; otherwise it goes on with this.
    #[serde(default)]
    keep: bool,
}

part! {
    /// Put a change to a proposal forward in your turn.
    amend, "/v1/matters/{matter}/amendments", "amend", "It lies on the table.", Amendment => |body| Part::Amend {
        ask: AskId(body.ask.0),
        keep: body.keep,
        proposal: ProposalId(body.proposal.0),
        text: body.text,
        why: body.why,
    }
}

/// A ruling on a change to one's own proposal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ruling {
    /// The change.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    amendment: Written,
    /// Whether to take it.
    accept: bool,
    /// The reason.
    #[serde(default)]
    why: Option<String>,
}

part! {
    /// Take a change that is wanted to your proposal, or decline it. Needs no turn.
    rule, "/v1/matters/{matter}/rulings", "rule", "It is ruled.", Ruling => |body| Part::Rule {
        accept: body.accept,
        amendment: AmendmentId(body.amendment.0),
        why: body.why,
    }
}

/// A short answer to something on the table.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reacting {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
    /// To what: the id of something on the table.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    to: Written,
    /// Which.
    #[schema(value_type = String, pattern = "^(agree|disagree|need_clarification|interesting|concerning|partially_agree)$")]
    reaction: Reaction,
    /// A word to it.
    #[serde(default)]
    text: Option<String>,
    /// Keep the floor for more; otherwise it goes on with this.
    #[serde(default)]
    keep: bool,
}

part! {
    /// React to something on the table in your turn.
    react, "/v1/matters/{matter}/reactions", "react", "It is noted.", Reacting => |body| Part::React {
        ask: AskId(body.ask.0),
        keep: body.keep,
        reaction: body.reaction,
        text: body.text,
        to: body.to.0,
    }
}

/// A turn to give back.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Releasing {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
}

part! {
    /// Give the floor back.
    release, "/v1/matters/{matter}/release", "release", "The floor goes on.", Releasing => |body| Part::Release {
        ask: AskId(body.ask.0),
    }
}

/// A turn to let pass.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Skipping {
    /// The turn.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    ask: Written,
    /// The reason.
    #[serde(default)]
    why: Option<String>,
}

part! {
    /// Say nothing this time.
    skip, "/v1/matters/{matter}/skip", "skip", "The floor goes on.", Skipping => |body| Part::Skip {
        ask: AskId(body.ask.0),
        why: body.why,
    }
}

/// A vote on a proposal.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Voting {
    /// The proposal.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    proposal: Written,
    /// How far you support it.
    #[schema(value_type = String, pattern = "^(approve|approve_with_concerns|abstain|request_changes|reject)$")]
    grade: Grade,
    /// Why.
    #[serde(default)]
    rationale: Option<String>,
    /// What the vote hangs on.
    #[serde(default)]
    conditions: Vec<String>,
    /// Changes that would have to be made.
    #[serde(default)]
    changes: Vec<String>,
    /// What seals the vote where votes are secret.
    #[serde(default)]
    salt: Option<String>,
}

part! {
    /// Vote on a proposal while the vote is open.
    vote, "/v1/matters/{matter}/votes", "vote", "Your vote is cast.", Voting => |body| Part::Vote {
        changes: body.changes,
        conditions: body.conditions,
        grade: body.grade,
        proposal: ProposalId(body.proposal.0),
        rationale: body.rationale,
        salt: body.salt,
    }
}

/// Say that a turn arrived: only then does it count as delivered.
#[utoipa::path(post, path = "/v1/turns/{ask}/ack", tag = "turns", operation_id = "acknowledgeTurn",
    params(("ask" = String, Path, description = "The turn.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It is delivered.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn acknowledge(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(Written(ask)): Path<Written>,
    SmallJson(Nothing {}): SmallJson<Nothing>,
) -> Result<Response> {
    caller.participant()?;
    let ask = AskId(ask);
    // A turn of others and one that never was look the same.
    let Some(matter) = matter_of(&service, ask).filter(|matter| may_see(&service, &caller, *matter)) else {
        let message = format!("there is no turn {ask} here that you may see");
        return Err(Problem::missing("ask/unknown", message));
    };
    partake(&service, &caller, &key, matter, Part::Acknowledge { ask }).await
}

/// The matter of a turn, also of one that is over: the act that opened it is named in its id.
fn matter_of(service: &Service, ask: AskId) -> Option<MatterId> {
    if let Some(matter) = service.engine.read(|house| house.ask(ask).map(|open| open.matter)) {
        return Some(matter);
    }
    let Id { act, nth } = ask.0;
    match service.act(act)?.events().get(usize::from(nth))?.about() {
        About::Matter(matter) => Some(matter),
        About::House | About::Ask(_) => None,
    }
}

/// Begin a ring with those who joined so far. The operator's to do.
#[utoipa::path(post, path = "/v1/matters/{matter}/start", tag = "ring", operation_id = "startMatter",
    params(("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It has begun.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn start(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(Written(matter)): Path<Written>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> Result<Response> {
    let matter = MatterId(matter);
    super::steer::order(&service, &caller, &key, matter, Command::Start { matter }).await
}

/// Take a participant out of a ring. The operator's to do.
#[utoipa::path(delete, path = "/v1/matters/{matter}/participants/{who}", tag = "ring",
    operation_id = "removeParticipant",
    params(
        ("matter" = String, Path, description = "The matter's id.", pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$"),
        ("who" = String, Path, description = "The participant."),
    ),
    responses(
        (status = 200, description = "They take part no longer.", body = Told),
        (status = 409, description = "The rules say no.", body = Failure),
    ))]
pub(crate) async fn remove(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((Written(matter), who)): Path<(Written, String)>,
) -> Result<Response> {
    caller.operates()?;
    let who = Who::parse(&who).map_err(|wrong| Problem::missing("roster/not-seated", wrong))?;
    let matter = MatterId(matter);
    super::steer::order(&service, &caller, &key, matter, Command::Remove { matter, who }).await
}
