//! What cannot lie on the table, be changed there or be voted.

use expect_test::expect;
use synod_core::ballot::Grade;
use synod_core::kernel::Reaction;
use synod_core::procedure::ring::{Action, Remark};

use super::{ONE_ROUND, TWO, last, part};
use crate::ring::{at, played};

#[test]
fn table_empty() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let propose = |title: &str, text: &str| Action::Propose {
        ask,
        keep: false,
        text: text.into(),
        title: title.into(),
    };
    for empty in [
        Action::Say { ask, keep: false, kind: Remark::Opinion, text: " \n".into(), to: None },
        propose("\t", "a text"),
        propose("a title", ""),
        Action::Skip { ask, why: Some(String::new()) },
    ] {
        part(
            &mut world,
            "ann",
            empty,
            expect!["table/empty: the text is empty: say something, or skip your turn"],
        );
    }
}

#[test]
fn table_too_long() {
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let long = "x".repeat(2001);
    part(
        &mut world,
        "ann",
        Action::Propose { ask, keep: false, text: "t".into(), title: "x".repeat(121) },
        expect!["table/too-long: 121 characters, at most 120 are allowed: shorten it and refer to files"],
    );
    let (to, why) = (proposal.0, Some(long.clone()));
    let amend = |text: &str, why: Option<&String>| Action::Amend {
        ask,
        keep: false,
        proposal,
        text: text.into(),
        why: why.cloned(),
    };
    for too_long in [
        Action::Propose { ask, keep: false, text: long.clone(), title: "t".into() },
        amend(&long, None),
        amend("t", Some(&long)),
        Action::React { ask, keep: false, reaction: Reaction::Agree, text: why.clone(), to },
        Action::Skip { ask, why },
    ] {
        part(
            &mut world,
            "ann",
            too_long,
            expect![
                "table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"
            ],
        );
    }
    let mut world = played(&at("VOTING", ONE_ROUND, ""));
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let vote = |rationale: Option<&str>, conditions: &[&str], salt: Option<String>| Action::Vote {
        changes: Vec::new(),
        conditions: conditions.iter().map(ToString::to_string).collect(),
        grade: Grade::Approve,
        proposal,
        rationale: rationale.map(str::to_string),
        salt,
    };
    for too_long in [vote(Some(&long), &[], None), vote(None, &[&long], None)] {
        part(
            &mut world,
            "ann",
            too_long,
            expect![
                "table/too-long: 2001 characters, at most 2000 are allowed: shorten it and refer to files"
            ],
        );
    }
    part(
        &mut world,
        "ann",
        vote(None, &[], Some("s".repeat(129))),
        expect!["table/too-long: 129 characters, at most 128 are allowed: shorten it and refer to files"],
    );
}

#[test]
fn table_too_many_listed() {
    let mut world = played(&at("VOTING", ONE_ROUND, ""));
    let proposal = world.house.case(world.matter()).unwrap().ring().unwrap().1.table.proposals[0].id;
    let vote = |changes: usize, conditions: usize| Action::Vote {
        changes: vec!["more".into(); changes],
        conditions: vec!["if".into(); conditions],
        grade: Grade::RequestChanges,
        proposal,
        rationale: None,
        salt: None,
    };
    part(
        &mut world,
        "ann",
        vote(21, 0),
        expect!["ballot/too-many-listed: 21 conditions or changes are too many: name at most 20"],
    );
    part(
        &mut world,
        "ann",
        vote(20, 21),
        expect!["ballot/too-many-listed: 21 conditions or changes are too many: name at most 20"],
    );
}

#[test]
fn table_too_many_proposals() {
    let mut script = String::new();
    for (name, many) in [("ann", 4), ("bob", 4), ("cy", 4), ("dee", 4), ("eve", 4), ("fay", 4), ("gil", 2)] {
        script += &(1..=many)
            .map(|nth| format!("{name}: propose+ {name} {nth}: do {name} {nth}\n"))
            .collect::<String>();
    }
    last(
        &at(
            "PROPOSING",
            "ring-default cache ann bob cy dee eve fay gil",
            &format!("{script}gil: propose One more: do more"),
        ),
        expect!["table/too-many-proposals: there are already 26 proposals: amend one of them"],
    );
}

#[test]
fn table_too_many_proposals_of_one() {
    let script: String = (1..=4).map(|nth| format!("ann: propose+ One {nth}: do {nth}\n")).collect();
    last(
        &at("PROPOSING", "ring-default cache ann bob", &format!("{script}ann: propose One more: do more")),
        expect![
            "table/too-many-proposals: ann has already made 4 proposals, the most that this charter allows one participant: amend one of them"
        ],
    );
}

#[test]
fn table_unknown() {
    last(
        &at("DISCUSSING", TWO, "ann: react B agree"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("DISCUSSING", TWO, "ann: amend B nothing to amend"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("DISCUSSING", TWO, "ann: accept 1"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: vote B approve"),
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
    let mut world = played(&at("DISCUSSING", TWO, ""));
    let ask = world.ask_of("ann").unwrap();
    let say = Action::Say {
        ask,
        keep: false,
        kind: Remark::Opinion,
        text: "to whom?".into(),
        to: Some("9999".parse().unwrap()),
    };
    part(
        &mut world,
        "ann",
        say,
        expect!["table/unknown: this ring has no contribution, proposal or amendment 9999"],
    );
}

#[test]
fn table_no_change() {
    last(
        &at("DISCUSSING", TWO, "ann: amend A Put a Redis before it."),
        expect!["table/no-change: proposal 8 already says that"],
    );
}

#[test]
fn table_not_proposer() {
    last(
        &at("DISCUSSING", TWO, "ann: say a\nbob: amend A Put two before it.\nbob: accept 1"),
        expect![
            "table/not-proposer: only ann, who made the proposal, can accept or reject amendments to it, not bob"
        ],
    );
}

#[test]
fn table_already_ruled() {
    last(
        &at("DISCUSSING", TWO, "ann: say a\nbob: amend A Put two before it.\nann: accept 1\nann: decline 1"),
        expect!["table/already-ruled: amendment 11 is already accepted or rejected"],
    );
}

#[test]
fn table_stale() {
    let changes = "ann: say a\nbob: amend+ A Put two before it.\nbob: amend A Put it behind.\nann: accept 2\nann: accept 1";
    last(
        &at("DISCUSSING", TWO, changes),
        expect![
            "table/stale: amendment 11 was written for version 1, and the proposal is now at version 2: have it made again"
        ],
    );
}

#[test]
fn ballot_already_cast() {
    last(
        &at("VOTING", ONE_ROUND, "ann: vote A approve\nann: vote A reject"),
        expect!["ballot/already-cast: ann has already voted on this proposal"],
    );
    last(
        &at("VOTING", ONE_ROUND, "ann: vote A approve\nann: vote A approve"),
        expect!["ballot/already-cast: ann has already voted on this proposal"],
    );
}
