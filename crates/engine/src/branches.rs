//! Branches of redacted matters: which acts were judged by words that are gone since.
//!
//! A matter that branches off shares the first rounds of another, and is judged by them: what it is about, whether
//! a round moved anybody, whether a digest is due. Once the words of those rounds are redacted, what was judged
//! by them cannot be judged again. From the act of the redaction on, the house itself knew no more than the record.

use std::collections::BTreeMap;

use synod_core::kernel::{About, AskId, Id, MatterId, Seq};
use synod_core::{Act, Event, matter};

/// Follows a journal and tells the acts about branches of redacted matters from all others.
#[derive(Debug)]
pub(crate) struct Branches {
    /// Redacted matters, each with the last act that declares it.
    redacted: BTreeMap<MatterId, Seq>,
    /// What branches off from them, each with the act after which it can be judged again.
    until: BTreeMap<MatterId, Seq>,
    /// Whose an event is, of those. Their asks are among them.
    born: BTreeMap<Id, MatterId>,
}

impl Branches {
    /// The branches of these matters, before the first act of any of them.
    pub(crate) fn of(redacted: BTreeMap<MatterId, Seq>) -> Self {
        Self { redacted, until: BTreeMap::new(), born: BTreeMap::new() }
    }

    /// Whether the next act is about a branch, and was judged by words that are gone. An act can be about several
    /// matters, one that was refused is about what its command names. Acts are given in order.
    pub(crate) fn take(&mut self, act: &Act) -> bool {
        let mut gone = self.matter(act.command.about()).is_some_and(|matter| self.is_gone(matter, act.seq));
        for (nth, event) in act.events().iter().enumerate() {
            let id = Id { act: act.seq, nth: nth as u16 };
            if let Some(matter) = self.branch(id, event).or_else(|| self.matter(event.about())) {
                self.born.insert(id, matter);
                gone |= self.is_gone(matter, act.seq);
            }
        }
        gone
    }

    /// The branch that an event opens. Branches of a branch share what it shares.
    fn branch(&mut self, id: Id, event: &Event) -> Option<MatterId> {
        let Event::Matter(matter::Event::Opened(opening)) = event else { return None };
        let from = opening.forked?.from;
        let until = self.redacted.get(&from).max(self.until.get(&from)).copied()?;
        self.until.insert(MatterId(id), until);
        Some(MatterId(id))
    }

    /// The branch that something is about.
    fn matter(&self, about: About) -> Option<MatterId> {
        match about {
            About::House => None,
            About::Matter(matter) => Some(matter).filter(|matter| self.until.contains_key(matter)),
            About::Ask(AskId(ask)) => self.born.get(&ask).copied(),
        }
    }

    fn is_gone(&self, matter: MatterId, seq: Seq) -> bool {
        self.until.get(&matter).is_some_and(|until| seq < *until)
    }
}
