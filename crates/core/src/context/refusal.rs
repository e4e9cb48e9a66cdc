//! What is refused of material, focus questions, and answers to requests.

use super::MalformedContext;
use crate::kernel::{Id, MatterId, refusals};

refusals! {
    /// What is refused of the context of a matter.
    pub enum Refusal {
        /// Material, a focus question, an answer or a perspective is empty or too long. The message gives the limit.
        #[error("{0}")]
        Malformed(MalformedContext) = "context/malformed", Invalid,

        /// The matter has no such request. `synod show` lists its requests.
        #[error("matter {matter} has no request {request}")]
        UnknownRequest {
            /// The matter.
            matter: MatterId,
            /// As given.
            request: Id,
        } = "context/unknown-request", Unknown,

        /// The request is already answered or waived, or a file was or is being read for it. The first answer stands.
        #[error("request {request} is already {}", became.word())]
        RequestDone {
            /// The request.
            request: Id,
            /// What became of it.
            became: RequestClosure,
        } = "context/request-done", Conflict,

        /// Required requests are open. Use `synod answer` or `synod waive` on each, then resume the matter.
        #[error(
            "matter {matter} needs context: answer or waive {}",
            pending.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        )]
        Pending {
            /// The matter.
            matter: MatterId,
            /// The open requests.
            pending: Vec<Id>,
        } = "context/pending", Conflict,

        /// No round follows that could use the focus question. Allow more rounds, or leave the focus out.
        #[error("no round follows round {round}, so a focus question has no use: allow more rounds, or leave it out")]
        NoRoundLeft {
            /// The last round.
            round: u32,
        } = "context/no-round-left", Conflict,
    }
}

/// The way in which a request was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestClosure {
    /// The operator answered it.
    Answered,
    /// The operator waived it.
    Waived,
    /// A file is being read for it.
    Reading,
    /// A file was read for it.
    Read,
    /// The file it names was not read.
    Unread,
}

impl RequestClosure {
    /// One word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Waived => "waived",
            Self::Reading => "being answered by reading its file",
            Self::Read => "answered by its file",
            Self::Unread => "closed: its file was not read",
        }
    }
}
