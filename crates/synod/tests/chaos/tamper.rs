//! Somebody with the files in hand changes them: every column of every table, rows, the schema, the files beside the journal.
//! `synod verify` finds each, or the change is listed here as one that means nothing.

use rusqlite::Connection;
use rusqlite::types::Value;

use crate::form::{Counts, sweep};
use crate::service::Service;
use crate::world::Place;

/// A house with a settled matter, its receipt and some acts, closed.
fn house() -> Place {
    let place = Place::new();
    place.run(["debate", "Should we cache the index?", "--quiet", "--rehearse", "--charter=collaborative"]);
    let service = Service::start(&place, "count").expect("a service");
    for nth in 0..5 {
        service.write(&place, nth).expect("an acknowledgement");
    }
    drop(service.end());
    place.run(["verify"]).exits(0);
    place
}

fn open(place: &Place) -> Connection {
    Connection::open(place.journal()).expect("the journal")
}

/// The tables of the journal, read from the file, so that a new one is tried too.
fn columns(journal: &Connection) -> Vec<(String, String)> {
    let mut tables = journal.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").expect("tables");
    let tables: Vec<String> =
        tables.query_map([], |row| row.get(0)).and_then(Iterator::collect).expect("names of tables");
    let mut columns = Vec::new();
    for table in tables {
        let mut named = journal.prepare("SELECT name FROM pragma_table_info(?1)").expect("columns");
        let named: Vec<String> =
            named.query_map([&table], |row| row.get(0)).and_then(Iterator::collect).expect("names");
        columns.extend(named.into_iter().map(|column| (table.clone(), column)));
    }
    columns
}

/// Values near the one that is there.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Integer(number) => [number + 1, number - 1, -number - 7, i64::MAX].map(Value::Integer).into(),
        Value::Text(text) => {
            let mut cut = text.clone();
            cut.pop();
            let swapped = text.replacen("YES", "NO ", 1).replacen('e', "a", 1);
            [format!("{text} "), cut, swapped].map(Value::Text).into()
        }
        Value::Blob(bytes) => {
            let mut flipped = bytes.clone();
            flipped.iter_mut().take(1).for_each(|byte| *byte ^= 1);
            [flipped, bytes.iter().skip(1).copied().collect()].map(Value::Blob).into()
        }
        Value::Real(number) => vec![Value::Real(number + 1.0)],
        Value::Null => vec![Value::Integer(1), Value::Text("x".into())],
    }
}

/// Changes one value in one row. False where the file's own rules do not allow it.
fn change(journal: &Connection, table: &str, column: &str, row: i64, value: &Value) -> bool {
    let sql = format!("UPDATE \"{table}\" SET \"{column}\" = ?1 WHERE rowid = ?2");
    journal.execute(&sql, rusqlite::params![value, row]).is_ok_and(|rows| rows == 1)
}

#[test]
fn every_column_of_every_table() {
    let whole = house();
    let journal = open(&whole);
    let mut points = Vec::new();
    for (table, column) in columns(&journal) {
        let ends = format!("SELECT min(rowid), max(rowid) FROM \"{table}\"");
        let Ok((first, last)) = journal.query_row(&ends, [], |row| Ok((row.get(0)?, row.get(1)?))) else {
            continue;
        };
        let (first, last): (i64, i64) = (first, last);
        let mut rows = vec![first, first + (last - first) / 2, last];
        rows.dedup();
        for row in rows {
            let sql = format!("SELECT \"{column}\" FROM \"{table}\" WHERE rowid = ?1");
            let value: Value = journal.query_row(&sql, [row], |row| row.get(0)).expect("a value");
            for (nth, other) in others(&value).into_iter().enumerate() {
                points.push(Point {
                    shown: format!("{table}.{column}, row {row}, change {nth}"),
                    table: table.clone(),
                    column: column.clone(),
                    row,
                    value: other,
                });
            }
        }
    }
    drop(journal);
    sweep("tampered column", points, |point| {
        let broken = whole.copy();
        let is_changed = change(&open(&broken), &point.table, &point.column, point.row, &point.value);
        if is_changed {
            found(&broken);
        }
        broken.spoil();
        Counts::of([("found", usize::from(is_changed)), ("refused by SQLite", usize::from(!is_changed))])
    });
    whole.spoil();
}

struct Point {
    shown: String,
    table: String,
    column: String,
    row: i64,
    value: Value,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.shown)
    }
}

/// `synod verify` says that something is wrong, and what.
#[track_caller]
fn found(place: &Place) {
    let verified = place.run(["verify"]);
    assert_ne!(verified.code, 0, "verify finds nothing\n{verified}");
    let told = format!("{}{}", verified.out, verified.err);
    assert!(told.contains("WRONG") || told.contains("synod: "), "verify does not say what\n{verified}");
}

/// Statements that change rows, the schema or the marks of the file.
const ATTACKS: &[(&str, &str)] = &[
    ("last act gone", "DELETE FROM acts WHERE seq = (SELECT max(seq) FROM acts)"),
    ("last three acts gone", "DELETE FROM acts WHERE seq > (SELECT max(seq) - 3 FROM acts)"),
    ("first act gone", "DELETE FROM acts WHERE seq = 1"),
    ("an act in the middle gone", "DELETE FROM acts WHERE seq = 7"),
    ("all acts gone", "DELETE FROM acts"),
    (
        "two bodies swapped",
        "UPDATE acts SET body = CASE seq WHEN 5 THEN (SELECT body FROM acts WHERE seq = 6) ELSE (SELECT body FROM acts WHERE seq = 5) END WHERE seq IN (5, 6)",
    ),
    ("an act before the first", "INSERT INTO acts SELECT 0, hash, body, redacted FROM acts WHERE seq = 1"),
    (
        "an act of a negative number",
        "INSERT INTO acts SELECT -5, hash, body, redacted FROM acts WHERE seq = 1",
    ),
    ("an act after a gap", "INSERT INTO acts SELECT max(seq) + 2, hash, body, redacted FROM acts"),
    ("the last act twice", "INSERT INTO acts SELECT max(seq) + 1, hash, body, redacted FROM acts"),
    ("a table more", "CREATE TABLE more (x)"),
    ("a view", "CREATE VIEW seen AS SELECT * FROM acts"),
    ("an index", "CREATE INDEX quick ON acts (hash)"),
    ("a trigger", "CREATE TRIGGER lost AFTER INSERT ON acts BEGIN SELECT 1; END"),
    ("a trigger that swallows", "CREATE TRIGGER lost BEFORE INSERT ON acts BEGIN SELECT RAISE(IGNORE); END"),
    ("another application", "PRAGMA application_id = 7"),
    ("a later version", "PRAGMA user_version = 99"),
    ("an earlier version", "PRAGMA user_version = 1"),
    ("no term", "DELETE FROM term"),
    ("all marked as redacted", "UPDATE acts SET redacted = 1"),
];

#[test]
fn rows_and_schema() {
    let whole = house();
    sweep("tampered rows and schema", ATTACKS.iter().map(|(name, _)| *name), |name| {
        let sql = ATTACKS.iter().find(|(known, _)| known == name).expect("an attack").1;
        let broken = whole.copy();
        open(&broken).execute_batch(sql).expect("an attack");
        found(&broken);
        broken.spoil();
        Counts::of([("found", 1)])
    });
    whole.spoil();
}

#[test]
fn files_beside_the_journal() {
    let whole = house();
    let other = house();
    let attacks = [
        "the key gone",
        "another key",
        "the receipt gone",
        "another receipt",
        "a receipt cut short",
        "another journal",
    ];
    sweep("tampered files", attacks, |name| {
        let broken = whole.copy();
        let (house, foreign) = (broken.house(), other.house());
        let receipt = |house: &std::path::Path| {
            let mut kept = std::fs::read_dir(house.join("receipts")).expect("receipts").flatten();
            kept.next().expect("a receipt").path()
        };
        match *name {
            "the key gone" => std::fs::remove_file(house.join("key")).expect("a key"),
            "another key" => drop(std::fs::copy(foreign.join("key"), house.join("key")).expect("a key")),
            "the receipt gone" => std::fs::remove_file(receipt(&house)).expect("a receipt"),
            "another receipt" => drop(std::fs::copy(receipt(&foreign), receipt(&house)).expect("a receipt")),
            "a receipt cut short" => {
                let path = receipt(&house);
                let bytes = std::fs::read(&path).expect("a receipt");
                std::fs::write(&path, &bytes[..bytes.len() / 2]).expect("a receipt");
            }
            "another journal" => drop(std::fs::copy(other.journal(), broken.journal()).expect("a journal")),
            other => panic!("no attack {other}"),
        }
        match *name {
            // A crash can cause it, and one command mends it: it is said, and nothing is broken.
            "the receipt gone" => drop(broken.run(["verify"]).prints("1 settled matter without a receipt")),
            _ => found(&broken),
        }
        broken.spoil();
        Counts::of([("found", 1)])
    });
    whole.spoil();
    other.spoil();
}
