//! Recognisers that have lost the thread say the same again and again. People do too, so what is short is left alone: an override must
//! never be lost.

use std::collections::VecDeque;

use crate::heard::EarSegment;

/// A sentence of at least so many words ...
const SENTENCE: usize = 4;
/// ... that comes for the third time in a row is heard as speech without words.
const ROW: u32 = 3;
/// A turn of words that comes so often within a segment ...
const TURNS: usize = 6;
/// ... and makes up so many words is cut to two.
const TURNED_WORDS: usize = 12;
/// The longest turn that is looked for.
const TURN_MOST: usize = 8;
/// Speakers whose last sentence is known.
const SPEAKERS_MOST: usize = 32;

/// The last sentences of those who spoke.
#[derive(Debug, Default)]
pub(crate) struct Repetitions {
    last: VecDeque<(Option<String>, String, u32)>,
}

impl Repetitions {
    /// Mends a segment that repeats what was said, and tells so.
    pub(crate) fn judge(&mut self, segment: &mut EarSegment) -> Option<String> {
        let cut = unwound(&segment.text);
        let found =
            cut.as_ref().map(|(_, turns)| format!("the same words {turns} times in one segment; kept twice"));
        if let Some((text, _)) = cut {
            segment.text = text;
            segment.words.clear();
        }
        self.in_a_row(segment).or(found)
    }

    fn in_a_row(&mut self, segment: &mut EarSegment) -> Option<String> {
        let plain = segment.text.to_lowercase();
        let known = self.last.iter().position(|(speaker, ..)| *speaker == segment.speaker);
        let row = match known.and_then(|at| self.last.remove(at)) {
            Some((_, said, row)) if said == plain => row.saturating_add(1),
            Some(_) | None => 1,
        };
        self.last.push_back((segment.speaker.clone(), plain, row));
        if self.last.len() > SPEAKERS_MOST {
            self.last.pop_front();
        }
        if row < ROW || segment.text.split_whitespace().count() < SENTENCE {
            return None;
        }
        let said: String = segment.text.chars().take(60).collect();
        segment.text.clear();
        segment.words.clear();
        Some(format!("{said:?} for the {row}th time in a row; heard as speech without words"))
    }
}

/// The text with a turn of words that comes too often cut to two, and how often it came.
fn unwound(text: &str) -> Option<(String, usize)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < TURNED_WORDS {
        return None;
    }
    let plain: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut kept: Vec<&str> = Vec::new();
    let (mut at, mut worst) = (0, 0);
    while at < words.len() {
        let found = (1..=TURN_MOST).find_map(|length| {
            let turns = turns(&plain[at..], length);
            (turns >= TURNS && turns * length >= TURNED_WORDS).then_some((length, turns))
        });
        match found {
            Some((length, turns)) => {
                kept.extend(&words[at..at + 2 * length]);
                at += turns * length;
                worst = worst.max(turns);
            }
            None => {
                kept.push(words[at]);
                at += 1;
            }
        }
    }
    (worst > 0).then(|| (kept.join(" "), worst))
}

/// How often the first words come one after the other.
fn turns(words: &[String], length: usize) -> usize {
    let Some(first) = words.get(..length) else { return 0 };
    words.chunks(length).take_while(|chunk| *chunk == first).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> EarSegment {
        EarSegment { text: text.into(), is_final: true, ..EarSegment::default() }
    }

    #[test]
    fn a_loop_is_cut_and_people_are_not() {
        let looped = format!("We begin. {}And so on", "thank you very much ".repeat(9));
        let (text, turns) = unwound(&looped).unwrap();
        assert_eq!(
            (text.as_str(), turns),
            ("We begin. thank you very much thank you very much And so on", 9)
        );
        assert_eq!(unwound("stop stop stop stop stop stop stop stop"), None);
        assert_eq!(unwound("no no no we said that and that and that before lunch"), None);
    }

    #[test]
    fn the_third_of_the_same_sentences_has_no_words() {
        let mut known = Repetitions::default();
        for (round, expected) in [(1, None), (2, None), (3, Some(())), (4, Some(()))] {
            let mut segment = said("Thanks for watching this video");
            assert_eq!(known.judge(&mut segment).map(drop), expected, "round {round}");
            assert_eq!(segment.text.is_empty(), expected.is_some());
        }
        let mut other = said("Something else was said now");
        assert_eq!(known.judge(&mut other), None);
        for _ in 0..5 {
            assert_eq!(known.judge(&mut said("hör nur zu")), None, "what is short is never lost");
        }
    }
}
