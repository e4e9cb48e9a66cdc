//! What a council knows of its matter besides what every matter has: its stage, its panel, what was found in its
//! rounds. It records events; what they mean is judged in the flows.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::Vector;

use super::motion::MotionState;
use crate::ask::Of;
use crate::ballot::{Method, Rules, Weights};
use crate::brief::{Form, Marking, Section, VoteForm};
use crate::charter::{Charter, Council, Speak, Stage, StageKind};
use crate::context::AnswerOption;
use crate::house::{Case, Dossier, Recorded};
use crate::kernel::{
    AskId, Choice, Contribution, Id, Perspective, Repair, StoredContribution, Who, Words, words,
};
use crate::matter::{self, Opening, Question, QuestionKind};
use crate::procedure;
use crate::watch::{Analysis, Opinion};
use crate::{Ask, Event, Task, context, floor, watch};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// What answers look like.
    pub forms: Arc<Forms>,
    /// What was found in each round.
    pub analyses: BTreeMap<u32, Arc<Analysis>>,
    /// What judges found: round, judge, reading.
    pub opinions: Vec<(u32, Who, Arc<Opinion>)>,
    /// What had to be repaired to read what clerks said.
    pub clerk_repairs: Vector<(Who, Task, Vec<Repair>)>,
    /// What the stages of rounds were called that it shares with another matter, whose charter may differ.
    pub borrowed_stage_names: BTreeMap<u32, String>,
    /// What the seats proposed to an open question, in the order of the ballot.
    pub answers: Vec<AnswerOption>,
    /// Answers that a ballot has no room for.
    pub left_out: Vec<AnswerOption>,
    /// The list as the seats compared it, before any of it was merged.
    pub compared: Vec<String>,
    /// Which of those each seat says mean the same, with the ask it answered.
    pub comparisons: Vec<AnswerGrouping>,
    /// What is known of it as a motion, if it is one.
    pub motion: Option<MotionState>,
    /// Parts that seats have taken over from others, by name.
    pub parts_taken: BTreeMap<Who, String>,
    pub(super) stepwise: bool,
    pub(super) entered: bool,
    pub(super) panel: Option<u32>,
    pub(super) stage: usize,
    pub(super) rounds_in_stage: u64,
}

/// One seat's grouping of the answers that mean the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerGrouping {
    /// The ask it answered.
    pub ask: AskId,
    /// Groups of answers, by place on the list that was compared.
    pub groups: Vec<Vec<u8>>,
    /// The seat.
    pub who: Who,
}

/// The forms of the answers a council asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    /// A statement in round one.
    pub first: Arc<Form>,
    /// A statement later.
    pub later: Arc<Form>,
    /// The same, in a round after which nothing more can be asked for.
    pub last: [Arc<Form>; 2],
    /// A vote.
    pub vote: Arc<Form>,
    /// An answer to an open question.
    pub proposal: Arc<Form>,
    /// A number in round one, and later.
    pub estimate: [Arc<Form>; 2],
    /// The same, in a round after which nothing more can be asked for.
    pub last_estimate: [Arc<Form>; 2],
    /// Whether a motion is seconded.
    pub second: Arc<Form>,
}

impl Forms {
    fn of(charter: &Charter, rules: &Council, opening: &Opening) -> Self {
        let question = &opening.question;
        let (options, unit) = (question.options.len(), question.unit.as_deref().unwrap_or_default());
        let assigned = rules.assigns_sides(options > 0);
        let speech = |sections: &[Section], counted: bool| {
            let form = Form::speech(options, sections).with_requests(opening.sources);
            let form = form.with_checks(opening.question.must.len());
            let form = if counted { form.counted() } else { form };
            Arc::new(if assigned { form.assigned() } else { form })
        };
        let counted = |stages: &[Stage]| charter.ballot.counts_stances() && counts_stances(stages);
        let (draft, debate) = rules.stages.split_at(rules.stages.len().min(2));
        let (first, later) =
            (speech(&rules.brief.first, counted(draft)), speech(&rules.brief.later, counted(debate)));
        let last = [Arc::new(first.without_requests()), Arc::new(later.without_requests())];
        let vote = Arc::new(Form::vote(options, asked(&charter.ballot)));
        let proposal = Arc::new(Form::proposal(&rules.brief.first).with_checks(question.must.len()));
        let estimate = [&rules.brief.first, &rules.brief.later].map(|sections| {
            let form = Form::estimate(sections, unit).with_requests(opening.sources);
            Arc::new(form.with_checks(question.must.len()))
        });
        let last_estimate = estimate.each_ref().map(|form| Arc::new(form.without_requests()));
        let second = Arc::new(Form::second());
        Self { first, later, last, vote, proposal, estimate, last_estimate, second }
    }

    /// The form of what is asked for in a stage, in that round.
    pub fn of_stage(&self, kind: Option<&StageKind>, round: u32, last: bool) -> &Arc<Form> {
        match kind {
            Some(StageKind::Propose(_)) => &self.proposal,
            Some(StageKind::Estimate(_)) if last => &self.last_estimate[usize::from(round > 1)],
            Some(StageKind::Estimate(_)) => &self.estimate[usize::from(round > 1)],
            Some(StageKind::Second { .. }) => &self.second,
            Some(StageKind::Speak(_) | StageKind::RedTeam(_)) => self.speech(round, last),
            Some(StageKind::Vote { .. } | StageKind::Merge) | None => self.speech(round, last),
        }
    }

    /// The form of a statement in that round.
    pub fn speech(&self, round: u32, last: bool) -> &Arc<Form> {
        match (round, last) {
            (1, true) => &self.last[0],
            (_, true) => &self.last[1],
            (1, false) => &self.first,
            (_, false) => &self.later,
        }
    }
}

/// Whether a vote among these stages takes the sides of the round before it for votes.
fn counts_stances(stages: &[Stage]) -> bool {
    stages.iter().any(|stage| matches!(stage.kind, StageKind::Vote { stances: true, .. }))
}

/// What a vote under these rules is asked to look like.
pub fn asked(rule: &Rules) -> VoteForm {
    VoteForm {
        argued: rule.change_needs_argument,
        delegation: rule.delegation,
        marking: match rule.method {
            Method::Plurality => Marking::One,
            Method::Borda | Method::Schulze | Method::InstantRunoff => Marking::Ranking,
            Method::Approval => Marking::Approval,
            Method::Score => Marking::Scores,
        },
        weighed: match rule.weights {
            Weights::Equal | Weights::Reliability => false,
            Weights::Confidence => true,
        },
    }
}

impl State {
    pub(crate) fn open(opening: &Opening, charter: &Charter, rules: &Council) -> Self {
        Self {
            forms: Arc::new(Forms::of(charter, rules, opening)),
            answers: Vec::new(),
            left_out: Vec::new(),
            compared: Vec::new(),
            comparisons: Vec::new(),
            analyses: BTreeMap::new(),
            opinions: Vec::new(),
            clerk_repairs: Vector::new(),
            borrowed_stage_names: BTreeMap::new(),
            motion: rules.parliament.as_ref().map(|_| MotionState::default()),
            parts_taken: BTreeMap::new(),
            stepwise: opening.stepwise,
            entered: false,
            panel: None,
            stage: 0,
            rounds_in_stage: 0,
        }
    }

    pub(crate) fn apply(&mut self, recorded: &Recorded<'_>) {
        if let Some(motion) = &mut self.motion {
            motion.apply(recorded);
        }
        match recorded.event {
            Event::Matter(matter::Event::StageEntered { stage, .. }) => {
                self.stage = usize::from(*stage);
                self.rounds_in_stage = 0;
                self.entered = true;
            }
            Event::Matter(matter::Event::Stepped { stepwise, .. }) => self.stepwise = *stepwise,
            Event::Floor(floor::Event::RoundOpened { .. }) => self.rounds_in_stage += 1,
            Event::Floor(floor::Event::Impanelled { seats, .. }) => self.panel = Some(*seats),
            Event::Floor(floor::Event::PartTaken { who, part, .. }) => {
                self.parts_taken.insert(who.clone(), part.clone());
            }
            Event::Context(
                context::Event::Perspectives { repairs, .. }
                | context::Event::Digested { repairs, .. }
                | context::Event::Synthesised { repairs, .. },
            ) => self.served(recorded, repairs),
            Event::Watch(watch::Event::Analysed { round, analysis, .. }) => {
                self.analyses.insert(*round, Arc::new((**analysis).clone()));
            }
            Event::Watch(watch::Event::Judged { round, opinion, repairs, .. }) => {
                self.served(recorded, repairs);
                if let Some(judge) = recorded.closed.as_ref().and_then(|(_, asked)| asked.who()) {
                    // A judge who weighs a round again replaces what was said first.
                    self.opinions.retain(|(at, who, _)| at != round || who != judge);
                    self.opinions.push((*round, judge.clone(), Arc::new((**opinion).clone())));
                }
            }
            Event::Context(context::Event::Compared { groups, repairs, .. }) => {
                self.served(recorded, repairs);
                if let Some((ask, asked)) = &recorded.closed
                    && let Some(who) = asked.who()
                {
                    self.compared = self.answers.iter().map(|answer| answer.text.clone()).collect();
                    self.comparisons.push(AnswerGrouping {
                        ask: *ask,
                        groups: groups.clone(),
                        who: who.clone(),
                    });
                }
            }
            Event::Watch(watch::Event::Left { .. }) => (),
            Event::Matter(_) | Event::Floor(_) | Event::Context(_) => (),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Monitor(_) => (),
            Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) | Event::Table(_) => (),
            Event::Gate(_) | Event::Ballot(_) | Event::Meter(_) | Event::Ask(_) => (),
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => (),
            Event::Evidence(_) | Event::Ledger(_) => (),
            Event::Canon(_) | Event::Lease(_) => (),
        }
    }

    /// A clerk has answered.
    fn served(&mut self, recorded: &Recorded<'_>, repairs: &[Repair]) {
        if let Some((_, Ask { of: Of::Seat { task, who }, .. })) = &recorded.closed
            && !repairs.is_empty()
        {
            self.clerk_repairs.push_back((who.clone(), *task, repairs.to_vec()));
        }
    }

    /// What follows from words is itself words, and goes with them.
    pub(crate) fn forget(&mut self) {}

    /// Forgets what it shares with another matter up to a round.
    pub(crate) fn forget_shared(&mut self, last: u32) {
        self.analyses.range_mut(..=last).for_each(|(_, found)| found.redact());
        self.opinions.iter_mut().filter(|(round, ..)| *round <= last).for_each(Words::redact);
    }
}

/// The rules and the state of a council, in flows that only councils have.
pub(super) fn parts(case: &Case) -> (&Council, &State) {
    case.council().expect("a flow of councils is about a council")
}

impl Case {
    /// The rules and the state of a council; `None` for other procedures.
    pub fn council(&self) -> Option<(&Council, &State)> {
        let procedure::State::Council(state) = &self.state else { return None };
        Some((self.charter.council()?, state))
    }

    /// The present stage.
    pub fn stage(&self) -> Option<&Stage> {
        let (rules, state) = self.council()?;
        rules.stages.get(state.stage)
    }

    /// The present stage's place.
    pub fn stage_index(&self) -> usize {
        self.council().map_or(0, |(_, state)| state.stage)
    }

    /// Rounds opened in the present stage.
    pub fn rounds_in_stage(&self) -> u64 {
        self.council().map_or(0, |(_, state)| state.rounds_in_stage)
    }

    /// What the stage was called in which something was said.
    pub fn stage_of(&self, said: &Contribution) -> Option<&str> {
        let (rules, state) = self.council()?;
        let own = || rules.stages.get(usize::from(said.stage)).map(|stage| stage.name.as_str());
        state.borrowed_stage_names.get(&said.round).map(String::as_str).or_else(own)
    }

    /// The size of the panel, where not all seats are asked.
    pub fn panel(&self) -> Option<u32> {
        self.council().and_then(|(_, state)| state.panel)
    }

    /// How many seats are asked at all: the panel where there is one, else all.
    pub fn in_play(&self) -> usize {
        let seats = self.opening.seats.len();
        self.panel().map_or(seats, |panel| seats.min(panel as usize))
    }

    /// Seats that may still be called, in their order, each with its place.
    pub fn present(&self) -> impl Iterator<Item = (usize, &Who)> {
        let seats = self.opening.seats.iter().take(self.in_play()).map(|seat| &seat.who).enumerate();
        seats.filter(|(_, who)| !self.absent.contains_key(*who))
    }

    /// The same as a list of its own.
    pub(super) fn present_seats(&self) -> Vec<Who> {
        self.present().map(|(_, who)| who.clone()).collect()
    }

    /// The role of a seat, where the charter gives roles.
    pub fn role(&self, who: &Who) -> Option<&crate::roster::Role> {
        let (rules, state) = self.council()?;
        let roles = rules
            .roles
            .as_ref()
            .filter(|roles| !roles.yes_no_only || self.opening.question.options.is_empty())?;
        let taken = state.parts_taken.get(who).and_then(|name| roles.named(name));
        taken.or_else(|| roles.of(self.place(who)?, self.opening.seats.len()))
    }

    /// Whether seats are given parts in this matter.
    pub(super) fn has_roles(&self) -> bool {
        self.opening.seats.first().is_some_and(|seat| self.role(&seat.who).is_some())
    }

    /// How often a part has passed to another seat.
    pub(super) fn parts_passed(&self) -> usize {
        self.council().map_or(0, |(_, state)| state.parts_taken.len())
    }

    /// The side a seat is ordered to take in debate.
    pub fn ordered(&self, who: &Who) -> Option<Choice> {
        self.role(who).and_then(|role| role.expects).or_else(|| self.ordered_now(who))
    }

    /// The field a seat speaks for.
    pub fn perspective(&self, who: &Who) -> Option<&Perspective> {
        let place = self.place(who)?.checked_rem(self.dossier.perspectives.len())?;
        self.dossier.perspectives.get(place)
    }

    /// The last round there can be.
    pub fn last_round(&self) -> u32 {
        let Some((rules, state)) = self.council() else { return self.round() };
        let rounds = |stage: &Stage| stage.kind.speech().map_or(0, |speak| speak.rounds.is);
        let here = self.stage().map_or(0, rounds).saturating_sub(state.rounds_in_stage);
        let later = rules.stages.iter().skip(state.stage + 1).map(rounds).sum::<u64>();
        self.round().saturating_add((here + later).min(u64::from(u32::MAX)) as u32)
    }

    /// Whether a stage has been entered; before, only clerks are at work.
    pub(super) fn entered(&self) -> bool {
        self.council().is_some_and(|(_, state)| state.entered)
    }

    /// Whether it rests before each round.
    pub fn stepwise(&self) -> bool {
        self.council().is_some_and(|(_, state)| state.stepwise)
    }

    /// The speaking settings of the present stage.
    pub(crate) fn speaking(&self) -> Option<&Speak> {
        self.stage()?.kind.speech()
    }

    /// Whether the present stage is one in which seats take sides.
    pub(super) fn takes_sides(&self) -> bool {
        self.stage().is_none_or(|stage| stage.kind.takes_sides())
    }

    /// The kind of question it is.
    pub fn kind(&self) -> QuestionKind {
        let plain = match self.opening.question.options.as_slice() {
            [] => QuestionKind::YesNo,
            _ => QuestionKind::Choice,
        };
        self.council().and_then(|(rules, _)| rules.kind()).unwrap_or(plain)
    }

    /// Puts proposed answers to the vote: from now on they are the options of the question.
    pub(crate) fn list_answers(&mut self, answers: &[AnswerOption], left_out: &[AnswerOption]) {
        let opening = Arc::make_mut(&mut self.opening);
        opening.question.options = answers.iter().map(|answer| answer.text.clone()).collect();
        let (procedure::State::Council(state), Some(rules)) = (&mut self.state, self.charter.council())
        else {
            return; // only councils list answers
        };
        state.forms = Arc::new(Forms::of(&self.charter, rules, &self.opening));
        (state.answers, state.left_out) = (answers.to_vec(), left_out.to_vec());
    }

    /// The question as it was put, before seats proposed answers to it.
    pub fn asked(&self) -> Question {
        let proposed = !self.answers().is_empty();
        let question = &self.opening.question;
        let options = if proposed { Vec::new() } else { question.options.clone() };
        Question { options, ..question.clone() }
    }

    /// Takes over what another matter had when a round of it was over.
    pub(crate) fn share(&mut self, origin: &Case, round: u32) {
        let same = origin.opening.charter == self.opening.charter;
        let same_seats = origin.opening.seats == self.opening.seats;
        let shared = |said: &&StoredContribution| said.round <= round;
        self.said = origin.said.iter().filter(shared).cloned().collect();
        // What came after the round is what its successor began with, or later.
        let after = origin.said.iter().filter(|said| said.round > round).map(|said| said.ask.0).min();
        let earlier = |id: Id| after.is_none_or(|after| id < after);
        let perspectives = self.dossier.perspectives.clone();
        self.dossier = Arc::new(Dossier { perspectives, ..origin.dossier.before(earlier) });
        self.round = round;
        self.round_closed = true;
        let of_round = |said: &&StoredContribution| said.round == round;
        let stage = self.said.iter().find(of_round).map_or(0, |said| usize::from(said.stage));
        let in_stage = self.said.iter().filter(|said| usize::from(said.stage) == stage);
        let mut rounds: Vec<u32> = in_stage.map(|said| said.round).collect();
        rounds.dedup();
        if same {
            let held = |ballot: &&Arc<crate::house::Ballot>| ballot.stage < stage && ballot.result.is_some();
            self.ballots = origin.ballots.iter().filter(held).cloned().collect();
        }
        let names =
            self.said.iter().filter_map(|said| Some((said.round, origin.stage_of(said)?.to_string())));
        let names = names.collect();
        let (procedure::State::Council(state), Some((_, other))) = (&mut self.state, origin.council()) else {
            return; // only councils branch off
        };
        state.borrowed_stage_names = names;
        state.analyses = other.analyses.range(..=round).map(|(at, found)| (*at, found.clone())).collect();
        state.opinions = other.opinions.iter().filter(|(at, ..)| *at <= round).cloned().collect();
        if let (Some(motion), Some(origin)) = (&mut state.motion, &other.motion) {
            *motion = MotionState::shared(origin, &self.said);
        }
        if same {
            // A branch after the answers were listed votes on the same list.
            let listed = (other.answers.clone(), other.left_out.clone());
            let after = origin.proposing_stage().is_some_and(|proposing| stage > proposing);
            state.stage = stage;
            state.rounds_in_stage = rounds.len() as u64;
            state.entered = true;
            if same_seats {
                state.panel = other.panel;
            }
            if after {
                self.list_answers(&listed.0, &listed.1);
            }
        }
    }
}

words!(struct State {
    analyses, answers, compared, left_out, opinions, clerk_repairs
        | comparisons, forms, borrowed_stage_names, motion, parts_taken, stepwise, entered, panel, stage, rounds_in_stage
});
