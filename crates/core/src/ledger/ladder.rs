//! The ladder: normal, watch, remediation, flagged. Up by the share of penalised actions, down by clean ones.

use serde::{Deserialize, Serialize};

use super::{AgentAction, Escalation, Event, LadderRules, Ledger, PerformanceRecord, Rules};
use crate::kernel::Ratio;

/// How closely an agent is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EscalationLevel {
    /// As usual.
    #[default]
    Normal,
    /// The moderator looks at it.
    Watch,
    /// Constraints stand in its brief.
    Remediation,
    /// The same, and the user heard of it.
    Flagged,
}

impl EscalationLevel {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Watch => "watch",
            Self::Remediation => "remediation",
            Self::Flagged => "flagged",
        }
    }

    /// One step down.
    fn below(self) -> Self {
        match self {
            Self::Normal | Self::Watch => Self::Normal,
            Self::Remediation => Self::Watch,
            Self::Flagged => Self::Remediation,
        }
    }
}

/// What an agent under remediation has to heed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemediationConstraint {
    /// Every proposal cites so many sources.
    CiteSources(u32),
    /// Citations name lines, not only files.
    CiteLines,
    /// Read the evidence again before sending.
    RereadEvidence,
    /// Ask the moderator rather than guess.
    EscalateWhenUncertain,
}

impl RemediationConstraint {
    /// As a sentence for the brief.
    pub fn words(self) -> String {
        match self {
            Self::CiteSources(least) => format!("Cite at least {least} sources for every proposal."),
            Self::CiteLines => "Cite line numbers, not only files.".into(),
            Self::RereadEvidence => "Read your evidence again before you send a comment.".into(),
            Self::EscalateWhenUncertain => "If you are not sure, ask the moderator. Do not guess.".into(),
        }
    }
}

impl PerformanceRecord {
    /// What its agent has to heed now.
    pub fn constraints(&self, rules: &LadderRules) -> Vec<RemediationConstraint> {
        match self.level {
            EscalationLevel::Normal | EscalationLevel::Watch => Vec::new(),
            EscalationLevel::Remediation | EscalationLevel::Flagged => vec![
                RemediationConstraint::CiteSources(rules.sources),
                RemediationConstraint::CiteLines,
                RemediationConstraint::RereadEvidence,
                RemediationConstraint::EscalateWhenUncertain,
            ],
        }
    }

    /// Where its agent belongs after its last action.
    fn next_level(&self, rules: &LadderRules) -> EscalationLevel {
        let (penalised, of) = self.recent(rules.window);
        let reaches = |bound: Ratio| of >= rules.least && bound.is_met_by(penalised, of);
        match self.level {
            // One step for each action: who erred in all of their first actions is told so before anything is asked of them.
            EscalationLevel::Normal if reaches(rules.watch) => return EscalationLevel::Watch,
            EscalationLevel::Watch if reaches(rules.remediation) => return EscalationLevel::Remediation,
            EscalationLevel::Remediation if reaches(rules.flagged) => return EscalationLevel::Flagged,
            EscalationLevel::Normal | EscalationLevel::Watch | EscalationLevel::Remediation => (),
            EscalationLevel::Flagged => (),
        }
        // A whole window for each step: going down is as slow as the record is long.
        if self.clean >= rules.window { self.level.below() } else { self.level }
    }
}

impl Ledger {
    /// An action, and the step on the ladder that it leads to.
    pub(super) fn action_events(&self, rules: &Rules, acted: AgentAction) -> Vec<Event> {
        let mut after = self.record(&acted.who, &acted.model).cloned().unwrap_or_default();
        after.act(&acted);
        let (from, to) = (after.level, after.next_level(&rules.ladder));
        let (penalised, of) = after.recent(rules.ladder.window);
        let tell_user = to == EscalationLevel::Flagged && !after.user_told;
        let (who, model) = (acted.who.clone(), acted.model.clone());
        let mut events = vec![Event::Acted(acted.into())];
        if from != to {
            let escalation = Escalation { from, model, of, penalised, tell_user, to, who };
            events.push(Event::Escalated(escalation.into()));
        }
        events
    }
}
