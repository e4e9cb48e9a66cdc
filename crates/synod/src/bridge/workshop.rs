//! Issues and leases on Redis. Everything here concerns one agent and is sealed for that agent; an issue is shown as HTTP would show it
//! to that agent, so the lens decides what stands in it. What agents send is read into the same requests as over HTTP.
//!
//! To add news: a variant of [`WorkshopNews`] and its arm in [`of_event`]. To add a request: its type in [`REQUESTS`] and its arm in
//! [`command`].

use serde::{Deserialize, Serialize};
use synod_core::dissent::{self, DissentOrder, DissentSide};
use synod_core::house::{HouseItem, Reader};
use synod_core::issue::{self, IssueChange};
use synod_core::kernel::{Actor, At, Id, MatterId, Who};
use synod_core::procedure::workshop::IssueSheet;
use synod_core::{Act, Command, Event, House, ask, gate, lease};
use synod_engine::now;

use super::courier::OutgoingMessage;
use super::inbound::{MessageBody, RefusedMessage};
use crate::fail::Fail;
use crate::house::give_all;
use crate::http::Service;
use crate::wire::{CommentBody, IssueRef, IssueThread, ReturnBody, TakeBody, TurnedAway};
use crate::work::WorkRequest;
use crate::{issues, lease_path};

/// What agents may send besides what they do in rings.
const REQUESTS: [&str; 3] = ["ISSUE_COMMENT", "LEASE_TAKE", "LEASE_RELEASE"];

/// Something that one agent should know.
#[derive(Serialize)]
#[serde(tag = "type", content = "data")]
enum WorkshopNews {
    /// An issue is theirs to see to.
    #[serde(rename = "ISSUE_ASSIGNED")]
    Assigned { issue: Box<IssueThread> },
    /// They are to object, or to read without hearing others.
    #[serde(rename = "ISSUE_ORDER")]
    Ordered { task: &'static str, reason: &'static str, comments: u32, until: At, issue: Box<IssueThread> },
    /// An issue that they wrote in rests.
    #[serde(rename = "ISSUE_FROZEN")]
    Frozen { number: u64, breaker: &'static str, until: At },
    /// A comment of theirs stands.
    #[serde(rename = "COMMENT_POSTED")]
    Posted { number: u64, comment: Id },
    /// A comment of theirs was refused: what to change.
    #[serde(rename = "COMMENT_REFUSED")]
    Refused { number: u64, refused: TurnedAway },
    /// The files that a comment of theirs cites could not be read: send it again.
    #[serde(rename = "COMMENT_NOT_CHECKED")]
    NotChecked { number: u64, code: String, message: String },
    /// Somebody needs a file that they hold.
    #[serde(rename = "LEASE_ASKED")]
    LeaseAsked {
        path: String,
        by: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        issue: Option<u64>,
    },
}

#[derive(Serialize)]
struct WorkshopMessage {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    matter: Option<MatterId>,
    at: At,
    from: &'static str,
    #[serde(flatten)]
    news: WorkshopNews,
}

fn message(who: &Who, matter: Option<MatterId>, at: At, news: WorkshopNews) -> OutgoingMessage {
    let told = WorkshopMessage { version: 1, matter, at, from: "engine", news };
    OutgoingMessage::private(who, serde_json::to_string(&told).unwrap_or_default())
}

/// Whether an agent may know of an issue, and its number.
fn number(house: &House, matter: MatterId, who: &Who) -> Option<u64> {
    let known = house.summary(matter)?;
    let seen = known.may_be_seen_by(Reader::Participant(who));
    house.docket().row(matter).filter(|_| seen).map(|row| row.number)
}

/// An issue as this agent sees it.
fn thread(house: &House, matter: MatterId, who: &Who) -> Option<Box<IssueThread>> {
    let sheet =
        IssueSheet::seen_by(house, house.case(matter)?, Reader::Participant(who), now().max(house.now()));
    sheet.map(|sheet| Box::new(IssueThread::of(house, sheet)))
}

/// Acts whose comment was held until its files were read, as far as an act says that they could not be.
pub(super) fn unread(act: &Act, born: impl Fn(synod_core::kernel::Seq) -> Option<Act>) -> Vec<Act> {
    let lapsed = act.events().iter().filter_map(|event| match event {
        Event::Ask(ask::Event::Lapsed { ask, .. }) => born(ask.0.act),
        _ => None, // nothing else ends a check without a finding
    });
    lapsed.collect()
}

/// What an act means for single agents. Seats that Synod performs have no token, so nothing is sent to them.
pub(super) fn news(house: &House, act: &Act, unread: &[Act]) -> Vec<OutgoingMessage> {
    let mut sent = Vec::new();
    for (nth, event) in act.events().iter().enumerate() {
        let id = Id { act: act.seq, nth: nth as u16 };
        of_event(house, act, id, event, &mut sent);
        if let Event::Ask(ask::Event::Lapsed { cause, .. }) = event {
            let (code, reason) = (cause.code.to_string(), cause.detail.to_string());
            sent.extend(unread.iter().flat_map(|held| not_checked(house, act.at, held, &code, &reason)));
        }
    }
    sent
}

fn of_event(house: &House, act: &Act, id: Id, event: &Event, sent: &mut Vec<OutgoingMessage>) {
    let mut tell = |who: &Who, matter, news: Option<WorkshopNews>| {
        sent.extend(news.map(|news| message(who, matter, act.at, news)));
    };
    match event {
        Event::Issue(issue::Event::Filed { assignee: Some(who), matter, meta: None, .. })
        | Event::Issue(issue::Event::Changed {
            change: IssueChange::Assign { to: Some(who) }, matter, ..
        }) => {
            let news = thread(house, *matter, who).map(|issue| WorkshopNews::Assigned { issue });
            tell(who, Some(*matter), news);
        }
        Event::Issue(issue::Event::Frozen { breaker, matter, until, .. }) => {
            for who in writers(house, *matter) {
                let frozen = |number| WorkshopNews::Frozen { number, breaker: breaker.word(), until: *until };
                tell(&who, Some(*matter), number(house, *matter, &who).map(frozen));
            }
        }
        Event::Dissent(dissent::Event::Ordered(order)) => {
            tell(&order.who, Some(order.matter), ordered(house, order));
        }
        Event::Gate(gate::Event::Posted { matter, said }) => {
            let posted = |number| WorkshopNews::Posted { number, comment: id };
            tell(&said.who, Some(*matter), number(house, *matter, &said.who).map(posted));
        }
        Event::Gate(gate::Event::Refused { matter, who, .. }) => {
            let refused = number(house, *matter, who).zip(TurnedAway::of(act));
            let news = refused.map(|(number, refused)| WorkshopNews::Refused { number, refused });
            tell(who, Some(*matter), news);
        }
        Event::Lease(lease::Event::Asked { by, opened, path, who, why }) => {
            tell(who, None, lease_asked(house, (by, *opened, path, who, why.as_deref())));
        }
        _ => (), // nothing else asks anything of one agent, or tells it of its own comment
    }
}

/// Everybody who commented on an issue.
fn writers(house: &House, matter: MatterId) -> Vec<Who> {
    let comments = house.case(matter).into_iter().flat_map(|case| case.comments());
    let mut writers: Vec<Who> = comments.map(|(_, heard)| heard.who.clone()).collect();
    writers.sort();
    writers.dedup();
    writers
}

fn ordered(house: &House, order: &DissentOrder) -> Option<WorkshopNews> {
    let issue = thread(house, order.matter, &order.who)?;
    let task = match order.side {
        DissentSide::Against => "object",
        DissentSide::For => return None, // only speakers on motions are asked to argue for something
        DissentSide::Blind => "read-blind",
    };
    let (reason, comments, until) = (order.reason.word(), order.comments, order.until);
    Some(WorkshopNews::Ordered { task, reason, comments, until, issue })
}

fn not_checked(house: &House, at: At, held: &Act, code: &str, reason: &str) -> Option<OutgoingMessage> {
    held.events().iter().find_map(|event| {
        let Event::Gate(gate::Event::Held { matter, said }) = event else { return None };
        let number = number(house, *matter, &said.who)?;
        let message_text = format!("the comment was not posted: {reason}; send it again");
        let news = WorkshopNews::NotChecked { number, code: code.into(), message: message_text };
        Some(message(&said.who, Some(*matter), at, news))
    })
}

/// Who asks, the issue opened for it, what is held, who holds it, and why.
type LeaseAsking<'a> = (&'a Who, Option<MatterId>, &'a lease::LeasePath, &'a Who, Option<&'a str>);

fn lease_asked(house: &House, (by, opened, path, who, why): LeaseAsking<'_>) -> Option<WorkshopNews> {
    house.may_see(Reader::Participant(who), HouseItem::Common).then(|| WorkshopNews::LeaseAsked {
        path: path.to_string(),
        by: by.to_string(),
        why: why.map(str::to_string),
        issue: opened.and_then(|matter| number(house, matter, who)),
    })
}

/// Assigned issues that are sent at once, the newest: each message holds a whole thread.
const ASSIGNED_MOST: usize = 20;

/// What waits for an agent: orders, and issues that are assigned to it. After a restart an agent knows nothing any more.
pub(super) fn open(service: &Service, who: &Who) -> Vec<OutgoingMessage> {
    let orders = |house: &House| -> Vec<DissentOrder> {
        let open = house.dissent().open().filter(|open| open.order.who == *who);
        open.map(|open| DissentOrder::clone(&open.order)).collect()
    };
    let assigned = |house: &House| -> Vec<MatterId> {
        let rows = house.docket().rows();
        let mine = rows.filter(|(_, row)| row.assignee.as_ref() == Some(who) && !row.status.is_over());
        let mine = mine.filter(|(_, row)| row.meta.is_none()).map(|(matter, _)| matter);
        mine.rev().take(ASSIGNED_MOST).collect()
    };
    let (orders, assigned) = service.engine.read(|house| (orders(house), assigned(house)));
    let needed: Vec<MatterId> =
        orders.iter().map(|order| order.matter).chain(assigned.iter().copied()).collect();
    let told = service.engine.read_with(needed, |house| {
        let orders = orders.iter().filter_map(|order| Some((order.matter, ordered(house, order)?)));
        let assigned = assigned.iter().filter_map(|matter| {
            Some((*matter, WorkshopNews::Assigned { issue: thread(house, *matter, who)? }))
        });
        let all = orders.chain(assigned);
        all.map(|(matter, news)| message(who, Some(matter), now(), news)).collect()
    });
    told.unwrap_or_default()
}

/// Whether a message is a request to the workshop.
pub(super) fn is_request(body: &MessageBody) -> bool {
    REQUESTS.contains(&body.kind())
}

/// The issue that a comment is on. Its other fields are those of the comment.
#[derive(Deserialize)]
struct CommentedIssue {
    issue: IssueRef,
}

/// What a request means, after what it needs has been brought into the house: whoever has a token belongs to it.
pub(super) async fn command(
    service: &Service,
    body: &MessageBody,
    who: &Who,
) -> Result<Command, RefusedMessage> {
    let by = Actor::Seat(who.clone());
    service.may_note(&by)?;
    let unfit = |fail: Fail| RefusedMessage::new(fail.name(), fail.message());
    let needed = service.engine.read(|house| issues::needed_to_act(service.house.dir(), house, &by));
    give_all(&service.engine, needed.map_err(unfit)?).await.map_err(unfit)?;
    if body.kind() == "ISSUE_COMMENT" {
        let CommentedIssue { issue } = body.data()?;
        let comment: CommentBody = body.data_without("issue")?;
        return service.engine.read(|house| issues::comment_on(house, issue, &comment)).map_err(unfit);
    }
    let at = now();
    let command = if body.kind() == "LEASE_TAKE" {
        let mut take: TakeBody = body.data()?;
        resolve(service, take.paths())?;
        service.engine.read(|house| take.command(house, at))
    } else {
        let mut give_back: ReturnBody = body.data()?;
        resolve(service, give_back.paths())?;
        service.engine.read(|house| give_back.command(house, at))
    };
    command.map(Command::Workshop).map_err(unfit)
}

/// Two names of one file are one lease, also where a link makes them two.
fn resolve(service: &Service, paths: &mut [String]) -> Result<(), RefusedMessage> {
    for path in paths {
        let outside = || {
            let message = format!("`{path}` cannot be leased: it leads out of the project folder");
            RefusedMessage::new("lease/bad-path", message)
        };
        *path = lease_path::sent(&service.house, path).ok_or_else(outside)?;
    }
    Ok(())
}
