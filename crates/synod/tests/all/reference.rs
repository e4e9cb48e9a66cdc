//! The reference pages are what the code says.

use std::path::Path;

use crate::world::Place;

#[test]
fn the_committed_pages_are_those_the_binary_writes() {
    let place = Place::new();
    let run = place.run(["reference", "pages"]);
    assert_eq!(run.code, 0, "{run}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for page in ["commands.md", "charters.md", "refusals.md", "openapi.json"] {
        let written =
            std::fs::read_to_string(place.dir().join("pages").join(page)).expect("the page is written");
        let kept = std::fs::read_to_string(committed.join(page)).unwrap_or_default();
        assert!(
            written == kept,
            "{page} is out of date: run `cargo run -p synod -- reference docs/reference`"
        );
    }
}

/// Every command, with its help as `synod reference` prints it: `synod`, `synod show`, `synod ring join` and so on.
fn helps() -> Vec<(String, String)> {
    let place = Place::new();
    place.run(["reference", "pages"]).exits(0);
    let page = std::fs::read_to_string(place.dir().join("pages/commands.md")).expect("the page");
    let sections = page.split("\n## ").skip(1);
    sections.filter_map(|part| part.split_once('\n')).map(|(name, help)| (name.into(), help.into())).collect()
}

#[test]
fn every_command_says_in_one_line_what_it_does_and_has_an_example_that_runs_it() {
    let helps = helps();
    assert!(helps.len() > 60, "{}", helps.len());
    for (name, help) in &helps {
        let about = help.trim_start_matches("\n```text\n").lines().next().unwrap_or_default();
        assert!(about.len() > 10 && about.starts_with(char::is_uppercase), "{name}: `{about}`");
        let (_, examples) = help.split_once("\nExample").unwrap_or_else(|| panic!("{name} has no example"));
        // A hook is run by another program, from its settings.
        let shown = examples.lines().any(|line| line.contains(name.as_str()));
        assert!(shown, "no example of `{name}` runs it:\n{examples}");
    }
}

#[test]
fn every_command_has_its_place_among_the_headings() {
    let helps = helps();
    for top in ["synod", "synod ring"] {
        let (_, help) = helps.iter().find(|(name, _)| name == top).expect("its help");
        let listed = |name: &str| help.matches(&format!("\n  {name} ")).count();
        for (command, _) in &helps {
            if let Some(name) = command.strip_prefix(&format!("{top} ")).filter(|name| !name.contains(' ')) {
                assert_eq!(listed(name), 1, "`{command}` is listed once under a heading of `{top} --help`");
            }
        }
    }
}

/// Words of the code that users should never have to learn.
#[test]
fn helps_use_plain_words() {
    const INSIDE: [&str; 8] = ["minds", "door", "hall", "desk", "clerk", "knob", "told", "mended"];
    for (name, help) in helps() {
        let words = help.to_lowercase();
        let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).collect();
        for word in INSIDE {
            assert!(!words.contains(&word), "the help of `{name}` says `{word}`");
        }
    }
}
