//! A matter of a house as a recorded session.

use synod_core::dissent::DissentReason;
use synod_core::floor::FloorOrder;
use synod_core::house::{Case, Item, Reader};
use synod_core::kernel::{Choice, Decision, Id};
use synod_core::matter::Status;

use super::{
    ForcedBy, RecordedSession, RecordedSpeech, RecordedVote, SessionSpeaker, SideCount, SideSource,
    SpokenOrder, SpokenSide, StatedResult, kept,
};

/// A side of the core; none where it is one of several options.
pub(crate) fn side(choice: Choice) -> Option<SpokenSide> {
    match choice {
        Choice::Yes => Some(SpokenSide::For),
        Choice::No => Some(SpokenSide::Against),
        Choice::Neutral => Some(SpokenSide::Neutral),
        Choice::Option(_) => None,
    }
}

/// Why something was said under an order.
fn why(case: &Case, said: Id) -> ForcedBy {
    let order = case.motion().and_then(|motion| motion.order_of(said));
    match order.map(|order| order.order.reason) {
        Some(DissentReason::ConsensusBreak) => ForcedBy::ConsensusBreak,
        Some(DissentReason::RedTeam) => ForcedBy::RedTeam,
        Some(_) => ForcedBy::Other,
        None => ForcedBy::Role,
    }
}

/// Takes a yes-or-no matter of a council. Says why where it cannot be taken.
pub fn from_case(case: &Case) -> Result<RecordedSession, String> {
    if case.council().is_none() {
        return Err(
            "it is not a council; only what is spoken and voted on by a council can be replayed".into()
        );
    }
    if !case.opening.question.options.is_empty() {
        return Err("it has options; sessions are for and against".into());
    }
    if !matches!(case.status(), Status::Settled(_)) {
        return Err(format!("it is {}; a matter is taken once it is over", case.status().word()));
    }
    if !case.said.iter().all(|said| case.may_see(Reader::Operator, Item::Contribution(said))) {
        return Err("not all that was said in it may be seen".into());
    }
    let mut session = RecordedSession {
        origin: "house".into(),
        name: case.id.to_string(),
        motion: case.opening.question.topic.to_string(),
        kind: case.opening.motion.clone(),
        charter: Some(case.opening.charter.digest.to_string()),
        ..RecordedSession::default()
    };
    let stages = case.council().map(|(rules, _)| rules.stages.as_slice()).unwrap_or_default();
    session.at_once = stages
        .iter()
        .filter_map(|stage| stage.kind.speech())
        .any(|speak| speak.floor == FloorOrder::Parallel);
    for (at, seat) in case.opening.seats.iter().enumerate() {
        session.speakers.push(SessionSpeaker {
            name: seat.who.to_string(),
            rank: Some(at as u32 + 1),
            model: seat.model.clone(),
            ..SessionSpeaker::default()
        });
    }
    if let Some(motion) = case.motion() {
        for (speaker, seat) in session.speakers.iter_mut().zip(&case.opening.seats) {
            speaker.rank = seat.rank().map(|rank| u32::from(rank.place));
            speaker.title = seat.rank().map(|rank| rank.name.clone());
        }
        session.proposer = case.opening.proposer.as_ref().map(ToString::to_string);
        session.seconder = motion.seconder.as_ref().map(ToString::to_string);
        session.digests = motion.sums.iter().map(|sum| sum.all.entries()).collect();
    }
    for said in &case.said {
        let taken = said.response.stance.and_then(side);
        session.speeches.push(RecordedSpeech {
            order: session.speeches.len() as u32 + 1,
            round: said.round.max(1),
            speaker: said.who.to_string(),
            forced: said.ordered.and_then(side).map(|side| SpokenOrder { why: why(case, said.id), side }),
            side: taken,
            source: if taken.is_some() { SideSource::Given } else { SideSource::None },
            text: kept(said.response.gist().unwrap_or_default()),
        });
    }
    take_votes(case, &mut session)?;
    Ok(session)
}

/// The last finished vote, and what it came to.
fn take_votes(case: &Case, session: &mut RecordedSession) -> Result<(), String> {
    let ballot = case.ballots.iter().rev().find(|ballot| ballot.result.is_some());
    let Some(ballot) = ballot else {
        session.notes.push("no vote was finished".into());
        return Ok(());
    };
    if !case.may_see(Reader::Operator, Item::Votes(ballot)) {
        return Err("its votes are secret".into());
    }
    for vote in &ballot.votes {
        session.votes.push(RecordedVote { speaker: vote.who.to_string(), side: side(vote.choice) });
    }
    for who in &ballot.unparsed {
        session.votes.push(RecordedVote { speaker: who.to_string(), side: None });
    }
    let passed = match case.status() {
        Status::Settled(Decision::Passed { .. }) => Some(true),
        Status::Settled(Decision::Rejected) => Some(false),
        Status::Settled(_) | Status::Running | Status::Paused(_) => None,
    };
    if let Some((tally, _)) = &ballot.result {
        let count =
            SideCount { yes: tally.yes, no: tally.no, neutral: tally.neutral, unknown: tally.unparsed };
        session.stated = Some(StatedResult { count, passed });
    }
    Ok(())
}
