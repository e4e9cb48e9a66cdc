//! The OpenAPI document: the routes' own, completed with what the guard can answer to any of them.

use serde_json::{Map, Value, json};
use utoipa::openapi::{Info, License, OpenApi, OpenApiBuilder};

use super::answer::KEY_MOST;
use super::read::TEXT_MOST;
use crate::wire::MessageKind;

/// What the document says of the service as a whole.
pub(crate) fn head() -> OpenApi {
    let mut info = Info::new("Synod", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "One Synod house over HTTP. Reads show only what is durable. Writes are recorded and judged by the rules of the house. \
         Every error has the shape of `Failure`, with a stable code."
            .into(),
    );
    let mut license = License::new("Apache-2.0");
    license.identifier = Some("Apache-2.0".into());
    info.license = Some(license);
    OpenApiBuilder::new().info(info).build()
}

/// The document of this build.
pub(crate) fn document() -> String {
    let (_, api) = super::documented().split_for_parts();
    text(api)
}

/// Completes the routes' own document.
pub(crate) fn text(api: OpenApi) -> String {
    let mut document = crate::json::value(&api).unwrap_or_default();
    let paths = document["paths"].as_object_mut();
    for (path, methods) in paths.into_iter().flatten() {
        for (method, operation) in methods.as_object_mut().into_iter().flatten() {
            complete(path, method, operation);
        }
    }
    // Kinds of one thing refuse fields they do not know, like everything else; the derived schema leaves that out.
    for name in ["Observed", "Called", "IssueChange"] {
        let kinds = document["components"]["schemas"][name]["oneOf"].as_array_mut();
        kinds.into_iter().flatten().for_each(|kind| kind["additionalProperties"] = json!(false));
    }
    let schemas = document["components"]["schemas"].as_object_mut();
    for (_, schema) in schemas.into_iter().flatten().filter(|(name, _)| SMALL.contains(&name.as_str())) {
        bounded(schema);
    }
    let words: Vec<&str> = MessageKind::ALL.iter().map(|kind| kind.word()).collect();
    let one = format!("({})", words.join("|"));
    let feed = document["paths"]["/v1/feed"]["get"]["parameters"].as_array_mut();
    for kind in feed.into_iter().flatten().filter(|parameter| parameter["name"] == "kind") {
        kind["schema"]["pattern"] = json!(format!("^{one}(,{one})*$"));
    }
    document["components"]["securitySchemes"] = json!({ "token": {
        "type": "http", "scheme": "bearer",
        "description": "A token made with `synod token create`. On loopback, none is needed while the house has never had one.",
    }});
    document["security"] = json!([{}, { "token": [] }]);
    crate::json::pretty(&document).unwrap_or_default() + "\n"
}

/// What participants send.
const SMALL: [&str; 27] = [
    "AgentModel",
    "AgentRatingGiven",
    "Amendment",
    "Called",
    "CanonClaims",
    "CanonClaimsDecision",
    "CanonDecision",
    "CanonEnd",
    "CanonPromotion",
    "CanonStatus",
    "CanonSupport",
    "CitationCheck",
    "Contribution",
    "CreditAward",
    "GoalDropping",
    "LeaseAsking",
    "LeaseRenewal",
    "LeaseReturn",
    "LeaseTaking",
    "NewGoal",
    "Observed",
    "Proposal",
    "Reacting",
    "Release",
    "Ruling",
    "Skip",
    "Vote",
];

/// Says of every free text in a schema how long it may be.
fn bounded(schema: &mut Value) {
    let is = |schema: &Value, kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        one => one == kind,
    };
    if is(schema, "string") && schema.get("pattern").is_none() && schema.get("enum").is_none() {
        schema["maxLength"] = json!(TEXT_MOST);
    }
    if is(schema, "array") {
        bounded(&mut schema["items"]);
    }
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    fields.into_iter().flatten().for_each(|(_, field)| bounded(field));
    let kinds = schema.get_mut("oneOf").and_then(Value::as_array_mut);
    kinds.into_iter().flatten().for_each(bounded);
}

fn complete(path: &str, method: &str, operation: &mut Value) {
    let Some(operation) = operation.as_object_mut() else { return };
    let writes = method != "get";
    let takes_body = operation.contains_key("requestBody");
    let place = |responses: &mut Map<String, Value>, status: &str, about: &str| {
        responses.entry(status).or_insert_with(|| failure(status, about));
    };
    if let Some(responses) = operation.get_mut("responses").and_then(Value::as_object_mut) {
        place(responses, "400", "The request is malformed.");
        place(responses, "401", "A token is required, or the one presented is not valid.");
        place(responses, "403", "You may not do this, or the request comes from a web page of another site.");
        place(responses, "408", "The body did not arrive in time.");
        place(
            responses,
            "429",
            "Too many requests, or too many feeds and waiting requests of yours; see `Retry-After`.",
        );
        place(responses, "500", "Something is wrong with the files of the house.");
        place(
            responses,
            "503",
            "The house cannot be written or read now, the service has no room for another feed, or it took too long and may still complete.",
        );
        // The rules know what is not there from what is not allowed.
        if path.contains('{') || path == "/v1/turns" || responses.contains_key("409") {
            place(responses, "404", "There is nothing with that name that you may see.");
        }
        if takes_body {
            place(responses, "413", "The body is too large.");
            place(responses, "415", "The body is not sent as JSON.");
            place(responses, "422", "The body is JSON and does not have the expected form.");
        }
        for status in ["429", "503"] {
            responses[status]["headers"]["Retry-After"] = json!({
                "description": "Seconds to wait.", "schema": { "type": "integer", "minimum": 1 },
            });
        }
        if writes {
            responses.values_mut().for_each(replayed);
        }
    }
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
    parameters.into_iter().flatten().for_each(without_null);
    if writes {
        let key = json!({
            "name": "Idempotency-Key", "in": "header", "required": false,
            "description": "Makes a write safe to repeat: sent again with the same key it happens once and gets the same answer, with `Idempotency-Replayed`. A key that opened a matter is remembered for ever, any other for 24 hours.",
            "schema": { "type": "string", "minLength": 1, "maxLength": KEY_MOST, "pattern": "^[!-~]+$" },
        });
        match operation.entry("parameters").or_insert_with(|| json!([])) {
            Value::Array(parameters) => parameters.push(key),
            other => *other = json!([key]),
        }
    }
}

/// A parameter that is left out is not there; `null` is not a value of it.
fn without_null(parameter: &mut Value) {
    let schema = &mut parameter["schema"];
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("oneOf") {
        kinds.retain(|kind| kind["type"] != "null");
    }
}

fn failure(status: &str, about: &str) -> Value {
    let mut response = json!({
        "description": about,
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Failure" } } },
    });
    if status == "401" {
        response["headers"] = json!({ "WWW-Authenticate": { "schema": { "type": "string" } } });
    }
    response
}

/// The header that says that an answer was given before.
fn replayed(response: &mut Value) {
    response["headers"]["Idempotency-Replayed"] = json!({
        "description": "`true` if this was answered before under the same key.",
        "required": false,
        "schema": { "type": "string", "enum": ["true"] },
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(value: &Value, see: &mut impl FnMut(&str, &Value)) {
        match value {
            Value::Object(fields) => fields.iter().for_each(|(key, inner)| {
                see(key, inner);
                walk(inner, see);
            }),
            Value::Array(items) => items.iter().for_each(|inner| walk(inner, see)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
        }
    }

    #[test]
    fn everything_that_is_referred_to_is_there() {
        let document: Value = serde_json::from_str(&document()).expect("JSON");
        let mut referred = 0;
        walk(&document, &mut |key, inner| {
            if let ("$ref", Some(path)) = (key, inner.as_str()) {
                referred += 1;
                let there = path.strip_prefix('#').and_then(|path| document.pointer(path));
                assert!(there.is_some(), "{path} is not in the document");
            }
        });
        assert!(referred > 100, "only {referred} references");
    }

    #[test]
    fn a_client_finds_the_id_of_a_proposal() {
        let document: Value = serde_json::from_str(&document()).expect("JSON");
        let schemas = &document["components"]["schemas"];
        let shown = &document["paths"]["/v1/matters/{matter}"]["get"]["responses"]["200"];
        let shown = &shown["content"]["application/json"]["schema"]["$ref"];
        assert_eq!(shown, "#/components/schemas/Matter");
        let ring = &schemas["Matter"]["allOf"][1]["properties"]["ring"]["oneOf"][0]["$ref"];
        assert_eq!(ring, "#/components/schemas/Ring");
        let proposals = &schemas["Ring"]["properties"]["proposals"]["items"]["$ref"];
        assert_eq!(proposals, "#/components/schemas/ProposalShown");
        assert_eq!(schemas["ProposalShown"]["properties"]["id"]["type"], "string");
    }
}
