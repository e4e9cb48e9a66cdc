//! What is to be said of a house apart from its matters: lost acts, keys, clocks, missing receipts. `verify` and `doctor` ask.

use std::path::Path;

use synod_core::House;
use synod_core::event::KeyChange;
use synod_core::kernel::text::counted;
use synod_core::kernel::{MatterId, Seq};
use synod_journal::{HouseKey, JournalReader, MarkComparison, Receipt, file, mark};

use crate::fail::{Fail, Result, code};
use crate::house::receipt_path;
use crate::matter_arg::number;

/// The largest receipt that is read. It quotes dissent in full, so it may be long.
pub(crate) const RECEIPT_MOST: u64 = 1 << 28;

/// The findings about a house, worst first in each list.
#[derive(Debug, Default)]
pub(crate) struct UpkeepFindings {
    pub(crate) checked: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) wrong: Vec<String>,
}

/// Looks at everything.
pub(crate) fn look(dir: &Path, reader: &dyn JournalReader, house: &House) -> Result<UpkeepFindings> {
    let mut found = UpkeepFindings::default();
    match mark::compare(dir, reader)? {
        MarkComparison::Whole { seq } => {
            found.checked.push(format!("act {seq}, the last one known to be on the disk, is there"));
        }
        MarkComparison::Unknown => found.notes.push(
            "there is no mark of how far the journal was on the disk (a copy without the file `mark`?): lost acts cannot be found by it".into(),
        ),
        MarkComparison::Lost { mark, found: end } => found.wrong.push(format!(
            "act {} was on the disk, and the journal ends with act {} or has another in its place: acts are lost. Put a backup back (synod restore DIR --yes), or accept it (synod repair)",
            mark.seq, end.seq
        )),
    }
    keys(house, &mut found);
    key_file(dir, house, &mut found);
    history(house, &mut found);
    let missing = missing_receipts(dir, house);
    if !missing.is_empty() {
        let matters = counted(missing.len() as u64, "settled matter");
        let number = |matter: &MatterId| number(house, *matter).to_string();
        let few = missing.iter().take(20).map(number).collect::<Vec<_>>().join(", ");
        found.notes.push(format!(
            "{matters} without a receipt: {few}; `synod receipt --missing` writes what is missing"
        ));
    }
    Ok(found)
}

/// Whether the key in the house is the one in force. A house without its key can be read and checked all the same.
fn key_file(dir: &Path, house: &House, found: &mut UpkeepFindings) {
    let path = dir.join("key");
    // One that cannot be read here says nothing of the record.
    let (Some(known), Ok(Some(_))) = (house.upkeep().key(), HouseKey::load(dir)) else { return };
    if !HouseKey::is_here(dir, &known.key) {
        found.wrong.push(format!(
            "the file {} is not the key this house signs with: put it back from a backup, or: synod key recover",
            path.display()
        ));
    }
}

/// Whether each key was signed by the one before it.
fn keys(house: &House, found: &mut UpkeepFindings) {
    for pair in house.upkeep().keys.windows(2) {
        let [before, known] = pair else { continue };
        let name = known.key.get(..12).unwrap_or(&known.key);
        match &known.how {
            Some(KeyChange::Rotated { signature } | KeyChange::Revoked { signature }) => {
                match HouseKey::vouches(&before.key, &known.key, signature) {
                    true => found.checked.push(format!("act {}: the key before signed key {name}", known.since)),
                    false => found.wrong.push(format!(
                        "act {}: the key before did not sign key {name}, which the record says it did",
                        known.since
                    )),
                }
            }
            Some(KeyChange::Recovered) | None => found.notes.push(format!(
                "act {}: key {name} was recovered after the key before it was lost; only this record vouches for it",
                known.since
            )),
        }
        if before.revoked {
            let name = before.key.get(..12).unwrap_or(&before.key);
            found.notes.push(format!("act {}: key {name} was revoked; others may have it", known.since));
        }
    }
}

/// What happened to the record itself.
fn history(house: &House, found: &mut UpkeepFindings) {
    let upkeep = house.upkeep();
    for (act, lost) in &upkeep.repaired {
        let how = if lost.restored { "a backup was put in place" } else { "the loss was accepted" };
        found.notes.push(format!("act {act}: acts after {} up to {} were lost; {how}", lost.kept, lost.lost));
    }
    if let Some((act, at, by)) = upkeep.last_jump {
        let (times, way) = (counted(upkeep.jumps.into(), "time"), if by < 0 { "back" } else { "ahead" });
        found.notes.push(format!(
            "the clock of the machine jumped {times}, last by {} s {way} (act {act}, {at}); deadlines went on as if it had not",
            by.unsigned_abs() / 1000
        ));
    }
    if upkeep.ahead_ms.unsigned_abs() > 10_000 {
        let way = if upkeep.ahead_ms > 0 { "ahead of" } else { "behind" };
        found.notes.push(format!(
            "times in the record are {} s {way} the clock since then",
            upkeep.ahead_ms.unsigned_abs() / 1000
        ));
    }
    if let Some((act, at, ms)) = upkeep.last_stall {
        let times = counted(upkeep.stalls.into(), "time");
        let long = match ms {
            0 => "until the process ended".to_string(),
            ms => format!("for {} s", ms / 1000),
        };
        found.notes.push(format!(
            "the journal could not be written {times}, last {long} (act {act}, {at}); nobody was charged for it"
        ));
    }
    if let Some((act, at, ms)) = upkeep.last_downtime {
        let times = counted(upkeep.downtimes.into(), "time");
        found.notes.push(format!(
            "time without a working process was taken out {times}, last {} s (act {act}, {at}): the process was stopped, or ended with a ring open; nobody was charged for it",
            ms / 1000
        ));
    }
}

/// Settled matters whose receipt is not in the house, or not what it should be. Those whose words were deleted have none.
pub(crate) fn missing_receipts(dir: &Path, house: &House) -> Vec<MatterId> {
    let settled = house.summaries().filter(|known| known.is_over() && known.redacted_by.is_none());
    settled.map(|known| known.id).filter(|matter| !has_receipt(dir, house, *matter)).collect()
}

/// Whether the file of a matter's receipt is one, and that of this matter and of its present end: an issue may have been reopened and
/// ended otherwise since.
pub(crate) fn has_receipt(dir: &Path, house: &House, matter: MatterId) -> bool {
    let read = file::read_own(&receipt_path(dir, matter), RECEIPT_MOST).ok();
    let receipt = read.and_then(|bytes| Receipt::parse(&bytes).ok());
    let ended = house.docket().row(matter).and_then(|row| row.settled_by);
    receipt.is_some_and(|receipt| {
        let of_end = ended.is_none_or(|by| receipt.body["journal"]["seq"].as_u64() == Some(by.0));
        receipt.body["matter"] == matter.to_string() && of_end && receipt.check().is_ok()
    })
}

/// Whether a key may have signed a receipt of a matter that was settled by that act.
pub(crate) fn may_have_signed(
    house: &House,
    key: &str,
    settled: Seq,
) -> std::result::Result<Option<String>, String> {
    let short = key.get(..12).unwrap_or(key);
    let Some(known) = house.upkeep().known(key) else {
        return Err(format!("the receipt is signed by {short}, which never was a key of this house"));
    };
    match known.until {
        Some(until) if until < settled => Err(format!(
            "the receipt is signed by {short}, which act {until} had replaced before the matter was settled"
        )),
        Some(until) if known.revoked => Ok(Some(format!(
            "it is signed by {short}, which act {until} revoked: only the journal vouches for it, `synod receipt` signs it anew"
        ))),
        Some(_) | None => Ok(None),
    }
}

/// The key that is in force. Another one would sign receipts that nobody can check.
pub(crate) fn house_key(dir: &Path, in_force: &str) -> Result<HouseKey> {
    if let Some(key) = HouseKey::in_force(dir, in_force)? {
        return Ok(key);
    }
    let path = dir.join("key");
    let what = match HouseKey::load(dir)? {
        Some(_) => "is not the one this house signs with",
        None => "is missing",
    };
    let message = format!(
        "the key {} {what}: restore it from a backup; receipts cannot be signed without it\nif it is lost, make a new one, which the record will say: synod key recover",
        path.display()
    );
    Err(Fail::new(code::DATA, "house/key", message))
}
