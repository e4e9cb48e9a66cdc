//! Prices of models, in whole billionths of a dollar for a thousand tokens, rounded up.
//!
//! A price that is not known is `None`, never zero: a budget in money must not be fooled. No float is
//! used. To add a model: a line in `prices.toml`, or in the user's own file of that name.

use std::collections::BTreeMap;

use synod_core::charter::source::{Lined, SourceTable};
use synod_core::kernel::{Nano, Usage};

use crate::settings::{SettingsFlaw, read_file};

/// What a thousand tokens cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Read by the model.
    pub input: Nano,
    /// Read from the provider's prefix cache.
    pub cached: Nano,
    /// Read and written into that cache, which some providers charge more for.
    pub write: Nano,
    /// Written by the model.
    pub output: Nano,
}

impl Price {
    /// Costs nothing, and is known to.
    pub const FREE: Self = Self { input: Nano(0), cached: Nano(0), write: Nano(0), output: Nano(0) };

    /// The most that so many tokens can cost: nothing cached, everything written to the cache.
    pub fn most(&self, tokens_in: u64, tokens_out: u64) -> Nano {
        total([(self.input.max(self.write), tokens_in), (self.output, tokens_out)])
    }

    /// What these tokens cost. `cached` and `written` are parts of `tokens_in`.
    pub fn cost(&self, tokens_in: u64, cached: u64, written: u64, tokens_out: u64) -> Nano {
        let plain = tokens_in.saturating_sub(cached).saturating_sub(written);
        total([(self.input, plain), (self.cached, cached), (self.write, written), (self.output, tokens_out)])
    }
}

/// Added up exactly, then rounded up once.
fn total<const N: usize>(parts: [(Nano, u64); N]) -> Nano {
    let thousandths: u128 = parts.iter().map(|(nano, tokens)| u128::from(nano.0) * u128::from(*tokens)).sum();
    Nano(u64::try_from(thousandths.div_ceil(1000)).unwrap_or(u64::MAX))
}

/// What was used, as a usage with its cost. Tokens that were not told leave the cost unknown, unless
/// everything is free.
pub(crate) fn priced(price: Option<Price>, calls: u32, tokens: Option<TokenCounts>) -> Usage {
    let cost = match (price, tokens) {
        (Some(Price::FREE), _) => Some(Nano(0)),
        (Some(price), Some(t)) => Some(price.cost(t.input, t.cached.unwrap_or(0), t.written, t.output)),
        (Some(_), None) | (None, _) => None,
    };
    Usage {
        calls,
        tokens_in: tokens.map(|t| t.input),
        tokens_cached: tokens.and_then(|t| t.cached),
        tokens_out: tokens.map(|t| t.output),
        cost,
    }
}

/// The tokens of one call, as a provider reported them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenCounts {
    /// All that was read, cached or not.
    pub(crate) input: u64,
    /// Of those, from the cache, if that was told.
    pub(crate) cached: Option<u64>,
    /// Of those, written into the cache.
    pub(crate) written: u64,
    /// All that was written by the model, reasoning included.
    pub(crate) output: u64,
}

impl TokenCounts {
    /// Those of two calls together.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.zip(other.cached).map(|(one, two)| one.saturating_add(two)),
            written: self.written.saturating_add(other.written),
            output: self.output.saturating_add(other.output),
        }
    }
}

/// Prices by provider and model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prices {
    listed: BTreeMap<String, BTreeMap<String, Price>>,
}

impl Prices {
    /// The list that ships with Synod.
    pub fn shipped() -> Self {
        let mut prices = Self::default();
        let flaws = prices.add("prices.toml", include_str!("prices.toml"));
        debug_assert!(flaws.is_empty(), "{flaws:?}");
        prices
    }

    /// Adds what a file lists, over what was there; gives back its flaws.
    pub fn add(&mut self, file: &str, text: &str) -> Vec<SettingsFlaw> {
        read_file(file, text, |root| {
            for (provider, models) in root.named_tables(SHAPE) {
                let provider = provider.value.trim_end_matches('/').to_string();
                for (model, table) in models.named_tables(SHAPE) {
                    if let Some(price) = read(&models, &model, &table) {
                        self.listed.entry(provider.clone()).or_default().insert(model.value, price);
                    }
                }
            }
        })
    }

    /// The price of a model. A dated snapshot costs what its model costs, unless it is listed itself.
    pub fn of(&self, provider: &str, model: &str) -> Option<Price> {
        let models = self.listed.get(provider)?;
        models.get(model).or_else(|| models.get(undated(model)?)).copied()
    }
}

/// The name without its date: `-2025-04-14`, `-20251001`.
fn undated(model: &str) -> Option<&str> {
    let is_date = |tail: &str| {
        let digits = tail.bytes().filter(u8::is_ascii_digit).count();
        digits == 8
            && (tail.len() == 8 || (tail.len() == 10 && tail.bytes().filter(|b| *b == b'-').count() == 2))
    };
    let cut = |length: usize| {
        let at = model.len().checked_sub(length)?;
        let (head, tail) = (model.get(..at)?, model.get(at..)?);
        is_date(tail).then(|| head.strip_suffix('-')).flatten()
    };
    cut(8).or_else(|| cut(10))
}

/// How prices are written.
const SHAPE: &str = r#"[openai] and below it lines such as "MODEL" = { in = "2.50", out = "10" }"#;

/// Reads `{ in = "2.50", cached = "1.25", out = "10" }`, in dollars for a million tokens.
fn read(models: &SourceTable<'_, '_>, model: &Lined<String>, table: &SourceTable<'_, '_>) -> Option<Price> {
    let [input, cached, write, output] = ["in", "cached", "write", "out"].map(|key| amount(table, key));
    table.finish();
    if input.is_none() || output.is_none() {
        let instead = r#"write { in = "2.50", out = "10" }, in dollars for a million tokens"#;
        models.flaw(model.line, &model.value, "it needs both `in` and `out`", instead);
    }
    let (input, output) = (input??, output??);
    let or_input = |amount: Option<Option<Nano>>| amount.unwrap_or(Some(input));
    Some(Price { input, cached: or_input(cached)?, write: or_input(write)?, output })
}

/// What a thousand tokens cost; `None` if it is not written, `Some(None)` if it is no amount.
fn amount(table: &SourceTable<'_, '_>, key: &'static str) -> Option<Option<Nano>> {
    let written = table.parsed::<String>(key, "dollars for a million tokens, such as \"2.50\"")?;
    match Nano::parse_usd(&written.value) {
        Ok(usd) => Some(Some(Nano(usd.0.div_ceil(1000)))),
        Err(wrong) => {
            table.flaw(written.line, key, wrong, "");
            Some(None)
        }
    }
}
