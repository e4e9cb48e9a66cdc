//! How issues are worked on: what stops a comment, how long an issue stays frozen, when somebody has to object, what the
//! house forgets.
//!
//! Every number is a setting with a default and a range, listed once below: the rules, the reader, the settings and the
//! schema come from that list. To add one: a line there, and where it is read.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::draft::Draft;
use super::ledger::{LedgerDraft, is_usual};
use super::setting::SettingSlot;
use super::settle::Settler;
use super::source::{Lined, SourceTable};
use super::{Knob, Motion, OwnTable, Procedure, Unsettled, schema as of};
use crate::ballot;
use crate::canon;
use crate::gate;
use crate::kernel::{Impact, Perspective, Ratio, Threshold};
use crate::lease;
use crate::ledger;

/// The table `[workshop]` chooses this procedure.
pub(super) const TABLE: OwnTable = OwnTable {
    key: "workshop",
    read: |table| {
        let workshop = DraftWorkshop::read(table);
        Unsettled(Box::new(move |settler, rest| settler.workshop(workshop, rest)))
    },
    schema,
};

/// Words that escalate, unless a charter names others.
const KEYWORDS: [&str; 29] = [
    "URGENT",
    "CRUCIAL",
    "CRITICAL",
    "MUST",
    "NEED TO",
    "IMMEDIATELY",
    "CATASTROPHIC",
    "DISASTER",
    "EMERGENCY",
    "VITAL",
    "ESSENTIAL",
    "ABSOLUTELY",
    "DEFINITELY",
    "DRINGEND*",
    "ENTSCHEIDEND*",
    "KRITISCH*",
    "SOFORT",
    "SOFORTIG*",
    "UNBEDINGT",
    "UNVERZÜGLICH*",
    "KATASTROPH*",
    "DESASTER",
    "NOTFALL",
    "NOTFÄLLE",
    "LEBENSWICHTIG*",
    "ESSENZIELL*",
    "ESSENTIELL*",
    "ABSOLUT",
    "DEFINITIV",
];
/// From this impact on a comment needs evidence, unless a charter says otherwise.
const EVIDENCE_FROM: Impact = Impact::Structural;
/// From this impact on an issue is read blind first, and quick approval is challenged.
const DISSENT_FROM: Impact = Impact::Structural;
/// Below this share of applied work a topic is circled, not worked on.
const TOPIC_APPLIED: Ratio = Ratio::TENTH;

/// The most keywords a charter may name, and the longest of them.
const KEYWORDS_MOST: usize = 200;
const KEYWORD_MOST: usize = 60;

/// When a period brings the health report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportTiming {
    /// As it begins.
    Start,
    /// As it ends.
    End,
    /// As it begins and as it ends.
    #[default]
    Both,
    /// Only when somebody asks for it.
    Never,
}

impl ReportTiming {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 4] =
        [("start", Self::Start), ("end", Self::End), ("both", Self::Both), ("never", Self::Never)];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Both => "both",
            Self::Never => "never",
        }
    }

    /// Whether the beginning of a period brings it.
    pub fn at_start(self) -> bool {
        matches!(self, Self::Start | Self::Both)
    }

    /// Whether the end of a period brings it.
    pub fn at_end(self) -> bool {
        matches!(self, Self::End | Self::Both)
    }
}

const DAY_MS: u64 = 86_400_000;
const YEAR_MS: u64 = 365 * DAY_MS;

const fn knob(is: u64, from: u64, to: u64) -> Knob {
    Knob { is, from, to }
}

/// Makes the rules and everything that goes through all their numbers.
macro_rules! numbers {
    ($($(#[doc = $doc:literal])+ $field:ident = $default:expr;)+) => {
        /// What a charter sets for its issues.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Workshop {
            /// Whether agents may make canon of an agreed issue without the user or the lead.
            pub agents_promote: bool,
            /// Whether anything stops a comment at all. Nobody may run a swarm without.
            pub breakers: bool,
            /// From this impact on an issue is read blind first, and quick approval is challenged.
            pub dissent_from: Impact,
            /// From this impact on a comment needs evidence.
            pub evidence_from: Impact,
            /// Words that escalate.
            pub keywords: Vec<String>,
            /// What is worth credit, and when an agent is watched.
            #[serde(default, skip_serializing_if = "is_usual")]
            pub ledger: ledger::Rules,
            /// When a period brings the health report.
            #[serde(default)]
            pub reports: ReportTiming,
            /// With less than this share of its accesses applied in work, a topic is circled.
            pub topic_applied: Ratio,
            $($(#[doc = $doc])+ pub $field: Knob,)+
        }

        /// What was written under `[workshop]`.
        #[derive(Debug)]
        struct DraftWorkshop {
            agents_promote: Option<Lined<bool>>,
            breakers: Option<Lined<bool>>,
            dissent_from: Option<Lined<Impact>>,
            evidence_from: Option<Lined<Impact>>,
            keywords: Option<Lined<Vec<String>>>,
            ledger: Option<LedgerDraft>,
            reports: Option<Lined<ReportTiming>>,
            topic_applied: Option<Lined<Ratio>>,
            $($field: Option<Lined<Knob>>,)+
        }

        impl DraftWorkshop {
            fn read(table: &SourceTable<'_, '_>) -> Self {
                let draft = Self {
                    agents_promote: table.bool("agents_promote"),
                    breakers: table.bool("breakers"),
                    dissent_from: table.word("dissent_from", &Impact::WORDS),
                    evidence_from: table.word("evidence_from", &Impact::WORDS),
                    keywords: table.texts("keywords"),
                    ledger: table.table("ledger").map(|table| LedgerDraft::read(&table)),
                    reports: table.word("reports", &ReportTiming::WORDS),
                    topic_applied: table.parsed("topic_applied", "a fraction such as \"1/10\""),
                    $($field: table.knob(stringify!($field)),)+
                };
                table.finish();
                draft
            }
        }

        impl Settler<'_> {
            fn rules_of(&mut self, draft: DraftWorkshop) -> Workshop {
                $(let $field = self.ranged(draft.$field, stringify!($field), $default);)+
                Workshop {
                    agents_promote: draft.agents_promote.is_some_and(|given| given.value),
                    breakers: draft.breakers.is_none_or(|given| given.value),
                    dissent_from: draft.dissent_from.map_or(DISSENT_FROM, |given| given.value),
                    evidence_from: draft.evidence_from.map_or(EVIDENCE_FROM, |given| given.value),
                    keywords: self.keywords(draft.keywords),
                    ledger: self.ledger(draft.ledger),
                    reports: draft.reports.map_or_else(ReportTiming::default, |given| given.value),
                    topic_applied: draft.topic_applied.map_or(TOPIC_APPLIED, |given| given.value),
                    $($field,)+
                }
            }
        }

        impl Workshop {
            /// Under the names that stand in the file.
            pub(crate) fn places(&mut self) -> Vec<(String, SettingSlot<'_>)> {
                vec![$((concat!("workshop.", stringify!($field)).to_string(), SettingSlot::Number(&mut self.$field)),)+]
            }
        }

        /// The schema of `[workshop]`.
        fn schema() -> Value {
            let impacts = Impact::WORDS.map(|(word, _)| word);
            let mut keys = json!({
                "agents_promote": of::bool_or("Whether agents may make canon of an agreed issue without the user or the lead.", false),
                "breakers": of::bool_or("Whether comments are checked at all. `synod health` refuses agents without it.", true),
                "dissent_from": of::words_or(&impacts, "From this impact on an issue is first read blind, and quick approval is challenged.", DISSENT_FROM.word()),
                "evidence_from": of::words_or(&impacts, "From this impact on a comment needs evidence.", EVIDENCE_FROM.word()),
                "ledger": super::ledger::schema(),
                "keywords": of::texts_or("Words and phrases that escalate, whole and in any case. One that ends with * is the beginning of a word.", &KEYWORDS),
                "reports": of::words_or(&ReportTiming::WORDS.map(|(word, _)| word), "When a period brings the health report: as it begins, as it ends, both or never.", ReportTiming::default().word()),
                "topic_applied": of::fraction_or("A topic with less than this share of its accesses applied in work is circled.", TOPIC_APPLIED),
            });
            $(keys[stringify!($field)] = of::knob_or(concat!($($doc),+).trim_ascii(), $default);)+
            of::table(keys, &[])
        }
    };
}

numbers! {
    /// How many comments one agent may write on one issue.
    comments_each = knob(2, 1, 100);
    /// How many comments an issue may have before it is frozen.
    comments_total = knob(10, 2, 1000);
    /// The shortest comment, in characters.
    chars_least = knob(150, 1, 10_000);
    /// The longest comment, in characters.
    chars_most = knob(20_000, 100, 1_000_000);
    /// The fewest different words of a comment.
    words_least = knob(20, 1, 1000);
    /// The shortest question or acknowledgement, in characters.
    short_chars_least = knob(20, 1, 10_000);
    /// The fewest different words of a question or acknowledgement.
    short_words_least = knob(4, 1, 1000);
    /// How many questions, and how many acknowledgements, one agent may write on one issue.
    short_each = knob(2, 0, 100);
    /// How many different escalating words one comment may hold.
    keywords_most = knob(1, 0, 100);
    /// Two agents who answered each other this often, with nobody in between, freeze the issue.
    exchanges_most = knob(2, 1, 100);
    /// A resolution is at the earliest this comment of an issue.
    resolution_from = knob(3, 1, 100);
    /// How long a frozen issue rests, in milliseconds.
    cooldown_ms = knob(1_800_000, 1000, YEAR_MS);
    /// This many rejections of one agent for missing evidence freeze the issue.
    evidence_rejections = knob(3, 1, 100);
    /// This many escalations of one agent within the dampening time leave it no escalating word at all.
    dampen_after = knob(2, 1, 100);
    /// How long an escalation, or a freeze that an agent caused, is held against it, in milliseconds.
    dampen_ms = knob(7 * DAY_MS, 1000, YEAR_MS);
    /// An agent that froze this many issues within the dampening time is rejected instead: freezing is not a weapon.
    freezes_most = knob(3, 1, 100);
    /// How many comments a devil's advocate writes.
    advocate_comments = knob(2, 1, 10);
    /// How long a devil's advocate has, in milliseconds. Then the next one is assigned.
    advocate_ms = knob(DAY_MS, 1000, YEAR_MS);
    /// Assignments within this time count for the rotation, in milliseconds.
    advocate_window_ms = knob(7 * DAY_MS, 1000, YEAR_MS);
    /// This many agents who approve within a few comments make a quick consensus.
    approvals_least = knob(2, 2, 100);
    /// How many of the last comments are looked at for a quick consensus.
    approvals_within = knob(4, 2, 100);
    /// An approval with this many verified references is not too quick.
    references_least = knob(2, 1, 100);
    /// This many agents who all approve without one verified reference make a consensus to challenge.
    consensus_least = knob(3, 2, 100);
    /// How long the blind first readers have, in milliseconds.
    blind_ms = knob(DAY_MS, 1000, YEAR_MS);
    /// A topic can be circled from this many issues on.
    topic_issues = knob(5, 1, 10_000);
    /// A topic can be circled from this many accesses on.
    topic_accesses = knob(20, 1, 1_000_000);
    /// An issue that touches no file of the project for this long loses a step of priority, in milliseconds.
    fade_ms = knob(14 * DAY_MS, 1000, 10 * YEAR_MS);
    /// Where agents may promote, this many of them must support the issue.
    promotion_votes = knob(3, 1, 100);
    /// How many files and folders one participant may lease at a time.
    leases_each = knob(20, 1, 1000);
    /// How long a lease lasts if nobody says otherwise, in milliseconds.
    lease_ms = knob(600_000, 1000, DAY_MS);
    /// The longest lease, in milliseconds. It can be renewed.
    lease_most_ms = knob(4 * 3_600_000, 1000, 7 * DAY_MS);
    /// How long a seat has that is asked to comment, in milliseconds.
    turn_ms = knob(600_000, 1000, DAY_MS);
}

impl Settler<'_> {
    /// A number that may be moved, or its default. Outside the limits of the default it is a flaw.
    fn ranged(&mut self, given: Option<Lined<Knob>>, key: &str, limits: Knob) -> Knob {
        let Some(Lined { value, line }) = given else { return limits };
        if limits.from <= value.from && value.to <= limits.to {
            return value;
        }
        let wrong = format!("{} to {} is out of range", value.from, value.to);
        let fix = format!("write numbers from {} to {}", limits.from, limits.to);
        self.error(line, &format!("workshop.{key}"), wrong, fix);
        limits
    }

    fn keywords(&mut self, given: Option<Lined<Vec<String>>>) -> Vec<String> {
        let usual = || KEYWORDS.map(String::from).to_vec();
        let Some(Lined { value, line }) = given else { return usual() };
        let is_sound = |word: &String| {
            gate::keyword_words(word).next().is_some() && word.chars().count() <= KEYWORD_MOST
        };
        if value.len() > KEYWORDS_MOST || !value.iter().all(is_sound) {
            let wrong = "this list is too long, or an item of it holds no word or is too long";
            let fix = format!(
                "write at most {KEYWORDS_MOST} words or phrases of at most {KEYWORD_MOST} characters"
            );
            self.error(line, "workshop.keywords", wrong, fix);
        }
        value
    }

    /// A workshop as it holds. Nobody votes in it, so nothing is written about votes.
    fn workshop(&mut self, draft: DraftWorkshop, rest: &mut Draft) -> Option<(Procedure, ballot::Rules)> {
        if rest.ballot.line > 0 {
            let line = rest.ballot.line;
            self.error(
                line,
                "ballot",
                "a workshop does not use this table",
                "remove it, or remove [workshop]",
            );
        }
        Some((Procedure::Workshop(Box::new(self.rules_of(draft))), NO_VOTE))
    }
}

/// Stands where a charter says how votes are judged. No issue is voted on.
const NO_VOTE: ballot::Rules = ballot::Rules {
    basis: ballot::Basis::Cast,
    change: false,
    change_needs_argument: false,
    delegation: false,
    early: None,
    method: ballot::Method::Plurality,
    pass: Threshold::at_least(1, 1),
    quorum: Ratio::ONE,
    record: None,
    secrecy: ballot::Secrecy::Open,
    tie: ballot::Tie::Undecided,
    unparsed_retries: 0,
    veto: Vec::new(),
    weights: ballot::Weights::Equal,
};

impl Workshop {
    /// What the gate holds a comment to.
    pub(crate) fn limits(&self) -> gate::CommentLimits {
        let small = |knob: Knob| u32::try_from(knob.is).unwrap_or(u32::MAX);
        gate::CommentLimits {
            chars_least: small(self.chars_least),
            chars_most: small(self.chars_most),
            comments_each: small(self.comments_each),
            comments_total: small(self.comments_total),
            evidence_from: self.evidence_from,
            places_needed: false,
            sources_least: 0,
            exchanges_most: small(self.exchanges_most),
            keywords_most: small(self.keywords_most),
            resolution_from: small(self.resolution_from),
            short_chars_least: small(self.short_chars_least),
            short_each: small(self.short_each),
            short_words_least: small(self.short_words_least),
            words_least: small(self.words_least),
        }
    }

    /// Who may make canon of an issue.
    pub(crate) fn canon(&self) -> canon::Rules {
        let agent_votes = u32::try_from(self.promotion_votes.is).unwrap_or(u32::MAX);
        canon::Rules { agents_promote: self.agents_promote, agent_votes }
    }

    /// How many files one participant may lease, and for how long.
    pub(crate) fn leases(&self) -> lease::Rules {
        let each = u32::try_from(self.leases_each.is).unwrap_or(u32::MAX);
        // What is usual is never longer than what is allowed.
        let usual_ms = self.lease_ms.is.min(self.lease_most_ms.is);
        lease::Rules { each, usual_ms, most_ms: self.lease_most_ms.is }
    }

    /// There are no rounds.
    pub(crate) fn rounds(&self) -> (u64, u64) {
        (0, 0)
    }

    /// Nobody calls those who come by themselves.
    pub(crate) fn calls(&self, _: u64, _: u64) -> (u64, u64) {
        (0, 0)
    }

    /// A thread is all there is.
    pub(crate) fn outline(&self) -> Vec<(String, Option<u64>)> {
        vec![("thread".into(), None)]
    }

    /// Nothing is moved in a thread.
    pub(crate) fn motions(&self) -> &[Motion] {
        &[]
    }

    /// Everybody speaks for themself.
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

    /// Nobody is called, so nobody is absent.
    pub(crate) fn absent_after(&self) -> u64 {
        u64::MAX
    }

    /// No time runs in a thread.
    pub(crate) fn is_timeless(&self) -> bool {
        true
    }

    /// An issue is open until somebody settles it.
    pub(crate) fn time_limit(&self) -> Option<u64> {
        None
    }

    /// Nobody is called unless somebody invites a seat.
    pub(crate) fn limit_ms(&self, _: bool) -> u64 {
        self.turn_ms.is
    }
}
