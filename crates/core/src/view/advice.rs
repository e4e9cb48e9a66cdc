//! What to do with a result. One function decides it for every view, export, receipt and API answer. A program may act on
//! it: only a clear result that nothing degrades may be acted on unseen.

use serde::Serialize;

use super::{Doubt, Report, Round};
use crate::kernel::{Choice, Decision, SeatKind, Who, Why, text};
use crate::watch::{Level, Over};

/// Below this mean confidence of the winning side, in thousandths, there is nothing to act on: those who carried the
/// result think it more likely wrong than right.
const DOUBTED: u16 = 500;
/// From this mean confidence on, in thousandths, a result may be acted on unseen. One in five may still be wrong.
const SURE: u16 = 800;
/// So many independent voters carry a result: one voice agrees with nobody.
const VOICES: u32 = 2;
/// Judges' readings of one round that differ by this much, in thousandths, do not support the result.
const APART: u16 = 300;

/// What to do with a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// It passed, the winning side is sure, and nothing degrades it: do it.
    Proceed,
    /// It was turned down, and nothing degrades that: do not do it.
    Reject,
    /// It leans one way; look at what speaks against it first.
    Verify,
    /// There is no result to act on: ask further.
    QueryDetail,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Proceed, Self::Reject, Self::Verify, Self::QueryDetail];

    /// One word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proceed => "proceed",
            Self::Reject => "reject",
            Self::Verify => "verify",
            Self::QueryDetail => "query_detail",
        }
    }
}

/// What is recommended, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// What to do.
    pub action: Action,
    /// Why no more than that.
    pub why: String,
}

/// What to do with the result.
pub(super) fn advice(report: &Report) -> Advice {
    let say = |action, why: &str| Advice { action, why: why.into() };
    if let Some(why) = unusable(report) {
        return say(Action::QueryDetail, &why);
    }
    match (doubts(report).as_slice(), report.decision) {
        ([], Some(Decision::Passed { .. })) => {
            say(Action::Proceed, "nobody disagreed and nothing degrades it")
        }
        ([], _) => say(Action::Reject, "nobody was for it and nothing degrades that"),
        (some, _) => say(Action::Verify, &some.join("; ")),
    }
}

/// Why there is no result to act on, if there is none.
fn unusable(report: &Report) -> Option<String> {
    if report.redacted {
        return Some("its text was deleted".into());
    }
    match report.decision {
        None => return Some("it is not over".into()),
        Some(Decision::Undecided(why)) => return Some(report.undecided(why).into()),
        Some(Decision::Contested) => return Some("unreadable votes could change the result".into()),
        // A ring answers its question by a proposal. That none was approved answers nothing.
        Some(Decision::Rejected) if report.ring.is_some() => return Some("no proposal was approved".into()),
        Some(Decision::Passed { .. } | Decision::Rejected) => (),
    }
    if report.asked().all(|row| row.seat.kind == SeatKind::Rehearsal) {
        return Some("nobody reasoned".into());
    }
    match report.level {
        Level::Unknown => return Some("it is unknown how far the seats agree".into()),
        Level::Low => return Some("the seats hardly agree".into()),
        Level::Medium | Level::High => (),
    }
    let unsure = report.confidence.filter(|mean| mean.get() < DOUBTED);
    unsure.map(|_| sureness(report, "very low"))
}

/// `mean confidence is 0.65, below 0.8`. Of a secret vote no number is shown.
fn sureness(report: &Report, how: &str) -> String {
    let hidden = report.deciding().is_some_and(|ballot| ballot.hidden);
    match report.confidence.filter(|_| !hidden) {
        Some(mean) => format!("mean confidence of the winning side is {how}: {mean}"),
        None => format!("mean confidence of the winning side is {how}"),
    }
}

/// What speaks against acting on a result at once.
fn doubts(report: &Report) -> Vec<String> {
    let mut found = report.caveats.clone();
    found.extend(disagreed(report));
    found.extend(unclear(report));
    found.extend(concerns(report));
    match report.confidence {
        Some(mean) if mean.get() < SURE => found.push(sureness(report, "low")),
        Some(_) => (),
        // A ring does not ask for confidence, and not doing something takes none.
        None if report.ring.is_some() || report.decision == Some(Decision::Rejected) => (),
        None => found.push("not everyone on the winning side stated a confidence".into()),
    }
    let said = report.rounds.iter().flat_map(|round| &round.said);
    if let broken @ 1.. = said.filter(|said| !said.violations.is_empty()).count() {
        found.push(format!("{} marked for breaking the charter", text::counted(broken as u64, "statement")));
    }
    let signs =
        report.rounds.last().and_then(|round| round.analysis.as_ref()).map_or(0, |it| it.groupthink.len());
    if signs > 0 {
        found.push(format!("{} of possible groupthink", text::counted(signs as u64, "sign")));
    }
    if report.dissent.is_empty() {
        found.extend(opposed(report));
    }
    found.extend(unread(report));
    let apart = report.rounds.last().and_then(|round| round.spread);
    if let Some((least, most)) = apart.filter(|(least, most)| most.get() - least.get() >= APART) {
        found.push(format!("judges' readings of agreement range from {least} to {most}"));
    }
    found
}

/// `1 of 3 seats disagreed`.
fn disagreed(report: &Report) -> Option<String> {
    let against = report.dissenters().len();
    let seats = report.deciding()?.tally.as_ref()?.seats;
    (against > 0).then(|| format!("{against} of {seats} seats disagreed"))
}

/// Where too few carried a result for it to be clear.
fn unclear(report: &Report) -> Option<String> {
    let ballot = report.deciding()?;
    let tally = ballot.tally.as_ref()?;
    if let [by, ..] = ballot.vetoed.as_slice() {
        return Some(format!("vetoed by {by}"));
    }
    if !ballot.tied.is_empty() {
        return Some("it is a tie that the charter broke".into());
    }
    let carried = match report.decision? {
        Decision::Rejected => tally.votes_for(Choice::No),
        Decision::Passed { .. } | Decision::Undecided(_) | Decision::Contested => ballot.for_leading(),
    };
    if report.decision == Some(Decision::Rejected) && carried <= ballot.for_leading() {
        return Some("it was not voted down: support stayed below the threshold".into());
    }
    let few = carried < VOICES || report.level == Level::Medium && report.dissent.is_empty();
    few.then(|| format!("only {carried} of {} seats voted for the result", tally.seats))
}

/// Those of a ring who approved with concerns, or argued against what they did not vote against.
fn concerns(report: &Report) -> Vec<String> {
    let seats = report.deciding().and_then(|ballot| ballot.tally.as_ref()).map_or(0, |tally| tally.seats);
    let of =
        |wanted: &dyn Fn(Doubt) -> bool| report.reservations.iter().filter(|row| wanted(row.doubt)).count();
    let approved = of(&|doubt| doubt == Doubt::Concerns);
    let reacted = of(&|doubt| matches!(doubt, Doubt::Reacted(_)));
    let line = |count: usize, what: &str| (count > 0).then(|| format!("{count} of {seats} seats {what}"));
    let lines =
        [line(approved, "approved with concerns"), line(reacted, "argued against it in the discussion")];
    lines.into_iter().flatten().collect()
}

/// Free voices on opposed sides who then voted alike: what moved them was said nowhere.
fn opposed(report: &Report) -> Option<String> {
    let round = report.rounds.last()?;
    let mut conflicts = round.analysis.as_ref()?.conflicts.iter();
    let over_the_question = conflicts.any(|conflict| match conflict.about {
        Over::Side => true,
        Over::Point => false,
    });
    over_the_question.then(|| format!("opposite sides in round {}, then the same vote", round.round))
}

/// Judges whose reading of a round nobody has.
fn unread(report: &Report) -> Option<String> {
    let silent = |round: &Round| round.judged.iter().filter(|row| row.opinion.agreement.is_none()).count();
    let missing: usize = report.rounds.iter().map(|round| round.pending.len() + silent(round)).sum();
    (missing > 0).then(|| format!("{} missing", text::counted(missing as u64, "judgement")))
}

impl Report {
    /// Why nothing was decided. A vote that was never held had nobody vote in it.
    pub(super) fn undecided(&self, why: Why) -> &'static str {
        match why {
            Why::Quorum if self.ballots.is_empty() => "too few seats were left to vote",
            other => other.words(),
        }
    }

    /// Everyone in the dissent, once.
    pub fn dissenters(&self) -> Vec<&Who> {
        let mut who: Vec<&Who> = Vec::new();
        for row in &self.dissent {
            if !who.contains(&&row.who) {
                who.push(&row.who);
            }
        }
        who
    }
}
