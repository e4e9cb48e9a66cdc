//! Periods: named stretches of work, such as a session or a chapter. Several may be open at a time: a session lies within a
//! chapter. They decide nothing; others count by them.

mod refusal;

use imbl::{OrdMap, Vector};
use serde::{Deserialize, Serialize};

pub use refusal::Refusal;

use crate::kernel::{About, AskChange, At, Id, shared_list, shared_pairs, text};

/// The longest name, in characters.
pub const NAME_MOST: usize = 100;

/// What happens to periods.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// One began. Its id is the id of this event.
    Opened {
        /// What it is called.
        name: String,
    },
    /// It ended.
    Closed {
        /// Which.
        period: Id,
    },
}

impl Event {
    /// Periods are the house's.
    pub fn about(&self) -> About {
        About::House
    }

    /// They do nothing to asks.
    pub fn ask(&self) -> AskChange {
        AskChange::None
    }
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// Its id.
    pub id: Id,
    /// What it is called.
    pub name: String,
    /// When it began.
    pub opened: At,
    /// When it ended, if it has.
    pub closed: Option<At>,
}

/// All of them, in the order they began. Copies are cheap.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Periods {
    #[serde(with = "shared_list")]
    all: Vector<Period>,
    /// Those that are open, by folded name.
    #[serde(with = "shared_pairs")]
    open: OrdMap<String, Id>,
}

impl Periods {
    /// All of them, oldest first.
    pub fn all(&self) -> impl DoubleEndedIterator<Item = &Period> {
        self.all.iter()
    }

    /// Those that are open, oldest first.
    pub fn open(&self) -> impl Iterator<Item = &Period> {
        self.all.iter().filter(|period| period.closed.is_none())
    }

    /// The last period of that name.
    pub fn named(&self, name: &str) -> Option<&Period> {
        let name = text::fold(name);
        self.all.iter().rev().find(|period| text::fold(&period.name) == name)
    }

    /// What opening one would come to.
    pub fn opening(&self, name: &str) -> Result<Event, Refusal> {
        let name = text::one_line(name);
        if name.is_empty() || name.chars().count() > NAME_MOST {
            return Err(Refusal::MalformedName { most: NAME_MOST });
        }
        match self.named(&name) {
            None => Ok(Event::Opened { name }),
            Some(period) if period.closed.is_none() => Err(Refusal::AlreadyOpen { name }),
            // Its name is all that people know it by: a second one would hide the first.
            Some(_) => Err(Refusal::NameTaken { free: self.free_name(&name), name }),
        }
    }

    /// A name like a taken one that is free: `chapter 3` after `chapter 2`, `draft 2` after `draft`.
    fn free_name(&self, taken: &str) -> String {
        let stem = taken.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u64 = taken[stem.len()..].parse().unwrap_or(1);
        let stem = if stem.len() == taken.len() { format!("{stem} ") } else { stem.to_string() };
        let mut later =
            (1..=self.all.len() as u64 + 1).map(|by| format!("{stem}{}", number.saturating_add(by)));
        later.find(|name| self.named(name).is_none()).unwrap_or_default()
    }

    /// What closing one would come to.
    pub fn closing(&self, name: &str) -> Result<Event, Refusal> {
        match self.open.get(&text::fold(&text::one_line(name))) {
            Some(period) => Ok(Event::Closed { period: *period }),
            None => Err(Refusal::NotOpen { name: text::one_line(name) }),
        }
    }

    /// Records an event.
    pub(crate) fn apply(&mut self, id: Id, at: At, event: &Event) {
        match event {
            Event::Opened { name } => {
                self.open.insert(text::fold(name), id);
                self.all.push_back(Period { id, name: name.clone(), opened: at, closed: None });
            }
            Event::Closed { period } => {
                let Ok(place) = self.all.binary_search_by_key(period, |known| known.id) else { return };
                if let Some(period) = self.all.get_mut(place) {
                    period.closed = Some(at);
                    self.open.remove(&text::fold(&period.name));
                }
            }
        }
    }
}
