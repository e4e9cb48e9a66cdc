//! Redacted records: what proves them, and what is still to be done.
//!
//! A redacted record keeps its place and its hash, which the next record names; its body is another one. What
//! that body must be stands in a later act that was never redacted itself: the `Redact` act declares the
//! SHA-256 of each. So nobody can take words away, or put others in their place, without an act that says
//! so. That what stayed besides the words is as it was, nobody can prove from the journal alone; a receipt
//! from before can. Nothing here reads or writes a file.

use std::collections::{BTreeMap, BTreeSet};

use synod_core::kernel::{Digest, MatterId, Seq};
use synod_core::redact::Redaction;
use synod_core::{Act, Command, Outcome};

use crate::{Broken, Error, Head, JournalReader, Record, chain};

/// What an act declares redacted, if it is one that does.
fn declared(act: &Act) -> Option<(MatterId, &[(Seq, Digest)])> {
    let (Command::Redact { matter, acts }, Outcome::Done(_)) = (&act.command, &act.outcome) else {
        return None;
    };
    Some((*matter, acts))
}

/// Redacted records that wait for the act that declares them.
#[derive(Debug, Default)]
pub(crate) struct Unproven {
    /// Each with the digest of its body.
    waiting: BTreeMap<Seq, Digest>,
    /// What was declared of them that they are not.
    otherwise: BTreeMap<Seq, Digest>,
}

impl Unproven {
    /// Takes the next record with its act.
    pub(crate) fn take(&mut self, act: &Act, record: &Record) {
        if record.redacted {
            // It declares nothing: what it says may not be what was judged.
            self.waiting.insert(record.seq, Digest::of(record.body.as_bytes()));
            return;
        }
        for (seq, digest) in declared(act).into_iter().flat_map(|(_, acts)| acts) {
            match self.waiting.get(seq) {
                Some(found) if found == digest => drop(self.waiting.remove(seq)),
                Some(_) => drop(self.otherwise.insert(*seq, *digest)),
                None => (),
            }
        }
    }

    /// The journal has ended: whatever still waits was redacted by nobody who may.
    pub(crate) fn end(self) -> Result<(), Broken> {
        match self.waiting.first_key_value() {
            None => Ok(()),
            Some((seq, found)) => Err(match self.otherwise.get(seq) {
                Some(declared) => Broken::Refilled { seq: *seq, declared: *declared, found: *found },
                None => Broken::Undeclared { seq: *seq },
            }),
        }
    }
}

/// What there is to know, and to do, about the redactions of a journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// Records that are redacted.
    pub redacted: u64,
    /// What to declare for the matter that was asked about: the acts that hold words of it, and the digest of
    /// each body without them.
    pub acts: Vec<(Seq, Digest)>,
    /// The bodies to put in place: those, and what was declared before and not carried out.
    pub due: Vec<(Seq, String)>,
    /// Matters whose redaction was declared and not carried out.
    pub unfinished: BTreeSet<MatterId>,
    /// Acts that were declared redacted for a matter, and yet hold words of it or are no acts of it. What a
    /// redaction does is to take words away, so this is something else under its name.
    pub strange: Vec<(Seq, MatterId)>,
}

/// A redaction that was declared, on its way through the journal.
struct DeclaredRedaction {
    matter: MatterId,
    acts: BTreeMap<Seq, Digest>,
    redaction: Redaction,
}

/// Looks at every redaction of a journal, and works out that of `matter`. Checks the chain on the way.
pub fn survey(reader: &dyn JournalReader, matter: Option<MatterId>) -> Result<Survey, Error> {
    let mut found = Survey::default();
    let mut all: Vec<DeclaredRedaction> = Vec::new();
    chain::walk(reader, Head::default(), |act, record| {
        found.redacted += u64::from(record.redacted);
        if let (false, Some((matter, acts))) = (record.redacted, declared(&act)) {
            let acts = acts.iter().copied().collect();
            all.push(DeclaredRedaction { matter, acts, redaction: Redaction::of(matter) });
        }
        Ok::<(), Error>(())
    })?;
    if all.is_empty() && matter.is_none() {
        return Ok(found);
    }
    let mut own = matter.map(Redaction::of);
    let mut before = Head::default();
    chain::walk(reader, Head::default(), |act, record| {
        // Each redaction was worked out on what the ones before it left.
        let mut bare: Option<Act> = None;
        for one in &mut all {
            let now = bare.as_ref().unwrap_or(&act);
            let next = one.redaction.next(now);
            let Some(digest) = one.acts.get(&record.seq) else { continue };
            match next {
                // Carried out: no words are left to take.
                Some(next) if next == *now && (record.redacted || bare.is_some()) => (),
                Some(next) if next != *now && chain::seal(before, &next)?.hash == *digest => {
                    found.unfinished.insert(one.matter);
                    bare = Some(next);
                }
                Some(_) | None => found.strange.push((record.seq, one.matter)),
            }
        }
        let now = bare.as_ref().unwrap_or(&act);
        if let Some(next) = own.as_mut().and_then(|own| own.next(now)).filter(|next| next != now) {
            found.acts.push((record.seq, chain::seal(before, &next)?.hash));
            bare = Some(next);
        }
        if let Some(bare) = bare {
            found.due.push((record.seq, chain::seal(before, &bare)?.body));
        }
        before = record.head();
        Ok::<(), Error>(())
    })?;
    Ok(found)
}

/// Matters with redacted records, each with the last act that declares some of them. A redaction that was
/// declared and not carried out is none: the words are still there. Checks the chain on the way.
pub fn redacted(reader: &dyn JournalReader) -> Result<BTreeMap<MatterId, Seq>, Error> {
    let mut bodies: BTreeMap<Seq, Digest> = BTreeMap::new();
    let mut all = Vec::new();
    chain::walk(reader, Head::default(), |act, record| {
        match record.redacted {
            true => drop(bodies.insert(record.seq, Digest::of(record.body.as_bytes()))),
            false => all.extend(declared(&act).map(|(matter, acts)| (record.seq, matter, acts.to_vec()))),
        }
        Ok::<(), Error>(())
    })?;
    let mut found = BTreeMap::new();
    // An act of several matters has the body that the last of their redactions left, and those before it were
    // carried out as well: each is worked out on what the ones before it left.
    let mut replaced: BTreeSet<Seq> = BTreeSet::new();
    for (by, matter, acts) in all.into_iter().rev() {
        let there = acts.iter().filter(|(seq, digest)| bodies.get(seq) == Some(digest));
        replaced.extend(there.map(|(seq, _)| *seq));
        if acts.iter().any(|(seq, _)| replaced.contains(seq)) {
            found.entry(matter).or_insert(by);
        }
    }
    Ok(found)
}
