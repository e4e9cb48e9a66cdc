//! Every field that a line may leave out, by name.
//!
//! The patterns name all fields: one that is added to the core does not build here until somebody has said
//! whether it is always there, and one that may be left out and is in no line fails the test.

use synod_core::ballot::{CarriedVotes, Count, Delegation, GradeCount, GradedVote, Rules as Balloting, Vote};
use synod_core::brief::{Part, Tools, Wording};
use synod_core::charter::{Council, Speak};
use synod_core::command::Open;
use synod_core::context::{AnswerOption, Material, Synthesis};
use synod_core::gate::Rules as Gating;
use synod_core::kernel::{Call, Evidence, Id, ProposalId};
use synod_core::kernel::{Cause, Citation, Contribution, Estimate, Response, Seat, SeatProfile, Usage};
use synod_core::lens::Rules as Seeing;
use synod_core::matter::{Opening, Question};
use synod_core::meter::{Limits, Worst};
use synod_core::procedure::council::Fork;
use synod_core::roster::{Role, Roles};
use synod_core::watch::{Analysis, Cluster, Nuance, Opinion, Point};

fn is_there<T: Default + PartialEq>(it: &T) -> bool {
    *it != T::default()
}

/// A function that names the fields which are there, of those after the `;`, and a list of all names.
macro_rules! optional {
    ($($function:ident($kind:ident) { $($always:ident),* ; $($field:ident),+ $(,)? })+) => {
        $(pub(super) fn $function(it: &$kind) -> Vec<&'static str> {
            let $kind { $($always: _,)* $($field),+ } = it;
            let each = [$((is_there($field), concat!(stringify!($function), ".", stringify!($field)))),+];
            each.into_iter().filter(|(there, _)| *there).map(|(_, name)| name).collect()
        })+
        pub(super) const ALL: &[&str] = &[$($(concat!(stringify!($function), ".", stringify!($field))),+),+];
    };
}

/// What `Command::Answer` may hold.
pub(super) struct Answer<'a> {
    pub(super) salt: Option<&'a str>,
}

/// What `context::Event::Listed` may leave out.
pub(super) struct Listed<'a> {
    pub(super) left_out: &'a [AnswerOption],
}

/// What `Command::Continue` holds.
pub(super) struct Continue<'a> {
    pub(super) context: &'a [Material],
    pub(super) focus: Option<&'a str>,
    pub(super) to_end: bool,
}

/// What the parts and events of a ring may leave out.
macro_rules! left_out {
    ($($name:ident { $($field:ident: $kind:ty),+ })+) => {
        $(pub(super) struct $name { $(pub(super) $field: $kind),+ })+
    };
}

left_out! {
    Begun { patience_ms: Option<u64> }
    Paused { halt: bool }
    Say { keep: bool, to: Option<Id> }
    Propose { keep: bool }
    Amend { keep: bool, why: Option<String> }
    React { keep: bool, text: Option<String> }
    Skip { why: Option<String> }
    Rule { why: Option<String> }
    Grading {
        changes: Vec<String>, conditions: Vec<String>, rationale: Option<String>, salt: Option<String>
    }
    Ruled { why: Option<String> }
    Lapsed { strike: bool }
    Voting { stage: u16 }
    Skipped { why: Option<String> }
    Counted { tied: Vec<ProposalId> }
    Signs { key: Option<String> }
}

optional! {
    open(Open) {
        question, charter, seats;
        limits, moved, judges, scribe, context, focus, motion, perspectives, proposal, reaches, sources, stepwise,
        synthesis,
    }
    fork(Fork) { from, round; charter, seats, limits, moved, focus, stepwise }
    go_on(Continue) { ; context, focus, to_end }
    question(Question) { topic; must, options, unit }
    estimate(Estimate) { best; high, low }
    proposed(AnswerOption) { proposers, text; also }
    listed(Listed) { ; left_out }
    opening(Opening) {
        charter, question, seats;
        forked, judges, motion, moved, perspectives, proposer, replaced, scribe, sources, stepwise, synthesis,
    }
    seat(Seat) { kind, backend, name, who; model, persona, profile }
    profile(SeatProfile) { ; green_lines, rank, red_lines, title }
    key(Signs) { ; key }
    keyed(Signs) { ; key }
    limits(Limits) { ; cost, calls, tokens, time_ms }
    worst(Worst) { tokens; cost }
    council(Council) {
        turn, gate, brief, stages;
        lens, motions, parliament, personas, roles, perspectives, watch,
    }
    gate(Gating) { stance_required, required_fields, chars_most; confidence_range, moved_by }
    ballot(Balloting) {
        basis, pass, quorum, tie, unparsed_retries;
        change, change_needs_argument, delegation, early, method, record, secrecy, veto, weights,
    }
    answer(Answer) { ; salt }
    delegation(Delegation) { how, to, who; reason, repairs, seal }
    count(Count) { ; blocked, carried, lost, standing, weighed }
    carried(CarriedVotes) { by; of, weight }
    lens(Seeing) { ; anonymize, statistics }
    wording(Wording) { role, contract, first, later, checklist; parts, tools }
    part(Part) { definition, emoji, mission, name, title; must, must_not }
    tools(Tools) { reason; discouraged, encouraged }
    roles(Roles) { roles; beyond, by_seats, yes_no_only }
    role(Role) { name; expects }
    speak(Speak) { floor, sees, rounds; until_clear, until_still, crux, panel }
    contribution(Contribution) {
        ask, at, how, response, round, who;
        kind, ordered, repairs, repeats, stage, to, violations,
    }
    response(Response) {
        ;
        checks, citations, confidence, context_requests, estimate, key_points, position, reasoning, sections, stance,
    }
    citation(Citation) { ; quote, title, url }
    vote(Vote) {
        choice, how, who;
        argument, change_if, changed_from, conditions, confidence, conformity, marks, reason, repairs, seal,
        stated,
    }
    graded(GradedVote) { grade, proposal, who; changed_from, changes, conditions, rationale, seal }
    say(Say) { ; keep, to }
    propose(Propose) { ; keep }
    amend(Amend) { ; keep, why }
    react(React) { ; keep, text }
    skip(Skip) { ; why }
    rule(Rule) { ; why }
    grading(Grading) { ; changes, conditions, rationale, salt }
    ruled(Ruled) { ; why }
    lapsed(Lapsed) { ; strike }
    voting(Voting) { ; stage }
    skipped(Skipped) { ; why }
    counted(Counted) { ; tied }
    grades(GradeCount) { decision, grades, proposal, tally; vetoed }
    call(Call) { took_ms, usage; brief, evidence, model, retries }
    evidence(Evidence) { source, tool; digest, lines, wrong }
    begun(Begun) { ; patience_ms }
    paused(Paused) { ; halt }
    usage(Usage) { calls; cost, tokens_cached, tokens_in, tokens_out }
    cause(Cause) { code, detail; lasting }
    synthesis(Synthesis) { ; agreed, disputed, next_steps, open_questions, recommendation, summary }
    analysis(Analysis) {
        ;
        agreement, clusters, common_ground, confidence, conflicts, converged, groupthink, least_confidence,
        nuances, ordered, unknown,
    }
    cluster(Cluster) { who; by, gist, stance }
    point(Point) { sides, text, who; similar }
    nuance(Nuance) { apart, who; stance }
    opinion(Opinion) {
        ;
        agreement, clusters, common_ground, disagreements, groupthink, nuances, summary,
    }
}

/// Whether whoever performs an ask may take longer than a turn.
pub(super) fn patient(patience_ms: Option<u64>) -> Vec<&'static str> {
    begun(&Begun { patience_ms })
}

/// Whether a rest says what cannot be used.
pub(super) fn halted(halt: bool) -> Vec<&'static str> {
    paused(&Paused { halt })
}
