//! Checks who vouched for what the journal has: that the codes of acts are those of the tokens they name, that signatures
//! hold, and that none is missing where one is due. For `synod verify`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use synod_core::kernel::text::counted;
use synod_core::kernel::{Actor, Digest, Who};
use synod_core::{Act, Command, Event, Outcome, Vouched, event, roster};
use synod_journal::{Head, JournalReader, chain, vouch};

use crate::fail::{Fail, Result};
use crate::tokens::{Holds, StoredToken, TokenFile};

/// So many are listed one by one.
const LISTED: usize = 20;

/// The findings about vouchers.
#[derive(Debug, Default)]
pub(crate) struct VoucherFindings {
    pub(crate) checked: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

/// Checks every act of a journal.
pub(crate) fn check(dir: &Path, reader: &dyn JournalReader) -> Result<VoucherFindings> {
    let (tokens, unread) = match TokenFile::load(dir) {
        Ok(tokens) => (tokens.tokens, None),
        Err(fail) => (Vec::new(), Some(fail)),
    };
    let mut walk = Walk { tokens: tokens.iter().map(|kept| (kept.id(), kept)).collect(), ..Walk::default() };
    chain::walk(reader, Head::default(), |act, record| {
        walk.take(&act, record.redacted);
        walk.records.push(record.hash);
        Ok::<(), Fail>(())
    })?;
    let mut found = walk.found();
    if let Some(fail) = unread {
        found.notes.push(format!("the codes of tokens were not checked: {}", fail.message()));
    }
    Ok(found)
}

#[derive(Default)]
struct Walk<'a> {
    tokens: BTreeMap<String, &'a StoredToken>,
    /// The hashes of the records before the act that is looked at.
    records: Vec<Digest>,
    /// The key that the house was founded with.
    house: String,
    /// The keys that participants sign with.
    keys: BTreeMap<Who, String>,
    /// Codes that were met, so that none counts twice.
    met: BTreeSet<(String, String)>,
    /// Whether anybody has vouched for anything yet: journals from before that have no vouchers.
    begun: bool,
    by_owner: u64,
    by_token: u64,
    signed: u64,
    /// Acts whose words were deleted: nothing can be computed over them any more.
    redacted: u64,
    /// Acts of tokens that are not in the file, or have no secret for codes.
    unknown: u64,
    wrong: Vec<String>,
}

impl Walk<'_> {
    fn take(&mut self, act: &Act, redacted: bool) {
        if let Some(vouched) = &act.vouched {
            self.begun = true;
            match redacted {
                true => self.redacted += 1,
                false => self.vouched(act, vouched),
            }
        } else if self.begun && is_seats_own(act) {
            self.is_wrong(act, "nobody vouched for it: its voucher was taken away");
        }
        if !redacted && act.vouched.as_ref().is_none_or(|vouched| vouched.signature.is_none()) {
            self.unsigned(act);
        }
        for event in act.events() {
            match event {
                Event::House(event::HouseEvent::Founded(founded)) => self.house.clone_from(&founded.key),
                Event::Roster(roster::Event::Keyed { who, key: Some(key) }) => {
                    self.keys.insert(who.clone(), key.clone());
                }
                Event::Roster(roster::Event::Keyed { who, key: None }) => drop(self.keys.remove(who)),
                _ => (),
            }
        }
    }

    fn is_wrong(&mut self, act: &Act, what: &str) {
        self.wrong.push(format!("act {} by {}: {what}", act.seq, act.by));
    }

    fn vouched(&mut self, act: &Act, vouched: &Vouched) {
        match vouched.token() {
            None => self.by_owner += 1,
            Some(id) => self.by_token(act, vouched, id),
        }
        if let Some(signature) = &vouched.signature {
            let Some(seen) = &vouched.seen else {
                self.is_wrong(act, "its signature does not say which record its author had seen");
                return;
            };
            let recorded = usize::try_from(seen.act.0).ok().and_then(|nth| nth.checked_sub(1));
            let recorded = recorded.and_then(|nth| self.records.get(nth)).copied();
            if !vouch::fits_history(seen, recorded, &act.command) {
                self.is_wrong(
                    act,
                    &format!(
                        "its author signed it for another history: act {} there is not act {0} here",
                        seen.act
                    ),
                );
                return;
            }
            let own = if let Command::Key { key, .. } = &act.command { key.clone() } else { None };
            let registered = if let Actor::Seat(who) = &act.by { self.keys.get(who).cloned() } else { None };
            let text = vouch::signed_text(&self.house, (&act.by, act.key.as_ref(), &act.command), seen);
            let holds = registered.or(own).zip(text.ok());
            match holds.is_some_and(|(public, text)| vouch::has_signed(&public, &text, signature)) {
                true => self.signed += 1,
                false => self.is_wrong(act, "its signature is not its author's, or covers something else"),
            }
        }
    }

    fn by_token(&mut self, act: &Act, vouched: &Vouched, id: &str) {
        let Some(kept) = self.tokens.get(id).copied() else {
            self.unknown += 1;
            return;
        };
        let fits = match (&kept.holds, &act.by) {
            (Holds::Participant(who), Actor::Seat(by)) => who == by,
            (Holds::Operator(_), Actor::Operator) => true,
            (Holds::Participant(_) | Holds::Operator(_), _) => false,
        };
        if !fits {
            self.is_wrong(
                act,
                &format!("the token {id} that vouches for it is {}'s: its author was changed", kept.name()),
            );
            return;
        }
        let Some(secret) = &kept.mac else {
            self.unknown += 1;
            return;
        };
        match &vouched.mac {
            None => self.is_wrong(act, &format!("it lacks the code of token {id}")),
            Some(mac) if !self.met.insert((id.to_string(), mac.nonce.clone())) => {
                self.is_wrong(act, &format!("it has the code of an earlier act of token {id}"));
            }
            Some(_) if !vouch::has_vouched(secret, act, vouched) => {
                self.is_wrong(
                    act,
                    &format!("its code is not that of token {id}: its author, command or key was changed"),
                );
            }
            Some(_) => self.by_token += 1,
        }
    }

    /// An act without a signature, where its author signs.
    fn unsigned(&mut self, act: &Act) {
        let Actor::Seat(who) = &act.by else { return };
        if self.keys.contains_key(who) && matches!(act.outcome, Outcome::Done(_)) {
            self.is_wrong(act, &format!("it lacks the signature of {who}, who signs"));
        }
    }

    fn found(self) -> VoucherFindings {
        let mut found = VoucherFindings::default();
        if self.by_owner + self.by_token + self.signed > 0 {
            found.checked.push(format!(
                "vouched for: {} by codes of their tokens, {} by the owner, {} signed by their authors",
                counted(self.by_token, "act"),
                self.by_owner,
                self.signed
            ));
        }
        if self.redacted > 0 {
            let acts = counted(self.redacted, "redacted act");
            found.notes.push(format!("who vouched for {acts} can no longer be checked"));
        }
        if self.unknown > 0 {
            let acts = counted(self.unknown, "act");
            found.notes.push(format!(
                "{acts} of tokens that are not here any more, or have no secret for codes, cannot be checked"
            ));
        }
        let more = self.wrong.len().saturating_sub(LISTED);
        found.wrong = self.wrong.into_iter().take(LISTED).collect();
        if more > 0 {
            found.wrong.push(format!("and {more} more acts of which the same holds"));
        }
        found
    }
}

/// Whether a participant gave this itself: then somebody has vouched for it.
fn is_seats_own(act: &Act) -> bool {
    let own = matches!(
        act.command,
        Command::Ring(_)
            | Command::Workshop(_)
            | Command::Observe { .. }
            | Command::Trigger(_)
            | Command::Key { .. }
    );
    own && matches!(act.by, Actor::Seat(_))
}
