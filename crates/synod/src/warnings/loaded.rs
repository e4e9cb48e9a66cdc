//! Wording that pushes towards one answer. Most such words have a plain use too (`a change of course`, `until everyone agrees`,
//! `Why isn't it faster?`), so where they stand counts as much as that they stand there.
//!
//! To teach it a phrase: its list here, and lines with both uses in the labelled set of the tests.

/// Loaded wherever they stand.
const ALWAYS: [&str; 32] = [
    "no-brainer",
    "needless to say",
    "as we all know",
    "don't you agree",
    "don't you think",
    "do you agree that",
    "why wouldn't we",
    "why don't we just",
    "it goes without saying",
    "hasn't the time come",
    "is there any doubt",
    "why on earth",
    "jeder weiß doch",
    "doch wohl",
    "doch klar",
    "doch endlich",
    "wohl kaum",
    "nicht wahr",
    "oder etwa nicht",
    "wie wir alle wissen",
    "versteht sich von selbst",
    "bekanntlich",
    "wollen wir etwa",
    "ja wohl",
    "ohne frage",
    "разве не",
    "bien sûr que",
    "n'est-ce pas",
    "évidemment nous",
    "por supuesto que",
    "obviamente debemos",
    "finally get rid of",
];

/// Loaded as the beginning of a sentence or clause, or as the tag at its end. After a question word or `or` they ask.
const TAGS: [&str; 18] = [
    "isn't it",
    "isn't this",
    "isn't that",
    "aren't we",
    "aren't they",
    "wouldn't you",
    "shouldn't we",
    "wouldn't it be",
    "can't we just",
    "don't we all",
    "do we really want",
    "sollten wir nicht",
    "wäre es nicht",
    "ist es nicht",
    "ist das nicht",
    "wollen wir wirklich",
    "do we want to keep wasting",
    "how long do we keep wasting",
];

/// What follows a German tag that only denies something: `Sollten wir nicht mehr …`.
const DENIED: [&str; 9] = ["mehr", "länger", "weiter", "nur", "erlaubt", "möglich", "nötig", "allein", "vor"];

/// Adverbs of certainty, loaded where they are about the whole sentence.
const SURE: [&str; 10] = [
    "obviously",
    "surely",
    "of course",
    "clearly",
    "undoubtedly",
    "natürlich",
    "selbstverständlich",
    "offensichtlich",
    "zweifellos",
    "sicherlich",
];

/// Words before such an adverb that make it one about the sentence: whoever acts, and verbs.
const BEFORE_SURE: [&str; 30] = [
    "we", "should", "must", "is", "are", "have", "need", "will", "would", "can", "i", "and", "but", "so",
    "wir", "sollten", "sollen", "müssen", "ist", "sind", "nehmen", "brauchen", "werden", "wollen", "können",
    "das", "und", "aber", "also", "nutzen",
];

/// Claims that others agree, loaded where they are made and not asked for: `until everyone agrees` asks.
const CLAIMS: [&str; 8] = [
    "everyone knows",
    "everybody knows",
    "everyone agrees",
    "everybody agrees",
    "it is clear that",
    "it's clear that",
    "jeder weiß",
    "alle wissen",
];

/// Words before a claim that make it a condition or a question.
const ASKED_FOR: [&str; 21] = [
    "if", "until", "unless", "when", "once", "whether", "that", "before", "till", "assume", "ensure",
    "because", "how", "wenn", "falls", "bis", "sobald", "ob", "dass", "bevor", "where",
];

/// Whose mind is made up for them.
const REASONABLE: [&str; 8] = [
    "any reasonable person",
    "any reasonable engineer",
    "any reasonable developer",
    "any reasonable team",
    "any reasonable manager",
    "any reasonable observer",
    "any sane person",
    "any sane engineer",
];

/// Phrases that are loaded only after those who act: `Können wir nicht einfach …`, not `Das ist nicht einfach`.
const AFTER_US: [&str; 2] = ["nicht einfach", "nicht auch"];

/// The phrase that pushes, if there is one. What is quoted is not said.
pub(super) fn phrase(topic: &str) -> Option<&'static str> {
    let plain = unquoted(&topic.to_lowercase().replace('’', "'"));
    let places = |phrases: &'static [&'static str]| {
        phrases.iter().flat_map(|phrase| found(&plain, phrase).map(move |at| (*phrase, at)))
    };
    let first = |mut all: Box<dyn Iterator<Item = (&'static str, PhrasePlace<'_>)> + '_>| {
        all.next().map(|(phrase, _)| phrase)
    };
    let asks = first_word(&plain);
    first(Box::new(places(&ALWAYS).chain(places(&REASONABLE))))
        .or_else(|| first(Box::new(places(&TAGS).filter(|(_, at)| at.is_tag()))))
        .or_else(|| first(Box::new(places(&SURE).filter(move |(_, at)| at.is_about_the_sentence(asks)))))
        .or_else(|| first(Box::new(places(&CLAIMS).filter(|(_, at)| !ASKED_FOR.contains(&at.before)))))
        .or_else(|| {
            let us = |at: &PhrasePlace<'_>| matches!(at.before, "wir" | "man" | "ich");
            first(Box::new(places(&AFTER_US).filter(move |(_, at)| us(at))))
        })
}

/// The surroundings of a phrase: the words beside it, and whether a clause begins with it.
#[derive(Debug, Clone, Copy)]
struct PhrasePlace<'t> {
    before: &'t str,
    next: &'t str,
    begins: bool,
}

impl PhrasePlace<'_> {
    fn is_tag(&self) -> bool {
        let led = matches!(self.before, "and" | "but" | "so" | "und" | "aber" | "also");
        (self.begins || led) && !DENIED.contains(&self.next)
    }

    /// `asks`: the first word of the topic. `Is it clearly documented` asks whether it is.
    fn is_about_the_sentence(&self, asks: &str) -> bool {
        let inverted = matches!(asks, "is" | "are" | "was" | "were" | "does" | "do" | "ist" | "sind" | "war");
        if self.begins {
            return !self.next.is_empty();
        }
        let acted = BEFORE_SURE.contains(&self.before) && !self.next.is_empty();
        // An adjective after it: `is obviously broken`. Articles and those who act begin what is claimed.
        let copula = matches!(self.before, "is" | "are" | "ist" | "sind" | "das");
        let claims = matches!(
            self.next,
            "the"
                | "a"
                | "an"
                | "we"
                | "our"
                | "better"
                | "right"
                | "der"
                | "die"
                | "das"
                | "besser"
                | "richtig"
        );
        acted && !(inverted && copula) && (!copula || claims)
    }
}

fn first_word(plain: &str) -> &str {
    plain.split_whitespace().next().unwrap_or_default()
}

/// The places at which a phrase stands as words of its own.
fn found<'t>(plain: &'t str, phrase: &'static str) -> impl Iterator<Item = PhrasePlace<'t>> {
    plain.match_indices(phrase).filter_map(|(at, found)| {
        let (before, after) = (&plain[..at], &plain[at + found.len()..]);
        let parted = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
        if !parted(before.chars().next_back()) || !parted(after.chars().next()) {
            return None;
        }
        let lead = before.trim_end();
        let begins = lead.is_empty() || lead.ends_with(['.', '!', '?', ',', ';', ':', '–', '—', '(']);
        let word = |text: &'t str| text.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        Some(PhrasePlace {
            before: lead.split_whitespace().next_back().map(word).unwrap_or_default(),
            next: after.split_whitespace().next().map(word).unwrap_or_default(),
            begins,
        })
    })
}

/// A text without what it quotes: a question about the word "obviously" is not loaded.
fn unquoted(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len());
    let mut rest = plain;
    while let Some(at) = rest.find(['"', '“', '„', '«', '\'']) {
        let mark = rest[at..].chars().next().unwrap_or('"');
        let (before, after) = rest.split_at(at + mark.len_utf8());
        // An apostrophe stands after a letter.
        let opens = mark != '\'' || !rest[..at].ends_with(char::is_alphanumeric);
        let ends = match mark {
            '“' | '„' => after.find(['”', '“']),
            '«' => after.find('»'),
            quote => after.find(quote),
        };
        let Some(end) = ends.filter(|_| opens) else {
            out.push_str(before);
            rest = after;
            continue;
        };
        out.push_str(&rest[..at]);
        rest = after[end..].strip_prefix(|_: char| true).unwrap_or_default();
    }
    out + rest
}

#[cfg(test)]
#[allow(clippy::print_stdout)] // the figures are printed for whoever changes the word lists
mod tests {
    /// Lines by one person; `+` pushes, `-` asks.
    const LABELLED: &str = "\
+ Obviously we should move to Rust?
+ We should obviously move to Rust, should we?
+ We should cache this, don’t you agree?
+ Surely this is safe?
+ This is better, isn't it?
+ Isn't it time to drop IE11?
+ Shouldn't we migrate at last?
+ And shouldn't we migrate at last?
+ Wouldn't it be better to use Postgres?
+ Can't we just deploy on Friday?
+ It is clear that we need Rust. Should we adopt it?
+ Everyone knows that Go is slower. Should we use Rust?
+ Since it is a no-brainer: merge it?
+ Would any reasonable engineer vote against this?
+ Do we really want to lose another customer?
+ This is clearly the best option. Adopt it?
+ Of course we want tests. Block merges without them?
+ Needless to say, we need a backup. Buy one?
+ Why wouldn't we take the money?
+ Wir nehmen natürlich Postgres?
+ Das ist doch wohl richtig?
+ Sollten wir nicht endlich umziehen?
+ Wäre es nicht besser zu warten?
+ Können wir nicht einfach kaufen?
+ Selbstverständlich wollen wir das. Einführen?
+ Bekanntlich ist Go besser; sollen wir wechseln?
+ Wollen wir wirklich noch ein Jahr warten?
+ Jeder weiß, dass das scheitert. Abbrechen?
+ Разве не пора переходить на Postgres?
- Should we cache the search index?
- Which queue?
- Is the leisurely pace right?
- Nehmen wir Postgres oder Redis?
- Ist das übernatürlich?
- Should course material be free?
- Do we need a change of course?
- Should the word 'obviously' be banned from our style guide?
- Should we ask users \"Don't you agree?\" in the survey?
- Sollen wir am Freitag ausliefern oder nicht?
- Should we close obviously duplicate tickets automatically?
- Is the error message clearly visible?
- Is it clearly documented who owns the data?
- Should the fee be clearly stated on the invoice?
- Why isn't it faster?
- Why aren't we growing?
- Should we fix it, or isn't it worth the effort?
- Should we wait until everyone agrees?
- Should we merge only if everyone agrees?
- Should we assume that everyone knows Git?
- Should we wait until it is clear that the vendor survives?
- Is there any reasonable alternative to Kafka?
- What do we really want from this release?
- Soll die Stimme natürlich klingen?
- Sollen offensichtlich falsche Buchungen storniert werden?
- Sollten wir nicht mehr am Freitag ausliefern?
- Die Migration ist nicht einfach. Sollen wir sie wagen?
- Ist es nicht mehr nötig, Logs aufzuheben?
- Sind die Regeln offensichtlich genug?
- Should we keep the flag if it clearly helps new users?
- Does the test surely fail when the key is wrong?
";

    #[test]
    fn loaded_questions_are_found_and_plain_ones_are_not() {
        let lines = LABELLED.lines().filter_map(|line| line.split_once(' '));
        let found = |line: &str| super::phrase(line).is_some();
        let wrong: Vec<_> = lines.clone().filter(|(is, line)| (*is == "+") != found(line)).collect();
        let loaded = lines.clone().filter(|(is, _)| *is == "+").count();
        let told = lines.clone().filter(|(_, line)| found(line)).count();
        let right = lines.filter(|(is, line)| *is == "+" && found(line)).count();
        println!("loaded wording: precision {right}/{told} recall {right}/{loaded}");
        assert!(wrong.len() <= 1, "{wrong:#?}");
    }
}
