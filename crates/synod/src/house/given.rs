//! What the house says to an order that was given.

use std::sync::Arc;

use synod_engine::{Acknowledgement, CommittedOrder, Promise};

/// An act that was given, with what the house acknowledged.
#[derive(Debug)]
pub(crate) struct AcknowledgedAct {
    act: Arc<synod_core::Act>,
    promise: Option<Promise>,
}

impl AcknowledgedAct {
    pub(crate) fn of(done: CommittedOrder) -> Self {
        Self { act: done.act, promise: done.promise }
    }

    /// What to print where somebody reads JSON: it can be held against the house later.
    pub(crate) fn acknowledgement(&self) -> Option<Acknowledgement> {
        self.promise.as_ref().map(Promise::acknowledgement)
    }
}

impl std::ops::Deref for AcknowledgedAct {
    type Target = synod_core::Act;

    fn deref(&self) -> &synod_core::Act {
        &self.act
    }
}
