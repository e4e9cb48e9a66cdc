//! Agents that look for a way around the rules of issues: resolving alone, calling everything wording, hiding an exchange, asking again.

use synod_core::Outcome;
use synod_core::kernel::Impact;
use synod_core::procedure::workshop::{Command as Work, LeaseCommand};

use super::Shop;
use super::adversary::{QUOTED, TEXT, shop};
use super::credits::{award, came_to, citing, credits, desk, outcome};

const ACK: &str = "acknowledgement say I have seen this issue now.";

#[test]
fn nobody_resolves_an_issue_alone() {
    for opens in ["ann", "eve"] {
        let mut shop = shop();
        shop.open(opens, "Shall we move the docking?");
        shop.comment("eve", ACK);
        shop.comment("eve", ACK);
        assert_eq!(
            outcome(&shop.comment("eve", "resolved")),
            "gate/premature-resolution",
            "two acknowledgements"
        );
        shop.comment("eve", "ok");
        shop.comment("bob", ACK);
        shop.comment("eve", "question say What does everybody else say to it?");
        assert_eq!(
            outcome(&shop.comment("eve", "resolved")),
            "gate/premature-resolution",
            "nobody else spoke"
        );
        shop.comment("bob", "ok");
        assert!(outcome(&shop.comment("con", "resolved")).starts_with("posted"), "now others did");
    }
}

#[test]
fn a_blind_review_is_waited_for_unless_somebody_forces_the_resolution() {
    let mut shop = shop();
    shop.open("ann", "Shall the captain leave? !structural");
    shop.comment("ann", "ok");
    shop.comment("bob", "ok");
    let mut resolution = citing(&shop, None, &[QUOTED]);
    resolution.action = shop.written("resolved").action;
    for by in ["eve", "mo", "user"] {
        let act = shop.give(by, Work::Comment(Box::new(resolution.clone())));
        assert!(
            matches!(&act.outcome, Outcome::Refused { code, .. } if code == "workshop/blind-review-pending"),
            "{by}: {act:?}"
        );
    }
    shop.step("mo forces Let the captain leave because Both reviewers are away until Monday.");
    let issue = shop.world.house.case(shop.here()).unwrap().issue().unwrap().clone();
    assert_eq!(issue.status(), synod_core::issue::IssueStatus::Resolved);
}

#[test]
fn what_an_issue_would_change_binds_those_who_comment_on_it() {
    let mut shop = desk("workshop", &["ann", "bob", "eve", "mo=moderator"], &[("scene.txt", TEXT)]);
    shop.open("ann", "Shall the captain be somebody else? !canon-changing");
    for name in ["ann", "bob"] {
        let act = shop.comment(name, "cosmetic approve");
        assert_eq!(outcome(&act), "gate/missing-evidence-for-impact", "{name} calls it wording");
        let act = shop.comment(name, "approve");
        assert!(outcome(&act).starts_with("posted"), "who takes a side says nothing about its size");
    }
    for words in ["resolved", "cosmetic resolved", "minor resolved file=scene.txt"] {
        assert_eq!(outcome(&shop.comment("eve", words)), "gate/missing-evidence-for-impact", "{words}");
    }
    // Readers who come later are asked when the next comment comes.
    let mut shop = desk("workshop", &["ann", "bob"], &[]);
    shop.open("ann", "Shall the captain be somebody else? !canon-changing");
    shop.enrol("cri=critic");
    shop.comment("bob", "approve");
    let ordered = shop.world.house.case(shop.here()).unwrap().workshop().unwrap().1.is_read_blind();
    assert!(ordered);
}

#[test]
fn an_agent_under_remediation_does_not_escape_by_calling_it_wording_or_citing_twice() {
    let mut shop = shop();
    for nth in 0..7 {
        shop.open("user", &format!("Small {nth}?"));
        shop.comment("eve", "ok say Yes.");
    }
    for cited in [&[][..], &["#1", "#1"][..], &["scene.txt:1", "./scene.txt:1-1"][..]] {
        for impact in [None, Some(Impact::Cosmetic)] {
            shop.open("user", "And now?");
            let mut comment = citing(&shop, None, cited);
            comment.impact = impact;
            let act = shop.post("eve", comment);
            assert_eq!(outcome(&act), "gate/missing-evidence-for-impact", "{cited:?} {impact:?}");
        }
    }
    shop.open("user", "And then?");
    let comment = citing(&shop, None, &["#1", "#2"]);
    assert!(outcome(&shop.post("eve", comment)).starts_with("posted"));
}

#[test]
fn an_acknowledgement_by_a_third_agent_does_not_hide_an_exchange_between_two() {
    let mut shop = desk("workshop-light", &["ann", "bob", "eve"], &[]);
    shop.open("user", "Who is right?");
    for name in ["ann", "bob"] {
        shop.comment(name, "ok");
    }
    shop.comment("eve", ACK);
    shop.comment("ann", "ok");
    assert_eq!(outcome(&shop.comment("bob", "ok")), "gate/ping-pong-detected");
}

#[test]
fn a_moderator_commends_somebody_once_in_an_issue() {
    let mut shop = shop();
    let came: Vec<String> =
        (0..3).map(|_| came_to(&award(&mut shop, "mo", "bob", "moderator-commendation", Some(3)))).collect();
    assert_eq!(came, ["+3", "unchanged", "unchanged"]);
    assert_eq!(credits(&shop, "bob"), 3);
}

#[test]
fn asking_for_a_file_again_opens_no_second_issue() {
    let mut shop = shop();
    let take = LeaseCommand::Take { for_ms: None, paths: vec!["src".into()], why: None };
    shop.give("bob", Work::Lease(take));
    let ask = |shop: &mut Shop, by: &str| {
        let ask =
            LeaseCommand::Ask { open_issue: true, path: "src/api.rs".into(), why: Some("It is red.".into()) };
        shop.give(by, Work::Lease(ask));
        shop.world.house.docket().rows().count()
    };
    let before = shop.world.house.docket().rows().count();
    assert_eq!([ask(&mut shop, "eve"), ask(&mut shop, "eve"), ask(&mut shop, "eve")], [before + 1; 3]);
    assert_eq!(ask(&mut shop, "ann"), before + 2, "somebody else has reasons of their own");
    let last =
        shop.world.house.docket().rows().map(|(id, _)| id).min_by_key(|id| std::cmp::Reverse(id.0)).unwrap();
    shop.give("user", Work::Close { issue: last });
    assert_eq!(ask(&mut shop, "ann"), before + 3, "that one is over");
}
