//! The single place that knows how to drive a house: a script goes in, a log comes out. Time is virtual,
//! and after every step the house is rebuilt from its acts and must come out the same.

mod shown;

use std::fmt::Write as _;

use synod_core::command::{Delivered, Open, Perspectives};
use synod_core::context::{Excerpt, FileReading, Material, Unreadable};
use synod_core::kernel::{
    Actor, AskId, At, Call, Cause, Digest, Id, Key, MatterId, Nano, Seat, SeatKind, Usage, Who, text,
};
use synod_core::matter::{Pause, Question};
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::{
    council::{self, Fork},
    ring,
};
use synod_core::redact::Redaction;
use synod_core::{Act, Command, Event, House, Outcome, Task, ask, ballot, charter};

pub(crate) use shown::{after, show};

/// When every script begins.
pub(crate) const START: At = At(1_700_000_000_000);

pub(crate) struct World {
    pub(crate) house: House,
    pub(crate) acts: Vec<Act>,
    pub(crate) now: At,
    /// Rebuild the house after every step, not only at the end.
    pub(crate) careful: bool,
}

pub(crate) fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

pub(crate) fn seat(name: &str) -> Seat {
    // A program each: scripts degrade a result, and seats on one program would count as one.
    let (kind, backend) = (SeatKind::CommandLine, format!("exec:{name}"));
    Seat { who: who(name), name: name.into(), kind, backend, model: None, persona: None, profile: None }
}

/// The salt a seat of a script seals its votes with.
pub(crate) fn salt_of(name: &str) -> String {
    format!("{name}-0123456789abcdef")
}

impl World {
    pub(crate) fn new() -> Self {
        Self::founded_by(synod_core::edition::CURRENT)
    }

    /// A house that is judged by an edition of the rules.
    pub(crate) fn founded_by(edition: u32) -> Self {
        let mut world = Self { house: House::default(), acts: Vec::new(), now: START, careful: true };
        world.submit(Actor::Operator, Command::Found { edition, key: "00".into() });
        world
    }

    pub(crate) fn submit(&mut self, by: Actor, command: Command) -> &Act {
        self.submit_under(None, by, command)
    }

    pub(crate) fn submit_under(&mut self, key: Option<Key>, by: Actor, command: Command) -> &Act {
        let (act, house) = self.house.judge(self.now, by, key, command);
        self.house.evolve(&act);
        assert!(self.house == house, "a decision leaves the house that its act leads to");
        self.acts.push(act);
        assert!(
            !self.careful || self.replayed() == self.house,
            "replaying the acts must rebuild the same house"
        );
        self.acts.last().unwrap()
    }

    fn replayed(&self) -> House {
        let mut house = House::default();
        self.acts.iter().for_each(|act| house.evolve(act));
        house
    }

    pub(crate) fn open(
        &mut self,
        source: &str,
        topic: &str,
        options: &[&str],
        seats: &[&str],
        limits: Limits,
    ) -> &Act {
        self.open_with(source, topic, options, seats, |open| open.limits = limits)
    }

    /// Opens a matter; `settle` says what is not as usual.
    pub(crate) fn open_with(
        &mut self,
        source: &str,
        topic: &str,
        options: &[&str],
        seats: &[&str],
        settle: impl FnOnce(&mut Open),
    ) -> &Act {
        self.submit(Actor::Operator, Command::Adopt { source: source.into() });
        let options: Vec<String> = options.iter().map(ToString::to_string).collect();
        // Under charters that find answers or numbers there is nothing to choose from.
        let (proposes, estimates) =
            (source.contains("kind = \"propose\""), source.contains("kind = \"estimate\""));
        let options = if proposes || estimates { Vec::new() } else { options };
        let question = Question::parse(topic, &options).unwrap();
        let question = if estimates { question.in_unit("days").unwrap() } else { question };
        let seated = seats.iter().map(|name| who(name)).collect();
        let mut open = Open::new(question, Digest::of(source.as_bytes()), seated);
        settle(&mut open);
        let clerks = open.judges.iter().chain(&open.scribe).map(Who::as_str);
        let (ring, model) = (source.contains("[ring]"), open.synthesis.is_some());
        for name in seats.iter().copied().chain(clerks).map(str::to_string).collect::<Vec<_>>() {
            let mut seat = seat(&name);
            if ring {
                (seat.kind, seat.backend) = (SeatKind::Outside, "outside".into());
            }
            // Only models sum up unasked.
            if model {
                (seat.kind, seat.backend) = (SeatKind::Model, "openai:test".into());
            }
            self.submit(Actor::Operator, Command::Enrol { seat });
        }
        self.submit(Actor::Operator, Command::Open(Box::new(open)))
    }

    pub(crate) fn ask_of(&self, name: &str) -> Option<AskId> {
        self.house.open_asks().find(|(_, ask)| ask.is_of(&who(name))).map(|(id, _)| id)
    }

    pub(crate) fn answer(&mut self, name: &str, text: &str) -> &Act {
        let ask = self.ask_of(name).unwrap_or(AskId("9999".parse().unwrap()));
        let call = Box::new(Call { usage: Usage { calls: 1, ..Usage::default() }, ..Call::default() });
        let open = self.house.ask(ask).and_then(|open| self.house.case(open.matter)?.ballots.last());
        let sealed = open.is_some_and(|ballot| ballot.rule.secrecy != ballot::Secrecy::Open);
        let salt = sealed.then(|| salt_of(name));
        self.submit(Actor::Seat(who(name)), Command::Answer { ask, salt, text: text.into(), call })
    }

    /// A request by its number in order, `r1` for the first; anything else is taken as an id.
    fn request(&self, written: &str) -> synod_core::kernel::Id {
        let case = self.house.case(self.matter()).unwrap();
        let nth = written.strip_prefix('r').and_then(|digits| digits.parse::<usize>().ok());
        let known = nth.and_then(|nth| case.dossier.requests.keys().nth(nth - 1).copied());
        known.unwrap_or_else(|| written.parse().unwrap())
    }

    pub(crate) fn matter(&self) -> synod_core::kernel::MatterId {
        self.house.cases().last().unwrap().id
    }

    /// Says something in the form that is asked for.
    fn say(&mut self, name: &str, stance: &str, confidence: &str) -> &Act {
        let task = self.ask_of(name).and_then(|ask| self.house.ask(ask)).and_then(|ask| ask.task());
        let text = match task {
            Some(Task::Vote { .. }) => {
                format!(
                    r#"{{"vote":"{stance}","reason":"{name} has a reason","change_if":"new facts","confidence":{confidence}}}"#
                )
            }
            Some(Task::Clerk(_)) => {
                format!(
                    r#"{{"agreement":{confidence},"summary":"{name} sums up {stance}","recommendation":"r"}}"#
                )
            }
            Some(Task::Second) => {
                format!(r#"{{"reason":"{name} has a reason","second":"{stance}"}}"#)
            }
            Some(Task::Speak { .. } | Task::Join | Task::Propose | Task::Weigh) | None => {
                format!(
                    r#"{{"stance":"{stance}","position":"{name} says {stance}","reasoning":"because","confidence":{confidence}}}"#
                )
            }
        };
        self.answer(name, &text)
    }

    /// Redacts what a matter has in words. The house takes any digest for what the record will hold.
    pub(crate) fn redact(&mut self, matter: MatterId) -> &Act {
        let mut redaction = Redaction::of(matter);
        let bare = |act: &Act| redaction.next(act).filter(|bare| bare != act);
        let digest = |act: Act| (act.seq, Digest::of(serde_json::to_string(&act).unwrap().as_bytes()));
        let acts = self.acts.iter().filter_map(bare).map(digest).collect();
        let act = self.submit(Actor::Operator, Command::Redact { matter, acts }).clone();
        if matches!(act.outcome, Outcome::Done(_)) {
            let mut redaction = Redaction::of(matter);
            self.acts.iter_mut().for_each(|act| {
                if let Some(bare) = redaction.next(act) {
                    *act = bare;
                }
            });
        }
        self.acts.last().unwrap()
    }

    /// Delivers what the world was asked for first: `reads TEXT`, `unread` for a file that is not there, `unreadable CODE`
    /// for a reader that broke down. What was delivered last is delivered again where nothing is asked for any more.
    fn delivers(&mut self, verb: &str, rest: &str) -> Act {
        let open = self.house.cases().flat_map(|case| case.asks().iter());
        let sent = self.acts.iter().rev().find_map(|act| {
            let is_sent = |event: &Event| matches!(event, Event::Ask(ask::Event::Sent { .. }));
            let nth = act.events().iter().position(is_sent)?;
            Some(AskId(Id { act: act.seq, nth: nth as u16 }))
        });
        let open = open.filter(|(_, ask)| ask.who().is_none()).map(|(id, _)| *id).next();
        let ask = open.or(sent).unwrap_or(AskId("9999".parse().unwrap()));
        let of = rest.lines().count() as u32;
        let reading = match verb {
            "unreadable" => {
                let cause = Cause::passing(rest, "it broke down");
                return self
                    .submit(Actor::Engine, Command::Fail { ask, cause, call: Box::default() })
                    .clone();
            }
            "unread" => FileReading::Unreadable(Unreadable::Missing),
            _ => FileReading::Taken(Excerpt {
                cut: false,
                digest: Digest::of(rest.as_bytes()),
                from: 1,
                of,
                text: rest.into(),
                to: of,
            }),
        };
        let delivered = Box::new(Delivered::Read(reading));
        self.submit(Actor::Engine, Command::Deliver { ask, delivered }).clone()
    }

    pub(crate) fn step(&mut self, line: &str) -> Act {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let matter = || self.matter();
        match verb {
            "sees" => self.sees(rest).clone(),
            "call" => self.calls(rest).clone(),
            "wait" => {
                let (number, unit) = rest.split_at(rest.find(|c: char| c.is_alphabetic()).unwrap());
                let scale = if unit == "ms" { 1 } else { 1000 };
                self.now = self.now.plus(number.parse::<u64>().unwrap() * scale);
                self.submit(Actor::Engine, Command::Tick).clone()
            }
            "pause" => {
                let matter = matter();
                self.submit(Actor::Operator, Command::Pause { matter, why: Pause::Operator }).clone()
            }
            "resume" => {
                let matter = matter();
                self.submit(Actor::Operator, Command::Resume { matter }).clone()
            }
            "stop" => {
                let matter = matter();
                self.submit(Actor::Operator, Command::Stop { matter }).clone()
            }
            "interrupt" => {
                let matter = matter();
                self.submit(Actor::Engine, Command::Pause { matter, why: Pause::Interrupted }).clone()
            }
            "reads" | "unread" | "unreadable" => self.delivers(verb, rest),
            "continue" | "to-end" => {
                let focus = rest.strip_prefix("focus ").map(str::to_string);
                let text = rest.strip_prefix("material ").unwrap_or_default().to_string();
                let context = if text.is_empty() {
                    Vec::new()
                } else {
                    vec![Material { name: "notes.md".into(), text }]
                };
                let (matter, to_end) = (matter(), verb == "to-end");
                self.submit(
                    Actor::Operator,
                    Command::Council(council::Command::Continue { matter, focus, context, to_end }),
                )
                .clone()
            }
            "supply" => {
                let (request, text) = rest.split_once(' ').unwrap();
                let (matter, request) = (matter(), self.request(request));
                self.submit(
                    Actor::Operator,
                    Command::Council(council::Command::Supply { matter, request, text: text.into() }),
                )
                .clone()
            }
            "waive" => {
                let (matter, request) = (matter(), self.request(rest));
                self.submit(Actor::Operator, Command::Council(council::Command::Waive { matter, request }))
                    .clone()
            }
            "fork" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let charter = words.get(1).map(|name| source(name));
                if let Some(source) = &charter {
                    self.submit(Actor::Operator, Command::Adopt { source: source.clone() });
                }
                let fork = Fork {
                    from: self.matter(),
                    round: words[0].parse().unwrap(),
                    charter: charter.map(|source| Digest::of(source.as_bytes())),
                    seats: None,
                    limits: Limits::default(),
                    moved: Default::default(),
                    focus: None,
                    stepwise: false,
                };
                self.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(fork)))).clone()
            }
            "synthesize" => {
                let (matter, by) = (matter(), who(rest));
                self.submit(Actor::Operator, Command::Council(council::Command::Synthesise { matter, by }))
                    .clone()
            }
            "judge" => {
                let (by, round) = rest.split_once(' ').unwrap();
                let (matter, by, round) = (matter(), who(by), round.parse().unwrap());
                self.submit(Actor::Operator, Command::Council(council::Command::Judge { matter, by, round }))
                    .clone()
            }
            "outcome" => self.learns(rest).clone(),
            "redact" => {
                let matter = matter();
                self.redact(matter).clone()
            }
            "start" => {
                let matter = matter();
                self.submit(Actor::Operator, Command::Ring(ring::Command::Start { matter })).clone()
            }
            "remove" => {
                let (matter, who) = (matter(), who(rest));
                self.submit(Actor::Operator, Command::Ring(ring::Command::Remove { matter, who })).clone()
            }
            "begin" => {
                let (name, cost) = rest.split_once(' ').unwrap_or((rest, "0"));
                let ask = self.ask_of(name).unwrap_or(AskId("9999".parse().unwrap()));
                let worst = Worst { tokens: 10, cost: Nano::parse_usd(cost).ok() };
                self.submit(Actor::Engine, Command::Begin { ask, patience_ms: None, worst }).clone()
            }
            name => {
                let name = name.trim_end_matches(':');
                let words: Vec<&str> = rest.splitn(3, ' ').collect();
                if self.house.cases().last().is_some_and(|case| case.ring().is_some()) {
                    let part = crate::ring::part(self, name, rest);
                    let matter = self.matter();
                    return self
                        .submit(
                            Actor::Seat(who(name)),
                            Command::Ring(ring::Command::Participate { matter, action: part }),
                        )
                        .clone();
                }
                match words[0] {
                    "raw" => self.answer(name, rest.strip_prefix("raw ").unwrap_or("")).clone(),
                    "fails" | "fails!" => {
                        let ask = self.ask_of(name).unwrap_or(AskId("9999".parse().unwrap()));
                        let detail = words.get(2).copied().unwrap_or("no detail");
                        let cause = Cause {
                            code: words[1].into(),
                            detail: detail.into(),
                            lasting: words[0] == "fails!",
                        };
                        self.submit(Actor::Engine, Command::Fail { ask, cause, call: Box::default() }).clone()
                    }
                    stance => self.say(name, stance, words.get(1).copied().unwrap_or("0.8")).clone(),
                }
            }
        }
    }
}

/// Runs a script against a freshly opened matter and compares the log. The first line is
/// `charter topic-word seats… [| option | option]`. A word `key=value` is no seat but a setting: `judge=jo`,
/// `scribe=sc`, `step=1`, `generate=1`, or a knob such as `rounds=3`. A line `---` forgets the log so far: what
/// stands before it is set-up. `?` shows where a ring is. One line can be said by several seats, see [`each`].
#[track_caller]
pub(crate) fn check(script: &str, expect: expect_test::Expect) {
    expect.assert_eq(&log(script));
}

/// What a script comes to.
pub(crate) fn log(script: &str) -> String {
    let mut lines = script.trim().lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap();
    let (head, options) = first.split_once('|').unwrap_or((first, ""));
    let options: Vec<&str> = options.split('|').map(str::trim).filter(|option| !option.is_empty()).collect();
    let words: Vec<&str> = head.split_whitespace().collect();
    let source = source(words[0]);
    let mut world = World::new();
    let mut log = String::new();
    let (settings, seats): (Vec<&str>, Vec<&str>) =
        words[2..].iter().copied().partition(|word| word.contains('='));
    let opened = world
        .open_with(&source, words[1], &options, &seats, |open| {
            for (key, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
                match key {
                    "judge" => open.judges.push(who(value)),
                    "scribe" => open.scribe = Some(who(value)),
                    "step" => open.stepwise = true,
                    "sources" => open.sources = true,
                    "generate" => open.perspectives = Perspectives::Generated,
                    knob => drop(open.moved.insert(knob.into(), value.parse().unwrap())),
                }
            }
        })
        .clone();
    show(&mut log, &world, &opened);
    for line in lines.flat_map(|line| each(line, &seats)) {
        match line.as_str() {
            "---" => log.clear(),
            "?" => crate::ring::show_phase(&mut log, &world),
            line => {
                let _ = writeln!(log, "> {}", text::excerpt(line, 120));
                let act = world.step(line);
                show(&mut log, &world, &act);
            }
        }
    }
    log
}

/// The lines that a line of a script stands for: `ann bob: YES` is one for each of the two, `all: YES` one for
/// every seat in the order of the first line.
pub(crate) fn each(line: &str, seats: &[&str]) -> Vec<String> {
    let (names, said) = line.split_once(": ").unwrap_or_default();
    let names: Vec<&str> = if names == "all" { seats.to_vec() } else { names.split(' ').collect() };
    match names.iter().all(|name| seats.contains(name)) {
        true => names.iter().map(|name| format!("{name}: {said}")).collect(),
        false => vec![line.to_string()],
    }
}

#[test]
fn a_line_is_said_by_each_seat_it_names() {
    let said = |line: &str| each(line, &["ann", "bob", "cy"]).join(" / ");
    assert_eq!(said("all: YES 0.5"), "ann: YES 0.5 / bob: YES 0.5 / cy: YES 0.5");
    assert_eq!(said("cy ann: NO"), "cy: NO / ann: NO");
    for alone in
        ["---", "stop", "eve: NO", "ann: raw", "bob: say a: b", "ann eve: NO", "supply r1 ann: 40 GB"]
    {
        assert_eq!(said(alone), alone);
    }
}

/// The source of a charter: a shipped one, or one of the variants tests use.
pub(crate) fn source(name: &str) -> String {
    match charter::shipped(name) {
        Some(shipped) => shipped.source.to_string(),
        None if name == "one-by-one" => {
            let source = charter::shipped("collaborative").unwrap().source;
            source
                .replace("floor = \"parallel\" ", "floor = \"sequential\" ")
                .replace("sees = \"earlier-rounds\"", "sees = \"so-far\"")
        }
        None if name == "free-debate" => without_roles(charter::shipped("adversarial").unwrap().source),
        None => match name.rsplit_once('+') {
            Some((of, setting)) => with_ballot(&source(of), setting),
            None if name == "ring-secret" => with_rule("secrecy = \"secret\""),
            None if name == "ring-veto" => with_rule("veto = [\"ann\"]"),
            None => panic!("no charter `{name}` for tests"),
        },
    }
}

/// A charter whose seats choose their own side.
fn without_roles(source: &str) -> String {
    let mut dropped = false;
    let kept = source.lines().filter(|line| {
        if line.starts_with('[') {
            dropped = matches!(line.trim(), "[roles]" | "[[role]]");
        }
        !dropped
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// A charter with one more setting of its ballot, written `key=value`; names of a veto are parted by `,`.
fn with_ballot(source: &str, setting: &str) -> String {
    let (key, value) = setting.split_once('=').unwrap();
    let value = match (key, value) {
        ("veto", names) => format!("[\"{}\"]", names.replace(',', "\", \"")),
        (_, "true") => "true".into(),
        (_, word) => format!("\"{word}\""),
    };
    let kept = source.lines().filter(|line| !line.starts_with(&format!("{key} = ")));
    kept.collect::<Vec<_>>().join("\n").replace("[ballot]", &format!("[ballot]\n{key} = {value}"))
}

/// The usual ring, its vote under one more rule.
fn with_rule(rule: &str) -> String {
    format!("{}{rule}\n", charter::shipped("ring-default").unwrap().source)
}
