//! Charters of rings: every flaw is listed, with its line.

use expect_test::expect;
use synod_core::charter::Charter;

use crate::world::{World, source};

fn flaws(source: &str) -> String {
    match Charter::parse(source) {
        Ok((_, warnings)) => warnings.iter().map(|flaw| format!("warning {flaw}\n")).collect(),
        Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
    }
}

const HEAD: &str = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"My ring.\"\n";
const BALLOT: &str = "[ballot]\npass = \">= 1/2\"\nbasis = \"votes\"\nquorum = \"1/2\"\ntie = \"earlier\"\n";

#[test]
fn the_fewest_words_that_make_a_ring() {
    let ring = "[ring]\nrounds = 1\ntoken_ms = 1000\nsession_ms = 1000\nvote_ms = 1000\ngather_ms = 1000\n";
    let (charter, warnings) = Charter::parse(&format!("{HEAD}{ring}{BALLOT}")).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let synod_core::charter::Procedure::Ring(ring) = charter.procedure else { panic!("a ring") };
    let usual = (ring.least, ring.skips, ring.still_rounds, ring.still_from, ring.text_most, ring.per_turn);
    assert_eq!(usual, (2, 2, 2, 3, 2000, 8));
    assert_eq!(ring.timeouts, 3);
    assert_eq!(ring.consensus.to_string(), ">= 9/10");
}

#[test]
fn what_is_missing_is_named() {
    expect![[r#"
        line 4: `ring.rounds`: this is missing; write rounds = 5 under [ring]
        line 4: `ring.token_ms`: this is missing; write token_ms = 120_000 under [ring]
        line 4: `ring.session_ms`: this is missing; write session_ms = 1_800_000 under [ring]
        line 4: `ring.vote_ms`: this is missing; write vote_ms = 60_000 under [ring]
        line 4: `ring.gather_ms`: this is missing; write gather_ms = 300_000 under [ring]
    "#]]
    .assert_eq(&flaws(&format!("{HEAD}[ring]\n{BALLOT}")));
    expect![[r#"
        line 1: `name`: this is missing; write name = "my-mode"
        line 1: `title`: this is missing; write title = "…"
        line 1: `summary`: this is missing; write summary = "what it is for"
        line 1: `ballot`: this table is missing; write [ballot], as `synod charter show blind-vote` does
        line 1: `ring.token_ms`: this is missing; write token_ms = 120_000 under [ring]
        line 1: `ring.session_ms`: this is missing; write session_ms = 1_800_000 under [ring]
        line 1: `ring.vote_ms`: this is missing; write vote_ms = 60_000 under [ring]
        line 1: `ring.gather_ms`: this is missing; write gather_ms = 300_000 under [ring]
    "#]]
    .assert_eq(&flaws("[ring]\nrounds = 1\n"));
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let ring = "[ring]
rounds = 0
token_ms = \"soon\"
session_ms = { is = 5, from = 10, to = 20 }
vote_ms = { is = 5, from = 0, to = 20 }
gather_ms = 0
least = 1
skips = 0
timeouts = 101
still_rounds = 0
still_from = 0
text_most = 0
per_turn = 101
consensus = \"most\"
patience = 3
";
    expect![[r#"
        line 5: `ring.rounds`: this must not be 0; write 1 or more
        line 6: `ring.token_ms`: this is a string; write a whole number, or { is = 2, from = 1, to = 5 } to let it be moved
        line 7: `ring.session_ms`: 5 is not between 10 and 20; write a whole number, or { is = 2, from = 1, to = 5 } to let it be moved
        line 8: `ring.vote_ms`: this must not be 0; write 1 or more
        line 9: `ring.gather_ms`: this must not be 0; write 1 or more
        line 10: `ring.least`: 1 is out of range; write a number from 2 to 1000
        line 11: `ring.skips`: 0 is out of range; write a number from 1 to 100
        line 12: `ring.timeouts`: 101 is out of range; write a number from 1 to 100
        line 13: `ring.still_rounds`: 0 is out of range; write a number from 1 to 1000
        line 14: `ring.still_from`: 0 is out of range; write a number from 1 to 1000
        line 15: `ring.text_most`: 0 is out of range; write a number from 1 to 100000
        line 16: `ring.per_turn`: 101 is out of range; write a number from 1 to 100
        line 17: `ring.consensus`: `most` cannot be read; write a threshold such as "> 1/2" or ">= 2/3", or { is = "> 1/2", from = "1/2", to = "1" } to let it be moved
        line 18: `ring.patience`: this key is not known; known here: consensus, gather_ms, least, per_turn, proposals_each, rounds, session_ms, skips, still_from, still_rounds, text_most, timeouts, token_ms, vote_ms
    "#]].assert_eq(&flaws(&format!("{HEAD}{ring}{BALLOT}")));
}

#[test]
fn what_a_ring_does_not_read_is_a_flaw_beside_it() {
    let ring = "[ring]\nrounds = 1\ntoken_ms = 1000\nsession_ms = 1000\nvote_ms = 1000\ngather_ms = 1000\n";
    let more = "[turn]
absent_after = 2
[gate]
chars_most = 5
[watch]
groupthink = true
[lens]
transforms = [\"anonymize\"]
[tools]
encouraged = [\"read\"]
reason = \"r\"
[roles]
beyond = [\"x\"]
[brief]
checklist = [\"c\"]
[[stage]]
name = \"talk\"
kind = \"speak\"
[[role]]
name = \"x\"
[[perspective]]
name = \"p\"
view = \"v\"
";
    expect![[r#"
        line 15: `turn`: a ring does not use this table; remove it, or remove [ring]
        line 17: `gate`: a ring does not use this table; remove it, or remove [ring]
        line 19: `watch`: a ring does not use this table; remove it, or remove [ring]
        line 21: `lens`: a ring does not use this table; remove it, or remove [ring]
        line 23: `tools`: a ring does not use this table; remove it, or remove [ring]
        line 26: `roles`: a ring does not use this table; remove it, or remove [ring]
        line 28: `brief`: a ring does not use this table; remove it, or remove [ring]
        line 30: `stage`: a ring does not use this table; remove it, or remove [ring]
        line 33: `role`: a ring does not use this table; remove it, or remove [ring]
        line 35: `perspective`: a ring does not use this table; remove it, or remove [ring]
    "#]]
    .assert_eq(&flaws(&format!("{HEAD}{ring}{BALLOT}{more}")));
}

#[test]
fn a_setting_moves_as_far_as_the_charter_lets_it() {
    let opened = |setting: &str, to: &str| {
        let mut world = World::new();
        let act = world.open_with(&source("ring-default"), "cache", &[], &["ann", "bob"], |open| {
            open.moved.insert(setting.into(), to.parse().unwrap());
        });
        match &act.outcome {
            synod_core::Outcome::Done(_) => "done".to_string(),
            synod_core::Outcome::Refused { message, .. } => message.to_string(),
        }
    };
    assert_eq!(opened("rounds", "50"), "done");
    expect!["`ring.rounds` can be 1 to 50, not 51"].assert_eq(&opened("rounds", "51"));
    for (setting, to) in [("ballot.pass", "2/3"), ("ballot.quorum", "100%"), ("ring.consensus", "> 1/2")] {
        assert_eq!(opened(setting, to), "done", "{setting}");
    }
    expect!["`ring.consensus` can be > 50/100 to >= 100/100, not >= 1/2"]
        .assert_eq(&opened("ring.consensus", "1/2"));
    expect!["the charter has no setting `quorum`; you can change ballot.pass, ballot.quorum, ring.consensus, ring.gather_ms, ring.rounds, ring.session_ms, ring.token_ms, ring.vote_ms"].assert_eq(&opened("quorum", "5"));
    for setting in ["ring.rounds", "ring.token_ms", "ring.gather_ms", "ring.vote_ms"] {
        assert_ne!(opened(setting, "0"), "done", "{setting} cannot be 0");
    }
}
