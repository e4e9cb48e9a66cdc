//! What leases refuse.

use super::LeasePath;
use crate::kernel::{At, Who, refusals};

refusals! {
    /// What leases refuse.
    pub enum Refusal {
        /// Somebody else works on this, on a folder above it, or on something in it. Wait until the lease ends, or ask
        /// the holder: `synod lease ask PATH`.
        #[error("`{path}` is leased by {who}{} until {until}: wait, or ask for it with `synod lease ask{} {path}`", within(path, held), acting(by))]
        Held {
            /// Who wanted it.
            by: Who,
            /// What was wanted.
            path: LeasePath,
            /// What is held.
            held: LeasePath,
            /// Until when.
            until: At,
            /// By whom.
            who: Who,
        } = "lease/held", Conflict,

        /// This path cannot be leased. Write it relative to the folder of the project, without `..`.
        #[error("`{written}` cannot be leased: {why}")]
        BadPath {
            /// What was given.
            written: String,
            /// What is wrong.
            why: &'static str,
        } = "lease/bad-path", Invalid,

        /// No file or folder was named.
        #[error("name at least one file or folder")]
        NothingNamed = "lease/nothing-named", Invalid,

        /// One participant holds only so many paths. Release some, or take the folder.
        #[error("this would make {wanted} leases, at most {most} are allowed for each participant: release some, or take a folder")]
        TooMany {
            /// How many it would be.
            wanted: usize,
            /// The most.
            most: u32,
        } = "lease/too-many", Conflict,

        /// A lease lasts at least a moment and at most as long as the charter says. Renew it when it is nearly over.
        #[error("a lease lasts up to {most_s} seconds: take it for less, and renew it with `synod lease renew`")]
        BadTime {
            /// The longest, in seconds.
            most_s: u64,
        } = "lease/bad-time", Invalid,

        /// The reason is too long. Write one line.
        #[error("a reason has at most {most} characters")]
        LongReason {
            /// The most.
            most: usize,
        } = "lease/long-reason", Invalid,

        /// Nobody holds exactly this. `synod lease list` shows what is held.
        #[error("nobody holds a lease on `{path}`: `synod lease list` shows what is held")]
        NotHeld {
            /// What was named.
            path: LeasePath,
        } = "lease/not-held", Unknown,

        /// You hold nothing.
        #[error("{who} holds no lease")]
        NothingHeld {
            /// Who.
            who: Who,
        } = "lease/nothing-held", Conflict,

        /// Somebody else holds it. Only they, a moderator, a lead or the user release it.
        #[error("`{path}` is held by {who}: only they, a moderator, a lead or the user release it")]
        NotYours {
            /// What was named.
            path: LeasePath,
            /// The holder.
            who: Who,
        } = "lease/not-yours", Forbidden,

        /// You hold it yourself.
        #[error("you hold the lease on `{path}` yourself")]
        OwnLease {
            /// What was named.
            path: LeasePath,
        } = "lease/own", Conflict,
    }
}

/// What makes a command act for whoever reads it. The person who runs the house needs nothing.
fn acting(by: &Who) -> String {
    if by.is_user() { String::new() } else { format!(" --as '{by}'") }
}

fn within(path: &LeasePath, held: &LeasePath) -> String {
    if path == held { String::new() } else { format!(" as `{held}`") }
}
