//! Common ground, conflicts and nuances.

use synod_core::kernel::Choice;
use synod_core::watch::{Apart, ConflictSubject};

use super::{CACHE, QUEUE, names, read};

#[test]
fn common_ground_over_sides_comes_first() {
    let analysis = read(&["ann yes | p | The rollout must be gradual; Latency drops by half
         bob yes | p | Latency drops by half
         cy no | p | The rollout must be gradual; Storage costs rise
         dee no | p | Writes get slower"]);
    let shown: Vec<_> =
        analysis.common_ground.iter().map(|p| (p.sides, p.text.as_str(), names(&p.who))).collect();
    assert_eq!(
        shown,
        [
            (2, "The rollout must be gradual", "ann cy".to_string()),
            (1, "Latency drops by half", "ann bob".to_string())
        ]
    );
}

#[test]
fn nobody_stands_under_words_of_another() {
    let analysis = read(&["ann yes | p | Latency drops by half
         bob yes | p | I think the latency drops by half
         cy no | p | Clearly, latency drops by half
         dee | p | Latency drops by half"]);
    let [point] = analysis.common_ground.as_slice() else { panic!("{:?}", analysis.common_ground) };
    assert_eq!(
        (point.text.as_str(), names(&point.who), point.sides),
        ("Latency drops by half", "ann".into(), 1)
    );
    let similar: Vec<_> = point.similar.iter().map(|one| (one.text.as_str(), names(&one.who))).collect();
    assert_eq!(
        similar,
        [("I think the latency drops by half", "bob".to_string())],
        "cy is of another side, dee of none"
    );
    assert_eq!(point.seats().len(), 2);
}

#[test]
fn sentences_of_the_position_are_points_where_no_key_points_are_given() {
    let analysis = read(&["ann yes | Yes. Caching halves the latency of reads. Ship it soon in May.
         bob yes | Yes. Caching really halves the latency of reads. The bill doubles."]);
    let shown: Vec<_> = analysis.common_ground.iter().map(|p| p.text.as_str()).collect();
    assert_eq!(shown, ["Caching halves the latency of reads."]);
}

#[test]
fn a_point_is_contested_only_by_those_who_wrote_the_words() {
    let analysis = read(&["ann yes | p | The cache is safe under load
         bob yes | p | I think the cache is safe under load
         cy no | p | The cache is not safe under load"]);
    let points: Vec<_> = analysis.conflicts.iter().filter(|c| c.about == ConflictSubject::Point).collect();
    let [point] = points.as_slice() else { panic!("{points:?}") };
    let mut sides = [(names(&point.one.who), &point.one.gist), (names(&point.other.who), &point.other.gist)];
    sides.sort();
    assert_eq!(sides[0], ("ann".to_string(), &Some("The cache is safe under load".to_string())));
    assert_eq!(sides[1].0, "cy");
}

#[test]
fn conflicts_are_of_sides_and_of_points() {
    let analysis = read(&["ann yes | For it | The cache is safe under load
         bob yes | For it | The cache is safe under load
         cy no | Against | The cache is not safe under load
         dee neutral | Who knows | Nobody asked the users"]);
    let shown: Vec<_> =
        analysis.conflicts.iter().map(|c| (c.about, names(&c.one.who), names(&c.other.who))).collect();
    let pair = || ("ann bob".to_string(), "cy".to_string());
    assert_eq!(
        shown,
        [(ConflictSubject::Side, pair().0, pair().1), (ConflictSubject::Point, pair().0, pair().1)]
    );
    assert_eq!(analysis.conflicts[1].other.gist.as_deref(), Some("The cache is not safe under load"));
}

#[test]
fn who_says_both_is_on_neither_side_of_a_point() {
    let analysis =
        read(&["ann yes | p | The cache is safe; The cache is not safe\nbob yes | p | Costs are low here"]);
    assert!(analysis.conflicts.is_empty(), "{:?}", analysis.conflicts);
}

#[test]
fn lists_are_cut_off() {
    let points = |name: usize, word: &str| {
        let many: Vec<String> =
            ('a'..='h').map(|c| format!("{}{word} fits", c.to_string().repeat(9))).collect();
        format!("s{name:02} yes | p | {}\n", many.join("; "))
    };
    let script: String = (0..20).map(|i| points(i, if i % 2 == 0 { " never" } else { "" })).collect();
    let analysis = read(&[&script]);
    assert_eq!((analysis.common_ground.len(), analysis.conflicts.len()), (8, 8));
    let options: String = (0..6)
        .map(|i| format!("s{i} yes | {}\n", QUEUE.replace("durable", &"xyzuvw"[i..=i].repeat(40))))
        .collect();
    assert!(read(&[&options]).conflicts.is_empty(), "other words are not against each other");
}

#[test]
fn nuances_are_differences_within_one_side() {
    let analysis =
        read(&[&format!("ann yes 0.95 | {CACHE}\nbob yes 0.55 | {QUEUE}\ncy yes 0.9 | {CACHE} then")]);
    let shown: Vec<_> = analysis.nuances.iter().map(|n| (n.apart, n.stance, names(&n.who))).collect();
    assert_eq!(
        shown,
        [
            (Apart::Reasons, Some(Choice::Yes), "ann bob".to_string()),
            (Apart::Confidence, Some(Choice::Yes), "ann bob".to_string())
        ]
    );
    let near = read(&[&format!("ann yes 0.9 | {CACHE}\nbob yes 0.501 | {CACHE}")]);
    assert!(near.nuances.is_empty(), "{:?}", near.nuances);
}
