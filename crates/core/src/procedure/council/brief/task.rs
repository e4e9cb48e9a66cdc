//! What all seats of a round are told besides the history: where opinions differ, and the last round in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::items::number;
use super::seen::Seen;
use crate::brief;
use crate::charter::StageKind;
use crate::house::{Case, Item};
use crate::kernel::{Choice, Contribution, Number, Response, Spread, text};
use crate::watch;

/// How long a position may be told in the numbers of a round, in characters.
const PER_POSITION: usize = 240;

/// The last round in numbers, where the charter tells them: mean confidence, stances, positions most held.
pub(super) fn numbers(case: &Case, seen: Seen) -> Option<String> {
    let statistics = case.council().is_some_and(|(rules, _)| rules.lens.statistics);
    let last = seen.round.saturating_sub(1);
    if !statistics || seen.voting || last == 0 || !case.may_see(seen.reader(), Item::Round(last)) {
        return None;
    }
    let options = case.opening.question.options.len();
    let mut of_round: Vec<&Contribution> = case
        .said
        .iter()
        .map(|said| &**said)
        .filter(|said| said.round + 1 == seen.round && said.ordered.is_none())
        .collect();
    // The order in which answers came in, or seats sit, must not show here either.
    of_round.sort_by_key(|said| (number(case.names.label(&said.who)), case.place(&said.who)));
    let voices: Vec<&Response> = of_round.into_iter().map(|said| &said.response).collect();
    let found = watch::statistics(options, &voices);
    let mut out = String::new();
    match found.mean_confidence {
        Some(mean) => drop(writeln!(out, "Mean confidence: {} %", (mean.get() + 5) / 10)),
        None => out.push_str("Mean confidence: unknown\n"),
    }
    if !found.stances.is_empty() {
        let stances: Vec<String> =
            found.stances.iter().map(|(side, count)| format!("{} {count}", side.word(options))).collect();
        let _ = writeln!(out, "Stances: {}", stances.join(", "));
    }
    if !found.positions.is_empty() {
        out.push_str("Positions most held:\n");
        for (position, count) in &found.positions {
            let position = text::excerpt(position, PER_POSITION);
            let _ = writeln!(out, "| {count} × {}", text::one_line(&case.hidden(&position)));
        }
    }
    Some(out)
}

/// What seats are asked where they propose answers or give numbers; none where they take sides.
pub(super) fn other_task(case: &Case, seen: Seen, last: bool, focus: Option<&str>) -> Option<String> {
    match &case.stage().filter(|_| !seen.voting)?.kind {
        StageKind::Propose(_) => Some(brief::ask_for_proposal(focus)),
        StageKind::Estimate(_) => {
            let numbers = spread(case, seen);
            Some(brief::ask_for_estimate(case.unit(), seen.round, last, focus, numbers.as_deref()))
        }
        StageKind::Speak(_) | StageKind::Vote { .. } | StageKind::Merge => None,
    }
}

/// How the numbers of the last round are spread, without who gave which.
fn spread(case: &Case, seen: Seen) -> Option<String> {
    let last = seen.round.saturating_sub(1);
    if last == 0 || !case.may_see(seen.reader(), Item::Round(last)) {
        return None;
    }
    let mut numbers: Vec<Number> = case.estimates(last).map(|(_, given)| given.best).collect();
    numbers.sort_unstable();
    let (least, most) = (numbers.first()?, numbers.last()?);
    let (spread, seats) = (Spread::of(&numbers)?, case.in_play());
    let mut out = format!("{} of {seats} seats: {}, ", numbers.len(), spread.words(case.unit()));
    let _ = writeln!(out, "lowest {least}, highest {most}");
    Some(out)
}

/// How long the crux may be told, per side, in characters.
const PER_SIDE: usize = 600;

/// Where opinions part: each side with the gist of its surest voice, as far as the lens lets it be seen.
pub(super) fn crux(case: &Case, seen: Seen) -> Option<String> {
    let asked = case.speaking().is_some_and(|speak| speak.crux) && !seen.voting;
    let shown = asked && case.may_see(seen.reader(), Item::Round(seen.round.saturating_sub(1)));
    if !shown {
        return None;
    }
    // This round's statements count for nobody: all its speakers must be told the same.
    let standing = case.standing(seen.round);
    let mut sides: BTreeMap<Choice, (u32, Option<&Contribution>)> = BTreeMap::new();
    for (who, choice) in &standing {
        let side = sides.entry(*choice).or_insert((0, None));
        side.0 += 1;
        let spoke = case.said.iter().rev().find(|said| said.who == **who && said.round < seen.round);
        let spoke = spoke.map(|said| &**said).filter(|said| said.response.stance == Some(*choice));
        let surer = |said: &&Contribution| {
            side.1.is_none_or(|best| said.response.confidence > best.response.confidence)
        };
        if let Some(said) = spoke.filter(surer) {
            side.1 = Some(said);
        }
    }
    let mut out = String::new();
    for (choice, (seats, voice)) in sides {
        let word = choice.word(case.opening.question.options.len());
        let _ = write!(out, "{word} ({seats} of {} seats)", case.in_play());
        if let Some(gist) = voice.and_then(|said| said.response.gist()) {
            let gist = text::excerpt(gist, PER_SIDE);
            let _ = write!(out, ": {}", text::one_line(&case.hidden(&gist)));
        }
        out.push('\n');
    }
    Some(out)
}
