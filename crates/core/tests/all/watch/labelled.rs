//! Labelled sentences: which weigh another way, and which name no argument for a changed vote.

use synod_core::kernel::Reading;
use synod_core::watch::{Indicator, conformity};

use super::{CACHE, QUEUE, read};

fn weighs(said: &str) -> bool {
    let script = format!("ann yes | {CACHE}\nbob yes | {QUEUE}\ncy yes | I am for it | | {said}");
    !read(&[&script]).groupthink.contains(&Indicator::NoAlternative)
}

const WEIGHING: [&str; 23] = [
    "An alternative is adding replicas.",
    "One could argue that replicas are cheaper.",
    "Although it costs memory, it pays.",
    "On the other hand, stale data hurts.",
    "The risk is stale data, but that is tolerable.",
    "I considered doing nothing, which is worse.",
    "Compared with sharding, this is simpler.",
    "Critics fear stale data.",
    "However, invalidation is hard.",
    "The price for this is complexity.",
    "Eine Alternative wären Replikate.",
    "Zwar kostet es Speicher, doch es lohnt sich.",
    "Dagegen spricht die Komplexität.",
    "Das Risiko sind veraltete Daten.",
    "Allerdings ist Invalidierung schwer.",
    "Man könnte auch nichts tun.",
    "Im Vergleich zu Sharding ist es einfacher.",
    "Der Preis dafür ist Komplexität.",
    "缺点是数据可能过时。",
    "Недостаток: устаревшие данные.",
    "Admittedly, the cache may grow stale.",
    "Even though it costs memory, it pays.",
    "Der Nachteil ist klein.",
];

const NOT_WEIGHING: [&str; 17] = [
    "There is no alternative.",
    "I see no downside at all.",
    "No objection, no drawback, just do it.",
    "This is optional reading.",
    "The counter in the header shows it.",
    "We have no other option.",
    "Nobody needs another option.",
    "It is great and everybody likes it.",
    "Das ist alternativlos.",
    "Es gibt keinen Nachteil.",
    "Ich habe keinen Einwand.",
    "Es ist großartig, und alle mögen es.",
    "Die Optionen des Menüs sind schön.",
    "没有缺点。",
    "Недостатков нет.",
    "There are no risks at all.",
    "Niemand hat einen Einwand.",
];

#[test]
fn a_denied_alternative_is_none_and_other_words_weigh_one() {
    let missed: Vec<&&str> = WEIGHING.iter().filter(|said| !weighs(said)).collect();
    let wrong: Vec<&&str> = NOT_WEIGHING.iter().filter(|said| weighs(said)).collect();
    assert!(missed.len() <= 1 && wrong.is_empty(), "missed {missed:#?}, wrong {wrong:#?}");
}

const YIELDING: [&str; 28] = [
    "I agree with bob and cy.",
    "Everyone else is for it.",
    "I follow the majority here.",
    "The others convinced me.",
    "I do not want to block the group.",
    "There is no new argument.",
    "None that I can name.",
    "Two against one, so I give in.",
    "For the sake of consensus.",
    "I have changed my mind.",
    "Because I was asked to.",
    "See the statement of bob.",
    "Ich schließe mich der Mehrheit an.",
    "Alle anderen sind dafür.",
    "Um des Friedens willen.",
    "Es gibt kein neues Argument.",
    "Ich gebe nach.",
    "bob hat mich überzeugt.",
    "Ich will die Gruppe nicht aufhalten.",
    "Kein neues Argument, aber meinetwegen.",
    "Я присоединяюсь к большинству.",
    "我同意大家的意见。",
    "the majority convinced me",
    "I was outvoted by the others",
    "No new arguments, I go along",
    "All the others voted yes",
    "Ich wurde überstimmt, also ja",
    "Bob persuaded me to change my vote",
];

const ARGUMENTS: [&str; 16] = [
    "bob's benchmark shows 40 ms.",
    "Nodes have 64 GB, so memory is plenty.",
    "Eviction caps memory use.",
    "The majority of requests are reads.",
    "bob showed that eviction caps memory.",
    "Memory costs halved in May.",
    "Speicher ist genug da: 64 GB je Knoten.",
    "Die Mehrheit der Anfragen liest nur.",
    "Verdrängung begrenzt den Speicher.",
    "bob zeigt, dass Verdrängung den Speicher begrenzt.",
    "内存足够，每个节点64GB。",
    "Памяти достаточно: 64 ГБ на узел.",
    "I gave in because eviction caps memory at 64 GB",
    "No new argument, but the load test of May shows 40 ms",
    "Bob convinced me that eviction caps memory",
    "The majority of our requests are reads, says the log",
];

#[test]
fn giving_in_is_no_argument() {
    let missed: Vec<&&str> = YIELDING.iter().filter(|said| !conformity(Some(said), Reading::Close)).collect();
    let wrong: Vec<&&str> = ARGUMENTS.iter().filter(|said| conformity(Some(said), Reading::Close)).collect();
    assert!(missed.is_empty() && wrong.is_empty(), "missed {missed:#?}, wrong {wrong:#?}");
}
