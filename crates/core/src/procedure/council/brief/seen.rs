//! How far a reader sees: what the texts of an ask follow from, besides the seat itself.

use crate::Task;
use crate::floor;
use crate::house::{Became, Case, Item, Reader, Requested};
use crate::kernel::{Contribution, Who};
use crate::lens::Sees;

/// Readers who get the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Audience {
    voting: bool,
    nothing: bool,
    this_round: bool,
    /// Whose side of this round is seen, where only that is.
    team: Option<usize>,
}

/// Everything besides the seat that decides the texts of an ask: how far the seat sees, and how much there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct VisibleExtent {
    pub(super) sees: Sees,
    /// Whose side of this round is seen, where only that is.
    pub(super) team: usize,
    pub(super) voting: bool,
    pub(super) round: u32,
    pub(super) said: usize,
    pub(super) ballots: usize,
    /// Acts of the operator: material and answers.
    pub(super) given: usize,
    /// The round up to which a scribe has digested what was said.
    pub(super) digested: Option<u32>,
    /// Whether it is somebody who judges or sums up.
    pub(super) clerk: bool,
}

impl VisibleExtent {
    pub(super) fn of(case: &Case, who: &Who, task: Task) -> Self {
        let (sees, voting, round) = match task {
            Task::Speak { round } => {
                (case.speaking().map_or(Sees::EarlierRounds, |speak| speak.sees), false, round)
            }
            // Nothing was said before a motion is seconded.
            Task::Second => (Sees::EarlierRounds, false, case.round()),
            // A voter sees what the speakers of another round could have answered.
            Task::Vote { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh => {
                (Sees::SoFar, true, case.round())
            }
        };
        let ballots = case.ballots.iter().filter(|ballot| ballot.result.is_some()).count();
        let team = match sees {
            Sees::Team => case.place(who).map_or(0, floor::team),
            Sees::Nothing | Sees::EarlierRounds | Sees::SoFar => 0,
        };
        let done = case.dossier.requests.values().filter(|row| row.became != Became::Open).count();
        let given = case.dossier.material.len() + done;
        let digested = case.dossier.digest.as_ref().map(|(round, _)| *round);
        let clerk = matches!(task, Task::Clerk(_));
        Self { sees, team, voting, round, said: case.said.len(), ballots, given, digested, clerk }
    }

    pub(super) fn audience(&self) -> Audience {
        let (nothing, this_round, team) = match self.sees {
            Sees::Nothing => (true, false, None),
            Sees::EarlierRounds => (false, false, None),
            Sees::SoFar => (false, true, None),
            Sees::Team => (false, true, Some(self.team)),
        };
        Audience { voting: self.voting, nothing, this_round, team }
    }

    /// Whether a contribution is of the round under way, where others may still speak after the reader.
    pub(super) fn is_fresh(&self, said: &Contribution) -> bool {
        said.round == self.round && !self.voting
    }

    /// Whether what became of a request may be seen. A file is told from the round after the one it was asked for in: all who
    /// speak in a round know the same, and nobody learns from it what others just said.
    pub(super) fn shows_request(&self, case: &Case, row: &Requested) -> bool {
        let over = row.request.file.is_none() || row.round < self.round || self.voting;
        over && case.may_see(self.reader(), Item::Round(row.round))
    }

    /// Whether a contribution may be seen.
    pub(super) fn shows(&self, case: &Case, said: &Contribution) -> bool {
        case.may_see(self.reader(), Item::Contribution(said))
    }

    /// The reader, as the lens knows it.
    pub(super) fn reader(&self) -> Reader<'static> {
        Reader::Speaker { sees: self.sees, round: self.round, team: self.team }
    }
}
