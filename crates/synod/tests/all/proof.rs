//! A record that proves itself: proofs without the journal, acknowledgements that outlive an attacker, witnesses, and tools that are
//! not ours.

pub(crate) mod others;
mod witness;

use std::path::Path;

use rusqlite::{Connection, params};
use serde_json::Value;
use synod_core::kernel::Digest;
use synod_journal::{HouseKey, Receipt, checkpoints};

use crate::houses::finish;
use crate::world::Place;

/// A house with one decision.
pub(crate) fn decided() -> Place {
    let place = Place::new();
    decide(&place, "Should we cache the index?");
    place
}

pub(crate) fn decide(place: &Place, question: &str) {
    place.run(["debate", question, "--quiet", "--rehearse", "--charter=collaborative"]);
}

/// Says that a check was left out, past what the test runner holds back.
pub(crate) fn skipped(why: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("SKIPPED: {why}\n").as_bytes());
}

/// The public key of a house, hex.
pub(crate) fn key_of(place: &Place) -> String {
    HouseKey::load(&place.house()).expect("a key").expect("a key").public_hex()
}

/// The line of a house for policies.
pub(crate) fn log_of(place: &Place) -> String {
    place.json(["witness", "status"])["log"].as_str().expect("a key").into()
}

/// Changes the body of one act and makes the chain hold again, as an attacker does who has read how it is made.
pub(crate) fn rewrite(place: &Place, seq: i64, change: impl Fn(&str) -> String) {
    let journal = Connection::open(place.journal()).expect("the journal");
    let mut before: Option<(String, String)> = None;
    for (at, hash, body) in place.rows() {
        let mut body = if at == seq { change(&body) } else { body };
        let old: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        if let Some((was, is)) = &before {
            body = body.replace(was, is);
        }
        let new = Digest::of(body.as_bytes());
        journal
            .execute("UPDATE acts SET body = ?2, hash = ?3 WHERE seq = ?1", params![at, body, new.0])
            .expect("an edit");
        before = Some((old, new.to_string()));
    }
    drop_mark(&place.house());
}

/// Whoever can rewrite the journal can take away the mark beside it, too.
pub(crate) fn drop_mark(house: &Path) {
    let _ = std::fs::remove_file(house.join("mark"));
}

/// Takes away everything in the house that was signed.
fn hide(house: &Path) {
    let _ = std::fs::remove_file(checkpoints::path(house));
    let _ = std::fs::remove_dir_all(house.join("receipts"));
    let _ = std::fs::remove_file(house.join("snapshot"));
}

#[test]
fn a_decision_is_proven_without_the_journal() {
    let place = decided();
    let (proof, receipt) = (place.run(["proof"]).exits(0).out, place.run(["receipt"]).exits(0).out);
    assert!(proof.starts_with("c2sp.org/tlog-proof@v1\nextra "), "{proof}");
    assert!(proof.len() < 1000, "{} bytes", proof.len());
    let reader = Place::new();
    reader.write("d.tlog-proof", &proof);
    reader.write("receipt.json", &receipt);
    let key = format!("--key={}", key_of(&place));
    let both = ["verify", "d.tlog-proof", "receipt.json", &key];
    let run = reader.run(both).exits(0);
    assert!(run.out.starts_with("signed\n"), "{}", run.out);
    reader.run(["verify", "d.tlog-proof", &key]).exits(0);
    let unknown = reader.run(["verify", "d.tlog-proof"]).exits(3);
    assert!(unknown.out.starts_with("signed by an unknown key\n"), "{}", unknown.out);
    // Another decision of the same house is not proven by it.
    decide(&place, "Should we ship?");
    reader.write("other.json", place.run(["receipt"]).exits(0).out);
    reader.run(["verify", "d.tlog-proof", "other.json", &key]).exits(1).prints("the proof is of act");
    // A changed path, a changed head.
    let changed = proof.replacen("index ", "index 1", 1);
    reader.write("changed.tlog-proof", changed);
    let run = reader.run(["verify", "changed.tlog-proof", &key]).exits(1);
    assert!(run.out.starts_with("broken\n"), "{}", run.out);
    finish(place);
}

#[test]
fn any_act_and_the_growth_of_the_record_are_proven() {
    let place = decided();
    let last = place.rows().len();
    for act in [1, 2, last] {
        let proven = place.json(["proof", &format!("--act={act}")]);
        assert_eq!(proven["act"], act);
        let row = &place.rows()[act - 1];
        assert_eq!(proven["hash"], Digest(row.1.clone().try_into().expect("32 bytes")).to_string());
        place.write("act.json", proven.to_string());
        place.run(["verify", "act.json"]).exits(0).prints("the journal still has");
    }
    place.run(["proof", "--act=0"]).exits(66).tells("there is no act 0");
    place.run(["proof", &format!("--act={}", last + 1)]).exits(66);
    let grown = place.run(["proof", "--since=2"]).exits(0);
    assert!(grown.out.starts_with("old 2\n"), "{}", grown.out);
    place.run(["proof", "--since=100000"]).exits(64).tells("cannot be proven");
    finish(place);
}

#[test]
fn a_forged_receipt_is_never_good() {
    let place = decided();
    let mut forged: Value = serde_json::from_str(&place.run(["receipt"]).exits(0).out).expect("a receipt");
    forged["body"]["headline"] = "REJECTED".into();
    let mallory = tempfile::tempdir().expect("a directory");
    let key = HouseKey::load_or_create(mallory.path()).expect("a key");
    forged["body"]["house"] = key.public_hex().into();
    let forged = Receipt::sign(&key, forged["body"].clone()).expect("a receipt").to_line().expect("a line");
    let reader = Place::new();
    reader.write("forged.json", &forged);
    let run = reader.run(["verify", "forged.json"]).exits(3);
    assert!(run.out.starts_with("signed by an unknown key\n"), "{}", run.out);
    assert_eq!(reader.json(["verify", "forged.json"])["good"], false);
    // A reader who knows the house by its key is not misled either.
    reader.run(["verify", "forged.json", &format!("--key={}", key_of(&place))]).exits(3);
    reader.write("policy", format!("log {}\nquorum none\n", log_of(&place)));
    reader.run(["verify", "forged.json", "--policy=policy"]).exits(3);
    place.write("forged.json", &forged);
    place.run(["verify", "forged.json"]).exits(1);
    finish(place);
}

/// A ring with an open ballot, and what bob was told when he voted.
fn voted() -> (Place, Value) {
    let place = Place::new();
    let open = ["ring", "open", "Cache?", "--invite=ann", "--invite=bob", "--charter=quick", "--rounds=1"];
    place.run(open).exits(0);
    let as_ann = |words: &[&str]| place.run([&["ring"], words, &["--as=ann"]].concat()).exits(0);
    let as_bob = |words: &[&str]| place.run([&["ring"], words, &["--as=bob"]].concat()).exits(0);
    drop((as_ann(&["join"]), as_bob(&["join"])));
    drop((as_ann(&["propose", "--title=Yes", "We should."]), as_bob(&["skip"])));
    drop((as_ann(&["say", "It is time."]), as_bob(&["say", "It is not."])));
    let said = place.json(["ring", "vote", "A", "reject", "--as=bob"]);
    (place, said)
}

/// The flipped vote of an open ballot: the chain holds, the owner of the key goes along, and bob shows that it was done.
#[test]
fn whoever_holds_an_acknowledgement_finds_a_flipped_vote() {
    let (place, said) = voted();
    let acknowledged = &said["acknowledgement"];
    let act = acknowledged["act"].as_i64().expect("an act");
    let proof = acknowledged["proof"].as_str().expect("a proof");
    assert!(proof.starts_with("c2sp.org/tlog-proof@v1\n") && proof.len() < 1000, "{said}");
    place.write("mine.json", said.to_string());
    let run = place.run(["verify", "mine.json"]).exits(0);
    assert!(run.out.starts_with("signed\n"), "{}", run.out);
    rewrite(&place, act, |body| body.replace("\"reject\"", "\"approve\""));
    hide(&place.house());
    place.run(["verify"]).exits(0).prints("chained to");
    let run = place.run(["verify", "mine.json"]).exits(1).prints("its history was rewritten");
    assert!(run.out.starts_with("broken\n"), "{}", run.out);
    // Also after the ballot was closed on it and everything was signed anew.
    place.run(["ring", "vote", "A", "approve", "--as=ann"]).exits(0);
    place.run(["verify"]).exits(0);
    place.run(["verify", "mine.json"]).exits(1);
    place.spoil();
}

#[test]
fn a_cut_tail_is_found_by_the_houses_own_checkpoints() {
    let place = decided();
    decide(&place, "Should we ship?");
    let journal = Connection::open(place.journal()).expect("the journal");
    let last = place.rows().len();
    journal.execute("DELETE FROM acts WHERE seq > ?1", params![last as i64 - 3]).expect("a cut");
    std::fs::remove_dir_all(place.house().join("receipts")).expect("the receipts");
    let run = place.run(["verify"]).exits(1).prints("its end was removed");
    assert!(run.out.starts_with("broken\n"), "{}", run.out);
    place.spoil();
}

#[test]
fn what_does_not_belong_into_the_database_is_found() {
    for (attack, said) in [
        ("CREATE TABLE votes (a)", "a table `votes`"),
        (
            "CREATE TRIGGER late AFTER INSERT ON acts BEGIN DELETE FROM acts WHERE seq = 2; END",
            "a trigger `late`",
        ),
        ("CREATE VIEW seen AS SELECT body FROM acts", "a view `seen`"),
        ("CREATE INDEX found ON acts (redacted)", "a index `found`"),
        ("INSERT INTO acts VALUES (-7, zeroblob(32), '{}', 0)", "has the number -7"),
        ("INSERT INTO acts VALUES (0, zeroblob(32), '{}', 0)", "has the number 0"),
        (
            "INSERT INTO acts VALUES (9007199254740993, zeroblob(32), '{}', 0)",
            "rows are missing or were added",
        ),
        ("UPDATE term SET number = -4", "the term of the last writer was changed"),
        ("UPDATE term SET number = 0", "the term of the last writer was changed"),
        ("DELETE FROM term", "the term of the last writer was changed"),
    ] {
        let place = decided();
        Connection::open(place.journal()).expect("the journal").execute_batch(attack).expect("an attack");
        let run = place.run(["verify"]).exits(1).prints(said);
        assert!(run.out.starts_with("broken\n"), "{attack}: {}", run.out);
        place.spoil();
    }
}

#[test]
fn a_settled_matter_without_its_receipt_is_told() {
    let place = decided();
    place.run(["verify"]).exits(0).hides("without a receipt");
    std::fs::remove_dir_all(place.house().join("receipts")).expect("the receipts");
    place.run(["verify"]).prints("1 settled matter without a receipt: 1");
    finish(place);
}

#[test]
fn checkpoints_are_few_and_follow_what_is_settled() {
    let place = decided();
    let kept = checkpoints::all(&place.house()).expect("checkpoints");
    let last = kept.last().expect("a checkpoint");
    assert_eq!(last.checkpoint.size, place.rows().len() as u64, "the end of a command signs what there is");
    assert!(kept.len() <= 4, "{}", kept.len());
    // A crash that cut the last line off costs that line.
    let path = checkpoints::path(&place.house());
    let text = std::fs::read_to_string(&path).expect("the file");
    std::fs::write(&path, &text[..text.len() - 40]).expect("half a line");
    decide(&place, "Should we ship?");
    place.run(["verify"]).exits(0).hides("WRONG");
    finish(place);
}
