//! The words of a matter go, everything else stays.

use expect_test::expect;
use synod_core::kernel::{Actor, Attempt, Call, Cause, MatterId, REDACTED, Seat, Seq};
use synod_core::matter::Status;
use synod_core::meter::Limits;
use synod_core::procedure::council;
use synod_core::redact::Redaction;
use synod_core::view::{Report, receipt};
use synod_core::{Act, Command, House, Outcome};

use crate::random::{Dice, play, step};
use crate::world::{World, check, seat, source, who};

/// The acts as they are once a matter is redacted; those without a part in it as they were.
fn redacted(acts: &[Act], matter: MatterId) -> Vec<Act> {
    let mut redaction = Redaction::of(matter);
    acts.iter().map(|act| redaction.next(act).unwrap_or_else(|| act.clone())).collect()
}

fn folded(acts: &[Act]) -> House {
    let mut house = House::default();
    acts.iter().for_each(|act| house.evolve(act));
    house
}

#[test]
fn a_matter_is_redacted_once_and_only_when_it_is_over() {
    check(
        "blind-vote cache ann bob
         ---
         redact
         pause
         redact
         stop
         redact
         redact
         ann: YES
         redact",
        expect![[r#"
            > redact
            refused matter/wrong-status: matter m5 is running: `stop` it before you delete it
            > pause
            paused Operator
            > redact
            refused matter/wrong-status: matter m5 is paused: `stop` it before you delete it
            > stop
            lapsed: matter/stopped (the matter was stopped before an answer came)
            lapsed: matter/stopped (the matter was stopped before an answer came)
            settled Undecided(Stopped)
            > redact
            redacted
            > redact
            refused matter/nothing-to-redact: the acts named hold no words of matter m5 that could be deleted
            > ann: YES
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            > redact
            refused matter/nothing-to-redact: the acts named hold no words of matter m5 that could be deleted
        "#]],
    );
}

#[test]
fn only_the_operator_redacts_and_only_acts_of_the_past() {
    let mut world = World::new();
    world.open(&source("blind-vote"), "cache", &[], &["ann"], Limits::default());
    let matter = world.matter();
    world.submit(Actor::Operator, Command::Stop { matter });
    let digest = synod_core::kernel::Digest::of(b"any");
    let mut code = |by, acts: &[u64]| {
        let acts = acts.iter().map(|seq| (Seq(*seq), digest)).collect();
        match &world.submit(by, Command::Redact { matter, acts }).outcome {
            Outcome::Done(_) => "done".to_string(),
            Outcome::Refused { code, .. } => code.clone(),
        }
    };
    let opened = matter.0.act.0;
    assert_eq!(code(Actor::Engine, &[opened]), "house/not-allowed");
    assert_eq!(code(Actor::Seat(who("ann")), &[opened]), "house/not-allowed");
    assert_eq!(code(Actor::Operator, &[]), "matter/nothing-to-redact");
    assert_eq!(code(Actor::Operator, &[opened, 999]), "matter/nothing-to-redact");
    assert_eq!(code(Actor::Operator, &[opened - 1]), "matter/nothing-to-redact");
    assert_eq!(code(Actor::Operator, &[opened, opened + 1]), "done");
}

/// Everything a person or a mind can write, with a word in it that can be found again.
fn told() -> World {
    let mut world = World::new();
    for name in ["ann", "bob", "cy"] {
        let seat = Seat { persona: Some("secret persona".into()), ..seat(name) };
        world.submit(Actor::Operator, Command::Enrol { seat });
    }
    let source = source("blind-vote");
    world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
    let options = ["secret one".into(), "secret two".into()];
    let question = synod_core::matter::Question::parse("A secret question?", &options).unwrap();
    let digest = synod_core::kernel::Digest::of(source.as_bytes());
    let open = synod_core::command::Open::new(question, digest, ["ann", "bob", "cy"].map(who).to_vec());
    world.submit(Actor::Operator, Command::Open(Box::new(open)));
    let retry = Attempt { cause: Cause::passing("backend/http-500", "echo: secret"), waited_ms: 5 };
    let call = Box::new(Call { retries: vec![retry], ..Call::default() });
    let late = world.ask_of("ann").unwrap();
    let answers = [
        (
            "ann",
            r#"{"stance":"A","position":"secret","reasoning":"secret","key_points":["secret"],"strongest_objection":"secret","change_if":"secret","confidence":"secret"}"#,
        ),
        ("bob", "```json\n{'stance': 'secret', 'position': 'secret', 'confidence': 7000, }\n```"),
    ];
    for (name, text) in answers {
        let ask = world.ask_of(name).unwrap();
        world.submit(
            Actor::Seat(who(name)),
            Command::Answer { ask, salt: None, text: text.into(), call: call.clone() },
        );
    }
    let ask = world.ask_of("cy").unwrap();
    let cause = Cause::lasting("backend/http-400", "bad request: secret");
    world.submit(Actor::Engine, Command::Fail { ask, cause, call: call.clone() });
    world.answer("bob", "secretly, I cannot say");
    world.answer("bob", r#"{"vote":"secret two","reason":"secret"}"#);
    while world.house.cases().any(|case| case.status() == Status::Running) {
        world.now = world.now.plus(10_000_000);
        world.submit(Actor::Engine, Command::Tick);
    }
    let text = "secret, and late".into();
    world.submit(Actor::Seat(who("ann")), Command::Answer { ask: late, salt: None, text, call });
    world
}

/// The same for what the operator and clerks can write.
fn steered() -> World {
    let mut world = World::new();
    let material = || synod_core::context::Material { name: "secret.md".into(), text: "secret text".into() };
    let field = synod_core::kernel::Perspective { name: "secret field".into(), view: "secret view".into() };
    world.open_with(&source("collaborative"), "A secret question", &[], &["ann", "bob"], |open| {
        open.judges = vec![who("jo")];
        open.scribe = Some(who("sc"));
        open.context = vec![material()];
        open.focus = Some("secret focus".into());
        open.perspectives = synod_core::command::Perspectives::Given(vec![field]);
        open.stepwise = true;
        open.moved.extend([("watch.early".into(), 0.into()), ("turn.history_chars".into(), 1000.into())]);
    });
    let matter = world.matter();
    let long = "secret ".repeat(100);
    let say = |stance: &str| {
        serde_json::json!({
            "stance": stance, "position": "secret", "reasoning": long, "key_points": ["a secret point of weight"],
            "citations": [{ "url": "https://secret.example", "title": "secret", "quote": "secret" }],
            "context_requests": [
                { "query": "secret?", "reason": "secret", "priority": "required" },
                { "query": "secret?", "reason": "secret", "priority": "secret" },
            ],
        })
        .to_string()
    };
    world.answer("ann", &say("YES"));
    world.answer("bob", &say("NO"));
    world.answer(
        "jo",
        r#"{"agreement":0.1,"summary":"secret","disagreements":["secret"],"clusters":["secret"]}"#,
    );
    world.answer("sc", r#"{"points_yes":["secret"],"points_no":["secret"]}"#);
    let requests: Vec<_> = world.house.case(matter).unwrap().dossier.requests.keys().copied().collect();
    for request in requests {
        let text = "secret answer".to_string();
        world.submit(Actor::Operator, Command::Council(council::Command::Supply { matter, request, text }));
    }
    world.step("resume");
    let (focus, context) = (Some("secret again".to_string()), vec![material()]);
    world.submit(
        Actor::Operator,
        Command::Council(council::Command::Continue { matter, focus, context, to_end: false }),
    );
    loop {
        let Some(ask) = world.house.open_asks().next().map(|(_, ask)| ask.clone()) else { break };
        let who = ask.who().unwrap().to_string();
        let vote = r#"{"vote":"YES","reason":"secret","change_if":"secret","new_argument":"secret","summary":"secret"}"#;
        let text =
            if matches!(ask.task(), Some(synod_core::Task::Speak { .. })) { say("YES") } else { vote.into() };
        world.answer(&who, &text);
    }
    world.step("synthesize ann");
    world.answer(
        "ann",
        r#"{"summary":"secret","recommendation":"secret","agreed":["secret"],"next_steps":["secret"]}"#,
    );
    assert!(matches!(world.house.case(matter).unwrap().status(), Status::Settled(_)));
    assert_eq!(world.house.case(matter).unwrap().dossier.syntheses.len(), 1);
    world
}

#[test]
fn no_word_of_the_operator_or_a_clerk_survives() {
    let mut world = steered();
    let matter = world.matter();
    for act in redacted(&world.acts, matter).iter().skip(matter.0.act.0 as usize - 1) {
        let json = serde_json::to_string(act).unwrap();
        assert!(!json.contains("secret"), "{json}");
    }
    world.step("redact");
    let case = world.house.case(matter).unwrap();
    assert!(!format!("{case:?}").contains("secret"), "{case:#?}");
}

#[test]
fn no_word_survives_in_an_act_or_in_the_house() {
    let mut world = told();
    let matter = world.matter();
    for act in redacted(&world.acts, matter).iter().skip(matter.0.act.0 as usize - 1) {
        let json = serde_json::to_string(act).unwrap();
        assert!(!json.contains("secret"), "{json}");
    }
    world.step("redact");
    let case = world.house.case(matter).unwrap();
    assert!(!format!("{case:?}").contains("secret"), "{case:#?}");
    let report = Report::of(case);
    assert!(report.redacted && &*report.question.topic == REDACTED);
    assert!(report.headline.ends_with(" [redacted: its text was deleted]"));
    let kept = world.house.roster().get(&who("ann")).unwrap();
    assert_eq!(kept.persona.as_deref(), Some("secret persona"), "participants are the house's");
}

#[test]
fn a_receipt_is_that_of_the_settling_act_whatever_comes_later() {
    let mut world = told();
    let matter = world.matter();
    let hash = synod_core::kernel::Digest::of(b"the settling act");
    let body = |world: &World| {
        serde_json::to_value(receipt(world.house.case(matter).unwrap(), None, hash).unwrap()).unwrap()
    };
    let before = body(&world);
    assert!(before.get("redacted").is_none());
    world.now = world.now.plus(5_000);
    world.step("redact");
    let after = body(&world);
    for field in ["settled", "decision", "tally", "bases", "margin", "seats", "spent", "journal", "unparsed"]
    {
        assert_eq!(before[field], after[field], "{field}");
    }
    assert_eq!(after["redacted"], true);
    assert_ne!(before["question"], after["question"]);
    let last = world.house.case(matter).unwrap().last;
    assert_ne!(after["settled"], serde_json::to_value(last).unwrap(), "the matter itself moved on");
}

/// Whatever happened, a house is the same whether its words are gone from the acts already or not, and
/// redacting one matter leaves the others alone. Life goes on in between.
#[test]
fn redacted_acts_fold_into_the_house_that_forgot() {
    for seed in 0..300 {
        let mut world = play(seed);
        let mut dice = Dice(seed + 1);
        let mut whole = world.acts.clone();
        let settled = world.house.cases().filter(|case| matches!(case.status(), Status::Settled(_)));
        for matter in settled.map(|case| case.id).collect::<Vec<_>>() {
            let bare = redacted(&world.acts, matter);
            assert_eq!(redacted(&bare, matter), bare, "seed {seed}: once is enough");
            let others = |house: &House| -> Vec<_> {
                let apart =
                    |case: &&synod_core::house::Case| case.id != matter && !branched(house, case.id, matter);
                house.cases().filter(apart).cloned().collect()
            };
            assert_eq!(others(&folded(&bare)), others(&world.house), "seed {seed}: others are left alone");
            world.redact(matter);
            let act = world.acts.last().unwrap().clone();
            world.acts = bare.into_iter().chain([act]).collect();
            assert_eq!(folded(&world.acts), world.house, "seed {seed}: matter {matter}");
            (0..8).for_each(|_| step(&mut world, &mut dice));
            whole.extend_from_slice(&world.acts[whole.len()..]);
        }
        judged_again(seed, &world, &whole);
    }
}

/// Whether a matter branches off from another. It shares rounds with it, so it forgets with it.
fn branched(house: &House, mut case: MatterId, from: MatterId) -> bool {
    loop {
        match house.case(case).and_then(|case| case.opening.forked) {
            Some(forked) if forked.from == from => break true,
            Some(forked) => case = forked.from,
            None => break false,
        }
    }
}

/// Whatever is neither redacted nor about a branch of a matter that was redacted later comes out the same when
/// it is judged again by a house that knows the redacted words no more.
fn judged_again(seed: u64, world: &World, whole: &[Act]) {
    let gone = |from: MatterId| {
        let redacts = move |act: &&Act| match &act.command {
            Command::Redact { matter, .. } => *matter == from && !act.events().is_empty(),
            _ => false,
        };
        world.acts.iter().rfind(redacts).map(|act| act.seq)
    };
    let until = |case: MatterId| {
        let from = world.house.cases().filter(|from| branched(&world.house, case, from.id));
        from.filter_map(|from| gone(from.id)).max()
    };
    let branches = world.house.cases().filter_map(|case| Some((Redaction::of(case.id), until(case.id)?)));
    let mut branches: Vec<(Redaction, Seq)> = branches.collect();
    let mut house = House::default();
    for (act, whole) in world.acts.iter().zip(whole) {
        let about = |(branch, until): &mut (Redaction, Seq)| branch.next(act).is_some() && act.seq < *until;
        let taken = branches.iter_mut().filter_map(|branch| about(branch).then_some(())).count() > 0;
        if act == whole && !taken {
            let (again, _) = house.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
            assert_eq!(again, *act, "seed {seed}");
        }
        house.evolve(act);
    }
}
