//! What a participant that comes by itself is shown for one ask: enough to act on, and nothing of others' asks.

use serde::Serialize;

use super::state::parts;
use crate::Task;
use crate::ask::Of;
use crate::ballot::Basis;
use crate::brief::{self, Lying, TurnOf};
use crate::house::{Case, Item, Reader};
use crate::kernel::{AskId, At, ContributionKind, MatterId, StoredContribution, Who};

/// An ask of a ring, as the one who is asked sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TurnSheet {
    /// The ask. What is done in this turn names it.
    pub ask: AskId,
    /// The matter.
    pub matter: MatterId,
    /// Who is asked.
    pub who: Who,
    /// `join`, `propose`, `speak`, `weigh` or `vote`.
    pub task: &'static str,
    /// The phase.
    pub phase: &'static str,
    /// What is to be decided.
    pub topic: String,
    /// The round, 0 before the first.
    pub round: u32,
    /// Rounds at most.
    pub rounds: u32,
    /// When it lapses.
    pub until: At,
    /// Whether it was acknowledged.
    pub acknowledged: bool,
    /// The same in words, for a model: what was said stands behind a margin, as data.
    pub prompt: String,
}

impl TurnSheet {
    /// The sheet of an open ask; `None` where it is not open or belongs to a debate.
    pub fn of(case: &Case, id: AskId) -> Option<Self> {
        let ask = case.asks().get(&id)?;
        let (rules, _) = case.ring()?;
        let (round, rounds) = (case.round(), rules.rounds.is.min(u64::from(u32::MAX)) as u32);
        let Of::Seat { who, task: asked } = &ask.of else { return None };
        let task = word(*asked)?;
        Some(Self {
            ask: id,
            matter: case.id,
            who: who.clone(),
            task,
            phase: case.phase_word(),
            topic: case.opening.question.topic.to_string(),
            round,
            rounds,
            until: ask.until,
            acknowledged: ask.begun,
            prompt: prompt(case, rounds, who, *asked)?,
        })
    }
}

fn word(task: Task) -> Option<&'static str> {
    match task {
        Task::Join => Some("join"),
        Task::Propose => Some("propose"),
        Task::Speak { .. } => Some("speak"),
        Task::Weigh => Some("weigh"),
        Task::Vote { .. } => Some("vote"),
        Task::Second | Task::Clerk(_) => None,
    }
}

/// The words for an ask.
fn prompt(case: &Case, rounds: u32, who: &Who, task: Task) -> Option<String> {
    let of = match task {
        Task::Join => TurnOf::Join,
        Task::Propose => TurnOf::Propose,
        Task::Speak { round } => TurnOf::Speak { round, rounds },
        Task::Weigh => TurnOf::Weigh,
        Task::Vote { .. } => {
            let rule = &case.charter.ballot;
            TurnOf::Vote { abstentions_count: rule.basis != Basis::Cast, change: rule.change }
        }
        Task::Second | Task::Clerk(_) => return None,
    };
    let (rules, _) = parts(case);
    let budget = rules.history_chars();
    let lying = lying(case, who, brief::shown_at_most(budget));
    let topic = &case.opening.question.topic;
    Some(brief::turn(of, who.as_str(), topic, &lying, rules.text_most, budget))
}

/// Everything on the table that a participant may see: proposals with what is wanted of them, then the last of what was
/// said and how it was taken, in the order it came.
fn lying<'a>(case: &'a Case, reader: &Who, most: usize) -> Vec<Lying<'a>> {
    let material = case.dossier.material.values();
    let mut lying: Vec<Lying<'_>> =
        material.map(|piece| Lying::Material { name: &piece.name, text: &piece.text }).collect();
    let reader = Reader::Participant(reader);
    let proposals = parts(case).1.table.proposals.iter();
    for put in proposals.filter(|put| case.may_see_proposal(reader, put.id)) {
        lying.push(Lying::Proposal {
            letter: put.letter(),
            id: put.id.to_string(),
            who: put.who.as_str(),
            title: &put.title,
            text: &put.text,
            version: put.version,
        });
        let open = put.amendments.iter().filter(|change| change.accepted.is_none());
        lying.extend(open.map(|change| Lying::Change {
            letter: put.letter(),
            of: put.who.as_str(),
            id: change.id.to_string(),
            who: change.who.as_str(),
            text: &change.text,
            why: change.why.as_deref(),
        }));
    }
    let heard = case.said.iter().rev().filter(|said| case.may_see(reader, Item::Contribution(said)));
    let mut talked: Vec<Lying<'_>> = heard.filter_map(talk).take(most).collect();
    talked.reverse();
    // Proposals and amendments stand above; everything else is talk. Counted so that a long ring costs no more.
    let table = &parts(case).1.table;
    let put: usize = table.proposals.iter().map(|put| 1 + put.amendments.len()).sum();
    let count = case.said.len().saturating_sub(put + talked.len());
    if count > 0 {
        lying.push(Lying::Earlier { count });
    }
    lying.extend(talked);
    lying
}

fn talk(said: &StoredContribution) -> Option<Lying<'_>> {
    match &said.kind {
        ContributionKind::Statement
        | ContributionKind::Opinion
        | ContributionKind::Question
        | ContributionKind::Synthesis => Some(Lying::Said {
            round: said.round,
            id: said.id.to_string(),
            who: said.who.as_str(),
            kind: said.kind.word().into(),
            text: said.text(),
            to: said.to.map(|to| to.to_string()),
        }),
        ContributionKind::Reaction(reaction) => Some(Lying::Reacted {
            round: said.round,
            who: said.who.as_str(),
            reaction: reaction.word(),
            text: said.response.position.as_deref(),
            to: said.to?.to_string(),
        }),
        ContributionKind::Proposal { .. }
        | ContributionKind::Amendment { .. }
        | ContributionKind::Answer
        | ContributionKind::Estimate
        | ContributionKind::Comment(_) => None,
    }
}
