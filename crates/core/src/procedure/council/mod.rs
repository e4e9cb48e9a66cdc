//! The council: seats are called to speak and to vote, stage by stage, as its charter says. Debates and motions.
//!
//! `round` holds stages and rounds, `contribute` and `vote` read answers, `clerk` asks those who serve without a vote,
//! `supply` takes what the operator puts before the council, `source` has files read that seats ask to see, `fork` branches
//! off, `count` counts, `motion` holds what only motions have.

mod answers;
mod brief;
mod clerk;
mod command;
mod contribute;
mod count;
mod estimate;
mod fork;
mod motion;
mod outcome;
mod parts;
mod refusal;
mod round;
mod source;
mod state;
mod supply;
mod vote;

pub use brief::BriefCache;
pub(crate) use brief::brief;
pub use command::{Command, Fork};
pub(crate) use contribute::answer;
pub use count::recounted;
pub(crate) use count::{polled, recount};
pub(crate) use motion::by_rank;
pub use motion::{BreakFound, MotionState, MotionStatus, MotionTurn, SpeechOrder, Summed, TeamFound};
pub(crate) use outcome::truth;
pub use refusal::Refusal;
pub(crate) use round::{advance, resumed};
pub(crate) use source::deliver;
pub use state::{Forms, State, asked};
pub(crate) use vote::spelled;

use self::state::parts;
use crate::ask::Chore;
use crate::charter::{self, Charter, Council};
use crate::command::{Open, Perspectives};
use crate::house::{Ballot, Case, Flow};
use crate::kernel::{Actor, At, Cause, Choice, Contribution, Seat, Who};
use crate::matter::{Question, QuestionKind};
use crate::{Task, lens, roster};

/// Who may give which command: everything is the operator's, and a seat may second a motion, or take back its own.
pub(crate) fn may(by: &Actor, command: &Command) -> bool {
    let own = |who: &Who| *by == Actor::Seat(who.clone());
    *by == Actor::Operator
        || match command {
            Command::Second { by: who, .. } | Command::Withdraw { by: Some(who), .. } => own(who),
            Command::Withdraw { by: None, .. } | Command::Table { .. } => false,
            Command::Continue { .. } | Command::Fork(_) | Command::Supply { .. } => false,
            Command::Waive { .. } | Command::Synthesise { .. } | Command::Judge { .. } => false,
        }
}

/// Judges a command of the operator.
pub(crate) fn decide(flow: &mut Flow, _: &Actor, command: &Command) -> Result<(), crate::Refusal> {
    match command {
        Command::Continue { matter, focus, context, to_end } => {
            flow.continue_council(*matter, focus.as_deref(), context, *to_end)
        }
        Command::Fork(fork) => flow.fork(fork),
        Command::Supply { matter, request, text } => flow.supply(*matter, *request, Some(text)),
        Command::Waive { matter, request } => flow.supply(*matter, *request, None),
        Command::Synthesise { matter, by } => flow.synthesise(*matter, by),
        Command::Judge { matter, by, round } => flow.judge_round(*matter, by, *round),
        Command::Second { matter, by } => flow.second(*matter, by),
        Command::Withdraw { matter, by } => flow.withdraw(*matter, by.as_ref()),
        Command::Table { matter } => flow.table_motion(*matter),
    }
}

/// Whether a council of these seats can be opened.
pub(crate) fn may_open(
    charter: &Charter,
    rules: &Council,
    open: &Open,
    seats: &[Seat],
) -> Result<(), crate::Refusal> {
    fits(charter, rules, &open.question)?;
    plain_enough(charter, rules, &open.question)?;
    motion::is_plain(charter, &open.question)?;
    motion::may_propose(charter, open, seats)?;
    maskable(charter, rules.lens.anonymize, &open.question, seats)
}

/// Begins a council that was just opened: asks for perspectives first, or enters its first stage.
pub(crate) fn begin(flow: &mut Flow, open: &Open) -> Result<(), crate::Refusal> {
    if let Some(focus) = &open.focus {
        flow.focus(focus)?;
    }
    if !flow.begin_motion(open) {
        return Ok(());
    }
    match (&open.perspectives, open.scribe.as_ref().or(open.seats.first())) {
        (Perspectives::Generated, Some(who)) => flow.engage(who, Chore::Perspectives),
        (Perspectives::Generated | Perspectives::Usual | Perspectives::Given(_), _) => flow.enter_stage(0),
    }
    Ok(())
}

/// Seats owe their statements and votes, clerks their chores. A seat that was asked a favour besides, and fails,
/// keeps its place.
pub(crate) fn owes(case: &Case, who: &Who, task: Task) -> bool {
    match task {
        Task::Speak { .. } | Task::Vote { .. } => true,
        Task::Clerk(_) => case.seat(who).is_none(),
        Task::Second | Task::Join | Task::Propose | Task::Weigh => false,
    }
}

/// Why an overdue ask lapses.
pub(crate) fn overdue(case: &Case, who: &Who, _: Task, begun: bool) -> Cause {
    if begun {
        return Cause::late(case.limit_ms(who));
    }
    Cause::passing("ask/unperformed", "nobody began to perform it in time")
}

/// When an ask lapses that nobody begins to perform.
pub(crate) fn queued_until(case: &Case, at: At, who: &Who) -> At {
    at.plus(parts(case).0.turn.queue_ms.is).plus(case.limit_ms(who))
}

/// When an ask lapses that is asked anew after a rest.
pub(crate) fn renewed_until(case: &Case, at: At, who: &Who, _: Task) -> At {
    queued_until(case, at, who)
}

/// Votes may be known as they come, where the ballot is open.
pub(crate) fn shows_open_ballots(_: &Case) -> bool {
    true
}

/// What is withheld in a council depends on the reader, never on the statement alone.
pub(crate) fn is_public(_: &Case, _: &Contribution) -> bool {
    true
}

/// Nothing hangs on it besides its asks.
pub(crate) fn called_off(_: &mut Flow) {}

/// Nothing rests on the words of one but its own record.
pub(crate) fn after_redaction(_: &mut Flow) {}

/// What a seat may not hear its stage says.
pub(crate) fn is_kept_from(_: &Case, _: &Who, _: &Contribution) -> bool {
    false
}

/// A council is for those who sit in it.
pub(crate) fn is_open_to_all(_: &Case) -> bool {
    false
}

/// A statement is shown whole.
pub(crate) fn is_told_as_made(_: &Case, _: &Contribution) -> bool {
    true
}

/// A ballot is called as its stage.
pub(crate) fn ballot_name<'a>(case: &'a Case, ballot: &Ballot) -> &'a str {
    stage_name(case, ballot.stage)
}

/// What a stage is called.
pub(crate) fn stage_name(case: &Case, stage: usize) -> &str {
    parts(case).0.stages.get(stage).map_or("", |stage| &stage.name)
}

/// The stage in which something was said.
pub(crate) fn said_in<'a>(case: &'a Case, said: &Contribution) -> &'a str {
    case.stage_of(said).unwrap_or_default()
}

/// Where names are hidden they are hidden wherever they stand as a word: such a word must be a name.
fn maskable(
    charter: &Charter,
    hides: bool,
    question: &Question,
    seats: &[Seat],
) -> Result<(), crate::Refusal> {
    let garbling = seats.iter().filter(|seat| lens::garbles(&seat.name, question.texts()));
    let names: Vec<String> = garbling.map(|seat| seat.name.clone()).collect();
    if hides && !names.is_empty() {
        return Err(roster::Refusal::Unmaskable { charter: charter.name.clone(), names }.into());
    }
    Ok(())
}

/// A charter for open questions finds its options itself, one for numbers needs to know what to count.
fn fits(charter: &Charter, rules: &Council, question: &Question) -> Result<(), crate::Refusal> {
    let asked = match question {
        Question { unit: Some(_), .. } => QuestionKind::Estimate,
        Question { options, .. } if !options.is_empty() => QuestionKind::Choice,
        Question { .. } => QuestionKind::YesNo,
    };
    let fits = matches!(
        (rules.kind(), asked),
        (None, QuestionKind::YesNo | QuestionKind::Choice)
            | (Some(QuestionKind::Open), QuestionKind::YesNo)
            | (Some(QuestionKind::Estimate), QuestionKind::Estimate)
    );
    let takes = rules.kind().unwrap_or_default();
    if fits {
        Ok(())
    } else {
        Err(charter::Refusal::OtherKind { charter: charter.name.clone(), takes, asked }.into())
    }
}

/// Sides can be ordered only where there are two of them.
fn plain_enough(charter: &Charter, rules: &Council, question: &Question) -> Result<(), crate::Refusal> {
    let sided = |role: &roster::Role| matches!(role.expects, Some(Choice::Yes | Choice::No));
    let mut roles = rules.roles.iter().filter(|roles| !roles.yes_no_only).flat_map(|roles| &roles.roles);
    // Where answers or numbers are found there are no sides of YES and NO either.
    let sideless = !question.options.is_empty() || rules.kind().is_some();
    if sideless && roles.any(sided) {
        return Err(charter::Refusal::PlainQuestion { charter: charter.name.clone() }.into());
    }
    Ok(())
}
