//! What every game has in common, and no game: the core of a deterministic referee.
//!
//! A pure engine: seed (or tape) and actions in; replayed state, events and refusals out, each
//! with the clause it follows from. No I/O, no clock, no floats in rules, no hash-map order, no
//! global state; the same on every platform.
//!
//! The rooms, each of which uses only those above it:
//!
//! - [`rules`], [`wire`], [`digest`], [`budget`]: clause ids, wire types, fingerprints, how much
//!   work a question may cost;
//! - [`board`]: geometry and sets without game words;
//! - [`chance`] answers questions from a seed, a tape, both, or an exploration;
//! - [`record`] is the stored form, [`notation`] the one that people write by hand; [`scene`] is what a view
//!   looks like;
//! - [`game::Game`] is what a game implements, and all that it implements; [`game::Ctx`] is where
//!   its rules run: no state change without an event, no event without a rule, no draw without a rule;
//! - [`replay`] plays a record; [`partial`] judges one with unknowns; [`analysis`] looks ahead; [`dispute`] compares readings;
//! - [`report`] is what a replay tells; `incomplete` answers about records with unknowns by one completion of
//!   them; [`any_game::AnyGame`] is the one dynamic seam.
//!
//! Features: `schema` derives an OpenAPI schema for every wire type (costs the dependency
//! `utoipa` and compile time, nothing at run time).

pub mod analysis;
pub mod any_game;
pub mod board;
pub mod budget;
pub mod chance;
pub mod digest;
pub mod dispute;
pub mod game;
pub(crate) mod incomplete;
pub mod live;
pub mod notation;
pub mod partial;
pub(crate) mod people;
pub mod record;
pub mod replay;
pub mod report;
pub mod rules;
pub mod scene;
#[cfg(feature = "schema")]
pub mod schema;
pub mod wire;
pub mod words;
