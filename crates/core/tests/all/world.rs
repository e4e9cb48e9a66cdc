//! The single place that knows how to drive a house: a script goes in, a log comes out. Time is virtual,
//! and after every step the house is rebuilt from its acts and must come out the same.

use std::fmt::Write as _;

use synod_core::ask::WorldTask;
use synod_core::command::{Delivered, Open, Perspectives};
use synod_core::context::{Excerpt, Material, Reading, Unreadable};
use synod_core::kernel::{
    Actor, AskId, At, Call, Cause, Choice, Digest, Id, Key, Kind, MatterId, Nano, Seat, SeatKind, Usage, Who,
    text,
};
use synod_core::matter::{Pause, Question};
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::{
    council::{self, Fork},
    ring,
};
use synod_core::redact::Redaction;
use synod_core::{
    Act, Command, Event, House, Outcome, Task, ask, ballot, charter, context, floor, gate, matter, meter,
    rejections, table, watch,
};

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
    let (kind, mind) = (SeatKind::Scripted, "script:test".to_string());
    Seat { who: who(name), name: name.into(), kind, mind, model: None, persona: None }
}

/// The salt a seat of a script seals its votes with.
pub(crate) fn salt_of(name: &str) -> String {
    format!("{name}-0123456789abcdef")
}

impl World {
    pub(crate) fn new() -> Self {
        let mut world = Self { house: House::default(), acts: Vec::new(), now: START, careful: true };
        world.submit(Actor::Operator, Command::Found { edition: 1, key: "00".into() });
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
        let question = Question::parse(topic, &options).unwrap();
        let seated = seats.iter().map(|name| who(name)).collect();
        let mut open = Open::new(question, Digest::of(source.as_bytes()), seated);
        settle(&mut open);
        let clerks = open.judges.iter().chain(&open.scribe).map(Who::as_str);
        let ring = source.contains("[ring]");
        for name in seats.iter().copied().chain(clerks).map(str::to_string).collect::<Vec<_>>() {
            let mut seat = seat(&name);
            if ring {
                (seat.kind, seat.mind) = (SeatKind::Outside, "outside".into());
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
            "unread" => Reading::Unreadable(Unreadable::Missing),
            _ => Reading::Taken(Excerpt {
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
                self.submit(Actor::Engine, Command::Begin { ask, worst }).clone()
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
        None => match name.rsplit_once('+') {
            Some((of, setting)) => with_ballot(&source(of), setting),
            None if name == "ring-secret" => with_rule("secrecy = \"secret\""),
            None if name == "ring-veto" => with_rule("veto = [\"ann\"]"),
            None => panic!("no charter `{name}` for tests"),
        },
    }
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

pub(crate) fn show(log: &mut String, world: &World, act: &Act) {
    match &act.outcome {
        Outcome::Refused { code, message } => {
            let _ = writeln!(log, "refused {code}: {message}");
        }
        Outcome::Done(events) => {
            for event in events {
                if let Some(line) = line(world, event) {
                    let _ = writeln!(log, "{line}");
                }
            }
        }
    }
}

pub(crate) fn after(at: At) -> String {
    let seconds = at.since(START) / 1000;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn line(world: &World, event: &Event) -> Option<String> {
    Some(match event {
        Event::House(_) => "founded".into(),
        Event::Charter(adopted) => format!("adopted {}", adopted.rules.name),
        Event::Roster(_) => "enrolled".into(),
        Event::Matter(event) => match event {
            matter::Event::Opened(opening) => format!("opened for {} seats", opening.seats.len()),
            matter::Event::StageEntered { stage, matter } => {
                let case = world.house.case(*matter).unwrap();
                format!("stage {}", case.stage_name(usize::from(*stage)))
            }
            matter::Event::Paused { why, .. } => format!("paused {why:?}"),
            matter::Event::Resumed { .. } => "resumed".into(),
            matter::Event::Stepped { stepwise, .. } => format!("stepwise {stepwise}"),
            matter::Event::Settled { decision, .. } => format!("settled {decision:?}"),
            matter::Event::Redacted { .. } => "redacted".into(),
        },
        Event::Floor(event) => match event {
            floor::Event::RoundOpened { round, .. } => format!("round {round} opened"),
            floor::Event::Called { who, until, matter, .. } => {
                let ring = world.house.case(*matter).is_some_and(|case| case.ring().is_some());
                let until = if ring { format!(" until {}", after(*until)) } else { String::new() };
                format!("called {who}{until}")
            }
            floor::Event::Joined { who, from_round, .. } => format!("{who} joined from round {from_round}"),
            floor::Event::Gone { who, cause, .. } => format!("{who} gone: {}", cause.code),
            floor::Event::Released { .. } => "released".into(),
            floor::Event::Skipped { .. } => "skipped".into(),
            floor::Event::Impanelled { seats, .. } => format!("panel of {seats}"),
            floor::Event::Absent { who, cause, .. } => format!("absent {who}: {}", cause.code),
            floor::Event::RoundClosed { round, answered, lapsed, .. } => {
                format!("round {round} closed: {answered} answered, {lapsed} lapsed")
            }
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => {
                let who = &said.who;
                match &said.kind {
                    Kind::Statement => (),
                    Kind::Opinion | Kind::Question | Kind::Synthesis => {
                        let before = if said.repeats { ", said before" } else { "" };
                        return Some(format!("{who} said {}{before}", said.kind.word()));
                    }
                    Kind::Proposal { number, title } => {
                        return Some(format!("{who} proposed {number}: {title}"));
                    }
                    Kind::Amendment { version, .. } => {
                        return Some(format!("{who} would change version {version}"));
                    }
                    Kind::Reaction(reaction) => return Some(format!("{who} reacted {}", reaction.word())),
                }
                let stance = said.response.stance.map_or("no stance".into(), |stance| stance.to_string());
                let marks: Vec<_> = said.violations.iter().map(|mark| mark.code.as_str()).collect();
                let marks =
                    if marks.is_empty() { String::new() } else { format!(", marked {}", marks.join(" ")) };
                format!("admitted {} {stance}{marks}", said.who)
            }
            gate::Event::Rejected { breaches, .. } => {
                format!("rejected {}", breaches.iter().map(gate::Breach::code).collect::<Vec<_>>().join(" "))
            }
        },
        Event::Ballot(event) => match event {
            ballot::Event::Opened { rule, .. } => format!("ballot opened: {} of {}", rule.pass, rule.basis),
            ballot::Event::Asked { who, attempt, .. } => match attempt {
                1 => format!("asked {who} to vote"),
                again => format!("asked {who} to vote, attempt {again}"),
            },
            ballot::Event::Cast { vote, .. } => {
                let changed = vote.changed_from.map(|from| format!(", was {from}")).unwrap_or_default();
                let word =
                    if vote.choice == Choice::Neutral { "ABSTAIN".into() } else { vote.choice.to_string() };
                let word = vote.marks.as_ref().map_or(word, ToString::to_string);
                let along = if vote.conformity { ", conformity" } else { "" };
                format!("cast {} {word}{changed}{along}", vote.who)
            }
            ballot::Event::Graded { vote, .. } => {
                let changed = vote.changed_from.map(|from| format!(", was {from}")).unwrap_or_default();
                format!("{} graded {}{changed}", vote.who, vote.grade)
            }
            ballot::Event::Counted { standings, tied, .. } => {
                let one =
                    |standing: &ballot::GradeCount| format!("{:?} {:?}", standing.grades, standing.decision);
                let lines: Vec<String> = standings.iter().map(one).collect();
                let tied = if tied.is_empty() { String::new() } else { format!(", {} tied", tied.len()) };
                format!("counted {}{tied}", lines.join("; "))
            }
            ballot::Event::Delegated { delegation, .. } => {
                format!("{} passes its vote to {}", delegation.who, delegation.to)
            }
            ballot::Event::Unparsed { again, .. } => format!("unparsed, asked again: {again}"),
            ballot::Event::Closed { tally, decision, settles, count, .. } => {
                let mut line = format!(
                    "ballot closed: yes {} no {} abstain {} options {:?} unparsed {} missing {}: {decision:?}, settles {settles}",
                    tally.yes, tally.no, tally.neutral, tally.options, tally.unparsed, tally.missing
                );
                if let Some(count) = count {
                    let _ = write!(line, "\n  counted {}", serde_json::to_string(count).unwrap());
                }
                line
            }
        },
        Event::Meter(event) => match event {
            meter::Event::Limited { .. } | meter::Event::Spent { .. } => return None,
            meter::Event::Reserved { worst, .. } => {
                format!("reserved {}", worst.cost.map_or("price unknown".into(), |cost| cost.to_string()))
            }
        },
        Event::Ask(event) => match event {
            ask::Event::Opened { who, task: Task::Clerk(chore), .. } => format!("asked {who} for {chore:?}"),
            ask::Event::Opened { who, task, until, .. } => {
                format!("asked {who} to {task:?} until {}", after(*until))
            }
            ask::Event::Sent { task: WorldTask::Read { file, .. }, until, .. } => {
                format!("the world is asked to read {file} until {}", after(*until))
            }
            ask::Event::Met { .. } => return None,
            ask::Event::Begun { until, .. } => format!("begun until {}", after(*until)),
            ask::Event::Lapsed { cause, .. } => format!("lapsed: {} ({})", cause.code, cause.detail),
            ask::Event::Renewed { until, .. } => format!("renewed until {}", after(*until)),
        },
        Event::Table(event) => match event {
            table::Event::PhaseEntered { phase, .. } => format!("stage {}", phase.word().to_lowercase()),
            table::Event::Ruled { accepted, .. } => format!("change accepted: {accepted}"),
        },
        Event::Context(event) => match event {
            context::Event::Given { material, .. } => format!("given {}", material.name),
            context::Event::Focused { round, focus, .. } => format!("round {round} turns to: {focus}"),
            context::Event::Requested { who, required, request, .. } => {
                let kind = if *required { "needs" } else { "would like" };
                format!("{who} {kind}: {}", request.query)
            }
            context::Event::Refused { who, wrong, .. } => {
                format!("request of {who} refused {}: {}", wrong.code(), wrong.words())
            }
            context::Event::Answered { text, .. } => format!("answered: {text}"),
            context::Event::Waived { .. } => "waived".into(),
            context::Event::Read { path, excerpt, .. } => format!("read {path}, {}", excerpt.lines()),
            context::Event::Unread { why, .. } => format!("not read: {}", why.code()),
            context::Event::Perspectives { perspectives, .. } => {
                let names: Vec<_> = perspectives.iter().map(|field| field.name.as_str()).collect();
                format!("perspectives {}", names.join(", "))
            }
            context::Event::Digested { round, sides, .. } => {
                format!("digested up to round {round}: {sides:?}")
            }
            context::Event::Synthesised { synthesis, .. } => {
                format!("synthesised: {}", synthesis.summary.as_deref().unwrap_or("nothing"))
            }
        },
        Event::Watch(event) => match event {
            watch::Event::Analysed { round, analysis, .. } => {
                let agreement =
                    analysis.agreement.map_or("unknown".into(), |it| format!("{}/{}", it.part, it.whole));
                let ordered = if analysis.ordered.is_empty() {
                    String::new()
                } else {
                    format!(", {} ordered", analysis.ordered.len())
                };
                let signs = if analysis.groupthink.is_empty() {
                    String::new()
                } else {
                    format!(", {} signs", analysis.groupthink.len())
                };
                format!("round {round} analysed: agreement {agreement}{ordered}{signs}")
            }
            watch::Event::Judged { round, opinion, repairs, .. } => {
                let agreement = opinion.agreement.map_or("unknown".into(), |it| it.to_string());
                let codes: Vec<&str> = repairs.iter().map(|repair| repair.code.as_str()).collect();
                let mended =
                    if codes.is_empty() { String::new() } else { format!(", mended {}", codes.join(" ")) };
                format!("round {round} judged: agreement {agreement}{mended}")
            }
            watch::Event::Left { why, .. } => format!("left: {}", why.words()),
        },
        Event::Monitor(event) => return crate::calls::seeing(event),
        Event::Trigger(event) => crate::calls::calling(event, after),
        Event::Track(event) => crate::track::told(event),
        Event::Rejections(rejections::Event::Rejected(turned)) => format!("turned away: {}", turned.code),
    })
}
