//! All shipped modes from end to end: rehearsed, scripted and with models on HTTP, with one seat and with
//! several. Whatever the mode, the exit code is the decision, the record holds, and people read statements
//! in seat order.

mod delphi;
mod own;
mod requests;

use serde_json::{Value, json};

use crate::houses::finish;
use crate::world::{Place, Run, each};

const TOPIC: &str = "Should we cache the index?";
const NAMES: [&str; 6] = ["ann", "bob", "cid", "dan", "eve", "fay"];

/// How a mode gives the floor, and so what its speakers see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Floor {
    Parallel,
    Sequential,
    Teams,
}

const MODES: [(&str, Floor); 8] = [
    ("blind-vote", Floor::Parallel),
    ("collaborative", Floor::Parallel),
    ("adversarial", Floor::Sequential),
    ("socratic", Floor::Sequential),
    ("expert-panel", Floor::Parallel),
    ("devils-advocate", Floor::Sequential),
    ("delphi", Floor::Parallel),
    ("red-team-blue-team", Floor::Teams),
];

/// Sizes of a council: alone, a pair that can tie, and odd ones.
const SIZES: [usize; 4] = [1, 2, 3, 5];

/// A debate in JSON under a charter, all its rounds held.
#[track_caller]
fn debate(place: &Place, charter: &str, seats: &[String], more: &[&str]) -> (Run, Value) {
    let mut args = vec![
        "debate",
        TOPIC,
        "--json",
        "--quiet",
        "--no-synthesis",
        "--set=watch.early=0",
        "--charter",
        charter,
    ];
    args.extend(seats.iter().map(String::as_str));
    args.extend(more);
    let run = place.run(args);
    let told = run.json();
    decided(&run, &told["report"]);
    (run, told["report"].clone())
}

/// The exit code is the decision, and all that is printed says the same.
#[track_caller]
fn decided(run: &Run, report: &Value) {
    let (code, word) = match report["status"].as_str() {
        Some("passed") => (0, "PASSED"),
        Some("rejected") => (1, "REJECTED"),
        Some("undecided") => (2, "UNDECIDED"),
        Some("contested") => (2, "CONTESTED"),
        other => panic!("a debate ended as {other:?}\n{run}"),
    };
    assert_eq!(run.code, code, "the exit code is not the decision\n{run}");
    assert!(!report["decision"].is_null(), "no decision\n{run}");
    let headline = report["headline"].as_str().unwrap_or_default();
    assert!(headline.starts_with(word), "`{headline}` for {word}\n{run}");
}

/// Everybody speaks in every round and votes on every ballot, and is read in seat order.
#[track_caller]
fn in_seat_order(report: &Value, names: &[&str]) {
    for round in report["rounds"].as_array().expect("rounds") {
        assert_eq!(each(&round["said"], "who"), names, "round {} of {}", round["round"], report["charter"]);
    }
    for ballot in report["ballots"].as_array().expect("ballots") {
        assert_eq!(each(&ballot["votes"], "who"), names, "{} of {}", ballot["stage"], report["charter"]);
    }
}

#[test]
fn every_mode_can_be_rehearsed() {
    let place = Place::new();
    for (mode, _) in MODES {
        for size in SIZES {
            let seats: Vec<String> =
                NAMES[..size].iter().map(|name| format!("--seat={name}=rehearsal")).collect();
            let (run, report) = debate(&place, mode, &seats, &["--everyone"]);
            assert_eq!(report["charter"]["name"], mode);
            assert_eq!(report["caveats"][0], "rehearsal only, nobody reasoned", "{run}");
            in_seat_order(&report, &NAMES[..size]);
            assert_eq!(report["missing"], json!([]), "{mode} with {size}");
            assert_eq!(report["marked"], json!([]), "a rehearsal keeps to the rules of {mode}");
        }
    }
    let matters = place.json(["list"]);
    assert_eq!(matters.as_array().map(Vec::len), Some(MODES.len() * SIZES.len()));
    finish(place);
}

/// The parts of a mode, seat by seat: role and the side it is ordered to take. None where seats are free.
fn parts(mode: &str, size: usize) -> Vec<(&'static str, &'static str)> {
    let line = match mode {
        "devils-advocate" => ["P", "PO", "POE", "POEE", "PPOOE", "PPOOEE"][size - 1],
        "red-team-blue-team" => &"RBRBRB"[..size],
        _ => "",
    };
    let part = |letter| match letter {
        'P' => ("primary", "yes"),
        'O' => ("opposition", "no"),
        'E' => ("evaluator", "neutral"),
        'R' => ("red", "no"),
        _ => ("blue", "yes"),
    };
    line.chars().map(part).collect()
}

/// A script in which seats at even places say NO and the others YES, but where a part orders otherwise;
/// the first seat is the last to answer.
fn script(mode: &str, size: usize) -> String {
    let parts = parts(mode, size);
    let mut blocks = Vec::new();
    for (place, name) in NAMES.iter().enumerate() {
        let side = if place % 2 == 0 { "NO" } else { "YES" };
        let stance = parts.get(place).map_or(side.into(), |(_, ordered)| ordered.to_uppercase());
        let late = |round| if place == 0 && round == 1 { "@delay 100\n" } else { "" };
        for round in 1..=3 {
            let said = json!({
                "stance": stance,
                "position": format!("{name} speaks in round {round} under {mode}"),
                "reasoning": "for a reason",
                "key_points": ["a point"],
                "questions": "To all: what would change your mind?",
                "confidence": 0.7,
            });
            blocks.push(format!("@speak {round}\n@seat {name}\n{}{said}\n", late(round)));
        }
        let vote = json!({ "vote": side, "reason": format!("{name} has weighed it"), "confidence": 0.7 });
        blocks.push(format!("@vote\n@seat {name}\n{}{vote}\n", late(1)));
    }
    blocks.join("---\n")
}

/// The seats whose answers came in, in the order they came, by the journal.
fn as_they_came(place: &Place, since: usize, names: &[&str]) -> Vec<usize> {
    let answers = place.acts().into_iter().skip(since).filter_map(|act| {
        let text = act["command"]["answer"]["text"].as_str()?.to_string();
        names.iter().position(|name| text.contains(&format!("{name} speaks in round 1")))
    });
    answers.collect()
}

#[test]
fn every_mode_follows_a_script_and_reads_in_seat_order_whoever_is_late() {
    for (mode, floor) in MODES {
        let place = Place::new();
        for size in SIZES {
            let names = &NAMES[..size];
            place.write("script.txt", script(mode, size));
            let seats: Vec<String> =
                names.iter().map(|name| format!("--seat={name}=script:script.txt")).collect();

            let before = place.rows().len();
            let (run, report) = debate(&place, mode, &seats, &["--everyone"]);
            // Of one seat, three and five more than half say NO; of two, one each.
            assert_eq!(run.code, if size == 2 { 2 } else { 1 }, "{mode} with {size}\n{run}");
            in_seat_order(&report, names);
            assert_eq!(report["missing"], json!([]), "{mode} with {size}");
            assert_eq!(report["marked"], json!([]), "{mode} with {size}");

            let came = as_they_came(&place, before, names);
            assert_eq!(came.len(), size, "{mode} with {size}");
            match floor {
                Floor::Sequential => assert!(came.is_sorted(), "{mode}: in turn, {came:?}"),
                Floor::Parallel => assert_eq!(came.last(), Some(&0), "{mode}: the late one last, {came:?}"),
                // The first is red and so are all who wait for it; blue goes on meanwhile.
                Floor::Teams if size > 1 => assert_eq!(came.first(), Some(&1), "{mode}: {came:?}"),
                Floor::Teams => assert_eq!(came, [0]),
            }
            let page = place.run(["export"]).exits(0).out;
            let at = |name: &&str| page.find(&format!("{name} speaks in round 1 under {mode}"));
            let places: Vec<Option<usize>> = names.iter().map(at).collect();
            assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{mode}: {places:?}\n{page}");
        }
        finish(place);
    }
}

#[test]
fn parts_are_dealt_by_the_number_of_seats() {
    let place = Place::new();
    for mode in ["devils-advocate", "red-team-blue-team"] {
        for size in 1..=6 {
            let seats: Vec<String> =
                NAMES[..size].iter().map(|name| format!("--seat={name}=rehearsal")).collect();
            let (_, report) = debate(&place, mode, &seats, &[]);
            let dealt = report["seats"].as_array().expect("seats").iter();
            let dealt: Vec<(&str, &str)> = dealt
                .map(|seat| (seat["role"].as_str().unwrap_or("-"), seat["ordered"].as_str().unwrap_or("-")))
                .collect();
            assert_eq!(dealt, parts(mode, size), "{mode} with {size} seats");
        }
    }
    finish(place);
}

#[test]
fn who_speaks_against_an_order_is_marked_and_heard_as_they_spoke() {
    let place = Place::new();
    let stubborn = r#"{"stance":"YES","position":"I will not oppose it","reasoning":"it is good","key_points":["a point"],"confidence":0.9}"#;
    place.write(
        "script.txt",
        format!("@speak\n{stubborn}\n---\n@vote\n{{\"vote\":\"YES\",\"reason\":\"r\"}}\n"),
    );
    let seats = ["ann", "bob"].map(|name| format!("--seat={name}=script:script.txt"));
    let (run, report) = debate(&place, "devils-advocate", &seats, &[]);
    assert_eq!(run.code, 0, "the vote is free\n{run}");
    assert_eq!(each(&report["marked"], "who"), ["bob", "bob"], "once a round: {}", report["marked"]);
    assert_eq!(report["rounds"][0]["said"][1]["response"]["stance"], "yes", "never silently rewritten");
    finish(place);
}
