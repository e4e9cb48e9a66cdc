//! Steering a matter from the terminal: round by round, with what participants ask for, by forks, by looking
//! closely. Every command as people and as scripts see it, and every way it says no.

mod charters;
mod context;
mod forks;
mod lists;
mod looking;
mod rounds;
mod sources;

use serde_json::Value;

use crate::world::{Place, Run};

const TOPIC: &str = "Should we cache the index?";

/// Two seats that answer from one script, under a charter that does not end the talk early.
const TALK: [&str; 4] = [
    "--charter=collaborative",
    "--seat=ann=script:talk.txt",
    "--seat=bob=script:talk.txt",
    "--set=watch.early=0",
];

/// Ann moves from YES to NO in her second round, names a source twice and is never quite in form; Bob stays.
const SCRIPT: &str = r#"@speak 1
@seat ann
{"stance": "YES", "position": "Cache it.", "reasoning": "Reads dominate.", "key_points": ["reads dominate"],
 "citations": [{"url": "https://www.Example.org/paper/", "title": "The paper", "quote": "reads dominate"}],
 "open_questions": "How large is it?", "confidence": 0.8}
---
@speak
@seat ann
{"stance": "NO", "position": "Leave it.", "reasoning": "It does not fit.", "key_points": ["it does not fit"],
 "what_moved_me": "The size of the index, which nobody had measured before.",
 "citations": ["http://example.org/paper#size"], "confidence": 1.5}
---
@speak
@seat bob
{"stance": "YES", "position": "Cache it all.", "reasoning": "Users wait too long.", "confidence": 0.7}
---
@vote
@seat ann
{"vote": "NO", "reason": "It does not fit.", "change_if": "It shrinks.", "confidence": 0.9}
---
@vote
@seat bob
{"vote": "YES", "reason": "Users wait.", "change_if": "They do not.", "confidence": 0.7}
---
@judge
@seat jo
{"agreement": 0.4, "summary": "They differ over its size.", "common_ground": ["Speed matters."],
 "disagreements": ["Whether it fits."]}
---
@judge
@seat dan
@fail backend/http-500: the judge is down
---
@synthesize
@seat ann
{"summary": "Size decides.", "recommendation": "Measure first.", "agreed": ["Speed matters."],
 "disputed": ["Whether it fits."], "open_questions": ["How large is it?"], "next_steps": ["Measure."]}
"#;

/// A place with the script in it.
fn place() -> Place {
    let place = Place::new();
    place.write("talk.txt", SCRIPT);
    place
}

/// Opens a debate of the two with further arguments; of three rounds where they do not say how many.
#[track_caller]
fn debate(place: &Place, more: &[&str]) -> Run {
    let said = more.iter().any(|word| word.starts_with("--rounds"));
    let rounds: &[&str] = if said { &[] } else { &["--rounds=3"] };
    place.run([&["debate", TOPIC], &TALK[..], rounds, more].concat())
}

/// The id of the last matter.
#[track_caller]
fn last(place: &Place) -> String {
    let list = place.json(["list"]);
    let row = list.as_array().and_then(|rows| rows.last()).expect("a matter");
    row["matter"].as_str().expect("an id").into()
}

/// The running number of the newest matter.
fn number(place: &Place) -> u64 {
    let list = place.json(["list"]);
    let row = list.as_array().and_then(|rows| rows.last()).expect("a matter");
    row["number"].as_u64().expect("a number")
}

fn rounds(report: &Value) -> usize {
    report["rounds"].as_array().map_or(0, Vec::len)
}

/// The command is refused with this code and these words; as JSON too.
#[track_caller]
fn refuses(place: &Place, args: &[&str], code: i32, words: &[&str]) {
    let run = words.iter().fold(place.run(args).exits(code), |run, words| run.tells(words));
    assert!(run.out.is_empty(), "a refusal prints no result\n{run}");
    let error = place.json(args)["error"].clone();
    assert_eq!(error["exit"], code, "{args:?}: {error}");
    let message = error["message"].as_str().unwrap_or_default();
    words.iter().for_each(|words| assert!(message.contains(words), "{args:?}: {message}"));
}
