//! Scripts: which block answers what, whatever was asked before.

use std::time::{Duration, Instant};

use crate::{Gate, brief, question, seat};
use synod_minds::{AskContext, Mind, MindTask, Script, Scripted};

const SCRIPT: &str = "\
@speak 1
first try
---
@speak 1
second try
---
@speak 2
@seat bob
bob, round 2
---
@speak
some speech
---
@speak
a later speech
---
@vote 2
@topic GraphQL
@fail backend/time-out: it slept
---

@vote
{\"vote\": \"YES\"}
@not a head: only lines on top are
";

fn scripted(text: &str) -> Scripted {
    Scripted::new("script:x".into(), Script::parse("x", text).unwrap())
}

fn said(mind: &Scripted, question: &AskContext) -> String {
    match mind.at_once(question, &brief()).expect("at once") {
        Ok(reply) => reply.text,
        Err(failure) => failure.cause.code,
    }
}

#[test]
fn the_question_alone_decides() {
    let mind = scripted(SCRIPT);
    let bob = AskContext { seat: seat("bob"), ..question(MindTask::Speak, 2, 1) };
    let elsewhere = AskContext { topic: "tabs or spaces".into(), ..question(MindTask::Vote, 2, 1) };
    let vote = "{\"vote\": \"YES\"}\n@not a head: only lines on top are";
    let table = [
        (question(MindTask::Speak, 1, 1), "first try"),
        (question(MindTask::Speak, 1, 2), "second try"),
        (question(MindTask::Speak, 1, 3), "backend/script-exhausted"),
        (bob.clone(), "bob, round 2"),
        (AskContext { attempt: 2, ..bob }, "backend/script-exhausted"),
        (question(MindTask::Speak, 2, 1), "a later speech"),
        (question(MindTask::Speak, 9, 4), "a later speech"),
        (question(MindTask::Vote, 2, 1), "backend/time-out"),
        (elsewhere, vote),
        (question(MindTask::Vote, 1, 7), vote),
    ];
    for _ in 0..2 {
        for (question, expected) in table.iter().rev() {
            assert_eq!(said(&mind, question), *expected, "{question:?}");
        }
    }
}

#[test]
fn a_block_without_a_task_answers_anything() {
    let mind = scripted("one\n---\n@any\ntwo\n---\n\n");
    assert_eq!(said(&mind, &question(MindTask::Speak, 1, 1)), "one");
    assert_eq!(said(&mind, &question(MindTask::Vote, 2, 1)), "two");
    assert_eq!(said(&mind, &question(MindTask::Vote, 5, 1)), "two");
    let mind = scripted("@vote\nyes");
    let failure = mind.at_once(&question(MindTask::Speak, 1, 1), &brief()).unwrap().unwrap_err();
    assert_eq!(failure.cause.detail, "script:x has no answer for ann to speak in round 1, attempt 1");
    assert!(failure.cause.lasting);
}

#[tokio::test]
async fn a_delay_must_be_awaited() {
    let mind = scripted("@delay 30ms\nlate");
    let asked = question(MindTask::Speak, 1, 1);
    assert!(mind.at_once(&asked, &brief()).is_none());
    let start = Instant::now();
    let gate = Gate::of(0);
    let reply = mind.ask(&asked, &brief(), &gate).await.unwrap();
    assert_eq!((reply.text.as_str(), gate.calls()), ("late", 0), "a script needs no leave");
    assert!(start.elapsed() >= Duration::from_millis(30));
}

#[test]
fn flaws_have_lines() {
    let flaws =
        Script::parse("play.txt", "@speak one\nhi\n---\n@speek\n@delay soon\nhi\n---\n@vote\n").unwrap_err();
    let told: Vec<String> = flaws.iter().map(ToString::to_string).collect();
    expect_test::expect![[r#"
        play.txt:1: `one` is not a round: write `@speak 1`
        play.txt:4: `@speek` is not known: write @speak, @vote, @judge, @digest, @perspectives, @synthesize, @compare or @any with a round or without, @seat NAME, @topic WORDS, @delay MS or @fail CODE: DETAIL
        play.txt:5: write a delay as `@delay 50`, in ms
        play.txt:8: this block has no answer: write it below, or `@fail CODE: DETAIL`"#]]
    .assert_eq(&told.join("\n"));
    assert!(Script::parse("empty", "\n---\n").is_err());
}
