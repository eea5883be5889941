//! Fixtures, precedents and the conformance pack that other engines run.
//!
//! A fixture is a record with what is expected of it. Adding a case is adding a file; nothing
//! here knows a game.
//!
//! - `fixtures/<game>/rules/*.json`: the smallest case per clause; the name begins with the
//!   number of the clause (`7.8-…`), ruling (`R05-…`) or place of the rules document (`W03-…`,
//!   `G06-…`) that it shows;
//! - `fixtures/<game>/games/*.json`: whole games;
//! - `fixtures/<game>/precedents/*.json`: decided disputes, with the answer under every reading;
//! - `fixtures/<game>/waivers.json`: clauses that no fixture can show, each with the reason;
//! - `fixtures/<game>/judged.json`: disputes that were answered wrongly once, and what has to be said of them;
//! - `fixtures/<game>/laws.json`: what the laws need to know of the game;
//! - `fixtures/<game>/crowd.json`: a crowded position with an action, and the bytes of its state,
//!   for the benchmark of games whose state grows.
//!
//! [`fixture`] and [`precedent`] are what these files say, [`embedded`] is what a binary carries of
//! them, [`compliance`] says which readings they show, [`pack`] takes them to other engines. What runs them lies in `tests/`.

pub mod compliance;
pub mod embedded;
pub mod fixture;
pub mod folders;
pub mod pack;
pub mod precedent;
