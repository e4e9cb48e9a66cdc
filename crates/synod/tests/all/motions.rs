//! A parliament from the command line and over HTTP: proposed, seconded, run, killed, resumed, replayed, exported.

use std::path::Path;

use serde_json::{Value, json};

use crate::houses::finish;
use crate::world::{Place, Started};

const MOTION: &str = "We establish a provisional advisory body that publishes its minutes.";

fn propose(place: &Place, more: &[&str]) -> Value {
    let mut args =
        vec!["motion", "propose", MOTION, "--as", "Bael", "--roster", "archons", "--rehearse", "--json"];
    args.extend(more);
    place.run(args).exits(0).json()
}

/// The acts of a house so far; none while it is not there.
fn acts(place: &Place) -> usize {
    if place.journal().is_file() { place.rows().len() } else { 0 }
}

#[test]
fn seventy_two_members_hold_three_rounds_through_a_kill() {
    let place = Place::new();
    let set = ["--type", "constitutional", "--set", "debate.rounds=3", "--seconded-by", "Agares"];
    let put = propose(&place, &set);
    assert_eq!((put["status"].as_str(), put["number"].as_u64()), (Some("seconded"), Some(1)));
    // Killed somewhere in the debate.
    let before = acts(&place);
    let mut running = place.start(["motion", "run"]);
    while acts(&place) < before + 200 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert!(!running.is_over(), "it ended before it could be killed");
    }
    running.kill();
    let kept = place.acts();
    let run = place.run(["motion", "run"]);
    assert!([0, 1].contains(&run.code), "it came to a decision: {}", run.err);
    assert_eq!(place.acts()[..kept.len()], kept[..], "nothing that was recorded is lost");
    let shown = place.run(["motion", "show", "--json"]).exits(0).json();
    let motion = &shown["motion"];
    let count = |of: &str| {
        let side = |side: &str| motion[of][side].as_u64().unwrap_or(0);
        side("yes") + side("no") + side("neutral") + side("unknown")
    };
    let report = place.report();
    let statements = report["rounds"].as_array().expect("rounds").iter();
    let said: usize = statements.map(|round| round["said"].as_array().map_or(0, Vec::len)).sum();
    assert_eq!(count("all") as usize, said);
    assert_eq!(said, 3 * 72 + 5, "every member once a round, and a red team of five");
    let forced = motion["forced"].as_array().expect("a list").len() as u64;
    assert_eq!(count("all") - count("free"), forced);
    let order: Vec<&str> = report["rounds"][0]["said"]
        .as_array()
        .expect("statements")
        .iter()
        .filter_map(|said| said["who"].as_str())
        .collect();
    let second: Vec<&str> = report["rounds"][1]["said"]
        .as_array()
        .expect("statements")
        .iter()
        .filter_map(|said| said["who"].as_str())
        .collect();
    assert_eq!(order, second, "the same order in every round");
    place.run(["replay"]).exits(0);
    place.run(["verify"]).exits(0);
    place.run(["motion", "diagnose"]).exits(0).prints("Would it pass");
    place.run(["export", "1", "--out", "motion.md"]).exits(0);
    let page = std::fs::read_to_string(place.dir().join("motion.md")).expect("an export");
    assert!(page.contains("The motion: debate, ordered speech, divergences"), "{page}");
    let receipt = place.json(["receipt", "1"]);
    assert_eq!(receipt["body"]["tally"]["seats"], json!(72));
    finish(place);
}

#[test]
fn a_motion_is_seconded_withdrawn_and_tabled_by_those_who_may() {
    let place = Place::new();
    assert_eq!(propose(&place, &[])["status"], json!("proposed"));
    let own = place.run(["motion", "second", "--as", "Bael"]);
    assert_eq!(own.code, 64);
    assert!(own.err.contains("another seat has to second it"), "{}", own.err);
    place.run(["motion", "second", "--as", "Agares"]).exits(0).prints("motion 1 is seconded");
    place.run(["motion", "withdraw", "--as", "Agares"]).exits(64);
    place.run(["motion", "withdraw", "--as", "Bael"]).exits(0).prints("motion 1 is withdrawn");
    propose(&place, &[]);
    place.run(["motion", "table", "2"]).exits(0).prints("motion 2 is tabled");
    place.run(["motion", "show", "1"]).exits(0).prints("withdrawn");
    place.run(["debate", "Tea?", "--rehearse", "--quiet"]);
    place.run(["motion", "show", "3"]).exits(64);
    finish(place);
}

#[test]
fn a_roster_is_read_or_refused_with_its_flaws() {
    let place = Place::new();
    place.write("members.toml", "[[archon]]\nname = \"Ann\"\nrank = \"emperor\"\n");
    let run = place.run(["motion", "propose", "We adjourn.", "--roster", "members.toml", "--rehearse"]);
    assert_eq!(run.code, 65);
    assert!(run.err.contains("members.toml:3: `archon.rank`: \"emperor\" is not a rank here"), "{}", run.err);
    let run = place.run(["motion", "propose", "We adjourn.", "--roster", "archons"]);
    assert_eq!(run.code, 64);
    assert!(run.err.contains("--answered-by openai:MODEL"), "{}", run.err);
    let run = place.run(["motion", "propose", "We adjourn.", "--roster", "nobody.toml", "--rehearse"]);
    assert_eq!(run.code, 66);
    place.spoil();
}

#[test]
fn the_guide_of_the_parliament_works() {
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("a folder").display().to_string();
    let place = Place::new().with("PATH", &format!("{binary}:/usr/bin:/bin"));
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/parliament.md");
    let text = std::fs::read_to_string(guide).expect("the guide");
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut ran = 0;
    for block in blocks {
        let mut shell = place.bare("sh");
        shell.args(["-ec", block]);
        Started::of(shell, b"").wait().exits(0);
        ran += 1;
    }
    assert!(ran >= 4, "{ran}");
    finish(place);
}
