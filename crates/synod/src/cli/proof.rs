//! `synod proof`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::Digest;
use synod_journal::tlog::{Checkpoint, Frontier, Note, Proof, consistency, inclusion, to_base64};
use synod_journal::{Head, JournalReader, checkpoints};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::{MatterArg, number, pick};
use crate::out;
use crate::upkeep::house_key;

/// Print a proof that a decision is in the record, to be checked without the journal.
///
/// The proof is a C2SP tlog-proof: the hashes from the act that settled the matter up to a tree head that the house has signed, and the
/// signatures of witnesses if there are any. `synod verify FILE` checks it, and so do other tools. With --since it is a
/// proof that the record only grew since it had that many acts.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod proof 3 > decision-3.tlog-proof\n  synod proof --act 57\n  synod proof --since 40"
)]
pub(crate) struct ProofArgs {
    /// The matter: number, id or `last`; the newest if left out.
    #[arg(conflicts_with_all = ["act", "since"])]
    matter: Option<MatterArg>,
    /// Any act, by its number.
    #[arg(long, value_name = "N", conflicts_with = "since")]
    act: Option<u64>,
    /// Prove that the record only grew since it had this many acts.
    #[arg(long, value_name = "SIZE")]
    since: Option<u64>,
}

impl ProofArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, head) = context.house.read()?;
        let reader = context.house.reader()?;
        if let Some(old) = self.since {
            return grown(context, &reader, head, old);
        }
        let act = match self.act {
            Some(act) => act,
            None => {
                let matter = pick(&mut house, self.matter)?;
                let settled = house.case(matter).and_then(|case| case.settled_by);
                let number = number(&house, matter);
                let open = || {
                    let message = format!("matter {number} is not over: name an act with --act N");
                    Fail::new(code::USAGE, "matter/open", message)
                };
                settled.ok_or_else(open)?.0
            }
        };
        let Some(index) = act.checked_sub(1).filter(|_| act <= head.seq.0) else {
            let message = format!("there is no act {act}: the journal has the acts 1 to {}", head.seq);
            return Err(Fail::new(code::NO_INPUT, "act/unknown", message));
        };
        let records = hashes(&reader, head.seq.0)?;
        let note = checkpoint_from(context, &records, act)?;
        let size = Checkpoint::parse(note.text()).map_err(flawed)?.size;
        let hash = records[index as usize];
        let path = inclusion(&records[..], index, size).ok_or_else(|| flawed("the tree is too small"))?;
        let proof = Proof { extra: Some(hash.0.to_vec()), index, path, note };
        proof.check(&hash).map_err(|flaw| {
            let message = format!("the journal is not what the house has signed: {flaw}; run `synod verify`");
            Fail::new(code::DATA, "record/rewritten", message)
        })?;
        match context.json {
            true => out::json(&json!({ "act": act, "hash": hash, "size": size, "proof": proof.to_string() })),
            false => out::exact(proof.to_string()),
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The hashes of all acts.
pub(crate) fn hashes(reader: &dyn JournalReader, until: u64) -> Result<Vec<Digest>> {
    let mut records = Vec::new();
    checkpoints::hashes(reader, 0, until, |hash| records.push(hash))?;
    Ok(records)
}

fn flawed(why: impl std::fmt::Display) -> Fail {
    Fail::new(code::DATA, "proof/flawed", format!("no proof can be made: {why}; run `synod verify`"))
}

/// The checkpoint to prove an act by: among those kept, the one that most have signed; else one that is signed now.
fn checkpoint_from(context: &Context, records: &[Digest], act: u64) -> Result<Note> {
    let kept = checkpoints::all(context.house.dir())?;
    let covers =
        kept.into_iter().filter(|known| (act..=records.len() as u64).contains(&known.checkpoint.size));
    let best = covers.max_by_key(|known| (known.note.signatures().len(), known.checkpoint.size));
    match best {
        Some(known) => Ok(known.note),
        None => sign_now(context, records),
    }
}

/// Signs the record as it is.
fn sign_now(context: &Context, records: &[Digest]) -> Result<Note> {
    let dir = context.house.dir();
    if let Some(refusal) = checkpoints::refusal(dir) {
        let message = format!(
            "witness {} refused this house ({}), so nothing more is signed; see `synod witness status`",
            refusal.witness, refusal.said
        );
        return Err(Fail::new(code::DATA, "witness/refused", message));
    }
    let (house, _) = context.house.read()?;
    let key = house_key(dir, house.upkeep().key().map(|known| known.key.as_str()).unwrap_or_default())?;
    let mut tree = Frontier::default();
    records.iter().for_each(|record| tree.push(record));
    let first = records.first().ok_or_else(|| flawed("the journal is empty"))?;
    let head = Checkpoint { origin: Checkpoint::origin_of(first), size: tree.size(), root: tree.root() };
    head.sign(&key).map_err(flawed)
}

/// Prints that the record begins with what it was.
fn grown(context: &Context, reader: &dyn JournalReader, head: Head, old: u64) -> Result<ExitCode> {
    let records = hashes(reader, head.seq.0)?;
    let note = checkpoint_from(context, &records, old.max(1))?;
    let size = Checkpoint::parse(note.text()).map_err(flawed)?.size;
    let Some(path) = consistency(&records[..], old, size) else {
        let message = format!("the record has {size} acts: it cannot be proven to have grown from {old}");
        return Err(Fail::new(code::USAGE, "proof/larger", message));
    };
    let path: Vec<String> = path.iter().map(|hash| to_base64(&hash.0)).collect();
    match context.json {
        true => out::json(&json!({ "old": old, "size": size, "path": path, "checkpoint": note.to_string() })),
        false => {
            let lines: String = path.iter().map(|hash| format!("{hash}\n")).collect();
            out::exact(format!("old {old}\n{lines}\n{note}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}
