//! The three shipped charters, and how a user's own overrides them.

use synod_core::charter::{Charter, parent};
use synod_core::kernel::{Actor, Digest, Impact, SettingValue};
use synod_core::procedure::workshop::{Command as Work, OpenIssue};
use synod_core::{Command, Outcome};

use super::Shop;
use crate::world::{source, who};

#[test]
fn the_presets_have_the_numbers_of_the_specification() {
    let numbers = |name: &str| {
        let (charter, warnings) = Charter::parse(&source(name)).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        let rules = charter.workshop().unwrap().clone();
        (
            [rules.comments_each.is, rules.comments_total.is, rules.chars_least.is, rules.keywords_most.is],
            [rules.words_least.is, rules.exchanges_most.is, rules.resolution_from.is, rules.cooldown_ms.is],
            rules.evidence_from,
        )
    };
    let same = [20, 2, 3, 1_800_000];
    assert_eq!(numbers("workshop"), ([2, 10, 150, 1], same, Impact::Structural));
    assert_eq!(numbers("workshop-light"), ([4, 20, 50, 3], same, Impact::CanonChanging));
    assert_eq!(numbers("workshop-strict"), ([1, 6, 250, 0], same, Impact::Minor));
}

#[test]
fn left_out_numbers_are_those_of_the_standard() {
    let bare = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"Mine.\"\n[workshop]\n";
    let (mine, warnings) = Charter::parse(bare).unwrap();
    assert!(warnings.is_empty());
    let (standard, _) = Charter::parse(&source("workshop")).unwrap();
    let (mine, standard) = (mine.workshop().unwrap(), standard.workshop().unwrap());
    assert_eq!((mine.breakers, &mine.keywords), (true, &standard.keywords));
    assert_eq!((mine.evidence_from, mine.dissent_from), (standard.evidence_from, standard.dissent_from));
    assert_eq!(mine.topic_applied, standard.topic_applied);
    let numbers = |rules: &synod_core::charter::Workshop| {
        [
            rules.comments_each.is,
            rules.comments_total.is,
            rules.chars_least.is,
            rules.chars_most.is,
            rules.words_least.is,
            rules.short_chars_least.is,
            rules.short_words_least.is,
            rules.short_each.is,
            rules.keywords_most.is,
            rules.exchanges_most.is,
            rules.resolution_from.is,
            rules.cooldown_ms.is,
            rules.evidence_rejections.is,
            rules.dampen_after.is,
            rules.dampen_ms.is,
            rules.freezes_most.is,
            rules.advocate_comments.is,
            rules.advocate_ms.is,
            rules.advocate_window_ms.is,
            rules.approvals_least.is,
            rules.approvals_within.is,
            rules.references_least.is,
            rules.consensus_least.is,
            rules.blind_ms.is,
            rules.topic_issues.is,
            rules.topic_accesses.is,
            rules.fade_ms.is,
        ]
    };
    assert_eq!(numbers(mine), numbers(standard));
}

#[test]
fn a_charter_of_ones_own_overrides_what_it_names() {
    let own = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"Mine.\"\nextends = \"workshop\"\n\
               [workshop]\ncomments_each = 5\nkeywords = [\"ASAP\"]\n";
    let read = Charter::read(own, &parent).unwrap();
    let rules = read.charter.workshop().unwrap();
    assert_eq!((rules.comments_each.is, rules.comments_total.is), (5, 10));
    assert_eq!(rules.keywords, ["ASAP"]);
}

#[test]
fn every_flaw_is_listed_with_its_line() {
    let flawed = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"Mine.\"\n[workshop]\ncomments_each = 0\n\
                  evidence_from = \"huge\"\nkeywords = [\"...\"]\ncoments_total = 3\ntopic_applied = \"3/2\"\n\
                  chars_least = { is = 5, from = 0, to = 10 }\n[ballot]\npass = \"> 1/2\"\n";
    let flaws = Charter::parse(flawed).unwrap_err();
    let lines: Vec<(usize, &str)> = flaws.iter().map(|flaw| (flaw.line, flaw.key.as_str())).collect();
    assert_eq!(
        lines,
        [
            (5, "workshop.comments_each"),
            (6, "workshop.evidence_from"),
            (7, "workshop.keywords"),
            (8, "workshop.coments_total"),
            (9, "workshop.topic_applied"),
            (10, "workshop.chars_least"),
            (11, "ballot"),
        ]
    );
}

#[test]
fn only_those_who_lead_choose_other_rules_for_an_issue() {
    let mut shop = Shop::new("workshop", &["ann", "mo=moderator", "le=lead"]);
    let light = source("workshop-light");
    shop.world.submit(Actor::Operator, Command::Adopt { source: light.clone() });
    let ring = source("ring-default");
    shop.world.submit(Actor::Operator, Command::Adopt { source: ring.clone() });
    let code = |shop: &mut Shop, by: &str, open: OpenIssue| {
        let act = shop.give(by, Work::Open(Box::new(open)));
        match &act.outcome {
            Outcome::Refused { code, .. } => code.clone(),
            Outcome::Done(_) => String::new(),
        }
    };
    let with =
        |source: &str| OpenIssue { charter: Some(Digest::of(source.as_bytes())), ..OpenIssue::new("T", "b") };
    for by in ["ann", "mo"] {
        assert_eq!(code(&mut shop, by, with(&light)), "workshop/needs-lead");
    }
    for by in ["user", "le"] {
        assert_eq!(code(&mut shop, by, with(&light)), "");
    }
    assert_eq!(code(&mut shop, "user", with(&ring)), "workshop/other-charter");
    assert_eq!(code(&mut shop, "user", with("nothing")), "charter/unknown");
    let moved = |name: &str, to: u64| {
        let mut open = OpenIssue::new("T", "b");
        open.moved.insert(name.into(), SettingValue::Number(to));
        open
    };
    assert_eq!(code(&mut shop, "ann", moved("workshop.comments_each", 9)), "workshop/needs-lead");
    assert_eq!(code(&mut shop, "user", moved("workshop.comments_each", 9)), "");
    assert_eq!(code(&mut shop, "user", moved("workshop.comments_each", 900)), "charter/setting-outside");
    assert_eq!(code(&mut shop, "user", moved("workshop.nothing", 9)), "charter/unknown-setting");
    let case = shop.world.house.cases().last().unwrap();
    assert_eq!(case.workshop().unwrap().0.comments_each.is, 9);
    let act = shop.world.submit(
        Actor::Seat(who("le")),
        Command::Workshop(Work::Configure { charter: Digest::of(light.as_bytes()) }),
    );
    assert!(
        format!("{:?}", act.outcome).contains("house/not-allowed"),
        "the house's rules are the operator's"
    );
}

#[test]
fn a_workshop_without_breakers_stores_everything_but_what_is_too_long() {
    let own = source("workshop").replace("breakers = true", "breakers = false");
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.world.submit(Actor::Operator, Command::Adopt { source: own.clone() });
    let charter = Digest::of(own.as_bytes());
    shop.give("user", Work::Configure { charter });
    shop.open("user", "Loose");
    for _ in 0..12 {
        shop.comment("ann", "say urgent, vital, yes");
    }
    assert_eq!(shop.world.house.case(shop.here()).unwrap().said.len(), 12);
}
