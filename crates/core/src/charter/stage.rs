//! From what was written to what holds: what happens, in order.

use super::defaults::stage as usual;
use super::draft::{DraftKind, DraftStage};
use super::settle::Settler;
use super::source::Lined;
use super::{Knob, RedTeam, Speak, Stage, StageKind};
use crate::floor::FloorOrder;
use crate::kernel::Threshold;
use crate::lens::Sees;

/// Tables whose settings go by the table's name, as those of a stage go by its own.
const RESERVED: [&str; 6] = ["ballot", "motion", "parliament", "ring", "turn", "watch"];

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
        let mut kinds: Vec<(usize, StageKind)> = Vec::new();
        let mut before = None;
        for (i, draft) in drafts.into_iter().enumerate() {
            let line = draft.line;
            if i == last {
                self.last_stage(&draft);
            }
            self.stances_before(&draft, before);
            before = draft.kind.as_ref().map(|kind| kind.value);
            match self.stage(draft) {
                Some(stage) if stages.iter().any(|known| known.name == stage.name) => {
                    let wrong = format!("there are two stages \"{}\"", stage.name);
                    self.error(line, "stage.name", wrong, "give each stage its own name");
                }
                Some(stage) => {
                    kinds.push((line, stage.kind.clone()));
                    stages.push(stage);
                }
                None => whole = false,
            }
        }
        if whole {
            self.in_order(&kinds);
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
    fn stances_before(&mut self, draft: &DraftStage, before: Option<DraftKind>) {
        let spoken = before == Some(DraftKind::Speak);
        if let Some(stances) = draft.stances.as_ref().filter(|stances| stances.value && !spoken) {
            let fix = "remove it, or put a stage of kind = \"speak\" before this one";
            self.error(stances.line, "stage.stances", "no stage before this vote takes stances", fix);
        }
    }

    fn last_stage(&mut self, draft: &DraftStage) {
        let settles = |kind| match kind {
            DraftKind::Vote | DraftKind::Estimate => true,
            DraftKind::Speak | DraftKind::Propose | DraftKind::Merge => false,
            DraftKind::Second | DraftKind::RedTeam => false,
        };
        if let Some(kind) = draft.kind.as_ref().filter(|kind| !settles(kind.value)) {
            self.error(
                kind.line,
                "stage.kind",
                "the last stage is not a vote",
                "end with a stage of kind = \"vote\", or kind = \"estimate\" for a number",
            );
        } else if let Some(early) = &draft.early {
            let fix = "leave `early` out: the last vote always settles the matter";
            self.error(early.line, "stage.early", "the last vote cannot leave the matter open", fix);
        }
    }

    /// Whether stages that find answers or numbers stand where they can work.
    fn in_order(&mut self, stages: &[(usize, StageKind)]) {
        let (mut proposed, mut merged) = (false, false);
        for (nth, (line, kind)) in stages.iter().enumerate() {
            let wrong = match kind {
                StageKind::Propose(_) if proposed => "answers are proposed twice",
                StageKind::Propose(_)
                    if stages[..nth].iter().any(|(_, it)| matches!(it, StageKind::Vote { .. })) =>
                {
                    "answers are proposed after a vote"
                }
                StageKind::Merge if !proposed || merged => {
                    "there is nothing to compare: no answers were proposed before"
                }
                StageKind::Estimate(_) if nth + 1 < stages.len() => "an estimate is the end of a matter",
                StageKind::Estimate(_)
                    if stages[..nth].iter().any(|(_, it)| !matches!(it, StageKind::Speak(_))) =>
                {
                    "a charter for numbers has no vote and no proposals"
                }
                StageKind::Propose(_) | StageKind::Merge | StageKind::Estimate(_) => "",
                StageKind::Speak(_) | StageKind::Vote { .. } => "",
                StageKind::Second { .. } if nth > 0 => "a motion is seconded before anything else happens",
                StageKind::RedTeam(_)
                    if !stages[..nth].iter().any(|(_, it)| matches!(it, StageKind::Speak(_))) =>
                {
                    "there is no majority to argue against: nobody spoke before"
                }
                StageKind::Second { .. } | StageKind::RedTeam(_) => "",
            };
            if !wrong.is_empty() {
                let fix = "see `synod charter show open`, `estimate` and `parliament-policy`";
                self.error(*line, "stage.kind", wrong, fix);
            }
            proposed |= matches!(kind, StageKind::Propose(_));
            merged |= matches!(kind, StageKind::Merge);
        }
    }

    /// Notes what was written that this kind of stage does not have.
    fn only(&mut self, written: &[(&str, usize)], known: &[&str], wrong: &str) {
        for (key, line) in written.iter().filter(|(key, _)| !known.contains(key)) {
            self.error(*line, &format!("stage.{key}"), wrong, "remove it");
        }
    }

    fn some_rounds(&mut self, rounds: &Lined<Knob>) {
        if rounds.value.from == 0 {
            self.error(rounds.line, "stage.rounds", "a stage needs at least 1 round", "write 1 or more");
        }
    }

    fn stage(&mut self, draft: DraftStage) -> Option<Stage> {
        let (line, written) = (draft.line, written(&draft));
        let named = draft.name.as_ref().map_or(line, |name| name.line);
        let name = self.stage_need(draft.name, line, "name", "name = \"…\"");
        if let Some(name) = name.as_deref().filter(|name| RESERVED.contains(name)) {
            let wrong =
                format!("\"{name}\" is a table of charters, so its settings could not be distinguished");
            self.error(named, "stage.name", wrong, "choose another name");
        }
        let write =
            "kind = \"speak\", \"vote\", \"propose\", \"merge\", \"estimate\", \"second\" or \"red-team\"";
        let kind = self.stage_need(draft.kind, line, "kind", write)?;
        let kind = match kind {
            DraftKind::Vote => {
                self.only(&written, &["early", "stances"], "a vote does not have this setting");
                StageKind::Vote {
                    early: self.stage_share(draft.early, name.as_deref(), "early"),
                    stances: draft.stances.map_or(usual::STANCES, |stances| stances.value),
                }
            }
            DraftKind::Propose => {
                self.only(
                    &written,
                    &[],
                    "proposals are made once, by all seats at once, so this cannot be set",
                );
                StageKind::Propose(at_once(Sees::Nothing, usual::ROUNDS, false))
            }
            DraftKind::Merge => {
                self.only(&written, &[], "a stage in which answers are compared does not have this setting");
                StageKind::Merge
            }
            DraftKind::Estimate => {
                let wrong = "estimates are given by all seats at once, so this cannot be set";
                self.only(&written, &["rounds", "until_still"], wrong);
                let rounds = draft.rounds.unwrap_or(Lined { value: usual::ESTIMATE_ROUNDS, line });
                self.some_rounds(&rounds);
                let still = draft.until_still.map_or(usual::UNTIL_STILL, |still| still.value);
                StageKind::Estimate(at_once(Sees::EarlierRounds, rounds.value, still))
            }
            DraftKind::Second | DraftKind::RedTeam => {
                let numbers = [draft.asks, draft.on, draft.seats];
                let at = self.stage_share(draft.at, name.as_deref(), "at");
                self.motion_stage(kind, &written, numbers, at)
            }
            DraftKind::Speak => {
                self.only(&written, &SPEAK_KEYS, "a stage of speech does not have this setting");
                self.not_of_a_vote(draft.early, draft.stances);
                let floor = self.stage_need(
                    draft.floor,
                    line,
                    "floor",
                    "floor = \"parallel\", \"sequential\" or \"teams\"",
                );
                let sees = self.stage_need(draft.sees, line, "sees", "sees = \"earlier-rounds\"");
                let rounds = draft.rounds.unwrap_or(Lined { value: usual::ROUNDS, line });
                self.some_rounds(&rounds);
                if let (Some(Sees::Team), Some(FloorOrder::Parallel | FloorOrder::Sequential)) = (sees, floor)
                {
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

    /// A stage that only motions have.
    fn motion_stage(
        &mut self,
        kind: DraftKind,
        written: &[(&'static str, usize)],
        [asks, on, seats]: [Option<Lined<Knob>>; 3],
        at: Option<Threshold>,
    ) -> StageKind {
        let or = |given: Option<Lined<Knob>>, usual| given.map_or(usual, |given| given.value);
        if kind == DraftKind::Second {
            let wrong = "a stage in which a motion is seconded does not have this setting";
            self.only(written, &["asks"], wrong);
            return StageKind::Second { asks: or(asks, usual::ASKS) };
        }
        self.only(written, &["on", "seats", "at"], "a red team does not have this setting");
        let (on, seats, speak) = (or(on, usual::ON), or(seats, usual::TEAM), one_by_one());
        StageKind::RedTeam(RedTeam { at, on, seats, speak })
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

/// The settings that were written besides name and kind.
fn written(draft: &DraftStage) -> Vec<(&'static str, usize)> {
    let keys = [
        ("floor", draft.floor.as_ref().map(|it| it.line)),
        ("sees", draft.sees.as_ref().map(|it| it.line)),
        ("rounds", draft.rounds.as_ref().map(|it| it.line)),
        ("until_clear", draft.until_clear.as_ref().map(|it| it.line)),
        ("until_still", draft.until_still.as_ref().map(|it| it.line)),
        ("crux", draft.crux.as_ref().map(|it| it.line)),
        ("panel", draft.panel.as_ref().map(|it| it.line)),
        ("early", draft.early.as_ref().map(|it| it.line)),
        ("stances", draft.stances.as_ref().filter(|it| it.value).map(|it| it.line)),
        ("asks", draft.asks.as_ref().map(|it| it.line)),
        ("on", draft.on.as_ref().map(|it| it.line)),
        ("seats", draft.seats.as_ref().map(|it| it.line)),
        ("at", draft.at.as_ref().map(|it| it.line)),
    ];
    keys.into_iter().filter_map(|(key, line)| Some((key, line?))).collect()
}

/// What a stage of speech may set, besides settings of a vote, which have flaws of their own.
const SPEAK_KEYS: [&str; 9] =
    ["floor", "sees", "rounds", "until_clear", "until_still", "crux", "panel", "early", "stances"];

/// Those who were chosen speak one after the other and hear everything.
fn one_by_one() -> Speak {
    Speak {
        floor: FloorOrder::Sequential,
        sees: Sees::SoFar,
        rounds: Knob::fixed(1),
        until_clear: None,
        until_still: false,
        crux: false,
        panel: None,
    }
}

/// A stage in which all seats answer at once, and nobody hears another before the round is over.
fn at_once(sees: Sees, rounds: Knob, until_still: bool) -> Speak {
    Speak {
        floor: FloorOrder::Parallel,
        sees,
        rounds,
        until_clear: None,
        until_still,
        crux: false,
        panel: None,
    }
}
