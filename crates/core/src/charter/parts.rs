//! From what was written to what holds, for what only some modes have: roles, perspectives, tools, what is
//! hidden, what is watched for, panels.

use super::defaults::{self, watch as usual};
use super::draft::{DraftPerspective, DraftRole, DraftTools, DraftWatch, TextListField};
use super::settle::Settler;
use super::source::Lined;
use super::{Panel, WatchRules};
use crate::brief::{Part, Tools};
use crate::context;
use crate::floor::FloorOrder;
use crate::kernel::{Perspective, text};
use crate::lens::{self, Sees};
use crate::roster::{Role, Roles};
use crate::watch;

/// What can be done to what is seen, as it is written.
const TRANSFORMS: [&str; 2] = ["anonymize", "statistics"];

impl Settler<'_> {
    /// What a role says to who plays it.
    pub(super) fn part(&mut self, draft: &DraftRole) -> Option<Part> {
        let line = draft.line;
        let mut text = |value: &Option<Lined<String>>, key: &str| {
            self.need(value.clone(), line, &format!("role.{key}"), &format!("{key} = \"…\""))
        };
        let (name, emoji, title) =
            (text(&draft.name, "name"), text(&draft.emoji, "emoji"), text(&draft.title, "title"));
        let (definition, mission) = (text(&draft.definition, "definition"), text(&draft.mission, "mission"));
        let list =
            |texts: &TextListField| texts.as_ref().map(|texts| texts.value.clone()).unwrap_or_default();
        Some(Part {
            definition: definition?,
            emoji: emoji?,
            mission: mission?,
            must: list(&draft.must),
            must_not: list(&draft.must_not),
            name: name?,
            title: title?,
        })
    }

    /// Who plays what.
    pub(super) fn roles(
        &mut self,
        drafts: &[DraftRole],
        (by_seats, beyond): (TextListField, TextListField),
        yes_no_only: bool,
    ) -> Option<Roles> {
        let mut roles: Vec<Role> = Vec::new();
        for draft in drafts {
            let Some(name) = &draft.name else { continue };
            if roles.iter().any(|known| known.name == name.value) {
                let wrong = format!("there are two roles \"{}\"", name.value);
                self.error(name.line, "role.name", wrong, "give each role its own name");
            }
            if name.value.contains(char::is_whitespace) {
                let wrong = format!("\"{}\" contains a space", name.value);
                self.error(name.line, "role.name", wrong, "write it in one word");
            }
            let expects = draft.expects.as_ref().map(|side| side.value);
            roles.push(Role { expects, name: name.value.clone() });
        }
        let line = |texts: &TextListField| texts.as_ref().map(|texts| texts.line);
        let at = line(&by_seats).or(line(&beyond));
        if roles.is_empty() {
            if let Some(line) = at {
                self.error(
                    line,
                    "roles",
                    "there is no role with these names",
                    "write a [[role]] for each name",
                );
            }
            return None;
        }
        let Some(line) = at else {
            let line = drafts.first().map_or(1, |draft| draft.line);
            self.error(line, "roles", "no seat gets these roles", "write [roles] with by_seats or beyond");
            return None;
        };
        let rows = by_seats.map_or_else(Vec::new, |rows| rows.value);
        let by_seats: Vec<Vec<String>> =
            rows.iter().map(|row| row.split_whitespace().map(str::to_string).collect()).collect();
        for (i, row) in by_seats.iter().enumerate() {
            if row.len() != i + 1 {
                let wrong = format!("entry {} names {}", i + 1, text::counted(row.len() as u64, "role"));
                self.error(
                    line,
                    "roles.by_seats",
                    wrong,
                    format!("name {}, one for each seat", text::counted(i as u64 + 1, "role")),
                );
            }
        }
        let beyond = beyond.map_or_else(Vec::new, |beyond| beyond.value);
        self.seated(line, &roles, &by_seats, &beyond);
        Some(Roles { beyond, by_seats, roles, yes_no_only })
    }

    /// Every name means a role, every role is somebody's.
    fn seated(&mut self, line: usize, roles: &[Role], by_seats: &[Vec<String>], beyond: &[String]) {
        let named: Vec<&String> = by_seats.iter().flatten().chain(beyond).collect();
        let mut unknown: Vec<&String> =
            named.iter().copied().filter(|name| roles.iter().all(|role| role.name != **name)).collect();
        unknown.sort();
        unknown.dedup();
        for name in unknown {
            let near = text::nearest(name, roles.iter().map(|role| role.name.as_str()));
            let fix =
                near.map_or("describe it in a [[role]]".into(), |near| format!("did you mean `{near}`?"));
            self.error(line, "roles", format!("there is no role \"{name}\""), fix);
        }
        for role in roles.iter().filter(|role| !named.contains(&&role.name)) {
            let wrong = format!("no seat is ever given the role \"{}\"", role.name);
            self.error(line, "roles", wrong, "name it in by_seats or beyond, or remove it");
        }
        if beyond.is_empty() {
            let wrong = format!("more than {} seats would have no role", by_seats.len());
            self.error(
                line,
                "roles.beyond",
                wrong,
                "write beyond = [\"…\"]: roles for further seats in turn",
            );
        }
    }

    pub(super) fn lens(&mut self, transforms: TextListField) -> lens::Rules {
        let Some(Lined { value: named, line }) = transforms else { return lens::Rules::default() };
        for name in named.iter().filter(|name| !TRANSFORMS.contains(&name.as_str())) {
            let wrong = format!("\"{name}\" is unknown");
            self.error(line, "lens.transforms", wrong, "write \"anonymize\", \"statistics\" or both");
        }
        let has = |wanted: &str| named.iter().any(|name| name == wanted);
        lens::Rules { anonymize: has(TRANSFORMS[0]), statistics: has(TRANSFORMS[1]) }
    }

    pub(super) fn tools(&mut self, draft: DraftTools) -> Option<Tools> {
        let list = |texts: TextListField| texts.map(|texts| texts.value).unwrap_or_default();
        let reason = self.need(draft.reason, draft.line, "tools.reason", "reason = \"why\"");
        Some(Tools {
            discouraged: list(draft.discouraged),
            encouraged: list(draft.encouraged),
            reason: reason?,
        })
    }

    pub(super) fn perspectives(&mut self, drafts: Vec<DraftPerspective>) -> Vec<Perspective> {
        let mut perspectives = Vec::new();
        for draft in drafts {
            let line = draft.line;
            let name = self.need(draft.name, line, "perspective.name", "name = \"security\"");
            let view = self.need(draft.view, line, "perspective.view", "view = \"what it looks at\"");
            let (Some(name), Some(view)) = (name, view) else { continue };
            for (key, text, most) in
                [("name", &name, context::NAME_MOST), ("view", &view, context::VIEW_MOST)]
            {
                if let Err(wrong) = context::fits("this", text, most) {
                    self.error(line, &format!("perspective.{key}"), wrong.to_string(), "shorten it");
                }
            }
            perspectives.push(Perspective { name, view });
        }
        perspectives
    }

    pub(super) fn watch(&mut self, draft: DraftWatch) -> WatchRules {
        let still_rounds = self.within(draft.still_rounds, "watch.still_rounds", usual::STILL_ROUNDS) as u32;
        if let Some(Lined { value: early, line }) = &draft.early
            && early.to > 1
        {
            self.error(*line, "watch.early", "this is not 0 or 1", "write { is = 1, from = 0, to = 1 }");
        }
        let rules = watch::Rules {
            confidence: self.share(draft.confidence, "watch.confidence", usual::CONFIDENCE),
            consensus: self.share(draft.consensus, "watch.consensus", usual::CONSENSUS),
            groupthink: draft.groupthink.map_or(usual::GROUPTHINK, |value| value.value),
            still_rounds,
        };
        WatchRules { early: draft.early.map_or(usual::EARLY, |early| early.value), rules }
    }

    pub(super) fn panel(
        &mut self,
        draft: Lined<Vec<u64>>,
        floor: Option<FloorOrder>,
        sees: Option<Sees>,
    ) -> Option<Panel> {
        let Lined { value: steps, line } = draft;
        let rising = steps.windows(2).all(|pair| pair[0] < pair[1]);
        let sound = |step: &u64| (2..=10_000).contains(step);
        if steps.is_empty() || !rising || !steps.iter().all(sound) {
            self.error(
                line,
                "stage.panel",
                "these are not rising numbers of seats",
                "write a list such as [3, 5, 7]",
            );
            return None;
        }
        if floor.is_some_and(|floor| floor != FloorOrder::Parallel)
            || sees.is_some_and(|sees| sees != Sees::Nothing)
        {
            let fix = "a panel needs floor = \"parallel\" and sees = \"nothing\"";
            self.error(line, "stage.panel", "these seats would not answer independently", fix);
        }
        let steps = steps.into_iter().map(|step| step as u32).collect();
        Some(Panel { on: defaults::stage::PANEL, steps })
    }
}
