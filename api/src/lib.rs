//! The Umpire service: everything around the engine that a client or an operator meets.
//!
//! This crate must not know a rule of any game; it asks the engine.

pub mod store;
