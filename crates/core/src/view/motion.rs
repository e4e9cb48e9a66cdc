//! A motion as it went: who put and seconded it, how the debate counted with and without ordered speech, who spoke under an
//! order, and whose vote differs from where they stood.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dissent::{DissentReason, DissentSide, OrderEnd, StanceCount};
use crate::house::{Case, Item, Reader};
use crate::kernel::{Choice, Who};
use crate::procedure::council::Summed;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MotionView {
    /// `proposed`, `seconded`, `debating`, `called`, `voting`, `passed`, `failed`, `no-second`, `withdrawn`, `tabled`,
    /// `undecided` or `contested`.
    pub status: &'static str,
    /// The seat that put it; none where the operator did.
    pub proposer: Option<Who>,
    /// The seat that seconded it.
    pub seconder: Option<Who>,
    /// Seats that were asked and did not second it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<Who>,
    /// All statements.
    pub all: StanceCount,
    /// Those that nobody ordered. Only these are opinion.
    pub free: StanceCount,
    /// The same before the red team spoke, where one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before_team: Option<TwoTallies>,
    /// When nearly everybody was on one side, and how many then spoke under an order.
    pub breaks: Vec<BreakRow>,
    /// The red team, where one was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamRow>,
    /// Statements under an order, and turns of ordered seats that gave none.
    pub forced: Vec<ForcedRow>,
    /// The debate in numbers, each time it was summed up.
    pub sums: Vec<SumRow>,
    /// Votes that differ from the last stance that was taken freely.
    pub divergences: Vec<DivergenceRow>,
    /// Which layers were on.
    pub layers: BTreeMap<&'static str, bool>,
}

/// A count with and without ordered speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TwoTallies {
    /// All statements.
    pub all: StanceCount,
    /// Those that nobody ordered.
    pub free: StanceCount,
}

/// A consensus that was broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BreakRow {
    /// The first statement after it, counted from 1.
    pub before: u32,
    /// What was counted.
    pub count: StanceCount,
    /// How many were to speak under an order.
    pub forced: u32,
    /// The side they had to argue.
    pub side: &'static str,
}

/// A red team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TeamRow {
    /// What was counted.
    pub count: StanceCount,
    /// How many seats were called.
    pub seats: u32,
    /// The side they had to argue.
    pub side: &'static str,
}

/// A turn under an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ForcedRow {
    /// Which statement it is, counted from 1; none where nothing was said.
    pub entry: Option<u32>,
    /// Who.
    pub who: Who,
    /// `consensus-break` or `red-team`.
    pub reason: &'static str,
    /// The side that was ordered.
    pub side: &'static str,
    /// The side that was taken.
    pub took: Option<&'static str>,
}

/// The debate in numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SumRow {
    /// Statements before it.
    pub after: u32,
    /// All of them.
    pub all: StanceCount,
    /// Those that nobody ordered.
    pub free: StanceCount,
    /// Structural risks that were named.
    pub risks: Vec<&'static str>,
}

/// A vote that differs from where the voter stood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DivergenceRow {
    /// Whose.
    pub who: Who,
    /// The last stance that was taken freely.
    pub stood: &'static str,
    /// The vote.
    pub voted: &'static str,
    /// Whether it says why.
    pub explained: bool,
    /// The reason that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl MotionView {
    /// A motion as the operator may see it; `None` if the matter is none.
    pub fn of(case: &Case) -> Option<Self> {
        Self::seen_by(case, Reader::Operator)
    }

    /// A motion as a reader may see it.
    pub fn seen_by(case: &Case, reader: Reader<'_>) -> Option<Self> {
        let (state, status) = (case.motion()?, case.motion_status()?);
        let declined = state.asked.iter().filter(|who| Some(*who) != state.seconder.as_ref());
        Some(Self {
            status: status.word(),
            proposer: case.opening.proposer.clone(),
            seconder: state.seconder.clone(),
            declined: declined.cloned().collect(),
            all: state.all,
            free: state.free,
            before_team: state.team.as_ref().map(|team| TwoTallies { all: team.all, free: team.free }),
            breaks: state
                .breaks
                .iter()
                .map(|found| BreakRow {
                    before: found.after + 1,
                    count: found.count,
                    forced: found.forced,
                    side: side(found.side),
                })
                .collect(),
            team: state.team.as_ref().map(|team| TeamRow {
                count: team.count,
                seats: team.seats,
                side: side(team.side),
            }),
            forced: forced(case),
            sums: state.sums.iter().map(summed).collect(),
            divergences: divergences(case, reader),
            layers: layers(case),
        })
    }

    /// Divergences that nobody explained.
    pub fn unexplained(&self) -> usize {
        self.divergences.iter().filter(|row| !row.explained).count()
    }
}

fn summed(sum: &Summed) -> SumRow {
    SumRow {
        after: sum.all.entries(),
        all: sum.all,
        free: sum.free,
        risks: sum.risks.iter().map(|risk| risk.word()).collect(),
    }
}

fn forced(case: &Case) -> Vec<ForcedRow> {
    let Some(state) = case.motion() else { return Vec::new() };
    let row = |order: &crate::procedure::council::SpeechOrder| {
        let said = order.entry.and_then(|entry| case.said.iter().position(|said| said.id == entry));
        let is_over = matches!(order.end, Some(OrderEnd::Fulfilled | OrderEnd::Expired));
        is_over.then(|| ForcedRow {
            entry: said.map(|at| at as u32 + 1),
            who: order.order.who.clone(),
            reason: match order.order.reason {
                DissentReason::RedTeam => "red-team",
                _ => "consensus-break", // motions have no other orders
            },
            side: side(order.order.side),
            took: said.and_then(|at| case.said[at].response.stance).map(stance_word),
        })
    };
    state.orders.iter().filter_map(|order| row(order)).collect()
}

fn divergences(case: &Case, reader: Reader<'_>) -> Vec<DivergenceRow> {
    let Some(ballot) = case.ballots.last().filter(|ballot| ballot.result.is_some()) else {
        return Vec::new();
    };
    if !case.may_see(reader, Item::Votes(ballot)) {
        return Vec::new();
    }
    let row = |vote: &crate::ballot::Vote| {
        let stood = vote.changed_from?;
        let why = vote.argument.as_ref().or(vote.reason.as_ref()).filter(|text| !text.trim().is_empty());
        Some(DivergenceRow {
            who: vote.who.clone(),
            stood: stance_word(stood),
            voted: vote_word(vote.choice),
            explained: why.is_some(),
            reason: why.cloned(),
        })
    };
    ballot.votes.iter().filter_map(|vote| row(vote)).collect()
}

/// Every layer with whether it was on.
fn layers(case: &Case) -> BTreeMap<&'static str, bool> {
    let Some(rules) = case.charter.parliament() else { return BTreeMap::new() };
    let team = case.charter.council().is_some_and(|council| {
        council.stages.iter().any(|stage| match &stage.kind {
            crate::charter::StageKind::RedTeam(team) => team.on.is == 1 && team.seats.is > 0,
            _ => false, // no other stage calls one
        })
    });
    BTreeMap::from([
        ("consensus_break", rules.consensus_break.on.is == 1),
        ("digest", rules.digest.on.is == 1),
        ("exploitation", rules.exploitation.on.is == 1),
        ("green_lines", rules.lines.green.is == 1),
        ("red_lines", rules.lines.red.is == 1),
        ("red_team", team),
        ("structural_risks", rules.digest.on.is == 1 && rules.digest.risks.is == 1),
    ])
}

fn side(side: DissentSide) -> &'static str {
    side.forced().map_or("", stance_word)
}

/// The word for a stance on a motion.
pub fn stance_word(side: Choice) -> &'static str {
    match side {
        Choice::Yes => "FOR",
        Choice::No => "AGAINST",
        Choice::Neutral | Choice::Option(_) => "NEUTRAL",
    }
}

fn vote_word(side: Choice) -> &'static str {
    match side {
        Choice::Yes => "AYE",
        Choice::No => "NAY",
        Choice::Neutral | Choice::Option(_) => "ABSTAIN",
    }
}
