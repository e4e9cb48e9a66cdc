//! What holds for every round.

use synod_core::kernel::{Choice, Permille, Reading, Who};
use synod_core::watch::{Analysis, Indicator, Share, analyse, likeness};

use super::{CACHE, NO_CACHE, QUEUE, Word, permille, round, rules, voices, word};

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

const TEXTS: [&str; 12] = [
    CACHE,
    NO_CACHE,
    QUEUE,
    "Wir sollten nicht warten, sondern messen.",
    "我们应该缓存所有响应。不要等待。",
    "I agree with the majority. As ann said, it is fine.",
    "",
    "👍 ok",
    "キャッシュを使うべきではない",
    "Не ждать, а измерять 3 раза",
    "يجب ألا ننتظر ولا نقيس",
    "We should cache every response at the edge. Put a queue between the writers.",
];

fn any_round(dice: &mut Dice) -> Vec<Word> {
    let mut words = Vec::new();
    for name in ["ann", "bob", "cy", "dee", "eli", "fay", "gus"] {
        if dice.roll(6) == 0 {
            continue;
        }
        let mut word = word(name);
        let stances =
            [None, Some(Choice::Yes), Some(Choice::No), Some(Choice::Neutral), Some(Choice::Option(1))];
        word.response.stance = stances[dice.roll(5)];
        word.response.confidence = [None, Permille::new(dice.roll(1001) as u16)][dice.roll(2)];
        word.response.position = Some(TEXTS[dice.roll(12)].to_string());
        word.response.reasoning = [None, Some(TEXTS[dice.roll(12)].to_string())][dice.roll(2)].clone();
        word.response.key_points = (0..dice.roll(3)).map(|_| TEXTS[dice.roll(12)].to_string()).collect();
        (word.ordered, word.objection) = (dice.roll(5) == 0, dice.roll(5) == 0);
        words.push(word);
    }
    words
}

#[test]
fn the_order_of_voices_changes_nothing_and_shares_are_shares() {
    for seed in 1..400u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let rounds: Vec<Vec<Word>> = (0..1 + dice.roll(4)).map(|_| any_round(&mut dice)).collect();
        let options = dice.roll(2) * 3;
        let forwards: Vec<_> = rounds.iter().map(|words| voices(words)).collect();
        let mut shuffled = forwards.clone();
        for round in &mut shuffled {
            (1..round.len()).rev().for_each(|at| round.swap(at, dice.roll(at + 1)));
        }
        let analysis = analyse(&rules(), Reading::Close, options, 7, &forwards);
        assert_eq!(analysis, analyse(&rules(), Reading::Close, options, 7, &shuffled), "seed {seed}");
        if let Some(Share { part, whole }) = analysis.agreement {
            assert!(part <= whole && (2..=7).contains(&whole), "seed {seed}: {part} of {whole}");
        }
        let counted: usize = analysis.clusters.iter().map(|cluster| cluster.who.len()).sum();
        let last = rounds.last().unwrap().len();
        assert_eq!(counted + analysis.unknown.len() + analysis.ordered.len(), last, "seed {seed}");
        let written = serde_json::to_string(&analysis).unwrap();
        assert_eq!(serde_json::from_str::<Analysis>(&written).unwrap(), analysis, "seed {seed}");
        let canonical = serde_json::from_str::<serde_json::Value>(&written).unwrap().to_string();
        assert_eq!(written, canonical, "seed {seed}: fields stand in their canonical order");
    }
}

#[test]
fn likeness_is_symmetric_and_whole_for_the_same_text() {
    let mut dice = Dice(77);
    for _ in 0..2000 {
        let text = |dice: &mut Dice| {
            let alphabet: Vec<char> = "ab no nicht n't不なi.,-'не é7 ".chars().collect();
            (0..dice.roll(40)).map(|_| alphabet[dice.roll(alphabet.len())]).collect::<String>()
        };
        let (one, other) = (text(&mut dice), text(&mut dice));
        assert_eq!(likeness(&one, &other), likeness(&other, &one), "{one:?} {other:?}");
        assert_eq!(likeness(&one, &one).get(), 1000, "{one:?}");
    }
}

/// Words that are no filler and point at nobody; some deny, some are of another script.
const SAID: [&str; 28] = [
    "cache",
    "edge",
    "queue",
    "writers",
    "reads",
    "latency",
    "budget",
    "pilot",
    "customers",
    "won't",
    "can't",
    "never",
    "not",
    "cannot",
    "without",
    "17",
    "250",
    "Кэш",
    "читать",
    "не",
    "запись",
    "réponse",
    "Straße",
    "缓存所有响应",
    "不要等待",
    "non-blocking",
    "40",
    "9.5",
];

fn sentence(dice: &mut Dice) -> String {
    let words: Vec<&str> = (0..4 + dice.roll(8)).map(|_| SAID[dice.roll(SAID.len())]).collect();
    // Two plain words more, so that every sentence says something.
    format!("invalidation replicas {}", words.join(" "))
}

/// A sentence that is another one with some words changed.
fn varied(dice: &mut Dice, of: &str) -> String {
    let change = |word: &str, dice: &mut Dice| match dice.roll(4) {
        0 => SAID[dice.roll(SAID.len())].to_string(),
        _ => word.to_string(),
    };
    of.split(' ').map(|word| change(word, dice)).collect::<Vec<_>>().join(" ")
}

/// A voice that points at others adds nothing exactly if each of its sentences is half like some sentence of theirs.
#[test]
fn what_adds_nothing_is_told_by_likeness_alone() {
    let (mut adds, mut repeats) = (0, 0);
    for seed in 1..1500u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let others: Vec<String> = (0..6).map(|_| sentence(&mut dice)).collect();
        let own: Vec<String> = (0..1 + dice.roll(2))
            .map(|_| match dice.roll(5) {
                0 => sentence(&mut dice),
                _ => {
                    let of = others[dice.roll(6)].clone();
                    varied(&mut dice, &of)
                }
            })
            .collect();
        let script = format!(
            "ann yes | {} | {}\nbob yes | {} | {}\ndee yes | {} | {}\ncy yes | Yes | {} | I agree with Ann.",
            others[0],
            others[1],
            others[2],
            others[3],
            others[4],
            others[5],
            own.join(" | ")
        );
        let mut words = round(&script);
        words[3].response.key_points = own.clone();
        words[3].response.reasoning = Some("I agree with Ann.".into());
        let found = analyse(&rules(), Reading::Close, 0, 4, &[voices(&words)]).groupthink;
        let said: Vec<&str> = words[..3]
            .iter()
            .flat_map(|word| {
                word.response.position.iter().chain(&word.response.key_points).map(String::as_str)
            })
            .collect();
        let told = |one: &String| said.iter().any(|other| likeness(one, other) >= permille(500));
        let expected = own.iter().all(told);
        let referring = Indicator::ByReference { who: Who::parse("cy").unwrap() };
        assert_eq!(found.contains(&referring), expected, "seed {seed}: {own:?} beside {said:?}");
        *(if expected { &mut repeats } else { &mut adds }) += 1;
    }
    assert!(adds > 100 && repeats > 100, "{adds} add something, {repeats} nothing");
}
