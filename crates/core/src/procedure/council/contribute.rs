//! An answer to an ask to speak: read, examined at the gate, admitted or turned away.

use std::sync::Arc;

use super::state::parts;
use crate::ask::Of;
use crate::brief::{ANSWER, CHECKS, FieldValue, REQUESTS, ReadAnswer};
use crate::charter::StageKind;
use crate::gate::{self, AuthorStanding, GateVerdict};
use crate::house::{Case, Flow};
use crate::kernel::{
    AskId, At, CONDITIONS, Contribution, ContributionKind, Estimate, Repair, RequirementCheck, Response, Who,
    text,
};
use crate::matter;
use crate::procedure::{self, SubmittedAnswer};
use crate::watch;
use crate::{Event, Refusal, Task, ask, edition};

/// Takes an answer; `case` is the matter before it.
pub(crate) fn answer(flow: &mut Flow, case: &Case, given: &SubmittedAnswer<'_>) -> Result<(), Refusal> {
    let ask = case.asks().get(&given.id).ok_or(ask::Refusal::NotOpen { ask: given.id })?;
    let Of::Seat { who, task } = &ask.of else {
        return Err(ask::Refusal::OtherKind { ask: given.id }.into());
    };
    match *task {
        Task::Speak { round } => {
            let event = contribution(case, flow.at, given.id, who, round, (given.text, flow.house.edition()));
            flow.put(procedure::spent(given.id, given.call));
            let said = match &event {
                gate::Event::Admitted(said) => Some(said.clone()),
                gate::Event::Rejected { .. } => None,
                // Only issues have them.
                gate::Event::Held { .. } | gate::Event::Posted { .. } | gate::Event::Refused { .. } => None,
            };
            flow.put(Event::Gate(event));
            if let Some(said) = said {
                flow.end_carried_out(who);
                flow.take_requests(&said, round);
            }
            super::advance(flow);
            Ok(())
        }
        Task::Vote { attempt, .. } => flow.vote(case, who, attempt, given),
        Task::Clerk(chore) => {
            flow.put(procedure::spent(given.id, given.call));
            flow.served(case, given.id, chore, given.text);
            Ok(())
        }
        Task::Second => {
            flow.put(procedure::spent(given.id, given.call));
            flow.seconds(case, given.id, who, given.text);
            Ok(())
        }
        // No council asks for these.
        Task::Join | Task::Propose | Task::Weigh => Err(ask::Refusal::NotOpen { ask: given.id }.into()),
    }
}

fn contribution(
    case: &Case,
    at: At,
    id: AskId,
    who: &Who,
    round: u32,
    (text, edition): (&str, u32),
) -> gate::Event {
    let options = &case.opening.question.options;
    let (rules, state) = parts(case);
    let wording = &rules.brief;
    let sections = if round == 1 { &wording.first } else { &wording.later };
    // A request is read also where none is asked for: it is refused for all to see, not overlooked.
    let stage = case.stage().map(|stage| &stage.kind);
    let form = state.forms.of_stage(stage, round, false);
    let mut read = match edition < edition::STANCES {
        true => form.read(text, options),
        false => form.read_with_stances(text, options),
    };
    let taken = taken(stage, case.unit(), &mut read);
    let (mut response, how, repairs) = response(read, sections.iter().map(|section| section.key.as_str()));
    let kind = taken.into_response(&mut response);
    let breaches = match kind {
        ContributionKind::Answer | ContributionKind::Estimate => {
            gate::too_long(&rules.gate, text).into_iter().collect()
        }
        _ => gate::examine(&rules.gate, text, &response, standing(case, who, round, &response)),
    };
    match gate::verdict(&breaches) {
        GateVerdict::Admit | GateVerdict::Mark => gate::Event::Admitted(Arc::new(Contribution {
            ask: id,
            at,
            who: who.clone(),
            round,
            stage: case.stage_index() as u16,
            ordered: case.ordered(who),
            response,
            how,
            kind,
            repairs,
            repeats: false,
            to: None,
            violations: breaches.iter().map(gate::Breach::violation).collect(),
        })),
        // Nothing that is said in a round freezes anything.
        GateVerdict::Freeze | GateVerdict::Reject => gate::Event::Rejected { ask: id, breaches },
    }
}

/// The answer that a stage asks for in place of a stance.
enum StageAnswer {
    Nothing,
    Answer(Option<String>),
    Estimate(Option<Estimate>, String),
}

/// Takes what the stage asks for out of an answer. What cannot be read is unknown.
fn taken(stage: Option<&StageKind>, unit: &str, read: &mut ReadAnswer) -> StageAnswer {
    match stage {
        Some(StageKind::Propose(_)) => {
            let said = read.fields.remove(ANSWER).and_then(FieldValue::text);
            let option = said.as_deref().and_then(matter::as_option);
            match (&said, &option) {
                (Some(_), None) => {
                    let detail = "the answer is empty or a word of the ballot, taken as unknown";
                    read.repairs.push(Repair::new("answer-unusable", detail));
                }
                (_, Some((_, true))) => {
                    let detail = format!("the answer was longer than {} characters", matter::OPTION_MOST);
                    read.repairs.push(Repair::new("cut", detail));
                }
                (None, _) | (_, Some((_, false))) => (),
            }
            StageAnswer::Answer(option.map(|(answer, _)| answer))
        }
        Some(StageKind::Estimate(_)) => {
            StageAnswer::Estimate(super::estimate::estimate(read), unit.to_string())
        }
        Some(StageKind::Speak(_) | StageKind::Vote { .. } | StageKind::Merge) | None => StageAnswer::Nothing,
        Some(StageKind::Second { .. } | StageKind::RedTeam(_)) => StageAnswer::Nothing,
    }
}

impl StageAnswer {
    /// Puts it where readers look for it.
    fn into_response(self, response: &mut Response) -> ContributionKind {
        match self {
            Self::Nothing => ContributionKind::Statement,
            Self::Answer(answer) => {
                response.position = answer;
                ContributionKind::Answer
            }
            Self::Estimate(estimate, unit) => {
                response.position = estimate.map(|given| given.words(&unit));
                response.estimate = estimate;
                ContributionKind::Estimate
            }
        }
    }
}

/// What the author's role and earlier stance ask of a statement.
fn standing(case: &Case, who: &Who, round: u32, response: &Response) -> AuthorStanding {
    let expected = case.ordered(who);
    let Some(key) = parts(case).0.gate.moved_by.as_deref().filter(|_| expected.is_none()) else {
        return AuthorStanding { expected, unargued: None };
    };
    let moved = response.stance.and_then(|now| case.stood(who, round).filter(|before| *before != now));
    let argument = match key {
        "position" => response.position.as_deref(),
        "reasoning" => response.reasoning.as_deref(),
        other => response.sections.iter().find(|(key, _)| key == other).map(|(_, text)| text.as_str()),
    };
    AuthorStanding { expected, unargued: moved.filter(|_| watch::conformity(argument)) }
}

fn response<'a>(
    read: ReadAnswer,
    keys: impl Iterator<Item = &'a str>,
) -> (Response, crate::kernel::How, Vec<crate::kernel::Repair>) {
    let ReadAnswer { mut fields, how, repairs } = read;
    let mut response = Response {
        stance: fields.remove("stance").and_then(FieldValue::choice),
        confidence: fields.remove("confidence").and_then(FieldValue::confidence),
        ..Response::default()
    };
    // Where files may be read, they may be asked for whether or not the charter has a section for requests.
    for key in keys.chain(["reasoning", "citations", REQUESTS, CHECKS]) {
        match (key, fields.remove(key)) {
            ("position", Some(FieldValue::Text(text))) => response.position = Some(text),
            ("reasoning", Some(FieldValue::Text(text))) => response.reasoning = Some(text),
            ("key_points", Some(FieldValue::List(points))) => response.key_points = points,
            ("citations", Some(FieldValue::Citations(sources))) => response.citations = sources,
            (CHECKS, Some(FieldValue::List(checks))) => {
                response.checks = checks.iter().map(|said| RequirementCheck::read(said)).collect()
            }
            (REQUESTS, Some(FieldValue::Requests(requests))) => response.context_requests = requests,
            (CONDITIONS, Some(FieldValue::List(conditions))) if !conditions.is_empty() => {
                response.sections.push((
                    CONDITIONS.into(),
                    conditions.iter().map(|one| text::one_line(one)).collect::<Vec<_>>().join("\n"),
                ))
            }
            (other, Some(FieldValue::Text(text))) => response.sections.push((other.into(), text)),
            (_, Some(_) | None) => (), // a value of another kind than its field has nothing to give
        }
    }
    (response, how, repairs)
}
