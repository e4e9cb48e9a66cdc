//! `/v1/matters`: list, open, show.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use synod_core::command::Open;
use synod_core::context::Material;
use synod_core::house::Case;
use synod_core::kernel::{Actor, Id, MatterId, Seat, SeatKind, Who, text};
use synod_core::matter::{Question, Status};
use synod_core::view::{self, Report};
use synod_core::{Act, Command, Event, House, matter};
use synod_engine::now;
use utoipa::{IntoParams, ToSchema};

use super::answer::IdempotencyKey;
use super::guard::Caller;
use super::problem::{Problem, Result};
use super::read::{JsonBody, Path, Query, Whole};
use super::{Service, sees};
use crate::house::charter;
use crate::resolve;
use crate::wire::{self, Done, Failure, MatterRef, MatterRow, WrittenMatter};

/// Rows of one page where nothing else is asked for.
const PAGE: u32 = 100;
/// Rows of one page at the most.
const PAGE_MOST: u32 = 500;

/// Which matters to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Only matters with this status.
    #[param(inline)]
    status: Option<wire::Status>,
    /// Only matters that are open, or only those that are over.
    open: Option<bool>,
    /// Only matters under the charter of this name.
    charter: Option<String>,
    /// Only matters in which this participant has a seat.
    seat: Option<String>,
    /// Only matters whose topic contains this text, ignoring case.
    contains: Option<String>,
    /// Only matters after this one: `next` of the page before.
    #[param(inline)]
    after: Option<WrittenMatter>,
    /// How many at most; 100 if left out.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// The matters you may see.
#[utoipa::path(get, path = "/v1/matters", tag = "matters", operation_id = "listMatters", params(Wanted),
    responses((status = 200, description = "One page.", body = wire::Page)))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<Wanted>,
) -> Result<Json<wire::Page>> {
    let limit = wanted.limit.unwrap_or(PAGE);
    if !(1..=PAGE_MOST).contains(&limit) {
        let message = format!("limit must be from 1 to {PAGE_MOST}");
        return Err(Problem::malformed("request/query", message));
    }
    let seat = wanted.seat.as_deref().map(Who::parse);
    let contains = wanted.contains.as_deref().map(text::fold);
    let fits = |case: &&Case| {
        let over = matches!(case.status(), Status::Settled(_));
        sees(&caller, case)
            && wanted.after.is_none_or(|after| case.id > after.0)
            && wanted.open.is_none_or(|open| open != over)
            && wanted.status.is_none_or(|status| wire::Status::of(&case.status()) == Some(status))
            && wanted.charter.as_ref().is_none_or(|name| case.opening.charter.name == *name)
            && seat.as_ref().is_none_or(|who| who.as_ref().is_ok_and(|who| case.seat(who).is_some()))
            && contains.as_ref().is_none_or(|words| text::fold(&case.opening.question.topic).contains(words))
    };
    let page = limit as usize;
    let mut matters: Vec<MatterRow> = service.engine.read(|house| {
        let rows = house.cases().filter(fits).take(page + 1).map(|case| view::Row::of(case).stands(true));
        rows.filter_map(MatterRow::of).collect()
    });
    let more = matters.len() > page;
    matters.truncate(page);
    let next = matters.last().filter(|_| more).map(|row| row.matter);
    Ok(Json(wire::Page { matters, next }))
}

/// One matter: the same as `synod show --json`. A participant does not see how others voted before the
/// ballot is closed. `last` is the newest open matter you may see, else the newest; `last-ring` the same of rings.
#[utoipa::path(get, path = "/v1/matters/{matter}", tag = "matters", operation_id = "showMatter",
    params(("matter" = inline(MatterRef), Path, description = "The matter's id, or `last`.")),
    responses((status = 200, description = "The matter.", body = wire::Matter)))]
pub(crate) async fn show(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Path(matter): Path<MatterRef>,
) -> Result<Response> {
    let matter = service.engine.read(|house| match matter {
        MatterRef::Id(matter) => Ok(matter),
        MatterRef::Last => last(house, &caller, |_| true),
        MatterRef::LastRing => last(house, &caller, |case| case.charter.ring.is_some()),
    })?;
    let report = service.look(&caller, matter, |_, case| Ok(seen(Report::of(case), &caller)))?;
    Ok(Json(report.stands(true).whole()).into_response())
}

/// The newest open matter of a kind that the caller may see, else the newest.
fn last(house: &House, caller: &Caller, is: impl Fn(&Case) -> bool) -> Result<MatterId> {
    let mine = || house.cases().filter(|case| is(case) && sees(caller, case));
    let open = mine().filter(|case| !resolve::is_over(case)).last();
    open.or_else(|| mine().last()).map(|case| case.id).ok_or_else(|| {
        Problem::missing("matter/none", "there is no matter that you may see; POST /v1/matters opens one")
    })
}

/// A report as the caller may see it. While a ballot is open, a vote is its voter's alone.
fn seen(mut report: Report, caller: &Caller) -> Report {
    let who = match caller {
        Caller::Owner | Caller::Operator => return report,
        Caller::Participant(who) => who,
    };
    let mut open = false;
    for ballot in report.ballots.iter_mut().filter(|ballot| ballot.tally.is_none()) {
        ballot.votes.retain(|vote| vote.who == *who);
        ballot.unparsed.retain(|voter| voter == who);
        ballot.voters = None;
        open = true;
    }
    if open {
        report.seats.iter_mut().filter(|row| row.seat.who != *who).for_each(|row| row.vote = None);
        report.dissent.retain(|row| row.who == *who);
        report.repaired.retain(|row| row.who == *who);
        (report.agreement, report.agreement_by) = (None, None);
    }
    report
}

/// What it takes to open a matter.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Opening {
    /// The question.
    #[schema(min_length = 1, max_length = 16000, pattern = r"\S")]
    question: String,
    /// What to choose from; none for a question that is carried or not.
    #[serde(default)]
    #[schema(max_items = 26)]
    options: Vec<String>,
    /// The charter, by name.
    #[schema(pattern = "^[A-Za-z0-9-]{1,64}$")]
    charter: String,
    /// Who is invited, by name, in speaking order. Each takes part with a token of their own.
    #[schema(min_items = 1, max_items = 200)]
    seats: Vec<String>,
    /// The model each of them runs on, by name, where that is known: voters that share one are not independent.
    #[serde(default)]
    models: BTreeMap<String, String>,
    /// Knobs of the charter to move, by name.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, u64>)]
    set: BTreeMap<String, Whole>,
    /// Texts to put before the council, by name.
    #[serde(default)]
    context: BTreeMap<String, String>,
}

impl Opening {
    /// What the document says about the shape of it, and the type does not.
    fn check(&self) -> Result<()> {
        let count = |what: &str, has: usize, least: usize, most: usize| match (least..=most).contains(&has) {
            true => Ok(()),
            false => Err(Problem::unfit(format!("`{what}` must have {least} to {most} of them, not {has}"))),
        };
        let letters = self.question.chars().count();
        if self.question.trim().is_empty() || letters > matter::TOPIC_MOST {
            let most = matter::TOPIC_MOST;
            return Err(Problem::unfit(format!(
                "`question` must say something in at most {most} characters"
            )));
        }
        let named = (1..=64).contains(&self.charter.len())
            && self.charter.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !named {
            return Err(Problem::unfit("`charter` must be the name of a charter; /v1/charters lists them"));
        }
        count("options", self.options.len(), 0, matter::OPTIONS_MOST)?;
        count("seats", self.seats.len(), 1, 200)?;
        if let Some(nobody) = self.models.keys().find(|name| !self.seats.contains(*name)) {
            let message = format!("`models` names `{}`, who is not in `seats`", text::excerpt(nobody, 40));
            return Err(Problem::conflict("roster/not-seated", message));
        }
        Ok(())
    }

    fn seats(&self) -> Result<Vec<Seat>> {
        let seat = |name: &String| {
            let who = Who::parse(name).map_err(|wrong| Problem::conflict("roster/malformed-name", wrong))?;
            Ok(Seat {
                kind: SeatKind::Outside,
                mind: "outside".into(),
                model: self.models.get(name).map(|model| text::one_line(model)),
                name: text::one_line(name),
                persona: None,
                who,
            })
        };
        self.seats.iter().map(seat).collect()
    }
}

/// Open a matter. The operator's to do.
#[utoipa::path(post, path = "/v1/matters", tag = "matters", operation_id = "openMatter",
    request_body = Opening,
    responses(
        (status = 201, description = "It is open.", body = Done, headers(("Location" = String, description = "The matter."))),
        (status = 409, description = "Refused by the rules.", body = Failure),
    ))]
pub(crate) async fn open(
    State(service): State<Arc<Service>>,
    caller: Caller,
    key: IdempotencyKey,
    JsonBody(opening): JsonBody<Opening>,
) -> Result<Response> {
    caller.operates()?;
    opening.check()?;
    let question = Question::parse(&opening.question, &opening.options)
        .map_err(|wrong| Problem::conflict("matter/malformed", wrong.to_string()))?;
    let sourced = charter(service.house.dir(), &opening.charter)?;
    if sourced.charter.ring.is_none() {
        let message = format!(
            "{} is held by minds, which this service does not perform: take the charter of a ring, or run `synod debate` while no service holds the house",
            opening.charter
        );
        return Err(Problem::conflict("service/needs-minds", message));
    }
    let seats = opening.seats()?;
    let command = Command::Open(Box::new(Open {
        moved: opening.set.into_iter().map(|(knob, whole)| (knob, whole.0)).collect(),
        context: opening.context.into_iter().map(|(name, text)| Material { name, text }).collect(),
        ..Open::new(question, sourced.digest, seats.iter().map(|seat| seat.who.clone()).collect())
    }));
    prepare(&service, &key, &sourced, seats).await?;
    let acted = service.give(Actor::Operator, &key, command).await?;
    let matter = opened(&acted.act);
    let mut response = acted.answer(StatusCode::CREATED, matter);
    if let Some(place) =
        matter.and_then(|matter| HeaderValue::from_str(&format!("/v1/matters/{matter}")).ok())
    {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response.into_response())
}

/// Takes the charter and the participants into the house, unless they are there or all this was done before.
async fn prepare(
    service: &Service,
    key: &IdempotencyKey,
    sourced: &crate::house::Sourced,
    seats: Vec<Seat>,
) -> Result<()> {
    let known = key.key(&Actor::Operator);
    let wanted: Vec<Command> = service.engine.read(|house| {
        if known.is_some_and(|key| house.given_under(&key, now()).is_some()) {
            return Vec::new();
        }
        let adopt = house.charter(&sourced.digest).is_none();
        let adopt = adopt.then(|| Command::Adopt { source: sourced.source.clone() });
        let new = seats.into_iter().filter(|seat| house.roster().get(&seat.who) != Some(seat));
        adopt.into_iter().chain(new.map(|seat| Command::Enrol { seat })).collect()
    });
    for command in wanted {
        service.give(Actor::Operator, &IdempotencyKey::default(), command).await?;
    }
    Ok(())
}

fn opened(act: &Act) -> Option<MatterId> {
    let is_opening = |event: &Event| matches!(event, Event::Matter(matter::Event::Opened(_)));
    let nth = act.events().iter().position(is_opening)?;
    Some(MatterId(Id { act: act.seq, nth: nth as u16 }))
}
