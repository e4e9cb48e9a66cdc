//! Editions of the rules. A house records by which edition it is judged; a build says which editions it can judge.
//!
//! Whatever makes the same command come to other events needs a new edition: a rule, a word list, a measure of text, the
//! deterministic analyser. Wording alone does not: messages are never compared. A test judges a frozen corpus again and
//! fails when something comes out otherwise that is not listed with its reason.
//!
//! To add one: raise [`CURRENT`]. Keep judging the edition before by branching on `House::edition` where that is cheap;
//! where it is not, raise the start of [`KNOWN`], and replays take what was judged by older editions as recorded.

use std::ops::RangeInclusive;

use crate::kernel::Reading;

/// What new houses are founded with, and old ones are upgraded to when they are opened for writing.
///
/// 1. The first.
/// 2. Agreement counts only stated stances and choices. Questions can be open, or ask for a number.
/// 3. Votes by track record are weighed by what errors go together, tried against one vote each and the best seat; outcomes
///    record what each vote was for. Stances and votes are read by one reader, which finds them among other text and says how. Texts are read
///    more closely: signs beside words, denials behind them. Placeholders of a rehearsal support nothing in issues.
///    Claims are read behind adverbs that change nothing, and from words that deny another by their form.
///    Credit among moderators goes round in no circle, of however many.
/// 4. A track record is drawn to the average of all by less where seats evidently differ.
pub const CURRENT: u32 = 4;

/// The first that weighs votes by what errors go together. Edition 2 weighs by log-odds (`track::weigh`), and is still judged.
pub const LEARNS: u32 = 3;

/// The first in which how far seats differ decides how strongly their records are drawn to the average, and whether they are weighed at all.
pub const SPREADS: u32 = 4;

/// The first that reads stances and votes of yes-or-no questions with one reader (`brief::read_stance`).
pub const STANCES: u32 = 3;

/// The first that reads texts closely: see [`Reading`].
pub const CLOSE: u32 = 3;

/// How an edition reads texts.
pub fn reading(edition: u32) -> Reading {
    if edition < CLOSE { Reading::Early } else { Reading::Close }
}

/// The first in which nobody is called what the record calls the user and the house. Before, somebody could be enrolled under these names.
pub const RESERVES_USER: u32 = 3;

/// The first in which nothing follows from what placeholders of a rehearsal say in issues, and in which an issue whose entries of canon
/// ended stands where it stood before. In edition 2 their approvals count, such an issue is agreed, and one that was reopened counts
/// as resolved each time it is.
pub const MEANT: u32 = 3;

/// The first in which a comment that repeats one in its issue is refused.
pub const REFUSES_REPETITION: u32 = 3;

/// The first in which moderators and challenges pay only for work of others, and who may only read rates nobody.
pub const PAYS_FOR_WORK: u32 = 3;

/// What this build can judge. Edition 1 took texts that look alike for agreement; no matter should end by that again, so
/// its acts are taken as recorded.
pub const KNOWN: RangeInclusive<u32> = 2..=CURRENT;

/// Editions in words: `only edition 2`, `editions 2 to 4`.
pub fn words(first: u32, last: u32) -> String {
    match first == last {
        true => format!("only edition {last}"),
        false => format!("editions {first} to {last}"),
    }
}
