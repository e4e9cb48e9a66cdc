//! What Synod exports besides receipts and proofs of acts: a proof that the record only grew, and receipts in the formats of others.
//! Each is checked as far as the file and the reader's keys allow, and the report says what was not.

use serde::Deserialize;
use serde_json::{Value, json};
use synod_core::House;
use synod_core::kernel::{Digest, MatterId, Seq};
use synod_journal::tlog::{Checkpoint, Frontier, Note, from_base64, verify_consistency};
use synod_journal::{Head, JournalReader, Receipt, canon, chain, checkpoints, vouch};

use super::VerifyReport;
use super::evidence::believe;
use super::verdict::Assurance;
use crate::fail::Result;
use crate::house::receipt_body_at;
use crate::pins::Pins;
use crate::statement;
use crate::witness::judge::CosignRequest;

/// A file that is one of these exports.
#[derive(Debug)]
pub(super) enum Export {
    Growth(GrowthProof),
    /// An in-toto statement about a receipt; its envelope is signed like the receipt would be.
    Statement(Receipt),
    Decision(DecisionExport),
    /// A file of a known kind that Synod did not make, and how to check it.
    Foreign(&'static str),
}

/// Reads an export, if a file is one. An error says why it is not what it seems to be.
pub(super) fn read(bytes: &[u8]) -> Option<std::result::Result<Export, String>> {
    let text = std::str::from_utf8(bytes).ok()?;
    if text.starts_with("old ") {
        return Some(GrowthProof::of_text(text).map(Export::Growth));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    if value.get("checkpoint").is_some() && value.get("old").is_some() {
        return Some(once(text).and_then(|()| GrowthProof::of_json(&value)).map(Export::Growth));
    }
    if value.get("payloadType").is_some() {
        return Some(envelope(text, &value));
    }
    value.get("odr_version").is_some().then(|| DecisionExport::parse(text, &value))
}

/// A proof that a record only grew.
#[derive(Debug)]
pub(super) struct GrowthProof {
    old: u64,
    path: Vec<Digest>,
    note: Note,
    new: Checkpoint,
}

impl GrowthProof {
    fn of_text(text: &str) -> std::result::Result<Self, String> {
        let CosignRequest { old, path, note } =
            CosignRequest::parse(text).map_err(|flaw| flaw.to_string())?;
        let new = Checkpoint::parse(note.text()).map_err(|flaw| flaw.to_string())?;
        Ok(Self { old, path, note, new })
    }

    fn of_json(value: &Value) -> std::result::Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Written {
            old: u64,
            size: u64,
            path: Vec<String>,
            checkpoint: String,
        }
        let said = Written::deserialize(value).map_err(|error| format!("not a proof of growth: {error}"))?;
        let lines: String = said.path.iter().map(|hash| format!("{hash}\n")).collect();
        let proof = Self::of_text(&format!("old {}\n{lines}\n{}", said.old, said.checkpoint))?;
        match proof.new.size == said.size {
            true => Ok(proof),
            false => Err(format!("it says size {}, and its checkpoint has {}", said.size, proof.new.size)),
        }
    }

    /// The tree head that it leads to.
    pub(super) fn head(&self) -> &Checkpoint {
        &self.new
    }

    /// Checks it against tree heads from other files, and against the journal of the house if that is here.
    pub(super) fn check(
        &self,
        pins: &Pins,
        heads: &[Checkpoint],
        journal: Option<&dyn JournalReader>,
        found: &mut VerifyReport,
    ) -> Result<()> {
        let (old, size) = (self.old, self.new.size);
        if old > size {
            found.broken(format!("the proof leads from {old} acts back to {size}: a record only grows"));
            return Ok(());
        }
        match pins.believe(&self.note) {
            Ok(believed) => believe(&believed, pins, "the checkpoint", found),
            Err(flaw) => found.broken(flaw.to_string()),
        }
        let given = heads.iter().filter(|head| head.size == old && head.origin == self.new.origin);
        let mut roots: Vec<Digest> = given.map(|head| head.root).collect();
        if let Some((at_old, at_size)) = journal.map(|reader| self.in_journal(reader)).transpose()?.flatten()
        {
            roots.extend(at_old);
            match at_size {
                Some(root) if root == self.new.root => found
                    .checked
                    .push(format!("the journal still has the {size} acts that the checkpoint is of")),
                Some(_) => found.broken(format!(
                    "the journal is not what the house signed at size {size}: its history was rewritten"
                )),
                None => found.broken(format!(
                    "the house signed {size} acts, and the journal has fewer: its end was removed"
                )),
            }
        }
        if roots.is_empty() {
            found.enough = false;
            found.notes.push(format!(
                "that the record only grew since it had {old} acts was not checked: that needs what the house signed then. Give the proof or acknowledgement with a tree head of size {old} as a second file, or run this in the house"
            ));
        }
        for root in roots {
            match verify_consistency((old, root), (size, self.new.root), &self.path) {
                true => found.checked.push(format!("the record only grew from {old} to {size} acts")),
                false => found.broken(format!(
                    "the proof does not show that {size} acts continue the {old} acts that were signed before"
                )),
            }
        }
        Ok(())
    }

    /// The roots of the journal at both sizes, if it is of the house that the proof is of.
    fn in_journal(&self, reader: &dyn JournalReader) -> Result<Option<(Option<Digest>, Option<Digest>)>> {
        let first = reader.heads(Seq(1), 1)?;
        if first.first().is_none_or(|first| Checkpoint::origin_of(&first.hash) != self.new.origin) {
            return Ok(None);
        }
        let acts = reader.head()?.seq.0;
        let mut tree = Frontier::default();
        let mut root_at = |size: u64| -> Result<Option<Digest>> {
            if size > acts {
                return Ok(None);
            }
            checkpoints::follow(reader, &mut tree, size)?;
            Ok(Some(tree.root()))
        };
        Ok(Some((root_at(self.old)?, root_at(self.new.size)?)))
    }
}

/// Refuses a text in which a key stands twice: another reader would take the other value.
fn once(text: &str) -> std::result::Result<(), String> {
    match crate::json::doubled_key(text) {
        Some(key) => {
            Err(format!("the key `{key}` stands in it twice, so readers would disagree on what it says"))
        }
        None => Ok(()),
    }
}

/// A field of an object that is none of these.
fn unknown_field<'v>(value: &'v Value, known: &[&str]) -> Option<&'v String> {
    value.as_object()?.keys().find(|key| !known.contains(&key.as_str()))
}

/// Reads an in-toto statement in a DSSE envelope and checks its signature. What it states is a receipt.
fn envelope(text_of_file: &str, value: &Value) -> std::result::Result<Export, String> {
    let wrong = |what: &str| format!("the DSSE envelope {what}");
    let text = |value: &Value| value.as_str().map(str::to_string);
    let kind = text(&value["payloadType"]).ok_or_else(|| wrong("does not say what it holds"))?;
    let payload = text(&value["payload"]).and_then(|payload| from_base64(&payload));
    let payload = payload.and_then(|bytes| String::from_utf8(bytes).ok());
    let payload = payload.ok_or_else(|| wrong("has no readable payload"))?;
    let statement: Value = serde_json::from_str(&payload).unwrap_or_default();
    if statement["predicateType"] != statement::PREDICATE {
        return Ok(Export::Foreign(
            "a DSSE envelope that Synod did not make: check it with the tool of its maker, such as `cosign verify-attestation`",
        ));
    }
    once(text_of_file)?;
    let [signature] = value["signatures"].as_array().map(Vec::as_slice).unwrap_or_default() else {
        return Err(wrong("must have one signature"));
    };
    let strange = unknown_field(value, &["payload", "payloadType", "signatures"]);
    if let Some(field) = strange.or(unknown_field(signature, &["keyid", "sig"])) {
        return Err(wrong(&format!("has a field `{field}`, which nobody has signed: take it out")));
    }
    let key = text(&signature["keyid"]).ok_or_else(|| wrong("does not name its key"))?;
    let signed = text(&signature["sig"]).and_then(|signature| from_base64(&signature));
    let signed = signed.ok_or_else(|| wrong("has no readable signature"))?;
    let signature: String = signed.iter().map(|byte| format!("{byte:02x}")).collect();
    let message = format!("DSSEv1 {} {kind} {} {payload}", kind.len(), payload.len());
    if !vouch::has_signed(&key, &message, &signature) {
        return Err(wrong("was changed after it was signed"));
    }
    let body = statement["predicate"].clone();
    if statement["subject"][0]["digest"]["sha256"] != body["journal"]["hash"] {
        return Err(wrong("is about another act than the receipt in it"));
    }
    Ok(Export::Statement(Receipt { body, key, signature }))
}

/// A receipt as an Open Decision Receipt. It names its key by a hash alone.
#[derive(Debug)]
pub(super) struct DecisionExport {
    /// The text without its signature.
    unsigned: String,
    key_id: String,
    message: String,
    signature: String,
    matter: Option<MatterId>,
    /// The hash of the act that it was made at.
    settled: Option<Digest>,
}

impl DecisionExport {
    fn parse(text: &str, value: &Value) -> std::result::Result<Export, String> {
        let foreign = Export::Foreign(
            "an Open Decision Receipt that Synod did not make: check it with `aragora-verify`",
        );
        if value["source"]["system"] != "synod" {
            return Ok(foreign);
        }
        let changed = || "the Open Decision Receipt is not as Synod writes it".to_string();
        // The file is canonical JSON, so the signed text is the file without this field.
        let signatures = canon::to_string(&value["signatures"]).map_err(|_| changed())?;
        let field = format!("\"signatures\":{signatures},");
        let (before, after) = text.trim_end().split_once(&field).ok_or_else(changed)?;
        let unsigned = format!("{before}{after}");
        let [entry] = value["signatures"].as_array().map(Vec::as_slice).unwrap_or_default() else {
            return Err(changed());
        };
        let signed = entry["signature"].as_str().and_then(from_base64).ok_or_else(changed)?;
        let mut protected = entry.clone();
        protected.as_object_mut().map(|fields| fields.remove("signature"));
        let digest = Digest::of(unsigned.as_bytes()).to_string();
        let message = json!({ "odr_digest": digest, "odr_signature_input": "0.2", "protected": protected });
        Ok(Export::Decision(Self {
            unsigned,
            key_id: entry["key_id"].as_str().unwrap_or_default().into(),
            message: canon::to_string(&message).map_err(|_| changed())?,
            signature: signed.iter().map(|byte| format!("{byte:02x}")).collect(),
            matter: value["source"]["receipt_id"].as_str().and_then(|matter| matter.parse().ok()),
            settled: value["source"]["artifact_hash"].as_str().and_then(|hash| hash.parse().ok()),
        }))
    }

    /// Checks the signature by the keys that the reader trusts.
    pub(super) fn check(&self, pins: &Pins, found: &mut VerifyReport) {
        let Some(key) = pins.known_keys().into_iter().find(|key| key_id(key).as_ref() == Some(&self.key_id))
        else {
            found.at_most(Assurance::UnknownKey);
            found.notes.push(format!(
                "the Open Decision Receipt names its key as {}, and no key of yours has that id: its signature was not checked. Give --key",
                self.key_id
            ));
            return;
        };
        if !vouch::has_signed(&key, &self.message, &self.signature) {
            return found.broken("the Open Decision Receipt was changed after it was signed".into());
        }
        found.at_most(Assurance::Signed);
        found.checked.push("the Open Decision Receipt is signed by a key you know".into());
        if pins.policy().is_some_and(|policy| policy.asks_for_witnesses()) {
            found.enough = false;
            found.notes.push("the policy asks for witnesses, and an Open Decision Receipt has none: check the receipt and the proof (`synod receipt`, `synod proof`)".into());
        }
    }

    /// Compares it with the journal that is here.
    pub(super) fn against_journal(
        &self,
        house: &House,
        reader: &dyn JournalReader,
        found: &mut VerifyReport,
    ) {
        let seq = self.settled.and_then(|hash| act_with(reader, hash));
        let again = self.matter.zip(seq);
        let again = again.and_then(|(matter, seq)| receipt_body_at(house, reader, matter, seq).ok());
        let again = again.and_then(|body| Some((statement::unsigned_odr(&body).ok()?, body.redacted)));
        match again {
            Some((text, _)) if text == self.unsigned => {
                found.checked.push("the Open Decision Receipt says what the journal says".into());
            }
            Some((_, true)) => found.notes.push(
                "the matter was deleted since: the Open Decision Receipt cannot be compared with the journal"
                    .into(),
            ),
            Some((_, false)) | None => {
                found.broken("the journal gives a different Open Decision Receipt for this matter".into());
            }
        }
    }

    /// The matter that it is of.
    pub(super) fn matter(&self) -> Option<MatterId> {
        self.matter
    }
}

/// The act whose record has this hash.
fn act_with(reader: &dyn JournalReader, hash: Digest) -> Option<Seq> {
    let mut found = None;
    chain::walk(reader, Head::default(), |act, record| {
        found = found.or((record.hash == hash).then_some(act.seq));
        Ok::<(), synod_journal::Error>(())
    })
    .ok()?;
    found
}

/// The id that such a receipt has for a public key in hex.
fn key_id(public: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> =
        (0..public.len()).step_by(2).map(|at| u8::from_str_radix(public.get(at..at + 2)?, 16).ok()).collect();
    let mut id = Digest::of(&bytes?).to_string();
    id.truncate(16);
    Some(format!("ed25519-{id}"))
}
