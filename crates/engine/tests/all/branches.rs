//! Replay of journals in which matters branch off from one that lost its words.

use synod_core::command::Open;
use synod_core::kernel::{Actor, AskId, At, Call, Digest, MatterId, Seat, SeatKind, Seq, Who};
use synod_core::matter::Question;
use synod_core::meter::Limits;
use synod_core::procedure::council::{self, Fork};
use synod_core::{Act, Command, House, Outcome, Task, charter};
use synod_engine::{Replayed, fold, replay};
use synod_journal::{Head, Journal as _, Memory, chain, redacted, survey};

/// A house and its journal on virtual time, without minds.
struct Book {
    house: House,
    journal: Memory,
    head: Head,
    now: At,
}

fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

impl Book {
    fn new() -> Self {
        let (journal, now) = (Memory::new(), At(1_700_000_000_000));
        let mut book = Self { house: House::default(), journal, head: Head::default(), now };
        book.give(Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() });
        for name in ["collaborative", "delphi"] {
            book.give(Command::Adopt { source: charter::shipped(name).unwrap().source.into() });
        }
        for name in ["ann", "bob"] {
            let (kind, backend) = (SeatKind::Scripted, "script:test".into());
            let seat = Seat {
                who: who(name),
                name: name.into(),
                kind,
                backend,
                model: None,
                persona: None,
                profile: None,
            };
            book.give(Command::Enrol { seat });
        }
        book
    }

    fn give(&mut self, command: Command) -> Act {
        self.submit(Actor::Operator, command)
    }

    fn submit(&mut self, by: Actor, command: Command) -> Act {
        let (act, _) = self.house.judge(self.now, by, None, command);
        self.keep(act)
    }

    /// Keeps an act, whoever judged it.
    fn keep(&mut self, act: Act) -> Act {
        let record = chain::seal(self.head, &act).unwrap();
        self.head = self.journal.append(self.head, &[record]).unwrap();
        self.house.evolve(&act);
        act
    }

    fn open(&mut self) -> MatterId {
        let question = Question::parse("A secret question?", &[]).unwrap();
        let digest = charter("collaborative");
        self.give(Command::Open(Box::new(Open::new(question, digest, vec![who("ann"), who("bob")]))));
        self.last()
    }

    fn fork(&mut self, from: MatterId, round: u32, charter: Option<Digest>) -> Act {
        let (limits, moved) = (Limits::default(), Default::default());
        let fork = Fork { from, round, charter, seats: None, limits, moved, focus: None, stepwise: false };
        self.give(Command::Council(council::Command::Fork(Box::new(fork))))
    }

    fn last(&self) -> MatterId {
        self.house.cases().last().unwrap().id
    }

    fn asks(&self, matter: MatterId) -> Vec<AskId> {
        self.house.case(matter).unwrap().asks().keys().copied().collect()
    }

    fn answer(&mut self, ask: AskId) -> Act {
        let open = self.house.ask(ask).unwrap().clone();
        let stance = if open.is_of(&who("ann")) { "YES" } else { "NO" };
        let text = match open.task().unwrap() {
            Task::Speak { round } => {
                format!(
                    r#"{{"stance":"{stance}","position":"secret {round} of {stance}","key_points":["a secret point of {stance}"]}}"#
                )
            }
            Task::Vote { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh | Task::Second => {
                format!(r#"{{"vote":"{stance}","reason":"secret"}}"#)
            }
        };
        self.submit(
            Actor::Seat(open.who().unwrap().clone()),
            Command::Answer { ask, salt: None, text, call: Box::new(Call::default()) },
        )
    }

    /// Answers everything a matter asks.
    fn settle(&mut self, matter: MatterId) {
        while let Some(ask) = self.asks(matter).first() {
            self.answer(*ask);
        }
    }

    /// Declares a redaction and carries it out; gives the number of acts that lost words.
    fn redact(&mut self, matter: MatterId) -> u64 {
        let bodies = self.declare(matter);
        self.journal.redact(&bodies).unwrap();
        bodies.len() as u64
    }

    fn declare(&mut self, matter: MatterId) -> Vec<(Seq, String)> {
        let found = survey(&*self.journal.reader().unwrap(), Some(matter)).unwrap();
        let act = self.give(Command::Redact { matter, acts: found.acts });
        assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
        found.due
    }

    fn replay(&self) -> Replayed {
        let replayed = replay(&*self.journal.reader().unwrap()).unwrap().unwrap();
        assert_eq!((replayed.acts, replayed.head), (self.head.seq.0, self.head));
        assert!(fold(&*self.journal.reader().unwrap()).unwrap().0 == self.house);
        replayed
    }

    /// The act that comes out otherwise.
    fn diverges(&self) -> Seq {
        replay(&*self.journal.reader().unwrap()).unwrap().unwrap_err().seq
    }
}

fn charter(name: &str) -> Digest {
    Digest::of(charter::shipped(name).unwrap().source.as_bytes())
}

fn counts(replayed: &Replayed) -> (u64, u64) {
    (replayed.redacted, replayed.branched)
}

#[test]
fn branches_are_taken_as_recorded_up_to_the_redaction() {
    let mut book = Book::new();
    let origin = book.open();
    book.settle(origin);
    let begun = book.head.seq.0;
    book.fork(origin, 1, None);
    let same = book.last();
    book.settle(same);
    book.fork(origin, 2, Some(charter("delphi")));
    let other = book.last();
    book.settle(other);
    // A branch of a branch, for the rounds they share with the origin.
    book.fork(same, 2, None);
    let twig = book.last();
    book.answer(book.asks(twig)[0]);
    assert_eq!(counts(&book.replay()), (0, 0));

    let branched = book.head.seq.0 - begun;
    let words = book.redact(origin);
    assert_eq!(counts(&book.replay()), (words, branched));
    // What they do from now on is judged by what is left, as it was when it happened.
    let (before, judged) = (book.head.seq.0, book.replay().judged());
    book.settle(twig);
    book.fork(origin, 1, Some(charter("delphi")));
    book.settle(book.last());
    assert_eq!(counts(&book.replay()), (words, branched));
    assert_eq!(book.replay().judged(), judged + book.head.seq.0 - before);
    let more = book.redact(same);
    let replayed = book.replay();
    assert_eq!(replayed.redacted, words + more);
    assert!(replayed.branched < branched + (book.head.seq.0 - before), "{replayed:?}");
}

#[test]
fn a_redacted_branch_leaves_its_origin_alone() {
    let mut book = Book::new();
    let origin = book.open();
    book.settle(origin);
    book.fork(origin, 1, None);
    let fork = book.last();
    book.settle(fork);
    let before = book.house.case(origin).cloned();
    let words = book.redact(fork);
    assert_eq!(book.house.case(origin).cloned(), before);
    assert_eq!(counts(&book.replay()), (words, 0));
}

/// An act is taken as recorded for what it is about: one tick of several matters, a refusal, a late answer.
#[test]
fn what_is_about_a_branch() {
    let mut book = Book::new();
    let origin = book.open();
    book.settle(origin);
    book.fork(origin, 1, None);
    let branch = book.last();
    let apart = book.open();
    let [late, ..] = book.asks(branch)[..] else { panic!("the branch asks its seats") };
    let mine = [
        book.fork(branch, 99, None),
        book.give(Command::Resume { matter: branch }),
        book.submit(
            Actor::Operator,
            Command::Begin { ask: late, patience_ms: None, worst: Default::default() },
        ),
    ];
    let others = [
        book.fork(origin, 99, None),
        book.give(Command::Resume { matter: apart }),
        book.give(Command::Resume { matter: origin }),
        book.give(Command::Stop { matter: "m999".parse().unwrap() }),
    ];
    for act in mine.iter().chain(&others) {
        assert!(matches!(act.outcome, Outcome::Refused { .. }), "{act:?}");
    }
    book.now = book.now.plus(100_000_000);
    let tick = book.submit(Actor::Engine, Command::Tick);
    assert!(book.asks(branch).is_empty() && book.asks(apart).is_empty(), "the tick was for both: {tick:?}");
    let text = "too late".into();
    let answer = Command::Answer { ask: late, salt: None, text, call: Box::new(Call::default()) };
    assert!(matches!(book.submit(Actor::Seat(who("ann")), answer).outcome, Outcome::Refused { .. }));
    let words = book.redact(origin);
    let opened_ticked_and_answered_late = 3;
    assert_eq!(counts(&book.replay()), (words, mine.len() as u64 + opened_ticked_and_answered_late));
}

#[test]
fn what_was_declared_and_not_carried_out_is_judged_again() {
    let mut book = Book::new();
    let origin = book.open();
    for ask in book.asks(origin) {
        book.answer(ask);
    }
    let apart = book.open();
    // One act of both: it is redacted for the one and only declared for the other.
    book.now = book.now.plus(100_000_000);
    let tick = book.submit(Actor::Engine, Command::Tick).seq;
    book.settle(origin);
    book.settle(apart);
    book.fork(origin, 1, None);
    let fork = book.last();
    book.answer(book.asks(fork)[0]);
    let words = book.redact(apart);
    let bodies = book.declare(origin);
    assert!(book.journal.reader().unwrap().read(tick, 1).unwrap()[0].redacted);
    assert!(bodies.iter().any(|(seq, _)| *seq == tick));
    assert_eq!(counts(&book.replay()), (words, 0));
    assert_eq!(redacted(&*book.journal.reader().unwrap()).unwrap().keys().collect::<Vec<_>>(), [&apart]);
    book.settle(fork);
    assert_eq!(counts(&book.replay()), (words, 0));
    book.journal.redact(&bodies).unwrap();
    assert_eq!(book.replay().branched, 2);
}

/// Redacting a branch tells on its own branches, not on where it came from.
#[test]
fn a_branch_of_a_branch() {
    let mut book = Book::new();
    let origin = book.open();
    book.settle(origin);
    book.fork(origin, 1, None);
    let branch = book.last();
    book.settle(branch);
    let begun = book.head.seq.0;
    book.fork(branch, 2, None);
    book.settle(book.last());
    let branched = book.head.seq.0 - begun;
    assert_eq!(book.replay().branched, 0);
    book.redact(branch);
    assert_eq!(book.replay().branched, branched);
}

/// That some acts are taken as recorded lets no other pass.
#[test]
fn a_forged_outcome_is_found_beside_and_after_a_redaction() {
    for after in [false, true] {
        let mut book = Book::new();
        let origin = book.open();
        book.settle(origin);
        book.fork(origin, 1, None);
        let branch = book.last();
        let apart = book.open();
        if after {
            book.redact(origin);
        }
        let matter = if after { branch } else { apart };
        let (honest, _) = book.house.judge(book.now, Actor::Operator, None, Command::Stop { matter });
        let (code, message) = ("matter/wrong-status".into(), "it is over".into());
        let forged = book.keep(Act { outcome: Outcome::Refused { code, message }, ..honest });
        if !after {
            book.redact(origin);
        }
        assert_eq!(book.diverges(), forged.seq);
    }
}
