//! The transcript that the Archon 72 program writes: Markdown with one entry per speech, in the order of speaking.
//!
//! Who was ordered to speak is not said beside the speech: an alert names how many of the next speakers take which side, and a
//! line opens the red team. Digests state their own counts, which are compared with what was read.

use super::{
    ForcedBy, RecordedSession, RecordedSpeech, RecordedVote, SESSIONS_MOST, SPEECHES_MOST, SideCount,
    SideSource, SpokenOrder, SpokenSide, StatedResult, kept,
};
use crate::import::ImportFlaw;

/// Who speaks for the chair and writes the digests.
const CHAIR: &str = "[PROCEDURAL]";
const SECRETARY: &str = "Secretary";
/// What begins entries under a name that are not speeches.
const NOTICES: [&str; 3] = ["VIOLATION:", "UNEXPLAINED stance/vote divergence", "Acknowledged stance change"];

/// The most notes of a session.
const NOTES_MOST: usize = 50;

/// Whether a text looks like such a transcript.
pub fn is_transcript(text: &str) -> bool {
    text.lines().any(|line| heading(line).is_some())
}

/// An entry: where it stands, whose it is, what it holds.
struct TranscriptEntry<'a> {
    line: usize,
    name: &'a str,
    body: String,
}

/// The name in a line such as `**[21:55:14] Asmoday:**`.
fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_end().strip_prefix("**[")?.strip_suffix(":**")?;
    let (time, name) = rest.split_once("] ")?;
    let digits = time.len() == 8
        && time.bytes().enumerate().all(|(at, byte)| match at {
            2 | 5 => byte == b':',
            _ => byte.is_ascii_digit(),
        });
    (digits && !name.trim().is_empty()).then(|| name.trim())
}

fn entries(text: &str) -> Vec<TranscriptEntry<'_>> {
    let mut entries: Vec<TranscriptEntry<'_>> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(name) = heading(line) {
            entries.push(TranscriptEntry { line: at + 1, name, body: String::new() });
        } else if let Some(last) = entries.last_mut() {
            last.body.push_str(line);
            last.body.push('\n');
        }
    }
    entries
}

/// What is being read.
#[derive(Default)]
struct TranscriptReading {
    sessions: Vec<RecordedSession>,
    name: String,
    flaws: Vec<ImportFlaw>,
    /// Orders that the next speeches stand under, and how many.
    ordered: Option<(SpokenOrder, u32)>,
    /// Whether the red team speaks, and for which side.
    red_team: Option<SpokenSide>,
    round: u32,
    spoke: Vec<String>,
    voting: bool,
    digests_compared: u32,
    /// Entries before the first motion, and whether the last motion was read to its end.
    before: u32,
    finished: bool,
}

/// Reads a transcript: one session for each motion that was introduced. Every flaw is listed with its line.
pub fn from_transcript(text: &str) -> Result<Vec<RecordedSession>, Vec<ImportFlaw>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reading = TranscriptReading::default();
    let named = text.lines().find_map(|line| line.trim().strip_prefix("**Session:**"));
    reading.name = named.map(str::trim).unwrap_or("session").to_string();
    for entry in entries(text) {
        reading.take(&entry);
    }
    reading.finish_motion();
    if reading.sessions.is_empty() && reading.flaws.is_empty() {
        let wrong = "there is no motion here: an entry `Motion introduced: …` begins one".into();
        reading.flaws.push(ImportFlaw { line: 1, wrong });
    }
    if reading.flaws.is_empty() { Ok(reading.sessions) } else { Err(reading.flaws) }
}

impl TranscriptReading {
    /// Something that a reader should know, and that does not keep the rest from being read.
    fn note(&mut self, line: usize, what: &str) {
        match self.sessions.last_mut() {
            Some(session) if session.notes.len() < NOTES_MOST => {
                session.notes.push(format!("line {line}: {what}"))
            }
            Some(_) => (),
            None => self.before += 1,
        }
    }

    fn flaw(&mut self, line: usize, wrong: impl Into<String>) {
        self.flaws.push(ImportFlaw { line, wrong: wrong.into() });
    }

    fn take(&mut self, entry: &TranscriptEntry<'_>) {
        let body = entry.body.trim();
        let first = body.lines().next().unwrap_or_default().trim();
        if let Some(title) = first.strip_prefix("Motion introduced:") {
            return self.begin_motion(entry, title.trim());
        }
        match entry.name {
            CHAIR => self.chair(entry.line, body),
            SECRETARY => self.digest(entry.line, body),
            name => {
                if first.strip_prefix("Motion seconded by").is_some() {
                    if let Some(session) = self.sessions.last_mut() {
                        session.seconder = Some(name.into());
                    }
                } else if NOTICES.iter().any(|notice| first.starts_with(notice)) {
                    // What the program notes beside a name is nothing that was said.
                } else if let Some(vote) = first.strip_prefix("Vote:").filter(|_| self.voting) {
                    self.vote(entry.line, name, vote);
                } else {
                    self.speech(entry.line, name, body);
                }
            }
        }
    }

    fn begin_motion(&mut self, entry: &TranscriptEntry<'_>, title: &str) {
        self.finish_motion();
        if self.sessions.len() >= SESSIONS_MOST {
            return self.flaw(entry.line, format!("more than {SESSIONS_MOST} motions in one file"));
        }
        let nth = self.sessions.len() + 1;
        let name = if nth == 1 { self.name.clone() } else { format!("{}-{nth}", self.name) };
        let proposer = Some(entry.name.to_string()).filter(|name| name != CHAIR);
        self.sessions.push(RecordedSession {
            origin: "transcript".into(),
            name,
            motion: title.into(),
            proposer,
            ..RecordedSession::default()
        });
        (self.ordered, self.red_team, self.round) = (None, None, 1);
        (self.voting, self.digests_compared, self.finished) = (false, 0, false);
        self.spoke.clear();
    }

    fn finish_motion(&mut self) {
        let compared = self.digests_compared;
        let Some(session) = self.sessions.last_mut() else { return };
        if std::mem::replace(&mut self.finished, true) {
            return;
        }
        if std::mem::take(&mut self.before) > 0 {
            session.notes.push("what was said before the first motion is left out".into());
        }
        session.deduce_ranks();
        let ranks = session.speakers.iter().filter_map(|speaker| speaker.rank).max().unwrap_or(0);
        session.notes.push(format!(
            "ranks are not in the transcript; {ranks} were worked out from the order of the first round"
        ));
        if compared > 0 {
            session
                .notes
                .push(format!("counts stated in digests: {compared}; they agree with what was read"));
        }
        let unknown = session.spoken(u32::MAX, false).unknown;
        if unknown > 0 {
            session.notes.push(format!(
                "speeches without a readable side: {unknown}; the program counted them as neutral"
            ));
        }
    }

    /// What the chair says: orders, the red team, the vote.
    fn chair(&mut self, line: usize, body: &str) {
        if body.starts_with("CONSENSUS ALERT") {
            let (many, side) = (number_before(body, " speakers to"), side_of(body));
            match (many, side) {
                (Some(many), Some(side)) => {
                    self.ordered = Some((SpokenOrder { why: ForcedBy::ConsensusBreak, side }, many));
                }
                _ => self.flaw(line, "this alert does not say how many speakers take which side (`directs the next 3 speakers to steelman the FOR position`)"),
            }
        } else if body.starts_with("RED TEAM ROUND") {
            self.red_team = side_of(body);
            self.ordered = None;
            if self.red_team.is_none() {
                self.flaw(
                    line,
                    "this red team does not say which side it takes (`steelman the FOR position`)",
                );
            }
        } else if body.contains("question has been called") {
            self.voting = true;
        } else if let Some(tally) = body.strip_prefix("Vote tally:") {
            self.tally(line, tally);
        }
    }

    fn tally(&mut self, line: usize, tally: &str) {
        let count = |word: &str| number_before(tally, &format!(" {word}"));
        let (Some(yes), Some(no), Some(neutral)) = (count("AYE"), count("NAY"), count("ABSTAIN")) else {
            return self.note(line, "this tally cannot be read (`Vote tally: 11 AYE, 61 NAY, 0 ABSTAIN.`)");
        };
        let passed = match (tally.contains("PASSED"), tally.contains("FAILED")) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        let Some(session) = self.sessions.last_mut() else {
            return self.note(line, "there is a tally before any motion");
        };
        session.stated = Some(StatedResult { count: SideCount { yes, no, neutral, unknown: 0 }, passed });
        let read = session.voted();
        if (read.yes, read.no, read.neutral + read.unknown) != (yes, no, neutral) {
            let wrong =
                format!("the tally says {yes}/{no}/{neutral}, the votes above come to {}", read.words());
            self.note(line, &wrong);
        }
    }

    /// A digest states how many spoke and for what; that is compared.
    fn digest(&mut self, line: usize, body: &str) {
        let Some(entry) = body.lines().find_map(|line| number_in(line, "Debate Digest (Entry ")) else {
            return;
        };
        let Some(session) = self.sessions.last_mut() else {
            return self.note(line, "there is a digest before any motion");
        };
        session.digests.push(entry);
        let spoken = session.speeches.len() as u32;
        if spoken != entry {
            return self.note(
                line,
                &format!("this digest follows entry {entry}, but {spoken} speeches were read before it"),
            );
        }
        let Some(summary) = body.lines().find(|line| line.contains("Position Summary")) else { return };
        let count = |word: &str| number_before(summary, &format!(" {word}"));
        if let (Some(yes), Some(no), Some(neutral)) = (count("FOR"), count("AGAINST"), count("NEUTRAL")) {
            let read = session.spoken(u32::MAX, false);
            if (read.yes, read.no, read.neutral + read.unknown) == (yes, no, neutral) {
                self.digests_compared += 1;
            } else {
                let wrong = format!(
                    "this digest counts {yes} for, {no} against, {neutral} neutral; the speeches before it come to {}",
                    read.words()
                );
                self.note(line, &wrong);
            }
        }
    }

    fn speech(&mut self, line: usize, name: &str, body: &str) {
        let forced = match (self.red_team, &mut self.ordered) {
            (Some(side), _) => Some(SpokenOrder { why: ForcedBy::RedTeam, side }),
            (None, Some((order, left))) if *left > 0 => {
                *left -= 1;
                Some(*order)
            }
            (None, _) => None,
        };
        if self.red_team.is_none() && self.spoke.iter().any(|spoke| spoke == name) {
            self.round += 1;
            self.spoke.clear();
        }
        self.spoke.push(name.into());
        let round = self.round + u32::from(self.red_team.is_some());
        let voting = self.voting;
        let Some(session) = self.sessions.last_mut() else {
            return self.note(line, "");
        };
        if voting {
            return self.note(line, &format!("what `{name}` says after the question was called is left out; a vote is written `Vote: AYE`"));
        }
        if session.speeches.len() >= SPEECHES_MOST {
            return self.flaw(line, format!("more than {SPEECHES_MOST} speeches"));
        }
        let side = declared(body);
        session.notes_speaker(name);
        session.speeches.push(RecordedSpeech {
            order: session.speeches.len() as u32 + 1,
            round,
            speaker: name.into(),
            forced,
            side,
            source: if side.is_some() { SideSource::Token } else { SideSource::None },
            text: kept(body),
        });
    }

    fn vote(&mut self, line: usize, name: &str, written: &str) {
        let bare = written.trim_start_matches(|c: char| !c.is_alphabetic());
        let end = bare.find(|c: char| !c.is_alphabetic()).unwrap_or(bare.len());
        let side = SpokenSide::parse(&bare[..end]);
        let Some(session) = self.sessions.last_mut() else {
            return self.note(line, "");
        };
        if session.votes.iter().any(|vote| vote.speaker == name) {
            return self.flaw(line, format!("`{name}` votes twice"));
        }
        session.notes_speaker(name);
        session.votes.push(RecordedVote { speaker: name.into(), side });
    }
}

/// The side that a line of its own declares: `STANCE: FOR`, however it is set in type.
fn declared(body: &str) -> Option<SpokenSide> {
    body.lines().find_map(|line| {
        let bare: String = line.chars().filter(|c| !matches!(c, '*' | '`' | '#' | '_' | '>')).collect();
        let bare = bare.trim();
        let rest = bare
            .get(..6)
            .filter(|word| word.eq_ignore_ascii_case("stance"))
            .map(|_| bare[6..].trim_start())?;
        let rest = rest.strip_prefix(':').or_else(|| rest.strip_prefix('-')).map(str::trim)?;
        let end = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        SpokenSide::parse(&rest[..end])
    })
}

/// The side in `… the FOR position`.
fn side_of(text: &str) -> Option<SpokenSide> {
    let before = text.split(" position").next()?;
    SpokenSide::parse(before.rsplit(' ').next()?)
}

/// The number that stands right before some words.
fn number_before(text: &str, words: &str) -> Option<u32> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find(words) {
        let before = &text[..from + at];
        let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            return before[before.len() - digits..].parse().ok();
        }
        from += at + words.len();
    }
    None
}

/// The number that stands right behind some words.
fn number_in(text: &str, words: &str) -> Option<u32> {
    let rest = text.split_once(words)?.1;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}
