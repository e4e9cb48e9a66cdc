//! From what a participant wrote to the command it means.
//!
//! A sender may leave out what the house knows: the turn, the only proposal, the id behind a letter. This is looked up
//! here, once, for the service, the Redis bridge and the command line. Nothing here judges: what cannot be meant is
//! named; everything else is given to the house, which accepts or refuses it and records it.

use std::borrow::Cow;

use synod_core::House;
use synod_core::ballot::Secrecy;
use synod_core::house::{Case, Item, Reader, Summary};
use synod_core::kernel::{AmendmentId, AskId, Id, MatterId, ProposalId, SeatKind, Seq, Who};
use synod_core::matter::Status;
use synod_core::procedure::ring::{self, Remark};
use synod_core::table::{Amendment, Proposal};
use synod_core::view::TurnSheet;
use synod_core::{Ask, Task};

use crate::wire;
use crate::wire::{ActionRequest, ItemRef, NoTurn, TaskWord, Turn, WhyNoTurn, WrittenId};

/// What no turn and no proposal is ever called: a house begins with its first act.
const NOTHING: Id = Id { act: Seq(0), nth: 0 };

/// A command that was found, and what to say if the house refuses it for want of a turn.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) part: ring::Action,
    hint: Option<String>,
}

/// Why it is not clear what was meant: a code and what to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unclear {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Unclear {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

impl Resolved {
    /// What to say instead of a refusal's own words, where more is known.
    pub(crate) fn explain(&self, code: &str, message: &str) -> String {
        match (&self.hint, code) {
            (None, _) => message.into(),
            // That a turn which does not exist is not open says less.
            (Some(hint), "ask/not-open") => hint.clone(),
            (Some(hint), _) => format!("{message}\n{hint}"),
        }
    }
}

/// The newest open ring a participant is invited to, for somebody who says `last`.
pub(crate) fn last_open_ring(house: &House, who: &Who) -> Option<MatterId> {
    rings(house, who, None).filter(|case| !is_over(case)).last().map(|case| case.id)
}

/// What somebody is told who is invited nowhere.
pub(crate) fn uninvited(house: &House, who: &Who) -> String {
    let over = last_ring(house, who, None).and_then(|matter| house.summary(matter));
    match over {
        Some(over) => {
            let number = over.number;
            format!(
                "{who} has no open ring: matter {number} is over; `synod show {number}` shows how it ended"
            )
        }
        None => never_invited(who),
    }
}

/// That a participant has had no ring at all.
pub(crate) fn never_invited(who: &Who) -> String {
    format!(
        "{who} is not invited to any open ring; `synod list` shows all matters, `synod ring open` opens a ring"
    )
}

/// Finds the command of an action in a matter.
pub(crate) fn resolve(case: &Case, who: &Who, action: ActionRequest) -> Result<Resolved, Unclear> {
    let mut hint = None;
    let mut turn = |named: Option<WrittenId>, tasks: &[TaskWord]| match named {
        Some(WrittenId(ask)) => AskId(ask),
        None => {
            let (ask, none) = own_turn(case, who, tasks);
            hint = none;
            ask
        }
    };
    use TaskWord::{Propose, Speak, Weigh};
    let part = match action {
        ActionRequest::Join => ring::Action::Join,
        ActionRequest::Leave => ring::Action::Leave,
        ActionRequest::Acknowledge { ask: WrittenId(ask) } => ring::Action::Acknowledge { ask: AskId(ask) },
        ActionRequest::Say(wire::StatementBody { ask, kind, text, to, keep }) => ring::Action::Say {
            to: to.map(|to| anything(case, to)).transpose()?,
            ask: turn(ask, &[Speak]),
            keep,
            kind: kind.unwrap_or(Remark::Opinion),
            text,
        },
        ActionRequest::Propose(wire::ProposalBody { ask, title, text, keep }) => {
            ring::Action::Propose { ask: turn(ask, &[Propose, Speak]), keep, text, title }
        }
        ActionRequest::Amend(wire::AmendmentBody { ask, proposal: named, text, why, keep }) => {
            ring::Action::Amend {
                proposal: proposal(case, named)?,
                ask: turn(ask, &[Speak]),
                keep,
                text,
                why,
            }
        }
        ActionRequest::React(wire::ReactionBody { ask, to, reaction, text, keep }) => {
            ring::Action::React { to: anything(case, to)?, ask: turn(ask, &[Speak]), keep, reaction, text }
        }
        ActionRequest::Release(wire::ReleaseBody { ask }) => {
            ring::Action::Release { ask: turn(ask, &[Speak, Propose]) }
        }
        ActionRequest::Skip(wire::SkipBody { ask, why }) => {
            ring::Action::Skip { ask: turn(ask, &[Speak, Propose, Weigh]), why }
        }
        ActionRequest::Rule(wire::RulingBody { amendment, accept, why }) => {
            ring::Action::Rule { accept, amendment: change(case, amendment)?, why }
        }
        ActionRequest::Vote(wire::VoteBody {
            proposal: named,
            grade,
            rationale,
            conditions,
            changes,
            salt,
        }) => {
            ring::Action::Vote {
                changes,
                conditions,
                grade,
                proposal: voted_on(case, named)?,
                rationale,
                // Where votes are open there is nothing to seal, and a salt would only lie in the record.
                salt: salt.filter(|_| is_sealed(case)),
            }
        }
    };
    Ok(Resolved { part, hint })
}

/// The same action as it was resolved when it was first given: for one that is sent again under the same key, when the
/// turn it meant is over by now.
pub(crate) fn as_recorded(action: ActionRequest, recorded: &ring::Action) -> Option<ring::Action> {
    let ask = |named: Option<WrittenId>, then: &AskId| named.map_or(*then, |WrittenId(ask)| AskId(ask));
    let item = |named: &ItemRef, then: Id| match named {
        ItemRef::Letter(_) => then,
        ItemRef::Id(id) => *id,
    };
    Some(match (action, recorded) {
        (
            ActionRequest::Say(wire::StatementBody { ask: named, kind, text, to, keep }),
            ring::Action::Say { ask: then, to: was, .. },
        ) => {
            let to = to.map(|to| item(&to, was.unwrap_or(NOTHING)));
            ring::Action::Say { ask: ask(named, then), keep, kind: kind.unwrap_or(Remark::Opinion), text, to }
        }
        (
            ActionRequest::Propose(wire::ProposalBody { ask: named, title, text, keep }),
            ring::Action::Propose { ask: then, .. },
        ) => ring::Action::Propose { ask: ask(named, then), keep, text, title },
        (
            ActionRequest::Amend(wire::AmendmentBody { ask: named, proposal, text, why, keep }),
            ring::Action::Amend { ask: then, proposal: was, .. },
        ) => {
            let proposal = ProposalId(item(&proposal, was.0));
            ring::Action::Amend { ask: ask(named, then), keep, proposal, text, why }
        }
        (
            ActionRequest::React(wire::ReactionBody { ask: named, to, reaction, text, keep }),
            ring::Action::React { ask: then, to: was, .. },
        ) => ring::Action::React { ask: ask(named, then), keep, reaction, text, to: item(&to, *was) },
        (ActionRequest::Release(wire::ReleaseBody { ask: named }), ring::Action::Release { ask: then }) => {
            ring::Action::Release { ask: ask(named, then) }
        }
        (ActionRequest::Skip(wire::SkipBody { ask: named, why }), ring::Action::Skip { ask: then, .. }) => {
            ring::Action::Skip { ask: ask(named, then), why }
        }
        (
            ActionRequest::Rule(wire::RulingBody { amendment, accept, why }),
            ring::Action::Rule { amendment: was, .. },
        ) => ring::Action::Rule { accept, amendment: AmendmentId(item(&amendment, was.0)), why },
        (
            ActionRequest::Vote(wire::VoteBody { proposal, grade, rationale, conditions, changes, salt }),
            ring::Action::Vote { proposal: was, salt: sealed, .. },
        ) => {
            let proposal = proposal.map_or(*was, |named| ProposalId(item(&named, was.0)));
            let salt = salt.filter(|_| sealed.is_some());
            ring::Action::Vote { changes, conditions, grade, proposal, rationale, salt }
        }
        // What refers to nothing, and what was something else.
        (_, _) => return None,
    })
}

/// The open turn of a participant for one of these tasks. With none, the turn to be refused for, and why there is none.
fn own_turn(case: &Case, who: &Who, tasks: &[TaskWord]) -> (AskId, Option<String>) {
    let asks = || case.asks().iter();
    let own = || asks().filter(|(_, ask)| ask.is_of(who));
    if let Some((id, _)) = own().find(|(_, ask)| task(ask).is_some_and(|task| tasks.contains(&task))) {
        return (*id, None);
    }
    let speaks = |ask: &Ask| matches!(ask.task(), Some(Task::Speak { .. }));
    let holder = asks().find_map(|(id, ask)| Some((*id, ask.who().filter(|_| speaks(ask))?, ask.until)));
    let now = match (own().find_map(|(_, ask)| task(ask)), holder) {
        (Some(task), _) => format!("you are asked to {task}"),
        (None, Some((_, holder, until))) => format!("{holder} has the floor until {until}"),
        (None, None) => format!("nothing is expected of you in {}", case.phase_word()),
    };
    let hint = format!(
        "{who} has no turn for this in matter {} now: {now}. `synod ring turn --wait 60s` waits for one",
        case.id
    );
    let refused = holder.filter(|(_, holder, _)| *holder != who).map_or(AskId(NOTHING), |(id, ..)| id);
    (refused, Some(hint))
}

pub(crate) fn task(ask: &Ask) -> Option<TaskWord> {
    match ask.task()? {
        Task::Join => Some(TaskWord::Join),
        Task::Propose => Some(TaskWord::Propose),
        Task::Speak { .. } => Some(TaskWord::Speak),
        Task::Weigh => Some(TaskWord::Weigh),
        Task::Vote { .. } => Some(TaskWord::Vote),
        Task::Second | Task::Clerk(_) => None,
    }
}

/// The proposals that everybody may name: none while all propose at once.
fn proposals(case: &Case) -> Vec<&Proposal> {
    let put = case.ring().into_iter().flat_map(|(_, state)| &state.table.proposals);
    let shown = put.filter(|put| case.may_see_proposal(Reader::Public, put.id));
    shown.map(|put| &**put).collect()
}

fn lettered(case: &Case, letter: char) -> Option<&Proposal> {
    proposals(case).into_iter().find(|put| put.letter() == letter)
}

fn proposal(case: &Case, named: ItemRef) -> Result<ProposalId, Unclear> {
    let known = || {
        let known: Vec<String> =
            proposals(case).iter().map(|put| format!("{} (id {})", put.letter(), put.id)).collect();
        match known.is_empty() {
            true => "there is none yet".into(),
            false => format!("there are {}", known.join(", ")),
        }
    };
    match named {
        ItemRef::Id(id) => Ok(ProposalId(id)),
        ItemRef::Letter(letter) => lettered(case, letter).map(|put| put.id).ok_or_else(|| {
            Unclear::new(
                "ring/unknown-proposal",
                format!("`{letter}` is not a proposal of this ring: {}", known()),
            )
        }),
    }
}

/// The proposal of a vote; the only one where none is named.
fn voted_on(case: &Case, named: Option<ItemRef>) -> Result<ProposalId, Unclear> {
    match (named, proposals(case).as_slice()) {
        // The house says what is wrong, and has it on record.
        (_, []) => Ok(ProposalId(NOTHING)),
        (Some(named), _) => proposal(case, named),
        (None, [only]) => Ok(only.id),
        (None, several) => {
            let each: Vec<String> =
                several.iter().map(|put| format!("{}: {}", put.letter(), put.title)).collect();
            let message = format!("which proposal? Name its letter:\n  {}", each.join("\n  "));
            Err(Unclear::new("ring/which-proposal", message))
        }
    }
}

/// Anything on the table: a proposal by its letter, anything else by its id.
fn anything(case: &Case, named: ItemRef) -> Result<Id, Unclear> {
    proposal(case, named).map(|ProposalId(id)| id)
}

/// A change by its id, or by the letter of a proposal to which only one is open.
fn change(case: &Case, named: ItemRef) -> Result<AmendmentId, Unclear> {
    let letter = match named {
        ItemRef::Id(id) => return Ok(AmendmentId(id)),
        ItemRef::Letter(letter) => letter,
    };
    let Some(put) = lettered(case, letter) else {
        return proposal(case, named).map(|ProposalId(id)| AmendmentId(id));
    };
    let open: Vec<&Amendment> = put.amendments.iter().filter(|change| change.accepted.is_none()).collect();
    match open.as_slice() {
        [only] => Ok(only.id),
        [] => {
            let message = format!("no change to proposal {letter} is waiting for an answer");
            Err(Unclear::new("ring/unknown-change", message))
        }
        several => {
            let ids: Vec<String> = several.iter().map(|change| change.id.to_string()).collect();
            let message = format!("which change to proposal {letter}? Name its id: {}", ids.join(", "));
            Err(Unclear::new("ring/which-change", message))
        }
    }
}

/// Whether votes are sealed, as the ballot that is open says.
pub(crate) fn is_sealed(case: &Case) -> bool {
    case.ballots.last().is_some_and(|ballot| ballot.rule.secrecy != Secrecy::Open)
}

pub(crate) fn is_over(case: &Case) -> bool {
    matches!(case.status(), Status::Settled(_))
}

/// The rings a participant is invited to and that are here, oldest first: all that are not over among them.
pub(crate) fn rings<'a>(
    house: &'a House,
    who: &'a Who,
    matter: Option<MatterId>,
) -> impl Iterator<Item = &'a Case> + use<'a> {
    let theirs =
        move |case: &&Case| case.ring().is_some() && case.may_see(Reader::Participant(who), Item::Matter);
    house.cases().filter(theirs).filter(move |case| matter.is_none_or(|matter| matter == case.id))
}

/// The ring that [`hopeless`] looks at and that may be away: the newest one of a participant who has no open one.
pub(crate) fn last_ring(house: &House, who: &Who, matter: Option<MatterId>) -> Option<MatterId> {
    if rings(house, who, matter).any(|case| !is_over(case)) {
        return None;
    }
    let theirs = |known: &Cow<'_, Summary>| known.ring && known.seat(who) == Some(SeatKind::Outside);
    match matter {
        Some(matter) => house.summary(matter).filter(theirs).map(|known| known.id),
        None => house.summaries().rfind(theirs).map(|known| known.id),
    }
}

/// Why no turn will come to a participant, if none will: their ring is over, or they left it.
pub(crate) fn hopeless(house: &House, who: &Who, matter: Option<MatterId>) -> Option<NoTurn> {
    let open: Vec<&Case> = rings(house, who, matter).filter(|case| !is_over(case)).collect();
    if open.is_empty() {
        let last = rings(house, who, matter).last()?;
        let session = synod_core::view::Session::of(last)?;
        return Some(NoTurn {
            why: WhyNoTurn::Over,
            matter: Some(last.id),
            phase: wire::PhaseWord::parse(session.phase),
            reason: session.reason.map(str::to_string),
        });
    }
    // As long as one ring may still ask something of them, there is hope. The youngest is told of.
    let gone = |case: &&Case| case.ring()?.1.gone.get(who).cloned();
    let gone = open.iter().map(gone).collect::<Option<Vec<_>>>()?;
    let (matter, reason) = (open.last()?.id, gone.last()?.detail.to_string());
    Some(NoTurn { why: WhyNoTurn::Gone, matter: Some(matter), phase: None, reason: Some(reason) })
}

/// Why a participant has no turn, after all waiting.
pub(crate) fn why_no_turn(house: &House, who: &Who, matter: Option<MatterId>) -> NoTurn {
    let open = || rings(house, who, matter).any(|case| !is_over(case));
    let why = if open() { WhyNoTurn::None } else { WhyNoTurn::Uninvited };
    let none = NoTurn { why, matter, phase: None, reason: None };
    hopeless(house, who, matter).unwrap_or(none)
}

/// A turn as its participant sees it.
pub(crate) fn turn(house: &House, matter: MatterId, ask: AskId) -> Option<Turn> {
    Turn::of(TurnSheet::of(house.case(matter)?, ask)?)
}
