//! What calls a council and what does not, and what the monitor finds: boundaries exactly.

use expect_test::expect;
use synod_core::command::Regulate;
use synod_core::kernel::prose::{Stance, stance};
use synod_core::kernel::{Actor, At, Digest, Permille, Priority};
use synod_core::monitor::{Observation, PATH_MOST, PENDING_MOST, Seen};
use synod_core::regulation::Regulation;
use synod_core::trigger::{Cause, Charters, Kind, Request, agent};
use synod_core::{Command, House, Outcome};

use crate::calls::{check_calls, house};
use crate::random::Dice;
use crate::world::{START, World, who};

/// No stalls: these scripts let agents rest.
const CALM: &str = "[monitor.stalled_progress]\non = false";

#[test]
fn a_person_never_waits() {
    check_calls(
        "",
        "call user rest-or-graphql with ann bob
         call user rest-or-graphql with ann bob
         call user keys-leaked critical with ann bob
         call user lunch low with bob cy",
        expect![[r#"
            > call user rest-or-graphql with ann bob
            opened ring-default for ann bob: rest-or-graphql
            fired user normal, opened 11
            > call user rest-or-graphql with ann bob
            opened ring-default for ann bob: rest-or-graphql
            fired user normal, opened 12
            > call user keys-leaked critical with ann bob
            opened ring-critical for ann bob: keys-leaked
            fired user critical, opened 13
            > call user lunch low with bob cy
            opened ring-quick for bob cy: lunch
            fired user low, opened 14
        "#]],
    );
}

#[test]
fn an_agent_needs_a_listed_reason_and_confidence() {
    check_calls(
        "",
        "call agent ann 0.59 Conflicting design patterns detected with bob
         call agent ann 0.5999 conflicting_designs with bob
         call agent ann 0.9 need help with bob
         call agent ann 0.6 Conflicting design patterns detected with bob
         wait 60s
         call by ann agent ann 0.79 security-concern with bob
         wait 60s
         call by ann agent ann 0.8 This is a breaking change with bob cy",
        expect![[r#"
            > call agent ann 0.59 Conflicting design patterns detected with bob
            declined agent conflicting_designs: 0.59 is below 0.60
            > call agent ann 0.5999 conflicting_designs with bob
            declined agent conflicting_designs: 0.599 is below 0.60
            > call agent ann 0.9 need help with bob
            declined agent: the reason is none of those that call for a council
            > call agent ann 0.6 Conflicting design patterns detected with bob
            opened ring-default for ann bob: ann asks for a decision: Conflicting design patterns detected
            fired agent conflicting_designs normal, rests until 1:00, opened 14
            > wait 60s
            > call by ann agent ann 0.79 security-concern with bob
            opened ring-default for ann bob: ann asks for a decision: security-concern
            fired agent security_concern normal, rests until 2:00, opened 16
            > wait 60s
            > call by ann agent ann 0.8 This is a breaking change with bob cy
            opened ring-strict for ann bob cy: ann asks for a decision: This is a breaking change
            fired agent breaking_change high, rests until 3:00, opened 18
        "#]],
    );
}

#[test]
fn checkpoints_that_always_call_and_those_that_are_flagged() {
    check_calls(
        "",
        "call checkpoint security_change with ann bob
         call checkpoint deployment_approval with ann bob
         call checkpoint architecture_decision with ann bob
         call checkpoint breaking-change with ann bob
         call checkpoint API_design with ann bob
         call checkpoint milestone-3 with ann bob
         call checkpoint milestone-3 flagged with ann bob",
        expect![[r#"
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The checkpoint security_change is reached. Shall the work go on as it stands?
            fired checkpoint security_change critical, rests until 1:00, opened 11
            > call checkpoint deployment_approval with ann bob
            opened ring-critical for ann bob: The checkpoint deployment_approval is reached. Shall the work go on as it stands?
            fired checkpoint deployment_approval critical, rests until 1:00, opened 12
            > call checkpoint architecture_decision with ann bob
            opened ring-strict for ann bob: The checkpoint architecture_decision is reached. Shall the work go on as it stands?
            fired checkpoint architecture_decision high, rests until 1:00, opened 13
            > call checkpoint breaking-change with ann bob
            opened ring-strict for ann bob: The checkpoint breaking-change is reached. Shall the work go on as it stands?
            fired checkpoint breaking_change high, rests until 1:00, opened 14
            > call checkpoint API_design with ann bob
            opened ring-strict for ann bob: The checkpoint API_design is reached. Shall the work go on as it stands?
            fired checkpoint api_design high, rests until 1:00, opened 15
            > call checkpoint milestone-3 with ann bob
            declined checkpoint milestone_3: this checkpoint needs no council unless it is flagged
            > call checkpoint milestone-3 flagged with ann bob
            opened ring-default for ann bob: The checkpoint milestone-3 is reached. Shall the work go on as it stands?
            fired checkpoint milestone_3 normal, rests until 1:00, opened 17
        "#]],
    );
}

#[test]
fn phases_whose_results_are_decided_together() {
    check_calls(
        "",
        "call phase design implement with ann bob
         call phase architecture design with ann bob
         call phase Planning design with ann bob
         call phase implement test with ann bob",
        expect![[r#"
            > call phase design implement with ann bob
            opened ring-default for ann bob: Shall what came of design be approved, so that implement can begin?
            fired phase design normal, rests until 1:00, opened 11
            > call phase architecture design with ann bob
            opened ring-default for ann bob: Shall what came of architecture be approved, so that design can begin?
            fired phase architecture normal, rests until 1:00, opened 12
            > call phase Planning design with ann bob
            opened ring-default for ann bob: Shall what came of Planning be approved, so that design can begin?
            fired phase planning normal, rests until 1:00, opened 13
            > call phase implement test with ann bob
            declined phase implement: leaving this phase needs no council
        "#]],
    );
}

#[test]
fn a_measure_fires_from_its_threshold_on() {
    check_calls(
        "",
        "call threshold disagreement 0.59 with ann bob
         call threshold disagreement 0.6 with ann bob
         call threshold risk 0.899 with ann bob
         call threshold cost 0.9 with ann bob
         call threshold cost 0.9 with ann bob",
        expect![[r#"
            > call threshold disagreement 0.59 with ann bob
            declined threshold disagreement: 0.59 is below 0.60
            > call threshold disagreement 0.6 with ann bob
            opened ring-default for ann bob: disagreement stands at 0.60. What shall be done about it?
            fired threshold disagreement normal, rests until 1:00, opened 12
            > call threshold risk 0.899 with ann bob
            opened ring-default for ann bob: risk stands at 0.899. What shall be done about it?
            fired threshold risk normal, rests until 1:00, opened 13
            > call threshold cost 0.9 with ann bob
            opened ring-strict for ann bob: cost stands at 0.90. What shall be done about it?
            fired threshold cost high, rests until 1:00, opened 14
            > call threshold cost 0.9 with ann bob
            declined threshold cost: rests until 1:00
        "#]],
    );
}

#[test]
fn a_cooldown_ends_exactly_and_belongs_to_what_is_watched() {
    check_calls(
        "",
        "call checkpoint security_change with ann bob
         call checkpoint security_change with ann bob
         call checkpoint api_design with ann bob
         wait 59999ms
         call checkpoint security_change with ann bob
         wait 1ms
         call checkpoint security_change with ann bob",
        expect![[r#"
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The checkpoint security_change is reached. Shall the work go on as it stands?
            fired checkpoint security_change critical, rests until 1:00, opened 11
            > call checkpoint security_change with ann bob
            declined checkpoint security_change: rests until 1:00
            > call checkpoint api_design with ann bob
            opened ring-strict for ann bob: The checkpoint api_design is reached. Shall the work go on as it stands?
            fired checkpoint api_design high, rests until 1:00, opened 13
            > wait 59999ms
            > call checkpoint security_change with ann bob
            declined checkpoint security_change: rests until 1:00
            > wait 1ms
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The checkpoint security_change is reached. Shall the work go on as it stands?
            fired checkpoint security_change critical, rests until 2:00, opened 17
        "#]],
    );
}

#[test]
fn pending_decisions_are_looked_through_when_asked() {
    check_calls(
        CALM,
        "call scheduled
         sees ann needs which queue
         call scheduled
         sees bob needs which region
         sees bob needs which owner
         sees bob decided Which Owner
         call scheduled
         call scheduled
         sees bob needs which owner
         wait 1799999ms
         sees ann needs when to ship
         sees bob reads a.rs
         call scheduled
         wait 1ms
         call scheduled",
        expect![[r#"
            > call scheduled
            declined scheduled: nothing waits for a decision
            > sees ann needs which queue
            > call scheduled
            declined scheduled: 1 agent active, 2 are needed
            > sees bob needs which region
            > sees bob needs which owner
            > sees bob decided Which Owner
            > call scheduled
            opened ring-quick for ann bob: What shall be decided of what is pending?
            fired scheduled low, rests until 30:00, opened 17
            taken which queue, which region
            > call scheduled
            declined scheduled: nothing waits for a decision
            > sees bob needs which owner
            > wait 1799999ms
            > sees ann needs when to ship
            > sees bob reads a.rs
            > call scheduled
            declined scheduled: rests until 30:00
            > wait 1ms
            > call scheduled
            opened ring-quick for ann bob: What shall be decided of what is pending?
            fired scheduled low, rests until 60:00, opened 25
            taken when to ship, which owner
        "#]],
    );
}

#[test]
fn pending_decisions_are_looked_through_by_the_clock_while_agents_are_active() {
    check_calls(
        "[trigger.scheduled]\non = true\n[monitor.stalled_progress]\non = false",
        "wait 1799s
         sees ann needs which queue
         wait 1s
         wait 1799s
         sees ann reads a.rs
         sees bob reads a.rs
         wait 999ms
         wait 1ms
         wait 9000s
         sees ann reads a.rs
         wait 1s",
        expect![[r#"
            > wait 1799s
            > sees ann needs which queue
            > wait 1s
            declined scheduled: 1 agent active, 2 are needed
            > wait 1799s
            > sees ann reads a.rs
            > sees bob reads a.rs
            > wait 999ms
            > wait 1ms
            opened ring-quick for ann bob: What shall be decided of what is pending?
            fired scheduled low, rests until 90:00, opened 18
            taken which queue
            > wait 9000s
            > sees ann reads a.rs
            > wait 1s
            declined scheduled: nothing waits for a decision
        "#]],
    );
}

#[test]
fn the_clock_is_only_looked_at_when_there_is_something_to_see() {
    let mut off = house("");
    assert_eq!(off.house.next_deadline(), None);
    off.step("sees ann progresses");
    assert_eq!(off.house.next_deadline(), Some(START.plus(300_000)), "a stall is due");
    off.step("sees ann done");
    assert_eq!(off.house.next_deadline(), None);

    let mut on = house("[trigger.scheduled]\non = true");
    assert_eq!(on.house.next_deadline(), None, "nobody is active");
    on.now = START.plus(1_500_000);
    on.step("sees ann reads a.rs");
    assert_eq!(on.house.next_deadline(), Some(START.plus(1_800_000)));
    on.step("wait 300s");
    assert_eq!(on.house.next_deadline(), None, "by then nobody will have been seen lately");
}

/// A deadline that a tick does not settle would be due for ever.
#[test]
fn every_deadline_is_settled_by_a_tick_however_late() {
    for late in [0, 1, 299_999, 300_000, 300_001, 86_400_000] {
        let mut world = house("[trigger.scheduled]\non = true");
        for line in ["sees ann writes a.rs", "sees bob progresses", "sees cy needs which queue"] {
            world.step(line);
        }
        for _ in 0..10 {
            let Some(due) = world.house.next_deadline() else { break };
            world.now = At(world.now.0.max(due.0)).plus(late);
            let before = world.house.next_deadline();
            world.submit(Actor::Engine, Command::Tick);
            assert_ne!(world.house.next_deadline(), before, "{late} ms late");
        }
    }
}

#[test]
fn who_takes_part() {
    check_calls(
        CALM,
        "call user alone with ann
         call user nobody
         sees cy reads a.rs
         sees dee reads a.rs
         call user everybody-active
         call agent ann 0.7 unclear_requirements
         wait 600s
         call user still-active
         wait 1ms
         call user too-late",
        expect![[r#"
            > call user alone with ann
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
            > call user nobody
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
            > sees cy reads a.rs
            > sees dee reads a.rs
            > call user everybody-active
            opened ring-default for cy dee: everybody-active
            fired user normal, opened 15
            > call agent ann 0.7 unclear_requirements
            opened ring-default for ann cy dee: ann asks for a decision: unclear_requirements
            fired agent unclear_requirements normal, rests until 1:00, opened 16
            > wait 600s
            > call user still-active
            opened ring-default for cy dee: still-active
            fired user normal, opened 18
            > wait 1ms
            > call user too-late
            fired user normal, opened nothing: a council needs 2 participants: name them, or let agents be seen at work
        "#]],
    );
}

#[test]
fn what_is_refused() {
    check_calls(
        "",
        "call user
         call user twice with ann ann
         call user stranger with ann zoe
         call agent zoe 0.9 security_concern with ann bob
         call agent ann 0.9 with bob
         call by ann user lunch with ann bob
         call by ann agent bob 0.9 security_concern with ann
         call by ann checkpoint security_change with ann bob
         call by ann scheduled
         sees zoe writes a.rs
         sees ann writes
         sees ann thinks x:
         sees ann finds : y
         sees ann! writes a.rs",
        expect![[r#"
            > call user
            refused trigger/malformed: a user trigger needs a topic: say what the council shall decide
            > call user twice with ann ann
            refused roster/seat-twice: `ann` sits twice; two spellings of a name are one participant
            > call user stranger with ann zoe
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > call agent zoe 0.9 security_concern with ann bob
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > call agent ann 0.9 with bob
            refused trigger/malformed: the reason of the trigger is empty
            > call by ann user lunch with ann bob
            refused house/not-allowed: seat:ann may not do this
            > call by ann agent bob 0.9 security_concern with ann
            refused house/not-allowed: seat:ann may not do this
            > call by ann checkpoint security_change with ann bob
            refused house/not-allowed: seat:ann may not do this
            > call by ann scheduled
            refused house/not-allowed: seat:ann may not do this
            > sees zoe writes a.rs
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > sees ann writes
            refused monitor/malformed: the path of the observation is empty: say what was seen
            > sees ann thinks x:
            refused monitor/malformed: the text of the observation is empty: say what was seen
            > sees ann finds : y
            refused monitor/malformed: the subject of the observation is empty: say what was seen
            > sees ann! writes a.rs
        "#]],
    );
}

#[test]
fn nobody_reports_of_another_and_the_engine_of_nobody() {
    let mut world = house("");
    let act = world.seen_by(Actor::Seat(who("ann")), "bob", "writes a.rs").clone();
    assert!(
        matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "house/not-allowed"),
        "{act:?}"
    );
    let act = world.seen_by(Actor::Engine, "bob", "writes a.rs").clone();
    assert!(
        matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "house/not-allowed"),
        "{act:?}"
    );
}

#[test]
fn a_house_without_numbers_judges_nothing() {
    let mut world = World::new();
    world.submit(Actor::Operator, Command::Enrol { seat: crate::world::seat("ann") });
    let refused = |act: &synod_core::Act| match &act.outcome {
        Outcome::Refused { code, .. } => code.clone(),
        Outcome::Done(_) => panic!("{act:?}"),
    };
    assert_eq!(refused(world.sees("ann writes a.rs")), "trigger/unregulated");
    assert_eq!(refused(world.calls("user x with ann bob")), "trigger/unregulated");
    let shipped = Regulation::shipped();
    let digest = Digest::of(b"no charter");
    let charters = Charters { critical: digest, high: digest, low: digest, normal: digest };
    let regulate = Regulate { charters, monitor: shipped.monitor, trigger: shipped.trigger };
    let act = world.submit(Actor::Operator, Command::Regulate(Box::new(regulate)));
    assert_eq!(refused(act), "charter/unknown");
}

#[test]
fn numbers_that_hold_already_are_no_event() {
    let mut world = house("");
    assert!(world.regulate("").events().is_empty());
    assert_eq!(world.regulate("[trigger.user]\ncooldown_ms = 5000").events().len(), 1);
    assert_eq!(world.house.triggers().rules().unwrap().user.cooldown_ms, 5000);
    world.step("call user x with ann bob");
    let act = world.step("call user x with ann bob");
    assert!(format!("{act:?}").contains("Resting"), "a person waits where the house says so");
}

#[test]
fn lengths_are_counted_and_told() {
    let mut world = house("");
    let path = "x".repeat(PATH_MOST + 1);
    let act = world.sees(&format!("ann writes {path}")).clone();
    let told = "the path of the observation has 1001 characters, at most 1000 are kept: shorten it";
    assert!(matches!(act.outcome, Outcome::Refused { ref message, .. } if message == told), "{act:?}");
    for nth in 0..PENDING_MOST {
        world.step(&format!("sees ann needs decision {nth}"));
    }
    let act = world.step("sees ann needs one more");
    assert!(matches!(act.outcome, Outcome::Refused { ref code, .. } if code == "monitor/too-many-pending"));
    world.step("sees ann needs Decision 7");
    assert_eq!(world.house.monitor().pending().len(), PENDING_MOST, "the same in other letters is the same");
}

#[test]
fn two_agents_write_one_file() {
    check_calls(
        CALM,
        "sees ann writes src/a.rs
         sees bob reads src/a.rs
         sees bob writes src/b.rs
         sees ann writes src/a.rs
         wait 300s
         sees bob writes ./src//x/../a.rs
         sees ann writes src/a.rs
         sees cy writes src/a.rs
         sees cy writes src/b.rs
         sees cy writes src/b.rs
         wait 300s
         sees cy writes src/b.rs
         sees bob writes src/b.rs",
        expect![[r#"
            > sees ann writes src/a.rs
            > sees bob reads src/a.rs
            > sees bob writes src/b.rs
            > sees ann writes src/a.rs
            > wait 300s
            > sees bob writes ./src//x/../a.rs
            found conflicting_edits: ann bob (2) over src/a.rs
            opened ring-strict for ann bob: ann and bob changed src/a.rs within minutes of each other. How do the changes go together, and who goes on with the file?
            fired monitor conflicting_edits high, rests until 10:00, opened 16.2
            > sees ann writes src/a.rs
            > sees cy writes src/a.rs
            found conflicting_edits: ann bob cy (3) over src/a.rs
            declined monitor conflicting_edits: rests until 10:00
            > sees cy writes src/b.rs
            found conflicting_edits: bob cy (2) over src/b.rs
            declined monitor conflicting_edits: rests until 10:00
            > sees cy writes src/b.rs
            > wait 300s
            > sees cy writes src/b.rs
            > sees bob writes src/b.rs
            found conflicting_edits: bob cy (2) over src/b.rs
            opened ring-strict for bob cy: bob and cy changed src/b.rs within minutes of each other. How do the changes go together, and who goes on with the file?
            fired monitor conflicting_edits high, rests until 15:00, opened 23.2
        "#]],
    );
}

#[test]
fn a_write_is_forgotten_a_millisecond_after_its_window() {
    check_calls(
        CALM,
        "sees ann writes src/a.rs
         wait 300001ms
         sees bob writes src/a.rs",
        expect![[r#"
            > sees ann writes src/a.rs
            > wait 300001ms
            > sees bob writes src/a.rs
        "#]],
    );
}

#[test]
fn what_goes_on_is_told_again_when_its_window_is_over() {
    check_calls(
        CALM,
        "sees ann writes a.rs
         sees bob writes a.rs
         wait 299999ms
         sees bob writes a.rs
         sees ann writes a.rs
         wait 1ms
         sees ann writes a.rs",
        expect![[r#"
            > sees ann writes a.rs
            > sees bob writes a.rs
            found conflicting_edits: ann bob (2) over a.rs
            opened ring-strict for ann bob: ann and bob changed a.rs within minutes of each other. How do the changes go together, and who goes on with the file?
            fired monitor conflicting_edits high, rests until 5:00, opened 12.2
            > wait 299999ms
            > sees bob writes a.rs
            > sees ann writes a.rs
            > wait 1ms
            > sees ann writes a.rs
            found conflicting_edits: ann bob (2) over a.rs
            opened ring-strict for ann bob: ann and bob changed a.rs within minutes of each other. How do the changes go together, and who goes on with the file?
            fired monitor conflicting_edits high, rests until 10:00, opened 17.2
        "#]],
    );
}

#[test]
fn opinions_diverge() {
    check_calls(
        "",
        "sees ann thinks the queue: I disagree with Kafka here
         sees bob thinks The Queue: we should not hurry, and I support Kafka
         sees cy thinks storage: We should not use S3
         sees dee thinks storage: I know nothing
         sees ann thinks storage: I support it
         sees bob thinks storage: I agree
         sees cy thinks storage: fine, I agree after all",
        expect![[r#"
            > sees ann thinks the queue: I disagree with Kafka here
            stance Against
            > sees bob thinks The Queue: we should not hurry, and I support Kafka
            stance For
            found opinion_divergence: ann bob (1000) over The Queue
            opened ring-default for ann bob: ann and bob stand against each other over this: The Queue. What shall be done?
            fired monitor opinion_divergence normal, rests until 5:00, opened 12.2
            > sees cy thinks storage: We should not use S3
            stance Against
            > sees dee thinks storage: I know nothing
            stance Neutral
            > sees ann thinks storage: I support it
            stance For
            found opinion_divergence: ann cy (666) over storage
            declined monitor opinion_divergence: rests until 5:00
            > sees bob thinks storage: I agree
            stance For
            > sees cy thinks storage: fine, I agree after all
            stance For
        "#]],
    );
}

/// Three of ten on the smaller side score exactly 0.6, two of seven 0.571.
#[test]
fn divergence_is_reached_exactly() {
    let score = |for_it: usize, against: usize, neutral: usize, window: u64| {
        let mut world = house("");
        let mut found = false;
        let sides = [("I know nothing", neutral), ("I agree", for_it), ("I disagree", against)];
        let all = sides.iter().flat_map(|(text, count)| std::iter::repeat_n(*text, *count));
        for (nth, text) in all.enumerate() {
            let name = format!("agent {nth}");
            world.enrol_outside(&name);
            let seen = Seen::Opinion { stance: None, text: text.into(), topic: "t".into() };
            let observation = Observation { agent: who(&name), seen };
            let act = world.submit(Actor::Operator, Command::Observe { observation });
            found = format!("{act:?}").contains("OpinionDivergence");
            if nth == 0 {
                world.now = world.now.plus(window);
            }
        }
        found
    };
    assert!(score(7, 3, 0, 0));
    assert!(!score(5, 2, 0, 0));
    assert!(score(3, 3, 4, 0), "who is neutral was heard");
    assert!(!score(3, 3, 5, 0));
    assert!(score(1, 1, 0, 600_000), "exactly ten minutes ago still counts");
    assert!(!score(1, 1, 0, 600_001));
}

#[test]
fn one_agent_is_corrected_again_and_again() {
    check_calls(
        "",
        "sees ann corrected
         sees bob corrected
         sees ann corrected
         wait 300s
         sees ann corrected
         wait 300001ms
         sees bob corrected
         sees bob corrected
         sees cy corrected
         sees bob corrected",
        expect![[r#"
            > sees ann corrected
            > sees bob corrected
            > sees ann corrected
            > wait 300s
            > sees ann corrected
            found repeated_corrections: ann (3)
            opened ring-default for ann bob: ann was corrected 3 times within minutes. What is misunderstood, and what shall ann do instead?
            fired monitor repeated_corrections normal, rests until 10:00, opened 15.2
            > wait 300001ms
            > sees bob corrected
            > sees bob corrected
            > sees cy corrected
            > sees bob corrected
            found repeated_corrections: bob (3)
            opened ring-default for bob ann cy: bob was corrected 3 times within minutes. What is misunderstood, and what shall bob do instead?
            fired monitor repeated_corrections normal, rests until 15:00, opened 20.2
        "#]],
    );
}

#[test]
fn an_agent_that_gets_no_further() {
    check_calls(
        "",
        "sees ann progresses
         sees bob writes b.rs
         sees cy progresses
         sees cy done
         sees dee thinks x: I agree
         wait 299999ms
         sees bob progresses
         wait 1ms
         wait 299999ms
         wait 1s",
        expect![[r#"
            > sees ann progresses
            > sees bob writes b.rs
            > sees cy progresses
            > sees cy done
            > sees dee thinks x: I agree
            stance For
            > wait 299999ms
            > sees bob progresses
            > wait 1ms
            found stalled_progress: ann (300)
            opened ring-quick for ann bob cy dee: ann has made no progress for 5 minutes. What is in the way, and who helps?
            fired monitor stalled_progress low, rests until 10:00, opened 18.1
            > wait 299999ms
            found stalled_progress: bob (300)
            declined monitor stalled_progress: rests until 10:00
            > wait 1s
        "#]],
    );
}

#[test]
fn a_stall_of_yesterday_is_nobodys_stall() {
    check_calls(
        "",
        "sees ann progresses
         sees bob reads x
         wait 600s
         sees ann progresses
         wait 600001ms",
        expect![[r#"
            > sees ann progresses
            > sees bob reads x
            > wait 600s
            found stalled_progress: ann (600)
            opened ring-quick for ann bob: ann has made no progress for 10 minutes. What is in the way, and who helps?
            fired monitor stalled_progress low, rests until 15:00, opened 13.1
            > sees ann progresses
            > wait 600001ms
            gone ann
        "#]],
    );
}

#[test]
fn insights_contradict_each_other() {
    check_calls(
        "",
        "sees ann finds cache: the cache is safe under load
         sees bob finds cache: disks are slow on Mondays
         sees ann finds cache: the cache is not safe under load
         sees bob finds Cache: the cache is safe under load
         sees cy finds limit: the limit is 5 calls
         wait 300s
         sees dee finds limit: the limit is 7 calls
         sees cy finds queue: the queue holds all orders
         wait 300001ms
         sees dee finds queue: the queue does not hold all orders",
        expect![[r#"
            > sees ann finds cache: the cache is safe under load
            > sees bob finds cache: disks are slow on Mondays
            > sees ann finds cache: the cache is not safe under load
            > sees bob finds Cache: the cache is safe under load
            found insight_contradictions: ann bob (2) over Cache
            opened ring-default for ann bob: ann and bob reported contradictory insights about Cache. Which of them holds?
            fired monitor insight_contradictions normal, rests until 5:00, opened 14.2
            > sees cy finds limit: the limit is 5 calls
            > wait 300s
            > sees dee finds limit: the limit is 7 calls
            found insight_contradictions: cy dee (2) over limit
            opened ring-default for cy dee: cy and dee reported contradictory insights about limit. Which of them holds?
            fired monitor insight_contradictions normal, rests until 10:00, opened 17.2
            > sees cy finds queue: the queue holds all orders
            > wait 300001ms
            > sees dee finds queue: the queue does not hold all orders
        "#]],
    );
}

#[test]
fn agents_turn_to_people() {
    check_calls(
        "",
        "sees ann escalates
         sees bob escalates
         wait 180s
         sees ann escalates
         wait 180001ms
         sees cy escalates
         sees cy escalates",
        expect![[r#"
            > sees ann escalates
            > sees bob escalates
            > wait 180s
            > sees ann escalates
            found human_escalation_cluster: ann bob (3)
            opened ring-strict for ann bob: ann and bob turned to people 3 times within minutes. What is it that the agents cannot settle, and how shall they go on?
            fired monitor human_escalation_cluster high, rests until 8:00, opened 14.2
            > wait 180001ms
            > sees cy escalates
            > sees cy escalates
        "#]],
    );
}

#[test]
fn patterns_and_the_monitor_can_be_switched_off() {
    check_calls(
        "[monitor.conflicting_edits]\non = false",
        "sees ann writes a.rs
         sees bob writes a.rs",
        expect![[r#"
            > sees ann writes a.rs
            > sees bob writes a.rs
        "#]],
    );
    check_calls(
        "[trigger.monitor]\non = false",
        "sees ann writes a.rs
         sees bob writes a.rs",
        expect![[r#"
            > sees ann writes a.rs
            > sees bob writes a.rs
            found conflicting_edits: ann bob (2) over a.rs
            declined monitor conflicting_edits: it is switched off
        "#]],
    );
}

#[test]
fn the_most_urgent_comes_first() {
    check_calls(
        "[trigger.scheduled]\non = true\ninterval_ms = 300000\npriority = \"high\"",
        "sees ann progresses
         sees bob needs which queue
         wait 300s",
        expect![[r#"
            > sees ann progresses
            > sees bob needs which queue
            > wait 300s
            opened ring-strict for ann bob: What shall be decided of what is pending?
            fired scheduled high, rests until 10:00, opened 13
            taken which queue
            found stalled_progress: ann (300)
            opened ring-quick for ann bob: ann has made no progress for 5 minutes. What is in the way, and who helps?
            fired monitor stalled_progress low, rests until 10:00, opened 13.9
        "#]],
    );
    let mut all = [Priority::Low, Priority::Critical, Priority::Normal, Priority::High];
    all.sort();
    assert_eq!(all.map(Priority::word), ["critical", "high", "normal", "low"]);
}

/// However much is seen, the house does not grow for ever.
#[test]
fn what_is_seen_is_forgotten() {
    let mut world = house(CALM);
    world.careful = false;
    for nth in 0..6000 {
        world.sees(&format!("ann writes src/{nth}.rs"));
    }
    let size = format!("{:?}", world.house.monitor()).len();
    assert!(size < 4096 * 200, "{size}: no more than so many are kept");
    world.now = world.now.plus(600_001);
    world.sees("bob reads x");
    let size = format!("{:?}", world.house.monitor()).len();
    assert!(size < 4000, "{size}: the window is over");
}

#[test]
fn stances_of_prose() {
    use Stance::{Against, For, Neutral};
    for (text, expected) in [
        ("I disagree", Against),
        ("I disagree.", Against),
        ("We should not merge this", Against),
        ("we shouldn’t do that", Against),
        ("should not", Against),
        ("I know nothing", Neutral),
        ("I know nothing about it.", Neutral),
        ("I agree", For),
        ("We should merge this", For),
        ("I do not agree", Against),
        ("I don't think we should do it", Against),
        ("I do not disagree", For),
        ("No objections", For),
        ("I object to the new schema", Against),
        ("The object store is full", Neutral),
        ("Should we merge this?", Neutral),
        ("I am not sure we should", Neutral),
        ("No, we should keep it", Against),
        ("Yes, go", For),
        ("I like the goal, but we should not merge it", Against),
        ("I had doubts and disagreed, but now I support it", For),
        ("Do not merge this", Against),
        ("Never deploy on Friday", Against),
        ("Not only should we merge, we should ship", For),
        ("That's a bad idea", Against),
        ("Not a bad idea", For),
        ("Wir sollten das nicht tun", Against),
        ("Wir sollten das tun", For),
        ("Ich stimme dem nicht zu", Against),
        ("Ich stimme zu", For),
        ("Ich bin dagegen", Against),
        ("Ich lehne das ab", Against),
        ("Ich weiß nichts darüber", Neutral),
        ("我不同意", Against),
        ("我同意", For),
        ("The build took five minutes", Neutral),
        ("", Neutral),
    ] {
        assert_eq!(stance(text), expected, "{text}");
    }
}

#[test]
fn reasons_in_words() {
    let rules = Regulation::shipped().trigger.agent;
    for (said, expected) in [
        ("Conflicting design patterns detected", Some("conflicting_designs")),
        ("conflicting_designs", Some("conflicting_designs")),
        ("Conflicting Designs", Some("conflicting_designs")),
        ("I see a security risk in the login", Some("security_concern")),
        ("There is no security risk", None),
        ("This would not be a breaking change", None),
        ("there are several valid approaches and multiple solutions", Some("multiple_solutions")),
        ("The requirements are unclear", Some("unclear_requirements")),
        ("need help", None),
        ("I need help with this", None),
        ("", None),
    ] {
        assert_eq!(agent::listed(&rules, said), expected, "{said}");
    }
}

#[test]
fn the_numbers_that_ship() {
    let shipped = Regulation::shipped();
    let (trigger, monitor) = (&shipped.trigger, &shipped.monitor);
    let share = |thousandths| Permille::new(thousandths).unwrap();
    assert_eq!((trigger.agent.least, trigger.agent.high), (share(600), share(800)));
    assert_eq!((trigger.threshold.least, trigger.threshold.high), (share(600), share(900)));
    assert_eq!(trigger.user.cooldown_ms, 0);
    assert_eq!((trigger.scheduled.interval_ms, trigger.scheduled.active_least), (1_800_000, 2));
    let always: Vec<&str> = trigger.checkpoint.always.keys().map(String::as_str).collect();
    let known =
        ["api_design", "architecture_decision", "breaking_change", "deployment_approval", "security_change"];
    assert_eq!(always, known);
    assert_eq!(trigger.phase.from, ["design", "architecture", "planning"]);
    let counts = [
        (monitor.conflicting_edits, 2, 300_000),
        (monitor.repeated_corrections, 3, 300_000),
        (monitor.insight_contradictions, 2, 300_000),
        (monitor.human_escalation_cluster, 3, 180_000),
    ];
    for (rules, least, window_ms) in counts {
        assert_eq!((rules.least, rules.window_ms, rules.on), (least, window_ms, true));
    }
    assert_eq!(
        (monitor.opinion_divergence.least, monitor.opinion_divergence.window_ms),
        (share(600), 600_000)
    );
    assert_eq!(monitor.stalled_progress.after_ms, 300_000);
    assert_eq!(shipped.charters[&Priority::Critical], "ring-critical");
    assert_eq!(shipped.charters[&Priority::High], "ring-strict");
    assert_eq!(shipped.charters[&Priority::Normal], "ring-default");
    assert_eq!(shipped.charters[&Priority::Low], "ring-quick");
}

#[test]
fn every_flaw_of_a_file_is_told_with_its_line() {
    let file = "[trigger.agent]\nleast = 1.5\nhihg = 0.9\n[trigger.threshold]\nleast = 0.95\n[trigger.user]\npriority = \"urgent\"\n\
                [monitor.conflicting_edits]\nleast = 0\nwindow_ms = \"five\"\n[monitor.boredom]\non = true\n[[trigger.agent.reason]]\nsays = [\"x\"]\n";
    let flaws = Regulation::parse(file).unwrap_err();
    let told: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    expect![[r#"
        [
            "line 2: `trigger.agent.least`: `1.5` cannot be read; write a fraction from 0 to 1 such as 0.6",
            "line 3: `trigger.agent.hihg`: this key is not known; did you mean `high`?",
            "line 4: `trigger.threshold.high`: 0.90 lies below `least`, which is 0.95; write a value from `least` up",
            "line 7: `trigger.user.priority`: \"urgent\" is not known; write one of \"critical\", \"high\", \"normal\", \"low\"",
            "line 9: `monitor.conflicting_edits.least`: 0 would always be reached; write 1 or more",
            "line 10: `monitor.conflicting_edits.window_ms`: this is a string; write a whole number that is not negative",
            "line 11: `monitor.boredom`: this key is not known; known here: active_ms, conflicting_edits, human_escalation_cluster, insight_contradictions, opinion_divergence, repeated_corrections, stalled_progress",
            "line 13: `trigger.agent.reason.name`: this is missing; write name = \"security_concern\"",
        ]
    "#]].assert_debug_eq(&told);
}

/// Every number of the file is read: moving it moves what holds.
#[test]
fn no_knob_is_printed_and_not_read() {
    let shipped = Regulation::shipped();
    let mut table = String::new();
    let mut moved = 0;
    for line in synod_core::regulation::SHIPPED.lines() {
        let bare = line.split(" #").next().unwrap().trim();
        if bare.starts_with('[') {
            table = bare.split('#').next().unwrap().trim().to_string();
        }
        let Some((key, value)) = bare.split_once(" = ").filter(|_| !bare.starts_with('#')) else { continue };
        if table.starts_with("[[") {
            continue;
        }
        let other = match value {
            "true" => "false".to_string(),
            "false" => "true".into(),
            "0.6" | "0.8" | "0.9" => "0.61".into(),
            "\"low\"" => "\"high\"".into(),
            "[]" => "[\"x\"]".into(),
            value if value.starts_with('"') => "\"low\"".into(),
            value if value.starts_with('[') => "[\"other\"]".into(),
            "0" => "1".into(),
            number => format!("{number}1"),
        };
        let file = format!("{table}\n{key} = {other}\n");
        let read = Regulation::parse(&file).unwrap_or_else(|flaws| panic!("{file}: {flaws:?}"));
        assert_ne!(read, shipped, "{file} changes nothing");
        moved += 1;
    }
    assert!(moved > 40, "{moved}");
}

#[test]
fn what_triggers_did_can_be_looked_up() {
    let mut world = house("");
    world.step("call checkpoint security_change with ann bob");
    let triggers = world.house.triggers();
    assert_eq!(triggers.last(Kind::Checkpoint), Some(START));
    assert_eq!(triggers.last(Kind::User), None);
    let resting: Vec<(&str, At)> = triggers.resting(Kind::Checkpoint, START).collect();
    assert_eq!(resting, [("security_change", START.plus(60_000))]);
    assert_eq!(triggers.resting(Kind::Checkpoint, START.plus(60_000)).count(), 0);
}

/// The council is told why it was called, and its words go with the matter when that is redacted.
#[test]
fn words_of_a_trigger_go_with_its_matter() {
    let mut world = house("");
    let cause = Cause::Agent {
        agent: who("ann"),
        confidence: Permille::new(900).unwrap(),
        reason: "a security risk in sekret-login".into(),
    };
    let request = Request {
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
            let judged = again.act(act.at, act.by.clone(), act.key.clone(), act.command.clone());
            assert_eq!(judged, *act, "seed {seed}");
            let json = serde_json::to_string(act).unwrap();
            assert_eq!(serde_json::from_str::<synod_core::Act>(&json).unwrap(), *act, "seed {seed}");
            again.evolve(&judged);
        }
        assert_eq!(again, world.house, "seed {seed}");
    }
}
