//! The voices of a round, made ready to be compared: free ones apart from ordered ones, each with the side
//! it takes and, once needed, its words.

use std::cell::OnceCell;

use super::Voice;
use crate::kernel::prose::phrase::sentences;
use crate::kernel::prose::{FigureBits, Prose, Sketch};
use crate::kernel::{Choice, Permille, Reading, Response, Who, text};

/// The longest quotation from a voice, in characters.
const QUOTED: usize = 200;

/// About so many sentences of a round are compared with a new one, as many of each voice: what a round costs to read
/// grows with its voices, not with their square.
const COMPARED: usize = 240;

/// Everyone heard in a round, in the order of their ids.
pub(super) struct RoundVoices<'a> {
    pub(super) free: Vec<HeardVoice<'a>>,
    pub(super) ordered: Vec<HeardVoice<'a>>,
}

/// One voice, with its stance and its sentences read on demand.
pub(super) struct HeardVoice<'a> {
    pub(super) voice: Voice<'a>,
    /// The side, if it is an answer to this question.
    pub(super) stance: Option<Choice>,
    /// How its words are read.
    pub(super) reading: Reading,
    prose: OnceCell<Option<Prose>>,
    first: OnceCell<Vec<VoiceSentence<'a>>>,
    sentences: OnceCell<Vec<VoiceSentence<'a>>>,
}

/// One sentence of a voice, read only as far as it has to be.
pub(super) struct VoiceSentence<'a> {
    text: &'a str,
    reading: Reading,
    figures: OnceCell<FigureBits>,
    sketch: OnceCell<Sketch>,
    prose: OnceCell<Option<Prose>>,
}

impl VoiceSentence<'_> {
    /// What it says, if it says something besides pointing at others.
    pub(super) fn statement(&self) -> Option<&Prose> {
        self.prose.get_or_init(|| Prose::of_statement(self.text, self.reading)).as_ref()
    }

    /// Whether a statement says nothing that this does not.
    pub(super) fn tells(&self, statement: &Prose) -> bool {
        // Most sentences have nothing to do with each other, which a glance tells; often the figures alone do.
        !self.figures.get_or_init(|| FigureBits::of(self.text)).surely_part(statement)
            && !self.sketch.get_or_init(|| Sketch::of(self.text)).surely_new(statement)
            && self.statement().is_some_and(|own| statement.repeats(own))
    }
}

impl<'a> RoundVoices<'a> {
    pub(super) fn of(options: usize, round: &[Voice<'a>], reading: Reading) -> Self {
        let mut voices: Vec<Voice<'a>> = round.to_vec();
        // The later word of a seat comes first, and the earlier one falls.
        voices.reverse();
        voices.sort_by(|a, b| a.who.cmp(b.who));
        voices.dedup_by(|later, first| later.who == first.who);
        let (ordered, free) = voices
            .into_iter()
            .map(|voice| HeardVoice::of(options, voice, reading))
            .partition(|said| said.voice.ordered);
        Self { free, ordered }
    }

    pub(super) fn free_voice(&self, who: &Who) -> Option<&HeardVoice<'a>> {
        self.free.binary_search_by(|said| said.voice.who.cmp(who)).ok().map(|at| &self.free[at])
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &HeardVoice<'a>> {
        self.free.iter().chain(&self.ordered)
    }

    /// How many sentences of each voice are compared with others.
    pub(super) fn room(&self) -> usize {
        (COMPARED / self.all().count().max(1)).max(1)
    }

    /// The least confidence of the free voices, if each of them stated one.
    pub(super) fn least_confidence(&self) -> Option<Permille> {
        let stated: Option<Vec<Permille>> = self.free.iter().map(HeardVoice::confidence).collect();
        stated?.into_iter().min()
    }
}

impl<'a> HeardVoice<'a> {
    fn of(options: usize, voice: Voice<'a>, reading: Reading) -> Self {
        let stance = voice.response.stance.filter(|stance| answers(options, *stance));
        let (prose, first, sentences) = Default::default();
        Self { voice, stance, reading, prose, first, sentences }
    }

    pub(super) fn confidence(&self) -> Option<Permille> {
        self.voice.response.confidence
    }

    pub(super) fn position(&self) -> Option<&'a str> {
        filled(&self.voice.response.position)
    }

    /// What is compared: the position, else the reasoning.
    pub(super) fn text(&self) -> Option<&'a str> {
        self.position().or_else(|| filled(&self.voice.response.reasoning))
    }

    /// That text, ready to be compared; made once.
    pub(super) fn prose(&self) -> Option<&Prose> {
        self.prose.get_or_init(|| self.text().map(|text| Prose::read(text, self.reading))).as_ref()
    }

    /// Whether both say the same; not known if one of them has no words.
    pub(super) fn alike(&self, other: &Self) -> Option<bool> {
        // Who repeats a text word for word is not worth a look into the words.
        Some(self.text()? == other.text()? || self.prose()?.alike(other.prose()?))
    }

    /// Whether the position says nothing that another's text does not. Most positions are told apart without being read.
    pub(super) fn position_repeats(&self, other: &Self) -> bool {
        let (Some(here), Some(there)) = (self.position(), other.prose()) else { return false };
        !FigureBits::of(here).surely_part(there)
            && !Sketch::of(here).surely_new(there)
            && self.prose().is_some_and(|own| own.repeats(there))
    }

    /// Its first sentences, those of the position before all others. The rest is not even cut; `most` is the same
    /// whenever a round is read.
    pub(super) fn first_sentences(&self, most: usize) -> &[VoiceSentence<'a>] {
        self.first.get_or_init(|| self.cut().take(most).collect())
    }

    /// All its sentences.
    fn sentences(&self) -> &[VoiceSentence<'a>] {
        self.sentences.get_or_init(|| self.cut().collect())
    }

    fn cut(&self) -> impl Iterator<Item = VoiceSentence<'a>> + use<'a> {
        let reading = self.reading;
        let sentence = move |text| {
            let (figures, sketch, prose) = Default::default();
            VoiceSentence { text, reading, figures, sketch, prose }
        };
        pieces(self.voice.response).flat_map(sentences).map(sentence)
    }

    /// The sentences that say something, references to others left out.
    pub(super) fn statements(&self) -> impl Iterator<Item = &Prose> {
        self.sentences().iter().filter_map(VoiceSentence::statement)
    }
}

/// Whether a side is an answer to the question. One that is not says nothing about it.
pub(super) fn answers(options: usize, stance: Choice) -> bool {
    match stance {
        Choice::Yes => options == 0,
        Choice::No | Choice::Neutral => true,
        Choice::Option(index) => usize::from(index) < options,
    }
}

/// A text that is there and not blank.
pub(super) fn filled(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.trim().is_empty())
}

/// A text on one line and short enough to be quoted.
pub(super) fn quoted(said: &str) -> String {
    // Two characters are for the mark of what was cut.
    text::excerpt(&text::one_line(said), QUOTED - 2).into_owned()
}

/// All a response says, piece by piece.
pub(super) fn pieces(response: &Response) -> impl Iterator<Item = &str> {
    let parts = filled(&response.position).into_iter().chain(filled(&response.reasoning));
    let points = response.key_points.iter().map(String::as_str);
    parts.chain(points).chain(response.sections.iter().map(|(_, text)| text.as_str()))
}
