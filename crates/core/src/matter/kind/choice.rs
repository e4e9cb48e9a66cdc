//! Questions that name what to choose from: `Redis or Postgres?`.

use super::words::holds;

/// Words between the last two alternatives.
const OR: [&str; 9] = [" or ", " oder ", " czy ", " или ", " veya ", " eller ", " vs. ", " vs ", " versus "];
/// Those that mean something else in other languages: between two or three short things they hardly do.
const SHORT_OR: [&str; 3] = [" ou ", " o ", " u "];
/// The most words of an alternative between those.
const SHORT_WORDS: usize = 2;
/// The most words of an alternative.
const WORDS_MOST: usize = 4;
/// What stands after `or` where the question can be answered by no.
const NOT: [&str; 14] = [
    "não",
    "not yet",
    "not",
    "nicht",
    "no",
    "nein",
    "non",
    "pas",
    "no?",
    "is it",
    "do we",
    "is that",
    "should we wait",
    "lieber nicht",
];

/// The alternatives of a text with one `or` word; `None` if it does not part into short ones.
fn parted(text: &str, words: &[&str]) -> Option<Vec<String>> {
    let sep = words.iter().find(|sep| text.contains(**sep))?;
    if text.matches(sep).count() != 1 {
        // `A or B or C` is a list as well.
        let parts: Vec<&str> = text.split(sep).collect();
        return all_short(parts);
    }
    let (before, last) = text.split_once(sep)?;
    let mut parts: Vec<&str> = before.split(',').collect();
    parts.push(last);
    all_short(parts)
}

fn all_short(parts: Vec<&str>) -> Option<Vec<String>> {
    let parts: Vec<String> = parts.into_iter().map(clean).filter(|part| !part.is_empty()).collect();
    let short = |part: &String| part.split_whitespace().count() <= WORDS_MOST;
    let last = parts.last()?.to_lowercase();
    let refused = NOT.iter().any(|not| last == *not || last.starts_with(&format!("{not} ")));
    (parts.len() > 1 && parts.iter().all(short) && !refused).then_some(parts)
}

fn clean(part: &str) -> String {
    let part =
        part.trim().trim_matches(|c: char| matches!(c, ',' | ':' | ';' | '"' | '“' | '”' | '„' | '(' | ')'));
    let part = part.trim();
    // `…: which one?` asks again, and is no part of the last alternative.
    let part = part.split_once(": ").map_or(part, |(part, _)| part);
    let lead = ["either", "entweder", "lieber", "rather"].into_iter().find(|lead| {
        part.get(..lead.len()).is_some_and(|start| start.eq_ignore_ascii_case(lead))
            && part[lead.len()..].starts_with(' ')
    });
    part[lead.map_or(0, str::len)..].trim().to_string()
}

/// A sentence that is nothing but alternatives: `Redis or Postgres`, `Redis, Postgres oder MySQL`.
pub(super) fn short_list(text: &str) -> Option<Vec<String>> {
    let first = text.split_whitespace().next()?.to_lowercase();
    let first = first.trim_end_matches([',', ':']);
    let opens = holds(super::OPENERS, first) || holds(super::QUESTION_WORDS, first);
    if opens || holds(super::SUBORDINATORS, first) || holds(super::words::MOTIONS, first) {
        return None;
    }
    parted(text, &OR).or_else(|| {
        let short = |part: &String| part.split_whitespace().count() <= SHORT_WORDS;
        let found = parted(text, &SHORT_OR).filter(|parts| parts.iter().all(short));
        // Dutch: `of` is an English word between most others.
        let names =
            |parts: &Vec<String>| parts.iter().all(|part| KNOWN.contains(&part.to_lowercase().as_str()));
        found.or_else(|| parted(text, &[" of "]).filter(names))
    })
}

/// What a command wants one of: `Choose between Redis and Postgres`.
pub(super) fn between(text: &str) -> Option<Vec<String>> {
    let (_, rest) = [" between ", " zwischen ", " entre "].iter().find_map(|word| text.split_once(word))?;
    parted(rest, &[" and ", " und ", " or ", " oder ", " et ", " y "])
}

/// Names on both sides of the `or` of a question that begins with a verb: `Should we use Redis or Postgres`. Ordinary words
/// there are mostly part of the question: `Can we use it in staging or production`.
pub(super) fn names(text: &str) -> Option<Vec<String>> {
    let sep = [" or ", " oder ", " ou ", " o "].into_iter().find(|sep| text.matches(sep).count() == 1)?;
    let (before, after) = text.split_once(sep)?;
    let german = sep == " oder ";
    let right = clean(after);
    if let Some(numbers) = numbers(before, &right) {
        return Some(numbers);
    }
    // `Is it Redis or Postgres that is faster`.
    let right = right.split_once(" that ").map_or(right.clone(), |(name, _)| name.to_string());
    // `… oder Postgres nehmen`: the verb stands last.
    let right = match right.split_once(' ') {
        Some((name, verb)) if german && verb.ends_with("en") && verb.chars().all(char::is_lowercase) => {
            name.to_string()
        }
        _ => right,
    };
    let left: Vec<&str> = before.split(',').map(str::trim).collect();
    let (last, earlier) = left.split_last()?;
    // The verb and its object stand before the first name.
    let mut found: Vec<String> = Vec::new();
    let head = if earlier.is_empty() { last } else { earlier.first()? };
    found.push(head.split_whitespace().next_back()?.to_string());
    if !earlier.is_empty() {
        found.extend(earlier[1..].iter().map(|name| (*name).to_string()));
        found.push((*last).to_string());
    }
    found.push(right);
    found.iter().all(|name| is_name(name, german)).then_some(found)
}

/// `3 or 5 replicas`: both are of what stands after the last.
fn numbers(before: &str, right: &str) -> Option<Vec<String>> {
    let is_number = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
    let (left, mut words) = (before.split_whitespace().next_back()?, right.split_whitespace());
    let (last, of) = (words.next()?, words.collect::<Vec<_>>());
    let parted = is_number(left) && is_number(last) && of.len() == 1;
    parted.then(|| [left, last].iter().map(|number| format!("{number} {}", of[0])).collect())
}

/// Two verbs and nothing else: `Should we buy or rent`.
pub(super) fn verbs(words: &[String]) -> Option<Vec<String>> {
    let [asks, who, one, or, other] = words else { return None };
    let asked = matches!(asks.as_str(), "should" | "shall" | "sollen" | "wollen")
        && matches!(who.as_str(), "we" | "i" | "wir");
    let parted = matches!(or.as_str(), "or" | "oder") && !NOT.contains(&other.as_str());
    (asked && parted).then(|| vec![one.clone(), other.clone()])
}

/// Whether a word is a name: one word with a capital letter. German nouns have one too, so there it takes a second sign.
fn is_name(word: &str, german: bool) -> bool {
    let one = !word.contains(char::is_whitespace) && word.chars().count() > 1;
    let capital = word.chars().next().is_some_and(char::is_uppercase);
    let odd = word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit() || c == '.' || c == '+');
    let humped = word.chars().skip(1).any(char::is_uppercase);
    one && (capital || humped) && (!german || odd || KNOWN.contains(&word.to_lowercase().as_str()))
}

/// Names that are written like German nouns.
const KNOWN: [&str; 24] = [
    "redis",
    "postgres",
    "rust",
    "go",
    "java",
    "python",
    "kotlin",
    "swift",
    "kafka",
    "docker",
    "podman",
    "linux",
    "windows",
    "azure",
    "github",
    "gitlab",
    "react",
    "angular",
    "svelte",
    "vue",
    "terraform",
    "ansible",
    "grpc",
    "rest",
];

/// The alternatives after a question word's clause: `Which is better, Redis or Postgres`, `What should we use: A, B or C`.
pub(super) fn tail(text: &str) -> Option<Vec<String>> {
    let at = text.find([',', ':', '–', '—'])?;
    let rest = &text[at..];
    let rest = rest.trim_start_matches([',', ':', '–', '—', ' ']);
    parted(rest, &[" or ", " oder "])
}
