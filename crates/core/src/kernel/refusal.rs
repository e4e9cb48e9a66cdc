//! What every refusal has: a stable code, a kind, and what it means.
//!
//! An organ or a procedure lists its refusals once, with `refusals!`. Its enum, the codes, the kinds and the rows of
//! the reference page all come from that list, so none of them can be forgotten. Nothing here knows a single refusal.
//!
//! To add a refusal: its entry in the organ's `refusal.rs`, and a script that meets it.

/// What sort of "no" a refusal is. Edges turn it into an HTTP status or an exit code, so that none reads the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RefusalKind {
    /// The command names something that does not exist in this house: a matter, a charter, a participant. HTTP 404.
    Unknown,
    /// Actors of this sort may not give this command, whatever the state of the house is. HTTP 403.
    Forbidden,
    /// The command cannot be accepted in any state of the house: change it before you send it again. HTTP 409.
    Invalid,
    /// The house or the matter is not in a state that allows the command. It may be allowed later, or have been
    /// allowed before. HTTP 409.
    Conflict,
}

impl RefusalKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Unknown, Self::Forbidden, Self::Invalid, Self::Conflict];

    /// One word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Forbidden => "forbidden",
            Self::Invalid => "invalid",
            Self::Conflict => "conflict",
        }
    }
}

/// What is known of a refusal without having met it: a row of the reference page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefusalEntry {
    /// The stable code.
    pub code: &'static str,
    /// What sort of "no" it is.
    pub kind: RefusalKind,
    /// What it means and what to do, in a sentence or two.
    pub meaning: &'static str,
}

/// Defines the `Refusal` of an organ or a procedure. An entry is its meaning (the doc comment), its message, its
/// fields, its code and its [`RefusalKind`].
macro_rules! refusals {
    (
        $(#[doc = $about:literal])+
        pub enum Refusal {
            $(
                $(#[doc = $doc:literal])+
                #[error($($message:tt)+)]
                $variant:ident $({ $($fields:tt)* })? $(( $($inner:tt)* ))? = $code:literal, $kind:ident,
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
        pub enum Refusal {
            $(
                $(#[doc = $doc])+
                #[doc = ""]
                #[doc = concat!("Code: `", $code, "`")]
                #[error($($message)+)]
                $variant $({ $($fields)* })? $(( $($inner)* ))?,
            )+
        }

        impl Refusal {
            /// Every refusal there is here, in the order of the reference page.
            pub const ALL: &'static [$crate::kernel::RefusalEntry] = &[
                $($crate::kernel::RefusalEntry {
                    code: $code,
                    kind: $crate::kernel::RefusalKind::$kind,
                    meaning: concat!($($doc),+).trim_ascii(),
                },)+
            ];

            /// The stable code, for scripts and for the record.
            pub fn code(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $code,)+
                }
            }

            /// What sort of "no" it is.
            pub fn kind(&self) -> $crate::kernel::RefusalKind {
                match self {
                    $(Self::$variant { .. } => $crate::kernel::RefusalKind::$kind,)+
                }
            }
        }
    };
}

pub(crate) use refusals;
