//! One house, many terminals: commands go through the service that holds it.

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

#[test]
fn commands_go_through_the_service_that_holds_the_house() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let service = Served::start(&place, &["--tokens"]);
    let left = place.house().join("service.json");
    assert_eq!(std::fs::metadata(&left).expect("a file").permissions().mode() & 0o777, 0o600);
    let operator = token(&place, &["me", "--operator"]);
    let matter = service.open(&operator, "Through?", "ring-quick", &["ann", "bob"]);

    place.run(["list"]).exits(0).prints("running").prints("Through?");
    place.run(["pause"]).exits(0).prints("is paused; resume with: synod resume");
    assert_eq!(place.json(["show"])["status"], "paused");
    place.run(["pause", &matter]).exits(0).prints("is paused; resume with");
    place.run(["resume", "1"]).exits(0).prints("matter 1 is running");
    place.run(["ring", "status", "1"]).exits(0).prints("Matter 1 (");
    place.run(["ring", "turn", "--as", "ann", "--matter", "1"]).exits(0).prints("You are invited");
    place.run(["ring", "turn", "--as", "ann", "--matter", "2"]).exits(66).tells("there is no matter 2");
    place.run(["ring", "start", &matter]).exits(64).tells("0 joined");
    place.run(["stop", "999"]).exits(66).tells("no matter 999");
    place.run(["stop"]).exits(0).prints("is stopped (undecided)");
    place.run(["stop"]).exits(66).tells("no matter is open in this house");

    let seen = |agent: &str| format!("{{\"agent\":\"{agent}\",\"kind\":\"write\",\"path\":\"a.rs\"}}\n");
    let lines = format!("{}\nnonsense\n{}", seen("ann"), seen("bob"));
    let watched = place.feed(["watch"], lines.as_bytes()).exits(65).tells("line 3: this is not JSON");
    watched
        .prints("found conflicting_edits: ann, bob")
        .prints("monitor")
        .tells("2 observations recorded, 1 line invalid");
    place
        .run(["trigger", "user", "Ship?", "--with=ann", "--with=bob", "--key=k"])
        .exits(0)
        .prints("user fired");
    place
        .run(["trigger", "agent", "ann", "--reason=security_concern", "--confidence=0.59"])
        .exits(1)
        .prints("did not fire");
    assert_eq!(place.json(["trigger", "checkpoint", "lunch"])["event"], "declined");

    // A second service is told who serves.
    let other = place.run(["serve", "--listen", "127.0.0.1:0"]).exits(75).tells("serving at");
    assert!(other.err.contains(&format!("kill {}", service.process.pid())), "{other}");
    service.end();
    assert!(!left.exists());
    finish(place);
}

#[test]
fn a_service_elsewhere_is_named() {
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Elsewhere?", "ring-quick", &["ann", "bob"]);
    let url = format!("http://{}", service.address);
    let away = Place::new().with("SYNOD_SERVICE", &url);
    away.run(["pause", &matter]).exits(64).tells("a token is required");
    let away = away.with("SYNOD_TOKEN", &operator);
    away.run(["pause"]).exits(0).prints("is paused");
    away.run(["resume", &matter, "--token", &ann]).exits(64).tells("only an operator may do this");
    away.run(["resume", &matter]).exits(0).prints("is running").hides(&operator);
    away.run(["pause", "--service", "nowhere"]).exits(64).tells("http://HOST:PORT");
    away.run(["pause", "--service", "http://127.0.0.1:1"]).exits(69).tells("cannot be reached");
    service.end();
    finish(place);
}

#[test]
fn only_its_owner_is_let_through() {
    let place = Place::new();
    let service = Served::start(&place, &["--tokens"]);
    let left = place.house().join("service.json");
    let text = std::fs::read_to_string(&left).expect("a file");
    std::fs::remove_file(&left).expect("a file");
    place.run(["ring", "join", "--as=ann"]).exits(75).tells("as the owner of the house");
    let other = text.replace(&service.address, "127.0.0.1:1");
    std::fs::write(&left, other).expect("a file");
    place.run(["ring", "join", "--as=ann"]).exits(75).tells("to another service");
    service.end();
    // What a killed service left behind is not believed.
    let mut service = Served::start(&place, &["--tokens"]);
    service.process.kill();
    assert!(left.exists());
    place.run(["pause"]).exits(66);
    finish(place);
}

#[test]
fn numbers_of_triggers_are_read_again_when_they_change() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let checkpoint = |name: &str| place.json(["trigger", "checkpoint", name, "--with=ann", "--with=bob"]);
    assert_eq!(checkpoint("api_design")["event"], "fired");
    assert_eq!(checkpoint("api_design")["event"], "declined", "it rests");
    place.write(".synod/triggers.toml", "[charters]\nhigh = \"ring-quick\"\n");
    let fired = checkpoint("breaking_change");
    let matter = fired["matter"].as_str().expect("a matter");
    assert_eq!(place.json(["show", matter])["charter"]["name"], "ring-quick", "{fired}");
    // A flaw is told, and nothing is judged by what was before.
    place.write(".synod/triggers.toml", "[charters]\nhigh = 7\n");
    place
        .run(["trigger", "checkpoint", "architecture_decision", "--with=ann", "--with=bob"])
        .tells("1 error");
    std::fs::remove_file(place.house().join("triggers.toml")).expect("a file");
    let fired = checkpoint("architecture_decision");
    let matter = fired["matter"].as_str().expect("a matter");
    assert_eq!(place.json(["show", matter])["charter"]["name"], "ring-strict", "{fired}");
    service.end();
    finish(place);
}

#[test]
fn who_is_gone_from_one_ring_waits_for_the_other() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let stays = service.open("", "Stay?", "ring-default", &["ann", "bob", "cy"]);
    let goes = service.open("", "Go?", "ring-default", &["ann", "bob", "cy"]);
    for matter in [&stays, &goes] {
        place.run(["ring", "join", "--matter", matter, "--as", "ann"]).exits(0);
    }
    place.run(["ring", "remove", &goes, "ann"]).exits(0);
    let why = |more: &[&str]| {
        let mut args = vec!["ring", "turn", "--as", "ann"];
        args.extend_from_slice(more);
        place.json(args)["why"].clone()
    };
    assert_eq!(why(&[]), "none");
    assert_eq!(why(&["--matter", &goes]), "gone");
    assert_eq!(why(&["--matter", &stays]), "none");
    place.run(["ring", "remove", &stays, "ann"]).exits(0);
    assert_eq!(why(&["--wait", "60s"]), "gone");
    service.end();
    finish(place);
}
