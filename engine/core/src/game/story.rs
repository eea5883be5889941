//! A game told in words: [`Story`].
//!
//! Must not decide anything, and must not tell an observer more than the game lets him know.

use super::condition::{Change, Condition};
use super::play::{Game, Logged};
use super::terms::{Chapter, Observer};
use crate::words::Catalogue;

/// A game told in words. By default it has none: facts, actions and conditions are shown as data.
pub trait Story: Game {
    /// A fact in one line of plain English as an observer learns of it, for the story of a game. It says no more
    /// than his notice and the clauses cited do; where he learns of it in part, it tells that part. `None` for what
    /// the lines around it tell, and for what he learns nothing of.
    fn tell(
        _setup: &Self::Setup,
        _event: &Self::Event,
        _about: &Self::About,
        _to: Observer,
    ) -> Option<String> {
        None
    }
    /// An action in one line of plain English, with the names that people know. It tells nobody more than the action
    /// does and what everybody knows of the things that it names, in the state in which it is taken where that is
    /// given.
    fn describe_action(
        _setup: &Self::Setup,
        _state: Option<&Self::State>,
        _action: &Self::Action,
    ) -> Option<String> {
        None
    }
    /// Whether a fact is what an action is judged by, so that its clauses are named first: a duel, and not the step that
    /// led to it. By default the first fact is.
    fn is_leading(_event: &Self::Event) -> bool {
        false
    }
    /// Whether a ruling that settles a clause of an action can make a difference to it. By default it can.
    fn bears_on(_setup: &Self::Setup, _action: &Self::Action, _ruling: Self::Rule) -> bool {
        true
    }
    /// What a change of one place of the referee's view is to the people at a table. By default it is
    /// told by its place and its values.
    fn describe_change(_setup: &Self::Setup, _change: Change<'_>) -> Condition {
        Condition::Plain
    }
    /// Removes from a referee's view what only keeps books: two states that differ in nothing else
    /// are the same game to everybody at the table (the number of the next unit, a mark that only
    /// another reading looks at). By default there is nothing of the kind.
    fn strip_bookkeeping(_view: &mut Self::View) {}
    /// Whether two states are not the same game by what is quickly looked at, so that no views need to be made: never
    /// true where the views without their bookkeeping are equal. By default that is not known.
    fn differ_at_sight(_one: &Self::State, _other: &Self::State) -> bool {
        false
    }
    /// The line of the game's table for the stretch of play (a round) that the state lies in.
    fn chapter(_setup: &Self::Setup, _state: &Self::State) -> Option<Chapter> {
        None
    }
    /// The languages beside English in which the game's sentences can be told, by their ISO 639 codes.
    fn languages() -> &'static [&'static str] {
        &[]
    }
    /// The sentences in one of these languages.
    fn catalogue(_language: &str) -> Option<&'static Catalogue> {
        None
    }
}

impl<G: Story> Logged<G> {
    /// The fact in one line as an observer learns of it, if there is something to tell him.
    pub fn tell(&self, setup: &G::Setup, to: Observer) -> Option<String> {
        G::tell(setup, &self.event, &self.about, to)
    }
}
