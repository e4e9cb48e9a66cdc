//! One round of a matter, whole: who said what, who is missing, what was found in it.

use serde::Serialize;

use super::{Marked, Missing, RefusedRow, Report, RequestRow, Round, SkipRow, place, what};
use crate::Task;
use crate::house::Case;
use crate::kernel::{MatterId, ProposalId};
use crate::matter::Question;

/// One round, whole.
#[derive(Debug, Clone, Serialize)]
pub struct RoundReport {
    /// The matter.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// What was asked.
    pub question: Question,
    /// Where the matter stands, in a word.
    pub status: &'static str,
    /// Whether it is over. One that is not may still gain answers.
    pub over: bool,
    /// What was said and found.
    #[serde(flatten)]
    pub round: Round,
    /// Who gave no answer, and why.
    pub missing: Vec<Missing>,
    /// The proposals of a ring, each with its letter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<(ProposalId, char)>,
    /// Turns of a ring that were skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<SkipRow>,
    /// Rules of the charter that statements broke.
    pub marked: Vec<Marked>,
    /// What was asked of the operator.
    pub requests: Vec<RequestRow>,
    /// Requests that do not stand.
    pub refused_requests: Vec<RefusedRow>,
}

impl RoundReport {
    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = super::stands(self.status, held);
        self
    }

    /// Reads a round; `None` if the matter has not come to it.
    pub fn of(case: &Case, round: u32) -> Option<Self> {
        if round == 0 || round > case.round() {
            return None;
        }
        let report = Report::of(case);
        let spoken = format!("round {round}");
        let found = report.rounds.into_iter().find(|found| found.round == round);
        let mut silent: Vec<_> =
            case.lapses.iter().filter(|lapse| lapse.task == Task::Speak { round }).collect();
        silent.sort_by_key(|lapse| place(case, &lapse.who));
        let row = |lapse: &crate::house::Lapse| Missing {
            who: lapse.who.clone(),
            what: what(case, lapse.task),
            cause: lapse.cause.clone(),
        };
        Some(Self {
            matter: case.id,
            number: case.number,
            question: report.question,
            status: report.status,
            over: round < case.round() || case.round_is_over(),
            // Nobody has spoken in it yet, or nobody did at all.
            round: found
                .unwrap_or_else(|| Round::empty(round, case.stage().map(|stage| stage.name.as_str()))),
            missing: silent.into_iter().map(|lapse| row(lapse)).collect(),
            proposals: report
                .ring
                .as_ref()
                .map(|ring| ring.proposals.iter().map(|put| (put.id, put.letter)).collect())
                .unwrap_or_default(),
            skips: report
                .ring
                .map(|ring| ring.skips.into_iter().filter(|row| row.round == Some(round)).collect())
                .unwrap_or_default(),
            marked: report.marked.into_iter().filter(|row| row.what == spoken).collect(),
            requests: report.requests.into_iter().filter(|row| row.round == round).collect(),
            refused_requests: report.refused_requests.into_iter().filter(|row| row.round == round).collect(),
        })
    }
}
