//! What came of observations and requests for a council.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use synod_core::kernel::{MatterId, Priority, Who};
use synod_core::monitor::Pattern;
use synod_core::trigger;
use utoipa::ToSchema;

use crate::wire::{AcknowledgementView, words};

/// What came of an observation or a request for a council.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Noted {
    /// The number of the act in the journal.
    pub(crate) act: u64,
    /// The matter that was opened.
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// What was found, what called a council, what did not and why.
    pub(crate) notices: Vec<Notice>,
    /// What to keep: whoever has it finds out when the act is changed later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) acknowledgement: Option<AcknowledgementView>,
}

/// One thing the monitor found or a trigger did. A participant sees only what concerns its own request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Notice {
    /// A pattern was found.
    Found(PatternNotice),
    /// A trigger fired.
    Fired(TriggerNotice),
    /// A trigger did not fire.
    Declined(TriggerNotice),
}

/// A pattern.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Found)]
pub(crate) struct PatternNotice {
    /// The number of the act.
    pub(crate) act: u64,
    /// When, as `2026-11-15T10:00:00.000Z`.
    pub(crate) at: String,
    #[schema(value_type = String)]
    pub(crate) pattern: Pattern,
    /// Whom it concerns.
    #[schema(value_type = Vec<String>)]
    pub(crate) agents: Vec<Who>,
    pub(crate) count: u64,
    /// The file, the topic or the subject.
    pub(crate) subject: Option<String>,
    /// The same in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<String>,
}

/// What a trigger did.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Judged)]
pub(crate) struct TriggerNotice {
    /// The number of the act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) act: Option<u64>,
    /// When, as `2026-11-15T10:00:00.000Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    #[schema(value_type = String)]
    pub(crate) trigger: trigger::TriggerKind,
    /// What it watched.
    pub(crate) of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<words::PriorityWord>)]
    pub(crate) priority: Option<Priority>,
    /// The matter it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// Its running number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u64>,
    /// Until when it does not fire again for the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rests_until: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) charter: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seats: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) topic: Option<String>,
    /// Why it opened no matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unopened: Option<Value>,
    /// The code of why it did not fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    /// Why it did not fire, or opened nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The same in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<String>,
}

impl TriggerNotice {
    pub(crate) fn of(trigger: trigger::TriggerKind, of: Option<&str>) -> Self {
        Self {
            act: None,
            at: None,
            trigger,
            of: of.map(str::to_string),
            priority: None,
            matter: None,
            number: None,
            rests_until: None,
            charter: None,
            seats: None,
            topic: None,
            unopened: None,
            code: None,
            why: None,
            line: None,
        }
    }
}

impl Notice {
    /// Takes out the line for people.
    pub(crate) fn take_line(&mut self) -> String {
        match self {
            Self::Found(PatternNotice { line, .. })
            | Self::Fired(TriggerNotice { line, .. })
            | Self::Declined(TriggerNotice { line, .. }) => line.take().unwrap_or_default(),
        }
    }

    /// What a participant may know: what came of its own request, and nothing of what others were seen to do.
    pub(crate) fn for_participant(self) -> Option<Self> {
        let own = |TriggerNotice { trigger, of, priority, code, why, .. }: TriggerNotice| TriggerNotice {
            priority,
            code,
            why,
            ..TriggerNotice::of(trigger, of.as_deref())
        };
        match self {
            Self::Found(_) => None,
            Self::Fired(judged) => Some(Self::Fired(own(judged))),
            Self::Declined(judged) => Some(Self::Declined(own(judged))),
        }
    }
}
