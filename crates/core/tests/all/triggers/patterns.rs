//! What the monitor finds, pattern by pattern, and when it forgets.

use expect_test::expect;
use synod_core::Command;
use synod_core::kernel::{Actor, Priority};
use synod_core::monitor::{Observation, ObservedAction};

use super::CALM;
use crate::calls::{check_calls, house};
use crate::world::who;

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
            opened ring-strict for ann bob: ann and bob changed src/a.rs within minutes of each other. How do the changes fit together, and who continues with the file?
            fired monitor conflicting_edits high, rests until 10:00, opened m16.2
            > sees ann writes src/a.rs
            > sees cy writes src/a.rs
            found conflicting_edits: ann bob cy (3) over src/a.rs
            declined monitor conflicting_edits: rests until 10:00
            > sees cy writes src/b.rs
            found conflicting_edits: bob cy (2) over src/b.rs
            opened ring-strict for bob cy: bob and cy changed src/b.rs within minutes of each other. How do the changes fit together, and who continues with the file?
            fired monitor conflicting_edits high, rests until 10:00, opened m19.2
            > sees cy writes src/b.rs
            > wait 300s
            > sees cy writes src/b.rs
            > sees bob writes src/b.rs
            found conflicting_edits: bob cy (2) over src/b.rs
            opened ring-strict for bob cy: bob and cy changed src/b.rs within minutes of each other. How do the changes fit together, and who continues with the file?
            fired monitor conflicting_edits high, rests until 15:00, opened m23.2
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
            opened ring-strict for ann bob: ann and bob changed a.rs within minutes of each other. How do the changes fit together, and who continues with the file?
            fired monitor conflicting_edits high, rests until 5:00, opened m12.2
            > wait 299999ms
            > sees bob writes a.rs
            > sees ann writes a.rs
            > wait 1ms
            > sees ann writes a.rs
            found conflicting_edits: ann bob (2) over a.rs
            opened ring-strict for ann bob: ann and bob changed a.rs within minutes of each other. How do the changes fit together, and who continues with the file?
            fired monitor conflicting_edits high, rests until 10:00, opened m17.2
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
            opened ring-default for ann bob: ann and bob disagree about this: The Queue. What should be done?
            fired monitor opinion_divergence normal, rests until 5:00, opened m12.2
            > sees cy thinks storage: We should not use S3
            stance Against
            > sees dee thinks storage: I know nothing
            stance Neutral
            > sees ann thinks storage: I support it
            stance For
            found opinion_divergence: ann cy (666) over storage
            opened ring-default for ann cy: ann and cy disagree about this: storage. What should be done?
            fired monitor opinion_divergence normal, rests until 5:00, opened m15.2
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
            let seen = ObservedAction::Opinion { stance: None, text: text.into(), topic: "t".into() };
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
            opened ring-default for ann bob: ann was corrected 3 times within minutes. What is misunderstood, and what should ann do instead?
            fired monitor repeated_corrections normal, rests until 10:00, opened m15.2
            > wait 300001ms
            > sees bob corrected
            > sees bob corrected
            > sees cy corrected
            > sees bob corrected
            found repeated_corrections: bob (3)
            opened ring-default for bob ann cy: bob was corrected 3 times within minutes. What is misunderstood, and what should bob do instead?
            fired monitor repeated_corrections normal, rests until 15:00, opened m20.2
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
            opened ring-quick for ann bob cy dee: ann has made no progress for 5 minutes. What is in the way, and who can help?
            fired monitor stalled_progress low, rests until 10:00, opened m18.1
            > wait 299999ms
            found stalled_progress: bob (300)
            opened ring-quick for bob ann cy dee: bob has made no progress for 5 minutes. What is in the way, and who can help?
            fired monitor stalled_progress low, rests until 14:59, opened m19.1
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
            opened ring-quick for ann bob: ann has made no progress for 10 minutes. What is in the way, and who can help?
            fired monitor stalled_progress low, rests until 15:00, opened m13.1
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
            opened ring-default for ann bob: ann and bob reported contradictory insights about Cache. Which of them is right?
            fired monitor insight_contradictions normal, rests until 5:00, opened m14.2
            > sees cy finds limit: the limit is 5 calls
            > wait 300s
            > sees dee finds limit: the limit is 7 calls
            found insight_contradictions: cy dee (2) over limit
            opened ring-default for cy dee: cy and dee reported contradictory insights about limit. Which of them is right?
            fired monitor insight_contradictions normal, rests until 10:00, opened m17.2
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
            opened ring-strict for ann bob: ann and bob asked people for help 3 times within minutes. What can the agents not settle, and how should they continue?
            fired monitor human_escalation_cluster high, rests until 8:00, opened m14.2
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
            opened ring-strict for ann bob: Which of the pending decisions should be made now, and how?
            fired scheduled high, rests until 10:00, opened m13
            taken which queue
            found stalled_progress: ann (300)
            opened ring-quick for ann bob: ann has made no progress for 5 minutes. What is in the way, and who can help?
            fired monitor stalled_progress low, rests until 10:00, opened m13.9
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
