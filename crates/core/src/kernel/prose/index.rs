//! Lists of words, looked into once for every word that is read. Made while the crate is built.
//!
//! Most words are in no list: both kinds here tell that by a few letters, without going through the list.

/// A list of whole words.
#[derive(Debug)]
pub(crate) struct Index<const N: usize> {
    words: [&'static str; N],
    /// Places in the list, counted from 1; nought is free. A word is at its slot or at one of those after it.
    slots: [u8; SLOTS],
}

const SLOTS: usize = 1024;

impl<const N: usize> Index<N> {
    pub(crate) const fn of(words: [&'static str; N]) -> Self {
        assert!(N < 256, "a slot is one byte");
        let mut slots = [0; SLOTS];
        let mut at = 0;
        while at < N {
            let mut slot = slot(words[at].as_bytes());
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = at as u8 + 1;
            at += 1;
        }
        Self { words, slots }
    }

    /// The place of a word in the list, if it is there.
    pub(crate) fn find(&self, word: &str) -> Option<usize> {
        let mut slot = slot(word.as_bytes());
        while self.slots[slot] != 0 {
            let at = usize::from(self.slots[slot]) - 1;
            if self.words[at] == word {
                return Some(at);
            }
            slot = (slot + 1) % SLOTS;
        }
        None
    }
}

/// The first words of a table.
pub(crate) const fn firsts<T: Copy, const N: usize>(table: &[(&'static str, T); N]) -> [&'static str; N] {
    let mut words = [""; N];
    let mut at = 0;
    while at < N {
        words[at] = table[at].0;
        at += 1;
    }
    words
}

/// Where a word belongs: by its ends and its length.
const fn slot(word: &[u8]) -> usize {
    let letters = match word {
        [first, second, .., last] => [*first, *second, *last, word.len() as u8],
        [first, last] => [*first, *last, 0, 2],
        [only] => [*only, 0, 0, 1],
        [] => [0; 4],
    };
    spread(letters) % SLOTS
}

const fn spread(letters: [u8; 4]) -> usize {
    (u32::from_le_bytes(letters).wrapping_mul(0x9E37_79B1) >> 20) as usize
}

/// A list of beginnings of words: a bit for the first three bytes of each. It holds back only words that
/// begin like none of them; one that it lets through has to be compared.
#[derive(Debug)]
pub(crate) struct Sieve([u64; 64]);

impl Sieve {
    pub(crate) const fn of(beginnings: &[&str]) -> Self {
        let mut sieve = Self([0; 64]);
        let mut at = 0;
        while at < beginnings.len() {
            sieve = sieve.with(beginnings[at]);
            at += 1;
        }
        sieve
    }

    pub(crate) const fn with(mut self, beginning: &str) -> Self {
        let [a, b, c, ..] = beginning.as_bytes() else { panic!("too short to tell words apart") };
        let place = spread([*a, *b, *c, 0]);
        self.0[place / 64] |= 1 << (place % 64);
        self
    }

    /// Whether a word may begin like something in the list.
    pub(crate) fn lets_through(&self, word: &str) -> bool {
        match word.as_bytes() {
            [a, b, c, ..] => self.has([*a, *b, *c]),
            [] | [_] | [_, _] => false,
        }
    }

    /// Whether something in the list may stand anywhere in a text.
    pub(crate) fn may_be_in(&self, text: &str) -> bool {
        text.as_bytes().windows(3).any(|three| self.has([three[0], three[1], three[2]]))
    }

    fn has(&self, [a, b, c]: [u8; 3]) -> bool {
        let place = spread([a, b, c, 0]);
        self.0[place / 64] >> (place % 64) & 1 == 1
    }
}
