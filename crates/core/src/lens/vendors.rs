//! Names of models and of their makers in what somebody wrote. Where names are hidden, "as ChatGPT I would" tells who
//! speaks as surely as a name does.
//!
//! Only whole words count, with a genitive (`Claudes`) or a version (`gpt4o`) at their end. A word that is also a name of
//! people or things is hidden where a model is meant: with a version, where somebody introduces themselves by it, or
//! where it speaks, agrees or has a view. `Claude` is hidden as well wherever it is written as a name and no other name
//! follows. Large companies are hidden only as makers of a model ("I was trained by Google"), since they are what many
//! questions are about. Words of the question itself stay readable. `models.rs` holds the words.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::mask::{pieces, unspaced};
use super::models::{
    AM, AMBIGUOUS, BY, DISKS, FAMILY, MADE, MAKERS, MODEL, MODELS, NUMBERED, PAIRS, PASSED, PLAIN_PAIRS,
    SELF, SPEAKS, VENDORS, WORDED_MAKERS,
};
use crate::kernel::text;

/// What stands for a model, and for its maker.
const LABELS: (&str, &str) = ("[model]", "[vendor]");

/// The text without them, if there were any. `kept`: folded words that stay readable.
pub(super) fn hide(said: &str, kept: &BTreeSet<String>) -> Option<String> {
    if said.contains(is_unseen) {
        // Whoever tears a name apart by what nobody sees meant the name.
        return hide(&said.replace(is_unseen, ""), kept);
    }
    let whole = match spelt_out(said, kept) {
        Some(left) => Cow::Owned(without_runs(&left, kept).into_owned()),
        None => without_runs(said, kept),
    };
    let said = &*whole;
    let pieces = pieces(said);
    let folded: Vec<String> = pieces.iter().map(|(_, word)| plain(word)).collect();
    let read = TextWords { said, pieces: &pieces, folded: &folded };
    let mut out = String::new();
    let (mut done, mut at) = (0, 0);
    while at < pieces.len() {
        let after = done > 0 && said[done..pieces[at].0].split_whitespace().count() <= 2;
        match read.found(at, after, kept) {
            Some((label, first)) => {
                let last = read.end_of_name(first);
                out.push_str(&said[done..pieces[at].0]);
                out.push_str(label);
                done = pieces[last].0 + pieces[last].1.len();
                at = last + 1;
            }
            None => at += 1,
        }
    }
    let changed = done > 0 || matches!(whole, Cow::Owned(_));
    changed.then(|| out + &said[done..])
}

/// Characters that take no place.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// The text without names that are spelt out: `C l a u d e`.
fn spelt_out(said: &str, kept: &BTreeSet<String>) -> Option<String> {
    let words: Vec<&str> = said.split(' ').collect();
    let is_letter = |word: &&str| word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    let (mut out, mut found, mut at) = (Vec::with_capacity(words.len()), false, 0);
    while at < words.len() {
        let run = words[at..].iter().take_while(|word| is_letter(word)).count();
        let name = plain(&words[at..at + run].concat());
        let known =
            [MODELS.as_slice(), &VENDORS, &AMBIGUOUS].iter().any(|names| names.contains(&name.as_str()));
        if run > 2 && known && !kept.contains(&name) {
            out.push(LABELS.0);
            found = true;
        } else {
            out.extend(&words[at..at + run.max(1)]);
        }
        at += run.max(1);
    }
    found.then(|| out.join(" "))
}

/// Names in scripts without blanks stand inside a run.
fn without_runs<'t>(said: &'t str, kept: &BTreeSet<String>) -> Cow<'t, str> {
    let runs = MODELS.iter().filter(|name| name.starts_with(unspaced));
    let hidden = runs.filter(|name| said.contains(**name) && !kept.iter().any(|word| word.contains(**name)));
    hidden.fold(Cow::Borrowed(said), |left, name| Cow::Owned(left.replace(name, LABELS.0)))
}

/// A folded word, in which Cyrillic letters among Latin ones are what they look like.
fn plain(word: &str) -> String {
    let folded = text::fold(word);
    let mixed =
        folded.chars().any(|c| c.is_ascii_alphabetic()) && folded.chars().any(|c| matches!(c, 'а'..='я'));
    if !mixed {
        return folded;
    }
    const LOOK: [(char, char); 8] =
        [('а', 'a'), ('с', 'c'), ('е', 'e'), ('о', 'o'), ('р', 'p'), ('т', 't'), ('у', 'y'), ('х', 'x')];
    let latin = |c: char| LOOK.iter().find(|(looks, _)| *looks == c).map_or(c, |(_, is)| *is);
    folded.chars().map(latin).collect()
}

/// A text in words.
struct TextWords<'a> {
    said: &'a str,
    pieces: &'a [(usize, &'a str)],
    folded: &'a [String],
}

impl TextWords<'_> {
    /// What stands for the name at a place and where its first part ends, if it gives somebody away. `after`: another
    /// name was hidden before it.
    fn found(&self, at: usize, after: bool, kept: &BTreeSet<String>) -> Option<(&'static str, usize)> {
        if let Some(label) = self.pair(at) {
            let known = self.folded[at..=at + 1].iter().all(|word| kept.contains(word));
            return (!known).then_some((label, at + 1));
        }
        let word = self.folded[at].as_str();
        let (stem, numbered) = stem(word);
        if kept.contains(word) || kept.contains(stem) {
            return None;
        }
        self.label(at, stem, numbered, after).map(|label| (label, at))
    }

    fn pair(&self, at: usize) -> Option<&'static str> {
        let next = self.word(at + 1);
        let (_, _, maker) = PAIRS.iter().find(|(first, then, _)| {
            *first == self.folded[at] && (*then == next || next.strip_suffix('s') == Some(then))
        })?;
        let near = self.between(at + 1).is_some_and(|between| matches!(between, " " | "-"));
        let written = PLAIN_PAIRS.contains(&self.word(at)) && (next != "ai" || self.is_shouted(at + 1));
        let named = self.is_capital(at) && (self.is_capital(at + 1) || self.is_shouted(at + 1));
        (near && (written || named)).then_some(if *maker { LABELS.1 } else { LABELS.0 })
    }

    /// What stands for a word, if it gives somebody away.
    fn label(&self, at: usize, stem: &str, numbered: bool, after: bool) -> Option<&'static str> {
        let disk = stem == "gpt" && DISKS.contains(&self.word(at + 1));
        if MODELS.contains(&stem) && !disk {
            return Some(LABELS.0);
        }
        let by = at > 0 && BY.contains(&self.word(at - 1));
        if WORDED_MAKERS.contains(&stem) && by && self.is_capital(at) {
            return Some(LABELS.1);
        }
        if AMBIGUOUS.contains(&stem) {
            let by_maker = after && by;
            let meant = numbered || by_maker || self.is_versioned(at, stem) || self.is_meant(at, stem);
            return meant.then_some(LABELS.0);
        }
        let maker = MAKERS.contains(&stem) && self.is_maker(at, after);
        (VENDORS.contains(&stem) || maker).then_some(LABELS.1)
    }

    /// Whether a version or a word of the family follows.
    fn is_versioned(&self, at: usize, stem: &str) -> bool {
        let Some(between) = self.between(at + 1) else { return false };
        let next = self.word(at + 1);
        let figure = next.starts_with(|c: char| c.is_ascii_digit());
        if NUMBERED.contains(&stem) {
            let sized = next.ends_with('b') || (stem == "glm" && between == "-");
            return figure && sized && matches!(between, "-" | " ");
        }
        // `Sonnet 18` and `Opus 131` are works; models have not come that far.
        let work = matches!(stem, "sonnet" | "opus" | "haiku" | "nova" | "phi");
        let tied = matches!(between, "-" | "." | "_");
        let named = self.is_capital(at)
            && (figure || is_coded(next) || self.is_capital(at + 1) && FAMILY.contains(&next));
        if work {
            return (named || tied && figure) && next.len() < 2 + usize::from(tied) && between != ".";
        }
        (tied && (figure || is_coded(next) || FAMILY.contains(&next)))
            || between == " " && (named || figure && next.len() < 4)
    }

    /// Whether a model is meant by a word that has other meanings.
    fn is_meant(&self, at: usize, stem: &str) -> bool {
        if NUMBERED.contains(&stem) {
            return false;
        }
        let capital = self.is_capital(at);
        // `an o3 model`
        let coded = is_coded(stem) && MODEL.contains(&self.word(at + 1));
        let introduced = self.is_introduced(at) && (capital || coded || self.is_followed_by_self(at));
        let next = (at + 1..self.folded.len()).find(|at| !PASSED.contains(&self.word(*at))).unwrap_or(at);
        let near = next > at
            && self.between(at + 1).is_some_and(|between| !between.contains(['.', '!', '?', '(', '\n']));
        let speaks = near
            && SPEAKS.contains(&self.word(next))
            && (capital || matches!(self.word(next), "here" | "hier"));
        let modelled = near && capital && MODEL.contains(&self.word(next));
        let label = at == 0 && self.between(1).is_some_and(|between| between.starts_with(':')) && capital;
        let agreed = at > 1
            && capital
            && matches!(self.word(at - 1), "with" | "mit")
            && self.word(at - 2).contains("gree");
        let named = stem == "claude" && self.is_name(at);
        !self.is_in_a_name(at) && (introduced || speaks || modelled || label || agreed) || named
    }

    /// `as X`, `I am X`, `I, X,`, `ich bin X`.
    fn is_introduced(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let article = matches!(self.word(before), "a" | "an" | "der" | "die" | "the" | "ein");
        let before = if article && before > 0 { before - 1 } else { before };
        let said = self.word(before);
        // `my name is Bard`
        if !article && matches!(said, "is" | "ist") && before > 0 && self.word(before - 1) == "name" {
            return true;
        }
        // `as a llama`: an animal, unless it goes on as a model.
        let holds = !article || MODEL.contains(&self.word(at + 1));
        holds && (AM.contains(&said) || AM.iter().any(|am| !am.is_ascii() && said.ends_with(am)))
    }

    /// `as claude I agree`, `as claude, I agree`.
    fn is_followed_by_self(&self, at: usize) -> bool {
        SELF.contains(&self.word(at + 1)) || at + 1 == self.folded.len()
    }

    /// Whether somebody speaks of a company as the maker of a model.
    fn is_maker(&self, at: usize, after: bool) -> bool {
        let by = at > 0 && BY.contains(&self.word(at - 1));
        let near = &self.folded[at.saturating_sub(5)..self.folded.len().min(at + 4)];
        let near_any = |words: &[&str]| near.iter().any(|word| words.contains(&word.as_str()));
        let of_itself = near_any(&SELF) || near_any(&MODEL) || near_any(&["ai"]);
        let made = near_any(&MADE) || near_any(&["ki", "ai", "model", "modell", "assistant", "sprachmodell"]);
        let next = if self.word(at + 1) == "s" { at + 2 } else { at + 1 };
        let trained = near_any(&["trained", "trainiert", "entraîné", "entrenado", "обучен"]);
        let owns = self.word(next) == "language" && self.word(next + 1).starts_with("model");
        let of_model = next < self.folded.len() && {
            let (stem, numbered) = stem(&self.folded[next]);
            self.label_of_model(next, stem, numbered)
        };
        // `I'm a Microsoft model`
        let is_one = MODEL.contains(&self.word(next)) && self.is_introduced(at);
        (by && (after || trained || made && of_itself)) || owns || of_model || is_one
    }

    fn label_of_model(&self, at: usize, stem: &str, numbered: bool) -> bool {
        MODELS.contains(&stem) || AMBIGUOUS.contains(&stem) && (numbered || self.is_versioned(at, stem))
    }

    fn word(&self, at: usize) -> &str {
        self.folded.get(at).map(String::as_str).unwrap_or_default()
    }

    fn is_capital(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|(_, word)| word.starts_with(char::is_uppercase) && word.len() > 1)
    }

    fn is_shouted(&self, at: usize) -> bool {
        self.pieces.get(at).is_some_and(|(_, word)| word.chars().all(char::is_uppercase))
    }

    /// `Gemini Observatory`, `Jean-Claude`.
    fn is_in_a_name(&self, at: usize) -> bool {
        let shouted = self.is_shouted(at);
        let other = self.between(at + 1) == Some(" ")
            && self.is_capital(at + 1)
            && !self.belongs(at + 1)
            && !SPEAKS.contains(&self.word(at + 1))
            && !MODEL.contains(&self.word(at + 1))
            && !shouted;
        let hyphened = at > 0 && self.between(at) == Some("-") && self.is_capital(at - 1);
        other || hyphened
    }

    /// Whether an ambiguous word is written as a name and not as part of another one, and not as a colleague's.
    fn is_name(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let colleague = matches!(next, "from" | "aus" | "in") && !VENDORS.contains(&self.word(at + 2));
        self.is_capital(at) && !self.is_in_a_name(at) && !colleague
    }

    /// Whether a word belongs to the name of a model before it: a number, or a word of the family.
    fn belongs(&self, at: usize) -> bool {
        let word = self.word(at);
        word.starts_with(|c: char| c.is_ascii_digit()) || is_coded(word) || FAMILY.contains(&word)
    }

    /// The last word of a name: `GPT-4.1 mini`, `Claude 3.5 Sonnet`.
    fn end_of_name(&self, at: usize) -> usize {
        let mut last = at;
        while self.between(last + 1).is_some_and(|between| matches!(between, " " | "-" | "." | "_"))
            && self.belongs(last + 1)
        {
            // A sentence that ends with the name and goes on with a number is not the name's.
            if self.between(last + 1) == Some(" ") && FAMILY.contains(&self.folded[last + 1].as_str()) {
                let lower = self.pieces[last + 1].1.starts_with(char::is_lowercase);
                if lower && !self.folded[last].starts_with(|c: char| c.is_ascii_digit()) {
                    break;
                }
            }
            last += 1;
        }
        last
    }

    /// What stands between a word and the one before it.
    fn between(&self, at: usize) -> Option<&str> {
        let (before, here) = (self.pieces.get(at.checked_sub(1)?)?, self.pieces.get(at)?);
        Some(&self.said[before.0 + before.1.len()..here.0])
    }
}

/// A word without a genitive or a number at its end, and whether there was a number: `Claudes`, `gpt4o`.
fn stem(word: &str) -> (&str, bool) {
    let known = |stem: &&str| {
        MODELS.contains(stem) || VENDORS.contains(stem) || AMBIGUOUS.contains(stem) || MAKERS.contains(stem)
    };
    if known(&word) {
        return (word, false);
    }
    if let Some(stem) = word.strip_suffix('s').filter(known) {
        return (stem, false);
    }
    match word.find(|c: char| c.is_ascii_digit()).map(|at| &word[..at]).filter(known) {
        Some(stem) => (stem, true),
        None => (word, false),
    }
}

/// `r1`, `k2`, `v3`.
fn is_coded(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| matches!(c, 'k' | 'm' | 'o' | 'r' | 'v'))
        && word.len() > 1
        && word.len() < 4
        && chars.all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn models_and_their_makers_are_hidden_and_names_of_people_are_not() {
        for (said, hidden) in [
            ("As ChatGPT, I would wait.", "As [model], I would wait."),
            ("I am GPT-4.1 mini by OpenAI.", "I am [model] by [vendor]."),
            ("Claude 3.5 Sonnet agrees with gemini? No.", "[model] agrees with gemini? No."),
            ("As Claude I think so; Claude thinks too.", "As [model] I think so; [model] thinks too."),
            (
                "as an AI language model trained by Google, no",
                "as an AI language model trained by [vendor], no",
            ),
            ("DeepSeek and Qwen2.5 and Llama 3 differ.", "[model] and [model] and [model] differ."),
            ("Claude Monet painted it; Jean-Claude saw it.", "Claude Monet painted it; Jean-Claude saw it."),
            (
                "The Gemini Observatory and a llama. I grok that.",
                "The Gemini Observatory and a llama. I grok that.",
            ),
            ("Google has a cache, and Meta too.", "Google has a cache, and Meta too."),
        ] {
            let shown = super::hide(said, &BTreeSet::new()).unwrap_or_else(|| said.to_string());
            assert_eq!(shown, hidden);
        }
        let kept = BTreeSet::from(["claude".to_string()]);
        assert_eq!(
            super::hide("Claude is cheaper.", &kept),
            None,
            "what the question is about stays readable"
        );
    }

    /// `samples/models.txt`: lines that give a model or a maker away, and lines that only look so. `models_held.txt` was
    /// written before the words were added for the others. Whoever makes one of the figures better writes it down here.
    #[test]
    fn of_labelled_lines_most_that_tell_are_hidden_and_nearly_no_others() {
        let halves = [
            (include_str!("samples/models.txt"), (121, 122), (0, 52)),
            (include_str!("samples/models_held.txt"), (18, 18), (2, 14)),
        ];
        for (lines, hidden, torn) in halves {
            let lines = lines.lines().filter_map(|line| line.split_once('\t'));
            let is_hidden = |line: &str| super::hide(line, &BTreeSet::new()).is_some();
            let of = |label: &'static str| {
                let (found, left): (Vec<&str>, Vec<&str>) = lines
                    .clone()
                    .filter(|(is, _)| *is == label)
                    .map(|(_, line)| line)
                    .partition(|line| is_hidden(line));
                (found.len(), found.len() + left.len(), found, left)
            };
            let (tell, other) = (of("hide"), of("keep"));
            assert_eq!((tell.0, tell.1), hidden, "not hidden: {:#?}", tell.3);
            assert_eq!((other.0, other.1), torn, "torn: {:#?}", other.2);
        }
    }
}
