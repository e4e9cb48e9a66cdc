//! The ring: participants that come by themselves join, propose, take the floor in turn, and vote.
//!
//! Its phases follow each other; each is left when nothing it asked for is open any more. What participants do is
//! in `participate`, the vote in `vote`.

mod command;
mod outcome;
mod participate;
mod refusal;
mod session;
mod state;
mod turn;
mod vote;

pub use command::{Action, Command, Remark};
pub(crate) use outcome::truth;
pub use refusal::{Refusal, RingStep, Unused};
pub use session::{
    AmendmentRow, Holder, MemberRow, ProposalRow, ReactionRow, ResultRow, Session, SkipRow, SpeechRow,
    VoteRow,
};
pub use state::{Member, Skip, State};
pub use turn::TurnSheet;
pub(crate) use vote::{recount, spelled};

use self::state::parts;
use crate::brief::Brief;
use crate::charter::{Charter, Ring};
use crate::command::{Delivered, Open, Perspectives};
use crate::floor::{self, FloorOrder, FloorStep};
use crate::house::{Ballot, BriefCache, Case, Flow, House, Item, Reader, wrong_status};
use crate::kernel::{
    Actor, AskId, At, Cause, Contribution, Decision, MatterId, ProposalId, Seat, SeatKind, UndecidedReason,
    Who,
};
use crate::matter::{Operation, Pause, Status};
use crate::procedure::SubmittedAnswer;
use crate::table::{self, Phase};
use crate::watch::{self, Exit};
use crate::{Ask, Event, Task, ask, house, roster};

/// Why somebody is gone whom the operator removed.
const REMOVED: &str = "ring/removed";

/// Who may give which command: what participants do is their own, everything else is the operator's.
pub(crate) fn may(by: &Actor, command: &Command) -> bool {
    match command {
        Command::Participate { .. } => matches!(by, Actor::Seat(_)),
        Command::Start { .. } | Command::Remove { .. } => *by == Actor::Operator,
    }
}

/// Judges a command to a ring.
pub(crate) fn decide(flow: &mut Flow, by: &Actor, command: &Command) -> Result<(), crate::Refusal> {
    match (command, by) {
        (Command::Participate { matter, action }, Actor::Seat(who)) => {
            participate::participate(flow, *matter, who, action)
        }
        (Command::Participate { .. }, Actor::Operator | Actor::Engine) => {
            Err(house::refusal::Refusal::NotAllowed { by: by.clone() }.into())
        }
        (Command::Start { matter }, _) => flow.start_ring(*matter),
        (Command::Remove { matter, who }, _) => flow.remove_from_ring(*matter, who),
    }
}

/// Whether a ring of these seats can be opened: only those that come by themselves can be waited for, and what a
/// ring does not read is refused, not overlooked.
pub(crate) fn may_open(
    charter: &Charter,
    rules: &Ring,
    open: &Open,
    seats: &[Seat],
) -> Result<(), crate::Refusal> {
    if let Some(seat) = seats.iter().find(|seat| seat.kind != SeatKind::Outside) {
        return Err(Refusal::NeedsOutside { charter: charter.name.clone(), who: seat.who.clone() }.into());
    }
    if (seats.len() as u32) < rules.least {
        return Err(Refusal::TooFewInvited { invited: seats.len() as u32, least: rules.least }.into());
    }
    let unread = [
        (Unused::Options, !open.question.options.is_empty()),
        (Unused::Must, !open.question.must.is_empty()),
        (Unused::Judges, !open.judges.is_empty()),
        (Unused::Scribe, open.scribe.is_some()),
        (Unused::Focus, open.focus.is_some()),
        (Unused::Perspectives, open.perspectives != Perspectives::Usual),
        (Unused::Sources, open.sources),
        (Unused::Stepwise, open.stepwise),
    ];
    match unread.into_iter().find(|(_, given)| *given) {
        Some((what, _)) => Err(Refusal::Unread { charter: charter.name.clone(), what }.into()),
        None => Ok(()),
    }
}

/// Begins a ring that was just opened: invites everyone.
#[allow(clippy::unnecessary_wraps)] // every procedure may refuse to begin
pub(crate) fn begin(flow: &mut Flow, _: &Open) -> Result<(), crate::Refusal> {
    flow.enter_phase(Phase::Gathering);
    Ok(())
}

/// A turn that is let pass counts, a vote or an invitation does not.
pub(crate) fn owes(_: &Case, _: &Who, task: Task) -> bool {
    match task {
        Task::Speak { .. } => true,
        Task::Vote { .. } | Task::Join | Task::Propose | Task::Weigh | Task::Second | Task::Clerk(_) => false,
    }
}

/// Why an overdue ask lapses.
pub(crate) fn overdue(case: &Case, who: &Who, task: Task, begun: bool) -> Cause {
    match (task, begun) {
        (Task::Join, _) => Cause::passing("ring/not-joined", "did not join in time"),
        (Task::Vote { .. }, _) => Cause::passing("ring/vote-late", "not all proposals were voted on in time"),
        (Task::Speak { .. } | Task::Propose | Task::Weigh | Task::Second | Task::Clerk(_), true) => {
            Cause::late(case.limit_ms(who))
        }
        (Task::Speak { .. } | Task::Propose | Task::Weigh | Task::Second | Task::Clerk(_), false) => {
            Cause::passing("ask/undelivered", "the turn was never fetched and acknowledged")
        }
    }
}

/// When a turn lapses that nobody comes for.
pub(crate) fn queued_until(case: &Case, at: At, _: &Who) -> At {
    at.plus(parts(case).0.token_ms.is)
}

/// Participants do not answer asks: what they do is a command of its own, and `procedure::answer` has refused.
pub(crate) fn answer(_: &mut Flow, case: &Case, _: &SubmittedAnswer<'_>) -> Result<(), crate::Refusal> {
    Err(Refusal::ByPart { matter: case.id }.into())
}

/// No ring asks the world for anything.
pub(crate) fn deliver(_: &mut Flow, _: &Case, ask: AskId, _: &Delivered) -> Result<(), crate::Refusal> {
    Err(ask::Refusal::OtherKind { ask }.into())
}

/// Participants read a turn sheet.
pub(crate) fn brief(_: &House, _: &Case, _: &Ask, _: &mut BriefCache) -> Option<Brief> {
    None
}

/// First proposals are shown all at once when the talk begins.
pub(crate) fn is_told_as_made(_: &Case, said: &Contribution) -> bool {
    !is_first_proposal(said)
}

/// Nobody is to follow another's vote.
pub(crate) fn shows_open_ballots(_: &Case) -> bool {
    false
}

/// A ring has one ballot.
pub(crate) fn ballot_name<'a>(_: &'a Case, _: &Ballot) -> &'a str {
    "vote"
}

/// A ring has one stage of speech.
pub(crate) fn stage_name(_: &Case, _: usize) -> &str {
    "discussion"
}

/// Proposals come before the first round.
pub(crate) fn said_in<'a>(_: &'a Case, said: &Contribution) -> &'a str {
    if said.round == 0 { "proposals" } else { "discussion" }
}

/// When an ask lapses that is asked anew after a rest.
pub(crate) fn renewed_until(case: &Case, at: At, _: &Who, task: Task) -> At {
    let rules = parts(case).0;
    match task {
        Task::Join => at.plus(rules.gather_ms.is),
        Task::Vote { .. } => at.plus(rules.vote_ms.is),
        Task::Speak { .. } | Task::Propose | Task::Weigh | Task::Second | Task::Clerk(_) => {
            at.plus(rules.token_ms.is)
        }
    }
}

/// Nothing hangs on it besides its asks.
pub(crate) fn called_off(_: &mut Flow) {}

/// Nothing rests on the words of one but its own record.
pub(crate) fn after_redaction(_: &mut Flow) {}

/// Goes on after a rest.
pub(crate) fn resumed(flow: &mut Flow, _: Pause) {
    advance(flow);
}

/// Goes on as far as the ring can without anybody.
pub(crate) fn advance(flow: &mut Flow) {
    let case = flow.case();
    if case.status() != Status::Running {
        return;
    }
    let waiting = !case.asks().is_empty();
    match case.phase() {
        Some(Phase::Discussing) if !case.round_closed() => flow.pass_token(),
        Some(Phase::Gathering) if !waiting && !flow.enough() => {
            flow.settle(Decision::Undecided(UndecidedReason::Few))
        }
        Some(phase @ (Phase::Gathering | Phase::Proposing | Phase::Discussing | Phase::Converging)) => {
            if let Some(next) = phase.next().filter(|_| !waiting) {
                flow.enter_phase(next);
            }
        }
        Some(Phase::Voting) if !waiting => flow.close_vote(),
        Some(Phase::Voting) | None => (),
    }
}

/// Whether everybody may see what a participant contributed in a round. Proposals are asked for all at once: a later one
/// must not follow another's lead.
pub(crate) fn is_public(case: &Case, said: &Contribution) -> bool {
    let proposing = case.decision().is_none() && case.phase() == Some(Phase::Proposing);
    !(proposing && is_first_proposal(said))
}

/// Participants see the same.
pub(crate) fn is_kept_from(_: &Case, _: &Who, _: &Contribution) -> bool {
    false
}

/// A ring is for those who were invited.
pub(crate) fn is_open_to_all(_: &Case) -> bool {
    false
}

/// Whether it was put before the talk began, when all propose at once.
pub(crate) fn is_first_proposal(said: &Contribution) -> bool {
    said.round == 0
}

impl Case {
    /// Whether a reader may see a proposal, which is what its author contributed.
    pub fn may_see_proposal(&self, reader: Reader<'_>, ProposalId(id): ProposalId) -> bool {
        // Contributions are stored in the order of their ids.
        let said = self.said.binary_search_by_key(&id, |said| said.id).ok();
        let said = said.and_then(|at| self.said.get(at));
        said.is_some_and(|said| self.may_see(reader, Item::Contribution(said)))
    }
}

fn wrong_phase(case: &Case, step: RingStep) -> crate::Refusal {
    // A ring has a phase from the act on that opens it.
    let phase = case.phase().unwrap_or(Phase::Gathering);
    Refusal::WrongPhase { matter: case.id, phase, step }.into()
}

impl Flow {
    /// Begins a ring with those who joined.
    fn start_ring(&mut self, matter: MatterId) -> Result<(), crate::Refusal> {
        let case = self.running_ring(matter)?;
        if case.phase() != Some(Phase::Gathering) {
            return Err(wrong_phase(&case, RingStep::Start));
        }
        let (rules, state) = parts(&case);
        let joined = state.electors().len() as u32;
        if joined < rules.least {
            return Err(Refusal::TooFewJoined { matter, joined, least: rules.least }.into());
        }
        self.call_off(&Cause::passing(
            "ring/started",
            "the ring began before they joined; they can still do so",
        ));
        advance(self);
        Ok(())
    }

    /// Takes a participant out.
    fn remove_from_ring(&mut self, matter: MatterId, who: &Who) -> Result<(), crate::Refusal> {
        let case = self.running_ring(matter)?;
        if case.seat(who).is_none() {
            return Err(roster::Refusal::NotSeated { who: who.clone(), matter }.into());
        }
        self.leave(who, Cause::lasting(REMOVED, "removed by the operator"));
        Ok(())
    }

    /// A ring that goes on.
    fn running_ring(&mut self, matter: MatterId) -> Result<std::sync::Arc<Case>, crate::Refusal> {
        let case = self.find(matter)?;
        if case.ring().is_none() {
            return Err(Refusal::NotARing { matter }.into());
        }
        match case.status() {
            Status::Running => Ok(case),
            status @ (Status::Paused(_) | Status::Settled(_)) => {
                Err(wrong_status(matter, status, Operation::Participate))
            }
        }
    }

    /// Enters a phase: asks for what belongs to it.
    fn enter_phase(&mut self, phase: Phase) {
        let matter = self.case().id;
        self.put(Event::Table(table::Event::PhaseEntered { matter, phase }));
        let (rules, state) = parts(self.case());
        let token = self.at.plus(rules.token_ms.is);
        match phase {
            Phase::Gathering => {
                let until = self.at.plus(rules.gather_ms.is);
                let invited: Vec<Who> =
                    self.case().opening.seats.iter().map(|seat| seat.who.clone()).collect();
                invited.into_iter().for_each(|who| self.want(Task::Join, who, until));
            }
            Phase::Proposing => {
                state.electors().into_iter().for_each(|who| self.want(Task::Propose, who, token));
            }
            Phase::Discussing => self.hold_ring_round(),
            Phase::Converging => {
                let owes = |who: &Who| state.table.unruled(who).next().is_some();
                let proposers: Vec<Who> = state.electors().into_iter().filter(|who| owes(who)).collect();
                proposers.into_iter().for_each(|who| self.want(Task::Weigh, who, token));
                advance(self);
            }
            Phase::Voting => self.open_vote(),
        }
    }

    fn want(&mut self, task: Task, who: Who, until: At) {
        let matter = self.case().id;
        self.put(Event::Ask(ask::Event::Opened { matter, task, until, who }));
    }

    fn enough(&self) -> bool {
        let (rules, state) = parts(self.case());
        state.electors().len() as u32 >= rules.least
    }

    fn hold_ring_round(&mut self) {
        let (matter, round) = (self.case().id, self.case().round() + 1);
        self.put(Event::Floor(floor::Event::RoundOpened { matter, round }));
        advance(self);
    }

    /// Gives the floor to the next, or closes the round.
    fn pass_token(&mut self) {
        let case = self.case();
        let (matter, round) = (case.id, case.round());
        let seats = parts(case).1.callable(case, round);
        let speaking: Vec<(usize, &Who)> =
            case.asks().values().filter_map(|ask| Some((0, ask.who()?))).collect();
        match floor::next(FloorOrder::Sequential, seats, case.called(), &speaking) {
            FloorStep::Wait => (),
            FloorStep::Call(next) => {
                for who in next.into_iter().cloned().collect::<Vec<Who>>() {
                    let until = self.queued_until(&who);
                    self.put(Event::Floor(floor::Event::Called { matter, round, until, who }));
                }
            }
            FloorStep::Over => self.close_ring_round(),
        }
    }

    fn close_ring_round(&mut self) {
        let case = self.case();
        let (matter, round) = (case.id, case.round());
        let answered = parts(case).1.table.heard_in(round) as u32;
        let lapsed = case.lapsed_in(round);
        self.put(Event::Floor(floor::Event::RoundClosed { answered, lapsed, matter, round }));
        match self.talk_ends() {
            Some(why) => {
                self.put(Event::Watch(watch::Event::Left { matter, stage: 0, why }));
                advance(self);
            }
            None => self.hold_ring_round(),
        }
    }

    /// Why the talk ends after the round just closed, if it does.
    fn talk_ends(&self) -> Option<Exit> {
        let (case, round) = (self.case(), self.case().round());
        let (rules, state) = parts(case);
        let table = &state.table;
        let present: Vec<Who> = state.callable(case, round + 1).map(|(_, who)| who.clone()).collect();
        let support = table.proposals.iter().map(|proposal| table.support(proposal, &present));
        let best = support.max().unwrap_or(0);
        let quiet = (0..rules.still_rounds).all(|back| round > back && table.fresh(round - back) == 0);
        if rules.consensus.is_met_by(best, present.len() as u32) {
            Some(Exit::Consensus)
        } else if (quiet && round >= rules.still_from) || present.is_empty() {
            Some(Exit::Stagnation)
        } else {
            (u64::from(round) >= rules.rounds.is).then_some(Exit::Rounds)
        }
    }

    /// Somebody takes part no longer. Whatever was asked of them is over; with too few left so is the ring.
    fn leave(&mut self, who: &Who, cause: Cause) {
        let matter = self.case().id;
        let asked: Vec<_> =
            self.case().asks().iter().filter(|(_, ask)| ask.is_of(who)).map(|(id, _)| *id).collect();
        self.put(Event::Floor(floor::Event::Gone { cause: cause.clone(), matter, who: who.clone() }));
        for ask in asked {
            self.give_up(ask, cause.clone());
        }
        if self.case().phase() != Some(Phase::Gathering) && !self.enough() {
            self.call_off(&Cause::passing("ring/few", "too few were left to go on"));
            return self.settle(Decision::Undecided(UndecidedReason::Few));
        }
        advance(self);
    }
}
