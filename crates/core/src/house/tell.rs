//! What a participant is told for an ask: lens and brief brought together.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::dossier::Became;
use super::{Case, House};
use crate::ask::Chore;
use crate::brief::{self, Brief, Form, Layer, Manner, Said, Telling, Written, You};
use crate::charter::StageKind;
use crate::floor::{self, Order};
use crate::kernel::{AskId, Choice, Contribution, Id, Marks, MatterId, Response, Who, text};
use crate::lens::{self, Sees};
use crate::{Ask, Task, watch};

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
    /// Whose side of this round is seen, where only that is.
    team: usize,
    voting: bool,
    round: u32,
    said: usize,
    ballots: usize,
    /// Acts of the operator: material and answers.
    given: usize,
}

impl Seen {
    fn of(case: &Case, ask: &Ask) -> Self {
        let (sees, voting, round) = match (ask.task, case.stage().map(|stage| &stage.kind)) {
            (Task::Speak { round }, Some(StageKind::Speak(speak))) => (speak.sees, false, round),
            (Task::Speak { round }, Some(StageKind::Vote { .. }) | None) => {
                (Sees::EarlierRounds, false, round)
            }
            // A voter sees what the speakers of another round could have answered.
            (Task::Vote { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh, _) => {
                (Sees::SoFar, true, case.round())
            }
        };
        let ballots = case.ballots.iter().filter(|ballot| ballot.result.is_some()).count();
        let team = match sees {
            Sees::Team => case.place(&ask.who).map_or(0, floor::team),
            Sees::Nothing | Sees::EarlierRounds | Sees::SoFar => 0,
        };
        let done = case.dossier.requests.values().filter(|row| row.became != Became::Open).count();
        let given = case.dossier.material.len() + done;
        Self { matter: case.id, sees, team, voting, round, said: case.said.len(), ballots, given }
    }

    /// Whether a contribution may be seen.
    fn shows(&self, case: &Case, said: &Contribution) -> bool {
        let mate = || case.place(&said.who).is_some_and(|place| floor::team(place) == self.team);
        lens::may_see(self.sees, self.round, said, self.sees == Sees::Team && mate())
    }
}

impl House {
    /// The brief for an open ask: a pure function of the house, whatever the desk holds.
    pub fn brief(&self, ask: AskId, desk: &mut Desk) -> Option<Brief> {
        let open = self.ask(ask)?;
        // Participants that come by themselves read a turn sheet (`view::turn`).
        let case = self.case(open.matter)?;
        let (_, state) = case.council()?;
        let (form, again) = match open.task {
            Task::Speak { round } => (state.forms.speech(round, round >= case.last_round()), false),
            Task::Vote { attempt, .. } => (&state.forms.vote, attempt > 1),
            Task::Clerk(chore) => return Some(case.clerk_brief(open, chore)),
            Task::Join | Task::Propose | Task::Weigh => return None,
        };
        let seen = Seen::of(case, open);
        let task = desk.task(case, seen, form, again);
        let own = brief::own(&task, case.you(&open.who, seen.voting)?);
        Some(Brief { stable: desk.stable(case), shared: desk.shared(case, seen), own, form: form.clone() })
    }
}

impl Desk {
    fn stable(&mut self, case: &Case) -> Layer {
        if self.stable.len() > 64 {
            self.stable.clear(); // old matters need it no more
        }
        let question = &case.opening.question;
        let layer = || {
            Layer::new(case.council().map_or_else(String::new, |(rules, state)| {
                let forms = [&*state.forms.first, &*state.forms.later, &*state.forms.vote];
                brief::stable(&rules.brief, forms, &question.topic, &question.options)
            }))
        };
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
                let (crux, numbers) = (crux(case, seen), numbers(case, seen));
                let focus = case.dossier.focus.get(&seen.round).map(|focus| case.hidden(focus));
                let telling = match seen.voting {
                    false => Telling::Speak {
                        round: seen.round,
                        last: seen.round >= case.last_round(),
                        focus: focus.as_deref(),
                        crux: crux.as_deref(),
                        numbers: numbers.as_deref(),
                    },
                    true => Telling::Vote { again },
                };
                let text: Arc<str> = brief::task(form, telling).into();
                self.task = Some((seen, again, text.clone()));
                text
            }
        }
    }
}

impl Case {
    /// The seat as it is told who it is. Where names are hidden it is not told its own: what one does not
    /// know one cannot give away.
    fn you(&self, who: &Who, voting: bool) -> Option<You<'_>> {
        let seat = self.seat(who)?;
        let role = self.role(who);
        let parts = &self.council()?.0.brief.parts;
        let part = role.and_then(|role| parts.iter().find(|part| part.name == role.name));
        let ordered = role.and_then(|role| role.expects);
        Some(You {
            name: self.names.label(&seat.who),
            part: part.filter(|_| !voting),
            side: ordered.filter(|_| !voting).map(side),
            persona: seat.persona.as_deref(),
            perspective: self.perspective(who).map(|field| (field.name.as_str(), field.view.as_str())),
            released: voting && ordered.is_some(),
            veto: voting && self.charter.ballot.veto.contains(who),
        })
    }

    /// A text as other participants may read it.
    fn hidden<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.names.mask().map_or(Cow::Borrowed(text), |mask| mask.hide(text))
    }

    /// How much of what was said a brief repeats before it turns into a digest, in characters.
    fn history_chars(&self) -> usize {
        self.council().map_or(0, |(rules, _)| rules.turn.history_chars.is as usize)
    }

    /// Whether what was said so far is more than a brief repeats in full.
    pub(crate) fn outgrown(&self) -> bool {
        let length = |response: &Response| {
            let parts = [&response.position, &response.reasoning].into_iter().flatten().map(String::len);
            let more = response.sections.iter().map(|(_, text)| text.len());
            parts.chain(more).chain(response.key_points.iter().map(String::len)).sum::<usize>() + 40
        };
        let said = self.said.iter().map(|said| length(&said.response)).sum::<usize>();
        said as u64 > self.history_chars() as u64
    }

    /// What a clerk is told.
    fn clerk_brief(&self, ask: &Ask, chore: Chore) -> Brief {
        let question = &self.opening.question;
        let seen = Seen::of(self, ask);
        let (result, dissent) = match chore {
            Chore::Synthesise => {
                // It names who is missing and what sits on the seats.
                let headline = crate::view::Report::of(self).headline;
                (self.hidden(&headline).into_owned(), self.dissent_quoted())
            }
            Chore::Perspectives | Chore::Judge { .. } | Chore::Digest { .. } => Default::default(),
        };
        let (work, shared) = match chore {
            Chore::Perspectives => {
                (brief::Chore::Perspectives { seats: self.opening.seats.len() }, history(self, seen))
            }
            Chore::Judge { round } => (brief::Chore::Judge { round }, round_told(self, round)),
            Chore::Digest { .. } => (brief::Chore::Digest, everything(self)),
            Chore::Synthesise => {
                (brief::Chore::Synthesise { result: &result, dissent: &dissent }, history(self, seen))
            }
        };
        let form = self.chore_form(chore);
        let stable = Layer::new(brief::office(work, &question.topic, &question.options));
        let own = brief::chore(work, &form);
        Brief { stable, shared: Layer::new(shared), own, form: Arc::new(form) }
    }

    /// The reasons of those a result went against, behind a margin.
    fn dissent_quoted(&self) -> String {
        let mut out = String::new();
        for row in crate::view::Report::of(self).dissent {
            let _ = writeln!(out, "{}:", self.names.label(&row.who));
            for part in [&row.reason, &row.change_if].into_iter().flatten() {
                text::quote_into(&mut out, &self.hidden(part));
            }
        }
        out
    }
}

/// The word of a side that a part takes: parts exist only where a question has no options.
fn side(choice: Choice) -> &'static str {
    match choice {
        Choice::Yes => "YES",
        Choice::No => "NO",
        Choice::Neutral | Choice::Option(_) => "NEUTRAL",
    }
}

/// What was said and found, as far as the lens lets it be seen.
fn history(case: &Case, seen: Seen) -> String {
    let results = results(case, seen);
    let items = items(case, seen, &results);
    told(case, &items, case.history_chars(), true)
}

/// One round, for somebody who weighs it.
fn round_told(case: &Case, round: u32) -> String {
    let mut of_round: Vec<&Contribution> =
        case.said.iter().map(|said| &*said.said).filter(|said| said.round == round).collect();
    of_round.sort_by_key(|said| case.place(&said.who));
    let items: Vec<Said<'_>> = of_round.into_iter().map(|said| statement(case, said, false)).collect();
    told(case, &items, 4 * case.history_chars(), false)
}

/// Everything, for somebody who shortens it: four times what a seat is told, and a digest beyond.
fn everything(case: &Case) -> String {
    let items: Vec<Said<'_>> = case.said.iter().map(|said| statement(case, said, false)).collect();
    told(case, &items, 4 * case.history_chars(), false)
}

fn told(case: &Case, items: &[Said<'_>], budget: usize, with_digest: bool) -> String {
    let hide = |text: &str| -> Cow<'_, str> { Cow::Owned(case.hidden(text).into_owned()) };
    let borrow: &dyn for<'t> Fn(&'t str) -> Cow<'t, str> = match case.names.mask() {
        Some(_) => &|text| Cow::Owned(hide(text).into_owned()),
        None => &|text| Cow::Borrowed(text),
    };
    let digest = case.dossier.digest.as_ref().filter(|_| with_digest);
    let written = digest.map(|(round, sides)| Written { round: *round, sides });
    let options = case.opening.question.options.len();
    brief::history(items, &Manner { options, budget, hide: borrow, written })
}

fn statement<'a>(case: &'a Case, said: &'a Contribution, fresh: bool) -> Said<'a> {
    let label = case.names.label(&said.who);
    let ordered = said.ordered.is_some();
    Said::Statement { label, round: said.round, response: &said.response, ordered, fresh }
}

/// Everything a reader may see, in order.
fn items<'a>(case: &'a Case, seen: Seen, results: &'a [(Id, String)]) -> Vec<Said<'a>> {
    let mut items: Vec<((Id, u32, usize), Said<'a>)> = Vec::new();
    let visible = || case.said.iter().map(|said| &*said.said).filter(|said| seen.shows(case, said));
    // Where names are hidden, the order in which seats were called at once would tell who is who.
    let mut firsts: BTreeMap<u32, Id> = BTreeMap::new();
    if case.names.mask().is_some() {
        for said in visible().filter(|said| at_once(case, said)) {
            firsts.entry(said.round).and_modify(|id| *id = (*id).min(said.ask.0)).or_insert(said.ask.0);
        }
    }
    for said in visible() {
        let place = match firsts.get(&said.round) {
            Some(first) => (*first, number(case.names.label(&said.who)), 0),
            None => (said.ask.0, 0, 0),
        };
        items.push((place, statement(case, said, said.round == seen.round && !seen.voting)));
    }
    items.extend(results.iter().map(|(at, line)| ((*at, 0, 1), Said::Result(line.as_str()))));
    for (at, piece) in &case.dossier.material {
        items.push(((*at, 0, 2), Said::Material { name: &piece.name, text: &piece.text }));
    }
    if seen.sees != Sees::Nothing {
        items.extend(case.dossier.requests.values().filter_map(|row| {
            let (at, answer) = match &row.became {
                Became::Open => return None,
                Became::Answered { at, text } => (*at, Some(text.as_str())),
                Became::Waived { at } => (*at, None),
            };
            let label = case.names.label(&row.who);
            Some(((at, 0, 3), Said::Reply { label, query: &row.request.query, answer }))
        }));
    }
    items.sort_by_key(|(place, _)| *place);
    items.into_iter().map(|(_, said)| said).collect()
}

/// Whether a statement was made on a floor that calls everyone at once, or in a round that a branch shares: in
/// what order seats were called there is nobody's business here.
fn at_once(case: &Case, said: &Contribution) -> bool {
    if case.opening.forked.is_some_and(|forked| said.round <= forked.round) {
        return true;
    }
    let stage = case.council().and_then(|(rules, _)| rules.stages.get(usize::from(said.stage)));
    stage.is_some_and(|stage| match &stage.kind {
        StageKind::Speak(speak) => speak.floor == Order::Parallel,
        StageKind::Vote { .. } => false,
    })
}

/// The number of a pseudonym.
fn number(label: &str) -> u32 {
    label.rsplit(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Results of earlier votes, as counts: who voted how is nobody's business while the matter is open.
fn results(case: &Case, seen: Seen) -> Vec<(Id, String)> {
    match seen.sees {
        Sees::Nothing => Vec::new(),
        Sees::EarlierRounds | Sees::SoFar | Sees::Team => {
            let closed = case.ballots.iter().filter_map(|ballot| Some((ballot, &ballot.result.as_ref()?.0)));
            closed.map(|(ballot, tally)| (ballot.id.0, counts(ballot, tally))).collect()
        }
    }
}

fn counts(ballot: &super::Ballot, tally: &crate::ballot::Tally) -> String {
    if let Some(standing) = ballot.count.as_ref().and_then(|count| count.standing.as_ref()) {
        let (method, order) = (ballot.rule.method.word(), Marks::Ranking(standing.order.clone()));
        let unheard = tally.missing + tally.unparsed;
        return format!(
            "The council voted, counted by {method}: {order}. NONE {}, ABSTAIN {}, not heard {unheard}.",
            tally.no, tally.neutral
        );
    }
    let mut line = String::from("The council voted:");
    for choice in tally.choices() {
        let word = choice.ballot_word(tally.options.len());
        let _ = write!(line, " {word} {},", tally.votes_for(choice));
    }
    let _ = write!(line, " not heard {}.", tally.missing + tally.unparsed);
    line
}

/// How long a position may be told in the numbers of a round, in characters.
const PER_POSITION: usize = 240;

/// The last round in numbers, where the charter tells them: mean confidence, stances, positions most held.
fn numbers(case: &Case, seen: Seen) -> Option<String> {
    let statistics = case.council().is_some_and(|(rules, _)| rules.lens.statistics);
    if !statistics || seen.voting || seen.sees == Sees::Nothing || seen.round < 2 {
        return None;
    }
    let options = case.opening.question.options.len();
    let mut of_round: Vec<&Contribution> = case
        .said
        .iter()
        .map(|said| &*said.said)
        .filter(|said| said.round + 1 == seen.round && said.ordered.is_none())
        .collect();
    // The order in which answers came in, or seats sit, must not show here either.
    of_round.sort_by_key(|said| (number(case.names.label(&said.who)), case.place(&said.who)));
    let voices: Vec<&Response> = of_round.into_iter().map(|said| &said.response).collect();
    let found = watch::statistics(options, &voices);
    let mut out = String::new();
    match found.mean_confidence {
        Some(mean) => drop(writeln!(out, "Mean confidence: {} %", (mean.get() + 5) / 10)),
        None => out.push_str("Mean confidence: unknown\n"),
    }
    if !found.stances.is_empty() {
        let stances: Vec<String> =
            found.stances.iter().map(|(side, count)| format!("{} {count}", side.word(options))).collect();
        let _ = writeln!(out, "Stances: {}", stances.join(", "));
    }
    if !found.positions.is_empty() {
        out.push_str("Positions most held:\n");
        for (position, count) in &found.positions {
            let position = text::excerpt(position, PER_POSITION);
            let _ = writeln!(out, "| {count} × {}", text::one_line(&case.hidden(&position)));
        }
    }
    Some(out)
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
        let spoke = spoke.map(|said| &*said.said).filter(|said| said.response.stance == Some(*choice));
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
        let _ = write!(out, "{word} ({seats} of {} seats)", case.in_play());
        if let Some(gist) = voice.and_then(|said| said.response.gist()) {
            let gist = text::excerpt(gist, PER_SIDE);
            let _ = write!(out, ": {}", text::one_line(&case.hidden(&gist)));
        }
        out.push('\n');
    }
    Some(out)
}
