//! Voting: the ballot opens with its rule copied in, seats are asked, votes are read, the count closes it.

use super::flow::Flow;
use super::{Ballot, Case, House};
use crate::ballot::{self, Rules, Tally, Vote};
use crate::brief::{Given, NEW_ARGUMENT, Read};
use crate::kernel::{AskId, At, BallotId, Choice, Repair, Threshold, text};
use crate::{Ask, Event, gate, watch};

/// How much of an unreadable vote the event keeps; the command has all of it.
const EXCERPT: usize = 200;

impl Flow {
    pub(super) fn open_ballot(&mut self, early: Option<Threshold>) {
        let matter = self.case.id;
        let rule = Rules { early, ..self.case.charter.ballot };
        let options = self.case.opening.question.options.len() as u8;
        let seats = self.case.in_play() as u32;
        let ballot =
            BallotId(self.put(Event::Ballot(ballot::Event::Opened { matter, rule, options, seats })));
        for (_, who) in self.case.present() {
            let until = self.queued_until(&who);
            self.put(Event::Ballot(ballot::Event::Asked { matter, ballot, who, attempt: 1, until }));
        }
        self.advance();
    }

    pub(super) fn close_ballot(&mut self) {
        let Some(ballot) = self.case.ballots.last() else { return };
        let (id, rule) = (ballot.id, ballot.rule);
        let tally = count(&self.case, ballot);
        let decision = tally.decision(&rule);
        let settles = rule.early.is_none_or(|early| tally.is_clear(&rule, early));
        let matter = self.case.id;
        self.put(Event::Ballot(ballot::Event::Closed { matter, ballot: id, tally, decision, settles }));
        if settles { self.settle(decision) } else { self.next_stage() }
    }
}

/// Counts a ballot: each seat once, unread votes apart.
fn count(case: &Case, ballot: &Ballot) -> Tally {
    let seats = &case.opening.seats[..case.in_play()];
    let mut tally = Tally::new(case.opening.question.options.len() as u8, seats.len() as u32);
    for vote in &ballot.votes {
        tally.add(vote.choice, 1);
    }
    tally.unparsed = ballot.unparsed.len() as u32;
    tally.missing = tally.seats - ballot.votes.len() as u32 - tally.unparsed;
    let took_part = |who: &crate::kernel::Who| {
        ballot.votes.iter().any(|vote| vote.who == *who)
            || ballot.unparsed.contains(who)
            || case.said.iter().any(|said| said.who == *who)
    };
    tally.present = seats.iter().filter(|seat| took_part(&seat.who)).count() as u32;
    tally
}

impl House {
    #[allow(clippy::too_many_arguments)] // one flow, called from one place
    pub(super) fn vote(
        &self,
        at: At,
        case: &Case,
        id: AskId,
        ask: &Ask,
        attempt: u32,
        said: &str,
        spent: Event,
    ) -> Vec<Event> {
        let Some(ballot) = case.ballots.last() else { return vec![spent] };
        match read(case, ask, said) {
            Some(mut vote) => {
                if attempt > 1 {
                    vote.repairs
                        .push(Repair::new("asked-again", "an earlier answer could not be read as a vote"));
                }
                let cast = ballot::Event::Cast { ask: id, vote: Box::new(vote) };
                self.then_advance(at, case, vec![spent, Event::Ballot(cast)])
            }
            None => {
                let again = attempt <= ballot.rule.unparsed_retries;
                let (ballot, who) = (ballot.id, ask.who.clone());
                let mut flow = self.flow(at, case);
                flow.put(spent);
                let said = text::excerpt(said, EXCERPT).into_owned();
                flow.put(Event::Ballot(ballot::Event::Unparsed { ask: id, again, said }));
                if again {
                    let (matter, until) = (case.id, flow.queued_until(&who));
                    let attempt = attempt + 1;
                    flow.put(Event::Ballot(ballot::Event::Asked { matter, ballot, who, attempt, until }));
                }
                flow.advance();
                flow.done()
            }
        }
    }
}

/// The vote in an answer; `None` if no choice can be read from it, or if it is longer than any answer may be.
fn read(case: &Case, ask: &Ask, said: &str) -> Option<Vote> {
    if gate::too_long(&case.charter.gate, said).is_some() {
        return None;
    }
    let options = &case.opening.question.options;
    let Read { mut fields, how, repairs } = case.forms.vote.read(said, options);
    let Some(Given::Choice(choice)) = fields.remove("vote") else { return None };
    let mut words = |key: &str| match fields.remove(key) {
        Some(Given::Text(text)) => Some(text),
        Some(
            Given::List(_)
            | Given::Confidence(_)
            | Given::Choice(_)
            | Given::Citations(_)
            | Given::Requests(_),
        )
        | None => None,
    };
    let (reason, change_if, argument) = (words("reason"), words("change_if"), words(NEW_ARGUMENT));
    let confidence = match fields.remove("confidence") {
        Some(Given::Confidence(confidence)) => Some(confidence),
        Some(
            Given::Text(_) | Given::List(_) | Given::Choice(_) | Given::Citations(_) | Given::Requests(_),
        )
        | None => None,
    };
    let earlier =
        case.ballots.iter().rev().skip(1).flat_map(|ballot| &ballot.votes).find(|vote| vote.who == ask.who);
    // Before any vote a seat stands where it last said it does, unless it was told to say so.
    let stood = || case.stood(&ask.who, u32::MAX);
    let before = earlier.map(|vote| vote.choice).or_else(stood);
    let changed_from = before.filter(|before| *before != choice);
    // What was named as the argument is kept only where something changed.
    let argument = argument.filter(|_| changed_from.is_some());
    let asked = case.ballots.last().is_some_and(|ballot| ballot.rule.change_needs_argument);
    // Who took no side before has given none up.
    let gave_in = changed_from.is_some_and(|from| from != Choice::Neutral);
    let conformity = asked && gave_in && watch::conformity(argument.as_deref());
    let who = ask.who.clone();
    Some(Vote {
        argument,
        change_if,
        changed_from,
        choice,
        confidence,
        conformity,
        how,
        reason,
        repairs,
        who,
    })
}
