//! From what was written to what holds: what happens, in order.

use super::defaults::stage as usual;
use super::draft::{DraftKind, DraftStage};
use super::settle::Settler;
use super::source::Lined;
use super::{Knob, Speak, Stage, StageKind};
use crate::floor::Order;
use crate::kernel::Threshold;
use crate::lens::Sees;

/// Tables whose settings go by the table's name, as those of a stage go by its own.
const RESERVED: [&str; 5] = ["ballot", "motion", "ring", "turn", "watch"];

impl Settler<'_> {
    pub(super) fn stages(&mut self, drafts: Vec<DraftStage>) -> Option<Vec<Stage>> {
        let broken = self.flaws.iter().any(|flaw| flaw.key == "stage" || flaw.key.is_empty());
        if drafts.is_empty() && !broken {
            self.error(
                1,
                "stage",
                "there is no stage",
                "write at least one [[stage]], the last with kind = \"vote\"",
            );
        }
        let last = drafts.len().saturating_sub(1);
        let mut stages: Vec<Stage> = Vec::new();
        let mut whole = true;
        for (i, draft) in drafts.into_iter().enumerate() {
            let line = draft.line;
            if i == last {
                self.last_stage(&draft);
            }
            self.stances_before(&draft, stages.last());
            match self.stage(draft) {
                Some(stage) if stages.iter().any(|known| known.name == stage.name) => {
                    let wrong = format!("there are two stages \"{}\"", stage.name);
                    self.error(line, "stage.name", wrong, "give each stage its own name");
                }
                Some(stage) => stages.push(stage),
                None => whole = false,
            }
        }
        whole.then_some(stages)
    }

    /// Flaws of a stage of speech that has settings of a vote.
    fn not_of_a_vote(&mut self, early: Option<Lined<Knob<Threshold>>>, stances: Option<Lined<bool>>) {
        if let Some(early) = early {
            self.error(early.line, "stage.early", "only a vote can settle early", "use `until_clear` here");
        }
        if let Some(stances) = stances.filter(|stances| stances.value) {
            let fix = "remove it, or write it in a stage of kind = \"vote\"";
            self.error(stances.line, "stage.stances", "only a vote can count stances", fix);
        }
    }

    /// Stances are counted only where they were just taken.
    fn stances_before(&mut self, draft: &DraftStage, before: Option<&Stage>) {
        let spoken = before.is_some_and(|stage| matches!(stage.kind, StageKind::Speak(_)));
        if let Some(stances) = draft.stances.as_ref().filter(|stances| stances.value && !spoken) {
            let fix = "remove it, or put a stage of kind = \"speak\" before this one";
            self.error(stances.line, "stage.stances", "no stage before this vote takes stances", fix);
        }
    }

    fn last_stage(&mut self, draft: &DraftStage) {
        if let Some(kind) = draft.kind.as_ref().filter(|kind| kind.value == DraftKind::Speak) {
            self.error(
                kind.line,
                "stage.kind",
                "the last stage is not a vote",
                "end with a stage of kind = \"vote\"",
            );
        } else if let Some(early) = &draft.early {
            let fix = "leave `early` out: the last vote always settles the matter";
            self.error(early.line, "stage.early", "the last vote cannot leave the matter open", fix);
        }
    }

    fn stage(&mut self, draft: DraftStage) -> Option<Stage> {
        let line = draft.line;
        let named = draft.name.as_ref().map_or(line, |name| name.line);
        let name = self.stage_need(draft.name, line, "name", "name = \"…\"");
        if let Some(name) = name.as_deref().filter(|name| RESERVED.contains(name)) {
            let wrong =
                format!("\"{name}\" is a table of charters, so its settings could not be distinguished");
            self.error(named, "stage.name", wrong, "choose another name");
        }
        let kind = self.stage_need(draft.kind, line, "kind", "kind = \"speak\" or kind = \"vote\"")?;
        let kind = match kind {
            DraftKind::Vote => {
                let speaking = [
                    ("floor", draft.floor.map(|it| it.line)),
                    ("sees", draft.sees.map(|it| it.line)),
                    ("rounds", draft.rounds.map(|it| it.line)),
                    ("until_clear", draft.until_clear.map(|it| it.line)),
                    ("until_still", draft.until_still.map(|it| it.line)),
                    ("crux", draft.crux.map(|it| it.line)),
                    ("panel", draft.panel.map(|it| it.line)),
                ];
                for (key, line) in speaking.into_iter().filter_map(|(key, line)| line.map(|line| (key, line)))
                {
                    self.error(
                        line,
                        &format!("stage.{key}"),
                        "a vote does not have this setting",
                        "remove it",
                    );
                }
                StageKind::Vote {
                    early: self.stage_share(draft.early, name.as_deref(), "early"),
                    stances: draft.stances.map_or(usual::STANCES, |stances| stances.value),
                }
            }
            DraftKind::Speak => {
                self.not_of_a_vote(draft.early, draft.stances);
                let floor = self.stage_need(
                    draft.floor,
                    line,
                    "floor",
                    "floor = \"parallel\", \"sequential\" or \"teams\"",
                );
                let sees = self.stage_need(draft.sees, line, "sees", "sees = \"earlier-rounds\"");
                let rounds = draft.rounds.map_or(Lined { value: usual::ROUNDS, line }, |rounds| rounds);
                if rounds.value.from == 0 {
                    self.error(
                        rounds.line,
                        "stage.rounds",
                        "a stage needs at least 1 round",
                        "write 1 or more",
                    );
                }
                if let (Some(Sees::Team), Some(Order::Parallel | Order::Sequential)) = (sees, floor) {
                    let fix = "write floor = \"teams\", or sees = \"so-far\"";
                    self.error(line, "stage.sees", "this floor has no teams", fix);
                }
                let until_clear = self.stage_share(draft.until_clear, name.as_deref(), "until_clear");
                let panel = draft.panel.and_then(|panel| self.panel(panel, floor, sees));
                StageKind::Speak(Speak {
                    panel,
                    floor: floor?,
                    sees: sees?,
                    rounds: rounds.value,
                    until_clear,
                    until_still: draft.until_still.map_or(usual::UNTIL_STILL, |still| still.value),
                    crux: draft.crux.map_or(usual::CRUX, |crux| crux.value),
                })
            }
        };
        Some(Stage { name: name?, kind })
    }

    /// A share of a stage. It is a setting under the stage's name.
    fn stage_share(
        &mut self,
        given: Option<Lined<Knob<Threshold>>>,
        stage: Option<&str>,
        key: &str,
    ) -> Option<Threshold> {
        let Lined { value, line } = given?;
        self.can_be_met(line, &format!("stage.{key}"), value);
        Some(self.movable(format!("{}.{key}", stage.unwrap_or_default()), value))
    }

    /// As `need`, but for one stage among several: a flaw of another stage must not hide this one's.
    fn stage_need<T>(&mut self, value: Option<Lined<T>>, line: usize, key: &str, write: &str) -> Option<T> {
        let path = format!("stage.{key}");
        let noted =
            self.flaws.iter().any(|flaw| flaw.key == path && flaw.line >= line && flaw.line <= line + 20);
        if value.is_none() && !noted {
            self.error(line, &path, "this is missing", format!("write {write}"));
        }
        value.map(|value| value.value)
    }
}
