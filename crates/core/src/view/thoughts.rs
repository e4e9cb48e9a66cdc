//! Everything one seat said and voted, in order, with what it took.

use serde::Serialize;

use super::round::{RulingRow, rulings};
use super::{PendingAnswers, RefusedRow, Report, RequestRow, SeatReport};
use crate::Task;
use crate::ballot::{Delegation, GradedVote, Vote};
use crate::house::{Case, Item, Reader};
use crate::kernel::{
    AskId, Call, Cause, Choice, Contribution, Digest, Id, Marks, MatterId, ProposalId, StoredContribution,
    Who,
};
use crate::matter::Question;
use crate::meter::Total;

/// Everything one seat said and voted.
#[derive(Debug, Clone, Serialize)]
pub struct Thoughts {
    /// The matter.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// What was asked.
    pub question: Question,
    /// Where the matter stands, in a word.
    pub status: &'static str,
    /// The seat.
    pub seat: SeatReport,
    /// What it did, in order.
    pub turns: Vec<SeatTurn>,
    /// How many have answered in what is under way, where answers are not shown yet: this seat's may be among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingAnswers>,
    /// What it asked the operator for.
    pub requests: Vec<RequestRow>,
    /// Its requests that do not stand.
    pub refused_requests: Vec<RefusedRow>,
    /// The proposals of a ring, each with its letter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<(ProposalId, char)>,
    /// Where another model or program had the seat of this name; what was said there is not this seat's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_in: Option<MatterId>,
    /// What its calls took. Rounds shared with another matter are counted there.
    pub spent: Total,
}

/// One turn of a seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatTurn {
    /// For what, such as `round 1` or `first-vote`.
    pub what: String,
    /// The charter's name for the stage.
    pub stage: String,
    /// The side it stood on before, where it is another now.
    pub changed_from: Option<Choice>,
    /// What came of it.
    pub did: Did,
    /// What the call took; none where another matter paid for it.
    pub call: Option<Call>,
}

/// What came of a turn.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Did {
    /// It spoke.
    Said(Box<Contribution>),
    /// It voted.
    Voted(Box<Vote>),
    /// It voted on a proposal of a ring.
    Graded(Box<GradedVote>),
    /// It answered a change that somebody wanted to its proposal.
    Ruled(RulingRow),
    /// It skipped its turn, for this reason.
    Skipped(Option<String>),
    /// It passed its vote on.
    Passed(Box<Delegation>),
    /// It voted, and how is not to be shown: what stands for it.
    Sealed(Option<Digest>),
    /// It voted, and the vote could not be read.
    Unreadable,
    /// It said which of the proposed answers mean the same: groups of them, none if all differ.
    Compared(Vec<Vec<String>>),
    /// It gave no answer, for this cause.
    Missing(Cause),
}

impl Thoughts {
    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = super::stands(self.status, held);
        self
    }

    /// Reads one seat of a matter; `None` if it does not sit there.
    pub fn of(case: &Case, who: &Who) -> Option<Self> {
        case.seat(who)?;
        let report = Report::of(case);
        let seat = report.seats.iter().find(|row| row.seat.who == *who)?.clone();
        let mut spent = Total::default();
        let own = case.calls.values().filter(|(ask, _)| ask.is_of(who));
        own.for_each(|(_, call)| spent.add(&Total::of_usage(&call.usage)));
        Some(Self {
            matter: case.id,
            number: case.number,
            question: report.question,
            status: report.status,
            turns: turns(case, who),
            pending: report.pending.filter(|pending| pending.hidden),
            requests: report.requests.into_iter().filter(|row| row.who == *who).collect(),
            refused_requests: report.refused_requests.into_iter().filter(|row| row.who == *who).collect(),
            proposals: report
                .ring
                .map(|ring| ring.proposals.iter().map(|put| (put.id, put.letter)).collect())
                .unwrap_or_default(),
            replaced_in: case
                .opening
                .forked
                .filter(|_| case.opening.replaced.contains(who))
                .map(|forked| forked.from),
            seat,
            spent,
        })
    }
}

fn turns(case: &Case, who: &Who) -> Vec<SeatTurn> {
    let mut turns: Vec<(Id, SeatTurn)> = said(case, who)
        .chain(voted(case, who))
        .chain(graded(case, who))
        .chain(compared(case, who))
        .chain(ruled(case, who))
        .chain(skipped(case, who))
        .chain(silent(case, who))
        .collect();
    turns.sort_by_key(|(at, _)| *at);
    let mut turns: Vec<SeatTurn> = turns.into_iter().map(|(_, turn)| turn).collect();
    changes(&mut turns);
    turns
}

/// Says of each turn which side was given up in it. Of a vote the record says it.
fn changes(turns: &mut [SeatTurn]) {
    let (mut stood, mut marks): (Option<Choice>, Option<Marks>) = (None, None);
    for turn in turns {
        match &turn.did {
            // What was said under orders is nobody's opinion, so a free vote changes nothing.
            Did::Said(said) if said.ordered.is_some() => (),
            Did::Said(said) => {
                let Some(now) = said.response.stance else { continue };
                // Who speaks for one of those that they had on top has given up none.
                let kept = matches!((now, &marks), (Choice::Option(at), Some(marks)) if marks.is_top(at));
                turn.changed_from = stood.filter(|before| *before != now && !kept);
                (stood, marks) = (Some(now), None);
            }
            Did::Voted(vote) => {
                turn.changed_from = vote.changed_from;
                (stood, marks) = (Some(vote.choice), vote.marks.clone());
            }
            Did::Ruled(_) | Did::Graded(_) | Did::Skipped(_) | Did::Passed(_) => (),
            Did::Sealed(_) | Did::Unreadable | Did::Missing(_) | Did::Compared(_) => (),
        }
    }
}

fn said<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    let shown = |said: &&StoredContribution| case.may_see(Reader::Operator, Item::Contribution(said));
    let own = move |said: &&StoredContribution| said.who == *who && case.is_by_its_seat(who, said.ask.0);
    case.said.iter().filter(own).filter(shown).map(|said| {
        let turn = SeatTurn {
            what: super::said_in_round(said.round),
            stage: case.said_in(said).into(),
            changed_from: None,
            did: Did::Said(Box::new((*said.said).clone())),
            call: case.calls.get(&said.ask).map(|(_, call)| (**call).clone()),
        };
        (said.id, turn)
    })
}

fn voted<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    case.ballots.iter().filter_map(move |ballot| {
        let vote = ballot.votes.iter().rev().find(|vote| vote.who == *who);
        let passed = ballot.delegations.iter().find(|passed| passed.who == *who);
        let shown = case.may_see(Reader::Operator, Item::Vote { ballot, of: who });
        let did = match (vote, passed) {
            (Some(vote), _) if !shown => Did::Sealed(vote.seal),
            (None, Some(passed)) if !shown => Did::Sealed(passed.seal),
            (Some(vote), _) => Did::Voted(Box::new((**vote).clone())),
            (None, Some(passed)) => Did::Passed(Box::new((**passed).clone())),
            (None, None) if ballot.unparsed.contains(who) => Did::Unreadable,
            (None, None) => return None,
        };
        let stage = case.ballot_name(ballot).to_string();
        let of_ballot = |task| matches!(task, Some(Task::Vote { ballot: of, .. }) if of == ballot.id);
        let call = case.calls.values().rev().find(|(ask, _)| ask.is_of(who) && of_ballot(ask.task()));
        let call = call.map(|(_, call)| (**call).clone());
        Some((ballot.id.0, SeatTurn { what: stage.clone(), stage, changed_from: None, did, call }))
    })
}

/// Votes on the proposals of a ring, changed ones included.
fn graded<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    case.ballots.iter().flat_map(move |ballot| {
        let shown = case.may_see(Reader::Public, Item::Votes(ballot));
        let own = ballot.graded.iter().filter(move |vote| vote.who == *who);
        own.map(move |vote| {
            let stage = case.ballot_name(ballot).to_string();
            let did = if shown { Did::Graded(Box::new((**vote).clone())) } else { Did::Sealed(vote.seal) };
            (ballot.id.0, SeatTurn { what: stage.clone(), stage, changed_from: None, did, call: None })
        })
    })
}

/// What it said about which proposed answers mean the same.
fn compared<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    let state = case.council().map(|(_, state)| state);
    let own = state.into_iter().flat_map(|state| state.comparisons.iter().map(move |said| (state, said)));
    own.filter(move |(_, said)| said.who == *who).map(|(state, said)| {
        let text = |place: &u8| state.compared.get(usize::from(*place)).cloned().unwrap_or_default();
        let groups = said.groups.iter().map(|group| group.iter().map(text).collect()).collect();
        let what = super::COMPARISON.to_string();
        let call = case.calls.get(&said.ask).map(|(_, call)| (**call).clone());
        let turn =
            SeatTurn { stage: what.clone(), what, changed_from: None, did: Did::Compared(groups), call };
        (said.ask.0, turn)
    })
}

/// Its answers to changes of its proposals.
fn ruled<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    rulings(case).into_iter().filter(move |(.., row)| row.who == *who).map(|(id, round, row)| {
        let (what, stage) = (super::said_in_round(round), "discussion".into());
        (id, SeatTurn { what, stage, changed_from: None, did: Did::Ruled(row), call: None })
    })
}

/// Turns of a ring that it skipped.
fn skipped<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    let skips = case.ring().map(|(_, state)| &state.skipped).into_iter().flatten();
    skips.filter(move |skip| skip.who == *who).map(|skip| {
        let what = super::what(case, skip.task);
        let did = Did::Skipped(skip.why.clone());
        (skip.ask.0, SeatTurn { stage: what.clone(), what, changed_from: None, did, call: None })
    })
}

fn silent<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = (Id, SeatTurn)> + 'a {
    case.lapses.iter().filter(move |lapse| lapse.who == *who).map(|lapse| {
        let AskId(at) = lapse.ask;
        let what = super::what(case, lapse.task);
        let did = Did::Missing(lapse.cause.clone());
        let call = case.calls.get(&lapse.ask).map(|(_, call)| (**call).clone());
        (at, SeatTurn { stage: what.clone(), what, changed_from: None, did, call })
    })
}
