//! Evidence: how references are written, what makes one true, and finding quotes that were copied with slips.

mod altered;
mod checking;
mod labelled;
mod paths;
mod search;
mod written;

use synod_core::evidence::{FileFinding, FileReference, LineRange, ReadFile, SearchDepth, check};
use synod_core::kernel::Digest;

/// A file with this text.
fn file(text: &str) -> ReadFile {
    ReadFile { changed: None, digest: Digest::of(text.as_bytes()), text: text.into() }
}

fn lines(start: i64, end: impl Into<Option<i64>>) -> Option<LineRange> {
    Some(LineRange { end: end.into(), start })
}

fn cite(lines: Option<LineRange>, quote: Option<&str>) -> FileReference {
    FileReference { lines, path: "notes/a.txt".into(), quote: quote.map(str::to_string) }
}

/// Checks a citation of a file with this text, and that both depths come to the same verdict.
fn found(text: &str, lines: Option<LineRange>, quote: Option<&str>) -> FileFinding {
    let reference = cite(lines, quote);
    let verdict = check(&reference, Ok(&file(text)), SearchDepth::Verdict);
    let nearest = check(&reference, Ok(&file(text)), SearchDepth::Nearest);
    assert_eq!(verdict.grade(), nearest.grade(), "{reference}");
    assert_eq!(verdict.problem, nearest.problem, "{reference}");
    assert_eq!(verdict.is_borne_out(&reference), verdict.grade().is_verified(), "{reference}");
    verdict
}
