//! Seats at work, a line for each: who thinks, writes, waits for a retry or has answered, and what it has cost so far.
//!
//! Only on a terminal. Everything shown here was asked of the onlookers first: where a round is blind to one of them, or
//! names are hidden, there is only a count.

mod board;
mod columns;
mod screen;

use std::time::{Duration, Instant};

use synod_core::Event;
use synod_core::house::Case;
use synod_engine::Signal;

use self::board::Board;
pub(crate) use self::screen::{ScreenNotice, hold, line, lives, notice, release, say};
use crate::onlookers::Onlookers;
use crate::out;

/// A line that is being written is redrawn so often at most.
const WRITING_LEAST: Duration = Duration::from_millis(150);

/// How often the block is redrawn while nothing happens: it counts seconds.
pub(crate) const BEAT: Duration = Duration::from_secs(1);

/// The block of a matter.
#[derive(Debug)]
pub(crate) struct LiveBlock {
    board: Board,
    colour: bool,
    drawn: Option<Instant>,
}

impl LiveBlock {
    /// Begins to show, where somebody looks.
    pub(crate) fn begin() -> Option<Self> {
        let colour = out::takes_colour(&std::io::stderr());
        lives().then(|| Self { board: Board::default(), colour, drawn: None })
    }

    /// How an ask is getting on.
    pub(crate) fn signal(&mut self, case: &Case, signal: &Signal) {
        let now = Instant::now();
        let is_writing = matches!(signal.live, synod_engine::AskProgress::Writing { .. });
        self.board.signal(case, signal, now);
        let is_early = self.drawn.is_some_and(|drawn| now.duration_since(drawn) < WRITING_LEAST);
        if !(is_writing && is_early) {
            self.draw(case);
        }
    }

    /// Something was recorded. `is_shown`: everybody here may see it.
    pub(crate) fn event(&mut self, case: &Case, event: &Event, is_shown: bool) {
        self.board.event(case, event, is_shown);
    }

    /// Draws the block as things stand.
    pub(crate) fn draw(&mut self, case: &Case) {
        let now = Instant::now();
        let (width, rows) = out::error_size();
        // The last column stays free: some terminals wrap already when it is filled.
        let lines = self.board.lines(&Onlookers::of(case), now, width - 1);
        let shown = lines.len().saturating_sub(rows.saturating_sub(2).max(1));
        let lines: Vec<screen::Drawn> = lines[shown..].iter().map(|line| line.written(self.colour)).collect();
        screen::draw(&lines);
        self.drawn = Some(now);
    }
}

/// Nothing is redrawn any more, and nothing waits.
pub(crate) fn end() {
    screen::end();
}
