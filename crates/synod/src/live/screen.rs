//! What stands on standard error: lines that scroll, below them a block that is redrawn in place, and a person's prompt,
//! which nothing else may touch. There is one terminal, so there is one screen.

use std::io::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::columns;
use crate::out;

static SCREEN: Mutex<Screen> = Mutex::new(Screen { drawn: Vec::new(), held: None });

/// The state of the terminal as far as it is ours.
#[derive(Debug)]
struct Screen {
    /// The columns of each line of the block that stands there now.
    drawn: Vec<usize>,
    /// What waits while a person types.
    held: Option<HeldOutput>,
}

/// Output that waits for a person to finish.
#[derive(Debug, Default)]
struct HeldOutput {
    /// For when their turn is over.
    lines: Vec<String>,
    /// For when their line is entered.
    notices: Vec<ScreenNotice>,
}

/// A line without anybody's words, which also a person may read who is being asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScreenNotice {
    /// How many have answered: the next one replaces it.
    Count(String),
    /// Anything else.
    Line(String),
}

impl ScreenNotice {
    /// The same, harmless for a terminal.
    pub(crate) fn clean(self) -> Self {
        match self {
            Self::Count(text) => Self::Count(out::clean(&text)),
            Self::Line(text) => Self::Line(out::clean(&text)),
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Count(text) | Self::Line(text) => text,
        }
    }
}

/// Whether the block can be redrawn: somebody looks, on a terminal that can move its cursor.
pub(crate) fn lives() -> bool {
    out::error_is_seen() && std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb")
}

fn screen() -> MutexGuard<'static, Screen> {
    SCREEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes at once, so that nobody sees half a block. A closed pipe is not an error.
fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

impl Screen {
    /// What takes the block away. Lines wrap if the terminal became narrower since they were drawn.
    fn erased(&mut self) -> String {
        if self.drawn.is_empty() {
            return String::new();
        }
        let width = out::error_size().0;
        let rows: usize = self.drawn.drain(..).map(|columns| columns.div_ceil(width).max(1)).sum();
        format!("\r\x1b[{rows}A\x1b[J")
    }
}

/// Writes a line that scrolls, above the block. While a person types it waits for the end of their turn.
pub(crate) fn line(line: &str) {
    let mut screen = screen();
    if let Some(held) = &mut screen.held {
        held.lines.push(line.to_string());
        return;
    }
    // The block comes back with the next beat.
    let erased = screen.erased();
    let fitted = out::error_columns()
        .map(|most| line.split('\n').map(|line| columns::wrapped(line, most)).collect::<Vec<_>>().join("\n"));
    write(&format!("{erased}{}\n", fitted.as_deref().unwrap_or(line)));
}

/// Writes a notice. While a person types it waits for the end of their line.
pub(crate) fn notice(notice: ScreenNotice) {
    let mut screen = screen();
    let Some(held) = &mut screen.held else {
        drop(screen);
        return line(notice.text());
    };
    if let ScreenNotice::Count(_) = notice {
        held.notices.retain(|earlier| !matches!(earlier, ScreenNotice::Count(_)));
    }
    held.notices.push(notice);
}

/// A line of the block: its columns and how it is written.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) columns: usize,
    pub(super) written: String,
}

/// Replaces the block. Nothing is drawn while a person types.
pub(super) fn draw(lines: &[Drawn]) {
    let mut screen = screen();
    if screen.held.is_some() || (lines.is_empty() && screen.drawn.is_empty()) {
        return;
    }
    let mut text = screen.erased();
    for line in lines {
        text.push_str(&line.written);
        text.push('\n');
    }
    screen.drawn = lines.iter().map(|line| line.columns).collect();
    write(&text);
}

/// Takes the block away and gives out whatever waits, because nothing follows.
pub(super) fn end() {
    let mut screen = screen();
    let erased = screen.erased();
    write(&erased);
    drop(screen);
    release(true);
}

/// A person's turn at the terminal begins: whatever others want to write waits.
pub(crate) fn hold() {
    let mut screen = screen();
    let erased = screen.erased();
    write(&erased);
    screen.held.get_or_insert_default();
}

/// Their turn is over. `cut_off`: in the middle of a line.
pub(crate) fn release(cut_off: bool) {
    let Some(held) = screen().held.take() else { return };
    if cut_off {
        write("\n");
    }
    held.notices.iter().for_each(|notice| line(notice.text()));
    held.lines.iter().for_each(|waiting| line(waiting));
}

/// Writes for the person whose turn it is; between two lines of theirs, first the notices that came meanwhile.
pub(crate) fn say(text: &str) {
    let notices = screen().held.as_mut().map(|held| std::mem::take(&mut held.notices)).unwrap_or_default();
    let notices: String =
        notices.iter().map(|notice| format!("{}\n", columns::cut(notice.text(), 200))).collect();
    write(&format!("{notices}{text}"));
}
