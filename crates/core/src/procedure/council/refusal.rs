//! What debates refuse beyond what their organs do.

use crate::kernel::{MatterId, Who, refusals};

refusals! {
    /// What debates refuse.
    pub enum Refusal {
        /// The command is for debates, and this matter is not one. Only debates can be forked, summed up and judged.
        #[error("matter {matter} is not a debate: only debates can be forked, summed up or judged")]
        NotADebate {
            /// The matter.
            matter: MatterId,
        } = "council/not-a-debate", Conflict,

        /// The matter is not a motion. Only motions are seconded, withdrawn and tabled.
        #[error("matter {matter} is not a motion: only motions can be seconded, withdrawn or tabled")]
        NotAMotion {
            /// The matter.
            matter: MatterId,
        } = "council/not-a-motion", Conflict,

        /// Under this charter matters are not motions, so nobody can propose one. Choose a charter of a parliament.
        #[error("the charter {charter} has no motions: use a charter with [parliament], such as parliament-policy")]
        NoMotions {
            /// Its name.
            charter: String,
        } = "council/no-motions", Invalid,

        /// Whoever proposes or seconds a motion needs a seat in it.
        #[error("`{who}` is not among the seats of this motion: whoever proposes or seconds it needs a seat")]
        NotAmongSeats {
            /// Who.
            who: Who,
        } = "council/not-among-seats", Invalid,

        /// Nobody seconds their own motion. Another seat has to.
        #[error("{who} proposed this motion, so another seat has to second it")]
        OwnMotion {
            /// Who.
            who: Who,
        } = "council/own-motion", Conflict,

        /// The motion has a second already.
        #[error("matter {matter} was already seconded, by {who}")]
        Seconded {
            /// The matter.
            matter: MatterId,
            /// Who seconded it.
            who: Who,
        } = "council/already-seconded", Conflict,

        /// Only whoever proposed a motion can take it back.
        #[error("{who} did not propose matter {matter}, so {who} cannot withdraw it; the operator can table it")]
        NotProposer {
            /// The matter.
            matter: MatterId,
            /// Who.
            who: Who,
        } = "council/not-proposer", Conflict,

        /// The vote has begun: a motion can be withdrawn or tabled only before.
        #[error("the vote on matter {matter} has begun, so it can no longer be withdrawn or tabled")]
        VotingBegan {
            /// The matter.
            matter: MatterId,
        } = "council/voting-began", Conflict,
    }
}
