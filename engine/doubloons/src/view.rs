//! What an observer knows of the state, and states from positions.
//!
//! Everything is public but bids before the reveal. The referee's view is a position; so is the
//! short form of the rules document, in which what is left out has its stated default.

use serde::{Deserialize, Deserializer, Serialize};

use umpire_core::board::hex::Hex;
use umpire_core::chance::{Ask, Chance, Halt, What};
use umpire_core::game::Observer;
use umpire_core::rules::Refusal;
use umpire_core::wire::present;

use super::action::{DealItem, Target};
use super::notice::RouteLine;
use super::rulebook::Rule;
use super::setup::{Setup, Slots, slots};
use super::state::{
    Bid, City, Deal, Ended, Ending, Fight, GoodMarks, Order, Phase, PlayerSet, Route, Spying,
    State, Unit,
};
use super::tables::{CARGO, Good, Kind, MOST, Mission, Terrain};
use super::wire::{Keyed, Player, unset};
use super::{Refused, ch06_trading, ch12_spies, ch14_battle, ch19_validity, refuse};

/// What one observer knows of the state.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::View))]
#[serde(deny_unknown_fields)]
pub struct View {
    /// The round, from 1.
    pub round: u32,
    /// Where the game stands.
    pub state: StateView,
    /// The gold of each player.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, u32>))]
    pub gold: Keyed<Player, u32>,
    /// The cities.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<super::wire::NumberKey, CityView>))]
    pub cities: Keyed<u8, CityView>,
    /// The units, by rising number.
    pub units: Vec<UnitView>,
    /// The trade routes, in order of opening.
    pub routes: Vec<RouteLine>,
    /// The marks on goods; goods without a mark are left out.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Good, GoodView>))]
    pub goods: Keyed<Good, GoodView>,
    /// The favour of the Church.
    pub favor: FavorView,
    /// The partners of each treaty.
    pub treaties: Vec<[Player; 2]>,
    /// Players out of the game.
    pub gone: Vec<Player>,
    /// Bids of this round, in the state `bid`.
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, BidView>))]
    pub bids: Keyed<Player, BidView>,
    /// Players out of the trading session.
    pub away: Vec<Player>,
    /// Open deals.
    pub deals: Vec<DealView>,
    /// The number of the next deal.
    pub next_deal: u32,
    /// The number of the next unit.
    pub next_unit: u32,
    /// Players who agreed to stop in this round.
    pub agreed: Vec<Player>,
    /// Units that must be disbanded.
    pub disband: u32,
    /// The spy action under way.
    pub mission: Option<MissionView>,
    /// The battle under way.
    pub battle: Option<BattleView>,
    /// How the game ended.
    pub ended: Option<EndedView>,
}

/// A position to start from: a referee's view, or the short form.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::Position))]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The round, from 1.
    #[serde(default = "one")]
    pub round: u32,
    /// Where the game stands.
    pub state: StateView,
    /// The gold of each player; 0 where left out.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, u32>))]
    pub gold: Keyed<Player, u32>,
    /// The cities; one left out belongs to the player whose home it is, or is neutral.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<super::wire::NumberKey, CityView>))]
    pub cities: Keyed<u8, CityView>,
    /// The units, in any order.
    #[serde(default)]
    pub units: Vec<UnitView>,
    /// The trade routes; one adds the slots it needs where too few are listed.
    #[serde(default)]
    pub routes: Vec<RouteLine>,
    /// The marks on goods.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Good, GoodView>))]
    pub goods: Keyed<Good, GoodView>,
    /// The favour of the Church.
    #[serde(default)]
    pub favor: FavorView,
    /// The partners of each treaty.
    #[serde(default)]
    pub treaties: Vec<[Player; 2]>,
    /// Players out of the game.
    #[serde(default)]
    pub gone: Vec<Player>,
    /// Bids of this round.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<Player, BidView>))]
    pub bids: Keyed<Player, BidView>,
    /// Players out of the trading session.
    #[serde(default)]
    pub away: Vec<Player>,
    /// Open deals.
    #[serde(default)]
    pub deals: Vec<DealView>,
    /// The number of the next deal.
    #[serde(default = "one")]
    pub next_deal: u32,
    /// The number of the next unit; the first free one where left out.
    #[serde(default = "one")]
    pub next_unit: u32,
    /// Players who agreed to stop in this round.
    #[serde(default)]
    pub agreed: Vec<Player>,
    /// Units that must be disbanded.
    #[serde(default)]
    pub disband: u32,
    /// The spy action under way.
    #[serde(default)]
    pub mission: Option<MissionView>,
    /// The battle under way.
    #[serde(default)]
    pub battle: Option<BattleView>,
    /// How the game ended.
    #[serde(default)]
    pub ended: Option<EndedView>,
}

fn one() -> u32 {
    1
}

/// Where the game stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::StateView))]
#[serde(deny_unknown_fields)]
pub struct StateView {
    /// The phase.
    pub phase: Phase,
    /// Whose main turn it is.
    #[serde(default)]
    pub active: Option<Player>,
    /// The order of the main turns, once it is thrown.
    #[serde(default)]
    pub order: Vec<Player>,
}

/// A city.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::CityView))]
#[serde(deny_unknown_fields)]
pub struct CityView {
    /// Who controls it; `null` where it is neutral.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "stated")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<Player>))]
    pub control: Option<Option<Player>>,
    /// What it supplies, slot by slot.
    #[serde(default)]
    pub supply: Vec<Good>,
    /// What it demands, slot by slot.
    #[serde(default)]
    pub demand: Vec<Good>,
    /// Renaissance masters.
    #[serde(default, skip_serializing_if = "unset")]
    pub masters: u32,
    /// The last round without income, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub no_income_until: u32,
    /// The last round without recruiting, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub no_recruit_until: u32,
    /// The last round under protection, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub protected_until: u32,
    /// Something was recruited here this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub recruited: bool,
    /// Somebody negotiated here this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub negotiated: bool,
}

fn stated<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<Player>>, D::Error> {
    neutral(from).map(Some)
}

/// A player, or nobody: `null`, or the word `neutral`.
fn neutral<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Player>, D::Error> {
    let Some(name) = Option::<std::borrow::Cow<'de, str>>::deserialize(from)? else {
        return Ok(None);
    };
    match super::wire::Key::parse(&name) {
        Some(player) => Ok(Some(player)),
        None if name == "neutral" => Ok(None),
        None => Err(serde::de::Error::unknown_variant(&name, &super::wire::SEATS)),
    }
}

/// A unit. What is left out has its default: full points, no marks, the origin by 15.4.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::UnitView))]
#[serde(deny_unknown_fields)]
pub struct UnitView {
    /// Its number.
    pub id: u32,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Its owner; `null` where it is neutral.
    #[serde(default, deserialize_with = "neutral")]
    pub owner: Option<Player>,
    /// Its hex.
    pub at: Hex,
    /// Points left, where not all are.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub points: Option<u8>,
    /// A cannon that counts as moved this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub moved: bool,
    /// It has attacked this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub attacked: bool,
    /// It was recruited this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub fresh: bool,
    /// It embarked this turn.
    #[serde(default, skip_serializing_if = "unset")]
    pub embarked: bool,
    /// The last round in which it is held, 0 for none.
    #[serde(default, skip_serializing_if = "unset")]
    pub held_until: u32,
    /// A merchant's origin, where it is not the city of its owner that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<u8>,
    /// The galleon it is aboard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aboard: Option<u32>,
}

/// The marks on a good.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::GoodView))]
#[serde(deny_unknown_fields)]
pub struct GoodView {
    /// The last round of a surplus, 0 for none.
    #[serde(default)]
    pub surplus_until: u32,
    /// The last round of a scarcity, 0 for none.
    #[serde(default)]
    pub scarcity_until: u32,
}

/// The favour of the Church.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::FavorView))]
#[serde(deny_unknown_fields)]
pub struct FavorView {
    /// Who holds it unused.
    #[serde(default)]
    pub holder: Option<Player>,
    /// Who throws a die on the next bid.
    #[serde(default)]
    pub bid_bonus: Option<Player>,
    /// Who will lead the turn order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Player>,
}

/// A bid before the reveal.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BidView))]
#[serde(untagged, expecting = "a bid is {\"amount\", \"skip_trading\"} or {\"sealed\": true}")]
pub enum BidView {
    /// For those who may know it.
    Open(BidLine),
    /// For all others.
    Sealed(SealedLine),
}

/// A bid that the observer knows.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BidLine))]
#[serde(deny_unknown_fields)]
pub struct BidLine {
    /// The gold.
    pub amount: u32,
    /// Whether the bidder stays out of the trading session.
    #[serde(default)]
    pub skip_trading: bool,
}

/// A bid of which the observer knows only that it was made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::SealedLine))]
#[serde(deny_unknown_fields)]
pub struct SealedLine {
    /// `true`.
    pub sealed: bool,
}

/// An open deal.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::DealView))]
#[serde(deny_unknown_fields)]
pub struct DealView {
    /// Its number within the round.
    pub deal: u32,
    /// Who proposed it.
    pub proposer: Player,
    /// The parties that agree.
    pub agreed: Vec<Player>,
    /// What would change hands.
    pub items: Vec<DealItem>,
}

/// A spy action under way.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::MissionView))]
#[serde(deny_unknown_fields)]
pub struct MissionView {
    /// Successes that come after this one.
    pub left: u32,
    /// The D10 of this one.
    pub die: u8,
    /// The result that is worked out, once it is aimed.
    #[serde(default)]
    pub mission: Option<Mission>,
    /// Its target, once it is aimed.
    #[serde(default)]
    pub target: Option<Target>,
}

/// A battle under way.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::BattleView))]
#[serde(deny_unknown_fields)]
pub struct BattleView {
    /// The attacked hex.
    pub target: Hex,
    /// The named units that are left.
    pub units: Vec<u32>,
    /// Units of the attacker that are only aimed at.
    #[serde(default)]
    pub bystanders: Vec<u32>,
    /// The step, 1 to 7.
    pub step: u8,
    /// The attacker's targets of this step, once they are declared.
    #[serde(default)]
    pub declared: Option<Vec<(u32, u32)>>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = doubloons::EndedView))]
#[serde(deny_unknown_fields)]
pub struct EndedView {
    /// Who won.
    #[serde(default)]
    pub winner: Option<Player>,
    /// Why it is over.
    pub reason: Ending,
}

/// What an observer knows.
pub(super) fn of(setup: &Setup, state: &State, to: Observer) -> View {
    let hex = |at| setup.map.place(at).hex;
    let bids = setup.all().filter_map(|player| {
        let Bid { amount, skip } = state.bids[player.index()]?;
        let bid = if to.sees(player.seat()) {
            BidView::Open(BidLine { amount, skip_trading: skip })
        } else {
            BidView::Sealed(SealedLine { sealed: true })
        };
        Some((player, bid))
    });
    let goods = Good::ALL.iter().filter_map(|&good| {
        let GoodMarks { surplus_until, scarcity_until } = state.goods[good as usize];
        let marked = surplus_until != 0 || scarcity_until != 0;
        marked.then_some((good, GoodView { surplus_until, scarcity_until }))
    });
    let treaties = setup.all().flat_map(|a| {
        let partners = state.treaties[a.index()];
        partners.iter().filter(move |&b| a < b).map(move |b| [a, b]).collect::<Vec<_>>()
    });
    View {
        round: state.round,
        state: StateView {
            phase: state.phase,
            active: state.active,
            order: state.order.iter().collect(),
        },
        gold: Keyed::new(setup.all().map(|player| (player, state.gold(player))).collect()),
        cities: Keyed::new((1..).zip(state.cities.iter().map(city_view)).collect()),
        units: state.units.iter().map(|unit| unit_view(setup, state, unit)).collect(),
        routes: state.routes.iter().map(|&route| route.into()).collect(),
        goods: Keyed::new(goods.collect()),
        favor: FavorView { holder: state.favor, bid_bonus: state.bonus, first: state.first },
        treaties: treaties.collect(),
        gone: setup.all().filter(|&player| !state.playing.has(player)).collect(),
        bids: Keyed::new(bids.collect()),
        away: state.away.iter().collect(),
        deals: state
            .deals
            .iter()
            .map(|deal| DealView {
                deal: deal.number,
                proposer: deal.proposer,
                agreed: deal.agreed.iter().collect(),
                items: deal.items.to_vec(),
            })
            .collect(),
        next_deal: state.next_deal,
        next_unit: state.next_unit,
        agreed: state.agreed.iter().collect(),
        disband: state.owed,
        mission: state.spying.map(|it| MissionView {
            left: it.left,
            die: it.roll,
            mission: it.aim.map(|aim| aim.0),
            target: it.aim.map(|aim| aim.1),
        }),
        battle: state.fight.as_deref().map(|it| BattleView {
            target: hex(it.target),
            units: it.units.clone(),
            bystanders: it.bystanders.clone(),
            step: it.step,
            declared: it.declared.clone(),
        }),
        ended: state.ended.map(|it| EndedView { winner: it.winner, reason: it.reason }),
    }
}

fn city_view(city: &City) -> CityView {
    let list = |slots: &Slots| {
        let goods = Good::ALL.iter().zip(slots);
        goods.flat_map(|(&good, &count)| std::iter::repeat_n(good, usize::from(count))).collect()
    };
    CityView {
        control: Some(city.control),
        supply: list(&city.supply),
        demand: list(&city.demand),
        masters: city.masters,
        no_income_until: city.no_income_until,
        no_recruit_until: city.no_recruit_until,
        protected_until: city.protected_until,
        recruited: city.recruited,
        negotiated: city.negotiated,
    }
}

fn unit_view(setup: &Setup, state: &State, unit: &Unit) -> UnitView {
    let usual = usual_origin(setup, state, unit);
    UnitView {
        id: unit.id,
        kind: unit.kind,
        owner: unit.owner,
        at: setup.map.place(unit.at).hex,
        points: (unit.points != unit.kind.points()).then_some(unit.points),
        moved: unit.moved,
        attacked: unit.attacked,
        fresh: unit.fresh,
        embarked: unit.embarked,
        held_until: unit.held_until,
        origin: (unit.origin != usual).then_some(unit.origin),
        aboard: (unit.aboard != 0).then_some(unit.aboard),
    }
}

/// 15.4: the origin of a merchant that stands in a city of its owner; elsewhere none.
fn usual_origin(setup: &Setup, state: &State, unit: &Unit) -> u8 {
    let city = setup.map.place(unit.at).city;
    let own = city > 0 && unit.owner.is_some() && state.city(city).control == unit.owner;
    if own && unit.kind.is_merchant() { city } else { 0 }
}

impl From<View> for Position {
    fn from(it: View) -> Self {
        Position {
            round: it.round,
            state: it.state,
            gold: it.gold,
            cities: it.cities,
            units: it.units,
            routes: it.routes,
            goods: it.goods,
            favor: it.favor,
            treaties: it.treaties,
            gone: it.gone,
            bids: it.bids,
            away: it.away,
            deals: it.deals,
            next_deal: it.next_deal,
            next_unit: it.next_unit,
            agreed: it.agreed,
            disband: it.disband,
            mission: it.mission,
            battle: it.battle,
            ended: it.ended,
        }
    }
}

/// A state that a viewer could be in: sealed bids are drawn.
pub(super) fn determinize(
    setup: &Setup,
    view: &View,
    chance: &mut dyn Chance,
) -> Result<State, Halt> {
    let mut position = Position::from(view.clone());
    let gold = |player: &Player| position.gold.get(player).copied().unwrap_or(0);
    let mut bids = Vec::new();
    for (player, bid) in position.bids.iter() {
        let open = match bid {
            BidView::Open(open) => *open,
            BidView::Sealed(_) => {
                let mut draw = |n| chance.answer(&Ask { stream: 0, what: What::Hidden { n } });
                let amount = draw(gold(player).saturating_add(1))?;
                BidLine { amount, skip_trading: draw(2)? == 1 }
            }
        };
        bids.push((*player, BidView::Open(open)));
    }
    position.bids = Keyed::new(bids);
    let no_view = |_| Halt::NoSeed { asked: "a view of this game".to_owned() };
    load(setup, position).map_err(no_view)
}

/// 19.2 A position that does not hold together.
fn broken(invariant: u8, code: &'static str, message: String, at: String) -> Refused {
    let refusal = Refusal::new(Rule::C19_2, code, message).at(at).public();
    if invariant == 0 { refusal } else { refusal.invariant(invariant) }
}

/// The state of a position, after checking the invariants.
pub(super) fn load(setup: &Setup, position: Position) -> Result<State, Refused> {
    let mut state = State::new(setup);
    load_table(setup, &mut state, &position)?;
    load_cities(setup, &mut state, &position)?;
    load_units(setup, &mut state, &position)?;
    load_routes(setup, &mut state, &position)?;
    load_phase(setup, &mut state, &position)?;
    load_pending(setup, &mut state, &position)?;
    check_units(setup, &state)?;
    check_company(setup, &state)?;
    Ok(state)
}

fn all_play(setup: &Setup, players: &[Player], at: &str) -> Result<PlayerSet, Refused> {
    let mut set = PlayerSet::default();
    for &player in players {
        ch19_validity::player_exists(setup, player, at)?;
        if set.has(player) {
            let message = format!("{player} is named twice");
            return Err(broken(0, "player_twice", message, at.to_owned()));
        }
        set.add(player);
    }
    Ok(set)
}

/// Round, gold, treaties, favour, marks on goods, players who are gone.
fn load_table(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    if it.round == 0 {
        return Err(broken(0, "bad_round", "rounds count from 1".to_owned(), "/round".to_owned()));
    }
    state.round = it.round;
    for gone in all_play(setup, &it.gone, "/gone")?.iter() {
        state.playing.remove(gone);
    }
    for &(player, gold) in it.gold.iter() {
        ch19_validity::player_exists(setup, player, "/gold")?;
        if gold > 0 && !state.playing.has(player) {
            let message = format!("{player} is gone and has {gold} gold");
            return Err(broken(1, "gone_with_gold", message, format!("/gold/{player}")));
        }
        if gold > MOST {
            let message = format!("no player has {gold} gold; {MOST} at most");
            return Err(broken(1, "too_much_gold", message, format!("/gold/{player}")));
        }
        state.gold[player.index()] = gold;
    }
    for (at, &[a, b]) in it.treaties.iter().enumerate() {
        let pointer = format!("/treaties/{at}");
        for player in [a, b] {
            in_game(setup, state, player, &pointer)?;
        }
        if a == b || state.are_friends(a, b) {
            let message = format!("{a} and {b} cannot have this treaty");
            return Err(broken(0, "bad_treaty", message, pointer));
        }
        state.treaties[a.index()].add(b);
        state.treaties[b.index()].add(a);
    }
    let mark = |until: u32| if until < it.round { 0 } else { until };
    for &(good, GoodView { surplus_until, scarcity_until }) in it.goods.iter() {
        let marks = &mut state.goods[good as usize];
        marks.surplus_until = mark(surplus_until);
        marks.scarcity_until = mark(scarcity_until);
    }
    let FavorView { holder, bid_bonus, first } = it.favor;
    for player in [holder, bid_bonus, first].into_iter().flatten() {
        in_game(setup, state, player, "/favor")?;
    }
    let phase = it.state.phase;
    if holder.is_some() && matches!(phase, Phase::Event | Phase::Bid) {
        let message = format!("nobody holds the favour in the state {phase}");
        return Err(broken(13, "favor_too_early", message, "/favor/holder".to_owned()));
    }
    if first.is_some() && (phase != Phase::Trading && phase != Phase::TurnOrder) {
        let message = format!("the turn order is not open in the state {phase}");
        return Err(broken(13, "favor_too_late", message, "/favor/first".to_owned()));
    }
    (state.favor, state.bonus, state.first) = (holder, bid_bonus, first);
    state.agreed = all_play(setup, &it.agreed, "/agreed")?;
    state.away = all_play(setup, &it.away, "/away")?;
    for player in state.agreed.iter().chain(state.away.iter()) {
        in_game(setup, state, player, "/agreed")?;
    }
    Ok(())
}

/// A player who plays and is still in the game.
fn in_game(setup: &Setup, state: &State, player: Player, at: &str) -> Result<(), Refused> {
    ch19_validity::player_exists(setup, player, at)?;
    if state.playing.has(player) {
        return Ok(());
    }
    Err(broken(0, "player_is_out", format!("{player} is out of the game"), at.to_owned()))
}

fn load_cities(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    for player in setup.all().filter(|&player| !state.playing.has(player)) {
        state.cities[usize::from(setup.home(player)) - 1].control = None;
    }
    let mark = |until: u32| if until < it.round { 0 } else { until };
    for (number, given) in it.cities.iter() {
        let at = format!("/cities/{number}");
        ch19_validity::city_exists(setup, *number, &at)?;
        if let Some(player) = given.control.flatten()
            && !(setup.has(player) && state.playing.has(player))
        {
            let message = format!("{player} is not in the game and controls city {number}");
            return Err(broken(9, "bad_control", message, at));
        }
        let lists = slots(&given.supply).zip(slots(&given.demand));
        let Some((supply, demand)) = lists else {
            return Err(broken(0, "too_many_slots", "too many slots of a good".to_owned(), at));
        };
        let city = &mut state.cities[usize::from(*number) - 1];
        *city = City {
            control: given.control.unwrap_or(city.control),
            masters: given.masters,
            no_income_until: mark(given.no_income_until),
            no_recruit_until: mark(given.no_recruit_until),
            protected_until: mark(given.protected_until),
            recruited: given.recruited,
            negotiated: given.negotiated,
            supply,
            demand,
        };
    }
    Ok(())
}

/// Invariant 2: the next number of a unit or a deal, which some more can follow.
fn numbered(next: u32, at: &str) -> Result<u32, Refused> {
    if next <= MOST {
        return Ok(next);
    }
    let message = format!("{next} is next; no game comes to more than {MOST}");
    Err(broken(2, "number_too_high", message, at.to_owned()))
}

fn load_units(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    let mut order: Vec<usize> = (0..it.units.len()).collect();
    order.sort_by_key(|&at| it.units[at].id);
    for place in order {
        let given = &it.units[place];
        let pointer = format!("/units/{place}");
        let at = ch19_validity::hex_exists(setup, given.at, &format!("{pointer}/at"))?;
        if let Some(owner) = given.owner {
            in_game(setup, state, owner, &format!("{pointer}/owner"))?;
        }
        let twice = state.units.last().is_some_and(|last| last.id == given.id);
        if given.id == 0 || given.id == u32::MAX || twice {
            let message = format!("unit number {} is used twice or cannot be", given.id);
            return Err(broken(2, "bad_unit_id", message, format!("{pointer}/id")));
        }
        let points = given.points.unwrap_or(given.kind.points());
        if points > given.kind.points() {
            let message = format!("{} has at most {} points", given.kind, given.kind.points());
            return Err(broken(15, "too_many_points", message, format!("{pointer}/points")));
        }
        let mut unit = Unit::new(given.id, given.kind, given.owner, at);
        unit.points = points;
        unit.moved = given.moved;
        unit.attacked = given.attacked;
        unit.fresh = given.fresh;
        unit.embarked = given.embarked;
        unit.held_until = if given.held_until < it.round { 0 } else { given.held_until };
        unit.aboard = given.aboard.unwrap_or(0);
        let usual = usual_origin(setup, state, &unit);
        unit.origin = if usual > 0 { usual } else { given.origin.unwrap_or(0) };
        if unit.origin > 0 {
            ch19_validity::city_exists(setup, unit.origin, &format!("{pointer}/origin"))?;
            if !unit.kind.is_merchant() {
                let message = format!("{} has no origin", unit.kind);
                return Err(broken(0, "bad_origin", message, format!("{pointer}/origin")));
            }
        }
        state.units.push(unit);
    }
    let last = state.units.last().map_or(0, |unit| unit.id);
    state.next_unit = numbered(it.next_unit.max(last.saturating_add(1)), "/next_unit")?;
    Ok(())
}

fn load_routes(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    for (at, &line) in it.routes.iter().enumerate() {
        let pointer = format!("/routes/{at}");
        let route = Route::from(line);
        for city in [route.from, route.to] {
            ch19_validity::city_exists(setup, city, &pointer)?;
        }
        ch19_validity::player_exists(setup, route.owner, &pointer)?;
        if route.from == route.to {
            let message = "a route joins two different cities".to_owned();
            return Err(broken(10, "route_to_itself", message, pointer));
        }
        if state.city(route.from).control != Some(route.owner) {
            let message = format!("{} does not control city {}", route.owner, route.from);
            return Err(broken(10, "route_from_elsewhere", message, pointer));
        }
        let other = state.city(route.to).control.filter(|&other| other != route.owner);
        if other.is_some_and(|other| !state.are_friends(route.owner, other)) {
            let message = format!("city {} is no market for {}", route.to, route.owner);
            return Err(broken(11, "route_to_an_enemy", message, pointer));
        }
        state.routes.push(route);
        let used = |state: &State, fits: &dyn Fn(&Route) -> bool| {
            state.routes.iter().filter(|it| it.good == route.good && fits(it)).count() as u8
        };
        let supply = used(state, &|it| it.from == route.from);
        let demand = used(state, &|it| it.to == route.to);
        if supply == u8::MAX || demand == u8::MAX {
            return Err(broken(10, "too_many_routes", "too many routes".to_owned(), pointer));
        }
        let slot = &mut state.cities[usize::from(route.from) - 1].supply[route.good as usize];
        *slot = (*slot).max(supply);
        let slot = &mut state.cities[usize::from(route.to) - 1].demand[route.good as usize];
        *slot = (*slot).max(demand);
    }
    Ok(())
}

/// Phase, active player and order.
fn load_phase(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    let StateView { phase, active, ref order } = it.state;
    let listed = all_play(setup, order, "/state/order")?;
    state.phase = phase;
    let wrong = |message: String, at: &str| Err(broken(21, "bad_turn", message, at.to_owned()));
    match (active, phase.is_main()) {
        (Some(player), true) => in_game(setup, state, player, "/state/active")?,
        (None, true) => return wrong(format!("the state {phase} needs a player"), "/state/active"),
        (Some(_), false) if phase != Phase::GameOver => {
            return wrong(format!("nobody is active in the state {phase}"), "/state/active");
        }
        _ => {}
    }
    state.active = active;
    if phase.is_main() && listed.is_empty() {
        let players: Vec<Player> = state.playing.iter().collect();
        state.order = Order::new(&players);
    } else {
        let complete = listed.holds(state.playing);
        if phase.is_main() && !complete {
            return wrong("the order leaves a player out".to_owned(), "/state/order");
        }
        if !phase.is_main() && phase != Phase::GameOver && !listed.is_empty() {
            return wrong(format!("no order is thrown in the state {phase}"), "/state/order");
        }
        state.order = Order::new(order);
    }
    match (phase == Phase::GameOver, it.ended) {
        (true, Some(EndedView { winner, reason })) => {
            winner.map_or(Ok(()), |it| ch19_validity::player_exists(setup, it, "/ended"))?;
            state.ended = Some(Ended { winner, reason });
        }
        (false, None) => {}
        _ => {
            let message = "the state game_over and an end go together".to_owned();
            return Err(broken(0, "bad_end", message, "/ended".to_owned()));
        }
    }
    Ok(())
}

/// Bids, deals, unpaid upkeep, missions and battles that are under way.
fn load_pending(setup: &Setup, state: &mut State, it: &Position) -> Result<(), Refused> {
    let misfit = |what: &str, at: &str| {
        let message = format!("{what} does not fit the state {}", it.state.phase);
        Err(broken(0, "does_not_fit_the_state", message, at.to_owned()))
    };
    let phase = it.state.phase;
    if !it.bids.is_empty() && phase != Phase::Bid {
        return misfit("a bid", "/bids");
    }
    if (!it.away.is_empty() || !it.deals.is_empty()) && phase != Phase::Trading {
        return misfit("a trading session", "/deals");
    }
    for &(player, bid) in it.bids.iter() {
        let at = format!("/bids/{player}");
        in_game(setup, state, player, &at)?;
        let BidView::Open(BidLine { amount, skip_trading }) = bid else {
            let message = "a position holds the referee's view, with every bid".to_owned();
            return Err(broken(0, "sealed_bid", message, at));
        };
        if amount > state.gold(player) {
            let message = format!("{player} bids {amount} and has less");
            return Err(broken(1, "bid_above_gold", message, at));
        }
        state.bids[player.index()] = Some(Bid { amount, skip: skip_trading });
    }
    state.next_deal = numbered(it.next_deal.max(1), "/next_deal")?;
    for (at, given) in it.deals.iter().enumerate() {
        load_deal(setup, state, given, &format!("/deals/{at}"))?;
    }
    if (it.disband > 0) != (phase == Phase::Disband) {
        return misfit("the number of units to disband", "/disband");
    }
    state.owed = it.disband;
    match (matches!(phase, Phase::SpyTarget | Phase::FavorNegate), it.mission) {
        (true, Some(given)) => load_mission(setup, state, given)?,
        (false, None) => {}
        _ => return misfit("a mission", "/mission"),
    }
    match (matches!(phase, Phase::DeclareTargets | Phase::Advance), &it.battle) {
        (true, Some(given)) => load_battle(setup, state, given),
        (false, None) => Ok(()),
        _ => misfit("a battle", "/battle"),
    }
}

fn load_deal(setup: &Setup, state: &mut State, given: &DealView, at: &str) -> Result<(), Refused> {
    for (place, item) in given.items.iter().enumerate() {
        ch06_trading::partners_exist(setup, item, &format!("{at}/items/{place}"))?;
        // A unit may have left the game since it was offered: the deal is open (6.3), in vain.
        if let DealItem::Unit(it) = item
            && !(1..state.next_unit).contains(&it.unit)
        {
            let message = format!("there was never a unit u{}", it.unit);
            return Err(broken(2, "bad_unit_id", message, format!("{at}/items/{place}/unit")));
        }
    }
    let mut parties = PlayerSet::default();
    given.items.iter().flat_map(DealItem::between).for_each(|player| parties.add(player));
    let agreed = all_play(setup, &given.agreed, at)?;
    let last = state.deals.last().map_or(0, |deal| deal.number);
    let sound = parties.holds(agreed)
        && agreed.has(given.proposer)
        && agreed.len() < parties.len()
        && given.items.iter().all(|item| item.between()[0] != item.between()[1])
        && parties.iter().all(|it| state.playing.has(it) && !state.away.has(it))
        && last < given.deal
        && given.deal < state.next_deal;
    if !sound {
        let message = format!("deal {} cannot be open so", given.deal);
        return Err(broken(0, "bad_deal", message, at.to_owned()));
    }
    state.deals.push(Deal {
        number: given.deal,
        proposer: given.proposer,
        parties,
        agreed,
        items: std::sync::Arc::new(given.items.clone()),
    });
    Ok(())
}

fn load_mission(setup: &Setup, state: &mut State, given: MissionView) -> Result<(), Refused> {
    let aim = given.mission.zip(given.target);
    let asked = state.phase == Phase::FavorNegate;
    let held = state.favor.is_some_and(|holder| Some(holder) != state.active);
    let thrown = Mission::of_throw(u32::from(given.die));
    let fits = (1..=10).contains(&given.die)
        && given.mission.is_some() == asked
        && aim.is_some() == asked
        && (!asked || held)
        && aim.is_none_or(|aim| aim.0 == thrown || thrown == Mission::Choose);
    let bad = || {
        let message = "the mission cannot stand so".to_owned();
        broken(0, "bad_mission", message, "/mission".to_owned())
    };
    if !fits {
        return Err(bad());
    }
    state.spying = Some(Spying { left: given.left, roll: given.die, aim });
    let legal = match (aim, state.active) {
        // 12.4 Without a legal target nobody is asked.
        (None, Some(player)) => ch12_spies::any_target(setup, state, player, thrown),
        (Some((mission, target)), Some(player)) => {
            let mut found = false;
            let _ = ch12_spies::targets(setup, state, player, mission, |it| {
                found |= it == target;
                std::ops::ControlFlow::Continue(())
            });
            found
        }
        _ => true,
    };
    if legal { Ok(()) } else { Err(bad()) }
}

fn load_battle(setup: &Setup, state: &mut State, given: &BattleView) -> Result<(), Refused> {
    let bad = |message: &str, at: &str| {
        Err(broken(0, "bad_battle", message.to_owned(), format!("/battle{at}")))
    };
    let target = ch19_validity::hex_exists(setup, given.target, "/battle/target")?;
    let rises = |ids: &[u32]| ids.windows(2).all(|pair| pair[0] < pair[1]);
    let own = |id: u32| {
        let unit = state.unit(id).filter(|unit| unit.owner == state.active);
        unit.is_some_and(|unit| setup.map.adjacent(unit.at, target))
    };
    if !rises(&given.units) || !rises(&given.bystanders) {
        return bad("units are listed by rising number", "/units");
    }
    let militia = |id: &u32| state.unit(*id).is_some_and(|unit| unit.kind == Kind::Militia);
    if given.units.iter().any(militia) {
        return bad("militia does not attack", "/units");
    }
    if given.units.iter().any(|id| given.bystanders.contains(id)) {
        return bad("a unit takes part and does not", "/bystanders");
    }
    if !given.units.iter().chain(&given.bystanders).all(|&id| own(id)) {
        return bad("a unit of the attacker stands next to the attacked hex", "/units");
    }
    if !(1..=super::tables::STEPS).contains(&given.step) && state.phase != Phase::Advance {
        return bad("steps count from 1 to 7", "/step");
    }
    let fight = Fight {
        target,
        units: given.units.clone(),
        bystanders: given.bystanders.clone(),
        step: given.step,
        declared: None,
    };
    if state.phase == Phase::DeclareTargets
        && let Some(pairs) = &given.declared
    {
        let side = ch14_battle::attacking(setup, state, &fight, given.step);
        let fits = side.len() == pairs.len()
            && side
                .iter()
                .zip(pairs)
                .all(|((unit, legal), &(named, target))| *unit == named && legal.contains(&target));
        if !fits {
            return bad("every unit that throws has a legal target", "/declared");
        }
    }
    state.fight = Some(Box::new(Fight { declared: given.declared.clone(), ..fight }));
    if state.phase == Phase::Advance && !ch14_battle::may_advance(setup, state) {
        return bad("nobody is asked whether to enter the attacked hex", "/target");
    }
    Ok(())
}

/// Invariants 3 to 5 and 8: where units may be.
fn check_units(setup: &Setup, state: &State) -> Result<(), Refused> {
    for unit in &state.units {
        let place = setup.map.place(unit.at);
        let at = "/units".to_owned();
        let name = format!("u{} {}", unit.id, unit.kind);
        if unit.aboard != 0 {
            let ship = state.unit(unit.aboard).filter(|ship| ship.kind == Kind::Galleon);
            let sound = ship.is_some_and(|ship| ship.at == unit.at && ship.owner == unit.owner);
            if !sound || unit.kind.is_ship() {
                let message = format!("{name} cannot be aboard u{}", unit.aboard);
                return Err(broken(5, "bad_cargo", message, at));
            }
            if state.cargo(unit.aboard).count() > CARGO {
                let message = format!("u{} carries more than {CARGO}", unit.aboard);
                return Err(broken(5, "galleon_overloaded", message, at));
            }
        }
        let stands = if unit.kind.is_ship() {
            place.open_to_ships
        } else {
            unit.aboard != 0 || place.terrain.land_cost().is_some()
        };
        if !stands {
            let message = format!("{name} cannot be in {}, {}", place.hex, place.terrain);
            return Err(broken(3, "wrong_terrain", message, at));
        }
        if unit.kind == Kind::Militia && (place.terrain != Terrain::City || unit.aboard != 0) {
            return Err(broken(4, "militia_outside", format!("{name} is in no city"), at));
        }
        let neutral_city = place.city > 0 && state.city(place.city).control.is_none();
        if unit.owner.is_none() && !neutral_city {
            let message = format!("{name} is neutral and in no neutral city");
            return Err(broken(8, "neutral_outside", message, at));
        }
    }
    Ok(())
}

/// Invariants 6 and 7: who may share a hex.
fn check_company(setup: &Setup, state: &State) -> Result<(), Refused> {
    for unit in state.units.iter().filter(|unit| unit.is_military()) {
        let place = setup.map.place(unit.at);
        let at = "/units".to_owned();
        if place.city > 0 && state.city(place.city).control != unit.owner {
            let message = format!("u{} is in a city that is not its owner's", unit.id);
            return Err(broken(6, "foreign_troops_in_city", message, at));
        }
        for other in state.units_at(unit.at).filter(|other| other.owner != unit.owner) {
            let message = format!("u{} and u{} share {}", unit.id, other.id, place.hex);
            if other.is_military() {
                return Err(broken(6, "mixed_hex", message, at));
            }
            if other.kind.is_leader() && unit.owner.is_some() {
                return Err(broken(7, "leader_among_enemies", message, at));
            }
        }
    }
    let gone = |unit: &&Unit| unit.owner.is_some_and(|owner| !state.playing.has(owner));
    match state.units.iter().find(gone) {
        None => Ok(()),
        Some(unit) => {
            let message = format!("the owner of u{} is out of the game", unit.id);
            refuse(broken(9, "player_is_out", message, "/units".to_owned()))
        }
    }
}
