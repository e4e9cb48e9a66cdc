//! `synod key`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use synod_core::Command;
use synod_core::event::KeyChange;
use synod_core::house::KnownKey;
use synod_engine::{Engine, EngineOptions};
use synod_journal::{HouseKey, LockHolder, Sqlite};

use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::out;
use crate::pins::{is_known, remember, revoke};

/// Show, replace or recover the key that this house signs with.
///
/// Every change of the key is an act in the record. The old key signs the new one, so that whoever knows the old one
/// can follow. Receipts that were made before still verify: they are checked against the key that was in force then.
/// A house that runs as a service must be stopped first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod key show\n  synod key rotate")]
pub(crate) struct KeyArgs {
    #[command(subcommand)]
    command: KeyCommand,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// List all keys the house ever signed with, the present one last.
    #[command(after_help = "Example:\n  synod key show --json")]
    Show,
    /// Replace the key. The old one signs the new one, and is then removed.
    #[command(after_help = "Example:\n  synod key rotate")]
    Rotate,
    /// Replace a key that others may have seen. Receipts signed with it from now on are not good.
    #[command(after_help = "Example:\n  synod key revoke")]
    Revoke,
    /// Make a new key for a house whose key file is lost. Nothing but the record vouches for it, and it says so.
    #[command(after_help = "Example:\n  synod key recover")]
    Recover,
}

/// The reason why the key is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KeyReplacement {
    Rotate,
    Revoke,
    Recover,
}

impl KeyArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        match self.command {
            KeyCommand::Show => show(context),
            KeyCommand::Rotate => on_runtime(change(context, KeyReplacement::Rotate)),
            KeyCommand::Revoke => on_runtime(change(context, KeyReplacement::Revoke)),
            KeyCommand::Recover => on_runtime(change(context, KeyReplacement::Recover)),
        }
    }
}

/// What a key is to the house.
fn standing(known: &KnownKey) -> String {
    match (known.until, known.revoked) {
        (None, _) => "signs now".into(),
        (Some(act), true) => format!("revoked by act {act}: others may have it"),
        (Some(act), false) => format!("replaced by act {act}"),
    }
}

/// What vouches for a key.
fn vouched(known: &KnownKey) -> &'static str {
    match &known.how {
        None => "the house was created with it",
        Some(KeyChange::Rotated { .. } | KeyChange::Revoked { .. }) => "signed by the key before it",
        Some(KeyChange::Recovered) => "recovered: the key before it was lost, only the record vouches for it",
    }
}

fn show(context: &Context) -> Result<ExitCode> {
    let (house, _) = context.house.read()?;
    let keys = &house.upkeep().keys;
    let here = HouseKey::load(context.house.dir())?.map(|key| key.public_hex());
    let is_here = here.is_some() && here.as_ref() == house.upkeep().key().map(|known| &known.key);
    if context.json {
        out::json(
            &json!({ "keys": keys, "present": house.upkeep().key().map(|known| &known.key), "file": is_here }),
        );
    } else {
        for known in keys {
            out::line(&format!(
                "{}  since act {}, {}; {}",
                known.key,
                known.since,
                standing(known),
                vouched(known)
            ));
        }
        if !is_here {
            out::error(&format!(
                "the file {} does not hold the key in force: put it back from a backup, or: synod key recover{}",
                context.house.dir().join("key").display(),
                context.house.flag()
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn change(context: &Context, why: KeyReplacement) -> Result<ExitCode> {
    let dir = context.house.dir();
    // Nobody else may sign meanwhile, so this joins no other process.
    let journal = Sqlite::open(dir, &LockHolder::this_process("synod key"))?;
    let engine = Engine::open(
        Box::new(journal),
        Default::default(),
        EngineOptions { rings_run_on: true, ..EngineOptions::default() },
    )?;
    let changed = changed(context, &engine, why).await;
    engine.end();
    let (old, new) = changed?;
    if context.json {
        out::json(&json!({ "key": new, "before": old }));
    } else {
        out::line(&format!("receipts are signed by {new} from now on; the key before was {old}"));
        out::line(match why {
            KeyReplacement::Rotate => {
                "whoever trusts the old key and has the record can follow: `synod verify` does"
            }
            KeyReplacement::Revoke | KeyReplacement::Recover => {
                "tell the new key to those who trust the old one"
            }
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes the next key, records it, and only then puts it in place: a crash between leaves a house that finds it.
async fn changed(context: &Context, engine: &Engine, why: KeyReplacement) -> Result<(String, String)> {
    let dir = context.house.dir();
    let Some(old) = engine.read(|house| house.upkeep().key().map(|known| known.key.clone())) else {
        return Err(Fail::new(
            code::NO_INPUT,
            "house/none",
            "this house has no key yet: `synod debate` creates it",
        ));
    };
    let present = match HouseKey::in_force(dir, &old) {
        Ok(present) => present,
        // A file that holds no key, or one that others can read, is as good as lost for recovery.
        Err(_) if why == KeyReplacement::Recover => None,
        Err(error) => return Err(error.into()),
    };
    let next = HouseKey::create_next(dir)?;
    let how = match (why, present) {
        (KeyReplacement::Recover, Some(_)) => {
            return Err(Fail::usage(
                "the key of this house is there: use `synod key rotate` or `synod key revoke`",
            ));
        }
        (KeyReplacement::Recover, None) => KeyChange::Recovered,
        (KeyReplacement::Rotate | KeyReplacement::Revoke, None) => {
            let message = format!(
                "the key of this house is not in {}: put it back from a backup, or make a new one with: synod key recover{}",
                dir.join("key").display(),
                context.house.flag()
            );
            return Err(Fail::new(code::DATA, "house/key", message));
        }
        (KeyReplacement::Rotate, Some(key)) => KeyChange::Rotated { signature: key.vouch_for(&next) },
        (KeyReplacement::Revoke, Some(key)) => KeyChange::Revoked { signature: key.vouch_for(&next) },
    };
    give(engine, Command::ChangeKey { how, key: next.public_hex() }).await?;
    HouseKey::in_force(dir, &next.public_hex())?;
    // Who makes a key for a stranger's house does not vouch for what is in it.
    match is_known(&old) {
        true => {
            remember(dir, &next.public_hex());
            if why == KeyReplacement::Revoke {
                revoke(&old);
            }
        }
        false => out::error(
            "note: you did not know the key before this one, so the new one is not remembered as yours either: check the record, then `synod verify --remember`",
        ),
    }
    Ok((old, next.public_hex()))
}
