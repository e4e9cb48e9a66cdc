//! Answers that seats propose to an open question: listed, and merged where most of the seats say they mean the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::kernel::{Hasher, MatterId, Who, text, words};

/// One answer that may be voted on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerOption {
    /// Other wordings that most seats say mean the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Who proposed it, in one wording or another, in seat order.
    pub proposers: Vec<Who>,
    /// The wording of the first of them.
    pub text: String,
}

words!(struct AnswerOption { also, text | proposers });

/// What tells two wordings apart: case, blanks and a full stop do not.
fn key(answer: &str) -> String {
    text::fold(answer.trim().trim_end_matches(['.', '!', ' ']))
}

/// The different answers among what was proposed, given in seat order; at most `most`, and those left out. Where there are
/// more, those stay that more seats proposed, then those of earlier seats. They are listed by lot, so that an
/// answer's place does not tell who proposed it.
pub fn list(
    matter: MatterId,
    proposed: &[(Who, String)],
    most: usize,
) -> (Vec<AnswerOption>, Vec<AnswerOption>) {
    let mut found: Vec<(String, AnswerOption)> = Vec::new();
    for (who, said) in proposed {
        let own = key(said);
        match found.iter_mut().find(|(known, _)| *known == own) {
            Some((_, answer)) if answer.proposers.contains(who) => (),
            Some((_, answer)) => answer.proposers.push(who.clone()),
            None => {
                let answer =
                    AnswerOption { also: Vec::new(), proposers: vec![who.clone()], text: said.clone() };
                found.push((own, answer));
            }
        }
    }
    let mut answers: Vec<AnswerOption> = found.into_iter().map(|(_, answer)| answer).collect();
    answers.sort_by_key(|answer| std::cmp::Reverse(answer.proposers.len()));
    let left_out = answers.split_off(answers.len().min(most));
    deal(matter, &mut answers);
    (answers, left_out)
}

/// Puts answers in an order that follows from nothing but their words and the matter.
fn deal(matter: MatterId, answers: &mut [AnswerOption]) {
    let lot = |answer: &AnswerOption| {
        let mut hasher = Hasher::default();
        hasher.update(matter.0.to_string().as_bytes());
        hasher.update(b"\0");
        hasher.update(key(&answer.text).as_bytes());
        hasher.finish().0
    };
    answers.sort_by_cached_key(lot);
}

/// Merges answers that mean the same. `said`: the groups each seat named that answered; `seats`: all of them in their order.
/// Two answers are one where more than half of those who answered put them together, and a group is one where that holds
/// of every two in it. The pairs most seats see as one come first, so the result depends neither on who answered first nor on
/// the order of the list.
pub fn merge(
    matter: MatterId,
    answers: &[AnswerOption],
    said: &[Vec<Vec<u8>>],
    seats: &[Who],
) -> Vec<AnswerOption> {
    let support =
        |one: usize, other: usize| said.iter().filter(|groups| together(groups, one, other)).count();
    let is_majority = |one: usize, other: usize| 2 * support(one, other) > said.len();
    let mut pairs: Vec<(usize, usize)> =
        (0..answers.len()).flat_map(|one| (one + 1..answers.len()).map(move |other| (one, other))).collect();
    pairs.retain(|(one, other)| is_majority(*one, *other));
    pairs.sort_by_cached_key(|(one, other)| {
        let mut keys = [key(&answers[*one].text), key(&answers[*other].text)];
        keys.sort();
        (std::cmp::Reverse(support(*one, *other)), keys)
    });
    let mut groups: BTreeMap<usize, Vec<usize>> = (0..answers.len()).map(|nth| (nth, vec![nth])).collect();
    for (one, other) in pairs {
        let home = |of: usize| groups.iter().find(|(_, group)| group.contains(&of)).map(|(at, _)| *at);
        let (Some(one), Some(other)) = (home(one), home(other)) else { continue };
        let all = |one: &[usize], other: &[usize]| {
            one.iter().all(|one| other.iter().all(|other| is_majority(*one, *other)))
        };
        if one != other && all(&groups[&one], &groups[&other]) {
            let joined = groups.remove(&other).unwrap_or_default();
            groups.entry(one).or_default().extend(joined);
        }
    }
    let mut merged: Vec<AnswerOption> =
        groups.into_values().map(|group| joined(answers, group, seats)).collect();
    deal(matter, &mut merged);
    merged
}

/// Whether a seat says that all of so many answers mean the same.
pub fn are_all_same(groups: &[Vec<u8>], answers: usize) -> bool {
    (1..answers).all(|other| together(groups, 0, other))
}

/// Whether a seat put two answers together, directly or by way of a third.
fn together(groups: &[Vec<u8>], one: usize, other: usize) -> bool {
    let mut reached = vec![one as u8];
    for _ in 0..groups.len() {
        for group in groups {
            if group.iter().any(|letter| reached.contains(letter)) {
                reached.extend(group);
            }
        }
    }
    reached.contains(&(other as u8))
}

/// One answer of several: the first wording, everybody who proposed one of them.
fn joined(answers: &[AnswerOption], group: Vec<usize>, seats: &[Who]) -> AnswerOption {
    let place = |who: &Who| seats.iter().position(|seat| seat == who).unwrap_or(usize::MAX);
    let first = |answer: &&AnswerOption| answer.proposers.iter().map(place).min().unwrap_or(usize::MAX);
    let mut of_group: Vec<&AnswerOption> = group.into_iter().filter_map(|nth| answers.get(nth)).collect();
    of_group.sort_by_key(|answer| (first(answer), key(&answer.text)));
    let mut proposers: Vec<Who> =
        of_group.iter().flat_map(|answer| answer.proposers.iter().cloned()).collect();
    proposers.sort_by_key(place);
    proposers.dedup();
    let mut wordings =
        of_group.iter().flat_map(|answer| std::iter::once(&answer.text).chain(&answer.also)).cloned();
    let text = wordings.next().unwrap_or_default();
    AnswerOption { also: wordings.collect(), proposers, text }
}
