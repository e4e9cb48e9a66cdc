//! Feeds: every act once and in order, from anywhere, however slow the reader.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use synod_core::kernel::{Key, Seat, SeatKind, Seq, Who};
use synod_core::{Command, House};
use synod_engine::Order;
use synod_journal::{Error, Head, Journal, JournalReader, Memory, Record, Term};

use crate::minds::{council, give, start};

fn enrol(i: usize) -> Command {
    let name = format!("p{i}");
    let who = Who::parse(&name).unwrap();
    Command::Enrol {
        seat: Seat {
            who,
            name,
            kind: SeatKind::Person,
            backend: "person".into(),
            model: None,
            persona: None,
            profile: None,
        },
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

/// A journal that stops between keeping an append and saying so: who reads it sees acts the house does not show.
struct Slow {
    inner: Memory,
    kept: Sender<Seq>,
    go_on: Receiver<()>,
}

impl Journal for Slow {
    fn term(&self) -> Term {
        self.inner.term()
    }

    fn head(&self) -> Head {
        self.inner.head()
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        let head = self.inner.append(after, records)?;
        // Once the test has let go of it, it goes on by itself.
        if self.kept.send(head.seq).is_ok() {
            let _ = self.go_on.recv();
        }
        Ok(head)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        self.inner.redact(bodies)
    }

    fn reader(&self) -> Result<Box<dyn JournalReader>, Error> {
        self.inner.reader()
    }
}

#[tokio::test]
async fn a_feed_is_never_ahead_of_the_house() {
    let ((kept, is_kept), (release, go_on)) = (channel(), channel());
    // Founding and adopting pass.
    release.send(()).unwrap();
    release.send(()).unwrap();
    let engine = start(Box::new(Slow { inner: Memory::new(), kept, go_on }), council(&[]).1, &[]).await;
    assert_eq!((is_kept.recv(), is_kept.recv()), (Ok(Seq(1)), Ok(Seq(2))));
    let mut feed = engine.feed(Seq(1)).await.unwrap();
    let given = give(&engine, enrol(1));
    let told = async {
        let seq = tokio::task::spawn_blocking(move || is_kept.recv().unwrap()).await.unwrap();
        let shown = engine.read(House::seq);
        let mut last = Seq(0);
        while let Ok(act) = tokio::time::timeout(Duration::ZERO, feed.next()).await {
            last = act.unwrap().unwrap().seq;
        }
        // Before anything is claimed: an engine that is held up could not end.
        drop(release);
        assert_eq!((seq, shown), (Seq(3), Seq(2)), "kept, and not shown yet");
        assert_eq!(last, Seq(2), "what is shown is told, and nothing else");
        assert_eq!(feed.next().await.unwrap().unwrap().seq, Seq(3));
    };
    tokio::join!(given, told);
}
