//! Debates with random rules, performed by a service or on a terminal with a person at it. Models answer over HTTP, so
//! that every brief is seen as it went out.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::json;
use synod_core::kernel::{MatterId, Who};
use synod_core::matter::Status;
use synod_core::{Command, House};

use super::Dice;
use super::ledger::Ledger;
use super::oracle::{Eye, Moment, acts};
use super::stage::{Stage, look_here, who};
use crate::server::Server;
use crate::world::{Place, Started};

const MODES: [&str; 7] =
    ["blind-vote", "delphi", "red-team-blue-team", "adversarial", "collaborative", "open", "estimate"];

fn charter(base: &str, secrecy: &str) -> String {
    format!(
        "name = \"leaky-council\"\ntitle = \"t\"\nsummary = \"s\"\nextends = \"{base}\"\n[ballot]\nsecrecy = \"{secrecy}\"\n"
    )
}

/// Holds one debate in the service to its end. One seat waits for leave, so that every round and every vote is looked
/// at while it is open.
pub(super) fn hold(stage: &mut Stage, dice: &mut Dice, mode: usize) {
    let (base, secrecy) = (MODES[mode % MODES.len()], *dice.pick(&["open", "until-closed", "secret"]));
    let topic = stage.ledger.word();
    // The first to speak waits for leave: where seats speak in turn, those after it are briefed when others have spoken.
    let names = [format!("{}slow", stage.ledger.name()), stage.ledger.name(), stage.ledger.name()];
    let url = stage.server.url.clone();
    let seat = |name: &String| json!({ "name": name, "answered_by": format!("{url}#{name}") });
    let unit = (base == "estimate").then_some("days");
    let body = json!({
        "question": format!("Shall {topic} be?"), "charter": "leaky-council", "unit": unit,
        "charter_source": charter(base, secrecy), "seats": names.iter().map(seat).collect::<Vec<_>>(),
    });
    let operator = stage.operator.clone();
    let opened = stage.act("openMatter", "/v1/matters", &operator, &body).is(201).json();
    let matter: MatterId = opened["matter"].as_str().and_then(|id| id.parse().ok()).expect("a matter");
    for step in 0..30 {
        stage.moment.settle(&stage.place);
        stage.look_around(matter, step == 1);
        if let Some(Status::Settled(_)) = stage.moment.house.case(matter).map(|case| case.status()) {
            break;
        }
        stage.permits.fetch_add(1, Ordering::SeqCst);
    }
    stage.permits.store(0, Ordering::SeqCst);
    stage.look_around(matter, true);
}

/// Looks at every brief that went out to a model, against the house as it was when the answer came.
pub(super) fn look_at_briefs(place: &Place, server: &Server, ledger: &mut Ledger) {
    let (mut house, mut nth) = (House::default(), BTreeMap::<Who, usize>::new());
    let log = server.log();
    for act in acts(place) {
        if let Command::Answer { ask, .. } = &act.command
            && let Some(open) = house.ask(*ask).cloned()
        {
            let count = nth.entry(open.who().unwrap().clone()).or_default();
            *count += 1;
            let sent = log.iter().map(|seen| &seen.request);
            let sent = sent.filter(|request| request.seat() == open.who().unwrap().as_str());
            if let Some(request) = sent.clone().find(|request| request.nth_of_seat == *count) {
                ledger.check("brief", &Eye::Seat(open), &request.told(), &Moment::of(house.clone()));
            }
        }
        house.evolve(&act);
    }
}

/// Holds one debate on a terminal, with or without a person at it.
pub(super) fn hold_here(
    ledger: &mut Ledger,
    dice: &mut Dice,
    server: &Server,
    mode: usize,
    person: bool,
) -> bool {
    // What an operator may not see on their terminal is how seats vote in secret.
    let secrecies = if person { ["open", "until-closed", "open"] } else { ["secret"; 3] };
    let (base, secrecy) = (MODES[mode % MODES.len()], *dice.pick(&secrecies));
    let place = Place::new();
    place.write("leaky.toml", charter(base, secrecy).replace("leaky-council", "leaky"));
    let (topic, own) = (ledger.word(), ledger.name());
    let own = if person { own } else { format!("{own}slow") };
    let seat = if person { format!("--seat={own}=person") } else { server.seat(&own) };
    let others = [server.seat(&ledger.name()), server.seat(&ledger.name())];
    let question = format!("Shall {topic} be?");
    let args = ["debate", &question, "--charter", "leaky.toml", &others[0], &seat, &others[1]];
    let Some(mut shell) = terminal(&place, &args) else {
        place.spoil();
        return false;
    };
    let (way, eye) = match person {
        true => ("terminal of a person", Eye::People(vec![who(&own)])),
        false => ("terminal of the operator", Eye::Operator),
    };
    let (mut read, mut moment) = (0, Moment::default());
    while waits(&mut shell, &mut read) {
        let asked = shell.printed();
        let begins =
            asked[..read].rfind("it is your turn").is_some_and(|at| !asked[at..read - 3].contains("\n> "));
        if begins {
            moment.settle(&place);
            look_at(ledger, way, &eye, &shell.printed(), &moment);
            let matter = moment.house.cases().last().expect("a matter").id;
            look_here(&place, ledger, matter, &moment);
        }
        let line = answer(ledger, dice, &asked[..read]);
        shell.type_line(&line);
    }
    moment.settle(&place);
    let printed = shell.printed();
    assert!(moment.house.cases().last().is_some_and(|case| case.decision().is_some()), "{printed}");
    look_at(ledger, way, &eye, &printed, &moment);
    look_at_briefs(&place, server, ledger);
    crate::houses::finish(place);
    true
}

/// What was printed since the debate began: before it stands what the command line itself named.
fn look_at(ledger: &mut Ledger, way: &str, eye: &Eye, printed: &str, moment: &Moment) {
    let begun = printed.find("── ").unwrap_or(printed.len());
    ledger.check(way, eye, &printed[begun..], moment);
}

/// Waits until somebody is asked for a line; false at the end.
fn waits(shell: &mut Started, read: &mut usize) -> bool {
    let begun = Instant::now();
    loop {
        let printed = shell.printed();
        if let Some(at) = printed[*read..].find("\n> ") {
            *read += at + 3;
            return true;
        }
        if shell.is_over() {
            return false;
        }
        assert!(begun.elapsed() < Duration::from_secs(40), "nothing happens:\n{printed}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// An answer in the form that the last words ask for.
fn answer(ledger: &mut Ledger, dice: &mut Dice, asked: &str) -> String {
    let last = asked.trim_end_matches("\n> ");
    let last = last.rsplit("\n> ").next().unwrap_or(last);
    let ask = |words: &str| last.contains(words);
    if ask("Enter sends it") {
        String::new()
    } else if ask("[YES/NO/NEUTRAL]") || ask("[YES/NO/ABSTAIN]") {
        dice.pick(&["YES", "NO"]).to_string()
    } else if ask("[0 to 1]") {
        "0.7".into()
    } else if ask("required or optional") {
        format!("{} | why | optional", ledger.word())
    } else {
        ledger.word()
    }
}

/// A terminal with synod on it; none where there is no tool for it.
fn terminal(place: &Place, args: &[&str]) -> Option<Started> {
    use std::process::{Command, Stdio};
    let there = Command::new("script").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    there.ok().filter(std::process::ExitStatus::success)?;
    let words: Vec<String> = args.iter().map(|arg| format!("'{arg}'")).collect();
    let line = format!("'{}' {}", env!("CARGO_BIN_EXE_synod"), words.join(" "));
    let mut script = place.bare("script");
    script
        .args(["-qec", &line, "/dev/null"])
        .stdin(Stdio::piped())
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh");
    Some(Started::of(script, b""))
}
