//! The reference pages are what the code says.

use std::path::Path;

use crate::world::Place;

#[test]
fn the_committed_pages_are_those_the_binary_writes() {
    let place = Place::new();
    let run = place.run(["reference", "pages"]);
    assert_eq!(run.code, 0, "{run}");
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    for page in ["commands.md", "charters.md", "refusals.md", "openapi.json", "answer.schema.json"] {
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
        let wide = help.lines().find(|line| line.chars().count() > 100);
        assert_eq!(wide, None, "a terminal of 100 columns would break this line of `{top} --help`");
        let listed = |name: &str| help.matches(&format!("\n  {name} ")).count();
        for (command, _) in &helps {
            if let Some(name) = command.strip_prefix(&format!("{top} ")).filter(|name| !name.contains(' ')) {
                assert_eq!(listed(name), 1, "`{command}` is listed once under a heading of `{top} --help`");
            }
        }
    }
}

/// Words of the code that users should never have to learn.
const INSIDE: [&str; 12] =
    ["mind", "minds", "door", "doors", "hall", "desk", "clerk", "clerks", "knob", "knobs", "told", "mended"];

/// Which of them a text says. What stands in backticks is a name, codes and file names are too, and to change one's mind is
/// plain English.
fn inside(text: &str) -> Option<&'static str> {
    let spans = |line: &str| line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    // A span that goes on in the next line is read as prose, but for the names themselves and places for values.
    let named = |line: &str| {
        INSIDE.iter().fold(line.to_lowercase(), |line, it| {
            line.replace(&format!("`{it}`"), "").replace(&format!("{{{it}}}"), "")
        })
    };
    let lines = text.lines().map(named);
    let lines = lines.map(|line| if line.matches('`').count() % 2 == 0 { spans(&line) } else { line });
    let prose = lines.collect::<Vec<_>>().join("\n");
    let prose = ["minds/"].iter().fold(prose, |it, name| it.replace(name, " "));
    let words: Vec<&str> = prose.split(|c: char| !c.is_alphanumeric() && c != '\'').collect();
    let says = |word: &&str| {
        let mut places = (0..words.len()).filter(|at| words[*at] == *word);
        let idiom = |at: usize| at >= 2 && *word == "mind" && words[at - 2].starts_with("change");
        places.any(|at| !idiom(at))
    };
    INSIDE.into_iter().find(|word| says(word))
}

#[test]
fn helps_use_plain_words() {
    assert_eq!(inside("synod: no mind is set up"), Some("mind"), "it can fail");
    assert_eq!(inside("nobody changed their mind; see `backend` in providers.toml"), None);
    for (name, help) in helps() {
        assert_eq!(inside(&help), None, "in the help of `{name}`");
    }
}

/// Prose of a page, without the code blocks.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect::<Vec<_>>().join("\n")
}

#[test]
fn pages_charters_and_the_reference_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for page in pages().into_iter().filter(|page| !page.ends_with("glossary.md")) {
        // Addresses of links are names.
        let text = prose(&std::fs::read_to_string(&page).expect("a page"));
        let text = text.split("](").map(|part| part.split_once(')').map_or(part, |(_, rest)| rest));
        assert_eq!(inside(&text.collect::<Vec<_>>().join(" ")), None, "in {}", page.display());
    }
    for file in ["refusals.md", "charters.md", "commands.md"] {
        let text = std::fs::read_to_string(root.join("docs/reference").join(file)).expect("the reference");
        assert_eq!(inside(&text), None, "in docs/reference/{file}");
    }
    for entry in std::fs::read_dir(root.join("charters")).expect("the charters").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("a charter");
        assert_eq!(inside(&text), None, "in {}", entry.path().display());
    }
    let document = std::fs::read_to_string(root.join("docs/reference/openapi.json")).expect("the document");
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    described(&document, &mut |text| assert_eq!(inside(text), None, "in the OpenAPI document: {text}"));
}

/// Every text of a document that people read.
fn described(value: &serde_json::Value, read: &mut dyn FnMut(&str)) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                match value.as_str().filter(|_| ["description", "summary", "title"].contains(&key.as_str())) {
                    Some(text) => read(text),
                    None => described(value, read),
                }
            }
        }
        serde_json::Value::Array(list) => list.iter().for_each(|value| described(value, read)),
        _ => (),
    }
}

/// Sentences in the code: whatever is printed, refused, put in a brief or sent comes from one of them.
#[test]
fn sentences_in_the_code_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<std::path::PathBuf> =
        ["core", "engine", "minds", "synod"].iter().map(|name| root.join(name).join("src")).collect();
    let mut sentences = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            // Words that are looked for in what others say.
            if path.ends_with("watch/conform.rs") {
                continue;
            }
            let code = std::fs::read_to_string(&path).expect("code");
            let code = code.split("#[cfg(test)]").next().unwrap_or_default();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // What stands between quotes on a line; a word alone is a code or a name.
                for text in
                    line.replace("\\\"", "`").split('"').skip(1).step_by(2).filter(|it| it.contains(' '))
                {
                    assert_eq!(inside(text), None, "in {}: {text}", path.display());
                    sentences += 1;
                }
            }
        }
    }
    assert!(sentences > 1000, "{sentences}");
}

/// Every page that people read.
pub(crate) fn pages() -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("docs"), root.join("integrations")];
    let mut pages = vec![root.join("README.md")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
            match path.extension() {
                // Decisions are as they were written; the reference is the help itself.
                _ if path.ends_with("decisions") || path.ends_with("reference") => (),
                None if path.is_dir() => folders.push(path),
                Some(ending) if ending == "md" => pages.push(path),
                _ => (),
            }
        }
    }
    pages
}

/// The command that a line runs, with its help: the longest name that its words begin with.
fn command<'a>(helps: &'a [(String, String)], words: &[&str]) -> Option<&'a (String, String)> {
    let line = format!("{} ", words.join(" "));
    let named = helps.iter().filter(|(name, _)| line.starts_with(&format!("{name} ")));
    named.max_by_key(|(name, _)| name.len())
}

#[test]
fn the_pages_name_commands_and_options_that_exist() {
    let helps = helps();
    let mut lines = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let mut fenced = false;
        for line in text.lines() {
            if line.starts_with("```") {
                fenced = ["```sh", "```text", "```console"].contains(&line);
                continue;
            }
            let code: Vec<&str> = match fenced {
                true => {
                    vec![line.trim_start().trim_start_matches("$ ").split(" # ").next().unwrap_or_default()]
                }
                false => line.split('`').skip(1).step_by(2).collect(),
            };
            for run in code.into_iter().filter(|code| code.starts_with("synod ") && !code.contains('…')) {
                let words: Vec<&str> = run.split_whitespace().collect();
                let place = || format!("{}: `{run}`", page.display());
                let (name, help) = command(&helps, &words).unwrap_or_else(|| panic!("{}", place()));
                let group = helps.iter().any(|(other, _)| other.starts_with(&format!("{name} ")));
                let bare = words.get(1).is_none_or(|word| word.starts_with('-'));
                assert!(bare || name != "synod", "there is no such command in {}", place());
                assert!(
                    !group || bare || words.len() == name.split(' ').count(),
                    "of which command? {}",
                    place()
                );
                for option in words.iter().filter(|word| word.starts_with("--")) {
                    let option = option.split(['=', '|']).next().unwrap_or_default();
                    assert!(help.contains(option), "`{name}` has no option {option} in {}", place());
                }
                lines += 1;
            }
        }
    }
    assert!(lines > 100, "{lines}");
}
