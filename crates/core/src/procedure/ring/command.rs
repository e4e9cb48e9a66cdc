//! What participants do in a ring, and what the operator can tell it to do.

use serde::{Deserialize, Serialize};

use crate::ballot::Grade;
use crate::kernel::{
    AmendmentId, AskId, ContributionKind, Id, MatterId, ProposalId, Reaction, Seq, Who, words,
};

/// A command to a ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Take part: what a participant does for itself.
    Participate {
        /// What it does.
        action: Action,
        /// The matter.
        matter: MatterId,
    },
    /// Begin with those who joined.
    Start {
        /// The matter.
        matter: MatterId,
    },
    /// Take a participant out.
    Remove {
        /// The matter.
        matter: MatterId,
        /// Who.
        who: Who,
    },
}

impl Command {
    /// The matter it is about.
    pub fn matter(&self) -> MatterId {
        match self {
            Self::Participate { matter, .. } | Self::Start { matter } | Self::Remove { matter, .. } => {
                *matter
            }
        }
    }

    /// The newest act that an id in it names.
    pub fn newest_named(&self) -> Seq {
        let matter = self.matter().0.act;
        match self {
            Self::Participate { action, .. } => action.named().map(|id| id.act).fold(matter, Seq::max),
            Self::Start { .. } | Self::Remove { .. } => matter,
        }
    }
}

/// What a statement in a ring is meant as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remark {
    /// A view.
    Opinion,
    /// A question to the others.
    Question,
    /// A summary of the discussion so far.
    Synthesis,
}

impl Remark {
    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Opinion => "opinion",
            Self::Question => "question",
            Self::Synthesis => "synthesis",
        }
    }

    /// The remark of that kind; `None` for what is not one.
    pub fn of(kind: &ContributionKind) -> Option<Self> {
        match kind {
            ContributionKind::Opinion => Some(Self::Opinion),
            ContributionKind::Question => Some(Self::Question),
            ContributionKind::Synthesis => Some(Self::Synthesis),
            ContributionKind::Statement
            | ContributionKind::Proposal { .. }
            | ContributionKind::Amendment { .. }
            | ContributionKind::Reaction(_) => None,
            ContributionKind::Answer | ContributionKind::Estimate | ContributionKind::Comment(_) => None,
        }
    }
}

impl std::fmt::Display for Remark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}

impl From<Remark> for ContributionKind {
    fn from(remark: Remark) -> Self {
        match remark {
            Remark::Opinion => Self::Opinion,
            Remark::Question => Self::Question,
            Remark::Synthesis => Self::Synthesis,
        }
    }
}

/// What a participant of a ring does. What needs the floor names the turn it belongs to: a late, a double and
/// an unknown one are the same refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Take part, or take part again.
    Join,
    /// Take part no longer.
    Leave,
    /// Say that a turn arrived: it counts as delivered only then.
    Acknowledge {
        /// The turn.
        ask: AskId,
    },
    /// Say something.
    Say {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What it is meant as.
        kind: Remark,
        /// What.
        text: String,
        /// What it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Id>,
    },
    /// Put a proposal forward.
    Propose {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What is proposed.
        text: String,
        /// The same in one line.
        title: String,
    },
    /// Put a change forward.
    Amend {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// What is to change.
        proposal: ProposalId,
        /// The whole text as it should be.
        text: String,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// React to something on the table.
    React {
        /// The turn.
        ask: AskId,
        /// Whether to keep the floor for more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        keep: bool,
        /// How.
        reaction: Reaction,
        /// A word to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// To what.
        to: Id,
    },
    /// Give the floor back.
    Release {
        /// The turn.
        ask: AskId,
    },
    /// Say nothing this time.
    Skip {
        /// The turn.
        ask: AskId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Accept a change to one's own proposal, or decline it.
    Rule {
        /// Whether to accept it.
        accept: bool,
        /// The change.
        amendment: AmendmentId,
        /// The reason.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Vote on a proposal.
    Vote {
        /// Changes that would have to be made.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        changes: Vec<String>,
        /// What the vote hangs on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditions: Vec<String>,
        /// How far it is supported.
        grade: Grade,
        /// The proposal.
        proposal: ProposalId,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rationale: Option<String>,
        /// What seals the vote where votes are secret. Who knows it can prove how they voted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<String>,
    },
}

impl Action {
    /// The ids in it.
    fn named(&self) -> impl Iterator<Item = Id> {
        let (first, second) = match self {
            Self::Join | Self::Leave => (None, None),
            Self::Acknowledge { ask }
            | Self::Release { ask }
            | Self::Skip { ask, .. }
            | Self::Propose { ask, .. } => (Some(ask.0), None),
            Self::Say { ask, to, .. } => (Some(ask.0), *to),
            Self::Amend { ask, proposal, .. } => (Some(ask.0), Some(proposal.0)),
            Self::React { ask, to, .. } => (Some(ask.0), Some(*to)),
            Self::Rule { amendment, .. } => (Some(amendment.0), None),
            Self::Vote { proposal, .. } => (Some(proposal.0), None),
        };
        first.into_iter().chain(second)
    }
}

words!(enum Command {
    Participate { action | matter },
    Start { | matter },
    Remove { | matter, who },
});
words!(enum Action {
    Join,
    Leave,
    Acknowledge { | ask },
    Say { text | ask, keep, kind, to },
    Propose { text, title | ask, keep },
    Amend { text, why | ask, keep, proposal },
    React { text | ask, keep, reaction, to },
    Release { | ask },
    Skip { why | ask },
    Rule { why | accept, amendment },
    // The salt stays: without it a voter could no longer prove a vote.
    Vote { changes, conditions, rationale | grade, proposal, salt },
});
