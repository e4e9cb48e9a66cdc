//! From what was written to what holds. Lists every flaw; stops at none. The parts are settled in files of their own:
//! `ballot`, `brief`, `stage`, `motion`, `ring`, `parts`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::defaults::{self as usual, Limited};
use super::draft::{Draft, DraftGate, DraftTurn};
use super::source::{Flaw, Lined, meant};
use super::{Charter, Council, Knob, Procedure, ShareRange, TurnRules};
use crate::brief::{Section, Wording};
use crate::kernel::{Permille, Ratio, Threshold};
use crate::{ballot, gate};

/// What holds, as far as it can be put together; every flaw goes to `flaws`.
pub(super) fn settle(mut draft: Draft, edition: u32, flaws: &mut Vec<Flaw>) -> Option<Charter> {
    let mut settler = Settler { flaws, edition, ranges: BTreeMap::new() };
    if let Some(Lined { value: name, line }) = &draft.name
        && !is_name(name)
    {
        settler.error(
            *line,
            "name",
            format!("\"{name}\" is not a name"),
            "use a to z, 0 to 9 and `-`, at most 64 of them",
        );
    }
    let name = settler.need(draft.name.take(), 1, "name", "name = \"my-mode\"");
    let title = settler.need(draft.title.take(), 1, "title", "title = \"…\"");
    let summary = settler.need(draft.summary.take(), 1, "summary", "summary = \"what it is for\"");
    let settled = match draft.own.take() {
        Some(own) => settler.own(own, &mut draft),
        None => settler.council(draft),
    };
    let (procedure, ballot) = settled?;
    Some(Charter { name: name?, title: title?, summary: summary?, ballot, procedure, ranges: settler.ranges })
}

impl Settler<'_> {
    /// A council as it holds, and how it votes.
    fn council(&mut self, draft: Draft) -> Option<(Procedure, ballot::Rules)> {
        let turn = self.turn(draft.turn);
        let ballot = self.ballot(draft.ballot);
        let stages = self.stages(draft.stages);
        let brief = self.brief(draft.brief);
        let brief = brief.map(|brief| {
            let parts = draft.roles.iter().filter_map(|role| self.part(role)).collect();
            let tools = draft.tools.and_then(|tools| self.tools(tools));
            Wording { parts, tools, ..brief }
        });
        let gate = self.gate(draft.gate, brief.as_ref());
        let yes_no_only = draft.yes_no_only.is_some_and(|only| only.value);
        let roles = self.roles(&draft.roles, (draft.by_seats, draft.beyond), yes_no_only);
        let lens = self.lens(draft.transforms);
        let perspectives = self.perspectives(draft.perspectives);
        let motions = self.motions(draft.motions);
        let watch = self.watch(draft.watch);
        let parliament = draft.parliament.map(|parliament| self.parliament(parliament));
        if let Some(stages) = &stages {
            self.motions_only(parliament.is_some(), stages);
        }
        let council = Council {
            turn: turn?,
            gate: gate?,
            brief: Arc::new(brief?),
            stages: stages?,
            lens,
            roles,
            perspectives,
            personas: draft.personas.map(|personas| personas.value).unwrap_or_default(),
            motions,
            watch,
            parliament,
        };
        Some((Procedure::Council(Box::new(council)), ballot?))
    }
}

/// Why a text cannot be a charter by itself, if it only makes sense together with others.
pub(super) fn not_whole(draft: &Draft) -> Option<Flaw> {
    let flaw = |key: &str, line: usize, wrong: String, fix: &str| {
        let (file, key, fix) = (String::new(), key.into(), fix.into());
        Some(Flaw { file, line, key, wrong, fix, is_error: true })
    };
    if let Some(Lined { value: name, line }) = &draft.extends {
        let wrong = format!("this charter extends \"{name}\", so it is not complete by itself");
        return flaw("extends", *line, wrong, "use the joined text that `synod charter show NAME` prints");
    }
    if let Some(Lined { line, .. }) = &draft.without {
        let wrong = "this charter extends nothing that could be left out".into();
        return flaw("without", *line, wrong, "write extends = \"…\", or remove it");
    }
    let base = draft.base.as_ref().filter(|base| base.value)?;
    let wrong = "this file is a base for other charters; no matter can be held under it".into();
    flaw("base", base.line, wrong, "name it in the `extends` of another charter")
}

/// Whether something can be named so.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Makes rules of what was written. It notes flaws, and how far shares may be moved.
pub(super) struct Settler<'a> {
    pub(super) flaws: &'a mut Vec<Flaw>,
    /// The edition of the rules whose defaults hold.
    pub(super) edition: u32,
    ranges: BTreeMap<String, ShareRange>,
}

impl Settler<'_> {
    pub(super) fn error(&mut self, line: usize, key: &str, wrong: impl Into<String>, fix: impl Into<String>) {
        self.note(line, key, wrong.into(), fix.into(), true);
    }

    pub(super) fn note(&mut self, line: usize, key: &str, wrong: String, fix: String, is_error: bool) {
        let (file, key) = (String::new(), key.into());
        self.flaws.push(Flaw { file, line: line.max(1), key, wrong, fix, is_error });
    }

    /// Takes a value that must be there. A value that was there but could not be read has its flaw already.
    pub(super) fn need<T>(
        &mut self,
        value: Option<Lined<T>>,
        line: usize,
        key: &str,
        write: &str,
    ) -> Option<T> {
        let (parent, own) = key.rsplit_once('.').unwrap_or(("", key));
        let misspelt = |flaw: &Flaw| {
            flaw.fix == meant(own) && flaw.key.rsplit_once('.').map_or("", |(parent, _)| parent) == parent
        };
        let noted = self
            .flaws
            .iter()
            .any(|flaw| flaw.is_error && (flaw.key == key || flaw.key.is_empty() || misspelt(flaw)));
        if value.is_none() && !noted {
            self.error(line, key, "this is missing", format!("write {write}"));
        }
        value.map(|value| value.value)
    }

    fn turn(&mut self, draft: DraftTurn) -> Option<TurnRules> {
        let line = |knob: &Option<Lined<Knob>>| knob.as_ref().map_or(1, |knob| knob.line);
        let (limit_line, absent_line) = (line(&draft.limit_ms), line(&draft.absent_after));
        let or = |knob: Option<Lined<Knob>>, default| knob.map_or(default, |knob| knob.value);
        let turn = TurnRules {
            limit_ms: or(draft.limit_ms, usual::turn::LIMIT_MS),
            person_limit_ms: or(draft.person_limit_ms, usual::turn::PERSON_LIMIT_MS),
            queue_ms: or(draft.queue_ms, usual::turn::QUEUE_MS),
            absent_after: or(draft.absent_after, usual::turn::ABSENT_AFTER),
            history_chars: or(draft.history_chars, usual::turn::HISTORY_CHARS),
            words: or(draft.words, usual::turn::WORDS),
        };
        for (key, line, knob) in
            [("limit_ms", limit_line, turn.limit_ms), ("absent_after", absent_line, turn.absent_after)]
        {
            if knob.from == 0 {
                self.error(line, &format!("turn.{key}"), "this must not be 0", "write 1 or more");
            }
        }
        Some(turn)
    }

    /// Whether a whole table is there; a missing one is one flaw, not one for each of its keys.
    pub(super) fn has_table(&mut self, line: usize, table: &str) -> bool {
        let noted = self
            .flaws
            .iter()
            .any(|flaw| flaw.key == table || flaw.key.is_empty() || flaw.fix == meant(table));
        if line == 0 && !noted {
            self.error(
                1,
                table,
                "this table is missing",
                format!("write [{table}], as `synod charter show blind-vote` does"),
            );
        }
        line > 0
    }

    /// A number within its limits, or its default. A number outside is a flaw, never bent.
    pub(super) fn within(&mut self, given: Option<Lined<u64>>, key: &str, limits: Limited) -> u64 {
        let Limited { usual, least, most } = limits;
        let Some(Lined { value, line }) = given else { return usual };
        if (least..=most).contains(&value) {
            return value;
        }
        let wrong = format!("{value} is out of range");
        self.error(line, key, wrong, format!("write a number from {least} to {most}"));
        usual
    }

    /// A share that may have a default. It is a setting under its own key.
    pub(super) fn share(
        &mut self,
        given: Option<Lined<Knob<Threshold>>>,
        key: &str,
        default: Threshold,
    ) -> Threshold {
        let Some(Lined { value, line }) = given else { return default };
        self.can_be_met(line, key, value);
        self.movable(key.into(), value)
    }

    /// Notes how far a share may be moved, if at all, and gives where it stands.
    pub(super) fn movable(&mut self, name: String, share: Knob<Threshold>) -> Threshold {
        if !share.is_fixed() {
            self.ranges.insert(name, ShareRange { from: share.from, to: share.to });
        }
        share.is
    }

    /// What votes have to reach, wherever it may be moved to.
    pub(super) fn can_pass(&mut self, line: usize, key: &str, pass: Knob<Threshold>) {
        let Knob { is, from, to } = pass;
        [is, from, to].into_iter().for_each(|share| self.look_like_thirds(line, key, share.ratio));
        self.can_be_met(line, key, pass);
    }

    /// A share that nothing can reach, or that everything reaches, was not meant.
    pub(super) fn can_be_met(&mut self, line: usize, key: &str, share: Knob<Threshold>) {
        let nothing = share.from.is_met_by(0, 1);
        if nothing || !share.to.is_met_by(1, 1) {
            let wrong = if nothing { "a share of 0 would meet this" } else { "no share can meet this" };
            self.error(line, key, wrong, "write a threshold such as \"> 1/2\" or \">= 2/3\"");
        }
    }

    /// A decimal is taken literally; somebody who wrote 0.67 may have meant two thirds.
    pub(super) fn look_like_thirds(&mut self, line: usize, key: &str, ratio: Ratio) {
        let pairs =
            [(("66/100", "67/100"), "2/3"), (("33/100", "34/100"), "1/3"), (("666/1000", "667/1000"), "2/3")];
        let is = |text: &str| text.parse::<Ratio>().is_ok_and(|other| other == ratio);
        if let Some((_, meant)) = pairs.iter().find(|((low, high), _)| is(low) || is(high)) {
            let wrong = format!("{ratio} is taken literally, not as {meant}");
            self.note(line, key, wrong, format!("write \"{meant}\" if you mean that"), false);
        }
    }

    fn gate(&mut self, draft: DraftGate, brief: Option<&Wording>) -> Option<gate::Rules> {
        let line = draft.required_fields.as_ref().map_or(1, |fields| fields.line);
        let required_fields = draft.required_fields.map_or_else(Vec::new, |fields| fields.value);
        if let Some(brief) = brief {
            let asked = |list: &[Section], field: &str| list.iter().any(|section| section.key == field);
            for field in required_fields.iter().filter(|f| !asked(&brief.first, f) || !asked(&brief.later, f))
            {
                let wrong = format!("\"{field}\" is required but no section asks for it in every round");
                self.error(
                    line,
                    "gate.required_fields",
                    wrong,
                    "name sections that brief.first and brief.later share",
                );
            }
        }
        let confidence_range = match (draft.confidence_least, draft.confidence_most) {
            (None, None) => None,
            (least, most) => {
                let line = least.as_ref().or(most.as_ref()).map_or(1, |ratio| ratio.line);
                let least = least.map_or(Permille::new(0), |ratio| permille(ratio.value));
                let most = most.map_or(Permille::new(1000), |ratio| permille(ratio.value));
                if least > most {
                    self.error(line, "gate.confidence_least", "this is above confidence_most", "swap them");
                }
                least.zip(most)
            }
        };
        let chars_most = self.within(draft.chars_most, "gate.chars_most", usual::gate::CHARS_MOST) as u32;
        let stance_required = draft.stance_required.map_or(usual::gate::STANCE_REQUIRED, |value| value.value);
        if let (Some(Lined { value: key, line }), Some(brief)) = (&draft.moved_by, brief)
            && brief.later.iter().all(|section| section.key != *key)
        {
            let wrong = format!("no section of brief.later is called \"{key}\"");
            self.error(*line, "gate.moved_by", wrong, "name a section that later rounds ask for");
        }
        let moved_by = draft.moved_by.map(|key| key.value);
        Some(gate::Rules { stance_required, confidence_range, required_fields, chars_most, moved_by })
    }
}

/// A fraction in thousandths, rounded up; ranges of confidence need no more.
fn permille(ratio: Ratio) -> Option<Permille> {
    Permille::new(ratio.ceiling_of(1000) as u16)
}
