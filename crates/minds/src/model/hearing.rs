//! Listening to an answer while it is written: it is put together, and the engine is told how it is getting on.

use crate::http::Listener;
use crate::keys::Scrubber;
use crate::live::first_line;
use crate::mind::{Pass, Sign, tokens_of};
use crate::wire::stream::Assembler;

/// The engine is told again after so many bytes.
const STRIDE: usize = 200;

/// See the module.
pub(super) struct Hearing<'a> {
    assembler: Box<dyn Assembler>,
    pass: &'a dyn Pass,
    scrubber: &'a Scrubber,
    /// How much there was when the engine was told last.
    told: usize,
}

impl<'a> Hearing<'a> {
    pub(super) fn new(assembler: Box<dyn Assembler>, pass: &'a dyn Pass, scrubber: &'a Scrubber) -> Self {
        Self { assembler, pass, scrubber, told: 0 }
    }

    /// The answer as it would have come in one piece; `None` if it did not come to its end.
    pub(super) fn whole(self) -> Option<Vec<u8>> {
        serde_json::to_vec(&self.assembler.whole()?).ok()
    }
}

impl Listener for Hearing<'_> {
    fn accepted(&mut self) {
        self.pass.note(Sign::Accepted);
    }

    fn event(&mut self, data: &str) {
        self.assembler.event(data);
        let written = self.assembler.text();
        if written.is_empty() || (self.told > 0 && written.len() < self.told + STRIDE) {
            return;
        }
        self.told = written.len();
        // Four bytes to a token are near enough for a figure that changes while one looks.
        let tokens = tokens_of(written.len() * 3 / 4);
        let line = first_line(written).map(|line| self.scrubber.scrub(&line).into_owned());
        self.pass.note(Sign::Writing { tokens, line });
    }
}
