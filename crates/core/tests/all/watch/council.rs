//! What a council makes of what was read: refusals end nothing early, and groupthink is watched where nobody opposes.

use synod_core::meter::Limits;
use synod_core::view::{Report, Round};
use synod_core::watch::{Exit, Indicator};

use crate::world::{World, source};

fn report(world: &World) -> Report {
    Report::of(world.house.case(world.matter()).unwrap())
}

#[test]
fn three_refusals_are_heard_to_the_last_round_and_agree_on_nothing() {
    let mut world = World::new();
    world.open(&source("collaborative"), "cache", &[], &["ann", "bob", "cid"], Limits::default());
    let mut rounds = 0;
    while report(&world).exits.is_empty() && rounds < 10 {
        for name in ["ann", "bob", "cid"] {
            world.step(&format!(
                r#"{name}: raw {{"position": "I cannot help with this", "confidence": 0.95}}"#
            ));
        }
        rounds += 1;
    }
    let report = report(&world);
    assert_eq!(
        report.exits.iter().map(|(_, why)| *why).collect::<Vec<_>>(),
        [Exit::Rounds],
        "{rounds} rounds"
    );
    for found in report.rounds.iter().filter_map(|round| round.analysis.as_ref()) {
        assert_eq!((found.agreement, found.unknown.len(), found.converged), (None, 3, None));
        assert!(found.common_ground.is_empty() && found.clusters.is_empty(), "{found:?}");
    }
}

/// The first round of a debate in which only opponents are assigned, and one of four seats is not heard.
fn without(missing: usize) -> Round {
    let free =
        source("devils-advocate").replace("expects = \"YES\"", "").replace("expects = \"NEUTRAL\"", "");
    let names = ["ann", "bob", "cid", "dee"];
    let mut world = World::new();
    world.open(&free, "cache", &[], &names, Limits::default());
    for (nth, name) in names.iter().enumerate() {
        let said = if nth == missing { "fails backend/time-out slow" } else { "YES 0.6" };
        world.step(&format!("{name}: {said}"));
    }
    report(&world).rounds.remove(0)
}

#[test]
fn groupthink_is_watched_when_the_assigned_opponent_is_not_heard() {
    let (mut opposed, mut unopposed) = (0, 0);
    for found in (0..4).map(|missing| without(missing).analysis.expect("a round that was held is read")) {
        let signs = found.groupthink.contains(&Indicator::NoAlternative);
        assert_eq!(signs, found.ordered.is_empty(), "{found:?}");
        *(if found.ordered.is_empty() { &mut unopposed } else { &mut opposed }) += 1;
    }
    assert_eq!((opposed, unopposed), (3, 1));
}

/// The signs in the first round of three who agree, of whom one names an objection.
fn signs_with(edition: u32, objection: &str) -> Vec<Indicator> {
    let mut world = World::founded_by(edition);
    world.open(&source("blind-vote"), "cache", &[], &["ann", "bob", "cid"], Limits::default());
    let reasons =
        ["Reads dominate by nine to one.", "Latency halves.", "The database is full every morning."];
    for (name, reason) in ["ann", "bob", "cid"].into_iter().zip(reasons) {
        let objection = if name == "ann" { objection } else { "" };
        let said = serde_json::json!({
            "reasoning": reason, "key_points": [], "strongest_objection": objection, "position": "Cache it.",
            "stance": "YES", "confidence": 0.9, "vote": "YES", "reason": reason, "conditions": []
        });
        world.step(&format!("{name}: raw {said}"));
    }
    let read = report(&world).rounds.remove(0).analysis.expect("a round that was held is read");
    read.groupthink
}

#[test]
fn an_objection_that_says_that_there_is_none_weighs_nothing() {
    let weighs = |edition, said| !signs_with(edition, said).contains(&Indicator::NoAlternative);
    for said in ["", "none", "I see none.", "n/a", "There is no serious objection.", "Es gibt keine."] {
        assert!(!weighs(synod_core::edition::CURRENT, said), "{said}");
    }
    assert!(weighs(synod_core::edition::CURRENT, "It may go stale."));
    assert!(weighs(2, "none"), "edition 2 is judged as it was");
}
