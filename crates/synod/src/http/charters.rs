//! `/v1/charters`: the written rules. They are not secret; where they are on disk is left out.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use serde_json::Value;
use synod_core::charter;
use synod_core::kernel::Digest;
use utoipa::ToSchema;

use super::Service;
use super::problem::{HttpResult, Problem};
use super::read::Path;
use crate::house::{charter_names, charter_source, own_charter};
use crate::http::reply::Json;

/// A charter in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CharterRow {
    /// Its name.
    name: String,
    /// What it is for.
    summary: String,
    /// Where it is from.
    origin: CharterOrigin,
    /// SHA-256 of its source.
    digest: String,
    /// The number of errors that keep it from being used.
    flaws: usize,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Origin)]
enum CharterOrigin {
    /// Shipped with Synod.
    Shipped,
    /// Added in this house.
    House,
}

/// A charter whole.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Charter)]
pub(crate) struct CharterView {
    #[serde(flatten)]
    row: CharterRow,
    /// Its source, in TOML.
    source: String,
    /// The parsed rules; null if it has errors.
    #[schema(value_type = Option<Object>)]
    charter: Option<Value>,
    /// Its settings, each with its range; null if it has errors.
    #[schema(value_type = Option<Object>)]
    settings: Option<Value>,
}

/// All charters.
#[utoipa::path(get, path = "/v1/charters", tag = "charters", operation_id = "listCharters",
    responses((status = 200, description = "All of them.", body = Vec<CharterRow>)))]
pub(crate) async fn list(State(service): State<Arc<Service>>) -> HttpResult<Json<Vec<CharterRow>>> {
    let names = charter_names(service.house.dir());
    let rows: HttpResult<Vec<CharterView>> = names.iter().map(|name| shown(&service, name)).collect();
    Ok(Json(rows?.into_iter().map(|shown| shown.row).collect()))
}

/// One charter: its source and the parsed rules.
#[utoipa::path(get, path = "/v1/charters/{name}", tag = "charters", operation_id = "showCharter",
    params(("name" = String, Path, description = "The charter's name.", pattern = "^[A-Za-z0-9-]{1,64}$")),
    responses((status = 200, description = "The charter.", body = CharterView)))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
) -> HttpResult<Json<CharterView>> {
    // A name is never a path: nothing of the disk is shown but charters.
    let is_name = (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !is_name || !charter_names(service.house.dir()).contains(&name) {
        return Err(Problem::missing(
            "charter/unknown",
            "there is no charter with that name; /v1/charters lists them",
        ));
    }
    shown(&service, &name).map(Json)
}

fn shown(service: &Service, name: &str) -> HttpResult<CharterView> {
    let (_, source) = charter_source(service.house.dir(), name)?;
    let parsed = charter::Charter::parse(&source);
    let origin = if own_charter(service.house.dir(), name).is_file() {
        CharterOrigin::House
    } else {
        CharterOrigin::Shipped
    };
    let value = |value: std::result::Result<Value, serde_json::Error>| value.ok();
    let row = CharterRow {
        name: name.into(),
        summary: parsed.as_ref().map(|(charter, _)| charter.summary.clone()).unwrap_or_default(),
        origin,
        digest: Digest::of(source.as_bytes()).to_string(),
        flaws: parsed.as_ref().err().map_or(0, Vec::len),
    };
    let charter = parsed.as_ref().ok().and_then(|(charter, _)| value(crate::json::value(&charter)));
    let settings =
        parsed.as_ref().ok().and_then(|(charter, _)| value(serde_json::to_value(charter.settings())));
    Ok(CharterView { row, source, charter, settings })
}
