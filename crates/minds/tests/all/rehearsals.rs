//! Rehearsals: the same every time, in the form that was asked for, and labelled all over.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::{brief, question, seat};
use serde_json::Value;
use synod_core::brief::ValueKind;
use synod_minds::{AskContext, Mind, MindTask, Rehearsal};

fn answer(question: &AskContext) -> Value {
    let reply = Rehearsal::default().at_once(question, &brief()).unwrap().unwrap();
    serde_json::from_str(&reply.text).unwrap()
}

fn vote(seat_name: &str, topic: &str, task: MindTask, round: u32) -> String {
    let asked = AskContext { seat: seat(seat_name), topic: topic.into(), ..question(task, round, 1) };
    answer(&asked)["vote"].as_str().unwrap().to_string()
}

#[test]
fn it_fills_the_form_and_says_what_it_is() {
    let answer = answer(&question(MindTask::Speak, 1, 1));
    assert_eq!(answer.as_object().unwrap().len(), 4);
    for field in &brief().form.fields {
        let value = &answer[&field.key];
        match &field.kind {
            ValueKind::Text => assert!(value.as_str().unwrap().contains("No reasoning took place")),
            ValueKind::List => assert!(value[0].as_str().unwrap().starts_with("[rehearsal] No reasoning")),
            ValueKind::Confidence => assert!((0.0..=1.0).contains(&value.as_f64().unwrap())),
            ValueKind::Choice(words) => assert!(words.iter().any(|word| value == word.as_str())),
            ValueKind::Ranking(_)
            | ValueKind::Approval(_)
            | ValueKind::Scores(_)
            | ValueKind::Number(_)
            | ValueKind::Groups(_) => {
                panic!("{value} where a speech was asked for")
            }
            ValueKind::Citations | ValueKind::Requests { .. } => {
                assert_eq!(value.as_array().unwrap().len(), 0)
            }
        }
    }
}

#[test]
fn it_marks_ballots_of_every_kind_so_that_they_can_be_read() {
    use synod_core::brief::{FieldValue, Form, Marking, VoteForm};
    let options = ["REST", "GraphQL", "gRPC", "files"].map(String::from);
    for marking in [Marking::Ranking, Marking::Approval, Marking::Scores] {
        let form = Form::vote(options.len(), VoteForm { marking, delegation: true, ..VoteForm::default() });
        let mut told = brief();
        told.form = Arc::new(form.clone());
        let asked = AskContext { options: 4, ..question(MindTask::Vote, 1, 1) };
        let said = Rehearsal::default().at_once(&asked, &told).unwrap().unwrap().text;
        let read = form.read(&said, &options);
        assert!(matches!(read.fields.get("vote"), Some(FieldValue::Marks(_))), "{said}");
        assert!(!read.fields.contains_key("delegate"), "nobody is named: {said}");
        assert!(!read.fields.contains_key("change_if"), "nothing could change it: {said}");
        assert!(read.repairs.is_empty(), "{said}: {:?}", read.repairs);
    }
}

#[test]
fn it_proposes_compares_and_estimates_so_that_it_can_be_read() {
    use synod_core::brief::{ANSWER, BEST, FieldValue, Form, HIGH, LOW, SAME};
    let said = |form: &Form, task| {
        let mut told = brief();
        told.form = Arc::new(form.clone());
        let text = Rehearsal::default().at_once(&question(task, 1, 1), &told).unwrap().unwrap().text;
        let read = form.read(&text, &[]);
        assert!(read.repairs.is_empty(), "{text}: {:?}", read.repairs);
        read.fields
    };
    let proposed = said(&Form::proposal(&[]), MindTask::Speak);
    assert!(
        matches!(&proposed[ANSWER], FieldValue::Text(text) if text.starts_with("[rehearsal]")),
        "{proposed:?}"
    );
    let given = said(&Form::estimate(&[], "days"), MindTask::Speak);
    let number = |key: &str| given[key].clone().number().unwrap();
    assert!(number(LOW) < number(BEST) && number(BEST) < number(HIGH));
    assert_eq!(said(&Form::comparison(3), MindTask::Compare)[SAME], FieldValue::Groups(Vec::new()));
}

#[test]
fn it_plays_its_part_and_judges_nothing() {
    let side = Some(synod_core::kernel::Choice::Neutral);
    let asked = AskContext { side, ..question(MindTask::Speak, 1, 1) };
    let mut told = brief();
    let form = Arc::make_mut(&mut told.form);
    form.fields[0].kind = ValueKind::Choice(["YES", "NO", "NEUTRAL"].map(String::from).to_vec());
    let said = Rehearsal::default().at_once(&asked, &told).unwrap().unwrap().text;
    let key = &told.form.fields[0].key;
    assert_eq!(serde_json::from_str::<serde_json::Value>(&said).unwrap()[key], "NEUTRAL");
    let judged = answer(&question(MindTask::Judge, 1, 1));
    let sure =
        brief().form.fields.iter().find(|field| field.kind == ValueKind::Confidence).unwrap().key.clone();
    assert!(judged[&sure].is_null(), "nobody weighed anything: {judged}");
}

#[test]
fn it_is_the_same_every_time() {
    for round in 1..4 {
        for task in [MindTask::Speak, MindTask::Vote] {
            assert_eq!(answer(&question(task, round, 1)), answer(&question(task, round, 2)));
        }
    }
}

#[test]
fn options_are_chosen_among() {
    let mut asked_with = brief();
    let form = Arc::make_mut(&mut asked_with.form);
    form.fields[0].kind = ValueKind::Choice(["A", "B", "C", "NO", "NEUTRAL"].map(String::from).to_vec());
    let chosen: BTreeSet<String> = (0..60)
        .map(|n| {
            let asked =
                AskContext { seat: seat(&format!("s{n}")), options: 3, ..question(MindTask::Vote, 1, 1) };
            let reply = Rehearsal::default().at_once(&asked, &asked_with).unwrap().unwrap();
            serde_json::from_str::<Value>(&reply.text).unwrap()["vote"].as_str().unwrap().to_string()
        })
        .collect();
    assert_eq!(chosen.into_iter().collect::<Vec<_>>(), ["A", "B", "C"]);
}

#[test]
fn some_move_and_votes_split_and_settle() {
    let seats = ["ann", "bob", "cleo", "dora", "emil"];
    let (mut moved, mut settled, mut split) = (0, 0, 0);
    for topic in (0..100).map(|n| format!("topic {n}")) {
        let before: Vec<String> = seats.map(|seat| vote(seat, &topic, MindTask::Speak, 1)).to_vec();
        let after: Vec<String> = seats.map(|seat| vote(seat, &topic, MindTask::Vote, 1)).to_vec();
        let next: Vec<String> = seats.map(|seat| vote(seat, &topic, MindTask::Speak, 2)).to_vec();
        assert_eq!(after, next, "nobody goes back");
        moved += before.iter().zip(&after).filter(|(a, b)| a != b).count();
        match after.iter().filter(|vote| **vote == after[0]).count() {
            0 | 1 | 4 | 5 => settled += 1, // at least four of five agree
            _ => split += 1,
        }
    }
    assert!((10..150).contains(&moved), "a minority of 500: {moved}");
    assert!(settled >= 20 && split >= 20, "{settled} settled, {split} split");
}
