//! The one question everything that leaves a house asks: may this reader see this now?
//!
//! Briefs, turn sheets, reports, sessions, feeds, Redis, exports, progress on a terminal and receipts all come through
//! [`Case::may_see`], and through [`House::may_see`] where something belongs to no matter. They bring together what the
//! matter knows (its stage, its phase, its ballots) and what the lens makes of it; nobody else decides. Who may *do*
//! something is not the lens's question. To hide something new: a variant of [`Item`], its arm here, a row in the leak test.

use super::case::{Ballot, Case};
use super::{House, Summary};
use crate::ballot::Secrecy;
use crate::charter::Speak;
use crate::floor::{self, FloorOrder};
use crate::kernel::{Actor, Contribution, Seat, SeatKind, Who};
use crate::lens::{self, Sees};
use crate::{Ask, Event, canon, gate, procedure};

/// Who looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader<'a> {
    /// The operator, who runs the house and holds its files. Where a person sits in the matter it may be they.
    Operator,
    /// Anybody whom a matter may be shown to: what is published, such as a receipt.
    Public,
    /// An anonymous listener on the operator's Redis.
    Channel,
    /// A participant who comes for its turns.
    Participant(&'a Who),
    /// A seat that is asked, under what its stage lets it see.
    Speaker {
        /// How far the stage lets it see.
        sees: Sees,
        /// The round it speaks in.
        round: u32,
        /// Its team, where seats speak in teams.
        team: usize,
    },
    /// A person who serves in the matter and watches it at the same terminal.
    Watcher(&'a Who),
}

/// What is looked at in a matter.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// That there is such a matter, its question, its seats, its material and where it stands.
    Matter,
    /// What somebody contributed.
    Contribution(&'a Contribution),
    /// The words of a contribution in the message of the moment in which it was made. Never depends on when it is
    /// read: a feed that is read later shows what it showed live.
    ContributionAsMade(&'a Contribution),
    /// Words that somebody is writing in a round: a reader who may read them afterwards may see them being written.
    Speech {
        /// Who speaks.
        of: &'a Who,
        /// In which round.
        round: u32,
    },
    /// Who voted how on a ballot. That somebody voted is never hidden.
    Votes(&'a Ballot),
    /// How one of them voted.
    Vote {
        /// On what.
        ballot: &'a Ballot,
        /// Whose vote.
        of: &'a Who,
    },
    /// The reasons given on a ballot and what would change a vote, without whose they are and how many share them.
    Reasons(&'a Ballot),
    /// How somebody votes on a ballot, in the message of the moment in which they do.
    VoteAsCast(&'a Ballot),
    /// The count of a ballot.
    Result(&'a Ballot),
    /// Who stands behind which contribution and vote, by name.
    Names,
    /// What was asked of the operator in a round, counted, marked or digested of it.
    Round(u32),
    /// What was found in a round of whom: who agrees, who stands against whom, what judges make of it.
    Findings(u32),
    /// What somebody is asked for.
    Ask(&'a Ask),
    /// What calls took, in time and tokens.
    Calls,
    /// An event as it stands in the record, where it has no message of its own.
    Event(&'a Event),
    /// That a command was refused, and why.
    Refusal {
        /// Who gave it.
        by: &'a Actor,
    },
}

/// What is looked at and belongs to no matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HouseItem {
    /// How much happens: the number of the last act.
    Head,
    /// What agents were seen to do, what was found in it, which triggers rest.
    Observations,
    /// That something calls for a council, or that opinions drift apart.
    Alarm,
    /// How often each seat was right.
    Records,
    /// Credits, tiers, leaderboards and goals: those who are measured may know how.
    Credits,
    /// Who tried to move credit that they may not move.
    Attempts,
    /// What is wrong with the files of the house.
    Flaws,
    /// What the house holds to be true, and who works on which files: for everybody who belongs to it.
    Common,
}

impl House {
    /// Whether a reader may see something that belongs to no matter.
    pub fn may_see(&self, reader: Reader<'_>, item: HouseItem) -> bool {
        match (reader, item) {
            (Reader::Operator, _) => true,
            (Reader::Channel, HouseItem::Alarm) => true,
            (Reader::Participant(_), HouseItem::Common) => true,
            (
                Reader::Channel,
                HouseItem::Head
                | HouseItem::Observations
                | HouseItem::Records
                | HouseItem::Flaws
                | HouseItem::Common,
            ) => false,
            (Reader::Participant(_), HouseItem::Credits) => true,
            (_, HouseItem::Credits | HouseItem::Attempts) => false,
            (Reader::Public | Reader::Speaker { .. } | Reader::Watcher(_), HouseItem::Common) => false,
            (
                Reader::Public | Reader::Participant(_) | Reader::Speaker { .. } | Reader::Watcher(_),
                HouseItem::Head
                | HouseItem::Observations
                | HouseItem::Alarm
                | HouseItem::Records
                | HouseItem::Flaws,
            ) => false,
        }
    }
}

impl Summary {
    /// Whether a reader may see that there is such a matter, as [`Item::Matter`] says of one that is here.
    pub fn may_be_seen_by(&self, reader: Reader<'_>) -> bool {
        match reader {
            Reader::Operator | Reader::Public | Reader::Channel | Reader::Speaker { .. } => true,
            Reader::Participant(who) => self.issue || self.seat(who) == Some(SeatKind::Outside),
            Reader::Watcher(who) => self.seat(who).is_some(),
        }
    }
}

impl Case {
    /// Whether a reader may see something of this matter now.
    pub fn may_see(&self, reader: Reader<'_>, item: Item<'_>) -> bool {
        self.admits(reader)
            && match item {
                Item::Matter => true,
                Item::Contribution(said) => self.shows_contribution(reader, said),
                Item::ContributionAsMade(said) => procedure::is_told_as_made(self, said),
                Item::Speech { of, round } => self.shows_speech(reader, of, round),
                Item::Votes(ballot) => self.shows_votes(reader, ballot),
                Item::Vote { ballot, of } => {
                    self.shows_votes(reader, ballot) || self.is_own(reader, ballot, of)
                }
                Item::Reasons(ballot) => self.shows_reasons(reader, ballot),
                Item::VoteAsCast(ballot) => match reader {
                    // The terminal asks beside it for every person who sits there.
                    Reader::Operator => {
                        ballot.rule.secrecy == Secrecy::Open
                            && (self.is_counted(ballot) || procedure::shows_open_ballots(self))
                    }
                    Reader::Watcher(_) => {
                        ballot.rule.secrecy == Secrecy::Open && self.shows_votes(reader, ballot)
                    }
                    Reader::Public | Reader::Channel => false,
                    Reader::Participant(_) | Reader::Speaker { .. } => false,
                },
                Item::Result(ballot) => ballot.result.is_some() && !reader.is_kept_apart(),
                Item::Names => self.shows_names(reader),
                Item::Round(round) => self.shows_round(reader, round),
                Item::Findings(round) => self.shows_round(reader, round) && !self.hides_whose(reader),
                Item::Ask(ask) => match reader {
                    Reader::Operator | Reader::Public | Reader::Channel | Reader::Watcher(_) => true,
                    Reader::Participant(who) => ask.is_of(who),
                    Reader::Speaker { .. } => false,
                },
                // How long a model thinks and how much it writes gives away which one it is.
                Item::Calls => self.shows_names(reader),
                Item::Event(event) => reader == Reader::Operator || self.shows_event(event),
                Item::Refusal { by } => match reader {
                    Reader::Operator => true,
                    Reader::Participant(who) => *by == Actor::Seat(who.clone()),
                    Reader::Public | Reader::Channel | Reader::Speaker { .. } | Reader::Watcher(_) => false,
                },
            }
    }

    /// Whether the matter is one for this reader at all. To others it is as if there were none.
    fn admits(&self, reader: Reader<'_>) -> bool {
        match reader {
            Reader::Operator | Reader::Public | Reader::Channel | Reader::Speaker { .. } => true,
            // Only the house speaks for other seats. The same name elsewhere is another participant.
            Reader::Participant(who) => {
                procedure::is_open_to_all(self)
                    || self.seat(who).is_some_and(|seat| seat.kind == SeatKind::Outside)
            }
            Reader::Watcher(who) => self.participant(who).is_some(),
        }
    }

    fn shows_contribution(&self, reader: Reader<'_>, said: &Contribution) -> bool {
        let lead_is_open = |who: Option<&Who>| match self.kept_apart(said.round) {
            None => true,
            Some(speak) => self.may_follow(who, speak, &said.who, said.round),
        };
        match reader {
            Reader::Operator if self.has_person() => {
                procedure::is_public(self, said) && lead_is_open(None) && !self.hides_whose(reader)
            }
            Reader::Operator => procedure::is_public(self, said),
            Reader::Public | Reader::Channel => procedure::is_public(self, said) && lead_is_open(None),
            Reader::Participant(who) => {
                let apart = || procedure::is_kept_from(self, who, said);
                said.who == *who || (procedure::is_public(self, said) && lead_is_open(Some(who)) && !apart())
            }
            Reader::Speaker { sees, round, team } => {
                let mate = || self.place(&said.who).is_some_and(|place| floor::team(place) == team);
                lens::may_see(sees, round, said, sees == Sees::Team && mate())
            }
            // What a seat must answer without knowing, the person on it must not read over a shoulder.
            Reader::Watcher(who) if self.seat(who).is_some() => said.who == *who || lead_is_open(Some(who)),
            Reader::Watcher(_) => true,
        }
    }

    /// Whether a person may still be asked to speak or vote here. The operator's commands work in the terminal beside that
    /// person's prompt, and most often the person is the operator: what the seat is not to know yet, they do not show.
    fn has_person(&self) -> bool {
        let asked = |who: &Who| !self.absent.contains_key(who);
        let person = |seat: &Seat| seat.kind == SeatKind::Person && asked(&seat.who);
        self.decision().is_none() && self.opening.seats.iter().any(person)
    }

    /// Whether a reader may not learn who said what as long as the matter goes on. Views name everybody they quote, so a person
    /// who still speaks under hidden names, and most often is the operator, reads others only in prompts.
    pub(crate) fn hides_whose(&self, reader: Reader<'_>) -> bool {
        match reader {
            Reader::Operator => self.names.mask().is_some() && self.has_person(),
            Reader::Watcher(_) => !self.shows_names(reader),
            Reader::Public | Reader::Channel | Reader::Participant(_) | Reader::Speaker { .. } => false,
        }
    }

    /// The stage of a round that is still open, if its speakers answer without hearing each other, or not all.
    fn kept_apart(&self, round: u32) -> Option<&Speak> {
        let open = round == self.round() && !self.round_closed() && self.decision().is_none();
        self.speaking().filter(|_| open)
    }

    /// Whether somebody may see, while its round is open, what they could still follow.
    fn may_follow(&self, who: Option<&Who>, speak: &Speak, of: &Who, round: u32) -> bool {
        let team = |who: &Who| self.place(who).map(floor::team);
        let mate = who.and_then(team).is_some_and(|own| team(of) == Some(own));
        speak.floor != FloorOrder::Parallel && lens::may_hear(speak.sees, round, round, mate)
    }

    fn shows_speech(&self, reader: Reader<'_>, of: &Who, round: u32) -> bool {
        let may_follow =
            |who| self.kept_apart(round).is_none_or(|speak| self.may_follow(who, speak, of, round));
        match reader {
            Reader::Operator => !self.has_person() || may_follow(None),
            Reader::Watcher(who) if self.seat(who).is_some() => who == of || may_follow(Some(who)),
            Reader::Watcher(_) => true,
            // Nobody else sees anything before it is said.
            Reader::Public | Reader::Channel | Reader::Participant(_) | Reader::Speaker { .. } => false,
        }
    }

    fn shows_round(&self, reader: Reader<'_>, round: u32) -> bool {
        match reader {
            Reader::Operator => !self.has_person() || self.kept_apart(round).is_none(),
            Reader::Speaker { sees, round: now, .. } => lens::reaches(sees, now, round),
            Reader::Public | Reader::Channel | Reader::Participant(_) => self.kept_apart(round).is_none(),
            Reader::Watcher(who) => self.seat(who).is_none() || self.kept_apart(round).is_none(),
        }
    }

    /// Whether a reader may be shown who voted how. Votes are called for at once, so while others may still vote a vote
    /// is its voter's alone. The operator may look where ballots are open and no person votes; in a ring they may vote
    /// themself.
    fn shows_votes(&self, reader: Reader<'_>, ballot: &Ballot) -> bool {
        if self.hides(ballot) {
            return false;
        }
        let closed = self.is_counted(ballot);
        match reader {
            Reader::Operator if self.has_person() => closed && !self.hides_whose(reader),
            Reader::Operator => closed || procedure::shows_open_ballots(self),
            Reader::Watcher(who) if !ballot.seats.contains(who) => {
                closed || procedure::shows_open_ballots(self)
            }
            Reader::Public | Reader::Channel | Reader::Participant(_) | Reader::Watcher(_) => closed,
            // Seats see counts only: names would show them whom to follow in the next vote.
            Reader::Speaker { .. } => self.decision().is_some() && procedure::shows_open_ballots(self),
        }
    }

    /// Whether nobody can vote on it any more.
    fn is_counted(&self, ballot: &Ballot) -> bool {
        ballot.result.is_some() || (self.decision().is_some() && procedure::shows_open_ballots(self))
    }

    /// Seats that are asked to debate what divides them are shown the reasons on both sides of a vote that is counted.
    fn shows_reasons(&self, reader: Reader<'_>, ballot: &Ballot) -> bool {
        let Reader::Speaker { sees, .. } = reader else { return self.shows_votes(reader, ballot) };
        let divided = ballot.result.is_some() && !self.hides(ballot) && self.debates_crux();
        self.shows_votes(reader, ballot) || (divided && sees != Sees::Nothing)
    }

    fn is_own(&self, reader: Reader<'_>, ballot: &Ballot, of: &Who) -> bool {
        match reader {
            Reader::Participant(who) | Reader::Watcher(who) => who == of && !self.hides(ballot),
            Reader::Operator | Reader::Public | Reader::Channel | Reader::Speaker { .. } => false,
        }
    }

    /// Whether nobody may be shown who voted how. A ballot that was never counted was never closed.
    fn hides(&self, ballot: &Ballot) -> bool {
        match ballot.rule.secrecy {
            Secrecy::Open => false,
            Secrecy::UntilClosed => ballot.result.is_none(),
            Secrecy::Secret => true,
        }
    }

    fn shows_names(&self, reader: Reader<'_>) -> bool {
        let masked = self.names.mask().is_some();
        match reader {
            // The operator named the seats.
            Reader::Operator => true,
            Reader::Speaker { .. } => !masked,
            // Hidden names stay hidden from everyone who can still act on them or pass them on.
            Reader::Public | Reader::Channel | Reader::Participant(_) | Reader::Watcher(_) => {
                !masked || self.decision().is_some()
            }
        }
    }

    /// Whether everybody in a matter may see an event that has no message of its own. What is asked of others is
    /// theirs; what is performed is the operator's.
    fn shows_event(&self, event: &Event) -> bool {
        let shown = match event {
            Event::Matter(_) | Event::Floor(_) | Event::Watch(_) | Event::Table(_) => true,
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => false,
            Event::Gate(gate::Event::Admitted(_) | gate::Event::Rejected { .. }) => false,
            Event::Gate(gate::Event::Posted { .. } | gate::Event::Refused { .. }) => false,
            // What a comment cites is shown with the comment, once it stands.
            Event::Gate(gate::Event::Held { .. }) | Event::Evidence(_) => false,
            // Balances have a view of their own, and what somebody tried is the operator's.
            Event::Ledger(_) => false,
            Event::Issue(_) | Event::Dissent(_) => true,
            Event::Period(_) => false,
            // A blind comment would show in what it contradicts; its author and the operator are told.
            Event::Canon(canon::Event::Contradicted { .. } | canon::Event::OldVersionCited { .. }) => false,
            Event::Canon(canon::Event::Searched { .. }) => false,
            Event::Canon(_) => true,
            Event::Lease(_) => false,
            Event::Ballot(_) | Event::Meter(_) | Event::Ask(_) | Event::Context(_) => false,
            Event::Monitor(_) | Event::Trigger(_) | Event::Rejections(_) => false,
            // Who was right tells how they voted, which is open by now: votes that stay secret are not marked.
            Event::Track(_) => true,
        };
        shown && procedure::tells_participants(self)
    }
}

impl Reader<'_> {
    /// Whether it is a seat that is to hear nothing at all.
    fn is_kept_apart(self) -> bool {
        match self {
            Reader::Speaker { sees, .. } => sees == Sees::Nothing,
            Reader::Operator | Reader::Public | Reader::Channel => false,
            Reader::Participant(_) | Reader::Watcher(_) => false,
        }
    }
}
