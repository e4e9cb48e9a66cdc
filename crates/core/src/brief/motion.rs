//! What seats are told of a motion: whether to second it, the debate in numbers, an order to argue a side, where they stood.

use std::fmt::Write as _;

use super::form::field;
use super::{Form, ValueKind};
use crate::kernel::{Choice, text};

/// The key under which a seat says whether it seconds a motion.
pub const SECONDS: &str = "second";

impl Form {
    /// The form in which a seat says whether it seconds a motion.
    pub fn second() -> Self {
        let yes_no = ["YES", "NO"].map(str::to_string).to_vec();
        Self {
            name: "second",
            fields: vec![
                field("reason", ValueKind::Text, "Why it deserves a debate, or why not, in one sentence."),
                field(SECONDS, ValueKind::Choice(yes_no), "Whether you second the motion."),
            ],
        }
    }
}

/// What a seat is asked that could second a motion; `proposer`: who put it, if a seat did.
pub fn ask_for_second(proposer: Option<&str>) -> String {
    let by =
        proposer.map_or_else(|| "The chair put".to_string(), |name| format!("{} put", text::one_line(name)));
    format!(
        "\n# Now: do you second this motion?\n{by} it. It is debated only if another member seconds it. To second a motion \
         is to say that it deserves a debate, not that you are for it.\n"
    )
}

/// The debate in numbers.
#[derive(Debug)]
pub struct SumNotes<'a> {
    /// Whether nearly all entries are on one side.
    pub cascade: bool,
    /// The entries that count, in words.
    pub count: String,
    /// All statements.
    pub entries: u32,
    /// How many of them were ordered and are not in the count.
    pub forced: u32,
    /// Risks: name, meaning, and what would lessen it.
    pub risks: Vec<(&'a str, &'a str, Option<&'a str>)>,
}

/// Words the debate in numbers.
pub fn sum_notes(sum: Option<SumNotes<'_>>) -> String {
    let mut out = String::new();
    let Some(sum) = sum else { return out };
    let _ = write!(out, "The debate after {}: {}", text::counted(sum.entries.into(), "statement"), sum.count);
    if sum.forced > 0 {
        let _ = write!(
            out,
            " (not counting {} made under an order)",
            text::counted(sum.forced.into(), "statement")
        );
    }
    out.push_str(".\n");
    if !sum.risks.is_empty() {
        out.push_str("Structural risks that the text of the motion shows, whatever anybody said:\n");
    }
    for (name, meaning, mitigation) in sum.risks {
        let lessens = mitigation.map(|text| format!(" What would lessen it: {text}.")).unwrap_or_default();
        let _ = writeln!(out, "- {name}: {meaning}.{lessens}");
    }
    if sum.cascade {
        out.push_str(
            "- CONSENSUS CASCADE: nearly everybody is on one side. Ask whether they judged for themselves or followed.\n",
        );
    }
    out
}

/// What a speaker is told.
#[derive(Debug)]
pub struct SpeechNotes {
    /// Whether benefits are asked for beside risks; none where neither is asked for.
    pub balanced: Option<bool>,
    /// The order it speaks under.
    pub order: Option<OrderedSide>,
}

/// A side that a speaker is ordered to argue.
#[derive(Debug, Clone, Copy)]
pub struct OrderedSide {
    /// Why.
    pub reason: &'static str,
    /// Which.
    pub side: Choice,
    /// Whether it speaks for the red team.
    pub team: bool,
}

/// Words what a speaker is told.
pub fn speech_notes(notes: SpeechNotes) -> String {
    let mut out = String::new();
    match notes.balanced {
        Some(true) => out.push_str(
            "Before you take a side, weigh both. Which problem does the motion solve, and for whom? Which new risk does it \
             bring? Say which weighs more, and why.\n",
        ),
        Some(false) => out.push_str(
            "Before you take a side, think like somebody who wants to abuse the motion. How would you use it for your own \
             ends? What happens if nobody enforces its limits? Could anything it creates grow beyond its task? Would advice \
             that binds nobody come to bind? If you agree easily, ask what a sceptic would say. Name at least one serious \
             risk.\n",
        ),
        None => (),
    }
    if let Some(order) = notes.order {
        let (word, side) = side_words(order.side);
        let lead = if order.team { "You are on the red team" } else { "This turn comes with an order" };
        let _ = writeln!(
            out,
            "{lead}: {}. Whatever you think, make the strongest honest case {side} the motion, with points that nobody has \
             made. Put \"stance\": \"{word}\". Everybody is told that you were ordered to, it does not count as your opinion, \
             and your vote is free.",
            order.reason
        );
    }
    out
}

/// What a voter is told.
#[derive(Debug)]
pub struct VoteNotes {
    /// Whether another vote has to be explained.
    pub explain: bool,
    /// Where it stood last.
    pub stood: Option<Choice>,
    /// Whether it once argued a side under an order.
    pub was_ordered: bool,
}

/// Words what a voter is told.
pub fn vote_notes(notes: VoteNotes) -> String {
    let mut out = String::new();
    if let Some(stood) = notes.stood {
        let (word, _) = side_words(stood);
        let _ = write!(out, "In the debate your last stance was {word}.");
        match notes.explain {
            true => out.push_str(" If you vote otherwise, you must explain why in `reason`.\n"),
            false => out.push_str(" Vote on the whole debate: your vote may be the same or another.\n"),
        }
    }
    if notes.was_ordered && !notes.explain {
        out.push_str("What you argued under an order is not your stance, and binds nobody.\n");
    }
    out
}

fn side_words(side: Choice) -> (&'static str, &'static str) {
    match side {
        Choice::Yes => ("YES", "for"),
        Choice::No => ("NO", "against"),
        Choice::Neutral | Choice::Option(_) => ("NEUTRAL", "neither for nor against"),
    }
}
