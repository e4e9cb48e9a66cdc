//! Seats at work, as somebody at a terminal sees them.

use std::time::Duration;

use crate::houses::finish;
use crate::person::Terminal;
use crate::server::{Gate, Reply, Server, refuse, side, write};
use crate::world::Place;

/// What a terminal shows after these bytes: enough of one for what we send.
fn displayed(bytes: &str) -> String {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut column, mut rest) = (0, 0, bytes);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                lines.resize(lines.len().max(row + 1), Vec::new());
            }
            '\u{1b}' => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).expect("a whole sequence");
                let number = rest[1..end].parse().unwrap_or(1);
                match &rest[end..=end] {
                    "A" => row -= number,
                    "J" => {
                        lines.truncate(row + 1);
                        lines[row].truncate(column);
                    }
                    "m" => (),
                    other => panic!("{other} is not a sequence of ours"),
                }
                rest = &rest[end + 1..];
            }
            c => {
                let line = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
            }
        }
    }
    lines.iter().map(|line| line.iter().collect::<String>() + "\n").collect()
}

/// Ann thinks until the gate opens, bob fails once, cid answers.
fn council(gate: &Gate) -> Server {
    let gate = gate.clone();
    Server::start(move |request| match (request.seat().as_str(), request.nth_of_seat) {
        ("ann", _) => {
            gate.wait();
            Reply::Say(side(request, "YES"), Duration::ZERO)
        }
        ("bob", 1) => refuse(500, "later"),
        (_, _) => Reply::Say(side(request, "YES"), Duration::from_millis(300)),
    })
}

fn debate(server: &Server) -> Vec<String> {
    let words = ["debate", "Should we?", "--no-synthesis"].map(str::to_string);
    words.into_iter().chain(server.seats(&["ann", "bob", "cid"])).collect()
}

#[test]
fn a_line_for_each_seat() {
    let gate = Gate::default();
    let server = council(&gate);
    let place = Place::new().with("NO_COLOR", "1").with("SYNOD_RETRY_WAIT_MS", "1500");
    let args = debate(&server);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("   bob  retrying in 2 s (http-500)\r\n").reads("   ann  thinking for 1 s\r\n");
    terminal
        .reads("   bob  answered YES 0.80\r\n")
        .reads("2 of 3 have answered; so far 200 tokens read, 40 written");
    terminal.reads("   ann  thinking for ");
    let shown = displayed(&terminal.shown());
    assert!(shown.contains("   cid  answered YES 0.80\n"), "{shown}");
    assert_eq!(shown.matches("   ann  thinking").count(), 1, "redrawn in place\n{shown}");
    gate.open();
    let run = terminal.end().exits(0);
    let shown = displayed(&run.out);
    for gone in ["thinking", "retrying", "have answered"] {
        assert!(!shown.contains(gone), "`{gone}` stays behind\n{shown}");
    }
    assert!(shown.contains("   ann YES 0.80  ann says YES"), "{shown}");
    assert!(!run.out.contains("m──") && !run.out.contains("\u{1b}[0m"), "no colour was wanted\n{run}");
    finish(place);
}

#[test]
fn colours_at_a_terminal() {
    let gate = Gate::default();
    let server = council(&gate);
    let place = Place::new().with("COLUMNS", "24");
    let args = debate(&server);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("\u{1b}[1mcid\u{1b}[0m  \u{1b}[32manswered YES").reads("2 of 3 have answere…");
    gate.open();
    terminal.end().exits(0);
    finish(place);
}

/// In a pipe, under `--quiet` and on a terminal that cannot move its cursor nothing is redrawn.
#[test]
fn plain_lines_elsewhere() {
    let gate = Gate::default();
    gate.open();
    let server = council(&gate);
    let place = Place::new();
    let run = place.run(debate(&server)).exits(0).tells("   bob: retrying in 1 s (backend/http-500)");
    let run = run.hides("\u{1b}").hides("thinking for").hides("have answered");
    assert!(run.err.contains("   ann YES 0.80  ann says YES"), "{run}");
    finish(place);

    for (kind, more) in [("dumb", None), ("xterm", Some("--quiet"))] {
        let place = Place::new();
        let mut args = debate(&server);
        args.extend(more.map(str::to_string));
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let Some(terminal) = Terminal::open_on(&place, &args, kind) else { return };
        let run = terminal.end().exits(0);
        assert!(!run.out.contains("\u{1b}[J") && !run.out.contains("thinking for"), "{run}");
        finish(place);
    }
}

/// A first line is shown while it is written, and cannot steer the terminal.
#[test]
fn a_first_line_as_it_is_written() {
    let gate = Gate::default();
    let held = gate.clone();
    let server = Server::start(move |request| {
        let said = side(request, "YES").replace("ann says", "ann \u{1b}[2J says");
        let text = format!("\u{1b}[2JMy first line is this one.\n{said}");
        write(&text, &held)
    });
    let place = Place::new().with("NO_COLOR", "1");
    let args = ["debate", "Should we?", &server.seat("ann"), "--no-synthesis"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("   ann  writing for ").reads(" tokens: [2JMy first line is this one.");
    gate.open();
    let run = terminal.end().exits(0);
    assert!(!run.out.contains("\u{1b}[2J"), "{run}");
    assert!(!displayed(&run.out).contains("writing for"), "{run}");
    finish(place);
}

/// A person at the terminal does not see what others write in a blind round, nor who is at work.
#[test]
fn a_blind_round_shows_only_a_count() {
    let gate = Gate::default();
    let held = gate.clone();
    let server = Server::start(move |request| {
        write(&format!("My first line is this one.\n{}", side(request, "YES")), &held)
    });
    let place = Place::new().with("NO_COLOR", "1");
    let args = ["debate", "Should we?", "--seat=ann=person", &server.seat("bob"), "--no-synthesis"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.answers("reasoning\r\n", "So.").answers("position\r\n", "So it is.").answers("stance", "YES");
    terminal.answers("confidence", "").answers("key points", ":s").sends();
    // Her own line, and then the block, twice.
    terminal
        .reads("   1 of 2 have answered\r\n")
        .reads("   1 of 2 have answered\r\n")
        .reads("   1 of 2 have answered\r\n");
    let shown = terminal.shown();
    for hidden in ["first line", "bob  writing", "bob  thinking"] {
        assert!(!shown.contains(hidden), "`{hidden}` is shown in a blind round\n{shown}");
    }
    gate.open();
    terminal.end().exits(0);
    finish(place);
}

/// Under a charter that hides names a person learns neither who is at work nor what an answer took.
#[test]
fn hidden_names_stay_hidden() {
    let gate = Gate::default();
    let held = gate.clone();
    let server = Server::start(move |request| match request.seat().as_str() {
        "bob" => Reply::Say(side(request, "YES"), Duration::from_millis(300)),
        _ => write(&side(request, "YES"), &held),
    });
    let place = Place::new().with("NO_COLOR", "1");
    let seats = server.seats(&["bob", "zoe"]);
    let args = ["debate", "Should we?", "--charter=delphi", "--seat=ann=person", &seats[0], &seats[1]];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("ann, it is your turn").reads("reasoning\r\n");
    let begun = terminal.shown().len();
    terminal
        .reads("\n> ")
        .types("So.")
        .answers("position\r\n", "So it is.")
        .answers("stance", "YES")
        .answers("confidence", "");
    terminal.reads("optional. Enter skips one").reads("\n> ").types(":s").sends();
    terminal.reads("   2 of 3 have answered\r\n").reads("   2 of 3 have answered\r\n");
    let shown = terminal.shown();
    for hidden in ["bob", "zoe", "tokens"] {
        assert!(!shown[begun..].contains(hidden), "`{hidden}` is shown\n{shown}");
    }
    terminal.types("\u{3}");
    terminal.end().exits(130);
    finish(place);
}

/// Where all hear what is said, they also see it being written.
#[test]
fn an_open_round_shows_what_is_written() {
    let gate = Gate::default();
    let held = gate.clone();
    let server = Server::start(move |request| {
        write(&format!("My first line is this one.\n{}", side(request, "YES")), &held)
    });
    let place = Place::new().with("NO_COLOR", "1");
    let bob = server.seat("bob");
    let args = ["debate", "Should we?", "--charter=socratic", &bob, "--seat=ann=person", "--no-synthesis"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("   bob  writing for ").reads(" tokens: My first line is this one.");
    gate.open();
    terminal
        .reads("bob [respondent] YES 0.80")
        .reads("ann, it is your turn")
        .reads("bob says YES")
        .reads("\n> ");
    terminal.types("\u{3}");
    terminal.end().exits(130);
    finish(place);
}
