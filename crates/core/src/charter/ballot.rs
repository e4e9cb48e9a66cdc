//! From what was written to what holds: how votes are judged.

use super::Knob;
use super::defaults::ballot as usual;
use super::draft::{DraftBallot, DraftRecord};
use super::settle::Settler;
use super::source::Lined;
use crate::kernel::{ByRecord, Threshold, Who};
use crate::{ballot, edition};

impl Settler<'_> {
    pub(super) fn ballot(&mut self, draft: DraftBallot) -> Option<ballot::Rules> {
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
            self.within(draft.unparsed_retries, "ballot.unparsed_retries", usual::UNPARSED_RETRIES) as u32;
        let weights = draft.weights.map_or(usual::WEIGHTS, |weights| weights.value);
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
            change: or(draft.change, usual::CHANGE),
            change_needs_argument: or(draft.change_needs_argument, usual::CHANGE_NEEDS_ARGUMENT),
            delegation: or(draft.delegation, usual::DELEGATION),
            method: draft.method.map_or(usual::METHOD, |method| method.value),
            secrecy: draft.secrecy.map_or(usual::SECRECY, |secrecy| secrecy.value),
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
        let (least, shrink) = match self.edition < edition::LEARNS {
            true => (usual::RECORD_LEAST_BEFORE, usual::RECORD_SHRINK_BEFORE),
            false => (usual::RECORD_LEAST, usual::RECORD_SHRINK),
        };
        let by = ByRecord {
            least: self.within(record.least, "ballot.record.least", least) as u32,
            shrink: self.within(record.shrink, "ballot.record.shrink", shrink) as u32,
            top: record.top.map(|top| self.within(Some(top), "ballot.record.top", usual::RECORD_TOP) as u32),
        };
        (weights == ballot::Weights::Reliability).then_some(by)
    }
}
