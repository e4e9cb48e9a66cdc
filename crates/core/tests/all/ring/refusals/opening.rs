//! A ring that cannot be opened.

use expect_test::expect;
use synod_core::command::{Open, Perspectives};
use synod_core::kernel::Actor;
use synod_core::{Command, Outcome};

use super::{TWO, refuses};
use crate::ring::played;
use crate::world::{World, seat, source, who};

#[test]
fn ring_needs_outside() {
    let mut world = played(TWO);
    world.submit(Actor::Operator, Command::Enrol { seat: seat("bob") });
    let charter = synod_core::kernel::Digest::of(source("ring-default").as_bytes());
    let question = synod_core::matter::Question::parse("cache", &[]).unwrap();
    let open = synod_core::command::Open::new(question, charter, vec![who("ann"), who("bob")]);
    refuses(
        &mut world,
        Actor::Operator,
        Command::Open(Box::new(open)),
        expect![
            "ring/needs-outside: the charter ring-default is a ring, and `bob` is not an outside agent: enrol it as one, or hold a debate"
        ],
    );
}

#[test]
fn ring_too_few_invited() {
    let mut world = played(TWO);
    let charter = synod_core::kernel::Digest::of(source("ring-default").as_bytes());
    let question = synod_core::matter::Question::parse("cache", &[]).unwrap();
    let open = synod_core::command::Open::new(question, charter, vec![who("ann")]);
    refuses(
        &mut world,
        Actor::Operator,
        Command::Open(Box::new(open)),
        expect!["ring/too-few-invited: 1 invited, and a ring needs at least 2: invite more"],
    );
}

#[test]
fn ring_unread() {
    let opened = |settle: fn(&mut Open)| {
        let act =
            World::new().open_with(&source("ring-default"), "cache", &[], &["ann", "bob"], settle).clone();
        match act.outcome {
            Outcome::Done(_) => "done".to_string(),
            Outcome::Refused { message, .. } => message.to_string(),
        }
    };
    let unread = |what: &str| {
        format!("the charter ring-default is a ring and does not use {what}: leave it out, or hold a debate")
    };
    assert_eq!(opened(|_| ()), "done");
    assert_eq!(opened(|open| open.stepwise = true), unread("rounds held one by one"));
    assert_eq!(opened(|open| open.focus = Some("the cost".into())), unread("a focus question"));
    assert_eq!(opened(|open| open.judges = vec![who("jo")]), unread("judges"));
    assert_eq!(opened(|open| open.scribe = Some(who("jo"))), unread("a scribe"));
    assert_eq!(opened(|open| open.perspectives = Perspectives::Generated), unread("perspectives"));
    assert_eq!(
        opened(|open| open.question.options = vec!["at dawn".into(), "at dusk".into()]),
        unread("options")
    );
}
