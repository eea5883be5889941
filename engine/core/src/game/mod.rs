//! What a game must answer, and what it speaks of.
//!
//! [`Game`] is all that a game needs to be refereed; replay, views, fingerprints and legal actions follow from it
//! generically. Its other faces are small traits with defaults: [`Story`], [`Picture`], [`Notation`], [`Advice`] and
//! [`Paper`]. A game that has them all is a [`FullGame`], about which everything can be asked. This module must not
//! know any game.

mod advice;
mod condition;
mod draft;
mod horizon;
mod menu;
mod notation;
mod paper;
mod picture;
mod play;
#[cfg(feature = "schema")]
pub mod schemas;
mod seat;
mod stop;
mod story;
mod table;
mod terms;

pub use advice::Advice;
pub use condition::{Change, Condition, Statement};
pub(crate) use draft::Continued;
pub use draft::{Draft, Step, Stray};
pub use horizon::Horizon;
pub use menu::{Count, Listing, Nth, Pick};
pub use notation::Notation;
pub use paper::Paper;
pub use picture::Picture;
pub use play::{
    ActionRange, Ctx, Drawn, Game, Group, Log, Logged, Menu, PlayerAction, TableSetup, Verdict,
};
pub use seat::{Seat, Seats};
pub use stop::Stop;
pub use story::Story;
pub use table::{Keep, Table};
pub use terms::{
    Chapter, CoreClauses, Decision, Idle, Invariants, Meta, NoOptions, NoRange, Observer, Oddity,
    Omission, Outcome, PRIOR, Sheet, SideName, Standing, Tally, Wire,
};

/// A game with all its faces.
pub trait FullGame: Story + Picture + Notation + Advice + Paper {}
impl<G: Story + Picture + Notation + Advice + Paper> FullGame for G {}

/// Something generic to be done with the types of each game (a law, a benchmark).
pub trait Visitor {
    /// One game.
    fn game<G: FullGame>(&mut self);
}
