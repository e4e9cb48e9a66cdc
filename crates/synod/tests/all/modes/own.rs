//! A new mode is one file: its words reach the model, its sections are asked for and kept.

use serde_json::{Value, json};

use super::TOPIC;
use super::requests::{filled, form, round};
use crate::houses::finish;
use crate::server::{Server, say};
use crate::world::{Place, each};

/// A premortem: suppose it has failed, and ask what it died of.
const PREMORTEM: &str = r#"
name = "premortem"
title = "Premortem"
summary = "Everyone looks back from a failure that has not happened yet, then names what would have prevented it."

[turn]
limit_ms = { is = 60_000, from = 1_000, to = 600_000 }  # looking back takes no longer than looking ahead
person_limit_ms = 3_600_000                             # people have other things to do
queue_ms = 3_600_000                                    # waiting for a rate limit costs nobody a turn
absent_after = 2                                        # twice silent in a row is gone
history_chars = 6_000                                   # stories of failure are short

[gate]
stance_required = true           # a story that takes no side does not help the vote
required_fields = ["cause_of_death"]
chars_most = 10_000              # a dump is no story

[ballot]
pass = ">= 2/3"                  # what may die of a known cause needs more than half
basis = "cast"
quorum = "1/2"
tie = "undecided"
unparsed_retries = 1
change_needs_argument = false

[watch]
groupthink = true
consensus = ">= 9/10"
confidence = ">= 17/20"
still_rounds = 2
early = 0                        # agreement on a cause of death is no reason to stop looking for others

[[stage]]
name = "autopsy"
kind = "speak"
floor = "parallel"               # nobody borrows another's cause of death
sees = "earlier-rounds"
rounds = 2                       # one to find causes, one to weigh them

[[stage]]
name = "vote"
kind = "vote"

[brief.role]
emoji = "🕯️"
title = "Coroner"
definition = "A year has passed and the proposal was carried out. It has failed badly."
mission = "Say what it died of, while there is still time to prevent it."
persistence = "Stay in that year until the vote."
helpful = "one concrete cause that others would not have named."
not_helpful = "general caution."

[brief.contract]
must = ["Tell the failure as something that happened."]
must_not = ["Say that all will be well."]
priority = ["Being concrete.", "Being brief."]
failure = "A story that would fit any project warns of none."

[[brief.first]]
key = "position"
ask = "What became of it, in one sentence."

[[brief.first]]
key = "cause_of_death"
ask = "The chain of events that killed it."

[[brief.first]]
key = "early_sign"
ask = "What could have been seen a month before."

[[brief.later]]
key = "position"
ask = "The cause you now hold likeliest, in one sentence."

[[brief.later]]
key = "cause_of_death"
ask = "That cause as a chain of events, with what others added."

[[brief.later]]
key = "vaccine"
ask = "The cheapest step that would have prevented it."

[brief]
checklist = ["Would it surprise the proposal's author?"]
"#;

/// The further sections of a statement.
fn sections(said: &Value) -> Vec<(String, String)> {
    serde_json::from_value(said["response"]["sections"].clone()).expect("sections")
}

#[test]
fn a_charter_in_a_file_is_a_mode() {
    let server = Server::start(|request| {
        let words = format!("{} in round {}", request.seat(), round(request).unwrap_or(0));
        say(filled(request, "NO", &words))
    });
    let place = Place::new();
    let file = place.write("modes/premortem.toml", PREMORTEM).display().to_string();
    place.run(["charter", "check", &file]).exits(0).prints("good");
    let (ann, bob) = (server.seat("ann"), server.seat("bob"));
    let run = place.run(["debate", TOPIC, "--charter", &file, &ann, &bob, "--no-synthesis"]).exits(1);
    run.tells("charter: premortem (Premortem)").prints("REJECTED: 0 of 2 votes for it, needs at least 2/3");

    let log = server.log();
    assert_eq!(log.len(), 6, "two rounds and a vote of two");
    for seen in &log {
        let told = seen.request.told();
        assert!(
            told.contains("# 🕯️ Coroner") && told.contains("Stay in that year until the vote."),
            "{told}"
        );
        let (name, fields) = form(&seen.request);
        let asked: Vec<&str> = fields.keys().map(String::as_str).collect();
        let expected: &[&str] = match round(&seen.request) {
            Some(1) => &["stance", "position", "cause_of_death", "early_sign", "confidence"],
            Some(_) => &["stance", "position", "cause_of_death", "vaccine", "confidence"],
            None => &["vote", "reason", "change_if", "conditions", "confidence"],
        };
        assert_eq!(
            (name.as_str(), sorted(&asked)),
            (if round(&seen.request).is_some() { "speech" } else { "vote" }, sorted(expected))
        );
    }
    let first = &log[0].request;
    assert!(first.told().contains("- early_sign: What could have been seen a month before."));

    let report = place.report();
    assert_eq!(report["charter"]["name"], "premortem");
    assert_eq!((&report["marked"], &report["repaired"]), (&json!([]), &json!([])));
    let rounds = report["rounds"].as_array().expect("rounds");
    assert_eq!(each(&report["rounds"], "stage"), ["autopsy", "autopsy"]);
    for (nth, second) in [(0, "early_sign"), (1, "vaccine")] {
        let said = &rounds[nth]["said"][1];
        let in_round = |key: &str| (key.to_string(), format!("bob in round {}, {key}", nth + 1));
        assert_eq!(sections(said), [in_round("cause_of_death"), in_round(second)]);
    }
    place.run(["export"]).exits(0).prints("bob in round 2, vaccine");
    finish(place);
}

fn sorted<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}
