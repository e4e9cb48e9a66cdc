//! Leaderboards: who earned what, in a period or ever. Derived, never stored.

use serde::Serialize;

use super::{
    CreditReason, CreditTally, EscalationLevel, GoalProgress, IssuesDoneIn, Ledger, ReliabilityTier, Rules,
    TeamReason,
};
use crate::kernel::{Id, Who};

/// Of when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderboardScope {
    /// A session, a chapter, an act or any other period.
    Period(Id),
    /// Ever.
    Lifetime,
}

/// What somebody did best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Highlight {
    /// How often.
    pub count: u32,
    /// What earned most.
    pub reason: CreditReason,
}

impl Highlight {
    /// `5 verified citations`.
    pub fn words(&self) -> String {
        let (one, many) = match self.reason {
            CreditReason::EvidenceVerified
            | CreditReason::EvidenceVerifiedPrecise
            | CreditReason::EvidenceOutcomeUpgrade
            | CreditReason::EvidenceFailedVerification => ("verified citation", "verified citations"),
            CreditReason::ConsultedDevilsAdvocate => {
                ("devil's advocate consulted", "devil's advocates consulted")
            }
            CreditReason::IssueAppliedInWork => ("issue applied in work", "issues applied in work"),
            CreditReason::CommentUnderBudget => ("issue settled briefly", "issues settled briefly"),
            CreditReason::UserConflictPrevented => ("prevented conflict", "prevented conflicts"),
            CreditReason::ProposalAcceptedByUser => ("accepted proposal", "accepted proposals"),
            CreditReason::UserMarkedHelpful => ("helpful comment", "helpful comments"),
            CreditReason::CleanUnfreeze => ("clean unfreeze", "clean unfreezes"),
            CreditReason::ModeratorCommendation => ("commendation", "commendations"),
            CreditReason::CircuitBreakerTriggered
            | CreditReason::HallucinationDetected
            | CreditReason::IssueMarkedLeech
            | CreditReason::ModeratorPenalty => ("penalty", "penalties"),
        };
        format!("{} {}", self.count, if self.count == 1 { one } else { many })
    }
}

/// A line of a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeaderboardEntry {
    /// Credits in its scope.
    pub credits: i64,
    /// What it did best.
    pub highlight: Option<Highlight>,
    /// How closely it is watched.
    pub level: EscalationLevel,
    /// Its place, from 1. Equal credits share one.
    pub rank: u32,
    /// Verified citations in a row up to now.
    pub streak: u32,
    /// How reliable it is.
    pub tier: ReliabilityTier,
    /// Who.
    pub who: Who,
}

/// A leaderboard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leaderboard {
    /// The agents, best first.
    pub entries: Vec<LeaderboardEntry>,
    /// Goals that are open or were reached, with how far they are.
    pub goals: Vec<(Id, GoalProgress)>,
    /// Whose citations became more reliable by most, against before.
    pub most_improved: Option<Who>,
    /// Who earned most, if anybody earned anything.
    pub most_valuable: Option<Who>,
    /// Of when.
    pub scope: LeaderboardScope,
    /// What the team got.
    pub team_credits: i64,
    /// The largest thing the team did.
    pub top_achievement: Option<TeamReason>,
    /// What all agents and the team got.
    pub total: i64,
}

impl Ledger {
    /// The leaderboard of these agents. The user is not one of them.
    pub fn leaderboard(
        &self,
        rules: &Rules,
        scope: LeaderboardScope,
        roster: &[Who],
        done: IssuesDoneIn<'_>,
    ) -> Leaderboard {
        let period = match scope {
            LeaderboardScope::Period(period) => Some(period),
            LeaderboardScope::Lifetime => None,
        };
        let tallies = self.tallies(period, roster);
        let mut entries: Vec<LeaderboardEntry> =
            tallies.iter().map(|(who, tally)| self.entry(rules, who, tally)).collect();
        entries.sort_by(|one, other| other.credits.cmp(&one.credits).then_with(|| one.who.cmp(&other.who)));
        let credits: Vec<i64> = entries.iter().map(|entry| entry.credits).collect();
        for entry in &mut entries {
            entry.rank = 1 + credits.iter().filter(|more| **more > entry.credits).count() as u32;
        }
        let goals = self.goals().filter(|goal| goal.ended.is_none() || goal.reached);
        let goals = goals.filter(|goal| period.is_none() || goal.terms.period == period);
        let team = self.team().filter(|posting| period.is_none() || posting.period == period);
        let team_credits = self.team_credits(period);
        Leaderboard {
            goals: goals.map(|goal| (goal.id, self.progress(goal, done))).collect(),
            most_improved: period.and_then(|_| self.most_improved(&tallies)),
            most_valuable: entries.first().filter(|entry| entry.credits > 0).map(|entry| entry.who.clone()),
            scope,
            team_credits,
            top_achievement: team.max_by_key(|posting| posting.amount).map(|posting| posting.reason),
            total: team_credits + credits.iter().sum::<i64>(),
            entries,
        }
    }

    /// The counts of each agent, also of one that did nothing.
    fn tallies(&self, period: Option<Id>, roster: &[Who]) -> Vec<(Who, CreditTally)> {
        let of_period = period.map(|period| self.period_totals(period));
        let tally = |who: &Who| match &of_period {
            None => self.total(who),
            Some(all) => {
                all.iter().find(|(one, _)| one == who).map(|(_, tally)| tally.clone()).unwrap_or_default()
            }
        };
        let mut agents: Vec<&Who> = roster.iter().collect();
        agents.sort();
        agents.dedup();
        agents.into_iter().map(|who| (who.clone(), tally(who))).collect()
    }

    fn entry(&self, rules: &Rules, who: &Who, tally: &CreditTally) -> LeaderboardEntry {
        let record = self.active_record(who).cloned().unwrap_or_default();
        LeaderboardEntry {
            credits: tally.credits,
            highlight: highlight(tally),
            level: record.level,
            rank: 0,
            streak: record.streak,
            tier: record.tally.tier(&rules.tiers),
            who: who.clone(),
        }
    }

    /// The agent whose share of verified citations rose most against the time outside the period.
    fn most_improved(&self, tallies: &[(Who, CreditTally)]) -> Option<Who> {
        let mut best: Option<((i128, i128), &Who)> = None;
        for (who, tally) in tallies {
            let ever = self.total(who);
            let (verified, citations) = (ever.verified - tally.verified, ever.citations - tally.citations);
            if citations == 0 || tally.citations == 0 {
                continue;
            }
            // The difference of two fractions over their common denominator, exactly.
            let wide = |count: u32| i128::from(count);
            let gain = wide(tally.verified) * wide(citations) - wide(verified) * wide(tally.citations);
            let over = wide(citations) * wide(tally.citations);
            let better = best.is_none_or(|((most, of), _)| gain * of > most * over);
            if gain > 0 && better {
                best = Some(((gain, over), who));
            }
        }
        best.map(|(_, who)| who.clone())
    }
}

/// What earned most. All that citations earned is one thing.
fn highlight(tally: &CreditTally) -> Option<Highlight> {
    let of =
        |wanted: bool| tally.reasons.iter().filter(move |(reason, _)| reason.is_of_citations() == wanted);
    let cited: i64 = of(true).map(|(_, (_, credits))| credits).sum();
    let citations = (cited, Highlight { count: tally.verified, reason: CreditReason::EvidenceVerified });
    let others =
        of(false).map(|(reason, (count, credits))| (*credits, Highlight { count: *count, reason: *reason }));
    let all = std::iter::once(citations).chain(others).filter(|(credits, _)| *credits > 0);
    // Of equals the one that stands first in the table of reasons.
    all.max_by_key(|(credits, best)| (*credits, std::cmp::Reverse(best.reason))).map(|(_, best)| best)
}
