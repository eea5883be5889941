//! What a game must answer: the trait [`Game`], and what it speaks of.
//!
//! [`Game`] is the only thing a new game implements; replay, views, fingerprints, odds and
//! disputes follow from it generically. This module must not know any game.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::chance::{Chance, Halt};
use crate::notation::Notation;
use crate::record::Malformed;
use crate::rules::{Refusal, Rule, RulingDef};
use crate::scene::Scene;
use crate::words::Catalogue;

mod condition;
mod context;
mod draft;
mod horizon;
mod menu;
#[cfg(feature = "schema")]
pub mod schemas;
mod seat;
mod table;

pub use condition::{Change, Condition};
pub use context::{Ctx, Drawn, Log, Logged, Stop, Verdict};
pub(crate) use draft::Continued;
pub use draft::{Draft, Step, Stray};
pub use horizon::Horizon;
pub use menu::{Count, Group, Listing, Menu, Nth, Pick};
pub use seat::{Seat, Seats};
pub use table::{Keep, Table};

/// A type that goes over the wire: plain serde both ways.
pub trait Wire: Serialize + DeserializeOwned + Send + Sync {}
impl<T: Serialize + DeserializeOwned + Send + Sync> Wire for T {}

/// Who looks at a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observer {
    /// The referee, who sees everything.
    Referee,
    /// A player, who sees what the rules let that seat know.
    Seat(Seat),
    /// Somebody who sees only what is public.
    Spectator,
}

impl Observer {
    /// Whether this observer may see what belongs to `seat` alone.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Observer::Referee => true,
            Observer::Seat(own) => own == seat,
            Observer::Spectator => false,
        }
    }
}

/// What is constant about a game.
#[derive(Debug)]
pub struct Meta {
    /// The name in records and paths: `drako`.
    pub id: &'static str,
    /// The prefix of its rule ids: `DRK`.
    pub prefix: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// The version of the rules, the number behind `@` in `drako@1`.
    pub version: u32,
    /// The names of all seats, in seat order.
    pub seats: &'static [&'static str],
    /// What the game's sentences call each seat where the name of its player can stand instead (`Prince 1`), in seat
    /// order; empty where they call it by what it plays (the dragon).
    pub persons: &'static [&'static str],
    /// The fewest and the most seats in use.
    pub players: (u8, u8),
    /// The labels of the random streams; an [`Ask`](crate::chance::Ask) names one by index.
    pub streams: &'static [&'static str],
    /// The ways in which a game can end, as [`Outcome::reason`] names them.
    pub endings: &'static [&'static str],
    /// What the chapters of its rules are called, chapter 1 first.
    pub chapters: &'static [&'static str],
    /// The tables of its rules, in the order of the document, and where in [`Game::components`] each stands.
    pub tables: &'static [Sheet],
}

/// A table of the rules: a number of the document, and what of a game's components stands under it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sheet {
    /// The number, as the rules document has it: `A.3`.
    pub at: &'static str,
    /// What it is called.
    pub title: &'static str,
    /// The part of the components, a JSON pointer: an object, or a list of rows.
    pub of: &'static str,
    /// The columns that belong to the table; all of them where there are none here.
    pub columns: &'static [&'static str],
}

impl Sheet {
    /// A table with all that stands there.
    pub const fn whole(at: &'static str, title: &'static str, of: &'static str) -> Self {
        Sheet { at, title, of, columns: &[] }
    }
}

impl Meta {
    /// The seat of that name.
    pub fn seat(&self, name: &str) -> Option<Seat> {
        let at = self.seats.iter().position(|&seat| seat == name)?;
        u8::try_from(at).ok().map(Seat)
    }

    /// The name of a seat of this game.
    pub fn seat_name(&self, seat: Seat) -> &'static str {
        self.seats.get(usize::from(seat.0)).copied().unwrap_or("?")
    }

    /// The ruleset in the form `drako@1`.
    pub fn ruleset(&self) -> String {
        format!("{}@{}", self.id, self.version)
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The winner, where there is one.
    pub winner: Option<Seat>,
    /// One of [`Meta::endings`].
    pub reason: &'static str,
}

/// How one seat stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The seat.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub player: &'static str,
    /// The place; equal players share one.
    pub place: u8,
    /// What was counted, the most important first.
    pub counts: Vec<Tally>,
}

/// One thing that was counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Tally {
    /// What: `cities`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub what: &'static str,
    /// How many.
    pub count: u32,
}

/// One stretch of play (a round) in a table of the whole game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Chapter {
    /// What it is called: `round`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: &'static str,
    /// Its number.
    pub number: u32,
    /// How each seat stands at its end (or now, if it is not over).
    pub rows: Vec<Standing>,
}

/// Something odd about a setup that is no fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Oddity {
    /// A stable snake_case name.
    pub code: &'static str,
    /// The place below the options, a JSON pointer.
    pub pointer: String,
    /// In plain words.
    pub message: String,
}

/// A kind of action that people leave out of records because it goes without saying.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Omission {
    /// The name in `omitted` of a record: `end_phase`.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub name: &'static str,
    /// What is put back, and where, in one sentence.
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub gist: &'static str,
}

/// The cards with which something goes without saying ([`Game::idle`]).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Idle {
    /// The side whose hand it is.
    pub side: &'static str,
    /// The names of those cards that may be in the hand, each once.
    pub cards: Vec<String>,
}

/// What is to be decided now, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision<R> {
    /// Who may decide; nobody when the game is over.
    pub seats: Seats,
    /// The name of the pending state in the rules document.
    pub state: &'static str,
    /// The clause that asks.
    pub rule: R,
    /// Whether everybody may see the options, not just those who decide.
    pub open: bool,
}

/// The weight of an action that is neither good nor bad at sight ([`Game::prior`]).
pub const PRIOR: u32 = 16;

/// The range type of a game in which every legal action is listed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoRange {}

/// A game: its data, its rules, and what each observer may know.
///
/// Every function is pure: the same arguments give the same answer on every platform. A game
/// reads its [`Game::Setup`] (fixed for one record) and its [`Game::State`] (cheap to copy), and
/// changes the state only in [`Game::apply`].
pub trait Game: Sized + Send + Sync + 'static {
    /// The constants.
    const META: Meta;
    /// The clause that says that a rejected action changes nothing; cited to those who may not
    /// learn more about a refusal.
    const REJECTION: Self::Rule;
    /// The clause that says that an action must fit what is to be decided. What it refuses also cites
    /// the clause that asks for that decision.
    const PROTOCOL: Self::Rule;
    /// The clause that a tape fault cites.
    const TAPE: Self::Rule;

    /// The `options` of a record. What a record leaves out has its default.
    type Options: Wire + Clone + Default;
    /// Options checked and worked out: map, decks, rulings. Never changes during a game.
    type Setup: Send + Sync + 'static;
    /// The whole truth at one moment. Never serialised.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// One decision by one seat.
    type Action: Wire + Clone + Eq + Hash + Debug + 'static;
    /// A family of legal actions given by bounds, with the `type` that they have; every listed action of that type lies
    /// in one. [`NoRange`] where there is none.
    type Range: Wire + Clone + Debug;
    /// One fact. Never serialised.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What the story needs of a fact that the fact itself does not say, taken from the state before it: who a
    /// unit is, where it stands. `()` for a game whose facts say it all. Never serialised.
    type About: Clone + Default + PartialEq + Debug + Send + Sync;
    /// What one observer learns of a fact.
    type Notice: Wire + Debug;
    /// What one observer knows of the state.
    type View: Wire + Clone + PartialEq + Debug;
    /// What an observer has learnt and his view does not show any more; `()` for a game whose view always
    /// shows all that is still true. Never serialised. The default knows nothing beyond the view.
    type Memory: Clone + Default + PartialEq + Debug + Send + Sync + 'static;
    /// The `position` of a record: the referee's view, or the short form of the document.
    type Position: Wire;
    /// The data behind the rules (board, decks, tracks), with the source of each datum.
    type Components: Serialize;
    /// Ids of clauses and rulings.
    type Rule: Rule;

    /// The selectable rulings, in the order of the document.
    fn rulings() -> &'static [RulingDef];
    /// The reading in force of a ruling, both by index: the ruling in [`Game::rulings`], the reading
    /// in its [`RulingDef::values`].
    fn reading(setup: &Self::Setup, ruling: usize) -> usize;
    /// Lays another reading over the options of a record: another edition where one is named (one
    /// of those that the rulebook's sections name), and then each pick, a ruling and its reading by
    /// index as in [`Game::reading`]. What is not named stays as the record has it.
    fn reread(options: &mut Self::Options, edition: Option<&str>, picks: &[(usize, usize)]);
    /// What each other reading changes between equal players, as it was measured: what `umpire simulate GAME --rulings --json`
    /// printed, kept with the game, and quoted in disputes about its own options. By default nothing was.
    fn balance() -> Option<&'static str> {
        None
    }
    /// The data of this setup with its sources.
    fn components(setup: &Self::Setup) -> Self::Components;

    /// Checks the options and works them out. `chance` is for games that generate their map.
    fn setup(
        options: Self::Options,
        chance: &mut dyn Chance,
    ) -> Result<Self::Setup, Stop<Self::Rule>>;
    /// The options in force, nothing left out.
    fn options(setup: &Self::Setup) -> Self::Options;
    /// What is odd about the setup although the rules allow it.
    fn oddities(_setup: &Self::Setup) -> Vec<Oddity> {
        Vec::new()
    }
    /// The edition of the printed book in force, as [`crate::rules::Section`] names it; empty
    /// for a game with only one.
    fn edition(_setup: &Self::Setup) -> &'static str {
        ""
    }
    /// The seats in use.
    fn players(setup: &Self::Setup) -> Seats;

    /// The state before anything happened.
    fn start(setup: &Self::Setup) -> Self::State;
    /// Everything that happens by itself before the first decision (shuffle, deal).
    fn open(ctx: &mut Ctx<'_, Self>) -> Verdict<Self>;
    /// The state of a loaded position, after checking every invariant of the document.
    fn load(
        setup: &Self::Setup,
        position: Self::Position,
    ) -> Result<Self::State, Refusal<Self::Rule>>;
    /// Everything that happens by itself once a loaded position stands on the table.
    fn resume(ctx: &mut Ctx<'_, Self>) -> Verdict<Self>;

    /// What is to be decided now.
    fn decision(setup: &Self::Setup, state: &Self::State) -> Decision<Self::Rule>;
    /// Seats that may act although nobody asks them (a resignation), beside those that decide.
    fn interrupts(_setup: &Self::Setup, _state: &Self::State) -> Seats {
        Seats::NONE
    }
    /// The seat that an action says it comes from.
    fn player(action: &Self::Action) -> Seat;
    /// The refusal of something that is no action of this game.
    fn malformed(setup: &Self::Setup, state: &Self::State, sent: &Malformed)
    -> Refusal<Self::Rule>;
    /// The same decision written in the canonical way, for actions that hold a set in a list or
    /// may name one thing by several names.
    fn canonical(
        _setup: &Self::Setup,
        _state: &Self::State,
        action: &Self::Action,
    ) -> Self::Action {
        action.clone()
    }
    /// The same decision as those may read it who do not know what its player knows: a hidden
    /// thing under its public name.
    fn redacted(_setup: &Self::Setup, _state: &Self::State, action: &Self::Action) -> Self::Action {
        action.clone()
    }
    /// Whether an action only lets things be: it passes, accepts what was offered, ends a phase, keeps
    /// what there is. Where another reading does not ask for it, nothing that its player wanted is lost
    /// with it; where another reading asks somebody whom the record did not, it is the answer that comes
    /// closest to not having been asked.
    fn lets_be(_action: &Self::Action) -> bool {
        false
    }
    /// Carries out one action with all that follows by itself, or says which clause forbids it.
    fn decide(ctx: &mut Ctx<'_, Self>, action: &Self::Action) -> Verdict<Self>;
    /// Changes the state by one fact: the only function that does.
    fn apply(setup: &Self::Setup, state: &mut Self::State, event: &Self::Event);
    /// Lists the legal actions of a seat, each once. Says nothing where the seat neither decides
    /// nor may interrupt.
    fn legal<M: Menu<Self>>(
        setup: &Self::Setup,
        state: &Self::State,
        seat: Seat,
        menu: &mut M,
    ) -> ControlFlow<()>;
    /// An action within a range, drawn with `chance`: how tests sample what cannot be listed.
    fn sample(
        setup: &Self::Setup,
        state: &Self::State,
        range: &Self::Range,
        chance: &mut dyn Chance,
    ) -> Result<Self::Action, Halt>;
    /// Whether an action lies within a range of legal actions of this state.
    fn covers(
        setup: &Self::Setup,
        state: &Self::State,
        range: &Self::Range,
        action: &Self::Action,
    ) -> bool;
    /// How an action of a range goes on from what is chosen of it (its type is the range's): places that are still
    /// open, with what may stand there. `None` where nothing in the range begins so. Whatever is offered leads, choice
    /// by choice, to an action that the range covers, and every such action can be reached.
    fn steps(
        _setup: &Self::Setup,
        _state: &Self::State,
        _range: &Self::Range,
        _draft: &Draft,
    ) -> Option<Vec<Step>> {
        None
    }
    /// How the game ended, if it is over.
    fn outcome(setup: &Self::Setup, state: &Self::State) -> Option<Outcome>;
    /// How the players stand where no rule names a winner, the best first; for information.
    fn standing(_setup: &Self::Setup, _state: &Self::State) -> Vec<Standing> {
        Vec::new()
    }
    /// The line of the game's table for the stretch of play (a round) that the state lies in.
    fn chapter(_setup: &Self::Setup, _state: &Self::State) -> Option<Chapter> {
        None
    }

    /// What an observer knows of the state, built field by field.
    fn view(setup: &Self::Setup, state: &Self::State, to: Observer) -> Self::View;
    /// What a change of one place of the referee's view is to the people at a table. By default it is
    /// told by its place and its values.
    fn condition(_setup: &Self::Setup, _change: Change<'_>) -> Condition {
        Condition::Plain
    }
    /// Puts aside, in a referee's view, what only keeps books: two states that differ in nothing else
    /// are the same game to everybody at the table (the number of the next unit, a mark that only
    /// another reading looks at). By default there is nothing of the kind.
    fn put_books_aside(_view: &mut Self::View) {}
    /// What an observer learns of a fact, if anything.
    fn announce(setup: &Self::Setup, event: &Self::Event, to: Observer) -> Option<Self::Notice>;
    /// The clause by which an action cannot be judged for the observer, because it names something
    /// by what is hidden from him: the answer would tell him whether he guessed right. Must follow
    /// from what he knows. By default there is none.
    fn guess(
        _setup: &Self::Setup,
        _state: &Self::State,
        _action: &Self::Action,
        _to: Observer,
    ) -> Option<Self::Rule> {
        None
    }
    /// What the story needs of a fact beside it; by default nothing. Taken only where a log is kept.
    fn about(_setup: &Self::Setup, _state: &Self::State, _event: &Self::Event) -> Self::About {
        Self::About::default()
    }
    /// A fact in one line of plain English as an observer learns of it, for the story of a game. It says no more
    /// than his notice and the clauses cited do; where he learns of it in part, it tells that part. `None` for what
    /// the lines around it tell, and for what he learns nothing of.
    fn tell(
        setup: &Self::Setup,
        event: &Self::Event,
        about: &Self::About,
        to: Observer,
    ) -> Option<String>;
    /// An action in one line of plain English, with the names that people know. It tells nobody more than the action
    /// does and what everybody knows of the things that it names, in the state in which it is taken where that is
    /// given. By default there is none.
    fn say(
        _setup: &Self::Setup,
        _state: Option<&Self::State>,
        _action: &Self::Action,
    ) -> Option<String> {
        None
    }
    /// How actions are written by hand. By default as their type and `field=value`.
    fn notation() -> &'static Notation {
        &Notation::PLAIN
    }
    /// What a view looks like, with what its observer was told of the last action (`lately`) marked. It is made of
    /// nothing else, so that nothing hidden can be drawn; equal views and notices give equal scenes. By default an
    /// empty scene with the game's title.
    fn scene(_setup: &Self::Setup, _view: &Self::View, _lately: &[Self::Notice]) -> Scene {
        let title = Self::META.title.to_owned();
        Scene { text: title.clone(), title, ..Scene::default() }
    }
    /// The languages beside English in which the game's sentences can be told, by their ISO 639 codes.
    fn languages() -> &'static [&'static str] {
        &[]
    }
    /// The sentences in one of these languages.
    fn catalogue(_language: &str) -> Option<&'static Catalogue> {
        None
    }
    /// How readily a sensible player takes a legal action, as a weight beside those of the others: 0 for
    /// what nobody sensible does while anything else can be done (to resign), [`PRIOR`] for what is neither
    /// good nor bad at sight. It leads searches and playouts to what is likely; it never makes an action
    /// legal or illegal, and must follow from what the acting seat knows.
    fn prior(_setup: &Self::Setup, _state: &Self::State, _action: &Self::Action) -> u32 {
        PRIOR
    }
    /// What a sensible player of a seat does at first sight, drawn with `chance`: a legal action, about as likely
    /// as its weight ([`Game::prior`]), from what the seat knows. For playouts, which have no time to list
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
    fn proposals(
        setup: &Self::Setup,
        state: &Self::State,
        range: &Self::Range,
        chance: &mut dyn Chance,
    ) -> Vec<Self::Action> {
        Self::sample(setup, state, range, chance).into_iter().collect()
    }
    /// Whether an action is refused in any case because its player does not have the cards that it uses, or because what it
    /// names is not where it would have to be. Search asks this of what was possible in another world before it plays it in
    /// this one: to refuse with reasons costs more. It need not find everything; by default nothing, which is right for
    /// a game whose worlds differ in nothing that makes an action illegal.
    fn lacks(_setup: &Self::Setup, _state: &Self::State, _action: &Self::Action) -> bool {
        false
    }
    /// How far a line is followed until it is cut off and estimated ([`Game::features`]), where nothing else is said.
    const HORIZON: Horizon = Horizon::Actions(400);
    /// A number of the turn at hand, which rises from turn to turn, never falls, and is known to everybody: what
    /// [`Horizon::Turns`] counts. By default all is one turn.
    fn turn(_setup: &Self::Setup, _state: &Self::State) -> u32 {
        0
    }
    /// What of a state makes a seat likely to win, as numbers in a fixed order: what
    /// [`Game::weights`] weighs. By default nothing: the game offers no estimate.
    fn features(_setup: &Self::Setup, _state: &Self::State, _seat: Seat, _features: &mut Vec<i32>) {
    }
    /// What each of [`Game::features`] is worth to a seat, in thousandths of a natural logarithm of odds.
    /// Found by self-play: fitted, tuned or compared in games.
    fn weights(_seat: Seat) -> &'static [i32] {
        &[]
    }
    /// A state that the viewer could be in, its hidden parts drawn with `chance`, as far as his present view
    /// tells.
    fn determinize(
        setup: &Self::Setup,
        view: &Self::View,
        chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt>;
    /// The same state with the secret choices undone that others have made and this observer cannot see, so that they have
    /// yet to be made; nothing where there are none, as by default. Who chooses at the same time as others searches by it,
    /// whoever was asked first: the others then choose in the search as it believes that they do, and not as it was drawn.
    fn reopened(
        _setup: &Self::Setup,
        _state: &Self::State,
        _observer: Observer,
    ) -> Option<Self::State> {
        None
    }
    /// Whether nothing is hidden from anybody right after something fell that everybody saw. Search then takes falls as one
    /// that come to the same state.
    const FALLS_ARE_OPEN: bool = false;
    /// Whether cards that are drawn are hidden from people at the table, and nothing that happens by itself or is shown to
    /// all depends on which they are: two states that differ in nothing but in where cards lie that nobody has shown
    /// look the same to the spectator, and go on doing so as long as the same actions are legal in both. It is what
    /// [`Game::unseen`] rests on; a game without such cards says no.
    const CARDS_ARE_UNSEEN: bool = false;
    /// A state that accepts this action if any does that differs from the given one only in where cards lie that nobody
    /// has shown: every such card is there wherever it could be. It is played on for one action at most. Nothing where
    /// there is no such state (an action that asks for a card *not* to be held). By default there is none.
    fn unseen(
        _setup: &Self::Setup,
        _state: &Self::State,
        _action: &Self::Action,
    ) -> Option<Self::State> {
        None
    }
    /// The cards that leave the game for good with an action, wherever it is legal: by name, once for each copy. They are
    /// of the side that acts. By default none does.
    fn spends(_setup: &Self::Setup, _action: &Self::Action) -> Vec<String> {
        Vec::new()
    }
    /// How many copies of a card a seat's side has that have not left the game. Never fewer than can still be used;
    /// nothing for what is no card of the side.
    fn stock(_setup: &Self::Setup, _state: &Self::State, _seat: Seat, _card: &str) -> Option<u32> {
        None
    }
    /// What people do not write down: actions that follow from what was written next. By default everything is.
    fn omissions() -> &'static [Omission] {
        &[]
    }
    /// The action of this kind that may have been left out here, by its place in [`Game::omissions`]: the one that is
    /// meant where nothing is written.
    fn omitted(
        _setup: &Self::Setup,
        _state: &Self::State,
        _omission: usize,
    ) -> Option<Self::Action> {
        None
    }
    /// The action of this kind that may have been left out in some state that differs from this one only in where cards
    /// lie that nobody has shown; it is legal here, too. Where everybody sees what goes without saying, that is
    /// [`Game::omitted`], as by default.
    fn omitted_unseen(
        setup: &Self::Setup,
        state: &Self::State,
        omission: usize,
    ) -> Option<Self::Action> {
        Self::omitted(setup, state, omission)
    }
    /// Which cards may be in a hand, and no others, so that the action that may have been left out here
    /// ([`Game::omitted_unseen`]) goes without saying. They do not depend on where cards lie that nobody has shown. Nothing
    /// where cards do not matter, as by default.
    fn idle(_setup: &Self::Setup, _state: &Self::State, _omission: usize) -> Option<Idle> {
        None
    }
    /// What may stand at an unknown place of a position (a JSON pointer below it), as JSON values, each once. By default
    /// nothing in a position can be unknown.
    fn possible_there(_setup: &Self::Setup, _place: &str) -> Vec<serde_json::Value> {
        Vec::new()
    }
    /// What somebody will remember who sees a table for the first time: what of this view a later one may
    /// not show. By default nothing.
    fn recall(_setup: &Self::Setup, _view: &Self::View) -> Self::Memory {
        Self::Memory::default()
    }
    /// Adds to an observer's memory what he is told of a fact ([`Game::announce`]), in the order of the
    /// facts. By default nothing is kept.
    fn remember(_setup: &Self::Setup, _memory: &mut Self::Memory, _notice: &Self::Notice) {}
    /// A state that the viewer could be in who remembers this: like [`Game::determinize`], and nothing in it
    /// contradicts what he was told before and is still true. By default the view alone decides.
    fn imagine(
        setup: &Self::Setup,
        view: &Self::View,
        _memory: &Self::Memory,
        chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt> {
        Self::determinize(setup, view, chance)
    }
    /// Another state that the viewer could be in, made of one (`dealt`) that [`Game::imagine`] gave for the same
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

/// Something generic to be done with the types of each game (a law, a benchmark).
pub trait Visitor {
    /// One game.
    fn game<G: Game>(&mut self);
}
