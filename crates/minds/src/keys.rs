//! Keys: where they come from, and how they are kept out of everything that is shown or recorded.
//!
//! A secret is never printed, never part of a URL, and leaves this crate only in a request header. The
//! environment is taken as a value, so that tests need not change that of the process.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// What stands where a secret stood.
const HIDDEN: &str = "[secret]";

/// Shorter values are the stand-ins people give to local servers (`x`, `none`, `ollama`). Taking those out
/// of every text would maim answers and hide nothing.
const SHORTEST: usize = 8;

/// The variables that hold keys by custom.
pub(crate) const KEY_VARIABLES: [&str; 6] = [
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "OPENROUTER_API_KEY",
    "SYNOD_API_KEY",
];

/// Whether a variable of this name holds a secret by custom. What is only a setting must not be taken out of answers.
pub(crate) fn holds_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ["KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "AUTH"].iter().any(|word| name.contains(word))
}

type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The environment: that of the process, or a map.
#[derive(Clone)]
pub struct Env(Arc<Lookup>);

impl Env {
    /// The environment of this process.
    pub fn process() -> Self {
        Self(Arc::new(|name| std::env::var(name).ok()))
    }

    /// These variables and no others.
    pub fn of<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let map: BTreeMap<String, String> = pairs.into_iter().map(|(k, v)| (k.into(), v.into())).collect();
        Self(Arc::new(move |name| map.get(name).cloned()))
    }

    /// The value of a variable, trimmed; one that is set to nothing counts as not set.
    pub fn get(&self, name: &str) -> Option<String> {
        let value = (self.0)(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| value.into())
    }
}

impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Env")
    }
}

/// Far longer than any key.
const SIZE_MOST: u64 = 1 << 16;

/// A key. Prints as `[secret]`, whatever the format.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<str>);

impl Secret {
    /// Takes a key.
    pub fn new(value: &str) -> Self {
        Self(value.into())
    }

    /// Reads a key from the first line of a file that only its owner may read.
    pub fn read(file: &Path) -> Result<Self, String> {
        let shown = file.display();
        let wrong = |error: std::io::Error| format!("key file {shown}: {error}");
        let open = crate::file::open(file).map_err(wrong)?;
        refuse_readable(file, &open.metadata().map_err(wrong)?)?;
        let text = crate::file::read(open, SIZE_MOST).map_err(wrong)?;
        match text.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) => Ok(Self::new(line)),
            None => Err(format!("key file {shown} is empty")),
        }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

#[cfg(unix)]
fn refuse_readable(file: &Path, facts: &std::fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    if facts.permissions().mode() & 0o077 == 0 {
        return Ok(());
    }
    let shown = file.display();
    Err(format!("key file {shown} can be read by others: run `chmod 600 {shown}`"))
}

#[cfg(not(unix))]
fn refuse_readable(_file: &Path, _facts: &std::fs::Metadata) -> Result<(), String> {
    Ok(())
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Takes every known secret out of text. Clones share what they know.
#[derive(Clone, Default)]
pub struct Scrubber(Arc<RwLock<Vec<String>>>);

impl Scrubber {
    /// Knows the secret from now on, also in the spelling it has inside JSON.
    pub fn learn(&self, secret: &Secret) {
        let plain = secret.reveal();
        if plain.len() < SHORTEST {
            return;
        }
        let quoted = serde_json::Value::from(plain).to_string();
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for form in [plain, &quoted[1..quoted.len() - 1]] {
            if !known.iter().any(|old| old == form) {
                known.push(form.into());
            }
        }
        // Longest first, so that a secret that begins another does not leave its tail behind.
        known.sort_by_key(|form| std::cmp::Reverse(form.len()));
    }

    /// The text without secrets.
    pub fn scrub<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let mut clean = Cow::Borrowed(text);
        for secret in known.iter() {
            if clean.contains(secret.as_str()) {
                clean = Cow::Owned(clean.replace(secret.as_str(), HIDDEN));
            }
        }
        clean
    }

    /// The same for text that is owned, without a copy when it is clean.
    pub(crate) fn scrub_owned(&self, text: String) -> String {
        match self.scrub(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        }
    }
}

impl fmt::Debug for Scrubber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scrubber")
    }
}
