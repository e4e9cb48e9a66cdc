//! Faults that never decide, lost acts, backups and keys, through the real binary.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use crate::server::{Server, say, speech, vote};
use crate::world::Place;

const TOPIC: &str = "Should we cache the search index?";

fn rehearsed() -> Place {
    let place = Place::new();
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    place
}

fn acts(place: &Place) -> usize {
    place.acts().len()
}

#[test]
fn a_key_is_rotated_revoked_and_recovered_and_old_receipts_verify() {
    let place = rehearsed();
    let receipt = place.house().join("receipts").read_dir().unwrap().next().unwrap().unwrap().path();
    let first = place.json(["key", "show"])["present"].as_str().unwrap().to_string();
    place.run(["key", "rotate"]).exits(0).prints("from now on");
    let second = place.json(["key", "show"])["present"].as_str().unwrap().to_string();
    assert_ne!(first, second);
    let shown = receipt.to_str().unwrap();
    place.run(["verify"]).exits(0).prints("the key before signed key");
    place.run(["verify", shown]).prints("act ");
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    place.run(["key", "recover"]).exits(64).tells("is there");
    std::fs::remove_file(place.house().join("key")).unwrap();
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]).after_plan().exits(65).tells("synod key recover");
    place.run(["key", "rotate"]).exits(65).tells("synod key recover");
    place.run(["key", "recover"]).exits(0);
    place.run(["verify"]).exits(0).prints("was recovered");
    let last = place.house().join("receipts");
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    let newest = last
        .read_dir()
        .unwrap()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .max_by_key(|path| std::fs::metadata(path).and_then(|known| known.modified()).unwrap());
    let newest = newest.unwrap();
    place.run(["key", "revoke"]).exits(0);
    place.run(["verify"]).exits(0).prints("was revoked");
    // A receipt from before is as good as it was, where the journal says that it is from before.
    let said = place.run(["verify", newest.to_str().unwrap()]).exits(0);
    said.prints("signed").prints("was revoked after this was signed");
    let keys = place.json(["key", "show"])["keys"].as_array().unwrap().len();
    assert_eq!(keys, 4);
    place.checked();
}

#[test]
fn a_key_that_was_recorded_and_not_put_in_place_is_found() {
    let place = rehearsed();
    let old = std::fs::read(place.house().join("key")).unwrap();
    place.run(["key", "rotate"]).exits(0);
    let new = std::fs::read(place.house().join("key")).unwrap();
    // As if the process had died after the act and before the file was put in place.
    std::fs::rename(place.house().join("key"), place.house().join("key.next")).unwrap();
    std::fs::write(place.house().join("key"), &old).unwrap();
    place.run(["doctor"]);
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    assert_eq!(std::fs::read(place.house().join("key")).unwrap(), new);
    place.run(["verify"]).exits(0);
    place.checked();
}

#[test]
fn acts_that_are_lost_are_found_and_given_up_or_restored() {
    let place = rehearsed();
    place.run(["backup", "copy"]).exits(0).prints("without the key");
    assert!(!place.dir().join("copy/key").exists() && !place.dir().join("copy/tokens.json").exists());
    place.run(["backup", "copy"]).exits(64).tells("is not empty");
    let old = std::fs::read(place.journal()).unwrap();
    let before = acts(&place);
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    let after = acts(&place);
    assert!(after > before);
    std::fs::write(place.journal(), &old).unwrap();
    place.run(["verify"]).exits(1).prints("acts are lost");
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]).after_plan().exits(65).tells("synod repair");
    place.run(["repair"]).exits(65).tells("synod restore");
    assert_eq!(acts(&place), before, "nothing was written");
    place.run(["repair", "--yes"]).exits(0).prints("damaged-");
    place.run(["repair"]).exits(0).prints("nothing is lost");
    place.run(["verify"]).exits(0).prints("the loss was accepted");
    // The other way back.
    place.run(["restore", "copy"]).exits(64).tells("--yes");
    place.run(["restore", "copy", "--yes"]).exits(0).prints("given up").prints("replaced-");
    place.run(["verify"]).exits(0).prints("a backup was put in place");
    place.run(["debate", TOPIC, "--rehearse", "--quiet"]);
    place.run(["verify"]).exits(0);
    // And into a house that is not there.
    place.run(["restore", "copy", "--house", "elsewhere"]).exits(0);
    place.run(["verify", "--house", "elsewhere"]).exits(0);
    place.checked();
}

#[test]
fn receipts_that_are_missing_are_made_up() {
    let place = rehearsed();
    let folder = place.house().join("receipts");
    let receipt = folder.read_dir().unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&receipt).unwrap();
    place.run(["receipt", "--missing"]).exits(0).prints("no receipt is missing");
    std::fs::remove_file(&receipt).unwrap();
    place.run(["verify"]).exits(0).prints("synod receipt --missing");
    place.run(["receipt", "--missing"]).exits(0).prints(".json");
    assert_eq!(std::fs::read(&receipt).unwrap(), bytes);
    place.checked();
}

/// Another program that has the journal locked.
fn lock(path: &Path) -> Connection {
    let other = Connection::open(path).unwrap();
    other.busy_timeout(Duration::from_secs(5)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    other
}

#[test]
fn a_debate_that_cannot_be_written_pauses_and_is_resumed() {
    let place = rehearsed().with("SYNOD_WRITE_PATIENCE", "1");
    // Locked with the first request, and once only.
    let held = std::sync::Arc::new(std::sync::Mutex::new((false, None)));
    let (journal, taken) = (place.journal(), held.clone());
    let server = Server::start(move |request| {
        let mut held = taken.lock().unwrap();
        if !std::mem::replace(&mut held.0, true) {
            held.1 = Some(lock(&journal));
        }
        drop(held);
        match request.is_vote() {
            true => say(vote("YES", "It is cheap.")),
            false => say(speech("YES", "Yes: it is cheap.")),
        }
    });
    let mut args: Vec<String> =
        ["debate", TOPIC, "--quiet", "--charter=collaborative"].map(String::from).into();
    args.extend(server.seats(&["ann", "bob", "cy"]));
    place.run(&args).after_plan().exits(74).tells("locked").tells("synod resume 2");
    place.run(["list"]).exits(0).prints("interrupted").tells("nothing can be written to this house since");
    assert_eq!(server.count(), 3, "nobody was asked again for what could not be kept");
    held.lock().unwrap().1 = None;
    place.run(["resume", "2", "--quiet"]).exits(0);
    let report = place.report();
    assert_eq!(report["missing"].as_array().map(Vec::len), Some(0), "no seat was charged for it: {report}");
    place.checked();
}

/// A process that was stopped (Ctrl-Z, a paused machine) could hear nobody, so nobody was late.
#[test]
fn a_stopped_process_makes_nobody_late() {
    // Longer than a turn; and shortly, over the end of the turn, with the answers already there.
    for (limit, first, stop) in [(4000, 0, 9000), (3000, 1200, 2500)] {
        let place = Place::new();
        let program = "cat > /dev/null; sleep 1.5; echo '{\"stance\":\"YES\",\"position\":\"p\",\"vote\":\"YES\",\"reason\":\"r\"}'";
        let seats = ["ann", "bob", "cy"].map(|name| format!("--seat={name}=exec:{program}"));
        let limit = format!("--set=turn.limit_ms={limit}");
        let fixed = ["debate", TOPIC, "--charter=blind-vote", "--no-synthesis", &limit];
        let run = place.start(fixed.into_iter().chain(seats.iter().map(String::as_str)));
        run.until_told("round 1");
        std::thread::sleep(Duration::from_millis(first));
        run.signal("STOP");
        std::thread::sleep(Duration::from_millis(stop));
        run.signal("CONT");
        let ended = run.wait();
        assert!(ended.out.contains("PASSED: 3 of 3"), "{ended}");
        place.run(["verify"]).exits(0);
        place.checked();
    }
}

/// A house without its journal is not a house that was never used.
#[test]
fn a_journal_that_is_gone_is_said_to_be() {
    let place = rehearsed();
    for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
        let _ = std::fs::remove_file(place.house().join(name));
    }
    let told = place.run(["verify"]).exits(1).prints("the journal is gone");
    assert!(told.out.starts_with("broken\n"), "{told}");
    place.run(["doctor"]).exits(65).prints("the journal of .synod is gone");
    place.spoil();
}

/// A later matter may get the id of a lost one. The receipt of the lost one is kept apart.
#[test]
fn receipts_of_lost_decisions_are_kept_after_repair() {
    let place = rehearsed();
    let receipts = place.house().join("receipts");
    let name = receipts.read_dir().unwrap().next().unwrap().unwrap().file_name();
    let journal = Connection::open(place.journal()).unwrap();
    journal.execute_batch("DELETE FROM acts WHERE seq > (SELECT max(seq) - 3 FROM acts)").unwrap();
    drop(journal);
    place.run(["repair", "--yes"]).exits(0);
    let is_damaged = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("damaged-");
    let folder = place.house().read_dir().unwrap().flatten().find(is_damaged).expect("a folder").path();
    assert!(folder.join("receipts").join(&name).is_file() && !receipts.join(&name).exists());
    place.spoil();
}
