//! Which ring a participant means who names none.
//!
//! With one open ring it is that one. With several it is the ring whose turn they acknowledged last, if what they do
//! answers that turn. Otherwise they are asked to say: a vote that lands in the wrong ring cannot be taken back.

use synod_core::House;
use synod_core::house::Case;
use synod_core::kernel::{AskId, MatterId, Who, text};

use crate::resolve::{Unclear, is_over, rings, task, uninvited};
use crate::wire::{ActionRequest, TaskWord};

/// The code for several open rings and none named.
pub(crate) const WHICH: &str = "ring/which-ring";
/// The code for somebody who is invited nowhere.
pub(crate) const UNINVITED: &str = "ring/uninvited";

/// Questions are cut to so many characters.
const SHORT: usize = 60;

/// The ring that an action of a participant belongs to.
pub(crate) fn meant(house: &House, who: &Who, action: &ActionRequest) -> Result<MatterId, Unclear> {
    let open: Vec<&Case> = rings(house, who, None).filter(|case| !is_over(case)).collect();
    let gone = |case: &&Case| case.ring().is_some_and(|(_, state)| state.gone.contains_key(who));
    let theirs: Vec<&Case> = open.iter().copied().filter(|case| !gone(case)).collect();
    let named = named_turn(action).and_then(|ask| house.ask(ask)).map(|ask| ask.matter);
    let named = named.filter(|matter| open.iter().any(|case| case.id == *matter));
    match (named, theirs.as_slice(), open.as_slice()) {
        (Some(matter), ..) => Ok(matter),
        (None, [only], _) => Ok(only.id),
        (None, [], [.., last]) => Ok(last.id), // left or removed: the house says so
        (None, [], []) => Err(Unclear { code: UNINVITED, message: uninvited(house, who) }),
        (None, several, _) => acknowledged(several, who, action).ok_or_else(|| {
            let several: Vec<OpenRing> = several.iter().map(|case| OpenRing::of(case)).collect();
            Unclear { code: WHICH, message: which(&several, who.as_str()) }
        }),
    }
}

/// A ring that is not over.
#[derive(Debug)]
pub(crate) struct OpenRing {
    pub(crate) matter: MatterId,
    pub(crate) number: u64,
    pub(crate) topic: String,
}

impl OpenRing {
    pub(crate) fn of(case: &Case) -> Self {
        let topic = case.opening.question.topic.to_string();
        Self { matter: case.id, number: case.number, topic }
    }
}

/// Asks which of several rings is meant.
pub(crate) fn which(several: &[OpenRing], who: &str) -> String {
    let each: Vec<String> = several
        .iter()
        .map(|ring| format!("--matter {:<4} {} ({})", ring.number, shortened(&ring.topic), ring.matter))
        .collect();
    format!("{who} has {} open rings; name one by adding:\n  {}", each.len(), each.join("\n  "))
}

/// A question in a few words.
pub(crate) fn shortened(question: &str) -> String {
    text::excerpt(&text::one_line(question), SHORT).to_string()
}

/// The ring of the turn acknowledged last, if it is one that this action answers.
fn acknowledged(open: &[&Case], who: &Who, action: &ActionRequest) -> Option<MatterId> {
    let asks = open.iter().flat_map(|case| case.asks().values()).filter(|ask| ask.is_of(who));
    let (_, last) = asks.filter_map(|ask| Some((ask.begun_by?, ask))).max_by_key(|(by, _)| *by)?;
    answers(action).contains(&task(last)?).then_some(last.matter)
}

/// The tasks that an action answers.
fn answers(action: &ActionRequest) -> &'static [TaskWord] {
    use TaskWord::{Propose, Speak, Vote, Weigh};
    match action {
        ActionRequest::Say(_) | ActionRequest::Amend(_) | ActionRequest::React(_) => &[Speak],
        ActionRequest::Propose(_) | ActionRequest::Release(_) => &[Propose, Speak],
        ActionRequest::Skip(_) => &[Propose, Speak, Weigh],
        ActionRequest::Rule(_) => &[Weigh, Speak],
        ActionRequest::Vote(_) => &[Vote],
        // An invitation is answered without being acknowledged; leaving answers nothing.
        ActionRequest::Join | ActionRequest::Leave | ActionRequest::Acknowledge { .. } => &[],
    }
}

/// The turn that an action names.
fn named_turn(action: &ActionRequest) -> Option<AskId> {
    let written = match action {
        ActionRequest::Acknowledge { ask } => Some(*ask),
        ActionRequest::Say(said) => said.ask,
        ActionRequest::Propose(put) => put.ask,
        ActionRequest::Amend(change) => change.ask,
        ActionRequest::React(reacting) => reacting.ask,
        ActionRequest::Release(release) => release.ask,
        ActionRequest::Skip(skip) => skip.ask,
        ActionRequest::Join | ActionRequest::Leave | ActionRequest::Rule(_) | ActionRequest::Vote(_) => None,
    };
    written.map(|written| AskId(written.0))
}
