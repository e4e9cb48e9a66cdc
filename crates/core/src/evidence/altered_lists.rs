//! The words by which a quote can be turned into another statement. All are folded.

/// Words that deny, in the languages that are cheap to know. A word of two languages does no harm: it counts only where a quote
/// differs from its text by it.
#[rustfmt::skip]
pub(super) const NEGATIONS: [&str; 72] = [
    "cannot", "neither", "never", "no", "nobody", "non", "none", "nor", "not", "nothing", "nowhere", "without",
    "kein", "keine", "keinem", "keinen", "keiner", "keinerlei", "keines", "keinesfalls", "keineswegs", "nein", "nicht",
    "nichts", "nie", "niemals", "niemand", "nirgends", "ohne", "weder",
    "aucun", "aucune", "jamais", "ne", "ni", "pas", "sans", "nada", "nadie", "nunca", "sin", "tampoco",
    "mai", "nessun", "nessuna", "senza", "geen", "niet", "nooit", "zonder", "ej", "ikke", "ingen", "inte", "nem", "não", "sem",
    "bez", "nie", "nigdy", "без", "не", "нельзя", "нет", "ни", "никогда", "不", "未", "没", "無", "无", "非",
];

/// Words of which one is not another, although they stand in the same places.
#[rustfmt::skip]
pub(super) const GROUPS: [&[&str]; 36] = [
    &["must", "may", "should", "can", "could", "might", "shall", "will", "would"],
    &["muss", "müssen", "darf", "dürfen", "soll", "sollen", "sollte", "sollten", "kann", "können", "könnte", "könnten"],
    &["true", "false"], &["wahr", "falsch"], &["yes", "no"], &["ja", "nein"], &["on", "off"], &["if", "unless"],
    &["all", "some", "none", "any", "every", "each", "no", "only"], &["alle", "einige", "manche", "nur"],
    &["always", "never", "sometimes", "often", "rarely"], &["immer", "nie", "niemals", "manchmal", "oft", "selten"],
    &["before", "after"], &["vor", "nach"], &["more", "less", "fewer"], &["mehr", "weniger"],
    &["min", "max"], &["minimum", "maximum"], &["least", "most"], &["mindestens", "höchstens"],
    &["above", "below"], &["over", "under"], &["increase", "decrease"], &["allow", "deny", "forbid"],
    &["enabled", "disabled"], &["and", "or"], &["with", "without"], &["mit", "ohne"],
    &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    &["montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag"],
    &["january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december"],
    &["januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "april", "august", "september", "november"],
    &["eur", "usd", "gbp", "chf", "jpy", "cny", "euro", "euros", "dollar", "dollars", "pound", "pounds", "yen", "franken"],
    &["north", "south", "east", "west"], &["first", "second", "third", "last"],
    &["daily", "weekly", "monthly", "yearly", "hourly", "annually"],
];

/// Beginnings of words that say the opposite of each other, besides those that prose knows: too common to tell texts apart, but a quote
/// that has one where the text has the other says something else.
#[rustfmt::skip]
pub(super) const OPPOSITES: [(&str, &str); 41] = [
    ("public", "private"), ("encrypt", "decrypt"), ("left", "right"), ("required", "optional"), ("mandatory", "optional"),
    ("success", "fail"), ("succeed", "fail"), ("passed", "failed"), ("approv", "deni"), ("approv", "deny"), ("old", "new"),
    ("source", "target"), ("source", "destination"), ("upload", "download"), ("lock", "unlock"), ("ascend", "descend"),
    ("grant", "revok"), ("grant", "deny"), ("grant", "deni"), ("import", "export"), ("push", "pull"), ("sender", "receiver"), ("client", "server"),
    ("read", "write"), ("create", "delete"), ("insert", "delete"), ("attach", "detach"), ("connect", "disconnect"),
    ("winner", "loser"), ("parent", "child"), ("true", "false"), ("aktivier", "deaktivier"), ("intern", "extern"),
    ("öffn", "schliess"), ("öffentlich", "privat"), ("gültig", "ungültig"), ("notwendig", "optional"), ("alt", "neu"),
    ("gewinn", "verlier"), ("gross", "klein"), ("links", "rechts"),
];

/// Small words that may stand elsewhere without saying anything else.
#[rustfmt::skip]
pub(super) const MOVABLE: [&str; 30] = [
    "the", "and", "that", "this", "there", "then", "also", "too", "for", "but", "its", "his", "her", "has", "was", "are", "der", "die", "das", "den", "dem",
    "des", "und", "auch", "dann", "aber", "ein", "eine", "einen", "einem",
];

/// Beginnings that turn a word round.
#[rustfmt::skip]
pub(super) const OPPOSITE_PREFIXES: [&str; 14] = [
    "un", "in", "im", "il", "ir", "dis", "non", "mis", "miss", "anti", "de", "ent", "не", "без",
];

/// Numbers in words. `one` is left out: it is an article and a pronoun as well.
#[rustfmt::skip]
pub(super) const NUMBER_WORDS: [(&str, &str); 52] = [
    ("zero", "0"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"), ("eight", "8"),
    ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"), ("fifteen", "15"), ("sixteen", "16"), ("twenty", "20"),
    ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"), ("seventy", "70"), ("eighty", "80"), ("ninety", "90"),
    ("hundred", "100"), ("thousand", "1000"), ("million", "1000000"), ("billion", "1000000000"),
    ("null", "0"), ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"), ("sieben", "7"), ("acht", "8"),
    ("neun", "9"), ("zehn", "10"), ("elf", "11"), ("zwölf", "12"), ("fünfzehn", "15"), ("zwanzig", "20"), ("dreissig", "30"),
    ("vierzig", "40"), ("fünfzig", "50"), ("sechzig", "60"), ("siebzig", "70"), ("achtzig", "80"), ("neunzig", "90"),
    ("hundert", "100"), ("tausend", "1000"), ("millionen", "1000000"), ("milliarde", "1000000000"),
    ("milliarden", "1000000000"),
];

/// Units as they stand behind a number, without the ending of a plural.
#[rustfmt::skip]
pub(super) const UNITS: [&str; 73] = [
    "%", "‰", "percent", "prozent", "°", "€", "$", "£", "euro", "dollar", "cent", "b", "kb", "mb", "gb", "tb", "kib", "mib",
    "gib", "tib", "bit", "byte", "k", "m", "g", "t", "mg", "kg", "µg", "ug", "lb", "oz", "l", "ml", "cl", "dl", "mm", "cm", "dm",
    "km", "nm", "µm", "mile", "foot", "inch", "ft", "in", "s", "ms", "us", "µs", "ns", "h", "d", "min", "second", "minute", "hour",
    "day", "week", "month", "year", "sekunde", "stunde", "tag", "woche", "monat", "jahr", "hz", "khz", "mhz", "ghz", "w",
];
