//! What the operator puts before a council: material, a focus, answers to what participants asked for.

use super::dossier::Became;
use super::flow::Flow;
use super::moderate::wrong;
use super::{Case, House};
use crate::context::{self, Material};
use crate::kernel::{At, Cause, Id, MatterId, Response, Who};
use crate::matter::{self, Pause, Status};
use crate::{Event, Refusal};

impl House {
    /// Holds the next round of a matter that waits for it.
    pub(super) fn go_on(
        &self,
        at: At,
        matter: MatterId,
        focus: Option<&str>,
        material: &[Material],
        to_end: bool,
    ) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        match case.status() {
            Status::Paused(Pause::BetweenRounds) => (),
            Status::Paused(Pause::Operator | Pause::Interrupted) => {
                return Err(wrong(
                    matter,
                    case.status(),
                    "`resume` lets it go on; only one that waits between rounds can continue",
                ));
            }
            Status::Paused(Pause::NeedsContext) => {
                return Err(wrong(matter, case.status(), "answer or waive what is required, then `resume`"));
            }
            Status::Running => {
                return Err(wrong(matter, case.status(), "its round is being held; wait for it to end"));
            }
            Status::Settled(_) => {
                return Err(wrong(
                    matter,
                    case.status(),
                    "it is over; `fork` goes on from one of its rounds",
                ));
            }
        }
        let mut flow = self.flow(at, case);
        flow.give(material)?;
        if let Some(focus) = focus {
            flow.focus(focus)?;
        }
        if to_end {
            flow.put(Event::Matter(matter::Event::Stepped { matter, stepwise: false }));
        }
        flow.put(Event::Matter(matter::Event::Resumed { matter }));
        // A clerk whom an ended engine had asked would hold up the round; it can be asked again.
        flow.call_off(&Cause::passing("clerk/called-off", "the next round began before an answer came"));
        flow.hold_round();
        Ok(flow.done())
    }

    /// Answers or waives a request. The matter goes on when the operator resumes it.
    pub(super) fn supply(
        &self,
        at: At,
        matter: MatterId,
        request: Id,
        text: Option<&str>,
    ) -> Result<Vec<Event>, Refusal> {
        let case = self.find(matter)?;
        if let Status::Settled(_) = case.status() {
            return Err(wrong(matter, case.status(), "nobody is left to use an answer"));
        }
        let row = case.dossier.requests.get(&request);
        match row.map(|row| &row.became) {
            None => return Err(Refusal::UnknownRequest { matter, request }),
            Some(became @ (Became::Answered { .. } | Became::Waived { .. })) => {
                return Err(Refusal::RequestDone { request, became: became.word() });
            }
            Some(Became::Open) => (),
        }
        let mut flow = self.flow(at, case);
        flow.put(Event::Context(match text {
            Some(text) => {
                context::fits("the answer", text, context::MATERIAL_MOST)
                    .map_err(|wrong| Refusal::MalformedContext { wrong })?;
                context::Event::Answered { matter, request, text: text.trim().into() }
            }
            None => context::Event::Waived { matter, request },
        }));
        Ok(flow.done())
    }
}

impl Flow {
    /// Puts material before the council.
    pub(super) fn give(&mut self, material: &[Material]) -> Result<(), Refusal> {
        let matter = self.case.id;
        context::fit(material, self.case.dossier.material.len())
            .map_err(|wrong| Refusal::MalformedContext { wrong })?;
        for piece in material {
            self.put(Event::Context(context::Event::Given { material: piece.clone(), matter }));
        }
        Ok(())
    }

    /// Turns the next round to a question.
    pub(super) fn focus(&mut self, focus: &str) -> Result<(), Refusal> {
        context::fits("the focus question", focus, context::FOCUS_MOST)
            .map_err(|wrong| Refusal::MalformedContext { wrong })?;
        let (matter, round) = (self.case.id, self.case.round() + 1);
        let focus = focus.trim().into();
        self.put(Event::Context(context::Event::Focused { focus, matter, round }));
        Ok(())
    }
}

/// What becomes of the requests in a statement: each stands or is refused, apart from the statement.
pub(super) fn requests(
    case: &Case,
    who: &Who,
    round: u32,
    last: u32,
    response: &Response,
) -> impl Iterator<Item = Event> {
    let matter = case.id;
    response.context_requests.iter().map(move |request| {
        let who = who.clone();
        let dealt_with = case.dossier.dealt_with(&request.query);
        let judged = match dealt_with {
            Some(of) => Err(context::Wrong::Repeated { of }),
            None => context::judge(request, round, last),
        };
        Event::Context(match judged {
            Ok(required) => {
                context::Event::Requested { matter, request: request.clone(), required, round, who }
            }
            Err(wrong) => context::Event::Refused { matter, round, who, wrong },
        })
    })
}
