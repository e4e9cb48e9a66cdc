//! What the rules of a charter hold, by name.

use synod_core::charter::{Charter, Council, Procedure, StageKind};
use synod_core::floor;
use synod_core::lens::Sees;

use super::fields;
use super::kinds::named;

named! {
    order(floor::FloorOrder) in ORDERS {
        floor::FloorOrder::Parallel => "floor parallel",
        floor::FloorOrder::Sequential => "floor sequential",
        floor::FloorOrder::Teams => "floor teams",
    }
    sees(Sees) in SEES {
        Sees::Nothing => "sees nothing",
        Sees::EarlierRounds => "sees earlier rounds",
        Sees::SoFar => "sees so far",
        Sees::Team => "sees team",
    }
    stage_kind(StageKind) in STAGES {
        StageKind::Speak(_) => "stage of speech",
        StageKind::Vote { .. } => "stage of a vote",
        StageKind::Propose(_) => "stage of proposals",
        StageKind::Merge => "stage of merging",
        StageKind::Estimate(_) => "stage of estimates",
        StageKind::Second { .. } => "stage of seconding",
        StageKind::RedTeam(_) => "stage of a red team",
    }
}

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [ORDERS, SEES, STAGES].into_iter().flatten().copied()
}

/// The names of what a charter holds.
pub(super) fn chartered(rules: &Charter, names: &mut Vec<&'static str>) {
    match &rules.procedure {
        Procedure::Council(rules) => council_rules(rules, names),
        // All fields of a ring are always there.
        Procedure::Ring(_) | Procedure::Workshop(_) => (),
    }
}

fn council_rules(rules: &Council, names: &mut Vec<&'static str>) {
    names.extend(fields::council(rules));
    names.extend(fields::gate(&rules.gate));
    names.extend(fields::lens(&rules.lens));
    names.extend(fields::wording(&rules.brief));
    names.extend(rules.brief.parts.iter().flat_map(fields::part));
    names.extend(rules.brief.tools.iter().flat_map(fields::tools));
    if let Some(roles) = &rules.roles {
        names.extend(fields::roles(roles));
        names.extend(roles.roles.iter().flat_map(fields::role));
    }
    for stage in &rules.stages {
        names.push(stage_kind(&stage.kind));
        if let Some(speak) = stage.kind.speech() {
            names.extend([order(&speak.floor), sees(&speak.sees)]);
            names.extend(fields::speak(speak));
        }
    }
}
