//! Opening issues: by those who take part, and by the house itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Refusal;
use super::author::{Author, is_user_or_house, system};
use super::command::OpenIssue;
use super::state::parts;
use crate::charter::{self, Workshop};
use crate::event::Adopted;
use crate::house::{Case, Flow};
use crate::issue::{self, Epistemic, MetaIssue, NoticeKind, NoticeTo, Tag};
use crate::kernel::{AuthorClass, Digest, Impact, MatterId, Priority, SettingValue, Who, text};
use crate::matter::{self, Opening, Pinned, Question};
use crate::roster::WorkRole;
use crate::{Event, roster};

/// The longest title, in characters: one line of a list.
pub(super) const TITLE_MOST: usize = 200;
/// The most tags of an issue, and the most issues that belong to it.
pub(super) const TAGS_MOST: usize = 20;
pub(super) const RELATED_MOST: usize = 100;

/// An issue that is about to be opened.
struct Filing<'a> {
    assignee: Option<Who>,
    body: &'a str,
    by: &'a Who,
    class: AuthorClass,
    epistemic: Epistemic,
    impact: Option<Impact>,
    meta: Option<MetaIssue>,
    priority: Priority,
    related: Vec<MatterId>,
    tags: Vec<Tag>,
    title: String,
}

impl Flow {
    /// Issues are opened under this charter from now on.
    pub(super) fn configure_workshop(&mut self, digest: Digest) -> Result<(), crate::Refusal> {
        self.workshop_rules(digest)?;
        if self.house.docket().charter() != Some(digest) {
            self.put_issue(issue::Event::Configured { charter: digest });
        }
        Ok(())
    }

    /// A charter that is one for issues.
    fn workshop_rules(&self, digest: Digest) -> Result<(&Adopted, &Workshop), crate::Refusal> {
        let adopted = self.house.charter(&digest).ok_or(charter::Refusal::Unknown { digest })?;
        let other = || Refusal::OtherCharter { charter: adopted.rules.name.clone() };
        Ok((adopted, adopted.rules.workshop().ok_or_else(other)?))
    }

    /// Opens an issue; the flow goes on with it.
    pub(super) fn open_issue(
        &mut self,
        author: &Author,
        open: &OpenIssue,
    ) -> Result<MatterId, crate::Refusal> {
        author.must_write(self)?;
        // Whoever could choose the rules could choose none.
        if open.charter.is_some() || !open.moved.is_empty() {
            author.must_lead()?;
        }
        let digest = open.charter.or(self.house.docket().charter()).ok_or(Refusal::NotConfigured)?;
        let most = self.workshop_rules(digest)?.1.chars_most.is as usize;
        let title = titled(&open.title)?;
        fits("the body", &open.body, most)?;
        let tags = self.tags_for(author, &open.tags)?;
        let related = self.known_issues(&open.related)?;
        if let Some(who) = &open.assignee {
            self.can_be_assigned(who)?;
        }
        let filing = Filing {
            assignee: open.assignee.clone(),
            body: open.body.trim(),
            by: &author.who,
            class: author.class,
            epistemic: Epistemic::Draft,
            impact: open.impact,
            meta: None,
            priority: open.priority,
            related,
            tags,
            title,
        };
        let matter = self.file(digest, &open.moved, filing)?;
        self.credit_start(author, matter);
        self.turn_to(matter);
        // The title and an empty line stand before the body.
        let words = format!("{}\n\n{}", self.case().opening.question.topic, open.body.trim());
        self.hold_against_canon(&author.who, &words, None, 2);
        let (rules, _) = parts(self.case());
        if open.impact.is_some_and(|impact| impact >= rules.dissent_from) {
            self.order_blind_pass();
        }
        self.warn_of_circled_topics();
        Ok(matter)
    }

    /// An issue that the house itself opens, under the rules of another; the flow stays with that other one.
    pub(super) fn open_meta(&mut self, of: &Case, meta: MetaIssue, assignee: Option<Who>) -> MatterId {
        let number = |matter: MatterId| self.house.docket().row(matter).map_or(0, |row| row.number);
        let (title, priority, epistemic, words): (String, _, _, Vec<String>) = match &meta {
            MetaIssue::Frozen { breaker, issue, .. } => (
                format!("[Circuit breaker] issue #{}: {}", number(*issue), breaker.word()),
                Priority::High,
                Epistemic::Draft,
                vec!["circuit-breaker".into(), breaker.word().into()],
            ),
            // An instruction, not a discussion.
            MetaIssue::DevilsAdvocate { issue, .. } => (
                format!("[Devil's advocate] challenge issue #{}", number(*issue)),
                Priority::High,
                Epistemic::Agreed,
                vec!["devils-advocate".into(), format!("issue-{}", number(*issue))],
            ),
            MetaIssue::Leech { tag, .. } => (
                format!("[Leech warning] {tag} may be an obsessive topic"),
                Priority::Normal,
                Epistemic::Draft,
                vec!["leech".into(), tag.as_str().into()],
            ),
        };
        let tags = std::iter::once(Tag::META).chain(words.iter().map(String::as_str)).map(Tag::own);
        let filing = Filing {
            assignee,
            body: "",
            by: &system(),
            class: AuthorClass::System,
            epistemic,
            impact: None,
            related: meta.issue().into_iter().collect(),
            meta: Some(meta),
            priority,
            tags: tags.collect(),
            title,
        };
        let opened = self.file(of.opening.charter.digest, &of.opening.moved, filing);
        self.turn_to(of.id);
        // Nothing of it was given by anybody, and its charter is in force in another matter.
        opened.unwrap_or(of.id)
    }

    fn file(
        &mut self,
        digest: Digest,
        moved: &BTreeMap<String, SettingValue>,
        filing: Filing<'_>,
    ) -> Result<MatterId, crate::Refusal> {
        let (adopted, _) = self.workshop_rules(digest)?;
        let moved = adopted.rules.resolve(moved, None)?;
        let opening = Opening {
            charter: Pinned { name: adopted.rules.name.clone(), digest },
            forked: None,
            judges: Vec::new(),
            motion: None,
            moved,
            perspectives: Vec::new(),
            proposer: None,
            question: Question::parse(&filing.title, &[]).map_err(matter::Refusal::Malformed)?,
            replaced: Vec::new(),
            scribe: None,
            // Whoever belongs to the house may take part.
            seats: Vec::new(),
            sources: false,
            stepwise: false,
            synthesis: None,
        };
        let matter = MatterId(self.put(Event::Matter(matter::Event::Opened(Arc::new(opening)))));
        self.turn_to(matter);
        self.put_issue(issue::Event::Filed {
            assignee: filing.assignee,
            body: filing.body.into(),
            by: filing.by.clone(),
            class: filing.class,
            epistemic: filing.epistemic,
            impact: filing.impact,
            matter,
            meta: filing.meta,
            priority: filing.priority,
            related: filing.related,
            tags: filing.tags,
        });
        Ok(matter)
    }

    /// Tags that somebody gives an issue.
    pub(super) fn tags_for(&self, author: &Author, given: &[Tag]) -> Result<Vec<Tag>, crate::Refusal> {
        if given.len() > TAGS_MOST {
            return Err(Refusal::TooMany { what: "tags", given: given.len(), most: TAGS_MOST }.into());
        }
        let mut tags = Vec::new();
        for tag in given {
            // A command may come from anywhere: what it calls a tag is read again.
            let tag = Tag::parse(tag.as_str()).map_err(Refusal::MalformedTag)?;
            if tag.is_reserved() {
                return Err(Refusal::ReservedTag { tag }.into());
            }
            if let (false, Some(reason)) = (author.oversees(), self.house.docket().frozen_tag(&tag)) {
                return Err(Refusal::FrozenTag { reason: reason.into(), tag }.into());
            }
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        Ok(tags)
    }

    pub(super) fn known_issues(&self, given: &[MatterId]) -> Result<Vec<MatterId>, crate::Refusal> {
        if given.len() > RELATED_MOST {
            let (given, most) = (given.len(), RELATED_MOST);
            return Err(Refusal::TooMany { what: "related issues", given, most }.into());
        }
        let mut known: Vec<MatterId> = Vec::new();
        for matter in given {
            self.house.docket().row(*matter).ok_or(Refusal::UnknownIssue)?;
            if !known.contains(matter) {
                known.push(*matter);
            }
        }
        Ok(known)
    }

    pub(super) fn can_be_assigned(&self, who: &Who) -> Result<(), crate::Refusal> {
        if is_user_or_house(who) && self.house.edition() >= crate::edition::RESERVES_USER {
            return Err(Refusal::ReservedName { who: who.clone() }.into());
        }
        match self.house.roster().get(who) {
            Some(_) => Ok(()),
            None => Err(roster::Refusal::UnknownSeat { who: who.clone() }.into()),
        }
    }

    /// Whoever moderates, the first by id.
    pub(super) fn moderator(&self) -> Option<Who> {
        self.in_role(WorkRole::Moderator).next()
    }

    /// Everybody active in a role, by id.
    pub(super) fn in_role(&self, role: WorkRole) -> impl Iterator<Item = Who> {
        let active = self.house.roster().active().filter(move |(_, held)| held.role == Some(role));
        active.map(|(seat, _)| seat.who.clone())
    }

    /// Opens a warning for each topic of the issue that is circled and that nobody was warned of.
    pub(super) fn warn_of_circled_topics(&mut self) {
        let case = Arc::new(self.case().clone());
        let (rules, state) = parts(&case);
        let health = rules.topic_health();
        if state.issue.meta.is_some() {
            return;
        }
        for tag in &state.issue.tags {
            let Some(topic) = self.house.docket().topic(tag).copied() else { continue };
            if topic.warned.is_some() || !health.is_circled(&topic) {
                continue;
            }
            let meta = MetaIssue::Leech {
                accesses: topic.accesses,
                applied: topic.applied,
                issues: topic.issues,
                irrelevant: topic.irrelevant,
                tag: tag.clone(),
            };
            let moderator = self.moderator();
            let matter = self.open_meta(&case, meta, moderator);
            let (to, what) = (NoticeTo::Moderator, NoticeKind::Leech);
            self.put_issue(issue::Event::Noticed { matter, to, what });
        }
    }
}

/// A title as it is kept: one line, not empty, not too long.
pub(super) fn titled(title: &str) -> Result<String, crate::Refusal> {
    let title = text::one_line(title);
    written("the title", &title)?;
    fits("the title", &title, TITLE_MOST)?;
    Ok(title)
}

/// Something that must be written.
pub(super) fn written(what: &'static str, words: &str) -> Result<(), crate::Refusal> {
    if words.trim().is_empty() { Err(Refusal::Missing { what }.into()) } else { Ok(()) }
}

/// Something that must not be longer than this.
pub(super) fn fits(what: &'static str, words: &str, most: usize) -> Result<(), crate::Refusal> {
    if words.len() <= most {
        return Ok(());
    }
    let given = text::length(words);
    if given > most { Err(Refusal::TooLong { what, given, most }.into()) } else { Ok(()) }
}
