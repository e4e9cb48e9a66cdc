//! The body of a receipt: what a decision rests on, in a form that can be signed.

use serde::Serialize;

use super::{
    Advice, Dissent, Estimates, Missing, ProposalGrade, ProposedAnswer, Report, Reservation, SealedVote,
    Session, Voters,
};
use crate::ballot::{BasisShare, Count, Rules, Tally};
use crate::house::Case;
use crate::kernel::{
    At, Choice, Decision, Digest, Marks, MatterId, Permille, SeatKind, Seq, SettingValue, Who,
};
use crate::matter::{Pinned, Question, QuestionKind};
use crate::meter::Total;

/// The form of receipts. Changes when a field changes its meaning.
const FORMAT: &str = "synod-receipt/1";

/// What is signed. What is not known is `null`, never left out and never a default.
#[derive(Debug, Clone, Serialize)]
pub struct ReceiptBody {
    /// The form.
    pub format: &'static str,
    /// The public key of the house, as its journal names it first: what the house is known by.
    pub house: Option<String>,
    /// The key that is in force: what the receipt is signed with. It stands beside the signature.
    #[serde(skip)]
    pub key: Option<String>,
    /// The matter.
    pub matter: MatterId,
    /// What was asked.
    pub question: Question,
    /// The rules, pinned by digest.
    pub charter: Pinned,
    /// Settings that were moved.
    pub moved: std::collections::BTreeMap<String, SettingValue>,
    /// When it was opened.
    pub opened: At,
    /// When it was settled.
    pub settled: At,
    /// How it ended.
    pub decision: Decision,
    /// The same in words, with what degrades it.
    pub headline: String,
    /// What degrades it.
    pub caveats: Vec<String>,
    /// What to do with it.
    pub advice: Advice,
    /// The mean confidence of the votes for it, rounded down.
    pub confidence: Option<Permille>,
    /// How many independent voters those who were asked come to, where they share models.
    pub voters: Option<Voters>,
    /// The rule of the deciding vote.
    pub rule: Option<Rules>,
    /// Its count; none if no vote settled the matter.
    pub tally: Option<Tally>,
    /// The count on every basis.
    pub bases: Vec<BasisShare>,
    /// The fewest ballots that would have changed the result.
    pub margin: Option<u32>,
    /// There may be fewer. Left out where there are not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub margin_bound: bool,
    /// What was counted besides the tally. Left out where nothing was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// What stands for votes that are not shown. Left out where all are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sealed: Vec<SealedVote>,
    /// What the winning side made its votes depend on, verbatim. Left out where it named nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<ReceiptCondition>,
    /// Dissent, verbatim.
    pub dissent: Vec<Dissent>,
    /// What those say who did not vote against it and were not wholly for it either, verbatim.
    pub reservations: Vec<Reservation>,
    /// Asks without an answer, and why.
    pub missing: Vec<Missing>,
    /// Seats whose vote could not be read.
    pub unparsed: Vec<Who>,
    /// Who took part.
    pub seats: Vec<ReceiptSeat>,
    /// What it took.
    pub spent: Total,
    /// What calls with an unknown end may have taken besides.
    pub lost: Total,
    /// Where in the journal it stands.
    pub journal: JournalHead,
    /// The words of the matter were taken out of the record before this receipt was made. Left out where
    /// they were not, so that receipts from before there was such a thing stay what they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub redacted: bool,
    /// The ring it was decided in: every proposal, every count, every vote. Left out for debates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ring: Option<Session>,
    /// The kind of question. Left out for yes or no and for given options.
    #[serde(skip_serializing_if = "QuestionKind::is_plain")]
    pub kind: QuestionKind,
    /// What seats proposed to an open question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<ProposedAnswer>,
    /// The numbers, where the question asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimates>,
}

/// A condition on a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReceiptCondition {
    /// The condition, verbatim.
    pub text: String,
    /// Those who named it.
    pub who: Vec<Who>,
}

/// A seat on a receipt.
#[derive(Debug, Clone, Serialize)]
pub struct ReceiptSeat {
    /// Who.
    pub who: Who,
    /// What sat there.
    pub kind: SeatKind,
    /// The model asked for.
    pub model: Option<String>,
    /// Models that answered, as providers named them.
    pub answered_by: Vec<String>,
    /// The last vote.
    pub vote: Option<Choice>,
    /// What stood on it. Left out where ballots ask for one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// How it voted on each proposal. Left out for debates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub grades: Vec<ProposalGrade>,
}

/// A place in the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct JournalHead {
    /// The act that settled the matter.
    pub seq: Seq,
    /// Its hash, and through it every act before.
    pub hash: Digest,
}

/// The body of a settled matter's receipt; `None` while it is open. `hash` is that of the settling act, and
/// nothing that happened to the matter after it is on the receipt, but that it was redacted.
pub fn receipt(case: &Case, house: Option<&str>, hash: Digest) -> Option<ReceiptBody> {
    let case = case.as_settled();
    let report = Report::of(case);
    let seq = case.settled_by?;
    let deciding = report.deciding().cloned();
    // A count that settled nothing is not what the decision rests on.
    let settled = deciding.as_ref().filter(|ballot| ballot.settled);
    let conditions = report
        .conditions()
        .into_iter()
        .map(|row| ReceiptCondition { text: row.text.into(), who: row.who.into_iter().cloned().collect() });
    let conditions = conditions.collect();
    let seats = report.seats.iter().map(|row| ReceiptSeat {
        who: row.seat.who.clone(),
        kind: row.seat.kind,
        model: row.seat.model.clone(),
        answered_by: row.answered_by.clone(),
        vote: row.vote,
        marks: row.marks.clone(),
        grades: row.grades.clone(),
    });
    Some(ReceiptBody {
        key: None,
        format: FORMAT,
        house: house.map(str::to_string),
        matter: case.id,
        charter: report.charter,
        moved: report.moved,
        opened: report.opened,
        settled: report.last,
        decision: report.decision?,
        headline: report.headline,
        caveats: report.caveats,
        advice: report.advice,
        confidence: report.confidence,
        voters: report.voters,
        rule: deciding.as_ref().map(|ballot| ballot.rule.clone()),
        tally: settled.and_then(|ballot| ballot.tally.clone()),
        bases: settled.map(|ballot| ballot.bases.clone()).unwrap_or_default(),
        margin: deciding.as_ref().and_then(|ballot| ballot.margin),
        margin_bound: deciding.as_ref().is_some_and(|ballot| ballot.margin_bound),
        count: settled.and_then(|ballot| ballot.count.clone()),
        sealed: deciding.as_ref().map(|ballot| ballot.sealed.clone()).unwrap_or_default(),
        unparsed: deciding.map(|ballot| ballot.unparsed).unwrap_or_default(),
        conditions,
        dissent: report.dissent,
        reservations: report.reservations,
        missing: report.missing,
        seats: seats.collect(),
        question: report.question,
        spent: report.spent,
        lost: report.lost,
        journal: JournalHead { seq, hash },
        redacted: report.redacted,
        ring: report.ring,
        kind: report.kind,
        answers: report.answers,
        estimate: report.estimate,
    })
}
