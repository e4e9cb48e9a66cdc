//! Votes in the words of the statement that they are.

use super::Vote;
use crate::kernel::{CHANGE_IF, CONDITIONS, Response, text};

/// The most conditions of a vote that are kept, and the longest one, in characters. Longer ones are cut and say so.
const CONDITIONS_MOST: usize = 10;
const CONDITION_MOST: usize = 1000;

impl Vote {
    /// The same vote with the reasons of a statement.
    pub fn in_the_words_of(mut self, said: &Response) -> Self {
        let section =
            |named: &str| said.sections.iter().find(|(key, _)| key == named).map(|(_, text)| text.as_str());
        let depends = section(CONDITIONS).unwrap_or_default().lines().map(str::to_owned).collect();
        self.reason = said.reasoning.clone().or_else(|| said.position.clone());
        self.change_if = section(CHANGE_IF).map(str::to_owned);
        self.conditions = conditions(depends);
        self
    }
}

/// The conditions of a vote, as many and as long as people read.
pub fn conditions(written: Vec<String>) -> Vec<String> {
    let named = written.into_iter().filter(|condition| !text::names_nothing(condition));
    named.take(CONDITIONS_MOST).map(|it| text::excerpt(&it, CONDITION_MOST).into_owned()).collect()
}
