//! The one question everything that leaves a house asks: may this reader see this now?
//!
//! Briefs, turn sheets, reports, sessions, feeds, Redis, exports, progress on a terminal and receipts all come through
//! [`Case::may_see`]. It brings together what the matter knows (its stage, its phase, its ballots) and what the lens
//! makes of it; nobody else decides. To hide something new: a variant of [`Item`], its arm here.

use super::case::{Ballot, Case};
use crate::charter::StageKind;
use crate::floor;
use crate::kernel::{Spoken, Who};
use crate::lens::{self, Sees};
use crate::procedure;

/// Who looks at a matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader<'a> {
    /// The operator, with everything that may ever be shown.
    Operator,
    /// Anybody who may see the matter at all: an export, a receipt, a feed.
    Public,
    /// A participant who comes for its turns.
    Participant(&'a Who),
    /// A seat that speaks in a round, under what its stage lets speakers see.
    Speaker {
        /// Who.
        who: &'a Who,
        /// How far the stage lets it see.
        sees: Sees,
        /// The round it speaks in.
        round: u32,
    },
    /// A person who sits in the matter and watches it at the same terminal.
    Watcher(&'a Who),
}

/// What is looked at.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// That there is such a matter, its question, its seats and where it stands.
    Matter,
    /// A contribution: who spoke, and what.
    Contribution(&'a Spoken),
    /// Who voted how on a ballot. That somebody voted is never hidden.
    Votes(&'a Ballot),
    /// Who stands behind which contribution and vote, by name.
    Names,
}

impl Case {
    /// Whether a reader may see something of this matter now.
    pub fn may_see(&self, reader: Reader<'_>, item: Item<'_>) -> bool {
        match item {
            Item::Matter => match reader {
                Reader::Operator | Reader::Public => true,
                Reader::Participant(who) | Reader::Watcher(who) => self.participant(who).is_some(),
                Reader::Speaker { who, .. } => self.participant(who).is_some(),
            },
            Item::Contribution(said) => self.may_see_contribution(reader, said),
            Item::Votes(ballot) => {
                !self.hides(ballot) && (procedure::shows_open_ballots(self) || ballot.result.is_some())
            }
            Item::Names => match reader {
                Reader::Operator | Reader::Public | Reader::Participant(_) => true,
                // Where names are hidden, a seat is not told them as long as it can still act on them.
                Reader::Speaker { .. } | Reader::Watcher(_) => {
                    self.names.mask().is_none() || self.decision().is_some()
                }
            },
        }
    }

    fn may_see_contribution(&self, reader: Reader<'_>, said: &Spoken) -> bool {
        match reader {
            Reader::Operator | Reader::Public => procedure::is_public(self, said),
            Reader::Participant(who) => said.who == *who || procedure::is_public(self, said),
            Reader::Speaker { who, sees, round } => {
                lens::may_see(sees, round, said, sees == Sees::Team && self.are_mates(who, &said.who))
            }
            // What a seat may still answer without knowing, the person on it must not read over a shoulder.
            Reader::Watcher(who) => {
                said.who == *who || !self.is_blind_now(said.round) || self.decision().is_some()
            }
        }
    }

    /// Whether two seats are of one team.
    fn are_mates(&self, one: &Who, other: &Who) -> bool {
        let team = |who: &Who| self.place(who).map(floor::team);
        team(one).is_some() && team(one) == team(other)
    }

    /// Whether a round is still open in which seats speak without hearing each other.
    fn is_blind_now(&self, round: u32) -> bool {
        let blind = self.stage().is_some_and(|stage| match &stage.kind {
            StageKind::Speak(speak) => match speak.sees {
                Sees::Nothing | Sees::EarlierRounds => true,
                Sees::SoFar | Sees::Team => false,
            },
            StageKind::Vote { .. } => false,
        });
        blind && round == self.round() && !self.round_closed()
    }
}
