//! What the team earned together. Each reason counts once in a period.

use serde::{Deserialize, Serialize};

use super::{Event, Ledger, ReliabilityTier, Rules};
use crate::kernel::{Id, MatterId, Who, text};

/// Why the team gets credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TeamReason {
    /// A contradiction with what holds was caught.
    TeamCanonIntegrity,
    /// A chapter ended with nothing frozen.
    CleanChapterCompletion,
    /// Every active agent is gold.
    AllAgentsGoldTier,
    /// A goal of the team was reached.
    CollectiveGoalAchieved,
    /// A session went by without a penalty.
    ZeroPenaltiesSession,
    /// An objection on orders found a real problem.
    SuccessfulDaChallenge,
}

impl TeamReason {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("team-canon-integrity", Self::TeamCanonIntegrity),
        ("clean-chapter-completion", Self::CleanChapterCompletion),
        ("all-agents-gold-tier", Self::AllAgentsGoldTier),
        ("collective-goal-achieved", Self::CollectiveGoalAchieved),
        ("zero-penalties-session", Self::ZeroPenaltiesSession),
        ("successful-da-challenge", Self::SuccessfulDaChallenge),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, one)| *one == self).map_or("", |(word, _)| *word)
    }
}

/// What the team got.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamPosting {
    /// How much.
    pub amount: i64,
    /// Whose doing it was, if it was somebody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Who>,
    /// The matter it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<MatterId>,
    /// In which period; in none if none was open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Id>,
    /// Why.
    pub reason: TeamReason,
}

/// The sorts of periods that credits are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodSpan {
    /// A session.
    Session,
    /// A chapter.
    Chapter,
    /// An act, as in a play: several chapters.
    Act,
    /// Any other.
    Other,
}

impl PeriodSpan {
    /// What a period is by its name: `chapter 3` is a chapter.
    pub fn of_name(name: &str) -> Self {
        let name = text::fold(name);
        match name.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()) {
            Some("session") => Self::Session,
            Some("chapter") => Self::Chapter,
            Some("act") => Self::Act,
            Some(_) | None => Self::Other,
        }
    }
}

/// A period that ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodEnd<'a> {
    /// How many issues are frozen.
    pub frozen: u32,
    /// Which.
    pub period: Id,
    /// The active agents; neither the user nor the house.
    pub roster: &'a [Who],
    /// What sort it is.
    pub span: PeriodSpan,
}

impl Ledger {
    /// What the team gets; nothing if it is nobody, or got it already in this period.
    pub fn team_award(
        &self,
        rules: &Rules,
        reason: TeamReason,
        period: Option<Id>,
        roster: &[Who],
        (cause, matter): (Option<&Who>, Option<MatterId>),
    ) -> Option<Event> {
        if roster.is_empty() || self.is_team_given(reason, period) {
            return None;
        }
        let amount = rules.team.amount(reason);
        let posting = TeamPosting { amount, cause: cause.cloned(), matter, period, reason };
        Some(Event::TeamPosted(posting.into()))
    }

    /// What the team gets when a period ends. Ask before it is closed.
    pub fn period_end(&self, rules: &Rules, end: &PeriodEnd<'_>) -> Vec<Event> {
        let clean = end.span == PeriodSpan::Session && self.is_unpenalised(rules, end.period);
        // A chapter in which nothing was done is not complete.
        let whole = end.span == PeriodSpan::Chapter && end.frozen == 0 && self.is_busy(rules, end.period);
        let reasons = [
            (clean, TeamReason::ZeroPenaltiesSession),
            (whole, TeamReason::CleanChapterCompletion),
            (self.all_gold(rules, end.roster), TeamReason::AllAgentsGoldTier),
        ];
        let due = reasons.into_iter().filter(|(due, _)| *due);
        due.filter_map(|(_, reason)| {
            self.team_award(rules, reason, Some(end.period), end.roster, (None, None))
        })
        .collect()
    }

    /// Whether enough was done in a period to say something about it.
    fn is_busy(&self, rules: &Rules, period: Id) -> bool {
        let actions: u32 = self.period_totals(period).iter().map(|(_, tally)| tally.actions).sum();
        actions >= rules.team.zero_penalties_actions
    }

    /// Whether enough was done in a period, and none of it cost anything.
    fn is_unpenalised(&self, rules: &Rules, period: Id) -> bool {
        let penalised = self.period_totals(period).iter().any(|(_, tally)| tally.penalised > 0);
        self.is_busy(rules, period) && !penalised
    }

    /// Whether every one of these agents is gold with the model that answers for it.
    pub fn all_gold(&self, rules: &Rules, roster: &[Who]) -> bool {
        let gold = |who: &Who| {
            let record = self.active_record(who);
            record.is_some_and(|record| record.tally.tier(&rules.tiers) == ReliabilityTier::Gold)
        };
        !roster.is_empty() && roster.iter().all(gold)
    }

    /// What the team got, in one period or ever.
    pub fn team_credits(&self, period: Option<Id>) -> i64 {
        let counted = self.team().filter(|posting| period.is_none() || posting.period == period);
        counted.map(|posting| posting.amount).sum()
    }
}
