//! What may be left out in a record of Doubloons & Dragoons: phases that end without anything done, favours that are kept.
//!
//! Nothing but sealed bids is hidden, so that what is unknown is bids and dice. Must not decide a rule.

use super::Doubloons;
use super::action::{Action, EndPhase, FavorFirst, FavorNegate, PayUpkeep};
use super::ch08_upkeep;
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
            ("kept_favor", Stage::FavorFirst) => {
                Some(Action::FavorFirst(FavorFirst { player, r#use: false }))
            }
            ("paid_upkeep", Stage::PayUpkeep) => {
                let amount = ch08_upkeep::most_upkeep(setup, state).into();
                Some(Action::PayUpkeep(PayUpkeep { player, amount }))
            }
            _ => None,
        }
    }

    fn is_passive(action: &Action) -> bool {
        match action {
            Action::FavorNegate(it) => !it.r#use,
            Action::FavorFirst(it) => !it.r#use,
            Action::SpyTarget(it) => it.target.is_none(),
            Action::Advance(it) => it.units.is_empty(),
            Action::EndPhase(_) => true,
            _ => false,
        }
    }
}

/// What people leave out.
const OMISSIONS: [Omission; 3] = [
    Omission {
        name: "end_phase",
        gist: "the end of a phase, and that somebody leaves the trading session, is put back (DBD-8.1, 6.1)",
    },
    Omission {
        name: "kept_favor",
        gist: "the holder of the favour of whom nothing is written lets a mission go on (DBD-12.7), and a turn order as it is (DBD-R101)",
    },
    Omission {
        name: "paid_upkeep",
        gist: "a player of whom nothing is written pays as much upkeep as he can (DBD-8.3)",
    },
];
