//! The brief of an ask: lens and wording brought together, and what many briefs share kept so that it is made once.
//!
//! The cache never decides what is told: a brief is a function of the house alone, and a test compares briefs made
//! with and without it. What belongs to closed rounds never changes, so the cache only ever appends to it.

mod clerk;
mod items;
mod meant;
mod members;
mod seen;
mod task;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use self::items::{BEGINNING, ItemPlace, empty_history, hides_order, hiding, items, results, worded};
use self::members::members;
use self::seen::{Audience, VisibleExtent};
use self::task::{crux, numbers, other_task};
use crate::ask::Of;
use crate::brief::{
    self, AddressedSeat, Brief, Filling, Form, Ground, History, HistoryItem, Keep, Layer, Telling, Worded,
};
use crate::charter::StageKind;
use crate::house::{Case, House, Names, lens};
use crate::kernel::{Choice, Contribution, MatterId, SeatKind, Who};
use crate::{Ask, Task};

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
    /// The question, and the language it is in.
    language: (Arc<str>, Option<&'static str>),
    /// By the form that is asked for, and how often a part has passed to another seat.
    stable: Vec<(Arc<Form>, usize, Layer)>,
    /// Its statements, in the order of the record.
    worded: Vec<Arc<Worded>>,
    told: BTreeMap<Audience, LastBrief>,
    task: Option<(TaskKey, Arc<str>)>,
}

/// The brief that an audience got last.
#[derive(Debug)]
struct LastBrief {
    seen: VisibleExtent,
    /// The place of the last item.
    last: ItemPlace,
    history: History,
    layer: Layer,
    /// By the first word of a name: whether each statement that is digested may concern a seat of that name. Most seats
    /// share that word or are named by nobody.
    concerning: BTreeMap<Option<u64>, Vec<bool>>,
}

/// What the words of a task follow from. Nothing that is said in a round changes what is asked in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TaskKey {
    seen: VisibleExtent,
    again: bool,
    rounds: u32,
    in_play: usize,
    focus: Option<String>,
}

/// The brief for an open ask: a pure function of the matter, whatever the cache holds.
pub(crate) fn brief(_: &House, case: &Case, ask: &Ask, cache: &mut BriefCache) -> Option<Brief> {
    let (_, state) = case.council()?;
    let Of::Seat { who, task } = &ask.of else { return None };
    let (form, again) = match *task {
        Task::Speak { round } => {
            let stage = case.stage().map(|stage| &stage.kind);
            (state.forms.of_stage(stage, round, round >= case.last_round()), false)
        }
        Task::Vote { attempt, .. } => (&state.forms.vote, attempt > 1),
        Task::Second => (&state.forms.second, false),
        Task::Clerk(chore) => return Some(case.clerk_brief(who, chore)),
        Task::Join | Task::Propose | Task::Weigh => return None,
    };
    let seen = VisibleExtent::of(case, who, *task);
    let known = cache.of(case);
    let words = known.task(case, seen, again);
    let (stable, shared) = (known.stable(case, seen, form), known.shared(case, seen));
    let (addressed, offered) = known.meant_for(case, seen, who);
    let language = known.language(case);
    let notes = match *task {
        Task::Speak { .. } | Task::Vote { .. } => case.motion_notes(who, seen.voting),
        Task::Second | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh => String::new(),
    };
    let own = brief::own(&words, case.you(who, seen.voting, language, (&addressed, &offered, &notes))?);
    Some(Brief { stable, shared, own, form: form.clone() })
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

impl OfMatter {
    fn new(case: &Case) -> Self {
        let names = case.names.clone();
        let (language, stable, worded, told) = Default::default();
        Self { names, language, stable, worded, told, task: None }
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

    fn language(&mut self, case: &Case) -> Option<&'static str> {
        let topic = &case.opening.question.topic;
        if self.language.0 != *topic {
            self.language = (topic.clone(), brief::language(topic));
        }
        self.language.1
    }

    fn stable(&mut self, case: &Case, seen: VisibleExtent, form: &Arc<Form>) -> Layer {
        let passed = case.parts_passed();
        let is_known =
            |(known, at, _): &&(Arc<Form>, usize, Layer)| *at == passed && Arc::ptr_eq(known, form);
        if let Some((.., layer)) = self.stable.iter().find(is_known) {
            return layer.clone();
        }
        let filling = match (seen.voting, case.stage().map(|stage| &stage.kind), seen.round) {
            (true, ..) => Filling::Vote,
            (false, Some(StageKind::Propose(_)), _) => Filling::Proposal,
            (false, Some(StageKind::Estimate(_)), _) => Filling::Estimate,
            (false, Some(StageKind::Second { .. }), _) => Filling::Second,
            (false, _, 1) => Filling::First,
            (false, ..) => Filling::Later,
        };
        let question = &case.opening.question;
        let tools = case.opening.seats.iter().any(|seat| may_have_tools(seat.kind));
        let text = case.council().map_or_else(String::new, |(rules, _)| {
            let ground = Ground {
                topic: &question.topic,
                options: &question.options,
                must: &question.must,
                members: &members(case),
                parts: if case.has_roles() { &rules.brief.parts } else { &[] },
                words: rules.turn.words.is,
            };
            brief::stable(&rules.brief, tools, (filling, form), ground)
        });
        let layer = Layer::new(text);
        self.stable.push((form.clone(), passed, layer.clone()));
        layer
    }

    fn shared(&mut self, case: &Case, seen: VisibleExtent) -> Layer {
        let audience = seen.audience();
        if let Some(told) = self.told.get_mut(&audience)
            && told.grows_to(case, seen, &self.worded)
        {
            return told.layer.clone();
        }
        let told = LastBrief::new(case, seen, &self.worded);
        let layer = told.layer.clone();
        self.told.insert(audience, told);
        layer
    }

    fn task(&mut self, case: &Case, seen: VisibleExtent, again: bool) -> Arc<str> {
        let focus = case.dossier.focus.get(&seen.round).map(|focus| case.hidden(focus).into_owned());
        let (rounds, in_play) = (case.last_round(), case.in_play());
        let key = TaskKey { seen: VisibleExtent { said: 0, ..seen }, again, rounds, in_play, focus };
        match &self.task {
            Some((known, text)) if *known == key => text.clone(),
            Some(_) | None => {
                if let Some(text) = other_task(case, seen, seen.round >= rounds, key.focus.as_deref()) {
                    let text: Arc<str> = text.into();
                    self.task = Some((key, text.clone()));
                    return text;
                }
                let (crux, numbers) = (crux(case, seen), numbers(case, seen));
                let telling = match seen.voting {
                    false => Telling::Speak {
                        round: seen.round,
                        rounds,
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

impl LastBrief {
    fn new(case: &Case, seen: VisibleExtent, worded: &[Arc<Worded>]) -> Self {
        let results = results(case, seen);
        let items = items(case, seen, worded, &results);
        let last = items.last().map_or(BEGINNING, |(place, _)| *place);
        let digest = case.dossier.digest.as_ref();
        let digested = digest.is_some_and(|(last, _)| case.may_see(seen.reader(), lens::Item::Round(*last)));
        let keep = if seen.clerk { Keep::All } else { Keep::LastRound };
        let mut history = empty_history(case, case.history_chars(), keep, digested);
        hiding(case, |hide| {
            items.into_iter().for_each(|(_, item)| history.push(item, hide));
            let layer = history.layer(hide);
            Self { seen, last, history, layer, concerning: BTreeMap::new() }
        })
    }

    /// Takes what was said since, if all of it comes after what was told already.
    fn grows_to(&mut self, case: &Case, seen: VisibleExtent, worded: &[Arc<Worded>]) -> bool {
        if (VisibleExtent { said: self.seen.said, ..seen }) != self.seen || seen.said < self.seen.said {
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
            self.concerning.clear();
            self.layer = hiding(case, |hide| {
                for worded in new {
                    let fresh = seen.is_fresh(worded.said());
                    self.history.push(HistoryItem::statement(worded.clone(), fresh), hide);
                }
                self.history.layer(hide)
            });
        }
        true
    }
}

impl Case {
    /// The seat as it is told who it is. Where names are hidden it is not told its own: what one does not
    /// know one cannot give away.
    fn you<'a>(
        &'a self,
        who: &Who,
        voting: bool,
        language: Option<&'static str>,
        meant: (&'a str, &'a str, &'a str),
    ) -> Option<AddressedSeat<'a>> {
        let seat = self.seat(who)?;
        let role = self.role(who);
        let parts = &self.council()?.0.brief.parts;
        let part = role.and_then(|role| parts.iter().find(|part| part.name == role.name));
        let ordered = role.and_then(|role| role.expects);
        Some(AddressedSeat {
            name: self.names.label(&seat.who),
            part: part.filter(|_| !voting),
            side: ordered.filter(|_| !voting).map(side),
            persona: self.point_of_view(seat, voting),
            perspective: self.perspective(who).map(|field| (field.name.as_str(), field.view.as_str())),
            released: voting && ordered.is_some(),
            veto: voting && self.charter.ballot.veto.contains(who),
            language,
            addressed: meant.0,
            offered: meant.1,
            notes: meant.2,
        })
    }

    /// A text as other participants may read it.
    fn hidden<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.names.mask().map_or(Cow::Borrowed(text), |mask| mask.hide(text))
    }
}

/// Whether a participant may have tools. A model behind an API is offered none.
fn may_have_tools(kind: SeatKind) -> bool {
    match kind {
        SeatKind::Model | SeatKind::Rehearsal => false,
        SeatKind::Person | SeatKind::Scripted | SeatKind::CommandLine | SeatKind::Outside => true,
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
