//! What matters of a study came to, added up; a matter leaves nothing else behind.

use serde::Serialize;

use super::matter::MatterEnd;
use crate::report::{FigureKind, LabReport, Plot, ReportTable, interval, percent};
use crate::stats::{self, Interval, Moments};
use crate::study::Study;

/// The most entries of speech whose sides are added up entry by entry.
const ENTRIES_MOST: usize = 1_000;

/// Speeches at one entry, over all matters.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct EntrySums {
    pub(crate) yes: u64,
    pub(crate) free_yes: u64,
    pub(crate) free: u64,
    pub(crate) all: u64,
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct MatterSums {
    pub(super) matters: u64,
    /// Matters in which YES was right.
    yes: u64,
    right: u64,
    wrong: u64,
    passed: u64,
    /// Passed although NO was right.
    false_pass: u64,
    /// Not passed although YES was right.
    false_reject: u64,
    commands: u64,
    answers: u64,
    rounds: u64,
    forced: u64,
    breaks: u64,
    /// Of the votes that took a side, the share for it.
    support: Moments,
    entries: Vec<EntrySums>,
}

/// What a simulation came to. Everything in it is simulated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulationReport {
    /// Says that no model was asked.
    pub kind: &'static str,
    /// The study's name.
    pub study: String,
    /// Its seed.
    pub seed: u64,
    /// The charter's name and digest.
    pub charter: String,
    /// The SHA-256 of the charter.
    pub charter_digest: String,
    /// Matters that were opened.
    pub matters: u64,
    /// Seats of each.
    pub seats: u32,
    /// Matters that came to the right answer.
    pub right: Option<Interval>,
    /// Matters that came to the wrong answer.
    pub wrong: Option<Interval>,
    /// Matters that passed.
    pub passed: Option<Interval>,
    /// Of those in which NO was right, how many passed.
    pub false_pass: Option<Interval>,
    /// Of those in which YES was right, how many did not pass.
    pub false_reject: Option<Interval>,
    /// Of the votes that took a side, the share for it: the mean over matters.
    pub support: Option<Interval>,
    /// Answers that seats gave, per matter.
    pub answers: f64,
    /// Rounds of speech, per matter.
    pub rounds: f64,
    /// Speeches under an order, per matter.
    pub forced: f64,
    /// Consensus breaks, per matter.
    pub breaks: f64,
    /// Commands that the house judged in all.
    pub commands: u64,
    /// For each entry: the share of speeches for it so far, of all and of the free ones, and how often this entry was forced.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<(f64, f64, f64)>,
}

impl MatterSums {
    pub(super) fn add(&mut self, ended: &MatterEnd) {
        let passed = ended.passed == Some(true);
        self.matters += 1;
        self.yes += u64::from(ended.truth);
        self.right += u64::from(ended.passed == Some(ended.truth));
        self.wrong += u64::from(ended.passed == Some(!ended.truth));
        self.passed += u64::from(passed);
        self.false_pass += u64::from(passed && !ended.truth);
        self.false_reject += u64::from(!passed && ended.truth);
        self.commands += ended.commands;
        self.answers += ended.answers;
        self.rounds += u64::from(ended.rounds);
        self.forced += u64::from(ended.forced);
        self.breaks += u64::from(ended.breaks);
        ended.support().into_iter().for_each(|share| self.support.add(share));
    }

    /// Adds a speech at an entry, counted from 0.
    pub(super) fn speech(&mut self, entry: usize, yes: bool, free: bool) {
        if entry >= ENTRIES_MOST {
            return;
        }
        if self.entries.len() <= entry {
            self.entries.resize(entry + 1, EntrySums::default());
        }
        let sums = &mut self.entries[entry];
        sums.all += 1;
        sums.yes += u64::from(yes);
        sums.free += u64::from(free);
        sums.free_yes += u64::from(free && yes);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.matters += other.matters;
        self.yes += other.yes;
        self.right += other.right;
        self.wrong += other.wrong;
        self.passed += other.passed;
        self.false_pass += other.false_pass;
        self.false_reject += other.false_reject;
        self.commands += other.commands;
        self.answers += other.answers;
        self.rounds += other.rounds;
        self.forced += other.forced;
        self.breaks += other.breaks;
        self.support.merge(&other.support);
        if self.entries.len() < other.entries.len() {
            self.entries.resize(other.entries.len(), EntrySums::default());
        }
        for (sums, other) in self.entries.iter_mut().zip(&other.entries) {
            sums.all += other.all;
            sums.yes += other.yes;
            sums.free += other.free;
            sums.free_yes += other.free_yes;
        }
    }

    pub(super) fn report(&self, study: &Study, charter: String, charter_digest: String) -> SimulationReport {
        let share = |part: u64, whole: u64| stats::wilson(part as f64, whole as usize);
        let each = |sum: u64| sum as f64 / self.matters.max(1) as f64;
        let (mut all, mut free) = ((0u64, 0u64), (0u64, 0u64));
        let entries = self.entries.iter().map(|it| {
            all = (all.0 + it.yes, all.1 + it.all);
            free = (free.0 + it.free_yes, free.1 + it.free);
            let part = |(yes, of): (u64, u64)| yes as f64 / of.max(1) as f64;
            (part(all), part(free), (it.all - it.free) as f64 / it.all.max(1) as f64)
        });
        SimulationReport {
            kind: FigureKind::Simulated.word(),
            study: study.name.clone(),
            seed: study.seed,
            charter,
            charter_digest,
            matters: self.matters,
            seats: study.seats(),
            right: share(self.right, self.matters),
            wrong: share(self.wrong, self.matters),
            passed: share(self.passed, self.matters),
            false_pass: share(self.false_pass, self.matters - self.yes),
            false_reject: share(self.false_reject, self.yes),
            support: self.support.interval(),
            answers: each(self.answers),
            rounds: each(self.rounds),
            forced: each(self.forced),
            breaks: each(self.breaks),
            commands: self.commands,
            entries: entries.collect(),
        }
    }
}

/// A share with its interval, or a dash.
pub(super) fn shown(estimate: Option<&Interval>) -> String {
    estimate.map_or_else(|| "-".into(), |it| interval(it, percent))
}

impl SimulationReport {
    /// The facts that every report of a simulation names.
    pub(super) fn facts(&self, report: &mut LabReport) {
        report.fact("study", &self.study);
        report.fact("seed", self.seed);
        report.fact("charter", &self.charter);
        report.fact("charter digest", &self.charter_digest);
        report.fact("matters", self.matters);
        report.fact("seats", self.seats);
    }

    /// As a report.
    pub fn report(&self) -> LabReport {
        let mut report = LabReport::new(format!("{}, no model was asked", self.study), FigureKind::Simulated);
        self.facts(&mut report);
        let mut table = ReportTable::new("What the matters came to", &["figure", "value"]);
        let rows = [
            ("right %", shown(self.right.as_ref())),
            ("wrong %", shown(self.wrong.as_ref())),
            ("passed %", shown(self.passed.as_ref())),
            ("passed, but NO was right %", shown(self.false_pass.as_ref())),
            ("not passed, but YES was right %", shown(self.false_reject.as_ref())),
            ("votes for it, of those that took a side %", shown(self.support.as_ref())),
            ("answers per matter", format!("{:.1}", self.answers)),
            ("rounds per matter", format!("{:.2}", self.rounds)),
            ("forced speeches per matter", format!("{:.2}", self.forced)),
            ("consensus breaks per matter", format!("{:.2}", self.breaks)),
        ];
        rows.into_iter().for_each(|(name, value)| table.row([name.to_string(), value]));
        report.tables.push(table);
        report.plots.extend(self.course());
        report.note("Intervals hold with 95 % confidence if seats are as the study declares them.");
        report
    }

    /// Support entry by entry, with the entries that were mostly forced.
    pub fn course(&self) -> Option<Plot> {
        if self.entries.len() < 2 {
            return None;
        }
        let line = |of: fn(&(f64, f64, f64)) -> f64| {
            self.entries
                .iter()
                .enumerate()
                .map(|(at, entry)| ((at + 1) as f64, of(entry)))
                .collect::<Vec<_>>()
        };
        let forced = self.entries.iter().enumerate().filter(|(_, (_, _, forced))| *forced >= 0.5);
        Some(Plot::Lines {
            title: format!("{}: share of speeches FOR, by entry", self.study),
            scale: "entry".into(),
            lines: vec![("all speeches".into(), line(|it| it.0)), ("free speeches".into(), line(|it| it.1))],
            bands: forced.map(|(at, _)| (at as f64 + 0.5, at as f64 + 1.5)).collect(),
            band_name: "forced in half or more".into(),
        })
    }
}
