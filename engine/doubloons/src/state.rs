//! The whole truth of a game at one moment, and questions about it.
//!
//! Changed only by `event/apply.rs`; a state is never written out, only views of it are. Must not
//! decide a rule.

mod favor_uses;
mod parts;
mod stage;

pub(super) use favor_uses::FavorUses;
pub(super) use parts::{
    City, CityGoods, Deal, Ended, Fight, GoodMarks, Order, Remark, Route, SealedBid, Spying, Term,
    Unit,
};
pub(super) use stage::{Ending, Stage};

use thin_vec::ThinVec;

use super::action::{Player, PlayerSet};
use super::rulebook::{Homes, Lasting, Origins, Sabotage, Sharing};
use super::setup::Setup;
use super::setup::map::At;
use super::tables::{GOODS, Good, START_GOLD, Terrain};

/// The whole truth at one moment. Lists that are empty in most games are `ThinVec`s: an empty one costs nothing to copy.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The round, from 1.
    pub round: u32,
    /// Where the game stands.
    pub stage: Stage,
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
    pub bids: [Option<SealedBid>; 6],
    /// Who holds the unused favour.
    pub favor: Option<Player>,
    /// Whether the bids of this round are open and nobody has won the favour by them.
    pub unwon: Remark,
    /// The uses of the favour that are spent while it is still held (DBD-R98).
    pub used: FavorUses,
    /// Who throws a bonus on the next bid.
    pub bonus: Option<Player>,
    /// The bonus, where it is thrown already (DBD-R20); 0 where it is not.
    pub bonus_die: u32,
    /// Who will lead the turn order.
    pub first: Option<Player>,
    /// The partners of each player.
    pub treaties: [PlayerSet; 6],
    /// Marks on goods.
    pub goods: [GoodMarks; GOODS],
    /// Scarcities beside the longest of a good, with their last rounds (DBD-R107).
    pub more_scarcities: ThinVec<(Good, u32)>,
    /// The cities; city 1 stands first.
    pub cities: Vec<City>,
    /// The units by rising id.
    pub units: Vec<Unit>,
    /// Units that the Church pins (DBD-R85), by rising id, and for how long.
    pub pins: ThinVec<(u32, Term)>,
    /// Units that have moved this turn, by rising id; kept only under DBD-R50 = `slowest`.
    pub marched: ThinVec<u32>,
    /// The hexes out of which units attacked this turn; kept only where DBD-R102 counts attacks.
    pub attacked_from: ThinVec<At>,
    /// Spies were paid this turn; kept only under DBD-R40 = `one_batch`.
    pub spied: bool,
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
    /// Before anything happened: home cities with their players.
    pub(super) fn new(setup: &Setup) -> State {
        let mut cities = vec![City::neutral(); setup.map.sites.len()];
        for player in setup.all() {
            cities[usize::from(setup.home(player)) - 1].control = Some(player);
        }
        State {
            round: 1,
            stage: Stage::Event,
            active: None,
            order: Order::default(),
            playing: PlayerSet::first(setup.players.into()),
            agreed: PlayerSet::NONE,
            away: PlayerSet::NONE,
            gold: [0; 6],
            bids: [None; 6],
            favor: None,
            unwon: Remark(false),
            used: FavorUses::NONE,
            bonus: None,
            bonus_die: 0,
            first: None,
            treaties: [PlayerSet::NONE; 6],
            goods: [GoodMarks::default(); GOODS],
            more_scarcities: ThinVec::new(),
            cities,
            units: Vec::new(),
            pins: ThinVec::new(),
            marched: ThinVec::new(),
            attacked_from: ThinVec::new(),
            spied: false,
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

    /// DBD-3.1, DBD-3.2 Where a game starts: home cities with their players, gold in hand.
    pub(super) fn start(setup: &Setup) -> State {
        let mut state = State::new(setup);
        for player in setup.all() {
            state.gold[player.index()] = START_GOLD;
        }
        state
    }

    /// The gold of a player.
    pub(super) fn gold(&self, player: Player) -> u32 {
        self.gold[player.index()]
    }

    /// DBD-6.1 The players in the trading session.
    pub(super) fn session(&self) -> PlayerSet {
        self.playing.minus(self.away)
    }

    /// A city by its number.
    pub(super) fn city(&self, city: u8) -> &City {
        &self.cities[usize::from(city) - 1]
    }

    /// DBD-1.3 Whether a mark is in force.
    pub(super) fn in_force(&self, term: Term) -> bool {
        let turn_over = || term.of.is_some_and(|player| self.is_turn_over(player));
        self.round < term.last || (self.round == term.last && !turn_over())
    }

    /// A number of the main turn at hand, rising from turn to turn, and by more from round to round; what comes before the
    /// first turn of a round counts to it.
    pub(super) fn turn(&self) -> u32 {
        let place = self.active.and_then(|player| self.order.iter().position(|it| it == player));
        self.round.saturating_mul(8).saturating_add(place.unwrap_or(0) as u32)
    }

    /// Whether the main turn of a player in this round is over.
    fn is_turn_over(&self, player: Player) -> bool {
        let place = |player: Player| self.order.iter().position(|it| it == player);
        match (self.active.and_then(place), place(player)) {
            (Some(now), Some(his)) => his < now,
            _ => false,
        }
    }

    /// DBD-1.3 How long an effect lasts that is counted from now: "this turn", or with `more` "this
    /// and the next turn". With DBD-R4 read as `main_turns` an effect on what a player has is
    /// counted in his main turns, from the one in progress or his next one.
    pub(super) fn term(&self, setup: &Setup, victim: Option<Player>, more: bool) -> Term {
        let counted = victim.filter(|_| setup.rulings.lasting == Lasting::MainTurns);
        let later = counted.is_some_and(|player| self.is_turn_over(player));
        let last = self.round.saturating_add(u32::from(more)).saturating_add(u32::from(later));
        Term { last, of: counted }
    }

    /// The place of a unit in the list.
    pub(super) fn index(&self, id: u32) -> Option<usize> {
        self.units.binary_search_by_key(&id, |unit| unit.id).ok()
    }

    /// A unit by its number.
    pub(super) fn unit(&self, id: u32) -> Option<&Unit> {
        self.index(id).map(|at| &self.units[at])
    }

    /// A unit with its type, by its number; the number alone of one that is not in play.
    pub(super) fn unit_title(&self, id: u32) -> String {
        self.unit(id).map_or_else(|| format!("u{id}"), Unit::title)
    }

    /// The units in a hex, cargo included, by rising id.
    pub(super) fn units_at(&self, at: At) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.at == at)
    }

    /// The units of an owner, by rising id.
    pub(super) fn units_of(&self, owner: Option<Player>) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.owner == owner)
    }

    /// DBD-1.5 The stacks of players, in the order of their first units.
    pub(super) fn stacks(&self, setup: &Setup) -> impl Iterator<Item = (At, Player)> {
        let mut met = vec![PlayerSet::NONE; setup.map.places.len()];
        self.units.iter().filter_map(move |unit| {
            let (owner, owners) = (unit.owner?, &mut met[usize::from(unit.at)]);
            let new = !owners.contains(owner);
            owners.insert(owner);
            new.then_some((unit.at, owner))
        })
    }

    /// The units aboard a galleon.
    pub(super) fn cargo(&self, ship: u32) -> impl Iterator<Item = &Unit> {
        self.units.iter().filter(move |unit| unit.aboard == ship && ship != 0)
    }

    /// DBD-1.9 Whether a unit is held.
    pub(super) fn is_held(&self, unit: &Unit) -> bool {
        self.in_force(unit.held)
    }

    /// DBD-1.9 How long the Church pins a unit; only under DBD-R85 = `move_and_attack`.
    pub(super) fn pin(&self, unit: u32) -> Term {
        self.pins.iter().find(|pin| pin.0 == unit).map_or(Term::NONE, |pin| pin.1)
    }

    /// DBD-1.9 Whether a unit may neither move nor attack: it is held or pinned.
    pub(super) fn is_stopped(&self, unit: &Unit) -> bool {
        self.is_held(unit) || self.in_force(self.pin(unit.id))
    }

    /// DBD-1.9 Whether sabotage keeps a unit from negotiating and opening routes.
    pub(super) fn is_idle(&self, setup: &Setup, unit: &Unit) -> bool {
        setup.rulings.sabotage != Sabotage::AsChurch && self.is_held(unit)
    }

    /// DBD-1.9 With DBD-R43 read as `services_too`, whether sabotage keeps a governor or an agent from its work.
    pub(super) fn is_off_duty(&self, setup: &Setup, unit: &Unit) -> bool {
        setup.rulings.sabotage == Sabotage::ServicesToo && self.is_held(unit)
    }

    /// DBD-10.2 How many scarcities of a good are in force.
    pub(super) fn scarcities(&self, good: Good) -> u32 {
        let more = self.more_scarcities.iter();
        let more = more.filter(|it| it.0 == good && self.in_force(Term::round(it.1))).count();
        u32::from(self.in_force(self.goods[good as usize].scarcity)) + more as u32
    }

    /// DBD-6.9 Whether two players have a treaty.
    pub(super) fn are_friends(&self, a: Player, b: Player) -> bool {
        self.treaties[a.index()].contains(b)
    }

    /// Number of cities a player controls.
    pub(super) fn cities_of(&self, player: Player) -> u32 {
        self.cities.iter().filter(|city| city.control == Some(player)).count() as u32
    }

    /// The numbers of the cities that a player controls (or of the neutral ones), rising.
    pub(super) fn controlled(&self, by: Option<Player>) -> impl Iterator<Item = u8> {
        let cities = self.cities.iter().enumerate();
        cities.filter(move |(_, it)| it.control == by).map(|(at, _)| at as u8 + 1)
    }

    /// DBD-17.7 Whether a city is a home city now; with DBD-R16 read as `for_ever`, whoever holds it.
    pub(super) fn is_home(&self, setup: &Setup, city: u8) -> bool {
        match setup.rulings.homes {
            Homes::OwnHands => {
                self.city(city).control.is_some_and(|player| setup.home(player) == city)
            }
            Homes::ForEver => setup.homes.contains(&city),
        }
    }

    /// Free supply slots of a good.
    pub(super) fn free_supply(&self, city: u8, good: Good) -> u8 {
        let used = self.routes.iter().filter(|it| it.from == city && it.good == good).count();
        self.city(city).supply[good as usize].saturating_sub(used as u8)
    }

    /// DBD-15.1 Free demand slots of a good; with DBD-R71 read as `per_owner`, those that no route of this player uses.
    pub(super) fn free_demand(&self, setup: &Setup, city: u8, good: Good, player: Player) -> u8 {
        let shared = setup.rulings.sharing == Sharing::PerOwner;
        let uses =
            |it: &&Route| it.to == city && it.good == good && (!shared || it.owner == player);
        let used = self.routes.iter().filter(uses).count();
        self.city(city).demand[good as usize].saturating_sub(used as u8)
    }

    /// DBD-15.4 The origin of a merchant that stands in a city of its owner, with DBD-R100 read as `recruited` in the one that
    /// recruited it; elsewhere none.
    pub(super) fn usual_origin(&self, setup: &Setup, unit: &Unit) -> u8 {
        let city = setup.map.place(unit.at).city;
        let own = city > 0 && unit.owner.is_some() && self.city(city).control == unit.owner;
        let counts = setup.rulings.origins == Origins::LastCity || unit.recruited_in == city;
        if own && counts && unit.kind.is_merchant() { city } else { 0 }
    }

    /// The terrain of a unit's hex.
    pub(super) fn ground(setup: &Setup, unit: &Unit) -> Terrain {
        setup.map.place(unit.at).terrain
    }

    /// Whether a unit is cargo at sea.
    pub(super) fn is_stowed(setup: &Setup, unit: &Unit) -> bool {
        unit.aboard != 0 && State::ground(setup, unit).is_sea()
    }
}
