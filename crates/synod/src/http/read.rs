//! Reading requests: bodies, queries and ids of paths, with one shape of complaint.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _, to_bytes};
use axum::extract::{self, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use synod_core::kernel::text;

use super::Service;
use super::problem::{HttpResult, Problem};

/// The largest body that is read.
const BODY_MOST: usize = 1 << 20;
/// The largest body that is read of a participant: what is refused stands in the record, whole and for ever.
const SMALL_MOST: usize = 64 << 10;
/// The longest text in such a body, in characters. What charters allow is less.
pub(crate) const TEXT_MOST: usize = 16_000;

/// The body of a write, as JSON.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Service>> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Arc<Service>) -> HttpResult<Self> {
        read(&body(service, request, BODY_MOST).await?).map(Self)
    }
}

/// The body of a write that participants send, as JSON: smaller, and with no text that no charter would take.
#[derive(Debug)]
pub(crate) struct SmallJson<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<Service>> for SmallJson<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, service: &Arc<Service>) -> HttpResult<Self> {
        let body = body(service, request, SMALL_MOST).await?;
        let given = read(&body)?;
        match longest(&read::<Value>(&body)?) {
            long if long > TEXT_MOST => {
                let message = format!("a text in the body has {long} characters; the limit is {TEXT_MOST}");
                Err(Problem::unfit(message))
            }
            _ => Ok(Self(given)),
        }
    }
}

/// The characters of the longest text in a value.
pub(crate) fn longest(value: &Value) -> usize {
    match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.iter().map(longest).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(longest).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// The bytes of a body that is sent as JSON.
async fn body(service: &Service, request: Request, most: usize) -> HttpResult<Bytes> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
    // A page of another site can send forms without asking; it cannot send this.
    if !essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        let message = "send the body as JSON, with the header `content-type: application/json`";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "request/not-json", message));
    }
    whole(request.into_body(), most, service.patience.body).await
}

fn read<T: DeserializeOwned>(body: &[u8]) -> HttpResult<T> {
    // A list would be taken for the fields in their order, which nobody means.
    if body.trim_ascii_start().starts_with(b"[")
        && serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok()
    {
        return Err(Problem::unfit("the body must be a JSON object with named fields"));
    }
    serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            Problem::unfit(format!("the body does not have the expected form: {error}"))
        }
        serde_json::error::Category::Syntax
        | serde_json::error::Category::Eof
        | serde_json::error::Category::Io => {
            Problem::malformed("request/malformed-json", format!("the body is not valid JSON: {error}"))
        }
    })
}

/// Reads the body of a request before anything is decided, if it is small. Whoever is turned away leaves nothing behind
/// then: the answer arrives and the connection stays. Says whether all is read.
pub(crate) async fn ahead(service: &Service, request: Request) -> HttpResult<(Request, bool)> {
    match request.body().size_hint().exact() {
        Some(0) => Ok((request, true)),
        Some(size) if size <= SMALL_MOST as u64 => {
            let (parts, body) = request.into_parts();
            let bytes = whole(body, SMALL_MOST, service.patience.body).await?;
            Ok((Request::from_parts(parts, Body::from(bytes)), true))
        }
        Some(_) | None => Ok((request, false)),
    }
}

async fn whole(body: Body, most: usize, patience: Duration) -> HttpResult<Bytes> {
    let reading = to_bytes(body, most);
    match tokio::time::timeout(patience, reading).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error))
            if std::error::Error::source(&error).is_some_and(|inner| inner.to_string().contains("limit")) =>
        {
            let message = format!("the body is larger than {most} bytes");
            Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "request/too-large", message))
        }
        Ok(Err(error)) => {
            Err(Problem::malformed("request/cut-short", format!("the body was cut short: {error}")))
        }
        Err(_) => {
            let message =
                format!("the body did not arrive within {}", text::counted(patience.as_secs(), "second"));
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "request/slow", message))
        }
    }
}

/// The query of a request.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> HttpResult<Self> {
        let wrong = |error: String| Problem::malformed("request/query", format!("the query: {error}"));
        match extract::Query::try_from_uri(&parts.uri) {
            Ok(extract::Query(query)) => Ok(Self(query)),
            Err(rejection) => Err(wrong(rejection.body_text())),
        }
    }
}

/// One part of the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> HttpResult<Self> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(named)) => Ok(Self(named)),
            Err(rejection) => Err(Problem::malformed("request/path", rejection.body_text())),
        }
    }
}
