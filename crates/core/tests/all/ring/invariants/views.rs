//! Whatever can be asked of a ring has an answer, and the answers fit each other.

use synod_core::house::BriefCache;
use synod_core::kernel::{Decision, Digest};
use synod_core::matter::Status;
use synod_core::view::{MatterLine, Report, receipt};

use super::{Invariant, Step};

pub(super) struct Views;

impl Invariant for Views {
    fn holds(&mut self, step: &Step<'_>) {
        if !step.changed() {
            return;
        }
        let seed = step.seed;
        for case in step.house.cases() {
            let report = Report::of(case);
            assert!(!report.headline.is_empty(), "seed {seed}");
            let ring = report.ring.as_ref().expect("it is a ring");
            assert_eq!(ring.phase, case.phase_word(), "seed {seed}");
            assert_eq!(ring.members.len(), case.opening.seats.len(), "seed {seed}: everyone is listed once");
            assert_eq!(MatterLine::of(case).status, case.status().word());
            let settled = match case.status() {
                Status::Settled(decision) => Some(decision),
                Status::Running | Status::Paused(_) => None,
            };
            let passed = matches!(settled, Some(Decision::Passed { .. }));
            assert_eq!(passed, ring.committed.is_some(), "seed {seed}: committed to nothing");
            assert_eq!(
                ring.reason.is_some(),
                settled.is_some() && !passed,
                "seed {seed}: no reason is given"
            );
            let body = receipt(case, Some("house"), Digest::of(b"last"));
            assert_eq!(body.is_some(), settled.is_some(), "seed {seed}: a receipt is of what is over");
            for sheet in step.sheets() {
                assert!(sheet.prompt.ends_with('\n'), "seed {seed}");
                assert!(step.house.brief(sheet.ask, &mut BriefCache::default()).is_none(), "seed {seed}");
            }
        }
    }
}
