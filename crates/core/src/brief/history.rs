//! What was said so far, as the shared layer tells it: whole while it fits, a balanced digest beyond.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::kernel::{Choice, Response, text};

/// One thing that was said or found.
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
    },
    /// The result of a vote, in one line.
    Result(&'a str),
}

/// Tells what was said, of a question with so many options, in at most about `budget` characters.
pub fn history(said: &[Said<'_>], options: usize, budget: usize) -> String {
    if said.is_empty() {
        return "\n# What was said\n\nNothing yet.\n".into();
    }
    // What cannot fit is not worded first: in a large council that would be most of the work.
    if said.iter().map(least).sum::<usize>() > budget {
        return digest(said, options, budget);
    }
    let whole = whole(said, options);
    if whole.len() <= budget { whole } else { digest(said, options, budget) }
}

/// The fewest characters an item takes when it is told whole.
fn least(said: &Said<'_>) -> usize {
    match said {
        Said::Result(line) => line.len(),
        Said::Statement { label, response, .. } => {
            let parts =
                [&response.position, &response.reasoning].into_iter().flatten().map(|part| part.trim().len());
            label.len() + parts.sum::<usize>()
        }
    }
}

/// Everything, round by round. Later rounds only append, so a provider's prefix cache keeps what it has.
fn whole(said: &[Said<'_>], options: usize) -> String {
    let mut out = String::from("\n# What was said\n");
    let mut open = 0;
    for item in said {
        match item {
            Said::Statement { label, round, response } => {
                if *round != open {
                    let _ = write!(out, "\n## Round {round}\n");
                    open = *round;
                }
                statement(&mut out, label, response, options);
            }
            Said::Result(line) => {
                let _ = write!(out, "\n## Vote\n\n{line}\n");
                open = 0;
            }
        }
    }
    out
}

fn statement(out: &mut String, label: &str, response: &Response, options: usize) {
    let _ = writeln!(out, "\n{}", heading(label, response, options));
    for part in [&response.position, &response.reasoning].into_iter().flatten() {
        text::quote_into(out, part);
    }
    for point in &response.key_points {
        let _ = writeln!(out, "| - {}", text::one_line(point));
    }
    for (key, body) in &response.sections {
        let _ = writeln!(out, "| {}:", key.replace('_', " "));
        text::quote_into(out, body);
    }
}

fn heading(label: &str, response: &Response, options: usize) -> String {
    let stance = response.stance.map_or("no stance".into(), |stance| stance.word(options));
    match response.confidence {
        Some(confidence) => format!("{label} ({stance}, confidence {confidence}):"),
        None => format!("{label} ({stance}, confidence unknown):"),
    }
}

/// The shortest and the longest excerpt of one statement in a digest, in characters. Between them the
/// budget is shared out, so that a brief is as long in a large council as in a small one.
const EXCERPT: (usize, usize) = (80, 1200);

/// The latest word of each seat, as many from every side as fit, the smallest side first: a minority is
/// never what is left out.
fn digest(said: &[Said<'_>], options: usize, budget: usize) -> String {
    let mut latest: BTreeMap<&str, &Response> = BTreeMap::new();
    let mut results = Vec::new();
    for item in said {
        match item {
            Said::Statement { label, response, .. } => drop(latest.insert(label, response)),
            Said::Result(line) => results.push(line),
        }
    }
    let mut sides: BTreeMap<Option<Choice>, Vec<(&str, &Response)>> = BTreeMap::new();
    for (label, response) in latest {
        sides.entry(response.stance).or_default().push((label, response));
    }
    let mut out = String::from("\n# What was said, in brief\n\n");
    for (side, voices) in &sides {
        let side = side.map_or("no stance".into(), |side| side.word(options));
        let _ = writeln!(out, "{side}: {} of the seats' latest statements.", voices.len());
    }
    out.push('\n');
    let mut queues: Vec<_> = sides.into_values().collect();
    queues.sort_by_key(Vec::len);
    let tail: usize = results.iter().map(|line| line.len() + 10).sum();
    let voices = queues.iter().map(Vec::len).sum::<usize>().max(1);
    let budget = budget.saturating_sub(tail);
    // What a voice costs besides its words: name, stance, confidence, margin.
    let share = (budget.saturating_sub(out.len()) / voices).saturating_sub(48);
    let dropped = take_in_turn(&mut out, queues, budget, |label, response| {
        let gist = text::one_line(&text::excerpt(&words(response), share.clamp(EXCERPT.0, EXCERPT.1)));
        format!("{}\n| {gist}\n", heading(label, response, options))
    });
    if dropped > 0 {
        let _ = writeln!(out, "{dropped} more statements are not repeated here; each side was cut alike.");
    }
    for line in results {
        let _ = write!(out, "\n## Vote\n\n{line}\n");
    }
    out
}

/// What a statement comes to, most telling first, for an excerpt to be cut from.
fn words(response: &Response) -> String {
    let parts = [response.position.as_deref(), response.reasoning.as_deref()].into_iter().flatten();
    let words = parts.chain(response.key_points.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    if words.is_empty() { response.gist().unwrap_or("(nothing readable)").into() } else { words }
}

/// One statement of each side in turn while the budget lasts. Every side is heard once, whatever the
/// budget. Returns how many were left out.
fn take_in_turn(
    out: &mut String,
    queues: Vec<Vec<(&str, &Response)>>,
    budget: usize,
    line: impl Fn(&str, &Response) -> String,
) -> usize {
    let mut queues: Vec<_> = queues.into_iter().map(Vec::into_iter).collect();
    let mut first = true;
    loop {
        let mut took = false;
        for queue in &mut queues {
            if let Some((label, response)) = queue.as_slice().first() {
                let line = line(label, response);
                if first || out.len() + line.len() <= budget {
                    out.push_str(&line);
                    queue.next();
                    took = true;
                }
            }
        }
        first = false;
        if !took {
            return queues.iter().map(ExactSizeIterator::len).sum();
        }
    }
}
