//! `synod verify`

mod evidence;
mod exports;
mod inputs;
mod verdict;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use synod_core::charter::Charter;
use synod_core::kernel::REDACTED;
use synod_core::kernel::text::counted;
use synod_core::kernel::{Digest, MatterId, Seq};
use synod_core::procedure::recount;
use synod_core::{Command, Event, House, edition};
use synod_engine::{Archive, Opened, SnapshotCheck, check_snapshot, open_house};
use synod_journal::{
    Error, Head, JournalReader, Receipt, SqliteReader, chain, file, inspect, scrub_is_due, survey,
};

use self::inputs::VerifyInputs;
use self::verdict::Assurance;
use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{Looked, read_up_to, receipt_body_at};
use crate::matter_arg::number;
use crate::out;
use crate::pins::{PinArgs, Pins, remember};
use crate::upkeep::{self, RECEIPT_MOST};
use crate::user::snapshot_key;
use crate::vouchers;

/// Check the journal, a receipt, a proof or an acknowledgement, offline.
///
/// The first line is the verdict, the worst of all that was found: broken, unsigned, signed by an unknown key, signed, time-stamped, or
/// witnessed 2 of 3. A record whose last acts came after the last signature is unsigned. Finds acts that were on the disk and are gone, any edited byte, swapped or removed act, changed author, truncated or
/// rewritten journal (against anything that was signed), changed signature, a key that the one before it did not sign, anything in the
/// database that is not part of a journal, and words removed in any way but `synod delete`. For a receipt from before a deletion,
/// everything but the deleted words is compared. Without a house, a receipt or a proof is checked by itself, and the result says so.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod verify\n  synod verify .synod/receipts/m57.json\n  synod verify decision.tlog-proof --policy policy.txt\n\n\
                  Exit codes: 0 it holds and you know the key, 1 broken, 3 signed by an unknown key, 4 your policy or --key asks for more."
)]
pub(crate) struct VerifyArgs {
    /// A receipt in any format of `synod receipt`, a proof of `synod proof`, or the JSON of an acknowledgement; a receipt and a proof
    /// together must be of one act.
    /// All receipts and checkpoints kept in the house if left out.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pins: PinArgs,
    /// Remember the key of this house as one you know: you made it, or compared the key with its owner.
    #[arg(long, help_heading = "Trust", conflicts_with = "files")]
    remember: bool,
    /// Certificates of time-stamping authorities that you trust (PEM); openssl checks time stamps by them.
    #[arg(long, value_name = "FILE", help_heading = "Trust")]
    tsa_ca: Option<PathBuf>,
}

/// The checks that were made and their findings.
#[derive(Debug, Default, Serialize)]
struct VerifyReport {
    good: bool,
    verdict: Option<Assurance>,
    /// What the reader's policy asks for is there.
    #[serde(skip)]
    enough: bool,
    /// The last act that something signed covers, where others came after it.
    #[serde(skip)]
    signed_until: Option<(u64, u64)>,
    checked: Vec<String>,
    notes: Vec<String>,
    wrong: Vec<String>,
}

impl VerifyReport {
    fn new() -> Self {
        Self { enough: true, ..Self::default() }
    }

    /// Something is wrong.
    fn broken(&mut self, what: String) {
        self.wrong.push(what);
    }

    /// Something is signed no better than this.
    fn at_most(&mut self, verdict: Assurance) {
        self.verdict = Some(self.verdict.map_or(verdict, |found| found.min(verdict)));
    }

    /// What is signed has more than a signature.
    fn raise(&mut self, verdict: Assurance) {
        if self.verdict == Some(Assurance::Signed) {
            self.verdict = Some(verdict);
        }
    }

    /// Takes in what was found about one of several things. All together are as good as the worst.
    fn absorb(&mut self, one: Self) {
        if let Some(verdict) = one.verdict {
            self.at_most(verdict);
        }
        self.enough &= one.enough;
        self.checked.extend(one.checked);
        self.notes.extend(one.notes);
        self.wrong.extend(one.wrong);
    }

    /// `expects`: the reader named keys or a policy, so what is not signed is not enough.
    fn close(&mut self, expects: bool) -> u8 {
        let mut verdict = match self.wrong.is_empty() {
            true => self.verdict.unwrap_or(Assurance::Unsigned),
            false => Assurance::Broken,
        };
        let is_unknown = verdict == Assurance::UnknownKey;
        if let (Some((until, end)), true) = (self.signed_until, verdict >= Assurance::UnknownKey) {
            verdict = Assurance::Unsigned;
            let acts =
                if end - until == 1 { format!("act {end}") } else { format!("acts {} to {end}", until + 1) };
            self.notes.push(format!(
                "{acts} came after the last signature: whoever could write the file could have made that up. The next command that writes signs it; after a crash, look at it first"
            ));
        } else if verdict == Assurance::Unsigned {
            self.notes.push(
                "nothing that was checked is signed: whoever could write the file could have made it up"
                    .into(),
            );
        }
        self.enough &= verdict != Assurance::Unsigned || !expects;
        self.verdict = Some(verdict);
        let code = if is_unknown { code::UNKNOWN_KEY } else { verdict.code(self.enough) };
        self.good = code == code::PASSED;
        code
    }
}

impl VerifyArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        if self.remember {
            let (house, _) = context.house.read()?;
            house.upkeep().keys.iter().for_each(|known| remember(context.house.dir(), &known.key));
        }
        let mut pins = self.pins.read()?;
        let mut found = VerifyReport::new();
        let given = self.read_files(&mut found)?;
        // What is broken in the house is told below; here only keys count that one you know has signed.
        if let Ok((house, _)) = context.house.read() {
            pins.follow(&house.upkeep().keys);
            if let Ok(reader) = SqliteReader::open(context.house.dir()) {
                let before =
                    given.receipts.iter().filter(|one| is_before_revocation(&house, &reader, &pins, one));
                let signatures: Vec<String> = before.map(|receipt| receipt.signature.clone()).collect();
                signatures.into_iter().for_each(|signature| pins.confirm(signature));
            }
        }
        given.check(&pins, &mut found);
        match SqliteReader::open(context.house.dir()) {
            Ok(reader) => {
                let checks = Checks {
                    dir: context.house.dir(),
                    reader: &reader,
                    pins: &pins,
                    tsa_ca: self.tsa_ca.as_deref(),
                };
                against_house(&checks, &given, &mut found)?;
            }
            Err(synod_journal::Error::NoHouse { .. }) if !self.files.is_empty() => {
                // Nothing was checked here, so nothing is ok.
                found.notes.push(format!(
                    "no house at {}: nothing was compared with a journal",
                    context.house.dir().display()
                ));
            }
            Err(Error::NoHouse { .. }) if is_gone(context.house.dir()) => {
                found.wrong.push(
                    "the journal is gone, and the house has files that speak of it: put a backup back (synod restore DIR --yes)".into(),
                );
            }
            Err(error @ (Error::NotAJournal { .. } | Error::Damaged { .. } | Error::Broken(_))) => {
                found.wrong.push(error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
        let journal = SqliteReader::open(context.house.dir()).ok();
        given.check_growth(&pins, journal.as_ref().map(|reader| reader as &dyn JournalReader), &mut found)?;
        let code = found.close(pins.policy().is_some() || !self.pins.key.is_empty());
        if context.json {
            out::json(&found);
        } else {
            out::line(&found.verdict.unwrap_or(Assurance::Unsigned).to_string());
            found.checked.iter().for_each(|line| out::line(&format!("ok     {line}")));
            found.notes.iter().for_each(|line| out::line(&format!("note   {line}")));
            found.wrong.iter().for_each(|line| out::line(&out::clean(&format!("WRONG  {line}"))));
        }
        Ok(ExitCode::from(code))
    }

    /// Reads the files that were named, each as what it is.
    fn read_files(&self, found: &mut VerifyReport) -> Result<VerifyInputs> {
        let mut given = VerifyInputs { named: !self.files.is_empty(), ..VerifyInputs::default() };
        for path in &self.files {
            let text = read_up_to(RECEIPT_MOST, path, "receipt")?;
            if let Some(proof) = evidence::read(text.as_bytes()) {
                match proof {
                    Ok(proof) => given.proofs.push(proof),
                    Err(flaw) => found.broken(format!("{}: {flaw}", path.display())),
                }
                continue;
            }
            match exports::read(text.as_bytes()) {
                Some(Ok(export)) => given.take(export, path, found),
                Some(Err(flaw)) => found.broken(format!("{}: {flaw}", path.display())),
                None => given.receipts.extend(read_receipt(path, text.as_bytes(), found)),
            }
        }
        Ok(given)
    }
}

/// Whether a house without a journal had one.
pub(super) fn is_gone(dir: &Path) -> bool {
    ["mark", "receipts", "checkpoints"].iter().any(|name| dir.join(name).symlink_metadata().is_ok())
}

/// Whether a receipt is of an act that stands in the journal before its key was revoked. Only a journal counts whose own key the reader
/// trusts: whoever has the revoked one can make another.
fn is_before_revocation(house: &House, reader: &dyn JournalReader, pins: &Pins, receipt: &Receipt) -> bool {
    let keys = &house.upkeep().keys;
    let trusted = house.upkeep().key().is_some_and(|known| pins.vouches(&known.key).is_some());
    let revoked = keys.iter().find(|known| known.key == receipt.key && known.revoked);
    let until = revoked.filter(|_| trusted && pins.once_vouched(&receipt.key)).and_then(|known| known.until);
    let (Some(until), Some((seq, hash))) = (until, place(&receipt.body)) else { return false };
    let there = reader.heads(seq, 1).is_ok_and(|heads| heads.first().is_some_and(|head| head.hash == hash));
    there && seq < until
}

/// Whether the reader knows the key of a receipt.
fn vouch(receipt: &Receipt, pins: &Pins, found: &mut VerifyReport) {
    let house = receipt.body["house"].as_str().unwrap_or_default();
    match pins.vouches(&receipt.key) {
        Some(from) if pins.is_one_house(house, &receipt.key) => {
            found.at_most(Assurance::Signed);
            found.checked.push(format!("you know the key of the receipt from {from}"));
        }
        Some(_) => {
            found.at_most(Assurance::UnknownKey);
            found.notes.push(format!(
                "the receipt is of the house {}, and nothing of yours says that {}, which signed it, is a key of that house",
                short(house),
                short(&receipt.key)
            ));
        }
        None if pins.is_confirmed(&receipt.signature) => {
            found.at_most(Assurance::Signed);
            found.checked.push(format!(
                "the key {} was revoked after this was signed: the journal has the act from before",
                short(&receipt.key)
            ));
        }
        None if pins.once_vouched(&receipt.key) => {
            found.at_most(Assurance::UnknownKey);
            found.notes.push(format!(
                "the key {} was revoked: only the journal of the house can tell whether this was signed before",
                short(&receipt.key)
            ));
        }
        None => {
            found.at_most(Assurance::UnknownKey);
            found.notes.push(format!(
                "nothing of yours names the key {}: if you know it to be that of the house, give --key {}",
                short(&receipt.key),
                receipt.key
            ));
        }
    }
}

/// What a house is checked with.
struct Checks<'a> {
    dir: &'a Path,
    reader: &'a dyn JournalReader,
    pins: &'a Pins,
    tsa_ca: Option<&'a Path>,
}

/// A receipt that the house keeps.
fn kept_receipt(path: &Path, bytes: std::io::Result<Vec<u8>>, found: &mut VerifyReport) -> Option<Receipt> {
    match bytes {
        Ok(bytes) => read_receipt(path, &bytes, found),
        Err(error) => {
            found.wrong.push(error.to_string());
            None
        }
    }
}

/// Reads a receipt and checks its signature.
fn read_receipt(path: &Path, bytes: &[u8], found: &mut VerifyReport) -> Option<Receipt> {
    let receipt = match Receipt::parse(bytes) {
        Ok(receipt) => receipt,
        Err(error) => {
            found.wrong.push(format!("{}: {error}", path.display()));
            return None;
        }
    };
    match receipt.check() {
        Ok(()) => found.checked.push(format!("the receipt is signed by key {}", short(&receipt.key))),
        Err(error) => found.wrong.push(format!("{}: {error}", path.display())),
    }
    Some(receipt)
}

/// Counts every closed ballot again from the votes the journal has.
fn ballots(house: &Looked, found: &mut VerifyReport) -> Result<()> {
    let mut again = 0;
    for known in house.summaries() {
        let case = &*house.load(known.id)?;
        for ballot in &case.ballots {
            let Some((tally, decision)) = &ballot.result else { continue };
            let recorded = (tally.clone(), *decision, ballot.count.as_deref().cloned());
            again += 1;
            if recount(case, ballot) != recorded {
                let (matter, id) = (case.number, ballot.id);
                found.wrong.push(format!(
                    "ballot {id} of matter {matter}: a recount gives another result than the recorded one"
                ));
            }
        }
    }
    if again > 0 {
        found.checked.push(format!("{} recounted from the votes", counted(again, "ballot")));
    }
    Ok(())
}

/// Checks that the rules of every charter are those that its text says: later matters are judged by them.
fn charters(house: &House, reader: &dyn JournalReader, found: &mut VerifyReport) -> Result<()> {
    let known = edition::KNOWN.contains(&house.edition());
    let mut checked = 0;
    chain::walk(reader, Head::default(), |act, _| {
        let Command::Adopt { source } = &act.command else { return Ok::<(), Fail>(()) };
        let said = Charter::parse(source).map(|(charter, _)| charter);
        for event in act.events() {
            let Event::Charter(adopted) = event else { continue };
            let same = said.as_ref().is_ok_and(|said| *said == *adopted.rules);
            checked += 1;
            if Digest::of(source.as_bytes()) != adopted.digest || (known && !same) {
                let name = &adopted.rules.name;
                found
                    .wrong
                    .push(format!("act {}: the rules of charter {name} are not what its text says", act.seq));
            }
        }
        Ok(())
    })?;
    if checked > 0 {
        let whose = if checked == 1 { "its" } else { "their" };
        found.checked.push(format!("{} read again from {whose} text", counted(checked, "charter")));
    }
    Ok(())
}

/// Checks that the snapshot says what the acts come to.
fn snapshot(dir: &Path, reader: &dyn JournalReader, found: &mut VerifyReport) -> Result<()> {
    match check_snapshot(reader, dir, snapshot_key().as_ref())? {
        SnapshotCheck::None => (),
        SnapshotCheck::Agrees(head) => {
            found.checked.push(format!("the snapshot says what the acts up to {} come to", head.seq));
        }
        SnapshotCheck::Unusable => found.notes.push(
            "the snapshot is not used: it is damaged, or of another user, journal or version of synod".into(),
        ),
        SnapshotCheck::Differs(head) => found.wrong.push(format!(
            "the snapshot says something else than the acts up to {} come to: delete {}",
            head.seq,
            dir.join("snapshot").display()
        )),
    }
    Ok(())
}

/// Checks the journal, and with it the receipt that was given or else every receipt the house keeps.
fn against_house(checks: &Checks<'_>, given: &VerifyInputs, found: &mut VerifyReport) -> Result<()> {
    let Checks { dir, reader, pins, tsa_ca } = *checks;
    found.wrong.extend(inspect(dir)?);
    // Read before the journal: what is signed meanwhile speaks of acts that this reader does not see.
    let (signed, receipts) = (synod_journal::checkpoints::all(dir)?, receipts_now(dir));
    // From the first act, whatever the snapshot says.
    let (mut house, head) = match open_house(reader, None) {
        Ok(Opened { house, head, .. }) => (Looked::new(house, Archive::at(dir)), head),
        Err(fault) => {
            found.wrong.push(format!("the journal in {}: {fault}", dir.display()));
            return Ok(());
        }
    };
    found.checked.push(format!("the journal: {} acts, chained to {}", head.seq, head.hash));
    redactions(&house, reader, found)?;
    if scrub_is_due(dir) {
        found.notes.push(SCRUB_DUE.into());
    }
    charters(&house, reader, found)?;
    let vouched = vouchers::check(dir, reader)?;
    found.checked.extend(vouched.checked);
    found.notes.extend(vouched.notes);
    found.wrong.extend(vouched.wrong);
    ballots(&house, found)?;
    snapshot(dir, reader, found)?;
    let upkeep = upkeep::look(dir, reader, &house)?;
    found.checked.extend(upkeep.checked);
    found.notes.extend(upkeep.notes);
    found.wrong.extend(upkeep.wrong);
    for proof in &given.proofs {
        proof.against_journal(reader, head, found)?;
    }
    for decision in &given.decisions {
        decision.matter().map_or(Ok(()), |matter| house.bring(matter))?;
        decision.against_journal(&house, reader, found);
    }
    for receipt in &given.receipts {
        bring(&mut house, receipt)?;
        against_journal(&house, head, reader, receipt, found);
    }
    if given.named {
        return Ok(());
    }
    evidence::checkpoints_of(
        &evidence::CheckedHouse { dir, house: &house, head, tsa_ca },
        signed,
        reader,
        pins,
        found,
    )?;
    kept_receipts(checks, receipts, &mut house, head, found)
}

/// The receipts that the house keeps, as they are now.
fn receipts_now(dir: &Path) -> Vec<(PathBuf, std::io::Result<Vec<u8>>)> {
    kept(dir).into_iter().map(|path| (path.clone(), file::read_own(&path, RECEIPT_MOST))).collect()
}

/// Checks the receipts that the house keeps.
fn kept_receipts(
    checks: &Checks<'_>,
    receipts: Vec<(PathBuf, std::io::Result<Vec<u8>>)>,
    house: &mut Looked,
    head: Head,
    found: &mut VerifyReport,
) -> Result<()> {
    let Checks { reader, pins, .. } = *checks;
    // What receipts vouch for where there is no checkpoint.
    let mut receipts_until = None;
    for (path, bytes) in receipts {
        let mut of_one = VerifyReport::new();
        if let Some(receipt) = kept_receipt(&path, bytes, &mut of_one) {
            let (named, of) =
                (path.file_stem().and_then(|name| name.to_str()), receipt.body["matter"].as_str());
            if named != of {
                let of = of.unwrap_or("no matter");
                of_one.wrong.push(format!(
                    "it is the receipt of {of} under the name of another matter: `synod receipt --missing` writes the right one"
                ));
            }
            bring(house, &receipt)?;
            against_journal(house, head, reader, &receipt, &mut of_one);
            // A receipt that matches the journal is covered by the checkpoints of the journal, where there are any.
            match pins.vouches(&receipt.key).is_some() || pins.once_vouched(&receipt.key) {
                false => found.at_most(Assurance::UnknownKey),
                true if found.verdict.is_none() || receipts_until.is_some() => {
                    found.at_most(Assurance::Signed);
                    receipts_until = receipts_until.max(receipt.body["journal"]["seq"].as_u64());
                }
                true => (),
            }
        }
        match of_one.wrong.is_empty() {
            true => found
                .checked
                .push(format!("the receipt {} is signed and matches the journal", path.display())),
            false => found
                .wrong
                .extend(of_one.wrong.into_iter().map(|wrong| format!("{}: {wrong}", path.display()))),
        }
    }
    if let Some(until) = receipts_until.filter(|until| *until < head.seq.0) {
        found.signed_until = Some((until, head.seq.0));
    }
    Ok(())
}

/// Looks at words that were taken away: the chain says that an act declared it, this that nothing else was done
/// under that name.
fn redactions(house: &House, reader: &dyn JournalReader, found: &mut VerifyReport) -> Result<()> {
    if house.summaries().all(|known| known.redacted_by.is_none()) {
        return Ok(());
    }
    let seen = survey(reader, None)?;
    let acts = counted(seen.redacted, "act");
    found.checked.push(format!("redacted: {acts}, each as a later act declares it"));
    for matter in seen.unfinished {
        let number = number(house, matter);
        found.notes.push(format!(
            "the deletion of matter {number} was not finished and its words are still there: run `synod delete {number}`"
        ));
    }
    for (seq, matter) in seen.strange {
        found.wrong.push(format!(
            "act {seq} was declared redacted for matter {}, but it still has words of it or does not belong to it",
            number(house, matter)
        ));
    }
    Ok(())
}

/// What a deletion leaves that was interrupted after the words were replaced.
pub(super) const SCRUB_DUE: &str = "a deletion was interrupted, and deleted words may still lie in the journal file: the next command that writes clears them";

/// The receipts a house keeps.
fn kept(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir.join("receipts")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    paths
}

/// Compares a receipt with the journal it speaks of.
fn against_journal(
    house: &House,
    head: Head,
    reader: &dyn JournalReader,
    receipt: &Receipt,
    found: &mut VerifyReport,
) {
    let Some((seq, hash)) = place(&receipt.body) else {
        return found.wrong.push("the receipt does not say which act it was made at".into());
    };
    match upkeep::may_have_signed(house, &receipt.key, seq) {
        Ok(note) => {
            found.checked.push("the key is one that this house signed with then".into());
            found.notes.extend(note);
        }
        Err(wrong) => found.wrong.push(wrong),
    }
    if seq > head.seq {
        let wrong = format!(
            "the journal ends at act {}, but the receipt was made at act {seq}: the end of the journal was removed",
            head.seq
        );
        return found.wrong.push(wrong);
    }
    match reader.read(seq, 1).ok().and_then(|records| records.into_iter().next()) {
        Some(record) if record.hash == hash => {
            found.checked.push(format!("act {seq} has the hash on the receipt"))
        }
        Some(_) | None => {
            return found.wrong.push(format!(
                "act {seq} has another hash than the receipt names: this is a different journal"
            ));
        }
    }
    let matter = matter_of(receipt);
    let branches_off = matter.is_some_and(|matter| shares_gone(house, matter));
    let again = matter.and_then(|matter| receipt_body_at(house, reader, matter, seq).ok());
    if matter.and_then(|matter| house.case(matter)).is_some_and(|case| case.settled_by != Some(seq)) {
        found.notes.push("the matter was reopened since: this receipt is of its earlier end".into());
    }
    match again.and_then(|body| crate::json::value(&body).ok()) {
        Some(body) if body == receipt.body => {
            found.checked.push("question, tally, dissent and everything else match the journal".into())
        }
        Some(body)
            if body.get("redacted").is_some()
                && wordless(&body) == wordless(&masked(&receipt.body, &body)) =>
        {
            found.checked.push(
                "the matter was deleted since: its words cannot be compared, everything else matches the journal"
                    .into(),
            )
        }
        Some(body) if branches_off && masked(&receipt.body, &body) == body => {
            found.checked.push(
                "the matter it was forked from was deleted since: words of the shared rounds cannot be compared, everything else matches the journal"
                    .into(),
            )
        }
        Some(_) | None => found.wrong.push("the journal gives a different receipt for this matter".into()),
    }
}

/// The matter a receipt says it is of.
fn matter_of(receipt: &Receipt) -> Option<MatterId> {
    receipt.body.get("matter").and_then(Value::as_str).and_then(|id| id.parse().ok())
}

/// Sees to it that the matter of a receipt is here.
fn bring(house: &mut Looked, receipt: &Receipt) -> Result<()> {
    matter_of(receipt).map_or(Ok(()), |matter| house.bring(matter))
}

/// A receipt's body without what changes with a redaction besides words, and without the word that it happened.
fn wordless(body: &Value) -> Value {
    let mut body = body.clone();
    let remove = |row: &mut Value, keys: &[&str]| {
        if let Some(row) = row.as_object_mut() {
            row.retain(|key, _| !keys.contains(&key.as_str()));
        }
    };
    // What was advised before the words were gone is not advised any more.
    remove(&mut body, &["question", "headline", "advice", "redacted"]);
    for row in body.get_mut("missing").and_then(Value::as_array_mut).into_iter().flatten() {
        remove(&mut row["cause"], &["detail"]);
    }
    body
}

/// Whether a matter shares rounds with one whose words are gone.
fn shares_gone(house: &House, matter: MatterId) -> bool {
    let is_gone = |origin| house.summary(origin).is_some_and(|known| known.redacted_by.is_some());
    house.origins(matter).any(is_gone)
}

/// A receipt's body from before, without the words that are redacted in the one of now.
fn masked(before: &Value, now: &Value) -> Value {
    match (before, now) {
        (Value::String(_), Value::String(gone)) if gone == REDACTED => now.clone(),
        (Value::Object(before), Value::Object(now)) => {
            let other = |(key, value): (&String, &Value)| {
                let value = now.get(key).map_or_else(|| value.clone(), |now| masked(value, now));
                (key.clone(), value)
            };
            before.iter().map(other).collect()
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            before.iter().zip(now).map(|(before, now)| masked(before, now)).collect()
        }
        _ => before.clone(),
    }
}

fn place(body: &Value) -> Option<(Seq, Digest)> {
    let journal = body.get("journal")?;
    Some((Seq(journal.get("seq")?.as_u64()?), journal.get("hash")?.as_str()?.parse().ok()?))
}

fn short(key: &str) -> &str {
    key.get(..12).unwrap_or(key)
}
