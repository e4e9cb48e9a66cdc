//! What a charter does not allow.

use super::Flaw;
use crate::kernel::text::counted;
use crate::kernel::{Digest, SettingValue, refusals};
use crate::matter::QuestionKind;

refusals! {
    /// What a charter, or the lack of one, refuses.
    pub enum Refusal {
        /// The charter has errors and is not adopted. `synod charter check` lists them all with file and line.
        #[error(
            "the charter has {}; the first is: {}",
            counted(flaws.len() as u64, "problem"),
            flaws.first().map(ToString::to_string).unwrap_or_default()
        )]
        Flawed {
            /// Every error and warning.
            flaws: Vec<Flaw>,
        } = "charter/flawed", Invalid,

        /// The house has not adopted a charter with this digest. Adopt the charter first; `synod debate --charter`
        /// does so by itself.
        #[error("this house has not adopted a charter with digest {digest}: adopt it first")]
        Unknown {
            /// The SHA-256 of its source text.
            digest: Digest,
        } = "charter/unknown", Unknown,

        /// The charter has no setting of that name. `synod charter show` lists its settings.
        #[error("the charter has no setting `{setting}`; {}", settings(known))]
        UnknownSetting {
            /// As written.
            setting: String,
            /// Those it has and lets change.
            known: Vec<String>,
        } = "charter/unknown-setting", Invalid,

        /// Another threshold counts for this matter: each kind of motion has its own. Change that one, or give no motion.
        #[error("`{setting}` does not count here: the threshold of this matter is `{counts}`")]
        OtherThreshold {
            /// As written.
            setting: String,
            /// The setting that counts.
            counts: String,
        } = "charter/other-threshold", Invalid,

        /// The charter has no such kind of motion. `synod charter show` lists those it has.
        #[error("the charter has no motion `{motion}`; {}", motions(known))]
        UnknownMotion {
            /// As written.
            motion: String,
            /// Those it has.
            known: Vec<String>,
        } = "charter/unknown-motion", Invalid,

        /// The charter fixes this setting. Leave it out, or use a charter with a range for it.
        #[error("the charter fixes `{setting}` at {is}: leave it out, or use another charter")]
        FixedSetting {
            /// Its name.
            setting: String,
            /// Its value.
            is: SettingValue,
        } = "charter/fixed-setting", Invalid,

        /// The charter lets this setting change, but not to this value. Choose one within the range.
        #[error("`{setting}` can be {from} to {to}, not {given}")]
        SettingOutside {
            /// Its name.
            setting: String,
            /// The least.
            from: SettingValue,
            /// The most.
            to: SettingValue,
            /// As written.
            given: SettingValue,
        } = "charter/setting-outside", Invalid,

        /// The charter assigns the sides YES and NO, and this question has options. Ask about one proposal, or use
        /// another charter.
        #[error(
            "the charter {charter} assigns the sides YES and NO, and this question has options: ask about one proposal, or use another charter"
        )]
        PlainQuestion {
            /// Its name.
            charter: String,
        } = "charter/plain-question", Invalid,

        /// The charter is for another kind of question: open questions have a charter that lets the seats propose
        /// answers, numbers one that has them estimated. `synod charter list` shows which is for which.
        #[error("the charter {charter} is for {}, and this is {}: {}", takes.words(), asked.words(), other_kind(*takes, *asked))]
        OtherKind {
            /// Its name.
            charter: String,
            /// What it is for.
            takes: QuestionKind,
            /// What was asked.
            asked: QuestionKind,
        } = "charter/other-kind", Invalid,
    }
}

/// What to do about a question of another kind than the charter is for.
fn other_kind(takes: QuestionKind, asked: QuestionKind) -> &'static str {
    match (takes, asked) {
        (_, QuestionKind::Open) => "use the charter `open`",
        (_, QuestionKind::Estimate) => "use the charter `estimate`",
        (QuestionKind::Estimate, _) => {
            "give the unit in which to count, such as `days`, or use another charter"
        }
        (_, QuestionKind::Choice) => {
            "leave the options out, since the seats propose them, or use another charter"
        }
        (_, QuestionKind::YesNo) => "use another charter",
    }
}

fn settings(known: &[String]) -> String {
    match known {
        [] => "none of its settings can be changed".into(),
        known => format!("you can change {}", known.join(", ")),
    }
}

fn motions(known: &[String]) -> String {
    match known {
        [] => "it has none".into(),
        known => format!("it has {}", known.join(", ")),
    }
}
