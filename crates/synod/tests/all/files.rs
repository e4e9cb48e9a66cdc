//! Houses that came with a clone: links that lead outside, pipes that nobody writes to, directories that others can
//! read. Synod writes nothing outside of a house, waits for no pipe, and keeps its files to their owner.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::world::{Place, Run};

fn pipe(path: &Path) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// What a command says that must not hang.
fn soon(place: &Place, args: &[&str]) -> Run {
    let mut started = place.start(args);
    for _ in 0..200 {
        if started.is_over() {
            return started.wait();
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    started.kill();
    panic!("synod {args:?} hangs")
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap_or_else(|_| panic!("{}", path.display())).permissions().mode() & 0o777
}

#[test]
fn a_link_leads_no_write_out_of_the_house() {
    for name in ["lock", "key", "journal.db", "journal.db-wal", "receipts"] {
        let place = Place::new();
        let target = place.write("home/f", "precious");
        std::fs::create_dir(place.house()).expect("a house");
        symlink("../home/f", place.house().join(name)).expect("a link");
        let run = soon(&place, &["debate", "A?", "--rehearse"]);
        run.tells(&format!(".synod/{name}")).tells("it is a symbolic link");
        assert_eq!(std::fs::read_to_string(&target).expect("a file"), "precious", "{name}");
        assert_eq!(std::fs::read_dir(place.dir().join("home")).expect("a folder").count(), 1, "{name}");
        place.spoil();
    }
}

#[test]
fn receipts_and_tokens_are_not_written_through_links() {
    let place = Place::new();
    let target = place.write("home/f", "precious");
    place.run(["debate", "A?", "--rehearse"]);
    symlink("../home/f", place.house().join("tokens.lock")).expect("a link");
    place.run(["token", "create", "ann"]).tells("tokens.lock cannot be written: it is a symbolic link");
    symlink("../home/f", place.house().join(".probe")).expect("a link");
    place.run(["doctor"]).prints("writable");
    std::fs::create_dir(place.dir().join("elsewhere")).expect("a folder");
    std::fs::rename(place.house().join("receipts"), place.house().join("old")).expect("a rename");
    symlink("../elsewhere", place.house().join("receipts")).expect("a link");
    place.run(["debate", "B?", "--rehearse"]).tells("it is a symbolic link");
    assert_eq!(std::fs::read_dir(place.dir().join("elsewhere")).expect("a folder").count(), 0);
    assert_eq!(std::fs::read_to_string(target).expect("a file"), "precious");
    place.spoil();
}

#[test]
fn a_house_may_be_a_link_and_settings_too() {
    let place = Place::new();
    place.write("elsewhere/providers.toml", "");
    std::fs::create_dir(place.dir().join("kept")).expect("a folder");
    symlink("kept", place.house()).expect("a link");
    symlink("../elsewhere/providers.toml", place.dir().join("kept/providers.toml")).expect("a link");
    place.run(["debate", "A?", "--rehearse"]);
    assert!(place.dir().join("kept/journal.db").is_file());
    crate::houses::finish(place);
}

#[test]
fn a_pipe_holds_no_command_up() {
    let files = [
        "key",
        "lock",
        "journal.db",
        "providers.toml",
        "prices.toml",
        "seats.toml",
        "charters/blind-vote.toml",
    ];
    for name in files {
        let place = Place::new();
        pipe(&place.house().join(name));
        let run = soon(&place, &["debate", "A?", "--rehearse"]);
        run.tells(&format!(".synod/{name}")).tells("not a regular file");
        place.spoil();
    }
    let place = Place::new();
    place.run(["debate", "A?", "--rehearse"]);
    for (name, args) in [
        ("triggers.toml", &["trigger", "rules"][..]),
        ("tokens.json", &["token", "list"]),
        ("receipts/m9999.json", &["verify"]),
    ] {
        pipe(&place.house().join(name));
        let run = soon(&place, args);
        assert!(format!("{run}").contains("not a regular file"), "{name}: {run}");
    }
    place.spoil();
}

#[test]
fn a_settings_file_has_an_end() {
    let place = Place::new();
    place.write(".synod/prices.toml", "#".repeat((1 << 20) + 1));
    place.run(["debate", "A?", "--rehearse"]).tells("prices.toml").tells("at most 1048576 bytes");
    place.write(".synod/prices.toml", "");
    place.write(".synod/charters/long.toml", "#".repeat((1 << 20) + 1));
    place
        .run(["debate", "A?", "--charter", "long", "--rehearse"])
        .tells("long.toml")
        .tells("at most 1048576 bytes");
    place.spoil();
}

#[test]
fn what_a_house_keeps_is_its_owners_alone() {
    let place = Place::new();
    std::fs::create_dir(place.house()).expect("a house");
    std::fs::set_permissions(place.house(), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    place.run(["debate", "A?", "--rehearse"]);
    let matter = crate::world::each(&place.json(["list"]), "matter")[0].to_string();
    place.run(["token", "create", "ann"]).exits(0);
    let receipt = format!("receipts/{matter}.json");
    for name in ["journal.db", "lock", "key", "tokens.json", "tokens.lock", &receipt] {
        assert_eq!(mode(&place.house().join(name)), 0o600, "{name}");
    }
    assert_eq!(mode(&place.house().join("receipts")), 0o700);
    let house = place.house().canonicalize().expect("a house");
    let told =
        format!("note  privacy   others may look into the directory: run `chmod 700 {}`", house.display());
    place.run(["doctor"]).exits(0).prints(&told);
    // Files of an earlier version: told by the doctor, closed by the next command that writes.
    for name in ["journal.db", "lock"] {
        std::fs::set_permissions(place.house().join(name), std::fs::Permissions::from_mode(0o644))
            .expect("a mode");
    }
    let told = format!("others may read journal.db, lock: run `chmod -R go= {}`", house.display());
    place.run(["doctor"]).exits(0).prints(&told);
    place.run(["debate", "B?", "--rehearse"]);
    assert_eq!((mode(&place.journal()), mode(&place.house().join("lock"))), (0o600, 0o600));
    std::fs::set_permissions(place.house(), std::fs::Permissions::from_mode(0o700)).expect("a mode");
    place.run(["doctor"]).exits(0).hides("privacy");
    crate::houses::finish(place);
}

#[test]
fn json_hides_nothing_and_steers_nothing() {
    let place = Place::new();
    let hostile = ['\u{9b}', '\u{202e}', '\u{2066}', '\u{200b}', '\u{200d}', '\u{feff}', '\u{e0041}'];
    let question = format!("Ship{}it?", String::from_iter(hostile));
    place.run(["debate", &question, "--rehearse"]);
    for args in [&["show", "--json"][..], &["list", "--json"], &["export", "--format", "json"]] {
        let run = place.run(args);
        assert!(!run.out.contains(hostile), "{args:?}: {run}");
        assert!(run.out.contains(r"\u202e") && run.out.contains(r"\u200b"), "{args:?}: {run}");
        let shown = run.json().to_string();
        assert!(shown.contains('\u{202e}'), "{args:?} means the same: {shown}");
    }
    // A receipt is what was signed, byte for byte.
    let receipt = place.run(["receipt"]);
    let file = place.write("receipt.json", &receipt.out);
    place.run(["verify".as_ref(), file.as_os_str()]).exits(0);
    crate::houses::finish(place);
}
