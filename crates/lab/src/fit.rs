//! What recorded sessions say about the seats that were in them: the parameters of a study, with intervals.
//!
//! A parameter is estimated only from what identifies it; what the sessions cannot tell is listed with the reason. Speech under an order
//! tells how orders are taken, and nothing else. Nothing is judged here.

mod trials;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::{FigureKind, LabReport, Plot, ReportTable, interval, percent};
use crate::session::RecordedSession;
use crate::stats::{self, Interval};
use trials::{GroupTrials, SessionTrial};

/// From so many sessions on, an interval takes a session for one group of trials that go together.
const SESSIONS_FOR_GROUPS: usize = 10;
/// The most blocks that are left out in turn.
const BLOCKS_MOST: usize = 200;

/// Parameters that were estimated, and those that could not be.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FitReport {
    /// How many sessions.
    pub sessions: usize,
    /// Each group of seats: one model, or all where no models are known.
    pub groups: Vec<FittedGroup>,
    /// What the sessions cannot tell: parameter and reason.
    pub unknown: Vec<(String, String)>,
}

/// Seats that share a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedGroup {
    /// The model; `all` where none is known.
    pub model: String,
    /// The most of them in one session.
    pub seats: usize,
    /// What could be estimated.
    pub parameters: Vec<FittedParameter>,
}

/// An estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FittedParameter {
    /// Its name, as studies spell it where they have it.
    pub name: String,
    /// The estimate.
    pub estimate: Interval,
    /// From how many trials.
    pub trials: usize,
    /// In how many sessions.
    pub sessions: usize,
    /// What was counted.
    pub from: String,
    /// Whether a study takes it as it stands.
    pub declared: bool,
}

/// How often each seat of a group judges as all of them do, from who was right in each session; the square root of how much two of
/// them go together.
pub fn likeness(sessions: &[Vec<bool>]) -> Option<Interval> {
    let blocks = sessions.len().min(BLOCKS_MOST);
    let sums: Vec<(f64, f64)> = sessions
        .iter()
        .filter(|marks| marks.len() > 1)
        .map(|marks| (marks.iter().filter(|right| **right).count() as f64, marks.len() as f64))
        .collect();
    let together = |without: Option<usize>| {
        let kept = || {
            sums.iter().enumerate().filter(|(at, _)| Some(at % blocks.max(1)) != without).map(|(_, it)| *it)
        };
        let (hits, trials) = kept().fold((0.0, 0.0), |(hits, all), (hit, many)| (hits + hit, all + many));
        let share = hits / trials;
        let mut pairs = 0.0;
        let mut product = 0.0;
        for (hit, many) in kept() {
            let sum = hit - many * share;
            product += sum * sum - hit * (1.0 - share).powi(2) - (many - hit) * share * share;
            pairs += many * (many - 1.0);
        }
        let found = product / pairs / (share * (1.0 - share));
        found.is_finite().then_some(found)
    };
    let found = stats::jackknife(blocks, together)?;
    let root = |value: f64| value.clamp(0.0, 1.0).sqrt();
    Some(Interval { mean: root(found.mean), low: root(found.low), high: root(found.high) })
}

/// Estimates what can be estimated.
pub fn fit(sessions: &[RecordedSession]) -> FitReport {
    let groups = trials::of(sessions);
    let fitted: Vec<FittedGroup> = groups.iter().map(|(model, group)| fitted(model, group)).collect();
    let unknown = unidentified(sessions, &groups);
    FitReport { sessions: sessions.len(), groups: fitted, unknown }
}

/// A share of trials. Where there are enough sessions, those of one session are a group.
fn share(trials: &[SessionTrial]) -> Option<Interval> {
    let mut by_session: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for trial in trials {
        let sums = by_session.entry(trial.session).or_default();
        *sums = (sums.0 + f64::from(u8::from(trial.hit)), sums.1 + 1.0);
    }
    if by_session.len() >= SESSIONS_FOR_GROUPS {
        return stats::grouped(&by_session.into_values().collect::<Vec<_>>());
    }
    stats::wilson(trials.iter().filter(|trial| trial.hit).count() as f64, trials.len())
}

fn fitted(model: &str, group: &GroupTrials) -> FittedGroup {
    let mut parameters = Vec::new();
    let mut add =
        |name: &str, declared: bool, trials: &[SessionTrial], estimate: Option<Interval>, from: &str| {
            let mut sessions: Vec<usize> = trials.iter().map(|trial| trial.session).collect();
            sessions.dedup();
            parameters.extend(estimate.map(|estimate| FittedParameter {
                name: name.into(),
                estimate,
                trials: trials.len(),
                sessions: sessions.len(),
                from: from.into(),
                declared,
            }));
        };
    let first = &group.first_right;
    add("competence", true, first, share(first), "first free side that a seat took, against the known truth");
    let mut marks: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
    first.iter().for_each(|trial| marks.entry(trial.session).or_default().push(trial.hit));
    let alike: Vec<Vec<bool>> = marks.into_values().filter(|marks| marks.len() > 1).collect();
    if alike.len() >= SESSIONS_FOR_GROUPS {
        add(
            "correlation",
            true,
            first,
            likeness(&alike),
            "how much seats of the model are right and wrong together",
        );
    }
    let weights: Vec<f64> = group.toward.iter().map(|trial| trial.weight).collect();
    let moved = group.toward.iter().filter(|trial| trial.hit).count() as f64;
    let from = "free speeches of seats in the minority that went over to the majority, by its share";
    add("conformity", true, &group.toward, stats::factor(moved, &weights), from);
    add(
        "moves away",
        false,
        &group.away,
        share(&group.away),
        "free speeches of seats in the majority that left it",
    );
    add(
        "compliance",
        true,
        &group.complied,
        share(&group.complied),
        "forced speeches that took the ordered side",
    );
    let from = "votes of seats whose last speech was forced against their last free side, cast as they were ordered to speak";
    add("carry_over", true, &group.carried, share(&group.carried), from);
    let from = "votes of seats whose last speech was free, cast as they spoke";
    add("votes as spoken", false, &group.kept, share(&group.kept), from);
    let from = "speeches and votes whose side could not be read";
    add("unreadable", true, &group.unreadable, share(&group.unreadable), from);
    add("abstains", true, &group.abstains, share(&group.abstains), "votes that took no side");
    FittedGroup { model: model.into(), seats: group.seats, parameters }
}

/// What the sessions cannot tell, and why.
fn unidentified(
    sessions: &[RecordedSession],
    groups: &BTreeMap<String, GroupTrials>,
) -> Vec<(String, String)> {
    let mut unknown: Vec<(String, String)> = Vec::new();
    let mut say = |what: &str, why: String| unknown.push((what.into(), why));
    let all = || groups.values();
    let truths = sessions.iter().filter(|session| session.truth.is_some()).count();
    if truths == 0 {
        say(
            "competence, correlation",
            "no session says what was right; give `truth` to the lines of a session".into(),
        );
    } else if truths < SESSIONS_FOR_GROUPS {
        say(
            "correlation",
            format!("the truth of only {truths} sessions is known; {SESSIONS_FOR_GROUPS} are needed"),
        );
    }
    if all().all(|group| group.toward.is_empty()) {
        say("conformity", "nobody spoke freely twice while in the minority".into());
    } else {
        say(
            "stubbornness",
            "only its product with conformity shows: a seat that stays may be stubborn or not conforming. `conformity` above is that product; leave stubbornness at 0".into(),
        );
    }
    if all().all(|group| group.complied.is_empty()) {
        say("compliance, carry_over", "nobody spoke under an order".into());
    } else if all().all(|group| group.carried.is_empty()) {
        say(
            "carry_over",
            "no vote is known of a seat that was ordered to speak against its own last side".into(),
        );
    } else {
        say(
            "carry_over, fully",
            "a seat that votes as it was ordered to speak may have been convinced by it: the two look alike"
                .into(),
        );
    }
    let (with, without) =
        all().fold((0, 0), |(with, without), group| (with + group.after_digest, without + group.no_digest));
    if with == 0 || without == 0 {
        let which = if with == 0 { "after" } else { "without" };
        say(
            "digest",
            format!(
                "nobody spoke twice {which} a digest in between, so its effect cannot be separated from that of time"
            ),
        );
    } else {
        say("digest", "digests come at fixed entries, so what moves with them may move for other reasons; compare sessions with and without".into());
    }
    let layers = "every session has it or none says; record the same motions with it on and off";
    say("red_lines, green_lines, exploited", layers.into());
    if sessions.len() < SESSIONS_FOR_GROUPS {
        say(
            "how seats of one session go together",
            format!(
                "{} of {SESSIONS_FOR_GROUPS} sessions: the intervals take speeches for independent and are too narrow if they are not",
                sessions.len()
            ),
        );
    }
    if sessions.iter().flat_map(|session| &session.speakers).all(|speaker| speaker.model.is_none()) {
        say("parameters of each model", "no session says which model is behind which seat".into());
    }
    unknown
}

impl FitReport {
    /// As a report.
    pub fn report(&self) -> LabReport {
        let mut report = LabReport::new("Parameters of recorded seats", FigureKind::Estimated);
        report.fact("sessions", self.sessions);
        for group in &self.groups {
            let mut table = ReportTable::new(
                &format!("{}: at most {} seats in a session", group.model, group.seats),
                &["parameter", "estimate %", "trials", "sessions", "counted"],
            );
            for it in &group.parameters {
                table.row([
                    it.name.clone(),
                    interval(&it.estimate, percent),
                    it.trials.to_string(),
                    it.sessions.to_string(),
                    it.from.clone(),
                ]);
            }
            let rows = group.parameters.iter().map(|it| (it.name.clone(), it.estimate)).collect();
            report.plots.push(Plot::Whiskers { title: group.model.clone(), rows, signed: false, mark: None });
            report.tables.push(table);
        }
        let mut table = ReportTable::new("What these sessions cannot tell", &["parameter", "why"]);
        self.unknown.iter().for_each(|(what, why)| table.row([what.clone(), why.clone()]));
        report.tables.push(table);
        report.note("Intervals hold with 95 % confidence if seats are as the study form describes them; `moves away` above a few percent says they are not.");
        report
    }

    /// The estimates as `[[cast]]` tables of a study. What is not known is left out.
    pub fn casts(&self) -> String {
        let mut text = String::new();
        for group in &self.groups {
            let name = toml_text(&group.model);
            text.push_str(&format!("[[cast]]\nmodel = {name}\nseats = {}\n", group.seats.max(1)));
            for it in group.parameters.iter().filter(|it| it.declared) {
                let Interval { mean, low, high } = it.estimate;
                text.push_str(&format!("{} = {mean:.3}  # from {low:.3} to {high:.3}\n", it.name));
            }
            if !group.parameters.iter().any(|it| it.name == "competence") {
                text.push_str("competence = 0.5  # not known: no session says what was right\n");
            }
            text.push('\n');
        }
        text
    }
}

/// A text as TOML spells it.
fn toml_text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"all\"".into())
}
