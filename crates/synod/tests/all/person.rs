//! A person at a terminal: a pseudo-terminal by `script`, somebody who reads and types.

mod prompt;

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::houses::finish;
use crate::server::{Reply, Server, side};
use crate::world::{Place, Run, Started};

/// Somebody at a terminal.
pub(crate) struct Terminal {
    shell: Started,
    /// Up to where they have read.
    read: usize,
}

impl Terminal {
    /// Runs synod in a terminal; none where there is no tool for it.
    pub(crate) fn open(place: &Place, args: &[&str]) -> Option<Self> {
        Self::open_on(place, args, "xterm")
    }

    /// The same in a terminal of a kind.
    pub(crate) fn open_on(place: &Place, args: &[&str], kind: &str) -> Option<Self> {
        let there =
            Command::new("script").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            let _ = writeln!(std::io::stderr(), "skipped: a person at a terminal: there is no `script` here");
            return None;
        }
        let words: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
        let line = format!("'{}' {}", env!("CARGO_BIN_EXE_synod"), words.join(" "));
        let mut script = place.bare("script");
        script
            .args(["-qec", &line, "/dev/null"])
            .stdin(Stdio::piped())
            .env("TERM", kind)
            .env("SHELL", "/bin/sh");
        Some(Self { shell: Started::of(script, b""), read: 0 })
    }

    /// Reads on until these words have come.
    #[track_caller]
    pub(crate) fn reads(&mut self, words: &str) -> &mut Self {
        self.read = self.shell.until(words, self.read);
        self
    }

    /// Types a line.
    pub(crate) fn types(&mut self, line: &str) -> &mut Self {
        self.shell.type_line(line);
        self
    }

    /// Types without ending the line.
    fn types_raw(&mut self, keys: &str) -> &mut Self {
        self.shell.type_keys(keys);
        self
    }

    /// Everything that was shown so far.
    pub(crate) fn shown(&self) -> String {
        self.shell.printed()
    }

    /// Waits to be asked for this and types an answer.
    #[track_caller]
    pub(crate) fn answers(&mut self, asked: &str, with: &str) -> &mut Self {
        self.reads(asked).reads("\n> ");
        self.shell.type_line(with);
        self
    }

    /// Gives a whole draft for one side.
    #[track_caller]
    fn drafts(&mut self, stance: &str, position: &str) -> &mut Self {
        self.answers("reasoning\r\n", "Because it is so.")
            .answers("position\r\n", position)
            .answers("stance [YES/NO/NEUTRAL]\r\n", stance)
            .answers("confidence [0 to 1] (optional)", "0.9")
            .reads("6 more fields, optional")
            .answers("key points [separate with ;] (optional)", "one point; another point")
            .answers("strongest objection (optional)", "It may not be so.")
            .answers("change if (optional)", "a flood")
            .answers("conditions", "")
            .answers("citations [separate with ;]", "https://example.org/sea")
            .answers("context requests", "")
            .sends()
    }

    /// Looks at the whole answer and sends it.
    #[track_caller]
    pub(crate) fn sends(&mut self) -> &mut Self {
        self.reads("Your answer:").answers("Enter sends it", "")
    }

    #[track_caller]
    fn votes(&mut self, choice: &str, reason: &str) -> &mut Self {
        self.answers("reason\r\n", reason)
            .answers("vote [YES/NO/ABSTAIN]", choice)
            .answers("confidence [0 to 1]", "0.8")
            .answers("change if", "a flood")
            .answers("conditions", "")
            .answers("new argument", "")
            .sends()
    }

    #[track_caller]
    pub(crate) fn end(self) -> Run {
        self.shell.wait()
    }
}

#[test]
fn a_person_speaks_and_votes() {
    let place = Place::new();
    place.write("yes.txt", "@speak\n{\"stance\":\"YES\",\"position\":\"bob is for it\"}\n---\n@vote\n{\"vote\":\"YES\",\"reason\":\"bob\"}\n");
    let args = ["debate", "Should we paint it blue?", "--seat=Ann=person", "--seat=bob=script:yes.txt"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("ann, it is your turn").reads("Should we paint it blue?");
    // Who takes no side in the draft is asked for a vote.
    terminal.drafts("NEUTRAL", "Blue is the colour of the sea.").votes("yes", "The sea is blue, ünd größer.");
    let run = terminal.end().exits(0);
    assert!(run.out.contains("PASSED: 2 of 2 votes"), "{run}");

    let report = place.report();
    let said = &report["rounds"][0]["said"][0];
    assert_eq!(said["who"], "ann");
    assert_eq!(said["response"]["position"], "Blue is the colour of the sea.");
    assert_eq!(said["response"]["key_points"], serde_json::json!(["one point", "another point"]));
    assert_eq!(said["response"]["confidence"], 900);
    let votes = report["ballots"][0]["votes"].as_array().expect("votes");
    let vote = votes.iter().find(|vote| vote["who"] == "ann").expect("ann's vote");
    assert_eq!((&vote["choice"], &vote["reason"]), (&"yes".into(), &"The sea is blue, ünd größer.".into()));
    assert_eq!(report["seats"][0]["kind"], "person");
    assert_eq!(report["missing"].as_array().map(Vec::len), Some(0));
    finish(place);
}

/// A letter means nothing to somebody who is not told what it stands for.
#[test]
fn a_person_is_told_the_options() {
    let place = Place::new();
    let args = ["debate", "What shall we drink?", "--option=tea", "--option=coffee", "--seat=ann=person"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal
        .reads("ann, it is your turn")
        .reads("What shall we drink?")
        .reads("Option A: tea")
        .reads("Option B: coffee");
    terminal.answers("reasoning\r\n", "1").answers("position", "1");
    terminal.answers("stance [A/B/NONE/NEUTRAL]", "NEUTRAL").answers("confidence", "1");
    for asked in ["key points", "strongest objection", "change if", "conditions", "citations"] {
        terminal.answers(asked, "1");
    }
    terminal.answers("context requests", "").sends();
    terminal.reads("Option B: coffee").answers("reason\r\n", "1");
    terminal
        .answers("vote [A/B/NONE/ABSTAIN]", "coffee")
        .answers("confidence", "1")
        .answers("change if", ":s")
        .sends();
    let run = terminal.end().exits(0);
    assert!(run.out.contains("PASSED: B, coffee; 1 of 1 votes"), "{run}");
    finish(place);
}

/// Two people at one terminal are asked one after the other.
#[test]
fn two_people_share_a_terminal() {
    let place = Place::new();
    let Some(mut terminal) =
        Terminal::open(&place, &["debate", "Tea?", "--seat=ann=person", "--seat=bob=person"])
    else {
        return;
    };
    for _ in 0..2 {
        terminal.reads("it is your turn").drafts("NO", "Coffee.");
    }
    let run = terminal.end().exits(1);
    assert!(run.out.contains("REJECTED: 0 of 2 votes"), "{run}");
    finish(place);
}

/// A person thinks for as long as they like; meanwhile the models go on, and their answers count.
#[test]
fn models_do_not_wait_for_a_person_who_thinks() {
    let server = Server::start(|request| Reply::Say(side(request, "YES"), Duration::from_millis(700)));
    let place = Place::new();
    let seat = server.seat("bob");
    let args = ["debate", "Should we?", "--seat=ann=person", &seat, "--set=turn.limit_ms=1500"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    // That bob has answered is told, and what only when ann cannot follow any more.
    terminal.reads("ann, it is your turn");
    std::thread::sleep(Duration::from_millis(2000));
    terminal.drafts("YES", "Yes.");
    let run = terminal.end().exits(0);
    assert!(run.out.contains("PASSED: 2 of 2 votes"), "{run}");
    let told = run.out.find("Because it is so.\r\n   1 of 2 have answered\r\n");
    assert!(told.is_some(), "the count waits for the end of her line\n{run}");
    let (own, other) = (run.out.find("Yes.\r\n"), run.out.find("bob YES 0.8"));
    assert!(own.is_some() && own < other, "bob's draft comes after ann's own\n{run}");
    assert_eq!(place.report()["missing"].as_array().map(Vec::len), Some(0));
    finish(place);
}

/// Ctrl-C at the prompt, as the terminal sends it, lays the matter to rest at once.
#[test]
fn ctrl_c_at_the_prompt() {
    let place = Place::new();
    let Some(mut terminal) = Terminal::open(&place, &["debate", "Should we?", "--seat=ann=person"]) else {
        return;
    };
    terminal.reads("reasoning\r\n").reads("\n> ");
    terminal.shell.type_line("\u{3}");
    let run = terminal.end().exits(130);
    assert!(run.out.contains("Resume with: synod resume "), "{run}");
    assert_eq!(place.report()["status"], "paused");

    let Some(mut terminal) = Terminal::open(&place, &["resume"]) else { return };
    terminal.reads("it is your turn").drafts("NO", "No.");
    terminal.end().exits(1);
    finish(place);
}

/// One slip of the finger costs nothing, and two cost one turn, not the seat.
#[test]
fn ctrl_d_ends_a_turn_and_not_the_seat() {
    let place = Place::new();
    place.write("yes.txt", "@speak\n{\"stance\":\"YES\",\"position\":\"bob is for it\"}\n---\n@vote\n{\"vote\":\"YES\",\"reason\":\"bob\"}\n");
    let args = ["debate", "Should we?", "--seat=ann=person", "--seat=bob=script:yes.txt"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.answers("reasoning\r\n", "So it is.").reads("position").reads("\n> ");
    terminal.types_raw("\u{4}").reads("Press Ctrl-D once more to end your turn").reads("\n> ");
    terminal
        .types("We should.")
        .reads("stance")
        .reads("\n> ")
        .types_raw("\u{4}")
        .reads("once more")
        .reads("\n> ");
    terminal.types_raw("\u{4}");
    // The vote is another turn, and she is asked again.
    terminal.reads("ann, it is your turn").votes("yes", "It is so.");
    let run = terminal.end().exits(0);
    assert!(run.out.contains("ann in round 1: ended the turn with Ctrl-D"), "{run}");
    let report = place.report();
    let votes = report["ballots"].as_array().and_then(|held| held.last()).expect("a vote")["votes"].clone();
    assert!(votes.as_array().is_some_and(|votes| votes.iter().any(|vote| vote["who"] == "ann")), "{votes}");
    finish(place);
}

#[test]
fn nobody_at_the_terminal() {
    let run = Place::new().run(["debate", "Should we?", "--seat=ann=person"]);
    run.exits(64)
        .tells("seat `ann` is a person, but standard input is not a terminal; run this in a terminal");
}

#[test]
fn a_deletion_is_asked_about() {
    let place = Place::new();
    place.run(["debate", "Shall it stay?", "--quiet", "--rehearse"]);
    let matter = place.report()["matter"].as_str().expect("a matter").to_string();
    for (answer, code) in [("", 130), ("no", 130), ("y", 0)] {
        let Some(mut terminal) = Terminal::open(&place, &["delete", &matter]) else {
            return finish(place);
        };
        terminal.reads("Shall it stay?").reads("to be deleted: its words in ").reads("Delete? [y/N]");
        terminal.shell.type_line(answer);
        let run = terminal.shell.wait().exits(code);
        assert_eq!(run.out.contains("was not deleted"), code != 0, "{run}");
        assert_eq!(place.report()["redacted"], code == 0);
    }
    finish(place);
}
