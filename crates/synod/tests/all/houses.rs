//! Every house that a test records is checked when the test ends: its chain holds, and judging every
//! command again, without any model, gives the same head.

use crate::server::{Reply, Server, refuse, say, side};
use crate::world::Place;

/// Ends a test: the house verifies and replays. Consumes the place, so that nothing comes after.
#[track_caller]
pub(crate) fn finish(place: Place) {
    check(&place);
    place.checked();
}

/// The check itself, for a house that a test goes on with.
#[track_caller]
pub(crate) fn check(place: &Place) {
    let verified = place.json(["verify"]);
    assert_eq!(verified["good"], true, "verify: {verified}");
    let replayed = place.json(["replay"]);
    assert_eq!(replayed["same"], true, "replay: {replayed}");
    let last = place.rows().pop().expect("a journal with acts");
    let head: String = last.1.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(replayed["head"]["hash"], head, "replay came to another head than the journal's");
    assert_eq!(replayed["acts"], last.0);
}

/// One house in which matters ended in every way there is.
#[test]
fn a_house_of_all_kinds_replays() {
    let server = Server::start(|request: &crate::server::Request| match request.seat().as_str() {
        "gone" => refuse(404, "no such model"),
        "mute" => Reply::Hang,
        _ => say(side(request, "YES")),
    });
    let place = Place::new();
    let (good, gone, mute) = (server.seat("good"), server.seat("gone"), server.seat("mute"));
    place.write("babble.txt", "blue, mostly\n");
    place.write("split.txt", "@seat ann\n@any\nYES\n---\n@seat bob\n@any\nNO\n");
    let split = ["--seat=ann=script:split.txt", "--seat=bob=script:split.txt"];

    place.run(["debate", "Rehearse?", "--rehearse"]);
    place.run([
        "debate",
        "Which?",
        "--option",
        "one",
        "--option",
        "two",
        "--charter",
        "collaborative",
        "--rehearse",
    ]);
    place.run(["debate", "Carried?", &good]).exits(0).prints("PASSED");
    place.run(["debate", "Turned down?", split[1]]).exits(1).prints("REJECTED");
    place.run(["debate", "Split?", split[0], split[1]]).exits(2).prints("UNDECIDED");
    place.run(["debate", "Read me?", "--seat=ann=script:babble.txt"]).exits(2).prints("CONTESTED");
    place.run(["debate", "Gone?", &gone]).exits(69).tells("paused after the first call of each model");
    place.run(["resume", "--go-on"]).exits(69).tells("no seat could answer");
    place.run(["debate", "Mute?", &good, &mute, "--set=turn.limit_ms=700"]).exits(2).prints("ask/late");
    place
        .run(["debate", "Dear?", &good, "--charter=collaborative", "--max-calls=1"])
        .exits(2)
        .prints("the budget ran out");
    place
        .run(["debate", "Short?", &good, &mute, "--max-time=1s"])
        .exits(2)
        .prints("the time allowed ran out");

    let mut waiting = place.start(["debate", "Stopped?", &mute]);
    server.wait(|log| log.last().is_some_and(|seen| seen.request.told().contains("Stopped?")));
    waiting.kill();
    place.run(["pause"]).exits(0).prints("is paused");
    place.run(["resume", "9999"]).exits(66);
    place.run(["stop"]).exits(0).prints("is stopped (undecided)");

    let list = place.json(["list"]);
    assert_eq!(list.as_array().map(Vec::len), Some(11), "{list}");
    for matter in crate::world::each(&list, "matter") {
        let receipt = format!(".synod/receipts/{matter}.json");
        place.run(["verify", &receipt]).exits(0).prints("everything else match the journal");
    }
    finish(place);
}
