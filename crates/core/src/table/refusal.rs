//! What the table of a ring refuses: texts that do not fit, and what its proposals and amendments do not allow.

use crate::kernel::{AmendmentId, Id, ProposalId, Who, refusals};

refusals! {
    /// What the table of a ring refuses.
    pub enum Refusal {
        /// The text is empty. Say something, or skip the turn: `synod ring skip`.
        #[error("the text is empty: say something, or skip your turn")]
        Empty = "table/empty", Invalid,

        /// The text is too long. It is refused as a whole and never cut; shorten it and refer to files.
        #[error("{given} characters, at most {most} are allowed: shorten it and refer to files")]
        TooLong {
            /// Its length, in characters.
            given: usize,
            /// The longest allowed.
            most: usize,
        } = "table/too-long", Invalid,

        /// The ring has as many proposals as there are letters, or this participant has made as many as the charter allows one
        /// alone (`proposals_each`). Amend one of them: `synod ring amend`.
        #[error("{}: amend one of them", enough(*most, who.as_ref()))]
        TooManyProposals {
            /// The most.
            most: usize,
            /// Who has made so many; nobody if all together have.
            who: Option<Who>,
        } = "table/too-many-proposals", Conflict,

        /// The ring has no contribution, proposal or amendment of this id. `synod ring status` lists them.
        #[error("this ring has no contribution, proposal or amendment {id}")]
        Unknown {
            /// As given.
            id: Id,
        } = "table/unknown", Unknown,

        /// The amendment has the same text as the proposal. React with `agree` instead.
        #[error("proposal {proposal} already says that")]
        NoChange {
            /// The proposal.
            proposal: ProposalId,
        } = "table/no-change", Conflict,

        /// Only the author of a proposal accepts or rejects amendments to it. React to the amendment instead.
        #[error("only {proposer}, who made the proposal, can accept or reject amendments to it, not {who}")]
        NotProposer {
            /// Who tried.
            who: Who,
            /// Who made the proposal.
            proposer: Who,
        } = "table/not-proposer", Conflict,

        /// The amendment is already accepted or rejected, and that stands.
        #[error("amendment {amendment} is already accepted or rejected")]
        AlreadyRuled {
            /// The amendment.
            amendment: AmendmentId,
        } = "table/already-ruled", Conflict,

        /// Another amendment was accepted meanwhile, and accepting this one would undo it. Have it made again for the
        /// present text.
        #[error(
            "amendment {amendment} was written for version {written}, and the proposal is now at version {now}: have it made again"
        )]
        Stale {
            /// The amendment.
            amendment: AmendmentId,
            /// The version it was written for.
            written: u32,
            /// The present version.
            now: u32,
        } = "table/stale", Conflict,
    }
}

fn enough(most: usize, who: Option<&Who>) -> String {
    match who {
        None => format!("there are already {most} proposals"),
        Some(who) => {
            format!(
                "{who} has already made {most} proposals, the most that this charter allows one participant"
            )
        }
    }
}
