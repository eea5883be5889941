//! DRG-12: who knows what.
//!
//! Must not build a view; that is [`super::view`].

use super::rulebook::Fleeing;
use super::setup::Setup;
use super::state::{Place, State, Unit};

/// DRG-12.3, 12.4 and the table of part E: whether everybody knows who a unit is.
///
/// Revealed units and captives are known, and so is whoever has left the map or waits beside it,
/// except that under DRG-R42 = `giulia_only` a fled unit stays what it was. Pirates at sea are
/// known by their number alone, unless one went back there under DRG-R15 = `stay_revealed`.
pub fn public(setup: &Setup, state: &State, unit: Unit) -> bool {
    match state.place[unit.at()] {
        Place::FLED => setup.rulings.fleeing == Fleeing::All || state.revealed.contains(unit),
        Place::ASIDE | Place::RESERVE | Place::SERRAGLIO | Place::REMOVED => true,
        _ => state.revealed.contains(unit) || state.captive.contains(unit),
    }
}
