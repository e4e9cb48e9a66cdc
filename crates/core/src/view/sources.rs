//! What a matter rests on besides votes: sources, requests, what was marked, what clerks said.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::{Missing, Round, what};
use crate::ask::Chore;
use crate::ballot::Vote;
use crate::evidence::EvidenceGrade;
use crate::house::{Became, Case, Item, Reader, Requested};
use crate::kernel::{Citation, ContextRequest, Digest, Id, Violation, Who};
use crate::watch::{self, Opinion};
use crate::{Task, context};

/// A source, named by these.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// The source, as the first of them named it.
    #[serde(flatten)]
    pub citation: Citation,
    /// Who named it.
    pub who: Vec<Who>,
    /// In which rounds.
    pub rounds: Vec<u32>,
    /// What the house found of it, where it looks it up: the sources of comments on issues. Nobody checks the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<&'static str>,
}

impl Cited {
    /// Whether the house found that it is there.
    pub fn holds(&self) -> bool {
        self.found.is_some_and(|found| found != EvidenceGrade::Unverified.word())
    }
}

/// Something a participant asked the operator for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestRow {
    /// Its id, for `matter answer` and `matter waive`.
    pub id: Id,
    /// Who asks.
    pub who: Who,
    /// In which round.
    pub round: u32,
    /// Whether the matter waits for it.
    pub required: bool,
    /// What is asked, and why.
    #[serde(flatten)]
    pub request: ContextRequest,
    /// `open`, `answered`, `waived`, `read` or `unread`.
    pub became: &'static str,
    /// The answer: what the operator said, or what was taken from the file.
    pub answer: Option<String>,
    /// Which lines of which file were read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceRow>,
    /// Why its file was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<UnreadRow>,
}

impl RequestRow {
    /// Whether it waits for the operator.
    pub fn is_for_operator(&self) -> bool {
        self.became == "open" && self.request.file.is_none()
    }
}

/// Which lines of which file were read for a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceRow {
    /// The file, below the folder that the operator allowed.
    pub path: String,
    /// The first line taken, counted from 1.
    pub from: u32,
    /// The last line taken.
    pub to: u32,
    /// How many lines the file has.
    pub of: u32,
    /// Whether more was asked for than may be taken.
    pub cut: bool,
    /// SHA-256 of the whole file as it was read.
    pub digest: Digest,
}

/// Why a file was not read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadRow {
    /// The stable code.
    pub code: String,
    /// Why, in words.
    pub why: String,
}

/// A request that does not stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedRow {
    /// Who asked.
    pub who: Who,
    /// In which round.
    pub round: u32,
    /// The stable code.
    pub code: &'static str,
    /// What is wrong with it.
    pub why: String,
}

/// A rule of the charter that somebody broke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Marked {
    /// Who.
    pub who: Who,
    /// In what, such as `round 2` or `final-vote`.
    pub what: String,
    /// What was expected and what was got.
    #[serde(flatten)]
    pub violation: Violation,
}

/// A judge's reading of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgeReading {
    /// Who judged.
    pub who: Who,
    /// The reading.
    #[serde(flatten)]
    pub opinion: Opinion,
}

pub(super) fn citations(case: &Case, reader: Reader<'_>) -> Vec<Cited> {
    let mut order: Vec<String> = Vec::new();
    let mut cited: BTreeMap<String, Cited> = BTreeMap::new();
    for said in case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said))) {
        let named = said.response.citations.iter().map(|named| (named.source(), named.clone(), None));
        let graded = said.said.comment().map(|comment| case.graded_evidence(comment)).unwrap_or_default();
        let graded = graded.into_iter().map(|(reference, grade)| {
            let named = Citation { title: Some(reference.to_string()), ..Citation::default() };
            (reference.normal_form(), named, grade.map(EvidenceGrade::word))
        });
        for (key, citation, found) in named.chain(graded) {
            let row = cited.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Cited { citation, who: Vec::new(), rounds: Vec::new(), found }
            });
            if !row.who.contains(&said.who) {
                row.who.push(said.who.clone());
            }
            if !row.rounds.contains(&said.round) {
                row.rounds.push(said.round);
            }
        }
    }
    order.iter().filter_map(|key| cited.remove(key)).collect()
}

pub(super) fn requests(case: &Case, reader: Reader<'_>) -> Vec<RequestRow> {
    let row = |(id, row): (&Id, &Requested)| RequestRow {
        id: *id,
        who: row.who.clone(),
        round: row.round,
        required: row.required,
        request: row.request.clone(),
        became: row.became.word(),
        answer: match &row.became {
            Became::Answered { text, .. } => Some(text.clone()),
            Became::Read { excerpt, .. } => Some(excerpt.text.clone()),
            Became::Open | Became::Waived { .. } | Became::Unread { .. } | Became::Lapsed { .. } => None,
        },
        source: match &row.became {
            Became::Read { excerpt, path, .. } => Some(SourceRow {
                path: path.clone(),
                from: excerpt.from,
                to: excerpt.to,
                of: excerpt.of,
                cut: excerpt.cut,
                digest: excerpt.digest,
            }),
            Became::Open | Became::Answered { .. } | Became::Waived { .. } => None,
            Became::Unread { .. } | Became::Lapsed { .. } => None,
        },
        unread: match &row.became {
            Became::Unread { why, .. } => Some(UnreadRow { code: why.code().into(), why: why.words() }),
            Became::Lapsed { cause, .. } => {
                Some(UnreadRow { code: cause.code.clone(), why: cause.detail.to_string() })
            }
            Became::Open | Became::Answered { .. } | Became::Waived { .. } | Became::Read { .. } => None,
        },
    };
    let shown = |(_, row): &(&Id, &Requested)| case.may_see(reader, Item::Round(row.round));
    case.dossier.requests.iter().filter(shown).map(row).collect()
}

pub(super) fn refused(case: &Case, reader: Reader<'_>) -> Vec<RefusedRow> {
    let row = |(round, who, wrong): &(u32, Who, context::Wrong)| RefusedRow {
        who: who.clone(),
        round: *round,
        code: wrong.code(),
        why: wrong.words(),
    };
    let shown = case.dossier.refused.iter().filter(|(round, ..)| case.may_see(reader, Item::Round(*round)));
    shown.map(row).collect()
}

/// Every mark on a statement or a vote, in order.
pub(super) fn marked(case: &Case, reader: Reader<'_>) -> Vec<Marked> {
    let mut rows: Vec<Marked> = Vec::new();
    for said in case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said))) {
        let what = format!("round {}", said.round);
        rows.extend(said.violations.iter().map(|violation| Marked {
            who: said.who.clone(),
            what: what.clone(),
            violation: violation.clone(),
        }));
    }
    let options = case.opening.question.options.len();
    for ballot in &case.ballots {
        let stage = case.ballot_name(ballot).to_string();
        let shown = |vote: &&Arc<Vote>| case.may_see(reader, Item::Vote { ballot, of: &vote.who });
        for vote in ballot.votes.iter().filter(shown).filter(|vote| vote.conformity) {
            let from = vote.changed_from.map(|from| from.ballot_word(options)).unwrap_or_default();
            let to = vote.choice.ballot_word(options);
            let detail = format!("changed from {from} to {to} without naming a new argument");
            let violation = Violation { code: "ballot/conformity".into(), detail: detail.into() };
            rows.push(Marked { who: vote.who.clone(), what: stage.clone(), violation });
        }
        let along = super::dissent::went_along(case, ballot).into_iter();
        for vote in along.filter(|vote| case.may_see(reader, Item::Vote { ballot, of: &vote.who })) {
            let detail = format!("argued or voted against it before, then {} without a reason", vote.grade);
            let violation = Violation { code: "ballot/conformity".into(), detail: detail.into() };
            rows.push(Marked { who: vote.who.clone(), what: stage.clone(), violation });
        }
    }
    rows
}

/// Adds to rounds what was found in them.
pub(super) fn weighed(case: &Case, reader: Reader<'_>, rounds: &mut [Round]) {
    let Some((_, state)) = case.council() else { return };
    for round in rounds.iter_mut().filter(|round| case.may_see(reader, Item::Findings(round.round))) {
        round.analysis = state.analyses.get(&round.round).map(|found| (**found).clone());
        let of_round = state.opinions.iter().filter(|(of, ..)| *of == round.round);
        round.judged = of_round
            .map(|(_, who, opinion)| JudgeReading { who: who.clone(), opinion: (**opinion).clone() })
            .collect();
        let opinions = round.judged.iter().map(|judged| &judged.opinion);
        round.spread = round.analysis.as_ref().and_then(|found| watch::spread(found, opinions));
        round.pending = pending(case, round);
        round.focus = case.dossier.focus.get(&round.round).cloned();
    }
}

/// Judges whose reading of a round is still awaited or failed, and did not come later.
fn pending(case: &Case, round: &Round) -> Vec<Missing> {
    let task = Task::Clerk(Chore::Judge { round: round.round });
    let judged = |who: &Who| round.judged.iter().any(|judged| judged.who == *who);
    let lapsed = case.lapses.iter().filter(|lapse| lapse.task == task && !judged(&lapse.who));
    let mut rows: Vec<Missing> = Vec::new();
    for lapse in lapsed {
        rows.retain(|row| row.who != lapse.who);
        let (who, cause) = (lapse.who.clone(), lapse.cause.clone());
        rows.push(Missing { who, what: what(case, lapse.task), cause });
    }
    rows
}
