//! The file of numbers: what ships, what is flawed, what is read.

use expect_test::expect;
use synod_core::kernel::{Permille, Priority};
use synod_core::regulation::Regulation;

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
