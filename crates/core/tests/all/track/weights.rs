//! What records are worth, whatever they are.

use std::sync::Arc;

use synod_core::kernel::{ByRecord, Choice, Id, MatterId, Seq, Who};
use synod_core::track::{Event, JudgedVote, Learned, Track, Truth, Unweighed, Voter, weigh};

use crate::world::who;

const BY: ByRecord = ByRecord { least: 4, shrink: 4, top: None };

/// A seat: its name, its model, and in each matter `+`, `-` or ` ` for not marked.
type Row<'a> = (&'a str, Option<&'a str>, &'a str);

pub(super) fn matter(nth: usize) -> MatterId {
    MatterId(Id { act: Seq(nth as u64 + 1), nth: 0 })
}

fn weights(rows: &[Row<'_>], by: ByRecord) -> Result<Vec<u32>, Unweighed> {
    let names: Vec<Who> = rows.iter().map(|(name, _, _)| who(name)).collect();
    let mut track = Track::default();
    for nth in 0..rows.iter().map(|(_, _, marks)| marks.len()).max().unwrap_or(0) {
        let mark = |(row, who): (&Row<'_>, &Who)| {
            let right = match row.2.as_bytes().get(nth)? {
                b'+' => true,
                b'-' => false,
                _ => return None,
            };
            Some(JudgedVote {
                backend: None,
                minority: false,
                model: row.1.map(str::to_string),
                right,
                side: None,
                who: who.clone(),
            })
        };
        let marks = rows.iter().zip(&names).filter_map(mark).collect();
        let learned = Learned {
            marks,
            matter: matter(nth),
            options: 0,
            root: matter(nth),
            truth: Truth::Is(Choice::Yes),
        };
        track.apply(&Event::Learned(Arc::new(learned)));
    }
    let voters: Vec<Voter<'_>> =
        rows.iter().zip(&names).map(|(row, who)| Voter { backend: None, model: row.1, who }).collect();
    weigh(&track, &voters, &by)
}

#[test]
fn equal_records_count_alike_and_better_ones_more() {
    let rows =
        [("a", None, "++++-+-+"), ("b", None, "+-++++-+"), ("c", None, "+++++--+"), ("d", None, "++++++++")];
    let found = weights(&rows, BY).expect("enough is known");
    assert_eq!(found[3], 1000, "the best has a whole vote");
    assert!(found[..3].iter().all(|weight| (1..1000).contains(weight)), "{found:?}");
    // Who wins one more mark never counts for less.
    let better = [("a", None, "++++++-+"), rows[1], rows[2], rows[3]];
    assert!(weights(&better, BY).expect("enough is known")[0] > found[0]);
    // The order of seats changes nothing but the order.
    let turned = [rows[3], rows[2], rows[1], rows[0]];
    let mut back = weights(&turned, BY).expect("enough is known");
    back.reverse();
    assert_eq!(back, found);
}

#[test]
fn who_is_as_often_wrong_as_right_counts_nothing_and_is_never_turned_round() {
    let rows = [("a", None, "++++++++"), ("b", None, "+-+-+-+-"), ("c", None, "--------")];
    assert_eq!(weights(&rows, BY).map(|found| found[0]), Ok(1000));
    assert_eq!(weights(&rows, BY).map(|found| found[2]), Ok(0));
    let none = [("a", None, "--------"), ("b", None, "+---+---")];
    assert_eq!(weights(&none, BY), Err(Unweighed::NoneAhead));
}

#[test]
fn half_of_the_seats_need_a_record_and_a_newcomer_counts_as_the_average() {
    let rows = [("a", None, "++++"), ("b", None, "++-"), ("c", None, "")];
    assert_eq!(weights(&rows, BY), Err(Unweighed::TooFew { known: 1 }));
    assert_eq!(weights(&[], BY), Err(Unweighed::TooFew { known: 0 }));
    let rows = [("a", None, "++++++++"), ("b", None, "+-++--++"), ("c", None, "")];
    let found = weights(&rows, BY).expect("two of three are known");
    assert!(found[1] < found[2] && found[2] < found[0], "{found:?}");
}

#[test]
fn what_is_too_short_to_be_a_record_says_nothing() {
    // One lucky mark is no record, and those who have one are not ahead of a coin.
    let rows = [("a", None, "+---"), ("b", None, "-+--"), ("c", None, "+")];
    assert_eq!(weights(&rows, BY), Err(Unweighed::NoneAhead));
    let rows = [("a", None, "++++"), ("b", None, "+++-"), ("c", None, "---"), ("d", None, "")];
    let found = weights(&rows, BY).expect("two of four are known");
    assert_eq!(found[2], found[3], "both count as the average");
}

#[test]
fn only_the_best_count_where_the_charter_says_so() {
    let rows =
        [("a", None, "+++++++-"), ("b", None, "++++++-+"), ("c", None, "++++-+-+"), ("d", None, "++++++++")];
    let found = weights(&rows, ByRecord { top: Some(2), ..BY }).expect("enough is known");
    assert_eq!(found.iter().filter(|weight| **weight > 0).count(), 2);
    assert!(found[3] == 1000 && found[0] > 0, "of equal ones the earlier seat: {found:?}");
}

#[test]
fn seats_that_err_together_are_not_as_many_as_they_are() {
    let (one, other) = ("+++++-++-+++++++", "++-+++++++++-+++");
    let apart = [("a", None, one), ("b", None, other)];
    let found = weights(&apart, BY).expect("enough is known");
    assert_eq!(found, [1000, 1000]);
    // Three that are one: each counts for less than the other one alone.
    let thrice = [("a", None, one), ("a2", None, one), ("a3", None, one), ("b", None, other)];
    let found = weights(&thrice, BY).expect("enough is known");
    assert!(found[..3].iter().all(|weight| *weight < 500) && found[3] == 1000, "{found:?}");
    // Before anything is known of how they err, one model is one voter.
    let same = [("a", Some("m"), "++++"), ("b", Some("m"), "++++"), ("c", Some("n"), "++++")];
    assert_eq!(weights(&same, BY), Ok(vec![500, 500, 1000]));
    // And a record that shows otherwise is believed.
    let (long, other) = (one.repeat(20), other.repeat(20));
    let differ = [("a", Some("m"), &*long), ("b", Some("m"), &*other)];
    let found = weights(&[differ[0], differ[1], ("c", Some("n"), &long)], BY).expect("enough is known");
    assert!(found[1] == 1000 && found[0] < 700, "{found:?}");
}

#[test]
fn a_seat_with_another_model_begins_anew() {
    let mut track = Track::default();
    for nth in 0..8 {
        let mark = JudgedVote {
            backend: None,
            minority: false,
            model: Some("old".into()),
            right: true,
            side: None,
            who: who("a"),
        };
        let learned = Learned {
            marks: vec![mark],
            matter: matter(nth),
            options: 0,
            root: matter(nth),
            truth: Truth::Is(Choice::Yes),
        };
        track.apply(&Event::Learned(Arc::new(learned)));
    }
    let a = who("a");
    let weigh = |model| weigh(&track, &[Voter { backend: None, model, who: &a }], &BY);
    assert_eq!(weigh(Some("old")), Ok(vec![1000]));
    assert_eq!(weigh(Some("new")), Err(Unweighed::TooFew { known: 0 }));
    assert_eq!(track.records().len(), 1);
}

#[test]
fn another_program_behind_a_name_begins_anew_and_branches_of_one_question_count_once() {
    let mut track = Track::default();
    for nth in 0..8 {
        let mark = JudgedVote {
            backend: Some("exec:old".into()),
            minority: false,
            model: None,
            right: true,
            side: None,
            who: who("a"),
        };
        // Every other one is a branch of the one before it.
        let (matter, root) = (matter(nth), matter(nth / 2 * 2));
        let learned = Learned { marks: vec![mark], matter, options: 0, root, truth: Truth::Is(Choice::Yes) };
        track.apply(&Event::Learned(Arc::new(learned)));
    }
    let a = who("a");
    let weigh = |mind, least| {
        weigh(&track, &[Voter { backend: Some(mind), model: None, who: &a }], &ByRecord { least, ..BY })
    };
    assert_eq!(weigh("exec:old", 4), Ok(vec![1000]));
    assert_eq!(weigh("exec:old", 5), Err(Unweighed::TooFew { known: 0 }), "eight matters are four questions");
    assert_eq!(weigh("exec:new", 4), Err(Unweighed::TooFew { known: 0 }));
    assert_eq!(track.records()[0].right, 4);
}
