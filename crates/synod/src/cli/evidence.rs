//! `synod evidence`

mod recheck;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand};
use serde::Serialize;
use synod_core::evidence::{
    EvidenceGrade, FileFinding, FileReference, QuoteFinding, SearchDepth, Unverified, VERIFIED_ABOVE,
};
use synod_core::kernel::text::{counted, excerpt};
use synod_core::kernel::{Passage, Ratio};
use synod_engine::Root;

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::out;

/// Check citations of files: whether the lines exist and the quoted words stand there.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod evidence check src/main.rs:10-14 --quote \"fn main()\"")]
pub(crate) struct EvidenceArgs {
    #[command(subcommand)]
    command: EvidenceCommand,
}

#[derive(Debug, Subcommand)]
enum EvidenceCommand {
    Check(EvidenceCheckArgs),
    Recheck(recheck::EvidenceRecheckArgs),
}

/// Check one citation: a file, its lines and the words quoted from it. No house is needed.
///
/// White space may differ. A quote is verified if more than 80 % of it agrees with the text, and precise above 95 %: the distance is
/// the number of characters to insert, remove or replace. Files outside of --root, links and files that may hold secrets are not
/// read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod evidence check src/main.rs:10-14 --quote \"fn main()\"\n  \
              synod evidence check notes/plan.md --quote \"the reactor fails first\" --root ../book\n  \
              synod evidence check 'notes/plan.md:3 \"the reactor fails first\"' --json\n\n\
              Exit codes: 0 verified, 1 the lines or words are not there, 64 the path or the lines cannot be\n\
              read as such, 66 there is no such text file that may be cited, 74 reading failed.")]
pub(crate) struct EvidenceCheckArgs {
    /// The file below --root, with lines if you like: `plan.md`, `plan.md:10` or `plan.md:10-14`.
    #[arg(value_name = "FILE[:LINES]")]
    file: String,
    /// The words that are said to stand there.
    #[arg(long, value_name = "TEXT")]
    quote: Option<String>,
    /// The folder that paths are relative to; nothing outside of it is read.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

/// What is printed with --json.
#[derive(Debug, Serialize)]
struct CheckedCitation<'a> {
    /// What was checked.
    file: String,
    grade: EvidenceGrade,
    verified: bool,
    /// Whether such a citation can earn credit.
    earns: bool,
    /// How much of the quote agrees, as a fraction.
    #[serde(skip_serializing_if = "Option::is_none")]
    similarity: Option<String>,
    /// Why it is not verified, as a stable code.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    finding: &'a FileFinding,
}

impl EvidenceArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            EvidenceCommand::Check(args) => args.run(context),
            EvidenceCommand::Recheck(args) => args.run(context),
        }
    }
}

impl EvidenceCheckArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let mut cited = FileReference::parse(&self.file).map_err(|wrong| Fail::usage(wrong.to_string()))?;
        match (&cited.quote, self.quote) {
            (Some(_), Some(_)) => return Err(Fail::usage("the quote is given twice: leave one out")),
            (None, quote @ Some(_)) => cited.quote = quote,
            (_, None) => (),
        }
        let root = Root::open(&self.root, context.house.dir()).map_err(|error| {
            let message = format!("--root {} cannot be used: {error}", self.root.display());
            Fail::new(code::NO_INPUT, "evidence/root", message)
        })?;
        let finding = Arc::new(root).check_in_time(&cited, SearchDepth::Nearest);
        let why = finding.why();
        if context.json {
            out::json(&CheckedCitation {
                file: place(&cited),
                grade: finding.grade(),
                verified: finding.grade().is_verified(),
                earns: finding.grade().earns(),
                similarity: finding.quote.as_ref().map(|quote| quote.similarity().to_string()),
                code: finding.problem.map(Unverified::code),
                message: why,
                finding: &finding,
            });
        } else {
            out::text(&out::clean(&words(&cited, &finding)));
        }
        Ok(ExitCode::from(exit(finding.problem)))
    }
}

fn exit(problem: Option<Unverified>) -> u8 {
    match problem {
        None => code::PASSED,
        Some(Unverified::Lines | Unverified::QuoteNotFound) => code::FAILED,
        Some(Unverified::Path(_) | Unverified::EmptyQuote | Unverified::LongQuote) => code::USAGE,
        Some(Unverified::Changing | Unverified::TooSlow | Unverified::Fault) => code::IO,
        Some(
            Unverified::Unavailable
            | Unverified::NotAFile
            | Unverified::TooLarge { .. }
            | Unverified::NotText
            | Unverified::EmptyFile,
        ) => code::NO_INPUT,
    }
}

/// The file and lines as they are written.
fn place(cited: &FileReference) -> String {
    FileReference { quote: None, ..cited.clone() }.to_string()
}

/// The result for people.
fn words(cited: &FileReference, finding: &FileFinding) -> String {
    let mut told = format!("{}: {}", place(cited), verdict(finding));
    let path = cited.clean_path().unwrap_or_default();
    match (&finding.quote, finding.problem) {
        (Some(quote), None) => told.push_str(&format!(": {}", found(quote, &path))),
        (Some(quote), Some(_)) if finding.is_altered() => {
            told.push_str(&format!(
                "\nnearest: {}\n  {}",
                lines(quote, &path),
                excerpt(&quote.text, SHOWN_MOST)
            ));
        }
        (Some(quote), Some(_)) => {
            let most = quote.length - u32::min(least(quote.length), quote.length);
            told.push_str(&format!(
                "\nnearest: {}\n  {}\n{} in {}; at most {most} are allowed",
                lines(quote, &path),
                excerpt(&quote.text, SHOWN_MOST),
                counted(u64::from(quote.distance), "edit"),
                counted(u64::from(quote.length), "character"),
            ));
        }
        (None, Some(Unverified::QuoteNotFound)) => {
            let whole = cited.lines.is_none() && finding.elsewhere.is_none();
            let place = if whole { "the text" } else { "those lines" };
            told.push_str(&format!("\nnothing in {place} resembles the quote"));
        }
        (None, _) => (),
    }
    if let Some(elsewhere) = &finding.elsewhere {
        let nearly = if elsewhere.distance == 0 { "the words" } else { "nearly these words" };
        told.push_str(&format!("\n{nearly} stand in {}: cite those lines", lines(elsewhere, &path)));
    }
    if let Some(digest) = finding.digest {
        told.push_str(&format!("\nsha256 {digest}, {}", counted(u64::from(finding.line_count), "line")));
    }
    told.push('\n');
    told
}

/// Characters of a text that are shown.
const SHOWN_MOST: usize = 400;

fn verdict(finding: &FileFinding) -> String {
    match finding.why() {
        Some(why) => format!("not verified: {why}"),
        None => match finding.grade() {
            EvidenceGrade::Exists => {
                "the file exists (a citation without lines and words earns nothing)".into()
            }
            grade @ (EvidenceGrade::Unverified | EvidenceGrade::Verified | EvidenceGrade::Precise) => {
                grade.word().into()
            }
        },
    }
}

fn found(quote: &QuoteFinding, path: &str) -> String {
    match quote.distance {
        0 => format!("the words stand in {}", lines(quote, path)),
        edits => format!(
            "nearly these words stand in {}, with {} in {}\n  {}",
            lines(quote, path),
            counted(u64::from(edits), "edit"),
            counted(u64::from(quote.length), "character"),
            excerpt(&quote.text, SHOWN_MOST)
        ),
    }
}

/// A place as somebody would cite it.
fn lines(quote: &QuoteFinding, path: &str) -> String {
    Passage { lines: Some((quote.first_line, quote.last_line)), path: path.into() }.to_string()
}

/// The fewest characters of a quote that must agree.
fn least(length: u32) -> u32 {
    let threshold: Ratio = VERIFIED_ABOVE;
    let reached = threshold.ceiling_of(length);
    if threshold.is_exceeded_by(reached, length) { reached } else { reached + 1 }
}
