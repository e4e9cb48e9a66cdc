//! Which layer moved the result: every combination of layers on and off, on the same matters with the same dice.

use std::sync::atomic::AtomicU64;

use serde::Serialize;

use super::matter::MatterEnd;
use super::sums::shown;
use super::variant::{CharterSource, housed, layered};
use super::{SimulationFault, SimulationReport};
use crate::report::{FigureKind, LabReport, Plot, ReportTable, interval, points};
use crate::stats::{self, Interval};
use crate::study::Study;

/// One of the effects of a layer.
type ShiftOf = fn(&LayerEffect) -> &LayerShift;

/// All combinations, and what each layer does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AblationReport {
    /// Says that no model was asked.
    pub kind: &'static str,
    /// Each combination.
    pub rows: Vec<AblationRow>,
    /// Each layer.
    pub layers: Vec<LayerEffect>,
}

/// One combination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AblationRow {
    /// The layers that are on.
    pub on: Vec<String>,
    /// What it came to.
    pub result: SimulationReport,
}

/// What a layer does.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayerEffect {
    /// The layer.
    pub layer: String,
    /// To how often the result is right.
    pub right: LayerShift,
    /// To how often motions pass.
    pub passed: LayerShift,
    /// To the share of votes for them.
    pub support: LayerShift,
}

/// How a layer shifts one measure, matter by matter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LayerShift {
    /// Turned on alone.
    pub alone: Option<Interval>,
    /// Turned on when all others are on.
    pub last: Option<Interval>,
    /// Its share of the effect of all layers: the mean over every order in which they could be turned on (Shapley).
    pub shapley: Option<Interval>,
}

/// The measures of one matter.
type Measures = [f64; 3];

/// Runs every combination. `source` gives the text of a charter by its name.
pub fn ablate(
    study: &Study,
    threads: usize,
    done: &AtomicU64,
    source: CharterSource<'_>,
) -> Result<AblationReport, SimulationFault> {
    let layers = study.layer.len();
    if layers == 0 {
        return Err(SimulationFault(
            "the study has no [[layer]]; add one with what it sets on and off".into(),
        ));
    }
    let (mut rows, mut found): (Vec<AblationRow>, Vec<Vec<Measures>>) = (Vec::new(), Vec::new());
    for mask in 0..1usize << layers {
        let (variant, on) = layered(study, mask);
        let stage = housed(&variant, source)?;
        let mut each = Vec::new();
        let mut keep = |ended: MatterEnd| {
            let one = |yes: bool| f64::from(u8::from(yes));
            let right = one(ended.passed == Some(ended.truth));
            each.push([right, one(ended.passed == Some(true)), ended.support().unwrap_or(0.5)]);
        };
        let sums = stage.sums(threads, done, Some(&mut keep))?;
        rows.push(AblationRow { on, result: stage.report(&sums) });
        found.push(each);
    }
    let effects = (0..layers).map(|layer| {
        let of = |measure: usize| shift(layer, layers, &found, measure);
        LayerEffect { layer: study.layer[layer].name.clone(), right: of(0), passed: of(1), support: of(2) }
    });
    Ok(AblationReport { kind: FigureKind::Simulated.word(), layers: effects.collect(), rows })
}

fn shift(layer: usize, layers: usize, found: &[Vec<Measures>], measure: usize) -> LayerShift {
    let bit = 1 << layer;
    let between = |without: usize| {
        let pairs = found[without | bit].iter().zip(&found[without]);
        pairs.map(|(with, without)| with[measure] - without[measure]).collect::<Vec<f64>>()
    };
    // Matter by matter, so that its interval follows from how matters differ.
    let mut shares = vec![0.0; found[0].len()];
    for without in (0..found.len()).filter(|mask| mask & bit == 0) {
        let size = without.count_ones() as usize;
        // Of all orders, those in which exactly these come before it.
        let weight = 1.0 / (layers as f64 * choose(layers - 1, size));
        shares.iter_mut().zip(between(without)).for_each(|(share, apart)| *share += weight * apart);
    }
    let all = found.len() - 1;
    // Differences of right and wrong are -1, 0 or 1; those of shares are anything between.
    let of = |differences: Vec<f64>| {
        if measure < 2 { stats::paired(&differences) } else { stats::mean(&differences) }
    };
    LayerShift { alone: of(between(0)), last: of(between(all & !bit)), shapley: stats::mean(&shares) }
}

fn choose(of: usize, some: usize) -> f64 {
    (0..some).map(|at| (of - at) as f64 / (at + 1) as f64).product()
}

fn moved(estimate: Option<&Interval>) -> String {
    estimate.map_or_else(|| "-".into(), |it| interval(it, points))
}

impl AblationReport {
    /// As a report.
    pub fn report(&self) -> LabReport {
        let study = self.rows.first().map(|row| &row.result);
        let name = study.map(|it| it.study.clone()).unwrap_or_default();
        let mut report = LabReport::new(format!("{name}: what each layer does"), FigureKind::Simulated);
        if let Some(study) = study {
            report.fact("seed", study.seed);
            report.fact("matters each", study.matters);
            report.fact("seats", study.seats);
            let mut digests: Vec<&str> =
                self.rows.iter().map(|row| row.result.charter_digest.as_str()).collect();
            digests.sort_unstable();
            digests.dedup();
            report.fact("charter digests", digests.join(" "));
        }
        let mut table = ReportTable::new(
            "Combinations",
            &["layers on", "right %", "passed %", "false pass %", "false reject %", "support %", "answers"],
        );
        for row in &self.rows {
            let it = &row.result;
            table.row([
                if row.on.is_empty() { "none".into() } else { row.on.join(" + ") },
                shown(it.right.as_ref()),
                shown(it.passed.as_ref()),
                shown(it.false_pass.as_ref()),
                shown(it.false_reject.as_ref()),
                shown(it.support.as_ref()),
                format!("{:.1}", it.answers),
            ]);
        }
        report.tables.push(table);
        let measures: [(&str, ShiftOf); 3] = [
            ("Effect on how often the result is right, in points", |it| &it.right),
            ("Effect on how often motions pass, in points", |it| &it.passed),
            ("Effect on the share of votes for motions, in points", |it| &it.support),
        ];
        for (title, of) in measures {
            let mut table = ReportTable::new(title, &["layer", "alone", "last", "Shapley share"]);
            for layer in &self.layers {
                let it = of(layer);
                table.row([
                    layer.layer.clone(),
                    moved(it.alone.as_ref()),
                    moved(it.last.as_ref()),
                    moved(it.shapley.as_ref()),
                ]);
            }
            report.tables.push(table);
            let rows = self.layers.iter().filter_map(|layer| Some((layer.layer.clone(), of(layer).shapley?)));
            report.plots.push(Plot::Whiskers {
                title: format!("{title} (Shapley)"),
                rows: rows.collect(),
                signed: true,
                mark: Some(0.0),
            });
        }
        report.note("All combinations are run on the same matters with the same dice. Intervals are over matters and hold with 95 % confidence.");
        report
    }
}
