//! Hostile inputs on a stable compiler: documents made from a grammar, and kept examples with bytes flipped, cut, copied, joined and
//! nested. Each parser is given some hundreds of them with every run of the tests, and as many as `scripts/fuzz` has time for.
//!
//! A failure is shrunk and printed. To keep it: write the bytes to a file in `fuzz/corpus/TARGET/`, where they are tried first.

use std::path::Path;

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Just, Strategy, any, prop_oneof};
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

/// Inputs per target where nobody says otherwise. A debug build does them in about a second.
const CASES: u32 = 300;

/// Longer inputs tell nothing new.
const LONGEST: usize = 1 << 16;

/// What documents look like.
#[derive(Debug, Clone, Copy)]
#[allow(dead_code, reason = "not every crate reads every kind")]
pub(crate) enum Grammar {
    Json,
    Toml,
    /// Lines of words.
    Text,
}

/// One step of a mutation. Places are shares of the input, so that shrinking the rest keeps them.
#[derive(Debug, Clone)]
enum Change {
    Bit(Index, u8),
    Byte(Index, u8),
    Cut(Index, usize),
    Copy(Index, Index, usize),
    Word(Index, String),
    Splice(Index, Vec<u8>),
    Nest(Index, char, usize),
    End(Index),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        let place = |index: &Index| index.index(length + 1);
        match self {
            Self::Bit(at, bit) if length > 0 => bytes[at.index(length)] ^= 1 << (bit % 8),
            Self::Byte(at, byte) if length > 0 => bytes[at.index(length)] = *byte,
            Self::Bit(..) | Self::Byte(..) => (),
            Self::Cut(at, count) => {
                let at = place(at);
                bytes.drain(at..(at + count).min(length));
            }
            Self::Copy(from, to, count) => {
                let from = place(from);
                let piece = bytes[from..(from + count).min(length)].to_vec();
                let to = place(to);
                bytes.splice(to..to, piece);
            }
            Self::Word(at, word) => {
                let at = place(at);
                bytes.splice(at..at, word.bytes());
            }
            Self::Splice(at, other) => {
                bytes.truncate(place(at));
                bytes.extend_from_slice(other);
            }
            Self::Nest(at, open, times) => {
                let at = place(at);
                bytes.splice(at..at, open.to_string().repeat(*times).into_bytes());
            }
            Self::End(at) => bytes.truncate(place(at)),
        }
        bytes.truncate(LONGEST);
    }
}

/// What breaks readers of text.
const ODD: [&str; 32] = [
    "",
    " ",
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\u{1b}[2J",
    "\\",
    "\"",
    "'",
    "`",
    "```json\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "-0",
    "1e999",
    "-1e-999",
    "18446744073709551616",
    "9223372036854775808",
    "0.1e1",
    "\\ud800",
    "\\u0000",
    "ß",
    "İ",
    "👩‍👩‍👧",
];

fn words(known: &'static [&'static str]) -> BoxedStrategy<String> {
    let known: Vec<&str> = if known.is_empty() { vec!["a"] } else { known.to_vec() };
    prop_oneof![
        4 => select(known).prop_map(String::from),
        2 => select(ODD.to_vec()).prop_map(String::from),
        1 => any::<String>(),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_map(|number| number.to_string()),
    ]
    .boxed()
}

fn json(known: &'static [&'static str]) -> BoxedStrategy<String> {
    let quoted = |text: String| format!("{text:?}");
    let leaf = prop_oneof![
        3 => words(known).prop_map(quoted),
        2 => words(known),
        1 => any::<u64>().prop_map(|number| number.to_string()),
        1 => Just("0.5".to_string()),
        1 => any::<bool>().prop_map(|is| is.to_string()),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            vec((words(known), inner), 0..6).prop_map(|fields| {
                let fields: Vec<_> = fields.iter().map(|(name, value)| format!("{name:?}:{value}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
    .boxed()
}

fn toml(known: &'static [&'static str]) -> BoxedStrategy<String> {
    let value = prop_oneof![
        json(known),
        words(known).prop_map(|text| format!("'{text}'")),
        any::<i64>().prop_map(|number| number.to_string()),
    ];
    let line = prop_oneof![
        1 => words(known).prop_map(|name| format!("[{name}]")),
        1 => words(known).prop_map(|name| format!("[[{name}]]")),
        1 => (words(known), words(known)).prop_map(|(name, inner)| format!("[{name}.{inner}]")),
        6 => (words(known), value).prop_map(|(name, value)| format!("{name} = {value}")),
    ];
    vec(line, 0..12).prop_map(|lines| lines.join("\n")).boxed()
}

fn inputs(corpus: Vec<Vec<u8>>, grammar: Grammar, known: &'static [&'static str]) -> BoxedStrategy<Vec<u8>> {
    let made = match grammar {
        Grammar::Json => json(known),
        Grammar::Toml => toml(known),
        Grammar::Text => vec(words(known), 0..20).prop_map(|words| words.join(" ")).boxed(),
    };
    let kept = select(corpus.clone());
    let change = prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, bit)| Change::Bit(at, bit)),
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
        (any::<Index>(), 1_usize..64).prop_map(|(at, count)| Change::Cut(at, count)),
        (any::<Index>(), any::<Index>(), 1_usize..400)
            .prop_map(|(from, to, count)| Change::Copy(from, to, count)),
        (any::<Index>(), words(known)).prop_map(|(at, word)| Change::Word(at, word)),
        (any::<Index>(), select(corpus)).prop_map(|(at, other)| Change::Splice(at, other)),
        (any::<Index>(), select(vec!['{', '[', '(', '"', '#', '>', '\\', 'é']), 1_usize..3000)
            .prop_map(|(at, open, times)| Change::Nest(at, open, times)),
        any::<Index>().prop_map(Change::End),
    ];
    let first = prop_oneof![3 => kept, 2 => made.prop_map(String::into_bytes)];
    (first, vec(change, 0..6))
        .prop_map(|(mut bytes, changes)| {
            changes.iter().for_each(|change| change.apply(&mut bytes));
            bytes
        })
        .boxed()
}

/// Every file in `fuzz/corpus/TARGET`, by name.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} keeps no examples", folder.display());
    paths.iter().map(|path| std::fs::read(path).expect("an example")).collect()
}

/// Gives `check` every kept example and `SYNOD_FUZZ_CASES` mutations. `check` panics where a promise is broken.
pub(crate) fn fuzz(target: &str, grammar: Grammar, known: &'static [&'static str], check: impl Fn(&[u8])) {
    let corpus = corpus(target);
    corpus.iter().for_each(|bytes| check(bytes));
    let cases = std::env::var("SYNOD_FUZZ_CASES").ok().map(|cases| cases.parse().expect("a number"));
    let config = Config { cases: cases.unwrap_or(CASES), failure_persistence: None, ..Config::default() };
    let found = TestRunner::new(config).run(&inputs(corpus, grammar, known), |bytes| {
        check(&bytes);
        Ok(())
    });
    if let Err(found) = found {
        panic!("{target}: {found}");
    }
}
