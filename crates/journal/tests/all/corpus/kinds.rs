//! Every kind of thing that a line can hold, by name.
//!
//! The matches are exhaustive: a variant that is added to the core does not build here until it has a name,
//! and a name without a line fails the test.

use synod_core::ask::{Chore, Wanted};
use synod_core::ballot::{Basis, Grade, Loss, Method, Numbers, Secrecy, Tie, Weights};
use synod_core::charter::{Charter, Phase, StageKind};
use synod_core::command::{Part, Perspectives};
use synod_core::context::Wrong;
use synod_core::gate::Breach;
use synod_core::kernel::{Actor, Choice, Contribution, Decision, How, Marks, MatterId, SeatKind, Why};
use synod_core::lens::Sees;
use synod_core::matter::Pause;
use synod_core::table::{Kind, Reaction};
use synod_core::watch::{Analysis, Apart, Exit, Indicator, Over};
use synod_core::{Act, Command, Event, Outcome, Refusal};
use synod_core::{
    ask, ballot, context, door, floor, gate, matter, meter, monitor, roster, table, track, trigger, watch,
};

use super::{called, door as at_door, fields, hindsight};

/// A function that names a variant, and beside it the list of all names.
macro_rules! named {
    ($($function:ident($kind:ty) in $list:ident { $($variant:pat => $name:literal),+ $(,)? })+) => {$(
        fn $function(it: &$kind) -> &'static str {
            match it { $($variant => $name),+ }
        }
        const $list: &[&str] = &[$($name),+];
    )+};
}

pub(super) use named;

named! {
    command(Command) in COMMANDS {
        Command::Found { .. } => "command found",
        Command::Adopt { .. } => "command adopt",
        Command::Enrol { .. } => "command enrol",
        Command::Open(_) => "command open",
        Command::Begin { .. } => "command begin",
        Command::Answer { .. } => "command answer",
        Command::Fail { .. } => "command fail",
        Command::Pause { .. } => "command pause",
        Command::Resume { .. } => "command resume",
        Command::Stop { .. } => "command stop",
        Command::Tick => "command tick",
        Command::Redact { .. } => "command redact",
        Command::Continue { .. } => "command continue",
        Command::Fork(_) => "command fork",
        Command::Supply { .. } => "command supply",
        Command::Waive { .. } => "command waive",
        Command::Synthesise { .. } => "command synthesise",
        Command::Judge { .. } => "command judge",
        Command::Regulate(_) => "command regulate",
        Command::Observe { .. } => "command observe",
        Command::Trigger(_) => "command trigger",
        Command::TurnAway { .. } => "command turn away",
        Command::Learn { .. } => "command learn",
        Command::Partake { .. } => "command partake",
        Command::Start { .. } => "command start",
        Command::Remove { .. } => "command remove",
    }
    part(Part) in PARTS {
        Part::Join => "part join",
        Part::Leave => "part leave",
        Part::Acknowledge { .. } => "part acknowledge",
        Part::Say { .. } => "part say",
        Part::Propose { .. } => "part propose",
        Part::Amend { .. } => "part amend",
        Part::React { .. } => "part react",
        Part::Release { .. } => "part release",
        Part::Skip { .. } => "part skip",
        Part::Rule { accept: true, .. } => "part accept",
        Part::Rule { accept: false, .. } => "part decline",
        Part::Vote { .. } => "part vote",
    }
    event(Event) in EVENTS {
        Event::House(_) => "house founded",
        Event::Charter(_) => "charter adopted",
        Event::Roster(roster::Event::Enrolled { .. }) => "roster enrolled",
        Event::Matter(matter::Event::Opened(_)) => "matter opened",
        Event::Matter(matter::Event::StageEntered { .. }) => "matter stage entered",
        Event::Matter(matter::Event::Paused { .. }) => "matter paused",
        Event::Matter(matter::Event::Resumed { .. }) => "matter resumed",
        Event::Matter(matter::Event::Stepped { .. }) => "matter stepped",
        Event::Matter(matter::Event::Settled { .. }) => "matter settled",
        Event::Matter(matter::Event::Redacted { .. }) => "matter redacted",
        Event::Floor(floor::Event::RoundOpened { .. }) => "floor round opened",
        Event::Floor(floor::Event::Called { .. }) => "floor called",
        Event::Floor(floor::Event::Impanelled { .. }) => "floor impanelled",
        Event::Floor(floor::Event::Absent { .. }) => "floor absent",
        Event::Floor(floor::Event::RoundClosed { .. }) => "floor round closed",
        Event::Floor(floor::Event::Joined { .. }) => "floor joined",
        Event::Floor(floor::Event::Gone { .. }) => "floor gone",
        Event::Floor(floor::Event::Released { .. }) => "floor released",
        Event::Floor(floor::Event::Skipped { .. }) => "floor skipped",
        Event::Table(table::Event::Said { .. }) => "table said",
        Event::Table(table::Event::Proposed { .. }) => "table proposed",
        Event::Table(table::Event::Amended { .. }) => "table amended",
        Event::Table(table::Event::Ruled { .. }) => "table ruled",
        Event::Table(table::Event::Reacted { .. }) => "table reacted",
        Event::Gate(gate::Event::Admitted(_)) => "gate admitted",
        Event::Gate(gate::Event::Rejected { .. }) => "gate rejected",
        Event::Ballot(ballot::Event::Opened { .. }) => "ballot opened",
        Event::Ballot(ballot::Event::Asked { .. }) => "ballot asked",
        Event::Ballot(ballot::Event::Cast { .. }) => "ballot cast",
        Event::Ballot(ballot::Event::Delegated { .. }) => "ballot delegated",
        Event::Ballot(ballot::Event::Unparsed { .. }) => "ballot unparsed",
        Event::Ballot(ballot::Event::Closed { .. }) => "ballot closed",
        Event::Ballot(ballot::Event::Graded { .. }) => "ballot graded",
        Event::Ballot(ballot::Event::Counted { .. }) => "ballot counted",
        Event::Meter(meter::Event::Limited { .. }) => "meter limited",
        Event::Meter(meter::Event::Reserved { .. }) => "meter reserved",
        Event::Meter(meter::Event::Spent { .. }) => "meter spent",
        Event::Ask(ask::Event::Opened { .. }) => "ask opened",
        Event::Ask(ask::Event::Begun { .. }) => "ask begun",
        Event::Ask(ask::Event::Wanted { .. }) => "ask wanted",
        Event::Ask(ask::Event::Met { .. }) => "ask met",
        Event::Ask(ask::Event::Lapsed { .. }) => "ask lapsed",
        Event::Ask(ask::Event::Renewed { .. }) => "ask renewed",
        Event::Context(context::Event::Given { .. }) => "context given",
        Event::Context(context::Event::Focused { .. }) => "context focused",
        Event::Context(context::Event::Requested { required: true, .. }) => "context required",
        Event::Context(context::Event::Requested { required: false, .. }) => "context wished for",
        Event::Context(context::Event::Refused { .. }) => "context refused",
        Event::Context(context::Event::Answered { .. }) => "context answered",
        Event::Context(context::Event::Waived { .. }) => "context waived",
        Event::Context(context::Event::Perspectives { .. }) => "context perspectives",
        Event::Context(context::Event::Digested { .. }) => "context digested",
        Event::Context(context::Event::Synthesised { .. }) => "context synthesised",
        Event::Watch(watch::Event::Analysed { .. }) => "watch analysed",
        Event::Watch(watch::Event::Judged { .. }) => "watch judged",
        Event::Watch(watch::Event::Left { .. }) => "watch left",
        Event::Monitor(monitor::Event::Regulated { .. }) => "monitor regulated",
        Event::Monitor(monitor::Event::Observed { .. }) => "monitor observed",
        Event::Monitor(monitor::Event::Found { .. }) => "monitor found",
        Event::Monitor(monitor::Event::Gone { .. }) => "monitor gone",
        Event::Monitor(monitor::Event::Taken { .. }) => "monitor taken",
        Event::Trigger(trigger::Event::Regulated { .. }) => "trigger regulated",
        Event::Trigger(trigger::Event::Fired { .. }) => "trigger fired",
        Event::Trigger(trigger::Event::Declined { .. }) => "trigger declined",
        Event::Door(door::Event::TurnedAway(_)) => "door turned away",
        Event::Track(track::Event::Learned(_)) => "track learned",
    }
    actor(Actor) in ACTORS {
        Actor::Operator => "by the operator",
        Actor::Engine => "by the engine",
        Actor::Seat(_) => "by a seat",
    }
    decision(Decision) in DECISIONS {
        Decision::Passed { option: None } => "passed",
        Decision::Passed { option: Some(_) } => "passed with an option",
        Decision::Failed => "failed",
        Decision::Undecided(Why::Quorum) => "undecided for a quorum",
        Decision::Undecided(Why::Tie) => "undecided for a tie",
        Decision::Undecided(Why::Below) => "undecided below the threshold",
        Decision::Undecided(Why::NoAnswers) => "undecided without answers",
        Decision::Undecided(Why::Time) => "undecided for time",
        Decision::Undecided(Why::Stopped) => "undecided when stopped",
        Decision::Undecided(Why::Vetoed) => "undecided for a veto",
        Decision::Undecided(Why::Weightless) => "undecided for want of weight",
        Decision::Undecided(Why::NoProposal) => "undecided without a proposal",
        Decision::Undecided(Why::Few) => "undecided with too few",
        Decision::Contested => "contested",
    }
    pause(Pause) in PAUSES {
        Pause::Operator => "paused by the operator",
        Pause::Interrupted => "paused when interrupted",
        Pause::NeedsContext => "paused for context",
        Pause::BetweenRounds => "paused between rounds",
    }
    choice(Choice) in CHOICES {
        Choice::Yes => "choice yes",
        Choice::No => "choice no",
        Choice::Neutral => "choice neutral",
        Choice::Option(_) => "choice of an option",
    }
    how(How) in HOWS {
        How::Json => "read as json",
        How::Fenced => "read as fenced",
        How::Repaired => "read as repaired",
        How::Sections => "read as sections",
        How::Text => "read as text",
    }
    seat_kind(SeatKind) in SEAT_KINDS {
        SeatKind::Model => "seat of a model",
        SeatKind::Person => "seat of a person",
        SeatKind::Scripted => "seat of a script",
        SeatKind::CommandLine => "seat of a command line",
        SeatKind::Rehearsal => "seat of a rehearsal",
        SeatKind::Outside => "seat of an outside agent",
    }
    wanted(Wanted) in WANTED {
        Wanted::Join => "wanted to join",
        Wanted::Propose => "wanted a proposal",
        Wanted::Weigh => "wanted a ruling",
    }
    meant(Kind) in MEANT {
        Kind::Opinion => "said as an opinion",
        Kind::Question => "said as a question",
        Kind::Synthesis => "said as a synthesis",
    }
    reaction(Reaction) in REACTIONS {
        Reaction::Agree => "reaction agree",
        Reaction::Disagree => "reaction disagree",
        Reaction::NeedClarification => "reaction need clarification",
        Reaction::Interesting => "reaction interesting",
        Reaction::Concerning => "reaction concerning",
        Reaction::PartiallyAgree => "reaction partially agree",
    }
    grade(Grade) in GRADES {
        Grade::Approve => "grade approve",
        Grade::ApproveWithConcerns => "grade approve with concerns",
        Grade::Abstain => "grade abstain",
        Grade::RequestChanges => "grade request changes",
        Grade::Reject => "grade reject",
    }
    phase(Phase) in PHASES {
        Phase::Gathering => "phase gathering",
        Phase::Proposing => "phase proposing",
        Phase::Discussing { .. } => "phase discussing",
        Phase::Converging => "phase converging",
        Phase::Voting => "phase voting",
    }
    basis(Basis) in BASES {
        Basis::Cast => "basis cast",
        Basis::Votes => "basis votes",
        Basis::Present => "basis present",
        Basis::Seats => "basis seats",
    }
    tie(Tie) in TIES {
        Tie::Fails => "tie fails",
        Tie::Undecided => "tie undecided",
        Tie::Earlier => "tie earlier",
    }
    method(Method) in METHODS {
        Method::Plurality => "method plurality",
        Method::Borda => "method borda",
        Method::Schulze => "method schulze",
        Method::InstantRunoff => "method instant run-off",
        Method::Approval => "method approval",
        Method::Score => "method score",
    }
    numbers(Numbers) in NUMBERS {
        Numbers::Borda { .. } => "numbers of borda",
        Numbers::Schulze { .. } => "numbers of schulze",
        Numbers::InstantRunoff { .. } => "numbers of an instant run-off",
        Numbers::Approval { .. } => "numbers of approval",
        Numbers::Score { .. } => "numbers of scores",
    }
    marks(Marks) in MARKS {
        Marks::Ranking(_) => "marks ranking",
        Marks::Approved(_) => "marks approved",
        Marks::Scores(_) => "marks scores",
    }
    secrecy(Secrecy) in SECRECIES {
        Secrecy::Open => "secrecy open",
        Secrecy::UntilClosed => "secrecy until closed",
        Secrecy::Secret => "secrecy secret",
    }
    weights(Weights) in WEIGHTS {
        Weights::Equal => "weights equal",
        Weights::Confidence => "weights by confidence",
        Weights::Reliability => "weights by record",
    }
    loss(Loss) in LOSSES {
        Loss::Cycle => "lost in a cycle",
        Loss::Nobody => "lost to nobody",
    }
    breach(Breach) in BREACHES {
        Breach::Empty => "breach empty",
        Breach::TooLong { .. } => "breach too long",
        Breach::StanceMissing => "breach stance missing",
        Breach::ConfidenceMissing => "breach confidence missing",
        Breach::ConfidenceOutside { .. } => "breach confidence outside",
        Breach::FieldMissing { .. } => "breach field missing",
        Breach::StanceUnexpected { got: Some(_), .. } => "breach stance unexpected",
        Breach::StanceUnexpected { got: None, .. } => "breach stance withheld",
        Breach::Conformity { .. } => "breach conformity",
    }
    order(floor::Order) in ORDERS {
        floor::Order::Parallel => "floor parallel",
        floor::Order::Sequential => "floor sequential",
        floor::Order::Teams => "floor teams",
    }
    sees(Sees) in SEES {
        Sees::Nothing => "sees nothing",
        Sees::EarlierRounds => "sees earlier rounds",
        Sees::SoFar => "sees so far",
        Sees::Team => "sees team",
    }
    perspectives(Perspectives) in PERSPECTIVES {
        Perspectives::Usual => "perspectives usual",
        Perspectives::Given(_) => "perspectives given",
        Perspectives::Generated => "perspectives generated",
    }
    chore(Chore) in CHORES {
        Chore::Perspectives => "chore perspectives",
        Chore::Judge { .. } => "chore judge",
        Chore::Digest { .. } => "chore digest",
        Chore::Synthesise => "chore synthesise",
    }
    wrong(Wrong) in WRONGS {
        Wrong::Query { .. } => "wrong query",
        Wrong::Reason { .. } => "wrong reason",
        Wrong::Priority { .. } => "wrong priority",
        Wrong::LastRound { .. } => "wrong last round",
        Wrong::Repeated { .. } => "wrong repeated",
    }
    exit(Exit) in EXITS {
        Exit::Consensus => "exit consensus",
        Exit::Convergence => "exit convergence",
        Exit::Confidence => "exit confidence",
        Exit::Clear => "exit clear",
        Exit::Still => "exit still",
        Exit::Rounds => "exit rounds",
        Exit::Stagnation => "exit stagnation",
    }
    indicator(Indicator) in INDICATORS {
        Indicator::ConfidentAndAlike => "sign confident and alike",
        Indicator::NoAlternative => "sign no alternative",
        Indicator::DissentDropped { .. } => "sign dissent dropped",
        Indicator::ByReference { .. } => "sign by reference",
    }
    over(Over) in OVERS {
        Over::Side => "over a side",
        Over::Point => "over a point",
    }
    apart(Apart) in APARTS {
        Apart::Reasons => "apart in reasons",
        Apart::Confidence => "apart in confidence",
    }
    refusal(Refusal) in REFUSALS {
        Refusal::NotFounded => "house/not-founded",
        Refusal::AlreadyFounded => "house/already-founded",
        Refusal::NotAllowed { .. } => "house/not-allowed",
        Refusal::FlawedCharter { .. } => "charter/flawed",
        Refusal::UnknownCharter { .. } => "charter/unknown",
        Refusal::UnknownSetting { .. } => "charter/unknown-setting",
        Refusal::FixedSetting { .. } => "charter/fixed-setting",
        Refusal::SettingOutside { .. } => "charter/setting-outside",
        Refusal::NoSeats => "roster/no-seats",
        Refusal::MalformedQuestion { .. } => "matter/malformed",
        Refusal::UncanonicalId { .. } => "roster/uncanonical-id",
        Refusal::SeatTwice { .. } => "roster/seat-twice",
        Refusal::UnknownSeat { .. } => "roster/unknown-seat",
        Refusal::UnknownMatter { .. } => "matter/unknown",
        Refusal::WrongStatus { .. } => "matter/wrong-status",
        Refusal::AskNotOpen { .. } => "ask/not-open",
        Refusal::BudgetCost { .. } => "budget/cost",
        Refusal::BudgetPriceUnknown => "budget/price-unknown",
        Refusal::BudgetCalls { .. } => "budget/calls",
        Refusal::BudgetTokens { .. } => "budget/tokens",
        Refusal::NothingToRedact { .. } => "matter/nothing-to-redact",
        Refusal::MalformedContext { .. } => "context/malformed",
        Refusal::NeedsPlainQuestion { .. } => "charter/plain-question",
        Refusal::UnknownRequest { .. } => "context/unknown-request",
        Refusal::RequestDone { .. } => "context/request-done",
        Refusal::ContextPending { .. } => "context/pending",
        Refusal::NoSuchRound { .. } => "matter/no-such-round",
        Refusal::NotSeated { .. } => "roster/not-seated",
        Refusal::Redacted { .. } => "matter/redacted",
        Refusal::NoRoundLeft { .. } => "context/no-round-left",
        Refusal::MalformedName { .. } => "roster/malformed-name",
        Refusal::Unmaskable { .. } => "roster/unmaskable",
        Refusal::Unsalted => "ballot/unsalted",
        Refusal::Unregulated => "trigger/unregulated",
        Refusal::MalformedObservation { .. } => "monitor/malformed",
        Refusal::MalformedReport { .. } => "door/malformed",
        Refusal::UnknownMotion { .. } => "charter/unknown-motion",
        Refusal::NoSuchAnswer { .. } => "track/no-such-answer",
        Refusal::MalformedTrigger { .. } => "trigger/malformed",
        Refusal::TooManyPending { .. } => "monitor/too-many-pending",
        Refusal::NoRing { .. } => "ring/none",
        Refusal::NeedsOutside { .. } => "ring/needs-outside",
        Refusal::Unread { .. } => "ring/unread",
        Refusal::TooFewInvited { .. } => "ring/too-few-invited",
        Refusal::TooFewJoined { .. } => "ring/too-few-joined",
        Refusal::WrongPhase { .. } => "ring/wrong-phase",
        Refusal::NotJoined { .. } => "ring/not-joined",
        Refusal::AlreadyJoined { .. } => "ring/already-joined",
        Refusal::Removed { .. } => "ring/removed",
        Refusal::ByPart { .. } => "ring/by-part",
        Refusal::NotInRing { .. } => "ring/not-a-debate",
        Refusal::NotHolder { .. } => "floor/not-holder",
        Refusal::TurnFull { .. } => "floor/turn-full",
        Refusal::EmptyText => "table/empty",
        Refusal::TooLong { .. } => "table/too-long",
        Refusal::TooManyListed { .. } => "table/too-many-listed",
        Refusal::TooManyProposals { .. } => "table/too-many-proposals",
        Refusal::NotOnTable { .. } => "table/unknown",
        Refusal::NoChange { .. } => "table/no-change",
        Refusal::NotProposer { .. } => "table/not-proposer",
        Refusal::AlreadyRuled { .. } => "table/already-ruled",
        Refusal::StaleAmendment { .. } => "table/stale",
        Refusal::AlreadyCast { .. } => "ballot/already-cast",
    }
}

/// Every name.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    // An act keeps the code of a refusal, not the refusal, so nothing else calls this one.
    let _: fn(&Refusal) -> &'static str = refusal;
    let lists = [
        COMMANDS,
        PARTS,
        EVENTS,
        ACTORS,
        DECISIONS,
        PAUSES,
        CHOICES,
        HOWS,
        SEAT_KINDS,
        WANTED,
        MEANT,
        REACTIONS,
        GRADES,
        PHASES,
        BASES,
        TIES,
        METHODS,
        NUMBERS,
        MARKS,
        SECRECIES,
        WEIGHTS,
        LOSSES,
        BREACHES,
        ORDERS,
        SEES,
        PERSPECTIVES,
        CHORES,
        WRONGS,
        EXITS,
        INDICATORS,
        OVERS,
        APARTS,
        REFUSALS,
        fields::ALL,
    ];
    lists.into_iter().flatten().copied().chain(called::all()).chain(at_door::all()).chain(hindsight::all())
}

/// The names of what an act holds.
pub(super) fn of(act: &Act) -> Vec<&'static str> {
    let mut names = vec![command(&act.command), actor(&act.by)];
    ordered(&act.command, &mut names);
    match &act.outcome {
        Outcome::Done(events) => {
            for each in events {
                names.push(event(each));
                inside(each, &mut names);
            }
        }
        Outcome::Refused { code, .. } => names.extend(REFUSALS.iter().find(|known| *known == code)),
    }
    names
}

/// The names of what a command holds.
fn ordered(command: &Command, names: &mut Vec<&'static str>) {
    match command {
        Command::Open(open) => {
            names.push(perspectives(&open.perspectives));
            names.extend(fields::open(open));
        }
        Command::Fork(fork) => names.extend(fields::fork(fork)),
        Command::Continue { context, focus, matter: _, to_end } => {
            let (focus, to_end) = (focus.as_deref(), *to_end);
            names.extend(fields::go_on(&fields::Continue { context, focus, to_end }));
        }
        Command::Found { .. } | Command::Adopt { .. } | Command::Enrol { .. } | Command::Begin { .. } => {}
        Command::Answer { salt, ask: _, call: _, text: _ } => {
            names.extend(fields::answer(&fields::Answer { salt: salt.as_deref() }));
        }
        Command::Fail { .. } | Command::Pause { .. } | Command::Resume { .. } => {}
        Command::Stop { .. } | Command::Tick | Command::Supply { .. } | Command::Waive { .. } => {}
        Command::Synthesise { .. } | Command::Judge { .. } | Command::Redact { .. } => {}
        // What it holds, its events hold.
        Command::Regulate(_) | Command::TurnAway { .. } => {}
        Command::Observe { observation } => called::observed(observation, names),
        Command::Trigger(request) => called::requested(request, names),
        Command::Partake { matter: _, part: done } => {
            names.push(part(done));
            partaken(done, names);
        }
        Command::Start { .. } | Command::Remove { .. } => {}
        Command::Learn { matter: _, told } => hindsight::told(told, names),
    }
}

/// The names of what a participant of a ring may leave out.
fn partaken(part: &Part, names: &mut Vec<&'static str>) {
    match part.clone() {
        Part::Join | Part::Leave | Part::Acknowledge { .. } | Part::Release { .. } => {}
        Part::Say { ask: _, keep, kind: _, text: _, to } => {
            names.extend(fields::say(&fields::Say { keep, to }))
        }
        Part::Propose { ask: _, keep, text: _, title: _ } => {
            names.extend(fields::propose(&fields::Propose { keep }));
        }
        Part::Amend { ask: _, keep, proposal: _, text: _, why } => {
            names.extend(fields::amend(&fields::Amend { keep, why }));
        }
        Part::React { ask: _, keep, reaction: _, text, to: _ } => {
            names.extend(fields::react(&fields::React { keep, text }));
        }
        Part::Skip { ask: _, why } => names.extend(fields::skip(&fields::Skip { why })),
        Part::Rule { accept: _, amendment: _, why } => names.extend(fields::rule(&fields::Rule { why })),
        Part::Vote { changes, conditions, grade: _, proposal: _, rationale, salt } => {
            names.extend(fields::grading(&fields::Grading { changes, conditions, rationale, salt }));
        }
    }
}

/// The names of what lies on the table.
fn laid(event: &table::Event, names: &mut Vec<&'static str>) {
    match event.clone() {
        table::Event::Said { ask: _, kind, matter: _, repeats, round: _, text: _, to, who: _ } => {
            names.push(meant(&kind));
            names.extend(fields::said(&fields::Said { repeats, to }));
        }
        table::Event::Proposed {
            ask: _,
            matter: _,
            number: _,
            repeats,
            round: _,
            text: _,
            title: _,
            who: _,
        } => {
            names.extend(fields::proposed(&fields::Proposed { repeats }));
        }
        table::Event::Amended {
            ask: _,
            matter: _,
            proposal: _,
            repeats,
            round: _,
            text: _,
            version: _,
            who: _,
            why,
        } => names.extend(fields::amended(&fields::Amended { repeats, why })),
        table::Event::Ruled { accepted: _, amendment: _, matter: _, why } => {
            names.extend(fields::ruled(&fields::Ruled { why }));
        }
        table::Event::Reacted { ask: _, matter: _, reaction: given, round: _, text, to: _, who: _ } => {
            names.push(reaction(&given));
            names.extend(fields::reacted(&fields::Reacted { text }));
        }
    }
}

/// The names of what an event holds.
fn inside(event: &Event, names: &mut Vec<&'static str>) {
    match event {
        Event::House(_) => {}
        Event::Floor(floor::Event::Skipped { ask: _, why }) => {
            names.extend(fields::skipped(&fields::Skipped { why: why.clone() }));
        }
        Event::Floor(_) => {}
        Event::Table(event) => laid(event, names),
        Event::Charter(adopted) => chartered(&adopted.rules, names),
        Event::Roster(roster::Event::Enrolled { seat }) => {
            names.push(seat_kind(&seat.kind));
            names.extend(fields::seat(seat));
        }
        Event::Matter(event) => match event {
            matter::Event::Opened(opening) => {
                names.extend(fields::opening(opening));
                names.extend(fields::question(&opening.question));
            }
            matter::Event::StageEntered { .. } | matter::Event::Resumed { .. } => {}
            matter::Event::Stepped { .. } | matter::Event::Redacted { .. } => {}
            matter::Event::Paused { why, .. } => names.push(pause(why)),
            matter::Event::Settled { decision: made, .. } => names.push(decision(made)),
        },
        Event::Gate(gate::Event::Admitted(said)) => admitted(said, names),
        Event::Gate(gate::Event::Rejected { breaches, .. }) => names.extend(breaches.iter().map(breach)),
        Event::Ballot(event) => match event {
            ballot::Event::Opened { rule, trust, .. } => {
                hindsight::believed(rule.record.as_ref(), trust.as_ref(), names);
                names.extend([basis(&rule.basis), tie(&rule.tie), method(&rule.method)]);
                names.extend([secrecy(&rule.secrecy), weights(&rule.weights)]);
                names.extend(fields::ballot(rule));
            }
            ballot::Event::Cast { vote, .. } => {
                names.extend([how(&vote.how), choice(&vote.choice)]);
                names.extend(fields::vote(vote));
                names.extend(vote.marks.as_ref().map(marks));
            }
            ballot::Event::Delegated { delegation, .. } => {
                names.push(how(&delegation.how));
                names.extend(fields::delegation(delegation));
            }
            ballot::Event::Closed { decision: made, count, .. } => {
                names.push(decision(made));
                if let Some(count) = count {
                    names.extend(fields::count(count));
                    names.extend(count.carried.iter().flat_map(fields::carried));
                    names.extend(count.lost.iter().map(|lost| loss(&lost.why)));
                    names.extend(count.standing.iter().map(|standing| numbers(&standing.numbers)));
                }
            }
            ballot::Event::Graded { vote, .. } => {
                names.push(grade(&vote.grade));
                names.extend(fields::graded(vote));
            }
            ballot::Event::Counted { ballot: _, matter: _, standings, tied } => {
                names.extend(standings.iter().flat_map(fields::grades));
                names.extend(fields::counted(&fields::Counted { tied: tied.clone() }));
            }
            ballot::Event::Asked { .. } | ballot::Event::Unparsed { .. } => {}
        },
        Event::Meter(event) => match event {
            meter::Event::Limited { limits, .. } => names.extend(fields::limits(limits)),
            meter::Event::Reserved { worst, .. } => names.extend(fields::worst(worst)),
            meter::Event::Spent { call, .. } => {
                names.extend(fields::call(call));
                names.extend(fields::usage(&call.usage));
            }
        },
        Event::Ask(event) => match event {
            ask::Event::Opened { chore: asked, .. } => names.push(chore(asked)),
            ask::Event::Lapsed { cause, .. } => names.extend(fields::cause(cause)),
            ask::Event::Wanted { for_what, .. } => names.push(wanted(for_what)),
            ask::Event::Met { .. } | ask::Event::Begun { .. } | ask::Event::Renewed { .. } => {}
        },
        Event::Context(event) => match event {
            context::Event::Refused { wrong: why, .. } => names.push(wrong(why)),
            context::Event::Synthesised { synthesis, .. } => names.extend(fields::synthesis(synthesis)),
            context::Event::Given { .. } | context::Event::Focused { .. } => {}
            context::Event::Requested { .. } | context::Event::Answered { .. } => {}
            context::Event::Waived { .. } | context::Event::Perspectives { .. } => {}
            context::Event::Digested { .. } => {}
        },
        Event::Watch(event) => match event {
            watch::Event::Analysed { analysis, .. } => analysed(analysis, names),
            watch::Event::Judged { opinion, .. } => names.extend(fields::opinion(opinion)),
            watch::Event::Left { why, .. } => names.push(exit(why)),
        },
        Event::Monitor(event) => called::monitored(event, names),
        Event::Trigger(event) => called::triggered(event, names),
        Event::Door(event) => at_door::happened(event, names),
        Event::Track(event) => hindsight::happened(event, names),
    }
}

fn chartered(rules: &Charter, names: &mut Vec<&'static str>) {
    names.extend(fields::charter(rules));
    names.extend(fields::gate(&rules.gate));
    names.extend(fields::lens(&rules.lens));
    names.extend(fields::wording(&rules.brief));
    names.extend(rules.brief.parts.iter().flat_map(fields::part));
    names.extend(rules.brief.tools.iter().flat_map(fields::tools));
    if let Some(roles) = &rules.roles {
        names.extend(fields::roles(roles));
        names.extend(roles.roles.iter().flat_map(fields::role));
    }
    for stage in &rules.stages {
        match &stage.kind {
            StageKind::Speak(speak) => {
                names.extend([order(&speak.floor), sees(&speak.sees)]);
                names.extend(fields::speak(speak));
            }
            StageKind::Vote { .. } => {}
            StageKind::Ring(of) => names.push(phase(of)),
        }
    }
}

fn admitted(said: &Contribution, names: &mut Vec<&'static str>) {
    names.push(how(&said.how));
    names.extend(said.response.stance.as_ref().map(choice));
    names.extend(fields::contribution(said));
    names.extend(fields::response(&said.response));
    names.extend(said.response.citations.iter().flat_map(fields::citation));
}

fn analysed(found: &Analysis, names: &mut Vec<&'static str>) {
    names.extend(fields::analysis(found));
    names.extend(found.groupthink.iter().map(indicator));
    names.extend(found.clusters.iter().flat_map(fields::cluster));
    for conflict in &found.conflicts {
        names.push(over(&conflict.about));
    }
    for nuance in &found.nuances {
        names.push(apart(&nuance.apart));
        names.extend(fields::nuance(nuance));
    }
}

/// The matter that an event settles, and how.
pub(super) fn settled(event: &Event) -> Option<(MatterId, Decision)> {
    match event {
        Event::Matter(matter::Event::Settled { matter, decision }) => Some((*matter, *decision)),
        Event::Matter(
            matter::Event::Opened(_)
            | matter::Event::StageEntered { .. }
            | matter::Event::Paused { .. }
            | matter::Event::Resumed { .. }
            | matter::Event::Stepped { .. }
            | matter::Event::Redacted { .. },
        )
        | Event::House(_)
        | Event::Charter(_)
        | Event::Roster(_)
        | Event::Floor(_)
        | Event::Gate(_)
        | Event::Ballot(_)
        | Event::Meter(_)
        | Event::Ask(_)
        | Event::Context(_)
        | Event::Watch(_)
        | Event::Monitor(_)
        | Event::Trigger(_)
        | Event::Door(_)
        | Event::Track(_)
        | Event::Table(_) => None,
    }
}
