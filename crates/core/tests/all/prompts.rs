//! What a seat is told besides the wording of charters: what is meant for it, what is older, who sits there.

use synod_core::brief::{Form, VoteForm};
use synod_core::house::BriefCache;
use synod_core::kernel::{Actor, SeatKind};
use synod_core::meter::Limits;
use synod_core::view::Report;
use synod_core::{Command, charter};

use crate::briefs::told;
use crate::world::{World, seat, source, who};

fn say(world: &mut World, name: &str, stance: &str, position: &str, reasoning: &str) {
    let said = serde_json::json!({ "stance": stance, "position": position, "reasoning": reasoning, "confidence": 0.8 });
    world.answer(name, &said.to_string());
}

fn rounds(world: &mut World, charter: &str, seats: &[&str], budget: u64) {
    world.open_with(&source(charter), "Shall we cache?", &[], seats, |open| {
        open.moved.insert("watch.early".into(), 0.into());
        open.moved.insert("turn.history_chars".into(), budget.into());
        open.moved.insert("discussion.rounds".into(), 3.into());
    });
}

#[test]
fn the_question_is_not_quoted_and_what_others_say_is() {
    let mut world = World::new();
    world.open(&source("blind-vote"), "Shall we\ncache?", &[], &["ann", "bob"], Limits::default());
    let brief = told(&world, "ann");
    assert!(brief.contains("# Question\n\nShall we\ncache?\n"), "{brief}");
    assert!(brief.contains("Members: ann, bob.\n") && brief.contains("at most 200 words"), "{brief}");
    assert!(!brief.contains("script:"), "models are nobody's business: {brief}");
}

#[test]
fn a_german_question_is_answered_in_german() {
    let mut world = World::new();
    world.open(
        &source("blind-vote"),
        "Sollen wir die Suche zwischenspeichern?",
        &[],
        &["ann"],
        Limits::default(),
    );
    assert!(told(&world, "ann").contains("Write in German; keep keys and words in capitals as they are."));
}

#[test]
fn pseudonyms_are_listed_by_number_and_nothing_else() {
    let mut world = World::new();
    world.open(&source("delphi"), "Shall we cache?", &[], &["zoe", "yan", "xi"], Limits::default());
    let brief = told(&world, "zoe");
    assert!(brief.contains("Members: Participant 1, Participant 2, Participant 3.\n"), "{brief}");
}

#[test]
fn the_last_round_is_told_in_full_and_older_ones_as_a_digest() {
    let mut world = World::new();
    rounds(&mut world, "collaborative", &["ann", "bob"], 24_000);
    let long = "Because of the load. ".repeat(60);
    say(&mut world, "ann", "YES", "the first claim", &format!("{long} The very last sentence."));
    say(&mut world, "bob", "NO", "the first doubt", &long);
    let second = told(&world, "ann");
    assert!(
        second.contains("Complete, oldest first.") && second.contains("The very last sentence."),
        "{second}"
    );
    say(&mut world, "ann", "YES", "the second claim", "Short.");
    say(&mut world, "bob", "NO", "the second doubt", &format!("{long} The second last sentence."));
    let third = told(&world, "ann");
    assert!(third.contains("The last round is complete. Earlier rounds are a digest."), "{third}");
    assert!(third.contains("The second last sentence.") && third.contains("the first claim"), "{third}");
    assert!(third.len() < second.len() + 2_000, "older rounds are told shorter");
}

#[test]
fn what_is_addressed_to_a_seat_is_never_dropped() {
    let names: Vec<String> = (0..30).map(|nth| format!("seat{nth:02}")).collect();
    let seats: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut world = World::new();
    rounds(&mut world, "collaborative", &seats, 1_000);
    for (nth, name) in seats.iter().enumerate() {
        let long = "More could be said about the load of it. ".repeat(20);
        let asked = if nth == 7 { " Seat03, what happens when the disk is full?" } else { "" };
        say(
            &mut world,
            name,
            if nth % 2 == 0 { "YES" } else { "NO" },
            &format!("claim {nth}"),
            &(long + asked),
        );
    }
    let brief = world.house.brief(world.ask_of("seat03").unwrap(), &mut BriefCache::default()).unwrap();
    assert!(brief.shared.text().contains("A digest, with as many points"), "{}", brief.shared.text());
    assert!(!brief.shared.text().contains("disk is full"), "the budget has no room for it");
    assert!(brief.own.contains("| seat07: Seat03, what happens when the disk is full?"), "{}", brief.own);
    let other = world.house.brief(world.ask_of("seat04").unwrap(), &mut BriefCache::default()).unwrap();
    assert!(!other.own.contains("disk is full"), "it is put to nobody else");
}

#[test]
fn a_digest_fills_its_budget_and_keeps_the_sections_of_the_mode() {
    let names: Vec<String> = (0..30).map(|nth| format!("seat{nth:02}")).collect();
    let seats: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut world = World::new();
    rounds(&mut world, "collaborative", &seats, 8_000);
    for (nth, name) in seats.iter().enumerate() {
        let reasons: String = (0..25).map(|i| format!("Reason {i} of {name} is about the load. ")).collect();
        let said = serde_json::json!({
            "stance": if nth < 2 { "NO" } else { "YES" }, "position": format!("claim of {name}"), "reasoning": reasons,
            "open_questions": format!("who checks {name}?"), "confidence": 0.8,
        });
        world.answer(name, &said.to_string());
    }
    let brief = world.house.brief(world.ask_of("seat03").unwrap(), &mut BriefCache::default()).unwrap();
    let shared = brief.shared.text();
    assert!((2_600..=3_400).contains(&shared.len()), "{} of 3200: {shared}", shared.len());
    assert!(shared.contains("open questions: who checks"), "{shared}");
}

#[test]
fn the_crux_is_reasons_and_conditions_and_an_offer_is_put_to_whom_it_meets() {
    let mut world = World::new();
    world.open(&source("blind-vote"), "Shall we cache?", &[], &["ann", "bob"], Limits::default());
    let offer = "Ship it behind a kill switch that operations can flip at once.";
    let cond = "There is a kill switch that operations can flip.";
    let drafts = [
        ("ann", "YES", offer, "Latency is what users feel.", "Stale prices reach users."),
        ("bob", "NO", "Stale results hurt.", "Wrong prices cost money.", cond),
    ];
    for (name, stance, position, reasoning, change_if) in drafts {
        let said = serde_json::json!({
            "stance": stance, "position": position, "reasoning": reasoning, "change_if": change_if, "confidence": 0.8,
        });
        world.answer(name, &said.to_string());
    }
    let brief = world.house.brief(world.ask_of("bob").unwrap(), &mut BriefCache::default()).unwrap();
    for told in [
        "YES, because:\n| - Latency is what users feel.",
        "| - Wrong prices cost money.",
        "It would change if:\n",
    ] {
        assert!(brief.own.contains(told), "{told}: {}", brief.own);
    }
    assert!(!brief.own.contains("seats)"), "no head counts: {}", brief.own);
    let put = format!(
        "You said you would vote otherwise if:\n| {cond}\nann says:\n| {offer}\nDoes that meet your condition?"
    );
    assert!(brief.own.contains(&put), "{}", brief.own);
}

#[test]
fn keys_stand_in_the_order_in_which_one_should_think_and_null_leaves_out() {
    let asked = VoteForm { argued: true, delegation: true, ..VoteForm::default() };
    let form = Form::vote(0, asked);
    let keys: Vec<&str> = form.fields.iter().map(|field| field.key.as_str()).collect();
    assert_eq!(keys, ["reason", "change_if", "conditions", "new_argument", "delegate", "vote", "confidence"]);
    assert!(form.schema().contains(r#""new_argument":{"type":["string","null"]}"#), "{}", form.schema());
    let read = form
        .read(r#"{"reason":"r","change_if":null,"new_argument":null,"vote":"YES","confidence":null}"#, &[]);
    assert_eq!(read.repairs, [], "null is not a mistake");
    assert!(read.fields.keys().eq(["reason", "vote"]), "{:?}", read.fields);
    let read = form.read(r#"{"reason":"r","change_if":"c","new_argument":"None","vote":"YES"}"#, &[]);
    assert!(!read.fields.contains_key("new_argument"), "{:?}", read.fields);
}

#[test]
fn requirements_are_asked_for_recorded_and_shown_where_they_are_not_met() {
    let mut world = World::new();
    world.open_with(&source("blind-vote"), "Shall we cache?", &[], &["ann", "bob"], |open| {
        open.question =
            open.question.clone().requiring(&["no downtime".into(), "under 100 $".into()]).unwrap();
    });
    let brief = told(&world, "ann");
    assert!(brief.contains("Any answer must keep to this:\n1. no downtime\n2. under 100 $\n"), "{brief}");
    for (name, second) in [("ann", "yes: 40 $"), ("bob", "No: it is 300 $")] {
        let said = serde_json::json!({
            "position": "p", "stance": "YES", "confidence": 0.9, "requirements": ["unclear: nobody measured", second],
        });
        world.answer(name, &said.to_string());
    }
    for name in ["ann", "bob"] {
        world.answer(name, r#"{"reason":"r","vote":"YES","confidence":0.9}"#);
    }
    let report = Report::of(world.house.case(world.matter()).unwrap());
    let rows: Vec<_> =
        report.requirements.iter().map(|row| (row.met.len(), row.unmet.len(), row.unclear.len())).collect();
    assert_eq!(rows, [(0, 0, 2), (1, 1, 0)]);
    assert!(report.headline.contains("requirement not met, says bob: under 100 $"), "{}", report.headline);
}

#[test]
fn those_asked_first_are_of_different_models() {
    let mut world = World::new();
    let source = source("blind-vote");
    world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
    let names = ["ann", "bob", "cy", "dee", "eli"];
    for (name, model) in names.iter().zip(["m", "m", "m", "n", "o"]) {
        let seat =
            synod_core::kernel::Seat { kind: SeatKind::Model, model: Some(model.into()), ..seat(name) };
        world.submit(Actor::Operator, Command::Enrol { seat });
    }
    let question = synod_core::matter::Question::parse("cache", &[]).unwrap();
    let digest = synod_core::kernel::Digest::of(source.as_bytes());
    let open = synod_core::command::Open::new(question, digest, names.iter().map(|name| who(name)).collect());
    world.submit(Actor::Operator, Command::Open(Box::new(open)));
    let asked: Vec<String> = world.house.open_asks().map(|(_, ask)| ask.who().unwrap().to_string()).collect();
    assert_eq!(asked, ["ann", "dee", "eli"]);
    // The three that share a model are given different points of view, and the others none.
    let view = |world: &World, name: &str| {
        told(world, name).split("Your point of view: ").nth(1).map(str::to_string)
    };
    assert!(view(&world, "ann").is_some() && view(&world, "dee").is_none());
}

#[test]
fn every_mode_lets_seats_ask_for_what_they_lack() {
    for shipped in charter::councils() {
        let mut world = World::new();
        world.open_with(shipped.source, "Shall we cache?", &[], &["ann", "bob", "cy"], |_| ());
        // A motion is debated only once it was seconded.
        if let Some(seat) = charter::Charter::parse(shipped.source).unwrap().0.parliament().and(Some("ann")) {
            world.step(&format!("{seat}: YES"));
        }
        let brief = told(&world, "ann");
        // Answers are proposed once: no round follows in which a reply could be used.
        if shipped.name == "open" {
            assert!(!brief.contains("- context_requests ("), "{brief}");
            continue;
        }
        assert!(brief.contains("- context_requests ("), "{}: {brief}", shipped.name);
    }
}

#[test]
fn names_of_models_are_hidden_where_names_are() {
    let mut world = World::new();
    world.open(&source("delphi"), "Shall we cache?", &[], &["zoe", "yan"], Limits::default());
    say(&mut world, "zoe", "YES", "As ChatGPT I say so.", "I was trained by OpenAI, like Claude Monet.");
    say(&mut world, "yan", "NO", "no", "no");
    let brief = told(&world, "yan");
    assert!(brief.contains("| As [model] I say so."), "{brief}");
    assert!(brief.contains("| I was trained by [vendor], like Claude Monet."), "{brief}");
}
