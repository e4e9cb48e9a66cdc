//! It becomes known what was true: every vote of the matter that can be is marked.

use std::sync::Arc;

use super::moderate::wrong;
use super::{Ballot, Case, House};
use crate::ballot::Vote;
use crate::kernel::{Choice, Decision, MatterId, ProposalId, SeatKind, Who};
use crate::matter::Status;
use crate::track::{self, Learned, Mark, Told, Truth};
use crate::{Event, Refusal};

impl House {
    pub(super) fn learn(&self, matter: MatterId, told: Told) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        let Status::Settled(decision) = case.status() else {
            return Err(wrong(matter, case.status(), "say what was true when it is over"));
        };
        let truth = match case.charter.ring {
            Some(_) => of_ring(case, decision, told),
            None => of_question(case, decision, told),
        };
        let truth = truth.ok_or_else(|| Refusal::NoSuchAnswer { matter, decision: decision.word() })?;
        let learned = Learned { marks: marks(case, truth), matter, root: self.root(case), truth };
        match self.track.learned(matter) {
            Some(known) if **known == learned => Ok(Vec::new()),
            Some(_) | None => Ok(vec![Event::Track(track::Event::Learned(Arc::new(learned)))]),
        }
    }
}

impl House {
    /// The matter that others branched off from until this one came of it.
    fn root(&self, case: &Case) -> MatterId {
        let mut root = case;
        // A branch is younger than what it branches off from; a forged record may say otherwise.
        while let Some(older) = root.opening.forked.and_then(|forked| self.cases.get(&forked.from)) {
            if older.id >= root.id {
                break;
            }
            root = older;
        }
        root.id
    }
}

/// The answer a decision gives.
fn answer(decision: Decision) -> Option<Choice> {
    match decision {
        Decision::Passed { option } => Some(option.map_or(Choice::Yes, Choice::Option)),
        Decision::Failed => Some(Choice::No),
        Decision::Undecided(_) | Decision::Contested => None,
    }
}

fn of_question(case: &Case, decision: Decision, told: Told) -> Option<Truth> {
    let options = case.opening.question.options.len();
    match told {
        Told::Right => answer(decision).map(Truth::Is),
        Told::Wrong => Some(match (answer(decision)?, options) {
            (Choice::Yes, _) => Truth::Is(Choice::No),
            (Choice::No, 0) => Truth::Is(Choice::Yes),
            (other, _) => Truth::IsNot(other),
        }),
        Told::Answer(choice) => {
            let fits = match choice {
                Choice::Yes => options == 0,
                Choice::No => true,
                Choice::Option(index) => usize::from(index) < options,
                Choice::Neutral => false,
            };
            fits.then_some(Truth::Is(choice))
        }
        Told::Proposal(_) => None,
    }
}

fn of_ring(case: &Case, decision: Decision, told: Told) -> Option<Truth> {
    let committed = committed(case, decision);
    let (id, right) = match told {
        Told::Right => (committed?, true),
        Told::Wrong => (committed?, false),
        Told::Proposal(id) => (id, true),
        Told::Answer(_) => return None,
    };
    case.table.proposal(id).map(|_| Truth::Proposal { id, right })
}

/// The proposal a ring committed to.
fn committed(case: &Case, decision: Decision) -> Option<ProposalId> {
    let Decision::Passed { option: Some(place) } = decision else { return None };
    case.table.proposals.get(usize::from(place)).map(|proposal| proposal.id)
}

/// How each vote of the last ballot turned out.
fn marks(case: &Case, truth: Truth) -> Vec<Mark> {
    // Who was right tells how they voted: nobody is marked by a vote that is not shown, now or for good.
    let Some(ballot) = case.ballots.last().filter(|ballot| case.is_shown(ballot)) else { return Vec::new() };
    let options = case.opening.question.options.len() as u8;
    let sides: Vec<(&Who, Choice)> = match truth {
        Truth::Proposal { id, .. } => {
            ballot.last_grades(id).map(|vote| (&vote.who, vote.grade.side())).collect()
        }
        Truth::Is(_) | Truth::IsNot(_) => {
            // Where votes may change, the last one counts.
            let last = |who: &Who| ballot.votes.iter().rev().find(|vote| vote.who == *who);
            let each = ballot.seats.iter().filter_map(last);
            each.map(|vote| (&vote.who, one_side(vote, options))).collect()
        }
    };
    let decided = case.decided_side(truth);
    let mark = |(who, side): (&Who, Choice)| {
        let seat = case.seat(who)?;
        if seat.kind == SeatKind::Rehearsal {
            return None; // nobody reasoned
        }
        Some(Mark {
            minority: decided.is_some_and(|decided| decided != side),
            mind: seat.model.is_none().then(|| seat.mind.clone()),
            model: seat.model.clone(),
            right: truth.marks(side)?,
            who: who.clone(),
        })
    };
    sides.into_iter().filter_map(mark).collect()
}

/// The one side a vote takes. Who puts several options on top leaves open which of them is right.
fn one_side(vote: &Vote, options: u8) -> Choice {
    let Some(marks) = &vote.marks else { return vote.choice };
    let top: Vec<u8> = (0..options).filter(|option| marks.is_top(*option)).collect();
    match top.as_slice() {
        [] => vote.choice,
        [one] => Choice::Option(*one),
        [_, _, ..] => Choice::Neutral,
    }
}

impl Case {
    /// Whether everybody may know who voted how. In a ring nobody does before the vote is counted.
    pub(crate) fn is_shown(&self, ballot: &Ballot) -> bool {
        !self.hides(ballot) && (self.charter.ring.is_none() || ballot.result.is_some())
    }

    /// The side the decision took in what was true or not; none while there is no decision.
    pub(crate) fn decided_side(&self, truth: Truth) -> Option<Choice> {
        let Status::Settled(decision) = self.status() else { return None };
        let answer = answer(decision)?;
        Some(match truth {
            Truth::Proposal { id, .. } if committed(self, decision) == Some(id) => Choice::Yes,
            Truth::Proposal { .. } => Choice::No,
            Truth::Is(_) | Truth::IsNot(_) => answer,
        })
    }
}
