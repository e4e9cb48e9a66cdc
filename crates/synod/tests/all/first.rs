//! A newcomer's first hour: no key, no model, no reading. Everything works, and nothing pretends to reason.

use std::process::Stdio;

use serde_json::Value;

use crate::houses::finish;
use crate::world::{Place, Run, Started, each};

const TOPIC: &str = "Should we cache the index?";

/// What the decision of a matter means for the exit code.
fn code_of(status: &Value) -> i32 {
    match status.as_str() {
        Some("passed") => 0,
        Some("rejected") => 1,
        Some("undecided" | "contested") => 2,
        other => panic!("a debate ended as {other:?}"),
    }
}

/// A place where one rehearsal was held.
fn rehearsed() -> (Place, Run) {
    let place = Place::new();
    let run = place.run(["debate", TOPIC, "--rehearse"]);
    (place, run)
}

#[test]
fn without_a_model_nothing_is_pretended_and_the_commands_to_type_are_said() {
    let place = Place::new();
    for args in [&["debate", TOPIC][..], &["debate", TOPIC, "--plan"], &["debate", TOPIC, "--quiet"]] {
        let run = place.run(args).exits(70).tells("no model is configured or found, so nobody can answer");
        for command in ["synod init ", "synod demo ", "synod debate \"…\" --rehearse"] {
            assert!(run.err.contains(command), "{run}");
        }
        assert!(run.out.is_empty(), "{run}");
    }
    let error = &place.json(["debate", TOPIC])["error"];
    assert_eq!((&error["code"], &error["exit"]), (&"seats/none".into(), &70.into()));
    assert!(!place.house().exists(), "nothing was opened");
    place.run(["debate", TOPIC, "--rehearse", "--seat=ann=rehearsal"]).exits(64).tells("--rehearse");
}

/// Seats that were named are asked for, also where they are placeholders.
#[test]
fn placeholders_that_are_named_need_no_flag() {
    let place = Place::new();
    let run = place.run(["debate", TOPIC, "--seat=ann=rehearsal", "--seat=rehearsal"]);
    run.exits(code_of(&place.report()["status"])).tells("seats:   ann = rehearsal, placeholder = rehearsal");
    finish(place);
}

#[test]
fn the_first_command_gives_a_decision_and_says_that_it_is_a_rehearsal() {
    let (place, run) = rehearsed();
    let report = place.report();
    let run = run
        .exits(code_of(&report["status"]))
        .tells("note: a rehearsal: three placeholder seats vote at random, and no model is called")
        .tells("plan:    3 to 21 calls, nothing leaves this machine")
        .tells("── drafts")
        .tells("skeptic (rehearsal) ")
        .tells("[rehearsal] ")
        .prints("[degraded: rehearsal only, nobody reasoned]")
        .prints("Cost     nothing left this machine")
        .prints("synod verify .synod/receipts/");
    let headline = run.out.trim_start().lines().next().unwrap_or_default().to_string();
    assert!(headline.starts_with(&report["status"].as_str().unwrap().to_uppercase()), "{headline}");
    finish(place);
}

#[test]
fn a_rehearsal_is_labelled_in_every_form() {
    let place = Place::new();
    let run = place.run(["debate", TOPIC, "--json", "--rehearse"]).tells("placeholder seats vote at random");
    let told = run.json();
    assert_eq!(told["report"]["caveats"][0], "rehearsal only, nobody reasoned");
    assert_eq!(told["receipt"]["body"]["caveats"][0], "rehearsal only, nobody reasoned");
    assert_eq!(each(&told["report"]["seats"], "kind"), ["rehearsal", "rehearsal", "rehearsal"]);
    assert_eq!(told["plan"]["calls_least"], 3);
    assert_eq!(told["receipt"]["body"].get("conditions"), None, "nobody set a condition");
    for said in told["report"]["rounds"][0]["said"].as_array().unwrap() {
        let position = said["response"]["position"].as_str().unwrap();
        assert!(position.starts_with("[rehearsal]"), "{position}");
    }
    let export = |format: &str| place.run(["export", "--format", format]).exits(0);
    // Markdown escapes brackets, so that what is quoted cannot become a link.
    export("md")
        .prints("rehearsal only, nobody reasoned")
        .prints("\\[rehearsal\\]")
        .prints("skeptic (rehearsal)");
    export("html")
        .prints("rehearsal only, nobody reasoned")
        .prints("[rehearsal]")
        .prints("skeptic (rehearsal)");
    let json = export("json").json();
    assert_eq!(json["headline"], told["report"]["headline"]);
    assert_eq!(place.json(["export"]), json, "--json is a form too");
    place.run(["show"]).exits(0).prints("rehearsal only, nobody reasoned");
    place.run(["list"]).exits(0).prints("[rehearsal] ");
    let listed = place.json(["list"]);
    assert_eq!((&listed[0]["rehearsal"], &listed[0]["caveats"]), (&true.into(), &told["report"]["caveats"]));
    let receipt = place.run(["receipt"]).exits(0).json();
    assert_eq!(receipt, told["receipt"], "the same receipt every time");
    finish(place);
}

#[test]
fn the_exit_code_is_the_decision() {
    let place = Place::new();
    let mut seen = std::collections::BTreeSet::new();
    for nth in 0..8 {
        let run = place.run(["debate", &format!("Rehearsal number {nth}?"), "--quiet", "--rehearse"]);
        let code = code_of(&place.report()["status"]);
        seen.insert(run.exits(code).code);
    }
    assert!(seen.len() > 1, "rehearsals are dealt different results, these were all {seen:?}");
    finish(place);
}

#[test]
fn looking_around_afterwards() {
    let (place, _) = rehearsed();
    place.run(["debate", "Tabs or spaces?", "--option", "tabs", "--option", "spaces", "--rehearse"]);
    let list = place.json(["list"]);
    let ids = each(&list, "matter");
    assert_eq!(each(&list, "topic"), [TOPIC, "Tabs or spaces?"]);
    place.run(["list"]).exits(0).prints(TOPIC).prints("Tabs or spaces?");
    place.run(["show", ids[0]]).exits(0).prints(TOPIC);
    let show = place.run(["show"]).exits(0);
    assert!(show.out.contains("Tabs or spaces?") && show.out.contains("A tabs"), "the last one\n{show}");
    let shown = place.json(["show", ids[0]]);
    assert_eq!(shown["question"]["topic"], TOPIC);

    let receipt = format!(".synod/receipts/{}.json", ids[0]);
    place.run(["verify", &receipt]).exits(0).prints("the key is one that this house signed with then");
    assert_eq!(place.json(["verify", &receipt])["good"], true);
    place.run(["verify"]).exits(0).prints("ok     the journal: ");
    place.run(["replay"]).exits(0).prints("same final hash ");
    let open = place.run(["list", "--open", "--json"]).exits(0).json();
    assert_eq!(open.as_array().map(Vec::len), Some(0));
    finish(place);
}

/// What is printed to be pasted works when it is pasted, also for a house with a name of its own.
#[test]
fn printed_commands_can_be_pasted() {
    let place = Place::new();
    place.run(["debate", "Is this the usual house?", "--quiet", "--rehearse"]);
    let run = place.run(["debate", TOPIC, "--quiet", "--house", "it's my house", "--rehearse"]);
    let line = run.out.lines().find_map(|line| line.split_once("check it: synod ")).expect("a command").1;
    let mut shell = place.bare("sh");
    shell.arg("-c").arg(format!("'{}' {line}", env!("CARGO_BIN_EXE_synod")));
    let verified = Started::of(shell, b"").wait().exits(0);
    verified.prints("question, tally, dissent and everything else match the journal");
    finish(place);
}

#[test]
fn exports_go_to_files_and_overwrite_nothing() {
    let (place, _) = rehearsed();
    place.run(["export", "--out", "it.md"]).exits(0).prints("written to it.md");
    let written = std::fs::read_to_string(place.dir().join("it.md")).unwrap();
    assert_eq!(written, place.run(["export"]).out);
    place.run(["export", "--out", "it.md"]).exits(74).tells("it.md exists already and is not overwritten");
    let page = place.run(["export", "--format", "html"]).exits(0).out;
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(!page.contains("<script") && page.contains("default-src 'none'"), "a page that runs nothing");
    finish(place);
}

/// Seats that are set up may well answer without a key: nobody is told to name others.
#[test]
fn doctor_with_seats_and_no_debate_yet() {
    let place = Place::new();
    place.write(".synod/seats.toml", "[[seat]]\nname = \"ann\"\nbackend = \"exec:cat\"\n");
    let run = place.run(["doctor"]).exits(0).prints(".synod has no journal yet; the first debate starts one");
    run.prints("1 seat from .synod/seats.toml")
        .prints("`synod seats` says which of the seats can answer")
        .hides("run `synod init`");
}

#[test]
fn doctor_before_and_after() {
    let place = Place::new();
    place.run(["doctor"]).exits(0).prints("none at .synod yet; the first debate creates it");
    assert!(!place.house().exists(), "looking founds nothing");
    place.run(["debate", TOPIC, "--rehearse"]);
    place
        .run(["doctor"])
        .exits(0)
        .prints("hash chain intact")
        .prints("run `synod init`, or name seats with --seat");
    let checks = place.json(["doctor"]);
    let health = |what: &str| {
        let row = checks.as_array().unwrap().iter().find(|row| row["what"] == what);
        row.map(|row| row["health"].clone()).unwrap_or_default()
    };
    for what in ["journal", "lock", "key", "disk", "settings", "charters"] {
        assert_eq!(health(what), "good", "{what}: {checks}");
    }
    assert_eq!(health("models"), "note");
    finish(place);
}

/// The charters in the binary, the default first.
const SHIPPED: [&str; 22] = [
    "blind-vote",
    "collaborative",
    "adversarial",
    "socratic",
    "expert-panel",
    "devils-advocate",
    "delphi",
    "red-team-blue-team",
    "ranked-choice",
    "open",
    "estimate",
    "ring-default",
    "ring-quick",
    "ring-strict",
    "ring-critical",
    "workshop",
    "workshop-light",
    "workshop-strict",
    "parliament-policy",
    "parliament-constitutional",
    "parliament-procedural",
    "parliament-legacy",
];

#[test]
fn charters_can_be_listed_shown_and_checked() {
    let place = Place::new();
    place.run(["charter", "list"]).exits(0).prints("blind-vote").prints("collaborative");
    assert_eq!(each(&place.json(["charter", "list"]), "name"), SHIPPED);
    place.run(["charter", "check", "blind-vote"]).exits(0).prints("good");
    assert_eq!(place.json(["charter", "check", "blind-vote"])["good"], true);

    let shown =
        place.run(["charter", "show", "blind-vote"]).exits(0).prints("# setting debate.rounds = 2 (1 to 6)");
    let told = place.json(["charter", "show", "blind-vote"]);
    assert!(shown.out.contains(told["digest"].as_str().unwrap()));
    assert_eq!(told["charter"]["name"], "blind-vote");
    // What is shown is itself a charter: the lines added to it are comments.
    place.write("copy.toml", &shown.out);
    place.run(["charter", "check", "copy.toml"]).exits(0).prints("copy.toml: good");
    let schema = place.run(["charter", "schema"]).exits(0).json();
    assert!(schema["properties"]["stage"].is_object(), "{schema}");

    place.write(".synod/charters/mine.toml", shown.out.replace("name = \"blind-vote\"", "name = \"mine\""));
    assert_eq!(each(&place.json(["charter", "list"]), "name"), [&SHIPPED[..], &["mine"]].concat());
    place.run(["debate", TOPIC, "--charter", "mine", "--rehearse"]).tells("charter: mine (Blind vote)");
    finish(place);
}

#[test]
fn completions_help_and_version() {
    let place = Place::new();
    place.run(["completions", "bash"]).exits(0).prints("complete -F _synod").prints("debate");
    place.run(["--help"]).exits(0).prints("Exit codes: 0 passed, 1 rejected, 2 undecided").hides("\u{1b}");
    place.run(["debate", "--help"]).exits(0).prints("--budget-usd <X>");
    place.run(["--version"]).exits(0).prints("synod 0.");
}

#[test]
fn a_plan_changes_nothing() {
    let place = Place::new();
    place
        .run(["debate", TOPIC, "--plan", "--rehearse"])
        .exits(0)
        .prints("3 to 21 calls, nothing leaves this machine");
    place.run(["debate", TOPIC, "--plan", "--quiet", "--rehearse"]).exits(0).prints("3 to 21 calls");
    let plan = place.json(["debate", TOPIC, "--plan", "--rounds", "3", "--rehearse"]);
    assert_eq!((&plan["calls_least"], &plan["calls_most"]), (&3.into(), &24.into()), "{plan}");
    assert!(!place.house().exists(), "a plan founds nothing");
}

#[test]
fn one_key_is_one_matter() {
    let place = Place::new();
    let first = place.run(["debate", TOPIC, "--key", "monday", "--json", "--rehearse"]).json();
    let acts = place.rows().len();
    let again = place.run(["debate", TOPIC, "--key", "monday", "--json", "--rehearse"]).json();
    assert_eq!(first["receipt"], again["receipt"]);
    assert_eq!(place.json(["list"]).as_array().map(Vec::len), Some(1));
    let opened = place.acts().iter().skip(acts).filter(|act| act["command"].get("open").is_some()).count();
    assert_eq!(opened, 0, "the second command opened nothing");
    place.run(["debate", TOPIC, "--key", "tuesday", "--quiet", "--rehearse"]);
    assert_eq!(place.json(["list"]).as_array().map(Vec::len), Some(2));
    finish(place);
}

/// A script that keeps a receipt must learn that its file is not whole.
#[test]
fn output_that_a_full_disk_loses_is_not_a_success() {
    let place = Place::new();
    place.run(["debate", "Should we?", "--rehearse", "--quiet"]);
    for args in [
        &["receipt", "1"][..],
        &["show"],
        &["list", "--json"],
        &["export"],
        &["--help"],
        &["charter", "list"],
    ] {
        let mut synod = place.bare(env!("CARGO_BIN_EXE_synod"));
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = synod.args(args).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(74), "{args:?}: {said}");
        assert!(said.contains("stdout cannot be written (No space left on device"), "{args:?}: {said}");
    }
    finish(place);
}

/// `synod … | head -1`: closing the pipe says that the rest is not wanted, and that is not an error.
#[test]
fn a_closed_pipe_is_no_panic() {
    let (place, _) = rehearsed();
    for args in [
        "debate again? --rehearse",
        "matter show",
        "matter export",
        "charter schema",
        "completions bash",
        "--help",
    ] {
        let mut shell = place.bare("sh");
        let synod = env!("CARGO_BIN_EXE_synod");
        shell
            .arg("-c")
            .arg(format!("'{synod}' {args} | head -1; '{synod}' {args} >&-; '{synod}' {args} | true"));
        let run = Started::of(shell, b"").wait();
        assert!(!run.err.contains("error") && !run.err.contains("Broken pipe"), "{run}");
    }
    // Nobody listens to the progress either.
    let mut deaf = place.command(["debate", TOPIC, "--rehearse"]);
    deaf.stderr(Stdio::null()).stdout(Stdio::null());
    let code = deaf.status().unwrap().code();
    assert_eq!(code, Some(code_of(&place.report()["status"])));
    finish(place);
}
