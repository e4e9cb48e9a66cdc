//! What is known of a motion: who seconded it, how its entries count, who was ordered to argue what. It records events.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};

use crate::dissent::{self, DissentOrder, DissentReason, DissentSide, OrderEnd, StanceCount, StructuralRisk};
use crate::house::Recorded;
use crate::kernel::{Contribution, Id, StoredContribution, Who, words};
use crate::{Event, Task, ask, gate, matter};

/// See the module. Copies are cheap: every decision makes one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MotionState {
    /// Who seconded it.
    pub seconder: Option<Who>,
    /// Who was asked whether they second it, in order.
    pub asked: Vector<Who>,
    /// All entries.
    pub all: StanceCount,
    /// Those that nobody ordered.
    pub free: StanceCount,
    /// Consensus breaks, in order.
    pub breaks: Vector<BreakFound>,
    /// The red team, once one was called.
    pub team: Option<TeamFound>,
    /// The debate in numbers, each time it was summed up.
    pub sums: Vector<Summed>,
    /// Orders to argue a side, in order.
    pub orders: Vector<Arc<SpeechOrder>>,
    /// Who has spoken.
    pub spoken: OrdSet<Who>,
    /// Who has to argue a side in the turn they have now, with the place of the order.
    open: OrdMap<Who, usize>,
    /// How many speakers are still to be ordered after the last break.
    left: u32,
    /// How many entries there were when the last break was over.
    rested_at: Option<u32>,
}

/// A consensus that was broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakFound {
    /// Entries before it, forced ones included: the next one is the first that was ordered.
    pub after: u32,
    /// What was counted.
    pub count: StanceCount,
    /// How many were to speak under an order.
    pub forced: u32,
    /// The side they argue.
    pub side: DissentSide,
}

/// A red team that was called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamFound {
    /// The debate before it: all entries.
    pub all: StanceCount,
    /// The debate before it: those that nobody ordered.
    pub free: StanceCount,
    /// What was counted.
    pub count: StanceCount,
    /// How many seats.
    pub seats: u32,
    /// The side they argue.
    pub side: DissentSide,
}

/// The debate in numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summed {
    /// All entries.
    pub all: StanceCount,
    /// Those that nobody ordered.
    pub free: StanceCount,
    /// Whether it is the last before the vote.
    pub last: bool,
    /// The risks that are named in it.
    pub risks: Vec<StructuralRisk>,
}

/// An order to argue a side in one turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpeechOrder {
    /// Its id.
    pub id: Id,
    /// What was said under it.
    pub entry: Option<Id>,
    /// What became of it.
    pub end: Option<OrderEnd>,
    /// What was ordered.
    pub order: Arc<DissentOrder>,
}

impl MotionState {
    /// The order that somebody has to carry out in the turn they have now.
    pub fn open_order(&self, who: &Who) -> Option<&SpeechOrder> {
        self.orders.get(*self.open.get(who)?).map(|order| &**order)
    }

    /// Orders that are not over, with whose they are.
    pub(super) fn open_orders(&self) -> impl Iterator<Item = (&Who, &SpeechOrder)> {
        self.open.iter().filter_map(|(who, at)| Some((who, &**self.orders.get(*at)?)))
    }

    /// Orders that were carried out for a reason.
    pub fn carried_out(&self, reason: DissentReason) -> impl Iterator<Item = &SpeechOrder> {
        let of = move |order: &&Arc<SpeechOrder>| order.entry.is_some() && order.order.reason == reason;
        self.orders.iter().filter(of).map(|order| &**order)
    }

    /// The order under which something was said.
    pub fn order_of(&self, said: Id) -> Option<&SpeechOrder> {
        self.orders.iter().find(|order| order.entry == Some(said)).map(|order| &**order)
    }

    /// How many speakers are still to be ordered after the last break.
    pub fn still_forced(&self) -> u32 {
        self.left
    }

    /// Entries since the last break was over; none before the first.
    pub(super) fn since_break(&self) -> Option<u32> {
        self.rested_at.map(|at| self.all.entries().saturating_sub(at))
    }

    pub(in crate::procedure::council) fn apply(&mut self, recorded: &Recorded<'_>) {
        match recorded.event {
            Event::Matter(matter::Event::Seconded { who, .. }) => self.seconder = Some(who.clone()),
            Event::Ask(ask::Event::Opened { task: Task::Second, who, .. }) => {
                self.asked.push_back(who.clone());
            }
            Event::Gate(gate::Event::Admitted(said)) => self.take(recorded.id, said),
            Event::Dissent(event) => self.take_order(recorded.id, event),
            _ => (), // nothing else happens to motions that other matters do not have
        }
    }

    fn take(&mut self, id: Id, said: &Contribution) {
        self.all.add(said.response.stance);
        if said.ordered.is_none() {
            self.free.add(said.response.stance);
        }
        self.spoken.insert(said.who.clone());
        if let Some(order) = self.open.get(&said.who).and_then(|at| self.orders.get_mut(*at)) {
            Arc::make_mut(order).entry = Some(id);
        }
    }

    fn take_order(&mut self, id: Id, event: &dissent::Event) {
        match event {
            dissent::Event::ConsensusFound { count, forced, side, .. } => {
                let after = self.all.entries();
                self.breaks.push_back(BreakFound { after, count: *count, forced: *forced, side: *side });
                self.left = *forced;
            }
            dissent::Event::TeamCalled { count, forced, side, .. } => {
                let (all, free) = (self.all, self.free);
                self.team = Some(TeamFound { all, free, count: *count, seats: *forced, side: *side });
                self.left = 0;
            }
            dissent::Event::Summed { all, free, last, risks, .. } => {
                self.sums.push_back(Summed { all: *all, free: *free, last: *last, risks: risks.clone() });
            }
            dissent::Event::Ordered(order) => {
                self.open.insert(order.who.clone(), self.orders.len());
                let order = SpeechOrder { id, entry: None, end: None, order: order.clone() };
                self.orders.push_back(Arc::new(order));
            }
            dissent::Event::Ended { end, order, .. } => self.end(*order, *end),
            dissent::Event::Unfilled { .. } => (),
        }
    }

    fn end(&mut self, order: Id, end: OrderEnd) {
        let Some(at) = self.open.values().copied().find(|at| self.orders[*at].id == order) else { return };
        let ended = Arc::make_mut(&mut self.orders[at]);
        ended.end = Some(end);
        let (reason, who) = (ended.order.reason, ended.order.who.clone());
        self.open.remove(&who);
        // A turn that gave nothing is made up for by the next speaker.
        if end == OrderEnd::Fulfilled && reason == DissentReason::ConsensusBreak && self.left > 0 {
            self.left -= 1;
            if self.left == 0 {
                self.rested_at = Some(self.all.entries());
            }
        }
    }

    /// What a branch knows of the motion it branches off from: what these statements come to.
    pub(in crate::procedure::council) fn shared(origin: &Self, said: &Vector<StoredContribution>) -> Self {
        let mut shared = Self { seconder: origin.seconder.clone(), ..Self::default() };
        for one in said {
            shared.take(one.id, one);
        }
        let entries = shared.all.entries();
        let kept = |order: &&Arc<SpeechOrder>| {
            order.entry.is_some_and(|entry| said.iter().any(|one| one.id == entry))
        };
        shared.orders = origin.orders.iter().filter(kept).cloned().collect();
        shared.breaks = origin.breaks.iter().filter(|found| found.after < entries).cloned().collect();
        shared.sums =
            origin.sums.iter().filter(|sum| sum.all.entries() <= entries && !sum.last).cloned().collect();
        shared.rested_at = (!shared.breaks.is_empty()).then_some(entries);
        shared
    }
}

words!(struct MotionState {
    | all, asked, breaks, free, left, open, orders, rested_at, seconder, spoken, sums, team
});
