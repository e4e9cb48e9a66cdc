//! Comments that cite files, on real files: read at once, read again after a restart, and never through a link.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use synod_core::kernel::{Actor, CitationTrigger, Digest, MatterId, Reference, Seat, SeatKind, Who};
use synod_core::procedure::workshop::{Command as Work, CommentOutcome, OpenIssue, WriteComment, held_by};
use synod_core::{Act, Command, Outcome, charter};
use synod_engine::{Engine, EngineOptions, Minds, Order, Root, replay};
use synod_journal::{LockHolder, Sqlite, SqliteReader};

const BODY: &str = "I compared the scene in which the reactor fails with the docking sequence; the order of events still \
     holds because nobody leaves that bridge before midnight on day three.";

fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

/// A folder with a house in it; the engine reads cited files there if it is told to.
fn engine(dir: &Path, reads: bool) -> Engine {
    let house = dir.join(".synod");
    let journal = Sqlite::open(&house, &LockHolder::this_process("a test")).unwrap();
    let evidence = reads.then(|| Arc::new(Root::open(dir, &house).unwrap()));
    let options = EngineOptions { evidence, rings_run_on: true, ..EngineOptions::default() };
    Engine::open(Box::new(journal), Minds::new(), options).unwrap()
}

async fn give(engine: &Engine, by: Actor, command: Command) -> Act {
    let done = engine.submit(Order { by, key: None, command, vouched: None }).await.unwrap();
    assert!(matches!(done.act.outcome, Outcome::Done(_)), "{:?}", done.act.outcome);
    Act::clone(&done.act)
}

async fn enrol(engine: &Engine, name: &str) {
    let (kind, backend) = (SeatKind::Outside, "outside".into());
    let seat =
        Seat { kind, backend, model: None, name: name.into(), persona: None, profile: None, who: who(name) };
    give(engine, Actor::Operator, Command::Enrol { seat }).await;
}

/// A house with an issue that the user opened, in a folder with a scene that is older than it. (One that an agent opened wants
/// files that lay unchanged for an hour.)
async fn begun(dir: &Path) -> (Engine, MatterId) {
    fs::create_dir_all(dir.join(".synod")).unwrap();
    fs::write(dir.join("scene.txt"), "The reactor fails at noon.\nNobody leaves before midnight.\n").unwrap();
    tokio::time::sleep(Duration::from_millis(20)).await;
    let engine = engine(dir, false);
    let source = charter::shipped("workshop").unwrap().source;
    let founding = Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() };
    give(&engine, Actor::Operator, founding).await;
    give(&engine, Actor::Operator, Command::Adopt { source: source.into() }).await;
    let configure = Work::Configure { charter: Digest::of(source.as_bytes()) };
    give(&engine, Actor::Operator, Command::Workshop(configure)).await;
    for name in ["ann", "bob"] {
        enrol(&engine, name).await;
    }
    let open = Work::Open(Box::new(OpenIssue::new("When does it fail?", "Say when.")));
    give(&engine, Actor::Operator, Command::Workshop(open)).await;
    let issue = engine.read(|house| house.docket().rows().next().unwrap().0);
    (engine, issue)
}

async fn offer(engine: &Engine, issue: MatterId, cited: &str) -> Act {
    offer_as(engine, "bob", issue, cited).await
}

async fn offer_as(engine: &Engine, name: &str, issue: MatterId, cited: &str) -> Act {
    // What stands in the issue already would be refused as a repetition.
    let said = engine.read(|house| house.case(issue).map_or(0, |case| case.comments().count()));
    let mut comment = WriteComment::new(issue, if said == 0 { BODY } else { MORE });
    comment.evidence = vec![Reference::parse(cited).unwrap()];
    comment.trigger = Some(CitationTrigger::AnswerToQuestion);
    give(engine, Actor::Seat(who(name)), Command::Workshop(Work::Comment(Box::new(comment)))).await
}

fn credits(engine: &Engine) -> i64 {
    engine.read(|house| house.ledger().total(&who("bob")).credits)
}

const MORE: &str = "Later pages agree that nobody on board looked at the second gauge, because the only person who ever reads it had \
    already gone to sleep, and the log of that night holds three signatures that were written by one hand.";
const TRUE_QUOTE: &str = "scene.txt:1 \"The reactor fails at noon\"";

#[tokio::test]
async fn a_caller_hears_what_became_of_a_comment() {
    let dir = tempfile::tempdir().unwrap();
    let (first, issue) = begun(dir.path()).await;
    first.end();
    let engine = engine(dir.path(), true);
    let held = offer(&engine, issue, TRUE_QUOTE).await;
    let ask = held_by(&held).expect("it waits for the file");
    let done = engine.closing(ask, &held).await.unwrap();
    assert!(matches!(CommentOutcome::of(&done), Some(CommentOutcome::Posted { .. })), "{done:?}");
    assert_eq!(credits(&engine), 1);
    let held = offer(&engine, issue, "scene.txt:1 \"the captain slept through all of it\"").await;
    let done = engine.closing(held_by(&held).unwrap(), &held).await.unwrap();
    assert!(matches!(CommentOutcome::of(&done), Some(CommentOutcome::Refused { .. })), "{done:?}");
    assert_eq!(credits(&engine), -1);
    engine.end();
    let replayed = replay(&SqliteReader::open(&dir.path().join(".synod")).unwrap()).unwrap();
    assert!(replayed.is_ok(), "judged again without any file: {replayed:?}");
}

#[tokio::test]
async fn a_comment_that_waits_is_read_by_the_next_engine() {
    let dir = tempfile::tempdir().unwrap();
    let (first, issue) = begun(dir.path()).await;
    // Nobody reads here: the process ends between ask and answer.
    let held = offer(&first, issue, TRUE_QUOTE).await;
    first.end();
    let second = engine(dir.path(), true);
    let done = second.closing(held_by(&held).unwrap(), &held).await.unwrap();
    assert!(matches!(CommentOutcome::of(&done), Some(CommentOutcome::Posted { .. })), "{done:?}");
    assert_eq!(credits(&second), 1);
    second.end();
    let third = engine(dir.path(), true);
    assert_eq!(credits(&third), 1, "and once is enough");
    third.read(|house| assert_eq!(house.open_asks().count(), 0));
    third.end();
}

/// A file that is swapped for a link to a secret again and again while comments quote the secret: not one is verified.
#[tokio::test]
async fn a_file_that_becomes_a_link_is_never_read_through_it() {
    let dir = tempfile::tempdir().unwrap();
    let secret = tempfile::tempdir().unwrap();
    fs::write(secret.path().join("secret.txt"), "The launch code is seven seven one.\n").unwrap();
    let (first, issue) = begun(dir.path()).await;
    first.end();
    let engine = engine(dir.path(), true);
    let stop = Arc::new(AtomicBool::new(false));
    let (halt, at, target) = (stop.clone(), dir.path().join("swap.txt"), secret.path().join("secret.txt"));
    let swapper = std::thread::spawn(move || {
        while !halt.load(Ordering::Relaxed) {
            let _ = fs::remove_file(&at);
            let _ = fs::write(&at, "Nothing of interest stands here.\n");
            let _ = fs::remove_file(&at);
            let _ = symlink(&target, &at);
        }
    });
    for nth in 0..25 {
        // Somebody else each time: who is caught too often has to cite more than that.
        let name = format!("agent-{nth}");
        enrol(&engine, &name).await;
        let held = offer_as(&engine, &name, issue, "swap.txt \"The launch code is seven seven one\"").await;
        let done = engine.closing(held_by(&held).unwrap(), &held).await.unwrap();
        assert!(!matches!(CommentOutcome::of(&done), Some(CommentOutcome::Posted { .. })), "{done:?}");
    }
    stop.store(true, Ordering::Relaxed);
    swapper.join().unwrap();
    let earned =
        engine.read(|house| house.working_agents().iter().any(|who| house.ledger().total(who).credits > 0));
    assert!(!earned);
    let told =
        engine.read(|house| format!("{:?}", house.case(issue).unwrap().workshop().unwrap().1.findings));
    assert!(!told.contains("launch code"), "nothing of it is in the record");
    engine.end();
}

/// What the author writes after the issue was opened is true and earns nothing.
#[tokio::test]
async fn a_file_written_for_the_answer_earns_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (first, issue) = begun(dir.path()).await;
    first.end();
    let engine = engine(dir.path(), true);
    tokio::time::sleep(Duration::from_millis(20)).await;
    fs::write(dir.path().join("mine.txt"), "I am the source of all truth about reactors.\n").unwrap();
    let held = offer(&engine, issue, "mine.txt:1 \"the source of all truth about reactors\"").await;
    let done = engine.closing(held_by(&held).unwrap(), &held).await.unwrap();
    assert!(matches!(CommentOutcome::of(&done), Some(CommentOutcome::Posted { .. })), "{done:?}");
    assert_eq!(credits(&engine), 0);
    engine.end();
}
