//! The words by which kinds of question are told: lists of words parted by blanks, or of phrases parted by commas.

use super::QuestionKind;

/// Whether a list holds a word.
pub(super) fn holds(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split(' ').any(|known| known == word)
}

/// The phrases of a list, each as its words.
pub(super) fn phrases(list: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    list.split(", ").map(|phrase| phrase.split(' ').collect())
}

/// Verbs that a question begins with which can be answered by yes or no.
pub(super) const OPENERS: &str = "should shall is are am were do does did can could will would may might must has have had isn't aren't \
    wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't hasn't haven't ought need \
    soll sollen sollte sollten sollst ist sind war waren wäre wären hat haben hatte hätte kann können könnte \
    könnten darf dürfen dürfte muss müssen müsste müssten wird werden würde würden wollen wollten möchte \
    möchten mag braucht brauchen gibt lohnt reicht genügt passt stimmt bleibt bleiben nehmen nutzen \
    verwenden gehört geht gilt sieht macht machen führen führt stellen est-ce devrions-nous faut-il doit-on \
    peut-on devons-nous est-il est-elle sommes-nous debemos deberíamos es está podemos hay dobbiamo dovremmo \
    è possiamo devemos deveríamos é moeten zullen kunnen zijn moet mogen czy стоит mogą";

/// Verbs that stand before whoever asks.
pub(super) const MODALS: &str = "should shall do does did can could will would must may might are is am sollen sollten soll \
    sollte können kann könnten müssen muss dürfen wollen brauchen";

/// Those who ask.
pub(super) const PRONOUNS: &str = "we i you they one wir ich man sie";

/// Words that a question begins with which asks for something.
pub(super) const QUESTION_WORDS: &str = "which what who whom whose where when why how what's who's where's how's welche welcher welches welchen \
    welchem was wer wen wem wessen wo wohin woher wann warum weshalb wieso wie womit wofür worauf wodurch \
    woran wovon wozu worin wieviel wieviele quel quelle quels quelles qui où quand pourquoi comment combien \
    lequel laquelle qu'est-ce que qué cuál cuáles quién quiénes dónde cuándo cómo cuánto cuánta cuántos \
    cuántas qual quais quem onde quando como quanto quanta quantos quantas quale quali cosa chi dove perché \
    come quanti quante welke wat waar wanneer waarom hoe hoeveel który która które jaki jaka jakie jak kto \
    co gdzie kiedy dlaczego ile hangi";

/// Words that may stand before the question word.
pub(super) const PREPOSITIONS: &str = "in on at by for from to with of under until since within after before through into and so but then ok \
    okay exactly roughly about bis für mit ab seit von zu nach auf an bei aus über unter und also à en de \
    por para per";

/// Words that begin a subordinate clause or an adverbial before the question itself.
pub(super) const SUBORDINATORS: &str = "given if for with without considering assuming when once since because in on at after before as looking \
    today bei für wenn falls angesichts da mit nach vor unter auf im um ohne";

/// Verbs that a motion begins with.
pub(super) const MOTIONS: &str = "adopt approve merge use switch accept reject ship release deploy move migrate replace drop remove keep \
    start stop let let's decide vote proposal motion resolved antrag beschluss";

/// Verbs of commands that ask for as many things as they say.
pub(super) const ASKING: &str = "name list suggest propose identify enumerate brainstorm outline nenne nennt liste zähle cite nomme énumère \
    nombra enumera cita elenca";

/// Those that ask for one of a kind as well.
pub(super) const ASK_FOR: &str =
    "suggest recommend propose schlage schlag schlagt empfiehl propón sugiere suggère proponi";

/// Those that also hand something over, so that only what is asked for tells.
pub(super) const GIVING: &str = "give find finde findet gib gebt donne trouve da dame dai";

/// Those that are followed by a question.
pub(super) const SAYING: &str = "describe explain tell say find figure determine beschreibe erkläre erklärt sag sage explique dis explica di";

/// Those that ask for a number.
pub(super) const ESTIMATING: &str =
    "estimate guess forecast predict schätze schätzt schätzen estime estima stima";

/// Those that ask for one of several.
pub(super) const CHOOSING: &str =
    "choose pick select decide wähle wählt entscheide entscheidet choisis choisissez elige escoge";

/// Before a command.
pub(super) const POLITE: &str = "please kindly bitte just now then and so";

/// Whom a command is for.
pub(super) const TO_WHOM: &str = "me us uns mir nous nos";

/// Numbers of things, in words.
pub(super) const NUMBERS: &str = "two three four five six seven eight nine ten several some zwei drei vier fünf sechs sieben acht neun zehn \
    einige mehrere deux trois quatre cinq dix quelques dos tres cuatro cinco diez due tre quattro cinque";

/// Things that are asked for.
pub(super) const ASKED: &str = "risk risks reason reasons option options alternative alternatives way ways idea ideas name names step steps \
    example examples argument arguments cause causes metrics candidates strategies approaches solution \
    solutions weaknesses strengths benefits drawbacks trade-offs tradeoffs pros cons blockers lessons \
    questions titles risiko risiken grund gründe optionen alternativen wege ideen namen schritte beispiel \
    beispiele argumente ursachen lösungen nachteile vorteile schwächen fragen risques raisons alternatives \
    façons idées nom noms étapes exemples riesgos razones opciones alternativas maneras nombre nombres pasos \
    ejemplos rischi ragioni";

/// Things that are measured.
pub(super) const MEASURED: &str = "number cost costs price effort duration time size revenue share percentage probability likelihood amount \
    load anzahl kosten preis aufwand dauer zahl anteil wahrscheinlichkeit größe coût nombre durée prix coste \
    costo número";

/// Words of German by which `was` is told from the English verb.
pub(super) const GERMAN: &str = "wir der die das den dem ein eine einen ist sind für und nicht sollen sollten soll sollte muss müssen \
    kostet kosten brauchen passiert tun wäre wird zu mit von ich sie unser unsere uns";

/// What begins like an open question and proposes something, or can be answered by yes or no.
pub(super) const NOT_OPEN: &str = "which is why, what if, what about, how about, why not, why don't we, why shouldn't we, was wäre wenn, was ist wenn, \
    wie wäre es, wie wär's, warum nicht, pourquoi pas, por qué no, perché non, que penses-tu, what do you \
    say";

/// What asks for a number.
pub(super) const COUNTING: &str = "how many, how much, how long, how often, how far, how large, how big, how high, how fast, how soon, how \
    old, how expensive, how likely, how probable, how wide, how deep, how tall, how heavy, what percentage, \
    what percent, what share, what fraction, what proportion, what number, what amount, what is the \
    probability, what's the probability, what is the likelihood, what is the number, what is the expected \
    number, what are the odds, what is the chance, what are the chances, what will it cost, what would it \
    cost, what does it cost, which percentage, which share, wie viele, wie viel, wieviel, wieviele, wie \
    lange, wie oft, wie hoch, wie groß, wie gross, wie teuer, wie weit, wie schnell, wie wahrscheinlich, wie \
    häufig, wie alt, wie schwer, welcher anteil, welchen anteil, was kostet, was kosten, was wird es kosten, \
    combien, quel pourcentage, cuánto, cuánta, cuántos, cuántas, qué porcentaje, quanto, quanta, quantos, \
    quantas, quanti, quante, hoeveel, hoe lang, hoe vaak, hoe groot, hoe duur, ile, jak długo";

/// Those of them that are followed by what is counted.
pub(super) const MANY: &str = "how many, wie viele, wieviele, cuántos, cuántas, quantos, quantas, quanti, quante, hoeveel, ile, how \
    much";

/// What a measure is counted in, where there is one thing that most people mean.
pub(super) const MEASURES: [(&str, &str); 13] = [
    ("how long", "days"),
    ("wie lange", "Tage"),
    ("how likely", "%"),
    ("how probable", "%"),
    ("wie wahrscheinlich", "%"),
    ("what percentage", "%"),
    ("what percent", "%"),
    ("what share", "%"),
    ("what is the probability", "%"),
    ("what's the probability", "%"),
    ("what are the chances", "%"),
    ("what is the chance", "%"),
    ("quel pourcentage", "%"),
];

/// Parts of questions in scripts that do not begin with the question word, parted by `|`. The first kind one of whose parts is
/// found counts: `是否`, `吗`, `هل` and `かどうか` ask for yes or no whatever else stands there.
pub(super) const SCRIPTS: [(QuestionKind, &str); 4] = [
    (QuestionKind::YesNo, "是否|吗|嗎|هل |かどうか|べきですか|べきか|해야 할까|해야 합니까|ли "),
    (QuestionKind::Choice, "还是|還是|それとも|아니면"),
    (
        QuestionKind::Estimate,
        concat!(
            "多少|几个|几天|几年|多久|多长|多大|いくつ|いくら|何人|何日|何件|何年|何時間|何台|どのくらい|どれくらい|몇 |얼마|كم |",
            "сколько |Сколько |скільки |Скільки |πόσ|Πόσ|कितन|כמה ",
        ),
    ),
    (
        QuestionKind::Open,
        concat!(
            "哪|什么|什麼|怎么|怎樣|怎样|如何|为什么|何时|谁|どの|どれ|どちら|どう|なぜ|どこ|いつ|何を|何が|何の|誰|어느|어떤|",
            "무엇|누구|어디|언제|왜 |어떻게|ما هو|ما هي|ماذا|أي |أين|متى|لماذا|كيف|Какой|Какая|",
            "Какое|Какие|Какую|какую|Что |Кто |Где |Когда |Почему|Как |Зачем|Яку|",
            "Який|Яка|Ποι|Τι |Πώς|Γιατί|Πότε|कौन|कैसे|क्यों|कब |कहाँ|איזה|איך|מתי |",
            "למה ",
        ),
    ),
];

/// Parts of commands in scripts that do not part words, all of which ask for several things.
pub(super) const LISTING: [&str; 5] = ["列出", "列举", "列舉", "挙げて", "나열"];
