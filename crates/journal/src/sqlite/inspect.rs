//! What should not be in the database of a journal: tables, triggers, views and indexes of others, rows with odd numbers, a term that
//! went back. None of it changes an act, and all of it could change what somebody does with them.

use std::path::Path;

use rusqlite::Connection;

use super::{SqliteReader, fault};
use crate::{Error, Term, holder};

/// What a journal consists of, whatever its version.
const OURS: [(&str, &str); 2] = [("table", "acts"), ("table", "term")];
/// Nobody opens a house so often.
const TERM_MOST: i64 = 1 << 40;

/// Everything strange about the database of the house in `dir`, in sentences.
pub fn inspect(dir: &Path) -> Result<Vec<String>, Error> {
    let path = dir.join(super::FILE);
    SqliteReader::open(dir)?.with(|connection| {
        let mut strange = Vec::new();
        let found = objects(connection)
            .and_then(|objects| rows(connection, &mut strange).map(|()| objects))
            .and_then(|objects| term(connection, dir, &mut strange).map(|()| objects));
        let objects = found.map_err(|error| fault::of("look into", &path, &error))?;
        strange.extend(objects);
        Ok(strange)
    })
}

fn objects(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let all = "SELECT type, name FROM sqlite_schema ORDER BY rowid";
    let mut all = connection.prepare(all)?;
    let named = all.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
    let mut strange = Vec::new();
    for object in named {
        let (kind, name) = object?;
        if !OURS.contains(&(kind.as_str(), name.as_str())) {
            strange
                .push(format!("the database has a {kind} `{name}` that is not part of a journal: remove it"));
        }
    }
    Ok(strange)
}

fn rows(connection: &Connection, strange: &mut Vec<String>) -> rusqlite::Result<()> {
    let ends = "SELECT count(*), ifnull(min(seq), 1), ifnull(max(seq), 0) FROM acts";
    let (count, first, last): (i64, i64, i64) =
        connection.query_row(ends, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    if first != 1 {
        strange.push(format!("the first row of the journal has the number {first}: acts are counted from 1"));
    }
    if last != count {
        strange.push(format!(
            "the journal has {count} rows, and the last has the number {last}: rows are missing or were added"
        ));
    }
    let odd: i64 =
        connection.query_row("SELECT count(*) FROM acts WHERE length(hash) <> 32", [], |row| row.get(0))?;
    if odd > 0 {
        strange.push(format!("{odd} rows of the journal have a hash that is not 32 bytes long"));
    }
    Ok(())
}

fn term(connection: &Connection, dir: &Path, strange: &mut Vec<String>) -> rusqlite::Result<()> {
    // Journals of the first versions have none.
    let there: i64 =
        connection
            .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'term'", [], |row| row.get(0))?;
    if there == 0 {
        return Ok(());
    }
    let (rows, number): (i64, i64) =
        connection.query_row("SELECT count(*), ifnull(max(number), 0) FROM term", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    if rows != 1 || !(1..TERM_MOST).contains(&number) {
        strange
            .push(format!("the term of the last writer was changed: {rows} rows, the highest is {number}"));
    }
    // A table that only later versions have, under the mark of an earlier one: redacted records would lose their mark.
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < super::schema::VERSION {
        strange
            .push(format!("the file says it is of version {version}, and has what only later versions have"));
    }
    let noted = holder(dir).and_then(|holder| holder.term);
    if noted.is_some_and(|Term(noted)| i64::try_from(noted).is_ok_and(|noted| noted > number)) {
        strange.push(format!(
            "the term of the last writer was set back to {number}: its holder has a later one"
        ));
    }
    Ok(())
}
