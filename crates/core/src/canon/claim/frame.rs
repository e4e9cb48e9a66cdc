//! What a clause says besides its value: what it is about, whether it is denied, when and where it holds.

use super::clause::{self, Clause, HABITUAL, PREPOSITIONS, Split, WHEN};
use super::number::{self, Measured};
use super::token::{ClaimToken, TokenKind};
use super::value::{ClaimValue, Quantity};
use super::{Claim, ClaimTime};

/// Words that carry nothing about what a clause is about.
#[rustfmt::skip]
pub(super) const LIGHT: [&str; 93] = [
    "a", "after", "already", "am", "amount", "an", "and", "anzahl", "are", "at", "auf", "aus", "be", "been",
    "bei", "betragen", "beträgt", "betrug", "by", "count", "currently", "das", "dem", "den", "der",
    "derzeit", "des", "did", "die", "do", "does", "ein", "eine", "einem", "einen", "einer", "eines",
    "exactly", "for", "from", "für", "genau", "im", "in", "indeed", "is", "ist", "jahr", "jetzt", "mit",
    "must", "muss", "my", "müssen", "nach", "noch", "now", "number", "of", "on", "our", "per", "pro", "je",
    "really", "schon", "sehr", "sind", "still", "the", "to", "total", "und", "unser", "unsere", "very",
    "vom", "von", "war", "waren", "was", "we", "werden", "were", "wert", "will", "wir", "wird", "with",
    "wurde", "wurden", "zu", "value",
];

/// Words that point to something else, or say that a claim holds for some only.
#[rustfmt::skip]
pub(super) const UNCLEAR: [&str; 99] = [
    "another", "any", "anybody", "anyone", "beide", "both", "dein", "deine", "dies", "diese", "diesem",
    "diesen", "dieser", "dieses", "du", "einige", "either", "er", "es", "etwas", "few", "generally",
    "gelegentlich", "he", "her", "hers", "him", "his", "i", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre",
    "ihrem", "ihren", "ihrer", "it", "its", "jemand", "manche", "manchmal", "many", "mehrere", "mein",
    "meine", "meist", "meisten", "meistens", "meistes", "most", "neither", "nichts", "niemand", "nobody",
    "none", "nor", "nothing", "nowhere", "occasionally", "often", "oft", "or", "oder", "ohne", "rarely",
    "sein", "seine", "seinem", "seinen", "seiner", "several", "she", "sie", "selten", "some", "somebody",
    "sometimes", "their", "them", "they", "these", "this", "those", "typically", "usually", "viele",
    "weder", "you", "your", "what", "how", "why", "who", "wer", "wie", "warum", "wann",
];

#[rustfmt::skip]
pub(super) const DENIALS: [&str; 14] = [
    "kein", "keine", "keinem", "keinen", "keiner", "keines", "keineswegs", "never", "nicht", "nie",
    "niemals", "no", "not", "keinesfalls",
];

#[rustfmt::skip]
const ALWAYS: [&str; 14] = [
    "all", "alle", "allen", "aller", "always", "each", "every", "everywhere", "immer", "jede", "jeden",
    "jeder", "stets", "überall",
];

#[rustfmt::skip]
const PAST: [&str; 26] = [
    "was", "were", "had", "did", "war", "waren", "hatte", "hatten", "wurde", "wurden", "lived", "lebte",
    "wohnte", "lasted", "dauerte", "stood", "weighed", "wog", "hiess", "betrug", "held", "wore", "used",
    "died", "starb", "kept",
];

#[rustfmt::skip]
const OVER: [&str; 12] = [
    "formerly", "previously", "originally", "once", "früher", "damals", "einst", "ehemals", "ursprünglich",
    "ago", "yesterday", "gestern",
];

/// Words that only stand beside a denial or a time.
#[rustfmt::skip]
const FILLERS: [&str; 14] = [
    "longer", "mehr", "anymore", "even", "selbst", "formerly", "previously", "originally", "once", "früher",
    "damals", "einst", "ehemals", "ursprünglich",
];

/// Adverbs behind the verb that make nothing else of a statement. Behind a denial they take something away from it: what is not
/// completely full may be full for all that canon says.
#[rustfmt::skip]
const SURELY: [&str; 26] = [
    "absolut", "absolutely", "certainly", "clearly", "completely", "definitely", "definitiv", "entirely", "fully", "ganz", "gar",
    "gänzlich", "komplett", "offenkundig", "perfectly", "really", "surely", "tatsächlich", "totally", "truly", "utterly",
    "vollkommen", "völlig", "wirklich", "zweifellos", "überhaupt",
];

/// Things that happen once, so that the date beside them is what is claimed.
#[rustfmt::skip]
pub(super) const HAPPENINGS: [&str; 16] = [
    "birth", "death", "founded", "release", "start", "switched", "abgeschaltet", "built", "erbaut",
    "gebaut", "ends", "endet", "deadline", "frist", "birthday", "opened",
];

/// A clause with all that is said about it and not about its subject.
pub(super) struct ClauseFrame<'a> {
    pub(super) clause: Clause<'a>,
    /// Which tokens are spoken for.
    pub(super) taken: Vec<bool>,
    pub(super) quantities: Vec<Measured<Quantity>>,
    pub(super) denied: bool,
    pub(super) every: bool,
    pub(super) among_others: bool,
    /// It is a rule: `must`.
    pub(super) must: bool,
    /// It says how many there are.
    pub(super) exists: bool,
    pub(super) time: ClaimTime,
    pub(super) scope: Vec<String>,
    pub(super) said: &'a str,
}

impl<'a> ClauseFrame<'a> {
    /// `None` if the clause speaks of something that it does not name.
    pub(super) fn of(clause: &Clause<'a>, turned: bool, said: &'a str) -> Option<Self> {
        let (mut clause, exists) = exists(clause.without_lead());
        drop_marks(&mut clause);
        let over = clause.tokens.iter().chain(&clause.lead).any(|token| token.is(&OVER))
            || drop_used_to(&mut clause);
        let unclear = |token: &&ClaimToken| token.is(&UNCLEAR) || token.kind == TokenKind::Quote;
        let count = clause.tokens.len();
        let mut taken = vec![false; count];
        let quantities = number::quantities(&clause.tokens);
        quantities.iter().for_each(|found| taken[found.from..found.to].fill(true));
        let open = |at: &usize| !taken[*at];
        if clause.tokens.iter().enumerate().any(|(at, token)| open(&at) && unclear(token)) {
            return None;
        }
        let place = |words: &[&str]| {
            (0..count).filter(open).filter(|at| clause.tokens[*at].is(words)).collect::<Vec<_>>()
        };
        let (denials, always) = (place(&DENIALS), place(&ALWAYS));
        let among = place(&["also", "too", "auch", "additionally", "ausserdem", "zusätzlich", "besides"]);
        let fillers = place(&FILLERS);
        let surely = surely(&clause, &place(&SURELY), &denials)?;
        let denied = turned ^ (denials.len() % 2 == 1);
        let must = clause.tokens.iter().any(|token| token.is(&["must", "muss", "müssen"]));
        [&denials, &always, &among, &fillers, &surely].into_iter().flatten().for_each(|at| taken[*at] = true);
        let (time, mut scope) = time_and_scope(&clause, &mut taken, over);
        scope.extend(take_habits(&clause, &mut taken));
        scope.sort_unstable();
        let (every, among_others) = (!always.is_empty(), !among.is_empty());
        Some(Self { clause, taken, quantities, denied, every, among_others, must, exists, time, scope, said })
    }

    /// A claim with what the clause says besides.
    pub(super) fn claim(&self, subject: String, attribute: String, value: ClaimValue) -> Claim {
        Claim {
            attribute,
            denied: self.denied,
            every: self.every,
            among_others: self.among_others,
            said: self.said.to_string(),
            scope: self.scope.clone(),
            subject,
            time: self.time,
            value,
        }
    }

    /// Subject, verb and predicate without what is spoken for.
    pub(super) fn split(&self) -> Option<Split<'a>> {
        let tokens = self.open_tokens();
        Clause { lead: Vec::new(), tokens }.split()
    }

    pub(super) fn open_tokens(&self) -> Vec<&'a ClaimToken> {
        let open = self.clause.tokens.iter().zip(&self.taken).filter(|(_, taken)| !**taken);
        open.map(|(token, _)| *token).collect()
    }

    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.clause.tokens.iter().any(|token| token.is(words))
    }
}

/// `There are five gates in the city` is `the city has five gates`, word for word.
fn exists(clause: Clause<'_>) -> (Clause<'_>, bool) {
    let front = |words: &[&str]| words.iter().zip(&clause.tokens).all(|(word, token)| token.is(&[word]));
    let there = clause.tokens.len() > 2
        && (front(&["there", "are"])
            || front(&["there", "is"])
            || front(&["es", "gibt"])
            || front(&["there", "were"]));
    let (from, lead) = match there {
        true => (2, clause.lead),
        // `In der Stadt gibt es fünf Tore`
        false => match clause.tokens.iter().position(|token| token.is(&["gibt"])) {
            Some(at) if clause.tokens.get(at + 1).is_some_and(|next| next.is(&["es"])) => {
                let tokens = clause.tokens[..at]
                    .iter()
                    .chain(&clause.lead)
                    .chain(&clause.tokens[at + 2..])
                    .copied()
                    .collect();
                return (Clause { lead: Vec::new(), tokens }, true);
            }
            Some(_) | None => return (clause, false),
        },
    };
    (Clause { tokens: clause.tokens[from..].to_vec(), lead }, true)
}

/// The adverbs that change nothing; `None` if one weakens what is denied. The last word of a clause is no adverb: `the list is komplett`.
fn surely(clause: &Clause<'_>, found: &[usize], denials: &[usize]) -> Option<Vec<usize>> {
    let verb = clause::verb_of(&clause.tokens).unwrap_or(clause.tokens.len());
    let last = clause.tokens.len().saturating_sub(1);
    let kept: Vec<usize> = found.iter().copied().filter(|at| verb < *at && *at < last).collect();
    let weakens = |at: &usize| denials.iter().any(|denial| denial < at);
    (!kept.iter().any(weakens)).then_some(kept)
}

/// Takes out `at once`, which is not `once`, `at all` at the end, which is not `all`, and the German infinitive at the end of a rule,
/// which is not `his`.
fn drop_marks(clause: &mut Clause<'_>) {
    if let [.., at, all] = &clause.tokens[..]
        && at.is(&["at"])
        && all.is(&["all"])
    {
        clause.tokens.truncate(clause.tokens.len() - 2);
    }
    if let Some(at) = clause.tokens.windows(2).position(|pair| pair[0].is(&["at"]) && pair[1].is(&["once"])) {
        clause.tokens.drain(at..at + 2);
    }
    let rule = clause.tokens.iter().any(|token| token.is(&["muss", "müssen"]));
    if rule && clause.tokens.last().is_some_and(|last| last.is(&["sein"])) {
        clause.tokens.pop();
    }
}

/// Whether `used to` says that something is over; it is taken out.
fn drop_used_to(clause: &mut Clause<'_>) -> bool {
    let at = clause.tokens.windows(2).position(|pair| pair[0].is(&["used"]) && pair[1].is(&["to"]));
    at.map(|at| clause.tokens.drain(at..at + 2)).is_some()
}

/// German verbs that stand last where `wird` speaks of what is to come, and not of what is done to something.
#[rustfmt::skip]
const TO_COME: [&str; 24] = [
    "sein", "haben", "leben", "wohnen", "kosten", "dauern", "heissen", "liegen", "stehen", "laufen", "enden", "beginnen",
    "tragen", "arbeiten", "gelten", "betragen", "lauschen", "bleiben", "gehören", "wiegen", "messen", "sitzen", "sprechen",
    "brauchen",
];

/// Words that say that something is yet to come.
const SOON: [&str; 8] =
    ["tomorrow", "soon", "shortly", "bald", "demnächst", "künftig", "zukünftig", "übermorgen"];

/// Whether a clause says that something is yet to come.
fn is_ahead(clause: &Clause<'_>) -> bool {
    let tokens: Vec<&ClaimToken> = clause.lead.iter().chain(&clause.tokens).copied().collect();
    let has = |words: &[&str]| tokens.iter().any(|token| token.is(words));
    let last = clause.tokens.last().is_some_and(|last| last.is(&TO_COME));
    let next = tokens.windows(2).any(|pair| {
        pair[0].is(&[
            "next",
            "nächste",
            "nächsten",
            "nächster",
            "nächstes",
            "kommende",
            "kommenden",
            "kommendes",
        ]) && pair[1]
            .is(&["year", "week", "month", "summer", "winter", "spring", "jahr", "woche", "monat", "sommer"])
    });
    // `am Morgen` is a time of the day.
    let morrow = tokens.iter().enumerate().any(|(at, token)| {
        let bound = at
            .checked_sub(1)
            .is_some_and(|before| tokens[before].is(&PREPOSITIONS) || clause::is_article(tokens[before]));
        token.is(&["morgen"]) && !bound
    });
    let going = tokens.windows(2).any(|pair| pair[0].is(&["going"]) && pair[1].is(&["to"]));
    has(&["will", "shall"]) || has(&["wird", "werden"]) && last || has(&SOON) || next || morrow || going
}

fn time_and_scope(clause: &Clause<'_>, taken: &mut [bool], over: bool) -> (ClaimTime, Vec<String>) {
    let mut time = ClaimTime::Present;
    if clause.tokens.iter().any(|token| token.is(&PAST)) {
        time = ClaimTime::Told;
    }
    if is_ahead(clause) {
        time = ClaimTime::Ahead;
    }
    if over {
        time = ClaimTime::Over;
    }
    if let Some(found) = number::years(&clause.lead) {
        let (from, to) = found.value;
        return (ClaimTime::Years { from, to }, Vec::new());
    }
    let happens = clause.tokens.iter().any(|token| HAPPENINGS.contains(&token.basic.as_str()));
    if let Some(found) = number::years(&clause.tokens).filter(|_| !happens) {
        let (from, to) = found.value;
        taken[found.from..found.to].fill(true);
        time = ClaimTime::Years { from, to };
    }
    let scope = clause.lead.iter().filter(|token| !token.is(&WHEN)).copied().collect::<Vec<_>>();
    (time, scope_of(&scope))
}

/// Takes out adverbs such as `nachts`, which say when something holds and not what.
fn take_habits(clause: &Clause<'_>, taken: &mut [bool]) -> Vec<String> {
    let habits = clause.tokens.iter().zip(taken).filter(|(token, taken)| token.is(&HABITUAL) && !**taken);
    habits
        .map(|(token, taken)| {
            *taken = true;
            token.basic.clone()
        })
        .collect()
}

/// The words that say where or for whom something holds.
pub(super) fn scope_of(tokens: &[&ClaimToken]) -> Vec<String> {
    let kept = tokens.iter().filter(|token| !token.is(&LIGHT) && !token.basic.is_empty());
    let mut words: Vec<String> = kept.map(|token| token.basic.clone()).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// The words of some tokens that carry meaning, in order.
pub(super) fn content(tokens: &[&ClaimToken]) -> Vec<String> {
    let mut words = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let after_per = at > 0 && tokens[at - 1].is(&["per", "pro", "je"]);
        if token.is(&LIGHT) || after_per || token.basic.is_empty() {
            continue;
        }
        words.extend(token.basic.split(' ').map(str::to_string));
    }
    words
}

/// Words that say nothing of what they belong to: `the limit` is another one in every paragraph.
#[rustfmt::skip]
const GENERIC: [&str; 34] = [
    "age", "answer", "birth", "case", "colour", "cost", "death", "default", "depth", "duration", "first",
    "former", "goal", "height", "idea", "latter", "length", "limit", "minimum", "name", "other", "point",
    "price", "problem", "reason", "rest", "result", "second", "size", "thing", "time", "type", "weight",
    "width",
];

/// Whether words name something in particular.
fn is_particular(words: &[String]) -> bool {
    words.iter().any(|word| !GENERIC.contains(&word.as_str()))
}

/// What a noun phrase is about, and which part of it: `the port of the API` is the API's port.
pub(super) fn topic(tokens: &[&ClaimToken]) -> Option<(String, String)> {
    let ends = tokens.iter().enumerate().skip(1).find(|(at, token)| {
        token.is(&PREPOSITIONS)
            || (token.is(&["der", "des", "die", "the"]) && !tokens[at - 1].is(&PREPOSITIONS))
    });
    let inner = ends.map_or(tokens.len(), |(at, _)| at);
    let head = content(&tokens[..inner]).pop()?;
    let mut words = content(tokens);
    if words.len() > 6 || !is_particular(&words) {
        return None;
    }
    let at = words.iter().position(|word| *word == head)?;
    words.remove(at);
    // `Mara's eye colour` is the colour of her eyes.
    if head == "colour" && !words.is_empty() {
        let part = words.pop().unwrap_or_default();
        return Some((words.join(" "), part));
    }
    words.retain(|word| word != "colour");
    match words.is_empty() {
        true => Some((head, String::new())),
        false => Some((words.join(" "), head)),
    }
}

/// What a clause without its value is about.
pub(super) fn around(rest: &[&ClaimToken]) -> Option<(String, String)> {
    let verb = clause::verb_of(rest);
    let (before, after) = rest.split_at(verb.unwrap_or(rest.len()));
    let more: Vec<String> = content(after);
    let (subject, attribute) = match content(before).is_empty() {
        true => topic(rest)?,
        false => topic(before)?,
    };
    if more.len() > 5 {
        return None;
    }
    let own: Vec<String> = format!("{subject} {attribute}").split_whitespace().map(str::to_string).collect();
    let added: Vec<String> = more.into_iter().filter(|word| !own.contains(word)).collect();
    match (added.is_empty(), content(before).is_empty()) {
        (true, _) | (_, true) => Some((subject, attribute)),
        (false, false) => Some((own.join(" "), added.join(" "))),
    }
}
