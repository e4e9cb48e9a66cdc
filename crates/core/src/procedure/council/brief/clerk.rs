//! What clerks are told: a judge, a scribe, a seat that sums up.

use std::fmt::Write as _;
use std::sync::Arc;

use super::LastBrief;
use super::items::{empty_history, hiding, worded};
use super::seen::VisibleExtent;
use crate::Task;
use crate::ask::Chore;
use crate::brief::{self, Brief, HistoryItem, Keep, Layer, Worded};
use crate::house::Case;
use crate::kernel::Who;
use crate::kernel::{Contribution, Response, text};

impl Case {
    /// How much of what was said a brief repeats before it turns into a digest, in characters.
    pub(super) fn history_chars(&self) -> usize {
        self.council().map_or(0, |(rules, _)| rules.turn.history_chars.is as usize)
    }

    /// Whether what was said so far is more than a brief repeats in full.
    pub(crate) fn outgrown(&self) -> bool {
        let length = |response: &Response| {
            let parts = [&response.position, &response.reasoning].into_iter().flatten().map(String::len);
            let more = response.sections.iter().map(|(_, text)| text.len());
            parts.chain(more).chain(response.key_points.iter().map(String::len)).sum::<usize>() + 40
        };
        let said = self.said.iter().map(|said| length(&said.response)).sum::<usize>();
        said as u64 > self.history_chars() as u64
    }

    /// What a clerk is told.
    pub(super) fn clerk_brief(&self, who: &Who, chore: Chore) -> Brief {
        let question = &self.opening.question;
        let seen = VisibleExtent::of(self, who, Task::Clerk(chore));
        let (result, dissent) = match chore {
            Chore::Synthesise => {
                // It names who is missing and what sits on the seats.
                let headline = crate::view::Report::of(self).headline;
                (self.hidden(&headline).into_owned(), self.dissent_quoted())
            }
            Chore::Perspectives | Chore::Judge { .. } | Chore::Digest { .. } | Chore::Merge => {
                Default::default()
            }
        };
        let (work, shared) = match chore {
            Chore::Perspectives => {
                (brief::ClerkTask::Perspectives { seats: self.opening.seats.len() }, history(self, seen))
            }
            Chore::Judge { round } => (brief::ClerkTask::Judge { round }, round_told(self, round)),
            Chore::Digest { .. } => (brief::ClerkTask::Digest, everything(self)),
            // What the answers mean, nothing that was said for them, and nobody's name.
            Chore::Merge => (brief::ClerkTask::Merge, String::new()),
            Chore::Synthesise => {
                (brief::ClerkTask::Synthesise { result: &result, dissent: &dissent }, history(self, seen))
            }
        };
        let form = self.chore_form(chore);
        let stable = Layer::new(brief::office(work, &question.topic, &question.options));
        let own = brief::chore(work, &question.topic, &form);
        Brief { stable, shared: Layer::new(shared), own, form: Arc::new(form) }
    }

    /// The reasons of those a result went against, behind a margin.
    fn dissent_quoted(&self) -> String {
        let mut out = String::new();
        for row in crate::view::Report::of(self).dissent {
            let _ = writeln!(out, "{}:", self.names.label(&row.who));
            for part in [&row.reason, &row.change_if].into_iter().flatten() {
                text::quote_into(&mut out, &self.hidden(part));
            }
        }
        out
    }
}

/// What was said and found, as far as the lens lets it be seen.
fn history(case: &Case, seen: VisibleExtent) -> String {
    let worded: Vec<Arc<Worded>> = case.said.iter().map(|said| worded(case, &said.said)).collect();
    LastBrief::new(case, seen, &worded).layer.text().to_string()
}

/// One round, for somebody who weighs it.
fn round_told(case: &Case, round: u32) -> String {
    let mut of_round: Vec<&Arc<Contribution>> =
        case.said.iter().filter(|said| said.round == round).map(|said| &said.said).collect();
    of_round.sort_by_key(|said| case.place(&said.who));
    at_length(case, of_round)
}

/// Everything, for somebody who shortens it: four times what a seat is told, and a digest beyond.
fn everything(case: &Case) -> String {
    at_length(case, case.said.iter().map(|said| &said.said).collect())
}

fn at_length(case: &Case, said: Vec<&Arc<Contribution>>) -> String {
    let mut history = empty_history(case, 4 * case.history_chars(), Keep::All, false);
    hiding(case, |hide| {
        said.into_iter()
            .for_each(|said| history.push(HistoryItem::statement(worded(case, said), false), hide));
        history.layer(hide).text().to_string()
    })
}
