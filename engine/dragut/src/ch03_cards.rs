//! DRG-3 The turn and its cards: choice, reveal, effects, clean-up.
//!
//! Must not decide what an action of a phase costs, nor which phase comes next: that is
//! `sequence.rs`.

use super::action::{ChooseCard, Side};
use super::event::{AlarmCause, Event};
use super::rulebook::{CardOrder, PiratePool, Returned, Rule};
use super::setup::{Effect, Life, Setup};
use super::state::{NO_CARD, NONE, State};
use super::tables::KINDS;
use super::{Checked, Ctx, Refusal, Verdict, ch08_alarm, ch13_protocol};

// DRG-3.1 is `sequence::start_turn` and what it leads to.

/// DRG-3.2 An empty hand commits none by itself.
pub(super) fn commit_empty_hands(ctx: &mut Ctx<'_>) {
    for side in Side::BOTH {
        let cards = &ctx.state().cards[side.index()];
        if cards.committed == NONE && cards.hand.iter().all(|&copies| copies == 0) {
            ctx.happen(Event::CardCommitted { side, row: NO_CARD }, [Rule::C3_2, Rule::C13_5]);
        }
    }
}

/// DRG-3.2, DRG-3.8 One card of one's hand, or none.
pub(super) fn commit_card(ctx: &mut Ctx<'_>, sent: &ChooseCard) -> Verdict {
    let side = sent.player;
    let row = match &sent.card {
        None => NO_CARD,
        Some(id) => {
            let row = ch13_protocol::check_card(ctx.setup(), side, id)?;
            check_in_hand(ctx.setup(), ctx.state(), side, row)?;
            row
        }
    };
    ctx.happen(Event::CardCommitted { side, row }, [Rule::C3_2, Rule::C3_8]);
    Ok(())
}

/// DRG-3.2 Whether a card is in a side's hand.
pub(super) fn is_in_hand(state: &State, side: Side, row: usize) -> bool {
    state.cards[side.index()].hand[row] > 0
}

/// DRG-3.2 The card is in the player's hand.
fn check_in_hand(setup: &Setup, state: &State, side: Side, row: u8) -> Checked {
    if is_in_hand(state, side, usize::from(row)) {
        return Ok(());
    }
    let message = format!("{} do not hold {}", side.title(), setup.card_title(side, row));
    Err(Refusal::new(Rule::C3_2, "card_not_in_hand", message).at("/card"))
}

/// DRG-3.3 Whether both have committed, so that both choices are shown.
pub(super) fn have_all_committed(state: &State) -> bool {
    state.cards.iter().all(|cards| cards.committed != NONE)
}

/// DRG-3.3, DRG-3.4 Both choices are shown, then take effect.
pub(super) fn reveal_cards(ctx: &mut Ctx<'_>) {
    let rows = Side::BOTH.map(|side| ctx.state().cards[side.index()].committed);
    let rows = rows.map(|row| if row == NO_CARD { NONE } else { row });
    ctx.happen(Event::CardsRevealed { rows }, Rule::C3_3);
    apply_effects(ctx, rows);
}

/// DRG-3.4 The pirate card first (DRG-R28); alarm changes happen now, the rest lasts.
fn apply_effects(ctx: &mut Ctx<'_>, rows: [u8; 2]) {
    let order = match ctx.setup().rulings.card_order {
        CardOrder::PiratesFirst => [Side::Pirates, Side::Rapalline],
        CardOrder::RapallineFirst => [Side::Rapalline, Side::Pirates],
        CardOrder::Net => return apply_net_effects(ctx, rows),
    };
    for side in order {
        let row = rows[side.index()];
        let Some(effect) = effect(ctx.setup(), side, row) else { continue };
        let mut changed = false;
        if effect.alarm != 0 {
            let rules = [Rule::C3_4, ch08_alarm::direction(effect.alarm)];
            changed = ch08_alarm::shift_alarm(ctx, effect.alarm, 0, AlarmCause::Card, rules);
        }
        note_void(ctx, side, row, changed, Rule::C8_4);
    }
}

/// DRG-3.4 Under DRG-R28 = `net`: both alarm steps summed, then applied once.
fn apply_net_effects(ctx: &mut Ctx<'_>, rows: [u8; 2]) {
    let setup = ctx.setup();
    let both = Side::BOTH.map(|side| effect(setup, side, rows[side.index()]).unwrap_or_default());
    let steps = both[0].alarm + both[1].alarm;
    let mut changed = false;
    if steps != 0 {
        let rules = [Rule::C3_4, Rule::R28];
        changed = ch08_alarm::shift_alarm(ctx, steps, 0, AlarmCause::Card, rules);
    }
    for side in Side::BOTH {
        let row = rows[side.index()];
        if row != NONE {
            // Steps in the direction of the sum are lost at the end of the track, others in the sum.
            let along = both[side.index()].alarm.signum() == steps.signum();
            let lost = if along { Rule::C8_4 } else { Rule::R28 };
            note_void(ctx, side, row, changed && along, lost);
        }
    }
}

/// The effect of a card in a row; none for no card.
fn effect(setup: &Setup, side: Side, row: u8) -> Option<Effect> {
    let deck = &setup.decks[side.index()];
    (usize::from(row) < deck.ids.len()).then(|| deck.effects[usize::from(row).min(KINDS)])
}

/// DRG-3.5 A card that changes nothing is noted. Whether the Soldier in reserve can enter is
/// known only at the start of the Rapalline phase (DRG-10.7). `lost`: why alarm steps are.
fn note_void(ctx: &mut Ctx<'_>, side: Side, row: u8, alarm_changed: bool, lost: Rule) {
    let setup = ctx.setup();
    let Some(effect) = effect(setup, side, row) else { return };
    let constants = &setup.constants;
    let ignored = setup.rulings.pirate_pool == PiratePool::Ignore;
    let pool = (effect.pool[0] != 0 && !ignored) || effect.pool[1] != 0;
    let limit = effect.limit != [0, 0];
    let trail = effect
        .trail
        .is_some_and(|cost| cost != constants.trail_heavy || cost != constants.trail_light);
    let send = effect.send.is_some_and(|cost| cost != constants.send);
    if alarm_changed || pool || limit || trail || send || effect.reserve {
        return;
    }
    if effect.pool[0] != 0 {
        ctx.happen(Event::EffectVoid { side, row }, [Rule::C3_5, Rule::C4_2, Rule::R26]);
    } else if effect.alarm != 0 {
        ctx.happen(Event::EffectVoid { side, row }, [Rule::C3_5, lost]);
    } else {
        ctx.happen(Event::EffectVoid { side, row }, Rule::C3_5);
    }
}

/// DRG-3.7 A played card leaves the game or goes back into its deck.
pub(super) fn clean_up(ctx: &mut Ctx<'_>) {
    for side in Side::BOTH {
        let row = ctx.state().cards[side.index()].played;
        let bottom = ctx.setup().rulings.returned == Returned::Bottom;
        match ctx.setup().decks[side.index()].life.get(usize::from(row)) {
            None => {}
            Some(Life::Once) => ctx.happen(Event::CardRetired { side, row }, Rule::C3_7),
            Some(Life::Returns) if bottom => {
                ctx.happen(Event::CardReturned { side, row }, [Rule::C3_7, Rule::R27]);
            }
            Some(Life::Returns) => ctx.happen(Event::CardReturned { side, row }, Rule::C3_7),
        }
    }
}
