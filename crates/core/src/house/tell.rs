//! What a participant is told for an ask: lens and brief brought together.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::{Case, House};
use crate::brief::{self, Brief, Form, Layer, Said, Telling};
use crate::charter::StageKind;
use crate::kernel::{AskId, Choice, Contribution, MatterId, text};
use crate::lens::{self, Sees};
use crate::{Ask, Task};

/// Keeps the layers that many briefs share, so that they are worded and hashed once.
#[derive(Debug, Default)]
pub struct Desk {
    stable: BTreeMap<MatterId, Layer>,
    shared: Option<(Seen, Layer)>,
    forms: Vec<Arc<Form>>,
}

/// What a shared layer was made from.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    matter: MatterId,
    said: Vec<AskId>,
    ballots: usize,
}

impl House {
    /// The brief for an open ask: a pure function of the house, whatever the desk holds.
    pub fn brief(&self, ask: AskId, desk: &mut Desk) -> Option<Brief> {
        let open = self.ask(ask)?;
        let case = self.cases.get(&open.matter)?;
        let seat = case.seat(&open.who)?;
        let wording = &case.charter.brief;
        let question = &case.opening.question;
        let stable = desk.stable.entry(case.id);
        let stable = stable.or_insert_with(|| Layer::new(brief::stable(wording, &question.topic, &question.options)));
        let stable = stable.clone();
        let shared = desk.shared(case, open);
        let (form, telling) = match open.task {
            Task::Speak { round } => {
                let sections = if round == 1 { &wording.first } else { &wording.later };
                (Form::speech(question.options.len(), sections), Telling::Speak { first: round == 1, crux: None })
            }
            Task::Vote { attempt, .. } => (Form::vote(question.options.len()), Telling::Vote { again: attempt > 1 }),
        };
        let form = desk.form(form);
        let crux = crux(case, open);
        let telling = match telling {
            Telling::Speak { first, .. } => Telling::Speak { first, crux: crux.as_deref() },
            Telling::Vote { again } => Telling::Vote { again },
        };
        let own = brief::own(wording, &form, telling, &seat.name, seat.persona.as_deref());
        Some(Brief { stable, shared, own, form })
    }
}

impl Desk {
    fn form(&mut self, form: Form) -> Arc<Form> {
        if let Some(known) = self.forms.iter().find(|known| ***known == form) {
            return known.clone();
        }
        if self.forms.len() > 16 {
            self.forms.clear();
        }
        let form = Arc::new(form);
        self.forms.push(form.clone());
        form
    }

    fn shared(&mut self, case: &Case, ask: &Ask) -> Layer {
        let visible = visible(case, ask);
        let results = results(case, ask);
        let said = visible.iter().map(|said| said.ask).collect();
        let seen = Seen { matter: case.id, said, ballots: results.len() };
        if let Some((known, layer)) = &self.shared
            && *known == seen
        {
            return layer.clone();
        }
        let layer = Layer::new(tell(case, &visible, &results));
        self.shared = Some((seen, layer.clone()));
        layer
    }
}

/// What the lens lets this seat see. A voter sees what the speakers of the last round could have answered.
fn visible<'a>(case: &'a Case, ask: &Ask) -> Vec<&'a Contribution> {
    let (sees, round) = match (ask.task, &case.stage().kind) {
        (Task::Speak { round }, StageKind::Speak(speak)) => (speak.sees, round),
        (Task::Speak { round }, StageKind::Vote { .. }) => (Sees::EarlierRounds, round),
        (Task::Vote { .. }, StageKind::Speak(_) | StageKind::Vote { .. }) => (Sees::SoFar, case.round()),
    };
    case.said.iter().map(|said| &**said).filter(|said| lens::may_see(sees, round, said)).collect()
}

/// Results of earlier votes, as counts: who voted how is nobody's business while it is still open. With
/// each, the round after which it was held.
fn results(case: &Case, ask: &Ask) -> Vec<(AskId, String)> {
    let blind = matches!((ask.task, &case.stage().kind), (Task::Speak { .. }, StageKind::Speak(speak)) if speak.sees == Sees::Nothing);
    if blind {
        return Vec::new();
    }
    let closed = case.ballots.iter().filter_map(|ballot| ballot.result.as_ref().map(|(tally, _)| (AskId(ballot.id.0), tally)));
    closed.map(|(at, tally)| (at, counts(tally))).collect()
}

fn counts(tally: &crate::ballot::Tally) -> String {
    let mut line = String::from("The council voted:");
    for choice in tally.choices() {
        let word = match choice {
            Choice::Neutral => "ABSTAIN".to_string(),
            Choice::No if !tally.options.is_empty() => "NONE".to_string(),
            Choice::Yes | Choice::No | Choice::Option(_) => choice.to_string(),
        };
        let _ = write!(line, " {word} {},", tally.votes_for(choice));
    }
    let _ = write!(line, " not heard {}.", tally.missing + tally.unparsed);
    line
}

fn tell(case: &Case, visible: &[&Contribution], results: &[(AskId, String)]) -> String {
    let mut items: Vec<(AskId, Said<'_>)> = Vec::new();
    for said in visible {
        let label = case.seat(&said.who).map_or(said.who.as_str(), |seat| seat.name.as_str());
        items.push((said.ask, Said::Statement { label, round: said.round, response: &said.response }));
    }
    items.extend(results.iter().map(|(at, line)| (*at, Said::Result(line))));
    items.sort_by_key(|(at, _)| *at);
    let items: Vec<_> = items.into_iter().map(|(_, said)| said).collect();
    brief::history(&items, case.charter.turn.history_chars.is as usize)
}

/// How long the crux may be told, per side, in characters.
const PER_SIDE: usize = 600;

/// Where opinions part: each side with the gist of its surest voice.
fn crux(case: &Case, ask: &Ask) -> Option<String> {
    let Task::Speak { round } = ask.task else { return None };
    case.speaking().filter(|speak| speak.crux)?;
    let standing = case.standing();
    let mut sides: BTreeMap<Choice, (u32, Option<&Contribution>)> = BTreeMap::new();
    for (who, choice) in &standing {
        let side = sides.entry(*choice).or_insert((0, None));
        side.0 += 1;
        let spoke = case.said.iter().rev().find(|said| said.who == **who && said.round < round);
        let spoke = spoke.map(|said| &**said).filter(|said| said.response.stance == Some(*choice));
        let surer = |said: &&Contribution| side.1.is_none_or(|best| said.response.confidence > best.response.confidence);
        if let Some(said) = spoke.filter(surer) {
            side.1 = Some(said);
        }
    }
    let mut out = String::new();
    for (choice, (seats, voice)) in sides {
        let _ = write!(out, "{choice} ({seats} of {} seats)", case.opening.seats.len());
        if let Some(gist) = voice.and_then(|said| said.response.gist()) {
            let _ = write!(out, ": {}", text::one_line(&text::excerpt(gist, PER_SIDE)));
        }
        out.push('\n');
    }
    Some(out)
}
