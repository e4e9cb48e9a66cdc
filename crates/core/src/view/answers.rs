//! Open questions: what the seats proposed, and who proposed what was chosen.

use serde::Serialize;

use super::Report;
use super::answer::AgreementBasis;
use super::reasons::Reason;
use crate::context::AnswerOption;
use crate::house::{Case, Item, Reader};
use crate::kernel::{Choice, Contribution, ContributionKind, Decision, Permille, Who, text};
use crate::matter::QuestionKind;
use crate::watch::Share;

/// An answer that seats proposed to an open question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProposedAnswer {
    /// Its letter on the ballot; none if the ballot had no room for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub letter: Option<char>,
    /// The first wording of it.
    pub text: String,
    /// Other wordings that most seats said mean the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Who proposed it; none while that is hidden from the reader.
    pub proposers: Vec<Who>,
}

/// What was proposed, in the order of the ballot, those without a place on it last.
pub(super) fn proposed(case: &Case, reader: Reader<'_>) -> Vec<ProposedAnswer> {
    // A reader of a matter whose names are hidden learns who proposed what when it is over, as with everything else.
    let named = case.may_see(reader, Item::Names);
    let row = |letter: Option<char>, answer: &AnswerOption| ProposedAnswer {
        letter,
        text: answer.text.clone(),
        also: answer.also.clone(),
        proposers: if named { answer.proposers.clone() } else { Vec::new() },
    };
    let listed = case.answers().iter().enumerate();
    let listed = listed.map(|(nth, answer)| row(Some(Choice::letter(nth as u8)), answer));
    listed.chain(case.answers_left_out().iter().map(|answer| row(None, answer))).collect()
}

/// Whether a result is what every seat proposed, so that no vote was held.
pub(super) fn is_stated_choice(report: &Report) -> bool {
    let passed = matches!(report.decision, Some(Decision::Passed { option: Some(_) }));
    report.kind == QuestionKind::Open && passed && report.ballots.is_empty()
}

/// Where every seat proposed the same they agree, and no vote had to say so.
pub(super) fn agreement(report: &Report) -> Option<(Share, AgreementBasis)> {
    let round = report
        .rounds
        .iter()
        .rev()
        .find(|round| round.said.iter().any(|said| said.kind == ContributionKind::Answer))?;
    let seats = report.asked().count() as u32;
    let known = is_stated_choice(report) && seats > 1;
    known.then_some((Share { part: seats, whole: seats }, AgreementBasis::Round(round.round)))
}

/// The mean confidence of those whose answer was chosen without a vote; unknown where one of them stated none.
pub(super) fn confidence(case: &Case) -> Option<Permille> {
    let said = case
        .said
        .iter()
        .filter(|said| said.kind == ContributionKind::Answer && said.response.position.is_some());
    let sure: Vec<u64> =
        said.map(|said| said.response.confidence.map(|it| u64::from(it.get()))).collect::<Option<_>>()?;
    Permille::new(u64::checked_div(sure.iter().sum(), sure.len() as u64)? as u16)
}

/// `proposed by ann, bob`, or that all seats did; none where nobody proposed what was decided.
pub(super) fn proposed_by(report: &Report, decision: Decision) -> Option<String> {
    let Decision::Passed { option: Some(option) } = decision else { return None };
    let letter = Choice::letter(option);
    let row = report.answers.iter().find(|row| row.letter == Some(letter))?;
    if is_stated_choice(report) {
        return Some(format!("proposed by {}, no vote needed", all(report.asked().count())));
    }
    let names: Vec<&str> = row.proposers.iter().map(Who::as_str).collect();
    (!names.is_empty()).then(|| format!("proposed by {}", names.join(", ")))
}

fn all(seats: usize) -> String {
    if seats == 1 { "the only seat".into() } else { format!("all {seats} seats") }
}

/// What degrades the answer to an open question, besides what degrades any.
pub(super) fn caveats(report: &Report) -> Vec<String> {
    if report.kind != QuestionKind::Open {
        return Vec::new();
    }
    let mut found = Vec::new();
    let answers = report
        .rounds
        .iter()
        .flat_map(|round| &round.said)
        .filter(|said| said.kind == ContributionKind::Answer);
    if let unread @ 1.. = answers.filter(|said| said.response.position.is_none()).count() {
        found.push(format!("{} could not be read", text::counted(unread as u64, "proposed answer")));
    }
    if let left @ 1.. = report.answers.iter().filter(|row| row.letter.is_none()).count() {
        found.push(format!("{} had no place on the ballot", text::counted(left as u64, "answer")));
    }
    if let silent @ 1.. = report.unserved.iter().filter(|row| row.what == super::COMPARISON).count() {
        found.push(format!(
            "{} did not say which answers mean the same",
            text::counted(silent as u64, "seat")
        ));
    }
    found
}

/// The reasons of those who all proposed what was chosen without a vote.
pub(super) fn stated_reasons(report: &Report) -> Vec<Reason<'_>> {
    let said = report
        .rounds
        .iter()
        .flat_map(|round| &round.said)
        .filter(|said| said.kind == ContributionKind::Answer);
    fn row(said: &Contribution) -> Reason<'_> {
        let Contribution { who, response, .. } = said;
        Reason {
            who,
            choice: None,
            marks: None,
            grade: None,
            reason: response.reasoning.as_deref(),
            change_if: None,
            conditions: &[],
            confidence: response.confidence,
        }
    }
    if is_stated_choice(report) { said.map(row).collect() } else { Vec::new() }
}
