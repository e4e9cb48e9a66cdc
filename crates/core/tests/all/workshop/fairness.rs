//! Credit that agents and moderators could give each other in turn, and names under which nobody takes part.

use synod_core::issue::IssueChange;
use synod_core::kernel::{Actor, Choice, CitationTrigger};
use synod_core::procedure::workshop::Command as Work;
use synod_core::{Command, Outcome};

use super::adversary::shop;
use super::credits::{citing, credits, desk};
use super::{BODY, Shop};
use crate::world::{seat, who};

fn refused(act: &synod_core::Act) -> &str {
    match &act.outcome {
        Outcome::Refused { code, .. } => code,
        Outcome::Done(_) => "done",
    }
}

#[test]
fn moderators_earn_nothing_by_marking_each_others_issues() {
    let mut shop = desk("workshop", &["ann", "mo=moderator", "mia=moderator"], &[]);
    for _ in 0..2 {
        for (opens, marks) in [("mo", "mia"), ("mia", "mo")] {
            shop.open(opens, "Nothing at all.");
            shop.step(&format!("{marks} marks applied"));
        }
    }
    assert_eq!((credits(&shop, "mo"), credits(&shop, "mia")), (0, 0), "nobody else had a part in them");
    // One direction pays for what others worked on. The other one is a favour returned.
    for (opens, marks) in [("mo", "mia"), ("mia", "mo")] {
        shop.open(opens, "Which scene comes first?");
        shop.comment("ann", "ok");
        shop.step(&format!("{marks} marks applied"));
    }
    assert_eq!((credits(&shop, "mo"), credits(&shop, "mia")), (2, 0));
    assert_eq!(shop.world.house.ledger().attempts().count(), 0, "to mark an issue is no attempt at credit");
    // What the user says counts, and so does what a moderator says of an agent.
    shop.step("user marks applied");
    shop.open("ann", "And which comes last?");
    shop.comment("mo", "ok");
    shop.step("mia marks applied");
    assert_eq!(credits(&shop, "ann"), 2);
}

#[test]
fn a_challenge_pays_nothing_once_its_citations_wait_to_be_judged() {
    let lines: String =
        (1..=40).map(|n| format!("Line {n} of the long log says that valve {n} held.\n")).collect();
    let mut shop = desk("workshop", &["ann", "bob", "cy", "da*", "mo=moderator"], &[("log.txt", &lines)]);
    let mut paid = Vec::new();
    for nth in 1..=15 {
        shop.open("ann", "Shall we paint it? !minor");
        for name in ["bob", "cy"] {
            shop.comment(name, "approve");
        }
        shop.step("mo challenges da");
        for half in [nth * 2 - 1, nth * 2] {
            let cited =
                format!("log.txt:{half} \"Line {half} of the long log says that valve {half} held.\"");
            let mut comment = citing(&shop, Some(CitationTrigger::ChallengeConsensus), &[cited.as_str()]);
            comment.stance = Some(Choice::No);
            shop.post("da", comment);
        }
        paid.push(credits(&shop, "ann"));
    }
    let last = paid.last().copied().unwrap_or_default();
    assert!(last > 0 && last < 15, "{paid:?}");
    assert_eq!(paid[paid.len() - 2], last, "it ends where nobody judges: {paid:?}");
}

#[test]
fn who_may_only_read_rates_nobody() {
    let mut shop = shop();
    shop.comment("bob", "ok");
    shop.step("user frees eve read-only");
    let (issue, rate) = (shop.here(), |issue| Work::Rate { helpful: true, issue, who: "bob".into() });
    assert_eq!(refused(&shop.give("eve", rate(issue))), "workshop/read-only");
    assert_eq!(refused(&shop.give("ann", rate(issue))), "done");
}

#[test]
fn nobody_is_taken_in_under_the_name_of_the_user_or_the_house() {
    let mut shop = shop();
    for name in ["user", "User", "SYSTEM", "system"] {
        let mut seat = seat(name);
        (seat.who, seat.name) = (who(name), name.into());
        let act = shop.world.submit(Actor::Operator, Command::Enrol { seat }).clone();
        assert_eq!(refused(&act), "roster/reserved-name", "{name}");
        assert!(shop.world.house.roster().get(&who(name)).is_none(), "{name}");
    }
    // Nor under another id that is shown as one of them.
    let mut shown = seat("helper");
    shown.name = "User".into();
    let act = shop.world.submit(Actor::Operator, Command::Enrol { seat: shown }).clone();
    assert_eq!(refused(&act), "roster/reserved-name");
    let issue = shop.here();
    let assign = Work::Change { change: IssueChange::Assign { to: Some(who("user")) }, issue };
    assert_eq!(refused(&shop.give("user", assign)), "workshop/reserved-name");
}

/// What somebody comments with this text, as a code.
fn says(shop: &mut Shop, by: &str, stance: &str, body: &str) -> String {
    super::credits::outcome(&shop.comment(by, &format!("{stance} say {body}")))
}

#[test]
fn a_comment_that_was_made_already_is_refused_and_adds_no_support() {
    let mut shop = shop();
    assert!(says(&mut shop, "bob", "approve", BODY).starts_with("posted"));
    let standing = |shop: &Shop| shop.world.house.docket().row(shop.here()).unwrap().epistemic.word();
    let before = standing(&shop);
    for copy in
        [BODY.to_string(), BODY.to_uppercase(), format!("{BODY}!"), BODY.replace("compared", "checked")]
    {
        assert_eq!(says(&mut shop, "eve", "approve", &copy), "gate/repetition", "{copy}");
    }
    assert_eq!(says(&mut shop, "bob", "ok", BODY), "gate/repetition", "one's own as well");
    assert_eq!(standing(&shop), before);
    // The opposite in nearly the same words is no repetition, and neither is a question.
    let opposite = BODY.replace("still holds", "does not hold");
    assert!(says(&mut shop, "eve", "object", &opposite).starts_with("posted"));
    // The user is exempt, as from every rule.
    assert!(says(&mut shop, "user", "ok", BODY).starts_with("posted"));
}

#[test]
fn a_blind_reviewer_is_not_told_that_another_said_the_same() {
    let mut shop = shop();
    shop.open("ann", "Shall the captain leave? !structural");
    assert!(says(&mut shop, "cri", "approve", BODY).starts_with("posted"));
    assert!(says(&mut shop, "con", "approve", BODY).starts_with("posted"), "it has not seen it");
}
