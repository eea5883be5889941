//! A live table as a value: a game that grows action by action, for programs that play.
//!
//! What it answers is what a replay of the same record answers; it only need not begin anew each
//! time. Its chance is the seed of the record that it begins with. Whoever holds it can see
//! everything: this module must not be taken for a place where players are protected from each
//! other, and must not know a game.

use serde_json::value::RawValue;
use umpire_engine::analysis::hint;
use umpire_engine::analysis::search::Spread;
use umpire_engine::any_game::AnyGame;
use umpire_engine::budget::Budget;
use umpire_engine::game::{Observer, Seat};
use umpire_engine::live::{Live, Sender, Tried};
use umpire_engine::record::{Fault, FaultCode, Fields};
use umpire_engine::replay::answer::PendingDecision;

use crate::json;
use crate::language::Language;
use crate::limits::Limits;
use crate::parameters::{Eyes, LegalParameters, Viewer};
use crate::problem::{Code, Problem, shorten};
use crate::reading;

/// A game in progress.
pub struct Table {
    game: &'static dyn AnyGame,
    live: Box<dyn Live>,
    /// The record that it began with, but for its actions.
    head: Vec<(String, Box<RawValue>)>,
    /// The actions that stand.
    actions: Vec<Box<RawValue>>,
}

impl Table {
    /// Opens a record: all its actions must be legal, and its chance a seed.
    ///
    /// # Errors
    /// The record cannot be read, or no game can go on from it.
    pub fn open(record: &[u8]) -> Result<Self, Problem> {
        reading::with_record(record, |it| {
            if it.record.chance.tape.is_some() {
                let detail = "a table draws from a seed; this record has a tape";
                return Err(Fault::new(FaultCode::BadRecord, "/chance/tape", detail).into());
            }
            let limits = Limits::DEFAULT.engine(Budget::UNLIMITED);
            let live = it.game.live(&it.record, limits)?;
            let Fields(fields) = serde_json::from_slice(it.text)
                .map_err(|error| Fault::new(FaultCode::BadRecord, "", error.to_string()))?;
            let head = fields.iter().filter(|(name, _)| name != "actions");
            let head = head.map(|(name, value)| (name.clone(), (*value).to_owned())).collect();
            let list = fields.iter().find(|(name, _)| name == "actions");
            let actions = list.map(|(_, list)| serde_json::from_str(list.get())).transpose();
            let actions = actions
                .map_err(|error| Fault::new(FaultCode::BadRecord, "/actions", error.to_string()))?;
            Ok(Table { game: it.game, live, head, actions: actions.unwrap_or_default() })
        })
    }

    /// The game.
    pub fn game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// The seats in use, in seat order.
    pub fn seats(&self) -> Vec<&'static str> {
        self.live.seats()
    }

    /// Number of actions accepted so far.
    pub fn ply(&self) -> u32 {
        self.live.ply()
    }

    /// What is to be decided.
    pub fn decision(&self) -> PendingDecision {
        self.live.decision()
    }

    /// The record so far, as JSON: what can be stored, sent, and opened again.
    pub fn record(&self) -> String {
        self.record_to(self.actions.len())
    }

    /// The record with only so many of its actions.
    fn record_to(&self, ply: usize) -> String {
        let head = self.head.iter().map(|(name, value)| (json::string(name), value.get()));
        let mut text: String = head.map(|(name, value)| format!("{name}:{value},")).collect();
        let actions: Vec<&str> = self.actions[..ply].iter().map(|it| it.get()).collect();
        text.insert(0, '{');
        text.push_str(&format!("\"actions\":[{}]}}", actions.join(",")));
        text
    }

    /// How the game stands as a viewer knows it, as JSON.
    ///
    /// # Errors
    /// There is no such viewer.
    pub fn look(&self, viewer: &str) -> Result<Vec<u8>, Problem> {
        Ok(json::text(&self.live.look(self.viewer(viewer)?)))
    }

    /// What a viewer was told by the actions from ply `from` on, as JSON; by the opening, too, if
    /// `from` is left out.
    ///
    /// # Errors
    /// There is no such viewer.
    pub fn events(&self, viewer: &str, from: Option<u32>) -> Result<Vec<u8>, Problem> {
        Ok(json::text(&self.live.tell(self.viewer(viewer)?, from, self.ply())))
    }

    /// The legal actions as a viewer may see them, as JSON. The parameters name no ply and no viewer.
    ///
    /// # Errors
    /// There is no such viewer, or the budget is spent.
    pub fn legal(
        &self,
        viewer: &str,
        parameters: &LegalParameters,
        budget: Budget<'_>,
    ) -> Result<Vec<u8>, Problem> {
        let limits = umpire_engine::replay::Limits {
            listed: parameters.limit,
            ..Limits::DEFAULT.engine(budget)
        };
        let mut legal = self.live.legal(self.viewer(viewer)?, parameters.wanted(), limits)?;
        parameters.lang.of(self.game).choices(&mut legal.choices);
        Ok(json::text(&legal))
    }

    /// The board as a viewer sees it, as JSON, with the shapes marked that belong to legal actions.
    ///
    /// # Errors
    /// There is no such viewer, or the budget is spent.
    pub fn scene(
        &self,
        viewer: &str,
        lang: Language,
        budget: Budget<'_>,
    ) -> Result<Vec<u8>, Problem> {
        let limits = Limits::DEFAULT.engine(budget);
        let mut depicted = reading::depict(&*self.live, self.viewer(viewer)?, true, limits)?;
        lang.of(self.game).scene(&mut depicted.scene);
        Ok(json::text(&depicted))
    }

    /// What a program may choose between for a seat, each as JSON, and whether no sensible action is
    /// left out; at most `most`.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn offers(&self, seat: &str, most: usize) -> Result<(Vec<Box<RawValue>>, bool), Problem> {
        Ok(self.live.offers(self.seat(seat)?, most))
    }

    /// Advice for a seat from what it knows, as JSON: the best actions, found by search.
    ///
    /// # Errors
    /// There is no such seat, it has nothing to decide, or the budget is spent.
    pub fn hint(
        &self,
        seat: &str,
        simulations: u32,
        seed: &str,
        budget: Budget<'_>,
        spread: &dyn Spread,
    ) -> Result<Vec<u8>, Problem> {
        let seat = self.seat(seat)?;
        let asked = hint::Asked {
            ply: None,
            seat: Some(seat),
            simulations,
            seed,
            most: 5,
            limits: Limits::DEFAULT.engine(budget),
            spread,
        };
        Ok(json::text(&self.live.seen_by(seat).hint(&asked)?))
    }

    /// Tries an action, a JSON text. Nothing is returned if it was accepted; otherwise why it is
    /// illegal, as in a verdict, and nothing has changed.
    ///
    /// # Errors
    /// The text is not JSON, or nothing that can stand among the actions of a record.
    pub fn act(&mut self, action: &[u8]) -> Result<Option<Vec<u8>>, Problem> {
        let action: &RawValue = serde_json::from_slice(action).map_err(|error| {
            Problem::new(Code::BadJson, format!("the action is not valid JSON: {error}"))
        })?;
        let sender = Sender { seat: None, viewer: Observer::Referee };
        let read = self.live.read(action)?;
        match self.live.play(&read, Vec::new(), sender)? {
            Tried::Taken => {
                self.actions.push(action.to_owned());
                Ok(None)
            }
            Tried::Refused(violation) => Ok(Some(json::text(&violation))),
        }
    }

    /// Takes back every action from a ply on.
    ///
    /// # Errors
    /// The table has not come to that ply.
    pub fn undo(&mut self, to: u32) -> Result<(), Problem> {
        let plies = self.ply();
        if to > plies {
            return Err(Problem::not_found(format!(
                "the table has no ply {to}; its plies are 0 to {plies}"
            )));
        }
        *self = Table::open(self.record_to(to as usize).as_bytes())?;
        Ok(())
    }

    /// The viewer with that name.
    fn viewer(&self, name: &str) -> Result<Observer, Problem> {
        Viewer::named(Some(name)).of(self.game, Eyes::AnyOr(Observer::Referee))
    }

    /// The seat with that name.
    fn seat(&self, name: &str) -> Result<Seat, Problem> {
        self.game.meta().seat(name).ok_or_else(|| {
            let seats = self.game.meta().seats.join(", ");
            Problem::not_found(format!("unknown seat {:?}; expected one of {seats}", shorten(name)))
        })
    }
}
