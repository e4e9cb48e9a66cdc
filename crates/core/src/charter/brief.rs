//! From what was written to what holds: what participants are told.

use super::draft::{DraftBrief, DraftSection};
use super::settle::Settler;
use crate::brief::{Contract, RoleWording, Section, Wording, same_key};

impl Settler<'_> {
    pub(super) fn brief(&mut self, draft: DraftBrief) -> Option<Wording> {
        let line = draft.line;
        if !self.has_table(line, "brief") {
            return None;
        }
        let first = self.sections(draft.first, line, "first");
        let later = self.sections(draft.later, line, "later");
        let mut text =
            |value, key: &str| self.need(value, line, &format!("brief.{key}"), &format!("{key} = \"…\""));
        let role = (
            text(draft.emoji, "role.emoji"),
            text(draft.title, "role.title"),
            text(draft.definition, "role.definition"),
            text(draft.mission, "role.mission"),
            text(draft.persistence, "role.persistence"),
            text(draft.helpful, "role.helpful"),
            text(draft.not_helpful, "role.not_helpful"),
        );
        let failure = text(draft.failure, "contract.failure");
        let mut list =
            |value, key: &str| self.need(value, line, &format!("brief.{key}"), &format!("{key} = [\"…\"]"));
        let must = list(draft.must, "contract.must");
        let must_not = list(draft.must_not, "contract.must_not");
        let priority = list(draft.priority, "contract.priority");
        let checklist = list(draft.checklist, "checklist");
        let role = RoleWording {
            emoji: role.0?,
            title: role.1?,
            definition: role.2?,
            mission: role.3?,
            persistence: role.4?,
            helpful: role.5?,
            not_helpful: role.6?,
        };
        let contract = Contract { must: must?, must_not: must_not?, priority: priority?, failure: failure? };
        let (parts, tools) = (Vec::new(), None);
        Some(Wording { role, contract, first: first?, later: later?, checklist: checklist?, parts, tools })
    }

    fn sections(&mut self, drafts: Vec<DraftSection>, line: usize, list: &str) -> Option<Vec<Section>> {
        let path = format!("brief.{list}");
        if drafts.is_empty() {
            self.error(
                line,
                &path,
                "there is no section",
                format!("write at least one [[{path}]] with key and ask"),
            );
        }
        let mut sections: Vec<Section> = Vec::new();
        for draft in drafts {
            let line = draft.line;
            let key = self.need(draft.key, line, &format!("{path}.key"), "key = \"position\"")?;
            let ask = self.need(draft.ask, line, &format!("{path}.ask"), "ask = \"what belongs there\"")?;
            let plain = key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if !plain || key.len() > 40 {
                self.error(
                    line,
                    &format!("{path}.key"),
                    format!("\"{key}\" is not a key"),
                    "use a to z, 0 to 9 and `_`",
                );
            }
            if ["stance", "confidence"].iter().any(|taken| same_key(taken, &key)) {
                let wrong = format!("every statement has a \"{key}\" already");
                self.error(line, &format!("{path}.key"), wrong, "choose another key");
            }
            if sections.iter().any(|known| same_key(&known.key, &key)) {
                self.error(
                    line,
                    &format!("{path}.key"),
                    format!("there are two sections \"{key}\""),
                    "name each once",
                );
            }
            let optional = draft.optional.is_some_and(|optional| optional.value);
            sections.push(Section { key, ask, optional });
        }
        Some(sections)
    }
}
