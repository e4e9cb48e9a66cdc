//! What seats of the benchmarks say: prose of a fixed length that differs by seat and round, on two
//! sides, in whatever form is asked for. It never reads the brief beyond the form.

use serde_json::{Map, Value, json};
use synod_core::brief::{Form, ValueKind};
use synod_core::kernel::Choice;
use synod_minds::{AskContext, MindTask};

use super::phrases::{Phrases, SpokenLanguages};

/// Bytes of a statement: 127 tokens of English, the answer that other tools were measured with.
pub(super) const STATEMENT_BYTES: usize = 640;

/// Whatever is asked of the seat at a place counted from 0.
pub(super) fn answer(tongue: SpokenLanguages, place: usize, question: &AskContext, form: &Form) -> String {
    let choice = side(place, question);
    let voice = BenchSpeaker { place, round: question.round as usize, phrases: tongue.of(place) };
    match question.task {
        MindTask::Speak => statement(voice, choice, form),
        MindTask::Vote => json!({
            "vote": choice.ballot_word(usize::from(question.options)),
            "new_argument": "",
            "reason": voice.pick(voice.phrases.reasons, 9),
            "change_if": voice.pick(voice.phrases.asides, 10),
            "confidence": 0.7,
        })
        .to_string(),
        // No clerk sits in a benchmark.
        MindTask::Judge
        | MindTask::Digest
        | MindTask::Perspectives
        | MindTask::Synthesise
        | MindTask::Compare => "{}".into(),
        MindTask::Second => "{\"second\":\"YES\"}".into(),
    }
}

/// Its part's side where it has one; else two sides of the same size. Every eighth seat changes sides from
/// round to round, so that no round is still.
fn side(place: usize, question: &AskContext) -> Choice {
    let moved = if place % 8 == 2 { question.round as usize } else { 0 };
    let own = if (place + moved).is_multiple_of(2) { Choice::Yes } else { Choice::No };
    question.side.filter(|_| question.task == MindTask::Speak).unwrap_or(own)
}

fn statement(voice: BenchSpeaker, choice: Choice, form: &Form) -> String {
    let phrases = voice.phrases;
    let claims = match choice {
        Choice::Yes | Choice::Option(_) => phrases.carrying,
        Choice::No => phrases.rejecting,
        Choice::Neutral => phrases.weighing,
    };
    let mut said = Map::new();
    for (i, field) in form.fields.iter().enumerate() {
        let value = match (&field.kind, field.key.as_str()) {
            (ValueKind::Choice(_) | ValueKind::Ranking(_) | ValueKind::Approval(_), _) => {
                choice.to_string().into()
            }
            (ValueKind::Scores(_), _) => "NONE".into(),
            (ValueKind::Confidence, _) => json!(0.6 + (voice.number(i) % 30) as f64 / 100.0),
            (ValueKind::List, _) => json!([voice.pick(phrases.points, 1), voice.pick(phrases.points, 3)]),
            (ValueKind::Citations | ValueKind::Requests { .. } | ValueKind::Groups(_), _) => json!([]),
            (ValueKind::Number(_), _) => json!(10 + voice.number(i) % 10),
            (ValueKind::Text, "position") => voice.pick(claims, 2).into(),
            (ValueKind::Text, "reasoning") => "".into(),
            (ValueKind::Text, _) => voice.pick(phrases.asides, 4 + i).into(),
        };
        said.insert(field.key.clone(), value);
    }
    // The reasoning takes what the other fields leave.
    let room = STATEMENT_BYTES.saturating_sub(Value::Object(said.clone()).to_string().len());
    let mut reasoning = String::new();
    for nth in 0.. {
        if reasoning.len() >= room {
            break;
        }
        reasoning.push_str(&voice.pick(phrases.reasons, 5 + 4 * nth));
        reasoning.push(' ');
    }
    reasoning.truncate(reasoning.floor_char_boundary(room));
    said.insert("reasoning".into(), reasoning.trim_end().into());
    Value::Object(said).to_string()
}

/// The speaker and round, from which all chance here is made.
#[derive(Clone, Copy)]
struct BenchSpeaker {
    place: usize,
    round: usize,
    phrases: &'static Phrases,
}

impl BenchSpeaker {
    /// A number that looks arbitrary and is the same in every run.
    fn number(self, salt: usize) -> usize {
        let mut x = (self.place * 31 + self.round * 1009 + salt * 7919) as u64 + 1;
        for shift in [30, 27, 31] {
            x = (x ^ (x >> shift)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        (x >> 33) as usize
    }

    /// A sentence with a figure of this voice's own in it.
    fn pick(self, sentences: &[&str], salt: usize) -> String {
        let chosen = sentences[self.number(salt) % sentences.len()];
        chosen.replace('#', &(10 + self.number(salt + 100) % 990).to_string())
    }
}
