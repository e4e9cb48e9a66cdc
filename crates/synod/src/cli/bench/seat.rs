//! A seat of the benchmarks: answers at once in process, counts what it is told, and makes each answer only once, so
//! that what is measured is the engine and not the making of answers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use synod_core::brief::Brief;
use synod_core::kernel::Usage;
use synod_minds::{Answering, AskContext, CallFailure, Face, Mind, MindKind, MindTask, Pass, Reply};

use super::in_process::{STATEMENT, VOTE};
use super::phrases::SpokenLanguages;
use super::prose;

/// The name under which the engine knows the mind below.
pub(super) const SPEAKER: &str = "speaker";

/// The words that seats say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BenchWords {
    /// Something else by every seat in every round, in three scripts.
    Differing,
    /// The same by every seat in every round. Older builds were measured so.
    Equal,
}

/// See the module.
#[derive(Debug, Clone)]
pub(super) struct Speaker(Arc<BenchSeatState>);

#[derive(Debug)]
struct BenchSeatState {
    face: Face,
    words: BenchWords,
    calls: AtomicU64,
    bytes: AtomicU64,
    /// By seat, task and round.
    made: Mutex<BTreeMap<(String, u8, u32), String>>,
}

/// The face of a mind in this process that costs nothing.
pub(super) fn face(spec: &str) -> Face {
    let (kind, spec) = (MindKind::Scripted, spec.to_string());
    Face {
        kind,
        spec,
        model: None,
        provider: None,
        reaches: None,
        price: None,
        metered: false,
        output_most: 0,
        window: None,
    }
}

/// The place of a seat of the benchmarks, told from its name.
pub(super) fn place(question: &AskContext) -> usize {
    question.seat.as_str().rsplit('-').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl Speaker {
    pub(super) fn new(words: BenchWords) -> Self {
        let (calls, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(BenchSeatState { face: face(SPEAKER), words, calls, bytes, made: Mutex::default() }))
    }

    pub(super) fn mind(&self) -> Arc<dyn Mind> {
        self.0.clone()
    }

    pub(super) fn forget_counts(&self) {
        self.0.calls.store(0, Ordering::Relaxed);
        self.0.bytes.store(0, Ordering::Relaxed);
    }

    /// Calls and bytes told since counts were forgotten.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.0.calls.load(Ordering::Relaxed), self.0.bytes.load(Ordering::Relaxed))
    }
}

impl BenchSeatState {
    fn answer(&self, question: &AskContext, brief: &Brief) -> Reply {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(brief.len() as u64, Ordering::Relaxed);
        let text = match (self.words, question.task) {
            (BenchWords::Equal, MindTask::Speak) => STATEMENT.into(),
            (BenchWords::Equal, MindTask::Vote) => VOTE.into(),
            (_, MindTask::Second) => "{\"second\":\"YES\"}".into(),
            (BenchWords::Differing, MindTask::Speak) => self.made(0, question, brief),
            (BenchWords::Differing, MindTask::Vote) => self.made(1, question, brief),
            // No clerk sits in a benchmark.
            (
                _,
                MindTask::Judge
                | MindTask::Digest
                | MindTask::Perspectives
                | MindTask::Synthesise
                | MindTask::Compare,
            ) => "{}".into(),
        };
        Reply { text, model: None, usage: Usage::default(), retries: Vec::new() }
    }

    fn made(&self, task: u8, question: &AskContext, brief: &Brief) -> String {
        let key = (question.seat.as_str().to_string(), task, question.round);
        let make = || prose::answer(SpokenLanguages::Mixed, place(question), question, &brief.form);
        self.made.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert_with(make).clone()
    }
}

impl Mind for BenchSeatState {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, _pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move { Ok(self.answer(question, brief)) })
    }

    fn at_once(
        &self,
        question: &AskContext,
        brief: &Brief,
    ) -> Option<std::result::Result<Reply, CallFailure>> {
        Some(Ok(self.answer(question, brief)))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}
