//! How scripts tell of agents at work and call councils.

use std::fmt::Write as _;

use synod_core::command::ConfigureTriggers;
use synod_core::kernel::{Actor, Digest, Priority, Seat, SeatKind, Who, text};
use synod_core::monitor::{Event as Seeing, Observation, ObservationNote, ObservedAction};
use synod_core::regulation::Regulation;
use synod_core::trigger::{Charters, CouncilRequest, Event as Calling, TriggerCause};
use synod_core::{Act, Command, Event, Outcome, matter, monitor};

use crate::world::{World, after, seat, show, source, who};

/// Runs a script in a house with four agents and the numbers that ship, `numbers` put over them.
#[track_caller]
pub(crate) fn check_calls(numbers: &str, script: &str, expect: expect_test::Expect) {
    let mut world = house(numbers);
    let mut log = String::new();
    for line in script.trim().lines().map(str::trim).filter(|line| !line.is_empty()) {
        let _ = writeln!(log, "> {}", text::excerpt(line, 120));
        let act = world.step(line);
        tell(&mut log, &world, &act);
    }
    expect.assert_eq(&log);
}

/// What was found and called, and for whom councils were opened; not how these go on.
fn tell(log: &mut String, world: &World, act: &Act) {
    for event in act.events() {
        let line = match event {
            Event::Matter(matter::Event::Opened(opening)) => {
                let seats: Vec<&str> = opening.seats.iter().map(|seat| seat.who.as_str()).collect();
                Some(format!(
                    "opened {} for {}: {}",
                    opening.charter.name,
                    seats.join(" "),
                    opening.question.topic
                ))
            }
            Event::Monitor(event) => seeing(event),
            Event::Trigger(event) => Some(calling(event, after)),
            _ => None,
        };
        if let Some(line) = line {
            let _ = writeln!(log, "{line}");
        }
    }
    if matches!(act.outcome, Outcome::Refused { .. }) {
        show(log, world, act);
    }
}

/// The charters councils are held under.
fn charters() -> Charters {
    let digest = |name: &str| Digest::of(source(name).as_bytes());
    Charters {
        critical: digest("ring-critical"),
        high: digest("ring-strict"),
        low: digest("ring-quick"),
        normal: digest("ring-default"),
    }
}

pub(crate) fn house(numbers: &str) -> World {
    let mut world = World::new();
    for name in ["ring-critical", "ring-strict", "ring-quick", "ring-default"] {
        world.submit(Actor::Operator, Command::Adopt { source: source(name) });
    }
    for name in ["ann", "bob", "cy", "dee"] {
        world.enrol_outside(name);
    }
    world.regulate(numbers);
    world
}

impl World {
    pub(crate) fn enrol_outside(&mut self, name: &str) {
        let seat = Seat { kind: SeatKind::Outside, backend: "outside".into(), ..seat(name) };
        self.submit(Actor::Operator, Command::Enrol { seat });
    }

    pub(crate) fn regulate(&mut self, numbers: &str) -> &Act {
        let regulation = Regulation::parse(numbers).expect("good numbers");
        let (charters, monitor, trigger) = (charters(), regulation.monitor, regulation.trigger);
        self.submit(
            Actor::Operator,
            Command::ConfigureTriggers(Box::new(ConfigureTriggers { charters, monitor, trigger })),
        )
    }

    /// `AGENT WHAT …`, told by the operator, or `AGENT! WHAT …`, told by the agent itself.
    pub(crate) fn sees(&mut self, told: &str) -> &Act {
        let (agent, what) = told.split_once(' ').unwrap();
        let by = match agent.strip_suffix('!') {
            Some(agent) => Actor::Seat(who(agent)),
            None => Actor::Operator,
        };
        self.seen_by(by, agent.trim_end_matches('!'), what)
    }

    pub(crate) fn seen_by(&mut self, by: Actor, agent: &str, what: &str) -> &Act {
        let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
        let about = || rest.split_once(": ").unwrap_or((rest, ""));
        let seen = match verb {
            "writes" => ObservedAction::Write { path: rest.into() },
            "reads" => ObservedAction::Read { path: rest.into() },
            "thinks" => {
                let (topic, text) = about();
                ObservedAction::Opinion { stance: None, text: text.into(), topic: topic.into() }
            }
            "corrected" => ObservedAction::Correction { text: None },
            "finds" => {
                let (subject, text) = about();
                ObservedAction::Insight { subject: subject.into(), text: text.into() }
            }
            "progresses" => ObservedAction::Progress { done: false, text: None },
            "done" => ObservedAction::Progress { done: true, text: None },
            "escalates" => ObservedAction::Escalation { text: None },
            "needs" => ObservedAction::Pending { topic: rest.into() },
            "decided" => ObservedAction::Decided { topic: rest.into() },
            other => panic!("nobody {other}"),
        };
        self.submit(by, Command::Observe { observation: Observation { agent: who(agent), seen } })
    }

    /// `[by AGENT] user|agent|checkpoint|phase|threshold|scheduled … [with ann bob]`.
    pub(crate) fn calls(&mut self, told: &str) -> &Act {
        let (by, told) = match told.strip_prefix("by ").and_then(|told| told.split_once(' ')) {
            Some((agent, told)) => (Actor::Seat(who(agent)), told),
            None => (Actor::Operator, told),
        };
        let (told, with) = told.split_once(" with ").unwrap_or((told, ""));
        let words: Vec<&str> = told.split_whitespace().collect();
        let (mut topic, word) = (None, |at: usize| words.get(at).copied().unwrap_or_default());
        let cause = match word(0) {
            "user" => {
                topic = words.get(1).map(|topic| topic.to_string());
                let priority = Priority::WORDS.iter().find(|(word, _)| words.get(2) == Some(word));
                TriggerCause::User { priority: priority.map(|(_, priority)| *priority) }
            }
            "agent" => TriggerCause::Agent {
                agent: who(word(1)),
                confidence: word(2).parse().unwrap(),
                reason: words[3..].join(" "),
            },
            "checkpoint" => TriggerCause::Checkpoint { flagged: word(2) == "flagged", name: word(1).into() },
            "phase" => TriggerCause::Phase { from: word(1).into(), to: word(2).into() },
            "threshold" => TriggerCause::Threshold { name: word(1).into(), value: word(2).parse().unwrap() },
            "scheduled" => TriggerCause::Scheduled,
            other => panic!("no trigger `{other}`"),
        };
        let participants: Vec<Who> = with.split_whitespace().map(who).collect();
        let request = CouncilRequest { cause, description: None, participants, topic };
        self.submit(by, Command::Trigger(Box::new(request)))
    }
}

/// What the monitor put down, in a line; nothing for what was only seen.
pub(crate) fn seeing(event: &Seeing) -> Option<String> {
    Some(match event {
        Seeing::Regulated { .. } => "monitor regulated".into(),
        Seeing::Observed { note: ObservationNote::Opinion { stance, .. }, .. } => {
            format!("stance {stance:?}")
        }
        Seeing::Observed { .. } => return None,
        Seeing::Found { finding: monitor::Finding { agents, count, pattern, subject }, .. } => {
            let names: Vec<&str> = agents.iter().map(Who::as_str).collect();
            let subject = subject.as_deref().map(|subject| format!(" over {subject}")).unwrap_or_default();
            format!("found {}: {} ({count}){subject}", pattern.word(), names.join(" "))
        }
        Seeing::Gone { agent } => format!("gone {agent}"),
        Seeing::Taken { topics } => format!("taken {}", topics.join(", ")),
    })
}

/// What a trigger put down, in a line.
pub(crate) fn calling(event: &Calling, after: impl Fn(synod_core::kernel::At) -> String) -> String {
    let named = |of: &Option<String>| of.as_deref().map(|of| format!(" {of}")).unwrap_or_default();
    match event {
        Calling::Regulated { .. } => "triggers regulated".into(),
        Calling::Fired { kind, matter, of, priority, rests_until, unopened, subject: _ } => {
            let rests =
                rests_until.map(|until| format!(", rests until {}", after(until))).unwrap_or_default();
            let came = match (matter, unopened) {
                (Some(matter), None) => format!(", opened {matter}"),
                (None, Some(why)) => format!(", opened nothing: {}", why.words()),
                (Some(_), Some(_)) | (None, None) => panic!("it opens a matter or says why not"),
            };
            format!("fired {kind}{} {priority}{rests}{came}", named(of))
        }
        Calling::Declined { kind, of, why } => {
            format!(
                "declined {kind}{}: {}",
                named(of),
                match why {
                    synod_core::trigger::Declined::Resting { until } =>
                        format!("rests until {}", after(*until)),
                    why => why.words(),
                }
            )
        }
    }
}
