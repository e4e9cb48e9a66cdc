//! The meter: what a matter may use up, what it has, and what is reserved for calls under way.
//!
//! Money is reserved before a call and judged by the one writer, so no number of callers can overdraw
//! together. A call whose end is unknown (a crash, a pause) stays counted at its worst: the meter fails
//! closed.

mod refusal;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{About, AskId, Call, MatterId, Nano, Usage, words};

/// The most a matter may use up. `None` sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Limits {
    /// Money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Nano>,
    /// Calls that leave this machine, retries included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Tokens, read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Time from the opening, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
}

/// The worst one call can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Worst {
    /// The price; `None` is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Nano>,
    /// Tokens, read and written.
    pub tokens: u64,
}

/// What happens at the meter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The matter got its limits.
    Limited {
        /// The most it may use up.
        limits: Limits,
        /// The matter.
        matter: MatterId,
    },
    /// One call more may be made for an ask.
    Reserved {
        /// The ask.
        ask: AskId,
        /// The worst it can take.
        worst: Worst,
    },
    /// The calls for an ask have ended; what they took replaces what was reserved.
    Spent {
        /// The ask.
        ask: AskId,
        /// The record.
        call: Box<Call>,
    },
}

/// The running account of one matter.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meter {
    limits: Limits,
    spent: Total,
    /// What was reserved when the matter paused or the engine ended: perhaps spent, so counted.
    lost: Total,
    /// Each call that may still be under way, in order.
    reserved: BTreeMap<AskId, Vec<Total>>,
}

/// A sum of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Total {
    /// Calls.
    pub calls: u32,
    /// Tokens read, as far as reported.
    pub tokens_in: u64,
    /// Tokens written, as far as reported.
    pub tokens_out: u64,
    /// The price, as far as known.
    pub cost: Nano,
    /// Calls whose price is not known.
    pub unpriced: u32,
    /// Calls whose tokens were not reported.
    pub uncounted: u32,
}

impl Total {
    /// Adds another sum.
    pub(crate) fn add(&mut self, other: &Self) {
        self.calls = self.calls.saturating_add(other.calls);
        self.tokens_in = self.tokens_in.saturating_add(other.tokens_in);
        self.tokens_out = self.tokens_out.saturating_add(other.tokens_out);
        self.cost = self.cost.plus(other.cost);
        self.unpriced = self.unpriced.saturating_add(other.unpriced);
        self.uncounted = self.uncounted.saturating_add(other.uncounted);
    }

    /// What one ask took.
    pub(crate) fn of_usage(usage: &Usage) -> Self {
        let counted = usage.tokens_in.is_some() && usage.tokens_out.is_some();
        Self {
            calls: usage.calls,
            tokens_in: usage.tokens_in.unwrap_or(0),
            tokens_out: usage.tokens_out.unwrap_or(0),
            cost: usage.cost.unwrap_or_default(),
            unpriced: if usage.cost.is_none() { usage.calls } else { 0 },
            uncounted: if counted { 0 } else { usage.calls },
        }
    }

    fn of_worst(worst: &Worst) -> Self {
        Self {
            calls: 1,
            tokens_in: worst.tokens,
            tokens_out: 0,
            cost: worst.cost.unwrap_or_default(),
            unpriced: u32::from(worst.cost.is_none()),
            uncounted: 0,
        }
    }
}

impl Meter {
    /// The most the matter may use up.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What calls that ended took.
    pub fn spent(&self) -> Total {
        self.spent
    }

    /// What calls with an unknown end may have taken.
    pub fn lost(&self) -> Total {
        self.lost
    }

    /// Whether one call more may be made.
    pub fn judge(&self, worst: &Worst) -> Result<(), Refusal> {
        let limits = &self.limits;
        let mut held = self.lost;
        held.add(&self.spent);
        self.reserved.values().flatten().for_each(|total| held.add(total));
        if let Some(most) = limits.calls
            && held.calls >= most
        {
            return Err(Refusal::Calls { most });
        }
        if let Some(most) = limits.tokens {
            let left = most.saturating_sub(held.tokens_in.saturating_add(held.tokens_out));
            if worst.tokens > left {
                return Err(Refusal::Tokens { left, worst: worst.tokens });
            }
        }
        match (limits.cost, worst.cost) {
            (None, _) => Ok(()),
            (Some(_), None) => Err(Refusal::PriceUnknown),
            (Some(most), Some(worst)) => {
                let left = Nano(most.0.saturating_sub(held.cost.0));
                if worst > left { Err(Refusal::Cost { left, worst }) } else { Ok(()) }
            }
        }
    }

    /// Records an event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Limited { limits, .. } => self.limits = *limits,
            Event::Reserved { ask, worst } => {
                self.reserved.entry(*ask).or_default().push(Total::of_worst(worst));
            }
            Event::Spent { ask, call } => {
                let reserved = self.reserved.remove(ask).unwrap_or_default();
                self.spent.add(&Total::of_usage(&call.usage));
                self.keep_unknown(&reserved, call);
            }
        }
    }

    /// Only what was reported may shrink a reservation: what a call took that broke off, or whose server does
    /// not say, stays counted at its worst.
    fn keep_unknown(&mut self, reserved: &[Total], call: &Call) {
        let usage = &call.usage;
        for (i, total) in reserved.iter().enumerate() {
            let (tokens, cost) = match call.retries.get(i) {
                Some(attempt) => {
                    let broke_off =
                        ["backend/time-out", "backend/unreachable"].contains(&attempt.cause.code.as_str());
                    (broke_off, broke_off)
                }
                None => (usage.tokens_in.is_none() || usage.tokens_out.is_none(), usage.cost.is_none()),
            };
            // The call itself is counted with what was spent.
            let mut unknown = Total { calls: 0, unpriced: 0, uncounted: 0, ..*total };
            if !tokens {
                (unknown.tokens_in, unknown.tokens_out) = (0, 0);
            }
            if !cost {
                unknown.cost = Nano(0);
            }
            self.lost.add(&unknown);
        }
    }

    /// An ask ended without a word of what its calls took, or the matter rests: count the worst.
    pub fn write_off(&mut self, ask: Option<AskId>) {
        let gone: Vec<AskId> = match ask {
            Some(ask) => vec![ask],
            None => self.reserved.keys().copied().collect(),
        };
        for total in gone.iter().filter_map(|ask| self.reserved.remove(ask)).flatten() {
            self.lost.add(&total);
        }
    }
}

words!(enum Event {
    Limited { | limits, matter },
    Reserved { | ask, worst },
    Spent { call | ask },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Limited { matter, .. } => About::Matter(*matter),
            Self::Reserved { ask, .. } | Self::Spent { ask, .. } => About::Ask(*ask),
        }
    }
}
