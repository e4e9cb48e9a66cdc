//! `synod continue`.

use super::{TOPIC, debate, last, place, refuses, rounds};
use crate::houses::finish;
use crate::world::Place;

#[test]
fn round_by_round() {
    let place = place();
    debate(&place, &["--step"]).exits(2).prints("round 1 is over; run the next with: synod continue");
    assert_eq!(place.report()["status"], "waiting");
    place.run(["list", "--status", "waiting"]).exits(0).prints(TOPIC);

    place.write("size.md", "The index has 12 GB.");
    let args = ["continue", "--focus", "Does it fit?", "--context", "size.md"];
    place
        .run(args)
        .exits(2)
        .tells("focus: Does it fit?")
        .tells("material: size.md")
        .prints("round 2 is over");
    let report = place.report();
    assert_eq!((rounds(&report), &report["rounds"][1]["focus"]), (2, &"Does it fit?".into()));
    assert_eq!(report["material"][0]["text"], "The index has 12 GB.");

    // The third round is the last: the vote follows it.
    let told = place.json(["continue", &last(&place)]);
    assert_eq!(
        (told["report"]["status"].as_str(), rounds(&told["report"])),
        (Some("undecided"), 3),
        "{told}"
    );
    finish(place);
}

#[test]
fn waiting_is_told_to_scripts() {
    let place = place();
    let told = debate(&place, &["--step", "--json"]).exits(2).json();
    let id = last(&place);
    let number = super::number(&place);
    assert_eq!((&told["status"], &told["matter"]), (&"waiting".into(), &id.clone().into()));
    assert_eq!(told["next"], format!("synod continue {number}"));
    let told = place.json(["continue"]);
    assert_eq!((&told["status"], rounds(&told["report"])), (&"waiting".into(), 2));
    finish(place);
}

#[test]
fn to_the_end() {
    let place = place();
    debate(&place, &["--step"]).exits(2);
    place.run(["continue", "--to-end"]).exits(2).prints("UNDECIDED: a tie");
    assert_eq!(rounds(&place.report()), 3);
    finish(place);
}

#[test]
fn one_round_is_completed_after_one_round() {
    let place = place();
    debate(&place, &["--step", "--rounds=1"]).exits(2).prints("UNDECIDED: a tie");
    assert_eq!(rounds(&place.report()), 1);
    finish(place);
}

#[test]
fn only_a_waiting_matter_continues() {
    let place = place();
    debate(&place, &[]).exits(2);
    let over = last(&place);
    refuses(&place, &["continue"], 66, &["no matter is open in this house"]);
    refuses(&place, &["continue", "9999"], 66, &["there is no matter 9999", "`synod list`"]);
    refuses(&place, &["continue", "soon"], 64, &["`soon` is not a matter"]);
    refuses(&place, &["continue", &over], 64, &["is over (undecided)", "`fork`"]);

    debate(&place, &["--step"]).exits(2);
    refuses(&place, &["continue", "--focus", " "], 64, &["the focus question is empty"]);
    let long = "x".repeat(2001);
    refuses(&place, &["continue", "--focus", &long], 64, &["has 2001 characters, at most 2000"]);
    refuses(&place, &["continue", "--context", "none.md"], 66, &["none.md cannot be read"]);
    refuses(&place, &["resume"], 64, &["is waiting between rounds: `continue` starts its next round"]);
    assert_eq!(rounds(&place.report()), 1, "nothing was held");
    place.run(["stop"]).exits(0);
    finish(place);
}

/// A seat that answers when a file `go` is there, and not before.
fn gated() -> Place {
    let place = place();
    place.write(
        "gate.sh",
        "cat > /dev/null; while [ ! -e go ]; do sleep 0.02; done; echo '{\"vote\": \"YES\", \"stance\": \"YES\", \"position\": \"Go.\", \"confidence\": 0.9}'\n",
    );
    place
}

const GATED: [&str; 5] =
    ["--charter=collaborative", "--seat=ann=exec:sh gate.sh", "--set=watch.early=0", "--rounds=3", "--quiet"];

/// Waits until somebody runs the last matter.
fn until_running(place: &Place) {
    while place.json(["list", "--status", "running"]).as_array().is_none_or(Vec::is_empty) {
        std::thread::yield_now();
    }
}

#[test]
fn one_that_runs_rests_or_was_left_behind_does_not_continue() {
    let place = gated();
    let running = place.start([&["debate", TOPIC], &GATED[..]].concat());
    until_running(&place);
    refuses(&place, &["continue"], 64, &["is running: wait for its round to end"]);
    place.run(["pause"]).exits(0).prints("is paused");
    running.wait().exits(130);
    refuses(&place, &["continue"], 64, &["is paused: `resume` it"]);

    let mut left = place.start(["resume"]);
    until_running(&place);
    left.kill();
    refuses(&place, &["continue"], 64, &["was interrupted: `resume` it"]);
    place.write("go", "");
    place.run(["resume", "--quiet"]).exits(0);
    finish(place);
}

/// One that rests already is told to rest with what lets it go on. A matter is steered beside another that runs, which is
/// not disturbed.
#[test]
fn a_pause_names_what_lets_it_go_on() {
    let place = gated();
    place.write("go", "");
    place.run([&["debate", TOPIC, "--step"], &GATED[..]].concat()).exits(2);
    let matter = last(&place);
    let number = super::number(&place);
    let next = format!("synod continue {number}");
    place.run(["pause"]).exits(0).prints("is paused already (waiting").prints(&next).hides("synod resume");
    let told = place.json(["pause"]);
    assert_eq!((&told["status"], &told["next"]), (&"waiting".into(), &next.into()), "{told}");
    assert!(told.get("resume").is_none(), "{told}");

    std::fs::remove_file(place.dir().join("go")).expect("the gate closes");
    let running = place.start([&["debate", "Another?"], &GATED[..]].concat());
    until_running(&place);
    place.run(["pause", &matter]).exits(0).prints("is paused already (waiting)");
    refuses(&place, &["stop", "9999"], 66, &["there is no matter 9999"]);
    place.run(["stop", &matter]).exits(0).prints("is stopped (undecided)");
    place.write("go", "");
    running.wait().exits(0);
    finish(place);
}

/// Two who continue at once mean the same round: it is held once, and the other is told.
#[test]
fn two_at_once_hold_one_round() {
    let place = gated();
    place.write("go", "");
    place.run([&["debate", TOPIC, "--step"], &GATED[..]].concat()).exits(2);
    std::fs::remove_file(place.dir().join("go")).expect("the gate closes");
    let both = [place.start(["continue"]), place.start(["continue"])];
    let (mut done, mut under_way): (Vec<_>, Vec<_>) = (Vec::new(), Vec::from(both));
    while done.is_empty() {
        let (over, on): (Vec<_>, Vec<_>) =
            under_way.into_iter().map(|mut it| (it.is_over(), it)).partition(|it| it.0);
        done = over.into_iter().map(|it| it.1).collect();
        under_way = on.into_iter().map(|it| it.1).collect();
        std::thread::yield_now();
    }
    assert_eq!((done.len(), under_way.len()), (1, 1), "one of them holds the round");
    // It finds the round held, or the matter where it did not leave it.
    let late = done.remove(0).wait();
    assert!(matches!(late.code, 64 | 75), "{late}");
    let told = ["its round is being held", "has just run", "is running: wait for its round to end"];
    assert!(told.iter().any(|told| late.err.contains(told)), "{late}");
    place.write("go", "");
    under_way.remove(0).wait().exits(2).prints("round 2 is over");
    assert_eq!(rounds(&place.report()), 2);
    place.run(["continue", "--to-end", "--quiet"]).exits(0);
    finish(place);
}

/// A pause reaches a matter that another terminal continues.
#[test]
fn a_continued_matter_can_be_paused_and_resumed() {
    let place = gated();
    place.write("go", "");
    place.run([&["debate", TOPIC, "--step"], &GATED[..]].concat()).exits(2);
    std::fs::remove_file(place.dir().join("go")).expect("the gate closes");
    let running = place.start(["continue"]);
    until_running(&place);
    place.run(["pause"]).exits(0).prints("is paused");
    running.wait().exits(130).tells("Resume with: synod resume");
    place.write("go", "");
    place.run(["resume"]).exits(2).prints("round 2 is over");
    finish(place);
}

/// Whoever was summing up when the process died holds up neither the next round nor another summary.
#[test]
fn a_clerk_left_behind_holds_nobody_up() {
    let place = gated();
    place.write("go", "");
    let seats = ["--seat=bob=script:talk.txt", "--seat=ada=script:sum.txt"];
    place.write("sum.txt", "@synthesize\n{\"summary\": \"So it is.\"}\n---\nYES, go.\n");
    place.run([&["debate", TOPIC, "--step"], &GATED[..], &seats[..]].concat()).exits(2);
    std::fs::remove_file(place.dir().join("go")).expect("the gate closes");
    let mut left = place.start(["synthesize", "--by=ann"]);
    while !place.acts().iter().any(|act| act["command"]["council"]["synthesise"].is_object()) {
        std::thread::yield_now();
    }
    left.kill();
    place.write("go", "");
    place.run(["synthesize", "--by=ada"]).exits(0).prints("So it is.");
    place.run(["continue"]).exits(2).prints("round 2 is over");
    assert_eq!(place.report()["unserved"][0]["cause"]["code"], "clerk/called-off");
    finish(place);
}
