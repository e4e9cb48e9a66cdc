//! The last term given: one row beside the acts. Read in the transaction that writes, so that nobody can take the
//! next term between the look and the write.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, Row, TransactionBehavior};

use super::fault;
use crate::error::Remedy;
use crate::{Error, Term};

/// Takes the next term. It is durable when this returns, and whoever opened the file before is fenced.
pub(super) fn take(connection: &mut Connection, path: &Path) -> Result<Term, Error> {
    const DOING: &str = "take the next term of";
    let taken = next(connection).map_err(|error| fault::of(DOING, path, &error))?;
    // To begin anew could give a term twice.
    taken.ok_or_else(|| Error::failed(DOING, path, "the row of the last one is gone", Remedy::Restore))
}

fn next(connection: &mut Connection) -> rusqlite::Result<Option<Term>> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let next = "UPDATE term SET number = number + 1 RETURNING number";
    let term = transaction.query_row(next, [], number).optional()?;
    transaction.commit()?;
    Ok(term)
}

/// The last term given.
pub(super) fn last(connection: &Connection) -> rusqlite::Result<Term> {
    connection.prepare_cached("SELECT number FROM term")?.query_row([], number)
}

fn number(row: &Row<'_>) -> rusqlite::Result<Term> {
    let number: i64 = row.get(0)?;
    u64::try_from(number).map(Term).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, number))
}
