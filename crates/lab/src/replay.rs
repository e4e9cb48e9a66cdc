//! Recorded sessions judged again under another charter.
//!
//! The recorded answers are given to the real house as commands, as long as it asks for them: the same seat, in the same place, freely or for the
//! same side. The first ask that the record has no answer for is the divergence point; nothing after it is guessed. What seats were told
//! besides is compared with the rules of the record, where those are known, and the first difference is named.

mod play;

use serde::Serialize;
use synod_core::kernel::{Decision, SettingValue};

use crate::report::{FigureKind, LabReport, Plot, ReportTable};
use crate::session::{RecordedSession, SideCount, SpokenSide};
use crate::stats::Interval;
use crate::tally;
use play::{Played, play};

/// The most speeches of a session that is judged again.
pub const REPLAYED_MOST: usize = 20_000;

/// Rules under which a session is judged.
#[derive(Debug, Clone, Copy)]
pub struct ReplayRules<'a> {
    /// The charter's whole text.
    pub source: &'a str,
    /// The kind of motion; that of the session if it is left out and the charter knows it.
    pub motion: Option<&'a str>,
    /// Settings that are moved.
    pub settings: &'a [(String, SettingValue)],
}

/// A place in a session, and what is different there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReplayDivergence {
    /// The speech, from 1; none where it is a vote.
    pub entry: Option<u32>,
    /// What is different.
    pub why: String,
}

/// A consensus break that these rules find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RejudgedBreak {
    /// The next speech is the first under the order.
    pub before: u32,
    /// The side that is ordered.
    pub side: SpokenSide,
    /// What was counted.
    pub count: SideCount,
}

/// What a session comes to under other rules.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayReport {
    /// Says that recorded answers were judged again.
    pub kind: &'static str,
    /// The session.
    pub session: String,
    /// Its motion.
    pub motion: String,
    /// The charter it was judged by, and its digest.
    pub charter: String,
    /// See `charter`.
    pub charter_digest: String,
    /// Speeches on record.
    pub speeches: u32,
    /// Speeches that were judged again.
    pub judged: u32,
    /// Votes that were judged again.
    pub votes_judged: u32,
    /// Where the record has no answer any more; none where it was judged to its end.
    pub divergence: Option<ReplayDivergence>,
    /// Where seats are told something else for the first time than under the rules of the record; none where nothing differs, or
    /// where those rules are not known.
    pub told: Option<ReplayDivergence>,
    /// Whether the rules of the record are known.
    pub told_compared: bool,
    /// Consensus breaks.
    pub breaks: Vec<RejudgedBreak>,
    /// The debate before a red team: all speeches, and the free ones.
    pub before_team: Option<(SideCount, SideCount)>,
    /// The debate as far as it was judged: all speeches.
    pub all: SideCount,
    /// The free ones.
    pub free: SideCount,
    /// Recorded speeches that stand for those of other seats, since who is drawn is chance.
    pub stand_ins: Vec<u32>,
    /// The vote, where it came to that.
    pub vote: Option<SideCount>,
    /// How it ended, where it did.
    pub decision: Option<Decision>,
    /// The rule of its vote, in words.
    pub rule: String,
    /// The recorded votes counted by this rule. They are what seats would vote only if nothing before them moves them.
    pub retallied: Option<(SideCount, Decision)>,
    /// What was taken for granted.
    pub notes: Vec<String>,
}

/// Judges a session again. `recorded` are the rules it was held under, where they are known.
pub fn replay(
    session: &RecordedSession,
    rules: &ReplayRules<'_>,
    recorded: Option<&ReplayRules<'_>>,
) -> Result<ReplayReport, String> {
    if session.speeches.len() > REPLAYED_MOST {
        return Err(format!("session `{}` has more than {REPLAYED_MOST} speeches", session.name));
    }
    if session.speeches.is_empty() && session.votes.is_empty() {
        return Err(format!("session `{}` holds no speech and no vote", session.name));
    }
    let here = play(session, rules)?;
    let there = recorded.map(|recorded| play(session, recorded)).transpose()?;
    let told = there.as_ref().and_then(|there| first_difference(&here, there));
    let voted = session.voted();
    let written = format!("{}/{}/{}", voted.yes, voted.no, voted.neutral)
        + &if voted.unknown > 0 { format!("/{}", voted.unknown) } else { String::new() };
    let seats = session.speakers.len() as u32;
    let retallied = match session.votes.is_empty() {
        true => None,
        false => {
            let poll = tally::by_hand(&written, Some(seats.max(voted.all())))?;
            Some((voted, tally::diagnose(&poll, &here.rule).decision))
        }
    };
    let rule = format!("{} of {}, quorum {}", here.rule.pass, here.rule.basis, here.rule.quorum);
    Ok(ReplayReport {
        kind: FigureKind::Rejudged.word(),
        session: session.name.clone(),
        motion: session.motion.clone(),
        charter: here.charter,
        charter_digest: here.digest,
        speeches: session.speeches.len() as u32,
        judged: here.judged,
        votes_judged: here.votes_judged,
        divergence: here.divergence,
        told,
        told_compared: recorded.is_some(),
        breaks: here.breaks,
        before_team: here.before_team,
        all: here.all,
        free: here.free,
        stand_ins: here.stand_ins,
        vote: here.vote,
        decision: here.decision,
        rule,
        retallied,
        notes: here.notes,
    })
}

/// The first turn in which a seat is told something else.
fn first_difference(here: &Played, there: &Played) -> Option<ReplayDivergence> {
    here.turns.iter().zip(&there.turns).find_map(|((entry, own), (_, its))| {
        own.difference(its).map(|why| ReplayDivergence { entry: *entry, why })
    })
}

impl ReplayReport {
    /// Whether all of the record was judged again, by answers that were given to the same asks.
    pub fn is_whole(&self) -> bool {
        self.divergence.is_none() && self.told.is_none()
    }

    fn rows(&self) -> ReportTable {
        let mut table = ReportTable::new(&self.session, &["figure", "value"]);
        let mut add = |name: &str, value: String| table.row([name.to_string(), value]);
        add("speeches judged again", format!("{} of {}", self.judged, self.speeches));
        add("votes judged again", self.votes_judged.to_string());
        let place = |it: &ReplayDivergence| match it.entry {
            Some(entry) => format!("speech {entry}: {}", it.why),
            None => format!("the vote: {}", it.why),
        };
        add("divergence", self.divergence.as_ref().map_or_else(|| "none".into(), place));
        let told = match (&self.told, self.told_compared) {
            (Some(it), _) => place(it),
            (None, true) => "nothing".into(),
            (None, false) => "not known: the rules of the record are not given (--recorded)".into(),
        };
        add("seats read something else", told);
        let places: Vec<String> = self.breaks.iter().map(|found| found.before.to_string()).collect();
        add(
            "consensus breaks before speeches",
            if places.is_empty() { "none".into() } else { places.join(", ") },
        );
        if let Some((all, free)) = &self.before_team {
            add("before the red team, all / free", format!("{} / {}", all.words(), free.words()));
        }
        add("debate, all speeches", self.all.words());
        add("debate, free speeches", self.free.words());
        if let Some(vote) = &self.vote {
            add("vote", vote.words());
        }
        add("decision", self.decision.as_ref().map_or_else(|| "not reached".into(), decided));
        if let Some((votes, decision)) = &self.retallied {
            add(
                &format!("recorded votes under {}", self.rule),
                format!("{}: {}", votes.words(), decided(decision)),
            );
        }
        table
    }

    /// What could not be judged again, in sentences.
    fn limits(&self) -> Vec<String> {
        let mut limits = self.notes.clone();
        if let Some(divergence) = &self.divergence {
            let from = divergence.entry.unwrap_or(self.speeches + 1);
            let left = self.speeches.saturating_sub(from.saturating_sub(1));
            limits.push(match divergence.entry {
                Some(_) => format!("Speeches from {from} on ({left}) and the votes could not be judged again: nobody knows what seats would have said."),
                None => "The votes could not all be judged again.".into(),
            });
        }
        if self.told.is_some() {
            limits.push("From where seats read something else, recorded answers stand in for those that they would have given.".into());
        }
        if !self.stand_ins.is_empty() {
            limits.push(format!(
                "Red teams are drawn: {} recorded speeches of a red team stand for those of other seats.",
                self.stand_ins.len()
            ));
        }
        if self.divergence.is_some() && self.retallied.is_some() {
            limits.push("Recorded votes under this rule tell what seats would have decided only if nothing before the vote had moved them.".into());
        }
        limits
    }
}

/// Several sessions as one report.
pub fn replayed(reports: &[ReplayReport], sessions: &[RecordedSession]) -> LabReport {
    let title = match reports {
        [one] => format!("{} under {}", one.session, one.charter),
        _ => format!("{} recorded sessions, judged again", reports.len()),
    };
    let mut report = LabReport::new(title, FigureKind::Rejudged);
    if let Some(first) = reports.first() {
        report.fact("charter", &first.charter);
        report.fact("charter digest", &first.charter_digest);
    }
    for one in reports {
        report.tables.push(one.rows());
        let session = sessions.iter().find(|session| session.name == one.session);
        report.plots.extend(session.and_then(crate::session::support));
        report.plots.extend(thresholds(one));
        report.notes.extend(one.limits());
    }
    report
}

/// The share of the vote beside usual thresholds.
fn thresholds(one: &ReplayReport) -> Option<Plot> {
    let votes = one.vote.or(one.retallied.map(|(votes, _)| votes))?;
    let cast = votes.yes + votes.no;
    if cast == 0 {
        return None;
    }
    let share = f64::from(votes.yes) / f64::from(cast);
    let exact = |value: f64| Interval { mean: value, low: value, high: value };
    let mut rows = vec![("votes for it, of those cast".to_string(), exact(share))];
    for (name, value) in [("1/2", 0.5), ("3/5", 0.6), ("2/3", 2.0 / 3.0), ("3/4", 0.75)] {
        rows.push((format!("threshold {name}"), exact(value)));
    }
    Some(Plot::Whiskers {
        title: format!("{}: the vote beside thresholds", one.session),
        rows,
        signed: false,
        mark: Some(share),
    })
}

fn decided(decision: &Decision) -> String {
    match decision {
        Decision::Undecided(reason) => format!("undecided ({})", reason.words()),
        decision => decision.word().into(),
    }
}
