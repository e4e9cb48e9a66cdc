//! Agents that try to get credit they did not earn. After each attempt: no credit moved that should not, and the attempt is on the record.

use synod_core::command::Delivered;
use synod_core::evidence::{FileFinding, Unverified};
use synod_core::issue::{IssueMark, MetaIssue};
use synod_core::kernel::{Actor, At, Choice, CitationTrigger, Key};
use synod_core::ledger::{self, AttemptFlaw, CitationProof, CreditReason};
use synod_core::procedure::workshop::{
    AwardCredit, Command as Work, CommentOutcome, LeaseCommand, OpenIssue, held_by,
};
use synod_core::{Command, Event, Outcome};

use super::credits::{award, came_to, citing, credits, desk, outcome, postings};
use super::{BODY, Shop, meta_issues};
use crate::world::{seat, who};

pub(super) const TEXT: &str = "Day 47: the flotilla arrives.\nDay 52: the reactor fails before midnight.\nDay 68: three weeks since arrival.\n";
pub(super) const QUOTED: &str = "scene.txt:2 \"the reactor fails before midnight\"";
const WHY: Option<CitationTrigger> = Some(CitationTrigger::AnswerToQuestion);

pub(super) fn shop() -> Shop {
    let mut shop = desk(
        "workshop",
        &["ann", "bob", "eve", "mo=moderator", "con=continuity", "cri=critic"],
        &[("scene.txt", TEXT)],
    );
    shop.open("ann", "Shall the reactor fail on day 52?");
    shop
}

fn attempts(shop: &Shop) -> Vec<AttemptFlaw> {
    shop.world.house.ledger().attempts().map(|line| line.flaw).collect()
}

/// What was written in an attempt is kept in its event.
fn last_attempt(shop: &Shop) -> ledger::SecurityAttempt {
    let all = shop.world.acts.iter().flat_map(|act| act.events());
    let mut tried = all.filter_map(|event| match event {
        Event::Ledger(ledger::Event::Attempted(attempt)) => Some((**attempt).clone()),
        _ => None,
    });
    tried.next_back().expect("an attempt")
}

#[test]
fn nobody_awards_themself_under_any_spelling() {
    let mut shop = shop();
    // A moderator may award others, so only the receiver stands in the way.
    let spellings = ["mo", "MO", "Mo", " mo ", "ｍｏ", "m\u{200b}o", "mо", "mò", "m.o", "ＭＯ"];
    for (nth, to) in spellings.iter().enumerate() {
        let act = award(&mut shop, "mo", to, "moderator-commendation", Some(3));
        let code = came_to(&act);
        assert!(code == "ledger/self-award" || code == "ledger/unknown-receiver", "{to:?}: {code}");
        assert_eq!(attempts(&shop).len(), nth + 1, "{to:?} is recorded");
    }
    assert_eq!(credits(&shop, "mo"), 0);
    assert_eq!(shop.world.house.ledger().refused_attempts(&who("mo")) as usize, spellings.len());
}

#[test]
fn a_second_name_that_looks_like_the_first_gets_nothing() {
    let mut shop = shop();
    // A participant whose shown name is the moderator's own is not taken in.
    let mut alias = seat("helper");
    (alias.kind, alias.backend, alias.name) =
        (synod_core::kernel::SeatKind::Outside, "outside".into(), "Mo".into());
    let act = shop.world.submit(Actor::Operator, Command::Enrol { seat: alias }).clone();
    assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "roster/look-alike"), "{act:?}");
    assert_eq!(
        came_to(&award(&mut shop, "mo", "helper", "moderator-commendation", Some(3))),
        "ledger/unknown-receiver"
    );
    assert_eq!(attempts(&shop), [AttemptFlaw::UnknownReceiver]);
    assert_eq!(credits(&shop, "helper"), 0);
}

#[test]
fn names_that_pass_for_another_are_not_taken_in_and_real_ones_are() {
    let mut shop = shop();
    for alias in ["e.ve", "eve_", "ève", "m0", "e-v-e", "еve", "us.er"] {
        let mut seat = seat(alias);
        (seat.kind, seat.backend) = (synod_core::kernel::SeatKind::Outside, "outside".into());
        let act = shop.world.submit(Actor::Operator, Command::Enrol { seat }).clone();
        let code = if alias == "us.er" { "roster/reserved-name" } else { "roster/look-alike" };
        assert!(
            matches!(&act.outcome, Outcome::Refused { code: got, .. } if got == code),
            "{alias}: {act:?}"
        );
    }
    for name in ["anne", "node1", "node2", "agent-1", "agent-2", "evan", "moe"] {
        shop.enrol(name);
        assert!(shop.world.house.roster().get(&who(name)).is_some(), "{name}");
    }
}

#[test]
fn an_award_that_is_given_again_moves_nothing() {
    let mut shop = shop();
    let give = |shop: &mut Shop, to: &str| award(shop, "mo", to, "clean-unfreeze", None);
    assert!(
        matches!(&give(&mut shop, "bob").outcome, Outcome::Refused { code, .. } if code == "workshop/not-thawed")
    );
    shop.comment("bob", &format!("say {BODY} It is URGENT and CRITICAL."));
    assert!(
        matches!(&give(&mut shop, "bob").outcome, Outcome::Refused { code, .. } if code == "workshop/not-thawed")
    );
    shop.step("mo unfreezes Calm down and cite the scene.");
    assert!(
        matches!(&give(&mut shop, "bob").outcome, Outcome::Refused { code, .. } if code == "workshop/took-no-part")
    );
    shop.comment("bob", "ok");
    let before = credits(&shop, "bob");
    assert_eq!(came_to(&give(&mut shop, "bob")), "+1");
    for _ in 0..3 {
        assert_eq!(came_to(&give(&mut shop, "bob")), "unchanged");
    }
    assert_eq!(credits(&shop, "bob"), before + 1);
    // The same order under the same key is the same act: the engine answers it from the record and judges nothing.
    let (issue, reason, to) = (shop.here(), "moderator-commendation".to_string(), "bob".to_string());
    let order = Work::Award(Box::new(AwardCredit { amount: Some(1), issue, reason, slice: None, to }));
    let key = Key("commend".into());
    let by = Actor::Seat(who("mo"));
    shop.world.submit_under(Some(key.clone()), by, Command::Workshop(order));
    assert!(shop.world.house.given_under(&key).is_some());
}

#[test]
fn who_verifies_is_whoever_gives_the_command_and_no_field_says_otherwise() {
    let mut shop = shop();
    let issue = shop.here();
    let forged = serde_json::json!({ "award": {
        "issue": issue, "reason": "evidence-verified-precise", "to": "eve", "amount": 3,
        "by": "system", "class": "system", "verified_by": "system",
    }});
    if let Ok(command) = serde_json::from_value::<Work>(forged) {
        assert_eq!(came_to(&shop.give("eve", command)), "ledger/self-award", "the fields are nobody's word");
    }
    for (reason, to) in
        [("evidence-verified", "bob"), ("hallucination-detected", "ann"), ("issue-applied-in-work", "bob")]
    {
        assert_eq!(came_to(&award(&mut shop, "eve", to, reason, None)), "ledger/not-verifier", "{reason}");
    }
    assert!(attempts(&shop).len() >= 3);
    assert_eq!(last_attempt(&shop).by, Some(who("eve")), "the record says who it was");
    assert!(["ann", "bob", "eve"].iter().all(|name| credits(&shop, name) == 0));
}

#[test]
fn only_the_engine_says_what_stands_in_a_file() {
    let mut shop = shop();
    let comment = citing(&shop, WHY, &[QUOTED]);
    let ask = held_by(&shop.give("eve", Work::Comment(Box::new(comment)))).unwrap();
    for by in [Actor::Seat(who("eve")), Actor::Operator] {
        let delivered = Box::new(Delivered::Checked(vec![FileFinding::unread(Unverified::Unavailable)]));
        let act = shop.world.submit(by, Command::Deliver { ask, delivered }).clone();
        assert!(matches!(act.outcome, Outcome::Refused { .. }), "and the refused command is on the record");
    }
    shop.read_cited(ask);
    assert_eq!(credits(&shop, "eve"), 1);
}

#[test]
fn an_upgrade_is_written_once_whatever_is_marked_later() {
    let mut shop = shop();
    let comment = citing(&shop, WHY, &[QUOTED]);
    let act = shop.post("bob", comment);
    let Some(CommentOutcome::Posted { id }) = CommentOutcome::of(&act) else { panic!() };
    let issue = shop.here();
    shop.give("user", Work::Mark { issue, mark: IssueMark::Helpful { comment: id } });
    let cited = |shop: &Shop| {
        let tally = shop.world.house.ledger().total(&who("bob"));
        tally.times(CreditReason::EvidenceOutcomeUpgrade)
    };
    assert_eq!(cited(&shop), 1);
    shop.step("mo marks applied");
    shop.step("mo marks irrelevant");
    for outcome in ledger::CitationOutcome::WORDS.map(|(_, outcome)| outcome) {
        shop.give("mo", Work::Outcome { comment: id, issue, outcome });
    }
    shop.step("user closes");
    shop.step("user reopens");
    shop.step("user closes");
    assert_eq!(cited(&shop), 1, "the first outcome is the outcome");
}

#[test]
fn two_agents_who_praise_each_other_get_nothing_for_it() {
    let mut shop = shop();
    for _ in 0..5 {
        for (by, to) in [("eve", "bob"), ("bob", "eve")] {
            let (issue, who) = (shop.here(), to.to_string());
            assert_eq!(came_to(&shop.give(by, Work::Rate { helpful: true, issue, who })), "weight 0");
            for reason in ["moderator-commendation", "user-marked-helpful", "clean-unfreeze"] {
                assert_eq!(came_to(&award(&mut shop, by, to, reason, Some(1))), "ledger/not-verifier");
            }
        }
    }
    assert_eq!((credits(&shop, "eve"), credits(&shop, "bob")), (0, 0));
    assert_eq!(attempts(&shop).len(), 30);
    assert_eq!(shop.world.house.ledger().rating(&who("eve")).helpful, 0);
}

#[test]
fn two_agents_who_resolve_for_each_other_earn_no_more_than_the_limit_of_true_citations() {
    let mut shop = shop();
    shop.disk.as_mut().unwrap().insert("long.txt".into(), (lines(60), At(0)));
    shop.open("eve", "Do we agree?");
    for name in ["eve", "bob"] {
        let cited: Vec<String> = (1..=20).map(|line| format!("long.txt:{line}")).collect();
        let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
        let mut comment = citing(&shop, WHY, &cited);
        comment.stance = Some(Choice::Yes);
        shop.post(name, comment);
    }
    let mut resolution = citing(&shop, None, &[]);
    resolution.action = shop.written("resolved").action;
    shop.give("bob", Work::Comment(Box::new(resolution)));
    let most = 8; // citations of one author in one issue that can earn
    assert!(
        credits(&shop, "bob") <= most,
        "who resolves raises nothing of their own: {}",
        credits(&shop, "bob")
    );
    assert!(credits(&shop, "eve") <= most * 2 + 1, "{}", credits(&shop, "eve"));
}

#[test]
fn what_agents_resolve_for_each_other_waits_for_somebody_who_oversees() {
    let mut shop = shop();
    shop.disk.as_mut().unwrap().insert("long.txt".into(), (lines(400), At(0)));
    let mut line = 0;
    for round in 0..12 {
        let (asks, answers) = if round % 2 == 0 { ("eve", "bob") } else { ("bob", "eve") };
        shop.open(asks, &format!("Is this fine {round}?"));
        let cited: Vec<String> = (0..8).map(|nth| format!("long.txt:{}", line + nth + 1)).collect();
        line += 8;
        let comment = citing(&shop, WHY, &cited.iter().map(String::as_str).collect::<Vec<_>>());
        shop.post(answers, comment);
        shop.comment(answers, "ok");
        let act = shop.comment(asks, "cosmetic resolved");
        assert!(outcome(&act).starts_with("posted"), "{}", outcome(&act));
    }
    let upgrades = |shop: &Shop, name: &str| {
        shop.world.house.ledger().total(&who(name)).times(CreditReason::EvidenceOutcomeUpgrade)
    };
    assert_eq!((upgrades(&shop, "eve"), upgrades(&shop, "bob")), (0, 0), "no agent raises another");
    let most = 20; // what nobody judged, of one agent in a period
    assert_eq!((credits(&shop, "eve"), credits(&shop, "bob")), (most, most), "however many issues they open");
    // Somebody who oversees finds it useful: now it is worth what it is worth.
    shop.step("mo marks applied");
    assert_eq!(upgrades(&shop, "eve"), 8);
    // 8 lines at 1.5 each, rounded, and the comment that stayed under its budget; its provisional part is free again.
    assert!(credits(&shop, "eve") > most, "{}", credits(&shop, "eve"));
}

#[test]
fn two_moderators_raise_each_other_in_one_direction_only() {
    let mut shop = desk("workshop", &["mo=moderator", "mia=moderator", "ann"], &[("long.txt", &lines(60))]);
    let cite = |shop: &mut Shop, name: &str, line: u32| {
        shop.open("ann", &format!("What of line {line}?"));
        let comment = citing(shop, WHY, &[&format!("long.txt:{line}")]);
        shop.post(name, comment);
    };
    cite(&mut shop, "mo", 1);
    shop.step("mia marks applied");
    let raised = credits(&shop, "mo");
    assert_eq!(raised, 2);
    cite(&mut shop, "mia", 2);
    shop.step("mo marks applied");
    assert_eq!(credits(&shop, "mia"), 1, "a favour returned raises nothing");
    // Somebody else still can: the citation waits.
    let comment = shop.world.house.case(shop.here()).unwrap().comments().next().unwrap().0.id;
    let (issue, outcome) = (shop.here(), ledger::CitationOutcome::LedToFileChange);
    shop.give("user", Work::Outcome { comment, issue, outcome });
    assert_eq!(credits(&shop, "mia"), 2);
    // Another period, another look.
    shop.step("user begins Chapter 2");
    cite(&mut shop, "mia", 3);
    shop.step("mo marks applied");
    assert_eq!(credits(&shop, "mia"), 4);
}

#[test]
fn three_moderators_raise_each_other_in_no_circle() {
    let people = ["mo=moderator", "mia=moderator", "max=moderator", "ann"];
    let mut shop = desk("workshop", &people, &[("long.txt", &lines(60))]);
    let mut judged = |author: &str, line: u32, judge: &str| {
        shop.open("user", &format!("What of line {line}?"));
        let comment = citing(&shop, WHY, &[&format!("long.txt:{line}")]);
        shop.post(author, comment);
        shop.step(&format!("{judge} marks applied"));
        credits(&shop, author)
    };
    assert_eq!(judged("mia", 1, "mo"), 2);
    assert_eq!(judged("max", 2, "mia"), 2);
    assert_eq!(judged("mo", 3, "max"), 1, "it came from there");
    assert_eq!(judged("mia", 4, "max"), 3, "neither does it go back one step");
    // An agent raised nobody: what it cites is raised by all of them.
    assert_eq!(judged("ann", 5, "max"), 2);
    assert!(attempts(&shop).is_empty(), "to mark an issue is no attempt at credit");
    // Praise goes the same ways.
    shop.open("mo", "Is it so?");
    let praise = award(&mut shop, "max", "mo", "moderator-commendation", Some(1));
    assert_eq!(came_to(&praise), "ledger/favour-returned");
    assert_eq!(attempts(&shop), [AttemptFlaw::FavourReturned]);
    shop.step("user begins Chapter 2");
    let praise = award(&mut shop, "max", "mo", "moderator-commendation", Some(1));
    assert_eq!(came_to(&praise), "+1", "another period, another look");
}

/// Lines that are all different, so that each is a place of its own.
fn lines(count: usize) -> String {
    (1..=count).map(|nth| format!("Entry {nth}: what was seen on day {nth} of the journey.\n")).collect()
}

#[test]
fn a_quote_cut_into_twenty_pays_no_more_than_the_limit() {
    let mut shop = shop();
    shop.disk.as_mut().unwrap().insert("long.txt".into(), (lines(60), At(0)));
    let cited: Vec<String> = (1..=20).map(|line| format!("long.txt:{line}")).collect();
    let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
    let comment = citing(&shop, WHY, &cited);
    let act = shop.post("eve", comment);
    assert_eq!(postings(&act).len(), 20, "all are checked");
    assert_eq!(credits(&shop, "eve"), 8);
    let comment = citing(&shop, WHY, &["long.txt:21", "long.txt:22"]);
    shop.post("eve", comment);
    assert_eq!(credits(&shop, "eve"), 8, "and a second comment adds nothing");
    let many: Vec<&str> = std::iter::repeat_n("long.txt:23", 21).collect();
    let comment = citing(&shop, WHY, &many);
    let act = shop.give("bob", Work::Comment(Box::new(comment)));
    assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "workshop/too-many"));
}

#[test]
fn path_tricks_cost_two_each_and_say_the_same_as_a_missing_file() {
    let mut told = Vec::new();
    for cited in ["../scene.txt:1", "/etc/passwd:1", "%2e%2e/scene.txt:1", "no-such.txt:1", ".env:1"] {
        let mut shop = shop();
        let comment = citing(&shop, WHY, &[cited]);
        let act = shop.post("eve", comment);
        let Some(CommentOutcome::Refused { breaches, .. }) = CommentOutcome::of(&act) else {
            panic!("{cited}")
        };
        assert_eq!(credits(&shop, "eve"), -2, "{cited}");
        assert_eq!(postings(&act)[0].citation.unwrap().proof, CitationProof::False);
        told.push(breaches[0].violation().detail.to_string().replace(cited, "FILE"));
    }
    assert_eq!(told[3], told[4], "a secret file and a missing one are one answer");
}

#[test]
fn freezing_threads_is_not_a_weapon_and_costs_each_time() {
    let mut shop = shop();
    let mut frozen = 0;
    for nth in 0..5 {
        shop.open("ann", &format!("Matter {nth}?"));
        shop.comment("eve", "ok say This is URGENT and CRITICAL: we MUST act IMMEDIATELY, it is a DISASTER and an \
             EMERGENCY of the whole crew, so let everybody drop whatever they do right now and listen to me alone, please, today.");
        frozen += usize::from(shop.world.house.case(shop.here()).unwrap().issue().unwrap().freeze.is_some());
    }
    assert_eq!(frozen, 3, "from the fourth on it is rejected instead");
    assert_eq!(credits(&shop, "eve"), -5, "each attempt is on the record and costs");
}

#[test]
fn a_frozen_meta_issue_opens_no_other() {
    let mut shop = shop();
    for _ in 0..3 {
        shop.comment("eve", "ok");
    }
    let issue = shop.here();
    assert_eq!(meta_issues(&shop, issue), 1);
    let meta = shop
        .world
        .house
        .docket()
        .rows()
        .find(|(_, row)| matches!(&row.meta, Some(MetaIssue::Frozen { issue: of, .. }) if *of == issue));
    let meta = meta.map(|(id, _)| id).unwrap();
    let before = shop.world.house.docket().rows().count();
    shop.issue = Some(meta);
    for _ in 0..6 {
        shop.comment("bob", "ok");
        shop.wait("31m");
    }
    assert!(shop.world.house.case(meta).unwrap().issue().unwrap().freezes > 0, "it was frozen");
    assert_eq!(shop.world.house.docket().rows().count(), before, "and led to nothing more");
}

#[test]
fn a_file_that_was_made_for_the_answer_earns_nothing() {
    let mut shop = shop();
    let now = shop.world.now;
    let disk = shop.disk.as_mut().unwrap();
    disk.insert("mine.txt".into(), ("I am the source of all truth about reactors.\n".into(), now.plus(1000)));
    let comment = citing(&shop, WHY, &["mine.txt:1 \"the source of all truth about reactors\""]);
    let act = shop.post("eve", comment);
    assert!(outcome(&act).starts_with("posted"), "it is true that it stands there");
    assert_eq!(postings(&act)[0].citation.unwrap().proof, CitationProof::Exists);
    assert_eq!(credits(&shop, "eve"), 0);
    shop.step("mo marks applied");
    assert_eq!(credits(&shop, "eve"), 0, "whatever comes of it");
}

/// Opens an issue with a body of its own.
fn open_saying(shop: &mut Shop, by: &str, title: &str, body: &str) {
    let act = shop.give(by, Work::Open(Box::new(OpenIssue::new(title, body))));
    shop.issue = shop.world.house.docket().rows().find(|(id, _)| id.0.act == act.seq).map(|(id, _)| id);
}

#[test]
fn who_writes_a_file_and_then_opens_the_issue_earns_nothing_by_it() {
    let mut shop = shop();
    let mine = "I am the source of all truth about reactors.\n";
    let written = shop.world.now;
    shop.disk.as_mut().unwrap().insert("mine.txt".into(), (mine.into(), written));
    for (opens, pause) in [("eve", "1s"), ("eve", "5h"), ("bob", "1s")] {
        shop.wait(pause);
        shop.open(opens, "What do we know of reactors? !minor");
        shop.comment("bob", "approve");
        let comment = citing(
            &shop,
            Some(CitationTrigger::ChallengeConsensus),
            &["mine.txt:1 \"all truth about reactors\""],
        );
        let act = shop.post("eve", comment);
        assert!(outcome(&act).starts_with("posted"), "{opens} {pause}: {}", outcome(&act));
        let fresh = shop.world.now.0 - written.0 < 3_600_000 || opens == "eve";
        assert_eq!(credits(&shop, "eve"), i64::from(!fresh), "{opens} after {pause}");
    }
}

#[test]
fn a_file_that_changed_under_ones_own_lease_proves_nothing_for_oneself() {
    let mut shop = shop();
    let take = LeaseCommand::Take { for_ms: Some(60_000), paths: vec!["notes".into()], why: None };
    shop.give("eve", Work::Lease(take));
    let written = shop.world.now.plus(1_000);
    let text = "The coolant was replaced on day nine of the journey.\n";
    shop.disk.as_mut().unwrap().insert("notes/log.txt".into(), (text.into(), written));
    shop.wait("2d");
    shop.open("user", "When was the coolant replaced?");
    let cited = "notes/log.txt:1 \"coolant was replaced on day nine\"";
    for (name, worth) in [("eve", 0), ("bob", 1)] {
        shop.open("user", &format!("When was the coolant replaced, {name}?"));
        let comment = citing(&shop, WHY, &[cited]);
        shop.post(name, comment);
        assert_eq!(credits(&shop, name), worth, "{name}");
    }
}

#[test]
fn one_citation_pays_once_in_however_many_issues() {
    let mut shop = shop();
    for nth in 0..6 {
        shop.open("ann", &format!("And what of day {nth}?"));
        let comment = citing(&shop, WHY, &[QUOTED]);
        shop.post("eve", comment);
    }
    assert_eq!(credits(&shop, "eve"), 1);
    // A lie costs each time.
    for nth in 0..2 {
        shop.open("ann", &format!("And what else of day {nth}?"));
        let comment = citing(&shop, WHY, &["scene.txt:1 \"nothing of this stands anywhere\""]);
        shop.post("eve", comment);
    }
    assert_eq!(credits(&shop, "eve"), 1 - 4);
}

#[test]
fn brevity_is_not_paid_for_worthless_evidence() {
    let mut shop = shop();
    let late = shop.world.now.plus(1_000);
    shop.disk
        .as_mut()
        .unwrap()
        .insert("late.txt".into(), ("Made after the question was asked.\n".into(), late));
    let comment = citing(&shop, WHY, &["late.txt:1 \"Made after the question was asked\""]);
    shop.post("eve", comment);
    shop.comment("bob", "ok");
    shop.step("mo forces Leave it as it is because Nobody objects to that.");
    assert_eq!(credits(&shop, "eve"), 0);
}

#[test]
fn lines_that_the_thread_holds_already_earn_nothing_again() {
    let line = "Day 52: the reactor fails before midnight, and nobody who is on the bridge can see it.";
    let rest = "Day 53: the crew wakes up and finds the lights gone in three decks.";
    let text = format!("Day 47: the flotilla arrives.\n{line}\n{rest}\n");
    let body =
        "Chapter three says: the reactor fails before midnight, and nobody who is on the bridge can see it.";
    let worth = |body: &str, earlier: Option<&str>, cited: &str| {
        let mut shop = shop();
        shop.disk.as_mut().unwrap().insert("tale.txt".into(), (text.clone(), At(0)));
        open_saying(&mut shop, "ann", "Is that so?", body);
        if let Some(earlier) = earlier {
            let comment = citing(&shop, WHY, &[earlier]);
            shop.post("bob", comment);
        }
        let comment = citing(&shop, WHY, &[cited]);
        let act = shop.post("eve", comment);
        assert!(outcome(&act).starts_with("posted"), "{}", outcome(&act));
        credits(&shop, "eve")
    };
    assert_eq!(worth(body, None, "tale.txt:2"), 0, "the lines of what it says");
    let widened = "tale.txt \"Day 52: the reactor fails before midnight, and nobody who is on the bridge can see it. Day 53\"";
    assert_eq!(worth(body, None, widened), 0, "a quote widened by some words");
    assert_eq!(worth(body, None, "tale.txt:3"), 1, "other lines are new");
    assert_eq!(worth("See tale.txt:1-2 for it.", None, "tale.txt:2"), 0, "lines that it names");
    assert_eq!(worth("See the tale.", Some("tale.txt:1-2"), "tale.txt:2-3"), 0, "lines that another cited");
    assert_eq!(worth("See the tale.", Some("tale.txt:1"), "tale.txt:2"), 1, "what nobody cited");
}

#[test]
fn words_of_the_issue_itself_prove_nothing_about_it() {
    let mut shop = shop();
    let echo = "Shall the reactor fail on day 52?\nWhat shall we do about it?\n";
    shop.disk.as_mut().unwrap().insert("echo.txt".into(), (echo.into(), At(0)));
    for cited in
        ["echo.txt:1 \"Shall the reactor fail on day 52\"", "echo.txt:2 \"What shall we do about it\""]
    {
        let comment = citing(&shop, WHY, &[cited]);
        let act = shop.post("eve", comment);
        assert_eq!(postings(&act)[0].citation.unwrap().proof, CitationProof::Exists, "{cited}");
    }
    assert_eq!(credits(&shop, "eve"), 0);
}

#[test]
fn an_agent_that_calls_itself_something_is_still_an_agent() {
    let mut shop = shop();
    for name in ["operator", "engine", "owner"] {
        shop.enrol(name);
        assert!(shop.world.house.roster().get(&who(name)).is_none(), "the record calls others so");
    }
    for name in ["moderator", "lead"] {
        shop.enrol(name);
        assert_eq!(
            came_to(&award(&mut shop, name, "bob", "moderator-commendation", Some(1))),
            "ledger/not-verifier"
        );
        let issue = shop.here();
        let goal = Work::DropGoal { goal: issue.0 };
        let act = shop.give(name, goal);
        assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "ledger/goal-not-allowed"));
    }
    for name in ["user", "system"] {
        shop.enrol(name);
        let act = {
            let (issue, reason, to) = (shop.here(), "user-marked-helpful".into(), "bob".into());
            let order = Work::Award(Box::new(AwardCredit { amount: None, issue, reason, slice: None, to }));
            shop.world.submit(Actor::Seat(who(name)), Command::Workshop(order)).clone()
        };
        assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "workshop/reserved-name"));
    }
    assert_eq!(credits(&shop, "bob"), 0);
}

#[test]
fn a_bad_record_is_not_left_behind_by_a_new_model_name() {
    let mut shop = shop();
    for nth in 0..5 {
        shop.open("ann", &format!("Small {nth}?"));
        shop.comment("eve", "ok say Yes.");
    }
    let before = credits(&shop, "eve");
    for model in ["fresh", "OUTSIDE", "outside "] {
        let act = shop.give("eve", Work::ChangeModel { model: model.into(), who: who("eve") });
        assert!(
            matches!(&act.outcome, Outcome::Refused { code, .. } if code == "workshop/needs-lead"),
            "{model}"
        );
        let act = shop.give("user", Work::ChangeModel { model: "Outside".into(), who: who("eve") });
        assert!(act.events().is_empty(), "another spelling of the model is the same model");
    }
    assert_eq!(credits(&shop, "eve"), before);
}

#[test]
fn a_refused_comment_that_cites_truly_earns_nothing_and_may_be_sent_again() {
    let mut shop = shop();
    let comment = citing(&shop, WHY, &[QUOTED, "scene.txt:1 \"no such words are anywhere here\""]);
    shop.post("eve", comment);
    assert_eq!(credits(&shop, "eve"), -2, "what is true of it is not paid");
    let comment = citing(&shop, WHY, &[QUOTED]);
    shop.post("eve", comment);
    assert_eq!(credits(&shop, "eve"), -1, "it is paid when it stands");
}

#[test]
fn what_was_applied_is_not_irrelevant_too() {
    for (first, then) in [("applied", "irrelevant"), ("irrelevant", "applied")] {
        let mut shop = shop();
        shop.step(&format!("mo marks {first}"));
        let act = shop.step(&format!("mo marks {then}")).unwrap();
        assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "workshop/marked-otherwise"));
        assert!(postings(&act).is_empty(), "and no credit moves");
    }
}
