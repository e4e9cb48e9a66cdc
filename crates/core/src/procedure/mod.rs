//! Procedures: what puts the organs in an order. Each is a folder with its state, commands, flows and views.
//!
//! The set is closed: the table below makes one enum of the rules and one of the state, and the functions under it call
//! the function of the same name in the procedure of a matter. A procedure that lacks one of them does not compile. No
//! procedure imports another, and the house knows none by name.
//!
//! To add one: its folder, its rules in `charter/` with a line in `charter::OWN_TABLES`, its line in the table here, and
//! a variant of `Command` if it has commands of its own.

pub mod council;
pub mod ring;
pub mod workshop;

use serde::{Deserialize, Serialize};

use crate::ask::{Of, WorldTask};
use crate::ballot::{Count, Tally};
use crate::brief::Brief;
use crate::charter::{self, Charter, Motion};
use crate::command::{Delivered, Open};
use crate::house::{Ballot, BriefCache, Case, Flow, House, Recorded};
use crate::kernel::{
    AskId, At, Call, Cause, Contribution, Decision, Perspective, Seat, SeatKind, Who, words,
};
use crate::matter::{Opening, Pause};
use crate::track::{Truth, Verdict};
use crate::{Ask, Event, Refusal, Task, context, evidence, meter};

/// Makes the enums of a table of procedures, and what calls into whichever procedure a matter has. `$d` is a dollar
/// sign: the macros that are made here have arguments of their own.
macro_rules! procedures {
    ($d:tt $($(#[$about:meta])* $name:ident: $module:ident, $rules:ty;)*) => {
        /// What a charter sets for its procedure.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Rules {
            $($(#[$about])* $name($rules),)*
        }

        /// What the procedure of a matter knows of it besides what every matter has.
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[allow(clippy::large_enum_variant)] // a case is shared whole, so no copy pays for the largest
        pub enum State {
            $($(#[$about])* $name($module::State),)*
        }

        words!(enum State { $($name[state]),* });

        impl State {
            /// The state of a matter as it begins.
            pub(crate) fn open(opening: &Opening, charter: &Charter) -> Self {
                match &charter.procedure {
                    $(Rules::$name(rules) => Self::$name($module::State::open(opening, charter, rules)),)*
                }
            }
        }

        /// Whether a matter of these seats can be opened under a charter.
        pub(crate) fn may_open(charter: &Charter, open: &Open, seats: &[Seat]) -> Result<(), Refusal> {
            match &charter.procedure {
                $(Rules::$name(rules) => $module::may_open(charter, rules, open, seats),)*
            }
        }

        /// Calls the function of that name in the procedure of a matter.
        macro_rules! dispatch {
            ($d case:expr, $d function:ident($d($d argument:expr),* $d(,)?)) => {
                match &$d case.state {
                    $(State::$name(_) => $module::$d function($d($d argument),*),)*
                }
            };
        }

        /// Evaluates an expression with the rules of whichever procedure it is.
        macro_rules! with_rules {
            ($d of:expr, $d rules:ident => $d body:expr) => {
                match $d of {
                    $(Rules::$name($d rules) => $d body,)*
                }
            };
        }

        /// Evaluates an expression with the state of whichever procedure it is.
        macro_rules! with_state {
            ($d of:expr, $d state:ident => $d body:expr) => {
                match $d of {
                    $(State::$name($d state) => $d body,)*
                }
            };
        }
    };
}

procedures! { $
    /// Seats are called to speak and to vote, stage by stage.
    Council: council, Box<charter::Council>;
    /// Participants come by themselves and take turns.
    Ring: ring, charter::Ring;
    /// Participants comment on an issue.
    Workshop: workshop, Box<charter::Workshop>;
}

/// An answer as it came.
#[derive(Debug)]
pub(crate) struct SubmittedAnswer<'a> {
    /// The ask it answers.
    pub(crate) id: AskId,
    /// What was said.
    pub(crate) text: &'a str,
    /// What getting it took.
    pub(crate) call: &'a Call,
    /// What a vote is sealed with where votes are not open.
    pub(crate) salt: Option<&'a str>,
}

/// A call that gave no answer.
#[derive(Debug)]
pub(crate) struct Failed<'a> {
    /// The ask.
    pub(crate) id: AskId,
    /// Why.
    pub(crate) cause: &'a Cause,
    /// What trying took.
    pub(crate) call: &'a Call,
}

/// What can be read off a charter whatever its procedure.
impl Charter {
    /// Rounds of speech a matter holds at the least and at the most.
    pub fn rounds(&self) -> (u64, u64) {
        with_rules!(&self.procedure, rules => rules.rounds())
    }

    /// Calls a matter of so many seats makes at the least, and at the most if votes have to be asked for again;
    /// failed tries aside. Nobody calls those who come by themselves.
    pub fn calls(&self, seats: u64) -> (u64, u64) {
        let retries = u64::from(self.ballot.unparsed_retries);
        with_rules!(&self.procedure, rules => rules.calls(seats, retries))
    }

    /// What happens in order, each with the most rounds it takes where it has rounds.
    pub fn outline(&self) -> Vec<(String, Option<u64>)> {
        with_rules!(&self.procedure, rules => rules.outline())
    }

    /// Kinds of motion it knows.
    pub fn motions(&self) -> &[Motion] {
        with_rules!(&self.procedure, rules => rules.motions())
    }

    /// Fields the seats speak for, unless a matter gives others.
    pub fn perspectives(&self) -> &[Perspective] {
        with_rules!(&self.procedure, rules => rules.perspectives())
    }

    /// Whether participants are not shown who spoke.
    pub fn hides_names(&self) -> bool {
        with_rules!(&self.procedure, rules => rules.hides_names())
    }

    /// Whether its participants come by themselves, so that nobody calls them.
    pub fn runs_by_itself(&self) -> bool {
        with_rules!(&self.procedure, rules => rules.runs_by_itself())
    }

    /// Whether no time runs in it: nothing is asked and nothing lapses, so it never rests for want of an engine.
    pub fn is_timeless(&self) -> bool {
        with_rules!(&self.procedure, rules => rules.is_timeless())
    }

    /// After so many lapses in a row a seat is not called any more.
    pub(crate) fn absent_after(&self) -> u64 {
        with_rules!(&self.procedure, rules => rules.absent_after())
    }

    /// How long a matter may last in any case.
    pub(crate) fn time_limit(&self) -> Option<u64> {
        with_rules!(&self.procedure, rules => rules.time_limit())
    }
}

/// The settings of a procedure, each under the name that commands use.
pub(crate) fn places(of: &mut Rules) -> Vec<(String, charter::SettingSlot<'_>)> {
    with_rules!(of, rules => rules.places())
}

impl State {
    /// Forgets what follows from words that are gone.
    pub(crate) fn forget(&mut self) {
        with_state!(self, state => state.forget());
    }

    /// Forgets the words that it shares with another matter up to a round.
    pub(crate) fn forget_shared(&mut self, last: u32) {
        with_state!(self, state => state.forget_shared(last));
    }
}

impl Case {
    pub(crate) fn apply_to_state(&mut self, recorded: &Recorded<'_>) {
        with_state!(&mut self.state, state => state.apply(recorded));
    }

    /// How long a seat may take.
    pub fn limit_ms(&self, who: &Who) -> u64 {
        let is_person = self.participant(who).is_some_and(|seat| seat.kind == SeatKind::Person);
        with_rules!(&self.charter.procedure, rules => rules.limit_ms(is_person))
    }

    /// What a ballot is called.
    pub fn ballot_name(&self, ballot: &Ballot) -> &str {
        dispatch!(self, ballot_name(self, ballot))
    }

    /// What the stage of speech is called that was left.
    pub fn stage_name(&self, stage: usize) -> &str {
        dispatch!(self, stage_name(self, stage))
    }

    /// What the part of the matter is called in which something was said.
    pub fn said_in(&self, said: &Contribution) -> &str {
        dispatch!(self, said_in(self, said))
    }

    /// Whether its participants come by themselves, so that it goes on while nobody performs anything.
    pub fn runs_by_itself(&self) -> bool {
        self.charter.runs_by_itself()
    }
}

/// Begins a matter that was just opened.
pub(crate) fn begin(flow: &mut Flow, open: &Open) -> Result<(), Refusal> {
    dispatch!(flow.case(), begin(flow, open))
}

/// The seats of a motion in the order in which they speak.
pub(crate) fn by_rank(seats: Vec<Seat>) -> Vec<Seat> {
    council::by_rank(seats)
}

/// Goes on as far as it can without anybody.
pub(crate) fn advance(flow: &mut Flow) {
    dispatch!(flow.case(), advance(flow))
}

/// Takes back what hangs on a matter that is about to be stopped.
pub(crate) fn called_off(flow: &mut Flow) {
    dispatch!(flow.case(), called_off(flow))
}

/// Ends what rests on the words of a matter that are about to go.
pub(crate) fn after_redaction(flow: &mut Flow) {
    dispatch!(flow.case(), after_redaction(flow))
}

/// Goes on after a rest.
pub(crate) fn resumed(flow: &mut Flow, from: Pause) {
    dispatch!(flow.case(), resumed(flow, from))
}

/// Takes what the world was asked for.
pub(crate) fn deliver(flow: &mut Flow, case: &Case, id: AskId, delivered: &Delivered) -> Result<(), Refusal> {
    dispatch!(case, deliver(flow, case, id, delivered))
}

/// Whether somebody performs the asks of a matter, rather than that participants come for them.
pub(crate) fn is_performed(case: &Case) -> Result<(), Refusal> {
    let comes_by_itself = case.runs_by_itself() && !case.charter.is_timeless();
    if comes_by_itself { Err(ring::Refusal::ByPart { matter: case.id }.into()) } else { Ok(()) }
}

/// Takes an answer to an ask; `case` is the matter before it.
pub(crate) fn answer(flow: &mut Flow, case: &Case, given: &SubmittedAnswer<'_>) -> Result<(), Refusal> {
    is_performed(case)?;
    dispatch!(case, answer(flow, case, given))
}

/// Notes what a call took and that no answer came of it.
pub(crate) fn fail(flow: &mut Flow, case: &Case, failed: &Failed<'_>) -> Result<(), Refusal> {
    is_performed(case)?;
    // Nobody pays for what the world is asked.
    if case.asks().get(&failed.id).is_some_and(|ask| ask.who().is_some()) {
        flow.put(spent(failed.id, failed.call));
    }
    flow.lapse(failed.id, failed.cause.clone());
    advance(flow);
    Ok(())
}

/// The brief for an open ask; `None` where whoever is asked reads something else.
pub(crate) fn brief(house: &House, case: &Case, ask: &Ask, cache: &mut BriefCache) -> Option<Brief> {
    dispatch!(case, brief(house, case, ask, cache))
}

/// Whether somebody owes what is asked, so that letting it pass counts against them.
pub(crate) fn owes(case: &Case, who: &Who, task: Task) -> bool {
    dispatch!(case, owes(case, who, task))
}

/// Why an overdue ask lapses.
pub(crate) fn overdue(case: &Case, ask: &Ask) -> Cause {
    match &ask.of {
        Of::Seat { who, task } => match ask.patience_ms.filter(|_| ask.begun) {
            Some(ms) => Cause::late(ms),
            None => dispatch!(case, overdue(case, who, *task, ask.begun)),
        },
        Of::World(WorldTask::Read { .. }) => Cause::passing("source/unread", "nobody read the file in time"),
        Of::World(WorldTask::Check { .. }) => {
            Cause::passing("evidence/unread", "nobody read the cited files in time: send the comment again")
        }
    }
}

/// When an ask lapses that is opened now and that nobody begins to perform.
pub(crate) fn queued_until(case: &Case, at: At, who: &Who) -> At {
    dispatch!(case, queued_until(case, at, who))
}

/// When an ask lapses that is asked anew after a rest.
pub(crate) fn renewed_until(case: &Case, at: At, ask: &Ask) -> At {
    match &ask.of {
        Of::Seat { who, task } => dispatch!(case, renewed_until(case, at, who, *task)),
        Of::World(task) => delivered_until(at, task),
    }
}

/// When an ask of the world lapses. Its time runs from the start: nobody pays for it, so nobody queues for it.
pub(crate) fn delivered_until(at: At, task: &WorldTask) -> At {
    match task {
        WorldTask::Read { .. } => at.plus(context::READ_MS),
        WorldTask::Check { .. } => at.plus(evidence::WAIT_MS),
    }
}

/// What turned out to be true of a matter that is over; `None` if that could not have been.
pub(crate) fn truth(case: &Case, decision: Decision, verdict: Verdict) -> Option<Truth> {
    dispatch!(case, truth(case, decision, verdict))
}

/// A ballot counted again from its votes: the tally, what it comes to, what was counted besides.
pub fn recount(case: &Case, ballot: &Ballot) -> (Tally, Decision, Option<Count>) {
    dispatch!(case, recount(case, ballot))
}

/// A vote as a seal spells it, from any words that would be read as it.
pub(crate) fn spelled(case: &Case, said: &str) -> Option<String> {
    dispatch!(case, spelled(case, said))
}

/// Whether votes may be known before all are counted, where the ballot is open.
pub(crate) fn shows_open_ballots(case: &Case) -> bool {
    dispatch!(case, shows_open_ballots(case))
}

/// Whether everybody who may see the matter may see what was contributed to it now.
pub(crate) fn is_public(case: &Case, said: &Contribution) -> bool {
    dispatch!(case, is_public(case, said))
}

/// Whether the words of a contribution are shown with it at once, rather than later with those of all others.
pub(crate) fn is_told_as_made(case: &Case, said: &Contribution) -> bool {
    dispatch!(case, is_told_as_made(case, said))
}

/// Whether a participant may not see something yet that others may.
pub(crate) fn is_kept_from(case: &Case, who: &Who, said: &Contribution) -> bool {
    dispatch!(case, is_kept_from(case, who, said))
}

/// Whether everybody who belongs to the house may read it, rather than those who sit in it.
pub(crate) fn is_open_to_all(case: &Case) -> bool {
    dispatch!(case, is_open_to_all(case))
}

/// Whether participants follow what happens by themselves.
pub(crate) fn tells_participants(case: &Case) -> bool {
    case.runs_by_itself()
}

/// What getting an answer took.
pub(crate) fn spent(ask: AskId, call: &Call) -> Event {
    Event::Meter(meter::Event::Spent { ask, call: Box::new(call.clone()) })
}
