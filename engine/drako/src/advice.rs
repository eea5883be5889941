//! What a program that plays should know: which actions are worth a look, and who stands better.
//!
//! Nothing here makes an action legal or illegal. Must follow from what the acting side knows: a weight of an
//! action must not look at the other side's hand.

mod estimate;

use super::Drako;
use super::action::{
    Action, AssignWounds, CardUse, Discard, Dwarf, DwarfMove, Kind, Play, Side, Track,
};
use super::ch07_attacks;
use super::position;
use super::setup::Setup;
use super::state::State;
use super::tables::board::{Direction, Spot};
use super::view::View;
use estimate::card_worth;
use umpire_core::board::hex::Hex;
use umpire_core::chance::{Chance, Halt};
use umpire_core::game::{Advice, Horizon, PRIOR, Seat};

impl Advice for Drako {
    const HORIZON: Horizon = Horizon::Actions(30);

    type Memory = ();

    /// How readily a sensible player takes a legal action.
    fn prior(setup: &Setup, state: &State, action: &Action) -> u32 {
        match action {
            Action::Mulligan(_) | Action::Place(_) => PRIOR,
            Action::Draw(it) => match state.holding(it.player).in_hand() {
                0..=2 => 2 * WOUND,
                3 | 4 => WOUND / 2,
                _ => WOUND / 10,
            },
            Action::Discard(it) => 1 + WOUND / discarded(setup, it),
            Action::Play(it) => played(setup, state, it),
            // Whoever can block mostly does.
            Action::Defend(it) => WOUND / 4 + WOUND * it.blocks.count() as u32,
            Action::AssignWounds(it) => PRIOR * (1 + 3 * abilities_lost(setup, state, it)),
            Action::EscapeNet(_) => WOUND / 2,
            Action::DeclareFury(_) => WOUND / 4,
            Action::Pass(_) => WOUND / 10,
        }
    }

    /// Whether the player does not hold a card that the action uses: DRK-4.2, 5.1 and 7.8 refuse it then, if nothing else does.
    fn lacks(setup: &Setup, state: &State, action: &Action) -> bool {
        let lacks = |side: Side, kind: Kind| {
            setup.deck(side).row_in(&state.holding(side).hand, kind).is_none()
        };
        match action {
            Action::Play(it) => lacks(it.player, it.card),
            Action::Discard(it) => it.cards.as_slice().iter().any(|&kind| lacks(it.player, kind)),
            Action::Defend(it) => {
                it.blocks.as_slice().iter().any(|block| lacks(it.player, block.card))
            }
            _ => false,
        }
    }

    fn features(setup: &Setup, state: &State, seat: Seat, features: &mut Vec<i32>) {
        estimate::features(setup, state, seat, features);
    }

    fn weights(seat: Seat) -> &'static [i32] {
        estimate::weights(seat)
    }

    fn determinize(setup: &Setup, view: &View, chance: &mut dyn Chance) -> Result<State, Halt> {
        position::determinize(setup, view, chance)
    }

    fn redeal(
        setup: &Setup,
        view: &View,
        (): &(),
        dealt: &State,
        chance: &mut dyn Chance,
    ) -> Result<State, Halt> {
        position::redeal(setup, view, dealt, chance)
    }
}

/// What a wound is worth beside a move of one dwarf.
const WOUND: u32 = 25 * PRIOR;

/// What the cards of a discard are worth, squared so that one good card counts more than two poor ones.
fn discarded(setup: &Setup, discard: &Discard) -> u32 {
    let deck = setup.deck(discard.player);
    let worth = |&kind: &Kind| deck.row(kind).map_or(1, |row| card_worth(deck, row));
    discard.cards.as_slice().iter().map(|kind| worth(kind).pow(2)).sum::<u32>().max(1)
}

/// How many of the dragon's abilities a division of wounds ends.
fn abilities_lost(setup: &Setup, state: &State, division: &AssignWounds) -> u32 {
    let given = [division.flight, division.movement, division.fire];
    let ended = |&(&track, given): &(&Track, u32)| {
        given > 0 && given >= u32::from(state.free(setup, track))
    };
    Track::ABILITIES.iter().zip(given).filter(ended).count() as u32
}

/// What the play of a card is worth at sight.
fn played(setup: &Setup, state: &State, play: &Play) -> u32 {
    let value = || {
        let deck = setup.deck(play.player);
        let row = deck.row(play.card);
        row.and_then(|row| deck.value(row, play.used_for.option())).map_or(1, u32::from)
    };
    match &play.used_for {
        CardUse::OneMove { moves } => moved(state, moves.as_slice()),
        CardUse::TwoMove { moves } => moved(state, moves.as_slice()),
        CardUse::OneAttack { attackers } | CardUse::TwoAttack { attackers } => {
            WOUND * value() * attackers.count() as u32
        }
        CardUse::Crossbow {} => WOUND * value() + WOUND / 4,
        CardUse::Net {} => WOUND / 2,
        CardUse::Attack { target: None } => 1,
        CardUse::Attack { target: Some(target) } => {
            let left = u32::from(state.free(setup, Track::from(*target)));
            WOUND * value().min(left) + if value() >= left { WOUND } else { 0 }
        }
        CardUse::Fire { direction } => {
            let direction = Direction::at(usize::from(*direction));
            let strands = ch07_attacks::fire_strands(setup, state, direction).len() as u32;
            1 + WOUND * value() * strands
        }
        CardUse::Move { to } => dragon_goes(state, *to),
        CardUse::Flight { to } => dragon_goes(state, *to) / 2,
        CardUse::Defense {} | CardUse::None {} => 1,
    }
}

/// What moves of dwarves are worth: those that come beside the dragon more than others. There are many of
/// them, so each weighs little.
fn moved(state: &State, moves: &[DwarfMove]) -> u32 {
    let near = state.dragon().neighbours();
    let worth = |it: &DwarfMove| {
        let was = state.dwarf(it.figure).is_some_and(|spot| near.contains(spot));
        let is = Spot::find(it.to).is_some_and(|spot| near.contains(spot));
        match (was, is) {
            (false, true) => 8,
            (false, false) if it.figure == Dwarf::Archery => 3,
            (true, false) => 1,
            _ => 2,
        }
    };
    moves.iter().map(worth).sum::<u32>().max(1)
}

/// What a hex is worth to the dragon: beside one dwarf it can attack, beside more it is attacked.
fn dragon_goes(state: &State, to: Hex) -> u32 {
    let Some(spot) = Spot::find(to) else { return 1 };
    if spot == state.dragon() {
        return 1;
    }
    match state.within(spot.neighbours()).len() {
        0 => WOUND / 10,
        1 => WOUND / 6,
        2 => WOUND / 20,
        _ => WOUND / 60,
    }
}
