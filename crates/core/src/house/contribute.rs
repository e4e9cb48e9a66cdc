//! An answer to an ask to speak: read, examined at the gate, admitted or turned away.

use std::sync::Arc;

use super::flow::Flow;
use super::{Case, House};
use crate::brief::{Given, Read};
use crate::gate::{self, Standing, Verdict};
use crate::kernel::{AskId, At, Call, Cause, Contribution, Response};
use crate::watch;
use crate::{Ask, Event, Refusal, Task, ask, floor, meter};

impl House {
    pub(super) fn answer(
        &self,
        at: At,
        id: AskId,
        text: &str,
        call: &Call,
        salt: Option<&str>,
    ) -> Result<Vec<Event>, Refusal> {
        let (case, ask) = self.running(id)?;
        if case.charter.ring.is_some() {
            return Err(Refusal::ByPart { matter: case.id });
        }
        let spent = Event::Meter(meter::Event::Spent { ask: id, call: Box::new(call.clone()) });
        match ask.task {
            Task::Speak { round } => {
                let event = contribution(case, at, id, ask, round, text);
                let mut events = vec![spent];
                if let gate::Event::Admitted(said) = &event {
                    let said = said.clone();
                    events.push(Event::Gate(event));
                    let last = case.last_round();
                    events.extend(super::supply::requests(case, &said.who, round, last, &said.response));
                } else {
                    events.push(Event::Gate(event));
                }
                Ok(self.then_advance(at, case, events))
            }
            Task::Vote { attempt, .. } => self.vote(at, case, id, ask, attempt, (text, salt), spent),
            Task::Join | Task::Propose | Task::Weigh => Err(Refusal::ByPart { matter: case.id }),
            Task::Clerk(chore) => Ok(self.served(at, case, id, chore, text, spent)),
        }
    }

    pub(super) fn fail(&self, at: At, id: AskId, cause: &Cause, call: &Call) -> Result<Vec<Event>, Refusal> {
        let (case, _) = self.running(id)?;
        if case.charter.ring.is_some() {
            return Err(Refusal::ByPart { matter: case.id });
        }
        let mut flow = self.flow(at, case);
        flow.put(Event::Meter(meter::Event::Spent { ask: id, call: Box::new(call.clone()) }));
        flow.lapse(id, cause.clone());
        flow.advance();
        Ok(flow.done())
    }

    pub(super) fn flow(&self, at: At, case: &Case) -> Flow {
        Flow::new(self, 0, at, case.clone())
    }

    /// The events, and what follows from them. Where other asks are still open nothing does, and the copy
    /// of the case that a flow needs is spared.
    pub(super) fn then_advance(&self, at: At, case: &Case, events: Vec<Event>) -> Vec<Event> {
        // On a floor of teams the next of one team is called while the other still speaks.
        let teams = case.speaking().is_some_and(|speak| speak.floor == floor::Order::Teams);
        if case.asks().len() > 1 && !teams {
            return events;
        }
        let mut flow = self.flow(at, case);
        for event in events {
            flow.put(event);
        }
        flow.advance();
        flow.done()
    }
}

impl Flow {
    /// An ask will not be answered. A seat that stays silent, or cannot be reached for good, is not called
    /// again in this matter.
    pub(super) fn lapse(&mut self, id: AskId, cause: Cause) {
        let Some((who, task)) = self.case.asks().get(&id).map(|ask| (ask.who.clone(), ask.task)) else {
            return;
        };
        let lasting = cause.lasting;
        self.put(Event::Ask(ask::Event::Lapsed { ask: id, cause: cause.clone() }));
        let given_up = self.case.strikes(&who) >= self.case.charter.turn.absent_after.is;
        let due = self.case.is_due(&who, task);
        if due && (lasting || given_up) && !self.case.absent.contains_key(&who) {
            let matter = self.case.id;
            self.put(Event::Floor(floor::Event::Absent { matter, who, cause }));
        }
    }
}

fn contribution(case: &Case, at: At, id: AskId, ask: &Ask, round: u32, text: &str) -> gate::Event {
    let options = &case.opening.question.options;
    let wording = &case.charter.brief;
    let sections = if round == 1 { &wording.first } else { &wording.later };
    // A request is read also where none is asked for: it is refused for all to see, not overlooked.
    let read = case.forms.speech(round, false).read(text, options);
    let (response, how, repairs) = response(read, sections.iter().map(|section| section.key.as_str()));
    let breaches = gate::examine(&case.charter.gate, text, &response, standing(case, ask, round, &response));
    match gate::verdict(&breaches) {
        Verdict::Admit | Verdict::Mark => gate::Event::Admitted(Arc::new(Contribution {
            ask: id,
            at,
            who: ask.who.clone(),
            round,
            stage: case.stage_index() as u16,
            ordered: case.ordered(&ask.who),
            response,
            how,
            repairs,
            violations: breaches.iter().map(gate::Breach::violation).collect(),
        })),
        Verdict::Reject => gate::Event::Rejected { ask: id, breaches },
    }
}

/// What the author's role and earlier stance ask of a statement.
fn standing(case: &Case, ask: &Ask, round: u32, response: &Response) -> Standing {
    let expected = case.ordered(&ask.who);
    let Some(key) = case.charter.gate.moved_by.as_deref().filter(|_| expected.is_none()) else {
        return Standing { expected, unargued: None };
    };
    let moved = response.stance.and_then(|now| case.stood(&ask.who, round).filter(|before| *before != now));
    let argument = match key {
        "position" => response.position.as_deref(),
        "reasoning" => response.reasoning.as_deref(),
        other => response.sections.iter().find(|(key, _)| key == other).map(|(_, text)| text.as_str()),
    };
    Standing { expected, unargued: moved.filter(|_| watch::conformity(argument)) }
}

fn response<'a>(
    read: Read,
    keys: impl Iterator<Item = &'a str>,
) -> (Response, crate::kernel::How, Vec<crate::kernel::Repair>) {
    let Read { mut fields, how, repairs } = read;
    let mut response = Response::default();
    if let Some(Given::Choice(stance)) = fields.remove("stance") {
        response.stance = Some(stance);
    }
    if let Some(Given::Confidence(confidence)) = fields.remove("confidence") {
        response.confidence = Some(confidence);
    }
    for key in keys.chain(["reasoning"]) {
        match (key, fields.remove(key)) {
            ("position", Some(Given::Text(text))) => response.position = Some(text),
            ("reasoning", Some(Given::Text(text))) => response.reasoning = Some(text),
            ("key_points", Some(Given::List(points))) => response.key_points = points,
            ("citations", Some(Given::Citations(sources))) => response.citations = sources,
            ("context_requests", Some(Given::Requests(requests))) => response.context_requests = requests,
            (other, Some(Given::Text(text))) => response.sections.push((other.into(), text)),
            (
                _,
                Some(
                    Given::List(_)
                    | Given::Confidence(_)
                    | Given::Choice(_)
                    | Given::Marks(_)
                    | Given::Citations(_)
                    | Given::Requests(_),
                )
                | None,
            ) => (),
        }
    }
    (response, how, repairs)
}
