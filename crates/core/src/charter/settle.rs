//! From what was written to what holds. Lists every flaw; stops at none.

use std::sync::Arc;

use super::draft::{
    Draft, DraftBallot, DraftBrief, DraftGate, DraftKind, DraftRecord, DraftSection, DraftStage, DraftTurn,
};
use super::source::{Flaw, Lined, meant};
use super::{Charter, Council, Knob, Procedure, Speak, Stage, StageKind, Turn};
use crate::brief::{Contract, Role, Section, Wording, same_key};
use crate::floor::Order;
use crate::kernel::{ByRecord, Permille, Ratio, Threshold, Who};
use crate::lens::Sees;
use crate::{ballot, gate};

/// What holds, as far as it can be put together; every flaw goes to `flaws`.
pub(super) fn settle(mut draft: Draft, flaws: &mut Vec<Flaw>) -> Option<Charter> {
    let mut settler = Settler { flaws };
    if let Some(Lined { value: name, line }) = &draft.name
        && !is_name(name)
    {
        settler.error(
            *line,
            "name",
            format!("\"{name}\" is no name"),
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

/// Whether something can be named so.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= 64 && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Where flaws are noted.
pub(super) struct Settler<'a> {
    flaws: &'a mut Vec<Flaw>,
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
            limit_ms: or(draft.limit_ms, Knob { is: 120_000, from: 100, to: 3_600_000 }),
            person_limit_ms: or(draft.person_limit_ms, Knob { is: 3_600_000, from: 1000, to: 86_400_000 }),
            queue_ms: or(draft.queue_ms, Knob { is: 3_600_000, from: 1000, to: 86_400_000 }),
            absent_after: or(draft.absent_after, Knob { is: 2, from: 1, to: 100 }),
            history_chars: or(draft.history_chars, Knob { is: 8000, from: 1000, to: 1_000_000 }),
        };
        for (key, line, knob) in
            [("limit_ms", limit_line, turn.limit_ms), ("absent_after", absent_line, turn.absent_after)]
        {
            if knob.from == 0 {
                self.error(line, &format!("turn.{key}"), "this may not be 0", "write 1 or more");
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
            self.look_like_thirds(pass.line, "ballot.pass", pass.value.ratio);
            self.can_be_met(pass.line, "ballot.pass", pass.value);
        }
        if let Some(quorum) = &draft.quorum {
            self.look_like_thirds(quorum.line, "ballot.quorum", quorum.value);
            if quorum.value.ceiling_of(1) == 0 {
                let wrong = "a quorum of 0 lets one vote decide for all seats".into();
                self.note(
                    quorum.line,
                    "ballot.quorum",
                    wrong,
                    "write such as \"1/2\" if that is not meant".into(),
                    false,
                );
            }
        }
        let pass = self.need(draft.pass, line, "ballot.pass", "pass = \"> 1/2\" under [ballot]");
        let basis = self.need(draft.basis, line, "ballot.basis", "basis = \"cast\" under [ballot]");
        let quorum = self.need(draft.quorum, line, "ballot.quorum", "quorum = \"1/2\" under [ballot]");
        let tie = self.need(draft.tie, line, "ballot.tie", "tie = \"fails\" under [ballot]");
        let unparsed_retries =
            self.within(draft.unparsed_retries, "ballot.unparsed_retries", (0, 5), 1) as u32;
        let weights = draft.weights.map_or(ballot::Weights::Equal, |weights| weights.value);
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
            change: draft.change.is_some_and(|value| value.value),
            change_needs_argument: draft.change_needs_argument.is_some_and(|value| value.value),
            delegation: draft.delegation.is_some_and(|value| value.value),
            method: draft.method.map_or_else(Default::default, |method| method.value),
            secrecy: draft.secrecy.map_or_else(Default::default, |secrecy| secrecy.value),
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
                        format!("\"{name}\" stands there twice"),
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
            let wrong = "votes are not weighed by record here";
            self.error(
                record.line,
                "ballot.record",
                wrong,
                "write weights = \"reliability\", or leave it out",
            );
        }
        if let (ballot::Weights::Reliability, Some(passed_on)) = (weights, passed_on) {
            let wrong = "a vote is worth what the record of who casts it is, so nobody can cast another's";
            self.error(passed_on, "ballot.delegation", wrong, "leave it out, or write weights = \"none\"");
        }
        if let (ballot::Weights::Reliability, Some(secrecy)) = (weights, secret) {
            let wrong = "weights by record are known, so a weighed count would tell who voted how";
            self.error(secrecy, "ballot.secrecy", wrong, "write \"until-closed\", or weights = \"none\"");
        }
        let record = given.unwrap_or(DraftRecord { line: 0, least: None, shrink: None, top: None });
        let by = ByRecord {
            least: self.within(record.least, "ballot.record.least", (1, 10_000), 20) as u32,
            shrink: self.within(record.shrink, "ballot.record.shrink", (1, 1_000), 4) as u32,
            top: record.top.map(|top| self.within(Some(top), "ballot.record.top", (1, 1_000), 1) as u32),
        };
        (weights == ballot::Weights::Reliability).then_some(by)
    }

    /// A number within a range, or its default. A number outside is a flaw, never bent.
    pub(super) fn within(
        &mut self,
        given: Option<Lined<u64>>,
        key: &str,
        (least, most): (u64, u64),
        default: u64,
    ) -> u64 {
        match given {
            None => default,
            Some(given) if (least..=most).contains(&given.value) => given.value,
            Some(given) => {
                self.error(
                    given.line,
                    key,
                    format!("{} is outside", given.value),
                    format!("write {least} to {most}"),
                );
                default
            }
        }
    }

    /// A share that nothing can have, or that everything has, was not meant.
    pub(super) fn can_be_met(&mut self, line: usize, key: &str, pass: Threshold) {
        let (nothing, all) = (pass.is_met_by(0, 1), pass.is_met_by(1, 1));
        if nothing || !all {
            let wrong =
                if nothing { "this passes without a single vote" } else { "nothing can ever pass this" };
            self.error(line, key, wrong, "write a threshold such as \"> 1/2\" or \">= 2/3\"");
        }
    }

    /// A decimal is taken literally; somebody who wrote 0.67 may have meant two thirds.
    pub(super) fn look_like_thirds(&mut self, line: usize, key: &str, ratio: Ratio) {
        let pairs =
            [(("66/100", "67/100"), "2/3"), (("33/100", "34/100"), "1/3"), (("666/1000", "667/1000"), "2/3")];
        let is = |text: &str| text.parse::<Ratio>().is_ok_and(|other| other == ratio);
        if let Some((_, meant)) = pairs.iter().find(|((low, high), _)| is(low) || is(high)) {
            let wrong = format!("{ratio} is taken literally and is not {meant}");
            self.note(line, key, wrong, format!("write \"{meant}\" if that is meant"), false);
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
                    self.error(line, "gate.confidence_least", "it is above confidence_most", "swap them");
                }
                least.zip(most)
            }
        };
        let chars_most = self.within(draft.chars_most, "gate.chars_most", (1, 1_000_000), 20_000) as u32;
        let stance_required = draft.stance_required.is_some_and(|value| value.value);
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
                    let wrong = format!("a stage \"{}\" stands above already", stage.name);
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
                "the last stage is no vote",
                "end with a stage of kind = \"vote\"",
            );
        } else if let Some(early) = &draft.early {
            let fix = "leave `early` out there: the last vote settles the matter in any case";
            self.error(early.line, "stage.early", "the last vote may not leave the matter open", fix);
        }
    }

    fn stage(&mut self, draft: DraftStage) -> Option<Stage> {
        let line = draft.line;
        let name = self.stage_need(draft.name, line, "name", "name = \"…\"");
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
                    self.error(line, &format!("stage.{key}"), "a vote has no such setting", "remove it");
                }
                StageKind::Vote { early: draft.early.map(|early| early.value) }
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
                let rounds = draft.rounds.map_or(Lined { value: Knob::fixed(1), line }, |rounds| rounds);
                if rounds.value.from == 0 {
                    self.error(
                        rounds.line,
                        "stage.rounds",
                        "a stage of 0 rounds says nothing",
                        "write 1 or more",
                    );
                }
                if let (Some(Sees::Team), Some(Order::Parallel | Order::Sequential)) = (sees, floor) {
                    let fix = "write floor = \"teams\", or sees = \"so-far\"";
                    self.error(line, "stage.sees", "there are no teams on this floor", fix);
                }
                let panel = draft.panel.and_then(|panel| self.panel(panel, floor, sees));
                StageKind::Speak(Speak {
                    panel,
                    floor: floor?,
                    sees: sees?,
                    rounds: rounds.value,
                    until_clear: draft.until_clear.map(|clear| clear.value),
                    until_still: draft.until_still.is_some_and(|still| still.value),
                    crux: draft.crux.is_some_and(|crux| crux.value),
                })
            }
        };
        Some(Stage { name: name?, kind })
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
                "no section is asked for",
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
                    format!("\"{key}\" is no key"),
                    "use a to z, 0 to 9 and `_`",
                );
            }
            if ["stance", "confidence"].iter().any(|taken| same_key(taken, &key)) {
                let wrong = format!("\"{key}\" is asked for in every statement already");
                self.error(line, &format!("{path}.key"), wrong, "choose another key");
            }
            if sections.iter().any(|known| same_key(&known.key, &key)) {
                self.error(
                    line,
                    &format!("{path}.key"),
                    format!("\"{key}\" stands above already"),
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
