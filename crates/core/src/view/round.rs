//! One round of a matter, whole: who said what, who is missing, what was found in it.

use serde::Serialize;

use super::{Marked, Missing, PendingAnswers, RefusedRow, Report, RequestRow, Round, SkipRow, place, what};
use crate::Task;
use crate::house::Case;
use crate::kernel::{Id, MatterId, ProposalId, Who};
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
    /// How many have answered, while it is under way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pending: Option<PendingAnswers>,
    /// Who gave no answer, and why.
    pub missing: Vec<Missing>,
    /// The proposals of a ring, each with its letter.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proposals: Vec<(ProposalId, char)>,
    /// Turns of a ring that were skipped.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<SkipRow>,
    /// What proposers of a ring answered to changes in this round.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<RulingRow>,
    /// Rules of the charter that statements broke.
    pub marked: Vec<Marked>,
    /// What was asked of the operator.
    pub requests: Vec<RequestRow>,
    /// Requests that do not stand.
    pub refused_requests: Vec<RefusedRow>,
}

/// An answer to a change that somebody wanted to a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulingRow {
    /// The letter of the proposal.
    pub letter: char,
    /// Whose proposal it is.
    pub who: Who,
    /// Who wanted the change.
    pub of: Who,
    /// Whether it was taken.
    pub accepted: bool,
    /// The reason given.
    pub why: Option<String>,
}

/// Every answer to a change, by its event and its round.
pub(super) fn rulings(case: &Case) -> Vec<(Id, u32, RulingRow)> {
    let proposals = case.ring().into_iter().flat_map(|(_, state)| &state.table.proposals);
    let changes = proposals.flat_map(|put| put.amendments.iter().map(move |change| (put, change)));
    let mut rulings: Vec<_> = changes
        .filter_map(|(put, change)| {
            let ((id, round), accepted) = change.ruled.zip(change.accepted)?;
            let (who, of, why) = (put.who.clone(), change.who.clone(), change.answer.clone());
            Some((id, round, RulingRow { letter: put.letter(), who, of, accepted, why }))
        })
        .collect();
    rulings.sort_by_key(|(id, ..)| *id);
    rulings
}

impl RoundReport {
    /// The same, where somebody holds its house or nobody does.
    pub fn stands(mut self, held: bool) -> Self {
        self.status = super::stands(self.status, held);
        self
    }

    /// Reads a round; `None` if the matter has not come to it.
    pub fn of(case: &Case, round: u32) -> Option<Self> {
        // Before the first round of a ring all propose.
        let proposing = round == 0 && case.ring().is_some() && case.round() > 0;
        if (round == 0 && !proposing) || round > case.round() {
            return None;
        }
        let report = Report::of(case);
        let spoken = format!("round {round}");
        let found = report.rounds.into_iter().find(|found| found.round == round);
        let mut silent: Vec<_> = case.lapses.iter().filter(|lapse| is_of(lapse.task, round)).collect();
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
            pending: report.pending.filter(|pending| pending.what == spoken),
            missing: silent.into_iter().map(|lapse| row(lapse)).collect(),
            proposals: report
                .ring
                .as_ref()
                .map(|ring| ring.proposals.iter().map(|put| (put.id, put.letter)).collect())
                .unwrap_or_default(),
            skips: report
                .ring
                .map(|ring| ring.skips.into_iter().filter(|row| row.is_of(round)).collect())
                .unwrap_or_default(),
            rulings: rulings(case)
                .into_iter()
                .filter(|(_, of, _)| *of == round)
                .map(|(.., row)| row)
                .collect(),
            marked: report.marked.into_iter().filter(|row| row.what == spoken).collect(),
            requests: report.requests.into_iter().filter(|row| row.round == round).collect(),
            refused_requests: report.refused_requests.into_iter().filter(|row| row.round == round).collect(),
        })
    }
}

/// Whether an ask belongs to a round. Proposals are asked for before the first.
fn is_of(task: Task, round: u32) -> bool {
    task == Task::Speak { round } || (round == 0 && task == Task::Propose)
}

impl SkipRow {
    /// Whether the turn belongs to a round.
    fn is_of(&self, round: u32) -> bool {
        self.round == Some(round) || (round == 0 && self.round.is_none() && !self.weigh)
    }
}
