//! A case: everything the house knows of one matter. It records events and answers questions about
//! itself; what they mean is judged in the flows.

mod forget;
mod record;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ballot::{
    Count, Delegation, GradeCount, GradedVote, Method, Rules, Secrecy, Tally, Trust, Vote, Weights,
};
use crate::brief::{Asked, Form, Marking};
use crate::charter::{Charter, Phase, Stage, StageKind};
use crate::kernel::{
    AskId, At, BallotId, Call, Cause, Choice, Contribution, Decision, Id, MatterId, Perspective, ProposalId,
    Repair, Seat, Seq, Who,
};
use crate::matter::{self, Opening, Status};
use crate::meter::Meter;
use crate::table::Table;
use crate::track::Learned;
use crate::watch::{Analysis, Exit, Opinion};
use crate::{Ask, Task};

use super::dossier::Dossier;
use super::names::Names;
use super::ring::Member;

/// One matter in all its parts. Copies are cheap: what was said is shared.
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
    /// What was fixed at the opening.
    pub opening: Arc<Opening>,
    /// The rules, knobs moved.
    pub charter: Arc<Charter>,
    /// What answers look like.
    pub forms: Forms,
    /// What was used up.
    pub meter: Meter,
    /// Admitted contributions, in order.
    pub said: Vec<Arc<Contribution>>,
    /// Asks that were not answered, in order.
    pub lapses: Vec<Arc<Lapse>>,
    /// Votes held, in order.
    pub ballots: Vec<Ballot>,
    /// What calls took, by ask, with the ask as it was.
    pub calls: BTreeMap<AskId, (Ask, Arc<Call>)>,
    /// Seats that are not called any more.
    pub absent: BTreeMap<Who, Cause>,
    /// What participants of a ring put forward.
    pub table: Table,
    /// Those who take part in a ring no longer.
    pub gone: BTreeMap<Who, Cause>,
    /// The act that settled it.
    pub settled_by: Option<Seq>,
    /// What it has before it besides what was said.
    pub dossier: Dossier,
    /// What participants are called, and what is hidden.
    pub names: Arc<Names>,
    /// What was found in each round.
    pub analyses: BTreeMap<u32, Arc<Analysis>>,
    /// What judges found: round, judge, reading.
    pub opinions: Vec<(u32, Who, Arc<Opinion>)>,
    /// What had to be mended to read what clerks said.
    pub mended: Vec<(Who, Task, Vec<Repair>)>,
    /// Why stages of speech ended.
    pub left: Vec<(usize, Exit)>,
    /// What became known later of who was right.
    pub learned: Option<Arc<Learned>>,
    /// The last act that redacted it.
    pub redacted_by: Option<Seq>,
    as_settled: Option<Box<Case>>,
    /// What the stages of rounds were called that it shares with another matter, whose charter may differ.
    pub lent: BTreeMap<u32, String>,
    pub(super) members: Vec<Member>,
    /// Turns skipped in a row.
    pub(super) skips: BTreeMap<Who, u32>,
    /// What was put down in turns that are open.
    pub(super) put: BTreeMap<AskId, u32>,
    status: Status,
    stepwise: bool,
    entered: bool,
    round_closed: bool,
    panel: Option<u32>,
    asks: BTreeMap<AskId, Ask>,
    stage: usize,
    round: u32,
    rounds_in_stage: u64,
    called: Vec<Who>,
    strikes: BTreeMap<Who, u64>,
}

/// The forms of the answers a matter asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    /// A statement in round one.
    pub first: Arc<Form>,
    /// A statement later.
    pub later: Arc<Form>,
    /// The same, in a round after which nothing more can be asked for.
    pub last: [Arc<Form>; 2],
    /// A vote.
    pub vote: Arc<Form>,
}

impl Forms {
    fn of(charter: &Charter, options: usize) -> Self {
        let first = Arc::new(Form::speech(options, &charter.brief.first));
        let later = Arc::new(Form::speech(options, &charter.brief.later));
        let last = [Arc::new(first.without_requests()), Arc::new(later.without_requests())];
        let vote = Arc::new(Form::vote(options, asked(&charter.ballot)));
        Self { first, later, last, vote }
    }

    /// The form of a statement in that round.
    pub fn speech(&self, round: u32, last: bool) -> &Arc<Form> {
        match (round, last) {
            (1, true) => &self.last[0],
            (_, true) => &self.last[1],
            (1, false) => &self.first,
            (_, false) => &self.later,
        }
    }
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
    pub seats: Vec<Who>,
    /// What their records are worth, where votes are weighed by them.
    pub trust: Option<Trust>,
    /// Votes, in the order they came.
    pub votes: Vec<Arc<Vote>>,
    /// Votes that were passed on, in the order they came.
    pub delegations: Vec<Arc<Delegation>>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// The result, once it is closed.
    pub result: Option<(Tally, Decision)>,
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

/// What a vote under these rules is asked to look like.
pub fn asked(rule: &Rules) -> Asked {
    Asked {
        argued: rule.change_needs_argument,
        delegation: rule.delegation,
        marking: match rule.method {
            Method::Plurality => Marking::One,
            Method::Borda | Method::Schulze | Method::InstantRunoff => Marking::Ranking,
            Method::Approval => Marking::Approval,
            Method::Score => Marking::Scores,
        },
        weighed: match rule.weights {
            Weights::Equal | Weights::Reliability => false,
            Weights::Confidence => true,
        },
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
        let forms = Forms::of(&charter, opening.question.options.len());
        let names = Arc::new(Names::of(id, &opening, charter.lens.anonymize, origin));
        let mut case = Self {
            dossier: Dossier { perspectives: opening.perspectives.clone(), ..Dossier::default() },
            names,
            analyses: BTreeMap::new(),
            opinions: Vec::new(),
            mended: Vec::new(),
            left: Vec::new(),
            stepwise: opening.stepwise,
            entered: false,
            round_closed: false,
            panel: None,
            forms,
            id,
            number: 0,
            opened: at,
            last: at,
            opening,
            charter,
            meter: Meter::default(),
            said: Vec::new(),
            lapses: Vec::new(),
            ballots: Vec::new(),
            calls: BTreeMap::new(),
            absent: BTreeMap::new(),
            table: Table::default(),
            gone: BTreeMap::new(),
            members: Vec::new(),
            skips: BTreeMap::new(),
            put: BTreeMap::new(),
            settled_by: None,
            redacted_by: None,
            learned: None,
            as_settled: None,
            lent: BTreeMap::new(),
            status: Status::Running,
            asks: BTreeMap::new(),
            stage: 0,
            round: 0,
            rounds_in_stage: 0,
            called: Vec::new(),
            strikes: BTreeMap::new(),
        };
        if let (Some(origin), Some(forked)) = (origin, case.opening.forked) {
            case.share(origin, forked.round);
        }
        case
    }

    /// Takes over what another matter had when a round of it was over.
    fn share(&mut self, origin: &Case, round: u32) {
        let shared = |said: &&Arc<Contribution>| said.round <= round;
        self.said = origin.said.iter().filter(shared).cloned().collect();
        let named =
            self.said.iter().filter_map(|said| Some((said.round, origin.stage_of(said)?.to_string())));
        self.lent = named.collect();
        // What came after the round is what its successor began with, or later.
        let after = origin.said.iter().filter(|said| said.round > round).map(|said| said.ask.0).min();
        let earlier = |id: Id| after.is_none_or(|after| id < after);
        let perspectives = std::mem::take(&mut self.dossier.perspectives);
        self.dossier = Dossier { perspectives, ..origin.dossier.before(earlier) };
        self.analyses = origin.analyses.range(..=round).map(|(at, found)| (*at, found.clone())).collect();
        self.opinions = origin.opinions.iter().filter(|(at, ..)| *at <= round).cloned().collect();
        self.round = round;
        self.round_closed = true;
        if origin.opening.charter == self.opening.charter {
            let of_round = |said: &&Arc<Contribution>| said.round == round;
            self.stage = self.said.iter().find(of_round).map_or(0, |said| usize::from(said.stage));
            let stage = self.stage;
            let mut rounds: Vec<u32> = Vec::new();
            rounds.extend(
                self.said.iter().filter(|said| usize::from(said.stage) == stage).map(|said| said.round),
            );
            rounds.dedup();
            self.rounds_in_stage = rounds.len() as u64;
            self.entered = true;
            let held = |ballot: &&Ballot| ballot.stage < stage && ballot.result.is_some();
            self.ballots = origin.ballots.iter().filter(held).cloned().collect();
            if origin.opening.seats == self.opening.seats {
                self.panel = origin.panel;
            }
        }
    }

    /// What the stage was called in which something was said.
    pub fn stage_of(&self, said: &Contribution) -> Option<&str> {
        let own = || self.charter.stages.get(usize::from(said.stage)).map(|stage| stage.name.as_str());
        self.lent.get(&said.round).map(String::as_str).or_else(own)
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Open asks, also while it rests.
    pub fn asks(&self) -> &BTreeMap<AskId, Ask> {
        &self.asks
    }

    /// The present stage.
    pub fn stage(&self) -> &Stage {
        &self.charter.stages[self.stage]
    }

    /// The present stage's place.
    pub fn stage_index(&self) -> usize {
        self.stage
    }

    /// The present round, counted from 1 through the whole matter; 0 before the first.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Rounds opened in the present stage.
    pub fn rounds_in_stage(&self) -> u64 {
        self.rounds_in_stage
    }

    /// Who was called in the present round or ballot.
    pub fn called(&self) -> &[Who] {
        &self.called
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

    /// How many seats are asked at all: the panel where there is one, else all.
    pub fn in_play(&self) -> usize {
        let seats = self.opening.seats.len();
        self.panel.map_or(seats, |panel| seats.min(panel as usize))
    }

    /// The size of the panel, where not all seats are asked.
    pub fn panel(&self) -> Option<u32> {
        self.panel
    }

    /// Seats that may still be called, in their order, each with its place.
    pub fn present(&self) -> Vec<(usize, Who)> {
        let seats = self.opening.seats.iter().take(self.in_play()).enumerate();
        let present = seats.filter(|(_, seat)| !self.absent.contains_key(&seat.who));
        present.map(|(place, seat)| (place, seat.who.clone())).collect()
    }

    /// The role of a seat, where the charter gives roles.
    pub fn role(&self, who: &Who) -> Option<&crate::roster::Role> {
        let roles = self.charter.roles.as_ref()?;
        roles.of(self.place(who)?, self.opening.seats.len())
    }

    /// The side a seat is ordered to take in debate.
    pub fn ordered(&self, who: &Who) -> Option<Choice> {
        self.role(who)?.expects
    }

    /// The field a seat speaks for.
    pub fn perspective(&self, who: &Who) -> Option<&Perspective> {
        let place = self.place(who)?.checked_rem(self.dossier.perspectives.len())?;
        self.dossier.perspectives.get(place)
    }

    /// The last round there can be.
    pub fn last_round(&self) -> u32 {
        let rounds = |stage: &Stage| match &stage.kind {
            StageKind::Speak(speak) => speak.rounds.is,
            StageKind::Ring(Phase::Discussing { rounds }) => rounds.is,
            StageKind::Vote { .. } | StageKind::Ring(_) => 0,
        };
        let here = rounds(self.stage()).saturating_sub(self.rounds_in_stage);
        let later = self.charter.stages[self.stage + 1..].iter().map(rounds).sum::<u64>();
        self.round.saturating_add((here + later).min(u64::from(u32::MAX)) as u32)
    }

    /// Whether a stage has been entered; before, only clerks are at work.
    pub(super) fn entered(&self) -> bool {
        self.entered
    }

    /// Whether the present round is over and what follows it is not decided.
    pub(super) fn round_closed(&self) -> bool {
        self.round_closed
    }

    /// Whether it rests before each round.
    pub fn stepwise(&self) -> bool {
        self.stepwise
    }

    /// Whether asks are performed: while it runs, and for clerks also when it is over or between rounds.
    pub fn is_live(&self) -> bool {
        match self.status {
            Status::Running | Status::Settled(_) => true,
            Status::Paused(matter::Pause::NeedsContext | matter::Pause::BetweenRounds) => true,
            Status::Paused(matter::Pause::Operator | matter::Pause::Interrupted) => false,
        }
    }

    /// Whether nobody may be shown who voted how. A ballot that was never counted was never closed.
    pub fn hides(&self, ballot: &Ballot) -> bool {
        match ballot.rule.secrecy {
            Secrecy::Open => false,
            Secrecy::UntilClosed => ballot.result.is_none(),
            Secrecy::Secret => true,
        }
    }

    /// Where each seat stood last before a round: by its latest statement or vote, whichever came later.
    /// Votes of a ballot that is still open, or secret, are nobody's business.
    pub fn standing(&self, before: u32) -> BTreeMap<&Who, Choice> {
        let mut standing: BTreeMap<&Who, (Id, Choice)> = BTreeMap::new();
        for (who, at, choice) in self.stands(before) {
            match standing.get(who) {
                Some((later, _)) if *later > at => (),
                Some(_) | None => drop(standing.insert(who, (at, choice))),
            }
        }
        // In a branch those who spoke before and have no seat here stand nowhere.
        let seated = standing.into_iter().filter(|(who, _)| self.seat(who).is_some());
        seated.map(|(who, (_, choice))| (who, choice)).collect()
    }

    /// Where one seat stood last before a round. Asked of every statement, so the others are not looked at.
    pub fn stood(&self, who: &Who, before: u32) -> Option<Choice> {
        let own = self.stands(before).filter(|(of, ..)| *of == who);
        own.max_by_key(|(_, at, _)| *at).map(|(.., choice)| choice)
    }

    /// Every side taken before a round, with who took it and when.
    fn stands(&self, before: u32) -> impl Iterator<Item = (&Who, Id, Choice)> {
        // A side that was ordered is nobody's stance.
        let said = self.said.iter().filter(move |said| said.round < before && said.ordered.is_none());
        let said = said.filter_map(|said| Some((&said.who, said.ask.0, said.response.stance?)));
        let closed = self.ballots.iter().filter(|ballot| ballot.result.is_some() && !self.hides(ballot));
        let voted =
            closed.flat_map(|ballot| ballot.votes.iter().map(|vote| (&vote.who, ballot.id.0, vote.choice)));
        said.chain(voted)
    }

    /// When something lapses next.
    pub fn next_deadline(&self) -> Option<At> {
        let limit = self.time_limit().filter(|_| self.status == Status::Running);
        self.asks.values().map(|ask| ask.until).chain(limit).min()
    }

    /// When the time allowed for the matter ends.
    pub fn time_limit(&self) -> Option<At> {
        self.meter.limits().time_ms.map(|ms| self.opened.plus(ms))
    }

    /// Whether somebody owes what is asked: seats owe their statements and votes, clerks their chores. A seat
    /// that was asked a favour besides, and fails, keeps its place.
    pub(super) fn is_due(&self, who: &Who, task: Task) -> bool {
        match task {
            Task::Speak { .. } => true,
            // In a ring a turn that is let pass is a strike, a vote or an invitation is not.
            Task::Vote { .. } => self.charter.ring.is_none(),
            Task::Join | Task::Propose | Task::Weigh => false,
            Task::Clerk(_) => self.seat(who).is_none(),
        }
    }

    /// The speaking settings of the present stage.
    pub(super) fn speaking(&self) -> Option<&crate::charter::Speak> {
        match &self.stage().kind {
            StageKind::Speak(speak) => Some(speak),
            StageKind::Vote { .. } | StageKind::Ring(_) => None,
        }
    }
}
