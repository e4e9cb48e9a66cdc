//! The rules that are compared, each as what it makes of one item.

use serde::Serialize;
use synod_core::ballot::{Method, Paper, Poll, Rules, Weights};
use synod_core::kernel::{Choice, Decision, UndecidedReason};

use super::known::{KnownOutcomes, Lesson};
use super::{panel, pool};
use crate::sheet::{Dataset, GivenAnswer, RecordedItem};
use crate::tally;

/// A rule that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Contestant {
    /// The most named answer of the first round.
    Plurality,
    /// It needs two thirds of the votes cast; else there is no answer.
    Supermajority,
    /// Votes count as much as their voters are sure.
    Confidence,
    /// By log-odds, as edition 2 of the rules weighs.
    LogOdds,
    /// The rule that learns: `weights = "reliability"`.
    Reliability,
    /// The agent that was right most often elsewhere.
    Best,
    /// One-coin Dawid-Skene: who agrees with the others is believed more. It sees no truth.
    DawidSkene,
    /// The product of what everyone holds probable.
    Pool,
    /// Three at random; five if they disagree; then seven.
    Panel,
    /// By weight, one after the other, until the others could not turn it, or only with more than half of their weight against it.
    PanelByRecord,
    /// Plurality of a later round.
    AfterRound(u32),
    /// Rankings.
    Borda,
    /// Rankings.
    Schulze,
    /// Rankings.
    InstantRunoff,
}

/// What became of one item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Judged {
    /// The right answer's share of the first place.
    pub right: f64,
    /// It came to no answer.
    pub undecided: bool,
    /// What was asked for.
    pub asked: Asked,
}

/// Answers that were asked for, and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Asked {
    pub calls: f64,
    pub cost: f64,
}

impl Asked {
    /// One answer of each of these.
    pub(super) fn of(known: &KnownOutcomes<'_>, agents: impl Iterator<Item = usize>) -> Self {
        agents.fold(Self::default(), |sum, agent| sum.and(Self { calls: 1.0, cost: known.set.price(agent) }))
    }

    /// Everybody who was asked about an item in a round.
    pub(super) fn all(known: &KnownOutcomes<'_>, item: &RecordedItem, round: u32) -> Self {
        let given = item.rounds.get(&round).into_iter().flatten().enumerate();
        Self::of(known, given.filter_map(|(agent, given)| given.as_ref().map(|_| agent)))
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { calls: self.calls + other.calls, cost: self.cost + other.cost }
    }
}

/// What decides one item by what a lesson teaches.
type ItemJudge<'k> = Box<dyn Fn(usize, &Lesson) -> Judged + 'k>;

impl Contestant {
    /// Those that a set allows.
    pub fn all(set: &Dataset) -> Vec<Self> {
        let rounds = set.rounds();
        let first = rounds.first().copied().unwrap_or(0);
        let mut all = vec![Self::Plurality, Self::Supermajority];
        let confident = set.is_confident(first);
        all.extend(confident.then_some(Self::Confidence));
        all.extend([Self::LogOdds, Self::Reliability, Self::Best]);
        // Of two agents who disagree nothing tells which one is right more often: rounding would.
        all.extend((set.agents.len() > 2).then_some(Self::DawidSkene));
        all.extend(confident.then_some(Self::Pool));
        all.extend([Self::Panel, Self::PanelByRecord]);
        if set.ranked {
            all.extend([Self::Borda, Self::Schulze, Self::InstantRunoff]);
        }
        all.extend(rounds.into_iter().skip(1).map(Self::AfterRound));
        all
    }

    /// Its name in reports.
    pub fn name(self) -> String {
        match self {
            Self::Plurality => "plurality".into(),
            Self::Supermajority => "supermajority 2/3".into(),
            Self::Confidence => "by confidence".into(),
            Self::LogOdds => "log-odds (edition 2)".into(),
            Self::Reliability => "reliability".into(),
            Self::Best => "best agent".into(),
            Self::DawidSkene => "Dawid-Skene".into(),
            Self::Pool => "opinion pool".into(),
            Self::Panel => "panel 3-5-7".into(),
            Self::PanelByRecord => "panel by record".into(),
            Self::AfterRound(round) => format!("plurality, round {round}"),
            Self::Borda => "borda".into(),
            Self::Schulze => "schulze".into(),
            Self::InstantRunoff => "instant-runoff".into(),
        }
    }

    /// Ready to judge items; none where the set does not allow it.
    pub(super) fn prepared<'k>(self, known: &'k KnownOutcomes<'_>) -> Option<ItemJudge<'k>> {
        Some(match self {
            Self::Plurality => ranked(known, known.round, tally::leads(Method::Plurality, Weights::Equal)),
            Self::Supermajority => ranked(known, known.round, tally::needs_two_thirds()),
            Self::Borda => ranked(known, known.round, tally::leads(Method::Borda, Weights::Equal)),
            Self::Schulze => ranked(known, known.round, tally::leads(Method::Schulze, Weights::Equal)),
            Self::InstantRunoff => {
                ranked(known, known.round, tally::leads(Method::InstantRunoff, Weights::Equal))
            }
            Self::Confidence => {
                let rule = tally::leads(Method::Plurality, Weights::Confidence);
                let sure = |_: usize, given: &GivenAnswer| given.confidence.unwrap_or(0);
                Box::new(move |item, _| counted(known, item, known.round, &rule, &sure))
            }
            Self::LogOdds => weighed(known, |agent, lesson| lesson.odds[agent]),
            Self::Reliability => weighed(known, |agent, lesson| lesson.weights[agent]),
            Self::Best => {
                let alone = weighed(known, |agent, lesson| if agent == lesson.best { 1000 } else { 1 });
                Box::new(move |item, lesson| {
                    let asked = Asked::of(known, std::iter::once(lesson.best));
                    Judged { asked, ..alone(item, lesson) }
                })
            }
            Self::DawidSkene => {
                let found = pool::dawid_skene(known);
                Box::new(move |item, _| found[item])
            }
            Self::Pool => Box::new(move |item, _| pool::pooled(known, item)),
            Self::Panel => Box::new(move |item, _| panel::growing(known, item)),
            Self::PanelByRecord => Box::new(move |item, lesson| panel::by_record(known, item, lesson)),
            Self::AfterRound(later) => {
                let rounds: Vec<u32> =
                    known.set.rounds().into_iter().filter(|round| *round <= later).collect();
                let plain = ranked(known, later, tally::leads(Method::Plurality, Weights::Equal));
                Box::new(move |item, lesson| {
                    let of = |round: &u32| Asked::all(known, known.items[item], *round);
                    let asked = rounds.iter().map(of).fold(Asked::default(), Asked::and);
                    Judged { asked, ..plain(item, lesson) }
                })
            }
        })
    }
}

/// One vote each, in a round, by a rule of the core.
fn ranked<'k>(known: &'k KnownOutcomes<'_>, round: u32, rule: Rules) -> ItemJudge<'k> {
    Box::new(move |item, _| counted(known, item, round, &rule, &|_, _| 1000))
}

/// By what a lesson says that each vote counts for, in thousandths.
fn weighed<'k>(known: &'k KnownOutcomes<'_>, weight: fn(usize, &Lesson) -> u32) -> ItemJudge<'k> {
    let rule = tally::leads(Method::Plurality, Weights::Reliability);
    Box::new(move |item, lesson| counted(known, item, known.round, &rule, &|agent, _| weight(agent, lesson)))
}

/// What a rule of the core makes of the usable answers to an item.
pub(super) fn counted(
    known: &KnownOutcomes<'_>,
    at: usize,
    round: u32,
    rule: &Rules,
    weight: &dyn Fn(usize, &GivenAnswer) -> u32,
) -> Judged {
    let item = known.items[at];
    let agents = item.rounds.get(&round).map_or(0, Vec::len);
    let papers = (0..agents).filter_map(|agent| {
        let given = item.answer(round, agent)?;
        Some(Paper { weight: weight(agent, given), ..paper(given, rule.method) })
    });
    Judged { asked: Asked::all(known, item, round), ..of_poll(item, rule, papers.collect()) }
}

/// A ballot paper of an answer.
pub(super) fn paper(given: &GivenAnswer, method: Method) -> Paper {
    match (method, given.first()) {
        (Method::Plurality, Some(first)) => Paper::plain(Choice::Option(first)),
        (Method::Plurality, None) => Paper::plain(Choice::Neutral),
        (Method::Borda | Method::Schulze | Method::InstantRunoff, _) => tally::ranked_paper(given),
        (Method::Approval | Method::Score, _) => tally::ranked_paper(given),
    }
}

/// The right answer's share of the first place in a count of these papers.
pub(super) fn of_poll(item: &RecordedItem, rule: &Rules, papers: Vec<Paper>) -> Judged {
    let seats = papers.len() as u32;
    let poll = Poll { options: item.options.len() as u8, papers, present: seats, seats, ..Poll::default() };
    let first: Vec<u8> = match poll.decision(rule) {
        Decision::Passed { option: Some(option) } => vec![option],
        Decision::Undecided(UndecidedReason::Tie) if tie_would_do(&poll, rule) => tied(&poll, rule),
        Decision::Passed { option: None } | Decision::Rejected | Decision::Undecided(_) => Vec::new(),
        Decision::Contested | Decision::Estimated(_) | Decision::Resolved | Decision::Closed => Vec::new(),
    };
    let right = item.gold.is_some_and(|gold| first.contains(&gold));
    let right = if right { 1.0 / first.len() as f64 } else { 0.0 };
    Judged { right, undecided: first.is_empty(), asked: Asked::default() }
}

/// Whether each of those that share the first place has as many votes as the rule asks for.
fn tie_would_do(poll: &Poll, rule: &Rules) -> bool {
    let tally = poll.scale(rule);
    let most = tally.options.iter().copied().max().unwrap_or(0);
    poll.standing(rule).is_some() || rule.pass.is_met_by(most, tally.whole(rule.basis))
}

/// The options that share the first place of a tie.
fn tied(poll: &Poll, rule: &Rules) -> Vec<u8> {
    match poll.standing(rule) {
        Some(standing) => standing.winners,
        None => {
            let tally = poll.scale(rule);
            let most = tally.options.iter().copied().max().unwrap_or(0);
            (0..poll.options).filter(|option| tally.options[usize::from(*option)] == most).collect()
        }
    }
}
