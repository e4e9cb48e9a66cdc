//! What an attacker does to the file, and how verifying tells of it.

use std::path::Path;

use rusqlite::Connection;
use synod_core::kernel::{Digest, Seq};
use synod_journal::{Broken, Error};

use crate::sample::{house, verify};

/// A house of five acts, something done to its file, and what verifying says then.
fn found(attack: impl FnOnce(&Connection)) -> Broken {
    let dir = house(5);
    attack(&Connection::open(dir.path().join("journal.db")).unwrap());
    match verify(dir.path()) {
        Err(Error::Broken(broken)) => broken,
        other => panic!("verifying gave {other:?}"),
    }
}

fn body(file: &Connection, seq: i64) -> String {
    file.query_row("SELECT body FROM acts WHERE seq = ?1", [seq], |row| row.get(0)).unwrap()
}

/// Puts another body in place; a careful attacker also puts the hash that fits it.
fn replace(file: &Connection, seq: i64, body: &str, careful: bool) {
    file.execute("UPDATE acts SET body = ?2 WHERE seq = ?1", (seq, body)).unwrap();
    if careful {
        let hash = Digest::of(body.as_bytes());
        file.execute("UPDATE acts SET hash = ?2 WHERE seq = ?1", (seq, hash.0)).unwrap();
    }
}

#[test]
fn any_flipped_byte() {
    let dir = house(3);
    let path = dir.path().join("journal.db");
    let file = Connection::open(&path).unwrap();
    let honest = body(&file, 2);
    for at in 0..honest.len() {
        let mut bytes = honest.clone().into_bytes();
        bytes[at] ^= 1;
        // What is no text any more is kept as such: SQLite does not mind.
        file.execute("UPDATE acts SET body = CAST(?1 AS TEXT) WHERE seq = 2", [&bytes]).unwrap();
        match verify(dir.path()) {
            Err(Error::Broken(Broken::Edited { seq, .. }) | Error::Damaged { seq, .. }) => {
                assert_eq!(seq, Seq(2))
            }
            other => panic!("byte {at} flipped, verifying gave {other:?}"),
        }
    }
    replace(&file, 2, &honest, false);
    verify(dir.path()).expect("the honest body put back verifies");
}

#[test]
fn an_edit_in_words() {
    let broken = found(|file| replace(file, 3, &body(file, 3).replace("double", "halve"), false));
    assert!(matches!(broken, Broken::Edited { seq: Seq(3), .. }), "{broken:?}");
    assert!(broken.to_string().starts_with("act 3 was edited: its bytes have the hash "), "{broken}");
}

#[test]
fn an_edit_with_its_hash_made_anew() {
    let broken = found(|file| replace(file, 3, &body(file, 3).replace("double", "halve"), true));
    assert!(matches!(broken, Broken::Unchained { seq: Seq(4), .. }), "the next act tells: {broken:?}");
    assert!(broken.to_string().contains("the act before was edited, swapped or removed"), "{broken}");
}

#[test]
fn a_swapped_author() {
    let swap = |file: &Connection| body(file, 3).replace("\"by\":\"seat:ann\"", "\"by\":\"seat:bob\"");
    assert!(matches!(found(|file| replace(file, 3, &swap(file), false)), Broken::Edited { seq: Seq(3), .. }));
    assert!(matches!(
        found(|file| replace(file, 3, &swap(file), true)),
        Broken::Unchained { seq: Seq(4), .. }
    ));
}

#[test]
fn swapped_entries() {
    let broken = found(|file| {
        file.execute_batch(
            "UPDATE acts SET seq = -1 WHERE seq = 2; UPDATE acts SET seq = 2 WHERE seq = 3;
             UPDATE acts SET seq = 3 WHERE seq = -1",
        )
        .unwrap();
    });
    assert_eq!(broken, Broken::Order { seq: Seq(2), found: Seq(3) });
    assert!(broken.to_string().contains("acts were removed or put in another order"), "{broken}");
}

#[test]
fn a_removed_entry() {
    let remove = |file: &Connection| file.execute_batch("DELETE FROM acts WHERE seq = 3").unwrap();
    let broken = found(remove);
    assert_eq!(broken, Broken::Order { seq: Seq(3), found: Seq(4) });
    // Closing the gap by moving the later acts up does not help: each says its number itself.
    let broken = found(|file| {
        remove(file);
        file.execute_batch("UPDATE acts SET seq = 3 WHERE seq = 4; UPDATE acts SET seq = 4 WHERE seq = 5")
            .unwrap();
    });
    assert_eq!(broken, Broken::Order { seq: Seq(3), found: Seq(4) });
}

#[test]
fn the_last_act_edited_with_its_hash_differs_from_the_head_a_receipt_carries() {
    let dir = house(5);
    let honest = verify(dir.path()).unwrap();
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    replace(&file, 5, &body(&file, 5).replace("double", "halve"), true);
    let forged = verify(dir.path()).expect("nothing follows that could tell");
    assert_eq!(forged.seq, honest.seq);
    assert_ne!(forged.hash, honest.hash);
}

#[test]
fn a_row_that_never_was_a_record() {
    for (attack, why) in [
        ("UPDATE acts SET hash = x'00' WHERE seq = 2", "act 2 cannot be read"),
        ("UPDATE acts SET body = CAST(x'ff' AS TEXT) WHERE seq = 2", "act 2 cannot be read"),
    ] {
        let dir = house(3);
        edit(dir.path(), attack);
        let message = verify(dir.path()).unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
    }
}

fn edit(dir: &Path, sql: &str) {
    Connection::open(dir.join("journal.db")).unwrap().execute_batch(sql).unwrap();
}
