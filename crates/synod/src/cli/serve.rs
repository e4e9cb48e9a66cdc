//! `synod serve`

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use synod_core::Command;
use synod_core::kernel::{Digest, MatterId, Seq};
use synod_core::matter::{Pause, Status};
use synod_engine::Engine;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::Context;
use super::limits::span;
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::http::{self, Access, Ending, Hall, Limits, Turned, Waiting, is_outside};
use crate::seats::{CassetteArgs, again, serving};
use crate::tokens::{Gate, secret};
use crate::{bridge, client, out};

/// Serve this house over HTTP: for agents that take part from outside, for pages, for other terminals.
///
/// Holds the house for writing. Other commands in it go through the service by themselves. Rings that were
/// interrupted go on; debates performed by minds stay interrupted unless --resume is given. See
/// docs/guides/service.md.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen. Any address but loopback needs --tokens.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7717")]
    listen: SocketAddr,
    /// Ask for a token with every request, also while the house has none. Without this a house that never made a
    /// token lets everybody on this machine act as its operator.
    #[arg(long)]
    tokens: bool,
    /// Answer to this host name too, such as that of a proxy in front. May be given several times.
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Requests a second for each token, with a burst of twice as many; 0 for no limit.
    #[arg(long, value_name = "N", default_value_t = 100)]
    rate: u32,
    /// Feeds and waiting requests each token may have open.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
    places: u16,
    /// Drop a reader that takes nothing for so long, such as 20s. It can go on where it was.
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = span)]
    drop_after: u64,
    /// Also talk to agents on the channels of this Redis, such as redis://127.0.0.1:6379. See docs/agents.md.
    #[arg(long, value_name = "URL")]
    redis: Option<String>,
    /// Let debates go on that were interrupted, with the minds of their seats.
    #[arg(long)]
    resume: bool,
    /// Tell each request on stderr.
    #[arg(long, short)]
    verbose: bool,
}

impl Serve {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(|error| {
            Fail::new(code::IO, "runtime", format!("no runtime could be started: {error}"))
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
        let cannot = |error: std::io::Error| {
            let message =
                format!("{} cannot be listened on: {error}; name another with --listen", self.listen);
            Fail::new(code::UNAVAILABLE, "service/listen", message)
        };
        // Listened to before the house is held, so that the lock can say where; answered once all is ready.
        let wishes = Wishes::listen()?;
        let listener = http::bind(self.listen).map_err(cannot)?;
        let url = format!("http://{}", listener.local_addr().map_err(cannot)?);
        let (engine, left) = self.open(context, &url).await?;
        let credential = secret()?;
        let (ending, hears) = Ending::new();
        let hall = Arc::new(Hall {
            access: Access {
                gate: Gate::new(context.house.dir())?,
                always: self.tokens,
                owner: Digest::of(credential.as_bytes()),
                names: self.host.clone(),
            },
            limits: Arc::new(Limits::new(self.rate, usize::from(self.places))),
            waiting: Waiting::default(),
            turned: Turned::default(),
            ending: hears,
            regulated: Default::default(),
            records: Mutex::new(context.house.reader()?),
            verbose: self.verbose,
            house: context.house.clone(),
            engine,
        });
        client::leave(context.house.dir(), &url, &credential)?;
        let from = hall.engine.read(|house| house.seq()).next();
        resume(&hall.engine, &left).await?;
        let bridged = self.redis.clone().map(|url| tokio::spawn(bridge::run(hall.clone(), url)));
        self.tell(context, &url, &hall)?;
        let ended =
            until_ended(&hall, from, listener, Duration::from_millis(self.drop_after), &ending, wishes).await;
        if let Some(bridged) = bridged {
            bridged.abort();
            let _ = bridged.await; // it holds the house until it is gone
        }
        client::take_away(context.house.dir());
        let turned = hall.turned.told();
        drop(hall);
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
            "{} can be reached by other machines, so every request must present a token: add --tokens, and make tokens with `synod token create`",
            self.listen
        );
        Err(Fail::new(code::USAGE, "service/open", message))
    }

    /// Opens the house, and finds the matters that shall go on.
    async fn open(&self, context: &Context, url: &str) -> Result<(Engine, Vec<MatterId>)> {
        let mut minds = synod_engine::Minds::new();
        if self.resume && context.house.dir().join("journal.db").exists() {
            let (house, _) = context.house.read()?;
            let left = house
                .cases()
                .filter(|case| matches!(case.status(), Status::Running | Status::Paused(Pause::Interrupted)));
            let seats: Vec<_> = left.flat_map(serving).filter(|seat| !is_outside(seat)).collect();
            minds = again(context.house.dir(), &seats, &CassetteArgs::default())?;
        }
        let engine = context.house.serving("synod serve", url, minds).await?;
        let left = engine.read(|house| {
            let left = house.cases().filter(|case| {
                let outside = serving(case).iter().all(is_outside);
                case.status() == Status::Paused(Pause::Interrupted) && (outside || self.resume)
            });
            left.map(|case| case.id).collect()
        });
        Ok((engine, left))
    }

    fn tell(&self, context: &Context, url: &str, hall: &Hall) -> Result<()> {
        let tokens = match self.tokens || hall.access.gate.has_any()? {
            true => "every request needs a token",
            false => "no tokens yet: everybody on this machine acts as the operator",
        };
        out::error(&format!("house {}, {tokens}", context.house.dir().display()));
        // What scripts wait for, on stdout: from now on requests are answered.
        match context.json {
            true => out::line(&serde_json::json!({ "url": url, "pid": std::process::id() }).to_string()),
            false => out::line(&format!("serving at {url}")),
        }
        Ok(())
    }
}

/// Lets matters go on. One that cannot is told and left as it is.
async fn resume(engine: &Engine, left: &[MatterId]) -> Result<()> {
    for matter in left {
        match give(engine, Command::Resume { matter: *matter }).await {
            Ok(_) => out::error(&format!("matter {matter} goes on")),
            Err(fail) => {
                out::error(&out::clean(&format!("matter {matter} stays interrupted: {}", fail.message())))
            }
        }
    }
    Ok(())
}

/// Serves until somebody wants an end or the engine has come to one.
async fn until_ended(
    hall: &Arc<Hall>,
    from: Seq,
    listener: tokio::net::TcpListener,
    patience: Duration,
    ending: &Ending,
    wishes: Wishes,
) -> Result<()> {
    let hears = hall.ending.clone();
    let serving = http::serve(listener, http::routes(hall.clone()), patience, hears);
    tokio::pin!(serving);
    let (over, keeping) = http::keep_receipts(hall.clone());
    let failed = tokio::select! {
        () = &mut serving => None,
        () = wishes.end() => None,
        fault = http::follow(hall, from, over) => Some(fault),
    };
    ending.end();
    serving.await;
    let _ = keeping.await; // it holds the house until it is gone
    failed.map_or(Ok(()), |fault| Err(fault.into()))
}

/// Ctrl-C, a service manager, or a terminal that closes: heard from the moment of listening on.
struct Wishes([Signal; 3]);

impl Wishes {
    fn listen() -> Result<Self> {
        let hear = |kind| {
            signal(kind)
                .map_err(|error| Fail::new(code::IO, "runtime", format!("no signal can be heard: {error}")))
        };
        let [interrupt, terminate, hangup] =
            [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        Ok(Self([hear(interrupt)?, hear(terminate)?, hear(hangup)?]))
    }

    /// Returns when somebody wants an end.
    async fn end(mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
            _ = hangup.recv() => (),
        }
    }
}
