//! Every kind of thing that a line can hold, by name.
//!
//! The matches are exhaustive: a variant that is added to the core does not build here until it has a name,
//! and a name without a line fails the test.

use synod_core::ballot::{Basis, Tie};
use synod_core::charter::{Stage, StageKind};
use synod_core::gate::Breach;
use synod_core::kernel::{Actor, Choice, Decision, How, MatterId, SeatKind, Why};
use synod_core::lens::Sees;
use synod_core::matter::Pause;
use synod_core::{Act, Command, Event, Outcome, Refusal, ask, ballot, floor, gate, matter, meter, roster};

/// A function that names a variant, and beside it the list of all names.
macro_rules! named {
    ($($function:ident($kind:ty) in $list:ident { $($variant:pat => $name:literal),+ $(,)? })+) => {$(
        fn $function(it: &$kind) -> &'static str {
            match it { $($variant => $name),+ }
        }
        const $list: &[&str] = &[$($name),+];
    )+};
}

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
    }
    event(Event) in EVENTS {
        Event::House(_) => "house founded",
        Event::Charter(_) => "charter adopted",
        Event::Roster(roster::Event::Enrolled { .. }) => "roster enrolled",
        Event::Matter(matter::Event::Opened(_)) => "matter opened",
        Event::Matter(matter::Event::StageEntered { .. }) => "matter stage entered",
        Event::Matter(matter::Event::Paused { .. }) => "matter paused",
        Event::Matter(matter::Event::Resumed { .. }) => "matter resumed",
        Event::Matter(matter::Event::Settled { .. }) => "matter settled",
        Event::Matter(matter::Event::Redacted { .. }) => "matter redacted",
        Event::Floor(floor::Event::RoundOpened { .. }) => "floor round opened",
        Event::Floor(floor::Event::Called { .. }) => "floor called",
        Event::Floor(floor::Event::Absent { .. }) => "floor absent",
        Event::Floor(floor::Event::RoundClosed { .. }) => "floor round closed",
        Event::Gate(gate::Event::Admitted(_)) => "gate admitted",
        Event::Gate(gate::Event::Rejected { .. }) => "gate rejected",
        Event::Ballot(ballot::Event::Opened { .. }) => "ballot opened",
        Event::Ballot(ballot::Event::Asked { .. }) => "ballot asked",
        Event::Ballot(ballot::Event::Cast { .. }) => "ballot cast",
        Event::Ballot(ballot::Event::Unparsed { .. }) => "ballot unparsed",
        Event::Ballot(ballot::Event::Closed { .. }) => "ballot closed",
        Event::Meter(meter::Event::Limited { .. }) => "meter limited",
        Event::Meter(meter::Event::Reserved { .. }) => "meter reserved",
        Event::Meter(meter::Event::Spent { .. }) => "meter spent",
        Event::Ask(ask::Event::Begun { .. }) => "ask begun",
        Event::Ask(ask::Event::Lapsed { .. }) => "ask lapsed",
        Event::Ask(ask::Event::Renewed { .. }) => "ask renewed",
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
        Decision::Contested => "contested",
    }
    pause(Pause) in PAUSES {
        Pause::Operator => "paused by the operator",
        Pause::Interrupted => "paused when interrupted",
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
    breach(Breach) in BREACHES {
        Breach::Empty => "breach empty",
        Breach::TooLong { .. } => "breach too long",
        Breach::StanceMissing => "breach stance missing",
        Breach::ConfidenceMissing => "breach confidence missing",
        Breach::ConfidenceOutside { .. } => "breach confidence outside",
        Breach::FieldMissing { .. } => "breach field missing",
    }
    order(floor::Order) in ORDERS {
        floor::Order::Parallel => "floor parallel",
        floor::Order::Sequential => "floor sequential",
    }
    sees(Sees) in SEES {
        Sees::Nothing => "sees nothing",
        Sees::EarlierRounds => "sees earlier rounds",
        Sees::SoFar => "sees so far",
    }
    refusal(Refusal) in REFUSALS {
        Refusal::NotFounded => "house/not-founded",
        Refusal::AlreadyFounded => "house/already-founded",
        Refusal::NotAllowed { .. } => "house/not-allowed",
        Refusal::FlawedCharter { .. } => "charter/flawed",
        Refusal::UnknownCharter { .. } => "charter/unknown",
        Refusal::UnknownKnob { .. } => "charter/unknown-knob",
        Refusal::FixedKnob { .. } => "charter/fixed-knob",
        Refusal::KnobOutside { .. } => "charter/knob-outside",
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
    }
}

/// Every name.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    // An act keeps the code of a refusal, not the refusal, so nothing else calls this one.
    let _: fn(&Refusal) -> &'static str = refusal;
    let lists = [
        COMMANDS, EVENTS, ACTORS, DECISIONS, PAUSES, CHOICES, HOWS, SEAT_KINDS, BASES, TIES, BREACHES,
        ORDERS, SEES, REFUSALS,
    ];
    lists.into_iter().flatten().copied()
}

/// The names of what an act holds.
pub(super) fn of(act: &Act) -> Vec<&'static str> {
    let mut names = vec![command(&act.command), actor(&act.by)];
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

/// The names of what an event holds.
fn inside(event: &Event, names: &mut Vec<&'static str>) {
    match event {
        Event::House(_) | Event::Meter(_) | Event::Ask(_) => {}
        Event::Charter(adopted) => adopted.rules.stages.iter().for_each(|stage| names.extend(staged(stage))),
        Event::Roster(roster::Event::Enrolled { seat }) => names.push(seat_kind(&seat.kind)),
        Event::Matter(event) => match event {
            matter::Event::Opened(_) | matter::Event::StageEntered { .. } => {}
            matter::Event::Resumed { .. } | matter::Event::Redacted { .. } => {}
            matter::Event::Paused { why, .. } => names.push(pause(why)),
            matter::Event::Settled { decision: made, .. } => names.push(decision(made)),
        },
        Event::Floor(_) => {}
        Event::Gate(gate::Event::Admitted(said)) => {
            names.push(how(&said.how));
            names.extend(said.response.stance.as_ref().map(choice));
        }
        Event::Gate(gate::Event::Rejected { breaches, .. }) => names.extend(breaches.iter().map(breach)),
        Event::Ballot(event) => match event {
            ballot::Event::Opened { rule, .. } => names.extend([basis(&rule.basis), tie(&rule.tie)]),
            ballot::Event::Cast { vote, .. } => names.extend([how(&vote.how), choice(&vote.choice)]),
            ballot::Event::Closed { decision: made, .. } => names.push(decision(made)),
            ballot::Event::Asked { .. } | ballot::Event::Unparsed { .. } => {}
        },
    }
}

fn staged(stage: &Stage) -> Vec<&'static str> {
    match &stage.kind {
        StageKind::Speak(speak) => vec![order(&speak.floor), sees(&speak.sees)],
        StageKind::Vote { .. } => Vec::new(),
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
            | matter::Event::Redacted { .. },
        )
        | Event::House(_)
        | Event::Charter(_)
        | Event::Roster(_)
        | Event::Floor(_)
        | Event::Gate(_)
        | Event::Ballot(_)
        | Event::Meter(_)
        | Event::Ask(_) => None,
    }
}
