//! What the house holds to be true: issues climb to it, entries are promoted, overridden and ended, and what is written is
//! held against it. A conflict stops nobody; the author and the lead are told, and somebody decides.

use serde::{Deserialize, Serialize};

use super::author::Author;
use super::open::{TITLE_MOST, written};
use super::state::parts;
use super::{OpenIssue, Refusal};
use crate::canon::{
    self, CanonRef, CanonRole, CitedEntry, Claim, ClaimSource, ConflictChoice, ConflictNote, EntryName,
    EntryStatus, IssueSupport, Mover, Promotion, conflicts, may_move,
};
use crate::house::{Case, Flow};
use crate::issue::{self, NoticeKind, NoticeTo, Tag};
use crate::kernel::{About, Actor, At, Comment, Epistemic, Id, MatterId, Reference, Who, text, words};
use crate::{Event, edition, matter};

/// The most conflicts that are recorded of one comment: more say that it is about something else.
const RECORDED_MOST: usize = 20;
/// How much of a text an issue about a conflict quotes, in characters.
const QUOTED_MOST: usize = 2000;

/// Why an entry ended whose issue was deleted.
const DELETED: &str = "the issue it came from was deleted, and its words with it";

/// A command about what the house holds to be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CanonCommand {
    /// Say how far an issue is to be relied on.
    Move {
        /// Which.
        issue: MatterId,
        /// How far.
        to: Epistemic,
    },
    /// Say that one finds an issue sound, or no longer does.
    Support {
        /// Whether.
        holds: bool,
        /// Which.
        issue: MatterId,
    },
    /// Make canon of an issue or of a text.
    Promote(Box<PromoteEntry>),
    /// End an entry without another in its place.
    End {
        /// Which.
        entry: CanonRef,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Propose claims for an entry. They count once somebody accepts them.
    ProposeClaims {
        /// Which claims.
        claims: Vec<Claim>,
        /// Which entry.
        entry: CanonRef,
        /// The model that was asked for them. Only the operator asks one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model: Option<String>,
    },
    /// Accept or refuse proposed claims.
    DecideClaims {
        /// Whether they count from now on.
        accepted: bool,
        /// Which.
        proposal: Id,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Decide what to do about a text that contradicts canon.
    DecideConflict(Box<DecideConflict>),
}

/// What it takes to make canon of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromoteEntry {
    /// The issue it comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<MatterId>,
    /// The name of the entry.
    pub name: EntryName,
    /// The version it takes the place of, as it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<u32>,
    /// Its text; what the issue says if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// It holds until then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<At>,
}

/// What it takes to decide a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecideConflict {
    /// What to do.
    pub choice: ConflictChoice,
    /// The conflict, where it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflict: Option<Id>,
    /// The entry that is contradicted, at the version that was read.
    pub entry: CanonRef,
    /// The text that contradicts it: what becomes canon, or what is discussed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

words!(struct PromoteEntry { text | issue, name, over, until });
words!(struct DecideConflict { text | choice, conflict, entry });
words!(enum CanonCommand {
    Move { | issue, to },
    Support { | holds, issue },
    Promote[promote],
    End { why | entry },
    ProposeClaims { claims | entry, model },
    DecideClaims { why | accepted, proposal },
    DecideConflict[decide],
});

impl CanonCommand {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Move { issue, .. } | Self::Support { issue, .. } => About::Matter(*issue),
            Self::Promote(promote) => promote.issue.map_or(About::House, About::Matter),
            Self::End { .. } | Self::ProposeClaims { .. } | Self::DecideClaims { .. } => About::House,
            Self::DecideConflict(_) => About::House,
        }
    }

    /// Whether its words are those of an issue that it opens.
    pub fn opens(&self) -> bool {
        matches!(self, Self::DecideConflict(decide) if decide.choice == ConflictChoice::Discuss)
    }

    /// The recorded conflict that it decides.
    pub(crate) fn conflict(&self) -> Option<Id> {
        match self {
            Self::DecideConflict(decide) => decide.conflict,
            Self::Move { .. } | Self::Support { .. } | Self::Promote(_) | Self::End { .. } => None,
            Self::ProposeClaims { .. } | Self::DecideClaims { .. } => None,
        }
    }

    /// The entry that it changes or ends.
    pub(crate) fn changes(&self) -> Option<&EntryName> {
        match self {
            Self::Promote(promote) => Some(&promote.name),
            Self::End { entry, .. } => Some(&entry.name),
            Self::DecideConflict(decide) => Some(&decide.entry.name),
            Self::Move { .. } | Self::Support { .. } => None,
            Self::ProposeClaims { .. } | Self::DecideClaims { .. } => None,
        }
    }
}

impl Flow {
    pub(super) fn change_canon(
        &mut self,
        author: &Author,
        by: &Actor,
        command: &CanonCommand,
    ) -> Result<(), crate::Refusal> {
        author.must_write(self)?;
        let mover = Mover { by: by.clone(), role: author.canon_role() };
        match command {
            CanonCommand::Move { issue, to } => self.move_issue(author, &mover, *issue, *to),
            CanonCommand::Support { holds, issue } => self.support_issue(author, *issue, *holds),
            CanonCommand::Promote(promote) => self.promote_entry(author, &mover, promote),
            CanonCommand::End { entry, why } => self.end_entry(&mover, entry, why.as_deref()),
            CanonCommand::ProposeClaims { claims, entry, model } => {
                let source = claim_source(author, &mover, model.as_deref())?;
                let event = self.house.canon().propose_claims(self.at, entry, claims.clone(), source)?;
                self.put(Event::Canon(event));
                Ok(())
            }
            CanonCommand::DecideClaims { accepted, proposal, why } => {
                let why = why.as_deref().map(text::one_line).filter(|why| !why.is_empty());
                let event = self.house.canon().decide_claims(self.at, *proposal, *accepted, &mover, why)?;
                self.put(Event::Canon(event));
                Ok(())
            }
            CanonCommand::DecideConflict(decide) => self.decide_conflict(author, &mover, decide),
        }
    }

    /// An issue that may be judged by its contents: not one of the house itself, not one whose words are gone. One that
    /// rests waits for those who oversee it.
    fn judged_issue(
        &mut self,
        author: &Author,
        matter: MatterId,
    ) -> Result<std::sync::Arc<Case>, crate::Refusal> {
        let case = self.any_issue(matter)?;
        if case.redacted_by.is_some() {
            return Err(matter::Refusal::Redacted { matter }.into());
        }
        let issue = &parts(&case).1.issue;
        if issue.meta.is_some() {
            return Err(Refusal::NothingToPromote.into());
        }
        match &issue.freeze {
            Some(freeze) if issue.rests(self.at) && !author.oversees() => {
                Err(Refusal::Frozen { until: freeze.until }.into())
            }
            Some(_) | None => Ok(case),
        }
    }

    fn move_issue(
        &mut self,
        author: &Author,
        mover: &Mover,
        matter: MatterId,
        to: Epistemic,
    ) -> Result<(), crate::Refusal> {
        let case = self.judged_issue(author, matter)?;
        let (supporters, agents) = self.support_of(matter);
        let issue = &parts(&case).1.issue;
        let support = IssueSupport {
            status: issue.epistemic,
            author: issue.by.as_ref(),
            supporters: &supporters,
            agents: &agents,
        };
        may_move(to, mover, &support)?;
        self.put_issue(issue::Event::Raised { epistemic: to, matter });
        Ok(())
    }

    fn support_issue(
        &mut self,
        author: &Author,
        matter: MatterId,
        holds: bool,
    ) -> Result<(), crate::Refusal> {
        self.judged_issue(author, matter)?;
        self.issue_for(author, matter)?;
        let event = self.house.canon().support(matter, &author.who, holds)?;
        self.put(Event::Canon(event));
        match holds {
            true => self.raise(&author.who),
            false => self.lower(&author.who),
        }
        Ok(())
    }

    /// Who supports an issue, and which of them are agents: everybody enabled who does not decide alone.
    fn support_of(&self, matter: MatterId) -> (imbl::OrdSet<Who>, imbl::OrdSet<Who>) {
        let roster = self.house.roster();
        let all = self.house.canon().supporters(matter);
        // A placeholder of a rehearsal finds nothing sound, whoever typed that it does.
        let supporters: imbl::OrdSet<Who> = all.into_iter().filter(|who| self.means_it(who)).collect();
        let is_agent = |who: &&Who| {
            let held = roster.appointment(who);
            roster.get(who).is_some() && held.enabled && held.role != Some(crate::roster::WorkRole::Lead)
        };
        let agents = supporters.iter().filter(is_agent).cloned().collect();
        (supporters, agents)
    }

    fn promote_entry(
        &mut self,
        author: &Author,
        mover: &Mover,
        wanted: &PromoteEntry,
    ) -> Result<(), crate::Refusal> {
        let case = wanted.issue.map(|issue| self.judged_issue(author, issue)).transpose()?;
        let rules = self.canon_rules(case.as_deref());
        let text = match (&wanted.text, &case) {
            (Some(given), _) if mover.role.decides() => given.clone(),
            // Those who support an issue support its words, not what somebody puts in their place.
            (Some(_), _) if rules.agents_promote && wanted.over.is_none() => {
                return Err(canon::Refusal::OtherWords.into());
            }
            (Some(given), _) => given.clone(), // refused below, with the rule that forbids it
            (None, Some(case)) => issue_text(case),
            (None, None) => {
                return Err(Refusal::Missing { what: "the text, or an issue to take it from" }.into());
            }
        };
        let promotion = Promotion {
            name: wanted.name.clone(),
            text: text.trim().into(),
            matter: wanted.issue,
            until: wanted.until,
        };
        let (supporters, agents) = wanted.issue.map(|issue| self.support_of(issue)).unwrap_or_default();
        let issue = case.as_ref().map(|case| &parts(case).1.issue);
        let support = IssueSupport {
            status: issue.map_or(Epistemic::Draft, |issue| issue.epistemic),
            author: issue.and_then(|issue| issue.by.as_ref()),
            supporters: &supporters,
            agents: &agents,
        };
        let held = self.house.canon();
        let event = match wanted.over {
            Some(seen) => held.supersede(self.at, &promotion, seen, mover)?,
            None => held.promote(self.at, &rules, &promotion, mover, &support)?,
        };
        self.put_entry(&wanted.name, event);
        if let Some(case) = case.filter(|_| author.oversees()) {
            self.credit_promotion(&case, author);
        }
        Ok(())
    }

    /// The words of an issue were deleted, and the entries that were promoted from it lost theirs with them. What says nothing any more
    /// cannot hold. After the deletion, because the reason is not one of its words.
    pub(super) fn end_entries_of(&mut self, matter: MatterId) {
        let resting: Vec<CanonRef> = self.house.canon().resting_on(matter, self.at).collect();
        for entry in resting {
            let why = Some(DELETED.to_string());
            self.put(Event::Canon(canon::Event::Ended { by: Actor::Operator, entry, why }));
        }
        self.lower_if_nothing_rests(Some(matter));
    }

    /// Puts down a new version, and moves the issues on which it and the one before rest.
    fn put_entry(&mut self, name: &EntryName, event: canon::Event) {
        let before = self.origin(name);
        let from = match &event {
            canon::Event::Promoted { matter, .. } => *matter,
            _ => None, // nothing else makes a version
        };
        self.put(Event::Canon(event));
        if let Some(matter) = from.filter(|matter| self.epistemic(*matter) != Some(Epistemic::Canon)) {
            self.put_issue(issue::Event::Raised { epistemic: Epistemic::Canon, matter });
        }
        self.lower_if_nothing_rests(before);
    }

    /// The issue that the present version of an entry came from.
    fn origin(&self, name: &EntryName) -> Option<MatterId> {
        self.house.canon().entry(name)?.latest()?.matter
    }

    fn epistemic(&self, matter: MatterId) -> Option<Epistemic> {
        self.house.docket().row(matter).map(|row| row.epistemic)
    }

    /// An issue on which nothing rests that holds is canon no longer: it stands where it stood before. That an entry was made of it
    /// and ended is no support.
    fn lower_if_nothing_rests(&mut self, matter: Option<MatterId>) {
        let Some(matter) = matter.filter(|matter| self.epistemic(*matter) == Some(Epistemic::Canon)) else {
            return;
        };
        if !self.house.canon().rests_on(matter, self.at) {
            let known = self.house.docket().row(matter).filter(|_| self.house.edition() >= edition::MEANT);
            let before = known.and_then(|row| row.before_canon);
            let epistemic = before.unwrap_or(Epistemic::Agreed);
            self.put_issue(issue::Event::Raised { epistemic, matter });
        }
    }

    fn end_entry(
        &mut self,
        mover: &Mover,
        entry: &CanonRef,
        why: Option<&str>,
    ) -> Result<(), crate::Refusal> {
        let why = why.map(text::one_line).filter(|why| !why.is_empty());
        let event = self.house.canon().end(self.at, entry, mover, why)?;
        let before = self.origin(&entry.name);
        self.put(Event::Canon(event));
        self.lower_if_nothing_rests(before);
        Ok(())
    }

    /// The rules of promotion: those of the issue, else those that issues are opened under.
    fn canon_rules(&self, case: Option<&Case>) -> canon::Rules {
        if let Some((rules, _)) = case.and_then(Case::workshop) {
            return rules.canon();
        }
        self.workshop_in_force().map(|rules| rules.canon()).unwrap_or_default()
    }

    fn decide_conflict(
        &mut self,
        author: &Author,
        mover: &Mover,
        wanted: &DecideConflict,
    ) -> Result<(), crate::Refusal> {
        let DecideConflict { choice, conflict, entry, text } = wanted;
        let mut decided = self.house.canon().decide_conflict(self.at, entry, *choice, *conflict, mover)?;
        // As it was before this decision: what was kept already is not charged again.
        let found = conflict.and_then(|id| self.house.canon().found_conflict(id)).cloned();
        let kept = found.filter(|_| *choice == ConflictChoice::Keep && mover.role.decides());
        let given = text.as_deref().map(str::trim).unwrap_or_default();
        match choice {
            ConflictChoice::Keep => (),
            ConflictChoice::Override => {
                self.override_entry(entry, given, mover)?;
            }
            ConflictChoice::Discuss => {
                let canon::Event::ConflictDecided { opened, matter, entry, .. } = &mut decided else {
                    return Ok(());
                };
                let issue = self.discussion(entry, given, *matter)?;
                *opened = Some(self.open_issue(author, &issue)?);
            }
        }
        self.put(Event::Canon(decided));
        if let Some(found) = kept {
            self.credit_kept(&found, &entry.name);
        }
        Ok(())
    }

    /// What was said becomes the next version of an entry.
    fn override_entry(&mut self, entry: &CanonRef, given: &str, mover: &Mover) -> Result<(), crate::Refusal> {
        written("the text that becomes canon", given)?;
        let held = self.house.canon().holding(self.at, &entry.name, entry.version)?;
        if entry.version == 0 {
            let (name, latest) = (entry.name.clone(), held.version);
            return Err(canon::Refusal::VersionNeeded { name, latest }.into());
        }
        let promotion =
            Promotion { name: entry.name.clone(), text: given.into(), matter: None, until: held.until };
        let event = self.house.canon().supersede(self.at, &promotion, entry.version, mover)?;
        self.put_entry(&entry.name, event);
        Ok(())
    }

    /// The issue in which a conflict is discussed.
    fn discussion(
        &self,
        entry: &CanonRef,
        given: &str,
        related: Option<MatterId>,
    ) -> Result<OpenIssue, crate::Refusal> {
        let held = self.house.canon().holding(self.at, &entry.name, entry.version)?;
        let quoted = |words: &str| {
            let mut lines = String::new();
            text::quote_into(&mut lines, &text::excerpt(words, QUOTED_MOST));
            lines
        };
        let mut body = format!("Canon says, as {entry}:\n\n{}", quoted(&held.text));
        if !given.is_empty() {
            body.push_str(&format!("\n\nThis contradicts it:\n\n{}", quoted(given)));
        }
        let title = text::excerpt(&format!("Does {entry} still hold?"), TITLE_MOST).into_owned();
        Ok(OpenIssue {
            related: related.into_iter().collect(),
            tags: vec![Tag::own("canon")],
            ..OpenIssue::new(&title, &body)
        })
    }

    /// Holds what somebody wrote against canon. `before`: how many lines stand before what they wrote.
    pub(super) fn hold_against_canon(&mut self, who: &Who, words: &str, comment: Option<Id>, before: u32) {
        let found = conflicts(self.house.canon(), words, self.at);
        if found.is_empty() {
            return;
        }
        let notes = found.iter().take(RECORDED_MOST).map(|conflict| ConflictNote::of(conflict, before));
        let (matter, conflicts, who) = (self.case().id, notes.collect(), who.clone());
        self.put(Event::Canon(canon::Event::Contradicted { comment, conflicts, matter, who }));
        let (to, what) = (NoticeTo::User, NoticeKind::CanonConflict);
        self.put_issue(issue::Event::Noticed { matter, to, what });
    }

    /// Searches canon for what a comment says is missing there, and records what was found.
    pub(super) fn search_canon(&mut self, who: &Who, written: &Comment, comment: Id) {
        let matter = self.case().id;
        for subject in written.gaps().filter(|subject| canon::subject_key(subject).is_some()) {
            let mut found = self.house.canon().search(subject, self.at);
            found.truncate(RECORDED_MOST);
            let (subject, who) = (subject.to_string(), who.clone());
            self.put(Event::Canon(canon::Event::Searched { comment, found, matter, subject, who }));
        }
    }

    /// Reports citations of what does not hold any more.
    pub(super) fn report_old_versions(&mut self, who: &Who, evidence: &[Reference], comment: Id) {
        let matter = self.case().id;
        for entry in evidence.iter().filter_map(canon_ref) {
            let CitedEntry::Known(version, status) = self.house.canon().cite(&entry, self.at) else {
                continue;
            };
            let latest = match status {
                EntryStatus::Current => continue,
                EntryStatus::Superseded { latest } => latest,
                EntryStatus::Ended { .. } | EntryStatus::Expired { .. } => version.version,
            };
            let (entry, who) = (CanonRef { name: entry.name, version: version.version }, who.clone());
            self.put(Event::Canon(canon::Event::OldVersionCited { comment, entry, latest, matter, who }));
        }
    }
}

/// The entry that a reference names; `None` for other references and for names that no entry can have.
pub(super) fn canon_ref(reference: &Reference) -> Option<CanonRef> {
    let Reference::Canon(cited) = reference else { return None };
    let name = EntryName::parse(&cited.entry).ok()?;
    Some(CanonRef { name, version: cited.version.unwrap_or(0) })
}

/// What becomes canon of an issue: what it says, else what it is called.
fn issue_text(case: &Case) -> String {
    let body = &parts(case).1.issue.body;
    if body.trim().is_empty() { case.opening.question.topic.to_string() } else { body.to_string() }
}

/// Who proposes claims. Whose model was asked, only the operator can say.
fn claim_source(author: &Author, mover: &Mover, model: Option<&str>) -> Result<ClaimSource, crate::Refusal> {
    match model.map(text::one_line).filter(|name| !name.is_empty()) {
        None => Ok(ClaimSource::Seat(author.who.clone())),
        Some(name) if mover.role == CanonRole::User => Ok(ClaimSource::Model { name }),
        Some(_) => Err(Refusal::NeedsLead { who: author.who.clone() }.into()),
    }
}
