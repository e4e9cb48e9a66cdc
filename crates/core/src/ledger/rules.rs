//! The numbers of the ledger, as a charter sets them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AwardRange, CitationPrices, CreditReason, TeamReason};
use crate::kernel::Ratio;

/// What a charter sets for credits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// What reasons are worth where the charter says otherwise than the table of reasons.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub awards: BTreeMap<CreditReason, AwardRange>,
    /// How many citations of one author in one matter can earn. More are checked and earn nothing, so that cutting one quote
    /// into twenty pays no more.
    pub citations_most: u32,
    /// How many credits of a period an agent can have for citations that nobody has judged. More are paid once somebody who
    /// oversees says what came of them, so that agents who only answer each other come to an end.
    #[serde(default = "unjudged_usual")]
    pub unjudged_most: u32,
    /// How large the tasks of an agent are.
    pub dosage: DosageRules,
    /// When an agent is watched, constrained, and reported to the user.
    pub ladder: LadderRules,
    /// What citations are worth.
    pub prices: CitationPrices,
    /// How much ratings count by who gives them.
    pub ratings: RatingWeights,
    /// What the team gets.
    pub team: TeamAmounts,
    /// When an agent is gold, silver or bronze.
    pub tiers: TierBounds,
    /// When an agent is trusted little or much.
    pub trust: TrustBounds,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            awards: BTreeMap::new(),
            citations_most: 8,
            unjudged_most: unjudged_usual(),
            dosage: DosageRules::default(),
            ladder: LadderRules::default(),
            prices: CitationPrices::default(),
            ratings: RatingWeights::default(),
            team: TeamAmounts::default(),
            tiers: TierBounds::default(),
            trust: TrustBounds::default(),
        }
    }
}

impl Rules {
    /// What a reason is worth.
    pub fn range(&self, reason: CreditReason) -> AwardRange {
        self.awards.get(&reason).copied().unwrap_or(reason.terms().range)
    }

    /// Everything that is wrong with these numbers, a sentence each. A charter with any is not to be used.
    pub fn problems(&self) -> Vec<String> {
        let mut found = Vec::new();
        if self.prices.false_citation >= 0 {
            found.push("a false citation must cost something: write a number below 0".to_string());
        }
        for (reason, range) in &self.awards {
            let usual = reason.terms().range;
            // A penalty that pays, or a reward that costs, would be another reason.
            let same_sign = (usual.least > 0) == (range.least > 0) && (usual.most > 0) == (range.most > 0);
            if range.least > range.most || !same_sign || reason.is_of_citations() {
                let word = reason.word();
                found.push(format!("`{word}` cannot be worth {} to {}", range.least, range.most));
            }
        }
        let ladder = &self.ladder;
        if !(ladder.watch <= ladder.remediation && ladder.remediation <= ladder.flagged) {
            found.push("the ladder must rise: watch, remediation, flagged".to_string());
        }
        if ladder.least == 0 || ladder.least > ladder.window || ladder.window > super::WINDOW_MOST {
            let most = super::WINDOW_MOST;
            found.push(format!(
                "the window of the ladder is {most} actions at most, its least 1 to all of them"
            ));
        }
        found
    }
}

/// Two full issues and a half: enough for honest work between two looks of whoever oversees.
fn unjudged_usual() -> u32 {
    20
}

/// A fraction for a default: one that is none does not compile.
const fn ratio(num: u32, den: u32) -> Ratio {
    match Ratio::new(num, den) {
        Some(ratio) => ratio,
        None => panic!("a fraction lies from 0 to 1"),
    }
}

/// When an agent moves on the ladder. A share of penalised actions that reaches a number moves it up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderRules {
    /// From here on the user hears of it.
    pub flagged: Ratio,
    /// The fewest actions that say anything.
    pub least: u32,
    /// From here on an agent that is watched gets constraints.
    pub remediation: Ratio,
    /// How many sources each proposal of an agent with constraints needs.
    pub sources: u32,
    /// From here on it is watched.
    pub watch: Ratio,
    /// How many of the last actions count, and how many without a penalty lead one step down.
    pub window: u32,
}

impl Default for LadderRules {
    fn default() -> Self {
        Self {
            flagged: ratio(4, 10),
            least: 5,
            remediation: ratio(3, 10),
            sources: 2,
            watch: ratio(2, 10),
            window: 20,
        }
    }
}

/// What a tier takes: more verified citations than the first, fewer penalised actions than the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierBound {
    /// Penalised actions stay below this share.
    pub penalised_below: Ratio,
    /// Verified citations exceed this share.
    pub verified_above: Ratio,
}

/// The bounds of all tiers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TierBounds {
    /// The lowest.
    pub bronze: TierBound,
    /// The highest.
    pub gold: TierBound,
    /// Between them.
    pub silver: TierBound,
}

impl Default for TierBounds {
    fn default() -> Self {
        let bound = |verified, penalised| TierBound {
            penalised_below: ratio(penalised, 100),
            verified_above: ratio(verified, 100),
        };
        Self { bronze: bound(70, 25), gold: bound(95, 5), silver: bound(85, 15) }
    }
}

/// When an agent is trusted little or much. All of them are to be exceeded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustBounds {
    /// More of its issues turned out irrelevant than this: little.
    pub hallucination: Ratio,
    /// More of its comments were stopped than this: little.
    pub rejection: Ratio,
    /// More of its issues were applied than this, and…
    pub useful: Ratio,
    /// … more of its comments had evidence than this: much.
    pub evidence: Ratio,
}

impl Default for TrustBounds {
    fn default() -> Self {
        Self {
            hallucination: ratio(5, 10),
            rejection: ratio(3, 10),
            useful: ratio(6, 10),
            evidence: ratio(7, 10),
        }
    }
}

/// How much a rating counts, by the tier of the agent who gives it. An agent that proved nothing counts for nothing, so
/// that new names buy no standing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingWeights {
    /// Of bronze.
    pub bronze: u32,
    /// Of gold.
    pub gold: u32,
    /// Of none.
    pub none: u32,
    /// Of silver.
    pub silver: u32,
    /// Of the user.
    pub user: u32,
}

impl Default for RatingWeights {
    fn default() -> Self {
        Self { bronze: 1, gold: 3, none: 0, silver: 2, user: 3 }
    }
}

/// What the team gets for what it did together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamAmounts {
    /// Every active agent is gold.
    pub all_agents_gold_tier: i64,
    /// A chapter ended with nothing frozen.
    pub clean_chapter_completion: i64,
    /// A goal of the team was reached.
    pub collective_goal_achieved: i64,
    /// An objection on orders found a real problem.
    pub successful_da_challenge: i64,
    /// A contradiction with what holds was caught.
    pub team_canon_integrity: i64,
    /// A session went by without a penalty.
    pub zero_penalties_session: i64,
    /// How many actions such a session has at least.
    pub zero_penalties_actions: u32,
}

impl Default for TeamAmounts {
    fn default() -> Self {
        Self {
            all_agents_gold_tier: 10,
            clean_chapter_completion: 10,
            collective_goal_achieved: 5,
            successful_da_challenge: 3,
            team_canon_integrity: 2,
            zero_penalties_session: 5,
            zero_penalties_actions: 10,
        }
    }
}

impl TeamAmounts {
    /// What a reason is worth.
    pub fn amount(&self, reason: TeamReason) -> i64 {
        match reason {
            TeamReason::TeamCanonIntegrity => self.team_canon_integrity,
            TeamReason::CleanChapterCompletion => self.clean_chapter_completion,
            TeamReason::AllAgentsGoldTier => self.all_agents_gold_tier,
            TeamReason::CollectiveGoalAchieved => self.collective_goal_achieved,
            TeamReason::ZeroPenaltiesSession => self.zero_penalties_session,
            TeamReason::SuccessfulDaChallenge => self.successful_da_challenge,
        }
    }
}

/// Into how many slices the assistant should cut a task, by the level of whoever does it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DosageRules {
    /// Of an agent the user hears of.
    pub flagged: u32,
    /// Of an agent with nothing against it.
    pub normal: u32,
    /// Of an agent with constraints.
    pub remediation: u32,
    /// Of an agent that is watched, or trusted little.
    pub watch: u32,
}

impl Default for DosageRules {
    fn default() -> Self {
        Self { flagged: 5, normal: 1, remediation: 3, watch: 2 }
    }
}
