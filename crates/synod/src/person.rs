//! A seat answered by a person at this terminal.

use std::io::{BufRead, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use synod_core::brief::{Brief, Field, Kind as FieldKind};
use synod_core::kernel::{Cause, Usage};
use synod_minds::{Answering, Estimate, Face, Failure, Kind, Mind, Pass, Question, Reply};

use crate::out::clean;

/// Asks on the terminal, one question at a time however many seats are people.
#[derive(Debug)]
pub(crate) struct Person {
    face: Face,
    terminal: Arc<Mutex<()>>,
}

impl Default for Person {
    fn default() -> Self {
        let face = Face {
            kind: Kind::Person,
            spec: "person".into(),
            model: None,
            provider: None,
            price: None,
            metered: false,
            output_most: 0,
            window: None,
        };
        Self { face, terminal: Arc::default() }
    }
}

impl Mind for Person {
    fn ask<'a>(&'a self, question: &'a Question, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move {
            let failed = |cause| Failure { cause, usage: Usage::default(), retries: Vec::new() };
            let free = Estimate { tokens_in: 0, tokens_out_most: 0, cost_most: Some(Default::default()) };
            // Somebody who thinks takes no place from those who are called.
            drop(pass.begin(free).await.map_err(failed)?);
            let terminal = self.terminal.clone();
            let (seat, form) = (question.seat.to_string(), brief.form.clone());
            let shown = format!(
                "{}\n{}",
                asked(brief.stable.text(), &question.topic),
                brief.shared.text().trim_end()
            );
            // Reading a terminal cannot be cancelled; the house refuses a late answer.
            let asked = tokio::task::spawn_blocking(move || {
                let _turn = terminal.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                dialogue(&seat, &shown, &form.fields)
            });
            match asked.await {
                Ok(Ok(answer)) => {
                    let usage = Usage { cost: Some(Default::default()), ..Usage::default() };
                    Ok(Reply { text: answer.to_string(), model: None, usage, retries: Vec::new() })
                }
                Ok(Err(error)) => Err(failed(Cause::lasting(
                    "mind/terminal-closed",
                    format!("the terminal was closed: {error}"),
                ))),
                Err(_) => {
                    Err(failed(Cause::passing("mind/terminal-closed", "asking on the terminal ended early")))
                }
            }
        })
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

/// The question with its options from the brief: a person needs to know what the letters stand for.
fn asked<'a>(stable: &'a str, topic: &'a str) -> &'a str {
    stable.rsplit_once("\n# Question\n\n").map_or(topic, |(_, question)| question.trim_end())
}

fn dialogue(seat: &str, shown: &str, fields: &[Field]) -> std::io::Result<Value> {
    say(&format!("\n── {seat}, it is your turn ──\n{}\n", clean(shown)))?;
    let mut answer = Map::new();
    for field in fields {
        let hint = match &field.kind {
            FieldKind::Choice(words) => format!(" [{}]", words.join("/")),
            FieldKind::Ranking(_) => " [B > A = C, NONE or ABSTAIN]".into(),
            FieldKind::Approval(_) => " [A, C, or NONE, or ABSTAIN]".into(),
            FieldKind::Scores(_) => " [A=7, B=0, or NONE, or ABSTAIN]".into(),
            FieldKind::Confidence => " [0 to 1]".into(),
            FieldKind::List | FieldKind::Citations => " [separate with ;]".into(),
            FieldKind::Requests { files: false } => {
                " [what? | why? | required or optional; separate with ;]".into()
            }
            FieldKind::Requests { files: true } => {
                " [what? | why? | required or optional | file, if any; separate with ;]".into()
            }
            FieldKind::Number(unit) => format!(" [number of {unit}]"),
            FieldKind::Groups(_) => " [A = C; B = D; an empty line if all differ]".into(),
            FieldKind::Text => String::new(),
        };
        say(&clean(&format!("{}{hint}\n  {}\n> ", field.key.replace('_', " "), field.ask)))?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        let line = line.trim();
        let value = match &field.kind {
            FieldKind::List | FieldKind::Citations => {
                json!(line.split(';').map(str::trim).filter(|point| !point.is_empty()).collect::<Vec<_>>())
            }
            FieldKind::Requests { .. } => requests(line),
            FieldKind::Text
            | FieldKind::Choice(_)
            | FieldKind::Ranking(_)
            | FieldKind::Approval(_)
            | FieldKind::Scores(_)
            | FieldKind::Number(_)
            | FieldKind::Groups(_)
            | FieldKind::Confidence => json!(line),
        };
        // An empty line leaves a field out. What is not said is unknown; it is not a value that could not be read.
        if !line.is_empty() {
            answer.insert(field.key.clone(), value);
        }
    }
    Ok(Value::Object(answer))
}

/// Questions to the operator, as a person writes them on one line.
fn requests(line: &str) -> Value {
    let asked = line.split(';').map(str::trim).filter(|request| !request.is_empty());
    let request = |written: &str| {
        let mut parts = written.split('|').map(str::trim);
        let mut next = || parts.next().unwrap_or_default().to_string();
        json!({ "query": next(), "reason": next(), "priority": next(), "file": next() })
    };
    asked.map(request).collect()
}

/// Writes to the terminal and releases it: while a person thinks, progress of the others is shown and Ctrl-C must work.
fn say(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stderr().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}
