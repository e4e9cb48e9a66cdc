//! A model behind HTTP: the loop that waits for its turn, asks for leave, sends, and tries again.
//!
//! Each try asks the engine's pass after the rate limiter and right before the request, so nothing leaves
//! this machine that was not reserved. A mind never reads what the answer says and never changes the name
//! of a model.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use reqwest::{Method, Request, Url};
use serde_json::value::RawValue;
use synod_core::brief::Brief;
use synod_core::kernel::{Attempt, Cause, text};

use crate::http::{Answer, Http, MOST_BYTES, Trouble, host};
use crate::keys::Scrubber;
use crate::limit::Limiter;
use crate::mind::{Answering, Estimate, Face, Failure, Mind, Pass, Question, Reply, tokens_of};
use crate::prices::priced;
use crate::retry;
use crate::settings::{Pace, Provider};
use crate::wire::{Ask, Rung, Schemas, Wire, message};

/// One provider as all its seats share it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) wire: Box<dyn Wire>,
    pub(crate) http: Arc<Http>,
    pub(crate) scrubber: Scrubber,
    /// Carries the key, marked as sensitive.
    pub(crate) headers: HeaderMap,
    pub(crate) limiter: Limiter,
    pub(crate) settings: Provider,
    pub(crate) pace: Pace,
    /// The ways to ask for a form, in the order they are tried.
    pub(crate) ladder: Vec<Rung>,
    pub(crate) schemas: Schemas,
    /// By model, how far down the ladder one has to go.
    pub(crate) steps: Mutex<HashMap<String, Arc<AtomicUsize>>>,
}

/// A seat that a model answers.
#[derive(Debug)]
pub(crate) struct Model {
    face: Face,
    source: Arc<Source>,
    model: String,
    url: Url,
    host: String,
    temperature: Option<Box<RawValue>>,
    /// How far down the ladder this model has to be asked; shared with its other seats.
    step: Arc<AtomicUsize>,
}

/// A try that gave no answer.
struct Fault {
    cause: Cause,
    retried: bool,
    /// The refusal was about the form.
    about_form: bool,
    retry_after: Option<Duration>,
}

/// What the tries so far came to.
#[derive(Default)]
struct Tally {
    calls: u32,
    retries: Vec<Attempt>,
}

impl Model {
    pub(crate) fn new(face: Face, source: Arc<Source>, model: &str, url: Url) -> Self {
        let temperature = source.settings.temperature.clone();
        let temperature = temperature.and_then(|written| RawValue::from_string(written).ok());
        let mut steps = source.steps.lock().unwrap_or_else(PoisonError::into_inner);
        let step = steps.entry(model.into()).or_default().clone();
        drop(steps);
        Self { face, source, model: model.into(), host: host(&url), url, temperature, step }
    }

    async fn run(&self, brief: &Brief, pass: &dyn Pass) -> Result<Reply, Failure> {
        let source = &*self.source;
        let schema = source.schemas.of(&brief.form);
        let estimate = self.estimate(brief, &schema);
        let mut tally = Tally::default();
        let mut step = self.step.load(Ordering::Relaxed);
        let mut request = self.request(brief, &schema, step);
        let mut failed = 0;
        loop {
            let turn = match source.http.replays() {
                true => None,
                false => Some(source.limiter.turn(estimate.tokens_in + estimate.tokens_out_most).await),
            };
            let permit = match pass.begin(estimate).await {
                Ok(permit) => permit,
                Err(cause) => return Err(self.failure(cause, tally)),
            };
            tally.calls += 1;
            let outcome =
                source.http.exchange(&request, Duration::from_millis(source.settings.time_out_ms)).await;
            drop((turn, permit));
            let fault = match outcome {
                Ok(answer) if (200..300).contains(&answer.status) => {
                    // Only now is it known that this rung was the trouble, and not something else.
                    self.step.fetch_max(step, Ordering::Relaxed);
                    return self.read(&answer, tally);
                }
                Ok(answer) => self.refused(&answer),
                Err(trouble) => self.troubled(trouble),
            };
            if let Some(length) = fault.retry_after {
                source.limiter.pause(length);
            }
            if fault.about_form && step + 1 < source.ladder.len() {
                step = (step + 1).max(self.step.load(Ordering::Relaxed));
                request = self.request(brief, &schema, step);
                tally.retries.push(Attempt { cause: Cause { lasting: false, ..fault.cause }, waited_ms: 0 });
                continue;
            }
            failed += 1;
            if !fault.retried || failed >= source.settings.tries {
                return Err(self.failure(fault.cause, tally));
            }
            let wait = self.wait(failed, fault.retry_after).await;
            tally.retries.push(Attempt { cause: fault.cause, waited_ms: wait.as_millis() as u64 });
        }
    }

    /// Waits before the next try and says how long. A replay does not wait.
    async fn wait(&self, failed: u32, retry_after: Option<Duration>) -> Duration {
        if self.source.http.replays() {
            return Duration::ZERO;
        }
        let wait = retry::backoff(&self.source.pace, failed).max(retry_after.unwrap_or_default());
        tokio::time::sleep(wait).await;
        wait
    }

    fn estimate(&self, brief: &Brief, schema: &RawValue) -> Estimate {
        let tokens_in = tokens_of(brief.len() + schema.get().len()) + 32; // roles and separators
        let tokens_out_most = self.face.output_most;
        let cost_most = self.face.price.map(|price| price.most(tokens_in, tokens_out_most));
        Estimate { tokens_in, tokens_out_most, cost_most }
    }

    fn request(&self, brief: &Brief, schema: &RawValue, step: usize) -> Request {
        let ask = Ask {
            brief,
            model: &self.model,
            rung: self.source.ladder.get(step).copied().unwrap_or(Rung::Plain),
            schema,
            output_most: self.face.output_most,
            temperature: self.temperature.as_deref(),
        };
        let mut request = Request::new(Method::POST, self.url.clone());
        *request.headers_mut() = self.source.headers.clone();
        *request.body_mut() = Some(self.source.wire.body(&ask).into());
        request
    }

    fn read(&self, answer: &Answer, tally: Tally) -> Result<Reply, Failure> {
        let (text, model, tokens) = match self.source.wire.read(&answer.body) {
            Ok(said) => (said.text, said.model, said.tokens),
            Err(what) => (Err(what), None, None),
        };
        let usage = priced(self.face.price, tally.calls, tokens);
        match text {
            Ok(text) => Ok(Reply {
                // A server that echoes the key must not get it into the journal.
                text: self.source.scrubber.scrub_owned(text),
                model: model.map(|model| self.source.scrubber.scrub_owned(model)),
                usage,
                retries: tally.retries,
            }),
            Err(what) => {
                let detail = format!("{} answered, but {}", self.host, self.shown(&what));
                let cause = Cause::passing("mind/bad-answer", detail);
                Err(Failure { cause, usage, retries: tally.retries })
            }
        }
    }

    /// What a status that is no success means.
    fn refused(&self, answer: &Answer) -> Fault {
        let status = answer.status;
        let message = message(&answer.body);
        let detail = match self.shown(&message) {
            said if said.is_empty() => format!("{} answered {status} without a word", self.host),
            said => format!("{} answered {status}: {said}", self.host),
        };
        let code = format!("mind/http-{status}");
        let retried = retry::is_passing(status);
        let retry_after = answer.retry_after.as_deref().filter(|_| retried);
        Fault {
            cause: if retried { Cause::passing(&code, detail) } else { Cause::lasting(&code, detail) },
            retried,
            about_form: retry::is_about_form(status, &message),
            retry_after: retry_after
                .and_then(|w| retry::retry_after(w, SystemTime::now(), &self.source.pace)),
        }
    }

    /// What an exchange that broke means.
    fn troubled(&self, trouble: Trouble) -> Fault {
        let host = &self.host;
        let (cause, retried) = match trouble {
            Trouble::Unreachable(why) => {
                let detail = format!("{host} cannot be reached: {}", self.shown(&why));
                (Cause::passing("mind/unreachable", detail), true)
            }
            Trouble::TimeOut => {
                let detail = format!("{host} did not answer within {} ms", self.source.settings.time_out_ms);
                (Cause::passing("mind/time-out", detail), true)
            }
            Trouble::TooLarge => {
                let detail = format!("{host} answered more than {} MiB", MOST_BYTES >> 20);
                (Cause::passing("mind/too-large", detail), false)
            }
            Trouble::Missing(what) => (Cause::lasting("mind/cassette-missing", self.shown(&what)), false),
        };
        Fault { cause, retried, about_form: false, retry_after: None }
    }

    /// One short line without secrets. It is scrubbed before it is cut: half a key is still a leak.
    fn shown(&self, foreign: &str) -> String {
        text::excerpt(&text::one_line(&self.source.scrubber.scrub(foreign)), 200).into_owned()
    }

    fn failure(&self, cause: Cause, tally: Tally) -> Failure {
        Failure { cause, usage: priced(self.face.price, tally.calls, None), retries: tally.retries }
    }
}

impl Mind for Model {
    fn ask<'a>(&'a self, _question: &'a Question, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(self.run(brief, pass))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}
