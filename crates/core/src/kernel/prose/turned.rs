//! Whether one text is another one turned round: the same words, and an odd number of denials, opposites and changed
//! places between them. Two of these make the same again: `the tests do not fail` is `the tests pass`, and `A is faster
//! than B` is `B is slower than A`.
//!
//! Sooner no than yes: where a word is left over on both sides, the two speak of different things.

use super::align::Inflection;
use super::light::{canonical, is_light};
use super::poles::against;
use super::token::{Token, folded, tokens};
use super::words::{denies, stem};

/// Words that say `has no` in one. Beginnings.
const LACKS: [&str; 6] = ["lack", "missing", "fehlt", "fehlen", "fehlend", "devoid"];

/// Words that need no counterpart here: they stand beside a denial, or carry only the grammar.
const ASIDE: [&str; 52] = [
    "any",
    "anymore",
    "be",
    "been",
    "der",
    "des",
    "dem",
    "den",
    "did",
    "do",
    "es",
    "everybody",
    "everyone",
    "all",
    "always",
    "for",
    "go",
    "hat",
    "have",
    "immer",
    "in",
    "is",
    "ist",
    "it",
    "just",
    "jeder",
    "longer",
    "mehr",
    "more",
    "most",
    "noch",
    "nur",
    "of",
    "on",
    "only",
    "or",
    "still",
    "there",
    "this",
    "these",
    "to",
    "von",
    "was",
    "will",
    "wird",
    "with",
    "mit",
    "yet",
    "alle",
    "durch",
    "us",
    "we",
];

/// Words of a comparison, after which two things cannot change places.
const THAN: [&str; 5] = ["than", "als", "чем", "que", "dan"];

/// So many words of one may be left over, if none of the other are.
const MORE: usize = 2;

/// Whether they say the opposite. `denied`: one of them denies an odd number of times more than the other; `swaps`: each
/// denies something that the other affirms (`Kafka, not Rabbit` and `Rabbit, not Kafka`).
pub(super) fn turned(one: &str, other: &str, denied: bool, swaps: bool) -> bool {
    let tongue = Inflection::of(one).or(Inflection::of(other));
    let (ones, lacks) = words(one);
    let (others, lack) = words(other);
    let mut turns = usize::from(denied) + lacks + lack;
    let mut free: Vec<Option<&str>> = ones.iter().copied().map(Some).collect();
    let mut left: Vec<&str> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    for word in &others {
        let exact = free.iter().position(|free| *free == Some(*word));
        let form = || free.iter().position(|free| free.is_some_and(|free| tongue.inflects(free, word)));
        match exact.or_else(form) {
            Some(at) => {
                free[at] = None;
                places.push(at);
            }
            None => left.push(word),
        }
    }
    let mut rest: Vec<&str> = free.into_iter().flatten().collect();
    left.retain(|word| match rest.iter().position(|one| against(one, word)) {
        Some(at) => {
            rest.remove(at);
            turns += 1;
            false
        }
        None => true,
    });
    let beside = |words: &mut Vec<&str>| words.retain(|word| !ASIDE.contains(word));
    beside(&mut rest);
    beside(&mut left);
    if !rest.is_empty() && !left.is_empty() || rest.len() + left.len() > MORE || places.is_empty() {
        return false;
    }
    if swaps {
        return rest.is_empty() && left.is_empty();
    }
    match order(&places) {
        WordOrder::Same => turns % 2 == 1,
        WordOrder::Moved if compares(one) && compares(other) => turns % 2 == 0,
        WordOrder::Moved => false,
    }
}

enum WordOrder {
    Same,
    Moved,
}

/// Whether words that both have stand in one order. A clause that moved from the end to the front is no other order,
/// unless something is compared.
fn order(places: &[usize]) -> WordOrder {
    if places.windows(2).all(|pair| pair[0] < pair[1]) { WordOrder::Same } else { WordOrder::Moved }
}

fn compares(folded: &str) -> bool {
    tokens(folded).any(|token| matches!(token, Token::Word(word) if THAN.contains(&word)))
}

/// The words of a text without its denials, and how many of them say `has no`.
fn words(folded: &str) -> (Vec<&str>, usize) {
    let (mut words, mut lacks) = (Vec::new(), 0);
    for token in tokens(folded) {
        let (Token::Word(word) | Token::Part(word)) = token else { continue };
        if denies(word).is_some() {
            words.extend(stem(word).map(canonical));
        } else if LACKS.iter().any(|lack| word.starts_with(lack)) {
            lacks += 1;
        } else if !is_light(word) {
            words.push(canonical(word.strip_suffix("'s").unwrap_or(word)));
        }
    }
    (words, lacks)
}

/// Words that refuse what follows them. Beginnings.
const REFUSES: [&str; 6] = ["refus", "reject", "declin", "verweiger", "lehnt", "ablehn"];

/// Whether a text speaks against a condition: it denies where the condition does not, or holds an opposite of one of its
/// words. `unless` denies.
pub(crate) fn turns_against(condition: &str, said: &str) -> bool {
    let (condition, said) = (folded(condition), folded(said));
    let denials = |text: &str| {
        let denies = |word: &str| {
            denies(word).is_some() || word == "unless" || REFUSES.iter().any(|start| word.starts_with(start))
        };
        tokens(text).filter(|token| matches!(token, Token::Word(word) if denies(word))).count() % 2
    };
    if denials(&condition) != denials(&said) {
        return true;
    }
    let ((wanted, _), (given, _)) = (words(&condition), words(&said));
    let alone = |word: &&&str, others: &[&str]| !others.contains(*word);
    wanted
        .iter()
        .filter(|word| alone(word, &given))
        .any(|word| given.iter().filter(|other| alone(other, &wanted)).any(|other| against(word, other)))
}

#[cfg(test)]
mod tests {
    use super::turns_against;

    #[test]
    fn what_denies_a_condition_does_not_meet_it() {
        for (condition, said) in [
            ("If there is a kill switch for the rollout.", "We do not need a kill switch for the rollout."),
            (
                "If the rollback plan is tested before launch.",
                "The rollback plan cannot be tested before launch.",
            ),
            ("If data is encrypted at rest.", "The data is unencrypted at rest."),
            ("If legal signs off in writing.", "Legal refuses to sign off in writing."),
            ("If the vendor supports Europe.", "The vendor no longer supports Europe."),
            ("If it takes less than three weeks.", "It takes more than thirteen weeks."),
            ("Wenn die Kosten unter 500 Euro bleiben.", "Die Kosten bleiben über 5000 Euro."),
            ("Wenn es vor Weihnachten fertig wird.", "Es wird nach Weihnachten fertig."),
            ("Falls der Betriebsrat zustimmt.", "Der Betriebsrat stimmt nicht zu."),
        ] {
            assert!(turns_against(condition, said), "{condition} / {said}");
        }
        for (condition, said) in [
            ("If there is a kill switch for the rollout.", "We can add a kill switch to the rollout."),
            ("A rollback plan tested before launch.", "We will test the rollback plan before launch."),
            ("If we keep the old system for three months.", "The old system stays for three months."),
            ("Wenn die Kosten unter 500 Euro bleiben.", "Die Kosten bleiben unter 500 Euro."),
            ("If the data does not leave Europe.", "The data will never leave Europe."),
        ] {
            assert!(!turns_against(condition, said), "{condition} / {said}");
        }
    }
}
