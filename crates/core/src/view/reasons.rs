//! Why a result came out as it did: the reasons of the winning side in their own words, and what they made it depend on.
//! Only those whose vote the reader may see are named, since this reads a report that hides the others already.

use serde::Serialize;

use super::dissent::is_with;
use super::{Report, answers};
use crate::ballot::{Grade, GradedVote};
use crate::kernel::{Choice, Marks, Permille, Who};

/// A reason of the winning side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason<'a> {
    /// Who.
    pub who: &'a Who,
    /// Their vote; none in a ring, where `grade` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// What stood on it, where ballots ask for more than one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<&'a Marks>,
    /// Their vote in a ring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// Why, verbatim.
    pub reason: Option<&'a str>,
    /// What would change their vote, verbatim.
    pub change_if: Option<&'a str>,
    /// What their vote depends on, verbatim.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub conditions: &'a [String],
    /// How sure.
    pub confidence: Option<Permille>,
}

/// Something the winning side made its vote depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Condition<'a> {
    /// The condition, verbatim as the first of them wrote it.
    pub text: &'a str,
    /// Those who wrote exactly this.
    pub who: Vec<&'a Who>,
}

impl Report {
    /// The votes for the result with their reasons, in seat order; empty where there is no result.
    pub fn why(&self) -> Vec<Reason<'_>> {
        let (Some(ballot), Some(decision)) = (self.deciding(), self.decision) else {
            return answers::stated_reasons(self);
        };
        let votes = ballot.votes.iter().filter(|vote| is_with(vote, decision));
        let council = votes.map(|vote| Reason {
            who: &vote.who,
            choice: Some(vote.choice),
            marks: vote.marks.as_ref(),
            grade: None,
            reason: vote.reason.as_deref(),
            change_if: vote.change_if.as_deref(),
            conditions: &vote.conditions,
            confidence: vote.confidence,
        });
        let ring = self.approving().into_iter().map(|vote| Reason {
            who: &vote.who,
            choice: None,
            marks: None,
            grade: Some(vote.grade),
            reason: vote.rationale.as_deref(),
            change_if: None,
            conditions: &vote.conditions,
            confidence: None,
        });
        council.chain(ring).collect()
    }

    /// The last votes for the proposal that was accepted in a ring, in seat order.
    fn approving(&self) -> Vec<&GradedVote> {
        let Some(chosen) = self.ring.as_ref().and_then(|ring| ring.committed) else { return Vec::new() };
        let graded = self.deciding().map_or(&[][..], |ballot| &ballot.graded);
        let mut last: Vec<&GradedVote> = Vec::new();
        for vote in graded.iter().filter(|vote| vote.proposal == chosen) {
            last.retain(|known| known.who != vote.who);
            last.push(vote);
        }
        last.retain(|vote| vote.grade.side() == Choice::Yes);
        last.sort_by_key(|vote| self.seats.iter().position(|row| row.seat.who == vote.who));
        last
    }

    /// What the winning side made its votes depend on, each once.
    pub fn conditions(&self) -> Vec<Condition<'_>> {
        let mut found: Vec<Condition<'_>> = Vec::new();
        for reason in self.why() {
            for text in reason.conditions.iter().map(String::as_str) {
                match found.iter_mut().find(|known| known.text == text) {
                    Some(known) => known.who.push(reason.who),
                    None => found.push(Condition { text, who: vec![reason.who] }),
                }
            }
        }
        found
    }
}
