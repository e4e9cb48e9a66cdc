//! Requests to the workshop: canon, leases and credits. A participant acts for itself, an operator for the user.

use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use synod_core::Command;
use synod_core::procedure::workshop::{self, CanonCommand};
use synod_engine::now;

use super::Service;
use super::answer::{IdempotencyKey, REPLAYED};
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use crate::http::reply::Json;
use crate::issues::needed_to_act;
use crate::work::{WorkDone, WorkRequest, refused_attempt};

/// Gives a request, and tells what it came to.
pub(super) async fn work<R: WorkRequest>(
    service: &Service,
    caller: &Caller,
    key: &IdempotencyKey,
    request: &R,
) -> HttpResult<Response> {
    let by = caller.actor();
    service.may_note(&by)?;
    // Who has a token belongs to the house.
    let needed = service.engine.read(|house| needed_to_act(service.house.dir(), house, &by))?;
    crate::house::give_all(&service.engine, needed).await?;
    let recorded = key.key(&by).and_then(|key| service.engine.read(|house| house.given_under(&key)));
    let mut command = service.engine.read(|house| request.command(house, now().max(house.now())))?;
    // "For an hour" is another moment when it is said again. All else has to be the same, or the key is refused.
    if let Some(Command::Workshop(earlier)) = recorded.and_then(|seq| service.act(seq)).map(|act| act.command)
    {
        end_as_then(&mut command, &earlier);
    }
    let command = Command::Workshop(command);
    let acted = service.give(by, key, command).await?;
    if !acted.repeated {
        service.was_noted(&acted.act);
    }
    if let Some(refused) = refused_attempt(&acted.act) {
        if !acted.repeated {
            service.was_refused(&acted.act);
        }
        return Err(Problem::refused(refused.code, &refused.message).replayed(acted.repeated));
    }
    let done = service.engine.read(|house| WorkDone::of(house, &acted.act));
    let mut response = (StatusCode::OK, Json(done)).into_response();
    if acted.repeated {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    Ok(response)
}

/// Takes over the moment at which an entry was to expire when the request was first made.
fn end_as_then(command: &mut workshop::Command, earlier: &workshop::Command) {
    let workshop::Command::Canon(CanonCommand::Promote(promote)) = command else { return };
    let workshop::Command::Canon(CanonCommand::Promote(earlier)) = earlier else { return };
    if promote.until.is_some() && earlier.until.is_some() {
        promote.until = earlier.until;
    }
}
