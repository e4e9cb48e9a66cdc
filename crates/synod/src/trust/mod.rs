//! Consent: a house may be a stranger's, copied or cloned, so it runs no program, contacts no server of its choice and
//! sends no key before the user has agreed to exactly that.
//!
//! Consent is for one thing in one house. It is kept with the user, never in the house. What a user types needs none and
//! is kept as agreed, so that the matter can be resumed.

mod kept;

use std::collections::BTreeSet;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use synod_core::kernel::{Digest, text};
use synod_minds::{Provider, Settings, Spec, key_variables};

use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::{out, tokens};

pub(crate) use kept::StoredConsent;

/// Whether everything is trusted in this run.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct TrustArg {
    /// Run the programs and contact the servers that this house names, without asking, in this run only. SYNOD_TRUST=1
    /// does the same. See `synod trust`.
    #[arg(long, help_heading = "Trust")]
    trust: bool,
}

impl TrustArg {
    pub(crate) fn is_given(self) -> bool {
        self.trust || std::env::var_os("SYNOD_TRUST").is_some_and(|set| set == "1" || set == "true")
    }
}

/// One thing that needs consent: a program to run, a file to read, a server to contact, a key to send.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Want {
    /// All that it depends on, in a form that never changes: consent is for this.
    exactly: String,
    /// The same for people.
    shown: String,
    /// Whether the settings of the house decide it, and not the seat alone: then typing the seat is no consent.
    by_settings: bool,
}

impl Want {
    /// What a backend needs consent for under these settings. Rehearsal, people, and providers at their usual place with
    /// their usual key need none.
    pub(crate) fn of(spec: &Spec, settings: &Settings) -> Option<Self> {
        let seat = |shown: String| {
            let exactly = exactly(&["seat", &spec.to_string()]);
            Some(Self { exactly, shown: visible(&shown), by_settings: false })
        };
        match spec {
            Spec::Exec(program) => seat(match program.variables.as_slice() {
                [] => format!("run the program: {}", program.command),
                names => format!("run the program: {}, with {}", program.command, names.join(", ")),
            }),
            Spec::Script(file) => seat(format!("read answers from the file: {}", file.display())),
            Spec::Endpoint { url, .. } => {
                match settings.providers.get(url).and_then(|own| server(url, own)) {
                    None => seat(format!("contact {url}, with the key in SYNOD_API_KEY if it is set")),
                    decided => decided,
                }
            }
            Spec::Named { provider, .. } => {
                let name = provider.as_str();
                settings.providers.get(name).and_then(|own| server(name, own))
            }
            Spec::Rehearsal | Spec::Person => None,
        }
    }

    /// Everything the settings of a house decide about servers and keys.
    pub(crate) fn of_settings(settings: &Settings) -> impl Iterator<Item = Self> {
        settings.providers.iter().filter_map(|(name, own)| server(name, own))
    }

    /// The prices of a house: budgets are counted by them, so a stranger's could switch a budget off.
    pub(crate) fn of_prices(house: &Path) -> Option<Self> {
        let bytes = synod_journal::file::read_own(&house.join("prices.toml"), 1 << 20).ok()?;
        let exactly = exactly(&["prices", &String::from_utf8_lossy(&bytes)]);
        let shown = visible("count costs and budgets by its own prices (prices.toml)");
        Some(Self { exactly, shown, by_settings: true })
    }

    /// A token: whoever shows it is let in.
    pub(crate) fn of_token(token: &tokens::StoredToken) -> Self {
        let whose = match &token.holds {
            tokens::Holds::Operator(label) => format!("the operator ({label})"),
            tokens::Holds::Participant(who) => format!("participant {who}"),
        };
        let bare = tokens::StoredToken { revoked: None, ..token.clone() };
        let exactly = exactly(&["token", &serde_json::to_string(&bare).unwrap_or_default()]);
        let shown = format!("let in whoever shows the token {} of {whose} (tokens.json)", token.id());
        Self { exactly, shown: visible(&shown), by_settings: true }
    }

    /// For people. Holds no character that steers a terminal or breaks the line.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }
}

/// Where the settings send what is asked of a provider or endpoint, and with which key; `None` if all is as usual.
fn server(name: &str, own: &Provider) -> Option<Want> {
    let Provider { base_url, key_env, key_file, .. } = own;
    // A relative name may become a link to any other file.
    let file = key_file.as_ref().map(|file| file.canonicalize().unwrap_or_else(|_| file.clone()));
    let file = file.map(|file| file.display().to_string());
    if base_url.is_none() && key_env.is_none() && file.is_none() {
        return None;
    }
    let is_url = name.contains("://");
    let at = match base_url {
        Some(base) => base.clone(),
        None if is_url => name.to_string(),
        None => format!("the usual server of {name}"),
    };
    let usual = || synod_minds::ProviderName::parse(name).map_or(&[][..], |named| key_variables(Some(named)));
    let shown = match (&file, key_env) {
        (Some(file), _) => format!("send the key in the file {file} to {at} (providers.toml, [{name}])"),
        (None, Some(variable)) => format!("send the key in {variable} to {at} (providers.toml, [{name}])"),
        (None, None) => match usual() {
            [] => format!("contact {at} for {name} (providers.toml, [{name}])"),
            keys => format!("send the key in {} to {at} (providers.toml, [{name}])", keys.join(" or ")),
        },
    };
    let part = |set: Option<&str>| set.map(|set| format!("={set}")).unwrap_or_default();
    let (base, env, file) = (part(base_url.as_deref()), part(key_env.as_deref()), part(file.as_deref()));
    let exactly = exactly(&["server", name, &base, &env, &file]);
    Some(Want { exactly, shown: visible(&shown), by_settings: true })
}

/// Parts as one text that only these parts make.
fn exactly(parts: &[&str]) -> String {
    parts.iter().map(|part| format!("{}:{part}\n", part.len())).collect()
}

/// Text of a stranger on one line: what would steer a terminal, turn the direction or break the line is spelled out.
fn visible(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        let steers = c.is_control() || text::turns(c) || matches!(c, '\u{2028}' | '\u{2029}');
        if steers { line.extend(c.escape_default()) } else { line.push(c) }
    }
    line
}

/// The reaction to missing consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConsentMode {
    /// Everything is trusted.
    TrustAll,
    /// The user is asked if they are at a terminal.
    Ask,
    /// Nobody can be asked: a service.
    Refuse,
}

/// The guard of a house.
#[derive(Debug, Clone)]
pub(crate) struct TrustGuard {
    house: PathBuf,
    manner: ConsentMode,
    /// What was agreed to in this process, wherever that can be kept.
    agreed: Arc<Mutex<BTreeSet<String>>>,
}

impl TrustGuard {
    /// For a command, which may ask.
    pub(crate) fn asking(house: &Path, arg: TrustArg) -> Self {
        Self::new(house, if arg.is_given() { ConsentMode::TrustAll } else { ConsentMode::Ask })
    }

    /// For a service, which cannot.
    pub(crate) fn refusing(house: &Path, arg: TrustArg) -> Self {
        Self::new(house, if arg.is_given() { ConsentMode::TrustAll } else { ConsentMode::Refuse })
    }

    /// Whether everything is trusted.
    pub(crate) fn is_given(&self) -> bool {
        self.manner == ConsentMode::TrustAll
    }

    fn new(house: &Path, manner: ConsentMode) -> Self {
        Self { house: house.into(), manner, agreed: Arc::default() }
    }

    /// Lets these backends be performed, or says why not. `typed` are those the user wrote for this very run.
    pub(crate) fn check<'a>(
        &self,
        settings: &Settings,
        backends: impl Iterator<Item = (&'a Spec, bool)>,
    ) -> Result<()> {
        if self.manner == ConsentMode::TrustAll {
            return Ok(());
        }
        let backends: Vec<(&Spec, bool)> = backends.collect();
        let is_priced = |spec: &Spec| matches!(spec, Spec::Named { .. } | Spec::Endpoint { .. });
        let priced = backends.iter().any(|(spec, _)| is_priced(spec));
        let prices = Want::of_prices(&self.house).filter(|_| priced).map(|want| (want, false));
        let wants = backends.into_iter().filter_map(|(spec, typed)| Some((Want::of(spec, settings)?, typed)));
        let wants = wants.chain(prices);
        let (given, wanted): (Vec<_>, Vec<_>) = wants.partition(|(want, typed)| *typed && !want.by_settings);
        let only = |wants: Vec<(Want, bool)>| -> BTreeSet<Want> {
            wants.into_iter().map(|(want, _)| want).collect()
        };
        self.demand(only(wanted))?;
        let given = only(given);
        if !given.is_empty() {
            self.agree(&given);
        }
        Ok(())
    }

    fn demand(&self, mut wants: BTreeSet<Want>) -> Result<()> {
        if wants.is_empty() {
            return Ok(());
        }
        let kept = StoredConsent::of(&self.house)?;
        let agreed = self.agreed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        wants.retain(|want| !agreed.contains(&want.exactly) && !kept.holds(&kept.digest(&want.exactly)));
        if wants.is_empty() {
            return Ok(());
        }
        if self.manner == ConsentMode::Ask && can_ask() && asked(&self.house, &kept, &wants)? {
            self.agree(&wants);
            return Ok(());
        }
        Err(refused(&self.house, &kept, &wants))
    }

    /// Remembers consent. Where it cannot be kept, it holds for this process.
    fn agree(&self, wants: &BTreeSet<Want>) {
        let exactly = wants.iter().map(|want| want.exactly.clone());
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner).extend(exactly);
        let kept = StoredConsent::of(&self.house);
        if kept.as_ref().is_ok_and(|kept| !kept.is_bound()) {
            // Consent is for one folder, and there is none yet: it is kept as soon as the house is made.
            let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
            pending.extend(wants.iter().map(|want| (self.house.clone(), want.clone())));
            return;
        }
        if let Err(fail) = kept.and_then(|mut kept| record(&mut kept, wants)) {
            out::error(&out::clean(&format!("note: this is trusted for now only: {}", fail.message())));
        }
    }
}

/// Consent that was given before its house was made.
static PENDING: Mutex<Vec<(PathBuf, Want)>> = Mutex::new(Vec::new());

/// Keeps the consent that was given before this house was made.
pub(crate) fn house_is_made(house: &Path) {
    let mut pending = PENDING.lock().unwrap_or_else(PoisonError::into_inner);
    let (own, others) = pending.drain(..).partition::<Vec<_>, _>(|(of, _)| of == house);
    *pending = others;
    drop(pending);
    if own.is_empty() {
        return;
    }
    let kept =
        StoredConsent::of(house).and_then(|mut kept| record(&mut kept, own.iter().map(|(_, want)| want)));
    if let Err(fail) = kept {
        out::error(&out::clean(&format!("note: this is trusted for now only: {}", fail.message())));
    }
}

/// Remembers that the user made this token: one that came with a house lets nobody in.
pub(crate) fn token_is_made(house: &Path, token: &tokens::StoredToken) {
    if let Err(fail) =
        StoredConsent::of(house).and_then(|mut kept| record(&mut kept, [&Want::of_token(token)]))
    {
        out::error(&out::clean(&format!(
            "note: this token is accepted only by `synod serve --trust`: {}",
            fail.message()
        )));
    }
}

/// Forgets tokens that were revoked, so that nobody can bring them back.
pub(crate) fn tokens_are_revoked(house: &Path, tokens: &[tokens::StoredToken]) -> Result<()> {
    let mut kept = StoredConsent::of(house)?;
    let digests: Vec<Digest> =
        tokens.iter().map(|token| kept.digest(&Want::of_token(token).exactly)).collect();
    kept.withdraw(&digests)
}

/// Records consent with the user.
pub(crate) fn record<'a>(kept: &mut StoredConsent, wants: impl IntoIterator<Item = &'a Want>) -> Result<()> {
    let digests: Vec<Digest> = wants.into_iter().map(|want| kept.digest(&want.exactly)).collect();
    kept.add(&digests)
}

/// Whether this was agreed to.
pub(crate) fn is_kept(kept: &StoredConsent, want: &Want) -> bool {
    kept.holds(&kept.digest(&want.exactly))
}

/// Whether somebody reads what is asked and can answer.
pub(crate) fn can_ask() -> bool {
    out::person_there() && std::io::stderr().is_terminal()
}

fn list<'a>(wants: impl IntoIterator<Item = &'a Want>) -> String {
    wants.into_iter().map(|want| format!("  {}\n", want.shown)).collect()
}

/// Asks once; anything but yes is no.
pub(crate) fn asked<'a>(
    house: &Path,
    kept: &StoredConsent,
    wants: impl IntoIterator<Item = &'a Want>,
) -> Result<bool> {
    let text = format!("{}\n{}Allow this? [y/N] ", heading(house, kept), list(wants));
    let failed = |error: std::io::Error| Fail::new(code::IO, "house/untrusted", error.to_string());
    let mut screen = std::io::stderr().lock();
    screen.write_all(text.as_bytes()).and_then(|()| screen.flush()).map_err(failed)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn heading(house: &Path, kept: &StoredConsent) -> String {
    let house = visible(&house.display().to_string());
    match kept.knows_house() {
        true => {
            format!("the house {house} asks for something you have not agreed to: it is new or has changed")
        }
        false => format!("the house {house} asks for something you have not agreed to"),
    }
}

fn refused<'a>(house: &Path, kept: &StoredConsent, wants: impl IntoIterator<Item = &'a Want>) -> Fail {
    let flag = HouseArg::at(house.into()).flag();
    let once = "pass --trust (or set SYNOD_TRUST=1) to allow everything in one run";
    let remedy = match kept.is_possible() {
        true => format!("if you trust it, run `synod trust{flag}`, or {once}"),
        false => format!("consent cannot be saved, because neither HOME nor XDG_STATE_HOME is set: {once}"),
    };
    let message = format!(
        "{}:\n{}nothing was run or sent; {remedy}\nconsent covers exactly these lines: if one changes, you are asked again",
        heading(house, kept),
        list(wants)
    );
    Fail::new(code::UNAVAILABLE, "house/untrusted", message)
}
