//! Witnesses: somebody outside a house who signs that its record only grows, and refuses when it does not.
//!
//! `judge` is the one rule, whatever the checkpoint comes by: standard input, HTTP. `book` is what a witness remembers, outside of every
//! house. `push` is the house's side: it shows checkpoints to witnesses and keeps what they sign; `showing` does so for a service. A refusal of a witness stops the
//! checkpoints of the house until somebody has looked into it. `git` and `stamp` are two other places that remember.

pub(crate) mod book;
pub(crate) mod git;
pub(crate) mod judge;
pub(crate) mod push;
pub(crate) mod showing;
pub(crate) mod stamp;

/// What the commands that open a house say as long as a witness has refused it.
pub(crate) fn warn_if_refused(dir: &std::path::Path) {
    if let Some(refusal) = synod_journal::checkpoints::refusal(dir) {
        crate::out::error(&format!(
            "witness {} refused this house at size {} ({}): nothing is signed until this is resolved; see `synod witness status`",
            refusal.witness, refusal.size, refusal.said
        ));
    }
}
