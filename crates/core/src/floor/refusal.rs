//! What the floor refuses.

use crate::kernel::{AskId, Who, refusals};

refusals! {
    /// What the floor refuses.
    pub enum Refusal {
        /// Another participant has the floor. Wait for your turn: `synod ring turn` does.
        #[error("{who} does not have the floor: it is {holder}'s turn")]
        NotHolder {
            /// Who tried.
            who: Who,
            /// Whose turn it is.
            holder: Who,
        } = "floor/not-holder", Conflict,

        /// A turn holds only so many contributions, so that everyone gets the floor. Release it: `synod ring release`.
        #[error("turn {ask} already has {most} contributions: release the floor")]
        TurnFull {
            /// The turn.
            ask: AskId,
            /// The most.
            most: u32,
        } = "floor/turn-full", Conflict,
    }
}
