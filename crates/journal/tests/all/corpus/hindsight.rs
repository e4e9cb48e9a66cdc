//! What becomes known later, and votes that are weighed by it.

use synod_core::Command;
use synod_core::ballot::RecordTrust;
use synod_core::kernel::{Actor, ByRecord, Choice, Decision, UndecidedReason};
use synod_core::track::{Event, JudgedVote, Learned, Truth, Verdict};

use super::chapters::vote_only;
use super::kinds::named;
use super::scribe::{Scribe, open};

named! {
    said(Verdict) in TOLD {
        Verdict::Right => "told right",
        Verdict::Wrong => "told wrong",
        Verdict::Answer(_) => "told an answer",
        Verdict::Proposal(_) => "told a proposal",
        Verdict::Number(_) => "told a number",
    }
    truth(Truth) in TRUTHS {
        Truth::Is(_) => "truth is",
        Truth::IsNot(_) => "truth is not",
        Truth::Number(_) => "a number came true",
        Truth::Proposal { right: true, .. } => "a proposal was right",
        Truth::Proposal { right: false, .. } => "a proposal was wrong",
    }
    trust(RecordTrust) in TRUSTS {
        RecordTrust::Learned(_) => "trust in learned weights",
        RecordTrust::Weights(_) => "trust in weights",
        RecordTrust::TooFew { .. } => "trust in too few",
        RecordTrust::NoneAhead => "trust in nobody",
    }
}

const FIELDS: [&str; 6] =
    ["mark.minority", "mark.model", "by_record.top", "mark.backend", "mark.side", "learned.options"];

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [TOLD, TRUTHS, TRUSTS, &FIELDS].into_iter().flatten().copied()
}

/// The names of what somebody says was true.
pub(super) fn told(told: &Verdict, names: &mut Vec<&'static str>) {
    names.push(said(told));
}

/// The names of what became known.
pub(super) fn happened(event: &Event, names: &mut Vec<&'static str>) {
    let Event::Learned(learned) = event;
    let Learned { marks, matter: _, options, root: _, truth: was } = &**learned;
    names.push(truth(was));
    names.extend((*options > 0).then_some(FIELDS[5]));
    for JudgedVote { backend, minority, model, right: _, side, who: _ } in marks {
        names.extend(side.iter().map(|_| FIELDS[4]));
        names.extend(backend.iter().map(|_| FIELDS[3]));
        names.extend(minority.then_some(FIELDS[0]));
        names.extend(model.iter().map(|_| FIELDS[1]));
    }
}

/// The names of what a ballot believes of records.
pub(super) fn believed(
    record: Option<&ByRecord>,
    trusted: Option<&RecordTrust>,
    names: &mut Vec<&'static str>,
) {
    names.extend(trusted.map(trust));
    if let Some(ByRecord { least: _, shrink: _, top }) = record {
        names.extend(top.iter().map(|_| FIELDS[2]));
    }
}

/// A vote of those who sit there, and what is said of it afterwards.
fn decides(it: &mut Scribe, source: &str, votes: &[(&str, &str)], decision: Decision, verdict: Verdict) {
    let seats: Vec<&str> = votes.iter().map(|(name, _)| *name).collect();
    it.opens(open(source, "Shall we?", &[], &seats));
    it.all_vote(votes);
    it.settled(decision);
    let matter = it.matter();
    it.operator(Command::RecordOutcome { matter, verdict });
}

/// The house goes on by the edition that tries weights before it uses them. What it learned before counts on.
pub(super) fn weights_are_tried(it: &mut Scribe) {
    it.done(Actor::Engine, Command::Upgrade { edition: synod_core::edition::CURRENT });
    let rule =
        "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"fails\"\nweights = \"reliability\"";
    let source = vote_only("tried", rule);
    it.adopt(&source);
    let votes = [("ann", "YES"), ("cy", "YES"), ("dee", "NO")];
    it.opens(open(&source, "Shall we?", &[], &["ann", "cy", "dee"]));
    it.all_vote(&votes);
    let matter = it.matter();
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Answer(Choice::Yes) });
    it.opens(open(&source, "Which API?", &["REST", "GraphQL"], &["ann", "cy", "dee"]));
    it.all_vote(&[("ann", "A"), ("cy", "B"), ("dee", "A")]);
    let matter = it.matter();
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Answer(Choice::Option(0)) });
}

/// The chapter.
pub(super) fn becomes_known(it: &mut Scribe) {
    let rule =
        "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"fails\"\nweights = \"reliability\"";
    let source = vote_only("by-record", &format!("{rule}\nrecord = {{ least = 2, shrink = 1, top = 2 }}"));
    it.adopt(&source);
    let (passed, failed) = (Decision::Passed { option: None }, Decision::Rejected);
    let three = |ann, cy, dee| [("ann", ann), ("cy", cy), ("dee", dee)];
    decides(it, &source, &three("YES", "YES", "NO"), passed, Verdict::Wrong);
    decides(it, &source, &three("YES", "NO", "NO"), failed, Verdict::Right);
    // Dee alone was right twice.
    decides(it, &source, &three("YES", "YES", "NO"), failed, Verdict::Answer(Choice::No));
    // She is the only one whose vote counts, and takes no side.
    it.opens(open(&source, "Shall we?", &[], &["ann", "cy", "dee"]));
    it.all_vote(&three("YES", "YES", "ABSTAIN"));
    it.settled(Decision::Undecided(UndecidedReason::Weightless));
    let two = [("ann", "YES"), ("Élodie", "YES")];
    decides(it, &source, &two, passed, Verdict::Wrong);
    decides(it, &source, &two, passed, Verdict::Wrong);
    decides(it, &source, &two, passed, Verdict::Wrong);

    let source =
        vote_only("plain-choice", "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"fails\"");
    it.adopt(&source);
    it.opens(open(&source, "Which API?", &["REST", "GraphQL"], &["ann", "cy"]));
    let matter = it.matter();
    it.refused(
        "matter/wrong-status",
        Actor::Operator,
        Command::RecordOutcome { matter, verdict: Verdict::Right },
    );
    it.all_vote(&[("ann", "A"), ("cy", "A")]);
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Wrong });
    it.refused(
        "track/no-such-answer",
        Actor::Operator,
        Command::RecordOutcome { matter, verdict: Verdict::Answer(Choice::Yes) },
    );

    let (matter, proposal) = it.committed_ring();
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Wrong });
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Proposal(proposal) });
}
