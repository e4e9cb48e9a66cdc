//! Evidence: is a citation true.
//!
//! A participant names a file with lines and words ([`FileReference`]), an issue or a canon entry. [`Reference::parse`] and
//! [`references_in`] read how people write them, [`check`] holds a file reference against the text that the engine read, and
//! [`Needle`] finds words in a text although they were copied with slips.
//!
//! Nothing here reads a disk, asks a model, knows who cited or gives credit: that is for the engine and the flows. The
//! numbers of the rule are constants, because a house whose charter could lower them would no longer check anything.
//!
//! To add a kind of reference: a variant of [`Reference`] with its form in `written.rs`, and what is known of it in [`Checked`].

mod altered;
mod altered_lists;
mod check;
mod echo;
mod event;
mod plain;
mod quote;
mod search;
mod written;

pub use check::{Checked, EvidenceGrade, FileFinding, ReadFile, SearchDepth, Unverified, check, stands_in};
pub use echo::{echoes, marks_of, sample_of};
pub use event::Event;
pub use plain::PlainText;
pub use quote::QuoteFinding;
pub use search::{Needle, QuoteFlaw, TextMatch};
pub use written::{MalformedReference, references_in};

use crate::kernel::Ratio;
pub use crate::kernel::{CanonReference, FileReference, LineRange, Reference};

/// A quote is verified if it is more similar than this. One character in five may differ before words stop being a quotation.
pub const VERIFIED_ABOVE: Ratio = Ratio::new(4, 5).expect("4/5 lies between 0 and 1");
/// A quote is precise if it is more similar than this: copied, but for a slip or two.
pub const PRECISE_ABOVE: Ratio = Ratio::new(19, 20).expect("19/20 lies between 0 and 1");
/// The fewest characters of a quote that proves anything by itself. Shorter words stand in nearly every file.
pub const QUOTE_LEAST: u32 = 8;
/// The longest quote that is searched for, in characters. Work grows with length times text, so this bounds it; a longer
/// passage is cited by its lines.
pub const QUOTE_MOST: usize = 1_000;
/// The largest file that is read for a citation, in bytes. All of it is needed for its digest, and no text that people cite is
/// larger.
pub const FILE_MOST: u64 = 16 << 20;
/// How long reading a file for a citation may take. A disk takes milliseconds; one on a network that hangs must not hold up an
/// issue.
pub const READ_MS: u64 = 10_000;
/// How long a comment waits for somebody who reads what it cites. Whoever has the house does so within seconds; a day is for a house
/// that nobody has open.
pub const WAIT_MS: u64 = 86_400_000;
