//! Which kind of answer a question asks for, told by its wording. Careful: what could be answered by yes or no is a
//! yes-or-no question, so that nobody is turned away who asked properly. Who knows better says the kind.
//!
//! To teach it another language: its question words in `words`, and its questions in the labelled set of the tests.

mod choice;
mod order;
mod words;

use serde::{Deserialize, Serialize};

use self::words::{
    COUNTING, GERMAN, MEASURES, NOT_OPEN, OPENERS, PREPOSITIONS, QUESTION_WORDS, SCRIPTS, SUBORDINATORS,
    holds, phrases,
};

/// The kinds of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionKind {
    /// Carried or not.
    #[default]
    YesNo,
    /// One of the options given.
    Choice,
    /// The seats propose what to choose from.
    Open,
    /// A number.
    Estimate,
}

impl QuestionKind {
    /// All of them, in the order help texts list them.
    pub const ALL: [Self; 4] = [Self::YesNo, Self::Choice, Self::Open, Self::Estimate];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::YesNo => "yes-no",
            Self::Choice => "choice",
            Self::Open => "open",
            Self::Estimate => "estimate",
        }
    }

    /// What such a question is, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::YesNo => "a yes-or-no question",
            Self::Choice => "a choice between options",
            Self::Open => "an open question",
            Self::Estimate => "a question for a number",
        }
    }

    /// Whether its answer is one of what is known when it is asked.
    pub fn is_plain(&self) -> bool {
        match self {
            Self::YesNo | Self::Choice => true,
            Self::Open | Self::Estimate => false,
        }
    }
}

/// What the wording of a question tells.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Detected {
    /// The kind.
    pub kind: QuestionKind,
    /// The options it names, where it names any.
    pub options: Vec<String>,
    /// What it counts, where it says so.
    pub unit: Option<String>,
}

impl Detected {
    fn of(kind: QuestionKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// What to add to the command, so that the question is asked as what it is.
    pub fn arguments(&self) -> String {
        match self.kind {
            QuestionKind::YesNo => "--kind yes-no".into(),
            QuestionKind::Open => "--open".into(),
            QuestionKind::Estimate => {
                format!("--estimate {}", quoted(self.unit.as_deref().unwrap_or("UNIT")))
            }
            QuestionKind::Choice if self.options.is_empty() => "--option ONE --option OTHER".into(),
            QuestionKind::Choice => {
                let options = self.options.iter().map(|option| format!("--option {}", quoted(option)));
                options.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A word of a command line.
fn quoted(word: &str) -> String {
    let plain = word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '/'));
    if plain { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Tells by its wording what a question asks for. Where it asks several things that differ, or none, it is yes or no.
pub fn detect(topic: &str) -> Detected {
    let sentences = sentences(topic);
    let asked: Vec<&TopicSentence<'_>> = sentences.iter().filter(|sentence| sentence.asks).collect();
    let moves = sentences.last().is_some_and(|last| !last.asks && !last.is_context());
    let found: Vec<Detected> = match asked.as_slice() {
        // Many write a question without its mark.
        [] => match sentences.as_slice() {
            [only] if only.is_unmarked_question() => vec![only.detect()],
            // What comes before a command tells about it.
            [.., last] => last.as_command().into_iter().collect(),
            [] => Vec::new(),
        },
        _ if moves && sentences.len() > 1 => Vec::new(),
        asked => asked.iter().map(|sentence| sentence.detect()).collect(),
    };
    match found.as_slice() {
        [first, rest @ ..] if rest.iter().all(|other| other.kind == first.kind) => first.clone(),
        _ => Detected::default(),
    }
}

/// One sentence of a topic.
struct TopicSentence<'a> {
    text: &'a str,
    /// Its words, in small letters.
    words: Vec<String>,
    /// Whether it ends with a question mark.
    asks: bool,
}

/// The most sentences that are looked at: a topic may be a document.
const SENTENCES_MOST: usize = 60;

fn sentences(topic: &str) -> Vec<TopicSentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = topic.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let asks = matches!(c, '?' | '？' | '؟');
        let ends = asks
            || matches!(c, '。' | '！' | '\n' | '।')
            || (matches!(c, '.' | '!')
                && next.is_none_or(char::is_whitespace)
                && !topic[start..at].ends_with(" vs"));
        if ends {
            found.push(TopicSentence::of(&topic[start..at], asks));
            start = at + c.len_utf8();
        }
    }
    found.push(TopicSentence::of(&topic[start..], false));
    found.retain(|sentence| !sentence.words.is_empty());
    found.truncate(SENTENCES_MOST);
    found
}

/// Words of one sentence, in small letters.
fn words_of(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '/' | '%')));
    parts.filter(|part| part.chars().any(char::is_alphanumeric)).map(str::to_lowercase).collect()
}

impl<'a> TopicSentence<'a> {
    fn of(text: &'a str, asks: bool) -> Self {
        let text = text.trim().trim_start_matches(['¿', '¡', '"', '“', '„', '«', '-', '*', '#', ' ']);
        Self { text, words: words_of(text), asks }
    }

    /// Whether it only tells something about the question, rather than move anything.
    fn is_context(&self) -> bool {
        let word = |nth: usize| self.words.get(nth).map_or("", String::as_str);
        let wants = matches!(word(0), "we" | "i" | "wir")
            && holds(OPENERS, word(1))
            && !matches!(word(1), "have" | "are" | "haben" | "sind" | "had" | "were");
        !(wants || holds(words::MOTIONS, word(0)))
    }

    /// Whether it is a question but for its mark. Statements begin with the same words (`What is measured is managed`), so
    /// it takes more signs: who asks, after the verb, or a bare list of two or three names.
    fn is_unmarked_question(&self) -> bool {
        let word = |nth: usize| self.words.get(nth).map_or("", String::as_str);
        let counts = phrases(COUNTING).any(|phrase| begins(&self.words, &phrase));
        let turned = |pair: &[String]| holds(words::MODALS, &pair[0]) && holds(words::PRONOUNS, &pair[1]);
        let asks = holds(QUESTION_WORDS, word(0)) && self.words.windows(2).skip(1).take(5).any(turned);
        let list = choice::short_list(self.text);
        let bare = list.is_some_and(|list| list.iter().all(|name| name.split_whitespace().count() == 1));
        counts || asks || bare
    }

    /// What it asks for, where it is a command to name, to find or to estimate something.
    fn as_command(&self) -> Option<Detected> {
        let lists = words::LISTING.iter().any(|part| self.text.contains(part));
        order::detect(&self.words, self.text).or_else(|| lists.then(|| Detected::of(QuestionKind::Open)))
    }

    fn detect(&self) -> Detected {
        // `Can you name three risks`.
        if let Some(found) = self.as_command() {
            return found;
        }
        if let Some(options) = choice::short_list(self.text) {
            return Detected { kind: QuestionKind::Choice, options, unit: None };
        }
        if let Some(kind) = self.by_script() {
            return Detected::of(kind);
        }
        let first = self.words.first().map_or("", String::as_str);
        let german = || self.words.iter().any(|word| holds(GERMAN, word.as_str()));
        if holds(OPENERS, first) || (first == "was" && !german()) {
            let options = choice::names(self.text).or_else(|| choice::verbs(&self.words));
            let kind = if options.is_some() { QuestionKind::Choice } else { QuestionKind::YesNo };
            return Detected { kind, options: options.unwrap_or_default(), unit: None };
        }
        match self.asking_words() {
            Some(asking) => by_words(asking, self.text),
            None => Detected::default(),
        }
    }

    /// The words from the question word on that the sentence is about; none if it has none at a place that counts.
    fn asking_words(&self) -> Option<&[String]> {
        let is_question =
            |word: Option<&String>| word.is_some_and(|word| holds(QUESTION_WORDS, word.as_str()));
        if is_question(self.words.first()) {
            return Some(&self.words);
        }
        // `In which region …`, `By when …`, `And how …`.
        let leads = self.words.first().is_some_and(|word| holds(PREPOSITIONS, word.as_str()));
        if leads && is_question(self.words.get(1)) {
            return Some(&self.words[1..]);
        }
        self.after_subclause()
    }

    /// `Given our budget, which vendor should we pick`: the main clause, where the sentence begins with a subordinate one.
    fn after_subclause(&self) -> Option<&[String]> {
        let subordinate = self.words.first().is_some_and(|word| holds(SUBORDINATORS, word.as_str()));
        let (_, main) = self.text.rsplit_once([',', ':'])?;
        let main = words_of(main);
        let asks = holds(QUESTION_WORDS, main.first()?.as_str());
        let inverted = main.iter().skip(1).take(5).any(|word| holds(OPENERS, word.as_str()));
        let place = self.words.len().checked_sub(main.len())?;
        (subordinate && asks && inverted).then(|| &self.words[place..])
    }

    /// Languages that do not put the question word first, or do not part words.
    fn by_script(&self) -> Option<QuestionKind> {
        let found =
            |(_, parts): &&(QuestionKind, &str)| parts.split('|').any(|part| self.text.contains(part));
        SCRIPTS.iter().find(found).map(|(kind, _)| *kind)
    }
}

/// The kind of a question that begins with a question word.
fn by_words(asking: &[String], text: &str) -> Detected {
    if phrases(NOT_OPEN).any(|phrase| begins(asking, &phrase)) {
        return Detected::default();
    }
    if let Some(options) = choice::tail(text) {
        return Detected { kind: QuestionKind::Choice, options, unit: None };
    }
    if let Some(phrase) = phrases(COUNTING).find(|phrase| begins(asking, phrase)) {
        return Detected { unit: unit(&phrase, asking), ..Detected::of(QuestionKind::Estimate) };
    }
    // `What will the move cost`, `At what price should we sell`.
    let priced = asking.last().is_some_and(|word| matches!(word.as_str(), "cost" | "kosten"));
    let asks = asking.first().is_some_and(|word| matches!(word.as_str(), "what" | "was"));
    if asks && (priced || asking.get(1).is_some_and(|word| word == "price")) {
        return Detected::of(QuestionKind::Estimate);
    }
    Detected::of(QuestionKind::Open)
}

fn begins(words: &[String], phrase: &[&str]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, part)| word == part)
}

/// What is counted: the word after `how many`, or what a measure is counted in.
fn unit(phrase: &[&str], asking: &[String]) -> Option<String> {
    if let Some((_, unit)) = MEASURES.iter().find(|(measure, _)| *measure == phrase.join(" ")) {
        return Some((*unit).to_string());
    }
    let counted = phrases(words::MANY).any(|many| many == phrase);
    let next = asking.get(phrase.len()).filter(|_| counted)?;
    let noun = !holds(OPENERS, next.as_str()) && !holds(PREPOSITIONS, next.as_str());
    noun.then(|| next.clone())
}
