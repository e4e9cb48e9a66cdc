//! What was said so far, as the shared layer tells it: whole while it fits, a balanced digest beyond.
//!
//! It grows by appending: what one speaker was told is the beginning of what the next is told, so that a
//! provider's cache keeps it. Only when the tail outgrows its part of the budget is the digest made anew.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::kernel::{Choice, Response, text};

/// One thing that was said, found or given.
#[derive(Debug, Clone, Copy)]
pub enum Said<'a> {
    /// A contribution.
    Statement {
        /// The name its author has for the reader.
        label: &'a str,
        /// The round.
        round: u32,
        /// What was said.
        response: &'a Response,
        /// Whether its author was ordered to the side, so that it is nobody's free opinion.
        ordered: bool,
        /// Whether it is of the round under way, where others may still speak after the reader.
        fresh: bool,
    },
    /// The result of a vote, in one line.
    Result(&'a str),
    /// Something the operator put before the council.
    Material {
        /// What it is called.
        name: &'a str,
        /// What it says.
        text: &'a str,
    },
    /// What became of a participant's question to the operator.
    Reply {
        /// Who asked.
        label: &'a str,
        /// What was asked.
        query: &'a str,
        /// The answer; `None` if the operator gave none.
        answer: Option<&'a str>,
    },
}

/// A digest that a mind has written: points for each side, as many for one as for another.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The last round it covers.
    pub round: u32,
    /// The sides with their points.
    pub sides: &'a [(Choice, Vec<String>)],
}

/// How the history is told.
pub struct Manner<'a> {
    /// Options of the question.
    pub options: usize,
    /// About so many characters at most, what the operator gave aside.
    pub budget: usize,
    /// What a text looks like to this reader.
    pub hide: &'a dyn for<'t> Fn(&'t str) -> Cow<'t, str>,
    /// A digest by a mind, where there is one.
    pub written: Option<Written<'a>>,
}

impl std::fmt::Debug for Manner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Manner").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// Tells what was said. What belongs to earlier rounds stands first and is the same for everybody who is told
/// it in this round; what was said in this round follows.
pub fn history(said: &[Said<'_>], manner: &Manner<'_>) -> String {
    // What cannot fit is not worded first: in a large council that would be most of the work.
    if said.iter().map(least).sum::<usize>() <= manner.budget {
        let whole = whole(said, manner);
        if whole.len() <= manner.budget + given(said) {
            return whole;
        }
    }
    let fresh = |item: &Said<'_>| matches!(item, Said::Statement { fresh: true, .. });
    let (earlier, now) = said.split_at(said.iter().position(fresh).unwrap_or(said.len()));
    if now.is_empty() {
        return digest(BRIEFLY, earlier, manner.budget, manner);
    }
    let half = manner.budget / 2;
    let fits = earlier.iter().map(least).sum::<usize>() <= half;
    let full = fits.then(|| whole(earlier, manner)).filter(|full| full.len() <= half + given(earlier));
    let mut out = full.unwrap_or_else(|| digest(BRIEFLY, earlier, half, manner));
    this_round(&mut out, now, half, manner);
    out
}

/// What was said in this round so far: in full while it fits; then the first of it as a digest, and in full
/// as many of the last as half of its budget holds. The digest is made anew only when they outgrow that.
fn this_round(out: &mut String, now: &[Said<'_>], budget: usize, manner: &Manner<'_>) {
    let mut full = String::new();
    now.iter().for_each(|item| tell(&mut full, item, &mut HEADED.clone(), manner));
    if full.len() <= budget {
        out.push_str("\n# This round so far\n");
        out.push_str(&full);
        return;
    }
    let cut = tail(now, budget / 2, manner);
    out.push_str(&digest("\n# This round so far, in brief\n", &now[..cut], budget - budget / 2, manner));
    if cut < now.len() {
        out.push_str("\n## Since then, in full\n");
        now[cut..].iter().for_each(|item| tell(out, item, &mut HEADED.clone(), manner));
    }
}

/// The heading of everything. An empty council is told the same words, so that the first statement appends.
const WHOLE: &str = "\n# What was said\n\nOldest first. If nothing stands here, nobody has spoken.\n";
/// The heading of a digest.
const BRIEFLY: &str = "\n# What was said, in brief\n";
/// No round needs a heading any more.
const HEADED: u32 = u32::MAX;

/// From where on statements are told in full: as many of the last as fit, starting anew whenever they do not.
fn tail(now: &[Said<'_>], most: usize, manner: &Manner<'_>) -> usize {
    let (mut from, mut taken) = (0, 0);
    for (i, item) in now.iter().enumerate() {
        let mut line = String::new();
        tell(&mut line, item, &mut HEADED.clone(), manner);
        taken += line.len();
        if taken > most {
            (from, taken) = if line.len() > most { (i + 1, 0) } else { (i, line.len()) };
        }
    }
    from
}

/// The fewest characters an item takes when it is told whole; nothing for what the operator gave.
fn least(said: &Said<'_>) -> usize {
    match said {
        Said::Result(line) => line.len(),
        Said::Material { .. } | Said::Reply { .. } => 0,
        Said::Statement { label, response, .. } => {
            let parts =
                [&response.position, &response.reasoning].into_iter().flatten().map(|part| part.trim().len());
            label.len() + parts.sum::<usize>()
        }
    }
}

/// Characters of what the operator gave: never dropped, so never counted.
fn given(said: &[Said<'_>]) -> usize {
    let length = |item: &Said<'_>| match item {
        Said::Material { name, text } => name.len() + text.len() + text.lines().count() * 2 + 32,
        Said::Reply { label, query, answer } => {
            let answer = answer.unwrap_or_default();
            label.len()
                + query.len()
                + answer.len()
                + (query.lines().count() + answer.lines().count()) * 2
                + 64
        }
        Said::Statement { .. } | Said::Result(_) => 0,
    };
    said.iter().map(length).sum()
}

/// Everything, round by round.
fn whole(said: &[Said<'_>], manner: &Manner<'_>) -> String {
    let mut out = String::from(WHOLE);
    let mut open = 0;
    for item in said {
        tell(&mut out, item, &mut open, manner);
    }
    out
}

/// Tells one item; `open` is the round whose heading stands already.
fn tell(out: &mut String, item: &Said<'_>, open: &mut u32, manner: &Manner<'_>) {
    match item {
        Said::Statement { label, round, response, ordered, .. } => {
            if *round != *open && *open != HEADED {
                let _ = write!(out, "\n## Round {round}\n");
                *open = *round;
            }
            statement(out, label, response, *ordered, manner);
        }
        Said::Result(line) => {
            let _ = write!(out, "\n## Vote\n\n{line}\n");
            *open = 0;
        }
        Said::Material { name, text } => {
            let _ =
                write!(out, "\n## Material from the operator: {}\n\n", text::one_line(&(manner.hide)(name)));
            text::quote_into(out, &(manner.hide)(text));
            *open = 0;
        }
        Said::Reply { label, query, answer } => {
            let _ = write!(out, "\n## {label} asked the operator\n\n");
            text::quote_into(out, &(manner.hide)(query));
            match answer {
                Some(answer) => {
                    out.push_str("The operator answers:\n");
                    text::quote_into(out, &(manner.hide)(answer));
                }
                None => out.push_str("The operator gives no answer; go on without it.\n"),
            }
            *open = 0;
        }
    }
}

fn statement(out: &mut String, label: &str, response: &Response, ordered: bool, manner: &Manner<'_>) {
    let hide = manner.hide;
    let _ = writeln!(out, "\n{}", heading(label, response, ordered, manner.options));
    for part in [&response.position, &response.reasoning].into_iter().flatten() {
        text::quote_into(out, &hide(part));
    }
    for point in &response.key_points {
        let _ = writeln!(out, "| - {}", text::one_line(&hide(point)));
    }
    for (key, body) in &response.sections {
        let _ = writeln!(out, "| {}:", key.replace('_', " "));
        text::quote_into(out, &hide(body));
    }
    for source in &response.citations {
        let parts = [&source.title, &source.url, &source.quote].into_iter().flatten();
        let line = parts.map(|part| text::one_line(&hide(part))).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "| source: {line}");
    }
}

fn heading(label: &str, response: &Response, ordered: bool, options: usize) -> String {
    let mut stance = response.stance.map_or("no stance".into(), |stance| stance.word(options));
    if ordered {
        stance.push_str(" by order");
    }
    match response.confidence {
        Some(confidence) => format!("{label} ({stance}, confidence {confidence}):"),
        None => format!("{label} ({stance}, confidence unknown):"),
    }
}

/// The shortest and the longest a point may be in a digest, in characters. Between them the budget is
/// shared out, so that a brief is as long in a large council as in a small one.
const POINT: (usize, usize) = (80, 400);

/// One side in a digest.
struct Side {
    choice: Option<Choice>,
    voices: usize,
    /// How many of them were ordered to it.
    ordered: usize,
    /// Each with the name of who made it, best first.
    points: Vec<(String, String)>,
}

/// The latest word of each seat as points: exactly as many for one side as for any other, so that neither
/// number nor length argues. A side with fewer points sets the measure; no side is ever left out.
fn digest(heading: &str, said: &[Said<'_>], budget: usize, manner: &Manner<'_>) -> String {
    let mut sides = sides(said, manner);
    let covered = said.iter().all(|item| match (item, &manner.written) {
        (Said::Statement { round, .. }, Some(written)) => *round <= written.round,
        (Said::Statement { .. }, None) => false,
        (Said::Result(_) | Said::Material { .. } | Said::Reply { .. }, _) => true,
    });
    if let (true, Some(written)) = (covered, &manner.written) {
        for side in &mut sides {
            if let Some((_, points)) = written.sides.iter().find(|(choice, _)| Some(*choice) == side.choice) {
                let hide = |point: &String| (String::new(), (manner.hide)(point).into_owned());
                side.points = points.iter().map(hide).collect();
            }
        }
    }
    let mut rest = String::new();
    let others = said.iter().filter(|item| !matches!(item, Said::Statement { .. }));
    others.for_each(|item| tell(&mut rest, item, &mut HEADED.clone(), manner));
    let counted = rest.len().saturating_sub(given(said));
    let mut out = String::from(heading);
    let (each, length) = measure(&sides, budget.saturating_sub(out.len() + counted));
    for side in &sides {
        let word = side.choice.map_or("No stance".into(), |choice| choice.word(manner.options));
        let seats = text::counted(side.voices as u64, "seat");
        let by_order = match side.ordered {
            0 => String::new(),
            all if all == side.voices => ", by order".into(),
            some => format!(", {some} by order"),
        };
        let _ = writeln!(out, "\n{word}, held by {seats} at last{by_order}:");
        for (label, point) in side.points.iter().take(each) {
            let by = if label.is_empty() { String::new() } else { format!("{label}: ") };
            let _ = writeln!(out, "| - {by}{}", text::one_line(&text::excerpt(point, length)));
        }
        let left = side.points.len().saturating_sub(each);
        if left > 0 {
            let _ =
                writeln!(out, "({left} more of this side are not repeated; every side was cut to {each}.)");
        }
    }
    out.push_str(&rest);
    out
}

/// The sides, by the latest statement of each seat, with their points: first the first of every seat, then
/// the second, so that many voices come before one voice's many points.
fn sides(said: &[Said<'_>], manner: &Manner<'_>) -> Vec<Side> {
    let mut latest: BTreeMap<&str, (&Response, bool)> = BTreeMap::new();
    for item in said {
        if let Said::Statement { label, response, ordered, .. } = item {
            latest.insert(label, (response, *ordered));
        }
    }
    let few = latest.len() <= FEW;
    let mut by_order: BTreeMap<Option<Choice>, usize> = BTreeMap::new();
    let mut voices: BTreeMap<Option<Choice>, Vec<(&str, Vec<String>)>> = BTreeMap::new();
    for (label, (response, ordered)) in latest {
        *by_order.entry(response.stance).or_default() += usize::from(ordered);
        voices.entry(response.stance).or_default().push((label, points(response, few)));
    }
    let side = |(choice, voices): (Option<Choice>, Vec<(&str, Vec<String>)>)| {
        let deepest = voices.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
        let mut points: Vec<(String, String)> = Vec::new();
        let mut known: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
        for depth in 0..deepest {
            for (label, of_voice) in &voices {
                if let Some(point) = of_voice.get(depth)
                    && known.insert(text::fold(point))
                {
                    points.push((label.to_string(), (manner.hide)(point).into_owned()));
                }
            }
        }
        let ordered = by_order.get(&choice).copied().unwrap_or(0);
        Side { choice, voices: voices.len(), ordered, points }
    };
    voices.into_iter().map(side).collect()
}

/// With more voices than this on a side its claims and points are more than a digest holds, and its reasons
/// need not be cut into sentences.
const FEW: usize = 48;

/// What a statement comes to, most telling first: its claim, the points it rests on, then, of few voices, its
/// reasons.
fn points(response: &Response, few: bool) -> Vec<String> {
    let mut points: Vec<String> = response.position.iter().map(|position| text::one_line(position)).collect();
    match response.key_points.is_empty() {
        true if few || points.is_empty() => points.extend(response.points()),
        true => (),
        false => points.extend(response.points()),
    }
    if few {
        points.extend(
            response.reasoning.iter().flat_map(|reasons| text::sentences(reasons)).map(text::one_line),
        );
    }
    if points.is_empty() {
        points.push(response.gist().unwrap_or("(nothing readable)").into());
    }
    points
}

/// How many points each side gets, and how long each may be: as many as the room holds when they are as long as
/// they may be; if not even one each fits so, shorter ones.
fn measure(sides: &[Side], budget: usize) -> (usize, usize) {
    // Those on no side have nothing to be weighed against: they take as many as they have, up to the measure.
    let takes_side = |side: &&Side| side.choice.is_some_and(|choice| choice != Choice::Neutral);
    let count = |side: &Side| side.points.len();
    let fewest = sides.iter().filter(takes_side).map(count).min();
    let fewest = fewest.or_else(|| sides.iter().map(count).max()).unwrap_or(0).max(1);
    let room = budget.saturating_sub(sides.len() * HEAD);
    let takes = |each: usize, length: usize| {
        let point = |(label, point): &(String, String)| label.len() + point.len().min(length) + 10;
        sides.iter().flat_map(|side| side.points.iter().take(each)).map(point).sum::<usize>()
    };
    let mut each = 1;
    while each < fewest && takes(each + 1, POINT.1) <= room {
        each += 1;
    }
    if takes(each, POINT.1) <= room {
        return (each, POINT.1);
    }
    let length = room / sides.iter().map(|side| count(side).min(1)).sum::<usize>().max(1);
    (each, length.saturating_sub(40).clamp(POINT.0, POINT.1))
}

/// What a side takes besides its points, in characters: its heading and the line on what was cut.
const HEAD: usize = 140;
