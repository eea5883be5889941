//! What a program that plays should know: [`Advice`].
//!
//! Nothing here makes an action legal or illegal, and nothing may follow from more than the acting seat knows.

use std::fmt::Debug;

use super::horizon::Horizon;
use super::play::{ActionRange, Game};
use super::seat::Seat;
use super::terms::{Observer, PRIOR};
use crate::chance::{Chance, Halt};

/// What a program that plays should know: which actions are worth a look, who stands better, and in which states a
/// viewer could be.
pub trait Advice: Game {
    /// What an observer has learnt and his view does not show any more; `()` for a game whose view always
    /// shows all that is still true. Never serialised. The default knows nothing beyond the view.
    type Memory: Clone + Default + PartialEq + Debug + Send + Sync + 'static;

    /// How readily a sensible player takes a legal action, as a weight beside those of the others: 0 for
    /// what nobody sensible does while anything else can be done (to resign), [`PRIOR`] for what is neither
    /// good nor bad at sight. It leads searches and playouts to what is likely; it never makes an action
    /// legal or illegal, and must follow from what the acting seat knows.
    fn prior(_setup: &Self::Setup, _state: &Self::State, _action: &Self::Action) -> u32 {
        PRIOR
    }
    /// What a sensible player of a seat does at first sight, drawn with `chance`: a legal action, about as likely
    /// as its weight ([`Advice::prior`]), from what the seat knows. For playouts, which have no time to list
    /// everything. Nothing where the list is quick enough: then that is drawn from.
    fn reflex(
        _setup: &Self::Setup,
        _state: &Self::State,
        _seat: Seat,
        _chance: &mut dyn Chance,
    ) -> Option<Self::Action> {
        None
    }
    /// A few sensible actions of a range, for searches and playouts. By default one, drawn with `chance`.
    fn propose(
        setup: &Self::Setup,
        state: &Self::State,
        range: &Self::Range,
        chance: &mut dyn Chance,
    ) -> Vec<Self::Action> {
        range.sample(setup, state, chance).into_iter().collect()
    }
    /// Whether an action is refused in any case because its player does not have the cards that it uses, or because what it
    /// names is not where it would have to be. Search asks this of what was possible in another world before it plays it in
    /// this one: to refuse with reasons costs more. It need not find everything; by default nothing, which is right for
    /// a game whose worlds differ in nothing that makes an action illegal.
    fn lacks(_setup: &Self::Setup, _state: &Self::State, _action: &Self::Action) -> bool {
        false
    }
    /// How far a line is followed until it is cut off and estimated ([`Advice::features`]), where nothing else is said.
    const HORIZON: Horizon = Horizon::Actions(400);
    /// A number of the turn at hand, which rises from turn to turn, never falls, and is known to everybody: what
    /// [`Horizon::Turns`] counts. By default all is one turn.
    fn turn(_setup: &Self::Setup, _state: &Self::State) -> u32 {
        0
    }
    /// What of a state makes a seat likely to win, as numbers in a fixed order: what
    /// [`Advice::weights`] weighs. By default nothing: the game offers no estimate.
    fn features(_setup: &Self::Setup, _state: &Self::State, _seat: Seat, _features: &mut Vec<i32>) {
    }
    /// What each of [`Advice::features`] is worth to a seat, in thousandths of a natural logarithm of odds.
    /// Found by self-play: fitted, tuned or compared in games.
    fn weights(_seat: Seat) -> &'static [i32] {
        &[]
    }
    /// A state that the viewer could be in, its hidden parts drawn with `chance`, as far as his present view
    /// tells. By default the view is loaded as a position, which is right for a game that hides nothing.
    fn determinize(
        setup: &Self::Setup,
        view: &Self::View,
        _chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt> {
        let no_position = || Halt::NoSeed { asked: "what a view of this game hides".to_owned() };
        let position = serde_json::to_value(view).and_then(serde_json::from_value);
        let position = position.map_err(|_| no_position())?;
        Self::load(setup, position).map_err(|_| no_position())
    }
    /// The same state with the secret choices undone that others have made and this observer cannot see, so that they have
    /// yet to be made; nothing where there are none, as by default. Who chooses at the same time as others searches by it,
    /// whoever was asked first: the others then choose in the search as it believes that they do, and not as it was drawn.
    fn reopen(
        _setup: &Self::Setup,
        _state: &Self::State,
        _observer: Observer,
    ) -> Option<Self::State> {
        None
    }
    /// Whether nothing is hidden from anybody right after something fell that everybody saw. Search then takes falls as one
    /// that come to the same state.
    const FALLS_ARE_OPEN: bool = false;
    /// What somebody will remember who sees a table for the first time: what of this view a later one may
    /// not show. By default nothing.
    fn recall(_setup: &Self::Setup, _view: &Self::View) -> Self::Memory {
        Self::Memory::default()
    }
    /// Adds to an observer's memory what he is told of a fact ([`Game::announce`]), in the order of the
    /// facts. By default nothing is kept.
    fn remember(_setup: &Self::Setup, _memory: &mut Self::Memory, _notice: &Self::Notice) {}
    /// A state that the viewer could be in who remembers this: like [`Advice::determinize`], and nothing in it
    /// contradicts what he was told before and is still true. By default the view alone decides.
    fn imagine(
        setup: &Self::Setup,
        view: &Self::View,
        _memory: &Self::Memory,
        chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt> {
        Self::determinize(setup, view, chance)
    }
    /// Another state that the viewer could be in, made of one (`dealt`) that [`Advice::imagine`] gave for the same
    /// view and memory: the same state as `imagine` gives for the same answers of chance, which are asked for in
    /// the same order. For searches, which draw a world for every line; by default everything is worked out again.
    fn redeal(
        setup: &Self::Setup,
        view: &Self::View,
        memory: &Self::Memory,
        _dealt: &Self::State,
        chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt> {
        Self::imagine(setup, view, memory, chance)
    }
}
