//! The workshop: issues with threads in which agents and people comment under rules that code checks before any model reads
//! them.
//!
//! An issue is a matter. Nobody is called and no time runs in it: participants come by themselves, and what is frozen thaws
//! with the first action after its time. Who opens, comments and resolves is in `open` and `comment`, what freezes in
//! `freeze`, who must object in `challenge`, what moderators do in `moderate`.

mod allowance;
mod author;
mod award;
mod canon;
mod challenge;
mod command;
mod comment;
mod conflict;
mod credit;
mod freeze;
mod held;
mod lease;
mod moderate;
mod notices;
mod open;
mod reflection;
mod refusal;
mod report;
mod seat;
mod state;
mod view;
mod worth;

pub use allowance::CommentAllowance;
pub use award::{AttemptRefused, AwardOutcome};
pub use canon::{CanonCommand, DecideConflict, PromoteEntry};
pub(crate) use challenge::expire_orders;
pub use command::{AwardCredit, Command, OpenIssue, SetGoal, WriteComment};
pub(crate) use credit::end_goals;
pub use credit::{AgentStanding, credit_rules};
pub(crate) use held::deliver;
pub use held::held_by;
pub use lease::LeaseCommand;
pub use notices::{
    is_told, is_told_what_moderators_are, missing_readers, readers_in_words, still_needs_somebody,
};
pub use reflection::{AgentReflection, CircledTopic, ReflectedCounts, ReflectedCredit, ReflectionReport};
pub use refusal::Refusal;
pub use report::{
    IssueCounts, ReportAdvice, ReportedAgent, ReportedCanon, ReportedConflict, ReportedIssue, ReportedTopic,
    WorkshopReport,
};
pub use seat::UNREADABLE;
pub use state::{IssueOrder, State};
pub(crate) use state::{breakers, settled_as};
pub use view::{
    CommentOutcome, CommentRow, EscalationRow, FrozenReport, IssueRow, IssueSheet, OrderRow, UnansweredRow,
    escalation_at, issue_rows, stance_word, ways_out,
};

use self::author::Author;
use self::state::parts;
use crate::ballot::{Count, Tally};
use crate::brief::Brief;
use crate::charter::{Charter, Workshop};
use crate::command::Open;
use crate::house::{Ballot, BriefCache, Case, Flow, House, wrong_status};
use crate::issue::IssueStatus;
use crate::kernel::{Actor, At, Cause, Contribution, Decision, MatterId, Seat, UndecidedReason, Who};
use crate::matter::{Operation, Pause, Status};
use crate::procedure::SubmittedAnswer;
use crate::track::{Truth, Verdict};
use crate::{Ask, Event, Task};

/// Who may give which command at all. What a participant may do besides hangs on its role.
pub(crate) fn may(by: &Actor, command: &Command) -> bool {
    match command {
        Command::Configure { .. } => *by == Actor::Operator,
        Command::Open(_) | Command::Comment(_) | Command::Close { .. } | Command::Reopen { .. } => {
            is_person(by)
        }
        Command::Consolidate { .. } | Command::Change { .. } | Command::Unfreeze { .. } => is_person(by),
        Command::ForceResolution { .. } | Command::Escalate { .. } | Command::Mark { .. } => is_person(by),
        Command::InvokeDevilsAdvocate { .. } | Command::FreezeTag { .. } | Command::ThawTag { .. } => {
            is_person(by)
        }
        Command::SetFreedom { .. } | Command::OpenPeriod { .. } | Command::ClosePeriod { .. } => {
            is_person(by)
        }
        Command::Award(_) | Command::Rate { .. } | Command::SetGoal(_) => is_person(by),
        Command::DropGoal { .. } | Command::ChangeModel { .. } | Command::Outcome { .. } => is_person(by),
        Command::Canon(_) | Command::Lease(_) => is_person(by),
        Command::Invite { .. } => is_person(by),
    }
}

/// Whether it is somebody who takes part, rather than the engine.
fn is_person(by: &Actor) -> bool {
    matches!(by, Actor::Operator | Actor::Seat(_))
}

/// Judges a command to the workshop.
pub(crate) fn decide(flow: &mut Flow, by: &Actor, command: &Command) -> Result<(), crate::Refusal> {
    let author = Author::of(flow, by)?;
    match command {
        Command::Configure { charter } => flow.configure_workshop(*charter),
        Command::Open(open) => flow.open_issue(&author, open).map(drop),
        Command::Comment(comment) => flow.comment(&author, comment),
        Command::Close { issue } => flow.close_issue(&author, *issue),
        Command::Reopen { issue } => flow.reopen_issue(&author, *issue),
        Command::Consolidate { issues, title, body } => flow.consolidate(&author, issues, title, body),
        Command::Change { issue, change } => flow.change_issue(&author, *issue, change),
        Command::Unfreeze { issue, guidance } => flow.unfreeze(&author, *issue, guidance),
        Command::ForceResolution { issue, decision, reasoning } => {
            flow.force_resolution(&author, *issue, decision, reasoning)
        }
        Command::Escalate { issue, summary } => flow.escalate(&author, *issue, summary),
        Command::InvokeDevilsAdvocate { issue, who } => flow.invoke_advocate(&author, *issue, who.as_ref()),
        Command::Mark { issue, mark } => flow.mark_issue(&author, *issue, *mark),
        Command::FreezeTag { tag, reason } => flow.freeze_tag(&author, tag, reason),
        Command::ThawTag { tag } => flow.thaw_tag(&author, tag),
        Command::SetFreedom { who, freedom } => flow.set_freedom(&author, who, *freedom),
        Command::Invite { issue, who } => flow.invite(&author, *issue, who),
        Command::OpenPeriod { name } => flow.open_period(&author, name),
        Command::ClosePeriod { name } => flow.close_period(&author, name),
        Command::Outcome { comment, issue, outcome } => {
            flow.tell_outcome(&author, *issue, *comment, *outcome)
        }
        Command::Award(award) => flow.award(&author, award),
        Command::Rate { helpful, issue, who } => flow.rate(&author, *helpful, *issue, who),
        Command::SetGoal(goal) => flow.set_goal(&author, goal),
        Command::DropGoal { goal } => flow.drop_goal(&author, *goal),
        Command::ChangeModel { model, who } => flow.change_model(&author, model, who),
        Command::Canon(command) => flow.change_canon(&author, by, command),
        Command::Lease(command) => flow.change_leases(&author, command),
    }
}

/// Issues have a command of their own, because everybody may open one and nobody sits in it.
pub(crate) fn may_open(charter: &Charter, _: &Workshop, _: &Open, _: &[Seat]) -> Result<(), crate::Refusal> {
    Err(Refusal::OpenedOtherwise { charter: charter.name.clone() }.into())
}

/// Never reached: no issue is opened so.
#[allow(clippy::unnecessary_wraps)] // every procedure may refuse to begin
pub(crate) fn begin(_: &mut Flow, _: &Open) -> Result<(), crate::Refusal> {
    Ok(())
}

/// Nothing goes on without anybody.
pub(crate) fn advance(_: &mut Flow) {}

/// Nobody has to object in an issue that is over.
pub(crate) fn called_off(flow: &mut Flow) {
    flow.withdraw_orders();
}

/// What canon has from an issue loses its words with it.
pub(crate) fn after_redaction(flow: &mut Flow) {
    let matter = flow.case().id;
    flow.end_entries_of(matter);
    flow.turn_to(matter);
}

/// Nothing was waiting.
pub(crate) fn resumed(_: &mut Flow, _: Pause) {}

/// A seat that was asked and says nothing owes nothing: others go on.
pub(crate) fn owes(_: &Case, _: &Who, _: Task) -> bool {
    false
}

/// Why a seat that was asked to comment did not.
pub(crate) fn overdue(_: &Case, _: &Who, _: Task, begun: bool) -> Cause {
    match begun {
        true => Cause::passing("ask/late", "the seat did not answer in time"),
        false => Cause::passing("ask/undelivered", "nobody asked the seat in time"),
    }
}

/// How long a seat has that is asked to comment.
pub(crate) fn queued_until(case: &Case, at: At, who: &Who) -> At {
    at.plus(case.limit_ms(who))
}

/// The same when it is asked again.
pub(crate) fn renewed_until(case: &Case, at: At, who: &Who, _: Task) -> At {
    at.plus(case.limit_ms(who))
}

/// A seat that was asked to comment answers.
pub(crate) fn answer(
    flow: &mut Flow,
    case: &Case,
    given: &SubmittedAnswer<'_>,
) -> Result<(), crate::Refusal> {
    flow.seat_comments(case, given)
}

/// What a seat is told that is asked to comment.
pub(crate) fn brief(house: &House, case: &Case, ask: &Ask, _: &mut BriefCache) -> Option<Brief> {
    seat::brief(house, case, ask)
}

/// What is written blind is shown later, with the others.
pub(crate) fn is_told_as_made(_: &Case, said: &Contribution) -> bool {
    said.comment().is_none_or(|comment| !comment.blind)
}

/// There are no ballots.
pub(crate) fn shows_open_ballots(_: &Case) -> bool {
    false
}

/// There are no ballots.
pub(crate) fn ballot_name<'a>(_: &'a Case, _: &Ballot) -> &'a str {
    "vote"
}

/// There are no stages.
pub(crate) fn stage_name(_: &Case, _: usize) -> &str {
    "thread"
}

/// A thread is all there is.
pub(crate) fn said_in<'a>(_: &'a Case, _: &Contribution) -> &'a str {
    "thread"
}

/// Nobody voted on an issue, so nobody was right or wrong.
pub(crate) fn truth(_: &Case, _: Decision, _: Verdict) -> Option<Truth> {
    None
}

/// There are no ballots.
pub(crate) fn recount(_: &Case, _: &Ballot) -> (Tally, Decision, Option<Count>) {
    (Tally::default(), Decision::Undecided(UndecidedReason::Weightless), None)
}

/// There are no ballots.
pub(crate) fn spelled(_: &Case, _: &str) -> Option<String> {
    None
}

/// What is written blind is nobody's to see until all who read blind have answered.
pub(crate) fn is_public(case: &Case, said: &Contribution) -> bool {
    let blind = said.comment().is_some_and(|comment| comment.blind);
    !(blind && parts(case).1.is_read_blind())
}

/// Whether a participant may not see something yet that others may.
pub(crate) fn is_kept_from(case: &Case, who: &Who, said: &Contribution) -> bool {
    state::is_kept_from(case, who, said)
}

/// Everybody who belongs to the house may read its issues.
pub(crate) fn is_open_to_all(_: &Case) -> bool {
    true
}

impl Flow {
    /// An issue, whatever its status; the flow goes on with it.
    fn any_issue(&mut self, matter: MatterId) -> Result<std::sync::Arc<Case>, crate::Refusal> {
        if !self.house.knows(matter) {
            return Err(Refusal::UnknownIssue.into());
        }
        let case = self.find(matter)?;
        if case.workshop().is_none() { Err(Refusal::NotAnIssue.into()) } else { Ok(case) }
    }

    /// An issue that is not over; the flow goes on with it.
    fn live_issue(&mut self, matter: MatterId) -> Result<std::sync::Arc<Case>, crate::Refusal> {
        let case = self.any_issue(matter)?;
        match case.status() {
            Status::Running => Ok(case),
            Status::Settled(decision) => Err(Refusal::Over { status: settled_as(decision) }.into()),
            status @ Status::Paused(_) => Err(wrong_status(matter, status, Operation::Participate)),
        }
    }

    /// The same for somebody who wants to act on it: during the rest of a frozen issue only those act who oversee. The first
    /// action after it thaws it.
    fn issue_for(
        &mut self,
        author: &Author,
        matter: MatterId,
    ) -> Result<std::sync::Arc<Case>, crate::Refusal> {
        let case = self.live_issue(matter)?;
        let issue = &parts(&case).1.issue;
        match &issue.freeze {
            None => Ok(case),
            Some(freeze) if issue.rests(self.at) => match author.oversees() {
                true => Ok(case),
                false => Err(Refusal::Frozen { until: freeze.until }.into()),
            },
            Some(_) => {
                self.thaw(matter, &author.who, crate::issue::ThawCause::Cooldown);
                self.find(matter)
            }
        }
    }

    fn put_issue(&mut self, event: crate::issue::Event) -> crate::kernel::Id {
        self.put(Event::Issue(event))
    }
}

/// Where a matter stands as an issue.
pub(super) fn status(case: &Case) -> IssueStatus {
    parts(case).1.issue.status()
}
