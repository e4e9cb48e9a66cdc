//! The words of stances and votes, in English and German. All are folded.

use super::token::{Finality, Owed};
use crate::kernel::Choice;

/// The side that one word stands for where a stance or a vote is asked for.
pub(super) fn token(word: &str) -> Option<Choice> {
    match word {
        "for" | "aye" | "ayes" | "yes" | "yea" | "support" | "supporting" | "supportive" | "approve"
        | "approved" | "agree" | "accept" | "endorse" | "pro" | "dafür" | "dafuer" | "ja" | "zustimmung"
        | "zustimmen" | "befürworten" => Some(Choice::Yes),
        "against" | "nay" | "nays" | "no" | "oppose" | "opposed" | "opposing" | "reject" | "disagree"
        | "con" | "contra" | "kontra" | "dagegen" | "nein" | "ablehnung" | "ablehnen" => Some(Choice::No),
        "neutral" | "abstain" | "abstaining" | "abstention" | "enthaltung" | "enthalten" => {
            Some(Choice::Neutral)
        }
        _ => None,
    }
}

/// Words of sides that ordinary sentences begin with: `For now`, `No comment`, `Yes, and`.
pub(super) fn is_common(word: &str) -> bool {
    matches!(
        word,
        "for"
            | "yes"
            | "no"
            | "ja"
            | "nein"
            | "pro"
            | "con"
            | "support"
            | "supporting"
            | "approve"
            | "approved"
            | "agree"
            | "accept"
            | "endorse"
            | "supportive"
            | "reject"
            | "disagree"
            | "oppose"
            | "opposed"
            | "opposing"
    )
}

/// Whether a word says that no side has been chosen.
pub(super) fn is_undecided(word: &str) -> bool {
    matches!(
        word,
        "undecided"
            | "unsure"
            | "uncertain"
            | "pending"
            | "torn"
            | "unentschieden"
            | "unschlüssig"
            | "unsicher"
    )
}

/// What a label asks for, if the word is one.
pub(super) fn label(word: &str) -> Option<Owed> {
    match word {
        "stance" | "position" | "haltung" | "standpunkt" => Some(Owed::Stance),
        "vote" | "ballot" | "stimme" | "votum" => Some(Owed::Vote),
        "answer" | "antwort" | "choice" | "decision" | "verdict" | "conclusion" | "entscheidung"
        | "fazit" => Some(Owed::Either),
        _ => None,
    }
}

/// What a word before a label says of it: whose it is, and whether it is the last.
pub(super) fn qualifier(word: &str) -> Option<Finality> {
    match word {
        "final" | "current" | "updated" | "new" | "revised" | "endgültige" | "endgültiges" | "neue"
        | "aktuelle" => Some(Finality::Last),
        "initial" | "previous" | "prior" | "earlier" | "former" | "original" | "old" | "past"
        | "bisherige" | "frühere" | "ursprüngliche" | "vorherige" => Some(Finality::Past),
        "my" | "own" | "declared" | "overall" | "official" | "the" | "meine" | "mein" | "archon" | "so"
        | "thus" | "therefore" | "hence" | "here" | "is" | "debate" => Some(Finality::Plain),
        _ => None,
    }
}

/// Words before a side that make it stronger or weaker and leave it what it is.
pub(super) fn is_degree(word: &str) -> bool {
    matches!(
        word,
        "strongly"
            | "firmly"
            | "clearly"
            | "definitely"
            | "mildly"
            | "cautiously"
            | "reluctantly"
            | "moderately"
            | "fully"
            | "still"
            | "now"
            | "a"
            | "an"
            | "remains"
            | "entschieden"
            | "klar"
            | "eher"
    )
}

/// Words that begin a reason.
pub(super) fn is_reason(word: &str) -> bool {
    matches!(
        word,
        "because" | "since" | "due" | "as" | "given" | "weil" | "da" | "denn" | "wegen" | "aufgrund"
    )
}

/// Words that make a sentence hang on something, or doubt it.
pub(super) fn is_conditional(word: &str) -> bool {
    matches!(
        word,
        "if" | "unless"
            | "would"
            | "could"
            | "might"
            | "may"
            | "perhaps"
            | "maybe"
            | "possibly"
            | "whether"
            | "provided"
            | "assuming"
            | "depending"
            | "wenn"
            | "falls"
            | "sofern"
            | "würde"
            | "könnte"
            | "vielleicht"
            | "ob"
            | "used"
            | "i'd"
            | "otherwise"
            | "sonst"
            | "möglicherweise"
            | "when"
            | "before"
            | "until"
            | "bevor"
    )
}

/// Words that deny.
pub(super) fn is_denial(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "never"
            | "cannot"
            | "nothing"
            | "nobody"
            | "without"
            | "hardly"
            | "nicht"
            | "nie"
            | "niemals"
            | "nichts"
            | "kaum"
            | "no"
            | "none"
            | "kein"
            | "keine"
            | "keinen"
            | "keinem"
            | "keinerlei"
            | "keinesfalls"
    ) || word.ends_with("n't")
}

/// Words after which nothing that a sentence says is one side.
pub(super) fn is_between(word: &str) -> bool {
    matches!(word, "neither" | "nor" | "weder" | "noch" | "both" | "either" | "sowohl")
}

/// Words that tell what somebody says.
pub(super) fn is_saying(word: &str) -> bool {
    matches!(
        word,
        "said"
            | "says"
            | "say"
            | "saying"
            | "wrote"
            | "writes"
            | "claims"
            | "claimed"
            | "replied"
            | "quote"
            | "example"
            | "template"
            | "sample"
            | "placeholder"
            | "sagt"
            | "sagte"
            | "schrieb"
            | "schreibt"
            | "beispiel"
            | "vorlage"
            | "format"
            | "form"
            | "schema"
    )
}

/// What a motion is called.
pub(super) fn is_motion(word: &str) -> bool {
    matches!(
        word,
        "motion"
            | "motions"
            | "proposal"
            | "measure"
            | "amendment"
            | "text"
            | "plan"
            | "bill"
            | "resolution"
            | "rule"
            | "draft"
            | "change"
            | "proposed"
            | "it"
            | "this"
            | "that"
            | "adoption"
            | "passage"
            | "means"
            | "one"
            | "reform"
            | "antrag"
            | "antrags"
            | "vorschlag"
            | "entwurf"
            | "them"
            | "creation"
            | "register"
            | "aim"
            | "beschluss"
            | "ihn"
            | "das"
    )
}
