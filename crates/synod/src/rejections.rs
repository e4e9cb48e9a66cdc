//! Requests and messages that the service and the bridge reject before the house judges them, and how they are recorded.
//!
//! Rejections of one kind from one caller are added up. The first is recorded at once, later ones together once a
//! minute, the rest when the service ends: at most one act a minute, however many requests are rejected. A service
//! that is killed loses at most one minute of counts; the requests stay rejected.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use synod_core::kernel::{Actor, At, MatterId};
use synod_core::rejections::{self as recorded, SUMS_MOST, Way};
use synod_core::{Command, Outcome};
use synod_engine::{Engine, Order, now};
use tokio::sync::Notify;

use crate::out;

/// How long rejections are added up before they are recorded.
const EVERY: Duration = Duration::from_secs(60);

/// Ways into the house. Each may need one sum for everything that no longer fits.
const WAYS: usize = 2;

/// One rejected request or message.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RejectedRequest {
    /// Who, if they proved it.
    pub(crate) by: Option<Actor>,
    pub(crate) code: String,
    /// The matter they wanted to act in, if the house has it.
    pub(crate) matter: Option<MatterId>,
    pub(crate) way: Way,
}

/// The rejections of a service.
#[derive(Debug, Default)]
pub(crate) struct Rejections {
    sums: Mutex<Sums>,
    arrived: Notify,
}

#[derive(Debug, Default)]
struct Sums {
    /// Since the last report.
    fresh: BTreeMap<RejectedRequest, (u32, At)>,
    /// Since the service began, by code.
    whole: BTreeMap<String, u64>,
}

impl Rejections {
    /// Counts a rejection.
    pub(crate) fn count(&self, rejection: RejectedRequest) {
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        *sums.whole.entry(rejection.code.clone()).or_default() += 1;
        let rejection = sums.room_for(rejection);
        let (count, _) = sums.fresh.entry(rejection).or_insert_with(|| (0, now()));
        *count = count.saturating_add(1);
        drop(sums);
        self.arrived.notify_one();
    }

    /// Records rejections as they come, until it is dropped.
    pub(crate) async fn keep(&self, engine: &Engine) {
        loop {
            self.arrived.notified().await;
            self.report(engine).await;
            tokio::time::sleep(EVERY).await;
        }
    }

    /// Records what is not recorded yet.
    pub(crate) async fn report(&self, engine: &Engine) {
        let fresh = std::mem::take(&mut self.sums.lock().unwrap_or_else(PoisonError::into_inner).fresh);
        if fresh.is_empty() {
            return;
        }
        let kept = fresh.clone();
        let sum = |(RejectedRequest { by, code, matter, way }, (count, since))| recorded::Rejection {
            by,
            code,
            count,
            matter,
            since,
            way,
        };
        let command = Command::ReportRejections { sums: fresh.into_iter().map(sum).collect() };
        let done = engine.submit(Order { by: Actor::Engine, key: None, command, vouched: None }).await;
        let wrong = match done.map(|done| done.act.outcome.clone()) {
            Ok(Outcome::Done(_)) => return,
            Ok(Outcome::Refused { message, .. }) => message.to_string(),
            Err(fault) => fault.to_string(),
        };
        out::error(&out::clean(&format!(
            "the count of rejected requests could not be recorded yet: {wrong}"
        )));
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        for (rejection, (count, since)) in kept {
            let rejection = sums.room_for(rejection);
            let (all, first) = sums.fresh.entry(rejection).or_insert((0, since));
            *all = all.saturating_add(count);
            *first = since.min(*first);
        }
        drop(sums);
        self.arrived.notify_one();
    }

    /// The counts by code, for the last line of a service.
    pub(crate) fn summary(&self) -> String {
        let sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if sums.whole.is_empty() {
            return "no request was rejected".into();
        }
        let each: Vec<String> = sums.whole.iter().map(|(code, count)| format!("{count} {code}")).collect();
        format!("rejected: {}", each.join(", "))
    }
}

impl Sums {
    /// The sum a rejection is added to. When there are many sums, details go: first the matter, then the caller, at
    /// last the code. The last sum of each way takes the rest.
    fn room_for(&self, rejection: RejectedRequest) -> RejectedRequest {
        let fits = |rejection: &RejectedRequest, most: usize| {
            self.fresh.contains_key(rejection) || self.fresh.len() < most
        };
        if fits(&rejection, SUMS_MOST / 2) {
            return rejection;
        }
        let anywhere = RejectedRequest { matter: None, ..rejection };
        if fits(&anywhere, SUMS_MOST * 3 / 4) {
            return anywhere;
        }
        let anybody = RejectedRequest { by: None, ..anywhere };
        match fits(&anybody, SUMS_MOST - WAYS) {
            true => anybody,
            false => RejectedRequest { code: "door/other".into(), ..anybody },
        }
    }
}
