//! What to type instead of a command that does not exist: a name that moved, or one that was mistyped.
//!
//! Old names get a hint and an error, never a silent alias: a script should say what it means.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use synod_core::kernel::text;

use super::Cli;

/// Names that were at the top level and are commands of rings now.
const OF_RINGS: [&str; 14] = [
    "start", "remove", "join", "leave", "turn", "say", "propose", "amend", "react", "rule", "release",
    "skip", "vote", "status",
];

/// What to type instead, if the error is about a command that does not exist.
pub(crate) fn hint(error: &clap::Error, args: &[String]) -> Option<String> {
    if error.kind() == ErrorKind::UnknownArgument {
        return unquoted(error, args).or_else(|| far_off(error, args));
    }
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let place = args.iter().position(|arg| arg == wrong)?;
    let (before, after) = (&args[..place], &args[place + 1..]);
    let definition = Cli::definition();
    // Whose command it was meant to be: that of the last group named before it.
    let group =
        before.iter().rev().filter_map(|arg| definition.find_subcommand(arg)).find(|it| it.has_subcommands());
    Some(match group {
        Some(group) => misspelt(&format!("synod {}", group.get_name()), wrong, &names(group, "")),
        None => moved(wrong, after).unwrap_or_else(|| {
            let mut known = names(&definition, "");
            known.extend(definition.find_subcommand("ring").iter().flat_map(|ring| names(ring, "ring ")));
            misspelt("synod", wrong, &known)
        }),
    })
}

/// A question whose words reached the command one by one, because nobody put them in quotes.
fn unquoted(error: &clap::Error, args: &[String]) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return None };
    let place = args.iter().position(|arg| arg == wrong)?;
    let command =
        match args.iter().map(String::as_str).filter(|arg| !arg.starts_with('-')).collect::<Vec<_>>()[..] {
            ["debate", ..] => "debate",
            ["ring", "open", ..] => "ring open",
            _ => return None,
        };
    // The word before it has to be the question, too: an option is another mistake.
    let is_word = |arg: &String| !arg.starts_with('-');
    let words: Vec<&str> =
        args[place.checked_sub(1)?..].iter().take_while(|arg| is_word(arg)).map(String::as_str).collect();
    let quoted = words.len() > 1 && is_word(wrong);
    quoted.then(|| format!("put the question in quotes: synod {command} \"{}\"", words.join(" ")))
}

/// An option that does not exist, where the one that the parser would suggest has nothing to do with it.
fn far_off(error: &clap::Error, args: &[String]) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return None };
    let Some(ContextValue::String(suggested)) = error.get(ContextKind::SuggestedArg) else { return None };
    let bare = |option: &str| option.trim_start_matches('-').to_string();
    if text::nearest(&bare(wrong), [bare(suggested).as_str()]).is_some() {
        return None;
    }
    let mut path = String::from("synod");
    let mut at = Cli::definition();
    for arg in args.iter().take_while(|arg| !arg.starts_with('-')) {
        let Some(inner) = at.find_subcommand(arg).cloned() else { break };
        path = format!("{path} {arg}");
        at = inner;
    }
    Some(match (path.as_str(), wrong.as_str()) {
        ("synod serve", "--port") => {
            "the port is part of the address: synod serve --listen 127.0.0.1:7717".into()
        }
        _ => format!("unknown option `{wrong}`; `{path} --help` lists the options"),
    })
}

/// The arguments without the second of two wishes for help: `synod ballot help --help` is `synod ballot help`. After
/// anything but a group of commands `help` may be a word of somebody's own.
pub(super) fn without_double_help(mut args: Vec<OsString>) -> Vec<OsString> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|arg| arg.to_str()).collect();
    let is_double = match words.as_slice() {
        ["help", "--help" | "-h"] => true,
        [group, "help", "--help" | "-h"] => {
            Cli::definition().find_subcommand(group).is_some_and(clap::Command::has_subcommands)
        }
        _ => false,
    };
    if is_double {
        args.pop();
    }
    args
}

/// The new name of a command that moved.
fn moved(wrong: &str, after: &[String]) -> Option<String> {
    match wrong {
        "matter" => {
            let verb = after.iter().find(|arg| !arg.starts_with('-'));
            let definition = Cli::definition();
            Some(match verb.filter(|verb| definition.find_subcommand(verb).is_some()) {
                Some(verb) => format!("`synod matter {verb}` is now `synod {verb}`"),
                None => "the commands of `synod matter` are now top-level: write `synod list`, `synod show` and so on".into(),
            })
        }
        "convene" => Some("`synod convene` is now `synod ring open`".into()),
        wrong if OF_RINGS.contains(&wrong) => Some(format!("`synod {wrong}` is now `synod ring {wrong}`")),
        wrong => in_group(wrong),
    }
}

/// The command of this very name in a group whose name people leave out: `resolve` is meant as `synod issue resolve`, whatever else looks
/// like it.
fn in_group(wrong: &str) -> Option<String> {
    let definition = Cli::definition();
    let groups = ["issue", "canon", "lease", "motion"];
    let has = |group: &&str| {
        definition.find_subcommand(group).is_some_and(|known| known.find_subcommand(wrong).is_some())
    };
    groups
        .into_iter()
        .find(has)
        .map(|group| format!("`{wrong}` is a command of `synod {group}`: write `synod {group} {wrong}`"))
}

fn names(command: &clap::Command, prefix: &str) -> Vec<String> {
    let shown = command.get_subcommands().filter(|inner| !inner.is_hide_set());
    shown.map(|inner| format!("{prefix}{}", inner.get_name())).collect()
}

/// A name that is close to what was typed. Names of a group are compared without the group.
fn misspelt(path: &str, wrong: &str, known: &[String]) -> String {
    let last = |name: &str| name.rsplit(' ').next().unwrap_or_default().to_string();
    let lasts: Vec<String> = known.iter().map(|name| last(name)).collect();
    let near = text::nearest(wrong, lasts.iter().map(String::as_str));
    let meant = near.and_then(|near| known.iter().find(|name| last(name) == near));
    match meant {
        Some(meant) => format!("unknown command `{path} {wrong}`; did you mean `{path} {meant}`?"),
        None => format!("unknown command `{path} {wrong}`; `{path} --help` lists the commands"),
    }
}
