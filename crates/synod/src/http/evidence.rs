//! `/v1/evidence/check`: whether a citation of a file holds, before it is used in a comment.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::State;
use synod_core::evidence::{FileReference, SearchDepth};
use synod_core::house::HouseItem;
use synod_core::kernel::Actor;

use super::Service;
use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{HttpResult, Problem};
use super::read::SmallJson;
use crate::http::reply::Json;
use crate::wire::{CitationBody, CitationView, Failure};

/// What a check costs a participant of what may be refused of theirs, in bytes, unless every character was right. Whoever asks again and
/// again could spell out a file that they cannot read; about thirty in a row are free, then one each eight seconds.
const MISS: usize = 8 << 10;

/// Check a citation of a file below the project folder, as a comment that cites it would be checked. Nothing is recorded, and nothing
/// of the text is shown.
#[utoipa::path(post, path = "/v1/evidence/check", tag = "evidence", operation_id = "checkCitation",
    request_body = CitationBody,
    responses(
        (status = 200, description = "`verified` says whether it holds.", body = CitationView),
        (status = 409, description = "The path or the lines cannot be read as such.", body = Failure),
    ))]
pub(crate) async fn check(
    State(service): State<Arc<Service>>,
    caller: Caller,
    _key: IdempotencyKey,
    SmallJson(body): SmallJson<CitationBody>,
) -> HttpResult<Json<CitationView>> {
    service.engine.read(|house| caller.may_see(house, HouseItem::Common))?;
    let by = caller.actor();
    service.may_try(&by)?;
    let malformed =
        |wrong: &dyn std::fmt::Display| Problem::conflict("evidence/malformed", wrong.to_string());
    let mut cited = FileReference::parse(&body.file).map_err(|wrong| malformed(&wrong))?;
    match (&cited.quote, body.quote) {
        (Some(_), Some(_)) => return Err(malformed(&"the quote is given twice: leave one out")),
        (None, quote @ Some(_)) => cited.quote = quote,
        (_, None) => (),
    }
    let sources = service.engine.sources().cloned();
    let root = sources
        .or_else(|| service.house.evidence_root())
        .ok_or_else(|| Problem::busy("evidence/root", "the project folder of this house cannot be read"))?;
    // A disk that hangs holds up this request and nobody else.
    let found = tokio::task::spawn_blocking(move || {
        let found = root.check_in_time(&cited, SearchDepth::Verdict);
        let exact = found.problem.is_none() && found.quote.as_ref().is_none_or(|quote| quote.distance == 0);
        (CitationView::of(&cited, &found), exact)
    });
    let (mut found, exact) =
        found.await.map_err(|_| Problem::busy("evidence/fault", "the check broke down; try again"))?;
    if let (false, Actor::Seat(who)) = (exact, &by) {
        service.limits.refused(&who.as_str().into(), MISS, Instant::now());
        // How many characters agree would tell which of them do.
        found.similarity = None;
    }
    Ok(Json(found))
}
