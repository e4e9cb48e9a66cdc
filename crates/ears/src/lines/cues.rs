//! WebVTT and SubRip: cues with times, whose text may name its speaker by `<v Name>` or `Name:`.

use crate::lines::FoundInLine;
use crate::note::EarNoteKind;
use crate::raw::{RawItem, RawSegment};
use crate::when::{RawTime, clock};

/// The longest text of a cue.
const CUE_MOST: usize = 2 << 20;
/// The longest name before a colon, and its most words.
const NAME_MOST: usize = 40;
const NAME_WORDS: usize = 4;
/// Words before a colon that are no names.
const NO_NAMES: [&str; 18] = [
    "note", "notes", "warning", "question", "answer", "example", "ps", "http", "https", "frage", "antwort",
    "achtung", "hinweis", "beispiel", "zitat", "quote", "point", "punkt",
];

/// Where the reader is.
#[derive(Debug, Default)]
enum CueState {
    #[default]
    Between,
    /// Everything to the next empty line is passed over.
    Passing,
    Text {
        start: i64,
        end: i64,
        text: String,
    },
}

/// Reads cues line by line.
#[derive(Debug, Default)]
pub(crate) struct CueReader {
    state: CueState,
    count: u64,
}

impl CueReader {
    pub(super) fn line(&mut self, line: &str, found: &mut FoundInLine) {
        let plain = line.trim_start_matches('\u{feff}').trim();
        if plain.is_empty() {
            self.finish(found);
        } else if matches!(self.state, CueState::Passing) {
            // Until the empty line.
        } else if let Some((start, end)) = plain.split_once("-->") {
            // A cue that follows without an empty line: what stands last before it is its number.
            if let CueState::Text { text, .. } = &mut self.state {
                let known = text.trim_end_matches('\n');
                let last = known.rfind('\n').map_or(0, |at| at + 1);
                if !known[last..].is_empty() && known[last..].bytes().all(|byte| byte.is_ascii_digit()) {
                    text.truncate(last);
                }
            }
            self.finish(found);
            self.state = match (clock(start), clock(end.split_whitespace().next().unwrap_or(""))) {
                (Some(start), Some(end)) => CueState::Text { start, end, text: String::new() },
                _ => {
                    let shown: String = plain.chars().take(60).collect();
                    found.flaw(
                        EarNoteKind::Unreadable,
                        format!("{shown:?} is no pair of times; the cue was passed over"),
                    );
                    CueState::Passing
                }
            };
        } else if let CueState::Text { text, .. } = &mut self.state {
            if text.len() + plain.len() < CUE_MOST {
                text.push_str(plain);
                text.push('\n');
            }
        } else if ["NOTE", "STYLE", "REGION"]
            .iter()
            .any(|block| plain.split_whitespace().next() == Some(block))
        {
            self.state = CueState::Passing;
        }
        // Anything else is the name of a cue, or the head of the file.
    }

    fn finish(&mut self, found: &mut FoundInLine) {
        let CueState::Text { start, end, text } = std::mem::take(&mut self.state) else { return };
        for (speaker, text) in voices(&text) {
            self.count += 1;
            found.items.push(RawItem::Segment(RawSegment {
                id: Some(format!("cue-{}", self.count)),
                speaker,
                start: Some(RawTime::Room(start)),
                end: Some(RawTime::Room(end)),
                text: Some(text),
                ..RawSegment::default()
            }));
        }
    }
}

/// Who says what in a cue.
fn voices(cue: &str) -> Vec<(Option<String>, String)> {
    let mut said: Vec<(Option<String>, String)> = Vec::new();
    let tagged = cue.contains("<v ") || cue.contains("<v.");
    for line in cue.lines() {
        let (mut rest, mut fresh) = (line, false);
        if !tagged && let Some((name, text)) = named(&plain(line)) {
            said.push((Some(name), text));
            continue;
        }
        while let Some(at) = rest.find("<v").filter(|at| rest[at + 2..].starts_with([' ', '.'])) {
            add(&mut said, &rest[..at], fresh);
            let (name, after) = rest[at + 2..].split_once('>').unwrap_or((&rest[at + 2..], ""));
            // `.loud Name`: classes stand before the name.
            let name =
                if name.starts_with('.') { name.split_once(' ').map_or("", |(_, name)| name) } else { name };
            let name = plain(name);
            said.push(((!name.is_empty()).then_some(name), String::new()));
            fresh = true;
            rest = after;
        }
        add(&mut said, rest, fresh);
    }
    said.retain(|(_, text)| !text.is_empty());
    said
}

/// Adds to what the last voice says. What comes after `</v>` is nobody's.
fn add(said: &mut Vec<(Option<String>, String)>, text: &str, fresh: bool) {
    let (own, after) = text.split_once("</v>").unwrap_or((text, ""));
    let own = plain(own);
    match said.last_mut() {
        Some((_, known)) => {
            if !known.is_empty() && !own.is_empty() && !fresh {
                known.push(' ');
            }
            known.push_str(&own);
        }
        None => said.push((None, own)),
    }
    let after = plain(after);
    if !after.is_empty() {
        said.push((None, after));
    }
}

/// `Alice Smith: text`, `SPEAKER_00: text`, `[Alice]: text`, `>> ALICE: text`.
fn named(line: &str) -> Option<(String, String)> {
    let line = line.trim_start_matches(['-', '–', '>', ' ']);
    let (name, text) = line.split_once(':')?;
    let name = name.trim().trim_matches(['[', ']', '(', ')']).trim();
    let words: Vec<&str> = name.split_whitespace().collect();
    let fits = (1..=NAME_MOST).contains(&name.len()) && words.len() <= NAME_WORDS;
    let begins = |word: &&str| {
        word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || c == '(')
            || ["von", "van", "de", "da", "der", "den", "la", "le", "al", "bin"].contains(word)
    };
    let sign = |c: char| !c.is_alphanumeric() && !matches!(c, ' ' | '_' | '-' | '\'' | '’' | '.' | '(' | ')');
    let letters = name.chars().any(char::is_alphabetic);
    let fine = fits && letters && words.iter().all(begins) && !name.contains(sign) && !text.starts_with("//");
    let fine = fine && !NO_NAMES.contains(&name.to_lowercase().as_str());
    fine.then(|| (name.to_string(), text.trim().to_string()))
}

/// Text without tags and with entities read.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '{']) {
        out.push_str(&rest[..at]);
        let (close, tag) =
            if rest[at..].starts_with('<') { ('>', true) } else { ('}', rest[at..].starts_with("{\\")) };
        let after = &rest[at + 1..];
        let is_tag = tag
            && after
                .starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '\\') || c.is_ascii_digit());
        match after.find(close).filter(|_| is_tag) {
            Some(end) => rest = &after[end + 1..],
            None => {
                out.push_str(&rest[at..=at]);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&lrm;", ""),
        ("&rlm;", ""),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    if out.contains('&') {
        for (entity, sign) in entities {
            out = out.replace(entity, sign);
        }
    }
    out.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn voices_are_told_apart() {
        let said = |cue: &str| -> Vec<(String, String)> {
            voices(cue).into_iter().map(|(name, text)| (name.unwrap_or_default(), text)).collect()
        };
        let own = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect()
        };
        assert_eq!(said("<v Ada Byron>Wait &amp; see</v>\n"), own(&[("Ada Byron", "Wait & see")]));
        assert_eq!(
            said("<v.loud Ada>Wait</v> <v Bo>no, <i>now</i></v>\nand here\n"),
            own(&[("Ada", "Wait"), ("Bo", "no, now and here")])
        );
        assert_eq!(
            said("Ada Byron: we wait\nuntil noon\nBo: no\n"),
            own(&[("Ada Byron", "we wait until noon"), ("Bo", "no")])
        );
        assert_eq!(said("at 10:30 we meet\n"), own(&[("", "at 10:30 we meet")]));
        assert_eq!(said("so the rule is: never\n"), own(&[("", "so the rule is: never")]));
        assert_eq!(
            said("Question: why 3 < 4 <00:00:01.000>{\\an8}now\n"),
            own(&[("", "Question: why 3 < 4 now")])
        );
    }
}
