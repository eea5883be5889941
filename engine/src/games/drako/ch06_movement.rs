//! DRK-6 Movement: dwarves, the dragon's walk and its flight.

use super::action::{Dwarf, DwarfMove, Figure, Use};
use super::board::{self, Place};
use super::ch05_playing::{Played, on_board, spend};
use super::event::Event;
use super::rulebook::Rule;
use super::setup::{PassThrough, Setup};
use super::state::State;
use super::tables::ARMOUR;
use super::{Ctx, Verdict, ch03_turns};
use crate::board::hex::Hex;
use crate::rules::Refusal;
use crate::wire::Few;

/// The track of flight.
pub(super) const FLIGHT: usize = ARMOUR + 1;
/// The track of movement.
pub(super) const MOVEMENT: usize = ARMOUR + 2;

/// DRK-6.3 The hexes a dwarf reaches in `steps` steps, his own included. Under DRK-R5 `friends`
/// he passes over dwarves, but ends on a free hex.
pub(super) fn dwarf_reach(
    setup: &Setup,
    from: Place,
    steps: u8,
    occupied: u32,
    dragon: Place,
) -> u32 {
    match setup.rulings.pass_through {
        PassThrough::None => State::reach(from, steps, occupied),
        PassThrough::Friends => {
            (State::reach(from, steps, dragon.mask()) & !occupied) | from.mask()
        }
    }
}

/// DRK-6.6 Whether the dragon can walk.
pub(super) fn can_move(setup: &Setup, state: &State) -> bool {
    !state.netted && !state.lost(setup, MOVEMENT)
}

/// DRK-6.7 Whether the dragon can fly.
pub(super) fn can_fly(setup: &Setup, state: &State) -> bool {
    !state.netted && !state.lost(setup, FLIGHT)
}

/// DRK-6.4, 6.5 Dwarves move, one after the other.
pub(super) fn dwarves_move(
    ctx: &mut Ctx<'_>,
    played: Played,
    moves: &Few<DwarfMove, 2>,
) -> Verdict {
    let (most, clause) = match played.option {
        Use::OneMove => (1, Rule::C6_4),
        _ => (2, Rule::C6_5),
    };
    if moves.count() > most {
        let allowed = if most == 1 { "one dwarf moves" } else { "two dwarves move" };
        let message = format!("at most {allowed}, not {}", moves.count());
        return Err(Refusal::new(clause, "too_many_figures", message)
            .at("/moves")
            .fact("figures that move", moves.count())
            .fact("most figures", most)
            .into());
    }
    if let [first, second] = moves.as_slice()
        && first.figure == second.figure
    {
        let message = format!("{} is listed twice", first.figure.name());
        return Err(Refusal::new(Rule::C6_5, "figure_listed_twice", message)
            .at("/moves/1/figure")
            .fact("figures that move", [first, second].map(|it| it.figure.name()).join(", "))
            .into());
    }
    // The moves are checked in order on what each leaves behind, before the card is spent.
    let mut places = ctx.state().places;
    let mut steps = [None; 2];
    for (at, step) in moves.as_slice().iter().enumerate() {
        let (from, to) = check_dwarf_move(ctx, &places, step, played.value, at)?;
        places[Figure::from(step.figure).index()] = Some(to);
        steps[at] = Some((step.figure, from, to));
    }
    spend(ctx, played, [Rule::C5_2, clause, Rule::C6_1, Rule::C6_2]);
    let friends = ctx.setup().rulings.pass_through == PassThrough::Friends;
    for (at, (dwarf, from, to)) in steps.into_iter().flatten().enumerate() {
        if from == to {
            continue;
        }
        let moved = Event::FigureMoved { figure: dwarf.into(), from, to };
        match (at, friends) {
            (0, false) => ctx.happen(moved, [clause, Rule::C6_3]),
            (0, true) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R5]),
            (_, false) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R25]),
            (_, true) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R25, Rule::R5]),
        }
    }
    ch03_turns::settle(ctx)
}

fn check_dwarf_move(
    ctx: &Ctx<'_>,
    places: &[Option<Place>; 4],
    step: &DwarfMove,
    value: u8,
    at: usize,
) -> Result<(Place, Place), Refusal<Rule>> {
    let setup = ctx.setup();
    let figure = Figure::from(step.figure);
    let Some(from) = places[figure.index()] else {
        return Err(is_dead(step.figure).at(format!("/moves/{at}/figure")));
    };
    let field = || format!("/moves/{at}/to");
    let to = on_board(step.to).map_err(|refusal| refusal.at(field()))?;
    let occupied = places.iter().flatten().fold(0, |set, place| set | place.mask());
    if to != from {
        is_free(places, to).map_err(|refusal| refusal.at(field()))?;
    }
    let dragon = ctx.state().dragon(setup);
    if dwarf_reach(setup, from, value, occupied, dragon) & to.mask() == 0 {
        let mut refusal = out_of_reach(figure, from, to, value).at(field());
        if from.distance(to) <= value.into() {
            refusal = refusal.also(Rule::R5);
        }
        return Err(refusal);
    }
    Ok((from, to))
}

/// DRK-8.6 A dead dwarf can do nothing.
pub(super) fn is_dead(dwarf: Dwarf) -> Refusal<Rule> {
    Refusal::new(Rule::C8_6, "figure_dead", format!("{} is dead", dwarf.name()))
        .also(Rule::C1_4)
        .fact(format!("hex of {}", dwarf.name()), "none")
}

/// DRK-1.5 A hex holds at most one figure.
fn is_free(places: &[Option<Place>; 4], to: Place) -> Result<(), Refusal<Rule>> {
    const NAMES: [&str; 4] = ["dragon", "fury", "archery", "net"];
    match places.iter().position(|&place| place == Some(to)) {
        None => Ok(()),
        Some(other) => {
            let message = format!("{} stands on {}", NAMES[other], to.hex());
            Err(Refusal::new(Rule::C1_5, "hex_occupied", message)
                .also(Rule::C6_3)
                .fact(format!("figure on {}", to.hex()), NAMES[other]))
        }
    }
}

fn out_of_reach(figure: Figure, from: Place, to: Place, value: u8) -> Refusal<Rule> {
    let name = figure.name();
    let steps = if value == 1 { "step" } else { "steps" };
    let message = format!(
        "{name} cannot come from {} to {} in {value} {steps} over free hexes",
        from.hex(),
        to.hex()
    );
    Refusal::new(Rule::C6_3, "out_of_reach", message)
        .also(Rule::C6_1)
        .fact("distance", from.distance(to))
        .fact("steps", value)
}

/// DRK-8.5, 9.2 The faults of a walk or a flight that do not depend on the destination.
fn grounded(setup: &Setup, state: &State, track: usize) -> Result<(), Refusal<Rule>> {
    let name = super::tables::TRACK_NAMES[track];
    let netted = || {
        Refusal::new(Rule::C9_2, "netted", "the net lies on the dragon")
            .also(Rule::R20)
            .at("/use")
            .fact("net", "on the dragon")
    };
    if state.lost(setup, track) {
        let mut refusal =
            Refusal::new(Rule::C8_5, "ability_lost", format!("the dragon has lost its {name}"))
                .also(if track == FLIGHT { Rule::C6_7 } else { Rule::C6_6 })
                .also(Rule::R20)
                .at("/use")
                .fact(format!("wounds on {name}"), state.wounds[track])
                .fact(format!("spaces of {name}"), setup.spaces[track]);
        if state.netted {
            refusal = refusal.also(Rule::C9_2);
        }
        return Err(refusal);
    }
    if state.netted { Err(netted()) } else { Ok(()) }
}

/// DRK-6.6 The dragon walks.
pub(super) fn dragon_moves(ctx: &mut Ctx<'_>, played: Played, to: Hex) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    grounded(setup, state, MOVEMENT)?;
    let from = state.dragon(setup);
    let to = on_board(to).map_err(|refusal| refusal.at("/to"))?;
    if to != from {
        is_free(&state.places, to).map_err(|refusal| refusal.at("/to"))?;
    }
    if State::reach(from, played.value, state.occupied()) & to.mask() == 0 {
        return Err(out_of_reach(Figure::Dragon, from, to, played.value).at("/to").into());
    }
    spend(ctx, played, [Rule::C5_2, Rule::C6_6, Rule::C6_1, Rule::C6_2]);
    if from != to {
        let moved = Event::FigureMoved { figure: Figure::Dragon, from, to };
        ctx.happen(moved, [Rule::C6_6, Rule::C6_3]);
    }
    ch03_turns::settle(ctx)
}

/// DRK-6.7 The dragon flies to any free hex.
pub(super) fn dragon_flies(ctx: &mut Ctx<'_>, played: Played, to: Hex) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    grounded(setup, state, FLIGHT)?;
    let from = state.dragon(setup);
    let to = on_board(to).map_err(|refusal| refusal.at("/to"))?;
    if to != from {
        is_free(&state.places, to).map_err(|refusal| refusal.at("/to"))?;
    }
    if from == to {
        spend(ctx, played, [Rule::C5_2, Rule::C6_7, Rule::R19]);
    } else {
        spend(ctx, played, [Rule::C5_2, Rule::C6_7]);
        let moved = Event::FigureMoved { figure: Figure::Dragon, from, to };
        ctx.happen(moved, Rule::C6_7);
    }
    ch03_turns::settle(ctx)
}

/// The destinations of a flight: every free hex and the dragon's own.
pub(super) fn flight_reach(setup: &Setup, state: &State) -> u32 {
    (board::ALL & !state.occupied()) | state.dragon(setup).mask()
}
