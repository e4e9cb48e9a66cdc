//! A form: the fields an answer should have. It words the request for them, gives their JSON Schema, and
//! reads them back (`read` holds the cascade from strict JSON down to plain text).

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Section;
use crate::kernel::{CHANGE_IF, CONDITIONS, Choice, Marks};

/// The fields of an answer, in the order they are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// A short name for the provider's schema, such as `speech` or `vote`.
    pub name: &'static str,
    /// The fields.
    pub fields: Vec<Field>,
}

/// One field of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its key in JSON; its heading when sections are written instead.
    pub key: String,
    /// What kind of value it holds.
    pub kind: ValueKind,
    /// What the participant is asked to put there.
    pub ask: String,
    /// Whether there may be nothing to put there: `null` then.
    pub optional: bool,
}

/// The kinds of value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueKind {
    /// Free text.
    Text,
    /// Several short texts.
    List,
    /// A number from 0 to 1.
    Confidence,
    /// One of these words.
    Choice(Vec<String>),
    /// These letters in order of preference, or words for none of them and for no side.
    Ranking(Vec<String>),
    /// Some of these letters, or words for none of them and for no side.
    Approval(Vec<String>),
    /// A score for each of these letters.
    Scores(Vec<String>),
    /// A number of these.
    Number(String),
    /// Groups of these letters that belong together.
    Groups(Vec<String>),
    /// Sources.
    Citations,
    /// What the participant asks for.
    Requests {
        /// Whether files may be asked for.
        files: bool,
    },
}

/// The form of the vote that a seat is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VoteForm {
    /// Whether a changed vote has to name the argument that changed it.
    pub argued: bool,
    /// Whether it may be passed on to another seat.
    pub delegation: bool,
    /// What is put on the ballot where there are options.
    pub marking: Marking,
    /// Whether it counts for as much as the voter is sure.
    pub weighed: bool,
}

/// What is put on a ballot with options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marking {
    /// One of them.
    #[default]
    One,
    /// Some of them, in order.
    Ranking,
    /// Some of them.
    Approval,
    /// A score for each.
    Scores,
}

/// The word for a choice on a ballot, where NEUTRAL is said ABSTAIN.
const ABSTAIN: &str = "ABSTAIN";
/// The word for turning down every option.
const NONE: &str = "NONE";

impl Form {
    /// The form of a contribution in the order in which one should think: reasons, key points, the charter's other
    /// sections, then the position they lead to, stance and confidence.
    pub fn speech(options: usize, sections: &[Section]) -> Self {
        let stance = match options {
            0 => "Where you stand.",
            _ => "The option you favour, NONE, or NEUTRAL.",
        };
        let rank = |section: &&Section| match section.key.as_str() {
            "reasoning" => 0,
            "key_points" => 1,
            POSITION => 3,
            _ => 2,
        };
        let mut ordered: Vec<&Section> = sections.iter().collect();
        ordered.sort_by_key(rank);
        let mut fields: Vec<Field> = ordered.into_iter().map(Field::of).collect();
        fields.push(field("stance", ValueKind::Choice(words(options, "NEUTRAL")), stance));
        fields.push(field("confidence", ValueKind::Confidence, SURE));
        Self { name: "speech", fields }
    }

    /// The same form where a side that is taken is a vote.
    pub fn counted(mut self) -> Self {
        for field in self.fields.iter_mut().filter(|field| field.key == "stance") {
            field.ask.push_str(" It counts as your vote.");
        }
        self
    }

    /// The same form where sides are assigned: an assigned seat is not asked for its opinion where it has to give its side.
    pub fn assigned(mut self) -> Self {
        for field in &mut self.fields {
            match field.key.as_str() {
                "stance" => field.ask = "The side your part takes; if it takes none, your own.".into(),
                "confidence" => field.ask = "How strong your case is.".into(),
                _ => (),
            }
        }
        self
    }

    /// The same form for a round after which nothing more can be asked for.
    pub fn without_requests(&self) -> Self {
        let stays = |field: &&Field| !matches!(field.kind, ValueKind::Requests { .. });
        Self { name: self.name, fields: self.fields.iter().filter(stays).cloned().collect() }
    }

    /// The same form with a place to ask the operator for what is missing, whether or not the charter has a section for it,
    /// and for files where they may be read.
    pub fn with_requests(mut self, files: bool) -> Self {
        let kind = ValueKind::Requests { files };
        match self.fields.iter_mut().find(|field| matches!(field.kind, ValueKind::Requests { .. })) {
            Some(field) => field.kind = kind,
            None => {
                let ask = if files { FILES_NEEDED } else { FACTS_NEEDED };
                self.insert_before_conclusion(field(REQUESTS, kind, ask));
            }
        }
        // What was read for a seat is for it to cite.
        if files && !self.fields.iter().any(|field| field.kind == ValueKind::Citations) {
            self.insert_before_conclusion(field("citations", ValueKind::Citations, SOURCES));
        }
        self
    }

    /// The same form with an answer to each of so many requirements of the question.
    pub fn with_checks(mut self, musts: usize) -> Self {
        if musts > 0 {
            let ask = "For each numbered requirement, in order: \"yes: how\", \"no: why not\" or \"unclear: what is missing\".";
            self.insert_before_conclusion(field(CHECKS, ValueKind::List, ask));
        }
        self
    }

    fn insert_before_conclusion(&mut self, field: Field) {
        let is_conclusion =
            |field: &Field| [POSITION, "stance", super::ANSWER, super::LOW].contains(&field.key.as_str());
        let place = self.fields.iter().position(is_conclusion).unwrap_or(0);
        self.fields.insert(place, field);
    }

    /// The form of a vote.
    pub fn vote(options: usize, asked: VoteForm) -> Self {
        let sure = match asked.weighed {
            true => "How sure you are. Your vote counts for that much of a vote.",
            false => SURE,
        };
        let mut fields = vec![
            field("reason", ValueKind::Text, "What weighs most with you, in one or two sentences."),
            field(
                CHANGE_IF,
                ValueKind::Text,
                "What would have to be true for you to vote otherwise, in one sentence.",
            ),
            field(
                CONDITIONS,
                ValueKind::List,
                "What must be in place for your vote to hold, each in a few words; [] if nothing.",
            ),
        ];
        if asked.argued {
            let ask = "Only if you changed sides: the argument that did it, and whose.";
            fields.push(field(NEW_ARGUMENT, ValueKind::Text, ask).or_null());
        }
        if asked.delegation {
            let ask = "Only to pass your vote on: the member's name, and vote ABSTAIN.";
            fields.push(field(DELEGATE, ValueKind::Text, ask).or_null());
        }
        fields.push(marked(options, asked.marking));
        fields.push(field("confidence", ValueKind::Confidence, sure));
        Self { name: "vote", fields }
    }

    /// The JSON Schema of the answer as JSON text: fields in their order, all required, nothing else allowed, so that
    /// strict modes of providers accept it as it is. What belongs into a field is said in the brief and not here again.
    pub fn schema(&self) -> String {
        object(self.fields.iter().map(|field| (field.key.as_str(), field.schema())))
    }

    /// Appends the request for these fields.
    pub(super) fn request_into(&self, out: &mut String) {
        for field in &self.fields {
            let _ = writeln!(out, "- {}{}: {}", field.key, field.hint(), field.ask);
        }
    }

    /// The field of that key, however the key is spelled.
    pub(super) fn find(&self, key: &str) -> Option<&Field> {
        if let Some(field) = self.fields.iter().find(|field| field.key == key) {
            return Some(field);
        }
        self.fields.iter().find(|field| is_same_key(&field.key, key))
    }
}

impl Field {
    /// The field of a charter's section.
    fn of(section: &Section) -> Self {
        let field = field(&section.key, meaning(&section.key), &section.ask);
        if section.optional { field.or_null() } else { field }
    }

    /// The same field, where there may be nothing to say.
    pub(super) fn or_null(self) -> Self {
        Self { optional: true, ..self }
    }

    /// What a value may be, as it is told after the key.
    fn hint(&self) -> String {
        let hint = self.kind.hint();
        match (self.optional && !self.kind.is_list(), hint.strip_suffix(')')) {
            (false, _) => hint,
            (true, Some(hint)) => format!("{hint}, or null)"),
            (true, None) => " (text or null)".into(),
        }
    }

    /// Strict modes want every key: where a field may be left out, `null` stands for that. A list can be empty.
    fn schema(&self) -> String {
        let schema = self.kind.schema();
        match (self.optional && !self.kind.is_list(), schema.strip_prefix(r#"{"type":"#)) {
            (true, Some(rest)) if rest.starts_with('"') => {
                let (kind, rest) = rest[1..].split_once('"').unwrap_or((rest, ""));
                format!(r#"{{"type":["{kind}","null"]{rest}"#)
            }
            _ => schema,
        }
    }
}

/// The field that holds the vote itself.
fn marked(options: usize, marking: Marking) -> Field {
    let letters = || (0..options).map(|i| Choice::letter(i as u8).to_string()).collect();
    match (options, marking) {
        (0, _) => {
            let ask = "Your vote on the question.";
            field("vote", ValueKind::Choice(words(options, ABSTAIN)), ask)
        }
        (_, Marking::One) => {
            let ask = "One option; NONE rejects all.";
            field("vote", ValueKind::Choice(words(options, ABSTAIN)), ask)
        }
        (_, Marking::Ranking) => {
            let ask = "The options you could live with; \"A = B\" for equal ones. What you leave out ranks below all \
                       you name. [\"NONE\"] rejects all, [\"ABSTAIN\"] takes no side.";
            field("vote", ValueKind::Ranking(letters()), ask)
        }
        (_, Marking::Approval) => {
            let ask = "All options you approve of. [\"NONE\"] rejects all, [\"ABSTAIN\"] takes no side.";
            field("vote", ValueKind::Approval(letters()), ask)
        }
        (_, Marking::Scores) => {
            let ask =
                "A whole number for every option: 0 rejects it, 10 is ideal. To take no side, null for all.";
            field("vote", ValueKind::Scores(letters()), ask)
        }
    }
}

/// The key of the claim a statement comes to.
pub(super) const POSITION: &str = "position";
/// What is asked of a confidence.
pub(super) const SURE: &str = "How sure you are.";
/// The key under which a vote names who shall carry it.
pub const DELEGATE: &str = "delegate";
/// The key under which a changed vote names its argument.
pub const NEW_ARGUMENT: &str = "new_argument";
/// The key of what a participant asks for.
pub const REQUESTS: &str = "context_requests";
/// The key under which a statement answers the requirements of the question.
pub const CHECKS: &str = "requirements";
/// What is asked of a request where the charter says nothing of them.
const FACTS_NEEDED: &str =
    "Almost always []. Only facts the operator alone has and no answer is possible without.";
/// The same where files may be read.
const FILES_NEEDED: &str = "Files you need to see before the next round; [] if none.";
/// What is asked of sources where the charter has no section for them.
const SOURCES: &str = "Sources you use: url or path, title, short quote. [] if none.";
/// How much a request matters.
const PRIORITIES: [&str; 2] = ["optional", "required"];

/// The kinds that keys of sections stand for; any other key is a text.
pub(super) fn meaning(key: &str) -> ValueKind {
    match key {
        "key_points" | CONDITIONS => ValueKind::List,
        "citations" => ValueKind::Citations,
        REQUESTS => ValueKind::Requests { files: false },
        _ => ValueKind::Text,
    }
}

impl ValueKind {
    /// Whether nothing to say is an empty list.
    fn is_list(&self) -> bool {
        match self {
            Self::List | Self::Ranking(_) | Self::Approval(_) | Self::Citations | Self::Requests { .. } => {
                true
            }
            Self::Groups(_) => true,
            Self::Text | Self::Confidence | Self::Choice(_) | Self::Scores(_) | Self::Number(_) => false,
        }
    }

    /// What a value may be, as it is told after the key.
    fn hint(&self) -> String {
        match self {
            Self::Text => String::new(),
            Self::List => " (list)".into(),
            Self::Confidence => " (0 to 1)".into(),
            Self::Choice(words) => format!(" ({})", words.join("|")),
            Self::Ranking(letters) => format!(" (list of {}, best first)", letters.join(", ")),
            Self::Approval(letters) => format!(" (list of {})", letters.join(", ")),
            Self::Scores(letters) => format!(" (object: {}, each 0 to 10)", letters.join(", ")),
            Self::Number(unit) => format!(" (number of {unit}, or null)"),
            Self::Groups(letters) => format!(" (list of groups of {})", letters.join(", ")),
            Self::Citations => " (list of {url, title, quote})".into(),
            Self::Requests { files: false } => {
                " (list of {query, reason, priority: optional|required})".into()
            }
            Self::Requests { files: true } => " (list of {query, reason, priority: optional|required, file: \
                 relative path of a file to be read to you, such as src/api.rs:10-40, else null})"
                .into(),
        }
    }

    fn schema(&self) -> String {
        const TEXT: &str = r#"{"type":"string"}"#;
        let list = |of: &str| format!(r#"{{"type":"array","items":{of}}}"#);
        let one_of = |words: Value| format!(r#"{{"type":"string","enum":{words}}}"#);
        let text = |key| (key, TEXT.to_string());
        match self {
            Self::Text => TEXT.into(),
            Self::List | Self::Ranking(_) | Self::Approval(_) | Self::Groups(_) => list(TEXT),
            Self::Number(_) => r#"{"type":["number","null"]}"#.into(),
            Self::Confidence => r#"{"type":"number"}"#.into(),
            Self::Choice(words) => one_of(json!(words)),
            Self::Scores(letters) => {
                let score = r#"{"type":["integer","null"]}"#;
                object(letters.iter().map(|letter| (letter.as_str(), score.to_string())))
            }
            Self::Citations => list(&object(["url", "title", "quote"].map(text).into_iter())),
            Self::Requests { files } => {
                let priority = ("priority", one_of(json!(PRIORITIES)));
                let file = files.then(|| ("file", r#"{"type":["string","null"]}"#.to_string()));
                list(&object([text("query"), text("reason"), priority].into_iter().chain(file)))
            }
        }
    }
}

/// The schema of an object with these members, in this order.
fn object<'a>(members: impl Iterator<Item = (&'a str, String)>) -> String {
    let (mut properties, mut required) = (String::new(), String::new());
    for (key, schema) in members {
        let comma = if properties.is_empty() { "" } else { "," };
        let key = json!(key);
        let _ = write!(properties, "{comma}{key}:{schema}");
        let _ = write!(required, "{comma}{key}");
    }
    format!(
        r#"{{"type":"object","properties":{{{properties}}},"required":[{required}],"additionalProperties":false}}"#
    )
}

/// The choices of a question, in the words that are offered.
fn words(options: usize, neutral: &str) -> Vec<String> {
    let mut words: Vec<String> = (0..options).map(|i| Choice::letter(i as u8).to_string()).collect();
    if words.is_empty() {
        words.extend(["YES".to_string(), "NO".to_string()]);
    } else {
        words.push(NONE.into());
    }
    words.push(neutral.into());
    words
}

pub(super) fn field(key: &str, kind: ValueKind, ask: &str) -> Field {
    Field { key: key.into(), kind, ask: ask.into(), optional: false }
}

/// A key or heading without case, blanks and marks: `Key Points:` is `keypoints`.
pub(super) fn plain_key(key: &str) -> String {
    plain_letters(key).collect()
}

fn plain_letters(key: &str) -> impl Iterator<Item = char> {
    key.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

/// Whether two keys or headings are the same but for case, blanks and marks.
pub(super) fn is_same_key(one: &str, other: &str) -> bool {
    one == other || plain_letters(one).eq(plain_letters(other))
}

/// What a said word chooses, for a question with these options. `None` if it is no choice: a word that
/// merely resembles one never counts.
pub(super) fn choice(said: &str, options: &[String]) -> Option<Choice> {
    let said = said.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let upper = said.to_uppercase();
    match upper.as_str() {
        "YES" | "AYE" | "YEA" | "FOR" | "APPROVE" | "SUPPORT" | "AGREE" if options.is_empty() => {
            Some(Choice::Yes)
        }
        "NO" | "NAY" | "AGAINST" | "REJECT" | "OPPOSE" | "DISAGREE" if options.is_empty() => Some(Choice::No),
        "NONE" | "NONE OF THESE" | "NONE OF THEM" | "NONE OF THE ABOVE" if !options.is_empty() => {
            Some(Choice::No)
        }
        "NEUTRAL" | "ABSTAIN" | "ABSTENTION" | "ABSTAINING" => Some(Choice::Neutral),
        other => option(other, said, options),
    }
}

/// An option by its letter (`B`, `option b`, `B) text`) or by its whole text.
fn option(upper: &str, said: &str, options: &[String]) -> Option<Choice> {
    let lettered = upper.strip_prefix("OPTION").map_or(upper, str::trim_start);
    let mut chars = lettered.chars();
    let index = |c: char| {
        (c as u32).checked_sub('A' as u32).filter(|i| (*i as usize) < options.len()).map(|i| i as u8)
    };
    if let (Some(letter), next) = (chars.next(), chars.next())
        && matches!(next, None | Some(')' | '.' | ':'))
        && let Some(index) = index(letter)
    {
        return Some(Choice::Option(index));
    }
    let folded = crate::kernel::text::fold(said);
    let place = options.iter().position(|option| crate::kernel::text::fold(option) == folded)?;
    Some(Choice::Option(place as u8))
}

/// What stands on a marked ballot: marks, or a word for none of the options or for no side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stands {
    Word(Choice),
    Marks(Marks),
}

/// The options a said item names; several where they are put as equal. `None` if it is anything else.
fn named(said: &str, options: &[String]) -> Option<Vec<u8>> {
    let equal = said.split('=').map(|part| match choice(part, options)? {
        Choice::Option(option) => Some(option),
        Choice::Yes | Choice::No | Choice::Neutral => None,
    });
    equal.collect()
}

/// NONE or ABSTAIN, said alone.
fn word(said: &str, options: &[String]) -> Option<Choice> {
    choice(said, options).filter(|choice| matches!(choice, Choice::No | Choice::Neutral))
}

/// Each option at most once.
fn once(options: impl Iterator<Item = u8>) -> bool {
    let mut seen = std::collections::BTreeSet::new();
    options.into_iter().all(|option| seen.insert(option))
}

/// A ranking from its items, best first: letters, or letters put as equal.
pub(super) fn ranking(items: &[String], options: &[String]) -> Option<Stands> {
    if let [only] = items
        && let Some(word) = word(only, options)
    {
        return Some(Stands::Word(word));
    }
    let mut groups: Vec<Vec<u8>> = items.iter().map(|item| named(item, options)).collect::<Option<_>>()?;
    groups.iter_mut().for_each(|group| group.sort_unstable());
    let good = !groups.is_empty() && once(groups.iter().flatten().copied());
    good.then_some(Stands::Marks(Marks::Ranking(groups)))
}

/// A list of options approved of.
pub(super) fn approval(items: &[String], options: &[String]) -> Option<Stands> {
    match ranking(items, options)? {
        Stands::Word(word) => Some(Stands::Word(word)),
        Stands::Marks(Marks::Ranking(groups)) => {
            let mut approved = groups.concat();
            approved.sort_unstable();
            // Equal signs are for rankings.
            (approved.len() == items.len()).then_some(Stands::Marks(Marks::Approved(approved)))
        }
        Stands::Marks(Marks::Approved(_) | Marks::Scores(_)) => None,
    }
}

/// Scores from pairs of an option and what is said of it. All must be there, each once; none at all is no side.
pub(super) fn scored(pairs: &[(String, Option<String>)], options: &[String]) -> Option<Stands> {
    let mut scores: Vec<Option<Option<u8>>> = vec![None; options.len()];
    for (said, score) in pairs {
        let Choice::Option(option) = choice(said, options)? else { return None };
        let score = match score {
            Some(score) => Some(score.trim().parse().ok().filter(|score| *score <= Marks::BEST)?),
            None => None,
        };
        let place = &mut scores[usize::from(option)];
        if place.replace(score).is_some() {
            return None;
        }
    }
    let scores: Vec<Option<u8>> = scores.into_iter().collect::<Option<_>>()?;
    if scores.iter().all(Option::is_none) {
        return Some(Stands::Word(Choice::Neutral));
    }
    let scores: Vec<u8> = scores.into_iter().collect::<Option<_>>()?;
    let nothing = scores.iter().all(|score| *score == 0);
    Some(if nothing { Stands::Word(Choice::No) } else { Stands::Marks(Marks::Scores(scores)) })
}
