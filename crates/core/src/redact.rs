//! Redaction: an act of a matter without the words of the matter.
//!
//! What people and models wrote goes: question, options, answers, personas, whatever quotes them, and the
//! details of faults, since a provider may echo what it was sent. Structure, ids, names, choices, counts,
//! codes and digests stay, so that a house folds from redacted acts as it did from whole ones and the decision
//! stands. Which fields are words each type says itself (`kernel::Words`).

use std::collections::BTreeSet;

use crate::kernel::{About, AskId, Id, MatterId, Words};
use crate::{Act, Command, Outcome};

/// Follows a journal and gives the acts of one matter without its words. One act can be about several matters
/// (a tick lapses asks of them all), and an answer names only its ask: so which words are the matter's
/// shows only to one who has seen the acts before.
#[derive(Debug, Clone)]
pub struct Redaction {
    matter: MatterId,
    /// Whatever events of the matter gave birth to. Its asks are among them.
    born: BTreeSet<Id>,
}

impl Redaction {
    /// The redaction of a matter, before the first act of its journal.
    pub fn of(matter: MatterId) -> Self {
        Self { matter, born: BTreeSet::new() }
    }

    /// The next act without the matter's words; `None` if it has no part in the matter. Acts are given in
    /// order, from the one that opened the matter at the latest. An act without words comes back as it is.
    pub fn next(&mut self, act: &Act) -> Option<Act> {
        let mine: Vec<usize> = (0..act.events().len()).filter(|nth| self.takes(act, *nth)).collect();
        let commanded = self.commands(act);
        if mine.is_empty() && !commanded {
            return None;
        }
        let mut bare = act.clone();
        if commanded {
            bare.command.redact();
        }
        match &mut bare.outcome {
            Outcome::Done(events) => mine.into_iter().for_each(|nth| events[nth].redact()),
            // The code says it; a sentence might quote the command.
            Outcome::Refused { code: _, message } => message.redact(),
        }
        if bare != *act {
            // A guess at the words could be checked against these.
            bare.salt = None;
            if let Some(vouched) = &mut bare.vouched {
                (vouched.mac, vouched.signature) = (None, None);
            }
        }
        Some(bare)
    }

    /// Whether an event is the matter's. Remembers what it gave birth to.
    fn takes(&mut self, act: &Act, nth: usize) -> bool {
        let id = Id { act: act.seq, nth: nth as u16 };
        let mine = match act.events()[nth].about() {
            About::House => id == self.matter.0,
            About::Matter(matter) => matter == self.matter,
            About::Ask(AskId(ask)) => self.born.contains(&ask),
        };
        if mine {
            self.born.insert(id);
        }
        mine
    }

    /// Whether the command holds words of the matter, also one that was refused, such as a late answer.
    fn commands(&self, act: &Act) -> bool {
        if !act.command.clone().has_words() {
            return false;
        }
        match (&act.command, act.command.about()) {
            (Command::Open(_) | Command::Trigger(_), _) => act.seq == self.matter.0.act,
            (Command::Council(crate::procedure::council::Command::Fork(_)), _) => {
                act.seq == self.matter.0.act
            }
            // It may open issues besides the one it is about; its words are those of the first.
            (Command::Workshop(command), About::House) => {
                command.opens() && act.seq == self.matter.0.act && self.matter.0.nth == 0
            }
            (_, About::Matter(matter)) => matter == self.matter,
            (_, About::Ask(AskId(ask))) => self.born.contains(&ask),
            (_, About::House) => false,
        }
    }
}
