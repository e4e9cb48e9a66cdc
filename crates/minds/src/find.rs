//! What is at hand: providers whose key is set, and servers on this machine that answer.
//!
//! Looks only where the environment points and where Ollama listens by default, for a third of a second,
//! and sends no brief anywhere.

use std::time::Duration;

use reqwest::header::HeaderMap;
use reqwest::{Method, Request, Url};
use serde_json::Value;

use crate::cassette::Tape;
use crate::cast::{headers, key_variables, ollama_host};
use crate::http::{Http, check_base};
use crate::keys::{Env, Scrubber, Secret};
use crate::spec::{ProviderName, Spec};
use crate::wire::openai::OpenAi;

/// How long a server may take to say that it is there.
const PATIENCE: Duration = Duration::from_millis(300);

/// A provider that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProvider {
    /// Which: `openai`, `ollama`, `lm-studio`.
    pub provider: String,
    /// How it was found, for people: `OPENAI_API_KEY is set`.
    pub how: String,
    /// What to write for its default model; `None` for a server that has none.
    pub spec: Option<Spec>,
    /// Its models, where it was asked.
    pub models: Vec<String>,
}

/// The model to begin with: small, current, and one that answers without thinking at length first, as
/// thoughts would use up the length of an answer. Last looked at in 2026-11.
fn default_model(provider: ProviderName) -> Option<&'static str> {
    match provider {
        ProviderName::OpenAi => Some("gpt-4.1-mini"),
        ProviderName::Anthropic => Some("claude-haiku-4-5"),
        ProviderName::Gemini => Some("gemini-3.1-flash-lite"),
        // A router chooses among many; this one is small, and made by nobody of those above.
        ProviderName::OpenRouter => Some("mistralai/mistral-small-3.2-24b-instruct"),
        ProviderName::Ollama => None, // whatever is installed
    }
}

/// Looks around.
pub async fn find(env: &Env) -> Vec<FoundProvider> {
    let http = Http::new(Tape::Off, Scrubber::default());
    let (endpoint, ollama) = tokio::join!(openai_endpoint(env, &http), ollama(env, &http));
    let keyed = ProviderName::ALL.into_iter().filter_map(|provider| keyed(env, provider));
    // An endpoint that was asked for its models is known better than by its key.
    let better =
        |found: &FoundProvider| endpoint.as_ref().is_none_or(|known| known.provider != found.provider);
    let mut all: Vec<FoundProvider> = keyed.filter(better).collect();
    all.extend(endpoint.clone());
    all.extend(ollama);
    all.sort_by_key(|found| ProviderName::ALL.into_iter().position(|name| name.as_str() == found.provider));
    all
}

/// Servers on this machine that speak OpenAI's API and need no key. Debates do not look for them by themselves: whatever
/// listens at such a port may be something else.
pub async fn find_local(env: &Env) -> Vec<FoundProvider> {
    let http = Http::new(Tape::Off, Scrubber::default());
    let (studio, llama) = tokio::join!(
        local(env, &http, ("lm-studio", "LM Studio"), "LM_STUDIO_HOST", "127.0.0.1:1234"),
        local(env, &http, ("llama.cpp", "llama.cpp"), "LLAMA_CPP_HOST", "127.0.0.1:8080"),
    );
    studio.into_iter().chain(llama).collect()
}

async fn local(
    env: &Env,
    http: &Http,
    (provider, called): (&str, &str),
    variable: &str,
    usual: &str,
) -> Option<FoundProvider> {
    let host = env.get(variable).unwrap_or_else(|| usual.into());
    let host = host.trim_end_matches('/').trim_end_matches("/v1");
    let base = if host.contains("://") { format!("{host}/v1") } else { format!("http://{host}/v1") };
    check_base(&base).ok()?;
    let list = get(http, &format!("{base}/models"), HeaderMap::new()).await?;
    let models = names(&list["data"], "id");
    let model = models.first()?.clone();
    let how = format!("{called} answers at {base}");
    Some(FoundProvider {
        provider: provider.into(),
        how,
        spec: Some(Spec::Endpoint { url: base, model }),
        models,
    })
}

fn keyed(env: &Env, provider: ProviderName) -> Option<FoundProvider> {
    let variable = key_variables(Some(provider)).iter().find(|name| env.get(name).is_some())?;
    let model = default_model(provider)?;
    let spec = Some(Spec::Named { provider, model: model.into() });
    let provider = provider.to_string();
    Some(FoundProvider { provider, how: format!("{variable} is set"), spec, models: Vec::new() })
}

/// An endpoint that `OPENAI_BASE_URL` points at, if it lists its models.
async fn openai_endpoint(env: &Env, http: &Http) -> Option<FoundProvider> {
    let base = env.get("OPENAI_BASE_URL")?;
    check_base(&base).ok()?;
    let key = env.get("OPENAI_API_KEY").map(|key| Secret::new(&key));
    let headers = headers(&OpenAi { official: false }, key.as_ref()).ok()?;
    let list = get(http, &format!("{}/models", base.trim_end_matches('/')), headers).await?;
    Some(found(ProviderName::OpenAi, "OPENAI_BASE_URL answers", &list["data"], "id"))
}

async fn ollama(env: &Env, http: &Http) -> Option<FoundProvider> {
    let host = ollama_host(env);
    let list = get(http, &format!("{host}/api/tags"), HeaderMap::new()).await?;
    Some(found(ProviderName::Ollama, &format!("Ollama answers at {host}"), &list["models"], "name"))
}

fn found(provider: ProviderName, how: &str, list: &Value, key: &str) -> FoundProvider {
    let models = names(list, key);
    let usual = default_model(provider).filter(|usual| models.iter().any(|model| model == usual));
    let model = usual.map(str::to_string).or_else(|| models.first().cloned());
    let spec = model.map(|model| Spec::Named { provider, model });
    FoundProvider { provider: provider.to_string(), how: how.into(), spec, models }
}

/// The names in a list of models, without those that only measure text.
fn names(list: &Value, key: &str) -> Vec<String> {
    let entries = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let names = entries.iter().filter_map(|one| one[key].as_str()).map(str::to_string);
    names.filter(|name| !name.contains("embed")).collect()
}

async fn get(http: &Http, url: &str, headers: HeaderMap) -> Option<Value> {
    let url = Url::parse(url).ok().filter(|url| url.username().is_empty() && url.password().is_none())?;
    let mut request = Request::new(Method::GET, url);
    *request.headers_mut() = headers;
    let answer = http.exchange(&request, PATIENCE, &mut ()).await.ok()?;
    (answer.status == 200).then(|| serde_json::from_slice(&answer.body).ok()).flatten()
}
