//! What a game must answer to be refereed, and the context in which its rules run: [`Game`].
//!
//! [`Ctx::happen`] is the only way to change a state: by an event that cites its clauses. This module must not know any
//! game, and must not ask one for anything that only its other faces know.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

use serde::Serialize;

use super::draft::{Draft, Step};
use super::seat::{Seat, Seats};
use super::stop::Stop;
use super::terms::{
    CoreClauses, Decision, Meta, NoRange, Observer, Oddity, Outcome, Standing, Wire,
};
use crate::chance::{Ask, Chance, Halt};
use crate::record::Malformed;
use crate::rules::{Cites, Refusal, Rule, RulingDef};

/// A game: its data, its rules, and what each observer may know. It is all that a game needs to be refereed: to be
/// replayed, judged, listed and looked at.
///
/// Every function is pure: the same arguments give the same answer on every platform. A game
/// reads its [`Game::Setup`] (fixed for one record) and its [`Game::State`] (cheap to copy), and
/// changes the state only in [`Game::apply`].
pub trait Game: Sized + Send + Sync + 'static {
    /// The constants.
    const META: Meta;
    /// The clauses that the core cites by itself.
    const CLAUSES: CoreClauses<Self::Rule>;

    /// The `options` of a record. What a record leaves out has its default.
    type Options: Wire + Clone + Default;
    /// Options checked and worked out: map, decks, rulings. Never changes during a game.
    type Setup: TableSetup<Self>;
    /// The whole truth at one moment. Never serialised.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// One decision by one seat.
    type Action: PlayerAction<Self>;
    /// A family of legal actions given by bounds, with the `type` that they have; every listed action of that type lies
    /// in one. [`NoRange`] where there is none.
    type Range: ActionRange<Self>;
    /// One fact. Never serialised.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What a log keeps of the state before a fact, for sentences about it: who a unit is, where it stands. `()` for a
    /// game whose facts say it all. Never serialised.
    type About: Clone + Default + PartialEq + Debug + Send + Sync;
    /// What one observer learns of a fact.
    type Notice: Wire + Debug;
    /// What one observer knows of the state.
    type View: Wire + Clone + PartialEq + Debug;
    /// The `position` of a record: the referee's view, or the short form of the document.
    type Position: Wire;
    /// Ids of clauses and rulings.
    type Rule: Rule;

    /// The state before anything happened.
    fn start(setup: &Self::Setup) -> Self::State;
    /// Everything that happens by itself before the first decision (shuffle, deal).
    fn open(ctx: &mut Ctx<'_, Self>) -> Verdict<Self>;
    /// The state of a loaded position, after checking every invariant of the document.
    fn load(
        setup: &Self::Setup,
        position: Self::Position,
    ) -> Result<Self::State, Refusal<Self::Rule>>;
    /// Everything that happens by itself once a loaded position stands on the table. By default nothing.
    fn resume(_ctx: &mut Ctx<'_, Self>) -> Verdict<Self> {
        Ok(())
    }

    /// What is to be decided now.
    fn decision(setup: &Self::Setup, state: &Self::State) -> Decision<Self::Rule>;
    /// Seats that may act although nobody asks them (a resignation), beside those that decide.
    fn interrupts(_setup: &Self::Setup, _state: &Self::State) -> Seats {
        Seats::NONE
    }
    /// The refusal of something that is not an action of this game.
    fn refuse_malformed(
        setup: &Self::Setup,
        state: &Self::State,
        sent: &Malformed,
    ) -> Refusal<Self::Rule>;
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
    /// How the game ended, if it is over.
    fn outcome(setup: &Self::Setup, state: &Self::State) -> Option<Outcome>;
    /// How the players stand where no rule names a winner, the best first; for information.
    fn standing(_setup: &Self::Setup, _state: &Self::State) -> Vec<Standing> {
        Vec::new()
    }

    /// What an observer knows of the state, built field by field.
    fn view(setup: &Self::Setup, state: &Self::State, to: Observer) -> Self::View;
    /// What an observer learns of a fact, if anything.
    fn announce(setup: &Self::Setup, event: &Self::Event, to: Observer) -> Option<Self::Notice>;
    /// What a log keeps of the state before a fact; by default nothing. Taken only where a log is kept.
    fn about(_setup: &Self::Setup, _state: &Self::State, _event: &Self::Event) -> Self::About {
        Self::About::default()
    }
}

/// Options checked and worked out.
pub trait TableSetup<G: Game>: Sized + Send + Sync + 'static {
    /// Checks the options and works them out. `chance` is for games that generate their map.
    fn from_options(options: G::Options, chance: &mut dyn Chance) -> Result<Self, Stop<G::Rule>>;
    /// The options in force, nothing left out.
    fn options(&self) -> G::Options;
    /// The seats in use.
    fn players(&self) -> Seats;
    /// The selectable rulings, in the order of the document.
    fn rulings() -> &'static [RulingDef] {
        &[]
    }
    /// The reading in force of a ruling, both by index: the ruling in [`TableSetup::rulings`], the reading
    /// in its [`RulingDef::values`].
    fn reading(&self, _ruling: usize) -> usize {
        0
    }
    /// Puts options under the defaults of a version of the ruleset: its readings and its data. Options that were
    /// not put under any have those of the newest. A game with one version has nothing to do.
    fn set_version(_options: &mut G::Options, _version: u32) {}
    /// The version of the ruleset in force.
    fn version(&self) -> u32 {
        G::META.version
    }
    /// The ruleset in force, in the form `drako@1`.
    fn ruleset(&self) -> String {
        G::META.ruleset_of(self.version())
    }
    /// Lays another reading over the options of a record: another edition where one is named (one
    /// of those that the rulebook's sections name), and then each pick, a ruling and its reading by
    /// index as in [`TableSetup::reading`]. What is not named stays as the record has it.
    fn reread(_options: &mut G::Options, _edition: Option<&str>, _picks: &[(usize, usize)]) {}
    /// The edition of the printed book in force, as [`crate::rules::Section`] names it; empty
    /// for a game with only one.
    fn edition(&self) -> &'static str {
        ""
    }
    /// What a game needs that begins with its opening and not with a position. By default nothing.
    fn check_new_game(&self) -> Result<(), Refusal<G::Rule>> {
        Ok(())
    }
    /// What is odd about the setup although the rules allow it.
    fn oddities(&self) -> Vec<Oddity> {
        Vec::new()
    }
    /// The data behind the rules (board, decks, tracks), with the source of each datum. By default none.
    fn components(&self) -> impl Serialize {}
}

/// The setup of a game of which nothing can be chosen: every seat is in use.
impl<G: Game> TableSetup<G> for () {
    fn from_options(_: G::Options, _: &mut dyn Chance) -> Result<Self, Stop<G::Rule>> {
        Ok(())
    }

    fn options(&self) -> G::Options {
        G::Options::default()
    }

    fn players(&self) -> Seats {
        Seats::first(G::META.seats.len())
    }
}

/// One decision by one seat.
pub trait PlayerAction<G: Game>: Wire + Clone + Eq + Hash + Debug + 'static {
    /// The seat that the action says it comes from.
    fn seat(&self) -> Seat;
    /// The same decision written in the canonical way, for actions that hold a set in a list or
    /// may name one thing by several names.
    #[must_use]
    fn canonicalize(&self, _setup: &G::Setup, _state: &G::State) -> Self {
        self.clone()
    }
    /// The same decision as those may read it who do not know what its player knows: a hidden
    /// thing under its public name.
    #[must_use]
    fn redact(&self, _setup: &G::Setup, _state: &G::State) -> Self {
        self.clone()
    }
    /// The clause by which the action cannot be judged for the observer, because it names something
    /// by what is hidden from him: the answer would tell him whether he guessed right. Must follow
    /// from what he knows. By default there is none.
    fn cite_guess(&self, _setup: &G::Setup, _state: &G::State, _to: Observer) -> Option<G::Rule> {
        None
    }
}

/// A family of legal actions given by bounds.
pub trait ActionRange<G: Game>: Wire + Clone + Debug {
    /// An action within the range, drawn with `chance`: how tests sample what cannot be listed.
    fn sample(
        &self,
        setup: &G::Setup,
        state: &G::State,
        chance: &mut dyn Chance,
    ) -> Result<G::Action, Halt>;
    /// Whether an action lies within the range, which is one of legal actions of this state.
    fn covers(&self, setup: &G::Setup, state: &G::State, action: &G::Action) -> bool;
    /// How an action of the range goes on from what is chosen of it (its type is the range's): places that are still
    /// open, with what may stand there. `None` where nothing in the range begins so. Whatever is offered leads, choice
    /// by choice, to an action that the range covers, and every such action can be reached.
    fn steps(&self, _setup: &G::Setup, _state: &G::State, _draft: &Draft) -> Option<Vec<Step>> {
        None
    }
}

impl<G: Game> ActionRange<G> for NoRange {
    fn sample(&self, _: &G::Setup, _: &G::State, _: &mut dyn Chance) -> Result<G::Action, Halt> {
        match *self {}
    }

    fn covers(&self, _: &G::Setup, _: &G::State, _: &G::Action) -> bool {
        match *self {}
    }
}

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

/// What a rule function returns: nothing, or why the step cannot be.
pub type Verdict<G> = Result<(), Stop<<G as Game>::Rule>>;

/// An event with the clauses it follows from.
#[derive(PartialEq, Debug)]
pub struct Logged<G: Game> {
    /// Number of actions accepted before the action that caused it; 0 for the opening.
    pub ply: u32,
    /// Whether it happened before the first action: in the deal, or on loading a position.
    pub opening: bool,
    /// The fact.
    pub event: G::Event,
    /// What its sentence needs beside it.
    pub about: G::About,
    /// The clauses, the deciding one first.
    pub rules: Cites<G::Rule>,
}

/// An answer of chance as it would stand on a tape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn<R> {
    /// Number of actions accepted before the action that asked; 0 for the opening.
    pub ply: u32,
    /// Whether it was asked before the first action: in the deal, or on loading a position.
    pub opening: bool,
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
        Logged {
            ply: self.ply,
            opening: self.opening,
            event: self.event.clone(),
            about: self.about.clone(),
            rules: self.rules,
        }
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
    opening: bool,
}

impl<'a, G: Game> Ctx<'a, G> {
    /// A context on a state: what a table gives to rules, and a test to a chapter alone.
    pub fn new(
        setup: &'a G::Setup,
        state: &'a mut G::State,
        chance: &'a mut dyn Chance,
        log: Option<&'a mut Log<G>>,
        ply: u32,
    ) -> Self {
        Ctx { setup, state, chance, log, ply, opening: false }
    }

    /// The same for what happens before the first action.
    #[must_use]
    pub(super) fn before_the_first_action(self) -> Self {
        Ctx { opening: true, ..self }
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
        let Some(log) = &mut self.log else {
            return G::apply(self.setup, self.state, &event);
        };
        let about = G::about(self.setup, self.state, &event);
        G::apply(self.setup, self.state, &event);
        let (ply, opening) = (self.ply, self.opening);
        log.events.push(Logged { ply, opening, event, about, rules: rules.into() });
    }

    /// Asks chance. The answer is a row for cards, the number shown for dice, an index for
    /// choices (see [`crate::chance::What`]).
    pub fn draw(&mut self, ask: &Ask<'_>, rule: G::Rule) -> Result<u32, Stop<G::Rule>> {
        let answer = self.chance.answer(ask).map_err(Stop::asked_by(rule))?;
        if let Some(log) = &mut self.log
            && let Some(entry) = ask.entry(answer)
        {
            let (ply, opening) = (self.ply, self.opening);
            log.tape.push(Drawn { ply, opening, stream: ask.stream, rule, entry });
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
            let (ply, opening) = (self.ply, self.opening);
            log.tape.push(Drawn { ply, opening, stream: ask.stream, rule, entry });
        }
    }
}
