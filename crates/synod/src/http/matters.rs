//! `/v1/matters`: list, open, show.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde::Deserialize;
use synod_core::command::Open;
use synod_core::context::Material;
use synod_core::house::Summary;
use synod_core::kernel::{Digest, MatterId, Seat, SeatKind, Who, text};
use synod_core::matter::{Question, QuestionKind};
use synod_core::view::Report;
use synod_core::{Command, House, matter};
use utoipa::IntoParams;

use super::answer::IdempotencyKey;
use super::council::{self, DebateExtras};
use super::guard::{Caller, KnownCaller};
use super::problem::{HttpResult, Problem};
use super::read::{JsonBody, Path, Query};
use super::{Service, sees_listed};
use crate::house::{Sourced, charter, given_charter};
use crate::http::reply::Json;
use crate::opening::opened;
use crate::wire::{
    self, CAVEATS_MOST, Done, Failure, MatterRef, MatterRow, OpeningBody, SeatWanted, WrittenMatter,
};

/// Rows of one page where nothing else is asked for.
const PAGE: u32 = 100;
/// Rows of one page at the most.
const PAGE_MOST: u32 = 500;

/// Which matters to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct MatterQuery {
    /// Only matters with this status.
    #[param(inline)]
    status: Option<wire::StatusWord>,
    /// Only matters that are open, or only those that are over.
    open: Option<bool>,
    /// Only matters under the charter of this name.
    charter: Option<String>,
    /// Only matters in which this participant has a seat.
    seat: Option<String>,
    /// Only matters whose topic contains this text, ignoring case.
    contains: Option<String>,
    /// Only what follows this matter in the list: `next` of the page before. Matters that are opened meanwhile move nothing.
    #[param(inline)]
    after: Option<WrittenMatter>,
    /// Newest first; oldest first if left out.
    newest: Option<bool>,
    /// How many at most; 100 if left out.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
}

/// The matters you may see.
#[utoipa::path(get, path = "/v1/matters", tag = "matters", operation_id = "listMatters", params(MatterQuery),
    responses((status = 200, description = "One page.", body = wire::MatterPage)))]
pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    caller: Caller,
    Query(wanted): Query<MatterQuery>,
) -> HttpResult<Json<wire::MatterPage>> {
    let limit = wanted.limit.unwrap_or(PAGE);
    if !(1..=PAGE_MOST).contains(&limit) {
        let message = format!("limit must be from 1 to {PAGE_MOST}");
        return Err(Problem::malformed("request/query", message));
    }
    let seat = wanted.seat.as_deref().map(Who::parse);
    let contains = wanted.contains.as_deref().map(text::fold);
    let fits = |house: &House, known: &Cow<'_, Summary>| {
        sees_listed(&caller, known)
            && wanted.open.is_none_or(|open| open != known.is_over())
            && wanted.status.is_none_or(|status| wire::StatusWord::listed(house, known) == status)
            && wanted.charter.as_ref().is_none_or(|name| *known.charter == **name)
            && seat.as_ref().is_none_or(|who| who.as_ref().is_ok_and(|who| known.seat(who).is_some()))
            && contains.as_ref().is_none_or(|words| text::fold(&known.topic).contains(words))
    };
    let page = limit as usize;
    // Somebody holds the house: the service.
    let rows = |house: &House, all: &mut dyn Iterator<Item = Cow<'_, Summary>>| {
        let fitting = all.filter(|known| fits(house, known)).take(page + 1);
        fitting.map(|known| MatterRow::of(house, &known)).collect::<Vec<_>>()
    };
    let mut matters = service.engine.read(|house| match (wanted.newest == Some(true), wanted.after) {
        (false, None) => rows(house, &mut house.summaries()),
        (false, Some(after)) => rows(house, &mut house.summaries_after(after.0)),
        (true, None) => rows(house, &mut house.summaries().rev()),
        (true, Some(after)) => rows(house, &mut house.summaries_before(after.0).rev()),
    });
    let more = matters.len() > page;
    matters.truncate(page);
    let next = matters.last().filter(|_| more).map(|row| row.matter);
    if matters.len() <= CAVEATS_MOST {
        let ids: Vec<MatterId> = matters.iter().map(|row| row.matter).collect();
        service.engine.read_with(ids, |house| {
            for row in &mut matters {
                let case = house.case(row.matter);
                row.caveats = case.map(|case| Report::seen_by(case, caller.reader()).caveats);
            }
        })?;
    }
    Ok(Json(wire::MatterPage { matters, next }))
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
) -> HttpResult<Response> {
    let matter = service.engine.read(|house| match matter {
        MatterRef::Id(matter) => Ok(matter),
        MatterRef::Last => last(house, &caller, |_| true),
        MatterRef::LastRing => last(house, &caller, |known| known.ring),
    })?;
    let report = service.look(&caller, matter, |_, case| Ok(Report::seen_by(case, caller.reader())))?;
    Ok(Json(report.stands(true).whole()).into_response())
}

/// The newest open matter of a kind that the caller may see, else the newest.
fn last(house: &House, caller: &Caller, is: impl Fn(&Summary) -> bool) -> HttpResult<MatterId> {
    let mine = || house.summaries().filter(|known| is(known) && sees_listed(caller, known));
    let open = mine().rfind(|known| !known.is_over());
    open.or_else(|| mine().next_back()).map(|known| known.id).ok_or_else(|| {
        Problem::missing("matter/none", "there is no matter that you may see; POST /v1/matters opens one")
    })
}

/// How many seats a matter may have.
pub(super) fn seats_fit(seats: &[SeatWanted]) -> HttpResult<()> {
    match (1..=200).contains(&seats.len()) {
        true => Ok(()),
        false if seats.is_empty() => Err(Problem::unfit(
            "`seats` must have 1 to 200 of them, not 0: say who answers, such as {\"name\": \"ann\", \"answered_by\": \"openai:MODEL\"}, or \"answered_by\": \"rehearsal\" for placeholders that vote at random",
        )),
        false => Err(Problem::unfit(format!("`seats` must have 1 to 200 of them, not {}", seats.len()))),
    }
}

impl OpeningBody {
    /// What the document says about the shape of it, and the type does not.
    fn check(&self) -> HttpResult<()> {
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
        count("must", self.must.len(), 0, matter::MUST_MOST)?;
        seats_fit(&self.seats)?;
        count("judges", self.judges.len(), 0, 20)?;
        let seated = |name: &String| self.seats.iter().any(|seat| seat.name() == name);
        if let Some(nobody) = self.models.keys().find(|name| !seated(name)) {
            let message = format!("`models` names `{}`, who is not in `seats`", text::excerpt(nobody, 40));
            return Err(Problem::conflict("roster/not-seated", message));
        }
        Ok(())
    }

    /// Those who are invited to a ring.
    fn invited(&self) -> HttpResult<Vec<Seat>> {
        let seat = |seat: &SeatWanted| {
            let name = seat.name();
            let who = Who::parse(name).map_err(|wrong| Problem::conflict("roster/malformed-name", wrong))?;
            Ok(Seat {
                kind: SeatKind::Outside,
                backend: "outside".into(),
                model: self.models.get(name).map(|model| text::one_line(model)),
                name: text::one_line(name),
                persona: None,
                profile: None,
                who,
            })
        };
        self.seats.iter().map(seat).collect()
    }

    /// The charter it is held under.
    fn sourced(&self, service: &Service) -> HttpResult<Sourced> {
        if let Some(source) = &self.charter_source {
            return Ok(given_charter(&self.charter, source)?);
        }
        let digest: Option<Digest> = self.charter.parse().ok();
        let known = |digest: &Digest| {
            let rules =
                service.engine.read(|house| house.charter(digest).map(|known| known.rules.clone()))?;
            Some(Sourced {
                charter: (*rules).clone(),
                // The house knows it: it is never adopted again.
                source: String::new(),
                digest: *digest,
                origin: self.charter.clone(),
                warnings: Vec::new(),
                replaces: None,
            })
        };
        match digest.as_ref().and_then(known) {
            Some(sourced) => Ok(sourced),
            None => Ok(charter(service.house.dir(), &self.charter)?),
        }
    }

    /// The question in its unit, if it is of the kind that it is asked as. In a ring the participants put what they
    /// vote on, whatever the question is.
    fn of_kind(&self, question: Question, sourced: &Sourced) -> HttpResult<Question> {
        let malformed =
            |wrong: matter::MalformedQuestion| Problem::conflict("matter/malformed", wrong.to_string());
        if let Some(unit) = &self.unit {
            return question.in_unit(unit).map_err(malformed);
        }
        let takes = sourced.charter.kind();
        let stated = self.kind.or(takes).is_some() || !question.options.is_empty();
        if stated || sourced.charter.runs_by_itself() {
            return Ok(question);
        }
        let found = matter::detect(&question.topic);
        let ask = match found.kind {
            QuestionKind::YesNo => return Ok(question),
            QuestionKind::Choice => "give `options`".to_string(),
            QuestionKind::Open => "use the charter `open`".to_string(),
            QuestionKind::Estimate => {
                let unit = found.unit.as_deref().unwrap_or("days");
                format!("use the charter `estimate` and a `unit` such as `{unit}`")
            }
        };
        let message = format!(
            "this reads like {}, and without options it would be a yes-or-no vote: {ask}, or send \"kind\": \"yes-no\" if it can be answered by yes or no",
            found.kind.words()
        );
        Err(Problem::other_kind(found.kind, message))
    }

    /// What only a debate has.
    fn debate(&mut self) -> DebateExtras {
        DebateExtras {
            judges: std::mem::take(&mut self.judges),
            scribe: self.scribe.take(),
            limits: std::mem::take(&mut self.limits),
            focus: self.focus.take(),
            motion: self.motion.take(),
            proposal: self.proposal.take(),
            perspectives: std::mem::take(&mut self.perspectives),
            generate_perspectives: self.generate_perspectives,
            stepwise: self.stepwise,
            synthesize: self.synthesize.take(),
            no_synthesis: self.no_synthesis,
        }
    }
}

/// Open a matter. For operators. A ring waits for the participants it invites; the seats of a debate are performed by
/// this service, with the keys of its own environment. Answered as soon as the matter is open: the feed and the matter itself
/// tell how it goes.
#[utoipa::path(post, path = "/v1/matters", tag = "matters", operation_id = "openMatter",
    request_body = OpeningBody,
    responses(
        (status = 201, description = "It is open.", body = Done, headers(("Location" = String, description = "The matter."))),
        (status = 409, description = "Refused by the rules.", body = Failure),
        (status = 422, description = "The body does not fit, or the question is of another kind than it is asked as: `kind` names it.", body = Failure),
    ))]
pub(crate) async fn open(
    State(service): State<Arc<Service>>,
    known: KnownCaller,
    key: IdempotencyKey,
    JsonBody(mut opening): JsonBody<OpeningBody>,
) -> HttpResult<Response> {
    known.caller.operates()?;
    opening.check()?;
    let question = Question::parse(&opening.question, &opening.options)
        .and_then(|question| question.requiring(&opening.must))
        .map_err(|wrong| Problem::conflict("matter/malformed", wrong.to_string()))?;
    let sourced = opening.sourced(&service)?;
    let question = opening.of_kind(question, &sourced)?;
    let debate = opening.debate();
    let open = Open {
        moved: opening.set.iter().map(|(setting, to)| (setting.clone(), to.0)).collect(),
        context: std::mem::take(&mut opening.context)
            .into_iter()
            .map(|(name, text)| Material { name, text })
            .collect(),
        ..Open::new(question, sourced.digest, Vec::new())
    };
    if !sourced.charter.runs_by_itself() {
        return council::open(&service, &key, &sourced, open, &opening.seats, debate).await;
    }
    if debate.is_given() || opening.seats.iter().any(SeatWanted::is_performed) {
        let message = format!(
            "{} is a ring: its participants come by themselves, so give their names alone, and nothing that only a debate has (judges, scribe, limits, focus, motion, perspectives, stepwise, synthesize)",
            opening.charter
        );
        return Err(Problem::conflict("ring/needs-outside", message));
    }
    let seats = opening.invited()?;
    let seated = seats.iter().map(|seat| seat.who.clone()).collect();
    let command = Command::Open(Box::new(Open { seats: seated, ..open }));
    open_under(&service, &key, Some(&sourced), &seats, command).await
}

/// Gives the order that opens a matter, after its charter and its seats, and tells where it is.
pub(super) async fn open_under(
    service: &Service,
    key: &IdempotencyKey,
    charter: Option<&Sourced>,
    seats: &[Seat],
    command: Command,
) -> HttpResult<Response> {
    let acted = service.give_after(key, charter, seats, command).await?;
    let matter = opened(&acted.act).map(|(matter, _)| matter);
    let mut response = acted.answer(StatusCode::CREATED, matter);
    let place = matter.and_then(|matter| HeaderValue::from_str(&format!("/v1/matters/{matter}")).ok());
    if let Some(place) = place {
        response.headers_mut().insert(header::LOCATION, place);
    }
    Ok(response.into_response())
}
