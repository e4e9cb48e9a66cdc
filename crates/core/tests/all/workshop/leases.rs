//! Leases in a house: who holds what until when, and every way round them that somebody might try.

use proptest::prelude::*;
use synod_core::House;
use synod_core::kernel::Actor;
use synod_core::lease::{self, LeasePath};
use synod_core::procedure::workshop::{Command as Work, LeaseCommand};

use super::Shop;
use super::canon::told;
use crate::world::{START, World, after, who};

pub(crate) fn line(event: &lease::Event) -> String {
    let list = |paths: &[LeasePath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    match event {
        lease::Event::Taken { paths, until, who, .. } => {
            format!("{who} holds {} until {}", list(paths), after(*until))
        }
        lease::Event::Renewed { paths, until, who } => {
            format!("{who} renewed {} until {}", list(paths), after(*until))
        }
        lease::Event::Released { by, paths, who } => format!("{by} released {} of {who}", list(paths)),
        lease::Event::Expired { paths, who } => format!("{} of {who} expired", list(paths)),
        lease::Event::Asked { by, opened, path, who, .. } => {
            let opened = if opened.is_some() { " by an issue" } else { "" };
            format!("{by} asks {who} for {path}{opened}")
        }
    }
}

fn names(paths: &[&str]) -> Vec<String> {
    paths.iter().map(ToString::to_string).collect()
}

impl Shop {
    fn lease(&mut self, by: &str, command: LeaseCommand) -> String {
        told(&self.give(by, Work::Lease(command)))
    }

    fn takes(&mut self, by: &str, paths: &[&str]) -> String {
        self.lease(by, LeaseCommand::Take { for_ms: Some(60_000), paths: names(paths), why: None })
    }

    fn releases(&mut self, by: &str, paths: &[&str]) -> String {
        self.lease(by, LeaseCommand::Release { paths: names(paths) })
    }
}

#[test]
fn a_path_is_held_by_one_at_a_time() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    assert_eq!(shop.takes("ann", &["src/api.rs"]), "ann holds src/api.rs until 1:00");
    let act = shop.give(
        "bob",
        Work::Lease(LeaseCommand::Take { for_ms: None, paths: names(&["src/api.rs"]), why: None }),
    );
    let synod_core::Outcome::Refused { code, message } = &act.outcome else { panic!("{act:?}") };
    assert_eq!(code, "lease/held");
    let message = message.to_string();
    for needed in ["ann", "2023-11-14T22:14:20", "synod lease ask --as 'bob' src/api.rs"] {
        assert!(message.contains(needed), "{message}");
    }
    assert_eq!(shop.takes("bob", &["src/db.rs"]), "bob holds src/db.rs until 1:00");
    assert_eq!(shop.releases("ann", &[]), "ann released src/api.rs of ann");
    assert_eq!(shop.takes("bob", &["src/api.rs"]), "bob holds src/api.rs until 1:00");
}

#[test]
fn every_spelling_of_a_held_path_is_held() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.takes("ann", &["src/Caf\u{e9}/api.rs", "docs"]);
    for path in [
        "src/Caf\u{e9}/api.rs",
        "src/cafe\u{301}/API.RS",
        "./src/caf\u{e9}/./api.rs",
        "src/caf\u{e9}/api.rs/",
        "src/caf\u{e9}/api.rs/below",
        "src/caf\u{e9}",
        "src/",
        "SRC",
        "docs/",
        "docs/guide.md",
        "docs/a/b/c",
        "DOCS/Guide.md",
    ] {
        assert_eq!(shop.takes("bob", &[path]), "lease/held", "{path}");
    }
    for free in ["src2", "docs2/a", "doc", "docs.md", "src/caf\u{e9}s", "src/caf\u{e9}/api.rs2"] {
        assert!(shop.takes("bob", &[free]).starts_with("bob holds"), "{free}");
    }
}

#[test]
fn what_leads_out_of_the_project_cannot_be_leased() {
    let mut shop = Shop::new("workshop", &["ann"]);
    for path in [
        "",
        ".",
        "./",
        "/",
        "..",
        "../x",
        "a/../b",
        "a/..",
        "/etc/passwd",
        "C:/x",
        "c:x",
        "a\\b",
        "a//b",
        " a",
        "a ",
        "a/\u{0}b",
        "a\nb",
        "~/x:y",
        &"x".repeat(301),
    ] {
        assert_eq!(shop.takes("ann", &[path]), "lease/bad-path", "{path:?}");
    }
    assert_eq!(shop.takes("ann", &[]), "lease/nothing-named");
    assert_eq!(shop.world.house.leases().held(shop.world.now).count(), 0);
}

#[test]
fn all_paths_are_taken_or_none() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.takes("ann", &["b"]);
    assert_eq!(shop.takes("bob", &["a", "b", "c"]), "lease/held");
    assert_eq!(shop.takes("bob", &["a", "../b"]), "lease/bad-path");
    assert_eq!(shop.takes("ann", &["a", "A", "a/b", "c"]), "ann holds a c until 1:00", "each once");
}

#[test]
fn the_charter_says_how_many_and_how_long() {
    let mut shop = Shop::new("workshop", &["ann"]);
    let many: Vec<String> = (0..21).map(|nth| format!("f{nth}")).collect();
    let take = |for_ms, paths: &[String]| LeaseCommand::Take { for_ms, paths: paths.to_vec(), why: None };
    assert_eq!(shop.lease("ann", take(None, &many)), "lease/too-many");
    assert!(shop.lease("ann", take(None, &many[..20])).ends_with("until 10:00"));
    assert_eq!(shop.lease("ann", take(None, &many[20..])), "lease/too-many");
    assert!(
        shop.lease("ann", take(None, &many[..1])).starts_with("ann holds f0"),
        "what one holds is no more"
    );
    for for_ms in [0, 4 * 3_600_000 + 1, u64::MAX] {
        assert_eq!(shop.lease("ann", take(Some(for_ms), &many[..1])), "lease/bad-time");
        let renew = LeaseCommand::Renew { for_ms: Some(for_ms), paths: Vec::new() };
        assert_eq!(shop.lease("ann", renew), "lease/bad-time");
    }
    let why = Some("x".repeat(501));
    let long = LeaseCommand::Take { for_ms: None, paths: names(&["f0"]), why };
    assert_eq!(shop.lease("ann", long), "lease/long-reason");
}

#[test]
fn a_lease_ends_at_its_moment_and_the_record_says_so() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.takes("ann", &["a"]);
    assert_eq!(shop.world.house.next_deadline(), Some(START.plus(60_000)));
    shop.world.now = START.plus(59_999);
    assert_eq!(shop.takes("bob", &["a"]), "lease/held");
    // Nobody ticked yet, and its time is over all the same.
    shop.world.now = START.plus(60_000);
    assert_eq!(shop.takes("bob", &["a"]), "bob holds a until 2:00");
    assert_eq!(told(&shop.wait("60s")), "a of bob expired");
    assert_eq!(shop.world.house.next_deadline(), None);
    assert_eq!(shop.releases("bob", &["a"]), "lease/not-held");
    assert_eq!(shop.releases("bob", &[]), "lease/nothing-held");
}

#[test]
fn a_clock_that_is_set_back_gives_nobody_more_time() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.takes("ann", &["a"]);
    shop.world.now = START.plus(60_000);
    shop.takes("bob", &["b"]);
    shop.world.now = START;
    assert!(shop.takes("bob", &["a"]).starts_with("bob holds a"), "the time of the house never goes back");
}

#[test]
fn holders_renew_and_those_who_oversee_release() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "mo=moderator"]);
    shop.takes("ann", &["a", "b"]);
    let renew = |paths: &[&str]| LeaseCommand::Renew { for_ms: Some(120_000), paths: names(paths) };
    assert_eq!(shop.lease("ann", renew(&["A"])), "ann renewed a until 2:00");
    assert_eq!(shop.lease("bob", renew(&["a"])), "lease/not-yours");
    assert_eq!(shop.lease("bob", renew(&[])), "lease/nothing-held");
    assert_eq!(shop.releases("bob", &["a"]), "lease/not-yours");
    assert_eq!(shop.releases("ann", &["a/b"]), "lease/not-held", "a part of a lease is not released");
    assert_eq!(shop.releases("mo", &["a"]), "mo released a of ann");
    assert_eq!(shop.releases("user", &["b"]), "user released b of ann");
    assert_eq!(shop.releases("mo", &["b"]), "lease/not-held");
}

#[test]
fn asking_tells_the_holder_and_may_open_an_issue() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.takes("ann", &["src"]);
    let ask = |path: &str, open_issue| LeaseCommand::Ask {
        open_issue,
        path: path.into(),
        why: Some("the build is red".into()),
    };
    assert_eq!(shop.lease("bob", ask("src/api.rs", false)), "bob asks ann for src");
    assert_eq!(
        shop.lease("bob", ask("src/api.rs", true)),
        "opened bob and ann need src;   #lease for ann; bob asks ann for src by an issue"
    );
    assert_eq!(shop.lease("ann", ask("src/api.rs", false)), "lease/own");
    assert_eq!(shop.lease("bob", ask("docs", false)), "lease/not-held");
    assert_eq!(shop.lease("bob", ask("../src", false)), "lease/bad-path");
    let held = shop.world.house.leases().held(shop.world.now).next().unwrap();
    assert_eq!(held.asked.len(), 1, "the last word of each counts");
    assert!(held.asked[0].opened.is_some());
    let again = House::unpack(&shop.world.house.pack()).unwrap();
    assert_eq!(again.leases(), shop.world.house.leases());
}

#[test]
fn who_may_only_read_takes_nothing_and_may_still_release() {
    let mut shop = Shop::new("workshop", &["ann", "mo=moderator"]);
    shop.takes("ann", &["a"]);
    shop.step("mo frees ann read-only");
    assert_eq!(shop.takes("ann", &["b"]), "workshop/read-only");
    assert_eq!(shop.releases("ann", &[]), "ann released a of ann");
}

#[test]
fn nobody_takes_anything_without_a_charter_or_a_name() {
    let mut world = World::new();
    let take = || Work::Lease(LeaseCommand::Take { for_ms: None, paths: names(&["a"]), why: None });
    let act = world.submit(Actor::Operator, synod_core::Command::Workshop(take()));
    assert_eq!(told(act), "workshop/not-configured");
    let mut shop = Shop::new("workshop", &["user"]);
    assert_eq!(
        told(&shop.world.submit(Actor::Seat(who("zoe")), synod_core::Command::Workshop(take())).clone()),
        "roster/unknown-seat"
    );
    assert_eq!(
        told(&shop.world.submit(Actor::Seat(who("user")), synod_core::Command::Workshop(take())).clone()),
        "workshop/reserved-name"
    );
    assert_eq!(
        told(&shop.world.submit(Actor::Engine, synod_core::Command::Workshop(take())).clone()),
        "house/not-allowed"
    );
}

proptest! {
    /// Whatever is taken, renewed and released by whomever: at no moment do two hold what touches.
    #[test]
    fn no_two_hold_what_touches(steps in proptest::collection::vec((0usize..3, 0usize..8, 0usize..4, 0u64..50_000), 1..40)) {
        const PATHS: [&str; 8] = ["a", "a/b", "A/B/c", "a2", "b", "b/a", "B/a/", "c/d"];
        let mut shop = Shop::new("workshop", &["ann", "bob", "cy"]);
        shop.world.careful = false;
        for (by, path, deed, wait) in steps {
            let (by, path) = (["ann", "bob", "cy"][by], PATHS[path]);
            shop.world.now = shop.world.now.plus(wait);
            match deed {
                0 | 1 => drop(shop.takes(by, &[path])),
                2 => drop(shop.releases(by, &[path])),
                _ => drop(shop.wait("1s")),
            }
            let now = shop.world.now;
            let held: Vec<_> = shop.world.house.leases().held(now).collect();
            for one in &held {
                for other in held.iter().filter(|other| other.who != one.who) {
                    prop_assert!(!one.path.covers(&other.path), "{one:?} {other:?}");
                }
            }
        }
    }
}

#[test]
fn a_long_list_is_refused_by_its_length_and_folders_stand_for_what_lies_in_them() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    // Comparing every path with every other would take minutes here.
    let many: Vec<String> = (0..20_000).map(|number| format!("src/part-{number}.rs")).collect();
    let told = shop.lease("ann", LeaseCommand::Take { for_ms: None, paths: many, why: None });
    assert_eq!(told, "lease/too-many");
    let told = shop.takes("ann", &["src/a/b.rs", "src-old", "src", "SRC/a", "src/a"]);
    assert_eq!(told, "ann holds src src-old until 1:00");
}
