//! The pages as somebody follows them. Every block of commands in them is run here, each in a house of its own with models
//! that a test server plays, or is listed in [`APART`] with the reason and, where there is one, the test that runs it.
//! To add a block: write it. If it needs something first, `ready` is the place.

mod shown;

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::houses::finish;
use crate::reference::pages;
use crate::server::{Reply, Request, Server};
use crate::world::{Place, Run, Started, each};

/// Blocks that are not run here: the page, how the block begins, why, and the test that runs it.
const APART: [(&str, &str, &str, &str); 16] = [
    (
        "docs/guides/canon.md",
        "cargo test",
        "builds the tests of the core",
        "crates/core/tests/all/canon/pairs.rs::conflicts_are_found_and_what_is_reported_is_one",
    ),
    (
        "docs/workshop.md",
        "",
        "its blocks build on each other",
        "crates/synod/tests/all/issues.rs::the_guide_of_the_workshop_works",
    ),
    (
        "docs/parliament.md",
        "",
        "its blocks build on each other",
        "crates/synod/tests/all/motions.rs::the_guide_of_the_parliament_works",
    ),
    ("README.md", "cargo install", "builds the binary that this test uses", ""),
    ("README.md", "synod demo", "the second command runs all tests, this one too", SETUP_DEMO),
    ("README.md", "scripts/dist", "builds a release", ""),
    ("docs/guides/first-ten-minutes.md", "", "its blocks build on each other", SETUP_GUIDE),
    (
        "docs/agents.md",
        "",
        "agents run side by side",
        "crates/synod/tests/all/agents/guide.rs::three_agents_in_shell_decide_as_the_guide_says",
    ),
    (
        "docs/guides/service.md",
        "synod serve --tokens",
        "two services compete for a house",
        "crates/synod/tests/all/service/failover.rs::a_standby_takes_over_in_the_middle_of_a_vote",
    ),
    (
        "docs/guides/service.md",
        "",
        "its blocks share a service",
        "crates/synod/tests/all/docs/shown.rs::the_guide_of_the_service_works",
    ),
    (
        "docs/verify.md",
        "KEY=",
        "the key is that of the house",
        "crates/synod/tests/all/proof/others.rs::openssl_checks_a_receipt_with_the_commands_of_the_guide",
    ),
    (
        "docs/guides/record.md",
        "synod restore",
        "acts have to be lost first",
        "crates/synod/tests/all/faults.rs::acts_that_are_lost_are_found_and_given_up_or_restored",
    ),
    (
        "docs/guides/record.md",
        "synod backup",
        "it writes beside the folder of the test",
        "crates/synod/tests/all/faults.rs::acts_that_are_lost_are_found_and_given_up_or_restored",
    ),
    (
        "docs/voting.md",
        "printf",
        "the salt is random",
        "crates/synod/tests/all/ballots.rs::a_secret_vote_shows_in_no_form_and_can_be_proven",
    ),
    (
        "docs/voting.md",
        "$ synod outcome",
        "what it prints is compared",
        "crates/synod/tests/all/docs/shown.rs::an_outcome_is_marked_as_the_page_shows",
    ),
    (
        "docs/guides/debate.md",
        "synod resume",
        "needs a debate that was interrupted",
        "crates/synod/tests/all/crash.rs::ctrl_c_leaves_a_matter_that_goes_on",
    ),
];

const SETUP_DEMO: &str =
    "crates/synod/tests/all/setup.rs::the_demo_plays_a_whole_council_and_its_commands_work";
const SETUP_GUIDE: &str = "crates/synod/tests/all/setup.rs::the_guide_of_the_first_ten_minutes_works";

/// Pages whose other blocks are run here, by the tests below.
const FOLLOWED: [&[&str]; 6] = [
    &["README.md", "docs/add-a-mode.md", "docs/consensus.md"],
    &["docs/guides/debate.md", "docs/guides/models.md"],
    &["docs/guides/charters.md", "docs/guides/triggers.md"],
    &["docs/guides/steering.md"],
    &["docs/guides/canon.md", "docs/guides/leases.md"],
    &["docs/lab.md"],
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A block of commands or settings, and the page it stands on.
struct Block {
    page: String,
    line: usize,
    language: String,
    text: String,
}

/// Every fenced block of a page, also of one that is part of a list.
fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page");
    let name = page.canonicalize().expect("a page");
    let name = name.strip_prefix(root().canonicalize().expect("a folder")).expect("below it");
    let (mut found, mut open) = (Vec::new(), None::<Block>);
    for (at, line) in text.lines().enumerate() {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(language), None) => {
                let language = language.to_string();
                let page = name.display().to_string();
                open = Some(Block { page, line: at + 1, language, text: String::new() });
            }
            (Some(_), Some(block)) => found.push(block),
            (None, Some(mut block)) => {
                block.text.push_str(line);
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => (),
        }
    }
    assert!(open.is_none(), "a block of {} does not end", page.display());
    found
}

/// Where a block is run if not here: its line in [`APART`].
fn apart(block: &Block) -> Option<usize> {
    APART.iter().position(|(page, begins, ..)| block.page == *page && block.text.starts_with(begins))
}

fn runs(block: &Block) -> bool {
    ["sh", "bash", "shell", "console"].contains(&block.language.as_str())
}

/// Whether the sources have this test, given as `path::name`.
fn is_test(named: &str) -> bool {
    let Some((path, name)) = named.rsplit_once("::") else { return false };
    let Ok(code) = std::fs::read_to_string(root().join(path)) else { return false };
    let lines: Vec<&str> = code.lines().map(str::trim).collect();
    let of = |line: &&str| {
        line.starts_with(&format!("fn {name}(")) || line.starts_with(&format!("async fn {name}("))
    };
    // The attribute stands above, perhaps with others between; in a block of `proptest!` too.
    lines.iter().position(of).is_some_and(|at| {
        lines[..at]
            .iter()
            .rev()
            .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
            .any(|line| line.contains("test]") || line.contains("::test("))
    })
}

#[test]
fn every_block_that_is_not_run_here_says_why() {
    assert!(is_test("crates/synod/tests/all/docs.rs::every_block_that_is_not_run_here_says_why"));
    assert!(!is_test("crates/synod/tests/all/docs.rs::is_test"), "a function is not a test");
    let (all, others): (Vec<Block>, Vec<Block>) =
        pages().iter().flat_map(|page| blocks(page)).partition(runs);
    for block in others {
        let hidden = block.text.lines().find(|line| line.starts_with("synod "));
        assert_eq!(hidden, None, "{}:{} has a command and is not marked as `sh`", block.page, block.line);
    }
    assert!(all.len() > 30, "{}", all.len());
    for block in &all {
        let is_followed = FOLLOWED.iter().any(|pages| pages.contains(&block.page.as_str()));
        assert!(apart(block).is_some() || is_followed, "nothing runs {}:{}", block.page, block.line);
    }
    for (at, (page, begins, why, test)) in APART.iter().enumerate() {
        assert!(
            all.iter().any(|block| apart(block) == Some(at)),
            "no block of {page} begins with `{begins}`"
        );
        assert!(!why.is_empty() && (test.is_empty() || is_test(test)), "{page}: there is no test {test}");
    }
}

/// The rows of the table of six things in the README.
fn six() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let rows = page.lines().skip_while(|line| !line.starts_with("| no protocol has")).skip(2);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

#[test]
fn the_six_things_are_each_shown_by_a_test_that_exists() {
    let rows = six();
    let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(
        names,
        ["membership", "deliberation", "voting", "dissent", "human escalation", "audit and replay"]
    );
    for row in &rows {
        let tests: Vec<&str> = row[2].split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "{row:?}");
        for test in tests {
            assert!(is_test(test), "the README names a test that does not exist: {test}");
        }
    }
}

/// An answer that fits whatever is asked, in the form of every provider at once.
fn answer(request: &Request) -> Reply {
    if request.path == "/api/tags" {
        return Reply::Status(200, json!({ "models": [{ "name": "qwen3" }] }).to_string());
    }
    let has_options = request.body.contains("Redis or Postgres?");
    let side = if has_options { "A" } else { "YES" };
    let vote = if request.body.contains("best first") { json!(["A"]) } else { json!(side) };
    let said = json!({
        "reasoning": "It was measured.", "key_points": ["it was measured"], "position": "Do it.", "stance": side,
        "answer": "Postgres", "same": [], "low": 9, "high": 15, "best": 12,
        "vote": vote, "reason": "It was measured.", "change_if": "New figures.", "confidence": 0.9,
    });
    let said = said.to_string();
    let body = json!({
        "model": request.seat(),
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": said } }],
        "content": [{ "type": "text", "text": said }],
        "stop_reason": "end_turn",
        "candidates": [{ "finishReason": "STOP", "content": { "parts": [{ "text": said }] } }],
        "usage": { "prompt_tokens": 9, "completion_tokens": 9, "input_tokens": 9, "output_tokens": 9 },
        "usageMetadata": { "promptTokenCount": 9, "candidatesTokenCount": 9 },
    });
    Reply::Status(200, body.to_string())
}

/// Exit codes that are not failures: a matter that waits for its next round has no result yet (2), and a rehearsal may have
/// any result.
const AS_TYPED: &str = r#"synod() {
    command synod "$@" || {
        s=$?
        case "$*" in *--rehearse*) [ $s -le 2 ] && return 0 ;; esac
        [ $s = 2 ] && command synod list --status waiting | grep -q waiting && return 0
        return $s
    }
}"#;

/// A reader of the pages: a repository with a change in it, keys, and a server that plays every provider.
struct Reader {
    place: Place,
    server: Server,
}

impl Reader {
    fn new() -> Self {
        let server = Server::start(answer);
        let host = server.url.trim_end_matches("/v1").to_string();
        let binary = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("a folder").display().to_string();
        let path = format!("{binary}:{}", std::env::var("PATH").unwrap_or_default());
        let mut place = Place::new()
            .with("PATH", &path)
            .with("OLLAMA_HOST", host.trim_start_matches("http://"))
            .with("OPENAI_BASE_URL", &server.url)
            .with("EDITOR", "cp premortem.toml");
        for provider in ["ANTHROPIC", "GEMINI", "OPENROUTER"] {
            place = place.with(&format!("{provider}_BASE_URL"), &host);
        }
        for provider in ["OPENAI", "ANTHROPIC", "GEMINI"] {
            place = place.with(&format!("{provider}_API_KEY"), "a-key-of-this-test");
        }
        place.write("src/a.rs", "fn a() {}\n");
        place.write("README.md", "# Ours\n");
        let seen = |agent: &str| json!({ "agent": agent, "kind": "write", "path": "src/a.rs" });
        place.write("agents.jsonl", format!("{}\n{}\n", seen("ann"), seen("bob")));
        place.write("incident-2025.md", "The queue stood still for an hour.\n");
        Self { place, server }
    }

    fn shell(&self, lines: &str) -> Run {
        let mut shell = self.place.bare("sh");
        shell.args(["-e", "-c", &format!("{AS_TYPED}\n{lines}")]);
        Started::of(shell, b"").wait()
    }

    /// A council of ann, bob and cy, and three matters it settled in two rounds each.
    fn with_matters(self) -> Self {
        self.place.write(
            ".synod/seats.toml",
            "[alias]\nfast = \"ollama:qwen3\"\n\n[council.arch]\nseats = [\"ann\", \"fast\"]\n\n[[seat]]\nname = \"ann\"\nbackend = \"openai:gpt-4.1-mini\"\n\n[[seat]]\nname = \"bob\"\nbackend = \"anthropic:claude-haiku-4-5\"\n\n[[seat]]\nname = \"cy\"\nbackend = \"ollama:qwen3\"\n",
        );
        for topic in ["Should we cache?", "Should we ship?", "Should we wait?"] {
            let talk = ["--charter=collaborative", "--set=watch.early=0", "--rounds=2", "--quiet"];
            self.place.run([&["debate", topic], &talk[..]].concat()).exits(0);
        }
        self
    }

    /// What has to be there before a block is run, and what stands in the block for it.
    fn ready(&self, block: &Block) -> String {
        let text = block.text.replace("http://127.0.0.1:11434/v1", &self.server.url);
        if text.contains("git diff") {
            let commit = "git -c user.name=a -c user.email=a@b commit -qm a";
            self.shell(&format!("git init -q && git add src && {commit} && echo 'fn b() {{}}' >> src/a.rs"))
                .exits(0);
        }
        if text.contains("origin/main") {
            self.place.run(["canon", "export", "canon.json"]).exits(0);
            let commit = "git -c user.name=a -c user.email=a@b commit -qm canon canon.json";
            self.shell(&format!("git add canon.json && {commit}")).exits(0);
            self.shell("git update-ref refs/remotes/origin/main HEAD").exits(0);
        }
        if text.contains("synod trust") {
            self.place.write(".synod/providers.toml", "[openai]\nkey_env = \"OPENAI_API_KEY\"\n");
        }
        // Files that the page shows before, named in their first line, and the mode it writes.
        let before = blocks(&root().join(&block.page)).into_iter().filter(|other| other.language == "toml");
        for file in before {
            let named = file.text.lines().next().and_then(|line| line.strip_prefix("# .synod/"));
            if let Some(name) = named {
                self.place.write(&format!(".synod/{name}"), &file.text);
            }
            if file.text.contains("name = \"premortem\"") {
                self.place.write("premortem.toml", &file.text);
            }
        }
        for file in blocks(&root().join(&block.page)) {
            if file.language == "csv" {
                self.place.write("ballots.csv", &file.text);
            } else if let Some(name) = ["study.toml", "motions.toml"]
                .into_iter()
                .find(|name| file.text.starts_with(&format!("# {name}\n")))
            {
                self.place.write(name, &file.text);
            } else if file.language == "jsonl" && block.page == "docs/lab.md" {
                self.place.write("speeches.jsonl", &file.text);
                self.place.run(["lab", "import", "speeches.jsonl", "--out", "sessions.json"]).exits(0);
            }
        }
        match text.contains("synod answer 3 57.2") {
            true => self.asked(&text),
            false => text,
        }
    }

    /// Matter 3 asks for two things.
    fn asked(&self, text: &str) -> String {
        let wish = |query: &str| json!({ "query": query, "reason": "It must fit.", "priority": "required" });
        let wishes = [wish("How large is the index?"), wish("Who pays?")];
        let first = json!({ "stance": "YES", "position": "Perhaps.", "context_requests": wishes });
        let then = json!({ "stance": "YES", "position": "Yes.", "vote": "YES", "reason": "It fits." });
        self.place.write(
            "ask.txt",
            format!("@speak 1\n@seat ann\n{first}\n---\n@speak\n{then}\n---\n@vote\n{then}\n"),
        );
        let two = [
            "--charter=socratic",
            "--only",
            "--seat=ann=script:ask.txt",
            "--seat=bob=script:ask.txt",
            "--quiet",
        ];
        self.place.run([&["debate", "Should we cache the index?"], &two[..]].concat()).exits(2);
        let report = self.place.report();
        let number = report["number"].to_string();
        let ids = each(&report["requests"], "id").into_iter().map(String::from).collect::<Vec<_>>();
        text.replace(" 3 ", &format!(" {number} "))
            .replace("resume 3", &format!("resume {number}"))
            .replace("57.2", &ids[0])
            .replace("57.3", &ids[1])
    }
}

/// Runs every block of these pages that is to be run here, each in a house of its own.
#[track_caller]
fn follow(pages: &[&str], least: usize) {
    let mut ran = 0;
    for name in pages {
        let todo =
            blocks(&root().join(name)).into_iter().filter(|block| runs(block) && apart(block).is_none());
        for block in todo {
            let reader = Reader::new().with_matters();
            let text = reader.ready(&block);
            let run = reader.shell(&text);
            assert_eq!(run.code, 0, "{}:{}\n{text}\n{run}", block.page, block.line);
            finish(reader.place);
            ran += 1;
        }
    }
    assert!(ran >= least, "only {ran} blocks were found");
}

#[test]
fn the_blocks_of_the_readme_and_of_modes_and_rings_run() {
    follow(FOLLOWED[0], 4);
}

#[test]
fn the_blocks_about_debates_and_models_run() {
    follow(FOLLOWED[1], 4);
}

#[test]
fn the_blocks_about_charters_and_triggers_run() {
    follow(FOLLOWED[2], 4);
}

#[test]
fn the_blocks_about_steering_run() {
    follow(FOLLOWED[3], 6);
}

#[test]
fn the_blocks_about_canon_and_leases_run() {
    follow(FOLLOWED[4], 6);
}

#[test]
fn the_blocks_about_the_lab_run() {
    follow(FOLLOWED[5], 4);
}
