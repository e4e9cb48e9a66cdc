//! Finding a quote in a file: as it is, with slips, and where it does not stand, in texts of several sizes.
//!
//! What is measured is the whole check of a citation after the file was read: counting lines, making the text ready, searching. Words come
//! from the shipped charters by a fixed chance, so that every run has the same texts and quotes. Beside it, where Python has it, rapidfuzz
//! looks for the same quotes in the same texts with their white space already collapsed.
//!
//! To add a text: one more [`BenchText`].

use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use synod_core::charter::councils;
use synod_core::evidence::{FileReference, PlainText, QuoteFinding, ReadFile, SearchDepth, check};
use synod_core::kernel::Digest;

use super::measure::{cpu, median, micros, ratio};
use crate::fail::{Fail, Result, code};

/// Sizes of the texts in bytes.
const SIZES: [usize; 4] = [10_000, 100_000, 1_000_000, 10_000_000];
/// Characters of a quote.
const QUOTE: usize = 200;
/// Slips in a quote that was copied badly: 3 % of it.
const SLIPS: usize = 6;

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the evidence benchmark failed: {what}"))
}

/// How the quotes of a row come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum QuoteCopy {
    Exact,
    Edited,
    Absent,
}

impl QuoteCopy {
    const ALL: [Self; 3] = [Self::Exact, Self::Edited, Self::Absent];

    fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Edited => "3 % edits",
            Self::Absent => "absent",
        }
    }
}

/// A text to search in.
struct BenchText {
    script: &'static str,
    size: usize,
    text: String,
    /// Where its chance is at.
    chance: Chance,
}

/// Numbers that look arbitrary and are the same in every run.
#[derive(Clone)]
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        for shift in [30, 27, 31] {
            x = (x ^ (x >> shift)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        }
        (x >> 20) as usize % most
    }
}

/// Measures every text with every kind of quote, `runs` quotes each, and rapidfuzz beside it.
pub(super) fn measure(python: &Path, runs: usize) -> Result<Value> {
    let dir = std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir).map_err(failed)?;
    let done = rows(&dir, python, runs);
    let cleared = std::fs::remove_dir_all(&dir);
    let figures = done?;
    cleared.map_err(failed)?;
    Ok(figures)
}

fn rows(dir: &Path, python: &Path, runs: usize) -> Result<Value> {
    let texts = SIZES.map(|size| (size, "Latin")).into_iter().chain([(1_000_000, "Cyrillic")]);
    let (mut rows, mut given) = (Vec::new(), Vec::new());
    for (size, script) in texts {
        let mut text = BenchText::new(size, script);
        let name = format!("{script}-{size}.txt");
        std::fs::write(dir.join(&name), PlainText::of(&text.text).as_str()).map_err(failed)?;
        let copied = text.copied();
        for copy in QuoteCopy::ALL {
            let quotes: Vec<String> = (0..runs).map(|_| text.quote(copy)).collect();
            rows.push(text.row(copy, &quotes, copied)?);
            given.push(json!({ "text": name, "quotes": quotes }));
        }
    }
    std::fs::write(dir.join("quotes.json"), Value::from(given).to_string()).map_err(failed)?;
    let beside = beside(dir, python);
    if let Ok(beside) = &beside {
        for (row, other) in rows.iter_mut().zip(beside["rows"].as_array().into_iter().flatten()) {
            let own = row["ms"].as_f64().unwrap_or_default();
            for (key, times, from) in
                [("rapidfuzz_ms", "times", "whole"), ("rapidfuzz_cutoff_ms", "times_cutoff", "cutoff")]
            {
                let took = other[from].as_f64().unwrap_or_default();
                row[key] = json!((took * 1000.0).round() / 1000.0);
                row[times] = json!(ratio(took, own));
            }
        }
    }
    let (version, absent) = match beside {
        Ok(beside) => (beside["version"].clone(), Value::Null),
        Err(why) => (Value::Null, why.into()),
    };
    Ok(
        json!({ "quote_chars": QUOTE, "runs": runs, "rapidfuzz": version, "no_rapidfuzz": absent, "rows": rows }),
    )
}

impl BenchText {
    fn new(size: usize, script: &'static str) -> Self {
        let mut chance = Chance(size as u64);
        let text = lines(&mut chance, size, script);
        Self { script, size, text, chance }
    }

    /// A quote from somewhere in the second half, or made of the same words where it does not stand.
    fn quote(&mut self, copy: QuoteCopy) -> String {
        let half = self.text.len() / 2;
        let from = self.text.floor_char_boundary(half + self.chance.below(half - 4 * QUOTE));
        let mut quote: Vec<char> = self.text[from..].chars().take(QUOTE).collect();
        match copy {
            QuoteCopy::Exact => (),
            QuoteCopy::Edited => (0..SLIPS).for_each(|nth| {
                let at = self.chance.below(quote.len());
                match nth % 3 {
                    0 => quote[at] = '#',
                    1 => quote.insert(at, 'q'),
                    _ => drop(quote.remove(at)),
                }
            }),
            QuoteCopy::Absent => {
                quote = lines(&mut self.chance, 4 * QUOTE, self.script).chars().take(QUOTE).collect();
            }
        }
        quote.into_iter().collect()
    }

    /// What copying the text takes: the speed of memory.
    fn copied(&self) -> Duration {
        let copy = |_| {
            let begun = cpu();
            std::hint::black_box(std::hint::black_box(self.text.as_bytes()).to_vec());
            cpu().saturating_sub(begun)
        };
        median((0..15).map(copy).collect())
    }

    fn row(&self, copy: QuoteCopy, quotes: &[String], copied: Duration) -> Result<Value> {
        let file = ReadFile { changed: None, digest: Digest::default(), text: self.text.clone() };
        let mut times = Vec::new();
        for quote in quotes {
            let cited = FileReference { path: "text".into(), quote: Some(quote.clone()), lines: None };
            let begun = cpu();
            let finding = check(&cited, Ok(&file), SearchDepth::Verdict);
            times.push(cpu().saturating_sub(begun));
            // Chance edits may change a sign or a word that decides the meaning. Then the quote is found and not verified, at the same cost.
            let near = finding.quote.as_ref().is_some_and(QuoteFinding::is_verified);
            if near == (copy == QuoteCopy::Absent) {
                return Err(failed(format!("{}: {finding:?}", copy.word())));
            }
        }
        let took = median(times);
        Ok(json!({
            "script": self.script,
            "bytes": self.size,
            "quote": copy.word(),
            "ms": micros(took) / 1000.0,
            "copying_ms": micros(copied) / 1000.0,
            "mb_per_s": (self.size as f64 / took.as_secs_f64().max(1e-9) / 1e6).round(),
        }))
    }
}

/// Lines of about 80 characters, some of them indented.
fn lines(chance: &mut Chance, size: usize, script: &str) -> String {
    let words: Vec<&str> = councils().flat_map(|shipped| shipped.source.split_whitespace()).collect();
    let mut text = String::with_capacity(size + 100);
    let mut column = 0;
    while text.len() < size {
        let word = words[chance.below(words.len())];
        column += word.chars().count() + 1;
        match script {
            "Cyrillic" => text.extend(word.chars().map(cyrillic)),
            _ => text.extend(word.chars().filter(char::is_ascii)),
        }
        text.push(if column > 80 { '\n' } else { ' ' });
        if column > 80 {
            column = 0;
            text.push_str(&"    "[..chance.below(5)]);
        }
    }
    text
}

/// The same words in another script: what counts is how many bytes a character takes.
fn cyrillic(c: char) -> char {
    match c {
        'a'..='z' => char::from_u32(0x430 + c as u32 - 'a' as u32).unwrap_or(c),
        'A'..='Z' => char::from_u32(0x410 + c as u32 - 'A' as u32).unwrap_or(c),
        _ => c,
    }
}

/// Runs rapidfuzz on the same quotes; else why not.
fn beside(dir: &Path, python: &Path) -> std::result::Result<Value, String> {
    let shown = python.display();
    let done = Process::new(python)
        .args(["-c", include_str!("partial_ratio.py")])
        .arg(dir)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .map_err(|error| format!("{shown} cannot be run: {error}"))?;
    serde_json::from_slice(&done.stdout).map_err(|_| {
        format!("{shown} has no rapidfuzz: `python3 -m venv v && v/bin/pip install rapidfuzz`, then --python v/bin/python")
    })
}

/// The figures for people.
pub(super) fn table(figures: &Value) -> String {
    let mut told = format!(
        "CPU ms to check a citation with a quote of {QUOTE} characters, median of {} quotes\n\n",
        figures["runs"]
    );
    let header = ["text", "quote", "Synod", "copying it", "rapidfuzz", "times", "with cut-off", "times"];
    let row = |cells: [String; 8]| {
        let mut line = format!("{:<18}{:<11}", cells[0], cells[1]);
        cells[2..].iter().for_each(|cell| line.push_str(&format!("{cell:>13}")));
        line + "\n"
    };
    told.push_str(&row(header.map(String::from)));
    for found in figures["rows"].as_array().into_iter().flatten() {
        let number = |key: &str| found[key].as_f64().map_or("-".to_string(), |number| number.to_string());
        told.push_str(&row([
            format!("{} {}", found["bytes"], found["script"].as_str().unwrap_or_default()),
            found["quote"].as_str().unwrap_or_default().into(),
            number("ms"),
            number("copying_ms"),
            number("rapidfuzz_ms"),
            number("times"),
            number("rapidfuzz_cutoff_ms"),
            number("times_cutoff"),
        ]));
    }
    match (figures["rapidfuzz"].as_str(), figures["no_rapidfuzz"].as_str()) {
        (Some(version), _) => {
            told.push_str(&format!(
                "\nrapidfuzz {version}: fuzz.partial_ratio, plain and with score_cutoff=80\n"
            ));
        }
        (None, Some(why)) => told.push_str(&format!("\nnot measured beside rapidfuzz: {why}\n")),
        (None, None) => (),
    }
    told
}
