//! DRG-4: action points, the limit per unit, and the two phases.
//!
//! Must not decide what a step costs; that is DRG-5.

use std::ops::ControlFlow;

use super::action::{Action, EndPhase, Land, Move, RaiseAlarm, Send};
use super::ch03_cards::in_force;
use super::ch13_protocol::{Checked, refuse};
use super::event::Event;
use super::rulebook::{PiratePool, PoolRead, Rule};
use super::setup::Setup;
use super::state::{Areas, State, Step, Unit};
use super::tables::Side;
use super::{Cx, Dragut, ch03_cards, ch05_movement, ch07_captives, ch08_alarm, ch10_special};
use umpire_core::game::{Group, Verdict};

/// DRG-4.1, 4.2: the pirate pool, with the effects of cards unless DRG-R26 = `ignore`.
pub fn pirate_pool(setup: &Setup, state: &State) -> u8 {
    let base = setup.constants.pirate_points;
    match setup.rulings.pirate_pool {
        PiratePool::Ignore => base,
        PiratePool::Apply => {
            let change: i8 = in_force(setup, state).iter().map(|effect| effect.pool[0]).sum();
            c3_6_not_below_0(base, change)
        }
    }
}

/// DRG-4.3: the Rapalline pool, read as DRG-R10 says.
pub fn rapalline_pool(setup: &Setup, state: &State) -> u8 {
    let case = match setup.rulings.pool_read {
        PoolRead::TurnStart => state.read_case,
        PoolRead::PhaseStart | PoolRead::Live => state.case,
    };
    let change: i8 = in_force(setup, state).iter().map(|effect| effect.pool[1]).sum();
    c3_6_not_below_0(setup.points(case), change)
}

/// DRG-4.5: the points that a unit of a side may spend over the turn.
pub fn limit(setup: &Setup, state: &State, side: Side) -> u8 {
    let change: i8 = in_force(setup, state).iter().map(|effect| effect.limit[side.at()]).sum();
    c3_6_not_below_0(setup.constants.unit_points, change)
}

/// DRG-3.6: changes add up, and nothing goes below 0.
fn c3_6_not_below_0(base: u8, change: i8) -> u8 {
    base.saturating_add_signed(change)
}

/// DRG-4.4: the pool pays the cost.
pub fn c4_4_pool(state: &State, cost: u8) -> Checked<()> {
    if cost <= state.pool {
        return Ok(());
    }
    let left = match state.pool {
        0 => "no point is".to_owned(),
        1 => "1 point is".to_owned(),
        more => format!("{more} points are"),
    };
    let message = format!("this costs {cost}, and {left} left");
    let refusal = refuse(Rule::C4_4, "pool_points", message, "");
    Err(refusal.fact("cost", cost).fact("points left", state.pool))
}

/// DRG-4.5: the unit's allowance pays the cost, too.
pub fn c4_5_unit_limit(setup: &Setup, state: &State, unit: Unit, cost: u8) -> Checked<()> {
    let limit = limit(setup, state, setup.side(unit));
    let spent = state.spent[unit.at()];
    if spent.saturating_add(cost) <= limit {
        return Ok(());
    }
    let id = setup.unit_id(unit);
    let message =
        format!("{id} has spent {spent} of {limit} points this turn, and this costs {cost}");
    let refusal = refuse(Rule::C4_5, "unit_points", message, "/unit");
    Err(refusal
        .fact(format!("points spent by {id}"), spent)
        .fact("limit", limit)
        .fact("cost", cost))
}

/// What may be paid for in a phase.
#[derive(Clone, Copy, Debug)]
pub enum Paid {
    /// Landings of one unit.
    Land(Unit, Areas),
    /// Moves of one unit.
    Move(Unit, Areas),
    /// A send, with the unit that pays under DRG-R9 = `unit`.
    Send(Unit, Option<Unit>),
    /// The alarm.
    Raise,
}

impl Paid {
    /// How many actions these are.
    fn count(self) -> usize {
        match self {
            Paid::Land(_, areas) | Paid::Move(_, areas) => areas.len(),
            Paid::Send(..) | Paid::Raise => 1,
        }
    }

    /// One of the actions; there is none beyond [`Paid::count`].
    fn action(self, setup: &Setup, player: Side, at: usize) -> Option<Action> {
        let unit = |unit: Unit| setup.unit_id(unit);
        Some(match self {
            Paid::Land(it, areas) => {
                let to = setup.area_id(areas.nth(at)?);
                Action::Land(Land { player, unit: unit(it), to })
            }
            Paid::Move(it, areas) => {
                let to = setup.area_id(areas.nth(at)?);
                Action::Move(Move { player, unit: unit(it), to })
            }
            Paid::Send(it, escort) => {
                Action::Send(Send { player, unit: unit(it), escort: escort.map(unit) })
            }
            Paid::Raise => Action::RaiseAlarm(RaiseAlarm { player }),
        })
    }
}

/// Everything that may be paid for now, in groups.
pub fn options(
    setup: &Setup,
    state: &State,
    side: Side,
    each: &mut impl FnMut(Paid) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if state.pool == 0 {
        return ControlFlow::Continue(());
    }
    match side {
        Side::Pirates => {
            ch05_movement::landings(setup, state, each)?;
            ch05_movement::moves(setup, state, side, each)?;
            ch07_captives::sends(setup, state, each)
        }
        Side::Rapalline => {
            ch05_movement::moves(setup, state, side, each)?;
            if ch08_alarm::may_raise(setup, state) {
                each(Paid::Raise)
            } else {
                ControlFlow::Continue(())
            }
        }
    }
}

/// All that the phase player may do: everything that may be paid for, and the end of the phase.
#[derive(Clone, Copy, Debug)]
pub struct PhaseMenu<'a> {
    /// The setup.
    pub setup: &'a Setup,
    /// The state.
    pub state: &'a State,
    /// The phase player.
    pub side: Side,
}

impl Group<Action> for PhaseMenu<'_> {
    fn count(&self) -> u64 {
        let mut count = 1;
        let _ = options(self.setup, self.state, self.side, &mut |paid| {
            count += paid.count() as u64;
            ControlFlow::Continue(())
        });
        count
    }

    fn nth(&self, at: u64) -> Action {
        let mut skip = at as usize;
        let mut found = None;
        let _ = options(self.setup, self.state, self.side, &mut |paid| {
            if skip < paid.count() {
                found = paid.action(self.setup, self.side, skip);
                return ControlFlow::Break(());
            }
            skip -= paid.count();
            ControlFlow::Continue(())
        });
        found.unwrap_or(Action::EndPhase(EndPhase { player: self.side }))
    }

    fn each(&self, to: &mut dyn FnMut(Action) -> ControlFlow<()>) -> ControlFlow<()> {
        options(self.setup, self.state, self.side, &mut |paid| {
            (0..paid.count())
                .filter_map(|at| paid.action(self.setup, self.side, at))
                .try_for_each(&mut *to)
        })?;
        to(Action::EndPhase(EndPhase { player: self.side }))
    }
}

/// DRG-4.8: whether a phase goes on: points are left, and something can be done with them.
pub fn goes_on(setup: &Setup, state: &State, side: Side) -> bool {
    options(setup, state, side, &mut |_| ControlFlow::Break(())).is_break()
}

/// The pirate phase begins.
pub fn start_pirate_phase(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    let pool = pirate_pool(ctx.setup(), ctx.state());
    ctx.happen(Event::PhaseStarted { side: Side::Pirates, pool }, [Rule::C4_1, Rule::C4_2]);
    resume(ctx)
}

/// The Rapalline phase begins; the reserve may have to enter first (DRG-10.7).
fn start_rapalline_phase(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    let pool = rapalline_pool(ctx.setup(), ctx.state());
    ctx.happen(Event::PhaseStarted { side: Side::Rapalline, pool }, Rule::C4_3);
    if ch10_special::c10_7_reserve(ctx)? {
        return Ok(());
    }
    resume(ctx)
}

/// DRG-4.8: the phase goes on or ends by itself; nothing else is pending.
pub fn resume(ctx: &mut Cx<'_>) -> Verdict<Dragut> {
    let (step, side) = match ctx.state().phase {
        Some(side @ Side::Pirates) => (Step::PiratePhase, side),
        Some(side @ Side::Rapalline) => (Step::RapallinePhase, side),
        None => return ch03_cards::choices(ctx),
    };
    if !goes_on(ctx.setup(), ctx.state(), side) {
        return end(ctx, side, false);
    }
    if ctx.state().step != step {
        ctx.happen(Event::Asked { step }, Rule::C4_9);
    }
    Ok(())
}

/// DRG-4.8: the player ends the phase.
pub fn end_phase(ctx: &mut Cx<'_>, sent: &EndPhase) -> Verdict<Dragut> {
    end(ctx, sent.player, true)
}

/// DRG-4.6, 4.8: what is left is lost, and the turn goes on.
fn end(ctx: &mut Cx<'_>, side: Side, asked: bool) -> Verdict<Dragut> {
    let left = ctx.state().pool;
    if left > 0 || asked {
        ctx.happen(Event::PhaseEnded { side, left }, [Rule::C4_8, Rule::C4_6]);
    } else {
        ctx.happen(Event::PhaseEnded { side, left }, Rule::C4_8);
    }
    match side {
        Side::Pirates => start_rapalline_phase(ctx),
        Side::Rapalline => ch03_cards::clean_up(ctx),
    }
}
