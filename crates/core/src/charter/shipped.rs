//! The charters in the binary.

/// A charter that ships with Synod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shipped {
    /// Its name.
    pub name: &'static str,
    /// Its source text.
    pub source: &'static str,
}

/// All of them. The first is the default.
pub const SHIPPED: [Shipped; 2] = [
    Shipped { name: "blind-vote", source: include_str!("../../../../charters/blind-vote.toml") },
    Shipped { name: "collaborative", source: include_str!("../../../../charters/collaborative.toml") },
];

/// The shipped charter of that name.
pub fn shipped(name: &str) -> Option<Shipped> {
    SHIPPED.into_iter().find(|charter| charter.name == name)
}
