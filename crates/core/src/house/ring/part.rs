//! What a participant does for itself: join and leave, take its turn, put things on the table, rule on changes.

use super::wrong_phase;
use crate::charter::{Phase, Ring};
use crate::command::Part;
use crate::house::flow::Flow;
use crate::house::{Case, House, moderate};
use crate::kernel::{AmendmentId, AskId, At, Cause, Id, MatterId, ProposalId, Who, text};
use crate::table::{self, Kind, PROPOSALS_MOST, Proposal, TITLE_MOST};
use crate::{Ask, Event, Refusal, Task, ask, floor};

/// Conditions or changes a vote may name.
const LISTED_MOST: usize = 20;

impl House {
    pub(in crate::house) fn partake(
        &self,
        at: At,
        matter: MatterId,
        who: &Who,
        part: &Part,
    ) -> Result<Vec<Event>, Refusal> {
        let (case, ring) = self.ring(matter)?;
        if case.seat(who).is_none() {
            return Err(Refusal::NotSeated { who: who.clone(), matter });
        }
        if case.time_limit().is_some_and(|limit| limit <= at) {
            return Err(moderate::wrong(matter, case.status(), "its time is up, nobody can take part now"));
        }
        if let Some(cause) = case.gone.get(who).filter(|cause| cause.lasting) {
            return Err(Refusal::Removed { who: who.clone(), matter, why: cause.detail.clone() });
        }
        let mut flow = self.flow(at, case);
        if let Part::Join = part {
            flow.join(who)?;
            return Ok(flow.done());
        }
        // Who is invited and does not want to need not be waited for.
        if let (Part::Leave, Some(ask)) = (part, case.invitation(who)) {
            flow.put(Event::Ask(ask::Event::Lapsed {
                ask,
                cause: Cause::passing("ring/declined", "declined"),
            }));
            flow.advance();
            return Ok(flow.done());
        }
        if !case.is_member(who) {
            return Err(Refusal::NotJoined { who: who.clone(), matter });
        }
        let turn = |ask| turn(case, at, who, ask);
        match part {
            Part::Join => (),
            Part::Leave => flow.leave(who, Cause::passing("ring/left", "left of their own accord")),
            Part::Acknowledge { ask } => {
                let open = turn(*ask)?;
                if !open.begun {
                    // The time runs from the grant on: who is slow to fetch a turn has used it up.
                    let until = open.until;
                    flow.put(Event::Ask(ask::Event::Begun { ask: *ask, until }));
                }
            }
            Part::Say { ask, kind, text, to, keep } => {
                let round = spoken(case, turn(*ask)?)?;
                flow.say(who, *ask, round, (*kind, text, *to), ring)?;
                flow.yield_floor(*ask, *keep);
            }
            Part::Propose { ask, title, text, keep } => {
                match turn(*ask)?.task {
                    Task::Propose | Task::Speak { .. } => (),
                    Task::Join | Task::Weigh | Task::Vote { .. } | Task::Clerk(_) => {
                        return Err(wrong_phase(case, "proposals are put before the vote, in one's turn"));
                    }
                }
                flow.propose(who, *ask, title, text, ring)?;
                flow.yield_floor(*ask, *keep);
            }
            Part::Amend { ask, proposal, text, why, keep } => {
                let round = spoken(case, turn(*ask)?)?;
                flow.amend(who, *ask, round, *proposal, (text, why.as_deref()), ring)?;
                flow.yield_floor(*ask, *keep);
            }
            Part::React { ask, to, reaction, text, keep } => {
                let round = spoken(case, turn(*ask)?)?;
                if let Some(text) = text {
                    fits(ring, text)?;
                }
                known(case, *to)?;
                flow.counted(*ask, ring)?;
                let text = text.as_deref().map(trimmed);
                let (ask, reaction, to, who) = (*ask, *reaction, *to, who.clone());
                let reacted = table::Event::Reacted { ask, matter, reaction, round, text, to, who };
                flow.put(Event::Table(reacted));
                flow.yield_floor(ask, *keep);
            }
            Part::Release { ask } => {
                turn(*ask)?;
                flow.give_back(*ask, None);
            }
            Part::Skip { ask, why } => {
                turn(*ask)?;
                if let Some(why) = why {
                    fits(ring, why)?;
                }
                flow.give_back(*ask, why.as_deref().map(trimmed));
            }
            Part::Rule { amendment, accept, why } => {
                if let Some(why) = why {
                    fits(ring, why)?;
                }
                flow.rule(who, *amendment, *accept, why.as_deref().map(trimmed))?;
            }
            Part::Vote { proposal, grade, rationale, conditions, changes, salt } => {
                let words = conditions.iter().chain(changes).chain(rationale);
                words.map(|words| fits(ring, words)).collect::<Result<Vec<()>, _>>()?;
                if conditions.len().max(changes.len()) > LISTED_MOST {
                    let given = conditions.len().max(changes.len());
                    return Err(Refusal::TooManyListed { given, most: LISTED_MOST });
                }
                if salt.as_ref().is_some_and(|salt| salt.len() > 128) {
                    return Err(Refusal::TooLong { given: salt.as_ref().map_or(0, String::len), most: 128 });
                }
                flow.grade(who, part, *proposal, *grade)?;
            }
        }
        Ok(flow.done())
    }
}

/// The turn of that id, if it is this participant's. One whose time is up is over, also where nobody has
/// written that down yet.
fn turn<'a>(case: &'a Case, at: At, who: &Who, ask: AskId) -> Result<&'a Ask, Refusal> {
    let open = case.asks().get(&ask).filter(|open| open.until > at).ok_or(Refusal::AskNotOpen { ask })?;
    if open.who != *who {
        return Err(Refusal::NotHolder { who: who.clone(), holder: open.who.clone() });
    }
    Ok(open)
}

/// The round of a turn in which everything may be said.
fn spoken(case: &Case, ask: &Ask) -> Result<u32, Refusal> {
    match ask.task {
        Task::Speak { round } => Ok(round),
        Task::Join | Task::Propose | Task::Weigh | Task::Vote { .. } | Task::Clerk(_) => {
            Err(wrong_phase(case, "this needs the floor, which goes round in DISCUSSING"))
        }
    }
}

/// Text that can be put down. What is too long is refused with its length, never cut.
fn fits(ring: &Ring, words: &str) -> Result<(), Refusal> {
    let (given, most) = (words.trim().chars().count(), ring.text_most as usize);
    if given == 0 {
        return Err(Refusal::EmptyText);
    }
    if given > most { Err(Refusal::TooLong { given, most }) } else { Ok(()) }
}

/// What is kept of a text: what was measured.
pub(super) fn trimmed(words: &str) -> String {
    words.trim().to_string()
}

fn known(case: &Case, to: Id) -> Result<(), Refusal> {
    if case.table.holds(to) { Ok(()) } else { Err(Refusal::NotOnTable { id: to }) }
}

fn proposed(case: &Case, proposal: ProposalId) -> Result<&Proposal, Refusal> {
    case.table.proposal(proposal).map(|found| &**found).ok_or(Refusal::NotOnTable { id: proposal.0 })
}

impl Flow {
    fn join(&mut self, who: &Who) -> Result<(), Refusal> {
        let case = &self.case;
        let matter = case.id;
        if case.is_member(who) && !case.absent.contains_key(who) {
            return Err(Refusal::AlreadyJoined { who: who.clone(), matter });
        }
        match case.phase() {
            Some(Phase::Voting) => {
                return Err(wrong_phase(case, "who votes was settled when the vote opened"));
            }
            Some(Phase::Gathering | Phase::Proposing | Phase::Discussing { .. } | Phase::Converging)
            | None => (),
        }
        let invitation = case.invitation(who);
        let from_round = case.round() + 1;
        self.put(Event::Floor(floor::Event::Joined { from_round, matter, who: who.clone() }));
        if let Some(ask) = invitation {
            self.put(Event::Ask(ask::Event::Met { ask }));
        }
        self.advance();
        Ok(())
    }

    fn say(
        &mut self,
        who: &Who,
        ask: AskId,
        round: u32,
        (kind, words, to): (Kind, &str, Option<Id>),
        ring: &Ring,
    ) -> Result<(), Refusal> {
        fits(ring, words)?;
        to.map(|to| known(&self.case, to)).transpose()?;
        self.counted(ask, ring)?;
        let repeats = self.case.table.repeats(words);
        let (matter, text, who) = (self.case.id, trimmed(words), who.clone());
        self.put(Event::Table(table::Event::Said { ask, kind, matter, repeats, round, text, to, who }));
        Ok(())
    }

    fn propose(
        &mut self,
        who: &Who,
        ask: AskId,
        title: &str,
        words: &str,
        ring: &Ring,
    ) -> Result<(), Refusal> {
        fits(ring, words)?;
        let title = text::one_line(title);
        let length = title.chars().count();
        if length == 0 {
            return Err(Refusal::EmptyText);
        }
        if length > TITLE_MOST {
            return Err(Refusal::TooLong { given: length, most: TITLE_MOST });
        }
        if self.case.table.proposals.len() >= PROPOSALS_MOST {
            return Err(Refusal::TooManyProposals { most: PROPOSALS_MOST });
        }
        self.counted(ask, ring)?;
        let (matter, round) = (self.case.id, self.case.round());
        let repeats = self.case.table.repeats(words);
        let number = self.case.table.proposals.len() as u32 + 1;
        let (text, who) = (trimmed(words), who.clone());
        self.put(Event::Table(table::Event::Proposed {
            ask,
            matter,
            number,
            repeats,
            round,
            text,
            title,
            who,
        }));
        Ok(())
    }

    fn amend(
        &mut self,
        who: &Who,
        ask: AskId,
        round: u32,
        proposal: ProposalId,
        (words, why): (&str, Option<&str>),
        ring: &Ring,
    ) -> Result<(), Refusal> {
        fits(ring, words)?;
        why.map(|why| fits(ring, why)).transpose()?;
        let of = proposed(&self.case, proposal)?;
        if of.text.trim() == words.trim() {
            return Err(Refusal::NoChange { proposal });
        }
        let version = of.version;
        self.counted(ask, ring)?;
        let repeats = self.case.table.repeats(words);
        let (matter, who, why) = (self.case.id, who.clone(), why.map(trimmed));
        let text = trimmed(words);
        let amended =
            table::Event::Amended { ask, matter, proposal, repeats, round, text, version, who, why };
        self.put(Event::Table(amended));
        Ok(())
    }

    /// A turn holds only so many contributions: the floor is for everyone.
    fn counted(&self, ask: AskId, ring: &Ring) -> Result<(), Refusal> {
        let put = self.case.put.get(&ask).copied().unwrap_or(0);
        if put >= ring.per_turn { Err(Refusal::TurnFull { ask, most: ring.per_turn }) } else { Ok(()) }
    }

    /// The floor goes on with the contribution, unless it is kept for more.
    fn yield_floor(&mut self, ask: AskId, keep: bool) {
        if !keep {
            self.give_back(ask, None);
        }
    }

    /// Ends a turn. One in which nothing was put down was skipped, however it is called.
    fn give_back(&mut self, ask: AskId, why: Option<String>) {
        let who = self.case.asks().get(&ask).map(|open| open.who.clone());
        if self.case.put.contains_key(&ask) {
            self.put(Event::Floor(floor::Event::Released { ask }));
        } else {
            self.put(Event::Floor(floor::Event::Skipped { ask, why }));
        }
        let skips = self.case.charter.ring.as_ref().map_or(u32::MAX, |ring| ring.skips);
        if let Some(who) = who
            && self.case.skips.get(&who).copied().unwrap_or(0) >= skips
            && !self.case.absent.contains_key(&who)
        {
            let cause = Cause::passing("ring/skips", format!("skipped {skips} turns in a row"));
            let matter = self.case.id;
            self.put(Event::Floor(floor::Event::Absent { cause, matter, who }));
        }
        self.advance();
    }

    fn rule(
        &mut self,
        who: &Who,
        amendment: AmendmentId,
        accepted: bool,
        why: Option<String>,
    ) -> Result<(), Refusal> {
        let case = &self.case;
        let (proposal, change) =
            case.table.amendment(amendment).ok_or(Refusal::NotOnTable { id: amendment.0 })?;
        if proposal.who != *who {
            return Err(Refusal::NotProposer { who: who.clone(), proposer: proposal.who.clone() });
        }
        if change.accepted.is_some() {
            return Err(Refusal::AlreadyRuled { amendment });
        }
        match case.phase() {
            Some(Phase::Discussing { .. } | Phase::Converging) => (),
            Some(Phase::Gathering | Phase::Proposing | Phase::Voting) | None => {
                return Err(wrong_phase(case, "changes are taken before the vote opens"));
            }
        }
        if accepted && change.version != proposal.version {
            let (written, now) = (change.version, proposal.version);
            return Err(Refusal::StaleAmendment { amendment, written, now });
        }
        let matter = case.id;
        let weighing = case.asks().iter().find(|(_, ask)| ask.who == *who && ask.task == Task::Weigh);
        let weighing = weighing.map(|(id, ask)| (*id, ask.until));
        if let Some((ask, _)) = weighing.filter(|(_, until)| *until <= self.at) {
            return Err(Refusal::AskNotOpen { ask });
        }
        self.put(Event::Table(table::Event::Ruled { accepted, amendment, matter, why }));
        if let Some((ask, _)) = weighing.filter(|_| self.case.table.unruled(who).next().is_none()) {
            self.put(Event::Ask(ask::Event::Met { ask }));
            self.advance();
        }
        Ok(())
    }
}
