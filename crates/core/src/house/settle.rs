//! The end of a matter.

use super::flow::Flow;
use crate::kernel::Decision;
use crate::{Event, matter};

impl Flow {
    pub(super) fn settle(&mut self, decision: Decision) {
        let matter = self.case.id;
        self.put(Event::Matter(matter::Event::Settled { matter, decision }));
    }
}
