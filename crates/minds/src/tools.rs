//! Tools that a model may use while it answers. What they do is not known here: the engine offers and performs them.

use std::pin::Pin;

/// A tool as a model is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// The JSON schema of its arguments.
    pub parameters: &'static str,
}

/// A use of a tool, as a model wished for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// What the answer to it has to name.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The wish as it came, where it has to be sent back so.
    pub(crate) raw: Option<serde_json::Value>,
}

/// What a tool gave, while it is awaited.
pub type Using<'a> = Pin<Box<dyn Future<Output = String> + Send + 'a>>;

/// The tools of one ask.
pub trait Toolbox: Send + Sync {
    /// Which there are.
    fn tools(&self) -> &[Tool];

    /// How many uses an answer may take.
    fn most(&self) -> u32;

    /// Uses one. What went wrong is an answer too, for the model to read.
    fn use_tool<'a>(&'a self, call: &'a ToolCall) -> Using<'a>;
}

/// One round of tools: what the model wished for, and what it was given.
#[derive(Debug, Clone)]
pub(crate) struct Exchange {
    pub(crate) uses: Vec<(ToolCall, String)>,
}
