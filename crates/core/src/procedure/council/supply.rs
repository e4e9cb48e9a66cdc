//! What the operator puts before a council: material, a focus, answers to what participants asked for.

use crate::context::{self, Material, RequestClosure};
use crate::house::{Became, Flow, wrong_status};
use crate::kernel::{Cause, Id, MatterId};
use crate::matter::{self, Operation, Pause, Status};
use crate::{Event, Refusal};

impl Flow {
    /// Holds the next round of a matter that waits for it.
    pub(super) fn continue_council(
        &mut self,
        matter: MatterId,
        focus: Option<&str>,
        material: &[Material],
        to_end: bool,
    ) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        if case.status() == Status::Running && case.charter.is_timeless() {
            return Err(matter::Refusal::NothingRuns { matter }.into());
        }
        if case.status() != Status::Paused(Pause::BetweenRounds) {
            return Err(wrong_status(matter, case.status(), Operation::Continue));
        }
        self.give(material)?;
        if let Some(focus) = focus {
            self.focus(focus)?;
        }
        if to_end {
            self.put(Event::Matter(matter::Event::Stepped { matter, stepwise: false }));
        }
        self.put(Event::Matter(matter::Event::Resumed { matter }));
        // A clerk whom an ended engine had asked would hold up the round; it can be asked again.
        self.call_off(&Cause::passing("clerk/called-off", "the next round began before an answer came"));
        self.hold_council_round();
        Ok(())
    }

    /// Answers or waives a request. The matter goes on when the operator resumes it.
    pub(super) fn supply(
        &mut self,
        matter: MatterId,
        request: Id,
        text: Option<&str>,
    ) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        if let Status::Settled(_) = case.status() {
            return Err(wrong_status(matter, case.status(), Operation::Supply));
        }
        let row = case.dossier.requests.get(&request);
        match row.map(|row| &row.became) {
            None => return Err(context::Refusal::UnknownRequest { matter, request }.into()),
            Some(Became::Answered { .. }) => {
                return Err(
                    context::Refusal::RequestDone { request, became: RequestClosure::Answered }.into()
                );
            }
            Some(Became::Waived { .. }) => {
                return Err(context::Refusal::RequestDone { request, became: RequestClosure::Waived }.into());
            }
            Some(Became::Read { .. }) => {
                return Err(context::Refusal::RequestDone { request, became: RequestClosure::Read }.into());
            }
            Some(Became::Unread { .. } | Became::Lapsed { .. }) => {
                return Err(context::Refusal::RequestDone { request, became: RequestClosure::Unread }.into());
            }
            Some(Became::Open) if row.is_some_and(|row| row.request.file.is_some()) => {
                return Err(context::Refusal::RequestDone { request, became: RequestClosure::Reading }.into());
            }
            Some(Became::Open) => (),
        }
        let event = match text {
            Some(text) => {
                context::fits("the answer", text, context::MATERIAL_MOST)
                    .map_err(context::Refusal::Malformed)?;
                context::Event::Answered { matter, request, text: text.trim().into() }
            }
            None => context::Event::Waived { matter, request },
        };
        self.put(Event::Context(event));
        Ok(())
    }

    /// Puts material before the council.
    pub(crate) fn give(&mut self, material: &[Material]) -> Result<(), Refusal> {
        let matter = self.case().id;
        context::fit(material, self.case().dossier.material.len()).map_err(context::Refusal::Malformed)?;
        for piece in material {
            self.put(Event::Context(context::Event::Given { material: piece.clone(), matter }));
        }
        Ok(())
    }

    /// Turns the next round to a question.
    pub(crate) fn focus(&mut self, focus: &str) -> Result<(), Refusal> {
        context::fits("the focus question", focus, context::FOCUS_MOST)
            .map_err(context::Refusal::Malformed)?;
        let (matter, round) = (self.case().id, self.case().round() + 1);
        let focus = focus.trim().into();
        self.put(Event::Context(context::Event::Focused { focus, matter, round }));
        Ok(())
    }
}
