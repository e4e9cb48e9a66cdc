//! `synod fork` and `synod compare`.

use super::{TOPIC, debate, last, place, refuses, rounds};
use crate::houses::finish;
use crate::world::{Place, each};

#[test]
fn the_same_from_the_first_round_on() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let origin = last(&place);
    let before = place.report();
    let run = place.run(["fork", "--at-round", "1", "--rounds", "2", "--focus", "Does it fit?"]);
    let fork = last(&place);
    let run = run.exits(2).tells("fork:    of matter 1 after round 1");
    run.tells("focus: Does it fit?")
        .prints("Matter 1 and matter 2: 1 round shared")
        .prints(&format!("2 ({fork}), forked from {origin} after round 1"))
        .prints("Differences: charter, rounds");
    let report = place.report();
    assert_eq!(report["rounds"][0]["said"], before["rounds"][0]["said"], "the very same statements");
    assert_eq!((rounds(&report), &report["rounds"][1]["focus"]), (2, &"Does it fit?".into()));
    // Settings that were moved stay so, unless they are moved again.
    assert_eq!(report["moved"], serde_json::json!({ "discussion.rounds": 2, "watch.early": 0 }));
    assert_eq!(place.json(["show", &origin]), before, "where it comes from stays as it is");
    finish(place);
}

#[test]
fn another_charter_other_seats_and_limits() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let origin = last(&place);
    let told = place.json([
        "fork",
        &origin,
        "--at-round=2",
        "--charter=delphi",
        "--seat=bob=script:talk.txt",
        "--seat=cyd=rehearsal",
        "--max-calls=40",
        "--max-time=5m",
    ]);
    let fork = last(&place);
    let comparison = &told["comparison"];
    assert_eq!(comparison, &place.json(["compare", &origin, &fork]), "the same at any time");
    assert_eq!(
        (&comparison["shared"], &comparison["same_question"]),
        (&2.into(), &true.into()),
        "{comparison}"
    );
    assert_eq!(each(&comparison["seats"], "name"), ["ann", "bob", "cyd"]);
    assert!(comparison["seats"][0]["other"].is_null() && comparison["seats"][2]["one"].is_null());
    assert_eq!(comparison["other"]["charter"]["name"], "delphi");
    assert_eq!(told["report"]["limits"]["calls"], 40);
    // Rounds that were held under the other charter keep its name for them.
    assert_eq!(each(&told["report"]["rounds"], "stage")[..3], ["discussion", "discussion", "judgements"]);
    finish(place);
}

#[test]
fn a_fork_can_be_held_round_by_round() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    place.run(["fork", "--at-round", "1", "--step"]).exits(2).prints("round 2 is over");
    assert_eq!(place.report()["status"], "waiting");
    place.run(["continue", "--quiet"]).exits(2).prints("UNDECIDED");
    finish(place);
}

/// Under blind-vote the drafts are one stage and the debate another: the waiting is between them.
#[test]
fn drafts_can_be_forked_while_the_debate_waits() {
    let place = place();
    place.write("split.txt", "@seat ann\n@any\nYES\n---\n@seat bob\n@any\nNO\n");
    let args = ["debate", TOPIC, "--seat=ann=script:split.txt", "--seat=bob=script:split.txt", "--step"];
    place.run(args).exits(2).prints("round 1 is over");
    place.run(["fork", "--at-round", "1", "--quiet"]).exits(2).prints("1 round shared");
    finish(place);
}

#[test]
fn what_cannot_be_forked() {
    let place = place();
    debate(&place, &["--rounds=1", "--judge=jo=script:talk.txt"]).exits(2);
    let acts = place.rows().len();
    let fork = |more: &[&'static str]| [&["fork"], more].concat();
    refuses(&place, &fork(&["--at-round=2"]), 64, &["has not completed round 2: it has completed 1 so far"]);
    refuses(&place, &fork(&["--at-round=0"]), 64, &["has not completed round 0"]);
    refuses(&place, &fork(&[]), 64, &["--at-round <K>"]);
    refuses(&place, &fork(&["9999", "--at-round=1"]), 66, &["there is no matter 9999"]);
    refuses(
        &place,
        &fork(&["--at-round=1", "--charter=parliament"]),
        64,
        &["there is no charter `parliament`"],
    );
    refuses(&place, &fork(&["--at-round=1", "--rounds=99"]), 64, &["not 99"]);
    refuses(&place, &fork(&["--at-round=1", "--set=speed=1"]), 64, &["no setting `speed`"]);
    refuses(
        &place,
        &fork(&["--at-round=1", "--seat=ann"]),
        64,
        &["`ann` does not say what answers for the seat"],
    );
    refuses(&place, &fork(&["--at-round=1", "--budget-usd=lots"]), 64, &["not an amount of dollars"]);
    assert_eq!(place.rows().len(), acts, "nothing was written");
    // Who judges does not sit.
    refuses(&place, &fork(&["--at-round=1", "--seat=jo=rehearsal"]), 64, &["`jo` is named twice"]);
    finish(place);
}

/// A round that failed is no round to go on from.
#[test]
fn a_failed_round_cannot_be_forked() {
    let place = Place::new();
    place.write("mute.txt", "@speak\n@fail backend/http-500: down\n");
    place.run(["debate", TOPIC, "--charter=collaborative", "--seat=ann=script:mute.txt"]).exits(69);
    refuses(
        &place,
        &["fork", "--at-round=1"],
        64,
        &["has not completed round 1: it has completed none so far"],
    );
    place.run(["round", "1"]).exits(0).prints("nobody answered: the round failed");
    finish(place);
}

#[test]
fn a_file_of_seats_with_judges() {
    let place = place();
    debate(&place, &["--rounds=1", "--quiet"]).exits(2);
    place.write(
        "seats.toml",
        "[[seat]]\nname = \"bob\"\nbackend = \"script:talk.txt\"\n[[judge]]\nname = \"jo\"\nbackend = \"script:talk.txt\"\n",
    );
    place
        .run(["fork", "--at-round=1", "--seats=seats.toml"])
        .exits(0)
        .tells("note: the judges and scribe in the file are ignored");
    finish(place);
}

#[test]
fn side_by_side_in_any_width() {
    let place = place().with("COLUMNS", "46");
    debate(&place, &["--quiet"]).exits(2);
    place.run(["debate", "Or not?", "--seat=日本語=script:talk.txt", "--quiet"]);
    let list = place.json(["list"]);
    let ids = each(&list, "matter");
    let run = place.run(["compare", ids[0], ids[1]]).exits(0);
    let run = run.prints("no shared rounds").prints("question\n  < Should we cache the index?\n  > Or not?");
    assert!(run.out.lines().all(|line| line.chars().count() <= 46), "{run}");
    let mut wide = place.command(["compare", ids[0], ids[1]]);
    wide.env("COLUMNS", "90");
    let run = crate::world::Started::of(wide, b"")
        .wait()
        .exits(0)
        .prints("question     | Should we cache the index?");
    assert!(run.out.lines().all(|line| line.chars().count() <= 90), "{run}");
    refuses(&place, &["compare", ids[0], "9999"], 66, &["there is no matter 9999"]);
    refuses(&place, &["compare"], 64, &["<A>"]);
    finish(place);
}
