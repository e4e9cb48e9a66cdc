//! What belongs to the house as a whole and everybody in it works with: issues, credits, what it holds to be true, and who works
//! on which files.

use std::sync::Arc;

use super::House;
use crate::canon::Canon;
use crate::dissent::DissentOrders;
use crate::issue::Docket;
use crate::kernel::{About, At, Id, Who};
use crate::lease::Leases;
use crate::ledger::Ledger;
use crate::period::Periods;
use crate::{Event, charter, roster};

impl House {
    /// What the house holds to be true.
    pub fn canon(&self) -> &Canon {
        &self.canon
    }

    /// Who works on which files.
    pub fn leases(&self) -> &Leases {
        &self.leases
    }

    /// What is known of all issues together.
    pub fn docket(&self) -> &Docket {
        &self.docket
    }

    /// Who must object, or read without hearing others.
    pub fn dissent(&self) -> &DissentOrders {
        &self.dissent
    }

    /// Named stretches of work.
    pub fn periods(&self) -> &Periods {
        &self.periods
    }

    /// Who earned trust.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Whether agents may run by themselves in this house, and every reason why not.
    pub fn health(&self, mode: roster::HealthMode) -> roster::Preflight {
        let charter = self.docket.charter().and_then(|digest| self.charter(&digest));
        let rules = charter.and_then(|adopted| adopted.rules.workshop());
        roster::preflight(mode, &self.roster, rules.is_some_and(|rules| rules.breakers))
    }

    /// Whether an agent escalated so often lately that it has no strong word left.
    pub fn is_dampened(&self, rules: &charter::Workshop, who: &Who, at: At) -> bool {
        let since = At(at.0.saturating_sub(rules.dampen_ms.is));
        u64::from(self.docket.escalations(who, since)) >= rules.dampen_after.is
    }

    /// Records an event of canon or of leases; other events are none of its business.
    pub(super) fn record_common(&mut self, id: Id, at: At, event: &Event) {
        if let Event::Lease(event) = event {
            Arc::make_mut(&mut self.leases).apply(at, event);
        }
        let Event::Canon(known) = event else { return };
        Arc::make_mut(&mut self.canon).apply(id, at, known);
        if let About::Matter(matter) = known.about() {
            self.record_in(matter, id, at, event);
        }
    }
}
