//! What a participant that comes by itself is shown for one ask: enough to act on, and nothing of others' asks.

use serde::Serialize;

use super::session::rounds_most;
use crate::ballot::Basis;
use crate::brief::{self, Lying, TurnOf};
use crate::house::Case;
use crate::kernel::{AskId, At, MatterId, Who};
use crate::{Ask, Task};

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
        case.charter.ring.as_ref()?;
        let (round, rounds) = (case.round(), rounds_most(case));
        let task = word(ask.task)?;
        Some(Self {
            ask: id,
            matter: case.id,
            who: ask.who.clone(),
            task,
            phase: case.phase_word(),
            topic: case.opening.question.topic.to_string(),
            round,
            rounds,
            until: ask.until,
            acknowledged: ask.begun,
            prompt: prompt(case, rounds, ask)?,
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
        Task::Clerk(_) => None,
    }
}

/// The words for an ask.
fn prompt(case: &Case, rounds: u32, ask: &Ask) -> Option<String> {
    let of = match ask.task {
        Task::Join => TurnOf::Join,
        Task::Propose => TurnOf::Propose,
        Task::Speak { round } => TurnOf::Speak { round, rounds },
        Task::Weigh => TurnOf::Weigh,
        Task::Vote { .. } => {
            let rule = &case.charter.ballot;
            TurnOf::Vote { abstentions_count: rule.basis != Basis::Cast, change: rule.change }
        }
        Task::Clerk(_) => return None,
    };
    // Proposals are asked for all at once: whoever is later than others must not see what they put.
    let shown = |who: &Who| ask.task != Task::Propose || *who == ask.who;
    let budget = case.charter.turn.history_chars.is;
    let lying = lying(case, shown, brief::shown_at_most(budget));
    let most = case.charter.ring.as_ref().map_or(0, |ring| ring.text_most);
    Some(brief::turn(of, ask.who.as_str(), &case.opening.question.topic, &lying, most, budget))
}

/// Everything on the table whose author may be shown: proposals with what is wanted of them, then the last of what was
/// said and how it was taken, in the order it came.
fn lying(case: &Case, shown: impl Fn(&Who) -> bool, most: usize) -> Vec<Lying<'_>> {
    let material = case.dossier.material.values();
    let mut lying: Vec<Lying<'_>> =
        material.map(|piece| Lying::Material { name: &piece.name, text: &piece.text }).collect();
    for put in case.table.proposals.iter().filter(|put| shown(&put.who)) {
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
    let said = case.table.said.iter().rev().take(most).map(|said| {
        (
            said.id,
            Lying::Said {
                round: said.round,
                id: said.id.to_string(),
                who: said.who.as_str(),
                kind: said.kind.to_string(),
                text: &said.text,
                to: said.to.map(|to| to.to_string()),
            },
        )
    });
    let reacted = case.table.reactions.iter().rev().take(most).map(|given| {
        (
            given.id,
            Lying::Reacted {
                round: given.round,
                who: given.who.as_str(),
                reaction: given.reaction.word(),
                text: given.text.as_deref(),
                to: given.to.to_string(),
            },
        )
    });
    let mut talk: Vec<_> = said.chain(reacted).collect();
    talk.sort_by_key(|(id, _)| *id);
    let all = case.table.said.len() + case.table.reactions.len();
    talk.drain(..talk.len().saturating_sub(most));
    if talk.len() < all {
        lying.push(Lying::Earlier { count: all - talk.len() });
    }
    lying.extend(talk.into_iter().map(|(_, item)| item));
    lying
}
