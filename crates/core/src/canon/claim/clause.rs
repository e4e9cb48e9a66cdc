//! Sentences cut into clauses, and clauses into what they are about and what they say of it.

use super::lists;
use super::token::{ClaimToken, TokenKind};

/// One statement of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Clause<'a> {
    /// What stands before it and says when or where it holds: `In 1820`, `In staging`.
    pub(super) lead: Vec<&'a ClaimToken>,
    pub(super) tokens: Vec<&'a ClaimToken>,
}

/// A clause around its verb.
#[derive(Debug)]
pub(super) struct Split<'a> {
    pub(super) subject: Vec<&'a ClaimToken>,
    pub(super) verb: &'a ClaimToken,
    pub(super) predicate: Vec<&'a ClaimToken>,
    pub(super) lead: Vec<&'a ClaimToken>,
}

#[rustfmt::skip]
const FINITE: [&str; 180] = [
    "accept", "accepts", "allow", "allows", "am", "arbeitet", "are", "beginnt", "begins", "belongs",
    "benötigen", "benötigt", "beträgt", "brauchen", "braucht", "breathe", "can", "closes", "contains",
    "cost", "costs", "dauert", "dauerte", "delete", "deletes", "did", "died", "do", "does", "endet", "ends",
    "enthalten", "enthält", "expire", "expires", "fails", "führt", "gab", "gehört", "gelten", "gibt",
    "gilt", "haben", "had", "handle", "handles", "hangs", "has", "hat", "hatte", "hatten", "have",
    "heissen", "heisst", "held", "hiess", "hold", "holds", "hängt", "hört", "is", "ist", "kann", "keep",
    "keeps", "kennen", "kennt", "knows", "kosten", "kostet", "können", "last", "lasted", "lasts", "laufen",
    "lauscht", "leads", "leben", "lebt", "lebte", "lie", "liegen", "liegt", "lies", "liest", "listen",
    "listens", "live", "lived", "lives", "logs", "läuft", "measures", "meet", "meets", "misst", "muss",
    "must", "müssen", "need", "needs", "nutzen", "nutzt", "opens", "owns", "provide", "provides", "reads",
    "reject", "rejects", "require", "requires", "reside", "resides", "retried", "retries", "retry",
    "return", "returns", "rides", "run", "runs", "schliesst", "schreibt", "send", "sends", "serves", "sind",
    "sits", "sitzt", "sleeps", "speaks", "speichert", "spricht", "stand", "stands", "starb", "starts",
    "stehen", "steht", "stood", "store", "stores", "support", "supports", "tagen", "tagt", "take", "takes",
    "took", "trägt", "unterstützt", "use", "used", "uses", "verlangt", "verwenden", "verwendet", "war",
    "waren", "was", "wears", "weigh", "weighed", "weighs", "werden", "were", "wiegen", "wiegt", "will",
    "wird", "wog", "wohnen", "wohnt", "wohnte", "works", "writes", "wurde", "wurden", "öffnet",
];

#[rustfmt::skip]
pub(super) const BE: [&str; 12] = [
    "are", "be", "been", "is", "ist", "sind", "war", "waren", "was", "were", "beträgt", "betrug",
];

/// Words after which nothing belongs to the statement before them.
#[rustfmt::skip]
const CUTS: [&str; 22] = [
    "because", "weil", "denn", "although", "though", "obwohl", "that", "dass", "which", "who", "whom",
    "whose", "where", "whereas", "damit", "sodass", "so-that", "als-ob", "indem", "wobei", "wodurch",
    "welche",
];

#[rustfmt::skip]
pub(super) const PREPOSITIONS: [&str; 60] = [
    "about", "after", "against", "ago", "among", "as", "at", "before", "behind", "below", "between", "by",
    "during", "for", "from", "in", "inside", "into", "of", "on", "over", "since", "through", "to", "under",
    "until", "upon", "when", "while", "with", "within", "without", "als", "am", "an", "auf", "aus", "bei",
    "beim", "bis", "durch", "für", "gegen", "im", "ins", "mit", "nach", "ohne", "seit", "unter", "vom",
    "von", "vor", "während", "zu", "zum", "zur", "zwischen", "über", "hinter",
];

#[rustfmt::skip]
const LEADS: [&str; 33] = [
    "after", "as", "at", "before", "by", "during", "for", "from", "in", "on", "since", "under", "until",
    "when", "while", "within", "with", "als", "am", "an", "auf", "bei", "beim", "bis", "im", "in", "nach",
    "seit", "unter", "vor", "während", "ab", "mit",
];

#[rustfmt::skip]
const ARTICLES: [&str; 26] = [
    "a", "an", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einem", "einen", "einer", "eines",
    "my", "our", "the", "unser", "unsere", "unseren", "each", "every", "all", "jede", "jeder", "alle",
];

/// Adverbs that stand alone before a clause and say when.
#[rustfmt::skip]
pub(super) const WHEN: [&str; 20] = [
    "formerly", "previously", "originally", "once", "früher", "damals", "einst", "ehemals", "ursprünglich",
    "today", "now", "currently", "heute", "jetzt", "derzeit", "momentan", "yesterday", "tomorrow",
    "gestern", "morgen",
];

/// Adverbs that say at which times something holds again and again. Days of the week are values as well, and stand in `lists`.
#[rustfmt::skip]
pub(super) const HABITUAL: [&str; 27] = [
    "nachts", "tagsüber", "morgens", "vormittags", "mittags", "nachmittags", "abends", "frühmorgens", "werktags", "wochentags",
    "wochenends", "feiertags", "winters", "sommers", "ganztags", "nachtsüber", "mitternachts", "nights", "nightly", "overnight",
    "mornings", "afternoons", "evenings", "weekdays", "weekends", "wochenweise", "saisonal",
];

fn says_when(token: &ClaimToken) -> bool {
    token.is(&WHEN) || token.is(&HABITUAL)
}

pub(super) fn is_finite(token: &ClaimToken) -> bool {
    token.is(&FINITE)
}

/// Verbs that are nouns as well.
#[rustfmt::skip]
const NOUNS_TOO: [&str; 28] = [
    "cost", "costs", "handle", "return", "logs", "reads", "writes", "kosten", "leben", "works", "hold",
    "holds", "last", "lie", "lies", "live", "lives", "need", "needs", "retries", "run", "runs", "stand",
    "stands", "store", "stores", "support", "use",
];

/// Where the verb of a clause stands. A word that may be a noun is one after an article or a preposition, and before a verb.
pub(super) fn verb_of(tokens: &[&ClaimToken]) -> Option<usize> {
    let is_noun = |at: usize| {
        let after = at > 0 && (is_article(tokens[at - 1]) || tokens[at - 1].is(&PREPOSITIONS));
        let before = tokens.get(at + 1).is_some_and(|next| is_finite(next) && !next.is(&NOUNS_TOO));
        tokens[at].is(&NOUNS_TOO) && (after || before)
    };
    (0..tokens.len()).find(|at| is_finite(tokens[*at]) && !is_noun(*at))
}

pub(super) fn is_article(token: &ClaimToken) -> bool {
    token.is(&ARTICLES)
}

/// The clauses of a sentence.
pub(super) fn clauses(tokens: &[ClaimToken]) -> Vec<Clause<'_>> {
    let mut found: Vec<Clause<'_>> = Vec::new();
    let mut lead: Vec<&ClaimToken> = Vec::new();
    let mut name: Vec<&ClaimToken> = Vec::new();
    for (after_comma, segment) in segments(tokens) {
        let starts = segment[0];
        let has_verb = verb_of(&segment).is_some();
        if starts.is(&["whose", "deren", "dessen"]) && !name.is_empty() {
            found.extend(owned_clause(&name, &segment[1..]));
        } else if after_comma && (starts.is(&CUTS) || is_relative(&segment)) {
            continue;
        } else if has_verb && is_finite(starts) && !name.is_empty() {
            // `Mara, the healer, lives in Velm`
            let tokens = name.iter().chain(&segment).copied().collect();
            found.push(Clause { lead: std::mem::take(&mut lead), tokens });
        } else if !has_verb && !name.is_empty() && found.len() <= 1 && is_article(starts) {
            // `Mara, a healer, …`: the name before is still what is spoken of.
            continue;
        } else if has_verb || found.is_empty() && segment.len() > 1 && !starts.is(&LEADS) {
            let parts = conjoined(&segment);
            name = parts.first().map_or_else(Vec::new, |first| before_verb(first));
            for tokens in parts {
                found.push(Clause { lead: lead.clone(), tokens });
            }
            lead.clear();
        } else if starts.is(&LEADS) || says_when(starts) || segment.iter().any(|token| token.is(&["ago"])) {
            lead = segment;
        } else if starts.is(&["but", "sondern"]) {
            correct(found.last_mut(), &segment[1..]);
        } else if found.is_empty() {
            name = segment;
        } else if let Some(last) = found.last_mut().filter(|_| is_list_item(&segment)) {
            last.tokens.extend(segment);
        }
    }
    found
}

/// The parts of a sentence between commas and other signs, with whether a comma stands before.
fn segments(tokens: &[ClaimToken]) -> Vec<(bool, Vec<&ClaimToken>)> {
    let mut found: Vec<(bool, Vec<&ClaimToken>)> = vec![(false, Vec::new())];
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            // `May 5, 1820` is one date.
            TokenKind::Comma if is_inside_date(tokens, at) => (),
            TokenKind::Comma => found.push((true, Vec::new())),
            TokenKind::Break | TokenKind::Colon | TokenKind::Equals => found.push((false, Vec::new())),
            TokenKind::Word | TokenKind::Number | TokenKind::Quote => {
                if let Some((_, last)) = found.last_mut() {
                    last.push(token);
                }
            }
        }
    }
    for (_, segment) in &mut found {
        while segment.first().is_some_and(|first| {
            first.is(&["and", "und", "then", "dann", "however", "also"]) && segment.len() > 1
        }) && !segment.iter().skip(1).all(|token| lists::colour(&token.word).is_some())
        {
            segment.remove(0);
        }
        if let Some(cut) = segment.iter().skip(1).position(|token| token.is(&CUTS)) {
            segment.truncate(cut + 1);
        }
    }
    found.retain(|(_, segment)| !segment.is_empty());
    found
}

fn is_inside_date(tokens: &[ClaimToken], at: usize) -> bool {
    let number = |at: usize| tokens.get(at).is_some_and(|token| token.kind == TokenKind::Number);
    at >= 2 && number(at - 1) && number(at + 1) && lists::month(&tokens[at - 2].word).is_some()
}

/// A German relative clause: its verb stands last.
fn is_relative(segment: &[&ClaimToken]) -> bool {
    segment[0].is(&["der", "die", "das", "den", "dem", "welcher", "welche", "welches"])
        && segment.last().is_some_and(|last| is_finite(last))
}

/// `Mara, whose hair is blond`: what follows belongs to the name before.
fn owned_clause<'a>(name: &[&'a ClaimToken], rest: &[&'a ClaimToken]) -> Option<Clause<'a>> {
    let verb = verb_of(rest)?;
    // The owner stands behind what is owned, which is the same set of words.
    let owned = rest[..verb].iter().chain(name).chain(&rest[verb..]).copied();
    (verb > 0).then(|| Clause { lead: Vec::new(), tokens: owned.collect() })
}

fn before_verb<'a>(segment: &[&'a ClaimToken]) -> Vec<&'a ClaimToken> {
    let verb = verb_of(segment).unwrap_or(segment.len());
    segment[..verb].to_vec()
}

/// Whether a segment only adds to a list: colours, numbers.
fn is_list_item(segment: &[&ClaimToken]) -> bool {
    segment.iter().all(|token| token.is(&["and", "und"]) || super::stem::colour(&token.word).is_some())
}

/// `nicht blau, sondern grün`: what follows takes the place of what was denied.
fn correct<'a>(last: Option<&mut Clause<'a>>, instead: &[&'a ClaimToken]) {
    let Some(clause) = last else { return };
    if let Some(at) =
        clause.tokens.iter().position(|token| token.is(&["not", "nicht", "kein", "keine", "keinen"]))
    {
        clause.tokens.truncate(at);
        clause.tokens.extend(instead);
    }
}

/// The statements that `and` joins. One without a subject shares that of the first.
fn conjoined<'a>(segment: &[&'a ClaimToken]) -> Vec<Vec<&'a ClaimToken>> {
    let segment = without_afterthought(corrected(segment));
    let verb = |tokens: &[&ClaimToken]| verb_of(tokens);
    let joints = segment
        .iter()
        .enumerate()
        .filter(|(_, token)| token.is(&["and", "und", "but", "aber", "while", "während"]));
    for (at, _) in joints {
        let (first, second) = (&segment[..at], &segment[at + 1..]);
        let (Some(first_verb), false) = (verb(first), second.is_empty()) else { continue };
        match verb(second) {
            Some(0) => {
                let shared = first[..first_verb].iter().chain(second).copied().collect();
                return [vec![first.to_vec()], conjoined_rest(shared)].concat();
            }
            Some(_) => return [vec![first.to_vec()], conjoined_rest(second.to_vec())].concat(),
            // `deaf in one ear and married`
            None if first[first_verb].is(&BE) && super::stem::state(&second[0].word).is_some() => {
                let shared = first[..=first_verb].iter().chain(second).copied().collect();
                return vec![first.to_vec(), shared];
            }
            None => (),
        }
    }
    vec![segment]
}

/// What follows the first `and` is cut at most once more: sentences with more statements than that are rare.
fn conjoined_rest(tokens: Vec<&ClaimToken>) -> Vec<Vec<&ClaimToken>> {
    let joint = tokens.iter().position(|token| token.is(&["and", "und"]));
    match joint {
        Some(at) if tokens[at..].iter().any(|token| is_finite(token)) => vec![tokens[..at].to_vec()],
        Some(_) | None => vec![tokens],
    }
}

/// `not blue but green` is `green`.
fn corrected<'a>(segment: &[&'a ClaimToken]) -> Vec<&'a ClaimToken> {
    let not = segment.iter().position(|token| token.is(&["not", "nicht"]));
    let but = segment.iter().position(|token| token.is(&["but", "sondern"]));
    match (not, but) {
        (Some(not), Some(but)) if not < but && !segment[but..].iter().any(|token| is_finite(token)) => {
            segment[..not].iter().chain(&segment[but + 1..]).copied().collect()
        }
        _ => segment.to_vec(), // nothing is corrected
    }
}

/// `red and not blue`, `red rather than blue`: what is denied behind a statement is no part of it.
fn without_afterthought(mut segment: Vec<&ClaimToken>) -> Vec<&ClaimToken> {
    let verb = verb_of(&segment).unwrap_or(segment.len());
    let begins = |at: &usize| {
        let next = |words: &[&str]| segment.get(at + 1).is_some_and(|token| token.is(words));
        let denies = segment[*at].is(&["and", "und", "but", "aber"]) && next(&super::frame::DENIALS);
        let instead = segment[*at].is(&["rather"]) && next(&["than"])
            || segment[*at].is(&["instead"]) && next(&["of"])
            || segment[*at].is(&["statt", "anstatt"]);
        (denies || instead) && !segment[*at..].iter().any(|token| is_finite(token))
    };
    // Something has to be said before it.
    if let Some(at) = (verb + 2..segment.len()).find(begins) {
        segment.truncate(at);
    }
    segment
}

impl<'a> Clause<'a> {
    /// The clause without a phrase of time or place that stands first.
    pub(super) fn without_lead(&self) -> Self {
        let split = self.split();
        match split {
            Some(split) if split.lead.len() > self.lead.len() => {
                let verb = std::iter::once(split.verb);
                let tokens = split
                    .subject
                    .iter()
                    .copied()
                    .chain(verb)
                    .chain(split.predicate.iter().copied())
                    .collect();
                Self { lead: split.lead, tokens }
            }
            Some(_) | None => self.clone(),
        }
    }

    /// Subject, verb and predicate. `None` if there is no verb that is known, or no subject.
    pub(super) fn split(&self) -> Option<Split<'a>> {
        let at = verb_of(&self.tokens)?;
        let verb = self.tokens[at];
        let (before, after) = (&self.tokens[..at], &self.tokens[at + 1..]);
        let first = before.first();
        let leads = first.is_none_or(|first| first.is(&LEADS) || says_when(first))
            || before.iter().any(|token| token.is(&["ago"]));
        if !leads {
            return Some(Split {
                subject: before.to_vec(),
                verb,
                predicate: after.to_vec(),
                lead: self.lead.clone(),
            });
        }
        // English: the subject follows the phrase; German: it follows the verb.
        if let Some(start) = subject_after_lead(before) {
            let lead = self.lead.iter().chain(&before[..start]).copied().collect();
            return Some(Split { subject: before[start..].to_vec(), verb, predicate: after.to_vec(), lead });
        }
        let end = noun_phrase(after);
        let lead: Vec<&ClaimToken> = self.lead.iter().chain(before).copied().collect();
        (end > 0 && !lead.is_empty()).then(|| Split {
            subject: after[..end].to_vec(),
            verb,
            predicate: after[end..].to_vec(),
            lead,
        })
    }
}

/// Where the subject begins in `In staging the port`; `None` if the phrase is all there is.
fn subject_after_lead(before: &[&ClaimToken]) -> Option<usize> {
    let ago = before.iter().position(|token| token.is(&["ago"])).map(|at| at + 1);
    if let Some(at) = ago.filter(|at| *at < before.len()) {
        return Some(at);
    }
    if before.first().is_some_and(|first| says_when(first)) {
        return (before.len() > 1).then_some(1);
    }
    let inner = before.iter().enumerate().skip(2);
    let noun = |token: &ClaimToken| !is_article(token) && !token.is(&PREPOSITIONS);
    inner
        .filter(|(at, token)| {
            let previous = before[at - 1];
            let new_name = token.capital && !previous.capital && noun(previous);
            noun(previous) && (is_article(token) || new_name)
        })
        .map(|(at, _)| at)
        .next()
}

/// How many tokens a German noun phrase takes at the start: article, adjectives, nouns, and what belongs to them.
fn noun_phrase(tokens: &[&ClaimToken]) -> usize {
    let mut at = 0;
    let mut article = false;
    if tokens.first().is_some_and(|first| is_article(first)) {
        at = 1;
        article = true;
    }
    let start = at;
    loop {
        while tokens.get(at).is_some_and(|token| token.capital && token.kind == TokenKind::Word) {
            at += 1;
            // A name stands for itself: `war Velm die Hauptstadt`.
            if !article && !tokens[at - 1].genitive {
                return at;
            }
        }
        let adjective = at == start
            && tokens.get(at).is_some_and(|token| token.kind == TokenKind::Word && !token.is(&PREPOSITIONS))
            && tokens.get(at + 1).is_some_and(|next| next.capital);
        let owner = at > start
            && tokens.get(at).is_some_and(|token| token.is(&["der", "des", "von", "vom"]))
            && tokens.get(at + 1).is_some_and(|next| next.capital);
        match (adjective, owner) {
            (true, _) | (_, true) => at += 1,
            (false, false) => return if at > start { at } else { 0 },
        }
    }
}
