//! The words by which a choice is told from talk about one. The lists are long on what makes a choice doubtful and short
//! on what makes one: a seat whose choice is not read is asked again, and a choice wrongly read decides.

use crate::kernel::{Choice, text};

/// A whole value that says yes, no or neither in another language, or in one letter.
pub(super) fn translated(said: &str, options: &[String]) -> Option<Choice> {
    let folded = text::fold(said);
    let plain = options.is_empty();
    match folded.as_str() {
        "yes" | "y" | "true" | "ja" | "jawohl" | "dafür" | "zustimmung" | "oui" | "sí" | "sì" | "si"
        | "sim" | "да" | "evet" | "はい" | "賛成" | "是" | "赞成" | "贊成" | "支持" | "同意" | "예"
        | "네" | "찬성" | "نعم"
            if plain =>
        {
            Some(Choice::Yes)
        }
        "no" | "n" | "false" | "nein" | "dagegen" | "ablehnung" | "non" | "não" | "nao" | "нет" | "nee"
        | "nej" | "hayır" | "いいえ" | "反対" | "否" | "反对" | "反對" | "不同意" | "아니요" | "아니오"
        | "반대" | "لا"
            if plain =>
        {
            Some(Choice::No)
        }
        "keine" | "keine davon" | "keines davon" | "keine von beiden" | "aucune" | "aucun" | "ninguna"
        | "ninguno" | "nessuna"
            if !plain =>
        {
            Some(Choice::No)
        }
        "enthaltung" | "abstención" | "astensione" | "abstenção" | "воздержался" | "棄権" | "弃权" => {
            Some(Choice::Neutral)
        }
        _ => None,
    }
}

/// What may stand before a choice at the beginning of a sentence that votes.
pub(super) const BEGINNINGS: [&str; 29] = [
    "my final vote is for",
    "my final answer is",
    "my final vote is",
    "meine antwort ist",
    "meine stimme ist",
    "mein votum ist",
    "ich stimme mit",
    "my vote is for",
    "my final vote",
    "my choice is",
    "my stance is",
    "my answer is",
    "final answer",
    "meine stimme",
    "meine antwort",
    "i vote for",
    "my vote is",
    "final vote",
    "my ballot",
    "my answer",
    "my vote",
    "antwort",
    "stimme",
    "i vote",
    "stance",
    "choice",
    "ballot",
    "answer",
    "vote",
];

/// Lead-ins that change nothing.
pub(super) const LEAD_INS: [&str; 8] =
    ["so", "thus", "hence", "therefore", "finally", "overall", "accordingly", "and"];

/// What a vote may be said to be on, after the choice and before the end.
pub(super) const OBJECTS: [&str; 24] = [
    "on this question",
    "on the question",
    "on this proposal",
    "on the proposal",
    "on this motion",
    "on the motion",
    "on this",
    "on that",
    "on it",
    "to this",
    "this proposal",
    "the proposal",
    "this motion",
    "the motion",
    "this change",
    "the change",
    "this plan",
    "the plan",
    "this idea",
    "the idea",
    "this",
    "that",
    "it",
    "here",
];

/// Words that begin a reason.
pub(super) const REASONS: [&str; 16] = [
    "because",
    "since",
    "due",
    "reason",
    "reasons",
    "reasoning",
    "rationale",
    "weil",
    "da",
    "denn",
    "wegen",
    "aufgrund",
    "begründung",
    "grund",
    "parce",
    "porque",
];

/// Whether a word turns a sentence against what was said before it, or takes that back.
pub(super) fn turns_back(word: &str) -> bool {
    const CONTRAST: [&str; 24] = [
        "but",
        "however",
        "although",
        "though",
        "yet",
        "except",
        "unless",
        "otherwise",
        "nevertheless",
        "nonetheless",
        "conversely",
        "aber",
        "jedoch",
        "allerdings",
        "obwohl",
        "sondern",
        "doch",
        "trotzdem",
        "dennoch",
        "mais",
        "cependant",
        "pero",
        "ma",
        "но",
    ];
    CONTRAST.contains(&word) || withdraws(word)
}

/// Whether a word takes back what was said.
pub(super) fn withdraws(word: &str) -> bool {
    const WITHDRAWN: [&str; 33] = [
        "meant",
        "ignore",
        "psych",
        "refuse",
        "refused",
        "decline",
        "abstain",
        "abstaining",
        "undecided",
        "unsure",
        "retract",
        "withdraw",
        "reconsider",
        "reconsidered",
        "reflection",
        "correction",
        "actually",
        "wait",
        "scratch",
        "jest",
        "joke",
        "joking",
        "kidding",
        "sarcasm",
        "ironically",
        "enthalte",
        "enthaltung",
        "weigere",
        "korrektur",
        "scherz",
        "unentschieden",
        "unschlüssig",
        "unsicher",
    ];
    WITHDRAWN.contains(&word)
}

/// Words that deny, doubt or limit.
const DOUBTS: [&str; 93] = [
    "avoid",
    "stop",
    "cancel",
    "opposite",
    "contrary",
    "ahead",
    "proceed",
    "let's",
    "long",
    "theory",
    "theoretically",
    "placeholder",
    "random",
    "problem",
    "lehne",
    "ablehne",
    "gegenteil",
    "gegen",
    "not",
    "never",
    "no",
    "none",
    "nothing",
    "nobody",
    "hardly",
    "barely",
    "scarcely",
    "cannot",
    "without",
    "against",
    "wrong",
    "mistake",
    "terrible",
    "awful",
    "bad",
    "false",
    "worse",
    "worst",
    "better",
    "or",
    "either",
    "neither",
    "nor",
    "both",
    "instead",
    "rather",
    "if",
    "only",
    "provided",
    "assuming",
    "depends",
    "depending",
    "maybe",
    "perhaps",
    "possibly",
    "unclear",
    "doubt",
    "doubtful",
    "would",
    "could",
    "might",
    "idea",
    "opinion",
    "comment",
    "preference",
    "nicht",
    "nie",
    "niemals",
    "kaum",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "keines",
    "keinesfalls",
    "nichts",
    "falsch",
    "schlecht",
    "wenn",
    "falls",
    "sofern",
    "nur",
    "oder",
    "beide",
    "weder",
    "vielleicht",
    "würde",
    "könnte",
    "ob",
    "besser",
    "pas",
    "jamais",
    "nunca",
];

/// Whether a word denies, doubts or limits, counts, or tells what somebody says.
pub(super) fn doubts(word: &str) -> bool {
    let counted = word.chars().any(|c| c.is_ascii_digit());
    counted || is_saying(word) || DOUBTS.contains(&word) || word.ends_with("n't") || word.ends_with("n’t")
}

/// Whether a word speaks of votes and answers themselves.
pub(super) fn is_of_votes(word: &str) -> bool {
    matches!(
        word,
        "vote"
            | "votes"
            | "voted"
            | "voting"
            | "answer"
            | "choice"
            | "stance"
            | "ballot"
            | "option"
            | "antwort"
            | "stimme"
            | "stimmen"
            | "wahl"
            | "votum"
    )
}

/// Whether a word says that somebody says something.
pub(super) fn is_saying(word: &str) -> bool {
    const SAYING: [&str; 27] = [
        "said",
        "say",
        "says",
        "saying",
        "wrote",
        "write",
        "writes",
        "written",
        "voted",
        "votes",
        "answered",
        "answers",
        "replied",
        "claims",
        "claimed",
        "quote",
        "quoting",
        "example",
        "template",
        "placeholder",
        "sample",
        "sagt",
        "sagte",
        "schrieb",
        "schreibt",
        "beispiel",
        "vorlage",
    ];
    SAYING.contains(&word)
}

/// Signs that strike out what stands beside them, and boxes that are not ticked.
pub(super) fn strikes(said: &str) -> bool {
    said.contains(['☐', '❌', '✗', '✘', '≠', '¬', '👎', '🚫', '⊘', '←', '→'])
        || said.contains("~~")
        || said.contains("[ ]")
        || said.starts_with('!')
}
