//! Which rule is right how often, on recorded answers with known truth.
//!
//! Votes are counted by the core's `ballot` and weighed by its `track`; here items are dealt into parts, so that nothing is
//! decided with its own outcome, and what comes out is compared pair by pair. To add a rule: a variant of [`Contestant`].

mod contest;
mod curve;
mod known;
mod panel;
mod pool;

use serde::Serialize;

pub use contest::Contestant;
pub use curve::{CurvePoint, OUTCOMES};
pub use known::KnownOutcomes;

use crate::sheet::Dataset;
use crate::stats::{self, Interval};

/// How a comparison is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ComparisonPlan {
    /// Items are dealt by it.
    pub seed: u64,
    /// Parts that items are dealt into.
    pub parts: usize,
    /// How often each point of a learning curve is drawn; 0 draws none.
    pub draws: usize,
}

impl Default for ComparisonPlan {
    fn default() -> Self {
        Self { seed: 1, parts: 5, draws: 20 }
    }
}

/// The comparison of one set.
#[derive(Debug, Clone, Serialize)]
pub struct SetReport {
    /// Its name.
    pub dataset: String,
    /// Items with a known truth.
    pub items: usize,
    /// What the rule that learns went by in each part, and in how many.
    pub learned: std::collections::BTreeMap<&'static str, usize>,
    /// Who answered, with how often each was right.
    pub agents: Vec<AgentRow>,
    /// How many independent voters they amount to, by how their errors go together; none where that cannot be told.
    pub effective_voters: Option<f64>,
    /// Each rule.
    pub rules: Vec<RuleRow>,
    /// What changed between rounds.
    pub flips: Vec<FlipRow>,
    /// How the rules that learn do after few outcomes.
    pub curve: Vec<CurvePoint>,
}

/// How often an agent was right in the first round.
#[derive(Debug, Clone, Serialize)]
pub struct AgentRow {
    /// Who.
    pub agent: String,
    /// Of its usable answers.
    pub right: Option<Interval>,
    /// Usable answers.
    pub answers: usize,
}

/// What a rule came to.
#[derive(Debug, Clone, Serialize)]
pub struct RuleRow {
    /// The rule.
    pub rule: Contestant,
    /// Its name.
    pub name: String,
    /// How often it was right; ties count for a share.
    pub right: Interval,
    /// How much more often than plurality in the first round, item by item.
    pub ahead: Interval,
    /// How often it came to no answer.
    pub undecided: f64,
    /// Answers that were asked for, per item.
    pub calls: f64,
    /// What they cost, per item; none where no prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// What changed from one round to the next.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct FlipRow {
    /// The earlier round.
    pub from: u32,
    /// The later round.
    pub to: u32,
    /// Answers in both.
    pub answers: usize,
    /// From right to wrong.
    pub lost: usize,
    /// From wrong to right.
    pub gained: usize,
    /// From one wrong answer to another.
    pub wandered: usize,
}

/// Compares every rule that the set allows. None where no truth is known.
pub fn compare(set: &Dataset, trial: ComparisonPlan) -> Option<SetReport> {
    let known = KnownOutcomes::of(set, trial)?;
    let plain = known.judged(Contestant::Plurality)?;
    let mut rules = Vec::new();
    for rule in Contestant::all(set) {
        let Some(judged) = known.judged(rule) else { continue };
        let ahead: Vec<f64> = judged.iter().zip(&plain).map(|(one, plain)| one.right - plain.right).collect();
        let items = judged.len();
        let sum = |of: fn(&contest::Judged) -> f64| judged.iter().map(of).sum::<f64>();
        let (Some(right), Some(ahead)) = (stats::wilson(sum(|it| it.right), items), stats::paired(&ahead))
        else {
            continue;
        };
        let undecided = sum(|it| f64::from(u8::from(it.undecided))) / items as f64;
        let calls = sum(|it| it.asked.calls) / items as f64;
        let cost = (!set.prices.is_empty()).then(|| sum(|it| it.asked.cost) / items as f64);
        rules.push(RuleRow { rule, name: rule.name(), right, ahead, undecided, calls, cost });
    }
    Some(SetReport {
        dataset: set.name.clone(),
        items: plain.len(),
        learned: known.went_by(),
        agents: known.agents(),
        effective_voters: known.effective_voters(),
        rules,
        flips: flips(set),
        curve: curve::drawn(&known, trial),
    })
}

fn flips(set: &Dataset) -> Vec<FlipRow> {
    let rounds = set.rounds();
    let between = |(from, to): (&u32, &u32)| {
        let mut row = FlipRow { from: *from, to: *to, answers: 0, lost: 0, gained: 0, wandered: 0 };
        for item in &set.items {
            for agent in 0..set.agents.len() {
                let Some((before, after)) = item.right(*from, agent).zip(item.right(*to, agent)) else {
                    continue;
                };
                let moved = item.answer(*from, agent).map(|it| it.first())
                    != item.answer(*to, agent).map(|it| it.first());
                row.answers += 1;
                row.lost += usize::from(before && !after);
                row.gained += usize::from(!before && after);
                row.wandered += usize::from(!before && !after && moved);
            }
        }
        row
    };
    rounds.iter().zip(rounds.iter().skip(1)).map(between).collect()
}
