//! Before and after each speech on a motion: the debate in numbers, and orders to argue the other side.

use std::sync::Arc;

use super::{MotionState, motion_parts};
use crate::charter::Parliament;
use crate::dissent::{
    self, DissentOrder, DissentReason, DissentSide, OrderEnd, breaks, other_side, structural_risks,
};
use crate::house::{Case, Flow};
use crate::kernel::{At, Id, Who};
use crate::{Event, Task};

impl Flow {
    /// What happens before a seat gets the floor: the debate is summed up where that is due, and where nearly everybody is
    /// on one side the seat is ordered to argue the other one.
    pub(in crate::procedure::council) fn before_entry(&mut self, who: &Who, until: At) {
        if self.case().motion().is_none() {
            return;
        }
        if is_sum_due(self.case()) {
            self.sum_up_debate(false);
        }
        self.find_consensus();
        let left = self.case().motion().map_or(0, MotionState::still_forced);
        let side = self.case().motion().and_then(|state| state.breaks.last()).map(|found| found.side);
        if let Some(side) = side.filter(|_| left > 0) {
            self.order(who, DissentReason::ConsensusBreak, side, until);
        }
    }

    fn find_consensus(&mut self) {
        let case = self.case();
        let Some((rules, state)) = motion_parts(case) else { return };
        let (Some(rule), 0) = (rules.consensus_break.rule(), state.still_forced()) else { return };
        let count = *state.counted(rules.counts);
        if let Some(side) = breaks(rule, &count, state.since_break()) {
            let (forced, matter) = (rules.consensus_break.forced.is as u32, case.id);
            let side = DissentSide::arguing(other_side(side));
            self.put(Event::Dissent(dissent::Event::ConsensusFound { count, forced, matter, side }));
        }
    }

    /// Orders a seat to argue a side in the turn it is about to get.
    pub(super) fn order(&mut self, who: &Who, reason: DissentReason, side: DissentSide, until: At) {
        let (matter, who) = (self.case().id, who.clone());
        let order = DissentOrder { assignment: None, comments: 1, matter, reason, side, until, who };
        self.put(Event::Dissent(dissent::Event::Ordered(Arc::new(order))));
    }

    /// Puts the debate in numbers before those who speak or vote next.
    pub(in crate::procedure::council) fn sum_up_debate(&mut self, last: bool) {
        let case = self.case();
        let Some((rules, state)) = motion_parts(case) else { return };
        if rules.digest.on.is == 0 || state.all.entries() == 0 {
            return;
        }
        let risks = match rules.digest.risks.is == 1 && (last || rules.digest.last.is == 0) {
            true => named_risks(case, rules),
            false => Vec::new(),
        };
        let (all, free, matter) = (state.all, state.free, case.id);
        self.put(Event::Dissent(dissent::Event::Summed { all, free, last, matter, risks }));
    }

    /// An order was carried out by what its bearer said.
    pub(in crate::procedure::council) fn end_carried_out(&mut self, who: &Who) {
        let open = self.case().motion().and_then(|state| state.open_order(who)).map(|order| order.id);
        if let Some(order) = open {
            self.end_speech_order(order, OrderEnd::Fulfilled);
        }
    }

    /// Orders whose bearer lost the floor without a word are over.
    pub(in crate::procedure::council) fn end_missed_orders(&mut self) {
        let case = self.case();
        let Some(state) = case.motion() else { return };
        let speaks = |who: &Who| {
            case.asks().values().any(|ask| ask.is_of(who) && matches!(ask.task(), Some(Task::Speak { .. })))
        };
        let missed: Vec<Id> =
            state.open_orders().filter(|(who, _)| !speaks(who)).map(|(_, order)| order.id).collect();
        for order in missed {
            self.end_speech_order(order, OrderEnd::Expired);
        }
    }

    fn end_speech_order(&mut self, order: Id, end: OrderEnd) {
        let matter = self.case().id;
        self.put(Event::Dissent(dissent::Event::Ended { end, matter, order }));
    }
}

/// The risks that a motion's text shows, as many as are named.
fn named_risks(case: &Case, rules: &Parliament) -> Vec<dissent::StructuralRisk> {
    let mut risks = structural_risks(&case.opening.question.topic);
    if rules.digest.cap.is > 0 {
        risks.truncate(rules.digest.cap.is as usize);
    }
    risks
}

/// Whether enough was said since the debate was summed up last.
fn is_sum_due(case: &Case) -> bool {
    let Some((rules, state)) = motion_parts(case) else { return false };
    let entries = state.all.entries();
    let last = state.sums.last().map_or(0, |sum| sum.all.entries());
    entries > last && u64::from(entries - last) >= rules.digest.every.is
}
