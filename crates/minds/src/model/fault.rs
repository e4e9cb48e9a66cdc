//! What a try that gave no answer means.

use std::time::{Duration, SystemTime};

use synod_core::kernel::{Cause, text};

use super::Model;
use crate::http::{HttpAnswer, HttpTrouble, MOST_BYTES};
use crate::retry;
use crate::wire::message;

/// A try that gave no answer.
#[derive(Debug)]
pub(super) struct CallFault {
    pub(super) cause: Cause,
    /// Whether the same request may fare better later.
    pub(super) retried: bool,
    /// What the provider said, in lower case, where it refused the request as it was made.
    pub(super) refusal: Option<String>,
    pub(super) retry_after: Option<Duration>,
}

impl CallFault {
    fn of(cause: Cause, retried: bool) -> Self {
        Self { cause, retried, refusal: None, retry_after: None }
    }
}

impl Model {
    /// What a status that is no success means.
    pub(super) fn refused(&self, answer: &HttpAnswer) -> CallFault {
        let said = message(&answer.body);
        let fault = self.refused_with(answer.status, &said, &format!("answered {}", answer.status));
        let retry_after = answer.retry_after.as_deref().filter(|_| fault.retried);
        let retry_after =
            retry_after.and_then(|w| retry::retry_after(w, SystemTime::now(), &self.source.pace));
        CallFault { retry_after, ..fault }
    }

    /// What an error inside an answer of status 200 means: a gateway passes on what it was told.
    pub(super) fn refused_inside(&self, status: u16, said: &str) -> CallFault {
        self.refused_with(status, said, &format!("answered 200 with error {status} inside"))
    }

    fn refused_with(&self, status: u16, said: &str, how: &str) -> CallFault {
        let detail = match self.shown(said) {
            said if said.is_empty() => format!("{} {how} without a word", self.host),
            said => format!("{} {how}: {said}", self.host),
        };
        let code = format!("backend/http-{status}");
        let retried = retry::is_passing(status);
        let cause = if retried { Cause::passing(&code, detail) } else { Cause::lasting(&code, detail) };
        let refusal = matches!(status, 400 | 404 | 422).then(|| said.to_ascii_lowercase());
        CallFault { refusal, ..CallFault::of(cause, retried) }
    }

    /// What an answer that is none means.
    pub(super) fn unreadable(&self, what: &str) -> CallFault {
        let detail = format!("{} answered, but {}", self.host, self.shown(what));
        CallFault::of(Cause::passing("backend/bad-answer", detail), false)
    }

    /// A stream that ended before the answer did. Half an answer is never counted.
    pub(super) fn cut_off(&self) -> CallFault {
        let detail = format!("{} stopped in the middle of an answer", self.host);
        CallFault::of(Cause::passing("backend/stream-cut", detail), true)
    }

    /// What an exchange that broke means.
    pub(super) fn troubled(&self, trouble: HttpTrouble) -> CallFault {
        let host = &self.host;
        let (cause, retried) = match trouble {
            HttpTrouble::Unreachable(why) => {
                let detail = format!("{host} cannot be reached: {}", self.shown(&why));
                (Cause::passing("backend/unreachable", detail), true)
            }
            HttpTrouble::TimeOut => {
                let detail = format!("{host} did not answer within {} ms", self.source.settings.time_out_ms);
                (Cause::passing("backend/time-out", detail), true)
            }
            HttpTrouble::TooLarge => {
                let detail = format!("{host} answered more than {} MiB", MOST_BYTES >> 20);
                (Cause::passing("backend/too-large", detail), false)
            }
            HttpTrouble::Missing(what) => {
                (Cause::lasting("backend/cassette-missing", self.shown(&what)), false)
            }
        };
        CallFault::of(cause, retried)
    }

    /// One short line without secrets. It is scrubbed before it is cut: half a key is still a leak.
    fn shown(&self, foreign: &str) -> String {
        text::excerpt(&text::one_line(&self.source.scrubber.scrub(foreign)), 200).into_owned()
    }
}
