//! What is recorded of issues: judged again it comes out the same, matters leave memory and come back, words go.

use synod_core::house::Summary;
use synod_core::kernel::{MatterId, REDACTED, Words as _};
use synod_core::matter::Status;
use synod_core::redact::Redaction;
use synod_core::{Act, House};

use super::{BODY, Shop, played};

/// A house in which everything happens that can.
pub(crate) fn eventful() -> Shop {
    let script = format!(
        "workshop ann bob cy* dee* crit=critic cont=continuity mo=moderator as=assistant
         user begins Chapter 1
         ann opens First #a #b @bob
         ann: ok
         bob: approve #1
         bob: say no
         user opens Large !structural ~1
         crit: ok
         ann: approve
         bob: approve
         cont: object
         cy: object
         wait 24h
         dee: ok
         dee: ok
         ann opens Cold #a
         bob: say {BODY} urgent, vital
         wait 30m
         bob: say {BODY} urgent, vital
         mo unfreezes Please cite the scene.
         ann: structural file=a.txt escalated
         mo challenges
         mo escalates Look at this.
         mo forces Keep it because it is cited
         mo marks applied
         mo reopens
         as ranks high
         mo relates 1
         mo unrelates 1
         mo tags c
         mo untags c
         mo closes
         on 1
         mo freezes-tag b enough
         mo thaws-tag b
         mo frees bob limited
         user opens Twin
         user opens Other
         mo consolidates 7 8
         on 1
         user: resolved
         user ends Chapter 1"
    );
    played(&script).0
}

fn rebuilt(house: &House, acts: &[Act], matter: MatterId) -> std::sync::Arc<synod_core::house::Case> {
    let own = house.acts_of(matter);
    house.rebuild(matter, own.iter().map(|seq| &acts[seq.0 as usize - 1])).expect("the acts hold its opening")
}

#[test]
fn everything_is_judged_again_to_the_same() {
    let shop = eventful();
    let mut house = House::default();
    for act in &shop.world.acts {
        let (again, after) = house.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
        assert_eq!(again, *act, "act {}", act.seq);
        assert!(again.agrees_with(act));
        house = after;
    }
    assert!(house == shop.world.house);
}

#[test]
fn acts_survive_json() {
    for act in &eventful().world.acts {
        let text = serde_json::to_string(act).unwrap();
        let again: Act = serde_json::from_str(&text).unwrap_or_else(|wrong| panic!("{wrong}: {text}"));
        assert_eq!(again, *act);
    }
}

#[test]
fn issues_that_are_over_leave_memory_and_come_back() {
    let shop = eventful();
    let (house, acts) = (&shop.world.house, &shop.world.acts);
    let mut parts = House::default();
    let mut away = 0;
    for act in acts {
        for matter in parts.away_for(&act.command) {
            let case = rebuilt(&parts, acts, matter);
            parts.restore(case);
        }
        let (again, after) = parts.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
        assert_eq!(again, *act, "act {} comes out otherwise in parts", act.seq);
        parts = after;
        parts.archive_idle(0);
        away = away.max(parts.matters() - parts.cases().count());
        let packed = House::unpack(&parts.pack()).expect("what was packed can be unpacked");
        assert_eq!(packed.docket(), parts.docket());
        assert_eq!(packed.dissent(), parts.dissent());
        assert_eq!(packed.periods(), parts.periods());
    }
    assert!(away >= 5, "only {away} were away");
    let all: Vec<MatterId> = parts.summaries().map(|summary| summary.id).collect();
    for matter in all.into_iter().filter(|matter| parts.is_away(*matter)).collect::<Vec<_>>() {
        let case = rebuilt(&parts, acts, matter);
        assert_eq!(Summary::of(&case), *parts.summary(matter).unwrap());
        parts.restore(case);
    }
    assert!(parts == *house, "a house in parts is the house");
}

#[test]
fn a_frozen_again_issue_finds_its_meta_issue_although_that_left_memory() {
    let (mut shop, _) = played(&format!(
        "workshop ann bob mo=moderator
         user opens Cold
         ann: say {BODY} urgent, vital
         mo unfreezes Cite it."
    ));
    let meta = shop.numbered(2);
    assert!(matches!(shop.world.house.case(meta).unwrap().status(), Status::Settled(_)));
    shop.world.house.archive_idle(0);
    assert!(shop.world.house.is_away(meta));
    let comment = shop.written(&format!("say {BODY} urgent, vital"));
    let command =
        synod_core::Command::Workshop(synod_core::procedure::workshop::Command::Comment(Box::new(comment)));
    assert_eq!(shop.world.house.away_for(&command), [meta]);
}

/// The acts without the words of a matter.
fn redacted(acts: &[Act], matter: MatterId) -> Vec<Act> {
    let mut redaction = Redaction::of(matter);
    acts.iter().map(|act| redaction.next(act).unwrap_or_else(|| act.clone())).collect()
}

#[test]
fn no_word_of_a_redacted_issue_is_left_anywhere() {
    let mut shop = Shop::new("workshop", &["ann", "bob", "cy*", "mo=moderator"]);
    shop.open("ann", "Quokka title #a !structural");
    let issue = shop.here();
    shop.comment("ann", &format!("approve say quokka {BODY}"));
    shop.comment("bob", &format!("approve file=quokka.txt say quokka {BODY}"));
    shop.comment("bob", "say quokka");
    shop.comment("bob", &format!("say quokka {BODY} urgent, vital"));
    shop.step("mo unfreezes quokka");
    shop.step("mo escalates quokka");
    shop.step("mo forces quokka because quokka");
    let before = serde_json::to_string(&shop.world.acts).unwrap().to_lowercase();
    assert!(before.matches("quokka").count() > 10);
    let acts = redacted(&shop.world.acts, issue);
    let after = serde_json::to_string(&acts).unwrap().to_lowercase();
    assert!(!after.contains("quokka"), "{}", &after[after.find("quokka").unwrap_or(0)..]);
    assert!(after.contains(REDACTED));
    let mut house = House::default();
    acts.iter().for_each(|act| house.evolve(act));
    let act = shop.world.redact(issue).clone();
    house.evolve(&act);
    assert!(house == shop.world.house, "folded from redacted acts it is the same");
    assert!(!format!("{house:?}").to_lowercase().contains("quokka"));
    let act = shop.step("mo reopens").unwrap();
    assert!(format!("{:?}", act.outcome).contains("matter/redacted"));
}

#[test]
fn events_without_words_have_none() {
    for act in eventful().world.acts {
        for mut event in act.events().iter().cloned() {
            if let synod_core::Event::Dissent(_) | synod_core::Event::Period(_) = event {
                assert!(!event.has_words());
            }
        }
    }
}
