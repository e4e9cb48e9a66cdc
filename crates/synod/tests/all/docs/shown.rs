//! Blocks that need more than a shell: settings, programs, what commands print, and a service. Each is read or run by what
//! it is for.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use serde_json::json;

use super::{Block, Reader, blocks, root, runs};
use crate::houses::finish;
use crate::reference::pages;
use crate::service::Served;
use crate::world::{Place, Started, each};

/// The blocks of a page in one language.
fn of(page: &str, language: &str) -> Vec<Block> {
    blocks(&root().join(page)).into_iter().filter(|block| block.language == language).collect()
}

/// The one block of a page that holds these words.
#[track_caller]
fn one(page: &str, language: &str, words: &str) -> String {
    let mut found = of(page, language).into_iter().filter(|block| block.text.contains(words));
    let block = found.next().unwrap_or_else(|| panic!("no block of {page} has `{words}`"));
    assert!(found.next().is_none(), "two blocks of {page} have `{words}`");
    block.text
}

#[test]
fn settings_for_models_and_prices_are_read() {
    let place = Place::new().with("MY_KEY", "a-key-of-this-test");
    place.write(".synod/providers.toml", one("docs/guides/models.md", "toml", "[retries]"));
    place.write(".synod/prices.toml", one("docs/guides/models.md", "toml", "US dollars per million"));
    let key = place.write(".synod/openai.key", "a-key-of-this-test");
    std::fs::set_permissions(key, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    place.run(["doctor"]).exits(0).prints("from providers.toml, prices.toml");
    // What is not known is an error, so what is read here is known.
    place.write(".synod/providers.toml", "[retries]\nfirst_wait = 1\n");
    place.run(["doctor"]).exits(65);
}

#[test]
fn files_of_seats_are_read() {
    let reader = Reader::new();
    for (page, words) in
        [("docs/guides/debate.md", "exec:claude -p"), ("docs/guides/models.md", "backend = \"openai:o3\"")]
    {
        reader.place.write("council.toml", one(page, "toml", words));
        let plan = ["debate", "Should we ship?", "--seats", "council.toml", "--plan"];
        reader.place.run(plan).exits(0).tells("ann = openai:");
    }
}

#[test]
fn settings_of_triggers_and_ballots_are_read() {
    let place = Place::new();
    place.write("triggers.toml", one("docs/guides/triggers.md", "toml", "[monitor."));
    place.run(["trigger", "rules", "--check", "triggers.toml"]).exits(0);
    for (name, words) in [("marked", "method = \"schulze\""), ("by-record", "weights = \"reliability\"")] {
        let head =
            format!("name = \"{name}\"\ntitle = \"T\"\nsummary = \"S.\"\nextends = \"ranked-choice\"\n\n");
        place.write("it.toml", head + &one("docs/voting.md", "toml", words));
        let run = place.run(["charter", "check", "it.toml"]);
        assert_eq!(run.code, 0, "the ballot with {words}\n{run}");
    }
}

#[test]
fn the_script_of_the_guide_answers() {
    let place = Place::new();
    place.write("ann.txt", one("docs/guides/models.md", "text", "@speak 1"));
    let run =
        place.run(["debate", "Should we cache?", "--seat=ann=script:ann.txt", "--seat=bob=script:ann.txt"]);
    run.exits(0).prints("PASSED").tells("Cache it.");
    finish(place);
}

#[test]
fn programs_in_python_run() {
    let reader = Reader::new().with_matters();
    let python = |page: &str, words: &str| {
        reader.place.write("it.py", one(page, "python", words));
        let mut python = reader.place.bare("python3");
        python.arg("it.py");
        Started::of(python, b"").wait().exits(0)
    };
    let head = reader.place.json(["replay"])["head"]["hash"].as_str().unwrap_or_default().to_string();
    let checked = python("docs/guides/record.md", "sqlite3").prints("unbroken to ");
    assert!(!head.is_empty() && checked.out.contains(&head), "the same head: {head}\n{checked}");
    python("docs/guides/triggers.md", "synod\", \"watch").prints("conflicting_edits");
    finish(reader.place);
}

/// The README shows what its ring prints.
#[test]
fn the_ring_of_the_readme_ends_as_shown() {
    let reader = Reader::new();
    let run = reader.shell(&one("README.md", "sh", "synod ring open")).exits(0);
    let shown = one("README.md", "text", "COMMITTED");
    for line in shown.lines().filter(|line| *line != "…") {
        assert!(run.out.lines().any(|printed| printed == line), "`{line}` is not printed\n{run}");
    }
    finish(reader.place);
}

/// The service of the guide on a port of its own; its blocks share a shell, since later ones use tokens of the first.
#[test]
fn the_guide_of_the_service_works() {
    let reader = Reader::new();
    let service = Served::start(&reader.place, &[]);
    let guide = blocks(&root().join("docs/guides/service.md"));
    let shared = guide.iter().filter(|block| runs(block) && !block.text.starts_with("synod serve --tokens"));
    let lines: String = shared.map(|block| block.text.as_str()).collect();
    let lines = lines
        .replace("synod serve &", ":")
        .replace("http://127.0.0.1:7717", &format!("http://{}", service.address))
        // A refusal is a failure here.
        .replace("curl -s ", "curl -sSf ");
    let run = reader.shell(&lines).exits(0).prints("\"task\":\"join\"");
    assert!(run.out.contains("\"matter\":"), "{run}");
    let opened = each(&reader.place.json(["list"]), "topic").len();
    assert_eq!(opened, 2, "a ring and a debate");
    service.end();
    finish(reader.place);
}

#[test]
fn an_outcome_is_marked_as_the_page_shows() {
    let place = Place::new();
    let vote =
        |side: &str| json!({ "stance": side, "position": "p", "vote": side, "reason": "r" }).to_string();
    place.write("yes.txt", vote("YES"));
    place.write("no.txt", vote("NO"));
    let seats = ["--seat=ann=script:yes.txt", "--seat=bob=script:yes.txt", "--seat=cy=script:no.txt"];
    for topic in ["One?", "Two?", "Three?"] {
        place.run([&["debate", topic, "--quiet"], &seats[..]].concat()).exits(0);
    }
    let page = blocks(&root().join("docs/voting.md"));
    let shown = page.iter().find(|block| block.language == "console").expect("the block");
    let mut printed = String::new();
    for line in shown.text.lines() {
        match line.strip_prefix("$ ").map(|line| line.split(" # ").next().unwrap_or_default()) {
            Some(typed) => printed = place.run(typed.split_whitespace().skip(1)).exits(0).out,
            None => assert!(printed.contains(line), "`{line}` is not printed:\n{printed}"),
        }
    }
    finish(place);
}

/// The anchors of a page, as GitHub makes them of headings.
fn anchors(page: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(page).expect("a page");
    let prose = text.split("```").step_by(2).collect::<String>();
    let headings =
        prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let slug = |heading: &str| -> String {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headings.map(slug).collect()
}

#[test]
fn links_of_the_pages_lead_somewhere() {
    let mut followed = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page");
        let prose = text.split("```").step_by(2).collect::<String>();
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://")) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { page.with_file_name(path) };
            assert!(target.exists(), "{}: there is no {link}", page.display());
            assert!(
                anchor.is_empty() || anchors(&target).iter().any(|it| it == anchor),
                "{}: {link} has no such heading: {:?}",
                page.display(),
                anchors(&target)
            );
            followed += 1;
        }
    }
    assert!(followed > 60, "{followed}");
}
