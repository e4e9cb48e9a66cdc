//! Delphi on HTTP: whatever seats give away of themselves, no request tells it to anybody.

use std::collections::{BTreeMap, BTreeSet};

use super::TOPIC;
use super::requests::{filled, round};
use crate::houses::finish;
use crate::server::{Request, Server, say};
use crate::world::Place;

/// Name, model, and a word that tells statements apart without telling who made them.
const PANEL: [(&str, &str, &str); 4] = [
    ("Walnut", "quillmark-7b", "amber"),
    ("Old Cedar", "thornwood.2-mini", "basalt"),
    ("hazel", "gpt-oss-ember", "cobalt"),
    ("Birch", "sablefin:latest", "damask"),
];
/// A clerk has a name and a model too.
const JUDGE: (&str, &str) = ("Umpire", "gavelmind-9");

/// Every word that would tell who somebody is.
fn secrets() -> Vec<String> {
    let panel = PANEL.iter().flat_map(|(name, model, _)| [name.to_string(), model.to_string()]);
    panel.chain([JUDGE.0.to_string(), JUDGE.1.to_string()]).map(|word| word.to_lowercase()).collect()
}

/// All a request carries but the model it is for.
fn carried(request: &Request) -> String {
    let mut body = request.json();
    body.as_object_mut().expect("a body").remove("model");
    // As text, not as JSON: what is escaped on the wire is read by a model all the same.
    format!("{}\n{body}", request.told()).to_lowercase()
}

fn label(request: &Request) -> Option<String> {
    let told = request.told();
    let (_, rest) = told.rsplit_once("\nYou are ")?;
    Some(rest.split('.').next()?.to_string())
}

#[test]
fn nobody_learns_who_speaks() {
    let server = Server::start(|request| {
        let model = request.seat();
        let Some(at) = PANEL.iter().position(|(_, known, _)| *known == model) else {
            return say(filled(request, "YES", "as Umpire I find that Walnut leads hazel"));
        };
        let ((name, model, tag), (other, its_model, _)) = (PANEL[at], PANEL[(at + 1) % PANEL.len()]);
        let side = if at % 2 == 0 { "YES" } else { "NO" };
        let round = round(request).unwrap_or(0);
        let words = format!(
            "The {tag} case of round {round}: {name} ({model}) speaking, and I, {}, disagree with {other}, that is {its_model}",
            name.to_uppercase()
        );
        say(filled(request, side, &words))
    });
    let place = Place::new();
    let seats = PANEL.map(|(name, model, _)| format!("--seat={name}={}#{model}", server.url));
    let judge = format!("--judge={}={}#{}", JUDGE.0, server.url, JUDGE.1);
    let mut args = vec!["debate", TOPIC, "--charter=delphi", "--set=watch.early=0", "--rounds=3", &judge];
    args.extend(seats.iter().map(String::as_str));
    place.run(args).exits(2);

    let mut labels: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut rounds = BTreeSet::new();
    for seen in server.log() {
        let told = carried(&seen.request);
        for secret in secrets() {
            assert!(
                !told.contains(&secret),
                "`{secret}` reached {}:\n{}",
                seen.request.seat(),
                seen.request.told()
            );
        }
        if let Some(label) = label(&seen.request) {
            labels.entry(seen.request.seat()).or_default().insert(label);
        }
        rounds.extend(round(&seen.request));
    }
    assert_eq!(rounds, BTreeSet::from([1, 2, 3]));
    assert!(labels.values().all(|of_seat| of_seat.len() == 1), "one pseudonym each, for ever: {labels:?}");
    let distinct: BTreeSet<&String> = labels.values().flatten().collect();
    assert_eq!(distinct.len(), PANEL.len(), "no pseudonym is shared: {labels:?}");

    for seen in server.log() {
        if let Some(round) = round(&seen.request) {
            attributed(&seen.request, round, &labels);
        }
    }
    // The record knows them all the same.
    let report = place.report();
    assert_eq!(report["seats"][1]["name"], "Old Cedar");
    finish(place);
}

/// A statement stands under the pseudonym of who made it in every round, and nothing of the round under way
/// is told.
fn attributed(request: &Request, round: usize, labels: &BTreeMap<String, BTreeSet<String>>) {
    let told = request.told();
    for (_, model, tag) in PANEL {
        let of = |round: usize| format!("| The {tag} case of round {round}: ");
        assert!(!told.contains(&of(round)), "{tag} of round {round} is told in it:\n{told}");
        // What was said longer ago may be told in brief, without the position.
        assert!(round != 2 || told.contains(&of(1)), "{tag} of round 1 is not told in round 2:\n{told}");
        let label = labels[model].first().expect("a label");
        let mut speaker = "";
        for line in told.lines() {
            match line.split_once(" (") {
                Some((said_by, _)) if line.starts_with("Participant ") => speaker = said_by,
                _ if line.starts_with(&format!("| The {tag} case")) => assert_eq!(speaker, label, "{told}"),
                _ => (),
            }
        }
    }
}

#[test]
fn pseudonyms_do_not_follow_the_seats() {
    // One fixed order of labels would give every seat away to whoever knows the table.
    let server = Server::start(|request| say(filled(request, "YES", "so it is")));
    let place = Place::new();
    let seats = PANEL.map(|(name, model, _)| format!("--seat={name}={}#{model}", server.url));
    let mut dealt = BTreeSet::new();
    for nth in 0..6 {
        let begun = server.count();
        let topic = format!("Question {nth}?");
        let mut args = vec!["debate", &topic, "--quiet", "--charter=delphi", "--rounds=1"];
        args.extend(seats.iter().map(String::as_str));
        place.run(args).exits(0);
        let log = server.log();
        let first = log[begun..].iter().find(|seen| seen.request.seat() == PANEL[0].1).expect("a request");
        dealt.extend(label(&first.request));
    }
    assert!(dealt.len() > 1, "the first seat is always {dealt:?}");
    finish(place);
}

/// Names are hidden wherever they stand as words: those that stand in every text are refused, short ones warned of.
#[test]
fn names_that_would_garble_the_debate() {
    let place = Place::new();
    let ask = |charter: &str, first: &str, topic: &str| {
        let seat = format!("--seat={first}=rehearsal");
        place.run([
            "debate",
            topic,
            &format!("--charter={charter}"),
            &seat,
            "--seat=walnut=rehearsal",
            "--plan",
        ])
    };
    for name in ["a", "The", "it", "will", "7"] {
        ask("delphi", name, TOPIC)
            .exits(64)
            .tells("the charter delphi hides names")
            .tells(&format!(": {name}. Choose names of at least three letters"));
        ask("blind-vote", name, TOPIC).exits(0).hides("hides names");
    }
    let topic = "Should Redis, the old store, go?";
    ask("delphi", "redis", topic).exits(64).tells("appear in the question: redis. ");
    ask("delphi", "Old Store", topic).exits(64).tells("appear in the question: Old Store. ");
    ask("delphi", "red", topic).exits(0).hides("hides names");
    ask("delphi", "cy", topic)
        .exits(0)
        .tells("warning: the charter delphi hides names")
        .tells("may be ordinary words there: cy; prefer");

    // A matter whose names were plain so far cannot be forked into one that hides them.
    let seats = ["--seat=a=rehearsal", "--seat=walnut=rehearsal"];
    place.run(["debate", TOPIC, "--quiet", seats[0], seats[1]]);
    place.run(["fork", "--at-round=1", "--charter=delphi"]).exits(64).tells("or a charter that shows names");
    finish(place);
}
