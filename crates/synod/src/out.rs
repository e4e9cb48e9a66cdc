//! Writing to the terminal. A closed pipe (`synod … | head`) is not an error; any other failed write is, and `main` ends
//! with its exit code. Text from models or files cannot control the terminal: control characters are shown, not sent.

use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;

use serde::Serialize;
use synod_core::kernel::text::turns;

use crate::fail::{Fail, Result, code};

/// Why output was lost, first cause only: everything after it is missing too.
static LOST: OnceLock<String> = OnceLock::new();

/// Writes to stdout as it is. For text of our own and for what was cleaned with [`clean`].
pub(crate) fn text(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => (),
        // Closing the pipe says that the rest is not wanted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => (),
        // The command goes on, since what it does matters more than what it prints.
        Err(error) => drop(LOST.set(error.to_string())),
    }
}

/// Why output of this process was lost, if any was: a file that holds half a receipt must not come with exit code 0.
pub(crate) fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// Writes a line to stdout.
pub(crate) fn line(line: &str) {
    text(&format!("{line}\n"));
}

/// Writes a value as indented JSON to stdout.
pub(crate) fn json(value: &impl Serialize) {
    match crate::json::pretty(value) {
        Ok(json) => line(&plain_json(json)),
        Err(wrong) => error(&format!("synod: the result cannot be written as JSON: {wrong}")),
    }
}

/// The same JSON without a character that steers a terminal or hides from its reader. JSON itself demands escapes only
/// below U+0020. Terminals also obey DEL and the controls above it; some characters turn the text around them, others
/// have no width.
pub(crate) fn plain_json(json: String) -> String {
    let steers = |c: char| ('\u{7f}'..='\u{9f}').contains(&c) || turns(c) || has_no_width(c);
    if !json.contains(steers) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        // Such a character can only stand inside a string.
        match steers(c) {
            true => {
                c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")))
            }
            false => out.push(c),
        }
    }
    out
}

/// Writes JSON whose bytes matter: as it is to a file or another program, in the form above to a terminal.
pub(crate) fn exact(json: String) {
    text(&if std::io::stdout().is_terminal() { plain_json(json) } else { json });
}

/// Characters that take no room, and the separators that some readers take for the end of a line.
fn has_no_width(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Writes a line to stderr. It waits while a person types there.
pub(crate) fn error(line: &str) {
    crate::live::line(line);
}

/// Text from outside, made harmless for a terminal: escape sequences lose their escape.
pub(crate) fn clean(shown: &str) -> String {
    let is_bad = |c: char| (c.is_control() && c != '\n' && c != '\t') || turns(c);
    if shown.contains(is_bad) {
        shown.chars().map(|c| if is_bad(c) { '\u{fffd}' } else { c }).collect()
    } else {
        shown.into()
    }
}

/// Whether a stream shows colours: a terminal, and nobody asked for none.
pub(crate) fn takes_colour(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|asked| asked.is_empty())
}

/// How many columns there are to write in: those of the terminal, else a comfortable line.
pub(crate) fn width() -> usize {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = || rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
    said.or_else(seen).filter(|columns| *columns > 0).unwrap_or(100).clamp(20, 200)
}

/// Columns and rows of the terminal behind standard error; where it does not say, those that terminals always had.
pub(crate) fn error_size() -> (usize, usize) {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let seen = rustix::termios::tcgetwinsize(std::io::stderr()).ok();
    let columns = said.or(seen.map(|size| usize::from(size.ws_col))).filter(|columns| *columns > 0);
    let rows = seen.map(|size| usize::from(size.ws_row)).filter(|rows| *rows > 0);
    (columns.unwrap_or(80).clamp(20, 500), rows.unwrap_or(24).max(4))
}

/// The columns of the terminal behind standard error, where there is one and it says so.
pub(crate) fn error_columns() -> Option<usize> {
    let seen = || rustix::termios::tcgetwinsize(std::io::stderr()).ok().map(|size| usize::from(size.ws_col));
    let columns = error_is_seen().then(seen).flatten();
    columns.filter(|columns| *columns > 0).map(|columns| columns.max(20))
}

/// How many columns there are where lines are for people: none where the output goes elsewhere.
pub(crate) fn screen_width() -> Option<usize> {
    std::io::stdout().is_terminal().then(width)
}

/// Whether a person sees standard error as it is written.
pub(crate) fn error_is_seen() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether a person is at the other end of stdin.
pub(crate) fn person_there() -> bool {
    std::io::stdin().is_terminal()
}

/// Writes a file that somebody named. What is there already is not overwritten, and no link is followed: a cloned folder may hold one.
pub(crate) fn new_file(path: &Path, written: &str) -> Result<()> {
    let shown = path.display();
    let cannot = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Fail::new(
            code::IO,
            "file/exists",
            format!("{shown} exists already and is not overwritten: delete it or choose another name"),
        ),
        _ => Fail::new(code::IO, "file/unwritable", format!("{shown} cannot be written: {error}")),
    };
    let mut file = std::fs::File::create_new(path).map_err(cannot)?;
    file.write_all(written.as_bytes()).map_err(cannot)
}
