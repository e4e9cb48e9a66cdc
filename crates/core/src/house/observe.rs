//! What agents were seen to do, the numbers it is judged by, and what a look at the clock finds.

use super::{Flow, House};
use crate::command::ConfigureTriggers;
use crate::kernel::{Actor, At, Priority};
use crate::monitor::{self, Finding, Observation, ObservationNote, PENDING_MOST};
use crate::{Event, Refusal, charter, trigger};

impl Flow {
    /// Takes over the numbers of triggers and monitor; nothing happens if they hold already.
    pub(super) fn configure_triggers(&mut self, given: &ConfigureTriggers) -> Result<(), Refusal> {
        let ConfigureTriggers { charters, monitor, trigger } = given;
        for digest in [charters.critical, charters.high, charters.normal, charters.low] {
            if !self.house.charters.contains_key(&digest) {
                return Err(charter::Refusal::Unknown { digest }.into());
            }
        }
        let triggers = &self.house.triggers;
        if triggers.rules() != Some(trigger) || triggers.charters() != Some(charters) {
            let rules = Box::new(trigger.clone());
            self.put(Event::Trigger(trigger::Event::Regulated { charters: *charters, rules }));
        }
        if self.house.monitor.rules() != Some(monitor) {
            self.put(Event::Monitor(monitor::Event::Regulated { rules: Box::new(monitor.clone()) }));
        }
        Ok(())
    }

    /// Notes what was seen. What that completes is found, and may call a council.
    pub(super) fn observe(&mut self, seen: &Observation) -> Result<(), Refusal> {
        self.house.monitor.rules().ok_or(trigger::Refusal::NotConfigured)?;
        self.enrolled(&seen.agent)?;
        let note = seen.note_by(self.house.reading()).map_err(monitor::Refusal::Malformed)?;
        let agent = seen.agent.clone();
        let observed = monitor::Event::Observed { agent: agent.clone(), note: note.clone() };
        self.put(Event::Monitor(observed));
        if matches!(note, ObservationNote::Pending { .. })
            && self.house.monitor.pending().len() > PENDING_MOST
        {
            return Err(monitor::Refusal::TooManyPending { most: PENDING_MOST }.into());
        }
        let found = monitor::find(&self.house.monitor, &agent, &note, self.house.reading());
        self.found(found);
        Ok(())
    }

    /// What time has brought about, besides what is overdue in matters: agents that stall, or are gone, and
    /// the hour at which what is pending is looked through. The most urgent comes first.
    pub(super) fn run_due_checks(&mut self) {
        let at = self.at;
        let stalled = monitor::stalled(&self.house.monitor, at);
        let check = self.house.next_check().is_some_and(|due| due <= at);
        for agent in monitor::gone(&self.house.monitor, at) {
            self.put(Event::Monitor(monitor::Event::Gone { agent }));
        }
        let found = |finding: Finding| {
            let priority = self.house.monitor.rules().map(|rules| rules.priority(finding.pattern));
            (priority, Some(finding))
        };
        let mut due: Vec<(Option<Priority>, Option<Finding>)> = stalled.into_iter().map(found).collect();
        if check {
            due.push((self.house.triggers.rules().map(|rules| rules.scheduled.priority), None));
        }
        due.sort_by_key(|(priority, _)| *priority);
        for (_, finding) in due {
            match finding {
                Some(finding) => self.found(vec![finding]),
                None => self.scheduled(),
            }
        }
    }
}

impl House {
    /// When what is pending is looked through by itself: only while somebody is active who could do it.
    pub(super) fn next_check(&self) -> Option<At> {
        let due = self.triggers.due()?;
        self.monitor.active(due).next().is_some().then_some(due)
    }

    /// Participants report what they did themselves; the operator reports for anybody.
    pub(super) fn may_observe(by: &Actor, seen: &Observation) -> bool {
        match by {
            Actor::Operator => true,
            Actor::Seat(who) => *who == seen.agent,
            Actor::Engine => false,
        }
    }
}
