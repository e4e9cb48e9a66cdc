//! What follows when somebody promotes, overrides, ends, supports or proposes. Pure: canon as it stands, who asks, the
//! rules; out come events or a refusal, and nothing changes.

use super::{
    Canon, CanonRef, CanonVersion, Claim, ClaimSource, ConflictChoice, EntryName, Event, IssueSupport, Mover,
    Refusal, Rules, claims, conflicts, ladder,
};
use crate::kernel::{Actor, At, Id, MatterId, Who, text};

/// The longest text of an entry, in characters.
pub const TEXT_MOST: usize = 20_000;
/// The most claims in one proposal.
const CLAIMS_MOST: usize = 100;

/// What somebody wants to be canon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promotion {
    /// The name of the entry.
    pub name: EntryName,
    /// Its text. Claims are read from it.
    pub text: String,
    /// The issue it comes from.
    pub matter: Option<MatterId>,
    /// It holds until then.
    pub until: Option<At>,
}

impl Canon {
    /// Makes canon of a text under a name that no entry holds. Nothing follows from it for other entries: conflicts stop
    /// agents, and are shown to the user and the lead before they decide.
    pub fn promote(
        &self,
        at: At,
        rules: &Rules,
        promotion: &Promotion,
        mover: &Mover,
        support: &IssueSupport<'_>,
    ) -> Result<Event, Refusal> {
        check_text(at, promotion)?;
        if let Some(held) = self.entry(&promotion.name).and_then(|entry| entry.current(at)) {
            return Err(Refusal::NameTaken { name: promotion.name.clone(), version: held.version });
        }
        let votes = support.agent_votes();
        let contradicted = match mover.role.decides() {
            true => 0,
            false => conflicts(self, &promotion.text, at).len(),
        };
        ladder::may_promote(rules, support.status, mover, &votes, contradicted)?;
        let version = self
            .entry(&promotion.name)
            .and_then(|entry| entry.latest())
            .map_or(1, |latest| latest.version + 1);
        let votes = if mover.role.decides() { Vec::new() } else { votes };
        Ok(promoted(promotion, mover, version, None, votes))
    }

    /// Puts a new version in the place of the one that holds. `seen` is the version the mover has read.
    pub fn supersede(
        &self,
        at: At,
        promotion: &Promotion,
        seen: u32,
        mover: &Mover,
    ) -> Result<Event, Refusal> {
        if !mover.role.decides() {
            return Err(Refusal::NotAllowed);
        }
        check_text(at, promotion)?;
        let held = self.holding(at, &promotion.name, seen)?;
        Ok(promoted(promotion, mover, held.version + 1, Some(held.version), Vec::new()))
    }

    /// Ends an entry without another in its place.
    pub fn end(
        &self,
        at: At,
        entry: &CanonRef,
        mover: &Mover,
        why: Option<String>,
    ) -> Result<Event, Refusal> {
        if !mover.role.decides() {
            return Err(Refusal::NotAllowed);
        }
        let held = self.holding(at, &entry.name, entry.version)?;
        let entry = CanonRef { name: entry.name.clone(), version: held.version };
        Ok(Event::Ended { by: mover.by.clone(), entry, why })
    }

    /// Records what somebody chose about a conflict. To override, [`supersede`](Self::supersede) the entry in the same
    /// decision; to discuss, open an issue in it. A recorded conflict is decided by the user or the lead. Whoever wrote what
    /// contradicts may ask to discuss it: if they could keep canon, their text would stand and nobody would look at it.
    pub fn decide_conflict(
        &self,
        at: At,
        entry: &CanonRef,
        choice: ConflictChoice,
        conflict: Option<Id>,
        mover: &Mover,
    ) -> Result<Event, Refusal> {
        let mut matter = None;
        if let Some(id) = conflict {
            let unknown = || Refusal::UnknownConflict { conflict: id, name: entry.name.clone() };
            let found = self.found.get(&id).ok_or_else(unknown)?;
            let mut notes = found.conflicts.iter().filter(|note| note.entry.name == entry.name);
            if !notes.any(|note| self.is_undecided(found, note, at)) {
                return Err(unknown());
            }
            let asks = choice == ConflictChoice::Discuss && mover.by == Actor::Seat(found.who.clone());
            if !mover.role.decides() && !asks {
                return Err(Refusal::NotAllowed);
            }
            matter = Some(found.matter);
        }
        if choice == ConflictChoice::Override && !mover.role.decides() {
            return Err(Refusal::NotAllowed);
        }
        let held = self.holding(at, &entry.name, entry.version)?;
        let entry = CanonRef { name: entry.name.clone(), version: held.version };
        Ok(Event::ConflictDecided { by: mover.by.clone(), choice, conflict, entry, matter, opened: None })
    }

    /// Records that a participant finds an issue sound, or no longer does.
    pub fn support(&self, matter: MatterId, who: &Who, holds: bool) -> Result<Event, Refusal> {
        let held = self.support.get(&matter).is_some_and(|supporters| supporters.contains(who));
        match held == holds {
            true => Err(Refusal::NothingChanges),
            false => Ok(Event::Supported { holds, matter, who: who.clone() }),
        }
    }

    /// Proposes claims for the version of an entry that holds. Anybody may; nothing changes until they are accepted.
    pub fn propose_claims(
        &self,
        at: At,
        entry: &CanonRef,
        claims: Vec<Claim>,
        source: ClaimSource,
    ) -> Result<Event, Refusal> {
        let count = claims.len();
        if !(1..=CLAIMS_MOST).contains(&count) {
            return Err(Refusal::BadProposal { count, most: CLAIMS_MOST });
        }
        let held = self.holding(at, &entry.name, entry.version)?;
        let entry = CanonRef { name: entry.name.clone(), version: held.version };
        Ok(Event::ClaimsProposed { claims, entry, source })
    }

    /// Accepts or refuses proposed claims. A claim for a version that was superseded meanwhile can only be refused.
    pub fn decide_claims(
        &self,
        at: At,
        proposal: Id,
        accepted: bool,
        mover: &Mover,
        why: Option<String>,
    ) -> Result<Event, Refusal> {
        if !mover.role.decides() {
            return Err(Refusal::NotAllowed);
        }
        let proposed = self.proposals.get(&proposal).ok_or(Refusal::UnknownProposal { proposal })?;
        if proposed.decided.is_some() {
            return Err(Refusal::AlreadyDecided { proposal });
        }
        if accepted {
            self.holding(at, &proposed.entry.name, proposed.entry.version)?;
        }
        Ok(Event::ClaimsDecided { accepted, by: mover.by.clone(), proposal, why })
    }

    /// The version of an entry that holds, if it is the one that was seen.
    pub fn holding(&self, at: At, name: &EntryName, seen: u32) -> Result<&CanonVersion, Refusal> {
        let unknown = || Refusal::UnknownEntry { name: name.clone(), version: seen };
        let entry = self.entry(name).ok_or_else(unknown)?;
        let latest = entry.latest().ok_or_else(unknown)?;
        if seen > latest.version {
            return Err(unknown());
        }
        if seen != 0 && seen != latest.version {
            return Err(Refusal::NotTheLatest { name: name.clone(), version: seen, latest: latest.version });
        }
        entry.current(at).map(AsRef::as_ref).ok_or_else(|| Refusal::NotHolding { name: name.clone() })
    }
}

fn promoted(
    promotion: &Promotion,
    mover: &Mover,
    version: u32,
    supersedes: Option<u32>,
    votes: Vec<Who>,
) -> Event {
    let claims: Vec<Claim> = claims(&promotion.text).into_iter().map(|found| found.claim).collect();
    Event::Promoted {
        by: mover.by.clone(),
        role: mover.role,
        claims,
        entry: CanonRef { name: promotion.name.clone(), version },
        matter: promotion.matter,
        supersedes,
        text: promotion.text.clone(),
        until: promotion.until,
        votes,
    }
}

fn check_text(at: At, promotion: &Promotion) -> Result<(), Refusal> {
    let length = text::length(&promotion.text);
    if !(1..=TEXT_MOST).contains(&length) {
        return Err(Refusal::BadText { length, most: TEXT_MOST });
    }
    match promotion.until.filter(|until| *until <= at) {
        Some(until) => Err(Refusal::EndsInThePast { until }),
        None => Ok(()),
    }
}
