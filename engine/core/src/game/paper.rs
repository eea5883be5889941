//! What a game played at a table leaves unwritten: [`Paper`].
//!
//! Must not make anything legal: what is filled in is judged as any other action is.

use super::play::Game;
use super::seat::Seat;
use super::terms::{Idle, Omission};

/// What may be unknown or left out in a record. By default nothing may.
pub trait Paper: Game {
    /// Whether cards that are drawn are hidden from people at the table, and nothing that happens by itself or is shown to
    /// all depends on which they are: two states that differ in nothing but in where cards lie that nobody has shown
    /// look the same to the spectator, and go on doing so as long as the same actions are legal in both. It is what
    /// [`Paper::assume_unseen`] rests on; a game without such cards says no.
    const CARDS_ARE_UNSEEN: bool = false;
    /// A state that accepts this action if any does that differs from the given one only in where cards lie that nobody
    /// has shown: every such card is there wherever it could be. It is played on for one action at most. Nothing where
    /// there is no such state (an action that asks for a card *not* to be held). Empty by default.
    fn assume_unseen(
        _setup: &Self::Setup,
        _state: &Self::State,
        _action: &Self::Action,
    ) -> Option<Self::State> {
        None
    }
    /// The cards that leave the game for good with an action, wherever it is legal: by name, once for each copy. They are
    /// of the side that acts. By default none does.
    fn list_spent(_setup: &Self::Setup, _action: &Self::Action) -> Vec<String> {
        Vec::new()
    }
    /// How many copies of a card a seat's side has that have not left the game. Never fewer than can still be used;
    /// nothing for what is no card of the side.
    fn count_stock(
        _setup: &Self::Setup,
        _state: &Self::State,
        _seat: Seat,
        _card: &str,
    ) -> Option<u32> {
        None
    }
    /// What people do not write down: actions that follow from what was written next. By default everything is.
    fn omissions() -> &'static [Omission] {
        &[]
    }
    /// The action of this kind that may have been left out here, by its place in [`Paper::omissions`]: the one that is
    /// meant where nothing is written.
    fn fill_omission(
        _setup: &Self::Setup,
        _state: &Self::State,
        _omission: usize,
    ) -> Option<Self::Action> {
        None
    }
    /// The action of this kind that may have been left out in some state that differs from this one only in where cards
    /// lie that nobody has shown; it is legal here, too. Where everybody sees what goes without saying, that is
    /// [`Paper::fill_omission`], as by default.
    fn fill_omission_unseen(
        setup: &Self::Setup,
        state: &Self::State,
        omission: usize,
    ) -> Option<Self::Action> {
        Self::fill_omission(setup, state, omission)
    }
    /// Which cards may be in a hand, and no others, so that the action that may have been left out here
    /// ([`Paper::fill_omission_unseen`]) goes without saying. They do not depend on where cards lie that nobody has shown. Nothing
    /// where cards do not matter, as by default.
    fn list_idle(_setup: &Self::Setup, _state: &Self::State, _omission: usize) -> Option<Idle> {
        None
    }
    /// What may stand at an unknown place of a position (a JSON pointer below it), as JSON values, each once. By default
    /// nothing in a position can be unknown.
    fn list_possible(_setup: &Self::Setup, _place: &str) -> Vec<serde_json::Value> {
        Vec::new()
    }
    /// What a given position leaves out although everybody sees it, and whose default may not be what was meant, as
    /// names of fields and of parts of fields (`hexes/net`); `view` is what the referee sees of the position as it was
    /// taken. By default nothing is.
    fn list_doubtful(_given: &serde_json::Value, _view: &serde_json::Value) -> Vec<String> {
        Vec::new()
    }
    /// Other forms of a decision, for a reading that refuses it in the form in which it was sent (a card wasted where a
    /// pass is asked for), each with what is left of the decision afterwards, which takes its place in the record. They
    /// are tried in their order, and are judged as any other action. Empty by default.
    fn restate(
        _setup: &Self::Setup,
        _state: &Self::State,
        _action: &Self::Action,
    ) -> Vec<(Self::Action, Option<Self::Action>)> {
        Vec::new()
    }
    /// One decision in place of two that followed each other, for a reading that asks for both at once. By default
    /// there is none.
    fn join(_first: &Self::Action, _second: &Self::Action) -> Option<Self::Action> {
        None
    }
    /// Whether an action only lets things be: it passes, accepts what was offered, ends a phase, keeps
    /// what there is. Where another reading does not ask for it, nothing that its player wanted is lost
    /// with it; where another reading asks somebody whom the record did not, it is the answer that comes
    /// closest to not having been asked.
    fn is_passive(_action: &Self::Action) -> bool {
        false
    }
}
