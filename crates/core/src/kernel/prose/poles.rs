//! Opposites: words that turn a text round without denying anything.
//!
//! To add a pair: the beginnings that its forms share, folded. Words that long texts of either side hold, as
//! `more` and `less`, do not belong here.

use super::index::Sieve;

/// Beginnings of words that say the opposite of each other without a denial.
const POLES: [(&str, &str); 44] = [
    ("accept", "reject"),
    ("approv", "reject"),
    ("adopt", "reject"),
    ("support", "oppos"),
    ("allow", "forbid"),
    ("allow", "prohibit"),
    ("permit", "prohibit"),
    ("enabl", "disabl"),
    ("keep", "remov"),
    ("increas", "decreas"),
    ("increas", "reduc"),
    ("rais", "lower"),
    ("higher", "lower"),
    ("faster", "slower"),
    ("better", "worse"),
    ("safe", "unsafe"),
    ("possible", "impossible"),
    ("buy", "sell"),
    ("start", "stop"),
    ("legal", "illegal"),
    ("lawful", "unlawful"),
    ("includ", "exclud"),
    ("hire", "fire"),
    ("expand", "shrink"),
    ("useful", "useless"),
    ("annehm", "ablehn"),
    ("annahme", "ablehnung"),
    ("zustimm", "ablehn"),
    ("erlaub", "verbiet"),
    ("erhöh", "senk"),
    ("steig", "sink"),
    ("höher", "niedriger"),
    ("schneller", "langsamer"),
    ("besser", "schlechter"),
    ("möglich", "unmöglich"),
    ("zulässig", "unzulässig"),
    ("beginn", "beend"),
    ("einschalt", "ausschalt"),
    ("принять", "отклонить"),
    ("поддерж", "отверг"),
    ("увелич", "уменьш"),
    ("повыс", "сниз"),
    ("включ", "выключ"),
    ("законн", "незаконн"),
];

/// The same in scripts without blanks.
const RUN_POLES: [(&str, &str); 11] = [
    ("批准", "拒绝"),
    ("接受", "拒绝"),
    ("支持", "反对"),
    ("支持", "反對"),
    ("增加", "减少"),
    ("增加", "減少"),
    ("提高", "降低"),
    ("开始", "停止"),
    ("合法", "违法"),
    ("承認", "却下"),
    ("賛成", "反対"),
];

/// Which of the pairs of opposites a text holds, a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Poles {
    one: u64,
    other: u64,
}

impl Poles {
    /// Takes note of a word.
    pub(crate) fn take(&mut self, word: &str) {
        if SIEVE.lets_through(word) {
            self.note(&POLES, 0, |pole| word.starts_with(pole));
        }
    }

    /// Takes note of a run.
    pub(crate) fn take_run(&mut self, run: &str) {
        if RUN_SIEVE.may_be_in(run) {
            self.note(&RUN_POLES, POLES.len(), |pole| run.contains(pole));
        }
    }

    fn note(&mut self, pairs: &[(&str, &str)], first: usize, holds: impl Fn(&str) -> bool) {
        for (at, (one, other)) in pairs.iter().enumerate() {
            self.one |= u64::from(holds(one)) << (first + at);
            self.other |= u64::from(holds(other)) << (first + at);
        }
    }

    /// One holds only the one of a pair, the other only the other.
    pub(crate) fn stand_against(self, them: Self) -> bool {
        let (one, other) = (self.one & !self.other, self.other & !self.one);
        one & them.other & !them.one != 0 || other & them.one & !them.other != 0
    }
}

static SIEVE: Sieve = sieve(&POLES);
static RUN_SIEVE: Sieve = sieve(&RUN_POLES);

const fn sieve(pairs: &[(&str, &str)]) -> Sieve {
    let mut sieve = Sieve::of(&[]);
    let mut at = 0;
    while at < pairs.len() {
        sieve = sieve.with(pairs[at].0).with(pairs[at].1);
        at += 1;
    }
    sieve
}
