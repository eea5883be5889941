//! A position as a record gives it: the referee's view, or the short form.
//!
//! Must not check more than the form.

use serde::{Deserialize, Serialize};

use crate::action::{Keyed, Player};
use crate::notice::RouteLine;
use crate::tables::Good;
use crate::view::{
    BattleView, BidView, CityView, DealView, EndedView, FavorView, GoodView, MissionView,
    StateView, UnitView, View,
};

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
    #[cfg_attr(feature = "schema", schema(value_type = std::collections::BTreeMap<crate::action::NumberKey, CityView>))]
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

/// The default of what counts from 1.
fn one() -> u32 {
    1
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
