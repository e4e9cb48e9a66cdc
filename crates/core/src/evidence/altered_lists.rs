//! The words by which a quote can be turned into another statement. All are folded.

/// Words that deny, in the languages that are cheap to know. A word of two languages does no harm: it counts only where a quote
/// differs from its text by it.
#[rustfmt::skip]
pub(super) const NEGATIONS: [&str; 92] = [
    "cannot", "neither", "never", "no", "nobody", "non", "none", "nor", "not", "nothing", "nowhere", "without",
    "arent", "cant", "couldnt", "didnt", "doesnt", "dont", "hadnt", "hasnt", "havent", "isnt", "mustnt", "shouldnt", "wasnt", "werent", "wont", "wouldnt", "hardly", "barely", "scarcely", "kaum",
    "kein", "keine", "keinem", "keinen", "keiner", "keinerlei", "keines", "keinesfalls", "keineswegs", "nein", "nicht",
    "nichts", "nie", "niemals", "niemand", "nirgends", "ohne", "weder",
    "aucun", "aucune", "jamais", "ne", "ni", "pas", "sans", "nada", "nadie", "nunca", "sin", "tampoco",
    "mai", "nessun", "nessuna", "senza", "geen", "niet", "nooit", "zonder", "ej", "ikke", "ingen", "inte", "nem", "não", "sem",
    "bez", "nie", "nigdy", "без", "не", "нельзя", "нет", "ни", "никогда", "不", "未", "没", "無", "无", "非",
];

/// Words of which one is not another, although they stand in the same places.
#[rustfmt::skip]
pub(super) const GROUPS: [&[&str]; 40] = [
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
    &["few", "many", "most", "all", "none", "several"], &["wenige", "viele", "meisten", "alle", "keine"],
    &["jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], &["doubled", "tripled", "halved"],
    &["daily", "weekly", "monthly", "yearly", "hourly", "annually"],
];

/// Beginnings of words that say the opposite of each other, besides those that prose knows: too common to tell texts apart, but a quote
/// that has one where the text has the other says something else.
#[rustfmt::skip]
pub(super) const OPPOSITES: [(&str, &str); 180] = [
    ("public", "private"), ("encrypt", "decrypt"), ("left", "right"), ("required", "optional"), ("mandatory", "optional"),
    ("success", "fail"), ("succeed", "fail"), ("passed", "failed"), ("approv", "deni"), ("approv", "deny"), ("old", "new"),
    ("source", "target"), ("source", "destination"), ("upload", "download"), ("lock", "unlock"), ("ascend", "descend"),
    ("grant", "revok"), ("grant", "deny"), ("grant", "deni"), ("import", "export"), ("push", "pull"), ("sender", "receiver"), ("client", "server"),
    ("read", "write"), ("create", "delete"), ("insert", "delete"), ("attach", "detach"), ("connect", "disconnect"),
    ("winner", "loser"), ("parent", "child"), ("true", "false"), ("aktivier", "deaktivier"), ("intern", "extern"),
    ("öffn", "schliess"), ("öffentlich", "privat"), ("gültig", "ungültig"), ("notwendig", "optional"), ("alt", "neu"),
    ("gewinn", "verlier"), ("gross", "klein"), ("links", "rechts"),
    ("asc", "desc"), ("upper", "lower"), ("open", "shut"), ("stieg", "fiel"), ("steigt", "fällt"), ("safer", "riskier"), ("truth", "lie"), ("oben", "unten"), ("obere", "untere"),
    ("win", "lose"), ("won", "lost"), ("wins", "loses"), ("gewann", "verlor"), ("alive", "dead"), ("living", "dead"),
    ("lebend", "tot"), ("innocent", "guilty"), ("unschuldig", "schuldig"), ("recommend", "discourag"), ("support", "refut"),
    ("support", "oppos"), ("confirm", "refut"), ("confirm", "deni"), ("confirm", "deny"), ("bestätig", "bestreit"),
    ("bestätig", "widerleg"), ("rose", "fell"), ("rise", "fall"), ("rising", "falling"), ("steig", "sink"), ("stieg", "sank"),
    ("gestiegen", "gesunken"), ("grew", "shrank"), ("grow", "shrink"), ("wuchs", "schrumpf"), ("expand", "shrink"),
    ("einschalt", "ausschalt"), ("eingeschalt", "ausgeschalt"), ("eingeschaltet", "abgeschaltet"), ("open", "clos"),
    ("ouvert", "ferm"), ("offen", "geschlossen"), ("greater", "less"), ("greater", "smaller"), ("bigger", "smaller"),
    ("higher", "lower"), ("höher", "niedriger"), ("höher", "tiefer"), ("hoch", "niedrig"), ("better", "worse"), ("best", "worst"),
    ("besser", "schlechter"), ("faster", "slower"), ("fast", "slow"), ("schneller", "langsamer"), ("schnell", "langsam"),
    ("early", "late"), ("earlier", "later"), ("früh", "spät"), ("früher", "später"), ("start", "stop"), ("begin", "end"),
    ("beginn", "end"), ("accept", "reject"), ("accept", "refus"), ("annehm", "ablehn"), ("angenommen", "abgelehnt"),
    ("nahm", "lehnte"), ("buy", "sell"), ("bought", "sold"), ("kauf", "verkauf"), ("strong", "weak"), ("stark", "schwach"),
    ("hot", "cold"), ("warm", "kalt"), ("heiss", "kalt"), ("full", "empty"), ("voll", "leer"), ("safe", "dangerous"),
    ("sicher", "gefährlich"), ("friend", "enem"), ("freund", "feind"), ("love", "hate"), ("top", "bottom"), ("front", "back"),
    ("inside", "outside"), ("innen", "aussen"), ("same", "different"), ("gleich", "verschieden"), ("gain", "loss"), ("gain", "los"),
    ("profit", "loss"), ("gewinn", "verlust"), ("deny", "admit"), ("denied", "admitted"), ("denies", "admits"), ("leugn", "gesteh"),
    ("long", "short"), ("lang", "kurz"), ("day", "night"), ("tag", "nacht"), ("improv", "worsen"), ("improv", "degrad"),
    ("verbesser", "verschlechter"), ("cheap", "expensive"), ("cheaper", "dearer"), ("billig", "teuer"), ("billiger", "teurer"),
    ("synchron", "asynchron"), ("valid", "void"), ("present", "absent"), ("anwesend", "abwesend"), ("visible", "hidden"),
    ("sichtbar", "verborgen"), ("rich", "poor"), ("reich", "arm"), ("light", "heavy"), ("leicht", "schwer"), ("easy", "hard"),
    ("easier", "harder"), ("easy", "difficult"), ("einfach", "schwierig"), ("hit", "miss"), ("add", "remove"), ("added", "removed"),
    ("hinzufüg", "entfern"), ("keep", "drop"), ("prevent", "caus"), ("verhinder", "verursach"), ("maximis", "minimis"),
    ("maximiz", "minimiz"), ("harmless", "dangerous"), ("harmlos", "schädlich"), ("agree", "refus"), ("legal", "forbidden"),
    ("erlaub", "verbiet"), ("erlaubt", "verboten"), ("production", "staging"), ("staging", "live"),
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

/// Numbers, times, parts and places in words: `2x` is twice, `2.` the second. They count only against another number, so the article
/// `ein` does no harm.
#[rustfmt::skip]
pub(super) const NUMBER_WORDS: [(&str, &str); 155] = [
    ("one", "1"), ("two", "2"), ("three", "3"), ("four", "4"), ("five", "5"), ("six", "6"), ("seven", "7"), ("eight", "8"),
    ("nine", "9"), ("ten", "10"), ("eleven", "11"), ("twelve", "12"), ("thirteen", "13"), ("fourteen", "14"),
    ("fifteen", "15"), ("sixteen", "16"), ("seventeen", "17"), ("eighteen", "18"), ("nineteen", "19"), ("twenty", "20"),
    ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"), ("seventy", "70"), ("eighty", "80"),
    ("ninety", "90"), ("hundred", "100"), ("thousand", "1000"), ("million", "1000000"), ("billion", "1000000000"),
    ("trillion", "1000000000000"), ("zero", "0"), ("dozen", "12"), ("once", "1x"), ("twice", "2x"), ("thrice", "3x"),
    ("single", "1x"), ("double", "2x"), ("triple", "3x"), ("twofold", "2x"), ("threefold", "3x"), ("fourfold", "4x"),
    ("fivefold", "5x"), ("tenfold", "10x"), ("half", "1/2"), ("third", "3."), ("quarter", "1/4"), ("first", "1."), ("second", "2."), ("fourth", "4."),
    ("fifth", "5."), ("sixth", "6."), ("seventh", "7."), ("eighth", "8."), ("ninth", "9."), ("tenth", "10."),
    ("eleventh", "11."), ("twelfth", "12."), ("null", "0"), ("eins", "1"), ("ein", "1"), ("eine", "1"), ("einen", "1"),
    ("einem", "1"), ("einer", "1"), ("zwei", "2"), ("drei", "3"), ("vier", "4"), ("fünf", "5"), ("sechs", "6"),
    ("sieben", "7"), ("acht", "8"), ("neun", "9"), ("zehn", "10"), ("elf", "11"), ("zwölf", "12"), ("dreizehn", "13"),
    ("vierzehn", "14"), ("fünfzehn", "15"), ("sechzehn", "16"), ("siebzehn", "17"), ("achtzehn", "18"), ("neunzehn", "19"),
    ("zwanzig", "20"), ("dreissig", "30"), ("vierzig", "40"), ("fünfzig", "50"), ("sechzig", "60"), ("siebzig", "70"),
    ("achtzig", "80"), ("neunzig", "90"), ("hundert", "100"), ("tausend", "1000"), ("millionen", "1000000"),
    ("milliarde", "1000000000"), ("milliarden", "1000000000"), ("hälfte", "1/2"), ("drittel", "1/3"), ("viertel", "1/4"),
    ("einmal", "1x"), ("zweimal", "2x"), ("dreimal", "3x"), ("doppelt", "2x"), ("dreifach", "3x"), ("erste", "1."),
    ("ersten", "1."), ("erster", "1."), ("erstes", "1."), ("erstem", "1."), ("zweite", "2."), ("zweiten", "2."),
    ("zweiter", "2."), ("zweites", "2."), ("zweitem", "2."), ("dritte", "3."), ("dritten", "3."), ("dritter", "3."),
    ("drittes", "3."), ("drittem", "3."), ("vierte", "4."), ("vierten", "4."), ("vierter", "4."), ("viertes", "4."),
    ("viertem", "4."), ("fünfte", "5."), ("fünften", "5."), ("fünfter", "5."), ("fünftes", "5."), ("fünftem", "5."),
    ("sechste", "6."), ("sechsten", "6."), ("sechster", "6."), ("sechstes", "6."), ("sechstem", "6."), ("siebte", "7."),
    ("siebten", "7."), ("siebter", "7."), ("siebtes", "7."), ("siebtem", "7."), ("achte", "8."), ("achten", "8."),
    ("achter", "8."), ("achtes", "8."), ("achtem", "8."), ("neunte", "9."), ("neunten", "9."), ("neunter", "9."),
    ("neuntes", "9."), ("neuntem", "9."), ("zehnte", "10."), ("zehnten", "10."), ("zehnter", "10."), ("zehntes", "10."),
    ("zehntem", "10."),
];

/// Units as they stand behind a number, without the ending of a plural.
#[rustfmt::skip]
pub(super) const UNITS: [&str; 121] = [
    "%", "‰", "percent", "prozent", "°", "€", "$", "£", "euro", "dollar", "cent", "b", "kb", "mb", "gb", "tb", "kib", "mib",
    "gib", "tib", "bit", "byte", "k", "m", "g", "t", "mg", "kg", "µg", "ug", "lb", "oz", "l", "ml", "cl", "dl", "mm", "cm", "dm",
    "km", "nm", "µm", "mile", "foot", "inch", "ft", "in", "s", "ms", "us", "µs", "ns", "h", "d", "min", "second", "minute", "hour",
    "day", "week", "month", "year", "sekunde", "stunde", "tag", "woche", "monat", "jahr", "hz", "khz", "mhz", "ghz", "w", "mph", "kmh", "μg", "μs", "μm", "acre", "hectare",
    "kw", "mw", "gw", "v", "mv", "kv", "a", "ma", "j", "kj", "mj", "pa", "kpa", "hpa", "bar", "c", "f", "kelvin", "celsius", "fahrenheit", "pb", "mbit", "gbit", "kbit", "millisecond", "microsecond", "nanosecond", "gram", "kilogram", "metre", "meter", "kilometre", "kilometer", "millimetre", "millimeter", "litre", "liter", "quarter", "decade", "century", "quartal",
];
