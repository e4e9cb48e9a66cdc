//! The dossier of a matter: what its council has before it besides what was said.

use std::collections::BTreeMap;

use crate::context::{Event, Excerpt, Material, Synthesis, Unreadable, Wrong};
use crate::kernel::{Cause, Choice, ContextRequest, Id, Passage, Perspective, Who, Words, text, words};

/// What a council has before it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dossier {
    /// Material, by the act that gave it.
    pub material: BTreeMap<Id, Material>,
    /// What participants asked for.
    pub requests: BTreeMap<Id, Requested>,
    /// Requests that do not stand: round, who, why.
    pub refused: Vec<(u32, Who, Wrong)>,
    /// What rounds were asked to turn to.
    pub focus: BTreeMap<u32, String>,
    /// Fields the seats speak for, in turn.
    pub perspectives: Vec<Perspective>,
    /// The digest a clerk wrote last: the round it covers, and each side with its points.
    pub digest: Option<(u32, Vec<SidePoints>)>,
    /// What clerks summed up: who, and what they came to.
    pub syntheses: Vec<(Who, Synthesis)>,
}

/// A side, and the points that are made for it.
pub type SidePoints = (Choice, Vec<String>);

/// A request and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requested {
    /// Who asks.
    pub who: Who,
    /// In which round.
    pub round: u32,
    /// Whether the matter waits for an answer.
    pub required: bool,
    /// What is asked.
    pub request: ContextRequest,
    /// What became of it.
    pub became: Became,
}

impl Requested {
    /// The file that is read for it, where it names one.
    pub fn file(&self) -> Option<Passage> {
        self.request.file.as_deref().and_then(Passage::parse)
    }

    /// Whether it waits for the operator.
    pub fn is_for_operator(&self) -> bool {
        self.became == Became::Open && self.request.file.is_none()
    }
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Became {
    /// Nothing yet.
    Open,
    /// It was answered.
    Answered {
        /// When, as the id of the event.
        at: Id,
        /// The answer.
        text: String,
    },
    /// It was waived.
    Waived {
        /// When, as the id of the event.
        at: Id,
    },
    /// The file it names was read.
    Read {
        /// When, as the id of the event.
        at: Id,
        /// What was taken from it.
        excerpt: Box<Excerpt>,
        /// The file.
        path: String,
    },
    /// The file it names cannot be read, or must not.
    Unread {
        /// When, as the id of the event.
        at: Id,
        /// Why.
        why: Unreadable,
    },
    /// Nobody read the file it names in time, or at all.
    Lapsed {
        /// When, as the id of the event.
        at: Id,
        /// Why.
        cause: Cause,
    },
}

impl Became {
    /// One word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered { .. } => "answered",
            Self::Waived { .. } => "waived",
            Self::Read { .. } => "read",
            Self::Unread { .. } | Self::Lapsed { .. } => "unread",
        }
    }
}

impl Dossier {
    /// Records an event; `by` is the clerk whose ask it answers.
    pub(super) fn apply(&mut self, id: Id, by: Option<Who>, event: &Event) {
        match event {
            Event::Given { material, .. } => drop(self.material.insert(id, material.clone())),
            Event::Focused { round, focus, .. } => drop(self.focus.insert(*round, focus.clone())),
            Event::Requested { who, round, required, request, .. } => {
                let (who, request, became) = (who.clone(), request.clone(), Became::Open);
                let row = Requested { who, round: *round, required: *required, request, became };
                self.requests.insert(id, row);
            }
            Event::Refused { who, round, wrong, .. } => {
                self.refused.push((*round, who.clone(), wrong.clone()));
            }
            Event::Answered { request, text, .. } => {
                if let Some(row) = self.requests.get_mut(request) {
                    row.became = Became::Answered { at: id, text: text.clone() };
                }
            }
            Event::Waived { request, .. } => {
                if let Some(row) = self.requests.get_mut(request) {
                    row.became = Became::Waived { at: id };
                }
            }
            Event::Read { request, excerpt, path, .. } => {
                if let Some(row) = self.requests.get_mut(request) {
                    row.became = Became::Read { at: id, excerpt: excerpt.clone(), path: path.clone() };
                }
            }
            Event::Unread { request, why, .. } => {
                if let Some(row) = self.requests.get_mut(request) {
                    row.became = Became::Unread { at: id, why: *why };
                }
            }
            Event::Perspectives { perspectives, .. } => self.perspectives.clone_from(perspectives),
            Event::Digested { round, sides, .. } => self.digest = Some((*round, sides.clone())),
            // What the seats propose is kept by their procedure.
            Event::Compared { .. } | Event::Listed { .. } => (),
            Event::Synthesised { synthesis, .. } => {
                if let Some(by) = by {
                    self.syntheses.push((by, (**synthesis).clone()));
                }
            }
        }
    }

    /// Records that nobody read the file of a request.
    pub(super) fn lapse(&mut self, id: Id, request: Id, cause: Cause) {
        if let Some(row) = self.requests.get_mut(&request) {
            row.became = Became::Lapsed { at: id, cause };
        }
    }

    /// Required requests that nobody has answered or waived. Files are not the operator's to answer.
    pub fn pending(&self) -> Vec<Id> {
        let open = |(_, row): &(&Id, &Requested)| row.required && row.is_for_operator();
        self.requests.iter().filter(open).map(|(id, _)| *id).collect()
    }

    /// A request that asked the operator the same and was answered or waived.
    pub(crate) fn dealt_with(&self, query: &str) -> Option<Id> {
        let query = text::fold(query);
        let same = |row: &Requested| match row.became {
            Became::Answered { .. } | Became::Waived { .. } => text::fold(&row.request.query) == query,
            Became::Open | Became::Read { .. } | Became::Unread { .. } | Became::Lapsed { .. } => false,
        };
        self.requests.iter().find(|(_, row)| same(row)).map(|(id, _)| *id)
    }

    /// A request for the same lines of a file that is being read or was. What could not be read may be asked for again:
    /// it may be there by then.
    pub(crate) fn asked_to_read(&self, file: &Passage) -> Option<Id> {
        let same = |row: &Requested| match row.became {
            Became::Open | Became::Read { .. } => row.file().as_ref() == Some(file),
            Became::Answered { .. } | Became::Waived { .. } => false,
            Became::Unread { .. } | Became::Lapsed { .. } => false,
        };
        self.requests.iter().find(|(_, row)| same(row)).map(|(id, _)| *id)
    }

    /// How many files were asked for.
    pub(crate) fn files(&self) -> usize {
        self.requests.values().filter(|row| row.request.file.is_some()).count()
    }

    /// Whether a request that was made in a round has been answered: by the operator, or by a file that was needed.
    pub(crate) fn answered_in(&self, round: u32) -> bool {
        let answered = |row: &Requested| match row.became {
            Became::Answered { .. } => true,
            Became::Read { .. } => row.required,
            Became::Open | Became::Waived { .. } | Became::Unread { .. } | Became::Lapsed { .. } => false,
        };
        self.requests.values().any(|row| row.round == round && answered(row))
    }

    /// Whether a file that was needed was read in a round.
    pub(crate) fn read_in(&self, round: u32) -> bool {
        let read = |row: &Requested| row.required && matches!(row.became, Became::Read { .. });
        self.requests.values().any(|row| row.round == round && read(row))
    }

    /// Forgets what came before a moment: what a branch shares with where it came from.
    pub(super) fn forget_before(&mut self, begun: Id) {
        self.material.range_mut(..begun).for_each(|(_, piece)| piece.redact());
        self.requests.range_mut(..begun).for_each(|(_, row)| row.redact());
    }

    /// What of it was there before a moment, for a matter that branches off there.
    pub(crate) fn before(&self, earlier: impl Fn(Id) -> bool) -> Self {
        let known = |became: &Became| match became {
            Became::Open => false,
            Became::Answered { at, .. } | Became::Waived { at } => earlier(*at),
            Became::Read { at, .. } | Became::Unread { at, .. } | Became::Lapsed { at, .. } => earlier(*at),
        };
        let material = self.material.iter().filter(|(id, _)| earlier(**id));
        let requests = self.requests.iter().filter(|(id, row)| earlier(**id) && known(&row.became));
        Self {
            material: material.map(|(id, piece)| (*id, piece.clone())).collect(),
            requests: requests.map(|(id, row)| (*id, row.clone())).collect(),
            ..Self::default()
        }
    }
}

words!(struct Requested { request, became | who, round, required });
words!(enum Became {
    Open,
    Answered { text | at },
    Waived { | at },
    Read { excerpt, path | at },
    Unread { | at, why },
    Lapsed { cause | at },
});
words!(struct Dossier {
    material, requests, refused, focus, perspectives, digest, syntheses |
});
