//! The brief of an ask: lens and wording brought together, and what many briefs share kept so that it is made once.
//!
//! The cache never decides what is told: a brief is a function of the house alone, and a test compares briefs made
//! with and without it. What belongs to closed rounds never changes, so the cache only ever appends to it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::dossier::Became;
use super::names::Names;
use super::{Case, House};
use crate::ask::Chore;
use crate::brief::{self, Brief, Filling, Form, History, Item, Layer, Telling, Worded, Written, You};
use crate::charter::StageKind;
use crate::floor::{self, Order};
use crate::kernel::{AskId, Choice, Contribution, Id, Marks, MatterId, Response, Who, text};
use crate::lens::{self, Sees};
use crate::{Ask, Task, watch};

/// Keeps what many briefs share, so that it is worded and hashed once.
#[derive(Debug, Default)]
pub struct BriefCache {
    matters: BTreeMap<MatterId, OfMatter>,
}

/// So many matters and statements are kept; when a further matter comes, everything is made anew as it is needed.
const KEPT: (usize, usize) = (512, 20_000);

/// What is kept of one matter.
#[derive(Debug)]
struct OfMatter {
    /// The names that stand in the texts below.
    names: Arc<Names>,
    /// By the form that is asked for.
    stable: Vec<(Arc<Form>, Layer)>,
    /// Its statements, in the order of the record.
    worded: Vec<Arc<Worded>>,
    told: BTreeMap<Audience, Told>,
    task: Option<(TaskKey, Arc<str>)>,
}

/// Readers who are told the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Audience {
    voting: bool,
    nothing: bool,
    this_round: bool,
    /// Whose side of this round is seen, where only that is.
    team: Option<usize>,
}

/// What an audience was told last.
#[derive(Debug)]
struct Told {
    seen: Seen,
    /// The place of the last item.
    last: Place,
    history: History,
    layer: Layer,
}

/// Where an item stands: by when it was called for, then by its author where that must not show, then by its kind.
type Place = (Id, u32, usize);

/// What the texts of an ask follow from, besides the seat: how far it sees, and how much there is to see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    sees: Sees,
    /// Whose side of this round is seen, where only that is.
    team: usize,
    voting: bool,
    round: u32,
    said: usize,
    ballots: usize,
    /// Acts of the operator: material and answers.
    given: usize,
    /// The round up to which a scribe has digested what was said.
    digested: Option<u32>,
}

/// What the words of a task follow from. Nothing that is said in a round changes what is asked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TaskKey {
    seen: Seen,
    again: bool,
    last: bool,
    in_play: usize,
    focus: Option<String>,
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
        let digested = case.dossier.digest.as_ref().map(|(round, _)| *round);
        Self { sees, team, voting, round, said: case.said.len(), ballots, given, digested }
    }

    fn audience(&self) -> Audience {
        let (nothing, this_round, team) = match self.sees {
            Sees::Nothing => (true, false, None),
            Sees::EarlierRounds => (false, false, None),
            Sees::SoFar => (false, true, None),
            Sees::Team => (false, true, Some(self.team)),
        };
        Audience { voting: self.voting, nothing, this_round, team }
    }

    /// Whether a contribution is of the round under way, where others may still speak after the reader.
    fn is_fresh(&self, said: &Contribution) -> bool {
        said.round == self.round && !self.voting
    }

    /// Whether a contribution may be seen.
    fn shows(&self, case: &Case, said: &Contribution) -> bool {
        let mate = || case.place(&said.who).is_some_and(|place| floor::team(place) == self.team);
        lens::may_see(self.sees, self.round, said, self.sees == Sees::Team && mate())
    }
}

impl House {
    /// The brief for an open ask: a pure function of the house, whatever the cache holds.
    pub fn brief(&self, ask: AskId, cache: &mut BriefCache) -> Option<Brief> {
        let open = self.ask(ask)?;
        // Participants that come by themselves read a turn sheet (`procedure::ring::TurnSheet`).
        let case = self.case(open.matter)?;
        let (_, state) = case.council()?;
        let (form, again) = match open.task {
            Task::Speak { round } => (state.forms.speech(round, round >= case.last_round()), false),
            Task::Vote { attempt, .. } => (&state.forms.vote, attempt > 1),
            Task::Clerk(chore) => return Some(case.clerk_brief(open, chore)),
            Task::Join | Task::Propose | Task::Weigh => return None,
        };
        let seen = Seen::of(case, open);
        let known = cache.of(case);
        let task = known.task(case, seen, again);
        let own = brief::own(&task, case.you(&open.who, seen.voting)?);
        let (stable, shared) = (known.stable(case, seen, form), known.shared(case, seen));
        Some(Brief { stable, shared, own, form: form.clone() })
    }
}

impl BriefCache {
    /// What is kept of a matter, brought up to its last statement.
    fn of(&mut self, case: &Case) -> &mut OfMatter {
        if self.matters.get(&case.id).is_some_and(|known| !known.belongs_to(case)) {
            self.matters.remove(&case.id);
        }
        let statements = || self.matters.values().map(|known| known.worded.len()).sum::<usize>();
        if !self.matters.contains_key(&case.id) && (self.matters.len() >= KEPT.0 || statements() > KEPT.1) {
            self.matters.clear();
        }
        let known = self.matters.entry(case.id).or_insert_with(|| OfMatter::new(case));
        let new = case.said.iter().skip(known.worded.len());
        known.worded.extend(new.map(|said| worded(case, &said.said)));
        known
    }
}

fn worded(case: &Case, said: &Arc<Contribution>) -> Arc<Worded> {
    Arc::new(Worded::new(said.clone(), case.names.label(&said.who)))
}

impl OfMatter {
    fn new(case: &Case) -> Self {
        let names = case.names.clone();
        Self { names, stable: Vec::new(), worded: Vec::new(), told: BTreeMap::new(), task: None }
    }

    /// Whether this was made from the same words: a redaction, or another house, makes others of them.
    fn belongs_to(&self, case: &Case) -> bool {
        let last = self.worded.last().map(|worded| worded.said());
        let same = |last: &Contribution| {
            let now = case.said.get(self.worded.len() - 1);
            now.is_some_and(|now| std::ptr::eq(last, &**now) || *last == **now)
        };
        (Arc::ptr_eq(&self.names, &case.names) || self.names == case.names) && last.is_none_or(same)
    }

    fn stable(&mut self, case: &Case, seen: Seen, form: &Arc<Form>) -> Layer {
        if let Some((_, layer)) = self.stable.iter().find(|(known, _)| Arc::ptr_eq(known, form)) {
            return layer.clone();
        }
        let filling = match (seen.voting, seen.round) {
            (true, _) => Filling::Vote,
            (false, 1) => Filling::First,
            (false, _) => Filling::Later,
        };
        let question = &case.opening.question;
        let text = case.council().map_or_else(String::new, |(rules, _)| {
            brief::stable(&rules.brief, filling, form, &question.topic, &question.options)
        });
        let layer = Layer::new(text);
        self.stable.push((form.clone(), layer.clone()));
        layer
    }

    fn shared(&mut self, case: &Case, seen: Seen) -> Layer {
        let audience = seen.audience();
        if let Some(told) = self.told.get_mut(&audience)
            && told.grows_to(case, seen, &self.worded)
        {
            return told.layer.clone();
        }
        let told = Told::new(case, seen, &self.worded);
        let layer = told.layer.clone();
        self.told.insert(audience, told);
        layer
    }

    fn task(&mut self, case: &Case, seen: Seen, again: bool) -> Arc<str> {
        let focus = case.dossier.focus.get(&seen.round).map(|focus| case.hidden(focus).into_owned());
        let (last, in_play) = (seen.round >= case.last_round(), case.in_play());
        let key = TaskKey { seen: Seen { said: 0, ..seen }, again, last, in_play, focus };
        match &self.task {
            Some((known, text)) if *known == key => text.clone(),
            Some(_) | None => {
                let (crux, numbers) = (crux(case, seen), numbers(case, seen));
                let telling = match seen.voting {
                    false => Telling::Speak {
                        round: seen.round,
                        last,
                        focus: key.focus.as_deref(),
                        crux: crux.as_deref(),
                        numbers: numbers.as_deref(),
                    },
                    true => Telling::Vote { again },
                };
                let text: Arc<str> = brief::task(telling).into();
                self.task = Some((key, text.clone()));
                text
            }
        }
    }
}

impl Told {
    fn new(case: &Case, seen: Seen, worded: &[Arc<Worded>]) -> Self {
        let results = results(case, seen);
        let items = items(case, seen, worded, &results);
        let last = items.last().map_or(BEGINNING, |(place, _)| *place);
        let mut history = empty_history(case, case.history_chars(), true);
        hiding(case, |hide| {
            items.into_iter().for_each(|(_, item)| history.push(item, hide));
            let layer = history.layer(hide);
            Self { seen, last, history, layer }
        })
    }

    /// Takes what was said since, if all of it comes after what was told already.
    fn grows_to(&mut self, case: &Case, seen: Seen, worded: &[Arc<Worded>]) -> bool {
        if (Seen { said: self.seen.said, ..seen }) != self.seen || seen.said < self.seen.said {
            return false;
        }
        let new: Vec<&Arc<Worded>> =
            worded[self.seen.said..].iter().filter(|new| seen.shows(case, new.said())).collect();
        let mut last = self.last;
        for said in new.iter().map(|new| new.said()) {
            let place = (said.ask.0, 0, 0);
            if place <= last || hides_order(case, said) {
                return false;
            }
            last = place;
        }
        (self.seen, self.last) = (seen, last);
        if !new.is_empty() {
            self.layer = hiding(case, |hide| {
                for worded in new {
                    let fresh = seen.is_fresh(worded.said());
                    self.history.push(Item::statement(worded.clone(), fresh), hide);
                }
                self.history.layer(hide)
            });
        }
        true
    }
}

/// Before everything.
const BEGINNING: Place = (Id { act: crate::kernel::Seq(0), nth: 0 }, 0, 0);

/// Gives what hides names in this matter.
fn hiding<T>(case: &Case, with: impl FnOnce(brief::Hide<'_>) -> T) -> T {
    match case.names.mask() {
        Some(mask) => with(&|text| mask.hide(text)),
        None => with(&|text| Cow::Borrowed(text)),
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
    let worded: Vec<Arc<Worded>> = case.said.iter().map(|said| worded(case, &said.said)).collect();
    Told::new(case, seen, &worded).layer.text().to_string()
}

/// One round, for somebody who weighs it.
fn round_told(case: &Case, round: u32) -> String {
    let mut of_round: Vec<&Arc<Contribution>> =
        case.said.iter().filter(|said| said.round == round).map(|said| &said.said).collect();
    of_round.sort_by_key(|said| case.place(&said.who));
    at_length(case, of_round)
}

/// Everything, for somebody who shortens it: four times what a seat is told, and a digest beyond.
fn everything(case: &Case) -> String {
    at_length(case, case.said.iter().map(|said| &said.said).collect())
}

fn at_length(case: &Case, said: Vec<&Arc<Contribution>>) -> String {
    let mut history = empty_history(case, 4 * case.history_chars(), false);
    hiding(case, |hide| {
        said.into_iter().for_each(|said| history.push(Item::statement(worded(case, said), false), hide));
        history.layer(hide).text().to_string()
    })
}

fn empty_history(case: &Case, budget: usize, with_digest: bool) -> History {
    let digest = case.dossier.digest.as_ref().filter(|_| with_digest);
    let written = digest.map(|(round, sides)| {
        let hidden =
            |points: &Vec<String>| points.iter().map(|point| case.hidden(point).into_owned()).collect();
        let sides = sides.iter().map(|(choice, points)| (*choice, hidden(points))).collect();
        Written { round: *round, sides }
    });
    History::new(case.opening.question.options.len(), budget, written)
}

/// Everything a reader may see, in order.
fn items(case: &Case, seen: Seen, worded: &[Arc<Worded>], results: &[(Id, String)]) -> Vec<(Place, Item)> {
    let mut items: Vec<(Place, Item)> = Vec::new();
    let visible = || worded.iter().filter(|worded| seen.shows(case, worded.said()));
    let mut firsts: BTreeMap<u32, Id> = BTreeMap::new();
    for said in visible().map(|worded| worded.said()).filter(|said| hides_order(case, said)) {
        firsts.entry(said.round).and_modify(|id| *id = (*id).min(said.ask.0)).or_insert(said.ask.0);
    }
    for worded in visible() {
        let said = worded.said();
        let place = match firsts.get(&said.round) {
            Some(first) => (*first, number(case.names.label(&said.who)), 0),
            None => (said.ask.0, 0, 0),
        };
        items.push((place, Item::statement(worded.clone(), seen.is_fresh(said))));
    }
    items.extend(results.iter().map(|(at, line)| ((*at, 0, 1), Item::result(line))));
    hiding(case, |hide| {
        for (at, piece) in &case.dossier.material {
            items.push(((*at, 0, 2), Item::material(&piece.name, &piece.text, hide)));
        }
        let requests = case.dossier.requests.values().filter(|_| seen.sees != Sees::Nothing);
        items.extend(requests.filter_map(|row| {
            let (at, answer) = match &row.became {
                Became::Open => return None,
                Became::Answered { at, text } => (*at, Some(text.as_str())),
                Became::Waived { at } => (*at, None),
            };
            let label = case.names.label(&row.who);
            Some(((at, 0, 3), Item::reply(label, &row.request.query, answer, hide)))
        }));
    });
    items.sort_by_key(|(place, _)| *place);
    items
}

/// Where names are hidden, the order in which seats were called at once would tell who is who.
fn hides_order(case: &Case, said: &Contribution) -> bool {
    case.names.mask().is_some() && at_once(case, said)
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
        .map(|said| &**said)
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
        let _ = write!(out, "{word} ({seats} of {} seats)", case.in_play());
        if let Some(gist) = voice.and_then(|said| said.response.gist()) {
            let gist = text::excerpt(gist, PER_SIDE);
            let _ = write!(out, ": {}", text::one_line(&case.hidden(&gist)));
        }
        out.push('\n');
    }
    Some(out)
}
