//! The charters in the binary.

use super::{Charter, Procedure};

/// A charter that ships with Synod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its source text.
    pub source: &'static str,
}

/// All of them. The first is the default.
pub const SHIPPED: [Shipped; 13] = [
    Shipped { name: "blind-vote", source: include_str!("../../../../charters/blind-vote.toml") },
    Shipped { name: "collaborative", source: include_str!("../../../../charters/collaborative.toml") },
    Shipped { name: "adversarial", source: include_str!("../../../../charters/adversarial.toml") },
    Shipped { name: "socratic", source: include_str!("../../../../charters/socratic.toml") },
    Shipped { name: "expert-panel", source: include_str!("../../../../charters/expert-panel.toml") },
    Shipped { name: "devils-advocate", source: include_str!("../../../../charters/devils-advocate.toml") },
    Shipped { name: "delphi", source: include_str!("../../../../charters/delphi.toml") },
    Shipped {
        name: "red-team-blue-team",
        source: include_str!("../../../../charters/red-team-blue-team.toml"),
    },
    Shipped { name: "ranked-choice", source: include_str!("../../../../charters/ranked-choice.toml") },
    Shipped { name: "ring-default", source: include_str!("../../../../charters/ring-default.toml") },
    Shipped { name: "ring-quick", source: include_str!("../../../../charters/ring-quick.toml") },
    Shipped { name: "ring-strict", source: include_str!("../../../../charters/ring-strict.toml") },
    Shipped { name: "ring-critical", source: include_str!("../../../../charters/ring-critical.toml") },
];

impl Shipped {
    /// What it says. Shipped charters have no flaws: a test reads each.
    pub fn charter(&self) -> Option<Charter> {
        Charter::parse(self.source).ok().map(|(charter, _)| charter)
    }
}

/// Those under which seats are called to speak, rather than come by themselves.
pub fn councils() -> impl Iterator<Item = Shipped> {
    SHIPPED.into_iter().filter(|shipped| {
        shipped.charter().is_some_and(|charter| match charter.procedure {
            Procedure::Council(_) => true,
            Procedure::Ring(_) => false,
        })
    })
}

/// The shipped charter of that name.
pub fn shipped(name: &str) -> Option<Shipped> {
    SHIPPED.into_iter().find(|charter| charter.name == name)
}
