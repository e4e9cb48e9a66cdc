//! Who must object, and who reads blind.

use expect_test::expect;
use synod_core::dissent::{DissentCandidate, next_in_rotation};
use synod_core::house::{Item, Reader};
use synod_core::procedure::workshop::{CommentOutcome, IssueSheet};

use super::{Shop, check, played};
use crate::world::who;

#[test]
fn two_agents_who_approve_a_large_change_without_references_are_challenged() {
    check(
        "workshop ann bob cy* dee* mo=moderator
         user opens Large !structural
         ---
         ann: approve
         ann: approve
         bob: approve",
        expect![[r#"
            > ann: approve
            posted ann
            ann supports: true
            now tentative
            > ann: approve
            posted ann
            > bob: approve
            posted bob
            bob supports: true
            now agreed
            opened [Devil's advocate] challenge issue #1
              #meta #devils-advocate #issue-1 for cy
            ordered cy against for quick-consensus until 1440:00
        "#]],
    );
}

#[test]
fn two_approvals_of_one_agent_are_not() {
    let (_, log) =
        played("workshop ann bob cy*\nuser opens Large !structural\nann: approve\nann: approve\nbob: ok");
    assert!(!log.contains("devil"), "{log}");
}

#[test]
fn approvals_further_apart_than_four_comments_are_not_quick() {
    let (_, log) = played(
        "workshop ann bob cy* d e f
         user opens Large !structural
         ann: approve
         d: ok
         e: ok
         f: ok
         bob: approve",
    );
    assert!(!log.contains("against"), "{log}");
}

#[test]
fn checked_approvals_and_small_changes_are_not_challenged() {
    let (_, log) = played(
        "workshop ann bob cy*
         user opens One
         user opens Two
         user opens Large !structural
         ann: approve #1 #2
         bob: approve",
    );
    assert!(!log.contains("against"), "two references were checked: {log}");
    let (_, log) = played("workshop ann bob cy*\nuser opens Small\nann: approve\nbob: approve");
    assert!(!log.contains("against"), "{log}");
    let (_, log) = played(
        "workshop ann bob cy* dee\nuser opens Word !cosmetic\nann: approve\nbob: approve\ndee: approve",
    );
    assert!(!log.contains("against"), "{log}");
}

#[test]
fn a_consensus_of_three_that_checked_nothing_is_challenged() {
    let (_, log) =
        played("workshop ann bob cy* dee\nuser opens Small\nann: approve\nbob: approve\ndee: approve");
    assert!(log.contains("ordered cy against for no-evidence-consensus"), "{log}");
    let (_, log) = played(
        "workshop ann bob cy* dee eve\nuser opens Small\nann: approve\nbob: object\ndee: approve\neve: approve",
    );
    assert!(!log.contains("against"), "somebody objects: {log}");
}

#[test]
fn questions_orders_and_the_user_approve_nothing() {
    let (_, log) =
        played("workshop ann cy*\nuser opens Large !structural\nann: approve\nuser: approve\nuser: approve");
    assert!(!log.contains("against"), "{log}");
}

#[test]
fn an_advocate_has_two_comments_of_its_own_and_then_the_usual() {
    check(
        "workshop ann bob cy* mo=moderator
         user opens Large !structural
         ann: approve
         bob: approve
         ---
         cy: object
         cy: ok
         cy: ok
         cy: ok
         cy: ok",
        expect![[r#"
            > cy: object
            posted cy, ordered
            > cy: ok
            posted cy, ordered
            order fulfilled
            m12.3 resolved
            > cy: ok
            posted cy
            > cy: ok
            posted cy
            > cy: ok
            freeze gate/comment-budget-exceeded
            frozen by comment-budget-exceeded until 30:00
            told user: frozen { breaker: commentbudgetexceeded }
            opened [Circuit breaker] issue #1: comment-budget-exceeded
              #meta #circuit-breaker #comment-budget-exceeded for mo
            told moderator: agentwatched { who: who("cy") }
        "#]],
    );
}

#[test]
fn what_an_advocate_says_is_nobodys_opinion() {
    let (shop, _) =
        played("workshop ann bob cy*\nuser opens Large !structural\nann: approve\nbob: approve\ncy: approve");
    let case = shop.world.house.case(shop.numbered(1)).unwrap();
    let (said, heard) = case.comments().next_back().unwrap();
    assert_eq!(said.who, who("cy"));
    assert!(said.ordered.is_some() && !heard.approves() && !heard.objects());
}

#[test]
fn the_rotation_takes_who_had_the_fewest_lately_then_the_first_by_id() {
    let one = |name: &str, assigned, involved| DissentCandidate { assigned, involved, who: who(name) };
    assert_eq!(next_in_rotation([]), None);
    assert_eq!(next_in_rotation([one("b", 0, true)]), None);
    assert_eq!(next_in_rotation([one("b", 1, false), one("a", 1, false)]), Some(who("a")));
    assert_eq!(next_in_rotation([one("a", 2, false), one("b", 1, false), one("c", 0, true)]), Some(who("b")));
}

#[test]
fn advocates_take_turns_over_issues() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "cy*"]);
    let next = |shop: &mut Shop| {
        shop.open("user", "Large !structural");
        shop.comment("ann", "approve");
        shop.comment("bob", "approve");
        let state = shop.world.house.case(shop.here()).unwrap().workshop().unwrap().1;
        let chosen = state.open_orders().next().unwrap().1.order.who.to_string();
        shop.step("user closes");
        chosen
    };
    assert_eq!(next(&mut shop), "cy");
    assert_eq!(next(&mut shop), "cy", "there is nobody else");
    shop.enrol("dee*");
    assert_eq!(next(&mut shop), "dee");
    assert_eq!(next(&mut shop), "dee", "once against twice");
    assert_eq!(next(&mut shop), "cy", "twice each: the first by id");
    shop.enrol("eve*");
    assert_eq!(next(&mut shop), "eve");
    shop.wait("7d");
    assert_eq!(next(&mut shop), "cy", "after a week the count begins anew");
}

#[test]
fn an_advocate_that_lets_its_time_pass_is_replaced_until_nobody_is_left() {
    check(
        "workshop ann bob cy* dee* mo=moderator
         user opens Large !structural
         ann: approve
         bob: approve
         ---
         wait 24h
         wait 23h
         wait 1h",
        expect![[r#"
            > wait 24h
            order expired
            m14.3 closed
            opened [Devil's advocate] challenge issue #1
              #meta #devils-advocate #issue-1 for dee
            ordered dee against for quick-consensus until 2880:00
            > wait 23h
            > wait 1h
            order expired
            m15.2 closed
            nobody for quick-consensus
            told moderator: nodevilsadvocate
        "#]],
    );
}

#[test]
fn a_moderator_invokes_an_advocate_by_name_or_by_rotation() {
    check(
        "workshop ann bob cy* dee* mo=moderator
         user opens Small
         ann: ok
         ---
         ann challenges
         mo challenges ann
         mo challenges dee
         mo challenges
         on 2
         mo challenges",
        expect![[r#"
            > ann challenges
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo challenges ann
            refused workshop/unfit-advocate: ann cannot object here: it must be able to, active, and not have taken part in the issue
            > mo challenges dee
            opened [Devil's advocate] challenge issue #1
              #meta #devils-advocate #issue-1 for dee
            ordered dee against for moderator-override until 1440:00
            > mo challenges
            refused workshop/already-challenged: dee is objecting in this issue already: wait for them
            > on 2
            > mo challenges
            refused workshop/nothing-to-challenge: the house itself opened this issue: there is nothing to object to
        "#]],
    );
}

#[test]
fn nobody_to_object_is_told_to_the_moderator() {
    check(
        "workshop ann bob cy
         user opens Large !structural
         ann: approve
         ---
         bob: approve",
        expect![[r#"
            > bob: approve
            posted bob
            bob supports: true
            now agreed
            nobody for quick-consensus
            told moderator: nodevilsadvocate
        "#]],
    );
}

#[test]
fn the_end_of_an_issue_withdraws_its_orders() {
    check(
        "workshop ann bob cy*
         user opens Large !structural
         ann: approve
         bob: approve
         ---
         user closes",
        expect![[r#"
            > user closes
            order withdrawn
            m10.3 closed
            m8 closed
        "#]],
    );
}

#[test]
fn a_large_change_is_read_blind_by_critic_and_continuity() {
    let script = "workshop ann crit=critic cont=continuity
         ann opens Large !structural
         ann: ok
         crit: ok
         ---
         crit: ok
         cont: object
         cont: ok";
    check(
        script,
        expect![[r#"
        > crit: ok
        posted crit
        > cont: object
        posted cont, blind
        order fulfilled
        > cont: ok
        posted cont
    "#]],
    );
}

/// The number of comments that somebody may see, and the words of all of them.
fn seen(shop: &Shop, name: &str) -> (usize, String) {
    let house = &shop.world.house;
    let case = house.case(shop.here()).unwrap();
    let reader = who(name);
    let sheet = IssueSheet::seen_by(house, case, Reader::Participant(&reader), shop.world.now).unwrap();
    (sheet.thread.len(), sheet.thread.iter().map(|row| row.body).collect())
}

#[test]
fn nobody_sees_a_blind_answer_before_both_are_in() {
    let mut shop = Shop::new("workshop", &["ann", "crit=critic", "cont=continuity"]);
    shop.open("user", "Large !structural");
    shop.comment("ann", &format!("say ANNSAYS {}", super::BODY));
    assert_eq!(seen(&shop, "crit").0, 0, "a blind reader hears nobody");
    shop.comment("crit", &format!("say CRITSAYS {}", super::BODY));
    for name in ["ann", "cont"] {
        assert!(!seen(&shop, name).1.contains("CRITSAYS"), "{name}");
    }
    let (count, words) = seen(&shop, "crit");
    assert!(
        count == 2 && words.contains("CRITSAYS") && words.contains("ANNSAYS"),
        "one that has answered hears others"
    );
    assert_eq!(seen(&shop, "cont").0, 0);
    let house = &shop.world.house;
    let case = house.case(shop.here()).unwrap();
    for reader in [Reader::Operator, Reader::Public, Reader::Channel] {
        let visible = case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said))).count();
        assert_eq!(visible, 1, "{reader:?}");
    }
    shop.comment("cont", &format!("say CONTSAYS {}", super::BODY));
    for name in ["ann", "crit", "cont"] {
        let (count, words) = seen(&shop, name);
        assert!(count == 3 && words.contains("CRITSAYS") && words.contains("CONTSAYS"), "{name}");
    }
}

#[test]
fn a_blind_reader_that_never_answers_is_not_waited_for() {
    let mut shop = Shop::new("workshop", &["ann", "crit=critic", "cont=continuity"]);
    shop.open("user", "Large !structural");
    shop.comment("crit", "ok");
    assert_eq!(seen(&shop, "ann").0, 0);
    shop.wait("24h");
    assert_eq!(seen(&shop, "ann").0, 1);
    assert_eq!(seen(&shop, "cont").0, 1);
}

#[test]
fn a_comment_that_would_change_much_is_read_blind_too_and_may_be_seen() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "crit=critic", "cont=continuity"]);
    shop.open("user", "First");
    shop.open("user", "Small");
    shop.comment("ann", &format!("structural #1 say PROPOSAL {}", super::BODY));
    shop.comment("bob", &format!("say LATER {}", super::BODY));
    let (count, words) = seen(&shop, "crit");
    assert!(count == 1 && words.contains("PROPOSAL"), "{words}");
    let act = shop.comment("crit", "ok");
    assert!(matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. })));
    let case = shop.world.house.case(shop.here()).unwrap();
    assert!(case.comments().next_back().unwrap().1.comment.blind);
}

#[test]
fn blind_comments_use_no_budget() {
    let (shop, _) =
        played("workshop crit=critic cont=continuity\nuser opens Large !structural\ncrit: ok\ncont: ok");
    let issue = shop.world.house.case(shop.numbered(1)).unwrap().issue().unwrap();
    assert_eq!((issue.stored, issue.counted), (2, 0));
}

#[test]
fn an_issue_that_the_operator_stops_leaves_no_order_behind() {
    let (mut shop, _) =
        played("workshop ann bob cy* crit=critic\nuser opens Large !structural\nann: approve\nbob: approve");
    assert_eq!(shop.world.house.dissent().open().count(), 2);
    let matter = shop.numbered(1);
    shop.world.submit(synod_core::kernel::Actor::Operator, synod_core::Command::Stop { matter });
    assert_eq!(shop.world.house.dissent().open().count(), 0);
    shop.world.house.archive_idle(0);
    shop.world.careful = false;
    let act = shop.wait("48h");
    assert!(act.events().is_empty());
}

#[test]
fn an_assignment_says_why_somebody_has_to_object() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "cy", "dee*", "mo=moderator"]);
    shop.open("ann", "Move the failure");
    shop.step("mo challenges");
    let assignment = shop.numbered(2);
    let (house, reader) = (&shop.world.house, synod_core::house::Reader::Operator);
    let sheet = IssueSheet::seen_by(house, house.case(assignment).unwrap(), reader, shop.world.now).unwrap();
    let task = sheet.task.unwrap();
    assert!(
        task.starts_with(
            "Challenge issue #1: the moderator wants the other side to be heard. Write 2 comments"
        ),
        "{task}"
    );
}

#[test]
fn a_large_change_without_readers_is_told_to_the_moderator_once() {
    check(
        "workshop crit=critic ann bob mo=moderator
         ann opens Large !structural
         bob: structural file=a.txt",
        expect![[r#"
            > ann opens Large !structural
            opened Large
            ordered crit blind for high-impact-proposal until 1440:00
            nobody for high-impact-proposal
            told moderator: noblindreader
            > bob: structural file=a.txt
            posted bob
        "#]],
    );
    check(
        "workshop ann bob mo=moderator
         ann opens Small
         bob: structural file=a.txt
         ann: structural file=b.txt",
        expect![[r#"
            > ann opens Small
            opened Small
            > bob: structural file=a.txt
            posted bob
            nobody for high-impact-proposal
            nobody for high-impact-proposal
            told moderator: noblindreader
            > ann: structural file=b.txt
            posted ann
            nobody for high-impact-proposal
            nobody for high-impact-proposal
        "#]],
    );
}
