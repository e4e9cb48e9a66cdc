//! Files of a house that are not what their names say, and files that are nobody else's business.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;

use synod_journal::{Head, HouseKey, Journal as _, LockHolder, Snapshot, Sqlite, SqliteReader, file, holder};

use crate::sample::{house, quick_dir, records, verify, writer};

fn open(dir: &Path) -> Result<Sqlite, String> {
    Sqlite::open(dir, &LockHolder::this_process("synod test")).map_err(|error| error.to_string())
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_link_leads_no_write_out_of_the_house() {
    for name in ["lock", "journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal"] {
        let (dir, outside) = (quick_dir(), quick_dir());
        let target = outside.path().join("theirs");
        fs::write(&target, "precious").unwrap();
        symlink(&target, dir.path().join(name)).unwrap();
        let told = open(dir.path()).unwrap_err();
        assert!(told.contains(&format!("{name}: it is a symbolic link")), "{told}");
        assert!(told.contains("remove the link"), "{told}");
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious", "{name}");
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "{name}: nothing was made beside it");
        // One that leads nowhere makes no file there.
        fs::remove_file(&target).unwrap();
        assert!(open(dir.path()).unwrap_err().contains("symbolic link"), "{name}");
        assert!(!target.exists(), "{name}");
    }
}

#[test]
fn a_key_is_neither_read_nor_made_through_a_link() {
    let (dir, outside) = (quick_dir(), quick_dir());
    let target = outside.path().join("theirs");
    symlink(&target, dir.path().join("key")).unwrap();
    for theirs in [None, Some("0".repeat(64))] {
        theirs.iter().for_each(|text| fs::write(&target, text).unwrap());
        let told = HouseKey::load_or_create(dir.path()).unwrap_err().to_string();
        assert!(told.contains("key: it is a symbolic link"), "{told}");
        assert_eq!(fs::read_to_string(&target).ok(), theirs);
    }
}

#[test]
fn a_snapshot_is_not_drafted_through_a_link() {
    let (dir, outside) = (quick_dir(), quick_dir());
    let target = outside.path().join("theirs");
    fs::write(&target, "precious").unwrap();
    symlink(&target, dir.path().join("snapshot.new")).unwrap();
    let user = tempfile::tempdir().unwrap();
    let key = HouseKey::load_or_create(user.path()).unwrap();
    let snapshot = Snapshot { head: Head::default(), form: "test".into(), body: b"body".into() };
    snapshot.save(dir.path(), &key).unwrap();
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    assert!(
        fs::symlink_metadata(dir.path().join("snapshot")).unwrap().is_file(),
        "the link did not become it"
    );
}

#[test]
fn a_house_may_be_a_link() {
    let (dir, beside) = (house(3), quick_dir());
    let link = beside.path().join("house");
    symlink(dir.path(), &link).unwrap();
    let mut journal = writer(&link);
    journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    drop(journal);
    assert_eq!(verify(&link).unwrap().seq.0, 5);
}

#[test]
fn a_pipe_holds_nobody_up() {
    for name in ["lock", "journal.db", "journal.db-wal"] {
        let dir = quick_dir();
        pipe(&dir.path().join(name));
        let told = open(dir.path()).unwrap_err();
        assert!(told.contains(&format!("{name}: it is a pipe, not a regular file: move it away")), "{told}");
        assert_eq!(holder(dir.path()), None);
        assert!(SqliteReader::open(dir.path()).is_err());
    }
    let dir = quick_dir();
    pipe(&dir.path().join("key"));
    let told = HouseKey::load(dir.path()).unwrap_err().to_string();
    assert!(told.contains("key: it is a pipe"), "{told}");
    pipe(&dir.path().join("providers.toml"));
    assert!(file::read(&dir.path().join("providers.toml"), 10).unwrap_err().to_string().contains("a pipe"));
    let device = file::read(Path::new("/dev/zero"), 10).unwrap_err().to_string();
    assert!(device.contains("it is a device"), "{device}");
}

#[test]
fn a_file_is_read_up_to_a_length() {
    let dir = quick_dir();
    let path = dir.path().join("some.toml");
    fs::write(&path, "0123456789").unwrap();
    assert_eq!(file::read(&path, 10).unwrap(), b"0123456789");
    let told = file::read(&path, 9).unwrap_err().to_string();
    assert!(told.contains("at most 9 bytes"), "{told}");
    fs::write(dir.path().join("key"), "0".repeat(5000)).unwrap();
    set_mode(&dir.path().join("key"), 0o600);
    assert!(HouseKey::load(dir.path()).unwrap_err().to_string().contains("too long"));
}

#[test]
fn files_are_the_owners_alone_in_a_directory_that_is_everybodys() {
    let dir = quick_dir();
    set_mode(dir.path(), 0o755);
    let names = ["lock", "journal.db", "journal.db-wal", "journal.db-shm"];
    let mut journal = writer(dir.path());
    journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    names.iter().for_each(|name| assert_eq!(mode(&dir.path().join(name)), 0o600, "{name}"));
    // Those of an earlier version are closed by the next writer, and so are files that a killed one left.
    let reader = journal.reader().unwrap();
    names.iter().for_each(|name| set_mode(&dir.path().join(name), 0o644));
    drop(journal);
    let mut journal = writer(dir.path());
    journal.append(journal.head(), &records(journal.head(), 1)).unwrap();
    names.iter().for_each(|name| assert_eq!(mode(&dir.path().join(name)), 0o600, "{name}"));
    assert_eq!(reader.head().unwrap().seq.0, 3);
}

/// A clone may hold a file of any length: one that is too long is refused by its size, and not a byte of it is read.
#[test]
fn a_file_that_is_too_long_is_not_read() {
    use std::io::Seek as _;
    let dir = quick_dir();
    let path = dir.path().join("seats.toml");
    let sparse = fs::File::create(&path).unwrap();
    sparse.set_len(1 << 40).unwrap();
    assert!(file::read(&path, 1 << 20).unwrap_err().to_string().contains("at most 1048576 bytes"));
    let mut open = file::open_own(&path).unwrap();
    let told = file::whole(open.try_clone().unwrap(), 1 << 20).unwrap_err().to_string();
    assert!(told.contains("too long"), "{told}");
    assert_eq!(open.stream_position().unwrap(), 0, "both share one position in the file");
}
