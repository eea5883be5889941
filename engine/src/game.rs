//! What a game must answer, and the context in which its rules run.
//!
//! [`Game`] is the only thing a new game implements; replay, views, fingerprints, odds and
//! disputes follow from it generically. This module must not know any game, and must not offer
//! a way to change a state except by an event ([`Ctx::happen`]).

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::chance::{Ask, Chance, Halt};
use crate::record::Malformed;
use crate::rules::{Cites, Refusal, Rule, RulingDef};

/// A type that goes over the wire: plain serde both ways, with an OpenAPI schema under the
/// feature `schema`.
#[cfg(not(feature = "schema"))]
pub trait Wire: Serialize + DeserializeOwned + Send + Sync {}
#[cfg(not(feature = "schema"))]
impl<T: Serialize + DeserializeOwned + Send + Sync> Wire for T {}

/// A type that goes over the wire: plain serde both ways, with an OpenAPI schema.
#[cfg(feature = "schema")]
pub trait Wire: Serialize + DeserializeOwned + Send + Sync + utoipa::ToSchema {}
#[cfg(feature = "schema")]
impl<T: Serialize + DeserializeOwned + Send + Sync + utoipa::ToSchema> Wire for T {}

/// A place at the table: an index into [`Meta::seats`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(pub u8);

/// A set of seats (at most 16).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Seats(u16);

impl Seats {
    /// Nobody.
    pub const NONE: Seats = Seats(0);

    /// The set of one seat.
    pub const fn one(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// The seats 0 to `count` - 1.
    pub const fn first(count: u8) -> Seats {
        Seats(((1u32 << count) - 1) as u16)
    }

    /// This set and one seat more.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | 1 << seat.0)
    }

    /// The seats of either set.
    #[must_use]
    pub const fn and(self, other: Seats) -> Seats {
        Seats(self.0 | other.0)
    }

    /// Whether the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// Whether nobody is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The seats in rising order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..16).map(Seat).filter(move |&seat| self.contains(seat))
    }
}

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
    /// The fewest and the most seats in use.
    pub players: (u8, u8),
    /// The labels of the random streams; an [`Ask`] names one by index.
    pub streams: &'static [&'static str],
    /// The ways in which a game can end, as [`Outcome::reason`] names them.
    pub endings: &'static [&'static str],
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

/// Why a step did not happen: the rules refused it, or chance gave no answer.
#[derive(Debug)]
pub enum Stop<R> {
    /// A clause forbids it.
    Refused(Box<Refusal<R>>),
    /// The tape does not fit, or an exploring chance stopped at an open question.
    Halted {
        /// Why there is no answer.
        halt: Box<Halt>,
        /// The clause that asked, where it is known.
        rule: Option<R>,
    },
}

impl<R> Stop<R> {
    fn asked_by(rule: R) -> impl FnOnce(Halt) -> Stop<R> {
        move |halt| Stop::Halted { halt: Box::new(halt), rule: Some(rule) }
    }
}

impl<R> From<Refusal<R>> for Stop<R> {
    fn from(refusal: Refusal<R>) -> Self {
        Stop::Refused(Box::new(refusal))
    }
}

impl<R> From<Box<Refusal<R>>> for Stop<R> {
    fn from(refusal: Box<Refusal<R>>) -> Self {
        Stop::Refused(refusal)
    }
}

impl<R> From<Halt> for Stop<R> {
    fn from(halt: Halt) -> Self {
        Stop::Halted { halt: Box::new(halt), rule: None }
    }
}

/// What a rule function returns: nothing, or why the step cannot be.
pub type Verdict<G> = Result<(), Stop<<G as Game>::Rule>>;

/// Receives the legal actions of a seat one by one, so that nobody has to build a giant list.
///
/// Answering [`ControlFlow::Break`] ends the listing.
pub trait Menu<G: Game> {
    /// One legal action.
    fn action(&mut self, action: G::Action) -> ControlFlow<()>;
    /// A family of legal actions that differ in numbers (a bid, a deal), with its bounds.
    fn range(&mut self, range: G::Range) -> ControlFlow<()>;
    /// Many legal actions at once, for a menu that need not see each of them.
    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        group.each(&mut |action| self.action(action))
    }
}

/// Legal actions that can be counted and reached by number without listing them.
pub trait Group<A> {
    /// How many there are.
    fn count(&self) -> u64;
    /// The one at this place, below [`Group::count`]; the order is that of [`Group::each`].
    fn nth(&self, at: u64) -> A;
    /// Shows them one by one.
    fn each(&self, to: &mut dyn FnMut(A) -> ControlFlow<()>) -> ControlFlow<()>;
}

/// A menu that only counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Count {
    /// Number of actions so far.
    pub actions: u64,
    /// Number of ranges so far.
    pub ranges: u64,
}

impl<G: Game> Menu<G> for Count {
    fn action(&mut self, _: G::Action) -> ControlFlow<()> {
        self.actions += 1;
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        self.ranges += 1;
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        self.actions += group.count();
        ControlFlow::Continue(())
    }
}

/// A menu that keeps the action at one place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nth<A> {
    skip: u64,
    /// The action, once the listing has come to it.
    pub found: Option<A>,
}

impl<A> Nth<A> {
    /// Keeps the action that `skip` others precede.
    pub const fn new(skip: u64) -> Self {
        Nth { skip, found: None }
    }
}

impl<G: Game> Menu<G> for Nth<G::Action> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        if self.skip == 0 {
            self.found = Some(action);
            return ControlFlow::Break(());
        }
        self.skip -= 1;
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        if self.skip < count {
            self.found = Some(group.nth(self.skip));
            return ControlFlow::Break(());
        }
        self.skip -= count;
        ControlFlow::Continue(())
    }
}

/// The range type of a game in which every legal action is listed by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoRange {}

/// A menu that picks one of the actions, each equally likely, in a single pass (reservoir
/// sampling by groups). For playouts; the chance of a game is another matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick<A> {
    random: u64,
    /// Number of actions so far.
    pub actions: u64,
    /// Number of ranges so far.
    pub ranges: u64,
    /// The action picked among those so far.
    pub found: Option<A>,
}

impl<A> Pick<A> {
    /// Picks with this seed; the same seed picks the same action.
    pub const fn new(seed: u64) -> Self {
        Pick { random: seed, actions: 0, ranges: 0, found: None }
    }

    /// A number below `n`, by SplitMix64 and a multiplication. The bias is below 2^-40 for lists
    /// of up to 2^24 actions.
    fn below(&mut self, n: u64) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.random;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^= word >> 31;
        ((u128::from(word) * u128::from(n)) >> 64) as u64
    }
}

impl<G: Game> Menu<G> for Pick<G::Action> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        self.actions += 1;
        if self.below(self.actions) == 0 {
            self.found = Some(action);
        }
        ControlFlow::Continue(())
    }

    fn range(&mut self, _: G::Range) -> ControlFlow<()> {
        self.ranges += 1;
        ControlFlow::Continue(())
    }

    fn group(&mut self, group: &impl Group<G::Action>) -> ControlFlow<()> {
        let count = group.count();
        self.actions += count;
        let place = self.below(self.actions);
        if place < count {
            self.found = Some(group.nth(place));
        }
        ControlFlow::Continue(())
    }
}

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
    /// The clause that a tape fault cites.
    const TAPE: Self::Rule;

    /// The `options` of a record. What a record leaves out has its default.
    type Options: Wire + Clone + Default;
    /// Options checked and worked out: map, decks, rulings. Never changes during a game.
    type Setup: Send + Sync + 'static;
    /// The whole truth at one moment. Never serialised.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// One decision by one seat.
    type Action: Wire + Clone + PartialEq + Debug + 'static;
    /// A family of legal actions given by bounds; [`NoRange`] where there is none.
    type Range: Wire + Clone + Debug;
    /// One fact. Never serialised.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What one observer learns of a fact.
    type Notice: Wire + Debug;
    /// What one observer knows of the state.
    type View: Wire + Clone + PartialEq + Debug;
    /// The `position` of a record: the referee's view, or the short form of the document.
    type Position: Wire;
    /// The data behind the rules (board, decks, tracks), with the source of each datum.
    type Components: Serialize;
    /// Ids of clauses and rulings.
    type Rule: Rule;

    /// The selectable rulings, in the order of the document.
    fn rulings() -> &'static [RulingDef];
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
    fn normal(_setup: &Self::Setup, _state: &Self::State, action: &Self::Action) -> Self::Action {
        action.clone()
    }
    /// The same decision as those may read it who do not know what its player knows: a hidden
    /// thing under its public name.
    fn redacted(_setup: &Self::Setup, _state: &Self::State, action: &Self::Action) -> Self::Action {
        action.clone()
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
    /// What an observer learns of a fact, if anything.
    fn announce(setup: &Self::Setup, event: &Self::Event, to: Observer) -> Option<Self::Notice>;
    /// A fact in one line of plain English, for the story of a game as the referee saw it.
    fn tell(setup: &Self::Setup, event: &Self::Event) -> Option<String>;
    /// A state that the viewer could be in, its hidden parts drawn with `chance`.
    fn determinize(
        setup: &Self::Setup,
        view: &Self::View,
        chance: &mut dyn Chance,
    ) -> Result<Self::State, Halt>;
}

/// An event with the clauses it follows from.
#[derive(PartialEq, Debug)]
pub struct Logged<G: Game> {
    /// Number of actions accepted before the action that caused it.
    pub ply: u32,
    /// The fact.
    pub event: G::Event,
    /// The clauses, the deciding one first.
    pub rules: Cites<G::Rule>,
}

/// An answer of chance as it would stand on a tape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn<R> {
    /// Number of actions accepted before the action that asked.
    pub ply: u32,
    /// Index into [`Meta::streams`].
    pub stream: u8,
    /// The clause that asked.
    pub rule: R,
    /// The entry.
    pub entry: crate::chance::Entry,
}

/// All that a replay keeps beside the state.
#[derive(PartialEq, Debug)]
pub struct Log<G: Game> {
    /// The facts, in order.
    pub events: Vec<Logged<G>>,
    /// The draws, in order.
    pub tape: Vec<Drawn<G::Rule>>,
}

impl<G: Game> Clone for Logged<G> {
    fn clone(&self) -> Self {
        Logged { ply: self.ply, event: self.event.clone(), rules: self.rules }
    }
}

impl<G: Game> Clone for Log<G> {
    fn clone(&self) -> Self {
        Log { events: self.events.clone(), tape: self.tape.clone() }
    }
}

impl<G: Game> Default for Log<G> {
    fn default() -> Self {
        Log { events: Vec::new(), tape: Vec::new() }
    }
}

/// The context in which rules run: read the state, make facts happen, ask chance.
///
/// The table puts the state back as it was unless the whole step succeeds, so a refusal or a
/// stopped draw leaves nothing half done.
pub struct Ctx<'a, G: Game> {
    setup: &'a G::Setup,
    state: &'a mut G::State,
    chance: &'a mut dyn Chance,
    log: Option<&'a mut Log<G>>,
    ply: u32,
}

impl<'a, G: Game> Ctx<'a, G> {
    pub(crate) fn new(
        setup: &'a G::Setup,
        state: &'a mut G::State,
        chance: &'a mut dyn Chance,
        log: Option<&'a mut Log<G>>,
        ply: u32,
    ) -> Self {
        Ctx { setup, state, chance, log, ply }
    }

    /// The setup. It outlives the context, so it can be read while facts happen.
    pub fn setup(&self) -> &'a G::Setup {
        self.setup
    }

    /// The state as it is now.
    pub fn state(&self) -> &G::State {
        self.state
    }

    /// Makes a fact happen, citing the clauses it follows from.
    pub fn happen(&mut self, event: G::Event, rules: impl Into<Cites<G::Rule>>) {
        G::apply(self.setup, self.state, &event);
        if let Some(log) = &mut self.log {
            log.events.push(Logged { ply: self.ply, event, rules: rules.into() });
        }
    }

    /// Asks chance. The answer is a row for cards, the number shown for dice, an index for
    /// choices (see [`crate::chance::What`]).
    pub fn draw(&mut self, ask: &Ask<'_>, rule: G::Rule) -> Result<u32, Stop<G::Rule>> {
        let answer = self.chance.answer(ask).map_err(Stop::asked_by(rule))?;
        if let Some(log) = &mut self.log
            && let Some(entry) = ask.entry(answer)
        {
            log.tape.push(Drawn { ply: self.ply, stream: ask.stream, rule, entry });
        }
        Ok(answer)
    }

    /// Tells chance of a card that follows from an order given before, so that a seed can be
    /// compared with it. Takes no entry of a tape.
    pub fn known(&mut self, ask: &Ask<'_>, answer: u32) {
        self.chance.known(ask, answer);
    }

    /// Where a deck's order begins: the order (or its top part) if the tape gives one here, as
    /// rows, top first.
    pub fn order(
        &mut self,
        ask: &Ask<'_>,
        rule: G::Rule,
    ) -> Result<Option<Vec<u32>>, Stop<G::Rule>> {
        let found = self.chance.order(ask).map_err(Stop::asked_by(rule))?;
        let Some(rows) = found else { return Ok(None) };
        self.note_order(ask, rule, &rows);
        Ok(Some(rows))
    }

    /// A shuffle that a ruling asks for: the whole order as rows, top first, from the tape or
    /// by the published shuffle.
    pub fn shuffle(&mut self, ask: &Ask<'_>, rule: G::Rule) -> Result<Vec<u32>, Stop<G::Rule>> {
        let rows = self.chance.shuffle(ask).map_err(Stop::asked_by(rule))?;
        self.note_order(ask, rule, &rows);
        Ok(rows)
    }

    fn note_order(&mut self, ask: &Ask<'_>, rule: G::Rule, rows: &[u32]) {
        if let Some(log) = &mut self.log
            && let Some(entry) = ask.order_entry(rows)
        {
            log.tape.push(Drawn { ply: self.ply, stream: ask.stream, rule, entry });
        }
    }
}

/// A game in progress: the setup, the state, the number of accepted actions and, if wanted, the
/// log of facts and draws.
pub struct Table<G: Game> {
    setup: std::sync::Arc<G::Setup>,
    state: G::State,
    ply: u32,
    log: Option<Log<G>>,
}

impl<G: Game> Clone for Table<G> {
    fn clone(&self) -> Self {
        Table {
            setup: self.setup.clone(),
            state: self.state.clone(),
            ply: self.ply,
            log: self.log.clone(),
        }
    }
}

/// Whether a table keeps its events and draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Keep every event with its citations, and every draw.
    Log,
    /// Keep nothing but the state.
    Nothing,
}

impl<G: Game> Table<G> {
    /// A new game, up to its first decision.
    pub fn open(
        setup: std::sync::Arc<G::Setup>,
        chance: &mut dyn Chance,
        keep: Keep,
    ) -> Result<Self, Stop<G::Rule>> {
        let state = G::start(&setup);
        Self::begin(setup, state, chance, keep, G::open)
    }

    /// A loaded position, up to its first decision.
    pub fn resume(
        setup: std::sync::Arc<G::Setup>,
        state: G::State,
        chance: &mut dyn Chance,
        keep: Keep,
    ) -> Result<Self, Stop<G::Rule>> {
        Self::begin(setup, state, chance, keep, G::resume)
    }

    fn begin(
        setup: std::sync::Arc<G::Setup>,
        mut state: G::State,
        chance: &mut dyn Chance,
        keep: Keep,
        opening: fn(&mut Ctx<'_, G>) -> Verdict<G>,
    ) -> Result<Self, Stop<G::Rule>> {
        let mut log = (keep == Keep::Log).then(Log::default);
        opening(&mut Ctx::<G>::new(&setup, &mut state, chance, log.as_mut(), 0))?;
        Ok(Table { setup, state, ply: 0, log })
    }

    /// A table on which nothing has happened yet, for a game whose opening failed.
    pub(crate) fn unopened(setup: std::sync::Arc<G::Setup>, state: G::State, keep: Keep) -> Self {
        Table { setup, state, ply: 0, log: (keep == Keep::Log).then(Log::default) }
    }

    /// The same table without its log.
    #[must_use]
    pub fn bare(&self) -> Self {
        Table { setup: self.setup.clone(), state: self.state.clone(), ply: self.ply, log: None }
    }

    /// Plays one action. On an error nothing has changed, the log included.
    pub fn play(
        &mut self,
        action: &G::Action,
        chance: &mut dyn Chance,
    ) -> Result<(), Stop<G::Rule>> {
        // One copy is enough: the step runs in place, and a refusal puts the copy back.
        let before = self.state.clone();
        let mark = self.log.as_ref().map(|log| (log.events.len(), log.tape.len()));
        let log = self.log.as_mut();
        let mut ctx = Ctx::<G>::new(&self.setup, &mut self.state, chance, log, self.ply);
        match G::decide(&mut ctx, action) {
            Ok(()) => {
                self.ply += 1;
                Ok(())
            }
            Err(stop) => {
                self.state = before;
                if let (Some(log), Some((events, tape))) = (&mut self.log, mark) {
                    log.events.truncate(events);
                    log.tape.truncate(tape);
                }
                Err(stop)
            }
        }
    }

    /// Plays one action, and gives what it caused. On an error nothing has changed.
    pub fn play_logged(
        &mut self,
        action: &G::Action,
        chance: &mut dyn Chance,
    ) -> Result<Log<G>, Stop<G::Rule>> {
        let own = self.log.replace(Log::default());
        let played = self.play(action, chance);
        let log = std::mem::replace(&mut self.log, own);
        played.map(|()| log.unwrap_or_default())
    }

    /// The setup.
    pub fn setup(&self) -> &std::sync::Arc<G::Setup> {
        &self.setup
    }

    /// The state.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// Number of actions accepted so far.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// Events and draws, if kept.
    pub fn log(&self) -> Option<&Log<G>> {
        self.log.as_ref()
    }

    /// What is to be decided now.
    pub fn decision(&self) -> Decision<G::Rule> {
        G::decision(&self.setup, &self.state)
    }

    /// The seats that may act now: those that decide, and those that may interrupt.
    pub fn may_act(&self) -> Seats {
        self.decision().seats.and(G::interrupts(&self.setup, &self.state))
    }

    /// How the game ended, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        G::outcome(&self.setup, &self.state)
    }

    /// What an observer knows of the state.
    pub fn view(&self, to: Observer) -> G::View {
        G::view(&self.setup, &self.state, to)
    }

    /// Lists the legal actions of a seat.
    pub fn legal<M: Menu<G>>(&self, seat: Seat, menu: &mut M) -> ControlFlow<()> {
        G::legal(&self.setup, &self.state, seat, menu)
    }

    /// The legal actions of a seat as a list, ranges left out.
    pub fn actions(&self, seat: Seat) -> Vec<G::Action> {
        let mut list = Listing { actions: Vec::new(), ranges: Vec::new(), most: usize::MAX };
        let _ = self.legal(seat, &mut list);
        list.actions
    }
}

/// A menu that keeps what it is told, up to a bound.
pub struct Listing<G: Game> {
    /// The actions, in the game's order.
    pub actions: Vec<G::Action>,
    /// The ranges, in the game's order.
    pub ranges: Vec<G::Range>,
    /// The listing ends when this many actions are kept.
    pub most: usize,
}

impl<G: Game> Menu<G> for Listing<G> {
    fn action(&mut self, action: G::Action) -> ControlFlow<()> {
        if self.actions.len() >= self.most {
            return ControlFlow::Break(());
        }
        self.actions.push(action);
        ControlFlow::Continue(())
    }

    fn range(&mut self, range: G::Range) -> ControlFlow<()> {
        self.ranges.push(range);
        ControlFlow::Continue(())
    }
}
