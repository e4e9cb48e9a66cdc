//! What is wrong in a file, told with the file's name. TOML itself is read by the core's reader.

use std::fmt;

use synod_core::charter::source::{self, SourceTable};

/// Something wrong in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFlaw {
    /// The file.
    pub file: String,
    /// The line, counted from 1; 0 when the whole file is meant.
    pub line: usize,
    /// What is wrong, and what to write.
    pub what: String,
}

impl fmt::Display for SettingsFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.what),
            line => write!(f, "{}:{line}: {}", self.file, self.what),
        }
    }
}

/// Reads a file whose tables have any names; `take` asks for them. Gives its flaws, by line.
pub(crate) fn read_file(
    file: &str,
    text: &str,
    take: impl FnOnce(&SourceTable<'_, '_>),
) -> Vec<SettingsFlaw> {
    let (_, mut flaws, _) = source::read(text, take);
    // Of a file that is no TOML, other flaws would be those of what was guessed from it.
    if flaws.iter().any(|flaw| flaw.key.is_empty()) {
        flaws.retain(|flaw| flaw.key.is_empty());
    }
    flaws.sort_by_key(|flaw| flaw.line);
    flaws.into_iter().map(|flaw| told(file, flaw)).collect()
}

fn told(file: &str, flaw: source::Flaw) -> SettingsFlaw {
    let source::Flaw { line, key, wrong, fix, .. } = flaw;
    // A URL that holds a password must not be shown.
    let hidden = key.is_empty() || (key.contains("://") && key.contains('@'));
    let key = if hidden { String::new() } else { format!("`{key}`: ") };
    let fix = if fix.is_empty() { fix } else { format!("; {fix}") };
    SettingsFlaw { file: file.into(), line, what: format!("{key}{wrong}{fix}") }
}
