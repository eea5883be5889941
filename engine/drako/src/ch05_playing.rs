//! DRK-5 Playing a card: which card, which option, and when for nothing.
//!
//! A fault of a play is shown to nobody else: that another fault than `card_not_in_hand` is cited
//! would show that the card is in the hand (DRK-12.2). So no refusal of a play is public, here and
//! in chapters 6, 7 and 9. Must not know what an option does: those chapters do.

pub(super) mod spend;

use super::action::{CardUse, Dwarf, Kind, Play, Side, Use};
use super::event::PlayedCard;
use super::rulebook::{IdlePlay, LastResort, Rule, StuckSide};
use super::setup::Setup;
use super::state::{Stage, State};
use super::{Checked, Ctx, Refusal, Verdict, ch06_movement, ch07_attacks, ch09_net};
use spend::spend_card;
use umpire_core::rules::Cites;

/// DRK-5.1 A card from the hand, and one option printed on it. DRK-5.5 The defence symbol is no
/// action.
pub(super) fn play_card(ctx: &mut Ctx<'_>, action: &Play) -> Verdict {
    let card = check_card(ctx.setup(), ctx.state(), action)?;
    match action.used_for {
        CardUse::OneMove { moves } | CardUse::TwoMove { moves } => {
            ch06_movement::move_dwarves(ctx, card, &moves)
        }
        CardUse::OneAttack { attackers } | CardUse::TwoAttack { attackers } => {
            ch07_attacks::attack_dragon(ctx, card, &attackers)
        }
        CardUse::Crossbow {} => ch07_attacks::shoot_crossbow(ctx, card),
        CardUse::Net {} => ch09_net::throw_net(ctx, card),
        CardUse::Move { to } => ch06_movement::walk_dragon(ctx, card, to),
        CardUse::Flight { to } => ch06_movement::fly_dragon(ctx, card, to),
        CardUse::Attack { target } => ch07_attacks::attack_dwarf(ctx, card, target),
        CardUse::Fire { direction } => ch07_attacks::breathe_fire(ctx, card, direction),
        CardUse::Defense {} => Err(reaction_only().into()),
        CardUse::None {} => play_for_nothing(ctx, card),
    }
}

/// DRK-5.1 The card is in the hand, and shows the option. For nothing any card can be played.
fn check_card(setup: &Setup, state: &State, action: &Play) -> Checked<PlayedCard> {
    let (side, kind, option) = (action.player, action.card, action.used_for.option());
    let (deck, hand) = (setup.deck(side), &state.holding(side).hand);
    let Some(row) = deck.row_in(hand, kind) else {
        let message = format!("{} is not in the hand of the {side}", deck.face(kind));
        return Err(Refusal::new(Rule::C5_1, "card_not_in_hand", message)
            .at("/card")
            .fact("hand", deck.cards_text(hand)));
    };
    let value = match deck.value(row, option) {
        Some(value) => value,
        None if option == Use::None => 0,
        None => {
            let message = format!("{} does not show {}", deck.face(kind), option.purpose());
            return Err(Refusal::new(Rule::C5_1, "option_not_on_card", message)
                .in_sight()
                .at("/use")
                .fact(format!("options of {kind}"), deck.options_text(row)));
        }
    };
    Ok(PlayedCard { side, row: row as u8, option, value })
}

/// DRK-5.3 Whether the conditions of an option hold, with some choice of its fields.
fn can_choose(setup: &Setup, state: &State, option: Use) -> bool {
    match option {
        Use::OneMove | Use::TwoMove => true,
        Use::OneAttack | Use::TwoAttack | Use::Attack => {
            !state.beside_dragon().is_empty() || ch07_attacks::is_blank_attack(setup, state)
        }
        Use::Crossbow => ch07_attacks::can_play_crossbow(setup, state),
        Use::Net => ch09_net::can_play_net(setup, state),
        Use::Move => ch06_movement::can_walk(setup, state),
        Use::Flight => ch06_movement::can_fly(setup, state),
        Use::Fire => !ch07_attacks::fire_directions(setup, state).is_empty(),
        Use::Defense | Use::None => false,
    }
}

/// DRK-5.3 Whether an option that can be chosen can only be played without effect, and the ruling
/// that allows it.
fn find_blank_ruling(setup: &Setup, state: &State, option: Use) -> Option<Rule> {
    let works = match option {
        Use::OneAttack | Use::TwoAttack | Use::Attack => !state.beside_dragon().is_empty(),
        Use::Crossbow => ch07_attacks::can_shoot(setup, state),
        Use::Net if state.netted && state.dwarf(Dwarf::Net).is_some() => return Some(Rule::R8),
        Use::Net => ch09_net::can_throw(state),
        _ => true,
    };
    (!works).then_some(Rule::R30)
}

/// An option of a card that can be chosen, if there is one.
pub(super) fn find_option(setup: &Setup, state: &State, side: Side, row: usize) -> Option<Use> {
    let mut options = setup.deck(side).options(row).iter().map(|&(option, _)| option);
    options.find(|&option| can_choose(setup, state, option))
}

/// A card in hand and an option of it that can be chosen, if there is one.
fn find_usable(setup: &Setup, state: &State, side: Side) -> Option<(Kind, Use)> {
    let (deck, hand) = (setup.deck(side), &state.holding(side).hand);
    (0..deck.len())
        .filter(|&row| hand[row] > 0)
        .find_map(|row| Some((deck.kinds[row], find_option(setup, state, side, row)?)))
}

/// DRK-5.4 Whether a side can neither draw nor use a card.
pub(super) fn has_no_use(setup: &Setup, state: &State, side: Side) -> bool {
    state.holding(side).in_deck() == 0 && find_usable(setup, state, side).is_none()
}

/// DRK-5.4 Whether the side to move can do nothing: deck empty, no option of any card in hand can be
/// chosen, no way to leave the net. Under DRK-R31 `choice` that way does not matter.
fn is_stuck(setup: &Setup, state: &State) -> bool {
    let may_escape = ch09_net::can_escape(setup, state);
    (!may_escape || setup.rulings.last_resort == LastResort::Choice)
        && has_no_use(setup, state, state.mover())
}

/// DRK-5.4 Whether a card may be played for nothing: its side can do nothing, and DRK-R4 lets it
/// not pass. DRK-R3 `free`: always.
pub(super) fn can_play_for_nothing(setup: &Setup, state: &State) -> bool {
    setup.rulings.idle_play == IdlePlay::Free
        || !passes_when_stuck(setup, state) && is_stuck(setup, state)
}

/// DRK-R4 Whether the side to move passes where it can do nothing.
fn passes_when_stuck(setup: &Setup, state: &State) -> bool {
    match setup.rulings.stuck_side {
        StuckSide::Waste => false,
        StuckSide::DragonPass => state.mover() == Side::Dragon,
        StuckSide::Pass => true,
    }
}

/// DRK-3.4 with DRK-R4: whether the side to move may pass because it can do nothing.
pub(super) fn may_pass_stuck(setup: &Setup, state: &State) -> bool {
    passes_when_stuck(setup, state) && is_stuck(setup, state)
}

/// DRK-5.4 A card is played for nothing.
fn play_for_nothing(ctx: &mut Ctx<'_>, card: PlayedCard) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    if !can_play_for_nothing(setup, state) {
        let message = "a card may be played for nothing only when nothing else can be done";
        let mut refusal = Refusal::new(Rule::C5_4, "idle_play", message)
            .also(Rule::R3)
            .at("/use")
            .fact("cards in the deck", state.holding(card.side).in_deck());
        let can_draw = state.holding(card.side).in_deck() > 0;
        let usable = find_usable(setup, state, card.side);
        if let Some((kind, option)) = usable {
            refusal = refusal.fact("can be played", format!("{kind} for {option}"));
        }
        let can_escape = ch09_net::can_escape(setup, state);
        if can_escape {
            refusal = refusal.fact("can be done", "escape_net");
        }
        refusal = match usable {
            _ if can_draw => refusal,
            None if may_pass_stuck(setup, state) => {
                refusal.also(Rule::R4).fact("can be done", "pass")
            }
            None => refusal.also(Rule::R31),
            Some(_) => match find_only_blank(setup, state, card.side) {
                Some(ruling) => refusal.also(ruling),
                None => refusal,
            },
        };
        return Err(refusal.into());
    }
    let ruling = match setup.rulings.idle_play {
        IdlePlay::Free => Rule::R3,
        IdlePlay::ForcedOnly => Rule::R4,
    };
    let rules = Cites::from([Rule::C5_4, Rule::C5_2, ruling]);
    let refuses_escape = ch09_net::can_escape(setup, state);
    spend_card(ctx, card, if refuses_escape { rules.and(Rule::R31) } else { rules });
    Ok(())
}

/// The ruling by which alone the side can use a card: one that allows an option without effect.
fn find_only_blank(setup: &Setup, state: &State, side: Side) -> Option<Rule> {
    let (deck, hand) = (setup.deck(side), &state.holding(side).hand);
    let rows = (0..deck.len()).filter(|&row| hand[row] > 0);
    let options = rows.flat_map(|row| deck.options(row)).map(|&(option, _)| option);
    let mut usable = options.filter(|&option| can_choose(setup, state, option));
    let first = find_blank_ruling(setup, state, usable.next()?)?;
    usable.all(|option| find_blank_ruling(setup, state, option).is_some()).then_some(first)
}

/// DRK-5.5 The refusal of the defence symbol as an action.
fn reaction_only() -> Refusal {
    let message = "defense answers an attack; it is not an action";
    Refusal::new(Rule::C5_5, "reaction_only", message)
        .in_sight()
        .also(Rule::R3)
        .at("/use")
        .fact("pending decision", Stage::Action)
}
