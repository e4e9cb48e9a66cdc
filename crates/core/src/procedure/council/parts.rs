//! Assigned parts: who takes over when a seat did not make the case it was assigned, and which cases were never made.

use super::state::parts;
use crate::house::{Case, Flow};
use crate::kernel::{Choice, Contribution, Who};
use crate::roster::Role;
use crate::{Event, floor};

impl Flow {
    /// Before a further round: every part whose case nobody made in the last one passes to a seat that can be spared.
    pub(super) fn pass_parts(&mut self) {
        while let Some((from, part, who)) = self.case().next_part_to_pass() {
            let matter = self.case().id;
            self.put(Event::Floor(floor::Event::PartTaken { from, matter, part, who }));
        }
    }
}

impl Case {
    /// A part that nobody played in the round just closed, whose it was, and who is spared for it.
    fn next_part_to_pass(&self) -> Option<(Who, String, Who)> {
        let roles = parts(self).0.roles.as_ref()?;
        roles.roles.iter().filter(|role| role.expects.is_some()).find_map(|role| {
            let holders = || self.holders(role).map(|(who, _)| who);
            let from = holders().next()?;
            // A part that passed to a seat which has not spoken in it yet is taken care of.
            let taken = |who: &Who| parts(self).1.parts_taken.contains_key(who);
            let waiting = holders().any(|who| taken(who) && !self.spoke_as(who, role));
            let played = holders().any(|who| self.plays(who, role));
            (!played && !waiting).then_some(())?;
            Some((from.clone(), role.name.clone(), self.spared(role)?))
        })
    }

    /// Seats with a role, in their order, and whether they may still be called.
    fn holders<'a>(&'a self, role: &'a Role) -> impl Iterator<Item = (&'a Who, bool)> {
        let seats = self.opening.seats.iter().map(|seat| &seat.who);
        let has = |who: &&Who| self.role(who).is_some_and(|held| held.name == role.name);
        seats.filter(has).map(|who| (who, !self.absent.contains_key(who)))
    }

    /// The last seat whose own part is still played without it; one that takes no side first.
    fn spared(&self, role: &Role) -> Option<Who> {
        let spare = |who: &&Who| {
            let Some(own) = self.role(who).filter(|own| own.name != role.name) else { return false };
            let others = self.holders(own).filter(|(other, here)| *here && other != who);
            self.plays(who, own) && others.into_iter().any(|(other, _)| self.plays(other, own))
        };
        let sided = |who: &Who| matches!(self.ordered(who), Some(Choice::Yes | Choice::No));
        let spare: Vec<&Who> = self.present().map(|(_, who)| who).filter(spare).collect();
        let free = spare.iter().rev().find(|who| !sided(who));
        free.or(spare.last()).map(|who| (*who).clone())
    }

    /// Whether a seat did the job of its role in the round just closed.
    fn plays(&self, who: &Who, role: &Role) -> bool {
        let round = self.round();
        self.said.iter().any(|said| said.who == *who && said.round == round && makes_case(said, role.expects))
    }

    /// Whether a seat has spoken under this order at all.
    fn spoke_as(&self, who: &Who, role: &Role) -> bool {
        self.said.iter().any(|said| said.who == *who && said.ordered == role.expects)
    }

    /// Sides that seats were assigned and nobody ever argued, each with whose job it was.
    pub fn cases_never_made(&self) -> Vec<(Choice, Vec<Who>)> {
        let assigned = |side: Choice| {
            let seats = self.opening.seats.iter().take(self.in_play()).map(|seat| seat.who.clone());
            let whose: Vec<Who> = seats.filter(|who| self.ordered(who) == Some(side)).collect();
            let made =
                self.said.iter().any(|said| makes_case(said, Some(side)) && said.ordered == Some(side));
            (!whose.is_empty() && !made).then_some((side, whose))
        };
        [Choice::Yes, Choice::No].into_iter().filter_map(assigned).collect()
    }
}

/// Whether a statement takes the side it was assigned. A part that takes none is played by speaking.
fn makes_case(said: &Contribution, expects: Option<Choice>) -> bool {
    match expects {
        Some(side @ (Choice::Yes | Choice::No | Choice::Option(_))) => said.response.stance == Some(side),
        Some(Choice::Neutral) | None => true,
    }
}
