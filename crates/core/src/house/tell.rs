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

/// Keeps the texts that many briefs share, so that they are worded and hashed once.
#[derive(Debug, Default)]
pub struct Desk {
    stable: BTreeMap<MatterId, Layer>,
    shared: Option<(Seen, Layer)>,
    task: Option<(Seen, bool, Arc<str>)>,
}

/// What the texts of an ask follow from, besides the seat: how far it sees, and how much there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    matter: MatterId,
    sees: Sees,
    voting: bool,
    round: u32,
    said: usize,
    ballots: usize,
}

impl Seen {
    fn of(case: &Case, ask: &Ask) -> Self {
        let (sees, voting, round) = match (ask.task, &case.stage().kind) {
            (Task::Speak { round }, StageKind::Speak(speak)) => (speak.sees, false, round),
            (Task::Speak { round }, StageKind::Vote { .. }) => (Sees::EarlierRounds, false, round),
            // A voter sees what the speakers of another round could have answered.
            (Task::Vote { .. }, StageKind::Speak(_) | StageKind::Vote { .. }) => {
                (Sees::SoFar, true, case.round())
            }
        };
        let ballots = case.ballots.iter().filter(|ballot| ballot.result.is_some()).count();
        Self { matter: case.id, sees, voting, round, said: case.said.len(), ballots }
    }
}

impl House {
    /// The brief for an open ask: a pure function of the house, whatever the desk holds.
    pub fn brief(&self, ask: AskId, desk: &mut Desk) -> Option<Brief> {
        let open = self.ask(ask)?;
        let case = self.cases.get(&open.matter)?;
        let seat = case.seat(&open.who)?;
        let seen = Seen::of(case, open);
        let (form, again) = match open.task {
            Task::Speak { round } => (case.forms.speech(round), false),
            Task::Vote { attempt, .. } => (&case.forms.vote, attempt > 1),
        };
        let task = desk.task(case, seen, form, again);
        let own = brief::own(&task, &seat.name, seat.persona.as_deref());
        Some(Brief { stable: desk.stable(case), shared: desk.shared(case, seen), own, form: form.clone() })
    }
}

impl Desk {
    fn stable(&mut self, case: &Case) -> Layer {
        if self.stable.len() > 64 {
            self.stable.clear(); // old matters need it no more
        }
        let question = &case.opening.question;
        let wording = &case.charter.brief;
        let layer = || Layer::new(brief::stable(wording, &question.topic, &question.options));
        self.stable.entry(case.id).or_insert_with(layer).clone()
    }

    fn shared(&mut self, case: &Case, seen: Seen) -> Layer {
        match &self.shared {
            Some((known, layer)) if *known == seen => layer.clone(),
            Some(_) | None => {
                let layer = Layer::new(history(case, seen));
                self.shared = Some((seen, layer.clone()));
                layer
            }
        }
    }

    fn task(&mut self, case: &Case, seen: Seen, form: &Form, again: bool) -> Arc<str> {
        match &self.task {
            Some((known, same, text)) if *known == seen && *same == again => text.clone(),
            Some(_) | None => {
                let crux = crux(case, seen);
                let telling = match seen.voting {
                    false => Telling::Speak { first: seen.round == 1, crux: crux.as_deref() },
                    true => Telling::Vote { again },
                };
                let text: Arc<str> = brief::task(&case.charter.brief, form, telling).into();
                self.task = Some((seen, again, text.clone()));
                text
            }
        }
    }
}

/// What was said and found, as far as the lens lets it be seen.
fn history(case: &Case, seen: Seen) -> String {
    let visible =
        case.said.iter().map(|said| &**said).filter(|said| lens::may_see(seen.sees, seen.round, said));
    let mut items: Vec<(AskId, Said<'_>)> = Vec::new();
    for said in visible {
        let label = case.seat(&said.who).map_or(said.who.as_str(), |seat| seat.name.as_str());
        items.push((said.ask, Said::Statement { label, round: said.round, response: &said.response }));
    }
    let results = results(case, seen);
    items.extend(results.iter().map(|(at, line)| (*at, Said::Result(line))));
    items.sort_by_key(|(at, _)| *at);
    let items: Vec<_> = items.into_iter().map(|(_, said)| said).collect();
    let options = case.opening.question.options.len();
    brief::history(&items, options, case.charter.turn.history_chars.is as usize)
}

/// Results of earlier votes, as counts: who voted how is nobody's business while the matter is open.
fn results(case: &Case, seen: Seen) -> Vec<(AskId, String)> {
    match seen.sees {
        Sees::Nothing => Vec::new(),
        Sees::EarlierRounds | Sees::SoFar => {
            let closed =
                case.ballots.iter().filter_map(|ballot| Some((ballot.id, &ballot.result.as_ref()?.0)));
            closed.map(|(id, tally)| (AskId(id.0), counts(tally))).collect()
        }
    }
}

fn counts(tally: &crate::ballot::Tally) -> String {
    let mut line = String::from("The council voted:");
    for choice in tally.choices() {
        let word = choice.ballot_word(tally.options.len());
        let _ = write!(line, " {word} {},", tally.votes_for(choice));
    }
    let _ = write!(line, " not heard {}.", tally.missing + tally.unparsed);
    line
}

/// How long the crux may be told, per side, in characters.
const PER_SIDE: usize = 600;

/// Where opinions part: each side with the gist of its surest voice, as far as the lens lets it be seen.
fn crux(case: &Case, seen: Seen) -> Option<String> {
    let shown = case.speaking().is_some_and(|speak| speak.crux) && !seen.voting && seen.sees != Sees::Nothing;
    if !shown {
        return None;
    }
    // This round's statements count for nobody: all its speakers must be told the same.
    let standing = case.standing(seen.round);
    let mut sides: BTreeMap<Choice, (u32, Option<&Contribution>)> = BTreeMap::new();
    for (who, choice) in &standing {
        let side = sides.entry(*choice).or_insert((0, None));
        side.0 += 1;
        let spoke = case.said.iter().rev().find(|said| said.who == **who && said.round < seen.round);
        let spoke = spoke.map(|said| &**said).filter(|said| said.response.stance == Some(*choice));
        let surer = |said: &&Contribution| {
            side.1.is_none_or(|best| said.response.confidence > best.response.confidence)
        };
        if let Some(said) = spoke.filter(surer) {
            side.1 = Some(said);
        }
    }
    let mut out = String::new();
    for (choice, (seats, voice)) in sides {
        let word = choice.word(case.opening.question.options.len());
        let _ = write!(out, "{word} ({seats} of {} seats)", case.opening.seats.len());
        if let Some(gist) = voice.and_then(|said| said.response.gist()) {
            let _ = write!(out, ": {}", text::one_line(&text::excerpt(gist, PER_SIDE)));
        }
        out.push('\n');
    }
    Some(out)
}
