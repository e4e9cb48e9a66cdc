//! The list of all refusals, and those that no other script meets.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use expect_test::{Expect, expect};
use synod_core::command::Open;
use synod_core::event::KeyChange;
use synod_core::kernel::{Actor, Digest, Key, RefusalEntry, RefusalKind, Seat, Who};
use synod_core::matter::Question;
use synod_core::procedure::council::{self, Fork};
use synod_core::{Command, House, Outcome, Refusal, Vouched};

use crate::world::{START, World, check, seat, source, who};

fn all() -> impl Iterator<Item = &'static RefusalEntry> {
    Refusal::ALL.iter().flat_map(|(_, entries)| entries.iter())
}

#[test]
fn codes_are_unique_and_begin_with_the_word_of_their_organ() {
    let mut prefixes = BTreeSet::new();
    let mut codes = BTreeSet::new();
    for (prefix, entries) in Refusal::ALL {
        assert!(prefixes.insert(*prefix), "two organs use `{prefix}/`");
        assert!(!entries.is_empty(), "{prefix} refuses nothing");
        for entry in *entries {
            let name = entry.code.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('/'));
            let plain = |name: &str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            assert!(name.is_some_and(|name| !name.is_empty() && plain(name)), "{} in {prefix}", entry.code);
            assert!(codes.insert(entry.code), "two refusals have the code {}", entry.code);
            assert_eq!(Refusal::listed(entry.code), Some(entry));
        }
    }
    for unknown in ["", "table", "table/", "table/nothing", "nothing/empty", "TABLE/empty"] {
        assert_eq!(Refusal::listed(unknown), None, "{unknown}");
    }
}

#[test]
fn every_meaning_is_a_sentence_in_plain_words() {
    // Words of the code that people do not know.
    let special = ["mind", "door", "hall", "desk", "clerk", "knob", "told"];
    for entry in all() {
        let mut words = entry.meaning.split(|c: char| !c.is_alphanumeric());
        assert!(!words.any(|word| special.contains(&word)), "{entry:?}");
        assert!(entry.meaning.ends_with('.') && !entry.meaning.contains("  "), "{entry:?}");
        assert!(entry.meaning.starts_with(char::is_uppercase), "{entry:?}");
    }
}

/// Codes and kinds are part of every interface: a change here is seen by those who use one.
#[test]
fn what_sort_of_no_each_refusal_is() {
    let mut list = String::new();
    for kind in RefusalKind::ALL {
        let _ = writeln!(list, "{}", kind.word());
        for entry in all().filter(|entry| entry.kind == kind) {
            let _ = writeln!(list, "  {}", entry.code);
        }
    }
    expect![[r#"
        unknown
          charter/unknown
          roster/unknown-seat
          matter/unknown
          matter/no-such-round
          context/unknown-request
          table/unknown
          workshop/unknown-issue
          workshop/unknown-comment
          canon/unknown-entry
          canon/unknown-conflict
          canon/unknown-proposal
          lease/not-held
          ledger/unknown-receiver
          ledger/unknown-goal
        forbidden
          house/not-allowed
          roster/unsigned
          workshop/needs-moderator
          workshop/needs-lead
          workshop/not-yours
          workshop/disabled
          workshop/read-only
          canon/not-allowed
          canon/agents-may-not-promote
          canon/not-the-next-step
          canon/other-words
          lease/not-yours
          ledger/self-award
          ledger/self-rating
          ledger/not-verifier
          ledger/favour-returned
          ledger/goal-not-allowed
        invalid
          house/not-a-key
          charter/flawed
          charter/unknown-setting
          charter/other-threshold
          charter/unknown-motion
          charter/fixed-setting
          charter/setting-outside
          charter/plain-question
          charter/other-kind
          roster/uncanonical-id
          roster/no-seats
          roster/too-many-seats
          roster/seat-twice
          roster/repeatable
          roster/malformed-key
          roster/malformed-name
          roster/reserved-name
          roster/unmaskable
          matter/malformed
          ask/other-kind
          context/malformed
          ballot/unsalted
          ballot/too-many-listed
          table/empty
          table/too-long
          council/no-motions
          council/not-among-seats
          ring/needs-outside
          ring/unread
          ring/too-few-invited
          workshop/other-charter
          workshop/opened-otherwise
          workshop/reserved-name
          workshop/missing
          workshop/too-long
          workshop/too-many
          workshop/malformed-tag
          workshop/reserved-tag
          workshop/kind-takes-no-side
          workshop/other-stance
          workshop/nothing-to-consolidate
          workshop/same-issue
          workshop/not-performed
          canon/bad-name
          canon/only-by-promotion
          canon/bad-text
          canon/ends-in-the-past
          canon/version-needed
          canon/bad-proposal
          lease/bad-path
          lease/nothing-named
          lease/bad-time
          lease/long-reason
          period/malformed-name
          trigger/malformed
          monitor/malformed
          rejections/malformed
          ledger/user-receives-nothing
          ledger/unknown-reason
          ledger/amount-out-of-range
          ledger/needs-citation
          ledger/malformed-slice
          ledger/malformed-goal
          track/no-such-answer
        conflict
          house/not-founded
          house/already-founded
          house/unknown-edition
          house/known-key
          roster/not-seated
          roster/look-alike
          matter/wrong-status
          matter/redacted
          matter/nothing-runs
          matter/nothing-to-redact
          ask/not-open
          budget/cost
          budget/price-unknown
          budget/calls
          budget/tokens
          context/request-done
          context/pending
          context/no-round-left
          ballot/already-cast
          floor/not-holder
          floor/turn-full
          table/too-many-proposals
          table/no-change
          table/not-proposer
          table/already-ruled
          table/stale
          council/not-a-debate
          council/not-a-motion
          council/own-motion
          council/already-seconded
          council/not-proposer
          council/voting-began
          ring/none
          ring/too-few-joined
          ring/wrong-phase
          ring/not-joined
          ring/already-joined
          ring/removed
          ring/by-part
          workshop/not-configured
          workshop/not-an-issue
          workshop/being-checked
          workshop/blind-review-pending
          workshop/model-of-seat
          workshop/took-no-part
          workshop/not-thawed
          workshop/marked-otherwise
          workshop/frozen
          workshop/not-frozen
          workshop/over
          workshop/not-over
          workshop/frozen-tag
          workshop/tag-not-frozen
          workshop/already-marked
          workshop/nothing-to-judge
          workshop/nothing-to-promote
          workshop/nothing-to-challenge
          workshop/already-challenged
          workshop/unfit-advocate
          workshop/no-oversight
          workshop/already-invited
          canon/name-taken
          canon/not-the-latest
          canon/not-holding
          canon/not-agreed
          canon/too-few-votes
          canon/contradicts
          canon/already-there
          canon/too-little-support
          canon/nothing-changes
          canon/already-decided
          lease/held
          lease/too-many
          lease/nothing-held
          lease/own
          period/already-open
          period/name-taken
          period/not-open
          trigger/not-configured
          monitor/too-many-pending
          ledger/too-many-goals
    "#]]
    .assert_eq(&list);
}

#[test]
fn keys_that_a_house_cannot_sign_with() {
    let mut world = World::new();
    let key = |digit: &str| digit.repeat(64);
    let mut change = |key: String| {
        let command = Command::ChangeKey { how: KeyChange::Recovered, key };
        match &world.submit(Actor::Operator, command).outcome {
            Outcome::Done(_) => "done".to_string(),
            Outcome::Refused { code, .. } => code.clone(),
        }
    };
    assert_eq!(change("ab".into()), "house/not-a-key");
    assert_eq!(change(key("A")), "house/not-a-key", "small letters only: one key has one spelling");
    assert_eq!(change(key("a")), "done");
    assert_eq!(change(key("b")), "done");
    assert_eq!(change(key("a")), "house/known-key");
}

#[test]
fn every_refusal_is_met_by_a_test() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    let texts = written(&tests);
    // The list of kinds names every code on a line of its own, and meets none of them.
    let lines = texts.lines().filter(|line| Refusal::listed(line.trim()).is_none());
    let words = lines.flat_map(|line| line.split(|c: char| !(c.is_ascii_lowercase() || "/-".contains(c))));
    let named: BTreeSet<&str> = words.collect();
    let unmet: Vec<&str> = all().map(|entry| entry.code).filter(|code| !named.contains(code)).collect();
    assert!(unmet.is_empty(), "no test meets {unmet:?}");
}

fn written(folder: &Path) -> String {
    let mut texts = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => texts += &written(&path),
            false => texts += &std::fs::read_to_string(&path).unwrap(),
        }
    }
    texts
}

/// Gives a command that is refused. What the house decides and what the act keeps must be the same.
#[track_caller]
fn refuses(world: &mut World, command: Command, expect: Expect) {
    let refusal = world.house.decide(world.now, &Actor::Operator, &command).unwrap_err();
    let act = world.submit(Actor::Operator, command);
    let Outcome::Refused { code, .. } = &act.outcome else { panic!("it was done: {act:?}") };
    assert_eq!(code, refusal.code());
    assert_eq!(Refusal::listed(code).map(|entry| entry.kind), Some(refusal.kind()));
    expect.assert_eq(&format!("{code}: {refusal}"));
}

/// A matter that is opened with something wrong.
#[track_caller]
fn refuses_open(charter: &str, seats: &[&str], change: impl FnOnce(&mut Open), expect: Expect) {
    let mut world = World::new();
    world.submit(Actor::Operator, Command::Adopt { source: source(charter) });
    for name in seats {
        world.submit(Actor::Operator, Command::Enrol { seat: seat(name) });
    }
    let question = Question::parse("cache", &[]).unwrap();
    let seated = seats.iter().map(|name| who(name)).collect();
    let mut open = Open::new(question, Digest::of(source(charter).as_bytes()), seated);
    change(&mut open);
    refuses(&mut world, Command::Open(Box::new(open)), expect);
}

#[test]
fn a_house_is_founded_once_and_first() {
    let refusal = House::default().decide(START, &Actor::Engine, &Command::Tick).unwrap_err();
    assert_eq!((refusal.code(), refusal.kind()), ("house/not-founded", RefusalKind::Conflict));
    expect!["the house is not founded yet: its first act must be `found`"].assert_eq(&refusal.to_string());
    refuses(
        &mut World::new(),
        Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() },
        expect!["house/already-founded: the house is already founded"],
    );
    let found = Command::Found { edition: 99, key: "00".into() };
    let refusal = House::default().decide(START, &Actor::Operator, &found).unwrap_err();
    assert_eq!(refusal.code(), "house/unknown-edition");
    expect!["edition 99 of the rules is not known: this build knows editions 2 to 4"]
        .assert_eq(&refusal.to_string());
}

#[test]
fn charters_with_errors_and_settings_that_cannot_be() {
    let adopt = Command::Adopt { source: "name = \"x\"".into() };
    refuses(
        &mut World::new(),
        adopt,
        expect![[
            r#"charter/flawed: the charter has 5 problems; the first is: line 1: `title`: this is missing; write title = "…""#
        ]],
    );
    check(
        "blind-vote cache ann speed=9",
        expect![[r#"
            refused charter/unknown-setting: the charter has no setting `speed`; you can change ballot.pass, ballot.quorum, debate.rounds, debate.until_clear, drafts.panel, first-vote.early, turn.absent_after, turn.history_chars, turn.limit_ms, turn.person_limit_ms, turn.queue_ms, turn.words, watch.confidence, watch.consensus, watch.early
        "#]],
    );
    check(
        "blind-vote cache ann drafts.rounds=2",
        expect![[r#"
        refused charter/fixed-setting: the charter fixes `drafts.rounds` at 1: leave it out, or use another charter
    "#]],
    );
}

#[test]
fn whoever_registers_a_key_signs() {
    let mut world = World::new();
    for name in ["ann", "bob"] {
        let outside =
            Seat { kind: synod_core::kernel::SeatKind::Outside, backend: "outside".into(), ..seat(name) };
        world.submit(Actor::Operator, Command::Enrol { seat: outside });
    }
    world.submit(Actor::Operator, Command::Enrol { seat: seat("cy") });
    let key = |name: &str, key: Option<&str>| Command::Key { key: key.map(str::to_string), who: who(name) };
    let hex = "0f".repeat(32);
    let tried = |house: &House, by: Actor, signs: bool, command: Command| {
        let signature = signs.then(|| "ab".to_string());
        let vouched = Vouched { signature, ..Vouched::by_owner() };
        let once = signs.then(|| Key("once".into()));
        let (act, house) = house.judge_vouched(START, by, Some(vouched), once, command);
        let told = match &act.outcome {
            Outcome::Done(events) => format!("{} events", events.len()),
            Outcome::Refused { code, message } => format!("{code}: {message}"),
        };
        (told, house)
    };
    let ann = || Actor::Seat(who("ann"));
    let house = world.house.clone();
    let (told, _) = tried(&house, ann(), false, key("ann", Some(&hex)));
    expect![
        "roster/unsigned: what ann does must be signed with the key that ann registered, and this is not"
    ]
    .assert_eq(&told);
    let (told, _) = tried(&house, ann(), true, key("ann", Some("0F")));
    expect!["roster/malformed-key: this is not a public key: write the 64 hexadecimal digits of an Ed25519 public key in lower case"].assert_eq(&told);
    let (told, _) = tried(&house, Actor::Seat(who("cy")), true, key("cy", Some(&hex)));
    assert!(told.starts_with("house/not-allowed"), "{told}");
    let (told, _) = tried(&house, Actor::Seat(who("bob")), true, key("ann", Some(&hex)));
    assert!(told.starts_with("house/not-allowed"), "{told}");
    let signed = Vouched { signature: Some("ab".into()), ..Vouched::by_owner() };
    let (act, _) = house.judge_vouched(START, ann(), Some(signed), None, key("ann", Some(&hex)));
    assert!(matches!(&act.outcome, Outcome::Refused { code, .. } if code == "roster/repeatable"), "{act:?}");
    let (told, signing) = tried(&house, ann(), true, key("ann", Some(&hex)));
    assert_eq!((told.as_str(), signing.roster().key(&who("ann"))), ("1 events", Some(hex.as_str())));
    // The key of a signed command is never forgotten.
    let mut later = signing.clone();
    for hours in 1..40 {
        later = later.judge(START.plus(hours * 3_600_000), Actor::Engine, None, Command::Tick).1;
    }
    assert!(later.given_under(&Key("once".into())).is_some());
    // From now on nothing of hers counts unsigned, and nobody but the operator takes the key away.
    let (told, _) = tried(&signing, ann(), false, key("ann", None));
    assert!(told.starts_with("roster/unsigned"), "{told}");
    let (told, _) = tried(&signing, Actor::Operator, false, key("ann", Some(&hex)));
    assert!(told.starts_with("house/not-allowed"), "{told}");
    let (told, bare) = tried(&signing, Actor::Operator, false, key("ann", None));
    assert_eq!((told.as_str(), bare.roster().key(&who("ann"))), ("1 events", None));
}

#[test]
fn ids_and_names_that_cannot_be() {
    let enrol = |change: fn(&mut Seat)| {
        let mut seat = seat("ann");
        change(&mut seat);
        Command::Enrol { seat }
    };
    // An id is canonical wherever it is parsed; only what is decoded can be anything else.
    let written = |id: &str| serde_json::from_value::<Who>(id.into()).unwrap();
    let with_id = |id: &str| Command::Enrol { seat: Seat { who: written(id), ..seat("ann") } };
    refuses(
        &mut World::new(),
        with_id("Ann"),
        expect!["roster/uncanonical-id: `Ann` is not a canonical id: write `ann`"],
    );
    refuses(
        &mut World::new(),
        with_id("a/b"),
        expect![
            "roster/uncanonical-id: `a/b` is not a canonical id: the name `a/b` holds '/': use letters, digits, blanks, `-`, `_` and `.`"
        ],
    );
    refuses(
        &mut World::new(),
        enrol(|seat| seat.name = "Ann\nBob".into()),
        expect![
            "roster/malformed-name: `Ann Bob` is not a valid name: write one line of at most 100 visible characters"
        ],
    );
    refuses(
        &mut World::new(),
        enrol(|seat| seat.name = String::new()),
        expect![
            "roster/malformed-name: `` is not a valid name: write one line of at most 100 visible characters"
        ],
    );
    refuses(
        &mut World::new(),
        enrol(|seat| seat.name = "An\u{200b}n".into()),
        expect![
            "roster/malformed-name: `An\\u{200b}n` is not a valid name: write one line of at most 100 visible characters"
        ],
    );
    refuses(
        &mut World::new(),
        with_id("a\u{0}b"),
        expect![
            "roster/uncanonical-id: `a b` is not a canonical id: the name `ab` holds the invisible character U+0000: write it without"
        ],
    );
    refuses(
        &mut World::new(),
        with_id("operator"),
        expect![
            "roster/reserved-name: `operator` cannot be the name of a participant: the record says `operator` for somebody else; choose another name"
        ],
    );
    refuses(
        &mut World::new(),
        enrol(|seat| seat.name = "Engιne".into()),
        expect![
            "roster/reserved-name: `Engιne` cannot be the name of a participant: the record says `engine` for somebody else; choose another name"
        ],
    );
    let mut known = World::new();
    known.submit(Actor::Operator, Command::Enrol { seat: seat("bob") });
    // The second letter is Cyrillic.
    refuses(
        &mut known,
        with_id("bоb"),
        expect![
            "roster/look-alike: `bоb` looks like `bob`, who is another participant: choose a name that readers can tell apart"
        ],
    );
    let renamed = Command::Enrol { seat: Seat { name: "BOB".into(), ..seat("ann") } };
    refuses(
        &mut known,
        renamed,
        expect![
            "roster/look-alike: `BOB` looks like `bob`, who is another participant: choose a name that readers can tell apart"
        ],
    );
    refuses_open(
        "delphi",
        &["ann", "cache"],
        |_| (),
        expect![
            "roster/unmaskable: the charter delphi hides names, and these are common words or words of the question: cache; rename them"
        ],
    );
}

#[test]
fn more_seats_than_a_matter_can_have() {
    let many = |open: &mut Open| open.seats = (0..=10_000).map(|nth| who(&format!("s{nth}"))).collect();
    refuses_open(
        "collaborative",
        &[],
        many,
        expect!["roster/too-many-seats: 10001 seats are too many: a matter can have 10000"],
    );
}

#[test]
fn questions_and_context_that_cannot_be() {
    refuses_open(
        "collaborative",
        &["ann"],
        |open| open.question.topic = " ".into(),
        expect!["matter/malformed: the topic is empty: say what is to be decided"],
    );
    refuses_open(
        "collaborative",
        &["ann"],
        |open| open.focus = Some("x".repeat(2001)),
        expect!["context/malformed: the focus question has 2001 characters, at most 2000 are allowed"],
    );
}

#[test]
fn a_focus_that_no_round_follows() {
    let mut world = World::new();
    let one_round = |open: &mut Open| open.moved.extend([("rounds".to_string(), 1.into())]);
    world.open_with(&source("collaborative"), "cache", &[], &["ann"], one_round);
    world.step("ann: YES");
    let from = world.matter();
    let fork = Fork {
        from,
        round: 1,
        charter: None,
        seats: None,
        limits: Default::default(),
        moved: Default::default(),
        focus: Some("And the cost?".into()),
        stepwise: false,
    };
    refuses(
        &mut world,
        Command::Council(council::Command::Fork(Box::new(fork))),
        expect![
            "context/no-round-left: no round follows round 1, so a focus question has no use: allow more rounds, or leave it out"
        ],
    );
}

#[test]
fn a_ring_names_what_it_does_not_use() {
    let mut world = World::new();
    let stepwise = |open: &mut Open| open.stepwise = true;
    let act = world.open_with(&source("ring-default"), "cache", &[], &["ann", "bob"], stepwise);
    let Outcome::Refused { code, .. } = &act.outcome else { panic!("{act:?}") };
    assert_eq!(code, "ring/unread");
}
