//! What the workshop refuses outright. A comment that breaks a rule of its charter is not refused here: it is recorded as
//! turned away, with every breach.

use crate::issue::{IssueStatus, Tag};
use crate::kernel::{At, Who, refusals};

refusals! {
    /// What the workshop refuses.
    pub enum Refusal {
        /// No charter was chosen for issues. Choose one: `synod issue rules workshop`.
        #[error("no charter was chosen for issues: the operator chooses one with `synod issue rules workshop`")]
        NotConfigured = "workshop/not-configured", Conflict,

        /// The charter is not one for issues. Choose one with a table `[workshop]`.
        #[error("the charter {charter} is not one for issues: choose one with a table [workshop]")]
        OtherCharter {
            /// Its name.
            charter: String,
        } = "workshop/other-charter", Invalid,

        /// Issues are opened by a command of their own: `synod issue open`.
        #[error("the charter {charter} is for issues: open one with `synod issue open`")]
        OpenedOtherwise {
            /// Its name.
            charter: String,
        } = "workshop/opened-otherwise", Invalid,

        /// The matter is a debate or a ring, not an issue. `synod issue list` shows the issues.
        #[error("this matter is not an issue")]
        NotAnIssue = "workshop/not-an-issue", Conflict,

        /// There is no issue of this number or id. `synod issue list` shows all of them.
        #[error("there is no such issue")]
        UnknownIssue = "workshop/unknown-issue", Unknown,

        /// The last comment of this author on this issue is still being checked. Wait for what becomes of it.
        #[error("your last comment on this issue is still being checked: wait for its outcome")]
        BeingChecked = "workshop/being-checked", Conflict,

        /// Somebody was asked to read the issue blind and has not answered. Wait for it, or let somebody who oversees force the
        /// resolution with a reason.
        #[error("{who} still has to review this issue: wait for it, or have a moderator or lead force the resolution")]
        BlindReviewPending {
            /// Whose review it is.
            who: Who,
        } = "workshop/blind-review-pending", Conflict,

        /// The model of this participant stands in its seat. Change it there: `synod seats`.
        #[error("the model of {who} stands in its seat: change it there")]
        ModelOfSeat {
            /// Who.
            who: Who,
        } = "workshop/model-of-seat", Conflict,

        /// Only the user, a lead or a moderator may do this. A role is given by the operator; a name gives none.
        #[error("{who} may not do this: only the user, a lead or a moderator may")]
        NeedsModerator {
            /// Who tried.
            who: Who,
        } = "workshop/needs-moderator", Forbidden,

        /// Only the user or a lead may do this.
        #[error("{who} may not do this: only the user or a lead may")]
        NeedsLead {
            /// Who tried.
            who: Who,
        } = "workshop/needs-lead", Forbidden,

        /// Only those who see to the issue may change it: its author, its assignee, the assistant, a moderator, a lead, the user.
        #[error("{who} may not change this issue: its author, its assignee, the assistant, a moderator and a lead may")]
        NotYours {
            /// Who tried.
            who: Who,
        } = "workshop/not-yours", Forbidden,

        /// The operator switched this participant off.
        #[error("{who} is switched off: the operator can switch it on again")]
        Disabled {
            /// Who.
            who: Who,
        } = "workshop/disabled", Forbidden,

        /// The moderator lets this participant only read for now.
        #[error("{who} may only read for now: ask the moderator")]
        ReadOnly {
            /// Who.
            who: Who,
        } = "workshop/read-only", Forbidden,

        /// The names `user` and `system` stand for the person who leads and for the house. Take part under another name.
        #[error("nobody takes part under the name `{who}`: it would be mistaken for somebody else")]
        ReservedName {
            /// The name.
            who: Who,
        } = "workshop/reserved-name", Invalid,

        /// Nobody is praised for an issue in which they did nothing. Name one that they opened or commented on.
        #[error("`{who}` has no comment in this issue and did not open it: name an issue in which they did something")]
        TookNoPart {
            /// Who.
            who: Who,
        } = "workshop/took-no-part", Conflict,

        /// A clean unfreeze is worth credit once a frozen issue has gone on.
        #[error("the issue was not frozen, or is frozen still: `{who}` gets nothing for how it went on")]
        NotThawed {
            /// Who was to get it.
            who: Who,
        } = "workshop/not-thawed", Conflict,

        /// What was applied in the work is not irrelevant, and the other way round.
        #[error("it is marked as {mark} already, and cannot be both")]
        MarkedOtherwise {
            /// How.
            mark: &'static str,
        } = "workshop/marked-otherwise", Conflict,

        /// The issue rests. Wait until its time is up; until then only the user, a lead or a moderator act on it.
        #[error("the issue is frozen until {until}: until then only the user, a lead or a moderator act on it")]
        Frozen {
            /// Until when.
            until: At,
        } = "workshop/frozen", Conflict,

        /// The issue is not frozen.
        #[error("the issue is not frozen, it is {}", status.word())]
        NotFrozen {
            /// Where it stands.
            status: IssueStatus,
        } = "workshop/not-frozen", Conflict,

        /// The issue is over. Reopen it, or open another one that refers to it.
        #[error("the issue is {}: reopen it, or open another one that cites it", status.word())]
        Over {
            /// Where it stands.
            status: IssueStatus,
        } = "workshop/over", Conflict,

        /// The issue is not over, so it cannot be reopened.
        #[error("the issue is {}: only one that is over can be reopened", status.word())]
        NotOver {
            /// Where it stands.
            status: IssueStatus,
        } = "workshop/not-over", Conflict,

        /// A title, a comment, a reason or guidance is missing.
        #[error("{what} is missing: write it")]
        Missing {
            /// What.
            what: &'static str,
        } = "workshop/missing", Invalid,

        /// A text is longer than the charter allows. Longer ones belong in a file.
        #[error("{what} has {given} characters, at most {most} are allowed: put the rest into a file")]
        TooLong {
            /// What.
            what: &'static str,
            /// Its length.
            given: usize,
            /// The most.
            most: usize,
        } = "workshop/too-long", Invalid,

        /// An issue has only so many tags and related issues, and a comment only so many references.
        #[error("{given} {what} are too many: at most {most} are allowed")]
        TooMany {
            /// What.
            what: &'static str,
            /// How many.
            given: usize,
            /// The most.
            most: usize,
        } = "workshop/too-many", Invalid,

        /// A tag is not one. Use letters, digits, `-`, `_`, `.` and `/`.
        #[error("{0}")]
        MalformedTag(String) = "workshop/malformed-tag", Invalid,

        /// Only the house itself gives this tag.
        #[error("only the house itself gives the tag {tag}")]
        ReservedTag {
            /// Which.
            tag: Tag,
        } = "workshop/reserved-tag", Invalid,

        /// Agents may open nothing under this tag for now. The message says why.
        #[error("the tag {tag} is frozen ({reason}): only the user, a lead or a moderator open issues under it")]
        FrozenTag {
            /// Why.
            reason: String,
            /// Which.
            tag: Tag,
        } = "workshop/frozen-tag", Conflict,

        /// The tag is not frozen.
        #[error("the tag {tag} is not frozen")]
        TagNotFrozen {
            /// Which.
            tag: Tag,
        } = "workshop/tag-not-frozen", Conflict,

        /// Questions and acknowledgements approve nothing and resolve nothing. Write a comment.
        #[error("a question or an acknowledgement takes no side and does nothing: write a comment")]
        KindTakesNoSide = "workshop/kind-takes-no-side", Invalid,

        /// A stance is for, against or neither. An issue has no options.
        #[error("a stance on an issue is approve, object or neutral")]
        OtherStance = "workshop/other-stance", Invalid,

        /// The issue has no such comment. `synod issue show` lists them.
        #[error("the issue has no such comment")]
        UnknownComment = "workshop/unknown-comment", Unknown,

        /// The issue or the comment has this mark already.
        #[error("it is marked so already")]
        AlreadyMarked = "workshop/already-marked", Conflict,

        /// The comment cites no file that still waits to be judged, or you may not raise it. What came of a citation is said once.
        #[error("nothing in this comment waits for your judgement: it cites no file, or what came of it was said before")]
        NothingToJudge = "workshop/nothing-to-judge", Conflict,

        /// At least two different issues can be put together. They must not be over, nor opened by the house itself.
        #[error("name at least two different issues that are open and were not opened by the house itself")]
        NothingToConsolidate = "workshop/nothing-to-consolidate", Invalid,

        /// An issue is not related to itself.
        #[error("an issue is not related to itself")]
        SameIssue = "workshop/same-issue", Invalid,

        /// Issues that the house itself opened say nothing that could become canon.
        #[error("the house itself opened this issue: it says nothing that could become canon")]
        NothingToPromote = "workshop/nothing-to-promote", Conflict,

        /// Issues that the house itself opened are not challenged: nobody proposes anything in them.
        #[error("the house itself opened this issue: there is nothing to object to")]
        NothingToChallenge = "workshop/nothing-to-challenge", Conflict,

        /// Somebody is objecting in this issue already. Wait for them.
        #[error("{who} is objecting in this issue already: wait for them")]
        AlreadyChallenged {
            /// Who.
            who: Who,
        } = "workshop/already-challenged", Conflict,

        /// This participant cannot object here: it is not able to, or took part in the issue.
        #[error("{who} cannot object here: it must be able to, active, and not have taken part in the issue")]
        UnfitAdvocate {
            /// Who.
            who: Who,
        } = "workshop/unfit-advocate", Conflict,

        /// This participant comes by itself: Synod calls no model for it. Seats are configured in `seats.toml`.
        #[error("{who} comes by itself: only seats that Synod performs can be asked to comment")]
        NotPerformed {
            /// Who.
            who: Who,
        } = "workshop/not-performed", Invalid,

        /// Agents do not run by themselves without oversight. The message lists what is missing and the command that fixes it;
        /// `synod health --mode editor` shows the same.
        #[error("seats cannot be asked to comment yet: {flaws}")]
        NoOversight {
            /// Every flaw with its code and its fix.
            flaws: String,
        } = "workshop/no-oversight", Conflict,

        /// This seat was asked and has not answered yet. Wait for it.
        #[error("{who} was asked to comment already: wait for the answer")]
        AlreadyInvited {
            /// Who.
            who: Who,
        } = "workshop/already-invited", Conflict,
    }
}
