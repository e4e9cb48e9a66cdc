//! Houses that cannot be used: no directory, a disk that is read-only or full, a journal that is none, is
//! too new or was forged, keys that lie open.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use rusqlite::Connection;

use super::{Treasure, told};
use crate::houses::finish;
use crate::server::{Server, say, speech, vote};
use crate::world::{Place, Run, Started};

#[test]
fn a_house_that_is_a_file() {
    let place = Place::new();
    place.write("taken", "something else");
    for args in
        [&["debate", "Should we?", "--rehearse"][..], &["list"], &["resume"], &["verify"], &["replay"]]
    {
        let run = place.run([args, &["--house=taken"]].concat());
        told(run, 64, &["taken is a file, but a house is a directory: name another with --house DIR"]);
    }
    place.run(["doctor", "--house=taken"]).exits(65).prints("BAD   house     taken is a file");
    assert_eq!(std::fs::read_to_string(place.dir().join("taken")).unwrap(), "something else");
}

/// Says on the terminal that something was not tested, past the capture of test output.
fn skipped(what: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {what}");
}

/// Makes the working directory read-only, for the process and what it starts.
const MOUNT: &str = "mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\"";

/// Whether this machine lets us mount something of our own.
fn can_mount(place: &Place) -> bool {
    let mut probe = place.bare("unshare");
    probe.args(["-rm", "sh", "-c", MOUNT]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Runs synod while its working directory is mounted read-only.
fn read_only(place: &Place, args: &[&str]) -> Run {
    let mut shell = place.bare("unshare");
    let script = format!("{MOUNT} && exec \"$0\" \"$@\"");
    shell.args(["-rm", "sh", "-c", &script, env!("CARGO_BIN_EXE_synod")]).args(args);
    Started::of(shell, b"").wait()
}

#[test]
fn a_read_only_disk() {
    let treasure = Treasure::new();
    if !can_mount(&treasure.place) {
        skipped("a read-only disk: this machine lets us mount nothing");
        return treasure.finish();
    }
    let on_it = |args: &[&str]| read_only(&treasure.place, args);
    told(
        on_it(&["debate", "Should we?", "--rehearse"]).after_plan(),
        74,
        &["read-only", "make it writable, or only read"],
    );
    on_it(&["list"]).exits(0).prints("Is this what was here before?");
    on_it(&["verify"]).exits(0).prints("ok     the journal");
    on_it(&["replay"]).exits(0);
    on_it(&["receipt"]).exits(0);
    on_it(&["doctor"]).exits(65).prints("is not writable").prints("reading still works");
    let empty = Place::new();
    let run = read_only(&empty, &["debate", "Should we?", "--rehearse"]).after_plan();
    told(run, 74, &["cannot make the directory .synod", "make it writable"]);
    treasure.finish();
}

/// A disk that fills up while a debate runs: it says so at once, records nothing false, and goes on later.
#[test]
fn a_disk_that_fills_up() {
    let place = Place::new();
    if !can_mount(&place) {
        return skipped("a full disk: this machine lets us mount nothing");
    }
    let server = Server::start(|request| match request.is_vote() {
        true => say(vote("YES", &"long ".repeat(1500))),
        false => say(speech("YES", &"long ".repeat(1500))),
    });
    let mut failed = 0;
    for kilobytes in [130, 150, 170, 190, 210, 230, 250, 270] {
        let place = Place::new();
        place.write(".synod/keep", "");
        let script = format!(
            "mount -t tmpfs -o size={kilobytes}k none .synod && timeout 30 \"$0\" \"$@\"; code=$?; cp -r .synod kept; exit $code"
        );
        let mut shell = place.bare("unshare");
        shell.args([
            "-rm",
            "sh",
            "-c",
            &script,
            env!("CARGO_BIN_EXE_synod"),
            "debate",
            "Should we?",
            "--key=full",
        ]);
        shell
            .args(server.seats(&["ann", "bob"]))
            .args(["--set=turn.limit_ms=5000", "--charter=collaborative"]);
        let run = Started::of(shell, b"").wait();
        // What is on the small disk is now on a large one.
        std::fs::remove_dir_all(place.house()).unwrap();
        std::fs::rename(place.dir().join("kept"), place.house()).unwrap();
        if run.code == 74 {
            failed += 1;
            assert!(!run.err.contains("no answer within"), "{kilobytes} kB: silence was invented\n{run}");
            match place.json(["list"])[0]["status"].as_str() {
                Some("interrupted") => {
                    run.tells("the disk is full: free some space").tells("resume with: synod resume ");
                    place.run(["resume"]).exits(0);
                }
                Some("passed") => {
                    // Only the receipt had no room: the decision stands and is shown.
                    run.prints("PASSED: 2 of 2 votes").tells("cannot be written").tells("`synod receipt ");
                }
                other => panic!("{kilobytes} kB: the matter is {other:?}\n{run}"),
            }
        } else {
            run.exits(0);
        }
        let report = place.report();
        assert_eq!(
            (&report["status"], report["missing"].as_array().map(Vec::len)),
            (&"passed".into(), Some(0)),
            "{report}"
        );
        finish(place);
    }
    assert!(failed >= 3, "only {failed} of these disks were too small");
}

#[test]
fn a_journal_that_is_none() {
    let place = Place::new();
    let garbage: Vec<u8> = (0..9000_u32).map(|nth| (nth * 7919 / 8) as u8).collect();
    let other = place.dir().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE songs (name TEXT)").unwrap();
    for (bytes, why) in
        [(garbage, "not a database"), (std::fs::read(&other).unwrap(), "a database of another program")]
    {
        place.write(".synod/journal.db", &bytes);
        place.run(["verify"]).exits(1).prints("WRONG  ").prints(why);
        for args in [&["debate", "Should we?", "--quiet", "--rehearse"][..], &["list"], &["replay"]] {
            let run = place.run(args);
            told(
                run.after_plan(),
                65,
                &["journal.db is not a Synod journal", why, "move it away or name another directory"],
            );
        }
        place.run(["doctor"]).exits(65).prints("BAD   house").prints(why);
        assert_eq!(std::fs::read(place.journal()).unwrap(), bytes, "it was not ours to change");
    }
    place.spoil();
}

#[test]
fn a_journal_from_a_newer_version() {
    let treasure = Treasure::new();
    Connection::open(treasure.place.journal()).unwrap().pragma_update(None, "user_version", 7).unwrap();
    for args in [&["debate", "Should we?", "--quiet", "--rehearse"][..], &["list"], &["replay"]] {
        let run = treasure.place.run(args);
        told(run.after_plan(), 65, &["journal.db has schema 7, this synod knows up to 3; upgrade synod"]);
    }
    treasure.intact();
    Connection::open(treasure.place.journal()).unwrap().pragma_update(None, "user_version", 3).unwrap();
    treasure.finish();
}

/// Nobody writes behind an act that was forged.
#[test]
fn a_journal_that_was_edited() {
    let treasure = Treasure::new();
    Connection::open(treasure.place.journal())
        .unwrap()
        .execute_batch("UPDATE acts SET body = replace(body, '0', '1') WHERE seq = 3")
        .unwrap();
    let rows = treasure.place.rows();
    for args in [&["debate", "Should we?", "--quiet", "--rehearse"][..], &["list"], &["resume"]] {
        let run = treasure.place.run(args);
        told(run.after_plan(), 65, &["act 3 was edited"]);
    }
    treasure.place.run(["doctor"]).exits(65).prints("BAD   journal   act 3 was edited");
    assert_eq!(treasure.place.rows(), rows);
    treasure.place.spoil();
}

fn mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn keys_that_others_can_read() {
    let treasure = Treasure::new();
    let key = treasure.place.house().join("key");
    mode(&key, 0o644);
    let words = ["the key .synod/key may be read by others (mode 644); run: chmod 600 .synod/key"];
    let run = treasure.place.run(["debate", "Should we?", "--quiet", "--rehearse"]);
    told(run.after_plan(), 65, &words);
    told(treasure.place.run(["receipt"]), 65, &words);
    treasure.place.run(["doctor"]).exits(65).prints("BAD   key");
    treasure.place.run(["verify"]).exits(0);
    mode(&key, 0o600);

    let file = treasure.place.write("api-key", "sk-0123456789\n");
    mode(&file, 0o644);
    treasure.place.write(".synod/providers.toml", format!("[openai]\nkey_file = \"{}\"\n", file.display()));
    let args = ["debate", "Should we?", "--seat=ann=openai:gpt-5"];
    treasure.refuses(&args, 65, &["api-key can be read by others: run `chmod 600 ", "seat `ann`"]);
    treasure.finish();
}

/// Receipts signed by a key made in its place would all verify as forged.
#[test]
fn a_house_whose_key_is_gone_or_another() {
    let place = Place::new();
    place.run(["debate", "Should we?", "--quiet", "--rehearse"]);
    let key = place.house().join("key");
    let honest = std::fs::read(&key).expect("the key");
    std::fs::remove_file(&key).expect("the key can be lost");
    place
        .run(["debate", "Again?", "--quiet", "--rehearse"])
        .exits(65)
        .tells("is missing: restore it from a backup");
    place.run(["receipt"]).exits(65).tells("is missing");
    place.run(["doctor"]).exits(65).prints("BAD   key");
    let other = Place::new();
    other.run(["debate", "Should we?", "--quiet", "--rehearse"]);
    std::fs::copy(other.house().join("key"), &key).expect("another key");
    place
        .run(["debate", "Again?", "--quiet", "--rehearse"])
        .exits(65)
        .tells("is not the one this house signs with");
    std::fs::write(&key, honest).expect("the key can be restored");
    place.run(["receipt"]).exits(0);
    finish(other);
    finish(place);
}

/// A house that lost its journal is not founded anew beside its receipts.
#[test]
fn a_journal_that_was_lost() {
    let place = Place::new();
    place.run(["debate", "Should we?", "--quiet", "--rehearse"]);
    std::fs::remove_file(place.journal()).expect("the journal can be lost");
    place.run(["debate", "Again?", "--quiet", "--rehearse"]).exits(65).tells("18 acts are gone");
    std::fs::remove_file(place.house().join("mark")).expect("the mark can be lost, too");
    place
        .run(["debate", "Again?", "--quiet", "--rehearse"])
        .exits(65)
        .tells("but there are receipts")
        .tells("synod restore DIR --yes");
    place.spoil();
}
