//! Whether agents may run by themselves: without oversight they may not. A pure look at who is there.

use super::{Roster, WorkRole};

/// How agents are to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HealthMode {
    /// Beside a person who edits.
    Editor,
    /// As a team, which needs somebody who slices its work.
    Team,
}

impl HealthMode {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 2] = [("editor", Self::Editor), ("team", Self::Team)];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Team => "team",
        }
    }
}

/// One reason not to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreflightFlaw {
    /// A team needs exactly one active assistant.
    InvalidAssistantCount {
        /// How many there are.
        active: u32,
    },
    /// Nobody active moderates.
    NoModerator,
    /// Nobody active can be told to object.
    NoDevilsAdvocate,
    /// The charter that issues are opened under checks nothing, or there is none.
    CircuitBreakersDisabled,
}

impl PreflightFlaw {
    /// The stable code.
    pub fn code(self) -> &'static str {
        match self {
            Self::InvalidAssistantCount { .. } => "INVALID_ASSISTANT_COUNT",
            Self::NoModerator => "NO_MODERATOR",
            Self::NoDevilsAdvocate => "NO_DEVILS_ADVOCATE",
            Self::CircuitBreakersDisabled => "CIRCUIT_BREAKERS_DISABLED",
        }
    }

    /// What is wrong, with the true count.
    pub fn message(self) -> String {
        match self {
            Self::InvalidAssistantCount { active } => {
                format!("a team needs exactly one active assistant, and there are {active}")
            }
            Self::NoModerator => {
                "no active participant is a moderator, and there must be at least one".into()
            }
            Self::NoDevilsAdvocate => {
                "no active participant can be a devil's advocate, and there must be at least one".into()
            }
            Self::CircuitBreakersDisabled => {
                "the charter of the issues switches the checks of comments off, or no charter was chosen"
                    .into()
            }
        }
    }

    /// The command that mends it.
    pub fn fix(self) -> &'static str {
        match self {
            Self::InvalidAssistantCount { active: 0 } => "synod agents appoint NAME --role assistant",
            Self::InvalidAssistantCount { .. } => "synod agents appoint NAME --disable",
            Self::NoModerator => "synod agents appoint NAME --role moderator",
            Self::NoDevilsAdvocate => "synod agents appoint NAME --devils-advocate",
            Self::CircuitBreakersDisabled => "synod issue rules workshop",
        }
    }
}

/// Whether agents may run, and every reason why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preflight {
    /// How they are to work.
    pub mode: HealthMode,
    /// Active assistants.
    pub assistants: u32,
    /// Active moderators.
    pub moderators: u32,
    /// Active participants that can be told to object.
    pub advocates: u32,
    /// Whether comments are checked.
    pub breakers: bool,
    /// Every reason not to run, gravest first. The first is the code.
    pub flaws: Vec<PreflightFlaw>,
}

impl Preflight {
    /// Whether agents may run.
    pub fn is_ok(&self) -> bool {
        self.flaws.is_empty()
    }
}

/// Looks whether agents may run. Those who are not active do not count.
pub fn preflight(mode: HealthMode, roster: &Roster, breakers: bool) -> Preflight {
    let in_role = |role: WorkRole| {
        roster.active().filter(|(_, appointment)| appointment.role == Some(role)).count() as u32
    };
    let (assistants, moderators) = (in_role(WorkRole::Assistant), in_role(WorkRole::Moderator));
    let advocates =
        roster.active().filter(|(_, appointment)| appointment.can_be_devils_advocate).count() as u32;
    let mut flaws = Vec::new();
    if mode == HealthMode::Team && assistants != 1 {
        flaws.push(PreflightFlaw::InvalidAssistantCount { active: assistants });
    }
    if moderators == 0 {
        flaws.push(PreflightFlaw::NoModerator);
    }
    if advocates == 0 {
        flaws.push(PreflightFlaw::NoDevilsAdvocate);
    }
    if !breakers {
        flaws.push(PreflightFlaw::CircuitBreakersDisabled);
    }
    Preflight { mode, assistants, moderators, advocates, breakers, flaws }
}
