//! Every way out, and what came through it.

use std::collections::{BTreeMap, BTreeSet};

use synod_core::kernel::{MatterId, Who};

use super::oracle::{Eye, Marked, Marks, Moment, words};

/// What a way out is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carries {
    /// It shows matters: some words come through and some are kept back.
    Words,
    /// It shows nothing of any matter, whoever looks.
    Nothing,
    /// It acts. What it answers is checked, but need not hold a word.
    Answers,
}

/// What came through, way by way.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Words that were there and words that were kept back.
    ways: BTreeMap<String, (usize, usize)>,
    refused: Marks,
    given: u32,
}

impl Ledger {
    /// A word that stands nowhere else.
    pub(super) fn word(&mut self) -> String {
        self.given += 1;
        format!("mk{}k", self.given)
    }

    /// A name that stands nowhere else.
    pub(super) fn name(&mut self) -> String {
        self.given += 1;
        format!("nm{}n", self.given)
    }

    /// A word that was only ever in what the rules refused.
    pub(super) fn refused(&mut self, word: String, matter: MatterId, by: Who) {
        self.refused.insert(word, Some((matter, Marked::Refused(by))));
    }

    /// Fails if something came out that the lens keeps from this reader now.
    #[track_caller]
    pub(super) fn check(&mut self, way: &str, eye: &Eye, text: &str, moment: &Moment) {
        let row = self.ways.entry(way.into()).or_default();
        let found: BTreeSet<String> = words(text).into_iter().collect();
        for (word, what) in moment.marks.iter().chain(&self.refused) {
            let (there, allowed) = (found.contains(word), eye.may_see(&moment.house, what.as_ref()));
            assert!(
                allowed || !there,
                "{way} shows {eye:?} {word}, which the lens keeps back: {what:?}\n{text}"
            );
            row.0 += usize::from(there);
            row.1 += usize::from(!allowed);
        }
    }

    /// Fails unless something came through every way there is, and something was kept back.
    #[track_caller]
    pub(super) fn is_no_idle_check(&self, ways: &[(String, Carries)]) {
        let mut idle = Vec::new();
        for (way, carries) in ways {
            let (there, kept) = self.ways.get(way).copied().unwrap_or_default();
            let good = match carries {
                Carries::Words => there > 0 && kept > 0,
                Carries::Nothing => there == 0 && kept > 0,
                Carries::Answers => kept > 0,
            };
            if !good {
                idle.push(format!("{way}: {there} shown, {kept} kept back, but it is to carry {carries:?}"));
            }
        }
        assert!(idle.is_empty(), "{idle:#?}");
        let known = |way: &&String| ways.iter().any(|(known, _)| known == *way);
        let unknown: Vec<&String> = self.ways.keys().filter(|way| !known(way)).collect();
        assert!(unknown.is_empty(), "ways that are not on the list: {unknown:?}");
    }
}
