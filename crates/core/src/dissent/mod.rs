//! Dissent: who must object, or read without hearing others, why, on which side and until when.
//!
//! An order is one value whatever it is for: a devil's advocate objects, a blind reader answers before seeing what others
//! say, a speaker on a motion argues the side that too few took. Rotation, expiry and replacement are written once, here. What is said under an order to object is nobody's free
//! opinion: it never counts as approval or objection.
//!
//! This organ knows orders and who had them; whether one is due it is asked with plain values, and what follows is the
//! flows' business. To add a reason: a variant of [`DissentReason`] and the function that finds it.

mod motion;
mod risk;
mod rotation;

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};

pub use motion::{BreakRule, StanceCount, TeamCandidate, breaks, draw_team, has_spoken_enough, other_side};
pub use risk::{StructuralRisk, structural_risks};
pub use rotation::{
    ApprovalFacts, DissentCandidate, approved_quickly, approved_without_evidence, next_in_rotation,
};

use crate::kernel::{About, AskChange, At, Choice, Id, MatterId, Who, shared_list, shared_pairs};

/// Why somebody is ordered to object or to read blind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DissentReason {
    /// Several approved something large within a few comments, and checked little.
    QuickConsensus,
    /// All who took a side approve, and nothing was checked.
    NoEvidenceConsensus,
    /// A moderator, a lead or the user wants it.
    ModeratorOverride,
    /// What would change much is read blind first.
    HighImpactProposal,
    /// Nearly everybody who spoke on a motion is on one side.
    ConsensusBreak,
    /// Before the vote on a motion some argue against the majority.
    RedTeam,
}

impl DissentReason {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::QuickConsensus => "quick-consensus",
            Self::NoEvidenceConsensus => "no-evidence-consensus",
            Self::ModeratorOverride => "moderator-override",
            Self::HighImpactProposal => "high-impact-proposal",
            Self::ConsensusBreak => "consensus-break",
            Self::RedTeam => "red-team",
        }
    }

    /// Whether an order for it belongs to one turn in the debate of a motion: it ends with that turn, and is nobody's turn
    /// in the rotation of devil's advocates.
    pub fn is_of_one_turn(self) -> bool {
        match self {
            Self::ConsensusBreak | Self::RedTeam => true,
            Self::QuickConsensus | Self::NoEvidenceConsensus => false,
            Self::ModeratorOverride | Self::HighImpactProposal => false,
        }
    }

    /// It in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::QuickConsensus => {
                "several agents approved a large change within a few comments and checked little"
            }
            Self::NoEvidenceConsensus => "everybody who took a side approves, and nothing was checked",
            Self::ModeratorOverride => "the moderator wants the other side to be heard",
            Self::HighImpactProposal => {
                "a large change is read by two reviewers who do not see each other's answer"
            }
            Self::ConsensusBreak => "nearly everybody who spoke is on one side",
            Self::RedTeam => "before the vote the other side is argued once more",
        }
    }
}

/// What an order asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DissentSide {
    /// To object.
    Against,
    /// To argue for it.
    For,
    /// To answer without hearing others, whatever the answer is.
    Blind,
}

impl DissentSide {
    /// The side that is taken under such an order whatever its bearer thinks.
    pub fn forced(self) -> Option<Choice> {
        match self {
            Self::Against => Some(Choice::No),
            Self::For => Some(Choice::Yes),
            Self::Blind => None,
        }
    }

    /// The order to argue a side.
    pub fn arguing(side: Choice) -> Self {
        match side {
            Choice::Yes => Self::For,
            Choice::No | Choice::Neutral | Choice::Option(_) => Self::Against,
        }
    }
}

/// Somebody must object, or read blind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DissentOrder {
    /// The issue by which it was assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<MatterId>,
    /// How many comments it asks for.
    pub comments: u32,
    /// The matter it is about.
    pub matter: MatterId,
    /// Why.
    pub reason: DissentReason,
    /// What it asks for.
    pub side: DissentSide,
    /// Until when.
    pub until: At,
    /// Who.
    pub who: Who,
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderEnd {
    /// It was carried out.
    Fulfilled,
    /// Its time was up.
    Expired,
    /// The matter is over.
    Withdrawn,
}

/// What happens to orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody was ordered. The id of the order is the id of this event.
    Ordered(Arc<DissentOrder>),
    /// Nobody could be found.
    Unfilled {
        /// The matter.
        matter: MatterId,
        /// Why somebody was wanted.
        reason: DissentReason,
    },
    /// So many on one side: the next speakers on a motion argue the other one.
    ConsensusFound {
        /// What was counted: free entries, or all where the charter counts those.
        count: StanceCount,
        /// How many speak under an order.
        forced: u32,
        /// The matter.
        matter: MatterId,
        /// The side they argue.
        side: DissentSide,
    },
    /// Before the vote on a motion so many argue against the majority.
    TeamCalled {
        /// What was counted: free entries, or all where the charter counts those.
        count: StanceCount,
        /// How many.
        forced: u32,
        /// The matter.
        matter: MatterId,
        /// The side they argue.
        side: DissentSide,
    },
    /// A debate was summed up in numbers for those who speak next.
    Summed {
        /// All entries.
        all: StanceCount,
        /// Those that nobody ordered.
        free: StanceCount,
        /// Whether it is the last before the vote.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        last: bool,
        /// The matter.
        matter: MatterId,
        /// The risks that are named in it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        risks: Vec<StructuralRisk>,
    },
    /// An order is over.
    Ended {
        /// What became of it.
        end: OrderEnd,
        /// The matter.
        matter: MatterId,
        /// Which.
        order: Id,
    },
}

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Ordered(order) => About::Matter(order.matter),
            Self::Unfilled { matter, .. } | Self::Ended { matter, .. } => About::Matter(*matter),
            Self::ConsensusFound { matter, .. } | Self::TeamCalled { matter, .. } => About::Matter(*matter),
            Self::Summed { matter, .. } => About::Matter(*matter),
        }
    }

    /// It does nothing to asks: whoever is ordered comes by themself.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}

/// An order that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenOrder {
    /// Its id.
    pub id: Id,
    /// How many comments are still to come.
    pub left: u32,
    /// What was ordered.
    pub order: Arc<DissentOrder>,
}

/// Orders that are open, and who had one lately. Copies are cheap.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DissentOrders {
    #[serde(with = "shared_pairs")]
    open: OrdMap<Id, OpenOrder>,
    /// When each of them ends.
    #[serde(with = "due_list")]
    due: OrdSet<(At, Id)>,
    /// Assignments to object, latest last.
    #[serde(with = "shared_list")]
    assigned: Vector<(At, Who)>,
}

mod due_list {
    //! Deadlines, written as a list.

    use super::{At, Id, OrdSet};
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(due: &OrdSet<(At, Id)>, out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(due.iter())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OrdSet<(At, Id)>, D::Error> {
        Ok(Vec::<(At, Id)>::deserialize(from)?.into_iter().collect())
    }
}

/// Assignments kept for the rotation: far more than happen within the time that counts.
const ASSIGNED_MOST: usize = 10_000;

impl DissentOrders {
    /// The order of that id, while it is open.
    pub fn get(&self, order: Id) -> Option<&OpenOrder> {
        self.open.get(&order)
    }

    /// Orders that are open, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &OpenOrder> {
        self.open.values()
    }

    /// How often somebody was assigned to object since a moment.
    pub fn assignments(&self, who: &Who, since: At) -> u32 {
        let recent = self.assigned.iter().rev().take_while(|(at, _)| *at > since);
        recent.filter(|(_, one)| one == who).count() as u32
    }

    /// When the next order expires.
    pub fn next_deadline(&self) -> Option<At> {
        self.due.get_min().map(|(at, _)| *at)
    }

    /// Orders whose time is up.
    pub fn overdue(&self, at: At) -> Vec<Id> {
        self.due.iter().take_while(|(due, _)| *due <= at).map(|(_, order)| *order).collect()
    }

    /// Records an event.
    pub(crate) fn apply(&mut self, id: Id, at: At, event: &Event) {
        match event {
            // It ends with the turn it was given for: the matter itself keeps it.
            Event::Ordered(order) if order.reason.is_of_one_turn() => (),
            Event::Ordered(order) => {
                if order.side == DissentSide::Against {
                    self.assigned.push_back((at, order.who.clone()));
                    if self.assigned.len() > ASSIGNED_MOST {
                        self.assigned.pop_front();
                    }
                }
                self.due.insert((order.until, id));
                self.open.insert(id, OpenOrder { id, left: order.comments, order: order.clone() });
            }
            Event::Ended { order, .. } => {
                if let Some(ended) = self.open.remove(order) {
                    self.due.remove(&(ended.order.until, *order));
                }
            }
            Event::Unfilled { .. } => (),
            Event::ConsensusFound { .. } | Event::TeamCalled { .. } | Event::Summed { .. } => (),
        }
    }

    /// Records a comment made under an order.
    pub(crate) fn comment(&mut self, order: Id) {
        if let Some(open) = self.open.get_mut(&order) {
            open.left = open.left.saturating_sub(1);
        }
    }
}
