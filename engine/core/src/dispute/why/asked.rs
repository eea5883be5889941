//! The action that is asked about, and how it stands at a table.
//!
//! This module must not try another position.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::chance::seeded::Seeded;
use crate::dispute::explain::{Name, names};
use crate::game::{FullGame, Game, Seat, Stop, Table, TableSetup};
use crate::record::{self, Fault, FaultCode, Malformed};
use crate::replay::answer::Violation;
use crate::replay::malformed_at;
use crate::replay::verdict::player_of;
use crate::rules::{Refusal, Rule};

/// The action that is asked about.
pub(super) struct Asked<G: FullGame> {
    pub(super) text: Box<RawValue>,
    pub(super) value: Value,
    pub(super) action: Result<G::Action, Malformed>,
    pub(super) seat: Option<Seat>,
}

pub(super) type Refused<G> = Refusal<<G as Game>::Rule>;

/// Chance for a trial: it always answers, so that nothing depends on a tape.
pub(in crate::dispute) fn trial_chance<G: Game>() -> Seeded {
    Seeded::new("why", G::META.streams)
}

impl<G: FullGame> Asked<G> {
    pub(super) fn read(text: &str) -> Result<Self, Fault> {
        let no_json = |error: serde_json::Error| {
            Fault::new(FaultCode::BadJson, "", format!("this is no JSON: {error}"))
        };
        let action = match record::action::<G::Action>(text) {
            Ok(action) => Ok(action),
            Err(fault) if fault.code == FaultCode::BadJson => return Err(fault),
            Err(fault) => Err(Malformed::new(text, fault)),
        };
        let text: Box<RawValue> = serde_json::from_str(text).map_err(no_json)?;
        let value = serde_json::from_str(text.get()).map_err(no_json)?;
        let seat = player_of::<G>(text.get());
        Ok(Asked { text, value, action, seat })
    }

    /// Why the action cannot be at this table; nothing if it can, however chance falls.
    pub(super) fn refused(&self, table: &Table<G>) -> Option<Refused<G>> {
        match &self.action {
            Err(fault) => Some(malformed_at(table, fault)),
            Ok(action) => match table.bare().play(action, &mut trial_chance::<G>()) {
                Err(Stop::Refused(refusal)) => Some(refusal),
                Ok(()) | Err(Stop::Chance { .. }) => None,
            },
        }
    }

    /// The clauses by which the action does what it does at a table that accepts it, in the order in
    /// which its events cite them.
    pub(super) fn grounds(&self, table: &Table<G>) -> Vec<G::Rule> {
        let Ok(action) = &self.action else { return Vec::new() };
        let Ok(log) = table.bare().play_logged(action, &mut trial_chance::<G>()) else {
            return Vec::new();
        };
        let mut rules: Vec<G::Rule> = Vec::new();
        for rule in log.events.iter().flat_map(|logged| logged.rules.as_slice()) {
            if !rules.contains(rule) {
                rules.push(*rule);
            }
        }
        rules
    }

    pub(super) fn names(&self) -> Vec<Name> {
        let mut found = Vec::new();
        names("", &self.value, &mut found);
        found
    }

    pub(super) fn violation(
        &self,
        setup: &G::Setup,
        ply: u32,
        refusal: &Refusal<G::Rule>,
    ) -> Violation {
        Violation {
            ply,
            pointer: format!("/actions/{ply}{}", refusal.pointer),
            player: self.seat.map(|seat| G::META.seat_name(seat).to_owned()),
            code: refusal.code.to_owned(),
            rule: refusal.rule.id().to_owned(),
            section: refusal.rule.entry().section(G::Setup::edition(setup)),
            rules: refusal.rules().into_iter().map(str::to_owned).collect(),
            message: refusal.message.clone(),
            facts: refusal.facts.clone(),
            nearest: Vec::new(),
        }
    }
}
