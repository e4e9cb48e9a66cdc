//! The chain: how an act becomes a record, and how a record is checked.
//!
//! The body is the canonical JSON of the act's fields with two more at the top: `prev`, the hash of the
//! record before, and `v`, the format. The hash is the SHA-256 of the body's bytes, in every format, so
//! an outsider checks a journal with `sha256sum` and a JSON parser. The author and the time are in the
//! body, so neither can be swapped. A redacted record has another body under the hash it was recorded with:
//! `open` checks its place, `walk` also that a later act declares that body. Nothing here reads or writes
//! a file.
//!
//! To change the format: raise [`FORMAT`], keep decoding every earlier one for ever, and freeze some
//! lines of the new one in `tests/corpus`.

use serde::{Deserialize, Serialize};
use synod_core::kernel::{Actor, At, Digest, Key, Seq};
use synod_core::{Act, Command, Outcome, Vouched};

use crate::redaction::Unproven;
use crate::{Error, Head, JournalReader, Record, canon};

/// The format that is written.
pub const FORMAT: u32 = 1;

/// How many records [`walk`] holds at once.
pub const PAGE: usize = 1000;

/// How a chain fails to hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Broken {
    /// The bytes of the act changed after it was recorded. Restore the journal from a copy.
    #[error("act {seq} was edited: its bytes have the hash {}, recorded was {}", .found.short(), .recorded.short())]
    Edited {
        /// The act.
        seq: Seq,
        /// The hash that was recorded.
        recorded: Digest,
        /// The hash of the bytes as they are.
        found: Digest,
    },
    /// Another act stands where this one should: acts were removed or their order was changed.
    #[error("where act {seq} should stand, act {found} stands: acts were removed or put in another order")]
    Order {
        /// The act that is due.
        seq: Seq,
        /// The act that is there.
        found: Seq,
    },
    /// The act was recorded after another one than stands before it now: that one was edited together with
    /// its hash, swapped or removed.
    #[error(
        "act {seq} does not follow what stands before it ({}, it names {}): the act before was edited, swapped or removed",
        .before.short(), .named.short()
    )]
    Unchained {
        /// The act.
        seq: Seq,
        /// The hash of the record that stands before it.
        before: Digest,
        /// The hash it names as the one before it.
        named: Digest,
    },
    /// The act was recorded by a later version of synod. Upgrade to read it.
    #[error("act {seq} has format {found}, this synod knows up to {known}; upgrade synod to read it")]
    Newer {
        /// The act.
        seq: Seq,
        /// Its format.
        found: u32,
        /// The latest format this version knows.
        known: u32,
    },
    /// The bytes match their hash and yet are no act. They were written by something that is not synod.
    #[error("record {seq} is not an act: {why}")]
    NotAnAct {
        /// The record.
        seq: Seq,
        /// What is wrong.
        why: String,
    },
    /// The words of the act were taken away and no later act says so: that was not `synod delete`.
    /// Restore the journal from a copy.
    #[error(
        "act {seq} was redacted, and no later act declares that: its words were taken away behind the house's back"
    )]
    Undeclared {
        /// The act.
        seq: Seq,
    },
    /// The act was redacted, and is not what it was redacted to: it was edited afterwards, or its mark was set by
    /// hand. Restore the journal from a copy.
    #[error("redacted act {seq} was edited: its bytes have the hash {}, declared was {}", .found.short(), .declared.short())]
    Refilled {
        /// The act.
        seq: Seq,
        /// The hash that was declared for its body.
        declared: Digest,
        /// The hash of the bytes as they are.
        found: Digest,
    },
}

/// The body of a record: the act's own fields, and the two of the chain beside them. They stand in canonical order, so
/// that nothing is moved when the object closes.
#[derive(Serialize)]
struct ChainedAct<'a> {
    at: At,
    by: &'a Actor,
    command: &'a Command,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a Key>,
    outcome: &'a Outcome,
    prev: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    salt: Option<&'a str>,
    seq: Seq,
    v: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    vouched: Option<&'a Vouched>,
}

/// The fields of a body that the chain looks at.
#[derive(Deserialize)]
struct Links {
    prev: Digest,
    seq: Seq,
    v: u32,
}

/// Makes the record of an act that follows `head`. Fails for an act out of its order, and for one that
/// holds what canonical JSON cannot ([`canon::CanonError`]).
pub fn seal(head: Head, act: &Act) -> Result<Record, Error> {
    let expected = head.seq.next();
    if act.seq != expected {
        return Err(Error::Order { expected, found: act.seq });
    }
    let Act { seq, at, by, key, command, outcome, salt, vouched } = act;
    let (prev, key, vouched) = (head.hash, key.as_ref(), vouched.as_ref());
    let salt = salt.as_deref();
    let sealed = ChainedAct { at: *at, by, command, key, outcome, prev, salt, seq: *seq, v: FORMAT, vouched };
    let body = canon::to_string(&sealed).map_err(|why| Error::Unsealable { seq: act.seq, why })?;
    Ok(Record { seq: act.seq, hash: Digest::of(body.as_bytes()), body, redacted: false })
}

/// Checks the record that should follow `head`, and gives its act. Of a redacted one the place is checked and
/// not the bytes, since only the acts that follow can tell what they must be.
pub fn open(head: Head, record: &Record) -> Result<Act, Broken> {
    let seq = head.seq.next();
    if record.seq != seq {
        return Err(Broken::Order { seq, found: record.seq });
    }
    let links = links(record)?;
    if links.prev != head.hash {
        return Err(Broken::Unchained { seq, before: head.hash, named: links.prev });
    }
    act(record)
}

/// The act of a record by itself: its bytes have the hash they were recorded with, and name its number. What stands
/// before it is not looked at. For records of a chain that was checked before.
pub fn open_alone(record: &Record) -> Result<Act, Broken> {
    links(record)?;
    act(record)
}

/// Checks the bytes of a record, and gives what ties it to its place.
fn links(record: &Record) -> Result<Links, Broken> {
    let seq = record.seq;
    // The hash first: in bytes that were changed, no other finding can be believed.
    let found = Digest::of(record.body.as_bytes());
    if found != record.hash && !record.redacted {
        return Err(Broken::Edited { seq, recorded: record.hash, found });
    }
    let links: Links = serde_json::from_str(&record.body).map_err(|error| not_an_act(seq, &error))?;
    match links.v {
        FORMAT => {}
        0 => return Err(not_an_act(seq, &"there is no format 0")),
        found => return Err(Broken::Newer { seq, found, known: FORMAT }),
    }
    if links.seq != seq {
        return Err(Broken::Order { seq, found: links.seq });
    }
    Ok(links)
}

fn act(record: &Record) -> Result<Act, Broken> {
    canon::check(&record.body).map_err(|error| not_an_act(record.seq, &error))?;
    Act::from_json(&record.body).map_err(|error| {
        not_an_act(record.seq, &format!("{error} (journals of 0.1 development builds are not read)"))
    })
}

fn not_an_act(seq: Seq, why: &dyn std::fmt::Display) -> Broken {
    Broken::NotAnAct { seq, why: why.to_string() }
}

/// Reads, checks and hands on every act after `from`, page by page, and gives the head it arrived at. Start
/// from the default head to check a whole journal. Stops at the first error, also the caller's. That a
/// redacted act was declared shows only at the end: believe nothing before it returns.
pub fn walk<E: From<Error>>(
    reader: &dyn JournalReader,
    from: Head,
    mut each: impl FnMut(Act, &Record) -> Result<(), E>,
) -> Result<Head, E> {
    let mut head = from;
    let mut unproven = Unproven::default();
    loop {
        let page = reader.read(head.seq.next(), PAGE)?;
        for record in &page {
            let act = open(head, record).map_err(Error::from)?;
            head = record.head();
            unproven.take(&act, record);
            each(act, record)?;
        }
        if page.len() < PAGE {
            unproven.end().map_err(Error::from)?;
            return Ok(head);
        }
    }
}
