//! The cast: makes minds from specs.
//!
//! Seats of one provider share its limits, its connections and what was learnt about it. Nothing is
//! called here; what can be known to be wrong before the first call (a missing key, a bad script) is told
//! here. To add a named provider: its place in `place`, its key in `key_variables`, its wire in `source`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};

use synod_programs::Guard;

use crate::cassette::{Cassette, Tape};
use crate::exec::{Exec, environment};
use crate::http::{Http, check_base, host, is_loopback};
use crate::keys::{Env, KEY_VARIABLES, Scrubber, Secret, holds_secret};
use crate::limit::Limiter;
use crate::manners::reasons;
use crate::mind::{Face, Mind, MindKind};
use crate::model::{Model, ModelOptions, SharedProvider};
use crate::prices::{Price, Prices};
use crate::rehearsal::Rehearsal;
use crate::script::{Script, Scripted};
use crate::settings::{Provider, Settings, Structured};
use crate::spec::{ProviderName, Spec, split_options};
use crate::wire::{Rung, Schemas, Wire, anthropic::Anthropic, gemini::Gemini, openai::OpenAi};

/// The longest answer where settings do not say otherwise, in tokens.
pub(crate) const USUAL_OUTPUT: u64 = 2048;
/// The same for models that think first: their thoughts count as output.
const THINKING_OUTPUT: u64 = 16_384;
/// How long models that think first may take at least.
const THINKING_MS: u64 = 600_000;

/// Why a mind cannot be made. Holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MindError {
    /// Stable: `backend/no-key`, `backend/key-in-seat`, `backend/bad-settings`, `backend/bad-script`, `backend/bad-cassette`, `backend/elsewhere`.
    pub code: &'static str,
    /// What is wrong and what to do.
    pub message: String,
}

fn wrong(code: &'static str, message: impl Into<String>) -> MindError {
    MindError { code, message: message.into() }
}

/// Makes minds.
#[derive(Debug)]
pub struct MindFactory {
    settings: Settings,
    shipped: Prices,
    env: Env,
    http: Arc<Http>,
    scrubber: Scrubber,
    sources: Mutex<HashMap<String, Arc<SharedProvider>>>,
    programs: Arc<Limiter>,
    guard: Option<Guard>,
}

/// The address of a provider, and its name in settings and prices.
struct ProviderAddress {
    name: String,
    base: String,
    url: Url,
    named: Option<ProviderName>,
}

impl MindFactory {
    /// Opens the cassette, if there is one, and learns the keys that stand in the environment, so that
    /// they can be kept out of everything.
    pub fn new(settings: Settings, env: Env, cassette: Cassette) -> Result<Self, MindError> {
        let scrubber = Scrubber::default();
        let named = settings.providers.values().filter_map(|provider| provider.key_env.as_deref());
        for key in KEY_VARIABLES.into_iter().chain(named).filter_map(|name| env.get(name)) {
            scrubber.learn(&Secret::new(&key));
        }
        let tape = Tape::open(&cassette).map_err(|what| wrong("backend/bad-cassette", what))?;
        let programs = Arc::new(Limiter::new(None, None, settings.provider("exec").at_once));
        Ok(Self {
            shipped: Prices::shipped(),
            http: Http::new(tape, scrubber.clone()),
            sources: Mutex::default(),
            settings,
            env,
            scrubber,
            programs,
            guard: None,
        })
    }

    /// What takes secrets out of text; it knows all keys that this cast has met.
    pub fn scrubber(&self) -> &Scrubber {
        &self.scrubber
    }

    /// Lets programs be run by this guard, which ends them when this process ends, however it ends.
    pub fn guarded_by(self, guard: Guard) -> Self {
        Self { guard: Some(guard), ..self }
    }

    /// Makes the mind that a spec asks for. A spec is recorded, so one that holds a key is refused.
    pub fn mind(&self, spec: &Spec) -> Result<Arc<dyn Mind>, MindError> {
        let written = spec.to_string();
        let known = self.scrubber.scrub(&written);
        if known != written {
            let instead = match spec {
                Spec::Exec(_) => {
                    "name its variable instead, as exec[OPENAI_API_KEY]:COMMAND, and write \"$OPENAI_API_KEY\" in the command"
                }
                _ => "take it out",
            };
            let message = format!(
                "`{known}` holds one of your keys, and what answers for a seat is recorded: {instead}"
            );
            return Err(wrong("backend/key-in-seat", message));
        }
        match spec {
            Spec::Rehearsal => Ok(Arc::new(Rehearsal::default())),
            Spec::Named { provider, model } => self.model(spec, Some(*provider), "", model),
            Spec::Endpoint { url, model } => self.model(spec, None, url, model),
            Spec::Exec(program) => {
                let settings = self.settings.provider("exec");
                let environment = environment(&self.env, &program.variables);
                for (name, value) in &environment {
                    if holds_secret(name) {
                        self.scrubber.learn(&Secret::new(value));
                    }
                }
                let exec = Exec::new(program, &settings, self.programs.clone(), self.scrubber.clone());
                Ok(Arc::new(exec.within(environment, self.guard.clone())))
            }
            Spec::Script(file) => {
                let script = Script::load(file).map_err(|flaws| {
                    let lines: Vec<String> = flaws.iter().map(ToString::to_string).collect();
                    wrong("backend/bad-script", lines.join("\n"))
                })?;
                Ok(Arc::new(Scripted::new(spec.to_string(), script)))
            }
            Spec::Person => {
                Err(wrong("backend/elsewhere", "a person answers at the terminal or the web page, not here"))
            }
        }
    }

    fn model(
        &self,
        spec: &Spec,
        named: Option<ProviderName>,
        url: &str,
        model: &str,
    ) -> Result<Arc<dyn Mind>, MindError> {
        let (model, options) = split_options(model).map_err(|what| wrong("backend/bad-settings", what))?;
        let place = self.place(named, url)?;
        let source = self.source(&place)?;
        let url = |written: String| {
            Url::parse(&written).map_err(|_| {
                wrong("backend/bad-settings", format!("{} gives no URL for the model `{model}`", place.name))
            })
        };
        let urls =
            [url(source.wire.url(&place.base, model))?, url(source.wire.stream_url(&place.base, model))?];
        let thinks = reasons(model);
        let wishes = ModelOptions {
            effort: options.effort,
            tools: options.tools.unwrap_or(true) && source.settings.tools,
            patience_ms: thinks.then_some(THINKING_MS),
        };
        let usual = if thinks { THINKING_OUTPUT } else { USUAL_OUTPUT };
        let face = Face {
            kind: MindKind::Model,
            spec: self.scrubber.scrub(&spec.to_string()).into_owned(),
            model: Some(model.into()),
            provider: Some(place.named.map_or_else(|| host(&place.url), |name| name.to_string())),
            reaches: Some(host(&place.url)),
            price: self.price(&place, model),
            metered: true,
            output_most: source.settings.max_output_tokens.unwrap_or(usual),
            window: source.settings.window,
        };
        let account = format!("{} {model}", place.name);
        Ok(Arc::new(Model::new(face, source, urls, account, wishes)))
    }

    fn place(&self, named: Option<ProviderName>, url: &str) -> Result<ProviderAddress, MindError> {
        let name = named.map_or_else(|| url.to_string(), |name| name.to_string());
        let written = self.settings.provider(&name).base_url;
        let base = match named {
            None => url.to_string(),
            Some(ProviderName::OpenAi) => self.base(written, "OPENAI_BASE_URL", "https://api.openai.com/v1"),
            Some(ProviderName::Anthropic) => {
                self.base(written, "ANTHROPIC_BASE_URL", "https://api.anthropic.com")
            }
            Some(ProviderName::Gemini) => {
                self.base(written, "GEMINI_BASE_URL", "https://generativelanguage.googleapis.com")
            }
            Some(ProviderName::OpenRouter) => {
                self.base(written, "OPENROUTER_BASE_URL", "https://openrouter.ai/api/v1")
            }
            Some(ProviderName::Ollama) => match written.unwrap_or_else(|| ollama_host(&self.env)) {
                base if base.ends_with("/v1") => base,
                base => format!("{base}/v1"),
            },
        };
        let shown = named.map_or("the endpoint", ProviderName::as_str); // a URL that is wrong may hold a password
        let parsed = check_base(&base).and_then(|()| Url::parse(&base).map_err(|error| error.to_string()));
        let url = parsed
            .map_err(|what| wrong("backend/bad-settings", format!("the base URL of {shown}: {what}")))?;
        Ok(ProviderAddress { name, base, url, named })
    }

    fn base(&self, written: Option<String>, variable: &str, usual: &str) -> String {
        let base = written.or_else(|| self.env.get(variable)).unwrap_or_else(|| usual.into());
        base.trim_end_matches('/').into()
    }

    /// The provider as it is shared, made when its first seat is.
    fn source(&self, place: &ProviderAddress) -> Result<Arc<SharedProvider>, MindError> {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = sources.get(&place.name) {
            return Ok(source.clone());
        }
        let settings = self.settings.provider(&place.name);
        let wire: Box<dyn Wire> = match place.named {
            None | Some(ProviderName::OpenAi | ProviderName::OpenRouter | ProviderName::Ollama) => {
                Box::new(OpenAi { official: official(&place.url) == Some(ProviderName::OpenAi) })
            }
            Some(ProviderName::Anthropic) => Box::new(Anthropic),
            Some(ProviderName::Gemini) => Box::new(Gemini),
        };
        let source = Arc::new(SharedProvider {
            headers: headers(&*wire, self.key(place, &settings)?.as_ref())?,
            http: self.http.clone(),
            scrubber: self.scrubber.clone(),
            limiter: Limiter::new(settings.requests_per_minute, settings.tokens_per_minute, settings.at_once),
            ladder: ladder(settings.structured, wire.rungs()),
            pace: self.settings.pace,
            schemas: Schemas::default(),
            manners: Mutex::default(),
            settings,
            wire,
        });
        sources.insert(place.name.clone(), source.clone());
        Ok(source)
    }

    fn key(&self, place: &ProviderAddress, settings: &Provider) -> Result<Option<Secret>, MindError> {
        let no_key = |what: String| wrong("backend/no-key", what);
        let key = if let Some(file) = &settings.key_file {
            Some(Secret::read(file).map_err(no_key)?)
        } else if let Some(variable) = &settings.key_env {
            let value = self.env.get(variable);
            if value.is_none() && !self.http.replays() {
                return Err(no_key(format!(
                    "{} has no key: set {variable}, which providers.toml names",
                    place.name
                )));
            }
            value.map(|value| Secret::new(&value))
        } else {
            key_variables(place.named)
                .iter()
                .find_map(|name| self.env.get(name))
                .map(|value| Secret::new(&value))
        };
        // A replay asks nobody, so it needs no key.
        if key.is_none() && place.named.is_some() && official(&place.url).is_some() && !self.http.replays() {
            let variable = key_variables(place.named).first().copied().unwrap_or("key_env in providers.toml");
            return Err(no_key(format!(
                "{} has no key: set {variable} or `key_file` in providers.toml",
                place.name
            )));
        }
        if let Some(key) = &key {
            self.scrubber.learn(key);
        }
        Ok(key)
    }

    /// The user's own price wins; what runs on this machine is free; the shipped list holds for the
    /// providers' own servers only, since a gateway may charge anything.
    fn price(&self, place: &ProviderAddress, model: &str) -> Option<Price> {
        if let Some(price) = self.settings.prices.of(&place.name, model) {
            return Some(price);
        }
        if place.named == Some(ProviderName::Ollama) || is_loopback(&place.url) {
            return Some(Price::FREE);
        }
        self.shipped.of(official(&place.url)?.as_str(), model)
    }
}

/// The variables that may hold a provider's key, the first being the usual one.
pub fn key_variables(named: Option<ProviderName>) -> &'static [&'static str] {
    match named {
        None => &["SYNOD_API_KEY"],
        Some(ProviderName::OpenAi) => &["OPENAI_API_KEY"],
        Some(ProviderName::Anthropic) => &["ANTHROPIC_API_KEY"],
        Some(ProviderName::Gemini) => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        Some(ProviderName::OpenRouter) => &["OPENROUTER_API_KEY"],
        Some(ProviderName::Ollama) => &[],
    }
}

/// Whose own server this is.
fn official(url: &Url) -> Option<ProviderName> {
    match url.host_str()? {
        "api.openai.com" => Some(ProviderName::OpenAi),
        "api.anthropic.com" => Some(ProviderName::Anthropic),
        "generativelanguage.googleapis.com" => Some(ProviderName::Gemini),
        "openrouter.ai" => Some(ProviderName::OpenRouter),
        _ => None,
    }
}

/// Where Ollama is. Its own variable may lack the scheme, the host or the port, and may name the address
/// it listens on rather than one that can be called.
pub(crate) fn ollama_host(env: &Env) -> String {
    let Some(written) = env.get("OLLAMA_HOST") else { return "http://127.0.0.1:11434".into() };
    let (scheme, rest) = written.split_once("://").unwrap_or(("http", &written));
    let rest = rest.trim_end_matches('/');
    let rest = rest.replacen("0.0.0.0", "127.0.0.1", 1);
    let rest = if rest.starts_with(':') { format!("127.0.0.1{rest}") } else { rest };
    let has_port = rest.rsplit(']').next().is_some_and(|tail| tail.contains(':'));
    let port = if has_port || written.contains("://") { "" } else { ":11434" };
    format!("{scheme}://{rest}{port}")
}

fn ladder(structured: Structured, rungs: &[Rung]) -> Vec<Rung> {
    let only = |rung| vec![if rungs.contains(&rung) { rung } else { Rung::Plain }];
    match structured {
        Structured::Auto => rungs.to_vec(),
        Structured::Schema => only(Rung::Schema),
        Structured::Object => only(Rung::Object),
        Structured::Off => only(Rung::Plain),
    }
}

/// The headers of every request. The key is marked, so that nothing that prints headers prints it.
pub(crate) fn headers(wire: &dyn Wire, key: Option<&Secret>) -> Result<HeaderMap, MindError> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in wire.headers() {
        headers.insert(*name, HeaderValue::from_static(value));
    }
    if let Some((name, value)) = key.map(|key| wire.auth(key)) {
        let mut value = HeaderValue::from_str(&value).map_err(|_| {
            wrong("backend/no-key", "the key holds a character that no key has: is it cut or quoted?")
        })?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
