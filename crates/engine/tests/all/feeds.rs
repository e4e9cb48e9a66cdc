//! Feeds: every act once and in order, from anywhere, however slow the reader.

use synod_core::Command;
use synod_core::kernel::{Key, Seat, SeatKind, Seq, Who};
use synod_engine::Order;
use synod_journal::Memory;

use crate::minds::{council, give, start};

fn enrol(i: usize) -> Command {
    let name = format!("p{i}");
    let who = Who::parse(&name).unwrap();
    Command::Enrol {
        seat: Seat { who, name, kind: SeatKind::Person, mind: "person".into(), model: None, persona: None },
    }
}

#[tokio::test]
async fn a_feed_gives_the_past_then_the_present_without_gap_or_double() {
    let engine = start(Box::new(Memory::new()), council(&[]).1, &[]).await;
    for i in 0..300 {
        give(&engine, enrol(i)).await;
    }
    let mut feed = engine.feed(Seq(10)).await.unwrap();
    for i in 300..600 {
        give(&engine, enrol(i)).await;
    }
    for expected in 10..=602 {
        assert_eq!(feed.next().await.unwrap().unwrap().seq, Seq(expected));
    }
}

#[tokio::test]
async fn a_reader_that_falls_far_behind_catches_up_from_the_journal() {
    let engine = start(Box::new(Memory::new()), council(&[]).1, &[]).await;
    let mut feed = engine.feed(Seq(1)).await.unwrap();
    assert_eq!(feed.next().await.unwrap().unwrap().seq, Seq(1));
    for i in 0..3000 {
        give(&engine, enrol(i)).await; // far more batches than the channel holds
    }
    for expected in 2..=3002 {
        assert_eq!(feed.next().await.unwrap().unwrap().seq, Seq(expected));
    }
}

#[tokio::test]
async fn the_same_key_acts_once() {
    let engine = start(Box::new(Memory::new()), council(&[]).1, &[]).await;
    let order = || Order { key: Some(Key("once".into())), ..Order::operator(enrol(1)) };
    let first = engine.submit(order()).await.unwrap();
    let other = engine.submit(Order { command: enrol(2), ..order() }).await.unwrap();
    assert!(!first.repeated && other.repeated);
    assert_eq!(first.act, other.act, "the second is told what came of the first");
}
