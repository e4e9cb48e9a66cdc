//! Comments that wait for what they cite: what is asked, what the answers come to, and what happens in between.

use synod_core::ask::{self, Of, WorldTask};
use synod_core::command::Delivered;
use synod_core::evidence::{self, FileFinding, Unverified};
use synod_core::kernel::{Actor, AskId, Choice, Impact};
use synod_core::procedure::workshop::{Command as Work, CommentOutcome, held_by};
use synod_core::{Act, Command, Event, House, Outcome, gate};

use super::credits::{citing, credits, desk, outcome};
use super::{BODY, Shop};
use crate::world::who;

const SCENE: (&str, &str) =
    ("scene.txt", "The reactor fails at noon.\nNobody leaves the bridge before midnight.\n");

fn waiting(shop: &Shop) -> Vec<AskId> {
    shop.world.house.open_asks().filter(|(_, ask)| ask.who().is_none()).map(|(id, _)| id).collect()
}

/// Gives a comment without having anything read.
fn offer(shop: &mut Shop, by: &str, cited: &[&str]) -> Act {
    let comment = citing(shop, None, cited);
    shop.give(by, Work::Comment(Box::new(comment)))
}

fn deliver(shop: &mut Shop, ask: AskId, findings: Vec<FileFinding>) -> Act {
    let delivered = Box::new(Delivered::Checked(findings));
    shop.world.submit(Actor::Engine, Command::Deliver { ask, delivered }).clone()
}

#[test]
fn a_comment_that_cites_a_file_stands_only_after_it_was_read() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let held = offer(&mut shop, "bob", &["scene.txt:1 \"The reactor fails at noon\""]);
    let ask = held_by(&held).expect("it waits");
    assert_eq!(CommentOutcome::of(&held), None, "nothing is decided yet");
    let case = shop.world.house.case(shop.here()).unwrap();
    assert_eq!(case.comments().count(), 0);
    let Of::World(WorldTask::Check { files, .. }) = &shop.world.house.ask(ask).unwrap().of else { panic!() };
    assert_eq!(files.len(), 1);
    let done = shop.read_cited(ask);
    assert!(matches!(CommentOutcome::of(&done), Some(CommentOutcome::Posted { .. })), "{done:?}");
    let case = shop.world.house.case(shop.here()).unwrap();
    let (_, heard) = case.comments().next().unwrap();
    assert_eq!(heard.comment.verified, 1);
    let (_, state) = case.workshop().unwrap();
    let digest = synod_core::kernel::Digest::of(SCENE.1.as_bytes());
    assert_eq!(state.findings_of(heard.comment)[0].digest, Some(digest), "what was read is on the record");
    assert!(waiting(&shop).is_empty() && state.held.is_empty());
}

#[test]
fn a_false_quote_is_refused_and_costs_two() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let act = {
        let comment = citing(&shop, None, &["scene.txt:1 \"the captain slept through all of it\""]);
        shop.post("bob", comment)
    };
    let Some(CommentOutcome::Refused { breaches, .. }) = CommentOutcome::of(&act) else { panic!("{act:?}") };
    assert_eq!(breaches.iter().map(gate::Breach::code).collect::<Vec<_>>(), ["gate/false-evidence"]);
    let told = breaches[0].violation().detail.to_string();
    assert!(told.contains("scene.txt:1") && told.contains("do not stand there"), "{told}");
    assert_eq!(credits(&shop, "bob"), -2);
    assert_eq!(shop.world.house.case(shop.here()).unwrap().comments().count(), 0);
}

#[test]
fn a_refused_comment_asks_for_nothing() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let mut comment = citing(&shop, None, &["scene.txt:1"]);
    comment.body = "Yes.".into();
    let act = shop.give("bob", Work::Comment(Box::new(comment)));
    assert_eq!(held_by(&act), None);
    assert!(waiting(&shop).is_empty(), "nothing is read for it");
    assert_eq!(credits(&shop, "bob"), -1);
}

#[test]
fn the_strict_charter_counts_what_was_verified() {
    let long = format!("{BODY} {BODY}");
    let mut shop = desk("workshop-strict", &["ann", "bob", "cyd"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    for (name, cited, stands) in [("bob", "missing.txt:1", false), ("cyd", "scene.txt:2", true)] {
        let mut comment = citing(&shop, None, &[cited]);
        comment.body.clone_from(&long);
        comment.impact = Some(Impact::Structural);
        let act = shop.post(name, comment);
        let posted = matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. }));
        assert_eq!(posted, stands, "{name}: {act:?}");
    }
    assert_eq!((credits(&shop, "bob"), credits(&shop, "cyd")), (-2, 0));
}

#[test]
fn a_disk_that_fails_charges_nobody() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    for fault in [Unverified::Fault, Unverified::TooSlow, Unverified::Changing] {
        let ask = held_by(&offer(&mut shop, "bob", &["scene.txt:1"])).unwrap();
        let act = deliver(&mut shop, ask, vec![FileFinding::unread(fault)]);
        let Some(CommentOutcome::Unchecked { code, .. }) = CommentOutcome::of(&act) else {
            panic!("{act:?}")
        };
        assert_eq!(code, fault.code());
    }
    assert_eq!(credits(&shop, "bob"), 0);
    assert_eq!(shop.world.house.ledger().total(&who("bob")).actions, 0);
    let comment = citing(&shop, None, &["scene.txt:1"]);
    let again = shop.post("bob", comment);
    assert!(
        matches!(CommentOutcome::of(&again), Some(CommentOutcome::Posted { .. })),
        "it can be sent again"
    );
}

#[test]
fn one_comment_of_an_author_is_checked_at_a_time() {
    let mut shop = desk("workshop", &["ann", "bob", "cyd"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let first = held_by(&offer(&mut shop, "bob", &["scene.txt:1"])).unwrap();
    let second = offer(&mut shop, "bob", &["scene.txt:2"]);
    assert!(matches!(&second.outcome, Outcome::Refused { code, .. } if code == "workshop/being-checked"));
    let mut comment = citing(&shop, None, &["scene.txt:2"]);
    comment.body = super::NEWS[0].repeat(2);
    let other = held_by(&shop.give("cyd", Work::Comment(Box::new(comment)))).unwrap();
    shop.read_cited(other);
    shop.read_cited(first);
    assert_eq!(shop.world.house.case(shop.here()).unwrap().comments().count(), 2, "others are not held up");
}

#[test]
fn the_gate_is_asked_again_because_the_thread_went_on() {
    let mut shop = desk("workshop", &["ann", "bob", "cyd"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    shop.comment("bob", "ok");
    shop.comment("cyd", "ok");
    shop.comment("bob", "ok");
    // The fourth of bob, cyd, bob, cyd would freeze; while it waits, somebody else speaks.
    let waits = offer(&mut shop, "ann", &["scene.txt:1"]);
    let ask = held_by(&waits).unwrap();
    shop.comment("cyd", "ok");
    assert!(shop.world.house.case(shop.here()).unwrap().issue().unwrap().freeze.is_some(), "cyd froze it");
    let act = shop.read_cited(ask);
    let Some(CommentOutcome::Unchecked { code, .. }) = CommentOutcome::of(&act) else { panic!("{act:?}") };
    assert_eq!(code, "workshop/frozen");
    assert_eq!(credits(&shop, "ann"), 0, "and nobody is charged for what others did");
}

#[test]
fn what_waits_when_an_issue_ends_is_let_go() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let ask = held_by(&offer(&mut shop, "bob", &["scene.txt:1"])).unwrap();
    shop.step("user closes");
    assert!(shop.world.house.ask(ask).is_none());
    assert!(shop.world.house.case(shop.here()).unwrap().workshop().unwrap().1.held.is_empty());
    let late = deliver(&mut shop, ask, vec![FileFinding::unread(Unverified::Unavailable)]);
    assert!(matches!(&late.outcome, Outcome::Refused { code, .. } if code == "ask/not-open"));
    assert_eq!(credits(&shop, "bob"), 0);
}

#[test]
fn what_nobody_reads_lapses_after_a_day_and_costs_nothing() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    offer(&mut shop, "bob", &["scene.txt:1"]);
    shop.wait("23h");
    assert_eq!(waiting(&shop).len(), 1);
    let act = shop.wait("1h");
    assert!(act.events().iter().any(|event| matches!(event, Event::Ask(ask::Event::Lapsed { .. }))));
    assert!(waiting(&shop).is_empty());
    assert_eq!(credits(&shop, "bob"), 0);
}

#[test]
fn only_the_engine_delivers_and_only_what_bears_itself_out() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let ask = held_by(&offer(&mut shop, "bob", &["scene.txt:1 \"The reactor fails at noon\""])).unwrap();
    let forged = Box::new(Delivered::Checked(vec![FileFinding::unread(Unverified::Unavailable)]));
    let act = shop.world.submit(Actor::Seat(who("bob")), Command::Deliver { ask, delivered: forged }).clone();
    assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "house/not-allowed"), "{act:?}");
    // A finding that says "verified" and holds nothing that would show it.
    let mut hollow = FileFinding::unread(Unverified::Unavailable);
    hollow.problem = None;
    for findings in [vec![hollow], Vec::new()] {
        let act = deliver(&mut shop, ask, findings);
        assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "ask/other-kind"), "{act:?}");
    }
    assert_eq!(waiting(&shop), [ask], "it still waits for a true answer");
}

#[test]
fn a_restart_between_ask_and_answer_loses_nothing() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let ask = held_by(&offer(&mut shop, "bob", &["scene.txt:1"])).unwrap();
    let mut again = House::default();
    shop.world.acts.iter().for_each(|act| again.evolve(act));
    assert!(again.open_asks().any(|(id, _)| id == ask), "the ask is open in the record");
    assert_eq!(again, shop.world.house);
    let done = shop.read_cited(ask);
    again.evolve(&done);
    assert_eq!(again, shop.world.house);
}

#[test]
fn words_that_were_read_leave_with_the_words_of_the_issue() {
    let mut shop = desk("workshop", &["ann", "bob"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let comment = citing(&shop, None, &["scene.txt:1 \"The reactor fails at noon\""]);
    shop.post("bob", comment);
    shop.step("user closes");
    let matter = shop.here();
    shop.world.redact(matter);
    let left = serde_json::to_string(&shop.world.acts).unwrap();
    assert!(!left.contains("reactor fails at noon"), "neither the quote nor what was found");
    let balance = credits(&shop, "bob");
    let mut again = House::default();
    shop.world.acts.iter().for_each(|act| again.evolve(act));
    assert_eq!(again.ledger().total(&who("bob")).credits, balance, "balances stay");
}

#[test]
fn a_blind_answer_keeps_its_citations_to_itself() {
    let mut shop = desk("workshop", &["ann", "cri=critic", "con=continuity"], &[SCENE]);
    shop.open("ann", "Large !structural");
    let held = offer(&mut shop, "cri", &["scene.txt:1"]);
    let case = shop.world.house.case(shop.here()).unwrap();
    for event in held.events() {
        let reader = synod_core::house::Reader::Participant(&who("con"));
        assert!(!case.may_see(reader, synod_core::house::Item::Event(event)), "{event:?}");
    }
}

#[test]
fn the_user_may_cite_what_does_not_hold_and_it_counts_for_nothing() {
    let mut shop = desk("workshop", &["ann"], &[SCENE]);
    shop.open("ann", "When does it fail?");
    let mut comment = citing(&shop, None, &["missing.txt:1", "scene.txt:1"]);
    comment.stance = Some(Choice::Yes);
    let act = shop.post("user", comment);
    assert!(outcome(&act).starts_with("posted"), "{act:?}");
    let case = shop.world.house.case(shop.here()).unwrap();
    assert_eq!(case.comments().next().unwrap().1.comment.verified, 1);
    let checked =
        act.events().iter().any(|event| matches!(event, Event::Evidence(evidence::Event::Checked { .. })));
    assert!(checked);
    assert!(!act.events().iter().any(|event| matches!(event, Event::Ledger(_))), "people have no credits");
}
