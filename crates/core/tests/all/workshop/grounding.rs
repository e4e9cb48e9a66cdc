//! What is earned and lost for keeping to canon: conflicts that somebody pointed out, false statements, gaps, new canon.

use synod_core::canon::{CanonRef, ConflictChoice};
use synod_core::kernel::{CitationTrigger, Id, Reference};
use synod_core::ledger::{CitationOutcome, CreditReason, TeamReason};
use synod_core::procedure::workshop::{CanonCommand, Command as Work, DecideConflict};
use synod_core::{Act, House};

use super::canon::{from_issue, promote, told, with_eyes};
use super::credits::{citing, credits, desk, outcome};
use super::{BODY, Shop};
use crate::world::who;

const BLUE: &str = "Mara's eyes are blue.";

impl Shop {
    /// The last conflict that was found.
    fn conflict(&self) -> Id {
        self.world.house.canon().found().next_back().expect("a conflict").id
    }

    fn decides(&mut self, by: &str, choice: ConflictChoice, conflict: Id) -> String {
        let entry: CanonRef = "eyes@1".parse().unwrap();
        let text = (choice == ConflictChoice::Override).then(|| BLUE.to_string());
        let decide = DecideConflict { choice, conflict: Some(conflict), entry, text };
        self.canon(by, CanonCommand::DecideConflict(Box::new(decide)))
    }

    /// A comment that cites these, with its body.
    fn points(&mut self, by: &str, cited: &str) -> Act {
        let mut comment = self.written("ok");
        comment.evidence = cited.split_whitespace().map(|one| Reference::parse(one).unwrap()).collect();
        self.post(by, comment)
    }

    fn times(&self, name: &str, reason: CreditReason) -> u32 {
        self.world.house.ledger().total(&who(name)).times(reason)
    }

    fn team(&self, reason: TeamReason) -> usize {
        self.world.house.ledger().team().filter(|posting| posting.reason == reason).count()
    }
}

/// An issue of somebody that contradicts canon in its title.
fn contradicted(by: &str, people: &[&str]) -> (Shop, Id) {
    let mut shop = with_eyes(people);
    shop.open(by, BLUE);
    let conflict = shop.conflict();
    (shop, conflict)
}

use ConflictChoice::{Discuss, Keep, Override};
use CreditReason::{HallucinationDetected, UserConflictPrevented};

#[test]
fn who_first_cites_what_the_user_contradicts_earns_three_and_the_team_two() {
    for by in ["user", "lea"] {
        let (mut shop, conflict) = contradicted(by, &["ann", "bob", "lea=lead"]);
        shop.points("ann", "canon:eyes@1");
        shop.points("bob", "canon:eyes@1");
        assert_eq!(shop.decides("user", Keep, conflict), "canon:eyes@1: keep");
        assert_eq!((credits(&shop, "ann"), credits(&shop, "bob")), (3, 0), "{by}");
        assert_eq!(shop.times("ann", UserConflictPrevented), 1);
        let posting = shop.world.house.ledger().team().next().unwrap().clone();
        let expected = (TeamReason::TeamCanonIntegrity, 2, Some(who("ann")));
        assert_eq!((posting.reason, posting.amount, posting.cause), expected);
        assert_eq!(shop.decides("user", Keep, conflict), "canon/unknown-conflict", "once is enough");
        let again = House::unpack(&shop.world.house.pack()).unwrap();
        assert_eq!(again.ledger(), shop.world.house.ledger());
    }
}

#[test]
fn nothing_is_earned_by_other_choices_other_versions_approval_or_too_late() {
    type Way = fn(&mut Shop, Id);
    let ways: [(&str, Way); 6] = [
        ("overridden", |shop, conflict| {
            shop.points("ann", "canon:eyes@1");
            shop.decides("user", Override, conflict);
        }),
        ("discussed", |shop, conflict| {
            shop.points("ann", "canon:eyes@1");
            shop.decides("user", Discuss, conflict);
        }),
        ("no version", |shop, conflict| {
            shop.points("ann", "canon:eyes");
            shop.decides("user", Keep, conflict);
        }),
        ("approves", |shop, conflict| {
            let mut comment = shop.written("approve");
            comment.evidence = vec![Reference::parse("canon:eyes@1").unwrap()];
            shop.post("ann", comment);
            shop.decides("user", Keep, conflict);
        }),
        ("too late", |shop, conflict| {
            shop.decides("user", Keep, conflict);
            shop.points("ann", "canon:eyes@1");
        }),
        ("contradicts as well", |shop, conflict| {
            let mut comment = shop.written(&format!("say {BODY} {BLUE}"));
            comment.evidence = vec![Reference::parse("canon:eyes@1").unwrap()];
            shop.post("ann", comment);
            shop.decides("user", Keep, conflict);
        }),
    ];
    for (name, way) in ways {
        let (mut shop, conflict) = contradicted("user", &["ann"]);
        way(&mut shop, conflict);
        assert_eq!(shop.times("ann", UserConflictPrevented), 0, "{name}");
        assert_eq!(shop.team(TeamReason::TeamCanonIntegrity), 0, "{name}");
    }
}

#[test]
fn an_agent_that_contradicts_canon_pays_once_canon_is_kept_and_only_the_team_earns() {
    let (mut shop, conflict) = contradicted("bob", &["ann", "bob", "lea=lead"]);
    shop.points("ann", "canon:eyes@1");
    let before = credits(&shop, "ann");
    shop.decides("lea", Keep, conflict);
    assert_eq!((shop.times("bob", HallucinationDetected), credits(&shop, "bob")), (1, -3));
    assert_eq!(credits(&shop, "ann"), before, "among agents only the team gets something");
    assert_eq!(shop.team(TeamReason::TeamCanonIntegrity), 1);
    assert_eq!(
        shop.world.house.ledger().total(&who("bob")).penalised,
        1,
        "it is an action that cost something"
    );
}

#[test]
fn nobody_earns_by_their_own_contradiction() {
    let (mut shop, conflict) = contradicted("bob", &["bob"]);
    shop.points("bob", "canon:eyes@1");
    shop.decides("user", Keep, conflict);
    assert_eq!(shop.times("bob", UserConflictPrevented), 0);
    assert_eq!(shop.team(TeamReason::TeamCanonIntegrity), 0);
}

#[test]
fn who_contradicts_openly_or_asks_to_discuss_it_pays_nothing() {
    let mut shop = with_eyes(&["ann", "bob"]);
    shop.open("ann", "Look");
    let mut comment = shop.written(&format!("say {BODY} {BLUE}"));
    comment.evidence = vec![Reference::parse("canon:eyes@1").unwrap()];
    shop.post("bob", comment);
    let conflict = shop.conflict();
    shop.decides("user", Keep, conflict);
    assert_eq!(shop.times("bob", HallucinationDetected), 0, "it cites what it contradicts");
    let said = format!("say {} {BLUE}", shop.body());
    shop.comment("ann", &said);
    let conflict = shop.conflict();
    assert_eq!(shop.decides("ann", Keep, conflict), "canon/not-allowed", "its text would stand unseen");
    shop.decides("ann", Discuss, conflict);
    assert_eq!(shop.times("ann", HallucinationDetected), 0, "it asked others about it");
    assert_eq!(shop.decides("user", Keep, conflict), "canon/unknown-conflict");
}

#[test]
fn a_comment_against_two_entries_is_one_conflict() {
    let mut shop = with_eyes(&["ann", "bob"]);
    shop.promotes("user", promote("hair", "Mara's hair is black."));
    shop.open("ann", "Look");
    shop.comment("bob", &format!("say {BODY} {BLUE} Mara's hair is red."));
    let conflict = shop.conflict();
    shop.decides("user", Keep, conflict);
    assert_eq!(shop.decides("user", Keep, conflict), "canon/unknown-conflict", "of this entry it is decided");
    let hair = DecideConflict {
        choice: Keep,
        conflict: Some(conflict),
        entry: "hair@1".parse().unwrap(),
        text: None,
    };
    assert_eq!(shop.canon("user", CanonCommand::DecideConflict(Box::new(hair))), "canon:hair@1: keep");
    assert_eq!((shop.times("bob", HallucinationDetected), credits(&shop, "bob")), (1, -3));
}

#[test]
fn a_thread_that_left_memory_comes_back_for_the_decision() {
    let (mut shop, conflict) = contradicted("user", &["ann"]);
    shop.points("ann", "canon:eyes@1");
    shop.step("user closes");
    let issue = shop.here();
    shop.world.house.archive_idle(0);
    let entry: CanonRef = "eyes@1".parse().unwrap();
    let decide = DecideConflict { choice: Keep, conflict: Some(conflict), entry, text: None };
    let command = Work::Canon(CanonCommand::DecideConflict(Box::new(decide)));
    assert_eq!(shop.world.house.away_for(&synod_core::Command::Workshop(command)), [issue]);
}

/// A comment that says canon has nothing on this.
fn searches(shop: &mut Shop, by: &str, trigger: CitationTrigger, subject: &str) -> Act {
    let comment = citing(shop, Some(trigger), &[&format!("canon:?{subject}")]);
    shop.post(by, comment)
}

fn cited_credits(shop: &Shop, name: &str) -> i64 {
    let tally = shop.world.house.ledger().total(&who(name));
    tally.reasons.iter().filter(|(reason, _)| reason.is_of_citations()).map(|(_, (_, credits))| credits).sum()
}

const GAP: CitationTrigger = CitationTrigger::CanonGapSearch;

#[test]
fn a_gap_is_proved_by_the_search_of_the_house_and_comes_to_two() {
    let mut shop = with_eyes(&["ann", "con", "mo=moderator"]);
    shop.open("user", "When is the birthday of Mara?");
    let act = searches(&mut shop, "con", GAP, "mara-birthday");
    assert_eq!(told(&act), "posted con; con searched canon for mara-birthday: 0 found");
    assert_eq!(cited_credits(&shop, "con"), 1, "half of it before anything came of it");
    let comment = outcome(&act).trim_start_matches("posted ").parse().unwrap();
    let (issue, outcome) = (shop.here(), CitationOutcome::IdentifiedCanonGap);
    shop.give("mo", Work::Outcome { comment, issue, outcome });
    assert_eq!(cited_credits(&shop, "con"), 2, "the eighth row of the seed's table");
}

#[test]
fn a_gap_that_is_none_that_nobody_raised_or_that_is_known_earns_nothing() {
    let rows = [
        (GAP, "mara-eyes", "1 found", "canon speaks of it"),
        (GAP, "the-eyes-of-Mara", "1 found", "in whatever words"),
        (GAP, "maras-augen", "1 found", "in German too"),
        (GAP, "birthday-eyes-mara", "1 found", "a word more makes no new topic"),
        (GAP, "zebra-stripes", "0 found", "nobody here spoke of it"),
        (GAP, "of-the", "", "it names nothing"),
        (CitationTrigger::Unprompted, "birthday", "0 found", "for another reason"),
    ];
    for (trigger, subject, found, why) in rows {
        let mut shop = with_eyes(&["ann", "con"]);
        shop.open("user", "When is the birthday of Mara, and what of Maras Augen, her eyes?");
        let act = searches(&mut shop, "con", trigger, subject);
        assert!(told(&act).starts_with("posted con") && told(&act).ends_with(found), "{}", told(&act));
        assert_eq!(cited_credits(&shop, "con"), 0, "{why}");
    }
    let mut shop = with_eyes(&["ann", "con"]);
    shop.open("con", "When is the birthday of Mara?");
    searches(&mut shop, "con", GAP, "birthday");
    assert_eq!(cited_credits(&shop, "con"), 0, "its own words raise nothing");
    searches(&mut shop, "ann", GAP, "birthdays");
    assert_eq!(cited_credits(&shop, "ann"), 0, "the thread names it already");
    for issue in ["Is a birthday known?", "Which birthdays?"] {
        shop.open("user", issue);
        searches(&mut shop, "ann", GAP, "birthday");
        assert_eq!(cited_credits(&shop, "ann"), 1, "it is known again in every issue");
    }
}

#[test]
fn the_subject_of_a_search_goes_with_the_words_of_its_issue() {
    let mut shop = with_eyes(&["con"]);
    shop.open("user", "What of the quokka?");
    searches(&mut shop, "con", GAP, "quokka");
    let issue = shop.here();
    shop.step("user closes");
    shop.world.redact(issue);
    let left = format!("{:?}", shop.world.house.case(issue)).to_lowercase();
    assert!(!left.contains("quokka"), "{left}");
}

const SCENE: &str = "Day 47: the flotilla arrives.\nDay 52: the reactor fails before midnight.\n";

#[test]
fn an_issue_that_becomes_canon_raises_what_others_cited_in_it() {
    let why = Some(CitationTrigger::SupportProposal);
    let mut shop = desk("workshop", &["ann", "con", "lea=lead"], &[("scene.txt", SCENE)]);
    shop.open("user", "The reactor fails on day 52 !minor");
    let comment = citing(&shop, why, &["scene.txt:2 \"the reactor fails before midnight\""]);
    shop.post("con", comment);
    assert_eq!(cited_credits(&shop, "con"), 1);
    shop.promotes("lea", from_issue(&shop, "reactor"));
    assert_eq!(cited_credits(&shop, "con"), 3, "1.5 x 1 x 2");
    shop.promotes("user", super::canon::promote("flotilla", "The flotilla arrives on day 47."));
    assert_eq!(cited_credits(&shop, "con"), 3, "what comes from no issue raises nothing");
}
