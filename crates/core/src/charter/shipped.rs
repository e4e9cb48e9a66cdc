//! The charters in the binary.
//!
//! A shipped charter means the same in every house: what it extends is looked up here and nowhere else. To add one:
//! a file in `charters/`, a line in `MODES` (or in `BASES`, if no matter can be held under it).

use std::sync::{LazyLock, OnceLock};

use super::Charter;
use super::inherit::{Parent, flatten};

/// A charter that ships with Synod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its whole text, joined with what it extends.
    pub source: &'static str,
}

/// A file in the binary. It is joined with what it extends when somebody asks for it: most runs need only one.
struct File {
    name: &'static str,
    written: &'static str,
    flat: OnceLock<String>,
}

macro_rules! files {
    ($(#[$about:meta])* $list:ident: $($name:literal)*) => {
        $(#[$about])*
        static $list: [File; [$($name),*].len()] = [$(File {
            name: $name,
            written: include_str!(concat!("../../../../charters/", $name, ".toml")),
            flat: OnceLock::new(),
        }),*];
    };
}

files! {
    /// Those that matters are held under. The first is the default.
    MODES:
    "blind-vote" "collaborative" "adversarial" "socratic" "expert-panel" "devils-advocate" "delphi"
    "red-team-blue-team" "ranked-choice" "open" "estimate" "ring-default" "ring-quick" "ring-strict" "ring-critical"
    "workshop" "workshop-light" "workshop-strict" "parliament-policy" "parliament-constitutional"
    "parliament-procedural" "parliament-legacy"
}

files! {
    /// Those that only others extend.
    BASES: "council-base" "parliament-base"
}

/// All that matters are held under. The first is the default.
pub static SHIPPED: LazyLock<Vec<Shipped>> = LazyLock::new(|| MODES.iter().map(File::shipped).collect());

impl File {
    fn shipped(&'static self) -> Shipped {
        // A shipped file that cannot be joined is a bug that a test finds; the text itself then says what is wrong.
        let joined = || flatten(self.written, &parent).map_or_else(|_| self.written.into(), |flat| flat.text);
        Shipped { name: self.name, source: self.flat.get_or_init(joined) }
    }
}

impl Shipped {
    /// What it says. Shipped charters have no flaws: a test reads each.
    pub fn charter(&self) -> Option<Charter> {
        Charter::parse(self.source).ok().map(|(charter, _)| charter)
    }
}

/// Those under which seats are called to speak, rather than come by themselves.
pub fn councils() -> impl Iterator<Item = Shipped> {
    SHIPPED
        .iter()
        .copied()
        .filter(|shipped| shipped.charter().is_some_and(|charter| charter.council().is_some()))
}

/// The shipped charter of that name.
pub fn shipped(name: &str) -> Option<Shipped> {
    MODES.iter().find(|file| file.name == name).map(File::shipped)
}

/// The shipped charter or base of that name, for others to extend.
pub fn parent(name: &str) -> Option<Parent> {
    let base = BASES.iter().find(|file| file.name == name).map(|file| file.written);
    let source = base.or_else(|| shipped(name).map(|shipped| shipped.source))?;
    Some(Parent { file: name.into(), source: source.into() })
}

/// The names of all that can be extended.
pub(super) fn parents() -> impl Iterator<Item = &'static str> {
    BASES.iter().chain(&MODES).map(|file| file.name)
}
