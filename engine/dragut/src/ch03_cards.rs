//! DRG-3: the turn and its cards. Choice, reveal, effects, clean-up.
//!
//! Must not decide what an action of a phase costs.

use super::action::ChooseCard;
use super::ch13_protocol::{self as ch13, Checked, refuse};
use super::event::{Cause, Event};
use super::rulebook::{CardOrder, EndTest, PiratePool, Returned, Rule};
use super::setup::{Effect, Setup};
use super::state::{NO_CARD, NONE, State, Step};
use super::tables::{KINDS, Life, Side};
use super::{Cx, Dragut, ch04_points, ch08_alarm, ch11_end};
use umpire_core::game::Verdict;

/// DRG-3.1: a turn begins with the choice of cards.
pub fn start_turn(ctx: &mut Cx<'_>, turn: u32) -> Verdict<Dragut> {
    ctx.happen(Event::TurnStarted { turn }, Rule::C3_1);
    choices(ctx)
}

/// DRG-3.2: an empty hand commits none by itself; whoever has a card is asked.
pub fn choices(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    for side in Side::BOTH {
        let cards = &ctx.state().cards[side.at()];
        if cards.committed == NONE && cards.hand.iter().all(|&copies| copies == 0) {
            ctx.happen(Event::CardCommitted { side, row: NO_CARD }, [Rule::C3_2, Rule::C13_5]);
        }
    }
    if ctx.state().cards.iter().all(|cards| cards.committed != NONE) {
        return reveal(ctx);
    }
    ctx.happen(Event::Asked { step: Step::ChooseCards }, Rule::C3_2);
    Ok(())
}

/// DRG-3.2, 3.8: one card of the own hand, or none.
pub fn choose(ctx: &mut Cx<'_>, sent: &ChooseCard) -> Verdict<Dragut> {
    let side = sent.player;
    let row = match &sent.card {
        None => NO_CARD,
        Some(id) => {
            let row = ch13::card(ctx.setup(), side, id)?;
            c3_2_in_hand(ctx.setup(), ctx.state(), side, row)?;
            row
        }
    };
    ctx.happen(Event::CardCommitted { side, row }, [Rule::C3_2, Rule::C3_8]);
    if ctx.state().cards.iter().all(|cards| cards.committed != NONE) {
        return reveal(ctx);
    }
    Ok(())
}

/// DRG-3.2: the card is in the player's hand.
fn c3_2_in_hand(setup: &Setup, state: &State, side: Side, row: u8) -> Checked<()> {
    if state.cards[side.at()].hand[usize::from(row)] > 0 {
        return Ok(());
    }
    let id = &setup.decks[side.at()].names[usize::from(row)];
    let message = format!("the {} have no {id} in hand", side.name());
    Err(refuse(Rule::C3_2, "card_not_in_hand", message, "/card"))
}

/// DRG-3.3, 3.4: both choices are shown, then take effect.
fn reveal(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    let rows = Side::BOTH.map(|side| ctx.state().cards[side.at()].committed);
    let rows = rows.map(|row| if row == NO_CARD { NONE } else { row });
    ctx.happen(Event::CardsRevealed { rows }, Rule::C3_3);
    c3_4_effects(ctx, rows);
    ch04_points::start_pirate_phase(ctx)
}

/// DRG-3.4: the pirate card first (DRG-R28); alarm changes happen now, the rest lasts.
fn c3_4_effects(ctx: &mut Cx<'_>, rows: [u8; 2]) {
    let order = match ctx.setup().rulings.card_order {
        CardOrder::PiratesFirst => [Side::Pirates, Side::Rapalline],
        CardOrder::RapallineFirst => [Side::Rapalline, Side::Pirates],
        CardOrder::Net => return net_effects(ctx, rows),
    };
    for side in order {
        let row = rows[side.at()];
        let Some(effect) = effect(ctx.setup(), side, row) else { continue };
        let mut changed = false;
        if effect.alarm != 0 {
            let rules = [Rule::C3_4, direction(effect.alarm)];
            changed = ch08_alarm::shift(ctx, effect.alarm, 0, Cause::Card, rules);
        }
        c3_5_void(ctx, side, row, changed, Rule::C8_4);
    }
}

/// DRG-R28 = `net`: both alarm steps summed, then applied once.
fn net_effects(ctx: &mut Cx<'_>, rows: [u8; 2]) {
    let setup = ctx.setup();
    let both = Side::BOTH.map(|side| effect(setup, side, rows[side.at()]).unwrap_or_default());
    let steps = both[0].alarm + both[1].alarm;
    let mut changed = false;
    if steps != 0 {
        changed = ch08_alarm::shift(ctx, steps, 0, Cause::Card, [Rule::C3_4, Rule::R28]);
    }
    for side in Side::BOTH {
        if rows[side.at()] != NONE {
            // Steps in the direction of the sum are lost at the end of the track, others in the sum.
            let along = both[side.at()].alarm.signum() == steps.signum();
            let lost = if along { Rule::C8_4 } else { Rule::R28 };
            c3_5_void(ctx, side, rows[side.at()], changed && along, lost);
        }
    }
}

/// DRG-3.5: a card that changes nothing is noted. Whether the Soldier in reserve can enter is
/// known only at the start of the Rapalline phase (DRG-10.7). `lost`: why alarm steps are.
fn c3_5_void(ctx: &mut Cx<'_>, side: Side, row: u8, alarm_changed: bool, lost: Rule) {
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

/// The effect of a card in a row.
pub fn effect(setup: &Setup, side: Side, row: u8) -> Option<Effect> {
    let deck = &setup.decks[side.at()];
    (usize::from(row) < deck.ids.len()).then(|| deck.effects[usize::from(row).min(KINDS)])
}

/// The clause of a rise or a fall (DRG-8.2, 8.3).
fn direction(steps: i8) -> Rule {
    if steps > 0 { Rule::C8_2 } else { Rule::C8_3 }
}

/// The effects in force, pirates' and Rapalline's.
pub fn in_force(setup: &Setup, state: &State) -> [Effect; 2] {
    // Behind the last card stands an effect that is none.
    let row = |side: Side| usize::from(state.cards[side.at()].played).min(KINDS);
    Side::BOTH.map(|side| setup.decks[side.at()].effects[row(side)])
}

/// DRG-3.7: clean-up, then the next turn.
pub fn clean_up(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    if ctx.setup().rulings.end_test == EndTest::EndOfTurn && ch11_end::test(ctx) {
        return Ok(());
    }
    for side in Side::BOTH {
        let row = ctx.state().cards[side.at()].played;
        let bottom = ctx.setup().rulings.returned == Returned::Bottom;
        match ctx.setup().decks[side.at()].life.get(usize::from(row)) {
            None => {}
            Some(Life::Once) => ctx.happen(Event::CardRetired { side, row }, Rule::C3_7),
            Some(Life::Returns) if bottom => {
                ctx.happen(Event::CardReturned { side, row }, [Rule::C3_7, Rule::R27]);
            }
            Some(Life::Returns) => ctx.happen(Event::CardReturned { side, row }, Rule::C3_7),
        }
    }
    let turn = ctx.state().turn.saturating_add(1);
    start_turn(ctx, turn)
}
