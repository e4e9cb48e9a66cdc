//! Names of models and of their makers in what somebody wrote. Where names are hidden, "as ChatGPT I would" tells who
//! speaks as surely as a name does.
//!
//! Only whole words count. A word that is also a name of people or things is hidden when it is written with a capital and
//! no other name follows: "Claude thinks" is hidden, "Claude Monet", "Gemini Observatory" and "I grok that" are not. That
//! hides a zodiac sign now and then, which costs less than telling who speaks. Large companies are hidden only as makers
//! ("trained by Google"), since they are what many questions are about. Words of the question itself stay readable.

use std::collections::BTreeSet;

use super::mask::pieces;
use crate::kernel::text;

/// What stands for a model, and for its maker.
const LABELS: (&str, &str) = ("[model]", "[vendor]");

/// Words that mean nothing else.
const MODELS: [&str; 9] =
    ["chatgpt", "gpt", "deepseek", "qwen", "mixtral", "codestral", "chatglm", "kimi", "gemma"];
const VENDORS: [&str; 5] = ["openai", "anthropic", "xai", "zhipu", "deepmind"];
/// Words that are also names of people, animals, winds and stars, or a verb.
const AMBIGUOUS: [&str; 6] = ["claude", "gemini", "llama", "grok", "mistral", "bard"];
/// What follows the name of a model and belongs to it, besides numbers.
const FAMILY: [&str; 17] = [
    "opus", "sonnet", "haiku", "instant", "code", "pro", "flash", "ultra", "nano", "ai", "large", "small",
    "medium", "mini", "turbo", "instruct", "chat",
];
/// Companies that are hidden as makers only.
const MAKERS: [&str; 9] =
    ["google", "meta", "microsoft", "alibaba", "amazon", "baidu", "nvidia", "apple", "facebook"];
/// What is said of makers, before "by".
const MADE: [&str; 8] =
    ["trained", "made", "created", "developed", "built", "designed", "provided", "released"];

/// The text without them, if there were any. `kept`: folded words that stay readable.
pub(super) fn hide(said: &str, kept: &BTreeSet<String>) -> Option<String> {
    let pieces = pieces(said);
    let folded: Vec<String> = pieces.iter().map(|(_, word)| text::fold(word)).collect();
    let read = Reading { said, pieces: &pieces, folded: &folded };
    let mut out = String::new();
    let (mut done, mut at) = (0, 0);
    while at < pieces.len() {
        match read.label(at).filter(|_| !kept.contains(&folded[at])) {
            Some(label) => {
                let last = read.end_of_name(at);
                out.push_str(&said[done..pieces[at].0]);
                out.push_str(label);
                done = pieces[last].0 + pieces[last].1.len();
                at = last + 1;
            }
            None => at += 1,
        }
    }
    (done > 0).then(|| out + &said[done..])
}

/// A text in words.
struct Reading<'a> {
    said: &'a str,
    pieces: &'a [(usize, &'a str)],
    folded: &'a [String],
}

impl Reading<'_> {
    /// What stands for the word at a place, if it gives somebody away.
    fn label(&self, at: usize) -> Option<&'static str> {
        let word = self.folded[at].as_str();
        // `gpt4` and `qwen2` are their names with a number.
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if MODELS.contains(&bare) || (AMBIGUOUS.contains(&bare) && self.is_name(at)) {
            return Some(LABELS.0);
        }
        let made = |at: usize| self.folded.get(at).is_some_and(|word| MADE.contains(&word.as_str()));
        let maker = MAKERS.contains(&word) && at >= 2 && self.folded[at - 1] == "by" && made(at - 2);
        (VENDORS.contains(&word) || maker).then_some(LABELS.1)
    }

    /// Whether an ambiguous word is written as the name of a model: with a capital, and not as part of another name.
    fn is_name(&self, at: usize) -> bool {
        let capital = |at: usize| {
            self.pieces
                .get(at)
                .is_some_and(|(_, word)| word.starts_with(char::is_uppercase) && word.len() > 1)
        };
        let other_name = self.between(at + 1) == Some(" ") && capital(at + 1) && !self.belongs(at + 1);
        // `Jean-Claude`
        let hyphened = at > 0 && self.between(at) == Some("-") && capital(at - 1);
        capital(at) && !other_name && !hyphened
    }

    /// Whether a word belongs to the name of a model before it: a number, or a word of the family.
    fn belongs(&self, at: usize) -> bool {
        let word = self.folded.get(at).map(String::as_str).unwrap_or_default();
        word.starts_with(|c: char| c.is_ascii_digit()) || FAMILY.contains(&word)
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
}
