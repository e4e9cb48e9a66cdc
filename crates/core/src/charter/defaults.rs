//! What holds where a charter says nothing, in one place: `settle` takes it from here, and the schema says it.
//! A test writes each default into a charter and compares.

use super::Knob;
use crate::ballot::{Method, Secrecy, Weights};
use crate::kernel::Threshold;

/// A whole number that must lie within limits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limited {
    /// If left out.
    pub(super) usual: u64,
    pub(super) least: u64,
    pub(super) most: u64,
}

const fn limited(usual: u64, least: u64, most: u64) -> Limited {
    Limited { usual, least, most }
}

/// `[turn]`
pub(super) mod turn {
    use super::Knob;

    pub(in crate::charter) const LIMIT_MS: Knob = Knob { is: 120_000, from: 100, to: 3_600_000 };
    pub(in crate::charter) const PERSON_LIMIT_MS: Knob = Knob { is: 3_600_000, from: 1000, to: 86_400_000 };
    pub(in crate::charter) const QUEUE_MS: Knob = Knob { is: 3_600_000, from: 1000, to: 86_400_000 };
    pub(in crate::charter) const ABSENT_AFTER: Knob = Knob { is: 2, from: 1, to: 100 };
    pub(in crate::charter) const HISTORY_CHARS: Knob = Knob { is: 24_000, from: 1000, to: 1_000_000 };
    pub(in crate::charter) const WORDS: Knob = Knob { is: 200, from: 20, to: 5000 };
}

/// `[watch]`: the exits of a debate. Nine tenths agree, two rounds changed nothing, all are at least 0.85 sure.
pub(super) mod watch {
    use super::{Knob, Limited, Threshold, limited};

    pub(in crate::charter) const CONSENSUS: Threshold = Threshold::at_least(9, 10);
    pub(in crate::charter) const CONFIDENCE: Threshold = Threshold::at_least(17, 20);
    pub(in crate::charter) const GROUPTHINK: bool = true;
    pub(in crate::charter) const STILL_ROUNDS: Limited = limited(2, 1, 100);
    pub(in crate::charter) const EARLY: Knob = Knob { is: 1, from: 0, to: 1 };
}

/// `[gate]`
pub(super) mod gate {
    use super::{Limited, limited};

    pub(in crate::charter) const STANCE_REQUIRED: bool = false;
    pub(in crate::charter) const CHARS_MOST: Limited = limited(20_000, 1, 1_000_000);
}

/// `[ballot]`
pub(super) mod ballot {
    use super::{Limited, Method, Secrecy, Weights, limited};

    pub(in crate::charter) const METHOD: Method = Method::Plurality;
    pub(in crate::charter) const SECRECY: Secrecy = Secrecy::Open;
    pub(in crate::charter) const WEIGHTS: Weights = Weights::Equal;
    pub(in crate::charter) const CHANGE: bool = false;
    pub(in crate::charter) const CHANGE_NEEDS_ARGUMENT: bool = false;
    pub(in crate::charter) const DELEGATION: bool = false;
    pub(in crate::charter) const UNPARSED_RETRIES: Limited = limited(1, 0, 5);
    /// One outcome is a record: how little it says is what `RECORD_SHRINK` is for.
    pub(in crate::charter) const RECORD_LEAST: Limited = limited(1, 1, 10_000);
    /// As strong as 32 outcomes: with fewer, what a seat is taken for is mostly the average of all.
    pub(in crate::charter) const RECORD_SHRINK: Limited = limited(32, 1, 1_000);
    /// The same in edition 2, whose weights made no use of short records.
    pub(in crate::charter) const RECORD_LEAST_BEFORE: Limited = limited(20, 1, 10_000);
    pub(in crate::charter) const RECORD_SHRINK_BEFORE: Limited = limited(4, 1, 1_000);
    /// If left out, all seats count; the number here is never used.
    pub(in crate::charter) const RECORD_TOP: Limited = limited(1, 1, 1_000);
}

/// `[[stage]]`
pub(super) mod stage {
    use super::Knob;

    pub(in crate::charter) const ROUNDS: Knob = Knob::fixed(1);
    /// One round alone, one knowing how the numbers are spread.
    pub(in crate::charter) const ESTIMATE_ROUNDS: Knob = Knob::fixed(2);
    pub(in crate::charter) const UNTIL_STILL: bool = false;
    pub(in crate::charter) const STANCES: bool = false;
    pub(in crate::charter) const CRUX: bool = false;
    /// Of ten who are asked one who wants to hear a motion debated can be expected.
    pub(in crate::charter) const ASKS: Knob = Knob { is: 10, from: 0, to: 10_000 };
    pub(in crate::charter) const ON: Knob = Knob { is: 1, from: 0, to: 1 };
    /// So many seats make a red team.
    pub(in crate::charter) const TEAM: Knob = Knob { is: 5, from: 0, to: 100 };
    /// A panel is used unless a matter turns it off.
    pub(in crate::charter) const PANEL: Knob = Knob { is: 1, from: 0, to: 1 };
}

/// `[parliament]`: everything a parliament may do, at the numbers of the parliament it was first tried in.
pub(super) mod parliament {
    use super::super::{Counting, Reminder};
    use super::{Knob, Threshold};
    use crate::kernel::Ratio;

    pub(in crate::charter) const COUNTS: Counting = Counting::Free;
    pub(in crate::charter) const REMINDER: Reminder = Reminder::Neutral;
    pub(in crate::charter) const SWITCH_ON: Knob = Knob { is: 1, from: 0, to: 1 };
    pub(in crate::charter) const SWITCH_OFF: Knob = Knob { is: 0, from: 0, to: 1 };
    pub(in crate::charter) const AFTER: Ratio = Ratio::ZERO;
    pub(in crate::charter) const EVERY: Knob = Knob { is: 10, from: 1, to: 1000 };
    /// All risks are named.
    pub(in crate::charter) const CAP: Knob = Knob { is: 0, from: 0, to: 100 };
    pub(in crate::charter) const AT: Threshold = Threshold::at_least(85, 100);
    pub(in crate::charter) const LEAST: Knob = Knob { is: 10, from: 1, to: 10_000 };
    pub(in crate::charter) const FORCED: Knob = Knob { is: 3, from: 1, to: 100 };
    pub(in crate::charter) const PAUSE: Knob = Knob { is: 10, from: 0, to: 10_000 };
}

/// `[ring]`
pub(super) mod ring {
    use super::{Limited, Threshold, limited};

    pub(in crate::charter) const LEAST: Limited = limited(2, 2, 1000);
    pub(in crate::charter) const SKIPS: Limited = limited(2, 1, 100);
    pub(in crate::charter) const TIMEOUTS: Limited = limited(3, 1, 100);
    pub(in crate::charter) const STILL_ROUNDS: Limited = limited(2, 1, 1000);
    pub(in crate::charter) const STILL_FROM: Limited = limited(3, 1, 1000);
    pub(in crate::charter) const TEXT_MOST: Limited = limited(2000, 1, 100_000);
    pub(in crate::charter) const PER_TURN: Limited = limited(8, 1, 100);
    /// The whole table, as it was before charters could say otherwise.
    pub(in crate::charter) const PROPOSALS_EACH: Limited = limited(26, 1, 26);
    pub(in crate::charter) const CONSENSUS: Threshold = Threshold::at_least(9, 10);
}
