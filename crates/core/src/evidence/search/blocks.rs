//! Distances of a quote to all parts of a text, 64 rows of the table at a time (Myers 1999, in the form of Hyyrö 2003).
//!
//! Row i of a column is the fewest edits that make the first i characters of the quote a part of the text that ends there. A block
//! keeps the differences between 64 rows as bits. Blocks in which every row exceeds what is allowed are left alone until something from
//! above reaches them (Ukkonen's cut-off), so most text costs one or two blocks a character.
//!
//! The first block is filled up with rows that every character matches. They stay zero, like the row above the table, and let all
//! blocks be full.

/// Rows in a block.
const ROWS: u32 = 64;

/// A quote as bits: for each of its characters, where it stands.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    /// Blocks that the quote takes.
    count: usize,
    /// Rows that fill up the first block.
    fill: u32,
    /// `count` words for each character; those of characters that the quote does not have come first.
    places: Vec<u64>,
    /// For each ASCII character, where its words begin in `places`.
    ascii: [u32; 128],
    /// The same for other characters, as an open table of a power of two; a place is free where the character is NUL.
    wide: Vec<(char, u32)>,
}

impl Blocks {
    pub(super) fn new(quote: &str) -> Self {
        let length = quote.chars().count() as u32;
        let count = length.div_ceil(ROWS) as usize;
        let fill = ROWS * count as u32 - length;
        let mut none = vec![0; count];
        none[0] = (1u64 << fill) - 1;
        let slots = (2 * quote.chars().filter(|c| !c.is_ascii()).count()).next_power_of_two();
        let mut blocks =
            Self { count, fill, places: none.clone(), ascii: [0; 128], wide: vec![('\0', 0); slots] };
        for (c, row) in quote.chars().zip(fill as usize..) {
            let mut at = blocks.find(c);
            if at == 0 {
                at = blocks.places.len();
                blocks.places.extend_from_slice(&none);
                blocks.enter(c, at as u32);
            }
            blocks.places[at + row / ROWS as usize] |= 1 << (row % ROWS as usize);
        }
        blocks
    }

    /// Where the words of a character begin: 0 if the quote does not have it.
    #[inline(always)]
    fn find(&self, c: char) -> usize {
        match c {
            '\0'..='\x7f' => self.ascii[c as usize] as usize,
            _ => self.wide[self.slot(c)].1 as usize,
        }
    }

    /// The place of a character beyond ASCII in the table, or the free one where it would be. At most half of the table is taken.
    #[inline(always)]
    fn slot(&self, c: char) -> usize {
        let mask = self.wide.len() - 1;
        let mut slot = (c as usize ^ (c as usize >> 7)) & mask;
        while self.wide[slot].0 != c && self.wide[slot].0 != '\0' {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn enter(&mut self, c: char, at: u32) {
        if c.is_ascii() {
            self.ascii[c as usize] = at;
        } else {
            let slot = self.slot(c);
            self.wide[slot] = (c, at);
        }
    }

    /// Searches for parts of a text that are at most `most` edits away.
    pub(super) fn scan(&self, most: u32) -> BlockScan<'_> {
        BlockScan { quote: self, most, column: vec![Block::NEW; self.count], last: 0, score: 0 }
    }
}

/// The rows of one block in one column of the table, by how they differ from the row above.
#[derive(Debug, Clone, Copy)]
struct Block {
    /// Rows that are one more.
    more: u64,
    /// Rows that are one less.
    less: u64,
}

impl Block {
    /// As before the first character of a text: each row needs one removal more.
    const NEW: Self = Self { more: !0, less: 0 };

    /// Goes on by a character that stands at `places` of the quote. `rose` and `fell` say whether the row above the block changed,
    /// and the result the same of its last row.
    #[inline(always)]
    fn step(&mut self, places: u64, (rose, fell): (u64, u64)) -> (u64, u64) {
        let vertical = places | self.less;
        let equal = places | fell;
        let diagonal = ((equal & self.more).wrapping_add(self.more) ^ self.more) | equal;
        let (up, down) = (self.less | !(diagonal | self.more), self.more & diagonal);
        let (shifted_up, shifted_down) = (up << 1 | rose, down << 1 | fell);
        self.more = shifted_down | !(vertical | shifted_up);
        self.less = shifted_up & vertical;
        (up >> 63, down >> 63)
    }

    /// How much its last row is more than the row above it.
    fn height(self) -> u32 {
        self.more.count_ones().wrapping_sub(self.less.count_ones())
    }
}

/// A search through regions of a text, with what was found so far.
#[derive(Debug)]
pub(super) struct BlockScan<'a> {
    quote: &'a Blocks,
    /// What a part of the text may differ by to be of interest: less than the best one so far.
    most: u32,
    column: Vec<Block>,
    /// The last block that is looked at.
    last: usize,
    /// The value of its last row.
    score: u32,
}

impl BlockScan<'_> {
    /// Looks through one region: the lowest distance in it and where that part ends, if it is lower than everything before.
    pub(super) fn run(&mut self, text: &str, ascii: bool) -> Option<(u32, usize)> {
        let mut best = None;
        let quote = self.quote;
        self.begin();
        if ascii {
            for (at, byte) in text.bytes().enumerate() {
                if self.step(quote.ascii[usize::from(byte & 127)] as usize) {
                    best = Some((self.score, at + 1));
                    self.narrow();
                }
            }
        } else {
            for (at, c) in text.char_indices() {
                if self.step(quote.find(c)) {
                    best = Some((self.score, at + c.len_utf8()));
                    self.narrow();
                }
            }
        }
        best
    }

    /// Only what is nearer is of interest from now on. The quote itself does not stand in the text, so nothing has no edits.
    fn narrow(&mut self) {
        self.most = self.score - 1;
    }

    /// Before the first character, row i is i: blocks whose rows are all too many are left out.
    fn begin(&mut self) {
        let within = (self.most.max(1) + self.quote.fill - 1) / ROWS;
        self.last = (within as usize).min(self.quote.count - 1);
        self.column[..=self.last].fill(Block::NEW);
        self.column[0].more <<= self.quote.fill;
        self.score = ROWS * (self.last as u32 + 1) - self.quote.fill;
    }

    /// Goes on by one character: whether its distance is lower than all before.
    #[inline(always)]
    fn step(&mut self, at: usize) -> bool {
        let end = self.quote.count - 1;
        let places = &self.quote.places[at..=at + end];
        let mut change = (0, 0);
        for (block, places) in self.column[..=self.last].iter_mut().zip(places) {
            change = block.step(*places, change);
        }
        let before = self.score;
        self.score = self.score.wrapping_add(change.0 as u32).wrapping_sub(change.1 as u32);
        if self.last < end {
            // Something within bounds reaches the next block: by a match, or from above.
            if before <= self.most && (change.1 | places[self.last + 1]) & 1 == 1 {
                self.last += 1;
                self.column[self.last] = Block::NEW;
                let change = self.column[self.last].step(places[self.last], change);
                self.score = (before + ROWS).wrapping_add(change.0 as u32).wrapping_sub(change.1 as u32);
                return self.last == end && self.score <= self.most;
            }
        } else if self.score <= self.most {
            return true;
        }
        // All rows of the last block are beyond what is allowed.
        while self.last > 0 && self.score >= self.most + ROWS {
            self.score = self.score.wrapping_sub(self.column[self.last].height());
            self.last -= 1;
        }
        false
    }
}
