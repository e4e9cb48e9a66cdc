//! One session played through the house, up to the first ask that its record has no answer for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use serde_json::json;
use synod_core::ballot::Rules;
use synod_core::command::{MotionProposal, Open};
use synod_core::dissent::StanceCount;
use synod_core::house::{Case, Item, Reader};
use synod_core::kernel::{
    Actor, AskId, At, Cause, Choice, Decision, Digest, Id, MatterId, Rank, Seat, SeatKind, SeatProfile, Who,
};
use synod_core::matter::{Question, Status};
use synod_core::{Act, Command, House, Outcome, Task};

use super::{RejudgedBreak, ReplayDivergence, ReplayRules};
use crate::session::{
    ForcedBy, RecordedSession, RecordedSpeech, RecordedVote, SessionSpeaker, SideCount, SideSource,
    SpokenSide, side,
};
use crate::turn::{TurnNotes, turn_notes};

/// What sealed votes are sealed with; what was recorded is known anyway.
const SALT: &str = "replayed-replayed";
/// How much of a motion's text is put, in characters.
const TEXT_MOST: usize = 8_000;

/// How much of a speech is given to the house, in characters.
const SPEECH_MOST: usize = 2_000;

/// What a session came to.
pub(super) struct Played {
    pub(super) charter: String,
    pub(super) digest: String,
    pub(super) rule: Rules,
    pub(super) judged: u32,
    pub(super) votes_judged: u32,
    pub(super) divergence: Option<ReplayDivergence>,
    pub(super) breaks: Vec<RejudgedBreak>,
    pub(super) before_team: Option<(SideCount, SideCount)>,
    pub(super) all: SideCount,
    pub(super) free: SideCount,
    pub(super) stand_ins: Vec<u32>,
    pub(super) vote: Option<SideCount>,
    pub(super) decision: Option<Decision>,
    pub(super) notes: Vec<String>,
    /// What was put before whom, turn by turn: the speech, or none for a vote.
    pub(super) turns: Vec<(Option<u32>, TurnNotes)>,
}

/// The house, and what of the record was not given yet.
struct SessionPlay<'a> {
    house: House,
    now: u64,
    matter: MatterId,
    session: &'a RecordedSession,
    seats: BTreeMap<Who, &'a str>,
    /// The next speech of the record.
    next: usize,
    given: Vec<bool>,
    voted: BTreeMap<&'a str, VecDeque<&'a RecordedVote>>,
    out: Played,
}

fn put(house: &House, command: Command) -> Result<House, String> {
    let (act, after): (Act, House) = house.judge(At(1), Actor::Operator, None, command);
    match act.outcome {
        Outcome::Done(_) => Ok(after),
        Outcome::Refused { message, .. } => Err(message.to_string()),
    }
}

/// The names of a session as a house spells them, each its own.
fn names(session: &RecordedSession) -> Result<Vec<(Who, &str)>, String> {
    let mut known: BTreeMap<Who, &str> = BTreeMap::new();
    let mut all = Vec::new();
    for speaker in &session.speakers {
        let plain: String = speaker
            .name
            .chars()
            .map(|c| if c.is_alphanumeric() || "-_. ".contains(c) { c } else { '-' })
            .collect();
        let who = Who::parse(&plain)?;
        if let Some(other) = known.insert(who.clone(), &speaker.name) {
            return Err(format!("`{other}` and `{}` are one name to a house; rename one", speaker.name));
        }
        all.push((who, speaker.name.as_str()));
    }
    Ok(all)
}

pub(super) fn play(session: &RecordedSession, rules: &ReplayRules<'_>) -> Result<Played, String> {
    let mut play = SessionPlay::open(session, rules)?;
    let most = 50 * (session.speeches.len() + session.votes.len() + session.speakers.len()) + 1_000;
    for _ in 0..most {
        let Some(case) = play.house.case(play.matter) else { return Err("the matter was lost".into()) };
        if let Status::Settled(decision) = case.status() {
            play.out.decision = Some(decision);
            break;
        }
        if play.out.divergence.is_some() || !play.step()? {
            break;
        }
    }
    play.finish()
}

impl<'a> SessionPlay<'a> {
    fn open(session: &'a RecordedSession, rules: &ReplayRules<'_>) -> Result<Self, String> {
        let edition = synod_core::edition::CURRENT;
        let mut house = put(&House::default(), Command::Found { edition, key: "00".repeat(32) })?;
        house = put(&house, Command::Adopt { source: rules.source.into() })?;
        let digest = Digest::of(rules.source.as_bytes());
        let names = names(session)?;
        for ((who, name), speaker) in names.iter().zip(&session.speakers) {
            let seat = Seat {
                who: who.clone(),
                name: (*name).to_string(),
                kind: SeatKind::Scripted,
                backend: "recorded".into(),
                model: speaker.model.clone(),
                persona: None,
                profile: Some(Arc::new(profile(speaker))),
            };
            house = put(&house, Command::Enrol { seat })?;
        }
        let mut notes = Vec::new();
        let text: String = match session.text.is_empty() {
            true => session.motion.clone(),
            false => format!("{}. {}", session.motion, session.text),
        };
        // What was held in a house has no other text than its question.
        if session.text.is_empty() && !matches!(session.origin.as_str(), "house" | "simulated") {
            notes.push(
                "Of the motion only its title is known; structural risks are looked for in that alone."
                    .into(),
            );
        }
        let text: String = text.chars().take(TEXT_MOST).collect();
        let question = Question::parse(&text, &[]).map_err(|wrong| wrong.to_string())?;
        let mut open = Open::new(question, digest, names.iter().map(|(who, _)| who.clone()).collect());
        let charter = house
            .charter(&digest)
            .map(|adopted| adopted.rules.clone())
            .ok_or("the charter was not adopted")?;
        let wanted = rules.motion.or(session.kind.as_deref());
        open.motion =
            wanted.filter(|kind| rules.motion.is_some() || charter.motion(kind).is_some()).map(Into::into);
        open.moved = rules.settings.iter().cloned().collect();
        if charter.parliament().is_some() {
            open.proposal = Some(proposal(session, &names, &mut notes));
        }
        let act = house.seq().next();
        let house = put(&house, Command::Open(Box::new(open)))?;
        let matter = MatterId(Id { act, nth: 0 });
        let case = house.case(matter).ok_or("the matter was lost")?;
        let out = Played {
            charter: case.charter.name.clone(),
            digest: digest.to_string(),
            rule: case.charter.ballot.clone(),
            judged: 0,
            votes_judged: 0,
            divergence: None,
            breaks: Vec::new(),
            before_team: None,
            all: SideCount::default(),
            free: SideCount::default(),
            stand_ins: Vec::new(),
            vote: None,
            decision: None,
            notes,
            turns: Vec::new(),
        };
        let mut voted: BTreeMap<&str, VecDeque<&RecordedVote>> = BTreeMap::new();
        session.votes.iter().for_each(|vote| voted.entry(&vote.speaker).or_default().push_back(vote));
        let given = vec![false; session.speeches.len()];
        let seats = names.into_iter().collect();
        Ok(Self { house, now: 2, matter, session, seats, next: 0, given, voted, out })
    }

    fn give(&mut self, by: Actor, command: &Command) -> Result<(), String> {
        self.now += 1;
        let decided = self.house.decide(At(self.now), &by, command).map_err(|refusal| refusal.to_string())?;
        self.house = decided.house;
        Ok(())
    }

    fn diverges(&mut self, entry: Option<u32>, why: String) {
        self.out.divergence = Some(ReplayDivergence { entry, why });
    }

    /// Answers one ask from the record. False where nothing is asked.
    fn step(&mut self) -> Result<bool, String> {
        let found = self.house.open_asks().find_map(|(id, ask)| Some((id, ask.who()?.clone(), ask.task()?)));
        let Some((ask, who, task)) = found else {
            let status = self.house.case(self.matter).map_or("lost", |case| case.status().word());
            self.diverges(
                self.next_entry(),
                format!("the matter is {status}: this charter waits for somebody"),
            );
            return Ok(false);
        };
        match task {
            Task::Speak { .. } => self.speech(ask, &who)?,
            Task::Vote { .. } => self.vote(ask, &who)?,
            Task::Clerk(_) => {
                let note = "What clerks would have said is not on record; a placeholder stands for it.";
                if !self.out.notes.iter().any(|known| known == note) {
                    self.out.notes.push(note.into());
                }
                self.answer(ask, &who, "{\"summary\":\"not recorded\"}".into())?;
            }
            // Nobody declines on record: what was not seconded was not debated.
            Task::Second => self.answer(ask, &who, "{\"second\":\"YES\"}".into())?,
            Task::Join | Task::Propose | Task::Weigh => {
                self.diverges(
                    self.next_entry(),
                    format!("`{who}` is asked for something that no recorded session holds"),
                );
            }
        }
        Ok(true)
    }

    /// The place of the next speech on record; none where only votes are left.
    fn next_entry(&self) -> Option<u32> {
        self.session.speeches.get(self.next).map(|said| said.order)
    }

    fn answer(&mut self, ask: AskId, who: &Who, text: String) -> Result<(), String> {
        let answer = Command::Answer { ask, call: Box::default(), salt: Some(SALT.into()), text };
        self.give(Actor::Seat(who.clone()), &answer)
    }

    fn fail(&mut self, ask: AskId) -> Result<(), String> {
        let cause = Cause::passing("lab/not-recorded", "the record has no answer of this seat");
        self.give(Actor::Engine, &Command::Fail { ask, call: Box::default(), cause })
    }

    fn speech(&mut self, ask: AskId, who: &Who) -> Result<(), String> {
        let Some(case) = self.house.case(self.matter) else { return Ok(()) };
        let name = self.seats.get(who).copied().unwrap_or_default();
        let notes = turn_notes(case, who, false);
        let ordered = notes.ordered.and_then(side);
        let heard = heard(case);
        let Some(at) = self.wanted(name) else {
            if self.skipped(name) {
                return self.fail(ask);
            }
            let entry = self.next_entry();
            let why = match self.session.speeches.get(self.next) {
                Some(said) => format!("`{name}` is called; `{}` spoke there", said.speaker),
                None => format!("`{name}` is called for a speech that the record does not have"),
            };
            self.diverges(entry, why);
            return Ok(());
        };
        let said = &self.session.speeches[at];
        let then = said.forced.map(|order| order.side);
        if ordered != then {
            let words = |side: Option<SpokenSide>| {
                side.map_or("speaks freely".into(), |it| format!("is ordered to speak {}", it.word()))
            };
            let why = format!("`{name}` {}; on record it {}", words(ordered), words(then));
            self.diverges(Some(said.order), why);
            return Ok(());
        }
        let then = recorded_heard(self.session, said);
        if heard != then {
            let why = format!("`{name}` hears {heard} speeches; on record it heard {then}");
            self.diverges(Some(said.order), why);
            return Ok(());
        }
        if said.speaker != name {
            self.out.stand_ins.push(said.order);
        }
        let (order, spoken) = (said.order, words_of(said));
        self.given[at] = true;
        while self.given.get(self.next) == Some(&true) {
            self.next += 1;
        }
        self.out.turns.push((Some(order), notes));
        self.out.judged += 1;
        self.answer(ask, who, spoken)
    }

    /// The place of the recorded speech that answers a call of this seat.
    fn wanted(&self, name: &str) -> Option<usize> {
        let next = self.session.speeches.get(self.next)?;
        if next.speaker == name {
            return Some(self.next);
        }
        // Who is on a red team is drawn by lot: any speech of the recorded team will do.
        if next.forced.is_some_and(|order| order.why == ForcedBy::RedTeam) && self.is_team_speaking() {
            return Some(self.next);
        }
        if !self.session.at_once {
            return None;
        }
        let same_round = |said: &RecordedSpeech| said.round == next.round;
        let rest =
            self.session.speeches.iter().enumerate().skip(self.next).take_while(|(_, said)| same_round(said));
        rest.filter(|(at, said)| !self.given[*at] && said.speaker == name).map(|(at, _)| at).next()
    }

    fn is_team_speaking(&self) -> bool {
        let case = self.house.case(self.matter);
        case.and_then(Case::motion).is_some_and(|motion| motion.team.is_some())
    }

    /// Whether the record has no speech of this seat in a round in which others go on.
    fn skipped(&self, name: &str) -> bool {
        let Some(next) = self.session.speeches.get(self.next) else { return false };
        let spoke = self.session.speeches.iter().any(|said| said.round == next.round && said.speaker == name);
        // Before the first speech of a round nobody knows who was called.
        let begun = self.next > 0 && self.session.speeches[self.next - 1].round == next.round;
        !spoke && (begun || self.session.at_once) && self.knows(name)
    }

    /// Whether the seat spoke at all: one that never did was perhaps never called.
    fn knows(&self, name: &str) -> bool {
        self.session.speeches.iter().any(|said| said.speaker == name)
    }

    fn vote(&mut self, ask: AskId, who: &Who) -> Result<(), String> {
        let Some(case) = self.house.case(self.matter) else { return Ok(()) };
        if self.next < self.session.speeches.len() {
            let entry = self.next_entry();
            self.diverges(entry, "the vote is called here; on record the debate went on".into());
            return Ok(());
        }
        let notes = turn_notes(case, who, true);
        let name = self.seats.get(who).copied().unwrap_or_default();
        if self.session.votes.is_empty() {
            self.diverges(None, "the record has no votes".into());
            return Ok(());
        }
        let Some(vote) = self.voted.get_mut(name).and_then(|votes| {
            // One that cannot be read is asked again.
            if votes.len() > 1 { votes.pop_front() } else { votes.front().copied() }
        }) else {
            return self.fail(ask);
        };
        let word = match vote.side {
            Some(SpokenSide::For) => "YES",
            Some(SpokenSide::Against) => "NO",
            Some(SpokenSide::Neutral) => "ABSTAIN",
            None => "…",
        };
        self.out.turns.push((None, notes));
        self.out.votes_judged += 1;
        self.answer(ask, who, json!({ "vote": word, "reason": "As recorded." }).to_string())
    }

    fn finish(mut self) -> Result<Played, String> {
        let case = self.house.case(self.matter).ok_or("the matter was lost")?;
        if let Some(motion) = case.motion() {
            let found = motion.breaks.iter().map(|found| RejudgedBreak {
                before: found.after + 1,
                side: found.side.forced().and_then(side).unwrap_or(SpokenSide::Neutral),
                count: counted(&found.count),
            });
            self.out.breaks = found.collect();
            let team = motion.team.as_ref();
            self.out.before_team = team.map(|team| (counted(&team.all), counted(&team.free)));
        }
        for said in &case.said {
            let taken = said.response.stance.and_then(side);
            self.out.all.add(taken);
            if said.ordered.is_none() {
                self.out.free.add(taken);
            }
        }
        if let Some((tally, _)) = case.ballots.iter().rev().find_map(|ballot| ballot.result.as_ref()) {
            let (yes, no, neutral, unknown) = (tally.yes, tally.no, tally.neutral, tally.unparsed);
            self.out.vote = Some(SideCount { yes, no, neutral, unknown });
        }
        Ok(self.out)
    }
}

fn counted(count: &StanceCount) -> SideCount {
    SideCount { yes: count.yes, no: count.no, neutral: count.neutral, unknown: count.unknown }
}

/// What a house knows of a recorded seat besides its name.
fn profile(speaker: &SessionSpeaker) -> SeatProfile {
    let rank = speaker.rank.and_then(|rank| u16::try_from(rank).ok());
    let name = |place: u16| speaker.title.clone().unwrap_or_else(|| format!("rank {place}"));
    SeatProfile { rank: rank.map(|place| Rank { place, name: name(place) }), ..SeatProfile::default() }
}

/// Who put and seconded the motion; where the record does not say, the operator and the first seat.
fn proposal(session: &RecordedSession, names: &[(Who, &str)], notes: &mut Vec<String>) -> MotionProposal {
    let seat = |name: &Option<String>| {
        let name = name.as_deref()?;
        names.iter().find(|(_, known)| *known == name).map(|(who, _)| who.clone())
    };
    let by = seat(&session.proposer);
    let seconder = seat(&session.seconder).filter(|who| by.as_ref() != Some(who));
    if seconder.is_none() {
        notes.push("Who seconded the motion is not on record; the first other seat stands for them.".into());
    }
    let other = || names.iter().map(|(who, _)| who.clone()).find(|who| by.as_ref() != Some(who));
    MotionProposal { seconder: seconder.or_else(other), by, listed: false }
}

/// How many speeches the next speaker hears.
fn heard(case: &Case) -> usize {
    let Some(speech) = case.stage().and_then(|stage| stage.kind.speech()) else { return case.said.len() };
    let reader = Reader::Speaker { sees: speech.sees, round: case.round(), team: 0 };
    case.said.iter().filter(|said| case.may_see(reader, Item::Contribution(said))).count()
}

/// How many speeches the recorded speaker had heard.
fn recorded_heard(session: &RecordedSession, said: &RecordedSpeech) -> usize {
    match session.at_once {
        true => session.speeches.iter().take_while(|before| before.round < said.round).count(),
        false => said.order as usize - 1,
    }
}

/// A recorded speech as an answer. Its side is given as a value, since how it was read is not judged again.
fn words_of(said: &RecordedSpeech) -> String {
    let side = said.side.map(|side| match side {
        SpokenSide::For => Choice::Yes,
        SpokenSide::Against => Choice::No,
        SpokenSide::Neutral => Choice::Neutral,
    });
    let own = said.source == SideSource::Given && !said.text.trim().is_empty();
    let position: String = match own {
        true => said.text.chars().take(SPEECH_MOST).collect(),
        // What a transcript holds may name another side than was read; here the side is what counts.
        false => format!("Speech {} as it was recorded.", said.order),
    };
    match side {
        Some(side) => {
            json!({ "position": position, "reasoning": "As recorded.", "stance": side.to_string() })
                .to_string()
        }
        None => json!({ "position": "As recorded, without a readable side.", "reasoning": "As recorded." })
            .to_string(),
    }
}
