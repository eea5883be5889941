//! DRK-8 Wounds: how damage is placed, divided, and what it takes away.

use super::action::{AssignWounds, Dwarf, Side, dwarves};
use super::ch07_attacks::strand_order;
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{NetOfTheDead, Setup};
use super::state::{Stage, State};
use super::tables::{ARMOUR, TRACK_NAMES, TRACKS};
use super::{Ctx, Verdict, ch03_turns, ch09_net, ch11_end};
use crate::rules::Refusal;

/// DRK-7.9 Unblocked strands wound at the same time.
pub(super) fn resolve(ctx: &mut Ctx<'_>) -> Verdict {
    let Some(attack) = ctx.state().attack else { return ch03_turns::settle(ctx) };
    let strands = strand_order(ctx.setup(), ctx.state(), attack);
    for strand in strands.into_iter().flatten() {
        let hit = Event::AttackHit { strand, value: attack.value };
        ctx.happen(hit, Rule::C7_9);
    }
    match ctx.state().mover() {
        Side::Dwarves => wound_dragon(ctx, attack.value, attack.strands.count_ones() as u8),
        Side::Dragon => wound_dwarves(ctx, attack.value, strands),
    }
}

/// DRK-8.1 Each dwarf hit gets the value of his strand; then the dead leave the board.
fn wound_dwarves(ctx: &mut Ctx<'_>, value: u8, hit: [Option<Dwarf>; 3]) -> Verdict {
    for dwarf in hit.into_iter().flatten() {
        place(ctx, dwarf.index(), value, Rule::C8_1, false);
    }
    for dwarf in hit.into_iter().flatten() {
        bury(ctx, dwarf);
    }
    if ch11_end::dwarves_killed(ctx) {
        return Ok(());
    }
    ch03_turns::settle(ctx)
}

/// DRK-8.2 Places as many wounds on a track as it has free spaces for; the rest is lost. Returns
/// how many were placed. `common`: whether several hits are placed together.
fn place(ctx: &mut Ctx<'_>, track: usize, damage: u8, rule: Rule, common: bool) -> u8 {
    let count = damage.min(ctx.state().free(ctx.setup(), track));
    if count > 0 {
        let total = ctx.state().wounds[track] + count;
        let placed = Event::WoundsPlaced { track: track as u8, count, total };
        match rule {
            Rule::C8_1 if count < damage => ctx.happen(placed, [rule, Rule::C8_2, Rule::R21]),
            // Two strands wound in one (DRK-R24).
            Rule::C8_3 if common => ctx.happen(placed, [rule, Rule::R24]),
            _ => ctx.happen(placed, rule),
        }
    }
    count
}

/// DRK-8.6 A dwarf with all spaces filled dies and leaves the board.
fn bury(ctx: &mut Ctx<'_>, dwarf: Dwarf) {
    let Some(at) = ctx.state().dwarf(dwarf) else { return };
    if ctx.state().free(ctx.setup(), dwarf.index()) > 0 {
        return;
    }
    let killed = Event::DwarfKilled { dwarf, at };
    if dwarf != Dwarf::Net || !ctx.state().netted {
        ctx.happen(killed, [Rule::C8_6, Rule::C1_4, Rule::R26]);
        return;
    }
    ctx.happen(killed, [Rule::C8_6, Rule::C9_5, Rule::R9]);
    if ctx.setup().rulings.net_of_the_dead == NetOfTheDead::Released {
        ch09_net::release(ctx);
    }
}

/// DRK-10.2 Fury's wound, which nothing stops.
pub(super) fn wound_of_fury(ctx: &mut Ctx<'_>) {
    let track = Dwarf::Fury.index();
    let total = ctx.state().wounds[track] + 1;
    let placed = Event::WoundsPlaced { track: track as u8, count: 1, total };
    ctx.happen(placed, [Rule::C10_2, Rule::R12]);
    bury(ctx, Dwarf::Fury);
}

/// DRK-8.3 The dragon's damage adds up and fills the armour first; DRK-8.4 the rest is divided.
fn wound_dragon(ctx: &mut Ctx<'_>, value: u8, strands: u8) -> Verdict {
    let damage = value.saturating_mul(strands);
    let armour = place(ctx, ARMOUR, damage, Rule::C8_3, strands > 1);
    let beyond = damage - armour;
    let (setup, state) = (ctx.setup(), ctx.state());
    let rest = beyond.min(state.free_abilities(setup));
    if rest == 0 {
        return after_dragon(ctx);
    }
    if let Some(only) = only_division(setup, state, rest) {
        let surplus = rest < beyond;
        return divide(ctx, only, surplus);
    }
    let awaited = Event::Awaited { stage: Stage::AssignWounds, to_assign: rest };
    ctx.happen(awaited, [Rule::C8_4, Rule::C8_3, Rule::C3_8, Rule::R24]);
    Ok(())
}

/// The free spaces of flight, movement and fire.
fn free_spaces(setup: &Setup, state: &State) -> [u8; 3] {
    [ARMOUR + 1, ARMOUR + 2, ARMOUR + 3].map(|track| state.free(setup, track))
}

/// DRK-8.4 All divisions of `rest` wounds among flight, movement and fire.
pub(super) fn divisions(setup: &Setup, state: &State, rest: u8) -> impl Iterator<Item = [u8; 3]> {
    let free = free_spaces(setup, state);
    (0..=free[0].min(rest)).rev().flat_map(move |flight| {
        (0..=free[1].min(rest - flight)).rev().filter_map(move |movement| {
            let fire = rest - flight - movement;
            (fire <= free[2]).then_some([flight, movement, fire])
        })
    })
}

/// DRK-8.4 The division, if only one is possible.
pub(super) fn only_division(setup: &Setup, state: &State, rest: u8) -> Option<[u8; 3]> {
    let mut all = divisions(setup, state, rest);
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// DRK-8.4 The dwarves divide the rest.
pub(super) fn assign(ctx: &mut Ctx<'_>, action: &AssignWounds) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let counts = [action.flight, action.movement, action.fire];
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if total != u64::from(state.to_assign) {
        let wounds = if state.to_assign == 1 { "wound is" } else { "wounds are" };
        let message = format!("{} {wounds} to be placed, not {total}", state.to_assign);
        return Err(Refusal::new(Rule::C8_4, "wound_count", message)
            .fact("wounds to place", state.to_assign)
            .public()
            .into());
    }
    let free = free_spaces(setup, state);
    for (at, (&count, &free)) in counts.iter().zip(&free).enumerate() {
        if count > u32::from(free) {
            let name = TRACK_NAMES[ARMOUR + 1 + at];
            let message = format!("{name} has {free} free spaces, not {count}");
            return Err(Refusal::new(Rule::C8_4, "track_full", message)
                .at(format!("/{name}"))
                .fact(format!("free spaces of {name}"), free)
                .public()
                .into());
        }
    }
    divide(ctx, counts.map(|count| count as u8), false)
}

fn divide(ctx: &mut Ctx<'_>, counts: [u8; 3], surplus: bool) -> Verdict {
    for (at, &count) in counts.iter().enumerate() {
        if count == 0 {
            continue;
        }
        let track = ARMOUR + 1 + at;
        let total = ctx.state().wounds[track] + count;
        let placed = Event::WoundsPlaced { track: track as u8, count, total };
        if surplus {
            ctx.happen(placed, [Rule::C8_4, Rule::C8_2, Rule::R21]);
        } else {
            ctx.happen(placed, Rule::C8_4);
        }
    }
    for (at, &count) in counts.iter().enumerate() {
        let track = ARMOUR + 1 + at;
        if count > 0 && ctx.state().lost(ctx.setup(), track) {
            ctx.happen(Event::AbilityLost { track: track as u8 }, Rule::C8_5);
        }
    }
    after_dragon(ctx)
}

/// DRK-8.7 Whether the dragon is dead, and what follows from it.
fn after_dragon(ctx: &mut Ctx<'_>) -> Verdict {
    if ch11_end::dragon_killed(ctx) {
        return Ok(());
    }
    ch03_turns::settle(ctx)
}

/// DRK-8.7 The dragon dies when all its spaces are filled.
pub(super) fn dragon_is_dead(setup: &Setup, state: &State) -> bool {
    (ARMOUR..TRACKS).all(|track| state.free(setup, track) == 0)
}

/// The dwarves whose spaces are all filled, as a set.
pub(super) fn filled(setup: &Setup, state: &State) -> u8 {
    dwarves(0b111)
        .filter(|dwarf| state.free(setup, dwarf.index()) == 0)
        .fold(0, |set, dwarf| set | dwarf.mask())
}
