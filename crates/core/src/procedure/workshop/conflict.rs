//! What follows for credits when canon is kept against something that was written, and when an issue becomes canon.
//!
//! Only code judges here: who wrote what contradicts, in which capacity, and who cited the entry before anybody decided. Overriding and
//! discussing move nothing, whoever asks for it.

use super::author::Author;
use super::award::named;
use super::canon::canon_ref;
use super::credit::earns;
use super::state::parts;
use crate::canon::{CanonRef, ConflictChoice, EntryName, FoundConflicts};
use crate::evidence::references_in;
use crate::house::{Case, Flow};
use crate::kernel::{AuthorClass, Choice, Reference, Who};
use crate::ledger::{CitationOutcome, CreditReason, LedgerCaller, TeamReason, UpgradeScope};

impl Flow {
    /// The user or a lead keeps canon against what somebody wrote. Who pointed it out before kept the house from drifting; an agent
    /// that wrote it said something false. `found` is the conflict as it was before this.
    pub(super) fn credit_kept(&mut self, found: &FoundConflicts, name: &EntryName) {
        let Ok(case) = self.any_issue(found.matter) else { return };
        let (Some(class), None) = (class_of_text(&case, found), case.redacted_by) else { return };
        let note = found.conflicts.iter().find(|note| note.entry.name == *name);
        let Some(entry) = note.map(|note| note.entry.clone()) else { return };
        let witness = self.first_witness(&case, found, &entry);
        match class {
            AuthorClass::User => {
                if let Some(who) = &witness {
                    self.credit_by_house(&case, CreditReason::UserConflictPrevented, who);
                }
            }
            AuthorClass::Agent | AuthorClass::Moderator => {
                let kept = found.decided.iter().any(|(_, choice)| *choice == ConflictChoice::Keep);
                if !kept && !is_open_about(&case, found, name) {
                    self.credit_by_house(&case, CreditReason::HallucinationDetected, &found.who);
                }
            }
            AuthorClass::System => (),
        }
        if let Some(who) = &witness {
            self.credit_team(&case, TeamReason::TeamCanonIntegrity, Some(who));
        }
        self.turn_to(case.id);
    }

    /// The first agent that cited the entry, at the version that is contradicted, after the text and before anybody decided. Not
    /// its author, nobody who approves of it, and nobody who contradicts the entry here as well.
    fn first_witness(&self, case: &Case, found: &FoundConflicts, entry: &CanonRef) -> Option<Who> {
        let contradicts = |who: &Who| {
            let mut own = self.house.canon().found().filter(|one| one.matter == case.id && one.who == *who);
            own.any(|one| one.conflicts.iter().any(|note| note.entry.name == entry.name))
        };
        let mut later = case.comments().filter(|(said, _)| found.comment.is_none_or(|text| text < said.id));
        let witness = later.find(|(_, heard)| {
            let cites = heard.comment.evidence.iter().filter_map(canon_ref).any(|cited| cited == *entry);
            let free = heard.who != &found.who && heard.stance != Some(Choice::Yes);
            cites && free && earns(heard.comment.class) && !contradicts(heard.who)
        });
        witness.map(|(_, heard)| heard.who.clone())
    }

    /// An issue became canon: what others cited in it helped to settle something that was open.
    pub(super) fn credit_promotion(&mut self, case: &Case, author: &Author) {
        let by = &LedgerCaller { class: author.class, names: &[], who: named(author) };
        self.raise_citations(case, UpgradeScope::Matter, CitationOutcome::EstablishedNewCanon, by);
        self.turn_to(case.id);
    }
}

/// In which capacity somebody wrote what contradicts canon; `None` if it is not there any more.
fn class_of_text(case: &Case, found: &FoundConflicts) -> Option<AuthorClass> {
    let Some(comment) = found.comment else { return Some(parts(case).1.issue.class) };
    case.comments().find(|(said, _)| said.id == comment).map(|(_, heard)| heard.comment.class)
}

/// Whether a text cites the entry that it contradicts: who says so openly proposes a change, and invents nothing.
fn is_open_about(case: &Case, found: &FoundConflicts, name: &EntryName) -> bool {
    let cited: Vec<Reference> = match found.comment {
        None => references_in(&parts(case).1.issue.body),
        Some(comment) => {
            let mut all = case.comments().filter(|(said, _)| said.id == comment);
            all.next().map(|(_, heard)| heard.comment.evidence.clone()).unwrap_or_default()
        }
    };
    cited.iter().filter_map(canon_ref).any(|entry| entry.name == *name)
}
