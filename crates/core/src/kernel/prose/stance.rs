//! Which side a text takes, as far as its words tell: for, against, or neither.
//!
//! Words that take a side are looked for clause by clause, and a denial near one turns it round: `should not`
//! is against, `no objections` is for. What follows a `but` outweighs what stands before it. Questions take no
//! side, nor does who is not sure. A text without such words is neutral: `I know nothing` denies, but takes
//! no side.

use serde::{Deserialize, Serialize};

use super::Reading;
use super::nothing::is_gone;
use super::phrase::sentences;
use super::token::{Token, folded, tokens};
use super::words::{denies, seems, stem};

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// For it.
    For,
    /// Against it.
    Against,
    /// Neither, or it cannot be told.
    Neutral,
}

/// Beginnings of words that are for something.
const FOR: [&str; 22] = [
    "agree",
    "support",
    "approv",
    "accept",
    "favour",
    "favor",
    "endors",
    "recommend",
    "prefer",
    "welcom",
    "good",
    "great",
    "zustimm",
    "dafür",
    "befürwort",
    "unterstütz",
    "einverstanden",
    "akzeptier",
    "empfehl",
    "согласен",
    "согласна",
    "поддерж",
];

/// Beginnings of words that are against something.
const AGAINST: [&str; 24] = [
    "disagree",
    "opposed",
    "oppose",
    "opposing",
    "reject",
    "against",
    "objection",
    "veto",
    "refus",
    "declin",
    "bad",
    "wrong",
    "mistake",
    "harmful",
    "dangerous",
    "ablehn",
    "dagegen",
    "gegen",
    "widersprech",
    "einwand",
    "einwände",
    "falsch",
    "schlecht",
    "отверг",
];

/// Verbs in two parts: the first, the last, and the side.
const PARTED: [(&str, &str, Stance); 5] = [
    ("stimme", "zu", Stance::For),
    ("stimmen", "zu", Stance::For),
    ("lehne", "ab", Stance::Against),
    ("lehnen", "ab", Stance::Against),
    ("object", "to", Stance::Against),
];

/// Words that say what ought to be, followed at once by their denial if there is one.
const OUGHT: [&str; 6] = ["should", "must", "shall", "ought", "let's", "lets"];

/// The same where the denial may stand anywhere behind.
const OUGHT_FAR: [&str; 8] = ["sollte", "sollten", "sollen", "soll", "müssen", "muss", "dürfen", "darf"];

/// What is read besides where texts are read closely: words, whole or their beginnings, and what they say.
const CLOSE: [(&str, Stance); 7] = [
    ("d'accord", Stance::For),
    ("oppos", Stance::Against),
    ("fehler", Stance::Against),
    ("unwise", Stance::Against),
    ("отклон", Stance::Against),
    ("ошибк", Stance::Against),
    ("против", Stance::Against),
];

/// Verbs that take a side for or against another word of a side, which stands behind them: `reject the objections`,
/// `support rejecting it`, `recommend against it`. Beginnings.
const GOVERNS: [&str; 14] = [
    "accept",
    "approv",
    "befürwort",
    "declin",
    "empfehl",
    "endors",
    "favor",
    "favour",
    "oppos",
    "recommend",
    "refus",
    "reject",
    "support",
    "unterstütz",
];

/// What they govern. No adjectives: who rejects a bad idea is against it. Beginnings.
const GOVERNED: [&str; 13] = [
    "ablehn",
    "accept",
    "against",
    "approv",
    "dagegen",
    "declin",
    "einwand",
    "einwänd",
    "objection",
    "oppos",
    "refus",
    "reject",
    "support",
];

/// What may stand between the two.
const BETWEEN: [&str; 12] =
    ["the", "this", "that", "any", "all", "your", "their", "die", "den", "das", "diese", "jede"];

/// A word alone at the start that answers.
const ANSWERS: [(&str, Stance); 12] = [
    ("yes", Stance::For),
    ("agreed", Stance::For),
    ("sure", Stance::For),
    ("ja", Stance::For),
    ("oui", Stance::For),
    ("да", Stance::For),
    ("no", Stance::Against),
    ("nope", Stance::Against),
    ("never", Stance::Against),
    ("nein", Stance::Against),
    ("non", Stance::Against),
    ("нет", Stance::Against),
];

/// Whoever says so has not decided.
const OPEN: [&str; 7] = ["unsure", "undecided", "neutral", "whether", "unentschieden", "unsicher", "ob"];

/// Whoever denies this has not decided.
const SURE: [&str; 6] = ["sure", "certain", "know", "sicher", "weiss", "decided"];

/// What turns a sentence round.
const BUT: [&str; 6] = ["but", "however", "aber", "jedoch", "mais", "pero"];

/// Sides in scripts without blanks; the longer first.
const RUNS: [(&str, Stance); 12] = [
    ("不同意", Stance::Against),
    ("不赞成", Stance::Against),
    ("不支持", Stance::Against),
    ("反对", Stance::Against),
    ("反對", Stance::Against),
    ("反対", Stance::Against),
    ("拒绝", Stance::Against),
    ("同意", Stance::For),
    ("支持", Stance::For),
    ("赞成", Stance::For),
    ("贊成", Stance::For),
    ("賛成", Stance::For),
];

/// So many words before one that takes a side may deny it; before one that says what ought to be, one more.
const BEFORE: usize = 3;

/// The side a text takes.
pub fn stance(said: &str, reading: Reading) -> Stance {
    let mut all = Weight::default();
    for (nth, sentence) in sentences(said).enumerate() {
        if sentence.ends_with(['?', '？', '؟']) {
            continue;
        }
        let folded = folded(sentence);
        let cut: Vec<Token<'_>> = tokens(&folded).collect();
        let first = cut.split(ends).next();
        if let (0, Some([Token::Word(word)])) = (nth, first)
            && let Some((_, side)) = ANSWERS.iter().find(|(answer, _)| answer == word)
        {
            return *side;
        }
        let turn = cut.iter().rposition(|token| matches!(token, Token::Word(word) if BUT.contains(word)));
        let (before, behind) = cut.split_at(turn.unwrap_or(cut.len()));
        let last = Weight::of(behind, reading);
        let whole = if last == Weight::default() { Weight::of(before, reading) } else { last };
        all = all.plus(whole);
    }
    let sum = if all.sided == 0 { all.ought } else { all.sided };
    match sum {
        1.. => Stance::For,
        0 => Stance::Neutral,
        ..0 => Stance::Against,
    }
}

/// The end of a clause.
fn ends(token: &Token<'_>) -> bool {
    match token {
        Token::Break | Token::Stop => true,
        Token::Word(_) | Token::Part(_) | Token::Run(_) => false,
    }
}

/// How much is for something, less how much is against it. Who takes a side outright is heard before what they
/// say ought to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Weight {
    sided: i32,
    ought: i32,
}

impl Weight {
    fn plus(self, other: Self) -> Self {
        Self { sided: self.sided + other.sided, ought: self.ought + other.ought }
    }

    fn of(tokens: &[Token<'_>], reading: Reading) -> Self {
        let clauses = tokens.split(ends).map(|clause| Self::of_clause(clause, reading));
        clauses.fold(Self::default(), Self::plus)
    }

    fn of_clause(clause: &[Token<'_>], reading: Reading) -> Self {
        let words: Vec<ScannedWord<'_>> =
            (0..clause.len()).filter_map(|at| ScannedWord::at(clause, at)).collect();
        if undecided(&words) {
            return Self::default();
        }
        let runs: i32 = clause.iter().filter_map(|token| in_run(*token)).map(sign).sum();
        let sided: i32 = match reading {
            Reading::Early => (0..words.len()).filter_map(|at| sided(&words, at)).sum(),
            Reading::Close => sides(&words),
        };
        let ought: i32 = (0..words.len()).filter_map(|at| ought(&words, at)).sum();
        Self { sided: sided + runs, ought: if ought == 0 { forbids(&words) } else { ought } }
    }
}

/// `Do not merge this` is an order, and so against.
fn forbids(words: &[ScannedWord<'_>]) -> i32 {
    let forbidding = match words {
        [first, second, ..] if first.word == "do" => second.denial,
        [first, ..] => ["don't", "dont", "never"].contains(&first.word),
        [] => false,
    };
    -i32::from(forbidding)
}

struct ScannedWord<'a> {
    word: &'a str,
    denial: bool,
}

impl<'a> ScannedWord<'a> {
    fn at(clause: &[Token<'a>], at: usize) -> Option<Self> {
        let text = |at: usize| match clause.get(at)? {
            Token::Word(word) | Token::Part(word) => Some(*word),
            Token::Run(_) | Token::Break | Token::Stop => None,
        };
        let word = text(at)?;
        let denial = matches!(clause[at], Token::Word(_))
            && denies(word).is_some()
            && !seems(text(at.wrapping_sub(1)), word, text(at + 1));
        Some(Self { word, denial })
    }
}

/// How much a clause is for something, where texts are read closely.
fn sides(words: &[ScannedWord<'_>]) -> i32 {
    let begins = |word: &str, list: &[&str]| list.iter().any(|beginning| word.starts_with(beginning));
    let (mut sum, mut governor) = (0, None::<(i32, usize)>);
    for (at, word) in words.iter().enumerate() {
        if governor.is_some() && BETWEEN.contains(&word.word) {
            continue;
        }
        let Some(side) = most(words, at).or_else(|| sided(words, at)).or_else(|| sided_closely(words, at))
        else {
            governor = None;
            continue;
        };
        match governor.take().filter(|_| begins(word.word, &GOVERNED)) {
            // The verb was counted already: what it governs turns it, or leaves it as it is.
            Some((verb, own)) => {
                let behind = &words[own + 1..];
                let governed = sided(behind, at - own - 1).or_else(|| sided_closely(behind, at - own - 1));
                sum += verb * governed.unwrap_or(1) - verb;
            }
            None => {
                sum += side;
                governor = begins(word.word, &GOVERNS).then_some((side, at));
            }
        }
    }
    sum
}

/// `I could not agree more`: a denial that heightens.
fn most(words: &[ScannedWord<'_>], at: usize) -> Option<i32> {
    let before = &words[at.saturating_sub(2)..at];
    let heightens = words.get(at + 1).is_some_and(|next| next.word == "more")
        && before.iter().any(|word| word.word.starts_with("could"))
        && before.iter().any(|word| word.denial);
    sided(&words[at..], 0).filter(|_| heightens)
}

/// The side of a word that is read only closely.
fn sided_closely(words: &[ScannedWord<'_>], at: usize) -> Option<i32> {
    let word = words[at].word;
    // `Wir sollten es lassen`
    if matches!(word, "sollten" | "sollte") && words.last().is_some_and(|last| last.word == "lassen") {
        return Some(-1);
    }
    let (_, side) = CLOSE.iter().find(|(start, _)| word.starts_with(start))?;
    // The French `ne` only announces a denial.
    let announced = words[at.saturating_sub(BEFORE)..at].iter().filter(|word| word.word == "ne").count();
    Some(turned(sign(*side), before(words, at, BEFORE) + after(words, at) - announced))
}

/// The side of one word that takes one, turned round by what denies it.
fn sided(words: &[ScannedWord<'_>], at: usize) -> Option<i32> {
    let word = words[at].word;
    let begins = |list: &[&str]| list.iter().any(|beginning| word.starts_with(beginning));
    let parted = PARTED
        .iter()
        .find(|(first, last, _)| *first == word && words[at + 1..].iter().any(|later| later.word == *last));
    let side = match parted {
        Some((_, _, side)) => *side,
        None if begins(&AGAINST) => Stance::Against,
        None if begins(&FOR) => Stance::For,
        None => return None,
    };
    // A verb in two parts has its denial between them.
    let behind = match parted {
        Some(_) => words[at + 1..].iter().filter(|word| word.denial).count(),
        None => after(words, at),
    };
    Some(turned(sign(side), before(words, at, BEFORE) + behind))
}

/// What ought to be, or ought not.
fn ought(words: &[ScannedWord<'_>], at: usize) -> Option<i32> {
    let word = words[at].word;
    let own = stem(word).is_some_and(|stem| OUGHT.contains(&stem)) || word == "shouldnt";
    let behind = if OUGHT_FAR.contains(&word) {
        words[at + 1..].iter().filter(|word| word.denial).count()
    } else if OUGHT.contains(&word) {
        words.get(at + 1).filter(|next| next.denial).into_iter().count()
    } else if own {
        1
    } else {
        return None;
    };
    Some(turned(1, before(words, at, BEFORE + 1) + behind))
}

/// How many denials stand shortly before.
fn before(words: &[ScannedWord<'_>], at: usize, most: usize) -> usize {
    words[at.saturating_sub(most)..at].iter().filter(|word| word.denial).count()
}

/// How many denials stand at once behind: `support nothing`, `agree with none`.
fn after(words: &[ScannedWord<'_>], at: usize) -> usize {
    let next =
        words.get(at + 1).is_some_and(|word| word.denial && !["no", "without", "ohne"].contains(&word.word));
    let second = || words.get(at + 2).is_some_and(|word| word.word == "none" || word.word == "nothing");
    usize::from(next || second())
}

fn undecided(words: &[ScannedWord<'_>]) -> bool {
    let denied = |at: usize| before(words, at, 2) > 0;
    words
        .iter()
        .enumerate()
        .any(|(at, word)| OPEN.contains(&word.word) || SURE.contains(&word.word) && denied(at))
}

fn in_run(token: Token<'_>) -> Option<Stance> {
    let Token::Run(run) = token else { return None };
    RUNS.iter().find(|(phrase, _)| run.contains(phrase)).map(|(_, side)| *side)
}

fn sign(side: Stance) -> i32 {
    match side {
        Stance::For => 1,
        Stance::Against => -1,
        Stance::Neutral => 0,
    }
}

fn turned(sign: i32, denials: usize) -> i32 {
    if denials.is_multiple_of(2) { sign } else { -sign }
}

/// Words behind which somebody denies what they report. Whole clauses.
const DISPUTES: [&str; 14] = [
    "i disagree",
    "i doubt it",
    "i doubt that",
    "which is wrong",
    "that is wrong",
    "this is wrong",
    "which is false",
    "that is false",
    "this is false",
    "das stimmt nicht",
    "was nicht stimmt",
    "ich bezweifle das",
    "ich widerspreche",
    "das ist falsch",
];

/// What was done to something makes it a thing of the past. With their articles these stand before it.
const ENDED: [&str; 20] = [
    "avoided",
    "averted",
    "barely",
    "behob",
    "beseitig",
    "closed",
    "eliminated",
    "fixed",
    "fixes",
    "gelöst",
    "hardly",
    "kaum",
    "patched",
    "prevented",
    "prevents",
    "removed",
    "resolved",
    "ruled",
    "scarcely",
    "solved",
];

/// Whether words say something that is listed: each phrase is a row of beginnings of words that stand one after
/// the other, and nothing shortly before them denies it; where texts are read closely, nothing behind them either.
pub(crate) fn says(said: &str, phrase: &str, reading: Reading) -> bool {
    let folded = folded(said);
    let cut: Vec<Token<'_>> = tokens(&folded).collect();
    let beginnings: Vec<&str> = phrase.split_whitespace().collect();
    if beginnings.is_empty() {
        return false;
    }
    let mut found = false;
    for clause in cut.split(ends) {
        let words: Vec<ScannedWord<'_>> =
            (0..clause.len()).filter_map(|at| ScannedWord::at(clause, at)).collect();
        if reading == Reading::Close && DISPUTES.iter().any(|dispute| is_said(&words, dispute)) {
            return false;
        }
        found |= words.windows(beginnings.len()).enumerate().any(|(at, row)| {
            row.iter().zip(&beginnings).all(|(word, beginning)| word.word.starts_with(beginning))
                && before(&words, at, BEFORE).is_multiple_of(2)
                && (reading == Reading::Early || !is_over(&words, at, beginnings.len()))
        });
    }
    found
}

/// Whether a clause is these words, or these and more behind them.
fn is_said(words: &[ScannedWord<'_>], phrase: &str) -> bool {
    let mut rest =
        words.iter().map(|word| word.word).skip_while(|word| matches!(*word, "but" | "and" | "aber" | "und"));
    phrase.split(' ').all(|word| rest.next() == Some(word))
}

/// Whether words say that what stands among them is over, or was never there.
fn is_over(words: &[ScannedWord<'_>], at: usize, length: usize) -> bool {
    let ended = |from: usize| {
        let row = &words[from..at];
        let denied = row.iter().any(|word| word.denial) || before(words, from, 2) > 0;
        let open = row
            .iter()
            .any(|word| matches!(word.word, "to" | "must" | "should" | "be" | "need" | "until" | "zu"));
        !denied && !open && row.iter().any(|word| ENDED.iter().any(|start| word.word.starts_with(start)))
    };
    ended(at.saturating_sub(2)) || is_gone(words[at + length..].iter().map(|word| word.word))
}
