//! Canon: what now holds. Entries with a stable name, their versions, and the claims each makes; the ladder that an issue
//! climbs before it becomes canon; and the check of a text against canon.
//!
//! Canon is told who moves something and in which role; it never looks up who somebody is, and it opens no issue. What a
//! model proposes is a proposal until a person or a rule accepts it.
//!
//! To add a rule of promotion: `ladder.rs`. To teach it a sentence: `claim/`.

mod check;
mod claim;
mod decide;
mod entry;
mod found;
mod ladder;
mod proposed;
mod refusal;
mod search;
mod snapshot;

use std::sync::Arc;

use imbl::{OrdMap, OrdSet, Vector};
use serde::{Deserialize, Serialize};

use crate::kernel::{About, Actor, AskChange, At, Id, MatterId, Who, Words as _, words};

pub use check::{CONFLICTS_MOST, CanonConflict, Contradiction, conflicts};
pub use claim::{Claim, ClaimDate, ClaimTime, ClaimValue, FoundClaim, Quantity, SAID_MOST, claims};
pub use decide::{Promotion, TEXT_MOST};
pub use entry::{CanonEntry, CanonRef, CanonVersion, CitedEntry, EntryName, EntryStatus};
pub use found::{ConflictNote, FoundConflicts};
pub use ladder::{CanonRole, IssueSupport, Mover, Rules, may_move};
pub use proposed::{ClaimSource, ProposedClaims};
pub use refusal::Refusal;
pub use search::{SUBJECT_WORDS_MOST, TopicWords, subject_key};

use snapshot::CanonSnapshot;

/// What to do about a text that contradicts canon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictChoice {
    /// The text becomes canon: the entry gets a new version.
    Override,
    /// Canon stays, and the text is to be changed.
    Keep,
    /// An issue is opened in which the house discusses it.
    Discuss,
}

impl ConflictChoice {
    /// All of them, in the order in which people are offered them.
    pub const ALL: [Self; 3] = [Self::Override, Self::Keep, Self::Discuss];

    /// The word people type.
    pub fn word(self) -> &'static str {
        match self {
            Self::Override => "override",
            Self::Keep => "keep",
            Self::Discuss => "discuss",
        }
    }
}

/// What happens to canon. Everything that a rule needed to know is in the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody chose what to do about a conflict.
    ConflictDecided {
        /// Who.
        by: Actor,
        /// What.
        choice: ConflictChoice,
        /// The conflict, where it was recorded.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        conflict: Option<Id>,
        /// The entry that is contradicted.
        entry: CanonRef,
        /// The issue in which it came up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matter: Option<MatterId>,
        /// The issue that was opened to discuss it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opened: Option<MatterId>,
    },
    /// What somebody wrote in an issue contradicts canon. Its id is the id of the conflict.
    Contradicted {
        /// The comment; none if it is what the issue itself says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<Id>,
        /// Where and how.
        conflicts: Vec<ConflictNote>,
        /// The issue.
        matter: MatterId,
        /// Who wrote it.
        who: Who,
    },
    /// A comment cites a version of an entry that another took the place of, or that does not hold any more.
    OldVersionCited {
        /// The comment.
        comment: Id,
        /// What it cites.
        entry: CanonRef,
        /// The latest version.
        latest: u32,
        /// The issue.
        matter: MatterId,
        /// Who wrote it.
        who: Who,
    },
    /// The house searched canon for what a comment says is missing there.
    Searched {
        /// The comment.
        comment: Id,
        /// What was found; the gap is real if nothing was.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        found: Vec<CanonRef>,
        /// The issue.
        matter: MatterId,
        /// What was searched for.
        subject: String,
        /// Who wrote the comment.
        who: Who,
    },
    /// Claims were proposed for an entry. Its id is the id of the proposal.
    ClaimsProposed {
        /// The claims.
        claims: Vec<Claim>,
        /// The entry and version.
        entry: CanonRef,
        /// Who or what proposed them.
        source: ClaimSource,
    },
    /// Proposed claims were accepted or refused.
    ClaimsDecided {
        /// Whether the entry makes these claims from now on.
        accepted: bool,
        /// Who decided.
        by: Actor,
        /// The proposal.
        proposal: Id,
        /// The reason given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// An entry ended without another in its place.
    Ended {
        /// Who ended it.
        by: Actor,
        /// The entry and its last version.
        entry: CanonRef,
        /// The reason given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A text became canon, as a new entry or as the next version of one.
    Promoted {
        /// Who promoted it.
        by: Actor,
        /// In which role.
        role: CanonRole,
        /// What it claims.
        claims: Vec<Claim>,
        /// Its name and version.
        entry: CanonRef,
        /// The issue it came from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        matter: Option<MatterId>,
        /// The version it takes the place of.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        supersedes: Option<u32>,
        /// The text.
        text: String,
        /// It holds until then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        until: Option<At>,
        /// The agents that voted for it, where these decided.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        votes: Vec<Who>,
    },
    /// A participant finds an issue sound, or no longer does.
    Supported {
        /// Whether they do.
        holds: bool,
        /// The issue.
        matter: MatterId,
        /// Who.
        who: Who,
    },
}

words!(enum Event {
    ConflictDecided { | by, choice, conflict, entry, matter, opened },
    Contradicted { conflicts | comment, matter, who },
    OldVersionCited { | comment, entry, latest, matter, who },
    Searched { subject | comment, found, matter, who },
    ClaimsProposed { claims, source | entry },
    ClaimsDecided { why | accepted, by, proposal },
    Ended { why | by, entry },
    Promoted { claims, text | by, role, entry, matter, supersedes, until, votes },
    Supported { | holds, matter, who },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Supported { matter, .. }
            | Self::Contradicted { matter, .. }
            | Self::Searched { matter, .. }
            | Self::OldVersionCited { matter, .. } => About::Matter(*matter),
            // Its words are those of the issue it came from, and go with them.
            Self::Promoted { matter, .. } => matter.map_or(About::House, About::Matter),
            Self::ConflictDecided { .. } | Self::Ended { .. } => About::House,
            Self::ClaimsProposed { .. } | Self::ClaimsDecided { .. } => About::House,
        }
    }

    /// It does nothing to asks.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}

/// Everything that is canon, was canon, or is on the way there. Copies are cheap: what lies here is shared.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(into = "CanonSnapshot", from = "CanonSnapshot")]
pub struct Canon {
    entries: OrdMap<EntryName, CanonEntry>,
    /// Who finds which issue sound.
    support: OrdMap<MatterId, OrdSet<Who>>,
    proposals: OrdMap<Id, ProposedClaims>,
    /// What was written and contradicts canon, decided or not.
    found: OrdMap<Id, FoundConflicts>,
    decisions: Vector<DecidedConflict>,
}

/// A choice about a conflict, as it was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecidedConflict {
    /// When.
    pub at: At,
    /// By whom.
    pub by: Actor,
    /// What.
    pub choice: ConflictChoice,
    /// The entry that was contradicted.
    pub entry: CanonRef,
    /// The issue in which it came up.
    pub matter: Option<MatterId>,
    /// The issue that was opened to discuss it.
    pub opened: Option<MatterId>,
}

impl Canon {
    /// Records an event. `id` is that of the event. Judges nothing; what it cannot find it leaves alone.
    pub fn apply(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::ConflictDecided { by, choice, conflict, entry, matter, opened } => {
                if let Some(found) = conflict.and_then(|id| self.found.get_mut(&id)) {
                    found.decide(&entry.name, *choice);
                }
                self.decisions.push_back(DecidedConflict {
                    at,
                    by: by.clone(),
                    choice: *choice,
                    entry: entry.clone(),
                    matter: *matter,
                    opened: *opened,
                });
            }
            Event::Contradicted { comment, conflicts, matter, who } => {
                let found = FoundConflicts::new(id, at, *comment, conflicts.clone(), *matter, who.clone());
                self.found.insert(id, found);
            }
            // The thread holds the citation itself.
            Event::OldVersionCited { .. } | Event::Searched { .. } => (),
            Event::ClaimsProposed { claims, entry, source } => {
                let proposed = ProposedClaims::new(id, at, entry.clone(), claims.clone(), source.clone());
                self.proposals.insert(id, proposed);
            }
            Event::ClaimsDecided { accepted, by, proposal, why } => {
                self.record_claims(*accepted, by, *proposal, why)
            }
            Event::Ended { by, entry, why } => {
                if let Some(known) = self.entries.get_mut(&entry.name) {
                    known.end(entry.version, at, by.clone(), why.clone());
                }
            }
            Event::Promoted { .. } => self.record_version(at, event),
            Event::Supported { holds, matter, who } => {
                let supporters = self.support.entry(*matter).or_default();
                match holds {
                    true => supporters.insert(who.clone()),
                    false => supporters.remove(who),
                };
            }
        }
    }

    fn record_version(&mut self, at: At, event: &Event) {
        let Event::Promoted { by, claims, entry, matter, text, until, votes, .. } = event else { return };
        let version = CanonVersion {
            at,
            by: by.clone(),
            claims: claims.clone(),
            ended: None,
            matter: *matter,
            text: text.clone(),
            until: *until,
            version: entry.version,
            votes: votes.clone(),
        };
        self.entries.entry(entry.name.clone()).or_default().add(Arc::new(version));
    }

    fn record_claims(&mut self, accepted: bool, by: &Actor, proposal: Id, why: &Option<String>) {
        let Some(proposed) = self.proposals.get_mut(&proposal) else { return };
        proposed.decide(accepted, by.clone(), why.clone());
        let (entry, claims) = (proposed.entry.clone(), proposed.claims.clone());
        if let Some(known) = self.entries.get_mut(&entry.name).filter(|_| accepted) {
            known.add_claims(entry.version, &claims);
        }
    }

    /// All entries by name, those that ended too.
    pub fn entries(&self) -> impl Iterator<Item = (&EntryName, &CanonEntry)> {
        self.entries.iter()
    }

    /// An entry with its history.
    pub fn entry(&self, name: &EntryName) -> Option<&CanonEntry> {
        self.entries.get(name)
    }

    /// What holds at a time: of each entry the version that holds then.
    pub fn current(&self, at: At) -> impl Iterator<Item = (&EntryName, &Arc<CanonVersion>)> {
        self.entries.iter().filter_map(move |(name, entry)| entry.current(at).map(|version| (name, version)))
    }

    /// Entries whose time is over although nobody ended them, by name.
    pub fn expired(&self, at: At) -> impl Iterator<Item = (&EntryName, &Arc<CanonVersion>)> {
        let expired =
            move |version: &&Arc<CanonVersion>| matches!(version.status(at), EntryStatus::Expired { .. });
        self.entries
            .iter()
            .filter_map(move |(name, entry)| entry.latest().filter(expired).map(|version| (name, version)))
    }

    /// The next moment after `at` at which an entry expires: when somebody should look again.
    pub fn next_expiry(&self, at: At) -> Option<At> {
        let latest = self.entries.values().filter_map(CanonEntry::latest);
        latest
            .filter(|version| version.ended.is_none())
            .filter_map(|version| version.until)
            .filter(|until| *until > at)
            .min()
    }

    /// What a citation leads to.
    pub fn cite(&self, cited: &CanonRef, at: At) -> CitedEntry<'_> {
        self.entries.get(&cited.name).map_or(CitedEntry::Unknown, |entry| entry.cite(cited.version, at))
    }

    /// Everyone who finds an issue sound.
    pub fn supporters(&self, matter: MatterId) -> OrdSet<Who> {
        self.support.get(&matter).cloned().unwrap_or_default()
    }

    /// Whether a version that holds came from an issue.
    pub fn rests_on(&self, matter: MatterId, at: At) -> bool {
        self.current(at).any(|(_, version)| version.matter == Some(matter))
    }

    /// Whether any version ever came from an issue, also one that does not hold any more.
    pub fn ever_rested_on(&self, matter: MatterId) -> bool {
        self.entries.values().flat_map(CanonEntry::history).any(|version| version.matter == Some(matter))
    }

    /// The versions that hold and came from an issue, by name.
    pub fn resting_on(&self, matter: MatterId, at: At) -> impl Iterator<Item = CanonRef> {
        let from = self.current(at).filter(move |(_, version)| version.matter == Some(matter));
        from.map(|(name, version)| CanonRef { name: name.clone(), version: version.version })
    }

    /// What was written in issues and contradicts canon, the oldest first; also what is decided.
    pub fn found(&self) -> impl DoubleEndedIterator<Item = &FoundConflicts> {
        self.found.values()
    }

    /// What was written in an issue and recorded under this id.
    pub fn found_conflict(&self, id: Id) -> Option<&FoundConflicts> {
        self.found.get(&id)
    }

    /// Whether somebody still has to choose about a conflict with an entry: nobody has chosen, and the version that was contradicted still
    /// holds. What a later version says was not yet written when the text was, so nobody is charged for contradicting it.
    pub fn is_undecided(&self, found: &FoundConflicts, note: &ConflictNote, at: At) -> bool {
        let current = self.entry(&note.entry.name).and_then(|entry| entry.current(at));
        let holds = current.is_some_and(|version| version.version == note.entry.version);
        holds && found.choice(&note.entry.name).is_none()
    }

    /// Whether somebody still has to choose about any of them.
    pub fn is_open(&self, found: &FoundConflicts, at: At) -> bool {
        found.conflicts.iter().any(|note| self.is_undecided(found, note, at))
    }

    /// Forgets what came from the words of an issue: the text of its entries, what they claim, and the sentences in which
    /// it contradicted others. Versions, times and names stay.
    pub(crate) fn forget(&mut self, matter: MatterId) {
        let named: Vec<EntryName> = self.entries.keys().cloned().collect();
        for name in named {
            if let Some(entry) = self.entries.get_mut(&name) {
                entry.forget(matter);
            }
        }
        let of_issue = self.found.values().filter(|found| found.matter == matter).map(|found| found.id);
        for id in of_issue.collect::<Vec<_>>() {
            if let Some(found) = self.found.get_mut(&id) {
                found.redact();
            }
        }
    }

    /// Claims that were proposed, decided or not, the oldest first.
    pub fn proposals(&self) -> impl Iterator<Item = &ProposedClaims> {
        self.proposals.values()
    }

    /// What was chosen about conflicts, the oldest first.
    pub fn decisions(&self) -> impl Iterator<Item = &DecidedConflict> {
        self.decisions.iter()
    }
}
