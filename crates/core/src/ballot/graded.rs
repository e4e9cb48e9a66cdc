//! Votes in five grades on proposals, and which proposal they carry.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Margin, Rules, Tally, Tie};
use crate::kernel::{Choice, Decision, Digest, ProposalId, UndecidedReason, Who, words};

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
            Decision::Passed { .. } if !vetoed.is_empty() => Decision::Undecided(UndecidedReason::Vetoed),
            other => other,
        };
        Self { decision, grades, proposal, tally, vetoed }
    }
}

/// The result of ranking proposals: which one is carried, and which ones tie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRanking {
    /// What comes of the ballot; a passed one names the place of the proposal.
    pub decision: Decision,
    /// Places that share the best approval, where more than one does.
    pub tied: Vec<usize>,
    /// The place whose count speaks for the ballot: the carried one, else the best supported.
    pub first: Option<usize>,
}

/// Of the proposals that pass, the one with the best approval on the rule's basis; of equals the rule says.
pub fn rank(standings: &[GradeCount], rule: &Rules) -> ProposalRanking {
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
            Tie::Undecided if !tied.is_empty() => Decision::Undecided(UndecidedReason::Tie),
            Tie::Fails | Tie::Undecided | Tie::Earlier => Decision::Passed { option: Some(best as u8) },
        };
        return ProposalRanking { decision, tied, first: Some(best) };
    }
    let is =
        |why: UndecidedReason| standings.iter().any(|standing| standing.decision == Decision::Undecided(why));
    let all_short =
        standings.iter().all(|standing| standing.decision == Decision::Undecided(UndecidedReason::Quorum));
    let decision = match (all_short, is(UndecidedReason::Vetoed)) {
        (true, _) => Decision::Undecided(UndecidedReason::Quorum),
        (false, true) => Decision::Undecided(UndecidedReason::Vetoed),
        (false, false) => Decision::Rejected,
    };
    ProposalRanking { decision, tied: Vec::new(), first: best_of(&all).map(|(best, _)| best) }
}

/// Everything one voter said on the proposals of a ballot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BallotSheet {
    /// By place; none where they did not vote on it.
    pub grades: Vec<Option<Grade>>,
    /// Whether their rejection is a veto.
    pub veto: bool,
}

/// How many ways of changing sheets are looked at for a margin.
const CHANGES: usize = 4_000;

/// The fewest voters who, had they voted otherwise on all proposals, would have changed the result. A result is changed
/// soonest by those who approve one proposal and reject every other, or reject all.
pub fn margin_of_grades(sheets: &[BallotSheet], rule: &Rules, seats: u32, present: u32) -> Margin {
    let mut sheets = sheets.to_vec();
    sheets.sort_unstable();
    let proposals = sheets.first().map_or(0, |sheet| sheet.grades.len());
    let search =
        MarginSearch { rule, seats, present, proposals, now: outcome(&sheets, rule, seats, present) };
    let mut left = CHANGES;
    for changed in 1..=sheets.len() {
        let targets = (0..proposals).map(Some).chain([None]);
        for target in targets {
            match search.flips(&mut sheets, target, 0, changed, &mut left) {
                Some(true) => return Margin { ballots: Some(changed as u32), bound: false },
                Some(false) => (),
                None => return Margin { ballots: search.upper(&sheets, changed), bound: true },
            }
        }
    }
    Margin { ballots: None, bound: false }
}

fn outcome(sheets: &[BallotSheet], rule: &Rules, seats: u32, present: u32) -> Decision {
    let proposals = sheets.first().map_or(0, |sheet| sheet.grades.len());
    let standing = |place: usize| {
        let cast = sheets.iter().filter_map(|sheet| Some((sheet.veto, sheet.grades[place]?)));
        let (mut tally, mut voted, mut blocked) = (Tally::new(0, seats), 0, false);
        for (veto, grade) in cast {
            tally.add(grade.side(), 1);
            voted += 1;
            blocked |= veto && grade == Grade::Reject;
        }
        (tally.missing, tally.present) = (seats.saturating_sub(voted), present);
        let decision = match tally.decision(rule) {
            Decision::Passed { .. } if blocked => Decision::Undecided(UndecidedReason::Vetoed),
            other => other,
        };
        let proposal = ProposalId(crate::kernel::Id { act: crate::kernel::Seq(0), nth: 0 });
        GradeCount { decision, grades: [0; 5], proposal, tally, vetoed: Vec::new() }
    };
    rank(&(0..proposals).map(standing).collect::<Vec<_>>(), rule).decision
}

/// Looking for the fewest sheets to change.
struct MarginSearch<'a> {
    rule: &'a Rules,
    seats: u32,
    present: u32,
    proposals: usize,
    now: Decision,
}

impl MarginSearch<'_> {
    /// Approves the target and nothing else.
    fn wish(&self, target: Option<usize>) -> Vec<Option<Grade>> {
        let grade = |place| if target == Some(place) { Grade::Approve } else { Grade::Reject };
        (0..self.proposals).map(|place| Some(grade(place))).collect()
    }

    fn changes(&self, sheets: &[BallotSheet]) -> bool {
        !outcome(sheets, self.rule, self.seats, self.present).comes_to(self.now)
    }

    /// Whether changing exactly so many sheets from a place on changes the result; `None` if that is too much to look at.
    fn flips(
        &self,
        sheets: &mut Vec<BallotSheet>,
        target: Option<usize>,
        from: usize,
        count: usize,
        left: &mut usize,
    ) -> Option<bool> {
        if count == 0 {
            *left = left.checked_sub(1)?;
            return Some(self.changes(sheets));
        }
        let mut tried: Option<BallotSheet> = None;
        for nth in from..=sheets.len() - count {
            let before = sheets[nth].clone();
            // Equal sheets lie together, and it does not matter whose is changed.
            if tried.as_ref() == Some(&before) {
                continue;
            }
            sheets[nth].grades = self.wish(target);
            let found = self.flips(sheets, target, nth + 1, count - 1, left);
            sheets[nth] = before.clone();
            if found? {
                return Some(true);
            }
            tried = Some(before);
        }
        Some(false)
    }

    /// A number that is enough, changing those first who are farthest from the target.
    fn upper(&self, sheets: &[BallotSheet], least: usize) -> Option<u32> {
        let enough = |target: Option<usize>| {
            let mut sheets = sheets.to_vec();
            let wish = self.wish(target);
            let apart =
                |sheet: &BallotSheet| sheet.grades.iter().zip(&wish).filter(|(is, to)| is != to).count();
            sheets.sort_by_key(|sheet| std::cmp::Reverse(apart(sheet)));
            (0..sheets.len()).find_map(|nth| {
                sheets[nth].grades = wish.clone();
                (nth + 1 >= least && self.changes(&sheets)).then_some(nth as u32 + 1)
            })
        };
        (0..self.proposals).map(Some).chain([None]).filter_map(enough).min()
    }
}

words!(struct GradedVote {
    changes, conditions, rationale | changed_from, grade, proposal, seal, who
});
