//! What to do with a result. One function decides it for every view, export, receipt and API answer. A program may act on
//! it: only a clear result that nothing degrades may be acted on unseen.

use serde::Serialize;

use super::ballots::Backing;
use super::dissent::is_with;
use super::{BallotReport, Doubt, Report, Round, estimate};
use crate::kernel::{Decision, Permille, SeatKind, UndecidedReason, Who, text};
use crate::watch::{Cluster, ConflictSubject, Level};

/// Below this mean confidence of the winning side, in thousandths, there is nothing to act on: those who carried the
/// result think it more likely wrong than right.
const DOUBTED: u16 = 500;
/// From this mean confidence on, in thousandths, a result may be acted on unseen. One in five may still be wrong.
const SURE: u16 = 800;
/// So many independent voters carry a result: one voice agrees with nobody.
const VOICES: u32 = 2;
/// Judges' readings of one round that differ by this much, in thousandths, do not support the result.
const APART: u16 = 300;

/// The recommended way to handle a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Recommendation {
    /// It passed, the winning side is sure, and nothing degrades it: do it.
    Proceed,
    /// It was turned down, and nothing degrades that: do not do it.
    Reject,
    /// It leans one way; look at what speaks against it first.
    Verify,
    /// There is no result to act on: ask further.
    QueryDetail,
}

impl Recommendation {
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
    pub action: Recommendation,
    /// Why no more than that.
    pub why: String,
}

/// What to do with the result.
pub(super) fn advice(report: &Report) -> Advice {
    let say = |action, why: &str| Advice { action, why: why.into() };
    if let Some(advice) = estimate::advice(report) {
        return advice;
    }
    if let Some(why) = unusable(report) {
        return say(Recommendation::QueryDetail, &why);
    }
    match (doubts(report).as_slice(), report.decision) {
        ([], Some(Decision::Passed { .. })) => {
            say(Recommendation::Proceed, "nobody disagreed and nothing degrades it")
        }
        ([], _) => say(Recommendation::Reject, "nobody was for it and nothing degrades that"),
        (some, _) => say(Recommendation::Verify, &some.join("; ")),
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
        Some(Decision::Passed { .. } | Decision::Rejected | Decision::Estimated(_)) => (),
        Some(Decision::Resolved | Decision::Closed) => return Some("issues are not voted on".into()),
    }
    if nobody_reasoned(report) {
        return Some("nobody reasoned".into());
    }
    if report.deciding().is_some_and(|ballot| ballot.tally.is_some() && ballot.cast() == 0) {
        return Some("nobody took a side".into());
    }
    match report.level {
        Level::Unknown => return Some("it is unknown how far the seats agree".into()),
        Level::Low => return Some("the seats hardly agree".into()),
        Level::Medium | Level::High => (),
    }
    // Of a secret vote how sure anybody is is not shown, and a ring does not ask for it.
    if is_hidden(report) || report.ring.is_some() {
        return None;
    }
    match report.confidence {
        Some(mean) if mean.get() < DOUBTED => {
            Some(format!("mean confidence of the winning side is {mean}, below {}", bar(DOUBTED)))
        }
        Some(_) => None,
        None if nobody_says_how_sure(report) => {
            Some("nobody on the winning side stated a confidence, so how sure they are is unknown".into())
        }
        None => None,
    }
}

/// Whether every seat that was asked only rehearsed or read from a script: nobody weighed this question.
pub(super) fn nobody_reasoned(report: &Report) -> bool {
    report.asked().all(|row| match row.seat.kind {
        SeatKind::Rehearsal | SeatKind::Scripted => true,
        SeatKind::Model | SeatKind::Person | SeatKind::CommandLine | SeatKind::Outside => false,
    })
}

/// Whether those who carried the result voted and not one of them said how sure they are.
fn nobody_says_how_sure(report: &Report) -> bool {
    let (Some(ballot), Some(decision)) = (report.deciding(), report.decision) else { return false };
    let mut with = ballot.votes.iter().filter(|vote| is_with(vote, decision)).peekable();
    with.peek().is_some() && with.all(|vote| vote.confidence.is_none())
}

/// Whether who voted how is not to be shown. Then nothing may be said that would be otherwise had others cast the same
/// votes: only counts are no secret.
fn is_hidden(report: &Report) -> bool {
    report.deciding().is_some_and(|ballot| ballot.hidden)
}

/// Why a result may not be acted on unseen by how sure those are who carried it.
fn sureness(report: &Report) -> Option<String> {
    match report.confidence {
        // A ring does not ask for confidence.
        _ if report.ring.is_some() => None,
        _ if is_hidden(report) => {
            Some("the votes are secret, so how sure the winners are is not shown".into())
        }
        Some(mean) if mean.get() < SURE => {
            Some(format!("mean confidence of the winning side is {mean}, below {}", bar(SURE)))
        }
        Some(_) => None,
        None => Some("not everyone on the winning side stated a confidence".into()),
    }
}

/// A bar in thousandths, as confidences are written.
fn bar(thousandths: u16) -> String {
    Permille::new(thousandths).map(|bar| bar.to_string()).unwrap_or_default()
}

/// What speaks against acting on a result at once.
fn doubts(report: &Report) -> Vec<String> {
    let mut found = report.caveats.clone();
    found.extend(conditional(report));
    found.extend(disagreed(report));
    found.extend(unclear(report));
    found.extend(unanswered(report));
    found.extend(concerns(report));
    found.extend(sureness(report));
    let said = report.rounds.iter().flat_map(|round| &round.said);
    if let broken @ 1.. = said.filter(|said| !said.violations.is_empty()).count() {
        found.push(format!("{} marked for breaking the charter", text::counted(broken as u64, "statement")));
    }
    let signs =
        report.rounds.last().and_then(|round| round.analysis.as_ref()).map_or(0, |it| it.groupthink.len());
    if signs > 0 {
        found.push(format!("{} of possible groupthink", text::counted(signs as u64, "sign")));
    }
    found.extend(opposed(report));
    found.extend(unread(report));
    found.extend(apart(report));
    found
}

/// Requirements of the question that some seats do not say are met. Where no seat does, that is a caveat already.
fn unanswered(report: &Report) -> Vec<String> {
    let open = report.requirements.iter().filter(|row| !row.unclear.is_empty() && !row.is_open());
    let names = |row: &super::Requirement| row.unclear.iter().map(Who::as_str).collect::<Vec<_>>().join(", ");
    open.map(|row| format!("{} did not say whether it meets: {}", names(row), row.text)).collect()
}

/// A result that depends on something is one to act on only once that is so.
fn conditional(report: &Report) -> Option<String> {
    let conditions = report.conditions().len();
    let passed = matches!(report.decision, Some(Decision::Passed { .. }));
    (passed && conditions > 0)
        .then(|| format!("it depends on {}", text::counted(conditions as u64, "condition")))
}

/// `1 of 3 seats disagreed`.
fn disagreed(report: &Report) -> Option<String> {
    let (against, seats) = (against(report), report.deciding()?.tally.as_ref()?.seats);
    (against > 0).then(|| format!("{against} of {seats} seats disagreed"))
}

/// How many the result went against. Of a secret vote the seats are counted, not those who voted for them.
fn against(report: &Report) -> usize {
    match report.deciding().filter(|ballot| ballot.hidden) {
        Some(ballot) => ballot.cast().saturating_sub(carrying(report, ballot).seats) as usize,
        None => report.dissenters().len(),
    }
}

/// Those who carried the result.
fn carrying(report: &Report, ballot: &BallotReport) -> Backing {
    match report.decision {
        Some(Decision::Rejected) => ballot.refusing,
        Some(Decision::Passed { .. } | Decision::Estimated(_)) => ballot.backing,
        Some(Decision::Undecided(_) | Decision::Contested) | None => ballot.backing,
        Some(Decision::Resolved | Decision::Closed) => ballot.backing,
    }
}

/// Where too few carried a result for it to be clear.
fn unclear(report: &Report) -> Option<String> {
    let ballot = report.deciding()?;
    let tally = ballot.tally.as_ref()?;
    let rejected = report.decision? == Decision::Rejected;
    // What passed was not vetoed. In a ring another proposal may have been.
    if let ([by, ..], true) = (ballot.vetoed.as_slice(), rejected) {
        return Some(format!("vetoed by {by}"));
    }
    if !ballot.tied.is_empty() && ballot.for_leading() > 0 {
        return Some("it is a tie that the charter broke".into());
    }
    let Backing { seats, voters } = carrying(report, ballot);
    if rejected && seats <= ballot.for_leading() {
        return Some("it was not voted down: support stayed below the threshold".into());
    }
    // Who votes for others too is still one voice. Of a secret vote only seats are counted.
    if voters < VOICES && voters < seats && !ballot.hidden {
        return Some(format!("1 voter cast all {seats} votes for the result"));
    }
    let few = seats < VOICES || report.level == Level::Medium && against(report) == 0;
    few.then(|| format!("only {seats} of {} seats voted for the result", tally.seats))
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
    let (round, ballot, decision) = (report.rounds.last()?, report.deciding()?, report.decision?);
    if ballot.hidden || !report.dissent.is_empty() {
        return None;
    }
    let carried = |side: &Cluster| {
        ballot.votes.iter().any(|vote| is_with(vote, decision) && side.who.contains(&vote.who))
    };
    let mut conflicts = round.analysis.as_ref()?.conflicts.iter();
    let alike = conflicts.any(|conflict| match conflict.about {
        ConflictSubject::Side => carried(&conflict.one) && carried(&conflict.other),
        ConflictSubject::Point => false,
    });
    alike.then(|| format!("opposite sides in round {}, then the same vote", round.round))
}

/// Judges who read the last round differently. One judge differs from nobody.
fn apart(report: &Report) -> Option<String> {
    let judged = report.rounds.last()?.judged.iter();
    let readings: Vec<Permille> = judged.filter_map(|row| row.opinion.agreement).collect();
    let (least, most) = (readings.iter().min()?, readings.iter().max()?);
    let apart = most.get() - least.get() >= APART;
    apart.then(|| format!("judges' readings of agreement range from {least} to {most}"))
}

/// Judges whose reading of a round nobody has.
fn unread(report: &Report) -> Option<String> {
    let silent = |round: &Round| round.judged.iter().filter(|row| row.opinion.agreement.is_none()).count();
    let missing: usize = report.rounds.iter().map(|round| round.pending.len() + silent(round)).sum();
    (missing > 0).then(|| format!("{} missing", text::counted(missing as u64, "judgement")))
}

impl Report {
    /// Why nothing was decided. A vote that was never held had nobody vote in it.
    pub(super) fn undecided(&self, why: UndecidedReason) -> &'static str {
        match why {
            // The vote that would have settled it was never held.
            UndecidedReason::Quorum if self.ballots.iter().all(|ballot| !ballot.settled) => {
                "too few seats were left to vote"
            }
            // A ring has proposals, and says so itself.
            other if self.ring.is_some() => {
                self.ring.as_ref().and_then(|ring| ring.reason).unwrap_or(other.words())
            }
            other => other.words(),
        }
    }

    /// Everyone without an answer to something, once.
    pub fn silent(&self) -> Vec<Who> {
        let mut who: Vec<Who> = Vec::new();
        for row in &self.missing {
            if !who.contains(&row.who) {
                who.push(row.who.clone());
            }
        }
        who
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
