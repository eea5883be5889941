//! DRG-12 Information: tokens, and who knows what.
//!
//! Must not build a view; `view.rs` does.

use super::action::{Action, Side};
use super::rulebook::{Fleeing, Rule};
use super::setup::{PIRATE_UNITS, Setup};
use super::state::{Place, State, Unit};
use umpire_core::game::Observer;
use umpire_core::wire::Name;

/// DRG-12.2 The letter that begins a side's tokens.
pub(super) const fn token_letter(side: Side) -> u8 {
    match side {
        Side::Pirates => b'P',
        Side::Rapalline => b'R',
    }
}

/// DRG-12.2 The public name of a token.
pub(super) fn token_name(side: Side, number: u8) -> Name {
    let mut text = [token_letter(side), 0, 0];
    let length = if number < 10 {
        text[1] = b'0' + number;
        2
    } else {
        (text[1], text[2]) = (b'0' + number / 10 % 10, b'0' + number % 10);
        3
    };
    std::str::from_utf8(&text[..length]).ok().and_then(Name::new).unwrap_or_default()
}

/// DRG-12.2 The number of a token; 0 for what is none.
pub(super) fn token_number(token: &Name) -> u8 {
    token.as_str().get(1..).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// DRG-12.2 The token that the next pirate to land gets, in order of landing.
pub(super) fn next_pirate_token(state: &State) -> u8 {
    1 + PIRATE_UNITS.iter().map(|it| state.token[it.index()]).max().unwrap_or(0)
}

/// DRG-12.3, DRG-12.4 Whether everybody knows who a unit is (the table of part E).
///
/// Revealed units and captives are known, and so is whoever has left the map or waits beside it,
/// except that under DRG-R42 = `giulia_only` a fled unit stays what it was. Pirates at sea are
/// known by their number alone, unless one went back there under DRG-R15 = `stay_revealed`.
pub(super) fn is_public(setup: &Setup, state: &State, unit: Unit) -> bool {
    match state.place[unit.index()] {
        Place::FLED => setup.rulings.fleeing == Fleeing::All || state.revealed.contains(unit),
        Place::ASIDE | Place::RESERVE | Place::SERRAGLIO | Place::REMOVED => true,
        _ => state.revealed.contains(unit) || state.captive.contains(unit),
    }
}

/// DRG-12.2 Whether an action names an enemy unit by an id that is hidden from the observer. Whether
/// it is legal is then undecidable for him: the answer would tell where the unit is.
pub(super) fn guess(setup: &Setup, state: &State, action: &Action, to: Observer) -> Option<Rule> {
    let named = match action {
        Action::Send(it) => &it.unit,
        Action::ChooseDefender(it) => &it.unit,
        Action::Relocate(it) => &it.unit,
        _ => return None,
    };
    let unit = setup.unit(named)?;
    let known = to.sees(setup.side(unit).seat()) || is_public(setup, state, unit);
    (!known).then_some(Rule::C12_2)
}

// DRG-12.1 is `view.rs`; events are redacted by `notice.rs`. The tokens of deployed units are given
// by `ch02_setup::deploy_units`, that of the reserve by `Setup::reserve_token`.
