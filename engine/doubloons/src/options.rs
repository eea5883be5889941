//! What a player may do now: likely actions one by one, and ranges that describe all the rest.
//!
//! Nothing here is a rule: whatever is listed has passed the fault functions of the chapters,
//! and whether an action lies in a range is asked of the same functions.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use umpire_core::board::hex::Hex;
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Menu;
use umpire_core::wire::present;

use super::action::{
    Action, Advance, AgreeEnd, Attack, Bid, CancelTreaty, CityItem, DealItem, DeclareTargets,
    Diplomacy, Disband, Disembark, Embark, EndPhase, EstablishRoute, FavorItem, FavorNegate,
    GoldItem, Move, PromiseItem, ProposeDeal, Recruit, Resign, RespondDeal, Spy, SpyTarget,
    Through, TreatyItem, UnitItem, UseFavor,
};
use super::ch13_movement::{self, Walker, may_enter};
use super::map::At;
use super::rulebook::Stacks;
use super::setup::Setup;
use super::state::{Phase, State, Unit};
use super::tables::{FavorUse, Good, Kind, Mission};
use super::wire::{Keyed, Player};
use super::{
    Doubloons, ch05_church, ch06_trading, ch08_upkeep, ch11_production, ch12_spies, ch14_battle,
    ch15_routes, ch16_diplomacy, ch18_ends, ch19_validity,
};

/// A family of legal actions given by bounds. Actions that are listed by themselves lie in it
/// too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Range))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Range {
    /// A bid of 0 to `most`, with or without `skip_trading`.
    Bid {
        /// Who bids.
        player: Player,
        /// All his gold.
        most: u32,
    },
    /// Any deal among those in the session that names the proposer and gives only what its
    /// givers hold.
    ProposeDeal {
        /// Who proposes.
        player: Player,
        /// Those in the session, the possible parties.
        parties: Vec<Player>,
        /// The gold each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, u32>))]
        gold: Keyed<Player, u32>,
        /// The units each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, Vec<u32>>))]
        units: Keyed<Player, Vec<u32>>,
        /// The cities each party can give.
        #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, Vec<u8>>))]
        cities: Keyed<Player, Vec<u8>>,
        /// The party that can give the favour.
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        #[cfg_attr(feature = "schema", schema(nullable = false))]
        favor: Option<Player>,
        /// The treaties that can be made.
        treaties: Vec<[Player; 2]>,
    },
    /// Any `count` of these units.
    Disband {
        /// Whose turn it is.
        player: Player,
        /// How many must go.
        count: u32,
        /// All he has.
        units: Vec<u32>,
    },
    /// 1 to `most` gold for spies.
    Spy {
        /// Whose turn it is.
        player: Player,
        /// All his gold.
        most: u32,
    },
    /// Any of these units of one hex along any way that their points allow; land military units
    /// with an officer.
    Move {
        /// Whose turn it is.
        player: Player,
        /// Where they stand.
        from: Hex,
        /// All ships, or all land units, that may move from there.
        units: Vec<u32>,
    },
    /// Any of these units, at most `room` of them, onto the galleon; land military units with an
    /// officer.
    Embark {
        /// Whose turn it is.
        player: Player,
        /// The galleon.
        ship: u32,
        /// Where the units stand.
        from: Hex,
        /// The units.
        units: Vec<u32>,
        /// Free places aboard.
        room: u32,
    },
    /// Any of these units from the galleon into the hex; land military units with an officer.
    Disembark {
        /// Whose turn it is.
        player: Player,
        /// The galleon.
        ship: u32,
        /// The hex.
        to: Hex,
        /// The units.
        units: Vec<u32>,
    },
    /// Any of these units against the hex, with an officer in every hex from which land units
    /// take part.
    Attack {
        /// Whose turn it is.
        player: Player,
        /// The hex.
        target: Hex,
        /// Units that can take part.
        units: Vec<u32>,
    },
    /// One of its targets for every unit.
    DeclareTargets {
        /// Who is asked.
        player: Player,
        /// Each unit that throws, with its legal targets.
        units: Vec<Aims>,
    },
    /// Any of these units, with an officer if any is military.
    Advance {
        /// Whose turn it is.
        player: Player,
        /// The units.
        units: Vec<u32>,
    },
}

/// A unit that throws, with its legal targets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Aims))]
#[serde(deny_unknown_fields)]
pub struct Aims {
    /// The unit.
    pub unit: u32,
    /// Its legal targets.
    pub targets: Vec<u32>,
}

type Flow = ControlFlow<()>;
const GO: Flow = ControlFlow::Continue(());

/// Lists what a player may do.
pub(super) fn list<M: Menu<Doubloons>>(
    setup: &Setup,
    state: &State,
    player: Player,
    menu: &mut M,
) -> Flow {
    if state.ended.is_some() || !state.playing.has(player) {
        return GO;
    }
    let lister = Lister { setup, state, player };
    if ch19_validity::deciders(setup, state).has(player) {
        lister.asked(menu)?;
    }
    lister.interrupts(menu)
}

/// One listing.
#[derive(Clone, Copy)]
struct Lister<'a> {
    setup: &'a Setup,
    state: &'a State,
    player: Player,
}

impl Lister<'_> {
    fn asked<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        match state.phase {
            Phase::Bid => {
                for skip_trading in [false, true] {
                    menu.action(Action::Bid(Bid { player, amount: 0, skip_trading }))?;
                }
                menu.range(Range::Bid { player, most: state.gold(player) })?;
            }
            Phase::Trading => self.trading(menu)?,
            Phase::Disband => {
                let units: Vec<u32> = state.units_of(Some(player)).map(|it| it.id).collect();
                let kept = units.len().saturating_sub(state.owed as usize);
                menu.action(Action::Disband(Disband { player, units: units[kept..].to_vec() }))?;
                menu.range(Range::Disband { player, count: state.owed, units })?;
            }
            Phase::Production => self.production(menu)?,
            Phase::Spy => {
                let most = state.gold(player);
                if most > 0 {
                    menu.action(Action::Spy(Spy { player, gold: 1 }))?;
                    menu.range(Range::Spy { player, most })?;
                }
            }
            Phase::SpyTarget => self.spy_targets(menu)?,
            Phase::FavorNegate => {
                for r#use in [false, true] {
                    menu.action(Action::FavorNegate(FavorNegate { player, r#use }))?;
                }
            }
            Phase::Movement => {
                self.moves(menu)?;
                self.boarding(menu)?;
                self.landing(menu)?;
            }
            Phase::Battle => self.attacks(menu)?,
            Phase::DeclareTargets => self.targets(menu)?,
            Phase::Advance => {
                let units: Vec<u32> =
                    ch14_battle::victors(setup, state).iter().map(|it| it.id).collect();
                menu.action(Action::Advance(Advance { player, units: Vec::new() }))?;
                menu.action(Action::Advance(Advance { player, units: units.clone() }))?;
                menu.range(Range::Advance { player, units })?;
            }
            Phase::Routes => {
                for unit in state.units_of(Some(player)).filter(|it| it.kind.is_merchant()) {
                    for &good in Good::ALL {
                        let it = EstablishRoute { player, merchant: unit.id, good };
                        if ch15_routes::fault(setup, state, &it).is_ok() {
                            menu.action(Action::EstablishRoute(it))?;
                        }
                    }
                }
            }
            Phase::Diplomacy => {
                for city in 1..=setup.map.cities() {
                    for favor in [false, true] {
                        let it = Diplomacy { player, city, favor };
                        if ch16_diplomacy::fault(setup, state, &it).is_ok() {
                            menu.action(Action::Diplomacy(it))?;
                        }
                    }
                }
            }
            Phase::Event | Phase::TurnOrder | Phase::Upkeep | Phase::GameOver => {}
        }
        let ends = std::iter::once(None).chain(Through::ALL.iter().copied().map(Some));
        for through in ends {
            let it = EndPhase { player, through };
            if ch08_upkeep::end_fault(state, &it).is_ok() {
                menu.action(Action::EndPhase(it))?;
            }
        }
        GO
    }

    /// 5.7, 18.5 and 18.6: what nobody asks for.
    fn interrupts<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { state, player, .. } = self;
        if state.favor == Some(player) {
            self.favors(menu)?;
        }
        if ch18_ends::interrupt_fault(state, player).is_ok() {
            menu.action(Action::Resign(Resign { player }))?;
        }
        if ch18_ends::agree_fault(state, player).is_ok() {
            menu.action(Action::AgreeEnd(AgreeEnd { player }))?;
        }
        GO
    }

    fn favors<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let plain = UseFavor { player, r#use: FavorUse::First, hex: None, owner: None, city: None };
        let mut offer = |it: UseFavor| match ch05_church::use_fault(setup, state, &it) {
            Ok(()) => menu.action(Action::UseFavor(it)),
            Err(_) => GO,
        };
        for r#use in [FavorUse::First, FavorUse::BidBonus] {
            offer(UseFavor { r#use, ..plain.clone() })?;
        }
        for city in 1..=setup.map.cities() {
            for r#use in [FavorUse::ProtectCity, FavorUse::MakeNeutral] {
                offer(UseFavor { r#use, city: Some(city), ..plain.clone() })?;
            }
        }
        for (at, unit) in state.units.iter().enumerate() {
            let same = |other: &Unit| other.at == unit.at && other.owner == unit.owner;
            if unit.owner.is_some() && !state.units[..at].iter().any(same) {
                offer(UseFavor {
                    r#use: FavorUse::HoldStack,
                    hex: Some(setup.map.place(unit.at).hex),
                    owner: unit.owner,
                    ..plain.clone()
                })?;
            }
        }
        GO
    }

    fn trading<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        for deal in &state.deals {
            for accept in [true, false] {
                let it = RespondDeal { player, deal: deal.number, accept };
                if ch06_trading::response_fault(setup, state, &it).is_ok() {
                    menu.action(Action::RespondDeal(it))?;
                }
            }
        }
        for with in state.treaties[player.index()].iter() {
            menu.action(Action::CancelTreaty(CancelTreaty { player, with }))?;
        }
        let parties: Vec<Player> =
            state.playing.iter().filter(|&party| !state.away.has(party)).collect();
        if parties.len() < 2 {
            return GO;
        }
        let ids = |party| state.units_of(Some(party)).map(|unit| unit.id).collect();
        let cities = |party| state.controlled(Some(party)).collect();
        let mut treaties = Vec::new();
        for (at, &a) in parties.iter().enumerate() {
            let strangers = parties[at + 1..].iter().filter(|&&b| !state.are_friends(a, b));
            treaties.extend(strangers.map(|&b| [a, b]));
        }
        menu.range(Range::ProposeDeal {
            player,
            gold: Keyed::new(parties.iter().map(|&it| (it, state.gold(it))).collect()),
            units: Keyed::new(parties.iter().map(|&it| (it, ids(it))).collect()),
            cities: Keyed::new(parties.iter().map(|&it| (it, cities(it))).collect()),
            favor: state.favor.filter(|holder| parties.contains(holder)),
            treaties,
            parties,
        })
    }

    fn production<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        for city in state.controlled(Some(player)) {
            for &unit_type in Kind::ALL {
                for favor in [false, true] {
                    let it = Recruit { player, city, unit_type, favor };
                    if ch11_production::fault(setup, state, &it).is_ok() {
                        menu.action(Action::Recruit(it))?;
                    }
                }
            }
        }
        GO
    }

    fn spy_targets<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let roll = state.spying.map_or(0, |spying| spying.roll);
        let thrown = Mission::of_throw(u32::from(roll));
        let chosen = if thrown == Mission::Choose { &Mission::ALL[..9] } else { &[thrown][..] };
        for &mission in chosen {
            let number = (thrown == Mission::Choose).then_some(mission.number());
            ch12_spies::targets(setup, state, player, mission, |target| {
                let it = SpyTarget { player, mission: number, target: Some(target) };
                menu.action(Action::SpyTarget(it))
            })?;
            if let Some(number) = number {
                let it = SpyTarget { player, mission: Some(number), target: None };
                menu.action(Action::SpyTarget(it))?;
            }
        }
        menu.action(Action::SpyTarget(SpyTarget { player, mission: None, target: None }))
    }

    /// Own units by hex: those of one class that are not aboard.
    fn stacks(self, ships: bool) -> Vec<(At, Vec<u32>)> {
        let mut stacks: Vec<(At, Vec<u32>)> = Vec::new();
        for unit in self.state.units_of(Some(self.player)) {
            if unit.aboard != 0 || unit.kind.is_ship() != ships || !self.can_take_orders(unit) {
                continue;
            }
            match stacks.iter_mut().find(|it| it.0 == unit.at) {
                Some(stack) => stack.1.push(unit.id),
                None => stacks.push((unit.at, vec![unit.id])),
            }
        }
        stacks
    }

    fn can_take_orders(self, unit: &Unit) -> bool {
        let Lister { setup, state, .. } = self;
        unit.kind != Kind::Militia
            && !state.is_held(unit)
            && ch11_production::fresh_fault(setup, state, [unit.id]).is_ok()
            && !state.cargo(unit.id).any(|cargo| state.is_held(cargo))
    }

    /// Groups worth listing: each unit alone, troops with an officer, and all together.
    fn groups(self, units: &[u32]) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = units.iter().map(|&id| vec![id]).collect();
        let unit = |id: u32| self.state.unit(id);
        let officers =
            units.iter().filter_map(|&id| unit(id)).filter(|it| it.kind == Kind::Officer);
        let officer =
            officers.max_by_key(|it| (it.points, std::cmp::Reverse(it.id))).map(|it| it.id);
        if let Some(officer) = officer {
            for &id in units {
                let troops = unit(id).is_some_and(|it| it.is_military());
                if troops {
                    let mut pair = vec![id, officer];
                    pair.sort_unstable();
                    groups.push(pair);
                }
            }
        }
        let known = units.len() == 1 || groups.iter().any(|group| group == units);
        if !known {
            groups.push(units.to_vec());
        }
        groups
    }

    fn moves<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        for ships in [false, true] {
            for (from, units) in self.stacks(ships) {
                let mut any = false;
                for group in self.groups(&units) {
                    self.ways(from, &group, &mut |it| {
                        any = true;
                        menu.action(Action::Move(it))
                    })?;
                }
                if any {
                    let from = self.setup.map.place(from).hex;
                    menu.range(Range::Move { player: self.player, from, units })?;
                }
            }
        }
        GO
    }

    /// A cheapest way to every hex that a group can reach.
    fn ways(self, from: At, group: &[u32], to: &mut dyn FnMut(Move) -> Flow) -> Flow {
        let Lister { setup, state, player } = self;
        let walkers: Vec<Walker> =
            group.iter().filter_map(|&id| state.unit(id)).map(Walker::new).collect();
        let some =
            setup.map.around(from).any(|it| may_enter(setup, state, player, &walkers, from, it));
        if !some {
            return GO;
        }
        let hex = |at: At| setup.map.place(at).hex;
        let mut first = Move { player, units: group.to_vec(), path: vec![] };
        let step =
            setup.map.around(from).find(|&it| may_enter(setup, state, player, &walkers, from, it));
        first.path.extend(step.map(hex));
        if ch13_movement::move_fault(setup, state, &first).is_err() {
            return GO;
        }
        // Cheapest first: what is reached is reached with the most points left in sum.
        let sum = |walkers: &[Walker]| walkers.iter().map(|it| u32::from(it.points)).sum::<u32>();
        let mut open: Vec<(u32, At, Vec<Walker>, Vec<Hex>)> =
            vec![(sum(&walkers), from, walkers, Vec::new())];
        let mut seen: Vec<At> = Vec::new();
        while let Some(best) = (0..open.len()).max_by_key(|&at| (open[at].0, usize::MAX - at)) {
            let (_, here, walkers, path) = open.remove(best);
            if seen.contains(&here) {
                continue;
            }
            seen.push(here);
            if !path.is_empty() {
                to(Move { player, units: group.to_vec(), path: path.clone() })?;
            }
            for next in setup.map.around(here) {
                if seen.contains(&next) || !may_enter(setup, state, player, &walkers, here, next) {
                    continue;
                }
                let mut walkers = walkers.clone();
                walkers.iter_mut().for_each(|it| it.pay(setup, next));
                let mut path = path.clone();
                path.push(hex(next));
                open.push((sum(&walkers), next, walkers, path));
            }
        }
        GO
    }

    fn boarding<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        for ship in ships {
            for (from, units) in self.stacks(false) {
                let near = from == ship.at || setup.map.adjacent(from, ship.at);
                if !near {
                    continue;
                }
                let mut any = false;
                for group in self.groups(&units) {
                    let it = Embark { player, ship: ship.id, units: group };
                    if ch13_movement::embark_fault(setup, state, &it).is_ok() {
                        any = true;
                        menu.action(Action::Embark(it))?;
                    }
                }
                if any {
                    let room = super::tables::CARGO - state.cargo(ship.id).count();
                    let from = setup.map.place(from).hex;
                    let ship = ship.id;
                    menu.range(Range::Embark { player, ship, from, units, room: room as u32 })?;
                }
            }
        }
        GO
    }

    fn landing<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        let ships = state.units_of(Some(player)).filter(|it| it.kind == Kind::Galleon);
        for ship in ships {
            let cargo = state.cargo(ship.id).filter(|unit| self.can_take_orders(unit));
            let units: Vec<u32> = cargo.map(|unit| unit.id).collect();
            if units.is_empty() {
                continue;
            }
            for at in std::iter::once(ship.at).chain(setup.map.around(ship.at)) {
                let to = setup.map.place(at).hex;
                // Whoever can go ashore can do so in one of these groups.
                let mut some: Vec<u32> = Vec::new();
                for group in self.groups(&units) {
                    let it = Disembark { player, ship: ship.id, units: group, to };
                    if ch13_movement::disembark_fault(setup, state, &it).is_ok() {
                        some.extend(&it.units);
                        menu.action(Action::Disembark(it))?;
                    }
                }
                if !some.is_empty() {
                    some.sort_unstable();
                    some.dedup();
                    menu.range(Range::Disembark { player, ship: ship.id, to, units: some })?;
                }
            }
        }
        GO
    }

    /// Hexes next to own units where somebody is to be attacked.
    fn attackable(self) -> Vec<At> {
        let Lister { setup, state, player } = self;
        let mut targets: Vec<At> = state
            .units
            .iter()
            .filter(|unit| unit.owner != Some(player))
            .map(|unit| unit.at)
            .filter(|&at| {
                let beside = |unit: &Unit| setup.map.adjacent(unit.at, at);
                state.units_of(Some(player)).any(beside)
            })
            .collect();
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Those who can take part in an attack on a hex, by hex: who throws, and the officers, who may
    /// come along even without troops.
    fn forces(self, target: At) -> Vec<(Vec<u32>, Vec<u32>)> {
        let Lister { setup, state, player } = self;
        let mut forces = Vec::new();
        for from in setup.map.around(target) {
            let own = || state.units_at(from).filter(|unit| unit.owner == Some(player));
            let able = own().filter(|unit| ch14_battle::is_able(setup, state, unit, target));
            let able: Vec<u32> = able.map(|unit| unit.id).collect();
            let leads = own().filter(|unit| ch14_battle::may_lead(setup, state, unit));
            let officers: Vec<u32> = leads.map(|unit| unit.id).collect();
            if !able.is_empty() || !officers.is_empty() {
                forces.push((able, officers));
            }
        }
        forces
    }

    fn attacks<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        let Lister { setup, state, player } = self;
        for at in self.attackable() {
            let target = setup.map.place(at).hex;
            let mut any = false;
            for units in self.forces_listed(at) {
                let it = Attack { player, target, units };
                if ch14_battle::attack_fault(setup, state, &it).is_ok() {
                    any = true;
                    menu.action(Action::Attack(it))?;
                }
            }
            if any {
                let forces = self.forces(at);
                let mut units: Vec<u32> = forces
                    .into_iter()
                    .flat_map(|(able, led)| able.into_iter().chain(led))
                    .collect();
                units.sort_unstable();
                menu.range(Range::Attack { player, target, units })?;
            }
        }
        GO
    }

    /// Attacks worth listing: each unit with one officer, each hex with all it has, all hexes.
    fn forces_listed(self, target: At) -> Vec<Vec<u32>> {
        let forces = self.forces(target);
        let mut listed: Vec<Vec<u32>> = Vec::new();
        let mut add = |mut units: Vec<u32>| {
            units.sort_unstable();
            if !listed.contains(&units) {
                listed.push(units);
            }
        };
        let ship = |id: u32| self.state.unit(id).is_some_and(|unit| unit.kind.is_ship());
        let led = |able: &[u32], officers: &[u32], all: bool| {
            let mut units = able.to_vec();
            if able.iter().any(|&id| !ship(id)) {
                let count = if all { officers.len() } else { 1 };
                units.extend(officers.iter().take(count));
            }
            units
        };
        for (able, officers) in forces.iter().filter(|(able, _)| !able.is_empty()) {
            if self.setup.rulings.stacks == Stacks::Chosen {
                able.iter().for_each(|&id| add(led(&[id], officers, false)));
            }
            add(led(able, officers, true));
            let ships: Vec<u32> = able.iter().copied().filter(|&id| ship(id)).collect();
            if !ships.is_empty() {
                add(ships);
            }
        }
        add(forces.iter().flat_map(|(able, officers)| led(able, officers, true)).collect());
        listed
    }

    fn targets<M: Menu<Doubloons>>(self, menu: &mut M) -> Flow {
        const LISTED: usize = 64;
        let Lister { setup, state, player } = self;
        let side = ch14_battle::asked_side(setup, state);
        let ways = side.iter().try_fold(1usize, |ways, it| ways.checked_mul(it.1.len()));
        if ways.is_some_and(|ways| ways <= LISTED) {
            for way in 0..ways.unwrap_or(0) {
                let mut rest = way;
                let mut targets = Vec::with_capacity(side.len());
                for (unit, legal) in &side {
                    targets.push((*unit, legal[rest % legal.len()]));
                    rest /= legal.len();
                }
                let it = DeclareTargets { player, targets, all: None };
                menu.action(Action::DeclareTargets(it))?;
            }
        } else {
            let first = side.first().map(|it| it.1.clone()).unwrap_or_default();
            for all in first {
                if side.iter().all(|(_, legal)| legal.contains(&all)) {
                    let targets = side.iter().map(|it| (it.0, all)).collect();
                    let it = DeclareTargets { player, targets, all: None };
                    menu.action(Action::DeclareTargets(it))?;
                }
            }
        }
        let units = side.into_iter().map(|(unit, targets)| Aims { unit, targets }).collect();
        menu.range(Range::DeclareTargets { player, units })
    }
}

/// The same decision with its units by rising number, and every target by itself.
pub(super) fn canonical(setup: &Setup, state: &State, action: &Action) -> Action {
    match action {
        Action::DeclareTargets(it) => match ch14_battle::targets_fault(setup, state, it) {
            Ok(targets) => {
                Action::DeclareTargets(DeclareTargets { player: it.player, targets, all: None })
            }
            Err(_) => action.clone(),
        },
        _ => action.sorted(),
    }
}

/// Whether an action lies within a range.
pub(super) fn covers(setup: &Setup, state: &State, range: &Range, action: &Action) -> bool {
    let hex_of = |unit: u32| state.unit(unit).map(|unit| setup.map.place(unit.at).hex);
    match (range, action) {
        (Range::Bid { player, most }, Action::Bid(it)) => {
            it.player == *player && it.amount <= u64::from(*most)
        }
        (Range::ProposeDeal { player, .. }, Action::ProposeDeal(it)) => {
            it.player == *player && ch06_trading::proposal_fault(setup, state, it).is_ok()
        }
        (Range::Disband { player, .. }, Action::Disband(it)) => {
            it.player == *player && ch08_upkeep::disband_fault(setup, state, it).is_ok()
        }
        (Range::Spy { player, most }, Action::Spy(it)) => {
            it.player == *player && (1..=u64::from(*most)).contains(&it.gold)
        }
        (Range::Move { player, units, .. }, Action::Move(it)) => {
            it.player == *player
                && it.units.iter().all(|unit| units.contains(unit))
                && ch13_movement::move_fault(setup, state, it).is_ok()
        }
        (Range::Embark { player, ship, from, .. }, Action::Embark(it)) => {
            (it.player, it.ship) == (*player, *ship)
                && it.units.first().and_then(|&unit| hex_of(unit)) == Some(*from)
                && ch13_movement::embark_fault(setup, state, it).is_ok()
        }
        (Range::Disembark { player, ship, to, units }, Action::Disembark(it)) => {
            (it.player, it.ship, it.to) == (*player, *ship, *to)
                && it.units.iter().all(|unit| units.contains(unit))
                && ch13_movement::disembark_fault(setup, state, it).is_ok()
        }
        (Range::Attack { player, target, units }, Action::Attack(it)) => {
            (it.player, it.target) == (*player, *target)
                && it.units.iter().all(|unit| units.contains(unit))
                && ch14_battle::attack_fault(setup, state, it).is_ok()
        }
        (Range::DeclareTargets { player, .. }, Action::DeclareTargets(it)) => {
            it.player == *player && ch14_battle::targets_fault(setup, state, it).is_ok()
        }
        (Range::Advance { player, .. }, Action::Advance(it)) => {
            it.player == *player && ch14_battle::advance_fault(setup, state, it).is_ok()
        }
        _ => false,
    }
}

/// Draws an action within a range.
pub(super) fn sample(
    setup: &Setup,
    state: &State,
    range: &Range,
    chance: &mut dyn Chance,
) -> Result<Action, Halt> {
    Sampler { setup, state, chance }.of(range)
}

/// One sampling.
struct Sampler<'a> {
    setup: &'a Setup,
    state: &'a State,
    chance: &'a mut dyn Chance,
}

impl Sampler<'_> {
    /// How often a drawn action may turn out illegal before a listed one is taken.
    const TRIES: usize = 8;

    /// A number below `n`, which is at least 1.
    fn below(&mut self, n: usize) -> Result<usize, Halt> {
        let n = n.clamp(1, u32::MAX as usize) as u32;
        Ok(self.chance.answer(&Ask { stream: 0, what: What::Hidden { n } })? as usize)
    }

    /// A number up to `most`.
    fn up_to(&mut self, most: u32) -> Result<u32, Halt> {
        let n = most.saturating_add(1);
        self.chance.answer(&Ask { stream: 0, what: What::Hidden { n } })
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> Result<Option<T>, Halt> {
        if all.is_empty() {
            return Ok(None);
        }
        Ok(Some(all[self.below(all.len())?]))
    }

    /// `count` of these, in their order.
    fn some(&mut self, all: &[u32], count: usize) -> Result<Vec<u32>, Halt> {
        let mut left = all.to_vec();
        let mut some = Vec::with_capacity(count);
        while some.len() < count && !left.is_empty() {
            let at = self.below(left.len())?;
            some.push(left.swap_remove(at));
        }
        some.sort_unstable();
        Ok(some)
    }

    /// Any number of these, at least `least`.
    fn any(&mut self, all: &[u32], least: usize) -> Result<Vec<u32>, Halt> {
        let count = least + self.below((all.len() + 1).saturating_sub(least))?;
        self.some(all, count)
    }

    fn of(&mut self, range: &Range) -> Result<Action, Halt> {
        match range {
            Range::Bid { player, most } => {
                let amount = u64::from(self.up_to(*most)?);
                let skip_trading = self.below(2)? == 1;
                return Ok(Action::Bid(Bid { player: *player, amount, skip_trading }));
            }
            Range::Spy { player, most } => {
                let gold = 1 + u64::from(self.up_to(most.saturating_sub(1))?);
                return Ok(Action::Spy(Spy { player: *player, gold }));
            }
            Range::Disband { player, count, units } => {
                let units = self.some(units, *count as usize)?;
                return Ok(Action::Disband(Disband { player: *player, units }));
            }
            Range::DeclareTargets { player, units } => {
                let mut targets = Vec::with_capacity(units.len());
                for aims in units {
                    targets.extend(self.one(&aims.targets)?.map(|target| (aims.unit, target)));
                }
                let it = DeclareTargets { player: *player, targets, all: None };
                return Ok(Action::DeclareTargets(it));
            }
            _ => {}
        }
        for _ in 0..Self::TRIES {
            let action = match range {
                Range::ProposeDeal { player, parties, .. } => self.deal(*player, parties, range)?,
                Range::Move { player, units, .. } => self.walk(*player, units)?,
                Range::Embark { player, ship, units, room, .. } => {
                    let mut units = self.any(units, 1)?;
                    units.truncate(*room as usize);
                    Action::Embark(Embark { player: *player, ship: *ship, units })
                }
                Range::Disembark { player, ship, to, units } => {
                    let units = self.any(units, 1)?;
                    Action::Disembark(Disembark { player: *player, ship: *ship, units, to: *to })
                }
                Range::Attack { player, target, units } => {
                    let units = self.any(units, 1)?;
                    Action::Attack(Attack { player: *player, target: *target, units })
                }
                Range::Advance { player, units } => {
                    let units = self.any(units, 0)?;
                    Action::Advance(Advance { player: *player, units })
                }
                Range::Bid { .. }
                | Range::Spy { .. }
                | Range::Disband { .. }
                | Range::DeclareTargets { .. } => break,
            };
            if covers(self.setup, self.state, range, &action) {
                return Ok(action);
            }
        }
        Ok(self.listed(range))
    }

    /// The first listed action that lies in the range. Every range has one, except that of
    /// deals, in which a promise always lies.
    fn listed(&self, range: &Range) -> Action {
        struct First<'a> {
            setup: &'a Setup,
            state: &'a State,
            range: &'a Range,
            found: Option<Action>,
        }
        impl Menu<Doubloons> for First<'_> {
            fn action(&mut self, action: Action) -> Flow {
                if covers(self.setup, self.state, self.range, &action) {
                    self.found = Some(action);
                    return ControlFlow::Break(());
                }
                GO
            }

            fn range(&mut self, _: Range) -> Flow {
                GO
            }
        }
        let player = match range {
            Range::ProposeDeal { player, .. }
            | Range::Bid { player, .. }
            | Range::Disband { player, .. }
            | Range::Spy { player, .. }
            | Range::Move { player, .. }
            | Range::Embark { player, .. }
            | Range::Disembark { player, .. }
            | Range::Attack { player, .. }
            | Range::DeclareTargets { player, .. }
            | Range::Advance { player, .. } => *player,
        };
        let mut first = First { setup: self.setup, state: self.state, range, found: None };
        let _ = list(self.setup, self.state, player, &mut first);
        let other = match range {
            Range::ProposeDeal { parties, .. } => parties.iter().copied().find(|&it| it != player),
            _ => None,
        };
        let text = "peace".to_owned();
        let promise = PromiseItem { from: player, to: other.unwrap_or(player), text };
        let items = vec![DealItem::Promise(promise)];
        first.found.unwrap_or(Action::ProposeDeal(ProposeDeal { player, items }))
    }

    /// Some units of a hex on a random way.
    fn walk(&mut self, player: Player, units: &[u32]) -> Result<Action, Halt> {
        let (setup, state) = (self.setup, self.state);
        let units = self.any(units, 1)?;
        let mut walkers: Vec<Walker> =
            units.iter().filter_map(|&id| state.unit(id)).map(Walker::new).collect();
        let mut here = units.first().and_then(|&id| state.unit(id)).map_or(0, |unit| unit.at);
        let mut path = Vec::new();
        loop {
            let open: Vec<At> = setup
                .map
                .around(here)
                .filter(|&next| may_enter(setup, state, player, &walkers, here, next))
                .collect();
            let Some(next) = self.one(&open)? else { break };
            walkers.iter_mut().for_each(|it| it.pay(setup, next));
            path.push(setup.map.place(next).hex);
            here = next;
            if self.below(3)? == 0 {
                break;
            }
        }
        Ok(Action::Move(Move { player, units, path }))
    }

    /// One to three things that change hands.
    fn deal(&mut self, player: Player, parties: &[Player], range: &Range) -> Result<Action, Halt> {
        let Range::ProposeDeal { gold, units, cities, favor, treaties, .. } = range else {
            return Ok(self.listed(range));
        };
        let mut items = Vec::new();
        for _ in 0..=self.below(3)? {
            let others: Vec<Player> = parties.iter().copied().filter(|&it| it != player).collect();
            let Some(other) = self.one(&others)? else { break };
            let (from, to) = if self.below(2)? == 0 { (player, other) } else { (other, player) };
            let item = match self.below(6)? {
                0 => {
                    let most = gold.get(&from).copied().unwrap_or(0);
                    let amount = u64::from(self.up_to(most)?);
                    DealItem::Gold(GoldItem { from, to, amount })
                }
                1 => match self.one(units.get(&from).map_or(&[][..], Vec::as_slice))? {
                    Some(unit) => DealItem::Unit(UnitItem { from, to, unit }),
                    None => continue,
                },
                2 => match self.one(cities.get(&from).map_or(&[][..], Vec::as_slice))? {
                    Some(city) => DealItem::City(CityItem { from, to, city }),
                    None => continue,
                },
                3 if *favor == Some(from) => DealItem::Favor(FavorItem { from, to }),
                4 => match self.one(treaties)? {
                    Some(between) => DealItem::Treaty(TreatyItem { between }),
                    None => continue,
                },
                _ => DealItem::Promise(PromiseItem { from, to, text: "peace".to_owned() }),
            };
            items.push(item);
        }
        Ok(Action::ProposeDeal(ProposeDeal { player, items }))
    }
}
