//! The context in which rules run: read the state, make facts happen, ask chance, refuse.
//!
//! Must not offer a way to change a state except by an event ([`Ctx::happen`]).

use super::{Game, Observer};
use crate::chance::{Ask, Chance, Halt};
use crate::rules::{Cites, Refusal};

/// Why a step did not happen: the rules refused it, or chance gave no answer.
#[derive(Debug)]
pub enum Stop<R> {
    /// A clause forbids it.
    Refused(Refusal<R>),
    /// The tape does not fit, or an exploring chance stopped at an open question.
    Chance {
        /// Why there is no answer.
        halt: Box<Halt>,
        /// The clause that asked, where it is known.
        rule: Option<R>,
    },
}

impl<R> Stop<R> {
    fn asked_by(rule: R) -> impl FnOnce(Halt) -> Stop<R> {
        move |halt| Stop::Chance { halt: Box::new(halt), rule: Some(rule) }
    }
}

impl<R> From<Refusal<R>> for Stop<R> {
    fn from(refusal: Refusal<R>) -> Self {
        Stop::Refused(refusal)
    }
}

impl<R> From<Halt> for Stop<R> {
    fn from(halt: Halt) -> Self {
        Stop::Chance { halt: Box::new(halt), rule: None }
    }
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
    /// Index into [`Meta::streams`](super::Meta::streams).
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

impl<G: Game> Logged<G> {
    /// The fact in one line as an observer learns of it, if there is something to tell him.
    pub fn tell(&self, setup: &G::Setup, to: Observer) -> Option<String> {
        G::tell(setup, &self.event, &self.about, to)
    }
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
