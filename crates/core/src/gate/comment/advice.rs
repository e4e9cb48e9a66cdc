//! What to change in a comment that was turned away. Wording only: nothing is judged by it.

use super::EvidenceLack;
use crate::gate::Breach;

impl Breach {
    /// What its author can change, in one sentence.
    pub fn fix(&self) -> String {
        match self {
            Self::Empty => "Write what you have to say.".into(),
            Self::TooLong { most, .. } => {
                format!("Shorten it to {most} characters, and refer to a file for the rest.")
            }
            Self::StanceMissing => "Say whether you approve, object or are neutral.".into(),
            Self::ConfidenceMissing | Self::ConfidenceOutside { .. } => {
                "State a confidence within the range.".into()
            }
            Self::FieldMissing { field } => format!("Fill in the section `{field}`."),
            Self::StanceUnexpected { expected, .. } => format!("Argue for {expected}: that is your part."),
            Self::Conformity { .. } => "Name the argument that changed your mind.".into(),
            Self::CommentBudgetExceeded { .. } => {
                "Wait for the moderator: your comments on this issue are used up until it is unfrozen with guidance.".into()
            }
            Self::IssueCommentLimit { .. } => {
                "Wait for the moderator: the issue has to be resolved, or unfrozen with guidance.".into()
            }
            Self::EscalationLanguage { found, .. } => {
                format!("Remove these words and say what you found: {}.", found.join(", "))
            }
            Self::PingPong { with, .. } => {
                format!("Wait until somebody other than you and {with} has commented.")
            }
            Self::InsufficientSubstance { given, least } => {
                format!("Add {} characters or more: what did you look at, and what follows from it?", least.saturating_sub(*given))
            }
            Self::LowVocabulary { .. } => {
                "Name the file, the lines and what stands there instead of repeating yourself.".into()
            }
            Self::Repetition { comment, .. } => format!(
                "Say what you found that comment {comment} does not say. To agree with it, approve with a reason of your own, or support the issue without a comment."
            ),
            Self::MissingEvidence { lacks, .. } => match lacks {
                EvidenceLack::KnownIssue { .. } => {
                    "Cite an issue that exists: `synod issue list --all` shows all of them.".into()
                }
                EvidenceLack::KnownCanon { .. } => {
                    "Cite an entry of the canon that exists: `synod canon list` shows all of them.".into()
                }
                EvidenceLack::Lines => "Name the lines of each file, or quote it: path:10-14 \"quote\".".into(),
                EvidenceLack::Sources { .. }
                | EvidenceLack::Anything
                | EvidenceLack::FileOrIssue
                | EvidenceLack::File
                | EvidenceLack::IssueOrCanon
                | EvidenceLack::FileAndOther => {
                    "Write it into the text or give it with --evidence: path:10-14 \"quote\", #34 or canon:eyes@2.".into()
                }
            },
            Self::FalseEvidence { .. } => {
                "Read the file again and quote what stands there: `synod evidence check FILE --quote TEXT` tells.".into()
            }
            Self::PrematureResolution { alone: true, .. } => {
                "Wait until somebody else has commented; an acknowledgement is not enough.".into()
            }
            Self::PrematureResolution { alone: false, .. } => {
                "Comment without resolving it, and let others speak first.".into()
            }
        }
    }
}
