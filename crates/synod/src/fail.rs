//! Errors that users see, and the exit codes of the process.

use std::process::ExitCode;

use serde_json::json;
use synod_core::kernel::Decision;
use synod_core::matter::QuestionKind;

use crate::out;
use crate::wire::TurnedAway;

/// Exit codes. 0, 1 and 2 are decisions; from 64 on something was wrong with the call or the world.
pub(crate) mod code {
    pub(crate) const PASSED: u8 = 0;
    pub(crate) const REJECTED: u8 = 1;
    /// A check did not hold: a receipt, a vote, a replay, a trigger.
    pub(crate) const FAILED: u8 = 1;
    pub(crate) const UNDECIDED: u8 = 2;
    /// `verify`: nothing is wrong, but it is signed by a key that nothing of the reader's names.
    pub(crate) const UNKNOWN_KEY: u8 = 3;
    /// `verify`: nothing is wrong, but the reader's policy asks for more.
    pub(crate) const TOO_LITTLE: u8 = 4;
    /// The command line is wrong.
    pub(crate) const USAGE: u8 = 64;
    /// A file is invalid.
    pub(crate) const DATA: u8 = 65;
    /// A file or matter does not exist.
    pub(crate) const NO_INPUT: u8 = 66;
    /// No seat could be reached.
    pub(crate) const UNAVAILABLE: u8 = 69;
    /// No model is configured or found, and nobody asked for a rehearsal.
    pub(crate) const NO_MODEL: u8 = 70;
    /// The disk failed.
    pub(crate) const IO: u8 = 74;
    /// Another process owns the house.
    pub(crate) const HELD: u8 = 75;
    /// Stopped by Ctrl-C; the matter can be resumed.
    pub(crate) const INTERRUPTED: u8 = 130;
}

/// An error that the user sees: what is wrong, where, and what to do.
#[derive(Debug)]
pub(crate) struct Fail {
    code: u8,
    name: String,
    message: String,
    /// Whether people are shown the name, too.
    coded: bool,
    /// The kind of question it is about, where that is what is wrong.
    kind: Option<QuestionKind>,
    /// What is wrong with a comment that was turned away.
    turned: Option<Box<TurnedAway>>,
}

pub(crate) type Result<T> = std::result::Result<T, Fail>;

impl Fail {
    pub(crate) fn new(code: u8, name: &str, message: impl Into<String>) -> Self {
        Self { code, name: name.into(), message: message.into(), coded: false, kind: None, turned: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(code::USAGE, "usage", message)
    }

    /// The same, with one more line on what to do.
    pub(crate) fn and(mut self, line: &str) -> Self {
        self.message = format!("{}\n{line}", self.message);
        self
    }

    /// The same, about a question of this kind.
    pub(crate) fn about(mut self, kind: QuestionKind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// The same, with what is wrong with a comment.
    pub(crate) fn refusing(mut self, turned: TurnedAway) -> Self {
        self.turned = Some(Box::new(turned));
        self
    }

    /// What is wrong with a comment that was turned away.
    pub(crate) fn turned_away(&self) -> Option<&TurnedAway> {
        self.turned.as_deref()
    }

    /// The same, shown with its name.
    pub(crate) fn coded(mut self) -> Self {
        self.coded = true;
        self
    }

    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// The stable name of the error.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The text.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// Shows the error: a line for people on stderr, an object for scripts on stdout.
    pub(crate) fn show(self, json: bool) -> ExitCode {
        if json {
            let mut error = json!({ "code": self.name, "message": self.message, "exit": self.code });
            if let Some(kind) = self.kind {
                error["kind"] = kind.word().into();
            }
            if let Some(turned) = &self.turned {
                error["refused"] = json!(turned);
            }
            out::json(&json!({ "error": error }));
        }
        let code =
            if self.coded && self.name != "usage" { format!(" ({})", self.name) } else { String::new() };
        out::error(&out::clean(&format!("synod: {}{code}", self.message)));
        ExitCode::from(self.code)
    }
}

/// The command did its work, but stdout did not take all of its output.
pub(crate) fn output_lost(why: &str) -> ExitCode {
    out::error(&format!(
        "synod: stdout cannot be written ({why}): the output is incomplete. Changes made by this command remain"
    ));
    ExitCode::from(code::IO)
}

/// A command line that could not be parsed. Help and version are not errors.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let rendered = error.render();
    if !error.use_stderr() {
        let coloured = out::takes_colour(&std::io::stdout());
        out::text(&if coloured { rendered.ansi().to_string() } else { rendered.to_string() });
        return out::lost().map_or(ExitCode::SUCCESS, output_lost);
    }
    let args: Vec<String> =
        std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    if let Some(hint) = crate::cli::hint(error, &args) {
        return Fail::usage(hint).show(args.iter().any(|arg| arg == "--json"));
    }
    // It could not be parsed, so whether JSON is wanted is only seen by looking for the word.
    if std::env::args_os().any(|arg| arg == "--json") {
        let message = rendered.to_string().trim_end().to_string();
        out::json(&json!({ "error": { "code": "usage", "message": message, "exit": code::USAGE } }));
    }
    let coloured = out::takes_colour(&std::io::stderr());
    out::error(if coloured { rendered.ansi().to_string() } else { rendered.to_string() }.trim_end());
    ExitCode::from(code::USAGE)
}

/// The same for a hook, whose caller must not be disturbed: only somebody who wants to know is told.
pub(crate) fn unheard(error: &clap::Error) -> ExitCode {
    let asks = |arg: std::ffi::OsString| arg == "--verbose" || arg == "-v";
    if std::env::args_os().any(asks) {
        out::error(&out::clean(&format!("synod hook: {}", error.render().to_string().trim_end())));
    }
    ExitCode::SUCCESS
}

/// The exit code of a decision.
pub(crate) fn of_decision(decision: Decision) -> u8 {
    match decision {
        // A number was asked for and given.
        Decision::Passed { .. } | Decision::Estimated(_) | Decision::Resolved => code::PASSED,
        Decision::Rejected => code::REJECTED,
        Decision::Undecided(_) | Decision::Contested | Decision::Closed => code::UNDECIDED,
    }
}

impl From<synod_journal::Error> for Fail {
    fn from(error: synod_journal::Error) -> Self {
        use synod_journal::Error;
        let (code, name) = match &error {
            Error::Held { .. } => (code::HELD, "house/held"),
            Error::Fenced { .. } => (code::HELD, "house/fenced"),
            Error::NoHouse { .. } => (code::NO_INPUT, "house/none"),
            Error::NewerHouse { .. } => (code::DATA, "house/newer"),
            Error::EarlyHouse { .. } => (code::DATA, "house/early"),
            Error::NotAJournal { .. } | Error::Damaged { .. } | Error::Broken(_) => {
                (code::DATA, "house/damaged")
            }
            Error::Lost { .. } => (code::DATA, "house/lost"),
            Error::OpenKey { .. } | Error::NotAKey { .. } => (code::DATA, "house/key"),
            Error::Moved { .. }
            | Error::Order { .. }
            | Error::NoAct { .. }
            | Error::Unmerged { .. }
            | Error::Io { .. }
            | Error::Dead { .. }
            | Error::Unsealable { .. } => (code::IO, "house/io"),
        };
        let message = match &error {
            Error::NoHouse { dir } => {
                let dir = dir.display();
                format!(
                    "there is no house in {dir} yet: `synod debate` creates one, `--house DIR` names another"
                )
            }
            Error::Held { by, dir } if by.service.is_some() => {
                let dir = dir.display();
                format!(
                    "this command cannot run while the house in {dir} is owned by {by}\nstop that service (kill {}) or pass --house DIR",
                    by.pid
                )
            }
            other => other.to_string(),
        };
        Self::new(code, name, message)
    }
}

impl From<synod_engine::Fault> for Fail {
    fn from(fault: synod_engine::Fault) -> Self {
        use synod_engine::Fault;
        match fault {
            Fault::Journal(error) => error.into(),
            Fault::Broken(broken) => Self::new(code::DATA, "house/damaged", broken.to_string()),
            Fault::Fenced(said) => Self::new(code::HELD, "house/fenced", said),
            Fault::Newer { .. } => Self::new(code::DATA, "house/unknown-edition", fault.to_string()),
            Fault::Unlike { .. } => Self::new(code::DATA, "house/damaged", fault.to_string()),
            Fault::Append(_) | Fault::Gone => Self::new(code::IO, "house/io", fault.to_string()),
        }
    }
}
