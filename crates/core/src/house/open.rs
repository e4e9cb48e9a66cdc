//! Opening a matter.

use std::sync::Arc;

use super::flow::Flow;
use super::{Case, House};
use crate::ask::Chore;
use crate::charter::Charter;
use crate::command::{Open, Perspectives};
use crate::context;
use crate::kernel::{At, Id, MatterId, Perspective, Seat, Who};
use crate::matter::{self, Opening, Pinned, Question};
use crate::{Event, Refusal, lens, meter, roster};

impl House {
    pub(super) fn open(&self, at: At, open: &Open) -> Result<Vec<Event>, Refusal> {
        self.open_after(at, 0, open)
    }

    /// Opens a matter by an act that holds so many other events before.
    pub(super) fn open_after(&self, at: At, before: usize, open: &Open) -> Result<Vec<Event>, Refusal> {
        let adopted =
            self.charters.get(&open.charter).ok_or(Refusal::UnknownCharter { digest: open.charter })?;
        let question = &open.question;
        Question::parse(&question.topic, &question.options)
            .map_err(|wrong| Refusal::MalformedQuestion { wrong })?;
        let charter = adopted.rules.moved(&open.moved)?.for_motion(open.motion.as_deref())?;
        plain_enough(&charter, question)?;
        let clerks: Vec<Who> = open.judges.iter().chain(&open.scribe).cloned().collect();
        let seats = self.seated(&open.seats, &clerks)?;
        maskable(&charter, question, &seats)?;
        super::ring::only_outside(&charter, &seats)?;
        super::ring::only_asked(&charter, open)?;
        let clerk = |who: &Who| self.enrolled(who);
        let opening = Arc::new(Opening {
            question: question.clone(),
            charter: Pinned { name: adopted.rules.name.clone(), digest: open.charter },
            forked: None,
            judges: open.judges.iter().map(clerk).collect::<Result<_, _>>()?,
            motion: open.motion.clone(),
            moved: open.moved.clone(),
            perspectives: perspectives(&charter, &open.perspectives)?,
            scribe: open.scribe.as_ref().map(clerk).transpose()?,
            seats,
            stepwise: open.stepwise,
        });
        // The id of a matter is the id of the event that opens it.
        let matter = MatterId(Id { act: self.seq.next(), nth: before as u16 });
        let opened = Event::Matter(matter::Event::Opened(opening.clone()));
        let case = Case::open(matter, at, opening, charter, None);
        let mut flow = Flow::new(self, before + 1, at, case);
        let session = flow.case.charter.ring.as_ref().map(|ring| ring.session_ms.is);
        let time_ms = open.limits.time_ms.into_iter().chain(session).min();
        let limits = meter::Limits { time_ms, ..open.limits };
        flow.put(Event::Meter(meter::Event::Limited { matter, limits }));
        flow.give(&open.context)?;
        if let Some(focus) = &open.focus {
            flow.focus(focus)?;
        }
        match (&open.perspectives, open.scribe.as_ref().or(open.seats.first())) {
            (Perspectives::Generated, Some(who)) => flow.engage(who, Chore::Perspectives),
            (Perspectives::Generated | Perspectives::Usual | Perspectives::Given(_), _) => {
                flow.enter_stage(0)
            }
        }
        Ok(std::iter::once(opened).chain(flow.done()).collect())
    }

    /// The seats of a matter. Nobody sits twice, nor serves as a clerk beside their seat.
    pub(super) fn seated(&self, seats: &[Who], clerks: &[Who]) -> Result<Vec<Seat>, Refusal> {
        if seats.is_empty() {
            return Err(Refusal::NoSeats);
        }
        let all: Vec<Who> = seats.iter().chain(clerks).cloned().collect();
        if let Some(who) = roster::doubled(&all) {
            return Err(Refusal::SeatTwice { who: who.clone() });
        }
        seats.iter().map(|who| self.enrolled(who)).collect()
    }

    pub(super) fn enrolled(&self, who: &Who) -> Result<Seat, Refusal> {
        self.roster.get(who).cloned().ok_or_else(|| Refusal::UnknownSeat { who: who.clone() })
    }
}

/// Where names are hidden they are hidden wherever they stand as a word: such a word must be a name.
pub(super) fn maskable(charter: &Charter, question: &Question, seats: &[Seat]) -> Result<(), Refusal> {
    let garbling = seats.iter().filter(|seat| lens::garbles(&seat.name, question.texts()));
    let names: Vec<String> = garbling.map(|seat| seat.name.clone()).collect();
    if charter.lens.anonymize && !names.is_empty() {
        return Err(Refusal::Unmaskable { charter: charter.name.clone(), names });
    }
    Ok(())
}

/// Sides can be ordered only where there are two of them.
pub(super) fn plain_enough(charter: &Charter, question: &Question) -> Result<(), Refusal> {
    let orders = charter.roles.iter().flat_map(|roles| &roles.roles).any(|role| role.expects.is_some());
    if orders && !question.options.is_empty() {
        return Err(Refusal::NeedsPlainQuestion { charter: charter.name.clone() });
    }
    Ok(())
}

/// The fields seats speak for, as far as they are known at the opening.
fn perspectives(charter: &Charter, wanted: &Perspectives) -> Result<Vec<Perspective>, Refusal> {
    match wanted {
        Perspectives::Usual | Perspectives::Generated => Ok(charter.perspectives.clone()),
        Perspectives::Given(given) => {
            let malformed = |wrong| Refusal::MalformedContext { wrong };
            for one in given {
                context::fits("the name of a perspective", &one.name, context::NAME_MOST)
                    .map_err(malformed)?;
                context::fits("the view of a perspective", &one.view, context::VIEW_MOST)
                    .map_err(malformed)?;
            }
            Ok(given.clone())
        }
    }
}
