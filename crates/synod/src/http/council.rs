//! Councils over HTTP: debates whose seats this service performs, with the environment and the settings of its house.
//!
//! A request opens, continues or forks a debate and is answered as soon as that is durable; the feed and
//! `GET /v1/matters/{matter}` tell how it goes. People cannot be asked here: a service has no terminal.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use synod_core::charter::Charter;
use synod_core::command::{MotionProposal, Open, Perspectives};
use synod_core::context::Material;
use synod_core::house::Case;
use synod_core::kernel::SettingValue;
use synod_core::kernel::{Actor, MatterId, Nano, Perspective, Seat, Who};
use synod_core::matter::{Question, SummaryBy};
use synod_core::meter::Limits;
use synod_core::procedure::council::{self, Fork};
use synod_core::{Command, House};
use synod_engine::Minds;
use synod_minds::Spec;

use super::answer::IdempotencyKey;
use super::guard::{Caller, KnownCaller};
use super::matters::{open_under, seats_fit};
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path};
use super::steer::order;
use super::{Service, is_outside};
use crate::cli::affordable;
use crate::cli::sources::add_listing;
use crate::context::length_of;
use crate::fail::Fail;
use crate::house::{Sourced, charter};
use crate::plan::{Plan, plan};
use crate::seats::{SeatTable, SeatWishes, Wish, again_with, hidden, seat_all, serving};
use crate::wire::{
    Branching, Continuing, Done, Failure, Judging, LimitsWanted, Performed, Proposing, SeatWanted, Summing,
    WholeNumber, WrittenMatter,
};

/// The longest a debate may take: a month is longer than any deliberation.
const SECONDS_MOST: u64 = 31 * 24 * 3600;

impl LimitsWanted {
    fn limits(&self) -> HttpResult<Limits> {
        let unfit =
            |what: &str, most: u64| Problem::unfit(format!("`limits.{what}` must be from 1 to {most}"));
        let within = |what: &str, given: Option<WholeNumber>, most: u64| match given {
            Some(WholeNumber(number)) if !(1..=most).contains(&number) => Err(unfit(what, most)),
            given => Ok(given.map(|whole| whole.0)),
        };
        let cost = self.usd.as_deref().map(Nano::parse_usd).transpose();
        Ok(Limits {
            cost: cost.map_err(|wrong| Problem::unfit(format!("`limits.usd`: {wrong}")))?,
            calls: within("calls", self.calls, u64::from(u32::MAX))?.map(|calls| calls as u32),
            tokens: within("tokens", self.tokens, 1 << 50)?,
            time_ms: within("seconds", self.seconds, SECONDS_MOST)?.map(|seconds| seconds * 1000),
        })
    }
}

/// The fields of a debate besides those of every matter.
#[derive(Debug, Clone, Default)]
pub(super) struct DebateExtras {
    pub(super) judges: Vec<SeatWanted>,
    pub(super) scribe: Option<SeatWanted>,
    pub(super) limits: LimitsWanted,
    pub(super) focus: Option<String>,
    pub(super) motion: Option<String>,
    pub(super) proposal: Option<Proposing>,
    pub(super) perspectives: Vec<String>,
    pub(super) generate_perspectives: bool,
    pub(super) stepwise: bool,
    pub(super) synthesize: Option<String>,
    pub(super) no_synthesis: bool,
}

impl DebateExtras {
    /// Who sums it up.
    fn synthesis(&self, table: &SeatTable) -> HttpResult<Option<SummaryBy>> {
        match &self.synthesize {
            Some(_) if self.no_synthesis => {
                Err(Problem::unfit("give either `synthesize` or `no_synthesis`, not both"))
            }
            None => Ok((!self.no_synthesis).then_some(SummaryBy::Auto)),
            Some(name) => {
                let who = Who::parse(name).ok().filter(|who| table.everyone().any(|seat| seat.who == *who));
                let message = format!("`synthesize` names `{name}`, who has no seat here");
                let who = who.ok_or_else(|| Problem::conflict("roster/not-seated", message))?;
                Ok(Some(SummaryBy::Seat(who)))
            }
        }
    }

    /// Whether anything of it was given.
    pub(super) fn is_given(&self) -> bool {
        let Self { judges, scribe, limits, focus, motion, perspectives, generate_perspectives, .. } = self;
        let Self { stepwise, synthesize, no_synthesis, .. } = self;
        let LimitsWanted { usd, calls, tokens, seconds } = limits;
        let limited = usd.is_some() || calls.is_some() || tokens.is_some() || seconds.is_some();
        let asked = self.proposal.is_some()
            || focus.is_some()
            || motion.is_some()
            || *generate_perspectives
            || *stepwise
            || *no_synthesis;
        limited
            || asked
            || scribe.is_some()
            || synthesize.is_some()
            || !judges.is_empty()
            || !perspectives.is_empty()
    }
}

/// Opens a debate.
pub(super) async fn open(
    service: &Service,
    key: &IdempotencyKey,
    sourced: &Sourced,
    mut open: Open,
    seats: &[SeatWanted],
    debate: DebateExtras,
) -> HttpResult<Response> {
    seats_fit(seats)?;
    let table = service.table(seats, &debate.judges, debate.scribe.as_ref())?;
    open.reaches = crate::plan::reaches(&table);
    let limits = debate.limits.limits()?;
    // The answer lists what was moved, see `Done::moved`.
    let _ = crate::window::fit(&mut open.moved, &sourced.charter, &table);
    let rules = moved(Arc::new(sourced.charter.clone()), &open.moved, debate.motion.as_deref())?;
    let synthesis = debate.synthesis(&table)?;
    check(&rules, &open.question, &table, &limits, length_of(&open.context))?;
    let perspectives = match (debate.generate_perspectives, debate.perspectives.as_slice()) {
        (true, []) => Perspectives::Generated,
        (false, []) => Perspectives::Usual,
        (false, given) => Perspectives::Given(given.iter().map(|it| Perspective::from_text(it)).collect()),
        (true, [_, ..]) => {
            return Err(Problem::unfit("give either `perspectives` or `generate_perspectives`, not both"));
        }
    };
    let mut context = std::mem::take(&mut open.context);
    add_listing(service.engine.sources(), &mut context);
    let command = Command::Open(Box::new(Open {
        limits,
        judges: table.judges.iter().map(|judge| judge.who.clone()).collect(),
        scribe: table.scribe.as_ref().map(|scribe| scribe.who.clone()),
        focus: debate.focus,
        motion: debate.motion,
        proposal: debate.proposal.as_ref().map(proposed).transpose()?,
        stepwise: debate.stepwise,
        synthesis,
        // Whether files are read is for whoever started this service to say, and from where.
        sources: service.engine.sources().is_some(),
        context,
        perspectives,
        seats: table.seats.iter().map(|seat| seat.who.clone()).collect(),
        ..open
    }));
    let everyone: Vec<Seat> = table.everyone().cloned().collect();
    service.engine.add_minds(table.minds);
    open_under(service, key, Some(sourced), &everyone, command).await
}

/// How a motion is put.
fn proposed(wanted: &Proposing) -> HttpResult<MotionProposal> {
    let seat = |name: &Option<String>| {
        let named = name.as_deref().map(Who::parse).transpose();
        named.map_err(|wrong| Problem::conflict("roster/malformed-name", wrong))
    };
    let (by, seconder) = (seat(&wanted.by)?, seat(&wanted.seconder)?);
    Ok(MotionProposal { by, listed: wanted.listed, seconder })
}

/// The charter with its settings moved.
fn moved(charter: Arc<Charter>, moved: &MovedSettings, motion: Option<&str>) -> HttpResult<Arc<Charter>> {
    let resolved = charter.knows_motion(motion).and_then(|()| charter.resolve(moved, motion));
    let resolved = resolved.map_err(|refusal| Problem::conflict(refusal.code(), refusal.to_string()))?;
    Ok(charter.with(&resolved, motion))
}

/// What is known to go wrong before the first call.
fn check(
    rules: &Charter,
    question: &Question,
    table: &SeatTable,
    limits: &Limits,
    read: u64,
) -> HttpResult<()> {
    hidden(rules, question, table.everyone()).map_err(unmade)?;
    let plan: Plan = plan(rules, question, table, false, read);
    affordable(&plan, limits).map_err(unmade)
}

/// A fault of what was asked for, told as one of the request.
fn unmade(fail: Fail) -> Problem {
    let code = if fail.name().contains('/') { fail.name() } else { "roster/malformed-seat" };
    Problem::conflict(code, fail.message())
}

impl Service {
    /// Seats everybody with what answers for them.
    pub(super) fn table(
        &self,
        seats: &[SeatWanted],
        judges: &[SeatWanted],
        scribe: Option<&SeatWanted>,
    ) -> HttpResult<SeatTable> {
        let wish = |seat: &SeatWanted| self.wish(seat);
        let wishes = SeatWishes {
            seats: seats.iter().map(wish).collect::<HttpResult<_>>()?,
            judges: judges.iter().map(wish).collect::<HttpResult<_>>()?,
            scribe: scribe.map(wish).transpose()?,
        };
        seat_all(&*self.cast.casting(self.house.dir())?, wishes).map_err(unmade)
    }

    fn wish(&self, seat: &SeatWanted) -> HttpResult<Wish> {
        let wish = match seat {
            SeatWanted::Performed(seat @ Performed { name, answered_by, persona, .. }) => {
                let spec = Spec::parse(answered_by.trim()).map_err(|wrong| {
                    Problem::conflict("roster/malformed-seat", format!("seat `{name}`: {wrong}"))
                })?;
                Wish {
                    name: name.clone(),
                    spec,
                    persona: persona.clone(),
                    profile: seat.profile(),
                    typed: true,
                }
            }
            SeatWanted::Named(name) => self.known_seat(name)?,
        };
        performable(&wish.name, &wish.spec)?;
        Ok(wish)
    }

    /// A seat that the house knows.
    fn known_seat(&self, name: &str) -> HttpResult<Wish> {
        let who = Who::parse(name).map_err(|wrong| Problem::conflict("roster/malformed-name", wrong))?;
        let seat =
            self.engine.read(|house| house.roster().get(&who).cloned()).filter(|seat| !is_outside(seat));
        let spec = seat.as_ref().and_then(|seat| Spec::parse(&seat.backend).ok());
        let (Some(seat), Some(spec)) = (seat, spec) else {
            let message = format!(
                "what answers for `{name}`? Write {{\"name\": \"{name}\", \"answered_by\": \"openai:MODEL\"}}; the name alone does for a seat that this house knows"
            );
            return Err(Problem::missing("roster/unknown-seat", message));
        };
        Ok(Wish { name: seat.name, spec, persona: seat.persona, profile: seat.profile, typed: false })
    }

    /// What answers for these seats, as far as it is this service that performs them.
    fn minds_of(&self, seats: &[Seat]) -> HttpResult<Minds> {
        let inside: Vec<Seat> = seats.iter().filter(|seat| !is_outside(seat)).cloned().collect();
        if inside.is_empty() {
            return Ok(Minds::new());
        }
        for seat in &inside {
            let spec = Spec::parse(&seat.backend);
            let spec = spec.map_err(|wrong| Problem::conflict("roster/malformed-seat", wrong))?;
            performable(&seat.name, &spec)?;
        }
        again_with(&*self.cast.casting(self.house.dir())?, &inside).map_err(unmade)
    }

    /// Makes ready to perform these seats.
    fn perform(&self, seats: &[Seat]) -> HttpResult<()> {
        self.engine.add_minds(self.minds_of(seats)?);
        Ok(())
    }

    /// The same for everybody a matter knows.
    pub(super) fn perform_matter(&self, known: &KnownCaller, matter: MatterId) -> HttpResult<()> {
        let seats = self.look(&known.caller, matter, |_, case| Ok(serving(case)))?;
        self.perform(&seats)
    }
}

/// Refuses what this service does not perform, or not for this caller.
fn performable(name: &str, spec: &Spec) -> HttpResult<()> {
    match spec {
        Spec::Person => {
            let message = format!(
                "seat `{name}` is a person, and a service has no terminal to ask them on: run `synod debate` or `synod resume` in a terminal of this house (it goes through this service), or hold a ring"
            );
            Err(Problem::conflict("roster/person-elsewhere", message))
        }
        // Whoever calls has shown the credential of an operator, who may have these performed.
        Spec::Exec(_) | Spec::Script(_) | Spec::Endpoint { .. } | Spec::Rehearsal | Spec::Named { .. } => {
            Ok(())
        }
    }
}

/// Hold the next round of a debate that waits for it. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/continue", tag = "matters", operation_id = "continueMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Continuing,
    responses(
        (status = 200, description = "The round has begun.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn continue_matter(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Continuing { focus, context, to_end }): JsonBody<Continuing>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    service.perform_matter(&known, matter)?;
    let context = context.into_iter().map(|(name, text)| Material { name, text }).collect();
    order(
        &service,
        &known.caller,
        &key,
        matter,
        Command::Council(council::Command::Continue { context, focus, matter, to_end }),
    )
    .await
}

/// Branch off from a round of a debate, with something changed. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/fork", tag = "matters", operation_id = "forkMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter to branch off from.")),
    request_body = Branching,
    responses(
        (status = 201, description = "The branch is open.", body = Done, headers(("Location" = String, description = "The branch."))),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn fork(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(WrittenMatter(from)): Path<WrittenMatter>,
    JsonBody(branching): JsonBody<Branching>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    let Branching { round, charter: wanted, seats, set, focus, stepwise, limits } = branching;
    let round = u32::try_from(round.0).map_err(|_| Problem::unfit("`round` is too large"))?;
    seats.as_deref().map(seats_fit).transpose()?;
    let sourced = wanted.map(|name| charter(service.house.dir(), &name)).transpose()?;
    let set: MovedSettings = set.into_iter().map(|(name, to)| (name, to.0)).collect();
    let looked =
        service.look(&known.caller, from, |house, case| Ok(rules(house, case, sourced.as_ref(), set)));
    let (charter, settings, question, opening) = looked?;
    let rules = moved(charter, &settings, opening.motion.as_deref())?;
    let clerks: Vec<Seat> = opening.judges.iter().chain(&opening.scribe).cloned().collect();
    let mut table = match &seats {
        Some(seats) => service.table(seats, &[], None)?,
        None => SeatTable {
            seats: opening.seats.clone(),
            minds: service.minds_of(&opening.seats)?,
            ..SeatTable::default()
        },
    };
    (table.judges, table.scribe) = (opening.judges.clone(), opening.scribe.clone());
    table.minds.extend(service.minds_of(&clerks)?);
    let limits = limits.limits()?;
    let read = service.look(&known.caller, from, |_, case| Ok(length_of(case.dossier.material.values())))?;
    check(&rules, &question, &table, &limits, read)?;
    let new = if seats.is_some() { table.seats } else { Vec::new() };
    service.engine.add_minds(table.minds);
    let command = Command::Council(council::Command::Fork(Box::new(Fork {
        from,
        round,
        charter: sourced.as_ref().map(|sourced| sourced.digest),
        seats: seats.is_some().then(|| new.iter().map(|seat| seat.who.clone()).collect()),
        limits,
        moved: settings,
        focus,
        stepwise,
    })));
    open_under(&service, &key, sourced.as_ref(), &new, command).await
}

/// Settings that are moved, by name.
type MovedSettings = BTreeMap<String, SettingValue>;

type Branched = (Arc<Charter>, MovedSettings, Question, Arc<synod_core::matter::Opening>);

/// What a branch is held under: under the same charter, settings that were moved stay so.
fn rules(house: &House, case: &Case, sourced: Option<&Sourced>, set: MovedSettings) -> Branched {
    let before = case.opening.charter.digest;
    let same = sourced.is_none_or(|sourced| sourced.digest == before);
    let mut settings = if same { case.opening.moved.clone() } else { BTreeMap::new() };
    settings.extend(set);
    let charter = match sourced {
        Some(sourced) => Arc::new(sourced.charter.clone()),
        None => house.charter(&before).map_or_else(|| case.charter.clone(), |known| known.rules.clone()),
    };
    (charter, settings, case.opening.question.clone(), case.opening.clone())
}

/// Have a seat sum a matter up that is over or waits. The summary decides nothing, and is shown with the matter once it is
/// there. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/synthesize", tag = "matters", operation_id = "synthesizeMatter",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Summing,
    responses(
        (status = 202, description = "The seat is asked.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn synthesize(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Summing { by }): JsonBody<Summing>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    let seat = service.participant(&known.caller, matter, &by)?;
    service.perform(std::slice::from_ref(&seat))?;
    let command = Command::Council(council::Command::Synthesise { by: seat.who, matter });
    let acted = service.give(Actor::Operator, &key, command).await?;
    Ok(acted.answer(StatusCode::ACCEPTED, Some(matter)))
}

/// Have a round weighed by a judge, again or for the first time. What it says is a signal; votes decide. It is shown with the
/// matter once it is there. For operators.
#[utoipa::path(post, path = "/v1/matters/{matter}/judge", tag = "matters", operation_id = "judgeRound",
    params(("matter" = inline(WrittenMatter), Path, description = "The matter's id.")),
    request_body = Judging,
    responses(
        (status = 202, description = "The judge is asked.", body = Done),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn judge(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    Path(WrittenMatter(matter)): Path<WrittenMatter>,
    JsonBody(Judging { round, by }): JsonBody<Judging>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    let round = u32::try_from(round.0).map_err(|_| Problem::unfit("`round` is too large"))?;
    let serves = service.participant(&known.caller, matter, by.name());
    let (judge, new) = match (serves, by.is_performed()) {
        (Ok(seat), false) => (seat, Vec::new()),
        (Ok(seat), true) => {
            let message = format!(
                "`{}` serves in matter {matter} as {}: give the name alone, or another name",
                seat.name, seat.backend
            );
            return Err(Problem::conflict("roster/seat-taken", message));
        }
        (Err(_), _) => {
            let table = service.table(std::slice::from_ref(&by), &[], None)?;
            let seats = table.seats.clone();
            let Some(judge) = seats.first().cloned() else { return Err(Problem::unfit("`by` names nobody")) };
            (judge, seats)
        }
    };
    service.perform(std::slice::from_ref(&judge))?;
    let command = Command::Council(council::Command::Judge { by: judge.who, matter, round });
    let acted = service.give_after(&key, None, &new, command).await?;
    Ok(acted.answer(StatusCode::ACCEPTED, Some(matter)))
}

impl Service {
    /// Somebody who serves in a matter.
    fn participant(&self, caller: &Caller, matter: MatterId, name: &str) -> HttpResult<Seat> {
        self.look(caller, matter, |_, case| {
            let seat = Who::parse(name).ok().and_then(|who| case.participant(&who).cloned());
            seat.ok_or_else(|| {
                let names: Vec<String> = serving(case).into_iter().map(|seat| seat.name).collect();
                let message =
                    format!("nobody in matter {matter} is called `{name}`: it has {}", names.join(", "));
                Problem::missing("roster/unknown-seat", message)
            })
        })
    }
}
