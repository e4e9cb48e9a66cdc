//! What stays of triggers: looked up, redacted, replayed.

use synod_core::kernel::{Actor, At, Permille};
use synod_core::trigger::{CouncilRequest, TriggerCause, TriggerKind};
use synod_core::{Command, House};

use crate::calls::house;
use crate::random::Dice;
use crate::world::{START, who};

#[test]
fn what_triggers_did_can_be_looked_up() {
    let mut world = house("");
    world.step("call checkpoint security_change with ann bob");
    let triggers = world.house.triggers();
    assert_eq!(triggers.last(TriggerKind::Checkpoint), Some(START));
    assert_eq!(triggers.last(TriggerKind::User), None);
    let resting: Vec<(&str, At)> = triggers.resting(TriggerKind::Checkpoint, START).collect();
    assert_eq!(resting, [("security_change", START.plus(60_000))]);
    assert_eq!(triggers.resting(TriggerKind::Checkpoint, START.plus(60_000)).count(), 0);
}

/// The council is told why it was called, and its words go with the matter when that is redacted.
#[test]
fn words_of_a_trigger_go_with_its_matter() {
    let mut world = house("");
    let cause = TriggerCause::Agent {
        agent: who("ann"),
        confidence: Permille::new(900).unwrap(),
        reason: "a security risk in sekret-login".into(),
    };
    let request = CouncilRequest {
        cause,
        description: Some("see the sekret-log".into()),
        participants: vec![who("bob")],
        topic: Some("what about the sekret?".into()),
    };
    world.submit(Actor::Operator, Command::Trigger(Box::new(request)));
    let matter = world.matter();
    let told = world.house.case(matter).unwrap().dossier.material.values().next().unwrap();
    assert!(told.text.contains("sekret-login"));
    world.submit(Actor::Operator, Command::Stop { matter });
    world.careful = false;
    world.redact(matter);
    let acts = serde_json::to_string(&world.acts).unwrap();
    assert!(!acts.contains("sekret"), "{acts}");
    let mut house = House::default();
    world.acts.iter().for_each(|act| house.evolve(act));
    assert_eq!(house, world.house);
}

/// Whatever is seen and called: judging again gives the same acts, no deadline stays due, and what fired either
/// opened a matter or says why not.
#[test]
fn random_swarms_replay_equal() {
    for seed in 1..=200 {
        let mut dice = Dice((seed * 0x9E37_79B9) | 1);
        let mut world = house("[trigger.scheduled]\non = true\ninterval_ms = 400000");
        world.careful = false;
        let mut fired = 0;
        for _ in 0..60 {
            let agent = *dice.pick(&["ann", "bob", "cy", "dee", "zoe"]);
            let told = *dice.pick(&[
                "sees @ writes a.rs",
                "sees @ writes b.rs",
                "sees @ thinks x: I agree",
                "sees @ thinks x: I disagree",
                "sees @ corrected",
                "sees @ finds y: the limit is 5 calls",
                "sees @ finds y: the limit is 7 calls",
                "sees @ progresses",
                "sees @ done",
                "sees @ escalates",
                "sees @ needs z",
                "sees @! decided z",
                "call user q with @ ann",
                "call by @ agent @ 0.7 security_concern with bob",
                "call checkpoint api_design with @ cy",
                "call threshold risk 0.6",
                "call scheduled",
            ]);
            let act = world.step(&told.replace('@', agent));
            fired += usize::from(format!("{act:?}").contains("Fired"));
            world.now = world.now.plus(dice.roll(100_000));
            for _ in 0..50 {
                let Some(due) = world.house.next_deadline().filter(|due| *due <= world.now) else { break };
                world.submit(Actor::Engine, Command::Tick);
                assert_ne!(world.house.next_deadline(), Some(due), "seed {seed}: {due} stays due");
            }
        }
        assert!(fired > 0, "seed {seed}: nothing fired");
        let mut again = House::default();
        for act in &world.acts {
            let (judged, _) = again.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
            assert_eq!(judged, *act, "seed {seed}");
            let json = serde_json::to_string(act).unwrap();
            assert_eq!(serde_json::from_str::<synod_core::Act>(&json).unwrap(), *act, "seed {seed}");
            again.evolve(&judged);
        }
        assert_eq!(again, world.house, "seed {seed}");
    }
}
