//! A deterministic referee for board games.
//!
//! A pure engine: seed (or tape) and actions in; replayed state, events and refusals out, each
//! with the clause it follows from. No I/O, no clock, no floats in rules, no hash-map order, no
//! global state; the same on every platform.
//!
//! The tour:
//!
//! - [`game::Game`] is what a game implements, and all that it implements;
//! - [`game::Ctx`] is where rules run: no state change without an event, no event without a rule,
//!   no draw without a rule;
//! - [`chance`] answers questions from a seed, a tape, both, or an exploration;
//! - [`record`] is the stored form, [`replay`] plays it, [`digest`] fingerprints states;
//! - [`erased::AnyGame`] is the one dynamic seam; [`games::GAMES`] is the registry.
//!
//! ```
//! use umpire_engine::{erased::Limits, games, record::RawRecord};
//!
//! let text = r#"{"format": "umpire/1", "game": "drako", "chance": {"seed": "demo"},
//!                "actions": [{"type": "draw", "player": "dragon"}]}"#;
//! let record = RawRecord::read(text.as_bytes()).unwrap();
//! let game = games::find(&record.game).unwrap();
//! let judgement = game.judge(&record, Limits::default()).unwrap();
//! assert_eq!(judgement.verdict.plies, 1);
//! ```
//!
//! Features: `schema` derives an OpenAPI schema for every wire type (costs the dependency
//! `utoipa` and compile time, nothing at run time).

pub mod analysis;
pub mod board;
pub mod chance;
pub mod digest;
pub mod dispute;
pub mod erased;
pub mod game;
pub mod games;
pub mod record;
pub mod replay;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
pub mod wire;
