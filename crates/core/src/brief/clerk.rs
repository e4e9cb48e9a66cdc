//! What clerks are told: a judge who weighs a round, a scribe who digests or finds perspectives, a seat that
//! sums up. A clerk decides nothing; what it says is shown as its own and never counted as a vote.

use std::fmt::Write as _;

use super::form::field;
use super::language::language;
use super::words::{QUOTED, form_into, question};
use super::{Form, ValueKind};
use crate::kernel::Choice;

impl Form {
    /// A judge's reading of a round.
    pub fn judgement() -> Self {
        let list = |key, ask| field(key, ValueKind::List, ask);
        Self {
            name: "judgement",
            fields: vec![
                field(
                    "agreement",
                    ValueKind::Confidence,
                    "How far the statements agree in what they come to, from 0 to 1; null if they do not tell.",
                )
                .or_null(),
                list("common_ground", "What statements of different sides share, one point each."),
                list("disagreements", "Where they part, each with both sides named."),
                list("clusters", "Who stands together, and on what, one group each."),
                list("nuances", "Differences among those who seem to agree."),
                list(
                    "groupthink",
                    "Signs that agreement is not earned: nobody weighed another way, dissent was dropped, \
                     somebody agreed by pointing at others. Empty if there are none.",
                ),
                field("summary", ValueKind::Text, "The state of the debate in two sentences."),
            ],
        }
    }

    /// A scribe's digest: the same number of points for each of these sides.
    pub fn digest(sides: &[Choice], options: usize) -> Self {
        let fields = sides.iter().map(|side| {
            let word = side.word(options);
            let ask = format!("The strongest points made for {word}, in the words of those who made them.");
            field(&side_key(*side, options), ValueKind::List, &ask)
        });
        Self { name: "digest", fields: fields.collect() }
    }

    /// Perspectives for a panel.
    pub fn perspectives() -> Self {
        let ask = "One per seat, each as \"name: what this field looks at and what it would overlook\".";
        Self { name: "perspectives", fields: vec![field("perspectives", ValueKind::List, ask)] }
    }

    /// A synthesis.
    pub fn synthesis() -> Self {
        let list = |key, ask| field(key, ValueKind::List, ask);
        Self {
            name: "synthesis",
            fields: vec![
                field(
                    "summary",
                    ValueKind::Text,
                    "What the council came to and why, in one short paragraph.",
                ),
                field("recommendation", ValueKind::Text, "What to do now, in one or two sentences."),
                list("agreed", "What all sides share."),
                list("disputed", "What stayed open between them, with both sides as strong as they are."),
                list("open_questions", "What nobody could answer."),
                list("next_steps", "What would settle it or carry it out, first things first."),
            ],
        }
    }
}

/// The key of a side in a scribe's form.
pub fn side_key(side: Choice, options: usize) -> String {
    format!("points_{}", side.word(options).to_lowercase())
}

/// A task that a clerk is asked to do.
#[derive(Debug, Clone, Copy)]
pub enum ClerkTask<'a> {
    /// To weigh a round.
    Judge {
        /// The round.
        round: u32,
    },
    /// To digest what was said.
    Digest,
    /// To say which answers mean the same.
    Merge,
    /// To find perspectives for so many seats.
    Perspectives {
        /// The seats.
        seats: usize,
    },
    /// To sum up a matter that ended so.
    Synthesise {
        /// The result in one line.
        result: &'a str,
        /// The dissent, quoted already.
        dissent: &'a str,
    },
}

/// The layer that all asks of one kind of chore share: the office and the question.
pub fn office(chore: ClerkTask<'_>, topic: &str, options: &[String]) -> String {
    let mut out = String::from(match chore {
        ClerkTask::Judge { .. } => {
            "# Judge of a debate\n\nYou sit beside a council and weigh what its members say to each other. You take no \
             side, you decide nothing, and you never guess what was not said.\n"
        }
        ClerkTask::Digest => {
            "# Scribe of a debate\n\nYou shorten what a council said so that its members can go on. You give every side \
             the same number of points and the same care, and you never leave a minority out.\n"
        }
        ClerkTask::Perspectives { .. } => {
            "# Scribe of a council\n\nBefore a council of experts meets you name the fields whose eyes the question needs, \
             so that no two seats look at the same thing.\n"
        }
        ClerkTask::Merge => {
            "# Which answers are the same\n\nThe members of a council proposed answers to a question without seeing each other's. Before they are \
             ranked, those that mean the same become one. You do not judge which is better.\n"
        }
        ClerkTask::Synthesise { .. } => {
            "# Synthesis\n\nA council has ended. You were one of it and now sum it up for people who were not there: \
             faithfully, minority included, without a new argument and without changing the result.\n"
        }
    });
    out.push_str(QUOTED);
    question(&mut out, topic, options);
    out
}

/// What is asked now.
pub fn chore(chore: ClerkTask<'_>, topic: &str, form: &Form) -> String {
    let mut out = String::from("\n# Now\n\n");
    match chore {
        ClerkTask::Judge { round } => {
            let _ = writeln!(out, "Weigh round {round} as it stands above.");
        }
        ClerkTask::Merge => out.push_str("Say which of the options above mean the same.\n"),
        ClerkTask::Digest => {
            out.push_str("Digest what stands above, the same number of points for each side.\n")
        }
        ClerkTask::Perspectives { seats } => {
            let _ = writeln!(out, "Name {seats} perspectives, each different from the others.");
        }
        ClerkTask::Synthesise { result, dissent } => {
            let _ = writeln!(out, "The result: {result}");
            if !dissent.is_empty() {
                let _ = write!(out, "Those it went against said:\n{dissent}");
            }
            out.push_str("Sum the council up.\n");
        }
    }
    form_into(&mut out, form, topic, None);
    if let Some(language) = language(topic) {
        let _ = writeln!(out, "Write it in {language}.");
    }
    out
}
