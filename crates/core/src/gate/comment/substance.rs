//! How much a comment says: its length and its different words.

use std::collections::BTreeSet;

use unicode_normalization::char::is_combining_mark;

use super::{CommentLimits, OfferedComment, ThreadFacts};
use crate::gate::Breach;
use crate::kernel::markup::LineOwner;
use crate::kernel::prose::likeness;
use crate::kernel::{CommentKind, markup, text};

pub(super) fn too_long(limits: &CommentLimits, offered: &OfferedComment<'_>) -> Option<Breach> {
    let most = limits.chars_most;
    // Bytes are never fewer than characters, and cost nothing to count.
    if offered.body.len() <= most as usize {
        return None;
    }
    let given = length(offered.body);
    (given > most).then_some(Breach::TooLong { given, most })
}

pub(super) fn too_short(limits: &CommentLimits, offered: &OfferedComment<'_>) -> Option<Breach> {
    let least = match offered.kind {
        CommentKind::Comment => limits.chars_least,
        CommentKind::Question | CommentKind::Acknowledgement => limits.short_chars_least,
    };
    let given = length(&substance(limits, offered.body));
    (given < least).then_some(Breach::InsufficientSubstance { given, least })
}

pub(super) fn too_few_words(limits: &CommentLimits, offered: &OfferedComment<'_>) -> Option<Breach> {
    let least = match offered.kind {
        CommentKind::Comment => limits.words_least,
        CommentKind::Question | CommentKind::Acknowledgement => limits.short_words_least,
    };
    let folded = text::fold(&substance(limits, offered.body));
    let words: BTreeSet<&str> = text::words(&folded).collect();
    let given = u32::try_from(words.len()).unwrap_or(u32::MAX);
    (given < least).then_some(Breach::LowVocabulary { given, least })
}

/// From here on a comment says what another says, in thousandths: one word in ten or so may differ. A denial or a figure that only one of
/// them has makes any two texts unlike.
const REPEATS_FROM: u16 = 900;

/// The first comment of the thread that says the same in nearly the same words. Questions and acknowledgements are too short to tell, and
/// carry no weight.
pub(super) fn repeated(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Option<Breach> {
    if offered.kind != CommentKind::Comment {
        return None;
    }
    let own = substance(limits, offered.body);
    let says_it = |earlier: &str| {
        let earlier = substance(limits, earlier);
        earlier == own || likeness(&earlier, &own).get() >= REPEATS_FROM
    };
    let found = thread.earlier.iter().find(|(_, _, earlier)| says_it(earlier));
    found.map(|(comment, who, _)| Breach::Repetition { comment: *comment, who: (*who).clone() })
}

/// Whether words of one's own are fewer than even a question needs.
pub(super) fn says_little(limits: &CommentLimits, own: &str) -> bool {
    length(&shown(own)) < limits.short_chars_least
}

/// What counts as said: what a reader sees, without quotes of others. Code counts beside words of one's own, not alone.
fn substance(limits: &CommentLimits, body: &str) -> String {
    let own = markup::own_words(body);
    if says_little(limits, &own) {
        return shown(&own);
    }
    let unquoted = markup::owned_lines(body).filter(|line| line.owner != LineOwner::Quoted);
    let lines: Vec<&str> = unquoted.map(|line| line.line).collect();
    shown(&lines.join("\n"))
}

/// Without what nobody sees: invisible characters, more blanks than one, more than two marks upon one letter.
fn shown(text: &str) -> String {
    let mut marks = 0;
    let seen = text.chars().filter(|c| {
        marks = if is_combining_mark(*c) { marks + 1 } else { 0 };
        marks <= 2 && (c.is_whitespace() || !text::is_invisible(*c))
    });
    text::one_line(&seen.collect::<String>())
}

fn length(body: &str) -> u32 {
    u32::try_from(text::length(body)).unwrap_or(u32::MAX)
}
