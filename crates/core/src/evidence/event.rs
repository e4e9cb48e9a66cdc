//! What was found of what a comment cites.

use serde::{Deserialize, Serialize};

use super::FileFinding;
use crate::kernel::{About, AskChange, AskId, Id, MatterId, words};

/// What happens to evidence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The files that a comment cites were held against it.
    Checked {
        /// The ask it answers.
        ask: AskId,
        /// The comment, by the event that held it back.
        comment: Id,
        /// What was found, one for each file in the order they are cited.
        findings: Vec<FileFinding>,
        /// The matter.
        matter: MatterId,
    },
}

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        let Self::Checked { matter, .. } = self;
        About::Matter(*matter)
    }

    /// It answers the ask.
    pub fn ask(&self) -> AskChange {
        let Self::Checked { ask, .. } = self;
        AskChange::Answers(*ask)
    }
}

words!(enum Event { Checked { findings | ask, comment, matter } });
