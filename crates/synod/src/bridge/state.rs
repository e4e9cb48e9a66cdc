//! Everything a participant needs to go on: after a restart an agent knows nothing any more.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde_json::json;
use synod_core::House;
use synod_core::house::Reader;
use synod_core::kernel::{At, MatterId, Who};
use synod_core::view::Report;

use super::courier::OutgoingMessage;
use super::inbound::{AGE_MOST_MS, RefusedMessage};
use crate::http::{Caller, Service, sees};
use crate::resolve;

/// What an agent asks for its state by, and what it is answered with.
pub(super) const KIND: &str = "STATE";

/// A participant's open rings as HTTP shows them to that participant: all texts and ids, its own proposals and votes, how
/// far the ring is. Its open turns follow as messages of their own.
pub(super) fn of(service: &Service, who: &Who, matter: Option<MatterId>) -> Vec<OutgoingMessage> {
    let wanted = service.engine.read(|house| wanted(house, who, matter));
    let caller = Caller::Participant(who.clone());
    let shown = wanted.into_iter().filter_map(|matter| {
        let reader = Reader::Participant(who);
        let report = service.look(&caller, matter, |_, case| Ok(Report::seen_by(case, reader))).ok()?;
        let state = report.stands(true, synod_engine::now());
        let state = state.whole();
        let told = json!({ "version": 1, "type": KIND, "matter": matter, "from": "engine", "data": state });
        Some(OutgoingMessage::private(who, told.to_string()))
    });
    shown.collect()
}

fn wanted(house: &House, who: &Who, matter: Option<MatterId>) -> Vec<MatterId> {
    let open = resolve::rings(house, who, matter).filter(|case| matter.is_some() || !resolve::is_over(case));
    open.filter(|case| sees(&Caller::Participant(who.clone()), case)).map(|case| case.id).collect()
}

/// The keys of questions that changed nothing, which the house therefore does not remember.
#[derive(Debug, Default)]
pub(super) struct Recent(Mutex<BTreeMap<(Who, String), At>>);

impl Recent {
    /// Refuses a key that came before. Older ones are refused by their time.
    pub(super) fn first(&self, who: &Who, key: &str, now: At) -> Result<(), RefusedMessage> {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, at| now.since(*at) <= 2 * AGE_MOST_MS);
        match seen.insert((who.clone(), key.into()), now) {
            Some(_) => Err(RefusedMessage::replayed()),
            None => Ok(()),
        }
    }
}
