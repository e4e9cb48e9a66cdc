//! What performs seats: the settings of the house, the keys of the user, and the user's consent to use them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use synod_core::kernel::text::counted;
use synod_minds::{Env, MindError, MindFactory, Settings, Spec};

use crate::fail::{Fail, Result, code};
use crate::trust::{TrustArg, TrustGuard};

/// How a command performs seats.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PerformArgs {
    #[command(flatten)]
    cassettes: CassetteArgs,
    #[command(flatten)]
    trust: TrustArg,
}

/// Where exchanges with providers are recorded to or replayed from.
#[derive(Debug, Clone, Default, Args)]
struct CassetteArgs {
    /// Record every exchange with a provider to this file, without secrets.
    #[arg(long, help_heading = "Recording", value_name = "FILE", conflicts_with = "playback")]
    record: Option<PathBuf>,
    /// Play back recorded exchanges from this file; no provider is called.
    #[arg(long, help_heading = "Recording", value_name = "FILE")]
    playback: Option<PathBuf>,
}

impl CassetteArgs {
    fn cassette(&self) -> synod_minds::Cassette {
        match (&self.record, &self.playback) {
            (Some(file), _) => synod_minds::Cassette::Record(file.clone()),
            (None, Some(file)) => synod_minds::Cassette::Replay(file.clone()),
            (None, None) => synod_minds::Cassette::Off,
        }
    }
}

/// Makes what answers for seats, as far as the user agrees.
#[derive(Debug)]
pub(crate) struct Casting {
    minds: MindFactory,
    settings: Settings,
    trust: TrustGuard,
}

impl Casting {
    /// For a command.
    pub(crate) fn new(house: &Path, env: Env, perform: &PerformArgs) -> Result<Self> {
        let trust = TrustGuard::asking(house, perform.trust);
        Self::by(settings(house)?, env, perform.cassettes.cassette(), trust)
    }

    fn by(settings: Settings, env: Env, cassette: synod_minds::Cassette, trust: TrustGuard) -> Result<Self> {
        let minds =
            MindFactory::new(settings.clone(), env, cassette).map_err(|error| unmade(&error, None))?;
        let minds = minds.guarded_by(crate::guard::guard());
        Ok(Self { minds, settings, trust })
    }

    /// Refuses backends that the user has not agreed to. Comes before anything is made of them: making reads key files.
    pub(crate) fn check<'a>(&self, backends: impl Iterator<Item = (&'a Spec, bool)>) -> Result<()> {
        self.trust.check(&self.settings, backends)
    }

    /// Whether everything is trusted in this run.
    pub(crate) fn trusts_all(&self) -> bool {
        self.trust.is_given()
    }

    /// Only for backends that were checked.
    pub(crate) fn minds(&self) -> &MindFactory {
        &self.minds
    }
}

/// The backends that answer for the seats of a service: one set for all its matters, so that a provider's limits hold
/// for all of them together. Made anew when the settings were changed.
#[derive(Debug)]
pub(crate) struct ServiceCasting {
    trust: TrustGuard,
    made: Mutex<Option<Arc<Casting>>>,
}

impl ServiceCasting {
    pub(crate) fn new(house: &Path, trust: TrustArg) -> Self {
        Self { trust: TrustGuard::refusing(house, trust), made: Mutex::default() }
    }

    pub(crate) fn casting(&self, house: &Path) -> Result<Arc<Casting>> {
        let now = settings(house)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(casting) = made.as_ref().filter(|casting| casting.settings == now) {
            return Ok(casting.clone());
        }
        let trust = self.trust.clone();
        let casting = Arc::new(Casting::by(now, Env::process(), synod_minds::Cassette::Off, trust)?);
        *made = Some(casting.clone());
        Ok(casting)
    }
}

/// The variable that sets the first wait of retries in milliseconds, over the settings; each further one doubles, up to 16 times.
const WAIT: &str = "SYNOD_RETRY_WAIT_MS";

/// The settings of a house.
pub(crate) fn settings(house: &Path) -> Result<Settings> {
    let paced = |mut settings: Settings| {
        if let Some(ms) = std::env::var(WAIT).ok().and_then(|ms| ms.trim().parse::<u64>().ok()) {
            settings.pace.base_ms = ms;
            settings.pace.cap_ms = ms.saturating_mul(16);
        }
        settings
    };
    Settings::load(house).map(paced).map_err(|flaws| {
        let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {flaw}")).collect();
        Fail::new(
            code::DATA,
            "settings/flawed",
            format!("the settings have {}:\n{}", counted(flaws.len() as u64, "error"), lines.join("\n")),
        )
    })
}

/// A backend that cannot be made, told with the seat it is for.
pub(crate) fn unmade(error: &MindError, name: Option<&str>) -> Fail {
    let whose = name.map(|name| format!("seat `{name}`: ")).unwrap_or_default();
    Fail::new(code::DATA, error.code, format!("{whose}{}", error.message))
}
