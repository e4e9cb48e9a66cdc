//! Which asks are open in the house: by their ids, and by which participant is asked.

use imbl::{OrdMap, OrdSet};

use crate::Ask;
use crate::kernel::{AskId, Id, MatterId, Seq, Who};

/// See the module. The asks themselves lie in their matters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Asks {
    matters: OrdMap<AskId, MatterId>,
    /// Whoever comes for its turns finds them without going through those of all others.
    of: OrdSet<(Who, MatterId, AskId)>,
}

impl Asks {
    /// The matter of an open ask.
    pub(super) fn matter(&self, ask: AskId) -> Option<MatterId> {
        self.matters.get(&ask).copied()
    }

    /// What somebody is asked, by matter, oldest first.
    pub(super) fn of(&self, who: &Who) -> impl Iterator<Item = (MatterId, AskId)> {
        let first = Id { act: Seq(0), nth: 0 };
        let from = self.of.range((who.clone(), MatterId(first), AskId(first))..);
        from.take_while(move |(asked, ..)| asked == who).map(|(_, matter, ask)| (*matter, *ask))
    }

    pub(super) fn open(&mut self, id: AskId, ask: &Ask) {
        self.matters.insert(id, ask.matter);
        if let Some(who) = ask.who() {
            self.of.insert((who.clone(), ask.matter, id));
        }
    }

    pub(super) fn close(&mut self, id: AskId, ask: &Ask) {
        self.matters.remove(&id);
        if let Some(who) = ask.who() {
            self.of.remove(&(who.clone(), ask.matter, id));
        }
    }
}
