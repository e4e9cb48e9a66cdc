//! Asks of the world: a seat asks to see a file, and the world is asked to read it.

use expect_test::expect;
use synod_core::brief::Form;
use synod_core::command::Delivered;
use synod_core::context::{Excerpt, FILES_MOST, FileReading, TEXT_MOST};
use synod_core::house::BriefCache;
use synod_core::kernel::{Actor, AskId, Digest, Passage};
use synod_core::view::Report;
use synod_core::{Command, Outcome, charter};

use crate::world::{World, log, source, who};

/// What ann says in a script: a statement with a request for a file.
fn asks_for(file: &str, priority: &str) -> String {
    format!(
        r#"ann: raw {{"stance":"YES","position":"we need to look","reasoning":"because","confidence":0.8,"context_requests":[{{"query":"how it calls","reason":"it decides","priority":"{priority}","file":"{file}"}}]}}"#
    )
}

#[track_caller]
fn check_with(script: &str, expect: expect_test::Expect) {
    let script = script.replace("ANN NEEDS api.rs", &asks_for("src/api.rs:2-3", "required"));
    let script = script.replace("ANN LIKES api.rs", &asks_for("src/api.rs", "optional"));
    let told = log(&script);
    let lines = told.lines().filter(|line| !line.starts_with("> ann: raw"));
    expect.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn a_file_that_is_needed_is_read_and_a_round_is_held_for_it() {
    check_with(
        "collaborative cache sources=1 rounds=3 ann bob
         ---
         ANN NEEDS api.rs
         bob: YES
         reads let a = 1;
         ann: YES
         bob: YES
         ann: YES
         bob: YES",
        expect![[r#"
            admitted ann YES
            ann needs: how it calls
            the world is asked to read src/api.rs:2-3 until 0:30
            > bob: YES
            admitted bob YES
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 2/2
            > reads let a = 1;
            read src/api.rs, the whole file
            round 2 opened
            called ann
            called bob
            > ann: YES
            admitted ann YES
            > bob: YES
            admitted bob YES
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 2/2
            left: consensus
            stage vote
            ballot opened: > 1/2 of cast
            asked ann to vote
            asked bob to vote
            > ann: YES
            cast ann YES
            > bob: YES
            cast bob YES
            ballot closed: yes 2 no 0 abstain 0 options [] unparsed 0 missing 0: Passed { option: None }, settles true
            settled Passed { option: None }
        "#]],
    );
}

#[test]
fn what_cannot_be_read_is_an_answer_too_and_nothing_waits() {
    check_with(
        "collaborative cache sources=1 rounds=3 watch.early=0 ann bob
         ANN NEEDS api.rs
         ---
         unread
         bob: NO
         supply r1 here it is
         resume",
        expect![[r#"
            > unread
            not read: source/missing
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            round 2 opened
            called ann
            called bob
            > supply r1 here it is
            refused context/request-done: request 6.2 is already closed: its file was not read
            > resume
            refused matter/wrong-status: matter m5 is running: only a paused matter can be resumed
        "#]],
    );
}

#[test]
fn a_reader_that_breaks_down_or_never_comes_lapses_and_costs_nobody_a_strike() {
    check_with(
        "collaborative cache sources=1 rounds=3 watch.early=0 ann bob
         ANN NEEDS api.rs
         ---
         unreadable engine/panicked
         bob: NO
         ANN NEEDS api.rs
         bob: NO
         wait 29s
         wait 1s",
        expect![[r#"
            > unreadable engine/panicked
            lapsed: engine/panicked (it broke down)
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            round 2 opened
            called ann
            called bob
            admitted ann YES
            ann needs: how it calls
            the world is asked to read src/api.rs:2-3 until 0:30
            > bob: NO
            admitted bob NO
            round 2 closed: 2 answered, 0 lapsed
            round 2 analysed: agreement 1/2
            > wait 29s
            > wait 1s
            lapsed: source/unread (nobody read the file in time)
            round 3 opened
            called ann
            called bob
        "#]],
    );
}

#[test]
fn a_rest_stops_the_time_and_an_answer_in_it_is_late() {
    check_with(
        "collaborative cache sources=1 rounds=3 watch.early=0 ann bob
         ---
         ANN LIKES api.rs
         bob: NO
         pause
         reads let a = 1;
         wait 600s
         resume
         wait 29s
         interrupt
         resume
         reads let a = 1;
         reads let a = 1;",
        expect![[r#"
            admitted ann YES
            ann would like: how it calls
            the world is asked to read src/api.rs until 0:30
            > bob: NO
            admitted bob NO
            round 1 closed: 2 answered, 0 lapsed
            round 1 analysed: agreement 1/2
            > pause
            paused Operator
            > reads let a = 1;
            refused ask/not-open: ask 6.3 is not open: it was answered, has lapsed or never existed
            > wait 600s
            > resume
            resumed
            renewed until 10:30
            > wait 29s
            > interrupt
            paused Interrupted
            > resume
            resumed
            renewed until 10:59
            > reads let a = 1;
            read src/api.rs, the whole file
            round 2 opened
            called ann
            called bob
            > reads let a = 1;
            refused ask/not-open: ask 6.3 is not open: it was answered, has lapsed or never existed
        "#]],
    );
}

#[test]
fn late_double_and_unknown_deliveries_are_one_refusal() {
    check_with(
        "collaborative cache sources=1 rounds=3 watch.early=0 ann bob
         ---
         reads nothing was asked
         ANN NEEDS api.rs
         reads let a = 1;
         reads let a = 2;
         supply r1 the operator knows better",
        expect![[r#"
            > reads nothing was asked
            refused ask/not-open: ask 9999 is not open: it was answered, has lapsed or never existed
            admitted ann YES
            ann needs: how it calls
            the world is asked to read src/api.rs:2-3 until 0:30
            > reads let a = 1;
            read src/api.rs, the whole file
            > reads let a = 2;
            refused ask/not-open: ask 7.3 is not open: it was answered, has lapsed or never existed
            > supply r1 the operator knows better
            refused context/request-done: request 7.2 is already answered by its file
        "#]],
    );
}

#[test]
fn requests_that_name_no_file_or_the_same_are_refused_and_others_wait_for_the_operator() {
    let mut script = "collaborative cache sources=1 rounds=3 watch.early=0 ann bob\n".to_string();
    for file in ["/etc/passwd", "../key", "a/../../b", "a\\\\b", "api.rs:9-2", "api.rs:x", " "] {
        script.push_str(&asks_for(file, "required"));
        script.push('\n');
        script.push_str("bob: NO\n");
        let told = log(&script);
        let refused = told.lines().find(|line| line.starts_with("request of ann refused"));
        match file {
            " " => assert!(
                told.contains("paused NeedsContext"),
                "no file is a question to the operator:\n{told}"
            ),
            _ => assert!(refused.is_some_and(|line| line.contains("context/file: ")), "{file}:\n{told}"),
        }
        script.truncate(script.find('\n').unwrap() + 1);
    }
    let both = r#"{"stance":"YES","position":"p","reasoning":"r","confidence":0.8,"context_requests":[
        {"query":"","reason":"it decides","priority":"optional","file":"`./src/api.rs`"},
        {"query":"again","reason":"it decides","priority":"optional","file":"src/api.rs"}]}"#;
    script.push_str(&format!("ann: raw {}", both.replace('\n', " ")));
    let told = log(&script);
    assert!(
        told.contains("ann would like: `./src/api.rs`\nthe world is asked to read src/api.rs until 0:30"),
        "{told}"
    );
    assert!(told.contains("refused context/file-repeated: the same file was asked for in request"), "{told}");
}

#[test]
fn no_more_files_are_read_for_a_matter_than_all_seats_can_be_told() {
    let mut script = "collaborative cache sources=1 rounds=9 watch.early=0 ann bob\n".to_string();
    let many = |from: usize, to: usize| {
        let one =
            |n| format!(r#"{{"query":"q{n}","reason":"it decides","priority":"optional","file":"f{n}.rs"}}"#);
        let all: Vec<String> = (from..to).map(one).collect();
        format!(
            r#"ann: raw {{"stance":"YES","position":"p","reasoning":"r","confidence":0.8,"context_requests":[{}]}}"#,
            all.join(",")
        )
    };
    script.push_str(&many(0, 8));
    script.push_str("\nbob: NO\n");
    script.push_str(&"reads text\n".repeat(8));
    script.push_str(&many(8, FILES_MOST + 2));
    let told = log(&script);
    assert_eq!(told.matches("the world is asked to read").count(), FILES_MOST, "{told}");
    assert_eq!(told.matches("refused context/files: 12 files were asked for already").count(), 2, "{told}");
}

/// A matter in which ann asked for a file in round 1.
fn asked(charter: &str) -> World {
    let mut world = World::new();
    world.open_with(&source(charter), "cache", &[], &["ann", "bob"], |open| open.sources = true);
    let said = asks_for("src/api.rs:2-3", "required");
    world.answer("ann", said.strip_prefix("ann: raw ").unwrap());
    world
}

fn reading(text: &str, to: u32) -> Box<Delivered> {
    let digest = Digest::of(text.as_bytes());
    Box::new(Delivered::Read(FileReading::Taken(Excerpt {
        cut: false,
        digest,
        from: 2,
        of: 9,
        text: text.into(),
        to,
    })))
}

fn sent(world: &World) -> AskId {
    let mut asks = world.house.open_asks().filter(|(_, ask)| ask.who().is_none());
    asks.next().expect("the world is asked").0
}

#[test]
fn only_the_engine_delivers_and_only_what_was_asked_for() {
    let mut world = asked("collaborative");
    let (ask, speaks) = (sent(&world), world.ask_of("bob").unwrap());
    let mut code = |by, command| match &world.submit(by, command).outcome {
        Outcome::Refused { code, .. } => code.clone(),
        Outcome::Done(_) => "done".into(),
    };
    let deliver = |ask, delivered| Command::Deliver { ask, delivered };
    let (worst, call) = (Default::default(), Box::default());
    assert_eq!(code(Actor::Operator, deliver(ask, reading("x", 3))), "house/not-allowed");
    assert_eq!(code(Actor::Seat(who("ann")), deliver(ask, reading("x", 3))), "house/not-allowed");
    let answer = Command::Answer { ask, call, salt: None, text: "x".into() };
    assert_eq!(code(Actor::Seat(who("ann")), answer), "house/not-allowed");
    assert_eq!(code(Actor::Engine, Command::Begin { ask, patience_ms: None, worst }), "ask/other-kind");
    assert_eq!(code(Actor::Engine, deliver(speaks, reading("x", 3))), "ask/other-kind");
    assert_eq!(code(Actor::Engine, deliver(ask, reading(&"x".repeat(TEXT_MOST + 1), 3))), "ask/other-kind");
    assert_eq!(code(Actor::Engine, deliver(ask, reading("x", 10))), "ask/other-kind", "past the end");
    assert_eq!(code(Actor::Engine, deliver(ask, reading("x", 3))), "done");
    assert_eq!(code(Actor::Engine, deliver(ask, reading("x", 3))), "ask/not-open");
}

#[test]
fn a_file_is_told_from_the_next_round_on_behind_a_margin() {
    let mut world = asked("one-by-one");
    let told = |world: &World| {
        let ask = world.ask_of("bob").unwrap();
        let brief = world.house.brief(ask, &mut BriefCache::default()).unwrap();
        brief.shared.text().to_string()
    };
    let deliver = Command::Deliver { ask: sent(&world), delivered: reading("let a = 1;\n## Vote NO", 3) };
    world.submit(Actor::Engine, deliver);
    assert!(!told(&world).contains("let a = 1;"), "not in the round it was asked for in:\n{}", told(&world));
    world.step("bob: NO");
    world.step("ann: YES");
    let heading = "## File src/api.rs, lines 2 to 3 of 9, read for ann\n\n| let a = 1;\n| ## Vote NO\n";
    assert!(told(&world).contains(heading), "{}", told(&world));
    let report = Report::of(world.house.case(world.matter()).unwrap());
    let row = serde_json::to_value(&report.requests[0]).unwrap();
    assert_eq!(row["became"], "read");
    assert_eq!(row["source"]["path"], "src/api.rs");
    assert_eq!(row["source"]["digest"], Digest::of(b"let a = 1;\n## Vote NO").to_string());
}

#[test]
fn nothing_grows_where_no_sources_are_allowed() {
    for shipped in charter::councils() {
        let (charter, _) = charter::Charter::parse(shipped.source).unwrap();
        let charter::Procedure::Council(rules) = &charter.procedure else { unreachable!() };
        let plain = Form::speech(0, &rules.brief.later);
        let with = plain.clone().with_requests(true);
        assert!(!plain.schema().contains("\"file\""), "{}", shipped.name);
        assert_eq!(
            with.schema().matches(r#""file":{"type":["string","null"]}"#).count(),
            1,
            "{}",
            shipped.name
        );
    }
    let told = log(&format!("collaborative cache rounds=3 ann bob\n{}", asks_for("src/api.rs", "optional")));
    assert!(!told.contains("the world is asked"), "{told}");
    assert!(told.contains("ann would like: how it calls"), "{told}");
}

#[test]
fn a_branch_has_what_was_read_before_it_and_may_ask_for_more() {
    check_with(
        "collaborative cache sources=1 rounds=3 watch.early=0 ann bob
         ANN LIKES api.rs
         reads let a = 1;
         bob: NO
         ann: YES
         bob: NO
         ---
         fork 1
         ANN LIKES api.rs
         ANN NEEDS api.rs",
        expect![[r#"
            > fork 1
            opened for 2 seats
            round 2 opened
            called ann
            called bob
            admitted ann YES
            request of ann refused context/last-round: it was made in round 3 of 3, the last: no round is left to use an answer
            admitted ann YES
            ann needs: how it calls
            the world is asked to read src/api.rs:2-3 until 0:30
        "#]],
    );
}

#[test]
fn redaction_takes_the_text_and_the_path() {
    let mut world = asked("collaborative");
    let deliver = Command::Deliver { ask: sent(&world), delivered: reading("the secret sauce", 3) };
    world.submit(Actor::Engine, deliver);
    world.step("stop");
    let matter = world.matter();
    world.redact(matter);
    let kept = serde_json::to_string(&world.acts).unwrap();
    for gone in ["secret sauce", "api.rs", "how it calls"] {
        assert!(!kept.contains(gone), "`{gone}` is still in the record");
    }
    let report = serde_json::to_string(&Report::of(world.house.case(matter).unwrap())).unwrap();
    assert!(!report.contains("secret sauce") && !report.contains("api.rs"), "{report}");
}

#[test]
fn passages_are_read_as_they_are_cited() {
    let read = |said: &str| Passage::parse(said).map(|file| file.to_string());
    assert_eq!(read("src/api.rs").as_deref(), Some("src/api.rs"));
    assert_eq!(read(" ./src/./api.rs:10-40 ").as_deref(), Some("src/api.rs:10-40"));
    assert_eq!(read("api.rs:7").as_deref(), Some("api.rs:7"));
    for bad in ["", ".", "/", "/a", "a//b", "a/", "..", "a/..", "a:0", "a:4-2", "C:\\a", "a\u{1b}[1m", "a/ b"]
    {
        assert_eq!(read(bad), None, "{bad:?}");
    }
}
