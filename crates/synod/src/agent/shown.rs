//! What participants are shown, as it is read back from JSON: the same whether it came from a journal or over a wire.

use serde::{Deserialize, Serialize};
use synod_core::ballot::Secrecy;
use synod_core::kernel::{AmendmentId, AskId, At, Id, MatterId, ProposalId, Who};

use crate::fail::{Fail, Result};

/// A turn: one thing a participant is asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Sheet {
    pub(crate) ask: AskId,
    pub(crate) matter: MatterId,
    pub(crate) who: Who,
    pub(crate) task: String,
    pub(crate) phase: String,
    pub(crate) topic: String,
    pub(crate) round: u32,
    pub(crate) rounds: u32,
    pub(crate) until: At,
    pub(crate) acknowledged: bool,
    pub(crate) prompt: String,
}

/// What came of waiting for a turn.
#[derive(Debug)]
pub(crate) enum Next {
    /// This turn.
    Turn(Box<Sheet>),
    /// The ring is over, in this phase, for this reason.
    Over(MatterId, String, Option<String>),
    /// The participant takes part no longer.
    Gone(MatterId, String),
    /// Nothing, for as long as one would wait.
    Nothing,
    /// The same, and no open ring has a place for the participant.
    Uninvited,
}

/// What came of a write.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Told {
    /// The number of the act.
    pub(crate) act: u64,
    /// What happened, in order.
    pub(crate) events: Vec<Happened>,
}

/// One thing that happened.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Happened {
    /// What it gave birth to is named by this.
    pub(crate) id: Id,
    /// Organ and event, such as `table/said`.
    pub(crate) kind: String,
}

/// A ring with what it is about.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) matter: MatterId,
    pub(crate) number: u64,
    pub(crate) topic: String,
    pub(crate) charter: String,
    pub(crate) status: String,
    pub(crate) headline: String,
    pub(crate) ring: Ring,
    /// The same whole, as JSON.
    pub(crate) session: serde_json::Value,
}

/// A ring as it stands.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Ring {
    pub(crate) phase: String,
    pub(crate) reason: Option<String>,
    pub(crate) round: u32,
    pub(crate) rounds: u32,
    pub(crate) until: Option<At>,
    pub(crate) holder: Option<Holder>,
    pub(crate) members: Vec<Member>,
    pub(crate) said: Vec<Said>,
    pub(crate) proposals: Vec<Proposed>,
    pub(crate) vote: Option<Vote>,
    pub(crate) committed: Option<ProposalId>,
}

/// Who has the floor.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Holder {
    pub(crate) who: Who,
    pub(crate) ask: AskId,
    pub(crate) until: At,
    pub(crate) acknowledged: bool,
}

/// Somebody invited.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Member {
    pub(crate) who: Who,
    pub(crate) name: String,
    pub(crate) state: String,
    pub(crate) why: Option<String>,
}

/// A statement.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Said {
    pub(crate) id: Id,
    pub(crate) round: u32,
    pub(crate) who: Who,
    pub(crate) kind: String,
    pub(crate) text: String,
}

/// A proposal.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Proposed {
    pub(crate) id: ProposalId,
    pub(crate) letter: char,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) version: u32,
    pub(crate) who: Who,
    pub(crate) amendments: Vec<Change>,
    pub(crate) support: u32,
}

/// A change wanted to a proposal.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Change {
    pub(crate) id: AmendmentId,
    pub(crate) who: Who,
    pub(crate) text: String,
    pub(crate) accepted: Option<bool>,
}

/// The vote.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Vote {
    pub(crate) rule: Rule,
    pub(crate) voted: Vec<Who>,
    pub(crate) missing: Vec<Who>,
    pub(crate) results: Vec<Counted>,
}

/// What a participant needs to know of the rule of a vote.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Rule {
    #[serde(default)]
    pub(crate) secrecy: Secrecy,
}

/// What the votes on a proposal came to.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Counted {
    pub(crate) proposal: ProposalId,
    pub(crate) grades: Vec<(String, u32)>,
}

impl Ring {
    /// Whether nothing more will happen in it.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.phase.as_str(), "COMMITTED" | "ABORTED" | "DEFERRED")
    }

    /// The proposal a person means: by its letter or its id.
    pub(crate) fn proposal(&self, written: &str) -> Result<&Proposed> {
        self.find(written).ok_or_else(|| {
            let known: Vec<String> =
                self.proposals.iter().map(|put| format!("{} (id {})", put.letter, put.id)).collect();
            let known = match known.is_empty() {
                true => "none lies on the table yet".into(),
                false => format!("there are {}", known.join(", ")),
            };
            Fail::usage(format!("`{written}` is no proposal of this ring: {known}"))
        })
    }

    fn find(&self, written: &str) -> Option<&Proposed> {
        let written = written.trim();
        let lettered = |put: &&Proposed| written.eq_ignore_ascii_case(&put.letter.to_string());
        let numbered = |put: &&Proposed| written.parse() == Ok(put.id);
        self.proposals.iter().find(lettered).or_else(|| self.proposals.iter().find(numbered))
    }

    /// The only proposal, for commands that may leave its letter out.
    pub(crate) fn only_proposal(&self) -> Result<&Proposed> {
        match self.proposals.as_slice() {
            [only] => Ok(only),
            [] => Err(Fail::usage("no proposal lies on the table")),
            several => {
                let letters: Vec<String> =
                    several.iter().map(|put| format!("{}: {}", put.letter, put.title)).collect();
                Err(Fail::usage(format!("which proposal? Name its letter:\n  {}", letters.join("\n  "))))
            }
        }
    }

    /// Anything on the table: a proposal by letter or id, anything else by id.
    pub(crate) fn anything(&self, written: &str) -> Result<Id> {
        match self.find(written) {
            Some(put) => Ok(put.id.0),
            None => written.trim().parse().map_err(|_| {
                let message = format!(
                    "`{written}` names nothing on the table: write a proposal's letter, or an id such as 57 or 57.2; `synod ring status` shows them"
                );
                Fail::usage(message)
            }),
        }
    }

    /// A change by its id, or by the letter of a proposal that only one is wanted to.
    pub(crate) fn change(&self, written: &str) -> Result<AmendmentId> {
        let Some(put) = self.find(written) else {
            return Ok(AmendmentId(self.anything(written)?));
        };
        let open: Vec<&Change> = put.amendments.iter().filter(|change| change.accepted.is_none()).collect();
        match open.as_slice() {
            [only] => Ok(only.id),
            [] => Err(Fail::usage(format!("no change to proposal {} waits for a ruling", put.letter))),
            several => {
                let ids: Vec<String> = several.iter().map(|change| change.id.to_string()).collect();
                let message =
                    format!("which change to proposal {}? Name its id: {}", put.letter, ids.join(", "));
                Err(Fail::usage(message))
            }
        }
    }
}
