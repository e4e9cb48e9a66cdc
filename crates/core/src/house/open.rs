//! Opening a matter.

use std::sync::Arc;

use super::Flow;
use crate::charter::{self, Charter};
use crate::command::{Open, Perspectives};
use crate::context;
use crate::kernel::{MatterId, Perspective, Seat, Who};
use crate::matter::{self, Opening, Pinned, Question};
use crate::{Event, Refusal, meter, procedure, roster};

/// The most seats of a matter: what one act may ask of all of them stays within the events an act can number.
pub(super) const SEATS_MOST: usize = 10_000;

impl Flow {
    /// Opens a matter; the flow goes on with it.
    pub(super) fn open(&mut self, open: &Open) -> Result<MatterId, Refusal> {
        let opening = self.opening(open)?;
        // The id of a matter is the id of the event that opens it.
        let matter = MatterId(self.put(Event::Matter(matter::Event::Opened(Arc::new(opening)))));
        self.turn_to(matter);
        let session = self.case().charter.time_limit();
        let time_ms = open.limits.time_ms.into_iter().chain(session).min();
        let limits = meter::Limits { time_ms, ..open.limits };
        self.put(Event::Meter(meter::Event::Limited { matter, limits }));
        self.give(&open.context)?;
        procedure::begin(self, open)?;
        Ok(matter)
    }

    /// What is fixed when a matter opens.
    fn opening(&self, open: &Open) -> Result<Opening, Refusal> {
        let digest = open.charter;
        let adopted = self.house.charter(&digest).ok_or(charter::Refusal::Unknown { digest })?;
        let question = &open.question;
        let parsed = Question::parse(&question.topic, &question.options);
        let parsed = parsed.and_then(|parsed| parsed.requiring(&question.must));
        let parsed = parsed.and_then(|parsed| match &question.unit {
            Some(unit) => parsed.in_unit(unit),
            None => Ok(parsed),
        });
        parsed.map_err(matter::Refusal::Malformed)?;
        adopted.rules.knows_motion(open.motion.as_deref())?;
        let moved = adopted.rules.resolve(&open.moved, open.motion.as_deref())?;
        let charter = adopted.rules.with(&moved, open.motion.as_deref());
        let clerks: Vec<Who> = open.judges.iter().chain(&open.scribe).cloned().collect();
        let seats = self.seated(&open.seats, &clerks)?;
        procedure::may_open(&charter, open, &seats)?;
        // Where only some are asked at first, these should not all think alike.
        let some_first = charter.council().is_some_and(|rules| rules.asks_some_first(seats.len()));
        let seats = if some_first { roster::unlike_first(seats) } else { seats };
        // Who speaks when is part of what is fixed: the same order in every round.
        let seats = if charter.parliament().is_some() { procedure::by_rank(seats) } else { seats };
        let clerk = |who: &Who| self.enrolled(who);
        Ok(Opening {
            question: question.clone(),
            charter: Pinned { name: adopted.rules.name.clone(), digest },
            forked: None,
            judges: open.judges.iter().map(clerk).collect::<Result<_, _>>()?,
            motion: open.motion.clone(),
            moved,
            perspectives: perspectives(&charter, &open.perspectives)?,
            proposer: open.proposal.as_ref().and_then(|proposal| proposal.by.clone()),
            replaced: Vec::new(),
            scribe: open.scribe.as_ref().map(clerk).transpose()?,
            seats,
            sources: open.sources,
            stepwise: open.stepwise,
            synthesis: open.synthesis.clone(),
        })
    }

    /// The seats of a matter. Nobody sits twice, nor serves as a clerk beside their seat.
    pub(crate) fn seated(&self, seats: &[Who], clerks: &[Who]) -> Result<Vec<Seat>, Refusal> {
        if seats.is_empty() {
            return Err(roster::Refusal::NoSeats.into());
        }
        if seats.len() > SEATS_MOST {
            return Err(roster::Refusal::TooManySeats { given: seats.len(), most: SEATS_MOST }.into());
        }
        let all: Vec<Who> = seats.iter().chain(clerks).cloned().collect();
        if let Some(who) = roster::doubled(&all) {
            return Err(roster::Refusal::SeatTwice { who: who.clone() }.into());
        }
        seats.iter().map(|who| self.enrolled(who)).collect()
    }

    pub(super) fn enrolled(&self, who: &Who) -> Result<Seat, Refusal> {
        let unknown = || roster::Refusal::UnknownSeat { who: who.clone() };
        Ok(self.house.roster().get(who).cloned().ok_or_else(unknown)?)
    }
}

/// The fields seats speak for, as far as they are known at the opening.
fn perspectives(charter: &Charter, wanted: &Perspectives) -> Result<Vec<Perspective>, Refusal> {
    match wanted {
        Perspectives::Usual | Perspectives::Generated => Ok(charter.perspectives().to_vec()),
        Perspectives::Given(given) => {
            for one in given {
                context::fits("the name of a perspective", &one.name, context::NAME_MOST)
                    .map_err(context::Refusal::Malformed)?;
                context::fits("the view of a perspective", &one.view, context::VIEW_MOST)
                    .map_err(context::Refusal::Malformed)?;
            }
            Ok(given.clone())
        }
    }
}
