//! What was wrong with an input and what was made of it. Nothing is clamped, refused or lost without one.

use std::collections::BTreeMap;
use std::fmt;

use crate::heard::EarItem;

/// So many notes of a kind are given one by one; the rest are counted and told at the end.
const EACH_MOST: u64 = 50;

/// The longest detail, in characters.
const DETAIL_MOST: usize = 400;

/// A finding about the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarNote {
    /// What it is.
    pub kind: EarNoteKind,
    /// The line of the input, or the number of the message; nothing where it is about the whole.
    pub place: Option<u64>,
    /// What was found and what was made of it.
    pub detail: String,
}

impl fmt::Display for EarNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "line {place}: {} ({})", self.detail, self.kind.code()),
            None => write!(f, "{} ({})", self.detail, self.kind.code()),
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        /// The kinds of notes, with codes that stay.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum EarNoteKind {
            $($(#[$doc])* $name,)*
        }

        impl EarNoteKind {
            /// The code that stays when the wording changes.
            pub fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }
        }
    };
}

kinds! {
    /// Bytes that are not UTF-8 were replaced.
    NotUtf8 = "ears/not-utf8",
    /// Something too large was passed over.
    TooLarge = "ears/too-large",
    /// It cannot be read in its form.
    Unreadable = "ears/unreadable",
    /// The form is not known.
    UnknownForm = "ears/unknown-form",
    /// A value is not what its field should hold; it counts as unknown.
    BadValue = "ears/bad-value",
    /// An end before its start; the end was set to the start.
    NegativeDuration = "ears/negative-duration",
    /// Longer than anybody speaks; the end was set back.
    TooLong = "ears/too-long",
    /// A time before the room started; it was set to the start.
    BeforeStart = "ears/before-start",
    /// A time that cannot be; what it stood in was refused.
    AbsurdTime = "ears/absurd-time",
    /// A leap ahead; the first one is refused, a second one that agrees is believed.
    ClockJump = "ears/clock-jump",
    /// Long before what came before it; kept with its own time.
    OutOfOrder = "ears/out-of-order",
    /// Text, names or words were cut.
    Cut = "ears/cut",
    /// A draft of what was final already; it was passed over.
    LateDraft = "ears/late-draft",
    /// A recogniser repeats itself.
    Repeated = "ears/repeated",
    /// Another recording in the same file; it was passed over.
    OtherRecording = "ears/other-recording",
    /// Sound where words are read.
    SoundIgnored = "ears/sound-ignored",
    /// The sound ends early or has holes.
    SoundDamaged = "ears/sound-damaged",
    /// The source tells of its own trouble.
    SourceError = "ears/source-error",
    /// The recogniser has ended.
    RecogniserEnded = "ears/recogniser-ended",
    /// The recogniser is behind what was said.
    RecogniserLags = "ears/recogniser-lags",
    /// The recogniser is no longer behind.
    RecogniserCaughtUp = "ears/recogniser-caught-up",
    /// The recogniser did not read in time, and sound was kept from it.
    SoundDropped = "ears/sound-dropped",
    /// The lamp or the hook did not take what it was sent.
    LightFailed = "ears/light-failed",
    /// The lamp or the hook takes what it is sent again.
    LightBack = "ears/light-back",
    /// More notes of one kind than are told one by one.
    More = "ears/more",
}

/// What comes out of the ears.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "notes are few")]
pub enum EarOutput {
    /// Something was heard.
    Heard(EarItem),
    /// Something was wrong.
    Note(EarNote),
}

/// What can be shown of a detail: it may quote anybody.
fn shown(detail: &str) -> String {
    let plain = detail.chars().map(|c| if c.is_control() { ' ' } else { c }).filter(|c| !steers(*c));
    let mut shown: String = plain.take(DETAIL_MOST).collect();
    if shown.len() < detail.len() && shown.chars().count() == DETAIL_MOST {
        shown.push('…');
    }
    shown
}

/// Signs that turn the direction of writing or hide.
pub(crate) fn steers(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
}

/// Tells notes, and counts those that are too many.
#[derive(Debug, Default)]
pub(crate) struct Teller {
    told: BTreeMap<EarNoteKind, u64>,
}

impl Teller {
    pub(crate) fn tell(
        &mut self,
        kind: EarNoteKind,
        place: Option<u64>,
        detail: impl Into<String>,
        out: &mut Vec<EarOutput>,
    ) {
        let told = self.told.entry(kind).or_default();
        *told += 1;
        if *told <= EACH_MOST {
            let detail = shown(&detail.into());
            out.push(EarOutput::Note(EarNote { kind, place, detail }));
        }
    }

    /// What was counted and not told.
    pub(crate) fn end(&mut self, out: &mut Vec<EarOutput>) {
        for (kind, told) in std::mem::take(&mut self.told) {
            if told > EACH_MOST {
                let detail = format!("{} more of {}", told - EACH_MOST, kind.code());
                out.push(EarOutput::Note(EarNote { kind: EarNoteKind::More, place: None, detail }));
            }
        }
    }
}
