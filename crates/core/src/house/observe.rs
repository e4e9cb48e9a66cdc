//! What agents were seen to do, the numbers it is judged by, and what a look at the clock finds.

use super::House;
use super::trigger::Calls;
use crate::command::Regulate;
use crate::kernel::{Actor, At, Priority};
use crate::monitor::{self, Finding, Note, Observation, PENDING_MOST};
use crate::{Event, Refusal, trigger};

impl House {
    /// Takes over the numbers of triggers and monitor; nothing happens if they hold already.
    pub(super) fn regulate(&self, regulate: &Regulate) -> Result<Vec<Event>, Refusal> {
        let Regulate { charters, monitor, trigger } = regulate;
        for digest in [charters.critical, charters.high, charters.normal, charters.low] {
            if !self.charters.contains_key(&digest) {
                return Err(Refusal::UnknownCharter { digest });
            }
        }
        let mut events = Vec::new();
        if self.triggers.rules() != Some(trigger) || self.triggers.charters() != Some(charters) {
            let rules = Box::new(trigger.clone());
            events.push(Event::Trigger(trigger::Event::Regulated { charters: *charters, rules }));
        }
        if self.monitor.rules() != Some(monitor) {
            events.push(Event::Monitor(monitor::Event::Regulated { rules: Box::new(monitor.clone()) }));
        }
        Ok(events)
    }

    /// Notes what was seen. What that completes is found, and may call a council.
    pub(super) fn observe(&self, at: At, seen: &Observation) -> Result<Vec<Event>, Refusal> {
        self.monitor.rules().ok_or(Refusal::Unregulated)?;
        self.enrolled(&seen.agent)?;
        let note = seen.note().map_err(|wrong| Refusal::MalformedObservation { wrong })?;
        let agent = seen.agent.clone();
        let mut monitor = self.monitor.clone();
        let observed = monitor::Event::Observed { agent: agent.clone(), note: note.clone() };
        monitor.apply(at, &observed);
        if matches!(note, Note::Pending { .. }) && monitor.pending().len() > PENDING_MOST {
            return Err(Refusal::TooManyPending { most: PENDING_MOST });
        }
        let mut calls = Calls::new(self, at, monitor);
        calls.put(Event::Monitor(observed));
        let found = monitor::find(calls.monitor(), &agent, &note);
        calls.found(found);
        Ok(calls.done())
    }

    /// What time has brought about, besides what is overdue in matters: agents that stall, or are gone, and
    /// the hour at which what is pending is looked through. The most urgent comes first.
    pub(super) fn look_at_the_clock(&self, at: At, before: usize) -> Vec<Event> {
        let mut calls = Calls::after(self, at, self.monitor.clone(), before);
        for agent in monitor::gone(&self.monitor, at) {
            calls.put(Event::Monitor(monitor::Event::Gone { agent }));
        }
        let found = |finding: Finding| {
            let priority = self.monitor.rules().map(|rules| rules.priority(finding.pattern));
            (priority, Some(finding))
        };
        let mut due: Vec<(Option<Priority>, Option<Finding>)> =
            monitor::stalled(&self.monitor, at).into_iter().map(found).collect();
        if self.next_look().is_some_and(|due| due <= at) {
            due.push((self.triggers.rules().map(|rules| rules.scheduled.priority), None));
        }
        due.sort_by_key(|(priority, _)| *priority);
        for (_, finding) in due {
            match finding {
                Some(finding) => calls.found(vec![finding]),
                None => calls.scheduled(),
            }
        }
        calls.done()
    }

    /// When what is pending is looked through by itself: only while somebody is active who could do it.
    pub(super) fn next_look(&self) -> Option<At> {
        let due = self.triggers.due()?;
        self.monitor.active(due).next().is_some().then_some(due)
    }

    /// Whoever reports something reports it of themself; the operator of anybody.
    pub(super) fn may_observe(by: &Actor, seen: &Observation) -> bool {
        match by {
            Actor::Operator => true,
            Actor::Seat(who) => *who == seen.agent,
            Actor::Engine => false,
        }
    }
}
