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

    place.run(["matter", "list"]).exits(0).prints("running").prints("Through?");
    place.run(["matter", "pause"]).exits(0).prints("rests; go on with: synod matter resume");
    assert_eq!(place.json(["matter", "show"])["status"], "paused");
    place.run(["matter", "pause", &matter]).exits(0).prints("rests; go on with");
    place.run(["matter", "resume"]).exits(0).prints("goes on");
    place.run(["start", &matter]).exits(64).tells("0 joined");
    place.run(["matter", "stop", "999"]).exits(66).tells("no matter 999");
    place.run(["matter", "stop"]).exits(0).prints("is over, undecided");
    place.run(["matter", "stop"]).exits(66).tells("no matter of this house is open");

    let seen = |agent: &str| format!("{{\"agent\":\"{agent}\",\"kind\":\"write\",\"path\":\"a.rs\"}}\n");
    let lines = format!("{}\nnonsense\n{}", seen("ann"), seen("bob"));
    let watched = place.feed(["watch"], lines.as_bytes()).exits(65).tells("line 3: this is not JSON");
    watched
        .prints("found conflicting_edits: ann, bob")
        .prints("monitor")
        .tells("2 observations noted, 1 line bad");
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
    away.run(["matter", "pause", &matter]).exits(64).tells("a token is needed");
    let away = away.with("SYNOD_TOKEN", &operator);
    away.run(["matter", "pause"]).exits(0).prints("is paused");
    away.run(["matter", "resume", &matter, "--token", &ann]).exits(64).tells("the operator's to do");
    away.run(["matter", "resume", &matter]).exits(0).prints("is running").hides(&operator);
    away.run(["matter", "pause", "--service", "nowhere"]).exits(64).tells("http://HOST:PORT");
    away.run(["matter", "pause", "--service", "http://127.0.0.1:1"]).exits(69).tells("cannot be reached");
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
    place.run(["join", "--as=ann"]).exits(75).tells("as the owner of the house");
    let other = text.replace(&service.address, "127.0.0.1:1");
    std::fs::write(&left, other).expect("a file");
    place.run(["join", "--as=ann"]).exits(75).tells("of another service");
    service.end();
    // What a killed service left behind is not believed.
    let mut service = Served::start(&place, &["--tokens"]);
    service.process.kill();
    assert!(left.exists());
    place.run(["matter", "pause"]).exits(66);
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
    assert_eq!(place.json(["matter", "show", matter])["charter"]["name"], "ring-quick", "{fired}");
    // A flaw is told, and nothing is judged by what was before.
    place.write(".synod/triggers.toml", "[charters]\nhigh = 7\n");
    place.run(["trigger", "checkpoint", "architecture_decision", "--with=ann", "--with=bob"]).tells("flaw");
    std::fs::remove_file(place.house().join("triggers.toml")).expect("a file");
    let fired = checkpoint("architecture_decision");
    let matter = fired["matter"].as_str().expect("a matter");
    assert_eq!(place.json(["matter", "show", matter])["charter"]["name"], "ring-strict", "{fired}");
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
        place.run(["join", "--matter", matter, "--as", "ann"]).exits(0);
    }
    place.run(["remove", &goes, "ann"]).exits(0);
    let why = |more: &[&str]| {
        let mut args = vec!["turn", "--as", "ann"];
        args.extend_from_slice(more);
        place.json(args)["why"].clone()
    };
    assert_eq!(why(&[]), "none");
    assert_eq!(why(&["--matter", &goes]), "gone");
    assert_eq!(why(&["--matter", &stays]), "none");
    place.run(["remove", &stays, "ann"]).exits(0);
    assert_eq!(why(&["--wait", "60s"]), "gone");
    service.end();
    finish(place);
}
