//! Puts straight what readers find: times from the start of the room, shares in permille, texts of a bearable length. What cannot be
//! is refused, what can be mended is mended, and a note says which. Memory does not grow with the length of a meeting.

use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::heard::{EarItem, EarSegment, EarSource, EarStress, EarWord, Millis};
use crate::note::{EarNoteKind, EarOutput, Teller, steers};
use crate::raw::{RawItem, RawSegment, RawWord};
use crate::repeat::Repetitions;
use crate::turns::EarTurns;
use crate::when::RawTime;

/// The longest text of one segment, in bytes.
pub const TEXT_MOST: usize = 8000;
/// The longest name, id or language.
const NAME_MOST: usize = 128;
/// The most words of one segment that keep their times.
const WORDS_MOST: usize = 2000;
/// What a source writes beside our fields is kept up to so many bytes.
const EXTRA_MOST: usize = 4000;
/// Ten days: nothing in a room is later.
const TIME_MOST: Millis = 864_000_000;
/// Nobody speaks for an hour without a pause.
const SPEECH_MOST: Millis = 3_600_000;
/// A leap ahead of what was heard last that is not believed at once.
const LEAP: Millis = 6 * 3_600_000;
/// Two leaps that land so near each other are a pause.
const NEAR: Millis = 600_000;
/// Segments of several speakers come in any order within so much; later than that is told.
const ORDER: Millis = 60_000;
/// So many segments are known by their id, to tell a repetition from news.
const KNOWN_MOST: usize = 1024;
/// Words in a thousand seconds, where only their number tells how long they took.
const PACE: i64 = 2800;

/// What is known of a segment that was heard.
#[derive(Debug)]
struct KnownSegment {
    is_final: bool,
    content: u64,
}

/// Puts items straight, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Straightener {
    /// When the room started, since 1970.
    t0: Option<i64>,
    /// The latest end of what was final.
    latest: Millis,
    /// The time in the room, if somebody tells it.
    pub(crate) now: Option<Millis>,
    count: u64,
    known: HashMap<String, KnownSegment>,
    order: VecDeque<String>,
    leapt: Option<Millis>,
    turns: EarTurns,
    repetitions: Repetitions,
    pub(crate) teller: Teller,
}

/// Where notes and items of one message go.
pub(crate) struct Place<'a> {
    pub(crate) line: Option<u64>,
    pub(crate) out: &'a mut Vec<EarOutput>,
}

impl Straightener {
    pub(crate) fn starting(t0: Option<i64>, turns: EarTurns) -> Self {
        Self { t0, turns, ..Self::default() }
    }

    /// The time to which the room was heard.
    pub(crate) fn reached(&self) -> Millis {
        self.now.unwrap_or(self.latest)
    }

    pub(crate) fn note(&mut self, kind: EarNoteKind, detail: impl Into<String>, place: &mut Place<'_>) {
        self.teller.tell(kind, place.line, detail, place.out);
    }

    pub(crate) fn item(&mut self, item: RawItem, place: &mut Place<'_>) {
        match item {
            RawItem::Segment(segment) => {
                for part in self.turns.name(segment) {
                    self.segment(part, place);
                }
            }
            RawItem::Onset { speaker, at, on } => {
                let at = match at {
                    Some(at) => self.moment(at, place),
                    None => Some(self.reached()),
                };
                let speaker = speaker.and_then(|name| self.name(&name, "a speaker", place));
                if let Some(at) = at.and_then(|at| self.sane(at, place)) {
                    place.out.push(EarOutput::Heard(EarItem::Onset { speaker, at, on }));
                }
            }
            RawItem::Rename { from, to } => {
                let (from, to) = (self.name(&from, "a speaker", place), self.name(&to, "a speaker", place));
                if let (Some(from), Some(to)) = (from, to)
                    && from != to
                {
                    place.out.push(EarOutput::Heard(EarItem::Rename { from, to }));
                }
            }
            RawItem::Revise { id, speaker } => {
                let (id, speaker) = (self.name(&id, "an id", place), self.name(&speaker, "a speaker", place));
                if let (Some(id), Some(speaker)) = (id, speaker) {
                    place.out.push(EarOutput::Heard(EarItem::Revise { id, speaker }));
                }
            }
            RawItem::Presence { speaker, at, on } => {
                let at = at.and_then(|at| self.moment(at, place)).and_then(|at| self.sane(at, place));
                if let Some(speaker) = self.name(&speaker, "a speaker", place) {
                    place.out.push(EarOutput::Heard(EarItem::Presence { speaker, at, on }));
                }
            }
            RawItem::Clock(when) => self.clock(when, place),
        }
    }

    fn clock(&mut self, when: RawTime, place: &mut Place<'_>) {
        match when {
            RawTime::Epoch(t0) => {
                self.t0 = Some(t0);
                place.out.push(EarOutput::Heard(EarItem::Clock { t0 }));
            }
            RawTime::Room(_) => {
                self.note(
                    EarNoteKind::BadValue,
                    "`t0` should be a date with a time; it counts as unknown",
                    place,
                );
            }
        }
    }

    /// Milliseconds from the start of the room. The first date of all is that start, if nobody named one.
    fn moment(&mut self, when: RawTime, place: &mut Place<'_>) -> Option<Millis> {
        let moment = match when {
            RawTime::Room(moment) => moment,
            RawTime::Epoch(moment) => {
                let t0 = self.t0.unwrap_or_else(|| {
                    let t0 = moment.saturating_sub(self.reached());
                    self.clock(RawTime::Epoch(t0), place);
                    t0
                });
                moment.saturating_sub(t0)
            }
        };
        if moment.unsigned_abs() > TIME_MOST as u64 {
            self.note(EarNoteKind::AbsurdTime, format!("{moment} ms is no time in a room; refused"), place);
            return None;
        }
        if moment < 0 {
            let detail = format!("{} ms before the room started; set to its start", -moment);
            self.note(EarNoteKind::BeforeStart, detail, place);
        }
        Some(moment.max(0))
    }

    /// Whether a time can follow what was heard. A leap ahead must be confirmed by a second one.
    fn sane(&mut self, at: Millis, place: &mut Place<'_>) -> Option<Millis> {
        let reached = self.reached();
        if at.saturating_sub(reached) <= LEAP {
            return Some(at);
        }
        let confirmed = self.leapt.is_some_and(|leapt| at.abs_diff(leapt) <= NEAR as u64);
        self.leapt = (!confirmed).then_some(at);
        let what = if confirmed { "the one before agrees, so it is believed" } else { "refused" };
        self.note(
            EarNoteKind::ClockJump,
            format!("a leap of {} s ahead: {what}", at.saturating_sub(reached) / 1000),
            place,
        );
        confirmed.then_some(at)
    }

    fn segment(&mut self, raw: RawSegment, place: &mut Place<'_>) {
        let text = self.text(raw.text.as_deref().unwrap_or(""), place);
        let count = text.split_whitespace().count() as i64;
        let Some((start, end, estimated)) = self.times(&raw, count, place) else { return };
        let speaker = raw.speaker.as_ref().and_then(|name| self.name(name, "a speaker", place));
        if text.is_empty() {
            // The end of a draft that came to nothing is told; what has no id and no length is nothing.
            match raw.id.as_deref().filter(|id| self.known.get(*id).is_some_and(|known| !known.is_final)) {
                Some(_) => (),
                None if raw.text.is_none() && end > start => {
                    place.out.push(EarOutput::Heard(EarItem::Activity { speaker, start, end }));
                    self.latest = self.latest.max(end);
                    return;
                }
                None => return,
            }
        }
        let id = raw.id.as_ref().and_then(|id| self.name(id, "an id", place)).unwrap_or_else(|| {
            self.count += 1;
            format!("ear-{}", self.count)
        });
        let mut segment = EarSegment {
            id,
            is_final: !raw.draft,
            speaker,
            start,
            end,
            estimated,
            text,
            confidence: self.share(raw.confidence, 1.0, "confidence", place),
            channel: raw.channel,
            lang: raw.lang.as_ref().and_then(|lang| self.name(lang, "a language", place)),
            stress: None,
            emotion: raw
                .emotion
                .as_ref()
                .and_then(|name| self.name(name, "an emotion", place))
                .map(|name| (name, raw.emotion_source.unwrap_or(EarSource::Person))),
            words: Vec::new(),
            extra: raw.extra.clone(),
        };
        let source = raw.stress_source.unwrap_or(EarSource::Sensor);
        let most = if source == EarSource::Voice { crate::STRESS_CAP } else { 1000 };
        // A stress may be given as more than the whole, which says no more than the whole.
        let stress = self.share(raw.stress, 1.5, "stress", place);
        segment.stress = stress.map(|permille| EarStress { permille: permille.min(most), source });
        segment.words = self.words(raw.words, &segment, place);
        self.bound_extra(&mut segment, place);
        self.admit(segment, place);
    }

    /// Passes a segment on unless it tells nothing new.
    fn admit(&mut self, mut segment: EarSegment, place: &mut Place<'_>) {
        let content = content(&segment);
        let replaced = match self.known.get(&segment.id) {
            Some(known) if known.content == content => return,
            Some(known) if known.is_final && !segment.is_final => {
                let detail = format!("a draft of {:?}, which is final already; passed over", segment.id);
                return self.note(EarNoteKind::LateDraft, detail, place);
            }
            Some(known) => known.is_final,
            None => false,
        };
        let mut wordless = false;
        if segment.is_final && !replaced {
            if segment.start + ORDER < self.latest {
                let late = (self.latest - segment.start) / 1000;
                let detail = format!("it began {late} s before the end of what was heard already; kept");
                self.note(EarNoteKind::OutOfOrder, detail, place);
            }
            if let Some(detail) = self.repetitions.judge(&mut segment) {
                wordless = segment.text.is_empty();
                self.note(EarNoteKind::Repeated, detail, place);
            }
        }
        if segment.is_final {
            self.latest = self.latest.max(segment.end);
            self.leapt = None;
        }
        self.remember(&segment.id, segment.is_final, content);
        if wordless {
            let (speaker, start, end) = (segment.speaker.clone(), segment.start, segment.end);
            place.out.push(EarOutput::Heard(EarItem::Activity { speaker, start, end }));
        } else {
            place.out.push(EarOutput::Heard(EarItem::Segment(segment)));
        }
    }

    fn remember(&mut self, id: &str, is_final: bool, content: u64) {
        if self.known.insert(id.to_string(), KnownSegment { is_final, content }).is_none() {
            self.order.push_back(id.to_string());
        }
        while self.order.len() > KNOWN_MOST {
            if let Some(oldest) = self.order.pop_front() {
                self.known.remove(&oldest);
            }
        }
    }

    /// From when until when, and whether that was worked out.
    fn times(
        &mut self,
        raw: &RawSegment,
        words: i64,
        place: &mut Place<'_>,
    ) -> Option<(Millis, Millis, bool)> {
        let length = raw.length.filter(|length| length.unsigned_abs() <= TIME_MOST as u64);
        let guess = (words * 1_000_000 / PACE).clamp(200, SPEECH_MOST);
        // A time that was given and cannot be is no reason to guess one.
        let start = match raw.start {
            Some(when) => Some(self.moment(when, place)?),
            None => None,
        };
        let end = match raw.end {
            Some(when) => Some(self.moment(when, place)?),
            None => None,
        };
        let (start, end, estimated) = match (start, end, length) {
            (Some(start), Some(end), _) => (start, end, false),
            (Some(start), None, Some(length)) => (start, start + length, false),
            (None, Some(end), Some(length)) => ((end - length).max(0), end, false),
            (Some(start), None, None) => (start, start + guess, true),
            (None, Some(end), None) => ((end - guess).max(0), end, true),
            (None, None, _) => {
                let end = self.now.unwrap_or(self.latest + guess);
                ((end - guess).max(0), end, true)
            }
        };
        let start = self.sane(start, place)?;
        let end = self.end(start, end, place);
        Some((start, end, estimated))
    }

    /// An end that its start allows.
    fn end(&mut self, start: Millis, end: Millis, place: &mut Place<'_>) -> Millis {
        if end < start {
            let detail = format!("it ends {} ms before it begins; the end was set to the start", start - end);
            self.note(EarNoteKind::NegativeDuration, detail, place);
            start
        } else if end - start > SPEECH_MOST {
            let detail = format!("{} s long; cut to {} s", (end - start) / 1000, SPEECH_MOST / 1000);
            self.note(EarNoteKind::TooLong, detail, place);
            start + SPEECH_MOST
        } else {
            end
        }
    }

    /// A text in one line, without signs that steer terminals.
    fn text(&mut self, text: &str, place: &mut Place<'_>) -> String {
        let mut clean = String::with_capacity(text.len().min(TEXT_MOST + 4));
        for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty())
        {
            if !clean.is_empty() {
                clean.push(' ');
            }
            clean.extend(word.chars().filter(|c| !steers(*c)));
            if clean.len() > TEXT_MOST {
                let detail = format!("a text of {} bytes was cut to {TEXT_MOST}", text.len());
                self.note(EarNoteKind::Cut, detail, place);
                clean.truncate(clean.floor_char_boundary(TEXT_MOST));
                break;
            }
        }
        clean.truncate(clean.trim_end().len());
        clean
    }

    /// A name in one line, or nothing if it says nothing.
    fn name(&mut self, name: &str, what: &str, place: &mut Place<'_>) -> Option<String> {
        let plain = |c: char| if c.is_control() || c.is_whitespace() { ' ' } else { c };
        let mut clean: String =
            name.chars().take(NAME_MOST * 4).map(plain).filter(|c| !steers(*c)).collect::<String>();
        clean = clean.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        if clean.len() > NAME_MOST {
            self.note(
                EarNoteKind::Cut,
                format!("{what} of {} bytes was cut to {NAME_MOST}", name.len()),
                place,
            );
            clean.truncate(clean.floor_char_boundary(NAME_MOST));
        }
        (!clean.is_empty()).then_some(clean)
    }

    /// A share in permille. One that is none counts as unknown.
    fn share(&mut self, share: Option<f64>, most: f64, what: &str, place: &mut Place<'_>) -> Option<u16> {
        let share = share?;
        // Floats near the edge are the edge.
        if share.is_finite() && (-1e-6..=most + 1e-6).contains(&share) {
            return Some((share * 1000.0).round() as u16);
        }
        let detail = format!("`{what}` is {share:e} and should be from 0 to {most}; it counts as unknown");
        self.note(EarNoteKind::BadValue, detail, place);
        None
    }

    fn words(&mut self, raw: Vec<RawWord>, segment: &EarSegment, place: &mut Place<'_>) -> Vec<EarWord> {
        if raw.len() > WORDS_MOST {
            let detail = format!("{} words with times; the first {WORDS_MOST} keep them", raw.len());
            self.note(EarNoteKind::Cut, detail, place);
        }
        let mut words: Vec<EarWord> = Vec::new();
        let mut at = segment.start;
        for word in raw.into_iter().take(WORDS_MOST) {
            let text = word.word.trim();
            if word.joined || text.is_empty() {
                if let Some(last) = words.last_mut() {
                    last.word.push_str(text);
                }
                continue;
            }
            let start = self.word_time(word.start).unwrap_or(at).clamp(segment.start, segment.end);
            let end = self.word_time(word.end).unwrap_or(start).clamp(start, segment.end);
            at = end;
            let text: String = text.chars().filter(|c| !c.is_control() && !steers(*c)).take(64).collect();
            words.push(EarWord { word: text, start, end });
        }
        words
    }

    fn word_time(&self, when: Option<RawTime>) -> Option<Millis> {
        match when? {
            RawTime::Room(moment) => Some(moment),
            RawTime::Epoch(moment) => Some(moment.saturating_sub(self.t0?)),
        }
    }

    fn bound_extra(&mut self, segment: &mut EarSegment, place: &mut Place<'_>) {
        if segment.extra.is_empty() {
            return;
        }
        let size: usize = segment.extra.iter().map(|(key, value)| key.len() + value.to_string().len()).sum();
        if size > EXTRA_MOST {
            segment.extra.clear();
            self.note(EarNoteKind::Cut, format!("{size} bytes in fields of others were left out"), place);
        }
    }
}

/// What makes two segments of one id the same.
fn content(segment: &EarSegment) -> u64 {
    let mut hasher = DefaultHasher::new();
    let times = (segment.start, segment.end, segment.is_final);
    (times, &segment.text, &segment.speaker, segment.confidence).hash(&mut hasher);
    hasher.finish()
}
