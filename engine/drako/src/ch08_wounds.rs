//! DRK-8 Wounds: how damage is placed, divided, and what it takes away.
//!
//! Must not end the game: chapter 11 tests for that. DRK-8.8 holds by construction: no event
//! takes a wound away.

use super::action::{Ability, AssignWounds, Dwarf, Dwarves, Track};
use super::event::{Event, StrandList};
use super::rulebook::{HitDivision, NetOfTheDead, Rule};
use super::setup::Setup;
use super::state::State;
use super::{Ctx, Refusal, Verdict, ch09_net};
use umpire_core::rules::Cites;

/// DRK-8.1 Each dwarf hit gets the value of his strand; then the dead leave the board.
pub(super) fn wound_dwarves(ctx: &mut Ctx<'_>, value: u8, hit: StrandList) {
    for dwarf in hit.into_iter().flatten() {
        place_wounds(ctx, dwarf.into(), value, Rule::C8_1.into());
    }
    for dwarf in hit.into_iter().flatten() {
        bury_if_dead(ctx, dwarf);
    }
}

/// DRK-8.2 Places as many wounds on a track as it has free spaces for; the rest is lost. Returns
/// how many were placed.
fn place_wounds(ctx: &mut Ctx<'_>, track: Track, damage: u8, rules: Cites<Rule>) -> u8 {
    let count = damage.min(ctx.state().free(ctx.setup(), track));
    if count > 0 {
        let total = ctx.state().wounds_on(track) + count;
        let placed = Event::WoundsPlaced { track, count, total };
        // What the armour does not hold goes on to the abilities; a dwarf has no other track.
        let lost = count < damage && track != Track::Armour;
        ctx.happen(placed, if lost { rules.and(Rule::C8_2).and(Rule::R21) } else { rules });
    }
    count
}

/// DRK-8.3 The dragon's damage adds up and fills the armour first. DRK-8.4 A rest that can be
/// divided in one way only is placed at once. Returns what the dwarves have yet to divide, hit by
/// hit under DRK-R33 `one_ability`.
pub(super) fn wound_dragon(ctx: &mut Ctx<'_>, value: u8, strands: Dwarves) -> [u8; 2] {
    let damage = value.saturating_mul(strands.len() as u8);
    let armour = ctx.state().free(ctx.setup(), Track::Armour);
    let rules = Cites::from(Rule::C8_3);
    // Two strands wound in one (DRK-R24).
    let rules = if strands.len() > 1 { rules.and(Rule::R24) } else { rules };
    let beyond = damage - place_wounds(ctx, Track::Armour, damage, rules);
    let (setup, state) = (ctx.setup(), ctx.state());
    let rest = beyond.min(free_spaces(setup, state).iter().sum());
    let hits = match setup.rulings.hit_division {
        _ if rest == 0 => return [0; 2],
        HitDivision::Split => [rest, 0],
        // What the abilities cannot hold can be divided in one way only.
        HitDivision::OneAbility if rest < beyond => [rest, 0],
        HitDivision::OneAbility => match value.saturating_sub(armour) {
            0 => [rest, 0],
            first => [first, rest - first],
        },
    };
    let mut ways = divisions(setup, state, hits);
    match (ways.next(), ways.next()) {
        (Some(only), None) => {
            drop(ways);
            divide_wounds(ctx, only, rest < beyond);
            [0; 2]
        }
        _ => hits,
    }
}

/// The free spaces of flight, movement and fire.
fn free_spaces(setup: &Setup, state: &State) -> [u8; 3] {
    Track::ABILITIES.map(|track| state.free(setup, track))
}

/// DRK-8.4 All divisions of the wounds of some hits among flight, movement and fire.
pub(super) fn divisions(
    setup: &Setup,
    state: &State,
    hits: [u8; 2],
) -> impl Iterator<Item = [u8; 3]> + use<> {
    let (free, rest) = (free_spaces(setup, state), hits.iter().sum());
    let split = setup.rulings.hit_division == HitDivision::Split;
    let all = (0..=free[0].min(rest)).rev().flat_map(move |flight| {
        (0..=free[1].min(rest - flight)).rev().filter_map(move |movement| {
            let fire = rest - flight - movement;
            (fire <= free[2]).then_some([flight, movement, fire])
        })
    });
    all.filter(move |&counts| split || is_made_by(&hits, free, counts))
}

/// DRK-8.4 with DRK-R33 `one_ability`: whether some hits, in their order, can make a division. Each
/// goes to one ability with room for all of it; where none has, it fills one and goes on likewise.
fn is_made_by(hits: &[u8], free: [u8; 3], counts: [u8; 3]) -> bool {
    let (hit, later) = match hits {
        [] => return counts == [0; 3],
        [0, later @ ..] => return is_made_by(later, free, counts),
        [hit, later @ ..] => (*hit, later),
    };
    let fits = free.iter().any(|&room| room >= hit);
    (0..3).any(|at| {
        let put = hit.min(free[at]);
        if put == 0 || put > counts[at] || (fits && put < hit) {
            return false;
        }
        let (mut free, mut counts) = (free, counts);
        (free[at], counts[at]) = (free[at] - put, counts[at] - put);
        match later {
            [] => is_made_by(&[hit - put], free, counts),
            [next, ..] => is_made_by(&[hit - put, *next], free, counts),
        }
    })
}

/// DRK-8.4 The dwarves divide the rest.
pub(super) fn assign_wounds(ctx: &mut Ctx<'_>, action: &AssignWounds) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    let counts = [action.flight, action.movement, action.fire];
    let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    let to_assign = state.unassigned();
    if total != u64::from(to_assign) {
        let wounds = if to_assign == 1 { "wound is" } else { "wounds are" };
        let message = format!("{to_assign} {wounds} to be placed, not {total}");
        return Err(Refusal::new(Rule::C8_4, "wound_count", message)
            .fact("wounds to place", to_assign)
            .public()
            .into());
    }
    let free = free_spaces(setup, state);
    for ((track, count), free) in Track::ABILITIES.into_iter().zip(counts).zip(free) {
        if count > u32::from(free) {
            let message = format!("{track} has {free} free spaces, not {count}");
            return Err(Refusal::new(Rule::C8_4, "track_full", message)
                .at(format!("/{track}"))
                .fact(format!("free spaces of {track}"), free)
                .public()
                .into());
        }
    }
    let counts = counts.map(|count| count as u8);
    let one_ability = setup.rulings.hit_division == HitDivision::OneAbility;
    if one_ability && !is_made_by(&state.hits, free, counts) {
        let message = "a hit goes to one ability with room for all of it, if there is one";
        return Err(Refusal::new(Rule::C8_4, "hit_split", message)
            .also(Rule::R33)
            .fact("hits", hits_text(state.hits))
            .public()
            .into());
    }
    divide_wounds(ctx, counts, false);
    Ok(())
}

/// The hits that are divided, one after the other.
fn hits_text(hits: [u8; 2]) -> String {
    let hits: Vec<String> = hits.iter().filter(|&&hit| hit > 0).map(u8::to_string).collect();
    hits.join(", ")
}

/// DRK-8.4 A division is placed. DRK-8.5 An ability with all spaces filled is lost.
fn divide_wounds(ctx: &mut Ctx<'_>, counts: [u8; 3], surplus: bool) {
    for (track, count) in Track::ABILITIES.into_iter().zip(counts) {
        if count == 0 {
            continue;
        }
        let total = ctx.state().wounds_on(track) + count;
        let placed = Event::WoundsPlaced { track, count, total };
        if surplus {
            ctx.happen(placed, [Rule::C8_4, Rule::C8_2, Rule::R21]);
        } else {
            ctx.happen(placed, Rule::C8_4);
        }
    }
    for (track, count) in Track::ABILITIES.into_iter().zip(counts) {
        if count > 0 && ctx.state().is_lost(ctx.setup(), track) {
            ctx.happen(Event::AbilityLost { track }, Rule::C8_5);
        }
    }
}

/// DRK-8.5 The dragon's lost abilities. What cannot be done without them is refused in
/// `ch06_movement::check_not_grounded` and `ch07_attacks::check_fire`.
pub(super) fn lost_abilities(setup: &Setup, state: &State) -> Vec<Ability> {
    let lost = |ability: &Ability| state.is_lost(setup, Track::from(*ability));
    Ability::ALL.iter().copied().filter(lost).collect()
}

/// DRK-8.6 A dwarf with all spaces filled dies and leaves the board. Under DRK-R9 `released` the
/// net falls with its thrower. That the dead do nothing is `ch01_terms::check_lives`.
pub(super) fn bury_if_dead(ctx: &mut Ctx<'_>, dwarf: Dwarf) {
    let Some(at) = ctx.state().dwarf(dwarf) else { return };
    if !filled(ctx.setup(), ctx.state()).contains(dwarf) {
        return;
    }
    let killed = Event::DwarfKilled { dwarf, at };
    if dwarf != Dwarf::Net || !ctx.state().netted {
        ctx.happen(killed, [Rule::C8_6, Rule::C1_4, Rule::R26]);
        return;
    }
    ctx.happen(killed, [Rule::C8_6, Rule::C9_5, Rule::R9]);
    if ctx.setup().rulings.net_of_the_dead == NetOfTheDead::Released {
        ch09_net::release_dragon(ctx);
    }
}

/// DRK-8.6 The dwarves whose spaces are all filled.
pub(super) fn filled(setup: &Setup, state: &State) -> Dwarves {
    Dwarves::ALL.iter().filter(|&dwarf| state.free(setup, dwarf.into()) == 0).collect()
}

/// DRK-8.7 The dragon dies when all its spaces are filled.
pub(super) fn is_dragon_dead(setup: &Setup, state: &State) -> bool {
    Track::DRAGON.into_iter().all(|track| state.free(setup, track) == 0)
}
