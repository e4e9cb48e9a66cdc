//! Votes in the words of the statement that they are.

use super::Vote;
use crate::kernel::prose::{Nameable, says_none};
use crate::kernel::{CHANGE_IF, CONDITIONS, Reading, Response, text};

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
        self.conditions = conditions(depends, "", Reading::Close);
        self
    }
}

/// The conditions of a vote, as many and as long as people read: those listed, else those that an answer names with its vote.
pub fn conditions(listed: Vec<String>, answer: &str, reading: Reading) -> Vec<String> {
    let named = |condition: &String| match reading {
        Reading::Early => !text::names_nothing(condition),
        Reading::Close => !says_none(condition, Nameable::Condition),
    };
    let mut found: Vec<String> = listed.into_iter().filter(named).collect();
    if found.is_empty() && reading == Reading::Close {
        found.extend(with_the_vote(answer));
    }
    found.truncate(CONDITIONS_MOST);
    found.iter().map(|it| text::excerpt(it, CONDITION_MOST).into_owned()).collect()
}

/// Words that show a line to hold the vote. Folded.
const VOTES: [&str; 12] = [
    "vote",
    "votes",
    "voted",
    "voting",
    "stimme",
    "votum",
    "abstimmung",
    "choice",
    "entscheidung",
    "decision",
    "verdict",
    "stance",
];

/// Choices, as they are written beside such a word.
#[rustfmt::skip]
const CHOICES: [&str; 24] = [
    "yes", "no", "yea", "nay", "aye", "ja", "nein", "for", "against", "dafür", "dagegen", "approve", "approved", "reject",
    "rejected", "pro", "contra", "neutral", "accept", "support", "option", "zustimmung", "ablehnung", "abstain",
];

/// How a condition begins. The longer before what they begin with.
const BEGIN: [&str; 42] = [
    "subject to",
    "on condition",
    "on the condition",
    "under the condition",
    "with the condition",
    "conditional on",
    "conditional upon",
    "conditioned on",
    "contingent on",
    "contingent upon",
    "provided",
    "providing",
    "as long as",
    "so long as",
    "assuming",
    "but only",
    "only if",
    "only with",
    "only when",
    "only after",
    "only once",
    "unless",
    "if",
    "once",
    "unter der bedingung",
    "unter der voraussetzung",
    "unter vorbehalt",
    "vorbehaltlich",
    "vorausgesetzt",
    "sofern",
    "solange",
    "falls",
    "aber nur",
    "nur wenn",
    "nur falls",
    "nur mit",
    "nur nach",
    "wenn",
    "sobald",
    "es sei denn",
    "à condition",
    "siempre que",
];

/// What stands before such words and takes their force, and what stands behind them and makes them a phrase.
const NOT_BEHIND: [&str; 13] =
    ["even", "as", "what", "auch", "selbst", "als", "not", "nicht", "whether", "no", "without", "ohne", "at"];
const PHRASES: [&str; 16] = [
    "if you ask",
    "if i may",
    "if i am honest",
    "if anything",
    "if need be",
    "if only",
    "if at all",
    "if any",
    "if not",
    "if you will",
    "wenn man mich fragt",
    "wenn ich ehrlich",
    "wenn überhaupt",
    "wenn nicht",
    "if it helps",
    "once again",
];

/// The condition that an answer names in the sentence of its vote or at the start of the next: `My vote: YES, subject to a
/// kill switch.`
fn with_the_vote(answer: &str) -> Option<String> {
    answer.lines().find_map(|line| {
        // In JSON only the vote itself is looked at.
        let line = line.find("\"vote\"").map_or(line, |at| &line[at..]);
        let words: Vec<PlacedWord<'_>> = PlacedWord::all(line);
        let votes = words.iter().position(|word| VOTES.contains(&&*word.folded))?;
        let choice = words[votes..].iter().take(8).position(|word| CHOICES.contains(&&*word.folded))?;
        condition_behind(line, &words, votes + choice)
    })
}

/// A word where it stands in a line.
struct PlacedWord<'a> {
    at: usize,
    folded: String,
    word: &'a str,
}

impl<'a> PlacedWord<'a> {
    fn all(line: &'a str) -> Vec<Self> {
        let place = |(at, word)| Self { at, folded: text::fold(word), word };
        text::placed_words(line).map(place).collect()
    }
}

/// The condition behind a word of a line.
fn condition_behind(line: &str, words: &[PlacedWord<'_>], choice: usize) -> Option<String> {
    for nth in choice + 1..words.len() {
        let (before, here) = (&words[nth - 1], &words[nth]);
        let between = &line[before.at + before.word.len()..here.at];
        if between.contains(['"', '\u{201d}', '{', '}']) {
            return None;
        }
        let fits = |phrase: &&str| {
            let mut rest = words[nth..].iter();
            phrase.split(' ').all(|part| rest.next().is_some_and(|word| word.folded == part))
        };
        let taken = NOT_BEHIND.contains(&&*before.folded) || PHRASES.iter().any(fits);
        if !taken && BEGIN.iter().any(fits) {
            let rest = &line[here.at..];
            let end = rest.find(['"', '\u{201d}', '{', '}']).unwrap_or(rest.len());
            let sentence = text::sentences(&rest[..end]).next()?;
            let said = sentence.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%');
            let is_named = said.contains(' ') && !says_none(said, Nameable::Condition);
            return is_named.then(|| said.to_string());
        }
        // A sentence that goes on otherwise is about something else.
        if between.contains(['.', '!', '?']) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::with_the_vote;

    #[test]
    fn a_condition_beside_a_vote_is_found() {
        for (said, condition) in [
            ("My vote: YES, subject to a kill switch.", "subject to a kill switch"),
            (
                "I vote yes, provided that the rollback is tested. Reads dominate.",
                "provided that the rollback is tested",
            ),
            ("**Vote:** YES (only if legal signs off)", "only if legal signs off"),
            ("VOTE: FOR, as long as costs stay below 500 euros", "as long as costs stay below 500 euros"),
            ("My vote is yes. Only with a rollback plan.", "Only with a rollback plan"),
            ("Meine Stimme: JA, sofern der Betriebsrat zustimmt.", "sofern der Betriebsrat zustimmt"),
            (
                "Ich gebe meine Stimme: Ja, unter der Bedingung, dass getestet wird.",
                "unter der Bedingung, dass getestet wird",
            ),
            ("{\"vote\": \"YES, subject to review\", \"reason\": \"ok\"}", "subject to review"),
            ("I vote against it unless the price falls by half.", "unless the price falls by half"),
        ] {
            assert_eq!(with_the_vote(said).as_deref(), Some(condition), "{said}");
        }
        for said in [
            "My vote: YES.",
            "My vote: YES, even if it costs more.",
            "My vote: YES, if you ask me.",
            "My vote: YES, without conditions.",
            "My vote: YES. The cache pays if reads dominate.",
            "If reads dominate, we should cache. My vote: YES.",
            "Ich stimme dafür, auch wenn es teuer ist. Meine Stimme: JA.",
            "{\"vote\": \"YES\", \"reason\": \"only if you look closely\"}",
            "My vote: YES, regardless of whether it rains.",
        ] {
            assert_eq!(with_the_vote(said), None, "{said}");
        }
    }
}
