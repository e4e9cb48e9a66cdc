//! Sentences and their words.

use crate::kernel::text;

/// A sentence of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sentence<'a> {
    /// Its text.
    pub text: &'a str,
    /// From its beginning to the end of the line.
    pub onwards: &'a str,
}

/// A word, folded, with where it begins and ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SpokenWord {
    /// Folded.
    pub word: String,
    pub start: usize,
    pub end: usize,
    /// A mark of writing stands between it and the word before.
    pub apart: bool,
}

impl Sentence<'_> {
    /// Whether it asks.
    pub(super) fn asks(&self) -> bool {
        self.text.trim_end().ends_with('?')
    }
}

/// The sentences of a line. A point inside a number or a name ends none.
pub(super) fn sentences(line: &str) -> Vec<Sentence<'_>> {
    let (mut found, mut from) = (Vec::new(), 0);
    for (at, sign) in line.match_indices(['.', '!', '?', ';', '。']) {
        let end = at + sign.len();
        let ends = line[end..].chars().next().is_none_or(|next| !next.is_alphanumeric());
        if ends && end > from {
            found.push(Sentence { text: &line[from..end], onwards: &line[from..] });
            from = end;
        }
    }
    if from < line.len() {
        found.push(Sentence { text: &line[from..], onwards: &line[from..] });
    }
    found.retain(|sentence| sentence.text.contains(char::is_alphanumeric));
    found
}

/// The words of a text.
pub(super) fn words(said: &str) -> Vec<SpokenWord> {
    let (mut found, mut rest_from) = (Vec::<SpokenWord>::new(), 0);
    while let Some(start) = said[rest_from..].find(char::is_alphanumeric).map(|at| rest_from + at) {
        let inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '_');
        let end = said[start..].find(|c| !inside(c)).map_or(said.len(), |length| start + length);
        let word = said[start..end].trim_end_matches(['\'', '_']);
        let before = found.last().map_or(0, |word| word.end);
        found.push(SpokenWord {
            word: text::fold(word),
            start,
            end: start + word.len(),
            apart: said[before..start].chars().any(|c| !c.is_whitespace()),
        });
        rest_from = end;
    }
    found
}

/// A line without what it quotes. One quoted word is how some set off their own.
pub(super) fn unquoted(line: &str) -> String {
    if !line.contains('"') {
        return line.to_string();
    }
    let parts: Vec<&str> = line.split('"').collect();
    let mut out = String::with_capacity(line.len());
    for (nth, part) in parts.iter().enumerate() {
        let quoted = nth % 2 == 1 && nth + 1 < parts.len();
        let single = part.split_whitespace().nth(1).is_none();
        match quoted && !single {
            true => out.push('…'),
            false => out.push_str(part),
        }
    }
    out
}
