//! What recorded sessions hold, as a report.

use super::{ForcedBy, RecordedSession, SpokenSide};
use crate::report::{FigureKind, LabReport, Plot, ReportTable};

/// The most sessions whose course is drawn.
const DRAWN_MOST: usize = 12;

/// A report of sessions as they were recorded.
pub fn summary(sessions: &[RecordedSession]) -> LabReport {
    let mut report = LabReport::new("Recorded sessions", FigureKind::Recorded);
    report.fact("sessions", sessions.len());
    report.fact("speeches", sessions.iter().map(|it| it.speeches.len()).sum::<usize>());
    report.fact("votes", sessions.iter().map(|it| it.votes.len()).sum::<usize>());
    let mut table = ReportTable::new(
        "Speeches and votes (for/against/neutral)",
        &[
            "session",
            "speakers",
            "speeches",
            "rounds",
            "forced",
            "before red team",
            "all",
            "free only",
            "vote",
            "stated",
        ],
    );
    let mut breaks = ReportTable::new("Consensus breaks", &["session", "before speeches", "side ordered"]);
    for session in sessions {
        let forced = session.speeches.iter().filter(|said| said.forced.is_some()).count();
        let red = session.before_red_team();
        let stated = session.stated.map_or_else(|| "-".into(), |it| it.count.words());
        table.row([
            session.name.clone(),
            session.speakers.len().to_string(),
            session.speeches.len().to_string(),
            rounds(session).to_string(),
            forced.to_string(),
            session.spoken(red, false).words(),
            session.spoken(u32::MAX, false).words(),
            session.spoken(u32::MAX, true).words(),
            session.voted().words(),
            stated,
        ]);
        let found = session.breaks();
        if !found.is_empty() {
            let side = session
                .speeches
                .iter()
                .filter_map(|said| said.forced)
                .find(|it| it.why == ForcedBy::ConsensusBreak);
            let places: Vec<String> = found.iter().map(u32::to_string).collect();
            breaks.row([
                session.name.clone(),
                places.join(", "),
                side.map_or("-", |order| order.side.word()).into(),
            ]);
        }
        report.notes.extend(session.notes.iter().map(|note| format!("{}: {note}", session.name)));
    }
    report.plots = sessions.iter().take(DRAWN_MOST).filter_map(support).collect();
    report.tables = vec![table, breaks];
    report
}

/// The rounds of a session without its red team.
fn rounds(session: &RecordedSession) -> u32 {
    let red = session.before_red_team();
    session.speeches.iter().filter(|said| said.order <= red).map(|said| said.round).max().unwrap_or(0)
}

/// The share of speeches for the motion after each entry: all of them, and the free ones.
pub fn support(session: &RecordedSession) -> Option<Plot> {
    if session.speeches.len() < 2 {
        return None;
    }
    let (mut all, mut free) = ((0u32, 0u32), (0u32, 0u32));
    let (mut lines, mut bands) = ((Vec::new(), Vec::new()), Vec::new());
    for said in &session.speeches {
        let at = f64::from(said.order);
        let yes = u32::from(said.side == Some(SpokenSide::For));
        all = (all.0 + yes, all.1 + 1);
        if said.forced.is_none() {
            free = (free.0 + yes, free.1 + 1);
        } else {
            bands.push((at - 0.5, at + 0.5));
        }
        lines.0.push((at, f64::from(all.0) / f64::from(all.1)));
        lines.1.push((at, f64::from(free.0) / f64::from(free.1.max(1))));
    }
    Some(Plot::Lines {
        title: format!("{}: share of speeches FOR, by entry", session.name),
        scale: "entry".into(),
        lines: vec![("all speeches".into(), lines.0), ("free speeches".into(), lines.1)],
        bands,
        band_name: "forced".into(),
    })
}
