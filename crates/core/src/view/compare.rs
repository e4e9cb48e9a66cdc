//! Two matters side by side, such as a fork and where it branched off. What they share is seen by what was
//! said in them: a fork keeps the very statements of its origin.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Advice, ProposalGrade, Report, Round};
use crate::ballot::Basis;
use crate::kernel::{
    AskId, Choice, Contribution, Decision, Estimate, MatterId, Permille, SettingValue, Threshold, Who,
};
use crate::matter::{Forked, Pinned, Question};
use crate::meter::Total;
use crate::watch::{Exit, Level, Share};

/// Two matters side by side.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// Whether they are about the same question.
    pub same_question: bool,
    /// Rounds they share, from the first on.
    pub shared: usize,
    /// What differs, in words that name the parts of a [`ComparedMatter`].
    pub differs: Vec<&'static str>,
    /// The one.
    pub one: ComparedMatter,
    /// The other.
    pub other: ComparedMatter,
    /// Every seat of either.
    pub seats: Vec<SeatComparison>,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ComparedMatter {
    /// The matter.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// What was asked.
    pub question: Question,
    /// Where it stands, in a word.
    pub status: &'static str,
    /// How it ended, once it has.
    pub decision: Option<Decision>,
    /// The result in one line, with what degrades it.
    pub headline: String,
    /// The charter in force.
    pub charter: Pinned,
    /// Settings that were moved.
    pub moved: BTreeMap<String, SettingValue>,
    /// Where it branched off.
    pub forked: Option<Forked>,
    /// Rounds begun or shared.
    pub rounds: usize,
    /// Why stages of speech ended.
    pub exits: Vec<(String, Exit)>,
    /// What what leads has of what it needs.
    pub support: Option<Support>,
    /// How far the seats agree; none if not known.
    pub agreement: Option<Share>,
    /// The same in a word.
    pub level: Level,
    /// What to do with the result.
    pub advice: Advice,
    /// The mean confidence of the votes for the result, rounded down.
    pub confidence: Option<Permille>,
    /// How many voted against the result; everyone who took a side if there is none.
    pub dissent: usize,
    /// Asks without an answer.
    pub missing: usize,
    /// Whose they were, each once, in the order of the record.
    pub silent: Vec<Who>,
    /// What calls took. A fork does not count the rounds it shares.
    pub spent: Total,
}

/// What leads, and with how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Support {
    /// What leads.
    pub leading: Option<Choice>,
    /// Votes for it.
    pub part: u32,
    /// Of so many.
    pub whole: u32,
    /// Which are.
    pub basis: Basis,
    /// What it needs.
    pub needs: Threshold,
    /// The fewest ballots that would have changed the result.
    pub margin: Option<u32>,
    /// What leads and its share, in words.
    #[serde(skip)]
    pub words: String,
}

/// A seat in both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeatComparison {
    /// The seat.
    pub who: Who,
    /// Its name.
    pub name: String,
    /// In the one; none if it does not sit there.
    pub one: Option<Stood>,
    /// In the other.
    pub other: Option<Stood>,
}

/// Where a seat stood last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stood {
    /// What answered for it.
    pub backend: String,
    /// The side it took in its last statement that took one, and the round: a free one if there is any.
    pub stance: Option<(Choice, u32)>,
    /// How sure it was there.
    pub confidence: Option<Permille>,
    /// The side it was assigned there, where it never took one freely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Choice>,
    /// Its last vote.
    pub vote: Option<Choice>,
    /// How it voted on each proposal of a ring.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<ProposalGrade>,
    /// The number it gave last, where the question asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// How often it said something.
    pub statements: usize,
    /// It voted, and how is not to be shown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Whether the result went against it.
    pub dissents: bool,
}

impl Comparison {
    /// Puts two matters side by side.
    pub fn of(one: &Report, other: &Report) -> Self {
        let mut seats: Vec<(&Who, &str)> = Vec::new();
        for row in one.seats.iter().chain(&other.seats) {
            if seats.iter().all(|(who, _)| **who != row.seat.who) {
                seats.push((&row.seat.who, &row.seat.name));
            }
        }
        let beside = |(who, name): (&Who, &str)| SeatComparison {
            who: who.clone(),
            name: name.into(),
            one: stood(one, who),
            other: stood(other, who),
        };
        let seats: Vec<SeatComparison> = seats.into_iter().map(beside).collect();
        let (left, right) = (side(one), side(other));
        Self {
            same_question: one.asked_alike(other),
            shared: shared(&one.rounds, &other.rounds),
            differs: differs(&left, &right, one.asked_alike(other), &seats),
            one: left,
            other: right,
            seats,
        }
    }
}

impl Report {
    /// Whether two matters were asked the same. Answers that seats proposed are not part of the question.
    fn asked_alike(&self, other: &Self) -> bool {
        let asked = |report: &Self| {
            let options =
                if report.answers.is_empty() { report.question.options.clone() } else { Vec::new() };
            Question { options, ..report.question.clone() }
        };
        asked(self) == asked(other)
    }
}

fn side(report: &Report) -> ComparedMatter {
    ComparedMatter {
        matter: report.matter,
        number: report.number,
        question: report.question.clone(),
        status: report.status,
        decision: report.decision,
        headline: report.headline.clone(),
        charter: report.charter.clone(),
        moved: report.moved.clone(),
        forked: report.forked,
        rounds: report.begun(),
        exits: report.exits.clone(),
        support: support(report),
        agreement: report.agreement,
        level: report.level,
        advice: report.advice.clone(),
        confidence: report.confidence,
        dissent: report.dissenters().len(),
        missing: report.missing.len(),
        silent: report.silent(),
        spent: report.spent,
    }
}

pub(super) fn support(report: &Report) -> Option<Support> {
    let ballot = report.deciding()?;
    let line = ballot.bases.iter().find(|line| line.basis == ballot.rule.basis)?;
    Some(Support {
        leading: ballot.leading,
        part: line.part,
        whole: line.whole,
        basis: line.basis,
        needs: ballot.missed().unwrap_or(ballot.rule.pass),
        margin: ballot.margin,
        words: ballot.lead(line),
    })
}

fn stood(report: &Report, who: &Who) -> Option<Stood> {
    let row = report.seats.iter().find(|row| row.seat.who == *who)?;
    let said = report.rounds.iter().rev().flat_map(|round| &round.said);
    let own = |said: &&Contribution| said.who == *who && report.is_by_its_seat(said);
    let sided: Vec<&Contribution> = said.filter(own).filter(|said| said.response.stance.is_some()).collect();
    let last = sided.iter().find(|said| said.ordered.is_none()).or(sided.first()).copied();
    Some(Stood {
        backend: row.seat.backend.clone(),
        stance: last.and_then(|said| Some((said.response.stance?, said.round))),
        confidence: last.and_then(|said| said.response.confidence),
        assigned: last.and_then(|said| said.ordered),
        vote: row.vote,
        grades: row.grades.clone(),
        estimate: report
            .estimate
            .as_ref()
            .and_then(|found| found.seats.iter().find(|row| row.who == *who).and_then(|row| row.last)),
        statements: row.statements,
        sealed: row.sealed,
        dissents: report.dissent.iter().any(|dissent| dissent.who == *who),
    })
}

/// How many rounds hold the very same statements, from the first on.
fn shared(one: &[Round], other: &[Round]) -> usize {
    let asks = |round: &Round| round.said.iter().map(|said| said.ask).collect::<BTreeSet<AskId>>();
    one.iter().zip(other).take_while(|(one, other)| asks(one) == asks(other)).count()
}

fn differs(
    one: &ComparedMatter,
    other: &ComparedMatter,
    alike: bool,
    seats: &[SeatComparison],
) -> Vec<&'static str> {
    let sat = |stood: &Option<Stood>| stood.as_ref().map(|stood| stood.backend.clone());
    let stance = |stood: &Option<Stood>| stood.as_ref().and_then(|it| Some(it.stance?.0));
    let vote = |stood: &Option<Stood>| stood.as_ref().map(|stood| (stood.vote, stood.grades.clone()));
    let number = |stood: &Option<Stood>| stood.as_ref().and_then(|stood| stood.estimate);
    let dissents = |stood: &Option<Stood>| stood.as_ref().is_some_and(|stood| stood.dissents);
    let any = |differ: &dyn Fn(&SeatComparison) -> bool| seats.iter().any(differ);
    let parts = [
        ("question", !alike),
        ("charter", one.charter != other.charter || one.moved != other.moved),
        ("seats", any(&|row| sat(&row.one) != sat(&row.other))),
        ("rounds", one.rounds != other.rounds),
        ("exits", one.exits != other.exits),
        ("decision", (one.status, one.decision) != (other.status, other.decision)),
        ("support", one.support != other.support),
        ("confidence", one.confidence != other.confidence),
        ("agreement", (one.agreement, one.level) != (other.agreement, other.level)),
        ("advice", one.advice.action != other.advice.action),
        ("stances", any(&|row| stance(&row.one) != stance(&row.other))),
        ("votes", any(&|row| vote(&row.one) != vote(&row.other))),
        ("numbers", any(&|row| number(&row.one) != number(&row.other))),
        ("dissent", any(&|row| dissents(&row.one) != dissents(&row.other))),
        ("missing", (one.missing, &one.silent) != (other.missing, &other.silent)),
    ];
    parts.into_iter().filter(|(_, differ)| *differ).map(|(part, _)| part).collect()
}
