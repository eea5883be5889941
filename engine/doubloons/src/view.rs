//! DBD-20 Information: who sees what of the state (part F).
//!
//! Everything is public but bids before they are opened. A view is built field by field; must not
//! decide anything.

mod parts;

pub(super) use parts::{
    BattleView, BidLine, BidView, CityView, DealView, EndedView, FavorView, GoodView, MissionView,
    Rounds, SealedLine, StateView, UnitView,
};

use serde::{Deserialize, Serialize};

use super::action::{Keyed, Player};
use super::notice::RouteLine;
use super::setup::{Setup, Slots};
use super::state::{City, CityGoods, GoodMarks, SealedBid, State, Term, Unit};
use super::tables::Good;
use umpire_core::game::Observer;

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
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, CityView>))]
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

impl View {
    /// Puts aside the numbers that the next unit and the next deal will have, and what other readings only remember: who was paid,
    /// moved or attacked this turn, and where a merchant was recruited.
    pub(super) fn put_books_aside(&mut self) {
        (self.next_unit, self.next_deal) = (0, 0);
        self.state.spied = false;
        self.state.attacked_from.clear();
        // DBD-14.8 Whose units are attacked is named where one reading asks for it; where they are one owner's, all know.
        if let Some(battle) = &mut self.battle {
            battle.owner = None;
        }
        for unit in &mut self.units {
            unit.marched = false;
            unit.recruited_in = None;
        }
    }
}

/// What an observer knows.
pub(super) fn view(setup: &Setup, state: &State, to: Observer) -> View {
    let hex = |at| setup.map.place(at).hex;
    let bids = setup.all().filter_map(|player| {
        let SealedBid { amount, skip } = state.bids[player.index()]?;
        let bid = if to.sees(player.seat()) {
            BidView::Open(BidLine { amount, skip_trading: skip })
        } else {
            BidView::Sealed(SealedLine { sealed: true })
        };
        Some((player, bid))
    });
    let goods = Good::ALL.iter().filter_map(|&good| {
        let GoodMarks { surplus, scarcity } = state.goods[good as usize];
        let marked = surplus != Term::NONE || scarcity != Term::NONE;
        let more = state.more_scarcities.iter().filter(|it| it.0 == good).map(|it| it.1);
        let mut until: Vec<u32> = more.chain([scarcity.last]).collect();
        until.sort_unstable();
        let scarcity_until = match until[..] {
            [one] => Rounds::One(one),
            _ => Rounds::Several(until),
        };
        let shown = GoodView { surplus_until: surplus.last, scarcity_until };
        marked.then_some((good, shown))
    });
    let treaties = setup.all().flat_map(|a| {
        let partners = state.treaties[a.index()];
        partners.iter().filter(move |&b| a < b).map(move |b| [a, b]).collect::<Vec<_>>()
    });
    View {
        round: state.round,
        state: StateView {
            phase: state.stage,
            active: state.active,
            order: state.order.iter().collect(),
            spied: state.spied,
            attacked_from: state.attacked_from.iter().map(|&at| hex(at)).collect(),
        },
        gold: Keyed::new(setup.all().map(|player| (player, state.gold(player))).collect()),
        cities: Keyed::new((1..).zip(state.cities.iter().map(city_view)).collect()),
        units: state.units.iter().map(|unit| unit_view(setup, state, unit)).collect(),
        routes: state.routes.iter().map(|&route| route.into()).collect(),
        goods: Keyed::new(goods.collect()),
        favor: FavorView {
            holder: state.favor,
            used: state.used.iter().collect(),
            bid_bonus: state.bonus,
            bonus: state.bonus_die,
            first: state.first,
        },
        treaties: treaties.collect(),
        gone: setup.all().filter(|&player| !state.playing.contains(player)).collect(),
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
            answered: it.answered.clone(),
            owner: it.owner,
            hit: it.hit.clone(),
        }),
        ended: state.ended.map(|it| EndedView { winner: it.winner, reason: it.reason }),
    }
}

/// A city as everybody sees it.
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
        no_income_until: city.no_income.last,
        no_income_turn_of: city.no_income.of,
        no_recruit_until: city.no_recruits.last,
        no_recruit_turn_of: city.no_recruits.of,
        protected_until: city.protected.last,
        protected_turn_of: city.protected.of,
        recruited: city.recruited,
        negotiated: city.negotiated,
        goods_unthrown: city.goods != CityGoods::Thrown,
        garrison_unthrown: city.garrison_unthrown,
    }
}

/// A unit as everybody sees it, without what is usual.
fn unit_view(setup: &Setup, state: &State, unit: &Unit) -> UnitView {
    let usual = state.usual_origin(setup, unit);
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
        held_until: unit.held.last,
        held_turn_of: unit.held.of,
        pinned_until: state.pin(unit.id).last,
        pinned_turn_of: state.pin(unit.id).of,
        marched: state.marched.contains(&unit.id),
        recruited_in: (unit.recruited_in != 0).then_some(unit.recruited_in),
        origin: (unit.origin != usual).then_some(unit.origin),
        aboard: (unit.aboard != 0).then_some(unit.aboard),
    }
}
