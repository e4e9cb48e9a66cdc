//! Disks that cannot be written. Permission bits do not stop the superuser, so these mount in a name space of
//! their own, and say so where they may not.

use std::path::Path;
use std::process::Command;

use synod_core::kernel::Seq;
use synod_journal::{Error, Journal as _};

use crate::child::start;
use crate::sample::{house, quick_dir, records, say, verify, writer};

const READ_ONLY: &str = r#"mount --bind "$H" "$H" && mount -o remount,bind,ro "$H" && exec "$@""#;
const SMALL: &str = r#"mount -t tmpfs -o size=1500k none "$H" && SYNOD_TEST_HOUSE="$H/house" exec "$@""#;

/// What a child says that plays `part` in a house under another mount; none where mounting is not allowed.
fn mounted(script: &str, part: &str, dir: &Path) -> Option<String> {
    let probe =
        Command::new("unshare").args(["-m", "mount", "-t", "tmpfs", "none"]).arg(quick_dir().path()).output();
    if !probe.is_ok_and(|probe| probe.status.success()) {
        say("skipped: a read-only or full disk, since this user may not mount");
        return None;
    }
    let script = script.replace("$H", &dir.display().to_string());
    Some(start(part, dir, &["unshare", "-m", "sh", "-c", &script, "sh"]).said.clone())
}

#[test]
fn a_closed_house_on_a_read_only_disk_is_read() {
    let dir = house(5);
    assert!(!dir.path().join("journal.db-wal").exists(), "a clean close leaves no log");
    if let Some(said) = mounted(READ_ONLY, "read", dir.path()) {
        assert_eq!(said, "5 held by None");
    }
}

/// What is written to files that nobody can find any more is not kept, and not said to be.
#[test]
fn files_that_are_removed_under_a_writer_are_missed() {
    for name in ["journal.db", "journal.db-wal"] {
        let dir = house(5);
        let mut journal = writer(dir.path());
        journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
        std::fs::remove_file(dir.path().join(name)).unwrap();
        let lost = journal.append(journal.head(), &records(journal.head(), 1)).unwrap_err();
        assert!(matches!(lost, Error::Lost { .. }), "{name}: {lost}");
        // It does not go on as if nothing were.
        journal.append(journal.head(), &records(journal.head(), 1)).unwrap_err();
    }
    // Replaced by a copy.
    let dir = house(5);
    let mut journal = writer(dir.path());
    journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    let path = dir.path().join("journal.db");
    std::fs::copy(&path, dir.path().join("copy")).unwrap();
    std::fs::rename(dir.path().join("copy"), &path).unwrap();
    let lost = journal.append(journal.head(), &records(journal.head(), 1)).unwrap_err();
    assert!(matches!(lost, Error::Lost { .. }), "{lost}");
}

#[test]
fn odd_characters_in_the_path_do_not_matter() {
    let outer = house(5);
    let dir = outer.path().join("50% off? #1 ü");
    std::fs::create_dir(&dir).unwrap();
    std::fs::copy(outer.path().join("journal.db"), dir.join("journal.db")).unwrap();
    if let Some(said) = mounted(READ_ONLY, "read", &dir) {
        assert_eq!(said, "5 held by None");
    }
}

#[test]
fn a_house_being_written_elsewhere_is_read_through_a_read_only_mount() {
    let dir = house(5);
    let mut journal = writer(dir.path());
    journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    if let Some(said) = mounted(READ_ONLY, "read", dir.path()) {
        assert_eq!(said, format!("7 held by Some({})", std::process::id()));
    }
}

#[test]
fn a_left_over_log_on_a_read_only_disk() {
    let dir = house(5);
    start("append", dir.path(), &[]).kill();
    if let Some(said) = mounted(READ_ONLY, "read", dir.path()) {
        assert_eq!(said, "12 held by None", "the log and its memory file are there");
    }
    std::fs::remove_file(dir.path().join("journal.db-shm")).unwrap();
    if let Some(said) = mounted(READ_ONLY, "read", dir.path()) {
        assert!(said.contains("cannot be read on a read-only disk\ncopy the directory"), "{said}");
    }
    assert_eq!(verify(dir.path()).unwrap().seq, Seq(12), "where it can be written, it can be read");
    // Reading left an empty-handed log: nothing in it, nothing lost.
    drop(writer(dir.path()));
    std::fs::write(dir.path().join("journal.db-wal"), "").unwrap();
    if let Some(said) = mounted(READ_ONLY, "read", dir.path()) {
        assert_eq!(said, "12 held by None");
    }
}

#[test]
fn a_writer_on_a_read_only_disk_is_told_why() {
    let dir = house(5);
    if let Some(said) = mounted(READ_ONLY, "write", dir.path()) {
        let lock = dir.path().join("lock");
        assert!(said.starts_with(&format!("cannot open the lock {}: ", lock.display())), "{said}");
        assert!(
            said.ends_with("the disk or directory is read-only: make it writable, or only read"),
            "{said}"
        );
    }
}

#[test]
fn a_full_disk_loses_nothing_and_can_be_recovered_from() {
    let dir = quick_dir();
    if let Some(said) = mounted(SMALL, "fill", dir.path()) {
        assert!(said.starts_with("cannot write ") && said.contains("journal.db: "), "{said}");
        assert!(said.ends_with("the disk is full: free some space, then try again"), "{said}");
    }
}
