//! What to check before acting on a result. Each hint is taken from the record and names where it is from; none is a
//! judgement of Synod's own.

use serde::Serialize;

use super::{Report, SourceRow};
use crate::kernel::{Citation, Permille, Who};
use crate::watch::ConflictSubject;

/// A vote below this confidence, in thousandths, is worth a question to its seat.
const UNSURE: u16 = 600;

/// Something to check.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "check", rename_all = "snake_case")]
pub enum Check<'a> {
    /// A condition of the winning side: does it hold?
    Condition {
        /// The condition, verbatim.
        text: &'a str,
        /// Whose it is.
        who: Vec<&'a Who>,
    },
    /// What would change the vote of somebody the result went against: is it so?
    WouldChange {
        /// Verbatim.
        text: &'a str,
        /// Whose vote.
        who: &'a Who,
    },
    /// Seats stood on opposite sides about this in the last round.
    Disputed {
        /// Those on the one side.
        one: &'a [Who],
        /// Those on the other.
        other: &'a [Who],
    },
    /// A seat on the winning side was not sure.
    Unsure {
        /// How sure.
        confidence: Permille,
        /// Who.
        who: &'a Who,
    },
    /// A source was named and nobody opened it.
    Source {
        /// The source.
        source: &'a Citation,
        /// Who named it.
        who: &'a [Who],
    },
    /// A file was read only in part.
    CutFile {
        /// The lines that were read.
        file: &'a SourceRow,
        /// Who asked for it.
        who: &'a Who,
    },
    /// Something was asked of the operator and got no answer.
    Unanswered {
        /// What was asked.
        text: &'a str,
        /// Who asked.
        who: &'a Who,
    },
}

impl Report {
    /// What to check before acting on the result, the weightiest first.
    pub fn checks(&self) -> Vec<Check<'_>> {
        if self.redacted {
            return Vec::new();
        }
        let mut found: Vec<Check<'_>> = Vec::new();
        let conditions = self.conditions().into_iter();
        found.extend(conditions.map(|row| Check::Condition { text: row.text, who: row.who }));
        let change = self.dissent.iter().filter_map(|row| Some((&row.who, row.change_if.as_deref()?)));
        found.extend(change.map(|(who, text)| Check::WouldChange { text, who }));
        let conflicts = self.rounds.last().and_then(|round| round.analysis.as_ref());
        let conflicts = conflicts.map_or(&[][..], |found| &found.conflicts).iter();
        found.extend(
            conflicts
                .filter(|row| row.about == ConflictSubject::Side)
                .map(|row| Check::Disputed { one: &row.one.who, other: &row.other.who }),
        );
        let sure = self.why().into_iter().filter_map(|row| Some((row.who, row.confidence?)));
        let unsure = sure.filter(|(_, sure)| sure.get() < UNSURE);
        found.extend(unsure.map(|(who, confidence)| Check::Unsure { confidence, who }));
        let unchecked = self.citations.iter().filter(|row| !row.holds());
        found.extend(unchecked.map(|row| Check::Source { source: &row.citation, who: &row.who }));
        for row in &self.requests {
            match &row.source {
                Some(file) if file.cut => found.push(Check::CutFile { file, who: &row.who }),
                Some(_) => (),
                None if row.answer.is_none() => {
                    found.push(Check::Unanswered { text: &row.request.query, who: &row.who });
                }
                None => (),
            }
        }
        found
    }
}
