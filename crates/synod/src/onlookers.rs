//! Who looks at a terminal on which a matter runs, and what they are shown instead of what is not for them yet.
//!
//! A person who sits in the matter reads the same screen on which the others' answers appear. What may be seen there is
//! the lens's decision; this asks it for everybody at the terminal.

use std::borrow::Cow;

use synod_core::ballot::{Delegation, Vote};
use synod_core::house::{Ballot, Case, Item, Reader};
use synod_core::kernel::{AskId, Call, Contribution, ContributionKind, SeatKind, Who};
use synod_core::view::{PendingAnswers, Report};
use synod_core::{Event, Task, ballot, context, gate};

use crate::live::ScreenNotice;
use crate::progress::named;

/// Who looks at a terminal: the people who serve in the matter, or else its operator.
#[derive(Debug)]
pub(crate) struct Onlookers<'a> {
    pub(crate) case: &'a Case,
    people: Vec<&'a Who>,
}

/// What stands for an event.
#[derive(Debug)]
pub(crate) enum Instead {
    /// The event itself.
    Shown,
    /// This, and the event when it may be seen.
    Later(ScreenNotice),
    /// This.
    Never(ScreenNotice),
}

impl<'a> Onlookers<'a> {
    pub(crate) fn of(case: &'a Case) -> Self {
        let opening = &case.opening;
        let serving = opening.seats.iter().chain(&opening.judges).chain(&opening.scribe);
        let people = serving.filter(|seat| seat.kind == SeatKind::Person).map(|seat| &seat.who);
        Self { case, people: people.collect() }
    }

    /// Whether everybody at the terminal may see something.
    pub(crate) fn may_see(&self, item: Item<'_>) -> bool {
        match self.people.is_empty() {
            true => self.case.may_see(Reader::Operator, item),
            false => self.people.iter().all(|who| self.case.may_see(Reader::Watcher(who), item)),
        }
    }

    /// The matter as everybody at the terminal may see it.
    pub(crate) fn report(&self) -> Report {
        self.people
            .first()
            .map_or_else(|| Report::of(self.case), |who| Report::seen_by(self.case, Reader::Watcher(who)))
    }

    /// What a participant is called here, labelled where it does not reason.
    pub(crate) fn name(&self, who: &Who) -> String {
        match self.may_see(Item::Names) || self.people == [who] {
            true => named(self.case.seat(who), who),
            false => self.case.names.label(who).into(),
        }
    }

    /// What a call took, where that may be known.
    pub(crate) fn call<'c>(&self, call: Option<&'c Call>) -> Option<&'c Call> {
        call.filter(|_| self.may_see(Item::Calls))
    }

    /// A text in which names are hidden where they are not to be seen.
    pub(crate) fn words<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.case.names.mask() {
            Some(mask) if !self.may_see(Item::Names) => mask.hide(text),
            Some(_) | None => Cow::Borrowed(text),
        }
    }

    /// What stands for an event, if the event is not for everybody here.
    pub(crate) fn instead(&self, event: &Event) -> Instead {
        match event {
            Event::Gate(gate::Event::Admitted(said) | gate::Event::Posted { said, .. }) => {
                self.instead_of(said)
            }
            Event::Gate(gate::Event::Rejected { .. }) if !self.sees_round(self.case.round()) => {
                Instead::Never(ScreenNotice::Line("   an answer was rejected".into()))
            }
            Event::Ballot(ballot::Event::Cast { vote, .. } | ballot::Event::Stated { vote, .. }) => {
                self.instead_of_vote(&vote.who, |held| holds(held, vote))
            }
            Event::Ballot(ballot::Event::Delegated { delegation, .. }) => {
                self.instead_of_vote(&delegation.who, |held| passes(held, delegation))
            }
            Event::Context(
                context::Event::Requested { round, .. } | context::Event::Refused { round, .. },
            ) if !self.sees_round(*round) => {
                Instead::Later(ScreenNotice::Line("   a question to the operator".into()))
            }
            Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Matter(_) => Instead::Shown,
            Event::Floor(_) | Event::Gate(_) | Event::Ballot(_) | Event::Meter(_) => Instead::Shown,
            Event::Ask(_) | Event::Context(_) | Event::Monitor(_) | Event::Rejections(_) => Instead::Shown,
            Event::Track(_) | Event::Trigger(_) | Event::Table(_) | Event::Watch(_) => Instead::Shown,
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => Instead::Shown,
            Event::Evidence(_) | Event::Ledger(_) => Instead::Shown,
            Event::Canon(_) | Event::Lease(_) => Instead::Shown,
        }
    }

    /// Whether everybody at the terminal may read what somebody is writing now: a statement that they could read once it is
    /// made, under a name that they may know. A vote is not shown before it is cast.
    pub(crate) fn sees_writing(&self, ask: AskId) -> bool {
        let Some((of, task)) = self.case.asks().get(&ask).and_then(|ask| Some((ask.who()?, ask.task()?)))
        else {
            return false;
        };
        match task {
            Task::Speak { round } => self.may_see(Item::Names) && self.may_see(Item::Speech { of, round }),
            Task::Vote { .. } | Task::Join | Task::Propose | Task::Weigh | Task::Second | Task::Clerk(_) => {
                false
            }
        }
    }

    /// Whether everybody at the terminal may see by name who is at work and who has answered. Where somebody here is not
    /// to be influenced they learn only how many have.
    pub(crate) fn sees_seat(&self, of: &Who, task: Option<Task>) -> bool {
        let is_open = match task {
            Some(Task::Speak { round }) => self.may_see(Item::Speech { of, round }),
            Some(Task::Vote { .. }) => {
                let ballot = self.case.ballots.last();
                self.people.is_empty() || ballot.is_some_and(|ballot| self.may_see(Item::VoteAsCast(ballot)))
            }
            Some(Task::Join | Task::Propose | Task::Weigh | Task::Second) | None => self.people.is_empty(),
            Some(Task::Clerk(_)) => true,
        };
        is_open && self.may_see(Item::Names)
    }

    /// How many of those who are asked now have answered, which everybody may know.
    pub(crate) fn count(&self) -> Option<String> {
        PendingAnswers::of(self.case).map(|pending| pending.count())
    }

    fn sees_round(&self, round: u32) -> bool {
        self.may_see(Item::Round(round))
    }

    fn instead_of(&self, said: &Contribution) -> Instead {
        if self.may_see(Item::Contribution(said)) {
            return Instead::Shown;
        }
        if let ContributionKind::Proposal { .. } = said.kind {
            return Instead::Later(ScreenNotice::Line(format!("   {} has proposed", self.name(&said.who))));
        }
        let of_round = |other: &Contribution| other.round == said.round && other.ask <= said.ask;
        let answered = self.case.said.iter().filter(|other| of_round(other)).count();
        let called = self.case.called_so_far();
        Instead::Later(ScreenNotice::Count(format!("   {answered} of {called} have answered")))
    }

    fn instead_of_vote(&self, who: &Who, is_on: impl Fn(&Ballot) -> bool) -> Instead {
        let noted = || ScreenNotice::Line(format!("   {} has voted", self.name(who)));
        let Some(ballot) = self.case.ballots.iter().rev().find(|held| is_on(held)) else {
            return Instead::Never(noted());
        };
        let is_open = self.case.may_see(Reader::Operator, Item::VoteAsCast(ballot));
        let is_theirs = is_open && self.may_see(Item::Vote { ballot, of: who });
        if is_theirs || self.may_see(Item::VoteAsCast(ballot)) {
            return Instead::Shown;
        }
        let voted = ballot.votes.len() + ballot.delegations.len();
        let counted = || ScreenNotice::Count(format!("   {voted} of {} have voted", ballot.seats.len()));
        // What is sealed is told by the report, when it may be; what is open, when everybody here has voted.
        match (self.people.is_empty(), is_open) {
            (true, _) => Instead::Never(noted()),
            (false, true) => Instead::Later(counted()),
            (false, false) => Instead::Never(counted()),
        }
    }
}

fn holds(ballot: &Ballot, vote: &Vote) -> bool {
    ballot.votes.iter().any(|cast| **cast == *vote || (cast.stated.is_some() && cast.stated == vote.stated))
}

fn passes(ballot: &Ballot, delegation: &Delegation) -> bool {
    ballot.delegations.iter().any(|passed| **passed == *delegation)
}
