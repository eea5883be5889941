//! The referee as WebAssembly.
//!
//! It takes and gives text; what JavaScript programs meet is in `js/`. A problem is thrown as the
//! JSON text that the service would send. After a panic an instance must not be used again: the
//! package makes a new one. This crate must not judge anything, must not know a game, and has no
//! clock and no randomness of its own.

use umpire_referee::call::{Call, answer};
use umpire_referee::language::Language;
use umpire_referee::limits::Limits;
use umpire_referee::problem::Problem;
use umpire_referee::query::parameters;
use umpire_referee::questions::analysis::{Plies, prepare};
use umpire_referee::questions::{Asked, NoShelf};
use umpire_referee::{Budget, ENGINE, InTurn, json, reading, table};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A problem as JavaScript catches it: JSON text.
fn thrown(problem: Problem) -> JsValue {
    JsValue::from_str(&json::string(&problem))
}

/// The version of the engine.
#[wasm_bindgen]
pub fn engine() -> String {
    ENGINE.to_owned()
}

/// The memory that this instance has taken, in bytes; it never gives any back.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen]
pub fn memory_taken() -> u32 {
    const PAGE: usize = 65_536;
    u32::try_from(core::arch::wasm32::memory_size::<0>() * PAGE).unwrap_or(u32::MAX)
}

/// Asks a question by its name: the text of the answer.
#[wasm_bindgen]
pub fn ask(call: &str, query: &str, text: &[u8]) -> Result<Vec<u8>, JsValue> {
    let Some(call) = Call::named(call) else {
        return Err(thrown(Problem::not_found(format!("there is no call {call:?}"))));
    };
    answer(call, query, text, Budget::UNLIMITED, &InTurn).map_err(thrown)
}

/// The work on an analysis, ply by ply, so that several workers can share it.
#[wasm_bindgen]
pub struct Analysis(Plies);

#[wasm_bindgen]
impl Analysis {
    /// Prepares the analysis of a request of `POST /v1/analyses`.
    pub fn prepare(text: &[u8]) -> Result<Analysis, JsValue> {
        let (limits, budget) = (Limits::DEFAULT, Budget::UNLIMITED);
        let asked = Asked { shelf: &NoShelf, limits, budget };
        let text = reading::canonical(text);
        prepare(&asked, &text, |_| Ok(()), |_, _, work| Ok(Analysis(work))).map_err(thrown)
    }

    /// The number of plies to analyse.
    pub fn plies(&self) -> u32 {
        self.0.pieces()
    }

    /// The analysis of a ply, as JSON.
    pub fn ply(&self, ply: u32) -> Result<String, JsValue> {
        self.0.piece(ply, Budget::UNLIMITED).map_err(thrown)
    }

    /// What all plies, one a line and in order, come to, as JSON.
    pub fn summary(&self, plies: &str) -> Result<String, JsValue> {
        self.0.sum(plies.lines(), Budget::UNLIMITED).map_err(thrown)
    }
}

/// A live table as a value.
#[wasm_bindgen]
pub struct Table(table::Table);

#[wasm_bindgen]
impl Table {
    /// Opens a record whose actions are legal and whose chance is a seed.
    pub fn open(record: &[u8]) -> Result<Table, JsValue> {
        table::Table::open(record).map(Table).map_err(thrown)
    }

    /// The id of the game.
    pub fn game(&self) -> String {
        self.0.game().meta().id.to_owned()
    }

    /// The seats in use, separated by spaces.
    pub fn seats(&self) -> String {
        self.0.seats().join(" ")
    }

    /// Number of actions accepted so far.
    pub fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// What is to be decided, as JSON.
    pub fn decision(&self) -> String {
        json::string(&self.0.decision())
    }

    /// The record so far, as JSON.
    pub fn record(&self) -> String {
        self.0.record()
    }

    /// How the game stands as a viewer knows it, as JSON.
    pub fn look(&self, viewer: &str) -> Result<Vec<u8>, JsValue> {
        self.0.look(viewer).map_err(thrown)
    }

    /// What a viewer was told from a ply on, as JSON; by the opening, too, without one.
    pub fn events(&self, viewer: &str, from: Option<u32>) -> Result<Vec<u8>, JsValue> {
        self.0.events(viewer, from).map_err(thrown)
    }

    /// The legal actions as a viewer may see them, as JSON; `query` as for a record, without ply and
    /// viewer.
    pub fn legal(&self, viewer: &str, query: &str) -> Result<Vec<u8>, JsValue> {
        let found = parameters(query)
            .and_then(|parameters| self.0.legal(viewer, &parameters, Budget::UNLIMITED));
        found.map_err(thrown)
    }

    /// The board as a viewer sees it, as JSON, with the shapes marked that belong to legal actions.
    pub fn scene(&self, viewer: &str, lang: &str) -> Result<Vec<u8>, JsValue> {
        let lang = Language::named(lang).unwrap_or(Language::ENGLISH);
        self.0.scene(viewer, lang, Budget::UNLIMITED).map_err(thrown)
    }

    /// The best actions of a seat, from what it knows, as JSON.
    pub fn hint(&self, seat: &str, simulations: u32, seed: &str) -> Result<Vec<u8>, JsValue> {
        self.0.hint(seat, simulations, seed, Budget::UNLIMITED, &InTurn).map_err(thrown)
    }

    /// Tries an action: nothing if it was accepted, else why it is illegal, as JSON.
    pub fn act(&mut self, action: &[u8]) -> Result<Option<Vec<u8>>, JsValue> {
        self.0.act(action).map_err(thrown)
    }

    /// Takes back every action from a ply on.
    pub fn undo(&mut self, to: u32) -> Result<(), JsValue> {
        self.0.undo(to).map_err(thrown)
    }
}
