//! Seats that Synod performs comment too: they are invited one by one, told what they may see and write, and what they
//! answer goes the way of every other comment. A comment that is turned away costs no further call: the reason stands in the
//! next brief of its author.

use std::sync::Arc;

use super::author::Author;
use super::comment::is_sound;
use super::state::parts;
use super::{CommentAllowance, Refusal, WriteComment, stance_word};
use crate::ask::Of;
use crate::brief::{self, Brief, CommentBrief, Form, Layer, WrittenComment};
use crate::dissent::DissentSide;
use crate::evidence::{EvidenceGrade, references_in};
use crate::house::{Case, Flow, House, Item, Reader};
use crate::issue::Freedom;
use crate::kernel::{
    Actor, At, AuthorClass, Cause, CitationTrigger, CommentAction, CommentDeed, CommentKind, Impact,
    MatterId, Reference, SeatKind, Who, text,
};
use crate::ledger::{Goal, GoalMetric};
use crate::procedure::{SubmittedAnswer, spent};
use crate::roster::{self, HealthMode, PreflightFlaw, WorkRole};
use crate::{Ask, Event, ask, floor};

/// Entries of canon in a brief, and characters of each: a seat can look up the rest.
const ENTRIES_MOST: usize = 5;
const ENTRY_EXCERPT: usize = 240;
/// Goals in a brief, and characters of each.
const GOALS_SHOWN: usize = 5;
const GOAL_EXCERPT: usize = 120;

/// Why an ask lapsed whose answer could not be read. The whole answer stands in the command that gave it.
pub const UNREADABLE: &str = "comment/unreadable";
/// How much of such an answer the event keeps, in characters.
const UNREAD_EXCERPT: usize = 200;

impl Flow {
    /// Asks a seat to comment. It costs a call, so only those who lead may.
    pub(super) fn invite(
        &mut self,
        author: &Author,
        matter: MatterId,
        who: &Who,
    ) -> Result<(), crate::Refusal> {
        author.must_lead()?;
        let case = self.live_issue(matter)?;
        let seat = self.house.roster().get(who);
        let Some(seat) = seat else { return Err(roster::Refusal::UnknownSeat { who: who.clone() }.into()) };
        if seat.kind == SeatKind::Outside {
            return Err(Refusal::NotPerformed { who: who.clone() }.into());
        }
        self.must_be_overseen()?;
        let invited = Author::of(self, &Actor::Seat(who.clone()))?;
        invited.must_write(self)?;
        let issue = &parts(&case).1.issue;
        if let Some(freeze) = issue.freeze.as_ref().filter(|_| issue.rests(self.at) && !invited.oversees()) {
            return Err(Refusal::Frozen { until: freeze.until }.into());
        }
        if case.asks().values().any(|ask| ask.is_of(who)) {
            return Err(Refusal::AlreadyInvited { who: who.clone() }.into());
        }
        let round = u32::try_from(case.called_so_far()).unwrap_or(u32::MAX).saturating_add(1);
        let until = self.queued_until(who);
        self.put(Event::Floor(floor::Event::Called { matter, round, until, who: who.clone() }));
        Ok(())
    }

    /// Refuses to let seats run where nobody could stop or challenge them. Asked here, so that no caller can skip it.
    fn must_be_overseen(&self) -> Result<(), crate::Refusal> {
        let health = self.house.health(HealthMode::Editor);
        if health.is_ok() {
            return Ok(());
        }
        let line = |flaw: &PreflightFlaw| format!("{}: {} (`{}`)", flaw.code(), flaw.message(), flaw.fix());
        let flaws = health.flaws.iter().map(line).collect::<Vec<_>>().join("; ");
        Err(Refusal::NoOversight { flaws }.into())
    }

    /// What a seat answered that was asked to comment.
    pub(super) fn seat_comments(
        &mut self,
        case: &Case,
        given: &SubmittedAnswer<'_>,
    ) -> Result<(), crate::Refusal> {
        let id = given.id;
        let Some(who) = case.asks().get(&id).and_then(|ask| ask.who().cloned()) else {
            return Err(ask::Refusal::NotOpen { ask: id }.into());
        };
        self.turn_to(case.id);
        self.put(spent(id, given.call));
        let author = Author::of(self, &Actor::Seat(who))?;
        let form = Form::comment(author.class == AuthorClass::Moderator);
        let Some(written) = WrittenComment::read(&form, given.text) else {
            let said = text::excerpt(&text::one_line(given.text), UNREAD_EXCERPT).into_owned();
            let detail = format!("the answer could not be read as a comment; it begins: {said}");
            self.lapse(id, Cause::passing(UNREADABLE, detail));
            return Ok(());
        };
        if written.body.is_empty() {
            let why = Some("nothing to add".to_string());
            self.put(Event::Floor(floor::Event::Skipped { ask: id, why }));
            return Ok(());
        }
        let comment = comment_of(case.id, &written);
        if let Some(refusal) = self.would_refuse(&author, &comment) {
            let why = Some(refusal.to_string());
            self.put(Event::Floor(floor::Event::Skipped { ask: id, why }));
            return Ok(());
        }
        // Given back first: a comment that resolves the issue calls off what is still open.
        self.put(Event::Floor(floor::Event::Released { ask: id }));
        match moderates(&author, &written.action) {
            Some(deed) => self.see_to(&author, case.id, deed, &written),
            None => self.comment(&author, &comment),
        }
    }

    /// Does what a moderator wants done; where that cannot be, its words stand as a comment.
    fn see_to(
        &mut self,
        author: &Author,
        matter: MatterId,
        deed: ModeratorDeed,
        written: &WrittenComment,
    ) -> Result<(), crate::Refusal> {
        let before = self.events_so_far();
        let done = match deed {
            ModeratorDeed::Unfreeze => self.unfreeze(author, matter, &written.body),
            ModeratorDeed::Challenge => self.invoke_advocate(author, matter, None),
            ModeratorDeed::Escalate => self.escalate(author, matter, &written.body),
            ModeratorDeed::Force => {
                let why = if written.checked.trim().is_empty() { &written.body } else { &written.checked };
                self.force_resolution(author, matter, &written.body, why)
            }
        };
        match done {
            Err(_) if self.events_so_far() == before => {
                let action = None;
                self.comment(author, &WriteComment { action, ..comment_of(matter, written) })
            }
            other => other,
        }
    }

    /// What the house would say to a comment outright, before its words are looked at.
    fn would_refuse(&self, author: &Author, comment: &WriteComment) -> Option<crate::Refusal> {
        let case = self.case();
        let issue = &parts(case).1.issue;
        let frozen = issue.freeze.as_ref().filter(|_| issue.rests(self.at) && !author.oversees());
        if let Some(freeze) = frozen {
            return Some(Refusal::Frozen { until: freeze.until }.into());
        }
        author.must_write(self).and_then(|()| is_sound(comment)).err()
    }
}

/// What a moderator does to an issue instead of commenting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModeratorDeed {
    Unfreeze,
    Challenge,
    Escalate,
    Force,
}

fn moderates(author: &Author, action: &str) -> Option<ModeratorDeed> {
    if author.class != AuthorClass::Moderator {
        return None;
    }
    match action {
        "unfreeze" => Some(ModeratorDeed::Unfreeze),
        "challenge" => Some(ModeratorDeed::Challenge),
        "escalate" => Some(ModeratorDeed::Escalate),
        "force" => Some(ModeratorDeed::Force),
        _ => None, // a word of a model
    }
}

/// The comment that a seat wrote. Words that are none of a set are left out.
fn comment_of(issue: MatterId, written: &WrittenComment) -> WriteComment {
    fn word<T: Copy>(words: &[(&str, T)], given: &str) -> Option<T> {
        words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value)
    }
    let mut evidence: Vec<Reference> = Vec::new();
    // A model may put words around a reference, or words where it has none: only a single word can be a path by itself.
    let listed = written.evidence.iter().flat_map(|one| match references_in(one) {
        // A subject may have several words, which only the whole of what was written shows.
        found if found.len() == 1 && matches!(found[0], Reference::Gap(_)) => {
            Reference::parse(one.trim()).map_or(found, |whole| vec![whole])
        }
        none if none.is_empty() && !one.trim().contains(char::is_whitespace) => {
            Reference::parse(one.trim()).into_iter().collect()
        }
        found => found,
    });
    for reference in listed.chain(references_in(&written.body)) {
        if !evidence.iter().any(|known| known.normal_form() == reference.normal_form()) {
            evidence.push(reference);
        }
    }
    let kind = word(&CommentKind::WORDS, &written.kind).unwrap_or_default();
    let action = word(&CommentDeed::WORDS, &written.action).filter(|_| kind == CommentKind::Comment);
    WriteComment {
        action: action.map(|deed| CommentAction { deed, details: String::new() }),
        evidence,
        impact: word(&Impact::WORDS, &written.impact),
        kind,
        stance: written.stance.filter(|_| kind == CommentKind::Comment),
        trigger: word(&CitationTrigger::WORDS, &written.trigger),
        ..WriteComment::new(issue, &written.body)
    }
}

/// What a seat is told that is asked to comment: a pure function of the house.
pub(super) fn brief(house: &House, case: &Case, ask: &Ask) -> Option<Brief> {
    let Of::Seat { who, .. } = &ask.of else { return None };
    let issue = case.issue()?;
    let at = house.now();
    let title = &case.opening.question.topic;
    let form = Form::comment(house.author_class(who) == AuthorClass::Moderator);
    let stable = Layer::new(brief::thread_rules(title, &issue.body));
    let shared = Layer::new(canon_on(house, case, at) + &thread(case, who));
    let own = brief::comment_task(&own(house, case, who, at)?, title, &form);
    Some(Brief { stable, shared, own, form: Arc::new(form) })
}

/// What canon says about an issue, the closest entries first.
fn canon_on(house: &House, case: &Case, at: At) -> String {
    let issue = &parts(case).1.issue;
    let words = format!("{}\n{}", case.opening.question.topic, issue.body);
    let tags: Vec<&str> = issue.tags.iter().map(|tag| tag.as_str()).collect();
    let close = house.canon().about(&words, &tags, at).into_iter().take(ENTRIES_MOST);
    let shown = close.map(|(entry, held)| {
        (entry.to_string(), text::excerpt(&text::one_line(&held.text), ENTRY_EXCERPT).into_owned())
    });
    brief::canon_section(&shown.collect::<Vec<_>>())
}

/// The comments that a seat may see.
fn thread(case: &Case, who: &Who) -> String {
    let mut out = String::from("\n# The thread\n");
    let before = out.len();
    for (said, heard) in case.comments() {
        if !case.may_see(Reader::Participant(who), Item::Contribution(&said.said)) {
            continue;
        }
        let stance = heard.stance.and_then(stance_word).map(|word| format!(", {word}")).unwrap_or_default();
        let cited = case.graded_evidence(heard.comment);
        let verified = match cited.len() {
            0 => ", no evidence".to_string(),
            given => format!(", {given} cited, {} found true", heard.comment.verified),
        };
        let head = format!("{} ({}{stance}{verified})", heard.who, heard.comment.class.word());
        brief::thread_item(&mut out, &head, said.said.text());
        // What a seat wrote in a field of its own stands nowhere else: who cannot see what is cited cannot look it up.
        let cited = cited.iter().map(|(reference, grade)| {
            let found = grade.map_or("not checked", EvidenceGrade::word);
            format!("{reference} ({found})")
        });
        brief::cited_into(&mut out, cited);
    }
    if out.len() == before {
        out.push_str("\nNobody has commented yet.\n");
    }
    out
}

/// What is particular to one seat.
fn own<'a>(house: &'a House, case: &'a Case, who: &'a Who, at: At) -> Option<CommentBrief<'a>> {
    let (_, state) = case.workshop()?;
    let allowance = CommentAllowance::of(house, case, who, at)?;
    let seat = house.roster().get(who);
    let appointment = house.roster().appointment(who);
    let limits = &allowance.limits;
    let mut budget = Vec::new();
    if let Some(left) = allowance.comments {
        budget.push(format!("{} left for you on this issue.", text::counted(left.into(), "comment")));
    }
    budget.push(format!(
        "A comment has at least {} characters and {} different words; a question or acknowledgement {} and {}.",
        limits.chars_least, limits.words_least, limits.short_chars_least, limits.short_words_least
    ));
    budget.push(format!("From the impact {} on a comment needs evidence.", limits.evidence_from.word()));
    budget.push(format!(
        "At most {} in a comment such as urgent, critical or must.",
        text::counted(limits.keywords_most.into(), "strong word")
    ));
    Some(CommentBrief {
        who: who.as_str(),
        role: appointment.role.map(WorkRole::word),
        persona: seat.and_then(|seat| seat.persona.as_deref()),
        budget,
        team: team(house, who),
        goals: goals(house, who),
        remediation: remediation(house, case, who, at),
        heeds: allowance.heeds,
        order: state.order_of(who).map(|(_, order)| ordered(order.order.side, order.left)),
        moderates: house.author_class(who) == AuthorClass::Moderator,
    })
}

/// Who else works here, in which role.
fn team(house: &House, who: &Who) -> Vec<String> {
    let others = house.roster().active().filter(|(seat, held)| seat.who != *who && held.role.is_some());
    let line = |(seat, held): (&crate::kernel::Seat, roster::Appointment)| {
        let role = held.role.map_or("", WorkRole::word);
        format!("{}: {role}", seat.who)
    };
    others.map(line).collect()
}

/// The goals of the team and of a seat, the oldest first.
fn goals(house: &House, who: &Who) -> Vec<String> {
    let ledger = house.ledger();
    let own = ledger.open_goals().filter(|goal| goal.terms.agent.as_ref().is_none_or(|one| one == who));
    let line = |goal: &Goal| {
        let progress = ledger.progress(goal, &|period| house.issues_done(period));
        let yours = goal.terms.agent.is_some();
        let unpenalised = goal.terms.metric == GoalMetric::ZeroPenalties;
        let far = match (unpenalised, progress.enough) {
            (true, true) => "no penalty so far".to_string(),
            (true, false) => "missed".to_string(),
            (false, _) => {
                format!("{} of {}, {}", progress.current, progress.target, goal.terms.metric.word())
            }
        };
        let sentence = text::excerpt(&goal.terms.sentence, GOAL_EXCERPT);
        format!("{sentence} ({far}{})", if yours { ", yours" } else { "" })
    };
    own.take(GOALS_SHOWN).map(line).collect()
}

/// What a seat has to mind after what happened.
fn remediation(house: &House, case: &Case, who: &Who, at: At) -> Vec<String> {
    let (rules, state) = parts(case);
    let mut mind = Vec::new();
    for breach in state.turned_away.get(who).into_iter().flatten() {
        mind.push(format!(
            "Your last comment here was refused: {}. {}",
            breach.violation().detail,
            breach.fix()
        ));
    }
    if last_was_unread(case, who) {
        mind.push(
            "Your last answer here could not be read, so nobody has seen it. Answer with the fields asked for and nothing else."
                .into(),
        );
    }
    if house.is_dampened(rules, who, at) {
        mind.push(
            "Your comments escalated lately. Use no strong word at all, and begin with what you checked."
                .into(),
        );
    }
    if house.docket().freedom(who) == Freedom::Limited {
        mind.push(
            "The moderator limits you to one comment on each issue, with evidence for all but wording."
                .into(),
        );
    }
    mind
}

/// Whether the last answer of somebody could not be read, and nothing of theirs stands since.
fn last_was_unread(case: &Case, who: &Who) -> bool {
    let lapse = case.lapses.iter().rev().find(|lapse| lapse.who == *who);
    let unread = lapse.filter(|lapse| lapse.cause.code == UNREADABLE);
    unread.is_some_and(|lapse| !case.said.iter().any(|said| said.said.who == *who && said.id > lapse.ask.0))
}

/// An order, as whoever has to carry it out reads it.
fn ordered(side: DissentSide, left: u32) -> String {
    match side {
        DissentSide::Against => format!(
            "DEVIL'S ADVOCATE: the others seem to agree. Your next {} must look for what is wrong with it: hidden downsides and \
             edge cases, contradictions with what is settled, long-term risks, assumptions that nobody checked against the \
             files. If you find nothing, say what you checked and why it holds.",
            text::counted(left.into(), "comment")
        ),
        // Only speakers on motions are ordered to argue for something.
        DissentSide::For => String::new(),
        DissentSide::Blind => {
            "BLIND REVIEW: you have not seen what others think of this, and should not guess. Judge the issue itself and what \
             it cites."
                .into()
        }
    }
}
