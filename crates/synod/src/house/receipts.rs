//! Receipts: made from the journal alone, signed with the key of the house, kept beside the journal.

use std::path::{Path, PathBuf};

use synod_core::House;
use synod_core::kernel::{At, MatterId, Seq};
use synod_core::view::{ReceiptBody, Report, receipt};
use synod_engine::{Engine, fold_to, now};
use synod_journal::{JournalReader, Receipt, file};

use super::HouseArg;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::no_matter;
use crate::out;
use crate::upkeep::{has_receipt, house_key};

/// The body of a matter's receipt, from the journal alone.
pub(crate) fn receipt_body(
    house: &House,
    reader: &dyn JournalReader,
    matter: MatterId,
) -> Result<ReceiptBody> {
    let case = house.case(matter).ok_or_else(no_matter)?;
    let open = || {
        let status = match case.issue() {
            Some(_) => Report::of(case).stands(true, now()).status,
            None => case.status().word(),
        };
        let message = format!("matter {} is {status}; a receipt is made once it is over", case.number);
        Fail::new(code::USAGE, "matter/open", message)
    };
    let seq = case.settled_by.ok_or_else(open)?;
    let record = reader.read(seq, 1)?.into_iter().next().ok_or_else(open)?;
    let mut body =
        receipt(case, house.founded().map(|founded| founded.key.as_str()), record.hash).ok_or_else(open)?;
    body.key = house.upkeep().key().map(|known| known.key.clone());
    Ok(body)
}

/// The body of the receipt that a matter had at an act. An issue that was reopened has another one now, or none, and its old receipt is
/// as true as it was.
pub(crate) fn receipt_body_at(
    house: &House,
    reader: &dyn JournalReader,
    matter: MatterId,
    at: Seq,
) -> Result<ReceiptBody> {
    if house.case(matter).is_none_or(|case| case.settled_by == Some(at)) {
        return receipt_body(house, reader, matter);
    }
    let mut body = receipt_body(&fold_to(reader, at)?, reader, matter)?;
    body.key = house.upkeep().key().map(|known| known.key.clone());
    Ok(body)
}

/// Where the house keeps a matter's receipt.
pub(crate) fn receipt_path(dir: &Path, matter: MatterId) -> PathBuf {
    dir.join("receipts").join(format!("{matter}.json"))
}

/// Signs a matter's receipt and keeps it in the house. Returns its path.
pub(crate) fn keep_receipt(
    dir: &Path,
    house: &House,
    reader: &dyn JournalReader,
    matter: MatterId,
) -> Result<(PathBuf, Receipt)> {
    write_receipt(dir, matter, &receipt_body(house, reader, matter)?)
}

/// Keeps the receipts of matters. They are decided all the same where this cannot be, and `synod receipt --missing` signs them at any time.
pub(crate) fn keep_receipts(house: &HouseArg, engine: &Engine, matters: impl IntoIterator<Item = MatterId>) {
    for matter in matters {
        let kept = house.reader().and_then(|reader| {
            engine.read_with([matter], |known| keep_receipt(house.dir(), known, &reader, matter))?
        });
        if let Err(fail) = kept {
            out::error(&out::clean(&format!("synod: {}", fail.message())));
        }
    }
}

/// Keeps the receipts of issues that are over and have none, whatever ended them. One that was reopened and ended again since a moment gets
/// the receipt of its new end.
pub(crate) fn keep_receipts_of_issues(house: &HouseArg, engine: &Engine, since: At) {
    let ended: Vec<MatterId> = engine.read(|known| {
        let over = known.docket().rows().filter(|(_, row)| row.settled_by.is_some());
        let unsigned = over.filter(|(matter, row)| {
            // Reading all of them with each command would take too long.
            let kept = match row.last >= since {
                true => has_receipt(house.dir(), known, *matter),
                false => receipt_path(house.dir(), *matter).exists(),
            };
            !kept && known.summary(*matter).is_some_and(|summary| summary.redacted_by.is_none())
        });
        unsigned.map(|(matter, _)| matter).collect()
    });
    keep_receipts(house, engine, ended);
}

/// Signs a receipt and keeps it in the house. Returns its path.
pub(crate) fn write_receipt(dir: &Path, matter: MatterId, body: &ReceiptBody) -> Result<(PathBuf, Receipt)> {
    let receipt = sign(dir, body)?;
    let path = receipt_path(dir, matter);
    let cannot = |error: std::io::Error| {
        Fail::new(
            code::IO,
            "file/unwritable",
            format!(
                "the receipt {} cannot be written: {error}\n`synod receipt {matter}` prints it at any time",
                path.display()
            ),
        )
    };
    synod_journal::make_dir(dir)?;
    file::make_folder(&dir.join("receipts")).map_err(cannot)?;
    let line =
        receipt.to_line().map_err(|error| Fail::new(code::DATA, "receipt/unsignable", error.to_string()))?;
    // Whole or not at all: a process that dies here must not leave half a receipt.
    // Two may do it at once: the process that performed a matter and the one that holds the house both keep it.
    file::replace_durably(&path, line.as_bytes()).map_err(cannot)?;
    Ok((path, receipt))
}

/// Signs a receipt with the key of the house.
pub(crate) fn sign(dir: &Path, body: &ReceiptBody) -> Result<Receipt> {
    let key = house_key(dir, body.key.as_deref().unwrap_or_default())?;
    let unsignable = |error: String| Fail::new(code::DATA, "receipt/unsignable", error);
    let body = crate::json::value(&body).map_err(|error| unsignable(error.to_string()))?;
    Receipt::sign(&key, body).map_err(|error| unsignable(error.to_string()))
}
