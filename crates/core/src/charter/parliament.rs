//! How motions are debated: which layers of scepticism are on, and when.
//!
//! Every layer is a switch of its own, so that the effect of each can be measured: lines of personas, the prompt that asks
//! for ways to exploit the motion, the digest with structural risks, the consensus break. The red team is a stage. To add
//! one: its table here with its settings, its line in `places`, its schema, and the flow that reads it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::defaults::parliament as usual;
use super::draft::{FRACTION, THRESHOLD};
use super::schema as of;
use super::setting::SettingSlot;
use super::settle::Settler;
use super::source::{Lined, SourceTable};
use super::{Knob, Stage, StageKind};
use crate::dissent::BreakRule;
use crate::kernel::{Ratio, Threshold};

/// What a charter sets for the debate of motions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parliament {
    /// Which entries are counted.
    pub counts: Counting,
    /// What a voter is told of its own stance.
    pub reminder: Reminder,
    /// What seats do not accept, and what they are there to support.
    pub lines: LineRules,
    /// The prompt before each entry.
    pub exploitation: ExploitationRules,
    /// The debate in numbers, with the risks of the motion.
    pub digest: SummaryRules,
    /// What happens where nearly everybody is on one side.
    pub consensus_break: BreakRules,
}

/// Which entries count for the break, the red team and the reminder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counting {
    /// Those that nobody ordered.
    Free,
    /// All, forced ones like free ones.
    All,
}

/// What a voter is told of its own stance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reminder {
    /// Where it stood, and that it may vote otherwise.
    Neutral,
    /// Where it stood, and that it has to explain another vote.
    Explain,
    /// Nothing.
    Nothing,
}

/// What seats do not accept, and what they are there to support.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineRules {
    /// 1 where green lines are told.
    pub green: Knob,
    /// 1 where red lines are told.
    pub red: Knob,
}

/// The prompt that asks for what could go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExploitationRules {
    /// Only once this part of the seats has spoken.
    pub after: Ratio,
    /// 1 where it asks for benefits as well.
    pub balanced: Knob,
    /// 1 where it is used.
    pub on: Knob,
}

/// The debate in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryRules {
    /// So many risks at most; 0 for all.
    pub cap: Knob,
    /// After so many entries each.
    pub every: Knob,
    /// 1 where risks are named only in the last one, before the vote.
    pub last: Knob,
    /// 1 where each risk comes with what would lessen it.
    pub mitigations: Knob,
    /// 1 where there is one at all.
    pub on: Knob,
    /// 1 where risks are named.
    pub risks: Knob,
}

/// What happens where nearly everybody is on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BreakRules {
    /// This share on one side is too much.
    pub at: Threshold,
    /// So many speakers then argue the other one.
    pub forced: Knob,
    /// Of at least so many entries.
    pub least: Knob,
    /// 1 where it is used.
    pub on: Knob,
    /// Not within so many entries after the last time.
    pub pause: Knob,
}

impl BreakRules {
    /// When it happens; `None` where it is off.
    pub fn rule(&self) -> Option<BreakRule> {
        let rule = BreakRule { at: self.at, least: self.least.is, pause: self.pause.is };
        (self.on.is == 1).then_some(rule)
    }
}

impl Parliament {
    pub(super) fn places(&mut self) -> Vec<(String, SettingSlot<'_>)> {
        use SettingSlot::{Number, Part, Share};
        let Self { lines, exploitation, digest, consensus_break, .. } = self;
        let places = [
            ("lines.red", Number(&mut lines.red)),
            ("lines.green", Number(&mut lines.green)),
            ("exploitation.on", Number(&mut exploitation.on)),
            ("exploitation.balanced", Number(&mut exploitation.balanced)),
            ("exploitation.after", Part(&mut exploitation.after)),
            ("digest.on", Number(&mut digest.on)),
            ("digest.every", Number(&mut digest.every)),
            ("digest.risks", Number(&mut digest.risks)),
            ("digest.cap", Number(&mut digest.cap)),
            ("digest.mitigations", Number(&mut digest.mitigations)),
            ("digest.last", Number(&mut digest.last)),
            ("consensus_break.on", Number(&mut consensus_break.on)),
            ("consensus_break.at", Share(&mut consensus_break.at)),
            ("consensus_break.least", Number(&mut consensus_break.least)),
            ("consensus_break.forced", Number(&mut consensus_break.forced)),
            ("consensus_break.pause", Number(&mut consensus_break.pause)),
        ];
        places.into_iter().map(|(name, place)| (format!("parliament.{name}"), place)).collect()
    }
}

/// `[parliament]` as it was written.
#[derive(Debug, Default)]
pub(super) struct DraftParliament {
    counts: Option<Lined<Counting>>,
    reminder: Option<Lined<Reminder>>,
    knobs: Vec<(&'static str, Lined<Knob>)>,
    after: Option<Lined<Knob<Ratio>>>,
    at: Option<Lined<Knob<Threshold>>>,
}

const COUNTS: [(&str, Counting); 2] = [("free", Counting::Free), ("all", Counting::All)];
const REMINDERS: [(&str, Reminder); 3] =
    [("neutral", Reminder::Neutral), ("explain", Reminder::Explain), ("nothing", Reminder::Nothing)];
/// The tables with the numbers of each.
const TABLES: [(&str, &[&str]); 4] = [
    ("lines", &["red", "green"]),
    ("exploitation", &["on", "balanced"]),
    ("digest", &["on", "every", "risks", "cap", "mitigations", "last"]),
    ("consensus_break", &["on", "least", "forced", "pause"]),
];

impl DraftParliament {
    pub(super) fn read(table: &SourceTable<'_, '_>) -> Self {
        let mut draft = Self {
            counts: table.word("counts", &COUNTS),
            reminder: table.word("reminder", &REMINDERS),
            ..Self::default()
        };
        for (name, keys) in TABLES {
            let Some(inner) = table.table(name) else { continue };
            for key in keys.iter().copied() {
                draft.knobs.extend(inner.knob(key).map(|knob| (full(name, key), knob)));
            }
            match name {
                "exploitation" => draft.after = inner.parsed_knob("after", FRACTION),
                "consensus_break" => draft.at = inner.parsed_knob("at", THRESHOLD),
                _ => (), // the others have nothing but whole numbers
            }
            inner.finish();
        }
        table.finish();
        draft
    }
}

/// A number's key with that of its table.
fn full(table: &str, key: &str) -> &'static str {
    ALL_KNOBS.into_iter().find(|name| name.split_once('.') == Some((table, key))).unwrap_or("")
}

const ALL_KNOBS: [&str; 14] = [
    "lines.red",
    "lines.green",
    "exploitation.on",
    "exploitation.balanced",
    "digest.on",
    "digest.every",
    "digest.risks",
    "digest.cap",
    "digest.mitigations",
    "digest.last",
    "consensus_break.on",
    "consensus_break.least",
    "consensus_break.forced",
    "consensus_break.pause",
];

/// What holds where a number is left out.
fn usual_knob(name: &str) -> Knob {
    match name {
        "digest.every" => usual::EVERY,
        "digest.cap" => usual::CAP,
        "consensus_break.least" => usual::LEAST,
        "consensus_break.forced" => usual::FORCED,
        "consensus_break.pause" => usual::PAUSE,
        "exploitation.balanced" | "digest.mitigations" | "digest.last" | "lines.green" => usual::SWITCH_OFF,
        _ => usual::SWITCH_ON,
    }
}

impl Settler<'_> {
    pub(super) fn parliament(&mut self, draft: DraftParliament) -> Parliament {
        self.in_range(&draft.knobs);
        let knob = |name: &str| {
            let written = draft.knobs.iter().find(|(known, _)| *known == name);
            written.map_or_else(|| usual_knob(name), |(_, knob)| knob.value)
        };
        let after = draft.after.map_or(usual::AFTER, |after| {
            let Knob { is, from, to } = after.value;
            let [is, from, to] = [is, from, to].map(|ratio| Threshold { ratio, strict: false });
            self.movable("parliament.exploitation.after".into(), Knob { is, from, to }).ratio
        });
        let at = self.share(draft.at, "parliament.consensus_break.at", usual::AT);
        Parliament {
            counts: draft.counts.map_or(usual::COUNTS, |counts| counts.value),
            reminder: draft.reminder.map_or(usual::REMINDER, |reminder| reminder.value),
            lines: LineRules { green: knob("lines.green"), red: knob("lines.red") },
            exploitation: ExploitationRules {
                after,
                balanced: knob("exploitation.balanced"),
                on: knob("exploitation.on"),
            },
            digest: SummaryRules {
                cap: knob("digest.cap"),
                every: knob("digest.every"),
                last: knob("digest.last"),
                mitigations: knob("digest.mitigations"),
                on: knob("digest.on"),
                risks: knob("digest.risks"),
            },
            consensus_break: BreakRules {
                at,
                forced: knob("consensus_break.forced"),
                least: knob("consensus_break.least"),
                on: knob("consensus_break.on"),
                pause: knob("consensus_break.pause"),
            },
        }
    }

    fn in_range(&mut self, knobs: &[(&'static str, Lined<Knob>)]) {
        for (name, Lined { value, line }) in knobs {
            let Knob { from, to, .. } = usual_knob(name);
            if value.from < from || value.to > to {
                let wrong =
                    format!("{} is out of range", if value.from < from { value.from } else { value.to });
                self.error(*line, &format!("parliament.{name}"), wrong, format!("write {from} to {to}"));
            }
        }
    }

    /// Motions have one debate in which one seat speaks after the other, and stages of their own; other matters have none
    /// of those.
    pub(super) fn motions_only(&mut self, parliament: bool, stages: &[Stage]) {
        for stage in stages {
            let own = matches!(stage.kind, StageKind::Second { .. } | StageKind::RedTeam(_));
            if own && !parliament {
                let wrong = format!("the stage \"{}\" belongs to motions", stage.name);
                self.error(1, "stage.kind", wrong, "write [parliament], or use another kind of stage");
            }
            let fits = match &stage.kind {
                StageKind::Speak(speak) => {
                    speak.floor == crate::floor::FloorOrder::Sequential && speak.panel.is_none()
                }
                StageKind::Second { .. } | StageKind::RedTeam(_) => true,
                StageKind::Vote { stances, .. } => !stances,
                StageKind::Propose(_) | StageKind::Merge | StageKind::Estimate(_) => false,
            };
            if parliament && !fits {
                let wrong = format!("the stage \"{}\" is none that a motion can have", stage.name);
                let fix = "motions are seconded, debated with floor = \"sequential\" and voted on";
                self.error(1, "stage.kind", wrong, fix);
            }
        }
    }
}

/// The schema of `[parliament]`.
pub(super) fn schema() -> Value {
    let knob = |about: &str, name: &str| of::knob_or(about, usual_knob(name));
    let lines = json!({
        "red": knob("1 if seats read the red lines of their roster.", "lines.red"),
        "green": knob("1 if they read their green lines.", "lines.green"),
    });
    let exploitation = json!({
        "on": knob("1 if seats are asked how the motion could be exploited before they take a side.", "exploitation.on"),
        "balanced": knob("1 if they are asked for its benefits as well.", "exploitation.balanced"),
        "after": of::part_or("Only once this part of the seats has spoken.", usual::AFTER),
    });
    let digest = json!({
        "on": knob("1 if the debate is summed up in numbers.", "digest.on"),
        "every": knob("After so many entries each, and before the vote.", "digest.every"),
        "risks": knob("1 if structural risks of the motion's text are named.", "digest.risks"),
        "cap": knob("The most risks that are named, the first of the list; 0 names all.", "digest.cap"),
        "mitigations": knob("1 if each risk comes with what would lessen it.", "digest.mitigations"),
        "last": knob("1 if risks are named only before the vote.", "digest.last"),
    });
    let consensus_break = json!({
        "on": knob("1 if a strong consensus makes the next speakers argue the other side.", "consensus_break.on"),
        "at": of::threshold_or("The share of entries on one side that is too much.", usual::AT),
        "least": knob("Of at least so many entries.", "consensus_break.least"),
        "forced": knob("How many speakers then argue the other side.", "consensus_break.forced"),
        "pause": knob("Not again within so many entries.", "consensus_break.pause"),
    });
    of::table(
        json!({
            "counts": of::words_or(&COUNTS.map(|(word, _)| word), "Which entries count for the break, the red team and the reminder: those that nobody ordered, or all.", "free"),
            "reminder": of::words_or(&REMINDERS.map(|(word, _)| word), "What a voter reads of its own stance: where it stood and that its vote is free, or that it has to explain another vote.", "neutral"),
            "lines": of::table(lines, &[]),
            "exploitation": of::table(exploitation, &[]),
            "digest": of::table(digest, &[]),
            "consensus_break": of::table(consensus_break, &[]),
        }),
        &[],
    )
}
