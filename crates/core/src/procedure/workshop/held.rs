//! Comments that cite files wait until somebody has read them: the world is asked, and what it finds is judged here.
//!
//! The engine reads inside its jail and tells what it found; the text itself never enters the record. What is found is confirmed
//! from the finding alone before anything follows from it. After a crash the ask is still open, and is performed again.

use std::sync::Arc;

use super::author::Author;
use super::comment::blind_reader;
use super::credit::CommentFate;
use super::state::parts;
use crate::ask::{self, Of, WorldTask};
use crate::command::Delivered;
use crate::evidence::{self, FileFinding, FileReference, Unverified};
use crate::gate::{self, Breach, FalseCitation, GateVerdict, comment_verdict};
use crate::house::{Case, Flow};
use crate::issue::ThawCause;
use crate::kernel::{
    AskId, AuthorClass, Cause, Comment, CommentDeed, Contribution, ContributionKind, Id, Reference, Who,
};
use crate::{Act, Event, procedure};

/// The ask that a comment waits for, if an act held one back.
pub fn held_by(act: &Act) -> Option<AskId> {
    act.events().iter().enumerate().find_map(|(nth, event)| match event {
        Event::Ask(ask::Event::Sent { task: WorldTask::Check { .. }, .. }) => {
            Some(AskId(Id { act: act.seq, nth: nth as u16 }))
        }
        _ => None, // nothing else holds a comment back
    })
}

/// The files among references, in their order.
pub(super) fn files_of(comment: &Comment) -> impl Iterator<Item = &FileReference> {
    comment.evidence.iter().filter_map(|one| match one {
        Reference::File(file) => Some(file),
        Reference::Canon(_) | Reference::Gap(_) | Reference::Issue(_) => None,
    })
}

/// Takes what was found of the files that a comment cites; `case` is the issue before it.
pub(crate) fn deliver(
    flow: &mut Flow,
    case: &Case,
    id: AskId,
    delivered: &Delivered,
) -> Result<(), crate::Refusal> {
    let other = || ask::Refusal::OtherKind { ask: id };
    let open = case.asks().get(&id).ok_or(ask::Refusal::NotOpen { ask: id })?;
    let (Of::World(WorldTask::Check { comment, files }), Delivered::Checked(findings)) =
        (&open.of, delivered)
    else {
        return Err(other().into());
    };
    let sound = findings.len() == files.len() && files.iter().zip(findings).all(is_sound);
    let held = parts(case).1.held.get(comment).filter(|_| sound).ok_or_else(other)?;
    flow.take_findings(case, id, *comment, held, findings);
    Ok(())
}

/// Whether a finding follows from what it holds itself. One that does not comes from no engine of this build.
fn is_sound((file, finding): (&FileReference, &FileFinding)) -> bool {
    finding.problem.is_some() || finding.is_borne_out(file)
}

impl Flow {
    /// Holds a comment back until what it cites was read.
    pub(super) fn hold(&mut self, said: Contribution) {
        let matter = self.case().id;
        let files = said.comment().map(|comment| files_of(comment).cloned().collect()).unwrap_or_default();
        let comment = self.put(Event::Gate(gate::Event::Held { matter, said: Arc::new(said) }));
        let task = WorldTask::Check { comment, files };
        let until = procedure::delivered_until(self.at, &task);
        self.put(Event::Ask(ask::Event::Sent { matter, task, until }));
    }

    /// Judges a comment whose files were read. The thread may have gone on meanwhile, so the gate is asked again.
    fn take_findings(
        &mut self,
        case: &Case,
        ask: AskId,
        comment: Id,
        held: &Arc<Contribution>,
        findings: &[FileFinding],
    ) {
        let (matter, issue) = (case.id, &parts(case).1.issue);
        let mut said = Contribution::clone(held);
        let author = self.author_of(&said);
        // A disk that fails makes nobody a liar: the author sends it again.
        if let Some(problem) = findings.iter().filter_map(|one| one.problem).find(|why| why.is_fault()) {
            let detail = format!("a file that the comment cites was not read: {}", problem.words(0));
            return self.let_go(ask, Cause::passing(problem.code(), detail));
        }
        if issue.rests(self.at) && !author.oversees() {
            let cause =
                Cause::passing("workshop/frozen", "the issue was frozen before the comment was checked");
            return self.let_go(ask, cause);
        }
        let resolves = said.comment().is_some_and(|comment| comment.did(CommentDeed::Resolved));
        if resolves && blind_reader(case).is_some() {
            let cause =
                Cause::passing("workshop/blind-review-pending", "a blind review was ordered meanwhile");
            return self.let_go(ask, cause);
        }
        let findings = findings.to_vec();
        let checked = evidence::Event::Checked { ask, comment, findings: findings.clone(), matter };
        let checked = self.put(Event::Evidence(checked));
        if issue.freeze.is_some() && !issue.rests(self.at) {
            self.thaw(matter, &author.who, ThawCause::Cooldown);
        }
        self.settle_held(&mut said, case, checked, &findings);
        let case = self.house.shared(matter);
        let Some(case) = case else { return };
        let written = said.comment().cloned().unwrap_or_default();
        let refuted = refuted(&written, &findings);
        let mut breaches = self.breaches(&case, &author, &said);
        let exempt = matches!(author.class, AuthorClass::User | AuthorClass::System);
        if !refuted.is_empty() && !exempt {
            breaches.push(Breach::FalseEvidence { cited: refuted });
        }
        let citations = self.citations(&case, &said, &findings);
        match comment_verdict(&breaches, self.may_freeze(&case, &author.who)) {
            GateVerdict::Admit | GateVerdict::Mark => {
                let stance = said.response.stance;
                self.admit(said, stance);
                self.credit_comment(
                    &case,
                    &author,
                    (written.kind, written.trigger),
                    CommentFate::Stands(&citations),
                );
            }
            verdict @ (GateVerdict::Freeze | GateVerdict::Reject) => {
                self.turn_away(&case, &author, breaches, verdict);
                self.credit_comment(
                    &case,
                    &author,
                    (written.kind, written.trigger),
                    CommentFate::Refuted(&citations),
                );
            }
        }
    }

    /// What only the findings and the present state of the thread tell of a held comment.
    fn settle_held(&self, said: &mut Contribution, case: &Case, checked: Id, findings: &[FileFinding]) {
        let Some(mut comment) = said.comment().cloned() else { return };
        comment.checked = Some(checked);
        comment.verified += findings.iter().filter(|one| one.grade().is_verified()).count() as u32;
        // An order that ended meanwhile gives no budget any more.
        let open = comment.order.is_some_and(|order| parts(case).1.open_orders().any(|(id, _)| id == order));
        if !open {
            (comment.order, comment.blind, said.ordered) = (None, false, None);
        }
        said.at = self.at;
        said.kind = ContributionKind::Comment(Box::new(comment));
    }

    /// Lets a held comment go: nothing is stored, and nobody is charged.
    fn let_go(&mut self, ask: AskId, cause: Cause) {
        self.put(Event::Ask(ask::Event::Lapsed { ask, cause, strike: false }));
    }

    /// Who wrote a comment, in the capacity that they wrote in.
    fn author_of(&self, said: &Contribution) -> Author {
        let class = said.comment().map(|comment| comment.class).unwrap_or_default();
        let role = self.house.roster().appointment(&said.who).role;
        let is_operator = said.who.as_str() == "user";
        Author { class, is_operator, role, who: Who::clone(&said.who) }
    }
}

/// The citations that do not hold.
fn refuted(comment: &Comment, findings: &[FileFinding]) -> Vec<FalseCitation> {
    let wrong = |(file, finding): (&FileReference, &FileFinding)| {
        let problem: Unverified = finding.problem?;
        let (cited, why) = (file.to_string(), finding.why()?.into());
        Some(FalseCitation { cited, code: problem.code().into(), why })
    };
    files_of(comment).zip(findings).filter_map(wrong).collect()
}
