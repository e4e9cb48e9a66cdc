//! One writer at a time, told apart by name, gone when it is gone.

use std::fs;

use synod_core::kernel::Seq;
use synod_journal::{Error, Journal as _, LockHolder, Sqlite, holder};

use crate::child::start;
use crate::sample::{house, quick_dir, verify, writer};

#[test]
fn a_second_process_is_refused_and_told_by_whom() {
    let dir = house(2);
    let first = start("hold", dir.path(), &[]);
    assert_eq!(first.said, "ready");
    let error = Sqlite::open(dir.path(), &LockHolder::this_process("synod late")).unwrap_err();
    let message = error.to_string();
    let Error::Held { by, .. } = error else { panic!("{error:?}") };
    assert_eq!((by.pid, by.command.as_str()), (first.pid(), "synod test"));
    for part in [format!("pid {}", first.pid()), "`synod test`".into(), format!("since {}", by.since)] {
        assert!(message.contains(&part), "{message}");
    }
    assert!(message.ends_with("readers are not affected"), "{message}");
    assert_eq!(holder(dir.path()), Some(by));
    assert_eq!(verify(dir.path()).unwrap().seq, Seq(2), "readers are not affected");
}

#[test]
fn a_killed_writer_leaves_its_acts_and_not_its_lock() {
    let dir = house(2);
    let first = start("append", dir.path(), &[]);
    assert_eq!(first.said, "9");
    first.kill();
    assert!(fs::read_to_string(dir.path().join("lock")).unwrap().contains("synod test"), "its note is stale");
    assert_eq!(holder(dir.path()), None);
    assert_eq!(verify(dir.path()).unwrap().seq, Seq(9), "what was acknowledged is there");
    let journal = writer(dir.path());
    assert_eq!(journal.head().seq, Seq(9));
    assert_eq!(holder(dir.path()).map(|holder| holder.pid), Some(std::process::id()));
}

#[test]
fn a_second_writer_in_the_same_process_is_refused_too() {
    let dir = quick_dir();
    let journal = writer(dir.path());
    assert!(matches!(Sqlite::open(dir.path(), &LockHolder::this_process("again")), Err(Error::Held { .. })));
    drop(journal);
    assert_eq!(holder(dir.path()), None);
    assert_eq!(fs::read_to_string(dir.path().join("lock")).unwrap(), "", "the note goes with the lock");
    drop(writer(dir.path()));
}

#[test]
fn asking_who_writes_does_not_keep_writers_out() {
    let dir = quick_dir();
    drop(writer(dir.path()));
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| {
            for _ in 0..300 {
                holder(dir.path());
                // Asked without a pause on a busy machine, even ten tries in a row could all meet a question.
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        while !asking.is_finished() {
            drop(writer(dir.path()));
        }
    });
}

#[test]
fn no_house_has_no_holder() {
    assert_eq!(holder(quick_dir().path()), None);
}
