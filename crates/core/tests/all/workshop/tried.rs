//! What people who tried the workshop for the first time found: credit without work, and views that said something else than the thread.

use synod_core::canon::{ConflictChoice, EntryName};
use synod_core::kernel::{Actor, Choice, CitationTrigger, CommentKind};
use synod_core::ledger::{AttemptFlaw, CitationOutcome};
use synod_core::procedure::workshop::{
    CanonCommand, Command as Work, DecideConflict, PromoteEntry, ReflectionReport, WorkshopReport,
};
use synod_core::view::{MatterLine, Report};
use synod_core::{Command, Outcome};

use super::BODY;
use super::adversary::{QUOTED, TEXT, shop};
use super::credits::{award, came_to, citing, credits, desk, outcome};
use crate::world::who;

const WHY: Option<CitationTrigger> = Some(CitationTrigger::AnswerToQuestion);

fn refused(act: &synod_core::Act) -> &str {
    match &act.outcome {
        Outcome::Refused { code, .. } => code,
        Outcome::Done(_) => "done",
    }
}

#[test]
fn moderators_do_not_commend_each_other_in_turn() {
    let mut shop = desk("workshop", &["ann", "mo=moderator", "mia=moderator"], &[]);
    shop.open("ann", "Shall we?");
    assert_eq!(came_to(&award(&mut shop, "mo", "mia", "moderator-commendation", Some(3))), "+3");
    shop.open("ann", "Shall we again?");
    let back = came_to(&award(&mut shop, "mia", "mo", "moderator-commendation", Some(3)));
    assert_eq!(back, "ledger/favour-returned");
    let flaws: Vec<AttemptFlaw> = shop.world.house.ledger().attempts().map(|line| line.flaw).collect();
    assert_eq!(flaws, [AttemptFlaw::FavourReturned], "and it is on the record");
    assert_eq!((credits(&shop, "mo"), credits(&shop, "mia")), (0, 3));
    assert_eq!(came_to(&award(&mut shop, "mia", "ann", "moderator-commendation", Some(1))), "+1");
}

#[test]
fn only_those_who_lead_begin_and_end_periods() {
    let mut shop = shop();
    for by in ["eve", "mo"] {
        let act = shop.step(&format!("{by} begins Chapter 9")).unwrap();
        assert_eq!(refused(&act), "workshop/needs-lead", "{by}");
    }
    shop.step("user begins Chapter 9");
    assert_eq!(refused(&shop.step("mo ends Chapter 9").unwrap()), "workshop/needs-lead");
    shop.step("user ends Chapter 9");
    assert_eq!(shop.world.house.ledger().team().count(), 0, "nothing was done in it");
}

#[test]
fn an_acknowledgement_that_cites_earns_nothing() {
    let mut shop = shop();
    shop.comment("bob", "question say On which day does the reactor fail?");
    let mut short = citing(&shop, WHY, &[QUOTED]);
    (short.kind, short.body) = (CommentKind::Acknowledgement, "I have read and taken note of it.".into());
    assert!(outcome(&shop.post("con", short)).starts_with("posted"));
    assert_eq!(credits(&shop, "con"), 0);
}

#[test]
fn nobody_judges_their_own_citation_and_the_attempt_is_on_record() {
    let mut shop = shop();
    shop.comment("bob", "question say On which day does the reactor fail?");
    let cited = citing(&shop, WHY, &[QUOTED]);
    let posted = shop.post("mo", cited);
    let comment = outcome(&posted).split_whitespace().nth(1).unwrap().parse().unwrap();
    let before = credits(&shop, "mo");
    let (issue, outcome) = (shop.here(), CitationOutcome::PreventedError);
    shop.give("mo", Work::Outcome { comment, issue, outcome });
    assert_eq!(credits(&shop, "mo"), before);
    let flaws: Vec<AttemptFlaw> = shop.world.house.ledger().attempts().map(|line| line.flaw).collect();
    assert_eq!(flaws, [AttemptFlaw::SelfAward]);
    shop.give("user", Work::Outcome { comment, issue, outcome });
    let again = shop.give("user", Work::Outcome { comment, issue, outcome });
    assert_eq!(refused(&again), "workshop/nothing-to-judge", "what came of it is said once");
}

#[test]
fn a_challenge_pays_only_if_the_advocate_proves_something() {
    let mut shop =
        desk("workshop", &["ann", "bob", "cy", "eve", "da*", "mo=moderator"], &[("scene.txt", TEXT)]);
    shop.open("ann", "Shall we paint it? !minor");
    for name in ["bob", "cy", "eve"] {
        shop.comment(name, "approve");
    }
    shop.comment("da", "object");
    shop.comment("da", "object");
    assert_eq!(credits(&shop, "ann"), 0);
}

#[test]
fn a_blind_approval_shows_in_nothing_until_all_have_answered() {
    let mut shop = shop();
    shop.open("ann", "Shall the captain leave? !structural");
    let standing = |shop: &super::Shop| shop.world.house.docket().row(shop.here()).unwrap().epistemic;
    let before = standing(&shop);
    shop.comment("cri", "approve");
    assert_eq!(standing(&shop), before, "con has not answered yet");
    shop.comment("con", "approve");
    assert_ne!(standing(&shop), before);
}

#[test]
fn whoever_contradicts_canon_does_not_dismiss_it() {
    let mut shop = shop();
    let name = EntryName::parse("eyes").unwrap();
    let promote = PromoteEntry {
        name: name.clone(),
        text: Some("Mara's eyes are green.".into()),
        issue: None,
        over: None,
        until: None,
    };
    shop.give("user", Work::Canon(CanonCommand::Promote(Box::new(promote))));
    shop.open("ann", "Mara's eyes are blue.");
    let conflict = shop.world.house.canon().found().next().expect("a conflict").clone();
    let decide = |choice| {
        let entry = conflict.conflicts[0].entry.clone();
        let decide = DecideConflict { choice, conflict: Some(conflict.id), entry, text: None };
        Work::Canon(CanonCommand::DecideConflict(Box::new(decide)))
    };
    assert_eq!(refused(&shop.give("ann", decide(ConflictChoice::Keep))), "canon/not-allowed");
    let report = WorkshopReport::of(&shop.world.house, shop.world.house.now(), None);
    assert_eq!(report.canon.conflicts.len(), 1);
    assert!(report.recommendations.iter().any(|one| one.command.contains("canon decide eyes@1 keep")));
    assert_eq!(refused(&shop.give("user", decide(ConflictChoice::Keep))), "done");
    let report = WorkshopReport::of(&shop.world.house, shop.world.house.now(), None);
    assert!(report.canon.conflicts.is_empty());
}

#[test]
fn an_objection_ends_an_agreement() {
    let mut shop = shop();
    shop.open("ann", "Shall we?");
    shop.comment("bob", "approve");
    shop.comment("eve", "approve");
    let standing = |shop: &super::Shop| shop.world.house.docket().row(shop.here()).unwrap().epistemic.word();
    assert_eq!(standing(&shop), "agreed");
    shop.comment("eve", "object");
    assert_eq!(standing(&shop), "tentative");
}

#[test]
fn a_forced_issue_keeps_its_objections_in_every_view() {
    let mut shop = shop();
    shop.comment("bob", "object");
    shop.step("mo forces Let it fail because Both scenes were read.");
    let case = shop.world.house.case(shop.here()).unwrap();
    let report = Report::of(case);
    assert_eq!(report.dissent.len(), 1);
    assert_eq!((report.dissent[0].who.as_str(), report.dissent[0].choice), ("bob", Some(Choice::No)));
    assert!(
        report
            .headline
            .starts_with("RESOLVED BY FORCE: Let it fail, by mo; because: Both scenes were read [")
    );
    let resolution = report.resolution.as_ref().expect("it is resolved");
    assert_eq!((resolution.forced, resolution.because.as_deref()), (true, Some("Both scenes were read.")));
    assert_eq!(report.caveats, ["forced by mo, whatever the thread had come to"]);
    let receipt = synod_core::view::receipt(case, None, Default::default()).expect("it is settled");
    assert_eq!((receipt.dissent, receipt.caveats), (report.dissent, report.caveats));
}

#[test]
fn views_of_matters_say_where_an_issue_stands_in_the_words_of_issues() {
    let mut shop = shop();
    let matter = shop.here();
    let stands = |shop: &super::Shop| {
        let house = &shop.world.house;
        let case = house.case(matter).unwrap();
        let listed = MatterLine::listed(house, &house.summary(matter).unwrap(), shop.world.now);
        (Report::of(case).status, MatterLine::of(case).status, listed.status)
    };
    assert_eq!(stands(&shop), ("open", "open", "open"));
    shop.comment("bob", &format!("say {BODY} It is URGENT and CRITICAL."));
    assert_eq!(stands(&shop), ("frozen", "frozen", "frozen"));
    shop.step("mo forces Let it fail because Both scenes were read.");
    assert_eq!(stands(&shop), ("resolved", "resolved", "resolved"));
}

#[test]
fn nothing_runs_in_an_issue_that_could_be_paused() {
    let mut shop = shop();
    let matter = shop.here();
    let pause = Command::Pause { matter, why: synod_core::matter::Pause::Operator };
    assert_eq!(refused(shop.world.submit(Actor::Operator, pause)), "matter/nothing-runs");
    let resume = Command::Resume { matter };
    assert_eq!(refused(shop.world.submit(Actor::Operator, resume)), "matter/nothing-runs");
    let go_on = synod_core::procedure::council::Command::Continue {
        context: vec![],
        focus: None,
        matter,
        to_end: false,
    };
    assert_eq!(refused(shop.world.submit(Actor::Operator, Command::Council(go_on))), "matter/nothing-runs");
    shop.world.submit(Actor::Operator, Command::Stop { matter });
    let case = shop.world.house.case(matter).unwrap();
    assert_eq!(Report::of(case).status, "closed", "as the views of issues say");
}

#[test]
fn a_period_tells_what_it_taught_and_can_be_read_again() {
    let mut shop = shop();
    shop.step("user begins Chapter 1");
    shop.comment("bob", "question say On which day does the reactor fail?");
    let cited = citing(&shop, WHY, &[QUOTED]);
    shop.post("con", cited);
    shop.comment("eve", "ok say Yes.");
    shop.step("mo forces Let it fail because Both scenes were read.");
    let read = |shop: &super::Shop| {
        let period = shop.world.house.periods().named("chapter 1").expect("it was opened").clone();
        ReflectionReport::of(&shop.world.house, &period).expect("issues are configured")
    };
    let open = read(&shop);
    shop.step("user ends Chapter 1");
    let over = read(&shop);
    assert_eq!((over.counts.resolved, over.counts.refused), (1, 1));
    assert_eq!((open.counts, open.closed.is_some(), over.closed.is_some()), (over.counts, false, true));
    assert!(over.right.contains(&"1 issue resolved (mo 1)".to_string()), "{:?}", over.right);
    assert!(over.wrong.contains(&"1 comment refused (eve 1)".to_string()), "{:?}", over.wrong);
    let con = over.agents.iter().find(|agent| agent.who == who("con")).expect("con took part");
    assert_eq!((con.verified, con.false_citations), (1, 0));
    assert!(!over.credits.is_empty());
}
