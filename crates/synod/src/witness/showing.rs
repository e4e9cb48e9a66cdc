//! A service that shows its checkpoints to the witnesses of a policy by itself.

use std::path::Path;
use std::time::Duration;

use synod_journal::tlog::Policy;
use synod_journal::{JournalReader as _, checkpoints};

use super::push::{Pushed, push};
use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::out;

/// A new checkpoint is looked for this often. It costs one read of the end of a small file.
const EVERY: Duration = Duration::from_secs(5);
/// A witness that does not answer is asked again after at most this long.
const AGAIN_MOST: Duration = Duration::from_secs(600);

/// Shows every new checkpoint, until it is dropped. A refusal stops it: the house signs nothing until `synod witness resolve`.
pub(crate) async fn show(house: HouseArg, policy: Policy) {
    let (mut shown, mut wait, mut said) = (0, EVERY, String::new());
    loop {
        tokio::time::sleep(wait).await;
        let dir = house.dir();
        let Ok(Some(last)) = checkpoints::last(dir) else { continue };
        if last.checkpoint.size <= shown || checkpoints::refusal(dir).is_some() {
            wait = EVERY;
            continue;
        }
        let wrong = match shown_once(&house, &policy).await {
            Ok(pushed) => troubles(&pushed),
            Err(fail) => fail.message().to_string(),
        };
        if wrong.is_empty() {
            // One that came meanwhile is shown at the next look.
            (shown, wait) = (last.checkpoint.size, EVERY);
        } else {
            wait = AGAIN_MOST.min(wait * 2);
        }
        // Said when it changes, not every time.
        if wrong != said {
            let line = if wrong.is_empty() { "every witness answers again" } else { &wrong };
            out::error(&out::clean(&format!("witnesses: {line}")));
            said = wrong;
        }
    }
}

async fn shown_once(house: &HouseArg, policy: &Policy) -> Result<Vec<Pushed>> {
    let from = house.clone();
    let records = tokio::task::spawn_blocking(move || {
        let reader = from.reader()?;
        let head = reader.head()?;
        crate::cli::proof::hashes(&reader, head.seq.0)
    });
    let stopped = |_| Fail::new(code::IO, "witness/unread", "reading the journal was interrupted");
    let records = records.await.map_err(stopped)??;
    push(house.dir(), &records, policy).await
}

fn troubles(pushed: &[Pushed]) -> String {
    let wrong = pushed.iter().filter_map(|row| {
        let how = if row.refused { "REFUSED this house" } else { "did not sign" };
        Some(format!("{} {how}: {}", row.witness, row.failed.as_deref()?))
    });
    wrong.collect::<Vec<_>>().join("; ")
}

/// Reads a policy.
pub(crate) fn policy(path: &Path) -> Result<Policy> {
    let text = crate::house::read_up_to(1 << 20, path, "policy")?;
    let flawed = |flaw| Fail::new(code::DATA, "policy/flawed", format!("{}: {flaw}", path.display()));
    Policy::parse(&text).map_err(flawed)
}
