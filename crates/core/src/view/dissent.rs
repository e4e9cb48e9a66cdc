//! Who is against a result, who has reservations, and how sure those are who carried it. One function says on which side
//! of a result a vote stands; everything that counts sides asks it.

use serde::Serialize;

use super::ballots::in_seat_order;
use super::place;
use crate::ballot::{self, Grade, GradedVote};
use crate::house::{Ballot, Case, Item, Reader};
use crate::kernel::{
    Choice, ContributionKind, Decision, Marks, Permille, ProposalId, Reaction, StoredContribution, Who,
};
use crate::table::Proposal;

/// A vote against the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dissent {
    /// Who.
    pub who: Who,
    /// Their vote; none in a ring, where `grade` says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// What stood on it, where ballots ask for more than one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// Their vote in a ring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// The proposal it is about: `A` for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<char>,
    /// Why, verbatim.
    pub reason: Option<String>,
    /// What would change their vote, verbatim.
    pub change_if: Option<String>,
    /// What their vote depends on, verbatim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Changes they ask for, verbatim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
    /// It was a veto.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub veto: bool,
    /// How sure.
    pub confidence: Option<Permille>,
}

/// What somebody has to say about a result that they did not vote against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reservation {
    /// Who.
    pub who: Who,
    /// Of which kind it is.
    pub doubt: Doubt,
    /// The proposal it is about, in a ring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposal: Option<char>,
    /// Why, verbatim.
    pub reason: Option<String>,
    /// What their vote depends on, verbatim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Changes they ask for, verbatim.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

/// A kind of reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Abstained and said why.
    Abstained,
    /// Approved with concerns.
    Concerns,
    /// Disagreed with the winning proposal when it was discussed, or found it concerning.
    Reacted(Reaction),
}

/// On which side of a result a vote stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    With,
    Against,
    Neither,
}

/// The side of a vote in a council. Without a result it went against everyone who took a side.
fn stand(vote: &ballot::Vote, decision: Decision) -> Stand {
    let with = match decision {
        _ if vote.choice == Choice::Neutral => return Stand::Neither,
        Decision::Passed { option: None } => vote.choice == Choice::Yes,
        Decision::Passed { option: Some(index) } => !vote.is_against(index),
        Decision::Rejected => vote.choice == Choice::No,
        Decision::Estimated(_) | Decision::Undecided(_) | Decision::Contested => false,
        Decision::Resolved | Decision::Closed => false,
    };
    if with { Stand::With } else { Stand::Against }
}

/// The same in a ring, where votes are about proposals: those on another proposal than the winner take no side.
fn graded_stand(vote: &GradedVote, winner: Option<ProposalId>) -> Stand {
    match (winner, vote.grade.side()) {
        (_, Choice::Neutral) => Stand::Neither,
        (Some(winner), _) if vote.proposal != winner => Stand::Neither,
        (Some(_), Choice::Yes) => Stand::With,
        (Some(_) | None, _) => Stand::Against,
    }
}

/// Whether a vote in a council is for the result.
pub(super) fn is_with(vote: &ballot::Vote, decision: Decision) -> bool {
    stand(vote, decision) == Stand::With
}

/// The votes that count in a ring: the last of each voter on each proposal, by seat and proposal.
fn last_grades<'a>(case: &Case, ballot: &'a Ballot) -> Vec<&'a GradedVote> {
    let proposals = case.ring().map_or(&[][..], |(_, state)| &state.table.proposals);
    let mut votes: Vec<&GradedVote> = proposals.iter().flat_map(|put| ballot.last_grades(put.id)).collect();
    votes.sort_by_key(|vote| place(case, &vote.who));
    votes
}

fn letter(case: &Case, id: ProposalId) -> Option<char> {
    case.ring()?.1.table.proposal(id).map(|put| put.letter())
}

/// Those a result went against, in seat order.
pub(super) fn dissent(case: &Case, decision: Option<Decision>) -> Vec<Dissent> {
    if case.issue().is_some() {
        return super::issue::objections(case, decision);
    }
    let (Some(ballot), Some(decision)) = (case.ballots.last(), decision) else { return Vec::new() };
    let votes = in_seat_order(case, ballot).into_iter();
    let council = votes.filter(|vote| stand(vote, decision) == Stand::Against).map(|vote| Dissent {
        who: vote.who.clone(),
        choice: Some(vote.choice),
        marks: vote.marks.clone(),
        grade: None,
        proposal: None,
        reason: vote.reason.clone(),
        change_if: vote.change_if.clone(),
        conditions: Vec::new(),
        changes: Vec::new(),
        veto: ballot.count.as_ref().is_some_and(|count| count.blocked.contains(&vote.who)),
        confidence: vote.confidence,
    });
    let winner = case.committed(decision);
    let votes = last_grades(case, ballot).into_iter();
    let ring = votes.filter(|vote| graded_stand(vote, winner) == Stand::Against).map(|vote| Dissent {
        who: vote.who.clone(),
        choice: None,
        marks: None,
        grade: Some(vote.grade),
        proposal: letter(case, vote.proposal),
        reason: vote.rationale.clone(),
        change_if: None,
        conditions: vote.conditions.clone(),
        changes: vote.changes.clone(),
        veto: vote.grade == Grade::Reject && ballot.rule.veto.contains(&vote.who),
        confidence: None,
    });
    council.chain(ring).collect()
}

/// What those say who did not vote against a result, in seat order.
pub(super) fn reservations(case: &Case, decision: Option<Decision>) -> Vec<Reservation> {
    let (Some(ballot), Some(decision)) = (case.ballots.last(), decision) else { return Vec::new() };
    let abstained = |vote: &&ballot::Vote| vote.choice == Choice::Neutral && vote.reason.is_some();
    let council = in_seat_order(case, ballot).into_iter().filter(abstained).map(|vote| Reservation {
        who: vote.who.clone(),
        doubt: Doubt::Abstained,
        proposal: None,
        reason: vote.reason.clone(),
        conditions: Vec::new(),
        changes: Vec::new(),
    });
    let mut rows: Vec<Reservation> = council.collect();
    let winner = case.committed(decision);
    rows.extend(last_grades(case, ballot).into_iter().filter_map(|vote| graded_doubt(case, vote, winner)));
    // Beside a secret vote a public reaction would show who voted how.
    let shown = case.may_see(Reader::Public, Item::Votes(ballot));
    if let Some(put) = winner.filter(|_| shown).and_then(|id| case.ring()?.1.table.proposal(id)) {
        let voted = |who: &Who| ballot.graded_by(who, put.id).map(|vote| graded_stand(vote, winner));
        let reacted = last_reactions(case, put);
        let reacted = reacted.into_iter().filter(|(said, _)| voted(&said.who) != Some(Stand::Against));
        rows.extend(reacted.map(|(said, reaction)| Reservation {
            who: said.who.clone(),
            doubt: Doubt::Reacted(reaction),
            proposal: Some(put.letter()),
            reason: said.response.position.clone(),
            conditions: Vec::new(),
            changes: Vec::new(),
        }));
    }
    rows.sort_by_key(|row| place(case, &row.who));
    rows
}

fn graded_doubt(case: &Case, vote: &GradedVote, winner: Option<ProposalId>) -> Option<Reservation> {
    let of_winner = winner.is_none_or(|winner| winner == vote.proposal);
    let doubt = match vote.grade {
        Grade::ApproveWithConcerns if winner == Some(vote.proposal) => Doubt::Concerns,
        Grade::Abstain if of_winner && vote.rationale.is_some() => Doubt::Abstained,
        Grade::Approve | Grade::ApproveWithConcerns | Grade::Abstain => return None,
        Grade::RequestChanges | Grade::Reject => return None,
    };
    Some(Reservation {
        who: vote.who.clone(),
        doubt,
        proposal: letter(case, vote.proposal),
        reason: vote.rationale.clone(),
        conditions: vote.conditions.clone(),
        changes: vote.changes.clone(),
    })
}

/// The latest reaction of each participant to a proposal, where it is against it. One to an earlier text is not about it.
fn last_reactions<'a>(case: &'a Case, put: &Proposal) -> Vec<(&'a StoredContribution, Reaction)> {
    let changed = put.amendments.iter().filter(|change| change.accepted == Some(true));
    let since = changed.map(|change| change.id.0).max();
    let mut last: Vec<(&StoredContribution, Reaction)> = Vec::new();
    for said in case.said.iter().filter(|said| said.to == Some(put.id.0)) {
        let ContributionKind::Reaction(reaction) = &said.kind else { continue };
        last.retain(|(known, _)| known.who != said.who);
        if since.is_none_or(|since| said.id > since) {
            last.push((said, *reaction));
        }
    }
    last.retain(|(_, reaction)| matches!(reaction, Reaction::Disagree | Reaction::Concerning));
    last
}

/// Somebody who reacted against the winning proposal, or had voted against it, and then approved it without a reason.
pub(super) fn went_along<'a>(case: &'a Case, ballot: &'a Ballot) -> Vec<&'a GradedVote> {
    let reacted: Vec<(&Who, ProposalId)> = case
        .ring()
        .map_or(&[][..], |(_, state)| &state.table.proposals)
        .iter()
        .flat_map(|put| last_reactions(case, put).into_iter().map(|(said, _)| (&said.who, put.id)))
        .collect();
    let along = |vote: &&GradedVote| {
        let was_against = vote.changed_from.is_some_and(|from| from.side() == Choice::No)
            || reacted.contains(&(&vote.who, vote.proposal));
        was_against && vote.grade.side() == Choice::Yes && vote.rationale.is_none()
    };
    last_grades(case, ballot).into_iter().filter(along).collect()
}

/// The mean confidence of the votes for the result; unknown where one of them stated none. Rounded down, so that what is
/// shown as 0.8 is not below it.
pub(super) fn confidence(case: &Case, decision: Option<Decision>) -> Option<Permille> {
    let (ballot, decision) = (case.ballots.last()?, decision?);
    let with = ballot.votes.iter().filter(|vote| is_with(vote, decision));
    let sure: Vec<u64> =
        with.map(|vote| vote.confidence.map(|sure| u64::from(sure.get()))).collect::<Option<_>>()?;
    Permille::new(u64::checked_div(sure.iter().sum(), sure.len() as u64)? as u16)
}
