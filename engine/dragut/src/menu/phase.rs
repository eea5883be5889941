//! What a phase allows, as one group: counted without being listed.
//!
//! Must not know what is legal but by the chapters.

use std::ops::ControlFlow;

use crate::action::{Action, EndPhase, Land, Move, RaiseAlarm, Send, Side};
use crate::rulebook::SendPoints;
use crate::setup::{PIRATE_UNITS, Setup};
use crate::state::{Areas, State, Unit};
use crate::{ch05_movement, ch07_captives, ch08_alarm};
use umpire_core::game::Group;

/// Actions of a phase that are paid for and have all but the goal in common.
#[derive(Clone, Copy, Debug)]
pub(crate) enum PaidActions {
    /// Landings of one unit.
    Land(Unit, Areas),
    /// Moves of one unit.
    Move(Unit, Areas),
    /// A send, with the unit that pays under DRG-R9 = `unit`.
    Send(Unit, Option<Unit>),
    /// The alarm.
    RaiseAlarm,
}

impl PaidActions {
    /// How many actions these are.
    fn count(self) -> usize {
        match self {
            PaidActions::Land(_, areas) | PaidActions::Move(_, areas) => areas.len(),
            PaidActions::Send(..) | PaidActions::RaiseAlarm => 1,
        }
    }

    /// One of the actions; there is none beyond [`PaidActions::count`].
    pub(crate) fn action(self, setup: &Setup, player: Side, at: usize) -> Option<Action> {
        let unit = |unit: Unit| setup.unit_id(unit);
        Some(match self {
            PaidActions::Land(it, areas) => {
                let to = setup.area_id(areas.nth(at)?);
                Action::Land(Land { player, unit: unit(it), to })
            }
            PaidActions::Move(it, areas) => {
                let to = setup.area_id(areas.nth(at)?);
                Action::Move(Move { player, unit: unit(it), to })
            }
            PaidActions::Send(it, escort) => {
                Action::Send(Send { player, unit: unit(it), escort: escort.map(unit) })
            }
            PaidActions::RaiseAlarm => Action::RaiseAlarm(RaiseAlarm { player }),
        })
    }
}

/// DRG-4.8 Whether a side can do something with the points that are left.
pub(crate) fn has_paid_action(setup: &Setup, state: &State, side: Side) -> bool {
    list_paid(setup, state, side, &mut |_| ControlFlow::Break(())).is_break()
}

/// Everything that may be paid for now.
pub(crate) fn list_paid(
    setup: &Setup,
    state: &State,
    side: Side,
    each: &mut impl FnMut(PaidActions) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if state.pool == 0 {
        return ControlFlow::Continue(());
    }
    match side {
        Side::Pirates => {
            list_landings(setup, state, each)?;
            list_moves(setup, state, side, each)?;
            list_sends(setup, state, each)
        }
        Side::Rapalline => {
            list_moves(setup, state, side, each)?;
            match ch08_alarm::can_raise(setup, state) {
                true => each(PaidActions::RaiseAlarm),
                false => ControlFlow::Continue(()),
            }
        }
    }
}

/// DRG-5.7 Every landing.
fn list_landings(
    setup: &Setup,
    state: &State,
    each: &mut impl FnMut(PaidActions) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let landings = ch05_movement::landings(setup, state);
    if landings.is_empty() {
        return ControlFlow::Continue(());
    }
    ch05_movement::able_to_land(setup, state)
        .try_for_each(|unit| each(PaidActions::Land(unit, landings)))
}

/// DRG-5.1 Every move.
fn list_moves(
    setup: &Setup,
    state: &State,
    side: Side,
    each: &mut impl FnMut(PaidActions) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let moves = ch05_movement::Moves::of(setup, state, side);
    for unit in moves.units().iter() {
        let goals = moves.goals(unit);
        if !goals.is_empty() {
            each(PaidActions::Move(unit, goals))?;
        }
    }
    ControlFlow::Continue(())
}

/// DRG-7.4, DRG-7.5 Every send.
fn list_sends(
    setup: &Setup,
    state: &State,
    each: &mut impl FnMut(PaidActions) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let sendable = ch07_captives::sendable(setup, state);
    if sendable.is_empty() {
        return ControlFlow::Continue(());
    }
    let near = ch07_captives::areas_open_to_send(setup, state, PIRATE_UNITS);
    for unit in sendable.iter() {
        match setup.rulings.send_points {
            SendPoints::Player => {
                if ch07_captives::is_captive_in(state, near, unit) {
                    each(PaidActions::Send(unit, None))?;
                }
            }
            SendPoints::Unit => {
                for escort in ch07_captives::escorts(setup, state, unit) {
                    each(PaidActions::Send(unit, Some(escort)))?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// All that the phase player may do: everything that may be paid for, and the end of the phase.
#[derive(Clone, Copy, Debug)]
pub(super) struct PhaseMenu<'a> {
    /// The setup.
    pub(super) setup: &'a Setup,
    /// The state.
    pub(super) state: &'a State,
    /// The phase player.
    pub(super) side: Side,
}

impl Group<Action> for PhaseMenu<'_> {
    fn count(&self) -> u64 {
        let mut count = 1;
        let _ = list_paid(self.setup, self.state, self.side, &mut |paid| {
            count += paid.count() as u64;
            ControlFlow::Continue(())
        });
        count
    }

    fn nth(&self, at: u64) -> Action {
        let mut skip = at as usize;
        let mut found = None;
        let _ = list_paid(self.setup, self.state, self.side, &mut |paid| {
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
        list_paid(self.setup, self.state, self.side, &mut |paid| {
            (0..paid.count())
                .filter_map(|at| paid.action(self.setup, self.side, at))
                .try_for_each(&mut *to)
        })?;
        to(Action::EndPhase(EndPhase { player: self.side }))
    }
}
