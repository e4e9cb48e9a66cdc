//! A model behind HTTP: the loop that waits for its turn, asks for leave, sends, lets tools be used, and tries again.
//!
//! Each try asks the engine's pass after the rate limiter and right before the request, so nothing leaves
//! this machine that was not reserved. A mind never reads what the answer says and never changes the name
//! of a model.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Method, Request, Url};
use serde_json::value::RawValue;
use synod_core::brief::Brief;
use synod_core::kernel::{Attempt, Cause};

use crate::http::{Http, HttpAnswer, host};
use crate::keys::Scrubber;
use crate::limit::Limiter;
use crate::manners::{Manners, RequestFeatures};
use crate::mind::{
    Answering, AskContext, CallEstimate, CallFailure, Face, Mind, Pass, Reply, Sign, tokens_of,
};
use crate::prices::{TokenCounts, priced};
use crate::retry;
use crate::settings::{Pace, Provider};
use crate::tools::{Exchange, Tool, ToolCall, Toolbox};
use crate::wire::{ModelAnswer, ModelRequest, Rung, Schemas, Unread, Wire};
use fault::CallFault;
use hearing::Hearing;

mod fault;
mod hearing;

/// One provider as all its seats share it.
#[derive(Debug)]
pub(crate) struct SharedProvider {
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
    /// By model, what was learnt about asking it.
    pub(crate) manners: Mutex<HashMap<String, Arc<Mutex<Manners>>>>,
}

/// The options that a seat sets for its model besides what holds for the provider.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModelOptions {
    pub(crate) effort: Option<String>,
    pub(crate) tools: bool,
    /// How long an answer may take at least.
    pub(crate) patience_ms: Option<u64>,
}

/// A seat that a model answers.
#[derive(Debug)]
pub(crate) struct Model {
    face: Face,
    source: Arc<SharedProvider>,
    model: String,
    url: Url,
    stream_url: Url,
    host: String,
    /// The provider and the model: who shares it, shares key and model.
    account: String,
    temperature: Option<Box<RawValue>>,
    wishes: ModelOptions,
    /// What was learnt about asking this model; shared with its other seats.
    manners: Arc<Mutex<Manners>>,
}

/// An answer that ran out before it began is asked for once more with so many times its limit, up to a most.
const ENLARGE: u64 = 4;
const ENLARGED_MOST: u64 = 65_536;

/// What one ask has come to so far.
struct Asking {
    manners: Manners,
    output_most: u64,
    enlarged: bool,
    used: Vec<Exchange>,
    uses: u32,
    failed: u32,
    calls: u32,
    retries: Vec<Attempt>,
    /// How long the answer may take, and when the first call began, from which on that counts.
    limit: Option<Duration>,
    begun: Option<Instant>,
    /// The tokens of the calls that were answered; `None` once one of them did not tell.
    tokens: Option<Option<TokenCounts>>,
}

impl Asking {
    fn count(&mut self, tokens: Option<TokenCounts>) {
        self.tokens = match (self.tokens, tokens) {
            (Some(sum), Some(more)) => Some(Some(sum.map_or(more, |sum| sum.plus(more)))),
            (None, _) | (_, None) => None,
        };
    }

    /// Whether nobody waits for an answer any more after so long.
    fn is_over_in(&self, wait: Duration) -> bool {
        let over = self.limit.zip(self.begun);
        over.is_some_and(|(limit, begun)| begun.elapsed().saturating_add(wait) >= limit)
    }

    fn again(&mut self, cause: Cause, waited_ms: u64) {
        self.retries.push(Attempt { cause, waited_ms });
    }
}

impl Model {
    pub(crate) fn new(
        face: Face,
        source: Arc<SharedProvider>,
        urls: [Url; 2],
        account: String,
        wishes: ModelOptions,
    ) -> Self {
        let temperature = source.settings.temperature.clone();
        let temperature = temperature.and_then(|written| RawValue::from_string(written).ok());
        let model = face.model.clone().unwrap_or_default();
        let mut known = source.manners.lock().unwrap_or_else(PoisonError::into_inner);
        let manners = known.entry(model.clone()).or_default().clone();
        drop(known);
        let [url, stream_url] = urls;
        let host = host(&url);
        Self { face, source, model, host, url, stream_url, account, temperature, wishes, manners }
    }

    /// One ask before its first call. `limit`: how long the answer may take.
    fn asking(&self, limit: Option<Duration>) -> Asking {
        Asking {
            manners: *self.manners.lock().unwrap_or_else(PoisonError::into_inner),
            output_most: self.face.output_most,
            enlarged: false,
            used: Vec::new(),
            uses: 0,
            failed: 0,
            calls: 0,
            retries: Vec::new(),
            limit,
            begun: None,
            tokens: Some(None),
        }
    }

    async fn run(
        &self,
        brief: &Brief,
        pass: &dyn Pass,
        limit: Option<Duration>,
    ) -> Result<Reply, CallFailure> {
        let schema = self.source.schemas.of(&brief.form);
        let mut asking = self.asking(limit);
        loop {
            let toolbox = pass.toolbox().filter(|_| self.wishes.tools && !asking.manners.no_tools);
            let tools = toolbox.map_or(&[][..], Toolbox::tools);
            let (request, carried) = self.request(brief, &schema, &asking, tools);
            let estimate = self.estimate(brief, &schema, &asking);
            let heard = match self.send(&request, estimate, pass, &mut asking).await {
                Ok(heard) => heard,
                Err(cause) => return Err(self.failure(cause, asking)),
            };
            let fault = match heard {
                Ok(said) => match self.next(said, toolbox, &mut asking, pass).await {
                    AnswerStep::Again => continue,
                    AnswerStep::Over(outcome) => return outcome.map_err(|cause| self.failure(cause, asking)),
                },
                Err(fault) => fault,
            };
            if let Some(cause) = self.recover(fault, carried, &mut asking, pass).await {
                return Err(self.failure(cause, asking));
            }
        }
    }

    /// Makes one call, once the provider's limits and the engine allow it. Fails if the engine does not.
    async fn send(
        &self,
        request: &Request,
        estimate: CallEstimate,
        pass: &dyn Pass,
        asking: &mut Asking,
    ) -> Result<Result<ModelAnswer, CallFault>, Cause> {
        let source = &*self.source;
        let turn = match source.http.replays() {
            true => None,
            false => Some(source.limiter.turn(estimate.tokens_in + estimate.tokens_out_most).await),
        };
        let permit = pass.begin(estimate).await?;
        asking.calls += 1;
        asking.begun.get_or_insert_with(Instant::now);
        pass.note(Sign::Sent);
        let mut hearing = Hearing::new(source.wire.assembler(), pass, &source.scrubber);
        let time_out = Duration::from_millis(source.settings.time_out_ms);
        let outcome = source.http.exchange(request, time_out, &mut hearing).await;
        drop((turn, permit));
        Ok(match outcome {
            Ok(answer) if (200..300).contains(&answer.status) => self.read(answer, hearing, asking),
            Ok(answer) => Err(self.refused(&answer)),
            Err(trouble) => Err(self.troubled(trouble)),
        })
    }

    /// Reads an answer of status 200, whole or streamed.
    fn read(
        &self,
        answer: HttpAnswer,
        hearing: Hearing<'_>,
        asking: &mut Asking,
    ) -> Result<ModelAnswer, CallFault> {
        let body = match answer.streamed {
            false => answer.body,
            true => match hearing.whole() {
                Some(body) => body,
                None => return Err(self.cut_off()),
            },
        };
        match self.source.wire.read(&body) {
            Ok(said) => {
                // Only now is it known that what was changed was the trouble, and not something else.
                let mut manners = asking.manners;
                // A stream that does not say what it cost: what can be counted is worth more than a line to look at.
                manners.no_stream |= answer.streamed && said.tokens.is_none();
                let mut known = self.manners.lock().unwrap_or_else(PoisonError::into_inner);
                *known = known.and(manners);
                asking.manners = *known;
                asking.count(said.tokens);
                Ok(said)
            }
            Err(Unread { what, status: Some(status) }) => Err(self.refused_inside(status, &what)),
            Err(Unread { what, status: None }) => {
                asking.count(None);
                Err(self.unreadable(&what))
            }
        }
    }

    /// What follows from an answer that can be read: it is the answer, or tools are to be used, or it ran out.
    async fn next(
        &self,
        said: ModelAnswer,
        toolbox: Option<&dyn Toolbox>,
        asking: &mut Asking,
        pass: &dyn Pass,
    ) -> AnswerStep {
        if let Some(toolbox) = toolbox.filter(|_| !said.calls.is_empty()) {
            // Beyond its tools a model is told to answer; one that does not listen is not asked for ever.
            if asking.used.len() as u32 > toolbox.most() + 1 {
                let detail = format!("{} wants to use tools again and again and does not answer", self.host);
                return AnswerStep::Over(Err(Cause::passing("backend/tools-endless", detail)));
            }
            let uses = self.use_tools(said.calls, toolbox, asking, pass).await;
            asking.used.push(Exchange { uses });
            return AnswerStep::Again;
        }
        if said.cut && !asking.enlarged && asking.output_most < ENLARGED_MOST {
            asking.enlarged = true;
            asking.output_most = asking.output_most.saturating_mul(ENLARGE).min(ENLARGED_MOST);
            let detail = format!(
                "{} used up its output before it said anything; asked again with up to {} tokens",
                self.host, asking.output_most
            );
            asking.again(Cause::passing("backend/cut-off", detail), 0);
            return AnswerStep::Again;
        }
        AnswerStep::Over(match said.text {
            Ok(text) => Ok(Reply {
                // A server that echoes the key must not get it into the journal.
                text: self.source.scrubber.scrub_owned(text),
                model: said.model.map(|model| self.source.scrubber.scrub_owned(model)),
                usage: priced(self.face.price, asking.calls, asking.tokens.flatten()),
                retries: std::mem::take(&mut asking.retries),
            }),
            Err(what) => Err(self.unreadable(&what).cause),
        })
    }

    async fn use_tools(
        &self,
        calls: Vec<ToolCall>,
        toolbox: &dyn Toolbox,
        asking: &mut Asking,
        pass: &dyn Pass,
    ) -> Vec<(ToolCall, String)> {
        let mut uses = Vec::with_capacity(calls.len());
        for call in calls {
            asking.uses += 1;
            let given = if asking.uses > toolbox.most() {
                "No more tool calls are allowed in this turn. Answer now with what you have.".into()
            } else {
                pass.note(Sign::Tool { name: call.name.clone() });
                toolbox.use_tool(&call).await
            };
            uses.push((call, self.source.scrubber.scrub_owned(given)));
        }
        uses
    }

    /// Gets ready for the next try after a fault; the cause if there is none.
    async fn recover(
        &self,
        fault: CallFault,
        carried: RequestFeatures,
        asking: &mut Asking,
        pass: &dyn Pass,
    ) -> Option<Cause> {
        if let Some(length) = fault.retry_after {
            self.source.limiter.pause(length);
        }
        let mended = fault.refusal.as_deref().and_then(|said| asking.manners.mend(said, carried));
        if let Some(manners) = mended {
            let known = *self.manners.lock().unwrap_or_else(PoisonError::into_inner);
            asking.manners = manners.and(known);
            asking.again(Cause { lasting: false, ..fault.cause }, 0);
            return None;
        }
        asking.failed += 1;
        if !fault.retried || asking.failed >= self.source.settings.tries {
            return Some(fault.cause);
        }
        let wait = match self.source.http.replays() {
            true => Duration::ZERO, // a replay does not wait
            false => {
                retry::backoff(&self.source.pace, asking.failed).max(fault.retry_after.unwrap_or_default())
            }
        };
        // A try that nobody would hear the end of says nothing; what went wrong says why there is no answer.
        if asking.is_over_in(wait) {
            return Some(fault.cause);
        }
        let wait_ms = wait.as_millis() as u64;
        pass.note(Sign::Retrying { cause: fault.cause.clone(), wait_ms });
        tokio::time::sleep(wait).await;
        asking.again(fault.cause, wait_ms);
        None
    }

    fn estimate(&self, brief: &Brief, schema: &RawValue, asking: &Asking) -> CallEstimate {
        let uses = asking.used.iter().flat_map(|exchange| &exchange.uses);
        let used: usize = uses.map(|(call, given)| call.arguments.len() + given.len() + 64).sum();
        let tokens_in = tokens_of(brief.len() + schema.get().len() + used) + 32; // roles and separators
        let tokens_out_most = asking.output_most;
        let cost_most = self.face.price.map(|price| price.most(tokens_in, tokens_out_most));
        CallEstimate { tokens_in, tokens_out_most, cost_most }
    }

    fn request(
        &self,
        brief: &Brief,
        schema: &RawValue,
        asking: &Asking,
        tools: &[Tool],
    ) -> (Request, RequestFeatures) {
        let (source, manners) = (&*self.source, asking.manners);
        let stream = source.settings.stream && source.http.streams() && !manners.no_stream;
        let effort = self.wishes.effort.as_deref().or(source.settings.reasoning_effort.as_deref());
        let ask = ModelRequest {
            brief,
            model: &self.model,
            rung: source.ladder.get(manners.step).copied().unwrap_or(Rung::Plain),
            schema,
            output_most: manners.limit_most.map_or(asking.output_most, |most| most.min(asking.output_most)),
            temperature: self.temperature.as_deref().filter(|_| !manners.no_temperature),
            effort: effort.filter(|_| !manners.no_effort),
            stream,
            other_limit: manners.other_limit,
            no_limit: manners.no_limit,
            tools,
            used: &asking.used,
        };
        let carried = RequestFeatures {
            temperature: ask.temperature.is_some(),
            effort: ask.effort.is_some(),
            stream,
            tools: !tools.is_empty(),
            limit: ask.output_most,
            lower_rung: manners.step + 1 < source.ladder.len(),
        };
        let url = if stream { &self.stream_url } else { &self.url };
        let mut request = Request::new(Method::POST, url.clone());
        *request.headers_mut() = source.headers.clone();
        *request.body_mut() = Some(source.wire.body(&ask).into());
        (request, carried)
    }

    fn failure(&self, cause: Cause, asking: Asking) -> CallFailure {
        // What failed calls took is not known, unless every call was answered.
        let answered = asking.tokens.flatten().filter(|_| asking.failed == 0);
        CallFailure { cause, usage: priced(self.face.price, asking.calls, answered), retries: asking.retries }
    }
}

/// The next step after an answer.
enum AnswerStep {
    /// Another call.
    Again,
    /// Nothing.
    Over(Result<Reply, Cause>),
}

impl Mind for Model {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(self.run(brief, pass, question.limit_ms.map(Duration::from_millis)))
    }

    fn face(&self) -> &Face {
        &self.face
    }

    fn account(&self) -> Option<&str> {
        Some(&self.account)
    }

    fn patience_ms(&self) -> Option<u64> {
        self.wishes.patience_ms
    }

    fn uses_tools(&self) -> bool {
        self.wishes.tools && !self.manners.lock().unwrap_or_else(PoisonError::into_inner).no_tools
    }
}
