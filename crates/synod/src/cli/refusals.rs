//! `synod refusals`

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use synod_core::gate::{self, Breach};
use synod_core::kernel::About;
use synod_core::kernel::text::counted;
use synod_core::kernel::{Actor, AskId, At, Id, Key, MatterId, Seq, Who};
use synod_core::rejections::{self, Rejection};
use synod_core::{Act, Command, Event, Outcome};
use synod_engine::Fault;
use synod_journal::{Head, chain};

use super::Context;
use crate::fail::Result;
use crate::matter_arg::{MatterArg, number, pick};
use crate::{out, tag};

/// List commands and comments that the rules refused: when, by whom, what, and why.
///
/// Requests that a service rejected before they reached the journal (bad token, wrong name, duplicate message) are
/// listed as totals, recorded at most once a minute and when the service ends.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod refusals 3\n  synod refusals --all --json")]
pub(crate) struct RefusalsArgs {
    /// The matter: number, id or `last`; the newest if left out.
    #[arg(conflicts_with = "all")]
    matter: Option<MatterArg>,
    /// Everything that was ever refused in this house.
    #[arg(long)]
    all: bool,
}

/// Something that was refused.
#[derive(Debug, Serialize)]
struct RefusalRow {
    act: Seq,
    at: At,
    /// Who tried; null for an unknown caller.
    by: Option<Actor>,
    what: String,
    /// The matter it was about, whether or not there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    matter: Option<MatterId>,
    code: String,
    message: String,
    /// How often, where refusals are totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Key>,
}

impl RefusalsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let wanted = match self.all {
            true => None,
            false => Some(pick(&mut house, self.matter)?),
        };
        let mut search = RefusalSearch { wanted, born: BTreeSet::new(), rows: Vec::new() };
        chain::walk(&context.house.reader()?, Head::default(), |act, _| {
            search.take(act);
            Ok::<(), Fault>(())
        })?;
        match (context.json, search.rows.is_empty(), wanted) {
            (true, _, _) => out::json(&search.rows),
            (false, false, _) => search.rows.iter().for_each(tell),
            (false, true, Some(matter)) => out::line(&{
                let number = number(&house, matter);
                format!("nothing was refused in matter {number}")
            }),
            (false, true, None) => out::line("nothing was refused in this house"),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn tell(row: &RefusalRow) {
    let RefusalRow { act, at, by, what, code, message, .. } = row;
    let by = by.as_ref().map_or("unknown caller".into(), ToString::to_string);
    out::line(&out::clean(&format!("{act:>6}  {at}  {by}  {what}  {code}: {message}")));
}

/// A walk through the journal.
struct RefusalSearch {
    /// Only of this matter.
    wanted: Option<MatterId>,
    /// What the events of that matter gave birth to: asks among them, also those that are over.
    born: BTreeSet<Id>,
    rows: Vec<RefusalRow>,
}

impl RefusalSearch {
    fn take(&mut self, act: Act) {
        if let Some(wanted) = self.wanted {
            let events = act.events().iter().enumerate();
            let own = events.filter(|(_, event)| event.about() == About::Matter(wanted));
            self.born.extend(own.map(|(nth, _)| Id { act: act.seq, nth: nth as u16 }));
        }
        let (code, message) = match act.outcome {
            Outcome::Refused { code, message } => (code, message),
            Outcome::Done(events) => {
                let turned = comments(&act.command, (act.seq, act.at, &act.by), &events, self.wanted);
                self.rows.extend(turned);
                return self.rows.extend(away(act.seq, events, self.wanted));
            }
        };
        let matter = match act.command.about() {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(AskId(ask)) => self.wanted.filter(|_| self.born.contains(&ask)),
        };
        if self.wanted.is_some() && matter != self.wanted {
            return;
        }
        let what = tag::command(&act.command);
        self.rows.push(RefusalRow {
            act: act.seq,
            at: act.at,
            by: Some(act.by),
            what,
            matter,
            code,
            message: message.into(),
            count: None,
            key: act.key,
        });
    }
}

/// The comments that an act turned away. They are on the record as events of the act that judged them, which for a comment that cites
/// files is the one after they were read.
fn comments(
    command: &Command,
    (act, at, by): (Seq, At, &Actor),
    events: &[Event],
    wanted: Option<MatterId>,
) -> Vec<RefusalRow> {
    let turned = events.iter().filter_map(|event| match event {
        Event::Gate(gate::Event::Refused { breaches, matter, who, .. }) => Some((breaches, *matter, who)),
        _ => None, // nothing else turns a comment away
    });
    let row = |(breaches, matter, who): (&Vec<Breach>, MatterId, &Who)| {
        let violations: Vec<_> = breaches.iter().map(Breach::violation).collect();
        let details: Vec<String> = violations.iter().map(|one| one.detail.to_string()).collect();
        let code = violations.first().map_or("gate/refused".into(), |one| one.code.to_string());
        let by = match by {
            Actor::Engine => Actor::Seat(who.clone()),
            Actor::Operator | Actor::Seat(_) => by.clone(),
        };
        let (what, message) = (tag::command(command), details.join("; "));
        RefusalRow {
            act,
            at,
            by: Some(by),
            what,
            matter: Some(matter),
            code,
            message,
            count: None,
            key: None,
        }
    };
    turned.filter(|(_, matter, _)| wanted.is_none_or(|wanted| wanted == *matter)).map(row).collect()
}

/// The rejections that an act reports.
fn away(act: Seq, events: Vec<Event>, wanted: Option<MatterId>) -> impl Iterator<Item = RefusalRow> {
    let turned = events.into_iter().filter_map(|event| {
        let Event::Rejections(rejections::Event::Rejected(turned)) = event else { return None };
        Some(turned)
    });
    let turned = turned.filter(move |turned| wanted.is_none() || turned.matter == wanted);
    turned.map(move |Rejection { by, code, count, matter, since, way }| RefusalRow {
        act,
        at: since,
        by,
        what: format!("request ({})", way.word()),
        matter,
        code,
        message: format!("rejected {}", counted(u64::from(count), "time")),
        count: Some(count),
        key: None,
    })
}
