//! DRG-4 Action points: pools, the limit per unit, and the two phases.
//!
//! Must not decide what a step costs; that is `ch05_movement.rs`.

use super::action::{EndPhase, Side};
use super::event::Event;
use super::rulebook::{PiratePool, PoolRead, Rule};
use super::setup::{Effect, Setup};
use super::state::{State, Unit};
use super::tables::KINDS;
use super::{Checked, Ctx, Refusal, Verdict};

/// DRG-3.4 The effects in force, pirates' and Rapalline's.
pub(super) fn effects_in_force(setup: &Setup, state: &State) -> [Effect; 2] {
    // After the last card stands an effect that is none.
    let row = |side: Side| usize::from(state.cards[side.index()].played).min(KINDS);
    Side::BOTH.map(|side| setup.decks[side.index()].effects[row(side)])
}

/// DRG-3.6 Changes add up, and nothing goes below 0.
fn add_changes(base: u8, changes: [i8; 2]) -> u8 {
    base.saturating_add_signed(changes.iter().sum())
}

/// DRG-4.1, DRG-4.2 The pirate pool, with the effects of cards unless DRG-R26 = `ignore`.
fn pirate_pool(setup: &Setup, state: &State) -> u8 {
    let base = setup.constants.pirate_points;
    match setup.rulings.pirate_pool {
        PiratePool::Ignore => base,
        PiratePool::Apply => {
            add_changes(base, effects_in_force(setup, state).map(|effect| effect.pool[0]))
        }
    }
}

/// DRG-4.3 The Rapalline pool, read as DRG-R10 says.
fn rapalline_pool(setup: &Setup, state: &State) -> u8 {
    let case = match setup.rulings.pool_read {
        PoolRead::TurnStart => state.read_case,
        PoolRead::PhaseStart | PoolRead::Live => state.case,
    };
    let changes = effects_in_force(setup, state).map(|effect| effect.pool[1]);
    add_changes(setup.points(case), changes)
}

/// DRG-4.1, DRG-4.2, DRG-4.3 The pool with which a side's phase would start now.
pub(super) fn starting_pool(setup: &Setup, state: &State, side: Side) -> u8 {
    match side {
        Side::Pirates => pirate_pool(setup, state),
        Side::Rapalline => rapalline_pool(setup, state),
    }
}

/// DRG-4.1, DRG-4.2, DRG-4.3 A phase begins with its pool.
pub(super) fn start_phase(ctx: &mut Ctx<'_>, side: Side) {
    let pool = starting_pool(ctx.setup(), ctx.state(), side);
    let started = Event::PhaseStarted { side, pool };
    match side {
        Side::Pirates => ctx.happen(started, [Rule::C4_1, Rule::C4_2]),
        Side::Rapalline => ctx.happen(started, Rule::C4_3),
    }
}

/// DRG-4.4 Whether the pool pays a cost.
pub(super) fn is_in_pool(state: &State, cost: u8) -> bool {
    cost <= state.pool
}

/// DRG-4.4 The pool of the phase pays the price.
pub(super) fn check_pool(setup: &Setup, state: &State, price: Price) -> Checked {
    let cost = price.cost;
    if is_in_pool(state, cost) {
        return Ok(());
    }
    let left = match state.pool {
        0 => "no point is".to_owned(),
        1 => "1 point is".to_owned(),
        more => format!("{more} points are"),
    };
    let message = format!("this costs {cost}, and {left} left");
    let refusal = Refusal::new(Rule::C4_4, "pool_points", message)
        .fact("cost", cost)
        .fact("points left", state.pool);
    let phase = state.phase.map_or(0, Side::index);
    Err(explain_price(setup, state, refusal, price, |effect| effect.pool[phase] != 0))
}

/// What an action costs, and by which clauses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    /// Points.
    pub(super) cost: u8,
    /// Where the price comes from.
    pub(super) clause: Rule,
    /// The ruling by which it could be another.
    pub(super) ruling: Option<Rule>,
    /// Whether a card may set it.
    pub(super) by_card: fn(&Effect) -> bool,
}

impl Price {
    /// A price that no card and no ruling changes.
    pub(super) fn new(cost: u8, clause: Rule) -> Price {
        Price { cost, clause, ruling: None, by_card: |_| false }
    }
}

/// DRG-3.4, DRG-4.4, DRG-4.5 A refusal for want of points names the source of the price, and the cards
/// that change price or points or, under another reading, would.
fn explain_price(
    setup: &Setup,
    state: &State,
    refusal: Refusal,
    price: Price,
    changes_points: impl Fn(&Effect) -> bool,
) -> Refusal {
    let mut refusal = refusal.also(price.clause);
    refusal = price.ruling.into_iter().fold(refusal, Refusal::also);
    let effects = effects_in_force(setup, state);
    for side in Side::BOTH {
        let effect = &effects[side.index()];
        let (sets, points) = ((price.by_card)(effect), changes_points(effect));
        if !sets && !points {
            continue;
        }
        let row = state.cards[side.index()].played;
        let card = setup.card_title(side, row);
        let pool = points && refusal.rule == Rule::C4_4;
        let pirates = pool && state.phase == Some(Side::Pirates);
        let void = pirates && setup.rulings.pirate_pool == PiratePool::Ignore;
        let note = match (sets, pool, void) {
            (true, ..) => format!("The card {card} sets this price"),
            (false, false, _) => format!("The card {card} changes the limit"),
            (false, true, false) => format!("The card {card} changes the points of the phase"),
            (false, true, true) => format!("The card {card} does not change the points here"),
        };
        refusal.message = format!("{}. {note}", refusal.message);
        refusal = refusal.also(Rule::C3_4);
        if pirates {
            refusal = refusal.also(Rule::R26);
        }
        let id = setup.decks[side.index()].ids.get(usize::from(row));
        if id.is_some_and(|id| id.as_str() == MAMMA_LI_TURCHI) {
            refusal = refusal.also(Rule::R41);
        }
        if setup.given.cards.is_none() {
            let what = format!("what {card} does");
            refusal = refusal.fact(what, "a reconstruction: neither rulebook prints the card");
        }
    }
    refusal
}

/// The card whose owner and effect are a ruling (DRG-R41).
pub(super) const MAMMA_LI_TURCHI: &str = "mamma_li_turchi";

/// DRG-4.5 The points that a unit of a side may spend over the turn.
pub(super) fn limit(setup: &Setup, state: &State, side: Side) -> u8 {
    let changes = effects_in_force(setup, state).map(|effect| effect.limit[side.index()]);
    add_changes(setup.constants.unit_points, changes)
}

/// DRG-4.5 The points that a unit may still spend this turn under the limit of its side.
pub(super) fn allowance(state: &State, unit: Unit, limit: u8) -> u8 {
    limit.saturating_sub(state.spent[unit.index()])
}

/// DRG-4.5 The unit's allowance pays the cost, too.
pub(super) fn check_allowance(setup: &Setup, state: &State, unit: Unit, price: Price) -> Checked {
    let cost = price.cost;
    let limit = limit(setup, state, setup.side(unit));
    if cost <= allowance(state, unit, limit) {
        return Ok(());
    }
    let id = setup.unit_title(unit);
    let spent = state.spent[unit.index()];
    let message =
        format!("{id} has spent {spent} of {limit} points this turn, and this costs {cost}");
    let refusal = Refusal::new(Rule::C4_5, "unit_points", message)
        .at("/unit")
        .fact(format!("points spent by {id}"), spent)
        .fact("limit", limit)
        .fact("cost", cost);
    let side = setup.side(unit).index();
    Err(explain_price(setup, state, refusal, price, |effect| effect.limit[side] != 0))
}

/// DRG-4.4, DRG-4.5 What a unit may pay for a step under the limit of its side.
pub(super) fn purse(state: &State, unit: Unit, limit: u8) -> u8 {
    allowance(state, unit, limit).min(state.pool)
}

// DRG-4.7 is `ch07_captives::check_escort` for a send; raising the alarm names no unit.

/// DRG-4.6, DRG-4.8 A phase ends, and what is left of its pool is lost.
pub(super) fn end_phase(ctx: &mut Ctx<'_>, side: Side, by_choice: bool) {
    let left = ctx.state().pool;
    let ended = Event::PhaseEnded { side, left };
    if left > 0 || by_choice {
        ctx.happen(ended, [Rule::C4_8, Rule::C4_6]);
    } else {
        ctx.happen(ended, Rule::C4_8);
    }
}

/// DRG-4.8 The player ends the phase.
pub(super) fn end_by_choice(ctx: &mut Ctx<'_>, sent: &EndPhase) -> Verdict {
    end_phase(ctx, sent.player, true);
    Ok(())
}

// DRG-4.8 (when a phase ends by itself) and DRG-4.9 are `sequence::continue_phase`.
