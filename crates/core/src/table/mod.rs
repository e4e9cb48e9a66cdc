//! The table: what participants of a ring put forward. Statements, proposals, changes wanted to them, reactions.
//!
//! It keeps what lies there and can say what is new and how far it is supported. It never judges who may put
//! something down or when; the house does.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::kernel::{AmendmentId, AskId, At, Id, MatterId, ProposalId, TextSet, Who, text};

/// The longest title of a proposal, in characters: it stands on one line of every list.
pub const TITLE_MOST: usize = 120;
/// Proposals are lettered A to Z.
pub const PROPOSALS_MOST: usize = 26;

/// What a statement is meant as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A view.
    Opinion,
    /// A question to the others.
    Question,
    /// What the talk comes to.
    Synthesis,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Opinion => "opinion",
            Self::Question => "question",
            Self::Synthesis => "synthesis",
        })
    }
}

/// A short answer to something that lies on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reaction {
    /// For it.
    Agree,
    /// Against it.
    Disagree,
    /// Not understood.
    NeedClarification,
    /// Worth a thought.
    Interesting,
    /// Worrying.
    Concerning,
    /// For a part of it.
    PartiallyAgree,
}

impl Reaction {
    /// All of them, in the order help texts list them.
    pub const ALL: [Self; 6] = [
        Self::Agree,
        Self::Disagree,
        Self::NeedClarification,
        Self::Interesting,
        Self::Concerning,
        Self::PartiallyAgree,
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Disagree => "disagree",
            Self::NeedClarification => "need_clarification",
            Self::Interesting => "interesting",
            Self::Concerning => "concerning",
            Self::PartiallyAgree => "partially_agree",
        }
    }
}

/// What happens on the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Something was said. Its id is the id of this event.
    Said {
        /// The turn it was said in.
        ask: AskId,
        /// What it is meant as.
        kind: Kind,
        /// The matter.
        matter: MatterId,
        /// The same words lay there before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repeats: bool,
        /// The round.
        round: u32,
        /// What.
        text: String,
        /// What it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Id>,
        /// Who.
        who: Who,
    },
    /// A proposal was put forward. Its id is the id of this event.
    Proposed {
        /// The turn.
        ask: AskId,
        /// The matter.
        matter: MatterId,
        /// Counted from 1, in the order they were put.
        number: u32,
        /// The same words lay there before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repeats: bool,
        /// The round; 0 before the first.
        round: u32,
        /// What is proposed.
        text: String,
        /// The same in one line.
        title: String,
        /// By whom.
        who: Who,
    },
    /// A change was put forward. Its id is the id of this event.
    Amended {
        /// The turn.
        ask: AskId,
        /// The matter.
        matter: MatterId,
        /// What is to change.
        proposal: ProposalId,
        /// The same words lay there before.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        repeats: bool,
        /// The round.
        round: u32,
        /// The whole text as it should be.
        text: String,
        /// Which version of the proposal it changes.
        version: u32,
        /// By whom.
        who: Who,
        /// The reason given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The proposer took a change, or did not.
    Ruled {
        /// Whether the proposal is changed.
        accepted: bool,
        /// The change.
        amendment: AmendmentId,
        /// The matter.
        matter: MatterId,
        /// The reason given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A reaction to something on the table. Its id is the id of this event.
    Reacted {
        /// The turn.
        ask: AskId,
        /// The matter.
        matter: MatterId,
        /// Which.
        reaction: Reaction,
        /// The round.
        round: u32,
        /// A word to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// What it is a reaction to.
        to: Id,
        /// Whose.
        who: Who,
    },
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Speech {
    /// Its id.
    pub id: Id,
    /// When.
    pub at: At,
    /// What it is meant as.
    pub kind: Kind,
    /// The round.
    pub round: u32,
    /// What was said.
    pub text: String,
    /// What it answers.
    pub to: Option<Id>,
    /// Who spoke.
    pub who: Who,
}

/// A proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// When it was put.
    pub at: At,
    /// Changes wanted to it.
    pub amendments: Vec<Amendment>,
    /// As it was first put.
    pub first: String,
    /// Counted from 1.
    pub number: u32,
    /// The round it was put in.
    pub round: u32,
    /// As it stands, with every change that was taken.
    pub text: String,
    /// In one line.
    pub title: String,
    /// 1 as it was first put, one more for each change taken.
    pub version: u32,
    /// By whom.
    pub who: Who,
}

impl Proposal {
    /// `A` for the first.
    pub fn letter(&self) -> char {
        crate::kernel::Choice::letter((self.number.saturating_sub(1)).min(25) as u8)
    }
}

/// A change wanted to a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// Its id.
    pub id: AmendmentId,
    /// When it was put.
    pub at: At,
    /// Whether it was taken; `None` as long as nobody said.
    pub accepted: Option<bool>,
    /// The reason of the ruling.
    pub answer: Option<String>,
    /// The round.
    pub round: u32,
    /// The whole text as it should be.
    pub text: String,
    /// Which version it changes.
    pub version: u32,
    /// By whom.
    pub who: Who,
    /// The reason given for it.
    pub why: Option<String>,
}

/// A reaction as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reacted {
    /// Its id.
    pub id: Id,
    /// When.
    pub at: At,
    /// Which.
    pub reaction: Reaction,
    /// The round.
    pub round: u32,
    /// A word to it.
    pub text: Option<String>,
    /// To what.
    pub to: Id,
    /// Whose.
    pub who: Who,
}

/// Everything on the table of one matter. Copies are cheap: what lies there is shared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Statements, in order.
    pub said: Vec<Arc<Speech>>,
    /// Proposals, in order.
    pub proposals: Vec<Arc<Proposal>>,
    /// Reactions, in order.
    pub reactions: Vec<Arc<Reacted>>,
    /// How much that is new was put down, by round.
    fresh: BTreeMap<u32, u32>,
    /// What lay there at any time, folded.
    known: TextSet,
}

impl Table {
    /// Records an event. Total: nothing is judged here.
    pub fn apply(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::Said { ask: _, kind, matter: _, repeats, round, text, to, who } => {
                self.note(*round, *repeats, text);
                let (kind, round, to, who) = (*kind, *round, *to, who.clone());
                self.said.push(Arc::new(Speech { id, at, kind, round, text: text.clone(), to, who }));
            }
            Event::Proposed { ask: _, matter: _, number, repeats, round, text, title, who } => {
                self.note(*round, *repeats, text);
                self.proposals.push(Arc::new(Proposal {
                    id: ProposalId(id),
                    at,
                    amendments: Vec::new(),
                    first: text.clone(),
                    number: *number,
                    round: *round,
                    text: text.clone(),
                    title: title.clone(),
                    version: 1,
                    who: who.clone(),
                }));
            }
            Event::Amended { ask: _, matter: _, proposal, repeats, round, text, version, who, why } => {
                self.note(*round, *repeats, text);
                let amendment = Amendment {
                    id: AmendmentId(id),
                    at,
                    accepted: None,
                    answer: None,
                    round: *round,
                    text: text.clone(),
                    version: *version,
                    who: who.clone(),
                    why: why.clone(),
                };
                if let Some(place) = self.proposals.iter_mut().find(|known| known.id == *proposal) {
                    Arc::make_mut(place).amendments.push(amendment);
                }
            }
            Event::Ruled { accepted, amendment, matter: _, why } => self.rule(*amendment, *accepted, why),
            Event::Reacted { ask: _, matter: _, reaction, round, text, to, who } => {
                let (reaction, round, to) = (*reaction, *round, *to);
                let (text, who) = (text.clone(), who.clone());
                self.reactions.push(Arc::new(Reacted { id, at, reaction, round, text, to, who }));
            }
        }
    }

    fn rule(&mut self, amendment: AmendmentId, accepted: bool, why: &Option<String>) {
        for place in &mut self.proposals {
            let Some(nth) = place.amendments.iter().position(|known| known.id == amendment) else { continue };
            let proposal = Arc::make_mut(place);
            let ruled = &mut proposal.amendments[nth];
            (ruled.accepted, ruled.answer) = (Some(accepted), why.clone());
            if accepted {
                proposal.text = ruled.text.clone();
                proposal.version += 1;
            }
        }
    }

    fn note(&mut self, round: u32, repeats: bool, words: &str) {
        if !repeats {
            *self.fresh.entry(round).or_insert(0) += 1;
        }
        self.known.insert(&folded(words));
    }

    /// Learns anew what lies there, after its words were taken away.
    pub(crate) fn reindex(&mut self) {
        let mut known = TextSet::default();
        self.said.iter().for_each(|said| known.insert(&folded(&said.text)));
        for proposal in &self.proposals {
            known.insert(&folded(&proposal.first));
            proposal.amendments.iter().for_each(|change| known.insert(&folded(&change.text)));
        }
        self.known = known;
    }

    /// Whether the same words lie there already, but for case and white space.
    pub fn repeats(&self, words: &str) -> bool {
        self.known.contains(&folded(words))
    }

    /// How much that is new was put down in a round. Reactions weigh what is there and are not counted.
    pub fn fresh(&self, round: u32) -> u32 {
        self.fresh.get(&round).copied().unwrap_or(0)
    }

    /// The proposal of that id.
    pub fn proposal(&self, id: ProposalId) -> Option<&Arc<Proposal>> {
        self.proposals.iter().find(|proposal| proposal.id == id)
    }

    /// The amendment of that id, with what it changes.
    pub fn amendment(&self, id: AmendmentId) -> Option<(&Proposal, &Amendment)> {
        let within =
            |proposal: &'_ Arc<Proposal>| proposal.amendments.iter().position(|known| known.id == id);
        self.proposals.iter().find_map(|proposal| {
            let nth = within(proposal)?;
            Some((&**proposal, &proposal.amendments[nth]))
        })
    }

    /// Whether something of that id lies there.
    pub fn holds(&self, id: Id) -> bool {
        self.said.iter().any(|said| said.id == id)
            || self.proposals.iter().any(|proposal| {
                proposal.id.0 == id || proposal.amendments.iter().any(|change| change.id.0 == id)
            })
    }

    /// Changes wanted to proposals of one participant that nobody has ruled on.
    pub fn unruled<'a>(&'a self, proposer: &'a Who) -> impl Iterator<Item = &'a Amendment> {
        let own = self.proposals.iter().filter(move |proposal| proposal.who == *proposer);
        own.flat_map(|proposal| &proposal.amendments).filter(|change| change.accepted.is_none())
    }

    /// How many of these participants are for a proposal as it stands: whoever put it, and those whose last
    /// reaction to it agrees. A proposal that was changed has to be agreed to anew.
    pub fn support(&self, proposal: &Proposal, of: &[Who]) -> u32 {
        let changed = proposal.amendments.iter().filter(|change| change.accepted == Some(true));
        let since = changed.map(|change| change.id.0).max();
        let agrees = |who: &&Who| {
            let own = self.reactions.iter().rev();
            let mut own = own.filter(|reacted| reacted.to == proposal.id.0 && reacted.who == **who);
            **who == proposal.who
                || own.next().is_some_and(|last| {
                    last.reaction == Reaction::Agree && since.is_none_or(|since| last.id > since)
                })
        };
        of.iter().filter(agrees).count() as u32
    }
}

/// Words without what does not make them others: case and white space.
fn folded(words: &str) -> String {
    text::fold(&text::one_line(words))
}
