//! A game in progress: the table.
//!
//! Must not change a state but by a whole step: a refusal puts everything back.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::menu::Listing;
use super::play::{Ctx, Game, Log, Menu, TableSetup, Verdict};
use super::seat::{Seat, Seats};
use super::stop::Stop;
use super::terms::{Decision, Observer, Outcome};
use crate::chance::Chance;

/// A game in progress: the setup, the state, the number of accepted actions and, if wanted, the
/// log of facts and draws.
pub struct Table<G: Game> {
    setup: Arc<G::Setup>,
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
        setup: Arc<G::Setup>,
        chance: &mut dyn Chance,
        keep: Keep,
    ) -> Result<Self, Stop<G::Rule>> {
        let state = G::start(&setup);
        Self::begin(setup, state, chance, keep, G::open)
    }

    /// A loaded position, up to its first decision.
    pub fn resume(
        setup: Arc<G::Setup>,
        state: G::State,
        chance: &mut dyn Chance,
        keep: Keep,
    ) -> Result<Self, Stop<G::Rule>> {
        Self::begin(setup, state, chance, keep, G::resume)
    }

    fn begin(
        setup: Arc<G::Setup>,
        mut state: G::State,
        chance: &mut dyn Chance,
        keep: Keep,
        opening: fn(&mut Ctx<'_, G>) -> Verdict<G>,
    ) -> Result<Self, Stop<G::Rule>> {
        let mut log = (keep == Keep::Log).then(Log::default);
        let ctx = Ctx::<G>::new(&setup, &mut state, chance, log.as_mut(), 0);
        opening(&mut ctx.before_the_first_action())?;
        Ok(Table { setup, state, ply: 0, log })
    }

    /// A table on which nothing has happened yet, for a game whose opening failed.
    pub(crate) fn unopened(setup: Arc<G::Setup>, state: G::State, keep: Keep) -> Self {
        Table { setup, state, ply: 0, log: (keep == Keep::Log).then(Log::default) }
    }

    /// A table on which this state stands, so many actions after the start.
    pub(crate) fn at(setup: Arc<G::Setup>, state: G::State, ply: u32) -> Self {
        Table { setup, state, ply, log: None }
    }

    /// Plays one action that is known to be legal. Does not put the state back: after an error the table is
    /// of no use any more.
    pub(crate) fn play_on(
        &mut self,
        action: &G::Action,
        chance: &mut dyn Chance,
    ) -> Result<(), Stop<G::Rule>> {
        let mut ctx = Ctx::<G>::new(&self.setup, &mut self.state, chance, None, self.ply);
        G::decide(&mut ctx, action)?;
        self.ply += 1;
        Ok(())
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
        self.play_to_draw(action, chance, None)
    }

    /// Plays one action as [`Table::play`] does. If chance gives out, `halfway` is the table at that moment, with what the
    /// action had caused so far.
    pub(crate) fn play_to_draw(
        &mut self,
        action: &G::Action,
        chance: &mut dyn Chance,
        halfway: Option<&mut Option<Box<Table<G>>>>,
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
            Err(mut stop) => {
                let reached = std::mem::replace(&mut self.state, before);
                if let (Stop::Chance { .. }, Some(halfway)) = (&stop, halfway) {
                    let log = self.log.as_ref().zip(mark).map(|(log, (events, tape))| Log {
                        events: log.events[events..].to_vec(),
                        tape: log.tape[tape..].to_vec(),
                    });
                    let (setup, ply) = (self.setup.clone(), self.ply);
                    *halfway = Some(Box::new(Table { setup, state: reached, ply, log }));
                }
                if let Stop::Refused(refusal) = &mut stop
                    && refusal.rule == G::CLAUSES.protocol
                {
                    refusal.add(self.decision().rule);
                }
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
        self.play_logged_to_draw(action, chance, None)
    }

    /// Plays one action as [`Table::play_logged`] does, and as [`Table::play_to_draw`] does if chance gives out.
    pub(crate) fn play_logged_to_draw(
        &mut self,
        action: &G::Action,
        chance: &mut dyn Chance,
        halfway: Option<&mut Option<Box<Table<G>>>>,
    ) -> Result<Log<G>, Stop<G::Rule>> {
        let own = self.log.replace(Log::default());
        let played = self.play_to_draw(action, chance, halfway);
        let log = std::mem::replace(&mut self.log, own);
        played.map(|()| log.unwrap_or_default())
    }

    /// The setup.
    pub fn setup(&self) -> &Arc<G::Setup> {
        &self.setup
    }

    /// The ruleset in force, in the form `drako@1`.
    pub fn ruleset(&self) -> String {
        G::Setup::ruleset(&self.setup)
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
        self.decision().seats.or(G::interrupts(&self.setup, &self.state))
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
