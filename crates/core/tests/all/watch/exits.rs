//! What ends a stage: consensus, confidence, and positions that no longer move.

use synod_core::kernel::Permille;
use synod_core::watch::{Exit, Rules, exit};

use super::{CACHE, NO_CACHE, QUEUE, permille, read, read_with, rules, share, split};

#[test]
fn consensus_is_met_by_exactly_nine_tenths() {
    let left = |yes, no| exit(&rules(), &read(&[&split(yes, no, 0, "0.5")]), &[]);
    assert_eq!(left(9, 1), Some(Exit::Consensus));
    assert_eq!(left(17, 3), None, "0.85");
    assert_eq!(left(64, 8), None, "0.889");
    assert_eq!(left(65, 7), Some(Exit::Consensus), "0.903");
}

#[test]
fn the_lowest_known_agreement_decides_on_consensus() {
    let rules = rules();
    let (all, most, unknown) =
        (read(&["ann yes\nbob yes"]), read(&[&split(17, 3, 0, "")]), read(&["ann yes"]));
    for (analysis, judged, expected) in [
        (&all, &[900][..], Some(Exit::Consensus)),
        (&all, &[1000, 899], None),
        (&most, &[1000], None),
        (&unknown, &[900], None),
        (&unknown, &[950, 850], None),
        (&unknown, &[], None),
    ] {
        let judged: Vec<Permille> = judged.iter().map(|one| permille(*one)).collect();
        assert_eq!(exit(&rules, analysis, &judged), expected, "{judged:?}");
    }
}

#[test]
fn all_in_neutral_is_no_consensus_for_a_side() {
    let analysis = read(&[&split(0, 0, 5, "0.95")]);
    assert_eq!(analysis.agreement, share(0, 5));
    assert_eq!(exit(&rules(), &analysis, &[]), None);
}

#[test]
fn confidence_ends_a_stage_unless_sides_stand_against_each_other() {
    for (yes, no, neutral, sure, expected) in [
        (1, 1, 0, "0.95", None),
        (2, 2, 0, "0.95", None),
        (2, 1, 0, "0.95", None),
        (3, 2, 0, "0.95", None),
        (3, 1, 0, "0.95", None),
        (8, 2, 0, "0.9", None),
        (2, 0, 2, "0.85", Some(Exit::Confidence)),
        (2, 0, 2, "0.849", None),
        (2, 1, 2, "0.9", None),
        (1, 0, 2, "0.9", None),
        (3, 1, 0, "", None),
    ] {
        let analysis = read(&[&split(yes, no, neutral, sure)]);
        assert_eq!(exit(&rules(), &analysis, &[]), expected, "{yes} {no} {neutral} {sure}");
    }
    let one_unsaid = read(&["ann yes 0.9\nbob yes 0.9\ncy yes 0.9\ndee neutral"]);
    assert_eq!(exit(&rules(), &one_unsaid, &[]), None);
    let unknown = read(&["ann yes 0.9\nbob yes 0.9\ncy neutral 0.9\ndee 0.9 | We should cache"]);
    assert_eq!(exit(&rules(), &unknown, &[]), None, "nobody knows where dee stands");
}

#[test]
fn the_order_is_consensus_convergence_confidence() {
    let still = "ann yes 0.9\nbob yes 0.9\ncy neutral 0.9";
    let analysis = read(&[still; 3]);
    assert_eq!(exit(&rules(), &analysis, &[]), Some(Exit::Convergence), "confidence would hold too");
    assert_eq!(exit(&rules(), &read(&[still]), &[]), Some(Exit::Confidence));
    let agreed = "ann yes 0.9\nbob yes 0.9";
    assert_eq!(exit(&rules(), &read(&[agreed; 3]), &[]), Some(Exit::Consensus));
    assert_eq!(Exit::Convergence.words(), "positions no longer change");
}

#[test]
fn two_rounds_are_never_enough_for_two_intervals() {
    let same = format!("ann yes | {CACHE}\nbob no | {NO_CACHE}");
    let after = |rounds: usize| read(&vec![same.as_str(); rounds]).converged;
    assert_eq!([after(1), after(2), after(3), after(4)], [None, None, Some(true), Some(true)]);
    let unwatched = Rules { still_rounds: 0, ..rules() };
    assert_eq!(read_with(&unwatched, 0, None, &[&same, &same, &same]).converged, None);
}

#[test]
fn whoever_moves_keeps_it_moving() {
    let with = |bob: &str| format!("ann yes 0.7 | {CACHE}\nbob {bob}");
    let still = with(&format!("no 0.6 | {NO_CACHE}"));
    let check = |first: &str, second: &str, third: &str| read(&[first, second, third]).converged;
    let cases = [
        ("side", with(&format!("yes 0.6 | {NO_CACHE}")), Some(false)),
        ("confidence", with(&format!("no 0.7 | {NO_CACHE}")), Some(false)),
        ("a little less sure", with(&format!("no 0.55 | {NO_CACHE}")), Some(true)),
        ("other words for the same side", with(&format!("no 0.6 | {QUEUE}")), Some(true)),
        ("no words", with("no 0.6"), Some(true)),
        ("no side", with(&format!("| {NO_CACHE}")), None),
        ("no confidence", with("no"), None),
    ];
    for (what, moved, expected) in &cases {
        assert_eq!(check(&still, &still, moved), *expected, "{what} last");
        assert_eq!(check(&still, moved, &still), *expected, "{what} between");
        assert_eq!(check(moved, &still, &still), *expected, "{what} first");
    }
    let moved = cases[0].1.as_str();
    assert_eq!(read(&[moved, &still, &still, &still]).converged, Some(true), "long ago does not matter");
}

#[test]
fn convergence_is_of_those_who_state_a_side() {
    let most = format!("ann yes\nbob no\ncy | {CACHE}");
    assert_eq!(read(&[&most; 3].map(|one| one.as_str())).converged, Some(true), "two of three stated one");
    let half = format!("ann yes\ncy | {CACHE}");
    assert_eq!(read(&[&half; 3].map(|one| one.as_str())).converged, None, "one of two is not more than half");
}

#[test]
fn a_missing_seat_is_no_convergence() {
    let (both, one) = (format!("ann yes | {CACHE}\nbob yes | {CACHE}"), format!("ann yes | {CACHE}"));
    for rounds in [[&one, &both, &both], [&both, &one, &both], [&both, &both, &one]] {
        assert_eq!(read(&rounds.map(String::as_str)).converged, Some(false));
    }
    let ordered = format!("ann yes | {CACHE}\n!bob yes | {CACHE}");
    assert_eq!(read(&[&both, &ordered, &both]).converged, Some(false));
    assert_eq!(read(&[&ordered, &ordered, &ordered]).converged, Some(true), "the ordered one is not asked");
}

#[test]
fn convergence_is_not_told_where_nothing_is_known() {
    assert_eq!(read(&["ann\nbob", "ann\nbob", "ann\nbob"]).converged, None);
    assert_eq!(read(&["", "", ""]).converged, None);
    assert_eq!(read(&["ann yes\nbob no"; 3]).converged, Some(true), "sides without words");
}
