//! How long words have to be kept: `keep_days` in `retention.toml` of the house or of the user. The longer of the two holds, a file that cannot
//! be read forbids deleting, and no flag of a command changes it.

use std::path::Path;

use synod_core::kernel::At;

use crate::fail::{Fail, Result, code};
use crate::house::read_own;
use crate::user::config_dir;

const FILE: &str = "retention.toml";
const DAY_MS: u64 = 86_400_000;

/// Refuses to delete a matter that was settled too recently.
pub(crate) fn check(house: &Path, number: u64, settled: At, now: At) -> Result<()> {
    let own = config_dir().map(|dir| dir.join(FILE));
    let files = [Some(house.join(FILE)), own];
    let mut longest = 0;
    for path in files.into_iter().flatten() {
        longest = longest.max(keep_days(&path)?);
    }
    let until = At(settled.0.saturating_add(longest.saturating_mul(DAY_MS)));
    if now >= until {
        return Ok(());
    }
    let message = format!(
        "matter {number} has to be kept until {until}: {FILE} says keep_days = {longest}, and it was settled on {settled}"
    );
    Err(Fail::new(code::USAGE, "retention/too-early", message))
}

fn keep_days(path: &Path) -> Result<u64> {
    let Some(text) = read_own(path, "retention")? else { return Ok(0) };
    let mut days = None;
    for (nth, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let number = line
            .split_once('=')
            .filter(|(key, _)| key.trim() == "keep_days")
            .and_then(|(_, value)| value.trim().parse().ok());
        match (number, days) {
            (Some(number), None) => days = Some(number),
            (Some(_), Some(_)) | (None, _) => {
                let message = format!(
                    "{} line {}: write `keep_days = N` once; nothing is deleted meanwhile",
                    path.display(),
                    nth + 1
                );
                return Err(Fail::new(code::DATA, "retention/flawed", message));
            }
        }
    }
    Ok(days.unwrap_or(0))
}
