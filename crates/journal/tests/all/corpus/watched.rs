//! What is found in a round, by name.

use super::fields;
use super::kinds::named;
use synod_core::watch::{self, Analysis, Apart, ConflictSubject, Exit, Indicator};

named! {
    exit(Exit) in EXITS {
        Exit::Consensus => "exit consensus",
        Exit::Convergence => "exit convergence",
        Exit::Confidence => "exit confidence",
        Exit::Clear => "exit clear",
        Exit::Still => "exit still",
        Exit::Rounds => "exit rounds",
        Exit::Stagnation => "exit stagnation",
    }
    indicator(Indicator) in INDICATORS {
        Indicator::ConfidentAndAlike => "sign confident and alike",
        Indicator::NoAlternative => "sign no alternative",
        Indicator::DissentDropped { .. } => "sign dissent dropped",
        Indicator::ByReference { .. } => "sign by reference",
    }
    over(ConflictSubject) in OVERS {
        ConflictSubject::Side => "over a side",
        ConflictSubject::Point => "over a point",
    }
    apart(Apart) in APARTS {
        Apart::Reasons => "apart in reasons",
        Apart::Confidence => "apart in confidence",
    }
}

pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [EXITS, INDICATORS, OVERS, APARTS].into_iter().flatten().copied()
}

/// The names of what such an event holds.
pub(super) fn happened(event: &watch::Event, names: &mut Vec<&'static str>) {
    match event {
        watch::Event::Analysed { analysis, .. } => analysed(analysis, names),
        watch::Event::Judged { opinion, .. } => names.extend(fields::opinion(opinion)),
        watch::Event::Left { why, .. } => names.push(exit(why)),
    }
}

fn analysed(found: &Analysis, names: &mut Vec<&'static str>) {
    names.extend(fields::analysis(found));
    names.extend(found.groupthink.iter().map(indicator));
    names.extend(found.clusters.iter().flat_map(fields::cluster));
    names.extend(found.common_ground.iter().flat_map(fields::point));
    names.extend(found.conflicts.iter().map(|conflict| over(&conflict.about)));
    names.extend(found.nuances.iter().map(|nuance| apart(&nuance.apart)));
    names.extend(found.nuances.iter().flat_map(fields::nuance));
}
