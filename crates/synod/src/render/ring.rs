//! A ring at a glance: phase and floor, participants, proposals, statements, the vote.

use std::fmt::Write as _;

use synod_core::kernel::ProposalId;
use synod_core::kernel::text::{excerpt, one_line};

use crate::agent::RingOverview;
use crate::out::clean;
use crate::wire::{MemberState, ProposalView, RingView, StatusWord};

/// Statements shown; all of them are in the JSON.
const LATEST: usize = 6;

/// A ring as it stands, in lines that fit.
pub(crate) fn status(shown: &RingOverview, width: usize) -> String {
    let ring = &shown.ring;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "Matter {} ({}) under {}: {}",
        shown.number,
        shown.matter,
        shown.charter,
        excerpt(&one_line(&shown.topic), width)
    );
    let _ = writeln!(out, "Phase    {}", phase(shown));
    if let Some(holder) = &ring.holder {
        let fetched = if holder.acknowledged { "acknowledged" } else { "not fetched yet" };
        let _ = writeln!(out, "Floor    {} until {}, {fetched}", holder.who, holder.until);
    }
    for member in &ring.members {
        let why = member.why.as_ref().map(|why| format!(" ({why})")).unwrap_or_default();
        let voted = ring.vote.as_ref().is_some_and(|vote| vote.voted.contains(&member.who));
        let voted = if voted { ", has voted" } else { "" };
        let _ = writeln!(out, "  {:<16} {}{why}{voted}", member.name, member.state);
    }
    ring.proposals.iter().for_each(|put| proposal(&mut out, shown, put, width));
    statements(&mut out, ring, width);
    if let Some(vote) = ring.vote.as_ref().filter(|vote| vote.results.is_empty()) {
        let missing: Vec<&str> = vote.missing.iter().map(|who| who.as_str()).collect();
        let _ = writeln!(out, "Vote     open, still missing: {}", missing.join(", "));
    }
    clean(&out)
}

/// The status of a ring in one line.
pub(crate) fn standing(ring: &RingView) -> String {
    let joined = ring.members.iter().filter(|member| member.state == MemberState::Joined).count();
    let mut line = format!("{}, {joined} of {} joined", ring.phase, ring.members.len());
    if ring.round > 0 {
        let _ = write!(line, ", round {} of {}", ring.round, ring.rounds);
    }
    if let Some(holder) = &ring.holder {
        let _ = write!(line, ", {} has the floor", holder.who);
    }
    if let Some(vote) = &ring.vote {
        let _ =
            write!(line, ", {} of {} have voted", vote.voted.len(), vote.voted.len() + vote.missing.len());
    }
    line
}

fn phase(shown: &RingOverview) -> String {
    let ring = &shown.ring;
    let round = match ring.round {
        0 => String::new(),
        round => format!(", round {round} of {}", ring.rounds),
    };
    let reason = ring.reason.as_ref().map(|reason| format!(", {reason}")).unwrap_or_default();
    let until = ring
        .until
        .filter(|_| !ring.is_over())
        .map(|until| format!("; the session ends at {until} at the latest"))
        .unwrap_or_default();
    let rests = match shown.status {
        StatusWord::Running | StatusWord::Passed | StatusWord::Rejected => String::new(),
        StatusWord::Undecided | StatusWord::Contested | StatusWord::Estimated => String::new(),
        // No ring is one of these: they are of issues.
        StatusWord::Open | StatusWord::Frozen | StatusWord::Resolved | StatusWord::Closed => String::new(),
        resting @ (StatusWord::Waiting
        | StatusWord::Listed
        | StatusWord::NeedsContext
        | StatusWord::Paused
        | StatusWord::Interrupted) => {
            format!(", {resting}")
        }
    };
    let committed = ring.committed.and_then(|id| ring.proposals.iter().find(|put| put.id == id));
    let chosen = committed.map(|put| format!(": proposal {}, {}", put.letter, put.title)).unwrap_or_default();
    format!("{}{chosen}{round}{reason}{until}{rests}", ring.phase)
}

fn proposal(out: &mut String, shown: &RingOverview, put: &ProposalView, width: usize) {
    let version = if put.version > 1 { format!(", version {}", put.version) } else { String::new() };
    // Once it is over, votes say who is for it and not reactions.
    let support = match shown.status {
        StatusWord::Passed | StatusWord::Rejected | StatusWord::Undecided => String::new(),
        StatusWord::Contested | StatusWord::Estimated => String::new(),
        StatusWord::Resolved | StatusWord::Closed => String::new(),
        StatusWord::Open | StatusWord::Frozen => String::new(),
        StatusWord::Running
        | StatusWord::Waiting
        | StatusWord::Listed
        | StatusWord::NeedsContext
        | StatusWord::Paused
        | StatusWord::Interrupted => {
            format!(", {} in favour so far", put.support)
        }
    };
    let _ = writeln!(
        out,
        "Proposal {} (id {}) by {}{version}{support}: {}",
        put.letter,
        put.id,
        put.who,
        excerpt(&put.title, width)
    );
    let _ = writeln!(out, "  {}", excerpt(&one_line(&put.text), width));
    for change in put.amendments.iter().filter(|change| change.accepted.is_none()) {
        let wanted = one_line(&change.text);
        let wanted = excerpt(&wanted, width);
        let _ = writeln!(out, "  change {} suggested by {}: {wanted}", change.id, change.who);
    }
    if let Some(counted) = counted(&shown.ring, put.id) {
        let _ = writeln!(out, "  votes: {counted}");
    }
}

fn counted(ring: &RingView, proposal: ProposalId) -> Option<String> {
    let found = ring.vote.as_ref()?.results.iter().find(|row| row.proposal == proposal)?;
    let cast = found.grades.iter().filter(|(_, votes)| *votes > 0);
    Some(cast.map(|(grade, votes)| format!("{votes} {grade}")).collect::<Vec<_>>().join(", "))
}

fn statements(out: &mut String, ring: &RingView, width: usize) {
    let before = ring.said.len().saturating_sub(LATEST);
    if before > 0 {
        let _ = writeln!(out, "({before} earlier statements are in --json)");
    }
    for said in &ring.said[before..] {
        let text = one_line(&said.text);
        let text = excerpt(&text, width);
        let _ = writeln!(out, "[{}] round {} {} ({}): {text}", said.id, said.round, said.who, said.kind);
    }
}
