//! A JSON object as a source sent it: fields asked for by any of the names that sources give them. A value that is not what its
//! field should hold is unknown, and noted.

use std::cell::RefCell;

use serde_json::{Map, Value};

use crate::heard::Millis;
use crate::note::EarNoteKind;
use crate::when::{self, RawTime, TimeUnit};

/// What was found wrong while a message was read.
pub(crate) type Flaws = RefCell<Vec<(EarNoteKind, String)>>;

/// An object and where flaws go.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    pub(crate) map: &'a Map<String, Value>,
    pub(crate) flaws: &'a Flaws,
}

impl<'a> Fields<'a> {
    pub(crate) fn flaw(&self, kind: EarNoteKind, what: impl Into<String>) {
        self.flaws.borrow_mut().push((kind, what.into()));
    }

    /// The first of these fields that is there and not null.
    pub(crate) fn value(&self, names: &[&str]) -> Option<&'a Value> {
        names.iter().find_map(|name| self.map.get(*name).filter(|value| !value.is_null()))
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    /// Text; a number is taken as it is written.
    pub(crate) fn text(&self, names: &[&str]) -> Option<String> {
        match self.value(names)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) | Value::Null => None,
        }
    }

    /// Text that is text.
    pub(crate) fn str(&self, name: &str) -> Option<&'a str> {
        self.map.get(name)?.as_str()
    }

    /// Text that says anything.
    pub(crate) fn name(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.text(&[name]).filter(|text| !text.trim().is_empty()))
    }

    /// Yes or no, also as text.
    pub(crate) fn flag(&self, names: &[&str]) -> Option<bool> {
        match self.value(names)? {
            Value::Bool(is) => Some(*is),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Some(true),
                "false" | "0" | "no" | "off" => Some(false),
                _ => self.bad(names, "should be true or false"),
            },
            Value::Number(_) | Value::Array(_) | Value::Object(_) | Value::Null => {
                self.bad(names, "should be true or false")
            }
        }
    }

    fn bad<T>(&self, names: &[&str], what: &str) -> Option<T> {
        let found = names.iter().find(|name| self.map.get(**name).is_some_and(|value| !value.is_null()));
        self.flaw(EarNoteKind::BadValue, format!("`{}` {what}; it counts as unknown", found.unwrap_or(&"?")));
        None
    }

    /// A moment.
    pub(crate) fn when(&self, names: &[&str], unit: TimeUnit) -> Option<RawTime> {
        match when::read(self.value(names)?, unit) {
            Ok(when) => Some(when),
            Err(why) => {
                let name =
                    names.iter().find(|name| self.map.get(**name).is_some_and(|value| !value.is_null()));
                let detail = format!("`{}`: {why}; it counts as unknown", name.unwrap_or(&"?"));
                self.flaw(EarNoteKind::BadValue, detail);
                None
            }
        }
    }

    /// A span of time.
    pub(crate) fn span(&self, names: &[&str], unit: TimeUnit) -> Option<Millis> {
        match self.when(names, unit)? {
            RawTime::Room(span) => Some(span),
            RawTime::Epoch(_) => self.bad(names, "is far too long"),
        }
    }

    pub(crate) fn number(&self, names: &[&str]) -> Option<f64> {
        match self.value(names)? {
            Value::Number(number) => number.as_f64(),
            Value::String(text) => text.trim().parse().ok().or_else(|| self.bad(names, "should be a number")),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) | Value::Null => {
                self.bad(names, "should be a number")
            }
        }
    }

    /// A small whole number.
    pub(crate) fn index(&self, names: &[&str]) -> Option<u32> {
        let value = self.value(names)?;
        let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
        number
            .and_then(|number| u32::try_from(number).ok())
            .or_else(|| self.bad(names, "should be a small number"))
    }

    pub(crate) fn object(&self, name: &str) -> Option<Fields<'a>> {
        self.of(self.map.get(name)?)
    }

    /// Another object with the same place for flaws.
    pub(crate) fn of(&self, value: &'a Value) -> Option<Fields<'a>> {
        Some(Fields { map: value.as_object()?, flaws: self.flaws })
    }

    /// The objects of a list; what is no object is noted.
    pub(crate) fn list(&self, name: &str) -> Vec<Fields<'a>> {
        let values = self.map.get(name).and_then(Value::as_array).map_or(&[] as &[Value], Vec::as_slice);
        let objects: Vec<_> = values.iter().filter_map(|value| self.of(value)).collect();
        if objects.len() < values.len() {
            let odd = values.len() - objects.len();
            self.flaw(
                EarNoteKind::Unreadable,
                format!("`{name}` holds {odd} entries that are no objects; passed over"),
            );
        }
        objects
    }
}
