//! Options that several commands share: limits of a matter, and settings of its charter.

use std::collections::BTreeMap;

use clap::Args;
use synod_core::kernel::Nano;
use synod_core::kernel::SettingValue;
use synod_core::meter::Limits;

use crate::fail::{Fail, Result, code};
use crate::plan::Plan;

/// Limits of a matter.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct LimitArgs {
    /// Maximum cost in US dollars. Each call reserves its worst case first, so concurrent calls cannot overspend.
    #[arg(long, help_heading = "Limits", allow_negative_numbers = true, value_name = "X")]
    budget_usd: Option<String>,
    /// Maximum number of calls, including retries.
    #[arg(long, help_heading = "Limits", allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_calls: Option<u32>,
    /// Maximum number of tokens, read and written.
    #[arg(long, help_heading = "Limits", allow_negative_numbers = true, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_tokens: Option<u64>,
    /// Maximum duration, such as 90s, 10m or 2h.
    #[arg(long, help_heading = "Limits", value_name = "TIME", value_parser = duration)]
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

/// Settings of a charter to change.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SettingArgs {
    /// Maximum number of rounds, within the range the charter allows.
    #[arg(long, help_heading = "Rules", allow_negative_numbers = true, value_name = "N")]
    rounds: Option<u64>,
    /// Change another setting of the charter (repeatable); `synod charter show` lists the settings.
    #[arg(long = "set", help_heading = "Rules", value_name = "SETTING=VALUE")]
    set: Vec<String>,
}

impl SettingArgs {
    /// Adds these settings to those changed already.
    pub(crate) fn add_to(&self, moved: &mut BTreeMap<String, SettingValue>) -> Result<()> {
        if let Some(rounds) = self.rounds {
            moved.insert("rounds".to_string(), rounds.into());
        }
        for written in &self.set {
            let wrong = || {
                Fail::usage(format!(
                    "`--set {written}` is invalid: write --set SETTING=NUMBER or --set SETTING=SHARE, such as 3 or \">= 2/3\"; `synod charter show` lists the settings"
                ))
            };
            let (setting, value) = written.split_once('=').ok_or_else(wrong)?;
            let value: SettingValue = value.trim().parse().map_err(|_| wrong())?;
            moved.insert(setting.trim().to_string(), value);
        }
        Ok(())
    }
}

/// A budget in money needs every price. Said before the first call, not after it.
pub(crate) fn affordable(plan: &Plan, limits: &Limits) -> Result<()> {
    if limits.cost.is_some() && plan.cost_most.is_none() {
        let message = format!(
            "--budget-usd needs the price of every model, but the price of {} is unknown. \
             Add it to prices.toml in the house, or use --max-calls or --max-tokens instead.",
            plan.unpriced.join(", ")
        );
        return Err(Fail::new(code::USAGE, "budget/price-unknown", message));
    }
    Ok(())
}

/// A duration in milliseconds, written with its unit.
pub(crate) fn duration(written: &str) -> std::result::Result<u64, String> {
    let wrong =
        || format!("`{written}` is not a duration: write a number with a unit, such as 90s, 10m or 2h");
    let written = written.trim();
    if let Some(number) = written.strip_suffix("ms") {
        return number.trim().parse().ok().filter(|ms| (1..=60_000).contains(ms)).ok_or_else(wrong);
    }
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
