//! Somebody who can write the files of a house and has no key: what they add, put back or exchange is never called signed.

use rusqlite::{Connection, params};
use serde_json::json;
use synod_core::kernel::Digest;
use synod_journal::{HouseKey, Receipt, checkpoints};

use crate::houses::finish;
use crate::proof::{decide, decided, drop_mark, key_of, rewrite};
use crate::service::{Served, token};
use crate::world::Place;

/// Appends an act that anybody could have made up, chained to the last one.
pub(crate) fn append(place: &Place) {
    let rows = place.rows();
    let (seq, hash, body) = rows.last().expect("acts").clone();
    let mut act: serde_json::Value = serde_json::from_str(&body).expect("an act");
    act["seq"] = json!(seq + 1);
    act["prev"] = json!(hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    act["by"] = json!("engine");
    act["command"] = json!("tick");
    act["outcome"] = json!({ "done": [] });
    for extra in ["key", "salt", "vouched"] {
        act.as_object_mut().map(|all| all.remove(extra));
    }
    let body = act.to_string();
    let journal = Connection::open(place.journal()).expect("the journal");
    let hash = Digest::of(body.as_bytes()).0;
    let added = "INSERT INTO acts (seq, hash, body, redacted) VALUES (?1, ?2, ?3, 0)";
    journal.execute(added, params![seq + 1, hash, body]).expect("an act more");
}

#[test]
fn what_came_after_the_last_signature_is_not_signed() {
    let place = decided();
    let key = key_of(&place);
    let good = place.run(["verify", "--key", &key]).exits(0);
    assert!(good.out.starts_with("signed\n"), "{good}");
    append(&place);
    let told = place.run(["verify", "--key", &key]).exits(4).prints("came after the last signature");
    assert!(told.out.starts_with("unsigned\n"), "{told}");
    let told = place.run(["verify"]).exits(0);
    assert!(told.out.starts_with("unsigned\n"), "{told}");
    place.spoil();
}

#[test]
fn a_key_that_is_named_must_have_signed() {
    let (place, other) = (decided(), decided());
    // The key of another house, although this user knows this one.
    place.run(["verify", "--key", &key_of(&other)]).exits(3);
    let key = key_of(&place);
    for name in ["mark", "checkpoints"] {
        std::fs::remove_file(place.house().join(name)).expect("a file");
    }
    std::fs::remove_dir_all(place.house().join("receipts")).expect("receipts");
    let told = place.run(["verify", "--key", &key]).exits(4);
    assert!(told.out.starts_with("unsigned\n"), "{told}");
    place.spoil();
    finish(other);
}

#[test]
fn nothing_is_signed_over_a_record_that_was_changed() {
    let place = decided();
    rewrite(&place, 3, |body| body.replacen("\"at\":1", "\"at\":2", 1));
    drop_mark(&place.house());
    let before = checkpoints::all(&place.house()).expect("checkpoints").len();
    decide(&place, "Something else?");
    assert_eq!(checkpoints::all(&place.house()).expect("checkpoints").len(), before);
    place.run(["verify"]).exits(1).prints("its history was rewritten");
    place.spoil();
}

#[test]
fn a_backup_that_was_changed_is_not_restored() {
    let place = decided();
    place.run(["backup", "copy"]).exits(0);
    let change = |dir: &str, sql: &str| {
        let journal = Connection::open(place.dir().join(dir).join("journal.db")).expect("the copy");
        journal.execute_batch(sql).expect("a change");
    };
    change("copy", "DELETE FROM acts WHERE seq = (SELECT max(seq) FROM acts)");
    place.run(["restore", "copy", "--yes"]).exits(65).tells("changed after it was made");
    // Of another house.
    let other = decided();
    other.run(["backup", "theirs"]).exits(0);
    let theirs = other.dir().join("theirs");
    place.run(["restore", theirs.to_str().expect("a path"), "--yes"]).exits(65).tells("another house");
    place.run(["verify"]).exits(0);
    finish(place);
    finish(other);
}

#[test]
fn a_receipt_under_anothers_name_is_found_and_written_anew() {
    let place = decided();
    decide(&place, "Should we ship?");
    let receipts = place.house().join("receipts");
    let mut names: Vec<_> = receipts.read_dir().expect("receipts").flatten().map(|it| it.path()).collect();
    names.sort();
    std::fs::copy(&names[0], &names[1]).expect("a copy");
    place
        .run(["verify"])
        .exits(1)
        .prints("under the name of another matter")
        .prints("synod receipt --missing");
    place
        .run(["receipt", "--missing"])
        .exits(0)
        .prints(names[1].file_name().and_then(|it| it.to_str()).expect("a name"));
    place.run(["verify"]).exits(0);
    // An empty one is missing too.
    std::fs::write(&names[0], "").expect("an empty file");
    place.run(["receipt", "--missing"]).exits(0);
    place.run(["verify"]).exits(0);
    finish(place);
}

#[test]
fn a_strangers_house_does_not_become_yours_by_another_key() {
    let made = decided();
    let cloned = Place::new();
    let copied = std::process::Command::new("cp").arg("-r").args([made.house(), cloned.house()]).status();
    assert!(copied.is_ok_and(|status| status.success()));
    std::fs::remove_dir_all(cloned.house().join("receipts")).expect("receipts");
    cloned.run(["verify"]).exits(3);
    cloned.run(["key", "rotate"]).exits(0).tells("not remembered as yours");
    cloned.run(["verify"]).exits(3);
    cloned.spoil();
    finish(made);
}

#[test]
fn lines_of_checkpoints_that_cannot_be_read_are_said() {
    let place = decided();
    let path = checkpoints::path(&place.house());
    let mut text = std::fs::read_to_string(&path).expect("checkpoints");
    text.insert_str(0, "{}\n");
    std::fs::write(&path, text).expect("checkpoints");
    place.run(["verify"]).exits(0).prints("nothing can be read from line 1 of the file checkpoints");
    place.spoil();
}

/// A participant sees hashes of neighbouring acts in proofs. What others gave must not be guessed from them.
#[test]
fn the_hash_of_a_vote_does_not_tell_the_vote() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Ship?", "ring-quick", &["ann", "bob"]);
    for who in ["ann", "bob"] {
        place.run(["ring", "join", "--as", who, "--matter", &matter]).exits(0);
    }
    service.end();
    let acts = place.acts();
    let salts: std::collections::BTreeSet<String> = acts
        .iter()
        .filter(|act| act["by"].as_str().is_some_and(|by| by.starts_with("seat:")))
        .map(|act| act["salt"].as_str().expect("a salt").to_string())
        .collect();
    assert!(salts.len() >= 2 && salts.iter().all(|salt| salt.len() == 32), "{salts:?}");
    place.run(["replay"]).exits(0);
    finish(place);
}

/// A stranger's prices would switch a budget off; a stranger's .gitignore would commit the key.
#[test]
fn what_a_clone_says_of_prices_and_of_git_is_not_taken_over() {
    let place = Place::new().wary().with("OPENAI_API_KEY", "sk-not-a-real-key");
    let free = "[openai]\n\"gpt-4.1-mini\" = { in = \"0.0\", cached = \"0.0\", out = \"0.0\" }\n";
    place.write(".synod/prices.toml", free);
    let plan = ["debate", "Should we?", "--plan", "--seat=ann=openai:gpt-4.1-mini", "--only"];
    place.run(plan).exits(69).tells("count costs and budgets by its own prices");
    place.run(["trust"]).exits(0);
    place.run(plan).exits(0);
    let house = decided();
    house.write(".synod/.gitignore", "!*\n");
    house.run(["doctor"]).exits(65).prints("does not keep the key and the journal out of git");
    finish(house);
}

/// What is deleted stays in journals that were moved aside, and `delete` says where.
#[test]
fn delete_names_the_copies_that_restore_left() {
    let place = decided();
    place.run(["backup", "copy"]).exits(0);
    place.run(["restore", "copy", "--yes"]).exits(0);
    place.run(["delete", "1", "--yes"]).exits(0).prints("still holds the words: ").prints("replaced-");
    place.spoil();
}

/// The receipt that a house keeps of its first matter.
fn receipt_of(place: &Place) -> Receipt {
    let kept = place.house().join("receipts").read_dir().expect("receipts").flatten().next().expect("one");
    Receipt::parse(&std::fs::read(kept.path()).expect("a receipt")).expect("a receipt")
}

#[test]
fn a_receipt_is_not_an_acknowledgement_with_more_in_it() {
    let place = decided();
    let receipt = receipt_of(&place);
    let proof = place.run(["proof", "last"]).exits(0).out;
    let (hash, mut body) = (receipt.body["journal"]["hash"].clone(), receipt.body.clone());
    body["headline"] = json!("REJECTED: delete production");
    let forged = json!({ "body": body, "hash": hash, "key": receipt.key, "proof": proof, "signature": receipt.signature });
    place.write("forged.json", forged.to_string());
    place.run(["verify", "forged.json"]).exits(1);
    let said = json!({ "hash": hash, "proof": proof });
    place.write("within.json", json!({ "acknowledgement": said, "body": body }).to_string());
    place.run(["verify", "within.json"]).exits(1);
    // Numbers that are none are not passed over, nor is anything else.
    for (name, value) in [("act", json!("7")), ("size", json!(-1)), ("headline", json!("PASSED"))] {
        let mut said =
            json!({ "act": receipt.body["journal"]["seq"], "hash": hash, "proof": proof, "size": 0 });
        said[name] = value;
        place.write("said.json", said.to_string());
        let told = place.run(["verify", "said.json"]).exits(1);
        assert!(told.out.starts_with("broken\n"), "{told}");
    }
    finish(place);
}

#[test]
fn one_house_does_not_speak_for_another() {
    let (place, other) = (decided(), decided());
    let mut body = receipt_of(&place).body;
    place.write("proof", place.run(["proof", "last"]).exits(0).out);
    body["headline"] = json!("PASSED: pay the other house");
    let key = HouseKey::load_or_create(&other.house()).expect("the key of the other");
    let sign =
        |body: serde_json::Value| Receipt::sign(&key, body).expect("signed").to_line().expect("a line");
    place.write("cross.json", sign(body.clone()));
    body["house"] = json!(key.public_hex());
    place.write("posing.json", sign(body));
    let keys = [format!("--key={}", key_of(&place)), format!("--key={}", key_of(&other))];
    let with = |files: &[&str]| {
        let files = files.iter().map(|file| file.to_string());
        let fixed = ["verify".to_string(), "--house=nowhere".to_string()];
        place.run(fixed.into_iter().chain(files).chain(keys.clone()))
    };
    // Whoever trusts both trusts each for itself.
    with(&["cross.json"]).exits(3).prints("is a key of that house");
    with(&["cross.json", "proof"]).exits(1).prints("of one house");
    with(&["posing.json", "proof"]).exits(1).prints("of one house");
    with(&["posing.json"]).exits(0);
    finish(place);
    finish(other);
}

#[test]
fn several_files_are_as_good_as_the_worst() {
    let (place, other) = (decided(), decided());
    place.write("own", place.run(["proof", "last"]).exits(0).out);
    place.write("theirs", other.run(["proof", "last"]).exits(0).out);
    let key = format!("--key={}", key_of(&place));
    for files in [["own", "theirs"], ["theirs", "own"]] {
        let told = place.run(["verify", "--house=nowhere", files[0], files[1], &key]).exits(3);
        assert!(told.out.starts_with("signed by an unknown key\n"), "{told}");
    }
    finish(place);
    finish(other);
}

#[test]
fn a_stranger_is_told_of_acts_after_the_last_signature() {
    let place = decided();
    append(&place);
    let reader = Place::new();
    let house = format!("--house={}", place.house().display());
    let told = reader.run(["verify", &house]).exits(3).prints("came after the last signature");
    assert!(told.out.starts_with("unsigned\n"), "{told}");
    place.spoil();
}

#[test]
fn a_house_that_was_restored_is_whole() {
    let place = decided();
    place.run(["backup", "copy"]).exits(0);
    decide(&place, "Should we ship?");
    let given_up = place.house().join("receipts").read_dir().expect("receipts").count();
    place.run(["restore", "copy", "--yes"]).exits(0).prints("were given up");
    place.run(["verify"]).exits(0);
    let left = place.house().join("receipts").read_dir().expect("receipts").count();
    assert_eq!(left + 1, given_up, "the receipt of what was given up is set aside");
    decide(&place, "Should we wait?");
    place.run(["verify"]).exits(0);
    finish(place);
}

#[test]
fn repair_does_not_call_a_journal_with_a_hole_whole() {
    let place = decided();
    let journal = Connection::open(place.journal()).expect("the journal");
    journal.execute_batch("DELETE FROM acts WHERE seq = 5").expect("a hole");
    drop(journal);
    for arguments in [&["repair"][..], &["repair", "--yes"]] {
        place.run(arguments).exits(65).tells("5");
    }
    place.spoil();
}
