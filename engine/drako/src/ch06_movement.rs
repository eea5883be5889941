//! DRK-6 Movement: dwarves, the dragon's walk and its flight.
//!
//! Must not know what a figure does where it arrives.

use super::action::{Dwarf, DwarfMove, Figure, Track, Use};
use super::ch01_terms::{check_free, check_lives, check_on_board, figure_on};
use super::ch05_playing::spend::spend_card;
use super::event::{Event, PlayedCard};
use super::rulebook::{FlightInPlace, PassThrough, Rule, StandingStill, TwoMoves};
use super::setup::Setup;
use super::state::State;
use super::tables::board::{Spot, Spots};
use super::{Checked, Ctx, Refusal, Verdict};
use umpire_core::board::hex::Hex;
use umpire_core::rules::Cites;
use umpire_core::wire::Few;

/// DRK-6.1, DRK-6.2 The hexes that up to `steps` steps reach, the start among them, entering none
/// of `closed`.
fn reach(from: Spot, steps: u8, closed: Spots) -> Spots {
    let mut reached = Spots::one(from);
    let mut edge = reached;
    for _ in 0..steps {
        edge = edge.around().minus(closed).minus(reached);
        reached = reached.or(edge);
    }
    reached
}

/// DRK-6.3 The hexes that a dwarf reaches in up to `steps` steps, his own among them. Under DRK-R5
/// `friends` he passes over dwarves, under `all` over the dragon too, but ends on a free hex.
pub(super) fn dwarf_reach(
    setup: &Setup,
    from: Spot,
    steps: u8,
    occupied: Spots,
    dragon: Spot,
) -> Spots {
    match setup.rulings.pass_through {
        PassThrough::None => reach(from, steps, occupied),
        PassThrough::Friends => reach(from, steps, Spots::one(dragon)).minus(occupied).with(from),
        PassThrough::All => reach(from, steps, Spots::NONE).minus(occupied).with(from),
    }
}

/// DRK-6.3 The hexes that the dragon reaches by walking up to `steps` steps, its own among them;
/// that alone where it may only stand still (DRK-R20). Under DRK-R5 `all` it passes over dwarves.
pub(super) fn walk_reach(setup: &Setup, state: &State, steps: u8) -> Spots {
    let (from, occupied) = (state.dragon(), state.occupied());
    match grounded(setup, state, Track::Movement) {
        Some(obstacle) if may_stand(setup, obstacle) => Spots::one(from),
        Some(_) => Spots::NONE,
        None if setup.rulings.pass_through == PassThrough::All => {
            reach(from, steps, Spots::NONE).minus(occupied).with(from)
        }
        None => reach(from, steps, occupied),
    }
}

/// DRK-6.3 A destination is within a figure's reach. If it is not because somebody stands there,
/// DRK-1.5 refuses.
fn check_reach(
    figure: Figure,
    (from, to): (Spot, Spot),
    steps: u8,
    reach: Spots,
    spots: &[Option<Spot>; 4],
) -> Checked {
    if reach.contains(to) {
        return Ok(());
    }
    check_free(spots, to)?;
    let distance = from.distance(to);
    let noun = if steps == 1 { "step" } else { "steps" };
    let message = format!(
        "{} cannot come from {} to {} in {steps} {noun} over free hexes",
        figure.title(),
        from.hex(),
        to.hex()
    );
    // Where the distance is no hindrance, figures are: under DRK-R5 they might be passed.
    let rules = match distance <= steps.into() {
        true => &[Rule::C6_3, Rule::C6_1, Rule::R5][..],
        false => &[Rule::C6_1, Rule::C6_3],
    };
    let refusal = Refusal::new(rules[0], "out_of_reach", message).in_sight();
    let refusal = rules[1..].iter().fold(refusal, |refusal, &rule| refusal.also(rule));
    Err(refusal.fact("distance", distance).fact("steps", steps))
}

/// DRK-6.4, DRK-6.5 At most one dwarf moves, or at most two, one after the other in the order
/// listed. Under DRK-R25 `at_once` both leave before either arrives.
pub(super) fn move_dwarves(
    ctx: &mut Ctx<'_>,
    card: PlayedCard,
    moves: &Few<DwarfMove, 2>,
) -> Verdict {
    let clause = check_movers(card.option, moves)?;
    // Each move is checked on the board that those before it leave, before the card is spent.
    let mut spots = ctx.state().spots;
    if ctx.setup().rulings.two_moves == TwoMoves::AtOnce {
        for step in moves.as_slice() {
            let spot = &mut spots[Figure::from(step.figure).index()];
            *spot = spot.filter(|spot| spot.hex() == step.to);
        }
    }
    let mut steps = [None; 2];
    for (at, step) in moves.as_slice().iter().enumerate() {
        let listed = |figure| moves.as_slice().iter().any(|it| Figure::from(it.figure) == figure);
        let (from, to) =
            check_dwarf_move(ctx, &spots, step, card.value, at).map_err(|refusal| {
                let occupied = refusal.code == "hex_occupied";
                let partner = occupied && figure_on(&spots, step.to).is_some_and(listed);
                if partner { refusal.also(Rule::R25) } else { refusal }
            })?;
        let figure = Figure::from(step.figure);
        spots[figure.index()] = Some(to);
        steps[at] = Some((figure, from, to));
    }
    if !spend_card(ctx, card, [clause, Rule::C5_2, Rule::C6_1, Rule::C6_2]) {
        return Ok(());
    }
    let friends = ctx.setup().rulings.pass_through != PassThrough::None;
    for (at, (figure, from, to)) in steps.into_iter().flatten().enumerate() {
        if from == to {
            continue;
        }
        let moved = Event::FigureMoved { figure, from, to };
        match (at, friends) {
            (0, false) => ctx.happen(moved, [clause, Rule::C6_3]),
            (0, true) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R5]),
            (_, false) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R25]),
            (_, true) => ctx.happen(moved, [clause, Rule::C6_3, Rule::R25, Rule::R5]),
        }
    }
    Ok(())
}

/// DRK-6.4, DRK-6.5 No more dwarves are listed than the option moves, and none twice. Gives back
/// the clause of the option.
fn check_movers(option: Use, moves: &Few<DwarfMove, 2>) -> Checked<Rule> {
    let (most, clause) = match option {
        Use::OneMove => (1, Rule::C6_4),
        _ => (2, Rule::C6_5),
    };
    if moves.count() > most {
        let allowed = if most == 1 { "one dwarf moves" } else { "two dwarves move" };
        let message = format!("at most {allowed}, not {}", moves.count());
        return Err(Refusal::new(clause, "too_many_figures", message)
            .in_sight()
            .at("/moves")
            .fact("figures that move", moves.count())
            .fact("most figures", most));
    }
    if let [first, second] = moves.as_slice()
        && first.figure == second.figure
    {
        let message = format!("{} is listed twice", first.figure.title());
        return Err(Refusal::new(Rule::C6_5, "figure_listed_twice", message)
            .in_sight()
            .at("/moves/1/figure")
            .fact("figures that move", format!("{}, {}", first.figure, second.figure)));
    }
    Ok(clause)
}

/// DRK-6.3 One dwarf's part of a move, on the board that the parts before it leave. Gives back
/// where he comes from and where he ends.
fn check_dwarf_move(
    ctx: &Ctx<'_>,
    spots: &[Option<Spot>; 4],
    step: &DwarfMove,
    value: u8,
    at: usize,
) -> Checked<(Spot, Spot)> {
    let (setup, state) = (ctx.setup(), ctx.state());
    let from = check_lives(state, step.figure)
        .map_err(|refusal| refusal.at(format!("/moves/{at}/figure")))?;
    let field = |refusal: Refusal| refusal.at(format!("/moves/{at}/to"));
    let to = check_on_board(step.to).map_err(field)?;
    let occupied = spots.iter().copied().flatten().collect();
    let reach = dwarf_reach(setup, from, value, occupied, state.dragon());
    check_reach(step.figure.into(), (from, to), value, reach, spots).map_err(field)?;
    Ok((from, to))
}

/// What keeps the dragon from leaving its hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Grounded {
    AbilityLost,
    Netted,
}

/// DRK-6.6, DRK-6.7 What keeps the dragon from using an ability to move: the first in the order of
/// part C.5.
fn grounded(setup: &Setup, state: &State, ability: Track) -> Option<Grounded> {
    if state.is_lost(setup, ability) {
        Some(Grounded::AbilityLost)
    } else if state.netted {
        Some(Grounded::Netted)
    } else {
        None
    }
}

/// DRK-8.5, DRK-9.2 with DRK-R20: whether a dragon that cannot leave its hex may move zero steps.
fn may_stand(setup: &Setup, obstacle: Grounded) -> bool {
    match setup.rulings.standing_still {
        StandingStill::Forbid => false,
        StandingStill::Netted => obstacle == Grounded::Netted,
        StandingStill::Always => true,
    }
}

/// DRK-6.6, DRK-6.7, DRK-8.5, DRK-9.2 The ability is not lost, and no net lies on the dragon, where
/// that matters for the hex it goes to.
fn check_not_grounded(setup: &Setup, state: &State, ability: Track, to: Hex) -> Checked {
    let clause = if ability == Track::Flight { Rule::C6_7 } else { Rule::C6_6 };
    let stays = to == state.dragon().hex();
    let Some(obstacle) = grounded(setup, state, ability) else { return Ok(()) };
    if stays && may_stand(setup, obstacle) {
        return Ok(());
    }
    let refusal = match obstacle {
        Grounded::AbilityLost => {
            let message = format!("the dragon has lost its {ability}");
            let refusal = Refusal::new(Rule::C8_5, "ability_lost", message)
                .also(clause)
                .fact(format!("wounds on {ability}"), state.wounds_on(ability))
                .fact(format!("spaces of {ability}"), setup.spaces(ability));
            if state.netted { refusal.also(Rule::C9_2) } else { refusal }
        }
        Grounded::Netted => {
            let message = "the net lies on the dragon";
            let refusal = match state.dwarf(Dwarf::Net) {
                Some(_) => Refusal::new(Rule::C9_2, "netted", message),
                // DRK-9.5 Its thrower's death has not removed it.
                None => {
                    let refusal = Refusal::new(Rule::C9_5, "netted", message);
                    refusal
                        .also(Rule::R9)
                        .also(Rule::C9_2)
                        .fact(format!("hex of {}", Dwarf::Net.title()), "none")
                }
            };
            refusal.fact("net", "on the dragon")
        }
    };
    let refusal = refusal.in_sight().at("/use");
    Err(if stays { refusal.also(Rule::R20) } else { refusal })
}

/// DRK-6.6 Whether the dragon can walk.
pub(super) fn can_walk(setup: &Setup, state: &State) -> bool {
    !walk_reach(setup, state, 0).is_empty()
}

/// DRK-6.6 The dragon walks.
pub(super) fn walk_dragon(ctx: &mut Ctx<'_>, card: PlayedCard, to: Hex) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    check_not_grounded(setup, state, Track::Movement, to)?;
    let from = state.dragon();
    let field = |refusal: Refusal| refusal.at("/to");
    let to = check_on_board(to).map_err(field)?;
    let reach = walk_reach(setup, state, card.value);
    check_reach(Figure::Dragon, (from, to), card.value, reach, &state.spots).map_err(field)?;
    let takes_effect = spend_card(ctx, card, [Rule::C6_6, Rule::C5_2, Rule::C6_1, Rule::C6_2]);
    if takes_effect && from != to {
        let moved = Event::FigureMoved { figure: Figure::Dragon, from, to };
        ctx.happen(moved, [Rule::C6_6, Rule::C6_3]);
    }
    Ok(())
}

/// DRK-6.7 Whether the dragon can fly.
pub(super) fn can_fly(setup: &Setup, state: &State) -> bool {
    !flight_reach(setup, state).is_empty()
}

/// DRK-6.7 The destinations of a flight: every free hex and, but for DRK-R19 `forbid`, the dragon's
/// own; that alone where it may only stand still (DRK-R20).
pub(super) fn flight_reach(setup: &Setup, state: &State) -> Spots {
    let own = match setup.rulings.flight_in_place {
        FlightInPlace::Allow => Spots::one(state.dragon()),
        FlightInPlace::Forbid => Spots::NONE,
    };
    match grounded(setup, state, Track::Flight) {
        Some(obstacle) if may_stand(setup, obstacle) => own,
        Some(_) => Spots::NONE,
        None => Spots::ALL.minus(state.occupied()).or(own),
    }
}

/// DRK-6.7 The dragon flies to any free hex.
pub(super) fn fly_dragon(ctx: &mut Ctx<'_>, card: PlayedCard, to: Hex) -> Verdict {
    let (setup, state) = (ctx.setup(), ctx.state());
    check_not_grounded(setup, state, Track::Flight, to)?;
    let from = state.dragon();
    let field = |refusal: Refusal| refusal.at("/to");
    let to = check_on_board(to).map_err(field)?;
    if !flight_reach(setup, state).contains(to) {
        return Err(field(no_landing(state, to)).into());
    }
    let rules = Cites::from([Rule::C6_7, Rule::C5_2]);
    let rules = if from == to { rules.and(Rule::R19) } else { rules };
    if spend_card(ctx, card, rules) && from != to {
        let moved = Event::FigureMoved { figure: Figure::Dragon, from, to };
        ctx.happen(moved, Rule::C6_7);
    }
    Ok(())
}

/// DRK-6.7 The refusal of a flight to a hex that is not free, or under DRK-R19 `forbid` to the
/// dragon's own.
fn no_landing(state: &State, to: Spot) -> Refusal {
    if to == state.dragon() {
        let message = "the dragon flies to another hex than its own";
        return Refusal::new(Rule::C6_7, "same_hex", message)
            .in_sight()
            .also(Rule::R19)
            .fact("hex of the dragon", to.hex());
    }
    let other = figure_on(&state.spots, to.hex()).unwrap_or(Figure::Dragon);
    let message = format!("{} stands on {}", other.title(), to.hex());
    Refusal::new(Rule::C6_7, "hex_occupied", message)
        .in_sight()
        .also(Rule::C1_5)
        .also(Rule::R19)
        .fact(format!("figure on {}", to.hex()), other)
}
