//! What the lens says of every marked word of a house, and who looks.

use std::collections::BTreeMap;

use synod_core::charter::StageKind;
use synod_core::house::{Case, HouseItem, Item, Reader};
use synod_core::kernel::{Actor, Contribution, MatterId, Who};
use synod_core::lens::Sees;
use synod_core::{Act, Ask, House, Task, floor};
use synod_journal::{Head, SqliteReader, chain};

use crate::world::Place;

/// Every act of a house, in order.
pub(super) fn acts(place: &Place) -> Vec<Act> {
    let reader = SqliteReader::open(&place.house()).expect("a journal");
    let mut acts = Vec::new();
    chain::walk(&reader, Head::default(), |act, _| {
        acts.push(act);
        Ok::<(), synod_journal::Error>(())
    })
    .expect("a whole journal");
    acts
}

/// A house at one moment, with every marked word in it.
#[derive(Debug, Default)]
pub(super) struct Moment {
    pub(super) house: House,
    pub(super) marks: Marks,
    head: Head,
}

impl Moment {
    /// Reads on in the journal.
    pub(super) fn catch_up(&mut self, place: &Place) {
        let reader = SqliteReader::open(&place.house()).expect("a journal");
        let (before, house) = (self.head, &mut self.house);
        let read = chain::walk(&reader, before, |act, _| {
            house.evolve(&act);
            Ok::<(), synod_journal::Error>(())
        });
        self.head = read.expect("a whole journal");
        if self.head != before {
            self.marks = marks(&self.house);
        }
    }

    /// A house as it is at some act.
    pub(super) fn of(house: House) -> Self {
        Self { marks: marks(&house), house, head: Head::default() }
    }

    /// Reads on until nothing more is recorded.
    pub(super) fn settle(&mut self, place: &Place) {
        let mut still = 0;
        while still < 5 {
            let before = self.head;
            self.catch_up(place);
            still = if self.head == before { still + 1 } else { 0 };
            std::thread::sleep(std::time::Duration::from_millis(30));
        }
    }
}

/// Who looks.
#[derive(Debug, Clone)]
pub(super) enum Eye {
    Operator,
    /// Nobody that the house knows.
    Stranger,
    Participant(Who),
    /// Whoever listens on Redis.
    Channel,
    /// People at the terminal on which the matter runs.
    People(Vec<Who>),
    /// A seat that is asked for this.
    Seat(Ask),
}

/// What a marked word belongs to.
#[derive(Debug, Clone)]
pub(super) enum Marked {
    Topic,
    Name(Who),
    /// The place of a contribution.
    Said(usize),
    /// The place of a ballot, and whose vote.
    Voted(usize, Who),
    Asked {
        round: u32,
        /// Where the statement stands that asks.
        within: Option<usize>,
    },
    /// What somebody tried, and the rules refused.
    Refused(Who),
}

/// A marked word of a house, and what it belongs to; none of the matters for what agents were seen to do.
pub(super) type Marks = BTreeMap<String, Option<(MatterId, Marked)>>;

/// The marked words in a text: `mk` and a number and `k`, or `nm` and a number and `n`.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (open, close) in [("mk", 'k'), ("nm", 'n')] {
        for (at, _) in text.match_indices(open) {
            let rest = &text[at + 2..];
            let digits = rest.chars().take_while(char::is_ascii_digit).count();
            if digits > 0 && rest[digits..].starts_with(close) {
                found.push(text[at..at + 2 + digits + 1].to_string());
            }
        }
    }
    found
}

/// Every marked word of a house.
fn marks(house: &House) -> Marks {
    let mut marks = Marks::new();
    for topic in house.monitor().pending() {
        marks.extend(words(topic).into_iter().map(|word| (word, None)));
    }
    for case in house.cases() {
        let mut note = |text: &str, what: Marked| {
            for word in words(text) {
                marks.entry(word).or_insert_with(|| Some((case.id, what.clone())));
            }
        };
        note(&case.opening.question.topic, Marked::Topic);
        for seat in &case.opening.seats {
            note(seat.who.as_str(), Marked::Name(seat.who.clone()));
        }
        // What a statement asks of the operator is shown with the statement, and to them also where the statement is not.
        for row in case.dossier.requests.values() {
            let within = |said: &Contribution| said.who == row.who && said.round == row.round;
            let within = case.said.iter().position(|said| within(said));
            note(&row.request.query, Marked::Asked { round: row.round, within });
        }
        for (at, said) in case.said.iter().enumerate() {
            let mut text = serde_json::to_string(&*said.said).expect("JSON");
            // Who spoke is another item than what was said.
            text = text.replace(said.who.as_str(), "");
            let own = |word: &String| word.starts_with("mk");
            words(&text).into_iter().filter(own).for_each(|word| note(&word, Marked::Said(at)));
        }
        for (at, ballot) in case.ballots.iter().enumerate() {
            let plain = ballot.votes.iter().map(|vote| (&vote.who, serde_json::to_string(&**vote)));
            let graded = ballot.graded.iter().map(|vote| (&vote.who, serde_json::to_string(&**vote)));
            for (who, text) in plain.chain(graded) {
                let text = text.expect("JSON");
                let own = |word: &String| word.starts_with("mk");
                words(&text)
                    .into_iter()
                    .filter(own)
                    .for_each(|word| note(&word, Marked::Voted(at, who.clone())));
            }
        }
    }
    marks
}

impl Eye {
    /// Whether the lens lets it see what a marked word belongs to.
    pub(super) fn may_see(&self, house: &House, mark: Option<&(MatterId, Marked)>) -> bool {
        let Some((matter, what)) = mark else {
            return match self {
                Self::Operator => house.may_see(Reader::Operator, HouseItem::Observations),
                Self::Channel => house.may_see(Reader::Channel, HouseItem::Observations),
                Self::Participant(who) => house.may_see(Reader::Participant(who), HouseItem::Observations),
                Self::Stranger | Self::People(_) | Self::Seat(_) => false,
            };
        };
        // Somebody may sit in several matters: who sees a name in one of them knows it.
        if let Marked::Name(who) = what {
            let sits = |case: &&Case| case.opening.seats.iter().any(|seat| seat.who == *who);
            return house.cases().filter(sits).any(|case| self.sees(case, what));
        }
        house.case(*matter).is_some_and(|case| self.sees(case, what))
    }

    fn sees(&self, case: &Case, what: &Marked) -> bool {
        match self {
            Self::Operator => sees(case, Reader::Operator, what),
            Self::Stranger => false,
            Self::Channel => sees(case, Reader::Channel, what),
            Self::Participant(who) => sees(case, Reader::Participant(who), what),
            Self::People(people) => people.iter().all(|who| sees(case, Reader::Watcher(who), what)),
            Self::Seat(ask) => sees(case, speaker(case, ask), what),
        }
    }
}

fn sees(case: &Case, reader: Reader<'_>, what: &Marked) -> bool {
    match what {
        Marked::Topic => case.may_see(reader, Item::Matter),
        Marked::Name(who) => case.may_see(reader, Item::Names) || reader == Reader::Watcher(who),
        Marked::Said(at) => case.may_see(reader, Item::Contribution(&case.said[*at])),
        Marked::Voted(at, of) => {
            let ballot = &case.ballots[*at];
            // Of a vote it is only words that are marked: a seat may be shown reasons without whose they are.
            case.may_see(reader, Item::Vote { ballot, of }) || case.may_see(reader, Item::Reasons(ballot))
        }
        Marked::Asked { round, within } => {
            let stated = within.is_some_and(|at| case.may_see(reader, Item::Contribution(&case.said[at])));
            stated || case.may_see(reader, Item::Round(*round))
        }
        Marked::Refused(who) => case.may_see(reader, Item::Refusal { by: &Actor::Seat(who.clone()) }),
    }
}

/// A seat that is asked, as the lens knows it, worked out from the charter apart from the house.
fn speaker(case: &Case, ask: &Ask) -> Reader<'static> {
    let team = case.place(ask.who().unwrap()).map_or(0, floor::team);
    let sees = match (ask.task().unwrap(), case.stage().map(|stage| &stage.kind)) {
        (Task::Speak { .. }, Some(StageKind::Speak(speak))) => speak.sees,
        // Whoever proposes an answer hears nothing; whoever estimates hears earlier rounds.
        (Task::Speak { .. }, Some(StageKind::Propose(_))) => Sees::Nothing,
        (Task::Speak { .. }, Some(StageKind::Estimate(_))) => Sees::EarlierRounds,
        (Task::Speak { .. }, Some(StageKind::RedTeam(team))) => team.speak.sees,
        (
            Task::Speak { .. },
            Some(StageKind::Vote { .. } | StageKind::Merge | StageKind::Second { .. }) | None,
        ) => Sees::EarlierRounds,
        (Task::Vote { .. } | Task::Clerk(_) | Task::Join | Task::Propose | Task::Weigh, _) => Sees::SoFar,
        (Task::Second, _) => Sees::EarlierRounds,
    };
    Reader::Speaker { sees, round: case.round(), team }
}
