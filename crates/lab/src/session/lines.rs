//! Speeches and votes as JSON lines: one object per speech or vote, in the order of speaking.
//!
//! A speech has `speaker` and `stance`; a vote has `speaker` and `vote`. Several files are read as one, speeches first and
//! votes after them, or both in one file.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{
    ForcedBy, RecordedSession, RecordedSpeech, RecordedVote, SESSIONS_MOST, SPEECHES_MOST, SideSource,
    SpokenOrder, SpokenSide, kept,
};
use crate::import::ImportFlaw;

/// The keys that are read. Others are named in the notes of a session and change nothing.
const KEYS: [&str; 18] = [
    "session",
    "motion",
    "kind",
    "text",
    "truth",
    "speaker",
    "rank",
    "model",
    "round",
    "order",
    "stance",
    "source",
    "forced",
    "forced_kind",
    "forced_target",
    "speech",
    "vote",
    "digest",
];

/// A red team is written in the place of a round.
const RED_TEAM: &str = "red_team";

#[derive(Default)]
struct LineReading {
    sessions: Vec<RecordedSession>,
    place: BTreeMap<String, usize>,
    titles: BTreeMap<(usize, String), u32>,
    ignored: BTreeSet<String>,
    flaws: Vec<ImportFlaw>,
}

/// Reads lines. Every flaw is listed with its line.
pub fn from_lines(text: &str) -> Result<Vec<RecordedSession>, Vec<ImportFlaw>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reading = LineReading::default();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let taken = match serde_json::from_str::<Value>(line) {
            Ok(Value::Object(object)) => reading.take(&object),
            Ok(_) => Err("not a JSON object".into()),
            Err(error) => Err(format!("not JSON: {error}")),
        };
        if let Err(wrong) = taken {
            reading.flaws.push(ImportFlaw { line: at + 1, wrong });
        }
    }
    if reading.sessions.is_empty() && reading.flaws.is_empty() {
        let wrong =
            "there is no speech and no vote here; write {\"speaker\": \"ann\", \"stance\": \"FOR\"}".into();
        reading.flaws.push(ImportFlaw { line: 1, wrong });
    }
    if !reading.flaws.is_empty() {
        return Err(reading.flaws);
    }
    let ignored: Vec<String> = reading.ignored.into_iter().collect();
    for session in &mut reading.sessions {
        session.deduce_ranks();
        if session.speakers.iter().any(|speaker| speaker.rank_deduced) {
            session
                .notes
                .push("ranks are not given; they were worked out from the order of the first round".into());
        }
        if !ignored.is_empty() {
            session.notes.push(format!("not used: {}", ignored.join(", ")));
        }
    }
    Ok(reading.sessions)
}

fn text_of(object: &Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim().to_string())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(format!("`{key}` is not a text")),
    }
}

fn side_of(object: &Map<String, Value>, key: &str) -> Result<Option<SpokenSide>, String> {
    match text_of(object, key)?.filter(|word| !word.is_empty()) {
        None => Ok(None),
        Some(word) => SpokenSide::parse(&word).map(Some).ok_or_else(|| {
            format!("`{key}`: `{word}` is not a side; write FOR, AGAINST or NEUTRAL, or leave it empty")
        }),
    }
}

fn truth_of(object: &Map<String, Value>) -> Result<Option<bool>, String> {
    match object.get("truth") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Bool(truth)) => Ok(Some(*truth)),
        Some(Value::String(word)) if word.trim().is_empty() => Ok(None),
        Some(Value::String(word)) => match SpokenSide::parse(word) {
            Some(SpokenSide::For) => Ok(Some(true)),
            Some(SpokenSide::Against) => Ok(Some(false)),
            Some(SpokenSide::Neutral) | None => Err(format!("`truth`: `{word}` is neither FOR nor AGAINST")),
        },
        Some(_) => Err("`truth` is not true, false, FOR or AGAINST".into()),
    }
}

impl LineReading {
    fn take(&mut self, object: &Map<String, Value>) -> Result<(), String> {
        self.ignored.extend(object.keys().filter(|key| !KEYS.contains(&key.as_str())).cloned());
        let speaker = text_of(object, "speaker")?.filter(|name| !name.is_empty());
        let speaker = speaker.ok_or("`speaker` is missing")?;
        let at = self.session(object)?;
        if self.sessions[at].truth.is_none() {
            self.sessions[at].truth = truth_of(object)?;
        }
        self.speaker(at, &speaker, object)?;
        match (object.contains_key("stance"), object.contains_key("vote")) {
            (true, false) => self.speech(at, speaker, object),
            (false, true) => self.vote(at, speaker, object),
            (true, true) => {
                Err("both `stance` and `vote`; write the speech and the vote as two lines".into())
            }
            (false, false) => {
                Err("neither `stance` nor `vote`; a speech whose side is unknown has \"stance\": \"\"".into())
            }
        }
    }

    /// The session of a line. A vote that names none belongs to the only one, or to the last.
    fn session(&mut self, object: &Map<String, Value>) -> Result<usize, String> {
        let named = text_of(object, "session")?.or(text_of(object, "motion")?);
        let vote = object.contains_key("vote");
        let key = match named {
            Some(named) => named,
            None if vote && !self.sessions.is_empty() => return Ok(self.sessions.len() - 1),
            None => "session".into(),
        };
        if let Some(at) = self.place.get(&key) {
            return Ok(*at);
        }
        // Votes in a file of their own may name no motion at all while speeches do.
        if self.sessions.len() >= SESSIONS_MOST {
            return Err(format!("more than {SESSIONS_MOST} sessions"));
        }
        self.place.insert(key.clone(), self.sessions.len());
        self.sessions.push(RecordedSession {
            origin: "lines".into(),
            motion: text_of(object, "motion")?.unwrap_or_else(|| key.clone()),
            kind: text_of(object, "kind")?,
            text: text_of(object, "text")?.unwrap_or_default(),
            name: key,
            ..RecordedSession::default()
        });
        Ok(self.sessions.len() - 1)
    }

    /// Notes the speaker's rank and model, which must not change within a session.
    fn speaker(&mut self, at: usize, name: &str, object: &Map<String, Value>) -> Result<(), String> {
        let (rank, title) = match object.get("rank") {
            None | Some(Value::Null) => (None, None),
            Some(Value::Number(number)) => {
                let rank = number.as_u64().and_then(|rank| u32::try_from(rank).ok()).filter(|rank| *rank > 0);
                (Some(rank.ok_or("`rank` is not a whole number from 1")?), None)
            }
            // A title ranks as early as its first speaker speaks.
            Some(Value::String(title)) if !title.trim().is_empty() => {
                let next = self.titles.keys().filter(|(of, _)| *of == at).count() as u32 + 1;
                let rank = *self.titles.entry((at, title.clone())).or_insert(next);
                (Some(rank), Some(title.clone()))
            }
            Some(Value::String(_)) => (None, None),
            Some(_) => return Err("`rank` is neither a number nor a title".into()),
        };
        let model = text_of(object, "model")?;
        let session = &mut self.sessions[at];
        session.notes_speaker(name);
        let Some(known) = session.speakers.iter_mut().find(|known| known.name == name) else { return Ok(()) };
        if known.rank.is_some() && rank.is_some() && known.rank != rank {
            return Err(format!("`{name}` has another rank here than before"));
        }
        known.rank = known.rank.or(rank);
        known.title = known.title.take().or(title);
        known.model = known.model.take().or(model);
        Ok(())
    }

    fn speech(&mut self, at: usize, speaker: String, object: &Map<String, Value>) -> Result<(), String> {
        let (side, forced) = (side_of(object, "stance")?, forced(object)?);
        let session = &mut self.sessions[at];
        if session.speeches.len() >= SPEECHES_MOST {
            return Err(format!("more than {SPEECHES_MOST} speeches"));
        }
        let order = session.speeches.len() as u32 + 1;
        if let Some(written) = object.get("order").filter(|order| !order.is_null())
            && written.as_u64() != Some(u64::from(order))
        {
            return Err(format!(
                "`order` is {written}, but this is speech {order}; write speeches in the order of speaking"
            ));
        }
        let last = session.speeches.last().map_or(1, |said| said.round);
        let round = match object.get("round") {
            None | Some(Value::Null) => {
                let spoke = session.speeches.iter().any(|said| said.round == last && said.speaker == speaker);
                last + u32::from(spoke)
            }
            Some(Value::String(word)) if word == RED_TEAM => match session.speeches.last() {
                Some(said) if said.forced.is_some_and(|it| it.why == ForcedBy::RedTeam) => last,
                _ => last + 1,
            },
            Some(written) => {
                let round =
                    written.as_u64().and_then(|round| u32::try_from(round).ok()).filter(|round| *round > 0);
                round
                    .ok_or_else(|| format!("`round`: {written} is not a round from 1, nor \"{RED_TEAM}\""))?
            }
        };
        if round < last {
            return Err(format!(
                "round {round} comes after round {last}; write speeches in the order of speaking"
            ));
        }
        let source = match text_of(object, "source")?.as_deref() {
            Some("token") => SideSource::Token,
            Some("inferred") => SideSource::Inferred,
            Some("none") => SideSource::None,
            Some("given") | None => {
                if side.is_some() {
                    SideSource::Given
                } else {
                    SideSource::None
                }
            }
            Some(other) => return Err(format!("`source`: `{other}` is not token, inferred, given or none")),
        };
        if object.get("digest").and_then(Value::as_bool) == Some(true) {
            session.digests.push(order);
        }
        let text = text_of(object, "speech")?.map(|text| kept(&text)).unwrap_or_default();
        session.speeches.push(RecordedSpeech { order, round, speaker, forced, side, source, text });
        Ok(())
    }

    fn vote(&mut self, at: usize, speaker: String, object: &Map<String, Value>) -> Result<(), String> {
        let side = side_of(object, "vote")?;
        let session = &mut self.sessions[at];
        if session.votes.iter().any(|vote| vote.speaker == speaker) {
            return Err(format!("`{speaker}` votes twice on `{}`", session.motion));
        }
        session.votes.push(RecordedVote { speaker, side });
        Ok(())
    }
}

/// The order a speech was given under.
fn forced(object: &Map<String, Value>) -> Result<Option<SpokenOrder>, String> {
    let target = side_of(object, "forced_target")?;
    let is_forced = match object.get("forced") {
        None | Some(Value::Null) => target.is_some(),
        Some(Value::Bool(forced)) => *forced,
        Some(_) => return Err("`forced` is neither true nor false".into()),
    };
    if !is_forced {
        return match target {
            Some(_) => Err("`forced_target` is given, but `forced` is false".into()),
            None => Ok(None),
        };
    }
    let why = match text_of(object, "forced_kind")?.as_deref() {
        Some("consensus_break") => ForcedBy::ConsensusBreak,
        Some("red_team") => ForcedBy::RedTeam,
        Some("role") => ForcedBy::Role,
        Some(_) | None => ForcedBy::Other,
    };
    let side = target.ok_or("a forced speech needs `forced_target`: FOR or AGAINST")?;
    Ok(Some(SpokenOrder { why, side }))
}
