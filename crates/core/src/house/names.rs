//! What the participants of a matter are called by each other, and what is hidden from them.

use std::collections::BTreeMap;

use super::Case;
use crate::kernel::{MatterId, Seat, Who, text};
use crate::lens::{self, Mask};
use crate::matter::Opening;

/// Names and mask of a matter: fixed when it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    labels: BTreeMap<Who, String>,
    mask: Option<Mask>,
}

impl Names {
    /// The names of a matter. One that branches off keeps the pseudonyms of its origin, whatever its own charter says:
    /// what was said there was said under the promise that nobody learns by whom.
    pub(super) fn of(matter: MatterId, opening: &Opening, anonymize: bool, origin: Option<&Case>) -> Self {
        let others = opening.judges.iter().chain(&opening.scribe);
        let earlier = origin.map(|origin| origin.opening.seats.clone()).unwrap_or_default();
        let mut seats: Vec<&Seat> = earlier.iter().collect();
        seats.extend(opening.seats.iter().filter(|seat| earlier.iter().all(|known| known.who != seat.who)));
        let promised = origin.is_some_and(|origin| origin.names.mask.is_some());
        if !anonymize && !promised {
            let named = seats.iter().map(|seat| (seat.who.clone(), seat.name.clone()));
            return Self { labels: named.collect(), mask: None };
        }
        let who: Vec<Who> = seats.iter().map(|seat| seat.who.clone()).collect();
        let mut labels = match origin.map(|origin| &origin.names) {
            Some(names) if names.mask.is_some() => names.labels.clone(),
            Some(_) | None => lens::pseudonyms(matter, &who),
        };
        for who in who {
            let next = format!("Participant {}", labels.len() + 1);
            labels.entry(who).or_insert(next);
        }
        let topic = text::fold(&opening.question.topic);
        let mut names: Vec<(String, String)> = Vec::new();
        for seat in seats {
            let label = labels.get(&seat.who).cloned().unwrap_or_default();
            names.extend(known_as(seat, &topic).into_iter().map(|name| (name, label.clone())));
        }
        for clerk in others {
            names.extend(
                known_as(clerk, &topic).into_iter().map(|name| (name, "a judge or scribe".to_string())),
            );
        }
        let mask = Mask::new(names.iter().map(|(name, label)| (name.as_str(), label.as_str())));
        Self { labels, mask: Some(mask.and_vendors(opening.question.texts())) }
    }

    /// What a participant is called here.
    pub fn label<'a>(&'a self, who: &'a Who) -> &'a str {
        self.labels.get(who).map_or(who.as_str(), String::as_str)
    }

    /// Hides nothing any more.
    pub(super) fn unmask(&mut self) {
        self.mask = None;
    }

    /// Whether the seats know each other only by labels.
    pub fn are_hidden(&self) -> bool {
        self.mask().is_some()
    }

    /// What is hidden in texts, if anything is.
    pub fn mask(&self) -> Option<&Mask> {
        self.mask.as_ref()
    }
}

/// Everything that would tell who a seat is: its name and id, its model, and the family the model is of.
/// A family that the question itself names has to stay readable.
fn known_as(seat: &Seat, topic: &str) -> Vec<String> {
    let mut names = vec![seat.name.clone(), seat.who.as_str().to_string()];
    for part in [seat.model.as_deref(), seat.backend.split([':', '#']).next()].into_iter().flatten() {
        let family: String = part.chars().take_while(|c| c.is_alphabetic()).collect();
        names.push(part.to_string());
        let common = ["http", "https", "script", "exec", "person", "rehearsal", "the", "model"];
        if family.chars().count() >= 3
            && !common.contains(&family.to_lowercase().as_str())
            && !topic.contains(&family.to_lowercase())
        {
            names.push(family);
        }
    }
    // Kinds of minds are words of every debate, and tell nothing about who speaks.
    let kind = |name: &String| {
        matches!(name.as_str(), "http" | "https" | "script" | "exec" | "person" | "rehearsal")
    };
    names.retain(|name| !kind(name));
    names
}
