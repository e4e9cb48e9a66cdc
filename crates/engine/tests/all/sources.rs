//! The jail: what is read below a root and what is not, and the engine that reads for seats.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use synod_core::command::Open;
use synod_core::context::{BYTES_MOST, Excerpt, FileReading, TEXT_MOST, Unreadable};
use synod_core::house::Became;
use synod_core::kernel::{Actor, Digest, Id, MatterId, Passage, Seat, Usage};
use synod_core::matter::{Pause, Question, Status};
use synod_core::{Command, charter};
use synod_engine::{Engine, EngineOptions, Order, Root, replay};
use synod_journal::{LockHolder, Memory, Sqlite, SqliteReader};

use crate::minds::{Way, council, give, start_with};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn put(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn read(root: &Path, path: &str) -> FileReading {
    let root = Root::open(root, &root.join(".synod")).unwrap();
    root.read(&Passage::parse(path).unwrap_or_else(|| panic!("{path}")))
}

fn taken(root: &Path, path: &str) -> Excerpt {
    match read(root, path) {
        FileReading::Taken(excerpt) => excerpt,
        FileReading::Unreadable(why) => panic!("{path}: {why:?}"),
    }
}

fn refused(root: &Path, path: &str) -> Unreadable {
    match read(root, path) {
        FileReading::Unreadable(why) => why,
        FileReading::Taken(excerpt) => panic!("{path} was read: {excerpt:?}"),
    }
}

#[test]
fn lines_are_taken_with_the_digest_of_the_whole_file() {
    let dir = folder();
    let text = "one\ntwo\r\nthree\nfour\n";
    put(dir.path(), "src/api.rs", text);
    let digest = Digest::of(text.as_bytes());
    let whole = taken(dir.path(), "src/api.rs");
    assert_eq!((whole.from, whole.to, whole.of, whole.cut, whole.digest), (1, 4, 4, false, digest));
    assert_eq!(whole.text, "one\ntwo\nthree\nfour");
    let some = taken(dir.path(), "src/api.rs:2-3");
    assert_eq!((some.from, some.to, some.of, some.digest), (2, 3, 4, digest));
    assert_eq!(some.text, "two\nthree");
    assert_eq!(taken(dir.path(), "src/api.rs:3-99").to, 4, "what is there of the lines asked for");
    assert_eq!(refused(dir.path(), "src/api.rs:5"), Unreadable::NoSuchLines { of: 4 });
    for excerpt in [whole, some] {
        assert!(excerpt.is_sound());
    }
}

#[test]
fn long_files_are_cut_at_a_line_and_say_so() {
    let dir = folder();
    put(dir.path(), "long.txt", "x".repeat(99).to_string() + "\n" + &("y".repeat(99) + "\n").repeat(400));
    let long = taken(dir.path(), "long.txt");
    assert!(long.cut && long.is_sound() && long.to < long.of && long.of == 401, "{}", long.lines());
    assert!(long.text.chars().count() > TEXT_MOST - 100 && long.text.ends_with(&"y".repeat(99)));
    put(dir.path(), "line.txt", "é".repeat(TEXT_MOST + 5));
    let line = taken(dir.path(), "line.txt");
    assert!(line.cut && line.is_sound() && line.to == 1);
    assert_eq!(line.text.chars().count(), TEXT_MOST, "the beginning of a line that is too long");
    put(dir.path(), "fits.txt", "é".repeat(TEXT_MOST));
    assert!(!taken(dir.path(), "fits.txt").cut);
    put(dir.path(), "huge.txt", vec![b'a'; BYTES_MOST as usize + 1]);
    assert_eq!(refused(dir.path(), "huge.txt"), Unreadable::TooLarge { bytes: BYTES_MOST + 1 });
}

#[test]
fn nothing_outside_of_the_root_is_reached() {
    let dir = folder();
    let root = dir.path().join("root");
    put(&root, "in.txt", "inside");
    put(dir.path(), "out.txt", "outside");
    put(dir.path(), "other/out.txt", "outside");
    symlink(dir.path().join("out.txt"), root.join("absolute")).unwrap();
    symlink("../out.txt", root.join("relative")).unwrap();
    symlink("../other", root.join("folder")).unwrap();
    symlink("in.txt", root.join("within")).unwrap();
    for path in ["absolute", "relative", "folder/out.txt", "within"] {
        assert_eq!(refused(&root, path), Unreadable::Link, "{path}");
    }
    // Paths that the rules of a house let nobody ask for: the jail does not rely on them.
    let jail = Root::open(&root, &root.join(".synod")).unwrap();
    for path in ["../out.txt", "/etc/passwd", "./in.txt", "a/../in.txt", "", "in.txt/", "in.txt\0"] {
        let reading = jail.read(&Passage { lines: None, path: path.into() });
        assert_eq!(reading, FileReading::Unreadable(Unreadable::Missing), "{path:?}");
    }
    assert_eq!(taken(&root, "in.txt").text, "inside");
}

#[test]
fn a_root_that_is_moved_or_replaced_stays_the_folder_that_was_named() {
    let dir = folder();
    let root = dir.path().join("root");
    put(&root, "a.txt", "first");
    put(dir.path(), "elsewhere/a.txt", "another");
    let jail = Root::open(&root, &root.join(".synod")).unwrap();
    fs::rename(&root, dir.path().join("moved")).unwrap();
    symlink(dir.path().join("elsewhere"), &root).unwrap();
    let FileReading::Taken(excerpt) = jail.read(&Passage::parse("a.txt").unwrap()) else {
        panic!("it is there")
    };
    assert_eq!(excerpt.text, "first");
}

#[test]
fn only_regular_files_and_none_holds_up_the_reader() {
    let dir = folder();
    let made = std::process::Command::new("mkfifo").arg(dir.path().join("pipe")).status().unwrap();
    assert!(made.success());
    let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    put(dir.path(), "file", "text");
    let begun = Instant::now();
    for path in ["pipe", "socket", "folder"] {
        assert_eq!(refused(dir.path(), path), Unreadable::NotAFile, "{path}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "nobody waits at a pipe");
    for path in ["missing", "folder/missing", "file/below"] {
        assert_eq!(refused(dir.path(), path), Unreadable::Missing, "{path}");
    }
}

#[test]
fn secrets_are_known_by_name_or_content() {
    let dir = folder();
    let names = [
        ".git/config",
        ".synod/journal.db",
        ".env",
        ".env.production",
        "deploy/.ENV",
        "home/.ssh/config",
        "id_rsa",
        "keys/id_ed25519.pub",
        "tls/server.PEM",
        "tls/server.key",
        ".netrc",
        "secrets.yaml",
        "prod.env",
        "deploy/Staging.ENV",
        "token.txt",
        "hub.token",
        "passwords.txt",
        ".bash_history",
        ".cargo/credentials.toml",
        ".config/gh/hosts.yml",
        ".m2/settings.xml",
        "appsettings.Production.json",
        "env.production",
        ".netrc.txt",
        "wallet.dat",
    ];
    for name in names {
        put(dir.path(), name, "hunter2");
        assert_eq!(refused(dir.path(), name), Unreadable::Secret, "{name}");
    }
    let key = "# notes\n-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
    put(dir.path(), "notes.md", key);
    assert_eq!(refused(dir.path(), "notes.md"), Unreadable::Secret);
    for key in [
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOY\n-----END PGP PRIVATE KEY BLOCK-----\n",
        r#"{ "type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n" }"#,
        "key: '-----BEGIN RSA PRIVATE KEY-----",
    ] {
        put(dir.path(), "notes.md", key);
        assert_eq!(refused(dir.path(), "notes.md"), Unreadable::Secret, "{key}");
    }
    put(
        dir.path(),
        "public.asc",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----\nmQ\n-----END PGP PUBLIC KEY BLOCK-----",
    );
    assert_eq!(taken(dir.path(), "public.asc").of, 3);
    put(dir.path(), "environment.rs", "fn env() {}");
    assert_eq!(taken(dir.path(), "environment.rs").text, "fn env() {}");
}

#[test]
fn the_key_of_another_house_is_not_read() {
    let dir = folder();
    for name in ["key", "tokens.json", "service.json"] {
        put(dir.path(), &format!("old/{name}"), "hunter2");
        assert_eq!(taken(dir.path(), &format!("old/{name}")).text, "hunter2", "a folder like any other");
    }
    put(dir.path(), "old/journal.db", "acts");
    put(dir.path(), "old/notes.txt", "notes");
    for name in ["key", "tokens.json", "service.json"] {
        assert_eq!(refused(dir.path(), &format!("old/{name}")), Unreadable::Secret, "{name}");
    }
    assert_eq!(taken(dir.path(), "old/notes.txt").text, "notes");
    let (listed, _) = Root::open(dir.path(), &dir.path().join(".synod")).unwrap().list();
    assert_eq!(listed, ["old/journal.db", "old/notes.txt"]);
}

#[test]
fn the_house_is_not_read_whatever_it_is_called() {
    let dir = folder();
    let house = dir.path().join("decisions");
    let jail = Root::open(dir.path(), &house).unwrap();
    put(&house, "notes.txt", "the key lies beside it");
    assert_eq!(
        jail.read(&Passage::parse("decisions/notes.txt").unwrap()),
        FileReading::Unreadable(Unreadable::Secret),
        "also where it was made after the root was opened"
    );
    assert!(Root::open(&house, &house).is_err());
    put(&house, "deeper/notes.txt", "x");
    assert!(Root::open(&house.join("deeper"), &house).is_err());
    assert!(Root::open(&dir.path().join("nowhere"), &house).is_err());
    assert!(Root::open(&house.join("notes.txt"), &house).is_err(), "a file is no folder");
}

#[test]
fn only_text_is_read() {
    let dir = folder();
    put(dir.path(), "latin1.txt", b"caf\xe9");
    put(dir.path(), "image.png", b"\x89PNG\r\n\x1a\n\0\0");
    put(dir.path(), "nul.txt", b"a\0b");
    put(dir.path(), "empty.txt", "");
    for name in ["latin1.txt", "image.png", "nul.txt"] {
        assert_eq!(refused(dir.path(), name), Unreadable::Binary, "{name}");
    }
    assert_eq!(refused(dir.path(), "empty.txt"), Unreadable::Empty);
}

#[test]
fn what_can_be_asked_for_is_listed() {
    let dir = folder();
    for name in
        ["b.md", "a.md", "src/lib.rs", "src/deep/x.rs", ".env", ".github/ci.yml", "tls/a.key", "target/o"]
    {
        put(dir.path(), name, "text");
    }
    symlink("a.md", dir.path().join("link.md")).unwrap();
    let root = Root::open(dir.path(), &dir.path().join("house")).unwrap();
    put(dir.path(), "house/notes.txt", "x");
    assert_eq!(
        root.list(),
        (["a.md", "b.md", "src/lib.rs", "src/deep/x.rs"].map(String::from).into(), false)
    );
    for nth in 0..300 {
        put(dir.path(), &format!("many/{nth}.txt"), "text");
    }
    let (listed, more) = root.list();
    assert!(listed.len() == 200 && more);
}

fn collaborative() -> &'static str {
    charter::shipped("collaborative").unwrap().source
}

fn opening(seats: &[Seat]) -> Order {
    let seated = seats.iter().map(|seat| seat.who.clone()).collect();
    let question = Question::parse("Shall we?", &[]).unwrap();
    let open = Open {
        sources: true,
        stepwise: true,
        ..Open::new(question, Digest::of(collaborative().as_bytes()), seated)
    };
    Order { by: Actor::Operator, key: None, command: Command::Open(Box::new(open)), vouched: None }
}

/// A seat's statement that asks for a file.
const ASKS: &str = r#"{"stance":"YES","position":"p","reasoning":"r","confidence":0.9,
    "context_requests":[{"query":"q","reason":"it decides","priority":"required","file":"src/api.rs"}]}"#;

/// Opens a matter of seats that never answer by themselves; the first one says that it wants to see a file.
async fn asked(engine: &Engine, seats: &[Seat]) -> MatterId {
    give(engine, Command::Adopt { source: collaborative().into() }).await;
    let matter = MatterId(Id { act: engine.submit(opening(seats)).await.unwrap().act.seq, nth: 0 });
    let who = seats[0].who.clone();
    let ask = engine.read(|house| house.asks_of(&who).next().unwrap().0);
    let call = Box::new(synod_core::kernel::Call { usage: Usage::default(), ..Default::default() });
    let command = Command::Answer { ask, call, salt: None, text: ASKS.into() };
    engine.submit(Order { by: Actor::Seat(who), key: None, command, vouched: None }).await.unwrap();
    matter
}

async fn became(engine: &Engine, matter: MatterId) -> Became {
    for _ in 0..400 {
        let now = engine.read(|house| {
            house.case(matter).unwrap().dossier.requests.values().next().unwrap().became.clone()
        });
        if now != Became::Open {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    Became::Open
}

fn reading(root: &Path) -> EngineOptions {
    let sources = Some(Arc::new(Root::open(root, &root.join(".synod")).unwrap()));
    EngineOptions { sources, ..EngineOptions::default() }
}

#[tokio::test]
async fn a_file_is_read_as_it_is_when_it_is_read_and_never_again() {
    let (root, house) = (folder(), folder());
    put(root.path(), "src/api.rs", "fn first() {}\n");
    let (seats, minds, _) = council(&[Way::Never, Way::Never]);
    let journal = Sqlite::open(house.path(), &LockHolder::this_process("test")).unwrap();
    let engine = start_with(Box::new(journal), minds, &seats, reading(root.path())).await;
    assert!(engine.sources().is_some());
    put(root.path(), "src/api.rs", "fn second() {}\n");
    let matter = asked(&engine, &seats).await;
    let Became::Read { excerpt, path, .. } = became(&engine, matter).await else { panic!("it was read") };
    assert_eq!((excerpt.text.as_str(), path.as_str()), ("fn second() {}", "src/api.rs"));
    assert_eq!(excerpt.digest, Digest::of(b"fn second() {}\n"));
    drop(engine);
    fs::remove_dir_all(root.path().join("src")).unwrap();
    let replayed = replay(&SqliteReader::open(house.path()).unwrap()).unwrap();
    assert!(replayed.is_ok(), "judged again without the file");
}

#[tokio::test]
async fn without_a_performer_the_ask_stays_open_for_one_that_has_it() {
    let (root, house) = (folder(), folder());
    put(root.path(), "src/api.rs", "fn api() {}\n");
    let (seats, minds, _) = council(&[Way::Never, Way::Never]);
    let sqlite = || Box::new(Sqlite::open(house.path(), &LockHolder::this_process("test")).unwrap());
    let engine = start_with(sqlite(), minds.clone(), &seats, EngineOptions::default()).await;
    assert!(engine.sources().is_none());
    let matter = asked(&engine, &seats).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    let sent = engine.read(|house| house.open_asks().filter(|(_, ask)| ask.who().is_none()).count());
    assert_eq!(sent, 1, "nobody here reads files, and nobody said so for others");
    drop(engine);

    let engine = start_with(sqlite(), minds, &seats, reading(root.path())).await;
    let status = engine.read(|house| house.case(matter).unwrap().status());
    assert_eq!(status, Status::Paused(Pause::Interrupted));
    give(&engine, Command::Resume { matter }).await;
    assert!(matches!(became(&engine, matter).await, Became::Read { .. }), "the next process reads it");
}

#[tokio::test]
async fn what_cannot_be_read_is_an_answer() {
    let root = folder();
    let (seats, minds, _) = council(&[Way::Never, Way::Never]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, reading(root.path())).await;
    let matter = asked(&engine, &seats).await;
    assert!(matches!(became(&engine, matter).await, Became::Unread { why: Unreadable::Missing, .. }));
}
