//! Charters: shipped ones hold, flawed ones list every flaw, the schema says what the reader does.

mod inheritance;
mod settings;

use std::collections::BTreeSet;

use expect_test::expect;
use serde_json::Value;
use synod_core::charter::{Charter, Draft, Flaw, SHIPPED, parent, schema, shipped};

fn flaws(source: &str) -> String {
    match Charter::parse(source) {
        Ok((_, warnings)) => warnings.iter().map(|flaw| format!("warning {flaw}\n")).collect(),
        Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
    }
}

#[test]
fn shipped_charters_hold_without_a_warning() {
    for charter in SHIPPED.iter() {
        let (read, warnings) =
            Charter::parse(charter.source).unwrap_or_else(|flaws| panic!("{}: {flaws:?}", charter.name));
        assert_eq!(read.name, charter.name);
        // 67 % is the figure of the ring's protocol, and meant.
        let meant = |flaw: &&Flaw| charter.name == "ring-default" && flaw.key == "ballot.quorum";
        let warnings: Vec<&Flaw> = warnings.iter().filter(|flaw| !meant(flaw)).collect();
        assert!(warnings.is_empty(), "{}: {warnings:?}", charter.name);
        let json = serde_json::to_string(&read).unwrap();
        assert_eq!(serde_json::from_str::<Charter>(&json).unwrap(), read, "what holds survives the journal");
    }
}

#[test]
fn three_mistakes_are_three_flaws_with_line_and_remedy() {
    let source = shipped("blind-vote").unwrap().source;
    let source = source
        .replace("basis = \"cast\" ", "basis = \"casts\"")
        .replace("quorum =", "quorom =")
        .replace("\nrounds = 1 ", "\nrounds = \"one\" ");
    expect![[r#"
        line 32: `ballot.basis`: "casts" is not known (did you mean "cast"?); write one of "cast", "votes", "present", "seats"
        line 33: `ballot.quorom`: this key is not known; did you mean `quorum`?
        line 73: `stage.rounds`: this is a string; write a whole number, or { is = 2, from = 1, to = 5 } to let it be moved
    "#]].assert_eq(&flaws(&source));
}

#[test]
fn flaws_of_every_kind_are_found_in_one_go() {
    expect![[r#"
        line 1: `brief`: this table is missing; write [brief], as `synod charter show blind-vote` does
        line 2: `name`: "My Mode" is not a name; use a to z, 0 to 9 and `-`, at most 64 of them
        line 3: `title`: this text is empty; write a text in quotes
        line 4: `summary`: this is an integer; write a text in quotes
        line 6: `turn.limit_ms`: 5 is not between 10 and 20; write a whole number, or { is = 2, from = 1, to = 5 } to let it be moved
        line 7: `turn.absent_after`: this must not be 0; write 1 or more
        line 9: `ballot.pass`: 67/100 is taken literally, not as 2/3; write "2/3" if you mean that
        line 11: `ballot.quorum`: `2` cannot be read; write a fraction such as "2/3", "60%" or 0.6, or { is = "2/3", from = "1/2", to = "1" } to let it be moved
        line 12: `ballot.tie`: "coin" is not known; write one of "fails", "undecided", "earlier"
        line 18: `stage.floor`: "paralel" is not known (did you mean "parallel"?); write one of "parallel", "sequential", "teams"
        line 20: `stage.rounds`: a stage needs at least 1 round; write 1 or more
        line 23: `stage.kind`: the last stage is not a vote; end with a stage of kind = "vote", or kind = "estimate" for a number
        line 26: `stage.early`: only a vote can settle early; use `until_clear` here
    "#]].assert_eq(&flaws(
        r#"
name = "My Mode"
title = ""
summary = 7
[turn]
limit_ms = { is = 5, from = 10, to = 20 }
absent_after = 0
[ballot]
pass = "0.67"
basis = "cast"
quorum = "2"
tie = "coin"
[gate]
required_fields = ["verdict"]
[[stage]]
name = "talk"
kind = "speak"
floor = "paralel"
sees = "nothing"
rounds = 0
[[stage]]
name = "talk"
kind = "speak"
floor = "parallel"
sees = "so-far"
early = "2/3"
"#,
    ));
}

#[test]
fn broken_toml_and_nonsense_are_flaws_and_no_panic() {
    expect![[r#"
        line 2: this is not TOML: string values must be quoted, expected literal string
        line 3: this is not TOML: unclosed table, expected `]`
    "#]]
    .assert_eq(&flaws("name = \"x\"\ntitle = \n[ballot\npass = 1"));
    for nonsense in [
        "",
        "\u{feff}",
        "stage = 1",
        "[[stage]]\n[[stage.kind]]",
        "brief = []",
        "turn = { limit_ms = { is = -1 } }",
    ] {
        assert!(Charter::parse(nonsense).is_err(), "{nonsense}");
    }
}

#[test]
fn flaws_of_what_only_some_modes_have_are_found_too() {
    let source = shipped("devils-advocate").unwrap().source;
    let source = source
        .replace(
            "beyond = [\"primary\", \"opposition\", \"evaluator\"]",
            "beyond = [\"primary\", \"oposition\"]",
        )
        .replace("\"primary opposition\",", "\"primary opposition evaluator\",")
        .replace("expects = \"NEUTRAL\"", "expects = \"MAYBE\"")
        .replace("floor = \"sequential\"", "panel = [7, 5]\nfloor = \"sequential\"")
        .replace("sees = \"so-far\"", "sees = \"team\"")
        .replace("still_rounds = 2", "still_rounds = 0")
        .replace("[gate]", "[lens]\ntransforms = [\"anonymise\"]\n\n[gate]\nmoved_by = \"nowhere\"");
    let source =
        format!("{source}\n[[perspective]]\nname = \"security\"\n\n[[role]]\nname = \"bystander\"\n");
    expect![[r#"
        line 25: `lens.transforms`: "anonymise" is unknown; write "anonymize", "statistics" or both
        line 28: `gate.moved_by`: no section of brief.later is called "nowhere"; name a section that later rounds ask for
        line 44: `watch.still_rounds`: 0 is out of range; write a number from 1 to 100
        line 73: `roles.by_seats`: entry 2 names 3 roles; name 2 roles, one for each seat
        line 73: `roles`: there is no role "oposition"; did you mean `opposition`?
        line 73: `roles`: no seat is ever given the role "bystander"; name it in by_seats or beyond, or remove it
        line 108: `role.expects`: "MAYBE" is not known; write one of "YES", "NO", "NEUTRAL"
        line 110: `stage.sees`: this floor has no teams; write floor = "teams", or sees = "so-far"
        line 113: `stage.panel`: these are not rising numbers of seats; write a list such as [3, 5, 7]
        line 183: `perspective.view`: this is missing; write view = "what it looks at"
        line 186: `role.emoji`: this is missing; write emoji = "…"
        line 186: `role.title`: this is missing; write title = "…"
        line 186: `role.definition`: this is missing; write definition = "…"
        line 186: `role.mission`: this is missing; write mission = "…"
    "#]].assert_eq(&flaws(&source));
}

#[test]
fn a_decimal_is_taken_literally_and_the_checker_says_so() {
    let source = shipped("collaborative").unwrap().source;
    let source = source
        .replace("pass = \"> 1/2\"", "pass = 0.67")
        .replace("pass = { is = \"> 1/2\"", "pass = { is = 0.67");
    expect![[r#"
        warning line 30: `ballot.pass`: 67/100 is taken literally, not as 2/3; write "2/3" if you mean that
        warning line 56: `motion.pass`: 67/100 is taken literally, not as 2/3; write "2/3" if you mean that
    "#]]
    .assert_eq(&flaws(&source));
}

#[test]
fn what_a_ring_never_reads_is_told_with_its_line() {
    for ring in ["ring-default", "ring-quick", "ring-strict", "ring-critical"] {
        let source = shipped(ring).unwrap().source;
        let told = |source: &str| flaws(source).lines().any(|line| line.contains("unparsed_retries"));
        assert!(!told(source), "{ring}");
    }
    let source = shipped("ring-quick").unwrap().source.replace("quorum =", "unparsed_retries = 2\nquorum =");
    expect![[r#"
        warning line 26: `ballot.unparsed_retries`: a vote in a ring that cannot be read is refused at once, so this is never read; leave it out
    "#]]
    .assert_eq(&flaws(&source));
}

#[test]
fn the_schema_knows_exactly_the_keys_the_reader_knows() {
    let mut asked = BTreeSet::new();
    for charter in SHIPPED.iter() {
        asked.extend(Draft::read(charter.source).0.asked);
    }
    // What no flat text of a shipped charter has.
    asked.extend(Draft::read("[ballot.record]").0.asked);
    let mut described = BTreeSet::new();
    describe(&schema(), "", &mut described);
    assert_eq!(asked, described);
}

fn describe(schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    let schema = schema.get("items").unwrap_or(schema);
    if schema.get("oneOf").is_some() && schema.get("properties").is_none() {
        return;
    }
    for (key, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        describe(inner, &path, found);
        found.insert(path);
    }
}

#[test]
fn the_plan_counts_calls() {
    let calls = |name: &str| Charter::parse(shipped(name).unwrap().source).unwrap().0.calls(3);
    assert_eq!(calls("blind-vote"), (3, 21), "drafts that agree are the vote");
    assert_eq!(calls("collaborative"), (6, 12), "consensus may end the talk after one round");
}

/// What a guide prints must be good: the whole mode it builds, and the roles it adds to one.
#[test]
fn the_guide_to_a_mode_of_ones_own_holds_good_charters() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/add-a-mode.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let blocks: Vec<&str> =
        guide.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    let [premortem, roles] = blocks[..] else { panic!("the guide has {} blocks", blocks.len()) };
    for source in [premortem, &format!("{premortem}\n{roles}")] {
        let whole = Charter::read(source, &parent).unwrap_or_else(|flaws| panic!("{flaws:?}"));
        assert_eq!(whole.warnings, []);
    }
}

/// The charters that the guide to rules prints, and what it says of them.
#[test]
fn the_guide_to_rules_holds_good_charters() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/charters.md");
    let guide = std::fs::read_to_string(guide).unwrap();
    let blocks = guide.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap());
    let whole: Vec<Charter> = blocks
        .filter(|block| block.contains("extends ="))
        .map(|block| Charter::read(block, &parent).unwrap_or_else(|flaws| panic!("{flaws:?}")).charter)
        .collect();
    let [careful, thirds] = &whole[..] else { panic!("the guide has {} charters", whole.len()) };
    assert_eq!(careful.ballot.pass.to_string(), ">= 2/3");
    let preset = shipped("ring-default").unwrap().charter().unwrap().ballot;
    assert_eq!((preset.quorum.ceiling_of(3), thirds.ballot.quorum.ceiling_of(3)), (3, 2));
    assert_eq!(preset.pass, thirds.ballot.pass);
}

/// The least that makes a council.
const COUNCIL: &str = r#"
name = "least"
title = "Least"
summary = "The least."
[ballot]
pass = "> 1/2"
basis = "cast"
quorum = "1/2"
tie = "fails"
[[stage]]
name = "talk"
kind = "speak"
floor = "parallel"
sees = "nothing"
[[stage]]
name = "vote"
kind = "vote"
[brief]
checklist = ["c"]
[brief.role]
emoji = "e"
title = "t"
definition = "d"
mission = "m"
persistence = "p"
helpful = "h"
not_helpful = "n"
[brief.contract]
must = ["m"]
must_not = ["m"]
priority = ["p"]
failure = "f"
[[brief.first]]
key = "position"
ask = "a"
[[brief.later]]
key = "position"
ask = "a"
[gate]
[turn]
[watch]
"#;

/// The least that makes a ring.
const RING: &str = r#"
name = "least"
title = "Least"
summary = "The least."
[ballot]
pass = "> 1/2"
basis = "cast"
quorum = "1/2"
tie = "fails"
[ring]
rounds = 1
token_ms = 1
session_ms = 1
vote_ms = 1
gather_ms = 1
"#;

/// What the schema says of a key that is left out is what holds: writing it down changes nothing.
#[test]
fn every_default_of_the_schema_is_what_holds() {
    let mut defaults = Vec::new();
    collect_defaults(&schema(), "", &mut defaults);
    assert!(defaults.len() > 25, "{defaults:?}");
    for (path, default, about) in defaults {
        let (table, key) = path.rsplit_once('.').unwrap();
        let (mut without, header) = match table {
            "ring" => (RING.to_string(), "[ring]".to_string()),
            "workshop" => (WORKSHOP.to_string(), "[workshop]".to_string()),
            "workshop.ledger" => (format!("{WORKSHOP}[workshop.ledger]\n"), "[workshop.ledger]".to_string()),
            "stage" => (COUNCIL.to_string(), "[[stage]]".to_string()),
            "brief.first" | "brief.later" => (COUNCIL.to_string(), format!("[[{table}]]")),
            "roles" => (with_roles(), "[roles]".to_string()),
            of_motions if of_motions.starts_with("parliament") => {
                let debate = COUNCIL.replace("\"parallel\"", "\"sequential\"") + "[parliament]\n";
                let inner = ["lines", "exploitation", "digest", "consensus_break"];
                let inner: String = inner.map(|name| format!("[parliament.{name}]\n")).concat();
                (debate + &inner, format!("[{of_motions}]"))
            }
            other => (COUNCIL.to_string(), format!("[{other}]")),
        };
        if table == "ballot.record" {
            without =
                without.replacen("[ballot]", "[ballot]\nweights = \"reliability\"", 1) + "[ballot.record]\n";
        }
        let value = match &default {
            Value::Object(knob) => {
                format!("{{ is = {}, from = {}, to = {} }}", knob["is"], knob["from"], knob["to"])
            }
            other => other.to_string(),
        };
        let with = without.replacen(&header, &format!("{header}\n{key} = {value}"), 1);
        assert_ne!(with, without, "{path}");
        let read =
            |source: &str| Charter::parse(source).unwrap_or_else(|flaws| panic!("{path}: {flaws:?}")).0;
        assert_eq!(read(&with), read(&without), "{path}");
        let shown = default.as_str().map_or(default["is"].to_string(), str::to_string);
        let shown = if default.is_object() || default.is_string() { shown } else { default.to_string() };
        assert!(about.ends_with(" if left out."), "{path}: {about}");
        let listed = default.as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
        let shown = if default.is_array() { listed.join(", ").to_lowercase() } else { shown };
        assert!(about.to_lowercase().contains(&shown), "{path}: {about}");
    }
}

/// The fewest words that make a workshop.
const WORKSHOP: &str = "name = \"w\"\ntitle = \"W\"\nsummary = \"W.\"\n[workshop]\n";

/// A council with roles, which most have none of.
fn with_roles() -> String {
    let role = "[[role]]\nname = \"r\"\nemoji = \"r\"\ntitle = \"r\"\ndefinition = \"r\"\nmission = \"r\"\n";
    format!("{COUNCIL}\n[roles]\nbeyond = [\"r\"]\n{role}")
}

fn collect_defaults(schema: &Value, path: &str, found: &mut Vec<(String, Value, String)>) {
    let schema = schema.get("items").unwrap_or(schema);
    for (key, inner) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match inner.get("default") {
            Some(default) => {
                found.push((path, default.clone(), inner["description"].as_str().unwrap().to_string()));
            }
            None => collect_defaults(inner, &path, found),
        }
    }
}
