//! The spread of what judges say, and statistics.

use synod_core::kernel::{Choice, Response};
use synod_core::watch::{Opinion, spread, statistics};

use super::{CACHE, QUEUE, Word, permille, read, round, word};

#[test]
fn the_spread_is_over_all_known_agreements() {
    let opinion =
        |agreement: Option<u16>| Opinion { agreement: agreement.map(permille), ..Opinion::default() };
    let (known, unknown) = (read(&["ann yes\nbob yes\ncy no"]), read(&["ann yes"]));
    assert_eq!(spread(&known, &[opinion(Some(900)), opinion(None)]), Some((permille(667), permille(900))));
    assert_eq!(spread(&known, &[]), Some((permille(667), permille(667))));
    assert_eq!(
        spread(&unknown, &[opinion(Some(400)), opinion(Some(300))]),
        Some((permille(300), permille(400)))
    );
    assert_eq!(spread(&unknown, &[opinion(None)]), None);
}

#[test]
fn statistics_name_nobody_and_invent_nothing() {
    let words = round(&format!(
        "ann b 0.9 | {QUEUE}\nbob a 0.8 | {CACHE}\ncy b | {CACHE}\ndee no | one word here\neli neutral\nfay\ngus a | Clearly, {CACHE}"
    ));
    let responses: Vec<&Response> = words.iter().map(|word| &word.response).collect();
    let figures = statistics(2, &responses);
    assert_eq!(figures.mean_confidence, Some(permille(850)));
    assert_eq!(
        figures.stances,
        [(Choice::Option(0), 2), (Choice::Option(1), 2), (Choice::No, 1), (Choice::Neutral, 1)]
    );
    let positions: Vec<_> = figures.positions.iter().map(|(said, count)| (said.as_str(), *count)).collect();
    // The same words for another option are another position.
    assert_eq!(positions, [(CACHE, 2), (QUEUE, 1), (CACHE, 1), ("one word here", 1)]);
    let none = statistics(0, &[&Response::default()]);
    assert_eq!((none.mean_confidence, none.stances, none.positions), (None, vec![], vec![]));
}

#[test]
fn positions_without_a_side_are_never_counted_together() {
    let words =
        round("ann | I cannot help with this\nbob | I cannot help with this\ncy yes | Cache the answers");
    let responses: Vec<&Response> = words.iter().map(|word| &word.response).collect();
    let positions = statistics(0, &responses).positions;
    let shown: Vec<_> = positions.iter().map(|(said, count)| (said.as_str(), *count)).collect();
    assert_eq!(
        shown,
        [("Cache the answers", 1), ("I cannot help with this", 1), ("I cannot help with this", 1)]
    );
}

#[test]
fn only_five_positions_are_shown() {
    let words: Vec<Word> = (0..7).map(|i| word(&format!("s{i} | {}", "abcdefg"[i..=i].repeat(12)))).collect();
    let responses: Vec<&Response> = words.iter().map(|word| &word.response).collect();
    let shown = statistics(0, &responses).positions;
    assert_eq!(shown.len(), 5);
    assert_eq!(shown[0].0, "aaaaaaaaaaaa");
}
