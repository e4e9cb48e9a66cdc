//! Steering: what an operator does to a debate while it runs and after it.

mod branches;
mod clerks;
mod requests;
mod rounds;
