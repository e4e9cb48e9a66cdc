//! A ring as a page: how it ended, each proposal with its votes, everything said, who took part.

use synod_core::ballot::{Grade, GradedVote, Tie};
use synod_core::kernel::text::one_line;
use synod_core::kernel::{Decision, UndecidedReason};
use synod_core::view::{ProposalRow, Report, ResultRow, Session};

use super::super::{ballots, spent, words};
use super::{Page, PageBlock};

/// What is behind the result of a ring.
pub(super) fn ring(page: &mut Page, report: &Report, ring: &Session) {
    page.fold("proposals", "Proposals", |page| {
        ring.proposals.iter().for_each(|put| proposal(page, report, ring, put));
    });
    page.fold("votes", "Votes", |page| vote(page, report, ring));
    page.fold("check", "What to check", |page| page.checks(report));
    page.fold("said", "Everything said", |page| said(page, report, ring));
    page.fold("record", "Participants and record", |page| record(page, report, ring));
}

fn record(page: &mut Page, report: &Report, ring: &Session) {
    let ended = ring.talk_ended.map(|why| format!("; the discussion ended: {}", why.words()));
    page.para(format!(
        "{} after {} of {} rounds under {}{}",
        ring.phase,
        ring.round,
        ring.rounds,
        report.charter.name,
        ended.unwrap_or_default()
    ));
    let members = ring.members.iter().map(|row| {
        let why = row.why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        format!("{} ({}){why}", row.name, row.state)
    });
    page.list(2, "Participants", members);
    page.list(2, "Skipped turns", ring.skips.iter().map(|row| words::skip(report, row)));
    page.list(2, "Rule violations", words::marks(report));
    page.list(2, "Problems", super::gaps(report));
    page.heading(2, "Record");
    let mut lines = vec![
        format!(
            "Matter {} ({}), charter {} ({})",
            report.number, report.matter, report.charter.name, report.charter.digest
        ),
        format!("Opened {}, last act {}", report.opened, report.last),
        spent(report),
    ];
    lines.extend(ring.vote.iter().map(|vote| {
        let rule = &vote.rule;
        let needs = rule.pass.words();
        format!("Rule: {needs} of {}, quorum {} of {}", rule.basis, rule.quorum, vote.seats)
    }));
    page.0.push(PageBlock::List(lines));
}

fn proposal(page: &mut Page, report: &Report, ring: &Session, put: &ProposalRow) {
    let carried = if ring.committed == Some(put.id) { ", accepted" } else { "" };
    page.heading(3, format!("Proposal {}: {}{carried}", put.letter, put.title));
    let version = if put.version > 1 { format!(", version {}", put.version) } else { String::new() };
    page.labelled(&format!("By {}{version}", words::name(report, &put.who)), Some(&put.text));
    page.labelled("First version", put.first.as_deref());
    for change in &put.amendments {
        let became = match change.accepted {
            Some(true) => "accepted",
            Some(false) => "declined",
            None => "left open",
        };
        let label = format!("Change suggested by {}, {became}", words::name(report, &change.who));
        page.labelled(&label, Some(&change.text));
        page.labelled("Reason", change.why.as_deref());
        page.labelled("Answer", change.answer.as_deref());
    }
    let result = ring.vote.as_ref().and_then(|vote| vote.results.iter().find(|row| row.proposal == put.id));
    if let Some(row) = result {
        page.para(counted(row));
        page.0.push(PageBlock::Table(&["Basis", "For", "Of", "Would pass"], bases(row)));
    }
}

/// The count of a proposal in a line.
pub(in super::super) fn counted(row: &ResultRow) -> String {
    let cast = row.grades.iter().filter(|(_, votes)| *votes > 0);
    let cast: Vec<String> = cast.map(|(grade, votes)| format!("{votes} {grade}")).collect();
    let cast = if cast.is_empty() { "no votes".into() } else { cast.join(", ") };
    let margin = match row.margin {
        Some(1) => "; 1 vote would have changed that".into(),
        Some(votes) => format!("; {votes} votes would have changed that"),
        None => String::new(),
    };
    let vetoed: Vec<&str> = row.vetoed.iter().map(|who| who.as_str()).collect();
    let vetoed = if vetoed.is_empty() { String::new() } else { format!("; vetoed by {}", vetoed.join(", ")) };
    // Alone it would have passed; the veto is why it does not.
    let word = match row.decision {
        Decision::Undecided(UndecidedReason::Vetoed) => "blocked",
        decision => decision.word(),
    };
    format!("{cast}: {word}{vetoed}{margin}")
}

fn bases(row: &ResultRow) -> Vec<Vec<String>> {
    let cells = |line: &synod_core::ballot::BasisShare| {
        let passes: Vec<String> = line.passes.iter().map(ToString::to_string).collect();
        vec![line.basis.to_string(), line.part.to_string(), line.whole.to_string(), passes.join(", ")]
    };
    row.bases.iter().map(cells).collect()
}

fn vote(page: &mut Page, report: &Report, ring: &Session) {
    let Some(vote) = &ring.vote else { return };
    page.para(format!("Agreement: {}", words::agreed(report)));
    if let Some(ballot) = report.deciding().filter(|ballot| ballot.tally.is_some()) {
        page.para(format!("Margin: {}", ballots::margin(ballot)));
    }
    if !vote.tied.is_empty() {
        let letters = vote.tied.iter().filter_map(|id| ring.proposal(*id)).map(|put| put.letter.to_string());
        let letters: Vec<String> = letters.collect();
        let rule = match vote.rule.tie {
            Tie::Earlier => "the earlier proposal wins",
            Tie::Undecided => "the result is undecided",
            Tie::Fails => "none is approved",
        };
        page.para(format!("{} are tied: under the charter {rule}", letters.join(" and ")));
    }
    for cast in &vote.votes {
        let letter = ring.proposal(cast.proposal).map_or('?', |put| put.letter);
        page.labelled(
            &format!(
                "{}: {} on proposal {letter}{}",
                words::name(report, &cast.who),
                cast.grade,
                changed(cast)
            ),
            cast.rationale.as_deref().or(Some("(no reason given)")),
        );
        page.points("Conditions", cast.conditions.iter().cloned());
        page.points("Requested changes", cast.changes.iter().cloned());
    }
    if vote.votes.is_empty() && !vote.seals.is_empty() {
        let seals = vote.seals.iter().map(|row| format!("{}: {}", row.who, row.seal));
        page.list(3, "Sealed votes", seals);
    }
    let missing: Vec<String> = vote.missing.iter().map(|who| words::name(report, who)).collect();
    if !missing.is_empty() {
        page.para(format!("Did not vote on every proposal: {}", missing.join(", ")));
    }
    if let Some(voters) = vote.voters {
        page.para(format!("{voters}, because participants share models"));
    }
}

fn changed(cast: &GradedVote) -> String {
    cast.changed_from.map(|from: Grade| format!(" (was {from})")).unwrap_or_default()
}

fn said(page: &mut Page, report: &Report, ring: &Session) {
    let mut round = None;
    for row in &ring.said {
        if round != Some(row.round) {
            page.heading(2, format!("Round {}", row.round));
            round = Some(row.round);
        }
        page.labelled(
            &format!("{} ({}), {}", words::name(report, &row.who), row.kind, row.id),
            Some(&row.text),
        );
    }
    let reactions = ring.reactions.iter().map(|row| {
        let to = ring.proposals.iter().find(|put| put.id.0 == row.to);
        let to = to.map_or_else(|| row.to.to_string(), |put| format!("proposal {}", put.letter));
        let text = row.text.as_deref().map(|text| format!(" ({})", one_line(text))).unwrap_or_default();
        let who = words::name(report, &row.who);
        format!("{who} to {to} in round {}: {}{text}", row.round, row.reaction.word())
    });
    page.list(2, "Reactions", reactions);
}
