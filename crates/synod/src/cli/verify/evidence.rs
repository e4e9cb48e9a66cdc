//! Proofs, acknowledgements and checkpoints: what they say by themselves, and whether the journal still says it.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use synod_core::House;
use synod_core::house::KnownKey;
use synod_core::kernel::{At, Digest};
use synod_journal::tlog::{Algorithm, Checkpoint, Frontier, Proof, TlogError, VerifierKey};
use synod_journal::{Head, JournalReader, Receipt, checkpoints};

use super::verdict::Assurance;
use super::{VerifyReport, place};
use crate::fail::Result;
use crate::pins::{Believed, Pins};
use crate::witness::stamp;

/// A proof, with the hash of the record that it speaks of.
#[derive(Debug)]
pub(super) struct RecordProof {
    pub(super) proof: Proof,
    /// What the file says; to be compared with whatever else is known.
    hash: Option<Digest>,
    /// The file says more than that, and nobody has signed it.
    rest: bool,
}

/// Reads a proof or an acknowledgement, if a file is one.
pub(super) fn read(bytes: &[u8]) -> Option<std::result::Result<RecordProof, TlogError>> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.starts_with("c2sp.org/tlog-proof") {
        return Some(Proof::parse(text).map(|proof| RecordProof {
            hash: proof.claimed(),
            proof,
            rest: false,
        }));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    // A receipt is one, whatever else somebody has put into it.
    if value.get("body").is_some() {
        return None;
    }
    // As it stands alone, or within the JSON of a command.
    let (said, rest) = match value.get("acknowledgement") {
        Some(said) => (said, true),
        None => (&value, false),
    };
    said.get("proof")?;
    if let Some(key) = crate::json::doubled_key(text) {
        let why = format!("the key `{key}` stands in it twice, so readers would disagree on what it says");
        return Some(Err(TlogError::Malformed { what: "not an acknowledgement", why }));
    }
    Some(acknowledged(said).map(|proof| RecordProof { rest, ..proof }))
}

/// What an acknowledgement says; anything else in it would be believed with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Acknowledged {
    act: u64,
    hash: String,
    size: u64,
    proof: String,
}

fn acknowledged(said: &Value) -> std::result::Result<RecordProof, TlogError> {
    let wrong = |why: String| TlogError::Malformed { what: "not an acknowledgement", why };
    let said = Acknowledged::deserialize(said).map_err(|error| wrong(error.to_string()))?;
    let hash = said.hash.parse().map_err(|_| wrong("its hash is not one".into()))?;
    let proof = Proof::parse(&said.proof)?;
    let signed = Checkpoint::parse(proof.note.text())?.size;
    match said.act == proof.act() && said.size == signed {
        true => Ok(RecordProof { proof, hash: Some(hash), rest: false }),
        false => Err(TlogError::NotIncluded { act: said.act, size: said.size }),
    }
}

impl RecordProof {
    /// Checks it by itself: the path, and who signed the tree head.
    pub(super) fn check(&self, receipt: Option<&Receipt>, pins: &Pins, found: &mut VerifyReport) {
        let act = self.proof.act();
        let mut hash = self.hash;
        if let Some((seq, of_receipt)) = receipt.and_then(|receipt| place(&receipt.body)) {
            if seq.0 != act || hash.is_some_and(|hash| hash != of_receipt) {
                return found.broken(format!(
                    "the proof is of act {act}, the receipt was made at act {seq}, or their hashes differ"
                ));
            }
            hash = Some(of_receipt);
        }
        let Some(hash) = hash else {
            return found
                .broken("the proof does not say which record it is of: give the receipt with it".into());
        };
        match self.proof.check(&hash) {
            Ok(head) => found.checked.push(format!(
                "act {act} ({}) is in the record of {} at size {}",
                hash.short(),
                head.origin,
                head.size
            )),
            Err(flaw) => return found.broken(format!("the proof does not hold: {flaw}")),
        }
        if self.rest {
            found.notes.push(
                "only the acknowledgement in the file was checked: nobody has signed the rest of it".into(),
            );
        }
        if receipt.is_some_and(|receipt| !pins.are_of_one_house(&self.proof.note, &receipt.key)) {
            return found.broken(
                "nothing shows that the receipt and the proof are of one house: other keys signed them. After a change of key, make both again"
                    .into(),
            );
        }
        match pins.believe(&self.proof.note) {
            Ok(believed) => believe(&believed, pins, "the checkpoint", found),
            Err(flaw) => found.broken(flaw.to_string()),
        }
    }

    /// The tree head that it leads to.
    pub(super) fn head(&self) -> Option<Checkpoint> {
        Checkpoint::parse(self.proof.note.text()).ok()
    }

    /// Compares it with the journal of the house it is of.
    pub(super) fn against_journal(
        &self,
        reader: &dyn JournalReader,
        head: Head,
        found: &mut VerifyReport,
    ) -> Result<()> {
        let Ok(signed) = Checkpoint::parse(self.proof.note.text()) else { return Ok(()) };
        let first = reader.heads(synod_core::kernel::Seq(1), 1)?;
        if first.first().is_none_or(|first| Checkpoint::origin_of(&first.hash) != signed.origin) {
            found.notes.push(format!(
                "the proof is of {}, which is not the house here: not compared with a journal",
                signed.origin
            ));
            return Ok(());
        }
        if signed.size > head.seq.0 {
            found.broken(format!(
                "the house acknowledged {} acts, and the journal ends at act {}: its end was removed",
                signed.size, head.seq
            ));
            return Ok(());
        }
        let mut tree = Frontier::default();
        checkpoints::follow(reader, &mut tree, signed.size)?;
        match tree.root() == signed.root {
            true => found.checked.push(format!("the journal still has the {} acts that were signed then", signed.size)),
            false => found.broken(format!(
                "the journal is not what the house signed when it acknowledged act {}: its history was rewritten",
                self.proof.act()
            )),
        }
        Ok(())
    }
}

/// Takes down how far a checkpoint can be believed.
pub(super) fn believe(believed: &Believed, pins: &Pins, what: &str, found: &mut VerifyReport) {
    match &believed.pinned {
        Some(from) => {
            found.at_most(Assurance::Signed);
            found.checked.push(format!("{what} is signed by a key you trust: {from}"));
        }
        None => {
            found.at_most(Assurance::UnknownKey);
            found.notes.push(format!(
                "{what} is signed by a key that nothing of yours names: give --key or --policy"
            ));
        }
    }
    let Some(witnessed) = &believed.witnessed else { return };
    for (name, time) in &witnessed.by {
        found.checked.push(format!("witness {name} saw it at {}", At(time.saturating_mul(1000))));
    }
    if believed.pinned.is_some() && !witnessed.by.is_empty() {
        found.raise(Assurance::Witnessed { by: witnessed.by.len(), of: witnessed.of });
    }
    if !witnessed.enough && pins.policy().is_some_and(|policy| policy.asks_for_witnesses()) {
        found.enough = false;
        found.notes.push(format!(
            "{} of {} witnesses signed {what}, fewer than the policy asks for",
            witnessed.by.len(),
            witnessed.of
        ));
    }
}

/// The house whose checkpoints are checked.
#[derive(Debug)]
pub(super) struct CheckedHouse<'a> {
    pub(super) dir: &'a Path,
    pub(super) house: &'a House,
    pub(super) head: Head,
    pub(super) tsa_ca: Option<&'a Path>,
}

/// Holds every checkpoint that the house keeps against the journal, and says how far the last one can be believed.
pub(super) fn checkpoints_of(
    of: &CheckedHouse<'_>,
    mut kept: Vec<checkpoints::StoredCheckpoint>,
    reader: &dyn JournalReader,
    pins: &Pins,
    found: &mut VerifyReport,
) -> Result<()> {
    let CheckedHouse { dir, house, head, tsa_ca } = *of;
    if let Some(refusal) = checkpoints::refusal(dir) {
        found.broken(format!(
            "witness {} refused this house at size {}: {}",
            refusal.witness, refusal.size, refusal.said
        ));
    }
    let unread = checkpoints::unreadable(dir)?;
    if !unread.is_empty() {
        let lines = unread.iter().take(5).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        found.notes.push(format!(
            "nothing can be read from line {lines} of the file checkpoints: a crash can leave half a line; if there was none, somebody changed the file"
        ));
    }
    kept.sort_by_key(|known| known.checkpoint.size);
    let Some(first) = reader.heads(synod_core::kernel::Seq(1), 1)?.first().copied() else { return Ok(()) };
    let origin = Checkpoint::origin_of(&first.hash);
    let known_as = |known: &KnownKey| {
        let key = VerifierKey::of_hex(&origin, Algorithm::Ed25519, &known.key).ok()?;
        Some((key, known.until.map(|until| until.0)))
    };
    let keys: Vec<(VerifierKey, Option<u64>)> = house.upkeep().keys.iter().filter_map(known_as).collect();
    let mut tree = Frontier::default();
    for known in &kept {
        let (size, root) = (known.checkpoint.size, known.checkpoint.root);
        let signer = keys.iter().find(|(key, _)| known.note.check(key).is_ok());
        let Some((_, until)) = signer.filter(|_| known.checkpoint.origin == origin) else {
            found.broken(format!("the checkpoint at size {size} was not signed by this house"));
            continue;
        };
        if let Some(until) = until.filter(|until| size > *until) {
            found.broken(format!(
                "the checkpoint at size {size} is signed by a key that act {until} had replaced"
            ));
        } else if size > head.seq.0 {
            found.broken(format!(
                "the house signed a checkpoint of {size} acts, and the journal ends at act {}: its end was removed",
                head.seq
            ));
        } else {
            checkpoints::follow(reader, &mut tree, size)?;
            if tree.root() != root {
                found.broken(format!(
                    "the journal is not what the house signed at size {size}: its history was rewritten"
                ));
            }
        }
    }
    last_of(&kept, head, pins, found);
    stamps(&kept, head, tsa_ca, found);
    Ok(())
}

/// How far the newest checkpoint that meets the policy can be believed, or else the last.
fn last_of(kept: &[checkpoints::StoredCheckpoint], head: Head, pins: &Pins, found: &mut VerifyReport) {
    let mut best: Option<(&checkpoints::StoredCheckpoint, Believed)> = None;
    for known in kept.iter().rev() {
        match pins.believe(&known.note) {
            Ok(believed) => {
                let enough =
                    believed.pinned.is_some() && believed.witnessed.as_ref().is_none_or(|seen| seen.enough);
                if best.is_none() || enough {
                    best = Some((known, believed));
                }
                if enough {
                    break;
                }
            }
            Err(flaw) => {
                return found.broken(format!("the checkpoint at size {}: {flaw}", known.checkpoint.size));
            }
        }
    }
    let Some((known, believed)) = best else { return };
    let size = known.checkpoint.size;
    found.checked.push(format!(
        "{} checkpoints, the journal has what they say; the last is of {size} acts",
        kept.len()
    ));
    believe(&believed, pins, &format!("the checkpoint at size {size}"), found);
    let is_signed = |known: &&checkpoints::StoredCheckpoint| {
        pins.believe(&known.note).is_ok_and(|believed| believed.pinned.is_some())
    };
    let until = kept.iter().rev().find(is_signed).map_or(size, |known| known.checkpoint.size);
    if until < head.seq.0 {
        found.signed_until = Some((until, head.seq.0));
    } else if size < until {
        // Newer acts are signed by the house, and nobody else has seen them.
        found.at_most(Assurance::Signed);
        found.enough &= !pins.policy().is_some_and(|policy| policy.asks_for_witnesses());
        found
            .notes
            .push(format!("{} acts since are signed, and no witness has seen them yet", head.seq.0 - size));
    }
}

/// Looks at time stamps. They count only where the reader says which authorities to trust.
fn stamps(
    kept: &[checkpoints::StoredCheckpoint],
    head: Head,
    tsa_ca: Option<&Path>,
    found: &mut VerifyReport,
) {
    let Some(known) = kept.iter().rev().find(|known| !known.stamps.is_empty()) else { return };
    let size = known.checkpoint.size;
    for one in &known.stamps {
        let stamped = match stamp::of_text(one, known.note.text()) {
            Ok(stamped) => stamped,
            Err(why) => return found.broken(format!("the time stamp at size {size}: {why}")),
        };
        let said = format!("size {size} was time-stamped {} by {}", stamped.time, one.authority);
        match tsa_ca.map(|ca| stamp::check_with_openssl(one, ca)) {
            Some(Ok(true)) if size >= head.seq.0 => {
                found.checked.push(said);
                found.raise(Assurance::TimeStamped);
            }
            Some(Ok(true)) => {
                found.checked.push(said);
                found.notes.push(format!("{} acts came after that time stamp", head.seq.0 - size));
            }
            Some(Ok(false)) => found.broken(format!(
                "the time stamp at size {size}: openssl does not accept the signature of the time-stamping authority"
            )),
            // That says nothing about the record.
            Some(Err(why)) => {
                found.enough = false;
                found.notes.push(format!("{said}; its signature could not be checked: {why}"));
            }
            None => found.notes.push(format!("{said}; its signature was not checked (give --tsa-ca)")),
        }
    }
}
