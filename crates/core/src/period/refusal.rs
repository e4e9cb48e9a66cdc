//! What periods refuse.

use crate::kernel::refusals;

refusals! {
    /// What periods refuse.
    pub enum Refusal {
        /// The name of a period is empty or too long. Write one line.
        #[error("the name of a period is one line of 1 to {most} characters")]
        MalformedName {
            /// The longest, in characters.
            most: usize,
        } = "period/malformed-name", Invalid,

        /// A period of this name is open. Close it first: `synod period close NAME`.
        #[error("the period `{name}` is open already: close it first")]
        AlreadyOpen {
            /// Its name.
            name: String,
        } = "period/already-open", Conflict,

        /// A period of this name has ended. Each has a name of its own, so that it can be found again.
        #[error("there was a period `{name}` already: choose another name, such as `{free}`")]
        NameTaken {
            /// Its name.
            name: String,
            /// A name that is free.
            free: String,
        } = "period/name-taken", Conflict,

        /// No period of this name is open. `synod period list` shows those that are.
        #[error("no period `{name}` is open")]
        NotOpen {
            /// As given.
            name: String,
        } = "period/not-open", Conflict,
    }
}
