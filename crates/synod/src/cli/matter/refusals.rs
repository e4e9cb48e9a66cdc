//! `synod matter refusals`

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use synod_core::event::About;
use synod_core::kernel::{Actor, AskId, At, Id, Key, MatterId, Seq};
use synod_core::{Act, Outcome};
use synod_engine::Fault;
use synod_journal::{Head, chain};

use super::Context;
use crate::fail::Result;
use crate::house::pick;
use crate::{out, tag};

/// List what was tried in a matter and refused by the rules: when, by whom, what, and why not.
///
/// What a service turned away at the door, for want of a good token, never reached the house and is not among them.
#[derive(Debug, Args)]
pub(crate) struct Refusals {
    /// The matter; the last one if left out.
    #[arg(conflicts_with = "all")]
    matter: Option<MatterId>,
    /// Everything that was ever refused in this house, also what was about no matter.
    #[arg(long)]
    all: bool,
}

/// Something that was refused.
#[derive(Debug, Serialize)]
struct Row {
    act: Seq,
    at: At,
    by: Actor,
    what: String,
    /// The matter it was about, whether or not there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    matter: Option<MatterId>,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Key>,
}

impl Refusals {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let wanted = match self.all {
            true => None,
            false => Some(pick(&house, self.matter)?),
        };
        let mut search = Search { wanted, born: BTreeSet::new(), rows: Vec::new() };
        chain::walk(&context.house.reader()?, Head::default(), |act, _| {
            search.take(act);
            Ok::<(), Fault>(())
        })?;
        match (context.json, search.rows.is_empty(), wanted) {
            (true, _, _) => out::json(&search.rows),
            (false, false, _) => search.rows.iter().for_each(tell),
            (false, true, Some(matter)) => out::line(&format!("nothing was refused in matter {matter}")),
            (false, true, None) => out::line("nothing was refused in this house"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn tell(row: &Row) {
    let Row { act, at, by, what, code, message, .. } = row;
    out::line(&out::clean(&format!("{act:>6}  {at}  {by}  {what}  {code}: {message}")));
}

/// A walk through the journal.
struct Search {
    /// Only of this matter.
    wanted: Option<MatterId>,
    /// What the events of that matter gave birth to: asks among them, also those that are over.
    born: BTreeSet<Id>,
    rows: Vec<Row>,
}

impl Search {
    fn take(&mut self, act: Act) {
        if let Some(wanted) = self.wanted {
            let events = act.events().iter().enumerate();
            let own = events.filter(|(_, event)| event.about() == About::Matter(wanted));
            self.born.extend(own.map(|(nth, _)| Id { act: act.seq, nth: nth as u16 }));
        }
        let Outcome::Refused { code, message } = act.outcome else { return };
        let matter = match act.command.about() {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(AskId(ask)) => self.wanted.filter(|_| self.born.contains(&ask)),
        };
        if self.wanted.is_some() && matter != self.wanted {
            return;
        }
        let what = tag::command(&act.command);
        self.rows.push(Row {
            act: act.seq,
            at: act.at,
            by: act.by,
            what,
            matter,
            code,
            message,
            key: act.key,
        });
    }
}
