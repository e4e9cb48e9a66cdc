//! Views: what people and programs are shown of a matter. Derived, never stored; nothing here judges.

mod advice;
mod answer;
mod answers;
mod ballots;
mod checks;
mod compare;
mod dissent;
mod estimate;
mod headline;
mod issue;
mod motion;
mod outcome;
mod pending;
mod proof;
mod reasons;
mod receipt;
mod repairs;
mod requirements;
mod round;
mod seated;
mod secret;
mod sources;
mod stands;
mod thoughts;
mod voters;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

pub use advice::{Advice, Recommendation};
pub use answer::{ANSWER_SCHEMA, AgreementBasis, Answer, FullAnswer, RoundReading};
pub use answers::ProposedAnswer;
pub use ballots::{BallotReport, ProposalGrade};
pub use checks::Check;
pub use compare::{ComparedMatter, Comparison, SeatComparison, Stood, Support};
pub use dissent::{Dissent, Doubt, Reservation};
pub use estimate::{Estimates, RoundSpread, SeatEstimate};
pub use issue::{CommentEvidence, IssueFacts, RehearsedComments, Resolution, forced_by};
pub use motion::{BreakRow, DivergenceRow, ForcedRow, MotionView, SumRow, TeamRow, TwoTallies, stance_word};
pub use outcome::OutcomeReport;
pub use pending::PendingAnswers;
pub use proof::{VoteProof, prove};
pub use reasons::{Condition, Reason};
pub use receipt::{ReceiptBody, receipt};
pub use repairs::RepairEffect;
pub use requirements::Requirement;
pub use round::{RoundReport, RulingRow};
pub use secret::SealedVote;
pub use sources::{Cited, JudgeReading, Marked, RefusedRow, RequestRow, SourceRow, UnreadRow};
pub use stands::{SeatPosition, SeatStand};
pub use thoughts::{Did, SeatTurn, Thoughts};
pub use voters::Voters;

pub use crate::procedure::ring::{
    AmendmentRow, Holder, MemberRow, ProposalRow, ReactionRow, ResultRow, Session, SkipRow, SpeechRow,
    TurnSheet, VoteRow,
};

use crate::ask::Chore;
use crate::ballot::Vote;
use crate::context::{Material, Synthesis};
use crate::house::{Ballot, Case, House, Item, Lapse, Reader, Summary};
use crate::kernel::{
    AskId, At, Attempt, Call, Cause, Choice, Contribution, Decision, Evidence, Marks, MatterId, Permille,
    Repair, Seat, SettingValue, StoredContribution, Who,
};
use crate::matter::{Forked, Halt, Pause, Pinned, Question, QuestionKind, Status};
use crate::meter::{Limits, Total};
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
    /// `running`, `waiting`, `listed`, `needs_context`, `paused`, `interrupted`, `passed`, `rejected`, `undecided`, `contested` or
    /// `estimated`; of an issue `open`, `frozen`, `resolved` or `closed`.
    pub status: &'static str,
    /// How many have answered in what is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingAnswers>,
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
    pub agreement_by: Option<AgreementBasis>,
    /// The same in a word.
    pub level: Level,
    /// The charter in force.
    pub charter: Pinned,
    /// The kind of motion it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Where it branched off from another matter.
    pub forked: Option<Forked>,
    /// Seats of a branch that another model or program had in the rounds it shares. What was said there under their names
    /// is not theirs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Who>,
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
    #[serde(rename = "helpers", serialize_with = "seated::all")]
    pub clerks: Vec<Seat>,
    /// How many independent voters those who were asked come to, where they share models.
    pub voters: Option<Voters>,
    /// What an issue says and what became of it; none of what is voted on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueFacts>,
    /// How an issue was resolved, and by whom.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<Resolution>,
    /// Which comments of an issue placeholders wrote; left out where nobody rehearsed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rehearsed: Option<RehearsedComments>,
    /// Those who voted against the result, in their own words. With no result, everyone who took a side.
    pub dissent: Vec<Dissent>,
    /// What those say who did not vote against it and were not wholly for it either.
    pub reservations: Vec<Reservation>,
    /// The mean confidence of the votes for the result, rounded down; none if nobody gave one.
    pub confidence: Option<Permille>,
    /// What the question requires of any answer, and who says that theirs keeps to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<Requirement>,
    /// Sides that were assigned and nobody argued, each with whose job it was.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub never_made: Vec<(Choice, Vec<Who>)>,
    /// What it rests for, if what answers for a seat cannot be used as things are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub halted: Option<Halt>,
    /// Asks without an answer.
    pub missing: Vec<Missing>,
    /// What clerks were asked for and did not give.
    pub unserved: Vec<Missing>,
    /// Answers that had to be repaired to read them.
    pub repaired: Vec<RepairedAnswer>,
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
    pub outcome: Option<OutcomeReport>,
    /// The ring, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ring: Option<Session>,
    /// The motion, where it is one in a parliament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parliament: Option<MotionView>,
    /// The kind of question; left out for yes or no and for given options, which the question itself tells.
    #[serde(skip_serializing_if = "QuestionKind::is_plain")]
    pub kind: QuestionKind,
    /// What seats proposed to an open question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<ProposedAnswer>,
    /// The numbers, where the question asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimates>,
    /// Rounds begun.
    #[serde(skip)]
    begun: u32,
}

/// One seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatReport {
    /// The seat.
    #[serde(flatten, serialize_with = "seated::one")]
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
    /// How it voted on each proposal of a ring.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<ProposalGrade>,
    /// It voted, and how is not to be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Why it is not called any more.
    pub absent: Option<Cause>,
    /// What it looked up with tools, in order, as far as the reader may know it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
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

/// An answer that had to be repaired to read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepairedAnswer {
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
    pub judged: Vec<JudgeReading>,
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
    /// Reads a matter as the operator may see it.
    pub fn of(case: &Case) -> Self {
        Self::seen_by(case, Reader::Operator)
    }

    /// Reads a matter as a reader may see it.
    pub fn seen_by(case: &Case, reader: Reader<'_>) -> Self {
        let decision = case.decision();
        let mut report = Self {
            matter: case.id,
            number: case.number,
            question: case.opening.question.clone(),
            status: word_of(case),
            decision,
            headline: String::new(),
            caveats: Vec::new(),
            advice: Advice { action: Recommendation::QueryDetail, why: String::new() },
            agreement: None,
            agreement_by: None,
            level: Level::Unknown,
            charter: case.opening.charter.clone(),
            motion: case.opening.motion.clone(),
            forked: case.opening.forked,
            replaced: case.opening.replaced.clone(),
            moved: case.opening.moved.clone(),
            opened: case.opened,
            last: case.last,
            ballots: case.ballots.iter().map(|ballot| ballots::held(case, reader, ballot)).collect(),
            seats: case.opening.seats.iter().map(|seat| seated(case, reader, seat)).collect(),
            reserve: case.opening.seats[case.in_play()..].iter().map(|seat| seat.who.clone()).collect(),
            clerks: case.opening.judges.iter().chain(&case.opening.scribe).cloned().collect(),
            voters: None,
            dissent: dissent::dissent(case, decision),
            resolution: issue::resolution(case, decision),
            issue: IssueFacts::of(case, reader),
            rehearsed: issue::rehearsed(case),
            reservations: dissent::reservations(case, decision),
            confidence: dissent::confidence(case, decision),
            requirements: requirements::requirements(case, reader),
            never_made: decision.map(|_| case.cases_never_made()).unwrap_or_default(),
            halted: case.halt.as_deref().cloned(),
            missing: missing(case, false),
            unserved: missing(case, true),
            repaired: repaired(case, reader),
            retried: retried(case),
            rounds: rounds(case, reader),
            exits: exits(case),
            marked: sources::marked(case, reader),
            citations: sources::citations(case, reader),
            requests: sources::requests(case, reader),
            refused_requests: sources::refused(case, reader),
            material: case.dossier.material.values().cloned().collect(),
            syntheses: case.dossier.syntheses.clone(),
            spent: case.meter.spent(),
            lost: case.meter.lost(),
            limits: *case.meter.limits(),
            redacted: case.redacted_by.is_some(),
            outcome: OutcomeReport::of(case),
            ring: Session::seen_by(case, reader),
            parliament: MotionView::seen_by(case, reader),
            kind: case.kind(),
            answers: answers::proposed(case, reader),
            estimate: estimate::estimates(case, reader, decision),
            begun: case.round(),
            pending: PendingAnswers::of(case),
        };
        if let Some(found) = &report.estimate {
            report.confidence = estimate::confidence(found);
        } else if answers::is_stated_choice(&report) {
            report.confidence = answers::confidence(case);
        }
        report.voters = Voters::of(report.asked());
        for ballot in &mut report.ballots {
            ballot.voters = Voters::of(report.seats.iter().filter(|row| ballot.voted(&row.seat.who)));
        }
        (report.agreement, report.agreement_by) = answer::agreement(&report).unzip();
        report.level = Level::of(report.agreement);
        report.caveats = headline::caveats(&report);
        report.advice = advice::advice(&report);
        report.headline = headline::headline(&report);
        // Last, since counts of what is hidden are no secret.
        secret::hide(case, reader, &mut report);
        report
    }

    /// The same at a moment, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool, at: At) -> Self {
        self.status = match &self.issue {
            Some(issue) => issue.stands(at).word(),
            None => stands(self.status, held),
        };
        self.headline = headline::headline(&self);
        self
    }

    /// Whether it is an issue: a thread that nobody votes on.
    pub fn is_issue(&self) -> bool {
        self.issue.is_some()
    }

    /// The vote that decided, or the last one held.
    pub fn deciding(&self) -> Option<&BallotReport> {
        self.ballots.last()
    }

    /// The seats that were not kept in reserve.
    pub fn asked(&self) -> impl Iterator<Item = &SeatReport> {
        self.seats.iter().filter(|row| !self.reserve.contains(&row.seat.who))
    }

    /// How many rounds were begun, whether somebody spoke in them or not. Lists of matters count alike.
    pub fn begun(&self) -> usize {
        self.begun as usize
    }

    /// Whether a statement is by the seat whose name it bears, and not by another mind before a branch began.
    pub fn is_by_its_seat(&self, said: &Contribution) -> bool {
        said.ask.0 > self.matter.0 || !self.replaced.contains(&said.who)
    }

    /// The text of an option.
    pub fn option(&self, index: u8) -> &str {
        self.question.options.get(usize::from(index)).map_or("", String::as_str)
    }
}

/// Where a matter stands. Nothing runs in an issue: it is open, or rests, and lists of issues say the same.
fn word_of(case: &Case) -> &'static str {
    case.issue().map_or(case.status().word(), |issue| issue.status().word())
}

/// Where a matter stands in truth. One that the journal calls running runs only while somebody holds its
/// house: who was killed could not write that down.
fn stands(status: &'static str, held: bool) -> &'static str {
    let left = status == Status::Running.word() && !held;
    if left { Status::Paused(Pause::Interrupted).word() } else { status }
}

fn place(case: &Case, who: &Who) -> Option<usize> {
    case.opening.seats.iter().position(|seat| seat.who == *who)
}

fn seated(case: &Case, reader: Reader<'_>, seat: &Seat) -> SeatReport {
    let mut answered_by: Vec<String> = Vec::new();
    let own = |said: &&StoredContribution| said.who == seat.who && case.is_by_its_seat(&said.who, said.ask.0);
    let asks = case.said.iter().filter(own).map(|said| said.ask);
    for model in asks.filter_map(|ask| case.calls.get(&ask)?.1.model.clone()) {
        if !answered_by.contains(&model) {
            answered_by.push(model);
        }
    }
    // The last ballot it voted on counts, whichever kind of vote that was.
    let voted = |ballot: &&Arc<Ballot>| {
        ballot.votes.iter().any(|vote| vote.who == seat.who)
            || ballot.graded.iter().any(|vote| vote.who == seat.who)
    };
    // Of a council the vote that was counted last: an earlier one of a seat that did not vote then was not counted.
    let counted = case.ballots.iter().rev().find(|ballot| ballot.result.is_some());
    let last = match case.charter.council() {
        Some(_) if counted.is_some() => counted.filter(voted),
        Some(_) | None => case.ballots.iter().rev().find(voted),
    };
    let sealed = last.is_some_and(|ballot| !case.may_see(reader, Item::Vote { ballot, of: &seat.who }));
    let shown = last.filter(|_| !sealed);
    let vote = shown.and_then(|ballot| ballot.votes.iter().rev().find(|vote| vote.who == seat.who));
    SeatReport {
        seat: seat.clone(),
        role: case.role(&seat.who).map(|role| role.name.clone()),
        ordered: case.ordered(&seat.who),
        perspective: case.perspective(&seat.who).map(|field| field.name.clone()),
        answered_by,
        statements: case.said.iter().filter(own).count(),
        vote: last.zip(vote).map(|(ballot, vote)| side(ballot, vote)),
        marks: vote.and_then(|vote| vote.marks.clone()),
        grades: shown.map(|ballot| ballots::grades(case, ballot, &seat.who)).unwrap_or_default(),
        sealed,
        absent: case.absent.get(&seat.who).cloned(),
        evidence: evidence(case, reader, &seat.who),
    }
}

/// What a seat looked up: known to whoever may know what calls took and has seen the round.
fn evidence(case: &Case, reader: Reader<'_>, who: &Who) -> Vec<Evidence> {
    let may_see = |ask: &Ask| match ask.task() {
        Some(Task::Speak { round }) => case.may_see(reader, Item::Round(round)),
        Some(_) | None => false, // nobody else is given tools
    };
    let calls = case.calls.values().filter(|(ask, _)| ask.is_of(who) && may_see(ask));
    let known = calls.filter(|_| case.may_see(reader, Item::Calls));
    known.flat_map(|(_, call)| call.evidence.iter().cloned()).collect()
}

/// The side a vote took. One that has the winner on top beside others took the winner's.
fn side(ballot: &Ballot, vote: &Vote) -> Choice {
    match (&ballot.result, &vote.marks) {
        (Some((_, Decision::Passed { option: Some(won) })), Some(marks)) if marks.is_top(*won) => {
            Choice::Option(*won)
        }
        _ => vote.choice,
    }
}

/// When something was said, in words.
fn said_in_round(round: u32) -> String {
    if round == 0 { "before round 1".into() } else { format!("round {round}") }
}

/// What seats are asked that say which answers mean the same.
const COMPARISON: &str = "comparison of answers";

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
        Task::Second => "a second".into(),
        Task::Clerk(chore) => match chore {
            Chore::Perspectives => "perspectives".into(),
            Chore::Judge { round } => format!("judgement of round {round}"),
            Chore::Digest { round } => format!("digest of round {round}"),
            Chore::Synthesise => "synthesis".into(),
            Chore::Merge => COMPARISON.into(),
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

fn repaired(case: &Case, reader: Reader<'_>) -> Vec<RepairedAnswer> {
    let said = case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said)));
    let said = said.map(|said| (said.who.clone(), format!("round {}", said.round), &said.repairs));
    let voted = case.ballots.iter().flat_map(|ballot| {
        let stage = case.ballot_name(ballot).to_string();
        let passed = ballot.delegations.iter().map(|passed| (&passed.who, &passed.repairs));
        let votes = ballot.votes.iter().map(|vote| (&vote.who, &vote.repairs)).chain(passed);
        let votes = votes.filter(|(who, _)| case.may_see(reader, Item::Vote { ballot, of: who }));
        votes.map(move |(who, repairs)| (who.clone(), stage.clone(), repairs))
    });
    let served = case.council().map(|(_, state)| &state.clerk_repairs).into_iter().flatten();
    let served = served.map(|(who, task, repairs)| (who.clone(), what(case, *task), repairs));
    let mended = said.chain(voted).chain(served).filter(|(_, _, repairs)| !repairs.is_empty());
    mended.map(|(who, what, repairs)| RepairedAnswer { who, what, repairs: repairs.clone() }).collect()
}

fn retried(case: &Case) -> Vec<Retried> {
    let tried = case.calls.iter().filter(|(_, (_, call))| !call.retries.is_empty());
    let row = |(_, (done, call)): (&AskId, &(Ask, Arc<Call>))| {
        let (who, what) = (done.who()?.clone(), what(case, done.task()?));
        Some(Retried { who, what, tries: call.retries.clone() })
    };
    tried.filter_map(row).collect()
}

fn rounds(case: &Case, reader: Reader<'_>) -> Vec<Round> {
    let mut rounds: BTreeMap<u32, Round> = BTreeMap::new();
    for said in case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said))) {
        let fresh = || Round::empty(said.round, Some(case.said_in(said)));
        rounds.entry(said.round).or_insert_with(fresh).said.push((*said.said).clone());
    }
    // Answers of a council come in as they come, and people read them in seat order. In a ring one speaks after another.
    for round in rounds.values_mut().filter(|_| case.ring().is_none()) {
        round.said.sort_by_key(|said| place(case, &said.who));
    }
    let mut rounds: Vec<Round> = rounds.into_values().collect();
    sources::weighed(case, reader, &mut rounds);
    rounds
}

/// Why each stage of speech ended, by the charter's names.
fn exits(case: &Case) -> Vec<(String, Exit)> {
    case.stage_exits.iter().map(|(stage, why)| (case.stage_name(*stage).into(), *why)).collect()
}

/// One line of a list of matters.
#[derive(Debug, Clone, Serialize)]
pub struct MatterLine {
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
    /// Only placeholders sit at its table: nobody reasons. Of an issue: placeholders wrote in it.
    pub rehearsal: bool,
    /// The number of the issue that an issue went into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<u64>,
}

impl MatterLine {
    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = stands(self.status, held);
        self
    }

    /// Reads a matter.
    pub fn of(case: &Case) -> Self {
        let line = Self::of_summary(&Summary::of(case));
        let rehearsal = line.rehearsal || issue::rehearsed(case).is_some();
        Self { status: word_of(case), rehearsal, ..line }
    }

    /// Reads the summary of a matter of a house at a moment. What an issue is like stands in the docket, also where it is away.
    pub fn listed(house: &House, known: &Summary, at: At) -> Self {
        let line = Self::of_summary(known);
        match house.docket().row(known.id) {
            Some(row) => Self {
                status: row.stands(at).word(),
                rehearsal: row.rehearsed > 0,
                into: row.into.and_then(|into| house.docket().row(into)).map(|into| into.number),
                ..line
            },
            None => line,
        }
    }

    /// Reads the summary of a matter.
    fn of_summary(known: &Summary) -> Self {
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
            rehearsal: known.is_rehearsal(),
            into: None,
        }
    }
}
