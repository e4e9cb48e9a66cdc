//! From what was written to what holds. Lists every flaw; stops at none.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::defaults::{self as usual, Limited};
use super::draft::{
    Draft, DraftBallot, DraftBrief, DraftGate, DraftKind, DraftRecord, DraftSection, DraftStage, DraftTurn,
};
use super::source::{Flaw, Lined, meant};
use super::{Charter, Council, Knob, Procedure, Range, Speak, Stage, StageKind, Turn};
use crate::brief::{Contract, Role, Section, Wording, same_key};
use crate::floor::Order;
use crate::kernel::{ByRecord, Permille, Ratio, Threshold, Who};
use crate::lens::Sees;
use crate::{ballot, gate};

/// What holds, as far as it can be put together; every flaw goes to `flaws`.
pub(super) fn settle(mut draft: Draft, flaws: &mut Vec<Flaw>) -> Option<Charter> {
    let mut settler = Settler { flaws, ranges: BTreeMap::new() };
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
    if let Some(ring) = draft.ring.take() {
        let line = draft.ballot.line;
        if let Some(retries) = &draft.ballot.unparsed_retries {
            settler.never_asked_again(retries.line);
        }
        let ballot = settler.ballot(std::mem::take(&mut draft.ballot));
        ballot.iter().for_each(|ballot| settler.in_grades(line, ballot));
        let procedure = settler.ring(ring, &draft).map(Procedure::Ring);
        return Some(Charter {
            name: name?,
            title: title?,
            summary: summary?,
            ballot: ballot?,
            procedure: procedure?,
            ranges: settler.ranges,
        });
    }
    let turn = settler.turn(draft.turn);
    let ballot = settler.ballot(draft.ballot);
    let stages = settler.stages(draft.stages);
    let brief = settler.brief(draft.brief);
    let brief = brief.map(|brief| {
        let parts = draft.roles.iter().filter_map(|role| settler.part(role)).collect();
        let tools = draft.tools.and_then(|tools| settler.tools(tools));
        Wording { parts, tools, ..brief }
    });
    let gate = settler.gate(draft.gate, brief.as_ref());
    let roles = settler.roles(&draft.roles, draft.by_seats, draft.beyond);
    let lens = settler.lens(draft.transforms);
    let perspectives = settler.perspectives(draft.perspectives);
    let motions = settler.motions(draft.motions);
    let watch = settler.watch(draft.watch);
    let council = Council {
        turn: turn?,
        gate: gate?,
        brief: Arc::new(brief?),
        stages: stages?,
        lens,
        roles,
        perspectives,
        motions,
        watch,
    };
    Some(Charter {
        name: name?,
        title: title?,
        summary: summary?,
        ballot: ballot?,
        procedure: Procedure::Council(Box::new(council)),
        ranges: settler.ranges,
    })
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

/// Tables whose settings go by the table's name, as those of a stage go by its own.
const RESERVED: [&str; 5] = ["ballot", "motion", "ring", "turn", "watch"];

/// Whether something can be named so.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Makes rules of what was written. It notes flaws, and how far shares may be moved.
pub(super) struct Settler<'a> {
    flaws: &'a mut Vec<Flaw>,
    ranges: BTreeMap<String, Range>,
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

    fn turn(&mut self, draft: DraftTurn) -> Option<Turn> {
        let line = |knob: &Option<Lined<Knob>>| knob.as_ref().map_or(1, |knob| knob.line);
        let (limit_line, absent_line) = (line(&draft.limit_ms), line(&draft.absent_after));
        let or = |knob: Option<Lined<Knob>>, default| knob.map_or(default, |knob| knob.value);
        let turn = Turn {
            limit_ms: or(draft.limit_ms, usual::turn::LIMIT_MS),
            person_limit_ms: or(draft.person_limit_ms, usual::turn::PERSON_LIMIT_MS),
            queue_ms: or(draft.queue_ms, usual::turn::QUEUE_MS),
            absent_after: or(draft.absent_after, usual::turn::ABSENT_AFTER),
            history_chars: or(draft.history_chars, usual::turn::HISTORY_CHARS),
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
    fn has_table(&mut self, line: usize, table: &str) -> bool {
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

    fn ballot(&mut self, draft: DraftBallot) -> Option<ballot::Rules> {
        let line = draft.line;
        if !self.has_table(line, "ballot") {
            return None;
        }
        if let Some(pass) = &draft.pass {
            self.can_pass(pass.line, "ballot.pass", pass.value);
        }
        if let Some(quorum) = &draft.quorum {
            let Knob { is, from, to } = quorum.value;
            [is, from, to]
                .into_iter()
                .for_each(|part| self.look_like_thirds(quorum.line, "ballot.quorum", part));
            if from.ceiling_of(1) == 0 {
                let wrong = "with a quorum of 0 one vote decides for all seats".into();
                let fix = "write a fraction such as \"1/2\" unless you mean that".into();
                self.note(quorum.line, "ballot.quorum", wrong, fix, false);
            }
        }
        let pass = self.need(draft.pass, line, "ballot.pass", "pass = \"> 1/2\" under [ballot]");
        let basis = self.need(draft.basis, line, "ballot.basis", "basis = \"cast\" under [ballot]");
        let quorum = self.need(draft.quorum, line, "ballot.quorum", "quorum = \"1/2\" under [ballot]");
        let tie = self.need(draft.tie, line, "ballot.tie", "tie = \"fails\" under [ballot]");
        let pass = pass.map(|pass| self.movable("ballot.pass".into(), pass));
        let quorum = quorum.map(|quorum| {
            let Knob { is, from, to } = quorum;
            let [is, from, to] = [is, from, to].map(|ratio| Threshold { ratio, strict: false });
            self.movable("ballot.quorum".into(), Knob { is, from, to }).ratio
        });
        let unparsed_retries =
            self.within(draft.unparsed_retries, "ballot.unparsed_retries", usual::ballot::UNPARSED_RETRIES)
                as u32;
        let weights = draft.weights.map_or(usual::ballot::WEIGHTS, |weights| weights.value);
        let or = |given: Option<Lined<bool>>, default| given.map_or(default, |value| value.value);
        let secret = draft.secrecy.as_ref().filter(|secrecy| secrecy.value == ballot::Secrecy::Secret);
        let secret = secret.map(|secrecy| secrecy.line);
        let passed_on = draft.delegation.as_ref().filter(|value| value.value).map(|value| value.line);
        Some(ballot::Rules {
            pass: pass?,
            basis: basis?,
            quorum: quorum?,
            tie: tie?,
            unparsed_retries,
            early: None,
            change: or(draft.change, usual::ballot::CHANGE),
            change_needs_argument: or(draft.change_needs_argument, usual::ballot::CHANGE_NEEDS_ARGUMENT),
            delegation: or(draft.delegation, usual::ballot::DELEGATION),
            method: draft.method.map_or(usual::ballot::METHOD, |method| method.value),
            secrecy: draft.secrecy.map_or(usual::ballot::SECRECY, |secrecy| secrecy.value),
            veto: self.vetoes(draft.veto),
            record: self.record(weights, secret, passed_on, draft.record),
            weights,
        })
    }

    /// Seats that may veto, by their canonical ids.
    fn vetoes(&mut self, given: Option<Lined<Vec<String>>>) -> Vec<Who> {
        let Some(Lined { value: names, line }) = given else { return Vec::new() };
        let mut vetoes: Vec<Who> = Vec::new();
        for name in names {
            match Who::parse(&name) {
                Ok(who) if vetoes.contains(&who) => {
                    self.error(
                        line,
                        "ballot.veto",
                        format!("the seat \"{name}\" is listed twice"),
                        "name each once",
                    );
                }
                Ok(who) => vetoes.push(who),
                Err(wrong) => self.error(line, "ballot.veto", wrong, "name seats as they are called"),
            }
        }
        vetoes
    }

    /// How far records are believed. The numbers mean something only where votes are weighed by them.
    fn record(
        &mut self,
        weights: ballot::Weights,
        secret: Option<usize>,
        passed_on: Option<usize>,
        given: Option<DraftRecord>,
    ) -> Option<ByRecord> {
        if let Some(record) = given.as_ref().filter(|_| weights != ballot::Weights::Reliability) {
            let wrong = "votes are not weighted by track record here";
            self.error(
                record.line,
                "ballot.record",
                wrong,
                "write weights = \"reliability\", or leave it out",
            );
        }
        if let (ballot::Weights::Reliability, Some(passed_on)) = (weights, passed_on) {
            let wrong = "a vote is weighted by the track record of the seat that casts it, so no seat can cast another's vote";
            self.error(passed_on, "ballot.delegation", wrong, "leave it out, or write weights = \"none\"");
        }
        if let (ballot::Weights::Reliability, Some(secrecy)) = (weights, secret) {
            let wrong = "weights are public, so a weighted count would reveal who voted how";
            self.error(secrecy, "ballot.secrecy", wrong, "write \"until-closed\", or weights = \"none\"");
        }
        let record = given.unwrap_or(DraftRecord { line: 0, least: None, shrink: None, top: None });
        let by = ByRecord {
            least: self.within(record.least, "ballot.record.least", usual::ballot::RECORD_LEAST) as u32,
            shrink: self.within(record.shrink, "ballot.record.shrink", usual::ballot::RECORD_SHRINK) as u32,
            top: record
                .top
                .map(|top| self.within(Some(top), "ballot.record.top", usual::ballot::RECORD_TOP) as u32),
        };
        (weights == ballot::Weights::Reliability).then_some(by)
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
            self.ranges.insert(name, Range { from: share.from, to: share.to });
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
    fn can_be_met(&mut self, line: usize, key: &str, share: Knob<Threshold>) {
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

    fn stages(&mut self, drafts: Vec<DraftStage>) -> Option<Vec<Stage>> {
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
            let wrong = format!("\"{name}\" is a table of charters, so its settings could not be told apart");
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
                StageKind::Vote { early: self.stage_share(draft.early, name.as_deref(), "early") }
            }
            DraftKind::Speak => {
                if let Some(early) = draft.early {
                    self.error(
                        early.line,
                        "stage.early",
                        "only a vote can settle early",
                        "use `until_clear` here",
                    );
                }
                let floor = self.stage_need(
                    draft.floor,
                    line,
                    "floor",
                    "floor = \"parallel\", \"sequential\" or \"teams\"",
                );
                let sees = self.stage_need(draft.sees, line, "sees", "sees = \"earlier-rounds\"");
                let rounds =
                    draft.rounds.map_or(Lined { value: usual::stage::ROUNDS, line }, |rounds| rounds);
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
                    until_still: draft.until_still.map_or(usual::stage::UNTIL_STILL, |still| still.value),
                    crux: draft.crux.map_or(usual::stage::CRUX, |crux| crux.value),
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

    fn brief(&mut self, draft: DraftBrief) -> Option<Wording> {
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
        let role = Role {
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
            sections.push(Section { key, ask });
        }
        Some(sections)
    }
}

/// A fraction in thousandths, rounded up; ranges of confidence need no more.
fn permille(ratio: Ratio) -> Option<Permille> {
    Permille::new(ratio.ceiling_of(1000) as u16)
}
