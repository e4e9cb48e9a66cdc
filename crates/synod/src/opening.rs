//! Opening a matter: its charter, its seats and the matter itself go to the journal in one append.

use synod_core::kernel::{Id, MatterId, Seat};
use synod_core::matter::{self, Opening};
use synod_core::{Act, Command, Event, House, Outcome};
use synod_engine::{CommittedOrder, Engine, Order};

use crate::fail::{Fail, Result, code};
use crate::house::{AcknowledgedAct, Sourced, all_ahead, give};

/// Gives the order that opens a matter, after what it needs: its charter and its seats, as far as the house does not
/// know them. A refusal of the opening itself stands in the act.
pub(crate) async fn open(
    engine: &Engine,
    charter: Option<&Sourced>,
    seats: &[Seat],
    opening: Order,
) -> Result<CommittedOrder> {
    let is_repeated =
        |house: &House| opening.key.as_ref().is_some_and(|key| house.given_under(key).is_some());
    let needed = engine.read(|house| match is_repeated(house) {
        true => Ok(Vec::new()),
        false => needed(house, charter, seats),
    })?;
    let mut orders: Vec<Order> = needed.into_iter().map(Order::operator).collect();
    orders.push(opening);
    let mut done =
        engine.submit_all(orders).await?.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
    let Some(opened) = done.pop() else { return Err(synod_engine::Fault::Gone.into()) };
    for prepared in done {
        if let Outcome::Refused { code, message } = &prepared.act.outcome {
            return Err(Fail::new(code::USAGE, code, message.clone()));
        }
    }
    if !opened.repeated {
        stop_if_changed(engine, &opened.act, seats).await?;
    }
    Ok(opened)
}

/// What the house does not know yet. Judged beforehand: a seat that is refused must not leave the matter to one that had
/// its name before.
fn needed(house: &House, charter: Option<&Sourced>, seats: &[Seat]) -> Result<Vec<Command>> {
    let known = charter.and_then(|charter| Some((charter, house.charter(&charter.digest)?)));
    if let Some((charter, adopted)) = known
        && *adopted.rules != charter.charter
    {
        // Only a forged record says so, or one of rules that this build reads otherwise.
        let message = format!(
            "this house has other rules under the charter {} than its text says: check it with `synod verify` and `synod replay`, or use another house",
            charter.charter.name
        );
        return Err(Fail::new(code::DATA, "charter/forged", message));
    }
    let new = charter.filter(|charter| house.charter(&charter.digest).is_none());
    let adopt = new.map(|charter| Command::Adopt { source: charter.source.clone() });
    let changed = seats.iter().filter(|seat| house.roster().get(&seat.who) != Some(*seat));
    let enrol = changed.map(|seat| Command::Enrol { seat: seat.clone() });
    let needed: Vec<Command> = adopt.into_iter().chain(enrol).collect();
    all_ahead(house, &needed)?;
    Ok(needed)
}

/// What the rules say to an opening and to what it needs, before anything is given: a refusal leaves nothing behind.
pub(crate) fn ahead(
    house: &House,
    charter: Option<&Sourced>,
    seats: &[Seat],
    opening: &Command,
) -> Result<()> {
    let needed = needed(house, charter, seats)?;
    all_ahead(house, needed.iter().chain([opening]))
}

/// Two who open matters at the same moment may call different seats by one name. The one whose seats were changed on the
/// way stops before anybody else answers for them.
async fn stop_if_changed(engine: &Engine, act: &Act, seats: &[Seat]) -> Result<()> {
    let Some((matter, opening)) = opened(act) else { return Ok(()) };
    let seated = || opening.seats.iter().chain(&opening.judges).chain(&opening.scribe);
    let is_changed = |seat: &&Seat| seated().any(|other| other.who == seat.who && other != *seat);
    let Some(changed) = seats.iter().find(is_changed) else { return Ok(()) };
    give(engine, Command::Stop { matter }).await?;
    let message = format!(
        "another debate changed the seat {} at the same moment, so matter {matter} was stopped: run it again",
        changed.name
    );
    Err(Fail::new(code::HELD, "roster/changed", message))
}

/// The matter that an act opened.
pub(crate) fn opened(act: &Act) -> Option<(MatterId, &Opening)> {
    act.events().iter().enumerate().find_map(|(nth, event)| {
        let Event::Matter(matter::Event::Opened(opening)) = event else { return None };
        Some((MatterId(Id { act: act.seq, nth: nth as u16 }), &**opening))
    })
}

/// The same; a refusal of the opening is an error here.
pub(crate) async fn open_or_fail(
    engine: &Engine,
    charter: Option<&Sourced>,
    seats: &[Seat],
    opening: Order,
) -> Result<AcknowledgedAct> {
    let done = open(engine, charter, seats, opening).await?;
    match &done.act.outcome {
        Outcome::Done(_) => Ok(AcknowledgedAct::of(done)),
        Outcome::Refused { code, message } => Err(Fail::new(code::USAGE, code, message.clone())),
    }
}
