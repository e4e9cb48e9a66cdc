//! Reading a journal back: fold it into its house, or judge every command again and compare.

use synod_core::House;
use synod_core::kernel::{Digest, Seq};
use synod_journal::{Head, Reader, chain, redacted};

use crate::Fault;
use crate::branches::Branches;

/// Rebuilds the house of a journal, checking the chain on the way.
pub fn fold(reader: &dyn Reader) -> Result<(House, Head), Fault> {
    let mut house = House::default();
    let head = chain::walk(reader, Head::default(), |act, _| {
        house.evolve(&act);
        Ok::<(), Fault>(())
    })?;
    Ok((house, head))
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Acts in the journal.
    pub acts: u64,
    /// Of those, acts that were taken as recorded: they are redacted, and without its words a command cannot
    /// be judged.
    pub redacted: u64,
    /// Acts that were taken as recorded besides: they are about matters that branch off from a redacted one, and
    /// were judged by words of it that are gone.
    pub branched: u64,
    /// The head of the chain made anew from what was judged.
    pub head: Head,
}

/// A command that comes out otherwise now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("act {seq} comes out otherwise when judged again: recorded {recorded}, now {now}")]
pub struct Divergence {
    /// Which act.
    pub seq: Seq,
    /// The hash in the journal.
    pub recorded: Digest,
    /// The hash of what it comes to now.
    pub now: Digest,
}

impl Replayed {
    /// Acts that were judged again.
    pub fn judged(&self) -> u64 {
        self.acts - self.redacted - self.branched
    }
}

/// Judges every recorded command again, without any model, and builds the chain anew from the outcome. The
/// first act that comes out otherwise ends it. Redacted acts are taken as they are recorded, and so is what
/// branches of their matters came to before the redaction.
pub fn replay(reader: &dyn Reader) -> Result<Result<Replayed, Divergence>, Fault> {
    let mut house = House::default();
    let mut replayed = Replayed { acts: 0, redacted: 0, branched: 0, head: Head::default() };
    let mut divergence = None;
    let mut branches: Option<Branches> = None;
    chain::walk(reader, Head::default(), |act, record| {
        if divergence.is_some() {
            return Ok::<(), Fault>(());
        }
        if record.redacted && branches.is_none() {
            // Whatever branches off from a redacted matter comes after words of it that are gone.
            branches = Some(Branches::of(redacted(reader)?));
        }
        let branched = branches.as_mut().is_some_and(|branches| branches.take(&act));
        replayed.acts += 1;
        if record.redacted {
            house.evolve(&act);
            replayed.head = record.head();
            replayed.redacted += 1;
            return Ok(());
        }
        let (again, after) = if branched {
            let mut after = house.clone();
            after.evolve(&act);
            (act, after)
        } else {
            house.judge(act.at, act.by, act.key, act.command)
        };
        let sealed = chain::seal(replayed.head, &again)?;
        if sealed.hash != record.hash {
            divergence = Some(Divergence { seq: record.seq, recorded: record.hash, now: sealed.hash });
            return Ok(());
        }
        house = after;
        replayed.head = sealed.head();
        replayed.branched += u64::from(branched);
        Ok(())
    })?;
    Ok(match divergence {
        Some(divergence) => Err(divergence),
        None => Ok(replayed),
    })
}
