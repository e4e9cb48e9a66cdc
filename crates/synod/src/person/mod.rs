//! A seat answered by a person at this terminal.

mod dialogue;
mod editor;
mod field;
mod input;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use synod_core::brief::Brief;
use synod_core::kernel::{Cause, Usage};
use synod_engine::now;
use synod_minds::{Answering, AskContext, CallEstimate, CallFailure, Face, Mind, MindKind, Pass, Reply};

use self::dialogue::Dialogue;
use self::input::Ended;
use crate::live;

/// What happened up to a person's turn is told before it begins, and not after it.
const SETTLE: Duration = Duration::from_millis(150);

/// Asks on the terminal, one question at a time however many seats are people.
#[derive(Debug)]
pub(crate) struct Person {
    face: Face,
    terminal: Arc<tokio::sync::Mutex<()>>,
}

impl Default for Person {
    fn default() -> Self {
        let face = Face {
            kind: MindKind::Person,
            spec: "person".into(),
            model: None,
            provider: None,
            reaches: None,
            price: None,
            metered: false,
            output_most: 0,
            window: None,
        };
        Self { face, terminal: Arc::default() }
    }
}

/// Ends the dialogue when the ask is given up: its time is over, or the matter rests.
struct GivesUp(Arc<AtomicBool>);

impl Drop for GivesUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Mind for Person {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move {
            let failed = |cause| CallFailure { cause, usage: Usage::default(), retries: Vec::new() };
            // Time runs from when they are asked, not while somebody else types.
            let turn = self.terminal.clone().lock_owned().await;
            let free = CallEstimate { tokens_in: 0, tokens_out_most: 0, cost_most: Some(Default::default()) };
            // Somebody who thinks takes no place from those who are called.
            drop(pass.begin(free).await.map_err(failed)?);
            let until = question.limit_ms.map(|ms| now().plus(ms));
            tokio::time::sleep(SETTLE).await;
            let over = Arc::new(AtomicBool::new(false));
            let _gives_up = GivesUp(over.clone());
            let dialogue = Dialogue::new(question, brief, until);
            let asked = tokio::task::spawn_blocking(move || {
                let _turn = turn;
                live::hold();
                let answer = dialogue.hold(&over);
                live::release(answer.is_err());
                answer
            });
            match asked.await {
                Ok(Ok(answer)) => {
                    let usage = Usage { cost: Some(Default::default()), ..Usage::default() };
                    Ok(Reply { text: answer.to_string(), model: None, usage, retries: Vec::new() })
                }
                Ok(Err(Ended::Closed(why))) => Err(failed(Cause::lasting(
                    "backend/terminal-closed",
                    format!("the terminal was closed: {why}"),
                ))),
                // This costs one turn. At the next one they are asked again.
                Ok(Err(Ended::EndOfInput)) => {
                    Err(failed(Cause::passing("backend/turn-ended", "ended the turn with Ctrl-D")))
                }
                Ok(Err(Ended::GivenUp)) | Err(_) => Err(failed(Cause::passing(
                    "backend/terminal-closed",
                    "asking on the terminal ended early",
                ))),
            }
        })
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

/// Has the person at the terminal write a text in their editor.
pub(crate) fn edited(text: &str, about: &str) -> crate::fail::Result<String> {
    let never = std::sync::atomic::AtomicBool::new(false);
    let failed = |wrong: String| crate::fail::Fail::new(crate::fail::code::IO, "editor/failed", wrong);
    editor::edit(text, about, &never).map_err(failed)
}
