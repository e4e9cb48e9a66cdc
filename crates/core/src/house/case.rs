//! A case: everything the house knows of one matter, whatever its procedure. It records events (`record`) and answers
//! questions about itself; what they mean is judged in the flows. What only one procedure has lies in `state`.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::{OrdMap, Vector};

use super::dossier::Dossier;
use super::lens::{Item, Reader};
use super::names::Names;
use crate::ballot::{Count, Delegation, GradeCount, GradedVote, RecordTrust, Rules, Tally, Vote};
use crate::charter::Charter;
use crate::kernel::{
    AskId, At, BallotId, Call, Cause, Choice, Decision, Id, MatterId, ProposalId, Seat, Seq,
    StoredContribution, Who,
};
use crate::matter::{self, Opening, Status};
use crate::meter::Meter;
use crate::procedure::State;
use crate::track::Learned;
use crate::watch::Exit;
use crate::{Ask, Task};

/// One matter in all its parts. Copies are cheap: everything that grows is shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The matter.
    pub id: MatterId,
    /// Its running number in the house: 1 for the first matter, and so on. Set when the opening is recorded.
    pub number: u64,
    /// When it was opened.
    pub opened: At,
    /// When the last thing happened to it.
    pub last: At,
    /// How long it was paused or interrupted, in all.
    pub rested_ms: u64,
    /// Since when it is, if it is.
    pub(super) resting_since: Option<At>,
    /// What was fixed at the opening.
    pub opening: Arc<Opening>,
    /// The rules, settings moved.
    pub charter: Arc<Charter>,
    /// What was used up.
    pub meter: Meter,
    /// Everything that was contributed, in order.
    pub said: Vector<StoredContribution>,
    /// Asks that were not answered, in order.
    pub lapses: Vector<Arc<Lapse>>,
    /// Votes held, in order.
    pub ballots: Vec<Arc<Ballot>>,
    /// What calls took, by ask, with the ask as it was.
    pub calls: OrdMap<AskId, (Ask, Arc<Call>)>,
    /// Seats that are not called any more.
    pub absent: BTreeMap<Who, Cause>,
    /// The act that settled it.
    pub settled_by: Option<Seq>,
    /// What it rests for, if something cannot be used as things are.
    pub halt: Option<Arc<matter::Halt>>,
    /// What it has before it besides what was said.
    pub dossier: Arc<Dossier>,
    /// What participants are called, and what is hidden.
    pub names: Arc<Names>,
    /// Why stages of speech ended.
    pub stage_exits: Vec<(usize, Exit)>,
    /// What became known later of who was right.
    pub learned: Option<Arc<Learned>>,
    /// The last act that redacted it.
    pub redacted_by: Option<Seq>,
    /// What its procedure knows besides.
    pub state: State,
    /// The acts that it is made of, in order: those with events about it.
    pub(super) acts: Vector<Seq>,
    pub(super) as_settled: Option<Arc<Case>>,
    pub(super) status: Status,
    pub(super) asks: OrdMap<AskId, Ask>,
    pub(crate) round: u32,
    pub(crate) round_closed: bool,
    /// By the order in which they were called: copies share all but the last few.
    pub(super) called: OrdMap<u32, Who>,
    pub(super) strikes: BTreeMap<Who, u64>,
}

/// An ask that was not answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lapse {
    /// The ask.
    pub ask: AskId,
    /// Who was asked.
    pub who: Who,
    /// For what.
    pub task: Task,
    /// Why there is no answer.
    pub cause: Cause,
}

/// A vote on a matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ballot {
    /// Its id.
    pub id: BallotId,
    /// The stage it belongs to.
    pub stage: usize,
    /// The rule it is judged by.
    pub rule: Rules,
    /// The seats it is a vote of.
    pub seats: Arc<[Who]>,
    /// What their records are worth, where votes are weighed by them.
    pub trust: Option<RecordTrust>,
    /// Votes, in the order they came.
    pub votes: Vec<Arc<Vote>>,
    /// Votes that were passed on, in the order they came.
    pub delegations: Vec<Arc<Delegation>>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// The result, once it is closed.
    pub result: Option<(Tally, Decision)>,
    /// Whether that result is the matter's. A vote below its bar for an early end settles nothing.
    pub settles: bool,
    /// What was counted besides the tally.
    pub count: Option<Arc<Count>>,
    /// Votes in five grades, in the order they came; a changed one stands beside the one it replaces.
    pub graded: Vec<Arc<GradedVote>>,
    /// What the grades came to for each proposal.
    pub standings: Vec<GradeCount>,
    /// Proposals that shared the first place.
    pub tied: Vec<ProposalId>,
}

impl Ballot {
    /// The last vote of a voter on a proposal.
    pub fn has_voted(&self, who: &Who) -> bool {
        self.votes.iter().any(|vote| vote.who == *who)
    }

    /// The last vote of somebody on a proposal.
    pub fn graded_by(&self, who: &Who, proposal: ProposalId) -> Option<&GradedVote> {
        let own = |vote: &&Arc<GradedVote>| vote.who == *who && vote.proposal == proposal;
        self.graded.iter().rev().find(own).map(|vote| &**vote)
    }

    /// The votes that count for a proposal: the last of each voter.
    pub fn last_grades(&self, proposal: ProposalId) -> impl Iterator<Item = &GradedVote> {
        let on = self.graded.iter().filter(move |vote| vote.proposal == proposal);
        on.map(|vote| &**vote).filter(move |vote| {
            self.graded_by(&vote.who, proposal).is_some_and(|last| std::ptr::eq(last, *vote))
        })
    }
}

impl Case {
    /// A matter as it begins. One that branches off from `origin` shares its first rounds.
    pub(super) fn open(
        id: MatterId,
        at: At,
        opening: Arc<Opening>,
        charter: Arc<Charter>,
        origin: Option<&Case>,
    ) -> Self {
        let state = State::open(&opening, &charter);
        let dossier = Dossier { perspectives: opening.perspectives.clone(), ..Dossier::default() };
        let mut case = Self {
            names: Arc::new(Names::of(id, &opening, charter.hides_names(), origin)),
            dossier: Arc::new(dossier),
            stage_exits: Vec::new(),
            round_closed: false,
            id,
            number: 0,
            opened: at,
            last: at,
            rested_ms: 0,
            resting_since: None,
            opening,
            charter,
            meter: Meter::default(),
            said: Vector::new(),
            lapses: Vector::new(),
            ballots: Vec::new(),
            calls: OrdMap::new(),
            absent: BTreeMap::new(),
            settled_by: None,
            redacted_by: None,
            learned: None,
            acts: Vector::unit(id.0.act),
            as_settled: None,
            state,
            halt: None,
            status: Status::Running,
            asks: OrdMap::new(),
            round: 0,
            called: OrdMap::new(),
            strikes: BTreeMap::new(),
        };
        if let (Some(origin), Some(forked)) = (origin, case.opening.forked) {
            case.share(origin, forked.round);
        }
        case
    }

    /// The matter as the act left it that settled it, whatever happened to it since; as it is while it is open.
    /// Of its words it knows no more than the matter itself does.
    pub fn as_settled(&self) -> &Self {
        self.as_settled.as_deref().unwrap_or(self)
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How it ended, once it has.
    pub fn decision(&self) -> Option<Decision> {
        match self.status {
            Status::Settled(decision) => Some(decision),
            Status::Running | Status::Paused(_) => None,
        }
    }

    /// Open asks, also while it rests.
    pub fn asks(&self) -> &OrdMap<AskId, Ask> {
        &self.asks
    }

    /// The present round, counted from 1 through the whole matter; 0 before the first.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Who was called in the present round or ballot.
    pub fn called(&self) -> impl Iterator<Item = &Who> + Clone {
        self.called.iter().map(|(_, who)| who)
    }

    /// How many they are.
    pub fn called_so_far(&self) -> usize {
        self.called.len()
    }

    /// Notes that somebody was called.
    pub(super) fn was_called(&mut self, who: &Who) {
        self.called.insert(self.called.len() as u32, who.clone());
    }

    /// Lapses in a row of a seat.
    pub fn strikes(&self, who: &Who) -> u64 {
        self.strikes.get(who).copied().unwrap_or(0)
    }

    /// The seat of a participant.
    pub fn seat(&self, who: &Who) -> Option<&Seat> {
        self.opening.seats.iter().find(|seat| seat.who == *who)
    }

    /// Whoever serves in the matter: a seat, a judge or the scribe.
    pub fn participant(&self, who: &Who) -> Option<&Seat> {
        let opening = &self.opening;
        let clerks = || opening.judges.iter().chain(&opening.scribe).find(|seat| seat.who == *who);
        self.seat(who).or_else(clerks)
    }

    /// The place of a seat at the table, counted from 0.
    pub fn place(&self, who: &Who) -> Option<usize> {
        self.opening.seats.iter().position(|seat| seat.who == *who)
    }

    /// Whether the present round is over and what follows it is not decided.
    pub(crate) fn round_closed(&self) -> bool {
        self.round_closed
    }

    /// Whether asks are performed: while it runs, and for clerks also when it is over or between rounds.
    pub fn is_live(&self) -> bool {
        match self.status {
            Status::Running | Status::Settled(_) => true,
            Status::Paused(matter::Pause::NeedsContext | matter::Pause::BetweenRounds) => true,
            Status::Paused(
                matter::Pause::Operator | matter::Pause::Interrupted | matter::Pause::Unusable,
            ) => false,
            Status::Paused(matter::Pause::Listed) => false,
        }
    }

    /// Where each seat stood last before a round: by its latest statement or vote, whichever came later.
    /// Votes of a ballot that is still open, or secret, are nobody's business.
    pub fn standing(&self, before: u32) -> BTreeMap<&Who, Choice> {
        let mut standing: BTreeMap<&Who, (Id, Choice)> = BTreeMap::new();
        // What one seat said lies in the order it was asked, so that its last word is the first one from behind.
        for (who, at, choice) in self.spoken(before).rev() {
            standing.entry(who).or_insert((at, choice));
        }
        for (who, at, choice) in self.voted() {
            match standing.get(who) {
                Some((later, _)) if *later > at => (),
                Some(_) | None => drop(standing.insert(who, (at, choice))),
            }
        }
        // In a branch those who spoke before and have no seat here stand nowhere.
        let branch = self.opening.forked.is_some();
        let seated = standing.into_iter().filter(|(who, _)| !branch || self.seat(who).is_some());
        seated.map(|(who, (_, choice))| (who, choice)).collect()
    }

    /// Where one seat stood last before a round. Asked of every statement, so the others are not looked at.
    pub fn stood(&self, who: &Who, before: u32) -> Option<Choice> {
        let spoke = self.spoken(before).rev().find(|(of, ..)| *of == who);
        let voted = self.voted().filter(|(of, ..)| *of == who);
        spoke.into_iter().chain(voted).max_by_key(|(_, at, _)| *at).map(|(.., choice)| choice)
    }

    fn spoken(&self, before: u32) -> impl DoubleEndedIterator<Item = (&Who, Id, Choice)> {
        // A side that was ordered is nobody's stance.
        let said = self.said.iter().filter(move |said| said.round < before && said.ordered.is_none());
        let said = said.filter(|said| self.is_by_its_seat(&said.who, said.ask.0));
        said.filter_map(|said| Some((&said.who, said.ask.0, said.response.stance?)))
    }

    fn voted(&self) -> impl Iterator<Item = (&Who, Id, Choice)> {
        let shown = |ballot: &&Arc<Ballot>| {
            ballot.result.is_some() && self.may_see(Reader::Public, Item::Votes(ballot))
        };
        let closed = self.ballots.iter().filter(shown);
        let votes =
            closed.flat_map(|ballot| ballot.votes.iter().map(|vote| (&vote.who, ballot.id.0, vote.choice)));
        votes.filter(|(who, at, _)| self.is_by_its_seat(who, *at))
    }

    /// Whether something that bears the name of a seat is by the seat of that name here, and not by another mind before a
    /// branch began.
    pub(crate) fn is_by_its_seat(&self, who: &Who, at: Id) -> bool {
        at > self.id.0 || !self.opening.replaced.contains(who)
    }

    /// How many turns of a round lapsed.
    pub(crate) fn lapsed_in(&self, round: u32) -> u32 {
        // Lapses of a round stand together at the end while it is the present one.
        let of_round = |lapse: &&Arc<Lapse>| lapse.task == Task::Speak { round };
        self.lapses.iter().filter(of_round).count() as u32
    }

    /// The same where `before` was it and nothing happened since but that asks were closed: most are closed while others
    /// stay open for as long, and the first of these tells.
    pub(super) fn next_deadline_after(&self, before: Option<At>) -> Option<At> {
        let stands = before.is_some_and(|before| self.asks.values().any(|ask| ask.until == before));
        if stands { before } else { self.next_deadline() }
    }

    /// When something lapses next.
    pub fn next_deadline(&self) -> Option<At> {
        let limit = self.time_limit().filter(|_| self.status == Status::Running);
        self.asks.values().map(|ask| ask.until).chain(limit).min()
    }

    /// When the time allowed for the matter ends. It does not run while the matter is paused or nobody runs the house.
    pub fn time_limit(&self) -> Option<At> {
        self.meter.limits().time_ms.map(|ms| self.opened.plus(ms).plus(self.rested_ms))
    }
}
