//! How many of those who are asked have answered: the one thing that everybody may know while answers are hidden.

use serde::Serialize;

use crate::house::{Case, Item, Reader};

/// How many have answered in what is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PendingAnswers {
    /// What is under way: `round 1` or the name of a vote.
    pub what: String,
    /// How many have answered.
    pub answered: u64,
    /// How many were asked.
    pub asked: u64,
    /// Whether it is a vote.
    pub vote: bool,
    /// Whether the answers are not to be seen before all are there.
    pub hidden: bool,
    /// Whether they are not to be seen before the matter is over, since names are hidden and a person takes part.
    #[serde(skip)]
    until_over: bool,
}

impl PendingAnswers {
    /// What is under way in a debate; `None` where nothing is, or where it is not a debate.
    pub fn of(case: &Case) -> Option<Self> {
        if case.decision().is_some() || case.ring().is_some() {
            return None;
        }
        let round = case.round();
        let until_over = case.hides_whose(Reader::Operator);
        if let Some(ballot) = case.ballots.last().filter(|ballot| ballot.result.is_none()) {
            return Some(Self {
                what: case.ballot_name(ballot).into(),
                answered: (ballot.votes.len() + ballot.delegations.len()) as u64,
                asked: ballot.seats.len() as u64,
                vote: true,
                hidden: !case.may_see(Reader::Operator, Item::Votes(ballot)),
                until_over,
            });
        }
        let asked = case.called_so_far() as u64;
        let answered = case.said.iter().filter(|said| said.round == round).count() as u64;
        (asked > 0 && (until_over || !case.round_is_over())).then(|| Self {
            what: format!("round {round}"),
            answered,
            asked,
            vote: false,
            hidden: !case.may_see(Reader::Operator, Item::Findings(round)),
            until_over,
        })
    }

    /// `2 of 3 have answered`.
    pub fn count(&self) -> String {
        let did = if self.vote { "voted" } else { "answered" };
        format!("{} of {} have {did}", self.answered, self.asked)
    }

    /// The same with where, and why nothing of it is shown.
    pub fn words(&self) -> String {
        let until = match (self.hidden, self.vote) {
            (false, _) => "",
            (true, _) if self.until_over => {
                "; names are hidden here, so who said what is shown once the matter is over"
            }
            (true, true) => "; votes are shown once the vote is over",
            (true, false) => "; what they said is shown once the round is over",
        };
        format!("{} in {}{until}", self.count(), self.what)
    }
}
