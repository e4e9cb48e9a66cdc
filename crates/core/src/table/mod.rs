//! The table of a ring: its phase, and what became of the proposals that were put forward.
//!
//! What participants say lies in the matter's one store of contributions. The table keeps what follows from it:
//! the present text of each proposal, the changes wanted to it, who supports it, how much was new in each round.
//! It never judges who may put something forward or when.

mod refusal;

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{
    About, AmendmentId, At, Choice, Contribution, ContributionKind, Digest, Id, MatterId, ProposalId,
    Reaction, Who, Words, text, words,
};

/// The longest title of a proposal, in characters: it stands on one line of every list.
pub const TITLE_MOST: usize = 120;
/// Proposals are lettered A to Z.
pub const PROPOSALS_MOST: usize = 26;

/// A phase of a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Those invited join.
    Gathering,
    /// Each may put a proposal, all at once.
    Proposing,
    /// The floor goes round.
    Discussing,
    /// Proposers accept or decline the changes that are still open.
    Converging,
    /// Everyone votes on every proposal.
    Voting,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 5] =
        [Self::Gathering, Self::Proposing, Self::Discussing, Self::Converging, Self::Voting];

    /// The word people and agents know it by.
    pub fn word(self) -> &'static str {
        match self {
            Self::Gathering => "GATHERING",
            Self::Proposing => "PROPOSING",
            Self::Discussing => "DISCUSSING",
            Self::Converging => "CONVERGING",
            Self::Voting => "VOTING",
        }
    }

    /// The phase after this one; none after the vote.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Gathering => Some(Self::Proposing),
            Self::Proposing => Some(Self::Discussing),
            Self::Discussing => Some(Self::Converging),
            Self::Converging => Some(Self::Voting),
            Self::Voting => None,
        }
    }
}

/// What happens on the table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The next phase began.
    PhaseEntered {
        /// The matter.
        matter: MatterId,
        /// Which.
        phase: Phase,
    },
    /// The proposer accepted a change, or declined it.
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
    /// As it stands, with every change that was accepted.
    pub text: String,
    /// In one line.
    pub title: String,
    /// 1 as it was first put, one more for each change accepted.
    pub version: u32,
    /// By whom.
    pub who: Who,
    /// The latest reaction of each participant to it.
    reactions: BTreeMap<Who, (Id, Reaction)>,
}

impl Proposal {
    /// `A` for the first.
    pub fn letter(&self) -> char {
        Choice::letter((self.number.saturating_sub(1)).min(25) as u8)
    }
}

/// A change wanted to a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amendment {
    /// Its id.
    pub id: AmendmentId,
    /// When it was put.
    pub at: At,
    /// Whether it was accepted; `None` until the proposer rules.
    pub accepted: Option<bool>,
    /// The reason of the ruling.
    pub answer: Option<String>,
    /// The event of the ruling, and the round it was made in.
    pub ruled: Option<(Id, u32)>,
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

/// Everything on the table of one matter. Copies are cheap: what lies there is shared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Proposals, in order.
    pub proposals: Vec<Arc<Proposal>>,
    /// Ids of contributions that others may refer to.
    known: OrdSet<Id>,
    /// Digests of what was said, but for case and white space: the same words are nothing new. Comparing texts would
    /// cost more with every contribution.
    folded: OrdSet<Digest>,
    /// How much that is new was put down, by round.
    fresh: OrdMap<u32, u32>,
    /// Who contributed, by round; a participant may stand there more than once.
    heard: Vector<(u32, Who)>,
}

impl Table {
    /// Takes an admitted contribution into account. Total: nothing is judged here.
    pub fn contribute(&mut self, id: Id, said: &Contribution) {
        self.heard.push_back((said.round, said.who.clone()));
        match &said.kind {
            ContributionKind::Statement
            | ContributionKind::Opinion
            | ContributionKind::Question
            | ContributionKind::Synthesis => self.put(id, said),
            ContributionKind::Answer | ContributionKind::Estimate => (), // only councils ask for them
            ContributionKind::Comment(_) => (),                          // only issues have them
            ContributionKind::Proposal { number, title } => {
                self.put(id, said);
                self.proposals.push(Arc::new(Proposal {
                    id: ProposalId(id),
                    at: said.at,
                    amendments: Vec::new(),
                    first: said.text().into(),
                    number: *number,
                    reactions: BTreeMap::new(),
                    round: said.round,
                    text: said.text().into(),
                    title: title.clone(),
                    version: 1,
                    who: said.who.clone(),
                }));
            }
            ContributionKind::Amendment { proposal, version } => {
                self.put(id, said);
                let amendment = Amendment {
                    id: AmendmentId(id),
                    at: said.at,
                    accepted: None,
                    answer: None,
                    ruled: None,
                    round: said.round,
                    text: said.text().into(),
                    version: *version,
                    who: said.who.clone(),
                    why: said.response.reasoning.clone(),
                };
                if let Some(place) = self.proposals.iter_mut().find(|known| known.id == *proposal) {
                    Arc::make_mut(place).amendments.push(amendment);
                }
            }
            ContributionKind::Reaction(reaction) => {
                let to = said.to.and_then(|to| self.proposals.iter_mut().find(|known| known.id.0 == to));
                if let Some(place) = to {
                    Arc::make_mut(place).reactions.insert(said.who.clone(), (id, *reaction));
                }
            }
        }
    }

    fn put(&mut self, id: Id, said: &Contribution) {
        self.known.insert(id);
        self.folded.insert(folded(said.text()));
        if !said.repeats {
            let fresh = self.fresh(said.round) + 1;
            self.fresh.insert(said.round, fresh);
        }
    }

    /// Records what the proposer ruled on a change.
    pub fn rule(&mut self, amendment: AmendmentId, accepted: bool, why: &Option<String>, ruled: (Id, u32)) {
        for place in &mut self.proposals {
            let Some(nth) = place.amendments.iter().position(|known| known.id == amendment) else { continue };
            let proposal = Arc::make_mut(place);
            let change = &mut proposal.amendments[nth];
            (change.accepted, change.answer, change.ruled) = (Some(accepted), why.clone(), Some(ruled));
            if accepted {
                proposal.text = change.text.clone();
                proposal.version += 1;
            }
        }
    }

    /// Whether the same words lie there already, but for case and white space.
    pub fn repeats(&self, words: &str) -> bool {
        self.folded.contains(&folded(words))
    }

    /// How much that is new was put down in a round. Reactions weigh what is there and are not counted.
    pub fn fresh(&self, round: u32) -> u32 {
        self.fresh.get(&round).copied().unwrap_or(0)
    }

    /// How many participants contributed to a round.
    pub fn heard_in(&self, round: u32) -> usize {
        // Rounds only grow, so those of one round are found at the end.
        let of_round = self.heard.iter().rev().skip_while(|(of, _)| *of > round);
        let of_round = of_round.take_while(|(of, _)| *of == round);
        of_round.map(|(_, who)| who).collect::<std::collections::BTreeSet<_>>().len()
    }

    /// Whether somebody contributed at all.
    pub fn has_heard(&self, who: &Who) -> bool {
        self.heard.iter().any(|(_, heard)| heard == who)
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
        self.known.contains(&id)
    }

    /// Changes wanted to proposals of one participant that nobody has ruled on.
    pub fn unruled<'a>(&'a self, proposer: &'a Who) -> impl Iterator<Item = &'a Amendment> {
        let own = self.proposals.iter().filter(move |proposal| proposal.who == *proposer);
        own.flat_map(|proposal| &proposal.amendments).filter(|change| change.accepted.is_none())
    }

    /// How many of these participants support a proposal as it stands: its author, and everyone whose latest
    /// reaction to it agrees. A proposal that was changed has to be agreed to anew.
    pub fn support(&self, proposal: &Proposal, of: &[Who]) -> u32 {
        let changed = proposal.amendments.iter().filter(|change| change.accepted == Some(true));
        let since = changed.map(|change| change.id.0).max();
        let agrees = |who: &&Who| {
            let last = proposal.reactions.get(*who);
            **who == proposal.who
                || last.is_some_and(|(id, reaction)| {
                    *reaction == Reaction::Agree && since.is_none_or(|since| *id > since)
                })
        };
        of.iter().filter(agrees).count() as u32
    }

    /// Forgets what was said. What was decided about it stays.
    pub fn forget(&mut self) {
        self.folded.clear();
        self.redact();
    }
}

words!(struct Amendment { answer, text, why | id, at, accepted, ruled, round, version, who });
words!(struct Proposal {
    amendments, first, text, title | id, at, number, round, version, who, reactions
});
words!(struct Table { proposals | known, folded, fresh, heard });
words!(enum Event {
    PhaseEntered { | matter, phase },
    Ruled { why | accepted, amendment, matter },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::PhaseEntered { matter, .. } | Self::Ruled { matter, .. } => About::Matter(*matter),
        }
    }
}

/// What two texts share that differ in case and white space only.
fn folded(words: &str) -> Digest {
    Digest::of(text::fold(&text::one_line(words)).as_bytes())
}
