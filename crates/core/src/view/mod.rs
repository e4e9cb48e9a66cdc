//! Views: what people and programs are shown of a matter. Derived, never stored; nothing here judges.

mod answer;
mod compare;
mod headline;
mod outcome;
mod proof;
mod receipt;
mod round;
mod secret;
mod sources;
mod thoughts;
mod voters;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

pub use answer::{Action, Advice, Answer, Counted, Reading, Whole};
pub use compare::{Beside, Comparison, Side, Stood, Support};
pub use outcome::Outcome;
pub use proof::{Proof, prove};
pub use receipt::{ReceiptBody, receipt};
pub use round::RoundReport;
pub use secret::{SealedVote, shown_act};
pub use sources::{Cited, Judged, Marked, RefusedRow, RequestRow};
pub use thoughts::{Did, Thoughts, Turn};
pub use voters::Voters;

pub use crate::procedure::ring::{
    AmendmentRow, Holder, MemberRow, ProposalRow, ReactionRow, ResultRow, Session, SpeechRow, TurnSheet,
    VoteRow,
};

use crate::ask::Chore;
use crate::ballot::{self, Basis, Count, Delegation, Line, Method, Rules, Tally, Trust, Weights};
use crate::context::{Material, Synthesis};
use crate::house::{Ballot, Case, Item, Lapse, Reader, Summary};
use crate::kernel::{
    AskId, At, Attempt, Call, Cause, Choice, Contribution, Decision, Marks, MatterId, Permille, Repair, Seat,
    SettingValue, Who,
};
use crate::matter::{Forked, Pause, Pinned, Question, Status};
use crate::meter::{Limits, Total};
use crate::procedure::council::polled;
use crate::watch::{Analysis, Exit, Level, Share};
use crate::{Ask, Task};

/// Everything about one matter that a person or a script may want to know.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Its id.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// What was asked.
    pub question: Question,
    /// `running`, `waiting`, `needs_context`, `paused`, `interrupted`, `passed`, `failed`, `undecided` or `contested`.
    pub status: &'static str,
    /// How it ended, once it has.
    pub decision: Option<Decision>,
    /// The result in one line, with what degrades it.
    pub headline: String,
    /// What a reader must know before trusting the result. Empty for a result without blemish.
    pub caveats: Vec<String>,
    /// What to do with it.
    pub advice: Advice,
    /// How far the seats agree, as counted; none if not known.
    pub agreement: Option<Share>,
    /// Where that was counted.
    pub agreement_by: Option<Counted>,
    /// The same in a word.
    pub level: Level,
    /// The charter in force.
    pub charter: Pinned,
    /// The kind of motion it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Where it branched off from another matter.
    pub forked: Option<Forked>,
    /// Settings that were moved.
    pub moved: BTreeMap<String, SettingValue>,
    /// When it was opened.
    pub opened: At,
    /// When the last thing happened to it.
    pub last: At,
    /// The votes held, in order; the last decides.
    pub ballots: Vec<BallotReport>,
    /// Who took part.
    pub seats: Vec<SeatReport>,
    /// Seats that were kept in reserve and not asked.
    pub reserve: Vec<Who>,
    /// Who served without a vote: judges, then the scribe.
    pub clerks: Vec<Seat>,
    /// How many independent voters those who were asked come to, where they share models.
    pub voters: Option<Voters>,
    /// Those the result went against, in their own words; every voter if there is no result.
    pub dissent: Vec<Dissent>,
    /// Asks without an answer.
    pub missing: Vec<Missing>,
    /// What clerks were asked for and did not give.
    pub unserved: Vec<Missing>,
    /// Answers that had to be mended.
    pub repaired: Vec<Repaired>,
    /// Calls that were tried more than once.
    pub retried: Vec<Retried>,
    /// Rounds, with what was said and found.
    pub rounds: Vec<Round>,
    /// Why each stage of speech ended.
    pub exits: Vec<(String, Exit)>,
    /// Rules of the charter that were broken, in statements and votes.
    pub marked: Vec<Marked>,
    /// Sources named, each once.
    pub citations: Vec<Cited>,
    /// What was asked of the operator.
    pub requests: Vec<RequestRow>,
    /// Requests that do not stand.
    pub refused_requests: Vec<RefusedRow>,
    /// What the operator put before the council.
    pub material: Vec<Material>,
    /// What clerks made of it. No decision.
    pub syntheses: Vec<(Who, Synthesis)>,
    /// What calls took.
    pub spent: Total,
    /// What calls with an unknown end may have taken besides.
    pub lost: Total,
    /// The most it might use up.
    pub limits: Limits,
    /// Its words were taken out of the record.
    pub redacted: bool,
    /// What became known later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The ring, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ring: Option<Session>,
}

/// One vote held.
#[derive(Debug, Clone, Serialize)]
pub struct BallotReport {
    /// The charter's name for it.
    pub stage: String,
    /// The rule it is judged by.
    pub rule: Rules,
    /// The count, once it is closed.
    pub tally: Option<Tally>,
    /// What the rule makes of the count.
    pub decision: Option<Decision>,
    /// What leads, and on every basis its share and the thresholds it would pass.
    pub leading: Option<Choice>,
    /// The bases.
    pub bases: Vec<Line>,
    /// Votes that what leads would have needed, the others unchanged.
    pub needed: Option<u32>,
    /// The fewest ballots that would have changed the result.
    pub margin: Option<u32>,
    /// There may be fewer: not every way of voting was looked at.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub margin_bound: bool,
    /// What was counted besides the tally: the order of options, weights, carried and lost votes, vetoes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// The votes; none where they are not to be shown.
    pub votes: Vec<ballot::Vote>,
    /// Votes that were passed on; none where votes are not to be shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub delegations: Vec<Delegation>,
    /// Who voted how is not to be shown, now or for good.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// What stands for the votes where they are not open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<SealedVote>,
    /// What records were worth when it opened, where votes are weighed by them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// How many independent voters those who voted come to, where they share models.
    pub voters: Option<Voters>,
}

/// One seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatReport {
    /// The seat.
    #[serde(flatten)]
    pub seat: Seat,
    /// The role it played.
    pub role: Option<String>,
    /// The side it was ordered to take in debate; what it said there is not its free opinion.
    pub ordered: Option<Choice>,
    /// The field it spoke for.
    pub perspective: Option<String>,
    /// Models that answered for it, as providers named them.
    pub answered_by: Vec<String>,
    /// Statements admitted.
    pub statements: usize,
    /// Its last vote.
    pub vote: Option<Choice>,
    /// What stood on it, where ballots ask for more than one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// It voted, and how is not to be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Why it is not called any more.
    pub absent: Option<Cause>,
}

/// A vote against the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dissent {
    /// Who.
    pub who: Who,
    /// Their vote.
    pub choice: Choice,
    /// What stood on it, where ballots ask for more than one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// Why, verbatim.
    pub reason: Option<String>,
    /// What would change their vote, verbatim.
    pub change_if: Option<String>,
    /// How sure.
    pub confidence: Option<Permille>,
}

/// An ask without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Who was asked.
    pub who: Who,
    /// For what, such as `round 1` or `first-vote`.
    pub what: String,
    /// Why there is none.
    pub cause: Cause,
}

/// An answer that had to be mended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Repaired {
    /// Whose.
    pub who: Who,
    /// For what it was.
    pub what: String,
    /// What was done.
    pub repairs: Vec<Repair>,
}

/// A call that was tried more than once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Retried {
    /// For whom.
    pub who: Who,
    /// For what it was.
    pub what: String,
    /// The tries that failed.
    pub tries: Vec<Attempt>,
}

/// One round of speech.
#[derive(Debug, Clone, Serialize)]
pub struct Round {
    /// Counted from 1 through the whole matter.
    pub round: u32,
    /// The charter's name for its stage.
    pub stage: String,
    /// What was said.
    pub said: Vec<Contribution>,
    /// What the operator asked it to turn to.
    pub focus: Option<String>,
    /// What was counted in it.
    pub analysis: Option<Analysis>,
    /// What judges made of it.
    pub judged: Vec<Judged>,
    /// Judges whose reading failed and may be asked for again.
    pub pending: Vec<Missing>,
    /// The least and the most of all readings of agreement, counted and judged.
    pub spread: Option<(Permille, Permille)>,
}

impl Round {
    fn empty(round: u32, stage: Option<&str>) -> Self {
        Self {
            round,
            stage: stage.unwrap_or_default().into(),
            said: Vec::new(),
            focus: None,
            analysis: None,
            judged: Vec::new(),
            pending: Vec::new(),
            spread: None,
        }
    }
}

impl Report {
    /// Reads a matter.
    pub fn of(case: &Case) -> Self {
        let decision = match case.status() {
            Status::Settled(decision) => Some(decision),
            Status::Running | Status::Paused(_) => None,
        };
        let mut report = Self {
            matter: case.id,
            number: case.number,
            question: case.opening.question.clone(),
            status: case.status().word(),
            decision,
            headline: String::new(),
            caveats: Vec::new(),
            advice: Advice { action: Action::QueryDetail, why: String::new() },
            agreement: None,
            agreement_by: None,
            level: Level::Unknown,
            charter: case.opening.charter.clone(),
            motion: case.opening.motion.clone(),
            forked: case.opening.forked,
            moved: case.opening.moved.clone(),
            opened: case.opened,
            last: case.last,
            ballots: case.ballots.iter().map(|ballot| held(case, ballot)).collect(),
            seats: case.opening.seats.iter().map(|seat| seated(case, seat)).collect(),
            reserve: case.opening.seats[case.in_play()..].iter().map(|seat| seat.who.clone()).collect(),
            clerks: case.opening.judges.iter().chain(&case.opening.scribe).cloned().collect(),
            voters: None,
            dissent: dissent(case, decision),
            missing: missing(case, false),
            unserved: missing(case, true),
            repaired: repaired(case),
            retried: retried(case),
            rounds: rounds(case),
            exits: exits(case),
            marked: sources::marked(case),
            citations: sources::citations(case),
            requests: sources::requests(case),
            refused_requests: sources::refused(case),
            material: case.dossier.material.values().cloned().collect(),
            syntheses: case.dossier.syntheses.clone(),
            spent: case.meter.spent(),
            lost: case.meter.lost(),
            limits: *case.meter.limits(),
            redacted: case.redacted_by.is_some(),
            outcome: Outcome::of(case),
            ring: Session::of(case),
        };
        report.voters = Voters::of(report.asked());
        for ballot in &mut report.ballots {
            let voted = |row: &&SeatReport| ballot.votes.iter().any(|vote| vote.who == row.seat.who);
            ballot.voters = Voters::of(report.seats.iter().filter(voted));
        }
        (report.agreement, report.agreement_by) = answer::agreement(&report).unzip();
        report.level = Level::of(report.agreement);
        report.caveats = headline::caveats(&report);
        report.advice = answer::advice(&report);
        report.headline = headline::headline(&report);
        // Last, since counts of what is hidden are no secret.
        secret::hide(case, &mut report);
        report
    }

    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = stands(self.status, held);
        self.headline = headline::headline(&self);
        self
    }

    /// The vote that decided, or the last one held.
    pub fn deciding(&self) -> Option<&BallotReport> {
        self.ballots.last()
    }

    /// The seats that were not kept in reserve.
    pub fn asked(&self) -> impl Iterator<Item = &SeatReport> {
        self.seats.iter().filter(|row| !self.reserve.contains(&row.seat.who))
    }

    /// The text of an option.
    pub fn option(&self, index: u8) -> &str {
        self.question.options.get(usize::from(index)).map_or("", String::as_str)
    }
}

/// Where a matter stands in truth. One that the journal calls running runs only while somebody holds its
/// house: who was killed could not write that down.
fn stands(status: &'static str, held: bool) -> &'static str {
    let left = status == Status::Running.word() && !held;
    if left { Status::Paused(Pause::Interrupted).word() } else { status }
}

fn held(case: &Case, ballot: &Ballot) -> BallotReport {
    let tally = ballot.result.as_ref().map(|(tally, _)| tally.clone());
    let needed = |tally: &Tally| {
        let whole = tally.whole(ballot.rule.basis);
        (0..=whole).find(|votes| ballot.rule.pass.is_met_by(*votes, whole))
    };
    let mut report = BallotReport {
        stage: case.ballot_name(ballot).into(),
        rule: ballot.rule.clone(),
        decision: ballot.result.as_ref().map(|(_, decision)| *decision),
        leading: None,
        bases: Vec::new(),
        needed: None,
        margin: None,
        margin_bound: false,
        count: ballot.count.as_deref().cloned(),
        votes: in_seat_order(case, ballot).into_iter().cloned().collect(),
        delegations: ballot.delegations.iter().map(|passed| (**passed).clone()).collect(),
        hidden: !case.may_see(Reader::Public, Item::Votes(ballot)),
        sealed: secret::sealed(case, ballot),
        trust: ballot.trust.clone(),
        unparsed: ballot.unparsed.clone(),
        voters: None,
        tally: None,
    };
    match tally {
        Some(tally) if ballot.rule.is_plain() => {
            report.leading = Some(tally.leading());
            report.bases = ballot::pass_table(&tally);
            report.needed = needed(&tally);
            report.margin = tally.margin(&ballot.rule);
            report.tally = Some(tally);
        }
        Some(tally) => {
            let poll = polled(case, ballot).poll;
            let margin = poll.margin(&ballot.rule);
            report.leading = Some(poll.leading(&ballot.rule));
            report.bases = poll.lines(&ballot.rule);
            report.needed = report.deciding_line().and_then(|line| {
                (0..=line.whole).find(|votes| ballot.rule.pass.is_met_by(*votes, line.whole))
            });
            (report.margin, report.margin_bound) = (margin.ballots, margin.bound);
            report.tally = Some(tally);
        }
        None => (),
    }
    report
}

impl BallotReport {
    /// The share on the basis the rule names.
    pub fn deciding_line(&self) -> Option<&Line> {
        self.bases.iter().find(|line| line.basis == self.rule.basis)
    }

    /// A share in words: `2 of 3 cast`, `27 of 30 points of cast`, `1.55 of 2.3 cast, as weighed`.
    pub fn share(&self, line: &Line) -> String {
        let (part, whole) = (self.amount(line.part.into()), self.amount(line.whole.into()));
        let points = if self.rule.method == Method::Score { " points of" } else { "" };
        let fallen_back = matches!(self.trust, Some(Trust::TooFew { .. } | Trust::NoneAhead));
        let weighed = match self.rule.weights {
            Weights::Confidence | Weights::Reliability if !fallen_back => ", as weighed",
            Weights::Equal | Weights::Confidence | Weights::Reliability => "",
        };
        format!("{part} of {whole}{points} {}{weighed}", line.basis)
    }

    /// A number of votes, where they may be weighed in thousandths.
    pub fn amount(&self, votes: u64) -> String {
        match self.rule.weights {
            Weights::Equal => votes.to_string(),
            Weights::Confidence | Weights::Reliability if votes.is_multiple_of(1000) => {
                (votes / 1000).to_string()
            }
            Weights::Confidence | Weights::Reliability => {
                format!("{}.{:03}", votes / 1000, votes % 1000).trim_end_matches('0').to_string()
            }
        }
    }

    /// Options that could lead alike, where there are several.
    pub fn tied(&self) -> &[u8] {
        let winners = self.count.as_ref().and_then(|count| count.standing.as_ref()).map(|it| &it.winners[..]);
        winners.filter(|winners| winners.len() > 1).unwrap_or_default()
    }

    /// Seats of the rule that may veto and do not sit here.
    pub fn vetoes_unseated<'a>(&'a self, report: &'a Report) -> impl Iterator<Item = &'a Who> {
        self.rule.veto.iter().filter(|who| report.seats.iter().all(|row| row.seat.who != **who))
    }

    /// How many took a side in all.
    pub fn cast(&self) -> u32 {
        self.tally.as_ref().map_or(0, |tally| tally.whole(Basis::Cast))
    }
}

/// Votes in the order of seats: equal debates must read alike, whoever answered first.
fn in_seat_order<'a>(case: &Case, ballot: &'a Ballot) -> Vec<&'a ballot::Vote> {
    let mut votes: Vec<&ballot::Vote> = ballot.votes.iter().map(|vote| &**vote).collect();
    votes.sort_by_key(|vote| place(case, &vote.who));
    votes
}

fn place(case: &Case, who: &Who) -> Option<usize> {
    case.opening.seats.iter().position(|seat| seat.who == *who)
}

fn seated(case: &Case, seat: &Seat) -> SeatReport {
    let mut answered_by: Vec<String> = Vec::new();
    let asks = case.said.iter().filter(|said| said.who == seat.who).map(|said| said.ask);
    for model in asks.filter_map(|ask| case.calls.get(&ask)?.1.model.clone()) {
        if !answered_by.contains(&model) {
            answered_by.push(model);
        }
    }
    let of_seat = |ballot: &'_ Ballot| {
        ballot
            .votes
            .iter()
            .rev()
            .find(|vote| vote.who == seat.who)
            .map(|vote| (!case.may_see(Reader::Public, Item::Votes(ballot)), vote.clone()))
    };
    let last = case.ballots.iter().rev().find_map(|ballot| of_seat(ballot));
    let (sealed, vote) = last.map_or((false, None), |(hidden, vote)| (hidden, (!hidden).then_some(vote)));
    SeatReport {
        seat: seat.clone(),
        role: case.role(&seat.who).map(|role| role.name.clone()),
        ordered: case.ordered(&seat.who),
        perspective: case.perspective(&seat.who).map(|field| field.name.clone()),
        answered_by,
        statements: case.said.iter().filter(|said| said.who == seat.who).count(),
        vote: vote.as_ref().map(|vote| vote.choice),
        marks: vote.and_then(|vote| vote.marks.clone()),
        sealed,
        absent: case.absent.get(&seat.who).cloned(),
    }
}

fn dissent(case: &Case, decision: Option<Decision>) -> Vec<Dissent> {
    let Some(ballot) = case.ballots.last() else { return Vec::new() };
    let against = |vote: &ballot::Vote| match decision {
        Some(Decision::Passed { option: None }) => vote.choice == Choice::No,
        Some(Decision::Passed { option: Some(index) }) => vote.is_against(index),
        Some(Decision::Failed) => !matches!(vote.choice, Choice::No | Choice::Neutral),
        Some(Decision::Undecided(_) | Decision::Contested) => true,
        None => false,
    };
    let votes = in_seat_order(case, ballot).into_iter().filter(|vote| against(vote));
    votes
        .map(|vote| Dissent {
            who: vote.who.clone(),
            choice: vote.choice,
            marks: vote.marks.clone(),
            reason: vote.reason.clone(),
            change_if: vote.change_if.clone(),
            confidence: vote.confidence,
        })
        .collect()
}

/// When something was said, in words.
fn said_in_round(round: u32) -> String {
    if round == 0 { "before round 1".into() } else { format!("round {round}") }
}

/// What an ask was for, in words.
fn what(case: &Case, task: Task) -> String {
    match task {
        Task::Speak { round } => format!("round {round}"),
        Task::Vote { ballot, .. } => {
            let held = case.ballots.iter().find(|known| known.id == ballot);
            held.map_or("vote", |held| case.ballot_name(held)).into()
        }
        Task::Join => "joining".into(),
        Task::Propose => "a proposal".into(),
        Task::Weigh => "a ruling on changes".into(),
        Task::Clerk(chore) => match chore {
            Chore::Perspectives => "perspectives".into(),
            Chore::Judge { round } => format!("judgement of round {round}"),
            Chore::Digest { round } => format!("digest of round {round}"),
            Chore::Synthesise => "synthesis".into(),
        },
    }
}

/// Asks without an answer: by stage and round, then by seat.
fn missing(case: &Case, of_clerks: bool) -> Vec<Missing> {
    let wanted = |lapse: &&Lapse| matches!(lapse.task, Task::Clerk(_)) == of_clerks;
    let mut lapses: Vec<&Lapse> = case.lapses.iter().map(|lapse| &**lapse).filter(wanted).collect();
    lapses.sort_by_key(|lapse| (lapse.ask.0.act, place(case, &lapse.who)));
    let row = |lapse: &Lapse| Missing {
        who: lapse.who.clone(),
        what: what(case, lapse.task),
        cause: lapse.cause.clone(),
    };
    lapses.into_iter().map(row).collect()
}

fn repaired(case: &Case) -> Vec<Repaired> {
    let said =
        case.said.iter().map(|said| (said.who.clone(), format!("round {}", said.round), &said.repairs));
    let voted =
        case.ballots.iter().filter(|ballot| case.may_see(Reader::Public, Item::Votes(ballot))).flat_map(
            |ballot| {
                let stage = case.ballot_name(ballot).to_string();
                let passed = ballot.delegations.iter().map(|passed| (&passed.who, &passed.repairs));
                let votes = ballot.votes.iter().map(|vote| (&vote.who, &vote.repairs)).chain(passed);
                votes.map(move |(who, repairs)| (who.clone(), stage.clone(), repairs))
            },
        );
    let served = case.council().map(|(_, state)| &state.clerk_repairs).into_iter().flatten();
    let served = served.map(|(who, task, repairs)| (who.clone(), what(case, *task), repairs));
    let mended = said.chain(voted).chain(served).filter(|(_, _, repairs)| !repairs.is_empty());
    mended.map(|(who, what, repairs)| Repaired { who, what, repairs: repairs.clone() }).collect()
}

fn retried(case: &Case) -> Vec<Retried> {
    let tried = case.calls.iter().filter(|(_, (_, call))| !call.retries.is_empty());
    let row = |(_, (done, call)): (&AskId, &(Ask, Arc<Call>))| Retried {
        who: done.who.clone(),
        what: what(case, done.task),
        tries: call.retries.clone(),
    };
    tried.map(row).collect()
}

fn rounds(case: &Case) -> Vec<Round> {
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for said in case.said.iter().filter(|said| case.may_see(Reader::Public, Item::Contribution(said))) {
        let fresh = || Round::empty(said.round, Some(case.said_in(said)));
        rounds.entry(said.round).or_insert_with(fresh).said.push((*said.said).clone());
    }
    // Answers come in as they come; people read them in seat order.
    for round in rounds.values_mut() {
        round.said.sort_by_key(|said| place(case, &said.who));
    }
    let mut rounds: Vec<Round> = rounds.into_values().collect();
    sources::weighed(case, &mut rounds);
    rounds
}

/// Why each stage of speech ended, by the charter's names.
fn exits(case: &Case) -> Vec<(String, Exit)> {
    case.stage_exits.iter().map(|(stage, why)| (case.stage_name(*stage).into(), *why)).collect()
}

/// One line of a list of matters.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// Its id.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// Where it stands.
    pub status: &'static str,
    /// The charter.
    pub charter: String,
    /// Seats.
    pub seats: usize,
    /// Rounds begun.
    pub rounds: u32,
    /// When it was opened.
    pub opened: At,
    /// The question.
    pub topic: String,
    /// Its words were taken out of the record.
    pub redacted: bool,
}

impl Row {
    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = stands(self.status, held);
        self
    }

    /// Reads a matter.
    pub fn of(case: &Case) -> Self {
        Self::of_summary(&Summary::of(case))
    }

    /// Reads the summary of a matter.
    pub fn of_summary(known: &Summary) -> Self {
        Self {
            matter: known.id,
            number: known.number,
            status: known.status.word(),
            charter: known.charter.to_string(),
            seats: known.seats.len(),
            rounds: known.rounds,
            opened: known.opened,
            topic: known.topic.to_string(),
            redacted: known.redacted_by.is_some(),
        }
    }
}
