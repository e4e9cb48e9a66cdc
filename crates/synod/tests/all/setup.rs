//! Setting up: `init`, `seats`, councils by name, houses above the working directory, and the demo.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::houses::finish;
use crate::server::{Reply, Server, say, side};
use crate::world::{NOBODY, Place, each};

/// A place where no server of this machine can be found but those a test starts.
fn alone() -> Place {
    Place::new().with("LM_STUDIO_HOST", NOBODY).with("LLAMA_CPP_HOST", NOBODY).with("PATH", "/usr/bin:/bin")
}

/// A server that has these models and answers YES.
fn models(path: &'static str, list: &'static str) -> Server {
    Server::start(move |request| match request.path.as_str() {
        asked if asked == path => Reply::Status(200, list.into()),
        _ => say(side(request, "YES")),
    })
}

fn host(server: &Server) -> &str {
    server.url.trim_start_matches("http://").trim_end_matches("/v1")
}

/// A program that notes that it ran and answers.
fn program(place: &Place, name: &str) {
    let path = place.write(
        &format!("bin/{name}"),
        format!("#!/bin/sh\ncat >/dev/null\necho ran >> '{}'/{name}.ran\necho '{{\"stance\":\"NO\",\"position\":\"p\",\"vote\":\"NO\",\"reason\":\"r\"}}'\n", place.dir().display()),
    );
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
}

#[test]
fn init_without_anything_says_what_to_do_and_writes_no_seats() {
    let place = alone();
    let run =
        place.run(["init"]).exits(70).tells("no API key, no local model and no agent program was found");
    run.tells("set OPENAI_API_KEY").tells("synod demo");
    assert!(!place.house().exists(), "nothing is made where nothing was found");
}

#[test]
fn init_finds_tries_and_writes_what_answers() {
    let ollama = models("/api/tags", r#"{"models":[{"name":"tiny:latest"},{"name":"nomic-embed-text"}]}"#);
    let studio = models("/v1/models", r#"{"data":[{"id":"qwen-local"}]}"#);
    let broken = Server::start(|_| Reply::Status(401, r#"{"error":{"message":"bad key"}}"#.into()));
    let place = alone()
        .with("OLLAMA_HOST", host(&ollama))
        .with("LM_STUDIO_HOST", host(&studio))
        .with("OPENROUTER_API_KEY", "sk-or-of-this-test")
        .with("OPENROUTER_BASE_URL", &broken.url)
        .wary();
    let run = place.run(["init"]).exits(0).tells("trying  ollama:tiny:latest").tells("answered in ");
    run.tells("trying  openrouter:").tells("no: ").prints("wrote .synod/seats.toml").prints("synod debate");
    let calls = |server: &Server| {
        server.log().into_iter().filter(|seen| seen.request.path.ends_with("/chat/completions")).count()
    };
    assert_eq!((calls(&ollama), calls(&studio)), (1, 1), "one call each");
    let seats = std::fs::read_to_string(place.house().join("seats.toml")).expect("seats");
    assert!(seats.contains("ollama:tiny:latest") && seats.contains("#qwen-local"), "{seats}");
    assert!(!seats.contains("openrouter") && !seats.contains("embed"), "{seats}");
    place.holds_nowhere("sk-or-of-this-test");

    // Written once, and used without another question: whoever ran it agreed to these servers.
    let again = place.run(["init"]).exits(0).prints("is there already and was left as it is");
    assert_eq!((calls(&ollama), calls(&studio)), (1, 1), "{again}");
    place.run(["debate", "Should we?", "--quiet"]).exits(0).prints("PASSED");
    let told = place.json(["init", "--force"]);
    assert_eq!((&told["written"], &told["gitignore_written"]), (&true.into(), &false.into()));
    let answered: Vec<&Value> =
        told["found"].as_array().expect("a list").iter().map(|it| &it["answers"]).collect();
    assert_eq!(answered.iter().filter(|it| it.as_bool() == Some(true)).count(), 2, "{told}");
    let listed = place.json(["seats"]);
    assert_eq!(each(&listed["councils"][0]["seats"], "name"), ["pragmatist", "skeptic", "steward"]);
    assert_eq!(listed["councils"][0]["default"], true);
    finish(place);
}

#[test]
fn no_agent_program_is_run_without_consent() {
    let place = alone();
    program(&place, "claude");
    program(&place, "goose");
    let bin = format!("{}:/usr/bin:/bin", place.dir().join("bin").display());
    let place = place.with("PATH", &bin).wary();
    let ran = |name: &str| place.dir().join(format!("{name}.ran")).exists();
    place
        .run(["init"])
        .exits(70)
        .tells("no program is run without your consent: synod init --agents claude,goose");
    assert!(!ran("claude") && !ran("goose"));
    place
        .run(["init", "--agents=claud"])
        .exits(64)
        .tells("`claud` is not an agent program")
        .tells("claude, codex");
    place.run(["init", "--agents=codex"]).exits(66).tells("codex is not on the PATH");
    place.run(["init", "--agents=claude", "--no-try"]).exits(0);
    assert!(!ran("claude"), "nothing is tried");
    place.run(["init", "--agents=claude", "--force"]).exits(0).prints("pragmatist = exec:claude -p");
    assert!(ran("claude") && !ran("goose"));
    place.run(["debate", "Should we?", "--quiet"]).exits(1);
    finish(place);
}

#[test]
fn each_agent_program_is_asked_about_once() {
    let place = alone();
    program(&place, "claude");
    program(&place, "goose");
    let bin = format!("{}:/usr/bin:/bin", place.dir().join("bin").display());
    let place = place.with("PATH", &bin).wary();
    let Some(mut terminal) = crate::person::Terminal::open(&place, &["init"]) else { return };
    terminal.reads("Use claude (").reads("Each prompt would run: claude -p").types("y");
    terminal.reads("Use goose (").types("");
    terminal.reads("answered in ");
    terminal.end().exits(0);
    let ran = |name: &str| place.dir().join(format!("{name}.ran")).exists();
    assert!(ran("claude") && !ran("goose"), "only what was agreed to is run");
    let seats = std::fs::read_to_string(place.house().join("seats.toml")).expect("seats");
    assert!(seats.contains("exec:claude -p") && !seats.contains("goose"), "{seats}");
}

/// `git add .` takes nothing that is secret or of this machine.
#[test]
fn git_takes_only_what_people_write() {
    let place = Place::new();
    place.write(".synod/charters/mine.toml", "# mine");
    place.write(".synod/triggers.toml", "[monitor.conflicting_edits]\nleast = 3\n");
    place.write(".synod/seats.toml", "[[seat]]\nbackend = \"rehearsal\"\n");
    place.run(["debate", "Should we?", "--quiet"]);
    place.run(["token", "create", "ann"]).exits(0);
    let git = |args: &[&str]| {
        let run = Command::new("git").args(args).current_dir(place.dir()).env("HOME", place.dir()).output();
        String::from_utf8(run.expect("git").stdout).expect("text")
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    let mut taken: Vec<String> = git(&["ls-files"]).lines().map(str::to_string).collect();
    taken.retain(|file| file.starts_with(".synod"));
    let written =
        [".synod/.gitignore", ".synod/charters/mine.toml", ".synod/seats.toml", ".synod/triggers.toml"];
    assert_eq!(taken, written);
    finish(place);
}

#[test]
fn a_house_above_is_found_and_one_that_is_named_wins() {
    let place = Place::new();
    place.run(["debate", "Above?", "--quiet", "--rehearse"]);
    std::fs::create_dir_all(place.dir().join("a/b")).expect("folders");
    let below = |args: &[&str]| {
        let mut command = place.command(args);
        command.current_dir(place.dir().join("a/b"));
        crate::world::Started::of(command, b"").wait()
    };
    below(&["list"]).exits(0).prints("Above?");
    let run = below(&["debate", "Below?", "--rehearse"]).tells("house:   ../../.synod");
    assert!(run.out.contains("check it: synod verify ../../.synod/receipts/"), "{run}");
    assert!(!run.out.contains("--house"), "the next command finds it too\n{run}");
    assert_eq!(each(&place.json(["list"]), "topic"), ["Above?", "Below?"]);
    below(&["list", "--house", "other"]).exits(66);
    below(&["debate", "Other?", "--rehearse", "--quiet", "--house", "other"]);
    assert!(place.dir().join("a/b/other/journal.db").exists());
    assert!(!place.dir().join("a/b/.synod").exists());
    finish(place);
}

const COUNCILS: &str = r#"
[alias]
fast = "rehearsal-typo:x"
"#;

#[test]
fn councils_have_names_and_seats_are_added_to_them() {
    let place = Place::new();
    place.write("yes.txt", r#"{"stance":"YES","position":"p","vote":"YES","reason":"r"}"#);
    place.write(
        ".synod/seats.toml",
        "[alias]\nfast = \"script:yes.txt\"\n\n[[seat]]\nname = \"ann\"\nbackend = \"fast\"\n\n[[seat]]\nbackend = \"fast\"\n\n[council.arch]\nseats = [\"ann\", \"fast\", \"script:yes.txt\"]\n",
    );
    place.write(".synod/councils/ops.toml", "[[seat]]\nname = \"olga\"\nbackend = \"fast\"\n");
    let seats = |args: &[&str]| {
        let told = place.run([&["debate", "Should we?", "--json"], args].concat()).json();
        each(&told["report"]["seats"], "name").into_iter().map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(seats(&[]), ["ann", "yes"]);
    assert_eq!(seats(&["--council", "arch"]), ["ann", "yes", "yes-2"]);
    assert_eq!(seats(&["--council", "ops", "--seat", "fast"]), ["olga", "fast"]);
    assert_eq!(seats(&["--seat", "bob=fast"]), ["ann", "yes", "bob"]);
    assert_eq!(seats(&["--seat", "ann=rehearsal"]), ["ann", "yes"]);
    assert_eq!(seats(&["--only", "--seat", "bob=fast"]), ["bob"]);
    place
        .run(["debate", "Should we?", "--plan", "--seat=bob=fast"])
        .exits(0)
        .tells("1 seat added to those of .synod/seats.toml; --only leaves those out");
    place.run(["debate", "Should we?", "--council=arhc"]).exits(64).tells("Did you mean `arch`?");
    place.run(["debate", "Should we?", "--only"]).exits(64);
    place.run(["seats"]).exits(0).prints("council arch (--council arch)").prints("fast = script:yes.txt");
    place.write(".synod/seats.toml", COUNCILS);
    place.run(["debate", "Should we?"]).exits(65).tells("`alias.fast`: unknown seat type");
    std::fs::remove_file(place.house().join("seats.toml")).expect("a file");
    finish(place);
}

/// The user's own seats are used where the house has none. They are the user's word only if nobody else could write them.
#[test]
fn a_user_has_seats_of_their_own() {
    let place = Place::new().wary();
    let file = place.write(
        ".config/synod/seats.toml",
        "[[seat]]\nname = \"own\"\nbackend = \"exec:echo '{\\\"stance\\\":\\\"YES\\\",\\\"position\\\":\\\"p\\\",\\\"vote\\\":\\\"YES\\\",\\\"reason\\\":\\\"r\\\"}'\"\n",
    );
    let mode =
        |mode: u32| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o644);
    place.run(["debate", "Should we?"]).exits(69).tells("run the program: echo");
    place.run(["seats"]).exits(0).prints("needs your consent");
    mode(0o600);
    place.run(["debate", "Should we?", "--quiet"]).exits(0).tells("seats from").prints("PASSED");
    place.write(".synod/seats.toml", "[[seat]]\nname = \"house\"\nbackend = \"rehearsal\"\n");
    let listed = place.json(["seats"]);
    assert_eq!(each(&listed["councils"][0]["seats"], "name"), ["house"], "the house goes first");
    assert_eq!(
        (&listed["councils"][0]["default"], &listed["councils"][1]["default"]),
        (&true.into(), &false.into())
    );
    finish(place);
}

#[test]
fn the_demo_plays_a_whole_council_and_its_commands_work() {
    let place = Place::new();
    let run = place.run(["demo", "--keep", "kept"]).exits(0);
    let run = run.tells("A scripted demo: no model is called").tells("only with a kill switch");
    let run = run
        .tells("undecided, a tie: this vote settles nothing")
        .prints("PASSED: 3 of 4 votes for it")
        .prints("A read flag sends all reads back to Redis");
    let run = run.prints("Dissent  Dev NO").prints("REJECTED: 1 of 4 votes").prints("Differences: charter");
    let next: Vec<&str> = run.out.lines().filter_map(|line| line.strip_prefix("  synod ")).collect();
    assert!(next.len() >= 5, "{run}");
    for line in next.iter().filter(|line| line.contains("--house kept")) {
        let command = line.split("  ").next().unwrap_or_default();
        place.run(command.split_whitespace()).exits(0);
    }
    place.run(["demo", "--keep", "kept"]).exits(64).tells("is there already");
    let told = place.json(["demo", "--keep", "again"]);
    assert_eq!(told["answer"]["decision"]["status"], "passed", "{told}");
    assert_eq!(told["fork"]["decision"]["status"], "rejected");
    assert!(Path::new(&place.dir().join("again/journal.db")).exists() && !place.house().exists());
}

/// The guide as somebody follows it: every command of it, in order, with a model that a test server plays.
#[test]
fn the_guide_of_the_first_ten_minutes_works() {
    let ollama = models("/api/tags", r#"{"models":[{"name":"tiny:latest"}]}"#);
    let place = alone().with("OLLAMA_HOST", host(&ollama)).wary();
    place.write("src/a.rs", "fn a() {}\n");
    place.write("README.md", "# Ours\n");
    let binary = Path::new(env!("CARGO_BIN_EXE_synod")).parent().expect("a folder").display().to_string();
    let temporary = place.state().display().to_string();
    let place = place.with("PATH", &format!("{binary}:/usr/bin:/bin")).with("TMPDIR", &temporary);
    let shell = |line: &str| {
        let mut shell = place.bare("sh");
        shell.args(["-c", line]);
        crate::world::Started::of(shell, b"").wait()
    };
    shell("git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm a && echo 'fn b() {}' >> src/a.rs")
        .exits(0);
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/first-ten-minutes.md");
    let (mut block, mut toml, mut ran) = (String::new(), String::new(), 0);
    for line in std::fs::read_to_string(guide).expect("the guide").lines() {
        match (line, block.as_str()) {
            ("```sh" | "```toml", "") => block = line.trim_start_matches('`').into(),
            ("```", "toml") => {
                place.write(".synod/seats.toml", &toml);
                block.clear();
            }
            ("```", _) => block.clear(),
            (line, "toml") => toml.push_str(&format!("{line}\n")),
            (line, "sh") => {
                shell(line).exits(0);
                ran += 1;
            }
            (_, _) => (),
        }
    }
    assert!(ran >= 12, "{ran}");
    let first = material_of_diff(&place);
    assert!(first.contains("+fn b() {}"), "{first}");
    finish(place);
}

/// What the council on the diff was given.
fn material_of_diff(place: &Place) -> String {
    let acts = place.acts();
    let opened = acts.iter().filter_map(|act| act["command"].get("open"));
    let given = opened.filter_map(|open| open["context"].as_array()).flatten();
    given.filter_map(|piece| piece["text"].as_str()).next().unwrap_or_default().to_string()
}
