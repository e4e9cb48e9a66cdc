//! A person's prompt: slips are told at once, nothing is sent unseen, and nothing comes between a prompt and its line.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use super::Terminal;
use crate::houses::finish;
use crate::server::{Gate, Server, refuse, side, write};
use crate::world::Place;

/// Ann alone, who is done after her draft.
fn alone(place: &Place, more: &[&str]) -> Option<Terminal> {
    let args = ["debate", "Should we?", "--seat=ann=person", "--no-synthesis"];
    Terminal::open(place, &[&args, more].concat())
}

#[test]
fn a_slip_is_told_at_once() {
    let place = Place::new();
    let Some(mut terminal) = alone(&place, &[]) else { return };
    terminal.answers("reasoning\r\n", "").answers("This is needed: Why, in a short paragraph", "Because.");
    terminal.answers("position", "We should.");
    terminal
        .answers("stance [YES/NO/NEUTRAL]", "perhaps")
        .answers("\"perhaps\" cannot be read here. Type YES, NO or NEUTRAL.", "yes");
    terminal
        .answers("confidence [0 to 1]", "7")
        .answers("\"7\" cannot be read here. Type a number from 0 to 1", ":q")
        .answers(":q is not a command", "80%");
    terminal.answers("key points", ":s").sends();
    terminal.end().exits(0);
    let said = &place.report()["rounds"][0]["said"][0];
    assert_eq!(said["response"]["stance"], "yes");
    assert_eq!(said["response"]["confidence"], 800);
    assert_eq!(said["repairs"].as_array().map_or(0, Vec::len), 0, "what a person typed well needs no repair");
    finish(place);
}

#[test]
fn a_person_goes_back_and_looks_before_sending() {
    let place = Place::new();
    let Some(mut terminal) = alone(&place, &[]) else { return };
    terminal.answers("reasoning\r\n", ":b").answers("This is the first field.", "One reason.");
    terminal.answers("position", ":b").reads("Now: One reason. (Enter keeps it)");
    terminal.types("A better reason.").answers("position", "Do it.");
    terminal.answers("stance", "no").answers("confidence", "0.9").answers("key points", ":s");
    terminal
        .reads("Your answer:")
        .reads(" 1 reasoning            A better reason.")
        .reads(" 3 stance               no");
    terminal.answers("Enter sends it", "99").answers("Type a number from 1 to 10", "3");
    terminal.answers("Now: no (Enter keeps it)", "YES").answers("Enter sends it", "4");
    terminal
        .answers("Now: 0.9 (Enter keeps it)", ":x")
        .reads(" 4 confidence           -")
        .answers("Enter sends it", "");
    terminal.end().exits(0);
    let response = &place.report()["rounds"][0]["said"][0]["response"];
    assert_eq!((&response["stance"], &response["reasoning"]), (&"yes".into(), &"A better reason.".into()));
    assert!(response["confidence"].is_null(), "{response}");
    finish(place);
}

#[test]
fn a_long_text_is_written_in_an_editor() {
    let place = Place::new();
    let script = "#!/bin/sh\ncp \"$2\" seen.txt\nstat -c %a \"$2\" > mode.txt\nprintf '# Heading\\n\\nLong, ünd long.\\n' > new\ncat new \"$2\" > both\ncat both > \"$2\"\n";
    let path = place.write("my editor.sh", script);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let place = place.with("VISUAL", "'./my editor.sh' --wait").with("EDITOR", "false");
    let Some(mut terminal) = alone(&place, &[]) else { return };
    terminal
        .answers("reasoning\r\n", ":e")
        .answers("position", "So.")
        .answers("stance", "YES")
        .answers("confidence", "1");
    terminal.answers("key points", ":s").reads("# Heading Long, ünd long.").answers("Enter sends it", "");
    terminal.end().exits(0);
    let seen = std::fs::read_to_string(place.dir().join("seen.txt")).expect("what the editor saw");
    assert!(seen.contains("\n# reasoning\n# Why, in a short paragraph"), "{seen}");
    assert_eq!(std::fs::read_to_string(place.dir().join("mode.txt")).expect("a mode").trim(), "600");
    let response = &place.report()["rounds"][0]["said"][0]["response"];
    assert_eq!(response["reasoning"], "# Heading\n\nLong, ünd long.");
    finish(place);
}

/// An editor that fails costs nothing but the try.
#[test]
fn an_editor_that_fails() {
    let place = Place::new().with("EDITOR", "false");
    let Some(mut terminal) = alone(&place, &[]) else { return };
    terminal.answers("reasoning\r\n", ":e").answers("Set $EDITOR to the editor you use.", "Typed.");
    terminal
        .answers("position\r\n", "So it is.")
        .answers("stance", "YES")
        .answers("confidence", "")
        .answers("key points", ":s")
        .sends();
    terminal.end().exits(0);
    assert_eq!(place.report()["rounds"][0]["said"][0]["response"]["reasoning"], "Typed.");
    finish(place);
}

#[test]
fn a_deadline_is_told_and_kept() {
    let place = Place::new();
    let Some(mut terminal) = alone(&place, &["--set=turn.person_limit_ms=2500"]) else { return };
    terminal
        .reads("You have until ")
        .reads(" UTC, ")
        .reads(" left.")
        .reads("reasoning")
        .reads("seconds left\r\n> ");
    let run = terminal.end();
    assert!(run.out.contains("ann did not answer"), "what waited is told\n{run}");
    finish(place);

    let place = Place::new();
    let Some(mut terminal) = alone(&place, &["--set=turn.person_limit_ms=600000"]) else { return };
    terminal.reads("10 minutes left.").reads("> ").types("\u{3}");
    terminal.end().exits(130);
    finish(place);
}

/// Somebody who types is left alone, whatever the others do.
#[test]
fn nothing_comes_between_a_prompt_and_its_line() {
    let gate = Gate::default();
    let open = gate.clone();
    let server = Server::start(move |request| match (request.seat().as_str(), request.nth_of_seat) {
        ("bob", 1) => refuse(500, "later"),
        ("bob", _) => crate::server::Reply::Say(side(request, "YES"), Duration::from_millis(400)),
        _ => write(&side(request, "YES"), &gate),
    });
    let place = Place::new().with("SYNOD_RETRY_WAIT_MS", "300");
    let seats = server.seats(&["bob", "cid"]);
    let args = ["debate", "Should we?", "--seat=ann=person", &seats[0], &seats[1], "--no-synthesis"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("reasoning\r\n").reads("\r\n> ");
    let asked = terminal.shown();
    assert!(
        server.wait(|log| log.iter().filter(|seen| seen.answered).count() >= 2),
        "bob answers on his second try"
    );
    std::thread::sleep(Duration::from_millis(1500));
    assert_eq!(terminal.shown(), asked, "a retry, a stream and an answer came, and nothing was written");
    terminal
        .types("Because.")
        .reads("   1 of 3 have answered")
        .answers("position\r\n", "So it is.")
        .answers("stance", "YES");
    terminal.answers("confidence", "").answers("key points", ":s").sends();
    // Her turn is over, the round is not.
    terminal.reads("2 of 3 have answered");
    open.open();
    let run = terminal.end().exits(0);
    let (told, end) = (run.out.find("bob YES 0.80"), run.out.find("Enter sends it"));
    assert!(told > end, "bob's words come after the round\n{run}");
    for part in ["JSON", "Form of your", "change_if", "You must"] {
        assert!(!run.out.contains(part), "`{part}` is for models\n{run}");
    }
    finish(place);
}
