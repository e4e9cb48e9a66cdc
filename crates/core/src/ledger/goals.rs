//! Goals: what the user or a moderator would like the team or an agent to reach. Nobody is held to them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{CreditReason, CreditTally, Event, Ledger, LedgerCaller, Refusal, Rules, TeamReason};
use crate::kernel::{At, AuthorClass, Id, Who, text, words};

/// The most goals that may be open.
pub const GOALS_MOST: usize = 50;
/// The longest sentence of a goal, in characters.
const SENTENCE_MOST: usize = 300;

/// What a goal counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GoalMetric {
    /// Credits.
    TotalCredits,
    /// Citations that hold.
    VerifiedCitations,
    /// Issues resolved.
    IssuesResolved,
    /// Issues applied in work.
    IssuesAppliedInWork,
    /// Nothing that cost anything until the end.
    ZeroPenalties,
    /// Times a devil's advocate was consulted.
    DevilsAdvocateConsultations,
}

impl GoalMetric {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 6] = [
        ("total-credits", Self::TotalCredits),
        ("verified-citations", Self::VerifiedCitations),
        ("issues-resolved", Self::IssuesResolved),
        ("issues-applied-in-work", Self::IssuesAppliedInWork),
        ("zero-penalties", Self::ZeroPenalties),
        ("devils-advocate-consultations", Self::DevilsAdvocateConsultations),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, one)| *one == self).map_or("", |(word, _)| *word)
    }
}

/// What somebody wants reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalDraft<'a> {
    /// The agent, or the team if none is named.
    pub agent: Option<&'a Who>,
    /// What is counted.
    pub metric: GoalMetric,
    /// The period it is for; from now on if none is named.
    pub period: Option<Id>,
    /// It as a sentence.
    pub sentence: &'a str,
    /// How many.
    pub target: u32,
    /// Until when, if it ends before its period does.
    pub until: Option<At>,
}

/// A goal as it was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalTerms {
    /// The agent, or the team if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Who>,
    /// What was counted already when it was set, for one that is for no period.
    pub base: i64,
    /// Who set it, unless it was the person who runs the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// What is counted.
    pub metric: GoalMetric,
    /// The period it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Id>,
    /// It as a sentence.
    pub sentence: String,
    /// How many.
    pub target: u32,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<At>,
}

/// A goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goal {
    /// When it was reached, missed or taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<At>,
    /// Its id.
    pub id: Id,
    /// Whether it was reached.
    pub reached: bool,
    /// When it was set.
    pub set: At,
    /// What it is.
    pub terms: Arc<GoalTerms>,
}

/// How far a goal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct GoalProgress {
    /// So many.
    pub current: i64,
    /// Whether that is enough. One without penalties is reached only at its end.
    pub enough: bool,
    /// Of so many.
    pub target: u32,
}

/// What issues came to, whoever resolved or opened them. The ledger knows only what agents did, and a team's goals count
/// what people did with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IssuesDone {
    /// Marked as applied in the work.
    pub applied: u32,
    /// Resolved.
    pub resolved: u32,
}

/// The same, in a period or ever.
pub type IssuesDoneIn<'a> = &'a dyn Fn(Option<Id>) -> IssuesDone;

impl Ledger {
    /// What setting a goal comes to.
    pub fn set_goal(
        &self,
        caller: &LedgerCaller<'_>,
        draft: &GoalDraft<'_>,
        done: IssuesDoneIn<'_>,
    ) -> Result<Event, Refusal> {
        if !may_set(caller) {
            return Err(Refusal::GoalNotAllowed);
        }
        let sentence = text::one_line(draft.sentence);
        let endless = draft.period.is_none() && draft.until.is_none();
        let undecidable = draft.metric == GoalMetric::ZeroPenalties && endless;
        if !(1..=SENTENCE_MOST).contains(&text::length(&sentence)) || draft.target == 0 || undecidable {
            return Err(Refusal::MalformedGoal { most: SENTENCE_MOST });
        }
        if self.open_goals().count() >= GOALS_MOST {
            return Err(Refusal::TooManyGoals { most: GOALS_MOST });
        }
        let base = match draft.period {
            Some(_) => 0,
            None => self.measure(draft.metric, draft.agent, None, done),
        };
        let terms = GoalTerms {
            agent: draft.agent.cloned(),
            base,
            by: caller.who.cloned(),
            metric: draft.metric,
            period: draft.period,
            sentence,
            target: draft.target,
            until: draft.until,
        };
        Ok(Event::GoalSet(terms.into()))
    }

    /// What taking a goal back comes to.
    pub fn drop_goal(&self, caller: &LedgerCaller<'_>, goal: Id) -> Result<Event, Refusal> {
        if !may_set(caller) {
            return Err(Refusal::GoalNotAllowed);
        }
        match self.goal(goal).filter(|known| known.ended.is_none()) {
            Some(_) => Ok(Event::GoalEnded { goal, reached: false }),
            None => Err(Refusal::UnknownGoal { goal: goal.to_string() }),
        }
    }

    /// Goals that are open, oldest first.
    pub fn open_goals(&self) -> impl Iterator<Item = &Goal> {
        self.goals().filter(|goal| goal.ended.is_none())
    }

    /// When the next goal with a deadline ends.
    pub fn next_goal_deadline(&self) -> Option<At> {
        self.open_goals().filter_map(|goal| goal.terms.until).min()
    }

    /// How far a goal is.
    pub fn progress(&self, goal: &Goal, done: IssuesDoneIn<'_>) -> GoalProgress {
        let terms = &goal.terms;
        let now = self.measure(terms.metric, terms.agent.as_ref(), terms.period, done);
        let gained = now - terms.base;
        // What is counted there is actions that cost something, and none is what is wanted.
        let unpenalised = (terms.metric == GoalMetric::ZeroPenalties).then_some(gained == 0);
        let current = unpenalised.map_or(gained, i64::from);
        let enough = unpenalised.unwrap_or(gained >= i64::from(terms.target));
        GoalProgress { current, enough, target: terms.target }
    }

    /// Goals that are reached or over by now, and what the team gets for its own. `closing` is a period that ends with
    /// this, `period` the one that team credit is counted in.
    pub fn goals_due(
        &self,
        rules: &Rules,
        at: At,
        closing: Option<Id>,
        (period, roster): (Option<Id>, &[Who]),
        done: IssuesDoneIn<'_>,
    ) -> Vec<Event> {
        let (mut events, mut together) = (Vec::new(), false);
        for goal in self.open_goals() {
            let terms = &goal.terms;
            let over = terms.until.is_some_and(|until| until <= at)
                || (terms.period.is_some() && terms.period == closing);
            let progress = self.progress(goal, done);
            let early = progress.enough && terms.metric != GoalMetric::ZeroPenalties;
            if !over && !early {
                continue;
            }
            events.push(Event::GoalEnded { goal: goal.id, reached: progress.enough });
            together |= progress.enough && terms.agent.is_none();
        }
        if together {
            let reason = TeamReason::CollectiveGoalAchieved;
            events.extend(self.team_award(rules, reason, period, roster, (None, None)));
        }
        events
    }

    /// What a metric is now, for an agent or for all, in a period or ever.
    fn measure(
        &self,
        metric: GoalMetric,
        agent: Option<&Who>,
        period: Option<Id>,
        done: IssuesDoneIn<'_>,
    ) -> i64 {
        match (metric, agent) {
            (GoalMetric::IssuesResolved, None) => return i64::from(done(period).resolved),
            (GoalMetric::IssuesAppliedInWork, None) => return i64::from(done(period).applied),
            _ => (), // agents alone have these
        }
        let of = |tally: &CreditTally| match metric {
            GoalMetric::TotalCredits => tally.credits,
            GoalMetric::VerifiedCitations => i64::from(tally.verified),
            GoalMetric::IssuesResolved => i64::from(tally.resolved),
            GoalMetric::IssuesAppliedInWork => i64::from(tally.applied),
            GoalMetric::ZeroPenalties => i64::from(tally.penalised),
            GoalMetric::DevilsAdvocateConsultations => {
                i64::from(tally.times(CreditReason::ConsultedDevilsAdvocate))
            }
        };
        let tallies = match period {
            Some(period) => self.period_totals(period),
            None => self.agents().map(|who| (who.clone(), self.total(who))).collect(),
        };
        let counted = tallies.iter().filter(|(who, _)| agent.is_none_or(|agent| agent == who));
        let sum: i64 = counted.map(|(_, tally)| of(tally)).sum();
        let team = metric == GoalMetric::TotalCredits && agent.is_none();
        sum + if team { self.team_credits(period) } else { 0 }
    }
}

/// Agents do not set what they are measured by.
fn may_set(caller: &LedgerCaller<'_>) -> bool {
    match caller.class {
        AuthorClass::User | AuthorClass::Moderator => true,
        AuthorClass::System | AuthorClass::Agent => false,
    }
}

words!(struct GoalTerms { sentence | agent, base, by, metric, period, target, until });
