//! Sound files and pipes to samples: WAV, MP3, FLAC, Ogg Vorbis, and raw 16-bit samples. Opus and video go through ffmpeg.

use std::fs::File;
use std::io::{Cursor, Read};
use std::panic::AssertUnwindSafe;
use std::path::Path;

use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::{MediaSource, MediaSourceStream, MediaSourceStreamOptions, ReadOnlySource};
use symphonia::core::meta::MetadataOptions;

use crate::sound::{Resampler, SAMPLE_RATE};

/// Bytes of raw sound that are read in one go: an eighth of a second.
const PIECE: usize = 4000;
/// Rates that sound has.
const RATES: std::ops::RangeInclusive<u32> = 4000..=384_000;
/// A file with more damage than that is not sound.
const DAMAGE_MOST: u64 = 1000;

/// What is wrong with a sound.
#[derive(Debug, thiserror::Error)]
pub enum SoundError {
    /// It cannot be read at all.
    #[error("{0}: cannot be read ({1})")]
    Unopened(String, std::io::Error),
    /// It is no sound that can be decoded.
    #[error(
        "{0}: this is no WAV, MP3, FLAC or Ogg Vorbis sound ({1}); make raw samples of others with ffmpeg -i FILE -ac 1 -ar 16000 -f s16le -"
    )]
    Unknown(String, String),
    /// The pipe broke.
    #[error("{0}: the sound broke off ({1})")]
    Broken(String, String),
}

/// A sound that is read piece by piece as 16 kHz mono.
pub struct Sound {
    name: String,
    source: SoundSource,
    /// Made when the rate is known, and again when it changes.
    resampler: Option<(u32, Resampler)>,
    mono: Vec<f32>,
    at_16k: Vec<f32>,
    damaged: u64,
}

enum SoundSource {
    Raw { from: Box<dyn Read + Send + Sync>, odd: Option<u8> },
    Coded(Box<CodedSound>),
    Over,
}

struct CodedSound {
    format: Box<dyn FormatReader>,
    decoder: Box<dyn AudioDecoder>,
    track: u32,
    samples: Vec<f32>,
}

impl std::fmt::Debug for Sound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sound")
            .field("name", &self.name)
            .field("damaged", &self.damaged)
            .finish_non_exhaustive()
    }
}

impl Sound {
    /// A file.
    pub fn file(path: &Path) -> Result<Self, SoundError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| SoundError::Unopened(name.clone(), error))?;
        if path.extension().is_some_and(|ending| ending == "raw" || ending == "pcm" || ending == "s16le") {
            return Ok(Self::raw(name, Box::new(file)));
        }
        Self::coded(name, Box::new(file))
    }

    /// A pipe: raw samples (16 kHz, mono, 16 bits, low byte first) unless it begins like a sound file.
    pub fn pipe(name: &str, mut from: Box<dyn Read + Send + Sync>) -> Result<Self, SoundError> {
        let mut head = [0; 4];
        let mut read = 0;
        while read < head.len() {
            match from.read(&mut head[read..]) {
                Ok(0) => break,
                Ok(count) => read += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => (),
                Err(error) => return Err(SoundError::Unopened(name.into(), error)),
            }
        }
        let whole = Box::new(Cursor::new(head[..read].to_vec()).chain(from));
        let known = [b"RIFF".as_slice(), b"fLaC", b"OggS", b"ID3"];
        if known.iter().any(|start| head[..read].starts_with(start)) {
            return Self::coded(name.into(), Box::new(ReadOnlySource::new(whole)));
        }
        Ok(Self::raw(name.into(), whole))
    }

    fn raw(name: String, from: Box<dyn Read + Send + Sync>) -> Self {
        Self::of(name, SoundSource::Raw { from, odd: None })
    }

    fn of(name: String, source: SoundSource) -> Self {
        Self { name, source, resampler: None, mono: Vec::new(), at_16k: Vec::new(), damaged: 0 }
    }

    fn coded(name: String, from: Box<dyn MediaSource>) -> Result<Self, SoundError> {
        let opened = caught(|| Self::opened(from)).map_err(|why| SoundError::Unknown(name.clone(), why))?;
        Ok(Self::of(name, SoundSource::Coded(Box::new(opened))))
    }

    fn opened(from: Box<dyn MediaSource>) -> Result<CodedSound, String> {
        let stream = MediaSourceStream::new(from, MediaSourceStreamOptions::default());
        let format = symphonia::default::get_probe()
            .probe(&Hint::new(), stream, FormatOptions::default(), MetadataOptions::default())
            .map_err(|error| error.to_string())?;
        let track = format.default_track(TrackType::Audio).ok_or("it holds no sound")?;
        let params = track.codec_params.as_ref().and_then(|params| params.audio());
        let decoder = symphonia::default::get_codecs()
            .make_audio_decoder(params.ok_or("its coding is not known")?, &AudioDecoderOptions::default())
            .map_err(|error| error.to_string())?;
        let track = track.id;
        Ok(CodedSound { format, decoder, track, samples: Vec::new() })
    }

    /// How many pieces could not be decoded and were left out.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Adds the next samples. False when there are no more.
    pub fn read(&mut self, out: &mut Vec<i16>) -> Result<bool, SoundError> {
        self.mono.clear();
        let more = match &mut self.source {
            SoundSource::Raw { from, odd } => {
                let read = read_raw(from, odd, &mut self.mono)
                    .map_err(|error| SoundError::Broken(self.name.clone(), error.to_string()))?;
                read.then_some(SAMPLE_RATE)
            }
            SoundSource::Coded(coded) => caught(|| coded.next(&mut self.mono, &mut self.damaged))
                .map_err(|error| SoundError::Broken(self.name.clone(), error))?,
            SoundSource::Over => return Ok(false),
        };
        self.at_16k.clear();
        match more {
            Some(rate) => {
                if self.resampler.as_ref().is_none_or(|(known, _)| *known != rate) {
                    self.resampler = Some((rate, Resampler::from_rate(rate)));
                }
                if let Some((_, resampler)) = &mut self.resampler {
                    resampler.feed(&self.mono, &mut self.at_16k);
                }
            }
            None => {
                self.source = SoundSource::Over;
                if let Some((_, resampler)) = &mut self.resampler {
                    resampler.end(&mut self.at_16k);
                }
            }
        }
        out.extend(self.at_16k.iter().map(|sample| (sample * 32_768.0).round() as i16));
        Ok(more.is_some())
    }
}

/// Runs a decoder that is not ours: hostile bytes can make it panic, and then the sound is broken and nothing else.
fn caught<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    std::panic::catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err("its decoder gave up on it".into()))
}

/// Reads raw samples; a byte that has no other half yet waits for it.
fn read_raw(from: &mut impl Read, odd: &mut Option<u8>, out: &mut Vec<f32>) -> std::io::Result<bool> {
    let mut piece = [0; PIECE];
    let read = loop {
        match from.read(&mut piece) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => (),
            read => break read?,
        }
    };
    let bytes = odd.take().into_iter().chain(piece[..read].iter().copied());
    let bytes: Vec<u8> = bytes.collect();
    let pairs = bytes.chunks_exact(2);
    *odd = pairs.remainder().first().copied();
    out.extend(pairs.map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0));
    Ok(read > 0)
}

impl CodedSound {
    /// The next samples as mono and their rate, or nothing at the end.
    fn next(&mut self, mono: &mut Vec<f32>, damaged: &mut u64) -> Result<Option<u32>, String> {
        loop {
            let packet = match self.format.next_packet() {
                Ok(Some(packet)) => packet,
                Ok(None) => return Ok(None),
                // A file that was cut off ends so.
                Err(Error::IoError(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
                    *damaged += 1;
                    return Ok(None);
                }
                Err(error) => return Err(error.to_string()),
            };
            if packet.track_id != self.track {
                continue;
            }
            match self.decoder.decode(&packet) {
                Ok(decoded) => {
                    let spec = decoded.spec();
                    let (rate, channels) = (spec.rate(), spec.channels().count().max(1));
                    if !RATES.contains(&rate) {
                        return Err(format!("{rate} samples a second"));
                    }
                    decoded.copy_to_vec_interleaved(&mut self.samples);
                    let frames = self.samples.chunks_exact(channels);
                    let mix = |frame: &[f32]| frame.iter().sum::<f32>() / channels as f32;
                    mono.extend(
                        frames.map(|frame| Some(mix(frame)).filter(|s| s.is_finite()).unwrap_or(0.0)),
                    );
                    return Ok(Some(rate));
                }
                Err(Error::IoError(_) | Error::DecodeError(_)) if *damaged < DAMAGE_MOST => *damaged += 1,
                Err(error) => return Err(error.to_string()),
            }
        }
    }
}
