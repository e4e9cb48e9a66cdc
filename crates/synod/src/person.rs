//! A person at this terminal.

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
        };
        Self { face, terminal: Arc::default() }
    }
}

impl Mind for Person {
    fn ask<'a>(&'a self, question: &'a Question, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move {
            let failed = |cause| Failure { cause, usage: Usage::default(), retries: Vec::new() };
            let free = Estimate { tokens_in: 0, tokens_out_most: 0, cost_most: Some(Default::default()) };
            pass.begin(free).await.map_err(failed)?;
            let terminal = self.terminal.clone();
            let (seat, shared, form) = (question.seat.to_string(), brief.shared.text().to_string(), brief.form.clone());
            let topic = question.topic.clone();
            // Reading a terminal cannot be called off; a late line is refused by the house.
            let asked = tokio::task::spawn_blocking(move || {
                let _turn = terminal.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                dialogue(&seat, &topic, &shared, &form.fields)
            });
            match asked.await {
                Ok(Ok(answer)) => {
                    let usage = Usage { cost: Some(Default::default()), ..Usage::default() };
                    Ok(Reply { text: answer.to_string(), model: None, usage, retries: Vec::new() })
                }
                Ok(Err(error)) => Err(failed(Cause::lasting("mind/terminal-closed", format!("the terminal was closed: {error}")))),
                Err(_) => Err(failed(Cause::passing("mind/terminal-closed", "asking on the terminal ended early"))),
            }
        })
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

fn dialogue(seat: &str, topic: &str, shared: &str, fields: &[Field]) -> std::io::Result<Value> {
    let mut out = std::io::stderr().lock();
    writeln!(out, "\n── {seat}, it is your turn ──\n{}\n{}", clean(topic), clean(shared.trim_end()))?;
    let mut answer = Map::new();
    for field in fields {
        let hint = match &field.kind {
            FieldKind::Choice(words) => format!(" [{}]", words.join("/")),
            FieldKind::Confidence => " [0 to 1]".into(),
            FieldKind::List => " [separate with ;]".into(),
            FieldKind::Text => String::new(),
        };
        write!(out, "{}{hint}\n  {}\n> ", field.key.replace('_', " "), field.ask)?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        let line = line.trim();
        let value = match &field.kind {
            FieldKind::List => json!(line.split(';').map(str::trim).filter(|point| !point.is_empty()).collect::<Vec<_>>()),
            FieldKind::Text | FieldKind::Choice(_) | FieldKind::Confidence => json!(line),
        };
        answer.insert(field.key.clone(), value);
    }
    Ok(Value::Object(answer))
}
