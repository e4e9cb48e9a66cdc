//! Estimates: the median and the middle half of the seats' numbers, each seat's number, who moved, and the reasons of those
//! who lie outside. A number is neither yes nor no, so nothing here says either.

use serde::Serialize;

use super::{Advice, Recommendation, Report};
use crate::house::{Case, Item, Reader};
use crate::kernel::{ContributionKind, Decision, Estimate, Number, Permille, Spread, Who, text};
use crate::matter::QuestionKind;

/// Below this mean confidence, in thousandths, the seats do not trust their own ranges.
const DOUBTED: u16 = 500;

/// What the seats' numbers come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Estimates {
    /// What is counted.
    pub unit: String,
    /// The result; none while there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Spread>,
    /// The width of the middle half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Number>,
    /// Seats whose number counts.
    pub counted: usize,
    /// Seats that were asked.
    pub of: usize,
    /// The result in words.
    pub words: String,
    /// How the numbers were spread after each round that is over.
    pub rounds: Vec<RoundSpread>,
    /// Every seat that was asked, in seat order.
    pub seats: Vec<SeatEstimate>,
}

/// How the numbers of one round were spread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundSpread {
    /// The round.
    pub round: u32,
    /// Numbers that could be read.
    pub numbers: usize,
    /// How they are spread; none if there were none.
    pub spread: Option<Spread>,
}

/// One seat's numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeatEstimate {
    /// The seat.
    pub who: Who,
    /// Its first number; unknown if it gave none that could be read.
    pub first: Option<Estimate>,
    /// Its number of the last round, which counts.
    pub last: Option<Estimate>,
    /// Whether it gave another number than before.
    pub moved: bool,
    /// Whether its number lies outside the middle half.
    pub outside: bool,
    /// How sure it is of its range.
    pub confidence: Option<Permille>,
    /// Why, verbatim.
    pub reason: Option<String>,
}

/// What the seats' numbers come to, as far as a reader may see them; none for other kinds of question.
pub(super) fn estimates(case: &Case, reader: Reader<'_>, decision: Option<Decision>) -> Option<Estimates> {
    if case.kind() != QuestionKind::Estimate {
        return None;
    }
    let result = match decision {
        Some(Decision::Estimated(spread)) => Some(spread),
        Some(_) | None => None,
    };
    // Numbers of a round that is still open would tell those who have not answered where to stand.
    let over = if case.round_is_over() { case.round() } else { case.round().saturating_sub(1) };
    let seats: Vec<SeatEstimate> = case
        .opening
        .seats
        .iter()
        .take(case.in_play())
        .map(|seat| row(case, reader, &seat.who, over, result))
        .collect();
    let spread = |round: u32| {
        let numbers: Vec<Number> = case.estimates(round).map(|(_, given)| given.best).collect();
        RoundSpread { round, numbers: numbers.len(), spread: Spread::of(&numbers) }
    };
    let spoke = |round: &u32| {
        case.said.iter().any(|said| said.round == *round && said.kind == ContributionKind::Estimate)
    };
    let (counted, of) = (seats.iter().filter(|row| row.last.is_some()).count(), seats.len());
    Some(Estimates {
        unit: case.unit().into(),
        width: result.map(|spread| spread.width()),
        words: result.map(|spread| words(case.unit(), &spread, counted, of)).unwrap_or_default(),
        result,
        counted,
        of,
        rounds: (1..=over).filter(spoke).map(spread).collect(),
        seats,
    })
}

fn row(case: &Case, reader: Reader<'_>, who: &Who, over: u32, result: Option<Spread>) -> SeatEstimate {
    let shown = |said: &&crate::kernel::StoredContribution| case.may_see(reader, Item::Contribution(said));
    let own = case
        .said
        .iter()
        .filter(|said| said.who == *who && said.kind == ContributionKind::Estimate && said.round <= over);
    let own: Vec<_> = own.filter(shown).collect();
    let now = own.iter().rev().find(|said| said.round == over);
    let (first, last) =
        (own.iter().find_map(|said| said.response.estimate), now.and_then(|said| said.response.estimate));
    let differ = |one: Estimate, other: Estimate| one.best != other.best;
    SeatEstimate {
        who: who.clone(),
        first,
        last,
        moved: first.zip(last).is_some_and(|(one, other)| differ(one, other)),
        outside: result.zip(last).is_some_and(|(result, last)| !result.holds(last.best)),
        confidence: now.and_then(|said| said.response.confidence),
        reason: now.and_then(|said| {
            said.response.reasoning.clone().or_else(|| said.response.key_points.first().cloned())
        }),
    }
}

fn words(unit: &str, spread: &Spread, counted: usize, of: usize) -> String {
    format!("{}, {counted} of {of} seats", spread.words(unit))
}

/// The mean confidence of those whose number counts; unknown where one of them stated none.
pub(super) fn confidence(found: &Estimates) -> Option<Permille> {
    let counted = found.seats.iter().filter(|row| row.last.is_some());
    let sure: Vec<u64> =
        counted.map(|row| row.confidence.map(|it| u64::from(it.get()))).collect::<Option<_>>()?;
    Permille::new(u64::checked_div(sure.iter().sum(), sure.len() as u64)? as u16)
}

/// What degrades an estimate, besides what degrades any result.
pub(super) fn caveats(report: &Report) -> Vec<String> {
    let Some(found) = &report.estimate else { return Vec::new() };
    let silent = |who: &Who| report.missing.iter().any(|row| row.who == *who);
    let unread = found.seats.iter().filter(|row| row.last.is_none() && !silent(&row.who)).count();
    let known = report.decision.is_some() && unread > 0;
    known
        .then(|| format!("{unread} of {} seats gave no number that could be read", found.of))
        .into_iter()
        .collect()
}

/// What to do with an estimate. A number is nothing to carry out, so it is never `proceed` or `reject`: `verify` where the seats are
/// fairly sure and lie close together, `query_detail` where they do not.
pub(super) fn advice(report: &Report) -> Option<Advice> {
    let (found, Decision::Estimated(spread)) = (report.estimate.as_ref()?, report.decision?) else {
        return None;
    };
    let say = |action, why: String| Some(Advice { action, why });
    if report.redacted {
        return say(Recommendation::QueryDetail, "its text was deleted".into());
    }
    if super::advice::nobody_reasoned(report) {
        return say(Recommendation::QueryDetail, "nobody reasoned".into());
    }
    if found.counted < 2 {
        return say(Recommendation::QueryDetail, "a single number has no spread".into());
    }
    if let Some(mean) = report.confidence.filter(|mean| mean.get() < DOUBTED) {
        return say(Recommendation::QueryDetail, format!("mean confidence of the seats is very low: {mean}"));
    }
    if spread.width() > spread.median.magnitude() {
        let why = format!("the middle half is wider than the median: {} to {}", spread.lower, spread.upper);
        return say(Recommendation::QueryDetail, why);
    }
    let mut doubts = report.caveats.clone();
    let outside = found.seats.iter().filter(|row| row.outside).count();
    if outside > 0 {
        doubts.push(format!("{} outside the middle half, read why", text::counted(outside as u64, "seat")));
    }
    if report.confidence.is_none() {
        doubts.push("not every seat stated a confidence".into());
    }
    if doubts.is_empty() {
        doubts.push("an estimate is checked against what comes true".into());
    }
    say(Recommendation::Verify, doubts.join("; "))
}

/// What came true beside what was estimated, in words.
pub(super) fn came_true(case: &Case, truth: Number) -> String {
    let unit = case.unit();
    let Some(Decision::Estimated(spread)) = case.decision() else {
        return format!("{truth} {unit} came true");
    };
    let off = spread.median.distance(truth);
    let median = match spread.median.cmp(&truth) {
        std::cmp::Ordering::Less => format!("the median {} was {off} too low", spread.median),
        std::cmp::Ordering::Equal => format!("the median was {}", spread.median),
        std::cmp::Ordering::Greater => format!("the median {} was {off} too high", spread.median),
    };
    let held = if spread.holds(truth) { "held" } else { "missed" };
    format!(
        "{truth} {unit} came true; {median}; the middle half {} to {} {held} it",
        spread.lower, spread.upper
    )
}
