//! What can be counted in recorded sessions, one trial each.

use std::collections::BTreeMap;

use crate::session::{RecordedSession, RecordedSpeech, SpokenSide};

/// Something that could have gone either way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SessionTrial {
    pub(super) session: usize,
    pub(super) hit: bool,
    /// How often it would have gone that way at the full strength of the parameter.
    pub(super) weight: f64,
}

impl SessionTrial {
    fn of(session: usize, hit: bool) -> Self {
        Self { session, hit, weight: 1.0 }
    }
}

/// The trials of seats that share a model.
#[derive(Debug, Default)]
pub(super) struct GroupTrials {
    pub(super) seats: usize,
    pub(super) first_right: Vec<SessionTrial>,
    pub(super) toward: Vec<SessionTrial>,
    pub(super) away: Vec<SessionTrial>,
    pub(super) complied: Vec<SessionTrial>,
    pub(super) carried: Vec<SessionTrial>,
    pub(super) kept: Vec<SessionTrial>,
    pub(super) unreadable: Vec<SessionTrial>,
    pub(super) abstains: Vec<SessionTrial>,
    /// Pairs of free speeches of one seat with a digest between them, and without.
    pub(super) after_digest: usize,
    pub(super) no_digest: usize,
}

/// What a seat said so far.
#[derive(Default)]
struct SeatCourse {
    /// Its last free side, and the entry.
    free: Option<(SpokenSide, u32)>,
    first: Option<SpokenSide>,
    /// Its last speech of all: the side it was ordered to take and took, if it was forced.
    last_forced: Option<SpokenSide>,
    last_is_free: bool,
}

/// The trials of all sessions, by model.
pub(super) fn of(sessions: &[RecordedSession]) -> BTreeMap<String, GroupTrials> {
    let mut groups: BTreeMap<String, GroupTrials> = BTreeMap::new();
    for (nth, session) in sessions.iter().enumerate() {
        let model = |name: &str| {
            let speaker = session.speakers.iter().find(|known| known.name == name);
            speaker.and_then(|known| known.model.clone()).unwrap_or_else(|| "all".into())
        };
        let models: BTreeMap<&str, String> =
            session.speakers.iter().map(|it| (it.name.as_str(), model(&it.name))).collect();
        let mut seats: BTreeMap<&String, usize> = BTreeMap::new();
        models.values().for_each(|model| *seats.entry(model).or_default() += 1);
        for (model, many) in seats {
            let group = groups.entry(model.clone()).or_default();
            group.seats = group.seats.max(many);
        }
        let courses = spoken(nth, session, &models, &mut groups);
        voted(nth, session, &models, &courses, &mut groups);
    }
    groups
}

fn spoken<'a>(
    nth: usize,
    session: &'a RecordedSession,
    models: &BTreeMap<&str, String>,
    groups: &mut BTreeMap<String, GroupTrials>,
) -> BTreeMap<&'a str, SeatCourse> {
    let mut courses: BTreeMap<&str, SeatCourse> = BTreeMap::new();
    let (mut yes, mut no) = (0u32, 0u32);
    let mut pending: Vec<(SpokenSide, u32)> = Vec::new();
    for said in &session.speeches {
        // Where a round speaks at once, what is said in it is heard when it is over.
        pending.retain(|(side, round)| {
            let heard = !session.at_once || *round < said.round;
            if heard {
                count(*side, &mut yes, &mut no);
            }
            !heard
        });
        let Some(group) = models.get(said.speaker.as_str()).and_then(|model| groups.get_mut(model)) else {
            continue;
        };
        let course = courses.entry(said.speaker.as_str()).or_default();
        group.unreadable.push(SessionTrial::of(nth, said.side.is_none()));
        take(nth, session, said, (yes, no), course, group);
        if let (Some(side), None) = (said.side, said.forced) {
            pending.push((side, said.round));
        }
    }
    courses
}

fn count(side: SpokenSide, yes: &mut u32, no: &mut u32) {
    match side {
        SpokenSide::For => *yes += 1,
        SpokenSide::Against => *no += 1,
        SpokenSide::Neutral => (),
    }
}

fn take(
    nth: usize,
    session: &RecordedSession,
    said: &RecordedSpeech,
    (yes, no): (u32, u32),
    course: &mut SeatCourse,
    group: &mut GroupTrials,
) {
    let Some(side) = said.side else { return };
    if let Some(order) = said.forced {
        group.complied.push(SessionTrial::of(nth, side == order.side));
        course.last_forced = (side == order.side).then_some(side);
        course.last_is_free = false;
        return;
    }
    if course.first.is_none() && side != SpokenSide::Neutral {
        course.first = Some(side);
        if let Some(truth) = session.truth {
            group.first_right.push(SessionTrial::of(nth, (side == SpokenSide::For) == truth));
        }
    }
    if let Some((before, entry)) = course.free {
        let digested = session.digests.iter().any(|digest| *digest >= entry && *digest < said.order);
        *(if digested { &mut group.after_digest } else { &mut group.no_digest }) += 1;
        if yes != no && before != SpokenSide::Neutral {
            let majority = if yes > no { SpokenSide::For } else { SpokenSide::Against };
            let share = f64::from(yes.max(no)) / f64::from(yes + no);
            if before == majority {
                group.away.push(SessionTrial::of(nth, side != majority));
            } else {
                group.toward.push(SessionTrial { session: nth, hit: side == majority, weight: share });
            }
        }
    }
    course.free = Some((side, said.order));
    course.last_is_free = true;
    course.last_forced = None;
}

fn voted(
    nth: usize,
    session: &RecordedSession,
    models: &BTreeMap<&str, String>,
    courses: &BTreeMap<&str, SeatCourse>,
    groups: &mut BTreeMap<String, GroupTrials>,
) {
    for vote in &session.votes {
        let name = vote.speaker.as_str();
        let model = models.get(name).cloned().unwrap_or_else(|| "all".into());
        let group = groups.entry(model).or_default();
        group.unreadable.push(SessionTrial::of(nth, vote.side.is_none()));
        let Some(side) = vote.side else { continue };
        group.abstains.push(SessionTrial::of(nth, side == SpokenSide::Neutral));
        let course = courses.get(name);
        let free = course.and_then(|course| course.free).map(|(side, _)| side);
        match course {
            // Who votes freely and never spoke gives a first side, too.
            None => {
                if let (Some(truth), true) = (session.truth, side != SpokenSide::Neutral) {
                    group.first_right.push(SessionTrial::of(nth, (side == SpokenSide::For) == truth));
                }
            }
            Some(course) if side != SpokenSide::Neutral => {
                match (course.last_forced, free, course.last_is_free) {
                    (Some(forced), Some(free), false) if free != forced => {
                        group.carried.push(SessionTrial::of(nth, side == forced));
                    }
                    (_, Some(free), true) if free != SpokenSide::Neutral => {
                        group.kept.push(SessionTrial::of(nth, side == free));
                    }
                    _ => (), // nobody can tell what it would have voted
                }
            }
            Some(_) => (),
        }
    }
}
