//! What a charter sets for credits: `[workshop.ledger]`.
//!
//! Every key is listed once below with its place in the rules of the ledger and its range; the reader, the rules and the schema
//! come from that list, and the defaults from the ledger. They hold for the whole house, so nobody moves them for one issue.
//! To add one: a line there.

use serde_json::{Value, json};

use super::defaults::Limited;
use super::schema as of;
use super::settle::Settler;
use super::source::{Lined, SourceTable};
use crate::kernel::Ratio;
use crate::ledger::{Factor, Rules};

/// Whether a charter says nothing of its own about credits.
pub(super) fn is_usual(rules: &Rules) -> bool {
    *rules == Rules::default()
}

/// The least and the most that a false citation may cost. It must cost something.
const FALSE_CITATION: (u64, u64) = (1, 100);

macro_rules! keys {
    (
        whole { $($(#[doc = $whole_doc:literal])+ $whole:ident is $($whole_at:ident).+ as $type:ident in $least:literal..=$most:literal;)+ }
        share { $($(#[doc = $share_doc:literal])+ $share:ident is $($share_at:ident).+;)+ }
        factor { $($(#[doc = $factor_doc:literal])+ $factor:ident;)+ }
    ) => {
        /// What was written under `[workshop.ledger]`.
        #[derive(Debug)]
        pub(super) struct LedgerDraft {
            line: usize,
            false_citation: Option<Lined<u64>>,
            $($whole: Option<Lined<u64>>,)+
            $($share: Option<Lined<Ratio>>,)+
            $($factor: Option<Lined<Factor>>,)+
        }

        impl LedgerDraft {
            pub(super) fn read(table: &SourceTable<'_, '_>) -> Self {
                let draft = Self {
                    line: table.line(),
                    false_citation: table.whole("false_citation"),
                    $($whole: table.whole(stringify!($whole)),)+
                    $($share: table.parsed(stringify!($share), "a fraction such as \"1/5\""),)+
                    $($factor: table.parsed(stringify!($factor), "a factor such as 1.5"),)+
                };
                table.finish();
                draft
            }
        }

        impl Settler<'_> {
            /// The rules of the ledger: what is written, and else the usual.
            pub(super) fn ledger(&mut self, draft: Option<LedgerDraft>) -> Rules {
                let mut rules = Rules::default();
                let Some(draft) = draft else { return rules };
                if let Some(cost) = self.bounded(draft.false_citation, "false_citation", FALSE_CITATION) {
                    rules.prices.false_citation = -(cost as i64); // at most 100
                }
                $(if let Some(given) = self.bounded(draft.$whole, stringify!($whole), ($least, $most)) {
                    rules.$($whole_at).+ = given as $type;
                })+
                $(if let Some(given) = draft.$share {
                    rules.$($share_at).+ = given.value;
                })+
                $(if let Some(given) = draft.$factor {
                    rules.prices.$factor = given.value;
                })+
                for problem in rules.problems() {
                    self.error(draft.line, "workshop.ledger", problem, "change it, or leave it out");
                }
                rules
            }
        }

        /// The schema of `[workshop.ledger]`.
        pub(super) fn schema() -> Value {
            let usual = Rules::default();
            let cost = usual.prices.false_citation.unsigned_abs();
            let limits = Limited { usual: cost, least: FALSE_CITATION.0, most: FALSE_CITATION.1 };
            let mut keys = json!({
                "false_citation": of::limited("What a citation costs that does not hold, in whatever context.", limits),
            });
            $({
                let limits = Limited { usual: usual.$($whole_at).+ as u64, least: $least, most: $most };
                keys[stringify!($whole)] = of::limited(concat!($($whole_doc),+).trim_ascii(), limits);
            })+
            $(keys[stringify!($share)] = of::fraction_or(concat!($($share_doc),+).trim_ascii(), usual.$($share_at).+);)+
            $(keys[stringify!($factor)] = of::factor_or(concat!($($factor_doc),+).trim_ascii(), usual.prices.$factor);)+
            of::table(keys, &[])
        }
    };
}

keys! {
    whole {
        /// How many citations of one author in one issue can earn credit. More are checked and earn nothing.
        citations_most is citations_most as u32 in 1..=100;
        /// How many credits of a period an agent can have for citations that nobody has judged. More are paid once somebody who oversees says what came of them.
        unjudged_most is unjudged_most as u32 in 1..=10_000;
        /// How many of the last actions of an agent count for the ladder, and how many without a penalty lead one step down.
        ladder_window is ladder.window as u32 in 1..=100;
        /// The fewest actions that say anything about an agent.
        ladder_least is ladder.least as u32 in 1..=100;
        /// How many sources each comment of an agent under remediation cites.
        remediation_sources is ladder.sources as u32 in 0..=20;
        /// Into how many slices a task is cut for an agent with nothing against it.
        slices_normal is dosage.normal as u32 in 1..=100;
        /// Into how many slices a task is cut for an agent that is watched, or trusted little.
        slices_watch is dosage.watch as u32 in 1..=100;
        /// Into how many slices a task is cut for an agent under remediation.
        slices_remediation is dosage.remediation as u32 in 1..=100;
        /// Into how many slices a task is cut for an agent that the user heard of.
        slices_flagged is dosage.flagged as u32 in 1..=100;
        /// How much the rating of a gold agent counts.
        rating_gold is ratings.gold as u32 in 0..=100;
        /// How much the rating of a silver agent counts.
        rating_silver is ratings.silver as u32 in 0..=100;
        /// How much the rating of a bronze agent counts.
        rating_bronze is ratings.bronze as u32 in 0..=100;
        /// How much the rating of an agent counts that proved nothing.
        rating_none is ratings.none as u32 in 0..=100;
        /// How much the rating of the user counts.
        rating_user is ratings.user as u32 in 0..=100;
        /// What the team gets when every active agent is gold at the end of a period.
        team_all_gold is team.all_agents_gold_tier as i64 in 0..=1000;
        /// What the team gets for a chapter that ends with nothing frozen.
        team_clean_chapter is team.clean_chapter_completion as i64 in 0..=1000;
        /// What the team gets for a goal of its own.
        team_goal is team.collective_goal_achieved as i64 in 0..=1000;
        /// What the team gets for an objection on order that found a real problem.
        team_challenge is team.successful_da_challenge as i64 in 0..=1000;
        /// What the team gets for a contradiction with the canon that was caught.
        team_canon is team.team_canon_integrity as i64 in 0..=1000;
        /// What the team gets for a session without a penalty.
        team_zero_penalties is team.zero_penalties_session as i64 in 0..=1000;
        /// How many actions such a session has at least.
        team_zero_penalties_actions is team.zero_penalties_actions as u32 in 1..=10_000;
    }
    share {
        /// With this share of penalised actions an agent is watched.
        watch_at is ladder.watch;
        /// With this share an agent that is watched gets constraints.
        remediation_at is ladder.remediation;
        /// With this share the user hears of an agent.
        flagged_at is ladder.flagged;
        /// More verified citations than this make a gold agent.
        gold_verified is tiers.gold.verified_above;
        /// A gold agent has fewer penalised actions than this.
        gold_penalised is tiers.gold.penalised_below;
        /// More verified citations than this make a silver agent.
        silver_verified is tiers.silver.verified_above;
        /// A silver agent has fewer penalised actions than this.
        silver_penalised is tiers.silver.penalised_below;
        /// More verified citations than this make a bronze agent.
        bronze_verified is tiers.bronze.verified_above;
        /// A bronze agent has fewer penalised actions than this.
        bronze_penalised is tiers.bronze.penalised_below;
        /// An agent of whose issues more than this turned out irrelevant is trusted little.
        trust_irrelevant is trust.hallucination;
        /// An agent of whose comments more than this were stopped is trusted little.
        trust_stopped is trust.rejection;
        /// An agent of whose issues more than this were applied can be trusted much.
        trust_applied is trust.useful;
        /// … if more than this of its comments had evidence.
        trust_evidence is trust.evidence;
    }
    factor {
        /// What a citation counts that holds.
        verified;
        /// What a citation counts that holds and was quoted with care.
        precise;
        /// Evidence that answers a question.
        answer_to_question;
        /// Evidence for a proposal.
        support_proposal;
        /// Evidence that ends a disagreement.
        resolve_conflict;
        /// Evidence that things fit together.
        verify_continuity;
        /// Evidence against what all agree on.
        challenge_consensus;
        /// A search for what nobody has settled.
        canon_gap_search;
        /// Evidence that nobody needed.
        unprompted;
        /// Something was decided by it.
        informed_decision;
        /// A file was changed because of it.
        led_to_file_change;
        /// An issue was resolved with it.
        resolved_issue;
        /// It stopped a mistake.
        prevented_error;
        /// It showed that something is open.
        identified_canon_gap;
        /// It settled something that was open.
        established_new_canon;
        /// It stopped the user from contradicting the canon.
        prevented_user_conflict;
        /// Nothing has come of it yet.
        no_action_yet;
        /// Nothing came of it.
        no_action;
    }
}

impl Settler<'_> {
    /// A number within its range, if one is written. Outside of it it is a flaw.
    fn bounded(&mut self, given: Option<Lined<u64>>, key: &str, (least, most): (u64, u64)) -> Option<u64> {
        let Lined { value, line } = given?;
        if (least..=most).contains(&value) {
            return Some(value);
        }
        let fix = format!("write a number from {least} to {most}");
        self.error(line, &format!("workshop.ledger.{key}"), format!("{value} is out of range"), fix);
        None
    }
}
