//! A restore that is killed before each call that changes a file of the house. Whatever is left says what happened, nobody writes to it as
//! if nothing were missing, and restoring again ends as it should.

use std::path::Path;

use serde_json::Value;

use crate::form::{Counts, sample, sweep};
use crate::shim::Shimmed;
use crate::world::{Place, copy_dir};

/// A house with a backup beside it, and acts since.
fn beside_its_backup() -> Place {
    let place = Place::new();
    place.run(["ring", "open", "Tea?", "--invite=ann", "--invite=bob"]).exits(0);
    place.run(["backup", "copy"]).exits(0);
    place.run(["ring", "open", "Coffee?", "--invite=ann", "--invite=bob"]).exits(0);
    place
}

fn again(place: &Place) -> Place {
    let copy = place.copy();
    copy_dir(&place.dir().join("copy"), &copy.dir().join("copy"));
    copy
}

fn restore() -> Vec<String> {
    ["restore", "copy", "--yes"].map(String::from).into()
}

/// The first act, whose hash names the house.
fn first(journal: &Path) -> Option<Vec<u8>> {
    let journal =
        rusqlite::Connection::open_with_flags(journal, rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    journal.query_row("SELECT hash FROM acts WHERE seq = 1", [], |row| row.get(0)).ok()
}

#[test]
fn a_restore_killed_before_each_call() {
    let place = beside_its_backup();
    let (had, origin) = (place.acts().len() as u64, first(&place.journal()));
    let counted = again(&place);
    let (run, calls) = Shimmed::new(&counted, "count", &restore()).run();
    run.exits(0).prints("were given up");
    assert!(calls.len() > 20, "the shim saw only {} calls", calls.len());
    counted.run(["verify"]).exits(0);
    counted.spoil();
    let points: Vec<String> = (1..=calls.len()).map(|nth| format!("kill:{nth}")).collect();
    sweep("restore killed", sample("restore", &points, 16), |plan| {
        let killed = again(&place);
        drop(Shimmed::new(&killed, plan, &restore()).run());
        let verified = killed.run(["verify"]);
        let whole = verified.out.starts_with("signed\n");
        if !whole {
            assert!(
                format!("{verified}").contains("synod restore"),
                "{plan}: it says what to do\n{verified}"
            );
        }
        let wrote = killed.run(["ring", "open", "Water?", "--invite=ann", "--invite=bob"]);
        assert_eq!(
            whole,
            wrote.code == 0,
            "{plan}: what is not whole is not written to\n{verified}\n{wrote}"
        );
        if killed.journal().exists() {
            let found = first(&killed.journal());
            assert!(found.is_none() || found == origin, "{plan}: another house was founded");
        }
        killed.run(["restore", "copy", "--yes"]).exits(0);
        let verified = killed.run(["verify"]).exits(0);
        assert!(verified.out.starts_with("signed\n"), "{plan}: {verified}");
        let lost = |act: &Value| act["command"]["note_repair"]["lost"].as_u64();
        let lost = killed.acts().iter().filter_map(lost).max();
        assert!(lost >= Some(had), "{plan}: the record says that {had} acts were there, found {lost:?}");
        killed.spoil();
        Counts::of([
            ("whole after the kill", usize::from(whole)),
            ("refused until restored", usize::from(!whole)),
        ])
    });
    place.spoil();
}
