//! When the journal cannot be written: the disk is full, the database is locked, the disk fails.
//!
//! Nothing of what could not be kept happened, so nobody may be charged for it. The judge stands still: answers and reports
//! of calls are kept in mind, others who give orders are told at once, and it tries again until the journal takes an
//! act. That act says for how long nothing could be written; this time is taken out of the house's, so that no deadline ran
//! meanwhile. Then what was kept in mind is judged as if it came now.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use synod_core::kernel::{About, At};
use synod_core::{Command, House};
use synod_journal::Stall;

use crate::clock::now;
use crate::engine::JudgeMessage;
use crate::judge::Judge;
use crate::keeper::{AppendFailure, Waiter, WaitingOrders};
use crate::{Fault, Order};

/// How long to wait before the journal is tried again: at first, and at most.
const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(2);
/// The most orders that are kept in mind. There are as many answers as calls under way.
const HELD_MOST: usize = 10_000;

/// How a stall ended.
pub(crate) enum After {
    /// The journal takes acts again. These orders come before all others.
    Over(WaitingOrders),
    /// The engine ends.
    End,
}

/// A time in which nothing can be written.
struct OpenStall {
    since: At,
    begun: Instant,
    /// What was judged first and not kept.
    lost: AppendFailure,
    /// Orders of our own.
    held: WaitingOrders,
}

impl Judge {
    /// Waits until the journal can be written. `waiting` was not judged yet.
    pub(crate) fn wait_out(&mut self, inbox: &Receiver<JudgeMessage>, mut waiting: WaitingOrders) -> After {
        self.wait_for_second();
        let (Some(lost), held) = self.trouble.take() else { return After::Over(waiting) };
        let mut stalled = OpenStall { since: now(), begun: Instant::now(), lost, held };
        let mut pause = FIRST;
        loop {
            if self.trouble.is_grave() {
                return self.give_up(stalled, waiting);
            }
            self.say_stalled(&stalled);
            match self.try_again(&mut stalled) {
                Ok(orders) => {
                    self.trouble.say(None);
                    let mut first = stalled.held;
                    first.extend(orders.into_iter().map(|order| (order, Waiter::Nobody)));
                    first.append(&mut waiting);
                    return After::Over(first);
                }
                Err(lost) => stalled.lost = AppendFailure { at: stalled.lost.at, ..lost },
            }
            let impatient = self.patience.is_some_and(|most| stalled.begun.elapsed() >= most);
            if stalled.lost.grave || impatient || stalled.held.len() > HELD_MOST {
                return self.give_up(stalled, waiting);
            }
            for (order, waiter) in std::mem::take(&mut waiting) {
                stalled.take(order, waiter);
            }
            match self.listen(inbox, pause, &mut waiting) {
                StallInput::End => return After::End,
                StallInput::Order => (),
                StallInput::Nothing => pause = (pause * 2).min(LONGEST),
            }
        }
    }

    /// Looks at the journal afresh, and puts down for how long it could not be written. Returns answers that were had at
    /// once.
    fn try_again(&mut self, stalled: &mut OpenStall) -> Result<Vec<Order>, AppendFailure> {
        let recovered = self.keeper().recover();
        let (house, head, mut orders) = recovered.map_err(|fault| match fault {
            Fault::Journal(error) => AppendFailure::by(&error, stalled.lost.at),
            other => AppendFailure::gravely(other.to_string()),
        })?;
        (self.house, self.head) = (house, head);
        // It was recorded after all, and only its acknowledgement was lost.
        let house = &self.house;
        stalled.held.retain(|(order, waiter)| waiter.is_there() || !is_stale(house, order));
        let at = stalled.lost.at.max(self.house.now());
        self.clock.take_out(at);
        let adjusted = self.clock.adjusted(&self.house, Some(stalled.lost.cause.clone()));
        let note = (Order::engine(Command::AdjustTime(adjusted)), Waiter::Nobody);
        let judged = self.judge_at(at, std::iter::once(note));
        let kept = self.keeper().keep(judged);
        orders.extend(kept.map_err(|(lost, _)| lost)?);
        self.clock.is_noted();
        Ok(orders)
    }

    fn say_stalled(&self, stalled: &OpenStall) {
        let stall = Stall { since: stalled.since, said: stalled.lost.said.clone() };
        self.keeper().note_stall(&stall);
        self.trouble.say(Some(stall));
    }

    /// There is no going on: the engine ends, and says why.
    fn give_up(&self, stalled: OpenStall, waiting: WaitingOrders) -> After {
        let fault = stalled.lost.fault();
        // Another process writes: it can, and what it says of the journal counts.
        if !matches!(fault, Fault::Fenced(_)) {
            self.say_stalled(&stalled);
        }
        self.trouble.note(AppendFailure { grave: true, ..stalled.lost }, WaitingOrders::new());
        for (_, waiter) in stalled.held.into_iter().chain(waiting) {
            // A call that waits to begin is called off with the engine; it never hears of a fault of ours.
            if !waiter.is_own() {
                waiter.tell(Err(match &fault {
                    Fault::Fenced(said) => Fault::Fenced(said.clone()),
                    other => Fault::Append(other.to_string()),
                }));
            }
        }
        After::End
    }

    /// Takes what comes until it is time to try again, which is at once where somebody gives an order.
    fn listen(
        &mut self,
        inbox: &Receiver<JudgeMessage>,
        pause: Duration,
        waiting: &mut WaitingOrders,
    ) -> StallInput {
        let until = Instant::now() + pause;
        let mut outside = false;
        loop {
            let left = if outside { Duration::ZERO } else { until.saturating_duration_since(Instant::now()) };
            outside |= match inbox.recv_timeout(left) {
                Ok(JudgeMessage::Order(order, waiter)) => {
                    let outside = !waiter.is_own();
                    waiting.push_back((*order, waiter));
                    outside
                }
                Ok(JudgeMessage::Orders(orders, several)) => {
                    let waiter = |place| Waiter::Several(several.clone(), place);
                    waiting
                        .extend(orders.into_iter().enumerate().map(|(place, order)| (order, waiter(place))));
                    true
                }
                Ok(JudgeMessage::Reader(reply)) => {
                    let _ = reply.send(self.keeper().reader());
                    false
                }
                Ok(JudgeMessage::Redact(_, reply)) => {
                    let _ = reply.send(Err(Fault::Append("nothing can be written now".into())));
                    false
                }
                Ok(JudgeMessage::End) | Err(RecvTimeoutError::Disconnected) => return StallInput::End,
                Err(RecvTimeoutError::Timeout) if outside => return StallInput::Order,
                Err(RecvTimeoutError::Timeout) => return StallInput::Nothing,
            };
        }
    }
}

impl OpenStall {
    /// Keeps an order of our own in mind; others who wait are told that nothing can be written.
    fn take(&mut self, order: Order, waiter: Waiter) {
        match waiter.is_own() {
            true => self.held.push_back((order, waiter)),
            false => waiter.tell(Err(self.lost.fault())),
        }
    }
}

/// Input that came while the journal could not be written.
enum StallInput {
    Order,
    Nothing,
    End,
}

/// Whether an order answers an ask that is not open any more.
pub(crate) fn is_stale(house: &House, order: &Order) -> bool {
    match order.command.about() {
        About::Ask(ask) => order.key.is_none() && house.ask(ask).is_none(),
        About::House | About::Matter(_) => false,
    }
}
