//! Prices of models, in whole billionths of a dollar for a thousand tokens, rounded up.
//!
//! A price that is not known is `None`, never zero: a budget in money must not be fooled. No float is
//! used. To add a model: a line in `prices.toml`, or in the user's own file of that name.

use std::collections::BTreeMap;

use synod_core::kernel::{Nano, Usage};
use toml::Spanned;
use toml::de::DeValue;

use crate::settings::{Flaw, Page};

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
pub(crate) fn priced(price: Option<Price>, calls: u32, tokens: Option<Tokens>) -> Usage {
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

/// The tokens of one call, as a provider told them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// All that was read, cached or not.
    pub(crate) input: u64,
    /// Of those, from the cache, if that was told.
    pub(crate) cached: Option<u64>,
    /// Of those, written into the cache.
    pub(crate) written: u64,
    /// All that was written by the model, reasoning included.
    pub(crate) output: u64,
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
    pub fn add(&mut self, file: &str, text: &str) -> Vec<Flaw> {
        let mut page = Page::open(file, text);
        for (provider, value) in page.take_root() {
            let Some(models) = page.table(&provider, &value) else { continue };
            for (model, value) in models {
                if let Some(price) = read(&mut page, model.get_ref(), value) {
                    let models =
                        self.listed.entry(provider.get_ref().trim_end_matches('/').to_string()).or_default();
                    models.insert(model.get_ref().to_string(), price);
                }
            }
        }
        page.close()
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

/// Reads `{ in = "2.50", cached = "1.25", out = "10" }`, in dollars for a million tokens.
fn read(page: &mut Page<'_>, model: &str, value: &Spanned<DeValue<'_>>) -> Option<Price> {
    let Some(fields) = value.get_ref().as_table() else {
        page.flaw(
            value.span().start,
            format!("`{model}` should be a table such as {{ in = \"2.50\", out = \"10\" }}"),
        );
        return None;
    };
    let (mut input, mut cached, mut write, mut output) = (None, None, None, None);
    for (key, value) in fields {
        let place = match key.get_ref().as_ref() {
            "in" => &mut input,
            "cached" => &mut cached,
            "write" => &mut write,
            "out" => &mut output,
            other => {
                page.unknown(key.span().start, other, &["in", "cached", "write", "out"]);
                continue;
            }
        };
        *place = page
            .decimal(key, value, |written| Nano::parse_usd(written).map(|usd| Nano(usd.0.div_ceil(1000))));
    }
    let (Some(input), Some(output)) = (input, output) else {
        page.flaw(
            value.span().start,
            format!("`{model}` needs both `in` and `out`, in dollars for a million tokens"),
        );
        return None;
    };
    Some(Price { input, cached: cached.unwrap_or(input), write: write.unwrap_or(input), output })
}
