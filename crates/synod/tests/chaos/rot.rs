//! Bits of the database and of its log flip, in a house that was closed and in one whose writer was killed. Every flip is found
//! by `synod verify`, or the journal reads as it did.

use std::path::Path;

use crate::form::{Counts, Random, pick, random, sweep};
use crate::service::Service;
use crate::world::Place;

/// A house with a settled matter and some writes, closed or left by a killed writer.
fn house(is_closed: bool) -> Place {
    let place = Place::new();
    place.run(["debate", "Should we cache the index?", "--quiet", "--rehearse", "--charter=collaborative"]);
    let service = Service::start(&place, "count").expect("a service");
    for nth in 0..20 {
        service.write(&place, nth).expect("an acknowledgement");
    }
    match is_closed {
        true => drop(service.end()),
        false => service.kill(),
    }
    place
}

/// Flips some bits near each other, as failing memory and disks do.
fn flip(file: &Path, random: &mut Random) -> String {
    let mut bytes = std::fs::read(file).expect("a file");
    let place = random.below(bytes.len());
    let count = 1 + random.below(3);
    for _ in 0..count {
        let at = (place + random.below(4)).min(bytes.len() - 1);
        bytes[at] ^= 1 << random.below(8);
    }
    std::fs::write(file, bytes).expect("a file");
    format!("{count} bits at {place}")
}

fn rot(name: &'static str, file: &str, is_closed: bool) {
    let whole = house(is_closed);
    // Reading may fold the log into the database, so a copy is read.
    let copy = whole.copy();
    let rows = copy.rows();
    copy.run(["verify"]).exits(0);
    copy.spoil();
    assert!(whole.house().join(file).metadata().is_ok_and(|found| found.len() > 4096), "{file} is there");
    let mut random = random(name);
    sweep(name, 0..pick(20, 300), |_| {
        let rotten = whole.copy();
        let where_ = flip(&rotten.house().join(file), &mut random);
        let verified = rotten.run(["verify"]);
        let _ = rotten.run(["list"]);
        let is_found = verified.code != 0;
        if !is_found {
            let left = rotten.rows();
            assert!(
                left == rows,
                "{where_}: {} of {} acts are left, and verify says nothing",
                left.len(),
                rows.len()
            );
        }
        rotten.spoil();
        Counts::of([("found", usize::from(is_found)), ("without effect", usize::from(!is_found))])
    });
    whole.spoil();
}

#[test]
fn bits_of_the_database() {
    rot("bit rot, database", "journal.db", true);
}

#[test]
fn bits_of_the_database_after_a_kill() {
    rot("bit rot, database after a kill", "journal.db", false);
}

#[test]
fn bits_of_the_log_after_a_kill() {
    rot("bit rot, write-ahead log", "journal.db-wal", false);
}
