//! Credits and reports as the house has them: the same for the command line and the service. No rule lives here.

use synod_core::house::Reader;
use synod_core::kernel::{At, Id, Seq, Who};
use synod_core::ledger::{self, LeaderboardScope, ProfilePeriods};
use synod_core::period::Period;
use synod_core::procedure::workshop::{AgentStanding, WorkshopReport, credit_rules};
use synod_core::{Event, House};
use synod_journal::{Error, Head, JournalReader, chain};

use crate::fail::{Fail, Result, code};
use crate::wire::{AttemptView, LeaderboardView, ModelRecordPage, ModelRecordView, ReportView, StandingView};

/// Whether a reader may know that somebody belongs to the house. Participants know those who work on issues, and themself; who else
/// has a seat here is not theirs to ask.
pub(crate) fn may_know(house: &House, reader: Reader<'_>, who: &Who) -> bool {
    let held = house.roster().appointment(who);
    let works =
        held.role.is_some() || held.can_be_devils_advocate || house.ledger().active_model(who).is_some();
    reader == Reader::Operator || reader == Reader::Participant(who) || works
}

/// Refuses an agent that does not belong to the house, as far as the reader may know.
pub(crate) fn check_known(house: &House, reader: Reader<'_>, who: &Who) -> Result<()> {
    if house.roster().get(who).is_some() && may_know(house, reader, who) {
        return Ok(());
    }
    let message = format!("{who} is not a participant of this house; `synod agents list` shows them");
    Err(Fail::new(code::NO_INPUT, "ledger/unknown-agent", message))
}

/// How an agent stands, or all of them.
pub(crate) fn standings(house: &House, who: Option<&Who>) -> Vec<StandingView> {
    let agents = who.map_or_else(|| house.working_agents(), |who| vec![who.clone()]);
    agents.iter().map(|who| AgentStanding::of(house, who).into()).collect()
}

fn named<'a>(house: &'a House, name: &str) -> Result<&'a Period> {
    house.periods().named(name).ok_or_else(|| {
        let message = format!("there is no period `{name}`; `synod period list` shows all of them");
        Fail::new(code::NO_INPUT, "period/unknown", message)
    })
}

/// Who earned how much, ever or in a period.
pub(crate) fn leaderboard(house: &House, period: Option<&str>) -> Result<LeaderboardView> {
    let scope = match period {
        None => LeaderboardScope::Lifetime,
        Some(name) => LeaderboardScope::Period(named(house, name)?.id),
    };
    let done = |of| house.issues_done(of);
    let board = house.ledger().leaderboard(&credit_rules(house), scope, &house.working_agents(), &done);
    Ok(LeaderboardView::of(house, board))
}

/// Every agent with every model that ever answered for it, most credits first.
pub(crate) fn by_model(house: &House) -> ModelRecordPage {
    let rules = credit_rules(house);
    let mut records: Vec<ModelRecordView> = Vec::new();
    for who in house.working_agents() {
        let models = house.ledger().records(&who);
        let profile = |model: &str| {
            let profile = house.ledger().profile(&rules, &who, model, ProfilePeriods::default());
            ModelRecordView::of(house, profile)
        };
        records.extend(models.map(|(model, _)| profile(model)));
    }
    records.sort_by(|one, other| other.credits.cmp(&one.credits).then_with(|| one.who.cmp(&other.who)));
    ModelRecordPage { records }
}

/// How the workshop is doing; of agents, since a period began.
pub(crate) fn report(house: &House, at: At, period: Option<&str>) -> Result<ReportView> {
    let since = match period {
        None => None,
        Some(name) => house.docket().period(named(house, name)?.id).map(|(from, _)| from),
    };
    Ok(WorkshopReport::of(house, at, since).into())
}

/// Acts that one page looks at, and entries that it holds at the most.
const ACTS_MOST: u64 = 20_000;
const ENTRIES_MOST: usize = 500;
const CHUNK: usize = 500;

/// Picks entries of the ledger from the record after an act; also where the next page begins. A page looks at so many acts at the
/// most, because anybody who belongs to the house may ask for one.
pub(crate) fn page<T>(
    reader: &dyn JournalReader,
    after: Seq,
    mut pick: impl FnMut(Id, At, &ledger::Event) -> Option<T>,
) -> std::result::Result<(Vec<T>, Option<u64>), Error> {
    let mut found = Vec::new();
    let mut head = match after {
        Seq(0) => Head::default(),
        after => match reader.heads(after, 1)?.first() {
            Some(head) => *head,
            None => return Ok((found, None)), // past the end
        },
    };
    loop {
        let records = reader.read(head.seq.next(), CHUNK)?;
        for record in &records {
            let act = chain::open(head, record)?;
            head = record.head();
            for (nth, event) in act.events().iter().enumerate() {
                if let Event::Ledger(event) = event {
                    found.extend(pick(Id { act: act.seq, nth: nth as u16 }, act.at, event));
                }
            }
            if found.len() >= ENTRIES_MOST || head.seq.0 - after.0 >= ACTS_MOST {
                return Ok((found, Some(head.seq.0)));
            }
        }
        if records.len() < CHUNK {
            return Ok((found, None));
        }
    }
}

/// A refused attempt, if it is one of this agent.
pub(crate) fn attempt(who: Option<&Who>, (id, at, event): (Id, At, &ledger::Event)) -> Option<AttemptView> {
    let ledger::Event::Attempted(attempt) = event else { return None };
    let wanted = who.is_none_or(|who| attempt.by.as_ref() == Some(who));
    wanted.then(|| AttemptView::of(id, at, attempt))
}
