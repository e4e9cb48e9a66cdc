//! The result in one line, and what a reader must know before trusting it.

use std::collections::BTreeSet;

use super::{BallotReport, Marked, RepairEffect, Report, answers, estimate, repairs};
use crate::ballot::{Method, RecordTrust, Tie};
use crate::brief::GUESSED;
use crate::kernel::{Choice, Decision, SeatKind, WeighedBy, Who, text};

/// The result in one line. A degraded result says so here, not in a footnote.
pub(super) fn headline(report: &Report) -> String {
    let mut line = match report.decision {
        None => unfinished(report),
        Some(_) if report.ring.is_some() => ended(report),
        Some(decision) => decided(report, decision),
    };
    if !report.caveats.is_empty() {
        let first = report.caveats.join("; ");
        line.push_str(&format!(" [degraded: {first}]"));
    }
    if report.redacted {
        line.push_str(" [redacted: its text was deleted]");
    }
    line
}

/// Where a matter stands that is not over.
fn unfinished(report: &Report) -> String {
    let stands = report.status.replace('_', " ");
    match &report.ring {
        Some(ring) if report.status == "running" => format!("NOT DECIDED YET: {}", ring.phase),
        Some(ring) => format!("NOT DECIDED YET: {}, {stands}", ring.phase),
        None => {
            let pending = report.pending.as_ref().map(|pending| format!("; {}", pending.words()));
            format!("NOT DECIDED YET: {stands}{}", pending.unwrap_or_default())
        }
    }
}

/// How a ring ended, in the words its agents know.
fn ended(report: &Report) -> String {
    let Some(ring) = &report.ring else { return String::new() };
    let chosen = ring.committed.and_then(|id| ring.proposal(id));
    let (veto, support) = (vetoed(report.deciding()), support(report.deciding(), chosen.is_some()));
    let what = match (chosen, ring.reason) {
        (Some(chosen), _) => Some(format!("proposal {}, {}", chosen.letter, chosen.title)),
        (None, Some(reason)) => Some(reason.to_string()),
        (None, None) => return ring.phase.to_string(),
    };
    let veto = match chosen {
        Some(_) => veto.map(|veto| format!("another proposal was {veto}")),
        None => veto,
    };
    told(ring.phase, [what, support, veto])
}

/// So much of the comment that resolved an issue stands in its headline, in characters.
const RESOLUTION_SHOWN: usize = 200;

fn decided(report: &Report, decision: Decision) -> String {
    let ballot = report.deciding();
    let what = match decision {
        Decision::Passed { option: Some(index) } => {
            Some(format!("{}, {}", Choice::letter(index), report.option(index)))
        }
        // A number says it all: there was no vote.
        Decision::Estimated(_) => {
            return told(
                &decision.word().to_uppercase(),
                [report.estimate.as_ref().map(|it| it.words.clone()), None, None],
            );
        }
        Decision::Passed { option: None } | Decision::Rejected => None,
        Decision::Resolved => return resolved(report),
        Decision::Closed => {
            report.issue.as_ref().and_then(|it| it.into).map(|into| format!("went into {into}"))
        }
        Decision::Undecided(why) => Some(report.undecided(why).to_string()),
        Decision::Contested => {
            let unread = ballot.map_or(0, |ballot| ballot.unparsed.len());
            Some(format!("{} could change the result", text::counted(unread as u64, "unreadable vote")))
        }
    };
    let chosen = matches!(decision, Decision::Passed { .. });
    let by = answers::proposed_by(report, decision);
    let what = what.map(|what| by.map_or(what.clone(), |by| format!("{what}; {by}")));
    told(&decision.word().to_uppercase(), [what, vetoed(ballot), support(ballot, chosen)])
}

/// How an issue ended. What was forced says so in its first word: nobody else may have agreed.
fn resolved(report: &Report) -> String {
    let shown = |text: &str| {
        let line = text::one_line(text);
        text::excerpt(line.trim_end_matches('.'), RESOLUTION_SHOWN).into_owned()
    };
    let word = Decision::Resolved.word().to_uppercase();
    match &report.resolution {
        None => word,
        Some(it) => {
            let word = if it.forced { format!("{word} BY FORCE") } else { word };
            let because = it.because.as_deref().map(|why| format!("because: {}", shown(why)));
            told(&word, [Some(format!("{}, by {}", shown(&it.text), it.who)), because, None])
        }
    }
}

/// `WORD: this; that`.
fn told(word: &str, parts: [Option<String>; 3]) -> String {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() { word.into() } else { format!("{word}: {}", parts.join("; ")) }
}

/// `2 of 3 votes for it, needs more than 1/2`. `chosen`: what leads is what was decided and named before.
fn support(ballot: Option<&BallotReport>, chosen: bool) -> Option<String> {
    let ballot = ballot?;
    let line = ballot.bases.iter().find(|line| line.basis == ballot.rule.basis)?;
    if line.whole == 0 {
        // Votes without any weight are the reason of the decision, which stands before this.
        return (ballot.cast() == 0).then(|| "nobody took a side".into());
    }
    let method = match ballot.rule.method {
        Method::Plurality => String::new(),
        method @ (Method::Borda
        | Method::Schulze
        | Method::InstantRunoff
        | Method::Approval
        | Method::Score) => format!("by {}, ", method.word()),
    };
    // Options that nobody voted for are equal, and no tie.
    let tied = ballot.tied.iter().filter(|_| ballot.for_leading() > 0);
    let tied: Vec<String> = tied.map(|option| Choice::letter(*option).to_string()).collect();
    let tie = match (tied.is_empty(), ballot.rule.tie) {
        (true, _) => String::new(),
        (false, Tie::Earlier) => format!("; {} are tied, the earlier leads", tied.join(" and ")),
        (false, Tie::Fails | Tie::Undecided) => format!("; {} are tied", tied.join(" and ")),
    };
    let lead = match chosen {
        true => format!("{} {} it", ballot.share(line), ballot.says()),
        false => ballot.lead(line),
    };
    // A vote that was stopped short: what it would have taken to end there.
    if let Some(bar) = ballot.missed() {
        return Some(format!(
            "{method}{lead} in {}, which needs {} to settle it{tie}",
            ballot.stage,
            bar.words()
        ));
    }
    Some(format!("{method}{lead}, needs {}{tie}", ballot.rule.pass.words()))
}

/// `vetoed by ann`, where somebody did.
fn vetoed(ballot: Option<&BallotReport>) -> Option<String> {
    match ballot.map(|ballot| ballot.vetoed.as_slice()).unwrap_or_default() {
        [] => None,
        some => Some(format!("vetoed by {}", some.iter().map(Who::as_str).collect::<Vec<_>>().join(", "))),
    }
}

/// What degrades a result, gravest first.
pub(super) fn caveats(report: &Report) -> Vec<String> {
    // Who was kept in reserve is neither missing nor did they rehearse.
    let seats = report.asked().count();
    let mut caveats = super::issue::caveats(report);
    caveats.extend(unreasoned(report));
    let silent: BTreeSet<_> = report.missing.iter().map(|missing| &missing.who).collect();
    if !silent.is_empty() {
        let names = silent.iter().map(|who| who.as_str()).collect::<Vec<_>>().join(", ");
        // Nobody has a seat in an issue: they were invited, one by one.
        caveats.push(match report.is_issue() {
            true => {
                let answers = text::counted(report.missing.len() as u64, "invited answer");
                format!("{answers} missing ({names})")
            }
            false => format!("{} of {seats} seats missing an answer ({names})", silent.len()),
        });
    }
    for (side, whose) in &report.never_made {
        let side = if *side == Choice::Yes { "for" } else { "against" };
        let names = whose.iter().map(Who::as_str).collect::<Vec<_>>().join(", ");
        caveats.push(format!("the case {side} was never made: {names} did not argue it"));
    }
    for row in report.requirements.iter().filter(|row| !row.unmet.is_empty()) {
        let names = row.unmet.iter().map(|(who, _)| who.as_str()).collect::<Vec<_>>().join(", ");
        caveats.push(format!("requirement not met, says {names}: {}", row.text));
    }
    for row in report.requirements.iter().filter(|row| row.is_open() && report.decision.is_some()) {
        caveats.push(format!("no seat says that the requirement is met: {}", row.text));
    }
    if report.missing.iter().any(|missing| missing.cause.code.starts_with("budget/")) {
        caveats.push("the budget ran out".into());
    }
    let unread = report.deciding().map_or(0, |ballot| ballot.unparsed.len());
    if unread > 0 {
        caveats.push(text::counted(unread as u64, "unreadable vote"));
    }
    caveats.extend(trusted(report).map(String::from));
    let lost: Vec<&str> = report
        .deciding()
        .and_then(|ballot| ballot.count.as_ref())
        .map(|count| count.lost.iter().map(|lost| lost.who.as_str()).collect())
        .unwrap_or_default();
    if !lost.is_empty() {
        let votes = text::counted(lost.len() as u64, "delegated vote");
        caveats.push(format!("{votes} reached nobody ({})", lost.join(", ")));
    }
    let guessed = report.deciding().map_or(0, |ballot| {
        let in_prose = |vote: &&crate::ballot::Vote| vote.repairs.iter().any(|repair| repair.code == GUESSED);
        ballot.votes.iter().filter(in_prose).count()
    });
    if guessed > 0 {
        caveats.push(format!("{} read from prose", text::counted(guessed as u64, "vote")));
    }
    if let incomplete @ 1.. = repairs::answers_with(report, RepairEffect::Incomplete) {
        caveats.push(text::counted(incomplete as u64, "incomplete answer"));
    }
    if let repaired @ 1.. = repairs::answers_with(report, RepairEffect::Changed) {
        caveats.push(format!("{} repaired", text::counted(repaired as u64, "answer")));
    }
    let stage = report.deciding().map(|ballot| ballot.stage.as_str());
    let in_vote =
        |row: &&Marked| row.violation.code == "ballot/conformity" && Some(row.what.as_str()) == stage;
    let along = report.marked.iter().filter(in_vote).count();
    if along > 0 {
        caveats.push(format!("{} changed without a new argument", text::counted(along as u64, "vote")));
    }
    caveats.extend(answers::caveats(report));
    caveats.extend(estimate::caveats(report));
    caveats.extend(left(report));
    caveats.extend(shared_models(report));
    caveats
}

/// Seats that did not reason: nobody weighed this question there.
fn unreasoned(report: &Report) -> Option<String> {
    let seats = report.asked().count();
    let of = |kind: SeatKind| report.asked().filter(|row| row.seat.kind == kind).count();
    match (of(SeatKind::Rehearsal), of(SeatKind::Scripted)) {
        // A script may quote a model, but it was written before the question was asked.
        (0, scripts) if scripts > 0 && scripts == seats => {
            Some("scripted answers only, nobody reasoned".into())
        }
        (0, _) => None,
        (rehearsing, _) if rehearsing == seats => Some("rehearsal only, nobody reasoned".into()),
        (rehearsing, _) => Some(format!("{rehearsing} of {seats} seats only rehearsed")),
    }
}

/// Participants of a ring who left it before it was over, or were removed by the operator.
fn left(report: &Report) -> Option<String> {
    let members = &report.ring.as_ref()?.members;
    let gone = |removed: bool, word: &str| {
        let gone = members.iter().filter(|row| row.state == "gone" && row.removed == removed);
        let gone: Vec<&str> = gone.map(|row| row.name.as_str()).collect();
        let (some, all, names) = (gone.len(), members.len(), gone.join(", "));
        (some > 0).then(|| format!("{some} of {all} participants {word} ({names})"))
    };
    let told: Vec<String> = [gone(false, "left"), gone(true, "removed")].into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join("; "))
}

/// Where seats share a model: they are fewer independent voters than seats.
fn shared_models(report: &Report) -> Option<String> {
    let voters = report.voters?;
    let models: BTreeSet<Option<&str>> = report.asked().map(|row| row.seat.model.as_deref()).collect();
    match models.first() {
        Some(Some(model)) if models.len() == 1 => Some(format!("{voters}, because all seats use {model}")),
        Some(_) | None => Some(format!("{voters}, because seats share models")),
    }
}

/// What to know of votes that were to be weighed by track record.
fn trusted(report: &Report) -> Option<&'static str> {
    match report.deciding()?.trust.as_ref()? {
        RecordTrust::TooFew { .. } => {
            Some("too few track records to weight votes, so each seat has one vote")
        }
        RecordTrust::NoneAhead => Some("no track record is better than chance, so each seat has one vote"),
        RecordTrust::Learned(learned) => match learned.by {
            WeighedBy::Errors => None,
            WeighedBy::Equal => Some("track records did not help, so each seat has one vote"),
            WeighedBy::Best => Some("the seat with the best track record decided"),
            WeighedBy::LeastBad => {
                Some("no track record is better than guessing, so the best of them decided")
            }
        },
        RecordTrust::Weights(_) => None,
    }
}
