//! Drives a real house on virtual time and keeps the record of each act.

use synod_core::command::Open;
use synod_core::house::Case;
use synod_core::kernel::{Actor, AskId, Attempt, Call, Cause, Decision, Digest, Id, Key, MatterId, Nano};
use synod_core::kernel::{At, ProposalId, Seat, SeatKind, Seq, Usage, Who};
use synod_core::matter::{Question, Status};
use synod_core::meter::Worst;
use synod_core::redact::Redaction;
use synod_core::{Act, Command, House, Outcome, SeenRecord, Vouched};
use synod_journal::{Head, Record, chain};

/// When the corpus begins.
const START: At = At(1_763_200_000_000);

/// A chapter: its name, and what happens in it.
pub(super) type Chapter = (&'static str, fn(&mut Scribe));

/// A house and the records of what was done in it.
pub(super) struct Scribe {
    house: House,
    head: Head,
    /// Where its lines begin.
    from: Head,
    /// The name of a chapter whose first act is still to come.
    begins: Option<Key>,
    pub(super) lines: Vec<Record>,
}

pub(super) fn who(name: &str) -> Who {
    Who::parse(name).expect("a good name")
}

pub(super) fn seat(name: &str, kind: SeatKind, mind: &str) -> Seat {
    Seat {
        who: who(name),
        name: name.into(),
        kind,
        backend: mind.into(),
        model: None,
        persona: None,
        profile: None,
    }
}

/// What it takes to open a matter, with nothing special about it.
pub(super) fn open(source: &str, topic: &str, options: &[&str], seats: &[&str]) -> Open {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let question = Question::parse(topic, &options).expect("a good question");
    Open::new(question, Digest::of(source.as_bytes()), seats.iter().map(|name| who(name)).collect())
}

/// A call with everything known of it.
pub(super) fn call() -> Call {
    let usage = Usage {
        calls: 2,
        tokens_in: Some(1840),
        tokens_cached: Some(1024),
        tokens_out: Some(212),
        cost: Some(Nano(1_234_000)),
    };
    let retry = Attempt { cause: Cause::passing("backend/http-500", "the server failed"), waited_ms: 480 };
    let model = Some("gpt-4.1-mini-2025-04-14".into());
    Call {
        brief: Some(Digest::of(b"a brief")),
        evidence: Vec::new(),
        model,
        retries: vec![retry],
        usage,
        took_ms: 2345,
    }
}

impl Scribe {
    /// Goes on after what is there.
    pub(super) fn new(house: House, head: Head) -> Self {
        Self { house, head, from: head, begins: None, lines: Vec::new() }
    }

    /// Writes those chapters that are not there yet. The key of a chapter's first act is its name.
    pub(super) fn write(&mut self, chapters: &[Chapter]) {
        for (name, chapter) in chapters {
            let key = Key((*name).into());
            if self.house.given_under(&key).is_none() {
                self.begins = Some(key);
                chapter(self);
            }
        }
    }

    fn act(&mut self, after_ms: u64, by: Actor, command: Command) -> Act {
        let at = self.house.now().max(START).plus(after_ms);
        let (act, house) = self.house.judge(at, by, self.begins.take(), command);
        self.house = house;
        let record = chain::seal(self.head, &act).expect("what the core writes can be sealed");
        self.head = record.head();
        self.lines.push(record);
        act
    }

    /// Does what somebody vouched for: allowed, or refused with this code.
    pub(super) fn vouched(
        &mut self,
        code: Option<&str>,
        by: Actor,
        vouched: Vouched,
        (key, command): (Option<&Key>, Command),
    ) {
        let at = self.house.now().max(START).plus(250);
        let (mut act, house) = self.house.judge_vouched(at, by, Some(vouched), key.cloned(), command);
        act.salt = Some("c0ffee".into());
        self.house = house;
        let record = chain::seal(self.head, &act).expect("what the core writes can be sealed");
        self.head = record.head();
        self.lines.push(record);
        match (&act.outcome, code) {
            (Outcome::Refused { code: found, .. }, Some(code)) => assert_eq!(found, code),
            (Outcome::Done(_), None) => (),
            (outcome, code) => panic!("{code:?} was expected: {outcome:?}"),
        }
    }

    /// The record that stands last.
    pub(super) fn seen(&self) -> SeenRecord {
        SeenRecord { act: self.head.seq, hash: self.head.hash }
    }

    pub(super) fn house(&self) -> &House {
        &self.house
    }

    /// Does what the rules allow.
    pub(super) fn done(&mut self, by: Actor, command: Command) {
        let act = self.act(250, by, command);
        assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
    }

    /// Tries what the rules refuse.
    pub(super) fn refused(&mut self, code: &str, by: Actor, command: Command) {
        match self.act(250, by, command).outcome {
            Outcome::Refused { code: found, .. } => assert_eq!(found, code),
            Outcome::Done(events) => panic!("{code} was expected: {events:?}"),
        }
    }

    pub(super) fn operator(&mut self, command: Command) {
        self.done(Actor::Operator, command);
    }

    pub(super) fn adopt(&mut self, source: &str) {
        self.operator(Command::Adopt { source: source.into() });
    }

    pub(super) fn opens(&mut self, open: Open) {
        self.operator(Command::Open(Box::new(open)));
    }

    /// The matter opened last.
    pub(super) fn matter(&self) -> MatterId {
        self.house.cases().last().expect("a matter was opened").id
    }

    /// The last ring that committed to something, and to what.
    pub(super) fn committed_ring(&self) -> (MatterId, ProposalId) {
        let committed = |case: &Case| match case.status() {
            Status::Settled(Decision::Passed { option: Some(place) }) if case.ring().is_some() => {
                Some((case.id, case.ring().unwrap().1.table.proposals[usize::from(place)].id))
            }
            Status::Settled(_) | Status::Running | Status::Paused(_) => None,
        };
        self.house.cases().filter_map(committed).next_back().expect("a ring committed")
    }

    /// The matter opened last, in all its parts.
    pub(super) fn case(&self) -> &synod_core::house::Case {
        self.house.case(self.matter()).expect("it is known")
    }

    /// The matter opened first.
    pub(super) fn first(&self) -> MatterId {
        self.house.cases().next().expect("a matter was opened").id
    }

    pub(super) fn ask(&self, name: &str) -> AskId {
        let case = self.house.case(self.matter()).expect("it is known");
        let ask = case.asks().iter().find(|(_, ask)| ask.is_of(&who(name)));
        *ask.unwrap_or_else(|| panic!("{name} is not asked")).0
    }

    /// The required requests of a matter that nobody has answered.
    pub(super) fn pending(&self, matter: MatterId) -> Vec<Id> {
        self.house.case(matter).expect("it is known").dossier.pending()
    }

    pub(super) fn begins(&mut self, name: &str, worst: Worst) {
        let ask = self.ask(name);
        self.done(Actor::Engine, Command::Begin { ask, patience_ms: None, worst });
    }

    pub(super) fn cannot_begin(&mut self, code: &str, name: &str, worst: Worst) {
        let ask = self.ask(name);
        self.refused(code, Actor::Engine, Command::Begin { ask, patience_ms: None, worst });
    }

    pub(super) fn says(&mut self, name: &str, text: &str, call: Call) {
        let ask = self.ask(name);
        let command = Command::Answer { ask, salt: None, text: text.into(), call: Box::new(call) };
        self.done(Actor::Seat(who(name)), command);
    }

    /// The same, sealed with a salt.
    pub(super) fn seals(&mut self, name: &str, text: &str, salt: &str) {
        let (ask, salt) = (self.ask(name), Some(salt.into()));
        let command = Command::Answer { ask, salt, text: text.into(), call: Box::default() };
        self.done(Actor::Seat(who(name)), command);
    }

    /// Each seat says its word, in the form of a vote or of a statement.
    pub(super) fn all_say(&mut self, words: &[(&str, &str)]) {
        for (name, text) in words {
            self.says(name, text, Call::default());
        }
    }

    pub(super) fn all_vote(&mut self, votes: &[(&str, &str)]) {
        for (name, word) in votes {
            self.says(name, &format!(r#"{{"vote":"{word}","reason":"{name} has one"}}"#), Call::default());
        }
    }

    pub(super) fn fails(&mut self, name: &str, cause: Cause, call: Call) {
        let ask = self.ask(name);
        self.done(Actor::Engine, Command::Fail { ask, cause, call: Box::new(call) });
    }

    /// Time passes, and the clock says so.
    pub(super) fn waits(&mut self, ms: u64) {
        self.act(ms, Actor::Engine, Command::Tick);
    }

    /// The acts among its lines that hold words of a matter, with the digest of each body without them.
    pub(super) fn bare(&self, matter: MatterId) -> Vec<(Seq, Digest)> {
        let (mut redaction, mut before) = (Redaction::of(matter), self.from);
        let mut acts = Vec::new();
        for record in &self.lines {
            let act = chain::open(before, record).expect("its own lines open");
            if let Some(bare) = redaction.next(&act).filter(|bare| *bare != act) {
                acts.push((record.seq, chain::seal(before, &bare).expect("it can be sealed").hash));
            }
            before = record.head();
        }
        acts
    }

    /// The matter opened last is over.
    #[track_caller]
    pub(super) fn settled(&self, decision: Decision) {
        let case = self.house.case(self.matter()).expect("it is known");
        assert_eq!(case.status(), Status::Settled(decision));
    }
}
