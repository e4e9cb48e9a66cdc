//! Which rules keep false passes and false rejections below a target, and what they cost.
//!
//! Every combination of the grid's values and of the layers is run on the same matters with the same dice. The cheapest that meets the target is run once more
//! on other matters, since the best of many looks better than it is.

use std::sync::atomic::AtomicU64;

use serde::Serialize;

use super::sums::shown;
use super::variant::{CharterSource, grid, housed, layered, with, written};
use super::{SimulationFault, SimulationReport};
use crate::report::{FigureKind, LabReport, Plot, ReportTable};
use crate::stats::Interval;
use crate::study::{GRID_MOST, Study};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CalibrationTarget {
    /// Of the motions that are not right, at most so many pass.
    pub false_pass: f64,
    /// Of those that are right, at most so many do not pass.
    pub false_reject: f64,
}

/// Whether a combination does what is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetVerdict {
    /// Both intervals lie within the target.
    Meets,
    /// Neither shown to meet it nor to miss it: more matters would tell.
    Open,
    /// One interval lies wholly beyond the target.
    Misses,
}

impl TargetVerdict {
    /// It in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Meets => "meets",
            Self::Open => "open",
            Self::Misses => "misses",
        }
    }
}

/// A combination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// What it sets and which layers are on.
    pub rules: String,
    /// Whether it does what is asked for.
    pub verdict: TargetVerdict,
    /// What it came to.
    pub result: SimulationReport,
}

/// All combinations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationReport {
    /// Says that no model was asked.
    pub kind: &'static str,
    /// What was asked for.
    pub target: CalibrationTarget,
    /// Each combination: those that meet the target first, the cheaper first.
    pub rows: Vec<CalibrationRow>,
    /// The first of them on other matters; none where no combination meets the target.
    pub confirmed: Option<CalibrationRow>,
}

impl CalibrationTarget {
    fn verdict(&self, result: &SimulationReport) -> TargetVerdict {
        let pairs = [(result.false_pass, self.false_pass), (result.false_reject, self.false_reject)];
        let known = |found: Option<Interval>| found.unwrap_or(Interval { mean: 0.0, low: 0.0, high: 1.0 });
        if pairs.iter().any(|(found, most)| known(*found).low > *most) {
            TargetVerdict::Misses
        } else if pairs.iter().all(|(found, most)| known(*found).high <= *most) {
            TargetVerdict::Meets
        } else {
            TargetVerdict::Open
        }
    }
}

/// How many combinations a study has.
pub(super) fn combinations(study: &Study) -> usize {
    study.grid.values().map(Vec::len).product::<usize>() << study.layer.len()
}

impl CalibrationReport {
    /// How many matters will be run.
    pub fn matters(study: &Study) -> u64 {
        study.matters.saturating_mul(combinations(study) as u64 + 1)
    }
}

/// Runs every combination. `source` gives the text of a charter by its name.
pub fn calibrate(
    study: &Study,
    target: CalibrationTarget,
    threads: usize,
    done: &AtomicU64,
    source: CharterSource<'_>,
) -> Result<CalibrationReport, SimulationFault> {
    let many = combinations(study);
    if many > GRID_MOST {
        return Err(SimulationFault(format!(
            "the grid and the layers make {many} combinations; at most {GRID_MOST} are tried"
        )));
    }
    if many < 2 {
        return Err(SimulationFault(
            "the study has nothing to choose from; add [grid] with values for settings, or a [[layer]]"
                .into(),
        ));
    }
    let mut tried: Vec<(CalibrationRow, Study)> = Vec::new();
    for settings in grid(study) {
        for mask in 0..1usize << study.layer.len() {
            let (variant, on) = layered(&with(study, &settings), mask);
            let result = housed(&variant, source)?.run(threads, done)?;
            let mut rules: Vec<String> =
                settings.iter().map(|(name, value)| format!("{name} {}", written(value))).collect();
            if !study.layer.is_empty() {
                rules.push(if on.is_empty() { "no layer".into() } else { on.join(" + ") });
            }
            let verdict = target.verdict(&result);
            tried.push((CalibrationRow { rules: rules.join(", "), verdict, result }, variant));
        }
    }
    let order = |row: &CalibrationRow| match row.verdict {
        TargetVerdict::Meets => 0,
        TargetVerdict::Open => 1,
        TargetVerdict::Misses => 2,
    };
    tried.sort_by(|(one, _), (other, _)| {
        let cost = one.result.answers.total_cmp(&other.result.answers);
        order(one).cmp(&order(other)).then(cost)
    });
    let mut confirmed = None;
    if let Some((row, variant)) = tried.first().filter(|(row, _)| row.verdict == TargetVerdict::Meets) {
        let mut other = variant.clone();
        other.seed = variant.seed.wrapping_add(1);
        let result = housed(&other, source)?.run(threads, done)?;
        confirmed =
            Some(CalibrationRow { rules: row.rules.clone(), verdict: target.verdict(&result), result });
    }
    let rows = tried.into_iter().map(|(row, _)| row).collect();
    Ok(CalibrationReport { kind: FigureKind::Simulated.word(), target, rows, confirmed })
}

impl CalibrationReport {
    /// As a report.
    pub fn report(&self) -> LabReport {
        let study = self.rows.first().map(|row| &row.result);
        let name = study.map(|it| it.study.clone()).unwrap_or_default();
        let mut report =
            LabReport::new(format!("{name}: which rules meet the target"), FigureKind::Simulated);
        report.fact("false pass at most", self.target.false_pass);
        report.fact("false reject at most", self.target.false_reject);
        if let Some(study) = study {
            report.fact("seed", study.seed);
            report.fact("matters each", study.matters);
            report.fact("seats", study.seats);
        }
        let columns = [
            "rules",
            "target",
            "false pass %",
            "false reject %",
            "right %",
            "answers",
            "rounds",
            "charter digest",
        ];
        let mut table = ReportTable::new("Combinations", &columns);
        let cells = |row: &CalibrationRow| {
            let it = &row.result;
            [
                row.rules.clone(),
                row.verdict.word().into(),
                shown(it.false_pass.as_ref()),
                shown(it.false_reject.as_ref()),
                shown(it.right.as_ref()),
                format!("{:.1}", it.answers),
                format!("{:.2}", it.rounds),
                it.charter_digest.chars().take(12).collect(),
            ]
        };
        self.rows.iter().for_each(|row| table.row(cells(row)));
        report.tables.push(table);
        if let Some(row) = &self.confirmed {
            let title = format!("The cheapest that meets it, on other matters (seed {})", row.result.seed);
            let mut table = ReportTable::new(&title, &columns);
            table.row(cells(row));
            report.tables.push(table);
            if row.verdict != TargetVerdict::Meets {
                report.note("On other matters it is not shown to meet the target: take more matters, or a rule further from it.");
            }
        } else {
            report.note("No combination is shown to meet the target. `open` may with more matters; if all miss it, try other thresholds, rounds, layers or seats.");
        }
        for (title, mark, of) in [
            (
                "False pass",
                self.target.false_pass,
                (|it| it.false_pass) as fn(&SimulationReport) -> Option<Interval>,
            ),
            ("False reject", self.target.false_reject, |it| it.false_reject),
        ] {
            let rows =
                self.rows.iter().take(40).filter_map(|row| Some((row.rules.clone(), of(&row.result)?)));
            report.plots.push(Plot::Whiskers {
                title: title.into(),
                rows: rows.collect(),
                signed: false,
                mark: Some(mark),
            });
        }
        report.note("Each interval holds by itself with 95 % confidence. Answers per matter are the cost.");
        report
    }
}
