//! What several commands let one set: the most a matter may use up, and the knobs of its charter.

use std::collections::BTreeMap;

use clap::Args;
use synod_core::kernel::Nano;
use synod_core::meter::Limits;

use crate::fail::{Fail, Result, code};
use crate::plan::Plan;

/// The most a matter may use up.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LimitArgs {
    /// The most it may cost, in US dollars. Reserved before each call.
    #[arg(long, allow_negative_numbers = true, value_name = "X")]
    budget_usd: Option<String>,
    /// The most calls to make, retries included.
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_calls: Option<u32>,
    /// The most tokens to use, read and written.
    #[arg(long, allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// The longest it may take, such as 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", value_parser = span)]
    max_time: Option<u64>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Result<Limits> {
        let cost = self.budget_usd.as_deref().map(Nano::parse_usd).transpose();
        let cost = cost.map_err(|wrong| Fail::usage(format!("--budget-usd: {wrong}")))?;
        let tokens = self.max_tokens.map(|most| most.min(1 << 50));
        Ok(Limits { cost, calls: self.max_calls, tokens, time_ms: self.max_time })
    }
}

/// Knobs of a charter to move.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct KnobArgs {
    /// Rounds of debate at the most, within the range of the charter.
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    rounds: Option<u64>,
    /// Move another knob of the charter, such as turn.limit_ms=30000.
    #[arg(long = "set", value_name = "KNOB=N")]
    set: Vec<String>,
}

impl KnobArgs {
    /// Adds what is wished to what is moved already.
    pub(crate) fn add_to(&self, moved: &mut BTreeMap<String, u64>) -> Result<()> {
        if let Some(rounds) = self.rounds {
            moved.insert("rounds".to_string(), rounds);
        }
        for written in &self.set {
            let wrong = || {
                Fail::usage(format!(
                    "`--set {written}` cannot be read: write --set KNOB=NUMBER; `synod charter show` lists the knobs"
                ))
            };
            let (knob, number) = written.split_once('=').ok_or_else(wrong)?;
            let number = number.trim().replace('_', "").parse().map_err(|_| wrong())?;
            moved.insert(knob.trim().to_string(), number);
        }
        Ok(())
    }
}

/// A budget in money needs every price. Said before the first call, not after it.
pub(crate) fn affordable(plan: &Plan, limits: &Limits) -> Result<()> {
    if limits.cost.is_some() && plan.cost_most.is_none() {
        let message = format!(
            "--budget-usd needs the price of every model, and it is not known for {}. \
             Put it into prices.toml in the house, or limit with --max-calls or --max-tokens.",
            plan.unpriced.join(", ")
        );
        return Err(Fail::new(code::USAGE, "budget/price-unknown", message));
    }
    Ok(())
}

/// A span of time in milliseconds, written with its unit.
pub(crate) fn span(written: &str) -> std::result::Result<u64, String> {
    let wrong = || format!("`{written}` is no span of time: write 90s, 10m or 2h");
    let written = written.trim();
    let unit = written.chars().last().ok_or_else(wrong)?;
    let scale = match unit {
        's' => 1000,
        'm' => 60_000,
        'h' => 3_600_000,
        _ => return Err(wrong()),
    };
    let number: u64 = written[..written.len() - 1].trim().parse().map_err(|_| wrong())?;
    let most = 31 * 24 * 3_600_000; // a month is longer than any deliberation
    number.checked_mul(scale).filter(|ms| (1..=most).contains(ms)).ok_or_else(wrong)
}
