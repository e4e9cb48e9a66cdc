//! The red team: before the vote some seats argue against the majority.

use super::motion_parts;
use crate::charter::{Counting, RedTeam};
use crate::dissent::{self, DissentReason, DissentSide, TeamCandidate, draw_team, other_side};
use crate::house::{Case, Flow};
use crate::kernel::{Choice, Who};
use crate::{Event, floor};

impl Flow {
    /// Calls a red team where the charter wants one and there is a majority to argue against, else goes on.
    pub(in crate::procedure::council) fn begin_team(&mut self, team: &RedTeam) {
        let case = self.case();
        let Some(side) =
            majority(case, team).map(other_side).filter(|_| team.on.is == 1 && team.seats.is > 0)
        else {
            return self.next_stage();
        };
        let Some((rules, state)) = motion_parts(case) else { return self.next_stage() };
        let (count, forced, matter) = (*state.counted(rules.counts), team.seats.is as u32, case.id);
        let (round, side) = (case.round() + 1, DissentSide::arguing(side));
        self.put(Event::Dissent(dissent::Event::TeamCalled { count, forced, matter, side }));
        self.put(Event::Floor(floor::Event::RoundOpened { matter, round }));
        super::super::advance(self);
    }

    /// Calls the next of the team, or goes on to the vote. A seat that fails is replaced.
    pub(in crate::procedure::council) fn call_team(&mut self) {
        let case = self.case();
        if case.is_anyone_speaking() {
            return;
        }
        let found = case.motion().and_then(|state| state.team.as_ref()).map(|team| (team.seats, team.side));
        let next = found.and_then(|(seats, side)| Some((next_of_team(case, seats)?, side)));
        let (matter, round) = (case.id, case.round());
        match next {
            Some((who, side)) => {
                let until = self.queued_until(&who);
                self.order(&who, DissentReason::RedTeam, side, until);
                self.put(Event::Floor(floor::Event::Called { matter, round, until, who }));
            }
            None => {
                let answered = case.said.iter().rev().take_while(|said| said.round == round).count() as u32;
                let lapsed = case.lapsed_in(round);
                self.put(Event::Floor(floor::Event::RoundClosed { answered, lapsed, matter, round }));
                self.next_stage();
            }
        }
    }
}

/// The side that the team has to argue against; `None` where none is called.
fn majority(case: &Case, team: &RedTeam) -> Option<Choice> {
    let (rules, state) = motion_parts(case)?;
    let count = state.counted(rules.counts);
    match team.at {
        Some(at) => count.consensus(at),
        // Counted as the original did, a tie makes the team argue for the motion.
        None if rules.counts == Counting::All && count.entries() > 0 => count.majority().or(Some(Choice::No)),
        None => count.majority(),
    }
}

/// Who of the team speaks next: those who were drawn, in seat order, then those who replace a seat that failed.
fn next_of_team(case: &Case, seats: u32) -> Option<Who> {
    let state = case.motion()?;
    if state.carried_out(DissentReason::RedTeam).count() as u32 >= seats {
        return None;
    }
    let against = other_side(state.team.as_ref()?.side.forced()?);
    let stood = case.standing(u32::MAX);
    let candidate = |seat: &crate::kernel::Seat| TeamCandidate {
        rank: seat.rank().map(|rank| rank.place),
        with_majority: stood.get(&seat.who) == Some(&against),
        who: seat.who.clone(),
    };
    let mut drawn = draw_team(case.id, u64::from(seats), case.opening.seats.iter().map(candidate).collect());
    let reserve = drawn.split_off(drawn.len().min(seats as usize));
    drawn.sort_by_key(|who| case.place(who));
    let was_ordered = |who: &Who| {
        state
            .orders
            .iter()
            .any(|order| order.order.reason == DissentReason::RedTeam && order.order.who == *who)
    };
    drawn.into_iter().chain(reserve).find(|who| !case.absent.contains_key(who) && !was_ordered(who))
}
