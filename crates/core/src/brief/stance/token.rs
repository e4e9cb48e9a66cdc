//! Sides written as they were asked for: labels with their values, headings, ticked boxes, a line that is nothing but a side, and an
//! answer that begins with one.

use super::AskedFor;
use super::NoStance;
use super::clause::{SpokenWord, sentences, unquoted, words};
use super::lexicon::{is_common, is_conditional, is_denial, is_saying, label, qualifier, token};
use super::plain::PlainLine;
use super::value::{Value, head, names_motion, value};
use crate::kernel::Choice;

/// What a label asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owed {
    /// A stance.
    Stance,
    /// A vote.
    Vote,
    /// Whichever was asked for.
    Either,
}

/// Whether a side is called the last, or one of before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Finality {
    /// It was held once.
    Past,
    /// Nothing is said of it.
    Plain,
    /// It is called the last.
    Last,
}

/// A place where a side is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mention {
    /// What it answers.
    pub owed: Owed,
    /// The side, or why there is none.
    pub side: Result<Choice, NoStance>,
    /// Whether it is called the last.
    pub finality: Finality,
}

/// The sides written in these lines, in order.
pub(super) fn mentions(lines: &[PlainLine], asked: AskedFor) -> Vec<Mention> {
    let mut found = Vec::new();
    let listed = lists_both(lines);
    for (at, line) in lines.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| lines[before].text.as_str());
        if before.is_some_and(announces_another) {
            continue;
        }
        let next = lines.get(at + 1).map(|next| next.text.as_str());
        let labelled = labelled(&line.text, next);
        let reasons =
            listed && words(&line.text).first().is_some_and(|word| is_common_or_against(&word.word));
        if labelled.is_empty() && !reasons {
            let ends = at == 0 || at + 1 == lines.len() || line.ticked;
            found.extend(bare(line, ends, at == 0));
        }
        found.extend(labelled);
    }
    let undecided = |mention: &mut Mention| {
        // Who is asked where they stand and says `undecided` stands between; who is asked for a vote has cast none.
        if mention.side == Err(NoStance::NotSaid) {
            mention.side = match asked {
                AskedFor::Stance => Ok(Choice::Neutral),
                AskedFor::Vote => Err(NoStance::Unclear),
            };
        }
    };
    found.iter_mut().for_each(undecided);
    found.retain(|mention| mention.finality != Finality::Past);
    found
}

/// Whether a line leads up to what somebody else says, or might say.
fn announces_another(line: &str) -> bool {
    if !line.trim_end().ends_with(':') {
        return false;
    }
    let said = words(line);
    let has = |is: &dyn Fn(&str) -> bool| said.iter().any(|word| is(&word.word));
    let own = has(&|word| matches!(word, "my" | "here" | "here's" | "meine" | "hier"));
    has(&is_conditional) || has(&is_denial) || has(&is_saying) && !own
}

/// Whether lines for and lines against are listed one after the other, as in a list of reasons.
fn lists_both(lines: &[PlainLine]) -> bool {
    let heads = |line: &PlainLine| {
        let all = words(&line.text);
        let first = all.first()?;
        let colon = line.text[first.end..].trim_start().starts_with(':');
        let list = colon && all.len() > 1 || all.len() == 1 && is_common_or_against(&first.word);
        token(&first.word).filter(|_| list)
    };
    // `Against: cost. For: clarity.`
    let within = |line: &PlainLine| {
        let parts = sentences(&line.text).into_iter().map(|part| part.text.to_string());
        parts.map(|text| PlainLine { text, ..line.clone() }).collect::<Vec<_>>()
    };
    let sides: Vec<Choice> = lines.iter().flat_map(within).filter_map(|line| heads(&line)).collect();
    sides.windows(2).any(|pair| pair[0] != pair[1])
}

/// Words under which reasons are listed.
fn is_common_or_against(word: &str) -> bool {
    is_common(word) || matches!(word, "against" | "contra" | "kontra" | "dafür" | "dagegen")
}

/// A side without a label.
fn bare(line: &PlainLine, ends: bool, first: bool) -> Option<Mention> {
    let said = words(&line.text);
    let word = said.first()?;
    let rest = line.text[word.end..].trim_start();
    let mention = |side| Some(Mention { owed: Owed::Either, side, finality: Finality::Plain });
    let whole = said.iter().all(|other| other.word == word.word) || said.len() == 2 && said[0].word == "in";
    match value(&line.text) {
        Value::Side(side) if whole && ends => mention(Ok(side)),
        // `No, because`, but not `Yes, and`: a comma after a common word goes on with the sentence.
        Value::Side(side) if first && !line.code => {
            let reasoned = said.get(1).is_some_and(|next| super::lexicon::is_reason(&next.word));
            // `No: I have not read it.`
            let denies = matches!(word.word.as_str(), "no" | "nein" | "yes" | "ja") && rest.starts_with(':');
            let apart = rest.starts_with(['.', ':', ';', '!', '-', '–', '—', '(']) && !denies;
            let of_vote = matches!(word.word.as_str(), "aye" | "nay" | "abstain");
            let strong =
                of_vote || !is_common(&word.word) && rest.starts_with(|c: char| !c.is_alphanumeric());
            (strong || apart || reasoned).then(|| mention(Ok(side))).flatten()
        }
        // `Yes and no.`
        Value::Unusable(reason) if first && !line.code && token(&word.word).is_some() && said.len() <= 6 => {
            mention(Err(reason))
        }
        Value::Side(_) | Value::Undecided | Value::Unusable(_) | Value::Other => None,
    }
}

/// How many places of a sentence are tried: one that says `I` more often is no sentence.
const TRIES_MOST: usize = 24;

/// The sides behind labels in a line.
fn labelled(line: &str, next: Option<&str>) -> Vec<Mention> {
    let line = unquoted(without_speaker(line));
    let mut found = Vec::new();
    for sentence in sentences(&line) {
        let said = words(sentence.text);
        let (mut hangs, mut tries) = (false, 0);
        for at in 0..said.len() {
            let word = said[at].word.as_str();
            let starts = at == 0
                || matches!(word, "i" | "i'm" | "i'll" | "my" | "ich" | "meine" | "mein")
                || said[at].apart;
            tries += usize::from(starts);
            // `I can't vote AYE, so I vote NAY`: what follows hangs on nothing that was denied before.
            hangs &= !(said[at].apart && matches!(word, "so" | "therefore" | "hence" | "deshalb" | "daher"));
            if starts
                && !hangs
                && tries <= TRIES_MOST
                && let Some(mention) = at_label(sentence.onwards, &said[at..], next.filter(|_| at == 0))
            {
                found.push(mention);
                break;
            }
            hangs |= is_conditional(word)
                || is_denial(word)
                || is_saying(word)
                || super::lexicon::is_between(word);
        }
    }
    found
}

/// A line without who is said to speak, before a label: `Balam: STANCE: AGAINST`, `[Orobas, round 2] STANCE: FOR`.
fn without_speaker(line: &str) -> &str {
    let (name, rest) = match line.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        Some(parts) => parts,
        None => match line.split_once(':') {
            Some(parts) => parts,
            None => return line,
        },
    };
    let is_name = name.len() <= 40
        && name.split_whitespace().count() <= 4
        && label(&crate::kernel::text::fold(name)).is_none();
    let labels = words(rest).first().is_some_and(|word| label(&word.word).is_some());
    if is_name && labels { rest } else { line }
}

/// The side behind a label that these words begin with.
fn at_label(onwards: &str, said: &[SpokenWord], next: Option<&str>) -> Option<Mention> {
    let mut finality = Finality::Plain;
    let mut at = 0;
    while let Some(own) = said.get(at).and_then(|word| introduces(&word.word)) {
        finality = if own == Finality::Plain { finality } else { own };
        at += 1;
        if at > 6 {
            return None;
        }
    }
    let word = said.get(at)?;
    let spoken = at > 0 && matches!(said[0].word.as_str(), "i" | "i'm" | "i'll");
    let owed = match word.word.as_str() {
        "voting" if spoken => Owed::Vote,
        other => label(other)?,
    };
    let rest = without_choices(&onwards[word.end..]);
    let mention = |side| Some(Mention { owed, side, finality });
    if !rest.contains(char::is_alphanumeric) {
        // The label stands alone: its side is on the next line.
        return match value(next?) {
            Value::Side(side) => mention(Ok(side)),
            Value::Undecided => mention(Err(NoStance::NotSaid)),
            Value::Unusable(reason) => mention(Err(reason)),
            Value::Other => None,
        };
    }
    let (set_apart, behind) = connected(rest);
    match value(behind) {
        Value::Side(side) if set_apart || stands_alone(behind) => mention(Ok(side)),
        Value::Undecided if set_apart => mention(Err(NoStance::NotSaid)),
        Value::Unusable(reason) if set_apart || spoken => mention(Err(reason)),
        Value::Side(_) | Value::Undecided | Value::Unusable(_) | Value::Other => None,
    }
}

/// Words that may stand before a label or before the `vote` of a sentence.
fn introduces(word: &str) -> Option<Finality> {
    match word {
        "i" | "i'm" | "i'll" | "am" | "will" | "must" | "shall" | "do" | "hereby" | "cast" | "casting"
        | "declare" | "state" | "take" | "have" | "decided" | "going" | "choose" | "to" | "reluctantly"
        | "now" | "still" | "then" | "firmly" | "gladly" | "proudly" | "ich" | "can" | "only"
        | "accordingly" | "and" => Some(Finality::Plain),
        other => qualifier(other),
    }
}

/// Without the choices that a label may repeat: `VOTE (AYE/NAY):`.
fn without_choices(rest: &str) -> &str {
    let bare = rest.trim_start();
    for (open, close) in [('(', ')'), ('[', ']')] {
        if let Some((inside, after)) = bare.strip_prefix(open).and_then(|inner| inner.split_once(close))
            && after.trim_start().starts_with([':', '=', '-', '–', '—'])
            && (words(inside).iter().filter(|word| token(&word.word).is_some()).count() > 1
                || words(inside).iter().all(|word| qualifier(&word.word) == Some(Finality::Last)))
        {
            return after;
        }
    }
    rest
}

/// What stands behind the sign or the words that tie a value to its label, and whether there are any.
fn connected(rest: &str) -> (bool, &str) {
    let bare = rest.trim_start();
    let signs = bare.trim_start_matches([':', '=', ']', ' ', '-', '–', '—', '"']);
    let sign = signs.len() < bare.trim_start_matches([' ', '"']).len() && !bare.starts_with('"');
    if sign {
        return (true, signs);
    }
    let said = words(head(bare));
    // `on this motion is`, `remains`, `as`, `goes to`.
    let tie = said.iter().take(6).position(|word| {
        matches!(
            word.word.as_str(),
            "is" | "remains" | "stays" | "as" | "ist" | "bleibt" | "lautet" | "mit" | "goes"
        )
    });
    let aside: Vec<&str> = said.iter().map(|word| word.word.as_str()).take(tie.unwrap_or(0)).collect();
    match tie {
        Some(at) if at == 0 || names_motion(&aside) => {
            (true, bare[said[at].end..].trim_start_matches([':', ' ']))
        }
        Some(_) | None => (false, bare),
    }
}

/// Whether a side behind a label without any sign is surely meant as one: `I vote against it`, but not `position for the clerk`.
fn stands_alone(behind: &str) -> bool {
    let said = words(head(behind));
    let Some(first) = said.first() else { return false };
    let rest: Vec<&str> = said[1..].iter().take(6).map(|word| word.word.as_str()).collect();
    let ends = behind[first.end..].trim_start().starts_with(|c: char| !c.is_alphanumeric());
    !is_common(&first.word) || rest.is_empty() || ends || first.word != "for" || names_motion(&rest)
}
