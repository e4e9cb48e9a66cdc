//! A motion in lines: how the debate counted with and without ordered speech, who spoke under an order, whose vote differs.

use synod_core::dissent::{DissentReason, StanceCount};
use synod_core::kernel::Who;
use synod_core::kernel::text::counted;
use synod_core::view::{DivergenceRow, MotionView, Report, TeamRow};

use super::words;

/// A few of many rows are named on one screen.
const FEW: usize = 8;

/// What is known of a motion, each with its label.
pub(crate) fn rows(report: &Report, motion: &MotionView) -> Vec<(&'static str, String)> {
    let name = |who: &Who| words::name(report, who);
    let mut rows = vec![("Motion", status(report, motion))];
    let both = |all: &StanceCount, free: &StanceCount| match all == free {
        true => format!("{}; nobody was ordered to say anything", all.words()),
        false => format!("{} freely; {} with ordered speech", free.words(), all.words()),
    };
    if motion.all.entries() > 0 {
        rows.push(("Debate", both(&motion.all, &motion.free)));
    }
    if let Some(before) = &motion.before_team {
        rows.push(("", format!("before the red team: {}", both(&before.all, &before.free))));
    }
    let breaks: Vec<String> = motion.breaks.iter().map(|found| found.before.to_string()).collect();
    if !breaks.is_empty() {
        let times = counted(breaks.len() as u64, "consensus break");
        rows.push(("Breaks", format!("{times}, before statement {}", breaks.join(", "))));
    }
    if let Some(team) = &motion.team {
        rows.push(("Red team", red_team(motion, team)));
    }
    let against: Vec<String> = motion
        .forced
        .iter()
        .filter(|row| row.took.is_some_and(|took| took != row.side))
        .map(|row| format!("{} ({})", name(&row.who), row.took.unwrap_or_default()))
        .collect();
    if !against.is_empty() {
        rows.push(("", format!("did not argue the side they were ordered to: {}", few(&against))));
    }
    if let Some(sum) = motion.sums.iter().rev().find(|sum| !sum.risks.is_empty()) {
        rows.push(("Risks", format!("in the text of the motion: {}", sum.risks.join(", "))));
    }
    let (explained, unexplained): (Vec<&DivergenceRow>, Vec<&DivergenceRow>) =
        motion.divergences.iter().partition(|row| row.explained);
    let shown = |rows: &[&DivergenceRow]| {
        let rows: Vec<String> =
            rows.iter().map(|row| format!("{} ({} to {})", name(&row.who), row.stood, row.voted)).collect();
        few(&rows)
    };
    if !unexplained.is_empty() {
        rows.push(("Diverged", format!("without a reason: {}", shown(&unexplained))));
    }
    if !explained.is_empty() {
        rows.push(("Diverged", format!("with a reason: {}", shown(&explained))));
    }
    let on = |wanted: bool| {
        let names: Vec<String> = motion
            .layers
            .iter()
            .filter(|(_, on)| **on == wanted)
            .map(|(name, _)| name.replace('_', " "))
            .collect();
        if names.is_empty() { "none".to_string() } else { names.join(", ") }
    };
    rows.push(("Layers", format!("on: {}; off: {}", on(true), on(false))));
    rows
}

/// Who was called, and how many argued the side they were ordered to. A seat that gave no statement is replaced by the next.
fn red_team(motion: &MotionView, team: &TeamRow) -> String {
    let team_rows = || motion.forced.iter().filter(|row| row.reason == DissentReason::RedTeam.word());
    let spoke = team_rows().filter(|row| row.entry.is_some()).count() as u64;
    let argued = team_rows().filter(|row| row.took == Some(team.side)).count() as u64;
    let ordered = format!("{} ordered to argue {}", counted(team.seats.into(), "seat"), team.side);
    match argued == u64::from(team.seats) {
        true => format!("{ordered}, all did"),
        false => format!("{ordered}; {spoke} spoke, {argued} of them for that side"),
    }
}

fn few(rows: &[String]) -> String {
    let more = rows.len().saturating_sub(FEW);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", rows[..rows.len().min(FEW)].join(", "))
}

fn status(report: &Report, motion: &MotionView) -> String {
    let name = |who: &Who| words::name(report, who);
    let proposed =
        motion.proposer.as_ref().map_or("put by the chair".into(), |who| format!("put by {}", name(who)));
    let seconded =
        motion.seconder.as_ref().map(|who| format!(", seconded by {}", name(who))).unwrap_or_default();
    let declined = match motion.declined.len() {
        0 => String::new(),
        asked => format!(", {} did not second it", counted(asked as u64, "seat")),
    };
    format!("{}, {proposed}{seconded}{declined}", motion.status)
}

/// Every turn under an order, for an export.
pub(super) fn ordered(report: &Report, motion: &MotionView) -> Vec<String> {
    let row = |row: &synod_core::view::ForcedRow| {
        let what = row.entry.map_or("gave no statement".into(), |entry| format!("statement {entry}"));
        let took = row.took.map(|took| format!(", took {took}")).unwrap_or_default();
        format!(
            "ordered ({}): {} argues {}, {what}{took}",
            row.reason,
            words::name(report, &row.who),
            row.side
        )
    };
    motion.forced.iter().map(row).collect()
}
