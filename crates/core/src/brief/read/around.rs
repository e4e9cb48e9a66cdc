//! The words around a form: whose it is, and whether they take it back.

use super::lexicon::{is_saying, withdraws};
use super::{FieldValue, ReadAnswer, prose};
use crate::kernel::{Repair, text};

/// What was said around the form of an answer.
#[derive(Debug, Default)]
pub(super) struct Around {
    text: String,
    /// Whether some of the form was said to be somebody else's, a sample, or wrong.
    attributed: bool,
}

impl Around {
    /// Words that stand before the form and do not lead up to it.
    pub(super) fn apart(text: &str) -> Self {
        Self { text: text.to_string(), attributed: false }
    }

    /// Takes what stands before a piece of the form.
    pub(super) fn before(&mut self, text: &str) {
        self.attributed |= attributes(text);
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// Takes what stands after the last of it.
    pub(super) fn after(&mut self, text: &str) {
        self.attributed |= goes_on(text);
        self.text.push_str(text);
    }

    /// The answer, without its choice where the words around it say that it is none.
    pub(super) fn heard(&self, mut read: ReadAnswer, options: &[String]) -> ReadAnswer {
        let chosen = |given: &FieldValue| matches!(given, FieldValue::Choice(_) | FieldValue::Marks(_));
        let disowned = self.attributed || disowns(&self.text);
        let said =
            prose::stated(&prose::unquoted(&self.text), options).map(|side| FieldValue::Choice(side.choice));
        let other = |given: &FieldValue| said.as_ref().is_some_and(|said| said != given);
        let lost = |given: &FieldValue| chosen(given) && (disowned || other(given));
        let keys: Vec<String> =
            read.fields.iter().filter(|(_, given)| lost(given)).map(|(key, _)| key.clone()).collect();
        for key in keys {
            let detail = format!("`{key}` is taken back by the words around it: taken as unknown");
            read.repairs.push(Repair::new("contradiction", detail));
            read.fields.remove(&key);
        }
        read
    }
}

/// Whether these words announce what somebody else says, or what an answer might look like.
pub(super) fn attributes(before: &str) -> bool {
    let last = before.trim_end().trim_end_matches(['`', '"', '“', '„']).trim_end();
    let last = last.strip_suffix("json").unwrap_or(last).trim_end_matches(['`', '\n', ' ']);
    let bare = last.trim_end_matches([':', ' ']);
    let from = bare.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    let words: Vec<String> = text::words(&bare[from..]).map(text::fold).collect();
    let own = words.iter().any(|word| {
        matches!(word.as_str(), "i" | "my" | "mine" | "i'm" | "i'd" | "ich" | "mein" | "meine" | "here's")
    });
    let form = words.iter().rev().take(3).any(|word| matches!(word.as_str(), "form" | "schema" | "format"))
        && words.last().is_some_and(|word| matches!(word.as_str(), "is" | "says" | "be" | "wants" | "like"));
    // What a sentence denies or passes over is not its own either, whoever speaks.
    let denied = words.last().is_some_and(|word| {
        matches!(word.as_str(), "not" | "never" | "nicht" | "than" | "nor" | "against")
            || (word == "of" && words.iter().any(|word| word == "instead"))
    });
    let quoted = before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('>'));
    let supposed = words.first().is_some_and(|word| matches!(word.as_str(), "if" | "falls"));
    // "Here is the answer in the requested format:" announces one's own.
    let sample = words.last().is_some_and(|word| matches!(word.as_str(), "format" | "schema" | "form"))
        && !words
            .iter()
            .any(|word| matches!(word.as_str(), "here" | "requested" | "response" | "answer" | "json"));
    if denied || quoted || supposed {
        return true;
    }
    !own && (form || sample || words.iter().any(|word| is_saying(word)))
}

/// Whether what follows the JSON of an answer goes on with its sentence, or takes it back.
fn goes_on(after: &str) -> bool {
    let line = after.trim_start_matches([' ', '`', '"', ')', ',', ';', '-', '–', '—', '(', '…']);
    let first: String = after.trim().chars().take(200).collect();
    line.starts_with(char::is_lowercase) || text::words(&first).any(|word| withdraws(&text::fold(word)))
}

/// Whether somebody says that they do not vote or answer.
pub(super) fn disowns(around: &str) -> bool {
    let deed = |word: &str| {
        matches!(
            word,
            "vote"
                | "answer"
                | "choose"
                | "decide"
                | "judge"
                | "respond"
                | "comply"
                | "participate"
                | "abstimmen"
                | "antworten"
                | "entscheiden"
        )
    };
    let sentences = around.split(['.', '!', '?', ';', '\n']);
    sentences.map(|sentence| text::words(sentence).map(text::fold).collect::<Vec<_>>()).any(|words| {
        let own = words.iter().any(|word| matches!(word.as_str(), "i" | "ich"));
        let first = |what: &dyn Fn(&str) -> bool| words.iter().position(|word| what(word));
        let refuses = first(&|word| {
            matches!(word, "refuse" | "decline" | "abstain" | "weigere" | "enthalte" | "retract" | "withdraw")
        });
        let denied = first(&|word| {
            matches!(word, "not" | "cannot" | "never" | "nicht")
                || word.ends_with("n't")
                || word.ends_with("n’t")
        });
        let near = |at: usize| {
            let (from, to) = (at.saturating_sub(3), (at + 4).min(words.len()));
            words[from..to].iter().any(|word| deed(word))
        };
        own && (refuses.is_some() || denied.is_some_and(near))
    })
}
