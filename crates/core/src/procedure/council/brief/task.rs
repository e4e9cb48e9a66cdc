//! What all seats of a round are told besides the history: where opinions differ, and the last round in numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::items::number;
use super::seen::VisibleExtent;
use crate::brief;
use crate::charter::StageKind;
use crate::house::{Ballot, Case, Item, Reader};
use crate::kernel::{Choice, Contribution, Number, Response, Spread, Who, text};
use crate::{ballot::Vote, watch};

/// How long a position may be told in the numbers of a round, in characters.
const PER_POSITION: usize = 240;

/// The last round in numbers, where the charter tells them: mean confidence, stances, positions most held.
pub(super) fn numbers(case: &Case, seen: VisibleExtent) -> Option<String> {
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
        out.push_str("Positions (nearly equal ones of one stance are counted together):\n");
        for (position, count) in &found.positions {
            let position = text::excerpt(position, PER_POSITION);
            let _ = writeln!(out, "| {count} × {}", text::one_line(&case.hidden(&position)));
        }
    }
    Some(out)
}

/// What seats are asked where they propose answers or give numbers; none where they take sides.
pub(super) fn other_task(
    case: &Case,
    seen: VisibleExtent,
    last: bool,
    focus: Option<&str>,
) -> Option<String> {
    match &case.stage().filter(|_| !seen.voting)?.kind {
        StageKind::Propose(_) => Some(brief::ask_for_proposal(focus)),
        StageKind::Estimate(_) => {
            let numbers = spread(case, seen);
            Some(brief::ask_for_estimate(case.unit(), seen.round, last, focus, numbers.as_deref()))
        }
        StageKind::Second { .. } => {
            let proposer = case.opening.proposer.as_ref().map(|who| case.names.label(who));
            Some(brief::ask_for_second(proposer))
        }
        StageKind::Speak(_) | StageKind::RedTeam(_) | StageKind::Vote { .. } | StageKind::Merge => None,
    }
}

/// How the numbers of the last round are spread, without who gave which.
fn spread(case: &Case, seen: VisibleExtent) -> Option<String> {
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

/// How long a reason or a condition may be told, in characters.
const PER_REASON: usize = 400;
/// How many of them a side gets at most.
const REASONS_MOST: usize = 3;

/// Reasons of a side and what would change it, each with a folded key so that none appears twice.
#[derive(Default)]
struct SideReasons {
    reasons: Vec<String>,
    change_if: Vec<String>,
}

/// Where opinions part: the reasons of each side and what would change it, as many for one side as for any other, and
/// never how many hold them.
pub(super) fn crux(case: &Case, seen: VisibleExtent) -> Option<String> {
    let asked = case.speaking().is_some_and(|speak| speak.crux) && !seen.voting;
    let shown = asked && case.may_see(seen.reader(), Item::Round(seen.round.saturating_sub(1)));
    if !shown {
        return None;
    }
    // This round's statements count for nobody: all its speakers must be told the same.
    let mut sides: BTreeMap<Choice, SideReasons> = BTreeMap::new();
    for (who, choice) in &case.standing(seen.round) {
        let side = sides.entry(*choice).or_default();
        let vote = case.last_vote_of(who, seen.reader()).filter(|vote| vote.choice == *choice);
        let spoke = case.said.iter().rev().find(|said| said.who == **who && said.round < seen.round);
        let spoke = spoke.filter(|said| said.response.stance == Some(*choice));
        let reason = vote.and_then(|vote| vote.reason.as_deref());
        add(&mut side.reasons, reason.or_else(|| spoke.and_then(|said| said.response.gist())));
        add(&mut side.change_if, vote.and_then(|vote| vote.change_if.as_deref()));
    }
    let fewest = |of: fn(&SideReasons) -> usize| sides.values().map(of).filter(|n| *n > 0).min().unwrap_or(0);
    let reasons = fewest(|side| side.reasons.len()).min(REASONS_MOST);
    let conditions = fewest(|side| side.change_if.len()).min(REASONS_MOST);
    let mut out = String::new();
    for (choice, side) in &sides {
        let word = choice.word(case.opening.question.options.len());
        let _ = writeln!(out, "{word}, because:");
        tell(&mut out, case, side.reasons.iter().take(reasons));
        if !side.change_if.is_empty() {
            out.push_str("It would change if:\n");
            tell(&mut out, case, side.change_if.iter().take(conditions));
        }
    }
    Some(out)
}

fn add(to: &mut Vec<String>, said: Option<&str>) {
    let Some(said) = said.map(text::one_line).filter(|said| !said.is_empty()) else { return };
    if to.iter().all(|known| text::fold(known) != text::fold(&said)) {
        to.push(said);
    }
}

fn tell<'a>(out: &mut String, case: &Case, said: impl Iterator<Item = &'a String>) {
    for said in said {
        let _ = writeln!(out, "| - {}", case.hidden(&text::excerpt(said, PER_REASON)));
    }
}

impl Case {
    /// Whether only what divides the seats is debated here.
    pub(crate) fn debates_crux(&self) -> bool {
        let Some((rules, _)) = self.council() else { return false };
        rules.stages.iter().any(|stage| match &stage.kind {
            StageKind::Speak(speak) => speak.crux,
            StageKind::Propose(_) | StageKind::Merge | StageKind::Estimate(_) | StageKind::Vote { .. } => {
                false
            }
            StageKind::Second { .. } | StageKind::RedTeam(_) => false,
        })
    }

    /// The vote a seat cast last on a ballot whose reasons a reader may see.
    pub(super) fn last_vote_of(&self, who: &Who, reader: Reader<'_>) -> Option<&Vote> {
        let known =
            |ballot: &&Arc<Ballot>| ballot.result.is_some() && self.may_see(reader, Item::Reasons(ballot));
        let votes = self.ballots.iter().rev().filter(known).flat_map(|ballot| ballot.votes.iter());
        votes.map(|vote| &**vote).find(|vote| vote.who == *who)
    }
}
