//! Citations held against files: what is read, what is refused, and that nothing else is learned from a refusal.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use synod_core::evidence::{
    EvidenceGrade, FILE_MOST, FileFinding, FileReference, LineRange, SearchDepth, Unverified,
};
use synod_core::kernel::{Digest, PathFlaw};
use synod_engine::{Root, now};

struct Jail {
    dir: tempfile::TempDir,
    root: Arc<Root>,
}

impl Jail {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        let root = dir.path().join("root");
        let root = Arc::new(Root::open(&root, &root.join(".synod")).unwrap());
        Self { dir, root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("root").join(name)
    }

    fn put(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn outside(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        fs::write(&path, text).unwrap();
        path
    }

    fn cite(&self, path: &str, lines: Option<(i64, i64)>, quote: Option<&str>) -> FileFinding {
        let lines = lines.map(|(start, end)| LineRange { end: Some(end), start });
        let reference = FileReference { lines, path: path.into(), quote: quote.map(str::to_string) };
        let finding = self.root.check(&reference, SearchDepth::Verdict);
        assert_eq!(
            self.root.check_in_time(&reference, SearchDepth::Verdict).problem,
            finding.problem,
            "{path}"
        );
        finding
    }

    fn problem(&self, path: &str) -> Option<Unverified> {
        self.cite(path, None, None).problem
    }
}

fn pipe(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

#[test]
fn a_true_citation_keeps_the_digest_of_the_file_and_when_it_changed() {
    let jail = Jail::new();
    let text = "first line\r\nthe second line\r\nthird\r\n";
    jail.put("src/a.txt", text);
    let finding = jail.cite("./src/a.txt", Some((2, 3)), Some("second line third"));
    assert_eq!(finding.grade(), EvidenceGrade::Precise);
    assert_eq!(finding.digest, Some(Digest::of(text.as_bytes())), "of the bytes as they are");
    assert_eq!((finding.line_count, finding.lines), (3, Some((2, 3))));
    let changed = finding.changed.unwrap();
    assert!(now().since(changed) < 600_000 && changed <= now().plus(1000), "{changed:?}");
    // An old date can be set on a file by anybody; when that was done cannot.
    let old = Command::new("touch").args(["-d", "2001-01-01"]).arg(jail.path("src/a.txt")).status().unwrap();
    assert!(old.success());
    assert!(now().since(jail.cite("src/a.txt", None, None).changed.unwrap()) < 600_000);
}

#[test]
fn outside_missing_linked_secret_and_forbidden_are_one_answer() {
    let jail = Jail::new();
    let secret = jail.outside("secret.txt", "the outside text that nobody may quote");
    jail.put("in.txt", "inside");
    jail.put(".env", "PASSWORD=hunter2");
    jail.put("keys/id_rsa", "hunter2");
    jail.put("tls/server.pem", "hunter2");
    jail.put(".git/config", "hunter2");
    jail.put(".synod/journal.db", "acts");
    jail.put("notes.md", "-----BEGIN OPENSSH PRIVATE KEY-----\nhunter2\n-----END OPENSSH PRIVATE KEY-----\n");
    jail.put("closed.txt", "closed");
    fs::set_permissions(jail.path("closed.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    symlink(&secret, jail.path("absolute")).unwrap();
    symlink("../secret.txt", jail.path("relative")).unwrap();
    symlink("..", jail.path("folder")).unwrap();
    symlink("in.txt", jail.path("within")).unwrap();
    symlink("nowhere", jail.path("dangling")).unwrap();
    symlink("loop", jail.path("loop")).unwrap();
    let missing = jail.cite("missing.txt", None, Some("the outside text"));
    assert_eq!(missing, FileFinding::unread(Unverified::Unavailable));
    for path in [
        "absolute",
        "relative",
        "folder/secret.txt",
        "folder/root/in.txt",
        "within",
        "dangling",
        "loop",
        ".env",
        "keys/id_rsa",
        "tls/server.pem",
        ".git/config",
        ".synod/journal.db",
        "notes.md",
        "in.txt/below",
        "no/such/folder",
    ] {
        let finding = jail.cite(path, None, Some("the outside text"));
        assert_eq!(finding, missing, "{path}: the same in every field");
    }
    // Whoever runs the tests as root can read everything.
    if fs::read(jail.path("closed.txt")).is_err() {
        assert_eq!(jail.cite("closed.txt", None, None), missing);
    }
}

#[test]
fn paths_that_lead_out_never_reach_the_disk() {
    let jail = Jail::new();
    jail.outside("secret.txt", "outside");
    for (path, flaw) in [
        ("../secret.txt", PathFlaw::Upwards),
        ("a/../../secret.txt", PathFlaw::Upwards),
        ("/etc/passwd", PathFlaw::Absolute),
        ("..%2fsecret.txt", PathFlaw::PercentCoded),
        ("%2e%2e/secret.txt", PathFlaw::PercentCoded),
        ("in.txt\0.md", PathFlaw::Character),
        ("..\\secret.txt", PathFlaw::Character),
        ("C:\\secret.txt", PathFlaw::Absolute),
        ("", PathFlaw::Empty),
    ] {
        assert_eq!(jail.cite(path, None, None), FileFinding::unread(Unverified::Path(flaw)), "{path:?}");
    }
}

#[test]
fn only_regular_files_of_text_and_nobody_waits_at_a_pipe() {
    let jail = Jail::new();
    pipe(&jail.path("pipe"));
    let _socket = std::os::unix::net::UnixListener::bind(jail.path("socket")).unwrap();
    fs::create_dir(jail.path("folder")).unwrap();
    jail.put("latin1.txt", b"caf\xe9");
    jail.put("nul.txt", b"a\0b");
    jail.put("empty.txt", "");
    jail.put("blank.txt", "\n \n");
    let begun = Instant::now();
    for (path, why) in [
        ("pipe", Unverified::NotAFile),
        ("socket", Unverified::NotAFile),
        ("folder", Unverified::NotAFile),
        ("latin1.txt", Unverified::NotText),
        ("nul.txt", Unverified::NotText),
        ("empty.txt", Unverified::EmptyFile),
        ("blank.txt", Unverified::EmptyFile),
    ] {
        assert_eq!(jail.problem(path), Some(why), "{path}");
    }
    assert!(begun.elapsed() < Duration::from_secs(5));
    // A folder that is a device's: opened as a root by the operator, and still no device is read.
    let devices = Root::open(Path::new("/dev"), &jail.path(".synod")).unwrap();
    for device in ["null", "zero", "random", "tty"] {
        let reference = FileReference { path: device.into(), ..FileReference::default() };
        let problem = devices.check(&reference, SearchDepth::Verdict).problem;
        assert!(
            matches!(problem, Some(Unverified::NotAFile | Unverified::Unavailable)),
            "{device}: {problem:?}"
        );
    }
}

#[test]
fn files_have_a_largest_size() {
    let jail = Jail::new();
    let huge = fs::File::create(jail.path("huge.txt")).unwrap();
    huge.set_len(FILE_MOST + 1).unwrap();
    assert_eq!(jail.problem("huge.txt"), Some(Unverified::TooLarge { bytes: FILE_MOST + 1 }));
    huge.set_len(1 << 40).unwrap();
    assert_eq!(
        jail.problem("huge.txt"),
        Some(Unverified::TooLarge { bytes: 1 << 40 }),
        "nothing of it is read"
    );
    let mut large = "words in a line of a large file\n".repeat(FILE_MOST as usize / 32);
    large.truncate(FILE_MOST as usize);
    jail.put("large.txt", &large);
    assert_eq!(jail.cite("large.txt", None, Some("a line of a large file")).grade(), EvidenceGrade::Precise);
}

#[test]
fn a_hard_link_to_a_secret_of_the_house_is_known() {
    let jail = Jail::new();
    jail.put(".synod/key", "the key that signs receipts");
    jail.put(".synod/tokens.json", "{}");
    fs::hard_link(jail.path(".synod/key"), jail.path("harmless.txt")).unwrap();
    assert_eq!(jail.problem("harmless.txt"), Some(Unverified::Unavailable));
    jail.put("one.txt", "text");
    fs::hard_link(jail.path("one.txt"), jail.path("two.txt")).unwrap();
    assert_eq!(jail.problem("two.txt"), None, "other hard links cannot be told from files");
}

#[test]
fn a_hard_link_to_a_file_with_a_secret_name_is_known() {
    let jail = Jail::new();
    for (nth, secret) in
        [".env", "deep/er/token.txt", ".ssh/config", ".config/gh/hosts.yml"].into_iter().enumerate()
    {
        jail.put(secret, "password = hunter2 and nothing else");
        let name = format!("harmless{nth}.txt");
        fs::hard_link(jail.path(secret), jail.path(&name)).unwrap();
        assert_eq!(jail.problem(&name), Some(Unverified::Unavailable), "{secret}");
        assert_eq!(jail.problem(secret), Some(Unverified::Unavailable), "{secret}");
    }
}

/// Does something again and again on another thread while a check runs many times.
fn meanwhile(work: impl Fn(usize) + Send + 'static, checks: impl Fn() -> bool, times: usize) -> usize {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let worker = std::thread::spawn(move || {
        for turn in 0.. {
            if stopped.load(Ordering::Relaxed) {
                break;
            }
            work(turn);
        }
    });
    let held = (0..times).filter(|_| checks()).count();
    stop.store(true, Ordering::Relaxed);
    worker.join().unwrap();
    held
}

#[test]
fn a_file_that_is_swapped_for_a_link_is_never_read_through_it() {
    let jail = Jail::new();
    let secret = jail.outside("secret.txt", "the outside text that nobody may quote");
    jail.put("swapped.txt", "the inside text that everybody may quote");
    jail.put("real.txt", "the inside text that everybody may quote");
    let (here, real, spare) = (jail.path("swapped.txt"), jail.path("real.txt"), jail.path("spare"));
    let swap = move |turn: usize| {
        let _ = fs::remove_file(&spare);
        match turn % 3 {
            0 => symlink(&secret, &spare).unwrap(),
            1 => drop(fs::copy(&real, &spare).unwrap()),
            _ => pipe(&spare),
        }
        fs::rename(&spare, &here).unwrap();
    };
    let inside = Digest::of(b"the inside text that everybody may quote");
    let quote = Some("the outside text that nobody may quote");
    let seen = meanwhile(
        swap,
        || {
            let reference =
                FileReference { path: "swapped.txt".into(), quote: quote.map(str::to_string), lines: None };
            let finding = jail.root.check(&reference, SearchDepth::Verdict);
            assert!(!finding.grade().is_verified(), "{finding:?}");
            assert!(finding.digest.is_none_or(|digest| digest == inside), "{finding:?}");
            finding.digest.is_some()
        },
        400,
    );
    assert!(seen <= 400);
}

#[test]
fn a_folder_that_is_swapped_for_a_link_is_never_entered_through_it() {
    let jail = Jail::new();
    let outside = jail.dir.path().join("other");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("a.txt"), "outside").unwrap();
    jail.put("kept/a.txt", "inside");
    let (here, kept, aside) = (jail.path("folder"), jail.path("kept"), jail.path("aside"));
    let swap = move |turn: usize| match turn % 2 {
        0 => {
            let _ = fs::remove_file(&here);
            let _ = fs::rename(&kept, &here);
        }
        _ => {
            let _ = fs::rename(&here, &kept);
            let _ = symlink(&outside, &aside);
            let _ = fs::rename(&aside, &here);
        }
    };
    let reference = FileReference { path: "folder/a.txt".into(), ..FileReference::default() };
    meanwhile(
        swap,
        || {
            let finding = jail.root.check(&reference, SearchDepth::Verdict);
            let inside = Digest::of(b"inside");
            assert!(finding.digest.is_none_or(|digest| digest == inside), "{finding:?}");
            assert!(matches!(finding.problem, None | Some(Unverified::Unavailable)), "{finding:?}");
            finding.digest.is_some()
        },
        1000,
    );
}

#[test]
fn what_was_read_is_one_state_of_the_file() {
    let jail = Jail::new();
    let states = ["a".repeat(3 << 20), "b".repeat(2 << 20)];
    let digests = states.clone().map(|text| Digest::of(text.as_bytes()));
    jail.put("busy.txt", &states[0]);
    let (path, spare) = (jail.path("busy.txt"), jail.path("spare"));
    let write = move |turn: usize| {
        fs::write(&spare, &states[turn % 2]).unwrap();
        fs::rename(&spare, &path).unwrap();
    };
    let reference = FileReference { path: "busy.txt".into(), ..FileReference::default() };
    let read = meanwhile(
        write,
        || {
            let finding = jail.root.check(&reference, SearchDepth::Verdict);
            // The file that is open loses its name, which the system notes as a change of it.
            assert!(matches!(finding.problem, None | Some(Unverified::Changing)), "{finding:?}");
            assert!(finding.digest.is_none_or(|digest| digests.contains(&digest)), "{finding:?}");
            finding.digest.is_some()
        },
        40,
    );
    assert!(read > 0, "it is read at last");
}

#[test]
fn a_file_that_grows_all_the_time_is_not_taken_for_a_false_citation() {
    let jail = Jail::new();
    jail.put("log.txt", "line of a log\n".repeat(10_000));
    let mut log = fs::OpenOptions::new().append(true).open(jail.path("log.txt")).unwrap();
    let reference =
        FileReference { path: "log.txt".into(), quote: Some("line of a log".into()), lines: None };
    let append = move |_| log.write_all(b"line of a log\n").unwrap();
    let append = std::sync::Mutex::new(append);
    meanwhile(
        move |turn| (append.lock().unwrap())(turn),
        || {
            let finding = jail.root.check(&reference, SearchDepth::Verdict);
            let fault = finding
                .problem
                .is_some_and(|problem| problem.is_fault() || matches!(problem, Unverified::TooLarge { .. }));
            assert!(fault || finding.grade() == EvidenceGrade::Precise, "{finding:?}");
            fault
        },
        50,
    );
}
