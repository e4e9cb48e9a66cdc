//! Receipts: made from the journal alone, signed with the key of the house, kept beside the journal.

use std::path::{Path, PathBuf};

use synod_core::House;
use synod_core::kernel::{MatterId, Seq};
use synod_core::view::{ReceiptBody, receipt};
use synod_engine::fold_to;
use synod_journal::{JournalReader, Receipt, file};

use crate::fail::{Fail, Result, code};
use crate::matter_arg::no_matter;
use crate::upkeep::house_key;

/// The body of a matter's receipt, from the journal alone.
pub(crate) fn receipt_body(
    house: &House,
    reader: &dyn JournalReader,
    matter: MatterId,
) -> Result<ReceiptBody> {
    let case = house.case(matter).ok_or_else(no_matter)?;
    let open = || {
        let message =
            format!("matter {} is {}; a receipt is made once it is over", case.number, case.status().word());
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
