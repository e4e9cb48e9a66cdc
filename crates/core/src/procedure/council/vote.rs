//! Voting: the ballot opens with its rule copied in, seats are asked, votes are read, the count closes it.

use super::state::parts;
use super::{polled, recount};
use crate::ballot::{self, Delegation, Method, RecordTrust, Rules, SealInput, Secrecy, Vote, Weights};
use crate::brief::{self, DELEGATE, FieldValue, NEW_ARGUMENT, ReadAnswer};
use crate::house::{Ballot, Case, Flow};
use crate::kernel::{BallotId, ByRecord, CONDITIONS, Choice, Repair, StanceSource, Threshold, Who, text};
use crate::procedure::SubmittedAnswer;
use crate::track::{Unweighed, Voter};
use crate::{Event, Refusal, edition, gate, procedure, track, watch};

/// How much of an unreadable vote the event keeps; the command has all of it.
const EXCERPT: usize = 200;

impl Flow {
    pub(super) fn open_ballot(&mut self, early: Option<Threshold>, stances: bool) {
        let matter = self.case().id;
        let options = self.case().opening.question.options.len() as u8;
        let mut rule = Rules { early, ..self.case().charter.ballot.clone() };
        // There is nothing to rank in a plain question: whatever the method, it is a plain vote.
        if options == 0 {
            rule.method = Method::Plurality;
        }
        let seats = &self.case().opening.seats[..self.case().in_play()];
        let seats = seats.iter().map(|seat| seat.who.clone()).collect();
        let (trust, stage) = (rule.record.map(|by| self.trust(&by)), self.case().stage_index() as u16);
        let opened = ballot::Event::Opened { matter, options, rule, seats, stage, trust };
        let ballot = BallotId(self.put(Event::Ballot(opened)));
        for who in self.case().present_seats() {
            if let Some(vote) = stances.then(|| stated(self.case(), &who)).flatten() {
                self.put(Event::Ballot(ballot::Event::Stated { ballot, matter, vote: Box::new(vote) }));
                continue;
            }
            let until = self.queued_until(&who);
            self.put(Event::Ballot(ballot::Event::Asked { matter, ballot, who, attempt: 1, until }));
        }
        super::advance(self);
    }

    /// What the records of those who vote are worth.
    fn trust(&self, by: &ByRecord) -> RecordTrust {
        let seats = &self.case().opening.seats[..self.case().in_play()];
        let voters: Vec<Voter<'_>> = seats.iter().map(Voter::of).collect();
        let edition = self.house.edition();
        if edition >= edition::LEARNS {
            return match track::learned_weights(edition, self.house.track(), &voters, by) {
                Ok(weights) => RecordTrust::Learned(Box::new(weights)),
                Err(Unweighed::TooFew { known }) => RecordTrust::TooFew { known },
                Err(Unweighed::NoneAhead) => RecordTrust::NoneAhead,
            };
        }
        match track::weigh(self.house.track(), &voters, by) {
            Ok(weights) => {
                RecordTrust::Weights(seats.iter().map(|seat| seat.who.clone()).zip(weights).collect())
            }
            Err(Unweighed::TooFew { known }) => RecordTrust::TooFew { known },
            Err(Unweighed::NoneAhead) => RecordTrust::NoneAhead,
        }
    }

    pub(super) fn close_ballot(&mut self) {
        let case = self.case();
        let Some(held) = case.ballots.last() else { return };
        let (ballot, rule) = (held.id, &held.rule);
        let (tally, decision, count) = recount(case, held);
        let clear = |early| match count {
            Some(_) => polled(case, held).poll.is_clear(rule, early),
            None => tally.is_clear(rule, early),
        };
        let settles = rule.early.is_none_or(clear);
        let (matter, count) = (case.id, count.map(Box::new));
        self.put(Event::Ballot(ballot::Event::Closed { matter, ballot, count, tally, decision, settles }));
        if settles {
            self.settle(decision);
            self.sum_up();
        } else {
            self.next_stage();
        }
    }

    /// Takes a vote; `case` is the matter before it.
    pub(super) fn vote(
        &mut self,
        case: &Case,
        who: &Who,
        attempt: u32,
        given: &SubmittedAnswer<'_>,
    ) -> Result<(), Refusal> {
        let spent = procedure::spent(given.id, given.call);
        let Some(ballot) = case.ballots.last() else {
            self.put(spent);
            return Ok(());
        };
        let salt = given.salt.filter(|_| ballot.rule.secrecy != Secrecy::Open);
        if ballot.rule.secrecy != Secrecy::Open && !salt.is_some_and(ballot::is_salt) {
            return Err(ballot::Refusal::Unsalted.into());
        }
        let again = (attempt > 1)
            .then(|| Repair::new("asked-again", "an earlier answer could not be read as a vote"));
        let seal = |choice: &str| salt.map(|salt| SealInput { ballot: ballot.id, choice, salt, who }.seal());
        let event = match read(case, ballot, who, given.text, self.house.edition()) {
            Some(VoteAnswer::Vote(mut vote)) => {
                vote.repairs.extend(again);
                vote.seal = seal(&vote.spelled(case.opening.question.options.len()));
                ballot::Event::Cast { ask: given.id, vote: Box::new(vote) }
            }
            Some(VoteAnswer::Passed(mut delegation)) => {
                delegation.repairs.extend(again);
                delegation.seal = seal(&passed_on(&delegation.to));
                ballot::Event::Delegated { ask: given.id, delegation: Box::new(delegation) }
            }
            None => {
                self.put(spent);
                self.unread(ballot, who, attempt, given);
                super::advance(self);
                return Ok(());
            }
        };
        self.put(spent);
        self.put(Event::Ballot(event));
        super::advance(self);
        Ok(())
    }

    /// A vote that could not be read: the seat is asked once more, or the record says so.
    fn unread(&mut self, ballot: &Ballot, who: &Who, attempt: u32, given: &SubmittedAnswer<'_>) {
        let again = attempt <= ballot.rule.unparsed_retries;
        let said = text::excerpt(given.text, EXCERPT).into_owned();
        self.put(Event::Ballot(ballot::Event::Unparsed { ask: given.id, again, said }));
        if again {
            let (ballot, matter, who) = (ballot.id, self.case().id, who.clone());
            let (until, attempt) = (self.queued_until(&who), attempt + 1);
            self.put(Event::Ballot(ballot::Event::Asked { matter, ballot, who, attempt, until }));
        }
    }
}

/// The vote that a seat's statement in the last round comes to, without its words: those are read where they were said, and
/// are deleted with it. `None` if it took no clear side there of its own will, or if the ballot wants more than a side.
fn stated(case: &Case, who: &Who) -> Option<Vote> {
    let ballot = case.ballots.last()?;
    let rule = &ballot.rule;
    if !rule.counts_stances() {
        return None;
    }
    let said = case.said.iter().rev().find(|said| said.who == *who && said.round == case.round())?;
    let response = &said.response;
    let free = said.ordered.is_none() && case.is_by_its_seat(who, said.ask.0);
    // A side that was found in running text is asked about before it counts.
    let clear = brief::stance_source(response.stance, &said.repairs) != StanceSource::Inferred;
    let choice = response.stance.filter(|side| *side != Choice::Neutral && free && clear)?;
    if rule.weights == Weights::Confidence && response.confidence.is_none() {
        return None;
    }
    Some(Vote {
        argument: None,
        change_if: None,
        conditions: Vec::new(),
        changed_from: None,
        choice,
        confidence: response.confidence,
        conformity: false,
        how: said.how,
        marks: None,
        reason: None,
        repairs: Vec::new(),
        seal: None,
        stated: Some(said.id),
        who: who.clone(),
    })
}

/// How a delegated vote is spelled where it is sealed.
fn passed_on(to: &Who) -> String {
    format!("to {to}")
}

/// The answer to an ask to vote: a vote, or a delegation.
enum VoteAnswer {
    /// A vote.
    Vote(Vote),
    /// A vote that another shall carry.
    Passed(Delegation),
}

/// The vote in an answer; `None` if none can be read from it, or if it is longer than any answer may be.
fn read(case: &Case, ballot: &Ballot, who: &Who, said: &str, edition: u32) -> Option<VoteAnswer> {
    if gate::too_long(&parts(case).0.gate, said).is_some() {
        return None;
    }
    understood(case, ballot, who, said, edition)
}

/// A vote as a seal spells it, from any words that would be read as it; `to NAME` for one that is passed on.
pub(crate) fn spelled(case: &Case, said: &str) -> Option<String> {
    if let Some(to) = said.trim().strip_prefix("to ").and_then(|name| case.named(name)) {
        return Some(passed_on(&to));
    }
    let options = &case.opening.question.options;
    match parts(case).1.forms.vote.read(said, options).fields.remove("vote")? {
        FieldValue::Marks(marks) => Some(marks.to_string()),
        other => other.choice().map(|choice| choice.ballot_word(options.len())),
    }
}

/// The vote that some words of a seat come to on a ballot.
fn understood(case: &Case, ballot: &Ballot, who: &Who, said: &str, edition: u32) -> Option<VoteAnswer> {
    let (options, form) = (&case.opening.question.options, &parts(case).1.forms.vote);
    let ReadAnswer { mut fields, how, repairs } = match edition < edition::STANCES {
        true => form.read(said, options),
        false => form.read_with_stances(said, options),
    };
    let choice = match fields.remove("vote") {
        Some(FieldValue::Marks(marks)) => Some((marks.side(), Some(marks))),
        other => other.and_then(FieldValue::choice).map(|choice| (choice, None)),
    };
    let mut words = |key: &str| fields.remove(key)?.text();
    let reason = words("reason");
    if let Some(named) = words(DELEGATE).filter(|named| !text::names_nothing(named)) {
        // Who votes and names somebody to vote for them cannot mean both.
        let own = choice.is_some_and(|(choice, _)| choice != Choice::Neutral);
        let to = case.named(&named).filter(|to| to != who && !own)?;
        return Some(VoteAnswer::Passed(Delegation {
            how,
            reason,
            repairs,
            seal: None,
            to,
            who: who.clone(),
        }));
    }
    let (choice, marks) = choice?;
    let (change_if, argument) = (words("change_if"), words(NEW_ARGUMENT));
    let reading = edition::reading(edition);
    let listed = fields.remove(CONDITIONS).map(FieldValue::list).unwrap_or_default();
    let conditions = ballot::conditions(listed, said, reading);
    let confidence = fields.remove("confidence").and_then(FieldValue::confidence);
    // A vote that does not say how sure it is has no weight that anybody knows.
    if ballot.rule.weights == Weights::Confidence && confidence.is_none() {
        return None;
    }
    let before = stood_before(case, ballot, who);
    // Who still has it on top, beside others, has not given it up.
    let kept = |before: &Choice| match (before, &marks) {
        (Choice::Option(option), Some(marks)) => marks.is_top(*option),
        (Choice::Yes | Choice::No | Choice::Neutral | Choice::Option(_), _) => false,
    };
    let changed_from = before.filter(|before| *before != choice && !kept(before));
    // What was named as the argument is kept only where something changed.
    let argument = argument.filter(|_| changed_from.is_some());
    // Who took no side before has given none up.
    let gave_in = changed_from.is_some_and(|from| from != Choice::Neutral);
    let conformity =
        ballot.rule.change_needs_argument && gave_in && watch::conformity(argument.as_deref(), reading);
    Some(VoteAnswer::Vote(Vote {
        argument,
        change_if,
        conditions,
        changed_from,
        choice,
        confidence,
        conformity,
        how,
        marks,
        reason,
        repairs,
        seal: None,
        stated: None,
        who: who.clone(),
    }))
}

/// Where a seat stood before a ballot: by its last vote, else where it last said it does, unless it was told
/// to say so.
fn stood_before(case: &Case, ballot: &Ballot, who: &Who) -> Option<Choice> {
    let earlier = case.ballots.iter().rev().skip_while(|held| held.id != ballot.id).skip(1);
    let own = earlier.filter(|held| case.is_by_its_seat(who, held.id.0));
    let voted = own.flat_map(|held| &held.votes).find(|vote| vote.who == *who);
    voted.map(|vote| vote.choice).or_else(|| case.stood(who, u32::MAX))
}

impl Case {
    /// The seat that goes by a name here. Where names are hidden only labels are known.
    fn named(&self, named: &str) -> Option<Who> {
        let named = text::one_line(named);
        let hidden = self.names.mask().is_some();
        let goes_by = |who: &Who| {
            text::fold(self.names.label(who)) == text::fold(&named)
                || (!hidden && Who::parse(&named).is_ok_and(|named| named == *who))
        };
        self.opening.seats.iter().map(|seat| &seat.who).find(|who| goes_by(who)).cloned()
    }
}
