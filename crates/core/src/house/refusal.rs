//! What the house refuses before it asks any organ.

use crate::kernel::{Actor, refusals};

refusals! {
    /// What the house itself refuses.
    pub enum Refusal {
        /// The journal is empty, and the first act must found the house. Every command that opens a house founds it;
        /// only a program that writes acts itself meets this.
        #[error("the house is not founded yet: its first act must be `found`")]
        NotFounded = "house/not-founded", Conflict,

        /// A house is founded once, by the first act of its journal. Go on without: it exists.
        #[error("the house is already founded")]
        AlreadyFounded = "house/already-founded", Conflict,

        /// The house is judged by an edition of the rules that this build does not know. Upgrade synod.
        #[error(
            "edition {edition} of the rules is not known: this build knows {}",
            crate::edition::words(*from, *to)
        )]
        UnknownEdition {
            /// As given.
            edition: u32,
            /// The first it knows.
            from: u32,
            /// The last it knows.
            to: u32,
        } = "house/unknown-edition", Conflict,

        /// A public key is 64 hex digits, in small letters. `synod key rotate` makes one.
        #[error("this is not a public key in 64 hex digits")]
        NotAKey = "house/not-a-key", Invalid,

        /// The house has signed with this key before. A key that was replaced never comes back.
        #[error("the house has had this key before: make a new one")]
        KnownKey = "house/known-key", Conflict,

        /// This actor may not give this command. Participants answer and report for themselves, the engine reports
        /// calls and time, and the operator does everything else.
        #[error("{by} may not give this command")]
        NotAllowed {
            /// Who tried.
            by: Actor,
        } = "house/not-allowed", Forbidden,
    }
}
