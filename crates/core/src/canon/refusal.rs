//! What canon refuses.

use super::EntryName;
use crate::kernel::{At, Epistemic, Id, refusals};

refusals! {
    /// What canon refuses.
    pub enum Refusal {
        /// This cannot name an entry. Use letters, digits and hyphens, such as `session-timeout`; add `@2` for a version.
        #[error("`{written}` is not the name of a canon entry: write it like `session-timeout`, or `canon:session-timeout@2` for a version")]
        BadName {
            /// What stood there.
            written: String,
        } = "canon/bad-name", Invalid,

        /// There is no such entry, or it has no such version. `synod canon list` shows all entries.
        #[error("there is no canon entry `{name}`{}", at_version(*version))]
        UnknownEntry {
            /// The name.
            name: EntryName,
            /// The version asked for; 0 for any.
            version: u32,
        } = "canon/unknown-entry", Unknown,

        /// An entry of this name holds. Choose another name, or override the entry, which gives it a new version.
        #[error("`{name}` is already canon at version {version}: choose another name, or override it")]
        NameTaken {
            /// The name.
            name: EntryName,
            /// The version that holds.
            version: u32,
        } = "canon/name-taken", Conflict,

        /// Another version took the place of the one you named. Read the latest and decide again.
        #[error("`{name}` is at version {latest} now, not {version}: read it and decide again")]
        NotTheLatest {
            /// The name.
            name: EntryName,
            /// The version named.
            version: u32,
            /// The latest.
            latest: u32,
        } = "canon/not-the-latest", Conflict,

        /// The entry does not hold any more, so there is nothing to end or to change. Promote it anew.
        #[error("`{name}` does not hold any more: promote it again instead")]
        NotHolding {
            /// The name.
            name: EntryName,
        } = "canon/not-holding", Conflict,

        /// Only the user or the lead may do this.
        #[error("only the user or the team lead may change or end what is canon")]
        NotAllowed = "canon/not-allowed", Forbidden,

        /// The charter does not let agents promote. Ask the user or the lead.
        #[error("only the user or the team lead may promote to canon under this charter")]
        AgentsMayNotPromote = "canon/agents-may-not-promote", Forbidden,

        /// Agents promote only issues that are agreed. Move the issue up the ladder first.
        #[error("the issue is {}, and agents promote only what is agreed", status.word())]
        NotAgreed {
            /// Where it stands.
            status: Epistemic,
        } = "canon/not-agreed", Conflict,

        /// Too few distinct agents support the issue.
        #[error("promotion needs the votes of {needs} agents and has {has}")]
        TooFewVotes {
            /// How many support it.
            has: u32,
            /// How many are needed.
            needs: u32,
        } = "canon/too-few-votes", Conflict,

        /// The text contradicts canon. The user or the lead may override; anybody may open an issue to discuss it.
        #[error("the text contradicts canon in {count} {}: resolve this first", if *count == 1 { "place" } else { "places" })]
        Contradicts {
            /// How many conflicts there are.
            count: usize,
        } = "canon/contradicts", Conflict,

        /// The issue already has this status.
        #[error("the issue is already {}", status.word())]
        AlreadyThere {
            /// The status.
            status: Epistemic,
        } = "canon/already-there", Conflict,

        /// Agents move an issue up by one step at a time, and never down.
        #[error("agents cannot move an issue from {} to {}: only one step up", from.word(), to.word())]
        NotTheNextStep {
            /// From here.
            from: Epistemic,
            /// To here.
            to: Epistemic,
        } = "canon/not-the-next-step", Forbidden,

        /// An issue becomes canon by promotion, and stops being canon when its entry ends or is overridden.
        #[error("an issue becomes canon by promotion and leaves it when its entry ends: its status cannot be set")]
        OnlyByPromotion = "canon/only-by-promotion", Invalid,

        /// Too few participants besides the author support the issue.
        #[error("this step needs the support of {needs} besides the author and has {has}")]
        TooLittleSupport {
            /// How many support it.
            has: u32,
            /// How many are needed.
            needs: u32,
        } = "canon/too-little-support", Conflict,

        /// The support is already as you say.
        #[error("your support is already recorded as you say")]
        NothingChanges = "canon/nothing-changes", Conflict,

        /// The text is empty or too long.
        #[error("a canon entry needs a text of 1 to {most} characters and this has {length}")]
        BadText {
            /// Its length.
            length: usize,
            /// The most.
            most: usize,
        } = "canon/bad-text", Invalid,

        /// The entry would end before it begins.
        #[error("an entry cannot end at {until}, which is not in the future")]
        EndsInThePast {
            /// The end asked for.
            until: At,
        } = "canon/ends-in-the-past", Invalid,

        /// Agents promote an issue as it stands: its supporters voted for those words and no others. Leave the text out.
        #[error("agents promote an issue in its own words: leave the text out")]
        OtherWords = "canon/other-words", Forbidden,

        /// Name the version you have read, so that nobody's change is overridden unseen: `canon:eyes@2`.
        #[error("name the version of `{name}` that you have read, such as canon:{name}@{latest}")]
        VersionNeeded {
            /// The entry.
            name: EntryName,
            /// Its latest version.
            latest: u32,
        } = "canon/version-needed", Invalid,

        /// There is no such conflict, somebody has decided it, or the version that it is about does not hold any more. `synod canon
        /// conflicts` lists the open ones.
        #[error("there is no open conflict {conflict} with canon:{name}: it is decided, or the entry has changed or ended since")]
        UnknownConflict {
            /// Its id.
            conflict: Id,
            /// The entry that was named.
            name: EntryName,
        } = "canon/unknown-conflict", Unknown,

        /// There is no such proposal of claims.
        #[error("there is no proposal of claims {proposal}")]
        UnknownProposal {
            /// Its id.
            proposal: Id,
        } = "canon/unknown-proposal", Unknown,

        /// The proposal was already accepted or refused.
        #[error("the proposal of claims {proposal} is already decided")]
        AlreadyDecided {
            /// Its id.
            proposal: Id,
        } = "canon/already-decided", Conflict,

        /// A proposal needs claims, and not too many of them.
        #[error("a proposal needs 1 to {most} claims and this has {count}")]
        BadProposal {
            /// How many it has.
            count: usize,
            /// The most.
            most: usize,
        } = "canon/bad-proposal", Invalid,
    }
}

fn at_version(version: u32) -> String {
    if version == 0 { String::new() } else { format!(" at version {version}") }
}
