//! The ladder that an issue climbs: draft, tentative, agreed, canon. Who may move it, and by which step.
//!
//! The user and the lead may set any step below canon and may promote at any time. Agents climb one step at a time and
//! only with the support that the step asks for; they never lower an issue.

use imbl::OrdSet;
use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::kernel::{Actor, Epistemic, Who};

/// In which role somebody moves an issue or an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CanonRole {
    /// An agent.
    Agent,
    /// The team lead.
    Lead,
    /// The person the house belongs to.
    User,
}

impl CanonRole {
    /// Whether the role decides alone.
    pub fn decides(self) -> bool {
        match self {
            Self::Agent => false,
            Self::Lead | Self::User => true,
        }
    }
}

/// Who moves something, and in which role. The caller has established both; canon believes neither a name nor a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mover {
    /// Who.
    pub by: Actor,
    /// In which role.
    pub role: CanonRole,
}

/// The rules of promotion, from the charter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Agents may promote without the user or the lead.
    pub agents_promote: bool,
    /// Then so many distinct agents must support the issue.
    pub agent_votes: u32,
}

impl Default for Rules {
    /// As the seed has it: only the user and the lead promote; where agents may, three of them have to agree.
    fn default() -> Self {
        Self { agents_promote: false, agent_votes: 3 }
    }
}

/// Who supports an issue, as the ladder counts it.
#[derive(Debug, Clone, Copy)]
pub struct IssueSupport<'a> {
    /// Where the issue stands; a draft where there is none.
    pub status: Epistemic,
    /// Who opened the issue; their own support lifts it nowhere.
    pub author: Option<&'a Who>,
    /// Everyone who finds it sound.
    pub supporters: &'a OrdSet<Who>,
    /// Those of them that are agents: the only ones whose votes promote.
    pub agents: &'a OrdSet<Who>,
}

impl IssueSupport<'_> {
    /// How many support it besides its author.
    pub fn besides_author(&self) -> u32 {
        self.supporters.iter().filter(|who| Some(*who) != self.author).count() as u32
    }

    /// The agents that support it. A supporter counts once under any spelling, since ids are canonical.
    pub fn agent_votes(&self) -> Vec<Who> {
        self.supporters.iter().filter(|who| self.agents.contains(*who)).cloned().collect()
    }
}

/// Whether somebody may move an issue from one step to another. To canon leads only promotion.
pub fn may_move(to: Epistemic, mover: &Mover, support: &IssueSupport<'_>) -> Result<(), Refusal> {
    let from = support.status;
    if from == to {
        return Err(Refusal::AlreadyThere { status: to });
    }
    if to == Epistemic::Canon || from == Epistemic::Canon {
        return Err(Refusal::OnlyByPromotion);
    }
    if mover.role.decides() {
        return Ok(());
    }
    if from.next() != Some(to) {
        return Err(Refusal::NotTheNextStep { from, to });
    }
    let (has, needs) = (support.besides_author(), to.support_needed());
    if has < needs {
        return Err(Refusal::TooLittleSupport { has, needs });
    }
    Ok(())
}

/// Whether somebody may make canon of an issue. `conflicts`: how many entries it contradicts.
pub(super) fn may_promote(
    rules: &Rules,
    status: Epistemic,
    mover: &Mover,
    votes: &[Who],
    conflicts: usize,
) -> Result<(), Refusal> {
    if mover.role.decides() {
        return Ok(());
    }
    if !rules.agents_promote {
        return Err(Refusal::AgentsMayNotPromote);
    }
    if status != Epistemic::Agreed {
        return Err(Refusal::NotAgreed { status });
    }
    let (has, needs) = (votes.len() as u32, rules.agent_votes);
    if has < needs {
        return Err(Refusal::TooFewVotes { has, needs });
    }
    match conflicts {
        0 => Ok(()),
        count => Err(Refusal::Contradicts { count }),
    }
}
