//! A view as a starting position, and states from positions (part D.4).
//!
//! The referee's view is a position; so is the short form, in which what is left out has its stated
//! default. Must not repair anything: a position that breaks an invariant is refused, naming it.

mod board;
mod determinize;
mod invariants;
mod pending;
mod table;

pub(super) use determinize::{determinize, redeal, reopened};

use serde::{Deserialize, Serialize};

use super::action::{Keyed, Player};
use super::notice::RouteLine;
use super::rulebook::Rule;
use super::setup::Setup;
use super::state::State;
use super::tables::Good;
use super::view::{
    BattleView, BidView, CityView, DealView, EndedView, FavorView, GoodView, MissionView,
    StateView, UnitView, View,
};
use super::{Checked, Refusal};
use board::{load_cities, load_routes, load_units};
use invariants::{check_company, check_units};
use pending::{load_pending, load_phase};
use table::load_table;

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

/// The most units of a position: ten times what a long game of six has.
const MOST_UNITS: usize = 4_000;
/// The most entries of any other list of a position.
const MOST_ENTRIES: usize = 1_000;

/// No list is longer than a game could make it, many times over: the work on a position grows faster
/// than its lists.
fn check_lengths(it: &Position) -> Checked {
    let battle = |list: fn(&BattleView) -> usize| it.battle.as_ref().map_or(0, list);
    let items = it.deals.iter().map(|deal| deal.items.len() + deal.agreed.len()).sum();
    let lists = [
        ("/units", it.units.len(), MOST_UNITS),
        ("/routes", it.routes.len(), MOST_ENTRIES),
        ("/treaties", it.treaties.len(), MOST_ENTRIES),
        ("/gone", it.gone.len(), MOST_ENTRIES),
        ("/away", it.away.len(), MOST_ENTRIES),
        ("/agreed", it.agreed.len(), MOST_ENTRIES),
        ("/deals", it.deals.len(), MOST_ENTRIES),
        ("/deals", items, MOST_UNITS),
        ("/state/order", it.state.order.len(), MOST_ENTRIES),
        ("/battle/units", battle(|it| it.units.len()), MOST_UNITS),
        ("/battle/bystanders", battle(|it| it.bystanders.len()), MOST_UNITS),
        ("/battle/declared", battle(|it| it.declared.as_ref().map_or(0, Vec::len)), MOST_UNITS),
    ];
    for (at, length, most) in lists {
        if length > most {
            let message = format!("{length} entries; there are never more than {most}");
            return Err(Refusal::new(Rule::C19_2, "too_many_entries", message)
                .at(at)
                .fact("entries", length)
                .fact("most entries", most)
                .public());
        }
    }
    Ok(())
}

/// The state of a position, after checking the invariants.
pub(super) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    check_lengths(position)?;
    let state = read(setup, position)?;
    check_units(setup, &state)?;
    check_company(setup, &state)?;
    Ok(state)
}

/// The state of a position that was made from a state: what is written in it is checked, what stands where is
/// not.
fn read(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    load_table(setup, &mut state, position)?;
    load_cities(setup, &mut state, position)?;
    load_units(setup, &mut state, position)?;
    load_routes(setup, &mut state, position)?;
    load_phase(setup, &mut state, position)?;
    load_pending(setup, &mut state, position)?;
    Ok(state)
}
