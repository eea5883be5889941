//! Umpire as text in, text out: what every door asks the engine.
//!
//! The service, the command, the Python package and the engine in a browser stand on this crate and
//! on nothing below it, so their answers are the same bytes. A tour: [`reading`] turns the text of a
//! record into a game that can be asked; [`questions`] has one function for each question;
//! [`record_id`] makes the id and the canonical text of a record; [`problem`] is the table of
//! everything that can go wrong; [`language`] translates; [`query`] and [`parameters`] read
//! parameters; [`call`] finds a question by its name; [`table`] is a live table as a value.
//!
//! This crate must not know HTTP, a store, a thread or a clock, nor a rule of any game, nor name one.

pub mod call;
#[cfg(feature = "arrow")]
pub mod columns;
pub mod digits;
pub mod json;
pub mod language;
pub mod limits;
pub mod parameters;
pub mod problem;
pub mod query;
pub mod questions;
pub mod reading;
pub mod record_id;
pub mod schemas;
pub mod table;

pub use umpire_engine::analysis::search::{InTurn, Spread};
pub use umpire_engine::budget::Budget;
pub use umpire_engine::replay::answer::ENGINE;
