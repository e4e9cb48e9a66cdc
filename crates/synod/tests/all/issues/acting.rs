//! Who acts: commands that an agent is shown act for that agent, names that stand for others are nobody's, and refusals of the rules
//! are no faults of the service.

use std::path::Path;

use serde_json::{Value, json};

use super::{GOOD, MORE, governed, token};
use crate::houses::finish;
use crate::service::Served;
use crate::world::{Place, Run, Started};

const GREEN: &str = "Mara's eyes are green.";
const BLUE: &str = "Mara's eyes are blue.";

/// What a hook says to the session of a participant.
fn hook(place: &Place, name: &str, event: &str, more: &Value) -> String {
    let mut input = json!({ "session_id": name, "cwd": place.dir(), "hook_event_name": event });
    input.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    let run =
        place.feed(["hook", "--within", "20s", "--no-observe", "--as", name], input.to_string().as_bytes());
    let said = run.exits(0).json();
    let inner = &said["hookSpecificOutput"];
    let words = inner["additionalContext"].as_str().or(inner["permissionDecisionReason"].as_str());
    // One after the other, each on a line of its own.
    format!("{}\n", words.unwrap_or_default())
}

/// Every command of Synod in a text, up to the end of its line, mark or sentence.
fn commands(text: &str) -> Vec<String> {
    let starts = text.match_indices("synod ").map(|(at, _)| &text[at..]);
    let ends = |rest: &str| rest.find(['`', ';', '\n']).unwrap_or(rest.len());
    starts.map(|rest| rest[..ends(rest)].trim().trim_end_matches('.').to_string()).collect()
}

/// Types a line that Synod printed.
fn typed(place: &Place, line: &str) -> Run {
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).display().to_string();
    let mut shell = place.bare("sh");
    shell.args(["-c", &line.replacen("synod", &binary, 1)]);
    Started::of(shell, b"").wait()
}

/// Who gave the last act, as the record has it.
fn last_by(place: &Place) -> String {
    place.acts().last().and_then(|act| act["by"].as_str().map(String::from)).unwrap_or_default()
}

#[test]
fn whatever_an_agent_is_shown_acts_for_that_agent() {
    let place = governed();
    place.run(["canon", "promote", "eyes", "--text", GREEN]).exits(0);
    place.run(["issue", "open", "Eye colours", "--assign", "writer", "--as", "writer"]).exits(0);
    place.run(["lease", "take", "src", "--as", "critic"]).exits(0);
    place.run(["lease", "take", "notes", "--as", "writer"]).exits(0);
    place.run(["lease", "ask", "notes", "--as", "critic"]).exits(0);
    place.write("c.md", BLUE);
    place.write("src/a.rs", "x");
    let edit = |path: &str| json!({ "tool_name": "Edit", "tool_input": { "file_path": path } });
    let mut told = hook(&place, "writer", "SessionStart", &json!({}));
    told += &hook(&place, "writer", "PreToolUse", &edit("src/a.rs"));
    told += &hook(&place, "writer", "PostToolUse", &edit("c.md"));
    told += &place.run(["lease", "take", "src", "--as", "writer"]).exits(64).err;
    told += &place.run(["canon", "check", "c.md", "--as", "writer"]).exits(1).out;
    told += &place.run(["issue", "comment", "2", "--as", "writer", "--body", "eh"]).exits(1).err;
    let loud = format!("{GOOD} This is URGENT and we MUST act.");
    told += &place.run(["issue", "comment", "2", "--as", "writer", "--body", &loud]).exits(1).err;
    told += &place.run(["issue", "notices", "--as", "mo"]).exits(0).out;
    let shown = commands(&told);
    assert!(shown.len() > 10, "{shown:?}");
    for command in &shown {
        let for_agent = [" --as 'writer'", " --as 'mo'"].iter().any(|who| command.contains(who));
        // Right behind the verb, where the settings of Claude Code look.
        let verb_first =
            command.split(' ').nth(3) == Some("--as") || command.starts_with("synod issue list ");
        assert!(for_agent && verb_first, "{command}");
        assert!(!command.contains(" override "), "an agent does not override: {command}");
    }
    let typed_by_agent = |with: &str| {
        let command = shown.iter().find(|command| command.contains(with)).expect(with);
        typed(&place, command).exits(0);
        last_by(&place)
    };
    assert_eq!(typed_by_agent("lease release"), "seat:writer");
    assert_eq!(typed_by_agent(" keep"), "seat:writer");
    assert_eq!(typed_by_agent(" discuss "), "seat:writer");
    finish(place);
}

#[test]
fn the_user_and_leads_are_offered_to_override_and_nobody_else() {
    let place = governed();
    place.run(["agents", "appoint", "lea", "--role", "lead"]).exits(0);
    place.run(["canon", "promote", "eyes", "--text", GREEN]).exits(0);
    place.run(["issue", "open", BLUE, "--as", "ann"]).exits(0);
    let conflicts = |who: &[&str]| place.run([&["canon", "conflicts"][..], who].concat()).exits(1).out;
    assert!(conflicts(&[]).contains("decide eyes@1 override"));
    assert!(conflicts(&["--as", "lea"]).contains("synod canon decide --as 'lea' eyes@1 override"));
    let (ann, critic) = (conflicts(&["--as", "ann"]), conflicts(&["--as", "critic"]));
    assert!(ann.contains(" discuss ") && !ann.contains(" keep") && !ann.contains(" override"), "{ann}");
    assert!(commands(&critic).is_empty() && critic.contains("the user or a lead decides it"), "{critic}");
    finish(place);
}

#[test]
fn settings_for_claude_code_let_nothing_be_written_without_a_name() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code/settings.json");
    let settings: Value = serde_json::from_slice(&std::fs::read(path).expect("the settings")).expect("JSON");
    let rules = settings["permissions"]["allow"].as_array().expect("rules");
    let readers = ["issue list", "lease list", "evidence check", "canon list", "canon check"];
    for rule in rules {
        let rule = rule.as_str().and_then(|rule| rule.strip_prefix("Bash(synod ")?.strip_suffix(":*)"));
        let rule = rule.expect("a command of Synod");
        // Commands of rings refuse to act for nobody.
        let named = rule.ends_with(" --as") || rule.starts_with("ring ") || readers.contains(&rule);
        assert!(named, "{rule} would act as the user");
    }
}

#[test]
fn names_that_stand_for_the_user_or_the_house_are_nobodys() {
    let place = governed();
    for name in ["user", "User", "system", "operator", "engine", "owner"] {
        place.run(["issue", "open", "A question", "--as", name]).exits(64).tells("cannot be the name");
        place.run(["agents", "appoint", name, "--role", "critic"]).exits(64).tells("cannot be the name");
        place.run(["token", "create", name]).exits(64).tells("--operator");
        let ring = ["ring", "open", "Shall we?", "--invite", "ann", "--invite", name];
        place.run(ring).exits(64).tells("cannot be the name");
        place.run(["issue", "change", "1", "--assign", name]).exits(64);
    }
    let known = place.json(["agents", "list"]).to_string();
    assert!(!known.contains("\"user\"") && !known.contains("\"system\""), "{known}");
    place.run(["token", "create", "owner", "--operator"]).exits(0);
    finish(place);
}

#[test]
fn what_the_ledger_refuses_is_no_fault_of_the_service() {
    let place = governed();
    let mo = token(&place, "mo");
    let served = Served::start(&place, &[]);
    let posted = served.post("/v1/issues/1/comments", &mo, &json!({ "body": GOOD })).is(200).json();
    let comment =
        posted["events"].as_array().expect("events").iter().find(|event| event["kind"] == "gate/posted");
    let id = comment.expect("a comment")["id"].clone();
    let outcome = json!({ "comment": id, "outcome": "prevented-error" });
    served.post("/v1/issues/1/outcomes", &mo, &outcome).fails(403, "ledger/self-award");
    served.end();
    finish(place);
}

#[test]
fn a_comment_whose_issue_freezes_meanwhile_is_a_conflict_and_can_be_sent_again() {
    let place = governed();
    let (ann, bob) = (token(&place, "ann"), token(&place, "bob"));
    // Large enough that the search takes longer than the freeze, on any machine.
    place.write("big.txt", "abcdefgh ".repeat(1_500_000));
    let served = Served::start(&place, &[]);
    let cited =
        json!({ "body": GOOD, "evidence": [format!("big.txt \"{}\"", "b".to_string() + &"a".repeat(900))] });
    let loud = json!({ "body": format!("{} This is URGENT and we MUST act.", MORE[0]) });
    let first = std::thread::scope(|scope| {
        let slow = scope.spawn(|| served.keyed("/v1/issues/1/comments", &ann, &cited, Some("k1")));
        while !place.acts().iter().any(|act| act["by"] == "seat:ann") {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        served.post("/v1/issues/1/comments", &bob, &loud).is(409);
        slow.join().expect("an answer")
    });
    if first.status == 409 && first.body.contains("workshop/frozen") {
        served.keyed("/v1/issues/1/comments", &ann, &cited, Some("k1")).fails(409, "workshop/frozen");
        served.post("/v1/issues/1/unfreeze", "", &json!({ "guidance": "Go on calmly." })).is(200);
        let again = served.keyed("/v1/issues/1/comments", &ann, &cited, Some("k1"));
        assert!(!again.body.contains("workshop/frozen"), "{} {}", again.status, again.body);
    } else {
        // The search was faster than the freeze: then it is judged as any other.
        assert!(first.body.contains("gate/"), "{} {}", first.status, first.body);
    }
    served.end();
    finish(place);
}

#[test]
fn small_things_that_newcomers_met() {
    let place = governed();
    place.write("src/a.rs", "x");
    place.run(["lease", "take", "src", "--as", "ann"]).exits(0);
    let asked = place.run(["lease", "ask", "src", "--as", "bob", "--issue"]).exits(0);
    asked.prints("issue #2 is open").prints("synod ring open");
    place.write("mine.md", "great idea");
    let refused = place.run(["issue", "comment", "1", "--as", "ann", "--file", "mine.md"]).exits(1);
    refused.tells("--file mine.md");
    place.run(["agents", "appoint", "critic", "--disable"]).exits(0);
    place.run(["issue", "challenge", "1"]).exits(1).prints("nobody who could object");
    place.run(["resolve", "1"]).exits(64).tells("synod issue resolve");
    let doctor = place.run(["doctor"]).out;
    assert!(!doctor.contains("resume with"), "{doctor}");
    finish(place);
    let fresh = Place::new();
    let made = fresh.run(["issue", "open", "A question"]).exits(0);
    made.tells("this makes a new house").tells(".synod");
    let again = fresh.run(["issue", "open", "Another"]).exits(0);
    assert!(!again.err.contains("new house"), "{again}");
    finish(fresh);
}
