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

/// Opposites that only count where all other words are the same: they are too common to tell long texts apart.
const COMMON: [(&str, &str); 62] = [
    ("pass", "fail"),
    ("high", "low"),
    ("cheap", "expensive"),
    ("cheaper", "dearer"),
    ("fast", "slow"),
    ("hard", "simple"),
    ("hard", "easy"),
    ("harder", "easier"),
    ("good", "bad"),
    ("safe", "dangerous"),
    ("safe", "risky"),
    ("strong", "weak"),
    ("small", "large"),
    ("more", "less"),
    ("more", "fewer"),
    ("much", "little"),
    ("rise", "fall"),
    ("rises", "falls"),
    ("grow", "shrink"),
    ("saves", "costs"),
    ("save", "cost"),
    ("gain", "los"),
    ("continu", "stop"),
    ("approv", "refus"),
    ("accept", "refus"),
    ("confirm", "deny"),
    ("prevent", "caus"),
    ("introduc", "remov"),
    ("add", "remov"),
    ("before", "after"),
    ("above", "below"),
    ("over", "under"),
    ("within", "outside"),
    ("always", "never"),
    ("everybody", "nobody"),
    ("early", "late"),
    ("open", "clos"),
    ("win", "los"),
    ("maintain", "abandon"),
    ("wise", "foolish"),
    ("stateless", "stateful"),
    ("internal", "external"),
    ("overstat", "understat"),
    ("upstream", "downstream"),
    ("inbound", "outbound"),
    ("help", "harm"),
    ("billig", "teuer"),
    ("günstig", "teuer"),
    ("leicht", "schwer"),
    ("einfach", "schwer"),
    ("schnell", "langsam"),
    ("gut", "schlecht"),
    ("hoch", "niedrig"),
    ("mehr", "weniger"),
    ("erlaubt", "verboten"),
    ("stark", "schwach"),
    ("spart", "kostet"),
    ("überschätz", "unterschätz"),
    ("verhinder", "verursach"),
    ("vor", "nach"),
    ("über", "unter"),
    ("zugestimmt", "widersprochen"),
];

/// What turns a word into its opposite, set before it.
const TURNS: [&str; 9] = ["un", "in", "im", "ir", "il", "non", "dis", "не", "a"];

/// Whether two words are opposites.
pub(crate) fn against(one: &str, other: &str) -> bool {
    let begins = |word: &str, start: &str| word.starts_with(start) && word.len() <= start.len() + 4;
    let pair =
        |(a, b): &(&str, &str)| begins(one, a) && begins(other, b) || begins(one, b) && begins(other, a);
    let turns = |word: &str, of: &str| {
        of.chars().nth(3).is_some() && word.strip_suffix(of).is_some_and(|turn| TURNS.contains(&turn))
    };
    POLES.iter().chain(&COMMON).any(pair) || turns(one, other) || turns(other, one)
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
