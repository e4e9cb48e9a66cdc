//! A stand-in that does not reason, so that everything can be tried without a key.
//!
//! What it says is a function of seat, topic, task and round, and every field of it says that no
//! reasoning took place. A seat is dealt a side by the digest of its name and the topic; after the first
//! speeches some seats go over to the side that the topic itself was dealt, so that demonstrations show
//! votes that are split and votes that settle. It never reads the brief beyond the form.

use serde_json::{Map, Number, Value};
use synod_core::brief::{self, Brief, Field};
use synod_core::kernel::{Choice, Digest, Hasher};

use crate::mind::{
    Answering, AskContext, CallFailure, Face, Mind, MindKind, MindTask, NOTHING_USED, Pass, Reply,
};

/// A seat that only rehearses.
#[derive(Debug)]
pub struct Rehearsal {
    face: Face,
}

impl Default for Rehearsal {
    fn default() -> Self {
        let (kind, spec) = (MindKind::Rehearsal, "rehearsal".to_string());
        Self {
            face: Face {
                kind,
                spec,
                model: None,
                provider: None,
                reaches: None,
                price: None,
                metered: false,
                output_most: 0,
                window: None,
            },
        }
    }
}

impl Rehearsal {
    fn answer(question: &AskContext, brief: &Brief) -> Reply {
        let dealt = Dealt::to(question);
        let word = brief.form.fields.iter().find_map(|field| match &field.kind {
            brief::ValueKind::Choice(words)
            | brief::ValueKind::Ranking(words)
            | brief::ValueKind::Approval(words)
            | brief::ValueKind::Scores(words) => dealt.choose(words, question.options),
            brief::ValueKind::Text
            | brief::ValueKind::List
            | brief::ValueKind::Confidence
            | brief::ValueKind::Number(_)
            | brief::ValueKind::Groups(_)
            | brief::ValueKind::Citations
            | brief::ValueKind::Requests { .. } => None,
        });
        let fields =
            brief.form.fields.iter().map(|field| (field.key.clone(), fill(field, &dealt, word, question)));
        let text = Value::Object(fields.collect::<Map<_, _>>()).to_string();
        Reply { text, model: None, usage: NOTHING_USED, retries: Vec::new() }
    }
}

fn fill(field: &Field, dealt: &Dealt, word: Option<&str>, question: &AskContext) -> Value {
    let seat = &question.seat;
    let side = word.map_or(String::new(), |word| format!("; {seat} was dealt {word}"));
    match &field.kind {
        // It names nobody to vote for it.
        brief::ValueKind::Text if field.key == brief::DELEGATE => Value::String(String::new()),
        // Chance holds no view, so nothing could change it.
        brief::ValueKind::Text if field.key == synod_core::kernel::CHANGE_IF => Value::String(String::new()),
        // Few enough that some seats are dealt the same, and more than one is left to rank.
        brief::ValueKind::Text if field.key == brief::ANSWER => {
            format!("[rehearsal] placeholder answer {}", 1 + dealt.side % 3).into()
        }
        // Long and varied enough for the rules of issues, else a rehearsal would only show refusals. It comments once.
        brief::ValueKind::Text if field.key == brief::COMMENT => match question.round {
            0..=6 => format!(
                "[rehearsal] No reasoning took place{side}. This placeholder stands where a model would name the files and lines it \
                 read, say what they show, weigh what speaks against its view, and end with one concrete next step."
            )
            .into(),
            _ => Value::String(String::new()),
        },
        brief::ValueKind::Text => format!("[rehearsal] No reasoning took place{side}.").into(),
        // Nothing that a result depends on is dealt.
        brief::ValueKind::List if field.key == synod_core::kernel::CONDITIONS => Value::Array(Vec::new()),
        brief::ValueKind::List => vec![format!("[rehearsal] No reasoning took place for {seat}.")].into(),
        // How far others agree cannot be dealt: a number nobody arrived at is none.
        brief::ValueKind::Confidence if question.task == MindTask::Judge => Value::Null,
        brief::ValueKind::Confidence => {
            Number::from_f64(f64::from(dealt.confidence) / 100.0).map_or(Value::Null, Value::Number)
        }
        // A rehearsal is there to be seen: without a second there would be nothing to see.
        brief::ValueKind::Choice(_) if field.key == brief::SECONDS => "YES".into(),
        brief::ValueKind::Choice(words) => dealt.choose(words, question.options).unwrap_or("").into(),
        brief::ValueKind::Ranking(words) => dealt.order(words, question.options).into(),
        brief::ValueKind::Approval(words) => {
            let order = dealt.order(words, question.options);
            order[..order.len().div_ceil(2)].to_vec().into()
        }
        brief::ValueKind::Scores(words) => {
            let order = dealt.order(words, question.options);
            let score = |(place, word): (usize, &String)| {
                (word.clone(), Value::from(10usize.saturating_sub(3 * place)))
            };
            Value::Object(order.iter().enumerate().map(score).collect())
        }
        brief::ValueKind::Number(_) => {
            let best = 10 + i64::from(dealt.side % 10);
            Value::from(match field.key.as_str() {
                brief::LOW => best - 5,
                brief::HIGH => best + 5,
                _ => best,
            })
        }
        // Nobody read them, so nobody can say that two of them mean the same.
        brief::ValueKind::Groups(_) => Value::Array(Vec::new()),
        // A rehearsal has read nothing and needs nothing.
        brief::ValueKind::Citations | brief::ValueKind::Requests { .. } => Value::Array(Vec::new()),
    }
}

/// What chance gave to a seat.
struct Dealt {
    /// The side its part has to take.
    part: Option<Choice>,
    side: u8,
    /// In hundredths.
    confidence: u8,
}

impl Dealt {
    fn to(question: &AskContext) -> Self {
        let topic = digest(&[&question.topic]).0;
        let own = digest(&[question.seat.as_str(), &question.topic]).0;
        // Rather less than half of the seats hold the topic's side from the start.
        let born_there = own[0] < 105;
        let side = if born_there || Self::has_moved(&own, question) { topic[0] } else { own[1] };
        let part = question.side.filter(|_| question.task == MindTask::Speak);
        Self { part, side, confidence: 55 + own[2] % 36 }
    }

    /// Three seats in ten move when the first round is voted on, two more with the second.
    fn has_moved(own: &[u8; 32], question: &AskContext) -> bool {
        let voting = match question.task {
            MindTask::Speak
            | MindTask::Judge
            | MindTask::Digest
            | MindTask::Perspectives
            | MindTask::Synthesise => 0,
            MindTask::Compare | MindTask::Second => 0,
            MindTask::Vote => 1,
        };
        let votes_begun = question.round.saturating_sub(1) + voting;
        match own[3] {
            0..77 => votes_begun >= 1,
            77..128 => votes_begun >= 2,
            128.. => false,
        }
    }

    /// A word of those on offer: the side of its part, one of the options, or a side that is not abstaining.
    fn choose<'a>(&self, words: &'a [String], options: u8) -> Option<&'a str> {
        if let Some(side) = self.part {
            return words.iter().find(|word| **word == side.to_string()).map(String::as_str);
        }
        let takes_a_side = |word: &&String| !matches!(word.to_lowercase().as_str(), "neutral" | "abstain");
        let sides = if options > 0 { &words[..words.len().min(usize::from(options))] } else { words };
        let sides: Vec<&String> = sides.iter().filter(takes_a_side).collect();
        match sides.len() {
            0 => words.first().map(String::as_str),
            count => sides.get(usize::from(self.side) % count).map(|word| word.as_str()),
        }
    }
}

impl Dealt {
    /// All words, the chosen one first, the others as they follow it round.
    fn order(&self, words: &[String], options: u8) -> Vec<String> {
        let first = self.choose(words, options);
        let at = words.iter().position(|word| Some(word.as_str()) == first).unwrap_or(0);
        words[at..].iter().chain(&words[..at]).cloned().collect()
    }
}

fn digest(parts: &[&str]) -> Digest {
    let mut hasher = Hasher::default();
    for part in parts {
        hasher.update(&(part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finish()
}

impl Mind for Rehearsal {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, _pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(async move { Ok(Self::answer(question, brief)) })
    }

    fn at_once(&self, question: &AskContext, brief: &Brief) -> Option<Result<Reply, CallFailure>> {
        Some(Ok(Self::answer(question, brief)))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}
