//! A ring as it stands: its phase, who takes part, what lies on the table, how the votes went.

use std::sync::Arc;

use serde::Serialize;

use super::REMOVED;
use super::state::{Skip, State};
use crate::Task;
use crate::ballot::{self, BasisShare, Grade, GradeCount, GradedVote, Rules, Tally};
use crate::house::{Ballot, Case, Item, Reader};
use crate::kernel::{
    AmendmentId, AskId, At, ContributionKind, Decision, Id, ProposalId, Reaction, StoredContribution,
    UndecidedReason, Who,
};
use crate::table::Proposal;
use crate::view::{SealedVote, Voters};
use crate::watch::Exit;

/// A ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Session {
    /// `GATHERING` to `VOTING`, or `COMMITTED`, `ABORTED` or `DEFERRED`.
    pub phase: &'static str,
    /// Why it ended as it did, where it did not commit.
    pub reason: Option<&'static str>,
    /// The round, 0 before the first.
    pub round: u32,
    /// Rounds at most.
    pub rounds: u32,
    /// Why the talk ended.
    pub talk_ended: Option<Exit>,
    /// When the session is broken off.
    pub until: Option<At>,
    /// Who has the floor.
    pub holder: Option<Holder>,
    /// Those invited, those who take part first, in the order of the floor.
    pub members: Vec<MemberRow>,
    /// Statements, in order.
    pub said: Vec<SpeechRow>,
    /// Turns that were skipped, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<SkipRow>,
    /// Reactions, in order.
    pub reactions: Vec<ReactionRow>,
    /// Proposals, in order. While PROPOSING lasts only the reader's own: all are asked at once, and nobody follows another's
    /// lead.
    pub proposals: Vec<ProposalRow>,
    /// How many there are that are not shown yet.
    #[serde(skip_serializing_if = "is_none")]
    pub withheld: u32,
    /// The vote, once it is open.
    pub vote: Option<VoteRow>,
    /// The proposal that is carried.
    pub committed: Option<ProposalId>,
}

/// Who has the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Holder {
    /// Who.
    pub who: Who,
    /// The turn.
    pub ask: AskId,
    /// Until when.
    pub until: At,
    /// Whether the turn was fetched and acknowledged.
    pub acknowledged: bool,
}

/// Somebody invited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemberRow {
    /// Who.
    pub who: Who,
    /// As they write themselves.
    pub name: String,
    /// `invited`, `joined`, `absent` or `gone`.
    pub state: &'static str,
    /// Why, where they are absent or gone.
    pub why: Option<String>,
    /// They are gone because the operator removed them.
    #[serde(skip)]
    pub removed: bool,
    /// The first round they are called in.
    pub from_round: Option<u32>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SpeechRow {
    /// Its id.
    pub id: Id,
    /// The round.
    pub round: u32,
    /// Who.
    pub who: Who,
    /// What it is meant as.
    pub kind: &'static str,
    /// What was said.
    pub text: String,
    /// What it answers.
    pub to: Option<Id>,
}

/// A turn that was skipped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkipRow {
    /// The round; none for the turn to propose.
    pub round: Option<u32>,
    /// The turn was to answer changes to its own proposal. Left out otherwise, so that old receipts stay the same.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub weigh: bool,
    /// Who.
    pub who: Who,
    /// The reason given.
    pub why: Option<String>,
}

/// A reaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReactionRow {
    /// The round.
    pub round: u32,
    /// Who.
    pub who: Who,
    /// Which.
    pub reaction: Reaction,
    /// To what.
    pub to: Id,
    /// A word to it.
    pub text: Option<String>,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposalRow {
    /// Its id.
    pub id: ProposalId,
    /// `A` for the first.
    pub letter: char,
    /// In one line.
    pub title: String,
    /// As it stands.
    pub text: String,
    /// As it was first put, where it was changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// How often it was changed, and one more.
    pub version: u32,
    /// Who put it.
    pub who: Who,
    /// Changes wanted to it.
    pub amendments: Vec<AmendmentRow>,
    /// How many of those who take part are for it, by their reactions.
    pub support: u32,
}

/// A change wanted to a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AmendmentRow {
    /// Its id.
    pub id: AmendmentId,
    /// Who wants it.
    pub who: Who,
    /// The whole text as it should be.
    pub text: String,
    /// The reason given.
    pub why: Option<String>,
    /// Whether it was taken; `None` as long as nobody said.
    pub accepted: Option<bool>,
    /// The reason of that.
    pub answer: Option<String>,
}

/// The vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoteRow {
    /// The rule it is judged by.
    pub rule: Rules,
    /// Those who could vote.
    pub seats: u32,
    /// Who has voted on every proposal so far.
    pub voted: Vec<Who>,
    /// Who could vote and did not, or not on every proposal.
    pub missing: Vec<Who>,
    /// The votes, once the vote is closed and if they are not secret; before that only the reader's own.
    pub votes: Vec<GradedVote>,
    /// What proves secret votes without showing them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seals: Vec<SealedVote>,
    /// The counts, once it is closed.
    pub results: Vec<ResultRow>,
    /// Proposals that shared the first place, where the tie rule parted them.
    pub tied: Vec<ProposalId>,
    /// How many independent voters those who voted come to, where they share models.
    pub voters: Option<Voters>,
}

/// What the votes on one proposal came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResultRow {
    /// The proposal.
    pub proposal: ProposalId,
    /// Votes by grade, from APPROVE to REJECT.
    pub grades: Vec<(Grade, u32)>,
    /// The count.
    pub tally: Tally,
    /// What the rule makes of it alone.
    pub decision: Decision,
    /// Seats with a veto that rejected it.
    pub vetoed: Vec<Who>,
    /// The share of approval on every basis and the thresholds it would pass.
    pub bases: Vec<BasisShare>,
    /// The fewest votes that would have changed whether it passes.
    pub margin: Option<u32>,
}

fn is_none(count: &u32) -> bool {
    *count == 0
}

impl Session {
    /// Reads a ring as the operator may see it; `None` for other procedures.
    pub fn of(case: &Case) -> Option<Self> {
        Self::seen_by(case, Reader::Operator)
    }

    /// The same, as a reader may see it.
    pub fn seen_by(case: &Case, reader: Reader<'_>) -> Option<Self> {
        let (rules, state) = case.ring()?;
        let decision = case.decision();
        let electors = state.electors();
        let shown = |id: ProposalId| case.may_see_proposal(reader, id);
        let heard = || case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said)));
        let proposals = state.table.proposals.iter();
        let withheld = proposals.clone().filter(|put| !shown(put.id)).count() as u32;
        Some(Self {
            phase: case.phase_word(),
            reason: decision.and_then(reason),
            round: case.round(),
            rounds: rules.rounds.is.min(u64::from(u32::MAX)) as u32,
            talk_ended: case.stage_exits.last().map(|(_, why)| *why),
            until: case.time_limit(),
            holder: holder(case),
            members: members(case, state),
            said: heard().filter_map(speech).collect(),
            skips: state.skipped.iter().map(|skip| skipped(skip)).collect(),
            reactions: heard().filter_map(reaction).collect(),
            proposals: proposals
                .filter(|put| shown(put.id))
                .map(|put| proposed(state, put, &electors))
                .collect(),
            withheld,
            vote: case.ballots.last().map(|ballot| voted(case, reader, state, ballot)),
            committed: decision.and_then(|decision| case.committed(decision)),
        })
    }

    /// The proposal of that id.
    pub fn proposal(&self, id: ProposalId) -> Option<&ProposalRow> {
        self.proposals.iter().find(|row| row.id == id)
    }
}

fn speech(said: &StoredContribution) -> Option<SpeechRow> {
    match &said.kind {
        ContributionKind::Statement
        | ContributionKind::Opinion
        | ContributionKind::Question
        | ContributionKind::Synthesis => Some(SpeechRow {
            id: said.id,
            round: said.round,
            who: said.who.clone(),
            kind: said.kind.word(),
            text: said.text().into(),
            to: said.to,
        }),
        ContributionKind::Proposal { .. }
        | ContributionKind::Amendment { .. }
        | ContributionKind::Reaction(_) => None,
        // Only councils ask for the first two, and only issues have the third.
        ContributionKind::Answer | ContributionKind::Estimate | ContributionKind::Comment(_) => None,
    }
}

fn skipped(skip: &Skip) -> SkipRow {
    let round = match skip.task {
        Task::Speak { round } => Some(round),
        Task::Vote { .. } | Task::Join | Task::Propose | Task::Weigh | Task::Clerk(_) => None,
        Task::Second => None,
    };
    let weigh = skip.task == Task::Weigh;
    SkipRow { round, weigh, who: skip.who.clone(), why: skip.why.clone() }
}

fn reaction(said: &StoredContribution) -> Option<ReactionRow> {
    match &said.kind {
        ContributionKind::Reaction(reaction) => Some(ReactionRow {
            round: said.round,
            who: said.who.clone(),
            reaction: *reaction,
            to: said.to?,
            text: said.response.position.clone(),
        }),
        ContributionKind::Statement
        | ContributionKind::Opinion
        | ContributionKind::Question
        | ContributionKind::Synthesis => None,
        ContributionKind::Proposal { .. }
        | ContributionKind::Amendment { .. }
        | ContributionKind::Answer
        | ContributionKind::Estimate
        | ContributionKind::Comment(_) => None,
    }
}

fn reason(decision: Decision) -> Option<&'static str> {
    match decision {
        Decision::Passed { .. } | Decision::Estimated(_) => None,
        Decision::Resolved | Decision::Closed => None, // only issues end so
        Decision::Rejected => Some("no proposal was approved"),
        Decision::Undecided(UndecidedReason::Vetoed) => Some("a veto blocks the leading proposal"),
        Decision::Undecided(UndecidedReason::Below) => {
            Some("the leading proposal stayed below the threshold")
        }
        Decision::Undecided(why) => Some(why.words()),
        Decision::Contested => Some("votes that could not be read might have changed the result"),
    }
}

fn holder(case: &Case) -> Option<Holder> {
    let speaks = |ask: &crate::Ask| matches!(ask.task(), Some(crate::Task::Speak { .. }));
    let (id, ask) = case.asks().iter().find(|(_, ask)| speaks(ask))?;
    Some(Holder { who: ask.who()?.clone(), ask: *id, until: ask.until, acknowledged: ask.begun })
}

fn members(case: &Case, state: &State) -> Vec<MemberRow> {
    let row = |who: &Who, from_round: Option<u32>| {
        let removed = state.gone.get(who).is_some_and(|cause| cause.code == REMOVED);
        let (state, why) = match (state.gone.get(who), case.absent.get(who), from_round) {
            (Some(cause), _, _) => ("gone", Some(cause.detail.to_string())),
            (None, Some(cause), _) => ("absent", Some(cause.detail.to_string())),
            (None, None, Some(_)) => ("joined", None),
            (None, None, None) => ("invited", None),
        };
        let name = case.seat(who).map_or_else(String::new, |seat| seat.name.clone());
        MemberRow { who: who.clone(), name, state, why, removed, from_round }
    };
    let joined = state.members.iter().map(|member| row(&member.who, Some(member.from_round)));
    let known = |who: &Who| state.members.iter().any(|member| member.who == *who);
    let others = case.opening.seats.iter().filter(|seat| !known(&seat.who)).map(|seat| row(&seat.who, None));
    joined.chain(others).collect()
}

fn proposed(state: &State, put: &Proposal, electors: &[Who]) -> ProposalRow {
    ProposalRow {
        id: put.id,
        letter: put.letter(),
        title: put.title.clone(),
        text: put.text.clone(),
        first: (put.version > 1).then(|| put.first.clone()),
        version: put.version,
        who: put.who.clone(),
        amendments: put
            .amendments
            .iter()
            .map(|change| AmendmentRow {
                id: change.id,
                who: change.who.clone(),
                text: change.text.clone(),
                why: change.why.clone(),
                accepted: change.accepted,
                answer: change.answer.clone(),
            })
            .collect(),
        support: state.table.support(put, electors),
    }
}

fn voted(case: &Case, reader: Reader<'_>, state: &State, ballot: &Ballot) -> VoteRow {
    let whole = |who: &&Who| {
        state.table.proposals.iter().all(|proposal| ballot.graded_by(who, proposal.id).is_some())
    };
    // Those who were asked: who voted and left is still among those who voted.
    let asked = case.called();
    let (voted, missing): (Vec<&Who>, Vec<&Who>) = asked.clone().partition(|who| whole(who));
    let result = |standing: &GradeCount| ResultRow {
        proposal: standing.proposal,
        grades: Grade::ALL.into_iter().zip(standing.grades).collect(),
        decision: standing.decision,
        vetoed: standing.vetoed.clone(),
        bases: ballot::pass_table(&standing.tally),
        margin: standing.tally.margin(&ballot.rule),
        tally: standing.tally.clone(),
    };
    let shown = |vote: &&Arc<GradedVote>| case.may_see(reader, Item::Vote { ballot, of: &vote.who });
    let seated = |who: &&Who| ballot.graded.iter().any(|vote| vote.who == **who);
    VoteRow {
        rule: ballot.rule.clone(),
        seats: ballot.seats.len() as u32,
        votes: ballot.graded.iter().filter(shown).map(|vote| (**vote).clone()).collect(),
        seals: ballot
            .graded
            .iter()
            .filter_map(|vote| Some(SealedVote { seal: vote.seal?, who: vote.who.clone() }))
            .collect(),
        results: ballot.standings.iter().map(result).collect(),
        tied: ballot.tied.clone(),
        voters: Voters::of_models(
            asked.filter(seated).map(|who| case.seat(who).and_then(|seat| seat.model.as_deref())),
        ),
        voted: voted.into_iter().cloned().collect(),
        missing: missing.into_iter().cloned().collect(),
    }
}
