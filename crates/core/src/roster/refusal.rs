//! What the roster refuses: ids, names, and who sits in a matter.

use crate::kernel::text::{is_invisible, one_line};
use crate::kernel::{MatterId, Who, refusals};

refusals! {
    /// What the roster refuses.
    pub enum Refusal {
        /// The id is not in canonical form, so another spelling of it could stand beside it. The message gives the
        /// canonical form.
        #[error("`{}` is not a canonical id: {}", shown(who.as_str()), canonical(who))]
        UncanonicalId {
            /// As given.
            who: Who,
        } = "roster/uncanonical-id", Invalid,

        /// The matter has no seats. Name at least one.
        #[error("a matter needs at least one seat")]
        NoSeats = "roster/no-seats", Invalid,

        /// One matter cannot have so many seats. Split the question, or the council.
        #[error("{given} seats are too many: a matter can have {most}")]
        TooManySeats {
            /// How many were named.
            given: usize,
            /// The most.
            most: usize,
        } = "roster/too-many-seats", Invalid,

        /// The same participant is named twice, perhaps in two spellings. Name each once.
        #[error("`{who}` is named twice: two spellings of a name are one participant")]
        SeatTwice {
            /// Who.
            who: Who,
        } = "roster/seat-twice", Invalid,

        /// No participant of this id is enrolled in the house. A participant is enrolled when a matter is opened with it.
        #[error("`{who}` is not enrolled in this house")]
        UnknownSeat {
            /// Who.
            who: Who,
        } = "roster/unknown-seat", Unknown,

        /// This participant has no seat in this matter. `synod show` lists the seats.
        #[error("`{who}` has no seat in matter {matter}")]
        NotSeated {
            /// Who.
            who: Who,
            /// The matter.
            matter: MatterId,
        } = "roster/not-seated", Conflict,

        /// The participant has registered a key, and this is not signed with it. Sign it (`synod ring --sign FILE`), or let
        /// the operator take the key away if it is lost.
        #[error("what {who} does must be signed with the key that {who} registered, and this is not")]
        Unsigned {
            /// Who.
            who: Who,
        } = "roster/unsigned", Forbidden,

        /// A signed command needs an idempotency key, so that nobody can give it a second time. Send one with it
        /// (`Idempotency-Key`); the command line does.
        #[error("a signed command needs an idempotency key: without one, anybody who has seen it could give it again")]
        Repeatable = "roster/repeatable", Invalid,

        /// What was given is not a public key. Write 64 hexadecimal digits in lower case: an Ed25519 public key.
        #[error("this is not a public key: write the 64 hexadecimal digits of an Ed25519 public key in lower case")]
        MalformedKey = "roster/malformed-key", Invalid,

        /// The name is empty, too long, takes more than one line or holds invisible characters. It is printed before everything its bearer says.
        #[error("`{}` is not a valid name: write one line of at most {most} visible characters", shown(name))]
        MalformedName {
            /// As given.
            name: String,
            /// The longest allowed, in characters.
            most: usize,
        } = "roster/malformed-name", Invalid,

        /// The name is one that the record uses for those who are not participants, or looks like it. Choose another.
        #[error("`{}` cannot be the name of a participant: the record says `{reserved}` for somebody else; choose another name", one_line(name))]
        ReservedName {
            /// As given.
            name: String,
            /// What the record uses.
            reserved: &'static str,
        } = "roster/reserved-name", Invalid,

        /// A reader could not tell the name from that of a participant who is known already. Choose another, or write it with the same letters.
        #[error("`{}` looks like `{other}`, who is another participant: choose a name that readers can tell apart", one_line(name))]
        LookAlike {
            /// As given.
            name: String,
            /// Who is known already.
            other: Who,
        } = "roster/look-alike", Conflict,

        /// The charter hides names, and these are common words or words of the question, which would be hidden too.
        /// Rename those participants.
        #[error(
            "the charter {charter} hides names, and these are common words or words of the question: {}; rename them",
            names.join(", ")
        )]
        Unmaskable {
            /// The charter's name.
            charter: String,
            /// The names.
            names: Vec<String>,
        } = "roster/unmaskable", Invalid,
    }
}

fn canonical(written: &Who) -> String {
    match Who::parse(written.as_str()) {
        Ok(who) => format!("write `{who}`"),
        Err(wrong) => wrong,
    }
}

/// A name on one line, with a mark where something stands that nobody would see.
fn shown(name: &str) -> String {
    let mark = |c: char| if is_invisible(c) { c.escape_unicode().to_string() } else { c.to_string() };
    one_line(name).chars().map(mark).collect()
}
