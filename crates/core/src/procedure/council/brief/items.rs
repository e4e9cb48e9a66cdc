//! What was said, found and given, in the order in which readers are told it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use super::seen::VisibleExtent;
use crate::ballot::Tally;
use crate::brief::{Hide, History, HistoryItem, Keep, Worded, WrittenDigest};
use crate::floor::FloorOrder;
use crate::house::{Ballot, Became, Case, lens};
use crate::kernel::{Contribution, Id, Marks, Seq};

/// The order of an item: by when it was called for, then by its author where that must not show, then by its kind.
pub(super) type ItemPlace = (Id, u32, usize);

pub(super) fn worded(case: &Case, said: &Arc<Contribution>) -> Arc<Worded> {
    Arc::new(Worded::new(said.clone(), case.names.label(&said.who)))
}

/// Before everything.
pub(super) const BEGINNING: ItemPlace = (Id { act: Seq(0), nth: 0 }, 0, 0);

/// Gives what hides names in this matter.
pub(super) fn hiding<T>(case: &Case, with: impl FnOnce(Hide<'_>) -> T) -> T {
    match case.names.mask() {
        Some(mask) => with(&|text| mask.hide(text)),
        None => with(&|text| Cow::Borrowed(text)),
    }
}

pub(super) fn empty_history(case: &Case, budget: usize, keep: Keep, with_digest: bool) -> History {
    let digest = case.dossier.digest.as_ref().filter(|_| with_digest);
    let written = digest.map(|(round, sides)| {
        let hidden =
            |points: &Vec<String>| points.iter().map(|point| case.hidden(point).into_owned()).collect();
        let sides = sides.iter().map(|(choice, points)| (*choice, hidden(points))).collect();
        WrittenDigest { round: *round, sides }
    });
    History::new(case.opening.question.options.len(), budget, keep, written)
}

/// Everything a reader may see, in order.
pub(super) fn items(
    case: &Case,
    seen: VisibleExtent,
    worded: &[Arc<Worded>],
    results: &[(Id, String)],
) -> Vec<(ItemPlace, HistoryItem)> {
    let mut items: Vec<(ItemPlace, HistoryItem)> = Vec::new();
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
        items.push((place, HistoryItem::statement(worded.clone(), seen.is_fresh(said))));
    }
    items.extend(results.iter().map(|(at, line)| ((*at, 0, 1), HistoryItem::result(line))));
    hiding(case, |hide| {
        for (at, piece) in &case.dossier.material {
            items.push(((*at, 0, 2), HistoryItem::material(&piece.name, &piece.text, hide)));
        }
        let requests = case.dossier.requests.values().filter(|row| seen.shows_request(case, row));
        items.extend(requests.filter_map(|row| {
            let (label, query) = (case.names.label(&row.who), row.request.query.as_str());
            let reply = |answer| HistoryItem::reply(label, query, answer, hide);
            let unread =
                |why: &str| Some(HistoryItem::unread(label, row.request.file.as_deref()?, why, hide));
            let (at, item) = match &row.became {
                Became::Open => return None,
                Became::Answered { at, text } => (*at, reply(Some(text))),
                Became::Waived { at } => (*at, reply(None)),
                Became::Read { at, excerpt, path } => {
                    let lines = excerpt.lines();
                    (*at, HistoryItem::source(label, path, &lines, &excerpt.text, hide))
                }
                Became::Unread { at, why } => (*at, unread(&why.words())?),
                Became::Lapsed { at, cause } => (*at, unread(&cause.detail)?),
            };
            Some(((at, 0, 3), item))
        }));
    });
    items.sort_by_key(|(place, _)| *place);
    items
}

/// Where names are hidden, the order in which seats were called at once would tell who is who.
pub(super) fn hides_order(case: &Case, said: &Contribution) -> bool {
    case.names.mask().is_some() && at_once(case, said)
}

/// Whether a statement was made on a floor that calls everyone at once, or in a round that a branch shares: in
/// what order seats were called there is nobody's business here.
pub(super) fn at_once(case: &Case, said: &Contribution) -> bool {
    if case.opening.forked.is_some_and(|forked| said.round <= forked.round) {
        return true;
    }
    let stage = case.council().and_then(|(rules, _)| rules.stages.get(usize::from(said.stage)));
    stage.and_then(|stage| stage.kind.speech()).is_some_and(|speak| speak.floor == FloorOrder::Parallel)
}

/// The number of a pseudonym.
pub(super) fn number(label: &str) -> u32 {
    label.rsplit(' ').next().and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Results of earlier votes, as counts: who voted how is nobody's business while the matter is open.
pub(super) fn results(case: &Case, seen: VisibleExtent) -> Vec<(Id, String)> {
    let shown = |ballot: &&Arc<Ballot>| case.may_see(seen.reader(), lens::Item::Result(ballot));
    let closed = case.ballots.iter().filter(shown);
    let closed = closed.filter_map(|ballot| Some((ballot, &ballot.result.as_ref()?.0)));
    let line = |ballot: &Ballot, tally: &Tally| match case.debates_crux() && !ballot.settles {
        // Those who are asked to weigh reasons are not told how many stand where.
        true => "The council voted, and the vote was not clear.".to_string(),
        false => counts(ballot, tally),
    };
    closed.map(|(ballot, tally)| (ballot.id.0, line(ballot, tally))).collect()
}

fn counts(ballot: &Ballot, tally: &Tally) -> String {
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
