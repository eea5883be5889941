//! The state of a position, one part after the other.
//!
//! Must not repair anything.

use super::board::{load_cities, load_routes, load_units};
use super::data::Position;
use super::invariants::{check_company, check_units};
use super::pending::{load_pending, load_phase};
use super::table::load_table;
use crate::rulebook::Rule;
use crate::setup::Setup;
use crate::state::State;
use crate::view::BattleView;
use crate::{Checked, Refusal};

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
        ("/state/attacked_from", it.state.attacked_from.len(), MOST_ENTRIES),
        ("/favor/used", it.favor.used.len(), MOST_ENTRIES),
        ("/battle/answered", battle(|it| it.answered.len()), MOST_UNITS),
        ("/battle/hit", battle(|it| it.hit.len()), MOST_UNITS),
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
pub(crate) fn load(setup: &Setup, position: &Position) -> Checked<State> {
    check_lengths(position)?;
    let state = read(setup, position)?;
    check_units(setup, &state)?;
    check_company(setup, &state)?;
    Ok(state)
}

/// The state of a position that was made from a state: what is written in it is checked, what stands where is
/// not.
pub(super) fn read(setup: &Setup, position: &Position) -> Checked<State> {
    let mut state = State::new(setup);
    load_table(setup, &mut state, position)?;
    load_cities(setup, &mut state, position)?;
    load_units(setup, &mut state, position)?;
    load_routes(setup, &mut state, position)?;
    load_phase(setup, &mut state, position)?;
    load_pending(setup, &mut state, position)?;
    Ok(state)
}
