//! Votes in five grades on proposals, and which proposal they carry.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Rules, Tally, Tie};
use crate::kernel::{Choice, Decision, Digest, ProposalId, Who, Why, words};

/// How far a proposal is supported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Wholly.
    Approve,
    /// With reservations; counted for it.
    ApproveWithConcerns,
    /// No side.
    Abstain,
    /// Not as it is; counted against it.
    RequestChanges,
    /// Not at all.
    Reject,
}

impl Grade {
    /// All of them, from the fullest support to none.
    pub const ALL: [Self; 5] =
        [Self::Approve, Self::ApproveWithConcerns, Self::Abstain, Self::RequestChanges, Self::Reject];

    /// The side it counts for.
    pub fn side(self) -> Choice {
        match self {
            Self::Approve | Self::ApproveWithConcerns => Choice::Yes,
            Self::Abstain => Choice::Neutral,
            Self::RequestChanges | Self::Reject => Choice::No,
        }
    }

    /// The word on the wire.
    pub fn word(self) -> &'static str {
        match self {
            Self::Approve => "APPROVE",
            Self::ApproveWithConcerns => "APPROVE_WITH_CONCERNS",
            Self::Abstain => "ABSTAIN",
            Self::RequestChanges => "REQUEST_CHANGES",
            Self::Reject => "REJECT",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A vote on one proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradedVote {
    /// What the same voter had said before, where it was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_from: Option<Grade>,
    /// Changes that would have to be made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// What the vote hangs on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// How far it is supported.
    pub grade: Grade,
    /// The proposal.
    pub proposal: ProposalId,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<String>,
    /// What proves a secret vote without showing it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Digest>,
    /// Who voted.
    pub who: Who,
}

/// What the votes on one proposal come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradeCount {
    /// What the rule makes of it, looked at alone.
    pub decision: Decision,
    /// Votes by grade, in the order of [`Grade::ALL`].
    pub grades: [u32; 5],
    /// The proposal.
    pub proposal: ProposalId,
    /// The count: approvals for, requests for changes and rejections against.
    pub tally: Tally,
    /// Seats with a veto that rejected it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vetoed: Vec<Who>,
}

impl GradeCount {
    /// The votes on a proposal, of so many who could vote and so many who took part. A rejection by a seat with a
    /// veto blocks what would have passed.
    pub fn of(proposal: ProposalId, votes: &[(&Who, Grade)], rule: &Rules, seats: u32, present: u32) -> Self {
        let mut tally = Tally::new(0, seats);
        let mut grades = [0; 5];
        for (_, grade) in votes {
            tally.add(grade.side(), 1);
            grades[*grade as usize] += 1;
        }
        tally.missing = seats.saturating_sub(votes.len() as u32);
        tally.present = present;
        let vetoed: Vec<Who> = votes
            .iter()
            .filter(|(who, grade)| *grade == Grade::Reject && rule.veto.contains(who))
            .map(|(who, _)| (*who).clone())
            .collect();
        let decision = match tally.decision(rule) {
            Decision::Passed { .. } if !vetoed.is_empty() => Decision::Undecided(Why::Vetoed),
            other => other,
        };
        Self { decision, grades, proposal, tally, vetoed }
    }
}

/// Which proposal is carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rank {
    /// What comes of the ballot; a passed one names the place of the proposal.
    pub decision: Decision,
    /// Places that share the best approval, where more than one does.
    pub tied: Vec<usize>,
    /// The place whose count speaks for the ballot: the carried one, else the best supported.
    pub first: Option<usize>,
}

/// Of the proposals that pass, the one with the best approval on the rule's basis; of equals the rule says.
pub fn rank(standings: &[GradeCount], rule: &Rules) -> Rank {
    let approval = |one: &GradeCount, other: &GradeCount| {
        let share = |of: &GradeCount| (u64::from(of.tally.yes), u64::from(of.tally.whole(rule.basis)));
        let ((a, of_a), (b, of_b)) = (share(one), share(other));
        match (of_a, of_b) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            (of_a, of_b) => (a * of_b).cmp(&(b * of_a)),
        }
    };
    let best_of = |places: &[usize]| {
        let best = places.iter().copied().reduce(|best, next| {
            if approval(&standings[next], &standings[best]) == Ordering::Greater { next } else { best }
        });
        let equal = |best: usize| {
            let same = |place: &&usize| approval(&standings[**place], &standings[best]) == Ordering::Equal;
            places.iter().filter(same).copied().collect::<Vec<_>>()
        };
        best.map(|best| (best, equal(best)))
    };
    let all: Vec<usize> = (0..standings.len()).collect();
    let passing: Vec<usize> = all
        .iter()
        .copied()
        .filter(|place| matches!(standings[*place].decision, Decision::Passed { .. }))
        .collect();
    if let Some((best, equal)) = best_of(&passing) {
        let tied = if equal.len() > 1 { equal } else { Vec::new() };
        let decision = match rule.tie {
            Tie::Fails if !tied.is_empty() => Decision::Rejected,
            Tie::Undecided if !tied.is_empty() => Decision::Undecided(Why::Tie),
            Tie::Fails | Tie::Undecided | Tie::Earlier => Decision::Passed { option: Some(best as u8) },
        };
        return Rank { decision, tied, first: Some(best) };
    }
    let is = |why: Why| standings.iter().any(|standing| standing.decision == Decision::Undecided(why));
    let all_short = standings.iter().all(|standing| standing.decision == Decision::Undecided(Why::Quorum));
    let decision = match (all_short, is(Why::Vetoed)) {
        (true, _) => Decision::Undecided(Why::Quorum),
        (false, true) => Decision::Undecided(Why::Vetoed),
        (false, false) => Decision::Rejected,
    };
    Rank { decision, tied: Vec::new(), first: best_of(&all).map(|(best, _)| best) }
}

words!(struct GradedVote {
    changes, conditions, rationale | changed_from, grade, proposal, seal, who
});
