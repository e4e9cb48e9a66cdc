//! Motions, as scripts: who may second, who speaks when, when the other side is argued by order, and what counts.

mod chamber;
mod facts;
mod layers;
mod recorded;
mod views;
