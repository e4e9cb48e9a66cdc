//! Words taken away by the house, and by others. The journal is the frozen corpus: it holds every kind of act.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use serde_json::Value;
use synod_core::kernel::REDACTED;
use synod_core::kernel::{Actor, Digest, MatterId, Seq};
use synod_core::ledger::CreditReason;
use synod_core::matter::Status;
use synod_core::redact::Redaction;
use synod_core::{Command, House, Outcome};
use synod_journal::{
    Broken, Error, Head, Journal, JournalReader, Memory, Record, SqliteReader, Survey, chain, survey,
};
use tempfile::TempDir;

use crate::corpus::{NEWEST, folded, opened};
use crate::sample::{quick_dir, verify, writer};

fn records() -> Vec<Record> {
    opened(NEWEST).into_iter().map(|(record, _)| record).collect()
}

fn memory() -> Memory {
    let mut journal = Memory::new();
    journal.append(Head::default(), &records()).unwrap();
    journal
}

fn fold(reader: &dyn JournalReader) -> Result<House, Error> {
    let mut house = House::default();
    chain::walk(reader, Head::default(), |act, _| {
        house.evolve(&act);
        Ok::<(), Error>(())
    })?;
    Ok(house)
}

/// Gives an order and keeps what came of it.
fn act(journal: &mut dyn Journal, by: Actor, later_ms: u64, command: Command) -> Outcome {
    let house = fold(&*journal.reader().unwrap()).unwrap();
    let (act, _) = house.judge(house.now().plus(later_ms), by, None, command);
    let record = chain::seal(journal.head(), &act).unwrap();
    journal.append(journal.head(), &[record]).unwrap();
    act.outcome
}

/// Declares the redaction of a matter; gives what is then to be done.
fn declare(journal: &mut dyn Journal, matter: MatterId) -> Survey {
    let found = survey(&*journal.reader().unwrap(), Some(matter)).unwrap();
    let outcome = act(journal, Actor::Operator, 1, Command::Redact { matter, acts: found.acts.clone() });
    assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
    found
}

/// Redacts a matter.
fn redact(journal: &mut dyn Journal, matter: MatterId) {
    let due = declare(journal, matter).due;
    journal.redact(&due).unwrap();
}

/// The matters that are over and hold words.
fn matters() -> Vec<MatterId> {
    let house = folded(&opened(NEWEST));
    let over = house.cases().filter(|case| matches!(case.status(), Status::Settled(_)));
    over.filter(|case| case.redacted_by.is_none()).map(|case| case.id).collect()
}

/// The matters whose redaction is declared in the corpus itself, and was not carried out there.
fn declared() -> BTreeSet<MatterId> {
    let house = folded(&opened(NEWEST));
    house.cases().filter(|case| case.redacted_by.is_some()).map(|case| case.id).collect()
}

/// Where a string may stand in a redacted act that is no word of the matter: ids, names, codes, charters' keys,
/// and the names of variants.
fn may_stay(key: &str, text: &str) -> bool {
    let ids = ["ask", "ballot", "matter", "who", "by", "seats", "key", "prev"];
    let clerks = ["judges", "scribe", "request", "from", "of", "ordered", "unknown"];
    let seats = ["kind", "mind", "model", "name", "part", "reaches"];
    let digests = ["brief", "charter", "digest"];
    let codes = ["code", "field", "how", "stance", "choice", "changed_from", "undecided", "decision", "pass"];
    let rules = ["basis", "quorum", "tie", "early", "breaches", "gate", "outcome", "command", "done"];
    let found = ["perspectives", "clerk", "task", "phase", "about", "apart", "expected", "got", "to"];
    let ballots = ["method", "secrecy", "weights", "veto", "blocked", "carried", "lost", "standing", "marks"];
    let ring = ["action", "proposal", "amendment", "reaction", "grade", "tied", "seal", "salt"];
    let later =
        ["synthesis", "tool", "trust", "wrong", "verdict", "answer", "truth", "is", "is_not", "id", "motion"];
    // Who proposed an answer, the draft that is a vote, and numbers with what they count.
    let kinds = [
        "proposers",
        "replaced",
        "stated",
        "unit",
        "best",
        "low",
        "high",
        "lower",
        "median",
        "upper",
        "number",
    ];
    // Issues: which, how they are classed, the labels they are found by, and what a rule found. The words of an escalation
    // that are kept are those of the charter.
    let issues = [
        "issue",
        "issues",
        "into",
        "related",
        "assignee",
        "assignment",
        "role",
        "class",
        "impact",
        "deed",
        "status",
    ];
    let workshop = [
        "tags",
        "breaker",
        "freedom",
        "epistemic",
        "lacks",
        "side",
        "trigger",
        "what",
        "recent",
        "with",
        "order",
    ];
    let workshop = [&workshop[..], &["end", "cause", "found"]].concat();
    // Credits: what was found of a citation, and why an attempt was refused.
    let credits = ["fact", "proof", "comment", "goal", "flaw", "problem", "checked"];
    let outside = key == "path" && ["upwards"].contains(&text);
    let team = ["rating", "unknown-reason", "collective-goal-achieved"];
    let credited = key == "reason" && (CreditReason::parse(text).is_some() || team.contains(&text));
    // Motions: who put and seconded them, and the signs that a rule found in their text.
    let motions = ["proposer", "seconder", "risks"];
    let classed = key == "priority" && ["critical", "high", "normal", "low"].contains(&text);
    let ordered = key == "reason"
        && [
            "consensus-break",
            "high-impact-proposal",
            "moderator-override",
            "no-evidence-consensus",
            "quick-consensus",
            "red-team",
        ]
        .contains(&text);
    // Why something rests or ended is a word of the house; why somebody did something is in their own words.
    let own = |c: char| c.is_ascii_lowercase() || c == '_';
    let why = key == "why" && text.chars().all(own);
    // A judge's own words stand under the same key.
    let sign = key == "groupthink" && ["confident_and_alike", "no_alternative"].contains(&text);
    sign || why
        || classed
        || ordered
        || outside
        || credited
        || [
            &ids[..],
            &clerks,
            &seats,
            &digests,
            &codes,
            &rules,
            &found,
            &ballots,
            &ring,
            &later,
            &kinds,
            &issues,
            &workshop,
            &credits,
            &motions,
        ]
        .concat()
        .contains(&key)
}

/// Every string of a value with the key it stands under; the keys of sections count as such, and so do the
/// sides of a digest.
fn strings<'a>(value: &'a Value, key: &'a str, found: &mut Vec<(&'a str, &'a str)>) {
    match value {
        Value::String(text) => found.push((key, text)),
        Value::Array(items) if key == "sections" => {
            items.iter().for_each(|pair| strings(&pair[1], key, found));
        }
        Value::Array(items) if key == "sides" => {
            items.iter().for_each(|pair| strings(&pair[1], "points", found));
        }
        Value::Array(items) => items.iter().for_each(|item| strings(item, key, found)),
        Value::Object(fields) => fields.iter().for_each(|(key, value)| strings(value, key, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => (),
    }
}

/// Takes out what belongs to the house and not to a matter it led to: what agents were seen to do, what called.
fn of_the_house(act: &mut Value) {
    if let Some(command) = act["command"].as_object_mut() {
        command.retain(|kind, _| !["observe", "trigger", "configure_triggers"].contains(&kind.as_str()));
    }
    if let Some(events) = act["outcome"]["done"].as_array_mut() {
        events.retain(|event| event.get("monitor").is_none() && event.get("trigger").is_none());
    }
}

#[test]
fn in_every_kind_of_act_only_ids_names_and_codes_are_left() {
    let (mut seen, mut kept) = (BTreeSet::new(), BTreeSet::new());
    let acts = opened(NEWEST);
    let gone: BTreeSet<MatterId> = matters().into_iter().chain(declared()).collect();
    let (mut over, mut going): (Vec<Redaction>, Vec<Redaction>) = (Vec::new(), Vec::new());
    for case in folded(&acts).cases() {
        let side = if gone.contains(&case.id) { &mut over } else { &mut going };
        side.push(Redaction::of(case.id));
    }
    for (record, act) in acts {
        // An act can be about several matters: what is left is looked at when the words of all of them are gone.
        let mut bare = act.clone();
        for one in &mut over {
            bare = one.next(&bare).unwrap_or(bare);
        }
        let mut held = false;
        for one in &mut going {
            held |= one.next(&bare).is_some_and(|next| next != bare);
        }
        if held || bare == act {
            continue;
        }
        let mut value: Value = serde_json::to_value(&bare).unwrap();
        of_the_house(&mut value);
        let mut left = Vec::new();
        strings(&value, "", &mut left);
        for (key, text) in left {
            if text != REDACTED && !may_stay(key, text) {
                kept.insert(format!("act {} keeps `{key}`: {text}", record.seq));
            }
            seen.insert(key.to_string());
        }
    }
    assert!(kept.is_empty(), "{kept:#?}");
    let said = ["topic", "options", "text", "detail", "position", "reason", "said", "persona", "sections"];
    let given = ["focus", "view", "query", "priority", "quote", "title", "url", "argument"];
    let clerks = ["points", "gist", "groupthink", "nuances", "summary", "agreed", "recommendation"];
    let ring = ["why", "rationale", "conditions", "changes"];
    for words in [&said[..], &given, &clerks, &ring].concat() {
        assert!(seen.contains(words), "the corpus has no {words} to redact");
    }
}

#[test]
fn the_chain_holds_and_the_house_is_the_one_that_forgot() {
    let mut journal = memory();
    let found = survey(&*journal.reader().unwrap(), None).unwrap();
    assert_eq!(found.unfinished, declared(), "the corpus declares some and keeps their words");
    let hashes = |journal: &Memory| -> Vec<Digest> {
        journal.reader().unwrap().read(Seq(1), 5000).unwrap().iter().map(|record| record.hash).collect()
    };
    let (kept, all) = (folded(&opened(NEWEST)), matters());
    for (nth, matter) in all.iter().enumerate() {
        let due = declare(&mut journal, *matter).due;
        let whole = (journal.head(), hashes(&journal));
        // Folding the whole corpus takes long: every seventh time, and the last.
        let folds = nth % 7 == 0 || nth + 1 == all.len();
        let before = folds.then(|| fold(&*journal.reader().unwrap()).unwrap());
        journal.redact(&due).unwrap();
        assert!(whole == (journal.head(), hashes(&journal)), "matter {matter}");
        if let Some(before) = before {
            let after = fold(&*journal.reader().unwrap()).unwrap();
            assert!(before == after, "matter {matter}");
            for matter in &all {
                let status = after.case(*matter).unwrap().status();
                assert_eq!(status, kept.case(*matter).unwrap().status(), "the decision stays");
            }
        }
    }
    let found = survey(&*journal.reader().unwrap(), None).unwrap();
    assert_eq!((found.due, found.unfinished, found.strange), (Vec::new(), BTreeSet::new(), Vec::new()));
}

/// A tick is about every matter whose time has come: each is redacted for itself, in any order, and a crash
/// after either declaration leaves what can be finished.
#[test]
fn an_act_of_two_matters_is_redacted_twice() {
    for crash in [false, true] {
        let mut journal = memory();
        let house = folded(&opened(NEWEST));
        let Some((_, Command::Open(open))) =
            opened(NEWEST).into_iter().map(|(record, act)| (record.seq, act.command)).find(|(_, command)| {
                matches!(command, Command::Open(open) if open.limits.time_ms.is_some() && open.seats.len() == 2)
            })
        else {
            panic!("the corpus has a matter with a time limit")
        };
        // Issues that stay open have no time that could run out.
        assert!(
            house.cases().all(|case| matches!(case.status(), Status::Settled(_)) || case.issue().is_some())
        );
        let mut ids = Vec::new();
        for _ in 0..2 {
            let outcome = act(&mut journal, Actor::Operator, 1, Command::Open(open.clone()));
            assert!(matches!(outcome, Outcome::Done(_)), "{outcome:?}");
            ids.push(fold(&*journal.reader().unwrap()).unwrap().cases().last().unwrap().id);
        }
        act(&mut journal, Actor::Engine, 100_000_000, Command::Tick);
        let tick = journal.head().seq;
        let held = |journal: &Memory| journal.reader().unwrap().read(tick, 1).unwrap()[0].body.clone();
        assert_eq!(held(&journal).matches("ran out").count(), 4, "two seats each");
        for (nth, matter) in ids.into_iter().enumerate() {
            let found = declare(&mut journal, matter);
            assert!(found.acts.iter().any(|(seq, _)| *seq == tick), "{found:?}");
            if !crash {
                journal.redact(&found.due).unwrap();
                assert_eq!(held(&journal).matches("ran out").count(), 2 - 2 * nth);
            }
        }
        let found = survey(&*journal.reader().unwrap(), None).unwrap();
        assert_eq!(
            (found.strange, found.unfinished.len()),
            (Vec::new(), if crash { declared().len() + 2 } else { 0 })
        );
        journal.redact(&found.due).unwrap();
        assert_eq!(held(&journal).matches("ran out").count(), 0);
        let found = survey(&*journal.reader().unwrap(), None).unwrap();
        assert_eq!((found.due, found.strange), (Vec::new(), Vec::new()));
        fold(&*journal.reader().unwrap()).unwrap();
    }
}

/// The corpus as a house on disk, one matter of it redacted; the acts that were.
fn house() -> (TempDir, Vec<Seq>) {
    let dir = quick_dir();
    let mut journal = writer(dir.path());
    journal.append(Head::default(), &records()).unwrap();
    let matter = matters()[0];
    redact(&mut journal, matter);
    let marked = journal.reader().unwrap().read(Seq(1), 5000).unwrap();
    (dir, marked.into_iter().filter(|record| record.redacted).map(|record| record.seq).collect())
}

/// Something done to the file of a house with redacted acts, and what verifying says then.
fn found(attack: impl FnOnce(&Connection, i64)) -> (Broken, i64) {
    let (dir, acts) = house();
    verify(dir.path()).expect("an honest redaction verifies");
    let first = acts[0].0 as i64;
    attack(&Connection::open(dir.path().join("journal.db")).unwrap(), first);
    match verify(dir.path()) {
        Err(Error::Broken(broken)) => (broken, first),
        other => panic!("verifying gave {other:?}"),
    }
}

fn sql(file: &Connection, sql: &str) {
    assert!(file.execute(sql, []).unwrap() > 0, "{sql} changed nothing");
}

#[test]
fn words_taken_away_without_an_act_that_says_so() {
    let (broken, _) = found(|file, _| {
        sql(file, "UPDATE acts SET body = replace(body, 'blind', 'deaf'), redacted = 1 WHERE seq = 5");
    });
    assert_eq!(broken, Broken::Undeclared { seq: Seq(5) });
    assert!(broken.to_string().starts_with("act 5 was redacted, and no later act declares that"), "{broken}");
    let (broken, _) = found(|file, _| sql(file, "UPDATE acts SET redacted = 1 WHERE seq = 5"));
    assert_eq!(broken, Broken::Undeclared { seq: Seq(5) }, "the mark alone");
}

#[test]
fn a_redacted_act_edited() {
    let (broken, seq) = found(|file, seq| {
        let edit =
            format!("UPDATE acts SET body = replace(body, '[redacted]', '[retracted]') WHERE seq = {seq}");
        sql(file, &edit);
    });
    assert!(matches!(broken, Broken::Refilled { .. }), "{broken:?}");
    assert!(broken.to_string().starts_with(&format!("redacted act {seq} was edited")), "{broken}");
}

#[test]
fn a_redacted_act_without_its_mark() {
    let (broken, seq) =
        found(|file, seq| sql(file, &format!("UPDATE acts SET redacted = 0 WHERE seq = {seq}")));
    assert!(matches!(broken, Broken::Edited { seq: found, .. } if found.0 as i64 == seq), "{broken:?}");
}

#[test]
fn the_declaring_act_gone_or_itself_redacted() {
    let (broken, seq) =
        found(|file, _| sql(file, "DELETE FROM acts WHERE seq = (SELECT max(seq) FROM acts)"));
    assert_eq!(broken, Broken::Undeclared { seq: Seq(seq as u64) });
    let (broken, seq) =
        found(|file, _| sql(file, "UPDATE acts SET redacted = 1 WHERE seq = (SELECT max(seq) FROM acts)"));
    assert_eq!(broken, Broken::Undeclared { seq: Seq(seq as u64) }, "a redacted act declares nothing");
}

#[test]
fn a_place_in_the_chain_is_kept_by_redacted_acts_too() {
    let (broken, seq) = found(|file, seq| {
        sql(
            file,
            &format!(
                "UPDATE acts SET body = replace(body, '\"prev\":\"', '\"prev\":\"00') WHERE seq = {seq}"
            ),
        );
    });
    assert!(matches!(broken, Broken::NotAnAct { .. }), "{broken:?}");
    let (broken, other) = found(|file, seq| {
        sql(
            file,
            &format!(
                "UPDATE acts SET body = replace(body, '\"seq\":{seq},', '\"seq\":9,') WHERE seq = {seq}"
            ),
        );
    });
    assert_eq!(seq, other);
    assert_eq!(broken, Broken::Order { seq: Seq(seq as u64), found: Seq(9) });
}

/// What no hash can tell: an act by the right hand that declares something else than a redaction.
#[test]
fn a_declaration_that_puts_words_in_is_strange() {
    let mut journal = memory();
    let matter = matters()[0];
    let found = survey(&*journal.reader().unwrap(), Some(matter)).unwrap();
    let (seq, body) = &found.due[0];
    let forged = body.replacen(REDACTED, "never said", 1);
    let other = Seq(matter.0.act.0 + found.acts.len() as u64 + 60);
    let acts = vec![(*seq, Digest::of(forged.as_bytes())), (other, Digest::of(b"not an act of it"))];
    act(&mut journal, Actor::Operator, 1, Command::Redact { matter, acts });
    journal.redact(&[(*seq, forged)]).unwrap();
    fold(&*journal.reader().unwrap()).expect("the chain holds");
    let found = survey(&*journal.reader().unwrap(), None).unwrap();
    assert_eq!(found.strange, [(*seq, matter), (other, matter)]);
}

/// The files of the house hold these words.
fn holds(dir: &Path, words: &str) -> bool {
    let files = ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal"];
    let mut bytes = files.iter().filter_map(|name| fs::read(dir.join(name)).ok());
    bytes.any(|bytes| bytes.windows(words.len()).any(|window| window == words.as_bytes()))
}

#[test]
fn no_file_holds_the_words_any_more() {
    // Written in small appends, so that pages were split and merged on the way.
    let dir = quick_dir();
    let mut journal = writer(dir.path());
    for batch in records().chunks(3) {
        journal.append(journal.head(), batch).unwrap();
    }
    let reader = SqliteReader::open(dir.path()).unwrap();
    let matter = matters()[0];
    let words = "It would halve the calls.";
    assert!(holds(dir.path(), words));
    let due = declare(&mut journal, matter).due;
    assert!(holds(dir.path(), words), "declared is not carried out");
    verify(dir.path()).expect("and verifies by the old hashes");
    journal.redact(&due).unwrap();
    assert!(!holds(dir.path(), words), "while the house is open");
    assert!(reader.read(due[0].0, 1).unwrap()[0].redacted, "a reader from before sees it");
    drop((journal, reader));
    assert!(!holds(dir.path(), words));
    assert!(holds(dir.path(), "Which API?"), "other matters keep theirs");
    verify(dir.path()).unwrap();
}

#[test]
fn a_reader_in_the_way_is_named_and_it_can_be_finished_later() {
    let dir = quick_dir();
    let mut journal = writer(dir.path());
    journal.append(Head::default(), &records()).unwrap();
    let due = declare(&mut journal, matters()[0]).due;
    let other = Connection::open(dir.path().join("journal.db")).unwrap();
    other.execute_batch("BEGIN; SELECT count(*) FROM acts").unwrap();
    let message = journal.redact(&due).unwrap_err().to_string();
    assert!(message.starts_with("cannot clear removed words from "), "{message}");
    assert!(message.ends_with("another program has the file locked: close it, then try again"), "{message}");
    other.execute_batch("COMMIT").unwrap();
    journal.redact(&[]).expect("nothing else is left to do");
    assert!(!holds(dir.path(), "It would halve the calls."));
    verify(dir.path()).unwrap();
}

#[test]
fn a_house_from_before_there_were_redactions() {
    let dir = quick_dir();
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    file.execute_batch(
        "PRAGMA journal_mode = WAL;
         CREATE TABLE acts (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body TEXT NOT NULL) STRICT;
         PRAGMA application_id = 0x53796e64; PRAGMA user_version = 1",
    )
    .unwrap();
    for record in records() {
        let row = (record.seq.0 as i64, record.hash.0, record.body);
        file.execute("INSERT INTO acts VALUES (?1, ?2, ?3)", row).unwrap();
    }
    drop(file);
    let reader = SqliteReader::open(dir.path()).unwrap();
    assert_eq!(reader.read(Seq(1), 5000).unwrap(), records(), "it is read as it is");
    let mut journal = writer(dir.path());
    redact(&mut journal, matters()[0]);
    drop(journal);
    let marked = reader.read(Seq(1), 5000).unwrap().iter().filter(|record| record.redacted).count();
    assert!(marked > 10, "a reader from before the migration sees the marks");
    assert_eq!(writer(dir.path()).head().seq, verify(dir.path()).unwrap().seq, "and it opens again");
}
