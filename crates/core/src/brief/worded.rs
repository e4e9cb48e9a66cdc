//! One statement as the readers of a matter see it: worded once, cut into points once, however many briefs tell it.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

use super::addressed::{StatementSentence, StatementWords, sentences_of};
use crate::kernel::{Choice, Contribution, ContributionKind, Response, text};

/// What a text looks like to the readers of a matter: names are hidden where the charter hides them.
pub type Hide<'a> = &'a dyn for<'t> Fn(&'t str) -> Cow<'t, str>;

/// See the module.
#[derive(Debug)]
pub struct Worded {
    said: Arc<Contribution>,
    /// The name its author has for the readers.
    label: String,
    /// Everything it says.
    whole: OnceLock<String>,
    /// Its points: with its reasons, and without.
    points: [OnceLock<Vec<StatementPoint>>; 2],
    /// Its words as readers see them.
    words: OnceLock<StatementWords>,
    /// What it says, sentence by sentence.
    sentences: OnceLock<Vec<StatementSentence>>,
}

/// A point of a statement.
#[derive(Debug)]
pub(super) struct StatementPoint {
    /// As it was said, on one line.
    said: String,
    /// As readers see it, where that differs.
    hidden: Option<String>,
    /// Tells most points apart at once.
    key: u64,
}

impl StatementPoint {
    fn new(said: String, hide: Hide<'_>) -> Self {
        let hidden = match hide(&said) {
            Cow::Borrowed(same) if same.len() == said.len() => None,
            hidden => Some(hidden.into_owned()),
        };
        Self { key: text::fold_key(&said), hidden, said }
    }

    /// As readers see it.
    pub(super) fn text(&self) -> &str {
        self.hidden.as_deref().unwrap_or(&self.said)
    }
}

/// Two points in the same words are one, however they are spelt. Few are folded to find that out.
impl Ord for StatementPoint {
    fn cmp(&self, other: &Self) -> Ordering {
        let spelt = || match self.said == other.said {
            true => Ordering::Equal,
            false => text::fold(&self.said).cmp(&text::fold(&other.said)),
        };
        self.key.cmp(&other.key).then_with(spelt)
    }
}

impl PartialOrd for StatementPoint {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for StatementPoint {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for StatementPoint {}

impl Worded {
    /// A statement whose author is called so.
    pub fn new(said: Arc<Contribution>, label: &str) -> Self {
        let (whole, words, sentences) = Default::default();
        Self { said, label: label.into(), whole, points: Default::default(), words, sentences }
    }

    /// The statement itself.
    pub fn said(&self) -> &Contribution {
        &self.said
    }

    pub(super) fn label(&self) -> &str {
        &self.label
    }

    pub(super) fn stance(&self) -> Option<Choice> {
        self.said.response.stance
    }

    /// Whether its author was assigned the side it takes, so that it is nobody's free opinion.
    pub(super) fn ordered(&self) -> bool {
        self.said.ordered.is_some() && self.said.ordered == self.said.response.stance
    }

    /// The fewest characters it takes when it is told whole, without wording it.
    pub(super) fn least(&self) -> usize {
        let response = &self.said.response;
        let parts = [&response.position, &response.reasoning].into_iter().flatten();
        self.label.len() + parts.map(|part| part.trim().len()).sum::<usize>()
    }

    /// Everything it says, behind a margin.
    pub(super) fn whole(&self, options: usize, hide: Hide<'_>) -> &str {
        self.whole.get_or_init(|| {
            let mut out = String::with_capacity(self.least() + 64);
            statement(&mut out, self, options, hide);
            out
        })
    }

    /// Whether a name may stand in it: not if the name's first word is none of its words.
    pub(super) fn may_name(&self, first: u64, hide: Hide<'_>) -> bool {
        self.words.get_or_init(|| StatementWords::of(&self.said.response, hide)).has(first)
    }

    /// What it says, sentence by sentence.
    pub(super) fn sentences(&self) -> &[StatementSentence] {
        self.sentences.get_or_init(|| sentences_of(&self.said.response))
    }

    /// What it comes to, most telling first: its claim, the points it rests on, then, of few voices, its reasons.
    pub(super) fn points(&self, few: bool, hide: Hide<'_>) -> &[StatementPoint] {
        self.points[usize::from(few)].get_or_init(|| {
            let said = points(&self.said.response, few).into_iter();
            said.map(|said| StatementPoint::new(said, hide)).collect()
        })
    }
}

fn statement(out: &mut String, worded: &Worded, options: usize, hide: Hide<'_>) {
    let response = &worded.said.response;
    let _ = writeln!(out, "\n{}", heading(worded, options));
    for part in [&response.position, &response.reasoning].into_iter().flatten() {
        text::quote_into(out, &hide(part));
    }
    for point in &response.key_points {
        let _ = writeln!(out, "| - {}", text::one_line(&hide(point)));
    }
    for (key, body) in &response.sections {
        let _ = writeln!(out, "| {}:", key.replace('_', " "));
        text::quote_into(out, &hide(body));
    }
    for source in &response.citations {
        let parts = [&source.title, &source.url, &source.quote].into_iter().flatten();
        let line = parts.map(|part| text::one_line(&hide(part))).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "| source: {line}");
    }
}

fn heading(worded: &Worded, options: usize) -> String {
    let response = &worded.said.response;
    let mut stance = match (&worded.said.kind, response.stance) {
        (kind @ (ContributionKind::Answer | ContributionKind::Estimate), _) => kind.word().to_string(),
        (_, stance) => stance.map_or("no stance".into(), |stance| stance.word(options)),
    };
    match worded.said.ordered {
        // A seat that takes another side than it was assigned has not made the case it was assigned.
        Some(side) if response.stance.is_some_and(|stance| stance != side) => {
            stance = format!("{stance}, although assigned to argue {}", side.word(options));
        }
        Some(_) => stance.push_str(", assigned"),
        None => (),
    }
    match response.confidence {
        Some(confidence) => format!("{} ({stance}, confidence {confidence}):", worded.label),
        None => format!("{} ({stance}, confidence unknown):", worded.label),
    }
}

fn points(response: &Response, few: bool) -> Vec<String> {
    let mut points: Vec<String> = response.position.iter().map(|position| text::one_line(position)).collect();
    // The sections that a mode asks for by name are why it was chosen: they stay, with their names.
    let section =
        |(key, body): &(String, String)| format!("{}: {}", key.replace('_', " "), text::one_line(body));
    points.extend(response.sections.iter().map(section));
    match response.key_points.is_empty() {
        true if few || points.is_empty() => points.extend(response.points()),
        true => (),
        false => points.extend(response.points()),
    }
    if few {
        points.extend(
            response.reasoning.iter().flat_map(|reasons| text::sentences(reasons)).map(text::one_line),
        );
    }
    if points.is_empty() {
        points.push(response.gist().unwrap_or("(nothing readable)").into());
    }
    points
}
