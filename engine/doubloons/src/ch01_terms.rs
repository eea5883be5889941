//! DBD-1 General terms: whose unit closes a hex, and who is captured.
//!
//! Must not know which order leads into a hex.

use super::Ctx;
use super::action::Player;
use super::action::prince;
use super::notice::Happening;
use super::rulebook::{
    BribedCity, Bystanders, Capture, ChurchHold, GarrisonTime, Markets, Mixing, NeutralLeaders,
    Occupation, Partners, PortShips, Protection, Rule, Rulings,
};
use super::setup::Setup;
use super::setup::map::At;
use super::state::{State, Term, Unit};
use super::tables::Kind;
use umpire_core::rules::Cites;

/// DBD-1.7 Whether a hex is closed to a unit, by what stands there or by the Church.
pub(super) fn is_closed(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    is_occupied(setup, state, player, military, at)
        || (military && is_shut_by_church(setup, state, player, at))
}

/// DBD-1.7 A hex is closed to a unit by what stands there: another player's unit that is no leader,
/// and for military units a neutral one that is no leader.
pub(super) fn is_occupied(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> bool {
    state.units_at(at).any(|unit| is_in_the_way(setup, state, player, military, unit))
        || (military && has_garrison_to_come(setup, state, at))
}

/// DBD-3.3 With DBD-R8 read as `first_met`, a city whose garrison is still to be thrown counts as holding one neutral militia.
pub(super) fn has_garrison_to_come(setup: &Setup, state: &State, at: At) -> bool {
    let city = setup.map.place(at).city;
    setup.rulings.garrison_time == GarrisonTime::FirstMet
        && city > 0
        && state.city(city).garrison_unthrown
}

/// DBD-6.9 With DBD-R94 read as `passes`, whether two players are treaty partners, who are no enemies of each other.
pub(super) fn are_allies(setup: &Setup, state: &State, one: Player, other: Player) -> bool {
    setup.rulings.partners == Partners::Passes && state.are_friends(one, other)
}

/// DBD-1.7 Whether a unit closes its hex to a unit of a player.
fn is_in_the_way(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    unit: &Unit,
) -> bool {
    if unit.kind.is_leader() {
        return false;
    }
    match unit.owner {
        Some(owner) if owner == player || are_allies(setup, state, player, owner) => false,
        Some(_) => military || !is_in_open_market(setup, state, unit),
        None => military,
    }
}

/// DBD-1.7 Whether leaders and merchants ignore a unit: in a neutral city another player's merchant, unless DBD-R88 is read as
/// `barred`.
fn is_in_open_market(setup: &Setup, state: &State, unit: &Unit) -> bool {
    setup.rulings.markets == Markets::Open && is_at_market(setup, state, unit)
}

/// DBD-1.7 Whether a unit is a merchant in a neutral city.
fn is_at_market(setup: &Setup, state: &State, unit: &Unit) -> bool {
    let city = setup.map.place(unit.at).city;
    unit.kind.is_merchant() && city > 0 && state.city(city).control.is_none()
}

/// DBD-1.7, DBD-19.9 What is cited beside a closed hex: the rulings that decide about what stands there, and DBD-1.12 where several
/// owners share it.
pub(super) fn closing_rules(
    setup: &Setup,
    state: &State,
    player: Player,
    military: bool,
    at: At,
) -> Vec<Rule> {
    let closing = || {
        let there = state.units_at(at);
        there.filter(|unit| is_in_the_way(setup, state, player, military, unit))
    };
    let partner = |unit: &Unit| unit.owner.is_some_and(|owner| state.are_friends(player, owner));
    let mut rules = vec![Rule::C1_7];
    if !military && closing().any(|unit| is_at_market(setup, state, unit)) {
        rules.push(Rule::R88);
    }
    if closing().any(partner) {
        rules.push(Rule::R94);
    }
    if has_garrison_to_come(setup, state, at) {
        rules.push(Rule::R8);
    }
    let mut owners: Vec<_> =
        state.units_at(at).filter(|unit| unit.is_military()).map(|unit| unit.owner).collect();
    owners.dedup();
    if owners.len() > 1 || owners.contains(&Some(player)) {
        rules.push(Rule::C1_12);
    }
    rules
}

/// DBD-1.12 Whether a reading in force lets military units of several players share a hex, or stand in a city of another.
pub(super) fn may_share_hexes(setup: &Setup) -> bool {
    let rulings = &setup.rulings;
    rulings.mixing == Mixing::MixedAllowed
        || rulings.bribed_city == BribedCity::Stays
        || rulings.occupation != Occupation::AnyMilitary
        || rulings.partners == Partners::Passes
}

/// DBD-1.7 Every hex of the map, and whether it is closed to a player's units: asked once for many.
#[derive(Debug)]
pub(super) struct ClosedHexes {
    /// To leaders and merchants, and to military units.
    hexes: Vec<[bool; 2]>,
}

impl ClosedHexes {
    /// The closed hexes of a player.
    pub(super) fn of(setup: &Setup, state: &State, player: Player) -> ClosedHexes {
        let shut = |at: usize| {
            is_shut_by_church(setup, state, player, at as At)
                || has_garrison_to_come(setup, state, at as At)
        };
        let mut hexes: Vec<[bool; 2]> =
            (0..setup.map.places.len()).map(|at| [false, shut(at)]).collect();
        for unit in &state.units {
            for (military, closed) in
                [false, true].into_iter().zip(&mut hexes[usize::from(unit.at)])
            {
                *closed |= is_in_the_way(setup, state, player, military, unit);
            }
        }
        ClosedHexes { hexes }
    }

    /// Whether a hex is closed to a military unit, or to another.
    pub(super) fn is_closed(&self, military: bool, at: At) -> bool {
        self.hexes[usize::from(at)][usize::from(military)]
    }
}

/// DBD-1.7 With DBD-R23 read as `entry_too`, a protected city is shut to strangers' troops.
fn is_shut_by_church(setup: &Setup, state: &State, player: Player, at: At) -> bool {
    let city = setup.map.place(at).city;
    setup.rulings.protection == Protection::EntryToo
        && city > 0
        && state.in_force(state.city(city).protected)
        && state.city(city).control != Some(player)
}

/// DBD-1.8 Leaders, and merchants overtaken without an entry, that share a hex with a player's
/// military units are lost; with DBD-R54 read as `on_entering` only where such units have just entered.
pub(super) fn capture_units(ctx: &mut Ctx<'_>, rules: impl Into<Cites<Rule>>) {
    if ctx.setup().rulings.capture != Capture::OnEntering {
        let lost = overtaken(ctx.setup(), ctx.state());
        remove_captured(ctx, lost, rules.into());
    }
}

/// DBD-1.8, DBD-13.10 What a military unit captures that enters a hex, at the end of its order or on the way.
pub(super) fn capture_on_entry(
    ctx: &mut Ctx<'_>,
    at: At,
    passes: bool,
    rules: impl Into<Cites<Rule>>,
) {
    if passes && ctx.setup().rulings.capture == Capture::OrderEnd {
        return;
    }
    let (setup, state) = (ctx.setup(), ctx.state());
    let lost = lost_among(setup, state, state.units.iter().filter(|it| it.at == at)).collect();
    remove_captured(ctx, lost, rules.into());
}

/// DBD-1.8 The units are lost.
fn remove_captured(ctx: &mut Ctx<'_>, lost: Vec<(u32, Kind, Player)>, rules: Cites<Rule>) {
    for (unit, unit_type, by) in lost {
        let merchant = unit_type.is_merchant();
        // Another reading would spare a merchant.
        let rules = if merchant { rules.and(Rule::R86) } else { rules };
        ctx.happen(Happening::UnitCaptured { unit, unit_type, by }.into(), rules);
    }
}

/// DBD-1.8 Those who share a hex with another player's military units, and whose those are.
fn overtaken(setup: &Setup, state: &State) -> Vec<(u32, Kind, Player)> {
    // Whose units stand where that can be captured, by the last bits of the hex: mostly no others are in such a place.
    let mut owners = [0_u8; 512];
    let place = |unit: &Unit| usize::from(unit.at) % 512;
    let owner = |unit: &Unit| 1_u8 << unit.owner.map_or(6, Player::index);
    for unit in &state.units {
        if !unit.is_military() && may_be_captured(setup, unit) {
            owners[place(unit)] |= owner(unit);
        }
    }
    let meets = |unit: &Unit| {
        unit.is_military() && unit.owner.is_some() && owners[place(unit)] & !owner(unit) != 0
    };
    match state.units.iter().any(meets) {
        true => lost_among(setup, state, state.units.iter()).collect(),
        false => Vec::new(),
    }
}

/// DBD-1.8 Those among some units whom another player's military units capture where they stand, and whose those are: of
/// several players, the owner of the unit with the highest id.
fn lost_among<'a>(
    setup: &'a Setup,
    state: &'a State,
    units: impl Iterator<Item = &'a Unit>,
) -> impl Iterator<Item = (u32, Kind, Player)> {
    units.filter(|unit| !unit.is_military() && may_be_captured(setup, unit)).filter_map(|unit| {
        let hostile = |owner: Player| {
            unit.owner.is_none_or(|of| of != owner && !are_allies(setup, state, of, owner))
        };
        let holders = state.units.iter().filter(|it| it.at == unit.at && it.is_military());
        let captor = holders.rev().filter_map(|it| it.owner).find(|&owner| hostile(owner))?;
        Some((unit.id, unit.kind, captor))
    })
}

/// DBD-1.8 Leaders may be captured, but neutral ones not with DBD-R89 read as `spared`; merchants only with DBD-R86 read as
/// `overtaken`.
fn may_be_captured(setup: &Setup, unit: &Unit) -> bool {
    if unit.kind.is_merchant() {
        return setup.rulings.bystanders == Bystanders::Overtaken;
    }
    unit.owner.is_some() || setup.rulings.neutral_leaders == NeutralLeaders::Captured
}

/// DBD-1.9, DBD-19.9 What holds or pins a unit, and up to when, in words; with the clauses that say so. Of a unit that is held
/// only the mark is known where the Church holds as sabotage does.
pub(super) fn stopped_by(setup: &Setup, state: &State, unit: &Unit) -> (String, &'static [Rule]) {
    let until = |term: Term| {
        let whose = term.of.map_or(String::new(), |player| {
            format!("the main turn of {player} in ", player = prince(player))
        });
        format!("up to {whose}round {}", { term.last })
    };
    let title = unit.title();
    if !state.is_held(unit) {
        let message = format!("{title} is pinned by the Church {}", until(state.pin(unit.id)));
        return (message, &[Rule::C1_9, Rule::R85, Rule::C5_9]);
    }
    match setup.rulings.church_hold {
        ChurchHold::AsSabotage => (
            format!("{title} is held by the Church or by sabotage {}", until(unit.held)),
            &[Rule::C1_9, Rule::R43, Rule::R85, Rule::C5_9, Rule::C12_11],
        ),
        ChurchHold::MoveAndAttack => (
            format!("{title} is held by sabotage {}", until(unit.held)),
            &[Rule::C1_9, Rule::R43, Rule::C12_11],
        ),
    }
}

/// DBD-14.7 Whether a unit in a city becomes a garrison: any but cannon; with DBD-R58 read otherwise no ships, or only land troops.
pub(super) fn becomes_garrison(rulings: &Rulings, kind: Kind) -> bool {
    let stays = match rulings.port_ships {
        PortShips::Literal => false,
        PortShips::StayShips => kind.is_ship(),
        PortShips::TroopsOnly => kind.is_ship() || !kind.is_military(),
    };
    kind != Kind::Cannon && !stays
}

// DBD-1.11 is `sequence::settle`.
