//! Looking closely: `thoughts`, `round`, `citations`, `synthesize`, `judge`.

use super::{TOPIC, debate, last, number, place, refuses};
use crate::houses::{check, finish};
use crate::server::{Server, say};
use crate::world::{Place, each};

#[test]
fn the_thoughts_of_one_seat() {
    let place = place();
    debate(&place, &["--quiet", "--rounds=2"]).exits(2);
    let matter = last(&place);
    let run = place.run(["thoughts", "Ann"]).exits(0);
    for words in [
        "ann (scripted), script:talk.txt",
        "── round 1 (discussion): YES 0.80\n   Cache it.\n   why: Reads dominate.\n   - reads dominate",
        "open questions: How large is it?",
        "source: The paper <https://www.Example.org/paper/> \"reads dominate\"",
        "── round 2 (discussion): NO 1.00  << CHANGED, was YES",
        "what moved me: The size of the index",
        "repaired: a confidence outside 0 to 1 was corrected: `confidence` was `1.5`: taken as 1",
        "── vote: votes NO 0.90\n   because: It does not fit.\n   would change if: It shrinks.",
        "total: no call left this machine",
    ] {
        assert!(run.out.contains(words), "lacks `{words}`\n{run}");
    }
    assert_eq!(run.out, place.run(["thoughts", &matter, "ann"]).exits(0).out);
    place.run(["thoughts", "bob"]).exits(0).hides("CHANGED");

    let told = place.json(["thoughts", &matter, "ann"]);
    assert_eq!(each(&told["turns"], "what"), ["round 1", "round 2", "vote"]);
    assert_eq!(each(&told["turns"], "changed_from"), ["yes"]);
    assert_eq!(told["turns"][1]["did"]["said"]["repairs"][0]["code"], "confidence-clamped");
    // Flags may stand anywhere.
    assert_eq!(place.run(["thoughts", &matter, "--json", "ann"]).exits(0).json(), told);

    refuses(&place, &["thoughts", "zoe"], 64, &["has no seat `zoe`; its seats are ann, bob"]);
    refuses(&place, &["thoughts", "9999", "ann"], 66, &["there is no matter 9999"]);
    refuses(&place, &["thoughts", "ann", "bob"], 64, &["`ann` is not a matter"]);
    refuses(&place, &["thoughts"], 64, &["<SEAT>"]);
    refuses(&place, &["thoughts", "1", "2", "3"], 64, &["3"]);
    finish(place);
}

#[test]
fn marks_gaps_and_orders_are_among_the_thoughts() {
    let place = Place::new();
    let script = "@speak\n@seat ann\n{\"stance\": \"NO\", \"position\": \"No.\"}\n---\n@speak\n@seat bob\n\
                  @fail backend/http-500: down\n---\n@vote\nYES\n";
    place.write("parts.txt", script);
    let seats = ["--seat=ann=script:parts.txt", "--seat=bob=script:parts.txt", "--seat=cyd=rehearsal"];
    place.run([&["debate", TOPIC, "--charter=devils-advocate", "--quiet"], &seats[..]].concat());
    let run = place.run(["thoughts", "ann"]).exits(0);
    let run = run.prints("assigned to argue YES").prints("marked: ").prints("votes YES");
    assert!(!run.out.contains("CHANGED"), "what is said under orders is no opinion to change\n{run}");
    place.run(["thoughts", "bob"]).exits(0).prints("no answer: down (backend/http-500)");
    finish(place);
}

#[test]
fn one_round_whole() {
    let place = place();
    let judges = ["--judge=jo=script:talk.txt", "--judge=dan=script:talk.txt", "--focus=Does it fit?"];
    debate(&place, &[&["--quiet", "--rounds=2"], &judges[..]].concat()).exits(2);
    let matter = last(&place);
    let number = super::number(&place);
    place
        .run(["round", "1"])
        .exits(0)
        .prints(&format!("matter {number}, round 1 (discussion): {TOPIC}"))
        .prints("focus: Does it fit?")
        .prints("── ann: YES 0.80\n   Cache it.")
        .prints("agreement: high (2 of 2)")
        .prints("group: YES (ann, bob)")
        .prints("── assessed by jo: agreement 0.40\n   summary: They differ over its size.")
        .prints("── dan has not assessed it: the judge is down (backend/http-500)")
        .prints(&format!("try again with: synod judge {number} --round 1 --judge dan"))
        .prints("agreement: 0.40 to 1.00");
    let told = place.json(["round", &matter, "2"]);
    assert_eq!((&told["round"], &told["over"]), (&2.into(), &true.into()));
    assert_eq!(each(&told["said"], "who"), ["ann", "bob"]);
    assert_eq!(told["analysis"]["conflicts"][0]["about"], "side", "{told}");
    place.run(["round", "2"]).exits(0).prints("conflict over the question: ");

    refuses(&place, &["round", "3"], 64, &["has not completed round 3: it has completed 2 so far"]);
    refuses(&place, &["round", "0"], 64, &["has not completed round 0"]);
    refuses(&place, &["round", "first"], 64, &["`first` is not a round: write a number such as 2"]);
    refuses(&place, &["round", "9999", "1"], 66, &["there is no matter 9999"]);
    finish(place);
}

#[test]
fn sources_are_named_once() {
    let place = place();
    debate(&place, &["--quiet", "--rounds=2"]).exits(2);
    let run = place.run(["citations"]).exits(0);
    let run = run.prints("The paper <https://www.Example.org/paper/>").prints("cited by ann in rounds 1, 2");
    assert_eq!(run.out.matches("aper").count(), 2, "one address in two spellings is one source\n{run}");
    let told = place.json(["citations", &last(&place)]);
    assert_eq!(told.as_array().map(Vec::len), Some(1));
    assert_eq!(told[0]["rounds"], serde_json::json!([1, 2]));
    place.run(["debate", "Rehearse?", "--quiet", "--rehearse"]);
    place.run(["citations"]).exits(0).prints("no sources were cited");
    finish(place);
}

#[test]
fn a_seat_sums_up_and_decides_nothing() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let (matter, before) = (last(&place), place.report());
    let receipt = place.run(["receipt"]).exits(0).out;
    place
        .run(["synthesize", "--by", "ann"])
        .exits(0)
        .prints("SUMMARY by ann. This is not a decision")
        .prints("summary: Size decides.")
        .prints("recommendation: Measure first.")
        .prints("next step: Measure.");
    let told = place.json(["synthesize", &matter, "--by", "ann"]);
    assert_eq!((&told["decides"], &told["synthesis"]["summary"]), (&false.into(), &"Size decides.".into()));
    let after = place.report();
    assert_eq!((&after["decision"], &after["seats"]), (&before["decision"], &before["seats"]));
    assert_eq!(after["syntheses"].as_array().map(Vec::len), Some(2));

    refuses(
        &place,
        &["synthesize", "--by", "bob"],
        69,
        &["bob could not summarize matter", "no answer for bob"],
    );
    refuses(&place, &["synthesize", "--by", "zoe"], 64, &["`zoe`; its seats are ann, bob"]);
    refuses(&place, &["synthesize", "9999", "--by", "ann"], 66, &["there is no matter 9999"]);
    refuses(&place, &["synthesize"], 64, &["--by <SEAT>"]);
    assert_eq!(place.run(["receipt"]).exits(0).out, receipt, "the receipt is of the moment it was settled");
    finish(place);
}

/// Who asks for a summary with the debate learns why there is none; the decision is told all the same.
#[test]
fn a_summary_that_fails_is_told_with_its_cause() {
    let place = place();
    let run = debate(&place, &["--quiet", "--synthesize=bob"]).exits(2).prints("UNDECIDED: a tie");
    let again = format!("Try again with: synod synthesize {} --by bob", number(&place));
    run.tells("bob could not write a summary: ")
        .tells("no answer for bob")
        .tells("the decision stands")
        .tells(&again);
    debate(&place, &["--quiet", "--synthesize=ann"]).exits(2).prints("Size decides.").hides("sum it up");
    finish(place);
}

/// Failing at a favour costs no seat its place in the next round.
#[test]
fn a_summary_that_fails_costs_no_turn() {
    let place = place();
    debate(&place, &["--quiet", "--step"]).exits(2);
    for _ in 0..3 {
        place.run(["synthesize", "--by", "bob"]).exits(69);
    }
    place.run(["synthesize", "--by", "ann"]).exits(0).prints("SUMMARY");
    check(&place);
    place.run(["continue", "--quiet"]).exits(2);
    assert_eq!(each(&place.report()["rounds"][1]["said"], "who"), ["ann", "bob"]);
    finish(place);
}

#[test]
fn a_round_is_judged_again() {
    let place = place();
    debate(&place, &["--quiet", "--rounds=2", "--judge=dan=script:talk.txt"]).exits(2);
    let matter = last(&place);
    assert_eq!(place.json(["round", "2"])["pending"][0]["who"], "dan");
    let judge = |more: &[&'static str]| [&["judge", "--round=2"], more].concat();
    place
        .run(judge(&["--judge=jo=script:talk.txt"]))
        .exits(0)
        .prints("── assessed by jo: agreement 0.40")
        .prints("common ground: Speed matters.")
        .prints("agreement: 0.40 to 0.50");
    // From now on the house knows her.
    let told = place.json(["judge", &matter, "--round=1", "--judge=jo"]);
    assert_eq!(
        (&told["judged"]["who"], &told["spread"]),
        (&"jo".into(), &serde_json::json!([400, 1000])),
        "{told}"
    );
    assert_eq!(told["counted"], serde_json::json!({ "part": 2, "whole": 2 }));

    refuses(&place, &judge(&["--judge=dan"]), 69, &["dan could not assess round 2", "the judge is down"]);
    refuses(&place, &judge(&["--judge=zoe"]), 64, &["is called `zoe`: write --judge NAME=BACKEND"]);
    refuses(&place, &judge(&["--judge=zoe="]), 64, &["`zoe=` needs what answers for the judge"]);
    refuses(
        &place,
        &judge(&["--judge=ann=rehearsal"]),
        64,
        &["`ann` already serves in matter", "another name"],
    );
    refuses(
        &place,
        &["judge", "--round=3", "--judge=jo"],
        64,
        &["has not completed round 3: it has completed 2 so far"],
    );
    refuses(&place, &["judge", "--judge=jo"], 64, &["--round <K>"]);
    finish(place);
}

/// What a model took is told with each of its turns, and in all.
#[test]
fn thoughts_have_their_price() {
    let answer = r#"{"stance": "YES", "position": "Cache it.", "vote": "YES", "confidence": 0.8}"#;
    let server = Server::start(move |_: &crate::server::Request| say(answer));
    let place = Place::new();
    let args = ["debate", TOPIC, &server.seat("good"), "--charter=collaborative", "--rounds=1"];
    place.run(args.iter().chain(&["--quiet", "--no-synthesis"])).exits(0);
    let run = place.run(["thoughts", "good"]).exits(0);
    assert_eq!(run.out.matches(" s, 100 tokens read, 20 written, ").count(), 2, "{run}");
    run.prints("total: 2 calls, 200 tokens read, 40 written, ");
    assert_eq!(place.json(["thoughts", "good"])["spent"]["calls"], 2);
    let (id, told) = (last(&place), place.json(["fork", "--at-round=1", "--quiet"]));
    assert_eq!(told["comparison"]["other"]["spent"]["calls"], 1, "a fork pays for its own rounds: {told}");
    place.run(["compare", &id, &last(&place)]).exits(0).prints("1 call of its own");
    finish(place);
}
