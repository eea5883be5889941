//! The whole truth at one moment, and questions about it.
//!
//! Must not be serialised: views are built field by field in `view`. Nothing here decides a
//! rule; that is the work of the chapters.

use std::sync::Arc;

use super::action::{DealItem, Target};
use super::map::At;
use super::setup::{Setup, Slots};
use super::tables::{GOODS, Good, Kind, Mission, Terrain, names};
use super::wire::Player;

names! {
    /// Where the game stands.
    doubloons::Phase Phase {
        /// The event of a round is about to be thrown.
        Event = "event",
        /// Sealed bids.
        Bid = "bid",
        /// The trading session.
        Trading = "trading",
        /// The turn order is about to be thrown.
        TurnOrder = "turn_order",
        /// Upkeep is about to be paid.
        Upkeep = "upkeep",
        /// Unpaid units are to be chosen.
        Disband = "disband",
        /// Recruiting.
        Production = "production",
        /// Paying spies.
        Spy = "spy",
        /// A success wants a target.
        SpyTarget = "spy_target",
        /// The holder of the favour may stop a mission.
        FavorNegate = "favor_negate",
        /// Orders to move.
        Movement = "movement",
        /// Attacks.
        Battle = "battle",
        /// Targets of one step of a battle.
        DeclareTargets = "declare_targets",
        /// Victors may enter.
        Advance = "advance",
        /// Trade routes.
        Routes = "routes",
        /// Negotiations.
        Diplomacy = "diplomacy",
        /// The game is over.
        GameOver = "game_over",
    }
}

impl Phase {
    /// The phases of a main turn that its player ends, in order.
    pub const OWN: [Phase; 6] = [
        Phase::Production,
        Phase::Spy,
        Phase::Movement,
        Phase::Battle,
        Phase::Routes,
        Phase::Diplomacy,
    ];

    /// Whether it lies within a main turn.
    pub fn is_main(self) -> bool {
        !matches!(
            self,
            Phase::Event | Phase::Bid | Phase::Trading | Phase::TurnOrder | Phase::GameOver
        )
    }

    /// Whether a mission or a battle is under way.
    pub fn is_under_way(self) -> bool {
        matches!(
            self,
            Phase::SpyTarget | Phase::FavorNegate | Phase::DeclareTargets | Phase::Advance
        )
    }
}

names! {
    /// How a game ends.
    doubloons::EndReason Ending {
        /// One player controls every city.
        Conquest = "conquest",
        /// One player is left.
        LastPrince = "last_prince",
        /// All agreed to stop.
        Agreed = "agreed",
        /// Nobody is left.
        Nobody = "nobody",
    }
}

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct PlayerSet(u8);

impl PlayerSet {
    /// The first `count` players.
    pub fn first(count: u8) -> Self {
        PlayerSet(((1u16 << count) - 1) as u8)
    }

    /// Whether the player is in it.
    pub fn has(self, player: Player) -> bool {
        self.0 >> player.index() & 1 == 1
    }

    /// Adds a player.
    pub fn add(&mut self, player: Player) {
        self.0 |= 1 << player.index();
    }

    /// Removes a player.
    pub fn remove(&mut self, player: Player) {
        self.0 &= !(1 << player.index());
    }

    /// Whether nobody is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of players.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether every player of the other set is in this one.
    pub fn holds(self, other: PlayerSet) -> bool {
        other.0 & !self.0 == 0
    }

    /// The players in seat order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        Player::ALL.iter().copied().filter(move |&player| self.has(player))
    }
}

/// The order of the main turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Order {
    seats: [Option<Player>; 6],
}

impl Order {
    /// An order of at most six players.
    pub fn new(players: &[Player]) -> Self {
        let mut seats = [None; 6];
        for (slot, &player) in seats.iter_mut().zip(players) {
            *slot = Some(player);
        }
        Order { seats }
    }

    /// The players, first to last.
    pub fn iter(&self) -> impl Iterator<Item = Player> + '_ {
        self.seats.iter().filter_map(|&it| it)
    }
}

/// A sealed bid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bid {
    /// The gold.
    pub amount: u32,
    /// Whether the bidder stays out of the trading session.
    pub skip: bool,
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// Its number.
    pub id: u32,
    /// The last round in which it is held, 0 for none.
    pub held_until: u32,
    /// The galleon it is aboard, 0 for none.
    pub aboard: u32,
    /// Its hex.
    pub at: At,
    /// Its type.
    pub kind: Kind,
    /// Its owner; neutral where there is none.
    pub owner: Option<Player>,
    /// Points left.
    pub points: u8,
    /// A merchant's origin, 0 for none.
    pub origin: u8,
    /// A cannon that counts as moved this turn.
    pub moved: bool,
    /// It has attacked this turn.
    pub attacked: bool,
    /// It was recruited this turn.
    pub fresh: bool,
    /// It embarked this turn.
    pub embarked: bool,
}

impl Unit {
    /// A new unit without marks.
    pub fn new(id: u32, kind: Kind, owner: Option<Player>, at: At) -> Unit {
        Unit {
            id,
            held_until: 0,
            aboard: 0,
            at,
            kind,
            owner,
            points: kind.points(),
            origin: 0,
            moved: false,
            attacked: false,
            fresh: false,
            embarked: false,
        }
    }

    /// Military, leader or merchant: military.
    pub fn is_military(&self) -> bool {
        self.kind.is_military()
    }
}

/// What changes about a city.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct City {
    /// Who controls it; neutral where nobody does.
    pub control: Option<Player>,
    /// Renaissance masters.
    pub masters: u32,
    /// The last round without income, 0 for none.
    pub no_income_until: u32,
    /// The last round without recruiting, 0 for none.
    pub no_recruit_until: u32,
    /// The last round under protection, 0 for none.
    pub protected_until: u32,
    /// Something was recruited here this turn.
    pub recruited: bool,
    /// Somebody negotiated here this turn (or round).
    pub negotiated: bool,
    /// Supply slots.
    pub supply: Slots,
    /// Demand slots.
    pub demand: Slots,
}

impl City {
    /// A city of nobody, without goods.
    pub fn neutral() -> City {
        City {
            control: None,
            masters: 0,
            no_income_until: 0,
            no_recruit_until: 0,
            protected_until: 0,
            recruited: false,
            negotiated: false,
            supply: [0; GOODS],
            demand: [0; GOODS],
        }
    }
}

/// A trade route.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Route {
    /// What is traded.
    pub good: Good,
    /// The supply city.
    pub from: u8,
    /// The demand city.
    pub to: u8,
    /// Who earns.
    pub owner: Player,
}

/// Marks on a good.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct GoodMarks {
    /// The last round of a surplus, 0 for none.
    pub surplus_until: u32,
    /// The last round of a scarcity, 0 for none.
    pub scarcity_until: u32,
}

/// An open deal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Deal {
    /// Its number within the round.
    pub number: u32,
    /// Who proposed it.
    pub proposer: Player,
    /// Everybody named.
    pub parties: PlayerSet,
    /// Those who agree.
    pub agreed: PlayerSet,
    /// What changes hands.
    pub items: Arc<Vec<DealItem>>,
}

/// A spy action being worked out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spying {
    /// Successes still to come after this one.
    pub left: u32,
    /// The D10 of the success under way, 0 for none.
    pub roll: u8,
    /// What was chosen, once it is.
    pub aim: Option<(Mission, Target)>,
}

/// A battle being worked out.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fight {
    /// The attacked hex.
    pub target: At,
    /// The named units that are left, by id.
    pub units: Vec<u32>,
    /// Targets beside them that throw nothing (R60), by id.
    pub bystanders: Vec<u32>,
    /// The step, 1 to 7; 0 before the first.
    pub step: u8,
    /// The attacker's targets of this step, once they are declared.
    pub declared: Option<Vec<(u32, u32)>>,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ended {
    /// Who won.
    pub winner: Option<Player>,
    /// Why it is over.
    pub reason: Ending,
}

/// The whole truth at one moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The round, from 1.
    pub round: u32,
    /// Where the game stands.
    pub phase: Phase,
    /// Whose main turn it is.
    pub active: Option<Player>,
    /// The order of the main turns of this round.
    pub order: Order,
    /// The players in the game.
    pub playing: PlayerSet,
    /// Those who agreed to stop in this round.
    pub agreed: PlayerSet,
    /// Those who are out of the trading session.
    pub away: PlayerSet,
    /// Gold.
    pub gold: [u32; 6],
    /// Sealed bids.
    pub bids: [Option<Bid>; 6],
    /// Who holds the unused favour.
    pub favor: Option<Player>,
    /// Who throws a bonus on the next bid.
    pub bonus: Option<Player>,
    /// Who will lead the turn order.
    pub first: Option<Player>,
    /// The partners of each player.
    pub treaties: [PlayerSet; 6],
    /// Marks on goods.
    pub goods: [GoodMarks; GOODS],
    /// The cities; city 1 stands first.
    pub cities: Vec<City>,
    /// The units by rising id.
    pub units: Vec<Unit>,
    /// The routes in order of opening.
    pub routes: Vec<Route>,
    /// Open deals by rising number.
    pub deals: Vec<Deal>,
    /// The number of the next deal.
    pub next_deal: u32,
    /// The number of the next unit.
    pub next_unit: u32,
    /// Units that must be disbanded.
    pub owed: u32,
    /// A spy action being worked out.
    pub spying: Option<Spying>,
    /// A battle being worked out.
    pub fight: Option<Box<Fight>>,
    /// How the game ended.
    pub ended: Option<Ended>,
}

impl State {
    /// Before anything happened: home cities with their players, gold in hand.
    pub fn new(setup: &Setup) -> State {
        let mut cities = vec![City::neutral(); setup.map.sites.len()];
        for player in setup.all() {
            cities[usize::from(setup.home(player)) - 1].control = Some(player);
        }
        State {
            round: 1,
            phase: Phase::Event,
            active: None,
            order: Order::default(),
            playing: PlayerSet::first(setup.players),
            agreed: PlayerSet::default(),
            away: PlayerSet::default(),
            gold: [0; 6],
            bids: [None; 6],
            favor: None,
            bonus: None,
            first: None,
            treaties: [PlayerSet::default(); 6],
            goods: [GoodMarks::default(); GOODS],
            cities,
            units: Vec::new(),
            routes: Vec::new(),
            deals: Vec::new(),
            next_deal: 1,
            next_unit: 1,
            owed: 0,
            spying: None,
            fight: None,
            ended: None,
        }
    }

    /// The gold of a player.
    pub fn gold(&self, player: Player) -> u32 {
        self.gold[player.index()]
    }

    /// A city by its number.
    pub fn city(&self, city: u8) -> &City {
        &self.cities[usize::from(city) - 1]
    }

    /// Whether a mark that lasts to the end of a round is in force.
    pub fn in_force(&self, until: u32) -> bool {
        self.round <= until
    }

    /// The place of a unit in the list.
    pub fn index(&self, id: u32) -> Option<usize> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok()
    }

    /// A unit by its number.
    pub fn unit(&self, id: u32) -> Option<&Unit> {
        self.index(id).map(|at| &self.units[at])
    }

    /// The units in a hex, cargo included, by rising id.
    pub fn units_at(&self, at: At) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.at == at)
    }

    /// The units of an owner, by rising id.
    pub fn units_of(&self, owner: Option<Player>) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.owner == owner)
    }

    /// The units aboard a galleon.
    pub fn cargo(&self, ship: u32) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.aboard == ship && ship != 0)
    }

    /// 1.9: whether a unit is held.
    pub fn is_held(&self, unit: &Unit) -> bool {
        self.in_force(unit.held_until)
    }

    /// 6.9: whether two players have a treaty.
    pub fn are_friends(&self, a: Player, b: Player) -> bool {
        self.treaties[a.index()].has(b)
    }

    /// Number of cities a player controls.
    pub fn cities_of(&self, player: Player) -> u32 {
        self.cities.iter().filter(|city| city.control == Some(player)).count() as u32
    }

    /// The numbers of the cities that a player controls (or of the neutral ones), rising.
    pub fn controlled(&self, by: Option<Player>) -> impl Iterator<Item = u8> {
        let cities = self.cities.iter().enumerate();
        cities.filter(move |(_, it)| it.control == by).map(|(at, _)| at as u8 + 1)
    }

    /// 17.7: whether a city is a home city now.
    pub fn is_home(&self, setup: &Setup, city: u8) -> bool {
        self.city(city).control.is_some_and(|player| setup.home(player) == city)
    }

    /// Free supply slots of a good.
    pub fn free_supply(&self, city: u8, good: Good) -> u8 {
        let used = self.routes.iter().filter(|it| it.from == city && it.good == good).count();
        self.city(city).supply[good as usize].saturating_sub(used as u8)
    }

    /// Free demand slots of a good.
    pub fn free_demand(&self, city: u8, good: Good) -> u8 {
        let used = self.routes.iter().filter(|it| it.to == city && it.good == good).count();
        self.city(city).demand[good as usize].saturating_sub(used as u8)
    }

    /// The terrain of a unit's hex.
    pub fn ground(setup: &Setup, unit: &Unit) -> Terrain {
        setup.map.place(unit.at).terrain
    }

    /// Whether a unit is cargo at sea.
    pub fn is_stowed(setup: &Setup, unit: &Unit) -> bool {
        unit.aboard != 0 && State::ground(setup, unit).is_sea()
    }
}
