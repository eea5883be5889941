//! What may be left out in a record of Doubloons & Dragoons: phases that end without anything done, favours that are kept.
//!
//! Nothing but sealed bids is hidden, so that what is unknown is bids and dice. Must not decide a rule.

use super::Doubloons;
use super::action::{Action, EndPhase, FavorNegate};
use super::sequence::deciders;
use super::setup::Setup;
use super::state::{Stage, State};
use umpire_core::game::{Omission, Paper};

impl Paper for Doubloons {
    fn omissions() -> &'static [Omission] {
        &OMISSIONS
    }

    /// The action that is meant where nothing is written.
    fn fill_omission(setup: &Setup, state: &State, omission: usize) -> Option<Action> {
        let player = deciders(setup, state).iter().next()?;
        match (OMISSIONS.get(omission)?.name, state.stage) {
            (
                "end_phase",
                Stage::Trading
                | Stage::Production
                | Stage::Spy
                | Stage::Movement
                | Stage::Battle
                | Stage::Routes
                | Stage::Diplomacy,
            ) => Some(Action::EndPhase(EndPhase { player, through: None })),
            ("kept_favor", Stage::FavorNegate) => {
                Some(Action::FavorNegate(FavorNegate { player, r#use: false }))
            }
            _ => None,
        }
    }

    fn is_passive(action: &Action) -> bool {
        match action {
            Action::FavorNegate(it) => !it.r#use,
            Action::SpyTarget(it) => it.target.is_none(),
            Action::Advance(it) => it.units.is_empty(),
            Action::EndPhase(_) => true,
            _ => false,
        }
    }
}

/// What people leave out.
const OMISSIONS: [Omission; 2] = [
    Omission {
        name: "end_phase",
        gist: "the end of a phase, and that somebody leaves the trading session, is put back (DBD-8.1, 6.1)",
    },
    Omission {
        name: "kept_favor",
        gist: "the holder of the favour of whom nothing is written lets a mission go on (DBD-12.7)",
    },
];
