//! What the service and the bridge turn away before the house sees it, and how the record learns of it.
//!
//! Refusals of one kind to one caller are added up. The first is put down at once, the next with all the others of
//! the minute, what is left when the service ends: at most an act a minute, whoever knocks and however often. A
//! service that is killed takes at most a minute of sums with it; what was refused stays refused.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use synod_core::door::{SUMS_MOST, Turned, Way};
use synod_core::kernel::{Actor, At, MatterId};
use synod_core::{Command, Outcome};
use synod_engine::{Engine, Order, now};
use tokio::sync::Notify;

use crate::out;

/// So long are refusals added up.
const EVERY: Duration = Duration::from_secs(60);

/// Ways in, each of which may have a last sum of its own.
const WAYS: usize = 2;

/// Somebody who was turned away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Knock {
    /// Who, if they proved it.
    pub(crate) by: Option<Actor>,
    pub(crate) code: String,
    /// The matter they wanted to act in, if the house has it.
    pub(crate) matter: Option<MatterId>,
    pub(crate) way: Way,
}

/// The door of a service.
#[derive(Debug, Default)]
pub(crate) struct Door {
    sums: Mutex<Sums>,
    knocked: Notify,
}

#[derive(Debug, Default)]
struct Sums {
    /// Since the last report.
    fresh: BTreeMap<Knock, (u32, At)>,
    /// Since the service began, by code.
    whole: BTreeMap<String, u64>,
}

impl Door {
    /// Counts somebody who is turned away.
    pub(crate) fn turn_away(&self, knock: Knock) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        *sums.whole.entry(knock.code.clone()).or_default() += 1;
        let knock = sums.room_for(knock);
        let (count, _) = sums.fresh.entry(knock).or_insert_with(|| (0, now()));
        *count = count.saturating_add(1);
        drop(sums);
        self.knocked.notify_one();
    }

    /// Puts down what comes, until it is dropped.
    pub(crate) async fn keep(&self, engine: &Engine) {
        loop {
            self.knocked.notified().await;
            self.report(engine).await;
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Puts down what was not yet.
    pub(crate) async fn report(&self, engine: &Engine) {
        let fresh = std::mem::take(&mut self.sums.lock().unwrap_or_else(PoisonError::into_inner).fresh);
        if fresh.is_empty() {
            return;
        }
        let kept = fresh.clone();
        let sum = |(Knock { by, code, matter, way }, (count, since))| Turned {
            by,
            code,
            count,
            matter,
            since,
            way,
        };
        let command = Command::TurnAway { sums: fresh.into_iter().map(sum).collect() };
        let done = engine.submit(Order { by: Actor::Engine, key: None, command }).await;
        let wrong = match done.map(|done| done.act.outcome.clone()) {
            Ok(Outcome::Done(_)) => return,
            Ok(Outcome::Refused { message, .. }) => message,
            Err(fault) => fault.to_string(),
        };
        out::error(&out::clean(&format!(
            "who was turned away at the door could not be put down yet: {wrong}"
        )));
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        for (knock, (count, since)) in kept {
            let knock = sums.room_for(knock);
            let (all, first) = sums.fresh.entry(knock).or_insert((0, since));
            *all = all.saturating_add(count);
            *first = since.min(*first);
        }
        drop(sums);
        self.knocked.notify_one();
    }

    /// In words, for the last line of a service.
    pub(crate) fn told(&self) -> String {
        let sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if sums.whole.is_empty() {
            return "nobody was turned away".into();
        }
        let each: Vec<String> = sums.whole.iter().map(|(code, count)| format!("{count} {code}")).collect();
        format!("turned away at the door: {}", each.join(", "))
    }
}

impl Sums {
    /// The sum a knock is added to. When there are many, it is told less precisely: first where, then who, at last
    /// why. The last sum of each way takes what is left.
    fn room_for(&self, knock: Knock) -> Knock {
        let fits = |knock: &Knock, most: usize| self.fresh.contains_key(knock) || self.fresh.len() < most;
        if fits(&knock, SUMS_MOST / 2) {
            return knock;
        }
        let anywhere = Knock { matter: None, ..knock };
        if fits(&anywhere, SUMS_MOST * 3 / 4) {
            return anywhere;
        }
        let anybody = Knock { by: None, ..anywhere };
        match fits(&anybody, SUMS_MOST - WAYS) {
            true => anybody,
            false => Knock { code: "door/other".into(), ..anybody },
        }
    }
}
