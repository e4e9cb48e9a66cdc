//! What seats of the history benchmark say: prose of a fixed length that differs by seat and round, on two
//! sides, in whatever form is asked for. It never reads the brief beyond the form.

use serde_json::{Map, Value, json};
use synod_core::brief::{Form, Kind};
use synod_core::kernel::Choice;
use synod_minds::{Question, Task};

/// Bytes of a statement: 127 tokens of English, the answer that other tools were measured with.
pub(super) const STATEMENT_BYTES: usize = 640;

const FOR: [&str; 4] = [
    "Cache the hot part of the index for # seconds and serve the rest from the store.",
    "A cache in front of search pays for itself once # queries a second repeat.",
    "Yes, within a limit of # megabytes and behind a switch that turns it off.",
    "Keep one cached copy per zone and let it expire after # seconds.",
];
const AGAINST: [&str; 4] = [
    "Leave the index uncached: # writes an hour make every copy wrong most of the day.",
    "No cache before the slow query number # is repaired, since it would only hide it.",
    "Buy memory for the store instead; # gigabytes hold the whole index.",
    "A stale price shown # times a day costs more than the milliseconds it saves.",
];
const WEIGHING: [&str; 4] = [
    "Both cases rest on how often the hot part changes, and # samples do not tell.",
    "The gain is real at # queries a second and gone below it.",
    "Neither side has said who is called at night when # copies disagree.",
    "What decides it is whether # seconds of staleness break a promise.",
];
const REASONS: [&str; 8] = [
    "Over the last # days reads outnumbered writes by two orders of magnitude, and most of them asked for the same few pages.",
    "The nightly import touches # thousand rows at once, so whatever is kept aside has to be thrown away then.",
    "In the trial of last spring the ninety-ninth percentile fell by # milliseconds and the median hardly moved.",
    "Two people know how invalidation works here, and one of them leaves in # weeks.",
    "The contract with the largest customer allows # seconds between a change and its appearance in search.",
    "Every layer that keeps state has cost us # incidents a year, and this would be the fourth of them.",
    "The store spends # percent of its time on parsing the same queries again, which a smaller change would save.",
    "If demand grows as planned, the present machines are full in # months, with or without what is proposed.",
];
const POINTS: [&str; 6] = [
    "reads dominate by a factor of #",
    "# seconds of staleness are allowed",
    "one more thing to watch, at # pages a month",
    "the import clears # thousand keys",
    "memory for it costs # a month",
    "rolling it back takes # minutes",
];
const ASIDES: [&str; 5] = [
    "It would change if # percent of reads went elsewhere.",
    "Nobody has measured it above # queries a second.",
    "The figure of # is from one week only.",
    "Ask operations how # nodes restart.",
    "It holds for the # largest tenants.",
];

/// Whatever is asked of the seat at a place counted from 0.
pub(super) fn answer(place: usize, question: &Question, form: &Form) -> String {
    let choice = side(place, question);
    let voice = Voice { place, round: question.round as usize };
    match question.task {
        Task::Speak => statement(voice, choice, form),
        Task::Vote => json!({
            "vote": choice.ballot_word(usize::from(question.options)),
            "new_argument": "",
            "reason": voice.pick(&REASONS, 9),
            "change_if": voice.pick(&ASIDES, 10),
            "confidence": 0.7,
        })
        .to_string(),
        // No clerk sits in a benchmark.
        Task::Judge | Task::Digest | Task::Perspectives | Task::Synthesise => "{}".into(),
    }
}

/// Its part's side where it has one; else two sides of the same size. Every eighth seat changes sides from
/// round to round, so that no round is still.
fn side(place: usize, question: &Question) -> Choice {
    let moved = if place % 8 == 2 { question.round as usize } else { 0 };
    let own = if (place + moved).is_multiple_of(2) { Choice::Yes } else { Choice::No };
    question.side.filter(|_| question.task == Task::Speak).unwrap_or(own)
}

fn statement(voice: Voice, choice: Choice, form: &Form) -> String {
    let claims = match choice {
        Choice::Yes | Choice::Option(_) => &FOR,
        Choice::No => &AGAINST,
        Choice::Neutral => &WEIGHING,
    };
    let mut said = Map::new();
    for (i, field) in form.fields.iter().enumerate() {
        let value = match (&field.kind, field.key.as_str()) {
            (Kind::Choice(_) | Kind::Ranking(_) | Kind::Approval(_), _) => choice.to_string().into(),
            (Kind::Scores(_), _) => "NONE".into(),
            (Kind::Confidence, _) => json!(0.6 + (voice.number(i) % 30) as f64 / 100.0),
            (Kind::List, _) => json!([voice.pick(&POINTS, 1), voice.pick(&POINTS, 3)]),
            (Kind::Citations | Kind::Requests, _) => json!([]),
            (Kind::Text, "position") => voice.pick(claims, 2).into(),
            (Kind::Text, "reasoning") => "".into(),
            (Kind::Text, _) => voice.pick(&ASIDES, 4 + i).into(),
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
        reasoning.push_str(&voice.pick(&REASONS, 5 + 4 * nth));
        reasoning.push(' ');
    }
    reasoning.truncate(room);
    said.insert("reasoning".into(), reasoning.trim_end().into());
    Value::Object(said).to_string()
}

/// Who speaks when: all that chance is made of here.
#[derive(Clone, Copy)]
struct Voice {
    place: usize,
    round: usize,
}

impl Voice {
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
