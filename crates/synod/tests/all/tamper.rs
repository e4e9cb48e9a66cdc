//! An attacker with the file in hand and any SQLite tool: `synod verify` finds what they did, and says what
//! it was.

use rusqlite::{Connection, params};
use synod_core::kernel::Digest;
use synod_journal::{HouseKey, Receipt};

use crate::houses::finish;
use crate::world::{Place, Run};

/// What only the acts hold that record a vote.
const CAST: &str = "{\"cast\":{\"ask\"";

/// A house with a finished matter, its receipt outside the attacker's reach.
struct Crime {
    place: Place,
    receipt: String,
}

impl Crime {
    fn prepare() -> Self {
        let place = Place::new();
        place.run([
            "debate",
            "Should we cache the index?",
            "--quiet",
            "--rehearse",
            "--charter=collaborative",
        ]);
        let receipt = place.run(["receipt"]).exits(0).out;
        let crime = Self { place, receipt };
        crime.place.write("receipt.json", &crime.receipt);
        crime.verify().exits(0).prints("everything else match the journal");
        crime.verify_alone().exits(0).prints("chained to");
        crime
    }

    fn journal(&self) -> Connection {
        Connection::open(self.place.journal()).expect("the journal")
    }

    fn sql(&self, sql: &str) {
        self.journal().execute_batch(sql).expect("an attack");
    }

    fn length(&self) -> i64 {
        self.place.rows().len() as i64
    }

    fn body(&self, seq: i64) -> String {
        self.place.rows()[seq as usize - 1].2.clone()
    }

    /// The first act whose body holds these words.
    fn find(&self, words: &str) -> i64 {
        let rows = self.place.rows();
        rows.iter().find(|(_, _, body)| body.contains(words)).expect("such an act").0
    }

    /// Writes another body, with the old hash or with its own.
    fn edit(&self, seq: i64, body: &str, rehash: bool) {
        let journal = self.journal();
        journal.execute("UPDATE acts SET body = ?2 WHERE seq = ?1", params![seq, body]).expect("an edit");
        if rehash {
            let hash = Digest::of(body.as_bytes()).0;
            journal.execute("UPDATE acts SET hash = ?2 WHERE seq = ?1", params![seq, hash]).expect("a hash");
        }
    }

    /// Makes the chain hold again from this act on, as an attacker does who has read how it is made.
    fn rechain(&self, from: i64) {
        let rows = self.place.rows();
        let mut before = rows[from as usize - 1].clone();
        for (seq, old_hash, body) in rows.into_iter().skip(from as usize) {
            let named = serde_json::from_str::<serde_json::Value>(&body).expect("an act")["prev"].clone();
            let new: String = before.1.iter().map(|byte| format!("{byte:02x}")).collect();
            let body = body.replace(named.as_str().expect("a hash"), &new);
            let hash = Digest::of(body.as_bytes()).0;
            assert_ne!(hash.to_vec(), old_hash);
            self.edit(seq, &body, true);
            before = (seq, hash.to_vec(), body);
        }
    }

    /// `synod verify receipt.json`
    fn verify(&self) -> Run {
        self.place.run(["verify", "receipt.json"])
    }

    /// `synod verify`, which knows nothing but the journal.
    fn verify_alone(&self) -> Run {
        self.place.run(["verify"])
    }

    /// Both find it, and say so in a line that holds these words; the JSON says the same.
    #[track_caller]
    fn found(self, words: &str) {
        self.verify_alone().exits(1).prints("WRONG  ").prints(words);
        self.found_by_receipt(words);
    }

    /// The journal holds in itself; held against the receipt it does not.
    #[track_caller]
    fn found_by_receipt_alone(self, words: &str) {
        // The chain holds; what the house keeps of it does not.
        self.verify_alone().exits(1).prints("ok     the journal: ").prints(words);
        std::fs::remove_dir_all(self.place.house().join("receipts")).expect("the kept receipts");
        std::fs::remove_file(synod_journal::checkpoints::path(&self.place.house())).expect("the checkpoints");
        std::fs::remove_file(self.place.house().join("mark")).expect("the mark");
        self.verify_alone().exits(0).prints("unsigned\n");
        self.found_by_receipt(words);
    }

    #[track_caller]
    fn found_by_receipt(self, words: &str) {
        self.verify().exits(1).prints("WRONG  ").prints(words);
        let told = self.place.json(["verify", "receipt.json"]);
        assert_eq!(told["good"], false);
        assert!(told["wrong"].to_string().contains(words), "{told}");
        self.place.spoil();
    }
}

#[test]
fn an_honest_house_and_receipt() {
    let crime = Crime::prepare();
    crime.verify().exits(0).hides("WRONG");
    let elsewhere = Place::new();
    elsewhere.write("receipt.json", &crime.receipt);
    let alone = elsewhere.run(["verify", "receipt.json"]).exits(3);
    alone
        .prints("the receipt is signed by key ")
        .prints("signed by an unknown key\n")
        .prints("note   no house at .synod: nothing was compared with a journal");
    let key = format!(
        "--key={}",
        HouseKey::load(&crime.place.house()).expect("a key").expect("a key").public_hex()
    );
    elsewhere.run(["verify", "receipt.json", &key]).exits(0).prints("signed\n");
    finish(crime.place);
}

#[test]
fn one_flipped_byte() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    crime.edit(seq, &crime.body(seq).replacen("rehearsal", "Rehearsal", 1), false);
    crime.found(&format!("act {seq} was edited: its bytes have the hash "));
}

/// Any byte of the file, past SQLite: found, or of no meaning. Never a panic, never another journal.
#[test]
fn any_flipped_byte_of_the_file() {
    let crime = Crime::prepare();
    crime.sql("PRAGMA wal_checkpoint(TRUNCATE)");
    let (file, rows) = (std::fs::read(crime.place.journal()).expect("the journal"), crime.place.rows());
    let (mut found, tries) = (0, 48);
    for nth in 0..tries {
        let other = crime.place.copy();
        let at = (file.len() - 1) * nth / (tries - 1);
        let mut bytes = file.clone();
        bytes[at] ^= 0x20;
        std::fs::write(other.journal(), bytes).expect("the journal");
        let run = other.run(["verify"]);
        match run.code {
            0 => assert_eq!(other.rows(), rows, "byte {at} changes an act, and nobody sees it"),
            1 | 65 | 66 | 74 => found += 1,
            _ => panic!("byte {at}\n{run}"),
        }
        other.spoil();
    }
    assert!(found > 10, "only {found} flips of {tries} met something");
    finish(crime.place);
}

#[test]
fn two_swapped_entries() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    let (a, b) = (seq, seq + 1);
    crime.sql(&format!(
        "UPDATE acts SET seq = -1 WHERE seq = {a}; UPDATE acts SET seq = {a} WHERE seq = {b}; \
         UPDATE acts SET seq = {b} WHERE seq = -1"
    ));
    crime.found(&format!(
        "where act {a} should stand, act {b} stands: acts were removed or put in another order"
    ));
}

#[test]
fn two_swapped_bodies() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    let (a, b) = (crime.body(seq), crime.body(seq + 1));
    crime.edit(seq, &b, false);
    crime.edit(seq + 1, &a, false);
    crime.found(&format!("act {seq} was edited"));
}

#[test]
fn a_removed_entry() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    crime.sql(&format!("DELETE FROM acts WHERE seq = {seq}"));
    crime.found(&format!("where act {seq} should stand, act {} stands: acts were removed", seq + 1));
}

#[test]
fn a_removed_entry_and_the_gap_closed() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    // Upwards one by one: a single statement would meet a number that is still taken.
    let last = crime.length();
    crime.sql(&format!("DELETE FROM acts WHERE seq = {seq}"));
    (seq + 1..=last)
        .for_each(|above| crime.sql(&format!("UPDATE acts SET seq = {above} - 1 WHERE seq = {above}")));
    crime.found(&format!("where act {seq} should stand, act {} stands", seq + 1));
}

#[test]
fn a_removed_tail() {
    for removed in [1, 3] {
        let crime = Crime::prepare();
        let last = crime.length();
        crime.sql(&format!("DELETE FROM acts WHERE seq > {}", last - removed));
        crime.found_by_receipt_alone(&format!(
            "the journal ends at act {}, but the receipt was made at act {last}: the end of the journal was removed",
            last - removed
        ));
    }
}

#[test]
fn everything_removed() {
    let crime = Crime::prepare();
    crime.sql("DELETE FROM acts");
    crime.found_by_receipt("the end of the journal was removed");
}

#[test]
fn a_changed_author() {
    let crime = Crime::prepare();
    let seq = crime.find("\"by\":\"seat:skeptic\"");
    let forged = crime.body(seq).replace("\"by\":\"seat:skeptic\"", "\"by\":\"seat:steward\"");
    crime.edit(seq, &forged, true);
    crime.found(&format!("act {} does not follow what stands before it", seq + 1));
}

#[test]
fn a_changed_author_of_the_last_act() {
    let crime = Crime::prepare();
    let last = crime.length();
    let forged = crime.body(last).replacen("\"by\":\"seat:", "\"by\":\"seat:x", 1);
    crime.edit(last, &forged, true);
    crime.found_by_receipt_alone(&format!("act {last} has another hash than the receipt names"));
}

#[test]
fn a_chain_made_anew_after_an_edit() {
    let crime = Crime::prepare();
    let seq = crime.find("Should we cache the index?");
    let forged = crime.body(seq).replace("Should we cache the index?", "Should we burn the index?");
    crime.edit(seq, &forged, true);
    crime.rechain(seq);
    let last = crime.length();
    crime.found_by_receipt_alone(&format!(
        "act {last} has another hash than the receipt names: this is a different journal"
    ));
}

/// Who edits what came of a command, and makes the chain anew, is found by judging it again.
#[test]
fn a_forged_outcome_does_not_replay() {
    let crime = Crime::prepare();
    let seq = crime.find(CAST);
    let body = crime.body(seq);
    let honest = if body.contains("\"choice\":\"yes\"") { "yes" } else { "no" };
    let forged = if honest == "yes" { "no" } else { "yes" };
    crime.edit(
        seq,
        &body.replace(&format!("\"choice\":\"{honest}\""), &format!("\"choice\":\"{forged}\"")),
        true,
    );
    crime.rechain(seq);
    crime.place.run(["verify"]).exits(1).prints("ok     the journal: ");
    crime.place.run(["replay"]).exits(1).prints(&format!("act {seq} comes out otherwise when judged again"));
    let told = crime.place.json(["replay"]);
    assert_eq!((&told["same"], &told["act"]), (&false.into(), &seq.into()));
    crime.found_by_receipt("has another hash than the receipt names");
}

/// Rules that are not what the text of their charter says: they would judge matters to come.
#[test]
fn a_forged_charter() {
    let crime = Crime::prepare();
    let seq = crime.find("\"charter\":{\"digest\"");
    let body = crime.body(seq);
    let (before, rules) = body.split_once("\"outcome\"").expect("what came of it");
    let forged = format!("{before}\"outcome\"{}", rules.replace("\"pass\":\"> 1/2\"", "\"pass\":\"> 1/9\""));
    assert_ne!(forged, body, "there is a threshold to forge");
    crime.edit(seq, &forged, true);
    crime.rechain(seq);
    let wrong = format!("act {seq}: the rules of charter collaborative are not what its text says");
    crime.place.run(["verify"]).exits(1).prints(&wrong);
    // With the mark, nothing is written at all.
    std::fs::remove_file(crime.place.house().join("mark")).expect("a mark");
    crime
        .place
        .run(["debate", "Something else?", "--rehearse", "--charter=collaborative"])
        .exits(65)
        .tells("has other rules under the charter collaborative");
    crime.place.spoil();
}

#[test]
fn a_changed_signature() {
    let crime = Crime::prepare();
    let at = crime.receipt.find("\"signature\":\"").expect("a signature") + 20;
    let mut forged = crime.receipt.clone();
    let digit = if &forged[at..=at] == "0" { "1" } else { "0" };
    forged.replace_range(at..=at, digit);
    crime.place.write("receipt.json", forged);
    crime.verify_alone().exits(0);
    crime.found_by_receipt(
        "this receipt was changed after it was signed, or signed with another key than it names",
    );
}

#[test]
fn a_changed_receipt() {
    let crime = Crime::prepare();
    let forged = crime.receipt.replacen("\"margin\":", "\"margin\":1", 1);
    crime.place.write("receipt.json", forged);
    crime.found_by_receipt("this receipt was changed after it was signed");
}

#[test]
fn a_reformatted_receipt() {
    let crime = Crime::prepare();
    crime.place.write("receipt.json", crime.receipt.replacen("\":", "\": ", 1));
    crime.found_by_receipt("this receipt was reformatted or edited");
}

/// Signs this body with the key of another house.
fn signed_elsewhere(body: &serde_json::Value) -> (Place, Receipt) {
    let other = Place::new();
    other.run(["debate", "Is it our house?", "--quiet", "--rehearse"]);
    let key = HouseKey::load(&other.house()).expect("a key").expect("a key");
    let receipt = Receipt::sign(&key, body.clone()).expect("a receipt");
    (other, receipt)
}

#[test]
fn a_receipt_signed_by_another_key() {
    let crime = Crime::prepare();
    let honest = Receipt::parse(crime.receipt.as_bytes()).expect("a receipt");
    let (other, forged) = signed_elsewhere(&honest.body);
    crime.place.write("receipt.json", forged.to_line().expect("a line"));
    let theirs = &forged.key[..12];
    crime
        .found_by_receipt(&format!("the receipt is signed by {theirs}, which never was a key of this house"));
    finish(other);
}

#[test]
fn a_changed_receipt_signed_by_another_key() {
    let crime = Crime::prepare();
    let honest = Receipt::parse(crime.receipt.as_bytes()).expect("a receipt");
    let mut body = honest.body.clone();
    body["headline"] = "PASSED unanimously".into();
    let (other, forged) = signed_elsewhere(&body);
    crime.place.write("receipt.json", forged.to_line().expect("a line"));
    crime.found_by_receipt("the journal gives a different receipt for this matter");
    finish(other);
}

#[test]
fn the_receipt_of_another_house() {
    let crime = Crime::prepare();
    let other = Crime::prepare();
    crime.place.write("receipt.json", &other.receipt);
    crime.found_by_receipt("which never was a key of this house");
    finish(other.place);
}
