//! What a comment rests on, by how much it would change.

use serde::{Deserialize, Serialize};

use super::{CommentLimits, OfferedComment};
use crate::gate::Breach;
use crate::kernel::{CommentKind, Impact};

/// What a comment would have to cite besides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EvidenceLack {
    /// A file, an issue or an entry of the canon.
    Anything,
    /// A file or an issue.
    FileOrIssue,
    /// A file.
    File,
    /// An issue or an entry of the canon.
    IssueOrCanon,
    /// A file, and an issue or an entry of the canon.
    FileAndOther,
    /// More sources: its author is under remediation.
    Sources {
        /// How many at least.
        least: u32,
    },
    /// The lines of each file: its author is under remediation.
    Lines,
    /// Issues that exist: these do not.
    KnownIssue {
        /// Their numbers.
        numbers: Vec<u64>,
    },
    /// Entries of the canon that exist: these do not.
    KnownCanon {
        /// Their names.
        names: Vec<String>,
    },
}

impl EvidenceLack {
    /// Whether it is asked for because of how much the comment would change, rather than of everybody or of this author.
    pub(crate) fn follows_from_impact(&self) -> bool {
        match self {
            Self::Anything | Self::FileOrIssue | Self::File | Self::IssueOrCanon | Self::FileAndOther => true,
            Self::Sources { .. } | Self::Lines | Self::KnownIssue { .. } | Self::KnownCanon { .. } => false,
        }
    }

    /// What to add, in words.
    pub fn words(&self) -> String {
        match self {
            Self::Anything => "cite a file, an issue or an entry of the canon".into(),
            Self::FileOrIssue => "cite a file or an issue".into(),
            Self::File => "cite a file as well".into(),
            Self::IssueOrCanon => "cite an issue or an entry of the canon as well".into(),
            Self::FileAndOther => "cite a file, and an issue or an entry of the canon".into(),
            Self::Sources { least } => {
                format!("too much of yours was wrong lately, so cite at least {least} sources")
            }
            Self::Lines => {
                "too much of yours was wrong lately, so cite lines or words, not only a file".into()
            }
            Self::KnownIssue { numbers } => {
                let numbers: Vec<String> = numbers.iter().map(|number| format!("#{number}")).collect();
                format!("there is no issue {}: cite one that exists", numbers.join(", "))
            }
            Self::KnownCanon { names } => {
                format!("there is no entry {} in the canon: cite one that exists", names.join(", "))
            }
        }
    }
}

/// What is missing, or was cited and does not exist. One breach for both: they are one rule.
pub(super) fn missing(limits: &CommentLimits, offered: &OfferedComment<'_>) -> Vec<Breach> {
    // A comment that says nothing of its impact must not escape the rule by that.
    let impact = offered.impact.unwrap_or(Impact::Minor);
    let cites = &offered.cites;
    let breach = |lacks: EvidenceLack| Breach::MissingEvidence { impact, lacks };
    let mut found = Vec::new();
    if !cites.unknown_issues.is_empty() {
        found.push(breach(EvidenceLack::KnownIssue { numbers: cites.unknown_issues.clone() }));
    }
    if !cites.unknown_canon.is_empty() {
        found.push(breach(EvidenceLack::KnownCanon { names: cites.unknown_canon.clone() }));
    }
    // Wording included: whoever erred lately would call everything cosmetic.
    if offered.kind == CommentKind::Comment {
        let sources = cites.files + cites.issues + cites.canon;
        let few =
            (sources < limits.sources_least).then_some(EvidenceLack::Sources { least: limits.sources_least });
        let bare = (limits.places_needed && cites.bare_files > 0).then_some(EvidenceLack::Lines);
        found.extend(few.into_iter().chain(bare).map(breach));
    }
    // Questions and acknowledgements decide nothing, so nothing has to carry them.
    if impact < limits.evidence_from || offered.kind != CommentKind::Comment {
        return found;
    }
    let (files, others) = (cites.files > 0, cites.issues + cites.canon > 0);
    let lacks = match impact {
        Impact::Cosmetic => None, // wording needs none, whatever a charter says
        Impact::Minor => (!files && !others).then_some(EvidenceLack::Anything),
        Impact::Structural => (!files && cites.issues == 0).then_some(EvidenceLack::FileOrIssue),
        Impact::CanonChanging => match (files, others) {
            (true, true) => None,
            (false, true) => Some(EvidenceLack::File),
            (true, false) => Some(EvidenceLack::IssueOrCanon),
            (false, false) => Some(EvidenceLack::FileAndOther),
        },
    };
    found.extend(lacks.map(breach));
    found
}
