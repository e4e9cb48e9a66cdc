//! What a citation proves in an issue, and whether there was a reason to look it up. Nothing here posts anything.
//!
//! A citation earns if it is true, new to the thread, not of its author's own making, and somebody else gave reason for it.

use std::collections::BTreeSet;

use super::state::parts;
use crate::canon::{TopicWords, subject_key};
use crate::dissent::DissentSide;
use crate::evidence::{
    EvidenceGrade, FileFinding, FileReference, echoes, marks_of, references_in, stands_in,
};
use crate::house::{Case, House};
use crate::kernel::{
    At, AuthorClass, Choice, CitationTrigger, Comment, CommentKind, Contribution, Reference, Who,
};
use crate::ledger::{CitationFinding, CitationProof, gap_form};

/// How long a file must have lain unchanged when an agent opens an issue, to prove anything there: agents choose the moment.
const SETTLED_MS: u64 = 3_600_000;
/// The same where the agent that cites it opened the issue itself.
const SETTLED_OWN_MS: u64 = 86_400_000;

/// What was found of the files that somebody cited in an issue so far.
pub(super) fn own_findings<'a>(case: &'a Case, who: &'a Who) -> impl Iterator<Item = &'a FileFinding> {
    let own = case.comments().filter(move |(_, heard)| heard.who == who);
    own.flat_map(|(_, heard)| parts(case).1.findings_of(heard.comment))
}

/// What a thread says already.
pub(super) struct KnownWords<'a> {
    case: &'a Case,
    marks: BTreeSet<u32>,
    named: Vec<FileReference>,
}

impl<'a> KnownWords<'a> {
    /// Reads a thread.
    pub(super) fn of(case: &'a Case) -> Self {
        let known = Self { case, marks: BTreeSet::new(), named: Vec::new() };
        let marks = known.texts().flat_map(marks_of).collect();
        let files = |reference| match reference {
            Reference::File(file) => Some(file),
            Reference::Canon(_) | Reference::Gap(_) | Reference::Issue(_) => None,
        };
        let issue = [&*case.opening.question.topic, &*parts(case).1.issue.body];
        let named = issue.into_iter().flat_map(references_in).filter_map(files).collect();
        Self { marks, named, ..known }
    }

    fn texts(&self) -> impl Iterator<Item = &'a str> {
        let issue = [&*self.case.opening.question.topic, &*parts(self.case).1.issue.body];
        issue.into_iter().chain(self.case.comments().map(|(said, _)| said.said.text()))
    }

    /// Whether a citation only repeats what the thread says or cites already.
    fn hold(&self, file: &FileReference, finding: &FileFinding) -> bool {
        let said = match &file.quote {
            Some(quote) => {
                self.texts().any(|text| stands_in(quote, text)) || echoes(&marks_of(quote), &self.marks)
            }
            None => echoes(&finding.marks, &self.marks),
        };
        let state = parts(self.case).1;
        let cited = || {
            let mut all = self.case.comments().flat_map(|(_, heard)| state.findings_of(heard.comment));
            all.any(|one| one.problem.is_none() && finding.is_same_place(one))
        };
        let (first, last) = finding.place();
        let named = || {
            self.named.iter().any(|one| {
                let lines = one.lines.and_then(|lines| lines.within(finding.line_count));
                let meets = lines.is_some_and(|(from, to)| first <= to && from <= last);
                meets && one.clean_path().ok() == file.clean_path().ok()
            })
        };
        said || cited() || named()
    }
}

/// What a finding proves for somebody in an issue.
pub(super) fn proof(
    house: &House,
    known: &KnownWords<'_>,
    who: &Who,
    (file, finding): (&FileReference, &FileFinding),
) -> CitationProof {
    let made = || is_own_making(house, known.case, who, file, finding);
    match finding.grade() {
        EvidenceGrade::Unverified => CitationProof::False,
        EvidenceGrade::Exists => CitationProof::Exists,
        EvidenceGrade::Verified | EvidenceGrade::Precise if made() || known.hold(file, finding) => {
            CitationProof::Exists
        }
        EvidenceGrade::Verified => CitationProof::Verified,
        EvidenceGrade::Precise => CitationProof::Precise,
    }
}

/// Whether a file may have been written for the answer, by whoever cites it.
fn is_own_making(house: &House, case: &Case, who: &Who, file: &FileReference, finding: &FileFinding) -> bool {
    let Some(changed) = finding.changed else { return false };
    let issue = &parts(case).1.issue;
    let settled = match (issue.by.as_ref() == Some(who), issue.class) {
        (true, _) => SETTLED_OWN_MS,
        (false, AuthorClass::Agent) => SETTLED_MS,
        // Who oversees does not open issues to have somebody paid.
        (false, AuthorClass::User | AuthorClass::System | AuthorClass::Moderator) => 0,
    };
    let leased = || file.clean_path().is_ok_and(|path| house.leases().held_at(who, &path, changed));
    At(changed.0.saturating_add(settled)) >= case.opened || leased()
}

/// The reason why evidence was looked up, if the thread bears it out. Whoever says that they answer a question nobody asked
/// looked it up for no reason.
pub(super) fn proved_trigger(case: &Case, who: &Who, stated: CitationTrigger) -> CitationTrigger {
    let issue = &parts(case).1.issue;
    let others = || case.comments().filter(|(_, heard)| heard.who != who);
    let takes = |side: Choice| others().any(|(_, heard)| heard.stance == Some(side));
    let by_other = issue.by.as_ref() != Some(who);
    let ordered = || {
        let order = parts(case).1.order_of(who);
        order.is_some_and(|(_, order)| order.order.side == DissentSide::Against)
    };
    // A proposal would change something: its author says how much, takes a side, or has made the change.
    let proposes = |comment: &Comment, stance: Option<Choice>| {
        let changes = comment.action.as_ref().is_some_and(|action| action.deed.touches_files());
        let takes_side = matches!(stance, Some(Choice::Yes | Choice::No));
        comment.kind == CommentKind::Comment && (comment.impact.is_some() || takes_side || changes)
    };
    let holds = match stated {
        CitationTrigger::AnswerToQuestion => {
            let asks = |comment: &Comment| comment.kind == CommentKind::Question;
            let asked = || case.opening.question.topic.contains('?') || issue.body.contains('?');
            others().any(|(_, heard)| asks(heard.comment)) || (by_other && asked())
        }
        CitationTrigger::ResolveConflict => takes(Choice::No),
        CitationTrigger::ChallengeConsensus => ordered() || takes(Choice::Yes),
        CitationTrigger::SupportProposal | CitationTrigger::VerifyContinuity => {
            let said = || others().any(|(_, heard)| proposes(heard.comment, heard.stance));
            (by_other && issue.impact.is_some()) || said()
        }
        CitationTrigger::CanonGapSearch | CitationTrigger::Unprompted => true,
    };
    if holds { stated } else { CitationTrigger::Unprompted }
}

/// The gap in canon that a comment found, if it did: the house searches and finds nothing. What is missing must be something that
/// others wrote of here, or agents would search for words that nobody uses; one gap for each comment, and none that the thread names
/// already.
pub(super) fn missing(house: &House, case: &Case, said: &Contribution) -> Option<CitationFinding> {
    let comment = said.comment()?;
    let subject =
        comment.gaps().next().filter(|_| comment.trigger == Some(CitationTrigger::CanonGapSearch))?;
    let key = subject_key(subject)?;
    let named = |other: &str| subject_key(other).as_ref() == Some(&key);
    let again = case.comments().any(|(_, heard)| heard.comment.gaps().any(named));
    let asked = TopicWords::of(&words_of_others(case, &said.who)).hold(subject);
    let searched = asked && !again && house.canon().search(subject, said.at).is_empty();
    let form = gap_form(&key);
    searched.then_some(CitationFinding { form, place: None, proof: CitationProof::Searched })
}

/// What others than one participant wrote in an issue.
fn words_of_others(case: &Case, who: &Who) -> String {
    let issue = &parts(case).1.issue;
    let by_other = issue.by.as_ref() != Some(who);
    let opened = [&*case.opening.question.topic, &*issue.body].into_iter().filter(|_| by_other);
    let comments = case.comments().filter(|(_, heard)| heard.who != who).map(|(said, _)| said.said.text());
    opened.chain(comments).collect::<Vec<_>>().join("\n")
}
