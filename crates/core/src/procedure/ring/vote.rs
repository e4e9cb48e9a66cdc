//! The vote of a ring: everyone on every proposal, in five grades, until all have voted or the time is up.

use std::sync::Arc;

use super::participate::trimmed;
use super::state::parts;
use super::{Action, RingStep, advance, wrong_phase};
use crate::ballot::{self, Count, Grade, GradeCount, GradedVote, SealInput, Secrecy, Tally};
use crate::house::{Ballot, Case, Flow};
use crate::kernel::{BallotId, Decision, ProposalId, UndecidedReason, Who};
use crate::table::{self, Proposal};
use crate::{Ask, Event, Refusal, Task, ask};

impl Flow {
    /// Opens the vote on what lies on the table. With nothing there, there is nothing to vote on.
    pub(super) fn open_vote(&mut self) {
        let (rules, state) = parts(self.case());
        let proposals = state.table.proposals.len();
        if proposals == 0 {
            return self.settle(Decision::Undecided(UndecidedReason::NoProposal));
        }
        let (matter, rule) = (self.case().id, self.case().charter.ballot.clone());
        let (electors, until) = (state.electors(), self.at.plus(rules.vote_ms.is));
        let (options, seats) = (proposals as u8, electors.clone());
        let opened = ballot::Event::Opened { matter, options, rule, seats, stage: 0, trust: None };
        let ballot = BallotId(self.put(Event::Ballot(opened)));
        for who in electors {
            self.put(Event::Ballot(ballot::Event::Asked { attempt: 1, ballot, matter, until, who }));
        }
        advance(self);
    }

    /// A vote on one proposal.
    pub(super) fn grade(
        &mut self,
        who: &Who,
        action: &Action,
        proposal: ProposalId,
        grade: Grade,
    ) -> Result<(), Refusal> {
        let Action::Vote { changes, conditions, rationale, salt, .. } = action else { return Ok(()) };
        let Some(open) = self.case().ballots.last().filter(|ballot| ballot.result.is_none()) else {
            return Err(wrong_phase(self.case(), RingStep::Vote));
        };
        let overdue = |ask: &Ask| matches!(ask.task(), Some(Task::Vote { .. })) && ask.until <= self.at;
        if self.case().asks().values().any(overdue) {
            return Err(wrong_phase(self.case(), RingStep::VoteLate));
        }
        if parts(self.case()).1.table.proposal(proposal).is_none() {
            return Err(table::Refusal::Unknown { id: proposal.0 }.into());
        }
        let before = open.graded_by(who, proposal).map(|vote| vote.grade);
        if before.is_some() && !open.rule.change {
            return Err(ballot::Refusal::AlreadyCast { who: who.clone() }.into());
        }
        let (matter, ballot) = (self.case().id, open.id);
        let sealed = open.rule.secrecy != Secrecy::Open;
        if sealed && !salt.as_deref().is_some_and(ballot::is_salt) {
            return Err(ballot::Refusal::Unsalted.into());
        }
        let choice = format!("{proposal} {grade}");
        let seal = |salt: &String| SealInput { ballot, choice: &choice, salt, who }.seal();
        let seal = salt.as_ref().filter(|_| sealed).map(seal);
        let vote = Box::new(GradedVote {
            changed_from: before,
            changes: changes.iter().map(|change| trimmed(change)).collect(),
            conditions: conditions.iter().map(|condition| trimmed(condition)).collect(),
            grade,
            proposal,
            rationale: rationale.as_deref().map(trimmed),
            seal,
            who: who.clone(),
        });
        self.put(Event::Ballot(ballot::Event::Graded { ballot, matter, vote }));
        let asked = self.case().asks().iter();
        let mut asked =
            asked.filter(|(_, ask)| ask.is_of(who) && matches!(ask.task(), Some(Task::Vote { .. })));
        let asked = asked.next().map(|(id, _)| *id);
        if let Some(ask) = asked.filter(|_| self.voted_on_all(who)) {
            self.put(Event::Ask(ask::Event::Met { ask }));
        }
        advance(self);
        Ok(())
    }

    fn voted_on_all(&self, who: &Who) -> bool {
        let ballot = self.case().ballots.last();
        let voted = |proposal| ballot.is_some_and(|ballot| ballot.graded_by(who, proposal).is_some());
        parts(self.case()).1.table.proposals.iter().all(|proposal| voted(proposal.id))
    }

    /// Counts every proposal and ends the ring.
    pub(super) fn close_vote(&mut self) {
        let Some(ballot) = self.case().ballots.last().filter(|ballot| ballot.result.is_none()) else {
            return;
        };
        let (matter, id) = (self.case().id, ballot.id);
        let GradedResult { standings, tied, tally, decision } = graded(self.case(), ballot);
        self.put(Event::Ballot(ballot::Event::Counted { ballot: id, matter, standings, tied }));
        self.put(Event::Ballot(ballot::Event::Closed {
            ballot: id,
            decision,
            matter,
            settles: true,
            tally,
            count: None,
        }));
        self.settle(decision);
    }
}

/// The result of the votes of a ring.
struct GradedResult {
    standings: Vec<GradeCount>,
    tied: Vec<ProposalId>,
    tally: Tally,
    decision: Decision,
}

/// Counts the votes on every proposal.
fn graded(case: &Case, ballot: &Ballot) -> GradedResult {
    let (rule, seats) = (&ballot.rule, ballot.seats.len() as u32);
    let state = parts(case).1;
    // A vote of somebody who left afterwards counts, so its voter is counted among those present too.
    let took_part = |who: &&Who| {
        ballot.graded.iter().any(|vote| vote.who == **who)
            || (state.is_member(who) && state.table.has_heard(who))
    };
    let present = ballot.seats.iter().filter(took_part).count() as u32;
    let standing = |proposal: ProposalId| {
        let votes: Vec<(&Who, Grade)> =
            ballot.last_grades(proposal).map(|vote| (&vote.who, vote.grade)).collect();
        GradeCount::of(proposal, &votes, rule, seats, present)
    };
    let standings: Vec<GradeCount> =
        state.table.proposals.iter().map(|proposal| standing(proposal.id)).collect();
    let rank = ballot::rank(&standings, rule);
    let tied = rank.tied.iter().map(|place| standings[*place].proposal).collect();
    let tally = rank.first.map_or_else(|| Tally::new(0, seats), |place| standings[place].tally.clone());
    GradedResult { standings, tied, tally, decision: rank.decision }
}

/// A ballot counted again from its votes.
pub(crate) fn recount(case: &Case, ballot: &Ballot) -> (Tally, Decision, Option<Count>) {
    let counted = graded(case, ballot);
    (counted.tally, counted.decision, None)
}

/// A vote as it is sealed: the proposal, named by letter or id, and the grade. With one proposal the grade is enough.
pub(crate) fn spelled(case: &Case, said: &str) -> Option<String> {
    let (of, word) = said.trim().rsplit_once(char::is_whitespace).unwrap_or(("", said.trim()));
    let grade = Grade::ALL.into_iter().find(|grade| grade.word().eq_ignore_ascii_case(word))?;
    let named = |put: &&Arc<Proposal>| {
        let of = of.trim();
        of.eq_ignore_ascii_case(&put.letter().to_string()) || of == put.id.to_string()
    };
    let put = match (parts(case).1.table.proposals.as_slice(), of.trim()) {
        ([only], "") => only,
        (all, _) => all.iter().find(named)?,
    };
    Some(format!("{} {grade}", put.id))
}
