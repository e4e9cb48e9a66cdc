//! Votes as they were held: the rule, the count, what leads, and how far it was from coming out otherwise.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::{Report, SealedVote, Voters, secret};
use crate::ballot::{
    self, BallotSheet, Basis, BasisShare, Count, Delegation, Grade, GradedVote, Method, Paper, Poll,
    RecordTrust, Rules, Tally, Weights,
};
use crate::house::{Ballot, Case, Item, Reader};
use crate::kernel::{Choice, Decision, ProposalId, Threshold, UndecidedReason, Who};
use crate::procedure::council::polled;
use crate::table::Proposal;

/// The grade that somebody gave to one proposal of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ProposalGrade {
    /// The proposal: `A` for the first.
    pub letter: char,
    /// The vote.
    pub grade: Grade,
}

impl fmt::Display for ProposalGrade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.grade, self.letter)
    }
}

/// One vote held.
#[derive(Debug, Clone, Serialize)]
pub struct BallotReport {
    /// The charter's name for it.
    pub stage: String,
    /// The last round that was held before it; 0 if there was none.
    pub after_round: u32,
    /// The rule it is judged by.
    pub rule: Rules,
    /// The count, once it is closed.
    pub tally: Option<Tally>,
    /// What the rule makes of the count; none if that settled nothing.
    pub decision: Option<Decision>,
    /// Whether this vote settled the matter. One that stays below its bar for an early end (`rule.early`) does not: the
    /// debate goes on.
    pub settled: bool,
    /// What leads, and on every basis its share and the thresholds it would pass.
    pub leading: Option<Choice>,
    /// The bases.
    pub bases: Vec<BasisShare>,
    /// Votes that what leads would have needed, the others unchanged.
    pub needed: Option<u32>,
    /// The fewest ballots that would have changed the result.
    pub margin: Option<u32>,
    /// There may be fewer: not every way of voting was looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub margin_bound: bool,
    /// What was counted besides the tally: the order of options, weights, carried and lost votes, vetoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// The votes; none where they are not to be shown.
    pub votes: Vec<ballot::Vote>,
    /// Votes that were passed on; none where votes are not to be shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delegations: Vec<Delegation>,
    /// Who voted how is not to be shown, now or for good.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What stands for the votes where they are not open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<SealedVote>,
    /// What records were worth when it opened, where votes are weighed by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<RecordTrust>,
    /// The votes of a ring, once the vote is closed and if they are not secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub graded: Vec<GradedVote>,
    /// Options or proposals that share the first place, where several do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tied: Vec<u8>,
    /// Those whose veto keeps something from passing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vetoed: Vec<Who>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// How many independent voters those who voted come to, where they share models.
    pub voters: Option<Voters>,
    /// Those for what leads.
    #[serde(skip)]
    pub(super) backing: Backing,
    /// Those against everything.
    #[serde(skip)]
    pub(super) refusing: Backing,
}

/// How many stand on a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Backing {
    /// Seats, with those whose votes were passed on.
    pub(super) seats: u32,
    /// Those who cast a ballot themselves.
    pub(super) voters: u32,
}

impl Backing {
    /// Where everybody votes for themself alone.
    fn plain(seats: u32) -> Self {
        Self { seats, voters: seats }
    }

    /// The papers that have a side on top. The side of a marked paper is only the first of those it has there.
    fn of(poll: &Poll, side: Choice) -> Self {
        let has = |paper: &&Paper| match (&paper.marks, side) {
            (Some(marks), Choice::Option(option)) => marks.is_top(option),
            (_, side) => paper.choice == side,
        };
        let papers = || poll.papers.iter().filter(has);
        Self { seats: papers().map(|paper| paper.seats).sum(), voters: papers().count() as u32 }
    }
}

pub(super) fn held(case: &Case, reader: Reader<'_>, ballot: &Ballot) -> BallotReport {
    let tally = ballot.result.as_ref().map(|(tally, _)| tally.clone());
    let needed = |tally: &Tally| {
        let whole = tally.whole(ballot.rule.basis);
        (0..=whole).find(|votes| ballot.rule.pass.is_met_by(*votes, whole))
    };
    let before = case.said.iter().filter(|said| said.ask.0 < ballot.id.0);
    let mut report = BallotReport {
        stage: case.ballot_name(ballot).into(),
        after_round: before.map(|said| said.round).max().unwrap_or(0),
        rule: ballot.rule.clone(),
        decision: ballot.result.as_ref().filter(|_| ballot.settles).map(|(_, decision)| *decision),
        settled: ballot.settles,
        leading: None,
        bases: Vec::new(),
        needed: None,
        margin: None,
        margin_bound: false,
        count: ballot.count.as_deref().cloned(),
        votes: in_seat_order(case, ballot).into_iter().cloned().collect(),
        delegations: ballot.delegations.iter().map(|passed| (**passed).clone()).collect(),
        hidden: !case.may_see(reader, Item::Votes(ballot)),
        sealed: secret::sealed(case, ballot),
        graded: Vec::new(),
        tied: ballot.count.as_deref().map(tied_by_count).unwrap_or_default(),
        vetoed: ballot.count.as_deref().map(|count| count.blocked.clone()).unwrap_or_default(),
        trust: ballot.trust.clone(),
        unparsed: ballot.unparsed.clone(),
        voters: None,
        tally: None,
        backing: Backing::default(),
        refusing: Backing::default(),
    };
    let Some(tally) = tally else { return report };
    report.refusing = Backing::plain(tally.no);
    if !ballot.standings.is_empty() {
        weigh_proposals(ballot, &mut report);
        // A proposal is counted like a question of its own.
        report.backing = Backing::plain(tally.yes);
    } else if ballot.rule.is_plain() {
        report.leading = Some(tally.leading());
        report.backing = Backing::plain(tally.votes_for(tally.leading()));
        report.bases = ballot::pass_table(&tally);
        report.needed = needed(&tally);
        report.margin = tally.margin(&ballot.rule);
        report.tied = tied_options(&tally);
    } else {
        let poll = polled(case, ballot).poll;
        let margin = poll.margin(&ballot.rule);
        let leading = poll.leading(&ballot.rule);
        report.leading = Some(leading);
        (report.backing, report.refusing) = (Backing::of(&poll, leading), Backing::of(&poll, Choice::No));
        report.bases = poll.lines(&ballot.rule);
        report.needed = report
            .deciding_line()
            .and_then(|line| (0..=line.whole).find(|votes| ballot.rule.pass.is_met_by(*votes, line.whole)));
        (report.margin, report.margin_bound) = (margin.ballots, margin.bound);
    }
    // What it had to pass stands among what it passes, whichever thresholds are usual.
    let own = ballot.rule.pass;
    for line in report.bases.iter_mut().filter(|line| line.meets(own) && !line.passes.contains(&own)) {
        line.passes.insert(0, own);
    }
    // Nothing came of it that other ballots could have changed.
    if !ballot.settles {
        (report.margin, report.margin_bound) = (None, false);
    }
    report.tally = Some(tally);
    report
}

/// What a ring's vote came to: the proposal whose count speaks for it, and how far the others were from changing that.
fn weigh_proposals(ballot: &Ballot, report: &mut BallotReport) {
    let rank = ballot::rank(&ballot.standings, &ballot.rule);
    let Some(leader) = rank.first.and_then(|place| ballot.standings.get(place)) else { return };
    report.leading = rank.first.map(|place| Choice::Option(place as u8));
    report.bases = ballot::pass_table(&leader.tally);
    let whole = leader.tally.whole(ballot.rule.basis);
    report.needed = (0..=whole).find(|votes| ballot.rule.pass.is_met_by(*votes, whole));
    report.tied = rank.tied.iter().map(|place| *place as u8).collect();
    let blocked =
        ballot.standings.iter().filter(|row| row.decision == Decision::Undecided(UndecidedReason::Vetoed));
    for who in blocked.flat_map(|row| &row.vetoed) {
        if !report.vetoed.contains(who) {
            report.vetoed.push(who.clone());
        }
    }
    let proposals: Vec<ProposalId> = ballot.standings.iter().map(|row| row.proposal).collect();
    let mut voters: Vec<&Who> = ballot.graded.iter().map(|vote| &vote.who).collect();
    voters.sort();
    voters.dedup();
    let sheet = |who: &Who| {
        let grades = proposals.iter().map(|id| ballot.graded_by(who, *id).map(|vote| vote.grade));
        BallotSheet { grades: grades.collect(), veto: ballot.rule.veto.contains(who) }
    };
    let sheets: Vec<BallotSheet> = voters.into_iter().map(sheet).collect();
    let margin = ballot::margin_of_grades(&sheets, &ballot.rule, leader.tally.seats, leader.tally.present);
    (report.margin, report.margin_bound) = (margin.ballots, margin.bound);
    report.graded = ballot.graded.iter().map(|vote| (**vote).clone()).collect();
}

/// Options of a plain count that share the most votes.
fn tied_options(tally: &Tally) -> Vec<u8> {
    let most = tally.options.iter().max().copied().filter(|most| *most > 0);
    let first = |(_, votes): &(usize, &u32)| Some(**votes) == most;
    let tied: Vec<u8> = tally.options.iter().enumerate().filter(first).map(|(at, _)| at as u8).collect();
    if tied.len() > 1 { tied } else { Vec::new() }
}

/// How somebody voted on the proposals of a ring, in their order.
pub(super) fn grades(case: &Case, ballot: &Ballot, who: &Who) -> Vec<ProposalGrade> {
    let proposals = case.ring().map_or(&[][..], |(_, state)| &state.table.proposals);
    let row = |put: &Arc<Proposal>| {
        Some(ProposalGrade { letter: put.letter(), grade: ballot.graded_by(who, put.id)?.grade })
    };
    proposals.iter().filter_map(row).collect()
}

impl BallotReport {
    /// The share that would have settled the matter at this vote, where it was counted and settled nothing.
    pub fn missed(&self) -> Option<Threshold> {
        self.rule.early.filter(|_| self.tally.is_some() && !self.settled)
    }

    /// The share on the basis the rule names.
    pub fn deciding_line(&self) -> Option<&BasisShare> {
        self.bases.iter().find(|line| line.basis == self.rule.basis)
    }

    /// A share in words: `2 of 3 votes`, `27 of 30 points`, `1.55 of 2.3 weighted votes`.
    pub fn share(&self, line: &BasisShare) -> String {
        let (part, whole) = (self.amount(line.part.into()), self.amount(line.whole.into()));
        let fallen_back = self.trust.as_ref().is_some_and(RecordTrust::is_equal);
        let weighted = match self.rule.weights {
            Weights::Confidence | Weights::Reliability if !fallen_back => "weighted ",
            Weights::Equal | Weights::Confidence | Weights::Reliability => "",
        };
        let unit = match (self.rule.method, line.basis) {
            (Method::Score, _) => "points",
            (_, Basis::Cast) => "votes",
            (_, Basis::Votes) => "votes and abstentions",
            (_, Basis::Present) => "present",
            (_, Basis::Seats) => "seats",
        };
        format!("{part} of {whole} {weighted}{unit}")
    }

    /// A number of votes, where they may be weighed in thousandths.
    pub fn amount(&self, votes: u64) -> String {
        match self.rule.weights {
            Weights::Equal => votes.to_string(),
            Weights::Confidence | Weights::Reliability if votes.is_multiple_of(1000) => {
                (votes / 1000).to_string()
            }
            Weights::Confidence | Weights::Reliability => {
                format!("{}.{:03}", votes / 1000, votes % 1000).trim_end_matches('0').to_string()
            }
        }
    }

    /// What leads with its share: `2 of 3 votes for B`. Nothing leads without a vote.
    pub fn lead(&self, line: &BasisShare) -> String {
        let share = self.share(line);
        let is_ring = self.tally.as_ref().is_some_and(|tally| tally.options.is_empty());
        match self.leading {
            Some(Choice::Option(_)) if line.part == 0 && is_ring => format!("{share} for any proposal"),
            Some(Choice::Option(_)) if line.part == 0 => format!("{share} for any option"),
            Some(Choice::Option(index)) => format!("{share} {} {}", self.says(), Choice::letter(index)),
            Some(Choice::Yes | Choice::No | Choice::Neutral) | None => format!("{share} for it"),
        }
    }

    /// What a vote that supports an option does: one that ranks an option need not have it on top.
    pub(super) fn says(&self) -> &'static str {
        match self.rule.method {
            Method::Plurality | Method::Score => "for",
            Method::Approval => "approve",
            Method::Borda | Method::Schulze | Method::InstantRunoff => "rank",
        }
    }

    /// How many seats voted for what leads: whoever has it on top, alone or beside others.
    pub fn for_leading(&self) -> u32 {
        self.backing.seats
    }

    /// Whether somebody voted, as far as votes are shown.
    pub fn voted(&self, who: &Who) -> bool {
        self.votes.iter().any(|vote| vote.who == *who) || self.graded.iter().any(|vote| vote.who == *who)
    }

    /// Whether the margin would tell who voted how: where not all votes are worth the same, it depends on that.
    pub fn hides_margin(&self) -> bool {
        let Rules { delegation, weights, veto, .. } = &self.rule;
        self.hidden && (*delegation || !weights.is_equal() || !veto.is_empty())
    }

    /// Seats of the rule that may veto and do not sit here.
    pub fn vetoes_unseated<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = &'a Who> {
        self.rule.veto.iter().filter(|who| report.seats.iter().all(|row| row.seat.who != **who))
    }

    /// How many took a side in all.
    pub fn cast(&self) -> u32 {
        self.tally.as_ref().map_or(0, |tally| tally.whole(Basis::Cast))
    }
}

/// Options that could lead alike.
fn tied_by_count(count: &Count) -> Vec<u8> {
    let winners = count.standing.as_ref().map(|it| it.winners.clone()).unwrap_or_default();
    if winners.len() > 1 { winners } else { Vec::new() }
}

/// Votes in the order of seats: equal debates must read alike, whoever answered first.
pub(super) fn in_seat_order<'a>(case: &Case, ballot: &'a Ballot) -> Vec<&'a ballot::Vote> {
    let mut votes: Vec<&ballot::Vote> = ballot.votes.iter().map(|vote| &**vote).collect();
    votes.sort_by_key(|vote| super::place(case, &vote.who));
    votes
}
