//! Opening a matter.

use std::sync::Arc;

use super::flow::Flow;
use super::{Case, House};
use crate::command::Open;
use crate::kernel::{At, Id, MatterId, Seat};
use crate::matter::{self, Opening, Pinned, Question};
use crate::{Event, Refusal, meter, roster};

impl House {
    pub(super) fn open(&self, at: At, open: &Open) -> Result<Vec<Event>, Refusal> {
        let adopted =
            self.charters.get(&open.charter).ok_or(Refusal::UnknownCharter { digest: open.charter })?;
        let question = &open.question;
        Question::parse(&question.topic, &question.options)
            .map_err(|wrong| Refusal::MalformedQuestion { wrong })?;
        let charter = adopted.rules.moved(&open.moved)?;
        let seats = self.seated(open)?;
        let opening = Arc::new(Opening {
            question: question.clone(),
            charter: Pinned { name: adopted.rules.name.clone(), digest: open.charter },
            seats,
            moved: open.moved.clone(),
        });
        // The id of a matter is the id of the event that opens it: the first of the next act.
        let matter = MatterId(Id { act: self.seq.next(), nth: 0 });
        let opened = Event::Matter(matter::Event::Opened(opening.clone()));
        let case = Case::open(matter, at, opening, charter);
        let mut flow = Flow::new(self.seq.next(), 1, at, case);
        flow.put(Event::Meter(meter::Event::Limited { matter, limits: open.limits }));
        flow.enter_stage(0);
        Ok(std::iter::once(opened).chain(flow.done()).collect())
    }

    fn seated(&self, open: &Open) -> Result<Vec<Seat>, Refusal> {
        if open.seats.is_empty() {
            return Err(Refusal::NoSeats);
        }
        if let Some(who) = roster::doubled(&open.seats) {
            return Err(Refusal::SeatTwice { who: who.clone() });
        }
        let seat =
            |who| self.roster.get(who).cloned().ok_or_else(|| Refusal::UnknownSeat { who: who.clone() });
        open.seats.iter().map(seat).collect()
    }
}
