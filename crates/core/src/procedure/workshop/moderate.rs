//! What is done with issues besides commenting: most of it by those who oversee them.

use super::author::Author;
use super::open::{RELATED_MOST, TAGS_MOST, fits, titled, written};
use super::state::parts;
use super::{OpenIssue, Refusal, status};
use crate::house::Flow;
use crate::issue::{self, Freedom, IssueChange, IssueMark, NoticeKind, NoticeTo, Tag, ThawCause};
use crate::kernel::{Comment, CommentAction, CommentDeed, CommentKind, Decision, MatterId, Priority, Who};
use crate::matter::{self, Status};
use crate::{Event, period, roster};

/// The most issues that are put together at once.
const CONSOLIDATED_MOST: usize = 50;
/// The longest reason for freezing a tag, in characters.
const REASON_MOST: usize = 500;

impl Flow {
    /// Closes an issue. Its author may withdraw it as long as nobody else took part.
    pub(super) fn close_issue(&mut self, author: &Author, matter: MatterId) -> Result<(), crate::Refusal> {
        let case = self.issue_for(author, matter)?;
        let issue = &parts(&case).1.issue;
        let alone = case.said.iter().all(|said| said.who == author.who);
        let withdraws = issue.by.as_ref() == Some(&author.who) && alone && issue.meta.is_none();
        if !withdraws {
            author.must_oversee()?;
        }
        self.settle_issue(Decision::Closed);
        Ok(())
    }

    pub(super) fn reopen_issue(&mut self, author: &Author, matter: MatterId) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        let case = self.any_issue(matter)?;
        if case.redacted_by.is_some() {
            return Err(matter::Refusal::Redacted { matter }.into());
        }
        match case.status() {
            Status::Settled(_) => {
                self.put(Event::Matter(matter::Event::Reopened { matter }));
                Ok(())
            }
            Status::Running | Status::Paused(_) => Err(Refusal::NotOver { status: status(&case) }.into()),
        }
    }

    /// Puts several issues together: a new one is opened, and they are closed with a pointer to it.
    pub(super) fn consolidate(
        &mut self,
        author: &Author,
        issues: &[MatterId],
        title: &str,
        body: &str,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        let mut distinct: Vec<MatterId> = issues.to_vec();
        distinct.sort();
        distinct.dedup();
        if distinct.len() > CONSOLIDATED_MOST {
            let (given, most) = (distinct.len(), CONSOLIDATED_MOST);
            return Err(Refusal::TooMany { what: "issues", given, most }.into());
        }
        let docket = self.house.docket();
        let rows: Option<Vec<_>> = distinct.iter().map(|matter| docket.row(*matter)).collect();
        let rows = rows.ok_or(Refusal::UnknownIssue)?;
        if rows.len() < 2 || rows.iter().any(|row| row.status.is_over() || row.meta.is_some()) {
            return Err(Refusal::NothingToConsolidate.into());
        }
        // What the new one is found by is what they were found by, as far as one issue has room for it.
        let mut tags: Vec<Tag> = rows.iter().flat_map(|row| row.tags.clone()).collect();
        tags.sort();
        tags.dedup();
        tags.retain(|tag| !tag.is_reserved());
        tags.truncate(TAGS_MOST);
        let priority = rows.iter().map(|row| row.priority).min().unwrap_or(Priority::Normal);
        let open = OpenIssue { priority, related: distinct.clone(), tags, ..OpenIssue::new(title, body) };
        titled(title)?;
        let into = self.open_issue(author, &open)?;
        for matter in distinct {
            self.live_issue(matter)?;
            self.put_issue(issue::Event::Consolidated { into, matter });
            self.settle_issue(Decision::Closed);
        }
        Ok(())
    }

    pub(super) fn change_issue(
        &mut self,
        author: &Author,
        matter: MatterId,
        change: &IssueChange,
    ) -> Result<(), crate::Refusal> {
        author.must_write(self)?;
        let case = self.issue_for(author, matter)?;
        author.must_see_to(&case)?;
        let issue = &parts(&case).1.issue;
        let (change, changes) = match change {
            IssueChange::Assign { to } => {
                if let Some(who) = to {
                    self.can_be_assigned(who)?;
                }
                (change.clone(), issue.assignee != *to)
            }
            IssueChange::Tag { tag } => {
                let tags = self.tags_for(author, std::slice::from_ref(tag))?;
                let tag = tags.into_iter().next().ok_or(Refusal::Missing { what: "the tag" })?;
                let (given, most) = (issue.tags.len() + 1, TAGS_MOST);
                let has = issue.tags.contains(&tag);
                if !has && given > most {
                    return Err(Refusal::TooMany { what: "tags", given, most }.into());
                }
                (IssueChange::Tag { tag }, !has)
            }
            IssueChange::Untag { tag } => {
                let tag = Tag::parse(tag.as_str()).map_err(Refusal::MalformedTag)?;
                if tag.is_reserved() {
                    return Err(Refusal::ReservedTag { tag }.into());
                }
                let has = issue.tags.contains(&tag);
                (IssueChange::Untag { tag }, has)
            }
            IssueChange::Priority { priority } => (change.clone(), issue.priority != *priority),
            IssueChange::Relate { to } => {
                if *to == matter {
                    return Err(Refusal::SameIssue.into());
                }
                self.known_issues(&[*to])?;
                let (given, most) = (issue.related.len() + 1, RELATED_MOST);
                let has = issue.related.contains(to);
                if !has && given > most {
                    return Err(Refusal::TooMany { what: "related issues", given, most }.into());
                }
                (change.clone(), !has)
            }
            IssueChange::Unrelate { to } => (change.clone(), issue.related.contains(to)),
        };
        if changes {
            self.put_issue(issue::Event::Changed { by: author.who.clone(), change, matter });
            self.warn_of_circled_topics();
        }
        Ok(())
    }

    /// Lets a frozen issue go on. The guidance stands in the thread, and everybody's budget counts anew.
    pub(super) fn unfreeze(
        &mut self,
        author: &Author,
        matter: MatterId,
        guidance: &str,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        written("the guidance", guidance)?;
        let case = self.live_issue(matter)?;
        let (rules, state) = parts(&case);
        if state.issue.freeze.is_none() {
            return Err(Refusal::NotFrozen { status: status(&case) }.into());
        }
        fits("the guidance", guidance, rules.chars_most.is as usize)?;
        let comment = Comment { class: author.class, ..Comment::default() };
        let said = self.contribution(&case, &author.who, comment, guidance);
        self.admit(said, None);
        self.thaw(matter, &author.who, ThawCause::Unfrozen);
        Ok(())
    }

    /// Resolves an issue whatever its thread has come to. The decision and its reasons stand in the thread.
    pub(super) fn force_resolution(
        &mut self,
        author: &Author,
        matter: MatterId,
        decision: &str,
        reasoning: &str,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        written("the decision", decision)?;
        written("the reasoning", reasoning)?;
        let case = self.live_issue(matter)?;
        let most = parts(&case).0.chars_most.is as usize;
        fits("the decision", decision, most)?;
        fits("the reasoning", reasoning, most)?;
        let action = CommentAction { deed: CommentDeed::Resolved, details: String::new() };
        let comment = Comment { action: Some(action), class: author.class, ..Comment::default() };
        let mut said = self.contribution(&case, &author.who, comment, decision);
        said.response.reasoning = Some(reasoning.trim().to_string());
        self.admit(said, None);
        Ok(())
    }

    pub(super) fn escalate(
        &mut self,
        author: &Author,
        matter: MatterId,
        summary: &str,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        written("the summary", summary)?;
        let case = self.live_issue(matter)?;
        fits("the summary", summary, parts(&case).0.chars_most.is as usize)?;
        let (by, summary) = (author.who.clone(), summary.trim().to_string());
        self.put_issue(issue::Event::Escalated { by, matter, summary });
        let (to, what) = (NoticeTo::User, NoticeKind::Escalated);
        self.put_issue(issue::Event::Noticed { matter, to, what });
        Ok(())
    }

    /// Says what came of an issue. Who could mark their own work as useful would.
    pub(super) fn mark_issue(
        &mut self,
        author: &Author,
        matter: MatterId,
        mark: IssueMark,
    ) -> Result<(), crate::Refusal> {
        match mark {
            IssueMark::Applied | IssueMark::Irrelevant => author.must_oversee()?,
            IssueMark::Helpful { .. } => author.must_lead()?,
        }
        let case = self.any_issue(matter)?;
        let issue = &parts(&case).1.issue;
        let otherwise = match mark {
            IssueMark::Applied => issue.irrelevant.then_some("irrelevant"),
            IssueMark::Irrelevant => issue.applied.then_some("applied"),
            IssueMark::Helpful { .. } => None,
        };
        if let Some(mark) = otherwise {
            return Err(Refusal::MarkedOtherwise { mark }.into());
        }
        let marked = match mark {
            IssueMark::Applied => issue.applied,
            IssueMark::Irrelevant => issue.irrelevant,
            IssueMark::Helpful { comment } => {
                let known = case
                    .comments()
                    .any(|(said, heard)| said.id == comment && heard.comment.kind == CommentKind::Comment);
                if !known {
                    return Err(Refusal::UnknownComment.into());
                }
                issue.helpful.contains(&comment)
            }
        };
        if marked {
            return Err(Refusal::AlreadyMarked.into());
        }
        self.put_issue(issue::Event::Marked { by: author.who.clone(), mark, matter });
        self.credit_mark(&case, author, mark);
        Ok(())
    }

    pub(super) fn freeze_tag(
        &mut self,
        author: &Author,
        tag: &Tag,
        reason: &str,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        written("the reason", reason)?;
        fits("the reason", reason, REASON_MOST)?;
        let tag = Tag::parse(tag.as_str()).map_err(Refusal::MalformedTag)?;
        let reason = crate::kernel::text::one_line(reason);
        if self.house.docket().frozen_tag(&tag) != Some(reason.as_str()) {
            self.put_issue(issue::Event::TagFrozen { by: author.who.clone(), reason, tag });
        }
        Ok(())
    }

    pub(super) fn thaw_tag(&mut self, author: &Author, tag: &Tag) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        let tag = Tag::parse(tag.as_str()).map_err(Refusal::MalformedTag)?;
        if self.house.docket().frozen_tag(&tag).is_none() {
            return Err(Refusal::TagNotFrozen { tag }.into());
        }
        self.put_issue(issue::Event::TagThawed { by: author.who.clone(), tag });
        Ok(())
    }

    pub(super) fn set_freedom(
        &mut self,
        author: &Author,
        who: &Who,
        freedom: Freedom,
    ) -> Result<(), crate::Refusal> {
        author.must_oversee()?;
        if self.house.roster().get(who).is_none() {
            return Err(roster::Refusal::UnknownSeat { who: who.clone() }.into());
        }
        if self.house.docket().freedom(who) != freedom {
            let (by, who) = (author.who.clone(), who.clone());
            self.put_issue(issue::Event::FreedomSet { by, freedom, who });
        }
        Ok(())
    }

    // Limits of credit count by period, so those who are held to them do not begin and end periods.
    pub(super) fn open_period(&mut self, author: &Author, name: &str) -> Result<(), crate::Refusal> {
        author.must_lead()?;
        let event = self.house.periods().opening(name)?;
        self.put(Event::Period(event));
        Ok(())
    }

    pub(super) fn close_period(&mut self, author: &Author, name: &str) -> Result<(), crate::Refusal> {
        author.must_lead()?;
        let event = self.house.periods().closing(name)?;
        if let period::Event::Closed { period } = &event {
            self.credit_period(*period, name);
        }
        self.put(Event::Period(event));
        Ok(())
    }
}
