//! `/v1/issues`: issues and their threads, for participants by their tokens and for the operator. What a participant may do
//! hangs on its role; the house judges that.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Deserialize;
use synod_core::Command;
use synod_core::issue::Tag;
use synod_core::kernel::{About, Actor, MatterId, Who};
use synod_core::procedure::workshop::{IssueSheet, held_by};
use synod_engine::now;
use utoipa::IntoParams;

use super::Service;
use super::answer::{Acted, IdempotencyKey};
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::{Path, Query, SmallJson};
use crate::http::reply::Json;
use crate::issues::{self, IssueFilter};
use crate::matter_arg::MatterArg;
use crate::wire::{
    AppointmentBody, ChallengeBody, ChangeBody, CommentBody, ConsolidationBody, Done, EscalationBody,
    Failure, ForceBody, FreedomBody, GuidanceBody, IssueBody, IssueLine, IssuePage, IssueRef, IssueStep,
    IssueThread, MarkBody, Nothing, NoticePage, OutcomeBody, PeriodBody, ReasonBody, RulesBody, TurnedAway,
    WorkshopAction,
};

/// Rows of one page where nothing else is asked for, and at the most.
const PAGE: u32 = 100;
const PAGE_MOST: u32 = 500;

impl Service {
    /// Does something in the workshop as whoever calls.
    async fn work(
        &self,
        caller: &Caller,
        key: &IdempotencyKey,
        action: WorkshopAction,
        status: StatusCode,
    ) -> HttpResult<Response> {
        let by = caller.actor();
        if action.is_for_operators() {
            caller.operates()?;
        }
        let action = self.as_then(&by, key, action);
        let known =
            key.key(&by).is_some_and(|key| self.engine.read(|house| house.given_under(&key).is_some()));
        if !known {
            self.may_note(&by)?;
        }
        let dir = self.house.dir();
        let needed = self.engine.read(|house| issues::needed(dir, house, &by, &action))?;
        crate::house::give_all(&self.engine, needed).await?;
        let command = self.engine.read(|house| issues::command(dir, house, &action))?;
        let acted = self.decided(by, key, command).await?;
        if let Some(tried) = issues::attempted(&acted.act) {
            if !acted.repeated {
                self.was_refused(&acted.act);
            }
            return Err(Problem::refused(tried.name(), tried.message()).replayed(acted.repeated));
        }
        if let Some(turned) = TurnedAway::of(&acted.act) {
            if !acted.repeated {
                self.was_refused(&acted.act);
            }
            return Err(Problem::turned_away(turned).replayed(acted.repeated));
        }
        let matter = self.engine.read(|house| issues::issue_of(house, &acted.act));
        let mut response = acted.named(status, matter, &self.engine);
        let place = matter.filter(|_| status == StatusCode::CREATED);
        let place = place.and_then(|matter| HeaderValue::from_str(&format!("/v1/issues/{matter}")).ok());
        if let Some(place) = place {
            response.headers_mut().insert(header::LOCATION, place);
        }
        Ok(response)
    }

    /// Gives a command, and waits until it is decided: a comment that cites files is not before they were read. Where that came to
    /// nothing (the disk failed, the issue was frozen meanwhile) nothing was posted and nobody was charged, so the same key tries it again.
    async fn decided(&self, by: Actor, key: &IdempotencyKey, command: Command) -> HttpResult<Acted> {
        let mut acted = self.give(by.clone(), key, command.clone()).await?;
        for nth in 1.. {
            if !acted.repeated {
                self.was_noted(&acted.act);
            }
            let Some(ask) = held_by(&acted.act) else { break };
            acted.act = self.engine.closing(ask, &acted.act).await?;
            let Some(unread) = issues::unread(&acted.act) else { break };
            let again = key.again(nth).filter(|_| acted.repeated && !self.rests(&command));
            let Some(again) = again else { return Err(unread.into()) };
            acted = self.give(by.clone(), &again, command.clone()).await?;
        }
        Ok(acted)
    }

    /// Whether the issue that a command is about is frozen now.
    fn rests(&self, command: &Command) -> bool {
        let About::Matter(matter) = command.about() else { return false };
        let now = synod_engine::now();
        self.engine.read(|house| {
            house.docket().row(matter).and_then(|row| row.until).is_some_and(|until| now < until)
        })
    }

    /// What was meant when the same was sent first: `last` may be another issue by now.
    fn as_then(&self, by: &Actor, key: &IdempotencyKey, action: WorkshopAction) -> WorkshopAction {
        let WorkshopAction::On(IssueRef(MatterArg::Last), step) = action else { return action };
        let seq = key.key(by).and_then(|key| self.engine.read(|house| house.given_under(&key)));
        let then =
            seq.and_then(|seq| self.act(seq)).and_then(|act| match (&act.command, act.command.about()) {
                (Command::Workshop(_), About::Matter(matter)) => Some(matter),
                _ => None, // it was another request
            });
        WorkshopAction::On(IssueRef(then.map_or(MatterArg::Last, MatterArg::Id)), step)
    }

    /// The issue that a path names, if the caller may see it.
    pub(super) fn issue(&self, caller: &Caller, named: IssueRef) -> HttpResult<MatterId> {
        self.engine.read(|house| {
            let matter = issues::meant(house, named.0)?;
            let seen = house.summary(matter).is_some_and(|known| known.may_be_seen_by(caller.reader()));
            if seen { Ok(matter) } else { Err(issues::hidden(named.0).into()) }
        })
    }
}

/// Which issues to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct IssueQuery {
    /// Only issues with this status: `open`, `frozen`, `resolved` or `closed`.
    #[param(value_type = Option<String>, pattern = "^(open|frozen|resolved|closed)$")]
    status: Option<synod_core::issue::IssueStatus>,
    /// Only issues with this tag.
    tag: Option<String>,
    /// Only issues that this participant sees to.
    assignee: Option<String>,
    /// Only issues that this participant opened.
    by: Option<String>,
    /// Only issues whose title contains this text, ignoring case.
    contains: Option<String>,
    /// Also those that are over or archived; left out otherwise.
    all: Option<bool>,
    /// Only what follows this number: `next` of the page before.
    after: Option<u64>,
    /// How many at most; 100 if left out.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

impl IssueQuery {
    fn filter(&self) -> HttpResult<IssueFilter> {
        let wrong = |code: &'static str| move |wrong: String| Problem::missing(code, wrong);
        let who = |name: &Option<String>| {
            name.as_deref().map(Who::parse).transpose().map_err(wrong("roster/malformed-name"))
        };
        Ok(IssueFilter {
            status: self.status.into_iter().collect(),
            tag: self.tag.as_deref().map(Tag::parse).transpose().map_err(wrong("workshop/malformed-tag"))?,
            assignee: who(&self.assignee)?,
            by: who(&self.by)?,
            contains: self.contains.clone(),
            all: self.all == Some(true),
        })
    }
}

/// The issues you may see, oldest first.
#[utoipa::path(get, path = "/v1/issues", tag = "issues", operation_id = "listIssues", params(IssueQuery),
    responses(
        (status = 200, description = "One page.", body = IssuePage),
        (status = 404, description = "Nothing and nobody can be called so.", body = Failure),
    ))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<IssueQuery>,
) -> HttpResult<Json<IssuePage>> {
    let limit = wanted.limit.unwrap_or(PAGE);
    if !(1..=PAGE_MOST).contains(&limit) {
        let message = format!("limit must be from 1 to {PAGE_MOST}");
        return Err(Problem::malformed("request/query", message));
    }
    if wanted.after.is_some_and(|after| i64::try_from(after).is_err()) {
        return Err(Problem::malformed("request/query", "after is the number of an issue"));
    }
    let filter = wanted.filter()?;
    let page = limit as usize;
    let mut issues: Vec<IssueLine> = service.engine.read(|house| {
        let rows = issues::rows(house, caller.reader(), &filter);
        let after = rows.filter(|row| wanted.after.is_none_or(|after| row.number > after));
        after.take(page + 1).map(IssueLine::from).collect()
    });
    let more = issues.len() > page;
    issues.truncate(page);
    let next = issues.last().filter(|_| more).map(|line| line.number);
    Ok(Json(IssuePage { issues, next }))
}

/// Open an issue.
#[utoipa::path(post, path = "/v1/issues", tag = "issues", operation_id = "openIssue", request_body = IssueBody,
    responses(
        (status = 201, description = "It is open.", body = Done, headers(("location" = String, description = "The issue."))),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn open(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<IssueBody>,
) -> HttpResult<Response> {
    service.work(&caller, &key, WorkshopAction::Open(body), StatusCode::CREATED).await
}

/// An issue with its thread: what you may see of it.
#[utoipa::path(get, path = "/v1/issues/{issue}", tag = "issues", operation_id = "showIssue",
    params(("issue" = inline(IssueRef), Path, description = "The issue's number, its id, or `last`.")),
    responses(
        (status = 200, description = "The issue.", body = IssueThread),
        (status = 404, description = "There is none that you may see.", body = Failure),
    ))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(named): Path<IssueRef>,
) -> HttpResult<Json<IssueThread>> {
    let matter = service.issue(&caller, named)?;
    let of = service.engine.read(|house| issues::reported_by(house, matter));
    service.engine.read_with(std::iter::once(matter).chain(of), |house| {
        let case = house.case(matter);
        let sheet =
            case.and_then(|case| IssueSheet::seen_by(house, case, caller.reader(), synod_engine::now()));
        sheet.map(|sheet| Json(IssueThread::of(house, sheet))).ok_or_else(|| issues::hidden(named.0).into())
    })?
}

macro_rules! step {
    ($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident => $step:expr) => {
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "issues", operation_id = $id,
            params(("issue" = inline(IssueRef), Path, description = "The issue's number, its id, or `last`.")),
            request_body = $body,
            responses(
                (status = 200, description = $done, body = Done),
                (status = 404, description = "There is no such issue.", body = Failure),
                (status = 409, description = "Refused by the rules.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            Path(issue): Path<IssueRef>,
            SmallJson(body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            let step: fn($body) -> IssueStep = $step;
            service.work(&caller, &key, WorkshopAction::On(issue, step(body)), StatusCode::OK).await
        }
    };
}

step! {
    /// Comment on an issue. A comment that breaks a rule is refused with everything there is to change (`error.refused`); some
    /// rules freeze the issue.
    comment, "/v1/issues/{issue}/comments", "commentOnIssue", "The comment stands.", CommentBody => IssueStep::Comment
}

step! {
    /// Close an issue without a resolution.
    close, "/v1/issues/{issue}/close", "closeIssue", "It is closed.", Nothing => |Nothing {}| IssueStep::Close
}

step! {
    /// Open an issue again that is over.
    reopen, "/v1/issues/{issue}/reopen", "reopenIssue", "It is open again.", Nothing => |Nothing {}| IssueStep::Reopen
}

step! {
    /// Change one thing of an issue: its assignee, a tag, its priority, or what belongs to it.
    change, "/v1/issues/{issue}/changes", "changeIssue", "It is changed.", ChangeBody => IssueStep::Change
}

step! {
    /// Let a frozen issue go on, with guidance. For the operator, leads and moderators.
    unfreeze, "/v1/issues/{issue}/unfreeze", "unfreezeIssue", "It goes on.", GuidanceBody => IssueStep::Unfreeze
}

step! {
    /// Resolve an issue whatever its thread has come to. For the operator, leads and moderators.
    force, "/v1/issues/{issue}/force", "forceIssue", "It is resolved.", ForceBody => IssueStep::Force
}

step! {
    /// Ask the user to look at an issue.
    escalate, "/v1/issues/{issue}/escalate", "escalateIssue", "The user gets a notice.", EscalationBody => IssueStep::Escalate
}

step! {
    /// Have a participant object in an issue. For the operator, leads and moderators.
    challenge, "/v1/issues/{issue}/challenge", "challengeIssue", "Somebody has to object, or the moderator gets a notice that nobody can.", ChallengeBody => IssueStep::Challenge
}

step! {
    /// Say what came of an issue, or that a comment helped.
    mark, "/v1/issues/{issue}/marks", "markIssue", "It is marked.", MarkBody => IssueStep::Mark
}

step! {
    /// Say what came of the evidence in a comment. For the operator, leads and moderators.
    tell_outcome, "/v1/issues/{issue}/outcomes", "tellOutcome", "It is noted.", OutcomeBody => IssueStep::Outcome
}

/// Put several issues together into a new one.
#[utoipa::path(post, path = "/v1/issues/consolidate", tag = "issues", operation_id = "consolidateIssues",
    request_body = ConsolidationBody,
    responses(
        (status = 201, description = "The new issue is open, the others are closed.", body = Done, headers(("location" = String, description = "The new issue."))),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn consolidate(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    SmallJson(body): SmallJson<ConsolidationBody>,
) -> HttpResult<Response> {
    service.work(&caller, &key, WorkshopAction::Consolidate(body), StatusCode::CREATED).await
}

macro_rules! house_wide {
    ($(#[$doc:meta])* $name:ident, $path:literal, $id:literal, $done:literal, $body:ident => $action:expr) => {
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "issues", operation_id = $id, request_body = $body,
            responses(
                (status = 200, description = $done, body = Done),
                (status = 409, description = "Refused by the rules.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            SmallJson(body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            let action: fn($body) -> WorkshopAction = $action;
            service.work(&caller, &key, action(body), StatusCode::OK).await
        }
    };
    ($(#[$doc:meta])* $name:ident of $what:literal, $about:literal, $path:literal, $id:literal, $done:literal, $body:ident => $action:expr) => {
        $(#[$doc])*
        #[utoipa::path(post, path = $path, tag = "issues", operation_id = $id, request_body = $body,
            params(($what = String, Path, description = $about)),
            responses(
                (status = 200, description = $done, body = Done),
                (status = 409, description = "Refused by the rules.", body = Failure),
            ))]
        pub(crate) async fn $name(
            State(service): State<Arc<Service>>,
            caller: Caller,
            key: IdempotencyKey,
            Path(named): Path<String>,
            SmallJson(body): SmallJson<$body>,
        ) -> HttpResult<Response> {
            let action: fn(String, $body) -> WorkshopAction = $action;
            service.work(&caller, &key, action(named, body), StatusCode::OK).await
        }
    };
}

house_wide! {
    /// Choose the charter that issues are opened under. For operators.
    configure, "/v1/issues/rules", "configureIssues", "Issues are opened under it from now on.", RulesBody => WorkshopAction::Configure
}

house_wide! {
    /// Begin a named stretch of work, such as a session or a chapter.
    open_period, "/v1/periods/open", "openPeriod", "It has begun.", PeriodBody => WorkshopAction::OpenPeriod
}

house_wide! {
    /// End it.
    close_period, "/v1/periods/close", "closePeriod", "It has ended.", PeriodBody => WorkshopAction::ClosePeriod
}

house_wide! {
    /// Keep agents from opening issues under a tag. For the operator, leads and moderators.
    freeze_tag of "tag", "The tag, without its `#`.", "/v1/tags/{tag}/freeze", "freezeTag", "Agents open nothing under it.", ReasonBody => WorkshopAction::FreezeTag
}

house_wide! {
    /// Let agents open issues under a tag again. For the operator, leads and moderators.
    thaw_tag of "tag", "The tag, without its `#`.", "/v1/tags/{tag}/thaw", "thawTag", "They may again.", Nothing => |tag, Nothing {}| WorkshopAction::ThawTag(tag)
}

house_wide! {
    /// Let an agent be more or less free. For the operator, leads and moderators.
    set_freedom of "who", "The participant's name.", "/v1/agents/{who}/freedom", "setFreedom", "It is as free as that.", FreedomBody => WorkshopAction::SetFreedom
}

house_wide! {
    /// Give a participant a role, or switch it on or off. For operators.
    appoint of "who", "The participant's name.", "/v1/agents/{who}/appointment", "appointAgent", "It has the role.", AppointmentBody => WorkshopAction::Appoint
}

/// Which notices to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct NoticeQuery {
    /// Also those whose issue needs nobody any more.
    all: Option<bool>,
}

/// Notices to the user and to moderators, newest first. A participant sees those to moderators if it is one.
#[utoipa::path(get, path = "/v1/notices", tag = "issues", operation_id = "listNotices", params(NoticeQuery),
    responses((status = 200, description = "At most 100 notices.", body = NoticePage)))]
pub(crate) async fn notices(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<NoticeQuery>,
) -> HttpResult<Json<NoticePage>> {
    let all = wanted.all == Some(true);
    let notices = service.engine.read(|house| issues::notices(house, caller.reader(), now(), all));
    Ok(Json(NoticePage { notices }))
}
