//! Sentences that state nothing: conditions, plans, guesses, wishes, reported speech, appearances. One such word anywhere in
//! a sentence is enough, since what it governs cannot be told without understanding the sentence.

use super::token::{ClaimToken, SentenceTokens, TokenKind};

#[rustfmt::skip]
const ENGLISH: [&str; 115] = [
    "according", "allegedly", "almost", "anything", "apparently", "appear", "appeared", "appears", "argued", "argues",
    "as-if", "asked", "asks", "assume", "assumed", "assumes", "assuming", "barely", "believe", "believed",
    "believes", "claim", "claimed", "claims", "could", "denied", "denies", "doubt", "doubted", "doubts",
    "dreamed", "dreams", "dreamt", "expect", "expected", "expects", "falsely", "guess", "guessed",
    "guesses", "hardly", "heard", "hope", "hoped", "hopes", "if", "imagine", "imagined", "imagines",
    "insisted", "insists", "intend", "intended", "intends", "let's", "lied", "lies-that", "like", "likely",
    "looked-like", "maybe", "might", "nearly", "otherwise", "ought", "perhaps", "possibly", "pretend",
    "pretended", "pretends", "probably", "propose", "proposed", "proposes", "reportedly", "resembled",
    "rumour", "rumoured", "rumours", "said", "say", "says", "seem", "seemed", "seemingly", "seems",
    "should", "sounds", "suggest", "suggested", "suggests", "suppose", "supposed", "supposedly",
    "supposing", "tell", "tells", "think", "thinks", "thought", "told", "unless", "want", "wanted", "wants",
    "whenever", "whether", "wish", "wished", "wishes", "wonder", "wondered", "would", "wrongly", "consider",
];

#[rustfmt::skip]
const GERMAN: [&str; 85] = [
    "angeblich", "angenommen", "anscheinend", "behaupten", "behauptet", "behauptete", "beinahe",
    "bestreitet", "bezweifelt", "dachte", "dachten", "denken", "denkt", "dürfen", "dürfte", "dürften",
    "erzählt", "erzählte", "fast", "falls", "gehört", "glauben", "glaubt", "glaubte", "glaubten", "gäbe",
    "hofft", "hoffte", "hätte", "hätten", "kaum", "käme", "könnte", "könnten", "laut", "log", "lügt", "mag",
    "meinen", "meint", "meinte", "möchte", "möchten", "möglicherweise", "müsste", "ob", "plant", "planen",
    "plante", "sagen", "sagt", "sagte", "sagten", "scheinbar", "scheinen", "scheint", "schien", "schienen",
    "schlägt-vor", "sei", "seien", "sofern", "soll", "sollen", "sollte", "sollten", "träumt", "träumte",
    "vermutet", "vermutlich", "vielleicht", "wahrscheinlich", "wenn", "will", "wirken", "wirkt", "wirkte",
    "wirkten", "wohl", "wollen", "wollte", "wäre", "wären", "würde", "würden",
];

/// Words of the German list that are ordinary English words.
const ENGLISH_TOO: [&str; 6] = ["fast", "log", "mag", "ob", "plant", "will"];

/// Before `to` these are plans; elsewhere they are ordinary words.
const PLANS: [&str; 5] = ["plan", "plans", "planned", "planning", "going"];

/// Whether a sentence states nothing.
pub(super) fn states_nothing(sentence: &SentenceTokens) -> bool {
    // A short German sentence may hold no word that shows its language.
    let here = |token: &ClaimToken| match sentence.german {
        true => token.is(&GERMAN),
        false => token.is(&ENGLISH) || (token.is(&GERMAN) && !token.is(&ENGLISH_TOO)),
    };
    let tokens = &sentence.tokens;
    let governed = tokens.iter().enumerate().any(|(at, token)| {
        let next_to = tokens.get(at + 1).is_some_and(|next| next.is(&["to"]));
        here(token) || (next_to && token.is(&PLANS)) || (token.is(&["may"]) && !is_month(tokens, at))
    });
    governed || begins_as_wish(tokens) || reports_after_colon(tokens) || is_labelled_wrong(tokens)
}

/// `on 3 May 1820`, `May 5`.
fn is_month(tokens: &[ClaimToken], at: usize) -> bool {
    let digits = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| token.kind == TokenKind::Number)
    };
    tokens[at].capital && (digits(at.checked_sub(1)) || digits(Some(at + 1)))
}

/// Commands and inverted conditions: `Had the fever won, …`, `Check …`, `Let …`.
fn begins_as_wish(tokens: &[ClaimToken]) -> bool {
    tokens.first().is_some_and(|first| {
        first.is(&[
            "had", "were", "let", "should", "check", "make", "set", "ensure", "please", "hätte", "wäre",
            "bitte", "stell",
        ])
    })
}

/// `Joren lied: …`, `The sign: …` pass; a verb of saying right before a colon hands over to somebody.
fn reports_after_colon(tokens: &[ClaimToken]) -> bool {
    tokens.windows(2).any(|pair| {
        pair[1].kind == TokenKind::Colon
            && pair[0].is(&[
                "lied",
                "wrote",
                "reads",
                "shouted",
                "answered",
                "replied",
                "schrieb",
                "rief",
                "antwortete",
                "steht",
            ])
    })
}

/// `Myth: …`, `Rejected alternative: …`: what follows is said not to be so, or not yet.
fn is_labelled_wrong(tokens: &[ClaimToken]) -> bool {
    const LABELS: [&str; 22] = [
        "wrong",
        "myth",
        "rejected",
        "false",
        "incorrect",
        "misconception",
        "proposal",
        "proposed",
        "suggestion",
        "idea",
        "todo",
        "falsch",
        "mythos",
        "irrtum",
        "verworfen",
        "abgelehnt",
        "vorschlag",
        "idee",
        "untrue",
        "hypothetical",
        "fiction",
        "deprecated",
    ];
    let colon = tokens.iter().take(4).position(|token| token.kind == TokenKind::Colon);
    colon.is_some_and(|at| tokens.len() > at + 2 && tokens[..at].iter().any(|token| token.is(&LABELS)))
}
