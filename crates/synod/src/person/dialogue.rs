//! The dialogue with a person: what they have to know, the fields one after the other, and a last look before it is sent.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};
use synod_core::brief::{Brief, Field, ValueKind};
use synod_core::kernel::{At, text};
use synod_engine::now;
use synod_minds::AskContext;

use super::editor;
use super::field::{self, FieldNeed, rank};
use super::input::{Ended, line};
use crate::live;
use crate::out::clean;

/// Less time than this is told at every field.
const SHORT_MS: u64 = 5 * 60_000;

/// One turn of one person.
#[derive(Debug)]
pub(super) struct Dialogue {
    seat: String,
    told: String,
    options: Vec<String>,
    until: Option<At>,
    entries: Vec<FieldEntry>,
    /// The entries in the order in which they are asked for.
    order: Vec<usize>,
    /// So many of them come first.
    first: usize,
}

/// A field and what was put there.
#[derive(Debug)]
struct FieldEntry {
    field: Field,
    typed: String,
    value: Option<Value>,
}

/// What follows a field.
enum Then {
    Next,
    Back,
    Finish,
}

impl Dialogue {
    pub(super) fn new(question: &AskContext, brief: &Brief, until: Option<At>) -> Self {
        let entry = |field: &Field| FieldEntry { field: field.clone(), typed: String::new(), value: None };
        let entries: Vec<FieldEntry> = brief.form.fields.iter().map(entry).collect();
        let comes_first = |place: &usize| rank(&entries[*place].field) != FieldNeed::Offered;
        let (firsts, rest): (Vec<usize>, Vec<usize>) = (0..entries.len()).partition(comes_first);
        Self {
            seat: question.seat.to_string(),
            told: brief.for_person(&question.topic),
            options: question.option_texts.clone(),
            until,
            first: firsts.len(),
            order: [firsts, rest].concat(),
            entries,
        }
    }

    /// Asks until there is an answer that the person has looked at.
    pub(super) fn hold(mut self, over: &AtomicBool) -> Result<Value, Ended> {
        say(&format!("\n── {}, it is your turn ──\n\n{}\n\n{}", self.seat, self.told, self.left()));
        say("Enter ends a field. :e opens your editor, :b goes back, :x leaves a field out.\n");
        let mut at = 0;
        while at < self.order.len() {
            if at == self.first {
                let more = text::counted((self.order.len() - at) as u64, "more field");
                say(&format!("\n{more}, optional. Enter skips one, :s skips all that are left.\n"));
            }
            at = match self.ask(self.order[at], at > 0, at >= self.first, over)? {
                Then::Next => at + 1,
                Then::Back => at - 1,
                Then::Finish => self.order.len(),
            };
        }
        self.confirm(over)
    }

    /// Asks for one field until what is typed can be read.
    fn ask(&mut self, place: usize, back: bool, skip: bool, over: &AtomicBool) -> Result<Then, Ended> {
        say(&self.prompt(place));
        loop {
            let typed = typed(over)?;
            let typed = match typed.as_str() {
                ":b" if back => return Ok(Then::Back),
                ":b" => {
                    say("  This is the first field.\n> ");
                    continue;
                }
                ":s" if skip => return Ok(Then::Finish),
                ":s" => {
                    say("  This one comes first; the optional fields follow.\n> ");
                    continue;
                }
                ":x" => {
                    self.entries[place].clear();
                    String::new()
                }
                ":e" => match self.edited(place, over) {
                    Ok(text) => text,
                    Err(why) => {
                        say(&format!("  {why}\n> "));
                        continue;
                    }
                },
                _ if typed.len() == 2 && typed.starts_with(':') => {
                    say(&format!(
                        "  {typed} is not a command: there are :e (editor), :b (back), :x (leave out).\n> "
                    ));
                    continue;
                }
                _ => typed,
            };
            match self.put(place, typed) {
                Ok(()) => return Ok(Then::Next),
                Err(why) => say(&format!("  {why}\n> ")),
            }
        }
    }

    /// Takes what was typed into a field; an error says why not.
    fn put(&mut self, place: usize, typed: String) -> Result<(), String> {
        let entry = &mut self.entries[place];
        let is_needed = rank(&entry.field) == FieldNeed::Needed;
        if typed.is_empty() {
            // What stands there already stays.
            return match is_needed && entry.typed.is_empty() {
                true => Err(format!("This is needed: {}", field::question(&entry.field))),
                false => Ok(()),
            };
        }
        entry.value = field::read(&entry.field, &typed, &self.options)?;
        entry.typed = typed;
        Ok(())
    }

    fn edited(&self, place: usize, over: &AtomicBool) -> Result<String, String> {
        let entry = &self.entries[place];
        let question = format!("{}\n{}", heading(&entry.field), field::question(&entry.field));
        editor::edit(&entry.typed, &clean(&question), over)
    }

    fn prompt(&self, place: usize) -> String {
        let entry = &self.entries[place];
        let optional = if rank(&entry.field) == FieldNeed::Needed { "" } else { " (optional)" };
        let mut out = format!("\n{}{optional}\n  {}\n", heading(&entry.field), field::question(&entry.field));
        if !entry.typed.is_empty() {
            let _ = writeln!(out, "  Now: {} (Enter keeps it)", shown(&entry.typed));
        }
        let ms = self.until.map(|until| until.since(now()));
        if let Some(ms) = ms.filter(|ms| *ms < SHORT_MS) {
            let _ = writeln!(out, "  {} left", lasting(ms));
        }
        out.push_str("> ");
        out
    }

    /// When the answer has to be there.
    fn left(&self) -> String {
        let told = |until: At| {
            let (minutes, left) = (until.0 / 60_000, lasting(until.since(now())));
            format!("You have until {:02}:{:02} UTC, {left} left.\n", minutes / 60 % 24, minutes % 60)
        };
        self.until.map(told).unwrap_or_default()
    }

    /// Shows everything and asks whether it is meant so.
    fn confirm(mut self, over: &AtomicBool) -> Result<Value, Ended> {
        loop {
            say(&format!("\nYour answer:\n{}{}", self.summary(), self.left()));
            say("Enter sends it; a number changes that field.\n> ");
            let typed = typed(over)?;
            let number = typed.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
            match (typed.as_str(), number.and_then(|number| self.order.get(number).copied())) {
                ("", _) => match self.answer() {
                    Some(answer) => return Ok(answer),
                    None => say("  Nothing was entered yet: change a field by its number.\n"),
                },
                (_, Some(place)) => {
                    self.ask(place, true, true, over)?;
                }
                (_, None) => {
                    let most = self.order.len();
                    say(&format!("  Type a number from 1 to {most}, or Enter to send it.\n"));
                }
            }
        }
    }

    fn summary(&self) -> String {
        let titles: Vec<String> = self.order.iter().map(|place| self.entries[*place].field.title()).collect();
        let wide = titles.iter().map(|title| title.chars().count()).max().unwrap_or(0);
        let mut out = String::new();
        for (nth, (place, title)) in self.order.iter().zip(&titles).enumerate() {
            let typed = &self.entries[*place].typed;
            let typed = if typed.is_empty() { "-".into() } else { shown(typed) };
            let _ = writeln!(out, " {:2} {title:wide$}  {typed}", nth + 1);
        }
        out
    }

    /// What is sent; `None` if there is nothing in it. What is not said is left out: it is unknown, and not a value that
    /// could not be read.
    fn answer(&self) -> Option<Value> {
        let value = |entry: &FieldEntry| match (&entry.value, &entry.field.kind) {
            (Some(value), _) => Some(value.clone()),
            // Nothing typed means that all differ.
            (None, ValueKind::Groups(_)) => Some(json!([])),
            (None, _) => None,
        };
        let given = self.entries.iter().filter_map(|entry| Some((entry.field.key.clone(), value(entry)?)));
        let given: Map<String, Value> = given.collect();
        let is_said = !given.is_empty() || self.entries.iter().any(|entry| !entry.typed.is_empty());
        is_said.then_some(Value::Object(given))
    }
}

impl FieldEntry {
    fn clear(&mut self) {
        (self.typed, self.value) = (String::new(), None);
    }
}

/// The next line. One Ctrl-D may be a slip of the finger and must not cost a turn, so only a second one in a row does.
fn typed(over: &AtomicBool) -> Result<String, Ended> {
    match line(over) {
        Err(Ended::EndOfInput) => {
            say("\n  Press Ctrl-D once more to end your turn without an answer, or type on.\n> ");
            line(over)
        }
        other => other,
    }
}

/// The name of a field and what may be typed there.
fn heading(field: &Field) -> String {
    format!("{}{}", field.title(), field::hint(&field.kind))
}

/// What was typed, in one line.
fn shown(typed: &str) -> String {
    text::excerpt(&text::one_line(typed), 100).into_owned()
}

/// A time as people say it.
fn lasting(ms: u64) -> String {
    match ms / 1000 {
        seconds @ 0..120 => text::counted(seconds, "second"),
        seconds @ 120..7200 => text::counted((seconds + 30) / 60, "minute"),
        seconds => text::counted((seconds + 1800) / 3600, "hour"),
    }
}

fn say(text: &str) {
    live::say(&clean(text));
}
