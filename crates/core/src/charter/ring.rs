//! How a ring is held: its phases, its times and its patience.
//!
//! A ring has the same phases under every charter; what a charter sets is how long and how often.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::defaults::ring as usual;
use super::draft::{Draft, THRESHOLD};
use super::setting::SettingSlot;
use super::settle::Settler;
use super::source::{Lined, SourceTable};
use super::{Knob, Motion, OwnTable, Procedure, Unsettled, schema as of};
use crate::ballot;
use crate::kernel::{Perspective, Threshold};
use crate::table::Phase;

/// The table `[ring]` chooses this procedure.
pub(super) const TABLE: OwnTable = OwnTable {
    key: "ring",
    read: |table| {
        let ring = DraftRing::read(table);
        Unsettled(Box::new(move |settler, rest| settler.ring_and_ballot(ring, rest)))
    },
    schema,
};

const CONSENSUS: &str = "ring.consensus";

/// What a charter sets for its ring.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Enough of those present are for one proposal: talk ends.
    pub consensus: Threshold,
    /// How long those invited may take to join.
    pub gather_ms: Knob,
    /// The fewest that can begin.
    pub least: u32,
    /// A turn holds at most so many contributions.
    pub per_turn: u32,
    /// A participant may put down at most so many proposals: one alone must not fill the table.
    #[serde(default = "every_proposal", skip_serializing_if = "is_every_proposal")]
    pub proposals_each: u32,
    /// The floor goes round at most so often.
    pub rounds: Knob,
    /// How long the whole may last.
    pub session_ms: Knob,
    /// So many turns skipped in a row make a seat absent.
    pub skips: u32,
    /// Stagnation counts from this round on.
    pub still_from: u32,
    /// So many rounds in which nothing new is put down end the talk.
    pub still_rounds: u32,
    /// The longest contribution, in characters.
    pub text_most: u32,
    /// So many turns let pass make a seat absent.
    pub timeouts: u64,
    /// How long whoever has the floor may keep it. Proposals are waited for as long.
    pub token_ms: Knob,
    /// How long the vote is open.
    pub vote_ms: Knob,
}

fn every_proposal() -> u32 {
    usual::PROPOSALS_EACH.usual as u32
}

fn is_every_proposal(each: &u32) -> bool {
    *each == every_proposal()
}

impl Ring {
    /// How much of what was said a prompt repeats, in characters.
    pub fn history_chars(&self) -> u64 {
        u64::from(self.text_most) * 8
    }

    /// The floor goes round at least once.
    pub(crate) fn rounds(&self) -> (u64, u64) {
        (1, self.rounds.is)
    }

    /// Nobody calls those who come by themselves.
    pub(crate) fn calls(&self, _: u64, _: u64) -> (u64, u64) {
        (0, 0)
    }

    /// Its phases.
    pub(crate) fn outline(&self) -> Vec<(String, Option<u64>)> {
        let row = |phase: Phase| match phase {
            Phase::Discussing => (phase.word().to_lowercase(), Some(self.rounds.is)),
            Phase::Gathering | Phase::Proposing | Phase::Converging | Phase::Voting => {
                (phase.word().to_lowercase(), None)
            }
        };
        Phase::ALL.into_iter().map(row).collect()
    }

    /// A ring votes on what its participants propose, never on a kind of motion.
    pub(crate) fn motions(&self) -> &[Motion] {
        &[]
    }

    /// Participants speak for themselves.
    pub(crate) fn perspectives(&self) -> &[Perspective] {
        &[]
    }

    /// Participants know each other.
    pub(crate) fn hides_names(&self) -> bool {
        false
    }

    /// Participants come by themselves.
    pub(crate) fn runs_by_itself(&self) -> bool {
        true
    }

    /// So many turns let pass make a seat absent.
    pub(crate) fn absent_after(&self) -> u64 {
        self.timeouts
    }

    /// Turns lapse.
    pub(crate) fn is_timeless(&self) -> bool {
        false
    }

    /// How long the whole may last.
    pub(crate) fn time_limit(&self) -> Option<u64> {
        Some(self.session_ms.is)
    }

    /// Everybody may keep the floor as long.
    pub(crate) fn limit_ms(&self, _: bool) -> u64 {
        self.token_ms.is
    }

    /// Under the names that stand in the file, and nothing besides.
    pub(crate) fn places(&mut self) -> Vec<(String, SettingSlot<'_>)> {
        vec![
            (CONSENSUS.to_string(), SettingSlot::Share(&mut self.consensus)),
            ("ring.gather_ms".to_string(), SettingSlot::Number(&mut self.gather_ms)),
            ("ring.rounds".to_string(), SettingSlot::Number(&mut self.rounds)),
            ("ring.session_ms".to_string(), SettingSlot::Number(&mut self.session_ms)),
            ("ring.token_ms".to_string(), SettingSlot::Number(&mut self.token_ms)),
            ("ring.vote_ms".to_string(), SettingSlot::Number(&mut self.vote_ms)),
        ]
    }
}

/// What was written under `[ring]`.
#[derive(Debug)]
struct DraftRing {
    line: usize,
    rounds: Option<Lined<Knob>>,
    token_ms: Option<Lined<Knob>>,
    session_ms: Option<Lined<Knob>>,
    vote_ms: Option<Lined<Knob>>,
    gather_ms: Option<Lined<Knob>>,
    least: Option<Lined<u64>>,
    skips: Option<Lined<u64>>,
    timeouts: Option<Lined<u64>>,
    still_rounds: Option<Lined<u64>>,
    still_from: Option<Lined<u64>>,
    text_most: Option<Lined<u64>>,
    per_turn: Option<Lined<u64>>,
    proposals_each: Option<Lined<u64>>,
    consensus: Option<Lined<Knob<Threshold>>>,
}

impl DraftRing {
    fn read(table: &SourceTable<'_, '_>) -> Self {
        let ring = Self {
            line: table.line(),
            rounds: table.knob("rounds"),
            token_ms: table.knob("token_ms"),
            session_ms: table.knob("session_ms"),
            vote_ms: table.knob("vote_ms"),
            gather_ms: table.knob("gather_ms"),
            least: table.whole("least"),
            skips: table.whole("skips"),
            timeouts: table.whole("timeouts"),
            still_rounds: table.whole("still_rounds"),
            still_from: table.whole("still_from"),
            text_most: table.whole("text_most"),
            per_turn: table.whole("per_turn"),
            proposals_each: table.whole("proposals_each"),
            consensus: table.parsed_knob("consensus", THRESHOLD),
        };
        table.finish();
        ring
    }
}

impl Settler<'_> {
    /// A ring votes on each proposal in grades, one participant one vote.
    fn in_grades(&mut self, line: usize, ballot: &ballot::Rules) {
        let other = [
            ("method", ballot.method != ballot::Method::Plurality),
            ("weights", ballot.weights != ballot::Weights::Equal),
            ("delegation", ballot.delegation),
            ("change_needs_argument", ballot.change_needs_argument),
        ];
        for (key, _) in other.into_iter().filter(|(_, set)| *set) {
            let wrong = "a ring votes on each proposal in five grades, one participant one vote";
            self.error(line, &format!("ballot.{key}"), wrong, "leave it out");
        }
    }

    /// A number that a ring does not read. Told and not refused: a record that holds such a charter is to be judged
    /// again as it was.
    fn never_asked_again(&mut self, line: usize) {
        let wrong = "a vote in a ring that cannot be read is refused at once, so this is never read".into();
        self.note(line, "ballot.unparsed_retries", wrong, "leave it out".into(), false);
    }

    /// A ring as it holds, and how it votes.
    fn ring_and_ballot(&mut self, ring: DraftRing, rest: &mut Draft) -> Option<(Procedure, ballot::Rules)> {
        let line = rest.ballot.line;
        if let Some(retries) = &rest.ballot.unparsed_retries {
            self.never_asked_again(retries.line);
        }
        let ballot = self.ballot(std::mem::take(&mut rest.ballot));
        ballot.iter().for_each(|ballot| self.in_grades(line, ballot));
        let ring = self.ring(ring);
        Some((Procedure::Ring(ring?), ballot?))
    }

    fn ring(&mut self, draft: DraftRing) -> Option<Ring> {
        let line = draft.line;
        let at = |knob: &Option<Lined<Knob>>| knob.as_ref().map_or(line, |knob| knob.line);
        let times = [
            ("rounds", at(&draft.rounds)),
            ("token_ms", at(&draft.token_ms)),
            ("session_ms", at(&draft.session_ms)),
            ("vote_ms", at(&draft.vote_ms)),
            ("gather_ms", at(&draft.gather_ms)),
        ];
        let mut need = |knob, key: &str, write: &str| {
            self.need(knob, line, &format!("ring.{key}"), &format!("{write} under [ring]"))
        };
        let rounds = need(draft.rounds, "rounds", "rounds = 5");
        let token = need(draft.token_ms, "token_ms", "token_ms = 120_000");
        let session = need(draft.session_ms, "session_ms", "session_ms = 1_800_000");
        let vote = need(draft.vote_ms, "vote_ms", "vote_ms = 60_000");
        let gather = need(draft.gather_ms, "gather_ms", "gather_ms = 300_000");
        for ((key, line), knob) in times.into_iter().zip([rounds, token, session, vote, gather]) {
            if knob.is_some_and(|knob| knob.from == 0) {
                self.error(line, &format!("ring.{key}"), "this must not be 0", "write 1 or more");
            }
        }
        // All are looked at before any of them is missed: every flaw is listed.
        let least = self.within(draft.least, "ring.least", usual::LEAST) as u32;
        let skips = self.within(draft.skips, "ring.skips", usual::SKIPS) as u32;
        let timeouts = self.within(draft.timeouts, "ring.timeouts", usual::TIMEOUTS);
        let still_rounds = self.within(draft.still_rounds, "ring.still_rounds", usual::STILL_ROUNDS) as u32;
        let still_from = self.within(draft.still_from, "ring.still_from", usual::STILL_FROM) as u32;
        let text_most = self.within(draft.text_most, "ring.text_most", usual::TEXT_MOST) as u32;
        let per_turn = self.within(draft.per_turn, "ring.per_turn", usual::PER_TURN) as u32;
        let proposals_each =
            self.within(draft.proposals_each, "ring.proposals_each", usual::PROPOSALS_EACH) as u32;
        let consensus = self.share(draft.consensus, CONSENSUS, usual::CONSENSUS);
        let (gather_ms, session_ms, vote_ms) = (gather?, session?, vote?);
        Some(Ring {
            consensus,
            gather_ms,
            least,
            per_turn,
            proposals_each,
            rounds: rounds?,
            session_ms,
            skips,
            still_from,
            still_rounds,
            text_most,
            timeouts,
            token_ms: token?,
            vote_ms,
        })
    }
}

/// The schema of `[ring]`.
fn schema() -> Value {
    of::table(
        json!({
            "rounds": of::knob("The floor goes round at most this often."),
            "token_ms": of::knob("How long a participant may keep the floor. Proposals are awaited for as long."),
            "session_ms": of::knob("How long the whole ring may last, from its opening."),
            "vote_ms": of::knob("How long the vote is open."),
            "gather_ms": of::knob("How long those invited may take to join."),
            "least": of::limited("The fewest participants that can begin.", usual::LEAST),
            "skips": of::limited("A seat that skips this many turns in a row is absent.", usual::SKIPS),
            "timeouts": of::limited("A seat that misses this many turns in all is absent.", usual::TIMEOUTS),
            "still_rounds": of::limited("This many rounds in which nothing new is said end the talk.", usual::STILL_ROUNDS),
            "still_from": of::limited("The first round in which that can happen.", usual::STILL_FROM),
            "text_most": of::limited("The longest contribution in characters; a longer one is refused.", usual::TEXT_MOST),
            "per_turn": of::limited("The most contributions in one turn.", usual::PER_TURN),
            "proposals_each": of::limited("The most proposals of one participant; the table holds 26.", usual::PROPOSALS_EACH),
            "consensus": of::threshold_or("With this share of those present for one proposal the talk ends.", usual::CONSENSUS),
        }),
        &["rounds", "token_ms", "session_ms", "vote_ms", "gather_ms"],
    )
}
