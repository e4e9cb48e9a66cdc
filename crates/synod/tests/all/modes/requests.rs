//! What models on HTTP are sent under each mode: who sees what, in which form they are asked to answer.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Floor, MODES, NAMES, SIZES, debate, in_seat_order};
use crate::houses::finish;
use crate::server::{Reply, Request, Server, say};
use crate::world::{Place, each};

/// The form a request asks for, as the provider's schema has it: its name and its fields.
pub(super) fn form(request: &Request) -> (String, Map<String, Value>) {
    let format = &request.json()["response_format"]["json_schema"];
    let fields = format["schema"]["properties"].as_object().cloned();
    (format["name"].as_str().unwrap_or_default().into(), fields.unwrap_or_default())
}

/// The round a statement is asked for; none for a vote and for clerks.
pub(super) fn round(request: &Request) -> Option<usize> {
    let told = request.told();
    let line = told.lines().rev().find(|line| line.starts_with("# Now: your "))?;
    if line.ends_with("the only round") {
        return Some(1);
    }
    let (_, rest) = line.rsplit_once(", round ")?;
    rest.split([' ', ',']).next()?.parse().ok()
}

/// An answer in exactly the form the schema asks for. Texts hold `words`, choices fall on `side`, or on what
/// a part orders.
pub(super) fn filled(request: &Request, side: &str, words: &str) -> String {
    let told = request.told();
    let ordered = told.rsplit_once("Put \"stance\": \"").and_then(|(_, rest)| rest.split('"').next());
    let (_, fields) = form(request);
    assert!(!fields.is_empty(), "a request without a schema: {}", request.body);
    let fill = |(key, schema): (&String, &Value)| {
        // What may be null is filled in all the same.
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
        let value = match (kind, schema["enum"].as_array()) {
            (_, Some(choices)) => {
                let wanted = if key == "stance" { ordered.unwrap_or(side) } else { side };
                assert!(choices.iter().any(|choice| choice == wanted), "{key} offers no {wanted}");
                wanted.into()
            }
            (Some("number"), _) => json!(0.7),
            (Some("array"), _) if schema["items"]["type"] == "string" => json!([format!("{words}, {key}")]),
            (Some("array"), _) => json!([]),
            (Some("string"), _) => format!("{words}, {key}").into(),
            other => panic!("{key} is a {other:?}"),
        };
        (key.clone(), value)
    };
    Value::Object(fields.iter().map(fill).collect()).to_string()
}

/// The words of a seat in a round, which no other statement holds.
fn words(seat: &str, round: usize) -> String {
    format!("{seat} spoke in round {round}")
}

/// Seats at even places say YES and the others NO, in words that name seat and round.
fn server() -> Server {
    Server::start(|request| {
        let seat = request.seat();
        let place = NAMES.iter().position(|name| *name == seat).unwrap_or(0);
        let side = if place % 2 == 0 { "YES" } else { "NO" };
        match round(request) {
            Some(round) => say(filled(request, side, &words(&seat, round))),
            None => say(filled(request, side, &format!("{seat} voted"))),
        }
    })
}

/// Statements a request repeats, as seat and round, in any order.
fn repeated(request: &Request) -> Vec<(usize, usize)> {
    let told = request.told();
    let all = (0..NAMES.len()).flat_map(|place| (1..=9).map(move |round| (place, round)));
    all.filter(|(place, round)| told.contains(&words(NAMES[*place], *round))).collect()
}

/// Statements the speaker at a place has to see in a round, by the rules of its mode.
fn visible(mode: &str, floor: Floor, size: usize, place: usize, round: usize) -> Vec<(usize, usize)> {
    let sees = |other: usize, of: usize| match (mode, floor) {
        // Pseudonyms take the place of names, also inside what was said.
        ("delphi", _) => false,
        (_, Floor::Parallel) => of < round,
        (_, Floor::Sequential) => of < round || (of == round && other < place),
        (_, Floor::Teams) => of < round || (of == round && other < place && other % 2 == place % 2),
    };
    let all = (0..size).flat_map(|other| (1..=9).map(move |of| (other, of)));
    all.filter(|(other, of)| *of <= round && sees(*other, *of)).collect()
}

#[test]
fn every_mode_shows_its_speakers_what_it_says_and_no_more() {
    for (mode, floor) in MODES {
        let place = Place::new();
        let server = server();
        let charter = place.json(["charter", "show", mode])["charter"].clone();
        let mut done = 0;
        for size in SIZES {
            let (run, report) = debate(&place, mode, &server.seats(&NAMES[..size]), &[]);
            assert_eq!(run.code, if size == 2 { 2 } else { 0 }, "{mode} with {size}\n{run}");
            in_seat_order(&report, &NAMES[..size]);
            assert_eq!(
                (&report["missing"], &report["marked"], &report["repaired"]),
                (&json!([]), &json!([]), &json!([]))
            );

            let log = server.log();
            let mut asked = 0;
            for seen in &log[done..] {
                let seat = seen.request.seat();
                let at = NAMES.iter().position(|name| *name == seat).expect("a seat");
                let Some(round) = round(&seen.request) else { continue };
                asked += 1;
                let context = format!("{mode} with {size}: {seat} in round {round}");
                // Of rounds before the last a digest repeats what it has room for, and nothing that is not to be seen.
                let (shown, seen_by_rule) = (repeated(&seen.request), visible(mode, floor, size, at, round));
                assert!(shown.iter().all(|said| seen_by_rule.contains(said)), "{context}: {shown:?}");
                let recent = |said: &&(usize, usize)| said.1 + 1 >= round;
                assert!(
                    seen_by_rule.iter().filter(recent).all(|said| shown.contains(said)),
                    "{context}: {shown:?}"
                );
                wants(&charter, round, &seen.request, &context);
            }
            let said: usize = report["rounds"]
                .as_array()
                .expect("rounds")
                .iter()
                .map(|round| each(&round["said"], "who").len())
                .sum();
            assert_eq!(asked, said, "{mode} with {size}: one request for each statement");
            if floor == Floor::Sequential {
                in_turn(&log[done..].iter().map(|seen| seen.request.clone()).collect::<Vec<_>>(), size);
            }
            done = log.len();
        }
        finish(place);
    }
}

/// A round is asked for one after the other, in seat order.
fn in_turn(requests: &[Request], size: usize) {
    let order: Vec<(usize, String)> =
        requests.iter().filter_map(|request| Some((round(request)?, request.seat()))).collect();
    let rounds = order.last().map_or(0, |(round, _)| *round);
    let expected: Vec<(usize, String)> = (1..=rounds)
        .flat_map(|round| NAMES[..size].iter().map(move |name| (round, name.to_string())))
        .collect();
    assert_eq!(order, expected);
}

/// The sections of the first round are asked for in round one, also of whoever speaks second in it; those of
/// later rounds afterwards.
fn wants(charter: &Value, round: usize, request: &Request, context: &str) {
    let sections = &charter["procedure"]["council"]["brief"][if round == 1 { "first" } else { "later" }];
    let (name, fields) = form(request);
    assert_eq!(name, "speech", "{context}");
    let asked: Vec<&str> = fields.keys().map(String::as_str).collect();
    let told = request.told();
    for section in sections.as_array().expect("sections") {
        let (key, ask) = (section["key"].as_str().unwrap(), section["ask"].as_str().unwrap());
        // After the last round nobody could answer what is asked of the operator.
        if key == "context_requests" && !asked.contains(&key) {
            assert!(told.contains(", the last\n") || told.contains("the only round\n"), "{context}");
            continue;
        }
        assert!(asked.contains(&key), "{context}: `{key}` is not asked for, but {asked:?}");
        assert!(told.contains(ask), "{context}: the brief does not say what `{key}` is");
    }
    // Beside stance, confidence, and what one may ask the operator for.
    let more = asked.len() - 2 - usize::from(asked.contains(&"context_requests"));
    assert!(more <= each(sections, "key").len(), "{context}: {asked:?}");
    assert!(told.contains("# Form of your statement"), "{context}");
}

#[test]
fn a_part_is_told_to_the_seat_that_plays_it_and_ends_with_the_debate() {
    let place = Place::new();
    let server = server();
    debate(&place, "devils-advocate", &server.seats(&NAMES[..5]), &[]);
    debate(&place, "red-team-blue-team", &server.seats(&NAMES[..5]), &[]);
    let parts = ["🟢 Primary", "🟢 Primary", "🔴 Opposition", "🔴 Opposition", "⚖️ Evaluator"];
    let teams = ["🟥 Red team", "🟦 Blue team"];
    for seen in server.log() {
        let told = seen.request.told();
        let at = NAMES.iter().position(|name| *name == seen.request.seat()).expect("a seat");
        let part = if told.contains("# 🛡️ Red team, blue team") { teams[at % 2] } else { parts[at] };
        match round(&seen.request) {
            Some(_) => {
                assert!(told.contains(&format!("Your part: {part}. ")), "{part}\n{told}");
                assert_eq!(told.matches("Your part: ").count(), 1, "nobody else's part\n{told}");
            }
            None => {
                assert!(!told.contains("Your part: "), "a vote is free\n{told}");
                assert!(told.contains("The part you played is over: vote as you think."), "{told}");
            }
        }
    }
    finish(place);
}

/// Who is asked late, after a crash, is told what everybody of the round was told: what others have answered
/// meanwhile stays theirs until the round is over.
#[test]
fn a_late_speaker_of_a_parallel_round_sees_nothing_of_it_either() {
    for (mode, _) in MODES.into_iter().filter(|(mode, floor)| *floor == Floor::Parallel && *mode != "delphi")
    {
        let place = Place::new();
        let server = Server::start(|request| match (request.seat().as_str(), request.nth_of_seat) {
            ("bob", 1) => Reply::Hang,
            (seat, _) => say(filled(request, "YES", &words(seat, round(request).unwrap_or(0)))),
        });
        let mut args = vec!["debate".to_string(), "Should we?".into(), format!("--charter={mode}")];
        args.extend(server.seats(&NAMES[..2]));
        let mut first = place.start(&args);
        assert!(
            server.wait(|log| log.iter().any(|seen| seen.request.seat() == "bob")),
            "{mode}: bob is asked"
        );
        let begun = Instant::now();
        while !place.rows().iter().any(|(_, _, act)| act.contains(&words("ann", 1))) {
            assert!(begun.elapsed() < Duration::from_secs(30), "{mode}: ann's answer is never recorded");
            server.wait_for(Duration::from_millis(5), |_| false);
        }
        first.kill();
        place.run(["resume"]).exits(0);

        let log = server.log();
        let asked: Vec<String> = log
            .iter()
            .filter(|seen| seen.request.seat() == "bob" && round(&seen.request) == Some(1))
            .map(|seen| seen.request.body.clone())
            .collect();
        assert_eq!(asked.len(), 2, "{mode}: asked again after the crash");
        assert!(!asked[1].contains(&words("ann", 1)), "{mode}: the other's statement is told too early");
        assert_eq!(asked[0], asked[1], "{mode}: another request than before");
        finish(place);
    }
}
