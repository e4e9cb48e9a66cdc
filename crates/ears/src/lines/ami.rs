//! The table in which the AMI corpus is kept for the lab: one utterance a line, columns named in the first.

use crate::lines::FoundInLine;
use crate::lines::rttm::others;
use crate::note::EarNoteKind;
use crate::raw::{RawItem, RawSegment};
use crate::when::{RawTime, TimeUnit, written};

/// One line, with the labels that the lab compares with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AmiRow {
    /// The recording.
    pub meeting: String,
    /// Which utterance of it.
    pub index: String,
    /// From when, in milliseconds.
    pub start: i64,
    /// Until when.
    pub end: i64,
    /// Who, by letter.
    pub speaker: String,
    /// The part they play.
    pub role: String,
    /// The act, by the corpus's own short name.
    pub act: String,
    /// Whom it is said to, by letters.
    pub addressees: String,
    /// The topic it belongs to, by number.
    pub topic: String,
    /// What, with marks of sounds such as `<v>`.
    pub text: String,
}

impl AmiRow {
    /// What is said, without the marks of sounds.
    pub fn words(&self) -> String {
        let words =
            self.text.split_whitespace().filter(|word| !(word.starts_with('<') && word.ends_with('>')));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Reads the table line by line.
#[derive(Debug, Default)]
pub(crate) struct AmiReader {
    only: Option<String>,
    others: u64,
    columns: Vec<String>,
}

impl AmiReader {
    pub(super) fn of(only: Option<String>) -> Self {
        Self { only, ..Self::default() }
    }

    pub(super) fn line(&mut self, line: &str, found: &mut FoundInLine) {
        if line.trim().is_empty() {
            return;
        }
        if self.columns.is_empty() {
            let line = line.trim_start_matches('\u{feff}');
            self.columns = line.split('\t').map(|name| name.trim().to_string()).collect();
            let wanted = ["meeting", "start", "end", "speaker", "text"];
            let missing: Vec<&str> =
                wanted.into_iter().filter(|name| !self.columns.iter().any(|c| c == name)).collect();
            if !missing.is_empty() {
                let detail =
                    format!("the first line should name the columns; missing: {}", missing.join(", "));
                found.flaw(EarNoteKind::Unreadable, detail);
            }
            return;
        }
        match row(&self.columns, line) {
            Ok(row) => self.row(&row, found),
            Err(why) => found.flaw(EarNoteKind::Unreadable, why),
        }
    }

    fn row(&mut self, row: &AmiRow, found: &mut FoundInLine) {
        if self.only.get_or_insert_with(|| row.meeting.clone()) != &row.meeting {
            self.others += 1;
            return;
        }
        let text = row.words();
        // A sound without words is nobody's turn.
        if text.is_empty() {
            return;
        }
        found.items.push(RawItem::Segment(RawSegment {
            id: (!row.index.is_empty()).then(|| format!("{}-{}", row.meeting, row.index)),
            speaker: Some(row.speaker.clone()),
            start: Some(RawTime::Room(row.start)),
            end: Some(RawTime::Room(row.end)),
            text: Some(text),
            ..RawSegment::default()
        }));
    }

    pub(super) fn end(&mut self, found: &mut FoundInLine) {
        others(self.others, self.only.as_deref(), found);
        self.others = 0;
    }
}

/// A line of the table under its columns.
fn row(columns: &[String], line: &str) -> Result<AmiRow, String> {
    let values: Vec<&str> = line.split('\t').collect();
    let get = |name: &str| {
        let at = columns.iter().position(|column| column == name)?;
        values.get(at).map(|value| value.trim())
    };
    let time = |name: &str| match get(name).map(|value| written(value, TimeUnit::Seconds)) {
        Some(Ok(RawTime::Room(time))) => Ok(time),
        Some(Ok(RawTime::Epoch(_)) | Err(_)) | None => {
            Err(format!("the line has no time in its column `{name}`; passed over"))
        }
    };
    let text = |name: &str| get(name).unwrap_or("").to_string();
    Ok(AmiRow {
        meeting: text("meeting"),
        index: text("idx"),
        start: time("start")?,
        end: time("end")?,
        speaker: text("speaker"),
        role: text("role"),
        act: text("act"),
        addressees: text("addressees"),
        topic: text("topic"),
        text: text("text"),
    })
}

impl AmiRow {
    /// All rows of a table, or the first line that is none.
    pub fn table(text: &str) -> Result<Vec<Self>, String> {
        let mut lines = text.lines();
        let first = lines.next().unwrap_or("");
        let columns: Vec<String> = first.split('\t').map(str::to_string).collect();
        let rows = lines.zip(2..).filter(|(line, _)| !line.trim().is_empty());
        rows.map(|(line, number)| row(&columns, line).map_err(|why| format!("line {number}: {why}")))
            .collect()
    }
}
