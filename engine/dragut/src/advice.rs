//! What a program that plays should know: which actions are worth a look, and who stands better.
//!
//! Nothing here makes an action legal or illegal. Must follow from what the acting side knows: of enemies
//! only where their tokens stand, never who they are.

mod estimate;

use std::ops::ControlFlow;

use super::Dragut;
use super::action::{Action, Deploy, EndPhase, Range, Relocate, Side};
use super::ch09_draws::GUESSES;
use super::menu::{self, PaidActions};
use super::notice::Notice;
use super::position::{self, Memory};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Areas, Place, Stage, State, Unit};
use super::view::View;
use super::{ch03_cards, ch06_combat, ch13_protocol};
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::{Advice, Horizon, PRIOR, Seat};
use umpire_core::wire::Name;

impl Advice for Dragut {
    const HORIZON: Horizon = Horizon::Actions(30);

    type Memory = Memory;

    /// How readily a sensible player takes a legal action.
    fn prior(setup: &Setup, state: &State, action: &Action) -> u32 {
        let named =
            |unit: &Name, to: &Name| Some((setup.unit(unit)?, setup.area(to).map(Areas::one)?));
        match action {
            Action::Deploy(it) => deployed(setup, it),
            Action::ChooseCard(it) if it.card.is_none() => PRIOR / 4,
            Action::Land(it) => named(&it.unit, &it.to).map_or(1, |(unit, goal)| {
                let outlook = Outlook::of(setup, state, it.player);
                outlook.weigh(outlook.landing(unit, goal), goal)
            }),
            Action::Move(it) => named(&it.unit, &it.to).map_or(1, |(unit, goal)| {
                let outlook = Outlook::of(setup, state, it.player);
                outlook.weigh(outlook.classes(unit, goal), goal)
            }),
            Action::Send(_) => SEND,
            Action::RaiseAlarm(_) => RAISE,
            Action::EndPhase(_) => END,
            Action::DrawOffer(it) if !it.accept => 1,
            Action::Relocate(it) => relocated(setup, state, it),
            Action::ChooseCard(_)
            | Action::ChooseDefender(_)
            | Action::ArquebusChoice(_)
            | Action::DrawOffer(_)
            | Action::PlaceReserve(_) => PRIOR,
        }
    }

    /// What a sensible player does at first sight in his phase.
    fn reflex(setup: &Setup, state: &State, seat: Seat, chance: &mut dyn Chance) -> Option<Action> {
        let side = match state.stage {
            Stage::PiratePhase => Side::Pirates,
            Stage::RapallinePhase => Side::Rapalline,
            _ => return None,
        };
        if !ch13_protocol::deciders(setup, state).contains(seat) {
            return None;
        }
        let mut below = |n: u32| {
            chance.answer(&Ask { stream: GUESSES, what: What::Hidden { n } }).unwrap_or_default()
        };
        let outlook = Outlook::of(setup, state, side);
        let mut sum = END;
        let mut found: Option<(PaidActions, usize)> = None;
        let _ = menu::list_paid(setup, state, side, &mut |paid| {
            let classes = match paid {
                PaidActions::Land(unit, goals) => outlook.landing(unit, goals),
                PaidActions::Move(unit, goals) => outlook.classes(unit, goals),
                PaidActions::Send(..) | PaidActions::RaiseAlarm => {
                    let weight = if matches!(paid, PaidActions::RaiseAlarm) { RAISE } else { SEND };
                    sum += weight;
                    if below(sum) < weight {
                        found = Some((paid, 0));
                    }
                    return ControlFlow::Continue(());
                }
            };
            let of = |(areas, weight): Class| areas.len() as u32 * weight;
            let weight: u32 = classes.into_iter().map(of).sum();
            sum += weight;
            let mut place = below(sum);
            if place >= weight {
                return ControlFlow::Continue(());
            }
            for class in classes {
                if place >= of(class) {
                    place -= of(class);
                    continue;
                }
                let one = |paid: fn(Unit, Areas) -> PaidActions, unit| {
                    (paid(unit, class.0), (place / class.1) as usize)
                };
                found = Some(match paid {
                    PaidActions::Land(unit, _) => one(PaidActions::Land, unit),
                    PaidActions::Move(unit, _) => one(PaidActions::Move, unit),
                    other => (other, 0),
                });
                break;
            }
            ControlFlow::Continue(())
        });
        let action = found.and_then(|(paid, at)| paid.action(setup, side, at));
        Some(action.unwrap_or(Action::EndPhase(EndPhase { player: side })))
    }

    fn propose(setup: &Setup, _: &State, range: &Range, chance: &mut dyn Chance) -> Vec<Action> {
        proposals(setup, range, chance)
    }

    /// Whether an action is refused because the card is not in hand (DRG-3.2), or because the unit is not at sea or not next
    /// to where it is to go (DRG-5.1, DRG-5.7): in another world it was.
    fn lacks(setup: &Setup, state: &State, action: &Action) -> bool {
        match action {
            Action::ChooseCard(it) => it.card.is_some_and(|card| {
                let row = setup.card(it.player, &card);
                !row.is_some_and(|row| ch03_cards::is_in_hand(state, it.player, usize::from(row)))
            }),
            Action::Land(it) => {
                let unit = setup.unit(&it.unit);
                unit.is_some_and(|unit| state.place[unit.index()] != Place::AT_SEA)
            }
            Action::Move(it) => setup.unit(&it.unit).is_some_and(|unit| {
                let from = state.place[unit.index()].area();
                let to = setup.area(&it.to);
                !from.zip(to).is_some_and(|(from, to)| setup.links[from.index()].contains(to))
            }),
            _ => false,
        }
    }

    fn features(setup: &Setup, state: &State, seat: Seat, features: &mut Vec<i32>) {
        estimate::features(setup, state, seat, features);
    }

    fn weights(seat: Seat) -> &'static [i32] {
        estimate::weights(seat)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        position::determinize(setup, view, &Memory::default(), chance)
    }

    fn recall(setup: &Setup, view: &View) -> Memory {
        Memory::of(setup, view)
    }

    fn remember(setup: &Setup, memory: &mut Memory, notice: &Notice) {
        memory.add(setup, notice);
    }

    fn imagine(
        setup: &Setup,
        view: &View,
        memory: &Memory,
        chance: &mut dyn Chance,
    ) -> Result<State, Halt> {
        position::determinize(setup, view, memory, chance)
    }

    fn redeal(
        setup: &Setup,
        view: &View,
        memory: &Memory,
        dealt: &State,
        chance: &mut dyn Chance,
    ) -> Result<State, Halt> {
        position::redeal(setup, view, memory, dealt, chance)
    }
}

/// What ending a phase with points left is worth.
const END: u32 = 2;
/// A captive sent to the Serraglio.
const SEND: u32 = 30 * PRIOR;
/// A captive freed.
const FREE: u32 = 10 * PRIOR;
/// A unit that reaches a hill.
const FLEE: u32 = 30 * PRIOR;
/// A pirate that lands where nobody is.
const LAND: u32 = 2 * PRIOR;
/// The alarm raised.
const RAISE: u32 = 2 * PRIOR;

/// Where things are that a phase player looks at, worked out once for all his units.
struct Outlook<'a> {
    setup: &'a Setup,
    state: &'a State,
    /// Areas with free enemies.
    enemies: Areas,
    /// Areas linked to those.
    near: Areas,
    /// Areas where somebody could be freed by arriving.
    captives: Areas,
}

/// Goals that weigh the same, and what each weighs.
type Class = (Areas, u32);

impl<'a> Outlook<'a> {
    fn of(setup: &'a Setup, state: &'a State, side: Side) -> Outlook<'a> {
        let free = state.on_map().minus(state.captive);
        let enemies = state.areas_of(free.and(setup.units_of(side.other())));
        let captives = match side {
            Side::Pirates => Areas::NONE,
            Side::Rapalline => state.areas_of(state.captive).minus(enemies),
        };
        Outlook { setup, state, enemies, near: setup.around(enemies), captives }
    }

    /// What an attack by a unit is worth. Of the Rapalline mostly the shot is.
    fn attack(&self, unit: Unit) -> u32 {
        if self.setup.arquebusiers.contains(unit) {
            return 4 * PRIOR;
        }
        let value = u32::from(ch06_combat::value(self.setup, self.state, unit));
        match PIRATE_UNITS.contains(unit) {
            true => PRIOR / 2 + PRIOR * value,
            false if value > 1 => PRIOR / 2,
            false => 1,
        }
    }

    /// The goals of a unit by what they are worth; every goal lies in one class.
    fn classes(&self, unit: Unit, goals: Areas) -> [Class; 4] {
        let hits = goals.and(self.enemies);
        let rest = goals.minus(self.enemies);
        if PIRATE_UNITS.contains(unit) {
            let near = rest.and(self.near);
            return [
                (hits, self.attack(unit)),
                (near, PRIOR),
                (rest.minus(near), PRIOR / 4),
                (Areas::NONE, 0),
            ];
        }
        let rescues = rest.and(self.captives);
        let rest = rest.minus(rescues);
        let away = self.state.place[unit.index()].area().map_or(Areas::NONE, |from| {
            let now = self.setup.to_hills[from.index()];
            rest.iter().filter(|to| self.setup.to_hills[to.index()] < now).collect()
        });
        let hills = away.and(self.setup.hills);
        let forward = if hills.is_empty() { (away, 3 * PRIOR) } else { (hills, FLEE) };
        let rest = rest.minus(forward.0);
        [(hits, self.attack(unit)), (rescues, FREE), forward, (rest, PRIOR / 4)]
    }

    /// What landing a unit is worth, by goals.
    fn landing(&self, unit: Unit, goals: Areas) -> [Class; 4] {
        let hits = goals.and(self.enemies);
        let none = (Areas::NONE, 0);
        [(hits, self.attack(unit)), (goals.minus(hits), LAND), none, none]
    }

    /// The weight of one goal.
    fn weigh(&self, classes: [Class; 4], goal: Areas) -> u32 {
        classes.into_iter().find(|(areas, _)| areas.meets(goal)).map_or(1, |(_, weight)| weight)
    }
}

/// What a deployment is worth: those who cannot fight near the hills, those who can near the coast.
fn deployed(setup: &Setup, deploy: &Deploy) -> u32 {
    let worth = |unit: &Name, area: &Name| {
        let (unit, area) = (setup.unit(unit)?, setup.area(area)?);
        let distance = u32::from(setup.to_hills[area.index()].min(8));
        let fights = setup.values[unit.index()] != 1;
        let more = if unit == setup.giulia { 2 } else { 1 };
        Some(if fights { distance } else { more * (8 - distance) })
    };
    let all = deploy.placements.iter();
    PRIOR + all.filter_map(|it| worth(&it.unit, &it.area)).sum::<u32>()
}

/// What a place for a freed unit is worth: a hill most, then away from pirates.
fn relocated(setup: &Setup, state: &State, relocate: &Relocate) -> u32 {
    let Some(to) = setup.area(&relocate.to) else { return 1 };
    let outlook = Outlook::of(setup, state, Side::Rapalline);
    let safe = if outlook.near.contains(to) { 1 } else { 2 };
    match setup.to_hills[to.index()] {
        0 => FLEE,
        1 => 2 * PRIOR * safe,
        _ => PRIOR * safe,
    }
}

/// How many deployments are proposed at a time.
const DEPLOYMENTS: usize = 6;

/// A few deployments.
fn proposals(setup: &Setup, range: &Range, chance: &mut dyn Chance) -> Vec<Action> {
    let drawn = (0..DEPLOYMENTS).filter_map(|_| menu::sample(range, chance).ok());
    let worth = |action: &Action| match action {
        Action::Deploy(it) => deployed(setup, it),
        _ => 0,
    };
    drawn.max_by_key(worth).into_iter().collect()
}
