//! The plugin for Claude Code: its files are what Claude Code reads, and the commands they name do what they should.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::hook::{event, wrote};
use super::ring;
use crate::houses::finish;
use crate::world::Place;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code")
}

fn read(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(name)).expect("a file of the plugin");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The events a file names, each with its commands.
fn commands(hooks: &Value) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (event, groups) in hooks["hooks"].as_object().expect("hooks") {
        for hook in groups
            .as_array()
            .expect("groups")
            .iter()
            .flat_map(|group| group["hooks"].as_array().expect("hooks"))
        {
            assert_eq!(hook["type"], "command", "{event}");
            assert!(hook["timeout"].as_u64().is_some_and(|seconds| (1..=10).contains(&seconds)), "{event}");
            let words = hook["command"].as_str().expect("a command").split(' ').map(str::to_string);
            found.push((event.clone(), words.collect()));
        }
    }
    found
}

#[test]
fn the_hooks_it_names_are_answered() {
    let place = Place::new();
    ring(&place, &["ann", "bob"], &[]);
    let place = place.with("SYNOD_AS", "ann");
    for file in ["hooks/hooks.json", "settings.json"] {
        let named = commands(&read(file));
        assert!(named.iter().any(|(event, _)| event == "PostToolUse"), "{file}");
        for (name, words) in named {
            let (program, args) = words.split_first().expect("a command");
            assert_eq!(program, "synod", "{file}");
            // What is said is tried here; a busy machine would make it say nothing in the time that an agent waits.
            let args = [args, &["--within".to_string(), "20s".to_string()]].concat();
            let more = if name == "PostToolUse" { wrote(&place, "a.rs") } else { json!({}) };
            // A session of its own for each, so that none is spared a reminder it has had.
            let session = format!("{file}/{name}");
            if name == "PreToolUse" {
                let run = place.feed(&args, &event(&place, &name, &session, wrote(&place, "a.rs"))).exits(0);
                assert!(run.out.is_empty(), "nobody holds the file: {run}");
                continue;
            }
            let said = place.feed(&args, &event(&place, &name, &session, more)).exits(0).json();
            let words = match name.as_str() {
                "Stop" if args.contains(&"--block-stop".to_string()) => {
                    assert_eq!(said["decision"], "block");
                    &said["reason"]
                }
                "Stop" | "SubagentStop" => &said["systemMessage"],
                _ => {
                    assert_eq!(said["hookSpecificOutput"]["hookEventName"], name.as_str());
                    &said["hookSpecificOutput"]["additionalContext"]
                }
            };
            assert!(
                words.as_str().is_some_and(|words| words.contains("it is your turn")),
                "{file} {name}: {said}"
            );
        }
    }
    finish(place);
}

#[test]
fn the_plugin_says_what_it_is_and_its_skill_names_commands_there_are() {
    let plugin = read(".claude-plugin/plugin.json");
    assert_eq!(plugin["name"], "synod");
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    assert!(plugin["description"].as_str().is_some_and(|words| !words.is_empty()));

    let skill = std::fs::read_to_string(folder().join("skills/synod-council/SKILL.md")).expect("the skill");
    let head = skill.strip_prefix("---\n").and_then(|rest| rest.split("\n---\n").next()).expect("a head");
    assert!(head.contains("name: synod-council\n") && head.contains("description: "), "{head}");
    let place = Place::new();
    let help = place.run(["ring", "--help"]).exits(0).out;
    let named: Vec<&str> =
        skill.split("`synod ring ").skip(1).filter_map(|rest| rest.split([' ', '`']).next()).collect();
    assert!(named.len() > 8, "{named:?}");
    assert_eq!(named.len(), skill.matches("`synod ").count(), "the skill only needs commands of rings");
    for command in named {
        assert!(help.contains(&format!("\n  {command} ")), "there is no command {command}\n{help}");
    }
}

#[test]
fn the_skill_of_the_workshop_and_the_permissions_name_commands_there_are() {
    let place = Place::new();
    let skill = std::fs::read_to_string(folder().join("skills/synod-workshop/SKILL.md")).expect("the skill");
    assert!(skill.starts_with("---\nname: synod-workshop\ndescription: "), "{skill}");
    let named = skill.split("`synod ").skip(1).filter_map(|rest| rest.split('`').next());
    let settings = read("settings.json");
    let allowed = settings["permissions"]["allow"].as_array().expect("permissions").iter();
    let allowed = allowed.filter_map(|rule| rule.as_str()?.strip_prefix("Bash(synod ")?.strip_suffix(":*)"));
    let commands: Vec<Vec<&str>> = named.chain(allowed).map(|words| words.split(' ').collect()).collect();
    assert!(commands.len() > 20, "{commands:?}");
    for words in &commands {
        let command: Vec<&str> = match words[0] {
            "ledger" => vec!["ledger"],
            group => vec![group, words[1]],
        };
        let help = place.run(command.iter().chain(&["--help"])).exits(0).out;
        // Every option that is named is one that the command has.
        for option in words.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(option), "{words:?} has no {option}\n{help}");
        }
    }
}
