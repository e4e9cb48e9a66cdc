//! How a council is held: its stages, its seats' patience, what it is told and what is watched for.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::defaults::watch as usual;
use super::setting::{SettingSlot, motion_pass};
use super::{Knob, Motion, Parliament};
use crate::kernel::{Perspective, Threshold};
use crate::matter::QuestionKind;
use crate::{brief, floor, gate, lens, roster, watch};

/// What a charter sets for its council.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Council {
    /// Time, patience and memory.
    pub turn: TurnRules,
    /// What is asked of a contribution.
    pub gate: gate::Rules,
    /// What participants are told.
    pub brief: Arc<brief::Wording>,
    /// What happens, in order. The last stage is a vote that settles the matter.
    pub stages: Vec<Stage>,
    /// What is done to what participants see.
    #[serde(default, skip_serializing_if = "lens::Rules::is_plain")]
    pub lens: lens::Rules,
    /// Which seat plays which part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<roster::Roles>,
    /// Fields the seats speak for, in turn, unless others are given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perspectives: Vec<Perspective>,
    /// Points of view for seats that share a model and were given none, in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub personas: Vec<String>,
    /// Kinds of motion that are carried by another share.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub motions: Vec<Motion>,
    /// What is watched for after each round.
    #[serde(default, skip_serializing_if = "WatchRules::is_usual")]
    pub watch: WatchRules,
    /// How motions are debated, where its matters are motions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parliament: Option<Parliament>,
}

/// The signs that are watched for, and whether they may end the talk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WatchRules {
    /// 1 where consensus, convergence or confidence end a stage of speech before its last round.
    pub early: Knob,
    /// What is watched for.
    #[serde(flatten)]
    pub rules: watch::Rules,
}

impl Default for WatchRules {
    fn default() -> Self {
        let rules = watch::Rules {
            confidence: usual::CONFIDENCE,
            consensus: usual::CONSENSUS,
            groupthink: usual::GROUPTHINK,
            still_rounds: usual::STILL_ROUNDS.usual as u32,
        };
        Self { early: usual::EARLY, rules }
    }
}

impl WatchRules {
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// Time, patience and memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnRules {
    /// How long a seat may take once its turn is really performed.
    pub limit_ms: Knob,
    /// The same for a person.
    pub person_limit_ms: Knob,
    /// How long an ask may wait for somebody to perform it.
    pub queue_ms: Knob,
    /// After so many lapses in a row a seat is not called any more.
    pub absent_after: Knob,
    /// How much of what was said a brief repeats before it turns into a digest, in characters.
    pub history_chars: Knob,
    /// How long a statement should be, in words.
    #[serde(default = "usual_words", skip_serializing_if = "is_usual_words")]
    pub words: Knob,
}

fn usual_words() -> Knob {
    super::defaults::turn::WORDS
}

fn is_usual_words(words: &Knob) -> bool {
    *words == usual_words()
}

/// One stage of a procedure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name, unique in the charter.
    pub name: String,
    /// What happens in it.
    pub kind: StageKind,
}

/// What happens in a stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// Rounds of speech.
    Speak(Speak),
    /// A vote.
    Vote {
        /// With this share on one side the vote settles the matter; with less, the next stage follows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        early: Option<Threshold>,
        /// A side that a seat took in the round before counts as its vote; only the others are asked.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        stances: bool,
    },
    /// Every seat proposes an answer, without knowing those of the others.
    Propose(Speak),
    /// The seats say which of the proposed answers mean the same.
    Merge,
    /// Every seat gives a number, alone first, then knowing how the numbers are spread. It settles the matter.
    Estimate(Speak),
    /// Seats are asked, one after the other, whether the motion shall be debated. The first who says so seconds it.
    Second {
        /// So many are asked at most.
        asks: Knob,
    },
    /// Some seats are ordered to argue against the majority.
    RedTeam(RedTeam),
}

/// How a red team is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedTeam {
    /// Only if the majority has at least this share; always if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Threshold>,
    /// 1 where it is used.
    pub on: Knob,
    /// How many seats.
    pub seats: Knob,
    /// How they get the floor.
    pub speak: Speak,
}

impl StageKind {
    /// How the floor is given in it; none where nobody speaks.
    pub fn speech(&self) -> Option<&Speak> {
        match self {
            Self::Speak(speak) | Self::Propose(speak) | Self::Estimate(speak) => Some(speak),
            Self::RedTeam(team) => Some(&team.speak),
            Self::Vote { .. } | Self::Merge | Self::Second { .. } => None,
        }
    }

    /// Whether those who speak in it take sides.
    pub fn takes_sides(&self) -> bool {
        match self {
            Self::Speak(_) | Self::Vote { .. } | Self::RedTeam(_) => true,
            Self::Propose(_) | Self::Merge | Self::Estimate(_) | Self::Second { .. } => false,
        }
    }
}

/// Rounds of speech.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speak {
    /// How the floor is given.
    pub floor: floor::FloorOrder,
    /// What speakers see.
    pub sees: lens::Sees,
    /// At most so many rounds.
    pub rounds: Knob,
    /// Ends early once the stances taken are so clear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_clear: Option<Threshold>,
    /// Ends early once a round moved nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub until_still: bool,
    /// Only what divides the seats is debated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub crux: bool,
    /// Not all seats are asked unless the first do not agree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
}

/// A panel that grows while its members do not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panel {
    /// 1 where it is used; 0 asks everyone.
    pub on: Knob,
    /// How many are asked, one step after the other.
    pub steps: Vec<u32>,
}

impl Council {
    /// Whether seats are told which side to argue, for a question with or without options.
    pub fn assigns_sides(&self, has_options: bool) -> bool {
        let roles = self.roles.iter().filter(|roles| !(has_options && roles.yes_no_only));
        roles.flat_map(|roles| &roles.roles).any(|role| role.expects.is_some())
    }

    /// Whether only some of so many seats are asked at first.
    pub(crate) fn asks_some_first(&self, seats: usize) -> bool {
        self.stages.iter().any(|stage| match &stage.kind {
            StageKind::Speak(Speak { panel: Some(panel), .. }) => {
                panel.on.is == 1 && panel.steps.first().is_some_and(|first| (*first as usize) < seats)
            }
            StageKind::Speak(_) | StageKind::Vote { .. } => false,
            StageKind::Propose(_) | StageKind::Merge | StageKind::Estimate(_) => false,
            StageKind::Second { .. } | StageKind::RedTeam(_) => false,
        })
    }

    /// Rounds of speech a matter holds at the least and at the most.
    pub(crate) fn rounds(&self) -> (u64, u64) {
        let (mut least, mut most) = (None, (0, 0));
        for stage in &self.stages {
            match &stage.kind {
                StageKind::Speak(speak) | StageKind::Propose(speak) | StageKind::Estimate(speak) => {
                    most = (most.0 + self.fewest_rounds(speak), most.1 + speak.rounds.is)
                }
                StageKind::Vote { early, .. } if early.is_some() && least.is_none() => least = Some(most.0),
                // It may find no majority to argue against.
                StageKind::RedTeam(team) => most.1 += team.on.is,
                StageKind::Vote { .. } | StageKind::Merge | StageKind::Second { .. } => (),
            }
        }
        (least.unwrap_or(most.0), most.1)
    }

    /// Only a stage that may end early can take fewer rounds than its setting says.
    fn fewest_rounds(&self, speak: &Speak) -> u64 {
        let watched = self.watch.early.is == 1 && speak.rounds.is > 1;
        let early = speak.until_still || speak.until_clear.is_some() || watched;
        if early { 1 } else { speak.rounds.is }
    }

    /// Calls a matter of so many seats makes at the least, and at the most if votes have to be asked for again;
    /// tries that fail aside.
    pub(crate) fn calls(&self, seats: u64, retries: u64) -> (u64, u64) {
        let (mut fewest, mut seats) = (seats, seats);
        let (mut sure, mut most) = (0, 0);
        let mut least = None;
        for stage in &self.stages {
            match &stage.kind {
                // Where all propose the same nobody need be asked which answers do.
                StageKind::Merge => most += seats,
                // Somebody may have seconded it before.
                StageKind::Second { asks } => most += seats.min(asks.is),
                StageKind::RedTeam(team) => most += seats.min(team.seats.is) * team.on.is,
                StageKind::Speak(speak) | StageKind::Propose(speak) | StageKind::Estimate(speak) => {
                    if let Some(panel) = speak.panel.as_ref().filter(|panel| panel.on.is == 1) {
                        // A panel that agrees at once leaves the others in reserve.
                        let first = panel.steps.first().map_or(seats, |step| u64::from(*step).min(seats));
                        let last = panel.steps.last().map_or(seats, |step| u64::from(*step).min(seats));
                        (fewest, seats) = (first, last);
                    }
                    sure += fewest * self.fewest_rounds(speak);
                    most += seats * speak.rounds.is;
                    // Where all propose the same no vote is held.
                    if matches!(stage.kind, StageKind::Propose(_)) && least.is_none() {
                        least = Some(sure);
                    }
                }
                StageKind::Vote { early, stances } => {
                    sure += if *stances { 0 } else { fewest };
                    most += seats * (1 + retries);
                    if early.is_some() && least.is_none() {
                        least = Some(sure);
                    }
                }
            }
        }
        (least.unwrap_or(sure), most)
    }

    /// Its stages.
    pub(crate) fn outline(&self) -> Vec<(String, Option<u64>)> {
        let row = |stage: &Stage| match &stage.kind {
            StageKind::Speak(speak) | StageKind::Propose(speak) | StageKind::Estimate(speak) => {
                (stage.name.clone(), Some(speak.rounds.is))
            }
            StageKind::RedTeam(team) => (stage.name.clone(), Some(team.on.is)),
            StageKind::Vote { .. } | StageKind::Merge | StageKind::Second { .. } => {
                (stage.name.clone(), None)
            }
        };
        self.stages.iter().map(row).collect()
    }

    /// The kind of question it is for, where it is for one that is answered by neither yes or no nor given options.
    pub fn kind(&self) -> Option<QuestionKind> {
        let of = |wanted: &dyn Fn(&StageKind) -> bool| self.stages.iter().any(|stage| wanted(&stage.kind));
        let estimates = of(&|kind| matches!(kind, StageKind::Estimate(_)));
        let proposes = of(&|kind| matches!(kind, StageKind::Propose(_)));
        let open = proposes.then_some(QuestionKind::Open);
        if estimates { Some(QuestionKind::Estimate) } else { open }
    }

    /// Kinds of motion it knows.
    pub(crate) fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// Fields the seats speak for, unless a matter gives others.
    pub(crate) fn perspectives(&self) -> &[Perspective] {
        &self.perspectives
    }

    /// Whether seats are not shown who spoke.
    pub(crate) fn hides_names(&self) -> bool {
        self.lens.anonymize
    }

    /// Calls lapse.
    pub(crate) fn is_timeless(&self) -> bool {
        false
    }

    /// Seats are called.
    pub(crate) fn runs_by_itself(&self) -> bool {
        false
    }

    /// After so many lapses in a row a seat is not called any more.
    pub(crate) fn absent_after(&self) -> u64 {
        self.turn.absent_after.is
    }

    /// A council lasts as long as its rounds do.
    pub(crate) fn time_limit(&self) -> Option<u64> {
        None
    }

    /// People get more time.
    pub(crate) fn limit_ms(&self, is_person: bool) -> u64 {
        if is_person { self.turn.person_limit_ms.is } else { self.turn.limit_ms.is }
    }

    /// Every setting by name: those of tables under the table's name, those of stages under the stage's.
    pub(crate) fn places(&mut self) -> Vec<(String, SettingSlot<'_>)> {
        let (turn, watch) = (&mut self.turn, &mut self.watch);
        let mut places = vec![
            ("turn.limit_ms".to_string(), SettingSlot::Number(&mut turn.limit_ms)),
            ("turn.person_limit_ms".to_string(), SettingSlot::Number(&mut turn.person_limit_ms)),
            ("turn.queue_ms".to_string(), SettingSlot::Number(&mut turn.queue_ms)),
            ("turn.absent_after".to_string(), SettingSlot::Number(&mut turn.absent_after)),
            ("turn.history_chars".to_string(), SettingSlot::Number(&mut turn.history_chars)),
            ("turn.words".to_string(), SettingSlot::Number(&mut turn.words)),
            ("watch.early".to_string(), SettingSlot::Number(&mut watch.early)),
            ("watch.consensus".to_string(), SettingSlot::Share(&mut watch.rules.consensus)),
            ("watch.confidence".to_string(), SettingSlot::Share(&mut watch.rules.confidence)),
        ];
        if let Some(parliament) = &mut self.parliament {
            places.extend(parliament.places());
        }
        for Motion { name, pass } in &mut self.motions {
            places.push((motion_pass(name), SettingSlot::Share(pass)));
        }
        for Stage { name, kind } in &mut self.stages {
            match kind {
                StageKind::Merge | StageKind::Propose(_) => (),
                StageKind::Speak(speak) | StageKind::Estimate(speak) => {
                    places.push((format!("{name}.rounds"), SettingSlot::Number(&mut speak.rounds)));
                    let panel = speak.panel.iter_mut();
                    places.extend(panel.map(|it| (format!("{name}.panel"), SettingSlot::Number(&mut it.on))));
                    let clear = speak.until_clear.iter_mut();
                    places.extend(clear.map(|it| (format!("{name}.until_clear"), SettingSlot::Share(it))));
                }
                StageKind::Second { asks } => {
                    places.push((format!("{name}.asks"), SettingSlot::Number(asks)));
                }
                StageKind::RedTeam(team) => {
                    places.push((format!("{name}.on"), SettingSlot::Number(&mut team.on)));
                    places.push((format!("{name}.seats"), SettingSlot::Number(&mut team.seats)));
                    let at = team.at.iter_mut();
                    places.extend(at.map(|it| (format!("{name}.at"), SettingSlot::Share(it))));
                }
                StageKind::Vote { early, .. } => {
                    let early = early.iter_mut();
                    places.extend(early.map(|it| (format!("{name}.early"), SettingSlot::Share(it))));
                }
            }
        }
        places
    }
}
