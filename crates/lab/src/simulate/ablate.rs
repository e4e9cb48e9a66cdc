//! Which layer moved the result: every combination of layers on and off, on the same matters with the same dice.

use std::sync::atomic::AtomicU64;

use serde::Serialize;

use super::matter::MatterEnd;
use super::{SimulatedHouse, SimulationFault, SimulationReport};
use crate::stats::{self, Interval};
use crate::study::{Study, StudySetting, Switch};

/// All combinations, and what each layer does.
#[derive(Debug, Clone, Serialize)]
pub struct AblationReport {
    /// Says that no model was asked.
    pub kind: &'static str,
    /// Each combination.
    pub rows: Vec<AblationRow>,
    /// Each layer.
    pub layers: Vec<LayerEffect>,
}

/// One combination.
#[derive(Debug, Clone, Serialize)]
pub struct AblationRow {
    /// The layers that are on.
    pub on: Vec<String>,
    /// What it came to.
    pub result: SimulationReport,
}

/// What a layer does to how often the result is right.
#[derive(Debug, Clone, Serialize)]
pub struct LayerEffect {
    /// The layer.
    pub layer: String,
    /// Turned on alone, matter by matter.
    pub alone: Option<Interval>,
    /// Turned on when all others are on, matter by matter.
    pub last: Option<Interval>,
    /// Its share of the effect of all layers: the mean over every order in which they could be turned on (Shapley).
    pub shapley: f64,
}

fn switched(study: &mut Study, switch: &Switch) {
    if let Some(motion) = &switch.motion {
        study.motion = Some(motion.clone());
    }
    if let Some(charter) = &switch.charter {
        study.charter.clone_from(charter);
    }
    let settings: Vec<(String, StudySetting)> =
        switch.settings.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    study.settings.extend(settings);
}

/// Runs every combination. `source` gives the text of a charter by its name.
pub fn ablate(
    study: &Study,
    threads: usize,
    done: &AtomicU64,
    source: &dyn Fn(&str) -> Result<String, SimulationFault>,
) -> Result<AblationReport, SimulationFault> {
    let layers = study.layer.len();
    if layers == 0 {
        return Err(SimulationFault(
            "the study has no [[layer]]; add one with what it sets on and off".into(),
        ));
    }
    let (mut rows, mut right): (Vec<AblationRow>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
    for mask in 0..1usize << layers {
        let mut variant = study.clone();
        let mut on = Vec::new();
        for (at, layer) in study.layer.iter().enumerate() {
            let is_on = mask & 1 << at != 0;
            switched(&mut variant, if is_on { &layer.on } else { &layer.off });
            on.extend(is_on.then(|| layer.name.clone()));
        }
        let stage = SimulatedHouse::set(&variant, &source(&variant.charter)?)?;
        let mut each = Vec::new();
        let sums = stage.sums(
            threads,
            done,
            Some(&mut |ended: MatterEnd| {
                each.push(f64::from(u8::from(ended.passed == Some(ended.truth))));
            }),
        )?;
        rows.push(AblationRow { on, result: stage.report(&sums) });
        right.push(each);
    }
    let effects = (0..layers).map(|layer| effect(&study.layer[layer].name, layer, layers, &right));
    Ok(AblationReport { kind: "simulated", layers: effects.collect(), rows })
}

fn effect(name: &str, layer: usize, layers: usize, right: &[Vec<f64>]) -> LayerEffect {
    let bit = 1 << layer;
    let between = |without: usize| {
        let pairs = right[without | bit].iter().zip(&right[without]);
        pairs.map(|(with, without)| with - without).collect::<Vec<f64>>()
    };
    let mut shapley = 0.0;
    for without in (0..right.len()).filter(|mask| mask & bit == 0) {
        let size = without.count_ones() as usize;
        // Of all orders, those in which exactly these come before it.
        let weight = 1.0 / (layers as f64 * choose(layers - 1, size));
        let differences = between(without);
        shapley += weight * differences.iter().sum::<f64>() / differences.len().max(1) as f64;
    }
    let all = right.len() - 1;
    LayerEffect {
        layer: name.into(),
        alone: stats::paired(&between(0)),
        last: stats::paired(&between(all & !bit)),
        shapley,
    }
}

fn choose(of: usize, some: usize) -> f64 {
    (0..some).map(|at| (of - at) as f64 / (at + 1) as f64).product()
}
