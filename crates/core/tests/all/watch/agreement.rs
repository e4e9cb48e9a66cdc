//! How far voices agree, and which of them stand together.

use synod_core::kernel::Choice;
use synod_core::watch::{Exit, Level, Share, exit};

use super::{CACHE, NO_CACHE, names, permille, read, read_with, rules, share};

#[test]
fn agreement_is_the_largest_side_among_the_known() {
    for (script, expected) in [
        ("ann yes\nbob yes", share(2, 2)),
        ("ann yes\nbob no", share(1, 2)),
        ("ann yes\nbob yes\ncy no", share(2, 3)),
        ("ann yes\nbob neutral\ncy neutral", share(1, 3)),
        ("ann neutral\nbob neutral\ncy neutral", share(0, 3)),
        ("ann yes", None),
        ("ann\nbob", None),
        ("ann yes\nbob", None),
        ("ann yes\nbob yes\ncy", share(2, 2)),
        ("", None),
    ] {
        assert_eq!(read(&[script]).agreement, expected, "{script:?}");
    }
}

#[test]
fn agreement_needs_more_than_half_of_the_free_seats() {
    let of = |seats| read_with(&rules(), 0, Some(seats), &["ann yes\nbob yes"]).agreement;
    assert_eq!(of(3), share(2, 2));
    assert_eq!(of(4), None, "two of four is not more than half");
    let with_order = |seats| read_with(&rules(), 0, Some(seats), &["ann yes\nbob yes\n!cy no"]).agreement;
    assert_eq!(with_order(4), share(2, 2), "the ordered seat is not a free one");
    assert_eq!(with_order(5), None);
}

#[test]
fn ordered_voices_are_listed_and_not_counted() {
    let analysis = read(&["ann yes 0.9\nbob yes 0.9\n!cy no 0.1 | it costs too much money"]);
    assert_eq!(analysis.agreement, share(2, 2));
    assert_eq!(names(&analysis.ordered), "cy");
    assert_eq!((analysis.confidence, analysis.least_confidence), (Some(permille(900)), Some(permille(900))));
    assert_eq!(analysis.clusters.len(), 1);
    assert!(analysis.conflicts.is_empty() && analysis.common_ground.is_empty());
    assert_eq!(exit(&rules(), &analysis, &[]), Some(Exit::Consensus));
}

#[test]
fn levels_begin_where_they_say_and_unknown_is_its_own() {
    for (part, whole, level) in
        [(7, 10, Level::High), (69, 100, Level::Medium), (4, 10, Level::Medium), (39, 100, Level::Low)]
    {
        assert_eq!(Level::of(share(part, whole)), level, "{part} of {whole}");
    }
    assert_eq!(Level::of(None).word(), "unknown");
    assert_eq!(Share { part: 2, whole: 3 }.permille(), permille(667));
    assert_eq!(Share { part: 0, whole: 0 }.permille(), permille(0));
}

#[test]
fn confidence_is_the_mean_of_the_known_and_the_least_needs_all() {
    let analysis = read(&["ann yes 0.9\nbob yes 0.8\ncy yes"]);
    assert_eq!((analysis.confidence, analysis.least_confidence), (Some(permille(850)), None));
    let nobody = read(&["ann yes\nbob yes"]);
    assert_eq!((nobody.confidence, nobody.least_confidence), (None, None));
}

#[test]
fn a_side_that_the_question_does_not_have_is_unknown() {
    let analysis = read_with(&rules(), 2, None, &["ann a\nbob a\ncy b\ndee yes"]);
    assert_eq!(analysis.agreement, share(2, 3));
    assert_eq!(names(&analysis.unknown), "dee");
    assert_eq!(names(&read(&["ann a\nbob yes\ncy yes"]).unknown), "ann");
}

#[test]
fn the_last_word_of_a_seat_is_the_one_read() {
    assert_eq!(read(&["ann no\nann yes\nbob yes"]).agreement, share(2, 2));
}

#[test]
fn words_never_stand_in_for_a_stated_side() {
    let analysis =
        read(&[&format!("ann yes | {CACHE}\nbob | {CACHE}\ncy no | {NO_CACHE}\ndee | | | {NO_CACHE}\neli")]);
    let shown: Vec<_> = analysis.clusters.iter().map(|c| (c.stance, names(&c.who))).collect();
    assert_eq!(shown, [(Some(Choice::Yes), "ann".to_string()), (Some(Choice::No), "cy".to_string())]);
    assert_eq!(names(&analysis.unknown), "bob dee eli");
    assert_eq!(analysis.agreement, None, "two of five");
}

#[test]
fn refusals_in_equal_words_are_unknown_and_end_nothing() {
    let refusals = "ann 0.9 | I cannot help with this\nbob 0.9 | I cannot help with this\ncy 0.9 | I cannot help with this";
    let analysis = read(&[refusals; 3]);
    assert_eq!((analysis.agreement, names(&analysis.unknown)), (None, "ann bob cy".to_string()));
    assert!(analysis.clusters.is_empty() && analysis.common_ground.is_empty(), "{analysis:?}");
    assert!(analysis.conflicts.is_empty() && analysis.groupthink.is_empty(), "{analysis:?}");
    assert_eq!(analysis.converged, None);
    assert_eq!(exit(&rules(), &analysis, &[]), None);
    assert_eq!(exit(&rules(), &analysis, &[permille(1000)]), None, "a judge cannot make a consensus either");
}

#[test]
fn a_voice_without_a_side_counts_against_consensus() {
    let analysis = read(&["ann yes\nbob yes\ncy | We should cache"]);
    assert_eq!((analysis.agreement, names(&analysis.unknown)), (share(2, 2), "cy".to_string()));
    assert_eq!(exit(&rules(), &analysis, &[]), None);
    let nine: String = (0..9).map(|i| format!("s{i} yes\n")).chain(["sx | words".to_string()]).collect();
    assert_eq!(exit(&rules(), &read(&[&nine]), &[]), Some(Exit::Consensus), "nine of ten stated it");
}

#[test]
fn the_gist_is_of_the_surest_who_said_anything_and_short() {
    let long = "word ".repeat(100);
    let analysis = read(&[&format!("ann yes 0.5 | {CACHE}\nbob yes 0.9 | {long}\ncy yes 0.99")]);
    let gist = analysis.clusters[0].gist.as_deref().unwrap();
    assert!(gist.starts_with("word word") && gist.chars().count() <= 200, "{gist}");
    assert_eq!(
        analysis.clusters[0].by.as_ref().map(|by| by.as_str()),
        Some("bob"),
        "and it says whose words"
    );
    let silent = read(&["ann yes\nbob yes"]);
    assert_eq!((&silent.clusters[0].gist, &silent.clusters[0].by), (&None, &None));
}
