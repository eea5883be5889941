//! DRK-5 Playing a card: which card, which option, and when for nothing.
//!
//! A fault of a play is told to nobody else: that another fault than `card_not_in_hand` is cited
//! would show that the card is in the hand (DRK-12.2). No refusal from here on is public.

use super::action::{How, Play, Side, Use};
use super::board;
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{IdlePlay, Setup};
use super::state::State;
use super::{Ctx, Verdict, ch03_turns, ch06_movement, ch07_attacks, ch09_net};
use crate::rules::{Cites, Refusal};

/// DRK-5.1 A card from the hand, and one option printed on it.
pub(super) fn play(ctx: &mut Ctx<'_>, action: &Play) -> Verdict {
    let (setup, side) = (ctx.setup(), action.player);
    let row = in_hand(setup, ctx.state(), action)?;
    let option = action.how.option();
    if option == Use::None {
        return idle(ctx, side, row);
    }
    let Some(value) = setup.deck(side).value(row, option) else {
        let message = format!("{} does not show {}", action.card, option.name());
        return Err(Refusal::new(Rule::C5_1, "option_not_on_card", message)
            .at("/use")
            .fact(format!("options of {}", action.card), shown(setup, side, row))
            .into());
    };
    let played = Played { side, row: row as u8, option, value };
    match action.how {
        How::OneMove { moves } | How::TwoMove { moves } => {
            ch06_movement::dwarves_move(ctx, played, &moves)
        }
        How::OneAttack { attackers } | How::TwoAttack { attackers } => {
            ch07_attacks::dwarves_attack(ctx, played, &attackers)
        }
        How::Crossbow {} => ch07_attacks::crossbow(ctx, played),
        How::Net {} => ch09_net::throw(ctx, played),
        How::Move { to } => ch06_movement::dragon_moves(ctx, played, to),
        How::Flight { to } => ch06_movement::dragon_flies(ctx, played, to),
        How::Attack { target } => ch07_attacks::dragon_attacks(ctx, played, target),
        How::Fire { direction } => ch07_attacks::fire(ctx, played, direction),
        How::Defense {} => Err(reaction_only()),
        How::None {} => idle(ctx, side, row),
    }
}

/// A card about to be played: its side, row, option and printed value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    pub(super) side: Side,
    pub(super) row: u8,
    pub(super) option: Use,
    pub(super) value: u8,
}

/// DRK-5.2 The card is discarded as it is played. `rules` are the clauses of its effect.
pub(super) fn spend(ctx: &mut Ctx<'_>, played: Played, rules: impl Into<Cites<Rule>>) {
    let Played { side, row, option, value } = played;
    ctx.happen(Event::CardPlayed { side, row, option, value }, rules);
}

/// DRK-5.5 The defence symbol is no action.
fn reaction_only() -> super::Stop {
    let message = "defense answers an attack; it is no action";
    Refusal::new(Rule::C5_5, "reaction_only", message)
        .also(Rule::R3)
        .at("/use")
        .fact("pending decision", super::stage_name(super::Stage::Action))
        .into()
}

/// DRK-5.1 The card is in the hand.
fn in_hand(setup: &Setup, state: &State, action: &Play) -> Result<usize, Refusal<Rule>> {
    let (deck, hand) = (setup.deck(action.player), &state.holding(action.player).hand);
    match deck.row(action.player, action.card) {
        Some(row) if hand[row] > 0 => Ok(row),
        _ => Err(Refusal::new(
            Rule::C5_1,
            "card_not_in_hand",
            format!("{} is not in the hand of the {}", action.card, action.player.name()),
        )
        .at("/card")
        .fact("hand", super::view::listed(deck, hand))),
    }
}

pub(super) fn shown(setup: &Setup, side: Side, row: usize) -> String {
    let names: Vec<_> =
        setup.deck(side).shown(row).iter().map(|(option, _)| option.name()).collect();
    names.join(", ")
}

/// DRK-5.4 A card is played for nothing.
fn idle(ctx: &mut Ctx<'_>, side: Side, row: usize) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let free = setup.rulings.idle_play == IdlePlay::Free;
    if !free && !must_idle(setup, state) {
        let mut refusal = Refusal::new(
            Rule::C5_4,
            "idle_play",
            "a card may be played for nothing only when nothing else can be done",
        )
        .also(Rule::R3)
        .at("/use")
        .fact("cards in the deck", state.holding(side).in_deck());
        if let Some((card, option)) = usable(setup, state, side) {
            refusal = refusal.fact("can be played", format!("{card} for {}", option.name()));
        }
        if ch09_net::can_escape(state) {
            refusal = refusal.fact("can be done", "escape_net");
        }
        return Err(refusal.into());
    }
    let ruling = if free { Rule::R3 } else { Rule::R4 };
    let played = Played { side, row: row as u8, option: Use::None, value: 0 };
    spend(ctx, played, [Rule::C5_4, Rule::C5_2, ruling]);
    ch03_turns::settle(ctx)
}

/// DRK-5.4 Whether cards may (and then must) be played for nothing: deck empty, no option of any
/// card in hand can be chosen, no way to leave the net.
pub(super) fn must_idle(setup: &Setup, state: &State) -> bool {
    let side = state.mover();
    state.holding(side).in_deck() == 0
        && !ch09_net::can_escape(state)
        && usable(setup, state, side).is_none()
}

/// A card in hand and an option of it that can be chosen, if there is one.
fn usable(setup: &Setup, state: &State, side: Side) -> Option<(super::action::Kind, Use)> {
    let (deck, hand) = (setup.deck(side), &state.holding(side).hand);
    (0..deck.len()).filter(|&row| hand[row] > 0).find_map(|row| {
        let mut shown = deck.shown(row).iter();
        let &(option, _) = shown.find(|&&(option, _)| can_choose(setup, state, option))?;
        Some((deck.kinds[row], option))
    })
}

/// DRK-5.3 Whether the conditions of an option hold, with some choice of its fields.
pub(super) fn can_choose(setup: &Setup, state: &State, option: Use) -> bool {
    match option {
        Use::OneMove | Use::TwoMove => true,
        Use::OneAttack | Use::TwoAttack | Use::Attack => state.beside_dragon(setup) != 0,
        Use::Crossbow => ch07_attacks::crossbow_fault(setup, state).is_none(),
        Use::Net => ch09_net::can_throw(state),
        Use::Move => ch06_movement::can_move(setup, state),
        Use::Flight => ch06_movement::can_fly(setup, state),
        Use::Fire => ch07_attacks::fire_directions(setup, state) != 0,
        Use::Defense | Use::None => false,
    }
}

/// DRK-1.2 The place of a hex named in an action.
pub(super) fn on_board(hex: crate::board::hex::Hex) -> Result<board::Place, Refusal<Rule>> {
    board::Place::find(hex).ok_or_else(|| {
        Refusal::new(Rule::C1_2, "off_board", format!("{hex} is no hex of the board"))
            .fact("distance from the centre", hex.length())
    })
}
