//! `synod lab import`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use synod_journal::Receipt;
use synod_lab::import::ImportFlaw;
use synod_lab::report::LabReport;
use synod_lab::session::{
    RecordedSession, SESSION_FORM, SESSIONS_MOST, SessionBook, from_book, from_lines, from_receipt,
    from_transcript, is_transcript, summary,
};

use super::{FLAWS_SHOWN, LabForm, ReportOutput};
use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{read_text, read_up_to};
use crate::out;

/// The largest file of speeches that is read.
const SESSION_MOST: u64 = 1 << 28;

/// Read recorded sessions into one form: who spoke, freely or by order, on which side, and how everybody voted.
///
/// Takes a transcript of the Archon 72 program, JSON lines of speeches and votes (several files are read as one), files that this
/// command wrote, and folders of receipts. Speeches under an order are marked, with the reason and the side. What could not be read is unknown.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod lab import transcript.md --out sessions.json\n  \
              synod lab import speeches.jsonl votes.jsonl --out sessions.json\n  \
              synod lab import .synod/receipts --format csv\n\n\
              A speech:  {\"speaker\":\"ann\",\"stance\":\"FOR\",\"round\":1}\n\
              A forced one:  {\"speaker\":\"bob\",\"stance\":\"FOR\",\"forced\":true,\"forced_target\":\"FOR\"}\n\
              A vote:  {\"speaker\":\"ann\",\"vote\":\"AYE\"}")]
pub(super) struct LabImportArgs {
    /// Files, or folders of receipts.
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,
    /// Write the sessions to this file, for `synod lab replay` and `synod lab fit`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The form in which they are summed up.
    #[arg(long, value_enum, default_value_t = LabForm::Table)]
    format: LabForm,
}

fn flawed(what: &str, flaws: &[ImportFlaw]) -> Fail {
    let shown: Vec<String> = flaws.iter().take(FLAWS_SHOWN).map(ToString::to_string).collect();
    let more = flaws.len().saturating_sub(FLAWS_SHOWN);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    let message = format!("{what} cannot be read as recorded sessions:\n{}{more}", shown.join("\n"));
    Fail::new(code::DATA, "lab/flawed", message)
}

/// The files of a folder that end in `.json`, in the order of their names.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let unread = |error: std::io::Error| {
        Fail::new(code::IO, "file/unreadable", format!("{} cannot be read: {error}", folder.display()))
    };
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|ending| ending == "json") {
            paths.push(path);
        }
        if paths.len() > SESSIONS_MOST {
            let message =
                format!("{} holds more than {SESSIONS_MOST} receipts; move some away", folder.display());
            return Err(Fail::new(code::DATA, "lab/too-many", message));
        }
    }
    paths.sort();
    Ok(paths)
}

/// The receipts of a folder, oldest name first.
fn receipts(folder: &Path) -> Result<Vec<RecordedSession>> {
    let mut sessions = Vec::new();
    for path in &json_files(folder)? {
        let wrong = |why: String| {
            Fail::new(
                code::DATA,
                "lab/flawed",
                format!("{} cannot be read as a receipt: {why}", path.display()),
            )
        };
        let receipt = Receipt::parse(read_text(path, "receipt")?.as_bytes())
            .map_err(|error| wrong(error.to_string()))?;
        receipt.check().map_err(|error| wrong(error.to_string()))?;
        match from_receipt(&receipt.body) {
            Ok(session) => sessions.push(session),
            Err(why) => out::error(&format!("synod: {} is left out: {why}", path.display())),
        }
    }
    if sessions.is_empty() {
        let message =
            format!("{} has no receipt of a yes-or-no matter (files that end in .json)", folder.display());
        return Err(Fail::new(code::DATA, "lab/no-session", message));
    }
    Ok(sessions)
}

/// Reads sessions from files and folders. JSON lines of several files are read as one.
pub(super) fn sessions(paths: &[PathBuf]) -> Result<Vec<RecordedSession>> {
    let mut sessions: Vec<RecordedSession> = Vec::new();
    let mut lines: Vec<(&Path, String)> = Vec::new();
    for path in paths {
        if path.is_dir() {
            sessions.extend(receipts(path)?);
            continue;
        }
        let text = read_up_to(SESSION_MOST, path, "recorded session")?;
        let name = path.display().to_string();
        if is_transcript(&text) {
            sessions.extend(from_transcript(&text).map_err(|flaws| flawed(&name, &flaws))?);
        } else if is_book(&text) {
            sessions.extend(from_book(&text).map_err(|flaw| flawed(&name, &[flaw]))?.sessions);
        } else {
            lines.push((path.as_path(), text));
        }
    }
    if let Some((first, _)) = lines.first() {
        let counts: Vec<usize> = lines.iter().map(|(_, text)| text.lines().count()).collect();
        let name = first.display().to_string();
        let joined: Vec<&str> = lines.iter().map(|(_, text)| text.trim_end_matches('\n')).collect();
        let read = from_lines(&joined.join("\n")).map_err(|mut flaws| {
            // Flaws are told by the file and the line in it.
            let mut from = 0;
            for ((path, _), count) in lines.iter().zip(&counts) {
                for flaw in flaws.iter_mut().filter(|flaw| flaw.line > from && flaw.line <= from + count) {
                    flaw.wrong = format!("({}, line {}) {}", path.display(), flaw.line - from, flaw.wrong);
                }
                from += count;
            }
            flawed(&name, &flaws)
        })?;
        sessions.extend(read);
    }
    Ok(sessions)
}

/// Whether a file is one that this command wrote.
fn is_book(text: &str) -> bool {
    text.chars().take(200).collect::<String>().contains(SESSION_FORM)
}

impl LabImportArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let sessions = sessions(&self.paths)?;
        let report: LabReport = summary(&sessions);
        let book = SessionBook { format: SESSION_FORM.into(), sessions };
        if let Some(path) = &self.out {
            super::write_json(path, &book)?;
        }
        let output = ReportOutput { format: self.format, out: None };
        output.show(context, &report, &book)?;
        Ok(ExitCode::SUCCESS)
    }
}
