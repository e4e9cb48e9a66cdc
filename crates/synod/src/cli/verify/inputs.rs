//! The files that `synod verify` is given, and what they say by themselves and together.

use std::path::Path;

use synod_journal::{JournalReader, Receipt};

use super::evidence::RecordProof;
use super::exports::{DecisionExport, Export, GrowthProof};
use super::{VerifyReport, place, short, vouch};
use crate::fail::Result;
use crate::pins::Pins;

/// The files that were named on the command line.
#[derive(Debug, Default)]
pub(super) struct VerifyInputs {
    pub(super) named: bool,
    pub(super) receipts: Vec<Receipt>,
    pub(super) proofs: Vec<RecordProof>,
    pub(super) growth: Vec<GrowthProof>,
    pub(super) decisions: Vec<DecisionExport>,
}

impl VerifyInputs {
    pub(super) fn take(&mut self, export: Export, path: &Path, found: &mut VerifyReport) {
        match export {
            Export::Growth(proof) => self.growth.push(proof),
            Export::Statement(receipt) => {
                let key = short(&receipt.key);
                found
                    .checked
                    .push(format!("the in-toto statement is signed by key {key}; it holds a receipt"));
                self.receipts.push(receipt);
            }
            Export::Decision(decision) => self.decisions.push(decision),
            Export::Foreign(what) => {
                found.enough = false;
                found.notes.push(format!("{} is {what}", path.display()));
            }
        }
    }

    /// Proofs that the record only grew, against whatever else is here.
    pub(super) fn check_growth(
        &self,
        pins: &Pins,
        journal: Option<&dyn JournalReader>,
        found: &mut VerifyReport,
    ) -> Result<()> {
        let of_proofs = self.proofs.iter().filter_map(RecordProof::head);
        let heads: Vec<_> = of_proofs.chain(self.growth.iter().map(|proof| proof.head().clone())).collect();
        for proof in &self.growth {
            let mut one = VerifyReport::new();
            proof.check(pins, &heads, journal, &mut one)?;
            found.absorb(one);
        }
        Ok(())
    }

    /// What they say by themselves. A receipt and the proof of its act belong together, and are as good as the better of the
    /// two; everything else stands alone.
    pub(super) fn check(&self, pins: &Pins, found: &mut VerifyReport) {
        let asks = pins.policy().is_some_and(|policy| policy.asks_for_witnesses());
        let act_of = |receipt: &Receipt| place(&receipt.body).map(|(seq, _)| seq.0);
        // Whoever gives one of each means them together, also where they do not fit.
        let is_pair = self.receipts.len() == 1 && self.proofs.len() == 1;
        let belongs =
            |receipt: &Receipt, proof: &RecordProof| is_pair || act_of(receipt) == Some(proof.proof.act());
        for receipt in &self.receipts {
            let mut one = VerifyReport::new();
            vouch(receipt, pins, &mut one);
            let proofs = self.proofs.iter().filter(|proof| belongs(receipt, proof));
            let of_one = proofs.map(|proof| proof.check(Some(receipt), pins, &mut one)).count();
            if asks && of_one == 0 {
                one.enough = false;
                one.notes.push("the policy asks for witnesses, and a receipt has none: give the proof with it (`synod proof`)".into());
            }
            found.absorb(one);
        }
        for decision in &self.decisions {
            let mut one = VerifyReport::new();
            decision.check(pins, &mut one);
            found.absorb(one);
        }
        for proof in &self.proofs {
            if !self.receipts.iter().any(|receipt| belongs(receipt, proof)) {
                let mut one = VerifyReport::new();
                proof.check(None, pins, &mut one);
                found.absorb(one);
            }
        }
    }
}
