//! Reading answers: what models write when they mean JSON, and what must never be guessed.

mod labelled;

use synod_core::brief::{FieldValue, Form, Section};
use synod_core::kernel::{Choice, How, Permille};

fn speech(answer: &str) -> (How, Option<Choice>, Option<u16>, Option<String>, Vec<String>) {
    let section = |key: &str| Section { key: key.into(), ask: "x".into(), optional: false };
    let read = Form::speech(0, &[section("position"), section("reasoning"), section("key_points")])
        .read(answer, &[]);
    let stance = match read.fields.get("stance") {
        Some(FieldValue::Choice(choice)) => Some(*choice),
        _ => None,
    };
    let confidence = match read.fields.get("confidence") {
        Some(FieldValue::Confidence(confidence)) => Some(confidence.get()),
        _ => None,
    };
    let position = match read.fields.get("position") {
        Some(FieldValue::Text(text)) => Some(text.clone()),
        _ => None,
    };
    (read.how, stance, confidence, position, read.repairs.into_iter().map(|repair| repair.code).collect())
}

fn vote(answer: &str, options: &[&str]) -> Option<Choice> {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    match Form::vote(options.len(), Default::default()).read(answer, &options).fields.get("vote") {
        Some(FieldValue::Choice(choice)) => Some(*choice),
        _ => None,
    }
}

#[test]
fn json_in_every_wrapping_models_use() {
    let plain = r#"{"stance":"YES","position":"p","confidence":0.85}"#;
    assert_eq!(speech(plain), (How::Json, Some(Choice::Yes), Some(850), Some("p".into()), vec![]));
    for wrapped in [
        format!("```json\n{plain}\n```"),
        format!("Sure! Here is my answer:\n{plain}\nHope {{that}} helps."),
        format!("```json\n{plain}"),
        format!("{{not json}} {plain}"),
    ] {
        let (how, stance, confidence, position, repairs) = speech(&wrapped);
        assert_eq!((how, stance, confidence), (How::Fenced, Some(Choice::Yes), Some(850)), "{wrapped}");
        assert_eq!((position.as_deref(), repairs), (Some("p"), vec!["fenced".to_string()]), "{wrapped}");
    }
    assert_eq!(speech(&format!("\u{feff}{plain}")).0, How::Json, "a byte-order mark is nothing");
}

#[test]
fn broken_json_is_mended_and_every_repair_is_said() {
    for (broken, code) in [
        (r#"{"stance":"NO","position":"p","confidence":0.5,}"#, "trailing-comma"),
        (r#"{"stance":"NO","position":"p","confidence":0.5"#, "unclosed"),
        (r#"{'stance':'NO','position':'p','confidence':0.5}"#, "odd-quotes"),
        (r#"{stance:"NO",position:"p",confidence:0.5}"#, "unquoted-key"),
        ("{\"stance\":\"NO\",\"position\":\"p\" \"confidence\":0.5}", "missing-comma"),
        ("{\"stance\":\"NO\", // sure\n\"position\":\"p\",\"confidence\":0.5}", "comment"),
        ("{\"stance\":NO,\"position\":\"p\",\"confidence\":0.5}", "unquoted-text"),
    ] {
        let (how, stance, confidence, position, repairs) = speech(broken);
        assert_eq!((how, stance, confidence), (How::Repaired, Some(Choice::No), Some(500)), "{broken}");
        assert_eq!(position.as_deref(), Some("p"), "{broken}");
        assert!(repairs.iter().any(|repair| repair == code), "{broken}: {repairs:?}");
    }
    let (_, _, _, position, repairs) =
        speech("{\"stance\":\"NO\",\"position\":\"he said \"no\" twice\nand left\"}");
    assert_eq!(position.as_deref(), Some("he said \"no\" twice\nand left"));
    assert!(
        repairs.contains(&"bare-quote".to_string()) && repairs.contains(&"bare-line-break".to_string()),
        "{repairs:?}"
    );
}

#[test]
fn sections_are_read_when_there_is_no_json() {
    let answer = "## Stance\nNO\n\n**Position:** keep it\n[REASONING]\nbecause\nof this\nConfidence: 70%\n- Key points:\n- one\n- two";
    let (how, stance, confidence, position, repairs) = speech(answer);
    assert_eq!((how, stance, confidence), (How::Sections, Some(Choice::No), Some(700)));
    assert_eq!(position.as_deref(), Some("keep it"));
    assert_eq!(repairs, ["sections", "confidence-percent"]);
}

#[test]
fn what_cannot_be_read_is_unknown() {
    let (how, stance, confidence, position, repairs) = speech("I like turtles.");
    assert_eq!((how, stance, confidence, position), (How::Text, None, None, None));
    assert_eq!(repairs, ["text"]);
    assert_eq!(speech(r#"{"stance":"FORMAL OBJECTION"}"#).1, None);
    assert_eq!(speech(r#"{"stance":"YES","confidence":null}"#).2, None);
}

#[test]
fn confidence_is_clamped_or_refused_in_the_open() {
    for (written, read, code) in [
        ("1.5", Some(1000), Some("confidence-clamped")),
        ("-0.5", Some(0), Some("confidence-clamped")),
        ("85", Some(850), Some("confidence-percent")),
        ("\"85%\"", Some(850), Some("confidence-percent")),
        ("\"0.85\"", Some(850), None),
        ("1", Some(1000), None),
        ("0.8505", Some(850), None),
        ("5", None, Some("confidence-unreadable")),
        ("850", None, Some("confidence-unreadable")),
        ("\"high\"", None, Some("confidence-unreadable")),
        ("1e400", None, None),
        ("1e-9", Some(0), None),
    ] {
        let (_, _, confidence, _, repairs) = speech(&format!(r#"{{"stance":"YES","confidence":{written}}}"#));
        assert_eq!(confidence, read, "{written}: {repairs:?}");
        if let Some(code) = code {
            assert!(repairs.iter().any(|repair| repair == code), "{written}: {repairs:?}");
        }
    }
    assert!(Permille::new(1001).is_none());
}

#[test]
fn votes_survive_what_models_write() {
    for (answer, expected) in [
        (r#"{"vote":"NO","reason":"r"}"#, Some(Choice::No)),
        ("{\"vote\":\"AYE\"} And {here} is more prose.", Some(Choice::Yes)),
        ("**I VOTE NAY.**", Some(Choice::No)),
        ("My vote is yes, with concerns.", Some(Choice::Yes)),
        ("I vote against.", Some(Choice::No)),
        ("ABSTAIN", Some(Choice::Neutral)),
        ("I do not vote yes.", None),
        ("I vote yes. On reflection I vote no.", None),
        ("STANCE: FORMAL OBJECTION", None),
        ("yesterday was fine", None),
        ("", None),
        (r#"{"vote":"maybe"}"#, None),
        (r#"{"vote":"I vote YES"}"#, Some(Choice::Yes)),
        (r#"{"vote":"NO, because it is rash"}"#, Some(Choice::No)),
        ("So I vote no, for the reasons above.", Some(Choice::No)),
        ("Vote: NO\nReason: too early", Some(Choice::No)),
        // What only looks like a vote is none; the seat is asked again.
        ("Vote: NO, because a vote for YES is rash", Some(Choice::No)),
        ("It was said: a vote for YES is rash. I vote NO.", None),
        ("I vote against YES.", None),
        ("I can’t vote YES on this.", None),
        ("I refuse to vote YES.", None),
        ("Those who vote YES ignore the cost. I oppose it.", None),
        ("I would vote yes if it were cheaper.", None),
        // Thinking aloud is no answer, and contradictions are none.
        ("<think>Perhaps {\"vote\":\"YES\"} but no.</think>\n{\"vote\":\"NO\"}", Some(Choice::No)),
        ("{\"vote\":\"NO\"} Correction: {\"vote\":\"YES\"}", None),
        (r#"{"vote":"YES","vote":"NO"}"#, None),
        (r#"{"vote":"YES","reason":"a"} {"vote":"YES","reason":"b"}"#, Some(Choice::Yes)),
    ] {
        assert_eq!(vote(answer, &[]), expected, "{answer}");
    }
    let options = ["Use SQLite", "Use PostgreSQL"];
    for (answer, expected) in [
        (r#"{"vote":"B"}"#, Some(Choice::Option(1))),
        (r#"{"vote":"option b"}"#, Some(Choice::Option(1))),
        (r#"{"vote":"A) Use SQLite"}"#, Some(Choice::Option(0))),
        (r#"{"vote":"use postgresql"}"#, Some(Choice::Option(1))),
        (r#"{"vote":"C"}"#, None),
        (r#"{"vote":"YES"}"#, None),
        (r#"{"vote":"NONE"}"#, Some(Choice::No)),
        ("I vote for option A.", Some(Choice::Option(0))),
        ("I would vote for a change", None),
        ("I vote against B.", None),
        ("I can’t vote for A, it is too risky.", None),
        ("Those who vote A ignore the cost.", None),
    ] {
        assert_eq!(vote(answer, &options), expected, "{answer}");
    }
}

#[test]
fn an_answer_after_a_long_sample_of_code_is_found() {
    let code = "fn main() { if x { y() } }\n".repeat(40);
    assert_eq!(vote(&format!("{code}\n{{\"vote\":\"NO\"}}"), &[]), Some(Choice::No));
}

#[test]
fn hostile_answers_cost_little_and_never_panic() {
    let deep = "{\"stance\":".repeat(50_000);
    let braces = "{".repeat(100_000);
    let lists = format!("{{\"position\":{}", "[".repeat(100_000));
    let quotes = "{\"position\":\"".to_string() + &"\\".repeat(99_999);
    for answer in [
        deep,
        braces,
        lists,
        quotes,
        "I vote no, but\n".repeat(10_000),
        "Vote: no, because\n".repeat(10_000),
        "Bob said:\nVote: no\n".repeat(10_000),
        "\u{0}\u{feff}{".into(),
        "{\"\\ud800\":\"\\u".into(),
        "{:}".into(),
        "{\"a\"".into(),
    ] {
        speech(&answer);
        vote(&answer, &["x"]);
    }
}
