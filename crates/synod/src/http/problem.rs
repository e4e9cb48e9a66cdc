//! What goes wrong, in one shape: `{ "error": { "code", "message" } }`, whatever it was and wherever it was found.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use synod_core::Refusal;
use synod_core::kernel::RefusalKind;
use synod_core::matter::QuestionKind;
use synod_engine::Fault;

use super::answer::REPLAYED;
use crate::cli::OTHER_KIND;
use crate::fail::{Fail, code};
use crate::http::reply::Json;
use crate::wire::{ErrorBody, Failure, TurnedAway};

/// A failure with the status it is answered with.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: String,
    message: String,
    /// After how many seconds trying again makes sense.
    retry_after: Option<u64>,
    /// It was told before, under the same key.
    replayed: bool,
    /// The house refused it, so it is in the record.
    recorded: bool,
    /// The connection ends with the answer.
    closes: bool,
    /// What the question asks for, where that is what is wrong.
    kind: Option<QuestionKind>,
    /// What is wrong with a comment.
    turned: Option<Box<TurnedAway>>,
}

/// Goes with the answer to what the house was never asked: the code of it.
#[derive(Debug, Clone)]
pub(crate) struct Unrecorded(pub(crate) String);

pub(crate) type HttpResult<T> = std::result::Result<T, Problem>;

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
            retry_after: None,
            replayed: false,
            recorded: false,
            closes: false,
            kind: None,
            turned: None,
        }
    }

    /// Something about the request itself cannot be read.
    pub(crate) fn malformed(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The body is JSON, and not what this route takes.
    pub(crate) fn unfit(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "request/unfit", message)
    }

    /// The question is of another kind than it was asked as.
    pub(crate) fn other_kind(kind: QuestionKind, message: impl Into<String>) -> Self {
        let problem = Self::new(StatusCode::UNPROCESSABLE_ENTITY, OTHER_KIND, message);
        Self { kind: Some(kind), ..problem }
    }

    pub(crate) fn forbidden(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    pub(crate) fn missing(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    pub(crate) fn conflict(code: &str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    /// The rules said no, and the record says so. The code tells which; the status only sorts them.
    pub(crate) fn refused(code: &str, message: &str) -> Self {
        Self { recorded: true, ..Self::new(status_of_refusal(code), code, message) }
    }

    /// The rules of issues turned a comment away, and the record says so.
    pub(crate) fn turned_away(turned: TurnedAway) -> Self {
        let refused = Self::new(StatusCode::CONFLICT, turned.code(), turned.message());
        Self { recorded: true, turned: Some(Box::new(turned)), ..refused }
    }

    /// What there is to sign: not done, not counted.
    pub(crate) fn to_sign(text: String) -> Self {
        Self { recorded: true, ..Self::new(StatusCode::PRECONDITION_REQUIRED, "act/to-sign", text) }
    }

    pub(crate) fn too_many(code: &str, message: impl Into<String>, after: u64) -> Self {
        let problem = Self::new(StatusCode::TOO_MANY_REQUESTS, code, message);
        Self { retry_after: Some(after), ..problem }
    }

    pub(crate) fn busy(code: &str, message: impl Into<String>) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message);
        Self { retry_after: Some(1), ..problem }
    }

    /// There is no room for a connection that stays open. This one closes, so that others get its descriptor.
    pub(crate) fn full(message: &str, after: u64) -> Self {
        let problem = Self::new(StatusCode::SERVICE_UNAVAILABLE, "service/full", message);
        Self { retry_after: Some(after), closes: true, ..problem }
    }

    /// The code and the words alone.
    pub(crate) fn words(self) -> (String, String) {
        (self.code, self.message)
    }

    /// The same in other words, where a refusal is to be explained.
    pub(crate) fn explained(mut self, explain: impl FnOnce(&str, &str) -> String) -> Self {
        if self.recorded {
            self.message = explain(&self.code, &self.message);
        }
        self
    }

    /// The same, told again under the same key.
    pub(crate) fn replayed(mut self, replayed: bool) -> Self {
        self.replayed = replayed;
        self
    }
}

/// The status that a refusal of the house is answered with. The one place that sorts refusals for HTTP.
fn status_of_refusal(code: &str) -> StatusCode {
    match Refusal::listed(code).map_or(RefusalKind::Conflict, |entry| entry.kind) {
        RefusalKind::Unknown => StatusCode::NOT_FOUND,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::Invalid | RefusalKind::Conflict => StatusCode::CONFLICT,
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let unrecorded = (!self.recorded).then(|| Unrecorded(self.code.clone()));
        let failure = Failure {
            error: ErrorBody {
                code: self.code,
                message: self.message,
                kind: self.kind,
                refused: self.turned,
            },
        };
        let mut response = (self.status, Json(failure)).into_response();
        if let Some(unrecorded) = unrecorded {
            response.extensions_mut().insert(unrecorded);
        }
        let headers = response.headers_mut();
        if let Some(after) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(after));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.closes {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        if self.replayed {
            headers.insert(REPLAYED, HeaderValue::from_static("true"));
        }
        response
    }
}

/// Faults of the world. Nothing happened, as far as anybody was told.
impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let code = match fault {
            Fault::Fenced(_) => "house/fenced",
            Fault::Newer { .. } => "house/unknown-edition",
            Fault::Journal(_) | Fault::Broken(_) | Fault::Unlike { .. } | Fault::Append(_) | Fault::Gone => {
                "house/io"
            }
        };
        Self::busy(code, fault.to_string())
    }
}

impl From<Fail> for Problem {
    fn from(fail: Fail) -> Self {
        let status = match fail.code() {
            code::IO => return Self::busy(fail.name(), fail.message()),
            code::NO_INPUT => StatusCode::NOT_FOUND,
            code::USAGE if fail.name() == "usage" => return Self::unfit(fail.message()),
            // Forbidden by the rules is no fault of the service.
            code::USAGE | code::REJECTED => status_of_refusal(fail.name()),
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, fail.name(), fail.message())
    }
}
