//! Councils that are called from the terminal, and agents that are watched.

use serde_json::Value;

use crate::houses::finish;
use crate::world::{Place, Started};

fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn every_trigger_from_the_terminal() {
    let place = Place::new();
    let fired = place.json(["trigger", "user", "REST or GraphQL?", "--with", "ann", "--with", "Bob"]);
    assert_eq!((&fired["event"], &fired["charter"]), (&"fired".into(), &"ring-default".into()));
    assert_eq!(fired["seats"], serde_json::json!(["ann", "bob"]));
    let again = place.run(["trigger", "user", "REST or GraphQL?", "--with", "ann", "--with", "bob"]);
    again.exits(0);

    let agent = |confidence: &str, reason: &str| {
        let told =
            ["trigger", "agent", "ann", "--confidence", confidence, "--reason", reason, "--with", "bob"];
        place.json(told)
    };
    assert_eq!(agent("0.59", "Conflicting design patterns detected")["code"], "below");
    assert_eq!(agent("0.9", "need help")["code"], "unlisted");
    let asked = agent("0.8", "Conflicting design patterns detected");
    assert_eq!((&asked["priority"], &asked["of"]), (&"high".into(), &"conflicting_designs".into()));
    assert_eq!(agent("0.8", "conflicting_designs")["code"], "resting");
    assert_eq!(agent("0.7", "security_concern")["priority"], "normal", "each reason rests by itself");

    let with = ["--with", "ann", "--with", "bob"];
    let call = |words: &[&str]| place.json(["trigger"].iter().chain(words).chain(&with));
    assert_eq!(call(&["checkpoint", "security_change"])["charter"], "ring-critical");
    assert_eq!(call(&["checkpoint", "milestone"])["code"], "unflagged");
    assert_eq!(call(&["checkpoint", "milestone", "--flagged"])["charter"], "ring-default");
    assert_eq!(call(&["phase", "design", "implement"])["of"], "design");
    assert_eq!(call(&["phase", "implement", "test"])["code"], "other_phase");
    assert_eq!(call(&["threshold", "risk", "0.59"])["code"], "below");
    assert_eq!(call(&["threshold", "risk", "0.9"])["charter"], "ring-strict");
    assert_eq!(place.json(["trigger", "scheduled"])["code"], "nothing_pending");

    let listed = place.json(["trigger", "list"]);
    let row = |name: &str| {
        let rows = listed["triggers"].as_array().expect("rows");
        rows.iter().find(|row| row["trigger"] == name).expect("it is listed").clone()
    };
    assert_eq!((&row("user")["cooldown_ms"], row("user")["last_fired"].is_string()), (&0.into(), true));
    assert_eq!(row("monitor")["last_fired"], Value::Null);
    assert_eq!(row("checkpoint")["resting"].as_array().map(Vec::len), Some(2));
    assert_eq!(listed["in_force"], true);
    finish(place);
}

#[test]
fn exit_codes_tell_what_came_of_a_trigger() {
    let place = Place::new();
    place.run(["trigger", "user", "x", "--with", "ann", "--with", "bob"]).exits(0);
    place.run(["trigger", "checkpoint", "milestone"]).exits(1);
    let alone = place.run(["trigger", "user", "x", "--with", "ann"]);
    let alone = alone.exits(2);
    assert!(alone.out.contains("opened no matter: a council needs 2 participants"), "{alone}");
    let twice = place.run(["trigger", "user", "x", "--with", "ann", "--with", "Ann"]);
    let twice = twice.exits(64);
    assert!(twice.err.contains("is named twice"), "{twice}");
    let much = place.run(["trigger", "threshold", "risk", "1.5"]);
    let much = much.exits(64);
    assert!(much.err.contains("`1.5` is not a fraction from 0 to 1"), "{much}");
    place.run(["trigger", "user", " ", "--with", "ann", "--with", "bob"]).exits(64);
    finish(place);
}

#[test]
fn the_same_key_calls_once() {
    let place = Place::new();
    let call = ["trigger", "user", "x", "--with", "ann", "--with", "bob", "--key", "k1"];
    let (first, second) = (place.json(call), place.json(call));
    assert_eq!(first["matter"], second["matter"]);
    let other = place.run(["trigger", "user", "y", "--with", "ann", "--with", "bob", "--key", "k1"]);
    let other = other.exits(64);
    assert!(other.err.contains("this key was already used for another command"), "{other}");
    finish(place);
}

#[test]
fn bad_lines_are_told_with_their_number_and_the_rest_goes_on() {
    let place = Place::new();
    let long = "x".repeat(70_000);
    let input = [
        r#"{"agent":"ann","kind":"write","path":"src/a.rs"}"#,
        "not json",
        "",
        r#"["a"]"#,
        r#"{"agent":"bob","kind":"wirte","path":"src/a.rs"}"#,
        r#"{"agent":"bob","kind":"write"}"#,
        r#"{"agent":"bob","kind":"write","path":"a","why":"b"}"#,
        r#"{"agent":"b/b","kind":"write","path":"a"}"#,
        r#"{"agent":"zed","kind":"write","path":" "}"#,
        &long,
        r#"{"agent":"Bob","kind":"write","path":"./src/a.rs"}"#,
    ];
    let run = place.feed(["watch"], input.join("\n").as_bytes());
    let run = run.exits(65);
    assert!(run.out.starts_with("found conflicting_edits: ann, bob, src/a.rs\n"), "{run}");
    assert!(run.out.contains("monitor conflicting_edits fired, high: matter"), "{run}");
    for told in [
        "line 2: this is not JSON: expected ident at column 2",
        "line 4: this is a list",
        "line 5: `kind` is `wirte`, which is not known. Did you mean `write`?",
        "line 6: `path` is missing",
        "line 7: `why` is not known here: write takes path",
        "line 8: `agent`: the name `b/b` holds '/'",
        "line 9: the path of the observation is empty",
        "line 10: the line is longer than 65536 bytes",
        "2 observations recorded, 8 lines invalid, 1 pattern found, 1 matter opened",
    ] {
        assert!(run.err.contains(told), "{told}\n{run}");
    }
    finish(place);
}

#[test]
fn what_is_watched_as_json() {
    let place = Place::new();
    let seen = |agent: &str, rest: &str| format!(r#"{{"agent":"{agent}",{rest}}}"#);
    let input = [
        seen("ann", r#""kind":"opinion","topic":"queue","text":"I disagree""#),
        seen("bob", r#""kind":"opinion","topic":"Queue","text":"whatever","stance":"for""#),
        seen("ann", r#""kind":"insight","subject":"cache","text":"the cache is safe under load""#),
        seen("bob", r#""kind":"insight","subject":"cache","text":"the cache is not safe under load""#),
        seen("cy", r#""kind":"correction""#),
        seen("cy", r#""kind":"correction","text":"no""#),
        seen("cy", r#""kind":"correction","text":null"#),
        seen("ann", r#""kind":"escalation""#),
        seen("bob", r#""kind":"escalation""#),
        seen("ann", r#""kind":"escalation""#),
        seen("ann", r#""kind":"progress","done":true"#),
        seen("ann", r#""kind":"read","path":"a""#),
        seen("ann", r#""kind":"pending","topic":"which region""#),
        seen("ann", r#""kind":"pending","topic":"which queue""#),
        seen("ann", r#""kind":"decided","topic":"Which queue""#),
    ];
    let run = place.feed(["watch", "--json"], input.join("\n").as_bytes());
    let run = run.exits(0);
    let told = lines(&run.out);
    let found: Vec<&str> = told.iter().filter_map(|line| line["pattern"].as_str()).collect();
    assert_eq!(
        found,
        ["opinion_divergence", "insight_contradictions", "repeated_corrections", "human_escalation_cluster"]
    );
    let fired: Vec<&Value> = told.iter().filter(|line| line["event"] == "fired").collect();
    assert_eq!(fired.len(), 4);
    assert!(fired.iter().all(|line| line["matter"].is_string()), "{run}");
    let end = told.last().expect("an end");
    assert_eq!((&end["noted"], &end["bad"], &end["opened"]), (&15.into(), &0.into(), &4.into()));
    assert_eq!(place.json(["trigger", "list"])["pending"], serde_json::json!(["which region"]));
    finish(place);
}

#[test]
fn only_known_agents_if_so_wished() {
    let place = Place::new();
    let run = place.feed(["watch", "--known"], br#"{"agent":"ann","kind":"read","path":"a"}"#);
    let run = run.exits(65);
    assert!(run.err.contains("line 1: `ann` is not enrolled in this house"), "{run}");
    finish(place);
}

#[test]
fn a_house_changes_a_number_by_a_file() {
    let place = Place::new();
    place.write(
        ".synod/triggers.toml",
        "[monitor.conflicting_edits]\nleast = 3\n[charters]\nhigh = \"ring-quick\"\n",
    );
    let write = |agent: &str| format!("{{\"agent\":\"{agent}\",\"kind\":\"write\",\"path\":\"a\"}}\n");
    let run = place.feed(["watch"], (write("ann") + &write("bob")).as_bytes());
    let run = run.exits(0);
    assert_eq!(run.out, "");
    let run = place.feed(["watch"], write("cy").as_bytes());
    assert!(run.out.contains("under ring-quick with ann, bob, cy"), "{run}");

    place.write(".synod/triggers.toml", "[monitor.conflicting_edits]\nleast = 0\nwindow = 5\n");
    let run = place.run(["trigger", "list"]);
    let run = run.exits(65);
    for told in
        ["have 2 errors", "triggers.toml:2: `monitor.conflicting_edits.least`: 0 would", "triggers.toml:3:"]
    {
        assert!(run.err.contains(told), "{told}\n{run}");
    }
    place.write(".synod/triggers.toml", "[charters]\nlow = \"ring-lazy\"\n");
    let run = place.run(["trigger", "user", "x", "--with", "ann", "--with", "bob"]);
    assert!(
        run.err.contains("there is no charter `ring-lazy`") && run.err.contains("names it in [charters]"),
        "{run}"
    );
    finish(place);
}

#[test]
fn the_clock_finds_a_stall_while_nobody_writes() {
    let place = Place::new();
    place.write(".synod/triggers.toml", "[monitor.stalled_progress]\nafter_ms = 50\n");
    let mut command = place.command(["watch"]);
    command.stdin(std::process::Stdio::piped());
    let mut watch = Started::of(command, b"");
    watch.type_line(r#"{"agent":"bob","kind":"read","path":"a"}"#);
    watch.type_line(r#"{"agent":"ann","kind":"progress"}"#);
    watch.until("found stalled_progress: ann\nmonitor stalled_progress fired, low: matter", 0);
    watch.type_line(r#"{"agent":"ann","kind":"progress","done":true}"#);
    watch.close();
    watch.wait().exits(0).tells("3 observations recorded");
    finish(place);
}

#[test]
fn the_numbers_can_be_shown_and_checked() {
    let place = Place::new();
    let shown = place.run(["trigger", "rules"]);
    let shown = shown.exits(0);
    let file = place.write("mine.toml", &shown.out);
    let checked = place.run(["trigger", "rules", "--check", "mine.toml"]);
    let checked = checked.exits(0);
    assert_eq!(checked.out, "mine.toml has no errors\n", "{}", file.display());
    assert_eq!(place.json(["trigger", "rules"])["monitor"]["repeated_corrections"]["least"], 3);
    assert!(!place.house().exists(), "looking founds nothing");
}
