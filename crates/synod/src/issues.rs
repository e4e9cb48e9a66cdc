//! What somebody does in the workshop: found out from what they wrote, and given to the house. The same for the command line,
//! the service and Redis; no rule lives here.

use std::path::Path;
use std::sync::Arc;

use synod_core::evidence::{FileReference, MalformedReference, references_in};
use synod_core::house::Reader;
use synod_core::issue::{IssueChange, IssueMark, Tag};
use synod_core::kernel::text::one_line;
use synod_core::kernel::{Actor, At, CommentAction, Id, MatterId, Priority, Reference, Seat, SeatKind, Who};
use synod_core::procedure::workshop::{
    AwardOutcome, Command as WorkshopCommand, CommentOutcome, IssueRow, IssueSheet, OpenIssue, WriteComment,
    held_by, is_told, issue_rows, still_needs_somebody,
};
use synod_core::roster::{Appointment, HealthMode};
use synod_core::{Act, Command, House};
use synod_engine::{Acknowledgement, Engine, Order};

use crate::agent::LocalHouse;
use crate::client::{Client, ServiceArgs};
use crate::fail::{Fail, Result, code};
use crate::house::{HouseArg, Looked, Sourced, charter, give_all, order};
use crate::matter_arg::{MatterArg, find};
use crate::vouching;
use crate::wire::{
    AppointmentBody, ChangeBody, CommentBody, Done, IssueBody, IssueRef, IssueStep, IssueThread, MarkBody,
    MarkWord, NoticeView, TurnedAway, WorkshopAction,
};

/// The charter that the first issue of a house brings into force.
const USUAL: &str = "workshop";

/// An issue is not there, or not for this reader.
pub(crate) const UNKNOWN: &str = "workshop/unknown-issue";

/// How many notices are shown at once.
const NOTICES_MOST: usize = 100;

/// The issue that is meant.
pub(crate) fn meant(house: &House, wanted: MatterArg) -> Result<MatterId> {
    let matter = match wanted {
        MatterArg::Last => house.docket().rows().next_back().map(|(matter, _)| matter),
        MatterArg::Number(number) => house.docket().numbered(number),
        MatterArg::Id(_) => find(house, Some(wanted)).ok(),
    };
    let known = matter.filter(|matter| house.docket().row(*matter).is_some());
    known.ok_or_else(|| {
        let message = format!("there is no issue {wanted}; `synod issue list --all` shows all of them");
        Fail::new(code::NO_INPUT, UNKNOWN, message)
    })
}

/// Refuses to let agents run by themselves without oversight, with every reason and what to type.
pub(crate) fn preflight(house: &House) -> Result<()> {
    let health = house.health(HealthMode::Editor);
    if health.is_ok() {
        return Ok(());
    }
    let flaws = health.flaws.iter();
    let lines: Vec<String> =
        flaws.map(|flaw| format!("  {}: {}\n    fix: {}", flaw.code(), flaw.message(), flaw.fix())).collect();
    let message = format!("agents may not run here by themselves yet:\n{}", lines.join("\n"));
    Err(Fail::new(code::REJECTED, "health/blocked", message))
}

/// What an action means in this house.
pub(crate) fn command(dir: &Path, house: &House, action: &WorkshopAction) -> Result<Command> {
    let issue = |named: &IssueRef| meant(house, named.0);
    Ok(Command::Workshop(match action {
        WorkshopAction::Open(body) => WorkshopCommand::Open(Box::new(opened(house, body)?)),
        WorkshopAction::Consolidate(body) => WorkshopCommand::Consolidate {
            body: body.body.clone(),
            issues: body.issues.iter().map(issue).collect::<Result<_>>()?,
            title: one_line(&body.title),
        },
        WorkshopAction::On(named, step) => on_issue(house, issue(named)?, step)?,
        WorkshopAction::FreezeTag(named, body) => {
            WorkshopCommand::FreezeTag { reason: body.reason.clone(), tag: tag(named)? }
        }
        WorkshopAction::ThawTag(named) => WorkshopCommand::ThawTag { tag: tag(named)? },
        WorkshopAction::SetFreedom(named, body) => {
            WorkshopCommand::SetFreedom { freedom: body.freedom, who: who(named)? }
        }
        WorkshopAction::OpenPeriod(body) => WorkshopCommand::OpenPeriod { name: body.name.clone() },
        WorkshopAction::ClosePeriod(body) => WorkshopCommand::ClosePeriod { name: body.name.clone() },
        WorkshopAction::Appoint(named, body) => {
            let who = who(named)?;
            let appointment = appointment(house, &who, body);
            return Ok(Command::Appoint { appointment, who });
        }
        WorkshopAction::Configure(body) => {
            WorkshopCommand::Configure { charter: charter(dir, &body.charter)?.digest }
        }
    }))
}

fn opened(house: &House, body: &IssueBody) -> Result<OpenIssue> {
    let related = body.related.iter().map(|named| meant(house, named.0));
    Ok(OpenIssue {
        assignee: body.assignee.as_deref().map(who).transpose()?,
        impact: body.impact,
        priority: body.priority.unwrap_or(Priority::Normal),
        related: related.collect::<Result<_>>()?,
        tags: body.tags.iter().map(|named| tag(named)).collect::<Result<_>>()?,
        // A title is one line, wherever it came from.
        ..OpenIssue::new(&one_line(&body.title), &body.body)
    })
}

fn on_issue(house: &House, issue: MatterId, step: &IssueStep) -> Result<WorkshopCommand> {
    Ok(match step {
        IssueStep::Comment(body) => WorkshopCommand::Comment(Box::new(comment(issue, body)?)),
        IssueStep::Close => WorkshopCommand::Close { issue },
        IssueStep::Reopen => WorkshopCommand::Reopen { issue },
        IssueStep::Change(body) => WorkshopCommand::Change { change: change(house, body)?, issue },
        IssueStep::Unfreeze(body) => WorkshopCommand::Unfreeze { guidance: body.guidance.clone(), issue },
        IssueStep::Force(body) => WorkshopCommand::ForceResolution {
            decision: body.decision.clone(),
            issue,
            reasoning: body.reasoning.clone(),
        },
        IssueStep::Escalate(body) => WorkshopCommand::Escalate { issue, summary: body.summary.clone() },
        IssueStep::Challenge(body) => {
            WorkshopCommand::InvokeDevilsAdvocate { issue, who: body.who.as_deref().map(who).transpose()? }
        }
        IssueStep::Mark(body) => WorkshopCommand::Mark { issue, mark: mark(body)? },
        IssueStep::Outcome(body) => {
            WorkshopCommand::Outcome { comment: body.comment.0, issue, outcome: body.outcome }
        }
    })
}

/// A comment on an issue, as a command.
pub(crate) fn comment_on(house: &House, named: IssueRef, body: &CommentBody) -> Result<Command> {
    let issue = meant(house, named.0)?;
    Ok(Command::Workshop(on_issue(house, issue, &IssueStep::Comment(body.clone()))?))
}

/// The comment as the house takes it: what the text cites is evidence too.
fn comment(issue: MatterId, body: &CommentBody) -> Result<WriteComment> {
    let mut evidence: Vec<Reference> = Vec::new();
    for written in &body.evidence {
        evidence.push(match Reference::parse(written) {
            Ok(read) => read,
            // A path out of the project is a false citation, and the house has to hear of it.
            Err(MalformedReference::Path { written: path, .. }) => {
                Reference::File(FileReference { path, ..FileReference::default() })
            }
            Err(wrong) => return Err(Fail::new(code::USAGE, "evidence/malformed", wrong.to_string())),
        });
    }
    for found in references_in(&body.body) {
        if !evidence.iter().any(|known| known.normal_form() == found.normal_form()) {
            evidence.push(found);
        }
    }
    let details = body.details.clone().unwrap_or_default();
    Ok(WriteComment {
        action: body.action.map(|deed| CommentAction { deed, details }),
        evidence,
        impact: body.impact,
        kind: body.kind.unwrap_or_default(),
        stance: body.stance.map(|stance| stance.choice()),
        trigger: body.trigger,
        ..WriteComment::new(issue, &body.body)
    })
}

fn change(house: &House, body: &ChangeBody) -> Result<IssueChange> {
    Ok(match body {
        ChangeBody::Assign(named) => IssueChange::Assign { to: named.as_deref().map(who).transpose()? },
        ChangeBody::Tag(named) => IssueChange::Tag { tag: tag(named)? },
        ChangeBody::Untag(named) => IssueChange::Untag { tag: tag(named)? },
        ChangeBody::Priority(priority) => IssueChange::Priority { priority: (*priority).into() },
        ChangeBody::Relate(named) => IssueChange::Relate { to: meant(house, named.0)? },
        ChangeBody::Unrelate(named) => IssueChange::Unrelate { to: meant(house, named.0)? },
    })
}

fn mark(body: &MarkBody) -> Result<IssueMark> {
    match (body.mark, body.comment) {
        (MarkWord::Applied, None) => Ok(IssueMark::Applied),
        (MarkWord::Irrelevant, None) => Ok(IssueMark::Irrelevant),
        (MarkWord::Helpful, Some(comment)) => Ok(IssueMark::Helpful { comment: comment.0 }),
        (MarkWord::Helpful, None) => {
            let message = "name the comment that helped; `synod issue show` lists them with their ids";
            Err(Fail::new(code::USAGE, "workshop/mark-without-comment", message))
        }
        (MarkWord::Applied | MarkWord::Irrelevant, Some(_)) => {
            let message = "only `helpful` is a mark of a comment";
            Err(Fail::new(code::USAGE, "workshop/mark-of-issue", message))
        }
    }
}

fn appointment(house: &House, who: &Who, body: &AppointmentBody) -> Appointment {
    let held = house.roster().appointment(who);
    Appointment {
        can_be_devils_advocate: body.devils_advocate.unwrap_or(held.can_be_devils_advocate),
        enabled: body.enabled.unwrap_or(held.enabled),
        role: body.role.or(held.role),
    }
}

fn tag(written: &str) -> Result<Tag> {
    Tag::parse(written).map_err(|wrong| Fail::new(code::USAGE, "workshop/malformed-tag", wrong))
}

fn who(written: &str) -> Result<Who> {
    Who::parse(written).map_err(|wrong| Fail::new(code::USAGE, "roster/malformed-name", wrong))
}

/// What has to be there before something is done: the charter of issues, and whoever acts or is appointed.
pub(crate) fn needed(dir: &Path, house: &House, by: &Actor, action: &WorkshopAction) -> Result<Vec<Command>> {
    let mut commands = match action {
        WorkshopAction::Configure(body) => adopted(house, &charter(dir, &body.charter)?),
        _ => in_force(dir, house)?, // one is chosen already, or the usual one is
    };
    let appointed = match action {
        WorkshopAction::Appoint(named, _) => Who::parse(named).ok(),
        _ => None, // nobody else is taken in
    };
    commands.extend(acting(house, by));
    commands.extend(appointed.filter(|who| house.roster().get(who).is_none()).map(|who| welcome(&who)));
    Ok(commands)
}

/// What has to be there before anybody does anything in the workshop.
pub(crate) fn needed_to_act(dir: &Path, house: &House, by: &Actor) -> Result<Vec<Command>> {
    let mut commands = in_force(dir, house)?;
    commands.extend(acting(house, by));
    Ok(commands)
}

/// Brings the usual charter of issues into force where none is.
fn in_force(dir: &Path, house: &House) -> Result<Vec<Command>> {
    if house.docket().charter().is_some() {
        return Ok(Vec::new());
    }
    let sourced = charter(dir, USUAL)?;
    let mut commands = adopted(house, &sourced);
    commands.push(Command::Workshop(WorkshopCommand::Configure { charter: sourced.digest }));
    Ok(commands)
}

fn adopted(house: &House, sourced: &Sourced) -> Vec<Command> {
    let known = house.charter(&sourced.digest).is_some();
    if known { Vec::new() } else { vec![Command::Adopt { source: sourced.source.clone() }] }
}

/// Takes in whoever acts, if the house does not know them.
fn acting(house: &House, by: &Actor) -> Option<Command> {
    match by {
        Actor::Seat(who) => house.roster().get(who).is_none().then(|| welcome(who)),
        Actor::Operator | Actor::Engine => None,
    }
}

/// Takes somebody into the house who comes by themself.
fn welcome(who: &Who) -> Command {
    let (kind, backend, name) = (SeatKind::Outside, "outside".into(), who.to_string());
    Command::Enrol {
        seat: Seat { kind, backend, model: None, name, persona: None, profile: None, who: who.clone() },
    }
}

/// The issue that an act is about, or that it opened.
pub(crate) fn issue_of(house: &House, act: &Act) -> Option<MatterId> {
    let opened =
        house.docket().rows().rev().find(|(matter, row)| matter.0.act == act.seq && row.meta.is_none());
    match act.command.about() {
        synod_core::kernel::About::Matter(matter) => Some(matter),
        synod_core::kernel::About::House | synod_core::kernel::About::Ask(_) => {
            opened.map(|(matter, _)| matter)
        }
    }
}

/// Who acts in the workshop, and where.
#[derive(Debug)]
pub(crate) enum IssueAccess {
    /// The house lies here.
    Local(HouseArg, Option<Who>),
    /// A service stands before it.
    Remote(Box<Client>),
}

impl IssueAccess {
    /// The way in: through the service that is named or holds the house, else by its files.
    pub(crate) fn to(house: &HouseArg, service: &ServiceArgs, named: Option<Who>) -> Result<Self> {
        let Some(mut client) = service.client(house)? else { return Ok(Self::Local(house.clone(), named)) };
        if let Some(who) = &named {
            client.speak_for(who);
        }
        Ok(Self::Remote(Box::new(client)))
    }

    /// The same for somebody who only looks: a house can be read beside its writer.
    pub(crate) fn reading(house: &HouseArg, service: &ServiceArgs, named: Option<Who>) -> Result<Self> {
        if service.is_named() {
            Self::to(house, service, named)
        } else {
            Ok(Self::Local(house.clone(), named))
        }
    }

    /// Does something. A refusal is an error here, and so is a comment that was turned away.
    pub(crate) async fn act(&self, action: &WorkshopAction) -> Result<Done> {
        match self {
            Self::Remote(client) => {
                let unfit = |error: serde_json::Error| Fail::usage(error.to_string());
                client.post(&action.path(), &action.body().map_err(unfit)?).await
            }
            Self::Local(house, named) => {
                let local = LocalHouse::new(house);
                let engine = local.hold().await?;
                let done = act_here(house.dir(), &engine, named.as_ref(), action).await;
                local.leave(engine);
                done
            }
        }
    }

    /// An issue with its thread.
    pub(crate) async fn thread(&self, wanted: MatterArg) -> Result<IssueThread> {
        match self {
            Self::Remote(client) => {
                let name = crate::percent::segment(&wanted.to_string());
                client.get(&format!("/v1/issues/{name}")).await
            }
            Self::Local(house, named) => {
                let (mut house, _) = house.look()?;
                let reader = named.as_ref().map_or(Reader::Operator, Reader::Participant);
                thread_here(&mut house, wanted, reader)
            }
        }
    }
}

/// Does something in a house that lies here.
async fn act_here(dir: &Path, engine: &Engine, named: Option<&Who>, action: &WorkshopAction) -> Result<Done> {
    let by = named.map_or(Actor::Operator, |who| Actor::Seat(who.clone()));
    let needed = engine.read(|house| needed(dir, house, &by, action))?;
    let given = give_here(engine, by, needed, |house| command(dir, house, action)).await?;
    if let Some(turned) = TurnedAway::of(&given.act) {
        return Err(turned_away(turned));
    }
    if let Some(unread) = unread(&given.act).filter(|_| given.waited) {
        return Err(unread);
    }
    if let Some(tried) = attempted(&given.act) {
        return Err(tried);
    }
    let matter = engine.read(|house| issue_of(house, &given.act));
    let done = Done::of(&given.act, matter).acknowledged(given.acknowledgement);
    Ok(engine.read(|house| done.naming(house)))
}

/// What was given to a house that lies here, and what it came to.
pub(crate) struct GivenWork {
    /// The act that decided it: of a comment that cites files, the one after they were read.
    pub(crate) act: Arc<Act>,
    acknowledgement: Option<Acknowledgement>,
    /// Whether files had to be read first. Only then can somebody else's act have decided it.
    waited: bool,
}

/// Gives a command on the workshop, made from the house as it is. A refusal is an error here.
pub(crate) async fn give_as(
    house: &HouseArg,
    named: Option<Who>,
    make: impl FnOnce(&House) -> Result<WorkshopCommand>,
) -> Result<Arc<Act>> {
    let local = LocalHouse::new(house);
    let engine = local.hold().await?;
    let by = named.map_or(Actor::Operator, Actor::Seat);
    let given = match engine.read(|known| needed_to_act(house.dir(), known, &by)) {
        Ok(needed) => give_here(&engine, by, needed, |house| make(house).map(Command::Workshop)).await,
        Err(fail) => Err(fail),
    };
    local.leave(engine);
    Ok(given?.act)
}

async fn give_here(
    engine: &Engine,
    by: Actor,
    needed: Vec<Command>,
    make: impl FnOnce(&House) -> Result<Command>,
) -> Result<GivenWork> {
    give_all(engine, needed).await?;
    let command = engine.read(make)?;
    let vouched = match by {
        Actor::Seat(_) => Some(vouching::by_owner(engine, (&by, None, &command), None)?),
        Actor::Operator | Actor::Engine => None,
    };
    let given = order(engine, Order { by, key: None, command, vouched }).await?;
    let acknowledgement = given.acknowledgement();
    // A comment that cites files is not decided before they were read.
    let held = held_by(&given);
    let act = match held {
        Some(ask) => engine.closing(ask, &given).await?,
        None => Arc::new(Act::clone(&given)),
    };
    Ok(GivenWork { act, acknowledgement, waited: held.is_some() })
}

/// The error of an attempt to move credit that is on the record and moved nothing.
pub(crate) fn attempted(act: &Act) -> Option<Fail> {
    match AwardOutcome::of(act) {
        AwardOutcome::Refused(refused) => Some(Fail::new(
            code::REJECTED,
            refused.code,
            format!("{}; the attempt is recorded", refused.message),
        )),
        AwardOutcome::Posted(_) | AwardOutcome::Rated { .. } | AwardOutcome::Unchanged => None,
    }
}

/// The error of a comment that could not be checked: its files could not be read, or the thread was closed to it meanwhile.
pub(crate) fn unread(act: &Act) -> Option<Fail> {
    match CommentOutcome::of(act)? {
        CommentOutcome::Unchecked { code: why, reason } => {
            // What the thread came to meanwhile is no fault of a disk.
            let by_thread = why.starts_with("workshop/");
            let exit = if by_thread { code::USAGE } else { code::IO };
            Some(Fail::new(exit, why, format!("the comment was not posted: {reason}")))
        }
        CommentOutcome::Posted { .. } | CommentOutcome::Refused { .. } => None,
    }
}

/// An issue of a house that lies here, as a reader sees it.
pub(crate) fn thread_here(house: &mut Looked, wanted: MatterArg, reader: Reader<'_>) -> Result<IssueThread> {
    let matter = meant(house, wanted)?;
    house.bring(matter)?;
    if let Some(of) = reported_by(house, matter) {
        house.bring(of)?;
    }
    let case = house.load(matter)?;
    let house: &House = house;
    let sheet = IssueSheet::seen_by(house, &case, reader, synod_engine::now());
    sheet.map(|sheet| IssueThread::of(house, sheet)).ok_or_else(|| hidden(wanted))
}

/// The frozen issue that an issue of the house reports on: its comments are shown with it.
pub(crate) fn reported_by(house: &House, matter: MatterId) -> Option<MatterId> {
    house.docket().row(matter)?.meta.as_ref()?.issue()
}

/// All issues that fit a filter, as a reader sees them, oldest first.
pub(crate) fn rows<'a>(
    house: &'a House,
    reader: Reader<'a>,
    filter: &'a IssueFilter,
) -> impl Iterator<Item = IssueRow<'a>> {
    issue_rows(house, reader, synod_engine::now()).filter(|row| filter.fits(row))
}

/// Which issues are wanted.
#[derive(Debug, Clone, Default)]
pub(crate) struct IssueFilter {
    pub(crate) status: Vec<synod_core::issue::IssueStatus>,
    pub(crate) tag: Option<Tag>,
    pub(crate) assignee: Option<Who>,
    pub(crate) by: Option<Who>,
    pub(crate) contains: Option<String>,
    /// Also those that are over or archived.
    pub(crate) all: bool,
}

impl IssueFilter {
    fn fits(&self, row: &IssueRow<'_>) -> bool {
        let status = match self.status.is_empty() {
            true => self.all || (!row.status.is_over() && !row.archived),
            false => self.status.contains(&row.status),
        };
        let folded = synod_core::kernel::text::fold;
        status
            && self.tag.as_ref().is_none_or(|tag| row.tags.contains(&tag.as_str()))
            && self.assignee.as_ref().is_none_or(|who| row.assignee == Some(who))
            && self.by.as_ref().is_none_or(|who| row.by == who)
            && self.contains.as_ref().is_none_or(|words| folded(&row.title).contains(&folded(words)))
    }
}

/// An issue that is not for this reader, as if there were none.
pub(crate) fn hidden(wanted: MatterArg) -> Fail {
    Fail::new(code::NO_INPUT, UNKNOWN, format!("there is no issue {wanted} that you may see"))
}

/// A comment was turned away: what to change.
pub(crate) fn turned_away(turned: TurnedAway) -> Fail {
    let (code, message) = (turned.code().to_string(), turned.message());
    Fail::new(code::REJECTED, &code, message).refusing(turned)
}

/// The id of the comment that an act posted.
pub(crate) fn posted(done: &Done) -> Option<Id> {
    done.events.iter().find(|event| event.kind == "gate/posted").map(|event| event.id)
}

/// What a reader is told of issues at a moment, newest first; without `all` only what still needs somebody.
pub(crate) fn notices(house: &House, reader: Reader<'_>, at: At, all: bool) -> Vec<NoticeView> {
    let told = house.docket().notices().rev().filter(|notice| is_told(house, reader, notice));
    let wanted = told.filter(|notice| all || still_needs_somebody(house, notice, at));
    wanted.filter_map(|notice| NoticeView::of(house, notice)).take(NOTICES_MOST).collect()
}
