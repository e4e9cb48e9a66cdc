//! Variants of a study: layers on and off, values of a grid.

use super::{SimulatedHouse, SimulationFault};
use crate::study::{Study, StudySetting, Switch};

/// Gives the text of a charter by its name.
pub(super) type CharterSource<'a> = &'a dyn Fn(&str) -> Result<String, SimulationFault>;

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

/// The study with the layers of a mask on and the others off, and the names of those that are on.
pub(super) fn layered(study: &Study, mask: usize) -> (Study, Vec<String>) {
    let mut variant = study.clone();
    let mut on = Vec::new();
    for (at, layer) in study.layer.iter().enumerate() {
        let is_on = mask & 1 << at != 0;
        switched(&mut variant, if is_on { &layer.on } else { &layer.off });
        on.extend(is_on.then(|| layer.name.clone()));
    }
    (variant, on)
}

/// Every combination of the grid's values, each with what it sets.
pub(super) fn grid(study: &Study) -> Vec<Vec<(String, StudySetting)>> {
    let mut all: Vec<Vec<(String, StudySetting)>> = vec![Vec::new()];
    for (name, values) in &study.grid {
        let longer = all.iter().flat_map(|before| {
            values.iter().map(move |value| {
                let mut next = before.clone();
                next.push((name.clone(), value.clone()));
                next
            })
        });
        all = longer.collect();
    }
    all
}

/// The study with these settings; `charter` and `motion` name those.
pub(super) fn with(study: &Study, settings: &[(String, StudySetting)]) -> Study {
    let mut variant = study.clone();
    for (name, value) in settings {
        match (name.as_str(), value) {
            ("charter", StudySetting::Share(charter)) => variant.charter.clone_from(charter),
            ("motion", StudySetting::Share(motion)) => variant.motion = Some(motion.clone()),
            _ => drop(variant.settings.insert(name.clone(), value.clone())),
        }
    }
    variant
}

/// A house for a variant.
pub(super) fn housed(study: &Study, source: CharterSource<'_>) -> Result<SimulatedHouse, SimulationFault> {
    SimulatedHouse::set(study, &source(&study.charter)?)
}

/// A value as it is written.
pub(super) fn written(value: &StudySetting) -> String {
    match value {
        StudySetting::Number(number) => number.to_string(),
        StudySetting::Share(share) => share.clone(),
    }
}
