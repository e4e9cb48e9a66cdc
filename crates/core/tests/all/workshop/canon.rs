//! Canon in a house: who may change it, what is held against it, and what is told to whom.

use expect_test::expect;
use synod_core::canon::{self, CanonRef, ConflictChoice, EntryName, claims};
use synod_core::issue::{Epistemic, NoticeKind};
use synod_core::kernel::{Actor, At, CanonReference, Id, Reference};
use synod_core::procedure::workshop::{CanonCommand, Command as Work, DecideConflict, PromoteEntry};
use synod_core::{Act, Event, House, Outcome};

use super::{BODY, Shop, line as shown};
use crate::world::{START, source, who};

pub(crate) fn line(event: &canon::Event) -> String {
    match event {
        canon::Event::ConflictDecided { choice, entry, opened, .. } => {
            let opened = if opened.is_some() { ", an issue was opened" } else { "" };
            format!("{entry}: {}{opened}", choice.word())
        }
        canon::Event::Contradicted { conflicts, who, .. } => {
            let notes: Vec<String> = conflicts
                .iter()
                .map(|note| format!("{} at {}: {} / {}", note.entry, note.line, note.canon, note.text))
                .collect();
            format!("{who} contradicts {}", notes.join(", "))
        }
        canon::Event::OldVersionCited { entry, latest, who, .. } => {
            format!("{who} cites {entry}, the latest is {latest}")
        }
        canon::Event::Searched { found, subject, who, .. } => {
            format!("{who} searched canon for {subject}: {} found", found.len())
        }
        canon::Event::ClaimsProposed { claims, entry, .. } => {
            format!("{} claims proposed for {entry}", claims.len())
        }
        canon::Event::ClaimsDecided { accepted, .. } => format!("claims accepted: {accepted}"),
        canon::Event::Ended { entry, .. } => format!("{entry} ended"),
        canon::Event::Promoted { entry, .. } => format!("{entry} promoted"),
        canon::Event::Supported { holds, who, .. } => format!("{who} supports: {holds}"),
    }
}

fn entry(written: &str) -> CanonRef {
    written.parse().unwrap()
}

pub(super) fn promote(name: &str, text: &str) -> PromoteEntry {
    let (name, text) = (EntryName::parse(name).unwrap(), Some(text.to_string()));
    PromoteEntry { issue: None, name, over: None, text, until: None }
}

pub(super) fn from_issue(shop: &Shop, name: &str) -> PromoteEntry {
    PromoteEntry { issue: Some(shop.here()), text: None, ..promote(name, "") }
}

fn decide(written: &str, choice: ConflictChoice, text: &str) -> CanonCommand {
    let text = Some(text.to_string()).filter(|text| !text.is_empty());
    CanonCommand::DecideConflict(Box::new(DecideConflict {
        choice,
        conflict: None,
        entry: entry(written),
        text,
    }))
}

/// Puts an entry of that name into the canon.
pub(super) fn with_entry(shop: &mut Shop, name: &str) {
    assert!(shop.promotes("user", promote(name, GREEN)).ends_with("promoted"));
}

impl Shop {
    pub(super) fn canon(&mut self, by: &str, command: CanonCommand) -> String {
        let act = self.give(by, Work::Canon(command));
        told(&act)
    }

    pub(super) fn promotes(&mut self, by: &str, promote: PromoteEntry) -> String {
        self.canon(by, CanonCommand::Promote(Box::new(promote)))
    }

    fn epistemic(&self) -> Epistemic {
        self.world.house.docket().row(self.here()).unwrap().epistemic
    }
}

/// What an act came to: its code, or its events.
pub(super) fn told(act: &Act) -> String {
    match &act.outcome {
        Outcome::Refused { code, .. } => code.to_string(),
        Outcome::Done(events) => events.iter().filter_map(shown).collect::<Vec<_>>().join("; "),
    }
}

const GREEN: &str = "Mara's eyes are green.";
const BLUE: &str = "Mara's eyes are blue.";

pub(super) fn with_eyes(people: &[&str]) -> Shop {
    let mut shop = Shop::new("workshop", people);
    assert_eq!(shop.promotes("user", promote("eyes", GREEN)), "canon:eyes@1 promoted");
    shop
}

#[test]
fn only_the_user_and_a_lead_promote_override_and_end() {
    let mut shop = with_eyes(&["ann", "lea=lead", "mo=moderator"]);
    for by in ["ann", "mo"] {
        assert_eq!(shop.promotes(by, promote("hair", "x y")), "canon/agents-may-not-promote", "{by}");
        let over = PromoteEntry { over: Some(1), ..promote("eyes", BLUE) };
        assert_eq!(shop.promotes(by, over), "canon/not-allowed", "{by}");
        let end = CanonCommand::End { entry: entry("eyes"), why: None };
        assert_eq!(shop.canon(by, end), "canon/not-allowed", "{by}");
        let choice = decide("eyes@1", ConflictChoice::Override, BLUE);
        assert_eq!(shop.canon(by, choice), "canon/not-allowed", "{by}");
    }
    let over = PromoteEntry { over: Some(1), ..promote("eyes", BLUE) };
    assert_eq!(shop.promotes("lea", over.clone()), "canon:eyes@2 promoted");
    assert_eq!(shop.promotes("lea", over), "canon/not-the-latest");
    assert_eq!(shop.promotes("user", promote("Eyes", BLUE)), "canon/name-taken");
    let end = CanonCommand::End { entry: entry("eyes@2"), why: Some("retold".into()) };
    assert_eq!(shop.canon("lea", end), "canon:eyes@2 ended");
}

#[test]
fn approval_is_support_and_objection_takes_it_back() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "cy"]);
    shop.open("ann", "Green eyes");
    assert_eq!(told(&shop.comment("bob", "approve")), "posted bob; bob supports: true; now tentative");
    let support = |shop: &mut Shop, by: &str, holds: bool| {
        let issue = shop.here();
        shop.canon(by, CanonCommand::Support { holds, issue })
    };
    assert_eq!(support(&mut shop, "bob", true), "canon/nothing-changes");
    assert_eq!(support(&mut shop, "ann", true), "ann supports: true", "an author lifts nothing");
    assert_eq!(support(&mut shop, "cy", true), "cy supports: true; now agreed");
    assert_eq!(
        support(&mut shop, "cy", false),
        "cy supports: false; now tentative",
        "bob alone agrees with ann"
    );
    assert_eq!(support(&mut shop, "cy", true), "cy supports: true; now agreed");
    assert_eq!(told(&shop.comment("bob", "object")), "posted bob; bob supports: false; now tentative");
    let issue = shop.here();
    let down = CanonCommand::Move { issue, to: Epistemic::Draft };
    assert_eq!(shop.canon("bob", down.clone()), "canon/not-the-next-step");
    assert_eq!(shop.canon("user", down), "now draft");
    let up = CanonCommand::Move { issue, to: Epistemic::Canon };
    assert_eq!(shop.canon("user", up), "canon/only-by-promotion");
}

/// The standard charter, in which agents may promote.
fn agents_may() -> Shop {
    let mut shop = Shop::new("workshop", &["ann", "bob", "cy", "dee"]);
    let source = source("workshop").replace("[workshop]", "[workshop]\nagents_promote = true");
    assert!(source.contains("agents_promote"));
    let charter = synod_core::kernel::Digest::of(source.as_bytes());
    shop.world.submit(Actor::Operator, synod_core::Command::Adopt { source });
    shop.give("user", Work::Configure { charter });
    shop
}

#[test]
fn three_agents_promote_an_agreed_issue_in_its_own_words() {
    let mut shop = agents_may();
    shop.open("ann", "Eyes");
    assert_eq!(shop.promotes("bob", from_issue(&shop, "eyes")), "canon/not-agreed");
    shop.comment("bob", "approve");
    shop.comment("cy", "approve");
    assert_eq!(shop.epistemic(), Epistemic::Agreed);
    assert_eq!(shop.promotes("bob", from_issue(&shop, "eyes")), "canon/too-few-votes");
    let issue = shop.here();
    shop.canon("dee", CanonCommand::Support { holds: true, issue });
    let swapped = PromoteEntry { issue: Some(issue), ..promote("eyes", BLUE) };
    assert_eq!(shop.promotes("bob", swapped), "canon/other-words", "nobody voted for these words");
    assert_eq!(shop.promotes("bob", from_issue(&shop, "eyes")), "canon:eyes@1 promoted; now canon");
    let version = shop.world.house.canon().entry(&EntryName::parse("eyes").unwrap()).unwrap();
    let version = version.latest().unwrap();
    assert_eq!(version.text, "What shall we do about it?");
    assert_eq!(version.votes, ["bob", "cy", "dee"].map(who));
}

#[test]
fn an_issue_is_canon_as_long_as_an_entry_rests_on_it() {
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.open("ann", "Eyes");
    assert_eq!(shop.promotes("user", from_issue(&shop, "eyes")), "canon:eyes@1 promoted; now canon");
    let over = PromoteEntry { over: Some(1), ..promote("eyes", BLUE) };
    assert_eq!(shop.promotes("user", over), "canon:eyes@2 promoted; now draft");
    assert_eq!(shop.epistemic(), Epistemic::Draft);
    let again = PromoteEntry { issue: Some(shop.here()), ..promote("look", "The gate is closed.") };
    assert_eq!(shop.promotes("user", again), "canon:look@1 promoted; now canon");
    // It left memory meanwhile and has to come back.
    shop.step("user closes");
    shop.world.house.archive_idle(0);
    let end = Work::Canon(CanonCommand::End { entry: entry("look"), why: None });
    let command = synod_core::Command::Workshop(end);
    assert_eq!(shop.world.house.away_for(&command), [shop.here()]);
}

#[test]
fn what_the_house_itself_opened_and_what_does_not_exist_is_not_promoted() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "mo=moderator"]);
    shop.open("ann", "Cold");
    shop.comment("bob", &format!("say {BODY} urgent, vital"));
    shop.issue = Some(shop.numbered(2));
    assert_eq!(shop.promotes("user", from_issue(&shop, "eyes")), "workshop/nothing-to-promote");
    let nothing = PromoteEntry { text: None, ..promote("eyes", "") };
    assert_eq!(shop.promotes("user", nothing), "workshop/missing");
    let late = PromoteEntry { until: Some(At(1)), ..promote("eyes", GREEN) };
    assert_eq!(shop.promotes("user", late), "canon/ends-in-the-past");
}

#[test]
fn a_comment_against_canon_stands_and_its_author_and_the_user_are_told() {
    let mut shop = with_eyes(&["ann", "bob"]);
    shop.open("ann", "Look of the heroine");
    let act = shop.comment("bob", &format!("say {BODY} {BLUE}"));
    expect!["posted bob; bob contradicts canon:eyes@1 at 1: mara eye: green / mara eye: blue; told user: canonconflict"]
        .assert_eq(&told(&act));
    let notice = shop.world.house.docket().notices().last().unwrap().clone();
    assert_eq!(notice.what, NoticeKind::CanonConflict);
    let found = shop.world.house.canon().found().next().unwrap().clone();
    assert!(shop.world.house.canon().is_open(&found, START) && found.who == who("bob"));
    let act = shop.open("ann", "Mara's eyes are blue.");
    assert!(told(&act).contains("canon:eyes@1 at 0"), "the title is line 0: {}", told(&act));
    assert!(
        told(&shop.open("ann", "Is it Mara's eyes that are blue?"))
            .ends_with("opened Is it Mara's eyes that are blue?")
    );
}

#[test]
fn a_recorded_conflict_is_decided_by_its_author_the_lead_or_the_user() {
    let mut shop = with_eyes(&["ann", "bob", "lea=lead"]);
    shop.open("ann", "Look");
    shop.comment("bob", &format!("say {BODY} {BLUE}"));
    let conflict = shop.world.house.canon().found().next().map(|found| found.id);
    let decision = |choice, text: Option<&str>, conflict: Option<Id>| {
        let text = text.map(str::to_string);
        CanonCommand::DecideConflict(Box::new(DecideConflict {
            choice,
            conflict,
            entry: entry("eyes@1"),
            text,
        }))
    };
    use ConflictChoice::{Discuss, Keep, Override};
    assert_eq!(shop.canon("ann", decision(Keep, None, conflict)), "canon/not-allowed");
    let unknown = Some("9999".parse().unwrap());
    assert_eq!(shop.canon("lea", decision(Keep, None, unknown)), "canon/unknown-conflict");
    assert_eq!(shop.canon("lea", decision(Override, None, conflict)), "workshop/missing");
    let discussed = shop.canon("bob", decision(Discuss, Some(BLUE), conflict));
    expect!["opened Does canon:eyes@1 still hold?;   #canon; canon:eyes@1: discuss, an issue was opened"]
        .assert_eq(&discussed);
    assert_eq!(shop.canon("lea", decision(Keep, None, conflict)), "canon/unknown-conflict", "once is enough");
    let blind = decide("eyes", Override, BLUE);
    assert_eq!(shop.canon("lea", blind), "canon/version-needed");
    assert_eq!(
        shop.canon("lea", decision(Override, Some(BLUE), None)),
        "canon:eyes@2 promoted; canon:eyes@1: override"
    );
    assert_eq!(shop.canon("lea", decision(Keep, None, None)), "canon/not-the-latest");
    assert_eq!(shop.world.house.canon().decisions().count(), 2);
}

#[test]
fn nobody_pays_for_a_conflict_with_what_does_not_hold_any_more() {
    let mut shop = with_eyes(&["ann", "bob"]);
    shop.open("ann", "Look");
    shop.comment("ann", &format!("say {BODY} {BLUE}"));
    let other = shop.body();
    shop.comment("bob", &format!("say {other} {BLUE}"));
    let ids: Vec<Id> = shop.world.house.canon().found().map(|found| found.id).collect();
    let decide = |choice, conflict: Id, version: &str| {
        let text = Some(BLUE.to_string()).filter(|_| choice == ConflictChoice::Override);
        let entry = entry(version);
        CanonCommand::DecideConflict(Box::new(DecideConflict {
            choice,
            conflict: Some(conflict),
            entry,
            text,
        }))
    };
    // The user takes over what both wrote. Nobody has to decide about the other comment, and nobody can be charged for it.
    shop.canon("user", decide(ConflictChoice::Override, ids[0], "eyes@1"));
    let canon = shop.world.house.canon();
    assert!(canon.found().all(|found| !canon.is_open(found, START)));
    for version in ["eyes@1", "eyes@2"] {
        assert_eq!(
            shop.canon("user", decide(ConflictChoice::Keep, ids[1], version)),
            "canon/unknown-conflict"
        );
    }
    assert_eq!(shop.world.house.ledger().balance(&who("bob")), 0);
}

fn cites(shop: &mut Shop, by: &str, cited: &str, version: Option<u32>, rest: &str) -> String {
    let mut comment = shop.written(rest);
    comment.evidence.push(Reference::Canon(CanonReference { entry: cited.into(), version }));
    told(&shop.post(by, comment))
}

#[test]
fn citations_of_canon_must_exist_and_old_versions_are_reported() {
    let mut shop = with_eyes(&["ann", "bob", "cy", "dee", "eve"]);
    shop.open("ann", "Look");
    let over = PromoteEntry { over: Some(1), ..promote("eyes", BLUE) };
    shop.promotes("user", over);
    let missing = "reject gate/missing-evidence-for-impact";
    assert_eq!(cites(&mut shop, "bob", "nose", None, "ok"), missing);
    assert_eq!(cites(&mut shop, "bob", "eyes", Some(3), "ok"), missing);
    assert_eq!(cites(&mut shop, "cy", "eyes", Some(2), "ok"), "posted cy");
    assert_eq!(cites(&mut shop, "dee", "EYES", None, "ok"), "posted dee");
    assert_eq!(
        cites(&mut shop, "eve", "eyes", Some(1), "ok"),
        "posted eve; eve cites canon:eyes@1, the latest is 2"
    );
    let found =
        shop.world.house.case(shop.here()).unwrap().comments().next_back().unwrap().1.comment.verified;
    assert_eq!(found, 1);
}

#[test]
fn structural_changes_need_more_than_canon_and_canon_changes_need_it_or_an_issue() {
    let mut shop = with_eyes(&["ann", "bob", "cy"]);
    shop.open("ann", "Look");
    let missing = "reject gate/missing-evidence-for-impact";
    assert_eq!(cites(&mut shop, "bob", "eyes", Some(1), "structural"), missing);
    assert_eq!(cites(&mut shop, "bob", "eyes", Some(1), "canon-changing"), missing);
    let both = cites(&mut shop, "bob", "eyes", Some(1), "canon-changing file=a.txt");
    assert!(both.contains("posted bob"), "{both}");
}

#[test]
fn claims_are_proposed_by_anybody_and_decided_by_those_who_lead() {
    let mut shop = with_eyes(&["ann"]);
    let claim = claims("The relay's port is 8080.").remove(0).claim;
    let propose = |model: Option<&str>| CanonCommand::ProposeClaims {
        claims: vec![claim.clone()],
        entry: entry("eyes"),
        model: model.map(str::to_string),
    };
    assert_eq!(shop.canon("ann", propose(Some("gpt"))), "workshop/needs-lead", "nobody speaks for a model");
    assert_eq!(shop.canon("ann", propose(None)), "1 claims proposed for canon:eyes@1");
    assert_eq!(shop.canon("user", propose(Some("gpt"))), "1 claims proposed for canon:eyes@1");
    let id = shop.world.house.canon().proposals().next().unwrap().id;
    let accept = |accepted| CanonCommand::DecideClaims { accepted, proposal: id, why: None };
    assert_eq!(shop.canon("ann", accept(true)), "canon/not-allowed");
    assert_eq!(shop.canon("user", accept(true)), "claims accepted: true");
    assert_eq!(shop.canon("user", accept(false)), "canon/already-decided");
    shop.open("ann", "Family");
    let act = shop.comment("ann", &format!("say {BODY} The relay's port is 9090."));
    assert!(told(&act).contains("canon:eyes@1"), "accepted claims count: {}", told(&act));
}

#[test]
fn the_words_of_a_promoted_issue_go_with_the_issue() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.promotes("user", promote("eyes", GREEN));
    shop.open("ann", "Quokka");
    let text = "The quokka is asleep.";
    let quokka = PromoteEntry { issue: Some(shop.here()), ..promote("quokka", text) };
    shop.promotes("user", quokka);
    shop.comment("bob", &format!("say quokka {BODY} {BLUE}"));
    shop.step("user closes");
    let issue = shop.here();
    shop.world.redact(issue);
    let shown = format!("{:?}", shop.world.house.canon()).to_lowercase();
    assert!(!shown.contains("asleep") && !shown.contains("blue"), "{shown}");
    assert!(shown.contains("green"), "what came from elsewhere stays");
    let again = House::unpack(&shop.world.house.pack()).unwrap();
    assert_eq!(again.canon(), shop.world.house.canon());
    assert_eq!(shop.promotes("user", from_issue(&shop, "other")), "matter/redacted");
}

#[test]
fn blind_comments_show_nothing_of_themselves() {
    let mut shop = with_eyes(&["ann", "crit=critic", "cont=continuity"]);
    shop.open("ann", "Large !structural");
    let act = shop.comment("crit", &format!("approve say {BODY} {BLUE}"));
    assert!(!told(&act).contains("supports"), "{}", told(&act));
    let case = shop.world.house.case(shop.here()).unwrap();
    for event in act.events().iter().filter(|event| matches!(event, Event::Canon(_))) {
        let reader = synod_core::house::Reader::Participant(&who("cont"));
        assert!(!case.may_see(reader, synod_core::house::Item::Event(event)), "{event:?}");
    }
}
