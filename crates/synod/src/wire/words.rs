//! Closed sets of words. Each is an enum here and a word in JSON.

use serde::{Deserialize, Deserializer, Serialize};
use synod_core::House;
use synod_core::ballot::Grade;
use synod_core::house::Summary;
use synod_core::issue::IssueStatus;
use synod_core::kernel::{Choice, Decision, Priority, text};
use synod_core::matter::{self, Pause};
use utoipa::ToSchema;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $variant:ident = $word:tt),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        $(#[$doc])*
        pub(crate) enum $name { $($(#[$of])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// The word in JSON.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// What a word means; none if it is not one of these.
            #[allow(dead_code, reason = "not every set is read from a bare word")]
            pub(crate) fn parse(word: &str) -> Option<Self> {
                [$(Self::$variant),+].into_iter().find(|known| known.word() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

words! {
    /// Where a matter stands.
    #[schema(as = MatterStatus)]
    StatusWord {
        /// Somebody is asked for something.
        Running = "running",
        /// An issue that anybody may comment on.
        Open = "open",
        /// An issue that rests until its time is up or somebody thaws it.
        Frozen = "frozen",
        /// Held round by round: the next round waits for the operator.
        Waiting = "waiting",
        /// A motion that was proposed and that nobody has called up yet.
        Listed = "listed",
        /// A participant asked the operator for information.
        NeedsContext = "needs_context",
        /// The operator paused it.
        Paused = "paused",
        /// The process that ran it ended.
        Interrupted = "interrupted",
        /// Over: carried.
        Passed = "passed",
        /// Over: not carried, or every option turned down.
        Rejected = "rejected",
        /// Over without a decision.
        Undecided = "undecided",
        /// Over: votes that could not be read might have changed the result.
        Contested = "contested",
        /// Over: the question asked for a number, and the seats gave it.
        Estimated = "estimated",
        /// Over: an issue that was resolved in its thread.
        Resolved = "resolved",
        /// Over: an issue that was closed without a resolution.
        Closed = "closed",
    }
}

impl StatusWord {
    /// Where a matter of a house stands. Of an issue the docket says it.
    pub(crate) fn listed(house: &House, known: &Summary) -> Self {
        match house.docket().row(known.id).map(|row| row.status) {
            None => Self::of(&known.status),
            Some(IssueStatus::Open) => Self::Open,
            Some(IssueStatus::Frozen) => Self::Frozen,
            Some(IssueStatus::Resolved) => Self::Resolved,
            Some(IssueStatus::Closed) => Self::Closed,
        }
    }

    fn of(status: &matter::Status) -> Self {
        match status {
            matter::Status::Running => Self::Running,
            matter::Status::Paused(Pause::Operator | Pause::Unusable) => Self::Paused,
            matter::Status::Paused(Pause::Interrupted) => Self::Interrupted,
            matter::Status::Paused(Pause::NeedsContext) => Self::NeedsContext,
            matter::Status::Paused(Pause::BetweenRounds) => Self::Waiting,
            matter::Status::Paused(Pause::Listed) => Self::Listed,
            matter::Status::Settled(decision) => match decision {
                Decision::Passed { .. } => Self::Passed,
                Decision::Rejected => Self::Rejected,
                Decision::Undecided(_) => Self::Undecided,
                Decision::Contested => Self::Contested,
                Decision::Estimated(_) => Self::Estimated,
                Decision::Resolved => Self::Resolved,
                Decision::Closed => Self::Closed,
            },
        }
    }
}

words! {
    /// Where somebody stands on an issue.
    #[schema(as = IssueStance)]
    IssueStanceWord {
        /// For it.
        Approve = "approve",
        /// Against it.
        Object = "object",
        /// Neither.
        Neutral = "neutral",
    }
}

impl IssueStanceWord {
    /// As the house knows it.
    pub(crate) fn choice(self) -> Choice {
        match self {
            Self::Approve => Choice::Yes,
            Self::Object => Choice::No,
            Self::Neutral => Choice::Neutral,
        }
    }
}

words! {
    /// What came of an issue, or of a comment in it.
    #[schema(as = IssueMark)]
    MarkWord {
        /// It was applied in the work.
        Applied = "applied",
        /// It has nothing to do with the project.
        Irrelevant = "irrelevant",
        /// A comment helped.
        Helpful = "helpful",
    }
}

words! {
    /// What to do with a result. Only `proceed` and `reject` may be acted on without a look at it.
    #[schema(as = Action)]
    AdvisedAction {
        /// It passed, those who voted for it are confident, and nothing degrades it: do it.
        Proceed = "proceed",
        /// It was clearly turned down: do not do it.
        Reject = "reject",
        /// It leans one way; check what speaks against it first.
        Verify = "verify",
        /// There is no result to act on: ask further.
        QueryDetail = "query_detail",
    }
}

words! {
    /// The phase of a ring.
    #[schema(as = Phase)]
    PhaseWord {
        /// Those invited join.
        Gathering = "GATHERING",
        /// All propose at once.
        Proposing = "PROPOSING",
        /// One speaks at a time.
        Discussing = "DISCUSSING",
        /// Authors accept or decline changes to their proposals.
        Converging = "CONVERGING",
        /// All vote on every proposal.
        Voting = "VOTING",
        /// Over: a proposal was carried.
        Committed = "COMMITTED",
        /// Over: none was.
        Aborted = "ABORTED",
        /// Over: too few voted.
        Deferred = "DEFERRED",
    }
}

impl PhaseWord {
    pub(crate) fn is_over(self) -> bool {
        match self {
            Self::Committed | Self::Aborted | Self::Deferred => true,
            Self::Gathering | Self::Proposing | Self::Discussing | Self::Converging | Self::Voting => false,
        }
    }
}

words! {
    /// What a participant is asked to do.
    #[schema(as = Task)]
    TaskWord {
        /// Join the ring.
        Join = "join",
        /// Make a proposal, or skip.
        Propose = "propose",
        /// Speak: say something, propose, ask for a change, react, or skip.
        Speak = "speak",
        /// Accept or decline changes to your own proposal.
        Weigh = "weigh",
        /// Vote on every proposal.
        Vote = "vote",
    }
}

words! {
    /// Where somebody invited stands.
    MemberState {
        /// Has not joined yet.
        Invited = "invited",
        /// Takes part.
        Joined = "joined",
        /// Skipped or timed out too often; joining again ends that.
        Absent = "absent",
        /// Left, or was removed.
        Gone = "gone",
    }
}

words! {
    /// What a statement is meant as.
    StatementKind {
        /// A view.
        Opinion = "opinion",
        /// A question to the others.
        Question = "question",
        /// A summary of the discussion so far.
        Synthesis = "synthesis",
    }
}

words! {
    /// A short answer to something on the table.
    #[schema(as = Reaction)]
    ReactionWord {
        /// For it.
        Agree = "agree",
        /// Against it.
        Disagree = "disagree",
        /// It is not clear.
        NeedClarification = "need_clarification",
        /// Worth a thought.
        Interesting = "interesting",
        /// Worrying.
        Concerning = "concerning",
        /// For a part of it.
        PartiallyAgree = "partially_agree",
    }
}

words! {
    /// How far a vote supports a proposal.
    VoteGrade {
        /// Fully.
        Approve = "approve",
        /// With reservations; counts for it.
        ApproveWithConcerns = "approve_with_concerns",
        /// No side.
        Abstain = "abstain",
        /// Not as it is; counts against it.
        RequestChanges = "request_changes",
        /// Not at all.
        Reject = "reject",
    }
}

words! {
    /// The side an opinion takes.
    #[schema(as = Stance)]
    StanceWord { For = "for", Against = "against", Neutral = "neutral" }
}

words! {
    /// How urgent a council is.
    #[schema(as = Priority)]
    PriorityWord { Critical = "critical", High = "high", Normal = "normal", Low = "low" }
}

impl From<Priority> for PriorityWord {
    fn from(priority: Priority) -> Self {
        match priority {
            Priority::Critical => Self::Critical,
            Priority::High => Self::High,
            Priority::Normal => Self::Normal,
            Priority::Low => Self::Low,
        }
    }
}

impl From<PriorityWord> for Priority {
    fn from(word: PriorityWord) -> Self {
        match word {
            PriorityWord::Critical => Self::Critical,
            PriorityWord::High => Self::High,
            PriorityWord::Normal => Self::Normal,
            PriorityWord::Low => Self::Low,
        }
    }
}

/// The grade that somebody wrote, in upper or lower case, with `-` or `_`.
pub(crate) fn grade(written: &str) -> Result<Grade, String> {
    let folded = text::fold(written.trim()).replace('-', "_");
    let known = Grade::ALL.map(|grade| text::fold(grade.word()));
    let found = Grade::ALL.into_iter().zip(&known).find(|(_, word)| **word == folded);
    found.map(|(grade, _)| grade).ok_or_else(|| {
        let near = text::nearest(&folded, known.iter().map(String::as_str));
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let shown = text::one_line(&text::excerpt(written, 40));
        format!("`{shown}` is not a valid vote.{near} Write one of {}", known.join(", "))
    })
}

/// Reads a grade from JSON with [`grade`].
pub(super) fn read_grade<'de, D: Deserializer<'de>>(from: D) -> Result<Grade, D::Error> {
    grade(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use synod_core::kernel::Reaction;
    use synod_core::procedure::ring::Remark;

    use super::*;

    /// The core has these words too, and both must be the same for ever.
    #[test]
    fn words_are_those_of_the_core() {
        let core: Vec<Value> = Grade::ALL.iter().map(|grade| json!(grade)).collect();
        let grades = [
            VoteGrade::Approve,
            VoteGrade::ApproveWithConcerns,
            VoteGrade::Abstain,
            VoteGrade::RequestChanges,
            VoteGrade::Reject,
        ];
        assert_eq!(grades.map(|grade| json!(grade)).to_vec(), core);
        for reaction in Reaction::ALL {
            assert_eq!(ReactionWord::parse(reaction.word()).map(|word| json!(word)), Some(json!(reaction)));
        }
        for kind in [Remark::Opinion, Remark::Question, Remark::Synthesis] {
            assert_eq!(StatementKind::parse(&kind.to_string()).map(|word| json!(word)), Some(json!(kind)));
        }
        for (word, priority) in synod_core::kernel::Priority::WORDS {
            assert_eq!(PriorityWord::parse(word).map(|word| json!(word)), Some(json!(priority)));
        }
    }

    #[test]
    fn a_grade_is_read_however_it_is_written() {
        for written in ["approve_with_concerns", "APPROVE_WITH_CONCERNS", " Approve-With-Concerns "] {
            assert_eq!(grade(written), Ok(Grade::ApproveWithConcerns));
        }
        assert_eq!(
            grade("yes"),
            Err("`yes` is not a valid vote. Write one of approve, approve_with_concerns, abstain, request_changes, reject".into())
        );
        assert!(grade("aprove").is_err_and(|why| why.contains("Did you mean `approve`?")));
    }
}
