//! Stages and rounds: who is called, when a round closes, what is found in it, what follows it.

use super::state::parts;
use crate::ballot::Tally;
use crate::charter::{Speak, StageKind};
use crate::floor::{self, FloorStep};
use crate::house::{Case, Flow};
use crate::kernel::{Choice, Decision, Reading, UndecidedReason, Who};
use crate::matter::{Pause, Status};
use crate::watch::{self, Exit, Voice};
use crate::{Ask, Event, Task, matter};

/// Goes on as far as it can without an answer: calls the next, or closes what is over.
pub(crate) fn advance(flow: &mut Flow) {
    let case = flow.case();
    if case.status() != Status::Running {
        return; // what a clerk says of a matter that rests or is over moves nothing
    }
    flow.end_missed_orders();
    let case = flow.case();
    if !case.entered() {
        if case.asks().is_empty() {
            flow.enter_stage(0);
        }
        return;
    }
    match case.stage().map(|stage| &stage.kind) {
        Some(StageKind::Vote { .. }) if case.asks().is_empty() => flow.close_ballot(),
        Some(StageKind::Merge) if case.asks().is_empty() => flow.close_merge(),
        Some(StageKind::Second { .. }) => flow.advance_seconding(),
        Some(StageKind::RedTeam(_)) => flow.call_team(),
        Some(StageKind::Vote { .. } | StageKind::Merge) | None => (),
        Some(StageKind::Speak(_) | StageKind::Propose(_) | StageKind::Estimate(_)) => advance_round(flow),
    }
}

/// Calls the next of a round, or goes on after it.
fn advance_round(flow: &mut Flow) {
    let case = flow.case();
    match case.speaking() {
        Some(_) if case.round_closed() && case.asks().is_empty() => flow.after_round(),
        Some(speak) if !case.round_closed() => {
            let (order, panel) = (speak.floor, speak.panel.clone());
            flow.call(order, panel.as_ref());
        }
        Some(_) | None => (),
    }
}

/// Goes on after a rest.
pub(crate) fn resumed(flow: &mut Flow, from: Pause) {
    match from {
        Pause::NeedsContext => flow.after_context(),
        Pause::Operator | Pause::Interrupted | Pause::BetweenRounds | Pause::Unusable => advance(flow),
        Pause::Listed => flow.enter_stage(0),
    }
}

impl Flow {
    pub(crate) fn enter_stage(&mut self, stage: usize) {
        let matter = self.case().id;
        self.put(Event::Matter(matter::Event::StageEntered { matter, stage: stage as u16 }));
        match self.case().stage().map(|stage| &stage.kind) {
            Some(StageKind::Speak(speak) | StageKind::Propose(speak) | StageKind::Estimate(speak)) => {
                if let Some(seats) = impanelled(speak, self.case()) {
                    self.put(Event::Floor(floor::Event::Impanelled { matter, seats }));
                }
                self.open_round();
            }
            Some(StageKind::Vote { early, stances }) => {
                let (early, stances) = (*early, *stances);
                self.sum_up_debate(true);
                self.open_ballot(early, stances);
            }
            Some(StageKind::Merge) => self.open_merge(),
            Some(StageKind::Second { .. }) => self.advance_seconding(),
            Some(StageKind::RedTeam(team)) => {
                let team = team.clone();
                self.begin_team(&team);
            }
            None => (),
        }
    }

    /// Whether enough seats are left for any vote to count. Where not, talk would only cost.
    fn can_decide(&self) -> bool {
        let seats = self.case().in_play() as u32;
        self.case().present().count() as u32 >= self.case().charter.ballot.quorum.ceiling_of(seats)
    }

    /// Opens the next round, or waits for the operator's word where a matter is held round by round.
    fn open_round(&mut self) {
        // The first round of a matter, or of a branch, is what it was opened for.
        let begun = self.case().opening.forked.map_or(0, |forked| forked.round);
        if self.case().stepwise() && self.case().round() > begun {
            let (matter, why) = (self.case().id, Pause::BetweenRounds);
            self.put(Event::Matter(matter::Event::Paused { halt: None, matter, why }));
        } else {
            self.hold_council_round();
        }
    }

    pub(crate) fn hold_council_round(&mut self) {
        if self.case().round() > 0 && self.case().round_closed() {
            self.pass_parts();
        }
        let (matter, round) = (self.case().id, self.case().round() + 1);
        self.put(Event::Floor(floor::Event::RoundOpened { matter, round }));
        advance(self);
    }

    fn call(&mut self, order: floor::FloorOrder, panel: Option<&crate::charter::Panel>) {
        // Most answers come while others still speak: nobody need look through all seats then.
        if order.waits_for_all() && self.case().is_anyone_speaking() {
            return;
        }
        let case = self.case();
        match floor::next(order, case.present(), case.called(), &case.speaking_now()) {
            FloorStep::Wait => (),
            FloorStep::Over => match panel.and_then(|panel| self.widened(panel)) {
                Some(seats) => {
                    let matter = self.case().id;
                    self.put(Event::Floor(floor::Event::Impanelled { matter, seats }));
                    self.call(order, panel);
                }
                None => self.close_round(),
            },
            FloorStep::Call(seats) => {
                let (matter, round) = (case.id, case.round());
                for who in seats.into_iter().cloned().collect::<Vec<Who>>() {
                    let until = self.queued_until(&who);
                    self.before_entry(&who, until);
                    self.put(Event::Floor(floor::Event::Called { matter, who, round, until }));
                }
            }
        }
    }

    /// How large the panel becomes if its members do not all say the same.
    fn widened(&self, panel: &crate::charter::Panel) -> Option<u32> {
        let now = self.case().panel()?;
        if panel.on.is == 0 || self.panel_agrees(now) {
            return None;
        }
        floor::wider(&panel.steps, self.case().opening.seats.len() as u32, now)
    }

    fn panel_agrees(&self, now: u32) -> bool {
        let round = self.case().round();
        let mut said = self.case().said.iter().filter(|said| said.round == round);
        let first = said.clone().next().and_then(|said| said.response.stance);
        let side = first.filter(|side| *side != Choice::Neutral);
        said.clone().count() == now as usize
            && side.is_some()
            && said.all(|said| said.response.stance == side)
    }

    fn close_round(&mut self) {
        let (matter, round) = (self.case().id, self.case().round());
        let answered = self.case().said.iter().filter(|said| said.round == round).count() as u32;
        let lapsed = self.case().lapsed_in(round);
        self.put(Event::Floor(floor::Event::RoundClosed { matter, round, answered, lapsed }));
        if answered == 0 {
            // A round with no answer failed. Going on would count silence as deliberation.
            return self.settle(Decision::Undecided(UndecidedReason::NoAnswers));
        }
        // Where nobody is asked for a side there is no agreement to count or to judge. A motion has counts of its own.
        if !self.case().takes_sides() || self.case().motion().is_some() {
            return self.after_round();
        }
        let analysis = Box::new(self.case().analysed(self.house.reading()));
        self.put(Event::Watch(watch::Event::Analysed { analysis, matter, round }));
        if !self.engage_clerks() {
            self.after_round();
        }
    }

    /// What follows a round that is over and weighed.
    fn after_round(&mut self) {
        let matter = self.case().id;
        if !self.case().dossier.pending().is_empty() && self.case().round() < self.case().last_round() {
            self.put(Event::Matter(matter::Event::Paused { halt: None, matter, why: Pause::NeedsContext }));
            return;
        }
        // A file that was needed is for a round to use, however much the last one agreed.
        if self.case().dossier.read_in(self.case().round()) && self.has_rounds_left() && self.can_decide() {
            return self.open_round();
        }
        match self.exit() {
            None if self.can_decide() => self.open_round(),
            None => self.next_stage(),
            Some(why) => {
                let stage = self.case().stage_index() as u16;
                self.put(Event::Watch(watch::Event::Left { matter, stage, why }));
                self.next_stage();
            }
        }
    }

    /// What follows when the operator has supplied what was needed. What was answered is for a round to use, so
    /// one is held if any is left, however much the last one agreed.
    fn after_context(&mut self) {
        let round = self.case().round();
        let answered = self.case().dossier.answered_in(round);
        if answered && self.has_rounds_left() && self.can_decide() {
            self.open_round()
        } else {
            advance(self)
        }
    }

    /// Whether the present stage allows another round.
    fn has_rounds_left(&self) -> bool {
        self.case().speaking().is_some_and(|speak| self.case().rounds_in_stage() < speak.rounds.is)
    }

    /// Why no further round of this stage follows, in the order of the rules.
    fn exit(&self) -> Option<Exit> {
        let speak = self.case().speaking()?;
        let round = self.case().round();
        let (rules, state) = parts(self.case());
        let watch = &rules.watch;
        let analysis = state.analyses.get(&round).filter(|_| watch.early.is == 1);
        let judged: Vec<_> = state
            .opinions
            .iter()
            .filter(|(of, ..)| *of == round)
            .filter_map(|(.., opinion)| opinion.agreement)
            .collect();
        analysis
            .and_then(|analysis| watch::exit(&watch.rules, analysis, &judged))
            .or_else(|| self.is_clear(speak).then_some(Exit::Clear))
            .or_else(|| self.is_still(speak).then_some(Exit::Still))
            .or_else(|| (self.case().rounds_in_stage() >= speak.rounds.is).then_some(Exit::Rounds))
    }

    pub(super) fn next_stage(&mut self) {
        let next = self.case().stage_index() + 1;
        if !self.can_decide() {
            self.settle(Decision::Undecided(UndecidedReason::Quorum));
            return;
        }
        match self.case().stage().map(|stage| &stage.kind) {
            Some(StageKind::Estimate(_)) => return self.settle_estimate(),
            Some(StageKind::Propose(_)) => {
                if !self.list_proposals() {
                    return;
                }
            }
            Some(StageKind::Speak(_) | StageKind::Vote { .. } | StageKind::Merge) | None => (),
            Some(StageKind::Second { .. } | StageKind::RedTeam(_)) => (),
        }
        if next < parts(self.case()).0.stages.len() {
            self.enter_stage(next);
        } else {
            // Charters end with a vote that settles; this is for one that was read by other rules.
            self.settle(Decision::Undecided(UndecidedReason::Below));
        }
    }

    /// Whether the stances taken leave nothing to debate.
    fn is_clear(&self, speak: &Speak) -> bool {
        let Some(clear) = speak.until_clear else { return false };
        let options = self.case().opening.question.options.len() as u8;
        let mut tally = Tally::new(options, self.case().in_play() as u32);
        let standing = self.case().standing(self.case().round() + 1);
        tally.present = standing.len() as u32;
        for choice in standing.values() {
            tally.add(*choice, 1);
        }
        tally.is_clear(&self.case().charter.ballot, clear)
    }

    /// Whether the round just closed moved nobody away from where they stood before it.
    fn is_still(&self, speak: &Speak) -> bool {
        if !speak.until_still {
            return false;
        }
        if !self.case().takes_sides() {
            return self.is_settled_on_numbers();
        }
        let round = self.case().round();
        let before = self.case().standing(round);
        let heard = self.case().said.iter().filter(|said| said.round == round);
        // Of those who were not heard nobody knows whether they changed their mind.
        if 2 * heard.clone().count() <= self.case().in_play() {
            return false;
        }
        // What is said under an order moves nobody, and keeps nobody where they are.
        let mut now = heard.filter(|said| said.ordered.is_none()).peekable();
        now.peek().is_some()
            && now
                .all(|said| said.response.stance.is_none_or(|stance| before.get(&said.who) == Some(&stance)))
    }
}

/// The first panel of a stage that asks only some of the seats.
fn impanelled(speak: &Speak, case: &Case) -> Option<u32> {
    let panel = speak.panel.as_ref().filter(|panel| panel.on.is == 1)?;
    let first = panel.steps.first().copied()?;
    (case.panel().is_none() && (first as usize) < case.opening.seats.len()).then_some(first)
}

/// Parts of the names of sections in which the other side is weighed.
const WEIGHING: [&str; 8] =
    ["objection", "counter", "alternative", "risk", "against", "disagreement", "dissent", "weak"];

impl Case {
    /// Whether anybody's statement is awaited.
    pub(super) fn is_anyone_speaking(&self) -> bool {
        self.asks().values().any(|ask| matches!(ask.task(), Some(Task::Speak { .. })))
    }

    /// Seats whose statement is awaited, each with its place.
    fn speaking_now(&self) -> Vec<(usize, &Who)> {
        let speaks = |ask: &&Ask| matches!(ask.task(), Some(Task::Speak { .. }));
        let asked = self.asks().values().filter(speaks).filter_map(Ask::who);
        asked.filter_map(|who| Some((self.place(who)?, who))).collect()
    }

    /// What is found in the round just closed.
    fn analysed(&self, reading: Reading) -> watch::Analysis {
        let round = self.round();
        let rules =
            watch::Rules { groupthink: self.watches_groupthink(round), ..parts(self).0.watch.rules.clone() };
        let back = rules.still_rounds.max(1);
        let rounds: Vec<Vec<Voice<'_>>> =
            (round.saturating_sub(back).max(1)..=round).map(|of| self.voices(of, reading)).collect();
        watch::analyse(&rules, reading, self.opening.question.options.len(), self.called_so_far(), &rounds)
    }

    /// Whether signs of groupthink are looked for: where the charter says so, and in a round whose assigned opposition
    /// was not heard, since then nobody was told to oppose.
    fn watches_groupthink(&self, round: u32) -> bool {
        let rules = parts(self).0;
        let assigns = rules.roles.iter().flat_map(|roles| &roles.roles).any(|role| role.expects.is_some());
        let mut said = self.said.iter().filter(|said| said.round == round);
        rules.watch.rules.groupthink || assigns && said.all(|said| said.ordered.is_none())
    }

    /// Who spoke in a round, in the order in which they did; the watch reads them in an order of its own.
    fn voices(&self, round: u32, reading: Reading) -> Vec<Voice<'_>> {
        let said = self.said.iter().filter(|said| said.round == round);
        // `none` in a section for objections weighs nothing.
        let filled = |text: &str| match reading {
            Reading::Early => !text.trim().is_empty(),
            Reading::Close => watch::objects(text),
        };
        let weighs =
            |(key, text): &(String, String)| WEIGHING.iter().any(|part| key.contains(part)) && filled(text);
        said.map(|said| Voice {
            who: &said.who,
            response: &said.response,
            ordered: said.ordered.is_some(),
            objection: said.response.sections.iter().any(weighs),
        })
        .collect()
    }
}
