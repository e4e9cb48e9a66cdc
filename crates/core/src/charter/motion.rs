//! Kinds of motion: what asks for more than the usual share, and what for less.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::DraftMotion;
use super::schema as of;
use super::setting::motion_pass;
use super::settle::Settler;
use super::{Charter, Refusal};
use crate::kernel::Threshold;

/// A kind of motion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Motion {
    /// What matters name it by.
    pub name: String,
    /// What carries it, in place of what the ballot says.
    pub pass: Threshold,
}

impl Charter {
    /// The kind of motion of that name.
    pub fn motion(&self, name: &str) -> Option<&Motion> {
        self.motions().iter().find(|motion| motion.name == name)
    }

    /// Whether a matter can be of that kind. One that names none goes by the ballot's own share.
    pub fn knows_motion(&self, motion: Option<&str>) -> Result<(), Refusal> {
        match motion {
            Some(wanted) if self.motion(wanted).is_none() => {
                let known = self.motions().iter().map(|motion| motion.name.clone()).collect();
                Err(Refusal::UnknownMotion { motion: wanted.into(), known })
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl Settler<'_> {
    pub(super) fn motions(&mut self, drafts: Vec<DraftMotion>) -> Vec<Motion> {
        let mut motions: Vec<Motion> = Vec::new();
        for draft in drafts {
            let line = draft.line;
            let name = self.need(draft.name, line, "motion.name", "name = \"constitutional\"");
            if let Some(pass) = &draft.pass {
                self.can_pass(pass.line, "motion.pass", pass.value);
            }
            let pass = self.need(draft.pass, line, "motion.pass", "pass = \">= 2/3\"");
            let (Some(name), Some(pass)) = (name, pass) else { continue };
            if !super::settle::is_name(&name) {
                let wrong = format!("\"{name}\" is not a name");
                self.error(line, "motion.name", wrong, "use a to z, 0 to 9 and `-`, at most 64 of them");
            }
            if motions.iter().any(|other| other.name == name) {
                self.error(
                    line,
                    "motion.name",
                    format!("the motion \"{name}\" is listed twice"),
                    "name each once",
                );
            }
            let pass = self.movable(motion_pass(&name), pass);
            motions.push(Motion { name, pass });
        }
        motions
    }
}

/// The schema of `[[motion]]`.
pub(super) fn schema() -> Value {
    let fields = serde_json::json!({
        "name": of::text("The name that a matter uses: a to z, 0 to 9 and `-`."),
        "pass": of::threshold("The share that carries it, in place of `ballot.pass`."),
    });
    of::table(fields, &["name", "pass"])
}
