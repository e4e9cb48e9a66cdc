//! `synod serve`

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use synod_core::Command;
use synod_core::house::Case;
use synod_core::kernel::{Digest, MatterId, SeatKind, Seq, text};
use synod_core::matter::{Pause, Status};
use synod_engine::{Engine, now};
use synod_journal::holder;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Context;
use super::limits::duration;
use super::sources::{Reach, ReachArgs, SourcesArg};
use crate::casting::ServiceCasting;
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::http::{
    self, Access, Bounds, Descriptors, Ending, JournalReaders, Patience, Service, ServiceLimits, TurnWaiters,
    is_outside,
};
use crate::matter_arg::number;
use crate::rejections::Rejections;
use crate::seats::{again_with, serving};
use crate::tokens::{Gate, secret};
use crate::trust::TrustArg;
use crate::witness::showing;
use crate::{bridge, client, out};

/// Serve this house over HTTP: for outside agents, web pages and other terminals.
///
/// The service writes to the house; other commands in this house go through it automatically. It runs the debates that
/// are opened over HTTP, with the API keys of its environment. Interrupted rings continue; interrupted debates continue
/// only with --resume. With --standby it waits until the current owner of the house is gone, then takes over. See
/// docs/guides/service.md.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod serve\n  synod serve --listen 0.0.0.0:7717 --tokens --host synod.example.org"
)]
pub(crate) struct ServeArgs {
    /// The address to listen on. Any address other than loopback needs --tokens, and a TLS proxy in front.
    #[arg(long, help_heading = "Access", value_name = "ADDRESS", default_value = "127.0.0.1:7717")]
    listen: SocketAddr,
    /// Confirm that an address other than loopback is meant. Every request needs a token in any case, also on loopback:
    /// your own commands in the house find theirs, everybody else gets one with `synod token create`.
    #[arg(long, help_heading = "Access")]
    tokens: bool,
    /// Also accept this host name, such as that of a proxy in front (repeatable).
    #[arg(long, help_heading = "Access", value_name = "NAME")]
    host: Vec<String>,
    /// Requests per second for each token, with bursts of twice as many; 0 for no limit.
    #[arg(long, help_heading = "Limits", value_name = "N", default_value_t = 100)]
    rate: u32,
    /// Maximum number of open feeds and waiting requests for each token.
    #[arg(long, help_heading = "Limits", value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    places: u16,
    /// Disconnect a client that reads nothing for this long. It can reconnect and continue where it was.
    #[arg(long, help_heading = "Limits", value_name = "TIME", default_value = "20s", value_parser = duration)]
    drop_after: u64,
    /// Reject a request whose body has not arrived after this long.
    #[arg(long, help_heading = "Limits", value_name = "TIME", default_value = "15s", value_parser = duration)]
    body_within: u64,
    /// Return 503 after this long; the operation may still complete.
    #[arg(long, help_heading = "Limits", value_name = "TIME", default_value = "30s", value_parser = duration)]
    answer_within: u64,
    /// Send a keep-alive after this much silence (keep it below your proxy's idle time-out).
    #[arg(long, help_heading = "Limits", value_name = "TIME", default_value = "15s", value_parser = duration)]
    heartbeat: u64,
    /// Also connect agents through this Redis, such as redis://127.0.0.1:6379. See docs/agents.md.
    #[arg(long, value_name = "URL")]
    redis: Option<String>,
    /// Show each new checkpoint to the witnesses of this policy, as `synod witness push` does. A failing witness is asked
    /// again; one that refuses stops checkpoints.
    #[arg(long, value_name = "POLICY")]
    witnesses: Option<std::path::PathBuf>,
    /// Let seats of every debate opened over HTTP, and seats invited to issues, read text files in this folder. Comments cite
    /// files below it. Callers cannot name another folder.
    #[arg(long, value_name = "DIR")]
    sources: Option<std::path::PathBuf>,
    #[command(flatten)]
    reach: ReachArgs,
    /// Resume interrupted debates with the models of their seats.
    #[arg(long)]
    resume: bool,
    /// If another process owns the house, wait and take over when it ends, instead of failing. Nothing listens at the
    /// address until then.
    #[arg(long)]
    standby: bool,
    #[command(flatten)]
    trust: TrustArg,
    /// Log each request on stderr.
    #[arg(long, short)]
    verbose: bool,
}

impl ServeArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
            Fail::new(code::IO, "runtime", format!("the async runtime cannot be started: {error}"))
        })?;
        let done = runtime.block_on(self.serve(context));
        // What is still open is dropped, and with it the engine.
        runtime.shutdown_timeout(Duration::from_secs(2));
        done
    }

    async fn serve(self, context: &Context) -> Result<ExitCode> {
        self.check()?;
        self.redis.as_deref().map(bridge::check).transpose()?;
        context.house.check()?;
        let policy = self.witnesses.as_deref().map(showing::policy).transpose()?;
        let mut wishes = ShutdownSignals::listen()?;
        let taken = match self.standby {
            true => self.stand_by(context, &mut wishes).await?,
            false => Some(self.take(context).await?),
        };
        let Some(ServedHouse { listener, url, engine, first, left, cast }) = taken else {
            out::error("ended; another process owned the house the whole time");
            return Ok(ExitCode::SUCCESS);
        };
        let credential = secret()?;
        let descriptors = Descriptors::raise();
        let (ending, hears) = Ending::new();
        let service = Arc::new(Service {
            access: Access {
                gate: Gate::new(context.house.dir(), self.trust.is_given())?,
                owner: Digest::of(credential.as_bytes()),
                names: self.host.clone(),
            },
            limits: Arc::new(ServiceLimits::new(self.rate, usize::from(self.places), descriptors.staying)),
            patience: Patience {
                body: Duration::from_millis(self.body_within),
                answer: Duration::from_millis(self.answer_within),
                silence: Duration::from_millis(self.heartbeat),
            },
            waiting: TurnWaiters::default(),
            hub: Arc::default(),
            catching_up: JournalReaders::new(&context.house),
            rejections: Rejections::default(),
            ending: hears,
            regulated: Default::default(),
            cast,
            records: Mutex::new(context.house.reader()?),
            verbose: self.verbose,
            house: context.house.clone(),
            engine,
        });
        client::leave(context.house.dir(), &url, &credential)?;
        let from = service.engine.read(|house| house.seq()).next();
        service.hub.begin(from);
        resume(&service.engine, &left).await?;
        let bridged = self.redis.clone().map(|url| tokio::spawn(bridge::run(service.clone(), url)));
        let shown = policy.map(|policy| tokio::spawn(showing::show(context.house.clone(), policy)));
        let telling = tokio::spawn(http::run_feeds(service.clone()));
        let keeping = service.clone();
        let keeping = tokio::spawn(async move { keeping.rejections.keep(&keeping.engine).await });
        self.tell(context, &url, &service)?;
        let bounds = Bounds {
            connections: descriptors.connections,
            places: usize::from(self.places),
            body_within: Duration::from_millis(self.body_within),
            guarded: true,
            drop_after: Duration::from_millis(self.drop_after),
        };
        let ended = until_ended(&service, first, listener, bounds, &ending, &mut wishes).await;
        // If this fails, the next engine finds the note of a service in the lock, or the rings run on: nothing is lost.
        if let (Ok(()), Err(fault)) = (&ended, service.engine.interrupt_rings().await) {
            out::error(&out::clean(&format!("rings could not be interrupted: {fault}")));
        }

        for task in bridged.into_iter().chain(shown).chain([keeping, telling]) {
            task.abort();
            let _ = task.await; // it holds the house until it is gone
        }
        client::take_away(context.house.dir(), &credential);
        service.rejections.report(&service.engine).await;
        let turned = service.rejections.summary();
        drop(service);
        ended?;
        out::error(&format!("ended; {turned}"));
        Ok(ExitCode::SUCCESS)
    }

    /// Refuses to stand open to a network.
    fn check(&self) -> Result<()> {
        if self.listen.ip().is_loopback() || self.tokens {
            return Ok(());
        }
        let message = format!(
            "{} can be reached from other machines, and only tokens protect the house there: add --tokens if you mean it, and create tokens with `synod token create`",
            self.listen
        );
        Err(Fail::new(code::USAGE, "service/open", message))
    }

    /// Listens and opens the house. Listened to before the house is held, so that the lock can say where; answered
    /// once all is ready.
    async fn take(&self, context: &Context) -> Result<ServedHouse> {
        let cannot = |error: std::io::Error| {
            let message =
                format!("cannot listen on {}: {error}; choose another address with --listen", self.listen);
            Fail::new(code::UNAVAILABLE, NO_ADDRESS, message)
        };
        let listener = http::bind(self.listen).map_err(cannot)?;
        let url = format!("http://{}", listener.local_addr().map_err(cannot)?);
        let cast = ServiceCasting::new(context.house.dir(), self.trust);
        let (engine, first, left) = self.open(context, &url, &cast).await?;
        Ok(ServedHouse { listener, url, engine, first, left, cast })
    }

    /// The same as soon as nobody else holds the house. None if somebody wanted an end before.
    ///
    /// Nothing listens until then. A proxy in front sees a refused connection, which every proxy takes for "not this
    /// one" at once and can send elsewhere without harm; a port that is open and silent would pass its checks and
    /// swallow requests. And the standby may be given the very address of the one it waits for.
    async fn stand_by(&self, context: &Context, wishes: &mut ShutdownSignals) -> Result<Option<ServedHouse>> {
        let dir = context.house.dir();
        let mut told = None;
        let mut free = Instant::now();
        loop {
            let held = holder(dir);
            match &held {
                None => match self.take(context).await {
                    Ok(taken) => {
                        if told.is_some() {
                            let term = holder(dir).and_then(|by| by.term).unwrap_or_default();
                            out::error(&format!("the house is free: took over in term {term}"));
                        }
                        return Ok(Some(taken));
                    }
                    // Another one that stood by was faster.
                    Err(fail) if fail.name() == "house/held" => (),
                    // A process that dies may let go of its lock a moment before its address.
                    Err(fail) if fail.name() == NO_ADDRESS && free.elapsed() < ADDRESS_WAIT => (),
                    Err(fail) => return Err(fail),
                },
                Some(by) => {
                    free = Instant::now();
                    // The term is noted a moment later, and the note goes a moment before the lock: the same holder.
                    let news = told.is_none() || (by.pid != 0 && told != Some((by.pid, by.since)));
                    if news {
                        told = Some((by.pid, by.since));
                        let dir = dir.display();
                        out::error(&out::clean(&format!("standing by: {dir} is owned by {by}")));
                    }
                }
            }
            tokio::select! {
                () = wishes.end() => return Ok(None),
                () = tokio::time::sleep(LOOK_EVERY) => (),
            }
        }
    }

    /// Opens the house, and finds the matters that shall go on.
    async fn open(
        &self,
        context: &Context,
        url: &str,
        cast: &ServiceCasting,
    ) -> Result<(Engine, Seq, Vec<MatterId>)> {
        let mut minds = synod_engine::Minds::new();
        if self.resume && context.house.dir().join("journal.db").exists() {
            let (house, _) = context.house.read()?;
            let left = house
                .cases()
                .filter(|case| matches!(case.status(), Status::Running | Status::Paused(Pause::Interrupted)))
                .filter(|case| asks_nobody_here(case));
            let seats: Vec<_> = left.flat_map(serving).filter(|seat| !is_outside(seat)).collect();
            minds = again_with(&*cast.casting(context.house.dir())?, &seats)?;
        }
        let sources = SourcesArg { sources: self.sources.clone(), reach: self.reach.clone() };
        let reach = Reach { issues_read: true, ..sources.reach(sources.root(&context.house)?)? };
        let (engine, first) = context.house.serving("synod serve", url, minds, reach).await?;
        let left = engine.read(|house| {
            let left = house.cases().filter(|case| {
                let outside = serving(case).iter().all(is_outside);
                let resumed = outside || (self.resume && asks_nobody_here(case));
                case.status() == Status::Paused(Pause::Interrupted) && resumed
            });
            left.map(|case| case.id).collect()
        });
        Ok((engine, first, left))
    }

    fn tell(&self, context: &Context, url: &str, service: &Service) -> Result<()> {
        let dir = context.house.dir();
        out::error(&format!("house {}, every request needs a token", dir.display()));
        match service.access.gate.strange()? {
            0 => (),
            some => out::error(&format!(
                "{} in tokens.json came with the house and let nobody in: `synod trust{}` shows and accepts them",
                text::counted(some as u64, "token"),
                context.house.flag()
            )),
        }
        if !service.access.gate.has_good(now())? {
            let flag = context.house.flag();
            out::error(&format!(
                "there is none yet. Commands in this house need none; for anything else:\n  \
                 TOKEN=$(synod token create me --operator{flag})\n  \
                 curl -s {url}/v1/matters -H \"Authorization: Bearer $TOKEN\""
            ));
        }
        // What scripts wait for, on stdout: from now on requests are answered.
        let left = client::left_in(dir);
        match context.json {
            true => out::line(
                &serde_json::json!({ "url": url, "pid": std::process::id(), "credential": left }).to_string(),
            ),
            false => out::line(&format!("serving at {url}")),
        }
        Ok(())
    }
}

/// Whether no seat is a person, whom a service has no terminal to ask on.
fn asks_nobody_here(case: &Case) -> bool {
    serving(case).iter().all(|seat| seat.kind != SeatKind::Person)
}

/// A house that is ours to serve.
struct ServedHouse {
    listener: tokio::net::TcpListener,
    url: String,
    engine: Engine,
    /// The first act since it was opened. What was overdue then has ended already, and gets its receipt too.
    first: Seq,
    /// Matters that shall go on.
    left: Vec<MatterId>,
    /// What makes the minds of its debates.
    cast: ServiceCasting,
}

/// The address cannot be had.
const NO_ADDRESS: &str = "service/listen";

/// How often a standby looks whether the house is free. By the name of the lock's file each time: whoever waited on
/// one that was removed would wait for ever.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// How long a standby waits for its address once the house is free.
const ADDRESS_WAIT: Duration = Duration::from_secs(5);

/// Lets matters go on. One that cannot is told and left as it is.
async fn resume(engine: &Engine, left: &[MatterId]) -> Result<()> {
    for matter in left {
        let number = engine.read(|house| number(house, *matter));
        match give(engine, Command::Resume { matter: *matter }).await {
            Ok(_) => out::error(&format!("matter {number} resumed")),
            Err(fail) => {
                out::error(&out::clean(&format!("matter {number} stays interrupted: {}", fail.message())))
            }
        }
    }
    Ok(())
}

/// Serves until somebody wants an end or the engine has come to one.
async fn until_ended(
    service: &Arc<Service>,
    from: Seq,
    listener: tokio::net::TcpListener,
    bounds: Bounds,
    ending: &Ending,
    wishes: &mut ShutdownSignals,
) -> Result<()> {
    let hears = service.ending.clone();
    let serving = http::serve(listener, http::routes(service.clone()), bounds, hears);
    tokio::pin!(serving);
    let (over, keeping) = http::keep_receipts(service.clone());
    let failed = tokio::select! {
        () = &mut serving => None,
        () = wishes.end() => None,
        fault = http::follow(service, from, over) => Some(fault),
    };
    ending.end();
    serving.await;
    let _ = keeping.await; // it holds the house until it is gone
    failed.map_or(Ok(()), |fault| Err(fault.into()))
}

/// Ctrl-C, a service manager, or a terminal that closes: heard from the moment of listening on.
struct ShutdownSignals([Signal; 3]);

impl ShutdownSignals {
    fn listen() -> Result<Self> {
        let hear = |kind| {
            signal(kind).map_err(|error| {
                Fail::new(code::IO, "runtime", format!("signals cannot be received: {error}"))
            })
        };
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        Ok(Self([hear(interrupt)?, hear(terminate)?, hear(hangup)?]))
    }

    /// Returns when somebody wants an end.
    async fn end(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
            _ = hangup.recv() => (),
        }
    }
}
