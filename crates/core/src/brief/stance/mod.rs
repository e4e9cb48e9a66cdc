//! Where an answer stands, and how that is known: the one reader of stances and votes for questions of yes or no.
//!
//! A stance is a *token* where it is written as it was asked for: `STANCE: FOR`, `{"vote":"NAY"}`, `I vote nay`, `Ich stimme
//! dagegen`. It is *inferred* where only the prose tells: `I cannot support this motion`. It is none where nothing is said, where
//! two sides are taken, where what was said is taken back or hangs on a condition, and where the words are somebody else's. The
//! source goes into every record, so that whoever counts can leave out what was inferred.
//!
//! It never fills a gap with a default. To add words: `lexicon`. To add a way of writing a token: `token` (lines and labels) or
//! `declared` (sentences). Then look at the figures of `stances` in the tests.

mod clause;
mod declared;
mod infer;
mod lexicon;
mod plain;
mod token;
mod undone;
pub(super) mod value;

use self::plain::PlainLine;
use self::token::{Finality, Mention, Owed};
pub(super) use self::undone::is_undone;
use super::read::{self, ReadAnswer};
use crate::kernel::{Choice, Repair, StanceSource};

/// What a seat was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedFor {
    /// Where it stands in a debate: FOR, AGAINST or NEUTRAL.
    Stance,
    /// A vote: AYE, NAY or ABSTAIN.
    Vote,
}

/// Why an answer takes no side that can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoStance {
    /// It says nothing of where it stands.
    NotSaid,
    /// It takes more than one side.
    Contradiction,
    /// It takes back what it says, or says that it does not vote.
    TakenBack,
    /// It hangs on a condition, denies one side without taking the other, or names several to choose from.
    Unclear,
}

impl NoStance {
    /// The reason as a stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotSaid => "not-said",
            Self::Contradiction => "contradiction",
            Self::TakenBack => "taken-back",
            Self::Unclear => "unclear",
        }
    }
}

/// Where an answer stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StanceReading {
    /// The side, if it takes one. Never an option.
    pub side: Option<Choice>,
    /// How the side is known.
    pub source: StanceSource,
    /// Why there is none; `None` if there is one.
    pub reason: Option<NoStance>,
}

impl StanceReading {
    fn token(side: Choice) -> Self {
        Self { side: Some(side), source: StanceSource::Token, reason: None }
    }

    fn inferred(side: Choice) -> Self {
        Self { side: Some(side), source: StanceSource::Inferred, reason: None }
    }

    fn none(reason: NoStance) -> Self {
        Self { side: None, source: StanceSource::None, reason: Some(reason) }
    }
}

/// An answer longer than this is read at its beginning and at its end, where stances stand.
const READ_MOST: usize = 40_000;

/// Reads where an answer stands.
pub fn read_stance(answer: &str, asked: AskedFor) -> StanceReading {
    let (answer, _) = read::without_thinking(answer.trim_start_matches('\u{feff}').trim());
    if let Some(read) = read::side_in_json(answer, asked) {
        return match read {
            Ok(side) => StanceReading::token(side),
            Err(reason) => StanceReading::none(reason),
        };
    }
    let shortened = shortened(answer);
    let lines = plain::lines(shortened.as_deref().unwrap_or(answer));
    match written(&lines, asked) {
        Err(reason) => StanceReading::none(reason),
        Ok(Some(side)) => {
            match infer::explicit(&lines).filter(|said| *said != side && *said != Choice::Neutral) {
                // `STANCE: FOR`, and further down `I oppose this motion`: nobody can tell which was meant.
                Some(_) if side != Choice::Neutral => StanceReading::none(NoStance::Contradiction),
                Some(_) | None => StanceReading::token(side),
            }
        }
        Ok(None) => match meant(&lines, asked) {
            Ok(Some(side)) => StanceReading::inferred(side),
            Ok(None) => StanceReading::none(NoStance::NotSaid),
            Err(reason) => StanceReading::none(reason),
        },
    }
}

/// The side that an answer takes without writing it as it was asked for: a vote where a stance was asked for, or prose.
fn meant(lines: &[PlainLine], asked: AskedFor) -> Result<Option<Choice>, NoStance> {
    let other = match asked {
        AskedFor::Stance => AskedFor::Vote,
        AskedFor::Vote => AskedFor::Stance,
    };
    match written(lines, other)? {
        Some(side) if asked == AskedFor::Stance || side != Choice::Neutral => Ok(Some(side)),
        Some(_) | None => infer::side(lines, asked),
    }
}

/// The beginning and the end of an answer that is too long.
fn shortened(answer: &str) -> Option<String> {
    if answer.len() <= READ_MOST {
        return None;
    }
    let half = READ_MOST / 2;
    let start = answer.floor_char_boundary(half);
    let end = answer.ceil_char_boundary(answer.len() - half);
    Some(format!("{}\n{}", &answer[..start], &answer[end..]))
}

/// The side that is written as it was asked for.
fn written(lines: &[PlainLine], asked: AskedFor) -> Result<Option<Choice>, NoStance> {
    let mut found = token::mentions(lines, asked);
    found.extend(declared::mentions(lines));
    let own: Vec<&Mention> = found.iter().filter(|mention| mention.owed.answers(asked)).collect();
    if own.is_empty() {
        return Ok(None);
    }
    // Who writes a final stance below an earlier one says which of them counts.
    let last = own.iter().map(|mention| mention.finality).max().unwrap_or(Finality::Plain);
    let mut side = None;
    for mention in own.iter().filter(|mention| mention.finality == last) {
        let said = mention.side?;
        if side.is_some_and(|side| side != said) {
            return Err(NoStance::Contradiction);
        }
        side = Some(said);
    }
    match declared::taken_back(lines) {
        true => Err(NoStance::TakenBack),
        false => Ok(side),
    }
}

/// The side of a field after a second reading of the whole answer: what the form did not find, or read as it should not have.
/// What was done is said.
pub(super) fn settle(
    key: &str,
    answer: &str,
    before: Option<Choice>,
    read: &mut ReadAnswer,
) -> Option<Choice> {
    let asked = if key == "vote" { AskedFor::Vote } else { AskedFor::Stance };
    let reading = read_stance(answer, asked);
    let repairs = &mut read.repairs;
    let mut say = |code: &str, detail: String| repairs.push(Repair::new(code, detail));
    match (before, reading.source, reading.side) {
        (None, StanceSource::Token, Some(side)) => {
            say(read::TOKEN, format!("`{key}` was found as it was asked for among other text: {side}"));
            Some(side)
        }
        (None, StanceSource::Inferred, Some(side)) => {
            say(read::INFERRED, format!("`{key}` is not written; the text reads like {side}, not counted"));
            None
        }
        // What the form took for a guess is no guess where it is written as it was asked for.
        (Some(side), StanceSource::Token, Some(same)) if side == same => {
            let guess = repairs.iter_mut().find(|repair| repair.code == read::GUESSED);
            guess.into_iter().for_each(|repair| repair.code = read::TOKEN.into());
            before
        }
        (Some(side), StanceSource::Token, Some(other)) => {
            say("contradiction", format!("`{key}` was read as {side} and as {other}: taken as unknown"));
            None
        }
        (Some(_), StanceSource::None, None) if reading.reason == Some(NoStance::Contradiction) => {
            say("contradiction", format!("`{key}` takes more than one side: taken as unknown"));
            None
        }
        (_, StanceSource::Token | StanceSource::Inferred | StanceSource::None, _) => before,
    }
}

/// How the side of a recorded answer is known, by what was done to read it.
pub fn stance_source(side: Option<Choice>, repairs: &[Repair]) -> StanceSource {
    let has = |code: &str| repairs.iter().any(|repair| repair.code == code);
    match side {
        Some(_) if has(read::GUESSED) => StanceSource::Inferred,
        Some(_) => StanceSource::Token,
        None if has(read::INFERRED) => StanceSource::Inferred,
        None => StanceSource::None,
    }
}

impl Owed {
    /// Whether something written under such a label answers what was asked.
    fn answers(self, asked: AskedFor) -> bool {
        match self {
            Self::Either => true,
            Self::Stance => asked == AskedFor::Stance,
            Self::Vote => asked == AskedFor::Vote,
        }
    }
}
