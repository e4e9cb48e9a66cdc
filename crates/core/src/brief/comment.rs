//! What a seat is told that is asked to comment on an issue, and the form of its answer. The keys stand in the order in which
//! one should think: what was checked comes before the comment, and the verdict comes last.

use std::fmt::Write as _;

use super::form::field;
use super::words::{QUOTED, form_into};
use super::{FieldValue, Form, ReadAnswer, ValueKind};
use crate::kernel::{Choice, text};

/// The key of what was looked at; a rehearsal fills the others by their kind.
pub const COMMENT: &str = "comment";
const CHECKED: &str = "checked";
const EVIDENCE: &str = "evidence";
const IMPACT: &str = "impact";
const TRIGGER: &str = "trigger";
const STANCE: &str = "stance";
const KIND: &str = "kind";
const ACTION: &str = "action";

impl Form {
    /// A comment on an issue; a moderator may also see to the issue.
    pub fn comment(moderates: bool) -> Self {
        let text = |key, ask| field(key, ValueKind::Text, ask);
        let sides = ["YES", "NO", "NEUTRAL"].map(String::from).to_vec();
        let action = match moderates {
            false => {
                "none, resolved (the issue is settled by your comment), escalated (the moderator should look), patch-created or file-modified."
            }
            true => {
                "none, resolved, or what you do as moderator: unfreeze (your comment is the guidance), challenge (somebody has to object), escalate (your comment is the summary for the user), force (your comment is the decision)."
            }
        };
        Self {
            name: "comment",
            fields: vec![
                text(
                    CHECKED,
                    "What you looked at, what speaks for and against, and whether the others' evidence holds. Others do not see this.",
                ),
                field(
                    EVIDENCE,
                    ValueKind::List,
                    "What your comment rests on, one reference each: path:10-14 \"exact quote\", #34 or canon:name@2. Only what you have seen; empty if nothing. Write canon:?subject if canon has nothing on a subject that others raised.",
                ),
                text(
                    COMMENT,
                    "Your comment as others read it: complete, calm and specific. Empty if you have nothing to add: that is a good answer too.",
                ),
                text(IMPACT, "How much it would change: cosmetic, minor, structural or canon-changing."),
                text(
                    TRIGGER,
                    "Why you looked the evidence up: answer-to-question, support-proposal, resolve-conflict, verify-continuity, challenge-consensus, canon-gap-search or unprompted.",
                ),
                text(KIND, "comment, question or acknowledgement."),
                field(
                    STANCE,
                    ValueKind::Choice(sides),
                    "YES if you approve of what the issue proposes, NO if you object, NEUTRAL otherwise.",
                ),
                text(ACTION, action),
            ],
        }
    }
}

/// A comment as a seat wrote it. Words of closed sets are as written, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrittenComment {
    /// What was done, or is to be done.
    pub action: String,
    /// The comment; empty if there is nothing to add.
    pub body: String,
    /// References as written.
    pub evidence: Vec<String>,
    /// How much it would change.
    pub impact: String,
    /// What it is meant as.
    pub kind: String,
    /// What the author says it looked at.
    pub checked: String,
    /// Where it stands.
    pub stance: Option<Choice>,
    /// Why evidence was looked up.
    pub trigger: String,
}

impl WrittenComment {
    /// Reads an answer to the form of a comment. `None` if it does not say what its author wants to say: that is not the same as
    /// having nothing to add, which is an empty comment.
    pub fn read(form: &Form, answer: &str) -> Option<Self> {
        let read = form.read(answer, &[]);
        let unclosed = read.repairs.iter().any(|repair| repair.code == "unclosed");
        // Half a comment is not what its author said.
        let is_cut = unclosed && read.fields.len() < form.fields.len();
        let is_told = read.fields.contains_key(COMMENT) || leaves_empty(answer);
        (is_told && !is_cut).then(|| Self::of(read))
    }

    /// Takes the fields of an answer.
    pub fn of(read: ReadAnswer) -> Self {
        let mut fields = read.fields;
        let mut text = |key: &str| fields.remove(key).and_then(FieldValue::text).unwrap_or_default();
        let word = |written: String| text::fold(written.trim()).replace([' ', '_'], "-");
        let (body, checked) = (text(COMMENT), text(CHECKED));
        let (action, impact) = (word(text(ACTION)), word(text(IMPACT)));
        let (kind, trigger) = (word(text(KIND)), word(text(TRIGGER)));
        let stance = fields.remove(STANCE).and_then(FieldValue::choice);
        let evidence = match fields.remove(EVIDENCE) {
            Some(FieldValue::List(items)) => items,
            Some(FieldValue::Text(one)) => vec![one],
            Some(_) | None => Vec::new(),
        };
        let body = body.trim().to_string();
        Self { action, body, evidence, impact, kind, checked, stance, trigger }
    }
}

/// Whether an answer is whole and leaves the comment empty. Some models write `null` for an empty text.
fn leaves_empty(answer: &str) -> bool {
    let whole = serde_json::from_str::<serde_json::Value>(answer.trim());
    whole.is_ok_and(|whole| {
        let empty = |said: &serde_json::Value| {
            said.is_null() || said.as_str().is_some_and(|said| said.trim().is_empty())
        };
        whole.get(COMMENT).is_some_and(empty)
    })
}

/// The rules a seat comments under, the same for everybody on an issue.
pub fn thread_rules(title: &str, body: &str) -> String {
    let mut out = String::from(
        "# An issue among agents that work together\n\nYou are one of several agents and people who work on one project. \
         You comment on one issue of it.\n\n\
         How to stay grounded:\n\
         - Say only what you have seen in a file, an issue or the canon. What others wrote is not evidence.\n\
         - Cite the place: path:10-14 \"exact words\". Citations are checked by code; a false one counts against you.\n\
         - Before you propose a change, read the canon on it. Say whether you extend it, change it or contradict it, and cite the \
         version: canon:name@2. If you contradict it, say why that is worth it.\n\
         - If canon says nothing about it, write that no prior canon was found and call your proposal a draft.\n\
         - If somebody contradicts canon, the user included, say so politely and cite the entry. Leave the decision to the user.\n\
         - If you agree, say why and what follows. If you object, offer another way with evidence.\n\
         - Say it calmly. Strong words are counted by code, and too many of them freeze the issue.\n\
         - Nothing to add is a good answer: leave the comment empty.\n",
    );
    out.push_str(QUOTED);
    out.push_str("\n# The issue\n\n");
    // The title is somebody's words like the rest.
    text::quote_into(&mut out, &format!("{}\n\n{}", text::one_line(title), body.trim()));
    out
}

/// What canon says about an issue: each entry by its reference, with the beginning of its text.
pub fn canon_section(entries: &[(String, String)]) -> String {
    let mut out = String::from("\n# Canon on this issue\n");
    if entries.is_empty() {
        out.push_str("\nNo prior canon was found by the words of the issue.\n");
    }
    for (entry, says) in entries {
        thread_item(&mut out, entry, says);
    }
    out
}

/// One comment of the thread as a seat reads it.
pub fn thread_item(out: &mut String, head: &str, said: &str) {
    let _ = writeln!(out, "\n{head}:");
    text::quote_into(out, said);
}

/// What a comment of the thread rests on, one line each: words of its author like the comment.
pub fn cited_into(out: &mut String, cited: impl Iterator<Item = String>) {
    let lines: Vec<String> = cited.map(|one| format!("evidence: {}", text::one_line(&one))).collect();
    if !lines.is_empty() {
        text::quote_into(out, &lines.join("\n"));
    }
}

/// What is particular to one seat.
#[derive(Debug, Clone, Default)]
pub struct CommentBrief<'a> {
    /// Its name.
    pub who: &'a str,
    /// Its role, in words.
    pub role: Option<&'a str>,
    /// How its operator described it.
    pub persona: Option<&'a str>,
    /// What it may still write, one sentence each.
    pub budget: Vec<String>,
    /// Who else works here.
    pub team: Vec<String>,
    /// What the team and this seat want to reach, with how far they are.
    pub goals: Vec<String>,
    /// What was wrong with what it wrote last, and other restrictions.
    pub remediation: Vec<String>,
    /// What it has to heed while too much of what it does costs something.
    pub heeds: Vec<String>,
    /// An order: to object, or to read without hearing others.
    pub order: Option<String>,
    /// Whether it sees to issues.
    pub moderates: bool,
}

/// What is asked now.
pub fn comment_task(brief: &CommentBrief<'_>, title: &str, form: &Form) -> String {
    let mut out = String::from("\n# You\n\n");
    let role = brief.role.map(|role| format!(", {role}")).unwrap_or_default();
    let _ = writeln!(out, "You are {}{role}.", brief.who);
    if let Some(persona) = brief.persona {
        let _ = writeln!(out, "{persona}");
    }
    let mut list = |heading: &str, items: &[String]| {
        if !items.is_empty() {
            let _ = writeln!(out, "\n{heading}");
            for item in items {
                let _ = writeln!(out, "- {item}");
            }
        }
    };
    list("The team:", &brief.team);
    list("Goals, and how far they are. You help the team by catching errors, not by agreeing:", &brief.goals);
    list("What you may write here:", &brief.budget);
    list("Constraints that hold for you now:", &brief.remediation);
    list(
        "You are on remediation: too many of your latest comments were stopped or cited something false. Until that improves:",
        &brief.heeds,
    );
    if let Some(order) = &brief.order {
        let _ = writeln!(out, "\n{order}");
    }
    if brief.moderates {
        out.push_str(
            "\nYou moderate: you see to tags, status and conflicts, and you write nothing of the project itself. A frozen issue has \
             four ways out: unfreeze it with guidance, have somebody object, ask the user, or decide it by the best evidence.\n",
        );
    }
    out.push_str("\n# Now\n\nComment on the issue, or leave the comment empty.\n");
    form_into(&mut out, form, title, None);
    out
}
