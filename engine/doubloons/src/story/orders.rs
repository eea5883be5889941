//! Actions in words.
//!
//! Must not say more than an action does, and what everybody knows of the units it names.

use super::words::Words;
use crate::action::{Action, StackOwner, prince};
use crate::setup::Setup;
use crate::state::State;

/// An action in one line, its units by type and place where the state is given in which it is taken.
pub(crate) fn say(setup: &Setup, state: Option<&State>, action: &Action) -> String {
    let find = |unit| state?.unit(unit).map(|it| (it.kind, it.at));
    let words = &Words { setup, find: &find };
    let who = prince(action.player());
    match action {
        Action::Bid(it) => {
            let stays = if it.skip_trading { " and stays out of the trading session" } else { "" };
            format!("{who} bids {} gold under seal{stays}", it.amount)
        }
        Action::ProposeDeal(it) => {
            format!("{who} proposes a deal: {}", words.items(&it.items))
        }
        Action::RespondDeal(it) => {
            let answer = if it.accept { "agrees to" } else { "refuses" };
            format!("{who} {answer} deal {}", it.deal)
        }
        Action::CancelTreaty(it) => format!("{who} ends the treaty with {}", prince(it.with)),
        Action::UseFavor(it) => {
            let owner = it.owner.map_or(String::new(), |owner| format!(" of {}", prince(owner)));
            let hex = it.hex.map_or(String::new(), |hex| format!(" in {}", words.place(hex)));
            let city = it.city.map(|at| format!(": {}", words.city(at)));
            let city = city.unwrap_or_default();
            format!("{who} uses the favour {}{owner}{hex}{city}", it.r#use.purpose())
        }
        Action::Recruit(it) => {
            let favor = if it.favor { " by the favour" } else { "" };
            format!("{who} recruits {} in {}{favor}", it.unit_type, words.city(it.city))
        }
        Action::Spy(it) => format!("{who} pays {} gold for spies", it.gold),
        Action::SpyTarget(it) => {
            let mission = it.mission.map_or(String::new(), |it| format!(" with result {it}"));
            match it.target {
                Some(target) => {
                    format!("{who} aims a spy{mission} at {}", words.target(target))
                }
                None => format!("{who} lets the spy's success{mission} pass"),
            }
        }
        Action::FavorNegate(it) if it.r#use => format!("{who} stops the spy by the favour"),
        Action::FavorNegate(_) => format!("{who} lets the spy go on"),
        Action::EstablishRoute(it) => match (it.merchant, it.from, it.to) {
            (Some(merchant), ..) => {
                format!("{who} opens a route of {} with merchant u{merchant}", it.good)
            }
            (None, Some(from), Some(to)) => {
                let (from, to) = (words.city(from), words.city(to));
                format!("{who} opens a route of {} from {from} to {to}", it.good)
            }
            (None, ..) => format!("{who} opens a route of {}", it.good),
        },
        Action::EndRoute(it) => {
            let (from, to) = (words.city(it.from), words.city(it.to));
            format!("{who} ends the route of {} from {from} to {to}", it.good)
        }
        Action::PayUpkeep(it) => format!("{who} pays {} gold of upkeep", it.amount),
        Action::FavorFirst(it) if it.r#use => format!("{who} goes first by the favour"),
        Action::FavorFirst(_) => format!("{who} leaves the turn order as it is"),
        Action::Diplomacy(it) => {
            let favor = if it.favor { " by the favour" } else { "" };
            format!("{who} negotiates for {}{favor}", words.city(it.city))
        }
        Action::EndPhase(it) => match it.through {
            Some(through) => format!("{who} ends the phase, and all up to {through}"),
            None => format!("{who} ends the phase"),
        },
        Action::Resign(_) => format!("{who} resigns"),
        Action::AgreeEnd(_) => format!("{who} agrees to stop the game"),
        Action::Disband(_)
        | Action::Move(_)
        | Action::Embark(_)
        | Action::Disembark(_)
        | Action::Attack(_)
        | Action::DeclareTargets(_)
        | Action::Advance(_) => say_order(words, &who, action),
    }
}

/// An order to units in one line.
fn say_order(words: &Words<'_>, who: &str, action: &Action) -> String {
    match action {
        Action::Disband(it) => format!("{who} disbands {}", words.units(&it.units)),
        Action::Move(it) => {
            let way: Vec<String> = it.path.iter().map(|&hex| words.place(hex)).collect();
            let moves = format!("{who} moves {}{}", words.units(&it.units), words.from(&it.units));
            match way.split_last() {
                None => format!("{moves} nowhere"),
                Some((to, [])) => format!("{moves} to {to}"),
                Some((to, way)) => format!("{moves} by {} to {to}", way.join(", ")),
            }
        }
        Action::Embark(it) => {
            let from = words.from(&it.units);
            format!("{who} takes {}{from} aboard {}", words.units(&it.units), words.unit(it.ship))
        }
        Action::Disembark(it) => {
            let to = words.place(it.to);
            format!("{who} lands {} from {} in {to}", words.units(&it.units), words.unit(it.ship))
        }
        Action::Attack(it) => {
            let at = words.place(it.target);
            let units = format!("{}{}", words.units(&it.units), words.from(&it.units));
            match it.owner.map(StackOwner::player) {
                None => format!("{who} attacks {at} with {units}"),
                Some(None) => format!("{who} attacks the neutral units in {at} with {units}"),
                Some(Some(owner)) => {
                    format!("{who} attacks the units of {} in {at} with {units}", prince(owner))
                }
            }
        }
        Action::DeclareTargets(it) => {
            let mut pairs: Vec<_> = it
                .targets
                .iter()
                .map(|(unit, at)| format!("{} at {}", words.unit(*unit), words.unit(*at)))
                .collect();
            pairs.extend(it.all.map(|at| format!("all others at {}", words.unit(at))));
            match pairs.is_empty() {
                true => format!("{who} aims nobody"),
                false => format!("{who} aims {}", pairs.join(", ")),
            }
        }
        Action::Advance(it) => format!("{who} advances with {}", words.units(&it.units)),
        _ => format!("{who} acts"),
    }
}
