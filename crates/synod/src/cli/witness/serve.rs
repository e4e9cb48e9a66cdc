//! `synod witness serve`: the tlog-witness protocol over HTTP.

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use clap::Args;
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::{BookArgs, Context};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::witness::book::WitnessBook;
use crate::{http, out};

/// The longest request that is read.
const REQUEST_MOST: usize = 1 << 16;
/// Nobody has a token here, so everybody is a stranger: a quarter of these connections, a sixteenth for one address, and each is
/// dropped after 20 seconds.
const BOUNDS: http::Bounds = http::Bounds {
    connections: 1024,
    places: 1,
    body_within: Duration::from_secs(10),
    guarded: true,
    drop_after: Duration::from_secs(10),
};

/// Sign checkpoints over HTTP (tlog-witness).
///
/// Whoever reaches it can ask, and gets a signature only for a house whose key was added, and only while its record grows. Put a proxy with
/// TLS in front of it to serve others.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod witness serve --listen 127.0.0.1:7730")]
pub(super) struct WitnessServeArgs {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7730")]
    listen: SocketAddr,
    #[command(flatten)]
    book: BookArgs,
}

impl WitnessServeArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let book = Arc::new(self.book.open()?);
        let key = book.verifier()?;
        on_runtime(async {
            let cannot = |error: std::io::Error| {
                Fail::new(
                    code::IO,
                    "witness/listen",
                    format!("{} cannot be listened on: {error}", self.listen),
                )
            };
            let listener = http::bind(self.listen).map_err(cannot)?;
            let address = listener.local_addr().map_err(cannot)?;
            match context.json {
                true => out::json(&json!({ "url": format!("http://{address}"), "key": key.to_string() })),
                false => out::line(&format!("witness {key} on http://{address}")),
            }
            let routes = Router::new()
                .route("/add-checkpoint", post(add_checkpoint))
                .layer(DefaultBodyLimit::max(REQUEST_MOST))
                .with_state(book);
            let (end, ending) = watch::channel(false);
            let mut terminated = signal(SignalKind::terminate()).map_err(cannot)?;
            let ended = async {
                tokio::select! {
                    _ = tokio::signal::ctrl_c() => (), // one that cannot be waited for ends it at once
                    _ = terminated.recv() => (),
                }
                let _ = end.send(true); // nobody listens any more if serving has ended
            };
            tokio::join!(http::serve(listener, routes, BOUNDS, ending), ended);
            Ok(ExitCode::SUCCESS)
        })
    }
}

/// Long for a file of a few kilobytes.
const PATIENCE: Duration = Duration::from_secs(10);

async fn add_checkpoint(State(book): State<Arc<WitnessBook>>, body: String) -> Response {
    // It syncs a file: other requests need not wait for that.
    let judged = tokio::task::spawn_blocking(move || book.cosign(&body));
    match tokio::time::timeout(PATIENCE, judged).await {
        Ok(Ok(Ok(Ok(line)))) => format!("{line}\n").into_response(),
        Ok(Ok(Ok(Err(refusal)))) => {
            let status = StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::BAD_REQUEST);
            match refusal.size() {
                Some(size) => (status, [(header::CONTENT_TYPE, "text/x.tlog.size")], format!("{size}\n"))
                    .into_response(),
                None => (status, format!("{refusal}\n")).into_response(),
            }
        }
        Ok(Ok(Err(fail))) => {
            (StatusCode::INTERNAL_SERVER_ERROR, format!("{}\n", fail.message())).into_response()
        }
        Ok(Err(_)) | Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "try again\n").into_response(),
    }
}
