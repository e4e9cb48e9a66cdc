//! Commands grouped under headings in `--help`. It changes how help looks, never what is parsed.
//!
//! To add a command: its name under one of the headings; a test refuses a command that has none.

use std::fmt::Write as _;

use clap::Command;

/// A heading and the commands below it.
type CommandGroup = (&'static str, &'static [&'static str]);

const TOP: [CommandGroup; 10] = [
    ("Decide", &["debate", "motion"]),
    ("Look", &["list", "show", "round", "thoughts", "citations", "evidence", "compare", "export"]),
    ("Steer", &["continue", "pause", "resume", "stop", "fork", "answer", "waive", "judge", "synthesize"]),
    ("Rings and agents", &["ring", "trigger", "watch", "hook"]),
    ("Issues", &["issue", "workshop", "canon", "lease", "health", "period", "agents"]),
    ("Credits", &["ledger", "leaderboard", "goals", "award", "rate"]),
    (
        "Record",
        &[
            "verify", "proof", "witness", "replay", "receipt", "outcome", "refusals", "ballot", "delete",
            "backup", "restore", "repair", "key",
        ],
    ),
    ("Rules", &["charter", "lab"]),
    ("Service", &["serve", "token"]),
    ("Setup", &["init", "demo", "seats", "doctor", "trust", "completions", "bench", "help"]),
];

const RING: [CommandGroup; 3] = [
    ("Hold a ring", &["open", "start", "remove", "status"]),
    ("Take part", &["join", "leave", "turn", "say", "propose", "amend", "react", "rule", "vote", "key"]),
    ("Pass the floor", &["skip", "release"]),
];

/// The command line with its commands under headings.
pub(super) fn grouped(command: Command) -> Command {
    let top = template(&command, &TOP);
    command.help_template(top).mut_subcommand("ring", |ring| {
        let inner = template(&ring, &RING);
        ring.help_template(inner)
    })
}

/// The template of a help page that lists commands by group.
fn template(command: &Command, groups: &[CommandGroup]) -> String {
    let styles = clap::builder::Styles::styled();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let about = |name: &str| match (name, command.find_subcommand(name)) {
        (_, Some(inner)) => {
            let about = inner.get_about().map(ToString::to_string).unwrap_or_default();
            about.trim_end_matches('.').to_string()
        }
        // Clap adds this one itself, later.
        ("help", None) => "Print this help, or the help of a command".into(),
        (_, None) => String::new(),
    };
    let names = groups.iter().flat_map(|(_, names)| *names);
    let width = names.map(|name| name.len()).max().unwrap_or(0);
    let mut listed = String::new();
    for (heading, names) in groups {
        let _ = writeln!(listed, "{header}{heading}:{header:#}");
        for name in *names {
            let pad = width - name.len();
            let _ = writeln!(listed, "  {literal}{name}{literal:#}{:pad$}  {}", "", about(name));
        }
        listed.push('\n');
    }
    format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{listed}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}
