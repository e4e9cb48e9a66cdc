//! The service: the house over HTTP, for agents, pages and other terminals.
//!
//! One file per resource. Routes read a request, give an order or look at the house, and tell what came of it;
//! no rule of deliberation lives here. `guard` decides who a request is from, `answer` how a write is told,
//! `problem` how a failure is; `openapi` documents all of it from the same code.
//!
//! To add a route: a handler with its `#[utoipa::path]` in the file of its resource, and its name in [`routes`].

mod agents;
mod answer;
mod canon;
mod charters;
mod council;
mod credits;
mod crowd;
mod descriptors;
mod evidence;
mod feed;
mod guard;
mod health;
mod house;
mod issues;
mod keys;
mod leases;
mod limit;
mod listen;
mod matters;
mod motions;
pub(crate) mod openapi;
mod outcome;
mod parts;
mod problem;
mod read;
mod receipts;
mod reply;
mod steer;
mod triggers;
mod turns;
mod work;
mod workshop;

use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use axum::{Router, middleware};
use synod_core::house::{Case, Item, Summary};
use synod_core::kernel::About;
use synod_core::kernel::{MatterId, Seat, SeatKind, Seq};
use synod_core::{Act, Event, House, matter};
use synod_engine::{Engine, Fault};
use synod_journal::{Head, JournalReader as _, SqliteReader, chain};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use answer::{SEEN, SIGN, SIGNATURE, write_seen};
pub(crate) use descriptors::Descriptors;
pub(crate) use feed::{Hub, JournalReaders, run as run_feeds};
pub(crate) use guard::{Access, Caller, FOR};
pub(crate) use limit::{Patience, ServiceLimits};
pub(crate) use listen::{Bounds, Ending, bind, serve, shutdown_requested};
pub(crate) use problem::Problem;
pub(crate) use read::{TEXT_MOST, longest};
pub(crate) use turns::TurnWaiters;

use crate::casting::ServiceCasting;
use crate::fail::Fail;
use crate::house::{HouseArg, receipt_body, write_receipt};
use crate::out;
use crate::rejections::Rejections;
use crate::triggers::Regulated;
use problem::HttpResult;

/// What every route is given.
#[derive(Debug)]
pub(crate) struct Service {
    /// To look up single acts. Before the engine, so that it is let go of first: the writer leaves last and folds
    /// its log into the one file.
    pub(crate) records: Mutex<SqliteReader>,
    /// For readers of feeds that missed something. Before the engine too.
    pub(crate) catching_up: JournalReaders,
    pub(crate) engine: Engine,
    pub(crate) house: HouseArg,
    pub(crate) access: Access,
    pub(crate) limits: Arc<ServiceLimits>,
    pub(crate) patience: Patience,
    pub(crate) waiting: TurnWaiters,
    /// Tells readers of feeds what happens.
    pub(crate) hub: Arc<Hub>,
    /// What came no further than to here.
    pub(crate) rejections: Rejections,
    pub(crate) ending: watch::Receiver<bool>,
    /// What its triggers go by.
    pub(crate) regulated: Regulated,
    /// What makes the minds of debates that it performs.
    pub(crate) cast: ServiceCasting,
    /// Whether each request is told on stderr.
    pub(crate) verbose: bool,
}

/// Every route with its document.
fn documented() -> OpenApiRouter<Arc<Service>> {
    of_matters(OpenApiRouter::with_openapi(openapi::head())).merge(of_workshop())
}

/// What every matter has, rings, triggers, the feed, and what is about the house itself.
fn of_matters(router: OpenApiRouter<Arc<Service>>) -> OpenApiRouter<Arc<Service>> {
    router
        .routes(routes!(house::show))
        .routes(routes!(keys::register))
        .routes(routes!(keys::remove))
        .routes(routes!(health::health))
        .routes(routes!(health::ready))
        .routes(routes!(matters::list, matters::open))
        .routes(routes!(matters::show))
        .routes(routes!(steer::pause))
        .routes(routes!(steer::resume))
        .routes(routes!(steer::stop))
        .routes(routes!(steer::answer))
        .routes(routes!(steer::waive))
        .routes(routes!(council::continue_matter))
        .routes(routes!(council::fork))
        .routes(routes!(council::synthesize))
        .routes(routes!(council::judge))
        .routes(routes!(motions::second))
        .routes(routes!(motions::withdraw))
        .routes(routes!(motions::table))
        .routes(routes!(outcome::learn))
        .routes(routes!(outcome::records))
        .routes(routes!(parts::start))
        .routes(routes!(parts::remove))
        .routes(routes!(parts::join))
        .routes(routes!(parts::leave))
        .routes(routes!(parts::say))
        .routes(routes!(parts::propose))
        .routes(routes!(parts::amend))
        .routes(routes!(parts::rule))
        .routes(routes!(parts::react))
        .routes(routes!(parts::release))
        .routes(routes!(parts::skip))
        .routes(routes!(parts::vote))
        .routes(routes!(parts::acknowledge))
        .routes(routes!(triggers::observe))
        .routes(routes!(triggers::list, triggers::call))
        .routes(routes!(charters::list))
        .routes(routes!(charters::show))
        .routes(routes!(receipts::show))
        .routes(routes!(turns::list))
        .routes(routes!(feed::follow))
}

/// Issues, canon, leases, credits and oversight.
fn of_workshop() -> OpenApiRouter<Arc<Service>> {
    OpenApiRouter::new()
        .routes(routes!(issues::list, issues::open))
        .routes(routes!(issues::show))
        .routes(routes!(issues::comment))
        .routes(routes!(issues::close))
        .routes(routes!(issues::reopen))
        .routes(routes!(issues::change))
        .routes(routes!(issues::unfreeze))
        .routes(routes!(issues::force))
        .routes(routes!(issues::escalate))
        .routes(routes!(issues::challenge))
        .routes(routes!(issues::mark))
        .routes(routes!(issues::tell_outcome))
        .routes(routes!(issues::consolidate))
        .routes(routes!(issues::configure))
        .routes(routes!(issues::open_period))
        .routes(routes!(issues::close_period))
        .routes(routes!(issues::freeze_tag))
        .routes(routes!(issues::thaw_tag))
        .routes(routes!(issues::set_freedom))
        .routes(routes!(issues::appoint))
        .routes(routes!(issues::notices))
        .routes(routes!(canon::list, canon::promote))
        .routes(routes!(canon::check))
        .routes(routes!(canon::listed_conflicts, canon::decide))
        .routes(routes!(canon::end))
        .routes(routes!(canon::status))
        .routes(routes!(canon::support))
        .routes(routes!(canon::propose_claims))
        .routes(routes!(canon::decide_claims))
        .routes(routes!(canon::show))
        .routes(routes!(canon::proposed))
        .routes(routes!(leases::list, leases::take))
        .routes(routes!(leases::renew))
        .routes(routes!(leases::release))
        .routes(routes!(leases::ask))
        .routes(routes!(agents::list))
        .routes(routes!(agents::change_model))
        .routes(routes!(credits::show))
        .routes(routes!(credits::attempts))
        .routes(routes!(credits::leaderboard))
        .routes(routes!(credits::by_model))
        .routes(routes!(credits::award))
        .routes(routes!(credits::rate))
        .routes(routes!(credits::goals, credits::set_goal))
        .routes(routes!(credits::drop_goal))
        .routes(routes!(workshop::periods))
        .routes(routes!(workshop::health))
        .routes(routes!(workshop::report))
        .routes(routes!(workshop::invite))
        .routes(routes!(evidence::check))
}

/// The routes, guarded.
pub(crate) fn routes(service: Arc<Service>) -> Router {
    let (router, api) = documented().split_for_parts();
    let document: Arc<str> = openapi::text(api).into();
    let served = move || {
        let document = document.clone();
        async move { ([("content-type", "application/json")], document.to_string()) }
    };
    router
        .route("/openapi.json", axum::routing::get(served))
        .fallback(async || {
            Problem::missing("request/unknown-route", "there is no such route; see /openapi.json")
        })
        .method_not_allowed_fallback(async || {
            let message = "this route does not support this method; see /openapi.json";
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "request/method", message)
        })
        .layer(middleware::from_fn_with_state(service.clone(), guard::guard))
        .with_state(service)
}

impl Service {
    /// The matter of that id, if the caller may see it. To others it is as if there were none.
    pub(crate) fn look<T>(
        &self,
        caller: &Caller,
        matter: MatterId,
        look: impl FnOnce(&House, &Case) -> HttpResult<T>,
    ) -> HttpResult<T> {
        self.engine.read_with([matter], |house| {
            match house.case(matter).filter(|case| sees(caller, case)) {
                Some(case) => look(house, case),
                None => Err(unknown(matter)),
            }
        })?
    }

    /// The act of that number, from the record.
    pub(crate) fn act(&self, seq: Seq) -> Option<Act> {
        let records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match seq.0 {
            0 => return None,
            1 => Head::default(),
            _ => records.read(Seq(seq.0 - 1), 1).ok()?.first()?.head(),
        };
        chain::open(before, records.read(seq, 1).ok()?.first()?).ok()
    }
}

/// Whether a matter is the caller's to see: participants see what they are invited to.
pub(crate) fn sees(caller: &Caller, case: &Case) -> bool {
    case.may_see(caller.reader(), Item::Matter)
}

/// The same of a matter that may be away.
pub(crate) fn sees_listed(caller: &Caller, matter: &Summary) -> bool {
    matter.may_be_seen_by(caller.reader())
}

/// Whether nobody but the participant themself speaks for a seat.
pub(crate) fn is_outside(seat: &Seat) -> bool {
    seat.kind == SeatKind::Outside
}

pub(crate) fn unknown(matter: MatterId) -> Problem {
    Problem::missing("matter/unknown", format!("there is no matter {matter} that you may see"))
}

/// Follows the house from an act on: wakes those who wait for a turn, names the matters that end to who keeps their
/// receipts. Returns when the engine has ended, with what it says.
pub(crate) async fn follow(service: &Service, from: Seq, over: UnboundedSender<MatterId>) -> Fault {
    let mut feed = match service.engine.feed(from).await {
        Ok(feed) => feed,
        Err(fault) => return fault,
    };
    loop {
        match feed.next().await {
            Ok(Some(act)) => {
                let matters = about(service, &act);
                service.engine.read(|house| service.waiting.wake(house, &matters));
                for matter in ended(&act) {
                    let _ = over.send(matter); // a receipt can be made again at any time
                }
            }
            Ok(None) => return service.engine.trouble(),
            Err(fault) => return fault,
        }
    }
}

/// The matters in which an act may have opened an ask.
fn about(service: &Service, act: &Act) -> Vec<MatterId> {
    let mut matters: Vec<MatterId> = service.engine.read(|house| {
        let of = |event: &Event| match event.about() {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(ask) => house.ask(ask).map(|ask| ask.matter),
        };
        act.events().iter().filter_map(of).collect()
    });
    matters.dedup();
    matters
}

fn ended(act: &Act) -> impl Iterator<Item = MatterId> {
    act.events().iter().filter_map(|event| {
        let Event::Matter(matter::Event::Settled { matter, .. }) = event else { return None };
        Some(*matter)
    })
}

/// Keeps the receipts of matters that end, on a thread of its own: signing and the disk take time that nobody who waits
/// for a turn should wait for. Ends with what it was told of when nobody tells it more.
pub(crate) fn keep_receipts(service: Arc<Service>) -> (UnboundedSender<MatterId>, JoinHandle<()>) {
    let (over, mut told) = unbounded_channel();
    let keeping = tokio::task::spawn_blocking(move || {
        while let Some(matter) = told.blocking_recv() {
            keep(&service, matter);
        }
    });
    (over, keeping)
}

/// Signs and keeps the receipt of a matter that is over. It can be made again at any time, so a full disk is told
/// and no more.
fn keep(service: &Service, matter: MatterId) {
    let records = service.records.lock().unwrap_or_else(PoisonError::into_inner);
    let body = service.engine.read_with([matter], |house| receipt_body(house, &*records, matter));
    let body = body.map_err(Fail::from).flatten();
    drop(records);
    // Nobody waits for the disk with us: the house and the records are let go before.
    match body.and_then(|body| write_receipt(service.house.dir(), matter, &body)) {
        Ok((path, _)) => out::error(&format!("matter {matter} is over; receipt {}", path.display())),
        Err(fail) => out::error(&out::clean(fail.message())),
    }
}
