//! What is shown of those who spoke under an order: never as their own opinion.

use synod_core::kernel::{Choice, Who};
use synod_core::view::{Comparison, Did, Report, Thoughts};

use super::chamber::Chamber;

/// A motion that everybody freely turned down, with a red team for it that obeyed; then all but the first voted no. And a
/// member of the team.
fn turned_down() -> (Chamber, Who) {
    let mut chamber = Chamber::of(10);
    let set = [("parliament.consensus_break.on", "0")];
    chamber.put("parliament-constitutional", "We buy a bell.", &set);
    chamber.speeches(10, |_| "NO");
    let member = chamber.asked().expect("the red team is asked").1;
    while chamber.status() == "called" {
        chamber.says("YES");
    }
    chamber.votes(1, 9);
    assert_eq!(chamber.status(), "failed");
    (chamber, member)
}

#[test]
fn a_seat_gives_up_no_side_by_order_and_its_turn_says_that_it_was_one() {
    let (chamber, member) = turned_down();
    let told = Thoughts::of(chamber.case(), &member).expect("it sits there");
    let spoken: Vec<(Option<Choice>, Option<Choice>)> = told
        .turns
        .iter()
        .filter_map(|turn| match &turn.did {
            Did::Said(said) => Some((said.response.stance, said.ordered)),
            _ => None, // its vote
        })
        .collect();
    assert_eq!(spoken, [(Some(Choice::No), None), (Some(Choice::Yes), Some(Choice::Yes))]);
    let said: Vec<_> = told.turns.iter().filter(|turn| matches!(turn.did, Did::Said(_))).collect();
    assert!(said.iter().all(|turn| turn.changed_from.is_none()), "an order moves nobody");
}

#[test]
fn where_a_seat_stood_last_is_what_it_said_freely() {
    let (chamber, member) = turned_down();
    let report = Report::of(chamber.case());
    let stands = report.stands_for();
    let stand = stands.iter().find(|stand| *stand.who == member).expect("it sits there");
    assert_eq!(stand.assigned, None);
    let free = chamber.case().said.iter().find(|said| said.who == member && said.ordered.is_none());
    assert_eq!(stand.position, free.and_then(|said| said.response.gist()));
    let beside = Comparison::of(&report, &report);
    let seat = beside.seats.iter().find(|seat| seat.who == member).expect("it sits there");
    let stood = seat.one.as_ref().expect("it sits there");
    assert_eq!((stood.stance.map(|(side, _)| side), stood.assigned), (Some(Choice::No), None));
}
