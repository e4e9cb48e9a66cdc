//! A decision that a person at the terminal reads in ten seconds: one screen with the decision, why, on which conditions,
//! who is against it, who is missing, the cost and the record. Details follow. Empty items have no line; everything that
//! degrades the result has one.

use std::fmt::Write as _;

use synod_core::ballot::GradedVote;
use synod_core::kernel::Choice;
use synod_core::kernel::text::{counted, excerpt, one_line};
use synod_core::view::{BallotReport, ProposalRow, RepairEffect, Report, Session};

use super::compare::wrapped;
use super::{ballots, kinds, motion, page, spent, words};
use crate::out::{self, clean};
use crate::outcome;

/// The decision, where its record is, and the command that checks it.
pub(crate) fn decision(report: &Report, receipt: &str, check: &str) -> String {
    let record = [format!("{}, receipt {receipt}", matter(report)), format!("check it: {check}")];
    sheet(report, &record)
}

/// The same, where no receipt was written just now.
pub(crate) fn summary(report: &Report) -> String {
    let number = report.number;
    let all = match report.is_issue() {
        true => format!("`synod issue show {number}` shows the thread"),
        false => format!("`synod export {number}` shows all of it"),
    };
    sheet(report, &[format!("{}; {all}", matter(report))])
}

fn matter(report: &Report) -> String {
    format!("matter {} ({})", report.number, report.matter)
}

fn sheet(report: &Report, record: &[String]) -> String {
    let mut sheet = LabelledLines { out: String::new(), width: out::screen_width() };
    sheet.line("");
    sheet.line(&one_line(&report.headline));
    sheet.line("");
    sheet.first_screen(report, record);
    for (who, synthesis) in &report.syntheses {
        sheet.line("");
        sheet.line(&format!("{}:", words::summary_title(report, who)));
        let parts = [&synthesis.summary, &synthesis.recommendation].into_iter().flatten();
        sheet.rows("", parts.map(|part| excerpt(&one_line(part), SUMMARY).into_owned()));
    }
    sheet.line("");
    sheet.line("Details");
    match &report.ring {
        Some(ring) => sheet.ring(report, ring),
        None => sheet.council(report),
    }
    clean(&sheet.out)
}

/// How much of a reason stands on the first screen, in characters; the export has all of it.
const REASON: usize = 240;
/// How much of a summary is shown, in characters.
const SUMMARY: usize = 1200;

/// A vote of a ring in a line.
fn graded(report: &Report, ring: &Session, cast: &GradedVote) -> String {
    let letter = ring.proposal(cast.proposal).map_or('?', |put| put.letter);
    let was = cast.changed_from.map(|from| format!(" (was {from})")).unwrap_or_default();
    let why = cast.rationale.as_deref().map(|why| format!("  {}", words::short(why))).unwrap_or_default();
    format!("{} on {letter}: {}{was}{why}", words::name(report, &cast.who), cast.grade)
}

/// Lines with a label before the first of each kind.
struct LabelledLines {
    out: String,
    /// The columns of the terminal; none where lines are for another program, which breaks them itself or not at all.
    width: Option<usize>,
}

/// The columns of a label and the blank after it.
const LABEL: usize = 9;

impl LabelledLines {
    fn line(&mut self, line: &str) {
        let lines = self.width.map_or_else(|| vec![line.to_string()], |width| wrapped(line, width));
        for line in lines {
            let _ = writeln!(self.out, "{}", line.trim_end());
        }
    }

    fn rows(&mut self, label: &str, lines: impl IntoIterator<Item = String>) {
        for (nth, line) in lines.into_iter().enumerate() {
            let parts = match self.width {
                Some(width) => wrapped(&line, width.saturating_sub(LABEL).max(20)),
                None => vec![line],
            };
            for (part, text) in parts.iter().enumerate() {
                let label = if nth + part == 0 { label } else { "" };
                let _ = writeln!(self.out, "{}", format!("{label:<8} {text}").trim_end());
            }
        }
    }

    fn row(&mut self, label: &str, line: impl Into<String>) {
        self.rows(label, [line.into()]);
    }

    /// What one has to know: the decision, why, on which conditions, who is against it, who is missing, cost and record.
    fn first_screen(&mut self, report: &Report, record: &[String]) {
        self.row("Question", words::short(&report.question.topic));
        self.rows("Outcome", report.outcome.iter().flat_map(outcome::lines));
        self.row("Advice", format!("{}: {}", report.advice.action.word(), report.advice.why));
        let ballot = report.deciding();
        if report.ring.is_none() {
            self.rows("Answers", kinds::answers(report));
            self.rows("Numbers", kinds::numbers(report));
            let outside = kinds::outside(report).into_iter();
            self.rows(
                "Outside",
                outside.map(|(who, why)| format!("{who}: {}", excerpt(&one_line(&why), REASON))),
            );
            self.rows("Votes", ballot.into_iter().flat_map(|ballot| votes(report, ballot)));
        }
        self.rows("Decided", words::decided(report));
        self.rows("Votes", words::grades(report));
        self.rows("Why", first(why(report).into_iter()));
        let conditions: Vec<String> = words::conditions(report);
        self.rows("Provided", first(conditions.into_iter()));
        self.rows("Must", words::requirements(report));
        self.rows("Dissent", dissent(report));
        self.rows("Doubts", reservations(report));
        let missing: Vec<String> = report.missing.iter().map(|row| words::missing(report, row)).collect();
        // Before it is over, those still to answer are not missing.
        if missing.is_empty() && report.decision.is_some() {
            self.row("Missing", "nobody");
        }
        self.rows("Missing", first(missing.into_iter()));
        self.rows("Reserve", reserve(report));
        self.row("Cost", spent(report));
        self.rows("Record", record.iter().cloned());
    }

    /// The details of a council, in the four layers of the answer.
    fn council(&mut self, report: &Report) {
        for (label, line) in report.parliament.iter().flat_map(|motion| motion::rows(report, motion)) {
            self.row(label, line);
        }
        self.count(report);
        self.seats(report);
        self.evidence(report);
        self.metadata(report);
    }

    /// A ring: where it is, what was proposed, how the votes went, who took part.
    fn ring(&mut self, report: &Report, ring: &Session) {
        self.row("Agreed", words::agreed(report));
        let ended = ring.talk_ended.map(|why| format!(", discussion ended: {}", why.words()));
        let ended = ended.unwrap_or_default();
        self.row("Phase", format!("{}, round {} of {}{ended}", ring.phase, ring.round, ring.rounds));
        self.rows("Floor", ring.holder.iter().map(|holder| words::name(report, &holder.who)));
        ring.proposals.iter().for_each(|put| self.proposal(report, ring, put));
        if let Some(vote) = &ring.vote {
            self.rows("Votes", vote.votes.iter().map(|cast| graded(report, ring, cast)));
            let sealed = (vote.votes.is_empty() && !vote.seals.is_empty())
                .then(|| format!("{} sealed", counted(vote.seals.len() as u64, "vote")));
            self.rows("Votes", sealed);
        }
        if let Some(ballot) = report.deciding().filter(|ballot| ballot.tally.is_some()) {
            self.row("Support", support(ballot));
            self.row("Margin", ballots::margin(ballot));
            self.rows(
                "Voters",
                ballot.voters.map(|voters| format!("{voters}, because participants share models")),
            );
        }
        let members = ring.members.iter().map(|row| {
            let why = row.why.as_ref().map(|why| format!(": {}", one_line(why))).unwrap_or_default();
            format!("{} {}{why}", row.name, row.state)
        });
        self.rows("Members", members);
        self.rows("Skipped", ring.skips.iter().map(|row| words::skip(report, row)));
        self.rows("Marked", words::marks(report));
        let (said, reacted) = (ring.said.len() as u64, ring.reactions.len() as u64);
        let lines = format!("{}, {}", counted(said, "statement"), counted(reacted, "reaction"));
        self.row("Said", format!("{lines}; `synod export` shows all of it"));
        self.row("Charter", format!("{} ({})", report.charter.name, report.charter.digest.short()));
    }

    /// A proposal, with what became of it.
    fn proposal(&mut self, report: &Report, ring: &Session, put: &ProposalRow) {
        let carried = if ring.committed == Some(put.id) { ", accepted" } else { "" };
        let version = if put.version > 1 { format!(", version {}", put.version) } else { String::new() };
        let by = words::name(report, &put.who);
        self.row(
            &put.letter.to_string(),
            format!("{} (by {by}{version}{carried})", words::short(&put.title)),
        );
        self.row("", words::short(&put.text));
        self.rows("", put.first.iter().map(|first| format!("first version: {}", words::short(first))));
        let found =
            ring.vote.as_ref().and_then(|vote| vote.results.iter().find(|row| row.proposal == put.id));
        self.rows("", found.map(page::counted));
    }

    /// Layer one: how the votes were counted, and how far the seats agree.
    fn count(&mut self, report: &Report) {
        // The spread says how far numbers agree.
        self.rows("Agreed", report.estimate.is_none().then(|| words::agreed(report)));
        self.rows("Sure", words::sureness(report));
        if let Some(ballot) = report.deciding() {
            self.row("Support", support(ballot));
            self.rows("Margin", ballot.settled.then(|| ballots::margin(ballot)));
            self.rows("Count", ballots::standing(ballot).into_iter().chain(ballots::besides(report, ballot)));
            self.rows("Voters", ballot.voters.map(|voters| format!("{voters}, because seats share models")));
        }
        self.rows("Moved", words::moves(report));
    }

    /// Layer two: who took part, who did not.
    fn seats(&mut self, report: &Report) {
        self.rows("Seats", seats(report));
        let pending: Vec<_> = report.rounds.iter().flat_map(|round| &round.pending).collect();
        let unserved = report.unserved.iter().filter(|row| !pending.contains(row));
        self.rows("No reply", unserved.map(|row| words::missing(report, row)));
        self.rows("Marked", words::marks(report));
        self.rows("Retried", retried(report));
        self.rows("Cut off", words::repairs(report, RepairEffect::Incomplete));
        self.rows("Repaired", words::repairs(report, RepairEffect::Changed));
        self.rows("Unread", words::repairs(report, RepairEffect::Unread));
        self.rows("Format", words::repairs(report, RepairEffect::Format));
    }

    /// Layer three: what it rests on and what speaks against it. Short: `export` has all of it.
    fn evidence(&mut self, report: &Report) {
        let last = report.rounds.iter().rev().find_map(|round| round.analysis.as_ref());
        if let Some(found) = last {
            let conflicts = found.conflicts.iter().map(|row| words::short(&words::conflict(report, row)));
            self.rows("Conflict", first(conflicts));
            let common = found.common_ground.iter().map(|row| words::short(&words::point(report, row)));
            self.rows("Common", first(common));
            let signs = words::signs(report, found);
            self.rows("Warning", signs.into_iter().map(|sign| format!("possible groupthink: {sign}")));
        }
        self.rows("Judged", report.rounds.iter().filter_map(|round| words::judged(report, round)));
        if let sources @ 1.. = report.citations.len() {
            self.row("Sources", format!("{}, not checked", counted(sources as u64, "source")));
        }
        self.rows("Check", first(words::checks(report, false).into_iter()));
        let asked = report.requests.iter().map(|row| words::short(&words::request(report, row)));
        self.rows("Asked", asked.chain(words::refused(report)));
    }

    /// Layer four: how it came about.
    fn metadata(&mut self, report: &Report) {
        self.rows("Ended", words::exits(report));
        self.rows("Forked", words::forked(report));
        let motion = report.motion.as_ref().map(|kind| format!(", as a {kind} motion")).unwrap_or_default();
        self.row("Charter", format!("{} ({}){motion}", report.charter.name, report.charter.digest.short()));
    }
}

/// The first few of many lines, and how many more there are.
fn first(lines: impl ExactSizeIterator<Item = String>) -> impl Iterator<Item = String> {
    const FEW: usize = 3;
    let more = lines.len().saturating_sub(FEW);
    lines.take(FEW).chain((more > 0).then(|| format!("and {more} more (see synod export)")))
}

/// The reasons of the winning side.
fn why(report: &Report) -> Vec<String> {
    let hidden = report.deciding().is_some_and(|ballot| ballot.hidden);
    if hidden && report.decision.is_some() {
        return report.deciding().map(|ballot| ballots::unseen(ballot).into()).into_iter().collect();
    }
    let line = |row: synod_core::view::Reason<'_>| {
        let reason = row.reason.map_or("(no reason given)".into(), one_line);
        format!("{}: {}", words::name(report, row.who), excerpt(&reason, REASON))
    };
    report.why().into_iter().map(line).collect()
}

fn votes(report: &Report, ballot: &BallotReport) -> Vec<String> {
    let Some(tally) = &ballot.tally else { return Vec::new() };
    let mut lines = Vec::new();
    let marked = ballot.count.as_ref().is_some_and(|count| count.standing.is_some());
    if marked {
        for vote in &ballot.votes {
            lines.push(format!("{}  {}", words::name(report, &vote.who), ballots::vote(report, vote)));
        }
        for (votes, word) in [(tally.no, "NONE"), (tally.neutral, "ABSTAIN")] {
            lines.extend((votes > 0 && ballot.hidden).then(|| format!("{votes} {word}")));
        }
    }
    for choice in tally.choices().into_iter().filter(|_| !marked) {
        let voters = ballot.votes.iter().filter(|vote| vote.choice == choice);
        let voters: Vec<String> = voters
            .map(|vote| match words::changed(report, vote) {
                Some(changed) => format!("{} ({changed})", words::name(report, &vote.who)),
                None => words::name(report, &vote.who),
            })
            .collect();
        let votes = tally.votes_for(choice);
        if votes == 0 && choice == Choice::Neutral {
            continue;
        }
        let option = match choice {
            Choice::Option(index) => format!(" {}", report.option(index)),
            Choice::Yes | Choice::No | Choice::Neutral => String::new(),
        };
        let word = words::ballot_word(report, choice);
        lines.push(format!("{votes} {word}{option}  {}", voters.join(", ")));
    }
    if let unread @ 1.. = ballot.unparsed.len() {
        lines.push(format!("{unread} unreadable  {}", words::names(report, &ballot.unparsed)));
    }
    lines
}

/// Seats that were not needed, since those asked first agreed: a reader must not take them for voters.
fn reserve(report: &Report) -> Option<String> {
    let names = || words::names(report, &report.reserve);
    (!report.reserve.is_empty()).then(|| format!("{}, not asked", names()))
}

fn support(ballot: &BallotReport) -> String {
    if ballot.bases.is_empty() {
        return "not counted: the vote was not closed".into();
    }
    let amount = |votes: u32| ballot.amount(votes.into());
    let share = |line: &synod_core::ballot::BasisShare| {
        format!("{}/{} {}", amount(line.part), amount(line.whole), line.basis)
    };
    let shares: Vec<String> = ballot.bases.iter().map(share).collect();
    let rule = ballot.bases.iter().find(|line| line.basis == ballot.rule.basis);
    let passes = rule
        .map(|line| line.passes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        .unwrap_or_default();
    let passes = if passes.is_empty() { "no threshold".into() } else { passes };
    let bar =
        ballot.missed().map(|bar| format!("; {} would have settled it", bar.words())).unwrap_or_default();
    format!("{}; of {} it passes {passes}{bar}", shares.join(", "), ballot.rule.basis)
}

fn dissent(report: &Report) -> Vec<String> {
    if report.dissent.is_empty() && report.decision.is_some() && report.deciding().is_some() {
        let hidden = report.deciding().is_some_and(|ballot| ballot.hidden);
        return vec![if hidden { "not shown".into() } else { "none".into() }];
    }
    let lines = report.dissent.iter().flat_map(|row| {
        let who = words::name(report, &row.who);
        let choice = ballots::against(report, row);
        let reason = row.reason.as_deref().map_or("(no reason given)".into(), one_line);
        let change = row.change_if.as_deref().map(|change| format!("would change if: {}", one_line(change)));
        let more = conditions(&row.conditions, &row.changes);
        std::iter::once(format!("{who} {choice}: {reason}")).chain(change).chain(more)
    });
    lines.collect()
}

/// What those say who did not vote against the result.
fn reservations(report: &Report) -> Vec<String> {
    let lines = report.reservations.iter().flat_map(|row| {
        let (who, doubt) = (words::name(report, &row.who), ballots::doubt(row));
        let reason = row.reason.as_deref().map_or("(no reason given)".into(), one_line);
        std::iter::once(format!("{who} {doubt}: {reason}")).chain(conditions(&row.conditions, &row.changes))
    });
    lines.collect()
}

fn conditions<'a>(conditions: &'a [String], changes: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let conditions = conditions.iter().map(|text| format!("condition: {}", one_line(text)));
    conditions.chain(changes.iter().map(|text| format!("requested change: {}", one_line(text))))
}

/// The seats in a row; a line each where they had parts of their own.
fn seats(report: &Report) -> Vec<String> {
    let plain = report.seats.iter().all(|row| words::part(report, row).is_empty());
    let line = |row: &synod_core::view::SeatReport| {
        let seat = format!("{} = {}", row.seat.name, row.seat.backend);
        let part = words::part(report, row);
        if part.is_empty() { seat } else { format!("{seat} ({})", part.join("; ")) }
    };
    let clerk = |seat: &synod_core::kernel::Seat| format!("{} = {} (no vote)", seat.name, seat.backend);
    let lines: Vec<String> = report.seats.iter().map(line).chain(report.clerks.iter().map(clerk)).collect();
    if plain { vec![lines.join(", ")] } else { lines }
}

fn retried(report: &Report) -> Vec<String> {
    let line = |row: &synod_core::view::Retried| {
        let codes: Vec<&str> = row.tries.iter().map(|attempt| attempt.cause.code.as_str()).collect();
        let tries = counted(codes.len() as u64, "call");
        let who = words::name(report, &row.who);
        format!("{who} in {}: {tries} failed first ({})", row.what, codes.join(", "))
    };
    report.retried.iter().map(line).collect()
}
