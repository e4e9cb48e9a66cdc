//! Whether a changed mind names what changed it.

use crate::kernel::prose::phrase::{SentenceContent, sentences};
use crate::kernel::prose::token::{folded, tokens};
use crate::kernel::{Reading, text};

/// Ways of saying that there is nothing new, that one gives in, or that others are more. Folded, words set apart by one
/// blank.
const YIELDS: [&str; 62] = [
    "there is no new argument",
    "no new argument",
    "no new arguments",
    "not applicable",
    "there is none",
    "there was none",
    "none that i can name",
    "nothing new",
    "give in",
    "gave in",
    "giving in",
    "go along",
    "going along",
    "went along",
    "give way",
    "against one",
    "against two",
    "one against",
    "outvoted",
    "outnumbered",
    "in the minority",
    "block the group",
    "block the consensus",
    "block the others",
    "stand in the way",
    "do not want to",
    "don't want to",
    "sake of",
    "was asked to",
    "was told to",
    "changed my mind",
    "change my mind",
    "changed my vote",
    "convinced me",
    "persuaded me",
    "won me over",
    "the statement of",
    "see above",
    "same as above",
    "as above",
    "es gibt kein neues argument",
    "kein neues argument",
    "keine neuen argumente",
    "es gibt keins",
    "nichts neues",
    "gebe nach",
    "gebe ich nach",
    "nachgeben",
    "gruppe nicht aufhalten",
    "nicht aufhalten",
    "nicht im weg stehen",
    "um des friedens willen",
    "des friedens willen",
    "überstimmt",
    "meinetwegen",
    "von mir aus",
    "meine meinung geändert",
    "hat mich überzeugt",
    "haben mich überzeugt",
    "siehe oben",
    "присоединяюсь к большинству",
    "присоединяюсь",
];

/// The same where texts are read closely; the longer before what they hold.
const CLOSE_YIELDS: [&str; 58] = [
    "because of the others",
    "because of the group",
    "trust the others more than myself",
    "trust the others more than me",
    "trust the others",
    "trust the group",
    "can hardly be wrong",
    "can't be wrong",
    "cannot be wrong",
    "can not all be wrong",
    "reach a consensus",
    "reach consensus",
    "reach agreement",
    "reach unanimity",
    "for unity",
    "tired of arguing about this",
    "tired of arguing",
    "tired of this debate",
    "what the boss wants us to do",
    "what the boss wants",
    "what everybody wants",
    "what everyone wants",
    "thought about it again",
    "thought it over",
    "thought again",
    "good points were made",
    "made good points",
    "good arguments were made",
    "by all sides",
    "my earlier view was wrong",
    "my earlier vote was wrong",
    "i was wrong",
    "can finally move on",
    "finally move on",
    "move on",
    "see it differently now",
    "see it differently",
    "see this differently",
    "see things differently",
    "the discussion",
    "the debate",
    "peer pressure",
    "damit wir endlich fertig werden",
    "endlich fertig werden",
    "niemanden aufhalten",
    "keinen aufhalten",
    "der klügere gibt nach",
    "sehe das inzwischen anders",
    "sehe es inzwischen anders",
    "sehe das jetzt anders",
    "sehe es jetzt anders",
    "noch einmal nachgedacht",
    "noch einmal darüber nachgedacht",
    "der gruppe zuliebe",
    "des konsenses wegen",
    "me range à l'avis",
    "par souci de consensus",
    "para no bloquear al grupo",
];

/// Words after `majority of` that are those who vote, and not what is spoken about.
const VOTERS: [&str; 16] = [
    "us",
    "them",
    "seats",
    "participants",
    "members",
    "people",
    "others",
    "group",
    "votes",
    "voters",
    "teilnehmer",
    "anderen",
    "stimmen",
    "gruppe",
    "sitze",
    "panel",
];

/// So many words besides pointing at others or giving in are an argument; of a text that does neither, two.
const ARGUMENT: usize = 3;

/// Whether a text that should name the new argument for a changed vote names none: nothing, a placeholder, fewer than
/// three words, or nothing but that others think so, that one gives in, or that one changed one's mind.
pub fn conformity(argument: Option<&str>, reading: Reading) -> bool {
    let said = argument.unwrap_or("").trim();
    if text::words(said).take(3).count() < 3 {
        return true;
    }
    let folded = text::fold(said).replace(['\u{2019}', '\u{2018}'], "'");
    let plain: Vec<&str> = folded
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '%'))
        .filter(|word| !word.is_empty())
        .collect();
    let (left, yields) = without_yielding(&plain.join(" "), reading);
    let held: Vec<SentenceContent> =
        if yields { vec![content(&left)] } else { sentences(said).map(content).collect() };
    let words = held.iter().map(|one| one.words).sum::<usize>();
    let refers = held.iter().any(|one| one.refers) && !is_of_things(&plain);
    words < if yields || refers { ARGUMENT } else { ARGUMENT - 1 }
}

fn content(said: &str) -> SentenceContent {
    SentenceContent::of(tokens(&folded(said)))
}

/// The text without such phrases, and whether there were any.
fn without_yielding(plain: &str, reading: Reading) -> (String, bool) {
    let mut left = format!(" {plain} ");
    let before = left.len();
    let close: &[&str] = match reading {
        Reading::Early => &[],
        Reading::Close => &CLOSE_YIELDS,
    };
    for phrase in close.iter().chain(&YIELDS) {
        if !left.contains(*phrase) {
            continue;
        }
        let whole = format!(" {phrase} ");
        while left.contains(&whole) {
            left = left.replace(&whole, " ");
        }
    }
    let yields = left.len() < before;
    (left, yields)
}

/// `the majority of requests`: of what is spoken about, not of those who speak.
fn is_of_things(plain: &[&str]) -> bool {
    let of = |pair: &&[&str]| {
        matches!(pair[0], "majority" | "mehrheit") && matches!(pair[1], "of" | "der" | "aller")
    };
    let article = |word: &&&str| !matches!(**word, "the" | "all" | "other" | "der" | "our");
    plain
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| of(pair))
        .any(|(at, _)| plain[at + 2..].iter().find(article).is_some_and(|word| !VOTERS.contains(word)))
}
