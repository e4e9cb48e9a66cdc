//! The words that claims are read by, English and German: basic forms and synonyms, colours, opposites, closed lists.
//!
//! All are folded, all tables are sorted. A word that is in no table is compared as it is written, so a missing synonym
//! costs a conflict that is not found, and never makes one up. Two words belong to one entry only if nobody would see a
//! difference between them.

/// Basic forms and synonyms: the word and the one it is read as.
#[rustfmt::skip]
const BASIC: [(&str, &str); 300] = [
    ("access", "access"), ("address", "address"), ("adresse", "address"), ("alt", "age"), ("alter", "age"),
    ("always", "always"), ("anfrage", "request"), ("anfragen", "request"), ("arzt", "doctor"),
    ("aufbewahrt", "keep"), ("auge", "eye"), ("augen", "eye"), ("augenfarbe", "eye"), ("backups", "backup"),
    ("banner", "banner"), ("begin", "start"), ("beginnt", "start"), ("begins", "start"),
    ("begrenzt", "limit"), ("belagerung", "siege"), ("benutzen", "use"), ("benutzt", "use"),
    ("benötigen", "require"), ("benötigt", "require"), ("beschränkt", "limit"), ("besitzt", "have"),
    ("birthday", "birth"), ("born", "birth"), ("brauchen", "require"), ("braucht", "require"),
    ("breathes", "breathe"), ("breit", "width"), ("breite", "width"), ("brothers", "brother"),
    ("bruder", "brother"), ("brücke", "bridge"), ("brüder", "brother"), ("burg", "castle"), ("bus", "bus"),
    ("called", "name"), ("cap", "limit"), ("capped", "limit"), ("characters", "character"),
    ("children", "child"), ("class", "class"), ("color", "colour"), ("colour", "colour"),
    ("contains", "contain"), ("cost", "price"), ("costs", "price"), ("data", "data"), ("datei", "file"),
    ("datenbank", "database"), ("dauer", "duration"), ("dauern", "duration"), ("dauert", "duration"),
    ("dauerte", "duration"), ("db", "database"), ("deep", "depth"), ("died", "death"),
    ("dienst", "service"), ("dies", "death"), ("drache", "dragon"), ("drachen", "dragon"),
    ("einträge", "entry"), ("eisen", "iron"), ("elfen", "elf"), ("elves", "elf"), ("email", "e-mail"),
    ("endpunkt", "endpoint"), ("enthält", "contain"), ("entries", "entry"), ("ereignis", "event"),
    ("ereignisse", "event"), ("established", "founded"), ("events", "event"), ("everybody", "everyone"),
    ("expire", "timeout"), ("expires", "timeout"), ("expiry", "timeout"), ("eyes", "eye"),
    ("farbe", "colour"), ("fears", "fear"), ("feet", "foot"), ("feld", "field"), ("feuer", "fire"),
    ("founded", "founded"), ("frau", "wife"), ("fürchten", "fear"), ("fürchtet", "fear"),
    ("geboren", "birth"), ("geburt", "birth"), ("gegründet", "founded"), ("genannt", "name"),
    ("gespeichert", "store"), ("gestorben", "death"), ("gewicht", "weight"), ("grenze", "limit"),
    ("gross", "height"), ("grösse", "size"), ("gültig", "valid"), ("haar", "hair"), ("haare", "hair"),
    ("haaren", "hair"), ("haarfarbe", "hair"), ("haben", "have"), ("had", "have"), ("haende", "hand"),
    ("hand", "hand"), ("has", "have"), ("hat", "have"), ("hatte", "have"), ("hatten", "have"),
    ("hauptdatenbank", "primary database"), ("hauptstadt", "capital"), ("heavy", "weight"),
    ("heiler", "healer"), ("heilerin", "healer"), ("heissen", "name"), ("heisst", "name"), ("held", "hold"),
    ("hiess", "name"), ("high", "height"), ("hoch", "height"), ("holds", "hold"), ("hände", "hand"),
    ("höhe", "height"), ("hört", "port"), ("immer", "always"), ("include", "contain"),
    ("includes", "contain"), ("kann", "can"), ("keeps", "keep"), ("kennen", "know"), ("kennt", "know"),
    ("kept", "keep"), ("kind", "child"), ("kinder", "child"), ("klartext", "plaintext"),
    ("kloster", "monastery"), ("knives", "knife"), ("knows", "know"), ("kosten", "price"),
    ("kostet", "price"), ("könig", "king"), ("könige", "king"), ("königin", "queen"), ("können", "can"),
    ("lang", "length"), ("last", "duration"), ("lasted", "duration"), ("lasts", "duration"),
    ("lauschen", "port"), ("lauscht", "port"), ("leaves", "leave"), ("length", "length"),
    ("licence", "license"), ("license", "license"), ("liebt", "love"), ("lifetime", "timeout"),
    ("limited", "limit"), ("limits", "limit"), ("listen", "port"), ("listens", "port"),
    ("lizenz", "license"), ("long", "length"), ("loves", "love"), ("länge", "length"), ("läuft", "run"),
    ("läuft-ab", "timeout"), ("mail", "e-mail"), ("mann", "husband"), ("mantel", "cloak"),
    ("mass", "weight"), ("max", "limit"), ("maximal", "limit"), ("maximum", "limit"), ("men", "man"),
    ("mice", "mouse"), ("min", "minimum"), ("mindest", "minimum"), ("minimum", "minimum"),
    ("mutter", "mother"), ("name", "name"), ("named", "name"), ("namen", "name"), ("need", "require"),
    ("needs", "require"), ("nutzen", "use"), ("nutzt", "use"), ("obergrenze", "limit"), ("old", "age"),
    ("owns", "own"), ("palast", "palace"), ("passwort", "password"), ("people", "person"),
    ("pferd", "horse"), ("physician", "doctor"), ("port", "port"), ("ports", "port"), ("possess", "have"),
    ("possesses", "have"), ("preis", "price"), ("process", "process"), ("protokollierung", "logging"),
    ("released", "release"), ("requests", "request"), ("required-by", "require"), ("requires", "require"),
    ("restricted", "limit"), ("retain", "keep"), ("retained", "keep"), ("retries", "retry"),
    ("runs", "run"), ("schiff", "ship"), ("schlafen", "sleep"), ("schloss", "lock"), ("schläft", "sleep"),
    ("schmied", "smith"), ("schnittstelle", "api"), ("schwer", "weight"), ("schwert", "sword"),
    ("schwester", "sister"), ("schwestern", "sister"), ("schwimmen", "swim"), ("seitengrösse", "page size"),
    ("sessions", "session"), ("setzen", "use"), ("sicherung", "backup"), ("sicherungen", "backup"),
    ("sitzung", "session"), ("sitzungen", "session"), ("sleeps", "sleep"), ("sohn", "son"),
    ("soldat", "soldier"), ("speichern", "store"), ("speichert", "store"), ("speien", "breathe"),
    ("sprache", "language"), ("stadt", "city"), ("standard", "default"), ("standardmässig", "default"),
    ("starb", "death"), ("startet", "start"), ("starts", "start"), ("status", "status"),
    ("stets", "always"), ("stored", "store"), ("stores", "store"), ("supports", "support"),
    ("swim", "swim"), ("tall", "height"), ("tief", "depth"), ("tiefe", "depth"), ("time-out", "timeout"),
    ("timeouts", "timeout"), ("tochter", "daughter"), ("token", "token"), ("tor", "gate"), ("tore", "gate"),
    ("ttl", "timeout"), ("turm", "tower"), ("tür", "door"), ("türme", "tower"), ("unterstützen", "support"),
    ("unterstützt", "support"), ("url", "url"), ("used", "use"), ("uses", "use"), ("using", "use"),
    ("valid", "valid"), ("vater", "father"), ("verfallen", "timeout"), ("verfällt", "timeout"),
    ("verlangen", "require"), ("verlangt", "require"), ("verlässt", "leave"), ("verwenden", "use"),
    ("verwendet", "use"), ("veröffentlicht", "release"), ("weigh", "weight"), ("weighed", "weight"),
    ("weighs", "weight"), ("weight", "weight"), ("wide", "width"), ("wiederholung", "retry"),
    ("wiederholungen", "retry"), ("wiederholungsversuche", "retry"), ("wiegen", "weight"),
    ("wiegt", "weight"), ("wirt", "innkeeper"), ("wirts", "innkeeper"), ("wives", "wife"),
    ("wog", "weight"), ("wolves", "wolf"), ("women", "woman"), ("zeichen", "character"),
    ("zeitlimit", "timeout"), ("zweig", "branch"), ("ärztin", "doctor"),
];

/// Colours and the plain colours each may be taken for: hazel eyes are no contradiction to brown ones.
#[rustfmt::skip]
const COLOURS: [(&str, &[&str]); 83] = [
    ("amber", &["amber", "yellow", "orange", "gold"]), ("ash", &["grey"]), ("auburn", &["red", "brown"]),
    ("azure", &["blue"]), ("bernsteinfarben", &["amber", "yellow", "orange", "gold"]),
    ("black", &["black"]), ("blau", &["blue"]), ("blond", &["blond", "yellow"]),
    ("blonde", &["blond", "yellow"]), ("blue", &["blue"]), ("braun", &["brown"]),
    ("bronze", &["brown", "bronze"]), ("brown", &["brown"]), ("burgundy", &["red"]),
    ("chestnut", &["brown"]), ("cobalt", &["blue"]), ("copper", &["red", "brown", "orange"]),
    ("cream", &["white", "yellow"]), ("crimson", &["red"]), ("dunkelbraun", &["brown"]),
    ("ebony", &["black"]), ("eisblau", &["blue"]), ("emerald", &["green"]), ("fair", &["blond", "yellow"]),
    ("flaxen", &["blond", "yellow"]), ("gelb", &["yellow"]), ("ginger", &["red", "orange"]),
    ("gold", &["yellow", "gold", "blond"]), ("golden", &["yellow", "gold", "blond"]), ("grau", &["grey"]),
    ("gray", &["grey"]), ("green", &["green"]), ("grey", &["grey"]), ("grün", &["green"]),
    ("haselnussbraun", &["brown", "green"]), ("hazel", &["brown", "green"]), ("hellbraun", &["brown"]),
    ("himmelblau", &["blue"]), ("indigo", &["blue", "purple"]), ("ivory", &["white"]), ("jade", &["green"]),
    ("jet-black", &["black"]), ("kupferrot", &["red"]), ("lila", &["purple"]), ("lilac", &["purple"]),
    ("maroon", &["red", "brown"]), ("navy", &["blue"]), ("olive", &["green"]), ("orange", &["orange"]),
    ("pechschwarz", &["black"]), ("pink", &["pink"]), ("purple", &["purple"]), ("purpurrot", &["red"]),
    ("rabenschwarz", &["black"]), ("raven", &["black"]), ("red", &["red"]), ("rosa", &["pink"]),
    ("rot", &["red"]), ("ruby", &["red"]), ("russet", &["red", "brown"]), ("rust", &["red", "brown"]),
    ("sapphire", &["blue"]), ("scarlet", &["red"]), ("scharlachrot", &["red"]), ("schneeweiss", &["white"]),
    ("schwarz", &["black"]), ("silbergrau", &["grey", "silver"]), ("silbern", &["grey", "silver", "white"]),
    ("silver", &["grey", "silver", "white"]), ("silvery", &["grey", "silver", "white"]),
    ("slate", &["grey"]), ("smaragd", &["green"]), ("smaragdgrün", &["green"]), ("snow-white", &["white"]),
    ("tan", &["brown", "yellow"]), ("teal", &["blue", "green"]), ("turquoise", &["blue", "green"]),
    ("türkis", &["blue", "green"]), ("violet", &["purple"]), ("violett", &["purple"]),
    ("weiss", &["white"]), ("white", &["white"]), ("yellow", &["yellow"]),
];

/// Words of opposites: the pair, and whether the word is the one that names it.
#[rustfmt::skip]
const OPPOSITES: [(&str, &str, bool); 146] = [
    ("abgeschaltet", "enabled", false), ("accessible", "accessible", true), ("activated", "enabled", true),
    ("active", "enabled", true), ("aktiv", "enabled", true), ("aktiviert", "enabled", true),
    ("alive", "alive", true), ("allowed", "allowed", true), ("arm", "rich", false),
    ("asynchron", "synchronous", false), ("asynchronous", "synchronous", false),
    ("ausgeschaltet", "enabled", false), ("available", "available", true),
    ("beschreibbar", "writable", true), ("capable", "capable", true), ("closed", "open", false),
    ("cold", "hot", false), ("compatible", "compatible", true), ("compulsory", "required", true),
    ("confidential", "public", false), ("deactivated", "enabled", false), ("dead", "alive", false),
    ("deaktiviert", "enabled", false), ("deceased", "alive", false),
    ("deterministic", "deterministic", true), ("disabled", "enabled", false),
    ("eingeschaltet", "enabled", true), ("eligible", "eligible", true), ("empty", "full", false),
    ("enabled", "enabled", true), ("encrypted", "encrypted", true), ("entriegelt", "locked", false),
    ("erforderlich", "required", true), ("erlaubt", "allowed", true), ("false", "true", false),
    ("forbidden", "allowed", false), ("freiwillig", "required", false), ("full", "full", true),
    ("geheim", "public", false), ("geschlossen", "open", false), ("geöffnet", "open", true),
    ("guilty", "guilty", true), ("gültig", "valid", true), ("heiss", "hot", true),
    ("hidden", "visible", false), ("hot", "hot", true), ("illegal", "legal", false),
    ("illegible", "legible", false), ("immutable", "writable", false), ("impossible", "possible", false),
    ("inaccessible", "accessible", false), ("inactive", "enabled", false), ("inaktiv", "enabled", false),
    ("incapable", "capable", false), ("incompatible", "compatible", false),
    ("ineligible", "eligible", false), ("innocent", "guilty", false), ("invalid", "valid", false),
    ("invisible", "visible", false), ("irreversible", "reversible", false), ("kalt", "hot", false),
    ("kurz", "long", false), ("lang", "long", true), ("lebendig", "alive", true),
    ("ledig", "married", false), ("leer", "full", false), ("left-handed", "left-handed", true),
    ("legal", "legal", true), ("legible", "legible", true), ("linkshändig", "left-handed", true),
    ("living", "alive", true), ("locked", "locked", true), ("long", "long", true),
    ("mandatory", "required", true), ("married", "married", true), ("mutable", "writable", true),
    ("möglich", "possible", true), ("non-deterministic", "deterministic", false),
    ("nondeterministic", "deterministic", false), ("notwendig", "required", true),
    ("obligatory", "required", true), ("off", "enabled", false), ("offen", "open", true),
    ("on", "enabled", true), ("open", "open", true), ("opened", "open", true),
    ("optional", "required", false), ("permitted", "allowed", true), ("pflicht", "required", true),
    ("poor", "rich", false), ("possible", "possible", true), ("privat", "public", false),
    ("private", "public", false), ("prohibited", "allowed", false), ("public", "public", true),
    ("read-only", "writable", false), ("read-write", "writable", true), ("readonly", "writable", false),
    ("rechtshändig", "left-handed", false), ("reich", "rich", true), ("required", "required", true),
    ("reversible", "reversible", true), ("rich", "rich", true), ("right-handed", "left-handed", false),
    ("schreibgeschützt", "writable", false), ("schuldig", "guilty", true), ("secret", "public", false),
    ("short", "long", false), ("shut", "open", false), ("sichtbar", "visible", true),
    ("single", "married", false), ("stateful", "stateful", true), ("stateless", "stateful", false),
    ("synchron", "synchronous", true), ("synchronous", "synchronous", true), ("tot", "alive", false),
    ("true", "true", true), ("unavailable", "available", false), ("unencrypted", "encrypted", false),
    ("ungültig", "valid", false), ("unlocked", "locked", false), ("unmarried", "married", false),
    ("unmöglich", "possible", false), ("unschuldig", "guilty", false), ("unsichtbar", "visible", false),
    ("unverheiratet", "married", false), ("unverschlüsselt", "encrypted", false),
    ("unveränderlich", "writable", false), ("valid", "valid", true), ("verboten", "allowed", false),
    ("verfügbar", "available", true), ("verheiratet", "married", true),
    ("verpflichtend", "required", true), ("verriegelt", "locked", true), ("verschlossen", "locked", true),
    ("verschlüsselt", "encrypted", true), ("verstorben", "alive", false), ("vertraulich", "public", false),
    ("veränderlich", "writable", true), ("visible", "visible", true), ("voll", "full", true),
    ("writable", "writable", true), ("writeable", "writable", true), ("zu", "open", false),
    ("zustandslos", "stateful", false), ("öffentlich", "public", true),
];

/// What the other word of a pair is called in messages.
#[rustfmt::skip]
const OTHER_SIDE: [(&str, &str); 31] = [
    ("accessible", "inaccessible"), ("alive", "dead"), ("allowed", "forbidden"),
    ("available", "unavailable"), ("capable", "incapable"), ("compatible", "incompatible"),
    ("deterministic", "nondeterministic"), ("eligible", "ineligible"), ("enabled", "disabled"),
    ("encrypted", "unencrypted"), ("full", "empty"), ("guilty", "innocent"), ("hot", "cold"),
    ("left-handed", "right-handed"), ("legal", "illegal"), ("legible", "illegible"),
    ("locked", "unlocked"), ("long", "short"), ("married", "unmarried"), ("open", "closed"),
    ("possible", "impossible"), ("public", "private"), ("required", "optional"),
    ("reversible", "irreversible"), ("rich", "poor"), ("stateful", "stateless"),
    ("synchronous", "asynchronous"), ("true", "false"), ("valid", "invalid"), ("visible", "hidden"),
    ("writable", "read-only"),
];

/// Closed lists whose members exclude each other: the word, its list, its member.
#[rustfmt::skip]
const MEMBERS: [(&str, &str, &str); 69] = [
    ("bone", "material", "bone"), ("brass", "material", "brass"), ("brick", "material", "brick"),
    ("bronze", "material", "bronze"), ("clay", "material", "clay"), ("copper", "material", "copper"),
    ("dienstag", "weekday", "tuesday"), ("dienstags", "weekday", "tuesday"),
    ("donnerstag", "weekday", "thursday"), ("donnerstags", "weekday", "thursday"),
    ("eiche", "material", "wood"), ("eisen", "material", "iron"), ("freitag", "weekday", "friday"),
    ("freitags", "weekday", "friday"), ("friday", "weekday", "friday"), ("fridays", "weekday", "friday"),
    ("glas", "material", "glass"), ("glass", "material", "glass"), ("gold", "material", "gold"),
    ("granit", "material", "stone"), ("granite", "material", "stone"), ("holz", "material", "wood"),
    ("iron", "material", "iron"), ("knochen", "material", "bone"), ("kunststoff", "material", "plastic"),
    ("kupfer", "material", "copper"), ("leather", "material", "leather"), ("leder", "material", "leather"),
    ("leinen", "material", "linen"), ("linen", "material", "linen"), ("marble", "material", "marble"),
    ("marmor", "material", "marble"), ("messing", "material", "brass"),
    ("mittwoch", "weekday", "wednesday"), ("mittwochs", "weekday", "wednesday"),
    ("monday", "weekday", "monday"), ("mondays", "weekday", "monday"), ("montag", "weekday", "monday"),
    ("montags", "weekday", "monday"), ("oak", "material", "wood"), ("obsidian", "material", "obsidian"),
    ("plastic", "material", "plastic"), ("samstag", "weekday", "saturday"),
    ("samstags", "weekday", "saturday"), ("saturday", "weekday", "saturday"),
    ("saturdays", "weekday", "saturday"), ("seide", "material", "silk"), ("silber", "material", "silver"),
    ("silk", "material", "silk"), ("silver", "material", "silver"), ("sonntag", "weekday", "sunday"),
    ("sonntags", "weekday", "sunday"), ("stahl", "material", "steel"), ("steel", "material", "steel"),
    ("stein", "material", "stone"), ("stone", "material", "stone"), ("sunday", "weekday", "sunday"),
    ("sundays", "weekday", "sunday"), ("thursday", "weekday", "thursday"),
    ("thursdays", "weekday", "thursday"), ("ton", "material", "clay"), ("tuesday", "weekday", "tuesday"),
    ("tuesdays", "weekday", "tuesday"), ("wednesday", "weekday", "wednesday"),
    ("wednesdays", "weekday", "wednesday"), ("wolle", "material", "wool"), ("wood", "material", "wood"),
    ("wooden", "material", "wood"), ("wool", "material", "wool"),
];

/// The four directions.
const DIRECTIONS: [(&str, &str); 8] = [
    ("east", "east"),
    ("norden", "north"),
    ("north", "north"),
    ("osten", "east"),
    ("south", "south"),
    ("süden", "south"),
    ("west", "west"),
    ("westen", "west"),
];

/// Countries and continents: who lives in one may live in a town besides.
#[rustfmt::skip]
const COUNTRIES: [&str; 40] = [
    "africa", "america", "asia", "australia", "austria", "belgium", "brazil", "britain", "canada", "china",
    "deutschland", "egypt", "england", "europa", "europe", "france", "frankreich", "germany", "greece",
    "india", "ireland", "italien", "italy", "japan", "mexico", "netherlands", "norway", "poland", "polen",
    "portugal", "russia", "schweiz", "scotland", "spain", "spanien", "sweden", "switzerland", "turkey",
    "usa", "österreich",
];

/// Attributes of which a thing has one, so that a word of choice is their value even if it looks like any other word.
#[rustfmt::skip]
const SINGLE: [&str; 36] = [
    "algorithm", "author", "branch", "capital", "captain", "currency", "database", "editor", "encoding",
    "engine", "father", "format", "framework", "host", "hostname", "king", "language", "leader", "license",
    "maintainer", "mother", "name", "namespace", "owner", "prefix", "protocol", "queen", "region",
    "runtime", "shell", "suffix", "timezone", "toolchain", "username", "version", "zone",
];

/// Attributes of which a thing may have several, although each is spoken of in the singular.
#[rustfmt::skip]
const SEVERAL: [&str; 30] = [
    "ally", "aunt", "brother", "child", "colleague", "companion", "cousin", "daughter", "enemy", "example",
    "feature", "freund", "freundin", "friend", "goal", "guest", "member", "neighbour", "option", "part",
    "pet", "reason", "risk", "servant", "sister", "son", "student", "teacher", "uncle", "weapon",
];

/// Words after `X is the …` that name nothing by which X could be told from others.
#[rustfmt::skip]
const NO_ROLE: [&str; 22] = [
    "answer", "beginning", "best", "case", "cause", "end", "first", "fastest", "grund", "key", "kind",
    "last", "most", "next", "one", "only", "problem", "reason", "result", "same", "sort", "way",
];

#[rustfmt::skip]
const MONTHS: [(&str, u32); 35] = [
    ("apr", 4), ("april", 4), ("aug", 8), ("august", 8), ("dec", 12), ("december", 12), ("dez", 12),
    ("dezember", 12), ("feb", 2), ("februar", 2), ("february", 2), ("jan", 1), ("januar", 1),
    ("january", 1), ("jul", 7), ("juli", 7), ("july", 7), ("jun", 6), ("june", 6), ("juni", 6),
    ("jänner", 1), ("mai", 5), ("mar", 3), ("march", 3), ("may", 5), ("märz", 3), ("nov", 11),
    ("november", 11), ("oct", 10), ("october", 10), ("okt", 10), ("oktober", 10), ("sep", 9),
    ("september", 9), ("sept", 9),
];

#[rustfmt::skip]
const NUMBERS: [(&str, i64); 48] = [
    ("acht", 8), ("drei", 3), ("dreissig", 30), ("eight", 8), ("eighty", 80), ("eleven", 11), ("elf", 11),
    ("fifteen", 15), ("fifty", 50), ("five", 5), ("forty", 40), ("four", 4), ("fourteen", 14), ("fünf", 5),
    ("fünfzehn", 15), ("fünfzig", 50), ("hundert", 100), ("hundred", 100), ("neun", 9), ("neunzig", 90),
    ("nine", 9), ("ninety", 90), ("null", 0), ("sechs", 6), ("sechzig", 60), ("seven", 7), ("seventy", 70),
    ("sieben", 7), ("siebzig", 70), ("six", 6), ("sixteen", 16), ("sixty", 60), ("ten", 10),
    ("thirteen", 13), ("thirty", 30), ("three", 3), ("twelve", 12), ("twenty", 20), ("two", 2), ("vier", 4),
    ("vierzehn", 14), ("vierzig", 40), ("zehn", 10), ("zero", 0), ("zwanzig", 20), ("zwei", 2),
    ("zwölf", 12), ("achtzig", 80),
];

/// The basic form of a word that the lists know.
pub(super) fn basic(word: &str) -> Option<&'static str> {
    BASIC.binary_search_by(|(known, _)| (*known).cmp(word)).ok().map(|at| BASIC[at].1)
}

/// Names that end in an `s` of their own.
#[rustfmt::skip]
const NAMES_IN_S: [&str; 61] = [
    "achilles", "adams", "agnes", "anders", "athens", "aws", "brussels", "cannes", "charles", "collins", "davies", "dolores",
    "evans", "frances", "gates", "hans", "harris", "hayes", "hermes", "holmes", "hughes", "ines", "jacques", "james", "jeans",
    "jenkins", "jens", "johannes", "jones", "jules", "keynes", "kubernetes", "lars", "leeds", "linus", "lotus", "mars", "mercedes",
    "moses", "naples", "nils", "niels", "orleans", "peters", "phillips", "postgres", "reims", "rogers", "sanders", "seychelles",
    "simmons", "socrates", "stephens", "tours", "ulysses", "wales", "watts", "williams", "windows", "worms", "yves",
];

/// Whether a folded word is a name whose `s` is neither a plural nor a genitive.
pub(super) fn is_name_in_s(word: &str) -> bool {
    NAMES_IN_S.contains(&word)
}

/// Names of one thing, the short one first.
const ALIASES: [(&str, &str); 12] = [
    ("ecmascript", "javascript"),
    ("golang", "go"),
    ("js", "javascript"),
    ("k8s", "kubernetes"),
    ("mongo", "mongodb"),
    ("node", "node.js"),
    ("nodejs", "node.js"),
    ("postgres", "postgresql"),
    ("py", "python"),
    ("psql", "postgresql"),
    ("rb", "ruby"),
    ("ts", "typescript"),
];

/// The full name of what has several.
pub(super) fn full_name(name: &str) -> &str {
    ALIASES.iter().find(|(short, _)| *short == name).map_or(name, |(_, full)| full)
}

/// What a word for a colour may be taken for.
pub(super) fn colour(word: &str) -> Option<&'static [&'static str]> {
    COLOURS.binary_search_by(|(known, _)| (*known).cmp(word)).ok().map(|at| COLOURS[at].1)
}

/// The pair of opposites that a word belongs to, and whether it names the pair.
pub(super) fn opposite(word: &str) -> Option<(&'static str, bool)> {
    OPPOSITES
        .binary_search_by(|(known, ..)| (*known).cmp(word))
        .ok()
        .map(|at| (OPPOSITES[at].1, OPPOSITES[at].2))
}

/// The other word of a pair.
pub(super) fn opposite_of(pair: &str) -> Option<&'static str> {
    OTHER_SIDE.binary_search_by(|(known, _)| (*known).cmp(pair)).ok().map(|at| OTHER_SIDE[at].1)
}

/// The closed list and the member that a word names.
pub(super) fn member(word: &str) -> Option<(&'static str, &'static str)> {
    MEMBERS.binary_search_by(|(known, ..)| (*known).cmp(word)).ok().map(|at| (MEMBERS[at].1, MEMBERS[at].2))
}

/// The direction that a word names.
pub(super) fn direction(word: &str) -> Option<&'static str> {
    DIRECTIONS.iter().find(|(known, _)| *known == word).map(|(_, direction)| *direction)
}

/// The month that a word names.
pub(super) fn month(word: &str) -> Option<u32> {
    MONTHS.iter().find(|(known, _)| *known == word).map(|(_, month)| *month)
}

/// The number that a word names.
pub(super) fn number(word: &str) -> Option<i64> {
    NUMBERS.iter().find(|(known, _)| *known == word).map(|(_, number)| *number)
}

/// Whether a name is that of a country or a continent.
pub(super) fn is_country(name: &str) -> bool {
    COUNTRIES.contains(&name)
}

/// Whether a thing has one of these.
pub(super) fn is_single(attribute: &str) -> bool {
    SINGLE.contains(&attribute)
}

/// Whether a thing may have several of these.
pub(super) fn is_several(attribute: &str) -> bool {
    SEVERAL.contains(&attribute)
}

/// Whether being the one is not a role.
pub(super) fn is_no_role(word: &str) -> bool {
    NO_ROLE.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::{BASIC, COLOURS, MEMBERS, OPPOSITES, OTHER_SIDE};

    #[test]
    fn the_tables_are_sorted_and_every_pair_has_its_other_word() {
        assert!(BASIC.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(COLOURS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(OPPOSITES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(OTHER_SIDE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(MEMBERS.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for (word, pair, _) in OPPOSITES {
            assert!(super::opposite_of(pair).is_some(), "{word} of {pair}");
        }
    }

    #[test]
    fn words_are_folded_and_a_basic_form_is_its_own() {
        for (word, basic) in BASIC {
            assert_eq!(crate::kernel::text::fold(word), word);
            for part in basic.split(' ') {
                assert_eq!(super::basic(part).unwrap_or(part), part, "{word}");
            }
        }
    }
}
