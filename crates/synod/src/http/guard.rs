//! What every request passes before a route sees it: is it meant for us, whose is it, do they ask too much.
//!
//! A page in the operator's browser can send requests to loopback, also under a name of its own that it lets
//! point there. So the one `Host` must be an address or a name we answer to, and an `Origin` must be our own.
//! How many connections strangers may have is decided before a request is read (`crowd`).

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq as _;
use synod_core::House;
use synod_core::house::{HouseItem, Reader};
use synod_core::kernel::{Actor, At, Digest, MatterId, Who, text};
use synod_core::rejections::Way;
use synod_engine::now;

use super::Service;
use super::crowd::CrowdConnection;
use super::limit::{CallerName, ConnectionSlot, NoPlace};
use super::problem::{HttpResult, Problem, Unrecorded};
use super::read::ahead;
use crate::out;
use crate::percent;
use crate::rejections::RejectedRequest;
use crate::tokens::{Gate, Holds};
use crate::vouching::Voucher;

/// Who may come in.
#[derive(Debug)]
pub(crate) struct Access {
    /// The tokens of the house.
    pub(crate) gate: Gate,
    /// The hash of what the owner's own commands present: it is made anew with every start and kept in `service.json`.
    pub(crate) owner: Digest,
    /// Names we answer to besides addresses and `localhost`.
    pub(crate) names: Vec<String>,
}

/// Whose request it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Who holds the house itself: whoever can read its files.
    Owner,
    /// Who has a token of the operator.
    Operator,
    /// Who has the token of a participant, or is the owner and speaks for one.
    Participant(Who),
}

impl Caller {
    /// As the record knows them.
    pub(crate) fn actor(&self) -> Actor {
        match self {
            Self::Owner | Self::Operator => Actor::Operator,
            Self::Participant(who) => Actor::Seat(who.clone()),
        }
    }

    /// As the lens knows them.
    pub(crate) fn reader(&self) -> Reader<'_> {
        match self {
            Self::Owner | Self::Operator => Reader::Operator,
            Self::Participant(who) => Reader::Participant(who),
        }
    }

    /// Refuses all but the operator.
    pub(crate) fn operates(&self) -> HttpResult<()> {
        match self {
            Self::Owner | Self::Operator => Ok(()),
            Self::Participant(_) => Err(not_operator()),
        }
    }

    /// Refuses those who may not see something of the house.
    pub(crate) fn may_see(&self, house: &House, item: HouseItem) -> HttpResult<()> {
        if house.may_see(self.reader(), item) { Ok(()) } else { Err(not_operator()) }
    }

    /// The participant who calls.
    pub(crate) fn participant(&self) -> HttpResult<&Who> {
        match self {
            Self::Participant(who) => Ok(who),
            Self::Owner | Self::Operator => Err(Problem::forbidden(
                "token/not-participant",
                "only a participant may do this: use a participant's token (`synod token create NAME`)",
            )),
        }
    }
}

fn not_operator() -> Problem {
    let message = "only an operator may do this; this token belongs to a participant";
    Problem::forbidden("token/not-operator", message)
}

/// The caller that the guard identified.
#[derive(Debug, Clone)]
pub(crate) struct KnownCaller {
    pub(crate) caller: Caller,
    pub(crate) name: CallerName,
    /// The hash of what they presented.
    presented: Digest,
    /// When that expires.
    expires: Option<At>,
    /// Who vouches for what they give; nobody for the owner, who speaks for themself.
    pub(crate) voucher: Option<Voucher>,
}

impl KnownCaller {
    /// Whether what they presented has expired: for those who know that tokens have not changed.
    pub(crate) fn has_expired(&self, now: At) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Whether they would still be let in: for those who stay long. A token may have been revoked meanwhile.
    pub(crate) fn still(&self, access: &Access) -> HttpResult<()> {
        by_hash(access, &self.presented)?.map(drop).ok_or_else(worthless)
    }
}

impl Service {
    /// A place for a request that stays.
    pub(crate) fn place(&self, known: &KnownCaller) -> HttpResult<ConnectionSlot> {
        self.limits.place(&known.name).map_err(|none| match none {
            NoPlace::OfCaller => {
                let message = "you have too many feeds and waiting requests open; close some";
                Problem::too_many("service/places", message, 5)
            }
            NoPlace::OfService => {
                let message =
                    "this service has no room for another feed or waiting request; try again in 5 seconds";
                Problem::full(message, 5)
            }
        })
    }
}

impl<S: Sync> FromRequestParts<S> for KnownCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> HttpResult<Self> {
        let known = parts.extensions.get::<Self>().cloned();
        known.ok_or_else(|| {
            Problem::new(StatusCode::UNAUTHORIZED, "token/missing", "this route needs a token")
        })
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> HttpResult<Self> {
        KnownCaller::from_request_parts(parts, state).await.map(|known| known.caller)
    }
}

/// The header by which the owner speaks for a participant.
pub(crate) const FOR: &str = "synod-for";
/// What may be read without a token: it says nothing of the house.
const PUBLIC: [&str; 3] = ["/openapi.json", "/healthz", "/readyz"];
/// The longest head of a request, in bytes of its names and values.
const HEAD_MOST: usize = 16 << 10;
/// What waits on purpose.
const WAITING: [&str; 2] = ["/v1/feed", "/v1/turns"];

/// See the module.
pub(crate) async fn guard(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let line = service.verbose.then(|| format!("{} {}", request.method(), request.uri().path()));
    let attempt = RequestIntent::of(&request);
    let guest = request.extensions().get::<Arc<CrowdConnection>>().cloned();
    let mut came: Option<KnownCaller> = None;
    let presented = request.headers().get(header::AUTHORIZATION).cloned();
    let mut response = match ahead(&service, request).await {
        Ok((request, whole)) => {
            let mut response = decide(&service, request, next, guest.as_deref(), &mut came).await;
            if !whole && !response.status().is_success() {
                last(&mut response);
            }
            response
        }
        Err(problem) => {
            came = whose(&service.access, presented.as_ref()).ok();
            let mut response = problem.into_response();
            last(&mut response);
            response
        }
    };
    // Nothing here is a page, and nothing here is to be kept by anybody on the way.
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(rejection) = attempt.rejection(&service, came.as_ref(), &response) {
        service.rejections.count(rejection);
    }
    if let Some(line) = line {
        let (status, took) = (response.status().as_u16(), begun.elapsed().as_millis());
        let name = came.as_ref().map_or("nobody", |known| &known.name);
        out::error(&out::clean(&format!("{line} {status} {took} ms, {name}")));
    }
    response
}

/// The intent of a request, as far as its first line says.
struct RequestIntent {
    /// Whether it would change something.
    writes: bool,
    matter: Option<MatterId>,
}

impl RequestIntent {
    fn of(request: &Request) -> Self {
        let (method, path) = (request.method(), request.uri().path());
        let matter = path.strip_prefix("/v1/matters/").and_then(|rest| rest.split('/').next());
        Self {
            writes: *method != Method::GET && *method != Method::HEAD,
            matter: matter.and_then(percent::decode).and_then(|id| id.parse().ok()),
        }
    }

    /// What was rejected before the house could judge it; its own refusals are in the record already. Reads of what is
    /// not there, and malformed reads, are answered and not counted.
    fn rejection(
        &self,
        service: &Service,
        came: Option<&KnownCaller>,
        response: &Response,
    ) -> Option<RejectedRequest> {
        let Unrecorded(code) = response.extensions().get()?;
        let counts = match response.status() {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => true,
            status => self.writes && status.is_client_error(),
        };
        // The matter of unknown callers is left out: they could use up the sums of known ones.
        let matter = self.matter.filter(|_| came.is_some());
        counts.then(|| RejectedRequest {
            by: came.map(|known| known.caller.actor()),
            code: code.clone(),
            matter: matter.filter(|matter| service.engine.read(|house| house.knows(*matter))),
            way: Way::Http,
        })
    }
}

/// Says that nothing more is answered on this connection: a part of the request may lie unread in it.
fn last(response: &mut Response) {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// Answers a request, and notes who it came from as soon as that is known.
async fn decide(
    service: &Service,
    mut request: Request,
    next: Next,
    guest: Option<&CrowdConnection>,
    came: &mut Option<KnownCaller>,
) -> Response {
    match admit(service, &request, guest, came) {
        Ok(()) => {
            if let Some(known) = came {
                request.extensions_mut().insert(known.clone());
            }
            answer(service.patience.answer, request, next).await
        }
        Err(problem) => problem.into_response(),
    }
}

async fn answer(patience: Duration, request: Request, next: Next) -> Response {
    if WAITING.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    match tokio::time::timeout(patience, next.run(request)).await {
        Ok(response) => response,
        Err(_) => {
            let message = format!(
                "this took longer than {} and may still complete; send it again with the same Idempotency-Key",
                text::counted(patience.as_secs(), "second")
            );
            Problem::busy("service/slow", message).into_response()
        }
    }
}

fn admit(
    service: &Service,
    request: &Request,
    guest: Option<&CrowdConnection>,
    came: &mut Option<KnownCaller>,
) -> HttpResult<()> {
    is_short(request.headers())?;
    is_ours(request.uri(), request.headers(), &service.access.names)?;
    let known = match PUBLIC.contains(&request.uri().path()) {
        true => None,
        false => Some(whose(&service.access, request.headers().get(header::AUTHORIZATION))),
    };
    // Who presents nothing good is counted by where they come from: strangers of one address take nothing from others,
    // and nothing from whoever has a token and comes from the same address.
    let counted = match &known {
        Some(Ok(known)) => known.name.clone(),
        Some(Err(_)) | None => guest.map_or("nobody".into(), |guest| guest.address.to_string().into()),
    };
    if let (Some(Ok(known)), Some(guest)) = (&known, guest) {
        guest.is_known_by(&known.name);
    }
    *came = known.as_ref().and_then(|known| known.as_ref().ok()).cloned();
    service.limits.take(&counted, Instant::now()).map_err(|after| {
        Problem::too_many("service/rate", format!("too many requests; try again in {after} s"), after)
    })?;
    if let Some(known) = known {
        *came = Some(speaks_for(known?, request.headers())?);
    }
    Ok(())
}

/// Refuses a head that is longer than any of ours needs.
fn is_short(headers: &HeaderMap) -> HttpResult<()> {
    let length: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if length <= HEAD_MOST {
        return Ok(());
    }
    let message = format!("the headers have {length} bytes; the limit is {HEAD_MOST}");
    Err(Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "request/headers", message))
}

/// Refuses what is meant for another host, or comes from a page of another site.
fn is_ours(uri: &Uri, headers: &HeaderMap, names: &[String]) -> HttpResult<()> {
    // Of two names, a proxy in front may go by one and we by the other.
    let mut hosts = headers.get_all(header::HOST).iter().filter_map(|host| host.to_str().ok());
    let (host, other) = (hosts.next().unwrap_or_default(), hosts.next());
    let named = uri.authority().map(|authority| authority.as_str());
    if other.is_some() || named.is_some_and(|named| !named.eq_ignore_ascii_case(host)) {
        let message = "a request needs exactly one Host, and an address in its first line must be the same";
        return Err(Problem::malformed("request/hosts", message));
    }
    if !answers_to(host, names) {
        let message = "this service does not accept the host name of the request; use its address, or start it with --host NAME";
        return Err(Problem::forbidden("request/host", message));
    }
    let own = |origin: &str| {
        let bare = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        bare.is_some_and(|bare| bare.eq_ignore_ascii_case(host))
    };
    let foreign = headers.get(header::ORIGIN).is_some_and(|origin| !origin.to_str().is_ok_and(own))
        || headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none");
    if foreign {
        return Err(Problem::forbidden(
            "request/origin",
            "requests from web pages of other sites are not allowed",
        ));
    }
    Ok(())
}

/// Whether a `Host` is ours: an address, which no name service can turn, or a name we were told.
fn answers_to(host: &str, names: &[String]) -> bool {
    let bare = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(bare, _)| bare),
    };
    let known = |name: &String| name.eq_ignore_ascii_case(bare);
    bare.parse::<IpAddr>().is_ok() || bare.eq_ignore_ascii_case("localhost") || names.iter().any(known)
}

/// Who presents what.
fn whose(access: &Access, presented: Option<&HeaderValue>) -> HttpResult<KnownCaller> {
    let written = presented.ok_or_else(nothing_presented)?;
    let token = written.to_str().ok().and_then(|written| {
        let (scheme, token) = written.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
    });
    let known = match token {
        Some(token) => by_hash(access, &Digest::of(token.as_bytes()))?,
        None => None,
    };
    known.ok_or_else(worthless)
}

fn nothing_presented() -> Problem {
    let message = "a token is required: send the header `Authorization: Bearer TOKEN`; `synod token create NAME --operator` in the house makes one for yourself, `synod token create NAME` one for a participant";
    Problem::new(StatusCode::UNAUTHORIZED, "token/missing", message)
}

fn worthless() -> Problem {
    let message = "this token is unknown, expired or revoked; ask the operator for a new one";
    Problem::new(StatusCode::UNAUTHORIZED, "token/unknown", message)
}

fn by_hash(access: &Access, hash: &Digest) -> HttpResult<Option<KnownCaller>> {
    let presented = *hash;
    if bool::from(access.owner.0.ct_eq(&hash.0)) {
        let (caller, name) = (Caller::Owner, "owner".into());
        return Ok(Some(KnownCaller { caller, name, presented, expires: None, voucher: None }));
    }
    let Some(kept) = access.gate.weigh(hash, now())? else { return Ok(None) };
    let name: CallerName = kept.id().into();
    let caller = match &kept.holds {
        Holds::Operator(_) => Caller::Operator,
        Holds::Participant(who) => Caller::Participant(who.clone()),
    };
    let voucher = Some(Voucher::token(&kept));
    Ok(Some(KnownCaller { caller, name, presented, expires: kept.expires, voucher }))
}

/// The owner may act for a participant of their house, whose tokens they could make as well.
fn speaks_for(known: KnownCaller, headers: &HeaderMap) -> HttpResult<KnownCaller> {
    let Some(written) = headers.get(FOR) else { return Ok(known) };
    let read = || {
        let name = written.to_str().ok().and_then(percent::decode).ok_or_else(|| {
            let message = "Synod-For is not a name: percent-encode what is not ASCII, such as %C5%BE for ž";
            Problem::malformed("request/for", message)
        })?;
        Who::parse(&name).map_err(|wrong| Problem::malformed("request/for", wrong))
    };
    match known.caller {
        Caller::Owner => {
            let who = read()?;
            Ok(KnownCaller { caller: Caller::Participant(who), voucher: Some(Voucher::owner()), ..known })
        }
        // Naming oneself changes nothing, and saves a client from asking who its token belongs to.
        Caller::Participant(ref own) if read()? == *own => Ok(known),
        Caller::Participant(own) => {
            let other = read()?;
            let message = format!(
                "this token belongs to {own}, and the request is to act for {other}: leave one of them out"
            );
            Err(Problem::forbidden("token/not-owner", message))
        }
        Caller::Operator => {
            let message =
                "only the owner of the house may act for a participant; leave the header Synod-For out";
            Err(Problem::forbidden("token/not-owner", message))
        }
    }
}
