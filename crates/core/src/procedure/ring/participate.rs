//! What a participant does for itself: join and leave, take its turn, put things on the table, rule on changes.

use std::sync::Arc;

use super::state::{invitation, parts};
use super::{Action, RingStep, advance, wrong_phase};
use crate::ask::Of;
use crate::charter::Ring;
use crate::house::{Case, Flow, wrong_status};
use crate::kernel::{
    AmendmentId, AskId, At, Cause, Contribution, ContributionKind, How, Id, MatterId, ProposalId, Response,
    Who, text,
};
use crate::matter::Operation;
use crate::table::{self, PROPOSALS_MOST, Phase, Proposal, TITLE_MOST};
use crate::{Event, Refusal, Task, ask, ballot, floor, gate, roster};

/// Conditions or changes a vote may name.
const LISTED_MOST: usize = 20;

pub(super) fn participate(
    flow: &mut Flow,
    matter: MatterId,
    who: &Who,
    action: &Action,
) -> Result<(), Refusal> {
    let case = flow.running_ring(matter)?;
    let (rules, state) = parts(&case);
    if case.seat(who).is_none() {
        return Err(roster::Refusal::NotSeated { who: who.clone(), matter }.into());
    }
    if case.time_limit().is_some_and(|limit| limit <= flow.at) {
        return Err(wrong_status(matter, case.status(), Operation::ParticipateLate));
    }
    if let Some(cause) = state.gone.get(who).filter(|cause| cause.lasting) {
        return Err(
            super::Refusal::Removed { who: who.clone(), matter, why: cause.detail.to_string() }.into()
        );
    }
    if let Action::Join = action {
        return flow.join(who);
    }
    // An invited agent that declines need not be waited for.
    if let (Action::Leave, Some(ask)) = (action, invitation(&case, who)) {
        flow.give_up(ask, Cause::passing("ring/declined", "declined"));
        advance(flow);
        return Ok(());
    }
    if !state.is_member(who) {
        return Err(super::Refusal::NotJoined { who: who.clone(), matter }.into());
    }
    Participant { case: &case, rules, who }.take(flow, action)
}

/// A participant who does something.
struct Participant<'a> {
    /// The matter before it.
    case: &'a Case,
    rules: &'a Ring,
    who: &'a Who,
}

/// What is put on the table.
struct Put<'a> {
    ask: AskId,
    kind: ContributionKind,
    round: u32,
    text: &'a str,
    why: Option<&'a str>,
    to: Option<Id>,
}

impl Participant<'_> {
    fn take(&self, flow: &mut Flow, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Join => Ok(()), // done before anybody is asked whether they joined
            Action::Leave => {
                flow.leave(self.who, Cause::passing("ring/left", "left of their own accord"));
                Ok(())
            }
            Action::Acknowledge { ask } => self.acknowledge(flow, *ask),
            Action::Say { ask, kind, text, to, keep } => {
                let round = self.spoken(flow.at, *ask)?;
                fits(self.rules, text)?;
                to.map(|to| self.known(to)).transpose()?;
                let put = Put { ask: *ask, kind: (*kind).into(), round, text, why: None, to: *to };
                self.put(flow, put, *keep)
            }
            Action::Propose { ask, title, text, keep } => self.propose(flow, *ask, title, text, *keep),
            Action::Amend { ask, proposal, text, why, keep } => {
                self.amend(flow, *ask, *proposal, (text, why.as_deref()), *keep)
            }
            Action::React { ask, to, reaction, text, keep } => {
                let round = self.spoken(flow.at, *ask)?;
                text.as_ref().map(|text| fits(self.rules, text)).transpose()?;
                self.known(*to)?;
                let text = text.as_deref().unwrap_or_default();
                let kind = ContributionKind::Reaction(*reaction);
                self.put(flow, Put { ask: *ask, kind, round, text, why: None, to: Some(*to) }, *keep)
            }
            Action::Release { ask } => {
                self.turn(flow.at, *ask)?;
                flow.give_back(*ask, None);
                Ok(())
            }
            Action::Skip { ask, why } => {
                self.turn(flow.at, *ask)?;
                why.as_ref().map(|why| fits(self.rules, why)).transpose()?;
                flow.give_back(*ask, why.as_deref().map(trimmed));
                Ok(())
            }
            Action::Rule { amendment, accept, why } => {
                why.as_ref().map(|why| fits(self.rules, why)).transpose()?;
                flow.rule(self.who, *amendment, *accept, why.as_deref().map(trimmed))
            }
            Action::Vote { proposal, grade, rationale, conditions, changes, salt } => {
                let words = conditions.iter().chain(changes).chain(rationale);
                words.map(|words| fits(self.rules, words)).collect::<Result<Vec<()>, _>>()?;
                if conditions.len().max(changes.len()) > LISTED_MOST {
                    let given = conditions.len().max(changes.len());
                    return Err(ballot::Refusal::TooManyListed { given, most: LISTED_MOST }.into());
                }
                if let Some(given) = salt.as_ref().map(String::len).filter(|given| *given > 128) {
                    return Err(table::Refusal::TooLong { given, most: 128 }.into());
                }
                flow.grade(self.who, action, *proposal, *grade)
            }
        }
    }

    fn acknowledge(&self, flow: &mut Flow, ask: AskId) -> Result<(), Refusal> {
        self.turn(flow.at, ask)?;
        if let Some(open) = self.case.asks().get(&ask).filter(|open| !open.begun) {
            // The time runs from the grant on: a turn that is fetched late is not longer.
            let until = open.until;
            flow.put(Event::Ask(ask::Event::Begun { ask, patience_ms: None, until }));
        }
        Ok(())
    }

    fn propose(
        &self,
        flow: &mut Flow,
        ask: AskId,
        title: &str,
        words: &str,
        keep: bool,
    ) -> Result<(), Refusal> {
        match self.turn(flow.at, ask)? {
            Task::Propose | Task::Speak { .. } => (),
            Task::Join | Task::Weigh | Task::Second | Task::Vote { .. } | Task::Clerk(_) => {
                return Err(wrong_phase(self.case, RingStep::Propose));
            }
        }
        fits(self.rules, words)?;
        let title = text::one_line(title);
        let length = title.chars().count();
        if length == 0 {
            return Err(table::Refusal::Empty.into());
        }
        if length > TITLE_MOST {
            return Err(table::Refusal::TooLong { given: length, most: TITLE_MOST }.into());
        }
        let table = &parts(self.case).1.table;
        if table.proposals.len() >= PROPOSALS_MOST {
            return Err(table::Refusal::TooManyProposals { most: PROPOSALS_MOST, who: None }.into());
        }
        let most = self.rules.proposals_each as usize;
        let own = table.proposals.iter().filter(|proposal| proposal.who == *self.who).count();
        if own >= most {
            return Err(table::Refusal::TooManyProposals { most, who: Some(self.who.clone()) }.into());
        }
        let kind = ContributionKind::Proposal { number: table.proposals.len() as u32 + 1, title };
        let round = self.case.round();
        self.put(flow, Put { ask, kind, round, text: words, why: None, to: None }, keep)
    }

    fn amend(
        &self,
        flow: &mut Flow,
        ask: AskId,
        proposal: ProposalId,
        (words, why): (&str, Option<&str>),
        keep: bool,
    ) -> Result<(), Refusal> {
        let round = self.spoken(flow.at, ask)?;
        fits(self.rules, words)?;
        why.map(|why| fits(self.rules, why)).transpose()?;
        let of = self.proposed(proposal)?;
        if of.text.trim() == words.trim() {
            return Err(table::Refusal::NoChange { proposal }.into());
        }
        let kind = ContributionKind::Amendment { proposal, version: of.version };
        self.put(flow, Put { ask, kind, round, text: words, why, to: Some(proposal.0) }, keep)
    }

    /// Contributes, and gives the floor back unless it is kept for more. A turn holds only so many contributions: the
    /// floor is for everyone.
    fn put(&self, flow: &mut Flow, put: Put<'_>, keep: bool) -> Result<(), Refusal> {
        let state = parts(self.case).1;
        let most = self.rules.per_turn;
        if state.items_in_turn.get(&put.ask).copied().unwrap_or(0) >= most {
            return Err(floor::Refusal::TurnFull { ask: put.ask, most }.into());
        }
        let text = trimmed(put.text);
        let repeats = match &put.kind {
            ContributionKind::Reaction(_) | ContributionKind::Answer | ContributionKind::Estimate => false,
            ContributionKind::Comment(_) => false, // only issues have them
            ContributionKind::Statement
            | ContributionKind::Opinion
            | ContributionKind::Question
            | ContributionKind::Synthesis => state.table.repeats(&text),
            ContributionKind::Proposal { .. } | ContributionKind::Amendment { .. } => {
                state.table.repeats(&text)
            }
        };
        let response = Response {
            position: Some(text).filter(|text| !text.is_empty()),
            reasoning: put.why.map(trimmed),
            ..Response::default()
        };
        flow.put(Event::Gate(gate::Event::Admitted(Arc::new(Contribution {
            ask: put.ask,
            at: flow.at,
            how: How::Direct,
            kind: put.kind,
            ordered: None,
            repairs: Vec::new(),
            repeats,
            response,
            round: put.round,
            stage: 0,
            to: put.to,
            violations: Vec::new(),
            who: self.who.clone(),
        }))));
        if !keep {
            flow.give_back(put.ask, None);
        }
        Ok(())
    }

    /// What is asked for in the turn of that id, if it is this participant's. One whose time is up is over, also where nobody has
    /// written that down yet.
    fn turn(&self, at: At, ask: AskId) -> Result<Task, Refusal> {
        let open = self.case.asks().get(&ask).filter(|open| open.until > at);
        match open.map(|open| &open.of) {
            Some(Of::Seat { who, task }) if who == self.who => Ok(*task),
            Some(Of::Seat { who, .. }) => {
                Err(floor::Refusal::NotHolder { who: self.who.clone(), holder: who.clone() }.into())
            }
            Some(Of::World(_)) | None => Err(ask::Refusal::NotOpen { ask }.into()),
        }
    }

    /// The round of a turn in which everything may be said.
    fn spoken(&self, at: At, ask: AskId) -> Result<u32, Refusal> {
        match self.turn(at, ask)? {
            Task::Speak { round } => Ok(round),
            Task::Join | Task::Propose | Task::Weigh | Task::Vote { .. } | Task::Second | Task::Clerk(_) => {
                Err(wrong_phase(self.case, RingStep::Speak))
            }
        }
    }

    fn known(&self, to: Id) -> Result<(), Refusal> {
        let known = parts(self.case).1.table.holds(to);
        if known { Ok(()) } else { Err(table::Refusal::Unknown { id: to }.into()) }
    }

    fn proposed(&self, proposal: ProposalId) -> Result<&Proposal, Refusal> {
        let found = parts(self.case).1.table.proposal(proposal).map(|found| &**found);
        Ok(found.ok_or(table::Refusal::Unknown { id: proposal.0 })?)
    }
}

/// Text that can be put down. What is too long is refused with its length, never cut.
fn fits(rules: &Ring, words: &str) -> Result<(), Refusal> {
    let (given, most) = (words.trim().chars().count(), rules.text_most as usize);
    if given == 0 {
        return Err(table::Refusal::Empty.into());
    }
    if given > most { Err(table::Refusal::TooLong { given, most }.into()) } else { Ok(()) }
}

/// What is kept of a text: what was measured.
pub(super) fn trimmed(words: &str) -> String {
    words.trim().to_string()
}

impl Flow {
    fn join(&mut self, who: &Who) -> Result<(), Refusal> {
        let case = self.case();
        let matter = case.id;
        let state = parts(case).1;
        if state.is_member(who) && !case.absent.contains_key(who) {
            return Err(super::Refusal::AlreadyJoined { who: who.clone(), matter }.into());
        }
        // Those who join while the ring gathers stand in the order of the invitations, latecomers last.
        let place = match case.phase() {
            Some(Phase::Voting) => {
                return Err(wrong_phase(case, RingStep::Join));
            }
            Some(Phase::Gathering) => {
                let before = |other: &Who| case.place(other) < case.place(who);
                state.members.iter().filter(|member| before(&member.who)).count()
            }
            Some(Phase::Proposing | Phase::Discussing | Phase::Converging) | None => state.members.len(),
        };
        let (place, invitation, from_round) = (place as u32, invitation(case, who), case.round() + 1);
        self.put(Event::Floor(floor::Event::Joined { from_round, matter, place, who: who.clone() }));
        if let Some(ask) = invitation {
            self.put(Event::Ask(ask::Event::Met { ask }));
        }
        advance(self);
        Ok(())
    }

    /// Ends a turn. One in which nothing was put down was skipped, however it is called.
    fn give_back(&mut self, ask: AskId, why: Option<String>) {
        let who = self.case().asks().get(&ask).and_then(|open| open.who().cloned());
        if parts(self.case()).1.items_in_turn.contains_key(&ask) {
            self.put(Event::Floor(floor::Event::Released { ask }));
        } else {
            self.put(Event::Floor(floor::Event::Skipped { ask, why }));
        }
        let case = self.case();
        let (rules, state) = parts(case);
        let (matter, skips) = (case.id, rules.skips);
        if let Some(who) = who
            && state.skips.get(&who).copied().unwrap_or(0) >= skips
            && !case.absent.contains_key(&who)
        {
            let cause = Cause::passing("ring/skips", format!("skipped {skips} turns in a row"));
            self.put(Event::Floor(floor::Event::Absent { cause, matter, who }));
        }
        advance(self);
    }

    fn rule(
        &mut self,
        who: &Who,
        amendment: AmendmentId,
        accepted: bool,
        why: Option<String>,
    ) -> Result<(), Refusal> {
        let case = self.case();
        let table = &parts(case).1.table;
        let (proposal, change) =
            table.amendment(amendment).ok_or(table::Refusal::Unknown { id: amendment.0 })?;
        if proposal.who != *who {
            return Err(
                table::Refusal::NotProposer { who: who.clone(), proposer: proposal.who.clone() }.into()
            );
        }
        if change.accepted.is_some() {
            return Err(table::Refusal::AlreadyRuled { amendment }.into());
        }
        match case.phase() {
            Some(Phase::Discussing | Phase::Converging) => (),
            Some(Phase::Gathering | Phase::Proposing | Phase::Voting) | None => {
                return Err(wrong_phase(case, RingStep::Rule));
            }
        }
        if accepted && change.version != proposal.version {
            let (written, now) = (change.version, proposal.version);
            return Err(table::Refusal::Stale { amendment, written, now }.into());
        }
        let matter = case.id;
        let weighing = case.asks().iter().find(|(_, ask)| ask.is_of(who) && ask.task() == Some(Task::Weigh));
        let weighing = weighing.map(|(id, ask)| (*id, ask.until));
        if let Some((ask, _)) = weighing.filter(|(_, until)| *until <= self.at) {
            return Err(ask::Refusal::NotOpen { ask }.into());
        }
        self.put(Event::Table(table::Event::Ruled { accepted, amendment, matter, why }));
        let settled = parts(self.case()).1.table.unruled(who).next().is_none();
        if let Some((ask, _)) = weighing.filter(|_| settled) {
            self.put(Event::Ask(ask::Event::Met { ask }));
            advance(self);
        }
        Ok(())
    }
}
