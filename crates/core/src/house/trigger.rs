//! Calling a council: a trigger is judged, and one that fires opens a matter in the same act.

use super::{Flow, House};
use crate::command::Open;
use crate::context::Material;
use crate::kernel::{Actor, MatterId, Priority, Who};
use crate::matter::{self, Question};
use crate::monitor::{self, Finding};
use crate::trigger::{self, CouncilRequest, SEATS_LEAST, TriggerCause, TriggerKind, Unopened, code};
use crate::{Event, Refusal, roster};

impl Flow {
    /// Judges a wish for a council.
    pub(super) fn trigger(&mut self, request: &CouncilRequest) -> Result<(), Refusal> {
        let triggers = self.house.triggers.clone();
        let rules = triggers.rules().ok_or(trigger::Refusal::NotConfigured)?;
        request.check().map_err(trigger::Refusal::Malformed)?;
        if let Some(who) = roster::doubled(&request.participants) {
            return Err(roster::Refusal::SeatTwice { who: who.clone() }.into());
        }
        let asking = match &request.cause {
            TriggerCause::Agent { agent, .. } => Some(agent),
            TriggerCause::User { .. }
            | TriggerCause::Checkpoint { .. }
            | TriggerCause::Phase { .. }
            | TriggerCause::Threshold { .. }
            | TriggerCause::Scheduled => None,
        };
        for who in request.participants.iter().chain(asking) {
            self.enrolled(who)?;
        }
        let (of, judged) = match &request.cause {
            TriggerCause::User { priority } => (None, trigger::user::judge(&rules.user, *priority)),
            TriggerCause::Agent { confidence, reason, .. } => {
                let listed = trigger::agent::listed(&rules.agent, reason, self.house.reading());
                (listed.map(str::to_string), trigger::agent::judge(&rules.agent, listed, *confidence))
            }
            TriggerCause::Checkpoint { flagged, name } => {
                let name = code(name);
                let judged = trigger::checkpoint::judge(&rules.checkpoint, &name, *flagged);
                (Some(name), judged)
            }
            TriggerCause::Phase { from, .. } => {
                let from = code(from);
                let judged = trigger::phase::judge(&rules.phase, &from);
                (Some(from), judged)
            }
            TriggerCause::Threshold { name, value } => {
                (Some(code(name)), trigger::threshold::judge(&rules.threshold, *value))
            }
            TriggerCause::Scheduled => {
                self.scheduled();
                return Ok(());
            }
        };
        let topic = request.topic.clone().unwrap_or_else(|| question(&request.cause));
        // What there is to choose from are the proposals of those who take part.
        let asked = Question::parse(&topic, &[]).map_err(matter::Refusal::Malformed)?;
        let of_agent = of.clone().filter(|_| request.cause.kind() == TriggerKind::Agent);
        let call = CouncilCall {
            kind: request.cause.kind(),
            of,
            question: asked,
            subject: of_agent.filter(|_| rules.agent.by_reason),
            why: why(request),
            given: request.participants.clone(),
            concerned: asking.into_iter().cloned().collect(),
        };
        match self.judge_call(&call, judged) {
            Some(Err(refusal)) => Err(refusal),
            Some(Ok(_)) | None => Ok(()),
        }
    }
}

impl House {
    /// Who may call a council: the operator for any cause, an agent for itself.
    pub(super) fn may_trigger(by: &Actor, request: &CouncilRequest) -> bool {
        match (by, &request.cause) {
            (Actor::Operator, _) => true,
            (Actor::Seat(who), TriggerCause::Agent { agent, .. }) => who == agent,
            (
                Actor::Seat(_),
                TriggerCause::User { .. }
                | TriggerCause::Checkpoint { .. }
                | TriggerCause::Phase { .. }
                | TriggerCause::Threshold { .. }
                | TriggerCause::Scheduled,
            )
            | (Actor::Engine, _) => false,
        }
    }
}

/// The question where none is given.
fn question(cause: &TriggerCause) -> String {
    match cause {
        TriggerCause::User { .. } => String::new(),
        TriggerCause::Agent { agent, reason, .. } => format!("{agent} asks for a decision: {reason}"),
        TriggerCause::Checkpoint { name, .. } => {
            format!("The work reached the checkpoint {name}. Should it continue as it is?")
        }
        TriggerCause::Phase { from, to } => {
            format!("Should the result of {from} be approved, so that {to} can begin?")
        }
        TriggerCause::Threshold { name, value } => {
            format!("{name} is at {value}. What should be done about it?")
        }
        TriggerCause::Scheduled => "Which of the pending decisions should be made now, and how?".into(),
    }
}

/// What is put before the council: why it was called.
fn why(request: &CouncilRequest) -> String {
    let called = match &request.cause {
        TriggerCause::User { .. } => "A person asked for this council.".into(),
        TriggerCause::Agent { agent, confidence, reason } => {
            format!("{agent} asked for this council, {confidence} sure that it is needed: {reason}")
        }
        TriggerCause::Checkpoint { name, .. } => format!("The checkpoint {name} called this council."),
        TriggerCause::Phase { from, to } => format!("The step from {from} to {to} called this council."),
        TriggerCause::Threshold { name, value } => format!("{name} reached {value} and called this council."),
        TriggerCause::Scheduled => "The regular review of pending decisions called this council.".into(),
    };
    match &request.description {
        Some(description) => format!("{called}\n\n{}", description.trim()),
        None => called,
    }
}

/// The council that a trigger calls: its question, its reason and its participants.
struct CouncilCall {
    kind: TriggerKind,
    of: Option<String>,
    /// What rests by itself.
    subject: Option<String>,
    question: Question,
    why: String,
    /// Who shall take part.
    given: Vec<Who>,
    /// Whom it concerns.
    concerned: Vec<Who>,
}

impl Flow {
    /// What was found is put down, and calls a council if nothing stands in the way.
    pub(super) fn found(&mut self, found: Vec<Finding>) {
        let (monitor, triggers) = (self.house.monitor.clone(), self.house.triggers.clone());
        let (Some(rules), Some(numbers)) = (monitor.rules(), triggers.rules()) else {
            return;
        };
        let judged = |finding: Finding| {
            let priority = rules.priority(finding.pattern);
            (trigger::monitor::judge(&numbers.monitor, priority), rules.window_ms(finding.pattern), finding)
        };
        let found: Vec<_> = found.into_iter().map(judged).collect();
        for (judged, window_ms, finding) in found {
            let call = CouncilCall {
                kind: TriggerKind::Monitor,
                of: Some(finding.pattern.word().into()),
                subject: numbers.monitor.by_subject.then(|| finding.subject_mark()).flatten(),
                question: Question {
                    topic: finding.question().into(),
                    options: Vec::new(),
                    must: Vec::new(),
                    unit: None,
                },
                why: format!("The monitor found {} and called this council.", finding.pattern.word()),
                given: Vec::new(),
                concerned: finding.agents.clone(),
            };
            // What finds its trigger resting is told again as soon as that may fire: it must not be lost.
            let until = match self.house.triggers.rested(
                self.at,
                call.kind,
                call.of.as_deref(),
                call.subject.as_deref(),
            ) {
                Err(trigger::Declined::Resting { until }) => until,
                Ok(()) | Err(_) => self.at.plus(window_ms),
            };
            self.put(Event::Monitor(monitor::Event::Found { finding, until }));
            // Nobody waits for an answer: what the rules of matters refuse stands in the record.
            let _ = self.judge_call(&call, judged);
        }
    }

    /// What is pending is looked through.
    pub(super) fn scheduled(&mut self) {
        let (monitor, triggers) = (self.house.monitor.clone(), self.house.triggers.clone());
        let Some(rules) = triggers.rules() else { return };
        let topics: Vec<String> = monitor.pending().map(str::to_string).collect();
        let active: Vec<Who> = monitor.active(self.at).cloned().collect();
        let judged = trigger::scheduled::judge(&rules.scheduled, topics.len(), active.len());
        let list: Vec<String> = topics.iter().map(|topic| format!("- {topic}")).collect();
        let call = CouncilCall {
            kind: TriggerKind::Scheduled,
            of: None,
            subject: None,
            question: Question {
                topic: question(&TriggerCause::Scheduled).into(),
                options: Vec::new(),
                must: Vec::new(),
                unit: None,
            },
            why: format!("The regular review of pending decisions called this council:\n{}", list.join("\n")),
            given: Vec::new(),
            concerned: active,
        };
        if let Some(Ok(_)) = self.judge_call(&call, judged) {
            self.put(Event::Monitor(monitor::Event::Taken { topics }));
        }
    }

    /// Judges the cooldown and opens the matter. What came of the opening; none if nothing was to be opened.
    fn judge_call(
        &mut self,
        call: &CouncilCall,
        judged: trigger::TriggerJudgement,
    ) -> Option<Result<MatterId, Refusal>> {
        let (kind, of, subject) = (call.kind, call.of.clone(), call.subject.clone());
        let rested = |priority: Priority| {
            let rested = self.house.triggers.rested(self.at, kind, of.as_deref(), subject.as_deref());
            rested.map(|()| priority)
        };
        let priority = match judged.and_then(rested) {
            Ok(priority) => priority,
            Err(why) => {
                self.put_trigger(trigger::Event::Declined { kind, of, why });
                return None;
            }
        };
        let opened = self.seats(call).map(|seats| self.attempt(|flow| flow.convene(call, priority, seats)));
        let (matter, unopened) = match &opened {
            Some(Ok(matter)) => (Some(*matter), None),
            Some(Err(refusal)) => (None, Some(Unopened::Refused { code: refusal.code().into() })),
            None => (None, Some(Unopened::TooFewSeats)),
        };
        // Whoever names participants at the second try need not wait for the first, which opened nothing.
        let rests_until = matter.and_then(|_| self.house.triggers.rests_until(self.at, kind));
        // What rests with nothing needs no mark.
        let subject = subject.filter(|_| rests_until.is_some());
        self.put_trigger(trigger::Event::Fired {
            kind,
            matter,
            of,
            priority,
            rests_until,
            subject,
            unopened,
        });
        opened
    }

    fn put_trigger(&mut self, event: trigger::Event) {
        self.put(Event::Trigger(event));
    }

    /// Who takes part: those who were named (with whoever asks), else those concerned, else everybody active.
    fn seats(&self, call: &CouncilCall) -> Option<Vec<Who>> {
        let joined = |one: &[Who], other: Vec<Who>| {
            let more: Vec<Who> = other.into_iter().filter(|who| !one.contains(who)).collect();
            one.iter().cloned().chain(more).collect::<Vec<Who>>()
        };
        let seats = match (call.given.is_empty(), call.concerned.len()) {
            (false, _) => joined(&call.concerned, call.given.clone()),
            (true, SEATS_LEAST..) => call.concerned.clone(),
            (true, _) => joined(&call.concerned, self.house.monitor.active(self.at).cloned().collect()),
        };
        (seats.len() >= SEATS_LEAST).then_some(seats)
    }

    fn convene(
        &mut self,
        call: &CouncilCall,
        priority: Priority,
        seats: Vec<Who>,
    ) -> Result<MatterId, Refusal> {
        let charters = *self.house.triggers.charters().ok_or(trigger::Refusal::NotConfigured)?;
        let mut open = Open::new(call.question.clone(), charters.of(priority), seats);
        open.context = vec![Material { name: "why this council".into(), text: call.why.clone() }];
        self.open(&open)
    }
}
