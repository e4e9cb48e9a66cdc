//! Houses that are opened from a snapshot, and matters that left memory: nobody can tell the difference, and nothing
//! that is wrong with the snapshot is ever an error.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use synod_core::command::Open;
use synod_core::kernel::{Actor, AskId, At, Call, Digest, Id, Key, MatterId, Seat, SeatKind, Who};
use synod_core::matter::Question;
use synod_core::meter::Limits;
use synod_core::procedure::council::{self, Fork};
use synod_core::track::Verdict;
use synod_core::{Act, Command, House, Outcome, Task};
use synod_engine::{
    Archive, Engine, EngineOptions, Minds, Opened, Order, SnapshotCheck, SnapshotPlace, check_snapshot, fold,
    open_house,
};
use synod_journal::{
    Head, HouseKey, Journal as _, JournalReader as _, LockHolder, Record, Snapshot, Sqlite, SqliteReader,
    chain,
};
use tempfile::TempDir;

/// More matters than stay in memory, and more acts than a house without a snapshot has.
const MATTERS: usize = 300;
/// What only the topic of the first matter says.
const SECRET: &str = "the okapi in the cellar";

fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

/// Writes a journal act by act, as an engine would, without waiting for the disk after each.
struct Scribe {
    house: House,
    journal: Sqlite,
    now: At,
    /// What is not appended yet: each append waits for the disk.
    records: Vec<Record>,
}

impl Scribe {
    fn new(dir: &Path) -> Self {
        let journal = Sqlite::open(dir, &LockHolder::this_process("a test")).unwrap();
        let house = fold(&*journal.reader().unwrap()).unwrap().0;
        Self { house, journal, now: At(1_700_000_000_000), records: Vec::new() }
    }

    fn write(&mut self, by: Actor, key: Option<Key>, command: Command) -> Act {
        self.now = self.now.plus(1_000);
        let (act, house) = self.house.judge(self.now, by, key, command);
        assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
        let head = self.records.last().map_or(self.journal.head(), Record::head);
        self.records.push(chain::seal(head, &act).unwrap());
        self.house = house;
        act
    }

    fn end(mut self) {
        self.journal.append(self.journal.head(), &self.records).unwrap();
    }

    fn found(&mut self) {
        let enrol = |name: &str| {
            let (kind, backend) = (SeatKind::Scripted, "script:test".into());
            let seat = Seat {
                who: who(name),
                name: name.into(),
                kind,
                backend,
                model: None,
                persona: None,
                profile: None,
            };
            Command::Enrol { seat }
        };
        let source = crate::minds::source();
        let found = Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() };
        let orders = [found, Command::Adopt { source }, enrol("ann"), enrol("bob")];
        for command in orders {
            self.write(Actor::Operator, None, command);
        }
    }

    /// A matter that is opened under a key of its own and answered to the end.
    fn matter(&mut self, topic: &str) -> MatterId {
        let question = Question::parse(topic, &[]).unwrap();
        let digest = Digest::of(crate::minds::source().as_bytes());
        let open = Command::Open(Box::new(Open::new(question, digest, vec![who("ann"), who("bob")])));
        let act =
            self.write(Actor::Operator, Some(Key(format!("open/{}", self.house.matters()).into())), open);
        let matter = MatterId(Id { act: act.seq, nth: 0 });
        while let Some((ask, open)) =
            self.house.case(matter).unwrap().asks().iter().next().map(|(id, ask)| (*id, ask.clone()))
        {
            self.write(Actor::Seat(open.who().unwrap().clone()), None, answer(ask, open.task().unwrap()));
        }
        matter
    }
}

fn answer(ask: AskId, task: Task) -> Command {
    let text = match task {
        Task::Vote { .. } => r#"{"vote":"YES","reason":"it pays"}"#,
        _ => r#"{"stance":"YES","position":"we should"}"#,
    };
    Command::Answer { ask, salt: None, text: text.into(), call: Box::new(Call::default()) }
}

/// A house with many settled matters and no snapshot. The first matter has the secret topic.
fn many() -> (TempDir, MatterId) {
    static MANY: LazyLock<(TempDir, MatterId)> = LazyLock::new(|| {
        let dir = tempfile::tempdir().unwrap();
        let mut scribe = Scribe::new(dir.path());
        scribe.found();
        let first = scribe.matter(SECRET);
        for nth in 1..MATTERS {
            scribe.matter(&format!("question {nth}"));
        }
        scribe.end();
        (dir, first)
    });
    let dir = tempfile::tempdir().unwrap();
    std::fs::copy(MANY.0.path().join("journal.db"), dir.path().join("journal.db")).unwrap();
    (dir, MANY.1)
}

/// The key of the user who runs these tests, outside of their houses.
fn key() -> &'static Arc<HouseKey> {
    static KEY: LazyLock<Arc<HouseKey>> = LazyLock::new(|| {
        let home = tempfile::tempdir().unwrap();
        Arc::new(HouseKey::load_or_create(home.path()).unwrap())
    });
    &KEY
}

fn place(dir: &Path) -> Option<SnapshotPlace<'_>> {
    SnapshotPlace::of(Some(dir), Some(key()))
}

fn engine(dir: &Path) -> Engine {
    let journal = Sqlite::open(dir, &LockHolder::this_process("a test")).unwrap();
    Engine::open(
        Box::new(journal),
        Minds::new(),
        EngineOptions { snapshots: Some(key().clone()), ..EngineOptions::default() },
    )
    .unwrap()
}

fn reader(dir: &Path) -> SqliteReader {
    SqliteReader::open(dir).unwrap()
}

/// Opens the house; where from, and whether it is what the whole journal comes to.
#[track_caller]
fn opened(dir: &Path) -> Option<Head> {
    let Opened { mut house, head, snapshot } = open_house(&reader(dir), place(dir)).unwrap();
    let (whole, end) = fold(&reader(dir)).unwrap();
    assert_eq!(head, end);
    assert!(house.matters() - house.cases().count() > 0, "some matters left memory");
    let all: Vec<MatterId> = whole.cases().map(|case| case.id).collect();
    Archive::at(dir).bring(&mut house, all).unwrap();
    assert!(house == whole, "a house in parts is the house");
    snapshot
}

async fn give(engine: &Engine, command: Command) -> std::sync::Arc<Act> {
    let act = engine.submit(Order::operator(command)).await.unwrap().act;
    assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
    act
}

#[tokio::test]
async fn an_engine_that_ends_leaves_a_snapshot_that_the_next_one_opens() {
    let (dir, first) = many();
    let dir = dir.path();
    assert_eq!(opened(dir), None, "nobody has written one yet");
    engine(dir).end();
    let head = reader(dir).head().unwrap();
    assert_eq!(opened(dir), Some(head));
    assert_eq!(check_snapshot(&reader(dir), dir, Some(key())).unwrap(), SnapshotCheck::Agrees(head));
    // A few acts later the same one is used, with what came since.
    let engine = engine(dir);
    give(&engine, Command::RecordOutcome { matter: first, verdict: Verdict::Right }).await;
    engine.end();
    assert!(reader(dir).head().unwrap().seq > head.seq);
    assert_eq!(opened(dir), Some(head));
}

#[tokio::test]
async fn small_houses_have_none() {
    let dir = tempfile::tempdir().unwrap();
    let mut scribe = Scribe::new(dir.path());
    scribe.found();
    scribe.matter("only one");
    scribe.end();
    engine(dir.path()).end();
    assert_eq!(Snapshot::file(dir.path()), None);
}

#[tokio::test]
async fn a_snapshot_that_is_not_as_it_should_be_is_ignored_and_replaced() {
    let (dir, _) = many();
    let dir = dir.path();
    engine(dir).end();
    let path = dir.join("snapshot");
    let good = std::fs::read(&path).unwrap();
    let head = opened(dir).expect("the good one is used");
    let flipped = |at: usize| good.iter().enumerate().map(|(i, byte)| byte ^ u8::from(i == at)).collect();
    let mut others: Vec<(&str, Vec<u8>)> = vec![
        ("empty", Vec::new()),
        ("cut in half", good[..good.len() / 2].to_vec()),
        ("cut by a byte", good[..good.len() - 1].to_vec()),
        ("longer", [&good[..], &[0]].concat()),
        ("garbage", b"PK\x03\x04 this is something else".to_vec()),
    ];
    others.extend([0, 20, 60, 200, good.len() / 2, good.len() - 4].map(|at| ("one bit", flipped(at))));
    for (what, bytes) in others {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(opened(dir), None, "{what}");
        assert_eq!(
            check_snapshot(&reader(dir), dir, Some(key())).unwrap(),
            SnapshotCheck::Unusable,
            "{what}"
        );
    }
    // One of another version, whole in itself.
    std::fs::write(&path, &good).unwrap();
    let newer = Snapshot { form: "99.0.0 1".into(), ..Snapshot::load(dir, key()).unwrap() };
    newer.save(dir, key()).unwrap();
    assert_eq!(opened(dir), None);
    // One that somebody else signed says nothing, whatever it says.
    std::fs::write(&path, &good).unwrap();
    let stranger = tempfile::tempdir().unwrap();
    let stranger = HouseKey::load_or_create(stranger.path()).unwrap();
    Snapshot::load(dir, key()).unwrap().save(dir, &stranger).unwrap();
    assert_eq!(opened(dir), None);
    assert_eq!(check_snapshot(&reader(dir), dir, Some(key())).unwrap(), SnapshotCheck::Unusable);
    // One of another house.
    let (other, _) = many();
    let mut scribe = Scribe::new(other.path());
    scribe.matter("one more");
    scribe.end();
    engine(other.path()).end();
    std::fs::copy(other.path().join("snapshot"), &path).unwrap();
    assert_eq!(opened(dir), None);
    // A directory in its place can be neither read nor replaced, and nobody minds.
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    engine(dir).end();
    assert_eq!(opened(dir), None);
    std::fs::remove_dir(&path).unwrap();
    engine(dir).end();
    assert_eq!(opened(dir), Some(head), "the next engine has replaced it");
}

#[tokio::test]
async fn a_snapshot_that_is_newer_than_a_restored_journal_is_ignored() {
    let (dir, _) = many();
    let dir = dir.path();
    engine(dir).end();
    let old = std::fs::read(dir.join("journal.db")).unwrap();
    let mut scribe = Scribe::new(dir);
    for nth in 0..60 {
        scribe.matter(&format!("later {nth}"));
    }
    scribe.end();
    engine(dir).end();
    let newer = opened(dir).unwrap();
    for file in ["journal.db-wal", "journal.db-shm"] {
        let _ = std::fs::remove_file(dir.join(file));
    }
    std::fs::write(dir.join("journal.db"), old).unwrap();
    assert!(reader(dir).head().unwrap().seq < newer.seq);
    assert_eq!(opened(dir), None);
}

#[tokio::test]
async fn a_journal_that_was_tampered_with_at_the_act_of_the_snapshot_is_found_out() {
    let (dir, _) = many();
    let dir = dir.path();
    engine(dir).end();
    let head = opened(dir).unwrap();
    let journal = rusqlite::Connection::open(dir.join("journal.db")).unwrap();
    let seq = head.seq.0 as i64;
    journal.execute("UPDATE acts SET body = replace(body, 'YES', 'NO!') WHERE seq = ?1", [seq]).unwrap();
    drop(journal);
    let said = open_house(&reader(dir), place(dir)).unwrap_err().to_string();
    assert!(said.contains("was edited"), "{said}");
}

#[tokio::test]
async fn a_matter_that_left_memory_is_read_judged_and_branched_off_from() {
    let (dir, first) = many();
    let dir = dir.path();
    engine(dir).end();
    let engine = engine(dir);
    assert!(engine.read(|house| house.is_away(first) && house.case(first).is_none()));
    let (whole, _) = fold(&reader(dir)).unwrap();
    let same = |house: &House| house.case(first) == whole.case(first);
    assert!(engine.read_with([first], same).unwrap());
    let unknown: MatterId = "m999999".parse().unwrap();
    assert!(engine.read_with([unknown], |house| house.case(unknown).is_none()).unwrap());
    let learned = give(&engine, Command::RecordOutcome { matter: first, verdict: Verdict::Wrong }).await;
    assert!(engine.read(|house| house.case(first).is_some_and(|case| case.learned.is_some())));
    assert_eq!(engine.read(|house| house.seq()), learned.seq);
    let second: MatterId = engine.read(|house| house.summaries().nth(1).unwrap().id);
    assert!(engine.read(|house| house.is_away(second)));
    let (limits, moved) = (Limits::default(), Default::default());
    let fork = Fork {
        from: second,
        round: 1,
        charter: None,
        seats: None,
        limits,
        moved,
        focus: None,
        stepwise: true,
    };
    let act = give(&engine, Command::Council(council::Command::Fork(Box::new(fork)))).await;
    let branch = MatterId(Id { act: act.seq, nth: 0 });
    let number = engine.read(|house| house.case(branch).unwrap().number);
    assert_eq!(number, MATTERS as u64 + 1, "matters that are away count");
    engine.end();
    opened(dir);
}

#[tokio::test]
async fn keys_are_known_after_a_restart_from_a_snapshot() {
    let (dir, first) = many();
    engine(dir.path()).end();
    assert!(opened(dir.path()).is_some());
    let engine = engine(dir.path());
    let key = Some(Key("open/0".into()));
    let order = Order { key, ..Order::operator(Command::Tick) };
    let done = engine.submit(order).await.unwrap();
    assert!(done.repeated);
    assert_eq!(done.act.seq, first.0.act);
}

#[tokio::test]
async fn words_that_are_redacted_are_in_no_file_of_the_house() {
    let (dir, first) = many();
    let dir = dir.path();
    engine(dir).end();
    let holds = |words: &str| -> Vec<String> {
        let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let has = |path: &std::path::PathBuf| {
            let bytes = std::fs::read(path).unwrap_or_default();
            bytes.windows(words.len()).any(|window| window == words.as_bytes())
        };
        files.filter(has).map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert!(holds(SECRET).contains(&"snapshot".to_string()), "topics lie in the snapshot");
    let first_engine = engine(dir);
    let done = first_engine.redact(first).await.unwrap();
    assert!(done.acts > 0);
    assert_eq!(holds(SECRET), Vec::<String>::new(), "at once, while the engine goes on");
    first_engine.end();
    assert_eq!(holds(SECRET), Vec::<String>::new());
    assert_eq!(opened(dir), Some(reader(dir).head().unwrap()), "and there is a snapshot again");
    let engine = engine(dir);
    let told = engine.read(|house| house.summary(first).map(|known| known.topic.to_string()));
    assert_eq!(told.as_deref(), Some(synod_core::kernel::REDACTED));
}
