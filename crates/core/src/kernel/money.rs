//! Money in whole billionths of a US dollar: small enough for one token, exact when added.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Billionths of a US dollar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Nano(pub u64);

impl Nano {
    /// The most that can be written down exactly everywhere: JSON numbers end at 2^53.
    pub const MOST: Self = Self(9_000_000_000_000_000);

    /// Reads a decimal number of dollars, such as `2.50`; at most nine decimals and nine million dollars.
    pub fn parse_usd(written: &str) -> Result<Self, String> {
        let wrong = || format!("`{written}` is not an amount of dollars: write a number such as 0.50");
        let (whole, part) = written.trim().split_once('.').unwrap_or((written.trim(), ""));
        let digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
        if (whole.is_empty() && part.is_empty())
            || !digits(whole)
            || !digits(part)
            || part.len() > 9
            || whole.len() > 9
        {
            return Err(wrong());
        }
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| wrong())? };
        let part: u64 = format!("{part:0<9}").parse().map_err(|_| wrong())?;
        let nano = Self(whole * 1_000_000_000 + part);
        if nano > Self::MOST {
            Err(format!("`{written}` is more than can be counted here: at most 9000000"))
        } else {
            Ok(nano)
        }
    }

    /// Both amounts together.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0)).min(Self::MOST)
    }
}

impl fmt::Display for Nano {
    /// Rounded up to a ten-thousandth of a dollar, so that something spent never reads as nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenth_mills = self.0.div_ceil(100_000);
        write!(f, "${}.{:04}", tenth_mills / 10_000, tenth_mills % 10_000)
    }
}
