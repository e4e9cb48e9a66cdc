//! What views say of issues follows from the record, at the moment they are read.

use synod_core::canon::{CanonRef, EntryName};
use synod_core::house::Reader;
use synod_core::issue::{Epistemic, IssueStatus};
use synod_core::kernel::{Actor, At, Choice, Reference, SeatKind};
use synod_core::procedure::workshop::{
    CanonCommand, Command as Work, IssueSheet, WorkshopReport, issue_rows, still_needs_somebody,
};
use synod_core::view::{MatterLine, Report};
use synod_core::{Command, Outcome};

use super::canon::from_issue;
use super::{BODY, Shop, played};
use crate::world::{seat, source, who};

/// A house in which one issue is frozen.
fn frozen() -> Shop {
    let (mut shop, _) = played("workshop ann mo=moderator\nuser opens Move it");
    shop.comment("ann", &format!("say {BODY} It is URGENT and CRITICAL."));
    shop
}

/// A participant becomes a placeholder of a rehearsal.
fn rehearse(shop: &mut Shop, name: &str) {
    let mut placeholder = seat(name);
    (placeholder.kind, placeholder.backend) = (SeatKind::Rehearsal, "rehearsal".into());
    shop.world.submit(Actor::Operator, Command::Enrol { seat: placeholder });
}

fn report(shop: &Shop) -> Report {
    Report::of(shop.world.house.case(shop.here()).unwrap()).stands(true, shop.world.now)
}

fn sheet(shop: &Shop, at: At) -> IssueSheet<'_> {
    let house = &shop.world.house;
    IssueSheet::seen_by(house, house.case(shop.here()).unwrap(), Reader::Operator, at).unwrap()
}

fn advised(shop: &Shop) -> Vec<String> {
    let report = WorkshopReport::of(&shop.world.house, shop.world.now, None);
    report.recommendations.into_iter().map(|one| one.command).collect()
}

fn epistemic(shop: &Shop) -> Epistemic {
    shop.world.house.docket().row(shop.here()).unwrap().epistemic
}

#[test]
fn approvals_of_placeholders_count_for_nothing() {
    let rules = source("workshop").replace("[workshop]\n", "[workshop]\nagents_promote = true\n");
    let mut shop = Shop::new("workshop", &["zoe", "ann", "bob", "cid", "mo=moderator", "da*"]);
    shop.world.submit(Actor::Operator, Command::Adopt { source: rules.clone() });
    let charter = synod_core::kernel::Digest::of(rules.as_bytes());
    shop.give("user", Work::Configure { charter });
    ["ann", "bob", "cid"].iter().for_each(|name| rehearse(&mut shop, name));
    shop.step("zoe opens Move it");
    for line in ["ann: approve", "bob: approve", "cid: approve"] {
        assert!(matches!(shop.step(line).unwrap().outcome, Outcome::Done(_)), "{line}");
    }
    assert_eq!(epistemic(&shop), Epistemic::Draft);
    // Also where somebody says it for them.
    for name in ["ann", "bob", "cid"] {
        shop.give(name, Work::Canon(CanonCommand::Support { issue: shop.here(), holds: true }));
    }
    assert_eq!(epistemic(&shop), Epistemic::Draft);
    for to in [Epistemic::Tentative, Epistemic::Agreed] {
        let act = shop.give("zoe", Work::Canon(CanonCommand::Move { issue: shop.here(), to }));
        assert!(matches!(act.outcome, Outcome::Refused { .. }), "{act:?}");
    }
    let act = shop.give("zoe", Work::Canon(CanonCommand::Promote(Box::new(from_issue(&shop, "moved")))));
    assert!(matches!(act.outcome, Outcome::Refused { .. }), "{act:?}");
    assert!(shop.world.house.canon().entries().next().is_none());
    assert!(!advised(&shop).iter().any(|command| command.contains("canon promote")));
    // Nobody is told to object because placeholders agree, and they resolve nothing for others.
    assert!(sheet(&shop, shop.world.now).orders.is_empty());
    assert!(format!("{:?}", shop.step("zoe: resolved").unwrap().outcome).contains("Premature"));
    // Those who mean it count as ever.
    shop.enrol("dan");
    shop.enrol("eve");
    shop.step("dan: approve");
    shop.step("eve: approve");
    assert_eq!(epistemic(&shop), Epistemic::Agreed);
}

#[test]
fn a_closed_issue_names_everybody_who_took_a_side() {
    let (shop, _) =
        played("workshop ann bob mo=moderator\nuser opens Move it\nann: object\nbob: approve\nuser closes");
    let report = report(&shop);
    let sides: Vec<_> = report.dissent.iter().map(|row| (row.who.as_str(), row.choice)).collect();
    assert_eq!(sides, [("ann", Some(Choice::No)), ("bob", Some(Choice::Yes))]);
    let (shop, _) =
        played("workshop ann mo=moderator\nuser opens Move it\nann: object\nuser forces Do it because so");
    assert_eq!(self::report(&shop).dissent.len(), 1);
}

#[test]
fn what_was_put_together_says_where_it_went() {
    let (mut shop, _) =
        played("workshop mo=moderator\nuser opens One\nuser opens Two\nuser consolidates 1 2\non 1");
    let into = shop.numbered(3);
    let seen = report(&shop);
    assert_eq!(seen.issue.as_ref().and_then(|issue| issue.into), Some(into));
    assert_eq!(seen.headline, format!("CLOSED: went into {into}"));
    assert_eq!(sheet(&shop, shop.world.now).row.into, Some(3));
    let house = &shop.world.house;
    assert!(issue_rows(house, Reader::Operator, shop.world.now).take(2).all(|row| row.into == Some(3)));
    let known = house.summary(shop.here()).unwrap();
    assert_eq!(MatterLine::listed(house, &known, shop.world.now).into, Some(3));
    shop.step("user reopens");
    assert_eq!((sheet(&shop, shop.world.now).row.into, report(&shop).issue.unwrap().into), (None, None));
}

#[test]
fn ended_canon_leaves_an_issue_where_it_stood() {
    let (mut shop, _) = played("workshop ann bob mo=moderator\nuser opens Move it");
    let put = |shop: &mut Shop, name: &str| {
        let wanted = Box::new(from_issue(shop, name));
        shop.give("user", Work::Canon(CanonCommand::Promote(wanted)));
        assert_eq!(epistemic(shop), Epistemic::Canon);
        let entry = CanonRef { name: EntryName::parse(name).unwrap(), version: 1 };
        shop.give("user", Work::Canon(CanonCommand::End { entry, why: None }));
    };
    put(&mut shop, "moved");
    assert_eq!(epistemic(&shop), Epistemic::Draft);
    shop.step("user opens Paint it");
    shop.step("ann: approve");
    shop.step("bob: approve");
    assert!(advised(&shop).contains(&"synod canon promote NAME --issue 2".to_string()));
    put(&mut shop, "painted");
    assert_eq!(epistemic(&shop), Epistemic::Agreed);
    assert!(!advised(&shop).iter().any(|command| command.contains("promote")), "it was ended on purpose");
}

#[test]
fn a_rest_that_is_over_is_over_in_every_view() {
    let mut shop = frozen();
    let until = sheet(&shop, shop.world.now).row.frozen_until.expect("it is frozen");
    for (at, status) in [(shop.world.now, IssueStatus::Frozen), (until, IssueStatus::Open)] {
        let house = &shop.world.house;
        let case = house.case(shop.here()).unwrap();
        assert_eq!(sheet(&shop, at).row.status, status);
        assert_eq!(Report::of(case).stands(true, at).status, status.word());
        assert!(Report::of(case).stands(true, at).headline.contains(status.word()));
        let known = house.summary(shop.here()).unwrap();
        assert_eq!(MatterLine::listed(house, &known, at).status, status.word());
        let report = WorkshopReport::of(house, at, None);
        assert_eq!(report.issues.frozen, u32::from(status == IssueStatus::Frozen));
        let frozen = house.docket().notices().find(|notice| notice.matter == shop.here()).unwrap();
        assert_eq!(still_needs_somebody(house, frozen, at), status == IssueStatus::Frozen);
    }
    shop.world.now = until;
    assert!(!advised(&shop).iter().any(|command| command.contains("unfreeze")));
}

#[test]
fn the_report_repeats_no_advice_that_was_taken_and_passes_on_what_is_asked() {
    let (mut shop, _) = played(
        "workshop ann bob mo=moderator da*\nuser opens Move it #timeline\nann: approve\nbob: approve\nuser marks irrelevant",
    );
    assert!(!advised(&shop).iter().any(|command| command.contains("promote")), "it is irrelevant");
    shop.step("mo escalates Please decide");
    assert!(advised(&shop).contains(&"synod issue show 1".to_string()));
    shop.step("user closes");
    assert!(!advised(&shop).contains(&"synod issue show 1".to_string()));
    shop.step("user opens Loud");
    for _ in 0..6 {
        shop.step("bob: say no");
    }
    assert!(advised(&shop).contains(&"synod issue freedom bob limited".to_string()));
    shop.step("mo frees bob limited");
    assert!(!advised(&shop).contains(&"synod issue freedom bob limited".to_string()));
    shop.step("mo freezes-tag nowhere too much");
    let report = WorkshopReport::of(&shop.world.house, shop.world.now, None);
    assert!(report.agents.iter().any(|agent| agent.who == who("bob") && agent.freedom.word() == "limited"));
    let frozen = report.topics.iter().find(|topic| topic.tag == "#nowhere").unwrap();
    assert_eq!(frozen.frozen.as_deref(), Some("too much"));
    assert!(!advised(&shop).iter().any(|command| command.contains("freeze-tag nowhere")));
}

#[test]
fn what_the_house_opened_itself_is_counted_apart() {
    let shop = frozen();
    let counts = WorkshopReport::of(&shop.world.house, shop.world.now, None).issues;
    assert_eq!((counts.open, counts.frozen, counts.own), (0, 1, 1));
}

#[test]
fn a_notice_of_missing_reviewers_ends_with_their_appointment() {
    let (mut shop, _) = played("workshop ann mo=moderator\nuser opens Move it !structural");
    let open = |shop: &Shop| {
        let house = &shop.world.house;
        house.docket().notices().filter(|notice| still_needs_somebody(house, notice, shop.world.now)).count()
    };
    assert_eq!(open(&shop), 1);
    shop.step("enrol cy=critic");
    assert!(advised(&shop).contains(&"synod agents appoint NAME --role continuity".to_string()));
    shop.step("enrol co=continuity");
    assert_eq!(open(&shop), 0);
}

#[test]
fn sources_of_comments_and_marks_stand_in_every_view() {
    let (mut shop, _) = played("workshop ann mo=moderator\nuser opens Move it");
    let mut comment = shop.written("approve");
    comment.evidence =
        vec![Reference::parse("scene.txt:1").unwrap(), Reference::parse("canon:?docking-time").unwrap()];
    shop.post("ann", comment);
    let seen = report(&shop);
    let cited: Vec<_> = seen.citations.iter().map(|row| (row.citation.title.as_deref(), row.found)).collect();
    assert_eq!(cited, [(Some("scene.txt:1"), Some("verified")), (Some("canon:?docking-time"), None)]);
    assert_eq!(&*seen.issue.as_ref().unwrap().body, "What shall we do about it?");
    assert_eq!(sheet(&shop, shop.world.now).thread[0].found, [Some("verified"), None]);
    shop.step("user marks applied");
    assert_eq!(report(&shop).issue.unwrap().mark(), Some("applied"));
    assert!(sheet(&shop, shop.world.now).row.applied);
}

#[test]
fn a_resolution_that_was_undone_stays_recognisable() {
    let (shop, _) =
        played("workshop ann mo=moderator\nuser opens Move it\nuser forces Do it because so\nuser reopens");
    let sheet = sheet(&shop, shop.world.now);
    let row = &sheet.thread[0];
    assert_eq!((row.resolves, row.resolved_before, row.forced), (false, true, true));
}

#[test]
fn the_last_moment_is_the_same_in_every_view() {
    let (mut shop, _) = played("workshop ann da* mo=moderator\nuser opens Move it");
    shop.world.now = shop.world.now.plus(5_000);
    shop.step("mo challenges");
    let row = issue_rows(&shop.world.house, Reader::Operator, shop.world.now).next().unwrap().last;
    assert_eq!((sheet(&shop, shop.world.now).row.last, row), (report(&shop).last, report(&shop).last));
}

#[test]
fn what_ended_twice_counts_once() {
    let (shop, _) = played(
        "workshop ann mo=moderator\nuser begins Session 1\nuser opens Move it\nmo forces Do it because so\nuser reopens\n\
         mo forces Leave it because so",
    );
    let tally = shop.world.house.docket().tally();
    assert_eq!((tally.opened, tally.resolved), (1, 1));
    assert_eq!(tally.agents.get(&who("mo")).map(|agent| agent.resolved), Some(1));
}
