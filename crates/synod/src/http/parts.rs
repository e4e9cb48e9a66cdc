//! What a participant of a ring does for itself, and the operator does to a ring. Whether it may be done now is
//! judged by the house; a refusal is in its record like everything else.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use synod_core::Command;
use synod_core::kernel::About;
use synod_core::kernel::{Actor, AskId, Id, MatterId, Who};
use synod_core::procedure::ring;

use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path, SmallJson};
use super::{Service, sees, sees_listed, unknown};
use crate::resolve::{self, Resolved};
use crate::which_ring;
use crate::wire::{
    ActionRequest, AmendmentBody, Done, Failure, MatterRef, Nothing, ProposalBody, ReactionBody, ReleaseBody,
    RulingBody, SkipBody, StatementBody, VoteBody, WrittenId, WrittenMatter,
};

/// Does something as the participant who calls. A caller who is not invited learns nothing about the matter, and is
/// only counted: whole commands of theirs could fill the record.
async fn partake(
    service: &Service,
    caller: &Caller,
    key: &IdempotencyKey,
    matter: MatterRef,
    action: ActionRequest,
) -> HttpResult<Response> {
    let who = caller.participant()?.clone();
    let by = Actor::Seat(who.clone());
    if let Some((matter, part)) = recorded(service, &by, key, matter, &action) {
        let acted =
            service.give(by, key, Command::Ring(ring::Command::Participate { matter, action: part })).await?;
        return Ok(service.answer(&acted, matter));
    }
    let (matter, resolved) = find(service, caller, &who, matter, action)?;
    let part = resolved.part.clone();
    let acted =
        service.give(by, key, Command::Ring(ring::Command::Participate { matter, action: part })).await;
    let acted =
        acted.map_err(|problem| problem.explained(|code, message| resolved.explain(code, message)))?;
    Ok(service.answer(&acted, matter))
}

/// The matter that is meant, and the command.
fn find(
    service: &Service,
    caller: &Caller,
    who: &Who,
    matter: MatterRef,
    action: ActionRequest,
) -> HttpResult<(MatterId, Resolved)> {
    let matter = match matter {
        MatterRef::Id(matter) => matter,
        MatterRef::Last => service
            .engine
            .read(|house| resolve::last_open_ring(house, who).ok_or_else(|| resolve::uninvited(house, who)))
            .map_err(|message| Problem::missing(which_ring::UNINVITED, message))?,
        MatterRef::LastRing => {
            service.engine.read(|house| which_ring::meant(house, who, &action)).map_err(|unclear| {
                match unclear.code {
                    which_ring::UNINVITED => Problem::missing(unclear.code, unclear.message),
                    code => Problem::conflict(code, unclear.message),
                }
            })?
        }
    };
    service.engine.read_with([matter], |house| {
        let case = house.case(matter).filter(|case| sees(caller, case)).ok_or_else(|| unknown(matter))?;
        let resolved = resolve::resolve(case, who, action)
            .map_err(|unclear| Problem::conflict(unclear.code, unclear.message))?;
        Ok((matter, resolved))
    })?
}

/// What was recorded under this key, if the same was meant then: what a sender leaves out may be something else by now.
fn recorded(
    service: &Service,
    by: &Actor,
    key: &IdempotencyKey,
    matter: MatterRef,
    action: &ActionRequest,
) -> Option<(MatterId, ring::Action)> {
    let key = key.key(by)?;
    let seq = service.engine.read(|house| house.given_under(&key))?;
    let Command::Ring(ring::Command::Participate { matter: then, action: part }) = service.act(seq)?.command
    else {
        return None;
    };
    let meant = match matter {
        MatterRef::Id(matter) => matter,
        MatterRef::Last | MatterRef::LastRing => then,
    };
    Some((meant, resolve::as_recorded(action.clone(), &part)?))
}

macro_rules! part {
    ($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident => $action:expr) => {
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "ring", operation_id = $id,
            params(("matter" = inline(MatterRef), Path, description = "The matter's id; `last` for your newest open ring.")),
            request_body = $body,
            responses(
                (status = 200, description = $done, body = Done),
                (status = 409, description = "Refused by the rules, or it is not clear what is meant.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            Path(matter): Path<MatterRef>,
            SmallJson(body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            let action: fn($body) -> ActionRequest = $action;
            partake(&service, &caller, &key, matter, action(body)).await
        }
    };
}

part! {
    /// Join a ring you are invited to, or join again.
    join, "/v1/matters/{matter}/join", "joinMatter", "You take part.", Nothing => |Nothing {}| ActionRequest::Join
}

part! {
    /// Leave a ring.
    leave, "/v1/matters/{matter}/leave", "leaveMatter", "You take part no longer.", Nothing => |Nothing {}| ActionRequest::Leave
}

part! {
    /// Say something in your turn.
    say, "/v1/matters/{matter}/contributions", "contribute", "The statement is recorded.", StatementBody => ActionRequest::Say
}

part! {
    /// Make a proposal in your turn.
    propose, "/v1/matters/{matter}/proposals", "propose", "The proposal is on the table.", ProposalBody => ActionRequest::Propose
}

part! {
    /// Ask for a change to a proposal in your turn.
    amend, "/v1/matters/{matter}/amendments", "amend", "The change is on the table.", AmendmentBody => ActionRequest::Amend
}

part! {
    /// Accept or decline a change to your proposal. Needs no turn.
    rule, "/v1/matters/{matter}/rulings", "rule", "The change is accepted or declined.", RulingBody => ActionRequest::Rule
}

part! {
    /// React to something on the table in your turn.
    react, "/v1/matters/{matter}/reactions", "react", "The reaction is recorded.", ReactionBody => ActionRequest::React
}

part! {
    /// End your turn.
    release, "/v1/matters/{matter}/release", "release", "Your turn is over.", ReleaseBody => ActionRequest::Release
}

part! {
    /// Skip your turn.
    skip, "/v1/matters/{matter}/skip", "skip", "Your turn is skipped.", SkipBody => ActionRequest::Skip
}

part! {
    /// Vote on a proposal while voting is open.
    vote, "/v1/matters/{matter}/votes", "vote", "Your vote is cast.", VoteBody => ActionRequest::Vote
}

/// Acknowledge a turn: only then does it count as delivered.
#[utoipa::path(post, path = "/v1/turns/{ask}/ack", tag = "turns", operation_id = "acknowledgeTurn",
    params(("ask" = inline(WrittenId), Path, description = "The turn.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "The turn counts as delivered.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn acknowledge(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(written): Path<WrittenId>,
    SmallJson(Nothing {}): SmallJson<Nothing>,
) -> HttpResult<Response> {
    caller.participant()?;
    let ask = AskId(written.0);
    let may_see = |matter: &MatterId| {
        service.engine.read(|house| house.summary(*matter).is_some_and(|known| sees_listed(&caller, &known)))
    };
    // A turn of others and one that never was look the same.
    let Some(matter) = matter_of(&service, ask).filter(may_see) else {
        return Err(Problem::missing("ask/unknown", format!("there is no turn {ask} that you may see")));
    };
    partake(&service, &caller, &key, MatterRef::Id(matter), ActionRequest::Acknowledge { ask: written }).await
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

/// Start a ring with those who have joined so far. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/start", tag = "ring", operation_id = "startMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Nothing,
    responses(
        (status = 200, description = "It has started.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn start(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Nothing {}): JsonBody<Nothing>,
) -> HttpResult<Response> {
    super::steer::order(&service, &caller, &key, matter, Command::Ring(ring::Command::Start { matter })).await
}

/// Remove a participant from a ring. For operators.
#[utoipa::path(delete, path = "/v1/matters/{matter}/participants/{who}", tag = "ring",
    operation_id = "removeParticipant",
    params(
        ("matter" = inline(WrittenMatter), Path, description = "The matter's id."),
        ("who" = String, Path, description = "The participant's name."),
    ),
    responses(
        (status = 200, description = "They take part no longer.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn remove(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    Path((WrittenMatter(matter), who)): Path<(WrittenMatter, String)>,
) -> HttpResult<Response> {
    caller.operates()?;
    let who = Who::parse(&who).map_err(|wrong| Problem::missing("roster/not-seated", wrong))?;
    super::steer::order(&service, &caller, &key, matter, Command::Ring(ring::Command::Remove { matter, who }))
        .await
}
